#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lash wear: a life, its file, continuing after a kill, figures, and mistakes of the command line.
. "${0%/*}/lib.sh"
cat >shaft.yaml <<'END'
title: A shaft in its bush
gravity: [0, -9.81]
parameters: {k: 1e-12 m^2/N}
bodies: {shaft: {mass: 20, inertia: 0.02}}
joints:
  bush:
    type: revolute
    between: [ground, shaft]
    clearance:
      bearing_radius: 10 mm
      radial: 0.05 mm
      length: 15 mm
      offset: [0, -0.05 mm]
      contact: {law: hunt-crossley, stiffness: 1e9, restitution: 0.1, approach: energy}
      wear: {k: $k, share: [0.7, 0.3], sectors: 32}
drives: {motor: {joint: bush, speed: 60 rpm}}
run: {until: 1 rev of motor}
END

expect_exit 0 check shaft.yaml
expect_contains "k = 1e-12 m^2/N: 0.7 off the bearing, 0.3 off the journal"
expect_contains "sectors of 11.25 deg, worn by up to 0 µm and 0 µm"
expect_exit 0 check "$EXAMPLES/bell-mouth.yaml"
expect_contains "k = 1e-15 m^2/N: 1 off the channel, 0 off the block"

# A run says what it wears off.
expect_exit 0 run shaft.yaml
expect_error_contains "mm^3 worn off: load times sliding is"

expect_exit 0 wear shaft.yaml --until "turns: 3000" --tolerance 0.05
expect_contains "bush, 50 µm of radial play when new"
expect_contains "The life ends by turns after 3000 turns, 0.833333 h."
expect_error_contains "shaft-wear.db"
cp .stdout whole.txt
# k F s: the volume is that of Archard.
expect_exit 0 wear show shaft-wear.db --json
volume=$(python3 -c 'import json; d = json.load(open(".stdout")); print(1e9 * d["stages"][-1]["joints"][0]["volume"])')
expect_close "$volume" 36.8 0.002
expect_exit 0 wear show shaft-wear.db
expect_same .stdout whole.txt
# A finished life is shown again, not computed.
expect_exit 0 wear shaft.yaml --until "turns: 3000" --tolerance 0.05
expect_same .stdout whole.txt
# Another life does not go on in its file.
expect_exit 2 wear shaft.yaml --until "turns: 3000" --tolerance 0.05 --set "k=2e-12 m^2/N"
expect_error_contains "holds the life of another model"

# A run that ends by itself has no turns that could be repeated.
sed -e 's/^bodies: {/ground: {points: {o: [1, 0]}}\nbodies: {bead: {mass: 1, inertia: 0.01, position: [1, -0.05], velocity: [1.3, 0]}, /' \
    -e 's/^joints:/joints:\n  ring: {type: revolute, between: [ground.o, bead],\n         clearance: {bearing_radius: 60 mm, radial: 50 mm, model: permanent-contact, stop_at_loss: true}}/' \
    shaft.yaml >lost.yaml
expect_exit 1 wear lost.yaml --until "turns: 3000" -o lost.db
expect_error_contains "where a contact with stop_at_loss is lost, before a turn of the life is done"

# Killed on the way, it continues, and ends the same.
"$LASH" wear shaft.yaml --until "turns: 3000" --tolerance 0.05 -o killed.db -q </dev/null &
process=$!
three_stages() {
    [ "$("$LASH" wear show killed.db --json 2>/dev/null | grep -o '"spread"' | wc -l)" -ge 3 ]
}
await "no stages are written" three_stages
kill -KILL $process
wait $process 2>/dev/null
# What there is of it can be drawn already.
expect_exit 0 plot killed.db --what list
expect_contains "profiles"
expect_exit 0 wear shaft.yaml --until "turns: 3000" --tolerance 0.05 -o killed.db
expect_same .stdout whole.txt

# A guide: its faces, along the channel.
expect_exit 0 wear "$EXAMPLES/bell-mouth.yaml" --until "play guide: 0.101 mm" -o guide.db
expect_contains "guide, 100 µm of play when new"
expect_contains "upper     lower"
expect_contains "The life ends by play guide"
expect_exit 0 wear show guide.db --json
python3 - .stdout <<'END' >guide.txt
import json, sys
joint = json.load(open(sys.argv[1]))["stages"][-1]["joints"][0]
pitch = joint["pitch"]
print(1e9 * pitch * 0.03 * (sum(joint["upper"]) + sum(joint["lower"])) / (1e9 * joint["volume"]))
print(1e6 * (joint["upper_depth"] + joint["lower_depth"]))
print(1e3 * pitch, 1e3 * joint["origin"])
END
expect_close "$(sed -n 1p guide.txt)" 1 1e-12
expect_close "$(sed -n 2p guide.txt)" 1 1e-9
expect "pitch and origin are not those of the span" grep -q "^1.0[0-9]* 117.0" guide.txt

