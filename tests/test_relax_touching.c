/* Relaxation of pressed, crossed, knotted or heaped rods: contacts support the loads at the equilibrium, and no rod passes through
 * another.
 */
#include "relaxed.h"

#include "common/trefoil.h"

static const double radius = 0.02, modulus = 1e5; /* [m] of rods, [Pa] of layers */

static elastica_rod *add_rod(elastica_world *world, const double start[3], const double direction[3], double length, double thickness) {
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = 20;
  def.length = length, def.radius = thickness;
  def.density = 1000.0, def.youngs_modulus = 1e6;
  memcpy(def.start, start, sizeof def.start);
  memcpy(def.direction, direction, sizeof def.direction);
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static elastica_effect *add_plane(elastica_world *world, int axis, double sign, double at, double friction) {
  elastica_effect *plane = NULL;
  DEFAULTS(obstacle, def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC;
  def.modulus = modulus, def.friction = friction;
  def.normal[2] = 0.0, def.normal[axis] = sign, def.position[axis] = at;
  must(world, elastica_add_obstacle(world, NULL, &def, &plane));
  return plane;
}

static elastica_effect *add_contact(elastica_world *world, double friction) {
  elastica_effect *contact = NULL;
  DEFAULTS(contact, def);
  def.modulus = modulus, def.friction = friction;
  must(world, elastica_add_contact(world, NULL, &def, &contact));
  return contact;
}

static elastica_relax_result relax_to(elastica_world *world, double tolerance) {
  elastica_relax_result result;
  DEFAULTS(relax, def);
  def.tolerance = tolerance;
  must(world, elastica_world_relax(world, &def, &result));
  return result;
}

/* The deepest overlap, and the number of contacts. */
static double deepest(elastica_effect *contact, int *count) {
  enum { MOST = 500 };
  static elastica_contact_point points[MOST];
  double most = 0.0;
  assert_int_equal(elastica_contact_get(contact, points, MOST, count), ELASTICA_OK);
  for (int k = 0; k < *count && k < MOST; k++) most = points[k].depth > most ? points[k].depth : most;
  return most;
}

/* From inside the layer, from just above it, and from five radii above: weight = k eps along the middle. */
TEST(a_rod_lies_as_deep_as_its_weight_presses) {
  const double height[] = {-1e-4, 1e-3, 0.1}, weight = 9.81 * 1000.0 * 3.14159265358979324 * radius * radius; /* [N/m] */
  double first = 0.0;
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rod(world, (double[]){0.0, 0.0, radius + height[k]}, (double[]){1.0, 0.0, 0.0}, 1.0, radius);
    elastica_effect *plane = add_plane(world, 2, 1.0, 0.0, 0.0);
    double force[3];
    must(world, elastica_add_gravity(world, (double[]){0.0, 0.0, -9.81}, NULL));
    const elastica_relax_result result = relax(world);
    must(world, elastica_obstacle_get_force(plane, force, NULL));
    assert_close(force[2], -weight, 1e-7 * weight);
    const double z = elastica_rod_get_view(rod)->position[2][10];
    if (k == 0) first = z;
    assert_close(radius - z, weight / modulus, 0.02 * weight / modulus);
    assert_close(z, first, 1e-9);
    assert_true(result.evaluations <= 120);
    elastica_world_destroy(world);
  }
}

/* One rod is clamped at both ends; the other lies across it, with a downward force of 2 N at its ends. */
static elastica_effect *add_crossed_rods(elastica_world *world, double gap, elastica_rod *rod[2]) {
  rod[0] = add_rod(world, (double[]){-0.5, 0.0, 0.0}, (double[]){1.0, 0.0, 0.0}, 1.0, radius);
  rod[1] = add_rod(world, (double[]){0.03, -0.5, 2.0 * radius + gap}, (double[]){0.0, 1.0, 0.0}, 1.0, radius);
  for (int end = 0; end < 2; end++) {
    DEFAULTS(boundary, clamp);
    DEFAULTS(boundary, pin);
    pin.kind = ELASTICA_BOUNDARY_PIN;
    DEFAULTS(point_load, load);
    clamp.node = end ? -1 : 0;
    pin.node = load.node = end ? -1 : 0;
    pin.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
    load.force[2] = -1.0;
    must(world, elastica_add_boundary(world, rod[0], &clamp, NULL));
    must(world, elastica_add_boundary(world, rod[1], &pin, NULL));
    must(world, elastica_add_point_load(world, rod[1], &load, NULL));
  }
  return add_contact(world, 0.0);
}

/* Slow damped steps in time, from the same initial state. */
static void come_to_rest(elastica_world *world, elastica_rod *const rod[2]) {
  DEFAULTS(dissipation, def);
  def.translation = 3.0, def.rotation = 1e-3;
  for (int k = 0; k < 2; k++) must(world, elastica_add_dissipation(world, rod[k], &def, NULL));
  must(world, elastica_world_advance(world, 12.0));
}

TEST(crossed_rods_rest_at_the_result_of_damped_steps) {
  for (int k = 0; k < 2; k++) {
    elastica_world *still = make_world(NULL), *moving = make_world(NULL);
    elastica_rod *rod[2], *other[2];
    int count;
    elastica_effect *contact = add_crossed_rods(still, k ? -1e-4 : 1e-2, rod);
    (void)add_crossed_rods(moving, k ? -1e-4 : 1e-2, other);
    (void)relax_to(still, 1e-3);
    come_to_rest(moving, other);
    must(still, elastica_world_evaluate(still, 0.0));
    double force = 0.0;
    for (int i = 0; i <= 20; i++) force += elastica_rod_get_view(rod[0])->external_force[2][i];
    assert_close(force, -2.0, 0.01);
    assert_between(deepest(contact, &count), 1e-4, 0.1 * radius);
    for (int r = 0; r < 2; r++)
      for (int i = 0; i <= 20; i++)
        assert_close(elastica_rod_get_view(rod[r])->position[2][i], elastica_rod_get_view(other[r])->position[2][i], 2e-4);
    elastica_world_destroy(still);
    elastica_world_destroy(moving);
  }
}

/* The knot of examples/knot.c, pulled with T r^2/B = eps^4/2 at eps = 0.12. Without the knot the rod would be as long as its fibre. */
enum { KNOT = 90 };

static elastica_rod *add_knot(elastica_world *world) {
  static double position[3 * (KNOT + 1)], stretch[3 * KNOT], bend[3 * KNOT], rest[KNOT];
  const double r = 0.1, bending = 2.5e-3, eps = 0.115;
  const trefoil shape = {KNOT, 1.0, r / (eps * eps), r / (eps * eps), 6.0 * r};
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  DEFAULTS(contact, contact);
  trefoil_lay(&shape, position);
  for (int k = 0; k < 3 * KNOT; k++) stretch[k] = 1.0, bend[k] = bending, rest[k / 3] = 1.0;
  def.element_count = KNOT, def.position = position, def.rest_length = rest;
  def.radius = r, def.density = 1.0 / (3.14159265358979324 * r * r), def.rotary_inertia_scale = 100.0;
  def.shear_stiffness = stretch, def.bend_stiffness = bend;
  must(world, elastica_world_add_rod(world, &def, &rod));
  contact.modulus = 0.05, contact.damping = 0.1;
  must(world, elastica_add_contact(world, rod, &contact, NULL));
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
  pin.node = -1, pin.axes = ELASTICA_AXIS_Y | ELASTICA_AXIS_Z;
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
  pull_tip(world, rod, 0.5 * pow(0.12, 4) * bending / (r * r), 0.0, 0.0);
  return rod;
}

TEST_LONG(a_knot_stays_tied_and_at_rest) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_knot(world);
  const elastica_relax_result result = relax_to(world, 1e-9);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double before[KNOT + 1];
  assert_between(view->position[0][KNOT] - view->position[0][0], 41.0, 44.0);
  for (int i = 0; i <= KNOT; i++) before[i] = view->position[1][i];
  assert_true(result.evaluations <= 500);
  DEFAULTS(dissipation, drag);
  drag.translation = 1e-4;
  must(world, elastica_add_dissipation(world, rod, &drag, NULL));
  must(world, elastica_world_advance(world, 2000.0));
  for (int i = 0; i <= KNOT; i++) assert_close(view->position[1][i], before[i], 1e-4);
  elastica_world_destroy(world);
}

