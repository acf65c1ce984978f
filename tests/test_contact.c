/* Claims about contact between rods: forces are the gradient of its energy, pairs conserve momentum, friction is continuous from element
 * to element, and the rules of groups. */
#include "base/target.h"

#include "scenes.h"
#include "layered.h"

enum { N = 10 };

/* ---- Scenes ---- */

/* Units of the scenes. */
static double metre = 1.0, kilogram = 1.0, second = 1.0;

typedef struct crossing {
  elastica_world *world;
  elastica_rod *rod[2];
  elastica_effect *contact;
} crossing;

static void change_units(elastica_rod_def *rod, double *position, double *velocity, double *omega, double *radius, double *length) {
  const int uneven = rod->element_radius != NULL;
  for (int i = 0; i < 3 * (N + 1); i++) position[i] *= metre, velocity[i] *= metre / second;
  for (int j = 0; j < 3 * N; j++) omega[j] /= second;
  for (int j = 0; j < N && uneven; j++) radius[j] *= metre, length[j] *= metre;
  rod->radius *= metre;
  rod->density *= kilogram / (metre * metre * metre), rod->youngs_modulus *= kilogram / (metre * second * second);
}

/* Two bent rods with kinks in motion; their middles are near each other. In every third case they run side by side, in every second they
 * are uneven in radius and stretch. */
static void make_crossing(crossing *of, const elastica_contact_def *def, uint64_t seed) {
  random_source source = {seed};
  double along[2][3], position[3 * (N + 1)], velocity[3 * (N + 1)], omega[3 * N], radius[N], length[N];
  of->world = make_world(NULL);
  for (int k = 0; k < 2; k++) {
    double centre[3], bend[3];
    random_vector(&source, 1.0, along[k]);
    if (k == 1 && seed % 3 == 0)
      for (int a = 0; a < 3; a++) along[1][a] = along[0][a] + 0.1 * along[1][a];
    const double size = norm(along[k]);
    random_vector(&source, 0.04, centre);
    random_vector(&source, 1.0, bend);
    for (int i = 0; i <= N; i++)
      for (int a = 0; a < 3; a++) {
        const double s = 0.05 * (i - 0.5 * N);
        position[3 * i + a] = centre[a] + along[k][a] / size * s + bend[a] * s * s + random_between(&source, -2e-3, 2e-3);
      }
    for (int i = 0; i <= N; i++) random_vector(&source, 0.2, velocity + 3 * i);
    for (int j = 0; j < N; j++) random_vector(&source, 2.0, omega + 3 * j);
    DEFAULTS(rod, rod);
    rod.element_count = N, rod.position = position, rod.velocity = velocity, rod.omega = omega, rod.rest = ELASTICA_REST_INITIAL;
    for (int j = 0; j < N && seed % 2 == 0; j++) {
      const double *p = position + 3 * j, edge[3] = {p[3] - p[0], p[4] - p[1], p[5] - p[2]};
      radius[j] = random_between(&source, 0.027, 0.033);
      length[j] = norm(edge) * random_between(&source, 0.9, 1.1);
      rod.element_radius = radius, rod.rest_length = length;
    }
    rod.radius = 0.03, rod.density = 1000.0, rod.youngs_modulus = 1e6;
    change_units(&rod, position, velocity, omega, radius, length);
    must(of->world, elastica_world_add_rod(of->world, &rod, &of->rod[k]));
  }
  must(of->world, elastica_add_contact(of->world, NULL, def, &of->contact));
}

/* ---- Units ---- */

static long run_in_units(uint64_t seed, double duration, rod_state state[2]) {
  const double pressure = kilogram / (metre * second * second);
  crossing of;
  elastica_contact_def def = layer(1e6 * pressure);
  def.damping = 20.0 * pressure * second, def.friction = 0.4, def.tangential_damping = 10.0 * pressure * second;
  int count;
  make_crossing(&of, &def, seed);
  const double depth = deepest(of.contact, &count);
  if (depth > 0.0 && depth < 0.006 * metre) must(of.world, elastica_world_advance(of.world, duration * second));
  const long steps = elastica_world_get(of.world).step_count;
  for (int k = 0; k < 2; k++) {
    read_state(of.rod[k], &state[k]);
    for (int i = 0; i < 3 * (N + 1); i++) state[k].position[i] /= metre, state[k].velocity[i] *= second / metre;
    for (int j = 0; j < 3 * N; j++) state[k].omega[j] *= second;
  }
  elastica_world_destroy(of.world);
  return steps;
}

