/* A rod inside the library: its place in the slab and its view. */
#ifndef ELI_ROD_H
#define ELI_ROD_H

#include <elastica.h>

#include <stdint.h>

/* The constants of a rod that a snapshot compares. */
enum { ELI_MADE_LENGTH, ELI_MADE_MASS, ELI_MADE_VOLUME, ELI_MADE_SHEAR, ELI_MADE_BEND, ELI_MADE_INERTIA, ELI_MADE_COUNT };

struct elastica_rod {
  elastica_world *world;
  int index;
  int element_count;
  int closed;
  size_t offset; /* first slot */
  size_t tile;   /* number of its tile */
  double rotary_inertia_scale;
  unsigned stale;                /* ELI_STALE_MASSES, ELI_STALE_STATE */
  unsigned healed;               /* what of its state was set since the world failed (failure.c) */
  uint64_t made[ELI_MADE_COUNT]; /* sums of its constants, by which a snapshot knows it */
  elastica_rod_view view;

  /* What the hooks are handed, aimed once. */
  elastica_loads loads;
  elastica_state positions, velocities, spins;

  /* What it adds to a query of the world: each rod by itself, so that sums over rods are in their order. */
  union {
    elastica_energy energy;
    elastica_momentum momentum;
  } share;
};

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
