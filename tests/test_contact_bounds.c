/* Claims about the step limit before contact: future contacts at speed, or after a fall, are recognised in time, also with long steps. */
#include "base/target.h"

#include "support.h"

enum { ROD, BALL };

/* A thing at the origin, and a thing that flies at it from a distance [m] between the surfaces. */
typedef struct meeting {
  int target;
  double modulus, speed, gap;
  elastica_world *world;
  elastica_rod *rod[2];
} meeting;

static const double radius = 0.01;

static elastica_rod *add_ball(elastica_world *world, double height, double speed) {
  elastica_rod *body;
  DEFAULTS(body, def);
  def.radius = radius, def.density = 1000.0;
  def.position[0] = 1e-3, def.position[2] = height, def.velocity[2] = -speed;
  must(world, elastica_world_add_body(world, &def, &body));
  return body;
}

static void make_meeting(meeting *of) {
  elastica_rod_def rod;
  of->world = make_world(NULL);
  if (of->target == ROD) {
    elastica_rod_def_init(&rod, sizeof rod);
    rod.element_count = 10, rod.length = 0.2, rod.radius = radius, rod.density = 1000.0, rod.youngs_modulus = 1e7;
    rod.start[0] = -0.1, rod.direction[0] = 1.0, rod.direction[2] = 0.0;
    must(of->world, elastica_world_add_rod(of->world, &rod, &of->rod[0]));
  } else
    of->rod[0] = add_ball(of->world, 0.0, 0.0);
  of->rod[1] = add_ball(of->world, 2.0 * radius + of->gap, of->speed);
  DEFAULTS(contact, contact);
  contact.modulus = of->modulus;
  must(of->world, elastica_add_contact(of->world, NULL, &contact, NULL));
}

static double height_of(const elastica_rod *rod) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  return view->position[2][view->node_count / 2];
}

/* Undamped, in one call that lasts until well after the collision. An impact of balls takes three steps; its error is up to 0.29. */
TEST(nothing_flies_through) {
  for (int target = ROD; target <= BALL; target++)
    for (double modulus = 1e5; modulus < 2e9; modulus *= 100.0)
      for (double speed = 1.0; speed <= 1e-2 * sqrt(modulus); speed *= 10.0)
        for (double gap = 1e-3; gap < 1.0; gap *= 30.0) {
          meeting of = {.target = target, .modulus = modulus, .speed = speed, .gap = gap};
          make_meeting(&of);
          const double before = total_energy(of.world);
          must(of.world, elastica_world_advance(of.world, (gap + 0.03) / speed));
          assert_true(height_of(of.rod[1]) - height_of(of.rod[0]) > radius);
          assert_true(fabs(total_energy(of.world) / before - 1.0) < 0.3);
          elastica_world_destroy(of.world);
        }
}

/* The ends of a capsule that turns about its centre. */
TEST(an_end_that_swings_is_seen) {
  elastica_world *world = make_world(NULL);
  elastica_rod *ball = add_ball(world, 0.15, 0.0);
  DEFAULTS(body, def);
  def.shape = ELASTICA_SHAPE_CAPSULE, def.radius = radius, def.length = 0.4, def.density = 1000.0;
  for (int a = 0; a < 3; a++)
    for (int row = 0; row < 3; row++) def.director[3 * row + a] = a == (row + 1) % 3 ? 1.0 : 0.0; /* d3 is x, d2 z, d1 y */
  def.omega[0] = -5.0;
  must(world, elastica_world_add_body(world, &def, NULL));
  DEFAULTS(contact, contact);
  contact.modulus = 1e7;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  const double before = total_energy(world);
  must(world, elastica_world_advance(world, 0.5));
  const elastica_rod_view *view = elastica_rod_get_view(ball);
  assert_true(fabs(view->velocity[0][0]) > 0.1);
  assert_true(fabs(total_energy(world) / before - 1.0) < 0.05);
  elastica_world_destroy(world);
}

/* A step in which one ball would pass the other is refused while they are far apart. */
TEST(a_step_across_is_refused) {
  meeting of = {.target = BALL, .modulus = 1e5, .speed = 1.0, .gap = 0.9};
  make_meeting(&of);
  assert_int_equal(elastica_world_step(of.world, 0.9, 1), ELASTICA_UNSTABLE_STEP);
  elastica_world_destroy(of.world);
}

