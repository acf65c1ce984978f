/* Modes: natural frequencies of rods, from the stiffness and the mass of an equilibrium.
 *
 * source    closed forms of Euler and Bernoulli (beams), Timoshenko (thick beam), d'Alembert (string), Daniel Bernoulli (hanging chain),
 * Love
 *           (rings); the frame of two legs of the benchmark of Argyris (1979) with the two frequencies that are published for it
 * claim     frequencies converge with second order in n to those of the continuous bodies
 * compared  frequencies, extrapolated in n, and their order; tolerances are a few times the difference between the last two extrapolations
 *
 * There are no time steps. A beam that rotates has gyroscopic forces, and is refused.
 */
#include "common/example.h"
#include "common/right_angle.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPES = 3, MOST = 5 };
static const int SIZES[MOST] = {25, 50, 100, 200, 400};
static const double STEEL = 200e9, DENSITY = 7850;

typedef struct study {
  int count;            /* of SIZES */
  elastica_csv *errors; /* case, mode, n, relative error */
  int number;           /* of the case */
} study;

/* One body: makes its world with n elements, at rest. */
typedef struct body {
  const char *name;
  elastica_world *(*make)(example *e, int n, const struct body *of);
  double omega[SHAPES]; /* [rad/s] of the continuous body */
  int every;            /* the place of the next such mode among those that are not rigid */
  double tolerance;     /* relative */
  double radius;
  int ends[2]; /* a beam: the supports of its ends */
} body;

enum { FREE, PINNED, CLAMPED };

static void hold(example *e, elastica_world *world, elastica_rod *rod, int node, int kind) {
  elastica_boundary_def def;
  elastica_boundary_def_init(&def, sizeof def);
  def.node = node;
  def.kind = kind == PINNED ? ELASTICA_BOUNDARY_PIN : ELASTICA_BOUNDARY_CLAMP;
  if (kind != FREE) example_require(e, world, elastica_add_boundary(world, rod, &def, NULL));
}

/* A steel rod of 1 m along z. */
static elastica_rod_def bar(int n, double radius) {
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.length = 1;
  def.radius = radius;
  def.density = DENSITY;
  def.youngs_modulus = STEEL;
  def.shear_modulus = STEEL / 3;
  return def;
}

static elastica_rod *add(example *e, elastica_world *world, const elastica_rod_def *def) {
  elastica_rod *rod = NULL;
  example_require(e, world, elastica_world_add_rod(world, def, &rod));
  return rod;
}

static elastica_modes *find(example *e, elastica_world *world, int count) {
  elastica_modes_def def;
  elastica_modes *modes = NULL;
  elastica_modes_def_init(&def, sizeof def);
  def.count = count;
  example_require(e, world, elastica_modes_find(world, &def, &modes));
  return modes;
}

static elastica_eigenmode mode_of(const example *e, const elastica_world *world, const elastica_modes *modes, int k) {
  elastica_eigenmode mode;
  example_require(e, world, elastica_modes_get(modes, k, &mode));
  return mode;
}

/* Angular frequencies of the modes `every` apart that are not rigid. */
static void solve(example *e, const body *b, int n, double omega[SHAPES]) {
  elastica_world *world = b->make(e, n, b);
  elastica_modes *modes = find(e, world, 6 + SHAPES * b->every);
  int elastic = 0;
  for (int k = 0; k < SHAPES; k++) omega[k] = NAN;
  for (int k = 0; k < elastica_modes_count(modes); k++) {
    const elastica_eigenmode mode = mode_of(e, world, modes, k);
    if (mode.rigid) continue;
    if (elastic % b->every == 0 && elastic / b->every < SHAPES) omega[elastic / b->every] = sqrt(mode.square);
    elastic++;
  }
  elastica_modes_destroy(modes);
  example_done(e, world);
}

