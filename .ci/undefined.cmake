# Cache of a build under clang's undefined-behaviour sanitizer: cmake -C .ci/undefined.cmake -S . -B build-undefined
# Unlike gcc's it detects arithmetic on NULL and past the ends of arrays, also without a read, and calls of functions of another type. In the
# build type Debug the library adds no optimisation flags of its own; -O0, because clang takes a minute longer to optimise
# the kernels with all checks in them. Kernels and rounds as in sanitizers.cmake.
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_C_FLAGS_DEBUG
    "-O0 -g1 -march=native -fno-omit-frame-pointer -fsanitize=undefined -fno-sanitize-recover=all -DTESTS_ONE_ROUND_IN=7" CACHE STRING "")
set(ELASTICA_SIMD BASE CACHE STRING "")
set(ELASTICA_TESTS_EXTENT brief CACHE STRING "")
set(ELASTICA_BUILD_EXAMPLES OFF CACHE BOOL "")
