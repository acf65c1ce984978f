#!/bin/sh
# Lines and branches of src that the tests have run: coverage.sh BUILD [LEAST_LINES LEAST_BRANCHES]
# BUILD was configured with .ci/coverage.cmake, and its tests have run. Prints percentages of each file, least lines first; of a header or an
# .inl only the kernels' copy counts. Fails if the sum over all files has less than the given percentages.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
cd "$build"
find CMakeFiles/elastica.dir -name '*.gcda' | sort | while read -r data; do
  echo "Unit '${data#CMakeFiles/elastica.dir/}'"
  gcov -b -n -o "$(dirname "$data")" "$data" 2>/dev/null
done | awk -v root="$root/" -v least_lines="${2:-0}" -v least_branches="${3:-0}" -F"[':% ]+" '
  function share(runs, all) { return all ? 100 * runs / all : 100 }
  /^Unit/ { unit = $2; sub(/\.gcda$/, "", unit); next }
  /^File/ { file = $0; sub(/^File ./, "", file); sub(/.$/, "", file); sub("^" root, "", file); counts = file == unit || (unit ~ /kernels_base/ && file ~ /\.inl$/); next }
  counts && /^Lines executed/ { lines[file] = $5; line_runs[file] = $3 * $5 / 100 }
  counts && /^Taken at least once/ { branches[file] = $7; branch_runs[file] = $5 * $7 / 100 }
  END {
    for (file in lines) {
      all_lines += lines[file]; all_line_runs += line_runs[file]; all_branches += branches[file]; all_branch_runs += branch_runs[file]
      printf "%6.2f %6.2f %5d %5d %s\n", share(line_runs[file], lines[file]), share(branch_runs[file], branches[file]), lines[file], branches[file], file | "sort -n"
    }
    close("sort -n")
    printf "INFO coverage: %.2f %% of %d lines, %.2f %% of %d branches\n", share(all_line_runs, all_lines), all_lines, share(all_branch_runs, all_branches), all_branches
    exit share(all_line_runs, all_lines) < least_lines || share(all_branch_runs, all_branches) < least_branches
  }'
