/* The first include of every source file: it sets the compiler's floating-point semantics.
 *
 * The library guarantees the same bits for every compiler, instruction set and optimisation level. Therefore a multiplication and an
 * addition must never be contracted into one rounding, and no file may be compiled with optimisations that change values.
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
#endif

#endif
