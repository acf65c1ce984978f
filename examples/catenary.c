/* Catenary: a chain hangs from two pins; compared with the closed form and with a chain of links.
 *
 * source    Galileo's question of 1638, answered by Huygens, Leibniz and Johann Bernoulli in 1691; a case of the frictional fibres of
 *           Crassous
 * claim     a rod with almost no bending stiffness hangs like a chain of n rigid links; that chain converges to the catenary with second
 *           order
 * compared  sag, horizontal force, tension and angle at the pins, extrapolated in n, with y = a (cosh(x/a) - 1), 2 a sinh(D/2a) = L; sag
 *           and horizontal force with the exact chain of n links with its weight in the joints; with bending stiffness B, the angle at a
 *           pin with the boundary layer of width (B/T)^(1/2)
 *
 * Relaxation finds the shape, starting from an arc of a circle. Besides round-off two effects remain: the stretch T/S, below 1e-6, which
 * is in the links but not in the closed form (it changes the pull by 2e-6 at the widest span); and bending, B/(T L^2) below 1e-9.
 */
#include "common/example.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double LENGTH = 1, WEIGHT = 1, GRAVITY = 10, RADIUS = 0.005; /* [m] [N] [m/s^2] [m] */
static const double STRETCH = 1e6, BEND = 1e-10;                          /* [N] [N m^2] */
static const double LAYER_BEND = 1e-4;                                    /* [N m^2] for the boundary layer */
static const int LINKS[] = {10, 20, 50, 100, 200, 400, 800};
enum { SIZES = 7 };

typedef struct shape {
  double sag, pull, tension, angle; /* [m] [N] [N] [rad] horizontal force; tension and angle at a pin */
  double slope, residual;           /* [rad] [N] of a rod: slope of its last element; residual of relaxation */
} shape;

/* Zero of a decreasing function. */
static double solve(double (*f)(double x, const double *p), const double *p, double low, double high) {
  for (int k = 0; k < 200; k++) {
    const double middle = (low + high) / 2;
    if (f(middle, p) > 0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return (low + high) / 2;
}

/* ---- Expected values ---- */

static double catenary_excess(double a, const double *span) {
  return 2 * a * sinh(*span / (2 * a)) - LENGTH;
}

static shape at_pin(double sag, double pull) {
  return (shape){.sag = sag, .pull = pull, .tension = hypot(pull, WEIGHT / 2), .angle = atan2(WEIGHT / 2, pull)};
}

static shape catenary(double span) {
  const double a = solve(catenary_excess, &span, 0.01 * LENGTH, 10 * LENGTH);
  return at_pin(a * (cosh(span / (2 * a)) - 1), a * WEIGHT / LENGTH);
}

/* Link j of n under a horizontal pull: the vector along it, stretched by the rod's law T = S (e - 1)/e. */
static void link(double pull, int n, int j, double way[2]) {
  const double load = WEIGHT * (j + 0.5 - n / 2.0) / n, tension = hypot(pull, load), length = LENGTH / n / (1 - tension / STRETCH);
  way[0] = length * pull / tension;
  way[1] = length * load / tension;
}

/* p: span and n. */
static double links_excess(double pull, const double *p) {
  double reach = 0, way[2];
  for (int j = 0; j < (int)p[1]; j++) {
    link(pull, (int)p[1], j, way);
    reach += way[0];
  }
  return p[0] - reach;
}

static shape chain(double span, int n) {
  const double p[2] = {span, n}, pull = solve(links_excess, p, 0, 100 * WEIGHT);
  double sag = 0, way[2];
  for (int j = 0; j < n / 2; j++) {
    link(pull, n, j, way);
    sag -= way[1];
  }
  return at_pin(sag, pull);
}

/* ---- The rod ---- */

static double arc_excess(double half, const double *span) {
  return sin(half) / half - *span / LENGTH;
}

/* An arc of a circle with the length of the rod in the x-z plane, between pins at its ends. */
static elastica_rod *hang(const example *e, elastica_world *world, double span, int n, double bend) {
  const double half = solve(arc_excess, &span, 1e-3, 3), gravity[3] = {0, 0, -GRAVITY};
  double *position = calloc((size_t)n * 10 + 3, sizeof *position), *stretch = position + 3 * (n + 1), *bends = stretch + 3 * n;
  double *rest_length = bends + 3 * n;
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  if (!position) example_require(e, world, elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "no room for %d links", n));
  for (int i = 0; i <= n; i++) {
    const double angle = half * (2.0 * i / n - 1), radius = span / (2 * sin(half));
    position[component(i, X)] = span / 2 + radius * sin(angle);
    position[component(i, Z)] = radius * (cos(half) - cos(angle));
  }
  for (int k = 0; k < 3 * n; k++) stretch[k] = STRETCH, bends[k] = bend;
  for (int j = 0; j < n; j++) rest_length[j] = LENGTH / n;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.position = position;
  def.rest_length = rest_length;
  def.radius = RADIUS;
  def.density = WEIGHT / (GRAVITY * LENGTH * acos(-1) * RADIUS * RADIUS);
  def.shear_stiffness = stretch;
  def.bend_stiffness = bends;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  free(position);
  for (int end = 0; end < 2; end++) {
    elastica_boundary_def pin;
    elastica_boundary_def_init(&pin, sizeof pin);
    pin.kind = ELASTICA_BOUNDARY_PIN;
    pin.node = end == 0 ? 0 : -1;
    example_require(e, world, elastica_add_boundary(world, rod, &pin, NULL));
  }
  example_require(e, world, elastica_add_gravity(world, gravity, NULL));
  return rod;
}

/* The pin carries the force of the last element and the weight of half an element. */
static shape read_shape(const example *e, elastica_world *world, elastica_rod *rod, const elastica_relax_result *rest) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const int last = view->element_count - 1;
  double force[3];
  example_require(e, world, elastica_rod_refresh(rod));
  const double material[3] = {view->force[0][last], view->force[1][last], view->force[2][last]};
  elastica_rotate_to_laboratory(view, last, material, force);
  const double lift = force[2] + WEIGHT / (2 * view->element_count);
  return (shape){-view->position[2][view->node_count / 2],
                 force[0],
                 hypot(force[0], lift),
                 atan2(lift, force[0]),
                 atan2(view->tangent[2][last], view->tangent[0][last]),
                 rest->force};
}

