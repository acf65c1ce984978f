/* Claims about friction on moving solids: a thing on a solid that turns or moves keeps its place on the solid, in either order of
 * adding. */
#include "base/target.h"

#include "bodies.h"

static const double Omega = 2.0; /* [rad/s] */

/* Turns about the vertical through x = y = 0 at any position of the centre; user: the distance [m] of the centre from there. */
static elastica_status turn(void *user, double t, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double c = cos(Omega * t), s = sin(Omega * t), far = *(const double *)user;
  const double frame[9] = {c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0};
  position[0] = far * c, position[1] = far * s;
  velocity[0] = -Omega * far * s, velocity[1] = Omega * far * c;
  memcpy(director, frame, sizeof frame);
  omega[2] = Omega;
  return ELASTICA_OK;
}

/* Oscillates along x with an amplitude of 0.05 m. */
static elastica_status shake(void *user, double t, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)director, (void)omega;
  position[0] = 0.05 - 0.05 * cos(Omega * t);
  velocity[0] = 0.05 * Omega * sin(Omega * t);
  return ELASTICA_OK;
}

typedef enum carrier { BOX_FIRST, BOX_LAST, PLANE } carrier;

static elastica_rod *add_table(elastica_world *world, elastica_motion motion, double *far) {
  elastica_body_def def = default_body(ELASTICA_SHAPE_BOX);
  def.edges[0] = def.edges[1] = 2.0, def.edges[2] = 0.1;
  def.mass = 10.0, def.position[0] = *far, def.position[2] = -0.05;
  if (motion == turn) def.omega[2] = Omega, def.velocity[1] = Omega * *far;
  elastica_rod *table = add_body(world, &def);
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_FRAME, pin.motion = motion, pin.user = far;
  must(world, elastica_add_boundary(world, table, &pin, NULL));
  return table;
}

static void add_friction_of(elastica_world *world, carrier on, double modulus, elastica_motion motion, double *far) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  must(world, elastica_add_gravity(world, gravity, NULL));
  if (on == PLANE) {
    DEFAULTS(obstacle, def);
    def.kind = ELASTICA_OBSTACLE_ELASTIC;
    def.modulus = modulus, def.friction = 0.5, def.damping = 100.0, def.tangential_damping = 100.0;
    def.damping_ratio = def.tangential_damping_ratio = 0.0;
    def.motion = motion, def.user = far;
    must(world, elastica_add_obstacle(world, NULL, &def, NULL));
  } else {
    DEFAULTS(contact, def);
    def.modulus = modulus, def.friction = 0.5, def.damping = 100.0, def.tangential_damping = 100.0;
    must(world, elastica_add_contact(world, NULL, &def, NULL));
  }
}

static void add_friction(elastica_world *world, carrier on, elastica_motion motion, double *far) {
  add_friction_of(world, on, 1e5, motion, far);
}

/* Adds a ring that moves with the table from the start. */
static elastica_rod *add_ring(elastica_world *world, int turns) {
  enum { N = 16 };
  const double radius = 0.01;
  double x[3 * N], v[3 * N], spin[3 * N];
  elastica_rod *ring = NULL;
  DEFAULTS(rod, def);
  for (int i = 0; i < N; i++) {
    const double angle = acos(-1.0) * i / (N / 2);
    x[3 * i] = 0.25 + 0.1 * cos(angle), x[3 * i + 1] = 0.1 * sin(angle), x[3 * i + 2] = radius - 1e-5;
    v[3 * i] = turns ? -Omega * x[3 * i + 1] : 0.0, v[3 * i + 1] = turns ? Omega * x[3 * i] : 0.0, v[3 * i + 2] = 0.0;
    spin[3 * i] = turns ? Omega : 0.0, spin[3 * i + 1] = spin[3 * i + 2] = 0.0;
  }
  def.element_count = N, def.closed = 1, def.position = x, def.velocity = v, def.omega = spin, def.rest = ELASTICA_REST_INITIAL;
  def.radius = radius, def.density = 2000.0, def.youngs_modulus = 1e7;
  def.normal[0] = def.normal[1] = 0.0, def.normal[2] = 1.0;
  must(world, elastica_world_add_rod(world, &def, &ring));
  return ring;
}