enum { HEAP = 6 };
static const double thin = 0.01;

/* Six rods across each other in a box. Without friction they slide until floor and sides support them. */
static elastica_world *make_heap(double friction, elastica_effect **floor, elastica_effect **contact) {
  elastica_world *world = make_world(NULL);
  for (int k = 0; k < HEAP; k++) {
    const int layer = k / 2;
    const double yaw = (layer % 2 ? 1.5707963 : 0.0) + 0.1 * (k % 3 - 1), beside = 0.1 * (k % 2 - 0.5), c = cos(yaw), s = sin(yaw);
    (void)add_rod(world, (double[]){-0.2 * c - beside * s, -0.2 * s + beside * c, 1.05 * thin + 2.05 * thin * layer}, (double[]){c, s, 0.0},
                  0.4, thin);
  }
  must(world, elastica_add_gravity(world, (double[]){0.0, 0.0, -9.81}, NULL));
  for (int side = 0; side < 5; side++)
    *floor = add_plane(world, side / 2, side % 2 ? -1.0 : 1.0, side == 4 ? 0.0 : side % 2 ? 0.275 : -0.275, friction);
  *contact = add_contact(world, friction);
  return world;
}

static void let_heap_rest(double friction) {
  const double weight = HEAP * 9.81 * 1000.0 * 3.14159265358979324 * thin * thin * 0.4;
  double force[3];
  elastica_effect *plane = NULL, *contact = NULL;
  elastica_world *world = make_heap(friction, &plane, &contact);
  int count;
  const elastica_relax_result result = relax_to(world, 1e-3);
  must(world, elastica_obstacle_get_force(plane, force, NULL));
  assert_close(force[2], -weight, 2e-3 * weight);
  assert_true(deepest(plane, &count) < 0.1 * thin);
  assert_true(deepest(contact, &count) < 0.2 * thin);
  assert_true(result.force <= 1e-3 * result.reference_force);
  for (int k = 0; k < HEAP; k++) {
    const elastica_rod_view *view = elastica_rod_get_view(elastica_world_rod(world, k));
    for (int i = 0; i < view->node_count; i++) {
      assert_between(view->position[2][i], 0.9 * thin, 0.1);
      for (int a = 0; a < 2; a++) assert_between(view->position[a][i], -0.28, 0.28);
    }
  }
  elastica_world_destroy(world);
}

