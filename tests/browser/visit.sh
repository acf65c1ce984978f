# Sourced by the tests of pages: a browser that prints a page. They set folder, a scratch folder. Without chromium, browser is empty.

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)

# Writes the content of the page to dom.html, with these scripts behind its viewer, once they are done (visit.js). window: its size, if set.
visit() { # page, hash, scripts ...
  page=$1 hash=$2
  shift 2
  { sed '/^<script id="run"/,$d' "$page"; for script in "$@" "$here/visit.js"; do echo '<script>'; cat "$script"; echo '</script>'; done; sed -n '/^<script id="run"/,$p' "$page"; } >"$folder/visited.html"
  rm -rf "$folder/profile"
  timeout 240 "$browser" --headless --no-sandbox --disable-quic --no-first-run --disable-background-networking --disable-component-update \
    --disable-sync --user-data-dir="$folder/profile" --use-angle=swiftshader --enable-unsafe-swiftshader --window-size="${window:-900,700}" \
    --dump-dom "file://$folder/visited.html$hash" 2>"$folder/browser.log" >"$folder/dom.html" || {
    tail -n 20 "$folder/browser.log"
    echo "the browser ends with an error"
    exit 1
  }
}
