# SPDX-License-Identifier: MIT
"""Clearance and friction from a measured curve, with SciPy.

The "measurement" is a run with known values and some noise. The force of the guide over a turn is what the fit looks
at; it starts from values that are far off.
"""
import os

import numpy as np
from scipy.optimize import least_squares

import lash

here = os.path.dirname(os.path.abspath(__file__))
model = lash.load(os.path.join(here, "..", "flores-2010.yaml"), speed="500 rpm")
truth = {"play": 0.1e-3, "friction": 0.05}


def curve(play, friction):
    run = model.set(play=play, friction=friction).run(until="0.25 rev of motor", samples=60, channels=["slider.ax"])
    return np.asarray(run["slider.ax"])


measured = curve(**truth)
measured = measured + 0.002 * np.ptp(measured) * np.random.default_rng(1).standard_normal(len(measured))


def misfit(x):
    return (curve(x[0] * 1e-3, x[1]) - measured) / np.ptp(measured)


# The curve is rough where impacts appear and vanish: first a search over a grid, then the nearest minimum.
grid = [(p, f) for p in np.linspace(0.05, 0.2, 7) for f in (0.02, 0.05, 0.1)]
start = min(grid, key=lambda x: np.sum(misfit(x) ** 2))
fit = least_squares(misfit, start, bounds=([0.02, 0.0], [0.5, 0.2]), diff_step=1e-3)
print(f"play     {fit.x[0]:.4f} mm  (true {truth['play'] * 1e3})")
print(f"friction {fit.x[1]:.4f}     (true {truth['friction']})")
assert abs(fit.x[0] - truth["play"] * 1e3) < 0.02, fit.x
