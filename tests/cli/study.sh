#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Studies: tables, resuming, kill -9 at random moments, failed points, files of other studies, mistakes, mpirun.
. "${0%/*}/lib.sh"
cp "$EXAMPLES/flores-2010.yaml" model.yaml

# --- A sweep over a number and a switch; the metrics against closed forms where the joint is ideal
cat >sweep.yaml <<STUDY
title: Play at the gudgeon pin
model: model.yaml
axes:
  play: {from: 0.05 mm, to: 0.2 mm, steps: 3, scale: log}
  gudgeon: [ideal, clearance]
set: {speed: 1000 rpm}
run: {until: 2 rev of motor, rtol: 1e-8}
discard: 1 rev of motor
metrics: [max slider.x, min slider.x, peak-to-peak slider.x, mean crank.wz, rms crank.wz, max slider.ax, min slider.ax,
          impacts-per-turn gudgeon, fraction following gudgeon, energy-lost-per-turn gudgeon, turns, evaluations-per-turn]
STUDY
expect_exit 0 study sweep.yaml -j 2
expect_silent
expect_error_contains "6 of 6 points in sweep.db"
expect_exit 0 study show sweep.db
expect_contains "Play at the gudgeon pin"
expect_lines 9 .stdout
expect_exit 2 study export sweep.db --csv sweep.db
expect_error_contains "would overwrite the study"
expect_exit 0 study export sweep.db --csv sweep.csv
expect_lines 7 sweep.csv
ideal() { csv_column sweep.csv "$1" | head -n 1; }
w=$(awk 'BEGIN { printf "%.17g", 1000 * atan2(0, -1) / 30 }')
expect_close "$(ideal 'max slider.x')" 0.17 1e-9
expect_close "$(ideal 'min slider.x')" 0.07 1e-7
expect_close "$(ideal 'peak-to-peak slider.x')" 0.1 1e-7
expect_close "$(ideal 'mean crank.wz')" "$w" 1e-9
expect_close "$(ideal 'rms crank.wz')" "$w" 1e-9
expect_close "$(ideal turns)" 1 1e-9
# ax = −ω² r (1 + r/l) at the outer dead centre. The largest lies where the crank and the rod stand at right angles
# or beside: here it is found by stepping through the turn.
expect_close "$(ideal 'min slider.ax')" "$(awk -v w="$w" 'BEGIN { printf "%.17g", -w * w * 0.05 * (1 + 0.05 / 0.12) }')" 1e-6
expect_close "$(ideal 'max slider.ax')" "$(awk -v w="$w" 'BEGIN { r = 0.05; l = 0.12; pi = atan2(0, -1)
    for (i = 0; i <= 200000; i++) { f = i * pi / 200000; s = -r / l * sin(f); c = sqrt(1 - s * s)
        p1 = -r * cos(f) / (l * c); p2 = (r * sin(f) / l + s * p1 * p1) / c
        a = w * w * (-r * cos(f) - l * (c * p1 * p1 + s * p2)); if (a > m) m = a }
    printf "%.17g", m }')" 1e-6
if [ -z "$(ideal 'impacts-per-turn gudgeon')" ]; then pass; else fail "an ideal joint has impacts"; fi
expect_close "$(csv_column sweep.csv play | sed -n 3p)" 0.0001 1e-15

# --- The table is the same with one worker and with three
for jobs in 1 3; do
    expect_exit 0 study sweep.yaml -j $jobs -o jobs$jobs.db -q
    expect_no_errors
    expect_exit 0 study export jobs$jobs.db --csv jobs$jobs.csv
    expect_same sweep.csv jobs$jobs.csv
done

# --- Done again: nothing is left to do
expect_exit 0 study sweep.yaml
expect_error_contains "6 of them from before"

# --- start: settled leaves the turns that it takes out of all metrics, as discard does
cat >settled.yaml <<STUDY
model: model.yaml
set: {gudgeon: clearance}
axes: {play: [0.2 mm]}
run: {until: 1.5 rev of motor, rtol: 1e-9, start: settled, settle_turns: 2, settle_tolerance: 1e-30}
metrics: [turns, impacts gudgeon, impacts-per-turn gudgeon, fraction free gudgeon, energy-lost-per-turn gudgeon, evaluations-per-turn]
STUDY
sed 's/^run.*/run: {until: 3.5 rev of motor, rtol: 1e-9}\ndiscard: 2 rev of motor/' settled.yaml >discard.yaml
for way in settled discard; do
    expect_exit 0 study $way.yaml -q
    expect_exit 0 study export $way.db --csv $way.csv
    expect_close "$(csv_column $way.csv turns)" 1.5 1e-9
