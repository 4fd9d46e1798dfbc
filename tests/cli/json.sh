#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# --json of run, check, study show, bearing and linearize: it is JSON, and says what the words say. lash linearize:
# frequencies of a pendulum, matrices as CSV.
. "${0%/*}/lib.sh"

# json EXPRESSION: what the last run wrote, read as `d`, makes this Python expression true.
json() {
    command_line="$command_line | $1"
    status=0
    python3 -c 'import json, sys; d = json.load(open(".stdout")); sys.exit(not ('"$1"'))' 2>>.stderr || status=$?
    if [ "$status" -eq 0 ]; then pass; else fail "not true: $1"; fi
}

expect_exit 0 run "$EXAMPLES/flores-2010.yaml" --until "2 ms" --csv rows.csv --json
json 'd["summary"]["status"] == "STOP_END" and d["summary"]["end"] == 0.002 and d["csv"] == "rows.csv"'
json 'd["result"] is None and d["summary"]["steps"] > 10 and "gudgeon.impacts" in d["summary"]'
expect_exit 2 run "$EXAMPLES/flores-2010.yaml" --csv - --json
expect_error_contains "both go to standard output"
expect_exit 0 check "$EXAMPLES/flores-2010.yaml" --json
json 'd["bodies"] == 3 and d["freedoms"] == 2 and len(d["clearances"]) == 1'
json '0 < d["clearances"][0]["restitution"] < 1 and d["clearances"][0]["joint"] == "gudgeon"'
expect_exit 0 bearing --json --eps 0.5
json 'd["rows"][0]["eps"] == 0.5 and d["units"]["attitude"] == "deg"'
expect_exit 2 bearing --json --csv -
cat >play.yaml <<STUDY
model: $EXAMPLES/slider-crank.yaml
run: {until: 1 ms}
metrics: [max slider.ax]
STUDY
expect_exit 0 study play.yaml -q
expect_exit 0 study show play.db --json
json 'd["points"] == 1 and len(d["rows"]) == 1 and d["columns"][0]["kind"] == "point"'
json 'd["columns"][-1]["name"] == "message" or any(c["kind"] == "metric" for c in d["columns"])'
expect_exit 2 study play.yaml --json

# A pendulum of length l: sqrt(g/l)/2π, and with a torque as input the response θ = T/(m g l).
cat >pendulum.yaml <<MODEL
gravity: [0, -9.81]
ground: {points: {o: [0, 0]}}
bodies:
  bob: {mass: 2, inertia: 1e-9, position: [0, -1.5], points: {top: [0, 1.5]}}
joints:
  pin: {type: revolute, between: [ground.o, bob.top]}
forces:
  motor: {type: torque, body: bob, torque: 0}
run: {until: 1}
MODEL
expect_exit 0 linearize pendulum.yaml
expect_contains "0.407"
expect_contains "bob.angle"
expect_exit 0 linearize pendulum.yaml --json --channels bob.angle
json 'abs(d["modes"][0]["frequency"] - (9.81 / 1.5) ** 0.5 / 6.283185307179586) < 1e-9 and d["inputs"] == ["motor.torque"]'
json 'abs(-d["C"][0][0] * d["B"][1][0] / d["A"][1][0] * 2 * 9.81 * 1.5 - 1) < 1e-8'
expect_exit 0 linearize pendulum.yaml --csv system.csv --channels bob.angle
expect "four lines of CSV" test "$(wc -l <system.csv)" -eq 4
expect "its head" test "$(head -1 system.csv)" = ",q1,v1,motor.torque"
expect_exit 0 linearize pendulum.yaml --at "0.1 s"
expect_contains "t = 0.1 s"
expect_exit 2 linearize pendulum.yaml --channels bob.angel
expect_error_contains "did you mean"
expect_exit 4 linearize pendulum.yaml --csv /nowhere/x.csv
finish
