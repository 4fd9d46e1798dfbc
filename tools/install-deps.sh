#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs the Debian packages that Lash needs and that are not installed yet:
#   tools/install-deps.sh [program|web|test|bench|docs]     (default: program; web, test and bench include it, and test web and docs)
# web is what `lash live` is built with: Emscripten, and the sources of libfyaml and of SuiteSparse's AMD and LDL, which
# come from the distribution's source packages and stay in build/solver-sources.
# Quick and silent when nothing is missing. Needs root or a sudo that asks no password; without either it says what to
# install and fails. On a system without dpkg it names the packages and leaves the rest to CMake.
set -eu

program="build-essential cmake pkg-config libsundials-dev libsuitesparse-dev libfyaml-dev
         libudunits2-dev libhdf5-dev libsqlite3-dev libopenmpi-dev openmpi-bin gnuplot-nox
         python3-dev python3-cffi python3-numpy"
web="emscripten"
test="libcmocka-dev liblapack-dev clang clang-format libxml2-utils python3 python3-scipy
      python3-jsonschema python3-yaml python3-matplotlib python3-pandas python3-h5py hdf5-tools python3-setuptools python3-wheel"
bench="libsimbody-dev valgrind"
docs="pandoc aspell aspell-en python3"

# The page of `lash report` is built with Node.js, wherever that comes from; the program builds without it, too.
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    program="$program nodejs npm"
fi
# Its tests use a browser, wherever that comes from.
command -v chromium >/dev/null || test="$test chromium"

purpose=${1:-program}
case $purpose in
program) packages=$program ;;
web) packages="$program $web" ;;
test) packages="$program $web $test $docs" ;;
docs) packages=$docs ;;
bench) packages="$program $bench" ;;
*)
    echo "usage: tools/install-deps.sh [program|web|test|bench|docs]" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "This is not a Debian system; Lash needs what these packages hold there:" $packages >&2
    exit 0
fi

installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $packages 2>/dev/null | sed -n 's/^installed //p') || :
missing=""
for package in $packages; do
    printf '%s\n' "$installed" | grep -qx "$package" || missing="$missing $package"
done
# The sources that the solver of live pages is compiled from. apt's lists of source packages are fetched into a folder
# of our own, from where the binary packages come: the machine's own lists stay as they are.
fetch_sources() {
    sources=$(dirname "$0")/../build/solver-sources
    [ ! -e "$sources/suitesparse/ldl.c" ] || [ ! -e "$sources/libfyaml/include/libfyaml.h" ] || return 0
    echo "Fetching the sources of libfyaml and SuiteSparse"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/libfyaml" "$work/sparse"
    apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        sort -u >"$work/sources.list"
    own="-q -q -o Dir::Etc::SourceList=$work/sources.list -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists=$work/lists
         -o Dir::Cache=$work/cache -o Acquire::Retries=3 -o APT::Sandbox::User="
    if apt-get $own update && (cd "$work" && apt-get $own source --download-only libfyaml suitesparse) &&
        tar -xf "$work"/libfyaml_*.orig.tar.* -C "$work/libfyaml" --strip-components=1 &&
        tar -xf "$work"/suitesparse_*.orig.tar.* -C "$work/sparse" --strip-components=1 --wildcards \
            '*/SuiteSparse_config/SuiteSparse_config.[ch]' '*/AMD/Source/*.c' '*/AMD/Include/*.h' '*/LDL/Source/ldl.c' \
            '*/LDL/Include/ldl.h'; then
        rm -rf "$sources"
        mkdir -p "$sources/suitesparse"
        find "$work/sparse" -name '*.[ch]' -exec cp {} "$sources/suitesparse/" \;
        mv "$work/libfyaml" "$sources/libfyaml"
    else
        echo "The sources of libfyaml and SuiteSparse cannot be fetched; the program will be built without lash live." >&2
    fi
}
finish() {
    case $purpose in web | test) fetch_sources ;; esac
    exit 0
}
[ -n "$missing" ] || finish

if [ "$(id -u)" -eq 0 ]; then
    as_root="env"
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root="sudo -n env"
else
    cat >&2 <<EOF
Lash needs packages that are not installed, and installing them takes rights that are missing here:
 $missing
Install them as root, then run the same make command again:
  apt-get update && apt-get install --no-install-recommends$missing
EOF
    exit 1
fi

echo "Installing:$missing"
options="-q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3"
# An update that fails (one mirror of many is down) need not stop the installation.
$as_root apt-get $options update || echo "apt-get update failed; trying with the lists at hand" >&2
if ! $as_root DEBIAN_FRONTEND=noninteractive apt-get $options install --no-install-recommends $missing; then
    echo "Installing failed. Needed are:$missing" >&2
    exit 1
fi
finish
