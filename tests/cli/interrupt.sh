#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Ctrl-C and SIGTERM end a run in good order: what was recorded is kept and can be read.
. "${0%/*}/lib.sh"
model=$EXAMPLES/double-pendulum.yaml

# interrupted SIGNAL ARGUMENT…: starts an endless run and sends the signal once rows are being written.
interrupted() {
    local signal=$1 process
    shift
    command_line="lash $* (kill -$signal)"
    "$LASH" "$@" >.stdout 2>.stderr </dev/null &
    process=$!
    await "no rows are written" grown kept.h5.part 100000
    kill -"$signal" $process
    status=0
    wait $process || status=$?
    if [ "$status" -eq 1 ]; then pass; else fail "exit code $status, expected 1"; fi
}

for signal in INT TERM; do
    rm -f kept.h5
    interrupted $signal run "$model" --until "1000000 s" --steps -o kept.h5
    expect_error_contains "Interrupted at t = "
    expect_error_matches "^  steps +[1-9]"
    expect_error_contains "kept.h5"
    expect_no_file kept.h5.part
    expect_exit 0 export kept.h5 --summary
    expect_contains "status = STOP_INTERRUPTED"
    steps=$(sed -n 's/^steps = //p' .stdout)
    expect_exit 0 export kept.h5 --channels upper.angle
    expect_lines $((steps + 2)) .stdout
done

# A run that is killed leaves its part file, which can be read as far as it was flushed; the next run takes over.
"$LASH" run "$model" --until "1000000 s" --steps -o killed.h5 -q </dev/null &
process=$!
await "no rows are written" grown killed.h5.part 100000
expect_exit 4 run "$model" -o killed.h5
expect_error_contains "another run"
kill -KILL $process
wait $process 2>/dev/null
expect_no_file killed.h5
expect_exit 0 run "$model" --until 0.1 -o killed.h5 -q
expect_file killed.h5
expect_no_file killed.h5.part
finish
