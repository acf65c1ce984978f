/* Implicit steps with every effect of the library (see conformance.h): they converge to explicit steps, or are refused by the name of the
 * effect before anything changes.
 */
#include "base/target.h"

#include "conformance_table.h"

enum { SEED = 8, FINE = 8192 };

/* [m] errors below it are rounding */
#define LEAST_ERROR 1e-11

static elastica_world *make_row_world(const effect_row *row, int closed) {
  elastica_world *world = make_kicked_world(ELASTICA_LAW_CLASSICAL, 1);
  elastica_rod *rod = add_row_rod(row, world, closed, SEED);
  add_effect_of(row, world, rod, 1.0);
  return world;
}

/* Takes steps of dt. Returns 0 if the effect is refused. */
static int run_row(const effect_row *row, elastica_world *world, int closed, double until, double dt) {
  const uint64_t before = hash_world(world);
  DEFAULTS(implicit, def);
  def.until = until;
  def.dt = dt;
  def.newton_tolerance = 1e-9;
  const elastica_status status = elastica_world_run_implicit(world, &def, NULL);
  if (status == ELASTICA_OK) return 1;
  if (status != ELASTICA_INVALID_ARGUMENT || !sentence_has(elastica_world_message(world), row->name) || hash_world(world) != before)
    fail_msg("%s: %s", label_of(row, closed), elastica_world_message(world));
  return 0;
}

/* Returns 1 if the effect has an implicit form. */
static int claim_row(const effect_row *row, int closed) {
  /* a step in which friction begins to slide or to stick is of first order: of a few elements among many, or of the whole body */
  const int is_rough = strstr(label_of(row, closed), "rough") != NULL,
            is_rough_body = strstr(label_of(row, closed), "obstacle (on a") != NULL;
  const double least = is_rough_body ? 1.8 : is_rough ? 3.0 : 3.5, most = is_rough_body ? 2.4 : 4.6;
  double error[2] = {0.0, 0.0};
  elastica_world *world[2];
  elastica_step_limit limit;
  /* friction on a whole body that begins to slide is of first order in explicit steps */
  const int fine = is_rough_body ? 32 * FINE : FINE;
  int runs = 1;
  for (int k = 0; k < 2 && runs; k++) {
    world[k] = make_row_world(row, closed);
    must(world[k], elastica_world_step_limit(world[k], &limit));
    if (!(limit.dt < 1e-2)) limit.dt = 1e-2; /* bodies */
    runs = run_row(row, world[k], closed, 16.0 * limit.dt, limit.dt / (8 << k));
    if (!runs) elastica_world_destroy(world[k]);
  }
  if (!runs) return 0;
  elastica_world *exact = make_row_world(row, closed);
  must(exact, elastica_world_step(exact, 16.0 * limit.dt / fine, fine));
  for (int k = 0; k < 2; k++) {
    error[k] = distance_of(world[k], exact);
    elastica_world_destroy(world[k]);
  }
  if (!(error[1] < LEAST_ERROR || (error[0] > least * error[1] && error[0] < most * error[1])))
    fail_msg("%s: errors %.3g and %.3g m", label_of(row, closed), error[0], error[1]);
  elastica_world_destroy(exact);
  return 1;
}

/* Refused are drag of kind EXPLICIT, friction of tendons, and rigid obstacles. */
TEST(implicit_steps_converge_with_every_effect_or_refuse_it) {
  static const char *const refused[] = {"drag", "obstacle", "tendon"};
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int closed = TESTS_ONE_ROUND_IN > 1 ? k % 2 : 0; closed < 2; closed += TESTS_ONE_ROUND_IN) {
      int may_refuse = 0;
      for (size_t name = 0; name < sizeof refused / sizeof *refused; name++)
        may_refuse = may_refuse || strcmp(effect_rows[k].name, refused[name]) == 0;
      if (takes(&effect_rows[k], closed) && !claim_row(&effect_rows[k], closed) && !may_refuse)
        fail_msg("%s is refused", label_of(&effect_rows[k], closed));
    }
}
