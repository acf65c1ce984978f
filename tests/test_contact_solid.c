/* Claims about contact of rods, balls and capsules with bodies that are boxes or cylinders: pairs conserve momentum, forces equal those
 * of an elastic obstacle of the same shape, and results do not depend on threads or the division into calls. */
#include "base/target.h"

#include "bodies.h"

#include <stdlib.h>

static elastica_contact_def layer(double modulus, double friction) {
  DEFAULTS(contact, def);
  def.modulus = modulus, def.friction = friction;
  return def;
}

static elastica_rod *add_solid(elastica_world *world, elastica_shape shape, double mass, uint64_t seed) {
  random_source source = {seed};
  elastica_body_def def = default_body(shape);
  double phi[3];
  def.mass = mass;
  def.radius = 0.1, def.length = 0.25;
  def.edges[0] = 0.2, def.edges[1] = 0.3, def.edges[2] = 0.25;
  random_vector(&source, 2.0, phi);
  memcpy(def.director, unit_frame, sizeof def.director);
  turn_frame(phi, def.director);
  random_vector(&source, 2.0, def.omega);
  return add_body(world, &def);
}

/* Throws a ring that spins about its axis. */
static elastica_rod *throw_ring(elastica_world *world, const double from[3], double speed) {
  enum { N = 12 };
  const double radius = 0.1, spin = 8.0;
  double position[3 * N], velocity[3 * N];
  elastica_rod *ring = NULL;
  DEFAULTS(rod, def);
  for (int i = 0; i < N; i++) {
    const double angle = 2.0 * acos(-1.0) * i / N, x = radius * cos(angle), y = radius * sin(angle), away[3] = {x, y, 0.0};
    const double turning[3] = {-spin * y, spin * x, 0.0};
    for (int a = 0; a < 3; a++) {
      position[3 * i + a] = from[a] + away[a];
      velocity[3 * i + a] = turning[a] - speed * from[a] / 0.4;
    }
  }
  def.element_count = N, def.closed = 1, def.position = position, def.velocity = velocity, def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e7;
  must(world, elastica_world_add_rod(world, &def, &ring));
  return ring;
}

/* Throws a rod, a ball, a capsule or a ring at the body from a random side. */
static elastica_rod *throw_at_it(elastica_world *world, int kind, double speed, uint64_t seed) {
  random_source source = {seed + 1000};
  double from[3], along[3];
  random_vector(&source, 1.0, from);
  random_vector(&source, 1.0, along);
  const double far = norm(from), long_ = norm(along);
  for (int a = 0; a < 3; a++) from[a] *= 0.4 / far, along[a] /= long_;
  if (kind == 3) return throw_ring(world, from, speed);
  if (kind > 0) {
    elastica_body_def def = default_body(kind == 1 ? ELASTICA_SHAPE_SPHERE : ELASTICA_SHAPE_CAPSULE);
    def.radius = 0.04, def.length = 0.1, def.mass = 0.3;
    for (int a = 0; a < 3; a++) def.position[a] = from[a], def.velocity[a] = -speed * from[a] / 0.4;
    def.omega[0] = 3.0, def.omega[2] = 5.0;
    return add_body(world, &def);
  }
  enum { N = 6 };
  double velocity[3 * (N + 1)];
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = N, def.length = 0.4, def.radius = 0.03, def.density = 1000.0, def.youngs_modulus = 1e7;
  for (int a = 0; a < 3; a++) def.start[a] = from[a] - 0.2 * along[a], def.direction[a] = along[a];
  for (int i = 0; i <= N; i++)
    for (int a = 0; a < 3; a++) velocity[3 * i + a] = -speed * from[a] / 0.4;
  def.velocity = velocity;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static double energy_of(elastica_world *world) {
  double sum = 0.0;
  for (elastica_rod *rod = next_rod(world, NULL); rod; rod = next_rod(world, rod)) {
    elastica_totals energy;
    must(world, elastica_rod_get_totals(rod, &energy));
    sum += energy.translation + energy.rotation + energy.bending + energy.shear;
  }
  for (elastica_effect *of = next_effect(world, NULL); of; of = next_effect(world, of)) sum += elastica_effect_energy(of);
  return sum;
}

/* The largest entry of the sum of all forces [N] and of their moments about the origin [N m], divided by the largest of these forces. */
static double resultant(elastica_world *world, double dt) {
  double force[3] = {0.0}, moment[3] = {0.0}, most = 0.0, largest = 1e-300;
  must(world, elastica_world_evaluate(world, dt));
  for (elastica_rod *rod = next_rod(world, NULL); rod; rod = next_rod(world, rod)) {
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int i = 0; i < view->node_count; i++) {
      const double f[3] = {view->external_force[0][i], view->external_force[1][i], view->external_force[2][i]};
      const double arm[3] = {view->position[0][i], view->position[1][i], view->position[2][i]};
      double turned[3];
      if (norm(f) > largest) largest = norm(f);
      cross(arm, f, turned);
      for (int a = 0; a < 3; a++) force[a] += f[a], moment[a] += turned[a];
    }
    for (int j = 0; j < view->element_count; j++) {
      const double couple[3] = {view->external_couple[0][j], view->external_couple[1][j], view->external_couple[2][j]};
      double turned[3];
      elastica_rotate_to_laboratory(view, j, couple, turned);
      for (int a = 0; a < 3; a++) moment[a] += turned[a];
    }
  }
  for (int a = 0; a < 3; a++) {
    if (fabs(force[a]) > most) most = fabs(force[a]);
    if (fabs(moment[a]) > most) most = fabs(moment[a]);
  }
  return most / largest;
}

