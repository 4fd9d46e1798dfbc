#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lash kinematics: rows on standard output, the closed form of the slider-crank, and models it is not for.
. "${0%/*}/lib.sh"
model=$EXAMPLES/slider-crank.yaml

expect_exit 0 kinematics "$model" -q
expect_no_errors
expect_lines 722 .stdout
cp .stdout rows.csv
# x = r cos(phi) + sqrt(l^2 - r^2 sin^2(phi)) over two turns
worst=$(paste -d, <(csv_column rows.csv time) <(csv_column rows.csv slider.x) | awk -F, '
    { phi = $1 * 5000 * 2 * atan2(0, -1) / 60; s = 0.05 * sin(phi)
      d = $2 - 0.05 * cos(phi) - sqrt(0.0144 - s * s); if (d < 0) d = -d; if (d > worst) worst = d }
    END { print worst + 0 }')
expect_close "$worst" 0 1e-12
grep -v '^run:' "$model" >bare.yaml
expect_exit 0 kinematics bare.yaml --until "1 rev of motor" -q
expect_lines 362 .stdout
expect_exit 0 kinematics "$model" --samples 10 --channels motor.torque
expect_lines 12 .stdout
expect_error_contains "Slider-crank"
expect_exit 0 kinematics "$model" -o k.h5
expect_silent
expect_exit 0 export k.h5
expect_same .stdout rows.csv
# The same motion and torque as the run, to the run's tolerance.
expect_exit 0 run "$model" --rtol 1e-11 --csv run.csv -q
for channel in slider.vx motor.torque; do
    expect_close "$(csv_column rows.csv $channel | sed -n 100p)" "$(csv_column run.csv $channel | sed -n 100p)" 1e-6
done
expect_exit 3 kinematics "$EXAMPLES/double-pendulum.yaml"
expect_error_contains "degrees of freedom"
expect_silent
expect_exit 3 kinematics "$EXAMPLES/flores-2010.yaml"
expect_exit 2 kinematics bare.yaml
expect_error_contains "--until"

# --- What is integrated along a run is left out or refused: there is no run
expect_exit 0 kinematics "$model" --samples 4 --channels 'energy.*' -q
expect_contains 'time [s],energy.kinetic [J],energy.potential [J],energy.elastic [J]'
expect_lacks energy.input
expect_exit 2 kinematics "$model" --channels energy.balance
expect_error_contains "'energy.balance' is an integral over a run, and kinematics integrates nothing"
cat >summed.yaml <<'MODEL'
bodies: {a: {mass: 1, inertia: 1}}
joints: {pin: {type: revolute, between: [ground, a], friction: {law: coulomb, coefficient: 0.1, radius: 10 mm}}}
drives: {motor: {joint: pin, speed: 2 rad/s}}
signals: {sum: {integral: a.wz}}
run: {until: 1 s, samples: 4}
MODEL
expect_exit 3 kinematics summed.yaml
expect_error_contains "the signal 'sum' has a state that follows from the motion before"
sed -e '/^signals/d' -e 's/law: coulomb/law: lugre, bristle_stiffness: 1e5/' summed.yaml >bristles.yaml
expect_exit 3 kinematics bristles.yaml
expect_error_contains "the bristles of the friction of 'pin' follow from the motion before"
sed 's/integral: a.wz/value: 2*a.wz/' summed.yaml >doubled.yaml
expect_exit 0 kinematics doubled.yaml -q --channels sum
expect_contains '1,4'

# --- With play, play is the reason.
expect_exit 3 kinematics "$EXAMPLES/flores-2010.yaml" --until "1 ms"
expect_error_contains "joint 'gudgeon' has play"
finish
