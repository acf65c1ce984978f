/* Hinge joint: a rod swings on the end of another one in a plane, out of which a part of the load would push it.
 *
 * source    Zhang et al. 2019, "Modeling and simulation of complex dynamic musculoskeletal architectures", the toy case of their program
 * claim     the second rod moves in the plane of the hinge alone
 * settings  in common/jointed.h. Axis along x and fixed in space: rod 2 stays in the plane y, z
 * compared  with the tip in ten seconds of the authors' program, which took its samples up to 0.5 ms late
 *
 * The authors' program turns the first edge L of rod 2 by the couple 5e3 N/m L x (-(L.h) h) with the axis h, puts the opposite couple on rod
 * 1, and does not resist twist. The library's hinge with the axis in the world turns the first frame of rod 2 by kappa times its angle, with
 * the same stiffness of 2 N m/rad, resists twist as well, and is a guide: rod 1 feels no couple. Rod 2 swings alike within the band; rod 1
 * stays straight, where in the authors' program its middle moves by up to 0.1 mm.
 * Nothing hinders rod 1, which is held at its end nodes only, from rolling about its line. So an axis that it carries rolls with it as soon
 * as rod 2 is pushed sideways, and the tip goes nearly the way that it goes on a ball joint.
 */
#include "common/jointed.h"
#include <string.h>

static const jointed_sample PUBLISHED[] = {
    {0.1, {0, -0.199981, 0.197234}},         {0.2, {0, -0.199706, 0.189157}},       {0.5, {0.000457, -0.196164, 0.161018}},
    {1, {0.000243, -0.192859, 0.147033}},    {2, {-0.000335, -0.184678, 0.276772}}, {3, {-0.000114, -0.082085, 0.382378}},
    {4, {0.000367, -0.052523, 0.392980}},    {5, {-0.000001, -0.045846, 0.394675}}, {6, {-0.000191, -0.004805, 0.399942}},
    {7, {-0.000178, 0.035026, 0.396909}},    {8, {0.000346, 0.096288, 0.375295}},   {9, {0.000056, 0.138924, 0.343876}},
    {9.98, {-0.000300, 0.072785, 0.386286}},
};
enum { SAMPLES = sizeof PUBLISHED / sizeof *PUBLISHED };

static elastica_joint_def hinge(int axis_in_world) {
  elastica_joint_def joint = jointed_joint(ELASTICA_JOINT_HINGE);
  memcpy(joint.axis, (const double[3]){1, 0, 0}, sizeof joint.axis);
  joint.axis_in_world = axis_in_world;
  return joint;
}

static void certified_case(example *e, int n) {
  jointed rig;
  jointed_run(e, &rig, &(jointed_plan){.n = n, .joint = hinge(1), .until = 1});
  for (int a = 0; a < 3; a++) example_inform(e, rig.tip[rig.frames][a], "tip_%c_at_1s", "xyz"[a]);
}

int main(int argc, char **argv) {
  static const example_file files[] = {JOINTED_FILES("hinge_joint", "the rig with the axis in the world"),
                                       JOINTED_FILES("carried", "the rig with the axis carried by rod 1"),
                                       JOINTED_PUBLISHED,
                                       {"hinge_joint.pvd", NULL, "both rods, with the axis in the world", FILE_ALWAYS},
                                       {"carried.pvd", NULL, "both rods, with the axis carried by rod 1", FILE_ALWAYS}};
  const example_about about = {.name = "hinge_joint",
                               .title = "two rods on a hinge, led by a turning force (Zhang et al. 2019)",
                               .quick = "2 s of the motion; under 1 s",
                               .normal = "10 s of the motion, with the axis in the world and carried by rod 1; 2 s",
                               .full = "the same with the published step of 0.5 us; 3 min",
                               .certified = {certified_case, JOINTED_ELEMENTS, "the tip after 1 s; 2 s", NULL},
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  example e;
  jointed rig, carried;
  example_begin(&e, &about, argc, argv);
  const double until = e.options.mode == EXAMPLE_QUICK ? 2 : 10;
  if (e.options.mode == EXAMPLE_FULL && e.dt <= 0) e.dt = 0.5e-6;
  example_expect(&e, 2 * until);
  jointed_run(&e, &rig, &(jointed_plan){.n = JOINTED_ELEMENTS, .joint = hinge(1), .until = until, .name = "hinge_joint"});
  jointed_run(&e, &carried, &(jointed_plan){.n = JOINTED_ELEMENTS, .joint = hinge(0), .until = until, .name = "carried"});
  jointed_compare(&e, &rig, PUBLISHED, SAMPLES, 2e-3);
  example_check(&e, jointed_farthest(&rig, X, 0), 0, 1e-3, "wobble_out_of_the_plane");
  example_check(&e, rig.gap, 0, 1e-6, "largest_gap");
  example_inform(&e, rig.bow, "middle_of_rod_1_moves");
  for (int a = 0; a < 3; a++) example_inform(&e, carried.tip[carried.frames][a], "carried_tip_%c_at_%gs", "xyz"[a], until);
  example_inform(&e, jointed_farthest(&carried, X, 0), "carried_wobble_out_of_the_plane");
  example_check(&e, carried.gap, 0, 1e-6, "carried_largest_gap");
  example_inform(&e, carried.bow, "carried_middle_of_rod_1_moves");
  jointed_draw(&e, "hinge_joint", PUBLISHED, SAMPLES, (const int[]){Y, Z},
               "set title 'out of the plane'\nset ylabel 'x of the tip [mm]'\nset ytics nomirror\nset y2tics\n"
               "set y2label 'axis carried by rod 1: x [mm]'\n"
               "plot 'carried.csv' using 1:(1e3*$2) axes x1y2 with lines lw 1.5 lt 6 title 'carried by rod 1', \\\n"
               "     'hinge_joint.csv' using 1:(1e3*$2) with lines lw 1.5 lt 1 title 'in the world', \\\n"
               "     'published.csv' using 1:(1e3*$2) with points pt 6 ps 1.5 lw 2 lc rgb 'black' title 'published'\n");
  return example_end(&e);
}
