/* Setting the state and the rest strains of a rod: set values are read back, refused calls change nothing. */
#include "base/target.h"

#include "support.h"

enum { N = 16 };
static const double dt = 1e-4;

/* One sample rod in a world of its own. */
typedef struct fixture {
  elastica_world *world;
  elastica_rod *rod;
  const elastica_rod_view *view;
  sample_rod sample;
} fixture;

static fixture make_fixture(int closed) {
  fixture f;
  const sample_recipe recipe = usual_recipe();
  f.world = make_world(NULL);
  if (closed) {
    make_sample_ring(&f.sample, N, 21);
  } else {
    make_sample(&f.sample, N, 21, &recipe);
  }
  f.rod = add_sample(f.world, &f.sample);
  f.view = elastica_rod_get_view(f.rod);
  return f;
}

static elastica_status set(fixture *f, const rod_state *to) {
  return elastica_rod_set_state(f->rod, to->position, to->velocity, to->director, to->omega);
}

/* ---- Set values are read back ---- */

/* A rod set to the present state of another rod continues like that rod, to the bit. */
TEST(a_state_that_was_set_goes_on_like_its_origin) {
  for (int closed = 0; closed < 2; closed++) {
    fixture origin = make_fixture(closed), copy = make_fixture(closed);
    rod_state halfway, read;
    must(origin.world, elastica_world_step(origin.world, dt, 40));
    read_state(origin.rod, &halfway);
    must(copy.world, elastica_world_step(copy.world, dt, 3));
    must(copy.world, set(&copy, &halfway));
    read_state(copy.rod, &read);
    assert_memory_equal(&read, &halfway, sizeof read);
    must(origin.world, elastica_world_step(origin.world, dt, 40));
    must(copy.world, elastica_world_step(copy.world, dt, 40));
    assert_true(hash_rod(hash_start(), copy.rod) == hash_rod(hash_start(), origin.rod));
    elastica_world_destroy(copy.world);
    elastica_world_destroy(origin.world);
  }
}

/* Each array is set alone; the others keep their values. */
TEST(arrays_that_are_not_given_keep_their_values) {
  for (int part = 0; part < 5; part++) {
    fixture f = make_fixture(0);
    rod_state before, after, expected;
    read_state(f.rod, &before);
    expected = before;
    for (int k = 0; k < 3 * (N + 1); k++) expected.velocity[k] += part == 1 ? 1.5 : 0.0;
    for (int i = 0; i <= N; i++) expected.position[component(i, Y)] *= part == 0 ? 1.01 : 1.0;
    for (int j = 0; j < N; j++) {
      const double turn[3] = {0.01 * j, 0.0, 0.2};
      if (part == 2) turn_frame(turn, expected.director + 9 * j);
      expected.omega[component(j, Z)] += part == 3 ? 0.3 : 0.0;
    }
    must(f.world, elastica_rod_set_state(f.rod, part == 0 ? expected.position : NULL, part == 1 ? expected.velocity : NULL,
                                         part == 2 ? expected.director : NULL, part == 3 ? expected.omega : NULL));
    read_state(f.rod, &after);
    assert_memory_equal(&after, &expected, sizeof after);
    elastica_world_destroy(f.world);
  }
}

/* Lengths, dilatations and tangents belong to the present positions, also before the next step; derived lanes need a refresh. */
TEST(geometry_follows_at_once) {
  for (int closed = 0; closed < 2; closed++) {
    fixture f = make_fixture(closed);
    rod_state now;
    double length[N], tangent[N];
    must(f.world, elastica_rod_refresh(f.rod));
    assert_non_null(f.view->strain[0]);
    read_state(f.rod, &now);
    for (int j = 0; j < N; j++) length[j] = f.view->length[j], tangent[j] = f.view->tangent[1][j];
    for (int k = 0; k < 3 * f.view->node_count; k++) now.position[k] *= 1.5;
    must(f.world, elastica_rod_set_state(f.rod, now.position, NULL, NULL, NULL));
    assert_null(f.view->strain[0]);
    for (int j = 0; j < N; j++) {
      assert_close(f.view->length[j], 1.5 * length[j], 1e-15);
      assert_close(f.view->dilatation[j], 1.5 * length[j] / f.view->rest_length[j], 1e-14);
      assert_close(f.view->tangent[1][j], tangent[j], 1e-14);
    }
    elastica_world_destroy(f.world);
  }
}

/* Rest strains set later equal those given in the definition. */
TEST(rest_strains_may_be_given_later) {
  for (int closed = 0; closed < 2; closed++) {
    fixture defined = make_fixture(closed);
    elastica_world *world = make_world(NULL);
    sample_rod plain = defined.sample;
    memset(plain.rest_curvature, 0, sizeof plain.rest_curvature);
    memset(plain.rest_strain, 0, sizeof plain.rest_strain);
    elastica_rod *rod = add_sample(world, &plain);
    must(world, elastica_rod_set_rest(rod, defined.sample.rest_curvature, NULL));
    must(world, elastica_rod_set_rest(rod, NULL, defined.sample.rest_strain));
    must(world, elastica_world_step(world, dt, 30));
    must(defined.world, elastica_world_step(defined.world, dt, 30));
    assert_true(hash_world(world) == hash_world(defined.world));
    elastica_world_destroy(world);
    elastica_world_destroy(defined.world);
  }
}

