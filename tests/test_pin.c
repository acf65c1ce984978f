/* Claims about pins. */
#include "measured.h"

static elastica_rod *add_rod(elastica_world *world) {
  return add_straight_rod(world, 5, 0.5, 0.05, 1000.0, 1e5, 4e4);
}

static elastica_boundary_def pin_of(int node, unsigned axes) {
  DEFAULTS(boundary, def);
  def.kind = ELASTICA_BOUNDARY_PIN;
  def.node = node;
  def.axes = axes;
  return def;
}

TEST(a_pinned_node_stays_and_the_rest_falls) {
  const double g[3] = {1.0, -2.0, -9.81};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  DEFAULTS(boundary, def);
  def.kind = ELASTICA_BOUNDARY_PIN;
  must(world, elastica_add_boundary(world, rod, &def, NULL));
  must(world, elastica_add_gravity(world, g, NULL));
  for (int k = 0; k < 100; k++) {
    must(world, elastica_world_step(world, 1e-3, 1));
    for (int a = 0; a < 3; a++) assert_true(view->position[a][0] == 0.0 && view->velocity[a][0] == 0.0);
  }
  assert_true(view->position[0][5] > 1e-3);
  assert_true(fabs(view->director[2][0][0]) > 1e-3);
  elastica_world_destroy(world);
}

/* A ring on a smooth rail along z: free axes fall freely. */
TEST(axes_that_are_not_held_are_free) {
  const double g[3] = {0.0, 0.0, -9.81};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const elastica_boundary_def def = pin_of(-2, ELASTICA_AXIS_X | ELASTICA_AXIS_Y);
  DEFAULTS(point_load, load);
  load.node = 4;
  load.force[0] = 50.0;
  must(world, elastica_add_boundary(world, rod, &def, NULL));
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  must(world, elastica_add_gravity(world, g, NULL));
  must(world, elastica_world_step(world, 1e-3, 200));
  for (int i = 0; i < 6; i++) {
    assert_close(view->position[0][i], 0.0, 0.0);
    assert_close(view->position[2][i], 0.1 * i - 0.5 * 9.81 * 0.04, 1e-12);
  }
  elastica_world_destroy(world);
}

/* A swing: the support does no work. */
TEST(a_pin_at_rest_takes_no_energy) {
  const double g[3] = {2.0, 0.0, -9.81};
  elastica_world *world = make_conservative_world();
  elastica_rod *rod = add_rod(world);
  const elastica_boundary_def def = pin_of(-1, ELASTICA_AXIS_ALL);
  elastica_totals energy;
  must(world, elastica_add_boundary(world, rod, &def, NULL));
  must(world, elastica_add_gravity(world, g, NULL));
  must(world, elastica_world_get_totals(world, &energy));
  const double before = energy.effects;
  must(world, elastica_world_step(world, 2e-4, 5000));
  must(world, elastica_world_get_totals(world, &energy));
  assert_true(energy.translation > 0.1);
  assert_close(total_energy(world), before, 1e-4 * fabs(before));
  elastica_world_destroy(world);
}

TEST(a_frame_is_held_when_asked) {
  for (int hold = 0; hold < 2; hold++) {
    elastica_world *world = make_world(NULL);
    sample_rod sample;
    const sample_recipe recipe = usual_recipe();
    rod_state before, after;
    elastica_boundary_def def = pin_of(0, 0);
    make_sample(&sample, 6, 9, &recipe);
    elastica_rod *rod = add_sample(world, &sample);
    def.kind = hold ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_PIN;
    def.element = -2;
    read_state(rod, &before);
    must(world, elastica_add_boundary(world, rod, &def, NULL));
    must(world, elastica_world_step(world, 1e-4, 100));
    read_state(rod, &after);
    const int frame = director_component(4, 0, X);
    assert_true((memcmp(before.director + frame, after.director + frame, 9 * sizeof(double)) == 0) == hold);
    assert_true((norm(after.omega + component(4, X)) == 0.0) == hold);
    assert_true(memcmp(before.position, after.position, 3 * sizeof(double)) != 0);
    elastica_world_destroy(world);
  }
}

