#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the built-in slider-crank in BUILD/demo and says where the result is: tools/demo.sh BUILD
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
echo "Next:   cd $1/demo && ../lash export slider-crank.h5"
