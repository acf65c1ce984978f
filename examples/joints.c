/* Two rods end to end with a joint between them; a turning force acts on the tip. The programs fixed_joint, hinge_joint and
 * spherical_joint are this source with a joint each.
 *
 * source    Zhang et al. 2019, "Modeling and simulation of complex dynamic musculoskeletal architectures", the toy cases of their program
 * settings  rod 1 lies along -y from (0, 0.2, 0.2) m to (0, 0, 0.2) m, and its two end nodes are held; rod 2 continues from there to (0,
 *           -0.2, 0.2) m. The joint ties the last node of rod 1 to the first of rod 2. A force acts on the tip, the free end of rod 2:
 *           10 mN down for 0.2 s, then 5 mN turning about y by 90 degrees per second, first along x and then up. Values are those of the
 *           authors' program, in SI; its constant of dissipation, a single number in millimetres and grams, is a constant per unit here.
 *           Neither gravity nor contact
 * compared  with the tip in ten seconds of the authors' program, sampled up to 0.5 ms late there; and with the values stated at each
 *           joint
 */
#include "common/example.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double RADIUS = 7e-3, DENSITY = 1750, YOUNGS_MODULUS = 30e6;     /* [m] [kg/m^3] [Pa] */
static const double DAMPING = 0.1, SPIN_DAMPING = 1e-7;                       /* [kg/(m s)] [kg m/s] */
static const double STIFFNESS = 1e5, ANGULAR_STIFFNESS = 5e3 * 20e-3 * 20e-3; /* [N/m] [N m/rad]: theirs of 5e3 N/m on an edge of 20 mm */
static const double FORCE = 5e-3, SWITCH = 0.2;                               /* [N] [s] */
static const double LENGTH = 0.2;                                             /* [m] of each rod, and the height of the joint */
static const double FRAME = 0.02;                                             /* [s] between frames */
enum { ELEMENTS = 10, FRAMES = 500 };

typedef struct sample {
  double time, tip[3]; /* [s] [m] */
} sample;

typedef struct rig {
  elastica_world *world;
  elastica_rod *rod[2];
  elastica_effect *joint;
  int n, frames;
  double tip[FRAMES + 1][3]; /* [m] at each frame */
  double gap;                /* [m] largest gap of the joint at a frame */
  double off_length;         /* [m] largest difference of the distance between tip and joint from the length of the rod */
  double bow;                /* [m] largest displacement of the middle of rod 1 */
} rig;

typedef struct plan {
  int n;                    /* elements in each rod */
  elastica_joint_def joint; /* build sets its anchors */
  double until;             /* [s] a multiple of FRAME */
  double stiffer;           /* factor on the moduli; 0: as published */
  const char *name;         /* name.csv has a row per frame, name.pvd every fifth frame; NULL: no files */
} plan;

typedef struct program {
  example_about about;
  elastica_joint_def (*joint)(void);
  const sample *published;
  int samples;
  double tolerance;                                      /* [m] tolerance of the tip */
  double certified;                                      /* [s] duration of the run for --certify */
  double full_step;                                      /* [s] published */
  int runs;                                              /* number of runs, including those of judge */
  void (*judge)(example *e, const rig *r, double until); /* checks of this joint only */
  int plane[2];                                          /* axes of the drawn path */
} program;

/* ---- The rig ---- */

static elastica_status pull(void *user, double time, double force[3], double couple[3]) {
  const double angle = acos(-1) / 2 * (time - SWITCH);
  (void)user, (void)couple;
  force[X] = time < SWITCH ? 0 : FORCE * cos(angle);
  force[Z] = time < SWITCH ? -2 * FORCE : FORCE * sin(angle);
  return ELASTICA_OK;
}

