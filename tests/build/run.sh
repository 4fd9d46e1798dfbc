#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Other ways to build Lash: tests/build/run.sh core|clang|below|twice SOURCE SCRATCH
#   core   nothing that is optional: it is tested, needs few libraries, and says what is left out
#   clang  everything and its tests with clang, warnings are errors
#   below  in the tree of another project, with add_subdirectory
#   twice  in two folders, from the beginning: what is distributed has the same bytes
set -eu
kind=$1
source=$2
scratch=$3
mkdir -p "$scratch"
quick="-DCMAKE_BUILD_TYPE=Debug -DLASH_PAGE=OFF"
if command -v ccache >/dev/null; then
    quick="$quick -DCMAKE_C_COMPILER_LAUNCHER=ccache"
fi

fail() {
    echo "$@" >&2
    exit 1
}

# says WORDS COMMAND…: the command fails and names these words.
says() {
    local words=$1 output
    shift
    output=$("$@" 2>&1) && fail "no failure: $*"
    case $output in
    *"$words"*) ;;
    *) fail "$*: '$words' is not in: $output" ;;
    esac
}

case $kind in
core)
    (cd "$source" && cmake --preset core -B "$scratch/build" $quick -DCMAKE_C_FLAGS_DEBUG=-O1) >"$scratch/log"
    cmake --build "$scratch/build" -j 2 >>"$scratch/log" 2>&1 || fail "$(tail -50 "$scratch/log")"
    cd "$scratch"
    # The one left out takes long.
    ctest --test-dir build -R '^(unit|laws|fault)\.' -E 'unit\.nonlinear' --output-on-failure >ctest.log ||
        fail "$(cat ctest.log)"
    lash=build/lash
    libraries=$(ldd $lash | grep -vcE 'vdso|ld-linux|libc\.|libm\.')
    [ "$libraries" -le 4 ] || fail "the core needs $libraries libraries: $(ldd $lash)"
    model=$source/examples/slider-crank.yaml
    $lash run "$model" --until "1 ms" --csv rows.csv -q
    [ -s rows.csv ] || fail "no rows"
    says "LASH_WITH_HDF5=ON" $lash run "$model" -o result.h5
    says "LASH_WITH_HDF5=ON" $lash export rows.csv
    says "LASH_WITH_CVODE=ON" $lash run "$model" --method adams --csv rows.csv
    says "LASH_WITH_SQLITE=ON" $lash study "$source/examples/studies/flores-2010-speed.yaml" -o study.db
    # A chain of 520 links has 1040 equations; one of 100 is no matter.
    chain() {
        echo 'gravity: [0, -9.81]'
        echo 'bodies:'
        for i in $(seq "$1"); do echo "  b$i: {mass: 1, inertia: 1, position: [$i, 0], points: {a: [-0.5, 0], b: [0.5, 0]}}"; done
        echo 'joints:'
        for i in $(seq "$1"); do
            [ "$i" = 1 ] && from=ground.o || from=b$((i - 1)).b
            echo "  j$i: {type: revolute, between: [$from, b$i.a]}"
        done
        echo 'ground: {points: {o: [0.5, 0]}}'
        echo 'run: {until: 1 us}'
    }
    chain 100 >short.yaml
    $lash run short.yaml --csv rows.csv -q || fail "a chain of 100 links does not run"
    chain 520 >long.yaml
    says "LASH_WITH_SPQR=ON" $lash check long.yaml
    says "LASH_WITH_MPI=ON" env OMPI_COMM_WORLD_SIZE=2 $lash study "$source/examples/studies/flores-2010-speed.yaml"
    ;;
clang)
    (cd "$source" && cmake --preset clang -B "$scratch/build" $quick) >"$scratch/log"
    cmake --build "$scratch/build" -j 2 >>"$scratch/log" 2>&1 || fail "$(grep -B2 -A8 error: "$scratch/log" | tail -60)"
    ;;
twice)
    export SOURCE_DATE_EPOCH=1700000000 CCACHE_DISABLE=1
    for folder in one another/folder; do
        copy=$scratch/$folder
        rm -rf "$copy" && mkdir -p "$copy"
        (cd "$source" && git ls-files -z | xargs -0 cp --parents -t "$copy")
    done
    for copy in "$scratch/one" "$scratch/another/folder"; do
        (cd "$copy" && cmake --preset package -DLASH_SOLVER_SOURCES="$source/build/solver-sources" &&
            cmake --build --preset package -j 2 && tools/make-package.sh build/package &&
            build/package/lash fmu examples/slider-crank.yaml -o build/package/slider-crank.fmu &&
            DESTDIR=$copy/stage cmake --install build/package) >"$scratch/log" 2>&1 || fail "$(tail -30 "$scratch/log")"
    done
    cd "$scratch/one"
    find stage build/package/*.deb build/package/slider-crank.fmu -type f | sort >"$scratch/artefacts"
    grep -q 'liblash\.a$' "$scratch/artefacts" || fail "no liblash.a is installed"
    while read -r file; do
        cmp "$file" "$scratch/another/folder/$file" || fail "$file is not the same"
        ! grep -q "$scratch" "$file" || fail "$file names the folder it was built in"
    done <"$scratch/artefacts"
    echo "$(wc -l <"$scratch/artefacts") files are the same"
    ;;
below)
    cmake -S "$source/tests/build/below" -B "$scratch/build" -DLASH="$source" $quick >"$scratch/log"
    cmake --build "$scratch/build" -j 2 >>"$scratch/log" 2>&1 || fail "$(tail -50 "$scratch/log")"
    "$scratch/build/consumer" "$source/examples/slider-crank.yaml"
    ;;
esac
