/* The hot loops of one step, included by one file per instruction set, which defines ELI_KERNELS_NAME and the set's number.
 *
 * models     the discrete Cosserat rod of Gazzola et al. 2018, sections 3 and appendices C, D
 * rules      plain C over restrict lanes; no libm but sqrt; no branch on data: rare slots are mended in a scalar pass that follows, chosen by
 *            the slot's own value; sums and products in one fixed order. Hence the same bits from every instruction set.
 * test       tests/case_trajectories.c, tests/test_bits.c
 */

#define ELI_INLINE static inline __attribute__((always_inline))

/* Loops below are handed counts that are whole blocks; saying so leaves the compiler no remainder to care for. */
ELI_INLINE size_t whole(size_t count) {
  return count & ~(size_t)(ELI_BLOCK - 1);
}

#include "kernels/kinematics.inl"
#include "kernels/stretch.inl"
#include "kernels/bend.inl"
#include "kernels/kick.inl"
#include "kernels/limit.inl"

const eli_kernels ELI_KERNELS_NAME = {ELI_KERNELS_SET,    drift,    geometry, stretch_loads, joint_loads, strains,      curvatures,
                                      stretch_loads_from, joint_loads_from, internal, total, kick_velocity, kick_spin, joint_bounds, element_limits};
