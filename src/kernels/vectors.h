/* Vectors of space, frames, and the lanes of a tile, WIDTH slots at a time.
 *
 * The kernels read like the equations of the paper: a V3 is a vector at WIDTH nodes, elements or joints, and a Frame holds the directors of
 * WIDTH elements. Every function is inlined into each instruction set and has no external name, therefore the names have no prefix.
 */
#ifndef ELI_VECTORS_H
#define ELI_VECTORS_H

#include "kernels/kernels.h"
#include "kernels/simd.h"

typedef struct V3 {
  V x, y, z;
} V3;

/* The directors d1, d2, d3, which are the rows of Q. A rotation matrix has the same layout. */
typedef struct Frame {
  V3 d1, d2, d3;
} Frame;

ELI_INLINE V3 add(V3 a, V3 b) {
  return (V3){a.x + b.x, a.y + b.y, a.z + b.z};
}

ELI_INLINE V3 sub(V3 a, V3 b) {
  return (V3){a.x - b.x, a.y - b.y, a.z - b.z};
}

ELI_INLINE V3 scale(V a, V3 b) {
  return (V3){a * b.x, a * b.y, a * b.z};
}

/* a b + c */
ELI_INLINE V3 axpy(V a, V3 b, V3 c) {
  return (V3){madd(a, b.x, c.x), madd(a, b.y, c.y), madd(a, b.z, c.z)};
}

/* a b, a b + c, a b - c, axis by axis. */
ELI_INLINE V3 times(V3 a, V3 b) {
  return (V3){a.x * b.x, a.y * b.y, a.z * b.z};
}

ELI_INLINE V3 times_plus(V3 a, V3 b, V3 c) {
  return (V3){madd(a.x, b.x, c.x), madd(a.y, b.y, c.y), madd(a.z, b.z, c.z)};
}

ELI_INLINE V3 times_minus(V3 a, V3 b, V3 c) {
  return (V3){msub(a.x, b.x, c.x), msub(a.y, b.y, c.y), msub(a.z, b.z, c.z)};
}

ELI_INLINE V dot(V3 a, V3 b) {
  return madd(a.z, b.z, madd(a.y, b.y, a.x * b.x));
}

ELI_INLINE V3 cross(V3 a, V3 b) {
  return (V3){msub(a.y, b.z, a.z * b.y), msub(a.z, b.x, a.x * b.z), msub(a.x, b.y, a.y * b.x)};
}

/* a x b + c */
ELI_INLINE V3 cross_add(V3 a, V3 b, V3 c) {
  return (V3){madd(a.y, b.z, nmadd(a.z, b.y, c.x)), madd(a.z, b.x, nmadd(a.x, b.z, c.y)), madd(a.x, b.y, nmadd(a.y, b.x, c.z))};
}

ELI_INLINE V3 choose3(M holds, V3 a, V3 b) {
  return (V3){choose(holds, a.x, b.x), choose(holds, a.y, b.y), choose(holds, a.z, b.z)};
}

ELI_INLINE V3 one_behind3(V3 a, V3 behind) {
  return (V3){one_behind(a.x, behind.x), one_behind(a.y, behind.y), one_behind(a.z, behind.z)};
}

ELI_INLINE V3 where3(M holds, V3 a) {
  return (V3){where(holds, a.x), where(holds, a.y), where(holds, a.z)};
}

/* b/c, if a/c is known. Most sections have equal values on both axes, and divisions are most of the cost here. */
ELI_INLINE V quotient_like(V b, V c, V a, V a_per_c) {
  if (any((M)(b != a))) return b / c;
  return a_per_c;
}

/* Computes 1/sqrt(a) to one unit in the last place for 1e-300 < a < 1e300, and a finite number for a = 0. This takes less time than a root
 * and a division. The start value from the bits of a is within 3.5 %; two steps of third order and one Newton step follow. */
