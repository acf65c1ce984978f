/* Triangles of obstacles for pictures: those of a mesh, and samples of a surface that is a function of the user.
 *
 * models     a surface is drawn in a cube that contains the nodes of all rods and the points of the surface below them, at least a
 *            quarter of its edge away from its sides. Its edge is a power of two, its corner a multiple of a quarter of the edge, so that
 *            it changes seldom. A grid of cells divides it (surface_grid.h)
 * test       tests/test_facets.c
 */
#ifndef ELI_FACETS_H
#define ELI_FACETS_H

#include "base/target.h"

#include <elastica.h>

#include "output/surface_grid.h"

/* Returns 1 for an obstacle that is drawn by its triangles. */
int eli_facets_are_drawn(const eli_obstacle *obstacle);

/* Identifies triangles: the mark of a mesh; of a surface its grid, and its distances at some points of it. */
enum { ELI_FACET_PROBES = 4 * 4 * 4 };
typedef struct eli_facets_key {
  double mark;
  eli_surface_grid grid;  /* edge 0: there are no triangles */
  double low[3], high[3]; /* [coarse cells] of the points that the finer cells are for */
  double probes[ELI_FACET_PROBES];
} eli_facets_key;

/* Finds the key of the triangles of an obstacle, at a small part of the cost of these. fine 0: without finer cells about the rods. */
void eli_facets_find_key(elastica_world *world, const eli_body *solid, int fine, eli_facets_key *out);

/* Returns 1 if the triangles of a kept key show the obstacle as those of the present key would. */
int eli_facets_agree(const eli_facets_key *kept, const eli_facets_key *now);

/* Makes the triangles with this key; there may be none. OUT_OF_MEMORY. */
elastica_status eli_facets_make(elastica_world *world, const eli_body *solid, const eli_facets_key *key, eli_facets *out);

/* Leaves at most `most` triangles: the points in a cell of a grid become one, their mean. OUT_OF_MEMORY. */
elastica_status eli_facets_reduce(elastica_world *world, eli_facets *facets, int most);
void eli_facets_free(eli_facets *facets);

/* Triangles that are kept from frame to frame. */
typedef struct eli_kept_facets {
  eli_facets_key key;
  eli_facets facets;
  int effect; /* index of the obstacle */
} eli_kept_facets;

typedef struct eli_facets_store {
  eli_kept_facets *kept;
  int count;
} eli_facets_store;

/* Finds the triangles of an obstacle, made anew if they have changed. *out is valid until the next call. OUT_OF_MEMORY. */
elastica_status eli_facets_find(eli_facets_store *store, const elastica_effect *effect, const eli_body *solid, const eli_facets **out);
void eli_facets_store_free(eli_facets_store *store, const eli_allocator *allocator);

#endif
