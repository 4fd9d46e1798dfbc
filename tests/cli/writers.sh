#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Several writers of one file: one is refused or all finish whole, never a mixture; and what others put at the temporary
# name is not written to. Delays come from torture/interpose.c, so that every meeting happens each time.
. "${0%/*}/lib.sh"
model=$EXAMPLES/slider-crank.yaml

# held GROUP ARGUMENT…: starts the program, which stops before its first system call of that group; returns when it is
# there. `go_on` lets it make the call.
held() {
    local group=$1
    shift
    rm -f here.held here.go
    LD_PRELOAD="$INTERPOSE" LASH_HOLD=$group:here "$LASH" "$@" >/dev/null 2>late.txt </dev/null &
    late=$!
    await "the program does not reach $group" [ -e here.held ]
}
go_on() {
    touch here.go
    status=0
    wait $late || status=$?
}

"$LASH" run "$model" -o good.h5 -q
"$LASH" export good.h5 -o good.csv

# --- A writer that opens the temporary file while another finishes it does not empty the finished one.
for target in "run $model -q -o shared.h5" "export good.h5 -o shared.csv"; do
    file=${target##* }
    # shellcheck disable=SC2086
    held lock $target
    # shellcheck disable=SC2086
    expect_exit 0 $target
    cp "$file" first
    # While the late one still waits, and after it is done, the file is whole.
    expect_same "$file" first
    go_on
    if [ $status -eq 0 ] || grep -q "another run" late.txt; then pass; else fail "the late writer of $file failed"; fi
    if [ "$(stat -c %s "$file")" -eq "$(stat -c %s first)" ]; then pass; else fail "the finished $file was lost"; fi
    expect_no_file "$file.part"
done
expect_same shared.csv good.csv

# --- Many at once: every answer is "done" or "another run", and what is there is whole.
for _ in 1 2 3 4 5; do
    pids=
    for i in 1 2 3 4 5 6 7 8; do
        "$LASH" export good.h5 -o many.csv 2>"answer$i" </dev/null &
        pids="$pids $!"
    done
    i=0
    for pid in $pids; do
        i=$((i + 1))
        wait "$pid"
        status=$?
        if [ $status -eq 0 ] || grep -q "another run" "answer$i"; then pass; else fail "writer $i of many.csv failed"; fi
    done
    expect_same many.csv good.csv
    rm -f many.csv
done

# --- A long run keeps its file to itself, whatever writes.
held rename export good.h5 -o kept.csv
expect_exit 4 export good.h5 -o kept.csv
expect_error_contains "another run is writing it"
expect_exit 4 report good.h5 -o kept.csv
go_on
expect_same kept.csv good.csv

# --- Links, pipes and files of more than one name at the temporary name are refused and left alone.
echo precious >precious
for way in "ln -s precious" "ln precious" "mkfifo" "mkdir" "ln -s nowhere"; do
    for target in "run $model -q -o trap.h5" "export good.h5 -o trap.csv"; do
        file=${target##* }
        rm -rf "$file" "$file.part"
        $way "$file.part"
        # shellcheck disable=SC2086
        expect_exit 4 $target
        expect_error_contains "'$file.part' exists and is not a plain file"
        expect_no_file "$file"
        rm -rf "$file.part"
    done
done
expect_same precious <(echo precious)
expect_no_file nowhere

# --- Where there are no locks, a temporary file that is there is not touched; without one the run goes on.
fault() {
    ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" LD_PRELOAD="$INTERPOSE" LASH_FAULT=$1 "${@:2}"
}
expect "a file system without locks" fault lock:1 "$LASH" run "$model" -q --csv lockless.csv
expect_file lockless.csv
echo theirs >lockless.csv.part
status=0
fault lock:1 "$LASH" run "$model" -q --csv lockless.csv >.stdout 2>.stderr </dev/null || status=$?
if [ $status -eq 4 ]; then pass; else fail "a temporary file of unknown owner was used"; fi
expect_error_contains "no locks"
expect_same lockless.csv.part <(echo theirs)

# --- What is written is on the disk before it has its name, and its folder after.
for group in sync:1 rename:1; do
    status=0
    cp good.csv before.csv
    fault $group "$LASH" export good.h5 --events -o before.csv >.stdout 2>.stderr </dev/null || status=$?
    if [ $status -eq 4 ]; then pass; else fail "a failed $group went unnoticed"; fi
    expect_same before.csv good.csv
    expect_no_file before.csv.part
done
finish
