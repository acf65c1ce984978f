#!/bin/sh
# Tests the tests: changes one operator, sign, constant or index of the library at a time, and counts the changes that no test notices.
#
#   mutation.sh FOLDER COUNT SEED [FILE ...]
#
# Takes a sample of COUNT changes, which SEED determines, in all files of src or in the given ones, and runs test files one by one until
# one fails: those of the part of the changed file, the conformance tests, and the fast ones of all other parts. Prints every change that
# survives. A change whose object code is that of the original is left out, as is one that does not compile, and one that
# mutation_equivalents.txt shows to be equivalent. FOLDER keeps the build, which has the kernels of the base set and short claims, and in
# the file killed a line for each killed change: a later run with the same seed tries the others again, with the tests of then; after a
# change of src remove the file. With SHARD=0/2 and SHARD=1/2 in the environment, two processes with the same FOLDER share a sample.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd) seed=$3 shard=${SHARD:-0/1}
mine=$work/shard_${shard%/*} count=$(($2 / ${shard#*/}))
rm -rf "$mine"
mkdir -p "$mine/original"
shift 3
cd "$here"
if [ $# = 0 ]; then set -- $(ls src/*/*.c src/kernels/*.inl | grep -vE 'output/viewer|kernels/kernels_'); fi
compiler=${CC:-cc}
flags="-O1 -march=native -UELI_ASSERTS"

if [ ! -e "$work/build/Makefile" ]; then
  cmake -S . -B "$work/build" -G "Unix Makefiles" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS_DEBUG="$flags" \
    -DELASTICA_SIMD=BASE -DELASTICA_BUILD_EXAMPLES=OFF -DELASTICA_TESTS_EXTENT=brief >"$work/build.log"
fi
flock "$work" cmake --build "$work/build" -j "$(getconf _NPROCESSORS_ONLN)" --target elastica_tests >>"$work/build.log"

# file:line:column:old:new of each possible change; comments, strings, lines of the preprocessor, and sizes of arrays are left out.
awk '
  function offer(at, old, new) { printf "%s\t%d\t%d\t%s\t%s\n", FILENAME, FNR, at, old, new }
  function blank(text, from, size) { return substr(text, 1, from - 1) sprintf("%" size "s", "") substr(text, from + size) }
  BEGIN {
    split(" + ; - ; * ; / ; < ; <= ; > ; >= ; == ; != ; && ; || ;return -;= -", old, ";")
    split(" - ; + ; / ; * ; <= ; < ; >= ; > ; != ; == ; || ; && ;return ;= ", new, ";")
  }
  FNR == 1 { inside = 0 }
  {
    line = $0
    if (inside) { if (line !~ /\*\//) next; sub(/^.*\*\//, "", line); inside = 0; if (line == "") next; next }
    if (line ~ /^[ \t]*#/) next
    while (match(line, /"([^"\\]|\\.)*"/)) line = blank(line, RSTART, RLENGTH)
    while (match(line, /\/\*([^*]|\*[^\/])*\*\//)) line = blank(line, RSTART, RLENGTH)
    if (at = index(line, "/*")) { inside = 1; line = substr(line, 1, at - 1) }
    if (line ~ /^(static|typedef|ELI_|[a-z_ ]+\**[a-z_]+\()/ || line ~ /(enum|assert\()/) next
    for (k in old) {
      for (start = 1; at = index(substr(line, start), old[k]); start += at) offer(start + at - 1, old[k], new[k])
    }
    for (start = 1; match(substr(line, start), /[^A-Za-z_0-9.][0-9]+\.[0-9]+/); start += RSTART + RLENGTH - 1) {
      value = substr(line, start + RSTART, RLENGTH - 1)
      offer(start + RSTART, value, value + 0 == 0 ? "0.02" : "(1.02 * " value ")")
    }
    for (start = 1; match(substr(line, start), /[^A-Za-z_0-9.][0-9]+[^A-Za-z_0-9.x]/); start += RSTART + RLENGTH - 2) {
      value = substr(line, start + RSTART, RLENGTH - 2)
      before = substr(line, 1, start + RSTART - 1)
      if (before !~ /^ *[a-z_]+ [^=(]*\[$/ || before ~ /^ *(return|else|case) /)
        offer(start + RSTART, value, before ~ /return $/ && value == 1 ? 0 : value + 1)
    }
    for (start = 1; match(substr(line, start), /\[[a-z]\]/); start += RSTART + RLENGTH - 1)
      offer(start + RSTART - 1, substr(line, start + RSTART - 1, 3), "[" substr(line, start + RSTART, 1) " + 1]")
  }' "$@" >"$mine/all"

# A shuffled list: invalid and equivalent changes are replaced by later ones.
awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' "$mine/all" | sort -n | cut -f 2- |
  awk -v shard="$shard" 'BEGIN { split(shard, of, "/") } NR % of[2] == of[1]' >"$mine/shuffled"

groups_of() { # file of src: the groups of tests that run first
  case $1 in
  src/base/record*) echo snapshot base conformance ;;
  src/base/* | src/rod/law.h) echo base system conformance ;;
  src/slab/* | src/rod/* | src/state/*) echo rod body world conformance ;;
  src/effects/body_contact*) echo body contact conformance ;;
  src/contact/* | src/effects/contact*) echo contact conformance ;;
  src/effects/joint* | src/effects/tendon* | src/effects/anchor*) echo pairs conformance ;;
  src/effects/*obstacle* | src/effects/*layer* | src/effects/mesh* | src/effects/solid* | src/effects/tube*) echo obstacles conformance ;;
  src/effects/*) echo effects conformance ;;
  src/kernels/fixed*) echo pairs conformance ;;
  src/kernels/tangent*) echo statics implicit ;;
  src/kernels/limit*) echo step_limit step conformance ;;
  src/kernels/wall* | src/kernels/friction*) echo obstacles step conformance ;;
  src/kernels/*) echo step effects contact conformance ;;
  src/snapshot/* | src/output/snapshot*) echo snapshot conformance ;;
  src/step/*) echo step step_limit conformance ;;
  src/statics/*) echo statics conformance ;;
  src/implicit/*) echo implicit conformance ;;
  src/search/*) echo search ;;
  src/output/*) echo output ;;
  src/world/*) echo check world rod conformance ;;
  src/hooks/*) echo world effects check conformance ;;
  *) echo world conformance ;;
  esac
}

# The limit is processor time, which does not depend on the load of the machine; a program that waits for ever stops after twenty times as
# long.
run_file() { # program, test file, limit [s]
  (cd "$mine" && ulimit -c 0 && ulimit -t "$3" && CMOCKA_TEST_ABORT=1 timeout -k 1 "$(($3 * 20))" "$1" "$2" || exit 1) >/dev/null 2>&1
}

# Milliseconds of processor time, group and name of each test file with the unchanged library.
if [ ! -e "$work/milliseconds" ]; then
  for program in "$work"/build/tests/tests_*; do
    group=${program##*/tests_}
    for test in $("$program" --list | cut -d ' ' -f 1 | uniq); do
      (run_file "$program" "$test" 600 && times) >"$mine/times" || {
        echo "$test fails without any change" >&2
        exit 1
      }
      tail -n 1 "$mine/times" | tr ms '  ' | awk -v test="$group $test" '{ print 1000 * (60 * ($1 + $3) + $2 + $4), test }'
    done
  done >"$mine/measured"
  sort -n "$mine/measured" >"$work/milliseconds"
fi

# The test files for a changed file, in the order of their cost over the chance that they notice the change: more for the files that have
# noticed changes of the same file or folder before, for the same name, and for the groups of its part. Costly files of other groups are
# left out.
order_of() { # changed file
  awk -v file="$1" -v groups=" $(groups_of "$1") " '
    BEGIN { FS = "\t"; folder = file; sub(/[^\/]*$/, "", folder); subject = substr(file, length(folder) + 1); sub(/\..*/, "", subject) }
    FILENAME ~ /killed$/ { chance[$6] += ($1 == file) * 20 + (index($1, folder) == 1) * 2; next }
    { split($0, test, " "); cost = test[1]; own = index(groups, " " test[2] " ") > 0; name = test[3] }
    own || cost <= 500 { print (cost + 20) / (1 + chance[name] + 10 * own + 100 * (index(name, subject) > 0)), cost, test[2], name }
  ' "$work/killed" "$work/milliseconds" | sort -n | cut -d ' ' -f 2-
}

# Runs the test files until one fails, and prints its name.
killer_of() { # changed file, objects
  rm -f "$mine"/tests_*
  order_of "$1" >"$mine/order"
  [ -s "$mine/order" ]
  while read -r cost group test; do
    if [ ! -e "$mine/tests_$group" ]; then # its members of the archive are not linked, because the objects have their symbols
      (cd "$work/build/tests" && sed "s# -o [^ ]*# -o $mine/tests_$group $2#" "CMakeFiles/tests_$group.dir/link.txt" | sh) </dev/null >&2
    fi
    run_file "$mine/tests_$group" "$test" $((${cost%.*} / 100 + 3)) </dev/null || {
      echo "$test"
      break
    }
  done <"$mine/order"
}

# An index outside an array is a trap: the usual tests notice it with sanitizers.
compile() { # folder that is searched before src, source, object
  $compiler -std=c11 $flags -w -ffp-contract=off -DELI_ONLY_BASE -fsanitize=bounds -fsanitize-undefined-trap-on-error -Iinclude \
    -I"$1" -Isrc -c "$2" -o "$3" 2>/dev/null
}

trimmed() { # line, file
  sed -n "$1{s/^ *//;p}" "$2"
}

tried=0 killed=0
touch "$work/killed"
while IFS="$(printf '\t')" read -r file line column old new; do
  [ "$tried" -lt "$count" ] || break
  key="$file	$line	$column	$old	$new"
  if grep -qF "$key	" "$work/killed"; then
    tried=$((tried + 1)) killed=$((killed + 1))
    continue
  fi
  rm -rf "$mine/src"
  mkdir -p "$mine/${file%/*}"
  awk -v line="$line" -v column="$column" -v old="$old" -v new="$new" '
    FNR == line { $0 = substr($0, 1, column - 1) new substr($0, column + length(old)) } { print }' "$file" >"$mine/$file"
  if grep -qxF "$file: $(trimmed "$line" "$mine/$file")" tests/mutation_equivalents.txt; then continue; fi
  case $file in *.c) unit=$file changed=$mine/$file ;; *) unit=src/kernels/kernels_base.c changed=$unit ;; esac
  original=$mine/original/$(basename "$unit").o
  [ -e "$original" ] || compile src "$unit" "$original"
  compile "$mine/src" "$changed" "$mine/changed.o" || continue
  if cmp -s "$original" "$mine/changed.o"; then continue; fi
  tried=$((tried + 1))
  killer=$(killer_of "$file" "$mine/changed.o")
  if [ -n "$killer" ]; then
    killed=$((killed + 1))
    printf '%s\t%s\n' "$key" "$killer" >>"$work/killed"
  else
    echo "survives: $file:$line: $(trimmed "$line" "$file")"
    echo "      as: $file: $(trimmed "$line" "$mine/$file")"
  fi
done <"$mine/shuffled"
echo "INFO mutation: $killed of $tried changes are noticed (seed $seed)"
