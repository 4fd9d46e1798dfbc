# SPDX-License-Identifier: MIT
"""A bifurcation diagram: the slider's speed once per turn of the crank, over the size of the play.

    python3 bifurcation.py [VALUES] [TURNS]

Each value of the play is a run of its own; runs go side by side on threads. The points are written to
bifurcation.csv, and drawn where matplotlib is installed.
"""
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import lash

here = os.path.dirname(os.path.abspath(__file__))
values = int(sys.argv[1]) if len(sys.argv) > 1 else 60
turns = int(sys.argv[2]) if len(sys.argv) > 2 else 60
model = lash.load(os.path.join(here, "..", "flores-2010.yaml"))


def cuts(play):
    """The speed at the end of each turn, without those of the first half."""
    run = model.set(play=play).run(until=f"{turns} rev of motor", samples=turns, channels=["slider.vx"])
    return np.asarray(run["slider.vx"])[turns // 2 + 1:]


plays = np.geomspace(0.01e-3, 0.5e-3, values)
with ThreadPoolExecutor() as pool:
    speeds = list(pool.map(cuts, plays))
points = [(play, speed) for play, those in zip(plays, speeds) for speed in those]
np.savetxt("bifurcation.csv", points, delimiter=",", header="play [m],slider.vx [m/s]", comments="")
spread = [np.ptp(those) for those in speeds]
print(f"{len(points)} points; the spread of a value is {min(spread):.3g} to {max(spread):.3g} m/s")
try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.plot(*zip(*points), ",k")
    plt.xscale("log")
    plt.xlabel("play, m")
    plt.ylabel("slider speed at the end of each turn, m/s")
    plt.savefig("bifurcation.png", dpi=150)
except ImportError:
    pass
