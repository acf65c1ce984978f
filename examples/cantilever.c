/* Cantilever: a clamped beam bent by a force on its free end, compared with the solution of Timoshenko.
 *
 * source    Gazzola et al. 2018, section 3.4.3 and figure 5
 * claim     the static deflection converges to the solution with shear, not to that of Euler and Bernoulli without
 * frames    the rod lies along k (z), the force points along -i (-x); the paper's y is the displacement along i
 * compared  at a small load with the closed forms for the two discrete clamps, exact for every n; at the paper's load with the
 *           geometrically exact statics of the same continuous rod (a shooting method to 1e-12, without this library)
 *
 * The paper holds node 0 and frame 0, so the beam is clamped at the middle of its first element: this clamp, not axial extension, makes
 * the convergence first order. With the library's half-cell clamp it is second order. With the paper's damping of 0.1 kg/(m s),
 * exp(-0.25) of the oscillation remains after its 5000 s. Therefore relaxation finds the equilibrium, without a time step.
 */
#include "common/example.h"
#include <math.h>

static const double LENGTH = 3, RADIUS = 0.25;                                 /* [m] */
static const double DENSITY = 5000, YOUNGS_MODULUS = 1e6, SHEAR_MODULUS = 1e4; /* [kg/m^3] [Pa] [Pa] */
static const double LOAD[2] = {0.015, 15}; /* [N] at the small load the geometric nonlinearity changes the tip by 3e-10 */

enum { STATIONS = 12, MOST = 8 };
static const char *const CLAMP[2] = {"half_cell", "frame"}; /* in the order of elastica_boundary_kind */

/* Exact deflection [m] at s = k L/12, and position of the tip along the axis [m]. */
static const double EXACT_Y[STATIONS + 1] = {0,
                                             -0.00187797063,
                                             -0.00459609022,
                                             -0.00807792796,
                                             -0.0122470611,
                                             -0.0170270776,
                                             -0.0223415783,
                                             -0.0281141769,
                                             -0.0342685004,
                                             -0.0407281877,
                                             -0.047416888,
                                             -0.054258259,
                                             -0.0611759637626};
static const double EXACT_X = 2.99936427121;

static double euler_bernoulli(double load, double s) {
  const double bend_stiffness = YOUNGS_MODULUS * acos(-1) * pow(RADIUS, 4) / 4; /* E I1 */
  return -load * s * s * (LENGTH / 2 - s / 6) / bend_stiffness;                 /* (3.15) */
}

static double shear(double load, double s) {
  return -load * s / (4.0 / 3 * SHEAR_MODULUS * acos(-1) * RADIUS * RADIUS); /* the term added by (3.14), with alpha_c G A */
}

/* Tip of the linear discrete beam: clamped at the middle of its first element, or by a joint of half a cell. */
static double discrete_tip(double load, elastica_boundary_kind kind, double n) {
  const double clamp = kind == ELASTICA_BOUNDARY_FRAME ? (1 - 1 / n) * (1 - 0.5 / n) : 1 + 0.5 / (n * n);
  return clamp * euler_bernoulli(load, LENGTH) + shear(load, LENGTH);
}

typedef struct beam {
  int n;
  double y[STATIONS + 1], x; /* [m] deflection; position of the tip along the axis */
  double largest, l1, l2;    /* norms of y - Timoshenko [m] [m^2] [m^1.5] */
  elastica_relax_result rest;
} beam;

static void read_shape(beam *out, const elastica_rod *rod, double load) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  out->x = view->position[2][out->n];
  for (int k = 0; k <= STATIONS; k++) out->y[k] = view->position[0][out->n / STATIONS * k];
  for (int i = 0; i <= out->n; i++) {
    const double s = LENGTH * i / out->n, error = fabs(view->position[0][i] - euler_bernoulli(load, s) - shear(load, s));
    if (error > out->largest) out->largest = error;
    out->l1 += error * LENGTH / out->n;
    out->l2 += error * error * LENGTH / out->n;
  }
  out->l2 = sqrt(out->l2);
}

