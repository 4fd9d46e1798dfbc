#!/bin/bash
# SPDX-License-Identifier: MIT
#
# README.md keeps its word: every command in it runs, in the order it is written, on the model and the C program that it
# shows; the validation table holds; the targets of make and the files it names are there.
. "${0%/*}/lib.sh"
readme=$SOURCE/README.md

# block LANGUAGE: the fenced blocks of that language, one after the other.
block() {
    awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } /^```/ { inside = 0 } inside' "$readme"
}

# --- The model and the program shown, under the names that the text gives them
block yaml >pendulum.yaml
block c >pendulum.c
for file in pendulum.yaml pendulum.c; do
    expect_file $file
    expect "README.md does not name $file" grep -q "\`$file\`" "$readme"
done
expect_exit 0 check pendulum.yaml
expect_contains "restitution given"
sed '/clearance/d' pendulum.yaml >ideal.yaml
expect_exit 0 check ideal.yaml # "without the line `clearance` it is the ideal pendulum"
expect_lacks "restitution given"

# --- The moving picture moves, and loads nothing
command_line="docs/images/play.svg"
expect "the moving picture is no SVG that moves" python3 -c "
import sys, xml.dom.minidom
page = xml.dom.minidom.parse('$SOURCE/docs/images/play.svg')
count = lambda name: len(page.getElementsByTagName(name))
sys.exit(not (count('animate') > 10 and count('title') == 1 and count('script') + count('image') + count('use') == 0))"

# --- What the demo prints
mkdir demonstration
ln -s "$LASH" demonstration/lash
expect "the demo fails" sh "$SOURCE/tools/demo.sh" demonstration
block text | grep . >printed
expect_file printed
while IFS= read -r line; do
    if grep -qF -- "$line" .stdout; then pass; else fail "README.md says: $line"; fi
done <printed

# --- The commands. `build/lash` is the program under test; make is not run from inside itself, but must know the target;
# what it would install is installed here.
mkdir build
ln -s "$LASH" build/lash
expect "installing" cmake --install "$(dirname "$LASH")" --prefix "$TMP/prefix"
PKG_CONFIG_PATH=$(dirname "$(find "$TMP/prefix" -name lash.pc)")
LD_LIBRARY_PATH=${PKG_CONFIG_PATH%/*}
export PKG_CONFIG_PATH LD_LIBRARY_PATH
if ldd "$LASH" | grep -q libasan; then
    sanitize="-fsanitize=address,undefined"
fi
sudo() { "$@"; }
make() {
    for target; do
        grep -q "^$target:" "$SOURCE/Makefile" || return 1
    done
}
cc() { command cc ${sanitize:-} "$@"; }

block sh >commands
expect_file commands
while IFS= read -r command_line; do
    [ -n "$command_line" ] || continue
    expect "a command of README.md fails" eval "$command_line"
    case $command_line in
    *--events*) expect_contains "onset,pivot" ;;
    *"export pendulum.h5 --channels"*) expect_lines 1002 .stdout ;;
    *"run flores-2010"*) expect_error_contains "crankpin" ;;
    ./pendulum) expect_matches '^0\.1[0-9]* s +[0-9.]+ N$' ;;
    esac
done <commands
for file in pendulum.h5 flores-2010.h5; do
    expect_file $file
done

# --- The validation table
command_line="tools/update-readme.sh --check"
expect "the validation table does not hold" "$SOURCE/tools/update-readme.sh" --check "$LASH"

# --- docs/results.md knows every channel
for model in "$EXAMPLES"/*.yaml; do
    run run "$model" --until "1 us" --samples 1 --csv - -q
    head -n 1 .stdout | tr , '\n' | sed 's/ \[.*//' >names
    run channels "$model"
    awk '/signal of the model/ && $1 !~ /\./ { print $1 }' .stdout >signals # named by the user
    grep -vxFf signals names
done | sed '/^energy\./!{/^constraint\./!s/.*\././}' | sort -u >channels
expect_file channels
while IFS= read -r command_line; do
    expect "docs/results.md does not explain a channel" grep -qF "\`$command_line\`" "$SOURCE/docs/results.md"
done <channels

# --- Links of all pages, and the folders README.md lists
: >.stdout
for page in "$SOURCE"/*.md "$SOURCE"/docs/*.md; do
    while IFS= read -r target; do
        command_line="$target in ${page#"$SOURCE"/}"
        expect "a link leads nowhere" [ -e "$(dirname "$page")/$target" ]
    done < <(grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//; s/#.*//' | grep -v -e '^$' -e '^https:')
done
for folder in "$SOURCE"/src/*/; do
    [ -n "$(find "$folder" -name '*.c')" ] || continue
    command_line=${folder#"$SOURCE"/}
    expect "README.md does not list the folder" grep -qF "| \`$command_line\` |" "$readme"
done
finish
