/* Changes of the stable step between two regular limit checks: by state, loads, muscles, motions. The stepper checks the limit again in
 * time: an accepted step never fails the simulation, and a step that has become too large is refused.
 */
#include "measured.h"

/* ---- Scenes: a soft fibre of 20 elements ---- */

static elastica_rod *add_fibre(elastica_world *world) {
  return add_straight_rod(world, 20, 1.0, 0.02, 1000.0, 1e6, 4e5);
}

static void release_from(elastica_world *world, double stretch) {
  double position[3 * 21] = {0.0};
  elastica_rod *rod = add_fibre(world);
  for (int i = 0; i <= 20; i++) position[component(i, Z)] = stretch * i / 20;
  must(world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
}

static void release_stretched(elastica_world *world) {
  release_from(world, 2.0);
}

static void release_pressed(elastica_world *world) {
  release_from(world, 0.5);
}

/* A time between two limit checks, for any step. */
#define SWITCHED_ON 0.0103

static elastica_status load_switched_on(void *user, double time, double force[3], double couple[3]) {
  (void)user, (void)couple;
  for (int a = 0; a < 3; a++) force[a] = time < SWITCHED_ON ? 0.0 : force[a];
  return ELASTICA_OK;
}

/* A sudden force of half of E A. */
static void pull_suddenly(elastica_world *world) {
  elastica_rod *rod = add_fibre(world);
  DEFAULTS(boundary, clamp);
  DEFAULTS(point_load, load);
  load.function = load_switched_on;
  load.force[2] = 628.0;
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  must(world, elastica_add_point_load(world, rod, &load, NULL));
}

static void flex_suddenly(elastica_world *world, elastica_muscle_kind kind, int axis, double size) {
  elastica_rod *rod = add_fibre(world);
  double amplitude[20];
  for (int i = 0; i < 20; i++) amplitude[i] = size;
  DEFAULTS(muscle, muscle);
  muscle.kind = kind;
  muscle.axis = axis;
  muscle.amplitude = amplitude;
  muscle.period = INFINITY;
  muscle.phase = 1.57;
  muscle.start_time = SWITCHED_ON;
  must(world, elastica_add_muscle(world, rod, &muscle, NULL));
}

static void bend_by_muscle(elastica_world *world) {
  flex_suddenly(world, ELASTICA_MUSCLE_COUPLE, 0, 1.0);
}

static void stretch_by_muscle(elastica_world *world) {
  flex_suddenly(world, ELASTICA_MUSCLE_FORCE, 2, 500.0);
}

static elastica_status activate(void *user, double time, double x, double *activation) {
  (void)user, (void)x;
  *activation = time < SWITCHED_ON ? 0.0 : 1.0;
  return ELASTICA_OK;
}

static void contract_suddenly(elastica_world *world) {
  elastica_rod *rod = add_fibre(world);
  DEFAULTS(contraction, def);
  def.maximum_force = 300.0;
  def.function = activate;
  must(world, elastica_add_contraction(world, rod, &def, NULL));
}

static elastica_status jerk(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)director, (void)omega;
  if (time < SWITCHED_ON) return ELASTICA_OK;
  position[2] -= 10.0 * (time - SWITCHED_ON);
  velocity[2] = -10.0;
  return ELASTICA_OK;
}

static void jerk_clamp(elastica_world *world) {
  elastica_rod *rod = add_fibre(world);
  DEFAULTS(boundary, clamp);
  clamp.motion = jerk;
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
}

typedef struct shock {
  const char *name;
  void (*fill)(elastica_world *world);
} shock;

static const shock shocks[] = {
    {"released from stretch 2", release_stretched},
    {"released from stretch 1/2", release_pressed},
    {"load switched on", pull_suddenly},
    {"muscle couple switched on", bend_by_muscle},
    {"muscle force switched on", stretch_by_muscle},
    {"activation switched on", contract_suddenly},
    {"clamp set in motion", jerk_clamp},
};
enum { SHOCKS = sizeof shocks / sizeof *shocks };

/* ---- Claims ---- */

TEST(advance_passes_every_shock) {
  for (int law = 0; law < 2; law++)
    for (int k = 0; k < SHOCKS; k++) {
      elastica_world *world = make_world_of_law((elastica_law)law, law);
      shocks[k].fill(world);
      const elastica_status status = elastica_world_advance(world, 0.1);
      if (status != ELASTICA_OK) fail_msg("%s, law %d: %s", shocks[k].name, law, elastica_world_message(world));
      elastica_world_destroy(world);
    }
}

/* 0.95 of the limit; the limit decreases: the step is refused, and after the refusal the world continues with half the limit. */
TEST(accepted_steps_do_not_fail) {
  int refused = 0;
  for (int law = 0; law < 2; law++)
    for (int k = 0; k < SHOCKS; k++) {
      elastica_world *world = make_world_of_law((elastica_law)law, law);
      shocks[k].fill(world);
      const double dt = 0.95 * limit_of(world).dt;
      const elastica_status status = elastica_world_step(world, dt, (long)(0.05 / dt));
      if (status != ELASTICA_OK) {
        refused++;
        if (status != ELASTICA_UNSTABLE_STEP || strncmp(elastica_world_message(world), "step: ", 6) != 0)
          fail_msg("%s, law %d: %s", shocks[k].name, law, elastica_world_message(world));
        must(world, elastica_world_step(world, 0.5 * limit_of(world).dt, 1));
      }
      elastica_world_destroy(world);
    }
  assert_true(refused >= SHOCKS / 2); /* most of them */
}

