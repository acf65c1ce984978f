/* Fixed joint: a rod goes on from the end of another one as if both were one; a turning force makes it wobble.
 *
 * source    Zhang et al. 2019, "Modeling and simulation of complex dynamic musculoskeletal architectures", the toy case of their program
 * claim     the second rod stays in line with the first one up to a wobble
 * settings  in common/jointed.h
 * compared  with the bounds of the wobble in ten seconds of the authors' program, |x| <= 0.970 mm and |z - 200 mm| <= 1.949 mm, and a fifth
 *           to a quarter more; and with the tip, to a tenth of the largest wobble: what is left after many periods depends on details
 *
 * The authors' program turns the first edge of rod 2 towards the last edge of rod 1 by a spring across its second node, 5e3 N/m, and does
 * not resist twist. The library's joint ties the frames, with the same stiffness of 2 N m/rad, twist included.
 */
#include "common/jointed.h"

static const jointed_sample PUBLISHED[] = {
    {0.1, {0, -0.199992, 0.198227}},
    {0.2, {0, -0.199999, 0.199255}},
    {0.5, {0.00027529, -0.199998, 0.200744}},
    {1, {-0.00002765, -0.199998, 0.200883}},
    {2, {-0.00067372, -0.199998, 0.200394}},
    {3, {-0.00036338, -0.199999, 0.199601}},
    {4, {0.00028921, -0.200000, 0.199832}},
    {5, {-0.00001938, -0.200000, 0.200401}},
    {6, {-0.00063945, -0.199999, 0.200021}},
    {8, {0.00036351, -0.199999, 0.199681}},
    {9.98, {-0.00053059, -0.199999, 0.199991}},
};
enum { SAMPLES = sizeof PUBLISHED / sizeof *PUBLISHED };

static void certified_case(example *e, int n) {
  jointed rig;
  jointed_run(e, &rig, &(jointed_plan){.n = n, .joint = jointed_joint(ELASTICA_JOINT_FIXED), .until = 0.2});
  for (int a = 0; a < 3; a++) example_inform(e, rig.tip[rig.frames][a], "tip_%c_at_0.2s", "xyz"[a]);
}

int main(int argc, char **argv) {
  static const example_file files[] = {
      JOINTED_FILES("fixed_joint", "the rig"), JOINTED_PUBLISHED, {"fixed_joint.pvd", NULL, "both rods", FILE_ALWAYS}};
  const example_about about = {.name = "fixed_joint",
                               .title = "two rods in line, led by a turning force (Zhang et al. 2019)",
                               .quick = "2 s of the motion; under 1 s",
                               .normal = "10 s of the motion; 1 s",
                               .full = "the same with the published step of 0.5 us; 2 min",
                               .certified = {certified_case, JOINTED_ELEMENTS, "the tip after 0.2 s; 1 s", NULL},
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  example e;
  jointed rig;
  example_begin(&e, &about, argc, argv);
  const double until = e.options.mode == EXAMPLE_QUICK ? 2 : 10;
  if (e.options.mode == EXAMPLE_FULL && e.dt <= 0) e.dt = 0.5e-6;
  example_expect(&e, until);
  jointed_run(&e, &rig,
              &(jointed_plan){.n = JOINTED_ELEMENTS, .joint = jointed_joint(ELASTICA_JOINT_FIXED), .until = until, .name = "fixed_joint"});
  example_check(&e, jointed_farthest(&rig, X, 0), 0, 1.2e-3, "largest_x");
  example_check(&e, jointed_farthest(&rig, Z, JOINTED_LENGTH), 0, 2.4e-3, "largest_z_off_0.2");
  example_check(&e, jointed_farthest(&rig, Y, -JOINTED_LENGTH), 0, 2e-5, "largest_y_off_-0.2");
  example_check(&e, rig.gap, 0, 1e-6, "largest_gap");
  example_inform(&e, rig.bow, "middle_of_rod_1_moves");
  jointed_compare(&e, &rig, PUBLISHED, SAMPLES, 2e-4);
  jointed_draw(
      &e, "fixed_joint", PUBLISHED, SAMPLES, (const int[]){X, Z},
      "set title 'off the line'\nset ylabel 'x, z - 200 mm of the tip [mm]'\n"
      "plot 'fixed_joint.csv' using 1:(1e3*$2) with lines lw 1 lt 1 title 'x', '' using 1:(1e3*$4-200) with lines lw 1 lt 3 title 'z', \\\n"
      "     'published.csv' using 1:(1e3*$2) with points pt 6 ps 1.5 lw 2 lt 1 notitle, \\\n"
      "     '' using 1:(1e3*$4-200) with points pt 6 ps 1.5 lw 2 lt 3 notitle\n");
  return example_end(&e);
}
