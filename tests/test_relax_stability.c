/* The stability of an equilibrium reported by relaxation, compared with closed forms and with the smallest eigenvalue of a dense matrix
 * of differences.
 */
#include "linearised.h"
#include "relaxed.h"

/* ---- Loads of hooks without declarations --------------------------------------------------------------------------------------------- */

enum { MOST_BONDS = 6 };

/* Springs from nodes to the ground, for one axis each. Magnets with an attraction that grows at smaller distance have a negative
 * stiffness. */
typedef struct bonds {
  int count, node[MOST_BONDS], axis[MOST_BONDS];
  double stiffness[MOST_BONDS], anchor[MOST_BONDS];
  double bound; /* [N/m] declared by add_stiffness for every node */
} bonds;

static elastica_status add_bond_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const bonds *b = self;
  (void)now;
  for (int k = 0; k < b->count; k++)
    loads->force[b->axis[k]][b->node[k]] += b->stiffness[k] * (b->anchor[k] - rod->position[b->axis[k]][b->node[k]]);
  return ELASTICA_OK;
}

static elastica_status bound_bonds(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const bonds *b = self;
  (void)now;
  for (int i = 0; i < rod->node_count; i++) stiffness->node[i] += b->bound;
  return ELASTICA_OK;
}

static void add_bonds(elastica_world *world, elastica_rod *rod, const bonds *b) {
  elastica_module module = module_named("bonds");
  module.self = b;
  module.self_size = sizeof *b;
  module.add_loads = add_bond_loads;
  module.add_stiffness = bound_bonds;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
}

/* One bond across the tip. */
static void hold_tip(elastica_world *world, elastica_rod *rod, double stiffness) {
  bonds b = {2, {0}, {0, 1}, {stiffness, stiffness}, {0.0, 0.0}, fabs(stiffness)};
  b.node[0] = b.node[1] = elastica_rod_get_view(rod)->node_count - 1;
  add_bonds(world, rod, &b);
}

static void add_floor(elastica_world *world, double height, elastica_balance balance) {
  DEFAULTS(obstacle, wall);
  wall.position[0] = height;
  wall.normal[0] = 1.0, wall.normal[2] = 0.0;
  wall.stiffness = 1e6;
  wall.balance = balance;
  must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
}

static elastica_world *make_potential_world(void) {
  elastica_world_def def = default_world();
  def.law = ELASTICA_LAW_CLASSICAL;
  def.exact_couple = 1;
  def.explicit_couples = 1; /* so that linearise() may use the kick */
  return make_world(&def);
}

/* ---- Closed forms -------------------------------------------------------------------------------------------------------------------- */

/* A column of stiffness and length 1, clamped below, under a load along it. */
static elastica_rod *add_column(elastica_world *world, double load) {
  elastica_rod *rod = add_wire(world, 40);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  pull_tip(world, rod, 0.0, 0.0, -load);
  return rod;
}

static int is_stable(elastica_world *world) {
  const elastica_relax_result result = relax(world);
  assert_int_equal(result.undecided, 0);
  return result.stable;
}

/* Euler: pi^2/4. A wall a kilometre away, and stiffness declared by a module without a force, do not change it. */
TEST(declared_bounds_do_not_stabilise_a_column) {
  const double euler = 2.4674011;
  for (int scene = 0; scene < 3; scene++)
    for (int k = 0; k < 4; k++) {
      const double share[4] = {0.5, 0.99, 1.01, 1.3};
      elastica_world *world = make_potential_world();
      elastica_rod *rod = add_column(world, share[k] * euler);
      const bonds nothing = {0, {0}, {0}, {0.0}, {0.0}, 1e6};
      if (scene == 1) add_floor(world, -1000.0, ELASTICA_BALANCE_ELEMENTS);
      if (scene == 2) add_bonds(world, rod, &nothing);
      assert_int_equal(is_stable(world), share[k] < 1.0);
      elastica_world_destroy(world);
    }
}

/* A column with a spring k across its tip, load P = q^2: it buckles sideways at tan q = q (1 - P/k), B = L = 1; for q = 2.2 at k = P/(1
 * - tan(q)/q). */
