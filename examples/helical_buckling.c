/* Helical buckling: a twisted rod with approaching ends buckles into a localised helix.
 *
 * source    Gazzola et al. 2018, section 3.4.1, equations (3.10), (3.11), and figure 3
 * claim     the envelope of the buckle converges with second order to the analytic one; without damping the total energy is conserved
 * compared  envelope, couple, tension, angle and energy with (3.10); with the equilibria of the same discrete rod, found by another
 *           implementation with Newton's method, without time stepping; the energies of the undamped run with both formulas below
 *
 * Only the equilibrium matters. Therefore relaxation finds it after the rod has buckled, instead of 1e4 s of damping. The run starts
 * with the straight, twisted rod under a tension at which it is stable (1 N; 0.33 N suffice). Then each end moves inwards by D/2 within
 * 40 s, with damping near the critical damping of the slowest mode. An initial velocity of 0.01 m/s of the middle node determines the
 * place of the helix. --full loads for 500 s with the paper's damping, with the certified step at every n. The paper's step, 1e-3 s/m
 * times the length of an element, is 0.4 of that at n = 3200; --dt sets it. All this is for the library's half-cell clamps: with node
 * and frame held, couple and energy are first order in n.
 *
 * At an equilibrium the energy is M^2 L/(2 beta) + T D. The paper compares with E_F = (M Phi + T D)/2, larger by 0.46 %. The energy of a
 * run without damping lies between the first value and 1 % above the second, because it keeps the energy released by buckling. The
 * radius of gyration affects only the step: J is scaled by (l/r)^2 for elements longer than the radius.
 */
#include "common/example.h"
#include "helical_buckling/helix.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LENGTH = 100, SLACK = 3, TWIST = 27 * 2 * 3.14159265358979323846; /* [m] [m] [rad] */
static const double BEND = 1.345, TWIST_STIFFNESS = 0.789, STRETCH = 1e5;             /* [N m^2] [N m^2] [N] */
static const double RADIUS = 0.35, LINEAR_DENSITY = 1;                                /* [m] [kg/m] */
static const double PULL = 1e-3, SLIDE = 40, SETTLE = 10;                             /* [m] [s] [s] */
static const double DAMPING = 0.045, SPIN_DAMPING = 0.02, SEED = 1e-2;                /* [kg/(m s)] [kg m/s] [m/s] */
static const double PAPER_DAMPING = 1e-2, PAPER_LOADING = 500, PAPER_SEED = 1e-6;     /* [kg/(m s), kg m/s] [s] [m/s] */
enum { PIECES = 50 };

/* Equilibria of the discrete rod by Newton's method, with the exact couple and with the paper's: distances from the analytic envelope after
 * centring, largest angle [rad], couple [N m], tension [N], elastic energy [J]. */
typedef struct equilibrium {
  int n;
  double largest, l2, angle, couple, tension, energy;
} equilibrium;
static const equilibrium NEWTON[2][4] = {{{150, 0.01977253, 0.006445031, 0.8174009, 1.325659, 0.3857157, 112.5009},
                                          {200, 0.01081026, 0.003521637, 0.8238266, 1.325518, 0.3878128, 112.4958},
                                          {400, 0.00256343, 0.0008336208, 0.8298417, 1.325401, 0.3896352, 112.4913},
                                          {800, 0.0005538074, 0.0001812983, 0.8313174, 1.325375, 0.3900609, 112.4902}},
                                         {{400, 0.007478386, 0.002325188, 0.836782, 1.32523, 0.3967857, 112.4913}}};

/* ---- The ends ---- */

typedef struct loading {
  double side; /* -1: the first end, 1: the last */
  int as_paper;
} loading;

static elastica_status move(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const loading *end = user;
  const double lasts = end->as_paper ? PAPER_LOADING : SLIDE, x = fmin(time / lasts, 1), out = end->as_paper ? 0 : PULL / 2;
  const double done = end->as_paper ? x : x * x * (3 - 2 * x), rate = x >= 1 ? 0 : (end->as_paper ? 1 : 6 * x * (1 - x)) / lasts;
  const double angle = end->side * TWIST / 2 * (end->as_paper ? x : 1), c = cos(angle), s = sin(angle);
  position[2] = (end->side < 0 ? 0 : LENGTH) + end->side * (out - (SLACK / 2 + out) * done);
  velocity[2] = -end->side * (SLACK / 2 + out) * rate;
  director[0] = director[4] = c, director[1] = s, director[3] = -s;
  director[2] = director[5] = director[6] = director[7] = 0, director[8] = 1;
  omega[2] = end->as_paper ? end->side * TWIST / 2 * rate : 0;
  return ELASTICA_OK;
}