TEST_LONG(a_heap_rests_on_the_floor_of_its_box) {
  let_heap_rest(0.0);
  let_heap_rest(0.3);
}

/* To a millionth of the forces at work, or a sentence names the place where contact forces jump; soon, and without damped steps, which are
 * forbidden here: Newton's method needs none. */
TEST_LONG(a_heap_rests_to_a_millionth_or_says_why_not) {
  for (int rough = 0; rough < 2; rough++) {
    elastica_effect *plane = NULL, *contact = NULL;
    elastica_relax_result result;
    elastica_world *world = make_heap(rough ? 0.3 : 0.0, &plane, &contact);
    DEFAULTS(relax, def);
    def.tolerance = 1e-6, def.step_limit = 0;
    if (elastica_world_relax(world, &def, &result) != ELASTICA_OK)
      assert_says(elastica_world_message(world), "the force of effects on node", "of rod", "jumps by", "is left beside");
    assert_true(result.force <= 1e-3 * result.reference_force);
    assert_true(result.evaluations <= 2000);
    elastica_world_destroy(world);
  }
}

/* Along a slope of 10 degrees, with a coefficient beyond its tangent: friction supports its part of the weight, the rod hardly moves,
 * and later steps continue without a jerk. */
TEST(friction_holds_a_rod_on_a_slope) {
  const double slope = 0.17453292519943295, g = 9.81, weight = g * 1000.0 * 3.14159265358979324 * radius * radius;
  elastica_world *world = make_world(NULL);
  elastica_rod *gone = add_rod(world, (double[]){0.0, 0.0, 1.0}, (double[]){1.0, 0.0, 0.0}, 1.0, radius);
  elastica_rod *rod = add_rod(world, (double[]){0.0, 0.0, radius}, (double[]){1.0, 0.0, 0.0}, 1.0, radius);
  double force[3];
  elastica_effect *plane = NULL;
  DEFAULTS(obstacle, def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC;
  DEFAULTS(contact, contact);
  def.modulus = contact.modulus = modulus, def.friction = contact.friction = 0.3;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  must(world, elastica_add_obstacle(world, NULL, &def, &plane));
  must(world, elastica_rod_remove(gone));
  must(world, elastica_add_gravity(world, (double[]){g * sin(slope), 0.0, -g * cos(slope)}, NULL));
  (void)relax(world);
  must(world, elastica_obstacle_get_force(plane, force, NULL));
  assert_close(force[0], weight * sin(slope), 1e-6 * weight);
  assert_close(force[2], -weight * cos(slope), 1e-6 * weight);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int i = 0; i <= 20; i++) assert_close(view->position[0][i], 0.05 * i, 2e-3);
  must(world, elastica_world_advance(world, 0.1));
  for (int i = 0; i <= 20; i++)
    for (int a = 0; a < 3; a++) assert_close(view->velocity[a][i], 0.0, 1e-6);
  elastica_world_destroy(world);
}

