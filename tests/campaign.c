/* A campaign of random scenes: contact of rods with rods, bodies, walls and obstacles, in classes. Each class builds scenes from seeds,
 * measures in each scene the quantities of its class, and compares the worst value with a bound.
 *
 *   campaign_scenes             all classes, all scenes; prints a table: class, measure, scenes, worst value, its seed, bound, verdict
 *   campaign_scenes --slice     the first scenes of each class
 *   campaign_scenes --list      the classes, their measures and bounds
 *   campaign_scenes --class NAME   one class; --scenes N: as many scenes; --seed N: the first seed (default 1); --verbose: values of each
 *
 * The exit status is 1 when a bound is broken. A scene that ends early, because a call was refused or the simulation failed, breaks the
 * bound of the measure `ended` of its class; its sentence follows the table. A seed gives the same scene in every class run: it can be
 * repeated alone with --class NAME --seed N --scenes 1 --verbose.
 */
#include <elastica.h>
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double pi = 3.14159265358979323846;

/* ---- Random numbers and functions, the same everywhere ------------------------------------------------------------------------------- */

typedef struct random_source {
  uint64_t state;
} random_source;

static uint64_t random_bits(random_source *source) {
  uint64_t z = source->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static double between(random_source *source, double low, double high) {
  return low + (high - low) * ((double)(random_bits(source) >> 11) * 0x1p-53);
}

static int choice(random_source *source, int count) {
  return (int)(random_bits(source) % (uint64_t)count);
}

/* A random number with uniform logarithm, computed by square roots: a power of libm may differ in its last bit. */
static double between_decades(random_source *source, double low, double high) {
  double factor = high / low, value = low;
  for (uint64_t bits = random_bits(source) | UINT64_C(0x100000000); bits != 1; bits >>= 1) {
    factor = sqrt(factor);
    if (bits & 1) value *= factor;
  }
  return value;
}

/* Sine by its Taylor series, after the angle is reduced to half a circle. */
static double sine(double x) {
  x -= 2.0 * pi * floor(x / (2.0 * pi) + 0.5);
  double term = x, sum = x;
  for (int k = 1; k < 16; k++) {
    term *= -x * x / (2.0 * k * (2.0 * k + 1.0));
    sum += term;
  }
  return sum;
}

static double cosine(double x) {
  return sine(x + 0.5 * pi);
}

/* ---- Vectors ------------------------------------------------------------------------------------------------------------------------- */

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double size_of(const double a[3]) {
  return sqrt(dot(a, a));
}

static void cross(const double a[3], const double b[3], double out[3]) {
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  out[0] = x, out[1] = y, out[2] = z;
}

static void subtract(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

static void mix(const double a[3], const double b[3], double share, double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = a[i] + share * (b[i] - a[i]);
}

static double clamped(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

static void random_direction(random_source *source, double out[3]) {
  double length;
  do {
    for (int a = 0; a < 3; a++) out[a] = between(source, -1.0, 1.0);
    length = size_of(out);
  } while (length > 1.0 || length < 0.1);
  for (int a = 0; a < 3; a++) out[a] /= length;
}

/* Turns a vector about a unit axis. */
static void turn(const double axis[3], double angle, double v[3]) {
  const double c = cosine(angle), s = sine(angle), along = dot(axis, v) * (1.0 - c);
  double across[3];
  cross(axis, v, across);
  for (int a = 0; a < 3; a++) v[a] = c * v[a] + s * across[a] + along * axis[a];
}

/* ---- Things: rods and bodies before they are added ----------------------------------------------------------------------------------- */

enum { NODES = 130, THINGS = 12, SOLIDS = 2, PINS = 12 };

typedef struct thing {
  elastica_rod *rod; /* in the world, once added */
  int is_body;
  elastica_shape shape; /* of a body, with its frame and spin in material components */
  double length, edges[3], frame[9], spin[3];
  int element_count, closed; /* of a rod */
  double x[3 * NODES], v[3 * NODES], element_radius[NODES], rest_scale[NODES], normal[3];
  double youngs_modulus, dissipation;
  double radius, density; /* of rods and bodies; a body is at x and has the velocity v */
} thing;

typedef struct pin {
  int thing, node, hold_frame;
  double velocity[3]; /* velocity of the prescribed motion, reached after ramp [s]; all 0: at rest */
  double ramp, spin;  /* about z through the origin [rad/s], at once */
} pin;

/* A scene before it is added: things, and effects on them. */
typedef struct plan {
  int thing_count, pin_count, obstacle_count, wall_count, has_contact, has_gravity;
  thing things[THINGS];
  pin pins[PINS];
  elastica_contact_def contact;
  elastica_obstacle_def obstacle[SOLIDS];
  elastica_obstacle_def wall[SOLIDS];
  double gravity[3];
} plan;

enum { MEASURES = 4 };

typedef struct scene {
  random_source random;
  uint64_t seed;
  plan plan;
  elastica_world *world;
  elastica_effect *contact, *obstacle[SOLIDS], *pins[PINS];
  double value[MEASURES];
  int measured[MEASURES];
  char sentence[640];
  jmp_buf end;
} scene;

/* Ends a scene whose call failed. */
static void must(scene *s, elastica_status status) {
  if (status == ELASTICA_OK) return;
  snprintf(s->sentence, sizeof s->sentence, "%s: %s", elastica_status_text(status), elastica_world_message(s->world));
  longjmp(s->end, 1);
}

static void give_up(scene *s, const char *sentence) {
  snprintf(s->sentence, sizeof s->sentence, "the scene could not be built: %s", sentence);
  longjmp(s->end, 1);
}

/* Keeps the largest value of a measure; NaN counts as infinite. */
static void note(scene *s, int measure, double value) {
  if (!(value <= s->value[measure]) || !s->measured[measure]) s->value[measure] = value == value ? value : INFINITY;
  s->measured[measure] = 1;
}

static int node_count(const thing *t) {
  return t->is_body ? 1 : t->element_count + (t->closed ? 0 : 1);
}

static double *node(thing *t, int i) {
  return t->x + 3 * (t->closed && i == t->element_count ? 0 : i);
}

static thing *new_rod(scene *s, int element_count, double radius, double youngs_modulus) {
  if (s->plan.thing_count == THINGS || element_count >= NODES) give_up(s, "no room for a rod");
  thing *t = &s->plan.things[s->plan.thing_count++];
  memset(t, 0, sizeof *t);
  t->element_count = element_count, t->radius = radius, t->density = 1000.0, t->youngs_modulus = youngs_modulus;
  for (int a = 0; a < 3; a++) t->normal[a] = NAN;
  for (int j = 0; j < element_count; j++) t->element_radius[j] = radius, t->rest_scale[j] = 1.0;
  return t;
}

static thing *new_body(scene *s, elastica_shape shape, double radius, double length, double density) {
  if (s->plan.thing_count == THINGS) give_up(s, "no room for a body");
  thing *t = &s->plan.things[s->plan.thing_count++];
  memset(t, 0, sizeof *t);
  t->is_body = 1, t->shape = shape, t->radius = radius, t->length = length, t->density = density;
  t->frame[0] = t->frame[4] = t->frame[8] = 1.0;
  return t;
}

static void move(thing *t, const double by[3], double share) {
  for (int i = 0; i < node_count(t); i++)
    for (int a = 0; a < 3; a++) t->x[3 * i + a] += share * by[a];
}

static void move_to(thing *t, double x, double y, double z) {
  const double by[3] = {x - t->x[0], y - t->x[1], z - t->x[2]};
  move(t, by, 1.0);
}

static void turn_thing(thing *t, const double axis[3], double angle) {
  for (int i = 0; i < node_count(t); i++) turn(axis, angle, t->x + 3 * i);
  for (int a = 0; a < 3 && t->is_body; a++) turn(axis, angle, t->frame + 3 * a);
  if (t->normal[0] == t->normal[0]) turn(axis, angle, t->normal);
}

static void turn_at_random(scene *s, thing *t) {
  double axis[3];
  random_direction(&s->random, axis);
  turn_thing(t, axis, between(&s->random, -pi, pi));
}

static void set_velocity(thing *t, const double v[3]) {
  for (int i = 0; i < node_count(t); i++) memcpy(t->v + 3 * i, v, sizeof(double[3]));
}

/* ---- Shapes of centre lines ---------------------------------------------------------------------------------------------------------- */

/* A straight rod along x with its middle at the origin. */
static thing *straight(scene *s, int element_count, double length, double radius, double youngs_modulus) {
  thing *t = new_rod(s, element_count, radius, youngs_modulus);
  for (int i = 0; i <= element_count; i++) t->x[3 * i] = length * ((double)i / element_count - 0.5);
  return t;
}

/* A bend in the x-y plane about the origin that opens to +x; its straight legs converge by an angle. */
static thing *hook(scene *s, int element_count, double bend, double legs, double pinch, double radius, double youngs_modulus) {
  thing *t = new_rod(s, element_count, radius, youngs_modulus);
  const double arc = bend * (pi + 2.0 * pinch), length = arc + 2.0 * legs;
  for (int i = 0; i <= element_count; i++) {
    const double along = length * ((double)i / element_count - 0.5), side = along < 0.0 ? -1.0 : 1.0;
    const double on_arc = clamped(fabs(along), 0.0, 0.5 * arc), beyond = fabs(along) - on_arc, angle = on_arc / bend;
    t->x[3 * i] = -bend * cosine(angle) + beyond * sine(angle);
    t->x[3 * i + 1] = side * (bend * sine(angle) + beyond * cosine(angle));
  }
  return t;
}

/* A ring in the x-y plane about the origin. */
static thing *ring(scene *s, int element_count, double bend, double radius, double youngs_modulus) {
  thing *t = new_rod(s, element_count, radius, youngs_modulus);
  t->closed = 1, t->normal[0] = t->normal[1] = 0.0, t->normal[2] = 1.0;
  for (int i = 0; i < element_count; i++)
    t->x[3 * i] = bend * cosine(2.0 * pi * i / element_count), t->x[3 * i + 1] = bend * sine(2.0 * pi * i / element_count);
  return t;
}

static void trefoil(double u, double out[3]) {
  out[0] = 0.6 * (u * u * u - 3.0 * u), out[1] = 0.6 * u * u * (u * u - 4.0), out[2] = 0.15 * u * (u * u * u * u - 10.0);
}

/* An open overhand knot of this length, with nodes at equal distances. */
static thing *overhand(scene *s, int element_count, double length, double radius, double youngs_modulus) {
  enum { FINE = 4000 };
  thing *t = new_rod(s, element_count, radius, youngs_modulus);
  double total = 0.0, run = 0.0, p[3], q[3], edge[3];
  for (int pass = 0, i = 0; pass < 2; pass++) {
    trefoil(-2.25, p);
    if (pass == 1) memcpy(t->x, p, sizeof p), i = 1;
    for (int k = 1; k <= FINE; k++) {
      trefoil(-2.25 + 4.5 * k / FINE, q);
      subtract(q, p, edge);
      const double step = size_of(edge);
      if (pass == 0) total += step;
      while (pass == 1 && i <= element_count && (run + step >= total * i / element_count || k == FINE)) {
        mix(p, q, clamped((total * i / element_count - run) / step, 0.0, 1.0), t->x + 3 * i);
        i++;
      }
      if (pass == 1) run += step;
      memcpy(p, q, sizeof p);
    }
  }
  for (int i = 0; i < 3 * (element_count + 1); i++) t->x[i] *= length / total;
  return t;
}

/* Makes the radii vary along the rod, and chooses rest lengths that leave it unevenly stretched. */
static void make_uneven(scene *s, thing *t, double taper, double stretch) {
  const double a = between(&s->random, -taper, taper), b = between(&s->random, -taper, taper), c = between(&s->random, -stretch, stretch);
  const double waves = between(&s->random, 0.5, 1.5);
  for (int j = 0; j < t->element_count; j++) {
    const double u = 2.0 * (j + 0.5) / t->element_count - 1.0;
    t->element_radius[j] = t->radius * (1.0 + a * u + b * (u * u - 0.5));
    t->rest_scale[j] = 1.0 + c * sine(pi * waves * u);
  }
}

/* ---- Distances ----------------------------------------------------------------------------------------------------------------------- */

/* Distance of the segments p..q and u..w, with the shares of their closest points. */
static double segment_distance(const double p[3], const double q[3], const double u[3], const double w[3], double *s_out, double *t_out) {
  double d1[3], d2[3], r[3], x[3], y[3], gap[3];
  subtract(q, p, d1), subtract(w, u, d2), subtract(p, u, r);
  const double a = dot(d1, d1), e = dot(d2, d2), b = dot(d1, d2), c = dot(d1, r), f = dot(d2, r), determinant = a * e - b * b;
  double s = determinant > 1e-14 * a * e ? clamped((b * f - c * e) / determinant, 0.0, 1.0) : 0.0, t = e > 0.0 ? (b * s + f) / e : 0.0;
  if (t < 0.0)
    t = 0.0, s = a > 0.0 ? clamped(-c / a, 0.0, 1.0) : 0.0;
  else if (t > 1.0)
    t = 1.0, s = a > 0.0 ? clamped((b - c) / a, 0.0, 1.0) : 0.0;
  mix(p, q, s, x), mix(u, w, t, y), subtract(x, y, gap);
  if (s_out) *s_out = s;
  if (t_out) *t_out = t;
  return size_of(gap);
}

/* Distance of a point from the surface of a box or cylinder about the origin of its frame, negative inside. */
static double solid_distance(const double half[3], int round, const double local[3]) {
  double out[3], inside = -INFINITY, outside = 0.0;
  for (int a = 0; a < 3; a++) out[a] = fabs(local[a]) - half[a];
  if (round) out[0] = sqrt(local[0] * local[0] + local[1] * local[1]) - half[0], out[1] = out[0];
  for (int a = round ? 1 : 0; a < 3; a++) {
    if (out[a] > inside) inside = out[a];
    if (out[a] > 0.0) outside += out[a] * out[a];
  }
  return outside > 0.0 ? sqrt(outside) : inside;
}

static void half_sizes(const thing *t, double half[3]) {
  half[0] = half[1] = t->radius, half[2] = 0.5 * t->length;
  for (int a = 0; a < 3 && t->shape == ELASTICA_SHAPE_BOX; a++) half[a] = 0.5 * t->edges[a];
}

static int is_solid(const thing *t) {
  return t->is_body && (t->shape == ELASTICA_SHAPE_BOX || t->shape == ELASTICA_SHAPE_CYLINDER);
}

static void to_frame(const double frame[9], const double centre[3], const double x[3], double local[3]) {
  double from[3];
  subtract(x, centre, from);
  for (int a = 0; a < 3; a++) local[a] = dot(frame + 3 * a, from);
}

/* The segments of a round thing: elements of a rod, the axis of a capsule, the centre of a ball twice. */
static int segment_count(const thing *t) {
  return t->is_body ? 1 : t->element_count;
}

static double segment_of(thing *t, int j, double p[3], double q[3]) {
  if (!t->is_body) {
    memcpy(p, node(t, j), sizeof(double[3])), memcpy(q, node(t, j + 1), sizeof(double[3]));
    return t->element_radius[j];
  }
  const double half = t->shape == ELASTICA_SHAPE_CAPSULE ? 0.5 * t->length : 0.0;
  for (int a = 0; a < 3; a++) p[a] = t->x[a] - half * t->frame[6 + a], q[a] = t->x[a] + half * t->frame[6 + a];
  return t->radius;
}

/* Overlap of two things; negative: their gap. For one thing with itself: elements at least least_arc apart along it. */
static double overlap(thing *t, thing *other, double least_arc) {
  double deepest = -INFINITY, p[3], q[3], u[3], w[3], half[3], middle[3], local[3];
  if (is_solid(t) || is_solid(other)) {
    thing *solid = is_solid(t) ? t : other, *round = solid == t ? other : t;
    half_sizes(solid, half);
    for (int j = 0; j < segment_count(round); j++) {
      const double radius = segment_of(round, j, p, q);
      for (int k = 0; k <= 8; k++) {
        mix(p, q, k / 8.0, middle);
        to_frame(solid->frame, solid->x, middle, local);
        const double depth = radius - solid_distance(half, solid->shape == ELASTICA_SHAPE_CYLINDER, local);
        if (depth > deepest) deepest = depth;
      }
    }
    return deepest;
  }
  for (int i = 0; i < segment_count(t); i++) {
    const double radius = segment_of(t, i, p, q);
    double edge[3];
    subtract(q, p, edge);
    const int skip = t == other ? 1 + (int)(least_arc / size_of(edge)) : 0;
    for (int j = t == other ? i + skip : 0; j < segment_count(other); j++) {
      const double other_radius = segment_of(other, j, u, w), depth = radius + other_radius - segment_distance(p, q, u, w, NULL, NULL);
      if (depth > deepest) deepest = depth;
    }
  }
  return deepest;
}

/* Moves a thing along a unit direction until it overlaps another by this depth. */
static void push_together(scene *s, thing *moving, thing *other, const double direction[3], double depth) {
  const double step = 0.05 * (moving->radius < other->radius ? moving->radius : other->radius);
  double low = 0.0, high = 0.0;
  for (int k = 0; overlap(moving, other, 0.0) < depth; k++) {
    const double gap = -overlap(moving, other, 0.0), stride = gap > 2.0 * step ? 0.9 * gap : step;
    if (k == 4000 || high > 100.0) give_up(s, "two things did not meet");
    move(moving, direction, stride);
    low = stride, high += stride;
  }
  if (low == 0.0) give_up(s, "two things overlap before they meet");
  for (int k = 0; k < 50; k++) {
    low *= 0.5;
    move(moving, direction, overlap(moving, other, 0.0) < depth ? low : -low);
  }
}

/* ---- From the plan to a world -------------------------------------------------------------------------------------------------------- */

static elastica_status move_pin(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const pin *p = user;
  const double t = time < p->ramp ? 0.5 * time * time / p->ramp : time - 0.5 * p->ramp, rate = time < p->ramp ? time / p->ramp : 1.0;
  for (int a = 0; a < 3; a++) position[a] += p->velocity[a] * t, velocity[a] = p->velocity[a] * rate;
  if (p->spin != 0.0) {
    const double c = cosine(p->spin * time), w = sine(p->spin * time), frame[9] = {c, w, 0, -w, c, 0, 0, 0, 1};
    memcpy(director, frame, sizeof frame);
    omega[2] = p->spin;
  }
  return ELASTICA_OK;
}

static void add_thing(scene *s, thing *t) {
  if (t->is_body) {
    elastica_body_def def;
    elastica_body_def_init(&def, sizeof def);
    def.shape = t->shape, def.density = t->density;
    if (t->shape != ELASTICA_SHAPE_BOX) def.radius = t->radius;
    if (t->shape == ELASTICA_SHAPE_CYLINDER || t->shape == ELASTICA_SHAPE_CAPSULE) def.length = t->length;
    if (t->shape == ELASTICA_SHAPE_BOX) memcpy(def.edges, t->edges, sizeof def.edges);
    memcpy(def.position, t->x, sizeof def.position), memcpy(def.velocity, t->v, sizeof def.velocity);
    memcpy(def.director, t->frame, sizeof def.director), memcpy(def.omega, t->spin, sizeof def.omega);
    must(s, elastica_world_add_body(s->world, &def, &t->rod));
    return;
  }
  elastica_rod_def def;
  double rest_length[NODES];
  elastica_rod_def_init(&def, sizeof def);
  for (int j = 0; j < t->element_count; j++) {
    double edge[3];
    subtract(node(t, j + 1), node(t, j), edge);
    rest_length[j] = size_of(edge) * t->rest_scale[j];
  }
  def.element_count = t->element_count, def.closed = t->closed;
  def.position = t->x, def.velocity = t->v, def.rest_length = rest_length;
  def.radius = t->radius, def.element_radius = t->element_radius;
  def.density = t->density, def.youngs_modulus = t->youngs_modulus;
  def.rest = ELASTICA_REST_INITIAL;
  memcpy(def.normal, t->normal, sizeof def.normal);
  must(s, elastica_world_add_rod(s->world, &def, &t->rod));
}

/* Effects by number: contact, gravity, obstacles, walls, pins, dissipation of each thing. */
enum { FIRST_OBSTACLE = 2, FIRST_WALL = FIRST_OBSTACLE + SOLIDS, FIRST_PIN = FIRST_WALL + SOLIDS, FIRST_DISSIPATION = FIRST_PIN + PINS };
enum { EFFECTS = FIRST_DISSIPATION + THINGS };

static void add_effect(scene *s, int k) {
  plan *p = &s->plan;
  if (k == 0) {
    if (p->has_contact) must(s, elastica_add_contact(s->world, NULL, &p->contact, &s->contact));
  } else if (k == 1) {
    if (p->has_gravity) must(s, elastica_add_gravity(s->world, p->gravity, NULL));
  } else if (k < FIRST_WALL) {
    const int i = k - FIRST_OBSTACLE;
    if (i < p->obstacle_count) must(s, elastica_add_obstacle(s->world, NULL, &p->obstacle[i], &s->obstacle[i]));
  } else if (k < FIRST_PIN) {
    if (k - FIRST_WALL < p->wall_count) must(s, elastica_add_obstacle(s->world, NULL, &p->wall[k - FIRST_WALL], NULL));
  } else if (k < FIRST_DISSIPATION) {
    elastica_boundary_def def;
    pin *of = &p->pins[k - FIRST_PIN];
    if (k - FIRST_PIN >= p->pin_count) return;
    elastica_boundary_def_init(&def, sizeof def);
    def.node = of->node, def.element = 0, def.kind = of->hold_frame ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_PIN;
    if (size_of(of->velocity) > 0.0 || of->spin != 0.0) def.motion = move_pin, def.user = of;
    must(s, elastica_add_boundary(s->world, p->things[of->thing].rod, &def, &s->pins[k - FIRST_PIN]));
  } else if (k - FIRST_DISSIPATION < p->thing_count && p->things[k - FIRST_DISSIPATION].dissipation > 0.0) {
    const thing *t = &p->things[k - FIRST_DISSIPATION];
    elastica_dissipation_def def;
    elastica_dissipation_def_init(&def, sizeof def);
    def.translation = t->dissipation, def.rotation = t->dissipation * t->radius * t->radius;
    must(s, elastica_add_dissipation(s->world, t->rod, &def, NULL));
  }
}

static void shuffle(random_source *source, int count, int *order) {
  for (int i = 0; i < count; i++) order[i] = i;
  for (int i = count - 1; i > 0; i--) {
    const int j = choice(source, i + 1), kept = order[i];
    order[i] = order[j], order[j] = kept;
  }
}

typedef enum adding { AS_PLANNED, REVERSED, SHUFFLED } adding;

/* Builds the world of the plan anew; its things and effects are added in the given order. */
static void build_in_order(scene *s, adding order) {
  const int count = s->plan.thing_count;
  int things[THINGS], effects[EFFECTS];
  random_source source = {s->seed + 77};
  shuffle(&source, count, things);
  shuffle(&source, EFFECTS, effects);
  elastica_world_destroy(s->world);
  s->world = NULL, s->contact = NULL;
  if (elastica_world_create(NULL, &s->world) != ELASTICA_OK) give_up(s, "no world");
  for (int i = 0; i < count; i++) add_thing(s, &s->plan.things[order == SHUFFLED ? things[i] : order == REVERSED ? count - 1 - i : i]);
  for (int i = 0; i < EFFECTS; i++) add_effect(s, order == SHUFFLED ? effects[i] : order == REVERSED ? EFFECTS - 1 - i : i);
}

static void build(scene *s) {
  build_in_order(s, AS_PLANNED);
}

static void add_contact_to_plan(plan *p, double modulus, double friction) {
  elastica_contact_def_init(&p->contact, sizeof p->contact);
  p->contact.modulus = modulus, p->contact.friction = friction;
  p->has_contact = 1;
}

static void add_gravity_to_plan(plan *p, double x, double y, double z) {
  p->gravity[0] = x, p->gravity[1] = y, p->gravity[2] = z, p->has_gravity = 1;
}

static elastica_obstacle_def *add_obstacle_to_plan(plan *p, double modulus, double friction) {
  elastica_obstacle_def *def = &p->obstacle[p->obstacle_count++];
  elastica_obstacle_def_init(def, sizeof *def);
  def->kind = ELASTICA_OBSTACLE_ELASTIC;
  def->modulus = modulus, def->friction = friction;
  def->damping_ratio = def->tangential_damping_ratio = 0.0;
  return def;
}

static elastica_obstacle_def *add_wall_to_plan(plan *p, double friction) {
  elastica_obstacle_def *def = &p->wall[p->wall_count++];
  elastica_obstacle_def_init(def, sizeof *def);
  def->stiffness = 0.0, def->slip_velocity = 1e-4;
  for (int a = 0; a < 3; a++) def->static_friction[a] = def->kinetic_friction[a] = friction;
  return def;
}

static pin *add_pin_to_plan(plan *p, int of, int at) {
  pin *new_pin = &p->pins[p->pin_count++];
  memset(new_pin, 0, sizeof *new_pin);
  new_pin->thing = of, new_pin->node = at, new_pin->ramp = 0.05;
  return new_pin;
}

/* ---- Figures: two things in contact -------------------------------------------------------------------------------------------------- */

typedef enum figure {
  CROSSING, /* straight rods at any angle above 20 degrees, anywhere along their elements */
  AT_NODES, /* the same, node on node */
  STRANDS,  /* nearly parallel rods */
  TAPERS,   /* bent rods of uneven radius and stretch */
  HOLLOW,   /* a straight rod in the hollow of a bend */
  HOOKS,    /* two bends in each other */
  LINKS,    /* two rings in each other */
  HAIRPIN,  /* one rod with touching legs */
  KNOT,     /* one rod, knotted */
  END,      /* a free end on a flank */
  BALL,
  CAPSULE,
  BOX,
  CYLINDER,
  FIGURES
} figure;

static const double x_axis[3] = {1.0, 0.0, 0.0}, y_axis[3] = {0.0, 1.0, 0.0}, z_axis[3] = {0.0, 0.0, 1.0};

/* A figure in the making: things a and b, the second NULL for one rod alone, and the direction from a to b. */
typedef struct making {
  scene *s;
  figure f;
  int n;                                /* elements of a rod of this length, about */
  double depth, ratio, radius, modulus; /* see add_figure */
  double length, other_radius;
  thing *a, *b;
  double towards[3];
} making;

static void make_straight_rods(making *m) {
  scene *s = m->s;
  const int at_nodes = m->f == AT_NODES;
  m->a = straight(s, at_nodes ? 16 : m->n, m->length, m->radius, m->modulus);
  m->b = straight(s, at_nodes ? 16 : m->n - choice(&s->random, 5), 0.9 * m->length, m->other_radius, m->modulus);
  turn_thing(m->b, z_axis, m->f == STRANDS ? between(&s->random, -0.15, 0.15) : between(&s->random, 0.35, pi - 0.35));
  if (!at_nodes) turn_thing(m->b, y_axis, between(&s->random, -0.05, 0.05));
  m->towards[2] = 1.0;
  if (!at_nodes) move(m->b, x_axis, m->length * between(&s->random, -0.15, 0.15));
}

static void make_tapers(making *m) {
  scene *s = m->s;
  m->a = hook(s, m->n, m->radius * between(&s->random, 8.0, 20.0), 0.3 * m->length, 0.0, m->radius, m->modulus);
  m->b = hook(s, m->n - 3, m->radius * between(&s->random, 8.0, 20.0), 0.3 * m->length, 0.0, m->other_radius, m->modulus);
  make_uneven(s, m->a, 0.3, 0.1), make_uneven(s, m->b, 0.3, 0.1);
  turn_at_random(s, m->b);
  random_direction(&s->random, m->towards);
}

static void make_hollow(making *m) {
  random_source *source = &m->s->random;
  m->a = hook(m->s, m->n + 12, m->ratio * m->radius, m->radius * between(source, 2.0, 8.0), 0.0, m->radius, m->modulus);
  m->b = straight(m->s, m->n, m->length, m->other_radius, m->modulus);
  turn_thing(m->b, y_axis, 0.5 * pi + between(source, -0.3, 0.3));
  turn_thing(m->b, x_axis, between(source, -0.3, 0.3));
  move(m->b, y_axis, m->ratio * m->radius * between(source, -0.3, 0.3));
  m->towards[0] = 1.0, m->towards[1] = between(source, -0.2, 0.2);
}

static void make_hooks(making *m) {
  random_source *source = &m->s->random;
  m->a = hook(m->s, m->n + 12, m->ratio * m->radius, m->radius * between(source, 4.0, 8.0), 0.0, m->radius, m->modulus);
  m->b = hook(m->s, m->n + 10, (m->ratio + between(source, 0.0, 2.0)) * m->radius, m->radius * between(source, 4.0, 8.0), 0.0,
              m->other_radius, m->modulus);
  turn_thing(m->b, z_axis, pi);
  turn_thing(m->b, x_axis, 0.5 * pi + between(source, -0.3, 0.3));
  m->towards[0] = 1.0, m->towards[1] = between(source, -0.1, 0.1);
}

static void make_links(making *m) {
  random_source *source = &m->s->random;
  if (m->ratio < 2.05 + 0.5 * fabs(m->depth)) m->ratio = 2.05 + 0.5 * fabs(m->depth) + 0.2 * m->ratio;
  m->a = ring(m->s, 2 * (m->n - 4), m->ratio * m->radius, m->radius, m->modulus);
  m->b = ring(m->s, 2 * (m->n - 4), m->ratio * m->radius, m->other_radius, m->modulus);
  turn_thing(m->b, x_axis, 0.5 * pi + between(source, -0.3, 0.3));
  m->towards[0] = -1.0, m->towards[1] = between(source, -0.1, 0.1);
}

static void make_hairpin(making *m) {
  const double pinch = between(&m->s->random, 0.15, 0.35), end = (1.0 - 0.5 * m->depth) * m->radius;
  if (m->ratio * cosine(pinch) < end / m->radius + 0.05) m->ratio = (end / m->radius + 0.05) / cosine(pinch);
  const double legs = (m->ratio * m->radius * cosine(pinch) - end) / sine(pinch);
  m->a = hook(m->s, m->n + 16, m->ratio * m->radius, legs, pinch, m->radius, m->modulus);
  for (int i = 0; i <= m->a->element_count; i++) m->a->x[3 * i + 2] = 0.05 * m->radius * sine(3.0 * i / m->a->element_count);
}

static void make_knot(making *m) {
  m->a = overhand(m->s, m->n + 34, 60.0 * m->radius, m->radius, m->modulus);
  const double gap = 2.0 * m->radius - overlap(m->a, m->a, 12.0 * m->radius); /* gap of strands; closer places along the rod do not count */
  m->a->radius = gap / (2.0 - m->depth);
  for (int j = 0; j < m->a->element_count; j++) m->a->element_radius[j] = m->a->radius;
}

/* A bend, and a free end or a body on its back or in its hollow. */
static void make_flank(making *m) {
  scene *s = m->s;
  random_source *source = &s->random;
  m->a = hook(s, m->n, m->radius * between(source, 3.0, 20.0), 0.3 * m->length, 0.0, m->radius, m->modulus);
  turn_thing(m->a, z_axis, choice(source, 2) ? 0.0 : pi);
  if (m->f == END) {
    m->b = straight(s, 12, 0.5 * m->length, m->other_radius, m->modulus);
    move(m->b, y_axis, m->radius * between(source, -0.8, 0.8));
    turn_thing(m->b, y_axis, between(source, -0.4, 0.4));
    m->towards[0] = -1.0;
    return;
  }
  m->b = new_body(s,
                  m->f == BALL      ? ELASTICA_SHAPE_SPHERE
                  : m->f == CAPSULE ? ELASTICA_SHAPE_CAPSULE
                  : m->f == BOX     ? ELASTICA_SHAPE_BOX
                                    : ELASTICA_SHAPE_CYLINDER,
                  m->radius * between(source, 0.7, 3.0), m->radius * between(source, 3.0, 8.0), between(source, 300.0, 3000.0));
  for (int k = 0; k < 3; k++) m->b->edges[k] = m->radius * between(source, 3.0, 10.0);
  turn_at_random(s, m->b);
  random_direction(source, m->towards);
}

/* Moves the second thing against the first. LINKS start inside each other, all other figures outside. */
static void bring_together(making *m) {
  thing *a = m->a, *b = m->b;
  const double unit = size_of(m->towards), smaller = b->radius < a->radius && !is_solid(b) ? b->radius : a->radius;
  double back[3], aim[3];
  for (int k = 0; k < 3; k++) m->towards[k] /= unit, back[k] = -m->towards[k];
  if (m->f == TAPERS || b->is_body) {
    subtract(node(a, a->element_count / 4 + choice(&m->s->random, a->element_count / 2)), node(b, node_count(b) / 2), aim);
    move(b, aim, 1.0);
  }
  move(b, m->towards,
       m->f == LINKS   ? -m->ratio * m->radius
       : m->f == HOOKS ? 2.0 * m->radius * m->ratio + 12.0 * m->radius
                       : 2.5 * m->length);
  /* Tapers are overlapped by their radii at nodes, as the library does; the largest of them is a little smaller than the largest radius
   * of an element. */
  push_together(m->s, b, a, m->f == LINKS ? x_axis : back, (m->f == TAPERS ? m->depth + 0.05 : m->depth) * smaller);
}

/* Things 0 and 1 (one rod alone for HAIRPIN and KNOT) overlap by a share `depth` of the smaller radius; a negative share is a gap.
 * Returns the direction from 0 to 1. ratio: bend radius over rod radius. */
static void add_figure(scene *s, figure f, double depth, double ratio, double radius, double modulus, double towards[3]) {
  static void (*const make[FIGURES])(making *) = {make_straight_rods, make_straight_rods, make_straight_rods, make_tapers, make_hollow,
                                                  make_hooks,         make_links,         make_hairpin,       make_knot,   make_flank,
                                                  make_flank,         make_flank,         make_flank,         make_flank};
  making m = {.s = s, .f = f, .depth = depth, .ratio = ratio, .radius = radius, .modulus = modulus};
  m.other_radius = radius * between(&s->random, 0.5, 1.0), m.length = radius * between(&s->random, 20.0, 30.0);
  m.n = 16 + choice(&s->random, 16);
  make[f](&m);
  if (m.b != NULL)
    bring_together(&m);
  else
    m.towards[2] = 1.0;
  memcpy(towards, m.towards, sizeof m.towards);
}

/* ---- Measurements: energy, momentum, positions --------------------------------------------------------------------------------------- */

typedef struct energies {
  double kinetic, all;
} energies;

static energies energy_now(scene *s) {
  elastica_totals e;
  must(s, elastica_world_get_totals(s->world, &e));
  const double kinetic = e.translation + e.rotation;
  return (energies){kinetic, kinetic + e.bending + e.shear + e.effects};
}

static double potential_of_effects(scene *s) {
  elastica_totals e;
  must(s, elastica_world_get_totals(s->world, &e));
  return e.effects;
}

static const elastica_rod_view *view_of(const scene *s, int i) {
  return elastica_rod_get_view(s->plan.things[i].rod);
}

/* Reads the present node positions of a thing into its plan. */
static void read_positions(thing *t) {
  const elastica_rod_view *view = elastica_rod_get_view(t->rod);
  for (int i = 0; i < node_count(t); i++)
    for (int a = 0; a < 3; a++) t->x[3 * i + a] = view->position[a][i], t->v[3 * i + a] = view->velocity[a][i];
  for (int a = 0; a < 9 && t->is_body; a++) t->frame[a] = view->director[a / 3][a % 3][0];
}

/* Gives two things a velocity of approach of this size, partly sideways. */
static void approach(scene *s, const double towards[3], double speed, double sideways) {
  double side[3], v[3];
  random_direction(&s->random, side);
  const double along = dot(side, towards);
  for (int a = 0; a < 3; a++) side[a] -= along * towards[a];
  for (int k = 0; k < s->plan.thing_count && k < 2; k++) {
    const double sign = k == 0 ? 0.5 : -0.5;
    for (int a = 0; a < 3; a++) v[a] = sign * speed * (towards[a] + sideways * side[a]);
    set_velocity(&s->plan.things[k], v);
  }
  if (s->plan.thing_count > 1) return;
  thing *t = &s->plan.things[0]; /* closing legs, separating ends */
  double widest[3] = {0.0, 0.0, 0.0};
  for (int i = 0; i < 3 * node_count(t); i++)
    if (fabs(t->x[i]) > widest[i % 3]) widest[i % 3] = fabs(t->x[i]);
  for (int i = 0; i < node_count(t); i++) {
    t->v[3 * i + 1] = -0.5 * speed * t->x[3 * i + 1] / widest[1];
    t->v[3 * i + 2] = 0.5 * speed * t->x[3 * i + 2] / widest[2];
  }
}

static double working_limit(scene *s) {
  elastica_step_limit limit;
  must(s, elastica_world_step_limit(s->world, &limit));
  if (!(limit.dt < 1.0)) give_up(s, "nothing limits the step");
  return limit.dt;
}

/* Counts the touching places of rods, bodies and obstacles. */
static int touches(scene *s) {
  int count = 0;
  if (s->contact) must(s, elastica_contact_get(s->contact, NULL, 0, &count));
  for (int i = 0; i < s->plan.obstacle_count; i++) {
    int own;
    must(s, elastica_contact_get(s->obstacle[i], NULL, 0, &own));
    count += own;
  }
  return count;
}

/* ---- gradient: forces are the gradient of the energy --------------------------------------------------------------------------------- */

/* A varied coordinate of the configuration: a component of a node, or a turn of a body about a director (component 3 to 5); node -1: all
 * nodes along a given direction. */
typedef struct place {
  int thing, node, component;
  const double *direction;
} place;

static double energy_beside(scene *s, const place *at, double h) {
  thing *t = &s->plan.things[at->thing];
  double x[3 * NODES], frame[9];
  memcpy(x, t->x, sizeof x), memcpy(frame, t->frame, sizeof frame);
  if (at->node < 0)
    for (int i = 0; i < 3 * node_count(t); i++) x[i] += h * at->direction[i];
  else if (at->component < 3)
    x[3 * at->node + at->component] += h;
  else
    for (int a = 0; a < 3; a++) turn(t->frame + 3 * (at->component - 3), h, frame + 3 * a);
  must(s, elastica_rod_set_state(t->rod, x, NULL, t->is_body ? frame : NULL, NULL));
  const double energy = potential_of_effects(s);
  must(s, elastica_rod_set_state(t->rod, t->x, NULL, t->is_body ? t->frame : NULL, NULL));
  return energy;
}

/* Central differences at decreasing steps, extrapolated (Ridders); *error: the distance of the best two estimates. */
static double derivative(scene *s, const place *at, double first_step, double *error) {
  enum { LEVELS = 8 };
  double table[LEVELS][LEVELS], best = 0.0, h = first_step;
  *error = INFINITY;
  for (int k = 0; k < LEVELS; k++, h /= 1.8) {
    double factor = 1.8 * 1.8;
    table[k][0] = (energy_beside(s, at, h) - energy_beside(s, at, -h)) / (2.0 * h);
    for (int m = 1; m <= k && m < 4; m++, factor *= 1.8 * 1.8) {
      table[k][m] = (factor * table[k][m - 1] - table[k - 1][m - 1]) / (factor - 1.0);
      const double from_left = fabs(table[k][m] - table[k][m - 1]), from_above = fabs(table[k][m] - table[k - 1][m - 1]);
      const double apart = from_left > from_above ? from_left : from_above;
      if (apart < *error) *error = apart, best = table[k][m];
    }
  }
  return best;
}

static void compare(scene *s, const place *at, double force, double scale, double step, int *resolved, int *count) {
  double error;
  const double found = derivative(s, at, step, &error);
  *count += 1;
  if (error > 1e-8 * scale) return;
  *resolved += 1;
  note(s, 0, fabs(found + force) / scale);
}

/* Compares forces and couples of the figure with differences of its energy. */
static void measure_gradient(scene *s, double step) {
  static double force[THINGS][3 * NODES], couple[THINGS][3], direction[3 * NODES];
  double largest = 0.0;
  int resolved = 0, count = 0;
  must(s, elastica_world_evaluate(s->world, 0.0));
  for (int k = 0; k < s->plan.thing_count; k++) {
    const elastica_rod_view *view = view_of(s, k);
    for (int i = 0; i < view->node_count; i++) {
      for (int a = 0; a < 3; a++) force[k][3 * i + a] = view->external_force[a][i];
      const double f = size_of(&force[k][3 * i]);
      if (f > largest) largest = f;
    }
    for (int a = 0; a < 3; a++) couple[k][a] = view->external_couple[a][0];
  }
  if (!(largest > 0.0)) give_up(s, "nothing touches");
  for (int k = 0; k < s->plan.thing_count; k++) {
    thing *t = &s->plan.things[k];
    read_positions(t);
    for (int i = 0; i < node_count(t); i++)
      if (size_of(&force[k][3 * i]) > 1e-3 * largest)
        for (int a = 0; a < 3; a++) {
          const place at = {k, i, a, NULL};
          compare(s, &at, force[k][3 * i + a], largest, step, &resolved, &count);
        }
    for (int a = 0; a < 3 && t->is_body; a++) {
      const place at = {k, 0, 3 + a, NULL};
      compare(s, &at, couple[k][a], largest * t->radius, step / t->radius, &resolved, &count);
    }
    double along = 0.0;
    for (int i = 0; i < 3 * node_count(t); i++) direction[i] = between(&s->random, -1.0, 1.0), along += force[k][i] * direction[i];
    const place all = {k, -1, 0, direction};
    compare(s, &all, along, largest, step, &resolved, &count);
  }
  note(s, 1, 1.0 - (double)resolved / count);
}

static const elastica_shape solids[] = {ELASTICA_SHAPE_PLANE, ELASTICA_SHAPE_SPHERE, ELASTICA_SHAPE_CYLINDER, ELASTICA_SHAPE_BOX};

/* Adds an elastic obstacle of any shape that overlaps a rod. */
static void add_pressed_obstacle(scene *s, thing *t, double depth) {
  elastica_obstacle_def *solid = add_obstacle_to_plan(&s->plan, 1e5, 0.0);
  solid->shape = solids[choice(&s->random, 4)];
  if (solid->shape == ELASTICA_SHAPE_PLANE) {
    double lowest = INFINITY;
    random_direction(&s->random, solid->normal);
    for (int i = 0; i < node_count(t); i++) lowest = fmin(lowest, dot(solid->normal, t->x + 3 * i));
    for (int a = 0; a < 3; a++) solid->position[a] = (lowest - (1.0 - depth) * t->radius) * solid->normal[a];
    return;
  }
  /* a body of this shape is used to find the position */
  thing probe = {.is_body = 1, .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  double towards[3], back[3];
  probe.shape = solid->shape == ELASTICA_SHAPE_SPHERE     ? ELASTICA_SHAPE_SPHERE
                : solid->shape == ELASTICA_SHAPE_CYLINDER ? ELASTICA_SHAPE_CYLINDER
                                                          : ELASTICA_SHAPE_BOX;
  probe.radius = solid->radius = t->radius * between(&s->random, 1.0, 6.0), probe.length = solid->length = 8.0 * t->radius;
  for (int a = 0; a < 3; a++) probe.edges[a] = solid->edges[a] = t->radius * between(&s->random, 3.0, 12.0);
  turn_at_random(s, &probe);
  random_direction(&s->random, towards);
  move(&probe, node(t, 4 + choice(&s->random, t->element_count - 8)), 1.0);
  move(&probe, towards, 60.0 * t->radius);
  for (int a = 0; a < 3; a++) back[a] = -towards[a];
  push_together(s, &probe, t, back, depth * t->radius);
  memcpy(solid->position, probe.x, sizeof solid->position), memcpy(solid->director, probe.frame, sizeof solid->director);
}

static void play_gradient(scene *s) {
  const figure f = (figure)((s->seed - 1) % (FIGURES + 1));
  const double radius = 0.02, depth = between_decades(&s->random, 0.02, 0.4), ratio = between_decades(&s->random, 1.2, 20.0);
  double towards[3];
  if (f == FIGURES) {
    add_pressed_obstacle(s, hook(s, 24, radius * ratio, 8.0 * radius, 0.0, radius, 1e5), depth);
    build(s);
  } else {
    add_contact_to_plan(&s->plan, 1e5, 0.0);
    add_figure(s, f, depth, ratio, radius, 1e5, towards);
    build(s);
  }
  measure_gradient(s, 0.004 * depth * radius);
}

/* ---- momentum: action and reaction, also of friction and dampers --------------------------------------------------------------------- */

/* Sums the forces and their moments at the present positions; returns 0 if nothing touches. */
static int measure_balance(scene *s) {
  double sum[3] = {0}, moment[3] = {0}, scale = 0.0, lever = 0.0, m[3];
  must(s, elastica_world_evaluate(s->world, 0.0));
  for (int k = 0; k < s->plan.thing_count; k++) {
    const elastica_rod_view *view = view_of(s, k);
    for (int i = 0; i < view->node_count; i++) {
      const double force[3] = {view->external_force[0][i], view->external_force[1][i], view->external_force[2][i]};
      const double arm[3] = {view->position[0][i], view->position[1][i], view->position[2][i]};
      cross(arm, force, m);
      for (int a = 0; a < 3; a++) sum[a] += force[a], moment[a] += m[a];
      scale += size_of(force), lever = size_of(arm) > lever && size_of(force) > 0.0 ? size_of(arm) : lever;
    }
    for (int j = 0; j < view->element_count; j++) {
      const double couple[3] = {view->external_couple[0][j], view->external_couple[1][j], view->external_couple[2][j]};
      elastica_rotate_to_laboratory(view, j, couple, m);
      for (int a = 0; a < 3; a++) moment[a] += m[a];
    }
  }
  if (!(scale > 0.0)) return 0;
  note(s, 0, size_of(sum) / scale);
  note(s, 1, size_of(moment) / (scale * lever));
  return 1;
}

/* The error of the angular momentum of moving things falls with the square of the step. */
static void play_momentum(scene *s) {
  const figure f = (figure)((s->seed - 1) % FIGURES);
  double towards[3], speed = between_decades(&s->random, 0.1, 1.0), change[3], angular[2];
  int touched = 0;
  elastica_totals before, after;
  add_contact_to_plan(&s->plan, 2e5, between(&s->random, 0.0, 1.0));
  s->plan.contact.damping = between(&s->random, 0.0, 100.0), s->plan.contact.tangential_damping = between(&s->random, 0.0, 100.0);
  add_figure(s, f, between_decades(&s->random, 0.02, 0.3), between_decades(&s->random, 1.2, 20.0), 0.02, 1e5, towards);
  approach(s, towards, speed, 0.7);
  for (int k = 0; k < s->plan.thing_count; k++) random_direction(&s->random, s->plan.things[k].spin);
  build(s);
  const double dt = 0.1 * working_limit(s);
  for (int half = 0; half < 2; half++) {
    if (half) build(s);
    must(s, elastica_world_get_totals(s->world, &before));
    touched += measure_balance(s);
    for (int k = 0; k < 10; k++) { /* builds up the history of friction */
      must(s, elastica_world_step(s->world, half ? 0.5 * dt : dt, half ? 60 : 30));
      touched += measure_balance(s);
    }
    must(s, elastica_world_get_totals(s->world, &after));
    subtract(after.linear, before.linear, change);
    note(s, 2, size_of(change) / (before.mass * speed));
    subtract(after.angular, before.angular, change);
    angular[half] = size_of(change) / (before.mass * speed * s->plan.things[0].radius);
  }
  if (touched == 0) give_up(s, "nothing touches");
  note(s, 3, angular[0] < 1e-12 ? 0.0 : angular[1] / angular[0]);
}

/* ---- energy: undamped, without friction ---------------------------------------------------------------------------------------------- */

/* Runs a plan in fixed steps; returns the root of the mean square of the energy error at its samples, divided by the largest kinetic
 * energy; *worst: the largest error. */
static double energy_error(scene *s, double dt, long steps, double *worst) {
  enum { SAMPLES = 50 };
  double sum = 0.0, kinetic = 0.0, largest = 0.0;
  int touched = touches(s);
  const double first = energy_now(s).all;
  for (int k = 0; k < SAMPLES; k++) {
    must(s, elastica_world_step(s->world, dt, steps / SAMPLES));
    const energies e = energy_now(s);
    const double error = fabs(e.all - first);
    touched += touches(s);
    sum += error * error;
    if (error > largest) largest = error;
    if (e.kinetic > kinetic) kinetic = e.kinetic;
  }
  if (touched == 0) give_up(s, "nothing touches");
  *worst = largest / kinetic;
  return sqrt(sum / SAMPLES) / kinetic;
}

/* Adds a grid of rods, alternately over and under, on which a rod or ball falls. */
static void add_net(scene *s, double radius, double modulus) {
  enum { ACROSS = 3 };
  const double pitch = between(&s->random, 5.0, 8.0) * radius, z = 1.05 * radius;
  for (int k = 0; k < 2 * ACROSS; k++) {
    thing *t = straight(s, 24, (ACROSS + 2) * pitch, radius, modulus);
    if (k >= ACROSS) turn_thing(t, z_axis, 0.5 * pi);
    for (int i = 0; i <= t->element_count; i++) {
      const double along = (k < ACROSS ? t->x[3 * i] : t->x[3 * i + 1]) / pitch + (k % ACROSS);
      t->x[3 * i + (k < ACROSS ? 1 : 0)] += (k % ACROSS - 1) * pitch;
      t->x[3 * i + 2] = (k < ACROSS ? 1.0 : -1.0) * z * cosine(pi * along);
    }
  }
  thing *falling = straight(s, 12, 8.0 * radius, radius, modulus);
  turn_thing(falling, z_axis, between(&s->random, -pi, pi));
  move_to(falling, falling->x[0] + between(&s->random, -1.0, 1.0) * radius, falling->x[1], 4.2 * radius);
}

static void play_energy_of(scene *s, double least_speed, double most_speed) {
  enum { NET = FIGURES, KINDS };
  const figure f = (figure)((s->seed - 1) % KINDS);
  const double radius = 0.02, modulus = 1e5, c = sqrt(modulus / 1000.0), speed = c * between_decades(&s->random, least_speed, most_speed);
  const double gap = 0.05, ratio = between_decades(&s->random, 1.2, 8.0);
  double towards[3] = {0.0, 0.0, 1.0}, worst[2], mean[2];
  add_contact_to_plan(&s->plan, modulus * between(&s->random, 1.0, 3.0), 0.0);
  if (f == (figure)NET) {
    const double down[3] = {0.0, 0.0, -speed};
    add_net(s, radius, modulus);
    set_velocity(&s->plan.things[s->plan.thing_count - 1], down);
  } else {
    add_figure(s, f, f == KNOT ? gap : -gap, ratio, radius, modulus, towards);
    approach(s, towards, speed, 0.3);
  }
  build(s);
  const double dt = 0.05 * working_limit(s), duration = 2.0 * radius / speed + 4.0 * radius / c;
  long steps = 50 * (long)(duration / dt / 50.0 + 1.0);
  if (steps > 25000) steps = 25000;
  for (int half = 0; half < 2; half++) {
    if (half) build(s);
    mean[half] = energy_error(s, half ? 0.5 * dt : dt, half ? 2 * steps : steps, &worst[half]);
  }
  note(s, 0, worst[0]);
  /* below 1e-9 the error is rounding */
  note(s, 1, mean[0] < 1e-9 ? 0.0 : mean[1] / mean[0]);
}

static void play_energy(scene *s) {
  play_energy_of(s, 0.01, 0.05);
}

static void play_violent(scene *s) {
  play_energy_of(s, 0.1, 0.3);
}

/* ---- friction dissipates energy and never adds any ----------------------------------------------------------------------------------- */

static void play_friction(scene *s) {
  const int driven = s->seed % 3 == 0; /* a prescribed motion of its ends draws one rod across the other */
  const figure f = driven ? CROSSING : (figure)((s->seed - 1) % FIGURES);
  const double modulus = 1e5, radius = 0.02, speed = sqrt(modulus / 1000.0) * between_decades(&s->random, 0.01, 0.05);
  double towards[3], lowest = INFINITY, rise = 0.0, scale = 0.0;
  int touched = 0;
  elastica_budget *budget = NULL;
  add_contact_to_plan(&s->plan, modulus * between(&s->random, 1.0, 3.0), between(&s->random, 0.1, 1.0));
  add_figure(s, f, driven || f == KNOT ? 0.1 : -0.02, between_decades(&s->random, 1.5, 8.0), radius, modulus, towards);
  if (driven) {
    const double along = 0.6 * speed, across = speed * between(&s->random, -1.0, 1.0);
    for (int k = 0; k < 2; k++)
      for (int end = 0; end < 2; end++) {
        pin *held = add_pin_to_plan(&s->plan, k, end ? -1 : 0);
        if (k == 1) held->velocity[0] = along, held->velocity[1] = across, held->velocity[2] = -0.5 * speed;
      }
  } else
    approach(s, towards, speed, 0.7);
  build(s);
  must(s, elastica_budget_open(s->world, &budget));
  const double dt = 0.01 * working_limit(s), duration = 3.0 * radius / speed + 5.0 * radius / sqrt(modulus / 1000.0);
  const long steps = (long)(duration / dt / 60.0) + 1;
  touched = touches(s);
  for (int k = 0; k < 60; k++) {
    elastica_budget_share share;
    double work = 0.0;
    must(s, elastica_world_step(s->world, dt, steps < 400 ? steps : 400));
    const energies e = energy_now(s);
    touched += touches(s);
    for (int i = 0; i < s->plan.pin_count; i++) {
      must(s, elastica_budget_get_effect(budget, elastica_effect_get(s->pins[i]).index, &share));
      work += share.work;
    }
    if (e.all - work < lowest) lowest = e.all - work;
    if (e.all - work - lowest > rise) rise = e.all - work - lowest;
    if (e.kinetic > scale) scale = e.kinetic;
    if (fabs(work) > scale) scale = fabs(work);
  }
  elastica_budget_close(budget);
  if (touched == 0) give_up(s, "nothing touches");
  note(s, 0, rise / scale);
}

/* ---- penetration: no centre line crosses another, no centre enters a solid ----------------------------------------------------------- */

/* The previous frame, to find crossings between frames. */
typedef struct frame {
  double x[THINGS][3 * NODES];
  double director[THINGS][9];
} frame;

static void keep_frame(scene *s, frame *f) {
  for (int k = 0; k < s->plan.thing_count; k++) {
    read_positions(&s->plan.things[k]);
    memcpy(f->x[k], s->plan.things[k].x, sizeof f->x[k]), memcpy(f->director[k], s->plan.things[k].frame, sizeof f->director[k]);
  }
}

/* Six times the volume of the tetrahedron of two segments at a time between two frames, and the segments then. */
static double volume_at(double share, double ends[2][4][3], double now[4][3]) {
  double a[3], b[3], c[3], across[3];
  for (int k = 0; k < 4; k++) mix(ends[0][k], ends[1][k], share, now[k]);
  subtract(now[1], now[0], a), subtract(now[3], now[2], b), subtract(now[2], now[0], c);
  cross(a, b, across);
  return dot(across, c);
}

/* 1 when two segments pass through each other; their ends move in straight lines from frame to frame. */
static int segments_cross(double ends[2][4][3], double slack) {
  enum { PARTS = 12 };
  double now[4][3], before = volume_at(0.0, ends, now);
  for (int k = 1; k <= PARTS; k++) {
    const double after = volume_at((double)k / PARTS, ends, now);
    if ((before < 0.0) != (after < 0.0)) {
      double low = (k - 1.0) / PARTS, high = (double)k / PARTS;
      for (int m = 0; m < 45; m++) {
        const double middle = 0.5 * (low + high);
        if ((volume_at(middle, ends, now) < 0.0) == (before < 0.0))
          low = middle;
        else
          high = middle;
      }
      volume_at(low, ends, now);
      if (segment_distance(now[0], now[1], now[2], now[3], NULL, NULL) < slack) return 1;
    }
    before = after;
  }
  return 0;
}

static int is_free_end(const thing *t, int j, double share) {
  return !t->is_body && !t->closed && ((j == 0 && share == 0.0) || (j == t->element_count - 1 && share == 1.0));
}

/* Counts the pairs of elements of two things (or one) that have passed through each other since the frame. Boxes and cylinders are left
 * out. Round bodies and rod ends count as crossed if their centre or axis comes within a twentieth of the radii. */
static int crossings(scene *s, const frame *before, int first, int second) {
  thing *a = &s->plan.things[first], *b = &s->plan.things[second];
  int count = 0;
  double ends[2][4][3];
  for (int i = 0; i < segment_count(a); i++) {
    const double radius = segment_of(a, i, ends[1][0], ends[1][1]);
    double edge[3];
    subtract(ends[1][1], ends[1][0], edge);
    const int skip = first == second ? 2 + (int)(pi * radius / size_of(edge)) : 0;
    for (int j = first == second ? i + skip : 0; j < segment_count(b); j++) {
      if (first == second && a->closed && i + a->element_count - j < skip) continue; /* neighbours across the closing joint */
      const double reach = radius + segment_of(b, j, ends[1][2], ends[1][3]);
      double share, other_share;
      const double distance = segment_distance(ends[1][0], ends[1][1], ends[1][2], ends[1][3], &share, &other_share);
      if (distance > reach) continue;
      if (a->is_body || b->is_body || is_free_end(a, i, share) || is_free_end(b, j, other_share)) {
        count += distance < 0.05 * reach;
        continue;
      }
      const int i1 = a->closed && i + 1 == a->element_count ? 0 : i + 1, j1 = b->closed && j + 1 == b->element_count ? 0 : j + 1;
      memcpy(ends[0][0], before->x[first] + 3 * i, sizeof ends[0][0]), memcpy(ends[0][1], before->x[first] + 3 * i1, sizeof ends[0][1]);
      memcpy(ends[0][2], before->x[second] + 3 * j, sizeof ends[0][2]), memcpy(ends[0][3], before->x[second] + 3 * j1, sizeof ends[0][3]);
      count += segments_cross(ends, 1e-6 * reach);
    }
  }
  return count;
}

/* Counts the points of the centre line of a thing that have been inside a solid since the frame. The solid has half sizes; it is a plane
 * if round is 2, a ball if 3. Its present frame is used, as it turns little between frames. */
static int entries(thing *t, const double *before, const double half[3], int round, const double solid_frame[9], const double centre[3],
                   const double centre_before[3]) {
  enum { PLACES = 4, TIMES = 24 };
  int count = 0;
  const int n = node_count(t);
  for (int i = 0; i < PLACES * n; i++) {
    double local[2][3], point[3], at[2][3];
    const int first = i / PLACES, next = first + 1 < n ? first + 1 : t->closed ? 0 : first;
    const double share = (double)(i % PLACES) / PLACES;
    mix(before + 3 * first, before + 3 * next, share, at[0]), mix(t->x + 3 * first, t->x + 3 * next, share, at[1]);
    to_frame(solid_frame, centre_before, at[0], local[0]), to_frame(solid_frame, centre, at[1], local[1]);
    for (int k = 1; k <= TIMES; k++) {
      mix(local[0], local[1], (double)k / TIMES, point);
      const double out = round == 2 ? point[2] : round == 3 ? size_of(point) - half[0] : solid_distance(half, round, point);
      if (out < 0.0) {
        count++;
        break;
      }
    }
  }
  return count;
}

static int count_all_crossings(scene *s, const frame *before) {
  int count = 0;
  plan *p = &s->plan;
  for (int i = 0; i < p->thing_count; i++)
    for (int j = i; j < p->thing_count; j++) {
      thing *a = &p->things[i], *b = &p->things[j];
      if (!is_solid(a) && !is_solid(b)) {
        if (i != j || !a->is_body) count += crossings(s, before, i, j);
      } else if (!(is_solid(a) && is_solid(b))) {
        const int k = is_solid(a) ? i : j;
        double half[3];
        half_sizes(&p->things[k], half);
        count += entries(k == i ? b : a, before->x[k == i ? j : i], half, p->things[k].shape == ELASTICA_SHAPE_CYLINDER, p->things[k].frame,
                         p->things[k].x, before->x[k]);
      }
    }
  for (int i = 0; i < p->obstacle_count; i++) {
    const elastica_obstacle_def *o = &p->obstacle[i];
    const double half[3] = {o->shape == ELASTICA_SHAPE_BOX ? 0.5 * o->edges[0] : o->radius, 0.5 * o->edges[1],
                            o->shape == ELASTICA_SHAPE_BOX ? 0.5 * o->edges[2] : 0.5 * o->length};
    const int round = o->shape == ELASTICA_SHAPE_PLANE      ? 2
                      : o->shape == ELASTICA_SHAPE_SPHERE   ? 3
                      : o->shape == ELASTICA_SHAPE_CYLINDER ? 1
                                                            : 0;
    double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (o->director[0] == o->director[0])
      memcpy(axes, o->director, sizeof axes);
    else
      memcpy(axes + 6, o->normal, sizeof o->normal);
    for (int k = 0; k < p->thing_count; k++) count += entries(&p->things[k], before->x[k], half, round, axes, o->position, o->position);
  }
  return count;
}

static int names_rod(const char *sentence, int k) {
  static const char *const formats[] = {"rod %d", "rods %d", "and %d", "body %d"};
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, formats[i], k);
    for (const char *found = strstr(sentence, wanted); found; found = strstr(found + 1, wanted)) {
      const char end = found[strlen(wanted)];
      if (end < '0' || end > '9') return 1;
    }
  }
  return 0;
}

/* A rod (flat, inclined or end first), a ball or a capsule falls fast on an elastic obstacle; thin boxes are among the obstacles. */
static void add_fall_on_obstacle(scene *s, double modulus, double speed, double down[3]) {
  const double radius = 0.02;
  const int kind = choice(&s->random, 3), upright = choice(&s->random, 3) == 0;
  elastica_obstacle_def *solid = add_obstacle_to_plan(&s->plan, modulus * between_decades(&s->random, 0.1, 3.0), 0.0);
  thing *t = kind == 0   ? straight(s, 20, 20.0 * radius, radius, modulus)
             : kind == 1 ? new_body(s, ELASTICA_SHAPE_SPHERE, radius, 0.0, 1000.0)
                         : new_body(s, ELASTICA_SHAPE_CAPSULE, radius, 4.0 * radius, 1000.0);
  double lowest = 0.0;
  if (t->is_body)
    turn_at_random(s, t), lowest = -0.5 * t->length;
  else {
    turn_thing(t, y_axis, between(&s->random, -0.5, 0.5) * (double)choice(&s->random, 2) + (upright ? 0.5 * pi : 0.0));
    for (int i = 0; i < node_count(t); i++) lowest = t->x[3 * i + 2] < lowest ? t->x[3 * i + 2] : lowest;
  }
  solid->shape = solids[choice(&s->random, 4)];
  double top = 0.0;
  if (solid->shape == ELASTICA_SHAPE_SPHERE) solid->radius = top = radius * between(&s->random, 0.3, 5.0);
  if (solid->shape == ELASTICA_SHAPE_CYLINDER) { /* a cylinder along y, below and across */
    solid->radius = top = radius * between(&s->random, 0.3, 5.0), solid->length = 20.0 * radius;
    memcpy(solid->normal, y_axis, sizeof solid->normal);
    const double axes[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    memcpy(solid->director, axes, sizeof axes);
  }
  if (solid->shape == ELASTICA_SHAPE_BOX) {
    const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(solid->director, axes, sizeof axes);
    solid->edges[0] = solid->edges[1] = 12.0 * radius, solid->edges[2] = radius * between_decades(&s->random, 0.02, 4.0);
    top = 0.5 * solid->edges[2];
  }
  const double up[3] = {0.0, 0.0, top + 1.2 * radius - lowest};
  move(t, up, 1.0);
  down[0] = speed * between(&s->random, -0.2, 0.2), down[2] = -speed;
  set_velocity(t, down);
}

/* Takes implicit steps for a time, of a given size or with an accuracy; the other is NaN. */
static elastica_status run_implicitly(scene *s, double duration, double dt, double accuracy) {
  elastica_implicit_def def;
  elastica_implicit_def_init(&def, sizeof def);
  def.until = elastica_world_get(s->world).time + duration;
  def.dt = dt, def.accuracy = accuracy;
  return elastica_world_run_implicit(s->world, &def, NULL);
}

enum { FAST, FLANK, ROUND, OBSTACLE, THIN_BOX, PULLED_KNOT, PULLED_HOOKS, THROWN_AT_OBSTACLE, THROWN_AT_BODY, THROWN_AT_ROD, DANGERS };

static figure figure_of_danger(scene *s, int kind) {
  switch (kind) {
  case FAST: return CROSSING;
  case FLANK: return END;
  case ROUND: return choice(&s->random, 2) ? BALL : CAPSULE;
  case THIN_BOX: return BOX;
  case THROWN_AT_BODY: return choice(&s->random, 2) ? BOX : CYLINDER;
  case THROWN_AT_ROD: return choice(&s->random, 3) ? BALL : END;
  case PULLED_KNOT: return KNOT;
  default: return choice(&s->random, 2) ? HOOKS : LINKS;
  }
}

/* Makes a box thin and turns its thin side to the rod. */
static void face_thin_side(scene *s, double radius, const double towards[3]) {
  thing *a = &s->plan.things[0], *b = &s->plan.things[1];
  b->edges[2] = radius * between_decades(&s->random, 0.1, 1.0), b->edges[0] = b->edges[1] = 10.0 * radius;
  random_direction(&s->random, b->frame);
  cross(b->frame, towards, b->frame + 3);
  const double size = size_of(b->frame + 3);
  for (int k = 0; k < 3; k++) b->frame[3 + k] /= size, b->frame[6 + k] = towards[k];
  cross(b->frame + 3, b->frame + 6, b->frame);
  move(b, towards, 15.0 * radius);
  push_together(s, b, a, (double[3]){-towards[0], -towards[1], -towards[2]}, -0.2 * radius);
}

/* Pulls both ends of a knot; they point along z, and its first end is below. */
static void pull_knot(scene *s, double speed) {
  s->plan.things[0].dissipation = 0.5;
  s->plan.contact.damping = 1e-4 * s->plan.contact.modulus;
  for (int end = 0; end < 2; end++) add_pin_to_plan(&s->plan, 0, end ? -1 : 0)->velocity[2] = end ? speed : -speed;
  if (s->plan.things[0].x[2] > 0.0) s->plan.pins[0].velocity[2] = speed, s->plan.pins[1].velocity[2] = -speed;
}

/* Pulls two hooks by their ends, or two rings by two nodes of the far sides. */
static void pull_hooks(scene *s, double speed) {
  for (int k = 0; k < 2; k++)
    for (int end = 0; end < 2; end++) {
      const thing *t = &s->plan.things[k];
      const int far = t->element_count / 2 * (k == 0);
      pin *pull = add_pin_to_plan(&s->plan, k, t->closed ? far + end : end ? -1 : 0);
      pull->velocity[0] = (k == 0 ? 1.0 : -1.0) * speed;
      if (t->closed) pull->velocity[0] *= -1.0;
    }
}

/* Plans two things that move against each other. Returns the distance within which they touch; it may change the speed. */
static double plan_danger(scene *s, int kind, double radius, double modulus, double *speed) {
  double towards[3];
  add_contact_to_plan(&s->plan, modulus * between_decades(&s->random, 0.02, kind == FAST ? 0.2 : 2.0), 0.0);
  const figure f = figure_of_danger(s, kind);
  add_figure(s, f, -0.2, between_decades(&s->random, 2.0, 8.0), radius, modulus, towards);
  if (kind == THIN_BOX || (kind == THROWN_AT_BODY && f == BOX)) face_thin_side(s, radius, towards);
  const thing *b = &s->plan.things[1];
  const double reach = radius + (s->plan.thing_count > 1 && !is_solid(b) ? b->radius : 0.0);
  if (kind == PULLED_KNOT)
    pull_knot(s, *speed = between_decades(&s->random, 0.1, 1.0));
  else if (kind == PULLED_HOOKS)
    pull_hooks(s, *speed = between_decades(&s->random, 0.3, 3.0));
  else
    approach(s, towards, *speed, 0.1);
  return reach;
}

/* Notes whether a failure names the rods in contact: one of them if any may be the cause. */
static void note_failure(scene *s, int any) {
  const char *sentence = elastica_world_message(s->world);
  const int one = names_rod(sentence, 0), other = s->plan.thing_count > 1 && names_rod(sentence, 1);
  const int named = any ? one || other : one && (other || s->plan.thing_count < 2);
  if (!named) snprintf(s->sentence, sizeof s->sentence, "%s", sentence);
  note(s, 1, named ? 0.0 : 1.0);
}

static void play_penetration_of(scene *s, int implicit) {
  static frame before;
  const int kind = (int)((s->seed - 1) % DANGERS);
  const double radius = 0.01, modulus = 1e6, c = sqrt(modulus / 1000.0);
  double speed = c * between_decades(&s->random, 0.05, 1.0 / 3.0), down[3] = {0.0, 0.0, 0.0}, reach = 0.02, dt = 0.0;
  int crossed = 0;
  const int thrown = kind >= THROWN_AT_OBSTACLE, fixed = thrown && choice(&s->random, 2);
  if (thrown) speed = between_decades(&s->random, 1.0, 30.0);
  if (kind == FAST) speed = c * between(&s->random, 0.2, 1.0 / 3.0);
  if (kind == OBSTACLE || kind == THROWN_AT_OBSTACLE)
    add_fall_on_obstacle(s, modulus, speed, down);
  else
    reach = plan_danger(s, kind, radius, modulus, &speed);
  build(s);
  const double interval = (kind == FLANK || kind == ROUND || kind == THROWN_AT_ROD ? 0.03 : 0.1) * reach / speed;
  if (fixed) dt = working_limit(s) * between(&s->random, 0.3, 1.2);
  const int frames = kind == PULLED_KNOT    ? (int)(30.0 * radius / speed / interval)
                     : kind == PULLED_HOOKS ? (int)(12.0 * radius / speed / interval)
                                            : (int)(8.0 * reach / speed / interval);
  for (int k = 0; k < frames && crossed == 0; k++) {
    keep_frame(s, &before);
    const elastica_status status = implicit ? run_implicitly(s, interval, NAN, 0.02 * radius)
                                   : fixed  ? elastica_world_step(s->world, dt, dt < interval ? (long)(interval / dt) : 1)
                                            : elastica_world_advance(s->world, interval);
    if (status != ELASTICA_OK) { /* a failure is accepted if it names the rods in contact; after a refused step the shorter step is used */
      note_failure(s, thrown || implicit);
      break;
    }
    for (int i = 0; i < s->plan.thing_count; i++) read_positions(&s->plan.things[i]);
    crossed += count_all_crossings(s, &before);
  }
  note(s, 0, crossed);
  note(s, 1, 0.0);
}

static void play_penetration(scene *s) {
  play_penetration_of(s, 0);
}

/* ---- implicit steps ------------------------------------------------------------------------------------------------------------------ */

static void play_implicit_penetration(scene *s) {
  play_penetration_of(s, 1);
}

/* Two things meet without friction and dampers, in steps of a given size and of half of it. */
static void play_implicit(scene *s) {
  enum { SAMPLES = 50, PARTS = 8 };
  static frame before;
  static plan planned;
  const figure f = (figure)((s->seed - 1) % FIGURES);
  const double radius = 0.02, modulus = 1e5, c = sqrt(modulus / 1000.0), speed = c * between_decades(&s->random, 0.01, 0.1);
  const double ratio = between_decades(&s->random, 1.2, 8.0);
  double towards[3], gain[2] = {0.0, 0.0}, change[3];
  add_contact_to_plan(&s->plan, modulus * between(&s->random, 1.0, 3.0), 0.0);
  add_figure(s, f, f == KNOT ? 0.05 : -0.05, ratio, radius, modulus, towards);
  approach(s, towards, speed, 0.3);
  for (int k = 0; k < s->plan.thing_count; k++) random_direction(&s->random, s->plan.things[k].spin);
  planned = s->plan;
  build(s);
  const double part = (2.0 * radius / speed + 4.0 * radius / c) / SAMPLES;
  for (int half = 0; half < 2; half++) {
    elastica_totals start, now;
    double kinetic = 0.0;
    if (half) {
      s->plan = planned; /* keep_frame has written to it */
      build(s);
    }
    int touched = touches(s), crossed = 0;
    must(s, elastica_world_get_totals(s->world, &start));
    const energies first = energy_now(s);
    for (int k = 0; k < SAMPLES; k++) {
      keep_frame(s, &before);
      must(s, run_implicitly(s, part, part / (half ? 2 * PARTS : PARTS), NAN));
      for (int i = 0; i < s->plan.thing_count; i++) read_positions(&s->plan.things[i]);
      crossed += count_all_crossings(s, &before);
      touched += touches(s);
      const energies e = energy_now(s);
      gain[half] = fmax(gain[half], e.all - first.all);
      kinetic = fmax(kinetic, e.kinetic);
    }
    if (touched == 0) give_up(s, "nothing touches");
    must(s, elastica_world_get_totals(s->world, &now));
    subtract(now.linear, start.linear, change);
    gain[half] /= kinetic;
    note(s, 0, gain[half]);
    note(s, 1, size_of(change) / (start.mass * speed));
    note(s, 2, crossed);
  }
  note(s, 3, gain[0] < 1e-5 ? 0.0 : gain[1] / gain[0]); /* of second order; below, the error of Newton's method */
}

/* ---- bodies and rods on walls and obstacles ------------------------------------------------------------------------------------------ */

/* Advances to a time in calls of one duration, by elastica_world_advance or elastica_world_run. */
static void go_to(scene *s, double time, double interval, int run) {
  double at = elastica_world_get(s->world).time;
  while (at < time - 1e-9) {
    const double next = at + interval < time - 1e-9 ? at + interval : time;
    if (run) {
      elastica_run_def def;
      elastica_run_result result;
      elastica_run_def_init(&def, sizeof def);
      def.until = next, def.most_steps = 3000000;
      must(s, elastica_world_run(s->world, &def, &result));
      if (!result.finished) give_up(s, "more than 3,000,000 steps in one call");
    } else {
      must(s, elastica_world_advance(s->world, next - at));
    }
    at = elastica_world_get(s->world).time;
    if (at < next) at = next;
  }
}

static double usual_interval(scene *s) {
  static const double intervals[] = {0.001, 1.0 / 240.0, 1.0 / 60.0, 0.1, 0.2, 0.5, 1.0};
  return intervals[choice(&s->random, sizeof intervals / sizeof intervals[0])];
}

static double least_half(const thing *t) {
  double half = t->radius;
  if (t->is_body && t->shape == ELASTICA_SHAPE_CYLINDER && 0.5 * t->length < half) half = 0.5 * t->length;
  if (!t->is_body || t->shape != ELASTICA_SHAPE_BOX) return half;
  half = 0.5 * t->edges[0];
  for (int a = 1; a < 3; a++) half = 0.5 * t->edges[a] < half ? 0.5 * t->edges[a] : half;
  return half;
}

/* The extent of a body from its centre against a normal. */
static double extent_along(const thing *t, const double normal[3]) {
  double along[3];
  for (int a = 0; a < 3; a++) along[a] = t->is_body ? fabs(dot(t->frame + 3 * a, normal)) : 0.0;
  if (!t->is_body || t->shape == ELASTICA_SHAPE_SPHERE) return t->radius;
  if (t->shape == ELASTICA_SHAPE_CAPSULE) return t->radius + 0.5 * t->length * along[2];
  if (t->shape == ELASTICA_SHAPE_CYLINDER)
    return t->radius * sqrt(clamped(1.0 - along[2] * along[2], 0.0, 1.0)) + 0.5 * t->length * along[2];
  return 0.5 * (t->edges[0] * along[0] + t->edges[1] * along[1] + t->edges[2] * along[2]);
}

/* Depth of a thing below a plane, given by a point and a unit normal, as a share of its size. */
static double sinking(thing *t, const double position[3], const double normal[3]) {
  double deepest = -INFINITY;
  for (int i = 0; i < node_count(t); i++) {
    double from[3];
    subtract(t->x + 3 * i, position, from);
    const double depth = extent_along(t, normal) - dot(from, normal);
    if (depth > deepest) deepest = depth;
  }
  return deepest / least_half(t);
}

static thing *random_body(scene *s, elastica_shape shape) {
  thing *t = new_body(s, shape, between(&s->random, 0.02, 0.06), between(&s->random, 0.05, 0.15), between(&s->random, 300.0, 3000.0));
  for (int a = 0; a < 3; a++) t->edges[a] = between(&s->random, 0.04, 0.15);
  return t;
}

/* A thing on the plane z = 0 that can slide or roll: flat bodies, capsules and cylinders on their side, cylinders upright. */
static thing *lying_thing(scene *s, int kind) {
  const double up[3] = {0.0, 0.0, 1.0};
  thing *t;
  if (kind == 4) {
    t = straight(s, 16, 0.6, 0.02, 1e6);
    turn_thing(t, up, choice(&s->random, 2) ? 0.0 : 0.5 * pi);
  } else {
    t = random_body(s, (elastica_shape)kind);
    if (kind == ELASTICA_SHAPE_CAPSULE || (kind == ELASTICA_SHAPE_CYLINDER && choice(&s->random, 2))) turn_thing(t, x_axis, 0.5 * pi);
  }
  const double lift[3] = {0.0, 0.0, extent_along(t, up)};
  move(t, lift, 1.0);
  return t;
}

static double mechanical_energy(scene *s) {
  return energy_now(s).all;
}

/* Runs in frames; measures the depth in walls and planes and the gain of energy. */
static void watch_bodies(scene *s, double interval, int run, double duration, int rods_measure) {
  const double first = mechanical_energy(s);
  double scale = 0.0, made = 0.0, mass = 0.0, deepest = 0.0;
  elastica_totals momentum;
  must(s, elastica_world_get_totals(s->world, &momentum));
  mass = momentum.mass;
  for (double time = 0.0; time < duration - 1e-9;) {
    time = time + interval < duration ? time + interval : duration;
    go_to(s, time, interval, run);
    const energies e = energy_now(s);
    if (e.all - first > made) made = e.all - first;
    if (e.kinetic > scale) scale = e.kinetic;
    thing *t = &s->plan.things[0];
    read_positions(t);
    for (int k = 0; k < s->plan.wall_count; k++) {
      const double depth = sinking(t, s->plan.wall[k].position, s->plan.wall[k].normal);
      if (depth > deepest) deepest = depth;
    }
    for (int k = 0; k < s->plan.obstacle_count; k++) {
      const double depth = sinking(t, s->plan.obstacle[k].position, s->plan.obstacle[k].normal);
      if (depth > deepest) deepest = depth;
    }
  }
  note(s, 0, deepest);
  /* a rod gains energy by the oscillation of its own energy in steps near the limit */
  note(s, s->plan.things[0].is_body ? 1 : rods_measure, made / (scale + mass * 9.81 * least_half(&s->plan.things[0])));
}

/* A ball rolls down a rough slope from rest; a thing slides down a smooth or rough slope; long and short frames must agree. */
static void play_slope(scene *s) {
  const int rolls = s->seed % 3 != 0, elastic = s->seed % 4 == 1, run = choice(&s->random, 2);
  const double angle = between(&s->random, 0.05, rolls ? 0.5 : 0.7), interval = usual_interval(s), duration = 1.0;
  const double friction = rolls ? 0.8 : choice(&s->random, 2) ? 0.0 : between(&s->random, 0.05, 0.6), g = 9.81;
  double short_frames[3], kind_speed = 0.0;
  thing *t = lying_thing(s, rolls ? (int)ELASTICA_SHAPE_SPHERE : elastic ? 4 * choice(&s->random, 2) : choice(&s->random, 5));
  add_gravity_to_plan(&s->plan, g * sine(angle), 0.0, -g * cosine(angle));
  if (elastic) {
    elastica_obstacle_def *plane = add_obstacle_to_plan(&s->plan, 1e5 * between(&s->random, 1.0, 10.0), friction);
    plane->damping = plane->tangential_damping = 1e-3 * plane->modulus;
  } else {
    add_wall_to_plan(&s->plan, friction)->stiffness = choice(&s->random, 2) ? 0.0 : 1e3;
  }
  double start[3];
  elastica_totals momentum;
  for (int pass = 0; pass < 2; pass++) { /* short frames first, then the frames of the scene */
    if (pass == 0) {
      const plan kept = s->plan;
      build(s);
      must(s, elastica_world_get_totals(s->world, &momentum));
      memcpy(start, momentum.centre, sizeof start);
      go_to(s, duration, 1e-3, 0);
      must(s, elastica_world_get_totals(s->world, &momentum));
      memcpy(short_frames, momentum.centre, sizeof short_frames);
      s->plan = kept;
    } else {
      build(s);
      watch_bodies(s, interval, run, duration, 1);
      must(s, elastica_world_get_totals(s->world, &momentum));
    }
  }
  double apart[3], way[3];
  subtract(momentum.centre, short_frames, apart), subtract(short_frames, start, way);
  note(s, 2, size_of(apart) / (size_of(way) + 0.1 * least_half(t)));
  if (rolls) {
    /* It rolls on its radius minus its depth. */
    const double lever = 1.0 - sinking(t, (double[3]){0.0, 0.0, 0.0}, (double[3]){0.0, 0.0, 1.0});
    kind_speed = g * sine(angle) * duration / (1.0 + 0.4 / (lever * lever));
    note(s, 3, fabs(momentum.linear[0] / momentum.mass / kind_speed - 1.0));
  }
}

/* A body of any shape, or a rod, falls on a slope or into a groove. */
static void play_fall(scene *s) {
  const int elastic = s->seed % 4 == 0, run = choice(&s->random, 2), groove = choice(&s->random, 2);
  const double interval = usual_interval(s), friction = choice(&s->random, 3) ? between(&s->random, 0.05, 1.0) : 0.0;
  thing *t;
  if (elastic) {
    const int kind = choice(&s->random, 3);
    t = kind == 2 ? straight(s, 16, 0.3, 0.02, 1e6) : random_body(s, kind ? ELASTICA_SHAPE_CAPSULE : ELASTICA_SHAPE_SPHERE);
  } else {
    const int kind = choice(&s->random, 5);
    t = kind == 4 ? straight(s, 16, 0.3, 0.02, 1e6) : random_body(s, (elastica_shape)kind);
  }
  turn_at_random(s, t);
  const double tilt = groove ? between(&s->random, 0.3, 1.1) : between(&s->random, 0.0, 0.6);
  double lift[3] = {0.0, 0.0, 0.0}, v[3], axis[3];
  random_direction(&s->random, v), random_direction(&s->random, axis);
  for (int k = 0; k < 3; k++) v[k] *= 0.5, t->spin[k] = axis[k] * between(&s->random, 0.0, elastic ? 5.0 : 20.0);
  set_velocity(t, v);
  add_gravity_to_plan(&s->plan, 0.0, 0.0, -9.81);
  for (int side = 0; side < 1 + groove; side++) {
    const double normal[3] = {(side ? -1.0 : 1.0) * sine(tilt), 0.0, cosine(tilt)}, origin[3] = {0.0, 0.0, 0.0};
    if (elastic) {
      elastica_obstacle_def *plane = add_obstacle_to_plan(&s->plan, between_decades(&s->random, 3e7, 1e8), friction);
      plane->damping = 1e-4 * plane->modulus;
      memcpy(plane->normal, normal, sizeof normal);
    } else {
      elastica_obstacle_def *wall = add_wall_to_plan(&s->plan, friction);
      wall->stiffness = choice(&s->random, 2) ? 0.0 : 1e3;
      memcpy(wall->normal, normal, sizeof normal);
    }
    const double depth = sinking(t, origin, normal) * least_half(t) / normal[2];
    if (depth > lift[2]) lift[2] = depth;
  }
  lift[2] += between(&s->random, 0.001, elastic ? 0.1 : 0.3);
  move(t, lift, 1.0);
  build(s);
  watch_bodies(s, interval, run, 1.0, 2);
}

/* ---- bounce: undamped on an elastic obstacle ----------------------------------------------------------------------------------------- */

static void play_bounce(scene *s) {
  const int kind = choice(&s->random, 3), run = choice(&s->random, 2);
  const double drop = between_decades(&s->random, 0.002, 0.2), duration = kind == 2 ? 6.0 : 60.0, radius = 0.05;
  const double interval = choice(&s->random, 2) ? 1.0 / 60.0 : 0.005, stiffness = between_decades(&s->random, 3e4, 3e6);
  const double up[3] = {0.0, 0.0, 1.0}, origin[3] = {0.0, 0.0, 0.0};
  thing *t = kind == 0   ? new_body(s, ELASTICA_SHAPE_SPHERE, radius, 0.0, 700.0)
             : kind == 1 ? new_body(s, ELASTICA_SHAPE_CAPSULE, radius, 0.2, 700.0)
                         : straight(s, 10, 0.5, 0.02, 1e7);
  turn_thing(t, y_axis, kind == 1 ? 0.5 * pi + (double)choice(&s->random, 2) * between(&s->random, -0.4, 0.4) : 0.0);
  if (kind == 2) turn_thing(t, y_axis, (double)choice(&s->random, 2) * between(&s->random, -0.3, 0.3));
  const double lift[3] = {0.0, 0.0, sinking(t, origin, up) * least_half(t) + drop};
  move(t, lift, 1.0);
  add_gravity_to_plan(&s->plan, 0.0, 0.0, -9.81);
  add_obstacle_to_plan(&s->plan, stiffness, 0.0);
  build(s);
  elastica_totals momentum;
  must(s, elastica_world_get_totals(s->world, &momentum));
  const double level = momentum.mass * 9.81 * (momentum.centre[2] - drop); /* potential energy at first contact */
  const double first = energy_now(s).all - level;
  double flight = first, worst = 0.0, last_rise = -1.0;
  int bounces = 0;
  for (double time = interval; time < duration; time += interval) {
    int contact_count;
    go_to(s, time, interval, run);
    must(s, elastica_contact_get(s->obstacle[0], NULL, 0, &contact_count));
    must(s, elastica_world_get_totals(s->world, &momentum));
    if (contact_count == 0) {
      const double now = energy_now(s).all - level;
      if (fabs(now - flight) / first > worst) worst = fabs(now - flight) / first;
      flight = now;
    }
    bounces += last_rise < 0.0 && momentum.linear[2] > 0.0;
    last_rise = momentum.linear[2];
  }
  if (bounces == 0) give_up(s, "it did not bounce");
  note(s, 0, fabs(flight / first - 1.0) / bounces);
  note(s, 1, worst);
}

/* ---- stiff: soft on stiff, undamped -------------------------------------------------------------------------------------------------- */

static double random_interval(scene *s) {
  static const double intervals[] = {1.0 / 240.0, 1.0 / 60.0, 0.05, 0.1, 0.3};
  return intervals[choice(&s->random, sizeof intervals / sizeof intervals[0])];
}

/* The largest error of the energy over the largest kinetic energy, sampled after each call of this duration, at least 30 times. */
static double energy_drift(scene *s, double duration, double interval, int run) {
  const double first = energy_now(s).all;
  double worst = 0.0, kinetic = 0.0;
  for (double time = interval; time < duration * (1.0 + 1e-9); time += interval) {
    go_to(s, time, interval, run);
    const energies e = energy_now(s);
    if (fabs(e.all - first) > worst) worst = fabs(e.all - first);
    if (e.kinetic > kinetic) kinetic = e.kinetic;
  }
  return worst / kinetic;
}

static void play_stiff(scene *s) {
  enum { PINNED, NET, FREE, ROD_ON_ROD, KINDS };
  const int kind = (int)((s->seed - 1) % KINDS), run = choice(&s->random, 2);
  const double radius = 0.015, modulus = between_decades(&s->random, 2e5, 1e6), ratio = between_decades(&s->random, 10.0, 1e4);
  const double interval = random_interval(s), duration = interval > 0.29 ? 0.3 : 0.25;
  thing *t = straight(s, 16, 0.3, radius, modulus);
  add_gravity_to_plan(&s->plan, 0.0, 0.0, -9.81);
  if (kind == PINNED) { /* swings against a wall */
    const double half[3] = {0.15, 0.0, 0.0};
    move(t, half, 1.0);
    turn_thing(t, y_axis, between(&s->random, 0.1, 0.8));
    add_pin_to_plan(&s->plan, 0, 0);
    elastica_obstacle_def *plane = add_obstacle_to_plan(&s->plan, ratio * modulus, 0.0);
    plane->position[0] = -between(&s->random, 1.2, 4.0) * radius, plane->normal[0] = 1.0, plane->normal[2] = between(&s->random, -0.3, 0.3);
    const double down[3] = {-between(&s->random, 1.0, 3.0), 0.0, 0.0};
    for (int i = 1; i < node_count(t); i++) t->v[3 * i] = down[0] * i / t->element_count;
  } else if (kind == FREE) { /* falls on a stiffer thing */
    elastica_obstacle_def *solid = add_obstacle_to_plan(&s->plan, ratio * modulus, 0.0);
    const double v[3] = {0.0, 0.0, -between(&s->random, 0.1, 2.0)};
    solid->shape = choice(&s->random, 2) ? ELASTICA_SHAPE_PLANE : ELASTICA_SHAPE_SPHERE, solid->radius = 0.05;
    if (solid->shape == ELASTICA_SHAPE_SPHERE) solid->position[2] = -0.05;
    turn_thing(t, y_axis, choice(&s->random, 2) ? 0.0 : between(&s->random, -0.3, 0.3));
    double lowest = 0.0;
    for (int i = 0; i < node_count(t); i++) lowest = t->x[3 * i + 2] < lowest ? t->x[3 * i + 2] : lowest;
    const double up[3] = {0.0, 0.0, between(&s->random, 1.1, 2.0) * radius - lowest};
    move(t, up, 1.0), set_velocity(t, v);
  } else { /* soft rods in a net under a stiff ball; a soft rod falls across a stiff rod */
    const double v[3] = {0.0, 0.0, -between(&s->random, 0.2, 2.0)};
    add_contact_to_plan(&s->plan, kind == NET ? modulus : ratio * modulus, 0.0);
    if (kind == NET) {
      thing *other = straight(s, 16, 0.3, radius, modulus);
      turn_thing(other, z_axis, 0.5 * pi);
      move(other, z_axis, -2.02 * radius);
      for (int k = 0; k < 2; k++) add_pin_to_plan(&s->plan, k, 0), add_pin_to_plan(&s->plan, k, -1);
      /* The ball is heavy, and stiff by its contact modulus alone, so that one contact law serves balls and rods. */
      s->plan.contact.modulus = ratio * modulus;
      thing *ball = new_body(s, ELASTICA_SHAPE_SPHERE, 2.0 * radius, 0.0, 2000.0);
      move_to(ball, between(&s->random, -0.02, 0.02), between(&s->random, -0.02, 0.02), 3.2 * radius);
      set_velocity(ball, v);
    } else {
      thing *beam = straight(s, 12, 0.3, radius, ratio * modulus);
      turn_thing(beam, z_axis, between(&s->random, 0.4, 2.7));
      add_pin_to_plan(&s->plan, 1, 0), add_pin_to_plan(&s->plan, 1, -1);
      move(t, z_axis, between(&s->random, 2.1, 3.0) * radius);
      set_velocity(t, v);
    }
  }
  build(s);
  note(s, 0, energy_drift(s, duration, interval, run));
}

/* ---- shapes: things thrown at capsules, tubes, meshes and surfaces, undamped --------------------------------------------------------- */

enum { POINTS = 49, TRIANGLES = 80 };

typedef enum form_kind { PILL, TUBE_OUTSIDE, DUCT, FACETED_BALL, CORNER, SHEET, ROOM, TERRAIN, FORMS } form_kind;

/* An obstacle in its own frame. Its inside follows from its construction, not from the library. */
typedef struct form {
  form_kind kind;
  double size, length, points[3 * POINTS], radii[POINTS]; /* size: radius, half an edge, or height */
  int point_count, triangle_count, triangles[3 * TRIANGLES];
} form;

static void add_point(form *f, double x, double y, double z) {
  f->points[3 * f->point_count] = x, f->points[3 * f->point_count + 1] = y, f->points[3 * f->point_count + 2] = z;
  f->point_count++;
}

static void add_triangle(form *f, int a, int b, int c) {
  int *to = f->triangles + 3 * f->triangle_count++;
  to[0] = a, to[1] = b, to[2] = c;
}

/* The point half-way between two points of a ball, on the ball. */
static int half_way(form *f, int a, int b) {
  double m[3];
  mix(f->points + 3 * a, f->points + 3 * b, 0.5, m);
  for (int k = 0; k < f->point_count; k++)
    if (fabs(dot(m, f->points + 3 * k) - size_of(m) * f->size) < 1e-9 * f->size * f->size) return k;
  const double scale = f->size / size_of(m);
  add_point(f, scale * m[0], scale * m[1], scale * m[2]);
  return f->point_count - 1;
}

/* An octahedron with each face divided into four. */
static void make_ball(form *f) {
  for (int k = 0; k < 6; k++)
    add_point(f, k < 2 ? (k ? -f->size : f->size) : 0.0, k / 2 == 1 ? (k % 2 ? -f->size : f->size) : 0.0,
              k / 2 == 2 ? (k % 2 ? -f->size : f->size) : 0.0);
  for (int x = 0; x < 2; x++)
    for (int y = 0; y < 2; y++)
      for (int z = 0; z < 2; z++) {
        const int corner[3] = {x, (x + y + z) % 2 ? 4 + z : 2 + y, (x + y + z) % 2 ? 2 + y : 4 + z};
        const int ab = half_way(f, corner[0], corner[1]), bc = half_way(f, corner[1], corner[2]), ca = half_way(f, corner[2], corner[0]);
        add_triangle(f, corner[0], ab, ca), add_triangle(f, ab, corner[1], bc), add_triangle(f, ca, bc, corner[2]),
            add_triangle(f, ab, bc, ca);
      }
}

/* A prism over a polygon about the z axis that its point 0 sees whole. */
static void make_prism(form *f, int sides, const double (*corner)[2], double half) {
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < sides; k++) add_point(f, f->size * corner[k][0], f->size * corner[k][1], end ? half : -half);
  for (int k = 1; k + 1 < sides; k++) add_triangle(f, 0, k + 1, k), add_triangle(f, sides, sides + k, sides + k + 1);
  for (int k = 0; k < sides; k++) {
    const int next = (k + 1) % sides;
    add_triangle(f, k, next, sides + next), add_triangle(f, k, sides + next, sides + k);
  }
}

enum { CELLS = 6 };

/* A height field over a square, of CELLS x CELLS cells with two triangles each. */
static void make_sheet(scene *s, form *f) {
  for (int i = 0; i <= CELLS; i++)
    for (int j = 0; j <= CELLS; j++)
      add_point(f, f->length * (i / (double)CELLS - 0.5), f->length * (j / (double)CELLS - 0.5), f->size * between(&s->random, -1.0, 1.0));
  for (int i = 0; i < CELLS; i++)
    for (int j = 0; j < CELLS; j++) {
      const int a = i * (CELLS + 1) + j;
      add_triangle(f, a, a + CELLS + 1, a + CELLS + 2), add_triangle(f, a, a + CELLS + 2, a + 1);
    }
}

/* Height over the triangles of a sheet; NaN beside it. */
static double sheet_height(const form *f, double x, double y) {
  const double u = CELLS * (x / f->length + 0.5), v = CELLS * (y / f->length + 0.5);
  if (!(u >= 0.0 && u < CELLS && v >= 0.0 && v < CELLS)) return NAN;
  const int i = (int)u, j = (int)v, a = i * (CELLS + 1) + j;
  const double p = u - i, q = v - j, *z = f->points + 2;
  const double first = z[3 * a], other = z[3 * (a + CELLS + 2)];
  return p >= q ? first + p * (z[3 * (a + CELLS + 1)] - first) + q * (other - z[3 * (a + CELLS + 1)])
                : first + q * (z[3 * (a + 1)] - first) + p * (other - z[3 * (a + 1)]);
}

static elastica_status terrain(void *user, const double x[3], double *distance, double gradient[3]) {
  const form *f = user;
  const double k = 2.0 * pi / f->length;
  *distance = x[2] - f->size * sine(k * x[0]) * cosine(k * x[1]);
  gradient[0] = -f->size * k * cosine(k * x[0]) * cosine(k * x[1]), gradient[1] = f->size * k * sine(k * x[0]) * sine(k * x[1]);
  gradient[2] = 1.0;
  return ELASTICA_OK;
}

/* Distance of a point from the surface, negative inside; only its sign is exact, of tubes to a tenth of their radius. */
static double outside_of(const form *f, const double x[3]) {
  double nearest = INFINITY, least = INFINITY, distance, gradient[3];
  switch (f->kind) {
  case PILL:
  case TUBE_OUTSIDE:
  case DUCT: {
    int is_beyond = 0; /* an end of the axis */
    for (int k = 0; k + 1 < f->point_count; k++) {
      double t;
      const double to_axis = segment_distance(x, x, f->points + 3 * k, f->points + 3 * k + 3, NULL, &t);
      const double gap = to_axis - (f->radii[k] + t * (f->radii[k + 1] - f->radii[k]));
      if (gap >= nearest) continue;
      nearest = gap, is_beyond = (k == 0 && t == 0.0) || (k + 2 == f->point_count && t == 1.0);
    }
    return f->kind != DUCT ? nearest : is_beyond ? INFINITY : -nearest;
  }
  case FACETED_BALL:
    nearest = -INFINITY;
    for (int k = 0; k < f->triangle_count; k++) {
      const double *a = f->points + 3 * f->triangles[3 * k], *b = f->points + 3 * f->triangles[3 * k + 1],
                   *c = f->points + 3 * f->triangles[3 * k + 2];
      double ab[3], ac[3], n[3], from[3];
      subtract(b, a, ab), subtract(c, a, ac), subtract(x, a, from);
      cross(ab, ac, n);
      const double height = dot(n, from) / size_of(n);
      if (height > nearest) nearest = height;
    }
    return nearest;
  case CORNER:
    for (int k = 0; k < 2; k++) {
      const double half[3] = {f->size * (k ? 0.5 : 1.0), f->size * (k ? 1.0 : 0.5), 0.5 * f->length};
      const double local[3] = {x[0] - half[0] + f->size, x[1] - half[1] + f->size, x[2]};
      const double gap = solid_distance(half, 0, local);
      if (gap < least) least = gap;
    }
    return least;
  case ROOM: {
    const double half[3] = {f->size, f->size, 0.5 * f->length};
    return -solid_distance(half, 0, x);
  }
  case TERRAIN: (void)terrain((void *)f, x, &distance, gradient); return distance;
  case SHEET:
  case FORMS: break;
  }
  return NAN;
}

static void make_form(scene *s, form *f, double radius, elastica_obstacle_def *def) {
  static const double corner[6][2] = {{-1, -1}, {1, -1}, {1, 0}, {0, 0}, {0, 1}, {-1, 1}},
                      square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  random_source *source = &s->random;
  memset(f, 0, sizeof *f);
  f->kind = (form_kind)((s->seed - 1) % FORMS);
  def->shape = f->kind == PILL      ? ELASTICA_SHAPE_CAPSULE
               : f->kind <= DUCT    ? ELASTICA_SHAPE_TUBE
               : f->kind == TERRAIN ? ELASTICA_SHAPE_SURFACE
                                    : ELASTICA_SHAPE_MESH;
  def->side = f->kind == DUCT || f->kind == ROOM ? ELASTICA_SIDE_INSIDE : f->kind == SHEET ? ELASTICA_SIDE_BOTH : ELASTICA_SIDE_OUTSIDE;
  f->size = radius * between_decades(source, f->kind <= TUBE_OUTSIDE ? 0.3 : 2.0, 6.0), f->length = radius * between(source, 10.0, 30.0);
  switch (f->kind) {
  case PILL:
    for (int end = 0; end < 2; end++) add_point(f, 0.0, 0.0, (end - 0.5) * f->length), f->radii[end] = f->size;
    def->radius = f->size, def->length = f->length;
    break;
  case TUBE_OUTSIDE:
  case DUCT:
    for (int k = 0; k < 6; k++) {
      const double bend = between(source, -0.05, 0.05) * f->length;
      add_point(f, bend, between(source, -0.05, 0.05) * f->length, (k / 5.0 - 0.5) * 2.0 * f->length);
      f->radii[k] = f->size * between(source, 0.7, 1.0);
      if (f->kind == DUCT) f->radii[k] = radius * between(source, 1.5, 4.0);
    }
    break;
  case FACETED_BALL: make_ball(f); break;
  case CORNER: f->size *= 2.0, make_prism(f, 6, corner, 0.5 * f->length); break;
  case SHEET: f->size = radius * between(source, 0.0, 2.0), f->length = 40.0 * radius, make_sheet(s, f); break;
  case ROOM: f->size += 12.0 * radius, f->length += 10.0 * radius, make_prism(f, 4, square, 0.5 * f->length); break;
  case TERRAIN:
    f->size = radius * between(source, 0.2, 2.0), f->length = radius * between(source, 16.0, 40.0);
    def->surface = terrain, def->surface_user = f;
    def->surface_slope = sqrt(1.0 + 4.0 * pi * pi * f->size * f->size / (f->length * f->length)) * (1.0 + 1e-9);
    def->surface_curvature = 8.0 * pi * pi * f->size / (f->length * f->length);
    break;
  case FORMS: break;
  }
  const int is_mesh = def->shape == ELASTICA_SHAPE_MESH, is_tube = def->shape == ELASTICA_SHAPE_TUBE;
  if (is_mesh || is_tube) def->points = f->points, def->point_count = f->point_count;
  if (is_tube) def->radii = f->radii;
  if (is_mesh) def->triangles = f->triangles, def->triangle_count = f->triangle_count, def->fillet = radius * between(source, 1.3, 2.0);
  if (f->kind == SHEET) def->thickness = 0.1 * radius * choice(source, 2);
}

/* Visits points of the centre lines of a thing, five for each element, in the frame of the form. Returns the least distance from the form;
 * of a sheet, writes the heights over it and returns infinity. */
static double least_outside(const form *f, const elastica_obstacle_def *def, thing *t, double *heights) {
  double least = INFINITY, p[3], q[3], m[3], local[3];
  for (int j = 0, k = 0; j < segment_count(t); j++) {
    (void)segment_of(t, j, p, q);
    for (int i = 0; i < 5; i++, k++) {
      mix(p, q, i / 4.0, m);
      to_frame(def->director, def->position, m, local);
      if (f->kind == SHEET)
        heights[k] = local[2] - sheet_height(f, local[0], local[1]);
      else
        least = fmin(least, outside_of(f, local));
    }
  }
  return least;
}

/* A scene of one thing on a form. */
typedef struct shapes {
  scene *s;
  form f;
  elastica_obstacle_def *def;
  thing *t;
  double radius, towards[3];                    /* of the thing; away from the form */
  double heights[5 * NODES], before[5 * NODES]; /* over a sheet, and those of the frame before */
} shapes;

/* In a duct, in the middle of a segment and along it; else turned at random. */
static void place_thing(shapes *of, int is_rod) {
  double at[3];
  if (of->f.kind != DUCT) {
    turn_at_random(of->s, of->t);
    return;
  }
  if (is_rod) turn_thing(of->t, y_axis, 0.5 * pi);
  mix(of->f.points + 6, of->f.points + 9, 0.5, at);
  move(of->t, at, 1.0);
}

/* Replaces a thing without room in a hollow form by a ball, which finds room. */
static void make_room(shapes *of) {
  scene *s = of->s;
  if (!(least_outside(&of->f, of->def, of->t, of->heights) < 1.05 * of->radius)) return;
  memset(&s->plan.things[0], 0, sizeof s->plan.things[0]);
  s->plan.thing_count = 0;
  of->t = new_body(s, ELASTICA_SHAPE_SPHERE, of->radius, 0.0, 1000.0);
  for (int a = 0; a < 3; a++) of->t->x[a] = of->f.kind == DUCT ? 0.5 * (of->f.points[6 + a] + of->f.points[9 + a]) : 0.0;
}

static int is_clear(shapes *of) {
  const double radius = of->radius, least = least_outside(&of->f, of->def, of->t, of->heights), *heights = of->heights;
  if (of->f.kind != SHEET) return least > (of->f.kind == TERRAIN ? 2.0 * of->def->surface_slope : 1.2) * radius;
  for (int i = 0; i < 5 * segment_count(of->t); i++)
    if (fabs(heights[i]) < 3.0 * radius + 0.5 * fabs(heights[0]) || !(heights[i] * of->towards[2] > 4.0 * radius)) return 0;
  return 1;
}

/* Turns and moves thing and form together at random. */
static void move_scene(shapes *of) {
  double axis[3];
  random_direction(&of->s->random, axis);
  const double angle = between(&of->s->random, -pi, pi);
  turn_thing(of->t, axis, angle);
  for (int i = 0; i < node_count(of->t); i++) turn(axis, angle, of->t->v + 3 * i);
  for (int a = 0; a < 3; a++) turn(axis, angle, of->def->director + 3 * a);
  for (int a = 0; a < 3; a++) axis[a] *= 0.3;
  move(of->t, axis, 1.0), memcpy(of->def->position, axis, sizeof axis);
}

/* Puts the thing beside the form, or into a hollow one, and sets its velocity towards the form. */
static void start_thing(shapes *of, int is_rod, double speed) {
  random_source *source = &of->s->random;
  const int is_inside = of->f.kind == DUCT || of->f.kind == ROOM;
  double *towards = of->towards, v[3];
  random_direction(source, towards);
  if (of->f.kind == TERRAIN || of->f.kind == SHEET)
    towards[2] = (of->f.kind == SHEET && choice(source, 2) ? -1.0 : 1.0) * (1.0 + fabs(towards[2]));
  for (int a = 0; a < 3; a++) v[a] = -speed * towards[a] / size_of(towards);
  place_thing(of, is_rod);
  if (is_inside) make_room(of);
  for (int k = 0; !is_inside && k < 400 && !is_clear(of); k++) move(of->t, towards, 0.1 * of->radius / size_of(towards));
  set_velocity(of->t, v);
  if (of->t->is_body) random_direction(source, of->t->spin);
}

/* Returns the number of passages through the form since the last frame. */
static int count_passages(shapes *of) {
  const double margin = of->f.kind == TUBE_OUTSIDE || of->f.kind == DUCT ? 0.1 * of->f.size : 0.0;
  int count = least_outside(&of->f, of->def, of->t, of->heights) < -margin;
  for (int i = 0; of->f.kind == SHEET && i < 5 * segment_count(of->t); i++) count += of->heights[i] * of->before[i] < 0.0;
  return count;
}

static void play_shapes_of(scene *s, int implicit) {
  static shapes of;
  const double radius = 0.02, modulus = 1e6, speed = sqrt(modulus / 1000.0) * between_decades(&s->random, 0.003, 0.3);
  const double friction = choice(&s->random, 3) ? 0.0 : between(&s->random, 0.1, 1.0);
  of.s = s, of.radius = radius;
  of.def = add_obstacle_to_plan(&s->plan, modulus * between_decades(&s->random, 0.1, 3.0), friction);
  make_form(s, &of.f, radius, of.def);
  const int kind = choice(&s->random, of.f.kind == DUCT ? 3 : 4);
  of.t = kind == 0   ? new_body(s, ELASTICA_SHAPE_SPHERE, radius, 0.0, 1000.0)
         : kind == 1 ? new_body(s, ELASTICA_SHAPE_CAPSULE, radius, 4.0 * radius, 1000.0)
         : kind == 2 ? straight(s, 20, 20.0 * radius, radius, modulus)
                     : ring(s, 24, 5.0 * radius, radius, modulus);
  for (int k = 0; k < 9; k++) of.def->director[k] = k % 4 == 0;
  start_thing(&of, kind == 2, speed);
  move_scene(&of);
  build(s);
  const double first = energy_now(s).all, interval = 0.05 * fmin(radius, of.f.kind == SHEET ? radius : 2.0 * of.f.size) / speed;
  double worst = 0.0, kinetic = energy_now(s).kinetic;
  int crossed = 0;
  for (int k = 0; k < 400 && crossed == 0; k++) {
    (void)least_outside(&of.f, of.def, of.t, of.before);
    const elastica_status status = implicit ? run_implicitly(s, interval, NAN, 0.01 * radius) : elastica_world_advance(s->world, interval);
    if (status != ELASTICA_OK) {
      const int named = names_rod(elastica_world_message(s->world), 0);
      if (!named) snprintf(s->sentence, sizeof s->sentence, "%s", elastica_world_message(s->world));
      note(s, 2, !named);
      break;
    }
    read_positions(of.t);
    crossed += count_passages(&of);
    const energies e = energy_now(s);
    worst = fmax(worst, friction > 0.0 || implicit ? e.all - first : fabs(e.all - first)), kinetic = fmax(kinetic, e.kinetic);
  }
  note(s, friction > 0.0 ? 3 : 0, worst / kinetic);
  note(s, 1, crossed);
  note(s, 2, 0.0);
}

static void play_shapes(scene *s) {
  play_shapes_of(s, 0);
}

static void play_implicit_shapes(scene *s) {
  play_shapes_of(s, 1);
}

/* ---- swing: ropes near and far from others ------------------------------------------------------------------------------------------- */

static void play_swing(scene *s) {
  const int near = s->seed % 2 == 0;
  const double radius = between(&s->random, 0.005, 0.02), length = between(&s->random, 0.4, 1.0),
               modulus = between_decades(&s->random, 3e5, 1e7);
  const double interval = choice(&s->random, 2) ? 1.0 / 60.0 : 1.0 / 240.0;
  const int rods = 1 + choice(&s->random, 3);
  for (int k = 0; k < rods; k++) {
    thing *t = straight(s, 24, length, radius, modulus);
    const double to[3] = {0.5 * length, 0.3 * length * k, 0.0};
    move(t, to, 1.0);
    turn_thing(t, y_axis, between(&s->random, -0.4, 1.0));
    add_pin_to_plan(&s->plan, k, 0);
  }
  add_gravity_to_plan(&s->plan, 0.0, 0.0, -9.81);
  add_contact_to_plan(&s->plan, modulus * between(&s->random, 0.3, 3.0), 0.0);
  if (near) { /* a rod in the way of the others, held at its ends */
    thing *bar = straight(s, 16, 0.3 * length * rods + 0.4, radius, modulus);
    turn_thing(bar, z_axis, 0.5 * pi);
    const double to[3] = {-between(&s->random, 0.1, 0.4) * length, 0.15 * length * (rods - 1), -between(&s->random, 0.3, 0.8) * length};
    move(bar, to, 1.0);
    add_pin_to_plan(&s->plan, rods, 0), add_pin_to_plan(&s->plan, rods, -1);
    build(s);
    note(s, 1, energy_drift(s, 0.6, interval, 0));
    return;
  }
  thing *lonely = straight(s, 16, length, radius, modulus);
  move_to(lonely, between_decades(&s->random, 2.5 * length, 100.0), between(&s->random, -1.0, 1.0), between(&s->random, -1.0, 1.0));
  long steps[2];
  for (int pass = 0; pass < 2; pass++) {
    s->plan.has_contact = pass;
    build(s);
    go_to(s, 0.6, interval, 0);
    steps[pass] = elastica_world_get(s->world).step_count;
  }
  note(s, 0, (double)steps[1] / (double)steps[0]);
}

/* ---- order: results do not depend on the order of adding ----------------------------------------------------------------------------- */

enum { TURNTABLE = FIGURES, NET, BODIES_ON_WALL, ORDERED };

/* Plans rings, rods and balls on a turned box or on a plane. */
static void plan_things_on_ground(scene *s, int has_table, double radius, double modulus, double speed, double friction) {
  add_gravity_to_plan(&s->plan, 0.0, 0.0, -9.81);
  if (has_table) {
    thing *table = new_body(s, ELASTICA_SHAPE_BOX, 0.0, 0.0, 100.0);
    table->edges[0] = table->edges[1] = 1.0, table->edges[2] = 0.1, table->x[2] = -0.05, table->radius = 0.05;
    pin *drive = add_pin_to_plan(&s->plan, 0, 0);
    drive->hold_frame = 1, drive->spin = table->spin[2] = between(&s->random, 0.5, 3.0);
  } else {
    elastica_obstacle_def *plane = add_obstacle_to_plan(&s->plan, 1e5, friction);
    plane->damping = 10.0;
  }
  for (int k = 0; k < 3; k++) {
    const int which = choice(&s->random, 4);
    thing *t = which == 0   ? ring(s, 16, 5.0 * radius, radius, modulus)
               : which == 1 ? straight(s, 8, 8.0 * radius, radius, modulus)
               : which == 2 ? new_body(s, ELASTICA_SHAPE_SPHERE, radius, 0.0, 1000.0)
                            : new_body(s, ELASTICA_SHAPE_CAPSULE, radius, 5.0 * radius, 1000.0);
    const double angle = 2.0 * pi * k / 3.0 + between(&s->random, -0.2, 0.2);
    if (which == 3) turn_thing(t, x_axis, 0.5 * pi);
    const double to[3] = {0.25 * cosine(angle), 0.25 * sine(angle), 0.98 * radius};
    const double v[3] = {between(&s->random, -speed, speed), between(&s->random, -speed, speed), 0.0};
    move(t, to, 1.0), set_velocity(t, v);
  }
}

static void plan_order(scene *s, int kind) {
  const double radius = 0.02, modulus = 1e5, speed = between_decades(&s->random, 0.1, 1.0), friction = choice(&s->random, 3) ? 0.5 : 0.0;
  double towards[3];
  add_contact_to_plan(&s->plan, 2e5, friction);
  s->plan.contact.damping = friction * 100.0, s->plan.contact.tangential_damping = friction * 100.0;
  if (kind < FIGURES) {
    add_figure(s, (figure)kind, 0.05, between_decades(&s->random, 1.5, 10.0), radius, modulus, towards);
    approach(s, towards, speed, 1.0);
    add_gravity_to_plan(&s->plan, 0.0, 1.0, -9.81);
    add_pin_to_plan(&s->plan, 0, 0);
    for (int k = 0; k < s->plan.thing_count; k++) s->plan.things[k].dissipation = s->plan.things[k].is_body ? 0.0 : 0.1;
  } else if (kind == NET) {
    const double down[3] = {0.0, 0.0, -speed};
    add_net(s, radius, modulus);
    set_velocity(&s->plan.things[s->plan.thing_count - 1], down);
    add_gravity_to_plan(&s->plan, 0.0, 0.0, -9.81);
  } else {
    plan_things_on_ground(s, kind == TURNTABLE, radius, modulus, speed, friction);
  }
}

static void play_order(scene *s) {
  static double positions[THINGS][3 * NODES], velocities[THINGS][3 * NODES];
  double apart = 0.0, faster = 0.0, extent = 0.0, fastest = 0.0;
  elastica_step_limit limit;
  plan_order(s, (int)((s->seed - 1) % ORDERED));
  build(s);
  must(s, elastica_world_step_limit(s->world, &limit));
  const double dt = 0.15 * (limit.dt < 2e-3 ? limit.dt : 2e-3); /* future contacts need a shorter step */
  const plan first = s->plan;
  for (adding order = AS_PLANNED; order <= SHUFFLED; order++) {
    s->plan = first;
    build_in_order(s, order);
    must(s, elastica_world_step(s->world, dt, 400));
    for (int k = 0; k < s->plan.thing_count; k++) {
      thing *t = &s->plan.things[k];
      read_positions(t);
      for (int i = 0; i < 3 * node_count(t); i++) {
        extent = fmax(extent, fabs(t->x[i])), fastest = fmax(fastest, fabs(t->v[i]));
        if (order == AS_PLANNED) continue;
        apart = fmax(apart, fabs(t->x[i] - positions[k][i])), faster = fmax(faster, fabs(t->v[i] - velocities[k][i]));
      }
      if (order == AS_PLANNED) memcpy(positions[k], t->x, sizeof positions[k]), memcpy(velocities[k], t->v, sizeof velocities[k]);
    }
  }
  note(s, 0, apart / extent);
  note(s, 1, faster / fastest);
}

/* ---- The table ----------------------------------------------------------------------------------------------------------------------- */

typedef struct measure {
  const char *name;
  double bound; /* infinite: the value is only printed */
} measure;

typedef struct scene_class {
  const char *name;
  int scenes, slice; /* slice 0: not part of the slice */
  void (*play)(scene *);
  measure measures[MEASURES];
} scene_class;

static const scene_class classes[] = {
    {"gradient", 120, 15, play_gradient, {{"force against difference", 1e-7}, {"differences left open", INFINITY}}},
    {"momentum",
     56,
     14,
     play_momentum,
     {{"sum of forces", 1e-12}, {"sum of moments", 1e-12}, {"linear, 300 steps", 1e-12}, {"angular, half the step", 0.35}}},
    {"energy", 60, 5, play_energy, {{"error over kinetic", 1e-4}, {"error of half the step", INFINITY}}},
    {"violent", 45, 3, play_violent, {{"error over kinetic", 1e-3}, {"error of half the step", INFINITY}}},
    {"friction", 60, 6, play_friction, {{"rise of energy - work", 1e-4}}},
    {"penetration", 240, 10, play_penetration, {{"crossings, status OK", 0.0}, {"failures without names", 0.0}}},
    {"implicit",
     56,
     14,
     play_implicit,
     {{"energy gained / kinetic", 2e-2}, {"linear momentum", 1e-12}, {"crossings", 0.0}, {"gain of half the step", 0.35}}},
    {"impenetrable", 60, 10, play_implicit_penetration, {{"crossings, status OK", 0.0}, {"failures without names", 0.0}}},
    {"slope",
     60,
     10,
     play_slope,
     {{"sinking over size", 0.1}, {"energy made", 1e-3}, {"long frames off short", 0.02}, {"rolling off 5/7 g sin", 1e-3}}},
    {"fall", 80, 24, play_fall, {{"sinking over size", 0.1}, {"energy made, bodies", 1e-3}, {"energy made, rods", 2e-2}}},
    {"bounce", 48, 3, play_bounce, {{"drift of one bounce", 1e-4}, {"error of one bounce", 1e-2}}},
    {"stiff", 48, 4, play_stiff, {{"error over kinetic", 1e-2}}},
    {"shapes",
     160,
     8,
     play_shapes,
     {{"error over kinetic", 1e-2}, {"crossings, status OK", 0.0}, {"failures without names", 0.0}, {"energy made, friction", 1e-2}}},
    {"implicit_shapes",
     80,
     8,
     play_implicit_shapes,
     {{"energy gained / kinetic", 2e-2}, {"crossings, status OK", 0.0}, {"failures without names", 0.0}, {"gained, friction", 2e-2}}},
    {"swing", 40, 4, play_swing, {{"steps with over without", 1.2}, {"error over kinetic", 1e-2}}},
    {"order", 68, 17, play_order, {{"positions over extent", 1e-12}, {"velocities over fastest", INFINITY}}},
};
enum { CLASSES = sizeof classes / sizeof classes[0] };

static int play(const scene_class *class, uint64_t seed, scene *s) {
  memset(s, 0, sizeof *s);
  s->seed = seed;
  s->random.state = seed * UINT64_C(0x2545f4914f6cdd1d);
  for (const char *c = class->name; *c; c++) s->random.state = s->random.state * 31 + (uint64_t)*c;
  const int ended = setjmp(s->end);
  if (!ended) class->play(s);
  elastica_world_destroy(s->world);
  return ended;
}

/* Prints the rows of a class; returns the number of broken bounds. */
static int play_class(const scene_class *class, uint64_t first_seed, int scenes, int verbose) {
  static scene s;
  double worst[MEASURES] = {0};
  uint64_t worst_seed[MEASURES] = {0}, ended_seed = 0;
  int counted[MEASURES] = {0}, ended = 0, broken = 0;
  char sentence[640] = "";
  const clock_t start = clock();
  for (int k = 0; k < scenes; k++) {
    const uint64_t seed = first_seed + (uint64_t)k;
    const int early = play(class, seed, &s);
    if (early && ended++ == 0) ended_seed = seed, memcpy(sentence, s.sentence, sizeof sentence);
    if (verbose) printf("%-12s seed %-4llu", class->name, (unsigned long long)seed);
    for (int m = 0; m < MEASURES; m++) {
      if (verbose && s.measured[m]) printf("  %-10.3g%s", s.value[m], s.value[m] > class->measures[m].bound ? "!" : " ");
      if (s.measured[m] && (counted[m]++ == 0 || s.value[m] > worst[m])) worst[m] = s.value[m], worst_seed[m] = seed;
    }
    if (verbose) printf("  %s%s\n", early ? "ended: " : "", s.sentence);
    fflush(stdout);
  }
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  for (int m = 0; m < MEASURES && class->measures[m].name; m++) {
    const int holds = worst[m] <= class->measures[m].bound;
    broken += !holds;
    printf("%-12s %-26s %6d  %9.2e  %5llu  %8.2g  %s\n", class->name, class->measures[m].name, counted[m], worst[m],
           (unsigned long long)worst_seed[m], class->measures[m].bound,
           class->measures[m].bound == INFINITY ? "INFO"
           : holds                              ? "holds"
                                                : "BROKEN");
  }
  printf("%-12s %-26s %6d  %9d  %5llu  %8d  %-6s  (%.1f s)\n", class->name, "ended", scenes, ended, (unsigned long long)ended_seed, 0,
         ended ? "BROKEN" : "holds", seconds);
  if (ended) printf("             seed %llu: %s\n", (unsigned long long)ended_seed, sentence);
  fflush(stdout);
  return broken + (ended > 0);
}

int main(int count, char **argument) {
  const char *only = NULL;
  int scenes = 0, slice = 0, verbose = 0, broken = 0, played = 0;
  uint64_t seed = 1;
  for (int i = 1; i < count; i++) {
    const char *value = i + 1 < count ? argument[i + 1] : NULL;
    if (strcmp(argument[i], "--slice") == 0)
      slice = 1;
    else if (strcmp(argument[i], "--verbose") == 0)
      verbose = 1;
    else if (strcmp(argument[i], "--list") == 0) {
      for (int k = 0; k < CLASSES; k++)
        for (int m = 0; m < MEASURES && classes[k].measures[m].name; m++)
          printf("%-12s %3d scenes  %-26s at most %g\n", classes[k].name, classes[k].scenes, classes[k].measures[m].name,
                 classes[k].measures[m].bound);
      return 0;
    } else if (value && strcmp(argument[i], "--class") == 0)
      only = value, i++;
    else if (value && strcmp(argument[i], "--seed") == 0)
      seed = strtoull(value, NULL, 10), i++;
    else if (value && strcmp(argument[i], "--scenes") == 0)
      scenes = atoi(value), i++;
    else {
      fprintf(stderr,
              "campaign_scenes: %s is no option, or has no value; see --list, --class NAME, --seed N, --scenes N, --slice, --verbose\n",
              argument[i]);
      return 2;
    }
  }
  printf("%-12s %-26s %6s  %9s  %5s  %8s  %s\n", "class", "measure", "scenes", "worst", "seed", "bound", "verdict");
  for (int k = 0; k < CLASSES; k++) {
    if ((only && strcmp(only, classes[k].name) != 0) || (slice && classes[k].slice == 0)) continue;
    broken += play_class(&classes[k], seed, scenes > 0 ? scenes : slice ? classes[k].slice : classes[k].scenes, verbose);
    played++;
  }
  if (played == 0) {
    fprintf(stderr, "campaign_scenes: there is no class %s\n", only);
    return 2;
  }
  printf("%d bounds broken\n", broken);
  return broken > 0;
}
