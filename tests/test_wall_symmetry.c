/* Rods on walls: results do not depend on the place of the scene or on the first element of a ring. */
#include "on_a_wall.h"

#include <math.h>

/* A scene in the laboratory, or the whole scene turned by q. */
typedef struct small_scene {
  sample_rod sample;
  elastica_obstacle_def wall;
  double gravity[3];
} small_scene;

static void make_scene(small_scene *s, elastica_shape obstacle, elastica_friction_limit limit) {
  const double upright[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, lying[9] = {1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0};
  const sample_recipe recipe = usual_recipe();
  int lowest = 0;
  make_sample(&s->sample, 10, 21, &recipe);
  const double *r = s->sample.position;
  for (int j = 1; j < 10; j++)
    if (r[component(j, Z)] + r[component(j + 1, Z)] < r[component(lowest, Z)] + r[component(lowest + 1, Z)]) lowest = j;
  s->wall = rough_floor_def();
  s->wall.shape = obstacle;
  s->wall.friction_limit = limit;
  s->wall.stiffness = 500.0;
  s->wall.radius = 0.1, s->wall.length = 0.4;
  s->gravity[0] = 2.0, s->gravity[1] = 1.0, s->gravity[2] = -9.81;
  for (int a = 0; a < 3; a++) {
    s->wall.edges[a] = 0.2;
    s->wall.position[a] = 0.5 * (r[component(lowest, a)] + r[component(lowest + 1, a)]);
  }
  s->wall.position[2] -= obstacle == ELASTICA_SHAPE_PLANE ? 0.01 : 0.11;
  memcpy(s->wall.director, obstacle == ELASTICA_SHAPE_CYLINDER ? lying : upright, sizeof upright);
}

static void turn_scene(small_scene *s, const double q[9]) {
  for (int i = 0; i <= 10; i++) {
    apply(q, s->sample.position + 3 * i, s->sample.position + 3 * i);
    apply(q, s->sample.velocity + 3 * i, s->sample.velocity + 3 * i);
  }
  for (int k = 0; k < 30; k++) apply(q, s->sample.director + 3 * k, s->sample.director + 3 * k);
  for (int a = 0; a < 3; a++) apply(q, s->wall.director + 3 * a, s->wall.director + 3 * a);
  apply(q, s->wall.position, s->wall.position);
  apply(q, s->gravity, s->gravity);
}

/* The state after 400 steps, and the largest force on the wall in between. */
static double run_scene(const small_scene *s, rod_state *out) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_sample(world, &s->sample);
  must(world, elastica_add_gravity(world, s->gravity, NULL));
  elastica_effect *wall = add_floor(world, rod, &s->wall);
  double force[3], most = 0.0;
  for (int step = 0; step < 400; step++) {
    must(world, elastica_world_step(world, 5e-5, 1));
    must(world, elastica_obstacle_get_force(wall, force, NULL));
    most = fmax(most, norm(force));
  }
  read_state(rod, out);
  elastica_world_destroy(world);
  return most;
}

