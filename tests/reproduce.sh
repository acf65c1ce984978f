# Reports of reproduce about programs that pass, fail, break, or are missing: reproduce.sh <reproduce> <scratch folder>
# The programs are scripts beside a copy of reproduce; other tests cover the reports of the real programs.
set -eu

rm -rf "$2"
mkdir -p "$2"
cp "$1" "$2/reproduce"
cd "$2"

program() { # name, what it does after answering --help
  {
    echo '#!/bin/sh'
    echo 'case "$*" in *--help*) printf "  (no option)       short; 1 s\n  --full            long,\n                    very long; 2 min 30 s\n"; exit 0;; esac'
    echo 'echo run >>ran'
    echo 'case "$*" in *"--out "*) mkdir -p "${*##*--out }";; esac'
    echo "$2"
  } >"$1"
  chmod +x "$1"
  touch -t 200001010000 "$1" # older than any row
}

status=0
run() { # expected status, arguments of reproduce
  expected=$1
  shift
  status=0
  ./reproduce "$@" >out 2>err || status=$?
  if [ "$status" != "$expected" ]; then
    echo "reproduce $* ended with $status, not $expected"
    cat out err
    exit 1
  fi
}

has() { # file, pattern
  grep -qE -- "$2" "$1" || {
    echo "no '$2' in $1:"
    cat "$1"
    exit 1
  }
}

program cantilever 'echo "result tip computed 1.5 expected 1.25 tolerance 0.5 PASS"; echo "result speed computed 7 expected - tolerance - INFO"; sleep 0.2'
program axial_stretch 'echo "result load computed 1 expected 1 tolerance 0 PASS"'
program swimming 'echo "result fine computed 1 expected 1 tolerance 0.5 PASS"; echo "result speed computed 2 expected 1 tolerance 0.5 FAIL"; exit 1'
program vertical_oscillation 'echo "result a_first_maximum computed 2 expected 2 tolerance 0 PASS"; echo "result off_by computed nan expected 0 tolerance 1 FAIL"; exit 1'
program slithering 'echo "slithering: UNSTABLE_STEP: the reason" >&2; exit 3'
program solenoid 'echo "result turns computed 1 expected 1 tolerance 0.5 PASS"; exit 1'
program plectoneme 'exit 0'
program timings 'kill -SEGV $$'
program helical_buckling 'exec sleep 100'

# All pass: rows in the order of the paper, for any order of their ends.
run 0 axial_stretch cantilever
has out '^cantilever +5 +tip +1\.5 +1\.25 +1/1 PASS +default'
has out '2 of 2 systems pass, 2 of 2 checks'
[ "$(grep -nE '^(cantilever|axial_stretch)' out | cut -d: -f2 | cut -c1-4 | tr '\n' ' ')" = 'cant axia ' ] || { cat out; exit 1; }

# The walker starts first: its scene is the first in the gallery.
program walker 'echo walker >>order; echo "result ring_at_0.12s computed 1 expected 1 tolerance 0 PASS"'
program catenary 'echo catenary >>order; echo "result span_0.8_sag computed 1 expected 1 tolerance 0 PASS"'
run 0 --threads 1 catenary walker
[ "$(tr '\n' ' ' <order)" = 'walker catenary ' ] || { cat order; exit 1; }

# Failed quantities are listed below the headline; --all lists every quantity.
run 1 swimming cantilever vertical_oscillation
has out '^swimming +11 +speed +2 +1 +1/2 FAIL'
has out '^vertical_oscillation +4 +a_first_maximum +2 +2 +1/2 FAIL'
has out '^ +off_by +nan +0 +FAIL'
program michell_buckling 'for k in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "result off_$k computed $k expected 0 tolerance 0.5 FAIL"; done; exit 1'
run 1 michell_buckling
[ "$(wc -l <out)" = 12 ] || { cat out; exit 1; }
has out '^ +and 3 more +FAIL'
run 0 --all cantilever
has out '^ +speed +7 +- +INFO'