/* Things thrown at each other in space, with friction and damping: forces and moments are opposite to rounding. Without friction and
 * damping energy is conserved. */
static void claim_collision(int kind, elastica_shape shape, uint64_t seed, int rough) {
  elastica_world *world = make_world(NULL);
  elastica_contact_def def = layer(1e5, rough ? 0.5 : 0.0);
  elastica_effect *contact = NULL;
  elastica_totals before, after;
  int most = 0;
  if (rough) def.damping = 20.0, def.tangential_damping = 10.0;
  add_solid(world, shape, 1.5, seed);
  throw_at_it(world, kind, 2.0, seed);
  must(world, elastica_add_contact(world, NULL, &def, &contact));
  must(world, elastica_world_get_totals(world, &before));
  const double energy = energy_of(world);
  double off = 0.0;
  for (int k = 0; k < 150; k++) {
    int count = 0;
    must(world, elastica_world_step(world, 2e-5, 100));
    must(world, elastica_contact_get(contact, NULL, 0, &count));
    if (count > most) most = count;
    if (count > 0) assert_close(resultant(world, 1e-5), 0.0, 1e-12);
    const double change = fabs(energy_of(world) - energy);
    if (change > off) off = change;
  }
  must(world, elastica_world_get_totals(world, &after));
  assert_true(most > 0);
  for (int a = 0; a < 3; a++) assert_close(after.linear[a], before.linear[a], 1e-12);
  if (!rough && !(off <= 1e-3 * energy))
    fail_msg("kind %d, shape %d, seed %d: energy errs by %g", kind, (int)shape, (int)seed, off / energy);
  if (rough && !(energy_of(world) < energy * (1.0 - 1e-4))) fail_msg("friction took nothing");
  elastica_world_destroy(world);
}

TEST(a_pair_keeps_momentum_and_energy) {
  for (int kind = 0; kind < 4; kind++)
    for (int shape = ELASTICA_SHAPE_CYLINDER; shape <= ELASTICA_SHAPE_BOX; shape++)
      for (uint64_t seed = 1; seed <= (uint64_t)rounds(4); seed++)
        for (int rough = 0; rough < 2; rough++) claim_collision(kind, (elastica_shape)shape, seed, rough);
}

/* Adds a ring that moves towards the origin and overlaps a body there with one or two of its elements: those beside node 0, turned by this
 * number of nodes. */
static elastica_rod *press_ring(elastica_world *world, int n, double turn) {
  double position[3 * 32], velocity[3 * 32];
  elastica_rod *ring = NULL;
  DEFAULTS(rod, def);
  for (int i = 0; i < n; i++) {
    const double angle = 2.0 * acos(-1.0) * (i + turn) / n;
    position[3 * i] = 0.03 * cos(angle) - 0.0546, position[3 * i + 1] = 0.03 * sin(angle), position[3 * i + 2] = 0.0;
    velocity[3 * i] = 0.5, velocity[3 * i + 1] = 0.1, velocity[3 * i + 2] = 0.0;
  }
  def.element_count = n, def.closed = 1, def.position = position, def.velocity = velocity, def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.005, def.density = 1000.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &ring));
  return ring;
}