/* Position of the centre of a rod in the frame of the table. */
static void place_on(elastica_rod *rod, elastica_motion motion, double out[2]) {
  elastica_world *world = elastica_rod_get_view(rod)->world;
  const double t = elastica_world_get(world).time;
  elastica_totals now;
  must(world, elastica_rod_get_totals(rod, &now));
  const double c = cos(Omega * t), s = sin(Omega * t), x = now.centre[0], y = now.centre[1];
  out[0] = motion == turn ? c * x + s * y : x - (0.05 - 0.05 * cos(Omega * t));
  out[1] = motion == turn ? c * y - s * x : y;
}

/* In the first second the friction springs yield by the force that moves the ring. After that the ring does not creep: at equal phases
 * of the motion it is at the same place. */
static void claim_carried(carrier on, elastica_motion motion, double far, double least) {
  elastica_world *world = make_world(NULL);
  elastica_rod *ring = on == BOX_LAST ? add_ring(world, motion == turn) : NULL;
  double first[2], last[2];
  if (on != PLANE) add_table(world, motion, &far);
  if (ring == NULL) ring = add_ring(world, motion == turn);
  add_friction(world, on, motion, &far);
  must(world, elastica_world_advance(world, acos(-1.0)));
  place_on(ring, motion, first);
  must(world, elastica_world_advance(world, acos(-1.0)));
  place_on(ring, motion, last);
  for (int a = 0; a < 2; a++) assert_close(last[a], first[a], least);
  elastica_world_destroy(world);
}

TEST(a_ring_keeps_its_place_on_a_turntable) {
  for (int on = BOX_FIRST; on <= PLANE; on++) claim_carried((carrier)on, turn, 0.0, 1e-7);
}

TEST_LONG(a_ring_keeps_its_place_on_a_table_that_moves_in_a_circle) {
  for (int on = BOX_FIRST; on <= PLANE; on++) claim_carried((carrier)on, turn, 0.1, 1e-7);
}

TEST_LONG(a_ring_keeps_its_place_on_a_shaking_table) {
  for (int on = BOX_FIRST; on <= PLANE; on++) claim_carried((carrier)on, shake, 0.0, 1e-7);
}

/* A ball that rolls on the table without slipping: with the force F at the depth h below its centre, m v' = F, I w' = h F x z and v - h
 * w x z = Omega z x r give v' = Omega/(1 + m h^2/I) z x v: a circle. h is the radius less the overlap; 2/7 of Omega is for h = radius.
 * Computes the distance of the ball from that circle, and from the circle of 2/7, after the time T, divided by the diameter of the
 * circle. */
static void roll(carrier on, double modulus, double T, double off[2]) {
  const double radius = 0.02, mass = 1000.0 * 4.0 / 3.0 * acos(-1.0) * radius * radius * radius, I = 0.4 * mass * radius * radius;
  const double overlap = mass * 9.81 / (modulus * 4.0 / 3.0 * radius), h = radius - overlap, start = 0.1, speed = 0.05;
  elastica_world *world = make_world(NULL);
  elastica_body_def def = default_body(ELASTICA_SHAPE_SPHERE);
  elastica_totals now;
  double far = 0.0;
  if (on != PLANE) add_table(world, turn, &far);
  def.radius = radius, def.density = 1000.0;
  def.position[0] = start, def.position[2] = h, def.velocity[1] = speed;
  def.omega[0] = (Omega * start - speed) / h;
  elastica_rod *ball = add_body(world, &def);
  add_friction_of(world, on, modulus, turn, &far);
  must(world, elastica_world_advance(world, T));
  must(world, elastica_rod_get_totals(ball, &now));
  for (int k = 0; k < 2; k++) {
    const double rate = k == 0 ? Omega / (1.0 + mass * h * h / I) : 2.0 / 7.0 * Omega, R = speed / rate;
    const double x = start - R + R * cos(rate * T), y = R * sin(rate * T);
    off[k] = hypot(now.centre[0] - x, now.centre[1] - y) / (2.0 * R);
  }
  elastica_world_destroy(world);
}

/* The circle is that of the overlap, but for the yielding of the friction spring, proportional to 1/k_t; it approaches the circle of 2/7
 * as the layer gets stiffer. */
TEST(a_ball_that_rolls_on_a_turntable_circles) {
  for (int on = BOX_LAST; on <= PLANE; on++) {
    double soft[2], stiff[2];
    roll((carrier)on, 1e4, 2.0, soft);
    roll((carrier)on, 1e5, 2.0, stiff);
    assert_close(soft[0], 0.0, 4e-5);
    assert_close(stiff[0], 0.0, 4e-6);
    assert_between(soft[1] / stiff[1], 9.0, 11.0);
    assert_between(stiff[1], 1e-3, 1e-2);
  }
}
