#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lash plot: every preset from real results, what stands in the pictures, texts that look like commands, files
# and options that make no sense, a machine without gnuplot.
. "${0%/*}/lib.sh"

"$LASH" run "$EXAMPLES/flores-2010.yaml" --set crankpin=clearance --set play="0.2 mm" --until "2 rev of motor" \
    -o play.h5 -q
"$LASH" run "$EXAMPLES/flores-2010.yaml" --set gudgeon=ideal --until "2 rev of motor" --samples 720 -o ideal.h5 -q
"$LASH" run "$EXAMPLES/flores-2004.yaml" --until "1 rev of motor" -o oil.h5 -q
"$LASH" run "$EXAMPLES/double-pendulum.yaml" --until "1 s" --samples 100 -o pendulum.h5 -q
"$LASH" run "$EXAMPLES/flores-2010.yaml" --until "2 rev of motor" --samples 50 -o coarse.h5 -q
"$LASH" run "$EXAMPLES/slider-crank.yaml" --channels slider.x --samples 20 -o narrow.h5 -q

# --- Mistakes need no gnuplot: nothing is drawn, nothing is left behind
refuse() { # CODE TEXT ARGUMENT…
    local code=$1 text=$2
    shift 2
    expect_exit "$code" plot "$@"
    expect_silent
    expect_error_contains "$text"
}
refuse 2 "RESULT is missing"
refuse 4 "No such file" missing.h5
refuse 4 "folder" .
cp play.h5 copy.h5
refuse 2 "'copy.h5' has no channel 'slider.vz'; did you mean 'slider.vx'?" copy.h5 --what slider.vz
refuse 2 "did you mean 'gudgeon.ex'?" copy.h5 --what orbit --joint gudgon
refuse 2 "there is no preset 'orbitt'; did you mean 'orbit'?" copy.h5 --what orbitt
refuse 2 "there is no preset 'qqqqqq', \`--what list\`" copy.h5 --what qqqqqq
refuse 2 "film needs a lubricated joint, which 'copy.h5' does not have" copy.h5 --what film
refuse 2 "orbit needs a pin, a ball or a block with play" ideal.h5 --what orbit
refuse 2 "hysteresis needs delta and fn" ideal.h5 --what hysteresis
refuse 2 "modes needs the mode" ideal.h5 --what modes
refuse 2 "poincare needs a drive that turns" pendulum.h5 --what poincare
refuse 2 "energy needs the channels energy.*" narrow.h5 --what energy
refuse 2 "rows of 'coarse.h5' are too far apart to draw" coarse.h5 --what hysteresis
refuse 2 "should end in .svg, .png or .pdf" copy.h5 -o picture.bmp
refuse 2 "should end in .svg, .png or .pdf" copy.h5 -o -
refuse 2 "would be overwritten" copy.h5 --script ./copy.h5
refuse 2 "would be overwritten" copy.h5 --against ideal.h5 --script ideal.h5
refuse 2 "the same file" copy.h5 -o a.svg --script a.svg
refuse 2 "--against is for history and phase" copy.h5 --what orbit --against ideal.h5
refuse 4 "missing.h5" copy.h5 --against missing.h5
for size in 16 16x 16x1000 x nanx11 "16x11cm" -1x5; do
    refuse 2 "--size is WIDTHxHEIGHT in cm" copy.h5 "--size=$size"
done
refuse 2 "--from is a time or an angle" copy.h5 --from "3 mm"
refuse 2 "--phase is an angle" copy.h5 --what poincare --phase "3 s"
refuse 2 "--from is after --to" copy.h5 --from "1.5 rev" --to "1 rev"
refuse 2 "'copy.h5' ends before the window begins" copy.h5 --from "9 s"
refuse 2 "give --from and --to as times" pendulum.h5 --from "1 rev"
refuse 2 "--stream is samples or steps" copy.h5 --stream step
refuse 2 "has no samples" copy.h5 --stream samples
refuse 2 "--y is for studies" copy.h5 --y slider.x
refuse 2 "by --what and by --channels" copy.h5 --what slider.x --channels slider.y
refuse 2 "more than 12 curves" copy.h5 --what '*'
refuse 2 "is an angle; 'slider.x' is not" copy.h5 --what polar --x slider.x
refuse 2 "the rate of 'motor.torque' is not in the result" copy.h5 --what phase --channels motor.torque
refuse 2 "does not pass 180 deg" copy.h5 --what poincare --phase "180 deg" --to "0.2 rev"
expect_same copy.h5 play.h5

