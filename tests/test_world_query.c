/* Energy and momentum of whole worlds, added masses, queries by hooks, and components in frames. */
#include "base/target.h"

#include "support.h"
#include "threads.h"

static const double length = 1.8;
static const double nothing[3] = {0.0, 0.0, 0.0};

typedef struct fixture {
  elastica_world *world;
  elastica_rod *rod;
} fixture;

/* A world of the papers' law with a straight rod along z. */
static fixture make_fixture(void) {
  fixture f;
  f.world = make_papers_world();
  f.rod = add_straight_rod(f.world, 12, length, 0.06, 1200.0, 3e5, 1.1e5);
  return f;
}

static elastica_totals momentum_of(fixture *f) {
  elastica_totals momentum;
  must(f->world, elastica_rod_get_totals(f->rod, &momentum));
  return momentum;
}

static elastica_status refuse_queries(void *self, const elastica_instant *now, const elastica_rod_view *view) {
  elastica_rod *rod = *(elastica_rod **)self;
  elastica_totals totals;
  (void)now, (void)view;
  if (elastica_rod_get_totals(rod, &totals) != ELASTICA_WRONG_STATE) return ELASTICA_INVALID_ARGUMENT;
  if (elastica_rod_set_state(rod, NULL, NULL, NULL, NULL) != ELASTICA_WRONG_STATE) return ELASTICA_INVALID_ARGUMENT;
  if (elastica_rod_set_rest(rod, NULL, NULL) != ELASTICA_WRONG_STATE) return ELASTICA_INVALID_ARGUMENT;
  return ELASTICA_OK;
}

TEST(a_world_is_the_sum_of_its_rods) {
  const double gravity[3] = {1.0, -2.0, 9.81};
  elastica_world *world = make_world(NULL);
  elastica_totals total, sum = {.effects = 0.0};
  double angular[3] = {0.0, 0.0, 0.0}, moment[3] = {0.0, 0.0, 0.0}, potential = 0.0;
  must(world, elastica_world_get_totals(world, &total));
  assert_all_close(total.centre, nothing, 3, 0.0);
  must(world, elastica_add_gravity(world, gravity, NULL));
  for (int k = 0; k < 3; k++) {
    sample_rod sample;
    const sample_recipe recipe = usual_recipe();
    make_sample(&sample, 5 + 4 * k, (uint64_t)k, &recipe);
    add_sample(world, &sample);
  }
  for (int k = 0; k < 3; k++) {
    elastica_rod *rod = elastica_world_rod(world, k);
    elastica_totals totals;
    must(world, elastica_rod_get_totals(rod, &totals));
    sum.translation += totals.translation, sum.rotation += totals.rotation, sum.bending += totals.bending, sum.shear += totals.shear;
    for (int a = 0; a < 3; a++) angular[a] += totals.angular[a], moment[a] += totals.mass * totals.centre[a];
    potential -= totals.mass * dot(gravity, totals.centre);
  }
  must(world, elastica_world_get_totals(world, &total));
  assert_close(total.translation, sum.translation, 1e-14);
  assert_close(total.rotation, sum.rotation, 1e-15);
  assert_close(total.bending, sum.bending, 1e-14);
  assert_close(total.shear, sum.shear, 1e-14);
  assert_close(total.effects, potential, 1e-12);
  assert_all_close(total.angular, angular, 3, 1e-13);
  for (int a = 0; a < 3; a++) assert_close(total.centre[a], moment[a] / total.mass, 1e-14);
  elastica_world_destroy(world);
}

TEST(masses_that_effects_add_count_at_once) {
  fixture f = make_fixture();
  const double before = momentum_of(&f).mass;
  DEFAULTS(node_mass, def);
  def.mass = 5.0;
  must(f.world, elastica_add_node_mass(f.world, f.rod, &def, NULL));
  const elastica_totals momentum = momentum_of(&f);
  assert_close(momentum.mass, before + 5.0, 1e-14);
  assert_close(momentum.centre[2], (before * 0.5 + 5.0) * length / (before + 5.0), 1e-14);
  elastica_world_destroy(f.world);
}

