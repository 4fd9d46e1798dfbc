#!/bin/sh
# SPDX-License-Identifier: MIT
#
# All C sources and headers are laid out as .clang-format says. To mend: clang-format -i FILE…
set -eu
cd "$(dirname "$0")/.."
failed=0
for file in $(find include src tests bench examples -name '*.[ch]' | LC_ALL=C sort); do
    if ! clang-format --dry-run -Werror "$file" 2>/dev/null; then
        echo "$file: not laid out as .clang-format says" >&2
        failed=1
    fi
done
exit $failed
