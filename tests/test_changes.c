/* Claims about the repeated preparation after a change between two steps: it is complete for affected rods, absent for other rods, and
 * never visible in the results.
 */
#include "base/target.h"

#include "measured.h"
#include "rationed_memory.h"
#include "state/world.h"

enum { RODS = 4, ELEMENTS = 6, NODES = ELEMENTS + 1, JOINTS = ELEMENTS - 1, CONTROLS = 4 };

/* ---- A scene that counts calls ---- */

typedef struct counts {
  int prepared, imposed; /* number of calls of prepare, and of constrain_position outside a step */
} counts;

typedef struct counting {
  counts *of;             /* number of calls per rod */
  double mass;            /* [kg] added to node 0 */
  elastica_status status; /* returned by prepare of the last rod */
} counting;

static elastica_status prepare(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  const counting *c = self;
  c->of[rod->rod_index].prepared++;
  preparation->mass[0] += c->mass;
  return rod->rod_index == RODS - 1 ? c->status : ELASTICA_OK;
}

static elastica_status hold_last_node(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  const counting *c = self;
  if (now->dt == 0.0) c->of[rod->rod_index].imposed++;
  state->position[X][rod->node_count - 1] = 0.0;
  return ELASTICA_OK;
}

typedef struct scene {
  elastica_world *world;
  counts of[RODS + 1];
  elastica_effect *counter[RODS], *muscle[RODS];
} scene;

static elastica_module counting_module(scene *s, counting *c) {
  elastica_module module;
  *c = (counting){s->of, 0.01, ELASTICA_OK};
  elastica_module_init(&module, sizeof module);
  module.name = "counting";
  module.self = c;
  module.self_size = sizeof *c;
  module.prepare = prepare;
  module.constrain_position = hold_last_node;
  return module;
}

static elastica_status set_muscle(elastica_effect *effect, elastica_world *world, elastica_rod *rod, double couple, elastica_effect **out) {
  const double control[CONTROLS] = {0.0, couple, couple, 0.0};
  DEFAULTS(muscle, def);
  def.control = control;
  def.control_count = CONTROLS;
  def.period = 0.01;
  return effect != NULL ? elastica_muscle_set(effect, &def) : elastica_add_muscle(world, rod, &def, out);
}

/* A counter and a muscle on each rod; each tile has two rods. */
static void make_scene(scene *s, memory_ration *ration) {
  const double down[3] = {0.0, 0.0, -9.81};
  elastica_world_def def = ration != NULL ? rationed_world_def(ration) : default_world();
  memset(s, 0, sizeof *s);
  DEFAULTS(node_mass, mass);
  DEFAULTS(boundary, clamp);
  mass.mass = 0.02;
  def.tile_size = 2 * NODES;
  s->world = make_world(&def);
  for (int r = 0; r < RODS; r++) {
    counting c;
    const elastica_module module = counting_module(s, &c);
    elastica_rod *rod = add_straight_rod(s->world, ELEMENTS, 1.0, 0.02, 1000.0, 1e6, 4e5);
    must(s->world, elastica_world_add_module(s->world, rod, &module, &s->counter[r]));
    must(s->world, set_muscle(NULL, s->world, rod, 1e-3 * (r + 1), &s->muscle[r]));
    must(s->world, elastica_add_node_mass(s->world, rod, &mass, NULL));
    must(s->world, elastica_add_boundary(s->world, rod, &clamp, NULL));
  }
  must(s->world, elastica_add_gravity(s->world, down, NULL));
}

static void step(scene *s) {
  must(s->world, elastica_world_step(s->world, 1e-5, 3));
}

/* The next step must prepare and constrain these rods this many times; resets the counts. */
static void assert_done(scene *s, int rod, int others) {
  step(s);
  for (int r = 0; r <= RODS; r++) {
    assert_int_equal(s->of[r].prepared, r == rod ? 1 : r < RODS ? others : 0);
    assert_int_equal(s->of[r].imposed, r == rod ? 1 : r < RODS ? others : 0);
  }
  memset(s->of, 0, sizeof s->of);
}

/* ---- Called hooks ---- */