# --- Files of other kinds
"$LASH" export play.h5 --channels slider.x >rows.csv
refuse 4 "give the .h5 of its run" rows.csv
refuse 4 "run a model first" "$EXAMPLES/flores-2010.yaml"
head -c 3000 play.h5 >cut.h5
refuse 4 "truncated" cut.h5
: >empty.h5
refuse 4 "neither the result of a run (HDF5) nor that of a study (SQLite)" empty.h5
printf 'SQLite format 3\0rubbish' >rubbish.db
refuse 2 "'rubbish.db' is not the result of a study" rubbish.db

# --- What fits
expect_exit 0 plot play.h5 --what list
expect_no_errors
for preset in history orbit gap phase poincare hysteresis modes polar energy; do
    expect_matches "^$preset +[a-z]"
done
expect_contains "(film needs a lubricated joint)"
expect_exit 0 plot oil.h5 --what list
expect_matches "^film +[a-z]"
expect "a mistake left a picture behind" bash -c '! ls ./*.svg ./*.png ./*.pdf ./*.part'

# --- Without gnuplot; the script can be kept even so
mkdir none
status=0
PATH=$PWD/none "$LASH" plot play.h5 --what orbit --script kept.gp >.stdout 2>.stderr </dev/null || status=$?
if [ "$status" -eq 1 ]; then pass; else fail "exit code $status without gnuplot, expected 1"; fi
expect_error_contains "gnuplot, which draws the plot, is not installed (Debian: apt-get install gnuplot-nox)"
expect_no_file play-orbit.svg
expect_no_file play-orbit.svg.part
expect_file kept.gp

# --- No peak is lost between samples: a figure has the largest force of the summary, and the instant it has it at
PATH=$PWD/none "$LASH" plot coarse.h5 --what gudgeon.fn --x time --script kept.gp >.stdout 2>.stderr </dev/null
"$LASH" export coarse.h5 --summary >summary.txt
largest() { awk '/<< END/ { inside = 1; next } /^END/ { inside = 0 } inside && $2 > most { most = $2; at = $1 } END { print '"$1"' }' kept.gp; }
peak=$(sed -n 's/^gudgeon.peak_force = //p' summary.txt)
expect_close "$(largest "1e3 * most")" "$peak" 1 # in kN, and drawn with few digits
expect_close "$(largest "1e-3 * at")" "$(sed -n 's/^gudgeon.peak_time = //p' summary.txt)" 1e-6
expect_exit 0 export coarse.h5 --channels gudgeon.fn
if awk -F, -v peak="$peak" 'NR > 1 && $2 > 0.5 * peak { found = 1 } END { exit found }' .stdout; then pass; else fail "the samples have the peak by themselves"; fi
PATH=$PWD/none "$LASH" plot coarse.h5 --what gudgeon.fn --stream samples --script kept.gp >.stdout 2>.stderr </dev/null
if awk -v most="$(largest "1e3 * most")" -v peak="$peak" 'BEGIN { exit !(most < 0.5 * peak) }'; then pass; else fail "--stream samples draws more than the samples"; fi

if ! command -v gnuplot >/dev/null; then
    echo "pictures: skipped, gnuplot is not installed"
    finish
fi

