/* The hot loops of one step. Each file kernels_<set>.c includes this text once and defines ELI_KERNELS_NAME and ELI_KERNELS_SET.
 *
 * models     the discrete Cosserat rod of Gazzola et al. 2018, section 3 and appendices C, D
 * equations  kinematics.inl  (3.3) l, e, t; (C1), (C2), (C5), (C6), the drift: (3.6), (3.7) in time
 *            stretch.inl     (3.3) sigma; (2.11) n
 *            bend.inl        (3.4) D; (3.5) kappa, E; (2.8) tau; bend/twist couple of (3.9)
 *            loads.inl       stretch and bending in one sweep: Q^T n of (3.8), the couples of (3.9)
 *            kick.inl        (3.8), the operators Delta^h and A^h of appendix D; (C3), the kick of velocities
 *            spin.inl        (3.9); (C4), the kick of spins
 *            limit.inl       the stable step, which the paper does not give
 *            dissipation.inl the rates of (4.1)
 *            drag.inl        (4.13), the drag of a fluid
 *            fixed_joints.inl  fixed joints
 *            lines.inl       contact and self-contact along lines; stick_slip.inl: stick-slip friction of these contacts
 *            broad_phase.inl displacement since the last search for pairs, and the range of velocities
 *            wall.inl        (4.8), the normal force of a wall; friction.inl: its anisotropic friction, (4.9) to (4.12);
 *                            wall_lanes.inl: the lanes of both
 * rules      Vectors of slots (vectors.h, simd.h). Products and sums have one fixed order and are fused only as written. There is no branch
 *            on data except to a slow path, and each slot takes from a slow path only the result for its own value. Hence every instruction
 *            set gives the same bits.
 * test       tests/case_trajectories.c, tests/test_bits.c
 */
#include "base/elementary.h"
#include "base/rotation.h"
#include "contact/stick_slip.h"
#include "kernels/vectors.h"
#include "rod/law.h" /* after the vectors: with the law on slots */

#include "kernels/kinematics.inl"
#include "kernels/stretch.inl"
#include "kernels/bend.inl"
#include "kernels/loads.inl"
#include "kernels/kick.inl"
#include "kernels/spin.inl"
#include "kernels/limit.inl"
#include "kernels/wall_lanes.inl"
#include "kernels/friction.inl"
#include "kernels/wall.inl"
#include "kernels/dissipation.inl"
#include "kernels/fixed_joints.inl"
#include "kernels/lines.inl"
#include "kernels/stick_slip.inl"
#include "kernels/broad_phase.inl"
#include "kernels/drag.inl"

const eli_kernels ELI_KERNELS_NAME = {ELI_KERNELS_SET,
                                      drift,
                                      geometry,
                                      lengths,
                                      rescale,
                                      lengths_and_rescale,
                                      loads,
                                      loads_and_strains,
                                      loads_with,
                                      clear_resultants,
                                      strains,
                                      loads_from,
                                      internal,
                                      total,
                                      kick_velocity,
                                      kick_spin,
                                      kick_both,
                                      joint_bounds,
                                      element_limits,
                                      extremes,
                                      press_wall,
                                      add_rates,
                                      find_fixed_joints,
                                      &lines_work,
                                      check_reference,
                                      check_pace,
                                      &drag_work};