# Broken and missing programs are named, with their messages.
run 3 slithering solenoid plectoneme timings euler_buckling cantilever
has err '^slithering: UNSTABLE_STEP: the reason'
has err '^solenoid: the exit status contradicts'
has err '^plectoneme: no result was checked'
has err '^timings: ended by signal 11'
has err '^euler_buckling: there is no such program'
has out '^euler_buckling .* missing'
has out '1 of 6 systems pass, 1 of 1 checks'

# Bad usage: one line, nothing written.
for words in nonsense --nonsense '--quick --full' '--threads 0' '--threads x' --threads --out '--out --quick'; do
  run 2 $words
  [ ! -s out ] && [ "$(wc -l <err)" = 1 ] || { cat out err; exit 1; }
done
run 0 --help
has out '^usage: reproduce'
run 0 --version
has out '^reproduce \(elastica [0-9.]+\)$'

# Full runs print their expected duration, and finished rows are kept, failed rows included.
rm -f ran
run 1 --full --out kept/here cantilever swimming
has out '^estimate, 2 at a time: about 2 min 30 s'
has kept/here/table.md '^\| cantilever \| 5 \| tip \| 1.5 \| 1.25 \| 1/1 \| PASS \| full \|'
has kept/here/table.csv '^cantilever,5,speed,7,-,-,INFO,full,'
has kept/here/index.html '<h2>cantilever</h2>.*1 of 1 pass'
has kept/here/index.html '<h2>swimming</h2>.*1 of 2 pass: see below'
[ "$(tail -n 1 out)" = 'the gallery: kept/here/index.html' ] || { cat out; exit 1; }
run 1 --full --out kept/here cantilever swimming
has out '^cantilever: from an earlier run'
[ "$(wc -l <ran)" = 2 ] || { echo "finished rows were computed again"; exit 1; }
touch -t 203801010000 cantilever
run 1 --full --out kept/here cantilever swimming
[ "$(wc -l <ran)" = 3 ] || { echo "a row older than its program was kept"; exit 1; }

# A run in another mode replaces the files, so the row is not kept.
run 0 --quick --out kept/here cantilever
run 0 --full --out kept/here cantilever
if grep 'from an earlier run' out; then echo "a row outlived its files"; exit 1; fi

# An interrupted run stops its programs and keeps finished rows.
./reproduce --full --out kept/there helical_buckling cantilever >out 2>err &
process=$!
for tenth in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  [ -e kept/there/cantilever/finished.txt ] || sleep 0.2
done
kill -TERM $process
wait $process && status=0 || status=$?
[ "$status" = 143 ] || { echo "an interrupted run ended with $status"; cat out err; exit 1; }
has err 'interrupted; the same command goes on'

# plot.gp draws every possible system, and ends with 1 if a system cannot be drawn.
if command -v gnuplot >/dev/null; then
  program cantilever 'echo "result tip computed 1 expected 1 tolerance 0 PASS"; echo "this is no script" >"$2/plot.gp"'
  program swimming 'echo "result tip computed 1 expected 1 tolerance 0 PASS"; echo "set print \"drawn\"; print 1" >"$2/plot.gp"'
  run 0 --out plots cantilever swimming
  (cd plots && gnuplot plot.gp) >out 2>err && status=0 || status=$?
  [ "$status" = 1 ] && [ -e plots/swimming/drawn ] || { echo "gnuplot ended with $status"; cat out err; exit 1; }
  has err '^not drawn: cantilever$'
  program cantilever 'echo "result tip computed 1 expected 1 tolerance 0 PASS"; echo >"$2/plot.gp"'
  run 0 --out plots cantilever swimming
  (cd plots && gnuplot plot.gp) || { echo "gnuplot ended with $?"; exit 1; }
fi

# A folder that cannot be created, and a full disk.
run 3 --out reproduce/x cantilever
if [ -e /dev/full ]; then
  ./reproduce cantilever >/dev/full 2>err && status=0 || status=$?
  [ "$status" = 3 ] || { echo "a full disk ends with $status"; exit 1; }
fi
echo "reproduce: ok"
