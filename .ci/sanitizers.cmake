# Cache of a build under the address and undefined-behaviour sanitizers: cmake -C .ci/sanitizers.cmake -S . -B build-sanitizers
# In the build type Debug the library adds no optimisation flags of its own. Only the kernels of the base set, for this processor: the others
# have the same source, and test_bits runs them in other builds. Their undefined behaviour is left to undefined.cmake, because gcc takes half
# a minute to compile these checks. Tests take one round in seven, and only short claims.
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_C_FLAGS_DEBUG
    "-O1 -g1 -march=native -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -DTESTS_ONE_ROUND_IN=7" CACHE STRING "")
set(ELASTICA_KERNEL_FLAGS -fno-sanitize=undefined CACHE STRING "")
set(ELASTICA_SIMD BASE CACHE STRING "")
set(ELASTICA_TESTS_EXTENT brief CACHE STRING "")
set(ELASTICA_GNUPLOT "" CACHE FILEPATH "Nothing is drawn: what the programs write is the same")
