/* Walls that balance nodes, with any spring and damper: impacts do not rebound, no node passes the surface, and a node below it rises
 * with at most the energy of its spring. Stiffness and damping are given as k dt^2/m and gamma dt/m of a node.
 */
#include "on_a_wall.h"

#include <math.h>

enum { N = 10, STIFFNESSES = 9, DAMPINGS = 4 };

static const double dt = 1e-5, stiffness[STIFFNESSES] = {0.0, 1e-6, 1e-3, 0.1, 0.5, 1.0, 4.0, 100.0, 1e6},
                    damping[DAMPINGS] = {0.0, 0.1, 1.0, 50.0};

static elastica_obstacle_def def_of(int k, int g) {
  elastica_obstacle_def def = floor_def();
  const double m = 1.0 / N; /* of an inner node */
  def.stiffness = stiffness[k] * m / (dt * dt);
  def.damping = damping[g] * m / dt;
  def.balance = ELASTICA_BALANCE_NODES;
  return def;
}

static elastica_rod *lay_moving_rod(elastica_world *world, double gap, const double velocity[3], double tilt) {
  double v[3 * (N + 1)], p[3 * (N + 1)];
  elastica_rod *rod = lay_rod(world, N, gap);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int i = 0; i <= N; i++) {
    for (int a = 0; a < 3; a++) v[3 * i + a] = velocity[a], p[3 * i + a] = view->position[a][i];
    const double s = p[3 * i];
    p[component(i, X)] = s * cos(tilt), p[component(i, Z)] += s * sin(tilt);
  }
  const double Q[9] = {0.0, 1.0, 0.0, -sin(tilt), 0.0, cos(tilt), cos(tilt), 0.0, sin(tilt)};
  double frames[9 * N];
  for (int j = 0; j < N; j++) memcpy(frames + 9 * j, Q, sizeof Q);
  must(world, elastica_rod_set_state(rod, p, v, frames, NULL));
  return rod;
}

/* A rod that falls flat ends on the surface, in the step in which it would pass the surface. */
TEST(flat_impact_ends_on_the_surface) {
  const double down[3] = {0.0, 0.0, -3.0};
  for (int k = 0; k < STIFFNESSES; k++) {
    for (int g = 0; g < DAMPINGS; g++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = lay_moving_rod(world, 3e-3, down, 0.0);
      const elastica_rod_view *view = elastica_rod_get_view(rod);
      const elastica_obstacle_def def = def_of(k, g);
      add_floor(world, rod, &def);
      for (int s = 0; s < 150; s++) {
        must(world, elastica_world_step(world, dt, 1));
        for (int i = 0; i <= N; i++) {
          assert_true(view->velocity[2][i] <= 1e-9);
          assert_true(view->position[2][i] >= 0.025 - 1e-12);
        }
      }
      for (int i = 0; i <= N; i++) assert_close(view->velocity[2][i], 0.0, 1e-9);
      for (int i = 0; i <= N; i++) assert_between(view->position[2][i], 0.025 - 1e-12, 0.025 + 0.5 * 3.0 * dt + 1e-12);
      elastica_world_destroy(world);
    }
  }
}

/* Without gravity a rod that starts below the surface leaves with at most the energy of its spring. */
TEST(buried_rod_leaves_with_the_energy_of_its_spring_at_most) {
  const double rest[3] = {0.0, 0.0, 0.0}, depth = 1e-3;
  for (int k = 0; k < STIFFNESSES; k++) {
    for (int g = 0; g < DAMPINGS; g++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = lay_moving_rod(world, -depth, rest, 0.0);
      const elastica_obstacle_def def = def_of(k, g);
      add_floor(world, rod, &def);
      const double spring = 0.5 * N * def.stiffness * depth * depth;
      for (int s = 0; s < 40; s++) {
        must(world, elastica_world_step(world, dt, 10));
        assert_true(mechanical_energy(world) <= spring * (1.0 + 1e-9) + 1e-18); /* [J] rounding of positions */
      }
      elastica_world_destroy(world);
    }
  }
}

TEST(rod_at_rest_stays) {
  const double rest[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < STIFFNESSES; k++) {
    for (int g = 0; g < DAMPINGS; g++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = lay_moving_rod(world, 0.0, rest, 0.0);
      const elastica_obstacle_def def = def_of(k, g);
      add_weight(world);
      add_floor(world, rod, &def);
      must(world, elastica_world_step(world, dt, 300));
      for (int i = 0; i <= N; i++) {
        assert_close(elastica_rod_get_view(rod)->position[2][i], 0.025, 1e-15);
        assert_close(elastica_rod_get_view(rod)->velocity[2][i], 0.0, 1e-15);
      }
      elastica_world_destroy(world);
    }
  }
}

