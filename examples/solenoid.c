/* Solenoid: a rod twisted under tension coils up like a spring.
 *
 * source    Gazzola et al. 2018, section 5.1 and figure 9c: R = 13 turns, F = 300 N, L/L^ = 1.15; gamma = 2, k_sc = 1e4, gamma_sc = 10
 * claim     a tight coil: neighbouring turns touch and do not pass through each other; writhe + twist is always R
 * onset     linear stability of the straight rod, stretched to e = 1/(1 - F/EA): with B/e^2, GI3/e^3, with shear, which reduces the
 *           tension to f = F (1 - F/S1), and with clamped ends at a distance L e = 2 h,
 *             (1 - F/S1)(1/k1 - 1/k2) = h (cot k1 h - cot k2 h),   k = (M +- sqrt(M^2 - 4 B f/e^2))/(2 B/e^2),   R = M e^3 L/(2 pi GI3)
 *           A long rod without shear has M^2 = 4 B F/e^2: 10.401 turns, and 7.4653 with unstretched constants
 * elements  100, as in the paper, with an axial viscosity in addition to the paper. Without it the coil does not come to rest: from 10.1
 *           turns on, waves of stretch and twist, four elements long, grow on the coil. The law causes them, not the program. It reduces
 *           bending and twisting couples with stretch, tau ~ E^-3, without the axial force that a potential would require; it can do
 *           work in a cycle. In a bent rod it couples waves of stretch, of bending (the same speed) and of shear (0.94 of it), and they
 *           grow. A ring of curvature c/r, bent from a straight rod, has the instability without contact, pull or twist. With radius, EA
 *           and mass per length 1, displacements along the rod and towards the centre and r times the turn (masses 1, 1, 1/4), and wave
 *           number k, its stiffness is
 *             k^2 + S c^2          -(1 + S) c k           -S c
 *             -(1 + S) c k         S k^2 + c^2            S k               S = S1/EA = 8/9
 *             -S c - (3/4) c k^2   S k + (3/4) c^2 k      k^2/4 + S
 *           The terms with 3/4 come from E^-3 and make it unsymmetric. Squared frequencies become complex for k above 4.5, 3.0, 2.0,
 *           1.8 at c = 0.4, 0.5, 0.75, 1, and the growth rate rises with k: a finer mesh makes it worse, a coarse one does not resolve the
 *           waves. With elements (tests/case_flutter.c) they are four to five elements long and need l/r below 0.16, 0.27, 0.51, 0.67; at c
 *           = 1 and gamma = 2 they grow at 19, 170, 480/s for l/r = 0.67, 0.4, 0.2.
 *           The coil has c = 1.1, l/r = 0.4, and contact that damps. Linearised about the coil, its fastest wave grows at -2, 13, 20/s
 *           at 10.0, 10.1, 10.2 turns, and at 10.2 turns at -3/s with 60 and 80 elements; in runs, 60 elements come to rest and 80 begin
 *           to oscillate near 11.9 turns. A constant E in tau removes it; the exact couple and contact with fixed radii do not. Adding
 *           the missing force does not help either: with it, the stiffness of stretch under given couples is EA/e^2 - 3 (B kappa^2 + GI3
 *           kappa3^2)/e^5, negative at the strains of this coil.
 * viscosity a tension of 0.1 N s times de/dt/e, 5e-5 s of EA. Equilibria do not depend on it: 0.05 and 0.5 give the same coil, 0.02 is too
 *           little. The papers' damping of the frames is also needed
 */
#include "common/twisting.h"
#include <math.h>
#include <stdio.h>

static const double TURNS = 13, FORCE = 300, NUDGE = 1e-3, VISCOSITY = 0.1; /* [-] [N] [N] [N s] */

enum { ROUNDS = 8 }; /* rounds of the search for the onset */

typedef struct straight {
  double e, bend, twist, pull, share, half; /* B/e^2, GI3/e^3 [N m^2], f [N], 1 - F/S1, h [m] */
} straight;

