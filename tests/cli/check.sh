#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lash check: what a model is, and all that is wrong with it.
. "${0%/*}/lib.sh"

expect_exit 0 check "$EXAMPLES/slider-crank.yaml"
expect_no_errors
expect_contains "Slider-crank, ideal joints"
expect_matches "^  bodies +3$"
expect_matches "^  joints +4$"
expect_matches "^  degrees of freedom +0 with the drives, 1 without$"
expect_lacks "redundant"
expect_exit 0 check "$EXAMPLES/double-pendulum.yaml"
expect_matches "^  degrees of freedom +2$"

# --- A parallelogram with a third crank: one constraint too many, named
cat >parallel.yaml <<'END'
title: Three parallel cranks
ground: {points: {a: [0, 0], b: [1, 0], c: [2, 0]}}
bodies:
  first: {mass: 1, inertia: 1, position: [0, 0.5], points: {low: [0, -0.5], top: [0, 0.5]}}
  second: {mass: 1, inertia: 1, position: [1, 0.5], points: {low: [0, -0.5], top: [0, 0.5]}}
  third: {mass: 1, inertia: 1, position: [2, 0.5], points: {low: [0, -0.5], top: [0, 0.5]}}
  bar: {mass: 1, inertia: 1, position: [1, 1], points: {left: [-1, 0], right: [1, 0]}}
joints:
  a: {type: revolute, between: [ground.a, first.low]}
  b: {type: revolute, between: [ground.b, second.low]}
  c: {type: revolute, between: [ground.c, third.low]}
  d: {type: revolute, between: [first.top, bar.left]}
  e: {type: revolute, between: [second.top, bar]}
  f: {type: revolute, between: [third.top, bar.right]}
run: {until: 1, samples: 4}
END
expect_exit 0 check parallel.yaml
expect_matches "^  redundant constraints +1$"
expect_contains "least norm"
expect_matches "^  degrees of freedom +1$"
expect_exit 0 run parallel.yaml
expect_error_contains "redundant constraints"

# --- What assembly has made of the values given
cat >given.yaml <<'END'
bodies:
  bar: {mass: 2, inertia: 0.3, position: [0.5, 0.1], angular_velocity: 4, points: {p: [-0.5, 0]}}
joints: {pin: {type: revolute, between: [ground, bar.p]}}
run: {until: 0.1 s}
END
expect_exit 0 check given.yaml
expect_matches "^  moved by assembly +bar: position by [0-9.]+ mm$"
expect_contains "body 'bar' is given angular_velocity: 4 rad/s and starts with 1.5 rad/s"
expect_contains "hold: [w] keeps it"
expect_exit 0 run given.yaml
expect_error_contains "body 'bar' is given angular_velocity: 4 rad/s and starts with 1.5 rad/s"
sed 's/angular_velocity: 4/angular_velocity: 4, hold: [w]/' given.yaml >held.yaml
expect_exit 0 check held.yaml
expect_lacks "warning"
sed 's/position: .0.5, 0.1./position: [0.5, 1]/' given.yaml >far.yaml
expect_exit 0 run far.yaml
expect_error_contains "body 'bar' starts elsewhere: assembly has changed its position by"

# --- A body that was forgotten is named; one that something holds or pushes is not, nor one where all are free
cat >forgotten.yaml <<'END'
gravity: [0, -9.81]
bodies:
  bar: {mass: 2, inertia: 0.3, position: [0.5, 0], points: {p: [-0.5, 0]}}
  brick: {mass: 1, inertia: 0.1, position: [2, 0], points: {p: [0, 0]}}