TEST(a_given_position_and_frame_are_taken_up) {
  const double phi[3] = {0.0, 0.0, 0.1};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_boundary_def def = pin_of(5, ELASTICA_AXIS_ALL);
  rod_state before;
  read_state(rod, &before);
  memcpy(def.director, before.director + director_component(4, 0, X), sizeof def.director);
  turn_frame_exactly(phi, def.director);
  def.position[2] = 0.51;
  def.kind = ELASTICA_BOUNDARY_FRAME;
  def.element = 4;
  must(world, elastica_add_boundary(world, rod, &def, NULL));
  must(world, elastica_world_step(world, 1e-5, 1));
  assert_true(view->position[0][5] == 0.0 && view->position[1][5] == 0.0 && view->position[2][5] == 0.51);
  for (int k = 0; k < 9; k++) assert_true(view->director[k / 3][k % 3][4] == def.director[k]);
  elastica_world_destroy(world);
}

typedef struct drive {
  int calls;
  double handed_in[18]; /* position, velocity, director, omega */
  double bad[4];        /* added to position, velocity, director, omega */
  elastica_status answer;
} drive;

static elastica_status turn_a_crank(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  drive *self = user;
  const double phi[3] = {0.0, 0.0, 5.0 * time};
  self->calls++;
  memcpy(self->handed_in, position, 3 * sizeof(double));
  memcpy(self->handed_in + 3, velocity, 3 * sizeof(double));
  memcpy(self->handed_in + 6, director, 9 * sizeof(double));
  memcpy(self->handed_in + 15, omega, 3 * sizeof(double));
  for (int a = 0; a < 3; a++) {
    position[a] += 0.01 * sin((a + 1.0) * time) + self->bad[0];
    velocity[a] = 0.01 * (a + 1.0) * cos((a + 1.0) * time) + self->bad[1];
  }
  turn_frame_exactly(phi, director);
  director[3] += self->bad[2];
  omega[2] = 5.0 + self->bad[3];
  return self->answer;
}

/* The held axes and the frame follow the motion, up to the rounding of time; the free axis is not driven. */
TEST(a_prescribed_motion_is_followed_exactly) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_boundary_def def = pin_of(2, ELASTICA_AXIS_X | ELASTICA_AXIS_Z);
  drive crank = {.answer = ELASTICA_OK};
  rod_state start;
  read_state(rod, &start);
  def.kind = ELASTICA_BOUNDARY_FRAME;
  def.element = 1;
  def.motion = turn_a_crank;
  def.user = &crank;
  must(world, elastica_add_boundary(world, rod, &def, NULL));
  for (int k = 0; k < 100; k++) {
    must(world, elastica_world_step(world, 5e-4, 1));
    const double time = elastica_world_get(world).time, phi[3] = {0.0, 0.0, 5.0 * time};
    double frame[9];
    assert_close(view->position[0][2], 0.01 * sin(time), 1e-17);
    assert_close(view->velocity[0][2], 0.01 * cos(time), 1e-17);
    assert_close(view->position[2][2], start.position[component(2, Z)] + 0.01 * sin(3.0 * time), 1e-16);
    assert_close(view->velocity[2][2], 0.03 * cos(3.0 * time), 1e-16);
    memcpy(frame, start.director + 9, sizeof frame);
    turn_frame_exactly(phi, frame);
    for (int q = 0; q < 9; q++) assert_close(view->director[q / 3][q % 3][1], frame[q], 1e-15);
    assert_true(view->omega[0][1] == 0.0 && view->omega[2][1] == 5.0);
    assert_true(fabs(view->velocity[1][2]) < 1e-3);
  }
  elastica_world_destroy(world);
}

/* Also after the same definition has been set again during the run. */
TEST(a_motion_is_handed_the_place_of_the_pin_at_rest) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  elastica_boundary_def def = pin_of(2, ELASTICA_AXIS_ALL);
  elastica_effect *pin = NULL;
  drive crank = {.answer = ELASTICA_OK};
  rod_state start;
  const double nothing[3] = {0.0, 0.0, 0.0};
  read_state(rod, &start);
  def.kind = ELASTICA_BOUNDARY_FRAME;
  def.element = 1;
  def.motion = turn_a_crank;
  def.user = &crank;
  must(world, elastica_add_boundary(world, rod, &def, &pin));
  for (int k = 0; k < 2; k++) {
    must(world, elastica_world_step(world, 5e-4, 100));
    assert_true(crank.calls >= 100);
    assert_all_close(crank.handed_in, start.position + 6, 3, 0.0);
    assert_all_close(crank.handed_in + 3, nothing, 3, 0.0);
    assert_all_close(crank.handed_in + 6, start.director + 9, 9, 0.0);
    assert_all_close(crank.handed_in + 15, nothing, 3, 0.0);
    must(world, elastica_boundary_set(pin, &def));
  }
  elastica_world_destroy(world);
}

