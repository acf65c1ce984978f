#!/bin/sh
# From a bare machine to a gallery of moving scenes: installs what is missing, builds, runs every program for a moment, and says where the page is.
#
#   sh examples/quickstart.sh
#
# As root, or where sudo asks for no password, packages are installed; else the line that installs them is printed. Everything goes to build/.
set -eu
cd "$(dirname "$0")/.."

missing=
has() { command -v "$1" >/dev/null 2>&1; }
{ has cc || has gcc || has clang; } && has make || missing="$missing build-essential"
has cmake || missing="$missing cmake"

if [ -n "$missing" ]; then
  admin=
  if [ "$(id -u)" != 0 ]; then
    if has sudo && sudo -n true 2>/dev/null; then admin="sudo -n"; else admin=none; fi
  fi
  if ! has apt-get; then
    echo "These are missing: a C compiler, make and cmake. On macOS: xcode-select --install && brew install cmake"
    exit 1
  fi
  install="apt-get update && apt-get install -y --no-install-recommends$missing"
  if [ "$admin" = none ]; then
    echo "Packages are missing. Run as root, then this again:"
    echo "  $install"
    exit 1
  fi
  $admin apt-get update -q
  # shellcheck disable=SC2086
  $admin env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
fi
has gnuplot || echo "Without gnuplot (package gnuplot-nox) the gallery has scenes, but no curves."

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
cmake -S . -B build -DELASTICA_BUILD_TESTS=OFF
cmake --build build -j "$jobs"
build/examples/reproduce --quick --out build/gallery --threads "$(($jobs < 32 ? jobs : 32))"
echo "Open $PWD/build/gallery/index.html in a browser."
