/* Implicit steps of a given size. */
#ifndef TESTS_IMPLICIT_STEPS_H
#define TESTS_IMPLICIT_STEPS_H

#include "support.h"

/* Takes steps of dt to a time. */
static inline elastica_implicit_result take_implicit_steps(elastica_world *world, double until, double dt, double newton_tolerance) {
  elastica_implicit_result result;
  DEFAULTS(implicit, def);
  def.until = until;
  def.dt = dt;
  def.newton_tolerance = newton_tolerance;
  must(world, elastica_world_run_implicit(world, &def, &result));
  assert_true(result.finished);
  return result;
}

#endif
