#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tools/mutate.sh COUNT FOLDER...: plants COUNT faults, one at a time, in src/FOLDER/*.c, and sees whether the tests notice.
#   SEED=7        other faults (default 1); the same seed plants the same ones
#   TESTS=REGEX   only these tests (default: unit, laws, physics and campaign)
# A fault changes what an expression means: + for -, < for >=, sin for cos, half of a constant. It is planted in a copy of the
# source (build/mutate), never here; build/mutate/build/fates says how far it has come. Survivors are printed: each is a test that is missing, or a change that means the same.
set -eu
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0"; exit 2; }
count=$1
shift
seed=${SEED:-1} tests=${TESTS:-^(unit|laws|physics)\.|campaign.quick} jobs=${JOBS:-$(nproc)}
copy=$PWD/build/mutate/source build=$PWD/build/mutate/build
mkdir -p "$copy"
tar -cf - --exclude=./build --exclude=./.git --exclude=node_modules . | tar -xf - -C "$copy"
cmake -S "$copy" -B "$build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O1 -DLASH_TESTS=ON -DLASH_TESTS_SHARED=ON -DLASH_WITH_MPI=OFF -DLASH_PYTHON=OFF -DLASH_FMU=OFF -DLASH_PAGE=OFF \
    ${OPTIONS:-} >/dev/null
# The programs of the tests asked for.
targets=$(ctest --test-dir "$build" -N -R "$tests" | sed -n 's/.*: \(.*\)/\1/p' | grep '\.' | tr . _ | sed 's/^campaign_.*/campaign/' | sort -u)

# make TARGET…: quiet.
make() {
    cmake --build "$build" -j "$jobs" --target "$@" >"$build/build.log" 2>&1
}
# with REGEX: whether the tests pass.
with() {
    ctest --test-dir "$build" -R "$1" -j "$jobs" --stop-on-failure --timeout 300 >"$build/test.log" 2>&1
}
# The quick ones first: most faults are noticed there.
check() {
    with "^($quick)\$" && with "^($slow)\$"
}

# shellcheck disable=SC2086
make $targets || { echo "the source does not build: $build/build.log" >&2; exit 1; }
with "$tests" || { echo "the tests fail without a fault: $build/test.log" >&2; exit 1; }
# names LIMITS: the tests that took so long, as a regular expression.
names() {
    sed -n 's/.*Test *#[0-9]*: \([^ ]*\) .*Passed *\([0-9.]*\) sec/\1 \2/p' "$build/test.log" | awk "$1 { print \$1 }" | sed 's/\./\\./g' | paste -sd '|'
}
quick=$(names '$2 < 5') slow=$(names '$2 >= 5')

# One line per possible fault: file, line, what becomes what. Not in comments, texts, or tables of names.
faults=$build/faults
for folder in "$@"; do
    awk 'BEGIN { n = split(" + | - ; - | + ; * | / ; / | * ; < | >= ; > | <= ; && | || ;sin(|cos(;cos(|sin(;fmax(|fmin(;fmin(|fmax(; += | -= ;0.5 |0.25 ;= -|= ;return -|return ; == | != ;[0]|[1];.x|.y", rules, ";") }
        /^ *(\/\/|\/?\*|#)/ || /"/ { next }
        { code = $0; sub(/ *\/\/.*/, "", code); sub(/ *\/\*.*/, "", code)
          for (i = 1; i <= n; i++) { split(rules[i], r, "|"); if (rules[i] ~ /\|\|/) { r[1] = " && "; r[2] = " || " }
            if (index(code, r[1])) printf "%s\t%d\t%s\t%s\n", FILENAME, FNR, r[1], r[2] } }' src/"$folder"/*.c
done | shuf --random-source=<(yes "$seed") | head -n "$count" >"$faults"

killed=0 survived=0
while IFS=$'\t' read -r file line from to; do
    awk -v n="$line" -v from="$from" -v to="$to" 'NR == n { at = index($0, from); $0 = substr($0, 1, at - 1) to substr($0, at + length(from)) } { print }' \
        "$file" >"$copy/$file"
    if ! make lash_tested; then
        : # no fault: the compiler refuses it
    elif check; then
        survived=$((survived + 1))
        printf 'SURVIVED %s:%s "%s" -> "%s"\n    %s\n' "$file" "$line" "$from" "$to" "$(sed -n "${line}p" "$file" | sed 's/^ *//')"
    else
        killed=$((killed + 1))
    fi
    echo "$killed noticed, $survived survived, after $file:$line" >"$build/fates"
    cp "$file" "$copy/$file"
done <"$faults"
echo "$killed noticed, $survived survived"
