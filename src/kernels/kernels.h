/* The hot loops. They are written once (kernels.inl), compiled for each instruction set, and called through one table of functions.
 *
 * A kernel processes whole blocks of slots. It may read one slot before and one slot after them.
 */
#ifndef ELI_KERNELS_H
#define ELI_KERNELS_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>
#include <stdint.h>

#include "base/drag.h"
#include "contact/broad_phase.h"
#include "contact/friction.h"
#include "contact/line.h"

/* Lanes of a worker's scratch memory. They hold one tile; its first slot has index 0. */
enum {
  /* Internal loads; they are valid from the computation of the strains to the kick. */
  ELI_STRETCH_FORCE = 0,        /* element, 3: Q^T n of (3.8), laboratory */
  ELI_COUPLE_BEFORE = 3,        /* joint, 3: its couple on the element before it */
  ELI_COUPLE_AFTER = 6,         /* joint, 3: its couple on the element after it, and the shear couple of that element, l Q t x n of (3.9) */
  ELI_STRETCH_RATE = 9,         /* element, rescaled law: l t . (v_next - v) with the velocities before the kick */
  ELI_RESCALING = 10,           /* rescaled law: 1/e of the element and 1/E^3 of the joint */
  ELI_HALF_ANGLE = 12,          /* joint, 3: Dhat kappa/2, if derived lanes are computed */
  ELI_EXACT_COUPLE_FACTOR = 15, /* joint: 4 c of the exact couple, if derived lanes are computed */
  /* Derived lanes, for hooks and queries. */
  ELI_STRAIN = 16,          /* element, 3: sigma */
  ELI_STRESS = 19,          /* element, 3: n, material */
  ELI_CURVATURE = 22,       /* joint, 3: kappa */
  ELI_JOINT_COUPLE = 25,    /* joint, 3: tau */
  ELI_INTERNAL_FORCE = 28,  /* node, 3, laboratory */
  ELI_INTERNAL_COUPLE = 31, /* element, 3, material */
  ELI_TOTAL_FORCE = 34,     /* node, 3: the total that add_reactions receives */
  ELI_TOTAL_COUPLE = 37,    /* element, 3 */
  /* Step limit. */
  ELI_ADDED_NODE = 40,
  ELI_ADDED_ELEMENT = 41,
  ELI_ADDED_NODE_RATE = 42,
  ELI_ADDED_ELEMENT_RATE = 43,
  ELI_JOINT_BOUND = 44, /* joint, 4: its part of omega^2 for bending and torsion, its couple, its coupling of stretch and rotation */
  ELI_ELEMENT_LIMIT = 48,
  ELI_SHEAR_BOUND = 49,
  ELI_AXIAL_BOUND = 50,
  ELI_TORSION_BOUND = 51,
  ELI_ADDED_BOUND = 52,
  ELI_SCRATCH_COUNT = 53
};

/* Options of a sweep over loads, as bits. LENGTHS: the sweep also writes l as lengths() does (classical law). RESULTANTS: the sweep adds
 * the values in the lanes ELI_STRESS and ELI_JOINT_COUPLE to n and tau. */
enum { ELI_WITH_LENGTHS = 1, ELI_WITH_RESULTANTS = 2 };

/* Conditions that a kernel reports, as bits. */
enum {
  ELI_TRIP_SPEED = 1,   /* |v|^2 is not finite */
  ELI_TRIP_SPIN = 2,    /* |omega dt| > 1 rad, or not a number */
  ELI_TRIP_STRETCH = 4, /* |h s| >= 1/2 in the law RESCALED, or not a number; step/stages.c has the test of the law CLASSICAL */
  ELI_TRIP_JOINT = 8,   /* a joint angle is larger than ELI_JOINT_LIMIT, or not a number */
  ELI_TRIP_FAR = 16,    /* a joint angle is beyond the range of the fast logarithm; this is not an error */
  ELI_TRIP_WATCH = 32,  /* the state has moved farther than eli_watch allows; this is not an error, it requests a limit check */
  ELI_TRIP_WIDE = 64    /* a joint is beyond ELI_JOINT_WIDE_H and may pass the limit within a step; this is not an error */
};

/* The trips that are no errors. */
#define ELI_TRIPS_OF_SOUND_STEPS ((unsigned)(ELI_TRIP_FAR | ELI_TRIP_WATCH | ELI_TRIP_WIDE))

