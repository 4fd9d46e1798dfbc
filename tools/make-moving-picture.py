#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The moving picture of README.md, docs/images/play.svg: tools/make-moving-picture.py [PROGRAM]   (build/lash unless given)

One turn of flores-2010 with 0.5 mm of play at its gudgeon pin, slowed down: the machine with the play magnified, the path of
the pin's centre in its bearing, and the slider's acceleration beside that of the ideal machine. An SVG that moves by itself.
"""
import csv
import math
import os
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
program = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(here, "..", "build", "lash")
model = os.path.join(here, "..", "examples", "flores-2010.yaml")
images = os.path.join(here, "..", "docs", "images")
TURNS, ROWS, FRAMES, SECONDS = 3, 2160, 180, 9  # rows and frames per turn
CLEARANCE = 0.25e-3  # m, radial
INK, STEEL, CRANK, ROD, SLIDER = "#1b2330", "#5b6475", "#0072b2", "#d55e00", "#009e73"
MODES = ["#56b4e9", "#d55e00", "#009e73"]  # free, impact, following


def rows(folder, name, *settings):
    path = os.path.join(folder, name)
    subprocess.run([program, "run", model, *settings, "--until", f"{TURNS} rev of motor", "-q", "-n", str(TURNS * ROWS),
                    "--csv", path], check=True)
    with open(path, newline="") as file:
        return [{key.split(" ")[0]: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


with tempfile.TemporaryDirectory() as folder:
    play = rows(folder, "play.csv", "--set", "play=0.5 mm")
    ideal = rows(folder, "ideal.csv", "--set", "gudgeon=ideal")
begin = ROWS + ROWS // 8  # a turn with flights and impacts
turn = play[begin:begin + ROWS + 1]
frames = turn[::ROWS // FRAMES]

# ---- the machine: 2.4 px per mm; its crank reaches 130 px up and down, and captions stay clear of it
SCALE, X0, Y0 = 2400, 150, 158
HOLE, PIN = 30, 17
show = (HOLE - PIN) / CLEARANCE


def number(x):
    return f"{x:.1f}".rstrip("0").rstrip(".")


def values(points):
    return ";".join(number(p) for p in points)


def animate(name, points):
    return f'<animate attributeName="{name}" dur="{SECONDS}s" repeatCount="indefinite" values="{values(points)}"/>'


crank = [(X0 + SCALE * 0.05 * math.cos(r["crank.angle"]), Y0 - SCALE * 0.05 * math.sin(r["crank.angle"])) for r in frames]
hole = [X0 + SCALE * r["slider.x"] for r in frames]
pin = [(X0 + SCALE * r["slider.x"] + show * r["gudgeon.ex"], Y0 - show * r["gudgeon.ey"]) for r in frames]
force = [math.hypot(r["gudgeon.fx"], r["gudgeon.fy"]) for r in frames]
glow = [min(1, f / 6000) for f in force]


def line(ends, width, colour):
    (a, b) = ends
    return (f'<line stroke="{colour}" stroke-width="{width}" stroke-linecap="round" x1="{number(a[0][0])}" y1="{number(a[0][1])}" '
            f'x2="{number(b[0][0])}" y2="{number(b[0][1])}">'
            + animate("x1", [p[0] for p in a]) + animate("y1", [p[1] for p in a])
            + animate("x2", [p[0] for p in b]) + animate("y2", [p[1] for p in b]) + "</line>")


still = [(X0, Y0)] * len(frames)
out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 450" width="900" height="450" font-family="DejaVu Sans, Helvetica, '
       'sans-serif" font-size="13">',
       "<title>A slider-crank with play at its gudgeon pin: the machine, the path of the pin in its bearing, and the slider's "
       "acceleration beside that of the ideal machine.</title>",
       '<rect width="900" height="450" fill="#ffffff"/>',
       f'<path d="M{X0 - 26} {Y0 + 40}L{X0} {Y0}L{X0 + 26} {Y0 + 40}Z" fill="{STEEL}"/>',
       f'<path d="M258 {Y0 - 46}H618M258 {Y0 + 46}H618" stroke="{STEEL}" stroke-width="4" stroke-linecap="round"/>']
# slider with its hole, pin in it
out.append(f'<g><animateTransform attributeName="transform" type="translate" dur="{SECONDS}s" repeatCount="indefinite" '
           f'values="{";".join(f"{number(x)},{Y0}" for x in hole)}"/>'
           f'<rect x="-48" y="-42" width="96" height="84" rx="6" fill="{SLIDER}" fill-opacity="0.25" stroke="{SLIDER}" stroke-width="3"/>'
           f'<circle r="{HOLE}" fill="#ffffff" stroke="{INK}" stroke-width="3"/>'
           f'<circle r="{HOLE}" fill="none" stroke="#e8222e" stroke-width="7" opacity="0">'
           f'<animate attributeName="opacity" dur="{SECONDS}s" repeatCount="indefinite" values="{";".join(f"{g:.2f}" for g in glow)}"/></circle></g>')
out += [line((still, crank), 20, CRANK), line((crank, pin), 16, ROD)]
out.append(f'<circle r="{PIN}" fill="{ROD}" stroke="{INK}" stroke-width="3" cx="{number(pin[0][0])}" cy="{number(pin[0][1])}">'
           + animate("cx", [p[0] for p in pin]) + animate("cy", [p[1] for p in pin]) + "</circle>")
for centre in ((X0, Y0, None), (*crank[0], crank)):
    moving = animate("cx", [p[0] for p in centre[2]]) + animate("cy", [p[1] for p in centre[2]]) if centre[2] else ""
    out.append(f'<circle r="6" fill="#ffffff" stroke="{INK}" stroke-width="3" cx="{number(centre[0])}" cy="{number(centre[1])}">{moving}</circle>')

# ---- the path of the pin
CX, CY, R = 785, 148, 82
out.append(f'<circle cx="{CX}" cy="{CY}" r="{R}" fill="none" stroke="{INK}" stroke-dasharray="5 4"/>')
dots = [(CX + R * r["gudgeon.ex"] / CLEARANCE, CY - R * r["gudgeon.ey"] / CLEARANCE) for r in turn]
paths = {mode: [] for mode in range(3)}
run = []
for k in range(0, len(turn) - 1, 2):
    mode = min(int(turn[k]["gudgeon.mode"]), 2)
    a, b = dots[k], dots[min(k + 2, len(turn) - 1)]
    if run and run[-1] == (mode, k):
        paths[mode][-1].append(b)
    else:
        paths[mode].append([a, b])
    run.append((mode, k + 2))
for mode, parts in paths.items():
    d = "".join("M" + "L".join(f"{number(x)} {number(y)}" for x, y in part) for part in parts)
    out.append(f'<path d="{d}" fill="none" stroke="{MODES[mode]}" stroke-width="1.6" stroke-opacity="0.8"/>')
path = [dots[k * (ROWS // FRAMES)] for k in range(len(frames))]
out.append(f'<circle r="7" fill="{ROD}" stroke="#ffffff" stroke-width="2">' + animate("cx", [p[0] for p in path])
           + animate("cy", [p[1] for p in path]) + "</circle>")
out.append(f'<text x="{CX}" y="{CY + R + 34}" text-anchor="middle" fill="{INK}">path of the pin in its hole</text>')

# ---- acceleration
LEFT, RIGHT, TOP, BOTTOM = 70, 880, 318, 422
LOW, HIGH = -45e3, 85e3


def place(k, a):
    return (LEFT + (RIGHT - LEFT) * k / ROWS, BOTTOM - (BOTTOM - TOP) * (a - LOW) / (HIGH - LOW))


def curve(data, colour, style):
    part = data[begin:begin + ROWS + 1]
    points = []
    for k in range(0, ROWS, 6):  # the least and the greatest of every six rows: no peak is lost
        few = [(j, part[j]["slider.ax"]) for j in range(k, k + 6)]
        points += sorted({min(few, key=lambda p: p[1]), max(few, key=lambda p: p[1])})
    d = "M" + "L".join("{} {}".format(*map(number, place(*p))) for p in points)
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="1.4" {style}/>'


zero = place(0, 0)[1]
out.append(f'<path d="M{LEFT} {TOP}V{BOTTOM}M{LEFT} {number(zero)}H{RIGHT}" stroke="#b8bec9" fill="none"/>')
for a in (-40e3, 0, 40e3, 80e3):
    out.append(f'<text x="{LEFT - 8}" y="{number(place(0, a)[1] + 4)}" text-anchor="end" fill="{STEEL}">{a / 1e3:g}</text>')
out.append(curve(play, CRANK, "") + curve(ideal, INK, 'stroke-dasharray="6 4"'))
out.append(f'<line y1="{TOP}" y2="{BOTTOM}" stroke="#e8222e" stroke-width="1.5">'
           f'<animate attributeName="x1" dur="{SECONDS}s" repeatCount="indefinite" values="{LEFT};{RIGHT}"/>'
           f'<animate attributeName="x2" dur="{SECONDS}s" repeatCount="indefinite" values="{LEFT};{RIGHT}"/></line>')
out.append(f'<text x="{LEFT}" y="{TOP - 10}" fill="{INK}">acceleration of the slider, 1000 m/s², over one turn: '
           f'<tspan fill="{CRANK}">with 0.5 mm of play</tspan>, ideal dashed</text>')
out.append(f'<text x="{X0 - 26}" y="18" fill="{INK}">5000 rpm, slowed 750 times; play magnified {show / SCALE:.0f} times</text>')
out.append("</svg>\n")
with open(os.path.join(images, "play.svg"), "w") as file:
    file.write("\n".join(out))
print("docs/images/play.svg")
