#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Pages of `lash report` in a browser: computes results, makes their pages, and looks at them with report.mjs.
#   LASH  the program     WEB  folder with the packages of web/     SOURCE  the source tree     TMP  a folder of its own
# Exits with 77, "skipped", where there is no Node.js, no page or no Chromium.
set -eu
skip() {
    echo "skipped: $1"
    exit 77
}
command -v node >/dev/null || skip "Node.js is not installed"
[ -d "$WEB/node_modules/playwright-core" ] || skip "the packages of web/ could not be fetched when the program was built"
CHROMIUM=${CHROMIUM:-$(command -v chromium || :)}
[ -n "$CHROMIUM" ] || skip "Chromium is not installed (tools/install-deps.sh test)"
export CHROMIUM

rm -rf "$TMP" && mkdir -p "$TMP" && cd "$TMP"
examples=$SOURCE/examples
"$LASH" run "$examples/flores-2010.yaml" --set play="0.2 mm" --until "1 rev of motor" -o planar.h5 -q
"$LASH" run "$examples/flores-2010.yaml" --set play="0.5 mm" --until "1 rev of motor" -o large.h5 -q
"$LASH" run "$examples/planar-in-space.yaml" --set play="0.2 mm" --until "0.25 rev of motor" -o spatial.h5 -q
"$LASH" run "$examples/flores-2004.yaml" --until "0.5 rev of motor" -o lubricated.h5 -q
"$LASH" run "$examples/flores-2010.yaml" --until "12 rev of motor" --set run.rtol=1e-7 -o long.h5 -q
# A contact so soft that the journal goes far beyond its bearing.
cat >deep.yaml <<'MODEL'
gravity: [0, -9.81]
bodies:
  bar: {mass: 1 kg, inertia: 0.03 kg m^2, position: [0.3, 0], points: {pin: [-0.3, 0]}}
joints:
  pivot: {type: revolute, between: [ground, bar.pin],
          clearance: {bearing_radius: 10 mm, diametric: 0.4 mm, contact: {stiffness: 1e5, exponent: 1, restitution: 0.5}}}
run: {until: 0.5 s}
MODEL
"$LASH" run deep.yaml -o deep.h5 -q
# The same shape in space, on an ideal pin; and a bar that is drawn as wide as it says.
cat >swing.yaml <<'MODEL'
space: spatial
gravity: [0, 0, -9.81]
bodies:
  bob: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.3, 0, 0], points: {eye: [-0.3, 0, 0]}}
  bar: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0.2, -0.2], points: {eye: [0, 0, 0.2]}, shape: {link: {width: 20 mm}}}
ground: {points: {beside: [0, 0.2, 0]}}
joints:
  first: {type: revolute, between: [ground, bob.eye], axis: [0, 1, 0]}
  second: {type: spherical, between: [ground.beside, bar.eye]}
run: {until: 0.5}
MODEL
"$LASH" run swing.yaml -o swing.h5 -q
# The same pin without play, in few steps, and with impacts that take no time.
sed '/clearance:/d; s/ground, bar.pin],/ground, bar.pin]}/; s/0.5 s/1 s/' deep.yaml >turn.yaml
sed 's/contact: {.*}}}/model: three-mode, restitution: 0.5}}/; s/0.5 s/50 ms/' deep.yaml >hard.yaml
for name in turn hard; do "$LASH" run $name.yaml -o $name.h5 -q; done
# A film that is pressed through.
cat >pressed.yaml <<'MODEL'
bodies: {shaft: {mass: 60, inertia: 1}}
joints:
  bush: {type: revolute, between: [ground, shaft],
         clearance: {bearing_radius: 30 mm, radial: 40 um, length: 50 mm, contact: {stiffness: 1e11, restitution: 0.8},
                     lubricant: {film: short, viscosity: 60 cP}}}
forces: {load: {type: force, at: shaft, force: [0, -45 kN]}}
run: {until: 60 ms, method: gear}
MODEL
"$LASH" run pressed.yaml -o pressed.h5 -q
# One machine for each picture of play.
cat >guide.yaml <<'MODEL'
bodies:
  block: {mass: 1, inertia: 0.002, position: [0.01, 0.02], angle: 30 deg, velocity: [0.3, 0.5], angular_velocity: 4}
ground: {points: {middle: [0.01, 0.02]}}
joints:
  slide: {type: translational, between: [ground.middle, block], axis: [0.866025403784, 0.5],
          clearance: {length: 100 mm, height: 50 mm, play: 2 mm, contact: {stiffness: 1e9, restitution: 0.8}}}
run: {until: 0.5}
MODEL
cat >channel.yaml <<'MODEL'
space: spatial
bodies:
  block: {mass: 1, inertia: [0.002, 0.002, 0.002], velocity: [0.2, 0.3, 0.5], angular_velocity: [0.6, 0.3, 0.5]}
