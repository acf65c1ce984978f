/* Slithering: a snake crawls by a travelling wave of muscle couples and by anisotropic friction, lower forward than backward or
 * sideways.
 *
 * source    Gazzola et al. 2018, section 5.2 and figure 10: the optimum of their search, run forward; and the authors' program with its
 *           settings
 * claim     the fastest gait has a wavelength of about L and moves at about 0.6 L/T
 * settings  the caption prints lambda = 0.97 L; as for the swimmer it is the wavenumber, lambda = L/0.97 (the authors' program has 6.133
 *           rad/m, 0.976 waves). The couples act about "the direction perpendicular to the ground", or, by (3.9), about the director
 *           that is vertical at rest and tilts with the roll of the snake. All three interpretations are run. The wave goes from s = 0
 *           to L ("head to tail") and the head is node 0: with the printed sign of s the snake moves at a third of the speed, because
 *           the order of the amplitudes is then reversed. Knots and abscissae of the muscles' spline as in swimming.
 * compared  with the published speed, and with the output of the authors' program (centre of mass at t/T = 1 .. 5)
 *
 * The authors' program differs from the paper: couples about the vertical; joint k takes its couple from s = (k+2)/n L; n = 100,
 * dt = 1e-5 s, amplitudes and wavenumber with one digit more. These are used here. Not used: its spline is a table of 1000 points, its
 * damping uses rest lengths, its kinetic friction overshoots and changes sign about zero slip. Elements: on the papers' wall the snake
 * lifts off more with shorter elements: 0.602 L/T in period 4 with n = 100, 0.569 with 150, 0.530 with 200 (see friction_locomotion). On
 * a wall that balances nodes it stays on the ground within 6e-4 L and the speed converges to 0.51 to 0.52 L/T. Friction jumps at slips
 * of 1e-8 m/s: a rounding error changes the end of the run by 2e-3 L.
 */
#include "common/animal.h"
#include <math.h>
#include <stdlib.h>

static const double LENGTH = 1, PERIOD = 1;                  /* [m] [s]; the rest of the snake is in common/animal.c */
static const double BETA[6] = {0, 17.4, 48.5, 5.4, 14.7, 0}; /* [N m] */

/* The authors' program: amplitudes [N m], wavenumber [rad/m], centre of mass [m] after each period; it starts from 0. */
static const double AUTHORS_BETA[6] = {0, 17.29, 48.54, 5.392, 14.74, 0}, AUTHORS_WAVENUMBER = 6.133;
static const double AUTHORS_X[5] = {-0.00132743, -0.56926318, -1.15363748, -1.74054623, -2.32787678};
static const double AUTHORS_Y[5] = {0.01155946, -0.00583723, -0.04060092, -0.07439665, -0.10829455};
static const double AUTHORS_TOLERANCE[5] = {6e-5, 5e-4, 3e-3, 3e-3, 3e-3}; /* distance of two runs by rounding errors */

static elastica_rod *make_snake(const example *e, elastica_world *world, int n, elastica_end head, elastica_balance balance) {
  elastica_rod *rod = NULL;
  example_require(e, world, animal_make_snake(world, n, head, balance, &rod));
  return rod;
}

/* The library's spline, read from a muscle at rest: couples of the joints of a rod with `count` elements at s = (k+1)/count L. */
static void read_spline(const example *e, const double *beta, int count, double *amplitude) {
  elastica_world *world = NULL;
  elastica_rod *rod = NULL;
  const elastica_rod_def def = gait_body(count, LENGTH, ANIMAL_RADIUS, ANIMAL_DENSITY, ANIMAL_YOUNGS_MODULUS);
  const elastica_world_def law = example_papers_law();
  if (elastica_world_create(&law, &world) != ELASTICA_OK) exit(3);
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  elastica_muscle_def still = gait_muscle(beta, PERIOD, 0);
  still.period = INFINITY;
  still.phase = acos(-1) / 2;
  still.ramp_time = 0;
  example_require(e, world, elastica_add_muscle(world, rod, &still, NULL));
  example_require(e, world, elastica_rod_refresh(rod));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int k = 0; k + 1 < count; k++) amplitude[k] = view->couple[0][k];
  elastica_world_destroy(world);
}