/* A straight rod between the ends in their initial positions. */
static elastica_rod *lay(const example *e, elastica_world *world, int n, int as_paper, double scale) {
  double *position = calloc((size_t)n * 22 + 6, sizeof *position), *velocity = position + 3 * (n + 1), *director = velocity + 3 * (n + 1);
  double *stiffness = director + 9 * n, *bend = stiffness + 3 * n, *rest_length = bend + 3 * n;
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  if (!position) example_require(e, world, elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "no room for %d elements", n));
  for (int i = 0; i <= n; i++) position[component(i, Z)] = LENGTH * i / n + (as_paper ? 0 : PULL * ((double)i / n - 0.5));
  velocity[component(n / 2, X)] = as_paper ? PAPER_SEED : SEED;
  for (int j = 0; j < n; j++) {
    const double angle = as_paper ? 0 : TWIST * ((j + 0.5) / n - 0.5);
    double *frame = director + 9 * j;
    frame[0] = frame[4] = cos(angle), frame[1] = sin(angle), frame[3] = -sin(angle), frame[8] = 1;
    for (int a = 0; a < 3; a++) stiffness[component(j, a)] = STRETCH, bend[component(j, a)] = a < 2 ? BEND : TWIST_STIFFNESS;
    rest_length[j] = LENGTH / n;
  }
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.position = position;
  def.velocity = velocity;
  def.director = director;
  def.rest_length = rest_length;
  def.radius = RADIUS;
  def.density = LINEAR_DENSITY / (acos(-1) * RADIUS * RADIUS);
  def.shear_stiffness = stiffness;
  def.bend_stiffness = bend;
  def.rotary_inertia_scale = scale;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  free(position);
  return rod;
}

static elastica_world *build(example *e, int n, int paper_couple, int as_paper, double scale, loading ends[2]) {
  elastica_world_def options = example_papers_law();
  options.exact_couple = !paper_couple;
  elastica_world *world = example_world_of(e, options);
  elastica_rod *rod = lay(e, world, n, as_paper, scale);
  for (int k = 0; k < 2; k++) {
    elastica_boundary_def clamp;
    elastica_boundary_def_init(&clamp, sizeof clamp);
    ends[k] = (loading){k == 0 ? -1 : 1, as_paper};
    clamp.node = k == 0 ? 0 : -1;
    clamp.motion = move;
    clamp.user = &ends[k];
    example_require(e, world, elastica_add_boundary(world, rod, &clamp, NULL));
  }
  return world;
}

static double energy(const example *e, elastica_world *world, double *elastic) {
  elastica_totals sum;
  example_require(e, world, elastica_world_get_totals(world, &sum));
  *elastic = sum.bending + sum.shear + sum.effects; /* the half-cells of the clamps are effects */
  return *elastic + sum.translation + sum.rotation;
}

/* ---- Runs ---- */

typedef struct buckle {
  equilibrium is;
  helix_distance off;       /* from (3.10) */
  helix_distance stretched; /* from (3.10) for the slack of the rod stretched by its tension */
  elastica_relax_result rest;
  double dt; /* [s] step of the dynamics before relaxation */
} buckle;

static buckle read_buckle(const example *e, elastica_world *world, const helix h[2]) {
  elastica_rod *rod = elastica_world_rod(world, 0);
  example_require(e, world, elastica_rod_refresh(rod));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const int n = view->element_count;
  double *phi = calloc((size_t)n, sizeof *phi), near = 0, force[3], elastic;
  if (!phi) example_require(e, world, elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "no room for %d angles", n));
  const double angle = helix_of_rod(view, phi, &near), material[3] = {view->force[0][0], view->force[1][0], view->force[2][0]};
  elastica_rotate_to_laboratory(view, 0, material, force);
  energy(e, world, &elastic);
  buckle out = {.off = helix_compare(&h[0], phi, n, near), .stretched = helix_compare(&h[1], phi, n, near)};
  out.is = (equilibrium){n, out.off.largest, out.off.l2, angle, view->couple[2][0], force[2], elastic};
  free(phi);
  return out;
}