done
for metric in impacts impacts-per-turn fraction\ free energy-lost-per-turn; do
    expect_close "$(csv_column settled.csv "$metric gudgeon")" "$(csv_column discard.csv "$metric gudgeon")" 1e-5
done
expect_close "$(csv_column settled.csv evaluations-per-turn)" "$(csv_column discard.csv evaluations-per-turn)" 0.02

# --- A run that ends before anything is measured
cat >lost.yaml <<MODEL
gravity: [0, -9.81]
parameters: {v: 1.3 m/s}
bodies: {bead: {mass: 1, inertia: 0.01, position: [0, -0.05], velocity: [\$v, 0]}}
joints:
  ring: {type: revolute, between: [ground, bead],
         clearance: {bearing_radius: 60 mm, radial: 50 mm, model: permanent-contact, stop_at_loss: true}}
run: {until: 1 s}
MODEL
printf '%s\n' 'model: lost.yaml' 'axes: {v: [1.3, 2]}' 'discard: 0.3 s' 'metrics: [max bead.y]' >lost-study.yaml
expect_exit 1 study lost-study.yaml -o lost.db
expect_error_contains "1 of 2 points failed, the first one with: the run ends at t = 0.107659 s, where a contact with stop_at_loss is lost"

# … and one that ends before its exponent is known
sed -i 's/^joints:/forces: {drag: {type: force, at: bead, force: ["-1 N*s\/m*bead.vx", "-1 N*s\/m*bead.vy"]}}\nsignals: {ticks: "t\/(0.01 s)"}\n&/' lost.yaml
printf '%s\n' 'model: lost.yaml' 'axes: {v: [1.7]}' 'run: {until: 0.25 s}' 'section: {of: ticks, every: 1, channels: [bead.x]}' \
    'metrics: [exponent]' >lost-exponent.yaml
expect_exit 1 study lost-exponent.yaml
expect_error_contains "where a contact with stop_at_loss is lost, before the exponent is known"

# --- Axes in step
cat >zip.yaml <<STUDY
model: model.yaml
axes: {play: [0.1 mm, 0.2 mm], friction: [0.01, 0.02], gudgeon: [ideal, clearance]}
zip: [play, friction]
run: {until: 0.1 rev of motor, rtol: 1e-6}
metrics: [max slider.vx]
STUDY
expect_exit 0 study zip.yaml -q
run study export zip.db
expect_lines 5 .stdout
expect_matches '^3,0\.0002,0\.02,ideal,'

# --- Killed again and again, at writes to its table
cat >many.yaml <<STUDY
model: model.yaml
axes: {play: {from: 0.05 mm, to: 0.5 mm, steps: 60}}
run: {until: 2 rev of motor, rtol: 1e-6}
metrics: [max slider.ax, rms motor.torque, evaluations-per-turn]
STUDY
expect_exit 0 study many.yaml -o whole.db -q
expect_exit 0 study export whole.db --csv whole.csv
expect_lines 61 whole.csv
for n in 1 2 3 5 8 13 21 34 12 11 10 9; do
    killed_at write:$n study many.yaml -o killed.db -j 2 -q || break
    if [ -s killed.db ]; then
        run study export killed.db --csv killed.csv
        # What is there is as it should be, row by row; before the tables are made the file is no study yet.
        if [ "$status" -eq 0 ]; then
            expect "rows of the killed study differ" awk 'NR == FNR { whole[$0] = 1; next } !($0 in whole) { exit 1 }' whole.csv killed.csv
        else
            expect_error_contains "is not the result of a study"
        fi
    fi
done
expect_exit 0 study many.yaml -o killed.db -q
expect_exit 0 study export killed.db --csv killed.csv
expect_same whole.csv killed.csv
expect_no_file killed.db-wal