static straight pulled(void) {
  const double area = acos(-1) * TWISTING_RADIUS * TWISTING_RADIUS, second = area * area / (4 * acos(-1));
  straight s;
  s.e = 1 / (1 - FORCE / (TWISTING_YOUNGS_MODULUS * area));
  s.bend = TWISTING_YOUNGS_MODULUS * second / (s.e * s.e);
  s.twist = 2 * TWISTING_SHEAR_MODULUS * second / (s.e * s.e * s.e);
  s.share = 1 - FORCE / (4.0 / 3 * TWISTING_SHEAR_MODULUS * area);
  s.pull = FORCE * s.share;
  s.half = 0.5 * TWISTING_LENGTH * s.e;
  return s;
}

/* The condition above, multiplied by the two sines to remove its poles. */
static double condition(const straight *s, double moment) {
  const double root = sqrt(moment * moment - 4 * s->bend * s->pull), k1 = (moment + root) / (2 * s->bend),
               k2 = (moment - root) / (2 * s->bend), h = s->half;
  return s->share * (1 / k1 - 1 / k2) * sin(k1 * h) * sin(k2 * h) - h * sin((k2 - k1) * h);
}

static double turns_of(const straight *s, double moment) {
  return moment * TWISTING_LENGTH / (2 * acos(-1) * s->twist);
}

/* The smallest moment that satisfies it, searched in steps of a thousandth. */
static double critical_turns(void) {
  const straight s = pulled();
  const double start = 2 * sqrt(s.bend * s.pull), first = condition(&s, start * 1.001);
  double low = start, high = start * 1.001;
  while (condition(&s, high) * first > 0) low = high, high *= 1.001;
  for (int k = 0; k < 60; k++) {
    const double middle = 0.5 * (low + high);
    if (condition(&s, middle) * first > 0)
      low = middle;
    else
      high = middle;
  }
  return turns_of(&s, low);
}

/* Returns 1 if the deflection by the lateral force grows at an increasing rate, 0 if it approaches a limit. The rod starts straight,
 * uniformly stretched and twisted. The damping of its frames is so strong that it does not oscillate. */
static int buckles(example *e, int n, double turns, int run, elastica_csv *csv) {
  twisting t = {.n = n, .force = FORCE, .turns = turns, .nudge = NUDGE, .stretch = pulled().e};
  double bow[5] = {0};
  twisting_begin(e, &t);
  if (e->options.mode == EXAMPLE_QUICK) example_film(e, t.world, 0.1);
  for (int second = 1; second <= 4; second++) {
    example_advance(e, t.world, second);
    bow[second] = twisting_sideways(&t);
    example_row(e, csv, run, turns, second, bow[second]);
    if (bow[second] > TWISTING_RADIUS) break;
  }
  example_worked(e, 4.0 * n * n);
  example_done(e, t.world);
  return bow[4] <= 0 || bow[4] - bow[3] > bow[3] - bow[2];
}

/* By bisection from 0.9 to 1.1 of the expected value. */
static double onset(example *e, int n, int rounds, elastica_csv *csv) {
  double low = 0.9 * critical_turns(), high = 1.1 * critical_turns();
  for (int k = 0; k < rounds; k++) {
    const double middle = 0.5 * (low + high);
    if (buckles(e, n, middle, k, csv))
      high = middle;
    else
      low = middle;
  }
  return 0.5 * (low + high);
}

/* Turns of the tangent about the axis, counted if its lateral part is larger than 0.1. */
static double coils_of(const twisting *t) {
  const elastica_rod_view *view = elastica_rod_get_view(t->rod);
  double turned = 0;
  for (int j = 1; j < t->n; j++) {
    const double x0 = view->tangent[0][j - 1], y0 = view->tangent[1][j - 1], x1 = view->tangent[0][j], y1 = view->tangent[1][j];
    if (hypot(x0, y0) > 0.1 && hypot(x1, y1) > 0.1) turned += atan2(x0 * y1 - y0 * x1, x0 * x1 + y0 * y1);
  }
  return turned / (2 * acos(-1));
}

