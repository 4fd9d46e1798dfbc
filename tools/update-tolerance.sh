#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Puts the table of errors against tolerances into docs/validation/tolerance.md, from runs of its machines.
#   tools/update-tolerance.sh [PROGRAM]      PROGRAM: build/tests/physics_tolerance unless given
set -eu
cd "$(dirname "$0")/.."
program=${1:-build/tests/physics_tolerance}
page=docs/validation/tolerance.md
new=$(mktemp)
trap 'rm -f "$new"' EXIT
sed '/<!-- table: begin -->/q' "$page" > "$new"
"$program" table >> "$new"
sed -n '/<!-- table: end -->/,$p' "$page" >> "$new"
cat "$new" > "$page"
