# A short run of the benchmark, its table and its image by gnuplot; and its messages about bad command lines:
#   check.sh <bench> <gnuplot>|none <scratch folder>
# Times are not judged here: the peak of the processor is measured while other tests run, so a rate may exceed it.
set -eu

bench=$1 gnuplot=$2 folder=$3 script=$(dirname "$0")/roofline.gp

die() {
  echo "$*"
  exit 1
}

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

"$bench" --quick --csv table.csv passive loaded_rescaled slithering self_contact crossing many_rods many_short >said 2>&1 || die "bench fails: $(cat said)"
cat said
awk '
  /^peak / { next }
  /^ratio / { if (!($5 > 0 && $8 > 0)) bad = bad "\n" $0; next }
  /^exponent / { if (!($3 > 0.5 && $3 < 2)) bad = bad "\n" $0; next }
  /^contacts / { if (!($6 > 0 && $8 > 0)) bad = bad "\n" $0; touching++; next }
  /^all_pairs / { if (!($6 > 0 && $8 > 0 && $10 > 1 && $11 > 0)) bad = bad "\n" $0; next }
  /^steps / { if (!($9 > 0 && $11 > 0 && $13 > 0 && $15 >= 0)) bad = bad "\n" $0; same++; next }
  /^bench / { if (!($6 > 0 && $8 > 8 && $12 > 0 && $14 > 0 && $14 < 2)) bad = bad "\n" $0; lines++; next }
  { bad = bad "\n" $0 }
  END { if (bad != "" || lines < 11 || touching != 1 || same != 1) { print lines + 0 " lines; not as they should be:" bad; exit 1 } }' said
awk -F, 'NF != 11 { exit 1 }' table.csv || die "table.csv has a row without 11 columns"
[ "$(wc -l <table.csv)" = "$(($(grep -c '^bench ' said) + 1))" ] || die "table.csv has not a row for each line"

"$bench" --quick --snapshots --size 10 passive >said 2>&1 || die "bench --snapshots fails: $(cat said)"
"$bench" --quick --statics --size 10 passive >listed 2>&1 || die "bench --statics fails: $(cat listed)"
awk '/^statics / { if (!($5 > 0 && $8 > 0 && $10 > 0 && $13 > 0 && $16 > 0)) exit 1; lines++ } END { exit lines != 3 }' listed || die "bench --statics says: $(cat listed)"
awk '/^snapshot / { if (!($5 > 200 * $3 && $7 > 0 && $10 > 0)) exit 1; lines++ } END { exit lines != 3 }' said || die "bench --snapshots says: $(cat said)"

"$bench" --isa base --workers 2 --size 30 --steps 64 passive many_short >said 2>&1 || die "bench --steps fails: $(cat said)"
[ ! -s said ] || die "bench --steps says: $(cat said)"

"$bench" --statics --size 30 --steps 2 >said 2>&1 || die "bench --statics --steps fails: $(cat said)"
[ ! -s said ] || die "bench --statics --steps says: $(cat said)"

for words in "--isa none" "--workers 0" "--workers 1x" "--size" "--steps -1" "--csv no/such/folder" "--steps 64 --csv unwritten.csv" "--none" "no_such_scene" "many_rods --size 30"; do
  status=0
  "$bench" $words >said 2>&1 || status=$?
  [ "$status" = 2 ] || die "bench $words ends with $status"
  [ "$(wc -l <said)" = 1 ] && grep -q '^bench: .*--help' said || die "bench $words says: $(cat said)"
done

[ "$gnuplot" != none ] || exit 0
"$gnuplot" -e "table='table.csv'; image='roofline.png'" "$script" >said 2>&1 || die "gnuplot fails: $(cat said)"
[ ! -s said ] || die "gnuplot says: $(cat said)"
[ "$(wc -c <roofline.png)" -gt 20000 ] || die "roofline.png is blank"