joints: {pin: {type: revolute, between: [ground, bar.p]}}
run: {until: 0.1 s}
END
expect_exit 0 check forgotten.yaml
expect_contains "warning: body 'brick' is joined to nothing and no force acts on it but its weight: it moves by itself and affects nothing else; name it in \`between\` of a joint, or leave it out"
expect_lacks "body 'bar'"
expect_exit 0 run forgotten.yaml
expect_error_contains "warning: body 'brick' is joined to nothing"
expect_exit 0 check forgotten.yaml --json
expect_contains "\"body 'brick' is joined to nothing"
for held in 'joints: {pin: {type: revolute, between: [ground, bar.p]}, pin2: {type: revolute, between: [bar, brick.p]}}' \
    'joints: {pin: {type: revolute, between: [ground, bar.p]}}
forces: {push: {type: force, at: brick.p, force: [1 N, 0]}}' \
    'joints: {pin: {type: revolute, between: [ground, bar.p]}}
forces: {tie: {type: spring, between: [bar, brick.p], stiffness: 10 N/m}}' \
    '#'; do
    sed '/^joints/d' forgotten.yaml >kept.yaml
    printf '%s\n' "$held" >>kept.yaml
    expect_exit 0 check kept.yaml
    expect_lacks "joined to nothing"
done

# --- A joint with play: what is asked for and what is given
expect_exit 0 check "$EXAMPLES/flores-2010.yaml"
expect_matches "^gudgeon$"
expect_matches "^  radial clearance +25 µm \(bearing 10 mm, journal 9.975 mm\)$"
expect_matches "^  contact law +lankarani-nikravesh$"
expect_matches "^  stiffness +[0-9.]+e\+1[01] N/m\^1\.5$"
expect_matches "^  restitution asked for +0\.9$"
expect_matches "^  restitution given +0\.91[0-9]*$"
expect_contains "in lasting contact the damping depends on the speed with which that contact began"
expect_matches "^  friction +ambrosio$"
# Along the stretched rod the driven crank holds it fast, so the slider's mass alone is felt; the slider would
# accelerate with r w^2 (1 + r/l) = 19419 m/s^2, which over 25 um gives 0.9854 m/s.
expect_matches "^  effective mass +0\.14 kg$"
expect_matches "^  typical impact +at 985\.4 mm/s: lasts .*s, .*m deep, .*N$"
expect_matches "^  steps in contact +of about "
expect_matches "^  law is valid up to +[0-9.]+ [mµ]?m/s$"
expect_exit 0 check "$EXAMPLES/flores-2010.yaml" --set restitution=0.5
expect_matches "^  restitution given +0\.72[0-9]*$"
expect_matches "^  damping factor +h = 0\.5625, approach: first$"
sed -e 's/law: lankarani-nikravesh/law: hertz/' "$EXAMPLES/flores-2010.yaml" >undamped.yaml
expect_exit 0 check undamped.yaml
expect_lacks "lasting contact"
expect_exit 0 check "$EXAMPLES/flores-2010.yaml" --set gudgeon=ideal
expect_lacks "restitution"

# --- All mistakes at once, with their places
cat >wrong.yaml <<'END'
title: Wrong
bodies:
  crank: {mass: -1, inertia: 1}
  rod: {mas: 1, inertia: 1}
joints:
  pin: {type: revolut, between: [ground, crank]}
END
expect_exit 3 check wrong.yaml
expect_silent
expect_error_matches "^wrong\.yaml:3:17: error: "
expect_error_contains "  crank: {mass: -1, inertia: 1}"
expect_error_matches "^wrong\.yaml:4:9: error: .*did you mean 'mass'"
expect_error_matches "^wrong\.yaml:6:15: error: .*did you mean 'revolute'"
expect_error_contains "3 mistakes in wrong.yaml."
if [ "$(grep -n -A2 '^wrong.yaml:4:9' .stderr | sed -n 's/^[0-9]*-    \( *\)^$/\1/p' | wc -c)" -eq 9 ]; then
    pass
else
    fail "the caret does not stand below column 9"
fi
expect_lacks $'\033'
expect_exit 3 run wrong.yaml
expect_no_file wrong.h5
expect_exit 4 check missing.yaml
expect_error_contains "missing.yaml"