/* The content of the external lanes before a kick: loads or none, and dissipation rates from the lanes, from the lengths, or none. */
enum {
  ELI_NO_LOADS = 0,
  ELI_LOADS = 1,            /* forces and couples */
  ELI_LOADS_AND_RATES = 2,  /* forces, couples and rates */
  ELI_DAMPING = 3,          /* no loads; rates follow from the lengths */
  ELI_LOADS_AND_DAMPING = 4 /* forces and couples; rates follow from the lengths */
};

/* Input of a kick. The kick reads and resets the external lanes only in the spans of 2^span_bits slots with their bit in `touched` set; the
 * other spans have no external loads. The rates from lengths are gamma_t/2 times the length of each element at a node, and gamma_r times
 * the length of an element (effects/dissipation.c); they apply to all spans. */
typedef struct eli_impulse {
  double dt;
  int loaded;
  int span_bits; /* a span consists of whole blocks */
  uint64_t touched;
  double half_translation, rotation;
} eli_impulse;

/* The motion that is allowed before the next limit check, by rod/law.h. The stretch of an element is compared with its own stretch at the
 * last limit check. Shear, joints and spins are compared with these bounds for the whole world. */
typedef struct eli_watch {
  double shear2;  /* sigma1^2 + sigma2^2 */
  double joint_h; /* sin^2 of half the angle of a joint */
  double spin2;   /* |omega|^2 [rad^2/s^2] */
} eli_watch;

/* Extremes over the elements, joints and nodes of a sweep, for a limit check. */
typedef struct eli_extremes {
  double step;   /* [s] the smallest stable step; NaN counts as 0; infinite if there is no bound */
  double shear2; /* the largest sigma1^2 + sigma2^2; here and below, NaN is ignored */
  double turn2;  /* [rad^2] squared angle of a joint */
  double spin2;  /* [rad^2/s^2] |omega|^2 */
  double speed2; /* [m^2/s^2] |v|^2 */
} eli_extremes;

/* Selects formulas. The first three fields are constants of the world. any_inertia is 1 for a tile that has elements with J1 != J2. */
typedef struct eli_law_options {
  int classical, exact_couple, explicit_couples;
  int any_inertia;
  eli_watch watch;
} eli_law_options;

/* The slots of a sweep and their memory: lane k of slot i is lane[k stride + i]. The scratch memory has the same layout. */
typedef struct eli_sweep {
  double *lane;
  ptrdiff_t stride;
  double *scratch;
  ptrdiff_t scratch_stride;
  ptrdiff_t count; /* number of slots, in whole blocks */
} eli_sweep;

/* Adds gamma_t (l_{i-1} + l_i)/2 to drag for the nodes 1 .. count - 1 of a rod, with half = gamma_t/2, and rotation l_j to spin_drag for
 * its elements 0 .. count - 1, with the instruction set of the world (kernels/dissipation.inl). */
typedef void eli_rates_add(double *drag, double *spin_drag, const double *length, int count, double half, double rotation);

/* A batch of fixed joints (eli_fixed_joint) that is evaluated in lanes: indices, parameters and results. */
enum { ELI_JOINT_LANES = 8 };
typedef struct eli_joint_batch {
  ptrdiff_t slot[2][ELI_JOINT_LANES]; /* indices of the joined elements */
  double share[2][ELI_JOINT_LANES], pose[9][ELI_JOINT_LANES], stiffness[ELI_JOINT_LANES], turning[ELI_JOINT_LANES];
  double force[3][ELI_JOINT_LANES];     /* [N] on the second body, laboratory; the first body gets the opposite force */
  double couple[2][3][ELI_JOINT_LANES]; /* [N m] material: [1] the couple on the second body, [0] the opposite of the couple on the first */
  double large[ELI_JOINT_LANES];        /* 1: the angle is too large for this evaluation, and the results are not valid */
  int has_offsets, has_deviators;
  double deviator[6][ELI_JOINT_LANES], widest[ELI_JOINT_LANES]; /* widest: the largest sin^2 of the angle for this evaluation */
  double offset[2][3][ELI_JOINT_LANES];
  int entry[ELI_JOINT_LANES]; /* index in the list of the pair phase; -1: unused */
} eli_joint_batch;

