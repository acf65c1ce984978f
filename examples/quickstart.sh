#!/bin/sh
# From a bare machine to a gallery of moving scenes: installs missing packages, builds, runs every program for a moment, and prints the path of the page.
#
#   sh examples/quickstart.sh
#
# As root, or if sudo needs no password, packages are installed; otherwise the command for it is printed. All files go to build/.
set -eu
cd "$(dirname "$0")/.."

sh .ci/packages.sh build-essential:cc,gcc,clang build-essential:make cmake:cmake
command -v gnuplot >/dev/null || echo "Without gnuplot (package gnuplot-nox) the gallery has scenes, but no curves."

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
cmake -S . -B build -DELASTICA_BUILD_TESTS=OFF
cmake --build build -j "$jobs"
build/examples/reproduce --quick --out build/gallery --threads "$(($jobs < 32 ? jobs : 32))"
echo "Open $PWD/build/gallery/index.html in a browser."
