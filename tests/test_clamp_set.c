/* Claims about clamps with moving walls or changed parameters, and about refused definitions. */
#include "clamped.h"
#include "samples.h"

/* A wall that oscillates along x and turns about z, to 2 rad in one second and no further. */
typedef struct stage {
  double origin[3];
  elastica_status answer;
  double factor;
} stage;

static elastica_status move_stage(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const stage *self = user;
  const double turning = time < 1.0 ? 1.0 : 0.0, angle = time < 1.0 ? 2.0 * time : 2.0, phi[3] = {0.0, 0.0, angle};
  position[0] = self->origin[0] + 0.02 * sin(3.0 * time) * self->factor;
  velocity[0] = 0.06 * cos(3.0 * time);
  turn_frame_exactly(phi, director);
  omega[2] = 2.0 * turning;
  return self->answer;
}

static void add_damping(elastica_world *world, elastica_rod *rod) {
  DEFAULTS(dissipation, def);
  def.translation = 20.0;
  def.rotation = 0.05;
  must(world, elastica_add_dissipation(world, rod, &def, NULL));
}

TEST(a_moving_wall_takes_its_node_along_exactly) {
  for (int k = 0; k < 4; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rod(world, 4);
    elastica_boundary_def def = clamp_of(ends[k & 1], kinds[k >> 1]);
    const int node = k & 1 ? 4 : 0;
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    stage motion = {{0.0, 0.0, 0.0}, ELASTICA_OK, 1.0};
    def.motion = move_stage;
    def.user = &motion;
    must(world, elastica_add_boundary(world, rod, &def, NULL));
    for (int s = 0; s < 50; s++) {
      must(world, elastica_world_step(world, 5e-4, 1));
      const double time = elastica_world_get(world).time;
      assert_close(view->position[0][node], 0.02 * sin(3.0 * time), 1e-17);
      assert_close(view->velocity[0][node], 0.06 * cos(3.0 * time), 1e-16);
      assert_close(view->position[2][node], 0.1 * node, 0.0);
      assert_close(view->velocity[2][node], 0.0, 0.0);
    }
    elastica_world_destroy(world);
  }
}

/* The held frame moves with the wall at every step; behind a half-cell clamp it follows. */
TEST(a_turning_wall_takes_the_frames_along) {
  for (int k = 0; k < 4; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rod(world, 4);
    elastica_boundary_def def = clamp_of(ends[k & 1], kinds[k >> 1]);
    const int j = k & 1 ? 3 : 0;
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    stage motion = {{0.0, 0.0, 0.0}, ELASTICA_OK, 0.0};
    def.motion = move_stage;
    def.user = &motion;
    def.axes = ELASTICA_AXIS_Y | ELASTICA_AXIS_Z;
    must(world, elastica_add_boundary(world, rod, &def, NULL));
    add_damping(world, rod);
    must(world, elastica_world_step(world, 1e-3, 500));
    if (kinds[k >> 1] == ELASTICA_BOUNDARY_FRAME) {
      assert_close(atan2(view->director[0][1][j], view->director[0][0][j]), 2.0 * elastica_world_get(world).time, 1e-15);
      assert_close(view->omega[2][j], 2.0, 0.0);
    }
    must(world, elastica_world_step(world, 1e-3, 6000));
    for (int i = 0; i < 4; i++) assert_close(atan2(view->director[0][1][i], view->director[0][0][i]), 2.0, 1e-6);
    elastica_world_destroy(world);
  }
}

static elastica_status write_no_frame(void *user, double time, double position[3], double velocity[3], double director[9],
                                      double omega[3]) {
  (void)user, (void)time, (void)position, (void)velocity, (void)omega;
  director[0] *= 1.0 + 1e-8;
  return ELASTICA_OK;
}

TEST(a_motion_that_fails_stops_the_world) {
  for (int k = 0; k < 6; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rod(world, 2);
    elastica_boundary_def def = clamp_of(ELASTICA_END_LAST, kinds[k & 1]);
    stage motion = {{0.0, 0.0, 0.0}, k < 2 ? ELASTICA_IO_ERROR : ELASTICA_OK, k < 4 ? (double)NAN : 1.0};
    def.motion = k < 4 ? move_stage : write_no_frame;
    def.user = &motion;
    must(world, elastica_add_boundary(world, rod, &def, NULL));
    assert_status(world, elastica_world_step(world, 1e-4, 1), ELASTICA_CALLBACK_FAILED);
    assert_says(elastica_world_message(world), "boundary");
    elastica_world_destroy(world);
  }
}

