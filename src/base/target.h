/* First include of every source file: what the compiler is told before anything else.
 *
 * The library promises the same bits from every compiler, instruction set and optimisation level. That holds only if a multiplication
 * and an addition are never contracted into one rounding, and if no file is compiled with value-changing optimisations.
 */
#ifndef ELI_TARGET_H
#define ELI_TARGET_H

#ifdef __FAST_MATH__
#error "elastica needs IEEE arithmetic: compile it without -ffast-math"
#endif

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "elastica needs double arithmetic without extra precision (on 32-bit x86: -msse2 -mfpmath=sse)"
#endif

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

/* assert() states what the code relies on, in Debug builds of this project (CMakeLists.txt), which its tests under sanitizers are. Elsewhere it is
 * off, also where a user compiles the files without NDEBUG: the library never aborts a user's program. */
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
#endif

#endif