/* A ring touches a body in the same way with each of its elements, also with its closing one: neither force nor motion depends on the
 * number of the element, and the pair keeps momentum and energy. */
static void claim_no_numbering(elastica_shape shape, double part, int rough) {
  enum { N = 12 };
  double force[3] = {0.0}, velocity[3] = {0.0};
  for (int turn = 0; turn < N; turn++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def def = default_body(shape);
    elastica_contact_def law = layer(1e5, rough ? 0.5 : 0.0);
    elastica_totals before, after;
    def.radius = 0.02, def.length = 0.1, def.density = 1000.0;
    def.edges[0] = def.edges[1] = 0.04, def.edges[2] = 0.1;
    elastica_rod *body = add_body(world, &def);
    press_ring(world, N, turn + part);
    if (rough) law.damping = 20.0, law.tangential_damping = 10.0;
    must(world, elastica_add_contact(world, NULL, &law, NULL));
    assert_close(resultant(world, 1e-6), 0.0, 1e-13);
    must(world, elastica_world_evaluate(world, 0.0));
    const elastica_rod_view *view = elastica_rod_get_view(body);
    for (int a = 0; a < 3; a++) {
      if (turn == 0) force[a] = view->external_force[a][0];
      assert_close(view->external_force[a][0], force[a], 1e-10 * norm(force));
    }
    must(world, elastica_world_get_totals(world, &before));
    const double energy = energy_of(world);
    must(world, elastica_world_step(world, 2e-6, 3000));
    assert_close(resultant(world, 1e-6), 0.0, 1e-12);
    must(world, elastica_world_get_totals(world, &after));
    for (int a = 0; a < 3; a++) {
      if (turn == 0) velocity[a] = view->velocity[a][0];
      assert_close(after.linear[a], before.linear[a], 1e-12 * norm(before.linear));
      assert_close(view->velocity[a][0], velocity[a], 1e-9 * norm(velocity));
    }
    if (!rough) assert_close(energy_of(world), energy, 1e-4 * energy);
    elastica_world_destroy(world);
  }
}

TEST(a_ring_touches_with_each_of_its_elements) {
  for (int shape = ELASTICA_SHAPE_SPHERE; shape <= ELASTICA_SHAPE_BOX; shape++)
    for (int half = 0; half < 2; half++)
      for (int rough = 0; rough < 2; rough++) claim_no_numbering((elastica_shape)shape, 0.5 * half, rough);
}

/* Friction with a spin about the normal: the pair may be added in either order. */
static void claim_no_order(int kind, elastica_shape shape, uint64_t seed) {
  elastica_world *world[2];
  elastica_rod *thrown[2];
  elastica_rod *solid[2];
  int touches = 0;
  for (int k = 0; k < 2; k++) {
    elastica_contact_def def = layer(1e6, 0.5);
    elastica_effect *contact = NULL;
    def.damping = 20.0, def.tangential_damping = 10.0;
    world[k] = make_world(NULL);
    if (k == 0) solid[k] = add_solid(world[k], shape, 1.5, seed);
    thrown[k] = throw_at_it(world[k], kind, 1.0, seed);
    if (k == 1) solid[k] = add_solid(world[k], shape, 1.5, seed);
    must(world[k], elastica_add_contact(world[k], NULL, &def, &contact));
    for (int part = 0; part < 300; part++) {
      int count = 0;
      must(world[k], elastica_world_step(world[k], 5e-6, 200));
      must(world[k], elastica_contact_get(contact, NULL, 0, &count));
      touches += count > 0;
    }
  }
  assert_true(touches > 0);
  for (int body = 0; body < 2; body++) {
    const elastica_rod_view *one = elastica_rod_get_view(body ? solid[0] : thrown[0]),
                            *other = elastica_rod_get_view(body ? solid[1] : thrown[1]);
    for (int a = 0; a < 3; a++)
      for (int i = 0; i < one->node_count; i++) {
        assert_close(one->position[a][i], other->position[a][i], 1e-12);
        assert_close(one->velocity[a][i], other->velocity[a][i], 1e-10);
      }
    for (int a = 0; a < 3; a++)
      for (int j = 0; j < one->element_count; j++) {
        assert_close(one->omega[a][j], other->omega[a][j], 1e-8);
        for (int b = 0; b < 3; b++) assert_close(one->director[a][b][j], other->director[a][b][j], 1e-11);
      }
  }
  for (int k = 0; k < 2; k++) elastica_world_destroy(world[k]);
}