# --- A loop that cannot be closed
cat >open.yaml <<'END'
ground: {points: {far: [5, 0]}}
bodies:
  bar: {mass: 1, inertia: 1, points: {end: [1, 0]}}
joints:
  near: {type: revolute, between: [ground, bar]}
  too-far: {type: revolute, between: [ground.far, bar.end]}
END
expect_exit 3 check open.yaml
expect_error_contains "too-far"
# Least squares spread the mistake: the guide that is drawn off its line is named, not only the joint left open.
cat >off.yaml <<'END'
ground: {points: {top: [0.25, 0.35], c: [0, 0.17]}}
bodies:
  crank: {mass: 1, inertia: 1, position: [0.02, 0.17], points: {a: [-0.02, 0], b: [0.03, 0]}}
  rod: {mass: 1, inertia: 1, position: [0.15, 0.17], points: {a: [-0.1, 0], b: [0.1, 0]}}
  upper: {mass: 1, inertia: 1, position: [0.25, 0.26], angle: -90 deg, points: {a: [-0.09, 0], b: [0.09, 0]}}
  lower: {mass: 1, inertia: 1, position: [0.25, 0.08], angle: -90 deg, points: {a: [-0.09, 0], b: [0.09, 0]}}
  ram: {mass: 1, inertia: 1, position: [0.25, 0]}
joints:
  main: {type: revolute, between: [ground.c, crank.a]}
  big: {type: revolute, between: [crank.b, rod.a]}
  knee: {type: revolute, between: [rod.b, upper.b]}
  knee2: {type: revolute, between: [upper.b, lower.a]}
  hang: {type: revolute, between: [ground.top, upper.a]}
  small: {type: revolute, between: [ram, lower.b]}
  guide: {type: translational, between: [ground, ram], axis: [0, 1]}
drives: {motor: {joint: main, speed: 1}}
END
expect_exit 3 check off.yaml
expect_error_contains "drawn farthest apart is 'guide', by 0.25 m"

# --- End stops of a pin in space
cat >stops.yaml <<'END'
space: spatial
gravity: [0, 0, -9.81]
bodies:
  door: {mass: 25, inertia: [8, 9, 1.4], position: [0.4, 0, 0], points: {hinge: [-0.4, 0, 0]}}
joints:
  hinge:
    type: revolute
    between: [ground, door.hinge]
    axis: [0, 0, 1]
    clearance: {bearing_radius: 6 mm, diametric: 0.3 mm, length: 50 mm, axial: 0.5 mm,
                contact: {stiffness: 1e10, restitution: 0.6}, friction: {law: threlfall, coefficient: 0.1}}
run: {until: 1 ms}
END
expect_exit 0 check stops.yaml
expect_contains "shape                  0.5 mm of play along the pin to either side"
if [ "$(grep -c 'friction  *threlfall' .stdout)" -eq 1 ]; then pass; else fail "friction of a stop, which has none"; fi

# --- A title cannot command the terminal
printf 'title: "a\\e[31mb\\u009bc\\u202ed\\ne é"\nbodies: {a: {mass: 1, inertia: 1}}\n' >title.yaml
expect_exit 0 check title.yaml
expect_contains "a [31mb c d e é"

# --- What Lash writes, given as a model
expect_exit 0 run stops.yaml -o stops.h5 -q
expect_exit 3 check stops.h5
expect_error_contains "lash export RESULT.h5 --model"

# --- Two drives on one freedom are named; a joint in space says which way it stays open.
sed 's/^drives:/drives:\n  second: {joint: guide, speed: 1 m\/s}/' "$EXAMPLES/slider-crank.yaml" >two-drives.yaml
expect_exit 3 check two-drives.yaml
expect_error_contains "('second' and 'motor')"
cat >open.yaml <<'MODEL'
space: spatial
bodies:
  arm: {mass: 1, inertia: [1, 1, 1], points: {tip: [0.1, 0, 0]}, hold: [z]}