/* Two bodies with a contact effect have its step from the start; a single body has no limit. */
TEST(a_body_alone_has_no_limit) {
  elastica_step_limit limit;
  elastica_world *world = make_world(NULL);
  add_ball(world, 0.0, 1.0);
  DEFAULTS(contact, contact);
  contact.modulus = 1e5;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  must(world, elastica_world_step_limit(world, &limit));
  assert_true(limit.dt == INFINITY);
  add_ball(world, 1.0, 0.0);
  must(world, elastica_world_step_limit(world, &limit));
  assert_true(limit.dt > 0.0 && limit.dt < INFINITY && limit.mode == ELASTICA_MODE_EFFECT);
  elastica_world_destroy(world);
}

/* A user load; the library does not know that it is a weight. */
static elastica_status pull_down(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now;
  for (int i = 0; i < rod->node_count; i++) loads->force[2][i] -= 9.81 * rod->mass[i];
  return ELASTICA_OK;
}

static double lifted(const elastica_rod *rod, double from) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double energy = 0.0;
  for (int i = 0; i < view->node_count; i++) energy += 9.81 * view->mass[i] * (view->position[2][i] - from);
  return energy;
}

/* A soft rod, initially at rest above an elastic floor or a held rod: its fall takes 64 steps. */
static double gain_of_fall(int on_rod, int of_user, double stiffer, double height, double modulus) {
  elastica_world *world = make_world(NULL);
  elastica_rod *held;
  DEFAULTS(rod, def);
  def.element_count = 10, def.length = 0.2, def.radius = radius, def.density = 1000.0, def.youngs_modulus = modulus;
  def.direction[0] = 1.0, def.direction[2] = 0.0, def.start[2] = radius + height;
  elastica_rod *rod;
  must(world, elastica_world_add_rod(world, &def, &rod));
  if (of_user) {
    elastica_module module = module_named("weight");
    module.add_loads = pull_down;
    must(world, elastica_world_add_module(world, rod, &module, NULL));
  } else
    must(world, elastica_add_gravity(world, (double[]){0.0, 0.0, -9.81}, NULL));
  if (on_rod) {
    DEFAULTS(contact, contact);
    contact.modulus = stiffer * modulus;
    def.start[2] = -radius;
    must(world, elastica_world_add_rod(world, &def, &held));
    for (int i = 0; i <= 10; i++) {
      DEFAULTS(boundary, pin);
      pin.kind = ELASTICA_BOUNDARY_PIN;
      pin.node = i;
      must(world, elastica_add_boundary(world, held, &pin, NULL));
    }
    must(world, elastica_add_contact(world, NULL, &contact, NULL));
  } else {
    DEFAULTS(obstacle, floor);
    floor.kind = ELASTICA_OBSTACLE_ELASTIC;
    floor.modulus = stiffer * modulus;
    floor.damping_ratio = floor.tangential_damping_ratio = 0.0;
    must(world, elastica_add_obstacle(world, NULL, &floor, NULL));
  }
  const double start = radius + height, before = total_energy(world), fall = -lifted(rod, start + height);
  double most = 0.0;
  for (int k = 0; k < 400; k++) {
    must(world, elastica_world_advance(world, 5e-4));
    const double gained = total_energy(world) - before + (of_user ? lifted(rod, start) : 0.0);
    if (gained > most) most = gained;
  }
  assert_true(height_of(rod) < radius + 1.3 * height);
  elastica_world_destroy(world);
  return most / fall;
}

/* An impact of a whole rod at once has an error of some 0.1 on an obstacle, which has a sharper bound. */
TEST_LONG(a_fall_from_rest_is_resolved) {
  static const struct {
    double stiffer, height, modulus;
  } scenes[] = {{10.0, 0.004, 1e5}, {100.0, 0.004, 1e5}, {1000.0, 0.002, 1e5}, {100.0, 0.0005, 1e6}};
  for (int k = 0; k < 16; k++) {
    const int on_rod = k % 2, of_user = k / 2 % 2, s = k / 4;
    const double gain = gain_of_fall(on_rod, of_user, scenes[s].stiffer, scenes[s].height, scenes[s].modulus);
    if (!(gain < (on_rod ? 0.03 : 0.2))) fail_msg("scene %d, %s: %g of the energy of the fall", k, on_rod ? "rod" : "floor", gain);
  }
}

