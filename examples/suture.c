/* Suture: a surgical thread is drawn aside between two holders, in explicit and in implicit steps; then a knot in it is drawn tight.
 *
 * source    a monofilament of polypropylene: 0.1 m, 0.4 mm thick, 750 MPa
 * claim     implicit steps follow 2 s of the thread to 1 % in less than 1 s of processor time; they draw a knot tight against itself, and
 *           nothing passes through
 * compared  drawn aside: the node between middle and end with a run of sixteen times smaller steps, and with the explicit run as far
 *           as that goes; the tension with a stretched string, to which the bends at ends and middle, (B/T)^(1/2) long, add 0.7 %.
 *           Knot: the link of the ends, which only a passage of the thread through itself changes; the tensions of both ends with
 *           each other; the work of the ends with the energy of the thread. Gains are ratios of processor times in this run, for the
 *           same time of motion
 */
#include "common/gain.h"
#include "common/topology.h"
#include "common/trefoil.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const double LENGTH = 0.1, RADIUS = 0.2e-3, DENSITY = 910, MODULUS = 750e6; /* [m] [m] [kg/m^3] [Pa] */
static const double ASIDE = 0.02, MOVED = 0.5, AIR = 1e-2;                         /* [m] [s] [kg/(m s)] */
enum { MOST = 800 };

/* A smooth way from 0 to 1 in a time, and its rate [1/s]. */
static double way_at(double time, double duration, double *rate) {
  const double p = fmin(time / duration, 1);
  *rate = 30 * p * p * (1 - p) * (1 - p) / duration;
  return p * p * p * (10 - p * (15 - 6 * p));
}

static elastica_rod_def thread(int n) {
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.radius = RADIUS;
  def.density = DENSITY;
  def.youngs_modulus = MODULUS;
  return def;
}

static void hold(example *e, elastica_world *world, elastica_rod *rod, elastica_boundary_kind kind, int node, elastica_motion motion,
                 void *user) {
  elastica_boundary_def def;
  elastica_boundary_def_init(&def, sizeof def);
  def.kind = kind;
  def.node = node;
  def.motion = motion;
  def.user = user;
  example_require(e, world, elastica_add_boundary(world, rod, &def, NULL));
}

static void add_air(example *e, elastica_world *world) {
  elastica_dissipation_def air;
  elastica_dissipation_def_init(&air, sizeof air);
  air.translation = AIR;
  example_require(e, world, elastica_add_dissipation(world, NULL, &air, NULL));
}

static double area(void) {
  return acos(-1) * RADIUS * RADIUS;
}

/* ---- Drawn aside ---- */

typedef struct drawn {
  int n;
} drawn;

static elastica_status draw_aside(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  double rate;
  (void)user, (void)director, (void)omega;
  position[Z] += ASIDE * way_at(time, MOVED, &rate);
  velocity[Z] = ASIDE * rate;
  return ELASTICA_OK;
}

static elastica_rod *make(example *e, const gain_scene *scene, elastica_world **out) {
  const drawn *of = scene->parameters;
  elastica_rod *rod = NULL;
  elastica_world *world = *out = example_world(e);
  elastica_rod_def def = thread(of->n);
  def.length = LENGTH;
  def.direction[X] = 1, def.direction[Z] = 0;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  hold(e, world, rod, ELASTICA_BOUNDARY_CLAMP, 0, NULL, NULL);
  hold(e, world, rod, ELASTICA_BOUNDARY_CLAMP, -1, NULL, NULL);
  hold(e, world, rod, ELASTICA_BOUNDARY_PIN, of->n / 2, draw_aside, NULL);
  add_air(e, world);
  return rod;
}

/* The tension of a string between two holders, with its middle drawn aside. */
static double string_tension(void) {
  return MODULUS * area() * (hypot(LENGTH / 2, ASIDE) / (LENGTH / 2) - 1);
}

static void compare_tension(example *e, const gain_scene *scene) {
  elastica_world *world;
  elastica_rod *rod = make(e, scene, &world);
  elastica_implicit_def def;
  elastica_implicit_def_init(&def, sizeof def);
  def.until = 2;
  def.accuracy = 1e-4 * LENGTH;
  example_require(e, world, elastica_world_run_implicit(world, &def, NULL));
  example_require(e, world, elastica_rod_refresh(rod));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  example_check(e, view->force[2][view->element_count / 4], string_tension(), 0.01 * string_tension(), "tension_of_the_drawn_thread");
  example_done(e, world);
}