static void write_envelope(example *e, elastica_rod *rod, const helix *h, double centre) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const int n = view->element_count;
  char name[32];
  snprintf(name, sizeof name, "envelope_%d.csv", n);
  elastica_csv *csv = example_csv(e, name);
  double lowest = 2;
  for (int j = 0; j < n; j++) lowest = fmin(lowest, view->tangent[2][j]);
  for (int j = 0; j < n; j++) {
    const double s = (j + 0.5) / n - 0.5 - centre;
    example_row(e, csv, s, (view->tangent[2][j] - lowest) / (1 - lowest), helix_envelope(h, s));
  }
}

static buckle settle(example *e, const helix h[2], int n, int paper_couple, int draw) {
  const int as_paper = e->options.mode == EXAMPLE_FULL;
  const double duration = (as_paper ? PAPER_LOADING : SLIDE) + SETTLE, l = LENGTH / n;
  loading ends[2];
  elastica_world *world = build(e, n, paper_couple, as_paper, as_paper ? 1 : fmax(1, l * l / (RADIUS * RADIUS)), ends);
  elastica_dissipation_def friction;
  elastica_dissipation_def_init(&friction, sizeof friction);
  friction.translation = as_paper ? PAPER_DAMPING : DAMPING;
  friction.rotation = as_paper ? PAPER_DAMPING : SPIN_DAMPING;
  example_require(e, world, elastica_add_dissipation(world, NULL, &friction, NULL));

  elastica_vtk *vtk = draw ? example_vtk(e, world, "helical_buckling") : NULL;
  for (int piece = 1; piece <= PIECES; piece++) {
    output_frame(&e->output, world, vtk);
    example_advance(e, world, duration * piece / PIECES);
    example_worked(e, (double)n * n);
  }
  const elastica_relax_result rest = example_relax(e, world);
  output_frame(&e->output, world, vtk);
  buckle out = read_buckle(e, world, h);
  out.rest = rest;
  out.dt = e->run.dt;
  write_envelope(e, elastica_world_rod(world, 0), &h[0], out.off.centre);
  example_done(e, world);
  return out;
}

/* Figure 3d: no damping. Loading as in the paper, then half that time without loading. */
static void conserve(example *e, const helix *h, int n) {
  const double at_rest = h->energy, printed = (h->couple * TWIST + h->tension * SLACK) / 2;
  loading ends[2];
  elastica_world *world = build(e, n, 0, 1, 1, ends);
  elastica_step_limit bound;
  example_require(e, world, elastica_world_step_limit(world, &bound));
  if (e->options.dt <= 0) e->dt = PAPER_LOADING / PIECES / ceil(PAPER_LOADING / PIECES / fmin(0.4 * bound.dt, 1e-3 * LENGTH / n));
  elastica_csv *csv = example_csv(e, "energy.csv");
  double low = INFINITY, high = 0, elastic;
  for (int piece = 0; piece <= 3 * PIECES / 2; piece++) {
    example_advance(e, world, PAPER_LOADING * piece / PIECES);
    example_worked(e, (double)n * n / 2);
    const double total = energy(e, world, &elastic);
    if (piece >= PIECES) low = fmin(low, total), high = fmax(high, total);
    example_row(e, csv, PAPER_LOADING * piece / PIECES, total, elastic, printed, at_rest);
  }
  example_check(e, (high - low) / low, 0, 1e-3, "undamped_energy_varies_by");
  example_check(e, low / printed, 1, 0.01, "undamped_energy_over_E_F");
  example_check(e, low >= at_rest, 1, 0, "undamped_energy_above_that_of_3.10");
  example_inform(e, low, "undamped_energy");
  example_inform(e, at_rest, "energy_M2L/2beta+TD");
  example_inform(e, printed, "energy_E_F_as_printed");
  example_inform(e, printed / at_rest - 1, "E_F_too_high_by");
  example_done(e, world);
}