TEST(queries_without_an_object_or_a_result_are_refused) {
  fixture f = make_fixture();
  elastica_totals totals;
  assert_status(NULL, elastica_rod_get_totals(NULL, &totals), ELASTICA_INVALID_ARGUMENT);
  assert_status(NULL, elastica_world_get_totals(NULL, &totals), ELASTICA_INVALID_ARGUMENT);
  assert_status(NULL, elastica_rod_set_state(NULL, NULL, NULL, NULL, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_status(NULL, elastica_rod_set_rest(NULL, NULL, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_status(f.world, elastica_rod_get_totals(f.rod, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f.world), "rod_get_totals", "out", "NULL");
  assert_status(f.world, elastica_world_get_totals(f.world, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f.world), "world_get_totals", "out", "NULL");
  elastica_world_destroy(f.world);
}

/* Inside a hook totals need the derived lanes and are refused, and nothing can be set. */
TEST(hooks_may_query_momentum_but_set_nothing) {
  fixture f = make_fixture();
  elastica_module module = module_named("curious");
  module.self = &f.rod;
  module.self_size = sizeof f.rod;
  module.observe = refuse_queries;
  must(f.world, elastica_world_add_module(f.world, f.rod, &module, NULL));
  must(f.world, elastica_world_step(f.world, 1e-5, 2));
  elastica_world_destroy(f.world);
}

/* ---- Tiles and threads ---- */

enum { MANY = 9, FIRST_BAD = 3 };

/* An energy hook may read the derived lanes of its rod. */
static double energy_of_bends(void *self, double time, const elastica_rod_view *rod) {
  double sum = 0.0;
  (void)self;
  (void)time;
  assert_non_null(rod->curvature[0]);
  for (int k = 0; k < rod->joint_count; k++) sum += rod->curvature[0][k] * rod->couple[0][k];
  return sum;
}

/* Fails if *self says so. */
static elastica_status resist(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_resultants *resultants) {
  (void)now;
  for (int k = 0; k < rod->joint_count; k++) resultants->couple[0][k] += 1e-3;
  return rod->rod_index >= *(const int *)self ? ELASTICA_WRONG_STATE : ELASTICA_OK;
}

/* Rods of 2 to 18 elements and one of 700, all with weight; rod 2 has an additional energy. first_bad: the first rod with failing
 * resultants. */
static elastica_world *make_crowd(size_t tile_size, int workers, int parallel_safe, int first_bad) {
  const double gravity[3] = {0.3, -0.2, -9.81};
  elastica_world_def def = default_world();
  elastica_module bends = module_named("bends"), resisting = module_named("resisting");
  const sample_recipe recipe = usual_recipe();
  def.tile_size = tile_size;
  def.worker_count = workers;
  elastica_world *world = make_world(&def);
  share_all_work(world);
  for (int r = 0; r < MANY; r++) {
    sample_rod sample;
    make_sample(&sample, 2 + 2 * r, (uint64_t)r, &recipe);
    add_sample(world, &sample);
  }
  add_straight_rod(world, 700, 3.0, 0.01, 1000.0, 1e6, 4e5);
  must(world, elastica_add_gravity(world, gravity, NULL));
  bends.energy = energy_of_bends;
  must(world, elastica_world_add_module(world, elastica_world_rod(world, 2), &bends, NULL));
  resisting.self = &first_bad;
  resisting.self_size = sizeof first_bad;
  resisting.parallel_safe = parallel_safe;
  resisting.add_resultants = resist;
  must(world, elastica_world_add_module(world, NULL, &resisting, NULL));
  return world;
}

/* Sums over a rod add blocks of fixed length; sums over rods add rod after rod. */
TEST(bits_of_sums_do_not_depend_on_tiles_or_workers) {
  static const size_t sizes[] = {7, 64, 1024};
  uint64_t expected = 0;
  for (int k = 0; k < 18; k++) {
    elastica_world *world = make_crowd(sizes[k % 3], 1 + k / 3 % 3, k / 9, MANY + 1);
    elastica_totals totals;
    must(world, elastica_world_get_totals(world, &totals));
    const uint64_t hash = hash_numbers(hash_start(), &totals.translation, sizeof totals / sizeof(double));
    if (k == 0) expected = hash;
    assert_true(hash == expected);
    for (int r = 0; r <= MANY; r++) /* only the last rod's derived lanes are filled */
      assert_true((elastica_rod_get_view(elastica_world_rod(world, r))->strain[0] != NULL) == (r == MANY));
    elastica_world_destroy(world);
  }
}

/* Hooks fail on several rods, perhaps at the same time: the sentence names the first. */
TEST(the_first_rod_that_fails_is_named) {
  static const size_t sizes[] = {7, 64, 1024};
  for (int k = 0; k < 18; k++) {
    elastica_world *world = make_crowd(sizes[k % 3], 1 + k / 3 % 3, k / 9, FIRST_BAD);
    elastica_totals energy = {.translation = 1.0, .effects = 5.0};
    assert_int_equal(elastica_world_get_totals(world, &energy), ELASTICA_CALLBACK_FAILED);
    assert_non_null(strstr(elastica_world_message(world), "add_resultants returned"));
    assert_non_null(strstr(elastica_world_message(world), "for rod 3"));
    assert_true(energy.translation == 1.0 && energy.effects == 5.0);
    elastica_world_destroy(world);
  }
}

/* ---- Frames ---- */

TEST(components_go_to_the_frame_and_back) {
  sample_rod sample;
  const sample_recipe recipe = usual_recipe();
  elastica_world *world = make_world(NULL);
  random_source source = {5};
  make_sample(&sample, 20, 9, &recipe);
  const elastica_rod_view *view = elastica_rod_get_view(add_sample(world, &sample));
  for (int j = 0; j < 20; j++) {
    double vector[3], material[3], back[3], tangent[3];
    random_vector(&source, 10.0, vector);
    elastica_rotate_to_material(view, j, vector, material);
    elastica_rotate_to_laboratory(view, j, material, back);
    assert_all_close(back, vector, 3, 1e-14);
    assert_close(norm(material), norm(vector), 1e-14);
    elastica_rotate_to_material(view, j, back, back); /* in place */
    assert_all_close(back, material, 3, 2e-14);
    for (int a = 0; a < 3; a++) {
      const double axis[3] = {a == 0, a == 1, a == 2};
      elastica_rotate_to_laboratory(view, j, axis, tangent); /* a director */
      for (int b = 0; b < 3; b++) assert_true(tangent[b] == view->director[a][b][j]);
    }
  }
  assert_null(elastica_rod_get_view(NULL));
  elastica_world_destroy(world);
}

TEST(no_world_has_nothing) {
  const elastica_world_info info = elastica_world_get(NULL);
  assert_true(info.time == 0.0 && info.step_count == 0 && info.working_step == 0.0 && info.rod_count == 0 && info.effect_count == 0);
}