/* Steps chosen by the library, a stiff spring, a strong damper. */
TEST(resting_rod_is_not_thrown) {
  const double rest[3] = {0.0, 0.0, 0.0};
  for (double gamma = 1e3; gamma < 1e5; gamma *= 4.0) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = lay_moving_rod(world, 0.0, rest, 0.0);
    elastica_obstacle_def def = def_of(0, 0);
    def.stiffness = 1e5;
    def.damping = gamma;
    add_weight(world);
    add_floor(world, rod, &def);
    must(world, elastica_world_advance(world, 0.2));
    for (int i = 0; i <= N; i++) assert_close(elastica_rod_get_view(rod)->position[2][i], 0.025, 1e-12);
    elastica_world_destroy(world);
  }
}

/* Oblique impacts of tilted rods, with spin if friction acts: energy only decreases, and no node passes the surface. */
TEST(oblique_impacts_take_energy) {
  const double velocity[3] = {1.0, 2.0, -2.0};
  for (int k = 0; k < STIFFNESSES; k++) {
    for (int rough = 0; rough < 2; rough++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = lay_moving_rod(world, 1e-3, velocity, 0.1);
      const elastica_rod_view *view = elastica_rod_get_view(rod);
      elastica_obstacle_def def = def_of(k, 1);
      double omega[3 * N] = {0.0};
      for (int j = 0; j < N && rough; j++) omega[component(j, Z)] = 60.0; /* [rad/s] about the rod's axis */
      must(world, elastica_rod_set_state(rod, NULL, NULL, NULL, omega));
      for (int a = 0; a < 3 && rough; a++) def.static_friction[a] = 0.5, def.kinetic_friction[a] = 0.3;
      def.slip_velocity = 1e-6;
      add_floor(world, rod, &def);
      const double start = mechanical_energy(world), wave_speed = sqrt(1e6 * acos(-1.0) * 0.025 * 0.025);
      double least = 0.0, most = 0.0;
      for (int s = 0; s < 3000; s++) {
        must(world, elastica_world_step(world, dt, 1));
        if (s % 20 == 0) most = fmax(most, mechanical_energy(world));
        for (int i = 0; i <= N; i++) least = fmin(least, view->position[2][i] - 0.025);
      }
      assert_true(most <= start * (1.0 + 1e-4));
      assert_true(least >= -0.5 * 0.025 * 3.0 / wave_speed); /* the radius follows axial strain: speed over wave speed */
      elastica_world_destroy(world);
    }
  }
}

/* The spring of walls that balance elements has a potential as long as radii are constant: the rod is moved and turned as a whole. No
 * other load acts. */
TEST(spring_of_elements_has_a_potential) {
  const double rest[3] = {0.0, 0.0, 0.0};
  double energy[2], torque[2];
  for (int way = 0; way < 2; way++) { /* deeper, or turned about y through the origin */
    const double h = 1e-7;
    double force[3], couple[3];
    for (int side = 0; side < 3; side++) {
      const double step = (side - 1) * h;
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = lay_moving_rod(world, -1e-3 - (way == 0 ? step : 0.0), rest, way == 1 ? 1e-3 + step : 1e-3);
      elastica_obstacle_def def = def_of(2, 0);
      def.balance = ELASTICA_BALANCE_ELEMENTS;
      elastica_effect *wall = add_floor(world, rod, &def);
      if (side != 1) energy[side / 2] = elastica_effect_energy(wall);
      must(world, elastica_world_step(world, 1e-9, 1));
      if (side == 1) must(world, elastica_obstacle_get_force(wall, force, couple));
      elastica_world_destroy(world);
    }
    torque[0] = (energy[1] - energy[0]) / (2.0 * h);
    torque[1] = way == 0 ? -force[2] : couple[1] * -1.0;
    assert_close(fabs(torque[0] / torque[1]), 1.0, 1e-3);
  }
}

TEST(walls_that_balance_nodes_have_no_potential_and_bound_no_step) {
  const double rest[3] = {0.0, 0.0, 0.0};
  elastica_step_limit free_rod, on_floor;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_moving_rod(world, -1e-3, rest, 0.0);
  const elastica_obstacle_def def = def_of(STIFFNESSES - 1, DAMPINGS - 1);
  must(world, elastica_world_step_limit(world, &free_rod));
  elastica_effect *wall = add_floor(world, rod, &def);
  must(world, elastica_world_step_limit(world, &on_floor));
  assert_close(on_floor.dt, free_rod.dt, 0.0);
  assert_close(elastica_effect_energy(wall), 0.0, 0.0);
  elastica_world_destroy(world);
}

TEST(walls_balance_nodes_by_default) {
  DEFAULTS(obstacle, def);
  assert_int_equal(def.balance, ELASTICA_BALANCE_NODES);
}

