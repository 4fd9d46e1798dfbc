#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Studies that carry the end of a point over to the next: against a run without a seam; workers, kill -9, mistakes.
. "${0%/*}/lib.sh"
cp "$EXAMPLES/flores-2010.yaml" model.yaml

# --- Two turns in two points are two turns in one run
cat >chain.yaml <<STUDY
model: model.yaml
axes: {play: [0.1 mm, 0.1 mm]}
carry: true
set: {speed: 1000 rpm}
run: {until: 1 rev of motor, rtol: 1e-10}
discard: 0.5 rev of motor
section: {channels: [slider.vx], keep: true}
metrics: [max slider.ax, rms motor.torque, mean slider.vx]
STUDY
sed -e '/carry/d' -e 's/, 0.1 mm//' -e 's/until: 1 /until: 2 /' -e 's/0.5 rev/1.5 rev/' chain.yaml >through.yaml
for study in chain through; do
    expect_exit 0 study $study.yaml -q
    expect_exit 0 study export $study.db --csv $study.csv
done
for metric in "max slider.ax" "rms motor.torque" "mean slider.vx"; do
    expect_close "$(csv_column chain.csv "$metric" | sed -n 2p)" "$(csv_column through.csv "$metric")" 1e-7
done
# The first starts elsewhere: the check above can fail.
expect "both points start the same" awk -F, 'NR == 2 { a = $3 } NR == 3 { exit !($3 > 1.1 * a) }' chain.csv

# --- So do signals with an integral, a lag and a sample
cat >signals.yaml <<'MODEL'
parameters: {mass: 1 kg}
bodies: {crank: {mass: 1, inertia: 1}, m: {mass: $mass, inertia: 1, position: [1, 0]}}
joints: {pin: {type: revolute, between: [ground, crank]}, slide: {type: translational, between: [ground, m], axis: [1, 0]}}
drives: {motor: {joint: pin, speed: 1 rev/s, start: 0}}
signals:
  error: "0.5 m - slide.s"
  sum: {integral: error}
  slow: {lag: "m.vx", time: 0.3 s}
  seen: {hold: "sum", every: 0.25 s}
forces: {f: {type: force, at: m, force: ["20 N/m*error + 5 N/m/s*sum - 2 N*s/m*slow + 3 N/m/s*seen", 0]}}
run: {until: 1 rev of motor, rtol: 1e-10}
MODEL
cat >signals-chain.yaml <<'STUDY'
model: signals.yaml
axes: {mass: [1 kg, 1 kg, 1 kg]}
carry: true
section: {channels: [m.vx], keep: true}
metrics: [mean slide.s, max sum, rms slow, mean seen]
STUDY
sed -e '/carry/d' -e 's/, 1 kg, 1 kg//' signals-chain.yaml >signals-through.yaml
printf "run: {until: 3 rev of motor}\ndiscard: 2 rev of motor\n" >>signals-through.yaml
for study in signals-chain signals-through; do
    expect_exit 0 study $study.yaml -q
    expect_exit 0 study export $study.db --csv $study.csv
done
for metric in "mean slide.s" "max sum" "rms slow" "mean seen"; do
    expect_close "$(csv_column signals-chain.csv "$metric" | sed -n 3p)" "$(csv_column signals-through.csv "$metric")" 1e-8
done

# --- The same whatever the workers, and after kill -9
cat >chains.yaml <<STUDY
model: model.yaml
axes: {play: {from: 0.05 mm, to: 0.2 mm, steps: 8}, crankpin: [ideal, clearance]}
carry: true
run: {until: 1 rev of motor, rtol: 1e-6}
section: {channels: [slider.vx], keep: true}
metrics: [max slider.ax, evaluations]
STUDY
for jobs in 1 2 4; do
    expect_exit 0 study chains.yaml -j $jobs -o jobs$jobs.db -q
    expect_exit 0 study export jobs$jobs.db --csv jobs$jobs.csv
    expect_lines 17 jobs$jobs.csv
    expect_same jobs1.csv jobs$jobs.csv
done
for n in 1 4 9 16 12 10; do
    killed_at write:$n study chains.yaml -o killed.db -j 2 -q || break
done
expect_exit 0 study chains.yaml -o killed.db -j 2 -q
expect_exit 0 study export killed.db --csv killed.csv
expect_same jobs1.csv killed.csv

