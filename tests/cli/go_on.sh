# SPDX-License-Identifier: MIT
#
# lash run --from: a run that continues from the end of a result, or from one of its steps, is the uninterrupted one.
# shellcheck shell=bash
. "${0%/*}/lib.sh"

model=$EXAMPLES/flores-2010.yaml
expect_exit 0 run "$model" -q --steps --until "12 ms" -o whole.h5
expect_exit 0 export whole.h5
cp .stdout whole.csv

# From any step on: bit for bit.
for row in 100 700 1500; do
    time=$(sed -n "${row}p" whole.csv | cut -d, -f1)
    expect_exit 0 run "$model" -q --steps --from whole.h5 --at "$time s" --until "12 ms" -o rest.h5
    expect_exit 0 export rest.h5
    tail -n +2 .stdout >rest.csv
    tail -n "+$row" whole.csv >wanted.csv
    expect_same rest.csv wanted.csv
done

# … also where times are negative, or 0: a force jumps there, so that a step ends.
cat >early.yaml <<MODEL
bodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}}
forces: {f: {type: force, at: a, force: ["-a.x*1 N/m - if(t < 0 s, 1 N, 3 N)", 0]}}
run: {begin: -9 s, until: -0.5 s, rtol: 1e-8}
MODEL
for end in -0.5 0 2; do
    expect_exit 0 run early.yaml -q --set run.until="$end s" -o early.h5
    expect_exit 0 export early.h5
    cp .stdout early.csv
    for row in 4 $(wc -l <early.csv) $(awk -F, '$1 == 0 { print NR }' early.csv); do
        expect_exit 0 run early.yaml -q --from early.h5 --at "$(sed -n "${row}p" early.csv | cut -d, -f1) s" --until "3 s" -o late.h5
        expect_exit 0 export late.h5
        expect "row $row up to $end s is not where it goes on" test "$(sed -n 2p .stdout)" = "$(sed -n "${row}p" early.csv)"
    done
done

# From the end: in two parts and in three, bit for bit.
expect_exit 0 run "$model" -q --steps --until "6 ms" -o first.h5
expect_exit 0 run "$model" -q --steps --until "12 ms" --from first.h5 -o second.h5
expect_exit 0 run "$model" -q --until "6 ms" -n 10 -o same.h5
expect_exit 0 run "$model" -q --steps --until "12 ms" --from same.h5 -o again.h5
expect_same second.h5 again.h5
expect_exit 0 export second.h5
expect_close "$(sed -n 2p .stdout | cut -d, -f1)" 0.006 1e-12
# A part of a part, from a step of it.
time=$(sed -n 200p .stdout | cut -d, -f1)
tail -n +200 .stdout >wanted.csv
expect_exit 0 run "$model" -q --steps --until "12 ms" --from second.h5 --at "$time s" -o third.h5
expect_exit 0 export third.h5
tail -n +2 .stdout >rest.csv
expect_same rest.csv wanted.csv
# The whole account goes on: contacts of both parts.
expect_exit 0 export second.h5 --summary
grep -E '^(end|gudgeon.contacts|gudgeon.peak_force) ' .stdout >both
[ -s both ] || fail "no summary"

# What a controller holds is, in a row at its instant, what it was before, whichever way the time of the row is computed.
cat >held.yaml <<MODEL
bodies: {c: {mass: 1, inertia: 1e-2}}
joints: {s: {type: translational, between: [ground, c], axis: [1, 0]}}
signals: {u: {hold: "1 N/m*(1 m - s.s) + 5 N*sin(100*t)", every: 10 ms, unit: N}}
forces: {f: {type: force, at: c, force: [u, 0]}}
run: {until: 1 s}
MODEL
expect_exit 0 run held.yaml -q -n 100 --channels u -o held.h5
expect_exit 0 export held.h5
tail -n +32 .stdout >wanted.csv
expect_exit 0 run held.yaml -q --every "10 ms" --until "300 ms" --channels u -o held.h5
expect_exit 0 run held.yaml -q --every "10 ms" --until "1 s" --from held.h5 --channels u -o held2.h5
expect_exit 0 export held2.h5
tail -n +2 .stdout >rest.csv
expect "rows at samples of a controller differ" test "$(paste -d, wanted.csv rest.csv | awk -F, 'NF == 4 && ($2 - $4) ^ 2 < 1e-10' | wc -l)" = 71

