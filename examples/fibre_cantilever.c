/* Fibre cantilever: a nearly inextensible fibre, clamped at one end and bent by a force on the other, up to any deflection.
 *
 * source    Bisshopp and Drucker, "Large deflection of cantilever beams", Q. Appl. Math. 3 (1945) 272; Crassous, "A discrete element method
 *           model for frictional fibers", the cantilever: N* = 100 points, B* = 0.1, F L^2/B = 10
 * claim     sqrt(F L^2/B) = K(k) - F(t, k), deflection/L = 1 - 2 (E(k) - E(t, k))/sqrt(F L^2/B), x/L = sqrt(2 sin phi B/(F L^2)), with
 *           k^2 = (1 + sin phi)/2, sin t = 1/(k sqrt 2), phi the angle of the tip
 * compared  deflection and x of the tip at 24 loads, extrapolated in n, with the formulas; the order in n at F L^2/B = 10, with the
 *           half-cell clamp and with that of the paper (the first element does not turn); and both with the equilibria of a chain of
 *           elements with the joint couple B psi/l
 *
 * Units are the paper's: length l0 of its segments, stretch stiffness k0 l0 = 1 of its fibre. Here the fibre is 100 l0 long for all n,
 * and its S is 1e4, which makes it 1e-8 longer. The paper reports an error proportional to 1/N^2: this needs the half-cell clamp, or a
 * fibre measured from the middle of the clamped segment. Measured from the end of that segment, as here, its set-up is of first order.
 */
#include "common/example.h"
#include <math.h>

static const double LENGTH = 100, BENDING = 0.1, STRETCH = 1e4, RADIUS = 0.5; /* [l0] [k0 l0^3] [k0 l0] [l0] */
static const double LOADS[] = {0.01, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 50, 100};
enum { LOAD_COUNT = sizeof LOADS / sizeof *LOADS, COARSEST = 8, SIZES = 5, MOST = 256 };

typedef struct tip {
  double down, x; /* [L] deflection, and distance from the clamp along the direction of the unbent fibre */
} tip;

/* ---- Bisshopp and Drucker ---- */

typedef struct elliptic {
  double first, second; /* integrals of both kinds from t to a right angle */
} elliptic;

/* Simpson's rule; both integrands are smooth as long as k < 1. Towards k = 1 they are steep at the right angle, hence the substitution
 * tan(right angle - angle) = sqrt(1 - k^2) sinh(u), which flattens them: d(angle)/sqrt(1 - k^2 sin^2) = du/sqrt(1 + (1 - k^2) sinh^2 u). */
static elliptic integrate(double k2, double t) {
  enum { PARTS = 4000 };
  const double rest = 1 - k2, end = asinh(tan(acos(-1) / 2 - t) / sqrt(rest)), h = end / PARTS;
  elliptic sum = {0, 0};
  for (int i = 0; i <= PARTS; i++) {
    const double weight = i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2, s = sinh(i * h), below = 1 + rest * s * s;
    sum.first += weight / sqrt(below);
    sum.second +=
        weight * rest * (1 + s * s) / (below * sqrt(below)); /* times 1 - k^2 sin^2 = (1 - k^2) cosh^2 u/(1 + (1 - k^2) sinh^2 u) */
  }
  return (elliptic){sum.first * h / 3, sum.second * h / 3};
}

/* By bisection in ln(1 - sin phi), over angles up to so near a right angle that load 1,000 is reached. */
static tip expected(double load) {
  double low = -40, high = 0;
  elliptic of = {0, 0};
  double sine = 0;
  for (int i = 0; i < 100; i++) {
    const double middle = (low + high) / 2, k2 = 1 - exp(middle) / 2;
    sine = 1 - exp(middle);
    of = integrate(k2, asin(sqrt(0.5 / k2)));
    if (of.first * of.first > load)
      low = middle;
    else
      high = middle;
  }
  return (tip){1 - 2 * of.second / of.first, sqrt(2 * sine) / of.first};
}

/* ---- The fibre ---- */

typedef struct fibre {
  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *load;
  int n; /* number of elements that are free to turn */
} fibre;