static void compare_drawn(example *e, int n, int samples) {
  const drawn of = {n};
  gain_scene scene = {make, &of, Z, n / 4, 40, 0.05}, begun = scene;
  gain_course fine, coarse, reference, start;
  begun.samples = samples;
  gain_run_explicit(e, &begun, &fine);
  gain_run_implicit(e, &scene, 16, 0, NULL, &reference);
  gain_run_implicit(e, &scene, 1, 0, NULL, &coarse);
  gain_run_implicit(e, &begun, 1, 0, NULL, &start);
  elastica_csv *csv = example_csv(e, "drawn.csv");
  for (int k = 0; k <= scene.samples; k++)
    example_row(e, csv, scene.interval * k, 1e3 * reference.tip[k], 1e3 * coarse.tip[k], k <= samples ? 1e3 * fine.tip[k] : NAN);
  example_check(e, gain_distance(&scene, &reference, &coarse), 0, 0.01, "drawn_error_of_steps_of_%g_ms", 1e3 * scene.interval);
  example_check(e, gain_distance(&begun, &fine, &start), 0, 0.01, "drawn_distance_from_explicit_within_%g_s", samples * scene.interval);
  example_inform(e, coarse.seconds, "drawn_processor_time_of_2_s");
  example_inform(e, gain_of(&fine, &start), "drawn_gain_within_%g_s", samples * scene.interval);
  example_inform(e, (double)fine.steps / (double)start.steps, "drawn_explicit_steps_per_implicit_one");
  compare_tension(e, &scene);
}

/* ---- A knot drawn tight ---- */

static const double LOOP = 3e-3, ELEMENT = 0.25e-3, DURATION = 1; /* [m] [m] [s] */
static const double LAYER = 50e6;                                 /* [Pa] of the contact */

typedef struct pull {
  double sign, distance; /* -1, 1; [m] */
} pull;

typedef struct knotted {
  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *contact;
  pull ends[2];
  double tension[2]; /* [N] */
  topology_ends walls;
} knotted;

static elastica_status draw_out(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const pull *end = user;
  double rate;
  (void)director, (void)omega;
  position[X] += end->sign * end->distance * way_at(time, DURATION, &rate);
  velocity[X] = end->sign * end->distance * rate;
  return ELASTICA_OK;
}