joints:
  slide: {type: prismatic, between: [ground, block], axis: [0, 0, 1],
          clearance: {length: 100 mm, height: 50 mm, width: 60 mm, play: 2 mm, height_axis: [1, 2, 0], contact: {stiffness: 1e9, restitution: 0.8}}}
run: {until: 0.5}
MODEL
cat >stops.yaml <<'MODEL'
bodies:
  arm: {mass: 1, inertia: 0.02, position: [0, -0.2], angle: -90 deg, points: {top: [-0.2, 0], end: [0.2, 0]},
        velocity: [1, 0], angular_velocity: 5}
joints:
  hinge: {type: revolute, between: [ground, arm.top],
          stops: {min: -150 deg, max: -30 deg, contact: {stiffness: 1e5, restitution: 0.8}}}
run: {until: 2}
MODEL
cat >gears.yaml <<'MODEL'
bodies:
  first: {mass: 1, inertia: 0.002, angular_velocity: 10}
  second: {mass: 1, inertia: 0.002, position: [0.15, 0], angular_velocity: -5.1}
ground: {points: {second: [0.15, 0]}}
joints:
  one: {type: revolute, between: [ground, first]}
  two: {type: revolute, between: [ground.second, second]}
  mesh: {type: gear, between: [first, second], ratio: 0.5,
         backlash: {circumferential: 0.5 mm, pressure_angle: 20 deg, stiffness: 1e7 N/m}}
run: {until: 0.2}
MODEL
cat >rack.yaml <<'MODEL'
bodies:
  rack: {mass: 1, inertia: 0.002, velocity: [1, 0]}
  pinion: {mass: 1, inertia: 0.002, position: [0, 0.05]}
ground: {points: {above: [0, 0.05]}}
joints:
  slide: {type: translational, between: [ground, rack], axis: [1, 0],
          stops: {min: -0.03, max: 0.05, contact: {stiffness: 1e6, restitution: 0.8}}}
  pin: {type: revolute, between: [ground.above, pinion]}
  mesh: {type: rack-and-pinion, between: [rack, pinion], axis: [1, 0], radius: 50 mm,
         backlash: {normal: 0.5 mm, pressure_angle: 20 deg, stiffness: 1e7 N/m, restitution: 0.9}}
run: {until: 0.2}
MODEL
# A worn bearing, which hangs on its pin and swings, and a worn channel.
cat >worn.yaml <<'MODEL'
gravity: [0, -9.81]
bodies: {ring: {mass: 1, inertia: 0.01, position: [0, -0.05], angle: 0.4 rad, hold: [angle], points: {hole: [0, 50 mm]}}}
joints:
  pin: {type: revolute, between: [ring.hole, ground],
        clearance: {bearing_radius: 20 mm, radial: 0.1 mm, contact: {stiffness: 1e9, restitution: 0.5},
                    wear: {bearing: "50 um*(1 + cos(angle))", journal: "20 um*sin(angle)^2"}}}
run: {until: 0.2}
MODEL
sed 's/height: 50 mm,/height: 50 mm, width: 20 mm,/; s/0.8}}}/0.8}, wear: {k: 0, span: [-0.3, 0.3], sectors: 60}}}/' guide.yaml >pits.yaml
"$LASH" run pits.yaml --set worn.slide.upper="$(printf '3e-4 %.0s' {1..66})1e-4 2e-4" --until 0.1 -o pits.h5 -q
"$LASH" run worn.yaml -o worn.h5 -q
# A pin in space, worn differently at its two ends.
cat >ends.yaml <<'MODEL'
space: spatial
gravity: [0, 0, 0]
bodies: {shaft: {mass: 2, inertia: [0.001, 0.001, 0.001]}}
joints:
  pin: {type: revolute, between: [ground, shaft], axis: [1, 0, 0],
        clearance: {bearing_radius: 20 mm, radial: 0.1 mm, length: 60 mm, contact: {stiffness: 1e9, restitution: 0.5},
                    wear: {journal: "20 um*sin(angle)^2", sectors: 90}}}
drives: {motor: {joint: pin, speed: 60 rpm}}
run: {until: 0.2}
MODEL
"$LASH" run ends.yaml --set worn.pin.end1.bearing="$(printf '1e-4 %.0s' {1..90})" -o ends.h5 -q
"$LASH" run "$examples/coupling.yaml" --until "50 ms" -o coupling.h5 -q
for name in guide channel stops gears rack; do "$LASH" run $name.yaml -o $name.h5 -q; done
# A door that discards its start: pressed against its stop, its hinge is damped more than the impact explains.
cat >door.yaml <<'MODEL'
bodies:
  door: {mass: 25 kg, inertia: 1.7 kg m^2, position: [0.45, 0], angular_velocity: 3 rad/s, hold: [w],
         points: {hinge: [-0.45, 0], edge: [0.45, 0]}, shape: {box: {size: [0.9, 0.04]}}}
