/* The time step required by surfaces that come into contact or separate, and the time within which contacts are included in it.
 *
 * models     a contact as half an oscillation of the mass m on the spring k of the layer. Its energy has an error because contact begins
 *            and ends within a step; the error grows with the square of the phase omega dt and depends on the instant of first contact
 * measured   an undamped ball on a plane, omega dt = 1: up to 33 % in a bounce, and 1.3 % gained on average; 0.5: 4.6 %; 0.3: 2.3 %; 0.2:
 *            0.8 %, without a drift; 0.12: 0.3 %; 0.09: 0.13 %, and 8e-5 a bounce in the mean of 200
 * test       tests/test_resolved_contacts.c
 *
 * Steps selected by the library resolve a contact: their phase is at most ELI_RESOLVED, 35 steps for a bounce. They may be longer if the
 * damper dissipates a large part of the energy. Steps of a size given by the user only have to be stable.
 */
#ifndef ELI_RESOLVE_H
#define ELI_RESOLVE_H

#include "base/target.h"

#include <elastica.h>

#include "state/module.h"

#include <math.h>

#define ELI_RESOLVED 0.09

/* Above this damping ratio a stable step is sufficient. */
#define ELI_DAMPED 0.1

/* A contact less than ELI_STEPS_COUNTED steps away, at present speeds, is included in the step limit if the library selects the step. A
 * contact less than ELI_STEPS_AWAITED steps away requests a limit check if the step is too long for it. */
#define ELI_STEPS_COUNTED 4.0
#define ELI_STEPS_AWAITED 2.0

/* Returns the stiffness [N/m] to be used for k, so that 0.8 of the limit has this phase. damping in [kg/s]. */
static inline double eli_resolved_stiffness(double k, double damping, double mass) {
  const double ratio = damping > 0.0 ? damping / (2.0 * sqrt(k * mass)) : 0.0, most = 1.6 / ELI_RESOLVED;
  return ratio < ELI_DAMPED ? k * most * most * (1.0 - ratio / ELI_DAMPED) : 0.0;
}

/* Returns 1 if the step is too long for a spring k: longer than the resolving step if the library selects the step, otherwise unstable. */
static inline int eli_is_too_long(double dt, double k, double damping, double mass, int chooses) {
  const double resolved = chooses ? eli_resolved_stiffness(k, damping, mass) : 0.0;
  return dt * dt * k > 4.0 * mass || dt * dt * resolved > 1.6 * 1.6 * mass;
}

/* Returns an upper bound of the time [s] between two limit checks: ELI_LIMIT_CHECK_INTERVAL steps, each at the stability limit of this
 * rod's axial waves.
 *
 * dt <= 2/omega, and omega^2 >= 4 S3/(m l e) for each element with the mass m of its two nodes. The element with the largest omega^2 bounds
 * dt. */
static inline double eli_horizon_time(const elastica_rod_view *rod) {
  double least = 0.0;
  for (int j = 0; j < rod->element_count; j++) {
    const double mass = rod->mass[j] + rod->mass[j + 1], e = rod->dilatation[j] > 1.0 ? rod->dilatation[j] : 1.0;
    const double square = mass * rod->length[j] * e / rod->shear_stiffness[2][j];
    if (square > 0.0 && square - square == 0.0 && (least == 0.0 || square < least)) least = square;
  }
  return ELI_LIMIT_CHECK_INTERVAL * sqrt(least);
}

#endif
