/* Plectoneme: a rod, twisted at one end without tension, forms a loop and winds about itself.
 *
 * source    Gazzola et al. 2018, section 5.1 and figure 9b: R = 4 turns, F = 0; gamma = 2, k_sc = 1e4, gamma_sc = 10, n = 100
 * claim     a hairpin of two strands wound about each other; they do not pass through each other: writhe + twist is always R
 * onset     a clamped rod buckles under the moment 8.98682 EI/L, here 1.07272 turns. Below it a small lateral force f on the middle
 *           bends the rod by a ~ f/(R_c^2 - R^2) if the first mode dominates: 1/a over R^2 is a straight line (Southwell's) that reaches
 *           0 at R_c^2
 * step      the certified one, which counts the stiffness and damping of every contact. The paper's 1e-4 s is too long after strands
 *           touch
 */
#include "common/twisting.h"
#include <math.h>
#include <stdio.h>

static const double TURNS = 4, NUDGE = 1e-3; /* [-] [N] */

/* tan x = x, twice: the moment of a rod with two clamped ends, M L/EI. */
static const double CLAMPED = 8.98681891581813;

static double critical_turns(void) {
  const double bend = TWISTING_YOUNGS_MODULUS, twist = 2 * TWISTING_SHEAR_MODULUS; /* EI/GI3 = E/(2 G) */
  return CLAMPED * bend / twist / (2 * acos(-1));
}

/* Lateral displacement [m] of a rod at rest with this number of turns. */
static double bow(example *e, int n, double turns) {
  twisting t = {.n = n, .turns = turns, .twist_time = 8, .relax_time = 10, .nudge = NUDGE};
  twisting_begin(e, &t);
  twisting_run(e, &t, 10, NULL, NULL, NULL);
  const double a = twisting_sideways(&t);
  example_done(e, t.world);
  return a;
}

static double southwell(example *e, int n) {
  const double near = 0.88 * critical_turns(), nearer = 0.94 * critical_turns();
  const double y1 = 1 / bow(e, n, near), y2 = 1 / bow(e, n, nearer), x1 = near * near, x2 = nearer * nearer;
  return sqrt(x2 + y2 * (x2 - x1) / (y1 - y2));
}

static void draw(example *e, int n) {
  char definitions[64];
  snprintf(definitions, sizeof definitions, "onset = %.6g\nruns = 0\n", critical_turns());
  example_plot(e, 1400, 560, definitions, "n = %d, dt = %.3g s", n, e->results.largest.dt);
}

static void certified_case(example *e, int n) {
  example_inform(e, southwell(e, n), "turns_at_onset");
}

int main(int argc, char **argv) {
  static const example_file files[] = {TWISTING_FILES("plectoneme.pvd", FILE_ALWAYS)};
  const example_about about = {.name = "plectoneme",
                               .script = "twisting",
                               .title = "a twisted rod winds up about itself (Gazzola et al. 2018, figure 9b)",
                               .quick = "n = 40, 4 turns in 20 s; 1 s",
                               .normal = "n = 80, 4 turns in 37.5 s, 12.5 s of rest; 10 s",
                               .full = "n = 100, the paper's 75 s and 50 s; 25 s",
                               .certified = {certified_case, 40, "the onset with n = 40; 3 s", NULL},
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL;
  twisting t = {.n = quick ? 40 : full ? 100 : 80, .turns = TURNS, .twist_time = 75, .relax_time = 50, .nudge = NUDGE, .touching = 1};
  if (!full) t.twist_time = quick ? 20 : 37.5, t.relax_time = quick ? 5 : 12.5;
  example_expect(&e, (36 + 4 * (t.twist_time + t.relax_time)) * t.n * t.n);
  const double onset = southwell(&e, t.n);

  twisting_begin(&e, &t);
  twisting_run(&e, &t, 125, example_csv(&e, "history.csv"), example_vtk(&e, t.world, "plectoneme"), example_csv(&e, "shape.csv"));

  example_check(&e, onset, critical_turns(), 0.01 * critical_turns(), "turns_at_onset");
  example_check(&e, t.link_error, 0, 1e-9, "link_minus_turns");
  example_check(&e, t.deepest, 0, 0.2 * TWISTING_RADIUS, "deepest_overlap");
  example_check(&e, twisting_coil_share(&t), 0, 0.1, "coil_share");
  example_inform(&e, t.onset, "turns_when_loop_is_seen");
  example_inform(&e, t.topology.writhe, "writhe");
  example_inform(&e, elastica_rod_get_view(t.rod)->position[2][t.n] / TWISTING_LENGTH, "end_to_end");
  example_inform(&e, twisting_sideways(&t), "off_the_axis");
  example_inform(&e, example_speed(t.rod), "residual_speed");
  example_done(&e, t.world);
  draw(&e, t.n);
  return example_end(&e);
}
