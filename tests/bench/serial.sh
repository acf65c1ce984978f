# The share of a step that one thread does alone, counted in instructions by callgrind on one thread, and the bound on the speed of two:
#   sh serial.sh <bench> [scene elements few-steps many-steps]
# Tasks that the workers share are called by eli_pool_run; all other instructions of elastica_world_step are serial. A scene runs twice, for a
# different number of steps: the difference belongs to steps only. Times of threads on a busy machine are no measure; these counts are repeatable.
set -eu

bench=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v valgrind >/dev/null || { echo "serial: valgrind is missing" >&2 && exit 2; }

counted() { # scene elements steps: instructions of all steps, and of shared tasks
  valgrind --tool=callgrind --callgrind-out-file="$scratch/out" "$bench" --isa avx2 --size "$2" --steps "$3" "$1" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log" && return 1; }
  callgrind_annotate --inclusive=yes --threshold=100 "$scratch/out" | awk '
    /:elastica_world_step \[/ { gsub(",", "", $1); all += $1 }
    /:eli_pool_run \[/ { gsub(",", "", $1); shared += $1 }
    END { printf "%.0f %.0f\n", all, shared }'
}

if [ $# = 4 ]; then
  echo "$1 $2 $3 $4"
else
  echo 'many_rods 10000 64 192
many_short 10000 64 192
joints 10000 64 192
pack 3000 64 192'
fi | while read -r scene elements few many; do
  less=$(counted "$scene" "$elements" "$few")
  more=$(counted "$scene" "$elements" "$many")
  echo "$scene $elements $less $more" | awk '{
    all = $5 - $3; alone = 1 - ($6 - $4) / all
    printf "serial %s n %d %.1f %% of the instructions, two threads at most %.2f times as fast\n", $1, $2, 100 * alone, 2 / (1 + alone) }'
done
