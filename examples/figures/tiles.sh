#!/bin/sh
# Redraws the moving tiles of README.md from the pages of a gallery: sh examples/figures/tiles.sh <folder of reproduce --out> [NAME ...]
# Needs chromium. The pages are those of the default mode: reproduce --out FOLDER walker plectoneme hair knot muscular_snake wing.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
gallery=$(cd "$1" && pwd)
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

tile() { # program, options of tile.js
  page=$gallery/$1/$1.html
  { sed '/^<script id="run"/,$d' "$page"; echo '<script>'; cat "$here/tile.js"; echo '</script>'; sed -n '/^<script id="run"/,$p' "$page"; } >"$scratch/tile.html"
  chromium --headless --no-sandbox --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir="$scratch/profile" --use-angle=swiftshader --enable-unsafe-swiftshader --window-size=720,480 --virtual-time-budget=60000 \
    --dump-dom "file://$scratch/tile.html?$2#card&theme=light" 2>/dev/null | sed -n 's/^WEBP //p' | base64 -d >"$here/$1.webp"
  size=$(wc -c <"$here/$1.webp")
  echo "$1.webp $size bytes"
  [ "$size" -gt 5000 ] && [ "$size" -le 150000 ]
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