# --- After a point that fails the next begins as assembled
sed -e 's/\[0.1 mm, 0.1 mm\]/[0.1 mm, 30 mm, 0.1 mm]/' chain.yaml >broken.yaml
expect_exit 1 study broken.yaml -q
run study export broken.db
expect_matches '^2,0\.03,,,,ERROR_MODEL,'
expect_close "$(sed -n 4p .stdout | cut -d, -f3)" "$(csv_column chain.csv 'max slider.ax' | sed -n 1p)" 1e-14

# --- Mistakes
wrong() {
    expect_exit 3 study wrong.yaml
    expect_error_contains "$1"
}
sed '/section/d' chain.yaml >wrong.yaml
wrong "carry needs a \`section\`"
sed 's/axes: {/axes: {friction: [0.01, 0.02], /' chain.yaml >wrong.yaml
wrong "carry needs exactly one axis of numbers"
sed 's/carry: true/carry: maybe/' chain.yaml >wrong.yaml
wrong "carry: expects true or false, found 'maybe'"
sed 's/until: 1 rev/until: 1.25 rev/' chain.yaml >part.yaml
expect_exit 1 study part.yaml -q
run study export part.db
expect_contains "the run lasts 1.25 turns of the drive"

# --- Processes under mpirun
if command -v mpirun >/dev/null && grep -qa libmpi "$LASH"; then
    rights=
    [ "$(id -u)" -ne 0 ] || rights=--allow-run-as-root
    expect "mpirun failed" env ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" \
        mpirun -n 2 --oversubscribe $rights "$LASH" study chains.yaml -o mpi.db -j 1
    expect_exit 0 study export mpi.db --csv mpi.csv
    expect_same jobs1.csv mpi.csv
else
    echo "mpirun: skipped, Open MPI is not installed or the program was built without it"
fi
# --- Places that stick are at rest in what is carried, and stick again: three points are one run of three turns
cat >sticks.yaml <<'MODEL'
parameters: {mass: 1 kg}
gravity: [0, -9.81 m/s^2]
ground: {points: {wall: [-1 m, 0]}}
bodies:
  wheel: {mass: $mass, inertia: 1}
  block: {mass: 1 kg, inertia: 0.01 kg*m^2}
joints:
  hub: {type: revolute, between: [ground, wheel]}
  top: {type: translational, between: [ground, block], axis: [1, 0],
        friction: {law: coulomb, coefficient: 0.3, coefficient_static: 0.5, length: 0.1 m}}
drives: {motor: {joint: hub, speed: 1 rad/s, start: 0 rad}}
forces:
  s: {type: spring, between: [ground.wall, block], stiffness: 20 N/m, free_length: 1 m, actuator: "6 N*cos(1 rad/s*t)"}
run: {until: 1 rev of motor, rtol: 1e-10}
MODEL
printf '%s\n' 'model: sticks.yaml' 'axes: {mass: [1 kg, 2 kg, 3 kg]}' 'run: {until: 1 rev of motor}' 'carry: true' \
    'section: {channels: [block.x, top.friction], keep: true}' 'metrics: [max block.x, min block.x]' >sticks-study.yaml
expect_exit 0 study sticks-study.yaml -o sticks.db -q
expect_exit 0 run sticks.yaml --until "3 rev of motor" --channels block.x -o sticks.h5 -q
expect "nothing sticks, or nothing slips" bash -c "'$LASH' export sticks.h5 --events | cut -d, -f1 | sort | uniq -c | awk '\$2 ~ /stick|slip/ && \$1 > 2 { n++ } END { exit n != 2 }'"
# Extremes are where it comes to rest: ends of steps. Of the third turn of the long run and of the third point.
"$LASH" export sticks.h5 --from "12.566371 s" | awk -F, 'NR > 1 { if (!n++ || $2 > high) high = $2; if (n == 1 || $2 < low) low = $2 } END { print high, low }' >whole
"$LASH" study export sticks.db | awk -F, 'NR == 4 { print $3, $4 }' >third
expect "the third point is not the third turn" bash -c 'paste whole third | awk "{ d = \$1 - \$3; e = \$2 - \$4; exit !(\$1 > 0.05 && \$2 < -0.05 && d * d < 1e-18 && e * e < 1e-18) }"'
finish
