/* Claims about self-contact: touching pairs, cost, and energy. */
#include "common/topology.h"
#include "hairpins.h"
#include "layered.h"
#include "linearised.h"

static const double pi = 3.14159265358979324;

/* A rod through given nodes with negligible stiffness and equal frames. */
static elastica_rod *add_polyline(elastica_world *world, const double *position, int n, int closed, double radius) {
  double director[9 * SAMPLE_ELEMENTS] = {0};
  elastica_rod *rod = NULL;
  for (int j = 0; j < n; j++) director[9 * j] = director[9 * j + 4] = director[9 * j + 8] = 1.0;
  DEFAULTS(rod, def);
  def.element_count = n, def.closed = closed;
  def.position = position, def.director = director;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e-3;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* Neighbours along the rod do not touch at any thickness, nor does a ring of curvature 0.97/r touch itself. */
TEST(a_rod_does_not_touch_its_own_neighbourhood) {
  for (int closed = 0; closed < 2; closed++) {
    double position[3 * SAMPLE_NODES];
    elastica_world *world = make_world(NULL);
    const int n = 60;
    const double ring = closed ? 0.103 : 0.1002, around = 2.0 * pi * 0.1; /* of a rod of radius 0.1 */
    for (int i = 0; i <= n; i++) {
      const double angle = (closed ? 2.0 : 1.9) * pi * i / n;
      set_vector(position, i, ring * cos(angle), ring * sin(angle), 0.02 * i * !closed);
    }
    elastica_rod *rod = add_polyline(world, position, n, closed, closed ? 0.1 : 0.2);
    const elastica_contact_def def = layer(1.0);
    elastica_effect *contact = NULL;
    elastica_contact_point point[1000];
    int count;
    must(world, elastica_add_contact(world, rod, &def, &contact));
    must(world, elastica_contact_get(contact, point, 1000, &count));
    if (closed) assert_int_equal(count, 0);
    for (int k = 0; k < count && k < 1000; k++) assert_true(point[k].element[1] - point[k].element[0] > 0.15 * around / 0.02);
    elastica_world_destroy(world);
  }
}

/* Two strands of a loop, with a circumference of half of skip_length and more, cross at a distance; the strands flatten the loop with
 * this speed [m/s]. The rod is so soft that without contact it takes the shape of its mirror image, and writhe changes its sign. */
static elastica_status flatten_small_loop(double modulus, double speed, double writhe[2], char *message, size_t room) {
  enum { n = 48 };
  const double r = 0.1, width = 0.475 * r, advance = 0.4 * width, height = 1.3 * r, closing = 2.0 * speed / (1.32 * height);
  double position[3 * (n + 1)], velocity[3 * (n + 1)], director[9 * n] = {0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  const elastica_contact_def contact = layer(modulus);
  for (int j = 0; j < n; j++) director[9 * j] = director[9 * j + 4] = director[9 * j + 8] = 1.0;
  for (int i = 0; i <= n; i++) {
    const double angle = pi * (2.0 * i / n - 1.0), y = height * angle / pi;
    set_vector(position, i, width * cos(angle), y, advance * angle - width * sin(angle));
    set_vector(velocity, i, 0.0, -closing * y, 0.0);
  }
  DEFAULTS(rod, def);
  def.element_count = n, def.position = position, def.velocity = velocity, def.director = director;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = r, def.density = 1000.0, def.youngs_modulus = 1e-3;
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_add_contact(world, rod, &contact, NULL));
  writhe[0] = topology_of(elastica_rod_get_view(rod), NULL).writhe;
  elastica_status status = ELASTICA_OK;
  for (int k = 0; k < 100 && status == ELASTICA_OK; k++) status = elastica_world_advance(world, 0.02 / closing);
  writhe[1] = topology_of(elastica_rod_get_view(rod), NULL).writhe;
  snprintf(message, room, "%s", elastica_world_message(world));
  elastica_world_destroy(world);
  return status;
}

/* The energy of contact with one coordinate of a rod at this value. */
static double energy_at(elastica_world *world, elastica_rod *rod, elastica_effect *contact, double *position, int index, double value) {
  const double kept = position[index];
  position[index] = value;
  must(world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
  position[index] = kept;
  const double energy = elastica_effect_energy(contact);
  must(world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
  return energy;
}

/* Also where the radii of elements close along the rod are reduced: shorter elements are thicker, in proportion. */
TEST(forces_of_a_small_loop_are_the_gradient_of_its_energy) {
  enum { n = 48 };
  const double r = 0.1, width = 0.475 * r, advance = 0.4 * width, height = 0.9 * r;
  double position[3 * (n + 1)], slope[3 * (n + 1)];
  for (int i = 0; i <= n; i++) {
    const double angle = pi * (2.0 * i / n - 1.0);
    set_vector(position, i, width * cos(angle), height * angle / pi, advance * angle - width * sin(angle));
  }
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_polyline(world, position, n, 0, r);
  const elastica_contact_def def = layer(1e3);
  elastica_effect *contact = NULL;
  elastica_contact_point point[2000];
  int count = 0, reduced = 0;
  must(world, elastica_add_contact(world, rod, &def, &contact));
  must(world, elastica_contact_get(contact, point, 2000, &count));
  for (int k = 0; k < count && k < 2000; k++) reduced += point[k].element[1] - point[k].element[0] < n / 2;
  assert_in_range(reduced, 1, count);
  double largest = 0.0;
  for (int k = 0; k < 3 * (n + 1); k++) {
    const double h = 1e-6 * r;
    slope[k] =
        (energy_at(world, rod, contact, position, k, position[k] + h) - energy_at(world, rod, contact, position, k, position[k] - h)) /
        (2.0 * h);
    largest = fmax(largest, fabs(slope[k]));
  }
  const double dt = 1e-9;
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  must(world, elastica_world_step(world, dt, 1));
  for (int k = 0; k < 3 * (n + 1); k++) assert_close(view->mass[k / 3] * view->velocity[k % 3][k / 3] / dt, -slope[k], 1e-6 * largest);
  elastica_world_destroy(world);
}

/* Also for a loop smaller than the tightest ring of the rod. */
TEST(no_loop_is_too_small_to_be_held) {
  char message[2000];
  double writhe[2];
  assert_int_equal(flatten_small_loop(1e5, 0.5, writhe, message, sizeof message), ELASTICA_OK);
  assert_true(fabs(writhe[0]) > 0.3 && writhe[0] * writhe[1] > 0.0);
  assert_int_equal(flatten_small_loop(1e-3, 0.5, writhe, message, sizeof message), ELASTICA_UNSTABLE_STEP);
  assert_non_null(strstr(message, "rod 0, element"));
  assert_non_null(strstr(message, "would pass through each other"));
}

/* ---- The lists are caches ---- */

/* [1/s] Rate at which a straight rod is folded in the middle; its elements have the length of half a radius; it touches itself at the
 * sharp bend. */
#define FOLDING 12.0

/* again: 1 sets the same parameters before each step, so that lists are made in each step. */
static uint64_t hash_of_run(int straight, double skin, double friction, int again) {
  random_source source = {4};
  elastica_world_def options = default_world();
  options.allow_unstable_step = 1;
  elastica_world *world = make_world(&options);
  double position[3 * SAMPLE_NODES], velocity[3 * SAMPLE_NODES], bend_stiffness[3 * SAMPLE_NODES];
  const int n = 60;
  for (int i = 0; i <= n; i++) {
    const double angle = 0.45 * i, s = 0.012 * (i - 0.5 * n);
    set_vector(position, i, straight ? s : 0.1 * cos(angle), straight ? 0.0 : 0.1 * sin(angle), straight ? 0.0 : 0.004 * i);
    random_vector(&source, straight ? 0.05 : 0.5, velocity + 3 * i);
    if (straight) velocity[3 * i + 1] += FOLDING * fabs(s);
  }
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = n, def.position = position, def.velocity = velocity;
  def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = straight ? 1e6 : 1e5;
  for (int k = 0; k < 3 * n; k++) bend_stiffness[k] = abs(2 * (k / 3) + 1 - n) < 2 ? 1e-6 : 1e-2;
  if (straight) def.bend_stiffness = bend_stiffness;
  must(world, elastica_world_add_rod(world, &def, &rod));
  elastica_contact_def contact = layer(straight ? 1e5 : 2e4);
  elastica_effect *effect = NULL;
  int count, seen = 0;
  contact.skin = skin, contact.friction = friction, contact.damping = 20.0;
  must(world, elastica_add_contact(world, rod, &contact, &effect));
  for (int k = 0; k < 3000; k += again ? 1 : 1000) {
    if (again) must(world, elastica_contact_set(effect, &contact));
    must(world, elastica_world_step(world, 1e-4, again ? 1 : 1000));
    must(world, elastica_contact_get(effect, NULL, 0, &count));
    if (count > seen) seen = count;
  }
  if (again) assert_true(seen > 5);
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(no_bit_depends_on_when_lists_were_made) {
  for (int scene = 0; scene < 4; scene++) {
    const double friction = 0.4 * (scene / 2);
    const uint64_t hash = hash_of_run(scene % 2, NAN, friction, 1);
    assert_true(hash == hash_of_run(scene % 2, 1e-9, friction, 0));
    assert_true(hash == hash_of_run(scene % 2, 5.0, friction, 0));
    assert_true(hash == hash_of_run(scene % 2, NAN, friction, 0));
  }
}

/* ---- Runs ---- */

/* A ring of a soft rod, pressed flat: two sides collide, bounce and do not pass through each other; momentum and energy are conserved. */
TEST(two_sides_of_a_flat_ring_bounce) {
  elastica_world_def options = default_world();
  options.law = ELASTICA_LAW_CLASSICAL, options.exact_couple = 1;
  elastica_world *world = make_world(&options);
  const int n = 60;
  double position[3 * SAMPLE_NODES], velocity[3 * SAMPLE_NODES];
  for (int i = 0; i < n; i++) {
    const double angle = 2.0 * pi * i / n;
    set_vector(position, i, 0.5 * cos(angle), 0.2 * sin(angle), 0.0);
    set_vector(velocity, i, 0.0, -2.0 * sin(angle), 0.02 * cos(2.0 * angle));
  }
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = n, def.closed = 1, def.position = position, def.velocity = velocity, def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e5;
  must(world, elastica_world_add_rod(world, &def, &rod));
  const elastica_contact_def contact = layer(1e5);
  elastica_effect *effect = NULL;
  elastica_totals before, after;
  must(world, elastica_add_contact(world, rod, &contact, &effect));
  must(world, elastica_world_get_totals(world, &before));
  const double total = total_energy(world);
  int touched = 0;
  double depth = 0.0;
  for (int k = 0; k < 400; k++) {
    int count;
    must(world, elastica_world_step(world, 1e-5, 100));
    depth = fmax(depth, deepest(effect, &count));
    touched |= count > 0;
  }
  must(world, elastica_world_get_totals(world, &after));
  assert_true(touched);
  assert_between(depth, 1e-4, 0.02);
  for (int a = 0; a < 3; a++) {
    assert_close(after.linear[a], before.linear[a], 1e-13);
    assert_close(after.angular[a], before.angular[a], 1e-5);
  }
  assert_close(total_energy(world), total, 1e-4 * total);
  elastica_world_destroy(world);
}

/* A contact law with radii that grow as elements get shorter, without the corresponding force, would add energy to such a hairpin. */
TEST(a_hairpin_at_rest_stays_at_rest) {
  elastica_world *world = make_conservative_world();
  elastica_rod *rod = add_hairpin(world, 0.085);
  const elastica_contact_def def = layer(3e5);
  elastica_effect *contact = NULL;
  elastica_relax_result relaxed;
  elastica_totals energy;
  int count;
  must(world, elastica_add_contact(world, rod, &def, &contact));
  must(world, elastica_world_relax(world, NULL, &relaxed));
  assert_true(deepest(contact, &count) > 0.0);
  const double total = total_energy(world), dt = 0.5 * limit_of(world).dt;
  assert_true(total > 0.05);
  while (elastica_world_get(world).time < 20.0) must(world, elastica_world_step(world, dt, 1000));
  must(world, elastica_world_get_totals(world, &energy));
  assert_true(energy.translation + energy.rotation < 1e-9 * total);
  assert_close(total_energy(world), total, 1e-9 * total);
  elastica_world_destroy(world);
}

/* ---- The step limit ---- */

/* Two elements of random lengths, from thin to as thick as long; they cross at 0.5 rad or more, inside or near an end. */
static elastica_rod *add_random_crossing(elastica_world *world, uint64_t seed) {
  static const double thickness[3] = {0.02, 0.2, 1.0};
  random_source source = {seed};
  const double angle = random_between(&source, 0.5, pi - 0.5), radius = thickness[seed % 3] * random_between(&source, 0.5, 1.0);
  const double first = random_between(&source, 0.5, 2.0), second = random_between(&source, 0.5, 2.0);
  const double s = random_between(&source, -0.1, 1.1), t = random_between(&source, -0.1, 1.1);
  const double c = cos(angle) * second, d = sin(angle) * second, h = 2.0 * radius * random_between(&source, 0.55, 0.97);
  const double position[12] = {0.0, -s * first, 0.0, 0.0, (1.0 - s) * first, 0.0, h, -t * c, -t * d, h, (1.0 - t) * c, (1.0 - t) * d};
  return add_polyline(world, position, 3, 0, radius);
}

/* The rod is so soft that only the contact bounds the step. */
TEST(the_bound_of_a_contact_is_safe) {
  int touching = 0;
  for (uint64_t seed = 0; seed < 90; seed++) {
    elastica_world *world = make_rest_world(ELASTICA_LAW_CLASSICAL, 1);
    elastica_rod *rod = add_random_crossing(world, seed);
    elastica_contact_def def = layer(1e4);
    elastica_effect *contact = NULL;
    int count;
    def.skip_length = 0.0;
    must(world, elastica_add_contact(world, rod, &def, &contact));
    must(world, elastica_contact_get(contact, NULL, 0, &count));
    if (count > 0) assert_true(share_of_true_limit(rod) <= 1.0 + ROUNDING);
    touching += count > 0;
    elastica_world_destroy(world);
  }
  assert_true(touching > 60);
}

/* Two sides of a ring, numbered from this node on, are thrown at each other and rub along: their contact moves on from element to element.
 * Writes the positions of the nodes in an order that does not depend on the numbers. */
static void rub_sides(int turn, double position[3 * SAMPLE_NODES]) {
  enum { N = 24 };
  double start[3 * N], velocity[3 * N];
  elastica_rod *rod = NULL;
  elastica_effect *contact = NULL;
  elastica_contact_def law = layer(1e5);
  int most = 0;
  elastica_world *world = make_world(NULL);
  DEFAULTS(rod, def);
  for (int k = 0; k < N; k++) {
    const double angle = 2.0 * pi * k / N;
    const int i = (k - turn + N) % N;
    set_vector(start, i, 0.05 * cos(angle), 0.02 * sin(angle) * (1.0 + 0.3 * cos(angle)), 0.0);
    set_vector(velocity, i, -0.5 * sin(angle), -2.5 * sin(angle), 0.0);
  }
  def.element_count = N, def.closed = 1, def.position = start, def.velocity = velocity, def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.006, def.density = 1000.0, def.youngs_modulus = 3e5;
  law.friction = 0.3;
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_add_contact(world, NULL, &law, &contact));
  for (int k = 0; k < 40; k++) {
    int count;
    must(world, elastica_world_step(world, 1e-5, 50));
    must(world, elastica_contact_get(contact, NULL, 0, &count));
    if (count > most) most = count;
  }
  assert_true(most > 1);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int k = 0; k < N; k++)
    for (int a = 0; a < 3; a++) position[3 * k + a] = view->position[a][(k - turn + N) % N];
  elastica_world_destroy(world);
}

/* A contact keeps its friction as it moves on, also past the first node of a ring. */
TEST(friction_does_not_depend_on_the_first_node_of_a_ring) {
  double first[3 * SAMPLE_NODES], other[3 * SAMPLE_NODES];
  rub_sides(0, first);
  for (int turn = 1; turn < 24; turn++) {
    rub_sides(turn, other);
    assert_all_close(other, first, 3 * 24, 1e-14);
  }
}
