#!/bin/sh
# Installs packages that are missing: sh .ci/packages.sh PACKAGE:TOOL ...
#
# A tool is a command, alternative commands separated by commas, a C header, or a module of Python with the ending .py; COMPILER:HEADER is a
# header that this compiler finds. As root, or if sudo needs no password, apt-get installs the packages of missing tools; otherwise the
# script prints the command for it, and fails.
set -eu

has() { # tool
  case $1 in
  *:*.h) echo "#include <${1#*:}>" | "${1%%:*}" -E -x c - >/dev/null 2>&1 ;;
  *.h) has "cc:$1" ;;
  *.py) /usr/bin/python3 -c "import ${1%.py}" >/dev/null 2>&1 ;;
  *)
    for command in $(echo "$1" | tr , ' '); do
      if command -v "$command" >/dev/null 2>&1; then return 0; fi
    done
    return 1
    ;;
  esac
}

missing=
for wanted; do
  has "${wanted#*:}" || missing="$missing ${wanted%%:*}"
done
if [ -z "$missing" ]; then exit 0; fi
missing=$(echo "$missing" | tr ' ' '\n' | sort -u | xargs)

if ! command -v apt-get >/dev/null 2>&1; then
  echo "These packages of Debian, or what they have, are missing: $missing"
  echo "On macOS: xcode-select --install && brew install cmake cmocka gnuplot"
  exit 1
fi
admin=
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null 2>&1 || ! sudo -n true 2>/dev/null; then
    echo "Packages are missing. Run as root, then this again:"
    echo "  apt-get update && apt-get install -y --no-install-recommends $missing"
    exit 1
  fi
  admin="sudo -n"
fi
$admin apt-get update -q
# shellcheck disable=SC2086 # a list
$admin env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
