/* The hot loops: written once (kernels.inl), compiled per instruction set, reached through one table.
 *
 * Every kernel sweeps the slots begin .. begin + count - 1 (both multiples of ELI_BLOCK) of lanes whose index 0 is the first slot of a
 * tile. It may read one slot before and one behind them. lane: the slab's lanes at the tile's first slot. scratch: the worker's scratch
 * lanes, same indices.
 */
#ifndef ELI_KERNELS_H
#define ELI_KERNELS_H

#include <elastica.h>
#include <stddef.h>

#include "contact/friction.h"

/* Lanes of a worker's scratch; they hold one tile, its first slot at index 0. */
enum {
  /* The plain path: internal loads, from the strains to the kick. */
  ELI_STRETCH_FORCE = 0, /* element, 3: Q^T n of (3.8), laboratory */
  ELI_SHEAR_COUPLE = 3,  /* element, 3: l Q t x n of (3.9) */
  ELI_COUPLE_BEFORE = 6, /* joint, 3: its couple on the element before it */
  ELI_COUPLE_AFTER = 9,  /* joint, 3: its couple on the element after it */
  ELI_STRETCH_RATE = 12, /* element: t . (v_next - v), at the old velocities */
  /* Derived lanes, for hooks and queries. */
  ELI_STRAIN = 13,          /* element, 3: sigma */
  ELI_STRESS = 16,          /* element, 3: n, material */
  ELI_CURVATURE = 19,       /* joint, 3: kappa */
  ELI_JOINT_COUPLE = 22,    /* joint, 3: tau */
  ELI_INTERNAL_FORCE = 25,  /* node, 3, laboratory */
  ELI_INTERNAL_COUPLE = 28, /* element, 3, material */
  ELI_TOTAL_FORCE = 31,     /* node, 3: as add_reactions gets it */
  ELI_TOTAL_COUPLE = 34,    /* element, 3 */
  /* Step limit. */
  ELI_ADDED_NODE = 37,
  ELI_ADDED_ELEMENT = 38,
  ELI_ADDED_NODE_RATE = 39,
  ELI_ADDED_ELEMENT_RATE = 40,
  ELI_JOINT_BOUND = 41, /* joint, 4: twice its stiffness in bending and torsion, its couple, its coupling of stretch and turn */
  ELI_ELEMENT_LIMIT = 45,
  ELI_SHEAR_BOUND = 46,
  ELI_AXIAL_BOUND = 47,
  ELI_TORSION_BOUND = 48,
  ELI_ADDED_BOUND = 49,
  ELI_SCRATCH_COUNT = 50
};

/* Conditions that a kernel reports, as bits. */
enum {
  ELI_TRIP_SPEED = 1,   /* |v|^2 is not finite */
  ELI_TRIP_SPIN = 2,    /* |omega dt| > 1 rad, or not a number */
  ELI_TRIP_STRETCH = 4, /* |h s| >= 1/2, or not a number */
  ELI_TRIP_JOINT = 8,   /* a joint beyond ELI_JOINT_LIMIT, or not a number */
  ELI_TRIP_FAR = 16,    /* a joint beyond the range of the fast logarithm: not an error */
  ELI_TRIP_WATCH = 32   /* the state has moved farther than eli_watch allows: not an error; the step limit must be looked at again */
};

/* How far the state may move before the step limit is looked at again. The stretch of an element is compared with its own stretch at the
 * last look; shear, joints and spins are compared with these bounds of the whole world. */
typedef struct eli_watch {
  double shear2;  /* sigma1^2 + sigma2^2 */
  double joint_h; /* sin^2 of half the angle of a joint */
  double spin2;   /* |omega|^2 [rad^2/s^2] */
} eli_watch;

/* Largest relative change of an element's dilatation since the last look. */
#define ELI_WATCHED_STRETCH 0.1

/* Selects formulas. The first three are constants of the world. any_inertia: 1 in a tile that has elements with J1 != J2. rest: 1 in a tile
 * that has rest strains or rest curvatures other than 0. round: 1 in a tile with S1 = S2 and B1 = B2 everywhere. rest and round change no
 * result: they let the kernels read fewer lanes. */
typedef struct eli_law {
  int classical, exact_couple, explicit_couples;
  int any_inertia;
  int rest;
  int round;
  eli_watch watch;
} eli_law;

typedef struct eli_kernels {
  elastica_instruction_set instruction_set;

  /* The drift (C1, C2): r += h v, Q <- EXP(h omega) Q. twice 1: applied twice, the closing drift of a step and the opening one of the next.
   * spin2 as in eli_watch. */
  unsigned (*drift)(size_t begin, size_t count, double h, int twice, double spin2, double *const *lane);

  /* l, 1/l, e and t (3.3) from the positions. */
  void (*geometry)(size_t begin, size_t count, double *const *lane);

  /* Plain path. stretch_loads: Q^T n, shear couple and stretch rate of elements. joint_loads: the couples of joints on their elements. */
  unsigned (*stretch_loads)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch);
  unsigned (*joint_loads)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch);

  /* The same in two parts, so that hooks can add to the resultants: strains with stresses n, curvatures with couples tau; then the loads
   * from these. */
  unsigned (*strains)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch);
  unsigned (*curvatures)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch);
  void (*stretch_loads_from)(size_t begin, size_t count, double *const *lane, double *const *scratch);
  void (*joint_loads_from)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch);

  /* Internal forces on nodes and couples on elements, from the lanes that the kernels above wrote; and the total for add_reactions. */
  void (*internal)(size_t begin, size_t count, double *const *scratch);
  void (*total)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch);

  /* The kick (C3, C4) of v and omega over dt. loaded 1: external loads and drag rates are added, and their lanes reset. */
  void (*kick_velocity)(size_t begin, size_t count, double dt, int loaded, double *const *lane, double *const *scratch);
  unsigned (*kick_spin)(size_t begin, size_t count, double dt, int loaded, const eli_law *law, double *const *lane, double *const *scratch);

  /* Step limit: stiffness of each joint from its curvature and couple; stable step of each element. */
  void (*joint_bounds)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch);
  void (*element_limits)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch);

  /* Pressure and friction of a wall on one rod, see contact/friction.h. */
  eli_wall_press *press_wall;
} eli_kernels;

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__) && !defined(ELI_ONLY_BASE)
#define ELI_KERNELS_X86
extern const eli_kernels eli_kernels_fma, eli_kernels_avx2, eli_kernels_avx512;
#endif
extern const eli_kernels eli_kernels_base;

/* friction.c */
eli_wall_press eli_press_wall_base, eli_press_wall_fma, eli_press_wall_avx2, eli_press_wall_avx512;

/* NULL when this build, this system or this processor lacks the set. AUTO: the widest there is. */
const eli_kernels *eli_kernels_select(elastica_instruction_set set);

#endif
