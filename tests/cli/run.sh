#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lash run: where results go, what is recorded, what is said, and that recording changes nothing.
. "${0%/*}/lib.sh"
model=$EXAMPLES/slider-crank.yaml
turn=0.012 # s, at 5000 rpm

# --- Without options: a result named after the model, here; the summary on stderr
expect_exit 0 run "$model"
expect_silent
expect_file slider-crank.h5
expect_no_file slider-crank.h5.part
expect_error_contains "Slider-crank, ideal joints"
expect_error_matches "^  bodies +3$"
expect_error_matches "^  joints +4$"
expect_error_matches "^  degrees of freedom +0 with the drives, 1 without$"
expect_error_matches "^  time +0 s to 24 ms$"
expect_error_matches "^  method +dop853, rtol 1e-06, dense"
expect_error_matches "^  steps +[0-9]+, and [0-9]+ rejected$"
expect_error_matches "^  evaluations +[0-9]+ for the steps, [0-9]+ for events and rows$"
expect_error_matches "^  wall time "
expect_error_matches "^  constraints "
expect_error_matches "^  energy balance "
expect_error_matches "look at it +lash (report|export) slider-crank.h5"
expect_lacks $'\r'
expect_lacks $'\033'

# --- CSV alone; to a file and to standard output; the same rows from the result
expect_exit 0 run "$model" --csv rows.csv --quiet
expect_silent
expect_no_errors
expect_lines 722 rows.csv
expect_no_file rows.h5
expect_exit 0 run "$model" --csv - --quiet
expect_same .stdout rows.csv
expect_exit 0 export slider-crank.h5
expect_same .stdout rows.csv
expect_exit 0 run "$model" -o both.h5 --csv both.csv -q
expect_same both.csv rows.csv
expect_exit 0 export both.h5 --csv again.csv
expect_same again.csv rows.csv
expect_exit 0 run "$model" --csv=equals.csv -q -n720
expect_same equals.csv rows.csv

# --- Equal runs make equal files, byte by byte: long ones with contacts, too, and on a slow disk
for machine in "$model --every 0.0001" "$EXAMPLES/flores-2004.yaml --until 0.05 --every 0.00001"; do
    # shellcheck disable=SC2086
    expect_exit 0 run $machine -o first.h5 -q
    sleep 1.1
    # shellcheck disable=SC2086
    expect_exit 0 run $machine -o second.h5 -q
    expect_same first.h5 second.h5
done

# --- Samples: N + 1 rows, both ends; they change nothing that they do not have to
expect_exit 0 run "$model" --samples 4 --csv four.csv -q
expect_lines 6 four.csv
expect_close "$(csv_column four.csv time | sed -n 1p)" 0 0
expect_close "$(csv_column four.csv time | sed -n 3p)" $turn 1e-15
expect_close "$(csv_column four.csv time | sed -n 5p)" 0.024 1e-15
awk 'NR == 1 || (NR - 2) % 180 == 0' rows.csv >every180.csv
expect_same four.csv every180.csv
expect_exit 0 run "$model" --every "6 ms" --csv every.csv -q
expect_same <(csv_column every.csv slider.x) <(csv_column four.csv slider.x)
expect_exit 0 run "$model" --every 0.006 --csv every.csv -q
expect_lines 6 every.csv

# --- Channels: the same numbers, fewer of them, in the order asked for
expect_exit 0 run "$model" --channels slider.x,motor.torque --csv few.csv -q
head -n 1 few.csv >.stdout
expect_matches '^time \[s\],slider\.x \[m\],motor\.torque \[N m\]$'
expect_same <(csv_column few.csv slider.x) <(csv_column rows.csv slider.x)
expect_same <(csv_column few.csv motor.torque) <(csv_column rows.csv motor.torque)
expect_exit 0 run "$model" --channels 'slider.*' --channels '*.torque, energy.balance' --csv star.csv -q
expect_same <(csv_column star.csv slider.ax) <(csv_column rows.csv slider.ax)
expect_same <(csv_column star.csv energy.balance) <(csv_column rows.csv energy.balance)