# --- Interrupted in good order; two runs at once
cat >long.yaml <<STUDY
model: model.yaml
axes: {play: {from: 0.05 mm, to: 0.5 mm, steps: 100000}}
run: {until: 1 rev of motor, rtol: 1e-6}
metrics: [max slider.ax]
STUDY
"$LASH" study long.yaml </dev/null >.stdout 2>.long &
process=$!
third_point() {
    "$LASH" study export long.db | grep -q '^3,'
}
await "the third point does not come" third_point
expect_exit 4 study long.yaml
expect_error_contains "another run is writing"
kill -TERM $process
status=0
wait $process || status=$?
if [ "$status" -eq 1 ]; then pass; else fail "exit code $status after SIGTERM, expected 1"; fi
cp .long .stderr
expect_error_contains "the same command continues from here"

# --- The first value is no machine: its point fails, the others are computed. Where none is one, the study is refused.
cat >first.yaml <<STUDY
model: model.yaml
axes: {play: [-1 mm, 0.1 mm, 0.2 mm]}
run: {until: 0.2 rev of motor}
metrics: [max slider.ax]
STUDY
expect_exit 1 study first.yaml
expect_error_contains "1 of 3 points failed, the first one with: joint 'gudgeon': clearance.diametric must be greater than zero"
sed -i 's/0.1 mm, 0.2 mm/-2 mm/' first.yaml
expect_exit 3 study first.yaml -o none.db
expect_error_contains "clearance.diametric must be greater than zero, it is -0.001 m"
expect_no_file none.db
cat >cuts.yaml <<STUDY
model: model.yaml
axes: {play: [0.1 mm]}
run: {until: 6 rev of motor}
metrics: [period]
section: {channels: [time, slider.x, slider.x]}
STUDY
expect_exit 3 study cuts.yaml
expect_error_contains "section: 'time' is kept already, as it is of every cut; leave it out"
expect_error_contains "section: 'slider.x' is kept already; leave it out"

# --- A point that fails is recorded and does not stop the others; the exit code tells of it, quiet or not
cat >failing.yaml <<STUDY
model: model.yaml
axes: {play: [0.1 mm, 30 mm, 0.2 mm]}
run: {until: 0.1 rev of motor, rtol: 1e-6}
metrics: [max slider.vx]
STUDY
expect_exit 1 study failing.yaml
expect_error_contains "3 of 3 points"
expect_error_contains "error: 1 of 3 points failed, the first one with: joint 'gudgeon': clearance.diametric leaves"
expect_error_contains "\`lash study show failing.db\` shows all; --retry-failed computes them again"
run study export failing.db
expect_matches '^2,0\.03,,ERROR_MODEL,.*journal'
expect_matches '^3,0\.0002,[0-9.]+,ok,$'
expect_exit 0 study show failing.db
expect_exit 1 study failing.yaml -q
expect_error_contains "1 of 3 points failed"
expect_lines 2 .stderr
expect_exit 1 study failing.yaml
expect_error_contains "3 of them from before"
expect_exit 1 study failing.yaml --retry-failed
expect_error_contains "2 of them from before"
expect_error_contains "1 of 3 points failed"
expect_exit 0 help
expect_matches '^ +1 .*points of a study failed'

# --- Files of others are refused and left as they are
echo "a letter" >letter.db
cp letter.db letter.copy
expect_exit 2 study sweep.yaml -o letter.db
expect_error_contains "not the result of a study"
expect_same letter.db letter.copy
cp zip.db other.copy
expect_exit 2 study sweep.yaml -o zip.db
expect_error_contains "holds another study"
expect_same zip.db other.copy
sed 's/0.21 kg/0.22 kg/' "$EXAMPLES/flores-2010.yaml" >model.yaml
expect_exit 2 study sweep.yaml
expect_error_contains "another text of the model"
cp "$EXAMPLES/flores-2010.yaml" model.yaml
cp "$EXAMPLES/engine.yaml" "$EXAMPLES/gas-force.csv" .
printf 'model: engine.yaml\nrun: {until: 1e-4 s, rtol: 1e-6}\nmetrics: [evaluations]\n' >engine-study.yaml
expect_exit 0 study engine-study.yaml -q
expect_exit 0 study engine-study.yaml -q
echo >>gas-force.csv
expect_exit 2 study engine-study.yaml
expect_error_contains "was computed with other tables (CSV files)"
expect_exit 4 study show nothing.db
expect_exit 2 study show letter.db
expect_exit 2 study show
expect_exit 2 study show zip.db -j 2
expect_exit 2 study zip.yaml -j many

