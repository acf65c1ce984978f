/* Torsional buckling: a straight fibre, twisted by two opposite couples, buckles into a helix.
 *
 * source    Greenhill 1883; Crassous, "A discrete element method model for frictional fibers", the torsional instability: B* = 0.1
 * claim     held laterally at both ends, free to tilt, with couples along the fixed axis and no thrust, it buckles at M = 2 pi B/L; with
 *           ends that cannot tilt at M = 8.98682 B/L, a root of tan(M L/2B) = M L/2B
 * compared  thresholds by bisection, 3 %: the couple at which a seed of 1e-6 L begins to grow, in 40 periods of the slowest bending
 *           vibration after M was ramped up over 5 periods; a run with slowly rising M shows the value at which buckling becomes visible
 *
 * Units are the paper's: length l0 and mass m0 of a segment, stretch stiffness k0 l0 = 1, time sqrt(m0/k0). A fibre of L* segments has
 * the radius sqrt(4 B*), for the bending stiffness B* at that stretch stiffness; the shear stiffness equals the stretch stiffness.
 * Damping: lambda_v* = 1e-3 on each node, and an equal rate of decay of the spin of each frame, so that the twist comes to rest. A
 * buckle grows from a seed by e^(rate t): a ramp passes the threshold long before the buckle is visible, hence the bisection at constant
 * M. Ends that cannot tilt are clamps; the last clamp turns about the axis and slides along it; then the angle is given, C M/L, not the
 * couple.
 */
#include "common/example.h"
#include <math.h>
#include <string.h>

static const double BENDING = 0.1, DAMPING = 1e-3, SEED = 1e-6, LARGE = 1e-2; /* [k0 l0^3] [m0/t0] [L] [L] */
static const double CLAMPED = 8.986818915818128;                              /* twice the smallest positive root of tan x = x */
enum { MOST = 200, BRINGING = 5, WAITING = 40, RISING = 200 };                /* periods */

typedef struct fibre {
  elastica_world *world;
  elastica_rod *rod;
  int n, clamped;
  double couple;      /* [k0 l0^2] at the end of the ramp */
  double ramp;        /* [t0] */
  double director[9]; /* first frame of the last clamp */
} fibre;

static double critical(const fibre *of) {
  return (of->clamped ? CLAMPED : 2 * acos(-1)) * BENDING / of->n;
}

/* Period of the half sine for ends that are free to tilt, or of the lowest mode between clamps. */
static double slowest_period(const fibre *of) {
  const double wave = (of->clamped ? 4.730040744862704 : acos(-1)) / of->n;
  return 2 * acos(-1) / (wave * wave * sqrt(BENDING));
}

/* The last clamp turns by C M/L, C = B. */
static elastica_status turn(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const fibre *of = user;
  const double end = of->couple * of->n / BENDING, share = fmin(time / of->ramp, 1), c = cos(end * share), s = sin(end * share);
  (void)position, (void)velocity;
  for (int row = 0; row < 3; row++) {
    const double x = of->director[3 * row], y = of->director[3 * row + 1];
    director[3 * row] = c * x - s * y, director[3 * row + 1] = s * x + c * y;
  }
  omega[2] = share < 1 ? end / of->ramp : 0;
  return ELASTICA_OK;
}

/* The seed: nodes are displaced from the axis by a half sine in one direction and a whole sine in the other. */
static void add_fibre(example *e, fibre *of) {
  static double position[3 * (MOST + 1)], stretch[3 * MOST], bend[3 * MOST], rest[MOST];
  const int n = of->n;
  for (int i = 0; i <= n; i++) {
    const double s = acos(-1) * i / n;
    position[component(i, X)] = SEED * n * (of->clamped ? sin(s) * sin(s) : sin(s));
    position[component(i, Y)] = SEED * n * sin(2 * s) * (of->clamped ? sin(s) : 1);
    position[component(i, Z)] = i;
  }
  for (int j = 0; j < 3 * n; j++) stretch[j] = 1, bend[j] = BENDING, rest[j / 3] = 1;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n, def.position = position, def.rest_length = rest;
  def.normal[X] = 1, def.normal[Y] = def.normal[Z] = 0;
  def.radius = sqrt(4 * BENDING), def.density = 1 / (acos(-1) * def.radius * def.radius);
  def.shear_stiffness = stretch, def.bend_stiffness = bend;
  example_require(e, of->world, elastica_world_add_rod(of->world, &def, &of->rod));

  elastica_dissipation_def dissipation;
  elastica_dissipation_def_init(&dissipation, sizeof dissipation);
  dissipation.translation = DAMPING, dissipation.rotation = DAMPING * def.radius * def.radius / 2;
  example_require(e, of->world, elastica_add_dissipation(of->world, of->rod, &dissipation, NULL));
}

