#!/bin/sh
# Compiler launcher of a project with the library's sources inside: launcher.sh BUILD COMPILER ARGUMENT ...
# The compiler reads each source with the project's flags. If BUILD has compiled the same source for the library, its object is used,
# since compiling it again would take most of the test's time without a new result; other sources are compiled without optimisation.
set -eu

build=$1 object='' previous=''
shift
for argument; do
  if [ "$previous" = -o ]; then object=$argument; fi
  previous=$argument
done
case $object in
*CMakeFiles/elastica.dir/*.o) ready=$build/CMakeFiles/elastica.dir/${object#*CMakeFiles/elastica.dir/} ;;
*/libelastica.a.p/src_*.o) # of meson
  file=${object##*/src_}
  ready=$build/CMakeFiles/elastica.dir/src/${file%%_*}/${file#*_}
  ;;
*) ready='' ;;
esac
if [ -n "$ready" ] && [ -e "$ready" ]; then
  "$@" -fsyntax-only
  cp "$ready" "$object"
else
  exec "$@" -O0
fi
