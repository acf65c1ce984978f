/* The memory of all rods of a world: one slab of lanes (structure of arrays of double), divided into tiles.
 *
 * A rod of n elements takes n + 1 slots: node i and element i share slot offset + i, the joint between elements k-1 and k has the slot of
 * its node, offset + k. Slots that a lane does not use hold neutral values, which every kernel can compute with:
 *
 *   element n of a rod (ghost)      frame 1, mass 1, length 1, tangent 0, stiffness 0, inverse inertia 0, inverse rest length -1
 *   joint 0 and joint n, open rod   stiffness 0, inverse rest length -1: negative where the kernels find no element or joint
 *   slots between tiles             all of the above, and inverse mass 0
 *   no element                      watches infinite
 *
 * The external lanes hold -0.0 while there are no loads: adding -0.0 changes no number, not even -0.0.
 *
 * A ring stores the constants of its closing joint in slot offset, but evaluates that joint in slot offset + n. There node 0 has a ghost
 * that moves with it, and element 0 has a ghost with its frame, spin and length, otherwise neutral. To the kernels slot offset has no
 * joint. A neutral slot after the ghost keeps the ghost's force from the next rod: a ring of n elements takes n + 2 slots.
 *
 * A rigid body is a rod of one node and one element that has no stretch and no joint: slot offset holds both, with the inverse rest length
 * -1 of a slot without an element and the inverse masses and inertia of the body; slot offset + 1 is neutral. Bodies have tiles of their own.
 *
 * A tile is a run of whole rods, and of holes that removed ones have left, which one thread processes together. It starts at a multiple of ELI_BLOCK slots and is swept in whole
 * blocks, so that vector loops have no remainder. A gap of one block separates the slots of neighbouring tiles.
 */
#ifndef ELI_SLAB_H
#define ELI_SLAB_H

#include <math.h>
#include <stddef.h>

#include "base/memory.h"

enum { ELI_BLOCK = 8, ELI_HOLE_SIZES = 48 };

/* Slots of a rigid body, and of a tile for bodies, where tiles may be so large: it begins with a hole for those that follow. */
enum { ELI_BODY_SLOTS = 2, ELI_BODY_ROOM = 32 };

/* The lanes of a world of few slots lie this many slots apart, a number that the kernels were compiled for: its state is in the nearest
 * cache, and finding the lanes by a distance that is read costs a tenth of a step. */
enum { ELI_SMALL_STRIDE = 160 };

/* The lanes: LANE(name, width, neutral value, plain). CONSTANT also has the name by which a snapshot refuses a rod with another one. Vectors take
 * three lanes, matrices nine, row by row. plain 1: a step of a rod on which nothing acts reads them. A frame is neutral where it is 1. */
#define ELI_LANES(LANE, CONSTANT)                                                                                                          \
  LANE(POSITION, 3, 0.0, 1)                                                                                                                \
  LANE(VELOCITY, 3, 0.0, 1)                                                                                                                \
  LANE(DIRECTOR, 9, 0.0, 1)                                                                                                                \
  LANE(OMEGA, 3, 0.0, 1) /* the last of the state */                                                                                       \
  LANE(MASS, 1, 0.0, 0)  /* node; with added masses */                                                                                     \
  LANE(INVERSE_MASS, 1, 0.0, 1)                                                                                                            \
  CONSTANT(REST_LENGTH, 1, 1.0, 0, "rest_length") /* element */                                                                            \
  LANE(INVERSE_REST_LENGTH, 1, -1.0, 1)                                                                                                    \
  CONSTANT(ELEMENT_MASS, 1, 1.0, 0, "mass")               /* its two nodes get half each */                                                \
  CONSTANT(VOLUME, 1, 0.0, 0, "volume")                   /* element */                                                                    \
  CONSTANT(SHEAR_STIFFNESS, 3, 0.0, 0, "shear_stiffness") /* element: S */                                                                 \
  CONSTANT(ELEMENT_BEND, 3, 0.0, 0, "bend_stiffness")     /* B of the element */                                                           \
  CONSTANT(INERTIA, 3, 0.0, 1, "inertia")                 /* element: J, scaled */                                                         \
  LANE(INVERSE_INERTIA, 2, 0.0, 1)                        /* 1/J1 and 1/J3 */                                                              \
  LANE(BEND, 3, 0.0, 0)                                   /* joint: B */                                                                   \
  LANE(REST_JOINT_LENGTH, 1, 0.0, 0)                      /* joint: Dhat */                                                                \
  LANE(INVERSE_REST_JOINT_LENGTH, 1, -1.0, 1)             /* 1/Dhat, negative where there is no joint */                                   \
  LANE(REST_CURVATURE, 3, 0.0, 0)                         /* joint */                                                                      \
  LANE(REST_STRAIN, 3, 0.0, 0)                            /* element */                                                                    \
  LANE(LENGTH, 1, 1.0, 0)                                 /* element: l */                                                                 \
  LANE(DILATATION, 1, 1.0, 0)                             /* element: e */                                                                 \
  LANE(TANGENT, 3, 0.0, 0)                                /* element: t */                                                                 \
  LANE(STIFFNESS_PER_LENGTH, 3, 0.0, 1) /* element: S/lhat; this and the next four are prepared from the constants above */                \
  LANE(REST_STRESS, 3, 0.0, 1)          /* element: S (sigma0 + d3) */                                                                     \
  LANE(BEND_PER_HALF_TURN, 3, 0.0, 1)   /* joint: 2 B/Dhat */                                                                              \
  LANE(REST_COUPLE, 3, 0.0, 1)          /* joint: B kappa0 */                                                                              \
  LANE(FLATNESS, 1, 0.0, 1)             /* element: J3/J1 - 1 */                                                                           \
  LANE(WATCHED_LENGTH2, 1, INFINITY, 1) /* element: the middle of the range in which l^2 may move until the next limit check */            \
  LANE(WATCHED_SHEAR2, 1, INFINITY, 1)  /* element: the most that lhat^2 (sigma1^2 + sigma2^2) may be until then */                        \
  LANE(FORCE, 3, -0.0, 0)               /* node: external forces, laboratory; the first of the loads */                                    \
  LANE(COUPLE, 3, -0.0, 0)              /* element: external couples, material */                                                          \
  LANE(DRAG, 1, -0.0, 0)                /* node: rate of linear dissipation */                                                             \
  LANE(SPIN_DRAG, 1, -0.0, 0)           /* element */

