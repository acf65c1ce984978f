/* Walker: a soft scaffold on four legs, driven by muscle rings and strips.
 *
 * source    Zhang et al. 2019, "Modeling and simulation of complex dynamic musculoskeletal architectures", figure 2 (the original
 *           design), and their program
 * claim     it walks towards its long legs, since the legs are unequal; friction is equal in both directions
 * settings  those of their program, in mm, g and s: forces in uN. 18 rods, 188 elements: common/scaffold.h. Muscles begin at 0.1 s,
 *           after the fall, with a tension of 600 uN |sin(pi f (t - 0.1 s))| + min(200, 1000 (t - 0.1 s)) in every ring and strip
 *           element; f = 2 Hz
 * compared  with the length of a ring and the place of the scaffold in the authors' program up to 0.15 s, at 20 of their steps at a
 *           time; with the claim, for f = 2, 1 and 0.5 Hz: displacement of the middle of a beam between 2 s and 10 s
 *
 * Walks use springs of a tenth of the stiffness, and steps 50 times the authors'; a stride agrees with that of springs of a third of the
 * stiffness to 1 %. Before the muscles begin, the position of the scaffold agrees with theirs to 1 um. Then their scaffold moves by 13
 * um at once, ours only when the rings touch the legs: this is INFO, not checked. Friction in their program changes sign from step to
 * step; here it brings a foot to rest.
 */
#include "common/design.h"
#include "common/scaffold.h"
#include <math.h>
#include <stdio.h>

static const double AUTHORS_STEP = 7.5e-8; /* [s] */

/* Time [s], y and z of the middle of a beam, and length of a ring [mm] in the authors' program. */
static const double PUBLISHED[][4] = {{0.01, -6.978015, 3.283694, 24.4},   {0.02, -6.895910, 3.191843, 24.4},
                                      {0.05, -6.884662, 3.202492, 24.4},   {0.10, -6.885466, 3.204230, 24.4},
                                      {0.12, -6.872014, 3.191467, 23.907}, {0.15, -6.873684, 3.193801, 23.327}};
enum { SAMPLES = sizeof PUBLISHED / sizeof *PUBLISHED, FRAMES_PER_SECOND = 100 };

static void compare(example *e, double computed, double published, int axis, double time) {
  if (time < 0.11)
    example_check(e, computed, published, 2e-3, "beam_%c_at_%gs", axis, time);
  else
    example_inform(e, computed - published, "beam_%c_off_the_authors_at_%gs", axis, time);
}

static double fall(example *e, double until) {
  static scaffold of;
  const double given = e->dt;
  elastica_csv *csv = example_csv(e, "fall.csv"), *published = example_csv(e, "published.csv");
  if (given <= 0) e->dt = 20 * AUTHORS_STEP;
  const double dt = e->dt;
  scaffold_build(e, &of, &(scaffold_plan){SCAFFOLD_ORIGINAL, .frequency = 2, .softer = 1});
  for (int k = 0, s = 0; k * 0.005 <= until + 1e-9; k++) {
    const double time = k * 0.005, *beam[2] = {of.rod[0]->position[Y] + 8, of.rod[0]->position[Z] + 8};
    if (k > 0) example_advance(e, of.world, time);
    example_worked(e, k > 0);
    example_row(e, csv, time, *beam[0], *beam[1], scaffold_ring(&of));
    if (s == SAMPLES || fabs(PUBLISHED[s][0] - time) > 1e-9) continue;
    const double *at = PUBLISHED[s++];
    compare(e, *beam[0], at[1], 'y', time);
    compare(e, *beam[1], at[2], 'z', time);
    example_check(e, scaffold_ring(&of), at[3], time < 0.14 ? 0.1 : 0.15, "ring_at_%gs", time);
    example_row(e, published, at[0], at[1], at[2], at[3]);
  }
  example_done(e, of.world);
  e->dt = given;
  return dt;
}

