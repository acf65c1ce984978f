# Cache of a build that counts the runs of each line and branch: cmake -C .ci/coverage.cmake -S . -B build-coverage
# Without optimisation, so that lines and branches are those of the source, and without asserts. Kernels as in sanitizers.cmake.
# No function is inlined by force: each inlined copy would count its branches again, and has some that its constants make impossible.
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_C_FLAGS_DEBUG "-O0 --coverage -fprofile-update=atomic -march=native -UELI_ASSERTS -Dalways_inline=unused" CACHE STRING "")
set(ELASTICA_SIMD BASE CACHE STRING "")
set(ELASTICA_TESTS_EXTENT brief CACHE STRING "")
set(ELASTICA_BUILD_EXAMPLES OFF CACHE BOOL "")
