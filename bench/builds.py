#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What runs cost with several builds of lash, in one run: evaluations of the equations, all of them, and ms.

    builds.py [--instructions] [--p2 | --machines | --chain] LASH...

Tables: the 64 cases of Flores 2010 over their first turn, with all contacts resolved and with quiet ones; machines; chains with play in every joint, with the exponent
of the cost over the number of links, with the damping of the usual laws and with that of `approach: energy`. rtol is 1e-6. Times are
those of the processor, start of the program included, the least of three runs of each build, taken in turn. --instructions counts those of the second table with valgrind, start of the program included.
Chains are chaotic: each row is the median of seven runs, with gravity times 1 + 1e-9 k, k = 0 … 6, and the range in which half of the others are. Their times are those of the run alone, by the clock, on a machine without other
work: a processor counts its time in ticks that are longer than a run of two links.
The exponent is fitted to the medians; ± is the standard deviation that the scatter of the runs gives it.
"""
import math
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TURNS = 3
RUNS = 7  # of each chain


def run(lash, model, arguments, folder, by_clock):
    command = [lash, "run", str(model), "--rtol", "1e-6", "-n", "2", "-o", f"{folder}/r.h5"] + arguments
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = done.stdout + done.stderr
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {said.strip()}")
    steps, rejected = re.search(r"steps +(\d+), and (\d+) rejected", said).groups()
    evaluations, looks = re.search(r"evaluations +(\d+) for the steps, (\d+) for", said).groups()
    ms = 1e3 * (after.ru_utime - before.ru_utime)
    if by_clock:
        value, unit = re.search(r"wall time +([0-9.e+-]+) (\S+)", said).groups()
        ms = float(value) * {"min": 6e4, "s": 1e3, "ms": 1, "µs": 1e-3}[unit]
    return int(evaluations) + int(looks), int(rejected) / (int(rejected) + int(steps)), ms


def cost(builds, model, arguments, folder, by_clock=False):
    """Per build: evaluations, share of steps that were rejected, ms of the processor, or of the run by the clock."""
    rows = [(0, 0, math.inf)] * len(builds)
    for _ in range(TURNS):
        for k, lash in enumerate(builds):
            evaluations, rejected, ms = run(lash, model, arguments, folder, by_clock)
            rows[k] = (evaluations, rejected, min(rows[k][2], ms))
    return rows


def instructions(lash, model, arguments, folder):
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/cg", lash, "run", str(model), "--rtol", "1e-6",
               "-n", "2", "-o", f"{folder}/r.h5", "-q"] + arguments
    subprocess.run(command, capture_output=True, check=True)
    for line in open(f"{folder}/cg"):
        if line.startswith(("summary:", "totals:")):
            return int(line.split()[1])
    return 0


def head(names, builds, counted=False):
    columns = names + [f"{what} {k + 1}" for k in range(len(builds))
                       for what in ["evaluations", "rejected", "ms"] + (["10⁶ instructions"] if counted else [])]
    print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))


def line(names, rows, counts=None):
    cells = list(names)
    for k, (evaluations, rejected, ms) in enumerate(rows):
        cells += [f"{evaluations:,}", f"{100 * rejected:.1f} %", f"{ms:.1f}"]
        cells += [f"{counts[k] / 1e6:.0f}"] if counts else []
    print("| " + " | ".join(cells) + " |", flush=True)


def p2(builds, folder, following):
    text = (ROOT / "examples/flores-2010.yaml").read_text().replace("contact: {", f"contact: {{following: {following}, ")
    model = write(folder, "flores-2010", text)
    places = {"gudgeon": (0, 0, 1), "crankpin": (0, 1, 0), "both": (0, 1, 1), "all three": (1, 1, 1)}
    total = [[0, 0] for _ in builds]
    head([f"play at, following: {following}", "size", "speed"], builds)
    for place, has in places.items():
        for speed in (50, 500, 1000, 5000):
            for size in ("0.05", "0.10", "0.20", "0.50"):
                arguments = ["--set", f"speed={speed} rpm", "--set", f"play={size} mm", "--until", "1 rev of motor"]
                for joint, play in zip(("main", "crankpin", "gudgeon"), has):
                    arguments += ["--set", f"{joint}={'clearance' if play else 'ideal'}"]
                rows = cost(builds, model, arguments, folder)
                line([place, f"{size} mm", f"{speed} rpm"], rows)
                for t, row in zip(total, rows):
                    t[0] += math.log(row[0]) / 64
                    t[1] += row[1] / 64
    line(["mean", "", ""], [(round(math.exp(t[0])), t[1], float("nan")) for t in total])


def play(approach="first"):
    return f"clearance: {{bearing_radius: 10 mm, diametric: 0.1 mm, materials: steel, contact: {{restitution: 0.8, approach: {approach}}}}}"


PLAY = play()
STEEL = "materials: {steel: {young: 207 GPa, poisson: 0.3}}\n"


def chain(links, approach, change=0):
    """Links of 0.1 m that hang from ground, slightly aside, with play in every joint."""
    text = STEEL + f"gravity: [0, {-9.81 * (1 + change)!r}]\nbodies:\n"
    for k in range(links):
        text += f"  b{k}: {{mass: 0.1, inertia: 1e-4, angle: 0.1, position: [{0.005 + 0.01 * k}, {-0.05 - 0.1 * k}], "
        text += "points: {top: [0, 50 mm], end: [0, -50 mm]}}\n"
    text += "joints:\n"
    for k in range(links):
        text += f"  j{k}: {{type: revolute, between: [{'ground' if k == 0 else f'b{k - 1}.end'}, b{k}.top], {play(approach)}}}\n"
    return text + "run: {until: 50 ms}\n"


def inline_four():
    """Four cranks on one shaft, with play in all crankpins and gudgeon pins."""
    text = STEEL + "gravity: [0, -9.81]\nbodies:\n"
    text += "  shaft: {mass: 4, inertia: 1e-2, points: {"
    text += ", ".join(f"p{k}: [{'' if k in (0, 3) else '-'}40 mm, 0]" for k in range(4)) + "}}\n"
    joints = "joints:\n  main: {type: revolute, between: [ground, shaft]}\n"
    for k in range(4):
        x = 0.04 if k in (0, 3) else -0.04
        text += f"  rod{k}: {{mass: 0.4, inertia: 1e-3, position: [{x + 0.05}, 0], points: {{big: [-50 mm, 0], small: [90 mm, 0]}}}}\n"
        text += f"  piston{k}: {{mass: 0.35, inertia: 1e-4, position: [{x + 0.14}, 0]}}\n"
        joints += f"  crankpin{k}: {{type: revolute, between: [rod{k}.big, shaft.p{k}], {PLAY}}}\n"
        joints += f"  gudgeon{k}: {{type: revolute, between: [piston{k}, rod{k}.small], {PLAY}}}\n"
        joints += f"  guide{k}: {{type: translational, between: [ground, piston{k}], axis: [1, 0]}}\n"
    return text + joints + "drives: {motor: {joint: main, speed: 1000 rpm}}\nrun: {until: 1 rev of motor}\n"


def write(folder, name, text):
    path = pathlib.Path(folder) / f"{name}.yaml"
    path.write_text(text)
    return path


def machines(builds, folder, counted):
    example = ROOT / "examples"
    head(["machine"], builds, counted)
    cases = [("flores-2010, one turn", example / "flores-2010.yaml", ["--until", "1 rev of motor"]),
             ("the same, 50 rpm", example / "flores-2010.yaml", ["--set", "speed=50 rpm", "--until", "1 rev of motor"]),
             ("the same in space, 5000 rpm", example / "planar-in-space.yaml", ["--until", "1 rev of motor"]),
             ("ideal slider-crank", example / "slider-crank.yaml", []),
             ("ideal four-bar", example / "four-bar.yaml", []),
             ("robot arm with ball play", example / "robot-elbow.yaml", []),
             ("inline four, eight plays, one turn", write(folder, "inline-four", inline_four()), [])]
    for name, model, arguments in cases:
        counts = [instructions(lash, model, arguments, folder) for lash in builds] if counted else None
        line([name], cost(builds, model, arguments, folder), counts)


def fit(lengths, table):
    """Exponent of the medians over the lengths, and its standard deviation by the scatter of the runs."""
    x = [math.log(n) for n in lengths]
    mean = statistics.mean(x)
    weights = [(a - mean) / sum((b - mean) ** 2 for b in x) for a in x]
    logs = [[math.log(value) for value in runs] for runs in table]
    slope = sum(w * statistics.median(runs) for w, runs in zip(weights, logs))
    # That of a median is sqrt(pi/2) times that of a mean.
    scatter = sum(w * w * statistics.variance(runs) / len(runs) for w, runs in zip(weights, logs))
    return slope, math.sqrt(math.pi / 2 * scatter)


def spread(values, form):
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{form(middle)} ({form(low)}–{form(high)})"


def chains(builds, folder, approach):
    lengths = (2, 5, 10, 20, 50, 100)
    names = ["evaluations", "rejected", "ms"]
    forms = [lambda x: f"{x:,.0f}", lambda x: f"{100 * x:.1f} %", lambda x: f"{x:.0f}"]
    table = []
    head([f"links, approach: {approach}"], builds)
    for links in lengths:
        models = [write(folder, f"chain{links}_{k}", chain(links, approach, 1e-9 * k)) for k in range(RUNS)]
        runs = [cost(builds, model, [], folder, by_clock=True) for model in models]
        table.append([[[run[k][what] for run in runs] for what in range(3)] for k in range(len(builds))])
        print("| " + " | ".join([str(links)] + [spread(table[-1][k][what], forms[what])
                                                for k in range(len(builds)) for what in range(3)]) + " |", flush=True)
    for k in range(len(builds)):
        for what in (0, 2):
            for first in (0, 1):
                slope, deviation = fit(lengths[first:], [row[k][what] for row in table[first:]])
                print(f"build {k + 1}: {names[what]} grow with the power {slope:.2f} ± {deviation:.2f} of the links, "
                      f"from {lengths[first]} on")


def main(arguments):
    options = [a for a in arguments if a.startswith("--")]
    builds = [a for a in arguments if not a.startswith("--")]
    if not builds or set(options) - {"--instructions", "--p2", "--machines", "--chain"}:
        sys.exit(__doc__)
    every = not set(options) - {"--instructions"}
    for k, lash in enumerate(builds):
        print(f"build {k + 1}: {lash}")
    with tempfile.TemporaryDirectory() as folder:
        if every or "--machines" in options:
            machines(builds, folder, "--instructions" in options)
        if every or "--chain" in options:
            chains(builds, folder, "first")
            chains(builds, folder, "energy")
        if every or "--p2" in options:
            p2(builds, folder, "resolve")
            p2(builds, folder, "auto")


main(sys.argv[1:])