static void coil(example *e, twisting *t) {
  const straight s = pulled();
  twisting_begin(e, t);
  example_advance(e, t->world, t->pull_time);
  example_check(e, elastica_rod_get_view(t->rod)->position[2][t->n] / TWISTING_LENGTH, s.e, 0.01 * s.e, "stretch_before_twist");
  twisting_run(e, t, 130, example_csv(e, "history.csv"), example_vtk(e, t->world, "solenoid"), example_csv(e, "shape.csv"));
  example_check(e, t->link_error, 0, 1e-9, "link_minus_turns");
  example_check(e, t->deepest, 0, 0.2 * TWISTING_RADIUS, "deepest_overlap");
  example_check(e, twisting_sideways(t) / TWISTING_RADIUS, 1.5, 0.5, "coil_radius_over_r");
  example_check(e, twisting_coil_share(t), 1, 0.1, "coil_share");
  example_inform(e, coils_of(t), "coils");
  example_inform(e, t->topology.writhe, "writhe");
  example_inform(e, elastica_rod_get_view(t->rod)->position[2][t->n] / TWISTING_LENGTH, "end_to_end");
  example_check(e, example_speed(t->rod), 0, 0.1, "residual_speed");
  example_done(e, t->world);
}

/* The straight rods of the search for the onset, and the coil (not with --quick). */
static void draw(example *e, int n, double dt, const twisting *t, double coil_dt) {
  const int quick = e->options.mode == EXAMPLE_QUICK;
  char definitions[64], of_coil[64] = "";
  snprintf(definitions, sizeof definitions, "onset = %.6g\nruns = %d\n", critical_turns(), ROUNDS);
  if (!quick) snprintf(of_coil, sizeof of_coil, "coil: n = %d, dt = %.3g s; onset: ", t->n, coil_dt);
  example_plot(e, quick ? 700 : 1200, quick ? 560 : 900, definitions, "%sn = %d, dt = %.3g s", of_coil, n, dt);
}

static void certified_case(example *e, int n) {
  example_inform(e, onset(e, n, 24, NULL), "turns_at_onset");
}

int main(int argc, char **argv) {
  static const example_file files[] = {{"onset.csv", "run [-],turns of the end [turns],time [s],off the axis [m]",
                                        "the search for the onset: straight rods that are twisted at once.", FILE_ALWAYS},
                                       TWISTING_FILES("solenoid.pvd", FILE_NOT_QUICK)};
  const example_about about = {.name = "solenoid",
                               .script = "twisting",
                               .title = "a rod that is pulled and twisted coils up (Gazzola et al. 2018, figure 9c)",
                               .quick = "the onset alone, n = 100; 1 s",
                               .normal = "n = 80, 13 turns in 20 s, 5 s of rest, and the onset; 18 s",
                               .full = "n = 100, the paper's 75 s and 50 s, and the onset; 100 s",
                               .certified = {certified_case, 24, "the onset with n = 24; 10 s", NULL},
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL, n = quick ? 100 : 200;
  const double expected = critical_turns();
  twisting t = {.n = full ? 100 : 80,
                .force = FORCE,
                .pull_time = 5,
                .turns = TURNS,
                .twist_time = full ? 75 : 20,
                .relax_time = full ? 50 : 5,
                .nudge = NUDGE,
                .viscosity = VISCOSITY,
                .touching = 1};
  example_expect(&e, 4.0 * ROUNDS * n * n + (quick ? 0 : 4 * (5 + t.twist_time + t.relax_time) * t.n * t.n));
  example_check(&e, onset(&e, n, ROUNDS, example_csv(&e, "onset.csv")), expected, 0.01 * expected, "turns_at_onset");
  const double onset_dt = e.run.dt;
  if (!quick) coil(&e, &t);
  const straight s = pulled();
  example_inform(&e, turns_of(&s, 2 * sqrt(s.bend * FORCE)), "turns_at_onset_without_shear");
  example_inform(&e, turns_of(&s, 2 * sqrt(s.bend * FORCE)) / (s.e * s.e), "turns_at_onset_unstretched");
  draw(&e, n, onset_dt, &t, e.run.dt);
  return example_end(&e);
}
