/* The first include of every source file: it sets the compiler's floating-point semantics.
 *
 * The library guarantees the same bits for every compiler, instruction set and optimisation level. Therefore a multiplication and an
 * addition must never be contracted into one rounding, and no file may be compiled with optimisations that change values.
 */
#ifndef ELI_TARGET_H
#define ELI_TARGET_H

#ifndef __GNUC__
#error "elastica needs gcc or clang; on Windows, gcc of MinGW-w64"
#endif

#ifdef __FAST_MATH__
#error "elastica needs IEEE arithmetic: compile it without -ffast-math"
#endif

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "elastica needs double arithmetic without extra precision (on 32-bit x86: -msse2 -mfpmath=sse)"
#endif

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

/* gcc for Windows aligns the stack to 16 bytes only, but moves wider vectors to it as if it were aligned to their size (its bug 54412). The
 * assembler makes these moves unaligned with the option -muse-unaligned-vector-move; ELI_UNALIGNED_MOVES states that it has this option. */
#if !defined(_WIN32) || defined(ELI_UNALIGNED_MOVES)
#define ELI_WIDE_VECTORS
#elif defined(__AVX__)
#error "elastica: on Windows, compile without AVX, or with -Wa,-muse-unaligned-vector-move -DELI_UNALIGNED_MOVES"
#endif

/* On Windows the functions of printf are those of MinGW-w64, which know the formats of C99 and write the same text as on other systems. */
#ifdef __MINGW32__
#undef __USE_MINGW_ANSI_STDIO
#define __USE_MINGW_ANSI_STDIO 1
#endif

/* Declares that a function takes the format and the arguments of printf, at these positions. */
#if defined(__MINGW32__) && !defined(__clang__)
#define ELI_PRINTF(format_position, first_argument) __attribute__((format(gnu_printf, format_position, first_argument)))
#else
#define ELI_PRINTF(format_position, first_argument) __attribute__((format(printf, format_position, first_argument)))
#endif

/* assert() states assumptions of the code. It is on in Debug builds of this project (CMakeLists.txt), so in its tests under sanitizers, and
 * off elsewhere, even if a user compiles the files without NDEBUG: the library never aborts a user's program. */
#ifdef ELI_ASSERTS
#undef NDEBUG
#elif !defined(NDEBUG)
#define NDEBUG
#endif
#include <assert.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
/* Where alternating sums and differences of products have an instruction, gcc's vectoriser of straight code contracts them all the same. */
#if defined(__FMA__) || defined(__FMA4__) || defined(__ARM_FEATURE_COMPLEX)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
#endif

#endif
