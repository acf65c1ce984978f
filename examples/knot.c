/* Knot: an open trefoil in a fibre, pulled tight and loosened, without and with friction.
 *
 * source    Audoly, Clauvelin and Neukirch, "Elastic knots", Phys. Rev. Lett. 99 (2007) 164301; Crassous, "A discrete element method
 *           model for frictional fibers", the knot: r* = 0.1, B* = r*^2/4, N = 500
 * claim     T r^2/B = eps^4/2 +- mu sigma eps^3, eps = sqrt(r/R), R the radius of the loop, sigma = 0.492, + while it is pulled tight;
 *           so it locks without tension below eps = 2 mu sigma
 * compared  mu = 0: exponent 4 +- 0.3 and factor 0.5 +- 20 %; the sum of the normal forces, N r^2/B = sigma eps^3 as eps goes to 0, 30
 *           %; with friction: half the difference of both branches with mu N, 15 %; with --full also two released knots: that of
 *           eps = 0.07 stays, that of 0.15 opens
 *
 * Units are the paper's: length l0 and mass m0 of a segment, stretch stiffness k0 l0 = 1.
 *
 * Method: relaxation brings the initial knot to rest; then one end is held, the other is pulled out slowly and pushed back, and the
 * tension is read from the elements beside the knot, to exclude drag on the tails. The remaining drag has the sign of the speed: at
 * mu = 0 the mean of both directions is used, and half of their difference is subtracted from that with friction. The run is
 * quasi-static: speed, drag lambda* = 1e-4 on the nodes, and rotary inertia times 100, are fictitious. The loop is measured between
 * joints more than one segment from a contact.
 *
 * The work at the ends is that of friction: the strands slide past each other by the displacement of both ends together, hence
 * T - T0 = mu N. The formula is the leading order in eps. For the tension the next order is small, 6 to 12 %; for N it is large: N
 * r^2/B = sigma eps^3 (1 + 4 eps), for segments of l0 and of half of it, for all speeds, and as mu goes to 0. So at eps = 0.1 to 0.12
 * half the difference is 1.3 to 1.5 times mu sigma eps^3: it is printed, not checked. The opening branch ends when the knot locks, for
 * mu = 0.1 thus not at 0.098 but at 0.12.
 */
#include "common/example.h"
#include "common/kept.h"
#include "common/line.h"
#include "common/trefoil.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double RADIUS = 0.1, BENDING = 2.5e-3, SIGMA = 0.492;                 /* [l0] [k0 l0^3] [1] */
static const double LAYER = 0.05, LAYER_DAMPING = 0.1, DRAG = 1e-4, INERTIA = 100; /* [k0/l0] [k0 t0/l0] [m0/t0] [1] */
static const double FRICTIONS[2] = {0.1, 0.05};
enum { MOST = 500, CONTACTS = 256, BESIDE = 6, POINTS = 5, SAMPLES = 40000 };

typedef struct plan {
  int n;
  double open, tight; /* eps */
  double speed;       /* [l0/t0] */
  double eps[POINTS]; /* values of eps at which branches are compared */
  int points;
  int opens[2]; /* number of the last of these values that the opening branch passes, for mu = 0.1 and 0.05; -1: this mu is left out */
} plan;

typedef struct knot {
  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *contact, *end;
  double start, from, speed; /* [t0] [l0] [l0/t0]: x of the moving end is from + speed (time - start) */
  int n;
} knot;

typedef struct reading {
  double eps, median; /* from the mean radius of the loop, and from the median */
  double tension;     /* T r^2/B */
  double press;       /* N r^2/B, N the sum of the normal forces */
  double deepest;     /* [r] overlap */
  int contacts;
} reading;

/* Values along a branch. */
typedef struct branch {
  double eps[SAMPLES], tension[SAMPLES], press[SAMPLES];
  int count;
} branch;

/* ---- The fibre ---- */

