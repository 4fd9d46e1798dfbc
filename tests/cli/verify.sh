#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lash run --verify: digits that hold, digits that do not, and motion of which only statistics can.
. "${0%/*}/lib.sh"
model=$EXAMPLES/flores-2010.yaml

# --- Regular motion at the usual tolerance: everything stands, and the result is that of a run without --verify.
expect_exit 0 run "$model" --set gudgeon=clearance --until "1 rev of motor" -n 50 --verify -o a.h5
expect_error_matches 'gudgeon +impacts .* equal'
expect_error_matches 'peak force .* ([4-9]|1[0-9]) digits hold'
expect_error_matches 'All [0-9]+ numbers hold'
expect_exit 0 run "$model" --set gudgeon=clearance --until "1 rev of motor" -n 50 -o b.h5 -q
expect_exit 0 export a.h5 -o a.csv
expect_exit 0 export b.h5 -o b.csv
expect "--verify changed the rows" cmp a.csv b.csv
# Also where only rows are written, and quietly.
expect_exit 0 run "$model" --set gudgeon=clearance --until "1 rev of motor" -n 50 --verify --csv c.csv -q
expect_no_errors
expect "--verify changed the rows" cmp a.csv c.csv

# --- A tolerance that is too loose for what is asked: the numbers are marked, and the exit code says so. A swing of
# several turns at 0.1 has no three digits.
cat >swing.yaml <<MODEL
gravity: [0, -9.81]
bodies:
  one: {mass: 1, inertia: 0.1, position: [0.5, 0], points: {a: [-0.5, 0], b: [0.5, 0]}}
  two: {mass: 1, inertia: 0.1, position: [1.5, 0], points: {a: [-0.5, 0]}}
joints:
  top: {type: revolute, between: [ground, one.a]}
  middle: {type: revolute, between: [one.b, two.a]}
run: {until: 2 s, samples: 20}
MODEL
expect_exit 1 run swing.yaml --rtol 0.1 --verify -o loose.h5
expect_error_contains "too few"
expect_error_contains "do not hold: take a smaller --rtol"
expect_file loose.h5
expect_exit 0 run swing.yaml --rtol 1e-9 --verify -o tight.h5

# --- A run that begins at another time is compared from there: the same machine has as many numbers, before 0 too.
for begin in 0 -10 100; do
    expect_exit 1 run swing.yaml --rtol 0.1 --set run.begin="$begin s" --until "$((begin + 2)) s" --verify
    expect_error_matches "[1-9][0-9]* of 156 numbers do not hold"
    expect_exit 0 run swing.yaml --rtol 1e-9 --set run.begin="$begin s" --until "$((begin + 2)) s" --verify
    expect_error_contains "All 156 numbers hold"
done

# --- How far a permanent contact is off its wall is no number of the motion, but an error.
cat >ring.yaml <<'MODEL'
gravity: [0, -9.81]
bodies: {bead: {mass: 1, inertia: 0.01, position: [0, -0.05], velocity: [1.3, 0]}}
joints:
  ring: {type: revolute, between: [ground, bead],
         clearance: {bearing_radius: 60 mm, radial: 50 mm, model: permanent-contact}}
run: {until: 0.1 s}
MODEL
expect_exit 0 run ring.yaml --verify
expect_error_contains "numbers hold"

# --- Chaos: it is said, and statistics are compared.
expect_exit 0 run "$model" --set gudgeon=clearance --set "play=0.5 mm" --until "150 rev of motor" -n 50 --verify -o chaos.h5
expect_error_contains "The motion is sensitive"
expect_error_matches 'contacts .* within chance'
expect_error_contains "of one distribution"

# --- What is rounding is no number that could hold: the moment of a pin without friction.
cat >loose.yaml <<'MODEL'
gravity: [0, -9.81]
bodies:
  bar: {mass: 1 kg, inertia: 0.03 kg m^2, position: [0.3, 0], points: {eye: [-0.3, 0]}}
joints:
  pivot: {type: revolute, between: [ground, bar.eye],
          clearance: {bearing_radius: 10 mm, diametric: 0.2 mm, contact: {stiffness: 1e10, restitution: 0.8}}}
run: {until: 1 s}
MODEL
expect_exit 0 run loose.yaml --verify
expect_error_contains "numbers hold"
sed 's/µ/u/g' .stderr >table
# Columns stand below each other, also where a unit has a letter of two bytes.
expect "the columns are not aligned" awk '/digits hold$/ && match($0, / [0-9]+ digits hold$/) { ends[length($0)]++; n++ }
    END { for (e in ends) kinds++; exit !(n > 4 && kinds == 1) }' table

# --- Nor the acceleration of wheels on a fixed axle that are turned to and fro.
cat >wheels.yaml <<'MODEL'
bodies:
  pinion: {mass: 0.3, inertia: 2e-4, shape: {cylinder: {radius: 20 mm}}}
  wheel: {mass: 2, inertia: 4e-3, position: [80 mm, 0], shape: {cylinder: {radius: 60 mm}}}
  load: {mass: 10, inertia: 0.05, position: [80 mm, 0], shape: {cylinder: {radius: 90 mm}}}
ground: {points: {w: [80 mm, 0]}}
joints:
  p: {type: revolute, between: [ground, pinion]}
  w: {type: revolute, between: [ground.w, wheel]}
  shaft: {type: revolute, between: [wheel, load]}
  mesh:
    type: gear
    between: [pinion, wheel]
    ratio: 20/60
    backlash: {circumferential: 0.1 mm, pressure_angle: 20 deg, stiffness: 1e8 N/m, damping: 1000 N s/m}
forces:
  twist: {type: joint-spring, joint: shaft, stiffness: 400 N m/rad, damping: 0.2 N m s/rad}
  drag: {type: torque, body: load, torque: "-0.5 N m s/rad*load.wz + 3 N m*sin(40 rad/s*t)"}
  motor: {type: torque, body: pinion, torque: "0.2 N m"}
run: {until: 0.2 s, samples: 200}
MODEL
expect_exit 0 run wheels.yaml --verify -o wheels.h5
expect_error_contains "numbers hold"
expect_exit 0 run "$EXAMPLES/gear-rattle.yaml" --until "0.1 s" --verify -o rattle.h5
expect_error_matches 'lost .* ([4-9]|1[0-9]) digits hold'

# --- A small motion is no rounding: ten micrometres per second in a machine of a metre.
cat >small.yaml <<'MODEL'
bodies:
  mass: {mass: 1 kg, inertia: 0.1, position: [1 m, 0], velocity: [1e-5 m/s, 0], points: {a: [0, 0]}}
joints:
  rail: {type: translational, axis: [1, 0], between: [ground, mass]}
forces:
  spring: {type: joint-spring, joint: rail, free: 1 m, stiffness: 100 N/m, damping: 0.5 N s/m}
run: {until: 5 s, samples: 20}
MODEL
expect_exit 1 run small.yaml --rtol 0.5 --verify -o small.h5
expect_error_matches 'mass.vx +at the end .* too few'
expect_exit 0 run small.yaml --verify -o small.h5

# --- Not with kinematics, which integrates nothing.
expect_exit 2 kinematics "$EXAMPLES/slider-crank.yaml" --verify
finish