ELI_INLINE V inverse_root(V a) {
  typedef unsigned long long U __attribute__((vector_size(8 * WIDTH), may_alias));
  const V one = all(1.0);
  V y = (V)((U){0} + 0x5fe6eb50c7b537a9ULL - ((U)a >> 1));
  for (int k = 0; k < 2; k++) {
    const V h = nmadd(a * y, y, one);
    y = madd(y * h, madd(all(0.375), h, all(0.5)), y);
  }
  return madd(all(0.5) * y, nmadd(a * y, y, one), y);
}

/* Q a: transforms laboratory components to material components. */
ELI_INLINE V3 to_material(Frame Q, V3 a) {
  return (V3){dot(Q.d1, a), dot(Q.d2, a), dot(Q.d3, a)};
}

/* Q^T a: transforms material components to laboratory components. */
ELI_INLINE V3 to_laboratory(Frame Q, V3 a) {
  return axpy(a.z, Q.d3, axpy(a.y, Q.d2, scale(a.x, Q.d1)));
}

/* ---- Lanes: each function accesses WIDTH slots from slot i, a multiple of WIDTH; functions with a shift read slots i + shift, ... ---- */

typedef struct lanes {
  double *first; /* lane 0 at the first slot of the sweep */
  ptrdiff_t stride;
} lanes;

/* Return the lanes of a sweep and those of its scratch memory. With small 1 the stride is a compile-time constant. */
ELI_INLINE lanes lanes_of(const eli_sweep *sweep, const int small) {
  return (lanes){sweep->lane, small ? ELI_SMALL_STRIDE : sweep->stride};
}

ELI_INLINE lanes scratch_of(const eli_sweep *sweep, const int small) {
  return (lanes){sweep->scratch, small ? ELI_SMALL_STRIDE : sweep->scratch_stride};
}

ELI_INLINE int is_small(const eli_sweep *sweep) {
  return sweep->stride == ELI_SMALL_STRIDE && sweep->scratch_stride == ELI_SMALL_STRIDE;
}

ELI_INLINE V get(lanes from, int lane, ptrdiff_t i) {
  return *(const V *)(from.first + lane * from.stride + i);
}

ELI_INLINE V3 get3(lanes from, int lane, ptrdiff_t i) {
  return (V3){get(from, lane, i), get(from, lane + 1, i), get(from, lane + 2, i)};
}

ELI_INLINE Frame get_frame(lanes from, int lane, ptrdiff_t i) {
  return (Frame){get3(from, lane, i), get3(from, lane + 3, i), get3(from, lane + 6, i)};
}

ELI_INLINE V near(lanes from, int lane, ptrdiff_t i, int shift) {
  return *(const VU *)(from.first + lane * from.stride + i + shift);
}

ELI_INLINE V3 near3(lanes from, int lane, ptrdiff_t i, int shift) {
  return (V3){near(from, lane, i, shift), near(from, lane + 1, i, shift), near(from, lane + 2, i, shift)};
}

ELI_INLINE Frame near_frame(lanes from, int lane, ptrdiff_t i, int shift) {
  return (Frame){near3(from, lane, i, shift), near3(from, lane + 3, i, shift), near3(from, lane + 6, i, shift)};
}

ELI_INLINE void put(lanes to, int lane, ptrdiff_t i, V a) {
  *(V *)(to.first + lane * to.stride + i) = a;
}

ELI_INLINE void put3(lanes to, int lane, ptrdiff_t i, V3 a) {
  put(to, lane, i, a.x);
  put(to, lane + 1, i, a.y);
  put(to, lane + 2, i, a.z);
}

/* The difference operator Delta^h of appendix D, from a lane of elements to nodes, or from a lane of joints to elements. Beyond the ends
 * of a rod the slots are neutral: their values are the zeros of the operator. */
ELI_INLINE V3 difference(lanes from, int lane, ptrdiff_t i) {
  return sub(get3(from, lane, i), near3(from, lane, i, -1));
}

#define ELI_VECTORS_ARE_DEFINED /* for rod/law.h */

#endif
