# SPDX-License-Identifier: MIT
#
# Expressions over numbers of cases, for the generators findings.awk and fill.awk: {CASE.quantity} is a number of
# the file `numbers`; the rest is awk, with the functions of the preamble. [[FORMAT|EXPRESSION]] in a text is a place for one.

# What every generated program begins with: V holds the numbers.
function preamble() {
    print "function abs(x) { return x < 0 ? -x : x }"
    print "function min(a, b) { return a < b ? a : b }"
    print "function max(a, b) { return a > b ? a : b }"
    print "function per_turn(x, rpm) { return x * 60 / rpm }"
    print "function sig(x) { return x == 0 ? \"0\" : abs(x) >= 1000 ? sprintf(\"%.0f\", x) : sprintf(\"%.3g\", x) }"
    print "{ V[$1] = $2 }"
}
# {name} → V["name"]; the names are added to the list NAMES.
function translate(text,    out) {
    out = ""
    while (match(text, /[{][^}]*[}]/)) {
        NAMES = NAMES " " substr(text, RSTART + 1, RLENGTH - 2)
        out = out substr(text, 1, RSTART - 1) "V[\"" substr(text, RSTART + 1, RLENGTH - 2) "\"]"
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}
function quote(text) {
    gsub(/\\/, "&&", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}
# A text with places → an awk expression of strings.
function compose(text,    out, place, bar) {
    out = "\"\""
    while (match(text, /\[\[[^]]*\]\]/)) {
        place = substr(text, RSTART + 2, RLENGTH - 4)
        out = out " " quote(substr(text, 1, RSTART - 1))
        text = substr(text, RSTART + RLENGTH)
        bar = index(place, "|")
        out = out " sprintf(" quote(substr(place, 1, bar - 1)) ", " translate(substr(place, bar + 1)) ")"
    }
    return out " " quote(text)
}
