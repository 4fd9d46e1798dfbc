#!/bin/bash
# SPDX-License-Identifier: MIT
#
# CONTRIBUTING.md is complete: its steps, followed in a copy of the source, add a joint, a kind of play, a contact law and a
# command that work. What is followed literally: every code block goes to the file named in the line before it, and every sentence
# "Add `X(id)` to the list `LIST` in `FILE`" is obeyed; then tools/update-format-reference.sh is run.
. "${0%/*}/lib.sh"
if ldd "$LASH" | grep -q libasan; then
    echo "skipped: nothing here for a sanitizer to find"
    exit 0
fi
guide=$SOURCE/CONTRIBUTING.md
copy=$TMP/copy
mkdir "$copy"
cp -r "$SOURCE"/{CMakeLists.txt,CMakePresets.json,LICENSE,cmake,docs,examples,include,src,tools} "$copy"

# --- Files
files="src/joint/level.c src/contact/slot.c src/contact/normal_gharib_hurmuzlu.c src/cli/cmd_size.c"
expect "a code block has no file" awk -v copy="$copy" '
    /`[^`]+`:$/ { path = $0; sub(/`:$/, "", path); sub(/.*`/, "", path) }
    /^```/ && inside { inside = 0; close(file); path = ""; next }
    /^```c$/ { inside = 1; if (path == "") exit 1; file = copy "/" path; next }
    inside { print > file }' "$guide"
for file in $files; do
    expect_file "$copy/$file"
done

# --- Lines
add_line() { # LINE LIST FILE
    sed -i "s/^#define $2(.*) .*/&\n    $1 \\\\/" "$copy/$3" && grep -qF "    $1 \\" "$copy/$3"
}
grep -o 'Add `[A-Z]*([a-z_]*)` to the list `[A-Z_]*` in `[a-z_/.]*`' "$guide" | tr -d '`' >lines
expect_lines 4 lines
while read -r _ line _ _ _ list _ file; do
    expect "$list is not in $file" add_line "$line" "$list" "$file"
done <lines

# --- It builds without a warning and keeps to the rules of the source tree
build() {
    cmake -S "$copy" -B "$copy/build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DLASH_WERROR=ON -DLASH_PAGE=OFF \
        -DLASH_PYTHON=OFF -DLASH_FMU=OFF &&
        cmake --build "$copy/build" -j 2 && "$copy/tools/update-format-reference.sh"
}
command_line=build
expect "the steps do not lead to a program" build
[ "$status" -eq 0 ] || finish
expect "an include goes up" "$copy/tools/check-includes.sh"
for file in $files; do
    expect "$file is not laid out as .clang-format says" \
        clang-format --dry-run -Werror --style="file:$SOURCE/.clang-format" "$copy/$file"
done

# --- The reference knows the new keys
cp "$copy/docs/model-format.md" .stdout
expect_matches '^### level$'
expect_contains '| `clearance` (plane) | block [slot](#slot) |'
expect_matches '^### slot$'
expect_contains '`gharib-hurmuzlu`'

# --- They work: a sledge on a level line moves evenly though it has weight and turns about a point off its centre; a pin
# falls into its bearing and is caught; another one slides in a slot, bounces and rubs.
cat >new.yaml <<MODEL
gravity: [0, -10]
bodies:
  sledge: {mass: 2, inertia: 0.1, velocity: [1, 0], hold: [vx, vy], points: {left: [-1, 0], right: [1, 0]}}
  pin: {mass: 1, inertia: 0.1}
  block: {mass: 1, inertia: 0.1, velocity: [1, 0], hold: [vx, vy, w]}
joints:
  slot:
    type: point-on-line
    between: [ground, block]
    axis: [1, 0]
    clearance: {model: three-mode, restitution: 0.5, journal_radius: 10 mm, play: 1 mm, friction: {law: ambrosio, coefficient: 0.05}}
  left: {type: level, between: [ground, sledge.left]}
  right: {type: level, between: [ground, sledge.right]}
  bearing:
    type: revolute
    between: [ground, pin]
    clearance: {bearing_radius: 10 mm, radial: 1 mm, contact: {law: gharib-hurmuzlu, stiffness: 1e9, restitution: 0.2}}
run: {until: 1 s, samples: 1}
MODEL
LASH=$copy/build/lash
expect_exit 0 run new.yaml -o new.h5 --csv new.csv
expect_close "$(csv_column new.csv sledge.x | tail -n 1)" 1 1e-9
expect_close "$(csv_column new.csv sledge.y | tail -n 1)" 0 1e-9
expect_close "$(csv_column new.csv left.fy | tail -n 1)" 10 1e-6
expect_close "$(csv_column new.csv bearing.fn | tail -n 1)" 10 1e-2
# In the slot: 0.5 mm to fall, then bounces at 10, 20, 25, 27.5 … ms, which end. The impulse of the wall is m g t in all.
expect_close "$(csv_column new.csv slot.right.fn | tail -n 1)" 10 1e-6
expect_close "$(csv_column new.csv block.y | tail -n 1)" -5e-4 1e-9
expect_close "$(csv_column new.csv block.vx | tail -n 1)" 0.5 1e-6
expect_close "$(csv_column new.csv block.wz | tail -n 1)" -0.05 1e-6
expect_exit 0 export new.h5 --events
sed -n 's/^impact,slot\.right,,//p' .stdout >impacts
expect_close "$(sed -n 1p impacts | cut -d, -f1)" 0.01 1e-9
expect_close "$(sed -n 1p impacts | cut -d, -f3)" 0.1 1e-9
expect_close "$(sed -n 4p impacts | cut -d, -f1)" 0.0275 1e-9
expect_exit 0 check new.yaml
expect_contains "gharib-hurmuzlu"
expect_contains "pin of 0.01 m radius in a slot with 0.001 m of play"
expect_exit 0 size new.yaml
expect_contains "3 bodies, 4 joints, 4 equations"
expect_exit 0 help
expect_contains "Counts the bodies, joints and equations of a model"
sed -i 's/play: 1 mm/play: 1 m/' new.yaml
expect_exit 3 check new.yaml
expect_error_contains "clearance.play (1 m) is not smaller than the pin's radius (0.01 m)"
# This program was built without the page, as where there is no npm.
expect_exit 1 report new.h5
expect_error_contains "built without the page"
rm -rf "$copy"
finish
