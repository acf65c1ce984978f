/* Spherical joint: a rod swings freely on the end of another one, and a turning force leads its tip around.
 *
 * source    Zhang et al. 2019, "Modeling and simulation of complex dynamic musculoskeletal architectures", the toy case of their program
 * claim     the rods stay connected, and the joint lets the second one turn about every axis
 * settings  in common/jointed.h. The library's ball joint with the authors' 1e5 N/m between the two end nodes is their joint
 * compared  with the tip in ten seconds of the authors' program, which took its samples up to 0.5 ms late; and, with ten times their
 *           moduli, with a rigid rod on a ball joint, integrated here: from that their rod is off by ten times as much
 */
#include "common/jointed.h"
#include <math.h>

static const jointed_sample PUBLISHED[] = {
    {0.1, {0, -0.199981, 0.197234}},      {0.2, {0, -0.199706, 0.189157}},       {0.5, {0.011768, -0.195821, 0.161067}},
    {1, {0.068911, -0.180935, 0.149863}}, {2, {0.134088, -0.113050, 0.296125}},  {3, {-0.056568, -0.012395, 0.391433}},
    {4, {-0.187763, 0.061472, 0.168913}}, {5, {0.050943, 0.054445, 0.014418}},   {6, {0.185411, -0.011141, 0.274154}},
    {8, {-0.013898, 0.020773, 0.001566}}, {10, {-0.199812, 0.000357, 0.208679}},
};
enum { SAMPLES = sizeof PUBLISHED / sizeof *PUBLISHED };

/* ---- A rigid rod ---- */

/* d'' of its direction d, a unit vector: the part of F L/I across d, less the drag, and what keeps it a unit vector. The rod has its mass,
 * and is slowed down, at its nodes, so that both moments are larger by 1 + 1/(2 n^2); that of its frames about a diameter comes on top. first: the force
 * still points down. */
static void accelerate(double time, int first, const double d[3], const double v[3], double a[3]) {
  const double area = acos(-1) * 49e-6, mass = 1750 * area * JOINTED_LENGTH;
  const double lumped = (1 + 0.5 / (JOINTED_ELEMENTS * JOINTED_ELEMENTS)) * JOINTED_LENGTH * JOINTED_LENGTH / 3;
  const double inertia = mass * (lumped + 49e-6 / 4), drag = JOINTED_LENGTH * (0.1 * lumped + 1e-7) / inertia;
  const double angle = acos(-1) / 2 * (time - 0.2), force = 5e-3 * JOINTED_LENGTH / inertia;
  const double push[3] = {first ? 0 : force * cos(angle), 0, first ? -2 * force : force * sin(angle)};
  const double along = push[X] * d[X] + push[Y] * d[Y] + push[Z] * d[Z], square = v[X] * v[X] + v[Y] * v[Y] + v[Z] * v[Z];
  for (int k = 0; k < 3; k++) a[k] = push[k] - (along + square) * d[k] - drag * v[k];
}

/* One step of Runge and Kutta, of fourth order. */
static void turn(double time, double dt, int first, double d[3], double v[3]) {
  static const double ahead[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double slope[2][3] = {{0}}, sum[2][3] = {{0}};
  for (int s = 0; s < 4; s++) {
    double at[3], speed[3];
    for (int k = 0; k < 3; k++) {
      at[k] = d[k] + ahead[s] * dt * slope[0][k];
      speed[k] = v[k] + ahead[s] * dt * slope[1][k];
    }
    for (int k = 0; k < 3; k++) slope[0][k] = speed[k];
    accelerate(time + ahead[s] * dt, first, at, speed, slope[1]);
    for (int k = 0; k < 6; k++) sum[k / 3][k % 3] += weight[s] * slope[k / 3][k % 3];
  }
  for (int k = 0; k < 3; k++) d[k] += dt * sum[0][k], v[k] += dt * sum[1][k];
}

/* Largest distance [m] of the tip from that of the rigid rod. */
static double off_rigid(const jointed *rig) {
  enum { SUBSTEPS = 100, SWITCH = 10 }; /* frame of 0.2 s, when the force jumps */
  double d[3] = {0, -1, 0}, v[3] = {0}, largest = 0;
  for (int k = 1; k <= rig->frames; k++) {
    const double dt = JOINTED_FRAME / SUBSTEPS, *tip = rig->tip[k];
    for (int s = 0; s < SUBSTEPS; s++) turn(((k - 1) * SUBSTEPS + s) * dt, dt, k <= SWITCH, d, v);
    const double x = tip[X] - JOINTED_LENGTH * d[X], y = tip[Y] - JOINTED_LENGTH * d[Y], z = tip[Z] - JOINTED_LENGTH * (1 + d[Z]);
    largest = fmax(largest, sqrt(x * x + y * y + z * z));
  }
  return largest;
}

/* ---- The program ---- */

static void certified_case(example *e, int n) {
  jointed rig;
  jointed_run(e, &rig, &(jointed_plan){.n = n, .joint = jointed_joint(ELASTICA_JOINT_BALL), .until = 1});
  for (int a = 0; a < 3; a++) example_inform(e, rig.tip[rig.frames][a], "tip_%c_at_1s", "xyz"[a]);
}

int main(int argc, char **argv) {
  static const example_file files[] = {
      JOINTED_FILES("spherical_joint", "the rig"), JOINTED_PUBLISHED, {"spherical_joint.pvd", NULL, "both rods", FILE_ALWAYS}};
  const example_about about = {.name = "spherical_joint",
                               .title = "two rods on a ball joint, led by a turning force (Zhang et al. 2019)",
                               .quick = "2 s of the motion; under 1 s",
                               .normal = "10 s of the motion, also with ten times the moduli; 3 s",
                               .full = "10 s with the published step of 1 us; 2 min",
                               .certified = {certified_case, JOINTED_ELEMENTS, "the tip after 1 s; 2 s", NULL},
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  example e;
  jointed rig, stiff;
  example_begin(&e, &about, argc, argv);
  const double until = e.options.mode == EXAMPLE_QUICK ? 2 : 10;
  if (e.options.mode == EXAMPLE_FULL && e.dt <= 0) e.dt = 1e-6;
  example_expect(&e, 2 * until);
  jointed_run(
      &e, &rig,
      &(jointed_plan){.n = JOINTED_ELEMENTS, .joint = jointed_joint(ELASTICA_JOINT_BALL), .until = until, .name = "spherical_joint"});
  jointed_compare(&e, &rig, PUBLISHED, SAMPLES, 2e-3);
  example_inform(&e, off_rigid(&rig), "tip_off_a_rigid_rod");
  e.dt /= 4; /* the limit falls with the root of the moduli */
  jointed_run(&e, &stiff,
              &(jointed_plan){.n = JOINTED_ELEMENTS, .joint = jointed_joint(ELASTICA_JOINT_BALL), .until = until, .stiffer = 10});
  example_check(&e, off_rigid(&stiff), 0, 1e-3 * JOINTED_LENGTH, "10E_tip_off_a_rigid_rod");
  example_check(&e, rig.off_length, 0, 1e-5, "wobble_of_the_length");
  example_check(&e, rig.gap, 0, 1e-6, "largest_gap");
  example_inform(&e, rig.bow, "middle_of_rod_1_moves");
  jointed_draw(&e, "spherical_joint", PUBLISHED, SAMPLES, (const int[]){X, Z},
               "set title 'gap of the joint'\nset ylabel '[nm]'\nset yrange [0:*]\n"
               "plot 'spherical_joint.csv' using 1:(1e9*$5) with lines lw 1.5 lt 4 notitle\n");
  return example_end(&e);
}
