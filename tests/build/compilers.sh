#!/bin/bash
# SPDX-License-Identifier: MIT
#
# compilers.sh SOURCE WORK: the program from gcc and clang, at -O0, -O2 and -O3, with and without fused multiply-add, and
# what the examples become with each: the same events in the same order, and numbers of summary and events that agree.
# Rounding differs; runs with many contacts double such differences at each of them, so that those are compared over
# their first part. Where rounding decides whether a step is accepted, runs differ as their tolerance says: gear-rattle, and
# four-bar, whose first steps from rest are held to a motion hardly above rounding, have a finer one.
# docs/reliability.md states the result.
set -eu
source=$(cd "$1" && pwd) work=$2
mkdir -p "$work" && cd "$work"
export LASH_CHECK=0
failed=0
# model, end of the run, allowed difference of numbers against their largest, tolerance of the run
cases="slider-crank 0.2 1e-9
andrews 0.03 1e-6
four-bar 1 1e-8 1e-8
stops 1 1e-6
flores-2004 0.02 1e-5
gear-rattle 0.01 1e-6 1e-8
piston-slap 0.01 1e-5
robot-elbow 0.2 1e-6"

build() {
    local name=$1 compiler=$2
    shift 2
    cmake -S "$source" -B "$name" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS_DEBUG="$*" \
        -DLASH_WITH_MPI=OFF -DLASH_PYTHON=OFF -DLASH_FMU=OFF -DLASH_PAGE=OFF ${OPTIONS:-} >"$name.log" 2>&1 &&
        cmake --build "$name" -j "${JOBS:-2}" --target lash_program >>"$name.log" 2>&1 || {
        echo "$name does not build: $work/$name.log"
        exit 1
    }
}
# events NAME: what happened in each case, by this program.
events() {
    while read -r model end _ rtol; do
        "$1/lash" run "$source/examples/$model.yaml" -q --until "$end s" ${rtol:+--rtol "$rtol"} -n 10 -o "$1/$model.h5"
        "$1/lash" export "$1/$model.h5" --events -o "$1/$model.events"
        "$1/lash" export "$1/$model.h5" -o "$1/$model.rows"
    done <<<"$cases"
}
# compare NAME WHAT: with the first one. Numbers are compared against the largest with their unit: what is zero but for
# rounding has no size of its own, and against 1 where all with that unit are zero. Channels that are errors themselves are left out.
compare() {
    while read -r model _ allowed _; do
        awk -F, -v allowed="$allowed" -v what="$1 $model $2" '
            function size(x) { return x < 0 ? -x : x }
            FNR == 1 { file++ }
            FNR == 1 && file == 1 { for (i = 1; i <= NF; i++) { unit[i] = $i; sub(/.*\[/, "", unit[i]); left_out[i] = $i ~ /energy\.balance|constraint\./ } }
            file == 1 { for (i = 1; i <= NF; i++) { a[FNR, i] = $i; if (!left_out[i] && size($i + 0) > most[unit[i]]) most[unit[i]] = size($i + 0) } rows = FNR; next }
            { for (i = 1; i <= NF; i++) {
                if (left_out[i]) continue
                if ($i + 0 != $i && a[FNR, i] + 0 != a[FNR, i] && $i != a[FNR, i]) { print what ": line " FNR ": " $i ", not " a[FNR, i]; bad = 1; exit }
                d = size($i - a[FNR, i])
                largest = most[unit[i]] > 0 ? most[unit[i]] : 1
                if (d / largest > worst) worst = d / largest } }
            END { if (bad) exit 1
                if (FNR != rows) { print what ": " FNR " lines, not " rows; exit 1 }
                if (worst > 0) printf "  %-32s %.1e\n", what, worst
                if (worst > allowed) { print what ": allowed are " allowed; exit 1 } }' "reference/$model.$2" "$1/$model.$2" || failed=1
    done <<<"$cases"
}

build reference gcc -O2
events reference
for way in "gcc-O0 gcc -O0" "gcc-O3 gcc -O3" "gcc-O3-fma gcc -O3 -mfma -ffp-contract=fast" "clang-O0 clang -O0" \
    "clang-O2 clang -O2" "clang-O3-fma clang -O3 -mfma -ffp-contract=fast"; do
    # shellcheck disable=SC2086
    build $way
    name=${way%% *}
    echo "$name, against gcc -O2: largest difference of a number, of the largest of its kind"
    events "$name"
    compare "$name" events
    compare "$name" rows
    rm -rf "$name/CMakeFiles"
done
exit $failed
