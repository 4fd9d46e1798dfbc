#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lash study --on: points side by side against the same points one by one, what the table says of it, what cannot be computed
# so, and a GPU that is not there or fails.
. "${0%/*}/lib.sh"
cp "$EXAMPLES/flores-2010.yaml" model.yaml
export XDG_CACHE_HOME=$PWD/cache
mkdir -p cache

# --- The same table within the tolerance: every kind of metric, before errors grow
cat >play.yaml <<STUDY
model: model.yaml
axes: {play: [0.05 mm, 0.14 mm, 0.3 mm], speed: [3000 rpm, 5000 rpm]}
run: {until: 1.2 rev of motor, rtol: 1e-8}
discard: 0.2 rev of motor
metrics:
  - max slider.ax
  - min slider.vx
  - mean slider.x
  - rms slider.vx
  - max-abs motor.torque
  - rms motor.torque
  - rms motor.power
  - rms guide.f
  - max-abs crankpin.fx
  - max crankpin.wz
  - max energy.kinetic
  - peak-to-peak gudgeon.e
  - max gudgeon.fn
  - impacts gudgeon
  - impacts-per-turn gudgeon
  - fraction following gudgeon
  - energy-lost-per-turn gudgeon
  - turns
STUDY
expect_exit 0 study play.yaml -q -o one.db
expect_exit 0 study play.yaml -q -o side.db --on cpu
for way in one side; do
    expect_exit 0 study export $way.db --csv $way.csv
done
# Extrema are found to 1e-6 of the range of a channel; one of the machines bounces, and is ten times as sensitive.
columns=$(head -1 one.csv | tr ',' '\n' | wc -l)
expect "tables of another shape" [ "$(wc -l <one.csv)" = "$(wc -l <side.csv)" ]
for ((column = 4; column <= columns - 2; column++)); do
    paste -d' ' <(tail -n +2 one.csv | cut -d, -f$column) <(tail -n +2 side.csv | cut -d, -f$column) |
        awk '{ d = $1 - $2; if (d < 0) d = -d; s = $1 < 0 ? -$1 : $1; if (d > 2e-5 * s) bad = 1 } END { exit bad }' ||
        fail "column $column differs: $(head -1 one.csv | cut -d, -f$column)"
done
# They are not the same bits: the check above compared two computations.
expect "the points were computed one by one" bash -c '! cmp -s one.csv side.csv'
"$LASH" study show side.db >shown
expect "the table does not say how it was computed" grep -q '^computed: 6 side by side$' shown
"$LASH" study show one.db >shown
expect "one by one needs no words" bash -c '! grep -q computed shown'
expect_exit 0 study show side.db --json
expect_matches '"computed": *"6 side by side"'

# --- Impacts on cylinders: which contacts are impacts, and how long they last
sed -e 's/law: lankarani-nikravesh, restitution: $restitution, points: own/law: johnson, restitution: $restitution, points: own/' \
    -e 's/diametric: $play/diametric: $play\n      length: 15 mm/' model.yaml >cylinders.yaml
sed -e 's/model.yaml/cylinders.yaml/' -e '/^  - m\|^  - r\|^  - p/d' play.yaml >cylinders-play.yaml
expect_exit 0 study cylinders-play.yaml -q -o one-cylinders.db
expect_exit 0 study cylinders-play.yaml -q -o side-cylinders.db --on cpu
for way in one side; do
    expect_exit 0 study export $way-cylinders.db --csv $way.csv
done
expect_exit 0 study show side-cylinders.db
expect_matches "computed: 6 side by side"
for metric in 'impacts gudgeon' 'fraction following gudgeon' 'energy-lost-per-turn gudgeon'; do
    paste -d' ' <(csv_column one.csv "$metric") <(csv_column side.csv "$metric") |
        awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > 2e-5 * $1) bad = 1; all += $1 } END { exit bad || !all }' ||
        fail "$metric on cylinders differs, or is 0 everywhere"
done

