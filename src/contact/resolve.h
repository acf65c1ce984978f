/* How long a step may be where surfaces meet or part.
 *
 * models     a contact as half an oscillation of the mass m on the spring k of the layer. Its energy errs where the spring begins and ends
 *            within a step, by the square of the phase omega dt and whatever the phase at which that happens
 * measured   an undamped ball on a plane, omega dt = 1: up to 33 % in a bounce, and 1.3 % gained on average; 0.5: 4.6 %; 0.3: 2.3 %; 0.2:
 *            0.8 %, without a drift; 0.12: 0.3 %; 0.09: 0.13 %, and 8e-5 a bounce in the mean of 200
 * test       tests/test_resolved_contacts.c
 *
 * Steps that the library chooses resolve a contact: they have a phase of ELI_RESOLVED at most, 35 steps for a bounce. Where the damper takes
 * a good part of the energy they may be longer. Steps of a given size must be stable alone.
 */
#ifndef ELI_RESOLVE_H
#define ELI_RESOLVE_H

#include "base/target.h"

#include <math.h>

#define ELI_RESOLVED 0.09

/* The ratio of damping from which on a stable step will do. */
#define ELI_DAMPED 0.1

/* What is less than so many steps away, at present speeds, counts in the step limit when the library chooses the step; and what is less than
 * so many away requests a limit check, if the step is too long for it. */
#define ELI_STEPS_COUNTED 4.0
#define ELI_STEPS_AWAITED 2.0

/* [N/m] What k must be counted as, so that 0.8 of the limit has this phase: damping [kg/s]. */
static inline double eli_resolved_stiffness(double k, double damping, double mass) {
  const double ratio = damping > 0.0 ? damping / (2.0 * sqrt(k * mass)) : 0.0, most = 1.6 / ELI_RESOLVED;
  return ratio < ELI_DAMPED ? k * most * most * (1.0 - ratio / ELI_DAMPED) : 0.0;
}

/* 1: the step is too long for a spring k: longer than the one that would resolve it, where the library chooses, else unstable. */
static inline int eli_is_too_long(double dt, double k, double damping, double mass, int chooses) {
  const double resolved = chooses ? eli_resolved_stiffness(k, damping, mass) : 0.0;
  return dt * dt * k > 4.0 * mass || dt * dt * resolved > 1.6 * 1.6 * mass;
}

#endif
