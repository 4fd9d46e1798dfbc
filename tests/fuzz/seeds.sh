#!/bin/bash
# SPDX-License-Identifier: MIT
#
# seeds.sh FOLDER: the inputs that the program makes itself, for the fuzz entries of results and study tables.
# Needs LASH, the program.
set -eu
rm -rf "$1"
mkdir -p "$1/result" "$1/table"
cp "${0%/*}/../bob.yaml" "$1/model.yaml"
cd "$1"
printf 'model: model.yaml\naxes: {play: [0.4 mm, 0.5 mm]}\nmetrics: [max bob.y, rms bob.vy]\n' >study.yaml
"$LASH" run model.yaml -q --channels bob.x,bob.y -o samples.h5
"$LASH" run model.yaml -q --channels bob.x --steps -o steps.h5
"$LASH" study study.yaml -q -o study.db
# Without the room that the program leaves for more rows, a twelfth of the size: changes meet something, and take less time.
for name in samples steps; do
    h5repack -j 1 -l CONTI $name.h5 result/$name.h5 || cp $name.h5 result/$name.h5
done
python3 - <<'EOF' || cp study.db table/study.db
import sqlite3
database = sqlite3.connect("study.db")
database.execute("PRAGMA journal_mode = DELETE")
database.execute("PRAGMA page_size = 512")
database.execute("VACUUM INTO 'table/study.db'")
EOF
