/* Rigid bodies: definition, views by effects and queries, and refusals. */
#include "base/target.h"

#include "bodies.h"

static const double pi = 3.14159265358979324;

/* ---- Definition ---- */

/* Radius of the section at height z over the centre. */
static double section_at(const elastica_body_def *def, double z) {
  const double r = def->radius, flat = def->shape == ELASTICA_SHAPE_SPHERE ? 0.0 : 0.5 * def->length;
  const double above = fabs(z) - flat;
  return above <= 0.0 || def->shape == ELASTICA_SHAPE_CYLINDER ? r : sqrt(fmax(r * r - above * above, 0.0));
}

/* Computes mass and moments as integrals over discs by the trapezoidal rule; its error at the ends is below 1e-6 here. */
static void integrate(const elastica_body_def *def, double moment[3], double *volume) {
  const int slices = 400000;
  const double extent = def->shape == ELASTICA_SHAPE_SPHERE    ? 2.0 * def->radius
                        : def->shape == ELASTICA_SHAPE_CAPSULE ? def->length + 2.0 * def->radius
                                                               : def->length;
  moment[0] = moment[2] = *volume = 0.0;
  for (int k = 0; k < slices; k++) {
    const double z = extent * ((k + 0.5) / slices - 0.5), r2 = pow(section_at(def, z), 2), slice = extent / slices * pi * r2;
    *volume += slice;
    moment[0] += slice * (0.25 * r2 + z * z);
    moment[2] += slice * 0.5 * r2;
  }
  moment[1] = moment[0];
}

TEST(round_shapes_have_the_mass_and_moments_of_their_discs) {
  for (int shape = ELASTICA_SHAPE_SPHERE; shape <= ELASTICA_SHAPE_CYLINDER; shape++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def def = default_body((elastica_shape)shape);
    double moment[3], volume;
    def.radius = 0.3, def.length = 0.7, def.density = 900.0;
    integrate(&def, moment, &volume);
    const elastica_body_info info = body_now(add_body(world, &def));
    assert_close(info.volume / volume, 1.0, 1e-8);
    assert_close(info.mass / (900.0 * volume), 1.0, 1e-8);
    for (int a = 0; a < 3; a++) assert_close(info.moments[a] / (900.0 * moment[a]), 1.0, 1e-8);
    assert_memory_equal(info.axes, unit_frame, sizeof unit_frame);
    elastica_world_destroy(world);
  }
}

TEST(a_box_has_the_moments_of_its_edges_and_a_given_mass) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = default_body(ELASTICA_SHAPE_BOX);
  def.edges[0] = 0.1, def.edges[1] = 0.2, def.edges[2] = 0.3;
  def.mass = 12.0;
  const elastica_body_info info = body_now(add_body(world, &def));
  assert_close(info.volume, 0.006, 1e-17);
  assert_close(info.mass, 12.0, 0.0);
  assert_close(info.moments[0], 0.04 + 0.09, 1e-15);
  assert_close(info.moments[1], 0.01 + 0.09, 1e-15);
  assert_close(info.moments[2], 0.01 + 0.04, 1e-15);
  elastica_world_destroy(world);
}

/* The tensor of a box that is turned in the frame of the definition. */
static void turn_tensor(const double moments[3], const double q[9], double tensor[9]) {
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      tensor[3 * a + b] = 0.0;
      for (int k = 0; k < 3; k++) tensor[3 * a + b] += q[3 * k + a] * moments[k] * q[3 * k + b];
    }
}

/* A body with inertia given in a turned frame moves like a body with inertia given along its axes. */
TEST(inertia_with_products_moves_like_that_along_its_axes) {
  const double moments[3] = {1.0, 2.0, 2.5}, turn[3] = {0.3, -0.5, 0.4}, spin[3] = {1.0, 2.0, -1.5};
  elastica_world *world = make_world(NULL);
  elastica_body_def along = top_def(moments[0], moments[1], moments[2]), askew = along;
  double q[9], expected[9];
  memcpy(q, unit_frame, sizeof q);
  turn_frame(turn, q); /* rows: the axes in the frame of the definition, initially the laboratory frame */
  turn_tensor(moments, q, askew.inertia);
  memcpy(along.director, q, sizeof q);
  memcpy(along.omega, spin, sizeof spin);
  apply_transposed(q, spin, askew.omega);
  elastica_rod *one = add_body(world, &along), *other = add_body(world, &askew);
  assert_close(elastica_rod_get_view(other)->inertia[0][0] + elastica_rod_get_view(other)->inertia[1][0], 3.0, 1e-12);
  for (int k = 0; k < 5; k++) {
    double omega[3];
    const elastica_body_info first = body_now(one), second = body_now(other);
    multiply(q, second.director, expected);
    apply_transposed(q, first.omega, omega);
    assert_all_close(first.director, expected, 9, 1e-12);
    assert_all_close(second.omega, omega, 3, 1e-12);
    must(world, elastica_world_step(world, 1e-2, 200));
  }
  elastica_world_destroy(world);
}