# --- Sections, periods and exponents
cat >section.yaml <<STUDY
model: model.yaml
axes: {play: [0.05 mm]}
run: {until: 20 rev of motor, rtol: 1e-7}
discard: 8 rev of motor
section: {channels: [slider.vx, slider.ax], keep: true}
metrics: [period, exponent, exponent-error]
STUDY
expect_exit 0 study section.yaml -q -o one-section.db
expect_exit 0 study section.yaml -q -o side-section.db --on cpu
for way in one side; do
    expect_exit 0 study export $way-section.db --csv $way.csv
done
expect_close "$(csv_column side.csv period)" "$(csv_column one.csv period)" 1e-12
expect_close "$(csv_column side.csv exponent)" "$(csv_column one.csv exponent)" 0.03

# The same with a damping that the energy bounds: the shadow's contacts have a mass of their own. A motion that repeats.
sed 's/points: own}/points: own, approach: energy}/' model.yaml >bounded.yaml
sed -e 's/model.yaml/bounded.yaml/' -e 's/20 rev/30 rev/' -e 's/8 rev/15 rev/' -e 's/1e-7/1e-8/' section.yaml >bounded-section.yaml
expect_exit 0 study bounded-section.yaml -q -o one-bounded.db
expect_exit 0 study bounded-section.yaml -q -o side-bounded.db --on cpu
for way in one side; do
    expect_exit 0 study export $way-bounded.db --csv $way.csv
done
expect_exit 0 study show side-bounded.db
expect_matches "computed: 1 side by side"
expect_close "$(csv_column side.csv exponent)" "$(csv_column one.csv exponent)" 1e-3

# At an angle of its own, turning either way: as many cuts, at the same times.
for speed in '$speed' '-$speed'; do
    sed "s/speed: \$speed/speed: $speed/" model.yaml >turning.yaml
    sed -e 's/model.yaml/turning.yaml/' -e 's/20 rev/3.3 rev/' -e 's/8 rev/1.2 rev/' -e 's/^section: {/&of: motor.angle, at: 250 deg, every: 0.7 rev, /' \
        -e 's/^metrics.*/metrics: [max slider.ax]/' section.yaml >phase.yaml
    for way in one side; do
        rm -f $way-phase.db
        expect_exit 0 study phase.yaml -q -o $way-phase.db $([ $way = one ] || echo --on cpu)
        python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute("SELECT time FROM section ORDER BY number"): print("%.9f" % row)' $way-phase.db >$way.times
    done
    expect "no cuts" [ -s one.times ]
    expect "other cuts side by side" cmp -s one.times side.times
done

# How well a period closes, relative to the range of each channel, which both ways find between the ends of steps.
sed -e 's/^axes.*/axes: {play: [0.02 mm, 0.04 mm, 0.06 mm, 0.08 mm, 0.1 mm]}/' -e 's/20 rev/10 rev/' -e 's/8 rev/2 rev/' \
    -e 's/ax], keep: true/ax, gudgeon.e]/' -e 's/^metrics.*/metrics: [period-residue]/' section.yaml >residue.yaml
expect_exit 0 study residue.yaml -q -o one-residue.db
expect_exit 0 study residue.yaml -q -o side-residue.db --on cpu
for way in one side; do
    expect_exit 0 study export $way-residue.db --csv $way.csv
done
paste -d, <(tail -n +2 one.csv) <(tail -n +2 side.csv) >both.csv
expect "no residues of five machines" [ "$(wc -l <both.csv)" = 5 ]
while IFS=, read -r _ _ one _ _ _ _ side _; do
    expect_close "$(awk "BEGIN { print $side / $one }")" 1 2e-4
done <both.csv

# --- What cannot be computed so is said, and computed
sed -e 's/^axes.*/axes: {play: [0.05 mm, 0.06 mm]}\ncarry: true/' -e 's/20 rev/4 rev/' -e 's/8 rev/2 rev/' \
    -e 's/^metrics.*/metrics: [max slider.ax]/' section.yaml >carry.yaml
