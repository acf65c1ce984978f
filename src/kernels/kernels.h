/* The hot loops: written once (kernels.inl), compiled per instruction set, reached through one table.
 *
 * A kernel sweeps whole blocks of slots. It may read one slot before and one behind them.
 */
#ifndef ELI_KERNELS_H
#define ELI_KERNELS_H

#include <elastica.h>
#include <stddef.h>
#include <stdint.h>

#include "base/drag.h"
#include "base/module.h"
#include "contact/friction.h"
#include "contact/line.h"
#include "contact/pace.h"
#include "contact/reference.h"

/* Lanes of a worker's scratch; they hold one tile, its first slot at index 0. */
enum {
  /* Internal loads, from the strains to the kick. */
  ELI_STRETCH_FORCE = 0, /* element, 3: Q^T n of (3.8), laboratory */
  ELI_COUPLE_BEFORE = 3, /* joint, 3: its couple on the element before it */
  ELI_COUPLE_AFTER = 6,  /* joint, 3: its couple on the element after it, and the shear couple of that element, l Q t x n of (3.9) */
  ELI_STRETCH_RATE = 9,  /* element, rescaled law: l t . (v_next - v), at the old velocities; from the kick of v to that of omega */
  ELI_SOFTENING = 10,    /* rescaled law: 1/e of the element and 1/E^3 of the joint */
  ELI_HALF_TURN = 12,    /* joint, 3: Dhat kappa/2, where derived lanes are worked out */
  ELI_COUPLE_RATIO = 15, /* joint: 4 c of the exact couple, likewise */
  /* Derived lanes, for hooks and queries. */
  ELI_STRAIN = 16,          /* element, 3: sigma */
  ELI_STRESS = 19,          /* element, 3: n, material */
  ELI_CURVATURE = 22,       /* joint, 3: kappa */
  ELI_JOINT_COUPLE = 25,    /* joint, 3: tau */
  ELI_INTERNAL_FORCE = 28,  /* node, 3, laboratory */
  ELI_INTERNAL_COUPLE = 31, /* element, 3, material */
  ELI_TOTAL_FORCE = 34,     /* node, 3: as add_reactions gets it */
  ELI_TOTAL_COUPLE = 37,    /* element, 3 */
  /* Step limit. */
  ELI_ADDED_NODE = 40,
  ELI_ADDED_ELEMENT = 41,
  ELI_ADDED_NODE_RATE = 42,
  ELI_ADDED_ELEMENT_RATE = 43,
  ELI_JOINT_BOUND = 44, /* joint, 4: what bending and torsion add to omega^2, its couple, its coupling of stretch and turn */
  ELI_ELEMENT_LIMIT = 48,
  ELI_SHEAR_BOUND = 49,
  ELI_AXIAL_BOUND = 50,
  ELI_TORSION_BOUND = 51,
  ELI_ADDED_BOUND = 52,
  ELI_SCRATCH_COUNT = 53
};

/* What a sweep over loads does besides, as bits: classical law, l as lengths() gives it; adds to n and tau what stands in the lanes of
 * resultants. */
enum { ELI_WITH_LENGTHS = 1, ELI_WITH_RESULTANTS = 2 };

/* Conditions that a kernel reports, as bits. */
enum {
  ELI_TRIP_SPEED = 1,   /* |v|^2 is not finite */
  ELI_TRIP_SPIN = 2,    /* |omega dt| > 1 rad, or not a number */
  ELI_TRIP_STRETCH = 4, /* |h s| >= 1/2, or not a number */
  ELI_TRIP_JOINT = 8,   /* a joint beyond ELI_JOINT_LIMIT, or not a number */
  ELI_TRIP_FAR = 16,    /* a joint beyond the range of the fast logarithm: not an error */
  ELI_TRIP_WATCH = 32,  /* the state has moved farther than eli_watch allows: not an error; the step limit must be looked at again */
  ELI_TRIP_WIDE = 64    /* a joint beyond ELI_JOINT_WIDE_H, which may pass the limit within a step: not an error */
};

