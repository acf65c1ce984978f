/* A rod along x, for bodies that lie on a plane, crawl or swim. */
#ifndef EXAMPLES_LYING_H
#define EXAMPLES_LYING_H

#include "example.h"

/* A round rod from the origin along x, with G = 2E/3 as in the paper's cases. */
elastica_rod_def lying_rod(int n, double length, double radius, double density, double youngs_modulus); /* [m] [m] [kg/m^3] [Pa] */

/* Dissipation of translation [kg/(m s)] and of rotation [kg m/s]. */
void lying_damped(const example *e, elastica_world *world, elastica_rod *rod, double translation, double rotation);

/* Runs for a time [s], with 20 frames if name is given. Returns the energy at the end. */
elastica_totals lying_run(example *e, elastica_world *world, elastica_rod *rod, double duration, const char *frames);

#endif
