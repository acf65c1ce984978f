/* Which elements of one rod may touch each other soon. */
#ifndef ELI_NEAR_PAIRS_H
#define ELI_NEAR_PAIRS_H

#include "base/target.h"

#include <elastica.h>

#include "contact/broad_phase.h"

/* Pairs of elements that are far apart along the rod and near each other in space, and the present radii. The list is a cache: it has every
 * pair that may touch, and others, in the order of their elements. */
typedef struct eli_near_pairs {
  eli_allocator allocator;
  int element_count, closed;
  double skip_length;             /* [m] NaN: by the radii */
  double skin;                    /* [m] margin of a new list */
  double largest_radius, longest; /* [m] rest radius, rest length */
  double *rest_radius;            /* element_count */
  double *arc;                    /* rest length before each element, element_count + 1 */
  double *centre[3], *sphere;     /* of the elements as the list was made */
  double *thickness;              /* radius of the elements as the list was made, and as much as it may grow */
  double *radius;                 /* at present; written by eli_near_pairs_look */
  eli_watch watch;
  eli_pairs pairs;
  double reach; /* the list has all pairs that were closer than this to touching */
  long build_count;
  double *memory;
} eli_near_pairs;

/* With room for what a rod with a loop or two needs, so that a step seldom asks for more; 0 when there is no memory. */
int eli_near_pairs_create(eli_near_pairs *near, const eli_allocator *allocator, const elastica_rod_view *rod);
void eli_near_pairs_destroy(eli_near_pairs *near);

/* The list is made anew when it is next asked for: other pairs may count now. NaN: half a turn of the tightest ring; a quarter of a radius.
 * */
void eli_near_pairs_set(eli_near_pairs *near, double skip_length, double skin);

/* Sees to it that the list has every pair that is closer than need to touching when the nodes are at position + ahead velocity. 0 when
 * memory runs out: the list is then empty, and made anew by the next call. */
int eli_near_pairs_cover(eli_near_pairs *near, const elastica_rod_view *rod, double ahead, double need);

/* Writes the present radii where there are pairs; returns their number. */
size_t eli_near_pairs_look(eli_near_pairs *near, const elastica_rod_view *rod);

#endif
