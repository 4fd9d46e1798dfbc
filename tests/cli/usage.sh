#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Command lines that make no sense, and the pages of help.
. "${0%/*}/lib.sh"
cp "$EXAMPLES/slider-crank.yaml" .

# --- Nothing, and the unknown
expect_exit 2
expect_silent
expect_error_contains "lash help"
expect_exit 2 rum
expect_error_contains "did you mean 'run'"
expect_exit 2 kin
expect_error_contains "did you mean 'kinematics'"
for words in "simulate run" "sweep study" "draw plot" "csv export" "examples example" "modes linearize"; do
    expect_exit 2 "${words% *}"
    expect_error_contains "did you mean '${words#* }'"
done
expect_exit 2 qqqqqq
expect_error_contains "there is no command 'qqqqqq'"
expect_lacks "did you mean"
expect_exit 2 --quiet run
expect_error_contains "comes first"
expect_exit 2 ""

# --- Options, the same way for every command
expect_exit 2 run
expect_error_contains "MODEL is missing"
expect_error_contains "lash help run"
expect_exit 2 run a.yaml b.yaml
expect_error_contains "'b.yaml' is one argument too many"
expect_exit 2 run slider-crank.yaml --sampels 3
expect_error_contains "did you mean --samples"
expect_exit 2 run slider-crank.yaml --sampels=3
expect_error_contains "did you mean --samples"
expect_exit 2 run slider-crank.yaml --xyzzy
expect_error_contains "there is no option --xyzzy"
expect_exit 2 run slider-crank.yaml -z
expect_error_contains "there is no option -z"
expect_exit 2 run slider-crank.yaml --quiet=yes
expect_error_contains "takes no value"
expect_exit 2 run slider-crank.yaml --until
expect_error_contains "--until needs a value"
expect_exit 2 run slider-crank.yaml --until --quiet
expect_error_contains "--until needs a value"
expect_exit 2 run slider-crank.yaml --until 1 --until 2
expect_error_contains "--until is given twice"
expect_exit 2 run slider-crank.yaml --samples 10 --every 1
expect_error_contains "exclude each other"
expect_exit 2 run slider-crank.yaml --set speed
expect_error_contains "NAME=VALUE"
expect_exit 2 run slider-crank.yaml --set =3
expect_error_contains "NAME=VALUE"
expect_exit 2 run slider-crank.yaml --channels slider.x,,slider.y
expect_error_contains "empty name"
expect_exit 2 run slider-crank.yaml --channels slider.q
expect_error_contains "no channel 'slider.q'"
expect_exit 2 run slider-crank.yaml -o -
expect_error_contains "--csv -"
expect_exit 2 run slider-crank.yaml -o slider-crank.yaml
expect_error_contains "overwrite the model"
expect_exit 2 run slider-crank.yaml --csv ./slider-crank.yaml
expect_error_contains "overwrite the model"
expect_exit 2 run slider-crank.yaml -o same --csv same
expect_error_contains "the same file"
expect_exit 2 kinematics slider-crank.yaml --method gear
expect_error_contains "no option --method"
expect_exit 2 check
expect_exit 2 export
expect_exit 2 example a b
expect_exit 2 help nonsense-topic
expect_exit 2 help rnu
expect_error_contains "there is no help about 'rnu'"
for page in clearence/clearance tutorail/tutorial lubrikation/lubrication; do # each page by its own name
    expect_exit 2 help "${page%/*}"
    expect_error_contains "did you mean '${page#*/}'?"