TEST(only_changed_rods_are_prepared_again) {
  double position[3 * NODES] = {0.0}, curvature[3 * JOINTS] = {0.0};
  scene s;
  counting c;
  make_scene(&s, NULL);
  const elastica_module module = counting_module(&s, &c);
  assert_done(&s, 0, 1); /* the first step does everything */
  assert_done(&s, -1, 0);
  must(s.world, set_muscle(s.muscle[1], NULL, NULL, 2e-3, NULL)); /* neither prepares nor constrains a rod */
  assert_done(&s, -1, 0);
  must(s.world, elastica_effect_set_module(s.counter[2], &module));
  assert_done(&s, 2, 0);
  must(s.world, elastica_effect_set_enabled(s.muscle[1], 0));
  assert_done(&s, -1, 0);
  for (int i = 0; i < NODES; i++) position[component(i, Z)] = 1.0 / ELEMENTS * i;
  must(s.world, elastica_rod_set_state(elastica_world_rod(s.world, 3), position, NULL, NULL, NULL));
  assert_done(&s, 3, 0);
  must(s.world, elastica_rod_set_rest(elastica_world_rod(s.world, 0), curvature, NULL));
  assert_done(&s, 0, 0);
  add_straight_rod(s.world, ELEMENTS, 1.0, 0.02, 1000.0, 1e6, 4e5);
  assert_done(&s, -1, 0);
  must(s.world, elastica_world_add_module(s.world, elastica_world_rod(s.world, RODS), &module, NULL));
  assert_done(&s, RODS, 0);
  elastica_world_destroy(s.world);
}

/* An effect on every rod affects every rod. */
TEST(effects_on_all_rods_concern_all) {
  scene s;
  counting c;
  elastica_effect *everywhere;
  make_scene(&s, NULL);
  elastica_module module = counting_module(&s, &c);
  for (int r = 0; r < RODS; r++) must(s.world, elastica_effect_set_enabled(s.counter[r], 0));
  must(s.world, elastica_world_add_module(s.world, NULL, &module, &everywhere));
  assert_done(&s, 0, 1);
  must(s.world, elastica_effect_set_module(everywhere, &module));
  assert_done(&s, 0, 1);
  must(s.world, elastica_effect_set_enabled(everywhere, 0));
  assert_done(&s, -1, 0);
  must(s.world, elastica_effect_set_module(everywhere, &module)); /* switched off */
  assert_done(&s, -1, 0);
  must(s.world, elastica_effect_set_enabled(everywhere, 1));
  assert_done(&s, 0, 1);
  module.prepare = NULL; /* the masses must be summed again without it */
  must(s.world, elastica_effect_set_module(everywhere, &module));
  step(&s);
  assert_close(elastica_rod_get_view(elastica_world_rod(s.world, 2))->mass[0],
               elastica_rod_get_view(elastica_world_rod(s.world, 2))->mass[ELEMENTS] - 0.02, 1e-12);
  elastica_world_destroy(s.world);
}

/* ---- Costs ---- */

/* Lists, tiles and scratch memory remain. */
TEST(a_step_after_a_new_activation_takes_no_memory) {
  memory_ration ration = plenty();
  scene s;
  make_scene(&s, &ration);
  step(&s);
  for (int r = 0; r < RODS; r++) {
    must(s.world, set_muscle(s.muscle[r], NULL, NULL, 3e-3, NULL));
    const long before = ration.calls;
    step(&s);
    assert_int_equal(ration.calls, before);
  }
  elastica_world_destroy(s.world);
  assert_int_equal(ration.blocks, 0);
}

/* ---- Unchanged results ---- */

typedef void (*scene_change)(scene *s, int k);

static void change_muscle(scene *s, int k) {
  must(s->world, set_muscle(s->muscle[k % RODS], NULL, NULL, 1e-3 * (1 + k % 3), NULL));
}

static void change_counter(scene *s, int k) {
  counting c;
  elastica_module module = counting_module(s, &c);
  c.mass = 1e-3 * (1 + k % 4);
  module.constrain_position = k % 3 == 0 ? NULL : hold_last_node;
  module.needs_derived = k % 2;
  must(s->world, elastica_effect_set_module(s->counter[k % RODS], &module));
}

static void change_who_acts(scene *s, int k) {
  must(s->world, elastica_effect_set_enabled(k % 2 ? s->muscle[k % RODS] : s->counter[k % RODS], k / RODS % 2));
}

static void change_rest(scene *s, int k) {
  double curvature[3 * JOINTS] = {0.0};
  for (int j = 0; j < JOINTS; j++) curvature[component(j, X)] = k < RODS ? 0.1 * k : 0.0;
  must(s->world, elastica_rod_set_rest(elastica_world_rod(s->world, k % RODS), curvature, NULL));
}

static void change_spins(scene *s, int k) {
  double omega[3 * ELEMENTS];
  for (int j = 0; j < 3 * ELEMENTS; j++) omega[j] = 0.1 * (j + k);
  must(s->world, elastica_rod_set_state(elastica_world_rod(s->world, k % RODS), NULL, NULL, NULL, omega));
}

/* Hash after 10 changes, each followed by a step. `everything`: all data of every rod are computed again each time; otherwise only the
 * stale data. */