# well_formed FILE
well_formed() {
    if command -v xmllint >/dev/null; then xmllint --nonet --noout "$1"; else grep -q '</svg>' "$1"; fi
}
# curves FILE: numbers of points of its curves, one line each.
curves() {
    awk '/<g id="gnuplot_plot_/ { if (inside) print n; inside = 1; n = 0 }
         inside { n += gsub(/[ML] ?[0-9.-]+,[0-9.-]+|[0-9.-]+,[0-9.-]+ |<use /, "") }
         /<\/svg>/ { if (inside) print n }' "$1"
}
# draw FILE CURVES ARGUMENT… -- TEXT…: draws FILE, which must hold so many curves with points, and these texts.
draw() {
    local file=$1 count=$2 arguments=()
    shift 2
    while [ "$1" != -- ]; do
        arguments+=("$1")
        shift
    done
    shift
    expect_exit 0 plot "${arguments[@]}" -q -o "$file"
    expect_silent
    expect_no_errors
    expect "$file is no XML" well_formed "$file"
    curves "$file" >.curves
    expect_lines "$count" .curves
    expect "$file has an empty curve" bash -c '! grep -qx 0 .curves'
    for text; do
        expect "$file lacks: $text" grep -qF ">$text</text>" "$file"
    done
}

# data NAME FILE: the pairs of a data block.
data() { awk -v name="\$$1 << END" '$0 == name { inside = 1; next } $0 == "END" { inside = 0 } inside' "$2"; }
title="Slider-crank with play (Flores 2010)"
draw history.svg 3 play.h5 -- "$title" "slider.vx" "velocity (m/s)" "slider.ax" "acceleration (10³ m/s²)" \
    "motor.torque" "torque (N m)" "crank angle (deg)" 720
draw against.svg 6 play.h5 --against ideal.h5 -- "play" "ideal"
expect "the other result is not dashed" grep -q "stroke-dasharray" against.svg
expect_exit 0 plot play.h5 --against ideal.h5 --channels gudgeon.fn,slider.vx -o half.svg
expect_error_contains "ideal.h5 has no channel 'gudgeon.fn': it is drawn of play.h5 alone"
draw channels.svg 3 play.h5 --what "*.fn,slider.vx" --from "1 rev" --to "1.5 rev" -- "gudgeon.fn" "crankpin.fn" 360 540 \
    "normal force (kN)"
draw over_time.svg 1 play.h5 --what slider.x --x time -- "time (ms)" "slider.x" "position (mm)"
draw over_channel.svg 1 play.h5 --what slider.vx --x slider.x -- "slider.x: position (mm)"
draw pendulum.svg 2 pendulum.h5 -- "Double pendulum" "time (s)" "upper.wz"
# A wheel that stands still is moved by rounding alone.
cat >still.yaml <<MODEL
gravity: [0, -9.81]
ground: {points: {o: [1, 0]}}
bodies:
  wheel: {mass: 5, inertia: 0.1}
  arm: {mass: 1, inertia: 0.01, position: [1.3, 0], points: {pin: [-0.3, 0]}}
joints: {axle: {type: revolute, between: [ground, wheel]}, pin: {type: revolute, between: [ground.o, arm.pin]}}
run: {until: 1 s, samples: 100}
MODEL
expect_exit 0 run still.yaml -q
draw still.svg 2 still.h5 -- "arm.wz" "arm.alphaz"
draw narrow.svg 1 narrow.h5 -- "slider.x" "position (mm)"
draw orbit.svg 9 play.h5 --what orbit --joint crankpin -- "$title: crankpin" "crankpin.ex: eccentricity (µm)" \
    "crankpin.ey: eccentricity (µm)" "free flight" "impact" "following" "clearance 100 µm"