static void tie(example *e, knotted *of, int n, double distance) {
  static double position[3 * (MOST + 1)], rest[MOST];
  const trefoil shape = {n, ELEMENT, LOOP, LOOP, 3 * RADIUS};
  elastica_rod_def def = thread(n);
  elastica_contact_def touching;
  trefoil_lay(&shape, position);
  for (int j = 0; j < n; j++) rest[j] = ELEMENT;
  def.position = position, def.rest_length = rest;
  of->world = example_world(e);
  example_require(e, of->world, elastica_world_add_rod(of->world, &def, &of->rod));
  elastica_contact_def_init(&touching, sizeof touching);
  touching.modulus = LAYER;
  example_require(e, of->world, elastica_add_contact(of->world, of->rod, &touching, &of->contact));
  const elastica_rod_view *view = elastica_rod_get_view(of->rod);
  of->walls = (topology_ends){{1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int a = 0; a < 3; a++) of->walls.first_normal[a] = view->director[0][a][0], of->walls.last_normal[a] = view->director[0][a][n - 1];
  for (int k = 0; k < 2; k++) {
    of->ends[k] = (pull){k ? 1 : -1, distance};
    hold(e, of->world, of->rod, ELASTICA_BOUNDARY_CLAMP, k ? -1 : 0, draw_out, &of->ends[k]);
  }
  example_relax(e, of->world);
  add_air(e, of->world);
}

static double energy_of(example *e, const knotted *of) {
  elastica_totals sum;
  example_require(e, of->world, elastica_world_get_totals(of->world, &sum));
  return sum.bending + sum.shear + sum.effects;
}

static double deepest(example *e, const knotted *of) {
  static elastica_contact_point points[4 * MOST];
  int count = 0;
  double most = 0;
  example_require(e, of->world, elastica_contact_get(of->contact, points, 4 * MOST, &count));
  for (int k = 0; k < count && k < 4 * MOST; k++) most = fmax(most, points[k].depth / RADIUS);
  return most;
}

static void read_tension(example *e, knotted *of) {
  const elastica_rod_view *view = elastica_rod_get_view(of->rod);
  example_require(e, of->world, elastica_rod_refresh(of->rod));
  of->tension[0] = view->force[2][1], of->tension[1] = view->force[2][view->element_count - 2];
}

/* The curvature of the loop at its top, over that of the surface. */
static double tightness(const knotted *of) {
  const elastica_rod_view *view = elastica_rod_get_view(of->rod);
  double most = 0;
  for (int k = 0; k < view->joint_count; k++) most = fmax(most, hypot(view->curvature[0][k], view->curvature[1][k]));
  return most * RADIUS;
}

/* Processor time of explicit over implicit steps, in the time of a few thousand explicit steps from the present state. */
static double gain_here(example *e, const knotted *of, double implicit_seconds) {
  elastica_step_limit limit;
  example_require(e, of->world, elastica_world_step_limit(of->world, &limit));
  const double begun = (double)clock(), time = elastica_world_get(of->world).time;
  example_advance(e, of->world, time + 2000 * limit.dt);
  const double seconds = ((double)clock() - begun) / CLOCKS_PER_SEC;
  return seconds / (elastica_world_get(of->world).time - time) * DURATION / implicit_seconds;
}

static void compare_knot(example *e, int n, double distance, int samples) {
  knotted of;
  elastica_implicit_result result = {.next_step = 1e-3};
  double work = 0, seconds = 0, depth = 0, unequal = 0, rate, way = 0, iterations = 0, steps = 0;
  tie(e, &of, n, distance);
  elastica_vtk *vtk = example_vtk(e, of.world, "suture");
  elastica_csv *csv = example_csv(e, "knot.csv");
  const double energy = energy_of(e, &of), link = topology_of(elastica_rod_get_view(of.rod), &of.walls).link;
  read_tension(e, &of);
  output_frame(&e->output, of.world, vtk);
  for (int k = 1; k <= samples; k++) {
    const double before = of.tension[0] + of.tension[1], last = way, begun = (double)clock();
    elastica_implicit_def def;
    elastica_implicit_def_init(&def, sizeof def);
    def.until = DURATION * k / samples;
    def.accuracy = 0.1 * RADIUS;
    def.first_step = result.next_step;
    def.longest_step = DURATION / samples; /* the ends begin and end slowly */
    def.newton_tolerance = 1e-4;           /* contacts that come and go need many corrections for more */
    example_require(e, of.world, elastica_world_run_implicit(of.world, &def, &result));
    seconds += ((double)clock() - begun) / CLOCKS_PER_SEC;
    iterations += (double)result.iterations, steps += (double)result.steps;
    way = distance * way_at(def.until, DURATION, &rate);
    read_tension(e, &of);
    work += (way - last) * (before + of.tension[0] + of.tension[1]) / 2;
    depth = fmax(depth, deepest(e, &of));
    unequal = fmax(unequal, fabs(of.tension[1] - of.tension[0]));
    example_row(e, csv, def.until, 2e3 * way, of.tension[0], of.tension[1], tightness(&of), depth);
    if (4 * k % samples == 0 || k > samples / 2) output_frame(&e->output, of.world, vtk);
    example_worked(e, 1);
  }
  const double tension = (of.tension[0] + of.tension[1]) / 2;
  example_check(e, topology_of(elastica_rod_get_view(of.rod), &of.walls).link - link, 0, 1e-6, "knot_change_of_link");
  example_check(e, unequal / tension, 0, 0.01, "knot_difference_of_both_tensions");
  example_check(e, work / (energy_of(e, &of) - energy), 1, 0.03, "knot_work_of_the_ends_over_energy_of_the_thread");
  example_inform(e, tension, "knot_tension");
  example_inform(e, tightness(&of), "knot_largest_curvature_times_radius");
  example_inform(e, depth, "knot_deepest_overlap_in_radii");
  example_inform(e, seconds, "knot_processor_time");
  example_inform(e, steps, "knot_steps");
  example_inform(e, iterations / steps, "knot_iterations_per_step");
  example_inform(e, gain_here(e, &of, seconds), "knot_gain_over_explicit_steps");
  example_done(e, of.world);
}

/* ---- The program ---- */

static const example_file FILES[] = {
    {"drawn.csv", "time [s],steps of 3.1 ms [mm],steps of 50 ms [mm],explicit [mm]", "the node between middle and end", FILE_ALWAYS},
    {"knot.csv",
     "time [s],drawn [mm],tension of one end [N],tension of the other [N],largest curvature times radius [1],deepest overlap [r]",
     "the knot, drawn tight", FILE_ALWAYS},
    {"suture.pvd", NULL, "the knot", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "suture",
                               .title = "a surgical thread is drawn aside, and a knot in it tight, in implicit steps",
                               .quick = "n = 40, explicit within 0.05 s; a knot of 120 elements; 2 s",
                               .normal = "n = 100, explicit within 0.5 s; a knot of 200 elements; 12 s",
                               .full = "n = 100, explicit within 2 s; a knot of 400 elements; 1 min",
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL;
  const int samples = quick ? 20 : 60;
  example_expect(&e, samples + (quick ? 1 : full ? 40 : 10));
  compare_drawn(&e, quick ? 40 : 100, quick ? 1 : full ? 40 : 10);
  compare_knot(&e, quick ? 120 : full ? 400 : 200, quick ? 1.2e-3 : 6.5e-3, samples);
  example_plot(&e, 1000, 420, NULL, "E = 750 MPa, r = 0.2 mm, n = %d", quick ? 40 : 100);
  return example_end(&e);
}
