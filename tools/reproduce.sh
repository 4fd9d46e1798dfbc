#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Computes what the five papers show, draws their figures and writes docs/validation:
#   tools/reproduce.sh [--quick] [--check] [--jobs N] [--program LASH] [--work FOLDER] [--output FOLDER]
#     --quick      the cases marked quick only; the pages then go to FOLDER/validation of the work folder, not to docs
#     --check      fails where a verdict differs from that in docs/validation/findings.md
#     --program    build/lash unless given; --work: build/reproduce; --output: docs/validation
# Everything is in tools/reproduce/: cases.txt is what is run, findings.txt what is claimed and tested, figures.txt what is
# drawn, pages/ the text with places for numbers. A case whose inputs and program have not changed is not computed
# again: an interrupted run continues where it was. Needs gnuplot and a POSIX awk.
set -eu
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)
tools=$root/tools/reproduce
quick=false check=false jobs=$(nproc 2>/dev/null || echo 2)
program=$root/build/lash work=$root/build/reproduce output=$root/docs/validation one=
while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=true ;;
    --check) check=true ;;
    --jobs) jobs=$2; shift ;;
    --program) program=$2; shift ;;
    --work) work=$2; shift ;;
    --output) output=$2; shift ;;
    --case) one=$2; shift ;; # one case, for the workers below
    *) echo "usage: tools/reproduce.sh [--quick] [--check] [--jobs N] [--program LASH] [--work FOLDER] [--output FOLDER]" >&2; exit 2 ;;
    esac
    shift
done
fail() { echo "reproduce: $*" >&2; exit 1; }
[ -x "$program" ] || fail "there is no program $program; build it first"
mkdir -p "$work"
work=$(cd "$work" && pwd)
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")

# --- Cases -----------------------------------------------------------------------------------------------------

# names: of all cases of this run, in the order of the list. Cases of models that are not there are left out.
names() {
    awk -v quick="$quick" -v examples="$root/examples" '
        function flush() {
            if (name != "" && (quick != "true" || set == "quick") && (getline line <(examples "/" model ".yaml")) > 0) print name
            close(examples "/" model ".yaml"); name = set = model = ""
        }
        $1 == "case:" { flush(); name = $2 } $1 == "in:" { set = $2 } $1 == "model:" { model = $2 } END { flush() }' "$tools/cases.txt"
}
# field CASE KEY: the values of a key, one per line; of `study` the lines below it, less their indentation.
field() {
    awk -v want="$1" -v key="$2:" '
        $1 == "case:" { here = $2 == want; inside = 0; next }
        !here || /^#/ || /^$/ { inside = 0; next }
        inside && /^  / { sub(/^  /, ""); print; next }
        /^ / { next }
        { inside = 0 }
        $1 == key { if (key == "study:") inside = 1; else { sub(/^[^ ]* */, ""); print } }' "$tools/cases.txt"
}
# model_file CASE: the example, or the name of its edited copy.
model_file() {
    if [ -n "$(field "$1" edit)" ]; then echo "$1-model.yaml"; else echo "$(field "$1" model).yaml"; fi
}
# command CASE: what a user would type for the same numbers.
command_of() {
    edit=$(field "$1" edit) file=$(model_file "$1")
    [ -z "$edit" ] || printf "sed '%s' %s.yaml > %s\n" "$edit" "$(field "$1" model)" "$file"
    if [ -n "$(field "$1" run)" ]; then
        echo "lash run $file $(field "$1" run | sed "s/--channels \([^ ]*\)/--channels '\1'/") -o $1.h5"
    else
        echo "lash study $1.yaml"
    fi
}
# clean: a CSV whose header has names without units and blanks.
clean() { sed '1{s/ \[[^]]*\]//g;s/ /-/g;}'; }