/* Compares with the equilibria of the same discrete rod. These are centred at a node; values at the middle of elements depend on it. */
static void compare_discrete(example *e, const equilibrium *newton, const buckle *got) {
  const equilibrium *g = &got->is;
  const double shifted = fabs(remainder(got->off.centre * g->n, 1)); /* elements */
  for (int row = 0; row < 4; row++) {
    const equilibrium *x = &newton[row];
    if (x->n != g->n) continue;
    example_check(e, g->largest, x->largest, (1e-3 + shifted) * x->largest, "n%d_Linf", g->n);
    example_check(e, g->l2, x->l2, (1e-3 + shifted) * x->l2, "n%d_L2", g->n);
    example_check(e, g->angle, x->angle, 1e-6 + 0.01 * shifted, "n%d_theta_max", g->n);
    example_check(e, g->couple, x->couple, 1e-6, "n%d_couple", g->n);
    example_check(e, g->tension, x->tension, 1e-6, "n%d_tension", g->n);
    example_check(e, g->energy, x->energy, 1e-4, "n%d_elastic_energy", g->n);
  }
  example_inform(e, got->stretched.largest, "n%d_Linf_from_stretched", g->n);
  example_inform(e, got->off.centre, "n%d_centre", g->n);
  example_inform(e, got->rest.force, "n%d_residual_force", g->n);
  example_inform(e, got->rest.distance, "n%d_estimated_distance_to_rest", g->n);
  example_inform(e, (double)got->rest.evaluations, "n%d_evaluations_of_forces", g->n);
}

/* Extrapolated limit of two runs with errors of second order. */
static double limit(const buckle *coarse, const buckle *fine, double at_coarse, double at_fine) {
  return at_fine + (at_fine - at_coarse) / (pow((double)fine->is.n / coarse->is.n, 2) - 1);
}

/* Compares with (3.10). The rod is stretched by T/S = 4e-6, that is 1.3e-4 of the slack; beyond n = 400 the errors are equally small.
 * The error of the paper's couple is three times that of the exact one, and so are the tolerances. */
static void compare_analytic(example *e, const helix *h, double wider, const buckle *coarse, const buckle *fine, const buckle *finest) {
  const double refinement = log((double)finest->is.n / coarse->is.n);
  const equilibrium *a = &fine->is, *b = &finest->is;
  example_check(e, limit(fine, finest, a->angle, b->angle), h[1].angle, wider * 5e-4 * h[1].angle, "theta_max_limit");
  example_check(e, limit(fine, finest, a->couple, b->couple), h[1].couple, wider * 5e-5 * h[1].couple, "couple_limit");
  example_check(e, limit(fine, finest, a->tension, b->tension), h[1].tension, wider * 5e-4 * h[1].tension, "tension_limit");
  example_check(e, limit(fine, finest, a->energy, b->energy), h[0].energy, wider * 5e-5 * h[0].energy, "elastic_energy_limit");
  example_check(e, log(coarse->stretched.largest / finest->stretched.largest) / refinement, 2, 0.1, "order_Linf");
  example_check(e, log(coarse->stretched.l2 / finest->stretched.l2) / refinement, 2, 0.1, "order_L2");
  example_check(e, log(coarse->stretched.l1 / finest->stretched.l1) / refinement, 2, 0.1, "order_L1");
}

/* Figure 3b, c, d, with at most three envelopes. */
static void draw(example *e, const buckle *got, int count, int undamped) {
  const int shown[3] = {0, count / 3, count - 1}, coarse = got[0].is.n, fine = got[count - 1].is.n;
  char definitions[128];
  elastica_csv *errors = example_csv(e, "errors.csv");
  for (int k = 0; k < count; k++) {
    example_row(e, errors, got[k].is.n, got[k].stretched.largest, got[k].stretched.l1, got[k].stretched.l2, got[k].is.largest,
                1.5 * got[0].stretched.largest * pow((double)coarse / got[k].is.n, 2));
  }
  if (count == 1)
    snprintf(definitions, sizeof definitions, "shown = '%d'\nfirst = %d\nlast = %d\nundamped = 0\n", fine, coarse, fine);
  else
    snprintf(definitions, sizeof definitions, "shown = '%d %d %d'\nfirst = %d\nlast = %d\nundamped = %d\n", got[shown[0]].is.n,
             got[shown[1]].is.n, got[shown[2]].is.n, coarse, fine, undamped > 0);
  if (count == 1)
    example_plot(e, 1000, 580, definitions, "n = %d, dt = %.2g s", fine, got[0].dt);
  else
    example_plot(e, undamped ? 1500 : 1000, 580, definitions, "n = %d to %d, dt = %.2g to %.2g s", coarse, fine, got[0].dt,
                 got[count - 1].dt);
}