/* Two linked rings, one held, the other pulled away: friction supports its part of the load, and remains when the loads are computed
 * again. */
TEST(friction_stays_after_relaxation) {
  elastica_rod *ring[2];
  elastica_world *world = make_linked_rings(0.053, 1.0, ring);
  const elastica_relax_result result = relax_to(world, 1e-4);
  must(world, elastica_world_evaluate(world, 0.0));
  double most = 0.0;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < LINKED_ELEMENTS; i++)
      for (int a = 0; a < 3; a++) most = fmax(most, fabs(elastica_rod_get_view(ring[k])->total_force[a][i]));
  assert_true(most <= 1.01 * result.force + 1e-6);
  elastica_world_destroy(world);
}

/* A rod hangs over both edges of a box. Friction holds it along its axis, and nothing resists rolling across: under a push it keeps its
 * speed. The symmetric part of the stiffness has a negative square there, which decides nothing. */
TEST(a_rod_that_may_roll_on_friction_under_load_is_undecided) {
  enum { N = 8 };
  const double speed = 1e-3;
  double velocity[3 * (N + 1)] = {0.0}, omega[3 * N] = {0.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *box = NULL, *rod = NULL;
  elastica_modes *modes = NULL;
  DEFAULTS(body, body);
  body.shape = ELASTICA_SHAPE_BOX, body.density = 1000.0, body.position[2] = -0.1;
  for (int a = 0; a < 3; a++) body.edges[a] = 0.2;
  must(world, elastica_world_add_body(world, &body, &box));
  clamp_first(world, box, ELASTICA_BOUNDARY_FRAME);
  DEFAULTS(rod, def);
  def.element_count = N, def.length = 1.0, def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e7;
  set_vector(def.direction, 0, 1.0, 0.0, 0.0);
  set_vector(def.start, 0, -0.5, 0.0, 0.99 * radius);
  must(world, elastica_world_add_rod(world, &def, &rod));
  elastica_effect *contact = add_contact(world, 0.9);
  must(world, elastica_add_gravity(world, (double[]){0.0, 0.0, -9.81}, NULL));
  const elastica_relax_result result = relax(world);
  assert_int_equal(result.stable, 0);
  assert_int_equal(result.undecided, 1);
  assert_ptr_equal(result.undecided_by, contact);
  assert_refused(world, elastica_modes_find(world, NULL, &modes), ELASTICA_INVALID_ARGUMENT, "friction in a contact of effect",
                 "not symmetric");
  int count;
  const double arm = radius - deepest(contact, &count);
  for (int i = 0; i <= N; i++) velocity[3 * i + 1] = speed;
  for (int j = 0; j < N; j++) omega[3 * j + 2] = -speed / arm;
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, omega));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double before = 0.0, rolled = 0.0;
  must(world, elastica_world_advance(world, 1.0));
  before = view->position[1][N / 2];
  must(world, elastica_world_advance(world, 4.0));
  rolled = view->position[1][N / 2] - before;
  assert_close(before, speed, 0.05 * speed);
  assert_close(rolled / (4.0 * before), 1.0, 0.02);
  elastica_world_destroy(world);
}

