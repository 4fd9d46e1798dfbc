#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs every example for a few turns, makes their pages with `lash report`, the live page of all of them with `lash live`,
# and an index with pictures:
#   tools/make-gallery.sh [BUILD]      BUILD: build unless given; the gallery is BUILD/gallery/index.html
# Also takes the pictures of docs/images that show pages. Needs Node.js and Chromium (tools/install-deps.sh test).
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
lash=$PWD/$build/lash
case $build in /*) lash=$build/lash ;; esac
command -v node >/dev/null || { echo "Node.js is missing; on Debian: apt-get install nodejs npm" >&2; exit 1; }
command -v chromium >/dev/null || { echo "Chromium is missing; on Debian: apt-get install chromium" >&2; exit 1; }
gallery=$build/gallery
rm -rf "$gallery"
mkdir -p "$gallery"

# Long runs of a drive are cut to so many turns.
turns=3
for model in examples/*.yaml; do
    name=$(basename "$model" .yaml)
    drive=$(sed -n 's/^run:.*until: *\([0-9]*\) rev of \([A-Za-z_0-9-]*\).*/\1 \2/p' "$model")
    set -- run "$model" -q -o "$gallery/$name.h5"
    if [ -n "$drive" ] && [ "${drive%% *}" -gt $turns ]; then
        set -- "$@" --until "$turns rev of ${drive#* }"
    fi
    # Play that is large enough to be seen at once.
    if grep -q '^  play: .* mm' "$model"; then set -- "$@" --set play="0.2 mm"; fi
    echo "$name"
    "$lash" "$@"
    "$lash" report "$gallery/$name.h5" -o "$gallery/$name.html" -q
done
"$lash" run examples/flores-2010.yaml --set play="0.5 mm" --until "$turns rev of motor" -o "$gallery/wide.h5" -q
"$lash" report "$gallery/flores-2010.h5" "$gallery/wide.h5" -o "$gallery/two-results.html" -q
"$lash" live -o "$gallery/live.html" -q
node tools/make-gallery.mjs "$build/web" "$gallery" docs/images
"$lash" live examples/flores-2010.yaml --set "run.until=3 rev of motor" -o "$gallery/pictures.html" -q
node tools/make-live-pictures.mjs "$build/web" "$gallery/pictures.html" docs/images
rm -f "$gallery"/*.h5 "$gallery/pictures.html"
echo "$gallery/index.html"