# numbers_of_run CASE: rows.csv for the figures, numbers
numbers_of_run() {
    rows=$(field "$1" rows) against=$(field "$1" against)
    "$program" export result.h5 | clean | awk -F, -v rows="$rows" '
        # The angle of the drive in degrees, from the first row kept, goes first but for the time.
        function keep(line) {
            split(line, part, ",")
            if (angle && first == "") first = part[angle]
            deg = angle ? (part[angle] - first) * 57.29577951308232 : 0
            sub(/,/, sprintf(",%.8g,", deg < 0 ? -deg : deg), line); print line
        }
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "motor.angle") angle = i
                  sub(/,/, ",deg,"); print; bounds = split(rows, bound, " "); next }
        rows == "all" { keep($0); next }
        bounds == 2 { if ($1 >= bound[1] && $1 <= bound[2]) keep($0); next }
        { ring[NR % rows] = $0 }
        END { if (bounds == 1 && rows != "all") for (i = NR - rows + 1; i <= NR; i++) keep(ring[i % rows]) }' >rows.csv
    take=$(field "$1" take | tr '\n' ';')
    if [ -n "$against" ]; then
        awk -F, -f "$tools/measure.awk" -v case="$1" -v take="$take" -v against=yes "$work/$against/rows.csv" rows.csv
    else
        awk -F, -f "$tools/measure.awk" -v case="$1" -v take="$take" rows.csv
    fi
    "$program" export result.h5 --summary | awk -v case="$1" '$2 == "=" && $3 ~ /^[-+0-9.]/ { print case "." $1, $3 }'
    "$program" export result.h5 --events | awk -F, -v case="$1" '
        $1 == "onset" { speed[$2] = $6; n++; if ($6 > fastest) fastest = $6 }
        $1 == "release" && ++c <= 6 {
            printf "%s.contact%d.speed %s\n%s.contact%d.force %s\n%s.contact%d.depth %s\n%s.contact%d.duration %s\n%s.contact%d.loss %s\n",
                case, c, speed[$2], case, c, $7, case, c, $8, case, c, $9, case, c, $10
            printf "%s.contact%d.impact %d\n", case, c, $3 == "impact" }
        END { if (n) print case ".fastest", fastest }'
}
# numbers_of_study CASE: table.csv, numbers CASE.POINT.metric
numbers_of_study() {
    "$program" study export study.db | clean >table.csv
    awk -F, -v case="$1" 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; columns = NF; next }
        { for (i = 2; i <= columns; i++) if ($i != "") print case "." $1 "." name[i], $i }' table.csv
    # How often a motion that repeats is followed by one that does not, or the reverse, along the points.
    awk -F, -v case="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "period") c = i; next }
        c && NR > 2 && ($c > 0) != before { changes++ } c { before = $c > 0 }
        END { if (c) print case ".changes", changes + 0 }' table.csv
    # Sets of runs of the same machine: how many are chaotic, settled (neighbours come together), called quasi-periodic, and
    # smallest, largest and mean exponent, mean residue.
    awk -F, -v case="$1" -v size="$(field "$1" sets)" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        !size { exit }
        { x = $column["exponent"]; e = $column["exponent-error"]
          if (!runs++) least = most = x
          chaotic += x > 3 * e; settled += x < -3 * e; quasi += $column["verdict"] == "quasi-periodic"
          sum += x; residue += $column["period-residue"]
          if (x < least) least = x
          if (x > most) most = x }
        runs == size {
            set = case ".set" ++sets
            print set ".runs", runs; print set ".chaotic", chaotic; print set ".settled", settled; print set ".quasi", quasi
            print set ".least", least; print set ".most", most; print set ".exponent", sum / runs; print set ".residue", residue / runs
            runs = chaotic = settled = quasi = sum = residue = 0 }' table.csv
}