/* The first lane of each quantity, and their number: 592 bytes per element. */
#define ELI_NUMBER_LANE(name, width, ...) ELI_##name, ELI_LAST_##name = ELI_##name + (width)-1,
enum { ELI_LANES(ELI_NUMBER_LANE, ELI_NUMBER_LANE) ELI_LANE_COUNT };
#undef ELI_NUMBER_LANE

/* Their groups: those of the state come first, those of the external loads last. */
#define ELI_COUNT_LANE(...) +1
#define ELI_SKIP_LANE(...)
enum {
  ELI_STATE_LANES = ELI_LAST_OMEGA + 1,
  ELI_LANE_GROUPS = 0 ELI_LANES(ELI_COUNT_LANE, ELI_COUNT_LANE),
  ELI_CONSTANTS = 0 ELI_LANES(ELI_SKIP_LANE, ELI_COUNT_LANE)
};
#undef ELI_COUNT_LANE
#undef ELI_SKIP_LANE

typedef struct eli_lane_group {
  int first, width;
  int plain;
  const char *constant; /* NULL: it is none */
} eli_lane_group;

extern const eli_lane_group eli_lane_groups[ELI_LANE_GROUPS];

/* What of the geometry effects read. */
enum { ELI_NO_GEOMETRY = 0, ELI_LENGTHS = 1, ELI_GEOMETRY = 2 };

/* Neutral slots that removed rods have left: from the end of a rod, or the beginning of the tile, to the next rod or the end of the tile's
 * room. */
typedef struct eli_hole {
  size_t begin, slots; /* 0 slots: there is none */
  size_t tile;
  elastica_rod *before;             /* the rod that ends there; NULL: none, the tile begins there */
  struct eli_hole *next, *previous; /* of those of about its size */
} eli_hole;

