#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What rtol 1e-6 gives in the cases of Flores 2010, and what of its error the machine itself makes.

    accuracy.py LASH

Speeds of slider and rod over the first turn, up to the fifth contact where there are more, against rtol 1e-12 (below some
1e-11 rounding decides), relative to their largest. `grows`: by how much a change of all speeds by 1e-9 has grown there, both
runs with rtol 1e-12. Where the error of a case is above the others by that, the machine has made it.
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONTACTS = 5
PLACES = {"main": (1, 0, 0), "crankpin": (0, 1, 0), "gudgeon": (0, 0, 1), "both": (0, 1, 1), "all three": (1, 1, 1)}


def run(lash, folder, has, size, speed, rtol):
    command = [lash, "run", str(ROOT / "examples/flores-2010.yaml"), "-q", "--rtol", rtol, "--until", "1 rev of motor", "-n",
               "2000", "--channels", "slider.vx,rod.wz", "--set", f"play={size} mm", "--set", f"speed={speed!r} rpm", "-o",
               f"{folder}/r.h5"]
    for joint, play in zip(("main", "crankpin", "gudgeon"), has):
        command += ["--set", f"{joint}={'clearance' if play else 'ideal'}"]
    subprocess.run(command, check=True, capture_output=True)
    rows = subprocess.run([lash, "export", f"{folder}/r.h5"], check=True, capture_output=True, text=True).stdout
    events = subprocess.run([lash, "export", f"{folder}/r.h5", "--events"], check=True, capture_output=True, text=True).stdout
    onsets = [float(e["time [s]"]) for e in csv.DictReader(events.splitlines()) if e["kind"] == "onset"]
    return [[float(x) for x in row] for row in list(csv.reader(rows.splitlines()))[1:]], onsets


def off(a, b, share):
    """The largest difference of the first `share` of the rows."""
    worst = 0
    for k in (1, 2):
        largest = max(abs(row[k]) for row in b)
        worst = max([worst] + [abs(x[k] - y[k]) / largest for x, y in zip(a[:share], b[:share])])
    return worst


def main(lash):
    print("| play at | size | speed | contacts | error | of the whole turn | grows | of the whole turn |\n|" + "---|" * 8)
    with tempfile.TemporaryDirectory() as folder:
        for place, has in PLACES.items():
            for size in ("0.05", "0.50"):
                for speed in (500, 5000):
                    exact, onsets = run(lash, folder, has, size, speed, "1e-12")
                    rough, _ = run(lash, folder, has, size, speed, "1e-6")
                    beside, _ = run(lash, folder, has, size, speed * (1 + 1e-9), "1e-12")
                    share = len(exact)
                    if len(onsets) > CONTACTS:
                        share = sum(row[0] < onsets[CONTACTS] for row in exact)
                    print(f"| {place} | {size} mm | {speed} rpm | {len(onsets)} | {off(rough, exact, share):.0e} | "
                          f"{off(rough, exact, None):.0e} | {off(beside, exact, share) / 1e-9:.0e} | "
                          f"{off(beside, exact, None) / 1e-9:.0e} |", flush=True)


if len(sys.argv) != 2:
    sys.exit(__doc__)
main(sys.argv[1])
