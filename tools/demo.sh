#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the built-in slider-crank in BUILD/demo, makes a live page of the one with play, and says where they are:
#   tools/demo.sh BUILD
set -eu
cd "$1"
lash=$PWD/lash
rm -rf demo
mkdir demo
cd demo
"$lash" example slider-crank
"$lash" run slider-crank.yaml -o slider-crank.h5
echo
echo "Model:  $1/demo/slider-crank.yaml"
echo "Result: $1/demo/slider-crank.h5"
if "$lash" example flores-2010 && "$lash" live flores-2010.yaml -o slider-crank-live.html -q; then
    echo "Live:   $1/demo/slider-crank-live.html has play. Open it in a browser (xdg-open $1/demo/slider-crank-live.html),"
    echo "        move the sliders and watch."
fi
echo "Next:   cd $1/demo && ../lash export slider-crank.h5"
