# Cache of a build under the thread sanitizer: cmake -C .ci/threads.cmake -S . -B build-threads
# In the build type Debug the library adds no optimisation flags of its own. Kernels and rounds as in sanitizers.cmake.
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_C_FLAGS_DEBUG
    "-O1 -g1 -march=native -fno-omit-frame-pointer -fsanitize=thread -fno-sanitize-recover=all -DTESTS_ONE_ROUND_IN=7" CACHE STRING "")
set(ELASTICA_SIMD BASE CACHE STRING "")
set(ELASTICA_TESTS_EXTENT brief CACHE STRING "")
set(ELASTICA_BUILD_EXAMPLES OFF CACHE BOOL "")
