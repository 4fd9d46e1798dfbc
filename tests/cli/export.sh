#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lash export: choices, texts, files of other kinds.
. "${0%/*}/lib.sh"
"$LASH" run "$EXAMPLES/slider-crank.yaml" --set speed="3000 rpm" --until "1 rev of motor" --samples 20 -o r.h5 -q

expect_exit 0 export r.h5 --channels slider.x
expect_no_errors
expect_lines 22 .stdout
expect_matches '^time \[s\],slider\.x \[m\]$'
expect_close "$(csv_column .stdout slider.x | sed -n 1p)" 0.17 1e-12
expect_exit 0 export r.h5 --channels 'slider.v*' --channels slider.x
expect_matches '^time \[s\],slider\.vx \[m/s\],slider\.vy \[m/s\],slider\.x \[m\]$'
expect_exit 2 export r.h5 --channels slider.xx
expect_error_contains "did you mean 'slider.x'"
expect_exit 2 export r.h5 --stream step
expect_exit 2 export r.h5 --stream steps
expect_error_contains "has no steps"
expect_exit 2 export r.h5 --events --model
expect_exit 2 export r.h5 --events --channels slider.x

# --- Everything that is needed to run it again
expect_exit 0 export r.h5 --model
expect_same .stdout "$EXAMPLES/slider-crank.yaml"
expect_exit 0 export r.h5 --settings
expect_contains "speed=3000 rpm"
expect_contains "run.until=1 rev of motor"
expect_contains "run.samples=20"
expect_lines 3 .stdout
settings=()
while IFS= read -r setting; do settings+=(--set "$setting"); done <.stdout
expect_exit 0 export r.h5
cp .stdout first.csv
"$LASH" export r.h5 --model >again.yaml
expect_exit 0 run again.yaml "${settings[@]}" --csv second.csv -q
expect_same first.csv second.csv
expect_exit 0 export r.h5 --summary
expect_contains "status = STOP_END"
expect_matches "^steps = [1-9]"
expect_exit 0 export r.h5 --events
expect_matches "^kind,joint,mode,time"

# --- Events of a joint with play
expect_exit 0 run "$EXAMPLES/flores-2010.yaml" --until "2 rev of motor" -o play.h5
expect_error_matches "impacts in [0-9]+ contacts"
expect_error_contains "of the time"
expect_exit 0 export play.h5 --events
expect_matches '^onset,gudgeon,,[0-9.e-]+,'
expect_matches '^release,gudgeon,(impact|following),'
expect_exit 0 run "$EXAMPLES/planar-in-space.yaml" --until "0.2 rev of motor" -o pins.h5 -q
expect_exit 0 export pins.h5 --events
expect_matches '^onset,gudgeon.end1,,'
expect_matches '^release,gudgeon.end2,(impact|following),.*,0,[0-9.e-]+,[0-9.e-]+,[0-9.e-]+,[0-9.e-]+$'
expect_exit 0 run "$EXAMPLES/flores-2006.yaml" --until 50ms -o ball.h5 -q
expect_exit 0 export ball.h5 --events
expect_matches '^onset,ball,.*,-?[01]\.[0-9]+,0,0,0,0$'

# --- To a file, not to the result itself
expect_exit 2 export r.h5 --csv ./r.h5
expect_error_contains "would overwrite the result"
expect_exit 0 export r.h5 --csv out.csv
expect_silent
expect_same out.csv first.csv
expect_exit 0 export r.h5 --csv -
expect_same .stdout first.csv
expect_exit 4 export r.h5 --csv no/such/folder.csv
expect_error_contains "no/such/folder.csv"

# --- Not a result
expect_exit 4 export missing.h5
expect_error_contains "No such file"
expect_exit 4 export .
expect_error_contains "folder"
expect_exit 4 export again.yaml
expect_error_contains "not an HDF5 file"
head -c 3000 r.h5 >cut.h5
expect_exit 4 export cut.h5
expect_error_contains "truncated"
: >empty.h5
expect_exit 4 export empty.h5
finish