/* Those that are no errors. */
#define ELI_TRIPS_OF_SOUND_STEPS ((unsigned)(ELI_TRIP_FAR | ELI_TRIP_WATCH | ELI_TRIP_WIDE))

/* What has been written into the external lanes before a kick, and whether rates of dissipation stand there or follow from the lengths. */
enum {
  ELI_NO_LOADS = 0,
  ELI_LOADS = 1,            /* forces and couples */
  ELI_LOADS_AND_RATES = 2,  /* and rates */
  ELI_DAMPING = 3,          /* nothing, and rates by length */
  ELI_LOADS_AND_DAMPING = 4 /* forces and couples, and rates by length */
};

/* What a kick is given: its time; what of the external lanes it reads and resets, in the spans of 2^span_bits slots whose bit of `touched` is set,
 * elsewhere it adds nothing; and with damping the rates by length: gamma_t/2 for each element that meets at a node, gamma_r for each element
 * (modules/dissipation.c). */
typedef struct eli_impulse {
  double dt;
  int loaded;
  int span_bits; /* whole blocks */
  uint64_t touched;
  double half_translation, rotation;
} eli_impulse;

/* How far the state may move before the step limit is looked at again. The stretch of an element is compared with its own stretch at the
 * last look; shear, joints and spins are compared with these bounds of the whole world. */
typedef struct eli_watch {
  double shear2;  /* sigma1^2 + sigma2^2 */
  double joint_h; /* sin^2 of half the angle of a joint */
  double spin2;   /* |omega|^2 [rad^2/s^2] */
} eli_watch;

/* Largest relative change of an element's dilatation since the last look. */
#define ELI_WATCHED_STRETCH 0.1

/* An element is watched where l^2 leaves (1 +- ELI_WATCHED_RANGE) WATCHED_LENGTH2. */
#define ELI_WATCHED_CENTRE (1.0 + ELI_WATCHED_STRETCH * ELI_WATCHED_STRETCH)
#define ELI_WATCHED_RANGE (2.0 * ELI_WATCHED_STRETCH / ELI_WATCHED_CENTRE)

/* Of the elements, joints and nodes of a sweep, at a look at the step limit. */
typedef struct eli_extremes {
  double step;   /* [s] the smallest stable one, where NaN counts as 0; infinite: nothing bounds it */
  double shear2; /* the largest sigma1^2 + sigma2^2; of this and the others, NaN does not count */
  double turn2;  /* [rad^2] of a joint */
  double spin2;  /* [rad^2/s^2] |omega|^2 */
  double speed2; /* [m^2/s^2] |v|^2 */
} eli_extremes;

/* Selects formulas. The first three are constants of the world. any_inertia: 1 in a tile that has elements with J1 != J2. */
typedef struct eli_law {
  int classical, exact_couple, explicit_couples;
  int any_inertia;
  eli_watch watch;
} eli_law;

/* Slots that are swept, and where their lanes are: lane k of slot i is lane[k stride + i], of the scratch likewise. */
typedef struct eli_sweep {
  double *lane;
  ptrdiff_t stride;
  double *scratch;
  ptrdiff_t scratch_stride;
  ptrdiff_t count; /* slots: whole blocks */
} eli_sweep;

/* Joints that tie the frames of two bodies (eli_tie), side by side: where their elements are, what they are, and what they add. */
enum { ELI_TIES = 8 };
typedef struct eli_ties {
  ptrdiff_t slot[2][ELI_TIES]; /* of the elements */
  double share[2][ELI_TIES], pose[9][ELI_TIES], stiffness[ELI_TIES], turning[ELI_TIES];
  double force[3][ELI_TIES];     /* [N] on the second body, laboratory; the opposite on the first, */
  double couple[2][3][ELI_TIES]; /* [N m] couple on the second, and the opposite of that on the first, each material */
  double large[ELI_TIES];        /* 1: turned too far for this, and not found */
  int has_offsets;
  double offset[2][3][ELI_TIES];
  int entry[ELI_TIES]; /* of the meeting's list; -1: none */
} eli_ties;

