# SPDX-License-Identifier: MIT
#
# lash stats, lash plot --what spectrum and the window of lash export, against a sum of two sines of known amplitudes.
# shellcheck shell=bash
. "${0%/*}/lib.sh"

cat >sine.yaml <<'YAML'
bodies: {m: {mass: 1 kg, inertia: 1}, w: {mass: 1 kg, inertia: 1}}
joints:
  rail: {type: translational, between: [ground, m], axis: [1, 0]}
  pin: {type: revolute, between: [ground, w]}
drives:
  turn: {joint: pin, speed: 300 rpm}
  slide: {joint: rail, motion: "0.25 + 0.1*sin(2*pi*10*t) + 0.02*sin(2*pi*35*t)"}
run: {until: 2 s, samples: 4000, rtol: 1e-10}
YAML
expect_exit 0 run sine.yaml -q -o sine.h5

# json CHANNEL KEY: a number of the last JSON.
json() {
    python3 -c 'import json, sys; print(json.load(open(".stdout"))["channels"][sys.argv[1]][sys.argv[2]])' "$1" "$2"
}
expect_exit 0 stats sine.h5 --channels m.x,m.vx --json
expect_close "$(json m.x mean)" 0.25 1e-8
expect_close "$(json m.x rms)" 0.26019223 1e-7 # sqrt(0.25^2 + 0.1^2/2 + 0.02^2/2)
expect_close "$(json m.x frequency)" 10 1e-9
expect_close "$(json m.vx frequency)" 10 1e-9
expect_close "$(json m.vx rms)" 5.42322976 1e-8 # 2 pi sqrt(1^2 + 0.7^2) / sqrt(2)
expect_close "$(json m.vx max)" 10.681415 1e-6 # 2 pi (1 + 0.7), at t = 0
expect_exit 0 stats sine.h5 --channels 'm.x' --from "1 s" --to "1.5 s" --json
expect_contains '"from":1,"to":1.5,"rows":1001'
expect_exit 0 stats sine.h5
expect_matches '^m\.x +m '
expect_matches '^w\.x +m .* -$' # what does not move has no frequency
expect_exit 2 stats sine.h5 --channels m.position
expect_error_contains "did you mean 'm.x'?"
expect_exit 2 stats sine.h5 --from 3 --to 4
expect_exit 2 stats sine.h5 --from "1 s" --to "1.0001 s"
expect_error_contains 'or record more rows, `lash run` with --samples N'
expect_exit 4 stats nothing.h5

# The transient is left out unless --from says otherwise; so do figures.
# What a model leaves out is left out, unless it is asked for.
sed 's/^run: {/run: {discard: 1 s, /' sine.yaml >leaves-out.yaml
expect_exit 0 run leaves-out.yaml -q -o all.h5 --set run.discard=0
expect_exit 0 stats all.h5 --channels m.x --json
expect_contains '"from":0,"to":2'
expect_exit 3 run leaves-out.yaml -q -o none.h5 --until "0.5 s"
expect_error_contains "leaves nothing of the run, which ends at 0.5 s; discard less, or 0"
expect_exit 0 run sine.yaml -q -o late.h5 --set run.discard="1 s"
expect_exit 0 stats late.h5 --channels m.x --json
expect_contains '"from":1,"to":2'
expect_exit 0 stats late.h5 --channels m.x --from 0 --json
expect_contains '"from":0,"to":2'