/* An interpretation of the paper. waves: L/lambda, positive from s = 0 to L with the head at node 0; negative: reversed. */
typedef struct reading {
  const char *name;
  double waves;
  int upright;
  elastica_balance balance; /* of the wall */
} reading;

static gait_result slither(example *e, const reading *how, int n, int periods, const char *file) {
  elastica_world *world = example_papers_world(e);
  elastica_rod *rod = make_snake(e, world, n, how->waves > 0 ? ELASTICA_END_FIRST : ELASTICA_END_LAST, how->balance);
  elastica_muscle_def muscle = gait_muscle(BETA, PERIOD, -2 * acos(-1) * how->waves / LENGTH);
  const gait_plan plan = {.name = file,
                          .length = LENGTH,
                          .period = PERIOD,
                          .forward = how->waves > 0 ? -1 : 1,
                          .periods = periods,
                          .dt = e->options.dt > 0 ? e->options.dt : 2.5e-5 * (50.0 / n) * PERIOD}; /* the paper's step, for 50 elements */
  if (how->upright) gait_upright(&muscle);
  example_require(e, world, elastica_add_muscle(world, rod, &muscle, NULL));
  const gait_result out = gait_follow(e, world, rod, &plan);
  example_done(e, world);
  return out;
}

/* Their couples have the opposite sign: -M on the element before a joint, +M on the element after it. */
static gait_result slither_as_the_authors(example *e, int periods) {
  enum { ELEMENTS = 100 };
  elastica_world *world = example_papers_world(e);
  elastica_rod *rod = make_snake(e, world, ELEMENTS, ELASTICA_END_FIRST, ELASTICA_BALANCE_ELEMENTS);
  const gait_plan plan = {.name = "authors", .length = LENGTH, .period = PERIOD, .forward = -1, .periods = periods, .dt = 1e-5};
  double amplitude[ELEMENTS] = {0};
  read_spline(e, AUTHORS_BETA, ELEMENTS, amplitude);
  elastica_muscle_def muscle = gait_muscle(NULL, PERIOD, -AUTHORS_WAVENUMBER);
  gait_upright(&muscle);
  muscle.amplitude = amplitude + 1; /* shifted by one element; beta(L) = 0 for the last joint */
  muscle.phase = acos(-1) - AUTHORS_WAVENUMBER * LENGTH / ELEMENTS;
  example_require(e, world, elastica_add_muscle(world, rod, &muscle, NULL));
  const gait_result out = gait_follow(e, world, rod, &plan);
  example_done(e, world);
  return out;
}

static void compare_with_the_authors(example *e, const gait_result *got, int periods) {
  for (int k = 0; k < periods && k < 5; k++) {
    example_check(e, got->x[k], AUTHORS_X[k], AUTHORS_TOLERANCE[k], "authors_x_at_period_%d", k + 1);
    example_check(e, got->y[k], AUTHORS_Y[k], AUTHORS_TOLERANCE[k], "authors_y_at_period_%d", k + 1);
    if (k < 2) continue;
    example_check(e, got->forward[k], (AUTHORS_X[k - 1] - AUTHORS_X[k]) / LENGTH, 4e-3, "authors_forward_in_period_%d", k + 1);
    example_check(e, got->lateral[k], (AUTHORS_Y[k] - AUTHORS_Y[k - 1]) / LENGTH, 4e-3, "authors_lateral_in_period_%d", k + 1);
  }
}

/* From the third period on: the published speed, and a straight path, at a small angle to the first direction. */
static void compare_with_the_paper(example *e, const char *name, const gait_result *got, int periods) {
  for (int k = 2; k < periods; k++) {
    example_check(e, got->forward[k], 0.6, 0.03 * 0.6, "%s_forward_in_period_%d", name, k + 1);
    example_inform(e, got->lateral[k], "%s_lateral_in_period_%d", name, k + 1);
  }
  if (periods > 3) {
    const double first = atan2(got->lateral[2], got->forward[2]), last = atan2(got->lateral[periods - 1], got->forward[periods - 1]);
    example_check(e, (last - first) / (periods - 3), 0, 0.01, "%s_turn_per_period_in_rad", name);
  }
  example_inform(e, got->off_plane, "%s_leaves_the_ground_by_in_L", name);
}

