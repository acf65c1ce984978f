#!/bin/sh
# Builds everything and runs the tests: sh tests/run.sh [options of ctest]
#
# As root, or where sudo asks for no password, missing packages are installed; else the line that installs them is printed.
# sh tests/run.sh -LE 'consumer|bits' leaves out what builds the library anew, which takes longest.
set -eu
cd "$(dirname "$0")/.."

sh .ci/packages.sh build-essential:cc,gcc,clang build-essential:make cmake:cmake libcmocka-dev:cmocka.h

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
cmake -S . -B build -DELASTICA_BUILD_TESTS=ON
cmake --build build -j "$jobs"
ctest --test-dir build -j "$jobs" --output-on-failure "$@"