# --- Drawn parameters and a search
cat >drawn.yaml <<STUDY
model: model.yaml
sample: {count: 40, seed: 3, play: {fit: H7/f7 at 20 mm}, restitution: {uniform: [0.7, 0.9]}}
run: {until: 0.2 rev of motor, rtol: 1e-6}
metrics: [max slider.vx]
STUDY
expect_exit 0 study drawn.yaml -q
run study export drawn.db --csv drawn.csv
# f7 at 20 mm: −41 … −20 µm, H7: 0 … 21 µm
expect "plays outside the fit" awk -F, 'NR > 1 && !($3 > 20e-6 && $3 < 62e-6 && $4 > 0.7 && $4 < 0.9) { exit 1 } END { exit NR != 41 }' drawn.csv
expect_exit 0 study show drawn.db
expect_matches 'max slider.vx +5 %: .* \(- to .*50 %: .* \([0-9.]+ to [0-9.]+\).* to -\) m/s'
# Limits far from the mean: the tail beyond them is exponential, with the mean deviation²/(distance) behind its limit; where
# nothing is left it is said.
cat >tail.yaml <<STUDY
model: model.yaml
set: {gudgeon: ideal}
run: {until: 1e-6}
sample: {count: 400, play: {truncated-normal: [1 mm, 10 um, 1.3 mm, 2 mm]}, friction: {truncated-normal: [1, 0.02, 0.1, 0.4]}}
metrics: [max slider.x]
STUDY
expect_exit 0 study tail.yaml -q
expect_exit 0 study export tail.db --csv tail.csv
expect_close "$(csv_column tail.csv play | awk '{ s += $1 - 1.3e-3 } END { print s / NR / 3.33e-7 }')" 1 0.2
expect_close "$(csv_column tail.csv friction | awk '{ s += 0.4 - $1 } END { print s / NR / 6.66e-4 }')" 1 0.2
sed -i 's/1.3 mm, 2 mm/1.4 mm, 2 mm/; s/0.1, 0.4/0.1, 0.2/' tail.yaml
expect_exit 3 study tail.yaml -o none.db
expect_error_contains "play: the limits are more than 37 standard deviations from the mean"
expect_error_contains "friction: the limits are more than 37 standard deviations from the mean"
cat >search.yaml <<STUDY
model: model.yaml
search: {parameter: speed, from: 100 rpm, to: 2000 rpm, metric: max slider.x, below: 1 m, scan: 2}
set: {gudgeon: ideal}
run: {until: 1 rev of motor, rtol: 1e-8}
metrics: [max-abs slider.ax]
STUDY
sed -e 's/max slider.x, below: 1 m, scan: 2/max-abs slider.ax, below: 500 m\/s^2, tolerance: 1e-6/' search.yaml >found.yaml
expect_exit 0 study search.yaml -q
run study export search.db --csv search.csv
expect_close "$(csv_column search.csv speed)" "$(awk 'BEGIN { printf "%.17g", 2000 * atan2(0, -1) / 30 }')" 1e-12
# ω² r (1 + r/l) = 500 m/s²
expect_exit 0 study found.yaml -q
run study export found.db --csv found.csv
expect_close "$(csv_column found.csv speed)" "$(awk 'BEGIN { printf "%.17g", sqrt(500 / (0.05 * (1 + 0.05 / 0.12))) }')" 3e-6

# --- Mistakes, each at its place
cat >wrong.yaml <<STUDY
titel: x
model: model.yaml
axes:
  empty: []
  speed: {from: 1 mm, to: 2 kg, steps: 0}
zip: [speed, nothing]
sample: {count: 2.5, friction: {normal: [0.1]}, restitution: {fit: H7/z6 at 20 mm}}
metrics: [maxx slider.ax, max, verdict]
STUDY
expect_exit 3 study wrong.yaml
expect_no_file wrong.db
for text in "wrong.yaml:1:1: error: 'titel' is not a key here; did you mean 'title'?" "axis 'empty' has no values" \
    "are not of one dimension" "steps: expects a whole number" "there is no axis 'nothing'" \
    "expects a list of 2: [mean, standard deviation]" "the shafts known are e, f, g, h and k" \
    "did you mean 'max'?" "'max' is followed by one channel" "'verdict' needs a \`section\`"; do
    expect_error_contains "$text"
