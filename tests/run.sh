#!/bin/sh
# Builds everything and runs the tests: sh tests/run.sh [options of ctest]
#
# As root, or if sudo needs no password, missing packages are installed; otherwise the command for it is printed.
# sh tests/run.sh -LE 'consumer|bits' leaves out the tests that build the library again, which take longest; with the environment variable
# ELASTICA_TESTS_EXTENT=whole more tests run, which take minutes.
set -eu
cd "$(dirname "$0")/.."

sh .ci/packages.sh build-essential:cc,gcc,clang build-essential:make cmake:cmake libcmocka-dev:cmocka.h

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
cmake -S . -B build -DELASTICA_BUILD_TESTS=ON -DELASTICA_TESTS_EXTENT="${ELASTICA_TESTS_EXTENT:-usual}"
cmake --build build -j "$jobs"
ctest --test-dir build -j "$jobs" --output-on-failure "$@"
