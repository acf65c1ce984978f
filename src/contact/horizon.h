/* The look-ahead horizon of the step limit: what may come into contact before the next look must be bounded now.
 *
 * test       tests/test_contact_bounds.c
 */
#ifndef ELI_HORIZON_H
#define ELI_HORIZON_H

#include "base/target.h"

#include <elastica.h>

/* [s] At least the time from one look at the step limit to the next: ELI_LOOK_INTERVAL steps, each no longer than this rod's axial waves
 * allow. */
double eli_horizon_time(const elastica_rod_view *rod);

#endif