expect_exit 0 study carry.yaml -q --on cpu
expect_error_contains 'one by one: the points of the study begin where others end'
sed 's/^metrics.*/metrics: [max energy.dissipated]/; s/20 rev/2 rev/; s/8 rev/1 rev/' section.yaml >channel.yaml
expect_exit 0 study channel.yaml -q --on cpu
expect_error_contains energy.dissipated
sed 's/rtol: 1e-8/rtol: 1e-8, stabilisation: projection/' play.yaml >projection.yaml
expect_exit 0 study projection.yaml -q --on cpu
expect_error_contains 'one by one: ensembles are not made yet for constraints that are kept by projection'
expect_exit 2 study play.yaml --on moon
expect_error_contains 'cpu, gpu or auto'
expect_exit 2 study show side.db --on cpu

# --- A point that is no machine, and one that no run can be trusted with: those fail, the others are computed side by side
cat >some.yaml <<STUDY
model: model.yaml
axes: {play: [-1 mm, 1e-14 m, 0.05 mm, 0.06 mm]}
run: {until: 0.1 rev of motor}
metrics: [max-abs slider.vx, balance-error]
STUDY
expect_exit 1 study some.yaml -q --on cpu
expect_error_contains '2 of 4 points failed'
expect_error_contains 'note: 1 point failed side by side and was computed one by one: the energy balance was off, or joints came apart (1)'
expect "it is said more than once" [ "$(grep -c 'side by side' ".stderr")" = 1 ]
"$LASH" study show some.db >shown
expect "not two side by side" grep -q '^computed: 2 side by side, 2 one by one$' shown
expect_exit 0 study export some.db --csv some.csv
expect "joints that come apart are not refused" grep -q 'joints were apart' some.csv
expect_close "$(tail -1 some.csv | awk -F, '{ print ($4 < 1e-4) }')" 1 0

# --- A drive that does not turn steadily counts its turns, too
cat >ramp.yaml <<MODEL
gravity: [0, -9.81]
ground: {points: {o: [0, 0]}}
parameters: {m: 2 kg}
bodies: {bar: {mass: \$m, inertia: 0.02 kg m^2, position: [0.1, 0], points: {o: [-0.1, 0], end: [0.1, 0]}},
    tip: {mass: 1 kg, inertia: 0.01 kg m^2, position: [0.3, 0], points: {o: [-0.1, 0]}}}
joints:
  pin: {type: revolute, between: [ground.o, bar.o]}
  loose: {type: revolute, between: [bar.end, tip.o],
    clearance: {bearing_radius: 10 mm, journal_radius: 9.9 mm, contact: {stiffness: 1e9, restitution: 0.6}}}
drives: {motor: {joint: pin, motion: '40 rad/s^2 * t^2'}}
run: {until: 0.5 s}
MODEL
cat >turns.yaml <<STUDY
model: ramp.yaml
axes: {m: [2 kg, 3 kg]}
metrics: [turns]
STUDY
expect_exit 0 study turns.yaml -q --on cpu
"$LASH" study show turns.db >shown
expect "a drive that speeds up is computed one by one" grep -q '^computed: 2 side by side$' shown
expect_exit 0 study export turns.db --csv turns.csv
expect_close "$(csv_column turns.csv turns)" 1.5915494309189535 1e-12

# --- Ctrl-C is obeyed amid the members of a core
sed -e 's/^axes.*/axes: {play: [0.05 mm, 0.06 mm]}/' -e 's/until: .*,/until: 20000 rev of motor,/' play.yaml >long.yaml
"$LASH" study long.yaml -q --on cpu 2>/dev/null &
process=$!
await "there is no table" grown long.db 1
sleep 3
kill -INT $process
status=0
wait $process || status=$?
expect "an interrupt is not obeyed" [ $status = 1 ]

