/* The list of pairs of elements of one rod that may come into contact.
 *
 * test       tests/test_self_contact.c, tests/test_self_contact_set.c
 */
#ifndef ELI_NEAR_PAIRS_H
#define ELI_NEAR_PAIRS_H

#include "base/target.h"

#include <elastica.h>

#include "contact/broad_phase.h"

/* Pairs of elements that are far apart along the rod and near each other in space, and the present radii. The list is a cache
 * (broad_phase.h): it has every pair that may be in contact, and others, in the order of their elements. */
typedef struct eli_near_pairs {
  eli_allocator allocator;
  int element_count, closed;
  double skip_length;             /* [m] NaN: by the radii */
  double skin;                    /* [m] margin of a new list */
  double largest_radius, longest; /* [m] rest radius, rest length */
  double *rest_radius;            /* element_count */
  double *arc;                    /* rest length before each element, element_count + 1 */
  double *centre[3], *sphere;     /* of the elements when the list was built */
  double *thickness;              /* radius of the elements when the list was built, with what it may grow until the next one */
  double *radius;                 /* present radius; written by eli_near_pairs_update */
  eli_reference reference;
  eli_pairs pairs;
  double reach; /* [m] the list has all pairs whose gap was smaller */
  long build_count;
  double *memory;
} eli_near_pairs;

/* With memory for 8 pairs per element, so that few steps allocate; 0 when there is none. */
int eli_near_pairs_create(eli_near_pairs *near, const eli_allocator *allocator, const elastica_rod_view *rod);
void eli_near_pairs_destroy(eli_near_pairs *near);

/* Discards the list: other pairs may count now. NaN for skip_length: half a turn of the tightest ring; for skin: a quarter of the largest
 * radius. */
void eli_near_pairs_set(eli_near_pairs *near, double skip_length, double skin);

/* Builds the list again where it may lack a pair whose gap is smaller than need [m]. 0 when memory runs out: the list is then empty, and the
 * next call builds it. */
int eli_near_pairs_cover(eli_near_pairs *near, const elastica_rod_view *rod, double need);

/* Writes the present radii if there are pairs; returns the number of pairs. */
size_t eli_near_pairs_update(eli_near_pairs *near, const elastica_rod_view *rod);

#endif