static beam relax(example *e, int n, elastica_boundary_kind kind, double load, int draw) {
  elastica_world *world = example_papers_world(e);
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.length = LENGTH;
  def.radius = RADIUS;
  def.density = DENSITY;
  def.youngs_modulus = YOUNGS_MODULUS;
  def.shear_modulus = SHEAR_MODULUS;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));

  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  clamp.kind = kind;
  example_require(e, world, elastica_add_boundary(world, rod, &clamp, NULL));

  elastica_point_load_def tip;
  elastica_point_load_def_init(&tip, sizeof tip);
  tip.force[0] = -load;
  example_require(e, world, elastica_add_point_load(world, rod, &tip, NULL));

  beam out = {.n = n, .rest = example_relax(e, world)};
  example_worked(e, n);
  output_frame(&e->output, world, draw ? example_vtk(e, world, "cantilever") : NULL);
  read_shape(&out, rod, load);
  example_done(e, world);
  return out;
}

/* Observed order of convergence, from two errors and the ratio of their n. */
static double order(double coarse, double fine, double refinement) {
  return log(fabs(coarse / fine)) / log(refinement);
}

/* beams: by clamp, load, and n. */
static void compare(example *e, beam beams[2][2][MOST], int count) {
  const double small = LOAD[0], timoshenko = euler_bernoulli(small, LENGTH) + shear(small, LENGTH);
  double off = 0, residual = 0, distance = 0;
  long evaluations = 0;
  for (int kind = 0; kind < 2; kind++) {
    const beam *b = beams[kind][0];
    for (int k = 0; k < count; k++) {
      const double tip = discrete_tip(small, (elastica_boundary_kind)kind, b[k].n);
      example_check(e, b[k].y[STATIONS], tip, 1e-8 * fabs(tip), "small_load_tip_%s_n%d", CLAMP[kind], b[k].n);
      for (int load = 0; load < 2; load++) {
        const elastica_relax_result *rest = &beams[kind][load][k].rest;
        residual = fmax(residual, rest->force);
        distance = fmax(distance, rest->distance);
        if (rest->evaluations > evaluations) evaluations = rest->evaluations;
      }
    }
    b += count - 2;
    example_check(e, order(b[0].y[STATIONS] - timoshenko, b[1].y[STATIONS] - timoshenko, 2), kind == ELASTICA_BOUNDARY_FRAME ? 1 : 2, 0.05,
                  "small_load_order_%s", CLAMP[kind]);
  }
  const beam *b = &beams[ELASTICA_BOUNDARY_CLAMP][1][count - 2]; /* Richardson extrapolation of the last two values */
  for (int k = 0; k <= STATIONS; k++) off = fmax(off, fabs((4 * b[1].y[k] - b[0].y[k]) / 3 - EXACT_Y[k]));
  example_check(e, (4 * b[1].y[STATIONS] - b[0].y[STATIONS]) / 3, EXACT_Y[STATIONS], 1e-9, "tip_y_limit");
  example_check(e, (4 * b[1].x - b[0].x) / 3, EXACT_X, 1e-8, "tip_x_limit");
  example_check(e, off, 0, 1e-9, "profile_limit_off_by");
  example_check(e, order(b[0].y[STATIONS] - EXACT_Y[STATIONS], b[1].y[STATIONS] - EXACT_Y[STATIONS], 2), 2, 0.05, "tip_order_half_cell");

  /* Figure 5c, with the paper's clamp. In the paper L2 falls between first and second order; this L2 norm is of first order like the
   * others.
   */
  const beam *first = beams[ELASTICA_BOUNDARY_FRAME][1], *last = first + count - 1;
  const double refinement = (double)last->n / first->n;
  example_check(e, order(first->largest, last->largest, refinement), 1, 0.1, "order_of_largest_error");
  example_check(e, order(first->l1, last->l1, refinement), 1, 0.1, "order_of_L1_error");
  example_inform(e, order(first->l2, last->l2, refinement), "order_of_L2_error");
  example_inform(e, residual, "residual_force");
  example_inform(e, distance, "estimated_distance_to_rest");
  example_inform(e, (double)evaluations, "evaluations_of_forces"); /* damped dynamics needs 50 times more: tests/test_relax.c */
}