typedef struct eli_tile {
  size_t begin; /* first slot, a multiple of ELI_BLOCK */
  size_t room;  /* slots that rods may take */
  size_t used;  /* slots up to the end of its last rod */
  size_t count; /* slots swept: used, rounded up to whole blocks; at least one block */
  int rod_count;
  elastica_rod *first_rod, *last_rod; /* in order of addition */
  elastica_rod *lowest, *highest;     /* in memory */
  eli_hole front;                     /* before the lowest */
  unsigned hooks;                     /* a bit for each hook that an effect on one of its rods has; set by prepare */
  int rigid;                          /* 1: its rods are rigid bodies; 0: none is */
  int closed;                         /* 1: has a ring */
  int not_circular;                   /* 1: has an element with J1 != J2 */
  /* What the effects on its rods need; set by prepare. */
  int loaded;           /* what of the external lanes effects write (kernels.h): ELI_NO_LOADS, ELI_LOADS, ELI_LOADS_AND_RATES */
  int derived;          /* 1: some effect reads derived lanes, or resultants */
  int gathered;         /* 1: internal loads are gathered: some effect reads them, or adds reactions to a ring */
  int resultants_apart; /* 1: what effects add to resultants is added to empty lanes, which the loads read */
  int loads_early;      /* 1: hooks that add loads read nothing that the sweep over internal loads leaves */
  int reacting;         /* 1: some effect adds reactions */
  unsigned ordered;     /* a bit for each hook of an effect that is not parallel_safe */
  unsigned stale;       /* what is stale of it or of any of its rods (state/world.h) */
  int limit_is_stale;   /* 1: the step limit is, of one of its rods alone */
  int measured;         /* what of the geometry effects read */
  const void *damper;   /* the one effect that adds rates to its rods, all by length; NULL: there is none, or there are others */
  const void *rates;    /* the effect whose rates, all by length, are the first on each of its rods, and added to all at once; or NULL */
  struct eli_load_call *calls; /* of add_loads of all others, rod by rod in order of addition (state/effect.h) */
  size_t call_count, call_capacity;
  int kicked_at_once;  /* 1: no ring, and no effect that could see velocities which are new while spins are old */
  int velocities_stay; /* 1: every constraint of velocities is a hold of a node at rest: its inverse mass is 0 instead */
  int masses_due;      /* 1: inverse masses are to be written again */
  int has_stopped;     /* 1: some of them are 0 */
  int positions_stay;  /* 1: every constraint of positions and frames is a hold at rest */
  /* Within a call (step/batch.h). */
  int away;                     /* 1: the state lies in what batches keep, not in the lanes */
  int passed;                   /* 1: a batch went by windows: its end lies where the state does not */
  double *lane[ELI_LANE_COUNT]; /* the slab's lanes at the tile's first slot */
} eli_tile;

typedef struct eli_slab {
  eli_allocator allocator;
  void *memory;
  double *lane[ELI_LANE_COUNT]; /* each aligned to 64 bytes and preceded by one block of neutral slots */
  size_t capacity;              /* slots of a lane, from its pointer on */
  size_t end;                   /* first slot after the last tile and its gap */
  eli_tile *tiles;
  size_t tile_count;
  size_t last_tile;                   /* the one behind all others in memory */
  size_t most_swept;                  /* the largest count that a tile has had */
  size_t tile_size;                   /* a tile gets no further rod beyond this many slots */
  eli_hole *holes[2][ELI_HOLE_SIZES]; /* in tiles of rods and of bodies; entry k: those of 2^k to 2^(k+1) - 1 slots, the latest first */
} eli_slab;

void eli_slab_init(eli_slab *slab, const eli_allocator *allocator, size_t tile_size);
void eli_slab_destroy(eli_slab *slab);

/* Makes room for one rod of so many slots, or for a body (rigid 1), so that placing it cannot fail. Returns 0, with nothing changed, when memory runs out. Lane
 * pointers may change, and the addresses of tiles. */
int eli_slab_reserve(eli_slab *slab, size_t slots, int rigid);

/* Makes room in an empty slab for any number of rods with so many slots in all, so that lane pointers do not change while they are added.
 * Returns 0 when memory runs out. */
int eli_slab_reserve_all(eli_slab *slab, size_t slots);

/* Gives a rod its slots, neutral, behind all others: in the last tile, whose last hole must be taken, or in a new one. Returns the offset.
 * Which tile it is: last_tile. A body gets a new tile, whose room is for others too. */
size_t eli_slab_place(eli_slab *slab, size_t slots, int rigid);

/* Whether a rod of so many slots would be placed in the last tile. */
int eli_slab_fits_last(const eli_slab *slab, size_t slots, int rigid);

/* Sets used and count of a tile whose last rod ends after so many slots. */
void eli_slab_set_used(eli_slab *slab, eli_tile *tile, size_t used);

/* A hole with so many slots in a tile of rods, or of bodies; or NULL. */
eli_hole *eli_slab_find_hole(const eli_slab *slab, size_t slots, int rigid);

/* Puts a hole among those that are found, if it has slots; takes it away, with no slots left. */
void eli_slab_put_hole(eli_slab *slab, eli_hole *hole);
void eli_slab_take_hole(eli_slab *slab, eli_hole *hole);

/* Where an empty tile has room for more than one rod of so many slots and for more than a tile should have: the rest becomes a tile of its
 * own, with a hole. */
void eli_slab_split(eli_slab *slab, size_t tile, size_t slots);

/* Resets slots in all lanes. */
void eli_slab_clear(eli_slab *slab, size_t begin, size_t slots);

/* The neutral value of a lane. */
double eli_slab_neutral(int lane);

/* Takes all external loads from a tile. */
void eli_slab_clear_loads(eli_slab *slab, const eli_tile *tile);

/* Allocates lanes of zeros, each with one block before and after it. Lane 0 starts page_offset doubles (0..511, whole blocks) after the
 * start of a page. Returns the memory to release, or NULL. */
void *eli_lanes_allocate(const eli_allocator *allocator, size_t slots, int lane_count, size_t page_offset, double **lane);

#endif
