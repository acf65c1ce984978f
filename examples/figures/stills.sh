#!/bin/sh
# Redraws the figures of examples/README.md from a gallery, scene on the left and curves on the right:
#   sh examples/figures/stills.sh [--compare] [--quick] <folder of reproduce --out> [NAME ...]
# The gallery is that of the default mode; with --quick that of the quick mode, whose small pictures are in quick/. They are the fingerprints of
# the figures: CI draws all of them and compares. --compare draws elsewhere and fails if a picture differs from the one here.
# Needs chromium and gnuplot.
set -eu

compare= quick=
while [ "${1#--}" != "$1" ]; do
  case $1 in
  --compare) compare=1 ;;
  --quick) quick=1 ;;
  *) echo "$1 is no option" && exit 2 ;;
  esac
  shift
done
. "$(dirname "$0")/common.sh"
if [ -n "$quick" ]; then allowed=.3; fi # the same scene and curves differ by 0, one curve of seven by 0.14 to 1.4 if 20 % off

# Options of still.js: the time as a share of the run, the view, the colours.
options() { # program
  case $1 in
  axial_stretch) echo "colour=strain" ;;
  beams) echo "colour=curvature" ;;
  braid) echo "time=1" ;;
  buckling) echo "colour=curvature" ;;
  cantilever) echo "colour=curvature" ;;
  cable_laying) echo "colour=tension&time=.65&zoom=.3" ;;
  capstan) echo "colour=tension" ;;
  catenary) echo "colour=tension" ;;
  elbow) echo "time=.7" ;;
  falling_chain) echo "time=.75&colour=speed" ;;
  flagella) echo "colour=curvature" ;;
  flying) echo "colour=rod&time=.45&zoom=.4" ;;
  guidewire) echo "colour=tension&pitch=.5&yaw=-.6&zoom=.9" ;;
  hair) echo "zoom=.9" ;;
  hair_strand) echo "time=.6&zoom=.3" ;;
  helical_buckling) echo "colour=curvature&zoom=.3" ;;
  knot) echo "colour=curvature&zoom=.4&pitch=.6" ;;
  michell_buckling) echo "colour=curvature" ;;
  modes) echo "time=.25&pitch=.4" ;;
  mooring_cable) echo "colour=tension&time=.5&zoom=.45" ;;
  paths) echo "colour=curvature&time=.36" ;;
  plectoneme | solenoid) echo "colour=curvature" ;;
  pulling_muscle) echo "time=.3" ;;
  sidewinding | slithering | swimming | uneven_terrain) echo "colour=curvature" ;;
  twist_vibration) echo "colour=twist&time=.25&zoom=.2" ;;
  vertical_oscillation) echo "colour=strain&time=.16" ;;
  walker) echo "pitch=.45&zoom=.85" ;;
  wing) echo "time=.55&zoom=.8" ;;
  yarn) echo "time=.5" ;;
  string_waves) echo "colour=speed&zoom=.3" ;;
  steel_wire) echo "time=.6&zoom=.3" ;;
  suture) echo "colour=curvature&time=1" ;;
  *) echo "time=1" ;;
  esac
}

# Programs whose curves show measured times: only their scenes are compared.
part() { # program
  case $1 in
  hair_strand | referee | steel_wire | timings) echo scene ;;
  *) echo all ;;
  esac
}

for name in ${*:-$(ls "$gallery")}; do
  page=$gallery/$name/$name.html
  [ -e "$page" ] || continue
  (cd "$gallery/$name" && gnuplot -e "picture = '$name.svg'" plot.gp)
  if [ -n "$quick" ]; then picture=quick/$name.webp type=webp size=.25; else picture=$name.png type=png size=1; fi
  data=$scratch/data$count.js
  data curves "$gallery/$name/$name.svg" image/svg+xml >"$data"
  if [ -n "$compare" ]; then data stored "$here/$picture" "image/$type"; else echo 'const stored = null;'; fi >>"$data"
  add_page "$picture" "$page" "?size=$size&part=$(part "$name")&$(options "$name")#card&plain&theme=light" "$data" "$here/compare.js" \
    "$here/still.js"
done
visit_pages
exit $failed