ground: {points: {far: [0.1, 0, 0.05]}}
joints:
  slide: {type: prismatic, between: [ground, arm], axis: [1, 0, 0]}
  ball: {type: spherical, between: [ground.far, arm.tip]}
run: {until: 1}
MODEL
expect_exit 3 check open.yaml
expect_error_matches "'ball' stays open by [0-9.]+ m along z"

# A number alone is in SI, whatever unit the file has; --quiet, where there is one, says nothing of it.
expect_exit 0 check "$EXAMPLES/flores-2010.yaml" --set speed=600
expect_error_contains 'note: speed is set to 600 rad/s, where the model has 5000 rpm; with a unit it is --set speed="600 rpm"'
expect_exit 0 check "$EXAMPLES/flores-2010.yaml" --set speed="600 rpm"
expect "no note" test ! -s .stderr

# Two drives of a machine that has one freedom.
cat >two.yaml <<'YAML'
ground: {points: {r: [0.4, 0]}}
bodies:
  crank: {mass: 0.5, inertia: 2e-3, position: [0, 0.05], angle: 90 deg, points: {o: [-0.05, 0], a: [0.05, 0]}}
  coupler: {mass: 1, inertia: 1e-2, position: [0.17, 0.15], angle: 20 deg, points: {a: [-0.175, 0], b: [0.175, 0]}}
  rocker: {mass: 0.8, inertia: 4.2e-3, position: [0.37, 0.11], angle: 100 deg, points: {o: [-0.125, 0], b: [0.125, 0]}}
joints:
  o: {type: revolute, between: [ground, crank.o]}
  a: {type: revolute, between: [crank.a, coupler.a]}
  b: {type: revolute, between: [coupler.b, rocker.b]}
  c: {type: revolute, between: [ground.r, rocker.o]}
drives:
  motor: {joint: o, motion: "1.5 + t"}
  brake: {joint: c, motion: "0.5 + t"}
run: {until: 1 s}
YAML
expect_exit 3 check two.yaml
expect_error_contains "may take from each other: try with one of them"
expect_error_contains "'motor'"
expect_error_contains "'brake'"

# A pin that hangs in its hole, and one that does not touch it yet.
cat >hanging.yaml <<'YAML'
gravity: [0, -9.81]
bodies:
  bar: {mass: 1 kg, inertia: 0.03 kg m^2, position: [0, -0.3], angle: -90 deg, points: {pin: [-0.3, 0]}}
joints:
  pivot:
    type: revolute
    between: [ground, bar.pin]
    clearance: {bearing_radius: 10 mm, diametric: 0.1 mm, contact: {stiffness: 1e10, restitution: 0.8}}
run: {until: 0.2 s, discard: 0.1 s}
YAML
expect_exit 0 run hanging.yaml
expect_error_contains "after the transient: no new contact; one that began before it lasts"
expect_exit 0 linearize hanging.yaml
expect_error_contains "note: 'pivot' does not touch at t = 0 s"

# Hanging at rest its damping would be that of speed_floor: the frequency is that of approach: energy.
sed 's/0.2 s, discard: 0.1 s/1 s, start: equilibrium/' hanging.yaml >resting.yaml
expect_exit 0 linearize resting.yaml
expect_error_contains "note: 'pivot' began to touch without speed"
sed -i 's/restitution: 0.8/restitution: 0.8, approach: energy/' resting.yaml
expect_exit 0 linearize resting.yaml
expect_no_errors
# A machine that stands still without being in balance has no small motions about rest.
cat >falls.yaml <<'EOF'
gravity: [0, -9.81]
bodies: {bar: {mass: 1 kg, inertia: 0.03 kg m^2, position: [0.3, 0], points: {eye: [-0.3, 0]}}}
joints: {pivot: {type: revolute, between: [ground, bar.eye]}}
EOF
expect_exit 0 linearize falls.yaml
expect_error_contains "stands still, but not in balance: 'bar.alphaz' is -24.5 rad/s^2"
expect_exit 0 linearize falls.yaml --set run.start=equilibrium
expect_no_errors
expect_exit 0 help linearize
expect_contains "where it began at rest"

