/* The hot loops of one step. Each file kernels_<set>.c includes this text once and defines ELI_KERNELS_NAME, ELI_KERNELS_SET and
 * ELI_PRESS_WALL.
 *
 * models     the discrete Cosserat rod of Gazzola et al. 2018, section 3 and appendices C, D
 * equations  kinematics.inl  (C1), (C2), (C5), (C6), the drift: (3.6), (3.7) in time
 *            stretch.inl     (3.3) l, e, t, sigma; (2.11) n; Q^T n of (3.8); shear/stretch couple of (3.9)
 *            bend.inl        (3.4) D; (3.5) kappa, E; (2.8) tau; bend/twist couple of (3.9)
 *            kick.inl        (3.8), (3.9), the operators Delta^h and A^h of appendix D; (C3), (C4), the kick
 *            limit.inl       the stable step, which the paper does not give
 * rules      plain C over restrict lanes; no libm but sqrt; no branch on data: a scalar pass that follows replaces the values of rare
 *            slots, each chosen by its own value; sums and products in one fixed order. Hence the same bits from every instruction set.
 * test       tests/case_trajectories.c, tests/test_bits.c
 */

#define ELI_INLINE static inline __attribute__((always_inline))

/* A flag that a loop sets and never clears, in the form that each compiler vectorises: below SSE4 gcc has no comparisons of 64-bit
 * integers, and clang vectorises no conditional reduction of doubles. */
#ifdef __clang__
typedef long long flag;
#define ELI_RAISE_UNLESS(flag, fine) flag |= (fine) ? 0 : 1
#else
typedef double flag;
#define ELI_RAISE_UNLESS(flag, fine) flag = (fine) ? flag : 1
#endif

/* The counts given to the loops below are multiples of ELI_BLOCK. The mask tells the compiler so, and it emits no loop for a remainder. */
ELI_INLINE size_t whole(size_t count) {
  return count & ~(size_t)(ELI_BLOCK - 1);
}

ELI_INLINE ptrdiff_t whole_signed(size_t count) {
  return (ptrdiff_t)whole(count);
}

/* One, three or nine consecutive lanes, each at the first slot of the sweep. */
#define ELI_1(lane, k) ((lane)[(k)] + begin)
#define ELI_3(lane, k) ELI_1(lane, k), ELI_1(lane, (k) + 1), ELI_1(lane, (k) + 2)
#define ELI_9(lane, k) ELI_3(lane, k), ELI_3(lane, (k) + 3), ELI_3(lane, (k) + 6)

#include "kernels/kinematics.inl"
#include "kernels/stretch.inl"
#include "kernels/bend.inl"
#include "kernels/kick.inl"
#include "kernels/limit.inl"

const eli_kernels ELI_KERNELS_NAME = {
    ELI_KERNELS_SET,  drift,    geometry, stretch_loads, joint_loads, strains,      curvatures,     stretch_loads_from,
    joint_loads_from, internal, total,    kick_velocity, kick_spin,   joint_bounds, element_limits, ELI_PRESS_WALL};
