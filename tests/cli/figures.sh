#!/bin/bash
# SPDX-License-Identifier: MIT
#
# docs/figures.md keeps its word: every command in it runs, in the order it is written, and makes the pictures shown.
. "${0%/*}/lib.sh"
if ldd "$LASH" | grep -q libasan || ! command -v gnuplot >/dev/null; then
    echo "skipped: no gnuplot, or nothing here for a sanitizer to find that other tests do not"
    exit 0
fi
page=$SOURCE/docs/figures.md
lash() { "$LASH" "$@"; }
awk '$0 == "```sh" { inside = 1; next } /^```/ { inside = 0 } inside' "$page" >commands
expect_file commands
while IFS= read -r command_line; do
    expect "a command of docs/figures.md fails" eval "$command_line"
done <commands
for picture in "$SOURCE"/docs/images/plot-*.png; do
    name=${picture##*/}
    command_line=$name
    expect_file "$name"
    expect "docs/figures.md does not show the picture" grep -qF "](images/$name)" "$page"
done
# Every preset of the help is there.
for preset in history orbit gap phase poincare hysteresis modes polar energy film spectrum curve map distribution bifurcation lyapunov waterfall; do
    expect_file plot-$preset.png
done
finish
