# A bundled program with --out: its results, its files, and its figure by gnuplot:
#   plots.sh <program> <gnuplot>|none <scratch folder> [options]
# All results must pass; a --dt that fits no piece of the run is refused; the folder has exactly the files of --help, from this run only; plot.gp draws
# without messages, and no graph is empty.
set -eu # EMULATOR: the command that runs a program for another system, if any

program=$1 gnuplot=$2 folder=$3 name=$(basename "$1" .exe)
shift 3

die() {
  echo "$*"
  exit 1
}

run() {
  status=0
  ${EMULATOR:-} "$program" "$@" --out "$folder" >"$folder.log" 2>&1 || status=$?
  cat "$folder.log"
  [ "$status" = 0 ] || die "$name $* ended with $status"
}

# The files of the help, one per line, frames as NAME_*.vtp, for the mode in $1.
promised() {
  ${EMULATOR:-} "$program" --help | tr -d '\r' | awk -v mode="$1" -v name="$name" '
    /^[^ ]/ { inside = 0 }
    inside && /^  [^ ]/ {
      if ((/^  [^ ]+ +not with --quick:/ && mode == "--quick") || (/^  [^ ]+ +only with --full:/ && mode != "--full")) next
      print $1
      if (sub(/\.pvd$/, "", $1)) print $1 "_*.vtp"
    }
    /^files of --out:/ { inside = 1 }'
}

# The existing files, with * for the numbers of a pattern of the help.
found() {
  for file in $(ls "$folder"); do
    while read -r pattern; do
      case $file in $pattern) file=$pattern ;; esac
    done <"$folder.promised"
    echo "$file"
  done
}

rm -rf "$folder"
mkdir -p "$folder"
mode=
for word in "$@"; do
  case $word in --quick | --full) mode=$word ;; esac
done
promised "$mode" | sort -u >"$folder.promised"

# Files of an earlier run with more frames and curves are removed, others remain.
promised --full | grep -v '^plot.gp$' | sed 's/_\*\.vtp$/_999999.vtp/; s/\*/7/' | while read -r stale; do echo stale >"$folder/$stale"; done
echo stale >"$folder/$name.png"
echo mine >"$folder/mine_000001.vtp"
echo mine >"$folder/notes.csv"
run "$@"
[ "$(cat "$folder/mine_000001.vtp" "$folder/notes.csv")" = "mine
mine" ] || die "$name removed what is not its own"
rm "$folder/mine_000001.vtp" "$folder/notes.csv"
if grep -lx stale "$folder"/*; then die "stale"; fi
found | sort -u >"$folder.found"
diff "$folder.promised" "$folder.found" || die "--help (<) and the folder (>) differ"
for file in "$folder"/*.csv; do
  [ "$(head -n 1 "$file" | awk -F, '{ for (k = 1; k <= NF; k++) if ($k !~ / \[.*\]$/) n++; print n + 0 }')" = 0 ] || die "$file: a column without a unit"
done

for page in "$folder"/*.html; do
  if [ -e "$page" ]; then [ "$(wc -c <"$page")" -le 1000000 ] || die "$page is larger than 1 MB"; fi
done

# A step that is longer than all pieces of a run, or that is not used.
if [ "$mode" = --quick ]; then
  status=0
  ${EMULATOR:-} "$program" --quick --dt 1e9 >"$folder.log" 2>&1 || status=$?
  [ "$status" = 2 ] && grep -q "^$name: --dt" "$folder.log" || die "$name --dt 1e9 ended with $status: $(cat "$folder.log")"
fi

[ "$gnuplot" != none ] || exit 0

# Draws, and prints the place of each graph.
awk '{ print } /^ *s?plot /{ drawing = 1 } drawing && !/\\$/ {
  print "set print \"graphs.txt\" append; print GPVAL_TERM_XMIN, GPVAL_TERM_XMAX, GPVAL_TERM_YMIN, GPVAL_TERM_YMAX, GPVAL_TERM_SCALE; set print"
  drawing = 0
}' "$folder/plot.gp" >"$folder/graphs.gp"
(cd "$folder" && "$gnuplot" graphs.gp) >"$folder.log" 2>&1 || die "gnuplot plot.gp fails: $(cat "$folder.log")"
[ ! -s "$folder.log" ] || die "gnuplot plot.gp says: $(cat "$folder.log")"

# Every third pixel of every third row, as a table of x, y, red, green, blue. Tics are at most 10 pixels long.
"$gnuplot" -e "set table '$folder/pixels.txt'; plot '$folder/$name.png' binary filetype=png every 3:3 with rgbimage"
awk '
  FNR == NR { x0[NR] = $1 + 10; x1[NR] = $2 - 10; y0[NR] = $3 + 10; y1[NR] = $4 - 10; graphs = NR; next }
  /^ *[0-9]/ && ($3 < 235 || $4 < 235 || $5 < 235) {
    for (g = 1; g <= graphs; g++) if ($1 > x0[g] && $1 < x1[g] && $2 > y0[g] && $2 < y1[g]) drawn[g]++
  }
  END {
    if (graphs == 0) { print "no graph"; exit 1 }
    for (g = 1; g <= graphs; g++) {
      print "graph " g ": " drawn[g] + 0 " dark points within " x0[g] ".." x1[g] " x " y0[g] ".." y1[g]
      if (drawn[g] < 15) { print "graph " g " is blank"; status = 1 }
    }
    exit status
  }' "$folder/graphs.txt" "$folder/pixels.txt"
rm -f "$folder/pixels.txt"