static elastica_rod *add_rod(example *e, elastica_world *world, const plan *p, double y) {
  const double modulus = YOUNGS_MODULUS * (p->stiffer > 0 ? p->stiffer : 1);
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = p->n;
  def.start[Y] = y;
  def.start[Z] = LENGTH;
  def.direction[Y] = -1, def.direction[Z] = 0;
  def.normal[X] = def.normal[Y] = 0, def.normal[Z] = 1;
  def.length = LENGTH;
  def.radius = RADIUS;
  def.density = DENSITY;
  def.youngs_modulus = modulus;
  def.shear_modulus = 2 * modulus / 3; /* as in all of the authors' programs */
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));

  elastica_dissipation_def friction;
  elastica_dissipation_def_init(&friction, sizeof friction);
  friction.translation = DAMPING;
  friction.rotation = SPIN_DAMPING;
  example_require(e, world, elastica_add_dissipation(world, rod, &friction, NULL));
  return rod;
}

static elastica_joint_def joint_of(elastica_joint_kind kind) {
  elastica_joint_def joint;
  elastica_joint_def_init(&joint, sizeof joint);
  joint.kind = kind;
  joint.stiffness = STIFFNESS;
  if (kind != ELASTICA_JOINT_BALL) joint.angular_stiffness = ANGULAR_STIFFNESS;
  return joint;
}

static void build(example *e, rig *r, const plan *p) {
  elastica_joint_def joint = p->joint;
  elastica_world *world = example_papers_world(e);
  *r = (rig){.world = world, .n = p->n};
  for (int k = 0; k < 2; k++) r->rod[k] = add_rod(e, world, p, k == 0 ? LENGTH : 0);
  for (int end = 0; end < 2; end++) {
    elastica_boundary_def held;
    elastica_boundary_def_init(&held, sizeof held);
    held.kind = ELASTICA_BOUNDARY_PIN;
    held.node = -end;
    example_require(e, world, elastica_add_boundary(world, r->rod[0], &held, NULL));
  }
  joint.first = (elastica_anchor){.rod = r->rod[0], .element = -1, .share = 1};
  joint.second = (elastica_anchor){.rod = r->rod[1]};
  example_require(e, world, elastica_add_joint(world, &joint, &r->joint));

  elastica_point_load_def load;
  elastica_point_load_def_init(&load, sizeof load);
  load.function = pull;
  example_require(e, world, elastica_add_point_load(world, r->rod[1], &load, NULL));
}

static void record(example *e, rig *r, elastica_csv *csv) {
  const elastica_rod_view *first = elastica_rod_get_view(r->rod[0]), *second = elastica_rod_get_view(r->rod[1]);
  double *tip = r->tip[r->frames], middle[3], square = 0, moved = 0;
  elastica_joint_info joint;
  example_require(e, r->world, elastica_joint_get(r->joint, &joint));
  for (int a = 0; a < 3; a++) {
    const double along = second->position[a][r->n] - second->position[a][0];
    const double straight = a == Y ? LENGTH * (1 - (double)(r->n / 2) / r->n) : a == Z ? LENGTH : 0;
    tip[a] = second->position[a][r->n];
    middle[a] = first->position[a][r->n / 2];
    square += along * along;
    moved += (middle[a] - straight) * (middle[a] - straight);
  }
  r->gap = fmax(r->gap, joint.gap);
  r->off_length = fmax(r->off_length, fabs(sqrt(square) - LENGTH));
  r->bow = fmax(r->bow, sqrt(moved));
  example_row(e, csv, elastica_world_get(r->world).time, tip[X], tip[Y], tip[Z], joint.gap, middle[X], middle[Z]);
}

