/* Impacts of rods that are nearly rigid, against the mechanics of points: a row of parallel rods transmits momentum and energy, and two
 * crossing rods rebound according to the layer and its damper.
 */
#include "base/target.h"

#include "layered.h"

static const double length = 0.3, radius = 0.02; /* [m] */

/* A bar along one axis with its middle at a place; the impact lasts for many periods of its own vibrations. */
static elastica_rod *add_bar(elastica_world *world, int axis, const double middle[3], double density, const double velocity[3]) {
  enum { N = 7 };
  double speed[3 * (N + 1)];
  elastica_rod *rod;
  DEFAULTS(rod, def);
  def.element_count = N, def.length = length, def.radius = radius, def.density = density, def.youngs_modulus = 1e9;
  for (int a = 0; a < 3; a++) def.start[a] = middle[a] - (a == axis ? 0.5 * length : 0.0), def.direction[a] = a == axis;
  for (int i = 0; i <= N; i++) memcpy(speed + 3 * i, velocity, 3 * sizeof *speed);
  def.velocity = speed;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* Velocity of the centre of mass. */
static void velocity_of(const elastica_rod *rod, double out[3]) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double mass = 0.0;
  for (int a = 0; a < 3; a++) out[a] = 0.0;
  for (int i = 0; i < view->node_count; i++) {
    mass += view->mass[i];
    for (int a = 0; a < 3; a++) out[a] += view->mass[i] * view->velocity[a][i];
  }
  for (int a = 0; a < 3; a++) out[a] /= mass;
}

/* Newton's cradle: equal parallel bars with gaps exchange their velocities one after another. As many bars leave as arrive. */
TEST(a_row_of_rods_hands_momentum_and_energy_on) {
  enum { ROW = 6 };
  const double speed = 0.1, gap = 5e-4;
  for (int pushed = 1; pushed <= 2; pushed++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[ROW];
    for (int r = 0; r < ROW; r++) {
      const double middle[3] = {0.0, r * (2.0 * radius + gap), 0.0}, velocity[3] = {0.0, r < pushed ? speed : 0.0, 0.0};
      rod[r] = add_bar(world, 0, middle, 1000.0, velocity);
    }
    const elastica_contact_def def = layer(9e4);
    elastica_totals before, after;
    must(world, elastica_add_contact(world, NULL, &def, NULL));
    must(world, elastica_world_get_totals(world, &before));
    const double energy = total_energy(world);
    must(world, elastica_world_advance(world, 0.15));
    must(world, elastica_world_get_totals(world, &after));
    for (int a = 0; a < 3; a++) assert_close(after.linear[a], before.linear[a], 1e-14);
    assert_close(total_energy(world), energy, 1e-4 * energy);
    for (int r = 0; r < ROW; r++) {
      double v[3];
      velocity_of(rod[r], v);
      assert_close(v[1], r >= ROW - pushed ? speed : 0.0, 0.02 * speed);
    }
    elastica_world_destroy(world);
  }
}

/* Speed [m/s] after the impact of two points with a reduced mass and a speed of approach: F = (4/3) k sqrt(2 R) eps^1.5 and the damper c
 * deps/dt on the same lines during approach. During separation each point of the line feels max(0, k eps + c deps/dt). R = r1 + r2. */
static double parting_speed(double mass, double k, double c, double speed) {
  const double wide = sqrt(4.0 * radius), dt = 1e-7;
  double eps = 1e-12, rate = speed;
  while (eps > 0.0) {
    const double shown = eps + c / k * rate;
    const double force = rate >= 0.0   ? 4.0 / 3.0 * k * wide * eps * sqrt(eps) + 2.0 * c * wide * sqrt(eps) * rate
                         : shown > 0.0 ? 4.0 / 3.0 * k * wide * shown * sqrt(shown)
                                       : 0.0;
    rate -= dt * force / mass;
    eps += dt * rate;
  }
  return -rate;
}

/* A rod along x and a rod along y; the second falls on the first at an angle. Without friction only the velocities along the normal
 * change, as in a central impact: v1' = v1 + (1 + e) m2/(m1 + m2) (v2 - v1). */
TEST(crossing_rods_part_as_in_a_central_impact) {
  for (int k = 0; k < 4; k++) {
    const double density[2] = {1000.0, k % 2 ? 3000.0 : 1000.0}, damping = k / 2 ? 1e4 : 0.0;
    const double modulus = 5e6, v[2][3] = {{0.02, 0.0, 0.01}, {-0.05, 0.03, -0.09}}, normal = v[0][2] - v[1][2];
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[2];
    double mass[2];
    for (int r = 0; r < 2; r++) {
      const double middle[3] = {0.0, 0.0, r * (2.0 * radius + 1e-5)};
      rod[r] = add_bar(world, r, middle, density[r], v[r]);
      mass[r] = density[r] * 3.14159265358979 * radius * radius * length;
    }
    elastica_contact_def def = layer(modulus);
    elastica_totals before, after;
    def.damping = damping;
    must(world, elastica_add_contact(world, NULL, &def, NULL));
    must(world, elastica_world_get_totals(world, &before));
    must(world, elastica_world_advance(world, 0.03));
    must(world, elastica_world_get_totals(world, &after));
    const double part = parting_speed(mass[0] * mass[1] / (mass[0] + mass[1]), modulus, damping, normal);
    if (damping > 0.0) assert_between(part, 0.3 * normal, 0.9 * normal);
    for (int a = 0; a < 3; a++) assert_close(after.linear[a], before.linear[a], 1e-14);
    for (int r = 0; r < 2; r++) {
      const double change = (normal + part) * mass[1 - r] / (mass[0] + mass[1]);
      double now[3];
      velocity_of(rod[r], now);
      assert_close(now[2], v[r][2] + (r ? change : -change), 0.02 * normal);
      for (int a = 0; a < 2; a++) assert_close(now[a], v[r][a], 0.02 * normal);
    }
    elastica_world_destroy(world);
  }
}