# --- A GPU that fails: lanes continue. (The library is one of the test's own that refuses every program, …)
cat >driver.c <<'CODE'
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define CALL(name, ...) int name(__VA_ARGS__)
CALL(cuInit, unsigned a) { (void)a; return 0; }
CALL(cuDeviceGetCount, int *n) { return *n = 1, 0; }
CALL(cuDeviceGet, int *d, int k) { return *d = k, 0; }
CALL(cuDevicePrimaryCtxRetain, void **c, int d) { (void)d; return *c = c, 0; }
CALL(cuCtxSetCurrent, void *c) { (void)c; return 0; }
CALL(cuModuleLoadData, void **m, const void *t) { (void)t; *m = m; return REFUSES ? 209 : 0; }
CALL(cuModuleGetFunction, void **f, void *m, const char *n) { (void)m, (void)n; return *f = f, 0; }
CALL(cuGetErrorName, int e, const char **n) { (void)e; return *n = "CUDA_ERROR_NO_BINARY_FOR_GPU", 0; }
CALL(cuDeviceGetAttribute, int *v, int a, int d) { (void)a, (void)d; return *v = 1, 0; }
CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, int *b, void *f, int n, size_t s) { (void)f, (void)n, (void)s; return *b = 1, 0; }
CALL(cuMemAlloc_v2, uint64_t *p, size_t n) { return *p = (uintptr_t)malloc(n), 0; }
CALL(cuMemFree_v2, uint64_t p) { free((void *)(uintptr_t)p); return 0; }
CALL(cuMemcpyHtoDAsync_v2, uint64_t to, const void *from, size_t n, void *s) { (void)s; memcpy((void *)(uintptr_t)to, from, n); return 0; }
CALL(cuMemcpyDtoHAsync_v2, void *to, uint64_t from, size_t n, void *s) { (void)s; memcpy(to, (void *)(uintptr_t)from, n); return 0; }
CALL(cuCtxGetStreamPriorityRange, int *least, int *greatest) { return *least = 0, *greatest = -5, 0; }
CALL(cuStreamCreateWithPriority, void **s, unsigned f, int p) { (void)f, (void)p; return *s = s, 0; }
CALL(cuStreamDestroy_v2, void *s) { (void)s; return 0; }
CALL(cuLaunchKernel, void) { return 0; }
CALL(cuStreamSynchronize, void *s) { (void)s; return 0; }
CODE
mkdir -p driver idle
cc -shared -fPIC -DREFUSES=1 -o driver/libcuda.so.1 driver.c
LD_LIBRARY_PATH=$PWD/driver expect_exit 0 study play.yaml -q -o gpu.db --on gpu
expect_error_contains 'GPU'
"$LASH" study show gpu.db >shown
expect "the table does not say how it was computed" grep -q '^computed: 6 side by side$' shown
# … or one that takes them and does not begin: few members are left to the cores, each alone, and many come no further.
cc -shared -fPIC -DREFUSES=0 -o idle/libcuda.so.1 driver.c
LD_LIBRARY_PATH=$PWD/idle expect_exit 0 study play.yaml -q -o cores.db --on gpu
"$LASH" study show cores.db >shown
expect "cores beside a GPU did not finish" grep -q '^computed: 6 on a GPU$' shown
for table in side cores; do
    expect_exit 0 study export $table.db --csv $table.csv
done
expect "cores beside a GPU compute something else" awk -F, '
    NR == FNR { for (k = 1; k <= NF; k++) first[FNR, k] = $k; next }
    FNR > 1 { for (k = 1; k <= NF; k++) if ($k + 0 == $k && first[FNR, k] + 0 != 0 && head[k] !~ /wall/) {
        d = $k / first[FNR, k] - 1; if (d < 0) d = -d; if (d > 1e-4) { print head[k], $k, first[FNR, k] >"/dev/stderr"; bad = 1 } } }
    FNR == 1 { for (k = 1; k <= NF; k++) head[k] = $k } END { exit bad }' side.csv cores.csv
sed 's/^axes.*/axes: {play: {from: 0.05 mm, to: 0.06 mm, steps: 1100}}/; s/20 rev/0.02 rev/; s/8 rev/0.01 rev/' section.yaml |
    sed 's/^metrics.*/metrics: [max slider.ax]/; /^section/d' >many.yaml
