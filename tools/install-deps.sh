#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs the Debian packages Lash needs that are not there yet:
#   tools/install-deps.sh [program|test|bench]     (default: program; test and bench include it)
# Quick and silent when nothing is missing. Needs root or a sudo that asks no password; without either it says what to
# install and fails. On a system without dpkg it names the packages and leaves the rest to CMake.
set -eu

program="build-essential cmake pkg-config libsundials-dev libsuitesparse-dev libfyaml-dev
         libudunits2-dev libhdf5-dev libsqlite3-dev libopenmpi-dev openmpi-bin gnuplot-nox
         python3-dev python3-cffi python3-numpy"
test="libcmocka-dev liblapack-dev clang clang-format libxml2-utils python3 python3-scipy
      python3-jsonschema python3-yaml python3-matplotlib python3-pandas python3-h5py python3-setuptools python3-wheel"
bench="libsimbody-dev valgrind"

# The page of `lash report` is built with Node.js, from wherever it comes; the program builds without it, too.
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    program="$program nodejs npm"
fi
# Its tests use a browser, from wherever it comes.
command -v chromium >/dev/null || test="$test chromium"

purpose=${1:-program}
case $purpose in
program) packages=$program ;;
test) packages="$program $test" ;;
bench) packages="$program $bench" ;;
*)
    echo "usage: tools/install-deps.sh [program|test|bench]" >&2
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
[ -n "$missing" ] || exit 0

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