TEST(state_is_set_and_read_in_the_frame_of_the_definition) {
  elastica_world *world = make_world(NULL);
  elastica_rod *body = add_numbered_body(world, 3); /* with products */
  const double position[3] = {1.0, 2.0, 3.0}, velocity[3] = {4.0, 5.0, 6.0}, omega[3] = {0.1, 0.2, 0.3}, turn[3] = {1.0, 0.5, -0.3};
  double director[9];
  memcpy(director, unit_frame, sizeof director);
  turn_frame(turn, director);
  must(world, elastica_body_set_state(body, position, velocity, director, omega));
  const elastica_body_info now = body_now(body);
  assert_all_close(now.position, position, 3, 0.0);
  assert_all_close(now.velocity, velocity, 3, 0.0);
  assert_all_close(now.director, director, 9, 1e-15);
  assert_all_close(now.omega, omega, 3, 1e-15);
  director[0] += 1e-3;
  assert_refused(world, elastica_body_set_state(body, NULL, NULL, director, NULL), ELASTICA_INVALID_ARGUMENT, "director");
  elastica_world_destroy(world);
}

/* ---- Views and queries ---- */

TEST(a_body_is_a_rod_of_one_node_and_one_element) {
  elastica_body_info info;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_usual_rod(world);
  elastica_body_def def = default_body(ELASTICA_SHAPE_CAPSULE);
  def.radius = 0.1, def.length = 0.4, def.mass = 3.0;
  elastica_rod *body = add_body(world, &def);
  const elastica_rod_view *view = elastica_rod_get_view(body);
  assert_int_equal(elastica_world_get(world).rod_count, 2);
  assert_ptr_equal(elastica_world_rod(world, 1), body);
  assert_int_equal(elastica_rod_get_view(rod)->rigid, 0);
  assert_refused(world, elastica_body_get(rod, &info), ELASTICA_INVALID_ARGUMENT, "body_get", "rod 0", "not a rigid body");
  assert_refused(world, elastica_body_get(body, NULL), ELASTICA_INVALID_ARGUMENT, "body_get: out is NULL");
  assert_refused(world, elastica_body_set_state(rod, NULL, NULL, NULL, NULL), ELASTICA_INVALID_ARGUMENT, "body_set_state", "rod 0");
  assert_true(view->rigid == 1 && view->node_count == 1 && view->element_count == 1 && view->joint_count == 0 && view->closed == 0);
  assert_close(view->mass[0], 3.0, 0.0);
  assert_close(view->length[0], 0.6, 1e-15);
  assert_close(view->dilatation[0], 1.0, 0.0);
  for (int a = 0; a < 3; a++) assert_close(view->tangent[a][0], view->director[2][a][0], 0.0);
  must(world, elastica_rod_refresh(body));
  for (int a = 0; a < 3; a++) assert_close(fabs(view->strain[a][0]) + fabs(view->internal_force[a][0]), 0.0, 0.0);
  elastica_world_destroy(world);
}

TEST(energy_and_momentum_are_those_of_mechanics) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = top_def(0.5, 0.7, 0.9);
  const double g[3] = {0.0, 0.0, -10.0};
  elastica_totals totals;
  def.mass = 2.0;
  def.position[0] = 1.0, def.position[2] = 5.0, def.velocity[1] = 3.0, def.omega[2] = 2.0;
  add_body(world, &def);
  must(world, elastica_add_gravity(world, g, NULL));
  must(world, elastica_world_get_totals(world, &totals));
  assert_close(totals.translation, 9.0, 1e-15);
  assert_close(totals.rotation, 1.8, 1e-15);
  assert_close(totals.effects, 100.0, 1e-13);
  assert_close(totals.mass, 2.0, 0.0);
  assert_close(totals.linear[1], 6.0, 0.0);
  assert_close(totals.angular[2], 6.0 + 1.8, 1e-15);
  elastica_world_destroy(world);
}