/* Powers of two of the units of length and time. */
typedef struct units {
  double length, time;
} units;

/* Two rods of many elements that fly at each other, and a ball or a capsule at one of them, in these units. From scene 24 on, the elements
 * are a twentieth of a radius long; two rods alone then take some steps, which ask for further limit checks. */
static double limit_in(int scene, units u) {
  enum { MOST = 200 };
  const int fine = scene >= 24, N = fine ? 40 : MOST;
  const double length = fine ? 0.05 * radius * N : 0.4;
  random_source source = {(uint64_t)scene + 1};
  const double force = u.length / (u.time * u.time), line = force / u.length, stress = line / u.length, speed = u.length / u.time;
  elastica_world_def settings;
  elastica_world_def_init(&settings, sizeof settings);
  elastica_world *world = make_world(&settings);
  const double gap = random_between(&source, -0.3, 1.5) * radius, flight = pow(10.0, random_between(&source, -2.0, 1.0));
  for (int r = 0; r < 2; r++) {
    elastica_rod *rod;
    double velocity[3 * (MOST + 1)], omega[3 * MOST];
    DEFAULTS(rod, def);
    def.element_count = N, def.length = length * u.length, def.radius = radius * u.length;
    def.density = 1000.0 / (u.length * u.length * u.length), def.youngs_modulus = 1e5 * stress, def.shear_modulus = 4e4 * stress;
    def.start[0] = -0.5 * length * u.length, def.start[2] = r * (2.0 * radius + gap) * u.length;
    def.direction[0] = 1.0, def.direction[1] = r * random_between(&source, -0.5, 0.5), def.direction[2] = 0.0;
    must(world, elastica_world_add_rod(world, &def, &rod));
    for (int i = 0; i <= N; i++) {
      random_vector(&source, 0.2 * flight * speed, velocity + 3 * i);
      velocity[3 * i + scene % 4 / 2 * 2] -= r * flight * speed;
    }
    for (int j = 0; j < N; j++) random_vector(&source, flight / u.time, omega + 3 * j);
    must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, omega));
  }
  if (scene % 3 != 0) {
    DEFAULTS(body, body);
    if (scene % 3 == 2) body.shape = ELASTICA_SHAPE_CAPSULE, body.length = 0.05 * u.length;
    body.radius = 2.0 * radius * u.length, body.density = 500.0 / (u.length * u.length * u.length);
    body.position[0] = 0.125 * length * u.length, body.position[2] = -(3.5 * radius + gap) * u.length;
    body.velocity[2] = flight * speed, body.omega[0] = flight / u.time;
    must(world, elastica_world_add_body(world, &body, NULL));
  }
  DEFAULTS(contact, contact);
  contact.modulus = 1e9 * stress, contact.friction = scene % 2 ? 0.3 : 0.0;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  elastica_step_limit limit;
  must(world, elastica_world_step_limit(world, &limit));
  double out = limit.dt / u.time;
  if (fine && scene % 3 == 0) {
    must(world, elastica_world_advance(world, 40.0 * limit.dt));
    out = elastica_world_get(world).working_step / u.time;
  }
  elastica_world_destroy(world);
  return out;
}

TEST(the_units_of_length_and_time_change_no_bit_of_the_limit) {
  for (int scene = 0; scene < 30; scene++) {
    const double limit = limit_in(scene, (units){1.0, 1.0});
    assert_true(limit == limit_in(scene, (units){0.25, 1.0}));
    assert_true(limit == limit_in(scene, (units){4.0, 1.0}));
    assert_true(limit == limit_in(scene, (units){1.0, 0.5}));
  }
}

/* More damping of the approach does not lengthen the step, however large the damping of the slip beside it. */
TEST(more_damping_does_not_lengthen_the_step) {
  for (int tangential = 0; tangential < 3; tangential++) {
    double before = INFINITY;
    for (int k = 0; k <= 20; k++) {
      elastica_world *world = make_world(NULL);
      for (int r = 0; r < 2; r++) {
        DEFAULTS(rod, def);
        def.element_count = 10, def.length = 0.2, def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e5;
        def.start[r] = -0.1, def.start[2] = 1.9 * radius * r, def.direction[r] = 1.0, def.direction[2] = 0.0;
        must(world, elastica_world_add_rod(world, &def, NULL));
      }
      DEFAULTS(contact, contact);
      contact.modulus = 1e6, contact.friction = 0.5;
      contact.tangential_damping = 2e3 * tangential, contact.damping = 0.1 * k * 2e3;
      must(world, elastica_add_contact(world, NULL, &contact, NULL));
      elastica_step_limit limit;
      must(world, elastica_world_step_limit(world, &limit));
      assert_true(limit.dt <= before);
      before = limit.dt;
      elastica_world_destroy(world);
    }
  }
}