/* A loaded rod: its end frame turns away from the frame of the clamp, and the frame of the clamp must not change. */
TEST(setting_defaults_again_keeps_the_place_of_the_wall) {
  uint64_t hash[2];
  for (int e = 0; e < 2; e++) {
    for (int k = 0; k < 2; k++) {
      const double g[3] = {3.0, 0.0, 0.0};
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_rod(world, 4);
      const elastica_boundary_def def = clamp_of(ends[e], ELASTICA_BOUNDARY_CLAMP);
      elastica_effect *clamp = NULL;
      must(world, elastica_add_boundary(world, rod, &def, &clamp));
      must(world, elastica_add_gravity(world, g, NULL));
      must(world, elastica_world_step(world, 1e-3, 100));
      assert_true(elastica_effect_energy(clamp) > 1e-4);
      if (k == 1) must(world, elastica_boundary_set(clamp, &def));
      must(world, elastica_world_step(world, 1e-3, 100));
      hash[k] = hash_world(world);
      elastica_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
  }
}

TEST(another_kind_takes_the_frame_as_it_is_now) {
  const double g[3] = {3.0, 0.0, 0.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world, 4);
  elastica_boundary_def def = clamp_of(ELASTICA_END_FIRST, ELASTICA_BOUNDARY_CLAMP);
  elastica_effect *clamp = NULL;
  rod_state before, after;
  must(world, elastica_add_boundary(world, rod, &def, &clamp));
  must(world, elastica_add_gravity(world, g, NULL));
  must(world, elastica_world_step(world, 1e-3, 100));
  def.kind = ELASTICA_BOUNDARY_FRAME;
  must(world, elastica_boundary_set(clamp, &def));
  read_state(rod, &before);
  must(world, elastica_world_step(world, 1e-3, 100));
  read_state(rod, &after);
  assert_true(fabs(before.director[director_component(0, 2, X)]) > 1e-3);
  assert_all_close(after.director, before.director, 9, 0.0);
  assert_close(norm(after.omega), 0.0, 0.0);
  assert_close(elastica_effect_energy(clamp), 0.0, 0.0);
  def.kind = ELASTICA_BOUNDARY_CLAMP;
  must(world, elastica_boundary_set(clamp, &def));
  assert_close(elastica_effect_energy(clamp), 0.0, 1e-28);
  must(world, elastica_world_step(world, 1e-3, 100));
  assert_true(elastica_effect_energy(clamp) > 1e-5);
  elastica_world_destroy(world);
}

TEST(a_clamp_that_is_switched_off_lets_the_rod_fall) {
  const double g[3] = {3.0, 0.0, -1.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world, 4);
  const elastica_boundary_def def = clamp_of(ELASTICA_END_FIRST, ELASTICA_BOUNDARY_CLAMP);
  elastica_effect *clamp = NULL;
  elastica_totals before, after;
  must(world, elastica_add_boundary(world, rod, &def, &clamp));
  must(world, elastica_add_gravity(world, g, NULL));
  must(world, elastica_world_step(world, 1e-3, 100));
  must(world, elastica_effect_set_enabled(clamp, 0));
  must(world, elastica_rod_get_totals(rod, &before));
  must(world, elastica_world_step(world, 1e-3, 100));
  must(world, elastica_rod_get_totals(rod, &after));
  for (int a = 0; a < 3; a++) assert_close(after.linear[a] - before.linear[a], 0.1 * after.mass * g[a], 1e-12);
  assert_close(elastica_effect_energy(clamp), 0.0, 0.0);
  elastica_world_destroy(world);
}

/* Kind CLAMP ties an end to a half-cell; FRAME and PIN hold any node. */
TEST(a_clamp_holds_ends_only) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world, 5), *ring = add_usual_ring(world);
  DEFAULTS(boundary, def);
  def.node = 2;
  assert_refused(world, elastica_add_boundary(world, rod, &def, NULL), ELASTICA_INVALID_ARGUMENT, "add_boundary", "node 2", "CLAMP");
  def.node = -1, def.element = 0;
  assert_refused(world, elastica_add_boundary(world, rod, &def, NULL), ELASTICA_INVALID_ARGUMENT, "element 4", "node 5", "element 0");
  def.node = 0, def.element = ELASTICA_BESIDE_NODE;
  assert_refused(world, elastica_add_boundary(world, ring, &def, NULL), ELASTICA_INVALID_ARGUMENT, "a ring", "no ends", "FRAME");
  def.kind = ELASTICA_BOUNDARY_FRAME;
  must(world, elastica_add_boundary(world, ring, &def, NULL));
  elastica_world_destroy(world);
}

/* Of two rods that spin about their axes, all but the held frame turn on. */
TEST(the_element_held_by_default_is_beside_the_node) {
  static const struct { int node, element; } held[] = {{0, 0}, {2, 2}, {4, 4}, {5, 4}, {-1, 4}, {-2, 4}, {-6, 0}};
  for (size_t k = 0; k < sizeof held / sizeof *held; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rod(world, 5);
    double omega[15];
    for (int i = 0; i < 15; i++) omega[i] = i % 3 == 2;
    DEFAULTS(boundary, def);
    def.kind = ELASTICA_BOUNDARY_FRAME, def.node = held[k].node;
    must(world, elastica_rod_set_state(rod, NULL, NULL, NULL, omega));
    must(world, elastica_add_boundary(world, rod, &def, NULL));
    must(world, elastica_world_step(world, 1e-6, 1));
    for (int j = 0; j < 5; j++) assert_true((elastica_rod_get_view(rod)->omega[2][j] == 0.0) == (j == held[k].element));
    elastica_world_destroy(world);
  }
}
