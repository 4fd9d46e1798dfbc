#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Puts the tables of keys, as the program itself knows them, between the markers of docs/model-format.md.
#   tools/update-format-reference.sh [PROGRAM]      PROGRAM: build/lash unless given
set -eu
cd "$(dirname "$0")/.."
program=${1:-build/lash}
page=docs/model-format.md
new=$(mktemp)
trap 'rm -f "$new"' EXIT
sed '/<!-- reference: begin -->/q' "$page" > "$new"
"$program" help format >> "$new"
sed -n '/<!-- reference: end -->/,$p' "$page" >> "$new"
cat "$new" > "$page"
