#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Debian packages from a build: tools/make-package.sh BUILD. They are put together by cpack (cmake/LashPackage.cmake) with the
# date of the last commit, so that the same source makes the same bytes.
set -eu
build=$1
root=$(cd "$(dirname "$0")/.." && pwd)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 315532800)}
export SOURCE_DATE_EPOCH
umask 022
rm -f "$build"/*.deb
(cd "$build" && cpack -G DEB >package.log) || { cat "$build/package.log" >&2 && exit 1; }
ls "$build"/*.deb