static void converge(example *e, study *s, const body *b) {
  double omega[MOST][SHAPES];
  for (int k = 0; k < s->count; k++) solve(e, b, SIZES[k], omega[k]);
  const double *coarse = omega[s->count - 2], *fine = omega[s->count - 1];
  for (int m = 0; m < SHAPES; m++) {
    for (int k = 0; k < s->count; k++) example_row(e, s->errors, s->number, m + 1, SIZES[k], fabs(omega[k][m] / b->omega[m] - 1));
    const double limit = fine[m] + (fine[m] - coarse[m]) / 3;
    example_check(e, limit, b->omega[m], b->tolerance * b->omega[m], "%s_mode_%d", b->name, m + 1);
  }
  example_check(e, log2((coarse[0] - omega[s->count - 3][0]) / (fine[0] - coarse[0])), 2, 0.1, "%s_order", b->name);
  s->number++;
}

/* ---- Beams ---- */

static elastica_world *make_beam(example *e, int n, const body *b) {
  elastica_world *world = example_world(e);
  const elastica_rod_def def = bar(n, b->radius);
  elastica_rod *rod = add(e, world, &def);
  for (int end = 0; end < 2; end++) hold(e, world, rod, end ? -1 : 0, b->ends[end]);
  return world;
}

/* The root of a function that changes its sign once between low and high. */
static double root(double (*f)(double), double low, double high) {
  const double sign = f(low);
  for (int k = 0; k < 80; k++) {
    const double middle = (low + high) / 2;
    if ((f(middle) > 0) == (sign > 0))
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}

static double clamped_free(double x) {
  return cos(x) + 1 / cosh(x);
}

static double clamped_clamped(double x) {
  return cos(x) - 1 / cosh(x);
}

static double clamped_pinned(double x) {
  return sin(x) - cos(x) * tanh(x);
}

static double pinned_pinned(double x) {
  return sin(x);
}

static void beams(example *e, study *s) {
  const double pi = acos(-1), radius = 5e-4, speed = radius / 2 * sqrt(STEEL / DENSITY);
  const struct {
    const char *name;
    int ends[2];
    double (*f)(double);
    double first; /* between the first root and half a wave before it */
  } cases[5] = {{"clamped_free", {CLAMPED, FREE}, clamped_free, 0.1},
                {"pinned_pinned", {PINNED, PINNED}, pinned_pinned, 0.5},
                {"clamped_clamped", {CLAMPED, CLAMPED}, clamped_clamped, 1},
                {"free_free", {FREE, FREE}, clamped_clamped, 1},
                {"clamped_pinned", {CLAMPED, PINNED}, clamped_pinned, 0.75}};
  for (int c = 0; c < 5; c++) {
    body b = {cases[c].name, make_beam, {0}, 2, 1e-4, radius, {cases[c].ends[0], cases[c].ends[1]}};
    for (int m = 0; m < SHAPES; m++) {
      const double x = root(cases[c].f, pi * (cases[c].first + m), pi * (cases[c].first + m + 1));
      b.omega[m] = x * x * speed;
    }
    converge(e, s, &b);
  }
}

/* The digits are roots of Timoshenko's equation with the same shear coefficient. Torsion and stretch stand between the bending modes. */
static void thick_beam(example *e) {
  static const double DIGITS[2] = {871.1696611515521, 4953.330802155439};
  double omega[2][5];
  for (int k = 0; k < 2; k++) {
    const body b = {"timoshenko", make_beam, {0}, 1, 0, 0.1, {CLAMPED, FREE}};
    elastica_world *world = b.make(e, SIZES[k], &b);
    elastica_modes *modes = find(e, world, 5);
    for (int m = 0; m < 5; m++) omega[k][m] = sqrt(mode_of(e, world, modes, m).square);
    elastica_modes_destroy(modes);
    example_done(e, world);
  }
  for (int m = 0; m < 2; m++) {
    const int at = 3 * m; /* two of the first, torsion, two of the second */
    example_check(e, omega[1][at] + (omega[1][at] - omega[0][at]) / 3, DIGITS[m], 1e-4 * DIGITS[m], "timoshenko_mode_%d", m + 1);
  }
  const double torsion = acos(-1) / 2 * sqrt(STEEL / 3 / DENSITY);
  example_check(e, omega[1][2] + (omega[1][2] - omega[0][2]) / 3, torsion, 1e-5 * torsion, "torsion_mode_1");
}

/* ---- String and chain ---- */

/* Almost nothing resists bending; twist is stiff, so that its modes stand far above. */
static elastica_rod *add_limp(example *e, elastica_world *world, int n, double upward, double radius) {
  elastica_rod_def def = bar(n, radius);
  def.direction[2] = upward;
  double *bend = malloc(3 * (size_t)n * sizeof *bend);
  if (!bend) example_require(e, NULL, ELASTICA_OUT_OF_MEMORY);
  for (int j = 0; j < n; j++) bend[component(j, X)] = bend[component(j, Y)] = 1e-9, bend[component(j, Z)] = 1e-2;
  def.bend_stiffness = bend;
  elastica_rod *rod = add(e, world, &def);
  free(bend);
  return rod;
}

static elastica_world *make_string(example *e, int n, const body *b) {
  elastica_world *world = example_world(e);
  elastica_rod *rod = add_limp(e, world, n, 1, b->radius);
  const double strain = 5.0 / elastica_rod_get_view(rod)->shear_stiffness[2][0];
  double *place = calloc(3 * ((size_t)n + 1), sizeof *place);
  if (!place) example_require(e, NULL, ELASTICA_OUT_OF_MEMORY);
  for (int i = 0; i <= n; i++) place[component(i, Z)] = (1 + strain) * i / n;
  example_require(e, world, elastica_rod_set_state(rod, place, NULL, NULL, NULL));
  free(place);
  hold(e, world, rod, 0, PINNED);
  hold(e, world, rod, -1, PINNED);
  return world;
}

static elastica_world *make_chain(example *e, int n, const body *b) {
  elastica_world *world = example_world(e);
  elastica_rod *rod = add_limp(e, world, n, -1, b->radius);
  hold(e, world, rod, 0, PINNED);
  example_require(e, world, elastica_add_gravity(world, (const double[]){0, 0, -9.81}, NULL));
  (void)example_relax(e, world);
  return world;
}

static void strings(example *e, study *s) {
  const double pi = acos(-1), radius = 2e-4, strain = 5 / (STEEL * pi * radius * radius),
               zeros[SHAPES] = {2.404825557695773, 5.520078110286311, 8.653727912911012};
  body b = {"string", make_string, {0}, 2, 1e-5, radius, {0}};
  for (int m = 0; m < SHAPES; m++) b.omega[m] = (m + 1) * sqrt(5 * pi / DENSITY / (1 + strain)) / radius;
  converge(e, s, &b);
  b = (body){"chain", make_chain, {0}, 2, 1e-3, 5e-4, {0}};
  for (int m = 0; m < SHAPES; m++) b.omega[m] = zeros[m] / 2 * sqrt(9.81); /* J0 = 0 */
  converge(e, s, &b);
}

/* ---- Rings ---- */

static elastica_world *make_ring(example *e, int n, const body *b) {
  elastica_world *world = example_world(e);
  elastica_rod_def def = bar(n, b->radius);
  const double step = 2 * acos(-1) / n, radius = 0.1 * (step / 2) / sin(step / 2); /* as long as the circle */
  double *place = calloc(3 * (size_t)n, sizeof *place);
  if (!place) example_require(e, NULL, ELASTICA_OUT_OF_MEMORY);
  for (int i = 0; i < n; i++) {
    place[component(i, X)] = radius * cos(i * step);
    place[component(i, Y)] = radius * sin(i * step);
  }
  def.closed = 1;
  def.length = NAN;
  def.position = place;
  def.rest = ELASTICA_REST_INITIAL;
  (void)add(e, world, &def);
  free(place);
  return world;
}

/* Two waves: out of the plane and in it, each twice; then three waves out of the plane. */
static void ring(example *e, study *s) {
  const double radius = 1e-3, unit = radius / 2 * sqrt(STEEL / DENSITY) / (0.1 * 0.1), twist = 1.5; /* EI/GJ */
  body b = {"ring", make_ring, {0}, 2, 1e-3, radius, {0}};
  b.omega[0] = unit * sqrt(36 / (4 + twist));
  b.omega[1] = unit * sqrt(36.0 / 5);
  b.omega[2] = unit * sqrt(9 * 64 / (9 + twist));
  converge(e, s, &b);
}

/* ---- The frame of two legs ---- */

static elastica_world *make_frame(example *e, int n) {
  const right_angle of = right_angle_of(3, 5e-9);
  elastica_world *world = example_world(e);
  elastica_rod *leg[2];
  right_angle_add(e, world, &of, n, leg);
  return world;
}

/* Digits are those of a coarse model of plates; orders and the distance from the limit are ours. */
static void frame(example *e, int count) {
  static const double PUBLISHED[2] = {11.2732, 30.5269};
  double hertz[MOST][2];
  for (int k = 0; k < count; k++) {
    elastica_world *world = make_frame(e, SIZES[k]);
    elastica_modes *modes = find(e, world, 4);
    for (int m = 0; m < 2; m++) hertz[k][m] = mode_of(e, world, modes, m).frequency;
    if (k == 1) { /* the first mode as it moves, the tip by a fifth of a leg */
      elastica_vtk *vtk = example_vtk(e, world, "modes");
      for (int f = 0; f <= 40; f++) {
        example_require(e, world, elastica_modes_apply(modes, 0, 0.4 * sin(acos(-1) * f / 20)));
        output_frame(&e->output, world, vtk);
      }
    }
    elastica_modes_destroy(modes);
    example_done(e, world);
  }
  for (int m = 0; m < 2; m++) {
    const double coarse = hertz[count - 2][m], fine = hertz[count - 1][m], limit = fine + (fine - coarse) / 3;
    example_check(e, limit, PUBLISHED[m], 0.01 * PUBLISHED[m], "frame_mode_%d", m + 1);
    example_check(e, log2((coarse - hertz[count - 3][m]) / (fine - coarse)), 2, 0.1, "frame_mode_%d_order", m + 1);
  }
}

/* ---- A snake, and a beam that rotates ---- */

static void snake(example *e) {
  elastica_world *world = example_world(e);
  elastica_rod_def def = bar(50, 0.35 * 0.011);
  def.length = 0.35;
  def.density = 1000;
  def.youngs_modulus = 1e6;
  def.shear_modulus = 1e6 / 1.5;
  (void)add(e, world, &def);
  elastica_modes *modes = find(e, world, 8);
  int rigid = 0;
  for (int k = 0; k < 8; k++) rigid += mode_of(e, world, modes, k).rigid;
  example_check(e, rigid, 6, 0, "snake_rigid_motions");
  const double beam = 4.730040744862704 * 4.730040744862704 * def.radius / 2 * sqrt(1e3) / (0.35 * 0.35);
  example_check(e, 2 * acos(-1) * mode_of(e, world, modes, 6).frequency, beam, 0.005 * beam, "snake_first_bending");
  elastica_modes_destroy(modes);
  example_done(e, world);
}

static void rotating_beam(example *e) {
  elastica_world *world = example_world(e);
  const elastica_rod_def def = bar(20, 0.01);
  elastica_rod *rod = add(e, world, &def);
  double velocity[63] = {0}, omega[60] = {0};
  for (int i = 0; i <= 20; i++) velocity[component(i, X)] = 6 * elastica_rod_get_view(rod)->position[Z][i];
  for (int j = 0; j < 20; j++) omega[component(j, Y)] = 6;
  example_require(e, world, elastica_rod_set_state(rod, NULL, velocity, NULL, omega));
  elastica_modes *modes = NULL;
  const elastica_status status = elastica_modes_find(world, NULL, &modes);
  printf("rotating beam, refused as expected: %s\n", elastica_world_message(world));
  example_check(e, status == ELASTICA_INVALID_ARGUMENT, 1, 0, "rotating_beam_is_refused");
  elastica_modes_destroy(modes);
  example_done(e, world);
}

/* A rope that hangs: its frequency is that of a pendulum, not that of the bending of a free rod. */
static void rope(example *e) {
  const body b = {"rope", make_chain, {0}, 2, 0, 5e-4, {0}};
  elastica_world *world = b.make(e, 50, &b);
  elastica_modes *modes = find(e, world, 2);
  elastica_rod_facts facts;
  example_require(e, world, elastica_rod_get_facts(elastica_world_rod(world, 0), &facts));
  example_inform(e, mode_of(e, world, modes, 1).frequency, "rope_first_frequency");
  elastica_modes_destroy(modes);
  example_done(e, world);
}

/* ---- Shapes ---- */

/* Along the direction in which the last node moves; it moves by 1. */
static void fill(const elastica_mode_shape *shape, int n, double *column) {
  double square = 0;
  for (int a = 0; a < 3; a++) square += pow(shape->displacement[a][n], 2);
  for (int i = 0; i <= n; i++) {
    column[i] = 0;
    for (int a = 0; a < 3; a++) column[i] += shape->displacement[a][i] * shape->displacement[a][n] / square;
  }
}

static void write_shapes(example *e, const body *b, const char *file) {
  enum { N = 100 };
  double column[SHAPES][N + 1] = {{0}};
  elastica_world *world = b->make(e, N, b);
  elastica_modes *modes = find(e, world, 1 + 2 * SHAPES);
  int elastic = 0;
  for (int k = 0; k < elastica_modes_count(modes); k++) {
    elastica_mode_shape shape;
    if (mode_of(e, world, modes, k).rigid || elastic >= 2 * SHAPES) continue;
    example_require(e, world, elastica_modes_get_shape(modes, k, elastica_world_rod(world, 0), &shape));
    if (elastic % 2 == 0) fill(&shape, N, column[elastic / 2]);
    elastic++;
  }
  elastica_csv *csv = example_csv(e, file);
  for (int i = 0; i <= N; i++) example_row(e, csv, (double)i / N, column[0][i], column[1][i], column[2][i]);
  elastica_modes_destroy(modes);
  example_done(e, world);
}

/* ---- Table ---- */

static void certified_case(example *e, int n) {
  body b = {"clamped_free", make_beam, {0}, 2, 0, 5e-4, {CLAMPED, FREE}};
  double omega[SHAPES];
  solve(e, &b, n, omega);
  for (int m = 0; m < SHAPES; m++) example_inform(e, omega[m], "clamped_free_mode_%d", m + 1);
}

static const example_file FILES[] = {
    {"errors.csv", "case [1],mode [1],n [1],relative error [1]", "errors of frequencies, in the order of the table", FILE_ALWAYS},
    {"beam.csv", "distance [m],mode 1 [1],mode 2 [1],mode 3 [1]", "shapes of the slender cantilever", FILE_ALWAYS},
    {"chain.csv", "distance [m],mode 1 [1],mode 2 [1],mode 3 [1]", "shapes of the hanging chain", FILE_ALWAYS},
    {"modes.pvd", NULL, "the first mode of the frame, through one period", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "modes",
                               .title = "natural frequencies of beams, a string, a chain, a ring and a frame",
                               .quick = "n = 25 to 100; 1 s",
                               .normal = "n = 25 to 200; 1 s",
                               .full = "n = 25 to 400; 2 s",
                               .certified = {certified_case, 25, "a slender cantilever, n = 25; under 1 s", NULL},
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  study s = {.count = e.options.mode == EXAMPLE_QUICK  ? MOST - 2
                      : e.options.mode == EXAMPLE_FULL ? MOST
                                                       : MOST - 1,
             .errors = example_csv(&e, "errors.csv"),
             .number = 1};
  beams(&e, &s);
  thick_beam(&e);
  strings(&e, &s);
  ring(&e, &s);
  frame(&e, s.count);
  snake(&e);
  rope(&e);
  rotating_beam(&e);
  const body beam = {"beam", make_beam, {0}, 2, 0, 5e-4, {CLAMPED, FREE}}, chain = {"chain", make_chain, {0}, 2, 0, 5e-4, {0}};
  write_shapes(&e, &beam, "beam.csv");
  write_shapes(&e, &chain, "chain.csv");
  example_plot(&e, 1200, 860, NULL, "n = %d to %d, without time steps", SIZES[0], SIZES[s.count - 1]);
  return example_end(&e);
}
