#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Draws the figures of docs/images from runs of the program: tools/make-figures.sh [PROGRAM]   (build/lash unless given)
# Needs gnuplot (Debian: gnuplot-nox).
#
#   plot-*.png  by the commands of docs/figures.md
#   tutorial-*.png  by those of docs/tutorial.md
#   wear-*.png  lives of three examples, for docs/wear.md: most of an hour
#   play.png    flores-2010 at 5000 rpm with play at the gudgeon pin: above, what the play does to the slider in the third
#               turn; below, the path of the pin's centre inside its bearing in the first turn
set -eu
cd "$(dirname "$0")/.."
case ${1:-build/lash} in
/*) program=$1 ;;
*) program=$PWD/${1:-build/lash} ;;
esac
command -v gnuplot >/dev/null || { echo "gnuplot is missing; on Debian: apt-get install gnuplot-nox" >&2; exit 1; }
images=$PWD/docs/images
model=$PWD/examples/flores-2010.yaml
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$images"
cd "$scratch"

# One row per tenth of a degree.
run() { # NAME SETTING…
    name=$1
    shift
    "$program" run "$model" "$@" --until "3 rev of motor" --samples 10800 --csv "$name.csv" -q
}
run ideal --set gudgeon=ideal --channels motor.angle,slider.vx,slider.ax
for play in 0.05 0.2 0.5; do
    run "$play" --set play="$play mm" --channels motor.angle,slider.vx,slider.ax,gudgeon.ex,gudgeon.ey
done

gnuplot <<GNUPLOT
set terminal pngcairo size 1600,1150 font "DejaVu Sans,17" linewidth 1.4 background "white"
set output "$images/play.png"
set datafile separator ","
# Okabe and Ito's colours, which colour-blind readers can tell apart too: the ideal joint, then by size of the play.
ideal = "#000000"; small = "#0072B2"; middle = "#E69F00"; large = "#CC79A7"
angle(x) = x*180/pi - 720
set border lc "#404040" lw 0.8
set tics nomirror scale 0.6
set grid lc "#C8C8C8" lw 0.6
unset key
set multiplot

# --- one legend for all
set label 1 "diametric play at the gudgeon pin:" at screen 0.065,0.972
set label 2 "0.05 mm" at screen 0.40,0.972 textcolor rgb small font ",19"
set label 3 "0.2 mm" at screen 0.53,0.972 textcolor rgb middle font ",19"
set label 4 "0.5 mm" at screen 0.65,0.972 textcolor rgb large font ",19"
set label 5 "ideal joint" at screen 0.77,0.972 textcolor rgb ideal font ",19"
set arrow 2 from screen 0.365,0.972 to screen 0.395,0.972 nohead lw 3 lc rgb small
set arrow 3 from screen 0.495,0.972 to screen 0.525,0.972 nohead lw 3 lc rgb middle
set arrow 4 from screen 0.615,0.972 to screen 0.645,0.972 nohead lw 3 lc rgb large
set arrow 5 from screen 0.735,0.972 to screen 0.765,0.972 nohead lw 3 lc rgb ideal

# --- above: the slider in the third turn
set xrange [0:360]
set xtics 60
set xlabel "crank angle in deg" offset 0,0.4
set tmargin screen 0.895
set bmargin screen 0.585
set lmargin screen 0.065
set rmargin screen 0.485
set title "slider velocity less that of the ideal machine, m/s" offset 0,-0.5
with_ideal(name) = sprintf("< paste -d, %s ideal.csv", name)
plot with_ideal("0.5.csv") every ::7201 using (angle(\$2)):(\$3 - \$9) with lines lw 1.6 lc rgb large, \
     with_ideal("0.2.csv") every ::7201 using (angle(\$2)):(\$3 - \$9) with lines lw 1.6 lc rgb middle, \
     with_ideal("0.05.csv") every ::7201 using (angle(\$2)):(\$3 - \$9) with lines lw 1.6 lc rgb small
unset label
unset arrow
set lmargin screen 0.56
set rmargin screen 0.98
set title "slider acceleration, 1000 m/s²"
plot "0.5.csv" every ::7201 using (angle(\$2)):(\$4/1e3) with lines lw 1.2 lc rgb large, \
     "0.2.csv" every ::7201 using (angle(\$2)):(\$4/1e3) with lines lw 1.2 lc rgb middle, \
     "0.05.csv" every ::7201 using (angle(\$2)):(\$4/1e3) with lines lw 1.2 lc rgb small, \
     "ideal.csv" every ::7201 using (angle(\$2)):(\$4/1e3) with lines lw 2.4 lc rgb ideal

# --- below: path of the pin in its bearing during the first turn
set label 1 "path of the pin's centre in its bearing, first turn, from the middle; in µm, the dashed circle is the radial play" \
    at screen 0.5,0.478 center
set tmargin screen 0.44
set bmargin screen 0.06
unset xlabel
unset title
set parametric
set trange [0:2*pi]
set size ratio -1

c = 25.0
set xrange [-1.7*c:1.7*c]
set yrange [-1.7*c:1.7*c]
set xtics 25
set ytics 25
set lmargin screen 0.055
set rmargin screen 0.335
plot "0.05.csv" every ::1::3600 using (\$5*1e6):(\$6*1e6) with lines lw 1.2 lc rgb small, c*cos(t), c*sin(t) with lines lw 1.2 dt 2 lc "#404040"
unset label
c = 100.0
set xrange [-1.7*c:1.7*c]
set yrange [-1.7*c:1.7*c]
set xtics 100
set ytics 100
set lmargin screen 0.38
set rmargin screen 0.66
plot "0.2.csv" every ::1::3600 using (\$5*1e6):(\$6*1e6) with lines lw 1.2 lc rgb middle, c*cos(t), c*sin(t) with lines lw 1.2 dt 2 lc "#404040"
c = 250.0
set xrange [-1.7*c:1.7*c]
set yrange [-1.7*c:1.7*c]
set xtics 250
set ytics 250
set lmargin screen 0.705
set rmargin screen 0.985
plot "0.5.csv" every ::1::3600 using (\$5*1e6):(\$6*1e6) with lines lw 1.2 lc rgb large, c*cos(t), c*sin(t) with lines lw 1.2 dt 2 lc "#404040"
unset multiplot
GNUPLOT
echo "docs/images/play.png"

# --- the figures of docs/figures.md: its blocks of commands, one after the other
mkdir plots
cd plots
lash() { "$program" "$@"; }
awk '$0 == "```sh" { inside = 1; next } /^```/ { inside = 0 } inside' "$images/../figures.md" >commands
. ./commands
cp plot-*.png "$images"
# --- those of the tutorial, which its test draws
cd "$scratch"
LASH=$program EXAMPLES=$images/../../examples SOURCE=$images/../.. TMP=$scratch/tutorial KEEP=$images bash "$images/../../tests/cli/tutorial.sh"
# --- those of docs/wear.md
cd "$scratch"
lash wear "$images/../../examples/worn-slider-crank.yaml" --until "turns: 2.6e6" -o pins.db -q
lash plot pins.db --joint crankpin -o "$images/wear-profile.png"
lash plot pins.db --what life -o "$images/wear-life.png"
lash wear "$images/../../examples/bell-mouth.yaml" --until "play guide: 0.17 mm" -o guide.db -q
lash plot guide.db -o "$images/wear-guide.png"
lash study "$images/../../examples/studies/start-stop-life.yaml" -o lives.db -q
lash plot lives.db --what weibull -o "$images/wear-weibull.png"
cd "$scratch/plots"
ls plot-*.png | sed 's,^,docs/images/,'
