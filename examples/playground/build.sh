#!/bin/sh
# Builds the page of the playground: build.sh SOURCE PROGRAM FOLDER
# SOURCE is the folder of the library, PROGRAM the native playground, FOLDER receives playground.html. Needs what .ci/wasm.cmake names.
set -eu

source=$1 program=$2 folder=$3
here=$source/examples/playground
mkdir -p "$folder"
cmake --toolchain "$source/.ci/wasm.cmake" -S "$source" -B "$folder/wasm" -DELASTICA_BUILD_TESTS=OFF -DELASTICA_BUILD_EXAMPLES=ON
cmake --build "$folder/wasm" --target playground_exact playground_fast

module() { # name
  printf '"%s":"' "$1"
  gzip -9 -n -c "$folder/wasm/examples/playground/playground_$1" | base64 | tr -d '\n'
  printf '"'
}

# The viewer, the modules, the sliders, and the frame of the viewer.
native=$("$program" "$folder/viewer.html")
{
  sed '/^<script id="run"/,$d' "$folder/viewer.html"
  printf '<script id="modules" type="application/json">{"native":"%s",%s,%s}</script>\n' "$native" "$(module exact)" "$(module fast)"
  cat "$here/page.html"
  sed -n '/^<script id="run"/,$p' "$folder/viewer.html"
} >"$folder/playground.html.new"
mv "$folder/playground.html.new" "$folder/playground.html"
echo "$folder/playground.html"