/* On a slope, or pulled by one end, friction holds a rod up to 0.3 of the force that presses it; beyond, it slides without end. This is
 * told after ten lengths. */
TEST(friction_does_not_hold_more_than_it_can) {
  static const double share[] = {0.95, 1.05, 2.0};
  const double g = 9.81, weight = g * 1000.0 * 3.14159265358979324 * radius * radius;
  for (int k = 0; k < 6; k++) {
    const double slope = k < 3 ? 0.3 * share[k % 3] * g : 0.0, net = 0.3 * weight * (share[k % 3] - 1.0);
    char force[32];
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_rod(world, (double[]){0.0, 0.0, radius}, (double[]){1.0, 0.0, 0.0}, 1.0, radius);
    elastica_relax_result result;
    DEFAULTS(obstacle, def);
    def.kind = ELASTICA_OBSTACLE_ELASTIC, def.modulus = modulus, def.friction = 0.3;
    must(world, elastica_add_obstacle(world, NULL, &def, NULL));
    must(world, elastica_add_gravity(world, (double[]){slope, 0.0, -g}, NULL));
    if (k >= 3) pull_tip(world, rod, 0.3 * share[k % 3] * weight, 0.0, 0.0);
    if (share[k % 3] < 1.0) {
      (void)relax(world);
    } else {
      snprintf(force, sizeof force, "a force of %.3g N along x", net);
      assert_refused(world, elastica_world_relax(world, NULL, &result), ELASTICA_NOT_CONVERGED, "rod 0 runs away", force,
                     "slides against all friction that there is in the contact at node ", "with effect 0 \"obstacle\"", "another call");
      assert_true(result.evaluations <= 4500 && result.steps == 0);
    }
    elastica_world_destroy(world);
  }
}

/* A capsule along its axis on a slope. */
TEST(friction_holds_a_capsule_as_far_as_it_can) {
  static const double share[] = {0.9, 1.1, 2.0};
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod;
    elastica_relax_result result;
    DEFAULTS(body, capsule);
    DEFAULTS(obstacle, plane);
    capsule.shape = ELASTICA_SHAPE_CAPSULE, capsule.mass = 1.0, capsule.radius = 0.05, capsule.length = 0.3, capsule.position[2] = 0.05;
    memset(capsule.director, 0, sizeof capsule.director);
    capsule.director[1] = capsule.director[5] = capsule.director[6] = 1.0; /* d3 along x */
    must(world, elastica_world_add_body(world, &capsule, &rod));
    plane.kind = ELASTICA_OBSTACLE_ELASTIC, plane.modulus = modulus, plane.friction = 0.4;
    must(world, elastica_add_obstacle(world, NULL, &plane, NULL));
    must(world, elastica_add_gravity(world, (double[]){0.4 * 9.0 * share[k], 0.0, -9.0}, NULL));
    if (share[k] < 1.0) {
      (void)relax(world);
    } else {
      assert_refused(world, elastica_world_relax(world, NULL, &result), ELASTICA_NOT_CONVERGED, "rod 0 runs away",
                     "slides against all friction", "with effect 0 \"obstacle\"");
      assert_true(result.evaluations <= 1000 && result.steps == 0);
    }
    elastica_world_destroy(world);
  }
}

/* A soft belt over a cylinder, with the pulls 1 N and exp(share mu angle) N at its ends: friction holds it up to the share
 * 1. Beyond, it slides off and flies away, and no damped steps follow. */