/* Scaling by a power of two rounds no number differently. */
TEST(units_of_powers_of_two_change_no_bit) {
  const double units[3][3] = {{0x1p10, 1.0, 1.0}, {0x1p-9, 0x1p30, 0x1p-12}, {0x1p12, 0x1p-20, 0x1p7}};
  int seen = 0;
  for (uint64_t seed = 1; seen < 6; seed++) {
    static rod_state plain[2], scaled[2];
    const long steps = run_in_units(seed, 0x1p-8, plain);
    if (steps == 0) continue;
    seen++;
    for (int k = 0; k < 3; k++) {
      metre = units[k][0], kilogram = units[k][1], second = units[k][2];
      const long also = run_in_units(seed, 0x1p-8, scaled);
      metre = kilogram = second = 1.0;
      assert_int_equal(also, steps);
      for (int r = 0; r < 2; r++) {
        assert_all_close(scaled[r].position, plain[r].position, 3 * (N + 1), 0.0);
        assert_all_close(scaled[r].velocity, plain[r].velocity, 3 * (N + 1), 0.0);
        assert_all_close(scaled[r].director, plain[r].director, 9 * N, 0.0);
        assert_all_close(scaled[r].omega, plain[r].omega, 3 * N, 0.0);
      }
    }
  }
}

/* ---- Forces ---- */

/* Holds below a depth of 0.3 radii, kinks and ends included, and for elements of any radius and stretch. At a kink between different
 * elements the radii of the closest points on both sides differ a little, an error of second order. */
TEST(forces_are_the_slope_of_the_energy) {
  int seen = 0;
  for (uint64_t seed = 1; seed <= 600; seed++) {
    crossing of;
    elastica_contact_def def = layer(1e6);
    int count;
    def.self = 0;
    make_crossing(&of, &def, seed);
    const double depth = deepest(of.contact, &count);
    if (depth > 0.0 && depth < 0.009) {
      double load[2][3 * (N + 1)], size = 0.0;
      must(of.world, elastica_world_evaluate(of.world, 0.0));
      for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3 * (N + 1); i++) {
          load[k][i] = elastica_rod_get_view(of.rod[k])->external_force[i % 3][i / 3];
          if (fabs(load[k][i]) > size) size = fabs(load[k][i]);
        }
      for (int k = 0; k < 2; k++) {
        rod_state base;
        read_state(of.rod[k], &base);
        for (int i = 0; i < 3 * (N + 1); i++) {
          const double h = 1e-7, there = base.position[i];
          double energy[2];
          for (int side = 0; side < 2; side++) {
            base.position[i] = there + (side ? h : -h);
            must(of.world, elastica_rod_set_state(of.rod[k], base.position, NULL, NULL, NULL));
            energy[side] = elastica_effect_energy(of.contact);
          }
          base.position[i] = there;
          must(of.world, elastica_rod_set_state(of.rod[k], base.position, NULL, NULL, NULL));
          assert_close(load[k][i], -(energy[1] - energy[0]) / (2.0 * h), (seed % 2 ? 2e-4 : 2e-3) * size);
        }
      }
      seen++;
    }
    elastica_world_destroy(of.world);
  }
  assert_true(seen > 20);
}

/* Force and moment of all contacts, friction with its history included, divided by the sum of the sizes of their terms. */
static double resultant(const crossing *of) {
  double force[3] = {0.0, 0.0, 0.0}, moment[3] = {0.0, 0.0, 0.0}, size = 1e-300;
  for (int k = 0; k < 2; k++) size += sum_external_loads(elastica_rod_get_view(of->rod[k]), force, moment);
  return (norm(force) + norm(moment)) / size;
}

