#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Installs a build into an empty prefix, makes a wheel of the Python package against it, without a network, and uses it
# from another place: tests/install/wheel.sh BUILD SOURCE SCRATCH PYTHON
set -eu
build=$1
source=$2
scratch=$3
python=$4
rm -rf "$scratch"
mkdir -p "$scratch/site"
cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/install.log"
PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name lash.pc)")
export PKG_CONFIG_PATH
# In a copy: setuptools leaves files where it works.
cp -r "$source/python" "$scratch/python"
# Optimising it as a whole would take minutes.
(cd "$scratch/python" && LDFLAGS=-fno-lto "$python" setup.py --quiet bdist_wheel --dist-dir "$scratch") >"$scratch/wheel.log" 2>&1 || {
    cat "$scratch/wheel.log" && exit 1
}
wheel=$(ls "$scratch"/*.whl)
case $wheel in
*/lash-*-cp311-abi3-linux_*.whl) ;;
*) echo "a wheel of another kind: $wheel" && exit 1 ;;
esac
"$python" -m zipfile -e "$wheel" "$scratch/site"
for file in py.typed _lash.abi3.so _model.py; do
    [ -e "$scratch/site/lash/$file" ] || { echo "not in the wheel: $file" && exit 1; }
done
version=$(pkg-config --modversion lash)
rm -rf "$scratch/python"
cd "$scratch/site"
said=$(PYTHONPATH=$scratch/site LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") "$python" -c "
import lash
assert lash.__file__.startswith('$scratch/site'), lash.__file__
r = lash.load('$source/examples/slider-crank.yaml').run(until='1 ms', samples=4)
print(lash.__version__, len(r.time), r.status)")
[ "$said" = "$version 5 STOP_END" ] || { echo "the wheel says: $said" && exit 1; }
metadata=$(cat "$scratch"/site/lash-*.dist-info/METADATA)
case $metadata in
*"Version: $version"*) ;;
*) echo "the wheel has another version: $metadata" && exit 1 ;;
esac