# A block that takes its share: the ends of its faces recede, and count in volume and play.
sed 's/share: \[1, 0\]/share: [0.6, 0.4]/' "$EXAMPLES/bell-mouth.yaml" >both.yaml
expect_exit 0 wear both.yaml --until "play guide: 0.101 mm" -o both.db -q
expect_exit 0 wear show both.db --json
python3 - .stdout <<'END' >both.txt
import json, sys
joint = json.load(open(sys.argv[1]))["stages"][-1]["joints"][0]
channel = sum(joint["upper"] + joint["lower"]) * joint["pitch"] * 0.03
block = sum(joint["upper_block"] + joint["lower_block"]) * 0.04 * 0.03
print((channel + block) / joint["volume"])
print(block / joint["volume"])
print(1e6 * (joint["upper_depth"] + joint["lower_depth"]))
END
expect_close "$(sed -n 1p both.txt)" 1 1e-12
expect_close "$(sed -n 2p both.txt)" 0.4 1e-9
expect_close "$(sed -n 3p both.txt)" 1 1e-9
expect_exit 0 run both.yaml -q -n 20 --worn both.db -o both.h5

# A guide in space wears along four lines, each of which has a life of its own.
cat >solid.yaml <<'END'
space: spatial
gravity: [0, -9.81, 0]
bodies: {block: {mass: 8, inertia: [0.01, 0.01, 0.01]}}
joints:
  slide:
    type: prismatic
    between: [ground, block]
    axis: [1, 0, 0]
    clearance:
      length: 60 mm
      height: 40 mm
      width: 20 mm
      height_axis: [0, 1, 0]
      play: 0.2 mm
      contact: {law: hunt-crossley, stiffness: 1e9, restitution: 0.5, approach: energy}
      wear: {k: 1e-13, share: [0.7, 0.3], span: [-120 mm, 120 mm], sectors: 60}
drives: {motor: {joint: slide, motion: "50 mm*sin(2*pi*t)"}}
run: {until: 1, settle_period: 1 s}
END
expect_exit 2 wear solid.yaml --until "play slide: 1 mm"
expect_error_contains "these do: slide.a1, slide.b1, slide.b2, slide.a2"
expect_exit 0 wear solid.yaml --until "play slide.a1: 0.21 mm" -o solid.db
expect_contains "The life ends by play slide.a1"
expect_contains "slide.b2, 200 µm of play when new"
expect_exit 0 run solid.yaml --worn solid.db -q -o solid.h5
expect_exit 0 export solid.h5 --settings
expect_contains "worn.slide.a1.lower="
expect_exit 0 report solid.h5 -o solid.html

# The machine as it is at some point of its life: as new, worn, and again from its own result.
run_guide() { # ARGUMENT…: the depths of two corners
    expect_exit 0 run "$EXAMPLES/bell-mouth.yaml" -q --csv - -n 20 --channels 'guide.corner*.delta' "$@"
    cp .stdout "depths.txt"
}
run_guide
cp depths.txt new.txt
run_guide --worn guide.db@0
expect_same depths.txt new.txt
run_guide --worn guide.db
cp depths.txt worn.txt
expect "worn faces change nothing" test "$(cmp new.txt worn.txt | wc -l)" = 1
expect_exit 0 run "$EXAMPLES/bell-mouth.yaml" -q -n 20 --worn guide.db -o worn.h5
expect_exit 0 export worn.h5 --settings
expect_contains "worn.guide.upper=0 "
expect_exit 2 run "$EXAMPLES/bell-mouth.yaml" --worn guide.db@1e12
expect_error_contains "the life is known from 0 to"
expect_exit 2 run "$EXAMPLES/bell-mouth.yaml" --worn guide.db@many
expect_exit 4 run "$EXAMPLES/bell-mouth.yaml" --worn nowhere.db
expect_exit 3 run shaft.yaml --worn guide.db
expect_error_contains "worn.guide.upper: no joint of the model wears there"
sed 's/sectors: 160/sectors: 80/' "$EXAMPLES/bell-mouth.yaml" >coarse.yaml
expect_exit 3 run coarse.yaml --worn guide.db
expect_error_contains "has 168 coefficients, and the profiles of the joint have 88"
expect_exit 3 run shaft.yaml --set "worn.bush.bearing=1 x"
expect_error_contains "'x' is no number"
expect_exit 3 run shaft.yaml --set "worn.bush.bearing=-1e-6$(printf ' 0%.0s' {1..31})"
expect_error_contains "give a depth that is negative"

