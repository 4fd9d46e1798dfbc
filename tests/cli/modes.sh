#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Contacts that are constraints, through the program: what the summary says, events, ends of runs, other methods and
# the sparse solver, and a study over the model of contact.
. "${0%/*}/lib.sh"
model=$EXAMPLES/grigore-2011.yaml
channels=bar2.angle,bar3.angle,O2.n,O3.n,O4.fx,O4.fy

# Largest difference of two files of rows, in each column of its largest value.
difference() {
    awk -F, 'FNR == 1 { next } NR == FNR { for (i = 2; i <= NF; i++) { a[FNR, i] = $i; v = $i < 0 ? -$i : $i; if (v > m[i]) m[i] = v } next }
        { for (i = 2; i <= NF; i++) { d = a[FNR, i] - $i; d = (d < 0 ? -d : d) / m[i]; if (d > w) w = d } }
        END { printf "%.17g", w }' "$1" "$2"
}

# --- The summary of permanent contact, and of three modes
expect_exit 0 run "$model" --samples 100 --channels $channels -o permanent.h5
expect_error_matches "^  O2 +would lose contact 3 times, first at t = 0\.26343690[0-9]* s$"
expect_error_matches "^ +at a crank angle of 150\.93[0-9]* deg$"
expect_error_matches "^ +pressed or pulled by at most 616\.2 N at t = 0\.134789[0-9]* s$"
expect_error_matches "^  O3 +contact is kept throughout$"
expect_error_matches "^ +pressed by at most 257\.3 N at t = 0\.071670[0-9]* s$"
expect_error_matches "^ +started where it is drawn, with the velocities of its bodies$"
sed -e '/^     velocity/d; s/O3: \[0.28, 0\]},$/O3: [0.28, 0]}}/; s/O4: \[0.3, 0\]},$/O4: [0.3, 0]}}/' "$model" >still.yaml
expect_exit 0 check still.yaml
expect_matches "^  start +where it is drawn, at rest in its bearing, as the file gives no velocities there$"
expect_exit 0 run "$model" --set model=three-mode --samples 100 --channels $channels -o modes.h5
expect_error_matches "^  O2 +[0-9]+ impacts, [0-9]+ times following$"
expect_error_matches "^ +free flight [0-9.]+ %, following [0-9.]+ % of the time$"
expect_error_matches "^ +following, pressed by at most [0-9.]+ N at t = [0-9.]+ s$"
expect_error_matches "^ +[0-9.]+ mJ lost$"

# --- Until the pressure first changes its sign the two models agree
for kind in permanent-contact three-mode; do
    expect_exit 0 run "$model" --set model=$kind --until "0.26 s" --samples 1000 --channels $channels --csv $kind.csv -q
done
expect_close "$(difference permanent-contact.csv three-mode.csv)" 0 1e-7

# --- A shorter run is the beginning of the longer one
expect_exit 0 run "$model" --every "5 ms" --channels $channels --csv long.csv -q
expect_exit 0 run "$model" --every "5 ms" --until "0.4 s" --channels $channels --csv short.csv -q
expect_lines 82 short.csv
expect_close "$(difference short.csv <(head -n 82 long.csv))" 0 1e-7

# --- Other methods and the sparse solver; three modes up to the tenth of a second after the first loss
for kind in permanent-contact three-mode; do
    until="0.36 s"
    expect_exit 0 run "$model" --set model=$kind --until "$until" --rtol 1e-10 --samples 50 --channels $channels --csv best.csv -q
    for way in "--method adams" "--method gear" "--set run.solver=sparse" "--method gear --set run.solver=sparse"; do
        # shellcheck disable=SC2086 # words
        expect_exit 0 run "$model" --set model=$kind --until "$until" --rtol 1e-10 --samples 50 --channels $channels --csv other.csv -q $way
        expect_close "$(difference best.csv other.csv)" 0 1e-5
    done
done

# --- A joint that pulls from the start says so, and may end the run there
cat >pulls.yaml <<MODEL
gravity: [0, -9.81]
bodies: {ball: {mass: 2 kg, inertia: 0.1}}
joints:
  ring: {type: revolute, between: [ground, ball], clearance: {model: permanent-contact, radial: 100 mm, offset: [0.06, 0.08], stop_at_loss: false}}
run: {until: 0.1 s}
MODEL
expect_exit 0 run pulls.yaml
expect_error_matches "^  ring +would lose contact 1 time, first at t = 0 s$"
expect_exit 0 export pulls.h5 --events
expect_lines 2 .stdout
expect_matches "^contact-lost,ring,,0,0\.92729"
sed 's/stop_at_loss: false/stop_at_loss: true/' pulls.yaml >stops.yaml
expect_exit 0 run stops.yaml --samples 10
expect_exit 0 export stops.h5
expect_lines 2 .stdout
expect_exit 0 export stops.h5 --events
expect_matches "^contact-lost,ring,,0,0\.92729"

# --- A study over the model: alike until contact is lost, which the smaller moment brings about earlier
cat >study.yaml <<STUDY
title: Model of contact
model: $model
axes:
  model: [permanent-contact, three-mode]
  moment: [-20 N m, -10 N m]
run: {until: 0.26 s}
metrics: [max O2.n, max O3.n, impacts-per-turn O2, fraction following O2]
STUDY
expect_exit 0 study study.yaml -j 2
expect_error_contains "4 of 4 points in study.db"
expect_exit 0 study export study.db --csv study.csv
expect_lines 5 study.csv
largest() { csv_column study.csv "$1" | sed -n "$2p"; }
expect_close "$(largest 'max O2.n' 3)" "$(largest 'max O2.n' 1)" 1e-7
expect_close "$(largest 'max O3.n' 3)" "$(largest 'max O3.n' 1)" 1e-7
expect_close "$(largest 'fraction following O2' 1)" 1 0
expect_close "$(largest 'fraction following O2' 3)" 1 0
for point in 2 4; do
    if awk -v f="$(largest 'fraction following O2' $point)" 'BEGIN { exit !(f > 0.5 && f < 0.99) }'; then pass; else
        fail "point $point: O2 follows throughout or not at all"
    fi
done
expect_close "$(csv_column three-mode.csv O2.n | sort -g | tail -n 1)" "$(largest 'max O2.n' 3)" 1e-3
finish
