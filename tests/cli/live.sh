#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lash live: names of pages, models with mistakes, what the page may do. What it does is tested in tests/web.
. "${0%/*}/lib.sh"
cp "$EXAMPLES"/{engine,flores-2010}.yaml "$EXAMPLES/gas-force.csv" .
run live flores-2010.yaml
if grep -q "built without the solver" .stderr; then
    [ "$status" -eq 1 ] || fail "exit code $status, expected 1"
    expect_error_contains "tools/install-deps.sh web"
    echo "skipped: there is no solver in this program"
    finish
    exit 0
fi
[ "$status" -eq 0 ] || fail "exit code $status"
expect_error_contains "flores-2010-live.html"
expect_file flores-2010-live.html
expect_no_file flores-2010-live.html.part
expect_exit 0 live flores-2010.yaml -o page.html -q
expect_no_errors
expect_same flores-2010-live.html page.html
expect_exit 0 live flores-2010.yaml -o -
expect_same page.html .stdout

# --- The page names nothing outside itself, and may do no more than it needs
if grep -oE '<(script|link|img|iframe)[^>]*(src|href)="[^"]*"' page.html | grep -qv 'href="data:,"'; then fail "the page loads something"; else pass; fi
policy=$(grep -o 'Content-Security-Policy" content="[^"]*' page.html)
for part in "default-src 'none'" "'wasm-unsafe-eval'; worker-src blob:" "base-uri 'none'" "form-action 'none'"; do
    case $policy in *"$part"*) pass ;; *) fail "the policy lacks $part: $policy" ;; esac
done
case $policy in *unsafe-inline* | *"'unsafe-eval'"* | *http*) fail "the policy allows too much: $policy" ;; *) pass ;; esac
"$LASH" run flores-2010.yaml --until "0.1 rev of motor" -o r.h5 -q
expect_exit 0 report r.h5 -o report.html -q
if grep -q "wasm-unsafe-eval\|worker-src\|@[A-Z]*@\|id=\"lash-wasm\">" report.html; then fail "a report has what only live pages need"; else pass; fi

# --- Settings and tables are passed on
expect_exit 0 live flores-2010.yaml --set play="0.2 mm" -o set.html -q
expect "the setting is not in the page" grep -q '"play":"0.2 mm"' set.html
expect_exit 0 live engine.yaml -q
expect "the table is not in the page" grep -q '"files":\[{"name":"gas-force.csv"' engine-live.html
expect_exit 0 live -q
expect_file gallery-live.html
expect "an example is missing" grep -q '"name":"coupling.yaml"' gallery-live.html

# --- Mistakes
expect_exit 2 live --set play="1 mm"
expect_error_contains "--set needs a model"
expect_exit 3 live flores-2010.yaml --set play="2 s" -o no.html
expect_no_file no.html
expect_exit 3 live "$SOURCE/tests/broken/473-value-outside-its-range.yaml" -o no.html
expect_error_contains "473-value-outside-its-range.yaml:3:17"
expect_exit 4 live missing.yaml
expect_exit 2 live flores-2010.yaml -o flores-2010.yaml
expect_error_contains "would overwrite"
finish
