#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The validation table of README.md, from runs of the program:
#   tools/update-readme.sh [PROGRAM]            writes the table between its markers; PROGRAM: build/lash unless given
#   tools/update-readme.sh --check [PROGRAM]    fails where the table lists other cases, or an error has become worse than
#                                               twice what it says (below 1e-11 only rounding is left, and is not compared)
# Errors are the largest over all rows, relative to the largest value of the quantity.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)
check=false
if [ "${1:-}" = --check ]; then
    check=true
    shift
fi
program=$(realpath "${1:-$root/build/lash}")
page=$root/README.md
examples=$root/examples
reference=$root/tests/reference
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# --- What the errors are measured with

# run NAME MODEL OPTION…: NAME.h5 and NAME.csv
run() {
    local name=$1 model=$2
    shift 2
    "$program" run "$model" "$@" -q -o "$name.h5" --csv "$name.csv"
}
# summary NAME KEY: a number of the summary kept with the result.
summary() {
    "$program" export "$1.h5" --summary | awk -v key="$2" '$1 == key { print $3 }'
}
ratio() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.17g\n", a / b }'
}
# column NAME CHANNEL: its numbers, one per line.
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { h = $i; sub(/ \[.*/, "", h); if (h == name) c = i }; next }
                          { print $c }' "$1.csv"
}
# largest: of lines "computed exact", the largest difference over the largest exact value.
largest() {
    awk 'function abs(x) { return x < 0 ? -x : x }
         { d = abs($1 - $2); if (d > error || d != d) error = d; if (abs($2) > size) size = abs($2) }
         END { printf "%.17g\n", error / size }'
}

# --- The cases; each prints lines CASE | SOURCE | ERROR

# x = r cos φ + sqrt(l² − r² sin² φ) and its second derivative; φ = ωt.
ideal_slider_crank() {
    run ideal "$examples/flores-2010.yaml" --set gudgeon=ideal --until "1 rev of motor" --rtol 1e-10 --samples 360 \
        --channels slider.x,slider.ax
    local exact='BEGIN { w = 5000 * atan2(0, -1) / 30; r = 0.05; l = 0.12 }
        { s = sin(w * $1); c = cos(w * $1); sp = -r / l * s; cp = sqrt(1 - sp * sp); p1 = -r * c / (l * cp)
          p2 = (r * s / l + sp * p1 * p1) / cp }'
    echo "slider-crank, ideal joints: slider position | closed form |" \
        "$(paste <(column ideal time) <(column ideal slider.x) | awk "$exact"' { printf "%.17g %.17g\n", $2, r * c + l * cp }' | largest)"
    echo "slider-crank, ideal joints: slider acceleration | closed form |" \
        "$(paste <(column ideal time) <(column ideal slider.ax) |
            awk "$exact"' { printf "%.17g %.17g\n", $2, w * w * (-r * c - l * (cp * p1 * p1 + sp * p2)) }' | largest)"
}

# The last row against the angles at t = 0.03 s; the test set's angles are relative ones.
andrews() {
    run andrews "$examples/andrews.yaml" --samples 1 --channels 'k*.angle'
    local k=() b
    for b in 1 2 3 4 5 6 7; do
        k[b]=$(column andrews "k$b.angle" | tail -n 1)
    done
    echo "Andrews' squeezing mechanism: seven angles at 0.03 s | IVP Test Set² |" \
        "$(awk -F, '$1 ~ /^[1-7]$/ { print $3 }' "$reference/andrews.csv" |
            paste <(awk -v k="${k[*]}" 'BEGIN { split(k, a, " "); printf "%.17g\n%.17g\n%.17g\n%.17g\n%.17g\n%.17g\n%.17g\n",
                    a[1], a[2] - a[1], a[3], a[4] - a[5], a[5], a[6] - a[7], a[7] }') - | largest)"
}

double_pendulum() {
    run pendulum "$examples/double-pendulum.yaml"
    echo "double pendulum, 10 s: total energy | conserved |" \
        "$(ratio "$(summary pendulum max_balance_error)" "$(summary pendulum energy_exchanged)")"
}

# The first turn with play at the gudgeon pin: the rows of the reference are 1/16 of a turn apart. Impacts amplify the last
# digit, so that one run may be lucky: each error is the worst of nine runs at nearly the same tolerance.
# At rtol 1e-10 only the velocity: force and moment depend on rounding there and vary too much between compilers.
play() {
    local rtol part name number label channel parts="1 2 3 4 5 6 7 8 9"
    for rtol in 1e-8 1e-10; do
        for part in $parts; do
            run "play$part" "$examples/flores-2010.yaml" --until "1 rev of motor" --samples 16 \
                --rtol "$(awk -v r="$rtol" -v k="$part" 'BEGIN { print r * (1.05 - 0.05 * k) }')" \
                --channels slider.vx,motor.torque,gudgeon.fn
        done
        for channel in slider.vx:3:"slider velocity" motor.torque:5:"crank moment" gudgeon.fn:6:"contact force"; do
            IFS=: read -r name number label <<<"$channel"
            [ $rtol = 1e-8 ] || [ "$name" = slider.vx ] || continue
            echo "slider-crank, play 0.05 mm, rtol $rtol: $label | independent program¹ |" \
                "$(for part in $parts; do
                    paste <(column "play$part" "$name" | tail -n +2) \
                        <(awk -F, -v c="$number" '/^[0-9]/ { print $c }' "$reference/slider-crank.csv") | largest
                done | sort -g | tail -n 1)"
        done
    done
}

