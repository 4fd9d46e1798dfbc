#!/bin/bash
# SPDX-License-Identifier: MIT
#
# load.sh [SHARE]: large models, results and studies, and many runs (docs/reliability.md). SHARE of the full size is taken
# (1; 0.01 for a quick look). Each is done at a tenth of its size and at its size: times and memory must not grow more than
# 1.5 times as fast as the size. Needs LASH, LOAD (the program of load.c) and TMP.
set -eu
: "${LASH:?the program}" "${LOAD:?the program load}" "${TMP:?scratch folder}"
share=${1:-1}
export LASH_CHECK=0
rm -rf "$TMP" && mkdir -p "$TMP" && cd "$TMP"
failed=0

scaled() {
    awk -v n="$1" -v s="$share" 'BEGIN { n *= s; print n < 10 ? 10 : int(n) }'
}
# measured NAME COUNT COMMAND…: its time on the processor and its memory, in $time and $memory.
measured() {
    local name=$1 count=$2
    shift 2
    /usr/bin/time -f '%U %S %M' -o .cost "$@" >.stdout 2>.stderr </dev/null || {
        echo "$name $count FAILED: $(tail -n 2 .stderr)"
        failed=1
        time=0 memory=0
        return
    }
    read -r time memory < <(awk '{ print $1 + $2, $3 }' .cost)
    printf '%-10s %9d %9.1f s %9d MB\n' "$name" "$count" "$time" $((memory / 1024))
}
# linear NAME COUNT MAKE: runs MAKE with a tenth and the whole of COUNT.
linear() {
    local name=$1 count=$2 small little
    shift 2
    "$@" $((count / 10))
    small=$time little=$memory
    "$@" "$count"
    [ "$memory" -le $((15 * little)) ] || {
        echo "$name: ten times as much takes more than fifteen times the memory"
        failed=1
    }
    awk -v a="$small" -v b="$time" 'BEGIN { exit !(b > 15 * a + 2) }' && {
        echo "$name: ten times as much takes more than fifteen times as long"
        failed=1
    }
    return 0
}

bodies() {
    awk -v n="$1" 'BEGIN {
        print "gravity: [0, -9.81]\nbodies:"
        for (i = 0; i < n; i++) printf "  b%d: {mass: 1, inertia: 0.01, position: [%.1f, 0], points: {a: [-0.5, 0], b: [0.5, 0]}}\n", i, i + 0.5
        print "joints:"
        for (i = 0; i < n; i++) printf "  j%d: {type: revolute, between: [%s, b%d.a]}\n", i, i ? "b" (i - 1) ".b" : "ground", i
        print "run: {until: 1 ms, samples: 1}" }' >bodies.yaml
    measured bodies "$1" "$LASH" run bodies.yaml -q --csv rows.csv --channels b0.y
}
# plays_as COUNT BLOCK NAME: pins with play, its contact as BLOCK says.
plays_as() {
    awk -v n="$1" -v block="$2" 'BEGIN {
        print "gravity: [0, -9.81]\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\nground: {points: {"
        for (i = 0; i < n; i++) printf "  g%d: [%d, 0]%s\n", i, i, i < n - 1 ? "," : "}}"
        print "bodies:"
        for (i = 0; i < n; i++) printf "  b%d: {mass: 1, inertia: 0.01, position: [%d, 0]}\n", i, i
        print "joints:"
        for (i = 0; i < n; i++) printf "  j%d: {type: revolute, between: [ground.g%d, b%d], clearance: {bearing_radius: 1 cm, radial: 0.1 mm, %s}}\n", i, i, i, block
        print "run: {until: 1 ms, samples: 1}" }' >plays.yaml
    measured "$3" "$1" "$LASH" run plays.yaml -q --csv rows.csv --channels b0.y
}
plays() {
    plays_as "$1" "materials: steel, contact: {restitution: 0.9}" plays
}
rigid() {
    plays_as "$1" "model: three-mode, restitution: 0.5, friction: {law: coulomb, coefficient: 0.1}" rigid
}
rows() {
    rm -f rows.h5
    measured rows "$1" "$LASH" run pendulum.yaml -q -n "$1" -o rows.h5
    ls -l rows.h5 | awk '{ printf "           a file of %.2f GB\n", $5 / 1e9 }'
    measured export "$1" "$LASH" export rows.h5 --summary
}
points() {
    printf 'model: pendulum.yaml\naxes: {push: {from: 0.1, to: 1, steps: %d}}\nrun: {until: 0.01 s}\nmetrics: [max bar.angle]\n' "$1" >points.yaml
    rm -f points.db
    measured points "$1" "$LASH" study points.yaml -q -j 2 -o points.db
    measured resumed "$1" "$LASH" study points.yaml -q -j 2 -o points.db
}
cat >pendulum.yaml <<'MODEL'
gravity: [0, -9.81]
parameters: {push: 0.5 rad/s}
bodies: {bar: {mass: 1, inertia: 0.01, position: [0.1, 0], angular_velocity: $push, hold: [w], points: {a: [-0.1, 0]}}}
joints: {pin: {type: revolute, between: [ground, bar.a]}}
run: {until: 10 s}
MODEL

linear bodies "$(scaled 100000)" bodies
linear plays "$(scaled 10000)" plays
rigid=$(scaled 200000)
linear rigid $((rigid < 10000 ? rigid : 10000)) rigid # 1000 in a quick look: its memory once grew with the square
linear rows "$(scaled 20000000)" rows
linear points "$(scaled 100000)" points
rm -f rows.h5 points.db
for work in "sims 1000" "repeat 10000" "days 1"; do
    read -r what count <<<"$work"
    [ "$what" = days ] || count=$(scaled "$count")
    "$LOAD" "$what" "$count" || failed=1
done
exit $failed
