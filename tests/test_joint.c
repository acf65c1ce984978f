/* Claims about joints: action and reaction, forces are the gradient of their energy, equilibria and periods, limits. */
#include "base/target.h"

#include "base/rotation.h"
#include "jointed.h"
#include "measured.h"
#include "scenes.h"

/* ---- Loads ---- */

/* A joint between points beside the axes, at places chosen by the seed; its pose differs from the later state. With even seeds a joint
 * FIXED is at two ends, where half-cells make its stiffness different about each axis. */
static void add_odd_joint(pair *of, elastica_joint_kind kind, uint64_t seed, elastica_joint_def *def) {
  random_source source = {seed};
  *def = joint_of(of, kind);
  for (int k = 0; k < 2; k++) {
    elastica_anchor *anchor = k == 0 ? &def->first : &def->second;
    anchor->element = (int)(seed % 5);
    anchor->share = k == 0 ? 0.25 : 1.0;
    if (kind != ELASTICA_JOINT_SIDE_BY_SIDE) random_vector(&source, 0.05, anchor->offset);
    if (kind == ELASTICA_JOINT_FIXED && seed % 2 == 0) anchor->element = -1 + k, anchor->share = 1.0 - k;
  }
  if (kind == ELASTICA_JOINT_FIXED && seed % 2 == 0) def->angular_stiffness = NAN;
  must(of->world, elastica_add_joint(of->world, def, &of->joint));
}

/* Turns and moves the second rod by large amounts. */
static void disturb(const pair *of, uint64_t seed) {
  rod_state state;
  random_source source = {seed + 77};
  read_state(of->rod[1], &state);
  const int n = elastica_rod_get_view(of->rod[1])->element_count;
  double angle[3], r[9], turned[9], shift[3];
  random_vector(&source, 0.6, angle);
  random_vector(&source, 0.1, shift);
  eli_rotation_exp(angle, r);
  for (int i = 0; i <= n; i++)
    for (int a = 0; a < 3; a++) state.position[component(i, a)] += shift[a];
  for (int j = 0; j < n; j++) {
    eli_matrix_product(r, state.director + 9 * j, turned);
    memcpy(state.director + 9 * j, turned, sizeof turned);
  }
  must(of->world, elastica_rod_set_state(of->rod[1], state.position, NULL, state.director, NULL));
}

/* Sums of the joint's loads over both rods: force, and moment about the origin. */
static void sum_loads(const pair *of, double force[3], double moment[3]) {
  memset(force, 0, 3 * sizeof *force);
  memset(moment, 0, 3 * sizeof *moment);
  for (int k = 0; k < 2; k++) (void)sum_external_loads(elastica_rod_get_view(of->rod[k]), force, moment);
}

TEST(action_and_reaction_are_opposite_in_force_and_couple) {
  for (int kind = ELASTICA_JOINT_BALL; kind <= ELASTICA_JOINT_SIDE_BY_SIDE; kind++)
    for (uint64_t seed = 1; seed <= 20; seed++) {
      pair of = make_pair(seed);
      elastica_joint_def def;
      double force[3], moment[3];
      elastica_joint_info info;
      add_odd_joint(&of, (elastica_joint_kind)kind, seed, &def);
      def.damping = 0.5;
      if (kind == ELASTICA_JOINT_HINGE) def.motor = 0.2, def.least_angle = -0.01, def.most_angle = 0.01;
      must(of.world, elastica_joint_set(of.joint, &def));
      disturb(&of, seed);
      must(of.world, elastica_joint_get(of.joint, &info));
      const double scale = info.stiffness * info.gap;
      must(of.world, elastica_world_evaluate(of.world, 1e-4));
      sum_loads(&of, force, moment);
      for (int a = 0; a < 3; a++) {
        assert_close(force[a], 0.0, 1e-13 * scale);
        assert_close(moment[a], 0.0, 1e-13 * scale);
      }
      elastica_world_destroy(of.world);
    }
}

/* ---- Forces are the gradient of the energy ---- */

