/* Claims about relaxation with rigid bodies and with joints: equilibria compared with closed forms, their stability, and refusals. */
#include "base/target.h"

#include "bodies.h"
#include "rationed_memory.h"
#include "relaxed.h"

static const double pi = 3.14159265358979324;
static const double weight = 2.0;

/* A box with its centre at a place and a downward force. */
static elastica_rod *add_weight(elastica_world *world, double x, double z) {
  elastica_body_def def = top_def(0.02, 0.03, 0.01);
  def.position[0] = x, def.position[2] = z;
  elastica_rod *rod = add_body(world, &def);
  DEFAULTS(point_load, load);
  load.force[2] = -weight;
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  return rod;
}

static double place_of(const elastica_rod *rod, int axis) {
  return elastica_rod_get_view(rod)->position[axis][0];
}

static elastica_joint_def joint_between(elastica_joint_kind kind, elastica_rod *first, elastica_rod *second) {
  DEFAULTS(joint, def);
  def.kind = kind;
  def.first.rod = first, def.second.rod = second;
  def.stiffness = 400.0;
  if (kind != ELASTICA_JOINT_BALL) def.angular_stiffness = 5.0;
  if (kind == ELASTICA_JOINT_HINGE) set_vector(def.axis, 0, 0.0, 1.0, 0.0);
  return def;
}

/* A rod along a direction from the origin, clamped there. */
static elastica_rod *add_held_rod(elastica_world *world, int n, double radius, double youngs_modulus, double x, double z) {
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = n, def.length = 1.0, def.radius = radius, def.density = 1000.0, def.youngs_modulus = youngs_modulus;
  def.direction[0] = x, def.direction[2] = z;
  must(world, elastica_world_add_rod(world, &def, &rod));
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  return rod;
}

/* The rod is longer by W L/(E A), the joint opens by W/k, the body hangs below by its arm. */
TEST(a_body_hangs_on_a_rod_by_each_kind_of_joint) {
  const double arm = 0.15, radius = 0.01, modulus = 1e7, longer = weight / (modulus * pi * radius * radius);
  for (int kind = ELASTICA_JOINT_BALL; kind <= ELASTICA_JOINT_FIXED; kind++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_held_rod(world, 10, radius, modulus, 0.0, -1.0), *body = add_weight(world, 0.0, -1.0 - arm);
    elastica_joint_def def = joint_between((elastica_joint_kind)kind, rod, body);
    elastica_effect *joint = NULL;
    elastica_joint_info info;
    def.first.element = -1, def.first.share = 1.0;
    def.second.offset[2] = arm;
    must(world, elastica_add_joint(world, &def, &joint));
    const elastica_relax_result result = relax(world);
    must(world, elastica_joint_get(joint, &info));
    assert_close(tip(rod, 2), -1.0 - longer, 1e-9);
    assert_close(info.gap, weight / def.stiffness, 1e-10);
    assert_close(place_of(body, 2), -1.0 - longer - weight / def.stiffness - arm, 1e-9);
    assert_close(place_of(body, 0), 0.0, 1e-8);
    assert_int_equal(result.stable, 1);
    assert_true(result.evaluations < 30);
    elastica_world_destroy(world);
  }
}

/* A weight beyond the tip of a cantilever, on an arm: w = W L^3/(3 B) + W a L^2/(2 B) + W L/S, the slope W L^2/(2 B) + W a L/B. */
TEST(a_body_bends_the_cantilever_that_it_is_fixed_to) {
  const double arm = 0.3, radius = 0.02, modulus = 1e9, section = pi * radius * radius, small = 1e-3;
  const double bend = modulus * section * section / (4.0 * pi), shear = 4.0 / 3.0 * modulus / 3.0 * section;
  const double load = small * bend;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_held_rod(world, 80, radius, modulus, 1.0, 0.0), *body = add_weight(world, 1.0 + arm, 0.0);
  elastica_joint_def def = joint_between(ELASTICA_JOINT_FIXED, rod, body);
  def.first.element = -1, def.first.share = 1.0;
  def.second.offset[0] = -arm;
  def.stiffness = 1e7, def.angular_stiffness = 1e5;
  must(world, elastica_add_joint(world, &def, NULL));
  DEFAULTS(point_load, lift);
  lift.force[2] = weight - load;
  must(world, elastica_add_point_load(world, body, &lift, NULL));
  const elastica_relax_result result = relax(world);
  const double sinks = load / (3.0 * bend) + load * arm / (2.0 * bend) + load / shear, slope = load / (2.0 * bend) + load * arm / bend;
  assert_close(tip(rod, 2) / -sinks, 1.0, 1e-3);
  const double drop = load / def.stiffness + arm * (slope + load * arm / def.angular_stiffness);
  assert_close((place_of(body, 2) - tip(rod, 2)) / -drop, 1.0, 1e-2);
  assert_int_equal(result.stable, 1);
  elastica_world_destroy(world);
}

