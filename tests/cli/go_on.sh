# SPDX-License-Identifier: MIT
#
# lash run --from: a run that continues from the end of a result, or from one of its steps, is the uninterrupted one.
# shellcheck shell=bash
. "${0%/*}/lib.sh"

model=$EXAMPLES/flores-2010.yaml
expect_exit 0 run "$model" -q --steps --until "12 ms" -o whole.h5
expect_exit 0 export whole.h5
cp .stdout whole.csv

# From any step on: bit for bit.
for row in 100 700 1500; do
    time=$(sed -n "${row}p" whole.csv | cut -d, -f1)
    expect_exit 0 run "$model" -q --steps --from whole.h5 --at "$time s" --until "12 ms" -o rest.h5
    expect_exit 0 export rest.h5
    tail -n +2 .stdout >rest.csv
    tail -n "+$row" whole.csv >wanted.csv
    expect_same rest.csv wanted.csv
done

# From the end: in two parts and in three, bit for bit.
expect_exit 0 run "$model" -q --steps --until "6 ms" -o first.h5
expect_exit 0 run "$model" -q --steps --until "12 ms" --from first.h5 -o second.h5
expect_exit 0 run "$model" -q --until "6 ms" -n 10 -o same.h5
expect_exit 0 run "$model" -q --steps --until "12 ms" --from same.h5 -o again.h5
expect_same second.h5 again.h5
expect_exit 0 export second.h5
expect_close "$(sed -n 2p .stdout | cut -d, -f1)" 0.006 1e-12
# A part of a part, from a step of it.
time=$(sed -n 200p .stdout | cut -d, -f1)
tail -n +200 .stdout >wanted.csv
expect_exit 0 run "$model" -q --steps --until "12 ms" --from second.h5 --at "$time s" -o third.h5
expect_exit 0 export third.h5
tail -n +2 .stdout >rest.csv
expect_same rest.csv wanted.csv
# The whole account goes on: contacts of both parts.
expect_exit 0 export second.h5 --summary
grep -E '^(end|gudgeon.contacts|gudgeon.peak_force) ' .stdout >both
[ -s both ] || fail "no summary"

# Equal runs make equal files, states and all.
expect_exit 0 run "$model" -q --steps --until "6 ms" -o equal.h5
expect_same first.h5 equal.h5

# What cannot be.
expect_exit 2 run "$model" --from first.h5 --until "5 ms"
expect_error_contains "give a later --until"
expect_exit 2 run "$model" --from first.h5 --at "1.2345 ms" --until "12 ms"
expect_error_contains "no step of 'first.h5' ends at 0.0012345 s; the nearest end at"
expect_exit 2 run "$model" --from first.h5 --at "1 s" --until "2 s"
expect_error_contains "lies outside"
expect_exit 2 run "$model" --at "1 ms"
expect_error_contains "--at needs --from"
expect_exit 2 run "$model" --from first.h5 --until "12 ms" --verify
expect_exit 2 run "$EXAMPLES/slider-crank.yaml" --from first.h5
expect_error_contains "this state belongs to another model or method"
expect_exit 4 run "$model" --from nothing.h5
finish
