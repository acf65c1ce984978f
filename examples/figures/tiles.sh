#!/bin/sh
# Redraws the moving tiles of README.md from the pages of a gallery: sh examples/figures/tiles.sh <folder of reproduce --out> [NAME ...]
#   sh examples/figures/tiles.sh --compare <folder> [NAME ...]    fails if one differs from the tile here
# Needs chromium. The pages are those of the default mode: reproduce --out FOLDER walker plectoneme hair knot muscular_snake wing.
set -eu

compare=
if [ "$1" = --compare ]; then
  compare=1
  shift
fi
. "$(dirname "$0")/common.sh"

tile() { # program, options of tile.js
  data=$scratch/data$count.js
  if [ -n "$compare" ]; then data stored "$here/$1.webp" image/webp; else echo 'const stored = null;'; fi >"$data"
  add_page "$1.webp" "$gallery/$1/$1.html" "?$2#card&theme=light" "$data" "$here/compare.js" "$here/tile.js"
}

for name in ${*:-walker plectoneme hair knot muscular_snake wing}; do
  case $name in
  walker) tile walker "frames=32&zoom=.76&pitch=.45&quality=.4" ;;
  plectoneme) tile plectoneme "frames=36&from=0.55&colour=curvature" ;;
  hair) tile hair "frames=36&zoom=.85" ;;
  knot) tile knot "frames=30&colour=curvature&zoom=.9" ;;
  muscular_snake) tile muscular_snake "frames=40" ;;
  wing) tile wing "frames=24&ms=160&zoom=.74&quality=.3" ;;
  *) echo "there is no tile of $name" && exit 2 ;;
  esac
done
visit_pages
while read -r picture address; do
  size=$(wc -c <"$here/$picture")
  [ "$size" -gt 5000 ] && [ "$size" -le 150000 ] || failed=1
done <"$scratch/pages"
exit $failed
