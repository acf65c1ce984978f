# Cache of a build whose tests run under valgrind's memcheck: cmake -C .ci/memcheck.cmake -S . -B build-memcheck
# Only the kernels of the base set, for AVX2 with FMA, because valgrind does not know AVX-512. In the build type Debug the library adds no
# optimisation flags of its own. Rounds as in sanitizers.cmake.
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g1 -march=haswell -fno-omit-frame-pointer -DTESTS_ONE_ROUND_IN=7" CACHE STRING "")
set(CMAKE_CROSSCOMPILING_EMULATOR valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite CACHE STRING "")
set(ELASTICA_SIMD BASE CACHE STRING "")
set(ELASTICA_TESTS_EXTENT brief CACHE STRING "")
set(ELASTICA_BUILD_EXAMPLES OFF CACHE BOOL "")
