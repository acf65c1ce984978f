#!/bin/sh
# A way of using the library, from its sources or its installation to a running program.
#
#   run.sh install | find_package C|CXX | add_subdirectory C|CXX | fetch_content | sanitized | meson | pkg_config | one_line | shared
#     | must_check C|CXX | wrong_option
#
# Environment: SOURCE and BUILD folders of the library, LIBRARY file, CONFIG (may be empty), WORK folder, CMAKE, CC, CXX, PKG_CONFIG, MESON.
set -eu

consumers=$SOURCE/tests/consumers
prefix=$WORK/prefix
mkdir -p "$WORK"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

run_app() { # file, how it was built
  "$1" || fail "the program built by $2 ran and ended with status $?"
}

archive() { # file: the files that the library needs, in a folder of another name, as in a release
  tar -c -z -C "$SOURCE" -f "$1" --transform 's#^#elastica-release/#' CMakeLists.txt include src
}

configure_and_run() { # folder, language, more options
  folder=$1 language=$2
  shift 2
  build=$WORK/${folder}_$language
  rm -rf "$build"
  if [ "$language" = CXX ]; then compiler=$CXX; else compiler=$CC; fi
  "$CMAKE" -S "$consumers/$folder" -B "$build" -DCONSUMER_LANGUAGE="$language" -DCMAKE_"$language"_COMPILER="$compiler" \
    -DCMAKE_C_COMPILER="$CC" --no-warn-unused-cli "$@" || fail "$folder: a $language project does not configure"
  "$CMAKE" --build "$build" || fail "$folder: a $language project does not build"
  run_app "$build/app" "$folder ($language)"
}

case $1 in
install)
  # Moved after installation: package files may not hold its path.
  rm -rf "$prefix" "$WORK/staged"
  "$CMAKE" --install "$BUILD" --prefix "$WORK/staged" ${CONFIG:+--config "$CONFIG"} || fail "the library does not install"
  mv "$WORK/staged" "$prefix"
  find "$prefix" -type f
  if grep -rlF -e "$WORK/staged" -e "$SOURCE/" "$prefix" --include='*.cmake' --include='*.pc'; then
    fail "the package files above hold paths of this machine"
  fi
  # Links of the installed pages lead to installed files.
  find "$prefix" -name '*.md' | while read -r page; do
    grep -oE '(\]\(|(src|href)=")[^)"# ]+' "$page" | sed -E 's/^(\]\(|(src|href)=")//' | grep -v ':' | sort -u | while read -r link; do
      [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
    done
  done >"$WORK/links"
  [ ! -s "$WORK/links" ] || fail "links lead to no installed file: $(cat "$WORK/links")"
  ;;
find_package)
  configure_and_run find_package "$2" -DCMAKE_PREFIX_PATH="$prefix"
  ;;
add_subdirectory)
  # With a launcher that does not change the checked properties of the project: its flags and its build type.
  configure_and_run add_subdirectory "$2" -DELASTICA_SOURCE="$SOURCE" -DCMAKE_C_COMPILER_LAUNCHER="sh;$consumers/launcher.sh;$BUILD"
  ;;
fetch_content)
  archive "$WORK/elastica.tar.gz"
  configure_and_run fetch_content C -DELASTICA_ARCHIVE="$WORK/elastica.tar.gz" -DCMAKE_C_COMPILER_LAUNCHER="sh;$consumers/launcher.sh;$BUILD"
  ;;
sanitized)
  # With the sanitizers of the project; the library's kernels are compiled without, so that this takes no longer than the library alone.
  archive "$WORK/sanitized.tar.gz"
  configure_and_run fetch_content C -DELASTICA_ARCHIVE="$WORK/sanitized.tar.gz" -DCMAKE_C_FLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all"
  nm "$build/_deps/elastica-build/CMakeFiles/elastica.dir/src/rod/rod.c.o" | grep -q __asan || fail "the library is built without the sanitizers of the project"
  ! nm "$build/_deps/elastica-build/CMakeFiles/elastica.dir/src/kernels/kernels_base.c.o" | grep -q __asan || fail "kernels are built with sanitizers"
  ;;
meson)
  project=$WORK/meson
  rm -rf "$project"
  cp -R "$consumers/meson" "$project"
  cp "$consumers/app.c" "$project"
  mkdir "$project/subprojects/packagefiles"
  archive "$project/subprojects/packagefiles/elastica.tar.gz"
  printf '#!/bin/sh\nexec sh "%s" "%s" "%s" "$@"\n' "$consumers/launcher.sh" "$BUILD" "$CC" >"$project/cc"
  chmod +x "$project/cc"
  CC=$project/cc "$MESON" setup "$project/build" "$project" || fail "a meson project does not configure"
  "$MESON" compile -C "$project/build" || fail "a meson project does not build"
  run_app "$project/build/app" meson
  ;;
pkg_config)
  folder=$(dirname "$(find "$prefix" -name elastica.pc)")
  flags=$(PKG_CONFIG_PATH=$folder "$PKG_CONFIG" --cflags --libs elastica) || fail "pkg-config does not find elastica in $folder"
  echo "$CC app.c $flags"
  # shellcheck disable=SC2086 # a list of flags
  "$CC" -std=c11 "$consumers/app.c" -o "$WORK/pkg_config_app" $flags -lm || fail "pkg-config's flags do not build a program: $flags"
  run_app "$WORK/pkg_config_app" pkg-config
  ;;