/* kind FRAME: an additional, held element is behind the clamp. */
static fibre build(example *e, int n, elastica_boundary_kind kind) {
  static double stretch[3 * (MOST + 1)], bend[3 * (MOST + 1)];
  fibre of = {.world = example_world(e), .n = n};
  const int count = kind == ELASTICA_BOUNDARY_FRAME ? n + 1 : n;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  for (int j = 0; j < 3 * count; j++) stretch[j] = STRETCH, bend[j] = BENDING;
  def.element_count = count, def.length = LENGTH / n * count, def.start[X] = LENGTH - def.length;
  def.direction[X] = 1, def.direction[Z] = 0;
  def.radius = RADIUS, def.density = 1 / (acos(-1) * RADIUS * RADIUS); /* a mass m0 per l0 */
  def.shear_stiffness = stretch, def.bend_stiffness = bend;
  example_require(e, of.world, elastica_world_add_rod(of.world, &def, &of.rod));

  elastica_boundary_def clamp;
  elastica_point_load_def load;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  clamp.kind = kind;
  example_require(e, of.world, elastica_add_boundary(of.world, of.rod, &clamp, NULL));
  elastica_point_load_def_init(&load, sizeof load);
  example_require(e, of.world, elastica_add_point_load(of.world, of.rod, &load, &of.load));
  return of;
}

static tip bend(example *e, const fibre *of, double load) {
  const elastica_rod_view *view = elastica_rod_get_view(of->rod);
  elastica_point_load_def def;
  elastica_point_load_def_init(&def, sizeof def);
  def.force[Z] = -load * BENDING / (LENGTH * LENGTH);
  example_require(e, of->world, elastica_point_load_set(of->load, &def));
  example_relax(e, of->world);
  example_worked(e, of->n);
  const int last = view->node_count - 1;
  return (tip){-view->position[Z][last] / LENGTH, view->position[X][last] / LENGTH};
}

static tip bend_once(example *e, int n, elastica_boundary_kind kind, double load) {
  const fibre of = build(e, n, kind);
  tip at = {0, 0};
  for (int k = 0; k < LOAD_COUNT && LOADS[k] <= load; k++) at = bend(e, &of, LOADS[k]);
  example_done(e, of.world);
  return at;
}

/* ---- Comparison ---- */

/* Errors are even in 1/n: the remainder after an extrapolation is of fourth order in the turn of a joint at the clamp. The lower limit
 * is rounding: that of a position, 1e-14 l0, is multiplied by S to a force of 1e-10, compared with F = 1e-5 at F L^2/B = 1, and bends
 * the fibre by some 1e-7 L. */
static double band_of(double load, int n) {
  return pow(sqrt(load) / n, 4) + 2e-6;
}

static void follow_loads(example *e, int n, elastica_csv *csv) {
  const fibre coarse = build(e, n / 2, ELASTICA_BOUNDARY_CLAMP), fine = build(e, n, ELASTICA_BOUNDARY_CLAMP);
  double worst[2] = {0, 0};
  elastica_view *page = example_page(e, fine.world);
  output_page_frame(&e->output, fine.world, page);
  for (int k = 0; k < LOAD_COUNT; k++) {
    const tip wide = bend(e, &coarse, LOADS[k]), narrow = bend(e, &fine, LOADS[k]), exact = expected(LOADS[k]);
    const tip limit = {narrow.down + (narrow.down - wide.down) / 3, narrow.x + (narrow.x - wide.x) / 3};
    output_page_frame(&e->output, fine.world, page);
    worst[0] = fmax(worst[0], fabs(limit.down - exact.down));
    worst[1] = fmax(worst[1], fabs(limit.x - exact.x));
    example_row(e, csv, LOADS[k], narrow.down, narrow.x, limit.down, limit.x, exact.down, exact.x);
    if (LOADS[k] == 1 || LOADS[k] == 10 || LOADS[k] == 100) {
      example_check(e, limit.down, exact.down, band_of(LOADS[k], n), "deflection_at_%g", LOADS[k]);
      example_check(e, limit.x, exact.x, band_of(LOADS[k], n), "x_at_%g", LOADS[k]);
    }
  }
  const double band = band_of(LOADS[LOAD_COUNT - 1], n);
  example_check(e, worst[0], 0, band, "largest_error_of_deflection");
  example_check(e, worst[1], 0, band, "largest_error_of_x");
  example_done(e, fine.world);
  example_done(e, coarse.world);
}

