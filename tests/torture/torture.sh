#!/bin/bash
# SPDX-License-Identifier: MIT
#
# torture.sh EVERY: each system call of the program made to fail in turn (interpose.c), for the commands that read and
# write files: the EVERY-th allocation, and of all other calls each one. Whatever fails, the program ends by itself with
# one of its exit codes and a message, the former file is whole or the new one is, nothing is left beside it, and all memory
# is given back.
# Needs LASH, INTERPOSE, EXAMPLES, SOURCE and TMP as the tests of the program do.
. "${0%/*}/../cli/lib.sh"
every=${1:-25}
export HDF5_USE_FILE_LOCKING=FALSE XDG_CACHE_HOME=$TMP/cache

cp "$SOURCE/tests/bob.yaml" model.yaml
cat >worn.yaml <<'MODEL'
gravity: [0, -9.81]
materials: {steel: {young: 2 GPa, poisson: 0.3}}
bodies: {crank: {mass: 1, inertia: 0.01}, bob: {mass: 1, inertia: 0.01, points: {a: [0, 0.1]}, position: [0, -0.1]}}
joints:
  main: {type: revolute, between: [ground, crank]}
  pin:
    type: revolute
    between: [crank, bob.a]
    clearance: {bearing_radius: 1 cm, radial: 10 um, length: 1 cm, materials: steel, contact: {restitution: 0.5, approach: energy},
      friction: {law: stribeck, coefficient: 0.1}, wear: {k: 1e-15 m^2/N}}
drives: {motor: {joint: main, speed: 20 rev/s}}
run: {until: 1 rev of motor, rtol: 1e-3}
MODEL
cp "$EXAMPLES/slider-crank.yaml" driven.yaml
printf 'model: model.yaml\naxes: {play: [0.4 mm, 0.5 mm]}\nmetrics: [max bob.y]\n' >study.yaml
"$LASH" run model.yaml -q -o in.h5 && "$LASH" study study.yaml -q -o in.db || fail "the inputs were not made"
made=0

# start_of FILE: its first bytes, as text.
start_of() {
    head -c 6 "$1" 2>/dev/null | tr -d '\0'
}
# torture OUTPUT ARGUMENT…: OUTPUT is "" where none is written.
torture() {
    local output=$1 group count n step code kept
    shift
    rm -rf work && mkdir work && cp model.yaml driven.yaml worn.yaml study.yaml in.h5 in.db work/
    [ -z "$output" ] || [ "$output" = out.db ] || echo former >"work/$output"
    (cd work && LD_PRELOAD="$INTERPOSE" LASH_COUNT=../counts LASH_LEAKS=../leaks "$LASH" "$@" >/dev/null 2>&1 </dev/null) ||
        fail "$* fails without any fault"
    cp "work/${output:-in.h5}" whole
    kept=$(cat leaks)
    while read -r group count; do
        [ "$group" != close ] || continue # what a close reports cannot be mended, and is tested in files.sh
        step=1
        [ "$group" != memory ] || step=$every
        for ((n = 1; n <= count; n += step)); do
            rm -rf work && mkdir work && cp model.yaml driven.yaml worn.yaml study.yaml in.h5 in.db work/
            [ -z "$output" ] || [ "$output" = out.db ] || echo former >"work/$output"
            code=0
            (cd work && timeout 60 env LD_PRELOAD="$INTERPOSE" LASH_FAULT="$group:$n" LASH_LEAKS=../leaks "$LASH" "$@" >../out 2>../err </dev/null) ||
                code=$?
            made=$((made + 1))
            command_line="LASH_FAULT=$group:$n lash $*"
            status=$code
            cp err .stderr
            : >.stdout
            if [ "$code" -gt 4 ]; then fail "ended with $code"; continue; fi
            if [ "$(cat leaks)" -gt "$kept" ]; then fail "keeps $(cat leaks) blocks, $kept without the fault"; continue; fi
            if [ "$code" -ne 0 ] && [ ! -s err ]; then fail "failed without a message"; continue; fi
            if [ -n "$output" ] && [ "$output" != out.db ]; then
                if [ -e "work/$output.part" ]; then fail "left $output.part"; continue; fi
                # A run that fails keeps what it has recorded: rows from the first on, or a result that says so.
                if [ "$(start_of "work/$output")" != former ] &&
                    [ "$(stat -c %s "work/$output" 2>/dev/null)" != "$(stat -c %s whole)" ] && [ "$code" -ne 0 ] &&
                    ! grep -q 'What was recorded is in' err &&
                    ! cmp -s -n "$(stat -c %s "work/$output")" "work/$output" whole; then
                    fail "neither the former $output nor a whole one"
                    continue
                fi
                if [ "$code" -eq 0 ] && [ "$(start_of "work/$output")" = former ]; then
                    fail "says that it wrote $output, and did not"
                    continue
                fi
            fi
            if [ "$output" = out.db ]; then # goes on where it was
                (cd work && "$LASH" "$@" >/dev/null 2>../err </dev/null) || { fail "the study does not go on"; continue; }
            fi
            pass
        done
    done <counts
}

torture out.h5 run model.yaml -q -o out.h5
torture out.csv run model.yaml -q --csv out.csv
torture out.csv export in.h5 -o out.csv
torture out.csv export in.h5 --events -o out.csv
torture out.html report in.h5 -q -o out.html
torture out.svg plot in.h5 -q -o out.svg
torture out.csv kinematics driven.yaml -q --csv out.csv
torture out.h5 kinematics driven.yaml -q -o out.h5
torture out.fmu fmu model.yaml -o out.fmu
torture out.csv bearing --film short --csv out.csv
torture "" linearize driven.yaml
torture "" channels model.yaml
torture "" check model.yaml
torture out.db study study.yaml -q -j 2 -o out.db
torture out.db wear worn.yaml -q --until "turns: 1" -o out.db
torture out.c compile model.yaml -o out.c
torture out.c compile model.yaml --whole -o out.c
if "$LASH" live model.yaml -q -o live.html 2>/dev/null; then # it has the solver of such pages
    torture out.html live model.yaml -q -o out.html
    torture out.html live -q -o out.html
fi
echo "$made faults"
finish
