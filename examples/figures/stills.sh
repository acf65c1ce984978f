#!/bin/sh
# Redraws the figures of examples/README.md from a gallery, scene on the left and curves on the right:
#   sh examples/figures/stills.sh <folder of reproduce --out, default mode> [NAME ...]
#   sh examples/figures/stills.sh --compare <folder> NAME ...    draws them elsewhere and fails if one differs from the figure here
# Needs chromium and gnuplot.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
compare=
if [ "$1" = --compare ]; then compare=1; shift; fi
gallery=$(cd "$1" && pwd)
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# Options of still.js: the time as a share of the run, the view, the colours.
options() { # program
  case $1 in
  axial_stretch) echo "colour=strain" ;;
  braid) echo "time=1" ;;
  cantilever) echo "colour=curvature" ;;
  capstan) echo "colour=tension" ;;
  catenary) echo "colour=tension" ;;
  elbow) echo "time=.7" ;;
  falling_chain) echo "time=.75&colour=speed" ;;
  flagella) echo "colour=curvature" ;;
  hair) echo "zoom=.9" ;;
  helical_buckling) echo "colour=curvature" ;;
  knot) echo "colour=curvature&zoom=.9" ;;
  michell_buckling) echo "colour=curvature" ;;
  plectoneme | solenoid) echo "colour=curvature" ;;
  pulling_muscle) echo "time=.3" ;;
  sidewinding | slithering | swimming | uneven_terrain) echo "colour=curvature" ;;
  twist_vibration) echo "colour=twist&time=.5" ;;
  vertical_oscillation) echo "colour=strain&time=.16" ;;
  walker) echo "pitch=.45&zoom=.85" ;;
  wing) echo "time=.55&zoom=.8" ;;
  yarn) echo "time=.5" ;;
  *) echo "time=1" ;;
  esac
}

data() { # variable, file, type
  if [ -e "$2" ]; then echo "const $1 = \"data:$3;base64,$(base64 <"$2" | tr -d '\n')\";"; else echo "const $1 = null;"; fi
}

for name in ${*:-$(ls "$gallery")}; do
  page=$gallery/$name/$name.html
  [ -e "$page" ] || continue
  (cd "$gallery/$name" && gnuplot -e "picture = '$name.svg'" plot.gp)
  {
    sed '/^<script id="run"/,$d' "$page"
    echo '<script>'
    data curves "$gallery/$name/$name.svg" image/svg+xml
    if [ -n "$compare" ]; then data stored "$here/$name.png" image/png; else echo 'const stored = null;'; fi
    cat "$here/still.js"
    echo '</script>'
    sed -n '/^<script id="run"/,$p' "$page"
  } >"$scratch/still.html"
  chromium --headless --no-sandbox --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir="$scratch/profile" --use-angle=swiftshader --enable-unsafe-swiftshader --window-size=720,480 --virtual-time-budget=60000 \
    --dump-dom "file://$scratch/still.html?$(options "$name")#card&plain&theme=light" 2>/dev/null >"$scratch/dom.html"
  if ! grep -q '^PNG ' "$scratch/dom.html"; then
    echo "$name: no picture: $(sed -n 's/^ERROR //p' "$scratch/dom.html")"
    failed=1
  elif [ -n "$compare" ]; then
    far=$(sed -n 's/^DIFFERENCE //p' "$scratch/dom.html")
    echo "$name differs by $far"
    if [ "$(echo "${far:-99} > 4" | bc)" = 1 ]; then
      echo "$name.png is stale: redraw it with examples/figures/stills.sh"
      failed=1
    fi
  else
    sed -n 's/^PNG //p' "$scratch/dom.html" | base64 -d >"$here/$name.png"
    echo "$name.png $(wc -c <"$here/$name.png") bytes"
  fi
done
exit $failed
