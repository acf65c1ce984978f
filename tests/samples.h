/* Random numbers that are equal on all machines, vectors and frames, and sample rods as plain arrays. */
#ifndef TESTS_SAMPLES_H
#define TESTS_SAMPLES_H

#include "claims.h"

/* ---- Walks through a world ----------------------------------------------------------------------------------------------------------- */

/* Returns the rod or effect that follows a given one; NULL: the first; NULL behind the last. */
static inline elastica_rod *next_rod(elastica_world *world, const elastica_rod *rod) {
  for (int k = rod != NULL ? elastica_rod_get_view(rod)->rod_index + 1 : 0; k < elastica_world_get(world).rod_count; k++)
    if (elastica_world_rod(world, k) != NULL) return elastica_world_rod(world, k);
  return NULL;
}

static inline elastica_effect *next_effect(elastica_world *world, const elastica_effect *effect) {
  for (int k = effect != NULL ? elastica_effect_get(effect).index + 1 : 0; k < elastica_world_get(world).effect_count; k++)
    if (elastica_world_effect(world, k) != NULL) return elastica_world_effect(world, k);
  return NULL;
}

/* ---- Random numbers ------------------------------------------------------------------------------------------------------------------ */

/* splitmix64: the same numbers on every machine. */
typedef struct random_source {
  uint64_t state;
} random_source;

