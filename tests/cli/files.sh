#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Disks that fill, folders that cannot be written: a message, exit code 4, and former files as they were. Pipes that
# close: success, without a word, unless a file was asked for.
. "${0%/*}/lib.sh"
model=$EXAMPLES/slider-crank.yaml

# --- Standard output
for arguments in "help" "help format" "example" "check $model" "run $model --csv - -q" "kinematics $model -q"; do
    command_line="lash $arguments >/dev/full"
    status=0
    # shellcheck disable=SC2086
    "$LASH" $arguments >/dev/full 2>.stderr </dev/null || status=$?
    if [ "$status" -eq 4 ]; then pass; else fail "exit code $status, expected 4"; fi
    expect_error_contains "standard output failed: No space left"
    command_line="lash $arguments >&-"
    status=0
    # shellcheck disable=SC2086
    "$LASH" $arguments >&- 2>.stderr </dev/null || status=$?
    if [ "$status" -eq 4 ]; then pass; else fail "exit code $status, expected 4"; fi
    expect_error_contains "standard output"
done
"$LASH" run "$model" -o good.h5 -q
command_line="lash export | false"
{
    "$LASH" export good.h5 2>.stderr </dev/null
    echo $? >code
} | sleep 0
if [ "$(cat code)" -eq 0 ]; then pass; else fail "exit code $(cat code) on a closed pipe, expected 0"; fi
expect_no_errors # a reader that closes its pipe knows why
command_line="lash export -o /dev/full | false"
{
    "$LASH" export good.h5 -o /dev/full 2>.stderr </dev/null
    echo $? >code
} | sleep 0
if [ "$(cat code)" -eq 4 ]; then pass; else fail "exit code $(cat code) where a disk is full, expected 4"; fi
expect_error_contains "No space left"
command_line="lash run --csv - -o | false"
{
    "$LASH" run "$model" --csv - -o behind-pipe.h5 -q 2>.stderr </dev/null
    echo $? >code
} | sleep 0
if [ "$(cat code)" -eq 4 ]; then pass; else fail "exit code $(cat code) where a file is not written, expected 4"; fi

# --- Files
expect_exit 4 run "$model" --csv /dev/full
expect_error_contains "No space left"
expect_exit 0 run "$model" --csv /dev/null -q
expect_exit 4 run "$model" -o /dev/null
expect_error_contains "not a regular file"
expect_exit 4 export good.h5 --csv /dev/full
expect_error_contains "No space left"
expect_exit 4 run "$model" -o no/such/folder.h5
expect_error_contains "there is no folder 'no/such'"
expect_exit 4 run "$model" --csv no/such/folder.csv
mkdir folder
expect_exit 4 run "$model" -o folder
expect_error_contains "is a folder"
expect_exit 4 run "$model" -o folder/
expect_exit 4 run "$model" -o ""
expect_exit 4 run "$model" -o good.h5/below
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && chmod a-w locked
    expect_exit 4 run "$model" -o locked/r.h5
    expect_error_contains "Permission denied"
    expect_exit 4 run "$model" --csv locked/r.csv
    cp good.h5 protected.h5 && chmod a-w protected.h5
    expect_exit 4 run "$model" -o protected.h5
    expect_same good.h5 protected.h5
fi

# --- A disk that fills while it is written to
cp good.h5 former.h5
for kilobytes in 0 1 8 64; do
    for option in "-o former.h5" "--csv former.csv"; do
        echo kept >former.csv
        command_line="lash run $option, disk full from $kilobytes kB"
        status=0
        # shellcheck disable=SC2086
        (ulimit -f $kilobytes && exec "$LASH" run "$model" $option 2>/dev/null </dev/null) || status=$?
        if [ "$status" -eq 4 ]; then pass; else fail "exit code $status, expected 4"; fi
        expect_no_file former.h5.part
        expect_no_file former.csv.part
        expect_same former.h5 good.h5
        expect_same former.csv <(echo kept)
    done
done

# --- Pipes: one that nobody writes to or reads from is an error, not a wait for ever; one with a writer is read
mkfifo pipe
for arguments in "run pipe" "check pipe" "kinematics pipe" "study pipe" "export pipe" "report pipe" "plot pipe" \
    "study show pipe" "run $model --csv pipe" "run $model -o pipe" "export good.h5 -o pipe"; do
    command_line="lash $arguments"
    status=0
    # shellcheck disable=SC2086
    timeout 30 "$LASH" $arguments >.stdout 2>.stderr </dev/null || status=$?
    if [ $status -eq 4 ]; then pass; else fail "exit code $status, expected 4"; fi
    expect_error_contains pipe
done
(sleep 0.5 && cat "$model" >pipe) &
expect_exit 0 check pipe
cat pipe >from-pipe.csv &
expect_exit 0 export good.h5 -o pipe
wait
"$LASH" export good.h5 -o from-file.csv
expect_same from-pipe.csv from-file.csv
expect "a model through a pipe of the shell" bash -c '"$LASH" check <(cat "$0")' "$model"

# --- A working folder that is gone
mkdir gone
(
    cd gone && rmdir ../gone
    for arguments in "run $model -q" "export $TMP/good.h5 -o x.csv" "example slider-crank" "report $TMP/good.h5 -q"; do
        status=0
        # shellcheck disable=SC2086
        "$LASH" $arguments >/dev/null 2>"$TMP/.gone" </dev/null || status=$?
        echo "$status $(grep -c 'working folder no longer exists' "$TMP/.gone")"
    done
) >answers
expect_same answers <(printf '4 1\n4 1\n4 1\n4 1\n')

# --- More rows than the disk has room for
expect_exit 4 run "$model" -q --samples 1e15 -o huge.h5
expect_error_contains "1e+15 rows of"
expect_error_contains "where huge.h5 is to be written there is room for"
if ls huge.h5* >/dev/null 2>&1; then fail "something was written"; else pass; fi

# --- A title beyond what HDF5 keeps beside a file: the run goes on, and the title ends with a whole character
{
    printf 'title: '
    printf 'ü%.0s' {1..40000}
    echo
    grep -v '^title:' "$model"
} >titled.yaml
expect_exit 0 run titled.yaml -q -o titled.h5
expect_exit 0 export titled.h5 --model
expect_same .stdout titled.yaml
expect_exit 0 report titled.h5 -q -o titled.html
expect "the page is not UTF-8" iconv -f UTF-8 -t UTF-16 titled.html -o /dev/null
finish