/* Joint 0 of a ring is the closing one: it acts on the last element and the first. */
TEST(the_first_joint_of_a_ring_closes_it) {
  fixture f = make_fixture(1);
  double before[N], rest_curvature[3 * N];
  must(f.world, elastica_rod_refresh(f.rod));
  for (int j = 0; j < N; j++) before[j] = f.view->internal_couple[0][j];
  memcpy(rest_curvature, f.sample.rest_curvature, sizeof rest_curvature);
  rest_curvature[0] += 0.5;
  must(f.world, elastica_rod_set_rest(f.rod, rest_curvature, NULL));
  must(f.world, elastica_rod_refresh(f.rod));
  for (int j = 0; j < N; j++) {
    const int affected = j == 0 || j == N - 1;
    assert_true((f.view->internal_couple[0][j] != before[j]) == affected);
  }
  assert_true(f.view->rest_curvature[0][0] == rest_curvature[0]);
  elastica_world_destroy(f.world);
}

/* ---- Refusals ---- */

/* All four arrays are given; one entry is wrong. */
#define UNCHANGED(change, ...)                                                                                                             \
  do {                                                                                                                                     \
    rod_state to;                                                                                                                          \
    read_state(f.rod, &to);                                                                                                                \
    for (int k = 0; k < 3 * (N + 1); k++) to.velocity[k] += 1.0;                                                                           \
    change;                                                                                                                                \
    const uint64_t before = hash_world(f.world);                                                                                           \
    assert_refused(f.world, set(&f, &to), ELASTICA_INVALID_ARGUMENT, __VA_ARGS__);                                                         \
    assert_true(hash_world(f.world) == before);                                                                                            \
  } while (0)

TEST(a_wrong_state_is_named_and_changes_nothing) {
  fixture f = make_fixture(0);
  const double far[3] = {3.05, 0.0, 0.0};
  UNCHANGED(to.position[17] = NAN, "set_state", "position[17]", "not finite");
  UNCHANGED(to.velocity[50] = INFINITY, "set_state", "velocity[50]", "not finite", "inf");
  UNCHANGED(to.omega[0] = -INFINITY, "set_state", "omega[0]", "not finite", "-inf");
  UNCHANGED(to.director[100] = NAN, "set_state", "director[100]", "not finite");
  UNCHANGED(to.director[9 * 4] += 1e-7, "set_state", "director", "frame 4", "orthonormal");
  UNCHANGED(memcpy(to.position + 9, to.position + 6, 3 * sizeof(double)), "set_state", "position", "element 2", "shorter");
  UNCHANGED(to.position[component(3, X)] = 1e200, "set_state", "position", "element 2", "too long");
  UNCHANGED((memcpy(to.director + 9 * 7, to.director + 9 * 6, 9 * sizeof(double)), turn_frame_exactly(far, to.director + 9 * 7)),
            "set_state", "director", "joint 6", "3.05 rad", "3.0");
  elastica_world_destroy(f.world);
}

TEST(a_wrong_ring_is_named_at_its_closing_joint) {
  fixture f = make_fixture(1);
  const double far[3] = {0.0, 3.1, 0.0};
  UNCHANGED(memcpy(to.position + 3 * (N - 1), to.position, 3 * sizeof(double)), "set_state", "position", "element 15", "shorter");
  UNCHANGED((memcpy(to.director, to.director + 9 * (N - 1), 9 * sizeof(double)), turn_frame_exactly(far, to.director)), "set_state",
            "director", "joint 0", "3.1 rad");
  elastica_world_destroy(f.world);
}

TEST(a_wrong_rest_is_named_and_changes_nothing) {
  fixture f = make_fixture(0);
  double rest_curvature[3 * (N - 1)] = {0.0}, rest_strain[3 * N] = {0.0};
  const double old_curvature = f.view->rest_curvature[1][3], old_strain = f.view->rest_strain[0][0];
  rest_strain[5] = NAN;
  assert_status(f.world, elastica_rod_set_rest(f.rod, rest_curvature, rest_strain), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f.world), "set_rest", "rest_strain[5]", "not finite");
  rest_strain[5] = 0.0;
  rest_curvature[10] = INFINITY;
  assert_status(f.world, elastica_rod_set_rest(f.rod, rest_curvature, rest_strain), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f.world), "set_rest", "rest_curvature[10]", "not finite", "inf");
  rest_curvature[10] = 4.5 / f.view->rest_joint_length[3];
  assert_status(f.world, elastica_rod_set_rest(f.rod, rest_curvature, rest_strain), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(f.world), "set_rest", "rest_curvature", "joint 3", "4.5 rad", "3.0", "25 elements");
  assert_true(f.view->rest_curvature[1][3] == old_curvature);
  assert_true(f.view->rest_strain[0][0] == old_strain);
  elastica_world_destroy(f.world);
}

static elastica_status fail_at_once(void *self, const elastica_instant *now, const elastica_rod_view *view, elastica_loads *loads) {
  (void)self, (void)now, (void)view, (void)loads;
  return ELASTICA_IO_ERROR;
}

/* After a failure the state can be queried, and only the state can be set. */
TEST(a_failed_world_takes_queries_and_states_only) {
  fixture f = make_fixture(0);
  rod_state now;
  elastica_totals totals;
  elastica_module module = module_named("failing");
  module.add_loads = fail_at_once;
  must(f.world, elastica_world_add_module(f.world, f.rod, &module, NULL));
  assert_status(f.world, elastica_world_step(f.world, dt, 1), ELASTICA_CALLBACK_FAILED);
  must(f.world, elastica_rod_get_totals(f.rod, &totals));
  assert_true(totals.bending > 0.0 && totals.mass > 0.0);
  read_state(f.rod, &now);
  must(f.world, elastica_rod_set_state(f.rod, now.position, now.velocity, NULL, NULL));
  assert_status(f.world, elastica_rod_set_rest(f.rod, NULL, f.sample.rest_strain), ELASTICA_WRONG_STATE);
  must(f.world, elastica_world_get_totals(f.world, &totals));
  elastica_world_destroy(f.world);
}
