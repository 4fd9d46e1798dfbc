# SPDX-License-Identifier: MIT
#
# figures.txt → the gnuplot script of one figure: awk -v want=FIGURE -v work=FOLDER -v image=FILE -f figure.awk figures.txt
# Exit code 1 where a case of the figure has not been computed.
# A panel: TITLE | X LABEL | Y LABEL | X | Y [: Z] | CASE = LABEL; … | OPTIONS
#   X, Y, Z   gnuplot expressions, {name} is a column of the case's rows.csv (runs) or table.csv (studies)
#   OPTIONS   circle C: a grey circle of this radius, axes alike; points: no lines; bars: boxes; 3d; line Y: a grey line;
#             xrange A:B, yrange A:B; logx, logy
function trim(s) { sub(/^ +/, "", s); sub(/ +$/, "", s); return s }
function translate(s,    out) {
    while (match(s, /[{][^}]*[}]/)) {
        out = out substr(s, 1, RSTART - 1) "column(\"" substr(s, RSTART + 1, RLENGTH - 2) "\")"
        s = substr(s, RSTART + RLENGTH)
    }
    return out s
}
function data(name,    file, line) {
    file = work "/" name "/rows.csv"
    if ((getline line <file) <= 0) file = work "/" name "/table.csv"
    close(work "/" name "/rows.csv")
    if ((getline line <file) <= 0) { missing = 1; return "" }
    close(file)
    return file
}
function option(name,    i) { # the word after it, or 1
    for (i = 1; i <= words; i++)
        if (word[i] == name) return i < words ? word[i + 1] : 1
    return ""
}
$1 == "figure:" { here = $2 == want; next }
here && $1 == "panel:" { sub(/^panel: */, ""); panel[++panels] = $0 }
END {
    if (!panels) exit 2
    columns = panels < 2 ? 1 : 2
    lines = int((panels + columns - 1) / columns)
    width = columns == 1 ? 640 : 880
    height = lines == 1 ? 380 : 320 * lines
    printf "set terminal png notruecolor enhanced size %d,%d font 'DejaVu Sans,9'\n", width, height
    printf "set output '%s'\n", image
    print "set datafile separator ','\nset datafile columnheaders\nset samples 200\nset border lc '#404040' lw 0.8"
    print "set tics nomirror scale 0.6\nset grid lc '#d0d0d0' lw 0.6\nset key at graph 1.0,1.11 right top horizontal samplen 1.5"
    # Okabe and Ito's colours, told apart by all eyes; the ideal joint is black.
    split("#0072B2 #D55E00 #009E73 #CC79A7 #E69F00", colour, " ")
    printf "set multiplot layout %d,%d\n", lines, columns
    for (p = 1; p <= panels; p++) {
        n = split(panel[p], f, "|")
        words = split(f[7], word, " ")
        print "set size noratio\nunset logscale\nset xrange [*:*]\nset yrange [*:*]\nset auto fix\nset offsets 0,0,graph 0.04,graph 0.04\nset style fill solid 0.6\nset boxwidth 0.6\nset xtics auto\nset format '%h'"
        if (trim(f[1]) == "") f[1] = " "
        printf "set title '%s' offset 0,-0.6\nset xlabel '%s' offset 0,0.4\nset ylabel '%s' offset 1,0\n", f[1], trim(f[2]), trim(f[3])
        if (trim(f[2]) ~ /^crank angle/) print "set xtics 90\nset xrange [0:720]"
        c = option("circle")
        if (c != "") printf "set size ratio -1\nset xrange [%g:%g]\nset yrange [%g:%g]\n", -1.35 * c, 1.35 * c, -1.35 * c, 1.35 * c
        if (option("xrange") != "") printf "set xrange [%s]\n", option("xrange")
        if (option("yrange") != "") printf "set yrange [%s]\n", option("yrange")
        if (option("logx") != "") print "set logscale x"
        if (option("logy") != "") print "set logscale y"
        count = split(f[6], curve, ";")
        axes = split(f[5], axis, " : ")
        threed = option("3d") != ""
        style = option("points") != "" ? "points pt 7 ps 0.25" : option("bars") != "" ? "boxes" : option("dots") != "" ? "linespoints pt 7 ps 0.8" : "lines lw 1.1"
        printf (threed ? "set zlabel \"e_z, mm\" offset 4,0\nset view 65,40\nset xyplane 0\nsplot " : "plot ")
        if (c != "") printf "'+' using (%g*cos($0*2*pi/198)):(%g*sin($0*2*pi/198)) with lines lw 1.5 lc '#a0a0a0' notitle, ", c, c
        for (k = 1; k <= count; k++) {
            split(curve[k], pair, "=")
            name = trim(pair[1]); label = trim(pair[2])
            file = data(name)
            ink = label ~ /^ideal/ ? "#000000" : colour[++used % 5 + (used % 5 == 0) * 5]
            printf "%s'%s' using (%s):(%s)", (k > 1 ? ", " : ""), file, translate(f[4]), translate(axis[1])
            if (threed) printf ":(%s)", translate(axis[2])
            if (option("bars") != "" && trim(pair[3]) != "") printf ":xtic(%s)", translate(trim(pair[3]))
            printf " with %s lc '%s' %s", style, ink, (label == "" ? "notitle" : "title '" label "'")
        }
        used = 0
        y = option("line")
        if (y != "") printf ", %g with lines lc '#808080' notitle", y
        print ""
    }
    print "unset multiplot"
    exit missing
}