TEST(spring_across_the_tip_holds_a_column) {
  const double q = 2.2, load = q * q, critical = load / (1.0 - tan(q) / q);
  for (int k = 0; k < 4; k++) {
    const double share[4] = {0.0, 0.97, 1.03, 1e4};
    elastica_world *world = make_potential_world();
    hold_tip(world, add_column(world, load), share[k] * critical);
    assert_int_equal(is_stable(world), share[k] > 1.0);
    elastica_world_destroy(world);
  }
}

/* A magnet beside the tip makes it unstable when its negative stiffness exceeds 3 B/L^3. */
TEST(a_magnet_makes_a_soft_beam_unstable) {
  for (int k = 0; k < 4; k++) {
    const double pull[4] = {0.1, 2.9, 3.1, 3e5};
    elastica_world *world = make_potential_world();
    hold_tip(world, add_column(world, 0.0), -pull[k]);
    assert_int_equal(is_stable(world), pull[k] < 3.0);
    elastica_world_destroy(world);
  }
}

TEST(pendulum_is_stable_hanging) {
  for (int up = 0; up < 2; up++) {
    const double gravity[3] = {0.0, 0.0, up ? -9.81 : 9.81};
    elastica_world *world = make_potential_world();
    pin_node(world, add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e7, 4e6), 0);
    must(world, elastica_add_gravity(world, gravity, NULL));
    assert_int_equal(is_stable(world), !up);
    elastica_world_destroy(world);
  }
}

/* Above Euler's load, too, but with a force that turns with the tip: Beck's column has no static buckling at any load. */
static elastica_status follow(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const double *load = self;
  (void)now;
  for (int a = 0; a < 3; a++) loads->force[a][rod->node_count - 1] -= *load * rod->director[2][a][rod->element_count - 1];
  return ELASTICA_OK;
}

TEST(a_column_under_a_follower_load_is_always_stable) {
  for (double load = 2.0; load < 19.0; load += 5.0) {
    elastica_world *world = make_potential_world();
    elastica_rod *rod = add_column(world, 0.0);
    elastica_module module = module_named("follow");
    module.self = &load;
    module.self_size = sizeof load;
    module.add_loads = follow;
    must(world, elastica_world_add_module(world, rod, &module, NULL));
    const elastica_relax_result result = relax(world);
    assert_true(result.stable || result.undecided);
    if (load < 2.4) assert_true(result.stable); /* below Euler's load, too */
    elastica_world_destroy(world);
  }
}

/* A shaft that a couple in material components twists far: the couple has no potential, and is named. */
TEST(a_couple_that_turns_with_the_tip_is_named) {
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_potential_world();
    elastica_rod *rod = add_column(world, 0.0);
    elastica_effect *twist = NULL;
    DEFAULTS(point_load, load);
    load.couple[2] = k ? 8.0 : 0.5; /* the symmetric part gives way between */
    must(world, elastica_add_point_load(world, rod, &load, &twist));
    const elastica_relax_result result = relax(world);
    assert_int_equal(result.stable, !k);
    assert_int_equal(result.undecided, k);
    assert_ptr_equal(result.undecided_by, k ? twist : NULL);
    elastica_world_destroy(world);
  }
}

/* A rod along z on a floor, held or not. */
TEST(rod_on_a_floor_is_stable) {
  const double gravity[3] = {-9.81, 0.0, 0.0};
  for (int balance = 0; balance < 2; balance++)
    for (int held = 0; held < 2; held++) {
      elastica_world *world = make_potential_world();
      elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.02, 1000.0, 1e6, 4e5);
      add_floor(world, -0.02, (elastica_balance)balance);
      must(world, elastica_add_gravity(world, gravity, NULL));
      if (held) pin_node(world, rod, 0);
      assert_true(is_stable(world));
      elastica_world_destroy(world);
    }
}

/* Beyond Euler's load the floor may or may not support the column: the result is undecided. */
TEST(column_on_a_floor_is_undecided) {
  const double gravity[3] = {-9.81, 0.0, 0.0}, bend = 1e6 * 3.14159265358979324 / 4.0 * 1.6e-7;
  elastica_world *world = make_potential_world();
  elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.02, 1000.0, 1e6, 4e5);
  add_floor(world, -0.02, ELASTICA_BALANCE_NODES);
  must(world, elastica_add_gravity(world, gravity, NULL));
  clamp_first(world, rod, ELASTICA_BOUNDARY_FRAME);
  pull_tip(world, rod, 0.0, 0.0, -3.0 * bend);
  const elastica_relax_result result = relax(world);
  assert_int_equal(result.stable, 0);
  assert_int_equal(result.undecided, 1);
  elastica_world_destroy(world);
}

