/* Pulling muscle: a muscle between two tendons periodically pulls two hanging links together.
 *
 * source    Zhang et al. 2019, "Modeling and simulation of complex dynamic musculoskeletal architectures", the toy case of their program
 * claim     the links follow the muscle as it shortens and lengthens
 * settings  those of the authors' program in SI. Each link hangs along -z from a pin and can turn freely; the muscle lies between their
 *           nodes 6, on ball joints of 1e5 N/m. Its tension 2 N |sin(pi t)| acts along the edges of its elements 3 to 6, in addition to
 *           their elastic force. Neither gravity nor contact
 * compared  with the distance of the two joints in the authors' program; with the stretch 0.6936 of its muscle at 0.5 s, and with the
 *           static stretch at that time, E A (1/e - 1) = 2 N, within the same tolerance, as the muscle still moves
 */
#include "common/example.h"
#include <math.h>

enum { ELEMENTS = 10, TIED = 6, FIRST = 3, LAST = 6, FRAMES = 1000, SECOND = 100, HALF = 50 }; /* frames in total, in 1 s, in 0.5 s */

static const double LENGTH = 0.2, HEIGHT = 0.3, FRAME = 0.01;      /* [m] [m] [s] */
static const double TENSION = 2, STIFFNESS = 1e5;                  /* [N] [N/m] */
static const double MUSCLE_RADIUS = 12e-3, TENDON_RADIUS = 6e-3;   /* [m] */
static const double MUSCLE_MODULUS = 10e3, TENDON_MODULUS = 500e6; /* [Pa] */

/* Time and distance of the two joints [s] [m]. */
static const double PUBLISHED[][2] = {{0.1, 0.189538}, {0.2, 0.184063},  {0.25, 0.180541}, {0.3, 0.179440},
                                      {0.5, 0.175486}, {0.75, 0.180747}, {1, 0.199130},    {1.25, 0.180016},
                                      {1.5, 0.175518}, {2, 0.199142},    {8, 0.199184}};
enum { SAMPLES = sizeof PUBLISHED / sizeof *PUBLISHED };

typedef struct body {
  elastica_world *world;
  const elastica_rod_view *link[2], *muscle;
  elastica_effect *joint[2];
  double distance[FRAMES + 1];          /* [m] of the joints at each frame */
  double stretch, length, radius, tips; /* after 0.5 s: of the muscle [1] [m] [m]; distance of the free ends of the links [m] */
  double gap, off_plane;                /* [m] largest at a frame */
} body;

static elastica_rod_def straight(double x, double y, double z) {
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = ELEMENTS;
  def.start[X] = x, def.start[Y] = y, def.start[Z] = z;
  def.normal[X] = 1, def.normal[Y] = def.normal[Z] = 0;
  def.length = LENGTH;
  return def;
}

static elastica_rod *add(example *e, elastica_world *world, const elastica_rod_def *def, double damping) {
  elastica_rod *rod = NULL;
  elastica_dissipation_def friction;
  elastica_dissipation_def_init(&friction, sizeof friction);
  friction.translation = damping;
  friction.rotation = 1e-6 * damping; /* a single number in millimetres and grams */
  example_require(e, world, elastica_world_add_rod(world, def, &rod));
  example_require(e, world, elastica_add_dissipation(world, rod, &friction, NULL));
  return rod;
}

static elastica_rod *add_link(example *e, elastica_world *world, double y) {
  elastica_rod_def def = straight(0, y, HEIGHT);
  elastica_boundary_def held;
  def.direction[Z] = -1;
  def.radius = 7e-3;
  def.density = 1750;
  def.youngs_modulus = 30e6;
  def.shear_modulus = 20e6;
  elastica_rod *rod = add(e, world, &def, 0.1);
  elastica_boundary_def_init(&held, sizeof held);
  held.kind = ELASTICA_BOUNDARY_PIN;
  example_require(e, world, elastica_add_boundary(world, rod, &held, NULL));
  return rod;
}

