#!/bin/bash
# SPDX-License-Identifier: MIT
#
# seeds.sh FOLDER: the inputs that the program makes itself, for the fuzz entries of results and study tables.
# Needs LASH, the program.
set -eu
mkdir -p "$1/result" "$1/table"
cp "${0%/*}/../bob.yaml" "$1/model.yaml"
cd "$1"
printf 'model: model.yaml\naxes: {play: [0.4 mm, 0.5 mm]}\nmetrics: [max bob.y, rms bob.vy]\n' >study.yaml
"$LASH" run model.yaml -q --channels bob.x,bob.y -o result/samples.h5
"$LASH" run model.yaml -q --channels bob.x --steps -o result/steps.h5
"$LASH" study study.yaml -q -o table/study.db
