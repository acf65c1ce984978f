#!/bin/sh
# The same bits from every compiler, optimisation level and instruction set: builds tests/bits.c with the library's sources in one way, runs
# the program with each instruction set, and compares its hashes with those stored in tests/scenes.h.
#
#   bits.sh COMPILER FLAG ...
#
# Environment: SOURCE folder of the library, WORK folder, CMOCKA_INCLUDE folder and CMOCKA_LIBRARY file.
set -eu

name=$(echo "$*" | tr -cs 'A-Za-z0-9' _)
mkdir -p "$WORK"
cd "$SOURCE"

# "name hash" of each scene, in the format of the program; and its output if the processor or the build lacks the instruction set.
sed -nE 's/^ *\{"([a-z_]+)", .*UINT64_C\((0x[0-9a-f]+)\)\},$/\1 \2/p' tests/scenes.h >"$WORK/$name.stored"
sed 's/0x.*/0x0000000000000000/' "$WORK/$name.stored" >"$WORK/$name.missing"
[ -s "$WORK/$name.stored" ] || {
  echo "no hashes in tests/scenes.h"
  exit 1
}

# The library disables contraction itself; the arithmetic of the scenes needs the flag, like that of a user.
flags="-std=c11 -fno-math-errno -fno-trapping-math -Iinclude -Isrc -Itests"
# shellcheck disable=SC2086 # lists of flags and files
"$@" $flags -ffp-contract=off -isystem "$CMOCKA_INCLUDE" -c tests/bits.c -o "$WORK/$name.o"
# shellcheck disable=SC2086
"$@" $flags src/*/*.c "$WORK/$name.o" "$CMOCKA_LIBRARY" -lm -pthread -o "$WORK/$name"

failed=0
for set in 0 1 2 3 4; do # 0: the widest, 1: the compiler's own
  "$WORK/$name" $set >"$WORK/$name.printed" || {
    echo "with instruction set $set the program ends with status $?"
    exit 1
  }
  if cmp -s "$WORK/$name.printed" "$WORK/$name.stored"; then
    echo "instruction set $set: the stored bits"
  elif [ $set -ge 2 ] && cmp -s "$WORK/$name.printed" "$WORK/$name.missing"; then
    echo "instruction set $set: not there"
  else
    echo "FAILED: with instruction set $set other hashes (>) than tests/scenes.h stores (<):"
    diff "$WORK/$name.stored" "$WORK/$name.printed" || failed=1
  fi
done
exit $failed
