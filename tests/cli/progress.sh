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

# on_terminal COMMAND: .stdout holds what a terminal would have got. The run is endless and is interrupted.
on_terminal() {
    command_line="$1 (on a terminal)"
    TERM=xterm script -qec "$1" /dev/null >.stdout 2>/dev/null </dev/null
    : >.stderr
}
endless="timeout --foreground -s INT 1.5 '$LASH' run '$model' --until '1000000 s' --csv /dev/null"

on_terminal "$endless"
expect_contains $'\r['
expect_matches '\[#* +\] +[0-9]+ %, .* left'
expect_contains "Interrupted at t = "
on_terminal "$endless --quiet"
expect_lacks $'\r['
on_terminal "TERM=dumb $endless"
expect_lacks $'\r['
on_terminal "$endless 2>talk"
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