TEST_LONG(friction_holds_a_belt_up_to_the_limit_of_eytelwein) {
  enum { N = 120 };
  static const double share[] = {0.5, 0.9, 1.15};
  const double belt = 0.002, round = 0.1 + belt, straight = 0.1;
  double position[3 * (N + 1)], shear[3 * N], bend[3 * N], rest[3 * (N - 1)] = {0.0};
  for (int k = 0; k < 6; k++) {
    const double angle = k < 3 ? 1.5707963267948966 : 3.1415926535897932, arc = round * angle, pull = exp(0.3 * angle * share[k % 3]);
    elastica_world *world = make_world(NULL);
    elastica_rod *rod;
    elastica_relax_result result;
    for (int i = 0; i <= N; i++) {
      const double s = (arc + 2.0 * straight) * i / N - straight, at = fmin(fmax(s, 0.0), arc) / round, beyond = s - round * at;
      set_vector(position, i, round * cos(at) - beyond * sin(at), 0.0, round * sin(at) + beyond * cos(at));
    }
    for (int j = 0; j < 3 * N; j++) shear[j] = 1e3, bend[j] = 1e-5;
    DEFAULTS(rod, def);
    DEFAULTS(obstacle, drum);
    DEFAULTS(point_load, load);
    def.element_count = N, def.position = position, def.rest = ELASTICA_REST_INITIAL, def.radius = belt, def.density = 1000.0;
    def.shear_stiffness = shear, def.bend_stiffness = bend;
    must(world, elastica_world_add_rod(world, &def, &rod));
    must(world, elastica_rod_set_rest(rod, rest, NULL));
    drum.kind = ELASTICA_OBSTACLE_ELASTIC, drum.shape = ELASTICA_SHAPE_CYLINDER, drum.radius = 0.1, drum.length = INFINITY;
    set_vector(drum.normal, 0, 0.0, 1.0, 0.0);
    drum.modulus = 1e6, drum.friction = 0.3;
    must(world, elastica_add_obstacle(world, NULL, &drum, NULL));
    load.node = 0, load.force[2] = -1.0;
    must(world, elastica_add_point_load(world, rod, &load, NULL));
    pull_tip(world, rod, -pull * sin(angle), 0.0, pull * cos(angle));
    if (share[k % 3] < 1.0) {
      assert_true(relax(world).evaluations <= 100);
    } else {
      assert_refused(world, elastica_world_relax(world, NULL, &result), ELASTICA_NOT_CONVERGED, "rod 0 runs away", "another call");
      assert_int_equal(result.steps, 0);
    }
    elastica_world_destroy(world);
  }
}

/* A rod across another one, held along both and free to sink: a load beyond the force of the contact presses it through, and nothing else
 * holds it. */
TEST(a_rod_that_is_pressed_through_another_is_told_early) {
  static const double force[] = {1.5e4, 3e4, 1e5, 1e6};
  for (int k = 0; k < 8; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *lower = add_rod(world, (double[]){0.0, 0.0, 0.0}, (double[]){1.0, 0.0, 0.0}, 1.0, radius);
    elastica_rod *upper = add_rod(world, (double[]){0.5, -0.5, 2.0 * radius}, (double[]){0.0, 1.0, 0.0}, 1.0, radius);
    elastica_relax_result result;
    DEFAULTS(boundary, hold);
    hold.kind = ELASTICA_BOUNDARY_PIN;
    for (hold.node = 0; hold.node <= 20; hold.node++) must(world, elastica_add_boundary(world, lower, &hold, NULL));
    hold.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
    for (hold.node = 0; hold.node <= 20; hold.node++) must(world, elastica_add_boundary(world, upper, &hold, NULL));
    add_contact(world, k < 4 ? 0.0 : 0.3);
    DEFAULTS(point_load, load);
    load.node = 10, load.force[2] = -force[k % 4];
    must(world, elastica_add_point_load(world, upper, &load, NULL));
    const double before = elastica_rod_get_view(upper)->position[2][10];
    assert_refused(world, elastica_world_relax(world, NULL, &result), ELASTICA_NOT_CONVERGED,
                   "\"contact\": rod 0, element 9 and rod 1, element 9 would pass through each other",
                   "a stiffer layer would resist the loads", "nothing holds rod 1 against a force of ", "N along -z");
    assert_true(result.evaluations <= 3000 && result.steps == 0);
    assert_true(elastica_rod_get_view(upper)->position[2][10] == before);
    elastica_world_destroy(world);
  }
}

