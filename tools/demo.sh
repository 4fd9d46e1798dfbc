#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What play does to a slider-crank, in BUILD/demo: two runs, one ideal and one with play, a comparison in words, a figure, a page of
# both, and a live page. Prints the commands as it runs them.
#   tools/demo.sh BUILD
set -eu
build=$1
cd "$build"
PATH=$PWD:$PATH
rm -rf demo
mkdir demo
cd demo
lash example flores-2010 2>/dev/null
mv flores-2010.yaml slider-crank.yaml

show() {
    printf '  lash'
    for word; do
        case $word in *" "*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    echo
    lash "$@" 2>said || { cat said >&2 && exit 1; }
}
echo "A slider-crank at 5000 rpm, once with an ideal gudgeon pin and once with 0.5 mm of play. In $build/demo:"
echo
show run slider-crank.yaml --set gudgeon=ideal --until "4 rev of motor" -n 4000 -o ideal.h5
show run slider-crank.yaml --set play="0.5 mm" --until "4 rev of motor" -n 4000 -o play.h5
page=
if lash report ideal.h5 -o page.html -q 2>said; then
    show report play.h5 ideal.h5 -o page.html -q
    page=page.html
else
    cat said
fi

# largest RESULT CHANNEL: its largest absolute value after the first turn.
largest() {
    lash stats "$1.h5" --from "1 rev" --channels "$2" | awk -v name="$2" '$1 == name { n = NF; low = $(n - 6); high = $(n - 5); print (-low > high ? -low : high) }'
}
echo
echo "The largest values after the first turn:"
echo
printf '  %-26s %12s %12s\n' "" ideal "with play"
compare() {
    ideal=$(largest ideal "$2") play=$(largest play "$2")
    awk -v what="$1" -v a="$ideal" -v b="$play" -v size="$3" -v unit="$4" 'BEGIN {
        printf "  %-26s %9.4g %-2s %9.4g %-2s   %.1f times\n", what, a / size, unit, b / size, unit, b / a }'
}
compare "force on the pin" gudgeon.f 1000 kN
compare "acceleration of the slider" slider.ax 9.81 g
compare "torque of the motor" motor.torque 1 "Nm"
echo
lash export play.h5 --summary | awk -F ' = ' '
    $1 == "gudgeon.impacts" { impacts = $2 }
    $1 == "gudgeon.free_fraction" { free = $2 }
    END { printf "The pin flies freely for %.0f %% of the time, and hits its bearing %d times in four turns.\n", 100 * free, impacts }'
lash plot play.h5 --against ideal.h5 --channels slider.ax,motor.torque,gudgeon.f --from "1 rev" -o figure.svg -q 2>said || cat said
echo
[ ! -e figure.svg ] || echo "Figure: $build/demo/figure.svg"
[ -z "$page" ] || echo "Page:   $build/demo/page.html shows both machines in motion, with the play magnified."
if lash live slider-crank.yaml --set play="0.5 mm" -o live.html -q 2>said; then
    echo "Live:   $build/demo/live.html computes in the browser: move the sliders and watch."
else
    cat said
fi
rm -f said
echo "Open them in a browser: xdg-open $build/demo/${page:-figure.svg}"
echo "Next:   docs/tutorial.md"