/* The energy of the joint after a displacement h of node k along axis a, or a turn h of frame k about axis a. */
static double energy_beside(const pair *of, int rod, int node, int k, int a, double h) {
  rod_state before, state;
  double turn[3] = {0.0, 0.0, 0.0}, r[9], turned[9];
  read_state(of->rod[rod], &before);
  state = before;
  if (node) {
    state.position[component(k, a)] += h;
  } else {
    turn[a] = h;
    eli_rotation_exp(turn, r);
    eli_matrix_product(r, state.director + 9 * k, turned);
    memcpy(state.director + 9 * k, turned, sizeof turned);
  }
  must(of->world, elastica_rod_set_state(of->rod[rod], state.position, NULL, state.director, NULL));
  const double energy = elastica_effect_energy(of->joint);
  must(of->world, elastica_rod_set_state(of->rod[rod], before.position, NULL, before.director, NULL));
  return energy;
}

static void claim_slopes(const pair *of, const char *what) {
  enum { MOST = 3 * (2 * SAMPLE_ELEMENTS + 1) };
  static double loads[2][MOST];
  const double h = 1e-5;
  must(of->world, elastica_world_evaluate(of->world, 0.0));
  for (int rod = 0; rod < 2; rod++) {
    const elastica_rod_view *view = elastica_rod_get_view(of->rod[rod]);
    for (int k = 0; k < view->node_count + view->element_count; k++)
      for (int a = 0; a < 3; a++)
        loads[rod][3 * k + a] = k < view->node_count ? view->external_force[a][k] : view->external_couple[a][k - view->node_count];
  }
  for (int rod = 0; rod < 2; rod++) {
    const elastica_rod_view *view = elastica_rod_get_view(of->rod[rod]);
    for (int k = 0; k < view->node_count + view->element_count; k++)
      for (int a = 0; a < 3; a++) {
        const int node = k < view->node_count, at = node ? k : k - view->node_count;
        const double slope = (energy_beside(of, rod, node, at, a, h) - energy_beside(of, rod, node, at, a, -h)) / (2.0 * h);
        if (!(fabs(loads[rod][3 * k + a] + slope) <= 2e-7))
          fail_msg("%s: load %d, axis %d of rod %d is %g, the slope of the energy %g", what, k, a, rod, loads[rod][3 * k + a], -slope);
      }
  }
}

TEST(loads_are_slopes_of_the_energy) {
  static const char *const names[] = {"ball", "hinge", "fixed", "side by side"};
  for (int kind = ELASTICA_JOINT_BALL; kind <= ELASTICA_JOINT_SIDE_BY_SIDE; kind++)
    for (uint64_t seed = 1; seed <= 3; seed++) {
      pair of = make_pair(seed);
      elastica_joint_def def;
      add_odd_joint(&of, (elastica_joint_kind)kind, seed, &def);
      if (kind == ELASTICA_JOINT_HINGE) def.least_angle = -0.01, def.most_angle = 0.01;
      must(of.world, elastica_joint_set(of.joint, &def));
      disturb(&of, seed);
      claim_slopes(&of, names[kind]);
      elastica_world_destroy(of.world);
    }
}

/* ---- Motion ---- */

/* Two free rods with a joint conserve momentum, and the error of their energy falls with the square of the step. */
static double energy_drift(elastica_joint_kind kind, double dt, elastica_totals change[1]) {
  pair of = make_pair(5);
  elastica_joint_def def;
  elastica_totals first, last;
  double worst = 0.0;
  add_odd_joint(&of, kind, 5, &def);
  must(of.world, elastica_world_get_totals(of.world, &first));
  for (int k = 0; k < 20; k++) {
    must(of.world, elastica_world_step(of.world, dt, (long)(0.002 / dt + 0.5)));
    must(of.world, elastica_world_get_totals(of.world, &last));
    const double now = last.translation + last.rotation + last.bending + last.shear + last.effects;
    const double start = first.translation + first.rotation + first.bending + first.shear + first.effects;
    if (fabs(now - start) / start > worst) worst = fabs(now - start) / start;
  }
  for (int a = 0; a < 3; a++) change->linear[a] = (last.linear[a] - first.linear[a]) / first.mass;
  elastica_world_destroy(of.world);
  return worst;
}