/* A bent rod on one pin under a weight of a millionth of its stiffness: turns about the pin meet almost no resistance, and rounding decides
 * on their signs; no count is negative. */
TEST(modes_of_a_light_pendulum_are_counted_without_contradiction) {
  enum { ELEMENTS = 4 };
  double position[3 * (ELEMENTS + 1)];
  for (int i = 0; i <= ELEMENTS; i++) {
    const double turn = (double)i / ELEMENTS;
    position[3 * i] = sin(turn), position[3 * i + 1] = 0.2 * (1.0 - cos(turn)), position[3 * i + 2] = 1.0 - cos(turn);
  }
  for (int k = 0; k < 60; k++) {
    const double weight = (1.0 + k % 10) * (k < 20 ? 1e-6 : k < 40 ? 1e-5 : 1e-4), down = k / 10 % 2 == 0 ? -1.0 : 1.0;
    const double gravity[3] = {0.2 * weight, 0.12 * weight, 0.64 * down * weight};
    elastica_world *world = make_world(NULL);
    elastica_rod *rod;
    elastica_relax_result result;
    DEFAULTS(rod, def);
    def.element_count = ELEMENTS, def.position = position, def.rest = ELASTICA_REST_INITIAL;
    def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 3e7;
    must(world, elastica_world_add_rod(world, &def, &rod));
    pin_node(world, rod, 0);
    must(world, elastica_add_gravity(world, gravity, NULL));
    must(world, elastica_world_relax(world, NULL, &result));
    assert_true(result.unstable_modes >= 0 && result.zero_modes >= 0);
    elastica_world_destroy(world);
  }
}

TEST(free_rods_are_stable) {
  elastica_world *world = make_potential_world();
  elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.02, 1000.0, 1e6, 4e5);
  const bonds nothing = {0, {0}, {0}, {0.0}, {0.0}, 0.0};
  assert_true(is_stable(world));
  add_bonds(world, rod, &nothing);
  assert_true(is_stable(world));
  elastica_world_destroy(world);
}

/* ---- Comparison with a dense matrix -------------------------------------------------------------------------------------------------- */

/* Smallest eigenvalue of a symmetric matrix, by Jacobi's rotations; the matrix is overwritten. */
static double smallest_eigenvalue(double *a, int n) {
  for (int sweep = 0; sweep < 30; sweep++)
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        if (fabs(a[p * n + q]) <= 1e-15 * sqrt(fabs(a[p * n + p] * a[q * n + q]))) continue;
        const double half = 0.5 * (a[q * n + q] - a[p * n + p]) / a[p * n + q];
        const double t = (half < 0.0 ? -1.0 : 1.0) / (fabs(half) + sqrt(half * half + 1.0)), c = 1.0 / sqrt(t * t + 1.0), s = t * c;
        for (int k = 0; k < n; k++) {
          const double x = a[k * n + p], y = a[k * n + q];
          a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
        }
        for (int k = 0; k < n; k++) {
          const double x = a[p * n + k], y = a[q * n + k];
          a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
        }
      }
  double least = a[0];
  for (int i = 1; i < n; i++)
    if (a[i * n + i] < least) least = a[i * n + i];
  return least;
}

/* Smallest eigenvalue of the stiffness over inertia of all free unknowns; held[] by unknown as in linear_model. */
static double softest(elastica_rod *rod, const unsigned char *held) {
  static linear_model model;
  static double matrix[LINEARISED_CAPACITY * LINEARISED_CAPACITY];
  int free[LINEARISED_CAPACITY], n = 0;
  linearise(rod, &model);
  for (int i = 0; i < model.count; i++)
    if (!held[i]) free[n++] = i;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      matrix[i * n + j] = 0.5 * (model.matrix[free[i] * model.count + free[j]] + model.matrix[free[j] * model.count + free[i]]);
  return smallest_eigenvalue(matrix, n);
}