/* Holds the ends laterally, free to tilt, and twists them by couples about z. */
static void add_couples(example *e, const fibre *of) {
  elastica_boundary_def pin;
  elastica_boundary_def_init(&pin, sizeof pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  example_require(e, of->world, elastica_add_boundary(of->world, of->rod, &pin, NULL));
  pin.node = -1, pin.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
  example_require(e, of->world, elastica_add_boundary(of->world, of->rod, &pin, NULL));
  for (int end = 0; end < 2; end++) {
    elastica_point_load_def load;
    elastica_point_load_def_init(&load, sizeof load);
    load.element = -end;
    load.couple[Z] = end ? of->couple : -of->couple, load.couple_in_laboratory = 1;
    load.ramp_time = of->ramp;
    example_require(e, of->world, elastica_add_point_load(of->world, of->rod, &load, NULL));
  }
}

static void add_clamps(example *e, fibre *of) {
  static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  memcpy(clamp.director, upright, sizeof upright);
  memcpy(of->director, upright, sizeof upright);
  example_require(e, of->world, elastica_add_boundary(of->world, of->rod, &clamp, NULL));
  clamp.node = -1, clamp.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
  clamp.motion = turn, clamp.user = of;
  example_require(e, of->world, elastica_add_boundary(of->world, of->rod, &clamp, NULL));
}

static void build(example *e, fibre *of) {
  of->world = example_world(e);
  add_fibre(e, of);
  if (of->clamped)
    add_clamps(e, of);
  else
    add_couples(e, of);
}

/* [L] */
static double amplitude(const fibre *of) {
  const elastica_rod_view *view = elastica_rod_get_view(of->rod);
  double largest = 0;
  for (int i = 0; i < view->node_count; i++) largest = fmax(largest, hypot(view->position[X][i], view->position[Y][i]));
  return largest / of->n;
}

/* 1 if the seed is larger in the last of the periods at constant M than in the first, or has become large before. */
static int grows(example *e, int n, int clamped, double level, elastica_csv *csv) {
  fibre of = {.n = n, .clamped = clamped};
  of.couple = level * critical(&of), of.ramp = BRINGING * slowest_period(&of);
  build(e, &of);
  const double period = slowest_period(&of);
  double first = 0, last = 0, now = 0;
  for (int k = 1; k <= 8 * (BRINGING + WAITING) && now < LARGE; k++) {
    example_advance(e, of.world, k * period / 8);
    now = amplitude(&of);
    if (k > 8 * BRINGING && k <= 8 * BRINGING + 8) first = fmax(first, now);
    last = k % 8 == 1 ? now : fmax(last, now);
    example_row(e, csv, level, k / 8.0, now);
  }
  example_done(e, of.world);
  example_worked(e, pow(n, 3));
  return now >= LARGE || last > first;
}

/* M L/B at the threshold. */
static double threshold(example *e, int n, int clamped, int halvings, elastica_csv *csv) {
  double low = 0.8, high = 1.2;
  const fibre of = {.n = n, .clamped = clamped};
  const double scale = critical(&of) * n / BENDING;
  if (grows(e, n, clamped, low, csv)) return 0;
  if (!grows(e, n, clamped, high, csv)) return INFINITY;
  for (int k = 0; k < halvings; k++) {
    const double middle = (low + high) / 2;
    if (grows(e, n, clamped, middle, csv))
      high = middle;
    else
      low = middle;
  }
  return (low + high) / 2 * scale;
}

/* M over 2 pi B/L at which the buckle reaches LARGE, while M rises from 0 to twice this value in RISING periods. */
static double seen_at(example *e, int n, elastica_vtk **vtk) {
  fibre of = {.n = n};
  const double period = slowest_period(&of);
  of.couple = 2 * critical(&of), of.ramp = RISING * period;
  build(e, &of);
  *vtk = example_vtk(e, of.world, "torsional_buckling");
  double level = 0;
  for (int k = 1; k <= 4 * RISING && level == 0; k++) {
    example_advance(e, of.world, k * period / 4);
    if (amplitude(&of) > LARGE) level = 2 * elastica_world_get(of.world).time / of.ramp;
    if (k % 8 == 0 || level > 0) output_frame(&e->output, of.world, *vtk);
  }
  example_done(e, of.world);
  return level;
}

static void draw(example *e, int halvings) {
  example_plot(e, 1300, 520, NULL, "B* = 0.1, %d halvings", halvings);
}

static const example_file FILES[] = {
    {"growth.csv", "M L/(2 pi B) [1],time [periods],distance from the axis [L]", "the seed of L* = 20 at several couples", FILE_ALWAYS},
    {"thresholds.csv", "L* [1],clamped [1],threshold M* [1],expected M* [1]", "the thresholds", FILE_ALWAYS},
    {"torsional_buckling.pvd", NULL, "a couple that rises slowly, L* = 20", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  static const int lengths[] = {20, 30, 40, 50, 60, 80, 100, 150, 200};
  const example_about about = {.name = "torsional_buckling",
                               .title = "a twisted fibre buckles into a helix (Greenhill; Crassous)",
                               .quick = "L* = 20, 4 halvings; 1 s",
                               .normal = "L* = 20 to 60, 6 halvings; 10 s",
                               .full = "L* = 20 to 200, 7 halvings; 8 min",
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL;
  const int count = quick ? 1 : full ? 9 : 5, halvings = quick ? 4 : full ? 7 : 6;
  elastica_csv *growth = example_csv(&e, "growth.csv"), *thresholds = example_csv(&e, "thresholds.csv");
  elastica_vtk *vtk = NULL;
  double work = 0;
  for (int k = 0; k < count; k++) work += 2 * (halvings + 2) * pow(lengths[k], 3);
  example_expect(&e, work);
  for (int clamped = 0; clamped < (quick ? 1 : 2); clamped++) {
    for (int k = 0; k < count; k++) {
      const int n = lengths[k], first = k == 0 && !clamped;
      const double expected = clamped ? CLAMPED : 2 * acos(-1);
      if (first && growth) grows(&e, n, 0, 0.95, growth), grows(&e, n, 0, 1.05, growth);
      const double found = threshold(&e, n, clamped, halvings, first ? growth : NULL);
      example_row(&e, thresholds, n, clamped, found * BENDING / n, expected * BENDING / n);
      example_check(&e, found, expected, 0.03 * expected, "%s_threshold_M_L/B_for_L_%d", clamped ? "clamped" : "tilting", n);
    }
  }
  example_inform(&e, seen_at(&e, 20, &vtk), "seen_at_M_L/2_pi_B_when_M_rises_slowly");
  draw(&e, halvings);
  return example_end(&e);
}
