/* What the tests share: claims about numbers, worlds and rods that must be made, random numbers and hashes that are the same everywhere,
 * and sample rods as plain arrays.
 */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <elastica.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Claims -------------------------------------------------------------------------------------------------------------------------- */

static inline void claim_close(double a, double b, double tolerance, const char *a_text, const char *b_text, const char *file, int line) {
  if (fabs(a - b) <= tolerance) return;
  print_error("%s = %.17g differs from %s = %.17g by %.3g, more than %.3g\n", a_text, a, b_text, b, fabs(a - b), tolerance);
  _fail(file, line);
}

static inline void claim_all_close(const double *a, const double *b, int count, double tolerance, const char *a_text, const char *b_text,
                                   const char *file, int line) {
  int worst = -1;
  for (int i = 0; i < count; i++) {
    if (fabs(a[i] - b[i]) <= tolerance) continue;
    if (worst < 0 || fabs(a[i] - b[i]) > fabs(a[worst] - b[worst])) worst = i;
    if (isnan(a[i] - b[i])) break;
  }
  if (worst < 0) return;
  print_error("%s[%d] = %.17g differs from %s[%d] = %.17g by %.3g, more than %.3g\n", a_text, worst, a[worst], b_text, worst, b[worst],
              fabs(a[worst] - b[worst]), tolerance);
  _fail(file, line);
}

static inline void claim_between(double x, double low, double high, const char *x_text, const char *file, int line) {
  if (x >= low && x <= high) return;
  print_error("%s = %.17g is not within %.17g .. %.17g\n", x_text, x, low, high);
  _fail(file, line);
}

/* |a - b| <= tolerance; not a number is never close. */
#define assert_close(a, b, tolerance) claim_close((a), (b), (tolerance), #a, #b, __FILE__, __LINE__)

/* The same for each of count numbers. */
#define assert_all_close(a, b, count, tolerance) claim_all_close((a), (b), (count), (tolerance), #a, #b, __FILE__, __LINE__)

/* low <= x <= high. */
#define assert_between(x, low, high) claim_between((x), (low), (high), #x, __FILE__, __LINE__)

static inline void claim_status(elastica_world *world, elastica_status status, elastica_status expected, const char *text, const char *file,
                                int line) {
  if (status == expected) return;
  print_error("%s is %s, not %s: %s\n", text, elastica_status_text(status), elastica_status_text(expected),
              world ? elastica_world_message(world) : "");
  _fail(file, line);
}

/* The call succeeds; else the world's own words are printed. */
#define must(world, call) claim_status((world), (call), ELASTICA_OK, #call, __FILE__, __LINE__)

/* The call ends in this status. */
#define assert_status(world, call, expected) claim_status((world), (call), (expected), #call, __FILE__, __LINE__)

/* 1 when one of the numbers in a sentence is value, to the digits that a sentence has. */
static inline int sentence_has_number(const char *sentence, double value, double relative_tolerance) {
  for (const char *p = sentence; *p;) {
    char *end = NULL;
    const double x = strtod(p, &end);
    if (end == p) {
      p++;
      continue;
    }
    if (fabs(x - value) <= relative_tolerance * fabs(value)) return 1;
    p = end;
  }
  return 0;
}

static inline void claim_words(const char *sentence, const char *words, const char *file, int line) {
  if (strstr(sentence, words)) return;
  print_error("\"%s\" does not say \"%s\"\n", sentence, words);
  _fail(file, line);
}

#define assert_says(sentence, words) claim_words((sentence), (words), __FILE__, __LINE__)

/* The call is refused with this status and exactly this sentence. */
static inline void claim_refused(elastica_world *world, elastica_status status, elastica_status expected, const char *sentence,
                                 const char *text, const char *file, int line) {
  claim_status(world, status, expected, text, file, line);
  if (strcmp(elastica_world_message(world), sentence) == 0) return;
  print_error("%s says \"%s\", not \"%s\"\n", text, elastica_world_message(world), sentence);
  _fail(file, line);
}

#define assert_refused(world, call, expected, sentence) claim_refused((world), (call), (expected), (sentence), #call, __FILE__, __LINE__)

static inline void claim_number(const char *sentence, double value, const char *file, int line) {
  if (sentence_has_number(sentence, value, 0.01)) return;
  print_error("\"%s\" does not name %.6g\n", sentence, value);
  _fail(file, line);
}

/* The sentence has this number, to two digits at least. */
#define assert_names_number(sentence, value) claim_number((sentence), (value), __FILE__, __LINE__)

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

/* ---- Vectors and frames -------------------------------------------------------------------------------------------------------------- */

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

/* Q <- turn Q for a turn of about |phi| rad, 2 atan(|phi|/2) exactly: arithmetic and nothing else, so that the bits are the same
 * everywhere. */
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

/* ---- Sample rods --------------------------------------------------------------------------------------------------------------------- */

enum { SAMPLE_ELEMENTS = 64, SAMPLE_NODES = 65 };

/* A rod as plain arrays, in the order of elastica_rod_def, to be turned, scaled or reversed before it is made. */
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

