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

/* How long, and what acceleration gravity may add meanwhile [m/s^2]: a body that rests now falls. Of two bodies one may be held. */
typedef struct eli_horizon {
  double time, fall;
} eli_horizon;

/* [m] The longest way of a body that has this speed now, and the speed [m/s] that it then has. */
static inline double eli_horizon_way(eli_horizon of, double speed) {
  return of.time * (speed + 0.5 * of.fall * of.time);
}

static inline double eli_horizon_speed(eli_horizon of, double speed) {
  return speed + of.fall * of.time;
}

#endif
