# SPDX-License-Identifier: MIT
#
# findings.txt → an awk program that reads `numbers` and prints one line per row that can be tested, tab between:
#   id  paper  place  claim  number  verdict  reason
# Use: awk -f expression.awk -f findings.awk findings.txt
BEGIN { preamble() }
function flush(    list, n, i) {
    if (id == "") return
    if (claim == "" || lash == "" || holds == "") { print "findings.awk: " id " is incomplete" >"/dev/stderr"; exit 1 }
    NAMES = ""
    text = compose(lash); yes = translate(holds); partly = part == "" ? "0" : translate(part)
    because = compose(reason)
    print "END {"
    n = split(NAMES, list, " ")
    printf "  there = 1"
    for (i = 1; i <= n; i++) printf " && (%s in V)", quote(list[i])
    print ""
    print "  if (there) {"
    print "    verdict = (" yes ") ? \"confirmed\" : (" partly ") ? \"confirmed in part\" : \"not confirmed\""
    printf "    printf \"%%s\\t%%s\\t%%s\\t%%s\\t%%s\\t%%s\\t%%s\\n\", %s, %s, %s, %s, %s, verdict, verdict == \"confirmed\" ? \"\" : %s\n", quote(id), quote(paper), quote(place), quote(claim), text, because
    print "  }"
    print "}"
    id = claim = lash = holds = part = reason = ""
}
/^#/ { next }
/^$/ { flush(); next }
/^ / { sub(/^ +/, " "); values = $0; append(key, values); next }
{ key = $1; value = $0; sub(/^[^ ]* */, "", value); append(key, value) }
function append(key, value) {
    if (key == "row:") { id = value; paper = "P" substr(value, 2, 1) }
    else if (key == "place:") place = value
    else if (key == "claim:") claim = claim value
    else if (key == "lash:") lash = lash value
    else if (key == "holds:") holds = holds value
    else if (key == "part:") part = part value
    else if (key == "reason:") reason = reason value
    else { print "findings.awk: no key " key >"/dev/stderr"; exit 1 }
}
END { flush() }