TEST(a_body_hangs_on_a_spring_and_stays_in_a_clamp) {
  elastica_world *world = make_world(NULL);
  elastica_rod *hung = add_weight(world, 0.0, 0.0), *held = add_weight(world, 1.0, 0.5);
  const elastica_joint_def def = joint_between(ELASTICA_JOINT_FIXED, hung, NULL);
  must(world, elastica_add_joint(world, &def, NULL));
  DEFAULTS(boundary, clamp);
  clamp.kind = ELASTICA_BOUNDARY_FRAME;
  must(world, elastica_add_boundary(world, held, &clamp, NULL));
  const elastica_relax_result result = relax(world);
  assert_close(place_of(hung, 2), -weight / def.stiffness, 1e-13);
  assert_true(place_of(held, 0) == 1.0 && place_of(held, 2) == 0.5);
  assert_int_equal(result.stable, 1);
  elastica_world_destroy(world);
}

/* From an angle to below the hanging position; upright it stands, and falls after a push. */
TEST(bodies_on_ball_joints_hang_as_a_chain) {
  for (int upright = 0; upright < 2; upright++) {
    const double angle = upright ? pi : 1.0, arm = 0.2, s = upright ? 0.0 : sin(angle), c = cos(angle);
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[3];
    for (int k = 0; k < 3; k++) {
      rod[k] = add_weight(world, (2 * k + 1) * arm * s, -(2 * k + 1) * arm * c);
      elastica_joint_def def = joint_between(ELASTICA_JOINT_BALL, rod[k], k > 0 ? rod[k - 1] : NULL);
      def.first.offset[0] = -arm * s, def.first.offset[2] = arm * c;
      if (k > 0) def.second.offset[0] = arm * s, def.second.offset[2] = -arm * c;
      must(world, elastica_add_joint(world, &def, NULL));
    }
    const elastica_relax_result result = relax(world);
    assert_int_equal(result.stable, !upright);
    assert_int_equal(result.undecided, 0);
    double gaps = 0.0;
    for (int k = 0; k < 3; k++) {
      gaps += (3 - k) * weight / 400.0;
      assert_close(place_of(rod[k], 0), 0.0, 1e-8);
      assert_close(place_of(rod[k], 2), upright ? (2 * k + 1) * arm - gaps : -(2 * k + 1) * arm - gaps, 1e-9);
    }
    elastica_world_destroy(world);
  }
}

/* A load on a body at the tip of a column, with a stiff joint: the column buckles at pi^2 B/(4 L^2). */
TEST(a_column_buckles_under_a_body) {
  const double radius = 0.02, modulus = 1e8, bend = modulus * pi * radius * radius * radius * radius / 4.0;
  for (int above = 0; above < 2; above++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_held_rod(world, 40, radius, modulus, 0.0, 1.0), *body = add_weight(world, 0.0, 1.0);
    elastica_joint_def def = joint_between(ELASTICA_JOINT_FIXED, rod, body);
    def.first.element = -1, def.first.share = 1.0;
    def.stiffness = 1e6, def.angular_stiffness = 1e3;
    must(world, elastica_add_joint(world, &def, NULL));
    DEFAULTS(point_load, load);
    load.force[2] = weight - (above ? 1.03 : 0.97) * pi * pi * bend / 4.0;
    must(world, elastica_add_point_load(world, body, &load, NULL));
    const elastica_relax_result result = relax(world);
    assert_int_equal(result.undecided, 0);
    assert_int_equal(result.stable, !above);
    elastica_world_destroy(world);
  }
}

