/* The time step required by surfaces that come into contact or separate, and the time within which contacts are included in it.
 *
 * models     a contact as half an oscillation of the mass m on the spring k of the layer. Its energy has an error because contact begins
 *            and ends within a step; the error grows with the square of the phase omega dt and depends on the instant of first contact
 * measured   an undamped ball on a plane, omega dt = 1: up to 33 % in a bounce, and 1.3 % gained on average; 0.5: 4.6 %; 0.3: 2.3 %; 0.2:
 *            0.8 %, without a drift; 0.12: 0.3 %; 0.09: 0.13 %, and 8e-5 a bounce in the mean of 200
 *            a damped ball in 0.8 of the stable step: up to 1.6 of its energy after a bounce at a damping ratio of 0.17, 0.6 at 1 and 0.36
 *            at 100; in 0.5 of it 0.5, 0.03 and 0 (0.38, 0.02 and 0 are right)
 * test       tests/test_resolved_contacts.c, tests/test_damped_impacts.c
 *
 * Steps selected by the library resolve a contact: their phase is at most ELI_RESOLVED, 35 steps for a bounce. They may be longer if the
 * damper dissipates a large part of the energy, up to half of the stable step: in longer ones a damping ratio below 0.5 may gain energy,
 * and a large one throws bodies apart. Steps of a size given by the user only have to be stable.
 */
#ifndef ELI_RESOLVE_H
#define ELI_RESOLVE_H

#include "base/target.h"

#include <elastica.h>

#include "state/module.h"

#include <math.h>

#define ELI_RESOLVED 0.09

/* Above this damping ratio the damper dissipates the error, if steps are at most ELI_DAMPED_SHARE of the stable step. */
#define ELI_DAMPED 0.1
#define ELI_DAMPED_SHARE 0.5

/* A contact less than ELI_STEPS_COUNTED steps away, at present speeds, is included in the step limit if the library selects the step. A
 * contact less than ELI_STEPS_AWAITED steps away requests a limit check if the step is too long for it. */
#define ELI_STEPS_COUNTED 4.0
#define ELI_STEPS_AWAITED 2.0

/* The bounds of a limit check include the contacts that begin in its own step and in this many more, if each looks ELI_STEPS_AWAITED
 * ahead. */
#define ELI_STEPS_SEEN 1

/* Part of a budget of 1 for stiffness and dampers of a degree of freedom, (k + 2 c/dt) dt^2/(4 m), beyond which a contact with a damper
 * that begins requests a limit check. Working steps leave that much for it. */
#define ELI_SHARE_BEGUN 0.3

/* Returns 1 if a contact with a damper that begins on this length of a rod, with stiffness k and rate c per length, requires a limit
 * check. Half of the budget is for the contact of the next element. */
static inline int eli_begins_unstably(double dt, double length, double k, double c, double mass) {
  return dt * length * (dt * k + 2.0 * c) > 4.0 * 0.5 * ELI_SHARE_BEGUN * mass;
}

/* Returns 1 if contacts of a law have dampers. */
static inline int eli_has_dampers(double damping, double friction, double tangential_damping) {
  return damping > 0.0 || (friction > 0.0 && tangential_damping > 0.0);
}

/* Returns the stiffness [N/m] to be used for k, so that 0.8 of the limit has this phase, and with a damper, which counts besides, is
 * ELI_DAMPED_SHARE of the stable step. damping in [kg/s].
 *
 * The stable phase x is x^2 + 4 ratio x = 4. */
static inline double eli_resolved_stiffness(double k, double damping, double mass) {
  const double ratio = damping > 0.0 ? damping / (2.0 * sqrt(k * mass)) : 0.0, most = 1.6 / ELI_RESOLVED;
  const double undamped = ratio < ELI_DAMPED ? k * most * most * (1.0 - ratio / ELI_DAMPED) : 0.0;
  if (!(damping > 0.0)) return undamped;
  const double inverse = 0.4 / ELI_DAMPED_SHARE * (sqrt(1.0 + ratio * ratio) + ratio), damped = 4.0 * k * inverse * (inverse - ratio);
  return damped > undamped ? damped : undamped;
}

/* Returns 1 if the step is too long for a spring k and its damper: longer than the resolving step if the library selects the step, or
 * unstable. */
static inline int eli_is_too_long(double dt, double k, double damping, double mass, int chooses) {
  const double resolved = chooses ? eli_resolved_stiffness(k, damping, mass) : 0.0;
  return dt * dt * k + 2.0 * dt * damping > 4.0 * mass || dt * dt * resolved > 1.6 * 1.6 * mass;
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