TEST(a_motion_that_fails_stops_the_world) {
  for (int k = 0; k < 5; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rod(world);
    elastica_boundary_def def = pin_of(0, ELASTICA_AXIS_ALL);
    drive crank = {.answer = k == 4 ? ELASTICA_OUT_OF_MEMORY : ELASTICA_OK};
    if (k < 4) crank.bad[k] = k == 2 ? 1e-6 : (double)NAN;
    def.kind = ELASTICA_BOUNDARY_FRAME;
    def.motion = turn_a_crank;
    def.user = &crank;
    must(world, elastica_add_boundary(world, rod, &def, NULL));
    assert_status(world, elastica_world_step(world, 1e-4, 1), ELASTICA_CALLBACK_FAILED);
    assert_says(elastica_world_message(world), "boundary");
    elastica_world_destroy(world);
  }
}

TEST(a_ring_hangs_on_any_of_its_nodes) {
  const double g[3] = {0.0, 1.0, -9.81};
  for (int node = 0; node < 8; node += 7) {
    elastica_world *world = make_world(NULL);
    sample_rod sample;
    rod_state before, after;
    elastica_boundary_def def = pin_of(node, ELASTICA_AXIS_ALL);
    make_sample_ring(&sample, 8, 5);
    elastica_rod *ring = add_sample(world, &sample);
    def.kind = ELASTICA_BOUNDARY_FRAME;
    def.element = node;
    read_state(ring, &before);
    must(world, elastica_add_boundary(world, ring, &def, NULL));
    must(world, elastica_add_gravity(world, g, NULL));
    must(world, elastica_world_step(world, 1e-4, 100));
    read_state(ring, &after);
    assert_all_close(after.position + 3 * node, before.position + 3 * node, 3, 0.0);
    assert_all_close(after.director + 9 * node, before.director + 9 * node, 9, 0.0);
    assert_true(after.velocity[component(4, Z)] < before.velocity[component(4, Z)]);
    static const double upright[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    def.kind = ELASTICA_BOUNDARY_PIN;
    memcpy(def.director, upright, sizeof upright);
    assert_refused(world, elastica_add_boundary(world, ring, &def, NULL), ELASTICA_INVALID_ARGUMENT, "boundary_def.director is set",
                   "kind PIN");
    def.kind = ELASTICA_BOUNDARY_FRAME;
    def.node = 8;
    assert_refused(world, elastica_add_boundary(world, ring, &def, NULL), ELASTICA_INVALID_ARGUMENT, "add_boundary", "node 8", "outside",
                   "0..7");
    elastica_world_destroy(world);
  }
}

/* Held axes keep their positions; additional axes are held at the present position. */
TEST(a_pin_can_be_changed_and_switched_off_in_mid_run) {
  const double g[3] = {2.0, 0.0, -9.81};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_rod(world);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_boundary_def def = pin_of(3, ELASTICA_AXIS_X);
  elastica_effect *pin = NULL;
  must(world, elastica_add_gravity(world, g, NULL));
  must(world, elastica_add_boundary(world, rod, &def, &pin));
  must(world, elastica_world_step(world, 1e-3, 50));
  const double height = view->position[2][3];
  assert_true(height < 0.299);
  def.axes = ELASTICA_AXIS_ALL;
  must(world, elastica_boundary_set(pin, &def));
  must(world, elastica_world_step(world, 1e-3, 50));
  assert_true(view->position[0][3] == 0.0 && view->position[2][3] == height && view->velocity[2][3] == 0.0);
  def.node = 0;
  must(world, elastica_boundary_set(pin, &def));
  const double place = view->position[0][0];
  must(world, elastica_world_step(world, 1e-3, 50));
  assert_true(view->position[0][0] == place && view->position[2][3] != height);
  must(world, elastica_effect_set_enabled(pin, 0));
  must(world, elastica_world_step(world, 1e-3, 50));
  assert_true(view->position[0][0] != place);
  elastica_world_destroy(world);
}