/* A straight rod under axial load, held at random unknowns, with springs and magnets; it remains straight, stable or not. */
TEST(random_columns_are_judged_right) {
  int counts[2] = {0, 0};
  for (uint64_t seed = 0; seed < 300; seed++) {
    random_source source = {seed};
    unsigned char held[LINEARISED_CAPACITY] = {0};
    const int n = random_integer(&source, 2, 10), kind = random_integer(&source, 0, 2);
    const double radius = random_between(&source, 0.01, 0.04), bend = 1e6 * 3.14159265 / 4.0 * radius * radius * radius * radius;
    bonds b = {0, {0}, {0}, {0.0}, {0.0}, 1e3};
    elastica_world *world = make_potential_world();
    elastica_rod *rod = add_straight_rod(world, n, 1.0, radius, 1000.0, 1e6, 4e5);
    if (kind < 2) {
      clamp_first(world, rod, (elastica_boundary_kind)kind);
      memset(held, 1, 3);
      if (kind == ELASTICA_BOUNDARY_FRAME) memset(held + 3 * (n + 1), 1, 3);
    } else {
      pin_node(world, rod, 0);
      memset(held, 1, 3);
    }
    pull_tip(world, rod, 0.0, 0.0, bend * random_between(&source, -4.0, 2.0));
    b.count = random_integer(&source, 0, MOST_BONDS);
    for (int k = 0; k < b.count; k++) {
      b.node[k] = random_integer(&source, 1, n);
      b.axis[k] = random_integer(&source, 0, 1);
      b.stiffness[k] = bend * exp(random_between(&source, -2.0, 8.0)) * (random_integer(&source, 0, 3) > 0 ? 1.0 : -0.1);
    }
    add_bonds(world, rod, &b);
    const elastica_relax_result result = relax(world);
    const double least = softest(rod, held);
    if (fabs(least) > 1e-4 * bend / (1000.0 * 3.14159265 * radius * radius)) {
      assert_int_equal(result.undecided, 0);
      assert_int_equal(result.stable, least > 0.0);
      counts[least > 0.0]++;
    }
    elastica_world_destroy(world);
  }
  assert_true(counts[0] >= 60 && counts[1] >= 60);
}

/* Rounding of the stretch stiffness may hide the sign of a bending mode of a very slender rod: then the state is undecided, never stable
 * above Euler's load. Up to a slenderness of 3e5 it hides none at 1 % beside the load. */
TEST(slender_columns_above_their_load_are_never_stable) {
  static const double shares[4] = {0.9, 0.99, 1.01, 1.2}, pi = 3.14159265358979324;
  for (int k = 0; k < 33; k++) {
    const int n = 20 << (k % 3 * 2);
    const double slenderness = pow(10.0, 1.0 + 0.5 * (k / 3)), radius = 1.0 / slenderness, youngs = 2e11;
    for (int p = 0; p < 4; p++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_straight_rod(world, n, 1.0, radius, 7800.0, youngs, youngs / 2.6);
      DEFAULTS(boundary, top);
      DEFAULTS(point_load, load);
      pin_node(world, rod, 0);
      top.kind = ELASTICA_BOUNDARY_PIN, top.node = -1, top.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
      must(world, elastica_add_boundary(world, rod, &top, NULL));
      load.force[2] = -shares[p] * pi * pi * pi * (youngs / 4.0) * pow(radius, 4);
      must(world, elastica_add_point_load(world, rod, &load, NULL));
      const elastica_relax_result result = relax(world);
      const int above = shares[p] > 1.0;
      if (above)
        assert_true(!result.stable && (result.undecided || result.unstable_modes == 2));
      else if (slenderness > 50.0) /* shear lowers the load of stouter ones */
        assert_true(result.unstable_modes == 0 && (result.stable || result.undecided));
      if (slenderness > 50.0 && slenderness < 4e5) assert_true(!result.undecided && result.stable == !above);
      elastica_world_destroy(world);
    }
  }
}

/* ---- Motions without resistance ------------------------------------------------------------------------------------------------------ */

/* Rounding of positions grows with the distance from the origin: the stress that it leaves is no instability. */
TEST(free_rods_far_from_the_origin_have_six_zero_modes) {
  static const int counts[] = {1, 2, 10, 100, 500};
  for (int k = 0; k < 5; k++)
    for (int turn = 0; turn < 6; turn++)
      for (double distance = 0.5; distance < 100.0; distance *= 5.0) {
        elastica_world *world = make_world(NULL);
        elastica_rod *rod = NULL;
        DEFAULTS(rod, def);
        def.element_count = counts[k], def.length = 1.0, def.radius = 0.005, def.density = 7800.0, def.youngs_modulus = 2e11;
        def.start[0] = distance * cos(1.1 * turn), def.start[1] = distance * sin(1.7 * turn), def.start[2] = distance * cos(3.3 * turn);
        def.direction[0] = sin(turn + 1.0), def.direction[1] = cos(2.3 * turn), def.direction[2] = sin(0.7 * turn + 0.2);
        must(world, elastica_world_add_rod(world, &def, &rod));
        const elastica_relax_result result = relax(world);
        assert_int_equal(result.unstable_modes, 0);
        assert_int_equal(result.zero_modes, 6);
        elastica_world_destroy(world);
      }
}