one_line)
  cd "$SOURCE"
  # The compiler reads every source, without warnings at its default settings; then -lm alone must suffice, with the library of this build.
  # bits.sh compiles all sources at once.
  set -- "$CC" -std=c11 -O3 -fno-math-errno -fno-trapping-math -Iinclude -Isrc
  "$@" -fsyntax-only src/*/*.c tests/consumers/app.c 2>"$WORK/one_line.log" ||
    fail "the one-line build does not compile: $(cat "$WORK/one_line.log")"
  "$@" tests/consumers/app.c "$LIBRARY" -lm -o "$WORK/one_line_app" 2>>"$WORK/one_line.log" ||
    fail "the one-line build does not link: $(cat "$WORK/one_line.log")"
  [ ! -s "$WORK/one_line.log" ] || fail "the one-line build warns: $(cat "$WORK/one_line.log")"
  run_app "$WORK/one_line_app" "the one-line build"
  ;;
shared)
  # The shared library exports what the header declares and nothing else, carries its version, and can be installed, used and uninstalled.
  build=$WORK/shared prefix=$WORK/shared_prefix
  rm -rf "$build" "$prefix"
  "$CMAKE" -S "$SOURCE" -B "$build" -DBUILD_SHARED_LIBS=ON -DELASTICA_BUILD_TESTS=OFF -DELASTICA_BUILD_EXAMPLES=OFF -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_C_COMPILER_LAUNCHER="sh;$consumers/launcher.sh;$BUILD" || fail "a shared library does not configure"
  "$CMAKE" --build "$build" || fail "a shared library does not build"
  "$CMAKE" --build "$build" --target install || fail "a shared library does not install"
  library=$(find "$prefix" -name 'libelastica.so' -o -name 'libelastica.dylib')
  [ -n "$library" ] || fail "no shared library was installed"
  nm -gD --defined-only "$library" | awk '{ print $NF }' | sort >"$WORK/exported"
  "$CC" -std=c11 -E -P -I"$SOURCE/include" "$SOURCE/include/elastica.h" | tr '\n' ' ' | tr ';' '\n' | grep -v typedef |
    grep -oE '\<elastica_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$WORK/declared"
  cmp "$WORK/exported" "$WORK/declared" || fail "the library exports (>) other functions than the header declares (<):
$(diff "$WORK/declared" "$WORK/exported")"
  "$CC" -std=c11 "$consumers/app.c" -I"$prefix/include" -L"$(dirname "$library")" -Wl,-rpath,"$(dirname "$library")" -lelastica -lm \
    -o "$WORK/shared_app" || fail "a program does not link to the shared library"
  run_app "$WORK/shared_app" "the shared library"
  "$CMAKE" --build "$build" --target uninstall || fail "the library does not uninstall"
  left=$(find "$prefix" ! -type d)
  [ -z "$left" ] || fail "these files are left of an uninstalled library: $left"
  ;;
must_check)
  # An ignored status: a warning, unless the program disables it.
  log=$WORK/must_check_$2.log object=$WORK/must_check_$2.o
  if [ "$2" = CXX ]; then set -- "$CXX" -std=c++11 -x c++; else set -- "$CC" -std=c11 -x c; fi
  set -- "$@" -I"$SOURCE/include" -Werror -c -o "$object" -
  ignored='#include <elastica.h>
    void run(elastica_world *world) { elastica_world_step(world, 1e-5, 100); }'
  seen='#include <elastica.h>
    void leave(elastica_rod *rod, elastica_vtk *vtk) { elastica_rod_remove(rod); elastica_vtk_close(vtk); }
    int run(elastica_world *world) { return elastica_world_step(world, 1e-5, 100) == ELASTICA_OK; }'
  if echo "$ignored" | "$@" 2>"$log"; then fail "a step whose status is ignored compiles without a warning"; fi
  grep -q elastica_world_step "$log" || fail "the warning does not name the call: $(cat "$log")"
  echo "$ignored" | "$@" -DELASTICA_MUST_CHECK= || fail "ELASTICA_MUST_CHECK defined as nothing does not silence the warning"
  echo "$seen" | "$@" || fail "a program that looks at every status that it must does not compile"
  ;;
wrong_option)
  if "$CMAKE" -S "$SOURCE" -B "$WORK/wrong_option" -DCMAKE_C_COMPILER="$CC" -DELASTICA_BUILD_TESTS=OFF -DELASTICA_SIMD=AVX7 \
    >"$WORK/wrong_option.log" 2>&1; then
    fail "ELASTICA_SIMD=AVX7 was accepted"
  fi
  grep -q "ELASTICA_SIMD is 'AVX7'; it must be AUTO or BASE" "$WORK/wrong_option.log" ||
    fail "ELASTICA_SIMD=AVX7 was refused without a clear sentence: $(cat "$WORK/wrong_option.log")"
  ;;
*)
  fail "no such consumer: $1"
  ;;
esac