/* For an inextensible rod, and for an extensible rod, with more slack. */
static void solve(helix h[2]) {
  const helix_rod rod = {LENGTH, TWIST, BEND, TWIST_STIFFNESS};
  h[0] = helix_solve(&rod, SLACK);
  h[1] = helix_solve(&rod, SLACK + LENGTH * h[0].tension / STRETCH);
}

static void certified_case(example *e, int n) {
  const int *paper_couple = e->about->certified.user;
  helix h[2];
  solve(h);
  const equilibrium got = settle(e, h, n, *paper_couple, 0).is;
  example_inform(e, got.angle, "theta_max");
  example_inform(e, got.couple, "couple");
  example_inform(e, got.tension, "tension");
  example_inform(e, got.energy, "elastic_energy");
}

static const example_file FILES[] = {
    {"envelope_*.csv", "s/L [1],phi of the rod [1],analytic phi [1]", "the envelope for each n", FILE_ALWAYS},
    {"errors.csv", "n [1],Linf [1],L1 [1],L2 [1],Linf of the slack without stretch [1],second order [1]",
     "distances from the analytic envelope of a rod that stretches as this one, and a straight line", FILE_ALWAYS},
    {"energy.csv", "time [s],total energy [J],elastic energy [J],E_F [J],elastic energy of (3.10) [J]", "the run without damping",
     FILE_NOT_QUICK},
    {"helical_buckling.pvd", NULL, "how the second n is loaded", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  int elements = 0, paper_couple = 0;
  const case_option options[] = {{"--elements", "N", "one run of N elements instead of the mode's", OPTION_INTEGER, &elements, 1, 100000},
                                 {"--paper-couple", NULL,
                                  "the paper's couple instead of the exact one: three times the error, the same order", OPTION_SWITCH,
                                  &paper_couple, 0, 0}};
  const example_about about = {.name = "helical_buckling",
                               .title = "localised helical buckling of a twisted rod (Gazzola et al. 2018, figure 3)",
                               .quick = "n = 150, 200, 400; 1 s",
                               .normal = "n = 100 to 800 and an undamped run of n = 100; 10 s",
                               .full = "n = 100 to 3200 loaded and damped as in the paper for 500 s, an undamped run of n = 800; 13 min",
                               .options = options,
                               .option_count = 2,
                               .certified = {certified_case, 200, "the equilibrium of n = 200; 7 s", &paper_couple},
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  const int sizes[3][6] = {{100, 200, 400, 800}, {150, 200, 400}, {100, 200, 400, 800, 1600, 3200}}, counts[3] = {4, 3, 6};
  example e;
  example_begin(&e, &about, argc, argv);
  if (elements > 0 && elements <= 56) {
    fprintf(
        stderr,
        "helical_buckling: %d elements are too few for 27 turns: each joint would turn by %.2f rad, and a joint can represent at most 3.0; "
        "take 57 or more\n",
        elements, TWIST / elements);
    return 2;
  }
  const int undamped = e.options.mode == EXAMPLE_QUICK || elements > 0 ? 0 : e.options.mode == EXAMPLE_FULL ? 800 : 100;
  const int count = elements > 0 ? 1 : counts[e.options.mode];
  helix h[2];
  solve(h);
  buckle got[6];
  double work = 0.75 * PIECES * undamped * undamped;
  for (int k = 0; k < count; k++) work += PIECES * pow(elements > 0 ? elements : sizes[e.options.mode][k], 2);
  example_expect(&e, work);
  for (int k = 0; k < count; k++)
    got[k] = settle(&e, h, elements > 0 ? elements : sizes[e.options.mode][k], paper_couple, k == (count > 1 ? 1 : 0));
  for (int k = 0; k < count; k++) compare_discrete(&e, NEWTON[paper_couple], &got[k]);
  if (count > 1) compare_analytic(&e, h, paper_couple ? 3 : 1, &got[1], &got[count - 2], &got[count - 1]);
  if (undamped) conserve(&e, &h[0], undamped);
  draw(&e, got, count, undamped);
  return example_end(&e);
}