TEST(momentum_of_rough_pairs_stays) {
  int seen = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    crossing of;
    elastica_contact_def def = layer(1e5);
    int count;
    def.friction = 0.5, def.damping = 20.0, def.tangential_damping = 20.0;
    make_crossing(&of, &def, seed);
    elastica_totals before, after;
    if (deepest(of.contact, &count) > 0.5 * 0.03) { /* deeper pairs begin to pass through each other */
      elastica_world_destroy(of.world);
      continue;
    }
    must(of.world, elastica_world_get_totals(of.world, &before));
    must(of.world, elastica_world_step(of.world, 1e-6, 100));
    must(of.world, elastica_world_get_totals(of.world, &after));
    for (int a = 0; a < 3; a++) assert_close(after.linear[a], before.linear[a], 1e-13);
    must(of.world, elastica_world_evaluate(of.world, 1e-6));
    deepest(of.contact, &count);
    seen += count > 0;
    assert_close(resultant(&of), 0.0, 1e-14);
    elastica_world_destroy(of.world);
  }
  assert_true(seen > 30);
}

/* Two rods cross at a right angle: to leading order (4/3) k sqrt(2 (r1 + r2)) eps^1.5. A short rod along a long rod: k eps per length of
 * the short rod, its two half balls included. */
TEST(law_of_a_crossing_and_of_two_that_lie_side_by_side) {
  for (int parallel = 0; parallel < 2; parallel++) {
    elastica_world *world = make_world(NULL);
    const double radius = 0.02, depth = 1e-4, k = 1e6;
    for (int r = 0; r < 2; r++) {
      DEFAULTS(rod, def);
      def.element_count = 7, def.length = r == 1 && parallel ? 0.6 : 1.0, def.radius = radius, def.density = 1000.0,
      def.youngs_modulus = 1e6;
      const int axis = r == 1 && !parallel;
      def.direction[2] = 0.0, def.direction[axis] = 1.0;
      def.start[axis] = -0.5 * def.length, def.start[2] = r * (2.0 * radius - depth);
      must(world, elastica_world_add_rod(world, &def, NULL));
    }
    const elastica_contact_def def = layer(k);
    elastica_effect *contact;
    must(world, elastica_add_contact(world, NULL, &def, &contact));
    must(world, elastica_world_evaluate(world, 0.0));
    double force = 0.0;
    for (int i = 0; i <= 7; i++) force += elastica_rod_get_view(elastica_world_rod(world, 1))->external_force[2][i];
    const double length = 0.6 + 4.0 / 3.0 * radius;
    const double expected = parallel ? k * depth * length : 4.0 / 3.0 * k * sqrt(4.0 * radius) * pow(depth, 1.5);
    assert_close(force, expected, 2e-3 * expected);
    elastica_world_destroy(world);
  }
}

/* ---- Friction ---- */

typedef struct track {
  double place[3], axis; /* [m] initial place of a node; 1 for the nodes of the drawn rod */
} track;

