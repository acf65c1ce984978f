/* Referee: the seven scenes by which a public comparison, cosseratbench, judges rod codes: our column beside its published ones.
 *
 * source    cosseratbench 0.2 (github.com/jakeryderv/cosseratbench, Apache-2.0): scenes, references, metrics and variations, and its
 *           results for PyElastica 1.0.0 and MuJoCo 3.13.0, with wall times on a machine that it does not name
 * claim     a step of the library costs a fraction of theirs, and its errors are those of the model, not of clamp, friction or growth rates
 * compared  each metric with the tolerance of the referee's own tests, where it has one: cantilever 0.08, sag 2e-3, period 3e-4, amplitude
 *           1e-4, twist 0.03; a slide on the drum below a tenth of its radius; the force where ropes cross, extrapolated in n, with that of
 *           two elasticas, which has the digits of the comparison. Other rows are shown
 *
 * Its sweeps of the time step have no rows: the library refuses steps beyond its certified limit.
 *
 * Quasi-static scenes are relaxed: cantilever, catenary, crossing. The others take time steps as in the other codes, with the dampers of
 * its adapters. Errors that do not fall with n belong to the references: the catenary does not bend, the deflection has no shear.
 */
#include "referee/scene.h"
#include <math.h>
#include <stdio.h>

static void draw(example *e, const scene_table *table) {
  char definitions[sizeof table->scenes + sizeof table->ends + 32];
  snprintf(definitions, sizeof definitions, "scenes = '%s'\nends = '%s'\n", table->scenes, table->ends);
  example_plot(e, 1300, 560, definitions, "published columns of cosseratbench 0.2");
}

static const example_file FILES[] = {
    {"table.csv",
     "row [1],error [1],error of PyElastica [1],error of MuJoCo [1],wall time [s],wall time of PyElastica [s],wall time of MuJoCo [s]",
     "the rows that are printed first, in their order; slides in mm", FILE_ALWAYS},
    {"referee.pvd", NULL, "the pile; with --quick, a rope that slides off the drum", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "referee",
                               .title = "seven scenes of a public comparison of rod codes, beside its published columns",
                               .quick = "base sizes without pile, pendulum and twist on 25 elements; 2 s",
                               .normal = "all variations, one pile; 15 s",
                               .full = "all variations of the pile as well; 30 s",
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  scene_table table = {.csv = example_csv(&e, "table.csv")};
  static const struct {
    const char *name;
    void (*run)(example *e, scene_table *table);
  } SCENES[] = {{"cantilever", scene_cantilever}, {"catenary", scene_catenary}, {"pendulum", scene_pendulum}, {"twist", scene_twist},
                {"capstan", scene_capstan},       {"crossing", scene_crossing}, {"pile", scene_pile}};
  for (size_t k = 0; k < sizeof SCENES / sizeof *SCENES; k++) {
    SCENES[k].run(&e, &table);
    scene_end(&table, SCENES[k].name);
  }
  draw(&e, &table);
  return example_end(&e);
}