# Equal runs make equal files, states and all.
expect_exit 0 run "$model" -q --steps --until "6 ms" -o equal.h5
expect_same first.h5 equal.h5

# Other numbers: an oscillator that stands at its amplitude after a whole period, with another stiffness, mass and gravity.
# Continued it is a cos(w t) about another place, in closed form; its energy is right, and the run is trusted.
cat >swing.yaml <<'END'
gravity: [0, 0]
parameters: {k: 100 N/m, m: 1 kg, pull: 0 N, c: 0}
bodies: {b: {mass: $m, inertia: 1, position: [1, 0], hold: [x, vx]}}
joints: {g: {type: translational, between: [ground, b], axis: [1, 0]}}
forces:
  s: {type: joint-spring, joint: g, stiffness: $k, free: 0, damping: $c}
  f: {type: force, at: b, force: [$pull, 0]}
run: {until: 0.6283185307179586, samples: 10, rtol: 1e-9}
END
expect_exit 0 run swing.yaml -q -o swing.h5
for set in "k=400 N/m" "m=4 kg" "pull=50 N"; do
    expect_exit 0 run swing.yaml -q --from swing.h5 --set "$set" --until "1 s" --samples 100 -o other.h5
    expect_exit 0 export other.h5 --channels b.x
    awk -F, -v set="$set" 'NR == 1 { next }
        { w = set ~ /^k/ ? 20 : set ~ /^m/ ? 5 : 10; at = set ~ /^p/ ? 0.5 : 0
          x = at + (1 - at) * cos(w * ($1 - 0.6283185307179586)); d = x - $2; if (d < 0) d = -d; if (d > most) most = d }
        END { exit !(NR > 100 && most < 1e-7) }' .stdout || fail "$set: not the closed form"
    expect_exit 0 export other.h5 --summary
    awk '$1 == "max_balance_error" && $3 > 1e-6 { exit 1 }' .stdout || fail "$set: $(grep balance .stdout)"
done

# Settings of the result hold until others are given; end and rows are those of each part.
expect_exit 0 run swing.yaml -q --set k=400 --until "1 s" -n 50 -o firm.h5
expect_exit 0 run swing.yaml --from firm.h5 --until "2 s" -n 20 -o firmer.h5
expect_error_contains "note: k=400, as in firm.h5"
expect_exit 0 export firmer.h5 --settings
grep -qx "k=400" .stdout || fail "the setting is not kept"
expect_exit 0 export firmer.h5 --channels b.x
awk -F, 'NR > 1 { d = $2 - cos(20 * $1); if (d * d > 1e-14) exit 1 } END { if (NR != 22) exit 1 }' .stdout || fail "not continued with k=400"
expect_exit 0 run swing.yaml -q --from firm.h5 --set k=400 --until "2 s" -n 20 -o again.h5
expect_exit 0 export again.h5
cp .stdout again.csv
expect_exit 0 export firmer.h5
expect_same again.csv .stdout
# With --at the part before is that of the result, with its settings.
expect_exit 0 run swing.yaml -q --steps --set k=400 --until "1 s" -o steps.h5
expect_exit 0 export steps.h5
time=$(sed -n 9p .stdout | cut -d, -f1)
expect_exit 0 run swing.yaml -q --from steps.h5 --at "$time s" --set k=1600 --until "2 s" -n 50 -o at.h5
expect_exit 0 export at.h5 --channels b.x,b.vx
awk -F, -v t="$time" 'NR == 2 { c = cos(20 * t); v = -20 * sin(20 * t); d = $2 - c; e = $3 - v; if (d * d > 1e-12 || e * e > 1e-8) exit 1 }
    NR > 2 { d = $2 - (c * cos(40 * ($1 - t)) + v / 40 * sin(40 * ($1 - t))); if (d * d > 1e-12) exit 1 }' .stdout ||
    fail "not the step of the result"

