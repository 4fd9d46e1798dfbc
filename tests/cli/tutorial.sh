#!/bin/bash
# SPDX-License-Identifier: MIT
#
# docs/tutorial.md and docs/howto.md keep their word: their files are written, their commands run in the order they stand, each line of
# a block of text is what the command before it says, and the pictures shown are made.
#   ```yaml NAME   a file          ```sh   commands          ```text   what the last one says; lines may be cut at their end
. "${0%/*}/lib.sh"
if ldd "$LASH" | grep -q libasan || ! command -v gnuplot >/dev/null; then
    echo "skipped: no gnuplot, or nothing here for a sanitizer to find that other tests do not"
    exit 0
fi
lash() { "$LASH" "$@"; }
for page in "$SOURCE/docs/tutorial.md" "$SOURCE/docs/howto.md"; do
    rm -rf folder && mkdir folder && cd folder || exit 1
    kind='' commands=0
    : >.stdout && : >.stderr
    while IFS= read -r line; do
        case $line in
        '```yaml '*)
            kind=file name=${line#'```yaml '}
            : >"$name"
            ;;
        '```sh') kind=sh ;;
        '```text') kind=text ;;
        '```'*) if [ -n "$kind" ]; then kind=''; else kind=other; fi ;;
        *)
            case $kind in
            file) printf '%s\n' "$line" >>"$name" ;;
            sh)
                command_line=$line
                expect "a command of ${page##*/} fails" eval "$line"
                commands=$((commands + 1))
                ;;
            text)
                if grep -qF -- "$line" .stdout .stderr; then pass; else fail "${page##*/} says: $line"; fi
                ;;
            esac
            ;;
        esac
    done <"$page"
    expect "only $commands commands in ${page##*/}" [ $commands -ge 5 ]
    for picture in $(grep -oE '\(images/[a-z-]+\.png\)' "$page" | sed 's/.*\///; s/)//'); do
        expect_file "$picture"
        [ -z "${KEEP:-}" ] || cp "$picture" "$KEEP/" # tools/make-figures.sh
        expect_file "$SOURCE/docs/images/$picture"
    done
    cd ..
done
finish