expect_exit 0 help play
expect_contains "how to write it"
expect_contains "diametric: 0.1 mm"
# --- Plain numbers of angles beyond a turn are probably degrees
cat >degrees.yaml <<'END'
parameters: {tilt: 40}
bodies:
  bar: {mass: 1, inertia: 1, angle: 40}
  rod: {mass: 1, inertia: 1, angle: 40 deg}
  arm: {mass: 1, inertia: 1, angle: 6.2832}
  leg: {mass: 1, inertia: 1, angle: $tilt}
joints:
  pin: {type: revolute, between: [ground, rod], stops: {min: -30, model: three-mode, restitution: 0.5}}
  way: {type: translational, between: [ground, arm], axis: [1, 0], stops: {max: 30, model: three-mode, restitution: 0.5}}
END
expect_exit 0 check degrees.yaml
expect_error_contains "degrees.yaml:3:37: warning: body 'bar': angle: 40 rad are 6.37 turns; in degrees it is written 40 deg"
expect_error_contains "joint 'pin': stops.min: -30 rad are -4.77 turns; in degrees it is written -30 deg"
expect "an angle of less than a turn, or a length, is doubted" test "$(grep -c 'in degrees it is written' .stderr)" -eq 2

# --- A motor on a joint that a drive moves
cat >idle.yaml <<'END'
bodies:
  wheel: {mass: 1, inertia: 1}
joints:
  axle: {type: revolute, between: [ground, wheel]}
drives: {belt: {joint: axle, speed: 100 rpm}}
forces: {engine: {type: motor, joint: axle, stall_torque: 3 N m, no_load_speed: 4000 rpm}}
run: {until: 1 s}
END
expect_exit 0 check idle.yaml
expect_error_contains "idle.yaml:6:39: warning: force 'engine': the drive 'belt' prescribes the motion of 'axle', which the motor cannot change"
sed -i '/^drives/d' idle.yaml
expect_exit 0 check idle.yaml
expect_no_errors

# --- Contacts that differ in name only stand together; lengths are in mm
cat >block.yaml <<'END'
bodies: {block: {mass: 0.1, inertia: 2e-5}}
joints:
  slot: {type: translational, between: [ground, block], axis: [0, 1],
         clearance: {length: 30 mm, height: 20 mm, play: 0.2 mm, contact: {stiffness: 1e9, restitution: 0.7}}}
run: {until: 0.01 s}
END
expect_exit 0 check block.yaml
expect_contains "corner of a block 30 mm long and 20 mm high in a channel with 0.2 mm of play"
expect "the corners are described one by one" test "$(grep -c '^  contact law' .stdout)" -eq 1
expect_exit 0 check block.yaml
expect "not all corners are named" test "$(grep -c '^slot.corner[1-4]$' .stdout)" -eq 4
expect_exit 0 linearize block.yaml
expect_error_contains "note: 'slot' does not touch at t = 0 s"
expect_contains "3 degrees of freedom, 0 inputs"
expect_contains "   1              0              0            -   block"

# --- Of teeth one flank touches at a time: a joint is named when none does
cat >teeth.yaml <<'END'
bodies:
  pinion: {mass: 0.3, inertia: 2e-4}
  wheel: {mass: 2, inertia: 4e-3, position: [80 mm, 0]}
joints:
  p: {type: revolute, between: [ground, pinion]}
  w: {type: revolute, between: [ground.w, wheel]}
  mesh: {type: gear, between: [pinion, wheel], ratio: 20/60,
         backlash: {circumferential: 0.01 mm, pressure_angle: 20 deg, stiffness: 1e8 N/m, damping: 1000 N s/m}}
ground: {points: {w: [80 mm, 0]}}
forces: {motor: {type: torque, body: pinion, torque: 5 N m}}
run: {until: 0.1 s}
END
expect_exit 0 linearize teeth.yaml
expect_error_contains "note: 'mesh' does not touch at t = 0 s"
expect_exit 0 linearize teeth.yaml --at "20 ms"
expect_no_errors