done
# One argument too many: what was meant
expect_exit 2 run model.yaml --until 5 rev of motor
expect_error_contains "a value with blanks is written in quotes: --until \"5 rev …\""
expect_exit 2 plot result.h5 orbit
expect_error_contains "'orbit' is one argument too many; --what chooses the figure"
expect_exit 2 export result.h5 crank.x
expect_error_contains "--channels chooses the channels"
echo "bodies: {a: {mass: 1, inertia: 1}}" >model.yaml
expect_exit 2 model.yaml
expect_error_contains "the name of a command comes first: lash run MODEL"
expect_exit 4 report model.yaml
expect_error_contains "perhaps a model or a study: lash run and lash study make their results"
expect_exit 2 example flores
expect_error_contains "did you mean 'flores-2004'? \`lash example\` lists all"
# A modulus without its unit
cat >soft.yaml <<'END'
bodies: {a: {mass: 1, inertia: 1}}
materials: {steel: {young: 207e3, poisson: 0.3}, stone: {young: 50 GPa, poisson: 0.3}}
END
expect_exit 0 check soft.yaml
expect_error_contains "material 'steel': young is 2.07e+05 Pa, softer than rubber; steel has 207 GPa. Is its unit right?"
if grep -q "material 'stone'" .stderr; then fail "a warning about a usual modulus"; else pass; fi
expect_same slider-crank.yaml "$EXAMPLES/slider-crank.yaml"
expect_no_file slider-crank.h5

# --- After --, words are no options
expect_exit 4 run -- --quiet
expect_error_contains "--quiet"
cp slider-crank.yaml ./--odd.yaml
expect_exit 0 check -- --odd.yaml

# --- Help
expect_exit 0 help
expect_no_errors
for command in run check kinematics export example help; do
    expect_contains "lash $command"
done
for code in 0 1 2 3 4; do
    expect_matches "^  $code  [a-z]"
done
cp .stdout help
expect_exit 0 --help
expect_same help .stdout
expect_exit 0 help run
for option in --set --output --csv --samples --every --channels --until --steps --method --rtol --quiet; do
    expect_contains "$option"
done
cp .stdout help
expect_exit 0 run --help
expect_same help .stdout
expect_exit 0 run slider-crank.yaml --until 1 --help
expect_same help .stdout
expect_exit 0 help format
expect_contains '| `mass` |'
for topic in "units|udunits" "expressions|smoothstep" "parameters|--set play" "tables|monotone" "channels|energy.balance" \
    "laws|hunt-crossley" "messages|indent with spaces" "glossary|journal" "tutorial|loose.yaml" "clearance|Joints with play" \
    "What a peak force is worth|elastic part"; do
    expect_exit 0 help "${topic%|*}"
    expect_no_errors
    expect_contains "${topic#*|}"
    if grep -qE '\]\(|^!\[|^```|\*\*' .stdout; then fail "marks are left"; else pass; fi
    if awk '!/^\||^    / && length($0) > 120 { exit 1 }' .stdout; then pass; else fail "a line is too long"; fi
done
expect_exit 0 help topics
expect_contains "lubrication"
# Any word: where it is explained, the best place first.
# Tables are laid out in columns that fit a terminal: narrow ones a line for each row, wide ones filled.
expect_exit 0 help compiled
expect_matches '^machines  in the plane and in space  +`carry`'
if grep -q '^|' .stdout; then fail "a table is left as it is written"; else pass; fi
if sed -n '/^machines  /,/^metrics  /p' .stdout | LC_ALL=C.UTF-8 grep -qE '.{93}'; then fail "a cell is too wide"; else pass; fi
expect_exit 0 help laws
expect_matches '^lee-wang  +3\(1−e\)/4  +0.799  +0.869  +0.952$'
expect_exit 0 help restitution
expect_matches '^model-format: contact '
expect_contains "lash check"
expect_exit 0 help BAUMGARTE
expect_exit 2 help lubricashun
expect_error_contains "there is no help about"
expect_exit 0 --version
expect_matches '^lash [0-9]+\.[0-9]+\.[0-9]+$'
# --- A value with blanks that is not in quotes; a word that is like a heading of the help
expect_exit 2 run "$EXAMPLES/flores-2010.yaml" --set play=0.2 mm
expect_error_contains '--set "play=0.2 mm"'
expect_exit 2 run "$EXAMPLES/flores-2010.yaml" --set play = 0.2
expect_error_contains '--set "play = …"'
expect_exit 2 help backlsh
expect_error_contains "there is no help about 'backlsh'; did you mean 'backlash'?"
finish
