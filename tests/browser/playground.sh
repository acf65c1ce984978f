#!/bin/sh
# The page of the playground in a browser: playground.sh <page> <scratch folder>
# Without chromium it prints a line and ends with status 0.
set -eu

page=$1 folder=$2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/visit.sh"
if [ -z "$browser" ]; then
  echo "INFO playground: SKIP, there is no chromium"
  exit 0
fi
rm -rf "$folder"
mkdir -p "$folder"
visit "$page" "#theme=light" "$here/playground.js"
sed -n '/^\(ok\|FAILED\) /p' "$folder/dom.html" >"$folder/claims.txt"
cat "$folder/claims.txt"
grep -q '^end of claims' "$folder/dom.html" || {
  echo "FAILED: the page does not come to an end"
  exit 1
}
if grep -q '^FAILED' "$folder/claims.txt"; then exit 1; fi
grep -c '^ok' "$folder/claims.txt" | sed 's/$/ claims hold in the browser/; s/^/INFO playground: /'
