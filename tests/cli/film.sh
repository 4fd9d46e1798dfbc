#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Lubricated joints: what check and run say of a film, the example in its three variants, tables and their copies on
# disk, a new user's mistakes.
. "${0%/*}/lib.sh"

# --- The example
expect_exit 0 check "$EXAMPLES/flores-2004.yaml"
expect_matches "^  film +squeeze-long$"
expect_matches "^  viscosity +400 mPa s$"
expect_matches "^  length/diameter +1.053$"
expect_matches "^  film to dry contact +over e0 = 50 µm; film of clearance \+ e1, e1 = 100 µm$"
expect_matches "^ +at its end the dry contact carries 23.37 kN; a film that carries more"
expect_lacks "table of the film"
expect_contains "trusted" # L/D = 1 is too short for a long bearing
expect_exit 0 run "$EXAMPLES/flores-2004.yaml" --until 0.012
expect_error_contains "film alone"
expect_error_contains "lost in the film"
expect_exit 0 run "$EXAMPLES/flores-2004.yaml" --until 0.002 --channels gudgeon.film,gudgeon.film_force --csv film.csv
expect_close "$(csv_column film.csv gudgeon.film | sed -n 1p)" 5e-4 1e-9
for variant in dry friction; do
    expect_exit 0 check "$EXAMPLES/flores-2004.yaml" --set variant=$variant
    expect_lacks "film"
    expect_exit 0 run "$EXAMPLES/flores-2004.yaml" --set variant=$variant --until 0.012
    expect_error_contains "impacts in"
done

# --- Pressed through: the film gives way before the contact carries, and a throw that no steel bears
cat >pressed.yaml <<'END'
parameters: {speed: 0 m/s, load: -4 kN}
bodies: {shaft: {mass: 0.1, inertia: 1e-5, velocity: [0, $speed]}}
joints:
  pin: {type: revolute, between: [ground, shaft], clearance: {bearing_radius: 10 mm, radial: 25 um, length: 2 mm,
        contact: {stiffness: 1e11, restitution: 0.5}, lubricant: {film: short, viscosity: 0.4}}}
forces: {load: {type: force, at: shaft, force: [0, $load]}}
run: {until: 0.01}
END
expect_exit 0 run pressed.yaml --channels pin.film_share,pin.film_force,pin.film_pressure --csv pressed.csv
expect_error_contains "joint pin: 1 time its film was pressed through while it carried more, up to 4.0"
expect_lacks "hardened steel"
expect "a film without a share carries nothing, in more than ten rows" awk -F, '
    NR > 1 && $2 == 0 { n++; if ($3 != 0 || $4 != 0) exit bad = 1 } END { exit bad || n <= 10 }' pressed.csv
expect_exit 0 run pressed.yaml --set load="-4 MN" --until 1e-5
expect_error_contains "the pressure of its film rose above 2 GPa, which hardened steel does not withstand"

# --- A groove: its table is announced, computed, and found the next time
cat >grooved.yaml <<'END'
materials: {steel: {young: 207 GPa, poisson: 0.3, density: 7850 kg/m^3}}
parameters: {where: 120 deg}
bodies: {shaft: {mass: 1, inertia: 1e-3}}
gravity: [0, -9.81]
joints:
  pin:
    type: revolute
    between: [ground, shaft]
    clearance:
      bearing_radius: 20.05 mm
      radial: 50 um
      length: 20 mm
      materials: steel
      contact: {restitution: 0.9}
      lubricant: {film: reynolds, oil: SAE 30, temperature: 60 degC, inlet: groove at $where}
drives: {motor: {joint: pin, speed: 3000 rpm}}
run: {until: 0.01 s, method: gear, rtol: 1e-6}
END
export XDG_CACHE_HOME=$PWD/cache
expect_exit 0 check grooved.yaml
expect_error_contains "pin: the film of L/D = 0.5 is tabulated"
expect_matches "^  inlet +groove at 120 deg, turning with the bearing$"
expect_matches "^  table of the film +within 0\.[0-9]+ % of the force"
expect_exit 0 check grooved.yaml
expect_no_errors
expect_exit 0 run grooved.yaml --set where="-60 deg"
expect_error_contains "lost in the film"

# --- Mistakes
mistake() { # FROM TO MESSAGE
    sed -e "s|$1|$2|" grooved.yaml >mistake.yaml
    expect_exit 3 check mistake.yaml
    expect_error_contains "$3"
}
mistake "oil: SAE 30, temperature: 60 degC, " "" "its viscosity is missing"
mistake "SAE 30" "SAE 35" "there is no oil 'SAE 35'"
mistake "temperature: 60 degC, " "" "temperature is missing"
mistake "length: 20 mm" "" "length is missing"
mistake "inlet:" "e0: 0, inlet:" "e0 must be greater than zero"
mistake "inlet:" "e0: -1 um, inlet:" "e0 must be greater than zero"
mistake "at .where" "at 3 mm" "where an angle [rad] belongs"
mistake "at .where" "" "where is the groove?"
mistake "film: reynolds" "film: short" "the film short has no inlet"
# --- What the film carried at most is in the summary: the largest of its steps.
expect_exit 0 run "$EXAMPLES/flores-2004.yaml" --until "0.2 rev of motor" --steps -o carried.h5
expect_error_matches "the film carried at most [0-9.]+ k?N at t = 0\.00[0-9]+ s"
expect_exit 0 export carried.h5 --channels gudgeon.film_force --stream steps --csv carried.csv
"$LASH" export carried.h5 --summary >carried.txt
expect "another film force in the summary than in the rows" awk -F'[ ,=]+' \
    'FILENAME ~ /txt/ && $1 == "gudgeon.film_force" {said = $2} FILENAME ~ /csv/ && FNR > 1 {f = $2 < 0 ? -$2 : $2; most = f > most ? f : most}
     END {exit !(said > 0 && (said - most)^2 <= 1e-18 * most^2)}' carried.txt carried.csv
finish