/* ---- Step limit ---- */

static elastica_status bound_it(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const double *k = self;
  (void)now, (void)rod;
  stiffness->node[0] += k[0];
  stiffness->element[0] += k[1];
  return ELASTICA_OK;
}

static elastica_status pull_back(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const double *k = self;
  (void)now;
  for (int a = 0; a < 3; a++) loads->force[a][0] -= k[0] * rod->position[a][0];
  return ELASTICA_OK;
}

TEST(bodies_bound_the_step_by_the_stiffness_of_effects) {
  elastica_world *world = make_world(NULL);
  const elastica_body_def def = ball_def(0.5, 2.0); /* J = 0.2 */
  elastica_rod *body = add_body(world, &def);
  const double k[2] = {32.0, 1.8};
  elastica_module module = module_named("spring");
  elastica_step_limit limit;
  must(world, elastica_world_step_limit(world, &limit));
  assert_true(limit.dt == INFINITY && limit.rod_index == -1);
  module.self = k, module.self_size = sizeof k;
  module.add_loads = pull_back;
  module.add_stiffness = bound_it;
  must(world, elastica_world_add_module(world, body, &module, NULL));
  must(world, elastica_world_step_limit(world, &limit));
  assert_close(limit.dt, 2.0 / sqrt(16.0 + 9.0), 1e-15);
  assert_true(limit.mode == ELASTICA_MODE_EFFECT && limit.effect == elastica_world_effect(world, 0) && limit.rod_index == 0);
  assert_refused(world, elastica_world_step(world, 0.41, 1), ELASTICA_UNSTABLE_STEP, "spring", "rod 0");
  must(world, elastica_world_advance(world, 3.0));
  elastica_world_destroy(world);
}

/* elastica_world_advance turns a frame by at most half a radian in a step, even without another bound; a steady couple causes no trip. */
TEST(advance_follows_spins_and_couples) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = ball_def(0.5, 2.0);
  elastica_rod *body = add_body(world, &def);
  DEFAULTS(point_load, load);
  load.couple[2] = 4.0;
  must(world, elastica_add_point_load(world, body, &load, NULL));
  must(world, elastica_world_advance(world, 10.0));
  assert_close(body_now(body).omega[2], 200.0, 1e-9);
  assert_true(elastica_world_get(world).working_step * 200.0 < 0.8);
  elastica_world_destroy(world);
}

TEST(a_spin_of_more_than_a_radian_in_a_step_is_refused_and_trips) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = ball_def(0.5, 2.0);
  def.omega[0] = 10.0;
  elastica_rod *body = add_body(world, &def);
  assert_refused(world, elastica_world_step(world, 0.2, 1), ELASTICA_UNSTABLE_STEP, "rod 0", "10");
  DEFAULTS(point_load, load);
  load.couple[0] = 1e4;
  must(world, elastica_add_point_load(world, body, &load, NULL));
  assert_refused(world, elastica_world_step(world, 0.05, 1), ELASTICA_UNSTABLE_STEP, "rod 0", "element 0", "point_load");
  must(world, elastica_body_set_state(body, def.position, def.velocity, unit_frame, def.velocity));
  assert_refused(world, elastica_world_step(world, -1.0, 1), ELASTICA_INVALID_ARGUMENT, "dt"); /* the failure state has been left */
  elastica_world_destroy(world);
}

/* ---- Refusals ---- */

