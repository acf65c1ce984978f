#!/bin/sh
# The same bits from every compiler, optimisation level, instruction set, number of threads and size of tiles: builds tests/bits.c with the
# library's sources in one way, and runs the program; it compares its hashes with those stored in tests/scenes.h and tests/varied_scenes.h.
#
#   bits.sh [--all | --store] COMPILER FLAG ...
#
# --all takes each instruction set with 1, 2, 3 and 8 threads and tiles of 7, 64 and 512 slots, otherwise one of these combinations each;
# --store writes the hashes of this build into the two files instead, after an intended change. A missing set is a line with SKIP.
#
# Environment: WORK folder, by default a temporary one.
set -eu

ways="0:1:256 1:2:64 2:3:7 3:8:512 4:2:7" # instruction set (0: the widest, 1: the compiler's own), threads, tiles
store=0
case $1 in
--all)
  ways=
  for set in 1 2 3 4; do
    for workers in 1 2 3 8; do ways="$ways $set:$workers:7 $set:$workers:64 $set:$workers:512"; done
  done
  shift
  ;;
--store)
  ways=1:1:256
  store=1
  shift
  ;;
esac

cd "$(dirname "$0")/../.."
if [ -z "${WORK:-}" ]; then
  WORK=$(mktemp -d)
  trap 'rm -rf "$WORK"' EXIT
fi
mkdir -p "$WORK"
name=$(echo "$*" | tr -cs 'A-Za-z0-9' _)

# The library disables contraction itself; the arithmetic of the scenes needs the flag, like that of a user.
flags="-std=c11 -fno-math-errno -fno-trapping-math -Iinclude -Isrc -Itests"
# shellcheck disable=SC2086 # lists of flags and files
"$@" $flags -ffp-contract=off -DTESTS_WITHOUT_CMOCKA -c tests/bits.c -o "$WORK/$name.o"
# shellcheck disable=SC2086
"$@" $flags src/*/*.c "$WORK/$name.o" -lm -pthread -o "$WORK/$name"

failed=0 missing=
for way in $ways; do
  set=${way%%:*}
  if [ "$set" = "$missing" ]; then continue; fi
  case $set in
  0) text="the widest set" ;;
  1) text="the base set" ;;
  2) text=AVX2 ;;
  3) text=AVX-512 ;;
  4) text=FMA ;;
  esac
  text="$*, $text"
  status=0
  # shellcheck disable=SC2046 # set, threads, tiles
  "$WORK/$name" $(echo "$way" | tr : ' ') >"$WORK/$name.printed" || status=$?
  if [ $status = 77 ] && [ "$set" -ge 2 ]; then
    echo "INFO $text: SKIP, the processor or the build lacks the set"
    missing=$set
  elif [ $status -gt 1 ]; then
    echo "FAILED: $text, threads and tiles ${way#*:}: the program ends with status $status"
    exit 1
  elif [ $store = 1 ]; then
    while read -r scene hash _; do
      sed -i -E "s/^( *\{\"$scene\", .*UINT64_C\()0x[0-9a-f]+/\1${hash%,}/" tests/scenes.h tests/varied_scenes.h
    done <"$WORK/$name.printed"
  elif [ $status = 0 ]; then
    echo "$text, threads and tiles ${way#*:}: the stored bits"
  else
    echo "FAILED: $text, threads and tiles ${way#*:}: other hashes than the stored ones:"
    grep stored "$WORK/$name.printed"
    failed=1
  fi
done
exit $failed
