# Toolchain for WebAssembly with the system interface WASI: cmake --toolchain .ci/wasm.cmake -S . -B build-wasm
# ctest runs the programs in node. Debian 12: clang lld wasi-libc libclang-rt-14-dev-wasm32 nodejs
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
set(CMAKE_C_FLAGS_INIT -msimd128)
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,-z,stack-size=1048576,--stack-first) # the linker's 64 kB are too small, and an overflow would go on unseen
set(CMAKE_CROSSCOMPILING_EMULATOR node --no-warnings ${CMAKE_CURRENT_LIST_DIR}/wasi.mjs)