/* Relative errors of the deflection of the chain for n = 8, 16, .. 128, from its equilibrium as an initial value problem. */
static const double CHAIN[2][SIZES] = {{0.008663837, 0.0021625995, 0.00054030724, 0.00013505352, 3.3761896e-05},
                                       {0.070833494, 0.037408031, 0.019195868, 0.0097206414, 0.0048909978}};

static void refine(example *e, elastica_boundary_kind kind, int sizes, elastica_csv *csv) {
  const char *const name = kind == ELASTICA_BOUNDARY_FRAME ? "first_element_held" : "half_cell_clamp";
  const double exact = expected(10).down;
  double error[SIZES] = {0};
  for (int k = 0; k < sizes; k++) {
    const int n = COARSEST << k;
    error[k] = bend_once(e, n, kind, 10).down / exact - 1;
    example_check(e, error[k], CHAIN[kind == ELASTICA_BOUNDARY_FRAME][k], 2e-7, "%s_error_for_n_%d", name, n);
    example_row(e, csv, kind, n, error[k]);
  }
  for (int k = 1; k < sizes; k++)
    example_check(e, log2(error[k - 1] / error[k]), kind == ELASTICA_BOUNDARY_FRAME ? 1 : 2, 0.1, "%s_order_for_n_%d", name, COARSEST << k);
}

/* N* = 100 points; the first two are held: 98 segments are free. */
static void published(example *e) {
  const double exact = expected(10).down;
  example_check(e, bend_once(e, 98, ELASTICA_BOUNDARY_FRAME, 10).down, exact * (1 + 0.0063759751), 2e-7, "published_set-up");
  example_inform(e, bend_once(e, 98, ELASTICA_BOUNDARY_CLAMP, 10).down / exact - 1, "its_error_with_the_half_cell_clamp");
}

static void certified_case(example *e, int n) {
  const tip at = bend_once(e, n, ELASTICA_BOUNDARY_CLAMP, 10);
  example_inform(e, at.down, "deflection");
  example_inform(e, at.x, "x");
}

static void draw(example *e, int n) {
  example_plot(e, 1300, 520, NULL, "n = %d, S = 1e4 k0 l0", n);
}

static const example_file FILES[] = {
    {"loads.csv", "F L^2/B [1],deflection [L],x [L],deflection in the limit [L],x in the limit [L],deflection expected [L],x expected [L]",
     "the tip at each load", FILE_ALWAYS},
    {"orders.csv", "first element held [1],n [1],relative error [1]", "the deflection at F L^2/B = 10", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "fibre_cantilever",
                               .title = "a fibre bent by its end, against the elastica of Bisshopp and Drucker",
                               .quick = "n = 32 at 24 loads; orders from n = 8 to 32; 1 s",
                               .normal = "n = 128 at 24 loads; orders from n = 8 to 128; the paper's n = 98; 1 s",
                               .full = "n = 256 at 24 loads, the rest the same; 2 s",
                               .certified = {certified_case, 16, "the tip at F L^2/B = 10, n = 16; under 1 s", NULL},
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, n = quick ? 32 : e.options.mode == EXAMPLE_FULL ? MOST : 128;
  const int sizes = quick ? 3 : SIZES;
  elastica_csv *loads = example_csv(&e, "loads.csv"), *orders = example_csv(&e, "orders.csv");
  example_expect(&e, 1.5 * LOAD_COUNT * n + 36.0 * (COARSEST << sizes) + (quick ? 0 : 36 * 98));
  follow_loads(&e, n, loads);
  refine(&e, ELASTICA_BOUNDARY_CLAMP, sizes, orders);
  refine(&e, ELASTICA_BOUNDARY_FRAME, sizes, orders);
  if (!quick) published(&e);
  draw(&e, n);
  return example_end(&e);
}
