#!/bin/sh
# Builds everything and runs the tests: sh tests/run.sh [options of ctest]
#
# As root, or where sudo asks for no password, missing packages are installed; else the line that installs them is printed.
# sh tests/run.sh -LE 'consumer|bits' leaves out what builds the library anew, which takes longest.
set -eu
cd "$(dirname "$0")/.."

missing=
has() { command -v "$1" >/dev/null 2>&1; }
{ has cc || has gcc || has clang; } && has make || missing="$missing build-essential"
has cmake || missing="$missing cmake"
{ echo '#include <stdarg.h>' && echo '#include <stddef.h>' && echo '#include <setjmp.h>' && echo '#include <stdint.h>' && echo '#include <cmocka.h>'; } |
  cc -E -x c - >/dev/null 2>&1 || missing="$missing libcmocka-dev"

if [ -n "$missing" ]; then
  admin=
  if [ "$(id -u)" != 0 ]; then
    if has sudo && sudo -n true 2>/dev/null; then admin="sudo -n"; else admin=none; fi
  fi
  if ! has apt-get; then
    echo "These are missing: a C compiler, make, cmake and cmocka. On macOS: xcode-select --install && brew install cmake cmocka"
    exit 1
  fi
  if [ "$admin" = none ]; then
    echo "Packages are missing. Run as root, then this again:"
    echo "  apt-get update && apt-get install -y --no-install-recommends$missing"
    exit 1
  fi
  $admin apt-get update -q
  # shellcheck disable=SC2086
  $admin env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
fi

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
cmake -S . -B build -DELASTICA_BUILD_TESTS=ON
cmake --build build -j "$jobs"
ctest --test-dir build -j "$jobs" --output-on-failure "$@"
