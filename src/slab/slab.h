/* The memory of all rods of a world: one slab of lanes (structure of arrays of double), divided into tiles.
 *
 * A rod of n elements takes n + 1 slots: node i and element i share slot offset + i; the joint between elements k-1 and k has the slot of
 * its node, offset + k. Slots that a lane does not use hold neutral values, so that every kernel can compute with them:
 *
 *   element n of a rod (ghost)      frame 1, mass 1, length 1, tangent 0, stiffness 0, inverse inertia 0, inverse rest length -1
 *   joint 0 and joint n, open rod   stiffness 0, inverse rest length -1: a negative value marks a missing element or joint for the kernels
 *   slots between tiles             all of the above, and inverse mass 0
 *   no element                      infinite limits in the watched lanes
 *
 * The external lanes hold -0.0 while there are no loads: adding -0.0 changes no number, not even -0.0.
 *
 * A ring stores the constants of its closing joint in slot offset but evaluates that joint in slot offset + n. There node 0 has a ghost
 * that moves with it, and element 0 has a ghost with its frame, spin and length, otherwise neutral. For the kernels slot offset has no
 * joint. A neutral slot after the ghost separates the ghost's force from the next rod: a ring of n elements takes n + 2 slots.
 *
 * A rigid body is a rod of one node and one element without stretch and joints: slot offset holds both, with the inverse rest length -1 of
 * a slot without an element and the inverse masses and inertia of the body; slot offset + 1 is neutral. Bodies have their own tiles.
 *
 * A tile is a contiguous range of whole rods, and of holes left by removed rods; one thread processes it as a unit. It starts at a multiple
 * of ELI_BLOCK slots and is swept in whole blocks, so that vector loops have no remainder. A gap of one block separates neighbouring tiles.
 */
#ifndef ELI_SLAB_H
#define ELI_SLAB_H

#include <math.h>
#include <stddef.h>

#include "base/memory.h"
#include "rod/law.h"

enum { ELI_BLOCK = 8, ELI_HOLE_SIZES = 48 };

/* Slots of a rigid body, and of a tile for bodies if tile_size allows it: a new tile has a hole for later bodies. */
enum { ELI_BODY_SLOTS = 2, ELI_BODY_ROOM = 32 };

/* Distance between the lanes of a world with few slots, a constant known to the kernels at compile time. The state of such a world fits the
 * first-level cache, so that computing the lanes from a distance read at run time would cost a tenth of a step. */
enum { ELI_SMALL_STRIDE = 160 };

/* The lanes: LANE(name, width, neutral value, place, plain, name by which a snapshot keeps the values), and CONSTANT with the name by which
 * a snapshot refuses a rod with other values. Vectors take three lanes, matrices nine, row by row. place: the slot belongs to a node, an
 * element or a joint. plain 1: a step of a rod on which nothing acts reads them. A frame is neutral where it is 1. The constants of the law
 * are rows of rod/law.h. */
#define ELI_LAW_LANE(KIND, name, member, width, place, plain, kept, ...) KIND(name, width, 0.0, place, plain, kept)
#define ELI_LANES(LANE, CONSTANT)                                                                                                          \
  LANE(POSITION, 3, 0.0, NODE, 1, "position")                                                                                              \
  LANE(VELOCITY, 3, 0.0, NODE, 1, "velocity")                                                                                              \
  LANE(DIRECTOR, 9, 0.0, ELEMENT, 1, "director")                                                                                           \
  LANE(OMEGA, 3, 0.0, ELEMENT, 1, "omega") /* the last of the state */                                                                     \
  LANE(MASS, 1, 0.0, NODE, 0, "mass")      /* with added masses */                                                                         \
  LANE(INVERSE_MASS, 1, 0.0, NODE, 1, NULL)                                                                                                \
  CONSTANT(REST_LENGTH, 1, 1.0, ELEMENT, 0, "rest_length")                                                                                 \
  LANE(INVERSE_REST_LENGTH, 1, -1.0, ELEMENT, 1, NULL)                                                                                     \
  CONSTANT(ELEMENT_MASS, 1, 1.0, ELEMENT, 0, "mass") /* its two nodes get half each */                                                     \
  CONSTANT(VOLUME, 1, 0.0, ELEMENT, 0, "volume")                                                                                           \
  ELI_LAW_CONSTANTS(ELI_LAW_LANE, LANE, CONSTANT)                                                                                          \
  CONSTANT(INERTIA, 3, 0.0, ELEMENT, 1, "inertia")         /* J, scaled */                                                                 \
  LANE(INVERSE_INERTIA, 2, 0.0, ELEMENT, 1, NULL)          /* 1/J1 and 1/J3 */                                                             \
  LANE(INVERSE_REST_JOINT_LENGTH, 1, -1.0, JOINT, 1, NULL) /* 1/Dhat, negative where there is no joint */                                  \
  LANE(LENGTH, 1, 1.0, ELEMENT, 0, NULL)                   /* l */                                                                         \
  LANE(DILATATION, 1, 1.0, ELEMENT, 0, NULL)               /* e */                                                                         \
  LANE(TANGENT, 3, 0.0, ELEMENT, 0, NULL)                  /* t */                                                                         \
  LANE(STIFFNESS_PER_LENGTH, 3, 0.0, ELEMENT, 1, NULL)     /* S/lhat; this and the next four follow from the constants above */            \
  LANE(REST_STRESS, 3, 0.0, ELEMENT, 1, NULL)              /* S (sigma0 + d3) */                                                           \
  LANE(BEND_PER_HALF_ANGLE, 3, 0.0, JOINT, 1, NULL)        /* 2 B/Dhat */                                                                  \
  LANE(REST_COUPLE, 3, 0.0, JOINT, 1, NULL)                /* B kappa0 */                                                                  \
  LANE(FLATNESS, 1, 0.0, ELEMENT, 1, NULL)                 /* J3/J1 - 1 */                                                                 \
  LANE(WATCHED, 2, INFINITY, ELEMENT, 1, "watched")        /* see below */                                                                 \
  LANE(FORCE, 3, -0.0, NODE, 0, NULL)                      /* external forces, laboratory; the first of the loads */                       \
  LANE(COUPLE, 3, -0.0, ELEMENT, 0, NULL)                  /* external couples, material */                                                \
  LANE(DRAG, 1, -0.0, NODE, 0, NULL)                       /* rate of linear dissipation */                                                \
  LANE(SPIN_DRAG, 1, -0.0, ELEMENT, 0, NULL)

