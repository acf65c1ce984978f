/* The largest relative speed of the nodes of bodies, from one pass over their velocities.
 *
 * test       tests/test_contact_bounds.c
 */
#ifndef ELI_PACE_H
#define ELI_PACE_H

#include "base/target.h"

#include <elastica.h>

/* Range of velocities per axis (a box); NaN is ignored. */
typedef struct eli_pace {
  double low[3], high[3];     /* [m/s] over all rods so far; initially INFINITY and -INFINITY */
  double least_mass, longest; /* [kg], [m] the smallest mass and the largest rest length of the last rod */
} eli_pace;

/* Widens the box by the nodes of a rod. The implementation is that of the instruction set of a world (kernels/pace.inl). */
typedef void eli_pace_look(const elastica_rod_view *rod, eli_pace *pace);
eli_pace_look *eli_world_pace_look(const elastica_world *world);

#endif
