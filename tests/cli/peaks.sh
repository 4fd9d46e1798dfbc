#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What lash run says of peak forces: their instant and parts, the first turn apart, and when they are worth little.
. "${0%/*}/lib.sh"

# --- A start in the middle of the play: the peak is that of the first turn
expect_exit 0 run "$EXAMPLES/flores-2010.yaml" --until "3 rev of motor" -o turns.h5
expect_error_matches "^ +at most 16\.91 kN at t = 6\.9196[0-9]*e-05 s: 16\.58 kN elastic, 331\.1 N damping, 14\.41 µm deep$"
expect_error_matches "^ +after the first turn 2\.9[0-9]+ kN at t = 0\.0[0-9]+ s: 2\.9[0-9]+ kN elastic, [0-9.]+ N damping, "
expect_error_matches "^ +14\.51 µm deep at most, at t = 7\.056[0-9]*e-05 s; [0-9.]+ mJ lost$"
expect_exit 0 export turns.h5 --summary
expect_matches "^first_turn_end = 0\.012"
expect_matches "^gudgeon\.peak_force = 16907\."
expect_matches "^gudgeon\.first_turn_peak_force = 16907\."
expect_matches "^gudgeon\.later_peak_force = 29[0-9][0-9]\."
expect_matches "^gudgeon\.peak_time = 6\.9196"
expect_exit 0 run "$EXAMPLES/flores-2010.yaml" --until "0.5 rev of motor" -o half.h5
expect_error_matches "^ +at most 16\.91 kN at t = "
if grep -q "first turn" .stderr; then fail "a first turn without a whole turn"; else pass; fi

# --- Channels and events of the parts
expect_exit 0 export turns.h5 --channels gudgeon.fn,gudgeon.fe,gudgeon.fd --stream steps --csv parts.csv
expect "fe + fd is not fn" awk -F, 'NR > 1 && ($3 + $4 - $2)^2 > 1e-18 * $2^2 {bad = 1} END {exit bad || NR < 100}' parts.csv
expect_exit 0 export turns.h5 --events --csv events.csv
expect "the parts have no columns" grep -qF "elevation [rad],peak_time [s],peak_elastic [N],peak_damping [N],peak_depth [m]" events.csv
expect "the parts are not the peak, or there is no impulse" \
    awk -F, '$1 == "release" {n++; if (($16 + $17 - $7)^2 > 1e-18 * $7^2 || !($12 > 0)) bad = 1} END {exit bad || n < 2}' events.csv
expect_exit 0 run "$EXAMPLES/planar-in-space.yaml" --until "0.1 rev of motor" --channels '*.fe,*.fd' -o pins.h5 -q
expect_exit 0 export pins.h5
expect_contains "gudgeon.end1.fe [N]"

# --- A contact that begins at 0.24 mm/s and is pressed fast later
cat >pressed.yaml <<'END'
gravity: [0, 0]
parameters:
  approach: {choose: first, from: [first, energy]}
  stiffness: 1e10
bodies:
  bearing: {mass: 1 kg, inertia: 1e-3}
  journal: {mass: 1 kg, inertia: 1e-3}
joints:
  guide: {type: translational, between: [ground, bearing], axis: [1, 0]}
  pin:
    type: revolute
    between: [bearing, journal]
    clearance:
      bearing_radius: 10 mm
      radial: 10 um
      contact: {law: exact, restitution: 0.6, stiffness: $stiffness, approach: $approach}
drives:
  start: {joint: guide, motion: "0.24 mm/s * 1 ms * (1 - exp(-t/1 ms))"}
forces:
  push: {type: force, at: journal, force: ["87 N/(1 + exp(-(t - 43.1666667 ms)/25 us))", 0]}
run: {until: 44 ms, rtol: 1e-10}
END
expect_exit 0 run pressed.yaml
expect_error_matches "warning: joint pin: in 1 contact more than half of the force was damping, at most 11[0-9.]+ N of 12[0-9.]+ N at t = 0\.0433[0-9]+ s"
expect_error_contains "compare with approach: energy"
expect_error_matches "warning: joint pin: 9[0-9] % of its peak force, 12[0-9.]+ N at t = 0\.0433[0-9]+ s, is damping.* Give approach: energy"
expect_exit 0 export pressed.h5 --summary
expect_matches "^warning\.[0-9]+ = joint pin: in 1 contact more than half of the force was damping"
expect_matches "^warning\.[0-9]+ = joint pin: 9[0-9] % of its peak force, .* is damping"
expect_exit 0 run pressed.yaml --set approach=energy
if grep -q "warning: joint" .stderr; then fail "bounded damping is warned of"; else pass; fi
for approach in first energy; do
    expect_exit 0 check pressed.yaml --set approach=$approach
    expect_matches "^  restitution asked for +0\.6$"
    expect_matches "^  restitution given +0\.6$"
    expect_matches "^  damping factor +h = [0-9.]+, approach: $approach$"
done

# --- So soft that the journal goes deeper than its clearance
expect_exit 0 run pressed.yaml --set approach=energy --set stiffness=1e8
expect_error_matches "warning: joint pin: 1 contact went deeper than the clearance of 10 µm, at most [0-9.]+ µm at t = 0\.04[0-9]+ s"

# --- What corners of a block share is said once, of the joint, with the sum and the largest; what one has, of that one
expect_exit 0 run "$EXAMPLES/piston-slap.yaml" --until "50 ms" --set stiffness=5e6 -o corners.h5
expect_error_matches "warning: joint cylinder: 7 contacts went deeper than the clearance of 50 µm, at most 94\.[0-9]+ µm at t = 0\.04707[0-9]+ s"
if [ "$(grep -c "went deeper" .stderr)" -eq 1 ]; then pass; else fail "the corners repeat a warning"; fi
expect_exit 0 export corners.h5 --summary
if [ "$(sed -n 's/^cylinder\.corner[1-4]\.deep = //p' .stdout | awk '{n += $1} END {print n}')" -eq 7 ]; then pass; else fail "7 is not the sum"; fi
expect_exit 0 run "$EXAMPLES/piston-slap.yaml" --until "2 ms" --set stiffness=7.7e6 -o corners.h5
expect_error_matches "warning: joint cylinder\.corner3: 1 contact went deeper than the clearance"
if [ "$(grep -c "went deeper" .stderr)" -eq 1 ]; then pass; else fail "the corners repeat a warning"; fi

finish
