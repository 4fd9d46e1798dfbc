#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Installs a build into an empty prefix, moves the prefix, and builds and runs a small user of it, once with pkg-config
# and once with CMake: tests/install/run.sh BUILD SCRATCH
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"

# DESTDIR stands before the prefix, and nothing is written outside of it.
DESTDIR=$scratch/stage cmake --install "$build" --prefix /opt/lash >"$scratch/install.log"
prefix=$scratch/moved
mv "$scratch/stage/opt/lash" "$prefix"
if [ -n "$(find "$scratch/stage" -type f)" ]; then
    echo "files outside the prefix:" && find "$scratch/stage" -type f && exit 1
fi
for file in bin/lash include/lash/lash.h share/doc/lash/LICENSE; do
    [ -s "$prefix/$file" ] || { echo "not installed: $file" && exit 1; }
done
# Links between the pages hold where they are installed; those into tests/ are for readers of the source tree.
pages=$prefix/share/doc/lash
for page in "$pages"/*.md "$pages"/docs/*.md; do
    for link in $(grep -oE '\]\([^)]+\)' "$page" | sed -e 's/^](//' -e 's/)$//' -e 's/#.*//' | grep -vE '^$|^https?:|^(\.\./)?tests/'); do
        [ -e "$(dirname "$page")/$link" ] || { echo "$page: the link to $link leads nowhere" && exit 1; }
    done
done
[ -s "$pages/docs/images/bifurcation.png" ] || { echo "pictures are not installed" && exit 1; }
if grep -rlI -e "$here" -e "$build" "$prefix/lib" "$prefix/include"; then
    echo "the files above name the place they were built in" && exit 1
fi
pc=$(find "$prefix" -name lash.pc)
model=$prefix/share/doc/lash/examples/slider-crank.yaml
version=$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --modversion lash)

check() {
    local output
    output=$(LD_LIBRARY_PATH=$(dirname "$(dirname "$pc")") "$1" "$model") || { echo "$1: exit code $?: $output" && exit 1; }
    case $output in
    "$version: "?*) echo "$2: $output" ;;
    *) echo "$2: unexpected output: $output" && exit 1 ;;
    esac
}

# pkg-config, gcc and clang: the objects of the library serve both.
for cc in gcc clang; do
    $cc -std=c17 -o "$scratch/consumer-$cc" "$here/consumer.c" \
        $(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs lash)
    check "$scratch/consumer-$cc" "pkg-config, $cc"
done

# CMake
cmake -S "$here" -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/cmake.log"
cmake --build "$scratch/cmake" >>"$scratch/cmake.log"
check "$scratch/cmake/consumer" CMake

version_of_program=$("$prefix/bin/lash" --version)
case $version_of_program in
*"$version"*) ;;
*) echo "lash --version says: $version_of_program" && exit 1 ;;
esac
