/* Hair: strands of thirty segments, rooted in a ball as the head, are combed back by a slanted weight, hang, and swing when the head
 * nods.
 *
 * source    our own scene; a strand represents a wisp of 100 hairs, after the wisps of computer animation. A hair is of radius 40 um,
 *           1300 kg/m^3 and 4 GPa; a wisp has the mass of its hairs and, since these slide along each other, the sum of their bending
 *           stiffnesses
 * claim     a head of hair is simulated with rods: roots follow the head, no strand penetrates it, lengths are preserved, and strands
 *           hang in their equilibrium
 * compared  a strand clamped horizontally under its weight: with the elastica of the continuum, integrated independently of the library;
 *           roots, overlaps and lengths: with bounds, at every frame; strands without contact at the end: with the equilibrium of each
 *           strand alone, found by relaxation
 *
 * For speed, as in an animation, the stretch stiffness is 0.3 N instead of the 2000 N of 100 hairs, so that strands still lengthen by
 * less than a hundredth, and the shear stiffness is 0.1 N; frames have 8 times their rotary inertia. These changes do not affect
 * bending. Layers on strands and head are as soft as possible for the fastest strand to stay outside. The step is the certified step.
 */
#include "common/example.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENTS = 30, MOST = 1000, MOST_POINTS = 60000, FRAMES_PER_SECOND = 50 };
static const double HEAD = 0.09, LENGTH = 0.18, RADIUS = 2e-3; /* [m] */
static const double HAIRS = 100, HAIR_RADIUS = 40e-6, HAIR_DENSITY = 1300, HAIR_MODULUS = 4e9;
static const double STRETCH = 0.3, SHEAR = 0.1, INERTIA = 8;       /* [N] [N] [1] */
static const double DRAG = 1.3e-2, SPIN_DRAG = 8e-9;               /* [kg/(m s)] [kg m/s]: air and friction inside a wisp */
static const double LAYER = 400, SCALP = 2e3, FRICTION = 0.3;      /* [Pa] [Pa] [1] */
static const double AREA = 38e-6, LEAN = 0.6;                      /* [m^2] of the scalp per strand; direction of the roots, backwards */
static const double WEIGHT = 9.81, SLANT = 1.0;                    /* [m/s^2] [rad] of the slanted weight */
static const double PIVOT = -0.12, NOD = 0.3, PERIOD = 0.5;        /* [m] height of the neck [rad] [s] */
static const double COMBED = 0.4, HUNG = 0.7, NODS = 2, END = 2.8; /* [s] */

typedef struct hair {
  elastica_world *world;
  elastica_rod *strands[MOST];
  elastica_effect *gravity, *head, *contact;
  int count;
  double nodding;                        /* [s] start of the motion of the head; infinite: never */
  double sunk, overlap, longest, astray; /* the largest so far: [m] depth in the head; [m]; strain of a strand; [m] error of a root */
  double stretched;                      /* present value of longest */
} hair;

static elastica_contact_point points[MOST_POINTS];

/* ---- The head ---- */

/* Angle [rad] about x, and its rate: a wave of NODS periods. */
static double nod(const hair *of, double time, double *rate) {
  const double since = time - of->nodding, omega = 2 * acos(-1) / PERIOD;
  *rate = 0;
  if (!(since > 0 && since < NODS * PERIOD)) return 0;
  *rate = NOD / 2 * omega * sin(omega * since);
  return NOD / 2 * (1 - cos(omega * since));
}

/* Turns the given pose, initially that of the root when it was added, about the pivot. */
static elastica_status follow_head(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  double rate;
  const double angle = nod(user, time, &rate), c = cos(angle), s = sin(angle), y = position[Y], z = position[Z] - PIVOT;
  position[Y] = c * y - s * z, position[Z] = PIVOT + s * y + c * z;
  velocity[X] = 0, velocity[Y] = -rate * (position[Z] - PIVOT), velocity[Z] = rate * position[Y];
  for (int k = 0; k < 3; k++) {
    double *d = director + 3 * k;
    const double dy = d[Y], dz = d[Z];
    d[Y] = c * dy - s * dz, d[Z] = s * dy + c * dz;
    omega[k] = rate * d[X];
  }
  return ELASTICA_OK;
}

