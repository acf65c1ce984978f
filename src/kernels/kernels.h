/* The hot loops: written once (kernels.inl), compiled per instruction set, reached through one table.
 *
 * Every kernel sweeps the slots begin .. begin + count - 1 (both multiples of ELI_BLOCK) of lanes whose index 0 is the first slot of a tile; it may
 * read one slot before and one behind. Vectors come as arrays of lane pointers that the kernel unpacks into restrict parameters of its loop.
 */
#ifndef ELI_KERNELS_H
#define ELI_KERNELS_H

#include <elastica.h>
#include <stddef.h>

#include "contact/friction.h"

/* Lanes of a worker's scratch; they hold one tile, its first slot at index 0. */
enum {
  /* What the plain path hands from the internal loads to the kick. */
  ELI_STRETCH_FORCE = 0, /* element, 3: Q^T n, laboratory */
  ELI_SHEAR_COUPLE = 3,  /* element, 3: l Q t x n */
  ELI_COUPLE_BEFORE = 6, /* joint, 3: its couple on the element before it */
  ELI_COUPLE_AFTER = 9,  /* joint, 3: its couple on the element after it */
  ELI_STRETCH_RATE = 12, /* element: t . (v_next - v), at the old velocities */
  /* What hooks and queries look at. */
  ELI_STRAIN = 13,
  ELI_STRESS = 16,       /* n, material */
  ELI_CURVATURE = 19,    /* joint, 3 */
  ELI_JOINT_COUPLE = 22, /* joint, 3: tau */
  ELI_INTERNAL_FORCE = 25,
  ELI_INTERNAL_COUPLE = 28,
  ELI_TOTAL_FORCE = 31,
  ELI_TOTAL_COUPLE = 34,
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

/* What a kernel noticed. */
enum {
  ELI_TRIP_SPEED = 1,   /* |v|^2 is not finite */
  ELI_TRIP_SPIN = 2,    /* |omega dt| > 1 rad, or not a number */
  ELI_TRIP_STRETCH = 4, /* |h s| >= 1/2, or not a number */
  ELI_TRIP_JOINT = 8,   /* a joint beyond ELI_JOINT_LIMIT, or not a number */
  ELI_TRIP_FAR = 16,    /* a joint beyond the fast logarithm: not an error */
  ELI_TRIP_WATCH = 32   /* the state has left what eli_watch allows: not an error, but time to look at the step limit again */
};

/* How far the state may move from where the step limit was last looked at. The stretch of an element is compared with its own of that look; shear,
 * joints and spins with the largest of the world. */
typedef struct eli_watch {
  double shear2;  /* sigma1^2 + sigma2^2 */
  double joint_h; /* sin^2 of half the angle of a joint */
  double spin2;   /* |omega|^2 [rad^2/s^2] */
} eli_watch;

/* Share of its dilatation by which an element may be longer or shorter than at the last look. */
#define ELI_WATCHED_STRETCH 0.1

/* Which formulas: three constants of a world; any_inertia is 1 in a tile that has elements with J1 != J2, rest in one that has rest strains or
 * curvatures other than 0, round in one with S1 = S2 and B1 = B2 everywhere; the last two only spare lanes that would change nothing. */
typedef struct eli_law {
  int classical, exact_couple, explicit_couples;
  int any_inertia;
  int rest;
  int round;
  eli_watch watch;
} eli_law;

typedef struct eli_kernels {
  elastica_instruction_set instruction_set;

  /* r += h v, Q <- EXP(h omega) Q; twice: the same again. spin2 as in eli_watch. lane: the slab's lanes at the tile's first slot. */
  unsigned (*drift)(size_t begin, size_t count, double h, int twice, double spin2, double *const *lane);

  /* l, 1/l, e, t from the positions. */
  void (*geometry)(size_t begin, size_t count, double *const *lane);

  /* Plain path: strains to Q^T n, shear couple, stretch rate; frames to the couples of joints. out: scratch lanes. */
  unsigned (*stretch_loads)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *out);
  unsigned (*joint_loads)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *out);

  /* The same in two halves, for hooks between them: strains and resultants; then loads from resultants. */
  unsigned (*strains)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *out);
  unsigned (*curvatures)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *out);
  void (*stretch_loads_from)(size_t begin, size_t count, double *const *lane, double *const *out);
  void (*joint_loads_from)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *out);

  /* Nodal forces and element couples from what the loads kernels left in the scratch; and the total that reactions see. */
  void (*internal)(size_t begin, size_t count, double *const *out);
  void (*total)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *out);

  /* v and omega over dt. loaded: external lanes are added. */
  void (*kick_velocity)(size_t begin, size_t count, double dt, int loaded, double *const *lane, double *const *out);
  unsigned (*kick_spin)(size_t begin, size_t count, double dt, int loaded, const eli_law *law, double *const *lane, double *const *out);

  /* Step limit: stiffness of each joint from its curvature and couple; stable step of each element. */
  void (*joint_bounds)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *out);
  void (*element_limits)(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *out);

  /* Pressure and friction of a wall on one rod, see contact/friction.h. */
  eli_wall_press *press_wall;
} eli_kernels;

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__) && !defined(ELI_ONLY_BASE)
#define ELI_KERNELS_X86
extern const eli_kernels eli_kernels_avx2, eli_kernels_avx512;
#endif
extern const eli_kernels eli_kernels_base;

/* friction.c */
eli_wall_press eli_press_wall_base, eli_press_wall_avx2, eli_press_wall_avx512;

/* NULL when this build or this processor lacks the set. AUTO: the widest there is. */
const eli_kernels *eli_kernels_select(elastica_instruction_set set);

#endif