draw phase.svg 1 play.h5 --what phase -- "slider.x: position (mm)" "slider.vx: velocity (m/s)"
draw phases.svg 2 play.h5 --what phase --channels gudgeon.ex,gudgeon.ey --against play.h5 -- "gudgeon.ey: eccentricity (µm)"
draw poincare.svg 1 play.h5 --what poincare --phase "90 deg" -- "2 cuts at 90 deg"
draw hysteresis.svg 4 play.h5 --what hysteresis --joint gudgeon -- "indentation (µm)" "normal force (kN)" "$title: gudgeon"
expect "impacts have no speeds" grep -qE '>[0-9.]+ m/s at [0-9.]+ .s</text>' hysteresis.svg
draw modes.svg 9 play.h5 --what modes -- crankpin gudgeon "free flight" impact following
# Each mode has a lane of its own, so that none covers another.
expect_exit 0 plot play.h5 --what modes --script modes.gp -o modes.svg
lanes=$(grep -o 'using 1:([-0-9.]*)' modes.gp | sort | uniq -d)
if [ -z "$lanes" ] && [ "$(grep -o 'with boxxyerror' modes.gp | wc -l)" = 6 ]; then pass; else fail "modes share a lane: $lanes"; fi
# Impacts are many times stronger than what lies between: distances go with the root of the force.
draw polar.svg 2 play.h5 --what polar --joint gudgeon --script polar.gp -- "force (kN, square-root scale) over its direction" "270°" "0°"
"$LASH" export play.h5 --channels gudgeon.f >force.csv
"$LASH" export play.h5 --channels gudgeon.f --stream peaks >>force.csv
outermost=$(sed -n "s/^set label 200 '\([0-9.]*\)'.*/\1/p" polar.gp)
expect_close "$(data path polar.gp | awk 'NF { r = sqrt($1*$1 + $2*$2); if (r > most) most = r } END { print most*most }')" \
    "$(awk -F, -v r="$outermost" '$2 + 0 > most { most = $2 + 0 } END { print most/1000/r }' force.csv)" 1e-3
draw polar_ideal.svg 2 ideal.h5 --what polar --joint gudgeon -- "force (kN) over its direction"
draw polar_x.svg 2 play.h5 --what polar --joint guide --x motor.angle -- "force (kN, square-root scale) over motor.angle" "$title: guide"
draw energy.svg 8 play.h5 --what energy -- "energy (J)" kinetic input dissipated friction
draw film.svg 3 oil.h5 --what film -- gudgeon.film "film thickness (µm)" "film force (kN)" "crank angle, clockwise (deg)"

# --- A drive that starts slowly: over its angle the start would have no room
sed 's/^  motor:.*/  motor: {joint: main, ramp: {to: $speed, over: 20 ms}}/' "$EXAMPLES/flores-2010.yaml" >slow.yaml
expect "the drive was not found" grep -q "ramp:" slow.yaml
"$LASH" run slow.yaml --until "3 rev of motor" -o slow.h5 -q
draw slow_modes.svg 6 slow.h5 --what modes -- "time (ms)" gudgeon
draw slow.svg 3 slow.h5 -- "time (ms)"
draw slow_later.svg 3 slow.h5 --from "1.5 rev" -- "crank angle (deg)"
draw slow_angle.svg 3 slow.h5 --x motor.angle -- "crank angle (rev)"

# --- A block in its channel, an arm between stops, teeth: each as what it is
cat >kinds.yaml <<'MODEL'
title: Kinds of play
bodies:
  block: {mass: 1, inertia: 0.002, velocity: [0.3, 0.5], angular_velocity: 4}
  arm: {mass: 1, inertia: 0.02, position: [0, -0.2], angle: -90 deg, points: {top: [-0.2, 0]}, velocity: [1, 0], angular_velocity: 5}
  wheel: {mass: 1, inertia: 0.002, position: [1, 0], angular_velocity: 10}
  other: {mass: 1, inertia: 0.002, position: [1.15, 0], angular_velocity: -5.1}
ground: {points: {wheel: [1, 0], other: [1.15, 0]}}
joints:
  slide: {type: translational, between: [ground, block], axis: [1, 0],
          stops: {max: 0.1, contact: {stiffness: 1e6, restitution: 0.8}},
          clearance: {length: 100 mm, height: 50 mm, play: 2 mm, contact: {stiffness: 1e9, restitution: 0.8}}}
  hinge: {type: revolute, between: [ground, arm.top],
          stops: {min: -150 deg, max: -30 deg, contact: {stiffness: 1e5, restitution: 0.8}}}
  one: {type: revolute, between: [ground.wheel, wheel]}
  two: {type: revolute, between: [ground.other, other]}
  mesh: {type: gear, between: [wheel, other], ratio: 0.5,
         backlash: {circumferential: 0.5 mm, pressure_angle: 20 deg, stiffness: 1e7 N/m}}
run: {until: 0.6}
MODEL
"$LASH" run kinds.yaml -q
draw block.svg 7 kinds.h5 --what orbit --script block.gp -- "Kinds of play: slide" "slide.offset: offset (mm)" \
    "slide.tilt: tilt (rad)" "play 2 mm" impact
