# SPDX-License-Identifier: MIT
#
# lash channels: what a model can record and what a result holds; names that are understood by their meaning.
# shellcheck shell=bash
. "${0%/*}/lib.sh"

expect_exit 0 channels "$EXAMPLES/engine.yaml"
for line in 'gas\.force +N +the load' 'gas\.angle +rad' 'gas\.table +N +value of its table' 'brake\.power +W' \
    'piston\.x +m +centre of mass' 'energy\.kinetic +J +kinetic energy'; do
    expect_matches "^$line"
done

# Everything that is listed is recorded, and a result lists what it holds.
cp .stdout listed
expect_exit 0 run "$EXAMPLES/engine.yaml" -q -n 4 -o engine.h5
expect_exit 0 channels engine.h5
if diff listed .stdout >/dev/null; then pass; else fail "model and result list other channels"; fi
expect_exit 0 run "$EXAMPLES/engine.yaml" -q -n 4 -o few.h5 --channels 'gas.*,piston.x'
expect_exit 0 channels few.h5
if [ "$(wc -l <.stdout)" -eq 7 ]; then pass; else fail "seven channels were recorded"; fi
expect_exit 0 channels few.h5 --json
expect_contains '{"name":"gas.power","unit":"W","meaning":"power that the load brings in"}'

# Settings choose what there is.
expect_exit 0 channels "$EXAMPLES/flores-2010.yaml" --set gudgeon=ideal
expect_lacks 'gudgeon.fn'
expect_exit 2 channels few.h5 --set a=1
expect_error_contains "--set is for models"
expect_exit 4 channels missing.yaml
expect_error_contains "missing.yaml"

# By meaning.
expect_exit 2 run "$EXAMPLES/four-bar.yaml" --channels rocker.omega
expect_error_contains "no channel 'rocker.omega'; did you mean 'rocker.wz'?"
expect_exit 2 run "$EXAMPLES/engine.yaml" --channels cylinder.travel
expect_error_contains "did you mean 'cylinder.s'?"
expect_exit 2 export engine.h5 --channels gas.tension
expect_error_contains "did you mean 'gas.force'?"
expect_exit 2 plot engine.h5 --what crank.omega
expect_error_contains "did you mean 'crank.wz'?"
finish