TEST_LONG(friction_does_not_depend_on_the_order_of_adding) {
  for (int kind = 0; kind < 4; kind++)
    for (int shape = ELASTICA_SHAPE_SPHERE; shape <= ELASTICA_SHAPE_BOX; shape++)
      for (uint64_t seed = 1; seed <= (uint64_t)rounds(4); seed++) claim_no_order(kind, (elastica_shape)shape, seed);
}

/* A held body acts like an obstacle of its shape. */
TEST(a_held_body_is_an_obstacle) {
  for (int shape = ELASTICA_SHAPE_CYLINDER; shape <= ELASTICA_SHAPE_BOX; shape++) {
    elastica_world *world[2];
    elastica_rod *rod[2];
    for (int k = 0; k < 2; k++) {
      world[k] = make_world(NULL);
      const double gravity[3] = {0.0, 1.0, -9.81}, start[3] = {-0.15, -0.02, 0.1302}, along[3] = {1.0, 0.1, 0.0};
      DEFAULTS(rod, def);
      def.element_count = 8, def.length = 0.3, def.radius = 0.03, def.density = 1000.0, def.youngs_modulus = 1e6;
      memcpy(def.start, start, sizeof start);
      memcpy(def.direction, along, sizeof along);
      must(world[k], elastica_world_add_rod(world[k], &def, &rod[k]));
      must(world[k], elastica_add_gravity(world[k], gravity, NULL));
    }
    elastica_body_def held = default_body((elastica_shape)shape);
    held.mass = 1.0, held.radius = 0.1, held.length = 0.2;
    held.edges[0] = 0.2, held.edges[1] = 0.3, held.edges[2] = 0.2;
    elastica_rod *body = add_body(world[0], &held);
    DEFAULTS(boundary, clamp);
    clamp.kind = ELASTICA_BOUNDARY_FRAME;
    must(world[0], elastica_add_boundary(world[0], body, &clamp, NULL));
    elastica_contact_def def = layer(1e5, 0.4);
    def.damping = 10.0, def.self = 0;
    must(world[0], elastica_add_contact(world[0], NULL, &def, NULL));
    DEFAULTS(obstacle, obstacle);
    obstacle.kind = ELASTICA_OBSTACLE_ELASTIC;
    obstacle.shape = shape == ELASTICA_SHAPE_BOX ? ELASTICA_SHAPE_BOX : ELASTICA_SHAPE_CYLINDER;
    obstacle.modulus = 1e5, obstacle.friction = 0.4, obstacle.damping = 10.0;
    obstacle.damping_ratio = obstacle.tangential_damping_ratio = 0.0;
    obstacle.radius = 0.1, obstacle.length = 0.2;
    memcpy(obstacle.edges, held.edges, sizeof obstacle.edges);
    must(world[1], elastica_add_obstacle(world[1], NULL, &obstacle, NULL));
    for (int k = 0; k < 2; k++) must(world[k], elastica_world_step(world[k], 2e-5, 2000));
    const elastica_rod_view *one = elastica_rod_get_view(rod[0]), *other = elastica_rod_get_view(rod[1]);
    assert_true(one->velocity[2][4] > -0.3);
    for (int a = 0; a < 3; a++)
      for (int i = 0; i <= 8; i++) {
        assert_close(one->position[a][i], other->position[a][i], 1e-5);
        assert_close(one->velocity[a][i], other->velocity[a][i], 2e-3);
      }
    for (int k = 0; k < 2; k++) elastica_world_destroy(world[k]);
  }
}