static elastica_status activate(void *user, double time, double x, double *activation) {
  (void)user, (void)x;
  *activation = fabs(sin(acos(-1) * time));
  return ELASTICA_OK;
}

/* Two tendons with a muscle between them. */
static elastica_rod *add_muscle(example *e, elastica_world *world) {
  double radius[ELEMENTS], modulus[ELEMENTS], shear[ELEMENTS];
  elastica_rod_def def = straight(0, LENGTH, HEIGHT - LENGTH * TIED / ELEMENTS);
  for (int j = 0; j < ELEMENTS; j++) {
    const int muscle = j >= FIRST && j <= LAST;
    radius[j] = muscle ? MUSCLE_RADIUS : TENDON_RADIUS;
    modulus[j] = muscle ? MUSCLE_MODULUS : TENDON_MODULUS;
    shear[j] = 2 * modulus[j] / 3;
  }
  def.direction[Y] = -1, def.direction[Z] = 0;
  def.element_radius = radius;
  def.density = 1060;
  def.element_youngs_modulus = modulus;
  def.element_shear_modulus = shear;
  elastica_rod *rod = add(e, world, &def, 10);

  elastica_contraction_def tension;
  elastica_contraction_def_init(&tension, sizeof tension);
  tension.first = FIRST, tension.last = LAST;
  tension.maximum_force = TENSION;
  tension.function = activate;
  example_require(e, world, elastica_add_contraction(world, rod, &tension, NULL));
  return rod;
}

static void build(example *e, body *b) {
  elastica_world *world = example_papers_world(e);
  elastica_rod *link[2] = {add_link(e, world, LENGTH), add_link(e, world, 0)}, *muscle = add_muscle(e, world);
  *b = (body){.world = world, .muscle = elastica_rod_get_view(muscle)};
  for (int k = 0; k < 2; k++) {
    elastica_joint_def joint;
    elastica_joint_def_init(&joint, sizeof joint);
    joint.first = (elastica_anchor){.rod = link[k], .element = TIED};
    joint.second = (elastica_anchor){.rod = muscle, .element = -k, .share = k};
    joint.stiffness = STIFFNESS;
    example_require(e, world, elastica_add_joint(world, &joint, &b->joint[k]));
    b->link[k] = elastica_rod_get_view(link[k]);
  }
}

static double apart(const elastica_rod_view *a, int i, const elastica_rod_view *b, int j) {
  double square = 0;
  for (int k = 0; k < 3; k++) square += (a->position[k][i] - b->position[k][j]) * (a->position[k][i] - b->position[k][j]);
  return sqrt(square);
}

static void record(example *e, body *b, int frame, elastica_csv *csv) {
  const elastica_rod_view *rods[] = {b->link[0], b->link[1], b->muscle};
  const double length = apart(b->muscle, FIRST, b->muscle, LAST + 1);
  double stretch = 0;
  b->distance[frame] = apart(b->link[0], TIED, b->link[1], TIED);
  for (int j = FIRST; j <= LAST; j++) stretch += b->muscle->dilatation[j] / (LAST - FIRST + 1);
  for (int k = 0; k < 2; k++) {
    elastica_joint_info joint;
    example_require(e, b->world, elastica_joint_get(b->joint[k], &joint));
    b->gap = fmax(b->gap, joint.gap);
  }
  for (int r = 0; r < 3; r++)
    for (int i = 0; i <= ELEMENTS; i++) b->off_plane = fmax(b->off_plane, fabs(rods[r]->position[X][i]));
  if (frame == HALF) {
    b->stretch = stretch;
    b->length = length;
    b->tips = apart(b->link[0], ELEMENTS, b->link[1], ELEMENTS);
    for (int j = FIRST; j <= LAST; j++) b->radius += elastica_rod_radius(b->muscle, j) / (LAST - FIRST + 1);
  }
  example_row(e, csv, frame * FRAME, b->distance[frame], length, stretch, TENSION * fabs(sin(acos(-1) * frame * FRAME)));
}

