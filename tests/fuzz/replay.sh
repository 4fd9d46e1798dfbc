#!/bin/bash
# SPDX-License-Identifier: MIT
#
# replay.sh NAME COUNT: one fuzz entry with its corpus and COUNT changes of it, the same each time. Needs LASH, REPLAY
# (the program replay_NAME), SOURCE (the source tree) and TMP (a folder of its own).
set -eu
name=$1
rm -rf "$TMP"
mkdir -p "$TMP"
case $name in
model) seeds="$SOURCE/examples $SOURCE/tests/broken $SOURCE/tests/fuzz/corpus/model" ;;
solver) seeds="$SOURCE/examples $SOURCE/tests/broken $SOURCE/tests/fuzz/corpus/model $SOURCE/tests/fuzz/corpus/solver" ;;
result | table | life)
    bash "$SOURCE/tests/fuzz/seeds.sh" "$TMP"
    seeds=$TMP/$name
    ;;
*) seeds=$SOURCE/tests/fuzz/corpus/$name ;;
esac
cd "$TMP"
# shellcheck disable=SC2086
exec "$REPLAY" "$2" $seeds
