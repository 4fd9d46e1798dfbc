#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every file that is written by hand opens with its licence, no work is left for later, and C files that comments name
# exist.
set -eu
cd "$(dirname "$0")/.."
failed=0
sources=$(find include src tests bench examples tools cmake web/src -type f \
    \( -name '*.[ch]' -o -name '*.js' -o -name '*.mjs' -o -name '*.css' -o -name '*.cpp' -o -name '*.sh' -o -name '*.cmake' -o -name 'CMakeLists.txt' \))

for file in $sources CMakeLists.txt Makefile .ci/run; do
    case $file in
    *.[ch] | *.cpp | *.js | *.mjs | *.css) opening='^/[*/] SPDX-License-Identifier: MIT\( \*/\)\?$' lines=1 ;;
    *) opening='^# SPDX-License-Identifier: MIT$' lines=2 ;; # a script may start with #!
    esac
    if ! head -n $lines "$file" | grep -q "$opening"; then
        echo "$file: does not open with the SPDX line" >&2
        failed=1
    fi
done

# The brackets keep this line from finding itself.
if grep -nwE '[T]ODO|[F]IXME' $sources CMakeLists.txt Makefile .ci/run; then
    echo "work is left behind in the lines above" >&2
    failed=1
fi

# shellcheck disable=SC2086
if ! awk '
FNR == 1 { known[FILENAME] = 1; name = FILENAME; sub(/.*\//, "", name); known[name] = 1 }
/^[ \t]*(\/\*|\*|\/\/)/ {
    rest = $0
    while (match(rest, /[ (][a-z0-9_\/]*[a-z0-9_][a-z0-9_][a-z0-9_]\.[ch][],;:) ]/)) {
        name = substr(rest, RSTART + 1, RLENGTH - 2)
        rest = substr(rest, RSTART + RLENGTH - 1)
        sub(/.*\//, "", name)
        if (!(name in asked))
            asked[name] = FILENAME ":" FNR
    }
}
END {
    for (name in asked)
        if (!(name in known)) {
            print asked[name] ": there is no " name
            failed = 1
        }
    exit failed
}' $(printf '%s\n' $sources | grep '\.[ch]$'); then
    failed=1
fi
exit $failed
