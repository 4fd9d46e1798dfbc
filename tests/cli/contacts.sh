#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Guides with play, stops and backlash through the program: names of contacts in events, units of angles, channels, and
# the examples' claims.
. "${0%/*}/lib.sh"

# --- A contact keeps its whole name in the file, also where it is longer than any joint's
expect_exit 0 run "$EXAMPLES/flores-2008-guide.yaml" --set contact=compliant --until "30 ms" -o guide.h5 -q
expect_exit 0 export guide.h5 --events
for corner in 1 2 3 4; do
    expect_matches "^onset,soft_guide\.corner$corner,"
done
expect_exit 0 export guide.h5 --channels 'soft_guide.offset,soft_guide.tilt,soft_guide.corner1.*'
expect_contains "soft_guide.offset [m],soft_guide.tilt [rad],soft_guide.corner1.delta [m]"

# --- Materials give a rounded corner its stiffness, K = 4/(3 (2 (1 - nu^2)/E)) sqrt(R), and the law its range
cat >corner.yaml <<MODEL
materials: {steel: {young: 207 GPa, poisson: 0.3, density: 7850 kg/m^3}}
bodies: {block: {mass: 1, inertia: 1e-3, velocity: [0, 1]}}
joints:
  guide:
    type: translational
    between: [ground, block]
    axis: [1, 0]
    clearance: {length: 0.1, height: 0.05, play: 1 mm, corner_radius: 1 mm, materials: steel, contact: {restitution: 0.9}}
run: {until: 5 ms}
MODEL
expect_exit 0 check corner.yaml
expect_contains "$(awk 'BEGIN { printf "stiffness              %.4g N/m^1.5", 4/(3*2*(1 - 0.09)/207e9)*sqrt(1e-3) }')"
expect_matches "^  law is valid up to +51.35 mm/s$" # 1e-5 sqrt(E/rho)
expect_exit 0 run corner.yaml
expect_error_matches "joint guide: [0-9]+ contacts began faster than the contact law is valid for"

# --- The slider of flores-2008-guide keeps parallel to its channel; with an offset of its pin it does not
for offset in 0 5; do
    expect_exit 0 run "$EXAMPLES/flores-2008-guide.yaml" --set offset="$offset mm" --csv $offset.csv --channels guide.tilt -q
done
expect_close "$(csv_column 0.csv guide.tilt | awk '{ t = $1 < 0 ? -$1 : $1; if (t > m) m = t } END { print m }')" 0 1e-12
expect "the slider never meets both walls" test "$(csv_column 5.csv guide.tilt | awk '
    { t = $1 < 0 ? -$1 : $1; if (t > m) m = t } END { print (m > 0.019 && m < 0.0201) }')" = 1 # 2 mm of play over 100 mm

# --- Stops: rigid ones need no stiffness; depth and moment of a joint that turns are in rad and N m
expect_exit 0 run "$EXAMPLES/stops.yaml" --set contact=rigid -o rigid.h5
expect_error_matches "^  rigid_pivot.max +3 impacts, 0 times following$"
expect_exit 0 export rigid.h5 --events
# The first impact: by energy, omega^2 = push^2 - 3 g/L (1 - cos reach).
expect_close "$(sed -n 's/^impact,rigid_pivot.max,,//p' .stdout | head -n 1 | cut -d, -f3)" \
    "$(awk 'BEGIN { printf "%.12g", sqrt(64 - 3 * 9.81 / 0.5 * (1 - cos(atan2(0, -1) / 6))) }')" 1e-7
expect_exit 0 run "$EXAMPLES/stops.yaml" -o soft.h5
expect_error_matches "at most 342.5 N m at t = .* N m elastic, .* N m damping, 0.01263 rad deep$"
expect_error_matches "^ +0.01336 rad deep at most"

# --- Teeth rattle where the torque that moves the driven wheels is larger than the drag: all inertias as the engine
# sees them, 2 N m (3.8e-3/9 + 6e-2/144)/(8e-3 + 3.8e-3/9 + 6e-2/144) = 0.1898 N m.
for drag in 0.17 0.20; do
    expect_exit 0 run "$EXAMPLES/gear-rattle.yaml" --set drag="$drag N m" --csv $drag.csv --channels stage1.flank,stage2.flank -q
done
between_flanks() { awk -F, 'NR > 1 && $1 > 0.5 && ($2 == 0 || $3 == 0) { n++ } END { print n + 0 }' "$1"; }
expect "the teeth do not rattle below the drag that holds them" test "$(between_flanks 0.17.csv)" -gt 100
expect "the teeth rattle above the drag that holds them" test "$(between_flanks 0.20.csv)" -eq 0

# --- A coupling hammers below the swing of its load, 40 N m, not above
printf 'model: %s\naxes: {load: [35 N m, 45 N m]}\ndiscard: 10 rev of drive\nmetrics: [impacts-per-turn coupling.min]\n' \
    "$EXAMPLES/coupling.yaml" >coupling.yaml
expect_exit 0 study coupling.yaml -q
expect_exit 0 study export coupling.db
expect_close "$(csv_column .stdout 'impacts-per-turn coupling.min' | head -n 1)" 2 0
expect_close "$(csv_column .stdout 'impacts-per-turn coupling.min' | tail -n 1)" 0 0