/* A capsule that lies on a layer heaves with omega = sqrt(k M/m), M the contact length with both ends, and pitches with at most sqrt 3
 * omega. It rolls without stiffness: its small moment about the axis does not count. on: 0 an elastic plane, 1 another capsule. */
static double share_of_exact_limit(double slenderness, int on) {
  const double r = 0.003, k = 1e6, down[3] = {0.0, 0.0, -9.81}, along_x[9] = {0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0};
  elastica_world *world = make_world(NULL);
  DEFAULTS(body, def);
  elastica_step_limit limit;
  elastica_rod *body = NULL;
  elastica_body_info info;
  def.shape = ELASTICA_SHAPE_CAPSULE, def.radius = r, def.length = slenderness * r, def.density = 1000.0, def.position[2] = r;
  memcpy(def.director, along_x, sizeof along_x);
  must(world, elastica_world_add_body(world, &def, &body));
  must(world, elastica_body_get(body, &info));
  if (on) {
    DEFAULTS(contact, contact);
    contact.modulus = k;
    def.density = NAN, def.mass = 1e6, def.position[2] = -r;
    must(world, elastica_world_add_body(world, &def, NULL));
    must(world, elastica_add_contact(world, NULL, &contact, NULL));
  } else {
    DEFAULTS(obstacle, plane);
    plane.kind = ELASTICA_OBSTACLE_ELASTIC, plane.modulus = k;
    plane.damping_ratio = plane.tangential_damping_ratio = 0.0;
    must(world, elastica_add_obstacle(world, NULL, &plane, NULL));
  }
  must(world, elastica_add_gravity(world, down, NULL));
  must(world, elastica_world_step_limit(world, &limit));
  const double omega = sqrt(k * (def.length + 4.0 / 3.0 * r) / info.mass);
  elastica_world_destroy(world);
  return limit.dt * sqrt(3.0) * omega / 2.0;
}

TEST(the_limit_of_a_capsule_does_not_fall_with_its_slenderness) {
  for (int on = 0; on < 2; on++)
    for (double slenderness = 10.0; slenderness <= 1000.0; slenderness *= 10.0)
      assert_between(share_of_exact_limit(slenderness, on), on ? 0.4 : 0.6, 1.0);
}

/* All elements of this ring are neighbours of each other along it: the search for folds goes around once. */
TEST(a_ring_of_neighbours_has_a_limit) {
  enum { N = 256 };
  for (int turns = 1; turns <= 2; turns++) {
    double position[3 * N];
    elastica_world *world = make_world(NULL);
    for (int i = 0; i < N; i++) {
      const double angle = 2.0 * 3.14159265358979324 * i / N;
      position[3 * i] = 0.1 * cos(angle), position[3 * i + 1] = 0.1 * sin(angle), position[3 * i + 2] = 0.02 * cos(turns * angle);
    }
    DEFAULTS(rod, def);
    def.element_count = N, def.closed = 1, def.position = position;
    def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e5;
    must(world, elastica_world_add_rod(world, &def, NULL));
    DEFAULTS(contact, contact);
    contact.modulus = 1e7, contact.skip_length = 10.0;
    must(world, elastica_add_contact(world, NULL, &contact, NULL));
    elastica_step_limit limit;
    must(world, elastica_world_step_limit(world, &limit));
    assert_between(limit.dt, 1e-7, 1e-2);
    elastica_world_destroy(world);
  }
}

/* Two parallel rods that fly at each other at a distance of a tenth of a radius, with this angle between their velocity and the line from
 * one to the other. The elements of fine rods are bounded in groups. */
