/* Claims about a user's effect between rods: its bounds in the step limit, its removal with any of its rods, and its sleep. */
#include "base/target.h"

#include "springs.h"

/* ---- Bounds ---- */

static elastica_status bound_both(void *self, const elastica_instant *now, elastica_world_stiffness *stiffness) {
  const springs *s = self;
  assert_true(now->rod_index == -1 && stiffness->rod_count == 3 && stiffness->rods[1] == NULL);
  for (int k = 0; k < 2; k++) {
    const int r = k == 0 ? s->first : s->second;
    for (int i = 0; i < stiffness->rods[r]->node_count; i++) stiffness->stiffness[r].node[i] += 2.0 * s->rate * stiffness->rods[r]->mass[i];
  }
  return ELASTICA_OK;
}

static elastica_status bound_wrongly(void *self, const elastica_instant *now, elastica_world_stiffness *stiffness) {
  (void)self, (void)now;
  stiffness->stiffness[2].element[3] -= 1.0;
  return ELASTICA_OK;
}

static int acts_on(void *self, const elastica_rod_view *rod) {
  const springs *s = self;
  return rod->rod_index == s->first || rod->rod_index == s->second;
}

/* Two rods on strong springs; the rod between them was removed. */
static elastica_world *make_pair(springs *s) {
  elastica_world *world = make_world(NULL);
  add_standing_rod(world, 0.0, 0.0);
  elastica_rod *gone = add_standing_rod(world, 0.2, 0.0);
  add_standing_rod(world, 0.5, 0.0);
  must(world, elastica_rod_remove(gone));
  *s = usual;
  s->second = 2;
  s->rate = 1e10;
  return world;
}

TEST(bounds_for_all_rods_count_like_those_of_each_rod) {
  springs s;
  elastica_step_limit limit[2];
  for (int together = 0; together < 2; together++) {
    elastica_world *world = make_pair(&s);
    elastica_effect *effect = NULL;
    elastica_module module = module_of(&s);
    if (together) module.add_stiffness = NULL, module.add_world_stiffness = bound_both, module.acts_on = acts_on;
    must(world, elastica_world_add_module(world, together ? elastica_world_rod(world, 0) : NULL, &module, &effect));
    must(world, elastica_world_step_limit(world, &limit[together]));
    assert_ptr_equal(limit[together].effect, effect);
    elastica_world_destroy(world);
  }
  assert_true(limit[0].dt == limit[1].dt);
}

TEST(a_negative_bound_is_refused_by_name) {
  springs s;
  elastica_step_limit limit;
  elastica_world *world = make_pair(&s);
  elastica_module module = module_of(&s);
  module.add_world_stiffness = bound_wrongly;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  assert_int_equal(elastica_world_step_limit(world, &limit), ELASTICA_CALLBACK_FAILED);
  assert_non_null(strstr(elastica_world_message(world), "add_world_stiffness added -1 at node or element 3 of rod 2"));
  elastica_world_destroy(world);
}