LD_LIBRARY_PATH=$PWD/idle expect_exit 0 study many.yaml -q -o many.db --on gpu
expect_error_contains 'do not come any further'
"$LASH" study show many.db >shown
expect "lanes did not continue" grep -q '^computed: 1100 side by side$' shown

# agree TOLERANCE FIRST ROWS A B: columns from FIRST on, but for status and message, of two tables of so many rows.
agree() {
    awk -F, -v tolerance="$1" -v from="$2" -v wanted="$3" '
        NR == FNR { for (k = from; k < NF - 1; k++) first[FNR, k] = $k; rows = FNR; next }
        FNR > 1 { for (k = from; k < NF - 1; k++) { d = $k - first[FNR, k]; s = first[FNR, k]; if (d < 0) d = -d; if (s < 0) s = -s
            if (!(d <= tolerance * s)) { print "column", k, $k, first[FNR, k] >"/dev/stderr"; bad = 1 } } }
        END { exit bad || rows != wanted || FNR != wanted }' "$4" "$5"
}

# --- Contacts that are constraints at times: the same table in lanes, and one member at a time as a GPU has it
cp "$EXAMPLES/grigore-2011.yaml" links.yaml
cat >modes.yaml <<STUDY
model: links.yaml
axes: {model: [three-mode], speed: [10 rad/s, 20 rad/s], restitution: [0.3, 0.5]}
run: {until: 0.5 s, rtol: 1e-9}
discard: 0.05 s
metrics:
  - max O2.n
  - min O3.delta
  - rms bar3.wz
  - max-abs motor.torque
  - impacts O2
  - impacts O3
  - fraction free O2
  - fraction following O3
  - fraction impact O3
  - energy-lost-per-turn O2
  - energy-lost-per-turn O3
STUDY
expect_exit 0 study modes.yaml -q -o one-modes.db
expect_exit 0 study modes.yaml -q -o side-modes.db --on cpu
LD_LIBRARY_PATH=$PWD/idle expect_exit 0 study modes.yaml -q -o cores-modes.db --on gpu
for way in one side cores; do
    expect_exit 0 study export $way-modes.db --csv $way.csv
done
for way in side cores; do
    "$LASH" study show $way-modes.db >shown
    expect "three modes are computed one by one" grep -Eq '^computed: 4 (side by side|on a GPU)$' shown
    expect "three modes differ $way" agree 2e-5 5 5 one.csv $way.csv
done
# With friction that sticks and slides as well.
sed 's/radial: $play/bearing_radius: 0.1 m, journal_radius: 0.08 m, friction: {law: coulomb, coefficient: 0.05}/; s/contact: {points: own}/contact: {}/' links.yaml >dry.yaml
sed -e 's/links/dry/' -e 's/0.5 s/0.02 s/; s/^discard.*/discard: 0.01 s/' -e '/delta/d' modes.yaml >dry-modes.yaml
expect_exit 0 study dry-modes.yaml -q -o one-dry.db
expect_exit 0 study dry-modes.yaml -q -o side-dry.db --on cpu
"$LASH" study show side-dry.db >shown
expect "friction of three modes is computed one by one" grep -q '^computed: 4 side by side$' shown
for way in one side; do
    expect_exit 0 study export $way-dry.db --csv $way.csv
done
expect "friction of three modes differs" agree 2e-5 5 5 one.csv side.csv
# That of ideal joints follows from reactions: side by side where parts slide in one direction, as in a pin.
cat >rubbing.yaml <<'MODEL'
gravity: [0, -9.81]
parameters: {mu: 0.1}
bodies: {bob: {mass: 1, inertia: 0.01, points: {a: [0, 0.1]}, position: [0.05, -0.08], angle: 0.6}}
joints: {pin: {type: revolute, between: [ground, bob.a], friction: {law: coulomb, coefficient: $mu, radius: 3 cm}}}
run: {until: 2 s}
MODEL
printf 'model: rubbing.yaml\naxes: {mu: [0.05, 0.1, 0.2]}\nmetrics: [rms bob.wz, mean bob.y]\n' >rubs.yaml
expect_exit 0 study rubs.yaml -q -o one-rubs.db
expect_exit 0 study rubs.yaml -q -o side-rubs.db --on cpu
"$LASH" study show side-rubs.db >shown
expect "friction of a pin is computed one by one" grep -q '^computed: 3 side by side$' shown
for way in one side; do
    expect_exit 0 study export $way-rubs.db --csv $way.csv