/* Moves along x at 1 m/s. */
static elastica_status draw(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const track *of = user;
  static const double along_x[9] = {0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0},
                      along_y[9] = {0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
  for (int a = 0; a < 3; a++) {
    position[a] = of->place[a] + (a == 0 ? of->axis * time : 0.0);
    velocity[a] = a == 0 ? of->axis : 0.0;
    omega[a] = 0.0;
  }
  memcpy(director, of->axis > 0.0 ? along_x : along_y, sizeof along_x);
  return ELASTICA_OK;
}

/* A rod along x is drawn, with prescribed nodes and frames, across another rod along y. Over 20 of its elements friction is mu N to
 * rounding, and N is constant up to the roundings of the law. */
TEST(friction_passes_from_element_to_element) {
  enum { LONG = 40 };
  static track tracks[2][LONG + 1];
  elastica_world *world = make_world(NULL);
  elastica_rod *rod[2];
  for (int k = 0; k < 2; k++) {
    DEFAULTS(rod, def);
    const int n = k ? 3 : LONG;
    def.element_count = n, def.length = k ? 0.3 : 1.0, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
    def.direction[2] = 0.0, def.direction[k] = 1.0;
    def.start[k] = k ? -0.15 : -0.8, def.start[2] = k * 0.0198;
    def.normal[0] = def.normal[1] = 0.0, def.normal[2] = 1.0;
    must(world, elastica_world_add_rod(world, &def, &rod[k]));
    for (int i = 0; i <= n; i++) {
      DEFAULTS(boundary, pin);
      track *of = &tracks[k][i];
      for (int a = 0; a < 3; a++) of->place[a] = elastica_rod_get_view(rod[k])->position[a][i];
      of->axis = k == 0;
      pin.node = i, pin.motion = draw, pin.user = of, pin.kind = i < n ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_PIN,
      pin.element = i < n ? i : 0;
      must(world, elastica_add_boundary(world, rod[k], &pin, NULL));
    }
  }
  elastica_contact_def def = layer(1e6);
  elastica_effect *contact;
  def.friction = 0.3;
  must(world, elastica_add_contact(world, NULL, &def, &contact));
  double first = 0.0;
  for (int k = 0; k < 500; k++) {
    elastica_contact_point point[16];
    double tangential[3] = {0.0, 0.0, 0.0}, normal = 0.0;
    int count;
    must(world, elastica_world_step(world, 1e-5, 100));
    must(world, elastica_contact_get(contact, point, 16, &count));
    assert_true(count > 0 && count <= 4);
    for (int p = 0; p < count; p++) {
      normal += point[p].force;
      for (int a = 0; a < 3; a++) tangential[a] += point[p].tangential[a];
    }
    if (k == 0) first = normal;
    assert_close(normal, first, 1e-3 * first);
    assert_close(tangential[0], -0.3 * normal, 1e-3 * normal);
    assert_close(tangential[1], 0.0, 1e-3 * normal);
  }
  elastica_world_destroy(world);
}

/* ---- Balls ---- */

/* A world of two balls: only the future contact bounds the step. */
TEST(a_ball_that_falls_on_another_bounces) {
  elastica_world *world = make_world(NULL);
  elastica_rod *ball[2];
  for (int k = 0; k < 2; k++) {
    DEFAULTS(body, def);
    def.radius = 0.05, def.density = 1000.0, def.position[2] = 0.6 * k;
    must(world, elastica_world_add_body(world, &def, &ball[k]));
  }
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  must(world, elastica_add_boundary(world, ball[0], &pin, NULL));
  const elastica_contact_def def = layer(1e6);
  must(world, elastica_add_gravity(world, (const double[3]){0.0, 0.0, -9.81}, NULL));
  must(world, elastica_add_contact(world, NULL, &def, NULL));
  const elastica_rod_view *view = elastica_rod_get_view(ball[1]);
  double lowest = INFINITY;
  must(world, elastica_world_advance(world, 0.3));
  for (int k = 0; k < 3400; k++) {
    must(world, elastica_world_advance(world, 1e-4));
    lowest = fmin(lowest, view->position[2][0]);
  }
  assert_true(lowest < 0.1 && lowest > 0.09);
  assert_close(view->position[2][0], 0.6, 1e-3); /* back at its height after 2 sqrt(2 0.5 m/g) = 0.639 s plus the time of contact */
  elastica_world_destroy(world);
}

/* ---- Groups and pairs ---- */

TEST(groups_joints_and_neighbours_pass) {
  for (int group = 0; group < 3; group++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[2];
    elastica_effect *contact;
    for (int r = 0; r < 2; r++) {
      DEFAULTS(rod, def);
      def.element_count = 8, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
      def.direction[2] = 0.0, def.direction[r] = 1.0, def.contact_group = r;
      must(world, elastica_world_add_rod(world, &def, &rod[r]));
    }
    elastica_contact_def def = layer(1e6);
    int count;
    def.first_group = group == 2 ? ELASTICA_EVERY_GROUP : group, def.second_group = group == 2 ? ELASTICA_EVERY_GROUP : 0;
    must(world, elastica_add_contact(world, NULL, &def, &contact));
    must(world, elastica_contact_get(contact, NULL, 0, &count));
    assert_true(group == 0 ? count == 0 : count > 0); /* 0 with 0, 1 with 0, all */
    DEFAULTS(joint, joint);
    joint.first.rod = rod[0], joint.second.rod = rod[1];
    must(world, elastica_add_joint(world, &joint, NULL));
    must(world, elastica_contact_set(contact, &def));
    must(world, elastica_contact_get(contact, NULL, 0, &count));
    assert_int_equal(count, 0); /* they touch only next to their joint */
    elastica_world_destroy(world);
  }
}

static int count_of(elastica_effect *contact) {
  int count;
  must(elastica_effect_get(contact).world, elastica_contact_get(contact, NULL, 0, &count));
  return count;
}

/* Seven rods cross in one point. Joints between them, added in several orders, part all pairs. */
TEST(joints_in_any_order_part_their_pairs) {
  enum { STARS = 7, PAIRS = STARS * (STARS - 1) / 2 };
  static const int steps[4] = {1, PAIRS - 1, 5, 8}; /* no common divisor with PAIRS */
  int pair[PAIRS][2], count = 0;
  for (int r = 0; r < STARS; r++)
    for (int other = r + 1; other < STARS; other++) pair[count][0] = r, pair[count++][1] = other;
  for (int k = 0; k < 4; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[STARS];
    elastica_effect *contact;
    for (int r = 0; r < STARS; r++) {
      const double along[3] = {cos(0.4 * r), sin(0.4 * r), 0.2 * r};
      DEFAULTS(rod, def);
      def.element_count = 4, def.length = 0.4, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
      for (int a = 0; a < 3; a++) def.direction[a] = along[a], def.start[a] = -0.2 * along[a] / norm(along);
      must(world, elastica_world_add_rod(world, &def, &rod[r]));
    }
    elastica_contact_def def = layer(1e4);
    def.skip_length = 0.1;
    must(world, elastica_add_contact(world, NULL, &def, &contact));
    for (int j = 0; j < PAIRS; j++) {
      assert_true(count_of(contact) > 0);
      const int *of = pair[j * steps[k] % PAIRS];
      DEFAULTS(joint, joint);
      joint.first.rod = rod[of[k % 2]], joint.second.rod = rod[of[1 - k % 2]];
      joint.first.element = joint.second.element = 2;
      must(world, elastica_add_joint(world, &joint, NULL));
    }
    assert_int_equal(count_of(contact), 0);
    elastica_world_destroy(world);
  }
}

/* Two rings cross at the node at which each of them begins: a joint there parts their last elements, too. */
TEST(a_joint_where_rings_begin_parts_their_ends) {
  enum { MANY = 24 };
  elastica_world *world = make_world(NULL);
  elastica_rod *ring[2];
  elastica_effect *contact;
  for (int r = 0; r < 2; r++) {
    double position[3 * MANY];
    for (int i = 0; i < MANY; i++) {
      const double angle = 6.28318530717958648 * i / MANY, along = 0.2 * sin(angle), aside = 0.2 * (1.0 - cos(angle));
      set_vector(position, i, r ? 0.0 : along, r ? along : 0.0, r ? -aside : aside);
    }
    DEFAULTS(rod, def);
    def.element_count = MANY, def.closed = 1, def.position = position;
    def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
    must(world, elastica_world_add_rod(world, &def, &ring[r]));
  }
  const elastica_contact_def def = layer(1e4);
  must(world, elastica_add_contact(world, NULL, &def, &contact));
  assert_true(count_of(contact) > 0);
  DEFAULTS(joint, joint);
  joint.first.rod = ring[0], joint.second.rod = ring[1];
  must(world, elastica_add_joint(world, &joint, NULL));
  assert_int_equal(count_of(contact), 0);
  elastica_world_destroy(world);
}

/* Single elements of length 1 with decreasing radius overlap by a tenth of their radius, crossing or side by side. */
TEST(slender_pairs_keep_their_moments) {
  random_source source = {4242};
  for (int k = 0; k < rounds(200); k++) {
    const double r = pow(10.0, random_between(&source, -5.0, -2.0)), angle = k % 2 ? 0.5 * r : random_between(&source, 0.1, 3.0);
    elastica_effect *contact = NULL;
    elastica_world *world = make_world(NULL);
    double force = 0.0, sum[3] = {0.0, 0.0, 0.0}, moment[3] = {0.0, 0.0, 0.0};
    for (int b = 0; b < 2; b++) {
      DEFAULTS(rod, rod);
      rod.element_count = 1, rod.length = 1.0, rod.radius = r, rod.density = 1000.0, rod.youngs_modulus = 1e7;
      rod.direction[0] = b ? cos(angle) : 1.0, rod.direction[1] = b ? sin(angle) : 0.0, rod.direction[2] = 0.0;
      for (int a = 0; a < 2; a++) rod.start[a] = -0.5 * rod.direction[a] + (a == 0 ? random_between(&source, -0.2, 0.2) : 0.0);
      rod.start[2] = b * 1.9 * r;
      must(world, elastica_world_add_rod(world, &rod, NULL));
    }
    DEFAULTS(contact, def);
    def.modulus = 1e5;
    must(world, elastica_add_contact(world, NULL, &def, &contact));
    must(world, elastica_world_evaluate(world, 0.0));
    for (int b = 0; b < 2; b++) {
      const elastica_rod_view *rod = elastica_rod_get_view(elastica_world_rod(world, b));
      for (int i = 0; i < 2; i++) {
        double place[3], load[3], turn[3];
        for (int a = 0; a < 3; a++) place[a] = rod->position[a][i], load[a] = rod->external_force[a][i], sum[a] += load[a];
        cross(place, load, turn);
        for (int a = 0; a < 3; a++) moment[a] += turn[a];
        force += norm(load);
      }
    }
    assert_true(force > 0.0);
    assert_between(norm(sum) / force, 0.0, 1e-14);
    assert_between(norm(moment) / force, 0.0, 1e-14);
    elastica_world_destroy(world);
  }
}

/* ---- Steps that are taken back ---- */

static elastica_status ask_for_checks(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)rod;
  loads->check_again = *(const int *)self && now->step % 5 == 3;
  return ELASTICA_OK;
}

