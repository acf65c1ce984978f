# A program for newcomers and its output: start.sh <program> <scratch folder> [<text> <expected value> <relative tolerance>]...
# The number behind the last occurrence of a text is compared. With - as the value only the text must occur.
set -eu

program=$1 folder=$2
shift 2

die() {
  echo "FAILED: $*"
  exit 1
}

rm -rf "$folder"
mkdir -p "$folder"
# EMULATOR: the command that runs a program for another system, if any.
printed=$(${EMULATOR:-} "$program" "$folder" | tr -d '\r') || die "status $?"
echo "$printed"

while [ $# -gt 0 ]; do
  echo "$printed" | awk -v text="$1" -v expected="$2" -v tolerance="$3" '
    { place = index($0, text); if (place) { found = 1; rest = substr($0, place + length(text)) } }
    END {
      if (!found) exit 1
      if (expected == "-") exit 0
      if (rest !~ /^ *[-+]?[0-9.]/) exit 1
      off = rest / expected - 1
      exit !(off >= -tolerance && off <= tolerance)
    }' || die "no \"$1$2\" within $3"
  shift 3
done

# Every frame of an index must exist.
for index in "$folder"/*.pvd; do
  [ -e "$index" ] || continue
  sed -n 's/.*file="\([^"]*\)".*/\1/p' "$index" >"$folder/frames"
  [ -s "$folder/frames" ] || die "$index names no frames"
  while read -r frame; do
    [ -s "$folder/$frame" ] || die "there is no $frame"
  done <"$folder/frames"
done
