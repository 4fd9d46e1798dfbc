#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lash run --input NAME=FILE: an input over time from a file, and what is wrong with such files.
. "${0%/*}/lib.sh"

cat >model.yaml <<'MODEL'
inputs: {push: 1 N, unused: {default: 3}}
bodies: {m: {mass: 2, inertia: 1}}
joints: {ways: {type: translational, between: [ground, m], axis: [1, 0]}}
forces: {f: {type: force, at: m, force: ["push", 0]}}
run: {until: 2 s}
MODEL
speed() { # at the end
    "$LASH" export out.h5 --channels m.vx,push | tail -n 1
}
# The default: 1 N on 2 kg for 2 s.
expect_exit 0 run model.yaml --channels m.vx,push -n 4 -o out.h5 -q
expect "the default is not 1 N" bash -c "echo '$(speed)' | awk -F, '{ exit !(\$2 > 1 - 1e-12 && \$2 < 1 + 1e-12 && \$3 == 1) }'"
# A triangle, then what it ends with: 1 N s + 1 s of 1 N.
printf '0,0\n0.5,4\n1,0\n1.0000001,1\n' >good.csv
expect_exit 0 run model.yaml --input push=good.csv --channels m.vx,push -n 4 -o out.h5 -q
expect "the file was not used" bash -c "echo '$(speed)' | awk -F, '{ exit !(\$2 > 1.5 - 1e-6 && \$2 < 1.5 + 1e-6 && \$3 == 1) }'"
# A heading is skipped; two inputs at once.
printf 'time [s],push [N]\n0,2\n1,2\n' >head.csv
expect_exit 0 run model.yaml --input push=head.csv --input unused=good.csv --channels m.vx,push -n 4 -o out.h5 -q
expect "the heading was read" bash -c "echo '$(speed)' | awk -F, '{ exit !(\$2 > 2 - 1e-12 && \$2 < 2 + 1e-12 && \$3 == 2) }'"
# The result says with what it was run.
"$LASH" export out.h5 --settings >settings
expect "the settings lack the input" grep -q '^inputs.push=head.csv$' settings

refuse() { # CODE TEXT GIVEN
    expect_exit "$1" run model.yaml --input "$3" -o none.h5 -q
    expect_silent
    expect_error_contains "$2"
    expect_error_contains "--input"
    expect_error_contains "$3"
    expect "there is a result" bash -c '! ls none.h5* 2>/dev/null'
}
printf '0,0\n0.5,4\n0.4,0\n' >back.csv
printf '0,0\n0.5,x\n' >word.csv
printf '0\n1\n' >one.csv
: >empty.csv
printf '0,0\n' >point.csv
printf '0,0\n1,nan\n' >nan.csv
refuse 3 "push: x must increase from point to point: point 3 (x = 0.4) does not come after x = 0.5" push=back.csv
refuse 3 "word.csv, line 2: 'x' is not a finite number" push=word.csv
refuse 3 "one.csv" push=one.csv
refuse 3 "empty.csv holds no numbers" push=empty.csv
refuse 3 "a table needs at least 2 points, here is 1" push=point.csv
refuse 3 "nan.csv, line 2: 'nan' is not a finite number" push=nan.csv
refuse 3 "cannot open missing.csv: No such file" push=missing.csv
refuse 3 "Is a directory" push=.
refuse 3 "the model has no input 'pusch'; did you mean 'push'?" pusch=good.csv
refuse 3 "the model has no input 'm'" m=good.csv
refuse 2 "--input needs NAME=FILE, not 'push'" push
refuse 2 "--input needs NAME=FILE, not 'push='" push=
refuse 2 "--input needs NAME=FILE, not '=good.csv'" =good.csv
finish