TEST(definitions_that_cannot_be_are_refused) {
  elastica_world *world = make_world(NULL);
  const elastica_body_def ball = ball_def(0.1, 1.0), box = top_def(1.0, 2.0, 2.5);
  elastica_rod *body = (elastica_rod *)world;
  elastica_body_def def = ball;
  assert_refused(world, elastica_world_add_body(world, NULL, &body), ELASTICA_INVALID_ARGUMENT, "def");
  assert_null(body);
  assert_int_equal(elastica_world_add_body(NULL, &ball, NULL), ELASTICA_INVALID_ARGUMENT);
#define REFUSES(change, from, ...)                                                                                                         \
  def = from;                                                                                                                              \
  change;                                                                                                                                  \
  assert_refused(world, elastica_world_add_body(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, __VA_ARGS__)
  REFUSES(def.radius = NAN, ball, "body_def.radius", "not set");
  REFUSES(def.radius = -1.0, ball, "body_def.radius", "not positive");
  REFUSES(def.mass = NAN, ball, "density or mass", "not set");
  REFUSES(def.density = 1.0, ball, "both");
  REFUSES(def.shape = ELASTICA_SHAPE_CAPSULE, ball, "body_def.length", "not set");
  REFUSES(def.shape = (elastica_shape)7, ball, "body_def.shape");
  REFUSES(def.shape = ELASTICA_SHAPE_BOX, ball, "body_def.edges", "not set");
  REFUSES(def.edges[1] = NAN, box, "body_def.edges");
  REFUSES(def.contact_group = -1, ball, "body_def.contact_group", "negative", "-1");
  REFUSES(def.inertia[1] = 0.1, box, "body_def.inertia", "not symmetric");
  REFUSES(def.inertia[8] = -1.0, box, "body_def.inertia", "not positive", "-1");
  REFUSES(memset(def.inertia, 0, sizeof def.inertia), box, "body_def.inertia", "not positive");
  REFUSES(def.inertia[8] = 3.1, box, "body_def.inertia", "3.1", "sum");
  REFUSES(def.director[0] = 2.0, box, "body_def.director");
  REFUSES(def.velocity[0] = INFINITY, box, "body_def.velocity", "not finite");
  REFUSES((def.radius = 1e120, def.mass = NAN, def.density = 1.0), ball, "body_def", "too large");
#undef REFUSES
  assert_int_equal(elastica_world_get(world).rod_count, 0);
  elastica_world_destroy(world);
}

TEST(sizes_of_other_shapes_are_not_read) {
  elastica_world *world = make_world(NULL);
  elastica_body_def body = default_body(ELASTICA_SHAPE_SPHERE);
  DEFAULTS(obstacle, wall);
  body.radius = 0.1, body.mass = 1.0, body.length = 0.0, body.edges[1] = -1.0;
  must(world, elastica_world_add_body(world, &body, NULL));
  wall.shape = ELASTICA_SHAPE_SPHERE, wall.radius = 0.1, wall.length = 0.0, wall.edges[0] = -1.0;
  wall.stiffness = 1.0, wall.position[2] = -5.0;
  must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
  wall.shape = ELASTICA_SHAPE_PLANE, wall.radius = 0.0;
  must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
  wall.shape = ELASTICA_SHAPE_CAPSULE, wall.radius = 0.1;
  assert_refused(world, elastica_add_obstacle(world, NULL, &wall, NULL), ELASTICA_INVALID_ARGUMENT, "obstacle_def.length", "not positive");
  elastica_world_destroy(world);
}

TEST(effects_on_missing_parts_of_a_body_are_refused) {
  elastica_world *world = make_world(NULL);
  const elastica_body_def ball = ball_def(0.1, 1.0);
  elastica_rod *rod = add_body(world, &ball);
  elastica_rod_facts facts;
  elastica_check_report report;
  const double numbers[9] = {0.0};
  DEFAULTS(contact, contact);
  contact.modulus = 1.0;
  DEFAULTS(boundary, clamp);
  assert_refused(world, elastica_add_contact(world, rod, &contact, NULL), ELASTICA_INVALID_ARGUMENT, "add_contact", "rigid body");
  assert_refused(world, elastica_add_boundary(world, rod, &clamp, NULL), ELASTICA_INVALID_ARGUMENT, "add_boundary", "rigid body", "FRAME");
  assert_refused(world, elastica_rod_get_facts(rod, &facts), ELASTICA_INVALID_ARGUMENT, "rigid body");
  assert_refused(world, elastica_rod_set_rest(rod, NULL, numbers), ELASTICA_INVALID_ARGUMENT, "set_rest", "rigid body");
  must(world, elastica_world_check(world, 0.0, &report));
  assert_int_equal(report.finding_count, 0);
  must(world, elastica_rod_remove(rod));
  assert_refused(world, elastica_body_set_state(rod, numbers, NULL, NULL, NULL), ELASTICA_INVALID_ARGUMENT, "removed");
  elastica_world_destroy(world);
}