static shape relax(example *e, double span, int n, double bend, elastica_csv *csv, int draw) {
  elastica_world *world = example_world(e);
  elastica_rod *rod = hang(e, world, span, n, bend);
  const elastica_relax_result rest = example_relax(e, world);
  output_frame(&e->output, world, draw ? example_vtk(e, world, "catenary") : NULL);
  const shape got = read_shape(e, world, rod, &rest), limit = catenary(span);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int i = 0; i <= n && csv; i++) {
    const double a = limit.pull * LENGTH / WEIGHT, x = view->position[0][i];
    example_row(e, csv, x, view->position[2][i], a * (cosh((x - span / 2) / a) - 1) - limit.sag);
  }
  example_done(e, world);
  return got;
}

/* Extrapolated limit for errors of second order. */
static double extrapolate(double coarse, double fine, double refinement) {
  return fine + (fine - coarse) / (refinement * refinement - 1);
}

static void compare(example *e, double span, int sizes, elastica_csv *errors) {
  const shape limit = catenary(span);
  shape got[SIZES];
  for (int k = 0; k < sizes; k++) {
    char name[32];
    const int n = LINKS[k], last = k == sizes - 1;
    snprintf(name, sizeof name, "span_%g.csv", span);
    got[k] = relax(e, span, n, BEND, last ? example_csv(e, name) : NULL, last && span == 0.5);
    const shape exact = chain(span, n);
    example_check(e, got[k].sag, exact.sag, 1e-8, "span_%g_n%d_sag_of_links", span, n);
    example_check(e, got[k].pull, exact.pull, 1e-7 + 1e-9 * n, "span_%g_n%d_pull_of_links", span, n);
    example_row(e, errors, span, n, fabs(got[k].sag - limit.sag), fabs(got[k].pull - limit.pull), fabs(exact.sag - limit.sag),
                fabs(exact.pull - limit.pull), 0.6 / ((double)n * n));
  }
  const shape *a = &got[sizes - 2], *b = a + 1;
  const double finer = (double)LINKS[sizes - 1] / LINKS[sizes - 2], left = (got[1].sag - limit.sag) / (got[2].sag - limit.sag);
  example_check(e, extrapolate(a->sag, b->sag, finer), limit.sag, 5e-6, "span_%g_sag", span);
  example_check(e, extrapolate(a->pull, b->pull, finer), limit.pull, 5e-6, "span_%g_pull", span);
  example_check(e, extrapolate(a->tension, b->tension, finer), limit.tension, 5e-6, "span_%g_tension_at_pin", span);
  example_check(e, extrapolate(a->angle, b->angle, finer), limit.angle, 5e-6, "span_%g_angle_at_pin", span);
  example_check(e, log(left) / log((double)LINKS[2] / LINKS[1]), 2, 0.03, "span_%g_order", span);
  example_inform(e, b->residual, "span_%g_residual_force", span);
}

