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

static void draw(example *e) {
  example_plot(
      e, 1300, 560,
      "set multiplot layout 1,2 title heading\nset grid lt 1 lw 0.5 lc rgb 'gray80'\nset logscale y\nset format y '10^{%T}'\n"
      "set xlabel 'row of table.csv' offset 0,0.5\nset ylabel 'error'\nset title 'errors'\n"
      "plot 'table.csv' using 1:3 with points pt 5 lc 2 title 'PyElastica', '' using 1:4 with points pt 9 lc 3 title 'MuJoCo', \\\n"
      "     '' using 1:2 with points pt 7 lc 1 title 'elastica'\n"
      "set title 'wall time'\nset ylabel 'time [s]'\n"
      "plot 'table.csv' using 1:6 with points pt 5 lc 2 title 'PyElastica', '' using 1:7 with points pt 9 lc 3 title 'MuJoCo', \\\n"
      "     '' using 1:5 with points pt 7 lc 1 title 'elastica'\nunset multiplot\n",
      "published columns of cosseratbench 0.2");
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
  scene_cantilever(&e, &table);
  scene_catenary(&e, &table);
  scene_pendulum(&e, &table);
  scene_twist(&e, &table);
  scene_capstan(&e, &table);
  scene_crossing(&e, &table);
  scene_pile(&e, &table);
  draw(&e);
  return example_end(&e);
}