/* Rods of a chain, on ball joints between two points in the world: the joints are the corners of the funicular polygon of their weights. */
TEST(rods_on_ball_joints_hang_as_a_chain) {
  enum { RODS = 8 };
  const double g[3] = {0.0, 0.0, -9.81};
  elastica_rod *rod[RODS];
  elastica_effect *joint[RODS + 1];
  elastica_joint_info info[RODS + 1];
  elastica_totals all;
  elastica_world *world = make_world(NULL);
  must(world, elastica_add_gravity(world, g, NULL));
  for (int k = 0; k < RODS; k++) {
    DEFAULTS(rod, def);
    def.element_count = 5, def.length = 0.25, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e9;
    const double tilt = k < RODS / 2 ? -0.9 : 0.9;
    def.direction[0] = cos(tilt), def.direction[1] = 0.0, def.direction[2] = sin(tilt);
    def.start[0] = 0.25 * k * cos(0.9);
    def.start[2] = -0.25 * (k < RODS / 2 ? k : RODS - k) * sin(0.9);
    must(world, elastica_world_add_rod(world, &def, &rod[k]));
    elastica_joint_def tie = joint_between(ELASTICA_JOINT_BALL, rod[k], k > 0 ? rod[k - 1] : NULL);
    tie.second.element = -1, tie.second.share = 1.0;
    tie.stiffness = 1e6;
    must(world, elastica_add_joint(world, &tie, &joint[k]));
  }
  elastica_joint_def last = joint_between(ELASTICA_JOINT_BALL, rod[RODS - 1], NULL);
  last.first.element = -1, last.first.share = 1.0;
  last.stiffness = 1e6;
  must(world, elastica_add_joint(world, &last, &joint[RODS]));
  const elastica_relax_result result = relax(world);
  assert_int_equal(result.stable, 1);
  must(world, elastica_rod_get_totals(rod[0], &all));
  const double each = all.mass * 9.81;
  for (int k = 0; k <= RODS; k++) must(world, elastica_joint_get(joint[k], &info[k]));
  /* the force of joint k on the rod before it: the same horizontal tension everywhere, and the weight of the rods up to the middle */
  for (int k = 1; k < RODS; k++) {
    const double before = k < RODS / 2 ? -each * (RODS / 2 - k) : each * (k - RODS / 2);
    assert_close(fabs(info[k].force[0] / info[1].force[0]), 1.0, 1e-6);
    assert_close(fabs(info[k].force[2]), fabs(before), 1e-6 * each);
  }
  /* the direction of a rod is the mean of the forces at its ends */
  for (int k = 0; k < RODS / 2; k++) {
    const elastica_rod_view *view = elastica_rod_get_view(rod[k]);
    const double slope = (view->position[2][5] - view->position[2][0]) / (view->position[0][5] - view->position[0][0]);
    assert_close(slope, -each * (RODS / 2 - k - 0.5) / fabs(info[1].force[0]), 1e-4);
  }
  elastica_world_destroy(world);
}

/* A cantilever of 80 pieces, fixed to each other, is one rod, with the same number of elements. Joints are much stiffer than a piece, and
 * the tip sinks by more than half of the length. */
TEST(eighty_rods_fixed_to_each_other_bend_as_one) {
  enum { PIECES = 80, EACH = 4 };
  double sunk[2];
  for (int whole = 0; whole < 2; whole++) {
    const int count = whole ? 1 : PIECES;
    elastica_world *world = make_world(NULL);
    elastica_rod *last = NULL;
    must(world, elastica_add_gravity(world, (double[]){0.0, 0.0, -9.81}, NULL));
    for (int k = 0; k < count; k++) {
      elastica_rod *rod = NULL;
      DEFAULTS(rod, def);
      def.element_count = whole ? PIECES * EACH : EACH, def.length = 1.0 / count, def.radius = 0.01, def.density = 1000.0;
      def.youngs_modulus = 4e6, def.direction[0] = 1.0, def.direction[2] = 0.0, def.start[0] = (double)k / count;
      set_vector(def.normal, 0, 0.0, 1.0, 0.0);
      must(world, elastica_world_add_rod(world, &def, &rod));
      if (k == 0) clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
      if (k > 0) {
        elastica_joint_def tie = joint_between(ELASTICA_JOINT_FIXED, last, rod);
        tie.first.element = -1, tie.first.share = 1.0;
        tie.stiffness = 1e6, tie.angular_stiffness = 1e3;
        must(world, elastica_add_joint(world, &tie, NULL));
      }
      last = rod;
    }
    const elastica_relax_result result = relax(world);
    assert_int_equal(result.stable, 1);
    assert_true(result.evaluations <= 40);
    sunk[whole] = tip(last, 2);
    elastica_world_destroy(world);
  }
  assert_true(sunk[1] < -0.5);
  assert_close(sunk[0] / sunk[1], 1.0, 5e-2);
}

