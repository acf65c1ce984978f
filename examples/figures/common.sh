# Functions for stills.sh and tiles.sh.

data() { # variable, file, type
  if [ -e "$2" ]; then echo "const $1 = \"data:$3;base64,$(base64 <"$2" | tr -d '\n')\";"; else echo "const $1 = null;"; fi
}

# The page with scripts behind its viewer, as the browser leaves it in dom.html.
visit() { # page, what follows the address, scripts ...
  page=$1 address=$2
  shift 2
  {
    sed '/^<script id="run"/,$d' "$page"
    for script in "$@"; do echo '<script>'; cat "$script"; echo '</script>'; done
    sed -n '/^<script id="run"/,$p' "$page"
  } >"$scratch/visited.html"
  chromium --headless --no-sandbox --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir="$scratch/profile" --use-angle=swiftshader --enable-unsafe-swiftshader --window-size=720,480 --virtual-time-budget=60000 \
    --dump-dom "file://$scratch/visited.html$address" 2>/dev/null >"$scratch/dom.html"
}

# Judges the difference that a script has found; or writes the picture.
keep() { # name of the picture, word before it in dom.html
  if ! grep -q "^$2 " "$scratch/dom.html"; then
    echo "$1: no picture: $(sed -n 's/^ERROR //p' "$scratch/dom.html")"
    failed=1
  elif [ -n "$compare" ]; then
    far=$(sed -n 's/^DIFFERENCE //p' "$scratch/dom.html")
    echo "$1 differs by $far, at most 3 is allowed"
    awk -v far="${far:-99}" 'BEGIN { exit !(far > 3) }' || return 0
    echo "$1 is stale: redraw it with examples/figures/$(basename "$0")"
    failed=1
  else
    sed -n "s/^$2 //p" "$scratch/dom.html" | base64 -d >"$here/$1"
    echo "$1 $(wc -c <"$here/$1") bytes"
  fi
}

here=$(cd "$(dirname "$0")" && pwd)
compare=
if [ "$1" = --compare ]; then
  compare=1
  shift
fi
gallery=$(cd "$1" && pwd)
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
