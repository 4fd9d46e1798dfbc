#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Plots of studies through gnuplot: pictures, names and units in them, mistakes, and a machine without gnuplot.
. "${0%/*}/lib.sh"
cp "$EXAMPLES/flores-2010.yaml" model.yaml
cat >sweep.yaml <<STUDY
title: It's "play" \`at\` the gudgeon pin
model: model.yaml
axes: {gudgeon: [ideal, clearance], play: [0.1 mm, 0.2 mm, 0.3 mm]}
run: {until: 1 rev of motor, rtol: 1e-6}
section: {channels: [slider.vx, slider.x], keep: true}
metrics: [max slider.ax, min slider.vx]
STUDY
expect_exit 0 study sweep.yaml -q
plot() { expect_exit "$1" study plot sweep.db "${@:2}"; }

# --- Mistakes need no gnuplot
plot 2 --y "max slider.ax"
expect_error_contains "plot needs --x AXIS and --y METRIC"
plot 2 --x gudgeon --y "max slider.ax"
expect_error_contains "'gudgeon' is not a column of numbers"
plot 2 --x play --y "max slider.axx"
expect_error_contains "neither a column nor cuts of a channel 'max slider.axx'"
plot 2 --x play --y "max slider.ax" -o picture.bmp
expect_error_contains "should end in .svg, .png or .pdf"
plot 2 --x play --y "max slider.ax" -j 2
expect_exit 2 study sweep.yaml --x play
expect_no_file sweep.svg

# --- Without gnuplot
mkdir empty
status=0
PATH=$PWD/empty "$LASH" study plot sweep.db --x play --y "max slider.ax" >.stdout 2>.stderr </dev/null || status=$?
if [ "$status" -eq 1 ]; then pass; else fail "exit code $status without gnuplot, expected 1"; fi
expect_error_contains "gnuplot, which draws the plot, is not installed"
expect_no_file sweep.svg
expect_no_file sweep.svg.part

if ! command -v gnuplot >/dev/null; then
    echo "plots: skipped, gnuplot is not installed"
    finish
fi
plot 0 --x play --y "max slider.ax"
expect_silent
for text in "play (mm)" "max slider.ax (10³ m/s²)" "gudgeon ideal" "gudgeon clearance" "It’s" "\`at\`" "</svg>"; do
    expect "the plot lacks: $text" bash -c 'sed -e "s/&quot;/\"/g" -e "s/&#39;/'\''/g" sweep.svg | grep -qF -- "$1"' - "$text"
done
# Cuts: one point for each; the unit is that of the channel, lengths are in mm.
plot 0 --x play --y slider.vx -o cuts.svg
expect "the plot of cuts lacks its label" grep -qF "slider.vx (m/s)" cuts.svg
plot 0 --x play --y slider.x -o cuts.svg
expect "the plot of cuts lacks its label" grep -qF "slider.x (mm)" cuts.svg
# Drawn parameters: over what was drawn, not over the number of the draw.
cat >drawn.yaml <<STUDY
model: model.yaml
sample: {count: 4, play: {uniform: [0.1 mm, 0.2 mm]}}
run: {until: 1 ms}
metrics: [max slider.ax]
STUDY
expect_exit 0 study drawn.yaml -q
expect_exit 0 plot drawn.db -o drawn.svg -q
expect "a drawn study is not drawn over its parameter" grep -qF "play (mm)" drawn.svg
expect_exit 0 plot drawn.db --what list
if grep -q map .stdout; then fail "a map over the number of the draw"; else pass; fi
# The error bars of exponents are whole: the range holds value and error.
cat >exponents.yaml <<STUDY
model: model.yaml
axes: {play: [0.1 mm, 0.2 mm]}
run: {until: 4 rev of motor, rtol: 1e-6}
section: {channels: [slider.vx]}
metrics: [exponent, exponent-error]
STUDY
expect_exit 0 study exponents.yaml -q
expect_exit 0 plot exponents.db --what lyapunov -o exponents.svg --script exponents.gp -q
expect "an error bar leaves the figure" awk '
    /^set yrange/ { sub(/.*\[/, ""); sub(/\].*/, ""); split($0, a, ":"); low = a[1] + 0; high = a[2] + 0 }
    /^END/ { data = 0 }
    data && ($2 - $3 < low || $2 + $3 > high) { bad = 1 }
    data { rows++ }
    /<< END/ { data = 1 }
    END { exit bad || rows != 2 || high == low }' exponents.gp