static double limit_of_flight(int fine, double speed, double angle) {
  enum { MOST = 64 };
  const int n = fine ? MOST : MOST / 4;
  elastica_world *world = make_world(NULL);
  for (int r = 0; r < 2; r++) {
    double velocity[3 * (MOST + 1)] = {0.0};
    DEFAULTS(rod, def);
    for (int i = 0; i <= n; i++) velocity[component(i, 1)] = r * speed * sin(angle), velocity[component(i, 2)] = -r * speed * cos(angle);
    def.element_count = n, def.length = 0.05 * radius * MOST, def.radius = radius;
    def.density = 1000.0, def.youngs_modulus = 1e3, def.shear_modulus = 4e2;
    def.start[2] = r * 2.1 * radius, def.direction[0] = 1.0, def.direction[2] = 0.0;
    def.velocity = velocity;
    must(world, elastica_world_add_rod(world, &def, NULL));
  }
  DEFAULTS(contact, contact);
  contact.modulus = 1e6;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  elastica_step_limit limit;
  must(world, elastica_world_step_limit(world, &limit));
  elastica_world_destroy(world);
  return limit.dt;
}

/* The stiffness and the mass of a contact grow with its length alike, so that elements of any length have a similar limit, at most
 * that of a slow approach: a group has it in common, and allows no longer step. */
TEST(groups_of_elements_have_a_limit_like_that_of_long_elements) {
  const double slow = limit_of_flight(0, 1e-2, 0.0);
  for (int a = 0; a < 3; a++)
    for (double speed = 1e-2; speed < 200.0; speed *= 3.0) {
      const double fine = limit_of_flight(1, speed, 0.7 * a), coarse = limit_of_flight(0, speed, 0.7 * a);
      assert_between(fine / fmin(slow, coarse), 0.15, 1.0);
    }
}

/* ---- A contact that no limit check has foreseen ---- */

/* Pulls the nodes of a rod along -z, from step 10 on. */
static elastica_status pull_later(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  for (int i = 0; i < rod->node_count && now->step >= 10; i++) loads->force[2][i] -= *(const double *)self * rod->mass[i];
  return ELASTICA_OK;
}

/* A rod above another is pulled onto it between two limit checks. Returns the number of the step that is refused: it is stable for the
 * rods alone. */
static long refused_step(int fine, double damping, double friction, double angle) {
  enum { MOST = 64 };
  const double size = 0.01, pull = 1200.0;
  const int n = fine ? MOST : MOST / 8;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod[2] = {NULL, NULL};
  for (int r = 0; r < 2; r++) {
    DEFAULTS(rod, def);
    def.element_count = n, def.length = 0.05 * size * MOST, def.radius = size;
    def.density = 1000.0, def.youngs_modulus = 1e4, def.shear_modulus = 4e3;
    def.start[2] = r * 2.1 * size;
    def.direction[0] = cos(r * angle), def.direction[1] = sin(r * angle), def.direction[2] = 0.0;
    must(world, elastica_world_add_rod(world, &def, &rod[r]));
  }
  DEFAULTS(contact, contact);
  contact.self = 0, contact.modulus = 1e8, contact.damping = damping, contact.friction = friction;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  elastica_module module = module_named("pull");
  module.self = &pull, module.self_size = sizeof pull, module.add_loads = pull_later;
  must(world, elastica_world_add_module(world, rod[1], &module, NULL));
  assert_refused(world, elastica_world_step(world, 6e-5, 60), ELASTICA_UNSTABLE_STEP, "effect 0 \"contact\"", "times the stable");
  const long step = elastica_world_get(world).step_count;
  const double gap = elastica_rod_get_view(rod[1])->position[2][0] - elastica_rod_get_view(rod[0])->position[2][0] - 2.0 * size;
  assert_between(gap, 0.0, 0.1 * size);
  elastica_world_destroy(world);
  return step;
}

/* Groups of elements are seen in time, like long elements. */
TEST(a_contact_that_no_limit_check_has_foreseen_is_refused_in_time) {
  for (int k = 0; k < 8; k++) {
    const double damping = k % 2 ? 100.0 : 0.0, friction = k / 2 % 2 ? 0.5 : 0.0, angle = 0.4 * (k / 4);
    const long coarse = refused_step(0, damping, friction, angle), fine = refused_step(1, damping, friction, angle);
    assert_between((double)coarse, 20.0, 30.0);
    assert_between((double)(coarse - fine), 0.0, 2.0);
  }
}