/* A load that presses two rods into each other until their centre lines nearly meet: a step would fail there, so it is no equilibrium to
 * go on from. */
TEST(an_equilibrium_in_the_core_of_a_contact_is_refused) {
  static const double below[] = {0.0, 0.0, 0.0}, along_x[] = {1.0, 0.0, 0.0}, along_y[] = {0.0, 1.0, 0.0};
  static const double above[] = {0.5, -0.5, 2.0 * radius};
  elastica_world *world = make_world(NULL);
  elastica_rod *lower = add_rod(world, below, along_x, 1.0, radius), *upper = add_rod(world, above, along_y, 1.0, radius);
  DEFAULTS(boundary, hold);
  hold.kind = ELASTICA_BOUNDARY_PIN;
  for (hold.node = 0; hold.node <= 20; hold.node++) must(world, elastica_add_boundary(world, lower, &hold, NULL));
  hold.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
  for (hold.node = 0; hold.node <= 20; hold.node++) must(world, elastica_add_boundary(world, upper, &hold, NULL));
  add_contact(world, 0.0);
  DEFAULTS(point_load, load);
  load.node = 10, load.force[2] = -1e4;
  must(world, elastica_add_point_load(world, upper, &load, NULL));
  const double before = elastica_rod_get_view(upper)->position[2][10];
  assert_refused(world, elastica_world_relax(world, NULL, NULL), ELASTICA_NOT_CONVERGED, "relax: in the equilibrium that was found",
                 "\"contact\": rod 0, element 9 and rod 1, element 9 would pass through each other");
  assert_true(elastica_rod_get_view(upper)->position[2][10] == before);
  elastica_world_destroy(world);
}

static elastica_status high_ground(void *user, const double at[3], double *distance, double gradient[3]) {
  (void)user;
  *distance = at[2];
  gradient[0] = gradient[1] = 0.0, gradient[2] = 1.0;
  return ELASTICA_OK;
}