joints:
  hinge: {type: revolute, between: [ground, door.hinge],
          clearance: {bearing_radius: 8 mm, diametric: 0.4 mm, contact: {stiffness: 1e9, restitution: 0.7}},
          stops: {min: -5 deg, max: 100 deg, contact: {stiffness: 1e5, restitution: 0.3}}}
run: {until: 1.2 s, samples: 2400, discard: 0.3 s}
MODEL
"$LASH" run door.yaml -o door.h5 -q
"$LASH" report door.h5 --from 0 -o whole.html -q
# Stops far from the block between them, and a spring from a wall.
cat >buffer.yaml <<'MODEL'
bodies: {block: {mass: 1, inertia: 0.002, velocity: [1, 0]}}
ground: {points: {wall: [-0.3, 0.4]}}
forces: {spring: {type: spring, between: [ground.wall, block], stiffness: 10, free_length: 0.5}}
joints:
  slide: {type: translational, between: [ground, block], axis: [1, 0],
          stops: {min: -0.2, max: 0.6, contact: {stiffness: 1e6, restitution: 0.8}}}
run: {until: 0.3}
MODEL
"$LASH" run buffer.yaml -o buffer.h5 -q
# A pin in space that tilts: while one end bounces, the other flies.
cat >tilt.yaml <<'MODEL'
space: spatial
gravity: [0, 0, -9.81]
bodies: {rotor: {mass: 2 kg, inertia: [0.004, 0.003, 0.003], points: {load: [0.06, 0, 0.05]}}}
joints:
  pin: {type: revolute, between: [ground, rotor], axis: [1, 0, 0],
        clearance: {bearing_radius: 10 mm, radial: 0.2 mm, length: 50 mm, contact: {stiffness: 1e9, restitution: 0.5}}}
forces: {push: {type: force, at: rotor.load, force: [0, 20, -30]}}
run: {until: 50 ms, samples: 200}
MODEL
"$LASH" run tilt.yaml -o tilt.h5 -q
"$LASH" run "$examples/flores-2010.yaml" --set gudgeon=ideal --until "1 rev of motor" -o ideal.h5 -q
cp "$examples/flores-2010.yaml" machine.yaml
cat >study.yaml <<'STUDY'
title: "Speed <b>and</b> play </script><script>window.owned = 1</script>"
model: machine.yaml
axes:
  speed: {from: 1000 rpm, to: 3000 rpm, steps: 3}
  play: {from: 0.1 mm, to: 0.4 mm, steps: 4}
run: {until: 3 rev of motor, rtol: 1e-6}
discard: 1 rev of motor
section: {channels: [slider.vx], keep: true}
metrics: [max gudgeon.fn, rms motor.torque]
STUDY
"$LASH" study study.yaml -q
sed 's/, keep: true//; s/steps: [34]/steps: 2/' study.yaml >unkept.yaml # a section whose cuts are not kept
"$LASH" study unkept.yaml -q
cat >drawn.yaml <<'STUDY'
model: machine.yaml
sample: {count: 40, seed: 1, play: {uniform: [0.1 mm, 0.4 mm]}}
run: {until: 1 rev of motor, rtol: 1e-6}
metrics: [max gudgeon.fn]
STUDY
"$LASH" study drawn.yaml -q
"$LASH" study show drawn.db >drawn.txt
cat >log.yaml <<'STUDY'
model: machine.yaml
axes: {play: {from: 0.02 mm, to: 0.6 mm, steps: 5, scale: log}}
run: {until: 0.2 rev of motor, rtol: 1e-5}
metrics: [max gudgeon.fn]
STUDY
"$LASH" study log.yaml -q

# A model whose free texts try to get out of the page. Names cannot hold such characters; a file may be forged all the same.
title='</title></script><script>window.owned = 1</script><img src=x onerror="window.owned = 2">'
sed "s|^title:.*|title: '$title \xe2\x80\xa8 \&amp;'|; 1i # --> <!-- <script> </script><script>window.owned = 3</script>" machine.yaml >hostile.yaml
"$LASH" run hostile.yaml --until "0.2 rev of motor" -o hostile.h5 -q
sed 's|constraint\.velocity|<svg onload=owned()|g' hostile.h5 >forged.h5

for name in worn pits ends planar spatial deep pressed lubricated long hostile forged guide channel stops gears rack coupling door buffer tilt swing turn hard; do
    "$LASH" report $name.h5 -q
    "$LASH" export $name.h5 >$name.csv
done
"$LASH" export long.h5 --stream peaks >peaks.csv
"$LASH" report planar.h5 large.h5 -o two.html -q
"$LASH" report ideal.h5 planar.h5 -o ideal-first.html -q
"$LASH" report planar.h5 ideal.h5 -o ideal-last.html -q
"$LASH" report log.db -q
"$LASH" report study.db -q
"$LASH" report unkept.db -q
"$LASH" report drawn.db -q
node "$SOURCE/tests/web/report.mjs" "$WEB" "$TMP"