/* Things that fly at a straight rod of short elements at a distance of a tenth of a radius. */
enum { THIN_ROD, RING, SPHERE, PILL, DAMPED_ROD, THINGS };

static void add_thing(elastica_world *world, int thing, int n, double speed) {
  const double high = radius + 0.1 * radius;
  double velocity[3 * 65] = {0.0}, position[3 * 64];
  for (int i = 0; i <= n; i++) velocity[component(i, 2)] = -speed;
  if (thing == SPHERE || thing == PILL) {
    DEFAULTS(body, def);
    def.shape = thing == PILL ? ELASTICA_SHAPE_CAPSULE : ELASTICA_SHAPE_SPHERE;
    def.radius = radius, def.density = 1000.0, def.position[2] = high + radius, def.velocity[2] = -speed;
    if (thing == PILL) def.length = 2.0 * radius, def.position[2] += radius; /* it stands on its end */
    must(world, elastica_world_add_body(world, &def, NULL));
    return;
  }
  DEFAULTS(rod, def);
  def.element_count = n, def.length = 0.05 * radius * 64, def.radius = thing == THIN_ROD ? 0.8 * radius : radius;
  def.density = 1000.0, def.youngs_modulus = 1e3, def.shear_modulus = 4e2;
  def.start[2] = high + def.radius, def.direction[0] = 1.0, def.direction[2] = 0.0;
  def.velocity = velocity;
  if (thing == RING) {
    const double around = 0.05 * radius * 64 / 6.283185307179586;
    for (int i = 0; i < n; i++)
      set_vector(position, i, around * cos(6.283185307179586 * i / n), around * sin(6.283185307179586 * i / n), high + radius);
    def.closed = 1, def.position = position, def.length = NAN;
    for (int a = 0; a < 3; a++) def.start[a] = def.direction[a] = a == 2;
    def.start[2] = 0.0;
  }
  must(world, elastica_world_add_rod(world, &def, NULL));
}

static elastica_world *make_pair_with(int thing, int fine, double speed) {
  const int n = fine ? 64 : 16;
  elastica_world *world = make_world(NULL);
  DEFAULTS(rod, def);
  def.element_count = n, def.length = 0.05 * radius * 64, def.radius = radius;
  def.density = 1000.0, def.youngs_modulus = 1e3, def.shear_modulus = 4e2;
  def.start[0] = -0.5 * def.length, def.direction[0] = 1.0, def.direction[2] = 0.0;
  must(world, elastica_world_add_rod(world, &def, NULL));
  add_thing(world, thing, n, speed);
  DEFAULTS(contact, contact);
  contact.modulus = 1e6, contact.friction = thing == DAMPED_ROD ? 0.5 : 0.0, contact.damping = thing == DAMPED_ROD ? 100.0 : 0.0;
  contact.self = 0;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  return world;
}

static double limit_beside(int thing, int fine, double speed) {
  elastica_world *world = make_pair_with(thing, fine, speed);
  elastica_step_limit limit;
  must(world, elastica_world_step_limit(world, &limit));
  elastica_world_destroy(world);
  return limit.dt;
}

TEST(groups_beside_other_things_have_a_limit_like_that_of_long_elements) {
  for (int thing = 0; thing < THINGS; thing++)
    for (double speed = 0.09; speed < 200.0; speed *= 9.0) {
      const double fine = limit_beside(thing, 1, speed), coarse = limit_beside(thing, 0, speed);
      assert_between(fine / coarse, 0.1, 1.1);
    }
}

/* Steps that the library chooses resolve the impact: the thing is slowed down, and no energy appears. */
TEST(chosen_steps_resolve_impacts_of_groups) {
  for (int thing = 0; thing < THINGS; thing++) {
    elastica_world *world = make_pair_with(thing, 1, 0.5);
    const double before = total_energy(world);
    elastica_totals of;
    must(world, elastica_world_advance(world, 6e-3));
    const double after = total_energy(world);
    must(world, elastica_rod_get_totals(elastica_world_rod(world, 1), &of));
    if (thing == DAMPED_ROD)
      assert_between(after / before, 0.8, 0.95);
    else
      assert_between(after / before, 0.999, 1.001);
    assert_between(of.linear[2] / of.mass, -0.4, -0.1); /* from -0.5 m/s */
    elastica_world_destroy(world);
  }
}