# Lines of the spectrum: mm, over Hz and over orders of the drive, 5 turns per second.
line() { # FREQUENCY FILE: the amplitude there
    awk -v f="$1" '$1 + 0 == f { print $2; exit }' "$2"
}
expect_exit 0 plot sine.h5 --what spectrum --channels m.x -o s.svg --script s.gp -q
expect_file s.svg
expect_close "$(line 10 s.gp)" 100 1e-5
expect_close "$(line 35 s.gp)" 20 1e-5
expect_exit 0 plot sine.h5 --what spectrum --channels m.x --x order --window none -o o.svg --script o.gp -q
expect_close "$(line 2 o.gp)" 100 1e-5
expect_close "$(line 7 o.gp)" 20 1e-5
# Between lines, a flat top is right where others are low; stretches of half a second, averaged.
expect_exit 0 plot sine.h5 --what spectrum --channels m.x --window flat-top --to "1.93 s" -o f.svg --script f.gp -q
expect_close "$(awk '/^\$s0/ { on = 1 } on && $2 + 0 > most { most = $2 + 0 } END { print most }' f.gp)" 100 3e-3
expect_exit 0 plot sine.h5 --what spectrum --channels m.x --average 7 -o a.svg --script a.gp -q
expect_close "$(line 10 a.gp)" 100 1e-5
expect_exit 2 plot sine.h5 --what spectrum --channels m.x --window hanning
expect_error_contains "--window is hann, flat-top or none, not 'hanning'"
expect_exit 2 plot sine.h5 --what spectrum --average 0
expect_exit 2 plot sine.h5 --what history --window hann
expect_error_contains "is for spectrum"
expect_exit 2 plot sine.h5 --what spectrum --channels m.x,w.angle
expect_error_contains "one unit"

# Peaks of contacts between two samples are extremes. Mean and RMS are those of the samples: a contact of 1 ms does not
# last from one sample to the next.
cat >drop.yaml <<MODEL
title: A ball that is dropped on a plate once
gravity: [0, -9.81]
bodies: {ball: {mass: 1 kg, inertia: 1 kg m^2, position: [0, 0.1], hold: [angle]}}
joints:
  way:
    type: translational
    between: [ground, ball]
    axis: [0, 1]
    stops: {min: 50 mm, contact: {law: hertz, stiffness: 1e7, exponent: 1}}
run: {until: 0.2 s, samples: 7, rtol: 1e-9}
MODEL
expect_exit 0 run drop.yaml -o drop.h5 -q
expect_exit 0 stats drop.h5 --channels ball.ay --json
mean=$(json ball.ay mean) rms=$(json ball.ay rms)
expect "the peak of the contact is not among the extremes" awk -v m="$(json ball.ay max)" 'BEGIN { exit !(m > 1000) }'
expect_close "$mean" -9.81 1e-9
expect_close "$rms" 9.81 1e-9

# Rows of a window.
expect_exit 0 export sine.h5 --channels m.x --from "1 s" --to "1.1 s" --every "20 ms"
expect_lines 7 .stdout
expect_close "$(tail -n 1 .stdout | cut -d, -f2)" 0.25 1e-8
expect_exit 2 export sine.h5 --every 0
expect_exit 2 export sine.h5 --from soon
expect_exit 2 export sine.h5 --summary --from 1
# --- Steps that are too far apart for statistics: it is said; samples are close enough
expect_exit 0 run "$EXAMPLES/slider-crank.yaml" --steps -o far.h5 -q
expect_exit 0 stats far.h5
expect_error_matches "warning: the rows are the integrator's steps, [0-9.]+ % of the range of '[a-z.]+' may be between them; .*--samples"
expect_exit 0 run "$EXAMPLES/slider-crank.yaml" --samples 2000 -o close.h5 -q
expect_exit 0 stats close.h5
expect_lacks warning
# --- Windows in which nothing lies, and why; files of other commands
expect_exit 2 stats sine.h5 --from "100 s"
expect_error_contains "'sine.h5' ends before the window begins: give an earlier --from"
expect_exit 2 stats sine.h5 --from "1.1 s" --to "1 s"
expect_error_contains "--from is after --to"
cp "$EXAMPLES/slider-crank.yaml" model.yaml
expect_exit 4 stats model.yaml
expect_error_contains "perhaps a model or a study: lash run and lash study make their results"
printf 'SQLite format 3' >table.db
expect_exit 4 stats table.db
expect_error_contains "lash study show read it"
# --- A zero has no sign
expect_exit 0 stats close.h5
cp .stdout signs
expect "a zero has a sign" bash -c "! grep -E ' -0( |\$)' signs"
finish