# --- Teeth with a linear damper: lash check says what a free impact gives
cat >teeth.yaml <<MODEL
bodies:
  a: {mass: 1, inertia: 0.01, angular_velocity: 3, hold: [w]}
  b: {mass: 1, inertia: 0.02, position: [0.1, 0], hold: [w]}
ground: {points: {b: [0.1, 0]}}
joints:
  ra: {type: revolute, between: [ground, a]}
  rb: {type: revolute, between: [ground.b, b]}
  g:
    type: gear
    between: [a, b]
    ratio: 1/3
    backlash: {normal: 0.1 mm, pressure_angle: 20 deg, stiffness: 1e7 N/m, damping: 5e3 N s/m}
run: {until: 4 ms, samples: 1}
MODEL
expect_exit 0 check teeth.yaml
expect_matches "^  damping +5000 N s/m$"
given=$(sed -n 's/^  restitution given *//p' .stdout | head -n 1)
expect_exit 0 run teeth.yaml --csv teeth.csv --channels a.wz,b.wz -q
# Pitch radii 25 and 75 mm: the speed of the teeth is 0.025 w_a + 0.075 w_b, before the impact 0.075 m/s.
expect_close "$(awk -F, 'END { printf "%.12g", -(0.025 * $2 + 0.075 * $3)/0.075 }' teeth.csv)" "$given" 1e-4

# With a law of impact, both ways to scale its damping rebound alike.
sed 's/damping: 5e3 N s\/m/restitution: 0.5, law: exact, approach: APPROACH/' teeth.yaml >law.yaml
for approach in first energy; do
    sed "s/APPROACH/$approach/" law.yaml >$approach.yaml
    expect_exit 0 check $approach.yaml
    expect_matches "^  damping factor +h = [0-9.]+, approach: $approach$"
    expect_exit 0 run $approach.yaml --csv $approach.csv --channels a.wz,b.wz -q
    expect_close "$(awk -F, 'END { printf "%.12g", -(0.025 * $2 + 0.075 * $3)/0.075 }' $approach.csv)" 0.5 1e-6
done

# --- A stiffness over the pitch is made periodic once: two runs of one model, as --verify makes
sed -i 's/damping: 5e3 N s\/m/teeth: 20, mesh: [[0, 1], [0.5, 0.6], [1, 1]]/' teeth.yaml
expect_exit 0 run teeth.yaml --verify -q
sed -i 's/normal: 0.1 mm/normal: 100 mm/' teeth.yaml
expect_exit 3 check teeth.yaml
expect_error_contains "joint 'g': a backlash of 0.1 m is wider than any gap between teeth on a pitch radius of 0.025 m"

# --- A slot has a travel, and stops of it: a body thrown against one comes back, in the plane and in space
for space in planar spatial; do
    axis='[1, 0]' inertia=0.1 velocity='[2, 0]'
    [ $space = planar ] || { axis='[1, 0, 0]' inertia='[0.1, 0.1, 0.1]' velocity='[2, 0, 0]'; }
    cat >slot.yaml <<MODEL
space: $space
bodies: {b: {mass: 1, inertia: $inertia, velocity: $velocity}}
joints:
  slot:
    type: point-on-line
    between: [ground, b]
    axis: $axis
    stops: {max: 0.5, model: three-mode, restitution: 0.5}
run: {until: 1 s, samples: 1}
MODEL
    expect_exit 0 run slot.yaml --csv slot.csv --channels slot.s,slot.sdot -q
    expect_close "$(csv_column slot.csv slot.s | tail -n 1)" -0.25 1e-12
    expect_close "$(csv_column slot.csv slot.sdot | tail -n 1)" -1 1e-12
done
# --- A drive that presses a machine without freedom against a rigid stop: nothing can yield.
cat >locked.yaml <<'END'
bodies:
  crank: {mass: 1, inertia: 0.01, position: [0.05, 0], points: {a: [-0.05, 0], b: [0.05, 0]}}
  rod: {mass: 1, inertia: 0.01, position: [0.25, 0], points: {a: [-0.15, 0], b: [0.15, 0]}}
  slider: {mass: 1, inertia: 0.01, position: [0.4, 0]}
joints:
  main: {type: revolute, between: [ground, crank.a]}
  crankpin: {type: revolute, between: [crank.b, rod.a], stops: {min: -1, max: 1, model: three-mode, restitution: 0.5}}
  gudgeon: {type: revolute, between: [rod.b, slider]}
  guide: {type: translational, between: [ground, slider], axis: [1, 0]}
drives: {motor: {joint: main, speed: 60 rpm}}
run: {until: 1 s}
END
expect_exit 1 run locked.yaml -o locked.h5
expect_error_contains "'crankpin.min' is hit by parts to which drives, joints and other contacts leave no freedom"
# The same where a freedom is left that another rigid contact takes: corners that follow their rail.
sed 's/axis: \[1, 0\]/&, clearance: {length: 0.1, height: 0.04, play: 1 mm, model: three-mode, restitution: 0.3}/' \
    locked.yaml >locked-guide.yaml
expect_exit 1 run locked-guide.yaml -o locked.h5
expect_error_contains "hit by parts to which drives, joints and other contacts leave no freedom"
expect_exit 0 export locked.h5 --channels guide.corner1.delta,guide.corner2.delta,guide.corner3.delta,guide.corner4.delta
awk -F, 'NR > 1 { for (i = 2; i <= NF; i++) if ($i > 1e-9) bad = 1 } END { exit bad || NR < 2 }' .stdout ||
    fail "a corner is beyond its rail"

finish
