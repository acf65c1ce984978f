/* A rod inside the library: its place in the slab and its view. */
#ifndef ELI_ROD_H
#define ELI_ROD_H

#include <elastica.h>

#include <stdint.h>

#include "slab/slab.h"
#include "state/effect.h"

/* What makes a rigid body of a rod. */
typedef struct eli_solid {
  elastica_body_def def; /* as it was given, with defaults */
  double mass, volume;
  double extent;     /* of the shape along d3: the length of its element */
  double moments[3]; /* principal */
  double axes[9];    /* rows: principal axes in the frame of the definition */
} eli_solid;

/* What a handle points to: it stays when the rod is removed, so that the handle is known as one, and is kept small for that. */
struct elastica_rod {
  elastica_world *world;
  struct eli_rod_body *body; /* NULL: it was removed */
  union {
    size_t offset; /* first slot */
    elastica_rod *next_removed;
  };
  int index;
  int element_count;
  int closed;
  unsigned tile; /* number of its tile */
};

/* With 8 bytes in the table of indices, which doubles as it grows and stands beside the old one then: at most 64. */
_Static_assert(sizeof(struct elastica_rod) <= 40, "what is left of a removed rod");

typedef struct eli_rod_body {
  eli_solid *solid; /* NULL: it is none */
  double rotary_inertia_scale;
  int contact_group;
  unsigned stale;               /* ELI_STALE_LISTS, ELI_STALE_MASSES, ELI_STALE_STATE */
  double acceleration;          /* [m/s^2] of a body on which reactions act, under all other loads, at the last limit check */
  int limit_is_stale;           /* 1: the step limit is to be looked at again, but only for it */
  unsigned healed;              /* what of its state is good: was set since the world failed, or did not fail (failure.c) */
  int failed;                   /* 1: it failed in the step that is being judged */
  int hook_failed;              /* 1: one of its hooks did; told of where the report of its tile has a failure, old otherwise */
  int not_circular;             /* 1: has an element with J1 != J2 */
  int seat;                     /* a number below that of the most rods there have been at a time; given again when the rod is removed */
  size_t rank;                  /* its place among the rods of the world, while one works with arrays of all of them */
  uint64_t made[ELI_CONSTANTS]; /* sums of its constants, by which a snapshot knows it */
  elastica_rod_view view;

  /* Kept up to date by eli_world_prepare. */
  const eli_hook_list *hooks; /* whom to call: own_hooks, or the world's */
  eli_hook_list *own_hooks;   /* where effects act on it alone */
  eli_hook_list *spare_hooks; /* room for a longer one, or NULL */
  eli_effect_chain effects;   /* that act on it alone */

  elastica_rod *previous, *next;                 /* in the world, in order of addition */
  elastica_rod *previous_in_tile, *next_in_tile; /* likewise */
  elastica_rod *below, *above;                   /* in the tile, in memory */
  size_t slots;                                  /* that it takes */
  eli_hole hole;                                 /* behind it */

  /* What the hooks are handed, aimed once. */
  elastica_loads loads;
  elastica_state positions, velocities, spins;

  /* What it adds to a query of the world: each rod by itself, so that sums over rods are in their order. */
  union {
    elastica_energy energy;
    elastica_momentum momentum;
  } share;
} eli_rod_body;

static inline int eli_is_rigid(const elastica_rod *rod) {
  return rod->body->solid != NULL;
}

/* The last slot of its nodes, from its first on. */
static inline int eli_last_node(const elastica_rod *rod) {
  return eli_is_rigid(rod) ? 0 : rod->element_count;
}

/* rod_view.c */

/* Points the view's lanes into the slab: after a rod was added or lanes moved. Derived lanes become NULL. */
void eli_rod_aim_view(elastica_rod *rod);

/* Marks the derived lanes of the view as not available. */
void eli_rod_forget_derived(elastica_rod *rod);

/* Nodal masses and their inverses from the masses of the elements: half to each node. */
void eli_rod_set_masses(elastica_rod *rod);

/* Copies node 0, element 0 and joint 0 of a ring into its ghost slot, for count lanes from first. */
void eli_rod_close_lanes(elastica_rod *rod, int first, int count);

/* Points the derived lanes of a rod's view into a scratch that holds its tile. */
void eli_rod_aim_derived(elastica_rod *rod, double *const *scratch);

/* Points the load lanes of a rod's view into lanes of all slots (ELI_ANSWER_...), or with NULL nowhere. */
void eli_rod_aim_loads(elastica_rod *rod, double *const *answer);

#endif