# --- Steps: with or without samples, the same
expect_exit 0 run "$model" --steps -o steps.h5 -q
expect_exit 0 run "$model" --steps --samples 7 -o mixed.h5 -q
expect_exit 0 export steps.h5
cp .stdout steps.csv
expect_exit 0 export mixed.h5 --stream steps
expect_same .stdout steps.csv
expect_exit 0 export mixed.h5
expect_lines 9 .stdout
expect_exit 2 export steps.h5 --stream samples

# --- The rows of the run block: steps replace them, which is said; steps=false leaves them
sed 's/samples: [0-9]*/samples: 20/' "$model" >rows.yaml
for way in --steps "--set run.steps=true"; do
    expect_exit 0 run rows.yaml $way -o steps.h5 -q
    expect_error_contains "every step is recorded, but not the rows of the model's run block; to record both, add --samples 20"
    expect_exit 2 export steps.h5 --stream samples
    expect_exit 0 run rows.yaml $way --samples 20 -o mixed.h5 -q
    if [ -s .stderr ]; then fail "a warning although samples are asked for"; else pass; fi
    expect_exit 0 export mixed.h5 --stream samples
    expect_lines 22 .stdout
done
expect_exit 0 run rows.yaml --set run.steps=false -o fewer.h5 -q
if [ -s .stderr ]; then fail "a warning although the samples are kept"; else pass; fi
expect_exit 0 export fewer.h5 --stream samples
expect_lines 22 .stdout
expect_exit 2 export fewer.h5 --stream steps

# --- Settings, end, method and tolerance
expect_exit 0 run "$model" --set speed="1000 rpm" --csv slow.csv -q
expect_close "$(csv_column slow.csv time | tail -n 1)" 0.12 1e-12
expect_exit 0 run "$model" --until "6 ms" --csv short.csv -q
expect_close "$(csv_column short.csv time | tail -n 1)" 0.006 1e-12
expect_close "$(csv_column short.csv slider.x | tail -n 1)" 0.07 1e-8
expect_exit 0 run "$model" --until 0.006 --csv short.csv -q
expect_close "$(csv_column short.csv time | tail -n 1)" 0.006 1e-12
expect_exit 0 run "$model" --until "3 rev of motor" --csv long.csv -q
expect_close "$(csv_column long.csv time | tail -n 1)" 0.036 1e-12
for method in adams gear; do
    expect_exit 0 run "$model" --method $method --rtol 1e-9 --csv $method.csv
    expect_error_matches "^  method +$method, rtol 1e-09"
    expect_close "$(csv_column $method.csv slider.x | sed -n 91p)" "$(csv_column rows.csv slider.x | sed -n 91p)" 1e-6
done
expect_exit 0 run "$model" --rtol 1e-4
loose=$(sed -n 's/^  steps *\([0-9]*\),.*/\1/p' .stderr)
expect_exit 0 run "$model" --rtol 1e-12
tight=$(sed -n 's/^  steps *\([0-9]*\),.*/\1/p' .stderr)
if [ "$loose" -lt "$tight" ]; then pass; else fail "rtol has no effect: $loose and $tight steps"; fi
expect_exit 0 run "$model" --set run.stabilisation=projection -q
expect_exit 0 export slider-crank.h5 --settings
expect_contains "run.stabilisation=projection"

# --- Mistakes in them are reported like those of a file
expect_exit 3 run "$model" --until "3 kg"
expect_error_matches '^--until: error: .*mass.* where a time'
expect_exit 3 run "$model" --until "2 rev of moter"
expect_error_contains "did you mean 'motor'"
expect_exit 3 run "$model" --until -1
expect_error_matches '^--until: error:'
expect_exit 3 run "$model" --every "1 mm"
expect_error_matches '^--every: error:'
expect_exit 3 run "$model" --samples 2.5
expect_error_matches '^--samples: error:'
expect_exit 3 run "$model" --samples 0
expect_exit 3 run "$model" --rtol fast
expect_exit 3 run "$model" --method dop583
expect_error_contains "did you mean 'dop853'"
expect_exit 3 run "$model" --set sped=3
expect_error_matches "^--set: error: .*did you mean 'speed'"
expect_exit 3 run "$model" --set speed="3 kg"
expect_error_matches '^--set: error:'
expect_exit 3 run "$model" --set run.untl=3
expect_error_contains "did you mean 'until'"
expect_exit 3 run "$model" --set run.until=1 --until 2
expect_error_contains "set twice"

