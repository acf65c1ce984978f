# Functions for stills.sh and tiles.sh. They set compare to 1 to compare pictures instead of writing them, and may set the difference that is
# allowed; the first argument is the gallery.

data() { # variable, file, type
  if [ -e "$2" ]; then echo "const $1 = \"data:$3;base64,$(base64 <"$2" | tr -d '\n')\";"; else echo "const $1 = null;"; fi
}

# Prepares a visit: the page with scripts behind its viewer. They send lines that begin with PICTURE, DIFFERENCE or ERROR to album.js.
add_page() { # picture, page, what follows the address, scripts ...
  picture=$1 page=$2 address=$3 file=page$count.html
  count=$((count + 1))
  shift 3
  {
    sed '/^<script id="run"/,$d' "$page"
    for script in "$@"; do echo '<script>'; cat "$script"; echo '</script>'; done
    sed -n '/^<script id="run"/,$p' "$page"
  } >"$scratch/$file"
  echo "$picture $file$address" >>"$scratch/pages"
}

# Opens the pages one after the other in a browser, and writes or judges their pictures.
visit_pages() {
  [ "$count" -gt 0 ] || return 0
  {
    echo '<!DOCTYPE html><meta charset="utf-8"><body><script>'
    awk 'BEGIN { print "const pages = [" } { print "  [\"" $1 "\", \"" $2 "\"]," } END { print "];" }' "$scratch/pages"
    cat "$here/album.js"
    echo '</script></body>'
  } >"$scratch/album.html"
  chromium --headless --no-sandbox --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir="$scratch/profile" --use-angle=swiftshader --enable-unsafe-swiftshader --window-size=720,480 \
    --dump-dom "file://$scratch/album.html" 2>/dev/null >"$scratch/dom.html"
  while read -r picture address; do keep "$picture"; done <"$scratch/pages"
}

# Judges the difference that a script has found; or writes the picture.
keep() { # picture
  sed -n "s#^$1 ##p" "$scratch/dom.html" >"$scratch/said"
  if ! grep -q '^PICTURE ' "$scratch/said"; then
    echo "$1: no picture: $(sed -n 's/^ERROR //p' "$scratch/said")"
    failed=1
  elif [ -n "$compare" ]; then
    far=$(sed -n 's/^DIFFERENCE //p' "$scratch/said")
    echo "$1 differs by ${far:-everything: there is none here}, at most $allowed is allowed"
    awk -v far="${far:-99}" -v allowed="$allowed" 'BEGIN { exit !(far > allowed) }' || return 0
    echo "$1 is stale: redraw it with examples/figures/$(basename "$0")"
    failed=1
  else
    sed -n 's/^PICTURE //p' "$scratch/said" | base64 -d >"$here/$1"
    echo "$1 $(wc -c <"$here/$1") bytes"
  fi
}

here=$(cd "$(dirname "$0")" && pwd)
gallery=$(cd "$1" && pwd)
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
count=0
allowed=3