# Figures.
if command -v gnuplot >/dev/null; then
    expect_exit 0 plot shaft-wear.db
    expect_file shaft-wear-wear.svg
    expect_exit 0 plot guide.db --script guide.gp
    expect_file guide-wear.svg
    expect "the figure is not along the channel" grep -q "along the channel (mm)" guide.gp
    expect_exit 0 plot shaft-wear.db --what life -o life.svg
    expect_file life.svg
fi
expect_exit 0 plot shaft-wear.db --what list
expect_contains "profiles"
expect_exit 2 plot shaft-wear.db --joint nowhere
expect_error_contains "no joint 'nowhere' wears"
expect_exit 2 plot shaft-wear.db --what orbit
expect_error_contains "--what is wear or life"

# Lives of a study: twice the wear, half the life; drawn ones by rank.
cat >life.yaml <<'END'
title: Lives
model: shaft.yaml
axes: {k: [1e-12 m^2/N, 2e-12 m^2/N]}
life: {until: {play bush: 60 um, turns: 1e6}, tolerance: 0.05}
metrics: [life, life-hours]
END
expect_exit 0 study life.yaml -q
expect_exit 0 study export life.db
ratio=$(awk -F, 'NR == 2 { a = $3 } NR == 3 { print a / $3 }' .stdout)
expect_close "$ratio" 2 0.02
hours=$(awk -F, 'NR == 2 { print 3600 * $4 / $3 }' .stdout)
expect_close "$hours" 1 1e-9
sed 's/^axes:.*/sample: {count: 4, seed: 1, k: {uniform: [1e-12 m^2\/N, 2e-12 m^2\/N]}}/' life.yaml >drawn.yaml
expect_exit 0 study drawn.yaml --on cpu
expect_error_contains "the points are computed one by one: the study asks for the life of a machine"
expect_exit 0 plot drawn.db --what list
expect_contains "weibull"
if command -v gnuplot >/dev/null; then
    expect_exit 0 plot drawn.db --what weibull --script ranks.gp -o ranks.svg
    if grep -q "set xlabel.*life.*turns" ranks.gp; then pass; else fail "the axis of lives has no unit"; fi
    expect_file ranks.svg
    expect "lives of some hundred turns are not plain numbers" grep -q "'120' 120" ranks.gp
    # The line goes through the middle of the ranks: ln(-ln(1 - F)) of its scale is 0.
    expect "no line is fitted" grep -q "Weibull: shape [0-9]" ranks.gp
fi
sed '/^life:/d' life.yaml >lacks.yaml
expect_exit 3 study lacks.yaml
expect_error_contains "needs \`life\`"
sed 's/play bush/play pin/' life.yaml >wrong.yaml
expect_exit 3 study wrong.yaml
expect_error_contains "there is no such joint that wears"
sed 's/^metrics:.*/metrics: [turns]/' life.yaml >unasked.yaml
expect_exit 3 study unasked.yaml
expect_error_contains "no metric asks for it"
sed 's/until: {[^}]*}/until: 3/' life.yaml >until.yaml
expect_exit 3 study until.yaml
expect_error_contains "says what ends it"

# A life that play ends has its last stage there, and none just before it.
expect_exit 0 wear shaft.yaml --until "play bush: 90 um" -o play.db -q
expect_exit 0 wear show play.db --json
last=$(python3 -c 'import json; s = [x["turns"] for x in json.load(open(".stdout"))["stages"]]; print(s[-2] / s[-1])')
expect "the last jump is tiny: the stage before lies at $last of the life" awk "BEGIN { exit !($last < 0.9) }"

# Limits that are passed when new, and lives that no limit ends before the parts are worn away.
expect_exit 0 wear shaft.yaml --until "play bush: 40 um" -o passed.db
expect_contains "The life ends by play bush after 0 turns, 0 h. The limit is passed when the machine is new."
expect_exit 0 wear shaft.yaml --until "max bush.fn: 1" -o passed-force.db
expect_contains "The life ends by max bush.fn after 0 turns, 0 h. The limit is passed when the machine is new."
expect_exit 1 wear shaft.yaml --until "turns: 1e9" --set "k=1 m^2/N" -o away.db
expect_error_contains "after 1 turns the next ones wear too much: joint 'bush': its bearing is worn"
expect_error_contains "up to a quarter of the journal's radius, 0.002488 m; give a limit"
expect_exit 3 run shaft.yaml --set "worn.bush.bearing=1 $(printf ' 1%.0s' {1..31})"
expect_error_contains "its bearing is worn 1 m deep"

