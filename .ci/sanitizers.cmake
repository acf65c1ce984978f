# Cache of a build under the address and undefined-behaviour sanitizers: cmake -C .ci/sanitizers.cmake -S . -B build-sanitizers
# Debug is the build type in which the library adds no optimisation flags of its own.
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all" CACHE STRING "")
set(ELASTICA_GNUPLOT "" CACHE FILEPATH "Nothing is drawn: what the programs write is the same")