static inline uint64_t random_bits(random_source *source) {
  uint64_t z = (source->state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static inline double random_between(random_source *source, double low, double high) {
  return low + (high - low) * ((double)(random_bits(source) >> 11) * 0x1p-53);
}

static inline int random_integer(random_source *source, int low, int high) {
  return low + (int)(random_bits(source) % (uint64_t)(high - low + 1));
}

static inline void random_vector(random_source *source, double size, double v[3]) {
  for (int a = 0; a < 3; a++) v[a] = random_between(source, -size, size);
}

/* ---- Rounds of a kind ---------------------------------------------------------------------------------------------------------------- */

/* All rounds are taken, except in slow builds that define this macro: there one round in this many. The number is odd, as the bits of
 * seeds select the tried cases. */
#ifndef TESTS_ONE_ROUND_IN
#define TESTS_ONE_ROUND_IN 1
#endif

static inline int rounds(int all) {
  return (all + TESTS_ONE_ROUND_IN - 1) / TESTS_ONE_ROUND_IN;
}

/* ---- Vectors and frames -------------------------------------------------------------------------------------------------------------- */

enum { X, Y, Z };

/* Index of one component in an array of vectors, three numbers for each node, element or joint. */
static inline int component(int place, int axis) {
  return 3 * place + axis;
}

/* Index of one component of a director (0, 1, 2) in an array of frames, nine numbers for each element. */
static inline int director_component(int element, int director, int axis) {
  return 9 * element + 3 * director + axis;
}

static inline void set_vector(double *vectors, int place, double x, double y, double z) {
  vectors[component(place, X)] = x;
  vectors[component(place, Y)] = y;
  vectors[component(place, Z)] = z;
}

static inline double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double norm(const double a[3]) {
  return sqrt(dot(a, a));
}

static inline void cross(const double a[3], const double b[3], double c[3]) {
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  c[0] = x, c[1] = y, c[2] = z;
}

/* c = A B, row-major. */
static inline void multiply(const double a[9], const double b[9], double c[9]) {
  double product[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) product[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  memcpy(c, product, sizeof product);
}

/* y = A x and y = A^T x. */
static inline void apply(const double a[9], const double x[3], double y[3]) {
  const double p = dot(a, x), q = dot(a + 3, x), r = dot(a + 6, x);
  y[0] = p, y[1] = q, y[2] = r;
}

static inline void apply_transposed(const double a[9], const double x[3], double y[3]) {
  const double p = a[0] * x[0] + a[3] * x[1] + a[6] * x[2], q = a[1] * x[0] + a[4] * x[1] + a[7] * x[2],
               r = a[2] * x[0] + a[5] * x[1] + a[8] * x[2];
  y[0] = p, y[1] = q, y[2] = r;
}

/* The matrix of the unit quaternion along (w, v). Q <- turn Q turns a frame by the angle 2 atan(|v|/w) about the material axis v. */
static inline void turn_of_quaternion(double w, const double v[3], double r[9]) {
  const double s = 2.0 / (w * w + dot(v, v)), x = v[0], y = v[1], z = v[2];
  r[0] = 1.0 - s * (y * y + z * z), r[1] = s * (x * y + w * z), r[2] = s * (x * z - w * y);
  r[3] = s * (x * y - w * z), r[4] = 1.0 - s * (x * x + z * z), r[5] = s * (y * z + w * x);
  r[6] = s * (x * z + w * y), r[7] = s * (y * z - w * x), r[8] = 1.0 - s * (x * x + y * y);
}

/* Q <- turn Q for a turn of about |phi| rad, exactly 2 atan(|phi|/2): only arithmetic, so that the bits are the same on all machines. */
static inline void turn_frame(const double phi[3], double q[9]) {
  const double half[3] = {0.5 * phi[0], 0.5 * phi[1], 0.5 * phi[2]};
  double r[9];
  turn_of_quaternion(1.0, half, r);
  multiply(r, q, q);
}

/* Q <- exp(-[phi]x) Q: a turn by exactly |phi|. */
static inline void turn_frame_exactly(const double phi[3], double q[9]) {
  const double t = norm(phi), ratio = t > 0.0 ? sin(0.5 * t) / t : 0.5;
  const double v[3] = {ratio * phi[0], ratio * phi[1], ratio * phi[2]};
  double r[9];
  turn_of_quaternion(cos(0.5 * t), v, r);
  multiply(r, q, q);
}

/* Motion of a wall: sideways with a period, and about its own third axis by 8 rad/s. user: the rate of the period [rad/s]; NULL: 30. */
static inline elastica_status shake_wall(void *user, double time, double position[3], double velocity[3], double director[9],
                                         double omega[3]) {
  const double amplitude[3] = {0.01, -0.02, 0.005}, rate = user != NULL ? *(const double *)user : 30.0, phi[3] = {0.0, 0.0, 8.0 * time};
  for (int a = 0; a < 3; a++) {
    position[a] += amplitude[a] * (1.0 - cos(rate * time));
    velocity[a] = amplitude[a] * rate * sin(rate * time);
  }
  turn_frame_exactly(phi, director);
  omega[2] = 8.0;
  return ELASTICA_OK;
}

/* ---- Sample rods --------------------------------------------------------------------------------------------------------------------- */

enum { SAMPLE_ELEMENTS = 64, SAMPLE_NODES = 65 };

/* A rod as plain arrays, in the order of elastica_rod_def, which a test may turn, scale or reverse before it adds the rod. */
typedef struct sample_rod {
  int element_count;
  int closed;
  double density, youngs_modulus, shear_modulus, shear_factor;
  double flatness; /* S, B and J of the first axis over those of the second; 0: a round section */
  double rest_length[SAMPLE_ELEMENTS];
  double radius[SAMPLE_ELEMENTS];
  double rest_curvature[3 * SAMPLE_ELEMENTS];
  double rest_strain[3 * SAMPLE_ELEMENTS];
  double position[3 * SAMPLE_NODES];
  double velocity[3 * SAMPLE_NODES];
  double director[9 * SAMPLE_ELEMENTS];
  double omega[3 * SAMPLE_ELEMENTS];
} sample_rod;

static inline int sample_node_count(const sample_rod *rod) {
  return rod->closed ? rod->element_count : rod->element_count + 1;
}

static inline int sample_joint_count(const sample_rod *rod) {
  return rod->closed ? rod->element_count : rod->element_count - 1;
}

/* Sizes of a sample rod. Each quantity is a parabola along the rod with random coefficients up to the size given here. */
typedef struct sample_recipe {
  double length;        /* rest length of an element */
  double radius;        /* at the first end */
  double taper;         /* decrease of the radius towards the other end, as a share */
  double unevenness;    /* random variation of each length and radius, as a share */
  double bend, twist;   /* turn of each joint, rad */
  double stretch;       /* mean dilatation */
  double shear, strain; /* shear, and changes of stretch along the rod */
  double rest_bend;     /* turn of each joint at rest, rad */
  double rest_strain;
  double speed, spin;
} sample_recipe;

/* A rod of moderate shape that uses every term of the model. */
static inline sample_recipe usual_recipe(void) {
  const sample_recipe recipe = {.length = 0.1,
                                .radius = 0.04,
                                .taper = 0.4,
                                .unevenness = 0.2,
                                .bend = 0.2,
                                .twist = 0.2,
                                .stretch = 1.05,
                                .shear = 0.05,
                                .strain = 0.05,
                                .rest_bend = 0.1,
                                .rest_strain = 0.02,
                                .speed = 0.3,
                                .spin = 1.5};
  return recipe;
}

typedef struct parabola {
  double c[3];
} parabola;

static inline parabola random_parabola(random_source *source, double size) {
  parabola p;
  for (int k = 0; k < 3; k++) p.c[k] = random_between(source, -0.5 * size, 0.5 * size);
  return p;
}

static inline double parabola_at(const parabola *p, double x) {
  return p->c[0] + x * (p->c[1] + x * p->c[2]);
}

/* Makes an open rod of n elements by a recipe, with arithmetic and square roots only: the same bits on all machines. */
static inline void make_sample(sample_rod *rod, int n, uint64_t seed, const sample_recipe *recipe) {
  random_source source = {seed};
  parabola bend[3], rest_bend[3], strain[3], rest_strain[3], velocity[3], omega[3];
  memset(rod, 0, sizeof *rod);
  rod->element_count = n;
  rod->density = 1000.0, rod->youngs_modulus = 1e5, rod->shear_modulus = 0.35e5, rod->shear_factor = 4.0 / 3.0;
  for (int a = 0; a < 3; a++) {
    bend[a] = random_parabola(&source, a < 2 ? recipe->bend : recipe->twist);
    rest_bend[a] = random_parabola(&source, recipe->rest_bend);
    strain[a] = random_parabola(&source, a < 2 ? recipe->shear : recipe->strain);
    rest_strain[a] = random_parabola(&source, recipe->rest_strain);
    velocity[a] = random_parabola(&source, recipe->speed);
    omega[a] = random_parabola(&source, recipe->spin);
  }
  double frame[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, phi[3];
  random_vector(&source, 2.0, phi);
  turn_frame(phi, frame);
  random_vector(&source, 0.3, rod->position);
  for (int j = 0; j < n; j++) {
    const double x = (j + 0.5) / n;
    rod->rest_length[j] = recipe->length * (1.0 + random_between(&source, -recipe->unevenness, recipe->unevenness));
    rod->radius[j] = recipe->radius * (1.0 - recipe->taper * x) * (1.0 + random_between(&source, -recipe->unevenness, recipe->unevenness));
    memcpy(rod->director + 9 * j, frame, sizeof frame);
    double edge[3], sigma[3];
    for (int a = 0; a < 3; a++) {
      sigma[a] = (parabola_at(&strain[a], x) + (a == 2 ? recipe->stretch : 0.0)) * rod->rest_length[j];
      rod->rest_strain[3 * j + a] = parabola_at(&rest_strain[a], x);
      rod->omega[3 * j + a] = parabola_at(&omega[a], x);
    }
    apply_transposed(frame, sigma, edge);
    for (int a = 0; a < 3; a++) rod->position[3 * (j + 1) + a] = rod->position[3 * j + a] + edge[a];
    for (int a = 0; a < 3; a++) phi[a] = parabola_at(&bend[a], (j + 1.0) / n);
    turn_frame(phi, frame);
  }
  for (int k = 0; k + 1 < n; k++)
    for (int a = 0; a < 3; a++)
      rod->rest_curvature[3 * k + a] = parabola_at(&rest_bend[a], (k + 1.0) / n) / (0.5 * (rod->rest_length[k] + rod->rest_length[k + 1]));
  for (int i = 0; i <= n; i++)
    for (int a = 0; a < 3; a++) rod->velocity[3 * i + a] = parabola_at(&velocity[a], (double)i / n);
}

/* Makes a ring in motion: a wavy polygon out of its plane; its frames are near its edges and twisted in both directions. */
static inline void make_sample_ring(sample_rod *rod, int n, uint64_t seed) {
  const double pi = 3.14159265358979324;
  random_source source = {seed};
  memset(rod, 0, sizeof *rod);
  rod->element_count = n, rod->closed = 1;
  rod->density = 1000.0, rod->youngs_modulus = 1e5, rod->shear_modulus = 0.35e5, rod->shear_factor = 4.0 / 3.0;
  for (int i = 0; i < n; i++) {
    const double angle = 2.0 * pi * i / n;
    const double radius = 0.1 * n / (2.0 * pi) * (1.0 + 0.1 * cos(2.0 * angle + 0.3));
    set_vector(rod->position, i, radius * cos(angle), radius * sin(angle), 0.1 * radius * sin(2.0 * angle + 0.7));
    random_vector(&source, 0.1, rod->velocity + 3 * i);
    random_vector(&source, 0.5, rod->omega + 3 * i);
  }
  for (int j = 0; j < n; j++) {
    const double *here = rod->position + 3 * j, *next = rod->position + 3 * ((j + 1) % n);
    const double edge[3] = {next[0] - here[0], next[1] - here[1], next[2] - here[2]}, up[3] = {0.0, 0.0, 1.0};
    double *d = rod->director + 9 * j, size = norm(edge);
    rod->rest_length[j] = size * (1.0 + random_between(&source, -0.05, 0.05));
    rod->radius[j] = 0.03 * (1.0 + random_between(&source, -0.2, 0.2));
    for (int a = 0; a < 3; a++) d[6 + a] = edge[a] / size;
    cross(up, d + 6, d);
    size = norm(d);
    for (int a = 0; a < 3; a++) d[a] /= size;
    cross(d + 6, d, d + 3);
    const double tilt[3] = {0.03 * sin(4.0 * pi * j / n), 0.04 * cos(2.0 * pi * j / n), 0.2 * sin(2.0 * pi * j / n + 0.4)};
    turn_frame(tilt, d);
    random_vector(&source, 0.02, rod->rest_strain + 3 * j);
    random_vector(&source, 1.0, rod->rest_curvature + 3 * j);
  }
}

/* Gives S, B and J of flat sections directly, three numbers per element each. */
static inline void flatten_sample(const sample_rod *sample, double *shear, double *bend, double *inertia) {
  const double pi = 3.14159265358979324;
  for (int j = 0; j < sample->element_count; j++) {
    const double area = pi * sample->radius[j] * sample->radius[j], second = area * area / (4.0 * pi);
    for (int a = 0; a < 3; a++) {
      const double factor = a == 0 ? sample->flatness : 1.0;
      shear[3 * j + a] = area * factor * (a < 2 ? sample->shear_factor * sample->shear_modulus : sample->youngs_modulus);
      bend[3 * j + a] = second * factor * (a < 2 ? sample->youngs_modulus : 2.0 * sample->shear_modulus);
      inertia[3 * j + a] = second * sample->density * sample->rest_length[j] * (a < 2 ? factor : 2.0);
    }
  }
}

static inline elastica_rod *add_sample(elastica_world *world, const sample_rod *sample) {
  double shear[3 * SAMPLE_ELEMENTS], bend[3 * SAMPLE_ELEMENTS], inertia[3 * SAMPLE_ELEMENTS];
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = sample->element_count;
  def.closed = sample->closed;
  def.position = sample->position;
  def.director = sample->director;
  def.velocity = sample->velocity;
  def.omega = sample->omega;
  def.rest_length = sample->rest_length;
  def.rest_curvature = sample_joint_count(sample) > 0 ? sample->rest_curvature : NULL;
  def.rest_strain = sample->rest_strain;
  def.element_radius = sample->radius;
  def.density = sample->density;
  def.youngs_modulus = sample->youngs_modulus;
  def.shear_modulus = sample->shear_modulus;
  def.shear_factor = sample->shear_factor;
  if (sample->flatness > 0.0) {
    flatten_sample(sample, shear, bend, inertia);
    def.shear_stiffness = shear;
    def.bend_stiffness = bend;
    def.inertia = inertia;
  }
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* A bent, moving rod, chosen by a seed. */
static inline elastica_rod *add_bent_rod(elastica_world *world, int n, uint64_t seed) {
  sample_recipe recipe = usual_recipe();
  sample_rod sample;
  recipe.bend = 0.4;
  recipe.spin = 3.0;
  make_sample(&sample, n, seed, &recipe);
  return add_sample(world, &sample);
}

/* A straight rod of one material along z, from the origin. */
static inline elastica_rod *add_straight_rod(elastica_world *world, int n, double length, double radius, double density,
                                             double youngs_modulus, double shear_modulus) {
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = n;
  def.length = length;
  def.radius = radius;
  def.density = density;
  def.youngs_modulus = youngs_modulus;
  def.shear_modulus = shear_modulus;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* A straight rod of density 1000 kg/m^3. */
static inline elastica_rod *add_stick(elastica_world *world, int n, const double start[3], const double direction[3], double length,
                                      double radius, double modulus) {
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = n;
  memcpy(def.start, start, sizeof def.start);
  memcpy(def.direction, direction, sizeof def.direction);
  def.length = length, def.radius = radius, def.density = 1000.0, def.youngs_modulus = modulus;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* A rod of 1 m along x and of radius 0.025 m, on the plane z = 0; density and moduli are not set. */
static inline elastica_rod_def lying_rod_def(int n) {
  DEFAULTS(rod, def);
  def.element_count = n;
  def.start[2] = 0.025;
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  def.length = 1.0;
  def.radius = 0.025;
  return def;
}

/* A rod of 9 elements and a ring of 8, by the usual recipe. */
static inline elastica_rod *add_usual_rod(elastica_world *world) {
  const sample_recipe recipe = usual_recipe();
  sample_rod sample;
  make_sample(&sample, 9, 4, &recipe);
  return add_sample(world, &sample);
}

static inline elastica_rod *add_usual_ring(elastica_world *world) {
  sample_rod sample;
  make_sample_ring(&sample, 8, 5);
  return add_sample(world, &sample);
}

#endif
