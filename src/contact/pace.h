/* How fast the nodes of bodies are against each other at most, in one pass over their velocities.
 *
 * test       tests/test_contact_bounds.c
 */
#ifndef ELI_PACE_H
#define ELI_PACE_H

#include "base/target.h"

#include <elastica.h>

/* Velocities lie in a box; numbers that are none are left out. */
typedef struct eli_pace {
  double low[3], high[3];     /* [m/s] of all rods so far; begins with INFINITY and -INFINITY */
  double least_mass, longest; /* [kg], [m] the smallest mass and the largest rest length of the last rod */
} eli_pace;

/* Widens the box by the nodes of a rod: by the instruction set of a world (kernels/pace.inl). */
typedef void eli_pace_look(const elastica_rod_view *rod, eli_pace *pace);
eli_pace_look *eli_world_pace_look(const elastica_world *world);

#endif
