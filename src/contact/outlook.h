/* How far ahead the step limit must look for bodies that do not touch yet. */
#ifndef ELI_OUTLOOK_H
#define ELI_OUTLOOK_H

#include "base/target.h"

#include <elastica.h>

/* [s] No fewer than the 64 steps from one look at the step limit to the next, as far as this rod lets them be: its axial waves bound each. */
double eli_outlook_time(const elastica_rod_view *rod);

/* [m/s] The largest speed of a node relative to the mean of all. */
double eli_outlook_speed(const elastica_rod_view *rod);

#endif