TEST(turned_scene_moves_as_the_scene) {
  static small_scene scene;
  static rod_state plain, turned;
  const elastica_shape obstacles[3] = {ELASTICA_SHAPE_PLANE, ELASTICA_SHAPE_CYLINDER, ELASTICA_SHAPE_BOX};
  const double phi[3] = {0.7, -1.1, 0.4};
  double q[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  turn_frame_exactly(phi, q);
  for (int k = 0; k < 6; k++) {
    make_scene(&scene, obstacles[k / 2], k % 2 ? ELASTICA_FRICTION_ELLIPTIC : ELASTICA_FRICTION_INDEPENDENT);
    assert_true(run_scene(&scene, &plain) > 1.0); /* rod and wall do touch */
    turn_scene(&scene, q);
    run_scene(&scene, &turned);
    for (int i = 0; i <= 10; i++) {
      apply(q, plain.position + 3 * i, plain.position + 3 * i);
      apply(q, plain.velocity + 3 * i, plain.velocity + 3 * i);
    }
    assert_all_close(turned.position, plain.position, 33, 1e-12);
    assert_all_close(turned.velocity, plain.velocity, 33, 1e-10);
    assert_all_close(turned.omega, plain.omega, 30, 1e-8);
  }
}

/* The same ring, numbered from its element `first` on. */
static void renumber(sample_rod *ring, int first) {
  static sample_rod old;
  const int n = ring->element_count;
  old = *ring;
  for (int j = 0; j < n; j++) {
    const int k = (j + first) % n;
    ring->rest_length[j] = old.rest_length[k];
    ring->radius[j] = old.radius[k];
    memcpy(ring->director + 9 * j, old.director + 9 * k, 9 * sizeof(double));
    for (int a = 0; a < 3; a++) {
      ring->rest_curvature[3 * j + a] = old.rest_curvature[3 * k + a];
      ring->rest_strain[3 * j + a] = old.rest_strain[3 * k + a];
      ring->position[3 * j + a] = old.position[3 * k + a];
      ring->velocity[3 * j + a] = old.velocity[3 * k + a];
      ring->omega[3 * j + a] = old.omega[3 * k + a];
    }
  }
}

/* A ring has no first element: it moves in the same way on a rough plane for any numbering. */
TEST(ring_may_be_counted_from_anywhere) {
  enum { n = 16, shift = 5 };
  static sample_rod ring;
  static rod_state states[2];
  const double gravity[3] = {2.0, 1.0, -9.81};
  for (int limit = 0; limit < 2; limit++) {
    for (int pass = 0; pass < 2; pass++) {
      elastica_world *world = make_world(NULL);
      make_sample_ring(&ring, n, 11);
      if (pass) renumber(&ring, shift);
      elastica_rod *rod = add_sample(world, &ring);
      elastica_obstacle_def def = rough_floor_def();
      def.friction_limit = (elastica_friction_limit)limit;
      def.slip_velocity = 0.1;
      def.position[2] = -0.04; /* the ring is wavy by 0.025 up and down */
      must(world, elastica_add_gravity(world, gravity, NULL));
      add_floor(world, rod, &def);
      must(world, elastica_world_step(world, 2e-5, 200));
      read_state(rod, &states[pass]);
      elastica_world_destroy(world);
    }
    for (int i = 0; i < n; i++) {
      assert_all_close(states[1].position + 3 * i, states[0].position + 3 * ((i + shift) % n), 3, 1e-13);
      assert_all_close(states[1].velocity + 3 * i, states[0].velocity + 3 * ((i + shift) % n), 3, 1e-11);
    }
  }
}

/* ---- A snake ---- */

enum { SNAKE = 20 };

/* The distance of a snake along x in a period, towards its last node [m]. The amplitude of its muscle is symmetric. */
static double slither(double wavenumber, elastica_end head, double ratio) {
  static const double control[6] = {0.0, 20.0, 20.0, 20.0, 20.0, 0.0};
  elastica_totals before, after;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = SNAKE, def.length = 1.0, def.radius = 0.025, def.density = 1e3, def.youngs_modulus = 1e7;
  def.direction[0] = 1.0, def.direction[1] = def.direction[2] = 0.0;
  def.normal[0] = def.normal[1] = 0.0, def.normal[2] = 1.0;
  def.start[2] = def.radius;
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_add_gravity(world, (const double[3]){0.0, 0.0, -9.81}, NULL));
  DEFAULTS(dissipation, damping);
  damping.translation = damping.rotation = 5.0;
  must(world, elastica_add_dissipation(world, rod, &damping, NULL));
  DEFAULTS(obstacle, ground);
  ground.stiffness = 1.0, ground.damping = 1e-6, ground.slip_velocity = 1e-8;
  ground.head = head;
  for (int way = 0; way < 3; way++) {
    const double share = way == 0 ? 1.0 : way == 1 ? ratio : 2.0 * ratio;
    ground.kinetic_friction[way] = 1.0 * share, ground.static_friction[way] = 2.0 * share;
  }
  must(world, elastica_add_obstacle(world, rod, &ground, NULL));
  DEFAULTS(muscle, muscle);
  muscle.control = control, muscle.control_count = 6;
  muscle.period = 1.0, muscle.wavenumber = wavenumber;
  must(world, elastica_add_muscle(world, rod, &muscle, NULL));
  must(world, elastica_world_step(world, 0x1p-14, 1 << 14));
  must(world, elastica_world_get_totals(world, &before));
  must(world, elastica_world_step(world, 0x1p-14, 1 << 14));
  must(world, elastica_world_get_totals(world, &after));
  elastica_world_destroy(world);
  return after.centre[0] - before.centre[0];
}

/* The sign of the wavenumber selects the end towards which the wave drives, `head` the end of least friction: the snake slithers if they
 * agree, and hardly moves otherwise. Numbered from its other end, with a wave and a head of the opposite sign, it is equally fast in the
 * other direction. */
TEST(a_wave_drives_a_snake_towards_the_end_that_its_sign_says) {
  const double k = 2.0 * acos(-1.0);
  const double last = slither(k, ELASTICA_END_LAST, 3.0), first = slither(-k, ELASTICA_END_FIRST, 3.0);
  const double against = slither(k, ELASTICA_END_FIRST, 3.0);
  assert_true(last > 0.5);
  assert_close(first, -last, 1e-9);
  assert_true(fabs(against) < 0.1 * last);
}
