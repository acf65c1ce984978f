/* Growth rate sigma of a buckling mode, and the threshold of buckling: the load at zero growth rate. */
#ifndef EXAMPLES_GROWTH_H
#define EXAMPLES_GROWTH_H

#include "example.h"

/* sigma^2 [1/s^2], from the time in which the amplitude [m] of a mode grows from 1e-5 m to 1e-4 m; it must start far below. The
 * amplitude is evaluated every `interval` [s]. Returns 0 if it has not reached 1e-4 m after `longest` [s]. */
double growth_squared(example *e, elastica_world *world, const elastica_rod *rod, double (*amplitude)(const elastica_rod_view *view),
                      double interval, double longest);

/* The load at sigma^2 = 0, by the parabola through three rates and their loads. */
double growth_threshold(const double squared[3], const double load[3]);

#endif
