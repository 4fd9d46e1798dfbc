#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Pages of `lash live` in a browser: makes them and what the program itself computes, and compares with live.mjs.
#   LASH  the program     WEB  folder with the packages of web/     SOURCE  the source tree     TMP  a folder of its own
# Exits with 77, "skipped", where there is no Node.js, no page, no solver or no Chromium.
set -eu
skip() {
    echo "skipped: $1"
    exit 77
}
command -v node >/dev/null || skip "Node.js is not installed"
[ -d "$WEB/node_modules/playwright-core" ] || skip "the packages of web/ could not be fetched when the program was built"
CHROMIUM=${CHROMIUM:-$(command -v chromium || :)}
[ -n "$CHROMIUM" ] || skip "Chromium is not installed (tools/install-deps.sh test)"
export CHROMIUM

rm -rf "$TMP" && mkdir -p "$TMP" && cd "$TMP"
examples=$SOURCE/examples
"$LASH" live -o gallery.html -q 2>said || { grep -q "built without the solver" said && skip "$(cat said)"; cat said; exit 1; }

# NAME MODEL RTOL SETTING…: the page, and the events and the summary as the program computes them. The mathematical libraries of
# both differ by one unit in the last place. So that it is known what the program itself leaves open, it also runs with
# tolerances that differ in the eighth to the twelfth digit.
: >cases
both() {
    name=$1 model=$2 rtol=$3
    shift 3
    arguments=()
    for setting; do arguments+=(--set "$setting"); done
    for digits in 000000000001 0000000001 00000001; do
        "$LASH" run "$model" "${arguments[@]}" --set "run.rtol=${rtol/e/.${digits}e}" -o "$name.h5" -q
        "$LASH" export "$name.h5" --summary >"$name.summary-$digits"
        "$LASH" export "$name.h5" --events >"$name.events-$digits.csv"
    done
    arguments+=(--set "run.rtol=$rtol")
    "$LASH" live "$model" "${arguments[@]}" -o "$name.html" -q
    "$LASH" run "$model" "${arguments[@]}" -o "$name.h5" -q
    "$LASH" export "$name.h5" --events >"$name.events.csv"
    "$LASH" export "$name.h5" --summary >"$name.summary"
    echo "$name" >>cases
}
both plane "$examples/flores-2010.yaml" 1e-8 "run.until=2 rev of motor"
both space "$examples/flores-2006.yaml" 1e-8 "play=0.1 mm" restitution=0.5 "run.until=0.1 s"
# The same, driven, for more than a turn.
sed -e '/^run:/i drives: {motor: {joint: crank_pivot, speed: 2000 rpm}}' "$examples/flores-2006.yaml" >driven.yaml
both turning driven.yaml 1e-8 "play=0.05 mm" restitution=0.3 "run.until=1.2 rev of motor"
both oiled-ball "$examples/flores-2006.yaml" 1e-8 ball=lubricated "run.until=1 s"
both film "$examples/flores-2004.yaml" 1e-8 "run.until=2 rev of motor"
both rigid "$examples/stops.yaml" 1e-6 contact=rigid
both guide "$examples/flores-2008-guide.yaml" 1e-8 "run.until=0.1 s"
both gear "$examples/robot-elbow.yaml" 1e-6 "run.until=1.2 s"
both claws "$examples/coupling.yaml" 1e-6 "run.until=2 rev of drive"
both table "$examples/engine.yaml" 1e-6 "run.until=0.1 s"

# A small machine for hundreds of runs, one that takes minutes, and one whose texts try to get out of the page.
cat >small.yaml <<'MODEL'
title: Small
parameters:
  play: {value: 0.2 mm, range: [0.1 mm, 0.8 mm]} # how much
bodies:
  arm: {mass: 1, inertia: 0.02, position: [0, -0.2], angle: -90 deg, points: {top: [-0.2, 0]}, velocity: [1, 0], angular_velocity: 5}
joints:
  pin: {type: revolute, between: [ground, arm.top], clearance: {bearing_radius: 10 mm, diametric: $play, contact: {stiffness: 1e8, restitution: 0.5}}}
forces:
  pull: {type: force, at: arm, force: [1, 0]}
run: {until: 20 ms, samples: 100}
MODEL
"$LASH" live small.yaml -o small.html -q
"$LASH" live "$examples/flores-2010.yaml" --set "run.until=100000 rev of motor" --set run.rtol=1e-10 -o long.html -q
title='</title></script><script>window.owned = 1</script><img src=x onerror="window.owned = 2">'
sed "s|^title:.*|title: '$title \xe2\x80\xa8 \&amp;'|; 1i # --> <!-- <script> </script><script>window.owned = 3</script>" small.yaml >hostile.yaml
"$LASH" live hostile.yaml -o hostile.html -q
"$LASH" live "$examples/flores-2010.yaml" --set "run.until=1 rev of motor" --set run.rtol=1e-5 -o study.html -q
node "$SOURCE/tests/web/live.mjs" "$WEB" "$TMP" "$SOURCE/tests/broken" "$examples/flores-2010.yaml"
