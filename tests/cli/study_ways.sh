#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Machines drawn at random, most of them chaotic after some turns, in every way of computing them: interpreted and compiled,
# which give the same bits; side by side, and on a GPU where there is one. What does not depend on the way agrees number by
# number; the rest in distribution (Kolmogorov and Smirnov, two samples, at 0.1 %). MEMBERS says how many.
. "${0%/*}/lib.sh"
cp "$EXAMPLES/flores-2010.yaml" model.yaml
export XDG_CACHE_HOME=$PWD/cache
mkdir -p cache
study() {
    cat <<STUDY
model: model.yaml
sample:
  count: ${MEMBERS:-150}
  seed: 1
  play: {uniform: [0.02 mm, 0.3 mm]}
  speed: {uniform: [1000 rpm, 6000 rpm]}
run: {until: 6 rev of motor, rtol: 1e-6, compiled: $1}
discard: 2 rev of motor
section: {channels: [slider.vx, gudgeon.e]}
metrics:
  - max slider.ax
  - rms motor.torque
  - max gudgeon.fn
  - impacts-per-turn gudgeon
  - fraction free gudgeon
  - energy-lost-per-turn gudgeon
STUDY
}
for way in never always; do
    study $way >$way.yaml
    expect_exit 0 study $way.yaml -q -j 2 -o $way.db
done
ways="never always cpu"
expect_exit 0 study never.yaml -q -j 2 -o cpu.db --on cpu
if "$LASH" study never.yaml -q -o gpu.db --on gpu 2>note && ! [ -s note ]; then
    ways="$ways gpu"
fi
# Members that fail would be computed one by one.
for way in cpu gpu; do
    case " $ways " in *" $way "*) "$LASH" study show $way.db >shown ;; *) continue ;; esac
    expect "the way '$way' is another" grep -Eq "^computed: ${MEMBERS:-150} (side by side|on a GPU)$" shown
done
for way in $ways; do
    expect_exit 0 study export $way.db --csv $way.csv
done
# A contact that never ends is free for no time at all, however that is added up.
for way in $ways; do
    expect "rounding counts as free flight in the way '$way'" awk -F, '
        NR == 1 { for (k = 1; k <= NF; k++) if ($k ~ /^fraction free/) free = k; next }
        $free != 0 && $free < 1e-9 { bad = 1 }
        $free == 0 { none++ }
        END { exit bad || !none }' $way.csv
done
expect "compiled models give other bits" cmp never.csv always.csv
cat >compare.awk <<'AWK'
# Sorts one column of both tables, and finds the largest distance of their distributions.
FNR == 1 { table++; for (k = 1; k <= NF; k++) name[k] = $k; next }
{ count[table] = FNR - 1; for (k = 1; k <= NF; k++) at[table, k, FNR - 1] = $k }
function sort(t, k, first, last,    i, j, pivot, x) {
    for (; first < last; first = i) {
        i = first; j = last; pivot = at[t, k, int((first + last) / 2)] + 0
        while (i <= j) {
            while (at[t, k, i] + 0 < pivot) i++
            while (at[t, k, j] + 0 > pivot) j--
            if (i <= j) { x = at[t, k, i]; at[t, k, i] = at[t, k, j]; at[t, k, j] = x; i++; j-- }
        }
        sort(t, k, first, j)
    }
}
END {
    n = count[1]
    if (n < 2 || count[2] != n) exit 2
    for (k = 1; k <= NF; k++) {
        if (name[k] !~ /^(max|rms|impacts|fraction|energy)/) continue
        found++
        close_by = 0
        for (i = 1; i <= n; i++) {
            a = at[1, k, i] + 0; b = at[2, k, i] + 0; d = a - b
            if (d < 0) d = -d
            if (d <= 1e-3 * (b < 0 ? -b : b)) close_by++
        }
        sort(1, k, 1, n); sort(2, k, 1, n)
        distance = 0; i = j = 1
        while (i <= n && j <= n) {
            v = at[1, k, i] + 0 < at[2, k, j] + 0 ? at[1, k, i] + 0 : at[2, k, j] + 0
            while (i <= n && at[1, k, i] + 0 == v) i++
            while (j <= n && at[2, k, j] + 0 == v) j++
            d = (i - j) / n; if (d < 0) d = -d
            if (d > distance) distance = d
        }
        limit = 1.95 * sqrt(2 / n)
        printf "%s: distance %.4f of %.4f, %d of %d within 1e-3\n", name[k], distance, limit, close_by, n
        if (distance > limit || close_by < 0.3 * n) bad = 1
    }
    exit bad || found != 6
}
AWK
for way in $ways; do
    expect "the way '$way' gives another distribution" awk -F, -f compare.awk $way.csv never.csv
done
finish
