#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every public header compiles by itself, as C17 with gcc and clang and as C++17.
set -eu
cd "$(dirname "$0")/.."
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
failed=0
count=0
for header in include/lash/*.h; do
    count=$((count + 1))
    for compiler in "gcc -x c -std=c17" "clang -x c -std=c17" "g++ -x c++ -std=c++17" "clang++ -x c++ -std=c++17"; do
        # Through a file that includes it: compilers apply other rules to headers that are given directly.
        if ! printf '#include "lash/%s"\nextern int something;\n' "${header##*/}" | $compiler $warnings -Iinclude -fsyntax-only -; then
            echo "$header: does not stand alone under '$compiler'" >&2
            failed=1
        fi
    done
done
echo "$count public headers"
exit $failed