# The limits are where a corner of the block, turned and moved, is on its wall: y = 26 mm.
data limits block.gp >limits
expect_lines 162 limits
expect "the limits of the block are not where its corners touch" awk '
    { c = cos($2); s = sin($2); most = 0
      for (a = -1; a <= 1; a += 2) for (b = -1; b <= 1; b += 2) {
          y = b * ($1 + 50 * a * s + 25 * b * c); if (y > most) most = y }
      if (most < 26 - 1e-5 || most > 26 + 1e-5) exit 1 }' limits
draw stops.svg 9 kinds.h5 --what gap --joint hinge --script stops.gp -- "Kinds of play: hinge" hinge.angle "angle (rad)" wall impact
data walls stops.gp | awk '{ print $2, $3 }' | sort -u >walls
expect "the walls are not at the stops" grep -qx -- '-0.523598776 -2.61799388' walls
expect_lines 1 walls
draw stop.svg 7 kinds.h5 --what gap --joint slide -- slide.s "travel (mm)" wall
draw teeth.svg 9 kinds.h5 --what gap --joint mesh --script teeth.gp -- mesh.error "transmission error (µm)" wall
expect_close "$(data walls teeth.gp | sed -n 1p | cut -d ' ' -f 2)" 234.923155 1e-6 # half of 0.5 mm cos 20°
draw corners.svg 12 kinds.h5 --what modes --joint slide -- slide.corner1 slide.corner4 slide.max
expect "another joint is in the strips" bash -c '! grep -q "hinge" corners.svg'
draw flank.svg 4 kinds.h5 --what modes --joint mesh.flank1 -- mesh.flank1
draw turning.svg 1 kinds.h5 --what hysteresis --joint hinge.max -- "indentation (rad)" "torque (N m)"
refuse 2 "'hinge' has no orbit: stops and teeth move in one direction only; --what gap draws it" kinds.h5 --what orbit --joint hinge
refuse 2 "'block' has no stops, backlash or clearance" kinds.h5 --what gap --joint block
sed '/^  block/d; /^  slide/,/play: 2 mm/d' kinds.yaml >without.yaml
"$LASH" run without.yaml -q
refuse 2 "needs a pin, a ball or a block with play, which 'without.h5' does not have; --what gap draws the motion between stops" without.h5 --what orbit
refuse 2 "the preset gap needs a joint with stops, backlash, or play of a pin or a ball, which 'pendulum.h5' does not have" pendulum.h5 --what gap

# In space: three projections; a bearing that stays in its plane has one, and its ends are told apart.
"$LASH" run "$EXAMPLES/flores-2006.yaml" --until "60 ms" -o ball.h5 -q
draw ball.svg 15 ball.h5 --what orbit -- "ball.ex: eccentricity (µm)" "ball.ez: eccentricity (µm)" "clearance 500 µm"
draw turning.svg 2 ball.h5 -- "crank.wx"
draw force.svg 2 ball.h5 --what polar -- "force in the plane xy (N, square-root scale) over its direction"
"$LASH" run "$EXAMPLES/planar-in-space.yaml" --until "0.2 rev of motor" -o ends.h5 -q
draw ends.svg 9 ends.h5 --what orbit -- "gudgeon.end1.ex: eccentricity (µm)" "clearance 25 µm"
expect "there are no three projections" bash -c '[ "$(grep -c ">ball.e[xyz]: " ball.svg)" -eq 6 ]'
# A pin along x has its orbit and its force in the plane across it.
cat >pin.yaml <<'MODEL'
space: spatial
gravity: [0, 0, -9.81]
bodies: {rotor: {mass: 2 kg, inertia: [0.004, 0.003, 0.003]}}
joints:
  pin: {type: revolute, between: [ground, rotor], axis: [1, 0, 0],
        clearance: {bearing_radius: 10 mm, radial: 0.2 mm, length: 50 mm, contact: {stiffness: 1e9, restitution: 0.5}}}