# What differs in the text or in a table is said.
sed 's/damping: $c/damping: 3/' swing.yaml >damped.yaml
expect_exit 0 run damped.yaml -q --from swing.h5 --until "1 s" -o damped.h5
expect_error_contains "damped.yaml:6:70: warning: swing.h5 was computed with '  s: {type: joint-spring, joint: g, stiffness: \$k"
expect_error_contains "free: 0, damping: 3}"
expect_exit 2 run damped.yaml -q --from steps.h5 --at "$time s" --until "2 s"
expect_error_contains "the model must be the same, except for what is set"
sed 's/{type: force, .*/{type: load, joint: g, over: g, table: load.csv}/; s/, pull: 0 N//' swing.yaml >loaded.yaml
printf -- '-3,1\n0,0\n3,-1\n4,0\n' >load.csv
expect_exit 0 run loaded.yaml -q -o loaded.h5
expect_exit 0 run loaded.yaml -q --from loaded.h5 --until "1 s" -o same.h5
[ ! -s .stderr ] || fail "same table: $(cat .stderr)"
printf -- '-3,1\n0,0\n3,-2\n4,0\n' >load.csv
expect_exit 0 run loaded.yaml -q --from loaded.h5 --until "1 s" -o more.h5
expect_error_contains "load.csv: warning: loaded.h5 was computed with other numbers of this table"
printf 'bodies: {b: {mass: 1, inertia: 1, position: [1, 0], velocity: [1, 0]}}\ninclude: part.yaml\nrun: {until: 1}\n' >whole.yaml
printf '# a part\nforces: {f: {type: force, at: b, force: [1, 0]}}\n' >part.yaml
expect_exit 0 run whole.yaml -q -o part.h5
sed -i 's/\[1, 0\]/[2, 0]/' part.yaml
expect_exit 0 run whole.yaml -q --from part.h5 --until "2 s" -o part2.h5
expect_error_contains "part.yaml:2:42: warning: part.h5 was computed with 'forces: {f: {type: force, at: b, force: [1, 0]}}'"

# A clearance or a length that the state does not fit is an error.
expect_exit 3 run "$model" -q --from first.h5 --set play="0.03 mm" --until "12 ms"
expect_error_contains "the parts of 'gudgeon' overlap there, by"
expect_exit 3 run "$model" -q --from first.h5 --until "12 ms" --set speed="4000 rpm"
expect_error_contains "does not fit this model: joints are apart by"
expect_exit 0 run "$model" -q --from first.h5 --set restitution=0.5 --until "12 ms" -o softer.h5

# What cannot be.
expect_exit 2 run "$model" --from first.h5 --until "5 ms"
expect_error_contains "give a later --until"
expect_exit 2 run "$model" --from first.h5 --at "1.2345 ms" --until "12 ms"
expect_error_contains "no step of 'first.h5' ends at 0.0012345 s; the nearest end at"
expect_exit 2 run "$model" --from first.h5 --at "1 s" --until "2 s"
expect_error_contains "lies outside"
expect_exit 2 run "$model" --at "1 ms"
expect_error_contains "--at needs --from"
expect_exit 2 run "$model" --from first.h5 --until "12 ms" --verify
expect_exit 2 run "$EXAMPLES/slider-crank.yaml" --from first.h5
expect_error_contains "this state belongs to another model or method"
expect_exit 4 run "$model" --from nothing.h5
finish