# --- A model without an end
grep -v '^run:' "$model" >endless.yaml
expect_exit 2 run endless.yaml
expect_error_contains "--until"
expect_exit 0 run endless.yaml --until "1 rev of motor" -q
expect_exit 0 export endless.h5 --stream steps

# --- A run that fails keeps what it has
expect_exit 1 run "$model" --set run.max_steps=5 --steps -o failed.h5
expect_error_contains "max_steps"
expect_error_contains "What was recorded is in failed.h5, marked as failed"
expect_exit 0 export failed.h5 --summary
expect_contains "status = ERROR_LIMIT"
steps=$(sed -n 's/^steps = //p' .stdout)
expect_exit 0 export failed.h5
expect_lines $((steps + 2)) .stdout
# --- Errors that spoil the motion fail the run, quiet or not; a study marks the point
cat >loose.yaml <<'END'
gravity: [0, -9.81]
bodies: {a: {mass: 1, inertia: 0.1, position: [1, 0], points: {o: [-1, 0]}}}
joints: {j: {type: revolute, between: [ground, a.o]}}
run: {until: 600 s, method: gear, rtol: 1e-3}
END
expect_exit 1 run loose.yaml --rtol 0.3
expect_error_contains "error: joints were apart by up to 0.0"
expect_error_contains "m or rad, too far since t = "
expect_error_contains "What was recorded is in loose.h5, marked as failed"
expect_exit 0 export loose.h5 --summary
expect_contains "status = ERROR_ACCURACY"
expect_contains "message = joints were apart"
expect_exit 1 run loose.yaml -q
expect_error_contains "error: the energy balance is off by"
expect_error_contains "Lower rtol"
expect_exit 0 run loose.yaml --set run.balance=2
expect_exit 0 run loose.yaml --rtol 4e-4
expect_error_contains "warning: the energy balance is off by"
expect_exit 0 run loose.yaml --rtol 1e-8
if grep -q warning .stderr; then fail "a warning about a good run"; else pass; fi
printf 'model: loose.yaml\naxes: {run.rtol: [1e-3, 1e-8]}\nmetrics: [max a.vx]\n' >loose-study.yaml
expect_exit 1 study loose-study.yaml
expect_error_contains "1 of 2 points failed"
expect_error_contains "energy balance is off by"
expect_exit 0 run "$model"
if grep -q warning .stderr; then fail "a warning about a good run"; else pass; fi

# --- A tolerance below the floor that play sets is reported, one above it is not
expect_exit 0 run "$EXAMPLES/flores-2010.yaml" --until 0.001 --rtol 1e-13
expect_error_contains "warning: rtol 1e-13 is below 1.2e-11, where rounding dominates in the play of 'gudgeon'"
expect_exit 0 run "$EXAMPLES/flores-2010.yaml" --until 0.001 --rtol 1e-10
if grep -q "no finer" .stderr; then fail "a warning about a good tolerance"; else pass; fi
expect_exit 0 check "$EXAMPLES/flores-2010.yaml"
expect_matches "^  least rtol +1.2e-11; below it rounding dominates in the play of 'gudgeon'$"
expect_exit 0 check "$model"
expect_lacks "least rtol"

# --- The second detector ends its search in contact, however coarse its tolerance
for tolerance in "1 um" "100 nm" "1 nm"; do
    sed "s/^      length: .*/&\n      detector: penetration-tolerance\n      tolerance: $tolerance/" \
        "$EXAMPLES/flores-2004.yaml" >detector.yaml
    expect_exit 0 run detector.yaml --set variant=dry --until "3 rev of motor" -o detector.h5
    expect_error_matches "impacts in [0-9]+ contacts"
done

# --- Gains of Baumgarte's stabilisation that cost steps are reported
expect_exit 0 run "$model" --set run.reduce=false --set run.alpha=5000 --set run.beta=5000 -o gains.h5
expect_error_matches "hint +the gains of Baumgarte's stabilisation, alpha 5000 and beta 5000 1/s, keep the steps as short as"
expect_exit 0 run "$model" --set run.reduce=false -o gains.h5
if grep -q "the gains of Baumgarte" .stderr; then fail "a hint about the usual gains"; else pass; fi

finish