static elastica_status couple_nothing(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  (void)self, (void)now, (void)loads;
  return ELASTICA_OK;
}

/* Two rods that stick and slide on two others, or move above them without contact. asks 1: steps are taken back for limit checks. */
static uint64_t hash_of_crossing(double gap, int asks) {
  elastica_world *world = make_world(NULL);
  elastica_rod *first = NULL;
  for (int k = 0; k < 4; k++) {
    elastica_rod *rod = NULL;
    double velocity[3 * 9] = {0.0};
    DEFAULTS(rod, def);
    for (int i = 0; i <= 8; i++) velocity[3 * i] = k > 1 ? 0.02 : 0.0;
    def.element_count = 8, def.length = 0.4, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
    def.start[2] = k / 2 * (0.0395 + gap);
    def.direction[0] = k > 1 ? 0.0 : 1.0, def.direction[1] = k > 1, def.direction[2] = 0.0;
    if (k < 2) def.start[1] = 0.05 + 0.25 * (k % 2), def.start[0] = 0.0;
    if (k > 1) def.start[0] = 0.05 + 0.25 * (k % 2), def.start[1] = 0.0;
    def.velocity = velocity;
    must(world, elastica_world_add_rod(world, &def, &rod));
    if (first == NULL) first = rod;
  }
  must(world, elastica_add_gravity(world, (const double[]){0.0, 0.0, -9.81}, NULL));
  DEFAULTS(contact, contact);
  contact.modulus = 1e5, contact.friction = 0.3;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  elastica_module module = module_named("checks");
  module.self = &asks;
  module.add_loads = ask_for_checks;
  module.stateless = 1;
  must(world, elastica_world_add_module(world, first, &module, NULL));
  elastica_module couples = module_named("couples"); /* the world does not sleep */
  couples.add_world_loads = couple_nothing;
  must(world, elastica_world_add_module(world, NULL, &couples, NULL));
  must(world, elastica_world_step(world, 2e-5, 300));
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

/* A step that is taken back, and repeated, has the friction of its first attempt, also while there is none. */
TEST(a_step_that_is_taken_back_keeps_its_friction) {
  for (int apart = 0; apart < 2; apart++) assert_true(hash_of_crossing(0.5 * apart, 0) == hash_of_crossing(0.5 * apart, 1));
}