/* A loaded cantilever carries an unloaded ball by a ball joint, or by a hinge: the ball can turn by 3 axes, or by 1. */
TEST(a_body_on_a_joint_of_a_loaded_rod_turns_freely) {
  for (int hinge = 0; hinge < 2; hinge++)
    for (int k = 1; k <= 20; k++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = NULL, *ball = NULL;
      DEFAULTS(rod, def);
      def.element_count = 10, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e7;
      must(world, elastica_world_add_rod(world, &def, &rod));
      DEFAULTS(boundary, clamp);
      must(world, elastica_add_boundary(world, rod, &clamp, NULL));
      DEFAULTS(body, body);
      body.shape = ELASTICA_SHAPE_SPHERE, body.radius = 0.05, body.density = 1000.0, body.position[2] = 1.0;
      must(world, elastica_world_add_body(world, &body, &ball));
      DEFAULTS(joint, joint);
      joint.kind = hinge ? ELASTICA_JOINT_HINGE : ELASTICA_JOINT_BALL;
      joint.first.rod = rod, joint.first.element = -1, joint.first.share = 1.0, joint.second.rod = ball;
      if (hinge) joint.axis[0] = 1.0, joint.axis[1] = joint.axis[2] = 0.0;
      must(world, elastica_add_joint(world, &joint, NULL));
      DEFAULTS(point_load, load);
      load.force[0] = 0.1 * k;
      must(world, elastica_add_point_load(world, rod, &load, NULL));
      const elastica_relax_result result = relax(world);
      assert_int_equal(result.unstable_modes, 0);
      assert_int_equal(result.zero_modes, hinge ? 1 : 3);
      elastica_world_destroy(world);
    }
}

/* The ball joint lies beside the rod and beside the body, at random places: nothing resists the three turns of the body about it. Rounding
 * of the stiff rod may not give them a sign, although the joint is soft. */
TEST(an_unloaded_body_on_arms_of_a_rod_turns_freely) {
  for (uint64_t seed = 0; seed < 400; seed++) {
    random_source source = {seed};
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = NULL, *box = NULL;
    DEFAULTS(rod, def);
    def.element_count = random_integer(&source, 2, 9), def.length = 1.0, def.radius = random_between(&source, 0.01, 0.04);
    def.density = 1000.0, def.youngs_modulus = 8e6;
    for (int a = 0; a < 3; a++) def.direction[a] = random_between(&source, -1.0, 1.0);
    must(world, elastica_world_add_rod(world, &def, &rod));
    clamp_first(world, rod, random_integer(&source, 0, 1) ? ELASTICA_BOUNDARY_CLAMP : ELASTICA_BOUNDARY_FRAME);
    DEFAULTS(body, body);
    body.shape = ELASTICA_SHAPE_BOX, body.density = 1000.0;
    for (int a = 0; a < 3; a++) body.edges[a] = random_between(&source, 0.1, 0.2);
    must(world, elastica_world_add_body(world, &body, &box));
    DEFAULTS(joint, joint);
    joint.first.rod = box, joint.second.rod = rod;
    joint.second.element = random_integer(&source, 0, def.element_count - 1), joint.second.share = random_between(&source, 0.0, 1.0);
    for (int a = 0; a < 3; a++) joint.first.offset[a] = random_between(&source, -0.1, 0.1);
    /* The anchor of the box in the frame of the element. */
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    const int j = joint.second.element;
    double arm[3];
    for (int a = 0; a < 3; a++)
      arm[a] = joint.first.offset[a] - (1.0 - joint.second.share) * view->position[a][j] - joint.second.share * view->position[a][j + 1];
    elastica_rotate_to_material(view, j, arm, joint.second.offset);
    joint.stiffness = exp(random_between(&source, 0.0, 7.0));
    must(world, elastica_add_joint(world, &joint, NULL));
    const elastica_relax_result result = relax(world);
    assert_int_equal(result.undecided, 0);
    assert_int_equal(result.unstable_modes, 0);
    assert_int_equal(result.zero_modes, 3);
    elastica_world_destroy(world);
  }
}

