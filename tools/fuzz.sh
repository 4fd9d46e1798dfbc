#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tools/fuzz.sh [SECONDS [NAME...]]: every fuzz entry (tests/fuzz), or those named, for so long each (60) under libFuzzer
# and the address and undefined-behaviour sanitizers. Needs the preset `fuzz`, which `make fuzz` builds. What was found is
# kept in build/fuzz/found; inputs that reach new code are kept in build/fuzz/corpus for the next time.
#   RUNS=10000000   so many executions of each at most
#   PLAIN=1         without sanitizers, for long campaigns: the preset and the folder are fuzz-plain
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
build=$PWD/build/fuzz${PLAIN:+-plain}
names=$*
[ -n "$names" ] || names=$(ls tests/fuzz/fuzz_*.c | sed 's|.*/fuzz_\(.*\)\.c|\1|')
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0 XDG_CACHE_HOME=$build/cache
source=$PWD
mkdir -p "$build/found"
LASH=$build/lash bash tests/fuzz/seeds.sh "$build/seeds" 2>/dev/null
failed=0
for name in $names; do
    corpus=$build/corpus/$name log=$build/$name.log longest=4096 pieces= quick=
    mkdir -p "$corpus"
    case $name in
    model) seeds="$source/examples $source/tests/broken $source/tests/fuzz/corpus/model $build/seeds/documents" ;;
    solver) seeds="$source/examples $source/tests/broken $source/tests/fuzz/corpus/model $source/tests/fuzz/corpus/solver" ;;
    # A megabyte of freed memory is more than one of these frees; where memory came from is said when an input is run again.
    result | table | life) seeds=$build/seeds/$name longest=24000 quick=:malloc_context_size=0:quarantine_size_mb=1 ;;
    study) seeds="$source/examples/studies $source/tests/fuzz/corpus/study $build/seeds/documents" ;;
    *) seeds=$source/tests/fuzz/corpus/$name ;;
    esac
    case $name in
    model | solver | study) pieces=-dict=$build/seeds/words.dict ;;
    settings | expression) pieces=-dict=$source/tests/fuzz/expression.dict ;;
    esac
    # shellcheck disable=SC2086
    if ! (cd "$build/found" && ASAN_OPTIONS=$ASAN_OPTIONS$quick "$build/tests/fuzz_$name" -max_total_time="$seconds" -runs="${RUNS:--1}" -max_len=$longest -timeout=60 \
        -rss_limit_mb=4096 -entropic=0 -detect_leaks=0 -reload=0 -print_final_stats=1 -verbosity=1 $pieces "$corpus" $seeds >"$log" 2>&1); then
        failed=1
        echo "$name: FAILED, see $log"
    fi
    awk -v name="$name" '/cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") cov = $(i + 1) }
        /stat::number_of_executed_units/ { n = $2 }
        END { printf "%-12s %10d executions, %6d edges reached\n", name, n, cov }' "$log"
done
exit $failed