# --- Two slots along one axis lock a crank: the drive that is missed, and those that it is at odds with, not the arm beside
cat >locked.yaml <<'END'
bodies:
  crank: {mass: 1, inertia: 0.01, position: [0.05, 0], points: {pivot: [-0.05, 0], pin: [0.05, 0]}}
  yoke: {mass: 1, inertia: 0.01, position: [0.1, 0]}
  arm: {mass: 1, inertia: 0.01, position: [0.5, 0], points: {pin: [-0.1, 0]}}
ground: {points: {far: [0.4, 0]}}
joints:
  main: {type: revolute, between: [ground, crank.pivot]}
  aside: {type: revolute, between: [ground.far, arm.pin]}
  slot: {type: point-on-line, between: [yoke, crank.pin], axis: [1, 0]}
  guide: {type: translational, between: [ground, yoke], axis: [1, 0]}
drives: {motor: {joint: main, speed: 10 rad/s}, second: {joint: aside, speed: 3 rad/s}}
run: {until: 1 s}
END
expect_exit 3 check locked.yaml
expect_error_contains "'motor' is missed by"
expect_error_contains "it is at odds with 'guide', 'slot', 'main';"
expect_error_contains 'has a wrong `axis`'
sed -i 's/between: \[yoke, crank.pin\], axis: \[1, 0\]/between: [yoke, crank.pin], axis: [0, 1]/' locked.yaml
expect_exit 0 check locked.yaml

# --- The time of a linearisation: of a run that begins before 0, outside of the run, and of one that settles
cat >stiffens.yaml <<'END'
bodies: {a: {mass: 1 kg, inertia: 1}}
joints: {g: {type: translational, between: [ground, a], axis: [1, 0]}}
forces: {s: {type: force, at: a, force: ["-(4 + t/(1 s))*1 N/m*a.x", 0]}}
run: {begin: -3 s, until: 5 s}
END
for at in -3:1 -1.75:2.25 0:4 5:9; do
    expect_exit 0 linearize stiffens.yaml --json --at "${at%:*} s"
    expect_close "$(sed 's/.*"natural":\([^,}]*\).*/\1/' .stdout)" \
        "$(awk -v k="${at#*:}" 'BEGIN { printf "%.17g", sqrt(k) / 8 / atan2(1, 1) }')" 1e-7
done
expect_exit 2 linearize stiffens.yaml --at "-4 s"
expect_error_contains "the run begins at t = -3 s, after --at -4 s"
expect_exit 0 linearize stiffens.yaml --set run.start=settled --set run.settle_period="1 s"
expect_error_contains "note: start: settled belongs to runs"
expect_exit 0 linearize stiffens.yaml --set run.start=settled --set run.settle_period="1 s" --at "1 s"
expect_no_errors
cat >lost.yaml <<'END'
gravity: [0, -9.81]
bodies: {bead: {mass: 1, inertia: 0.01, position: [0, -0.05], velocity: [1.3, 0]}}
joints:
  ring: {type: revolute, between: [ground, bead],
         clearance: {bearing_radius: 60 mm, radial: 50 mm, model: permanent-contact, stop_at_loss: true}}
run: {until: 1 s}
END
expect_exit 2 linearize lost.yaml --at "0.5 s"
expect_error_matches "the run ends at t = 0\.10765[0-9]* s, before --at 0\.5 s"

# --- What a law does not read; a switch that turns friction off may keep its coefficient
sed 's/restitution: 0.7/restitution: 0.7, law: hertz/; s/contact:/friction: {law: none, coefficient: 0.1}, contact:/' block.yaml >hertz.yaml
expect_exit 0 check hertz.yaml
expect_error_contains "warning: joint 'slot': clearance.contact.restitution is not used: the law hertz has no damping"
finish
