#!/bin/bash
# SPDX-License-Identifier: MIT
#
# seeds.sh FOLDER: the inputs that the program makes itself, for the fuzz entries of results and study tables.
# Needs LASH, the program.
set -eu
mkdir -p "$1/result" "$1/table"
cd "$1"
cat >model.yaml <<'MODEL'
title: Seed
gravity: [0, -9.81]
parameters: {play: 0.5 mm}
materials: {steel: {young: 207 GPa, poisson: 0.3}}
bodies: {bob: {mass: 1, inertia: 0.01, points: {a: [0, 0.1]}, position: [0, -0.1]}}
joints:
  pin:
    type: revolute
    between: [ground, bob.a]
    clearance: {bearing_radius: 1 cm, radial: $play, materials: steel, contact: {restitution: 0.9}}
run: {until: 0.02 s, samples: 5}
MODEL
printf 'model: model.yaml\naxes: {play: [0.4 mm, 0.5 mm]}\nmetrics: [max bob.y, rms bob.vy]\n' >study.yaml
"$LASH" run model.yaml -q --channels bob.x,bob.y -o result/samples.h5
"$LASH" run model.yaml -q --channels bob.x --steps -o result/steps.h5
"$LASH" study study.yaml -q -o table/study.db
