#!/bin/bash
# SPDX-License-Identifier: MIT
#
# seeds.sh FOLDER: the inputs that the program makes itself, for the fuzz entries of results, study tables and lives; the
# models and studies of the documents; and a dictionary of all words of the format. Needs LASH, the program.
set -eu
rm -rf "$1"
mkdir -p "$1/result" "$1/table" "$1/life"
cp "${0%/*}/../bob.yaml" "$1/model.yaml"
mkdir "$1/documents"
awk -v folder="$1/documents" '/^```/ { inside = /yaml/; n++; next } inside { print >(folder "/" n ".yaml") }' "${0%/*}"/../../docs/*.md
"$LASH" help schema | python3 "${0%/*}/words.py" | cat "${0%/*}/yaml.dict" - >"$1/words.dict"
cd "$1"
printf 'model: model.yaml\naxes: {play: [0.4 mm, 0.5 mm]}\nmetrics: [max bob.y, rms bob.vy]\n' >study.yaml
"$LASH" run model.yaml -q --channels bob.x,bob.y -o samples.h5
"$LASH" run model.yaml -q --channels bob.x --steps -o steps.h5
"$LASH" study study.yaml -q -o study.db
cat >worn.yaml <<'MODEL'
gravity: [0, -9.81]
bodies: {shaft: {mass: 20, inertia: 0.02}}
joints:
  bush: {type: revolute, between: [ground, shaft], clearance: {bearing_radius: 10 mm, radial: 0.05 mm, length: 15 mm, offset: [0, -0.05 mm],
    contact: {law: hunt-crossley, stiffness: 1e9, restitution: 0.1, approach: energy}, wear: {k: 1e-12, sectors: 16}}}
drives: {motor: {joint: bush, speed: 60 rpm}}
run: {until: 1 rev of motor}
MODEL
"$LASH" wear worn.yaml -q --until "turns: 1000" --tolerance 0.1 -o life.db >/dev/null
# Without the room that the program leaves for more rows, a twelfth of the size: changes meet something, and take less time.
for name in samples steps; do
    h5repack -j 1 -l CONTI $name.h5 result/$name.h5 || cp $name.h5 result/$name.h5
done
python3 - <<'EOF' || { cp study.db table/study.db && cp life.db life/life.db; }
import sqlite3
for name, folder in ("study", "table"), ("life", "life"):
    database = sqlite3.connect(name + ".db")
    database.execute("PRAGMA journal_mode = DELETE")
    database.execute("PRAGMA page_size = 512")
    database.execute("VACUUM INTO '%s/%s.db'" % (folder, name))
EOF
