/* Axial stretch: the load of a rubber beam in tension and compression, compared with the Neo-Hookean and Mooney-Rivlin laws.
 *
 * source    Gazzola et al. 2018, appendix B and figure 12
 * claim     a linear law with a cross-section that shrinks as 1/e stays near the hyperelastic ones up to 30 % of stretch
 * compared  the axial force n3 at rest with (A^/e) E (e - 1), to round-off; that force with both hyperelastic laws, from e = 0.7 to 1.3;
 *           the stretch under a dead load F with e = 1/(1 - F/(E A^)), to round-off
 *
 * One end is held. A grip moves the other end to each length in turn and waits until the rod is at rest. The paper gives no density, no
 * damping and no n; the static result does not depend on them. A real strip would buckle in compression; this one is exactly straight
 * and has no lateral loads. The shear modulus is 2E/3: with E/3 the frames of a rod become unstable beyond e = 1.8.
 */
#include "common/example.h"
#include <math.h>

static const double LENGTH = 0.1, AREA = 1e-5, YOUNGS_MODULUS = 1e7, DENSITY = 1e3; /* [m] [m^2] [Pa] [kg/m^3] */
static const double DAMPING = 7, PULL = 0.01, WAIT = 0.3; /* [kg/(m s)] [s] [s] the slowest mode decays by exp(-50) during WAIT */

static double model(double e) {
  return AREA / e * YOUNGS_MODULUS * (e - 1);
}
static double neo_hookean(double e) {
  return 2 * (YOUNGS_MODULUS / 6) * AREA * (e - 1 / (e * e));
}
static double mooney_rivlin(double e) {
  return AREA / e * 2 * (YOUNGS_MODULUS / 12) * (e * e - 1 / e) * (1 + 1 / e); /* C10 = C01 = E/12 */
}

static elastica_rod *hold_strip(const example *e, elastica_world *world, int n) {
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.length = LENGTH;
  def.radius = sqrt(AREA / acos(-1));
  def.density = DENSITY;
  def.youngs_modulus = YOUNGS_MODULUS;
  def.shear_modulus = 2 * YOUNGS_MODULUS / 3;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));

  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  example_require(e, world, elastica_add_boundary(world, rod, &clamp, NULL));

  elastica_dissipation_def friction;
  elastica_dissipation_def_init(&friction, sizeof friction);
  friction.translation = DAMPING;
  example_require(e, world, elastica_add_dissipation(world, rod, &friction, NULL));
  return rod;
}

typedef struct grip {
  double from, to, start; /* [m] [m] [s] */
} grip;

static elastica_status move(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const grip *g = user;
  const double done = (time - g->start) / PULL;
  (void)director, (void)omega;
  position[2] = done < 1 ? g->from + (g->to - g->from) * done : g->to;
  velocity[2] = done < 1 ? (g->to - g->from) / PULL : 0;
  return ELASTICA_OK;
}

/* Moves the grip to each stretch in turn and compares the force of every element with the law. */
static void pull(example *e, int n, const double *stretches, int count) {
  const double round_off = 1e-13 * n * YOUNGS_MODULUS * AREA; /* rounding of positions counts n times in the strain of an element */
  double off_neo_hookean = 0, off_mooney_rivlin = 0, unequal = 0, sideways = 0;
  grip g = {LENGTH, LENGTH, 0};
  elastica_world *world = example_papers_world(e);
  elastica_rod *rod = hold_strip(e, world, n);
  elastica_boundary_def held;
  elastica_boundary_def_init(&held, sizeof held);
  held.kind = ELASTICA_BOUNDARY_PIN;
  held.node = -1;
  held.motion = move;
  held.user = &g;
  example_require(e, world, elastica_add_boundary(world, rod, &held, NULL));

  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_csv *csv = example_csv(e, "rod.csv");
  elastica_vtk *vtk = example_vtk(e, world, "axial_stretch");
  for (int k = 0; k < count; k++) {
    const double s = stretches[k];
    g = (grip){g.to, s * LENGTH, elastica_world_get(world).time};
    example_advance(e, world, (k + 1) * (PULL + WAIT));
    example_worked(e, 1);
    example_require(e, world, elastica_rod_refresh(rod));
    const double load = view->force[2][n / 2];
    for (int j = 0; j < n; j++) unequal = fmax(unequal, fabs(view->force[2][j] - load));
    for (int i = 0; i <= n; i++) sideways = fmax(sideways, fabs(view->position[0][i]) + fabs(view->position[1][i]));
    example_check(e, load, model(s), round_off, "load_at_e%g", s);
    if (s >= 0.7 && s <= 1.3 && s != 1) {
      off_neo_hookean = fmax(off_neo_hookean, fabs(load / neo_hookean(s) - 1));
      off_mooney_rivlin = fmax(off_mooney_rivlin, fabs(load / mooney_rivlin(s) - 1));
    }
    example_row(e, csv, s, load, model(s), neo_hookean(s), mooney_rivlin(s));
    output_frame(&e->output, world, vtk);
  }
  example_check(e, unequal, 0, round_off, "elements_differ_by");
  example_check(e, sideways, 0, 0, "sideways");
  example_check(e, off_neo_hookean, 0, 0.3, "off_neo_hookean");
  example_check(e, off_mooney_rivlin, 0, 0.3, "off_mooney_rivlin");
  example_inform(e, example_speed(rod), "residual_speed");
  example_done(e, world);
}

