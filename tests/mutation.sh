#!/bin/sh
# Tests the tests: changes one operator, sign, constant or index of the library at a time, and counts the changes that no test notices.
#
#   mutation.sh FOLDER COUNT SEED [FILE ...]
#
# Takes a sample of COUNT changes, which SEED determines, in all files of src or in the given ones, and runs the tests of the folder of the
# changed file, then the conformance tests. Prints every change that survives. A change whose object code is that of the original is left out,
# as is one that does not compile, and one that mutation_equivalents.txt shows to be equivalent. The build in FOLDER (made if it is missing)
# has the kernels of the base set and short claims.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd) count=$2 seed=$3
shift 3
cd "$here"
if [ $# = 0 ]; then set -- $(ls src/*/*.c src/kernels/*.inl | grep -vE 'output/viewer|kernels/kernels_'); fi
compiler=${CC:-cc}
flags="-O1 -march=native -UELI_ASSERTS"

if [ ! -e "$work/build/tests/tests_world" ]; then
  cmake -S . -B "$work/build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS_DEBUG="$flags" -DELASTICA_SIMD=BASE \
    -DELASTICA_BUILD_EXAMPLES=OFF -DELASTICA_TESTS_EXTENT=brief >"$work/build.log"
  cmake --build "$work/build" -j "$(getconf _NPROCESSORS_ONLN)" --target elastica_tests >>"$work/build.log"
fi

# file:line:column:old:new of each possible change; comments, strings, and lines of the preprocessor are left out.
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
      offer(start + RSTART, value, value + 1)
    }
    for (start = 1; match(substr(line, start), /\[[a-z]\]/); start += RSTART + RLENGTH - 1)
      offer(start + RSTART - 1, substr(line, start + RSTART - 1, 3), "[" substr(line, start + RSTART, 1) " + 1]")
  }' "$@" >"$work/all"

# A shuffled list: invalid and equivalent changes are replaced by later ones.
awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' "$work/all" | sort -n | cut -f 2- >"$work/shuffled"

groups_of() { # file of src
  case $1 in
  src/base/* | src/rod/law.h) echo base conformance ;;
  src/slab/* | src/rod/* | src/state/*) echo rod body world conformance ;;
  src/contact/* | src/effects/contact* | src/effects/body_contact*) echo contact conformance ;;
  src/effects/joint* | src/effects/tendon* | src/effects/anchor*) echo pairs conformance ;;
  src/effects/*obstacle* | src/effects/*layer* | src/effects/mesh* | src/effects/solid* | src/effects/tube*) echo obstacles conformance ;;
  src/effects/*) echo effects conformance ;;
  src/kernels/*) echo step effects contact conformance ;;
  src/snapshot/* | src/output/snapshot*) echo snapshot conformance ;;
  src/step/*) echo step step_limit conformance ;;
  src/statics/*) echo statics conformance ;;
  src/implicit/*) echo implicit conformance ;;
  src/search/*) echo search ;;
  src/output/*) echo output ;;
  src/world/*) echo check world rod conformance ;;
  *) echo world conformance ;;
  esac
}

compile() { # source, object
  $compiler -std=c11 $flags -w -ffp-contract=off -DELI_ONLY_BASE -Iinclude -Isrc -iquote src/kernels -c "$1" -o "$2" 2>/dev/null
}

# Runs the files of a group one by one until one fails: first those named after the changed file, then the others, fastest first. The times are
# those of the unchanged program; they are stored.
run_file() { # program, test file, most seconds
  (cd "$work" && ulimit -c 0 && CMOCKA_TEST_ABORT=1 timeout "$3" "$1" "$2" >/dev/null 2>&1)
}

measure_group() { # group
  if [ -e "$work/milliseconds.$1" ]; then return; fi
  program=$work/build/tests/tests_$1
  for test in $("$program" --list | cut -d ' ' -f 1 | uniq); do
    began=$(date +%s%N)
    run_file "$program" "$test" 600 || {
      echo "$test fails without any change"
      exit 1
    }
    echo "$((($(date +%s%N) - began) / 1000000)) $test"
  done >"$work/measured"
  sort -n "$work/measured" >"$work/milliseconds.$1"
}

run_group() { # group, program, changed file
  subject=$(basename "$3" | sed 's/\..*//')
  for entry in $(awk -v subject="$subject" '{ print (index($2, subject) ? 0 : 1), NR, $1, $2 }' "$work/milliseconds.$1" | sort -n -k 1,1 -k 2,2 | cut -d ' ' -f 3- | tr ' ' ,); do
    run_file "$2" "${entry#*,}" $((${entry%,*} / 200 + 10)) || return 1
  done
}

trimmed() { # line, file
  sed -n "$1{s/^ *//;p}" "$2"
}

tried=0 killed=0
while IFS="$(printf '\t')" read -r file line column old new; do
  [ "$tried" -lt "$count" ] || break
  rm -rf "$work/src"
  cp -r src "$work/src"
  awk -v line="$line" -v column="$column" -v old="$old" -v new="$new" '
    FNR == line { $0 = substr($0, 1, column - 1) new substr($0, column + length(old)) } { print }' "$file" >"$work/$file"
  if grep -qxF "$file: $(trimmed "$line" "$work/$file")" tests/mutation_equivalents.txt; then continue; fi
  case $file in *.inl) unit=src/kernels/kernels_base.c ;; *) unit=$file ;; esac
  compile "$unit" "$work/original.o"
  (cd "$work" && ln -sfn "$here/include" include && compile "$unit" changed.o) || continue
  if cmp -s "$work/original.o" "$work/changed.o"; then continue; fi
  tried=$((tried + 1)) verdict=survives
  cp "$work/build/libelastica.a" "$work/libelastica.a"
  cp "$work/changed.o" "$work/$(basename "$unit").o"
  ar r "$work/libelastica.a" "$work/$(basename "$unit").o"
  for group in $(groups_of "$file"); do
    measure_group "$group"
    (cd "$work/build/tests" && sed "s# -o [^ ]*# -o $work/changed#; s#[^ ]*libelastica\.a#$work/libelastica.a#" "CMakeFiles/tests_$group.dir/link.txt" | sh)
    if ! run_group "$group" "$work/changed" "$file"; then
      verdict=$group
      break
    fi
  done
  if [ $verdict = survives ]; then
    echo "survives: $file:$line: $(trimmed "$line" "$file")"
    echo "      as: $file: $(trimmed "$line" "$work/$file")"
  else
    killed=$((killed + 1))
  fi
done <"$work/shuffled"
echo "INFO mutation: $killed of $tried changes are noticed (seed $seed)"