typedef struct eli_kernels {
  elastica_instruction_set instruction_set;

  /* The drift (C1, C2): r += h v, Q <- EXP(h omega) Q. twice 1: applied twice, the closing drift of a step and the opening one of the next.
   * spin2 as in eli_watch. */
  unsigned (*drift)(const eli_sweep *, double h, int twice, double spin2);

  /* From the positions: l, e and t (3.3); or l alone. */
  void (*geometry)(const eli_sweep *);
  void (*lengths)(const eli_sweep *);

  /* Rescaled law: what loads() reads of the dilatations, and stretch rates, from l; or together with l. */
  void (*soften)(const eli_sweep *);
  void (*lengths_and_soften)(const eli_sweep *);

  /* Internal loads of elements and joints; or with the derived lanes, strains and curvatures, stresses n and couples tau. In the rescaled
   * law the former reads what soften() wrote, the latter l. */
  unsigned (*loads)(const eli_sweep *, const eli_law *);
  unsigned (*loads_and_strains)(const eli_sweep *, const eli_law *);

  /* The former in other forms: what the flags say. */
  unsigned (*loads_with)(const eli_sweep *, const eli_law *, int with);

  /* Writes -0, which changes nothing that it is added to, into the lanes of resultants. */
  void (*clear_resultants)(const eli_sweep *);

  /* The same in two parts, so that hooks can add to the resultants: the derived lanes; then the loads from these. Same bits. */
  unsigned (*strains)(const eli_sweep *, const eli_law *);
  void (*loads_from)(const eli_sweep *, const eli_law *);

  /* Internal forces on nodes and couples on elements, from the lanes that the kernels above wrote; and the total for add_reactions, with
   * those of internal() where gathered is 1, else with the same as it finds them itself. */
  void (*internal)(const eli_sweep *);
  void (*total)(const eli_sweep *, const eli_law *, int gathered);

  /* The kick (C3, C4): of v; of omega, where spins depend on the velocities before and after the kick of v (rescaled law); of both, with
   * circular sections and couples at the midpoint, where nothing stands between the two. No damping with any_inertia or explicit_couples. */
  void (*kick_velocity)(const eli_sweep *, const eli_impulse *);
  unsigned (*kick_spin)(const eli_sweep *, const eli_impulse *, const eli_law *);
  unsigned (*kick_both)(const eli_sweep *, const eli_impulse *, const eli_law *);

  /* Step limit: stiffness of each joint from its curvature and couple; stable step of each element, with or without what hooks have added;
   * and the extremes of this and of the state. */
  void (*joint_bounds)(const eli_sweep *, const eli_law *);
  void (*element_limits)(const eli_sweep *, const eli_law *, int added);
  eli_extremes (*extremes)(const eli_sweep *);

  /* Pressure and friction of a wall on one rod, see contact/friction.h. */
  eli_wall_press *press_wall;

  /* Rates of dissipation of one rod, see base/module.h. */
  eli_rates_add *add_rates;

  /* The same of all rods of a sweep, into lanes of rates that are neutral. */
  void (*spread_rates)(const eli_sweep *, double half, double rotation);

  /* What joints that tie frames add: from the state in the lanes of the slab. */
  void (*find_ties)(eli_ties *, const double *lane, ptrdiff_t stride);

  /* Lines of contact, see contact/line.h. */
  const eli_lines_work *lines;

  /* How far bodies have moved, see contact/reference.h. */
  eli_reference_look *look_from_reference;

  /* How fast they are, see contact/pace.h. */
  eli_pace_look *look_at_pace;

  /* Drag, see base/drag.h. */
  const eli_drag_work *drag;
} eli_kernels;

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__) && !defined(ELI_ONLY_BASE)
#define ELI_KERNELS_X86
extern const eli_kernels eli_kernels_fma, eli_kernels_avx2, eli_kernels_avx512;
#endif
extern const eli_kernels eli_kernels_base;

/* NULL when this build, this system or this processor lacks the set. AUTO: the widest there is. */
const eli_kernels *eli_kernels_select(elastica_instruction_set set);

#endif
