#!/bin/sh
# SPDX-License-Identifier: MIT
#
# All C sources and headers are laid out as .clang-format says. To mend: clang-format -i FILE…
set -eu
cd "$(dirname "$0")/.."
find include src tests bench examples -name '*.[ch]' -print0 | sort -z | xargs -0 clang-format --dry-run -Werror