/* Largest distance [m] from the exact solution. */
static double off_exact(const beam *b) {
  double largest = 0;
  for (int k = 0; k <= STATIONS; k++) largest = fmax(largest, fabs(b->y[k] - EXACT_Y[k]));
  return largest;
}

static void write_curves(example *e, beam beams[2][2][MOST], int count) {
  elastica_csv *profile = example_csv(e, "profile.csv");
  elastica_csv *errors = example_csv(e, "errors.csv");
  const beam *half = beams[ELASTICA_BOUNDARY_CLAMP][1], *frame = beams[ELASTICA_BOUNDARY_FRAME][1];
  for (int k = 0; k <= STATIONS; k++) {
    const double s = LENGTH * k / STATIONS, bent = euler_bernoulli(LOAD[1], s);
    example_row(e, profile, s, frame[count - 1].y[k], half[count - 1].y[k], bent + shear(LOAD[1], s), bent, EXACT_Y[k]);
  }
  for (int k = 0; k < count; k++) {
    const double coarser = (double)frame[0].n / frame[k].n;
    example_row(e, errors, frame[k].n, frame[k].largest, frame[k].l1, frame[k].l2, off_exact(&half[k]), 1.5 * frame[0].largest * coarser,
                1.5 * off_exact(&half[0]) * coarser * coarser);
  }
}

static void draw(example *e, beam beams[2][2][MOST], int count) {
  write_curves(e, beams, count);
  example_plot(e, 1500, 620, NULL, "F = %g N, n = %d to %d, equilibrium without time steps", LOAD[1], STATIONS, STATIONS << (count - 1));
}

/* Both clamps under the paper's load. The case has no time step to refine. */
static void certified_case(example *e, int n) {
  for (int kind = 0; kind < 2; kind++) {
    const beam b = relax(e, n, (elastica_boundary_kind)kind, LOAD[1], 0);
    example_inform(e, b.y[STATIONS], "tip_y_%s", CLAMP[kind]);
    example_inform(e, b.x, "tip_x_%s", CLAMP[kind]);
  }
}

static const example_file FILES[] = {
    {"profile.csv",
     "s [m],y with node and frame held [m],y with the half-cell clamp [m],y of Timoshenko [m],y of Euler and Bernoulli [m],exact y [m]",
     "deflections of the finest rods, of the theories, and of the geometrically exact rod", FILE_ALWAYS},
    {"errors.csv", "n [1],Linf [m],L1 [m^2],L2 [m^1.5],Linf of the half-cell clamp from exact y [m],first order [m],second order [m]",
     "distances from Timoshenko with node and frame held, of the half-cell clamp from exact y, and two straight lines", FILE_ALWAYS},
    {"cantilever.pvd", NULL, "the finest rod with the half-cell clamp", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "cantilever",
                               .title = "a clamped beam under an end load, against Timoshenko (Gazzola et al. 2018, figure 5)",
                               .quick = "n = 12 and 24, two clamps, two loads; under 1 s",
                               .normal = "n = 12 to 384; under 1 s",
                               .full = "n = 12 to 1536; under 1 s",
                               .certified = {certified_case, 48, "the tip at n = 48 with both clamps; under 1 s", NULL},
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int count = e.options.mode == EXAMPLE_FULL ? MOST : e.options.mode == EXAMPLE_QUICK ? 2 : 6;
  beam beams[2][2][MOST];
  example_expect(&e, 4 * STATIONS * ((1 << count) - 1)); /* sum of n over all runs */
  for (int run = 0; run < 4 * count; run++) {
    const int kind = run / (2 * count), load = run / count % 2, k = run % count;
    const int shown = kind == ELASTICA_BOUNDARY_CLAMP && load == 1 && k == count - 1;
    beams[kind][load][k] = relax(&e, STATIONS << k, (elastica_boundary_kind)kind, LOAD[load], shown);
  }
  compare(&e, beams, count);
  draw(&e, beams, count);
  return example_end(&e);
}