/* The places of a slot. */
enum { ELI_AT_NODE, ELI_AT_ELEMENT, ELI_AT_JOINT };

/* The first lane of each quantity, and their number: 592 bytes per element. */
#define ELI_NUMBER_LANE(name, width, ...) ELI_##name, ELI_LAST_##name = ELI_##name + (width)-1,
enum { ELI_LANES(ELI_NUMBER_LANE, ELI_NUMBER_LANE) ELI_LANE_COUNT };
#undef ELI_NUMBER_LANE

/* The two watched lanes: the middle of the range in which l^2 may move until the next limit check, and the most that lhat^2 (sigma1^2 +
 * sigma2^2) may be until then. */
enum { ELI_WATCHED_LENGTH2 = ELI_WATCHED, ELI_WATCHED_SHEAR2 };

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
  int place; /* ELI_AT_... */
  int plain;
  const char *constant, *kept; /* NULL: it is none */
} eli_lane_group;

extern const eli_lane_group eli_lane_groups[ELI_LANE_GROUPS];

/* Parts of the geometry that effects read. */
enum { ELI_NO_GEOMETRY = 0, ELI_LENGTHS = 1, ELI_GEOMETRY = 2 };

/* Neutral slots left by removed rods: from the end of a rod, or the beginning of the tile, to the next rod or the end of the tile's
 * room. */
typedef struct eli_hole {
  size_t begin, slots; /* slots 0: no hole */
  size_t tile;
  elastica_rod *before;             /* the rod just before the hole; NULL: the hole begins the tile */
  struct eli_hole *next, *previous; /* neighbours in the list of its size class */
} eli_hole;

typedef struct eli_tile {
  size_t begin; /* first slot, a multiple of ELI_BLOCK */
  size_t room;  /* slots available to rods */
  size_t used;  /* slots up to the end of the last rod */
  size_t count; /* slots swept: used, rounded up to whole blocks, at least one block */
  int rod_count;
  elastica_rod *first_rod, *last_rod; /* in order of addition */
  elastica_rod *lowest, *highest;     /* by address */
  eli_hole front;                     /* hole before the lowest rod */
  unsigned hooks;                     /* one bit for each hook of the effects on its rods; set by prepare */
  int rigid;                          /* 1: all its rods are rigid bodies; 0: none is */
  int closed;                         /* 1: a rod is a ring */
  int not_circular;                   /* 1: an element has J1 != J2 */
  /* Requirements of the effects on its rods; set by prepare. */
  int loaded;                  /* external lanes that effects write (kernels.h): ELI_NO_LOADS, ELI_LOADS, ELI_LOADS_AND_RATES */
  int derived;                 /* 1: an effect reads derived lanes or resultants */
  int gathered;                /* 1: internal loads are gathered, because an effect reads them or adds reactions to a ring */
  int resultants_apart;        /* 1: effects add to separate empty lanes of resultants, read by the internal loads */
  int reacting;                /* 1: an effect adds reactions */
  unsigned ordered;            /* one bit for each hook of an effect that is not parallel_safe */
  unsigned stale;              /* outdated parts of the tile or of its rods (state/world.h) */
  int limit_is_stale;          /* 1: the step limit of only one rod is outdated */
  int measured;                /* parts of the geometry that effects read: ELI_NO_GEOMETRY, ELI_LENGTHS, ELI_GEOMETRY */
  const void *damper;          /* the only effect with rates on its rods, all proportional to length; else NULL */
  struct eli_load_call *calls; /* add_loads of all other effects, rod by rod in order of addition (state/effect.h) */
  size_t call_count, call_capacity;
  int kicked_at_once;  /* 1: velocities and spins are kicked in one sweep: no ring, no effect reads new velocities with old spins */
  int velocities_stay; /* 1: velocity constraints only fix nodes on all axes; their inverse mass is 0 instead */
  int masses_due;      /* 1: inverse masses must be recomputed */
  int has_stopped;     /* 1: an inverse mass is 0 */
  int positions_stay;  /* 1: all constraints of positions and frames prescribe constants */
  /* State within one call (step/stepper.c). */
  int away;                     /* 1: the state is in the checkpoint memory of batches, not in the lanes */
  int passed;                   /* 1: a batch used windows: its result is on the opposite side (lanes or checkpoint) of the state */
  double *lane[ELI_LANE_COUNT]; /* the slab's lanes at the tile's first slot */
} eli_tile;

