/* The hot loops of one step, included by one file per instruction set, which defines ELI_KERNELS_NAME, the set's number and ELI_PRESS_WALL.
 *
 * models     the discrete Cosserat rod of Gazzola et al. 2018, sections 3 and appendices C, D
 * rules      plain C over restrict lanes; no libm but sqrt; no branch on data: rare slots are mended in a scalar pass that follows, chosen by
 *            the slot's own value; sums and products in one fixed order. Hence the same bits from every instruction set.
 * test       tests/case_trajectories.c, tests/test_bits.c
 */

#define ELI_INLINE static inline __attribute__((always_inline))

/* A flag that loops raise and never lower, in the form that each compiler vectorises: gcc has no 64-bit comparisons for integers below SSE4, clang
 * no conditional reduction for doubles. */
#ifdef __clang__
typedef long long flag;
#define ELI_RAISE_UNLESS(flag, fine) flag |= (fine) ? 0 : 1
#else
typedef double flag;
#define ELI_RAISE_UNLESS(flag, fine) flag = (fine) ? flag : 1
#endif

/* Loops below are handed counts that are whole blocks; saying so leaves the compiler no remainder to care for. */
ELI_INLINE size_t whole(size_t count) {
  return count & ~(size_t)(ELI_BLOCK - 1);
}

ELI_INLINE ptrdiff_t whole_signed(size_t count) {
  return (ptrdiff_t)whole(count);
}

/* One, three, nine neighbouring lanes at the first slot of the sweep. */
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
