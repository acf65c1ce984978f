#!/bin/sh
# Redraws gallery.png, the first cards of the page that reproduce --out writes: sh examples/figures/gallery.sh <folder of reproduce --quick --out>
# Needs chromium.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
gallery=$(cd "$1" && pwd)
scratch=$(mktemp -d)
still=$gallery/still.html
trap 'rm -rf "$scratch" "$still"' EXIT
{
  sed 's/"#card"/"#card\&theme=light\&t=1e9"/' "$gallery/index.html" # scenes stand still at their ends
  echo '<script>'
  cat "$here/wait.js"
  echo '</script>'
} >"$still"
chromium --headless --no-sandbox --disable-quic --no-first-run --hide-scrollbars --disable-background-networking --disable-component-update --disable-sync \
  --user-data-dir="$scratch/profile" --use-angle=swiftshader --enable-unsafe-swiftshader --window-size=1240,1090 --allow-file-access-from-files \
  --screenshot="$here/gallery.png" "file://$still" 2>/dev/null
echo "gallery.png $(wc -c <"$here/gallery.png") bytes"
