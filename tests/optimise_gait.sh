# The search of optimise_gait, killed and resumed, on other numbers of threads and, with MPI, on ranks: the same result.
#   optimise_gait.sh <optimise_gait> <scratch folder> [<mpirun> <optimise_gait_mpi>]
set -eu

program=$1 folder=$2 mpirun=${3-} mpi=${4-}
search="--quick --generations 20" # so many that there is time to kill it in between

die() {
  echo "$*"
  exit 1
}

# Without the lines that depend on the clock.
results() {
  grep '^result ' "$1"
}

# Starts a command with a state, and kills it with SIGKILL once a few generations are kept; then runs it to its end.
interrupted() {
  name=$1
  shift
  rm -f "$name".state*
  "$@" --state "$name.state" >"$name.killed" 2>&1 &
  process=$!
  rows=0
  while [ "$rows" -lt 4 ]; do
    sleep 0.05
    rows=$(sed -n '1s/.* rows \([0-9]*\) .*/\1/p' "$name.state.swimmer" 2>/dev/null || true)
    rows=${rows:-0}
    kill -0 $process 2>/dev/null || break
  done
  kill -9 $process 2>/dev/null || true
  if wait $process; then die "$name ended before it was killed"; fi
  rows=$(sed -n '1s/.* rows \([0-9]*\) .*/\1/p' "$name.state.swimmer")
  echo "$name: killed after $rows generations"
  [ "$rows" -lt 20 ] || die "$name was killed too late"
  "$@" --state "$name.state" >"$name.log" || die "$name does not go on: $?"
}

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$program" $search >plain.log || die "optimise_gait fails"
results plain.log >expected

"$program" $search --threads 3 >threads.log
interrupted resumed "$program" $search
for name in threads resumed; do results $name.log | diff expected - || die "$name: other results"; done

# A search that has ended stops at once; a state of another search is refused, and so is a truncated state.
"$program" $search --state resumed.state >again.log
results again.log | diff expected - || die "a finished search goes on"
if "$program" $search --seed 2 --state resumed.state >other.log 2>&1; then die "the state of another seed is taken"; fi
grep -q 'resumed.state.swimmer: .*seed' other.log || die "file and seed are not named: $(cat other.log)"
mkfifo pipe.state.swimmer
if "$program" $search --state pipe.state >pipe.log 2>&1; then die "a pipe is taken for a state"; fi
grep -q 'pipe.state.swimmer: .*regular file' pipe.log || die "the pipe is not named: $(cat pipe.log)"
head -c 900 resumed.state.swimmer >cut.state.swimmer
if "$program" $search --state cut.state >cut.log 2>&1; then die "a state that was cut is taken"; fi

# One evaluation: five numbers, objective in the last line; status 2 for a text that is not a gait, 3 for a gait that blows up.
gait=50,50,50,50,2.6
"$program" --gait $gait >gait.log
tail -n 1 gait.log | grep -qx 'objective 0\.0542[0-9]*' || die "objective: $(tail -n 1 gait.log)"
echo $gait | "$program" --gait - | diff gait.log - || die "standard input gives another objective"
for wrong in 50,50,50,50 50,50,50,50,2.6,1 50,50,fifty,50,2.6 nan,0,0,0,0; do
  status=0
  "$program" --gait $wrong >wrong.log 2>&1 || status=$?
  [ $status = 2 ] || die "--gait $wrong ends with $status"
done
status=0
"$program" --snake --gait 5000,5000,5000,5000,3 >wrong.log 2>&1 || status=$?
[ $status = 3 ] || die "a gait that blows up ends with $status"

# GNU parallel reads a table of gaits, one per line, and keeps their order.
if command -v parallel >/dev/null; then
  printf '%s\n' 0,50,50,50,2.6 50,50,50,50,2.6 >table
  parallel --will-cite --keep-order "$program --gait {} | tail -n 1" <table >objectives || die "parallel: $?"
  [ "$(wc -l <objectives)" = 2 ] || die "parallel: $(cat objectives)"
  [ "$(tail -n 1 gait.log)" = "$(tail -n 1 objectives)" ] || die "parallel gives another objective"
fi

[ -n "$mpirun" ] || exit 0

on_ranks() {
  ranks=$1
  shift
  root=
  if [ "$(id -u)" = 0 ]; then root=--allow-run-as-root; fi
  OMPI_MCA_rmaps_base_oversubscribe=1 "$mpirun" $root --oversubscribe -n "$ranks" "$mpi" $search "$@"
}

for ranks in 1 2 4; do
  on_ranks $ranks >ranks.log || die "$ranks ranks end with $?"
  results ranks.log | diff expected - || die "$ranks ranks: other results"
done
if on_ranks 2 --no-such-option >wrong.log 2>&1; then die "a wrong option is taken"; fi

# A worker dies: the job ends with an error, and a new job continues from its state.
rm -f worker.state*
on_ranks 3 --state worker.state >worker.killed 2>&1 &
job=$!
rows=0
while [ "$rows" -lt 3 ]; do
  sleep 0.05
  rows=$(sed -n '1s/.* rows \([0-9]*\) .*/\1/p' worker.state.swimmer 2>/dev/null || true)
  rows=${rows:-0}
  kill -0 $job 2>/dev/null || break
done
for process in $(pgrep -f "^$mpi $search --state worker.state" || true); do
  if [ "$(tr '\0' '\n' </proc/$process/environ | sed -n 's/^OMPI_COMM_WORLD_RANK=//p')" = 1 ]; then kill -9 "$process"; fi
done
if wait $job; then die "the job ends well although a worker was killed"; fi
rows=$(sed -n '1s/.* rows \([0-9]*\) .*/\1/p' worker.state.swimmer)
echo "a worker killed after $rows generations"
[ "$rows" -lt 20 ] || die "the worker was killed too late"
on_ranks 3 --state worker.state >worker.log || die "after the death of a worker it does not go on: $?"
results worker.log | diff expected - || die "after the death of a worker: other results"