/* Builds the rig, follows it, and closes its world. */
static void run(example *e, rig *r, const plan *p) {
  char file[64];
  build(e, r, p);
  snprintf(file, sizeof file, "%s.csv", p->name ? p->name : "");
  elastica_csv *csv = p->name ? example_csv(e, file) : NULL;
  elastica_vtk *vtk = p->name ? example_vtk(e, r->world, p->name) : NULL;
  const int frames = (int)lround(p->until / FRAME);
  for (r->frames = 0;; r->frames++) {
    if (r->frames > 0) {
      example_advance(e, r->world, r->frames * FRAME);
      example_worked(e, FRAME);
    }
    record(e, r, csv);
    if (r->frames % 5 == 0) output_frame(&e->output, r->world, vtk);
    if (r->frames == frames) break;
  }
  example_done(e, r->world);
}

/* The largest distance of a coordinate of the tip from a value [m], over all frames. */
static double farthest(const rig *r, int axis, double from) {
  double largest = 0;
  for (int k = 0; k <= r->frames; k++) largest = fmax(largest, fabs(r->tip[k][axis] - from));
  return largest;
}

/* ---- Fixed: both rods act like a single rod, and rod 2 wobbles ----
 *
 * The authors' program turns the first edge of rod 2 towards the last edge of rod 1 by a spring across its second node, 5e3 N/m, and does
 * not resist twist: 2 N m/rad between these edges. The library's joint is between the ends of the rods, in series with the half of an
 * edge on either side, and resists twist as well; its stiffness makes bending between the two edges as stiff as theirs.
 */

