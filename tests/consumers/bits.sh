#!/bin/sh
# The same bits from every compiler, optimisation level and instruction set: builds tests/bits.c with the library's sources in one way, and runs
# the program with each instruction set; it compares its hashes with those stored in tests/scenes.h.
#
#   bits.sh COMPILER FLAG ...
#
# Environment: SOURCE folder of the library, WORK folder.
set -eu

name=$(echo "$*" | tr -cs 'A-Za-z0-9' _)
mkdir -p "$WORK"
cd "$SOURCE"

# The library disables contraction itself; the arithmetic of the scenes needs the flag, like that of a user.
flags="-std=c11 -fno-math-errno -fno-trapping-math -Iinclude -Isrc -Itests"
# shellcheck disable=SC2086 # lists of flags and files
"$@" $flags -ffp-contract=off -DTESTS_WITHOUT_CMOCKA -c tests/bits.c -o "$WORK/$name.o"
# shellcheck disable=SC2086
"$@" $flags src/*/*.c "$WORK/$name.o" -lm -pthread -o "$WORK/$name"

failed=0
for set in 0 1 2 3 4; do # 0: the widest, 1: the compiler's own
  status=0
  "$WORK/$name" $set || status=$?
  if [ $status = 0 ]; then
    echo "instruction set $set: the stored bits"
  elif [ $status = 2 ] && [ $set -ge 2 ]; then
    echo "instruction set $set: not there"
  else
    echo "FAILED: with instruction set $set the program ends with status $status"
    failed=1
  fi
done
exit $failed