static elastica_status draw_out(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const knot *of = user;
  (void)director, (void)omega;
  position[X] = of->from + of->speed * (time - of->start);
  velocity[X] = of->speed;
  return ELASTICA_OK;
}

static void add_fibre(example *e, knot *of, double eps) {
  static double position[3 * (MOST + 1)], stretch[3 * MOST], bend[3 * MOST], rest[MOST];
  const trefoil shape = {of->n, 1, RADIUS / (eps * eps), fmin(14, RADIUS / (eps * eps)), 6 * RADIUS};
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  trefoil_lay(&shape, position);
  for (int k = 0; k < 3 * of->n; k++) stretch[k] = 1, bend[k] = BENDING, rest[k / 3] = 1;
  def.element_count = of->n, def.position = position, def.rest_length = rest;
  def.radius = RADIUS, def.density = 1 / (acos(-1) * RADIUS * RADIUS), def.rotary_inertia_scale = INERTIA;
  def.shear_stiffness = stretch, def.bend_stiffness = bend;
  example_require(e, of->world, elastica_world_add_rod(of->world, &def, &of->rod));
}

static elastica_contact_def touching(double mu) {
  elastica_contact_def def;
  elastica_contact_def_init(&def, sizeof def);
  def.modulus = LAYER, def.damping = LAYER_DAMPING, def.friction = mu;
  return def;
}