done
printf 'model: model.yaml\naxes: {plai: [0.1 mm], speed: [1 kg]}\nrun: {until: 3 rev of moter}\nmetrics: [turns]\n' >wrong.yaml
expect_exit 3 study wrong.yaml
expect_error_contains "wrong.yaml:2:8: error: the model has no parameter 'plai'; did you mean 'play'?"
expect_error_contains "mass [kg] where"
expect_error_contains "there is no drive 'moter'"
printf 'model: model.yaml\nmetrics: [max slider.axx, impacts-per-turn main]\n' >wrong.yaml
expect_exit 3 study wrong.yaml
expect_error_contains "there is no channel 'slider.axx' at any point; did you mean 'slider.ax'?"
expect_error_contains "there is no joint with play 'main' at any point"
"$LASH" example stops >/dev/null
printf 'model: stops.yaml\nmetrics: [impacts pivot]\n' >wrong.yaml
expect_exit 3 study wrong.yaml
expect_error_contains "there is no single contact 'pivot' at any point; its contacts are pivot.min, pivot.max"
printf 'model: model.yaml\naxes: {play: {from: 0, to: 1 mm, steps: 2}}\nmetrics: [slider.ax, max of slider.ax]\n' >wrong.yaml
expect_exit 3 study wrong.yaml
expect_error_contains "are not of one dimension; both need a unit, also where one is 0"
expect_error_contains "there is no metric 'slider.ax'; a metric is computed from a channel, such as 'max slider.ax'"
expect_error_contains "'max' is followed by one channel, such as slider.ax"
expect_error_contains "3 mistakes in wrong.yaml and its model."
# Of a metric that is a word the share of each word is shown.
cat >words.yaml <<'STUDY'
model: model.yaml
sample: {count: 4, seed: 3, play: {uniform: [0.1 mm, 0.2 mm]}}
run: {until: 3 rev of motor, rtol: 1e-4}
discard: 1 rev of motor
section: {channels: [slider.vx]}
metrics: [verdict, max slider.ax]
STUDY
expect_exit 0 study words.yaml -q
expect_exit 0 study show words.db
expect_matches '^  verdict        100 % undecided$'
# Of more than sixteen the first sixteen are shown, and all are counted: 18 words of 20 samples, of which one has three.
sed 's/count: 4/count: 20/' words.yaml >many.yaml
expect_exit 0 study many.yaml -q
expect "no other words" python3 -c 'import sqlite3
d = sqlite3.connect("many.db")
d.execute("UPDATE points SET verdict = CASE WHEN point <= 3 THEN '"'period-3'"' ELSE '"'period-'"' || (point + 100) END")
d.commit()'
expect_exit 0 study show many.db
expect_matches '^  verdict        15 % period-3, (5 % period-1[0-9]*, ){15}10 % others$'
# What the model discards is discarded, unless the study says something else.
sed 's/^run:.*/run: {until: 2 rev of motor, discard: 1.5 rev of motor}/' model.yaml >discards.yaml
printf 'model: discards.yaml\nmetrics: [turns]\n' >own.yaml
expect_exit 0 study own.yaml -q
expect_exit 0 study export own.db --csv own.csv
expect_close "$(csv_column own.csv turns)" 0.5 1e-9
printf 'model: discards.yaml\ndiscard: 1.75 rev of motor\nmetrics: [turns]\n' >other.yaml
expect_exit 0 study other.yaml -q
expect_exit 0 study export other.db --csv other.csv
expect_close "$(csv_column other.csv turns)" 0.25 1e-9
# What only a run that is being prepared shows: nothing is computed, nothing written.
printf 'model: model.yaml\nrun: {until: 1 rev of motor}\ndiscard: 2 rev of motor\nmetrics: [turns]\n' >wrong.yaml
expect_exit 3 study wrong.yaml
expect_error_matches 'wrong.yaml:3:10: error: the model does not run at point 1: .*discard, 0.024 s, leaves nothing of the run, which ends at 0.012 s'
sed -i 's/2 rev of motor/0.5 rev of moter/' wrong.yaml
expect_exit 3 study wrong.yaml
expect_error_matches "wrong.yaml:3:10: error: run.discard: there is no drive 'moter'; did you mean 'motor'\?"
printf 'model: model.yaml\nmetrics: [period]\nsection: {of: slider.vq, at: 0, channels: [slider.vx]}\n' >wrong.yaml
expect_exit 3 study wrong.yaml
expect_error_contains "wrong.yaml:3:10: error: section: a section asks for 'slider.vq': there is no such channel"
expect_no_file wrong.db
# A section of a joint that has play for one choice of a switch: the other points fail, the study is no mistake.
printf 'model: model.yaml\naxes: {gudgeon: [ideal, clearance]}\nrun: {until: 1 rev of motor, rtol: 1e-6}\nmetrics: [turns]\nsection: {channels: [gudgeon.e], keep: true}\n' >half.yaml
expect_exit 1 study half.yaml -q
expect_error_contains "1 of 2 points failed"
expect_exit 3 study model.yaml
expect_error_matches "^model.yaml:[0-9]+:1: error: this is a model; a study is a file of its own that names one"
expect_exit 2 study shwo sweep.db
expect_error_contains "there is no \`lash study shwo\`; did you mean 'show'?"
printf 'model: missing.yaml\nmetrics: [turns]\n' >wrong.yaml
expect_exit 3 study wrong.yaml
expect_error_contains "missing.yaml"
expect_exit 4 study missing.yaml