/* Stiff crates and drums on a heap of rods on the floor: with steps at the limit their energy decreases. */
static elastica_world *make_heap(int workers) {
  elastica_world_def world_def = default_world();
  world_def.worker_count = workers;
  elastica_world *world = make_world(&world_def);
  const double gravity[3] = {0.0, 0.0, -9.81};
  elastica_contact_def def = layer(3e5, 0.4);
  def.damping = 20.0;
  DEFAULTS(obstacle, floor);
  floor.kind = ELASTICA_OBSTACLE_ELASTIC;
  floor.modulus = 3e5, floor.friction = 0.4, floor.damping = 20.0, floor.group = 0;
  for (int k = 0; k < 8; k++) {
    DEFAULTS(rod, rod);
    rod.element_count = 6, rod.length = 0.6, rod.radius = 0.02, rod.density = 1000.0, rod.youngs_modulus = 1e7;
    rod.start[k < 4 ? 0 : 1] = -0.3, rod.start[k < 4 ? 1 : 0] = 0.1 * (k % 4) - 0.15, rod.start[2] = k < 4 ? 0.021 : 0.063;
    rod.direction[k < 4 ? 0 : 1] = 1.0, rod.direction[2] = 0.0;
    must(world, elastica_world_add_rod(world, &rod, NULL));
  }
  for (int k = 0; k < 2; k++) {
    elastica_body_def body = default_body(k ? ELASTICA_SHAPE_CYLINDER : ELASTICA_SHAPE_BOX);
    body.density = 300.0, body.radius = 0.09, body.length = 0.12, body.contact_group = 1;
    for (int a = 0; a < 3; a++) body.edges[a] = 0.14;
    body.position[0] = k ? 0.1 : -0.1, body.position[2] = 0.18;
    add_body(world, &body);
  }
  must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_add_contact(world, NULL, &def, NULL));
  must(world, elastica_add_obstacle(world, NULL, &floor, NULL));
  return world;
}

TEST_LONG(a_heap_comes_to_rest_with_its_bodies_on_top) {
  elastica_world *world = make_heap(1);
  double most = energy_of(world);
  for (int k = 0; k < 20; k++) {
    must(world, elastica_world_advance(world, 0.05));
    const double now = energy_of(world);
    if (!(now <= most + 1e-6)) fail_msg("energy rises to %g from %g", now, most);
    most = now;
  }
  for (int k = 8; k < 10; k++) {
    const elastica_rod_view *body = elastica_rod_get_view(elastica_world_rod(world, k));
    assert_between(body->position[2][0], k == 8 ? 0.148 : 0.138, k == 8 ? 0.154 : 0.144);
  }
  elastica_world_destroy(world);
}

/* A box presses the thick element between two thin ones, at a distance from its centre line larger than the radii of the nodes: the step
 * limit includes this contact, and steps just below the limit conserve energy. */
TEST(a_thick_element_between_thin_ones_is_bounded) {
  const double radius[3] = {0.02, 0.1, 0.02};
  elastica_world *world = make_world(NULL);
  elastica_step_limit limit;
  DEFAULTS(rod, def);
  def.element_count = 3, def.length = 0.06, def.start[2] = -0.03;
  def.element_radius = radius, def.density = 1000.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, NULL));
  elastica_body_def box = default_body(ELASTICA_SHAPE_BOX);
  for (int a = 0; a < 3; a++) box.edges[a] = 0.03;
  box.mass = 0.001, box.position[0] = 0.08, box.position[1] = 0.001;
  add_body(world, &box);
  const elastica_contact_def law = layer(1e6, 0.0);
  must(world, elastica_add_contact(world, NULL, &law, NULL));
  must(world, elastica_world_step_limit(world, &limit));
  const double before = energy_of(world);
  assert_int_equal(limit.mode, ELASTICA_MODE_EFFECT);
  must(world, elastica_world_step(world, 0.9 * limit.dt, 50));
  assert_close(energy_of(world), before, 2e-3 * before);
  elastica_world_destroy(world);
}

TEST(bits_do_not_depend_on_threads_or_cuts) {
  elastica_world *whole = make_heap(1), *cut = make_heap(3), *other = make_heap(1);
  const double dt = 2e-5;
  must(whole, elastica_world_step(whole, dt, 3000));
  for (int k = 0; k < 1700; k++) must(cut, elastica_world_step(cut, dt, 1));
  const size_t size = size_of_snapshot(cut);
  void *bytes = malloc(size);
  must(cut, elastica_world_snapshot_save(cut, bytes, size, NULL));
  must(other, elastica_world_snapshot_load(other, bytes, size));
  free(bytes);
  must(other, elastica_world_step(other, dt, 1300));
  assert_true(hash_world(whole) == hash_world(other));
  elastica_world_destroy(whole), elastica_world_destroy(cut), elastica_world_destroy(other);
}
