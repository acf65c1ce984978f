/* Rings and strips of the scaffold: their tension, and the contact of rings on legs. */
#ifndef EXAMPLES_SCAFFOLD_MUSCLE_H
#define EXAMPLES_SCAFFOLD_MUSCLE_H

#include "scaffold.h"

/* Numbers of rods; elements of a leg. */
enum { SCAFFOLD_LEGS = 2, SCAFFOLD_CROSSES = 6, SCAFFOLD_RINGS = 10, SCAFFOLD_STRIPS = 14, SCAFFOLD_LEG_ELEMENTS = 6 };

#define SCAFFOLD_MUSCLE_SPRING 1e8 /* [g/s^2] */

/* Adds the forces of all muscles, and of rings on legs. */
void scaffold_contract(const scaffold *of, double time, const elastica_world_loads *loads);

/* Adds their stiffness to the step limit of rod k. */
void scaffold_bound_muscles(const scaffold *of, int k, const elastica_rod_view *rod, elastica_stiffness *stiffness);

#endif