forces: {push: {type: force, at: rotor, force: [0, 20, -30]}}
run: {until: 50 ms}
MODEL
"$LASH" run pin.yaml -q
draw pin.svg 9 pin.h5 --what orbit -- "pin.end1.ey: eccentricity (µm)" "pin.end1.ez: eccentricity (µm)" "clearance 200 µm"
expect "an orbit is drawn along the pin" bash -c '! grep -q "pin.end1.ex" pin.svg'
expect_exit 0 plot pin.h5 --what polar -o pin-force.svg -q
expect "the force is not drawn across the pin" grep -q ">force in the plane yz (" pin-force.svg

# --- The clearance circle from the model where e and delta were not recorded, with what was set
"$LASH" run "$EXAMPLES/flores-2010.yaml" --set play="0.4 mm" --until "0.1 rev of motor" --channels gudgeon.ex,gudgeon.ey -o bare.h5 -q
draw bare.svg 3 bare.h5 --what orbit -- "clearance 200 µm"

# --- No peak is lost: the figure of all steps reaches the peak between them, and stays small
"$LASH" run "$EXAMPLES/flores-2010.yaml" --until "20 rev of motor" -o long.h5 -q
expect_exit 0 plot long.h5 --what gudgeon.fn --script long.gp -o long.svg -q
"$LASH" export long.h5 --channels gudgeon.fn >long.csv
rows=$(wc -l <long.csv)
points=$(data a0 long.gp | wc -l)
expect "$points points are drawn of $rows" [ "$points" -gt 3000 -a "$points" -lt 7000 -a "$rows" -gt 10000 ]
peak=$("$LASH" export long.h5 --summary | sed -n 's/^gudgeon.peak_force = //p')
expect_close "$(data a0 long.gp | sort -g -k 2 | tail -n 1 | awk '{ printf "%.9g", 1000*$2 }')" "$peak" 1e-8

# --- A cut of the section is what the run itself gives at that instant, between rows 1/97 turn apart
"$LASH" run "$EXAMPLES/slider-crank.yaml" --until "1 rev of motor" --samples 4 -o quarters.h5 -q
"$LASH" export quarters.h5 --channels slider.x,slider.vx >quarters.csv
"$LASH" run "$EXAMPLES/slider-crank.yaml" --until "2 rev of motor" --samples 194 -o rows.h5 -q
expect_exit 0 plot rows.h5 --what poincare --phase "90 deg" --to "1 rev" --script cut.gp -o cut.svg -q
data cuts cut.gp >cuts
expect_lines 1 cuts
expect_close "$(awk '{ print $1 }' cuts)" "$(csv_column quarters.csv slider.x | awk 'NR == 2 { printf "%.12g", 1000*$1 }')" 1e-6
expect_close "$(awk '{ print $2 }' cuts)" "$(csv_column quarters.csv slider.vx | sed -n 2p)" 1e-6

# --- The script draws the same figure again
expect_exit 0 plot play.h5 --what orbit --script orbit.gp -o again.svg -q
cp again.svg first.svg
rm again.svg
expect "gnuplot does not take the script" gnuplot orbit.gp
expect_same again.svg first.svg

# --- Kinds and sizes; a name of its own beside the result
mkdir sub
cp play.h5 sub/run.h5
expect_exit 0 plot sub/run.h5 --what polar
expect_error_contains "sub/run-polar.svg"
expect_file sub/run-polar.svg
expect_exit 0 plot sub/run.h5
expect_error_contains "also takes orbit, gap, phase, poincare, hysteresis, modes, polar, energy, spectrum."
expect_file sub/run-history.svg
expect_exit 0 plot play.h5 -o picture.png
expect "no PNG" bash -c '[ "$(head -c 4 picture.png | tail -c 3)" = PNG ]'
expect_exit 0 plot play.h5 -o picture.pdf
expect "no PDF" bash -c '[ "$(head -c 4 picture.pdf)" = %PDF ]'
expect_exit 0 plot play.h5 --size 10x8 -o small.svg
expect "the size is not kept" grep -q 'width="378" height="302"' small.svg
refuse 4 "no/such/folder.svg" play.h5 -o no/such/folder.svg
refuse 4 "no/such/script" play.h5 --script no/such/script
if [ -e /dev/full ]; then
    ln -s /dev/full full.svg
    expect_exit 4 plot play.h5 -o full.svg