/* How wild a sample rod is. Everything smooth is a parabola along the rod with random coefficients up to the size given here. */
typedef struct sample_recipe {
  double length;        /* rest length of an element */
  double radius;        /* at the first end */
  double taper;         /* share of the radius that is lost towards the other end */
  double unevenness;    /* random share of each length and radius */
  double bend, twist;   /* turn of each joint, rad */
  double stretch;       /* mean dilatation */
  double shear, strain; /* shear, and changes of stretch along the rod */
  double rest_bend;     /* turn of each joint at rest, rad */
  double rest_strain;
  double speed, spin;
} sample_recipe;

/* A rod of moderate shape, with every term of the model at work. */
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

/* An open rod of n elements by a recipe. Only arithmetic and square roots: the same bits everywhere. */
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

/* A ring: a polygon that waves out of its plane, its frames near its edges and twisted to and fro, all of it moving. */
static inline void make_sample_ring(sample_rod *rod, int n, uint64_t seed) {
  const double pi = 3.14159265358979324;
  random_source source = {seed};
  memset(rod, 0, sizeof *rod);
  rod->element_count = n, rod->closed = 1;
  rod->density = 1000.0, rod->youngs_modulus = 1e5, rod->shear_modulus = 0.35e5, rod->shear_factor = 4.0 / 3.0;
  for (int i = 0; i < n; i++) {
    const double angle = 2.0 * pi * i / n;
    const double radius = 0.1 * n / (2.0 * pi) * (1.0 + 0.1 * cos(2.0 * angle + 0.3));
    rod->position[3 * i] = radius * cos(angle);
    rod->position[3 * i + 1] = radius * sin(angle);
    rod->position[3 * i + 2] = 0.1 * radius * sin(2.0 * angle + 0.7);
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

/* What a flat section has outright: S, B and J, three numbers per element each. */
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
  elastica_rod_def def;
  elastica_rod *rod = NULL;
  elastica_rod_def_init(&def, sizeof def);
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

/* A straight rod of one material along z, from the origin. */
static inline elastica_rod *add_straight_rod(elastica_world *world, int n, double length, double radius, double density,
                                             double youngs_modulus, double shear_modulus) {
  elastica_rod_def def;
  elastica_rod *rod = NULL;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.length = length;
  def.radius = radius;
  def.density = density;
  def.youngs_modulus = youngs_modulus;
  def.shear_modulus = shear_modulus;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* ---- Worlds -------------------------------------------------------------------------------------------------------------------------- */

static inline elastica_world_def default_world(void) {
  elastica_world_def def;
  elastica_world_def_init(&def, sizeof def);
  return def;
}

/* A world that must come into being; def NULL: all defaults. */
static inline elastica_world *make_world(const elastica_world_def *def) {
  char message[256] = "";
  elastica_world_def copy = def ? *def : default_world();
  elastica_world *world = NULL;
  copy.message = message;
  copy.message_size = sizeof message;
  const elastica_status status = elastica_world_create(&copy, &world);
  if (status != ELASTICA_OK) fail_msg("elastica_world_create: %s: %s", elastica_status_text(status), message);
  return world;
}

/* ---- States -------------------------------------------------------------------------------------------------------------------------- */

/* The state of a rod, copied out, in the order that elastica_rod_set_state takes. */
typedef struct rod_state {
  double position[3 * SAMPLE_NODES];
  double velocity[3 * SAMPLE_NODES];
  double director[9 * SAMPLE_ELEMENTS];
  double omega[3 * SAMPLE_ELEMENTS];
} rod_state;

static inline void read_state(const elastica_rod *rod, rod_state *state) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  assert_true(view->element_count <= SAMPLE_ELEMENTS);
  memset(state, 0, sizeof *state);
  for (int a = 0; a < 3; a++) {
    for (int i = 0; i < view->node_count; i++) {
      state->position[3 * i + a] = view->position[a][i];
      state->velocity[3 * i + a] = view->velocity[a][i];
    }
    for (int j = 0; j < view->element_count; j++) {
      state->omega[3 * j + a] = view->omega[a][j];
      for (int b = 0; b < 3; b++) state->director[9 * j + 3 * a + b] = view->director[a][b][j];
    }
  }
}

/* 64-bit FNV-1a of numbers, low byte first whatever the machine. */
static inline uint64_t hash_numbers(uint64_t hash, const double *x, int count) {
  for (int i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    for (int b = 0; b < 64; b += 8) hash = (hash ^ ((bits >> b) & 0xff)) * UINT64_C(0x100000001b3);
  }
  return hash;
}

static inline uint64_t hash_start(void) {
  return UINT64_C(0xcbf29ce484222325);
}

/* Goes on with the state of one rod. */
static inline uint64_t hash_rod(uint64_t hash, const elastica_rod *rod) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int a = 0; a < 3; a++) hash = hash_numbers(hash, view->position[a], view->node_count);
  for (int a = 0; a < 3; a++) hash = hash_numbers(hash, view->velocity[a], view->node_count);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) hash = hash_numbers(hash, view->director[a][b], view->element_count);
  for (int a = 0; a < 3; a++) hash = hash_numbers(hash, view->omega[a], view->element_count);
  return hash;
}

/* The state of all rods of a world and its time. */
static inline uint64_t hash_world(elastica_world *world) {
  const double time = elastica_world_time(world);
  uint64_t hash = hash_numbers(hash_start(), &time, 1);
  for (int k = 0; k < elastica_world_rod_count(world); k++) hash = hash_rod(hash, elastica_world_rod(world, k));
  return hash;
}

#endif
