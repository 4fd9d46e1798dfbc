#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The progress bar: on a terminal, not in a pipe, not when quiet; colours likewise.
. "${0%/*}/lib.sh"
model=$EXAMPLES/double-pendulum.yaml
if ! command -v script >/dev/null; then
    echo "script(1) is not here: no terminal to test with"
    exit 0
fi

# on_terminal COMMAND: .stdout holds what a terminal would have got.
on_terminal() {
    command_line="$1 (on a terminal)"
    TERM=xterm script -qefc "$1" /dev/null >.stdout 2>/dev/null </dev/null
    : >.stderr
}
# interrupted SETTINGS ARGUMENTS…: an endless run on a terminal, interrupted when it has written many rows and, where a bar
# is expected ($bar), shows it.
interrupted() {
    local settings=$1 terminal
    shift
    rm -f rows.csv* process .stdout
    on_terminal "sh -c 'echo \$\$ >process; exec env $settings \"$LASH\" run \"$model\" --until \"1000000 s\" --csv rows.csv $*'" &
    terminal=$!
    await "no rows are written" grown rows.csv.part 3000000
    [ -z "$bar" ] || await "there is no bar" grep -q '\[#* *\]' .stdout
    kill -INT "$(cat process)"
    wait $terminal
}

bar=yes
interrupted LASH_CHECK=0
expect_contains $'\r['
expect_matches '\[#* +\] +[0-9]+ %, .* left'
expect_contains "Interrupted at t = "
bar=
interrupted LASH_CHECK=0 --quiet
expect_lacks $'\r['
interrupted TERM=dumb
expect_lacks $'\r['
interrupted LASH_CHECK=0 "2>talk"
expect_lacks $'\r['
cp talk .stderr
expect_error_contains "Interrupted"
expect_lacks $'\033'

# --- Colours of a mistake
on_terminal "'$LASH' run '$model' --until 3kg"
expect_contains $'\033[1;31merror'
on_terminal "NO_COLOR=1 '$LASH' run '$model' --until 3kg"
expect_lacks $'\033'
expect_contains "error"
on_terminal "'$LASH' run '$model' --until 3kg 2>talk"
cp talk .stderr
expect_error_contains "error"
expect_lacks $'\033'
finish
