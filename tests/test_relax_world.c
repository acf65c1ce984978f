/* Independence of relaxation from tiles, workers, units and frames, and data that it leaves unchanged. */
#include "relaxed.h"

/* ---- Bits and symmetry --------------------------------------------------------------------------------------------------------------- */

/* Bent, tapered rods of many sizes, among them two rings and a beam, clamped or pinned, under gravity. */
static uint64_t hash_crowd(const elastica_world_def *def) {
  const double gravity[3] = {0.2, 0.1, -0.3};
  elastica_world *world = NULL;
  random_source source = {17};
  sample_recipe recipe = usual_recipe();
  const elastica_status status = elastica_world_create(def, &world);
  if (status == ELASTICA_INVALID_ARGUMENT && def->instruction_set > ELASTICA_INSTRUCTION_SET_BASE) return 0;
  must(world, status);
  recipe.bend = 0.1;
  for (int k = 0; k < 12; k++) {
    sample_rod sample;
    if (k % 5 == 3)
      make_sample_ring(&sample, 9 + k, 4);
    else
      make_sample(&sample, random_integer(&source, 1, 20), random_bits(&source), &recipe);
    elastica_rod *rod = add_sample(world, &sample);
    if (k % 5 == 3)
      for (int p = 0; p < 3; p++) pin_node(world, rod, 3 * p);
    else
      clamp_first(world, rod, (elastica_boundary_kind)(k % 2));
  }
  add_beam(world, 100, ELASTICA_BOUNDARY_CLAMP, 15.0);
  must(world, elastica_add_gravity(world, gravity, NULL));
  DEFAULTS(relax, limits);
  limits.evaluation_limit = 400;
  must(world, elastica_world_relax(world, &limits, NULL));
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(bits_do_not_depend_on_workers_tiles_or_instruction_set) {
  elastica_world_def def = default_world();
  const uint64_t expected = hash_crowd(&def);
  for (int workers = 1; workers <= 4; workers += 3)
    for (size_t tile = 7; tile < 1000; tile *= 8)
      for (int set = ELASTICA_INSTRUCTION_SET_BASE; set <= ELASTICA_INSTRUCTION_SET_FMA; set++) {
        def.worker_count = workers;
        def.tile_size = tile;
        def.instruction_set = (elastica_instruction_set)set;
        const uint64_t hash = hash_crowd(&def);
        if (hash != 0) assert_true(hash == expected);
      }
}

/* A sample rod held at its first end under gravity, turned as a whole. Returns its last node in the frame of the scene. */
static void relax_turned(const double turn[9], double end[3]) {
  const double down[3] = {0.0, 0.6, -1.0};
  double gravity[3], place[3];
  sample_rod sample;
  const sample_recipe recipe = usual_recipe();
  make_sample(&sample, 20, 8, &recipe);
  for (int i = 0; i <= 20; i++) apply(turn, sample.position + 3 * i, sample.position + 3 * i);
  for (int j = 0; j < 20; j++) {
    double back[9];
    for (int a = 0; a < 9; a++) back[a] = turn[3 * (a % 3) + a / 3];
    multiply(sample.director + 9 * j, back, sample.director + 9 * j);
  }
  apply(turn, down, gravity);
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_sample(world, &sample);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  must(world, elastica_add_gravity(world, gravity, NULL));
  relax(world);
  for (int a = 0; a < 3; a++) place[a] = tip(rod, a);
  apply_transposed(turn, place, end);
  elastica_world_destroy(world);
}

TEST(equilibrium_turns_with_the_scene) {
  const double straight[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, axis[3] = {0.3, -0.5, 0.4};
  double turn[9], expected[3], end[3];
  turn_of_quaternion(0.5, axis, turn);
  relax_turned(straight, expected);
  relax_turned(turn, end);
  assert_all_close(end, expected, 3, 1e-8);
}

/* Each law and couple converges fast from a bent, stretched, sheared state to equilibrium. With the papers' couple a ring with rest
 * curvature and twist has a net torque: on one pin it has no equilibrium, so it has three pins. */
TEST(every_law_converges) {
  for (int law = 0; law < 4; law++)
    for (int ring = 0; ring < 2; ring++) {
      elastica_world_def def = default_world();
      sample_rod sample;
      const sample_recipe recipe = usual_recipe();
      def.law = (elastica_law)(law % 2);
      def.exact_couple = law / 2;
      if (ring)
        make_sample_ring(&sample, 20, 4);
      else
        make_sample(&sample, 30, 8, &recipe);
      elastica_world *world = make_world(&def);
      elastica_rod *rod = add_sample(world, &sample);
      pin_node(world, rod, 0);
      if (ring && !def.exact_couple) {
        pin_node(world, rod, 7);
        pin_node(world, rod, 14);
      }
      const elastica_relax_result result = relax(world);
      assert_true(result.evaluations <= 60);
      assert_true(result.force <= 1e-9 * result.reference_force);
      elastica_world_destroy(world);
    }
}

static elastica_rod *add_beside(elastica_world *world, int k) {
  elastica_rod *rod = add_straight_rod(world, 20 + 10 * k, 1.0, 0.02, 1000.0, 1e6, 4e5);
  clamp_first(world, rod, (elastica_boundary_kind)k);
  pull_tip(world, rod, 0.05 + 0.1 * k, 0.01, 0.0);
  return rod;
}

TEST(rods_side_by_side_relax_as_alone) {
  elastica_world *both = make_world(NULL);
  const elastica_rod *rods[2] = {add_beside(both, 0), add_beside(both, 1)};
  relax(both);
  for (int k = 0; k < 2; k++) {
    elastica_world *alone = make_world(NULL);
    const elastica_rod *rod = add_beside(alone, k);
    relax(alone);
    for (int a = 0; a < 3; a++) assert_close(tip(rod, a), tip(rods[k], a), 1e-8);
    elastica_world_destroy(alone);
  }
  elastica_world_destroy(both);
}

/* The load of a filament of 1 mm is as small as the rounding in a cable under 10 kN beside it; the filament still bends by F L^3/(3 E
 * I). */
TEST(taut_cable_does_not_hide_a_soft_filament) {
  const double force = 1e-9, bend_stiffness = 1e6 * 3.14159265358979324 / 4.0 * 1e-20;
  elastica_world *world = make_world(NULL);
  elastica_rod *cable = add_straight_rod(world, 20, 1.0, 0.01, 1000.0, 2e11, 8e10);
  clamp_first(world, cable, ELASTICA_BOUNDARY_CLAMP);
  pull_tip(world, cable, 0.0, 0.0, 1e4);
  relax(world);
  elastica_rod *filament = add_straight_rod(world, 20, 1e-3, 1e-5, 1000.0, 1e6, 4e5);
  clamp_first(world, filament, ELASTICA_BOUNDARY_CLAMP);
  pull_tip(world, filament, force, 0.0, 0.0);
  assert_true(relax(world).evaluations > 1);
  assert_close(tip(filament, 0), force * 1e-9 / (3.0 * bend_stiffness), 1e-6);
  elastica_world_destroy(world);
}

/* ---- Unchanged data ----------------------------------------------------------------------------------------------------------------- */

TEST(a_world_in_equilibrium_takes_one_evaluation) {
  elastica_world *world = make_world(NULL);
  assert_int_equal(relax(world).evaluations, 1); /* no rods */
  add_straight_rod(world, 20, 1.0, 0.02, 1000.0, 1e6, 4e5);
  const uint64_t before = hash_world(world);
  const elastica_relax_result result = relax(world);
  assert_int_equal(result.evaluations, 1);
  assert_between(result.distance, 0.0, 1e-15);
  assert_true(hash_world(world) == before);
  elastica_world_destroy(world);
}

TEST(time_does_not_advance_and_velocities_become_zero) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_beam(world, 40, ELASTICA_BOUNDARY_CLAMP, 15.0);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  must(world, elastica_world_advance(world, 0.5));
  const double time = elastica_world_get(world).time;
  const long steps = elastica_world_get(world).step_count;
  relax(world);
  assert_true(elastica_world_get(world).time == time);
  assert_int_equal(elastica_world_get(world).step_count, steps);
  for (int a = 0; a < 3; a++) {
    assert_true(view->position[a][0] == 0.0);
    for (int i = 0; i < view->node_count; i++) assert_true(view->velocity[a][i] == 0.0);
    for (int j = 0; j < view->element_count; j++) assert_true(view->omega[a][j] == 0.0);
  }
  const double place = tip(rod, 0);
  must(world, elastica_world_advance(world, 0.5)); /* the state is an equilibrium */
  assert_close(tip(rod, 0), place, 1e-12);
  elastica_world_destroy(world);
}

/* A slider on y and z, and a pin that holds a frame; both keep their values exactly. */
TEST(held_parts_do_not_move) {
  const double gravity[3] = {0.0, 0.0, -1.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.02, 1000.0, 1e6, 4e5);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  pin.axes = ELASTICA_AXIS_Y | ELASTICA_AXIS_Z;
  pin.position[1] = 0.05;
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
  elastica_boundary_def_init(&pin, sizeof pin);
  pin.node = -1;
  pin.element = -1;
  pin.kind = ELASTICA_BOUNDARY_FRAME;
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
  pull_tip(world, rod, 1.0, 1.0, 1.0);
  must(world, elastica_add_gravity(world, gravity, NULL));
  relax(world);
  assert_true(view->position[1][0] == 0.05 && view->position[2][0] == 0.0);
  assert_true(fabs(view->position[0][0]) < 1e-6); /* free to slide, without a force */
  assert_true(view->position[0][20] == 0.0 && view->position[1][20] == 0.0 && view->position[2][20] == 1.0);
  assert_true(view->director[2][2][19] == 1.0 && view->director[0][1][19] == 0.0);
  elastica_world_destroy(world);
}