/* The ends are held sideways and free to turn. */
static void build(example *e, knot *of, double eps) {
  of->world = example_world(e);
  add_fibre(e, of, eps);
  elastica_dissipation_def drag;
  elastica_dissipation_def_init(&drag, sizeof drag);
  drag.translation = DRAG, drag.rotation = DRAG * INERTIA * RADIUS * RADIUS / 4;
  example_require(e, of->world, elastica_add_dissipation(of->world, of->rod, &drag, NULL));
  const elastica_contact_def contact = touching(0);
  example_require(e, of->world, elastica_add_contact(of->world, of->rod, &contact, &of->contact));
  elastica_boundary_def pin;
  elastica_boundary_def_init(&pin, sizeof pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  example_require(e, of->world, elastica_add_boundary(of->world, of->rod, &pin, NULL));
  const elastica_rod_view *view = elastica_rod_get_view(of->rod);
  of->start = 0, of->speed = 0, of->from = view->position[X][of->n];
  pin.node = -1, pin.motion = draw_out, pin.user = of;
  example_require(e, of->world, elastica_add_boundary(of->world, of->rod, &pin, &of->end));
}

static void set_speed(knot *of, double speed) {
  of->start = elastica_world_get(of->world).time;
  of->from = elastica_rod_get_view(of->rod)->position[X][of->n];
  of->speed = speed;
}

static void set_friction(const example *e, const knot *of, double mu) {
  const elastica_contact_def def = touching(mu);
  example_require(e, of->world, elastica_contact_set(of->contact, &def));
}

/* ---- Readings ---- */

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The two strands in contact: elements lo .. la on the way into the loop, hb .. hi on the way out. 0 without contact. */
typedef struct strands {
  int lo, la, hb, hi;
} strands;

static int find_strands(const example *e, const knot *of, strands *out, reading *now) {
  static elastica_contact_point points[CONTACTS];
  int count = 0;
  *out = (strands){of->n, 0, of->n, 0};
  example_require(e, of->world, elastica_contact_get(of->contact, points, CONTACTS, &count));
  now->contacts = count, now->deepest = now->press = 0;
  for (int k = 0; k < count && k < CONTACTS; k++) {
    const int a = points[k].element[0], b = points[k].element[1], low = a < b ? a : b, high = a < b ? b : a;
    if (low < out->lo) out->lo = low;
    if (low > out->la) out->la = low;
    if (high < out->hb) out->hb = high;
    if (high > out->hi) out->hi = high;
    now->press += points[k].force * RADIUS * RADIUS / BENDING;
    now->deepest = fmax(now->deepest, points[k].depth / RADIUS);
  }
  return count > 0 && out->hb - out->la > 6;
}

static reading read_knot(const example *e, const knot *of) {
  static double radius[MOST];
  const elastica_rod_view *view = elastica_rod_get_view(of->rod);
  reading now = {NAN, NAN, 0, 0, 0, 0};
  strands at;
  example_require(e, of->world, elastica_rod_refresh(of->rod));
  if (!find_strands(e, of, &at, &now)) return now;
  double sum = 0, pull = 0;
  int joints = 0, elements = 0;
  for (int k = at.la + 2; k < at.hb - 2; k++) /* joint k lies between elements k and k + 1 */
    sum += radius[joints++] = 1 / hypot(view->curvature[0][k], view->curvature[1][k]);
  if (joints == 0) return now;
  qsort(radius, (size_t)joints, sizeof *radius, by_size);
  for (int j = 0; j < of->n; j++) {
    const int before = at.lo - 2 - j, behind = j - at.hi - 2;
    if ((before >= 0 && before < BESIDE) || (behind >= 0 && behind < BESIDE)) pull += view->force[2][j], elements++;
  }
  now.eps = sqrt(RADIUS * joints / sum);
  now.median = sqrt(RADIUS / radius[joints / 2]);
  now.tension = elements ? pull / elements * RADIUS * RADIUS / BENDING : 0;
  return now;
}

/* ---- Branches ---- */

/* Moves the end until the loop has passed eps, the tension vanishes, or the tail ends. mu, sign: for the row. */
static void follow(example *e, knot *of, double speed, double eps, double mu, branch *out, elastica_csv *csv, elastica_vtk *vtk) {
  const double began = elastica_world_get(of->world).time, piece = 0.04 / fabs(speed);
  double slack = 0;
  set_speed(of, speed);
  out->count = 0;
  for (int k = 1; k <= SAMPLES; k++) {
    example_advance(e, of->world, began + k * piece);
    example_worked(e, 0.04);
    const reading now = read_knot(e, of);
    if (!(now.eps > 0)) break;
    slack = k == 1 ? now.tension : slack + 0.02 * (now.tension - slack); /* mean of some 50 values: waves run in the tails */
    out->eps[out->count] = now.eps, out->press[out->count] = now.press, out->tension[out->count++] = now.tension;
    example_row(e, csv, mu, speed > 0 ? 1 : -1, now.eps, now.tension, now.press, now.median, now.deepest, now.contacts);
    if (k % 50 == 0) output_frame(&e->output, of->world, vtk);
    if (speed > 0 ? now.eps > eps : now.eps < eps || slack < 0) break;
  }
  set_speed(of, 0);
}

/* Tension or normal force of a branch at eps: from the line through the values within 4 % of it. */
static double at_eps(const branch *of, const double *value, double eps) {
  static double x[SAMPLES], y[SAMPLES];
  int n = 0;
  for (int k = 0; k < of->count; k++)
    if (fabs(of->eps[k] / eps - 1) <= 0.04) x[n] = of->eps[k] / eps - 1, y[n++] = value[k];
  return n < 8 ? NAN : line_through(x, y, n).at_zero;
}

/* ---- The experiment ---- */

/* Also restores the place of the moving end, which is not part of the world. */
static void put_back(const example *e, knot *of, const kept *state) {
  kept_load(e, of->world, state);
  set_speed(of, 0);
}

/* Without friction: tight and back. Gives the mean tension of both directions and half their difference. */
typedef struct smooth {
  double tension[POINTS], drag[POINTS], press[POINTS];
} smooth;

static smooth slide(example *e, knot *of, const plan *p, kept *open, kept *tight, elastica_csv *csv, elastica_vtk *vtk) {
  static branch way[2];
  smooth out;
  *open = kept_save(e, of->world);
  follow(e, of, p->speed, p->tight, 0, &way[0], csv, vtk);
  *tight = kept_save(e, of->world);
  follow(e, of, -p->speed, p->open, 0, &way[1], csv, NULL);
  for (int k = 0; k < p->points; k++) {
    const double a = at_eps(&way[0], way[0].tension, p->eps[k]), b = at_eps(&way[1], way[1].tension, p->eps[k]);
    out.tension[k] = (a + b) / 2, out.drag[k] = (a - b) / 2;
    out.press[k] = (at_eps(&way[0], way[0].press, p->eps[k]) + at_eps(&way[1], way[1].press, p->eps[k])) / 2;
  }
  return out;
}

static void compare_smooth(example *e, const plan *p, const smooth *of) {
  double x[POINTS], y[POINTS], press[POINTS];
  for (int k = 0; k < p->points; k++) {
    const double eps = p->eps[k];
    x[k] = log(eps), y[k] = log(of->tension[k]), press[k] = of->press[k] / pow(eps, 3);
    example_check(e, of->tension[k] / pow(eps, 4), 0.5, 0.1, "factor_without_friction_at_eps_%g", eps);
    example_inform(e, press[k], "N_r^2/B_over_eps^3_at_eps_%g", eps);
  }
  example_check(e, line_through(x, y, p->points).slope, 4, 0.3, "exponent_without_friction");
  example_check(e, line_through(p->eps, press, p->points).at_zero, SIGMA, 0.3 * SIGMA, "N_r^2/B_over_eps^3_as_eps_goes_to_0");
}

static void rub(example *e, knot *of, const plan *p, double mu, int opens, const smooth *without, const kept *open, const kept *tight,
                elastica_csv *csv) {
  static branch way[2];
  put_back(e, of, open);
  set_friction(e, of, mu);
  follow(e, of, p->speed, p->tight, mu, &way[0], csv, NULL);
  put_back(e, of, tight);
  set_friction(e, of, mu);
  follow(e, of, -p->speed, p->open, mu, &way[1], csv, NULL);
  for (int k = 0; k < p->points; k++) {
    const double eps = p->eps[k], up = at_eps(&way[0], way[0].tension, eps), down = at_eps(&way[1], way[1].tension, eps);
    const double press[2] = {at_eps(&way[0], way[0].press, eps), at_eps(&way[1], way[1].press, eps)};
    const double tightened = up - without->tension[k] - without->drag[k], half = (up - down) / 2 - without->drag[k];
    example_check(e, tightened / (mu * press[0]), 1, 0.15, "mu_%g_tightening_over_mu_N_at_eps_%g", mu, eps);
    if (k < p->points - opens) continue;
    example_check(e, half / (mu * (press[0] + press[1]) / 2), 1, 0.15, "mu_%g_half_difference_over_mu_N_at_eps_%g", mu, eps);
    example_inform(e, half / (mu * SIGMA * pow(eps, 3)), "mu_%g_half_difference_over_mu_sigma_eps^3_at_eps_%g", mu, eps);
  }
}

/* Pulls a knot to eps and releases its end; returns the size of the loop afterwards over its size before. */
static double let_go(example *e, knot *of, const plan *p, const kept *from, double eps, double wait) {
  static branch way;
  put_back(e, of, from);
  set_friction(e, of, FRICTIONS[0]);
  follow(e, of, p->speed, eps, FRICTIONS[0], &way, NULL, NULL);
  const double before = read_knot(e, of).eps;
  example_require(e, of->world, elastica_effect_set_enabled(of->end, 0));
  for (int k = 1; k <= 10; k++) {
    example_advance(e, of->world, elastica_world_get(of->world).time + wait / 10);
    const double now = read_knot(e, of).eps;
    if (!(now > 0.5 * before)) return INFINITY; /* wide open, or no contact left */
  }
  const double after = read_knot(e, of).eps;
  example_require(e, of->world, elastica_effect_set_enabled(of->end, 1));
  return before * before / (after * after);
}

static void run(example *e, const plan *p) {
  knot of = {.n = p->n};
  kept open = {NULL, 0}, tight = {NULL, 0};
  elastica_csv *shape = example_csv(e, "shape.csv"), *csv = p->points ? example_csv(e, "branches.csv") : NULL;
  build(e, &of, p->open);
  elastica_vtk *vtk = p->points ? example_vtk(e, of.world, "knot") : NULL;
  elastica_view *page = p->points ? NULL : example_page(e, of.world);
  output_page_frame(&e->output, of.world, page);
  (void)example_relax(e, of.world);
  output_page_frame(&e->output, of.world, page);
  example_worked(e, 2);
  const reading at = read_knot(e, &of);
  const elastica_rod_view *view = elastica_rod_get_view(of.rod);
  for (int i = 0; i <= of.n; i++) example_row(e, shape, view->position[X][i], view->position[Y][i], view->position[Z][i]);
  example_check(e, at.tension / pow(at.eps, 4), 0.5, 0.1, "factor_at_rest");
  example_inform(e, at.eps, "its_eps");
  if (p->points > 0) {
    const smooth without = slide(e, &of, p, &open, &tight, csv, vtk);
    compare_smooth(e, p, &without);
    for (int k = 0; k < 2; k++)
      if (p->opens[k] >= 0) rub(e, &of, p, FRICTIONS[k], p->opens[k], &without, &open, &tight, csv);
  }
  if (e->options.mode == EXAMPLE_FULL) {
    example_check(e, let_go(e, &of, p, &open, 0.07, 1e5), 1, 0.01, "loop_of_eps_0.07_let_go");
    const double opened = let_go(e, &of, p, &tight, 0.15, 1e5);
    example_check(e, opened > 1.1, 1, 0, "loop_of_eps_0.15_opens");
  }
  free(open.bytes);
  free(tight.bytes);
  example_done(e, of.world);
}

/* ---- The program ---- */

static void draw(example *e, const plan *p) {
  example_plot(e, p->points ? 1300 : 700, 520, NULL, "N = %d, r = 0.1 l0, drawn at %g l0/t0", p->n, p->speed);
}

static const example_file FILES[] = {
    {"shape.csv", "x [l0],y [l0],z [l0]", "nodes of the knot at rest, without friction", FILE_ALWAYS},
    {"branches.csv", "mu [1],direction [1],eps [1],T r^2/B [1],N r^2/B [1],eps by the median [1],deepest overlap [r],contacts [1]",
     "values while the knot is pulled tight (1) and opened (-1)", FILE_NOT_QUICK},
    {"knot.pvd", NULL, "the knot pulled tight without friction", FILE_NOT_QUICK},
};

int main(int argc, char **argv) {
  static const plan plans[] = {
      [EXAMPLE_DEFAULT] =
          {.n = 170, .open = 0.082, .tight = 0.128, .speed = 2.5e-4, .eps = {0.086, 0.103, 0.12}, .points = 3, .opens = {1, -1}},
      [EXAMPLE_QUICK] = {.n = 90, .open = 0.115},
      [EXAMPLE_FULL] =
          {.n = 500, .open = 0.056, .tight = 0.125, .speed = 4e-5, .eps = {0.06, 0.075, 0.09, 0.105, 0.12}, .points = 5, .opens = {1, 4}},
  };
  const example_about about = {.name = "knot",
                               .title = "an open trefoil is pulled tight and loosened (Crassous, the elastic knot)",
                               .quick = "n = 90, one knot at rest; 1 s",
                               .normal = "n = 170, eps from 0.086 to 0.12; 20 s",
                               .full = "n = 500, eps from 0.06 to 0.12, and two released knots; 15 min",
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const plan *p = &plans[e.options.mode];
  const double loops = 2 * acos(-1) * RADIUS * (1 / (p->open * p->open) - (p->points ? 1 / (p->tight * p->tight) : 0));
  example_expect(&e, 2 + (p->points ? 4 * loops : 0));
  run(&e, p);
  draw(&e, p);
  return example_end(&e);
}
