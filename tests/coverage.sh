#!/bin/sh
# Lines and branches of src that the tests have run: coverage.sh BUILD [LEAST_LINES LEAST_BRANCHES]
# BUILD was configured with .ci/coverage.cmake, and its tests have run. Prints percentages of each file, least lines first, and puts what no
# test has run into BUILD/not_covered. The counts of a header or an .inl are those of all files that include it. Fails if the sum over all
# files has less than the given percentages.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
cd "$build"
find CMakeFiles/elastica.dir -name '*.gcda' | sort | while read -r data; do
  gcov -b -c -t -o "$(dirname "$data")" "$data" 2>/dev/null
done | awk -v root="$root/src/" -v least_lines="${2:-0}" -v least_branches="${3:-0}" -v missing="$build/not_covered" '
  function share(runs, all) { return all ? 100 * runs / all : 100 }
  /^ *-: *0:Source:/ { file = $0; sub(/^.*:Source:/, "", file); counts = index(file, root) == 1; file = substr(file, length(root) + 1); next }
  !counts { next }
  /^branch/ {
    place = file ":" line; key = place " " branch++
    if (!(key in branch_known)) { branch_known[key]; branches[file]++; all_branches++; place_of[key] = place; file_of[key] = file }
    if ($3 == "taken" && $4 + 0 > 0 && !(key in branch_run)) { branch_run[key]; branch_runs[file]++; all_branch_runs++ }
    next
  }
  /^ *([0-9]+\*?|#####|-|=====|[$]+|%%%%%): *[0-9]+:/ {
    split($0, part, ":"); gsub(/ /, "", part[1]); line = part[2] + 0; branch = 0; place = file ":" line
    if (part[1] == "-" || line == 0) next
    if (!(place in line_known)) { line_known[place] = substr($0, length(part[1]) + 1); lines[file]++; all_lines++; text[place] = $0; sub(/^[^:]*: *[0-9]*: */, "", text[place]); file_of_line[place] = file }
    if (part[1] + 0 > 0 && !(place in line_run)) { line_run[place]; line_runs[file]++; all_line_runs++ }
  }
  END {
    printf "" >missing
    for (place in line_known) if (!(place in line_run)) print place ": line " text[place] | "sort -t: -k1,1 -k2,2n >" missing
    for (key in branch_known) if (!(key in branch_run)) {
      if (place_of[key] in line_run) { number = key; sub(/^.* /, "", number); print place_of[key] ": branch " number " " text[place_of[key]] | "sort -t: -k1,1 -k2,2n >" missing }
      if (file_of[key] ~ /^kernels\/.*\.inl$|^rod\/law\.h$|^base\/rotation\.h$/) never++
    }
    for (file in lines)
      printf "%6.2f %6.2f %5d %5d %s\n", share(line_runs[file], lines[file]), share(branch_runs[file], branches[file]), lines[file], branches[file], file | "sort -n"
    close("sort -n")
    printf "INFO coverage: %.2f %% of %d lines, %.2f %% of %d branches\n", share(all_line_runs, all_lines), all_lines, share(all_branch_runs, all_branches), all_branches
    if (never > 0) printf "INFO coverage: %d branches of kernels, law and rotations are never taken\n", never
    exit share(all_line_runs, all_lines) < least_lines || share(all_branch_runs, all_branches) < least_branches
  }'