# Files that are damaged, or hold nothing yet.
damage() { # SQL EXIT CHECK WORDS
    cp shaft-wear.db damaged.db
    rm -f damaged.db-wal damaged.db-shm
    python3 -c 'import sqlite3, sys; d = sqlite3.connect("damaged.db"); d.executescript(sys.argv[1]); d.close()' "$1"
    expect_exit "$2" wear show damaged.db
    "$3" "$4"
}
damage "UPDATE joints SET pitch = 0" 4 expect_error_contains "is damaged"
damage "UPDATE joints SET pitch = NULL" 4 expect_error_contains "is damaged"
damage "UPDATE stages SET turns = NULL WHERE stage = 2" 4 expect_error_contains "is damaged"
damage "UPDATE stages SET turns = 0 WHERE stage = 3" 4 expect_error_contains "is damaged"
damage "UPDATE stages SET jump = -3" 4 expect_error_contains "is damaged"
damage "DELETE FROM about WHERE name = 'turns'" 4 expect_error_contains "is damaged"
damage "DELETE FROM stages" 4 expect_error_contains "is damaged"
damage "DROP TABLE wear; DROP TABLE stages; DROP TABLE about; DROP TABLE joints" 4 expect_error_contains "holds no life yet"
damage "DELETE FROM stages; DELETE FROM wear; DELETE FROM about WHERE name IN ('end', 'turns', 'hours')" 0 \
    expect_contains "The life has no stage yet"
expect_exit 2 run shaft.yaml --worn damaged.db
expect_error_contains "the life has no stage yet"
expect_exit 0 wear shaft.yaml --until "turns: 3000" --tolerance 0.05 -o damaged.db
expect_same .stdout whole.txt

# The torque of the drive: under constant load it is that of friction, in its peak and its RMS.
cat >pressed.yaml <<'MODEL'
bodies: {shaft: {mass: 1, inertia: 0.001, points: {pin: [0, 0]}}, block: {mass: 1, inertia: 1}}
joints:
  axle: {type: revolute, between: [ground, shaft]}
  bush:
    type: revolute
    between: [block, shaft.pin]
    clearance:
      bearing_radius: 10 mm
      radial: 0.05 mm
      length: 15 mm
      contact: {stiffness: 1e9, restitution: 0.2, approach: energy}
      friction: {law: ambrosio, coefficient: 0.1}
      wear: {k: 1e-13 m^2/N, sectors: 60}
  guide: {type: translational, between: [ground, block], axis: [0, 1]}
forces: {push: {type: force, at: block, force: [0, -100 N]}}
drives: {motor: {joint: axle, speed: 10 rad/s}}
run: {until: 1 rev of motor}
MODEL
expect_exit 0 wear pressed.yaml --until "turns: 100" -q
run wear show pressed-wear.db --json
for number in peak rms; do
    expect_close "$(grep -o "\"torque_$number\":[^,]*" .stdout | tail -1 | cut -d: -f2)" 0.0995 1e-6
done

# Mistakes.
expect_exit 2 wear shaft.yaml --until "turns: 0"
expect_error_contains "turns: 0 is not above zero"
expect_exit 2 wear shaft.yaml
expect_error_contains "what ends the life?"
expect_exit 2 wear shaft.yaml --until "turns"
expect_exit 2 wear shaft.yaml --until "play gudgeon: 1 mm"
expect_error_contains "there is no such joint that wears; these do: bush"
expect_exit 2 wear shaft.yaml --until "play bush: 1 N"
expect_exit 2 wear shaft.yaml --until "max bush.nothing: 1"
expect_error_contains "there is no such channel"
expect_exit 2 wear shaft.yaml --until "turns: 10" --tolerance 2
expect_exit 3 wear "$EXAMPLES/slider-crank.yaml" --until "turns: 10"
expect_error_contains "nothing wears in this model"
expect_exit 2 wear show shaft.yaml
expect_exit 4 wear show nowhere.db

# A life that fails before its first stage leaves a file that the next one, of the mended model, takes over.
sed 's/span: \[[^]]*\]/span: [0, 1 mm]/' "$EXAMPLES/bell-mouth.yaml" >mended.yaml
expect_exit 3 wear mended.yaml --until "turns: 2"
expect_error_contains "outside of clearance.wear.span"
expect_exit 0 wear show mended-wear.db
expect_contains "The life has no stage yet"
cp "$EXAMPLES/bell-mouth.yaml" mended.yaml
expect_exit 0 wear mended.yaml --until "turns: 2"
expect_exit 2 wear mended.yaml --until "turns: 3"
expect_error_contains "holds the life of another model, or with other settings or limits"
finish