TEST(energy_stays_to_second_order) {
  for (int kind = ELASTICA_JOINT_BALL; kind <= ELASTICA_JOINT_SIDE_BY_SIDE; kind++) {
    elastica_totals change;
    const double coarse = energy_drift((elastica_joint_kind)kind, 1e-4, &change),
                 fine = energy_drift((elastica_joint_kind)kind, 5e-5, &change);
    for (int a = 0; a < 3; a++) assert_close(change.linear[a], 0.0, 1e-13);
    assert_true(coarse < 1e-2);
    assert_true(fine < 0.35 * coarse);
  }
}

/* A rod hangs by a joint from the world: the joint carries its weight, and its gap is that of the ratio force/gap. */
TEST(a_joint_opens_as_far_as_it_was_asked_to) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  elastica_joint_info info;
  elastica_totals all;
  pair of = {make_world(NULL), {NULL, NULL}, NULL};
  of.rod[0] = add_straight_rod(of.world, 10, 1.0, 0.02, 1000.0, 1e7, 4e6);
  must(of.world, elastica_add_gravity(of.world, gravity, NULL));
  must(of.world, elastica_rod_get_totals(of.rod[0], &all));
  DEFAULTS(joint, def);
  def.first.rod = of.rod[0];
  def.first.element = -1, def.first.share = 1.0;
  def.force = all.mass * 9.81;
  def.gap = 1e-4;
  must(of.world, elastica_add_joint(of.world, &def, &of.joint));
  must(of.world, elastica_world_relax(of.world, NULL, NULL));
  must(of.world, elastica_joint_get(of.joint, &info));
  assert_close(info.gap, 1e-4, 1e-8);
  assert_close(info.force[2], -all.mass * 9.81, 1e-4);
  elastica_world_destroy(of.world);
}

/* A stiff rod on a hinge in the world swings as a compound pendulum: T = 2 pi sqrt(I/(m g L/2)), I = m L^2/3 (1 + 1/(2 n^2)) + m r^2/4
 * with masses in n + 1 nodes and rotating elements. */
TEST(a_rod_on_a_hinge_swings_as_a_pendulum) {
  const double gravity[3] = {0.0, 0.0, -9.81}, tilt = 0.02;
  pair of = {make_world(NULL), {NULL, NULL}, NULL};
  DEFAULTS(rod, rod);
  rod.element_count = 10, rod.length = 1.0, rod.radius = 0.05, rod.density = 1000.0, rod.youngs_modulus = 1e8;
  rod.direction[0] = tilt, rod.direction[2] = -1.0;
  must(of.world, elastica_world_add_rod(of.world, &rod, &of.rod[0]));
  must(of.world, elastica_add_gravity(of.world, gravity, NULL));
  DEFAULTS(joint, def);
  def.kind = ELASTICA_JOINT_HINGE;
  def.first.rod = of.rod[0];
  set_vector(def.axis, 0, 0.0, 1.0, 0.0);
  def.stiffness = 1e6, def.angular_stiffness = 1e3;
  must(of.world, elastica_add_joint(of.world, &def, &of.joint));
  const double inertia = (1.0 + 0.005) / 3.0 + 0.05 * 0.05 / 4.0;
  const double period = 2.0 * 3.14159265358979324 * sqrt(2.0 * inertia / 9.81) * (1.0 + tilt * tilt / 16.0);
  must(of.world, elastica_world_advance(of.world, 0.75 * period));
  const elastica_rod_view *view = elastica_rod_get_view(of.rod[0]);
  /* three quarters of a period after the release it passes the vertical; rod and joint deform a little */
  assert_close(view->position[0][10] - view->position[0][0], 0.0, 5e-5);
  elastica_world_destroy(of.world);
}

/* The size of an axis does not matter, even if its square overflows or underflows. */
TEST(a_hinge_takes_an_axis_of_any_size) {
  const double size[5] = {1.0, 1e160, 1e300, 1e-160, 1e-300};
  double couple = 0.0;
  for (int k = 0; k < 5; k++) {
    pair of = make_pair(4);
    elastica_joint_def def = joint_of(&of, ELASTICA_JOINT_HINGE);
    elastica_joint_info info;
    set_vector(def.axis, 0, 0.6 * size[k], 0.0, 0.8 * size[k]);
    must(of.world, elastica_add_joint(of.world, &def, &of.joint));
    disturb(&of, 3);
    must(of.world, elastica_joint_get(of.joint, &info));
    if (k == 0) couple = norm(info.couple);
    assert_true(couple > 0.0);
    assert_close(norm(info.couple), couple, 1e-12 * couple);
    elastica_world_destroy(of.world);
  }
}

