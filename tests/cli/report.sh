#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lash report: files of other kinds, choices, names of pages. What the pages do is tested in tests/web.
. "${0%/*}/lib.sh"
"$LASH" run "$EXAMPLES/flores-2010.yaml" --until "0.5 rev of motor" -o r.h5 -q
run report r.h5
if grep -q "built without the page" .stderr; then
    [ "$status" -eq 1 ] || fail "exit code $status, expected 1"
    echo "skipped: there is no page in this program"
    exit 0
fi
[ "$status" -eq 0 ] || fail "exit code $status"
expect_error_contains "r.html"
expect_file r.html
expect_no_file r.html.part
expect_exit 0 report r.h5 -o page.html -q
expect_no_errors
expect_same r.html page.html
expect_exit 0 report r.h5 -o -
expect_same r.html .stdout
expect_exit 0 report r.h5 r.h5 -o two.html

# --- The page names nothing outside itself
if grep -oE '<(script|link|img|iframe)[^>]*(src|href)="[^"]*"' r.html | grep -qv 'href="data:,"'; then fail "the page loads something"; else pass; fi
if grep -q "default-src 'none'" r.html; then pass; else fail "the page has no policy"; fi

# --- It has what the terminal warns of, word for word
cat >far.yaml <<'END'
bodies: {bar: {mass: 2, inertia: 0.3, position: [0.5, 1], points: {p: [-0.5, 0]}}}
joints: {pin: {type: revolute, between: [ground, bar.p]}}
run: {until: 0.1 s}
END
expect_exit 0 run far.yaml
expect_error_contains "body 'bar' starts elsewhere: "
warning=$(sed -n 's/^  warning: //p' .stderr)
expect_exit 0 report far.h5
if grep -qF "warning.1 = $warning" far.html; then pass; else fail "the page lacks: $warning"; fi

# --- Parts of a run
expect_exit 0 report r.h5 --channels 'gudgeon.*' -o few.html
if [ "$(wc -c <few.html)" -lt "$(wc -c <r.html)" ]; then pass; else fail "fewer channels take no less room"; fi
expect_exit 2 report r.h5 --channels nothing.here
expect_error_contains "has none of the channels"
expect_exit 0 report r.h5 --from "1 ms" --to "2 ms" -o part.html
if [ "$(wc -c <part.html)" -lt "$(wc -c <r.html)" ]; then pass; else fail "a part of the run takes no less room"; fi
expect_exit 2 report r.h5 --from "2 ms" --to "1 ms"
expect_error_contains "no rows between"
expect_exit 2 report r.h5 --from "2 mm"
expect_exit 2 report r.h5 --stream samples
expect_error_contains "has no samples"
expect_exit 2 report r.h5 --stream rows
expect_exit 2 report
expect_exit 2 report r.h5 r.h5 r.h5

# --- Files that cannot be read or written
rm -f r.html
expect_exit 4 report missing.h5
expect_error_contains "missing.h5"
echo "not a result" >text.h5
expect_exit 4 report text.h5
expect_error_contains "is not an HDF5 file"
head -c 3000 r.h5 >cut.h5
expect_exit 4 report cut.h5
head -c "$(($(wc -c <r.h5) / 2))" r.h5 >half.h5
expect_exit 4 report half.h5
expect_exit 4 report r.h5 missing.h5 -o two.html
expect_exit 4 report r.h5 -o missing/page.html
expect_error_contains "missing/page.html"
mkdir folder
expect_exit 4 report r.h5 -o folder
expect_exit 4 report folder
cp r.h5 same.h5
ln -s same.h5 link.h5
expect_exit 2 report same.h5 -o same.h5
expect_error_contains "would overwrite 'same.h5'"
expect_exit 2 report link.h5 -o same.h5
expect_same r.h5 same.h5
if [ -e /dev/full ]; then
    expect_exit 4 report r.h5 -o /dev/full
fi
expect_no_file r.html

# --- A model that this program does not understand: the figures are there, the machine is not
sed 's/type: revolute/type: revolved/' r.h5 >strange.h5
expect_exit 0 report strange.h5
expect_error_contains "the machine is not drawn"
expect_file strange.html
# A table that is somewhere else does not matter to the drawing.
"$LASH" run "$EXAMPLES/engine.yaml" --until "1 ms" -o engine.h5 -q
expect_exit 0 report engine.h5 -q
expect_no_errors

# --- Studies
cp "$EXAMPLES/flores-2010.yaml" .
printf 'model: flores-2010.yaml\naxes: {play: [0.1 mm, 0.2 mm]}\nrun: {until: 1 ms}\nmetrics: [max gudgeon.fn]\n' >s.yaml
"$LASH" study s.yaml -q
expect_exit 0 report s.db
expect_file s.html
expect_exit 2 report s.db r.h5
expect_exit 2 report s.db --channels a
expect_exit 4 report s.db -o missing/s.html
{ printf 'SQLite format 3\0'; head -c 4000 /dev/zero; } >fake.db
run report fake.db
if [ "$status" -eq 2 ] || [ "$status" -eq 4 ]; then pass; else fail "exit code $status of a damaged study"; fi
finish
