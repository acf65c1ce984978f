# Cache of a build under the address and undefined-behaviour sanitizers: cmake -C .ci/sanitizers.cmake -S . -B build-sanitizers
# Debug is the build type in which the library adds no optimisation flags of its own. Kernels of the base set alone, for this processor: the
# others are the same text, which test_bits runs in other builds. Of rounds of a kind, tests take one in seven.
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_C_FLAGS_DEBUG
    "-O1 -g1 -march=native -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -DTESTS_ONE_ROUND_IN=7" CACHE STRING "")
set(ELASTICA_SIMD BASE CACHE STRING "")
set(ELASTICA_GNUPLOT "" CACHE FILEPATH "Nothing is drawn: what the programs write is the same")