/* Any torque, without limits, to either side. */
TEST(a_motor_turns_its_hinge) {
  for (int k = -5; k <= 5; k++) {
    const double motor = 0.01 * k;
    pair of = {make_world(NULL), {NULL, NULL}, NULL};
    for (int r = 0; r < 2; r++) of.rod[r] = add_straight_rod(of.world, 5, 0.5, 0.02, 1000.0, 1e7, 4e6);
    DEFAULTS(joint, def);
    def.kind = ELASTICA_JOINT_HINGE;
    def.first.rod = of.rod[0], def.second.rod = of.rod[1];
    set_vector(def.axis, 0, 1.0, 0.0, 0.0);
    def.stiffness = 1e4, def.angular_stiffness = 2.0;
    def.motor = motor;
    must(of.world, elastica_add_joint(of.world, &def, &of.joint));
    must(of.world, elastica_world_evaluate(of.world, 0.0));
    for (int r = 0; r < 2; r++) {
      const elastica_rod_view *view = elastica_rod_get_view(of.rod[r]);
      double couple = 0.0;
      for (int a = 0; a < 3; a++) couple += view->director[a][0][0] * view->external_couple[a][0];
      assert_close(couple, r ? motor : -motor, 1e-15);
    }
    elastica_world_destroy(of.world);
  }
}

TEST(a_limit_turns_a_hinge_back) {
  elastica_joint_info info;
  double most = -10.0;
  pair of = {make_world(NULL), {NULL, NULL}, NULL};
  for (int k = 0; k < 2; k++) of.rod[k] = add_straight_rod(of.world, 5, 0.5, 0.02, 1000.0, 1e7, 4e6);
  DEFAULTS(joint, def);
  def.kind = ELASTICA_JOINT_HINGE;
  def.first.rod = of.rod[0], def.second.rod = of.rod[1];
  set_vector(def.axis, 0, 1.0, 0.0, 0.0);
  def.stiffness = 1e4, def.angular_stiffness = 2.0;
  def.least_angle = -3.0, def.most_angle = 0.3;
  def.motor = 0.01;
  def.damping = 0.2;
  must(of.world, elastica_add_joint(of.world, &def, &of.joint));
  for (int k = 0; k < 200; k++) {
    must(of.world, elastica_world_advance(of.world, 0.01));
    must(of.world, elastica_joint_get(of.joint, &info));
    if (info.turn > most) most = info.turn;
  }
  assert_true(most > 0.3);
  assert_true(most < 0.45);
  elastica_world_destroy(of.world);
}

/* ---- Step limit ---- */

/* Moves the second rod until the first nodes of both have a distance of a micrometre. */
static void bring_together(const pair *of) {
  rod_state state, other;
  read_state(of->rod[0], &other);
  read_state(of->rod[1], &state);
  for (int a = 0; a < 3; a++) {
    const double shift = other.position[a] - state.position[a] + (a == 0 ? 1e-6 : 0.0);
    for (int i = 0; i < elastica_rod_get_view(of->rod[1])->node_count; i++) state.position[component(i, a)] += shift;
  }
  must(of->world, elastica_rod_set_state(of->rod[1], state.position, NULL, NULL, NULL));
}

/* Two light points on a stiff spring: the certified step is that of the pair, 2/sqrt(k (1/m1 + 1/m2)), but for the stiffness of the
 * rods. A gap as long as an element would fail: such a spring moves the nodes by more than an element in a step. */
TEST(the_step_limit_is_that_of_the_pair) {
  elastica_joint_info info;
  elastica_step_limit limit;
  for (int kind = ELASTICA_JOINT_BALL; kind <= ELASTICA_JOINT_SIDE_BY_SIDE; kind++) {
    pair of = make_pair(3);
    elastica_joint_def def = joint_of(&of, (elastica_joint_kind)kind);
    def.stiffness = 1e9;
    bring_together(&of);
    must(of.world, elastica_add_joint(of.world, &def, &of.joint));
    must(of.world, elastica_joint_get(of.joint, &info));
    must(of.world, elastica_world_step_limit(of.world, &limit));
    assert_true(limit.effect == of.joint && limit.mode == ELASTICA_MODE_EFFECT);
    assert_close(limit.dt, info.dt, 1e-12 * limit.dt);
    must(of.world, elastica_world_step(of.world, 0.99 * limit.dt, 2000));
    elastica_world_destroy(of.world);
  }
}