static uint64_t hash_after(scene_change change, int everything) {
  scene s;
  make_scene(&s, NULL);
  for (int k = 0; k < 10; k++) {
    change(&s, k);
    for (int r = 0; r < RODS && everything; r++) {
      eli_rod_outdate(elastica_world_rod(s.world, r), ELI_STALE_REST | ELI_STALE_MASSES | ELI_STALE_STATE);
      eli_world_outdate(s.world, ELI_STALE_LISTS | ELI_STALE_TILES | ELI_STALE_LIMIT);
    }
    step(&s);
  }
  const elastica_step_limit limit = limit_of(s.world);
  const uint64_t hash = hash_numbers(hash_world(s.world), &limit.dt, 1);
  elastica_world_destroy(s.world);
  return hash;
}

TEST(bits_are_those_of_a_world_prepared_as_a_whole) {
  const scene_change changes[] = {change_muscle, change_counter, change_who_acts, change_rest, change_spins};
  for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) assert_true(hash_after(changes[k], 0) == hash_after(changes[k], 1));
}

/* ---- Refusals ---- */

/* The last rod refuses after the masses of the first rod, in another tile, have been summed. */
TEST(a_refused_step_leaves_masses_of_other_rods_and_does_them_once_it_can) {
  scene s;
  counting c;
  make_scene(&s, NULL);
  const elastica_module heavier = counting_module(&s, &c);
  step(&s);
  const double *mass = elastica_rod_get_view(elastica_world_rod(s.world, 0))->mass, before = mass[0];
  c.mass = 0.5;
  must(s.world, elastica_effect_set_module(s.counter[0], &heavier));
  c.mass = 0.01;
  c.status = ELASTICA_IO_ERROR;
  must(s.world, elastica_effect_set_module(s.counter[RODS - 1], &heavier));
  for (int attempt = 0; attempt < 2; attempt++) {
    assert_refused(s.world, elastica_world_step(s.world, 1e-5, 1), ELASTICA_CALLBACK_FAILED, "counting", "prepare", "rod 3");
    assert_true(mass[0] == before);
  }
  c.status = ELASTICA_OK;
  must(s.world, elastica_effect_set_module(s.counter[RODS - 1], &heavier));
  step(&s);
  assert_close(mass[0], before + 0.49, 1e-12);
  elastica_world_destroy(s.world);
}

static elastica_status push_once(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)now, (void)rod;
  loads->force[X][0] += *(const double *)self;
  return ELASTICA_OK;
}

static elastica_status push_twice(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)now, (void)rod;
  loads->force[X][0] += 2.0 * *(const double *)self;
  return ELASTICA_OK;
}

/* Also for a function or a borrowed self that replaces another of its kind. */
TEST(the_next_step_calls_the_new_functions_of_a_module) {
  double push[2] = {1.0, 5.0};
  elastica_effect *effect = NULL;
  elastica_module module;
  elastica_world *world = make_world(NULL);
  const elastica_rod_view *view = elastica_rod_get_view(add_straight_rod(world, 4, 0.4, 0.05, 1000.0, 1e5, 4e4));
  elastica_module_init(&module, sizeof module);
  module.name = "push";
  module.self = &push[0];
  module.stateless = 1;
  module.add_loads = push_once;
  must(world, elastica_world_add_module(world, NULL, &module, &effect));
  must(world, elastica_world_evaluate(world, 0.0));
  assert_true(view->external_force[X][0] == 1.0);
  module.add_loads = push_twice;
  must(world, elastica_effect_set_module(effect, &module));
  must(world, elastica_world_evaluate(world, 0.0));
  assert_true(view->external_force[X][0] == 2.0);
  module.self = &push[1];
  must(world, elastica_effect_set_module(effect, &module));
  must(world, elastica_world_evaluate(world, 0.0));
  assert_true(view->external_force[X][0] == 10.0);
  elastica_world_destroy(world);
}

static elastica_status push_all(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  (void)self, (void)now;
  loads->loads[0].force[X][0] += 3.0;
  return ELASTICA_OK;
}

/* An effect on all rods becomes one between rods, and back. */
TEST(an_effect_may_begin_and_end_to_act_between_rods) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 4, 1.0, 0.05, 1000.0, 1e5, 0.3e5);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_effect *effect = NULL;
  elastica_module module;
  const double one = 1.0;
  elastica_module_init(&module, sizeof module);
  module.name = "push";
  module.self = &one;
  module.self_size = sizeof one;
  module.add_loads = push_once;
  must(world, elastica_world_add_module(world, NULL, &module, &effect));
  for (int k = 0; k < 4; k++) {
    module.add_loads = k % 2 ? NULL : push_once;
    module.add_world_loads = k % 2 ? push_all : NULL;
    must(world, elastica_effect_set_module(effect, &module));
    must(world, elastica_world_evaluate(world, 0.0));
    assert_true(view->external_force[X][0] == (k % 2 ? 3.0 : 1.0));
  }
  elastica_world_destroy(world);
}