done
expect "friction of a pin differs" agree 1e-5 3 4 one.csv side.csv
# In several directions, as in a ball, one by one.
cat >rolling.yaml <<'MODEL'
space: spatial
gravity: [0, 0, -9.81]
bodies: {bob: {mass: 1, inertia: [0.01, 0.01, 0.005], points: {a: [0, 0, 0.1]}, position: [0.01, 0, -0.1]}}
joints: {eye: {type: spherical, between: [ground, bob.a], friction: {law: coulomb, coefficient: 0.1, radius: 1 cm}}}
run: {until: 0.1 s}
MODEL
printf 'model: rolling.yaml\nmetrics: [max bob.x]\n' >rolls.yaml
expect_exit 0 study rolls.yaml -q --on cpu
expect_error_contains 'one by one: ensembles are not made yet for the law coulomb where parts slide in several directions'

# --- A channel that changes faster than the motion is not resolved by its steps: no number rather than a wrong one
cat >turning.yaml <<'MODEL'
parameters: {w: 1 rad/s}
bodies: {a: {mass: 1, inertia: 1, angular_velocity: $w, hold: [w]}}
signals: {wave: sin(a.angle)}
run: {until: 1}
MODEL
printf 'model: turning.yaml\naxes: {w: [0.5 rad/s, 300 rad/s, 3000 rad/s]}\nmetrics: [rms wave]\n' >wave.yaml
expect_exit 0 study wave.yaml -q -o wave.db --on cpu
expect_error_contains '2 points failed side by side and were computed one by one: a channel changed faster than the steps'
expect_exit 0 study export wave.db --csv wave.csv
expect "wrong effective values" awk -F, 'NR > 1 { w = $2; d = $3 ^ 2 - (0.5 - sin(2 * w) / (4 * w)); if (d < -1e-5 || d > 1e-5) bad = 1 } END { exit bad || NR != 4 }' wave.csv

# --- Turns are those of the drive that `until` names, also where the section is cut by another
cat >drives.yaml <<'MODEL'
ground: {points: {o: [0, 1]}}
bodies:
  a: {mass: 1, inertia: 0.01, points: {end: [0.1, 0]}}
  b: {mass: 1, inertia: 0.01, position: [0, 1]}
  c: {mass: 1, inertia: 0.01, position: [0.3, 0], points: {end: [-0.2, 0]}}
joints:
  slow: {type: revolute, between: [ground, a]}
  fast: {type: revolute, between: [ground.o, b]}
  link: {type: revolute, between: [a.end, c.end]}
drives: {first: {joint: slow, speed: 10 rad/s}, second: {joint: fast, speed: 30 rad/s}}
run: {until: 2 rev of first}
MODEL
printf 'model: drives.yaml\nmetrics: [turns]\nsection: {of: second.angle, at: 0, every: 1 rev, channels: [c.vx], keep: true}\n' >by.yaml
expect_exit 0 study by.yaml -q -o by.db --on cpu
run study show by.db
expect_contains 'computed: 1 side by side'
expect_matches '^ +1 +2 +ok'

# --- No compiler: one by one, to the bit
expect_exit 0 study play.yaml -q -o again.db
LASH_CLANG=/nowhere expect_exit 0 study play.yaml -q -o none.db --on cpu
expect_error_contains '/nowhere'
for way in again none; do
    expect_exit 0 study export $way.db --csv $way.csv
done
expect "not the same without a compiler" cmp again.csv none.csv
finish