/* A rod slowed by drag has the same impact: the wall includes the rate of the kick. */
TEST(impact_with_drag_ends_on_the_surface) {
  const double down[3] = {0.0, 0.0, -3.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = lay_moving_rod(world, 2e-3, down, 0.0);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const elastica_obstacle_def def = def_of(0, 0);
  DEFAULTS(dissipation, dissipation);
  dissipation.translation = 200.0; /* rate times step: 0.002 */
  must(world, elastica_add_dissipation(world, rod, &dissipation, NULL));
  add_floor(world, rod, &def);
  for (int s = 0; s < 150; s++) {
    must(world, elastica_world_step(world, dt, 1));
    for (int i = 0; i <= N; i++) assert_true(view->position[2][i] >= 0.025 - 1e-12 && view->velocity[2][i] <= 1e-9);
  }
  for (int i = 0; i <= N; i++) assert_close(view->velocity[2][i], 0.0, 1e-9);
  elastica_world_destroy(world);
}

/* Bodies that fall on edges or curved solids, or upright: the sum of kinetic, elastic and gravitational energy never rises. */
typedef struct fall {
  const char *name;
  elastica_shape obstacle;
  double friction, upright, speed; /* [m/s] downwards */
} fall;

static const fall falls[] = {{"across a box", ELASTICA_SHAPE_BOX, 0.8, 0.0, 0.0},
                             {"across a box without friction", ELASTICA_SHAPE_BOX, 0.0, 0.0, 0.0},
                             {"across a cylinder", ELASTICA_SHAPE_CYLINDER, 0.0, 0.0, 0.0},
                             {"on a ball", ELASTICA_SHAPE_SPHERE, 0.0, 0.0, 0.5},
                             {"upright on the floor", ELASTICA_SHAPE_PLANE, 0.0, 1.0, 3.0}};

static elastica_world *make_fall(const fall *f, elastica_rod **rod) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  double velocity[3 * 21];
  elastica_world *world = make_world(NULL);
  DEFAULTS(rod, def);
  DEFAULTS(obstacle, wall);
  def.element_count = 20;
  def.length = 0.4, def.radius = 0.01;
  def.density = 1000.0, def.youngs_modulus = 1e6;
  def.direction[0] = 1.0 - f->upright, def.direction[2] = f->upright;
  def.start[0] = f->upright > 0.0 ? 0.0 : -0.195, def.start[2] = f->upright > 0.0 ? 0.015 : 0.0105;
  must(world, elastica_world_add_rod(world, &def, rod));
  for (int i = 0; i < 63; i++) velocity[i] = i % 3 == 2 ? -f->speed : 0.0;
  must(world, elastica_rod_set_state(*rod, NULL, velocity, NULL, NULL));
  wall.shape = f->obstacle;
  wall.edges[0] = wall.edges[1] = wall.edges[2] = 0.2;
  wall.radius = 0.1, wall.length = 1.0;
  wall.position[2] = f->obstacle == ELASTICA_SHAPE_PLANE ? 0.0 : -0.1;
  if (f->obstacle == ELASTICA_SHAPE_CYLINDER) wall.normal[1] = 1.0, wall.normal[2] = 0.0;
  wall.stiffness = 1e4, wall.damping = 0.5, wall.slip_velocity = 1e-4;
  for (int a = 0; a < 3; a++) wall.static_friction[a] = wall.kinetic_friction[a] = f->friction;
  must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
  return world;
}

TEST(falls_gain_no_energy) {
  for (size_t k = 0; k < sizeof falls / sizeof *falls; k++) {
    elastica_rod *rod = NULL;
    elastica_world *world = make_fall(&falls[k], &rod);
    const double start = total_energy(world), scale = 0.126 * 9.81 * 0.2; /* m g L/2 [J] */
    for (int s = 0; s < 100; s++) {
      must(world, elastica_world_advance(world, 0.01));
      if (total_energy(world) > start + 0.01 * scale) fail_msg("%s: %g J from %g J", falls[k].name, total_energy(world), start);
    }
    elastica_world_destroy(world);
  }
}

/* A rod with dissipation that lies across a box comes to rest. */
TEST(damped_rod_rests_on_a_box) {
  elastica_rod *rod = NULL;
  elastica_world *world = make_fall(&falls[0], &rod);
  elastica_totals energy;
  DEFAULTS(dissipation, calm);
  calm.translation = 2.0;
  must(world, elastica_add_dissipation(world, NULL, &calm, NULL));
  must(world, elastica_world_advance(world, 3.0));
  must(world, elastica_world_get_totals(world, &energy));
  assert_between(energy.translation, 0.0, 5e-5); /* 7e-3 J if the spring adds energy for a depth reached without work */
  elastica_world_destroy(world);
}