/* With offsets, which contribute by their rotation, and on rods softer or stiffer than the joint: the step equals the limit of the joint
 * if the joint is decisive, and never exceeds that of the elements. */
TEST(the_step_of_a_joint_counts_its_levers_and_its_rods) {
  for (int k = 0; k < 16; k++) {
    pair of = {make_conservative_world(), {NULL, NULL}, NULL};
    elastica_joint_info info;
    elastica_step_limit limit;
    for (int r = 0; r < 2; r++)
      of.rod[r] = add_straight_rod(of.world, 1 + 3 * (k & 1), 0.4, 0.02, 1000.0, k & 2 ? 1e8 : 1e5, k & 2 ? 4e7 : 4e4);
    DEFAULTS(joint, def);
    def.kind = k & 4 ? ELASTICA_JOINT_FIXED : ELASTICA_JOINT_BALL;
    def.first.rod = of.rod[0], def.second.rod = of.rod[1];
    def.first.share = 1.0, def.first.element = -1;
    def.stiffness = k & 8 ? 1e7 : 1e4;
    if (k & 4) def.angular_stiffness = 10.0;
    if (k & 8) def.first.offset[0] = 0.02, def.second.offset[0] = -0.02;
    must(of.world, elastica_add_joint(of.world, &def, &of.joint));
    must(of.world, elastica_joint_get(of.joint, &info));
    must(of.world, elastica_world_step_limit(of.world, &limit));
    if (!(info.dt >= limit.dt * (1.0 - 1e-12))) fail_msg("%d: %g s of a joint, %g s of the world", k, info.dt, limit.dt);
    if (limit.effect == of.joint) assert_close(info.dt, limit.dt, 1e-12 * limit.dt);
    elastica_world_destroy(of.world);
  }
}

/* A corner of two round rods: the limit is the same for any directions d1, d2 of their sections. */
TEST(the_step_of_a_corner_does_not_depend_on_the_names_of_axes) {
  double first = 0.0;
  for (int k = 0; k < 9; k++) {
    const double turn[2] = {0.4 * (k % 3), 0.7 * (k / 3)};
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[2];
    elastica_effect *effect;
    elastica_joint_info info;
    for (int r = 0; r < 2; r++) {
      DEFAULTS(rod, def);
      const double bend[3] = {r ? 40.0 : 70.0, r ? 40.0 : 70.0, r ? 20.0 : 50.0};
      def.element_count = 1, def.length = 0.4, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e5, def.bend_stiffness = bend;
      set_vector(def.start, 0, 0.0, 0.0, r ? 0.4 : 0.0);
      set_vector(def.direction, 0, r ? 0.8 : 0.0, 0.0, r ? 0.6 : 1.0);
      set_vector(def.normal, 0, (r ? -0.6 : 1.0) * cos(turn[r]), sin(turn[r]), r ? 0.8 * cos(turn[r]) : 0.0);
      must(world, elastica_world_add_rod(world, &def, &rod[r]));
    }
    DEFAULTS(joint, def);
    def.kind = ELASTICA_JOINT_FIXED;
    def.first.rod = rod[0], def.first.element = -1, def.first.share = 1.0;
    def.second.rod = rod[1];
    def.stiffness = 100.0, def.angular_stiffness = 1e3;
    must(world, elastica_add_joint(world, &def, &effect));
    must(world, elastica_joint_get(effect, &info));
    if (k == 0) first = info.dt;
    assert_close(info.dt / first, 1.0, 1e-9);
    elastica_world_destroy(world);
  }
}

/* Two equal rods along z, one behind the other with a gap between them, that move in opposite directions along x, and a damped joint of
 * their ends. */
