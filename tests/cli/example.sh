#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lash example: the list, the files, and that every one of them can be checked and run.
. "${0%/*}/lib.sh"

expect_exit 0 example
expect_no_errors
for file in "$EXAMPLES"/*.yaml; do
    name=${file##*/}
    expect_matches "^${name%.yaml} +[A-Z]"
done
expect_lines "$(ls "$EXAMPLES"/*.yaml | wc -l)" .stdout
expect_lacks .csv

expect_exit 0 example slider-crank
expect_silent
expect_error_contains "slider-crank.yaml"
expect_same slider-crank.yaml "$EXAMPLES/slider-crank.yaml"
echo mine >slider-crank.yaml
expect_exit 4 example slider-crank
expect_error_contains "--force"
echo mine | cmp -s - slider-crank.yaml && pass || fail "an existing file was overwritten"
expect_exit 0 example slider-crank --force
expect_same slider-crank.yaml "$EXAMPLES/slider-crank.yaml"
expect_exit 0 example slider-crank.yaml -o -
expect_same .stdout "$EXAMPLES/slider-crank.yaml"
expect_exit 0 example slider-crank -o mine.yaml
expect_same mine.yaml "$EXAMPLES/slider-crank.yaml"
expect_exit 2 example slider-krank
expect_error_contains "did you mean 'slider-crank'"
expect_exit 2 example nothing-like-it
expect_exit 2 example gas-force
expect_exit 4 example slider-crank -o no/such/folder.yaml

# --- With the table it reads
expect_exit 0 example engine
expect_same gas-force.csv "$EXAMPLES/gas-force.csv"
mkdir sub
expect_exit 0 example engine -o sub/my-engine.yaml
expect_same sub/gas-force.csv "$EXAMPLES/gas-force.csv"
expect_exit 0 check sub/my-engine.yaml

# --- All of them, from the file as written
mkdir all && cd all || exit 1
for file in "$EXAMPLES"/*.yaml; do
    name=${file##*/}
    name=${name%.yaml}
    expect_exit 0 example "$name" --force
    expect_exit 0 check "$name.yaml"
    expect_no_errors
    expect_matches "degrees of freedom"
    coarse=()
    # Its ball follows the socket for long times after slow onsets, where the contact is stiff: how long is chance.
    [ "$name" = flores-2006 ] && coarse=(--rtol 1e-6)
    expect_exit 0 run "$name.yaml" --set run.max_steps=100000 "${coarse[@]}" -o "$name.h5"
    expect_file "$name.h5"
done
finish