# --- The studies of examples/: read and checked, the smallest one computed
for study in "$EXAMPLES"/studies/*.yaml; do
    expect_exit 2 study "$study" -o letter.db
    expect_error_contains "not the result of a study"
done

# --- Processes under mpirun
if command -v mpirun >/dev/null && grep -qa libmpi "$LASH"; then
    rights=
    [ "$(id -u)" -ne 0 ] || rights=--allow-run-as-root
    for count in 2 3; do
        # Sanitizers would report what MPI itself never frees.
        expect "mpirun -n $count failed" env ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" \
            mpirun -n $count --oversubscribe $rights "$LASH" study sweep.yaml -o mpi$count.db -j 1
        expect_error_contains "6 of 6 points"
        expect_exit 0 study export mpi$count.db --csv mpi$count.csv
        expect_same sweep.csv mpi$count.csv
    done
else
    echo "mpirun: skipped, Open MPI is not installed or the program was built without it"
fi
# --- A table is computed with files of the model that a component in an included file reads, and with that file
cat >part.yaml <<'PART'
bodies: {m: {mass: 1, inertia: 1}}
joints: {ways: {type: translational, between: [ground, m], axis: [1, 0]}}
forces: {f: {type: load, over: ways, at: m, direction: [1, 0], table: {file: push.csv, beyond: hold}}}
PART
cat >parts.yaml <<'MODEL'
parameters: {torque: 1 N m}
include: part.yaml
parts: [{use: part, as: p1}]
forces: {g: {type: torque, body: p1.m, torque: $torque}}
run: {until: 1 s}
MODEL
printf '%s\n' 'model: parts.yaml' 'axes: {torque: [1 N m, 2 N m]}' 'metrics: [max p1.m.x]' >parts-study.yaml
printf '0,1\n1,1\n' >push.csv
expect_exit 0 study parts-study.yaml -o parts.db -q
expect_exit 0 study parts-study.yaml -o parts.db -q
printf '0,2\n1,2\n' >push.csv
expect_exit 2 study parts-study.yaml -o parts.db -q
expect_error_contains "was computed with other tables"
printf '0,1\n1,1\n' >push.csv
sed -i 's/mass: 1/mass: 3/' part.yaml
expect_exit 2 study parts-study.yaml -o parts.db -q
expect_error_contains "was computed with another text of the model"
# --- The table is in the units of the model, CSV in SI
cat >units.yaml <<'MODEL'
parameters: {travel: 20 mm, spin: 60 rpm, count: 3}
bodies: {m: {mass: 1, inertia: 1}}
joints: {ways: {type: translational, between: [ground, m], axis: [1, 0]}}
drives: {d: {joint: ways, motion: "$travel*sin($spin*t) + $count*0 m"}}
run: {until: 1 s}
MODEL
printf '%s\n' 'model: units.yaml' 'axes: {travel: [10 mm, 0.02 m], spin: [30 rpm], count: [2]}' 'metrics: [max m.x]' >units-study.yaml
expect_exit 0 study units-study.yaml -o units.db -q
expect_exit 0 study show units.db
expect_matches '^ +mm +rpm +m'
expect_matches '^ +1 +10 +30 +2 +0.01 +ok'
expect_matches '^ +2 +20 +30 +2 +0.02 +ok'
expect_exit 0 study export units.db
expect_contains "travel [m]"
# --- Values of one axis have one dimension
sed 's/0.02 m\]/2 kg]/' units-study.yaml >mixed.yaml
expect_exit 3 study mixed.yaml
expect_error_contains "mixed.yaml:2:24: error: travel: '10 mm' and '2 kg' are not of one dimension"
sed 's/0.02 m\]/0.02]/' units-study.yaml >bare.yaml
expect_exit 3 study bare.yaml
expect_error_contains "both need a unit"
# --- A resonance between two values of the scan: the top that was seen is told, and a finer scan finds where the limit is
# exceeded, at ω with F/|k - ω² + icω| = 0.1 m
cat >resonance.yaml <<MODEL
parameters: {w: 7 rad/s, c: 0.5 N s/m}
bodies: {a: {mass: 1, inertia: 1}}
joints: {g: {type: translational, between: [ground, a], axis: [1, 0]}}
forces:
  s: {type: joint-spring, joint: g, stiffness: 100, damping: \$c}
  f: {type: force, at: a, force: ["3 N*sin(\$w*t)", 0]}
run: {until: 60 s, discard: 50 s}
MODEL
printf '%s\n' 'model: resonance.yaml' 'axes: {c: [0.5, 20]}' 'metrics: [max a.x]' \
    'search: {parameter: w, from: 1, to: 60, metric: max a.x, below: 0.1 m}' >top.yaml
expect_exit 0 study top.yaml -q
run study export top.db
expect_matches "^1,.*'max a.x' rises to 0\.099[0-9]* at 8.375 and falls again"
expect "a metric that only falls has no top" test "$(grep -c 'falls again' .stdout)" -eq 1
sed -i 's/below: 0.1 m/below: 0.1 m, scan: 60, tolerance: 1e-6/' top.yaml
expect_exit 0 study top.yaml -o fine.db -q
run study export fine.db --csv fine.csv
expect_close "$(csv_column fine.csv w | head -n 1)" 8.384171812109532 1e-4

# --- A search whose limit holds up to the end of its range says so; a key that is missing is named
printf '%s\n' 'model: units.yaml' 'search: {parameter: travel, from: 10 mm, to: 20 mm, metric: max m.x, below: 1 m}' >all.yaml
expect_exit 0 study all.yaml -q
expect_exit 0 study show all.db
expect_matches "^ +1 +20 .*ok +'max m.x' stays below the limit up to the end of the range"
sed -i 's/below: 1 m/below: 15 mm/' all.yaml
expect_exit 0 study all.yaml -o some.db -q
expect_exit 0 study show some.db
expect_lacks "end of the range"
sed -i 's/metric: max m.x, //' all.yaml
expect_exit 3 study all.yaml -o none.db
expect_error_contains 'search: `metric` is missing'
# --- A limit has the dimension of its metric, a section that of its channel
printf '%s\n' 'model: units.yaml' 'search: {parameter: travel, from: 10 mm, to: 20 mm, metric: max m.x, below: 1 kg}' >kilos.yaml
expect_exit 3 study kilos.yaml
expect_error_contains "kilos.yaml:2:77: error: below: mass [kg] where a length [m] belongs"
cat >lever.yaml <<'MODEL'
parameters: {torsion: 1e-6 N m, Torsion: 1e-6 N m, status: 1, slow: 10 rad/s}
ground: {points: {o: [0, 1]}}
bodies:
  lever: {mass: 1, inertia: 0.01, position: [0.1, 0], angular_velocity: 1 rad/s, hold: [w], points: {pin: [-0.1, 0]}}
  a: {mass: 1, inertia: 0.01, position: [0, 1]}
joints: {pin: {type: revolute, between: [ground, lever.pin]}, axle: {type: revolute, between: [ground.o, a]}}
forces: {spring: {type: joint-spring, joint: pin, stiffness: $torsion + 0*$Torsion}}
drives: {motor: {joint: axle, speed: $status*$slow}}
run: {until: 1 rev of motor}
MODEL
printf '%s\n' 'model: lever.yaml' 'metrics: [period]' \
    'section: {of: lever.angle, at: 5 mm, every: 3 kg, channels: [lever.vx]}' >cut.yaml
expect_exit 3 study cut.yaml
expect_error_contains "at: length [m] where an angle [rad] belongs"
expect_error_contains "every: mass [kg] where an angle [rad] belongs"
# Without a channel they are angles of the drive.
printf '%s\n' 'model: lever.yaml' 'metrics: [turns]' \
    'section: {at: 90 deg, every: 0.5 rev, channels: [motor.angle], keep: true}' >half.yaml
for on in "" "--on cpu"; do
    # shellcheck disable=SC2086 # two words or none
    expect_exit 0 study half.yaml -q -o half-turns.db $on
    expect "cuts at 90 and 270 deg $on" python3 - <<'CODE'
import math, sqlite3, sys
cuts = [x for x, in sqlite3.connect("half-turns.db").execute('SELECT "motor.angle" FROM section')]
sys.exit(len(cuts) != 2 or any(abs(x - y * math.pi) > 1e-9 for x, y in zip(cuts, (0.5, 1.5))))
CODE
    rm -f half-turns.db*
done
# --- What a spring turns is no turn of a drive, and where no drive turned there is no number per turn
printf '%s\n' 'model: lever.yaml' 'axes: {slow: [0 rad/s, 10 rad/s]}' 'run: {until: 1 s}' \
    'metrics: [turns, evaluations-per-turn, steps-per-turn]' >turns.yaml
expect_exit 0 study turns.yaml -q
run study export turns.db
expect_matches '^1,0,0,,,ok,$'
sed '/^drives/d' lever.yaml >undriven.yaml
printf '%s\n' 'model: undriven.yaml' 'run: {until: 1 s}' 'metrics: [turns, max lever.angle]' >free.yaml
expect_exit 0 study free.yaml -q
run study export free.db
expect_matches '^1,,0.9[0-9]*,ok,$'
expect_exit 0 study show free.db --json
expect_contains ',null,'
# --- A search ends at a value that does not apply, and words have no limit
printf '%s\n' 'model: undriven.yaml' 'run: {until: 1 s}' \
    'search: {parameter: torsion, from: 1e-6 N m, to: 2e-6 N m, metric: turns, below: 3}' >nothing.yaml
expect_exit 1 study nothing.yaml -q
expect_error_contains "'turns' has no value at 1e-06 kg m^2/s^2: there is nothing to compare with the limit"
sed -i -e 's/metric: turns/metric: verdict/' -e '$a section: {of: time, every: 0.1 s, channels: [lever.vx]}' nothing.yaml
expect_exit 3 study nothing.yaml -o words.db
expect_error_contains "search: 'verdict' is a word, and only a number has a limit"
# --- From rest the first values of accelerations are rounding, which is nothing that changes too fast
printf '%s\n' "model: $EXAMPLES/four-bar.yaml" 'run: {until: 0.1 s}' \
    'metrics: [rms coupler.alphaz, mean crank.ay, rms motor.torque]' >rest.yaml
expect_exit 0 study rest.yaml -q
# --- Columns of the table have names of their own, in which upper and lower case are one
printf '%s\n' 'model: lever.yaml' 'axes: {torsion: [1 N m], Torsion: [1 N m], status: [1]}' 'metrics: [turns]' >columns.yaml
expect_exit 3 study columns.yaml
expect_error_contains "columns.yaml:2:26: error: 'Torsion' would be a column of the table beside 'torsion'"
expect_error_contains "'status' would be a column of the table beside 'status'"
expect_no_file columns.db
# --- Other files
expect_exit 2 study show units-study.yaml
expect_error_contains '`lash study STUDY.yaml` writes'
finish