static void pull(example *e, body *b, int frames) {
  build(e, b);
  elastica_csv *csv = example_csv(e, "pulling_muscle.csv");
  elastica_vtk *vtk = example_vtk(e, b->world, "pulling_muscle");
  for (int frame = 0; frame <= frames; frame++) {
    if (frame > 0) {
      example_advance(e, b->world, frame * FRAME);
      example_worked(e, FRAME);
    }
    record(e, b, frame, csv);
    if (frame % 10 == 0) output_frame(&e->output, b->world, vtk);
  }
  example_done(e, b->world);
}

static void compare(example *e, const body *b, int frames) {
  for (int k = 0; k < SAMPLES; k++) {
    const int frame = (int)lround(PUBLISHED[k][0] / FRAME);
    if (frame <= frames) example_check(e, b->distance[frame], PUBLISHED[k][1], 1e-3, "distance_at_%gs", PUBLISHED[k][0]);
  }
  example_check(e, b->stretch, 0.6936, 3e-3, "stretch_of_the_muscle_at_0.5s");
  example_check(e, b->length, 55.49e-3, 1e-3, "length_of_the_muscle_at_0.5s");
  example_check(e, b->radius, 14.41e-3, 0.05e-3, "radius_of_the_muscle_at_0.5s");
  example_check(e, b->tips, 159.15e-3, 1e-3, "distance_of_the_tips_at_0.5s");
  example_check(e, b->stretch, 1 / (1 + TENSION / (MUSCLE_MODULUS * acos(-1) * MUSCLE_RADIUS * MUSCLE_RADIUS)), 3e-3,
                "stretch_of_the_statics_at_0.5s");
  example_check(e, b->off_plane, 0, 1e-9, "out_of_the_plane");
  example_inform(e, b->gap, "largest_gap");
}

/* Over the last second: the links come closest before the tension is highest, and are farthest apart after it has vanished. Of the
 * authors' samples only the extremes are known, 175.456 and 199.184 mm, the latter at 8 s. They omitted these moments. */
static void inform_of_extremes(example *e, const body *b, int frames) {
  double least = INFINITY, most = 0;
  for (int k = frames - SECOND; k <= frames; k++) {
    least = fmin(least, b->distance[k]);
    most = fmax(most, b->distance[k]);
  }
  example_inform(e, least, "least_distance_in_the_last_second");
  example_inform(e, most, "largest_distance_in_the_last_second");
}

static void draw(example *e) {
  elastica_csv *csv = example_csv(e, "published.csv");
  for (int k = 0; k < SAMPLES; k++) example_row(e, csv, PUBLISHED[k][0], PUBLISHED[k][1]);
  example_plot(e, 1500, 620, NULL, "three rods, n = %d each", ELEMENTS);
}

int main(int argc, char **argv) {
  static const example_file files[] = {
      {"pulling_muscle.csv", "time [s],distance of the joints [m],length of the muscle [m],mean stretch of the muscle [1],tension [N]",
       "one row for each frame", FILE_ALWAYS},
      {"published.csv", "time [s],distance of the joints [m]", "values of the authors' program", FILE_ALWAYS},
      {"pulling_muscle.pvd", NULL, "links and muscle", FILE_ALWAYS}};
  const example_about about = {.name = "pulling_muscle",
                               .title = "a muscle pulls two hanging links together (Zhang et al. 2019)",
                               .quick = "1 s of the motion; 1 s",
                               .normal = "10 s of the motion; 9 s",
                               .full = "10 s with the published step of 1 us; 1 min",
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  example e;
  body b;
  example_begin(&e, &about, argc, argv);
  const int frames = e.options.mode == EXAMPLE_QUICK ? SECOND : FRAMES;
  if (e.options.mode == EXAMPLE_FULL && e.dt <= 0) e.dt = 1e-6;
  example_expect(&e, frames * FRAME);
  pull(&e, &b, frames);
  compare(&e, &b, frames);
  if (frames > SECOND) inform_of_extremes(&e, &b, frames);
  draw(&e);
  return example_end(&e);
}