plot 0 --x play --y "max slider.ax" -o picture.png
expect "no PNG" bash -c '[ "$(head -c 4 picture.png | tail -c 3)" = PNG ]'
plot 0 --x play --y "max slider.ax" -o picture.pdf
expect "no PDF" bash -c '[ "$(head -c 4 picture.pdf)" = %PDF ]'

# --- What was set is shown in the unit in which the model writes it.
cp "$EXAMPLES/flores-2010.yaml" crank.yaml
cat >speeds.yaml <<'STUDY'
model: crank.yaml
axes: {speed: [1000 rpm, 2000 rpm], play: [0.1 mm, 0.2 mm]}
run: {until: 1 ms, rtol: 1e-5}
metrics: [max gudgeon.fn]
STUDY
expect_exit 0 study speeds.yaml -q
expect_exit 0 plot speeds.db --x speed -o speeds.svg --script speeds.gp -q
expect "the speed is not in rpm" grep -q "^set xlabel.*rpm" speeds.gp
expect "no point at 2000 rpm" grep -qE "^(2000|1999\.9999[0-9]*) " speeds.gp
expect "the curves are not named in mm" grep -q "play 0.1 mm" speeds.gp

# --- An axis that the study divides logarithmically is drawn so, however short it is.
sed 's/^axes:.*/axes: {play: {from: 0.1 mm, to: 0.4 mm, steps: 3, scale: log}}/' speeds.yaml >log.yaml
expect_exit 0 study log.yaml -q
expect_exit 0 plot log.db -o log.svg --script log.gp -q
expect "the axis is not logarithmic" grep -q "^set logscale x" log.gp
expect "the axis lacks labels within its decade" grep -q "^set xtics (.*'0.1' .*'0.2' " log.gp
# One that spans so little that no round number of a decade is in it has labels all the same.
sed 's/from: 0.1 mm, to: 0.4 mm/from: 0.22 mm, to: 0.4 mm/' log.yaml >short.yaml
expect_exit 0 study short.yaml -q
expect_exit 0 plot short.db -o short.svg -q
expect "a short axis lacks labels" bash -c '[ "$(grep -cE ">0\.(2|25|3|35|4)</text>" short.svg)" -ge 3 ]'
expect "an axis is logarithmic that is not" bash -c '! grep -q "^set logscale" speeds.gp'

# --- The samples of a tolerance: a histogram that holds all, and the share below that ends at 100 %.
cat >fit.yaml <<'STUDY'
model: crank.yaml
sample: {count: 40, seed: 3, play: {fit: H7/f7 at 20 mm}}
run: {until: 1 ms, rtol: 1e-5}
metrics: [max gudgeon.fn]
STUDY
expect_exit 0 study fit.yaml -q
expect_exit 0 plot fit.db --what list
expect_contains distribution
expect_exit 0 plot fit.db --what distribution -o fit.svg --script fit.gp -q
expect "the histogram lacks samples" awk '
    /^END/ { data = "" }
    data == "bins" { count += $2 }
    data == "share" { if ($2 <= last || $1 < at) bad = 1; last = $2; at = $1 }
    /^\$bins/ { data = "bins" } /^\$share/ { data = "share" }
    END { exit bad || count != 40 || last != 100 }' fit.gp
# With the quantiles that are shown as a table.
expect_exit 0 study show fit.db
for percent in 5 50 95; do
    told=$(sed -n "s/.* $percent %: \([0-9.e+-]*\) .*/\1/p" .stdout)
    drawn=$(sed -n "s/^set label '$percent %: \([0-9.e+-]*\) \(k\{0,1\}\)N' .*/\1 \2/p" fit.gp | awk '{ print $1*($2 == "k" ? 1000 : 1) }')
    expect_close "$drawn" "$told" 1e-3
done
expect_exit 0 plot speeds.db --what list
expect_lacks distribution
finish