# compute CASE: in its folder, unless its stamp says that it is there already.
compute() {
    model=$root/examples/$(field "$1" model).yaml edit=$(field "$1" edit) against=$(field "$1" against)
    folder=$work/$1
    mkdir -p "$folder"
    inputs=$({ cksum <"$program"; cat "$model"; for key in edit run study check rows; do field "$1" $key; done; } | cksum)
    stamp=$({ echo "$inputs"; cat "$tools/measure.awk"; sed -n '/^numbers_of_run/,/^# compute/p' "$0"
              for key in against take sets; do field "$1" $key; done
              [ -z "$against" ] || cat "$work/$against/stamp"; } | cksum)
    [ ! -f "$folder/stamp" ] || [ "$(cat "$folder/stamp")" != "$stamp" ] || return 0
    cd "$folder"
    rm -f stamp
    sed "${edit:-}" "$model" >model.yaml
    if [ -n "$(field "$1" check)" ]; then
        "$program" check model.yaml | awk -v case="$1" '/degrees of freedom/ { print case ".dof", $4 }' >numbers
    elif [ -n "$(field "$1" run)" ]; then
        eval "set -- \"$1\" $(field "$1" run | sed "s/--channels \([^ ]*\)/--channels '\1'/")"
        name=$1
        shift
        "$program" run model.yaml "$@" -q -o result.h5
        numbers_of_run "$name" >numbers
        rm -f result.h5
    else
        # A study that was stopped goes on where it was.
        [ -f inputs ] && [ "$(cat inputs)" = "$inputs" ] || rm -f study.db study.db-*
        echo "$inputs" >inputs
        { echo "title: $1"; echo "model: model.yaml"; field "$1" study; } >study.yaml
        "$program" study study.yaml -j 1 -q -o study.db 2>messages || [ $? -eq 1 ] # points may fail: their status is a number too
        numbers_of_study "$1" >numbers
    fi
    echo "$stamp" >stamp
}
if [ -n "$one" ]; then
    compute "$one"
    exit 0
fi

# Cases that others are compared with come first; then the rest, several at once.
run_cases() {
    options="--program $program --work $work"
    names >"$work/cases"
    total=$(wc -l <"$work/cases")
    while read -r name; do field "$name" against; done <"$work/cases" | sort -u >"$work/first"
    for list in first rest; do
        if [ $list = first ]; then cat "$work/first"; else grep -vxFf "$work/first" "$work/cases" || :; fi |
            xargs -P "$jobs" -I '{}' sh -c "sh '$0' $options --case {} && echo {} || { echo 'reproduce: case {} failed' >&2; exit 255; }"
    done | {
        count=0
        while read -r name; do
            count=$((count + 1))
            echo "case $count of $total: $name"
        done
        [ $count -eq $total ]
    } || fail "a case has failed"
    { while read -r name; do cat "$work/$name/numbers"; done <"$work/cases"; awk -f "$tools/errata.awk"; } >"$work/numbers"
}

# --- Figures ---------------------------------------------------------------------------------------------------

draw_figures() {
    command -v gnuplot >/dev/null || fail "gnuplot is missing; on Debian: apt-get install gnuplot-nox"
    mkdir -p "$images" "$work/figures"
    awk '$1 == "figure:" { print $2 }' "$tools/figures.txt" >"$work/figures/list"
    all=$(wc -l <"$work/figures/list")
    number=0
    while read -r figure; do
        number=$((number + 1))
        # A figure is drawn when all its cases are there.
        awk -v want="$figure" -v work="$work" -v image="$images/$figure.png" -f "$tools/figure.awk" "$tools/figures.txt" \
            >"$work/figures/$figure.gp" || { echo "figure $number of $all: $figure, not in this run"; continue; }
        gnuplot "$work/figures/$figure.gp" || fail "figure $figure"
        echo "figure $number of $all: $figure"
    done <"$work/figures/list"
}

# --- Findings and pages ----------------------------------------------------------------------------------------