/* An elastic obstacle of any shape with its surface at z = 0, at x = y = 0. */
static void add_ground(elastica_world *world, elastica_shape shape) {
  static const double axis[] = {-5.0, 0.0, 0.0, 5.0, 0.0, 0.0}, radii[] = {1.0, 1.0};
  static const double corner[] = {-2.0, -2.0, -0.05, 2.0, -2.0, -0.05, 2.0, 2.0, -0.05, -2.0, 2.0, -0.05};
  static const int triangle[] = {0, 1, 2, 0, 2, 3};
  DEFAULTS(obstacle, def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC, def.shape = shape, def.modulus = modulus;
  if (shape != ELASTICA_SHAPE_PLANE && shape != ELASTICA_SHAPE_SURFACE && shape != ELASTICA_SHAPE_MESH) def.position[2] = -1.0;
  if (shape == ELASTICA_SHAPE_SPHERE || shape == ELASTICA_SHAPE_CYLINDER) def.radius = 1.0;
  if (shape == ELASTICA_SHAPE_CYLINDER) def.length = INFINITY, set_vector(def.normal, 0, 1.0, 0.0, 0.0);
  if (shape == ELASTICA_SHAPE_BOX) set_vector(def.edges, 0, 5.0, 5.0, 2.0);
  if (shape == ELASTICA_SHAPE_TUBE) def.points = axis, def.radii = radii, def.point_count = 2, def.side = ELASTICA_SIDE_OUTSIDE;
  if (shape == ELASTICA_SHAPE_SURFACE) def.surface = high_ground, def.surface_curvature = 0.01;
  if (shape == ELASTICA_SHAPE_MESH) {
    def.points = corner, def.point_count = 4, def.triangles = triangle, def.triangle_count = 2;
    def.side = ELASTICA_SIDE_BOTH, def.thickness = 0.1, def.fillet = 2.0 * radius;
  }
  must(world, elastica_add_obstacle(world, NULL, &def, NULL));
}

/* A load that presses a rod, or a ball, until its centre is below the surface: a step would fail there. A small load leaves it above. */
TEST(an_equilibrium_inside_an_obstacle_is_refused) {
  static const elastica_shape shapes[] = {ELASTICA_SHAPE_PLANE, ELASTICA_SHAPE_SPHERE,  ELASTICA_SHAPE_CYLINDER, ELASTICA_SHAPE_BOX,
                                          ELASTICA_SHAPE_TUBE,  ELASTICA_SHAPE_SURFACE, ELASTICA_SHAPE_MESH};
  for (int k = 0; k < 28; k++) {
    const elastica_shape shape = shapes[k / 4];
    const int is_ball = k & 1, is_deep = k & 2;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = NULL;
    DEFAULTS(boundary, hold);
    hold.kind = ELASTICA_BOUNDARY_PIN, hold.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
    if (is_ball) {
      DEFAULTS(body, ball);
      ball.shape = ELASTICA_SHAPE_SPHERE, ball.radius = radius, ball.mass = 1.0;
      set_vector(ball.position, 0, 0.0, 0.0, radius);
      must(world, elastica_world_add_body(world, &ball, &rod));
      must(world, elastica_add_boundary(world, rod, &hold, NULL));
    } else {
      rod = add_rod(world, (double[]){-0.2, 0.0, 1.05 * radius}, (double[]){1.0, 0.0, 0.0}, 0.4, radius);
      for (hold.node = 0; hold.node <= 20; hold.node++) must(world, elastica_add_boundary(world, rod, &hold, NULL));
    }
    add_ground(world, shape);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    DEFAULTS(point_load, load);
    for (load.node = 0; load.node < view->node_count; load.node++) {
      load.force[2] = (is_deep ? -1e5 : -0.5) * modulus * radius * (is_ball ? radius : 0.4 / 21.0);
      must(world, elastica_add_point_load(world, rod, &load, NULL));
    }
    const double before = view->position[2][view->node_count / 2];
    if (is_deep)
      assert_refused(world, elastica_world_relax(world, NULL, NULL), ELASTICA_NOT_CONVERGED, "relax: in the equilibrium that was found",
                     "\"obstacle\": rod 0,", "would pass through the ");
    else
      relax(world);
    assert_true((view->position[2][view->node_count / 2] == before) == (is_deep != 0));
    elastica_world_destroy(world);
  }
}

/* Likewise a ball on a body with a surface of its own. */
TEST(an_equilibrium_inside_a_body_is_refused) {
  for (int is_deep = 0; is_deep < 2; is_deep++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *body[2];
    for (int k = 0; k < 2; k++) {
      DEFAULTS(body, def);
      DEFAULTS(boundary, hold);
      def.shape = k ? ELASTICA_SHAPE_SPHERE : ELASTICA_SHAPE_BOX, def.mass = 1.0, def.radius = radius;
      set_vector(def.edges, 0, 1.0, 1.0, 0.4);
      set_vector(def.position, 0, 0.0, 0.0, k ? radius : -0.2);
      must(world, elastica_world_add_body(world, &def, &body[k]));
      hold.kind = k ? ELASTICA_BOUNDARY_PIN : ELASTICA_BOUNDARY_FRAME;
      if (k) hold.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
      must(world, elastica_add_boundary(world, body[k], &hold, NULL));
    }
    add_contact(world, 0.0);
    DEFAULTS(point_load, load);
    load.force[2] = (is_deep ? -1e5 : -0.5) * modulus * radius * radius;
    must(world, elastica_add_point_load(world, body[1], &load, NULL));
    if (is_deep)
      assert_refused(world, elastica_world_relax(world, NULL, NULL), ELASTICA_NOT_CONVERGED, "relax: in the equilibrium that was found",
                     "\"contact\": rod 0, element 0 and rod 1, element 0 would pass through each other");
    else
      relax(world);
    elastica_world_destroy(world);
  }
}