balance() {
    run turns "$examples/flores-2010.yaml" --until "20 rev of motor" --rtol 1e-9 --samples 1
    echo "slider-crank, play 0.05 mm, rtol 1e-9: energy over 20 turns | balance of the ledger |" \
        "$(ratio "$(summary turns max_balance_error)" "$(summary turns energy_exchanged)")"
}

# The same machine modelled in space against the same reference, and the energy of a four-bar with play in a ball joint.
space() {
    local part parts="1 2 3 4 5 6 7 8 9"
    for part in $parts; do
        run "space$part" "$examples/planar-in-space.yaml" --until "1 rev of motor" --samples 16 \
            --rtol "$(awk -v k="$part" 'BEGIN { print 1e-8 * (1.05 - 0.05 * k) }')" --channels slider.vx
    done
    echo "the same modelled in space, rtol 1e-8: slider velocity | independent program¹ |" \
        "$(for part in $parts; do
            paste <(column "space$part" slider.vx | tail -n +2) \
                <(awk -F, '/^[0-9]/ { print $3 }' "$reference/slider-crank.csv") | largest
        done | sort -g | tail -n 1)"
    run four-bar "$examples/flores-2006.yaml" --until "0.5 s" --rtol 1e-9 --samples 1
    echo "spatial four-bar, play 0.5 mm in a ball joint, rtol 1e-9: energy over 0.5 s | balance of the ledger |" \
        "$(ratio "$(summary four-bar max_balance_error)" "$(summary four-bar energy_exchanged)")"
}

# A ball, pushed once, flies against the wall of a bearing and back. With F = K δⁿ (1 + h δ̇/v) the separation speed e v is the root of
# h + h e = ln(1 + h) − ln(1 − h e), found by bisection; h = 3(1 − e_r²)/4 is Lankarani and Nikravesh's.
rebound() {
    cat >ball.yaml <<MODEL
materials: {steel: {young: 207 GPa, poisson: 0.3}}
bodies: {ball: {mass: 1, inertia: 1e-3}}
joints:
  bearing:
    type: revolute
    between: [ground, ball]
    clearance: {bearing_radius: 10 mm, radial: 0.5 mm, materials: steel, contact: {law: lankarani-nikravesh, restitution: 0.5}}
forces:
  push: {type: force, at: ball, force: ["if(t < 1e-3, 100, 0)", 0]}
run: {until: 20 ms, rtol: 1e-10, samples: 1}
MODEL
    run ball ball.yaml
    echo "ball against a bearing, restitution 0.5 asked for: rebound | closed form |" \
        "$("$program" export ball.h5 --events | awk -F, '
            $1 == "onset" { v = $6 } $1 == "release" && !e { e = $6 / v }
            END { h = 3 * (1 - 0.25) / 4; low = 0.1; high = 1
                  for (i = 0; i < 60; i++) { m = (low + high) / 2
                      if (h + h * m > log(1 + h) - log(1 - h * m)) low = m; else high = m }
                  printf "%.17g %.17g\n", e, m }' | largest)"
}

cases() {
    ideal_slider_crank
    andrews
    double_pendulum
    play
    balance
    space
    rebound
}

table() {
    echo "| case | source | error |"
    echo "|---|---|---|"
    cases | awk -F ' *[|] *' '{ printf "| %s | %s | %.1e |\n", $1, $2, $3 }'
}

if $check; then
    cases | awk -F ' *[|] *' '
        NR == FNR { if (/<!-- validation: begin -->/) inside = 1
                    if (/<!-- validation: end -->/) inside = 0
                    if (inside && $4 ~ /^[0-9.]+e-[0-9]+$/) { printed[$2] = $4; source[$2] = $3; rows++ }
                    next }
        { count++; printf "%-70s %.1e, table: %s\n", $1, $3, printed[$1]
          if (!($1 in printed) || source[$1] != $2) { print "  not in the table of README.md"; failed = 1 }
          else if (!($3 <= 2 * printed[$1] || $3 <= 1e-11)) { print "  worse than the table says"; failed = 1 } }
        END { if (count != rows) { print "the table has " rows " rows, there are " count + 0 " cases"; failed = 1 }
              exit failed }' "$page" -
else
    table >new.md
    sed '/<!-- validation: begin -->/q' "$page" >page.md
    cat new.md >>page.md
    sed -n '/<!-- validation: end -->/,$p' "$page" >>page.md
    cat page.md >"$page"
fi
