# SPDX-License-Identifier: MIT
#
# Drives and forces as functions of time: pulses, jumps, tables and their ends, units and tolerances, as the
# program reports them. shellcheck shell=bash disable=SC2154
. "${0%/*}/lib.sh"

# model NAME LINE…: a mass on a guide, with further lines.
model() {
    printf '%s\n' "bodies: {m: {mass: 1, inertia: 1}}" \
        "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}" "${@:2}" >"$1"
}

# --- A pulse that every method used to step over
model pulse.yaml 'forces: {push: {type: force, at: m, force: ["if(t < 5 s, 0 N, if(t < 5.01 s, 1000 N, 0 N))", 0]}}' \
    'run: {until: 10 s, samples: 2}'
for method in dop853 adams gear; do
    expect_exit 0 run pulse.yaml --method "$method" --rtol 1e-6 --csv - --channels m.vx -q
    if awk -F, 'NR > 1 && $1 == 10 { v = $2 } END { exit !(v > 9.99999999999 && v < 10.00000000001) }' .stdout; then
        pass
    else
        fail "the impulse of the pulse is not 10 N s"
    fi
done

# --- Drives that jump, found by `check` as well
model jump.yaml 'drives: {cam: {joint: guide, motion: "5 mm*abs(t/(1 s) - 0.5)"}}' 'run: {until: 1 s}'
for command in check run kinematics; do
    expect_exit 3 "$command" jump.yaml
    expect_error_contains "drive 'cam': its speed jumps by 0.01 m/s at t = 0.5 s, from -0.005 to 0.005 m/s"
    expect_error_contains "make the motion smooth"
done
model pole.yaml 'drives: {cam: {joint: guide, motion: "1 m s/(t - 0.5 s)"}}' 'run: {until: 1 s}'
expect_exit 3 run pole.yaml
expect_error_contains "drive 'cam': its motion or one of its first two derivatives has no finite value at t = 0.5 s"
model pole.yaml 'forces: {push: {type: force, at: m, force: ["1 N s/(t - 0.5 s)", 0]}}' 'run: {until: 1 s}'
expect_exit 3 check pole.yaml
expect_error_contains "force 'push': its expression has no finite value at t = 0.5 s"

# --- Tables: a spline that overshoots is reported; the default does not overshoot
points='points: [[0, 0], [5 mm, 0], [6 mm, 1000 N], [10 mm, 1000 N]]'
drive='drives: {ram: {joint: guide, motion: "3 mm + 20 mm/s*t"}}'
model press.yaml "$drive" "forces: {work: {type: load, over: guide, joint: guide, table: {$points}}}" \
    'run: {until: 1 s, samples: 10}'
expect_exit 0 check press.yaml
if grep -q warning .stderr; then fail "a warning about a table that does not overshoot"; else pass; fi
for command in run kinematics; do
    expect_exit 1 "$command" press.yaml -o press.h5
    expect_error_contains "force 'work' reads its table at x = 0.01"
    expect_error_contains "which go from 0 to 0.01 m (0 to 10 mm)"
    expect_error_contains "beyond: hold, extrapolate or zero, or with a period"
    expect_exit 0 export press.h5 --channels ram.force
    expect_matches '^0,-?0$'
    expect_matches '^0.2(0000)?[0-9]*,-1000$'
done
expect_exit 0 run press.yaml --until "0.34 s"
model press.yaml "$drive" "forces: {work: {type: load, over: guide, joint: guide, table: {$points, interpolation: spline}}}" \
    'run: {until: 0.3 s}'
expect_exit 0 check press.yaml
expect_error_contains "warning: force 'work': table: between its points the spline goes beyond them by up to"
expect_error_contains "at x = 0.00"
model press.yaml "$drive" "forces: {work: {type: load, over: guide, joint: guide, table: {$points, beyond: hold}}}" \
    'run: {until: 1 s, samples: 2}'
expect_exit 0 run press.yaml -o press.h5
expect_exit 0 export press.h5 --channels ram.force
expect_matches '^1,-1000'

# --- A table of a drive that is shorter than the run
model short.yaml 'drives: {cam: {joint: guide, table: [[0, 0], [0.5, 1 mm], [1, 0], [1.5, 1 mm], [2, 0]]}}' 'run: {until: 3 s}'
expect_exit 3 run short.yaml
expect_error_contains "drive 'cam': its table has points from 0 s to 2 s and is needed at t = 3 s"
expect_exit 0 run short.yaml --until "2 s"

# --- Units and tolerances
sed 's/translational, between: \[ground, m\], axis: \[1, 0\]/revolute, between: [ground, m]/' short.yaml >turn.yaml
sed -i 's/^drives.*/drives: {motor: {joint: guide, speed: 10 Hz}}/' turn.yaml
expect_exit 3 run turn.yaml
expect_error_contains "frequency [1/s] where an angular speed [rad/s] belongs"
expect_error_contains "rpm, rev/s or rad/s"
sed -i 's/10 Hz/10 rev\/s/' turn.yaml
expect_exit 0 run turn.yaml
expect_exit 3 run turn.yaml --rtol 1e-20
expect_error_contains "run.rtol 1e-20 is finer than double precision allows: at least 1e-14"
expect_exit 3 run turn.yaml --set run.atol=1e-15
expect_exit 0 run turn.yaml --rtol 1e-14 --until "10 ms"
expect_exit 2 bearing --radius "10 mm" --clearance "10 um" --length "10 mm" --viscosity "40 mPa s" --speed "50 Hz"
expect_error_contains "write rpm, rev/s or rad/s"

finish