/* A dead load on the free end instead of the grip. */
static void hang(example *e, int n, double load) {
  elastica_world *world = example_papers_world(e);
  elastica_rod *rod = hold_strip(e, world, n);
  elastica_point_load_def tip;
  elastica_point_load_def_init(&tip, sizeof tip);
  tip.force[2] = load;
  tip.ramp_time = PULL;
  example_require(e, world, elastica_add_point_load(world, rod, &tip, NULL));
  example_advance(e, world, PULL + WAIT);
  example_worked(e, 1);
  example_check(e, elastica_rod_get_view(rod)->position[2][n] / LENGTH, 1 / (1 - load / (YOUNGS_MODULUS * AREA)), 1e-12, "e_under_%gN",
                load);
  example_done(e, world);
}

static void draw(example *e, int n) {
  elastica_csv *csv = example_csv(e, "laws.csv");
  for (int k = 50; k <= 300; k++) example_row(e, csv, 0.01 * k, model(0.01 * k), neo_hookean(0.01 * k), mooney_rivlin(0.01 * k));
  example_plot(e, 1200, 580, NULL, "n = %d, dt = %.2g s", n, e->run.dt);
}

/* A dead load in tension, then in compression. */
static void certified_case(example *e, int n) {
  hang(e, n, 20);
  hang(e, n, -25);
}

static const example_file FILES[] = {
    {"rod.csv", "elongation e [1],load of the rod [N],load of the linear law [N],neo-Hookean load [N],Mooney-Rivlin load [N]",
     "the rod at rest, in the order of the visits", FILE_ALWAYS},
    {"laws.csv", "elongation e [1],load of the linear law [N],neo-Hookean load [N],Mooney-Rivlin load [N]", "the laws from e = 0.5 to 3",
     FILE_ALWAYS},
    {"axial_stretch.pvd", NULL, "the rod at each elongation", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const double stretches[] = {1.15, 1.3, 0.85, 0.7, 1, 1.01, 1.05, 1.1, 1.2, 1.25, 1.4, 1.5, 2, 3, 0.99, 0.95, 0.9, 0.8, 0.6, 0.5};
  const double loads[] = {20, -25, 50, 66};
  const example_about about = {.name = "axial_stretch",
                               .title = "the load of a stretched rubber beam, against hyperelastic laws (Gazzola et al. 2018, figure 12)",
                               .quick = "four stretches and two dead loads on 10 elements; under 1 s",
                               .normal = "e = 0.5 to 3 and four dead loads on 20 elements; under 1 s",
                               .full = "the same on 100 elements; 5 s",
                               .certified = {certified_case, 10, "two dead loads on 10 elements; 1 s", NULL},
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, n = quick ? 10 : e.options.mode == EXAMPLE_FULL ? 100 : 20;
  const int visits = quick ? 4 : 20, hung = quick ? 2 : 4;
  example_expect(&e, visits + hung);
  pull(&e, n, stretches, visits);
  for (int k = 0; k < hung; k++) hang(&e, n, loads[k]);
  draw(&e, n);
  return example_end(&e);
}
