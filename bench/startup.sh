#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What starting the program and loading a first model costs: bench/startup.sh NAME=BUILD...
# One column of the table in docs/installing.md per build; lines of ldd, else milliseconds of processor time, which other programs do
# not count in: the middle one of several rounds, all builds in turns. What a build lacks is "-".
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rounds=9 runs=10
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
start=$PWD
cd "$work"
cat >load.c <<'C'
#define _GNU_SOURCE
#include <lash/lash.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}
int main(int count, char **words) {
    for (int i = 0, loads = count > 2 ? atoi(words[2]) : 1; i < loads; i++) {
        lash_model *model = NULL;
        lash_error error;
        const double begun = now();
        if (lash_model_load(&model, words[1], NULL, &error))
            return puts(error.message), 1;
        if (i == loads - 1)
            printf("%.3f\n", now() - begun);
        lash_model_destroy(model);
    }
    return 0;
}
C
names=() builds=()
for argument; do
    names+=("${argument%%=*}")
    build=$(cd "$start" && cd "${argument#*=}" && pwd)
    builds+=("$build")
    source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
    libraries=$(PKG_CONFIG_PATH="$build/generated" pkg-config --static --libs lash | sed 's/-L[^ ]*  *-llash//; s/-llash//')
    # shellcheck disable=SC2086
    cc -O1 -I "$source/include" load.c "$build/liblash.a" $libraries -o "load${#builds[@]}"
done

# milliseconds COMMAND…: processor time of one of several runs; "-" where it fails.
milliseconds() {
    "$@" >/dev/null 2>&1 || { echo - && return; }
    local TIMEFORMAT='%U %S'
    { time for ((i = 0; i < runs; i++)); do "$@" >/dev/null 2>&1; done; } 2>&1 | awk -v n=$runs '{printf "%.2f\n", 1000 * ($1 + $2) / n}'
}
measure() {
    local lash=$build/lash
    case $1 in
    help) milliseconds "$lash" help ;;
    check) milliseconds "$lash" check "$here/../examples/slider-crank.yaml" ;;
    csv) milliseconds "$lash" run "$work/model.yaml" -q -n 2 --csv rows.csv ;;
    gear) milliseconds "$lash" run "$work/model.yaml" -q -n 2 --csv rows.csv --method gear ;;
    hdf5) milliseconds "$lash" run "$work/model.yaml" -q -o rows.h5 ;;
    first) "./load$k" "$here/../examples/slider-crank.yaml" 1 ;;
    further) "./load$k" "$here/../examples/slider-crank.yaml" 20 ;;
    esac
}
sed 's/^run:.*/run: {until: 1 ms, rtol: 1e-8}/' "$here/../examples/slider-crank.yaml" >model.yaml

line() {
    local cells="" k
    for ((k = 1; k <= ${#builds[@]}; k++)); do
        cells="$cells $(sort -n "$work/$2.$k" | sed -n "$(((rounds + 1) / 2))p") |"
    done
    echo "| $1 |$cells"
}
kinds="help check csv gear hdf5 first further"
for ((round = 0; round < rounds; round++)); do
    for kind in $kinds; do
        for ((k = 1; k <= ${#builds[@]}; k++)); do
            build=${builds[k - 1]}
            measure "$kind" >>"$work/$kind.$k"
        done
    done
done
heads="" rule="" libraries=""
for ((k = 1; k <= ${#builds[@]}; k++)); do
    heads="$heads ${names[k - 1]} |" rule="$rule---|"
    libraries="$libraries $(ldd "${builds[k - 1]}/lash" | wc -l) |"
done
echo "| |$heads"
echo "|---|$rule"
echo "| lines of \`ldd lash\` |$libraries"
line '`lash help`' help
line '`lash check slider-crank.yaml`' check
line '`lash run` over 1 ms, three rows of CSV' csv
line '… by gear' gear
line '… to an HDF5 file' hdf5
line 'first `lash_model_load` of a process, slider-crank' first
line 'each further one' further