typedef struct eli_slab {
  eli_allocator allocator;
  void *memory;
  double *lane[ELI_LANE_COUNT]; /* each aligned to 64 bytes and preceded by one block of neutral slots */
  size_t capacity;              /* slots of a lane, counted from its pointer */
  size_t end;                   /* first slot after the last tile and its gap */
  eli_tile *tiles;
  size_t tile_count;
  size_t last_tile;                   /* the last one in memory */
  size_t most_swept;                  /* largest count of any tile so far */
  size_t tile_size;                   /* a tile with this many slots receives no further rod */
  eli_hole *holes[2][ELI_HOLE_SIZES]; /* lists for tiles of rods [0] and of bodies [1]; entry k: holes of 2^k to 2^(k+1) - 1 slots, newest
                                       * first */
} eli_slab;

void eli_slab_init(eli_slab *slab, const eli_allocator *allocator, size_t tile_size);
void eli_slab_destroy(eli_slab *slab);

/* Reserves memory for one rod of so many slots, or for a body (rigid 1), so that placing it cannot fail. Returns 0 and changes nothing if
 * memory runs out. Lane pointers and the addresses of tiles may change. */
int eli_slab_reserve(eli_slab *slab, size_t slots, int rigid);

/* Reserves memory in an empty slab for any number of rods with so many slots in total, so that lane pointers stay valid while they are
 * added. Returns 0 if memory runs out. */
int eli_slab_reserve_all(eli_slab *slab, size_t slots);

/* Allots neutral slots to a rod after all others: in the last tile, after its last hole was taken, or in a new tile. Returns the offset;
 * last_tile is its tile. A body gets a new tile with room for other bodies. */
size_t eli_slab_place(eli_slab *slab, size_t slots, int rigid);

/* Returns 1 if a rod of so many slots would be placed in the last tile. */
int eli_slab_fits_last(const eli_slab *slab, size_t slots, int rigid);

/* Sets used and count of a tile; used: slots up to the end of its last rod. */
void eli_slab_set_used(eli_slab *slab, eli_tile *tile, size_t used);

/* Finds a hole with at least so many slots in a tile of rods, or of bodies (rigid 1). Returns NULL if there is none. */
eli_hole *eli_slab_find_hole(const eli_slab *slab, size_t slots, int rigid);

/* eli_slab_put_hole adds a hole to the list of its size class, if it has slots. eli_slab_take_hole removes it and sets its slots to 0. */
void eli_slab_put_hole(eli_slab *slab, eli_hole *hole);
void eli_slab_take_hole(eli_slab *slab, eli_hole *hole);

/* Divides an empty tile that has room for more than one rod of so many slots and for more than tile_size: the remainder becomes a new tile
 * with a hole. */
void eli_slab_split(eli_slab *slab, size_t tile, size_t slots);

/* Resets slots of all lanes to neutral values. */
void eli_slab_clear(eli_slab *slab, size_t begin, size_t slots);

/* Neutral value of a lane. */
double eli_slab_neutral(int lane);

/* Takes all external loads from a tile. */
void eli_slab_clear_loads(eli_slab *slab, const eli_tile *tile);

/* Allocates lanes of zeros, each with one block before and after it. Lane 0 starts page_offset doubles (0..511, whole blocks) after the
 * start of a page. Returns the memory to release, or NULL. */
void *eli_lanes_allocate(const eli_allocator *allocator, size_t slots, int lane_count, size_t page_offset, double **lane);

#endif