/* Eleven by eleven rods of a net, fixed to each other where they cross and to the world along the border, sink under their weight. */
TEST(a_net_of_a_hundred_fixed_joints_sinks) {
  enum { LINES = 11, EACH = 12 };
  elastica_rod *rod[2 * LINES];
  elastica_world *world = make_world(NULL);
  must(world, elastica_add_gravity(world, (double[]){0.0, 0.0, -9.81}, NULL));
  for (int k = 0; k < 2 * LINES; k++) {
    const int across = k / LINES;
    DEFAULTS(rod, def);
    def.element_count = EACH, def.length = 1.2, def.radius = 0.005, def.density = 1000.0, def.youngs_modulus = 1e6;
    def.direction[2] = 0.0, def.direction[across] = 1.0;
    set_vector(def.normal, 0, 0.0, 0.0, 1.0);
    def.start[0] = def.start[1] = -0.6, def.start[1 - across] = 0.1 * (k % LINES - LINES / 2);
    must(world, elastica_world_add_rod(world, &def, &rod[k]));
    pin_node(world, rod[k], 0);
    pin_node(world, rod[k], -1);
  }
  for (int i = 0; i < LINES; i++)
    for (int j = 0; j < LINES; j++) {
      elastica_joint_def tie = joint_between(ELASTICA_JOINT_FIXED, rod[i], rod[LINES + j]);
      tie.first.element = j + 1, tie.first.share = 0.0, tie.second.element = i + 1, tie.second.share = 0.0;
      tie.stiffness = 1e4, tie.angular_stiffness = 1.0;
      must(world, elastica_add_joint(world, &tie, NULL));
    }
  const elastica_relax_result result = relax(world);
  assert_int_equal(result.stable, 1);
  assert_true(result.evaluations <= 30);
  const double middle = elastica_rod_get_view(rod[LINES / 2])->position[2][EACH / 2];
  assert_true(middle < -0.05);
  for (int i = 0; i < LINES; i++)
    for (int j = 0; j < LINES; j++) {
      const double here = elastica_rod_get_view(rod[i])->position[2][j + 1];
      assert_true(here >= middle - 1e-9);
      const double open = elastica_rod_get_view(rod[LINES + j])->position[2][i + 1] - here; /* the joint bears a part of the weight */
      assert_true(fabs(open) < 1e-5);
      assert_close(here, elastica_rod_get_view(rod[j])->position[2][i + 1], 1e-5); /* the same along x and y */
    }
  elastica_world_destroy(world);
}

/* Falls flat or tilted on the tips of four cantilevers. Its corners, far from the centre, move by no more than a contact allows. */
TEST(a_thin_plate_comes_to_rest_on_four_cantilevers) {
  const double mass = 0.05, wide = 0.4, thin = 0.002;
  for (int tilt = 0; tilt < 3; tilt++) {
    const double angle = 0.2 * tilt;
    elastica_world *world = make_world(NULL);
    must(world, elastica_add_gravity(world, (double[]){0.0, 0.0, -9.81}, NULL));
    elastica_body_def plate = default_body(ELASTICA_SHAPE_BOX);
    plate.edges[0] = plate.edges[1] = wide, plate.edges[2] = thin, plate.mass = mass;
    memcpy(plate.director, unit_frame, sizeof unit_frame);
    turn_frame((double[]){0.0, angle, 0.0}, plate.director);
    set_vector(plate.position, 0, 0.01, 0.005, 0.03 + 0.5 * angle * wide);
    elastica_rod *body = add_body(world, &plate);
    for (int k = 0; k < 4; k++) {
      const double side = k % 2 ? -1.0 : 1.0;
      elastica_rod *rod = NULL;
      DEFAULTS(rod, def);
      def.element_count = 10, def.length = 0.5, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e7;
      set_vector(def.direction, 0, side, 0.0, 0.0);
      set_vector(def.start, 0, -0.52 * side, k / 2 ? 0.1 : -0.1, 0.0);
      must(world, elastica_world_add_rod(world, &def, &rod));
      clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    }
    DEFAULTS(contact, contact);
    contact.modulus = 1e5, contact.friction = 0.5;
    must(world, elastica_add_contact(world, NULL, &contact, NULL));
    const elastica_relax_result result = relax(world);
    assert_true(result.evaluations <= 250);
    assert_close(place_of(body, 2), -0.021, 1e-3); /* on tips that have sunk by 0.04 */
    elastica_world_destroy(world);
  }
}