static elastica_world *make_gap(double gap, double damping, elastica_rod *rod[2]) {
  elastica_world *world = make_conservative_world();
  for (int side = 0; side < 2; side++) {
    double velocity[33] = {0}, position[33] = {0};
    rod[side] = add_straight_rod(world, 10, 0.1, 0.002, 1000.0, 1e6, 0.4e6);
    for (int i = 0; i <= 10; i++) {
      velocity[component(i, X)] = side ? 0.01 : -0.01;
      position[component(i, Z)] = 0.01 * i + (side ? 0.1 + gap : 0.0);
    }
    must(world, elastica_rod_set_state(rod[side], position, velocity, NULL, NULL));
  }
  DEFAULTS(joint, def);
  def.first = (elastica_anchor){.rod = rod[0], .element = -1, .share = 1.0};
  def.second = (elastica_anchor){.rod = rod[1]};
  def.stiffness = 1.0;
  def.damping = damping;
  must(world, elastica_add_joint(world, &def, NULL));
  return world;
}

/* The dashpot of the joint acts in the middle of the gap, with a lever of half the gap for both rods: initially at rest, they gain no
 * more energy than that of the spring. */
TEST(a_damped_joint_closes_a_wide_gap_without_gaining) {
  static const double gap[] = {0.005, 0.02, 0.05}, damping[] = {0.2, 0.5, 1.0};
  for (int k = 0; k < 9; k++) {
    elastica_rod *rod[2];
    elastica_world *world = make_gap(gap[k % 3], damping[k / 3], rod);
    const double first = total_energy(world);
    double most = first;
    for (int piece = 0; piece < 200; piece++) {
      must(world, elastica_world_advance(world, 1e-3));
      if (total_energy(world) > most) most = total_energy(world);
    }
    assert_true(most <= first * (1.0 + 1e-4));
    elastica_world_destroy(world);
  }
}

/* Half a turn about y exchanges the two rods, and so their motions stay: the levers of the dashpot are equal. */
TEST(rods_on_both_sides_of_a_damped_gap_move_alike) {
  const double gap = 0.05;
  elastica_rod *rod[2];
  elastica_world *world = make_gap(gap, 1.0, rod);
  must(world, elastica_world_advance(world, 0.02));
  const elastica_rod_view *one = elastica_rod_get_view(rod[0]), *other = elastica_rod_get_view(rod[1]);
  assert_true(one->position[X][10] - one->position[X][0] > 1e-5); /* bent by the dashpot */
  for (int i = 0; i <= 10; i++) {
    assert_close(one->position[X][i], -other->position[X][10 - i], 1e-13);
    assert_close(one->position[Z][i], 0.2 + gap - other->position[Z][10 - i], 1e-13);
  }
  elastica_world_destroy(world);
}

/* Two balls at one place with an axis in the laboratory: the second turns about it alone, with its spin, and the first feels nothing: the
 * laboratory takes the reaction. */
TEST(an_axis_in_the_laboratory_holds_the_second_body_alone) {
  const double spin[3] = {0.4, -0.3, 2.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *ball[2];
  for (int k = 0; k < 2; k++) {
    DEFAULTS(body, def);
    def.radius = 0.1, def.mass = 2.0;
    memcpy(def.omega, spin, sizeof spin);
    must(world, elastica_world_add_body(world, &def, &ball[k]));
  }
  DEFAULTS(joint, hinge);
  hinge.kind = ELASTICA_JOINT_HINGE, hinge.axis_in_world = 1;
  hinge.first.rod = ball[0], hinge.second.rod = ball[1];
  hinge.axis[0] = hinge.axis[1] = 0.0, hinge.axis[2] = 1.0;
  hinge.stiffness = 100.0, hinge.angular_stiffness = 50.0, hinge.damping = 0.5;
  must(world, elastica_add_joint(world, &hinge, NULL));
  must(world, elastica_world_advance(world, 0.5));
  elastica_body_info now[2];
  for (int k = 0; k < 2; k++) must(world, elastica_body_get(ball[k], &now[k]));
  for (int a = 0; a < 3; a++) {
    assert_close(now[0].omega[a], spin[a], 1e-12);
    assert_close(now[1].omega[a], a == 2 ? spin[2] : 0.0, 1e-6);
    assert_close(now[1].director[6 + a], a == 2 ? 1.0 : 0.0, 1e-8);
  }
  elastica_world_destroy(world);
}