/* From 2 s on, or from half of a shorter walk. */
static void walk(example *e, double frequency, double until, elastica_csv *csv) {
  static scaffold of;
  const int frames = (int)lround(until * FRAMES_PER_SECOND), first = until > 4 ? 2 * FRAMES_PER_SECOND : frames / 2;
  double from = 0, strain = 0;
  scaffold_build(e, &of, &(scaffold_plan){SCAFFOLD_ORIGINAL, .frequency = frequency, .softer = 10});
  elastica_vtk *vtk = frequency > 1.5 ? example_vtk(e, of.world, "walker") : NULL;
  for (int k = 0; k <= frames; k++) {
    if (k > 0) example_advance(e, of.world, (double)k / FRAMES_PER_SECOND);
    example_worked(e, k > 0);
    const double y = of.rod[0]->position[Y][8], ring = scaffold_ring(&of);
    if (k == first) from = y;
    strain = fmax(strain, 1 - ring / 24.4);
    example_row(e, csv, frequency, (double)k / FRAMES_PER_SECOND, y, ring);
    if (k % 5 == 0) output_frame(&e->output, of.world, vtk);
  }
  const double gone = from - of.rod[0]->position[Y][8], speed = gone * FRAMES_PER_SECOND / (frames - first);
  if (first == 2 * FRAMES_PER_SECOND) example_check(e, gone > 0, 1, 0, "walks_at_%gHz", frequency);
  example_inform(e, speed, "speed_at_%gHz_mm/s", frequency);
  example_inform(e, strain, "largest_strain_of_a_ring_at_%gHz", frequency);
  example_done(e, of.world);
}

static void draw(example *e, double dt) {
  example_plot(e, 1700, 560, NULL, "18 rods, dt = %.3g s at the fall", dt);
}

int main(int argc, char **argv) {
  static const example_file files[] = {
      {"fall.csv", "time [s],y of the beam [mm],z of the beam [mm],length of a ring [mm]", "the first 0.15 s", FILE_ALWAYS},
      {"published.csv", "time [s],y of the beam [mm],z of the beam [mm],length of a ring [mm]", "values of the authors' program",
       FILE_ALWAYS},
      {"walks.csv", "frequency [Hz],time [s],y of the beam [mm],length of a ring [mm]", "walks, one row for each frame", FILE_ALWAYS},
      {"walker.pvd", NULL, "the walk at 2 Hz", FILE_ALWAYS}};
  static const char *text;
  static const case_option options[] = {
      DESIGN_OPTION(text, DESIGN_WALKER,
                    "only evaluate a design, by eight strides, guided: modulus of the bridge [MPa], short leg [mm],\n"
                    "lowering of the strips against the original [sixths of a leg]")};
  const example_about about = {.name = "walker",
                               .length_unit = "mm",
                               .force_unit = "µN",
                               .title = "a bio-hybrid robot walks (Zhang et al. 2019)",
                               .quick = "20 ms of the fall, and 0.1 s of a walk; 1 s",
                               .normal = "the fall, and 2 s of a walk at 2 Hz; 12 s",
                               .full = "the fall, and 10 s of walks at 2, 1 and 0.5 Hz; 2 min",
                               .options = options,
                               .option_count = sizeof options / sizeof *options,
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  example e;
  example_begin(&e, &about, argc, argv);
  if (text) design_evaluate(&e, "walker", text, DESIGN_WHOLE);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL;
  example_expect(&e, quick ? 14 : full ? 3030 : 230);
  const double dt = fall(&e, quick ? 0.02 : 0.15);
  elastica_csv *csv = example_csv(&e, "walks.csv");
  walk(&e, 2, quick ? 0.1 : full ? 10 : 2, csv);
  for (double f = 1; f >= 0.5 && full; f /= 2) walk(&e, f, 10, csv);
  draw(&e, dt);
  return example_end(&e);
}
