#!/bin/bash
# SPDX-License-Identifier: MIT
#
# powercut.sh EVERY: what a power failure may leave, at every EVERY-th change of a file: of a result the former file or
# the whole new one; of a study a table that can be continued, to the same numbers as without a failure. Needs POWERCUT and
# what torture.sh needs.
. "${0%/*}/../cli/lib.sh"
every=${1:-1}
printf 'gravity: [0, -9.81]\nparameters: {start: 1 mm}\nbodies: {bob: {mass: 1, inertia: 1, position: [0, $start]}}
run: {until: 0.01 s, samples: 5}\n' >model.yaml
printf 'model: model.yaml\naxes: {start: [1 mm, 2 mm, 3 mm]}\nmetrics: [max bob.y]\n' >study.yaml

# record OUTPUT ARGUMENT…: runs the program in the folder work, with a journal.
record() {
    rm -rf work work.before journal && mkdir work && cp model.yaml study.yaml work/
    [ "$1" = none ] || cp "$1" work/out.h5
    shift
    cp -r work work.before
    (cd work && LD_PRELOAD="$INTERPOSE" LASH_JOURNAL=../journal "$LASH" "$@" >/dev/null 2>../err </dev/null) || fail "$*"
    entries=$("$POWERCUT" journal)
    if [ "$entries" -gt 5 ]; then pass; else fail "the journal has $entries entries"; fi
}

# after CUT MODE: the folder as it may be found.
after() {
    rm -rf found && cp -r work.before found
    rm -f found/out.db*
    "$POWERCUT" journal "$1" "$2" work found || fail "no folder for cut $1"
}

# --- A result in the place of another
"$LASH" run model.yaml -q -o former.h5 --samples 3
record former.h5 run model.yaml -q -o out.h5
cp work/out.h5 new.h5
for mode in ordered lost; do
    olds=0 news=0
    for ((cut = 0; cut <= entries; cut += every)); do
        after $cut $mode
        command_line="power cut after $cut of $entries changes, $mode"
        if cmp -s found/out.h5 former.h5; then olds=$((olds + 1)); elif cmp -s found/out.h5 new.h5; then news=$((news + 1)); else fail "out.h5 is neither"; fi
        # The next run is not stopped by what was left.
        (cd found && "$LASH" run model.yaml -q -o out.h5 2>../err </dev/null) || fail "the next run fails"
        cmp -s found/out.h5 new.h5 || fail "the next run makes another result"
    done
    if [ $olds -gt 0 ] && [ $news -gt 0 ]; then pass; else fail "$olds former and $news new files"; fi
done

# --- A study: the table goes on, and ends with the same numbers
record none study study.yaml -q -j 1 -o out.db
(cd work && "$LASH" study export out.db --csv ../whole.csv)
for mode in ordered lost; do
    for ((cut = 0; cut <= entries; cut += every)); do
        after $cut $mode
        command_line="power cut after $cut of $entries changes, $mode"
        status=0
        (cd found && "$LASH" study study.yaml -q -j 1 -o out.db && "$LASH" study export out.db --csv ../again.csv) \
            >.stdout 2>.stderr </dev/null || status=$?
        if [ $status -eq 0 ] && cmp -s whole.csv again.csv; then pass; else fail "the study does not go on"; fi
    done
done
finish
