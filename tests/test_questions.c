/* Queries do not change a world: with every effect of the library (see conformance.h), a snapshot is the same, byte by byte, after all
 * queries, and the following steps have the same bits as without queries.
 */
#include "base/target.h"

#include "conformance_table.h"

typedef struct bytes {
  unsigned char *data;
  size_t size;
} bytes;

static bytes snapshot_of(elastica_world *world) {
  bytes out = {.size = size_of_snapshot(world)};
  out.data = malloc(out.size);
  assert_non_null(out.data);
  must(world, elastica_world_snapshot_save(world, out.data, out.size, NULL));
  return out;
}

/* ---- Queries ---- */

static void ask_for_the_limit(elastica_world *world) {
  elastica_step_limit limit;
  must(world, elastica_world_step_limit(world, &limit));
}

static void ask_for_sums(elastica_world *world) {
  elastica_totals totals;
  must(world, elastica_world_get_totals(world, &totals));
  (void)elastica_world_get(world).working_step;
}

static void ask_each_rod(elastica_world *world) {
  for (elastica_rod *rod = next_rod(world, NULL); rod; rod = next_rod(world, rod)) {
    elastica_totals totals;
    elastica_rod_facts facts;
    must(world, elastica_rod_refresh(rod));
    must(world, elastica_rod_get_totals(rod, &totals));
    ignore(elastica_rod_get_facts(rod, &facts));
  }
}

static void ask_each_effect(elastica_world *world) {
  for (elastica_effect *effect = next_effect(world, NULL); effect; effect = next_effect(world, effect)) {
    const char *name = elastica_effect_get(effect).name;
    elastica_contact_point points[8];
    elastica_tendon_info tendon;
    elastica_guide_info guide;
    elastica_joint_info joint;
    double force[3], couple[3];
    int count;
    assert_true(isfinite(elastica_effect_energy(effect)) && isfinite(elastica_effect_power(effect)));
    if (strcmp(name, "contact") == 0) must(world, elastica_contact_get(effect, points, 8, &count));
    if (strcmp(name, "obstacle") == 0) must(world, elastica_obstacle_get_force(effect, force, couple));
    if (strcmp(name, "joint") == 0) must(world, elastica_joint_get(effect, &joint));
    if (strcmp(name, "tendon") == 0) {
      must(world, elastica_tendon_get(effect, &tendon, NULL, 0));
      must(world, elastica_tendon_get(effect, &tendon, &guide, 1));
    }
  }
}

static void ask_for_all_loads(elastica_world *world) {
  must(world, elastica_world_evaluate(world, 0x1p-16));
}

static void check_the_world(elastica_world *world) {
  elastica_check_report report;
  must(world, elastica_world_check(world, 0x1p-16, &report));
}

static const struct {
  void (*ask)(elastica_world *world);
  const char *what;
} QUESTIONS[] = {
    {ask_for_the_limit, "step_limit"}, {ask_for_sums, "sums"},          {ask_each_rod, "questions of rods"},
    {ask_each_effect, "effects"},      {ask_for_all_loads, "evaluate"}, {check_the_world, "check"},
};

/* ---- The claims ---- */

enum { ROUNDS = 3 };
static const double BETWEEN = 0x1p-10; /* [s] */

static elastica_world *make_scene(const effect_row *row, int closed) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_row_rod(row, world, closed, 1);
  add_effect_of(row, world, rod, 1.0);
  ask_for_sums(world); /* the first query prepares the world: constraints are applied */
  return world;
}

static void claim_no_change(elastica_world *world, elastica_world *quiet, const char *label) {
  for (int round = 0; round < ROUNDS; round++) {
    for (size_t k = 0; k < sizeof QUESTIONS / sizeof *QUESTIONS; k++) {
      bytes before = snapshot_of(world);
      QUESTIONS[k].ask(world);
      bytes after = snapshot_of(world);
      if (before.size != after.size || memcmp(before.data, after.data, before.size) != 0)
        fail_msg("%s: round %d: %s changed the snapshot", label, round, QUESTIONS[k].what);
      free(before.data), free(after.data);
    }
    must(world, elastica_world_advance(world, BETWEEN));
    must(quiet, elastica_world_advance(quiet, BETWEEN));
    if (hash_world(world) != hash_world(quiet)) fail_msg("%s: round %d: a query changes the run", label, round);
  }
  elastica_world_destroy(world);
  elastica_world_destroy(quiet);
}

TEST(questions_change_nothing) {
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int closed = 0; closed <= takes(&effect_rows[k], 1); closed++)
      claim_no_change(make_scene(&effect_rows[k], closed), make_scene(&effect_rows[k], closed), label_of(&effect_rows[k], closed));
}

/* ---- All effects at once, driven ---- */

static elastica_status grow_along(void *user, double time, int place, double s, double *activation) {
  (void)user, (void)place, (void)s;
  *activation = 200.0 * time;
  return ELASTICA_OK;
}

static elastica_status grow(void *user, double time, double x, double *activation) {
  (void)user, (void)x;
  *activation = 0.1 + 200.0 * time;
  return ELASTICA_OK;
}

static elastica_status grow_cable(void *user, double time, double length, double rate, double *activation) {
  (void)rate;
  return grow(user, time, length, activation);
}

/* Each row without constraints acts on a rod of its own; muscles with activation functions act on another. */
static elastica_world *make_crowd(void) {
  elastica_world *world = make_world(NULL);
  const double amplitude[SAMPLE_ELEMENTS] = {0.01, 0.02, 0.01, -0.01};
  for (int k = 0; k < EFFECT_ROWS; k++)
    if (!(effect_rows[k].is & (HOLDS | EVERY_ROD))) add_effect_of(&effect_rows[k], world, add_row_rod(&effect_rows[k], world, 0, 1), 1.0);
  elastica_rod *rod = add_usual(world, 0, 2);
  DEFAULTS(muscle, muscle);
  muscle.amplitude = amplitude, muscle.function = grow_along;
  must(world, elastica_add_muscle(world, rod, &muscle, NULL));
  DEFAULTS(contraction, contraction);
  contraction.maximum_force = 0.5, contraction.function = grow;
  must(world, elastica_add_contraction(world, rod, &contraction, NULL));
  DEFAULTS(tendon, tendon);
  tendon.rod = rod, tendon.tension = 0.5, tendon.drive = grow_cable;
  must(world, elastica_add_tendon(world, &tendon, NULL));
  ask_for_sums(world);
  return world;
}

TEST(queries_change_nothing_with_all_effects_at_once) {
  claim_no_change(make_crowd(), make_crowd(), "a crowd");
}
