# Cache of a build of the fuzz targets: cmake -C .ci/fuzz.cmake -S . -B build-fuzz, with clang and libFuzzer (libclang-rt-14-dev on Debian 12).
# Address and undefined-behaviour sanitizers; the kernels without, because other builds examine them and their checks take long to compile.
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_C_COMPILER clang CACHE STRING "")
set(CMAKE_C_FLAGS_DEBUG
    "-O1 -g1 -march=native -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all" CACHE STRING "")
set(ELASTICA_KERNEL_FLAGS -fno-sanitize=all -O2 CACHE STRING "")
set(ELASTICA_SIMD BASE CACHE STRING "")
set(ELASTICA_BUILD_FUZZERS ON CACHE BOOL "")
set(ELASTICA_BUILD_TESTS OFF CACHE BOOL "")
set(ELASTICA_BUILD_EXAMPLES OFF CACHE BOOL "")
