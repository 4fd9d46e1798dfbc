# SPDX-License-Identifier: MIT
#
# A page with places [[FORMAT|EXPRESSION]] → an awk program that reads `numbers` and prints the page. A line with a number
# that is not there ends the program: no page is written with holes in it.
# Use: awk -f expression.awk -f fill.awk PAGE
BEGIN { preamble(); print "END {" }
{
    NAMES = ""
    text = compose($0)
    n = split(NAMES, list, " ")
    for (i = 1; i <= n; i++)
        printf "  if (!(%s in V)) { print \"there is no number %s\" >\"/dev/stderr\"; exit 1 }\n", quote(list[i]), list[i]
    print "  print " text
}
END { print "}" }