typedef struct eli_kernels {
  elastica_instruction_set instruction_set;

  /* The drift (C1, C2): r += h v, Q <- EXP(h omega) Q. With twice 1 it is applied two times: as the closing drift of a step and as the
   * opening drift of the next step. spin2 is that of eli_watch. */
  unsigned (*drift)(const eli_sweep *, double h, int twice, double spin2);

  /* geometry computes l, e and t (3.3) from the positions; lengths computes only l. */
  void (*geometry)(const eli_sweep *);
  void (*lengths)(const eli_sweep *);

  /* Rescaled law: rescale computes the factors of the dilatations for loads() and the stretch rates from l; lengths_and_rescale computes l
   * as well. */
  void (*rescale)(const eli_sweep *);
  void (*lengths_and_rescale)(const eli_sweep *);

  /* loads computes the internal loads of elements and joints. loads_and_strains also writes the derived lanes: strains, curvatures,
   * stresses n and couples tau. In the rescaled law loads reads the factors of rescale(), and loads_and_strains reads l. */
  unsigned (*loads)(const eli_sweep *, const eli_law_options *);
  unsigned (*loads_and_strains)(const eli_sweep *, const eli_law_options *);

  /* Computes the loads with the options ELI_WITH_... in `with`. */
  unsigned (*loads_with)(const eli_sweep *, const eli_law_options *, int with);

  /* Writes -0 into the lanes of resultants. A sum with -0 keeps its bits. */
  void (*clear_resultants)(const eli_sweep *);

  /* The two halves of loads_and_strains, so that hooks can add to the resultants between them: strains writes the derived lanes, and
   * loads_from computes the loads from them. The bits are the same. */
  unsigned (*strains)(const eli_sweep *, const eli_law_options *);
  void (*loads_from)(const eli_sweep *, const eli_law_options *);

  /* internal computes the internal forces on nodes and couples on elements from the lanes written by the kernels above. total computes the
   * sums for add_reactions. With gathered 1 it reads the results of internal(); otherwise it computes the same numbers itself. */
  void (*internal)(const eli_sweep *);
  void (*total)(const eli_sweep *, const eli_law_options *, int gathered);

  /* The kick (C3, C4). kick_velocity changes v. kick_spin changes omega; in the rescaled law spins depend on the velocities before and
   * after the kick of v. kick_both changes v and omega in one sweep, for circular sections and couples at the midpoint, if no effect may
   * see new velocities with old spins. Rates from lengths are not allowed with any_inertia or explicit_couples. */
  void (*kick_velocity)(const eli_sweep *, const eli_impulse *);
  unsigned (*kick_spin)(const eli_sweep *, const eli_impulse *, const eli_law_options *);
  unsigned (*kick_both)(const eli_sweep *, const eli_impulse *, const eli_law_options *);

  /* Step limit: joint_bounds computes the stiffness of each joint from its curvature and couple. element_limits computes the stable step of
   * each element; with added 1 it includes the stiffness and rates added by hooks. extremes computes the extremes of these steps and of the
   * state. */
  void (*joint_bounds)(const eli_sweep *, const eli_law_options *);
  void (*element_limits)(const eli_sweep *, const eli_law_options *, int added);
  eli_extremes (*extremes)(const eli_sweep *);

  /* Pressure and friction of a wall on one rod (contact/friction.h). */
  eli_wall_press *press_wall;

  /* Adds the dissipation rates of one rod (eli_rates_add). */
  eli_rates_add *add_rates;

  /* Computes the forces and couples of fixed joints from the state in the lanes of the slab. */
  void (*find_fixed_joints)(eli_joint_batch *, const double *lane, ptrdiff_t stride);

  /* Contact along lines (contact/line.h). */
  const eli_lines_work *lines;

  /* Compares positions with those of the last pair search (contact/broad_phase.h). */
  eli_reference_check *check_reference;

  /* Computes the range of velocities of a rod (contact/broad_phase.h). */
  eli_pace_check *check_pace;

  /* Drag (base/drag.h). */
  const eli_drag_work *drag;
} eli_kernels;

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__) && !defined(ELI_ONLY_BASE)
#define ELI_KERNELS_X86
#ifdef ELI_WIDE_VECTORS
#define ELI_KERNELS_WIDE
#endif
extern const eli_kernels eli_kernels_fma, eli_kernels_avx2, eli_kernels_avx512;
#endif
extern const eli_kernels eli_kernels_base;

/* Returns NULL if this build, this system or this processor lacks the instruction set. AUTO selects the widest available set. */
const eli_kernels *eli_kernels_select(elastica_instruction_set set);

#endif
