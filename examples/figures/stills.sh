#!/bin/sh
# Redraws the figures of examples/README.md from a gallery, scene on the left and curves on the right:
#   sh examples/figures/stills.sh <folder of reproduce --out, default mode> [NAME ...]
#   sh examples/figures/stills.sh --compare <folder> NAME ...    draws them elsewhere and fails if one differs from the figure here
# Needs chromium and gnuplot.
set -eu

. "$(dirname "$0")/common.sh"

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
  helical_buckling) echo "colour=curvature&zoom=.3" ;;
  knot) echo "colour=curvature&zoom=.4&pitch=.6" ;;
  michell_buckling) echo "colour=curvature" ;;
  plectoneme | solenoid) echo "colour=curvature" ;;
  pulling_muscle) echo "time=.3" ;;
  sidewinding | slithering | swimming | uneven_terrain) echo "colour=curvature" ;;
  twist_vibration) echo "colour=twist&time=.25&zoom=.2" ;;
  vertical_oscillation) echo "colour=strain&time=.16" ;;
  walker) echo "pitch=.45&zoom=.85" ;;
  wing) echo "time=.55&zoom=.8" ;;
  yarn) echo "time=.5" ;;
  string_waves) echo "colour=speed&zoom=.3" ;;
  *) echo "time=1" ;;
  esac
}

for name in ${*:-$(ls "$gallery")}; do
  page=$gallery/$name/$name.html
  [ -e "$page" ] || continue
  (cd "$gallery/$name" && gnuplot -e "picture = '$name.svg'" plot.gp)
  data curves "$gallery/$name/$name.svg" image/svg+xml >"$scratch/data.js"
  if [ -n "$compare" ]; then data stored "$here/$name.png" image/png; else echo 'const stored = null;'; fi >>"$scratch/data.js"
  visit "$page" "?$(options "$name")#card&plain&theme=light" "$scratch/data.js" "$here/compare.js" "$here/still.js"
  keep "$name.png" PNG
done
exit $failed
