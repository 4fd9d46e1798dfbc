#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Pages of `lash report` in a browser: computes results, makes their pages, and looks at them with report.mjs.
#   LASH  the program     WEB  folder with the packages of web/     SOURCE  the source tree     TMP  a folder of its own
# Exits with 77, "skipped", where there is no Node.js, no page or no Chromium.
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
"$LASH" run "$examples/flores-2010.yaml" --set play="0.2 mm" --until "1 rev of motor" -o planar.h5 -q
"$LASH" run "$examples/flores-2010.yaml" --set play="0.5 mm" --until "1 rev of motor" -o large.h5 -q
"$LASH" run "$examples/planar-in-space.yaml" --set play="0.2 mm" --until "0.25 rev of motor" -o spatial.h5 -q
"$LASH" run "$examples/flores-2004.yaml" --until "0.5 rev of motor" -o lubricated.h5 -q
"$LASH" run "$examples/flores-2010.yaml" --until "12 rev of motor" --set run.rtol=1e-7 -o long.h5 -q
cp "$examples/flores-2010.yaml" machine.yaml
cat >study.yaml <<'STUDY'
title: "Speed <b>and</b> play </script><script>window.owned = 1</script>"
model: machine.yaml
axes:
  speed: {from: 1000 rpm, to: 3000 rpm, steps: 3}
  play: {from: 0.1 mm, to: 0.4 mm, steps: 4}
run: {until: 3 rev of motor, rtol: 1e-6}
discard: 1 rev of motor
section: {channels: [slider.vx], keep: true}
metrics: [max gudgeon.fn, rms motor.torque]
STUDY
"$LASH" study study.yaml -q
sed 's/, keep: true//; s/steps: [34]/steps: 2/' study.yaml >unkept.yaml # a section whose cuts are not kept
"$LASH" study unkept.yaml -q

# A model whose free texts try to get out of the page. Names cannot hold such characters; a file may be forged all the same.
title='</title></script><script>window.owned = 1</script><img src=x onerror="window.owned = 2">'
sed "s|^title:.*|title: '$title \xe2\x80\xa8 \&amp;'|; 1i # --> <!-- <script> </script><script>window.owned = 3</script>" machine.yaml >hostile.yaml
"$LASH" run hostile.yaml --until "0.2 rev of motor" -o hostile.h5 -q
sed 's|constraint\.velocity|<svg onload=owned()|g' hostile.h5 >forged.h5

for name in planar spatial lubricated long hostile forged; do
    "$LASH" report $name.h5 -q
    "$LASH" export $name.h5 >$name.csv
done
"$LASH" report planar.h5 large.h5 -o two.html -q
"$LASH" report study.db -q
"$LASH" report unkept.db -q
node "$SOURCE/tests/web/report.mjs" "$WEB" "$TMP"
