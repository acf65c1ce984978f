/* Data of a rod: its place in the slab, its view and its effects. */
#ifndef ELI_ROD_H
#define ELI_ROD_H

#include <elastica.h>

#include <stdint.h>

#include "slab/slab.h"
#include "state/effect.h"

/* Properties of a rigid body. */
typedef struct eli_solid {
  elastica_body_def def; /* the definition, with defaults */
  double mass, volume;
  double extent;     /* [m] extent of the shape along d3, which is the length of its element */
  double arm;        /* [m] largest distance from the centre of a point that a turn moves; of a sphere or capsule that of its axis */
  double moments[3]; /* principal moments of inertia */
  double axes[9];    /* rows: principal axes of inertia in the frame of the definition */
} eli_solid;

/* The handle of a rod. It is never freed before the world, so that the handle of a removed rod is recognised; therefore it is small. */
struct elastica_rod {
  elastica_world *world;
  struct eli_rod_body *body; /* NULL: the rod was removed */
  union {
    size_t offset; /* first slot */
    elastica_rod *next_removed;
  };
  int index;
  int element_count;
  int closed;
  unsigned tile; /* number of its tile */
};

/* The table of indices adds 8 bytes, and while it doubles the old table exists beside the new one: together at most 64 bytes. */
_Static_assert(sizeof(struct elastica_rod) <= 40, "what is left of a removed rod");

typedef struct eli_rod_body {
  eli_solid *solid; /* NULL: not a rigid body */
  double rotary_inertia_scale;
  int contact_group;
  unsigned stale;      /* ELI_STALE_LISTS, ELI_STALE_MASSES, ELI_STALE_STATE */
  double acceleration; /* [m/s^2] for a body with reactions: its acceleration under all other loads at the last limit check */
  int limit_is_stale;  /* 1: a change requires a new limit check of this rod only */
  unsigned healed;     /* parts of the state that are valid: never failed, or set after the failure (report.c); all: view.has_failed is 0 */
  int failed;          /* 1: the rod failed in the step under examination */
  int hook_failed;     /* 1: a hook of this rod failed; meaningful only while the report of its tile has a failure */
  int not_circular;    /* 1: an element has J1 != J2 */
  int table_index;     /* index for arrays of per-rod data, below the largest number of rods that existed at once; reused after removal */
  size_t rank;         /* position in the order of addition, valid only while statics uses arrays over all rods */
  uint64_t made[ELI_CONSTANTS]; /* checksums of its constants, with which a snapshot identifies the rod */
  elastica_rod_view view;

  /* Updated by eli_world_prepare. */
  const eli_hook_list *hooks; /* hooks to call: own_hooks, or the list shared by all rods without their own effects */
  eli_hook_list *own_hooks;   /* used if an effect acts on this rod alone */
  eli_hook_list *spare_hooks; /* memory for a longer list, or NULL */
  eli_effect_chain effects;   /* effects on this rod alone */

  elastica_rod *previous, *next;                 /* neighbours in the world, in order of addition */
  elastica_rod *previous_in_tile, *next_in_tile; /* neighbours in the tile, in order of addition */
  elastica_rod *below, *above;                   /* neighbours in the tile, by address */
  size_t slots;                                  /* number of slots of the rod */
  eli_hole hole;                                 /* the hole after the rod */

  /* Arguments of hooks; their pointers are set once. */
  elastica_loads loads;
  elastica_state positions, velocities, spins;

  /* Contribution to a query over all rods. Each rod writes its own, so that the sum has the order of the rods for any number of workers. */
  elastica_totals totals;
} eli_rod_body;

static inline int eli_is_rigid(const elastica_rod *rod) {
  return rod->body->solid != NULL;
}

/* Index of the last node of a rod. */
static inline int eli_last_node(const elastica_rod *rod) {
  return eli_is_rigid(rod) ? 0 : rod->element_count;
}

/* ---- access.c: views ---- */

/* Sets the pointers of the view to the lanes of the slab, after a rod was added or lanes moved. Pointers to derived lanes become NULL. */
void eli_rod_aim_view(elastica_rod *rod);

/* Sets the pointers of the view to derived lanes to NULL. */
void eli_rod_forget_derived(elastica_rod *rod);

/* Computes nodal masses, half of each adjacent element, and their inverses. */
void eli_rod_set_masses(elastica_rod *rod);

/* Copies node 0, element 0 and joint 0 of a ring to its ghost slot, in `count` lanes from `first`. */
void eli_rod_close_lanes(elastica_rod *rod, int first, int count);

/* Sets the view's pointers to derived lanes into a scratch that holds its tile. */
void eli_rod_aim_derived(elastica_rod *rod, double *const *scratch);

/* Sets the view's pointers to loads into lanes of all slots (ELI_ANSWER_...), or to NULL. */
void eli_rod_aim_loads(elastica_rod *rod, double *const *answer);

#endif
