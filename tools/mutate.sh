#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tools/mutate.sh COUNT FOLDER...: plants COUNT faults in each src/FOLDER, one at a time, and checks whether the tests notice.
#   SEED=7         other faults (default 1); the same seed plants the same ones
#   FAULTS=FILE    these faults instead: FILE, LINE, what becomes what, separated by tabs
#   SECONDS_EACH=60   tests of one fault, as long as they take without it
# A fault changes what an expression means: + for -, < for >=, sin for cos, half of a constant. It is planted in a copy of the
# source (build/mutate/source), never here. Only tests that execute the line are run, quick ones first, until one fails or takes
# three times as long as it should and ten seconds. build/mutate/fates has one line per fault: what became of it, where, what it was, the test that noticed
# it. A second call continues where the first one ended; remove build/mutate to begin again after the source has changed.
# Survivors are printed: each is a test that is missing, or a change that means the same.
set -eu
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || [ -n "${FAULTS:-}" ] || { sed -n '4,13s/^# \{0,1\}//p' "$0"; exit 2; }
count=${1:-0}
[ $# -eq 0 ] || shift
seconds=${SECONDS_EACH:-60}
work=$PWD/build/mutate
copy=$work/source build=$work/build reach=$work/reach fates=$work/fates
mkdir -p "$copy" "$reach"
touch "$fates"
exec 9>"$work/lock"
flock -n 9 || { echo "another one is at work in $work" >&2; exit 1; }
[ -e "$build/CMakeCache.txt" ] || tar -cf - --exclude=./build --exclude=./.git --exclude=node_modules . | tar -xf - -C "$copy"

# configure FOLDER FLAGS
configure() {
    [ -e "$1/CMakeCache.txt" ] ||
        cmake -S "$copy" -B "$1" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="$2" -DLASH_TESTS=ON -DLASH_TESTS_SHARED=ON \
            -DLASH_WITH_MPI=OFF -DLASH_PYTHON=OFF -DLASH_FMU=OFF -DLASH_PAGE=OFF ${OPTIONS:-} >/dev/null
}
# make FOLDER TARGET…: quiet.
make() {
    local folder=$1
    shift
    cmake --build "$folder" -j "${JOBS:-$(nproc)}" --target "$@" >"$folder/build.log" 2>&1
}
# passes TEST SECONDS: whether the test passes within that time of a processor, and ten times as long on a machine that others use. The heap
# is checked: a block that is too small is noticed when it is freed.
passes() {
    (
        ulimit -t "$2"
        LD_PRELOAD=libc_malloc_debug.so.0 GLIBC_TUNABLES=glibc.malloc.check=3 timeout $((10 * $2)) ctest --timeout $((10 * $2)) --test-dir "$build" -R "^${1/./\\.}\$" >"$build/test.log" 2>&1
    )
}

# The tests, each with its time and the lines that it executes: reach/TEST. The library with counters replaces the one that they are linked with.
configure "$build" -O1
configure "$work/coverage" "-O1 --coverage"
tests=$(ctest --test-dir "$build" -N -R '^(unit|laws|physics)\.|campaign.checked' | sed -n 's/.*Test *#[0-9]*: \(.*\)/\1/p')
if [ ! -e "$work/times" ]; then
    # shellcheck disable=SC2046
    make "$build" $(echo "$tests" | tr . _ | sed 's/^campaign_.*/campaign/') || { echo "the source does not build: $build/build.log" >&2; exit 1; }
    make "$work/coverage" lash_tested || { echo "the source does not build: $work/coverage/build.log" >&2; exit 1; }
    for test in $tests; do
        [ ! -e "$reach/$test" ] || continue
        find "$work/coverage" -name '*.gcda' -delete
        start=$(date +%s%N)
        passes "$test" 600 || { echo "$test fails without a fault" >&2; exit 1; }
        ms=$((($(date +%s%N) - start) / 1000000))
        [ "$ms" -le $((seconds * 1000)) ] || continue # takes too long for any fault
        LD_LIBRARY_PATH=$work/coverage/tests passes "$test" 1200 || { echo "$test fails when it is counted" >&2; exit 1; }
        (cd "$work/coverage" && find . -name '*.gcda' -exec gcov --stdout {} + 2>/dev/null) |
            awk -F: '$2 + 0 == 0 && $3 == "Source" { file = $4; sub(/.*source\//, "", file); next }
                file ~ /^src\/.*\.c$/ && $1 + 0 > 0 { print file ":" $2 + 0 }' | sort -u >"$reach/$test.part"
        mv "$reach/$test.part" "$reach/$test"
        echo "$ms $test" >>"$work/times.part"
    done
    mv "$work/times.part" "$work/times"
fi
# Lines with code, whether executed or not.
[ -e "$work/code" ] || {
    (cd "$work/coverage" && find . -name '*.gcno' -exec gcov --stdout {} + 2>/dev/null) |
        awk -F: '$2 + 0 == 0 && $3 == "Source" { file = $4; sub(/.*source\//, "", file); next }
            file ~ /^src\/.*\.c$/ && $1 !~ /-/ { print file ":" $2 + 0 }' | sort -u >"$work/code"
}

# One line per possible fault. Not in comments, texts, or tables of names.
possible() {
    cd "$copy" && awk 'BEGIN { n = split(" + # - ; - # + ; * # / ; / # * ; < # >= ; > # <= ; && # || ; || # && ;sin(#cos(;cos(#sin(;fmax(#fmin(;fmin(#fmax(;fabs(#(;sqrt(#(; += # -= ; -= # += ;0.5 #0.25 ;= -#= ;return -#return ; == # != ; != # == ;[0]#[1];.x#.y;true#false;false#true", rules, ";") }
        /^ *(\/\/|\/?\*|#)/ || /"/ { next }
        { code = $0; sub(/ *\/\/.*/, "", code); sub(/ *\/\*.*/, "", code)
          for (i = 1; i <= n; i++) { split(rules[i], r, "#")
            if (index(code, r[1])) printf "%s\t%d\t%s\t%s\n", FILENAME, FNR, r[1], r[2] } }' src/"$1"/*.c
}
if [ -n "${FAULTS:-}" ]; then
    cat "$FAULTS"
else
    for folder in "$@"; do
        (possible "$folder") | awk -v seed="${SEED:-1}" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' | sort -n | cut -f 2- | sed "${count}q"
    done
fi >"$work/faults"

# candidates FILE LINE: tests that may notice, quick first. A line without code of its own (a table, the rest of an expression): those of
# the file; a header: those of its folder. A test in which no line was counted ends its processes at once (unit.misuse): any line.
candidates() {
    local where="^$1:$2\$"
    grep -q "$where" "$work/code" || where="^$1:"
    grep -q "^$1:" "$work/code" || where="^${1%/*}/"
    (cd "$reach" && { grep -l "$where" -- * || true; find . -size 0 | sed 's|^\./||'; }) | awk 'NR == FNR { time[$2] = $1; next } { print time[$1], $1 }' "$work/times" - | sort -n
}
# fate FILE LINE: what becomes of the fault that is planted there.
fate() {
    local test ms left=$((seconds * 1000)) ran=0
    make "$build" lash_tested || { echo "refused	-"; return; } # by the compiler: no fault
    while read -r ms test; do
        [ $((left -= ms)) -ge 0 ] || break
        ran=$((ran + 1))
        passes "$test" $((3 * ms / 1000 + 10)) || { echo "noticed	$test"; return; }
    done < <(candidates "$1" "$2")
    echo "SURVIVED	$ran tests"
}
# The file as it was.
whole() {
    [ ! -e "$work/whole" ] || { cat "$work/whole" >"$copy/$file" && rm "$work/whole"; } # as new: its object is not
}
trap whole EXIT
while IFS=$'\t' read -r file line from to; do
    key="$file:$line	$from	$to"
    ! grep -qF "	$key	" "$fates" || continue
    cp "$copy/$file" "$work/whole"
    awk -v n="$line" -v from="$from" -v to="$to" 'NR == n { at = index($0, from); $0 = substr($0, 1, at - 1) to substr($0, at + length(from)) } { print }' \
        "$work/whole" >"$copy/$file"
    said=$(fate "$file" "$line" </dev/null)
    whole
    printf '%s\t%s\t%s\n' "${said%%	*}" "$key" "${said#*	}" >>"$fates"
    [[ $said != SURVIVED* ]] || printf '%s %s:%s "%s" -> "%s" (%s)\n    %s\n' "${said%%	*}" "$file" "$line" "$from" "$to" "${said#*	}" "$(sed -n "${line}{s/^ *//;p}" "$copy/$file")"
done <"$work/faults"
awk -F'\t' '$1 != "refused" { split($2, path, "/"); all[path[2]]++; noticed[path[2]] += $1 == "noticed"; n++; m += $1 == "noticed" }
    END { for (f in all) printf "%-10s %d of %d\n", f, noticed[f], all[f]; print m + 0 " of " n + 0 " noticed" }' "$fates"
