# The search of optimise_design on threads, killed and resumed: the same result; and a single evaluation, also by GNU parallel.
#   optimise_design.sh <optimise_design> <scratch folder>
set -eu

program=$1 folder=$2
search="--quick --generations 40" # so many that there is time to kill it in between

die() {
  echo "$*"
  exit 1
}

# The first line of the state contains the number of kept generations.
rows() {
  sed -n '1s/.* rows \([0-9]*\) .*/\1/p' state.snake_2 2>/dev/null || true
}

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$program" $search >plain.log || die "optimise_design fails"
grep '^result ' plain.log >expected
"$program" $search --threads 3 | grep '^result ' | diff expected - || die "three threads: other results"

"$program" $search --state state >killed.log 2>&1 &
process=$!
while [ "$(rows)0" -lt 40 ]; do
  sleep 0.05
  kill -0 $process 2>/dev/null || break
done
kill -9 $process 2>/dev/null || true
if wait $process; then die "it ended before it was killed"; fi
echo "killed after $(rows) generations"
"$program" $search --state state | grep '^result ' | diff expected - || die "resumed: other results"
if "$program" $search --seed 2 --state state >other.log 2>&1; then die "the state of another seed is taken"; fi
grep -q 'state.snake_2: .*seed' other.log || die "file and seed are not named: $(cat other.log)"

# One evaluation: objective in the last line; status 2 for numbers outside the box, 3 for a design that fails.
design=4,39,22.96,0.04,33,39,20.95,0.32,23,33,9.51,0.23,61,33,13.7,0.6
"$program" snake --design $design >design.log
tail -n 1 design.log | grep -qx 'objective 0\.5[67][0-9]*' || die "objective: $(tail -n 1 design.log)"
grep '^result \|^objective ' design.log >design.expected
echo $design | tr , '\n' | "$program" snake --design - | grep '^result \|^objective ' | diff design.expected - || die "standard input: another objective"
for wrong in "snake 4,39,22.96" "snake 4,39,22.96,0.04,1" "snake 71,39,22.96,0.04" "snake 4,39,much,0.04" "walker 0.3,2.8" "flagella 0.4,20,3,0.5"; do
  status=0
  "$program" ${wrong% *} --design ${wrong#* } >wrong.log 2>&1 || status=$?
  [ $status = 2 ] || die "$wrong ends with $status"
done
status=0
"$program" snake --design $design --dt 0.01 >wrong.log 2>&1 || status=$?
[ $status = 3 ] || die "a step far beyond the limit ends with $status"

# GNU parallel reads a table of designs, one per line, and keeps their order.
if command -v parallel >/dev/null; then
  printf '%s\n' 4,39,22.96,0.04 $design >table
  parallel --will-cite --keep-order "$program snake --design {} | tail -n 1" <table >objectives || die "parallel: $?"
  [ "$(wc -l <objectives)" = 2 ] || die "parallel: $(cat objectives)"
  [ "$(tail -n 1 design.log)" = "$(tail -n 1 objectives)" ] || die "parallel gives another objective"
fi