fi

# --- Texts of others: nothing in a title or a name is a command, markup, or breaks the picture
# hostile TITLE
hostile() {
    sed "s/^title:.*//" "$EXAMPLES/flores-2010.yaml" >hostile.yaml
    printf 'title: "%s"\n' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')" >>hostile.yaml
    "$LASH" run hostile.yaml --until "0.2 rev of motor" -q
    for preset in history orbit hysteresis; do
        expect_exit 0 plot hostile.h5 --what $preset -q -o hostile.svg
        expect "the picture of '$1' is no XML" well_formed hostile.svg
        expect "markup in the picture of '$1'" bash -c '! grep -qiE "<(script|image|a|foreignObject)[ >]" hostile.svg'
    done
    expect "a title was carried out: $1" bash -c '! ls ./*HACKED*'
}
hostile "'; system('touch HACKED'); '"
hostile "''; system 'touch HACKED'"
hostile "x' ; !touch HACKED"
hostile '`touch HACKED`'
hostile '".system("touch HACKED")."'
hostile "\`touch HACKED\`'"
hostile "'"
hostile "\\"
hostile "a\\'"
hostile '@HACKED $HACKED %s%n%d {/Symbol a}_b^c'
hostile '</text><script>alert(1)</script>'
hostile ']]> & &amp; <!-- -->'
hostile 'END'
hostile '#'
hostile "$(printf 'x%.0s' {1..3000})"
hostile "ÄÖÜ Пружина 滑块 😀"
# A result from elsewhere may hold any bytes.
"$LASH" run "$EXAMPLES/flores-2010.yaml" --until "0.2 rev of motor" -q -o bytes.h5
for bytes in '\xff\xfe\xc0\x80\xed\xa0\x80' "\n!touch HACKED\n" "';\nsystem 'touch HACKED'\n#" '\x1b[31m\x07\x7f'; do
    printf "$bytes" | "$SET_TITLE" bytes.h5 || fail "the title was not set"
    expect_exit 0 plot bytes.h5 --what orbit -q -o bytes.svg
    expect "bytes make no XML" well_formed bytes.svg
    expect "bytes were carried out" bash -c '! ls ./*HACKED*'
done
# So may names of files, in legend and script.
cp ideal.h5 "'; !touch HACKED.h5"
expect_exit 0 plot play.h5 --against "'; !touch HACKED.h5" -o "'q|.svg" --script odd.gp -q
rm "'q|.svg" "'; !touch HACKED.h5"
expect "an odd name breaks the script" gnuplot odd.gp
expect_file "'q|.svg"
expect "a file's name was carried out" bash -c '! ls ./*HACKED*'