/* After a shock the limit is checked before the same steps, for any division of the run into calls and tiles, and with an observer. */
static elastica_status nothing(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)self, (void)now, (void)rod;
  return ELASTICA_OK;
}

TEST(shocks_are_seen_at_the_same_step_however_the_run_is_cut) {
  for (int k = 0; k < SHOCKS; k++) {
    long steps[3];
    uint64_t hash[3];
    for (int cut = 0; cut < 3; cut++) {
      elastica_world_def def = default_world();
      if (cut == 2) def.tile_size = 7;
      elastica_world *world = make_world(&def);
      elastica_status status = ELASTICA_OK;
      shocks[k].fill(world);
      elastica_module module = module_named("nothing");
      module.observe = nothing;
      if (cut == 1) must(world, elastica_world_add_module(world, NULL, &module, NULL));
      const double dt = 0.95 * limit_of(world).dt;
      const long count = (long)(0.05 / dt);
      if (cut == 0) status = elastica_world_step(world, dt, count);
      for (long i = 0; cut > 0 && i < count && status == ELASTICA_OK; i++) status = elastica_world_step(world, dt, 1);
      steps[cut] = elastica_world_get(world).step_count;
      hash[cut] = hash_world(world);
      elastica_world_destroy(world);
    }
    for (int cut = 1; cut < 3; cut++) {
      if (steps[cut] != steps[0]) fail_msg("%s: %ld and %ld steps", shocks[k].name, steps[0], steps[cut]);
      assert_true(hash[cut] == hash[0]);
    }
  }
}

/* An effect with a sudden change of stiffness that requests a limit check then. */
typedef struct surprise {
  double stiffness; /* [N/m] of node 0 after the change */
  double from;      /* [s] */
  double declared;  /* [N/m] */
} surprise;

static elastica_status hold_surprisingly(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const surprise *s = self;
  const double k = now->time < s->from ? 0.0 : s->stiffness;
  loads->force[0][0] -= k * rod->position[0][0];
  if (k > s->declared) loads->check_again = 1;
  return ELASTICA_OK;
}

static elastica_status tell(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  surprise *s = self;
  (void)rod;
  assert_true(now->until >= now->time);
  s->declared = now->time < s->from ? 0.0 : s->stiffness;
  stiffness->node[0] += s->declared;
  return ELASTICA_OK;
}

TEST(effects_may_ask_for_a_new_step_limit) {
  elastica_world *world = make_world(NULL);
  const surprise s = {1e6, SWITCHED_ON, 0.0};
  elastica_module module = module_named("surprise");
  module.self = &s;
  module.self_size = sizeof s;
  module.add_loads = hold_surprisingly;
  module.add_stiffness = tell;
  must(world, elastica_world_add_module(world, add_fibre(world), &module, NULL));
  const double dt = 0.9 * limit_of(world).dt;
  assert_status(world, elastica_world_step(world, dt, 1000), ELASTICA_UNSTABLE_STEP);
  assert_says(elastica_world_message(world), "surprise");
  assert_between((double)elastica_world_get(world).step_count, SWITCHED_ON / dt, SWITCHED_ON / dt + 3.0);
  elastica_world_destroy(world);
}

/* After a shock the step grows again. */
TEST(the_step_grows_again_after_a_shock) {
  elastica_world *world = make_world(NULL);
  release_from(world, 0.4);
  DEFAULTS(dissipation, dissipation);
  dissipation.translation = 20.0;
  must(world, elastica_add_dissipation(world, NULL, &dissipation, NULL));
  must(world, elastica_world_advance(world, 1.0));
  assert_between(elastica_world_get(world).working_step, 0.35 * limit_of(world).dt, 0.8 * limit_of(world).dt);
  elastica_world_destroy(world);
}

static elastica_status count_looks(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  long *looks = self;
  (void)now, (void)rod, (void)stiffness;
  (*looks)++;
  return ELASTICA_OK;
}

/* For rods that hardly move the limit is checked every 64 steps: 10 times in 640 steps. */
TEST(the_limit_of_calm_rods_and_rings_is_computed_every_64_steps) {
  for (int closed = 0; closed < 2; closed++) {
    elastica_world *world = make_world(NULL);
    sample_rod sample;
    long looks = 0;
    if (closed) {
      make_sample_ring(&sample, 12, 4);
      add_sample(world, &sample);
    } else {
      add_fibre(world);
    }
    elastica_module module = module_named("count");
    module.self = &looks;
    module.add_stiffness = count_looks;
    must(world, elastica_world_add_module(world, NULL, &module, NULL));
    const double dt = 1e-4 * limit_of(world).dt;
    looks = 0;
    must(world, elastica_world_step(world, dt, 640));
    assert_between((double)looks, 10.0, 11.0);
    elastica_world_destroy(world);
  }
}