/* A pin exerts no couple, so that the curvature is zero there. In a boundary layer of width (B/T)^(1/2) the angle of the rod differs
 * from that of the chain; at the pin by the turn of the chain over that width. Evaluated at the middle of the last of n elements. */
static void bend(example *e, double span, int n) {
  const shape limit = catenary(span), loose = relax(e, span, n, BEND, NULL, 0);
  double ratio[2];
  for (int k = 0; k < 2; k++) {
    const double stiffness = k == 0 ? LAYER_BEND : LAYER_BEND / 4, width = sqrt(stiffness / limit.tension);
    const double turn =
        WEIGHT / LENGTH * limit.pull / pow(limit.tension, 2) * width; /* turn of the chain over the width, from its curvature at the pin */
    const shape stiff = relax(e, span, n, stiffness, NULL, 0);
    ratio[k] = (loose.slope - stiff.slope) / (turn * exp(-0.5 * LENGTH / n / width));
    example_inform(e, ratio[k], "layer_over_asymptotic_B%g", stiffness);
  }
  example_check(e, 2 * ratio[1] - ratio[0], 1, 0.02, "layer_over_asymptotic_limit"); /* the remaining error is proportional to the width */
}

static void draw(example *e, int n) {
  char definitions[32];
  snprintf(definitions, sizeof definitions, "n = %d\n", n);
  example_plot(e, 1200, 640, definitions, "L = 1 m, n = %d to %d, equilibrium without time steps", LINKS[0], n);
}

static void certified_case(example *e, int n) {
  const shape got = relax(e, 0.8, n, BEND, NULL, 0);
  example_inform(e, got.sag, "sag");
  example_inform(e, got.pull, "pull");
}

static const example_file FILES[] = {
    {"span_*.csv", "x [m],z of the rod [m],z of the catenary [m]", "the shape for each span and the largest n", FILE_ALWAYS},
    {"errors.csv", "span [m],n [1],sag off by [m],pull off by [N],sag of links off by [m],pull of links off by [N],second order [m]",
     "distances of the rod and of a chain of links from the catenary, and a straight line", FILE_ALWAYS},
    {"catenary.pvd", NULL, "the rod of the shortest span", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "catenary",
                               .title = "a hanging chain, against the catenary and a chain of links",
                               .quick = "four spans, n = 10 to 50; under 1 s",
                               .normal = "n = 10 to 200, and a boundary layer at n = 800; under 1 s",
                               .full = "n = 10 to 800; under 1 s",
                               .certified = {certified_case, 20, "span 0.8, n = 20; under 1 s", NULL},
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  const double spans[] = {0.5, 0.6, 0.8, 0.9}; /* [m] */
  example e;
  example_begin(&e, &about, argc, argv);
  const int sizes = e.options.mode == EXAMPLE_QUICK ? 3 : e.options.mode == EXAMPLE_FULL ? SIZES : SIZES - 2;
  elastica_csv *errors = example_csv(&e, "errors.csv");
  for (int k = 0; k < 4; k++) compare(&e, spans[k], sizes, errors);
  if (e.options.mode != EXAMPLE_QUICK) bend(&e, 0.8, 800);
  draw(&e, LINKS[sizes - 1]);
  return example_end(&e);
}