# --- Studies: the kind of file is seen in its first bytes, whatever it is called
cp "$EXAMPLES/flores-2010.yaml" model.yaml
cat >map.yaml <<STUDY
title: A map
model: model.yaml
axes: {play: [0.1 mm, 0.2 mm, 0.4 mm], speed: [1000 rpm, 2000 rpm]}
run: {until: 1 rev of motor, rtol: 1e-6}
section: {channels: [slider.vx, slider.x], keep: true}
metrics: [max slider.ax, max gudgeon.fn]
STUDY
"$LASH" study map.yaml -o map.h5 -q
expect_exit 0 plot map.h5 --what list
for figure in curve map bifurcation; do expect_matches "^$figure +"; done
expect_lacks lyapunov
draw curve.svg 2 map.h5 -- "A map" "play (mm)" "max slider.ax (10³ m/s²)" "speed 1000 rpm" "speed 2000 rpm"
draw curve2.svg 3 map.h5 --x speed --y "max gudgeon.fn" -- "max gudgeon.fn (kN)" "play 0.4 mm"
draw map.svg 1 map.h5 --what map -- "play (mm)" "speed (rpm)" "max slider.ax (10³ m/s²)"
expect "not all cells are drawn" bash -c '[ "$(grep -c "<polygon\|<path.*fill" map.svg)" -ge 6 ]'
draw map2.svg 1 map.h5 --what map --x speed --z "max gudgeon.fn" -- "speed (rpm)" "play (mm)" "max gudgeon.fn (kN)"
draw bifurcation.svg 2 map.h5 --what bifurcation -- "slider.vx (m/s)" "play (mm)"
draw bifurcation2.svg 2 map.h5 --what bifurcation --y slider.x -- "slider.x (mm)"
# A mass that is shaken twice a turn: each spectrum has one line, at that frequency and of that height.
cat >shaken.yaml <<'MODEL'
parameters: {rate: 60 rpm}
bodies: {m: {mass: 1, inertia: 1}, w: {mass: 1, inertia: 1}}
joints: {ways: {type: translational, between: [ground, m], axis: [1, 0]}, pin: {type: revolute, between: [ground, w]}}
drives: {shake: {joint: ways, motion: "3 mm*sin(2*$rate*t)"}, motor: {joint: pin, speed: $rate, start: 0 rad}}
run: {until: 1 s}
MODEL
cat >shaken-study.yaml <<STUDY
title: Shaken
model: shaken.yaml
axes: {rate: [60 rpm, 120 rpm, 180 rpm]}
run: {until: 16 rev of motor}
section: {of: motor.angle, every: 15 deg, channels: [m.x], keep: true}
metrics: [max m.x]
STUDY
"$LASH" study shaken-study.yaml -o shaken.db -q
draw waterfall.svg 8 shaken.db --what waterfall --script waterfall.gp -- "Shaken" "frequency (Hz)" "rate (rpm)" "m.x: highest line 3 mm"
expect "the lines are not at 2, 4 and 6 Hz" awk '/^\$ridge/ { n++; most = 0; next } n && NF == 3 { if ($3 - $2 > most) { most = $3 - $2; at[n] = $1 } }
    END { exit !(n == 3 && at[1] > 5.9 && at[1] < 6.1 && at[2] > 3.95 && at[2] < 4.05 && at[3] > 1.97 && at[3] < 2.03) }' waterfall.gp
expect "the orders are not where the drive turns" grep -q '^3 180$' waterfall.gp
refuse 2 "has 1 cuts: a spectrum needs" map.h5 --what waterfall
refuse 2 "has no metric 'exponent'" map.h5 --what lyapunov
refuse 2 "did you mean 'map'?" map.h5 --what mapp
refuse 2 "--joint is for results of runs" map.h5 --joint gudgeon
refuse 2 "--z is for --what map" map.h5 --z "max gudgeon.fn"
refuse 2 "did you mean 'speed'?" map.h5 --x sped
refuse 2 "'max slider.x' is not a column" map.h5 --what map --z "max slider.x"
expect_exit 0 plot map.h5
expect_file map-curve.svg
cat >lyapunov.yaml <<STUDY
model: model.yaml
axes: {play: [0.1 mm, 0.5 mm]}
run: {until: 4 rev of motor, rtol: 1e-6}
discard: 2 rev of motor
section: {channels: [slider.vx]}
metrics: [exponent, exponent-error]
STUDY
"$LASH" study lyapunov.yaml -q
expect_exit 0 plot lyapunov.db --what list
expect_matches "^lyapunov +"
expect_lacks bifurcation
draw lyapunov.svg 1 lyapunov.db --what lyapunov -- "play (mm)" "exponent (1/s)"
refuse 2 "has kept no cuts" lyapunov.db --what bifurcation
refuse 2 'a waterfall needs `section: {…, every: 5 deg, keep: true}`' lyapunov.db --what waterfall
refuse 2 "no second axis that varies" lyapunov.db --what map
expect_exit 0 plot lyapunov.db --what curve --script study.gp -q
expect "gnuplot does not take the script" gnuplot study.gp

# --- Symptoms are reported with their cause: an ideal joint has no play to draw.
expect_exit 0 run "$EXAMPLES/flores-2010.yaml" --until "1 ms" -q -o one.h5
expect_exit 2 plot one.h5 --what orbit --joint main
expect_error_contains "joint 'main' has no play"
expect_exit 0 run "$EXAMPLES/flores-2010.yaml" --set gudgeon=ideal --until "1 ms" -q -o none.h5
expect_exit 2 plot none.h5 --what orbit
expect_error_contains "all its joints are ideal"
finish