static void add_head(const example *e, hair *of) {
  elastica_obstacle_def def;
  elastica_obstacle_def_init(&def, sizeof def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC;
  def.shape = ELASTICA_SHAPE_SPHERE, def.radius = HEAD;
  def.motion = follow_head, def.user = of;
  def.modulus = SCALP, def.damping = 0.2, def.friction = FRICTION, def.tangential_damping = 0.2;
  def.damping_ratio = def.tangential_damping_ratio = 0.0;
  example_require(e, of->world, elastica_add_obstacle(of->world, NULL, &def, &of->head));
}

/* ---- Strands ---- */

static double mass_per_length(void) {
  return HAIRS * HAIR_DENSITY * acos(-1) * HAIR_RADIUS * HAIR_RADIUS;
}

static double bending(void) {
  return HAIRS * HAIR_MODULUS * acos(-1) / 4 * pow(HAIR_RADIUS, 4);
}

static elastica_rod *add_strand(const example *e, elastica_world *world, const double root[3], const double direction[3],
                                const double *position) {
  static double stretch[3 * SEGMENTS], bend[3 * SEGMENTS], rest[SEGMENTS];
  elastica_rod *strand = NULL;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  for (int j = 0; j < SEGMENTS; j++) {
    rest[j] = LENGTH / SEGMENTS;
    for (int k = 0; k < 3; k++) stretch[3 * j + k] = k == 2 ? STRETCH : SHEAR, bend[3 * j + k] = bending();
  }
  def.element_count = SEGMENTS, def.length = LENGTH, def.radius = RADIUS, def.rotary_inertia_scale = INERTIA;
  def.density = mass_per_length() / (acos(-1) * RADIUS * RADIUS);
  def.shear_stiffness = stretch, def.bend_stiffness = bend;
  if (position != NULL) def.position = position, def.rest_length = rest;
  memcpy(def.start, root, sizeof def.start);
  memcpy(def.direction, direction, sizeof def.direction);
  example_require(e, world, elastica_world_add_rod(world, &def, &strand));
  return strand;
}

static void hold_root(const example *e, elastica_world *world, elastica_rod *strand, const double root[3], hair *of) {
  elastica_boundary_def def;
  elastica_boundary_def_init(&def, sizeof def);
  memcpy(def.position, root, sizeof def.position);
  if (of != NULL) def.motion = follow_head, def.user = of;
  example_require(e, world, elastica_add_boundary(world, strand, &def, NULL));
}

/* Root k, on a spiral of equal areas about the top, and its direction: outwards, and back, towards y. Number 0 is a separate horizontal
 * strand at the temple. */
static void root_of(int k, double root[3], double direction[3]) {
  const double pi = acos(-1), golden = pi * (3 - sqrt(5)), z = 1 - k * AREA / (2 * pi * HEAD * HEAD), across = sqrt(1 - z * z);
  const double normal[3] = {across * cos(golden * k), across * sin(golden * k), z}, temple[3] = {1, 0, 0};
  for (int a = 0; a < 3; a++) {
    direction[a] = k == 0 ? temple[a] : normal[a];
    root[a] = (HEAD + 1.5 * RADIUS) * direction[a];
  }
  if (k > 0) direction[Y] += LEAN;
}

static void set_weight(const example *e, const hair *of, double slant) {
  const double weight[3] = {0, WEIGHT * sin(slant), -WEIGHT * cos(slant)};
  example_require(e, of->world, elastica_gravity_set(of->gravity, weight));
}

static void grow(example *e, hair *of, int count) {
  memset(of, 0, sizeof *of);
  of->world = example_world(e);
  of->count = count;
  of->nodding = HUNG;
  for (int k = 0; k < count; k++) {
    double root[3], direction[3];
    root_of(k, root, direction);
    of->strands[k] = add_strand(e, of->world, root, direction, NULL);
    hold_root(e, of->world, of->strands[k], root, of);
    elastica_dissipation_def drag;
    elastica_dissipation_def_init(&drag, sizeof drag);
    drag.translation = DRAG, drag.rotation = SPIN_DRAG;
    example_require(e, of->world, elastica_add_dissipation(of->world, of->strands[k], &drag, NULL));
  }
  elastica_contact_def contact;
  elastica_contact_def_init(&contact, sizeof contact);
  contact.modulus = LAYER, contact.damping = contact.tangential_damping = 0.05, contact.friction = FRICTION;
  example_require(e, of->world, elastica_add_gravity(of->world, (const double[3]){0, 0, -WEIGHT}, &of->gravity));
  add_head(e, of);
  example_require(e, of->world, elastica_add_contact(of->world, NULL, &contact, &of->contact));
  set_weight(e, of, SLANT);
}

/* ---- The motion of the head ---- */

static double length_of(const elastica_rod_view *view) {
  double sum = 0;
  for (int j = 0; j < SEGMENTS; j++) sum += view->length[j];
  return sum;
}

static void look(example *e, hair *of, elastica_csv *csv) {
  const double time = elastica_world_get(of->world).time;
  double rate, fastest = 0, overlap = 0;
  double deepest = 0;
  int count, on_head;
  example_require(e, of->world, elastica_contact_get(of->head, points, MOST_POINTS, &on_head));
  for (int k = 0; k < on_head && k < MOST_POINTS; k++) deepest = fmax(deepest, points[k].depth);
  example_require(e, of->world, elastica_contact_get(of->contact, points, MOST_POINTS, &count));
  for (int k = 0; k < count && k < MOST_POINTS; k++) overlap = fmax(overlap, points[k].depth);
  of->stretched = 0;
  for (int k = 0; k < of->count; k++) {
    const elastica_rod_view *view = elastica_rod_get_view(of->strands[k]);
    double root[3], direction[3], velocity[3], frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, omega[3], off = 0;
    example_require(e, of->world, elastica_rod_refresh(of->strands[k]));
    root_of(k, root, direction);
    (void)follow_head(of, time, root, velocity, frame, omega);
    for (int a = 0; a < 3; a++) off = fmax(off, fabs(view->position[a][0] - root[a]));
    of->astray = fmax(of->astray, off);
    of->stretched = fmax(of->stretched, fabs(length_of(view) / LENGTH - 1));
    fastest = fmax(fastest, example_speed(of->strands[k]));
  }
  of->sunk = fmax(of->sunk, deepest);
  of->overlap = fmax(of->overlap, overlap);
  of->longest = fmax(of->longest, of->stretched);
  example_row(e, csv, time, nod(of, time, &rate), deepest / HEAD, overlap / RADIUS, of->stretched, fastest, count, on_head);
}

/* ---- Single strands ---- */

/* The tip of the elastica of the continuum, clamped horizontally, under its weight w per length: B theta'' = w (L - s) cos theta,
 * theta(0) = 0, theta'(L) = 0, theta the angle below the horizontal. By a shooting method with Runge and Kutta's method. */
static double sag_of_continuum(double *reach) {
  enum { PARTS = 2000 };
  const double load = mass_per_length() * WEIGHT / bending(), h = LENGTH / PARTS;
  double low = 0, high = load * LENGTH * LENGTH, sag = 0;
  for (int round = 0; round < 100; round++) {
    double theta = 0, slope = (low + high) / 2, x = 0;
    sag = 0;
    for (int i = 0; i < PARTS; i++) {
      const double s = i * h, left = LENGTH - s, middle = left - h / 2;
      const double a1 = -load * left * cos(theta), t2 = theta + h / 2 * slope, v2 = slope + h / 2 * a1;
      const double a2 = -load * middle * cos(t2), t3 = theta + h / 2 * v2, v3 = slope + h / 2 * a2;
      const double a3 = -load * middle * cos(t3), t4 = theta + h * v3, v4 = slope + h * a3;
      const double a4 = -load * (left - h) * cos(t4);
      sag += h / 6 * (sin(theta) + 2 * sin(t2) + 2 * sin(t3) + sin(t4));
      x += h / 6 * (cos(theta) + 2 * cos(t2) + 2 * cos(t3) + cos(t4));
      theta += h / 6 * (slope + 2 * v2 + 2 * v3 + v4);
      slope += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    *(slope > 0 ? &high : &low) = (low + high) / 2;
    *reach = x;
  }
  return sag;
}

/* Relaxes a single strand from these positions, or straight; writes the position of its tip at rest. */
static void relax_alone(example *e, const double root[3], const double direction[3], const double *position, double tip[3]) {
  elastica_world *world = NULL;
  elastica_relax_result result;
  const elastica_status status = elastica_world_create(NULL, &world);
  if (status != ELASTICA_OK) fprintf(stderr, "hair: %s\n", elastica_status_text(status)), exit(3);
  elastica_rod *strand = add_strand(e, world, root, direction, NULL);
  hold_root(e, world, strand, root, NULL);
  if (position != NULL) example_require(e, world, elastica_rod_set_state(strand, position, NULL, NULL, NULL));
  example_require(e, world, elastica_add_gravity(world, (const double[3]){0, 0, -WEIGHT}, NULL));
  example_require(e, world, elastica_world_relax(world, NULL, &result));
  for (int a = 0; a < 3; a++) tip[a] = elastica_rod_get_view(strand)->position[a][SEGMENTS];
  elastica_world_destroy(world);
}

static void compare_level_strand(example *e) {
  double reach, tip[3];
  const double sag = sag_of_continuum(&reach);
  relax_alone(e, (const double[3]){0, 0, 0}, (const double[3]){0, 1, 0}, NULL, tip);
  example_check(e, -tip[Z] / LENGTH, sag / LENGTH, 0.01, "sag_of_a_level_strand_over_its_length");
  example_check(e, tip[Y] / LENGTH, reach / LENGTH, 0.01, "reach_of_a_level_strand_over_its_length");
}

/* Compares strands without contact with the equilibrium of each strand alone. */
static void compare_free_strands(example *e, hair *of) {
  static int touches[MOST];
  int count, free_strands = 0;
  double farthest = 0;
  memset(touches, 0, sizeof touches);
  example_require(e, of->world, elastica_contact_get(of->contact, points, MOST_POINTS, &count));
  for (int k = 0; k < count && k < MOST_POINTS; k++) touches[points[k].rod[0]] = touches[points[k].rod[1]] = 1;
  example_require(e, of->world, elastica_contact_get(of->head, points, MOST_POINTS, &count));
  for (int k = 0; k < count && k < MOST_POINTS; k++) touches[points[k].rod[0]] = 1;
  for (int k = 0; k < of->count; k++) {
    double root[3], direction[3], position[3 * (SEGMENTS + 1)], tip[3], off = 0;
    const elastica_rod_view *view = elastica_rod_get_view(of->strands[k]);
    if (touches[k]) continue;
    root_of(k, root, direction);
    for (int i = 0; i <= SEGMENTS; i++)
      for (int a = 0; a < 3; a++) position[component(i, a)] = view->position[a][i];
    relax_alone(e, root, direction, position, tip);
    for (int a = 0; a < 3; a++) off += (tip[a] - view->position[a][SEGMENTS]) * (tip[a] - view->position[a][SEGMENTS]);
    farthest = fmax(farthest, sqrt(off));
    free_strands++;
  }
  example_inform(e, free_strands, "strands_that_touch_nothing");
  if (free_strands > 0) example_check(e, farthest / LENGTH, 0, 0.02, "their_tips_off_their_equilibrium_over_length");
}

/* ---- The experiment ---- */

static void write_shape(example *e, const hair *of) {
  elastica_csv *csv = example_csv(e, "shape.csv");
  for (int k = 0; k < of->count; k++) {
    const elastica_rod_view *view = elastica_rod_get_view(of->strands[k]);
    for (int i = 0; i <= SEGMENTS; i++) example_row(e, csv, view->position[X][i], view->position[Y][i], view->position[Z][i]);
    example_row(e, csv, NAN, NAN, NAN);
  }
}

static void swing(example *e, int count, double end) {
  static hair of;
  grow(e, &of, count);
  elastica_csv *csv = example_csv(e, "hair.csv");
  elastica_vtk *vtk = example_vtk(e, of.world, "hair");
  const int frames = (int)(end * FRAMES_PER_SECOND + 0.5);
  look(e, &of, csv);
  for (int k = 1; k <= frames; k++) {
    const double time = (double)k / FRAMES_PER_SECOND;
    example_advance(e, of.world, time);
    if (k == (int)(COMBED * FRAMES_PER_SECOND)) set_weight(e, &of, 0);
    look(e, &of, csv);
    output_frame(&e->output, of.world, vtk);
    example_worked(e, 1);
  }
  example_check(e, of.astray / LENGTH, 0, 1e-9, "roots_off_the_head_over_length");
  example_check(e, of.sunk / HEAD, 0, 0.01, "deepest_in_the_head_over_its_radius");
  example_check(e, of.overlap / RADIUS, 0, 1, "deepest_overlap_of_strands_in_radii");
  example_check(e, of.longest, 0, 0.01, "largest_change_of_length");
  if (end == END) compare_free_strands(e, &of);
  example_inform(e, elastica_world_get(of.world).working_step, "step_in_s");
  write_shape(e, &of);
  example_done(e, of.world);
}

static const example_file FILES[] = {
    {"hair.csv",
     "time [s],nod [rad],deepest in the head [radii of it],deepest overlap [radii],strain of the most stretched [1],fastest [m/s],"
     "contacts [1],contacts with the head [1]",
     "the checked quantities, one row per frame", FILE_ALWAYS},
    {"shape.csv", "x [m],y [m],z [m]", "nodes at the end, strand by strand, with a row of nan between them", FILE_ALWAYS},
    {"hair.pvd", NULL, "the strands, each 20 ms", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "hair",
                               .title = "strands on a nodding head are combed, hang and swing",
                               .quick = "12 strands for 0.2 s; 1 s",
                               .normal = "24 strands of 30 segments for 2.8 s; 20 s",
                               .full = "1,000 strands of 30 segments for 2.8 s; 40 min, 4 GB of frames",
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL;
  const int count = quick ? 12 : full ? MOST : 24;
  const double end = quick ? 0.2 : END;
  example_expect(&e, end * FRAMES_PER_SECOND);
  compare_level_strand(&e);
  swing(&e, count, end);
  example_plot(&e, 1300, 560, NULL, "%d strands of %d segments", count, SEGMENTS);
  return example_end(&e);
}
