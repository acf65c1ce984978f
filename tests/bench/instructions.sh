# Counts the instructions of a step with callgrind, and compares them with the counts in instructions.txt:
#   sh instructions.sh <bench>            fails when a scene takes 3 % more than the stored count
#   sh instructions.sh <bench> --store    stores the counts
# A scene runs twice, for a different number of steps: the difference belongs to steps only. A step of `statics` is an equilibrium with ten modes;
# of `relax` an evaluation on the way to an equilibrium without modes, which takes four; of `implicit` an iteration of Newton's method, and
# of `implicit_rods` one of 200 alike rods. Counts depend on the compiler, so they are compared only for the compiler of the stored counts.
# bench must be a Release build by that compiler with all instruction sets.
set -eu

bench=$1 mode=${2:-} stored=$(dirname "$0")/instructions.txt
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Scene, elements, two numbers of steps with a difference of whole intervals of 64, and the parts of each step if it has parts.
scenes='passive 100 64 1088
loaded 100 64 1088
slithering 100 64 1088
self_contact 100 64 1088
many_short 10000 64 128
statics 1000 1 3
relax 1000 1 3 4
implicit 1000 4 24 4
implicit_rods 2000 2 6 4'

case ${mode:-compare} in
compare | --store) ;;
*) echo "instructions: '$mode' is neither --store nor nothing" >&2 && exit 2 ;;
esac
command -v valgrind >/dev/null || { echo "instructions: valgrind is missing" >&2 && exit 2; }
compiler=$(readelf -p .comment "$bench" | sed -n 's/^ *\[[^]]*\] *//p' | sort | paste -sd, -)

collected() { # scene elements steps
  what=$1 size=$2 rods=1
  case $what in
  statics | relax | implicit) what=--$what ;;
  implicit_rods) what=--implicit rods=200 size=$(($2 / 200)) ;;
  esac
  valgrind --tool=callgrind --callgrind-out-file=/dev/null \
    "$bench" --isa avx2 --rods "$rods" --size "$size" --steps "$3" "$what" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log" && return 1; }
  awk '/ Collected : / { print $NF }' "$scratch/log"
}

echo "$scenes" | while read -r scene elements few many parts; do
  less=$(collected "$scene" "$elements" "$few")
  more=$(collected "$scene" "$elements" "$many")
  echo "$scene $elements $more $less $(((many - few) * ${parts:-1}))" | awk '{ printf "%s %d %.2f\n", $1, $2, ($3 - $4) / $2 / $5 }'
done >"$scratch/counts"
[ "$(wc -l <"$scratch/counts")" = 9 ] || { echo "instructions: not all scenes were counted" && cat "$scratch/counts" && exit 1; }

if [ "$mode" = --store ]; then
  {
    echo "# Instructions for each element and step with AVX2: scene, elements, count. A step of statics: relaxation and ten modes; of relax: an evaluation; of implicit: an iteration; of implicit_rods: of 200 rods. Made by instructions.sh --store."
    echo "# compiler $compiler"
    cat "$scratch/counts"
  } >"$stored"
  cat "$stored"
  exit 0
fi

same=1
if [ "$(sed -n 's/^# compiler //p' "$stored")" != "$compiler" ]; then
  echo "INFO the stored counts are of another compiler ($(sed -n 's/^# compiler //p' "$stored")) than these ($compiler): nothing is judged"
  same=0
fi
awk -v same=$same '
  /^#/ { next }
  FNR == NR { stored[$1] = $3; next }
  {
    change = 100 * ($3 / stored[$1] - 1)
    verdict = !same ? "INFO" : change > 3 ? "FAIL" : change < -3 ? "PASS, better: store anew (--store)" : "PASS"
    printf "instructions %s n %d %.2f stored %.2f change %+.2f %% %s\n", $1, $2, $3, stored[$1], change, verdict
    if (verdict == "FAIL") status = 1
  }
  END { exit status }' "$stored" "$scratch/counts"