/* A thin rod on a pin at its end, or on a ball joint at the end of a clamped one, without any load: three motions have no stiffness. Most
 * directions are oblique, so that products of stretch with rounded cosines do not cancel exactly. */
TEST(a_thin_rod_without_loads_turns_freely_in_any_direction) {
  enum { N = 10 };
  double shear[3 * N], bend[3 * N];
  random_source source = {17};
  for (int k = 0; k < 60; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[2];
    double end[3] = {0.0, 0.0, 0.0};
    const double stiff = k % 3 == 0 ? 1e6 : k % 3 == 1 ? 1e7 : 1e8;
    for (int j = 0; j < 3 * N; j++) shear[j] = stiff, bend[j] = 1.0;
    for (int r = 0; r < 2; r++) {
      DEFAULTS(rod, def);
      random_vector(&source, 1.0, def.direction);
      for (int a = 0; a < 3; a++) def.start[a] = end[a];
      const double size = sqrt(dot(def.direction, def.direction));
      for (int a = 0; a < 3; a++) end[a] += def.direction[a] / size;
      def.element_count = N, def.length = 1.0, def.radius = 0.01, def.density = 1000.0;
      def.shear_stiffness = shear, def.bend_stiffness = bend;
      must(world, elastica_world_add_rod(world, &def, &rod[r]));
      if (r == 0 && k % 2 == 0) clamp_first(world, rod[0], ELASTICA_BOUNDARY_CLAMP);
      if (k % 2 == 1) pin_node(world, rod[r], 0);
    }
    DEFAULTS(joint, ball);
    ball.kind = ELASTICA_JOINT_BALL, ball.stiffness = 1e5;
    ball.first.rod = rod[0], ball.first.element = -1, ball.first.share = 1.0, ball.second.rod = rod[1];
    if (k % 2 == 0) must(world, elastica_add_joint(world, &ball, NULL));
    const elastica_relax_result result = relax(world);
    assert_int_equal(result.unstable_modes, 0);
    assert_int_equal(result.zero_modes, k % 2 == 0 ? 3 : 6);
    assert_int_equal(result.stable, 1);
    elastica_modes *modes;
    elastica_eigenmode mode;
    must(world, elastica_modes_find(world, NULL, &modes));
    for (int m = 0; m < (k % 2 == 0 ? 3 : 6); m++) {
      must(world, elastica_modes_get(modes, m, &mode));
      assert_close(mode.square, 0.0, 1e-13 * stiff); /* beside 180 of the lowest bending */
    }
    elastica_modes_destroy(modes);
    elastica_world_destroy(world);
  }
}

/* A rod under tension on a ball joint in its middle. The joint resists the three translations; if it is softer than the accuracy of the
 * balance, 1e-6 of the force over the length, they count as free like the turn about the axis. */
TEST(a_support_below_the_accuracy_of_the_balance_is_none) {
  for (int axis = 0; axis < 3; axis++)
    for (int k = 0; k < 4; k++) {
      const int soft = k % 2;
      const double length = k < 2 ? 0.5 : 20.0;
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = NULL;
      DEFAULTS(rod, def);
      def.element_count = 10, def.length = length, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
      def.direction[2] = 0.0, def.direction[axis] = 1.0;
      must(world, elastica_world_add_rod(world, &def, &rod));
      for (int end = -1; end <= 1; end += 2) {
        DEFAULTS(point_load, load);
        load.node = end < 0 ? 0 : -1;
        load.force[axis] = end;
        must(world, elastica_add_point_load(world, rod, &load, NULL));
      }
      DEFAULTS(joint, ball);
      ball.first.rod = rod, ball.first.element = 5, ball.first.share = 0.0;
      ball.stiffness = (soft ? 0.01 : 20.0) * 1e-6 / length;
      must(world, elastica_add_joint(world, &ball, NULL));
      DEFAULTS(relax, accuracy);
      accuracy.tolerance = 1e-6;
      elastica_relax_result result;
      must(world, elastica_world_relax(world, &accuracy, &result));
      assert_int_equal(result.unstable_modes, 0);
      assert_int_equal(result.zero_modes, soft ? 4 : 1);
      elastica_world_destroy(world);
    }
}