/* On a wall that balances nodes, with n and 2n elements. */
static void compare_elements(example *e, const reading *by_nodes, int n) {
  const gait_result coarse = slither(e, by_nodes, n, 3, NULL), fine = slither(e, by_nodes, 2 * n, 3, NULL);
  example_check(e, coarse.forward[2] / fine.forward[2], 1, 0.02, "by_nodes_n%d_over_n%d_forward_in_period_3", n, 2 * n);
  example_check(e, fmax(coarse.off_plane, fine.off_plane), 0, 1e-3, "by_nodes_n%d_leaves_the_ground_by_in_L", 2 * n);
  example_inform(e, fine.forward[2], "by_nodes_n%d_forward_in_period_3", 2 * n);
}

static void draw(example *e) {
  gait_draw(e, &(gait_picture){.name = "snake",
                               .n = 50,
                               .dt = e->options.dt > 0 ? e->options.dt : 2.5e-5 * PERIOD,
                               .height = 900,
                               .published = 0.6,
                               .other = "authors",
                               .tics = 0.1});
}

/* Rounding errors, amplified by friction, are about 1e-4 L and hide the order in dt. Beyond n = 100 the snake lifts off more and becomes
 * slower. */
static void certified_case(example *e, int n) {
  const gait_result way = slither(e, &(reading){.name = "snake", .waves = 0.97}, n, 3, NULL);
  for (int k = 0; k < 3; k++) example_inform(e, way.forward[k], "snake_forward_in_period_%d", k + 1);
}

int main(int argc, char **argv) {
  static const char *gait;
  static const case_option options[] = {ANIMAL_GAIT_OPTION(gait)};
  static const example_file files[] = {GAIT_FILES("snake", "the paper's snake"),
                                       GAIT_FILES("authors", "the snake with the settings of the authors' program")};
  const example_about about = {.name = "slithering",
                               .script = "gait",
                               .title = "the fastest slithering gait, run forward (Gazzola et al. 2018, figure 10)",
                               .quick = "three periods of the paper's snake, one of the authors' program; under 2 s",
                               .normal = "five periods of three interpretations of the paper and of the authors' program; 6 s",
                               .full = "the same with ten periods of the interpretations, and with n = 100; 15 s",
                               .certified = {certified_case, 25, "three periods of the paper's snake with n = 25; 2 s", NULL},
                               .options = options,
                               .option_count = sizeof options / sizeof *options,
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  example e;
  example_begin(&e, &about, argc, argv);
  if (gait) animal_evaluate(&e, &animal_snake, 50, gait);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL;
  const int periods = quick ? 3 : full ? 10 : 5, theirs = quick ? 1 : 5;
  const reading readings[] = {
      {.name = "snake", .waves = 0.97}, {.name = "upright", .waves = 0.97, .upright = 1}, {.name = "caption", .waves = 1 / 0.97}};
  const reading printed_sign = {.waves = -0.97}, by_nodes = {.waves = 0.97, .balance = ELASTICA_BALANCE_NODES};
  const int count = quick ? 1 : 3;
  example_expect(&e, 2e6 * (count * periods + (quick ? 0 : 5) + (full ? 80 : 0) + (quick ? 0 : full ? 60 : 15)) + 10e6 * theirs);
  for (int k = 0; k < count; k++) {
    const gait_result got = slither(&e, &readings[k], 50, periods, k == 0 ? "snake" : NULL);
    compare_with_the_paper(&e, readings[k].name, &got, periods);
  }
  if (!quick) example_inform(&e, slither(&e, &printed_sign, 50, 5, NULL).forward[4], "printed_sign_forward_in_period_5");
  for (int k = 0; full && k < 2; k++) {
    const gait_result got = slither(&e, &readings[k], 100, periods, NULL);
    compare_with_the_paper(&e, k == 0 ? "n_100" : "n_100_upright", &got, periods);
  }
  if (!quick) compare_elements(&e, &by_nodes, full ? 100 : 50);
  const gait_result authors = slither_as_the_authors(&e, theirs);
  compare_with_the_authors(&e, &authors, theirs);
  draw(&e);
  return example_end(&e);
}
