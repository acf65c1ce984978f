/* Energy and momentum of whole worlds, masses that effects add, what hooks may ask, and components on frames. */
#include "base/target.h"

#include "support.h"

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

static elastica_momentum momentum_of(fixture *f) {
  elastica_momentum momentum;
  must(f->world, elastica_rod_get_momentum(f->rod, &momentum));
  return momentum;
}

static elastica_status refuse_queries(void *self, const elastica_instant *now, const elastica_rod_view *view) {
  elastica_rod *rod = *(elastica_rod **)self;
  elastica_energy energy;
  elastica_momentum momentum;
  (void)now, (void)view;
  if (elastica_rod_get_energy(rod, &energy) != ELASTICA_WRONG_STATE) return ELASTICA_INVALID_ARGUMENT;
  if (elastica_rod_set_state(rod, NULL, NULL, NULL, NULL) != ELASTICA_WRONG_STATE) return ELASTICA_INVALID_ARGUMENT;
  if (elastica_rod_set_rest(rod, NULL, NULL) != ELASTICA_WRONG_STATE) return ELASTICA_INVALID_ARGUMENT;
  return elastica_rod_get_momentum(rod, &momentum);
}

static void a_world_is_the_sum_of_its_rods(void **state) {
  (void)state;
  const double gravity[3] = {1.0, -2.0, 9.81};
  elastica_world *world = make_world(NULL);
  elastica_energy all, sum = {0.0, 0.0, 0.0, 0.0, 0.0};
  elastica_momentum total;
  double angular[3] = {0.0, 0.0, 0.0}, moment[3] = {0.0, 0.0, 0.0}, potential = 0.0;
  must(world, elastica_world_get_momentum(world, &total));
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
    elastica_energy energy;
    elastica_momentum momentum;
    must(world, elastica_rod_get_energy(rod, &energy));
    must(world, elastica_rod_get_momentum(rod, &momentum));
    sum.translation += energy.translation, sum.rotation += energy.rotation, sum.bending += energy.bending, sum.shear += energy.shear;
    for (int a = 0; a < 3; a++) angular[a] += momentum.angular[a], moment[a] += momentum.mass * momentum.centre[a];
    potential -= momentum.mass * dot(gravity, momentum.centre);
  }
  must(world, elastica_world_get_energy(world, &all));
  must(world, elastica_world_get_momentum(world, &total));
  assert_close(all.translation, sum.translation, 1e-14);
  assert_close(all.rotation, sum.rotation, 1e-15);
  assert_close(all.bending, sum.bending, 1e-14);
  assert_close(all.shear, sum.shear, 1e-14);
  assert_close(all.effects, potential, 1e-12);
  assert_all_close(total.angular, angular, 3, 1e-13);
  for (int a = 0; a < 3; a++) assert_close(total.centre[a], moment[a] / total.mass, 1e-14);
  elastica_world_destroy(world);
}

static void masses_that_effects_add_count_at_once(void **state) {
  (void)state;
  fixture f = make_fixture();
  const double before = momentum_of(&f).mass;
  elastica_node_mass_def def;
  elastica_node_mass_def_init(&def, sizeof def);
  def.mass = 5.0;
  must(f.world, elastica_add_node_mass(f.world, f.rod, &def, NULL));
  const elastica_momentum momentum = momentum_of(&f);
  assert_close(momentum.mass, before + 5.0, 1e-14);
  assert_close(momentum.centre[2], (before * 0.5 + 5.0) * length / (before + 5.0), 1e-14);
  elastica_world_destroy(f.world);
}

static void queries_without_an_object_or_a_result_are_refused(void **state) {
  (void)state;
  fixture f = make_fixture();
  elastica_energy energy;
  elastica_momentum momentum;
  assert_status(NULL, elastica_rod_get_energy(NULL, &energy), ELASTICA_INVALID_ARGUMENT);
  assert_status(NULL, elastica_world_get_energy(NULL, &energy), ELASTICA_INVALID_ARGUMENT);
  assert_status(NULL, elastica_rod_get_momentum(NULL, &momentum), ELASTICA_INVALID_ARGUMENT);
  assert_status(NULL, elastica_world_get_momentum(NULL, &momentum), ELASTICA_INVALID_ARGUMENT);
  assert_status(NULL, elastica_rod_set_state(NULL, NULL, NULL, NULL, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_status(NULL, elastica_rod_set_rest(NULL, NULL, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_status(f.world, elastica_rod_get_energy(f.rod, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f.world), "rod_get_energy", "out", "NULL");
  assert_status(f.world, elastica_world_get_energy(f.world, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f.world), "world_get_energy", "out", "NULL");
  assert_status(f.world, elastica_rod_get_momentum(f.rod, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f.world), "rod_get_momentum", "out", "NULL");
  assert_status(f.world, elastica_world_get_momentum(f.world, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f.world), "world_get_momentum", "out", "NULL");
  elastica_world_destroy(f.world);
}

/* Inside a hook momenta can be queried; energies need the derived lanes, and nothing can be set. */
static void hooks_may_query_momentum_but_set_nothing(void **state) {
  (void)state;
  fixture f = make_fixture();
  elastica_module module = module_named("curious");
  module.self = &f.rod;
  module.self_size = sizeof f.rod;
  module.observe = refuse_queries;
  must(f.world, elastica_world_add_module(f.world, f.rod, &module, NULL));
  must(f.world, elastica_world_step(f.world, 1e-5, 2));
  elastica_world_destroy(f.world);
}

/* Sums over a rod add blocks of fixed length, which do not depend on tiles. */
static void bits_of_sums_do_not_depend_on_tiles(void **state) {
  (void)state;
  const size_t sizes[] = {7, 64, 512};
  uint64_t hash[3];
  for (int k = 0; k < 3; k++) {
    elastica_world_def def = default_world();
    def.tile_size = sizes[k];
    elastica_world *world = make_world(&def);
    elastica_energy energy;
    elastica_momentum momentum;
    add_straight_rod(world, 700, 3.0, 0.01, 1000.0, 1e6, 4e5);
    sample_rod sample;
    const sample_recipe recipe = usual_recipe();
    make_sample(&sample, 50, 3, &recipe);
    add_sample(world, &sample);
    must(world, elastica_world_get_energy(world, &energy));
    must(world, elastica_world_get_momentum(world, &momentum));
    hash[k] = hash_numbers(hash_numbers(hash_start(), (const double *)&energy, 5), (const double *)&momentum, 10);
    elastica_world_destroy(world);
  }
  assert_true(hash[0] == hash[1] && hash[1] == hash[2]);
}

/* ---- Frames ---- */

static void components_go_to_the_frame_and_back(void **state) {
  (void)state;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_world_is_the_sum_of_its_rods),
      cmocka_unit_test(masses_that_effects_add_count_at_once),
      cmocka_unit_test(queries_without_an_object_or_a_result_are_refused),
      cmocka_unit_test(hooks_may_query_momentum_but_set_nothing),
      cmocka_unit_test(bits_of_sums_do_not_depend_on_tiles),
      cmocka_unit_test(components_go_to_the_frame_and_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