TEST(hooks_for_pairs_need_loads_between_rods) {
  elastica_world *world = make_world(NULL);
  elastica_module module = module_named("idle");
  module.acts_on = acts_on;
  assert_int_equal(elastica_world_add_module(world, NULL, &module, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_non_null(strstr(elastica_world_message(world), "without add_world_loads"));
  elastica_world_destroy(world);
}

/* ---- Removal ---- */

TEST(the_effect_goes_with_each_rod_that_it_acts_on) {
  for (int removed = 0; removed < 4; removed += 2) {
    springs s;
    elastica_effect *effect = NULL;
    elastica_world *world = make_pair(&s);
    elastica_rod *other = add_standing_rod(world, 2.0, 0.0);
    elastica_module module = module_of(&s);
    module.acts_on = acts_on;
    must(world, elastica_world_add_module(world, elastica_world_rod(world, 0), &module, &effect));
    must(world, elastica_rod_remove(other));
    assert_ptr_equal(elastica_world_effect(world, 0), effect);
    must(world, elastica_rod_remove(elastica_world_rod(world, removed)));
    assert_null(elastica_world_effect(world, 0));
    must(world, elastica_world_step(world, 1e-4, 1));
    elastica_world_destroy(world);
  }
}

/* ---- Sleep ---- */

enum { NODES = 11 };

/* Nodes of the same number repel each other within a distance. */
typedef struct repulsion {
  double reach, rate;            /* [m] [N/m] */
  double start[2][3][NODES], by; /* [m] positions when the pair fell asleep, and how far a node may move from there */
  long calls;
} repulsion;

static double distance_between(const elastica_rod_view *const rod[2], int i, double normal[3]) {
  double square = 0.0;
  for (int a = 0; a < 3; a++) normal[a] = rod[1]->position[a][i] - rod[0]->position[a][i], square += normal[a] * normal[a];
  for (int a = 0; a < 3; a++) normal[a] /= sqrt(square);
  return sqrt(square);
}

static elastica_status repel(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  repulsion *r = self;
  (void)now;
  r->calls++;
  for (int i = 0; i < NODES; i++) {
    double normal[3];
    const double gap = distance_between(loads->rods, i, normal) - r->reach;
    for (int a = 0; a < 3 && gap < 0.0; a++) {
      loads->loads[0].force[a][i] += r->rate * gap * normal[a];
      loads->loads[1].force[a][i] -= r->rate * gap * normal[a];
    }
  }
  return ELASTICA_OK;
}

static elastica_world *sleeping_world;

static int may_sleep(void *self, const elastica_instant *now) {
  repulsion *r = self;
  const elastica_rod_view *rods[2];
  double least = INFINITY, normal[3];
  assert_true(now->purpose == ELASTICA_PURPOSE_STEP && now->dt > 0.0);
  for (int k = 0; k < 2; k++) rods[k] = elastica_rod_get_view(elastica_world_rod(sleeping_world, k));
  for (int i = 0; i < NODES; i++) {
    const double gap = distance_between(rods, i, normal) - r->reach;
    if (gap < least) least = gap;
    for (int k = 0; k < 2; k++)
      for (int a = 0; a < 3; a++) r->start[k][a][i] = rods[k]->position[a][i];
  }
  r->by = 0.5 * least;
  return least > 0.01;
}

static int must_wake(void *self, const elastica_rod_view *rod) {
  const repulsion *r = self;
  for (int i = 0; i < NODES; i++) {
    double square = 0.0;
    for (int a = 0; a < 3; a++) {
      const double moved = rod->position[a][i] - r->start[rod->rod_index][a][i];
      square += moved * moved;
    }
    if (square >= r->by * r->by) return 1;
  }
  return 0;
}

/* Two rods that meet, bounce, and part. Returns the number of calls of add_world_loads. */
static long meet(int sleeps, uint64_t *hash) {
  repulsion r = {.reach = 0.2, .rate = 2e4};
  elastica_effect *effect = NULL;
  elastica_world *world = sleeping_world = make_world(NULL);
  add_standing_rod(world, 0.0, 1.0);
  add_standing_rod(world, 0.5, -1.0);
  elastica_module module = module_named("repulsion");
  module.self = &r;
  module.self_size = sizeof r;
  module.parallel_safe = 1;
  module.needs_geometry = module.needs_derived = 0;
  module.add_world_loads = repel;
  if (sleeps) module.may_sleep = may_sleep, module.must_wake = must_wake;
  must(world, elastica_world_add_module(world, NULL, &module, &effect));
  must(world, elastica_world_step(world, 1e-4, 6400));
  assert_true(elastica_rod_get_view(elastica_world_rod(world, 0))->velocity[0][5] < -0.5); /* they have bounced */
  const long calls = ((const repulsion *)elastica_effect_get(effect).self)->calls;
  *hash = hash_world(world);
  elastica_world_destroy(world);
  return calls;
}

TEST(a_sleeping_pair_costs_no_calls_and_no_bit) {
  uint64_t awake, asleep;
  assert_int_equal(meet(0, &awake), 6400);
  const long calls = meet(1, &asleep);
  assert_true(calls > 0 && calls < 2000);
  assert_true(asleep == awake);
}
