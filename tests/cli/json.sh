#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# --json of all commands that have it: it is JSON, also of failures, and says what the words say. lash linearize:
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
json 'd["uncertainty"] < 1e-9'
expect_exit 0 linearize pendulum.yaml --csv system.csv --channels bob.angle
expect "four lines of CSV" test "$(wc -l <system.csv)" -eq 4
expect "its head" test "$(head -1 system.csv)" = ",q1,v1,motor.torque"
expect_exit 0 linearize pendulum.yaml --at "0.1 s"
expect_contains "t = 0.1 s"
expect_exit 2 linearize pendulum.yaml --channels bob.angel
expect_error_contains "did you mean"
expect_exit 4 linearize pendulum.yaml --csv /nowhere/x.csv

# Failures: an object with the messages, at their places; whatever stands in names and titles.
expect_exit 4 run "no$(printf '\377')file.yaml" --json
json 'd["status"] == "ERROR_IO" and d["messages"][0]["severity"] == "error" and "cannot be read" in d["messages"][0]["message"]'
expect_exit 2 run "$EXAMPLES/flores-2010.yaml" --csv - --json
json 'd["status"] == "ERROR_USAGE" and len(d["messages"]) == 1'
expect_exit 2 run --json --frob
json 'd["status"] == "ERROR_USAGE" and "--frob" in d["messages"][0]["message"]'
expect_exit 2 bearing --json --eps 0.5,2
json 'd["status"] == "ERROR_USAGE"'
expect_exit 4 study show nothing.db --json
json 'd["status"] == "ERROR_IO"'
expect_exit 4 stats nothing.h5 --json
json 'd["status"] == "ERROR_IO"'
expect_exit 2 linearize pendulum.yaml --channels bob.angel --json
json '"did you mean" in d["messages"][0]["message"]'
expect_exit 2 channels --json
json 'd["status"] == "ERROR_USAGE"'

{ printf 'title: "quotes \\" and \\\\, </script>, \\x07 and µ"\n' && cat pendulum.yaml; } >title.yaml
expect_exit 0 run title.yaml --json --until "1 ms" -o title.h5
json 'd["title"] == "quotes \" and \\, </script>, \x07 and µ" and d["messages"] == []'
expect_exit 0 check title.yaml --json
json 'd["title"].startswith("quotes \"") and d["messages"] == []'
expect_exit 0 channels title.yaml --json
json 'any(c["name"] == "bob.angle" and c["unit"] == "rad" for c in d)'
expect_exit 0 stats title.h5 --json
json 'd["channels"]["bob.angle"]["frequency"] is None and d["rows"] > 1'

# A run that fails on its way tells what it computed and why it ended.
expect_exit 1 run pendulum.yaml --set run.max_steps=3 --json --rtol 1e-10 -o short.h5
json 'd["summary"]["status"] == "ERROR_LIMIT" and d["messages"][-1]["status"] == "ERROR_LIMIT" and d["messages"][-1]["time"] > 0'
expect_exit 0 kinematics "$EXAMPLES/slider-crank.yaml" --json -o kinematics.h5
json 'd["summary"]["status"] == "STOP_END" and d["result"] == "kinematics.h5"'

# Every broken model: the messages that stand in its first lines, at their lines.
cat >broken.py <<'PYTHON'
import glob, json, re, subprocess, sys
files = sorted(glob.glob(sys.argv[2] + "/*.yaml"))
for file in files:
    text = open(file, "rb").read().decode(errors="replace")
    wanted = [(int(a), int(b)) for a, b in re.findall(r"^# expect: (\d+):(\d+):", text, re.M)]
    settings = [word for s in re.findall(r"^# set: (.*)", text, re.M) for word in ("--set", s)]
    done = subprocess.run([sys.argv[1], "check", file, "--json", *settings], capture_output=True)
    said = json.loads(done.stdout)
    places = [(m["line"] or 0, m["column"] or 0) for m in said["messages"] if m["severity"] == "error"]
    if done.returncode != 3 or said["status"] != "ERROR_MODEL" or places != wanted:
        sys.exit(f"{file}: {done.returncode}, {places} instead of {wanted}")
assert len(files) > 400, len(files)
PYTHON
expect "every broken model" python3 broken.py "$LASH" "$SOURCE/tests/broken"
finish
