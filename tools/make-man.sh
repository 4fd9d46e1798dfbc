#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A page for man from Markdown or from the program's help, on standard output:
#   tools/make-man.sh NAME SECTION "what it is" FILE.md           a page of docs/
#   tools/make-man.sh lash 1 "what it is" --program PROGRAM       all pages of `lash help`
set -eu
name=$1 section=$2 brief=$3 source=$4
version=$(sed -n 's/^#define LASH_VERSION  *"\(.*\)"/\1/p' "$(dirname "$0")/../include/lash/version.h")

head() {
    printf '.TH %s %s "" "Lash %s" "Lash"\n.SH NAME\n%s \\- %s\n' "$(echo "$name" | tr a-z A-Z)" "$section" "$version" \
        "$name" "$brief"
}

# Plain text, in which man must not find a command.
verbatim() {
    sed -e 's/\\/\\e/g' -e "s/^\([.']\)/\\\\\&\1/" -e 's/-/\\-/g'
}

if [ "$source" = --program ]; then
    program=$5
    head
    printf '.SH SYNOPSIS\n\\fBlash\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n.SH DESCRIPTION\n.nf\n'
    "$program" help | verbatim
    printf '.fi\n.SH COMMANDS\n'
    for command in $("$program" help | sed -n 's/^  lash \([a-z]*\) .*/\1/p'); do
        printf '.SS lash %s\n.nf\n' "$command"
        "$program" help "$command" | verbatim
        printf '.fi\n'
    done
    printf '.SH SEE ALSO\n.BR lash\\-model (5),\n.BR lash\\-study (5)\n'
    exit
fi

head
awk '
function plain(s) {
    gsub(/\\/, "\\e", s)
    while (match(s, /\[[^]]*\]\([^)]*\)/)) {
        link = substr(s, RSTART, RLENGTH)
        sub(/\]\(.*/, "", link)
        s = substr(s, 1, RSTART - 1) substr(link, 2) substr(s, RSTART + RLENGTH)
    }
    gsub(/\*\*/, "", s)
    while (match(s, /`[^`]*`/))
        s = substr(s, 1, RSTART - 1) "\\fB" substr(s, RSTART + 1, RLENGTH - 2) "\\fR" substr(s, RSTART + RLENGTH)
    gsub(/-/, "\\-", s)
    if (s ~ /^[.\047]/)
        s = "\\\\&" s
    return s
}
function as_is(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    return (s ~ /^[.\047]/ ? "\\\\&" : "") s
}
/^```/ { print code ? ".fi" : ".nf"; code = !code; next }
code { print as_is($0); next }
/^<!--/ { next }
/^# / { next }
/^## / { sub(/^## /, ""); print ".SH \"" toupper(plain($0)) "\""; next }
/^###+ / { sub(/^#+ /, ""); print ".SS \"" plain($0) "\""; next }
/^\|[-|: ]+\|$/ { next }
/^\|/ {
    n = split($0, cell, /[ ]*\|[ ]*/)
    line = ""
    for (i = 3; i < n; i++)
        if (cell[i] != "")
            line = line (line == "" ? "" : "; ") plain(cell[i])
    if (cell[2] == "key" || cell[2] == "")
        next
    print ".TP"
    print plain(cell[2])
    print line
    next
}
/^    / { print ".nf"; print as_is($0); print ".fi"; next }
/^- / { sub(/^- /, ""); print ".IP \\(bu 2"; print plain($0); next }
/^$/ { print ".PP"; next }
{ print plain($0) }
' "$source"
