#!/bin/sh
# Compiler launcher of a project with the library's sources inside: launcher.sh BUILD COMPILER ARGUMENT ...
# If BUILD has compiled the same source for the library, its object is used, since compiling it again would take most of the test's time
# without a new result; other sources are compiled without optimisation. All sources of the library have the same flags, the kernels some
# more: with these flags the compiler reads the sources of src/base, which include the headers of the system, and one file of kernels.
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
  case $ready in */src/base/* | */kernels_base.c.o) "$@" -fsyntax-only ;; esac
  cp "$ready" "$object"
else
  exec "$@" -O0
fi
