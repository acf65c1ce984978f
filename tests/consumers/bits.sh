#!/bin/sh
# The same bits from every compiler, optimisation level and instruction set: builds tests/bits.c with the library's sources in many ways, runs
# each program once per instruction set, and compares the hashes that it prints with one another and with those stored in tests/scenes.h.
#
# Environment: SOURCE folder of the library, WORK folder, CMOCKA_INCLUDE folder and CMOCKA_LIBRARY file.
set -eu

ways() {
  echo gcc -O0
  echo gcc -O3
  echo gcc -O3 -march=native
  echo gcc -O3 -DELI_ONLY_BASE
  if command -v clang >/dev/null; then
    echo clang -O0
    echo clang -O3
    echo clang -O3 -march=native
  fi
}

# Leaves 0 to 3.txt, what the program prints for each instruction set (0: the widest), or the file trouble.
build_and_run() { # folder, compiler and flags
  out=$1
  shift
  mkdir -p "$out"
  cd "$SOURCE"
  flags="-std=c11 -fno-math-errno -fno-trapping-math -Iinclude -Isrc -Itests"
  # The library turns contraction off by itself; the scene's own arithmetic needs the flag, as a user's would.
  # shellcheck disable=SC2086 # a list of flags
  if ! "$@" $flags -ffp-contract=off -isystem "$CMOCKA_INCLUDE" -c tests/bits.c -o "$out/bits.o" 2>"$out/log" ||
    ! "$@" $flags src/*/*.c "$out/bits.o" "$CMOCKA_LIBRARY" -lm -o "$out/bits" 2>>"$out/log"; then
    echo "does not compile" >"$out/trouble"
    return
  fi
  for set in 0 1 2 3; do
    "$out/bits" $set >"$out/$set.txt" 2>>"$out/log" || echo "with instruction set $set the program ends with status $?" >>"$out/trouble"
  done
}

# A sentence if something is wrong with what build_and_run left. An instruction set that is not there prints zeros.
judge() { # folder
  if [ -f "$1/trouble" ]; then
    cat "$1/trouble"
  elif [ ! -s "$1/0.txt" ]; then
    echo "prints nothing"
  elif ! cmp -s "$WORK/1/0.txt" "$1/0.txt"; then
    echo "prints other hashes than gcc -O0:" && cat "$1/0.txt"
  else
    for set in 1 2 3; do
      if grep -qv ' 0x0000000000000000$' "$1/$set.txt" && ! cmp -s "$1/0.txt" "$1/$set.txt"; then
        echo "prints other hashes with instruction set $set than with the widest:" && cat "$1/$set.txt"
      fi
    done
  fi
}

if [ "${1-}" = one ]; then
  shift
  build_and_run "$@"
  exit 0
fi

rm -rf "$WORK"
mkdir -p "$WORK"
ways >"$WORK/ways"
awk -v work="$WORK" '{ print "one", work "/" NR, $0 }' "$WORK/ways" | xargs -P 2 -L 1 sh "$0"

failed=0
number=0
while read -r way; do
  number=$((number + 1))
  trouble=$(judge "$WORK/$number")
  if [ -z "$trouble" ]; then
    echo "same bits: $way"
  else
    failed=1
    echo "FAILED: $way: $trouble"
    head -n 30 "$WORK/$number/log"
  fi
done <"$WORK/ways"

echo "gcc -O0 prints:"
cat "$WORK/1/0.txt"
while read -r scene hash; do
  if ! grep -qiF "$hash" "$SOURCE/tests/scenes.h"; then
    failed=1
    echo "FAILED: $hash is not the hash of $scene that tests/scenes.h stores"
  fi
done <"$WORK/1/0.txt"
exit $failed
