# SPDX-License-Identifier: MIT
#
# For the tests of the program: `. "${0%/*}/lib.sh"` first, `finish` last. A script is run by bash with
#   LASH      the program             EXAMPLES  the folder examples/
#   SOURCE    the source tree         TMP       a folder of the script's own
# and starts in an empty $TMP. Every check is counted; all are made, and the script fails at the end if one did.
# shellcheck shell=bash

set -u
: "${LASH:?the program}" "${EXAMPLES:?folder of examples}" "${SOURCE:?source tree}" "${TMP:?scratch folder}"
rm -rf "$TMP" && mkdir -p "$TMP" && cd "$TMP" || exit 1
checks=0
failures=0
status=0

pass() {
    checks=$((checks + 1))
}

# fail MESSAGE: one failed check, with what the last command gave.
fail() {
    checks=$((checks + 1))
    failures=$((failures + 1))
    printf 'FAILED %s:%s: %s\n' "${0##*/}" "${BASH_LINENO[${#BASH_LINENO[@]} - 2]}" "$1"
    printf '  command: %s\n  status:  %s\n' "${command_line:-}" "$status"
    [ ! -s .stdout ] || sed 's/^/  stdout:  /;20q' .stdout
    [ ! -s .stderr ] || sed 's/^/  stderr:  /;20q' .stderr
}

# run ARGUMENT…: runs the program; $status is its exit code, .stdout and .stderr hold what it wrote.
run() {
    command_line="lash $*"
    status=0
    "$LASH" "$@" >.stdout 2>.stderr </dev/null || status=$?
}

# expect_exit CODE ARGUMENT…: runs the program and checks its exit code.
expect_exit() {
    local wanted=$1
    shift
    run "$@"
    if [ "$status" -eq "$wanted" ]; then pass; else fail "exit code $status, expected $wanted"; fi
}

# await MESSAGE COMMAND…: waits until the command succeeds; MESSAGE says what it means if it never does. For what another
# process does: nothing depends on how long it takes.
await() {
    local message=$1 tries=0
    shift
    until "$@" 2>/dev/null; do
        tries=$((tries + 1))
        if [ $tries -gt 6000 ]; then
            fail "$message"
            return
        fi
        sleep 0.01
    done
}

# grown FILE BYTES: whether the file has as many.
grown() {
    [ -e "$1" ] && [ "$(stat -c %s "$1")" -ge "$2" ]
}

# killed_at GROUP:N ARGUMENT…: the program, killed at its N-th system call of a group (torture/interpose.c); fails where it
# ends before. False where no call can be intercepted.
killed_at() {
    local at=$1
    shift
    [ -n "${INTERPOSE:-}" ] || return 1
    command_line="lash $* (killed at $at)"
    status=0
    { LD_PRELOAD="$INTERPOSE" LASH_KILL=$at "$LASH" "$@" >.stdout 2>.stderr </dev/null; } 2>/dev/null || status=$?
    if [ "$status" -eq 137 ]; then pass; else fail "it was not killed"; fi
}

# expect MESSAGE COMMAND…: runs any command, which must succeed; MESSAGE says what it means if it does not. Leaves what
# it wrote where `run` does.
expect() {
    local message=$1
    shift
    status=0
    "$@" >.stdout 2>.stderr </dev/null || status=$?
    if [ "$status" -eq 0 ]; then pass; else fail "$message"; fi
}

# The next five look at what the last run wrote: TEXT is plain text, PATTERN an extended regular expression.
# expect_contains TEXT, expect_error_contains TEXT: on stdout, on stderr.
expect_contains() {
    if grep -qF -- "$1" .stdout; then pass; else fail "stdout does not contain: $1"; fi
}
expect_error_contains() {
    if grep -qF -- "$1" .stderr; then pass; else fail "stderr does not contain: $1"; fi
}
# expect_matches PATTERN, expect_error_matches PATTERN
expect_matches() {
    if grep -qE -- "$1" .stdout; then pass; else fail "no line of stdout matches: $1"; fi
}
expect_error_matches() {
    if grep -qE -- "$1" .stderr; then pass; else fail "no line of stderr matches: $1"; fi
}
# expect_lacks TEXT: neither on stdout nor on stderr.
expect_lacks() {
    if grep -qF -- "$1" .stdout .stderr; then fail "output contains: $1"; else pass; fi
}
# expect_silent: nothing on stdout. expect_no_errors: nothing on stderr.
expect_silent() {
    if [ -s .stdout ]; then fail "stdout is not empty"; else pass; fi
}
expect_no_errors() {
    if [ -s .stderr ]; then fail "stderr is not empty"; else pass; fi
}

# expect_file FILE: exists and is not empty. expect_no_file FILE: does not exist.
expect_file() {
    if [ -s "$1" ]; then pass; else fail "no file, or an empty one: $1"; fi
}
expect_no_file() {
    if [ -e "$1" ]; then fail "file should not be there: $1"; else pass; fi
}
# expect_lines N FILE
expect_lines() {
    local lines
    lines=$(wc -l <"$2")
    if [ "$lines" -eq "$1" ]; then pass; else fail "$2 has $lines lines, expected $1"; fi
}
# expect_same FILE FILE: equal byte by byte.
expect_same() {
    if cmp -s -- "$1" "$2"; then pass; else fail "files differ: $1 $2"; fi
}
# expect_close ACTUAL WANTED TOLERANCE: |actual - wanted| <= tolerance * max(1, |wanted|); NaN never is.
expect_close() {
    if awk -v a="$1" -v b="$2" -v tol="$3" 'function abs(x) { return x < 0 ? -x : x }
        BEGIN { if (a "" !~ /^[-+]?[0-9.]/) exit 1; s = abs(b); if (s < 1) s = 1; exit !(abs(a - b) <= tol * s) }'; then
        pass
    else
        fail "$1 is not $2 within $3"
    fi
}
# csv_column FILE NAME: the numbers under the heading NAME or `NAME [unit]`, one per line.
csv_column() {
    awk -F, -v name="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) { h = $i; gsub(/^"|"$/, "", h); sub(/ \[.*\]$/, "", h); if (h == name) c = i }
                  if (!c) exit 1; next }
        { print $c }' "$1"
}

finish() {
    printf '%s: %d checks, %d failed\n' "${0##*/}" "$checks" "$failures"
    [ "$checks" -gt 0 ] && [ "$failures" -eq 0 ]
    exit
}