/* ---- Cases without equilibrium or relaxation ---- */

TEST(a_body_that_nothing_holds_runs_away) {
  elastica_world *world = make_world(NULL);
  elastica_rod *body = add_weight(world, 0.0, 0.3);
  assert_refused(world, elastica_world_relax(world, NULL, NULL), ELASTICA_NOT_CONVERGED, "rod 0", "runs away");
  assert_true(place_of(body, 2) == 0.3);
  elastica_world_destroy(world);
}

/* A capsule lies lengthwise on a straight rod that is held, exactly on top. Rolling off is unstable, but has no force; that makes the steps
 * short along the rod, where almost nothing resists. The sentence says so. */
TEST(a_body_that_may_roll_off_is_told) {
  enum { N = 10 };
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  must(world, elastica_add_gravity(world, (double[]){0.0, 0.0, -9.81}, NULL));
  DEFAULTS(rod, def);
  def.element_count = N, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e7;
  set_vector(def.direction, 0, 1.0, 0.0, 0.0);
  must(world, elastica_world_add_rod(world, &def, &rod));
  for (int i = 0; i <= N; i++) {
    DEFAULTS(boundary, hold);
    hold.kind = i < N ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_PIN;
    hold.node = i;
    must(world, elastica_add_boundary(world, rod, &hold, NULL));
  }
  elastica_body_def capsule = default_body(ELASTICA_SHAPE_CAPSULE);
  capsule.radius = 0.03, capsule.length = 0.3, capsule.density = 500.0;
  memset(capsule.director, 0, sizeof capsule.director);
  capsule.director[1] = capsule.director[5] = capsule.director[6] = 1.0;
  set_vector(capsule.position, 0, 0.513, 0.0, 0.0499);
  (void)add_body(world, &capsule);
  DEFAULTS(contact, contact);
  contact.modulus = 1e5;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  DEFAULTS(relax, limits);
  limits.evaluation_limit = 300, limits.step_limit = 0;
  assert_refused(world, elastica_world_relax(world, &limits, NULL), ELASTICA_NOT_CONVERGED, "300 evaluations", "unstable", "push aside");
  elastica_world_destroy(world);
}

TEST(a_body_on_a_wall_is_refused_without_damped_steps) {
  elastica_world *world = make_world(NULL);
  elastica_rod *body = add_weight(world, 0.0, 0.3);
  DEFAULTS(obstacle, wall);
  wall.balance = ELASTICA_BALANCE_NODES;
  wall.stiffness = 100.0, wall.damping = 0.0;
  must(world, elastica_add_obstacle(world, body, &wall, NULL));
  DEFAULTS(relax, without);
  without.step_limit = 0;
  assert_refused(world, elastica_world_relax(world, &without, NULL), ELASTICA_INVALID_ARGUMENT, "rod 0 is a rigid body", "wall");
  assert_true(place_of(body, 2) == 0.3);
  elastica_world_destroy(world);
}

/* A refused block refuses the call, which changes nothing; the next call succeeds. */
TEST(memory_that_runs_out_changes_nothing) {
  memory_ration ration = plenty();
  elastica_world *world = make_rationed_world(&ration);
  elastica_rod *rod = add_held_rod(world, 4, 0.01, 1e7, 0.0, -1.0), *body = add_weight(world, 0.0, -1.0);
  elastica_joint_def def = joint_between(ELASTICA_JOINT_FIXED, rod, body);
  def.first.element = -1, def.first.share = 1.0;
  must(world, elastica_add_joint(world, &def, NULL));
  relax_without_each_block(world, &ration);
  elastica_world_destroy(world);
  assert_int_equal(ration.blocks, 0);
}