# findings: findings.tsv, one line per row that could be tested: id, paper, place, claim, number, verdict, reason
test_findings() {
    awk -f "$tools/expression.awk" -f "$tools/findings.awk" "$tools/findings.txt" >"$work/findings-program.awk"
    awk -f "$work/findings-program.awk" "$work/numbers" >"$work/findings.tsv"
}
# A page: @figure, @findings and @command lines first, then the numbers.
write_page() { # TEMPLATE PAGE
    while IFS= read -r line; do
        case $line in
        "@figure "*)
            awk -v want="${line#@figure }" '
                $1 == "figure:" { here = $2 == want; if (here) id = $2 }
                here { key = $1; text = $0; sub(/^[^ ]* */, "", text)
                       if (key == "title:") printf "### %s\n\n![%s](images/%s.png)\n\n", text, text, id
                       if (key == "see:") see = text
                       if (key == "numbers:") numbers = text }
                END { print see; if (numbers != "") print "\nNumbers: " numbers }' "$tools/figures.txt" ;;
        "@findings "*)
            echo "| row | place | claim | Lash | verdict |"
            echo "|---|---|---|---|---|"
            awk -F'\t' -v paper="${line#@findings }" '$2 == paper {
                printf "| %s | %s | %s | %s | **%s**%s |\n", $1, $3, $4, $5, $6, $7 == "" ? "" : ": " $7 }' "$work/findings.tsv" ;;
        "@all-findings")
            echo "| row | paper and place | claim | Lash | verdict |"
            echo "|---|---|---|---|---|"
            awk -F'\t' '{ printf "| %s | %s, %s | %s | %s | **%s**%s |\n", $1, $2, $3, $4, $5, $6, $7 == "" ? "" : ": " $7 }' "$work/findings.tsv" ;;
        "@totals") totals "" ;;
        "@commands "*)
            echo '```sh'
            for name in ${line#@commands }; do command_of "$name"; done
            echo '```' ;;
        "@study "*)
            echo '```yaml'
            echo "model: $(model_file "${line#@study }")"
            field "${line#@study }" study
            echo '```' ;;
        *) printf '%s\n' "$line" ;;
        esac
    done <"$1" | awk -f "$tools/expression.awk" -f "$tools/fill.awk" >"$work/page.awk"
    awk -f "$work/page.awk" "$work/numbers" >"$2" || fail "page $1"
}
# How many claims of each paper hold, with links below a folder.
totals() { # FOLDER
    echo "| paper | claims tested | confirmed | in part | not confirmed |"
    echo "|---|---|---|---|---|"
    awk -F'\t' '{ n[$2]++; v[$2, $6]++; t++; s[$6]++ }
        END { for (i = 0; i < 5; i++) { p = "P" i; if (n[p]) printf "| %s | %d | %d | %d | %d |\n", p, n[p], v[p, "confirmed"], v[p, "confirmed in part"], v[p, "not confirmed"] }
              printf "| all | %d | %d | %d | %d |\n", t, s["confirmed"], s["confirmed in part"], s["not confirmed"] }' "$work/findings.tsv" |
        sed "s#^| P0 |#| [P0]($1p0.md), Flores et al. 2006 |#;s#^| P1 |#| [P1]($1p1.md), Muvengei et al. 2012 |#
             s#^| P2 |#| [P2]($1p2.md), Flores 2010 |#;s#^| P3 |#| [P3]($1p3.md), Grigore and Pandrea 2011 |#
             s#^| P4 |#| [P4]($1p4.md), Flores et al. 2004 |#"
}
write_pages() {
    mkdir -p "$output"
    for template in "$tools"/pages/*.md; do
        write_page "$template" "$output/$(basename "$template")"
    done
    # The README's table, between its markers.
    page=$root/README.md
    if grep -q '<!-- findings: begin -->' "$page"; then
        { sed '/<!-- findings: begin -->/q' "$page"; totals docs/validation/; sed -n '/<!-- findings: end -->/,$p' "$page"; } >"$work/readme.md"
        cmp -s "$work/readme.md" "$page" || cat "$work/readme.md" >"$page"
    fi
}
# Verdicts of this run against those of the committed page.
compare_verdicts() {
    awk -F'\t' -v page="$root/docs/validation/findings.md" '
        BEGIN { while ((getline line <page) > 0)
                    if (split(line, part, / *[|] */) > 5 && match(part[6], /[*][*][a-z ]*[*][*]/)) {
                        committed[part[2]] = substr(part[6], RSTART + 2, RLENGTH - 4); rows++ } }
        { if (!($1 in committed)) { print $1 ": not in docs/validation/findings.md"; failed = 1 }
          else if (committed[$1] != $6) { printf "%s: %s, but committed is %s (%s)\n", $1, $6, committed[$1], $5; failed = 1 } }
        END { printf "%d verdicts compared with %d committed\n", NR, rows; exit failed || !NR || !rows }' "$work/findings.tsv" ||
        fail "findings differ"
}

images=$output/images
run_cases
test_findings
if $quick; then
    output=$work/validation
    mkdir -p "$output"
    images=$output/images
fi
draw_figures
if ! $quick; then
    write_pages
fi
awk -F'\t' '{ n[$6]++ } END { printf "%d findings: %d confirmed, %d in part, %d not confirmed\n", NR, n["confirmed"], n["confirmed in part"], n["not confirmed"] }' "$work/findings.tsv"
if $check; then
    compare_verdicts
fi