static const sample FIXED_TIP[] = {
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

static elastica_joint_def fixed(void) {
  const double edge = LENGTH / ELEMENTS, bend = YOUNGS_MODULUS * acos(-1) / 4 * pow(RADIUS, 4);
  elastica_joint_def joint = joint_of(ELASTICA_JOINT_FIXED);
  joint.angular_stiffness = 1 / (1 / ANGULAR_STIFFNESS - edge / bend);
  return joint;
}

/* The authors' bounds of the wobble are |x| <= 0.970 mm and |z - 200 mm| <= 1.949 mm; here a fifth to a quarter more. The tolerance of
 * the tip is a tenth of the largest wobble: its phase after many periods depends on details. */
static void judge_fixed(example *e, const rig *r, double until) {
  (void)until;
  example_check(e, farthest(r, X, 0), 0, 1.2e-3, "largest_x");
  example_check(e, farthest(r, Z, LENGTH), 0, 2.4e-3, "largest_z_off_0.2");
  example_check(e, farthest(r, Y, -LENGTH), 0, 2e-5, "largest_y_off_-0.2");
}

/* ---- Hinge: rod 2 swings in a plane; the load has a component out of the plane ----
 *
 * The axis is along x and fixed in space: rod 2 stays in the plane y, z. The authors' program turns the first edge L of rod 2 by the
 * couple 5e3 N/m L x (-(L.h) h) with the axis h, applies the opposite couple to rod 1, and does not resist twist. The library's hinge
 * with the axis in the world turns the first frame of rod 2 by kappa times its angle, with the same stiffness of 2 N m/rad, resists
 * twist as well, and is a guide: no couple acts on rod 1. Rod 2 swings equally within the tolerance; rod 1 stays straight, but in the
 * authors' program its middle moves by up to 0.1 mm. Rod 1, held only at its end nodes, can roll about its line. An axis fixed to rod 1
 * would roll with it as soon as rod 2 is pushed sideways, and the tip would move nearly as on a ball joint.
 */

static const sample HINGE_TIP[] = {
    {0.1, {0, -0.199981, 0.197234}},         {0.2, {0, -0.199706, 0.189157}},       {0.5, {0.000457, -0.196164, 0.161018}},
    {1, {0.000243, -0.192859, 0.147033}},    {2, {-0.000335, -0.184678, 0.276772}}, {3, {-0.000114, -0.082085, 0.382378}},
    {4, {0.000367, -0.052523, 0.392980}},    {5, {-0.000001, -0.045846, 0.394675}}, {6, {-0.000191, -0.004805, 0.399942}},
    {7, {-0.000178, 0.035026, 0.396909}},    {8, {0.000346, 0.096288, 0.375295}},   {9, {0.000056, 0.138924, 0.343876}},
    {9.98, {-0.000300, 0.072785, 0.386286}},
};

static elastica_joint_def hinge(void) {
  elastica_joint_def joint = joint_of(ELASTICA_JOINT_HINGE);
  memcpy(joint.axis, (const double[3]){1, 0, 0}, sizeof joint.axis);
  joint.axis_in_world = 1;
  return joint;
}

static void judge_hinge(example *e, const rig *r, double until) {
  elastica_joint_def on_rod = hinge();
  rig carried;
  on_rod.axis_in_world = 0;
  run(e, &carried, &(plan){.n = ELEMENTS, .joint = on_rod, .until = until, .name = "carried"});
  example_check(e, farthest(r, X, 0), 0, 1e-3, "wobble_out_of_the_plane");
  for (int a = 0; a < 3; a++) example_inform(e, carried.tip[carried.frames][a], "carried_tip_%c_at_%gs", "xyz"[a], until);
  example_inform(e, farthest(&carried, X, 0), "carried_wobble_out_of_the_plane");
  example_check(e, carried.gap, 0, 1e-6, "carried_largest_gap");
  example_inform(e, carried.bow, "carried_middle_of_rod_1_moves");
}

/* ---- Ball: rod 2 turns about every axis ----
 *
 * The library's ball joint with 1e5 N/m between the two end nodes is the authors' joint. With ten times their moduli the tip is also
 * compared with that of a rigid rod on a ball joint, integrated here; with their own moduli the difference is ten times as large.
 */

static const sample BALL_TIP[] = {
    {0.1, {0, -0.199981, 0.197234}},      {0.2, {0, -0.199706, 0.189157}},       {0.5, {0.011768, -0.195821, 0.161067}},
    {1, {0.068911, -0.180935, 0.149863}}, {2, {0.134088, -0.113050, 0.296125}},  {3, {-0.056568, -0.012395, 0.391433}},
    {4, {-0.187763, 0.061472, 0.168913}}, {5, {0.050943, 0.054445, 0.014418}},   {6, {0.185411, -0.011141, 0.274154}},
    {8, {-0.013898, 0.020773, 0.001566}}, {10, {-0.199812, 0.000357, 0.208679}},
};

static elastica_joint_def ball(void) {
  return joint_of(ELASTICA_JOINT_BALL);
}

/* d'' of the direction d of a rigid rod, a unit vector: the part of F L/I across d, minus the drag, and the term that keeps d a unit
 * vector. Mass and drag of the rod are at its nodes, so that both moments are larger by 1 + 1/(2 n^2); the moment of its frames about a
 * diameter is added. first: the force still points down. */
static void accelerate(double time, int first, const double d[3], const double v[3], double a[3]) {
  const double area = acos(-1) * RADIUS * RADIUS, mass = DENSITY * area * LENGTH;
  const double lumped = (1 + 0.5 / (ELEMENTS * ELEMENTS)) * LENGTH * LENGTH / 3;
  const double inertia = mass * (lumped + RADIUS * RADIUS / 4), drag = LENGTH * (DAMPING * lumped + SPIN_DAMPING) / inertia;
  const double angle = acos(-1) / 2 * (time - SWITCH), force = FORCE * LENGTH / inertia;
  const double push[3] = {first ? 0 : force * cos(angle), 0, first ? -2 * force : force * sin(angle)};
  const double along = push[X] * d[X] + push[Y] * d[Y] + push[Z] * d[Z], square = v[X] * v[X] + v[Y] * v[Y] + v[Z] * v[Z];
  for (int k = 0; k < 3; k++) a[k] = push[k] - (along + square) * d[k] - drag * v[k];
}

/* One step of Runge and Kutta's method of fourth order. */
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
static double off_rigid(const rig *r) {
  enum { SUBSTEPS = 100 };
  const int jump = (int)lround(SWITCH / FRAME); /* the frame at which the force is discontinuous */
  double d[3] = {0, -1, 0}, v[3] = {0}, largest = 0;
  for (int k = 1; k <= r->frames; k++) {
    const double dt = FRAME / SUBSTEPS, *tip = r->tip[k];
    for (int s = 0; s < SUBSTEPS; s++) turn(((k - 1) * SUBSTEPS + s) * dt, dt, k <= jump, d, v);
    const double x = tip[X] - LENGTH * d[X], y = tip[Y] - LENGTH * d[Y], z = tip[Z] - LENGTH * (1 + d[Z]);
    largest = fmax(largest, sqrt(x * x + y * y + z * z));
  }
  return largest;
}

static void judge_ball(example *e, const rig *r, double until) {
  rig stiff;
  example_inform(e, off_rigid(r), "tip_off_a_rigid_rod");
  e->dt /= 4; /* the limit falls with the root of the moduli */
  run(e, &stiff, &(plan){.n = ELEMENTS, .joint = ball(), .until = until, .stiffer = 10});
  example_check(e, off_rigid(&stiff), 0, 1e-3 * LENGTH, "10E_tip_off_a_rigid_rod");
  example_check(e, r->off_length, 0, 1e-5, "wobble_of_the_length");
}

/* ---- The programs ---- */

#define CURVES(name, help)                                                                                                                 \
  {                                                                                                                                        \
    name ".csv", "time [s],tip x [m],tip y [m],tip z [m],gap of the joint [m],x of the middle of rod 1 [m],z of the middle of rod 1 [m]",  \
        help ", one row for each frame", FILE_ALWAYS                                                                                       \
  }
#define PUBLISHED                                                                                                                          \
  { "published.csv", "time [s],tip x [m],tip y [m],tip z [m]", "values of the authors' program", FILE_ALWAYS }
static const example_file FIXED_FILES[] = {
    CURVES("fixed_joint", "the rig"), PUBLISHED, {"fixed_joint.pvd", NULL, "both rods", FILE_ALWAYS}};
static const example_file HINGE_FILES[] = {CURVES("hinge_joint", "the rig with the axis in the world"),
                                           CURVES("carried", "the rig with the axis carried by rod 1"),
                                           PUBLISHED,
                                           {"hinge_joint.pvd", NULL, "both rods, with the axis in the world", FILE_ALWAYS},
                                           {"carried.pvd", NULL, "both rods, with the axis carried by rod 1", FILE_ALWAYS}};
static const example_file BALL_FILES[] = {
    CURVES("spherical_joint", "the rig"), PUBLISHED, {"spherical_joint.pvd", NULL, "both rods", FILE_ALWAYS}};

static void certified_case(example *e, int n);

enum { FIXED, HINGE, BALL }; /* PROGRAM, defined by the build, is one of these */

#define COUNT(list) (sizeof(list) / sizeof *(list))
static const program programs[] = {
    [FIXED] = {.about = {.name = "fixed_joint",
                         .script = "joints",
                         .title = "two rods in line, led by a turning force (Zhang et al. 2019)",
                         .quick = "2 s of the motion; under 1 s",
                         .normal = "10 s of the motion; 1 s",
                         .full = "the same with the published step of 0.5 us; 2 min",
                         .certified = {certified_case, ELEMENTS, "the tip after 0.2 s; 1 s", NULL},
                         .files = FIXED_FILES,
                         .file_count = COUNT(FIXED_FILES)},
               .joint = fixed,
               .published = FIXED_TIP,
               .samples = COUNT(FIXED_TIP),
               .tolerance = 2e-4,
               .certified = 0.2,
               .full_step = 0.5e-6,
               .runs = 1,
               .judge = judge_fixed,
               .plane = {X, Z}},
    [HINGE] = {.about = {.name = "hinge_joint",
                         .script = "joints",
                         .title = "two rods on a hinge, led by a turning force (Zhang et al. 2019)",
                         .quick = "2 s of the motion; under 1 s",
                         .normal = "10 s of the motion, with the axis in the world and carried by rod 1; 2 s",
                         .full = "the same with the published step of 0.5 us; 3 min",
                         .certified = {certified_case, ELEMENTS, "the tip after 1 s; 2 s", NULL},
                         .files = HINGE_FILES,
                         .file_count = COUNT(HINGE_FILES)},
               .joint = hinge,
               .published = HINGE_TIP,
               .samples = COUNT(HINGE_TIP),
               .tolerance = 2e-3,
               .certified = 1,
               .full_step = 0.5e-6,
               .runs = 2,
               .judge = judge_hinge,
               .plane = {Y, Z}},
    [BALL] = {.about = {.name = "spherical_joint",
                        .script = "joints",
                        .title = "two rods on a ball joint, led by a turning force (Zhang et al. 2019)",
                        .quick = "2 s of the motion; under 1 s",
                        .normal = "10 s of the motion, also with ten times the moduli; 3 s",
                        .full = "10 s with the published step of 1 us; 2 min",
                        .certified = {certified_case, ELEMENTS, "the tip after 1 s; 2 s", NULL},
                        .files = BALL_FILES,
                        .file_count = COUNT(BALL_FILES)},
              .joint = ball,
              .published = BALL_TIP,
              .samples = COUNT(BALL_TIP),
              .tolerance = 2e-3,
              .certified = 1,
              .full_step = 1e-6,
              .runs = 2,
              .judge = judge_ball,
              .plane = {X, Z}},
};

static const program *const chosen = &programs[PROGRAM];

static void certified_case(example *e, int n) {
  rig r;
  run(e, &r, &(plan){.n = n, .joint = chosen->joint(), .until = chosen->certified});
  for (int a = 0; a < 3; a++) example_inform(e, r.tip[r.frames][a], "tip_%c_at_%gs", "xyz"[a], chosen -> certified);
}

/* Checks the tip against the published samples, up to the end of the run. */
static void compare(example *e, const rig *r) {
  for (int k = 0; k < chosen->samples; k++) {
    const sample *s = &chosen->published[k];
    const int frame = (int)lround(s->time / FRAME);
    if (frame > r->frames) return;
    for (int a = 0; a < 3; a++) example_check(e, r->tip[frame][a], s->tip[a], chosen->tolerance, "tip_%c_at_%gs", "xyz"[a], s -> time);
  }
}

/* The path of the tip in a plane, its coordinates against time, and the joint's own graph. */
static void draw(example *e) {
  char definitions[64];
  const int *plane = chosen->plane;
  elastica_csv *csv = example_csv(e, "published.csv");
  for (const sample *s = chosen->published; s < chosen->published + chosen->samples; s++)
    example_row(e, csv, s->time, s->tip[X], s->tip[Y], s->tip[Z]);
  snprintf(definitions, sizeof definitions, "name = '%s'\nplane = '%d %d'\n", chosen->about.name, plane[0] + 1, plane[1] + 1);
  example_plot(e, 1700, 620, definitions, "two rods, n = %d each", ELEMENTS);
}

int main(int argc, char **argv) {
  example e;
  rig r;
  example_begin(&e, &chosen->about, argc, argv);
  const double until = e.options.mode == EXAMPLE_QUICK ? 2 : 10;
  if (e.options.mode == EXAMPLE_FULL && e.dt <= 0) e.dt = chosen->full_step;
  example_expect(&e, chosen->runs * until);
  run(&e, &r, &(plan){.n = ELEMENTS, .joint = chosen->joint(), .until = until, .name = chosen->about.name});
  compare(&e, &r);
  chosen->judge(&e, &r, until);
  example_check(&e, r.gap, 0, 1e-6, "largest_gap");
  example_inform(&e, r.bow, "middle_of_rod_1_moves");
  draw(&e);
  return example_end(&e);
}
