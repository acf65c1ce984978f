/* Falling chain: a chain without bending stiffness falls on a cylinder at rest.
 *
 * source    Crassous, "Discrete-element-method model for frictional fibers", figure 9: a chain of 190 mm and 8.5 g, N = 95 elements, on
 *           a cylinder of R* = 5 with mu = 0.1. The text does not state the initial shape; here it is a catenary at rest, of span 0.8 L
 * claim     no numbers: the figure compares a picture of the chain with a film
 * compared  free fall until the first contact, and its time; then the change of momentum with the impulse of weight and obstacle;
 *           energy, which may only decrease; overlap
 *
 * Units are the paper's: length l0 = 2 mm and mass m0 = 89 mg of an element, time t0 = 0.1 ms; there g = 4.905e-5. No drag: with the
 * paper's usual drag the chain would fall at a terminal speed of 0.98 m/s. The layer of the obstacle is our choice.
 *
 * Impulses are those of the budget, which counts the forces that the steps apply, in the middle of each step; a sum over the forces that
 * elastica_obstacle_get_force tells between steps would have an error of second order in the step. They are compared with the weight times
 * the time that the budget has counted, which --restart lengthens by the repeated steps.
 *
 * The run ends when both arms have fallen. Their ends then whip round, and at t = 1750 an end folds back; the run stops before, since a
 * joint of a rod cannot turn by more than 3 rad. Bending stiffness up to 3e-3, no longer small, does not prevent the fold.
 */
#include "common/example.h"
#include <math.h>
#include <stdio.h>

static const double CYLINDER = 5, RADIUS = 0.1, FRICTION = 0.1, STRETCH = 20, GRAVITY = 4.905e-5; /* l0, l0, 1, m0 l0/t0^2, l0/t0^2 */
static const double BEND = 1e-9;                                                                  /* [m0 l0^3/t0^2] E I would be 0.05 */
static const double SPAN = 0.8, HEIGHT = 20, ASIDE = 5;                  /* of the length; [l0] above the top; [l0] off the axis */
static const double LAYER = 40, LAYER_DAMPING = 5, SPRING_DAMPING = 0.5; /* per l0 */
static const double SAMPLE = 0.1;                                        /* [t0] an impact takes 0.5 */
static const double FINE = 0.005;                                        /* [t0] step of --full */

enum { COUNT = 95, FRAME = 100, SHAPE = 1000, MOST_POINTS = 1000 }; /* elements; samples per frame, and per shape */

typedef struct falling {
  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *cylinder;
  elastica_budget *budget, *own; /* own: NULL if --budget has opened another */
} falling;

/* Measurements between steps. */
typedef struct record {
  double touched;                /* [t0] the first sample with contact; 0 before */
  double fallen, fall, sideways; /* [l0] in free fall: of the centre of mass, g t^2/2; [m0 l0/t0] largest horizontal momentum */
  double start, gain, deepest;   /* initial energy; largest gain above it; [l0] */
  double height;                 /* [l0] initial height of the centre of mass */
  double drift, energy;          /* of the last sample: [l0] horizontal position of the centre of mass; energy above the initial value */
} record;

/* ---- Initial shape, and the time of first contact ---- */

/* z = a (cosh(x/a) - 1) with 2 a sinh(span/2a) = L. */
static double parameter(void) {
  double low = 0.1 * COUNT, high = COUNT;
  for (int k = 0; k < 60; k++) {
    const double a = (low + high) / 2;
    if (2 * a * sinh(SPAN * COUNT / (2 * a)) > COUNT)
      low = a;
    else
      high = a;
  }
  return low;
}

/* The origin is the top of the cylinder, z is up. */
static void hang(double position[3 * (COUNT + 1)]) {
  const double a = parameter();
  for (int i = 0; i <= COUNT; i++) {
    const double s = i - COUNT / 2.0;
    position[component(i, X)] = ASIDE + a * asinh(s / a);
    position[component(i, Y)] = 0;
    position[component(i, Z)] = HEIGHT + hypot(a, s) - a;
  }
}

/* A point at x touches at a distance R + r from the axis; for the chain, with chords as elements, the smallest height of fall counts. */
static double touching_time(void) {
  enum { PARTS = 1000 };
  static double position[3 * (COUNT + 1)];
  const double reach = CYLINDER + RADIUS;
  double least = INFINITY;
  hang(position);
  for (int k = 0; k <= COUNT * PARTS; k++) {
    const int i = k < COUNT * PARTS ? k / PARTS : COUNT - 1;
    const double share = (double)k / PARTS - i, *from = position + component(i, X), *to = position + component(i + 1, X);
    const double x = from[X] + share * (to[X] - from[X]), z = from[Z] + share * (to[Z] - from[Z]);
    if (fabs(x) < reach) least = fmin(least, z + CYLINDER - sqrt(reach * reach - x * x));
  }
  return sqrt(2 * least / GRAVITY);
}

/* ---- The experiment ---- */

static falling build(example *e) {
  static double position[3 * (COUNT + 1)], bend[3 * COUNT];
  const double section = acos(-1) * RADIUS * RADIUS, gravity[3] = {0, 0, -GRAVITY};
  falling of = {.world = example_world(e)};
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  hang(position);
  for (int k = 0; k < 3 * COUNT; k++) bend[k] = BEND;
  def.element_count = COUNT, def.position = position, def.rest = ELASTICA_REST_INITIAL;
  def.radius = RADIUS, def.density = 1 / section, def.youngs_modulus = STRETCH / section, def.bend_stiffness = bend;
  example_require(e, of.world, elastica_world_add_rod(of.world, &def, &of.rod));
  example_require(e, of.world, elastica_add_gravity(of.world, gravity, NULL));

  elastica_obstacle_def cylinder;
  elastica_obstacle_def_init(&cylinder, sizeof cylinder);
  cylinder.kind = ELASTICA_OBSTACLE_ELASTIC;
  cylinder.shape = ELASTICA_SHAPE_CYLINDER, cylinder.radius = CYLINDER, cylinder.length = INFINITY;
  cylinder.position[Z] = -CYLINDER;
  cylinder.normal[Y] = 1, cylinder.normal[Z] = 0;
  cylinder.modulus = LAYER, cylinder.damping = LAYER_DAMPING;
  cylinder.friction = FRICTION, cylinder.tangential_damping = SPRING_DAMPING;
  cylinder.damping_ratio = cylinder.tangential_damping_ratio = 0.0;
  example_require(e, of.world, elastica_add_obstacle(of.world, of.rod, &cylinder, &of.cylinder));
  if (!e->budget) example_require(e, of.world, elastica_budget_open(of.world, &of.own));
  of.budget = e->budget ? e->budget : of.own;
  return of;
}

static elastica_totals centre_of_mass(const example *e, const falling *of) {
  elastica_totals sum;
  example_require(e, of->world, elastica_rod_get_totals(of->rod, &sum));
  return sum;
}

static double energy(const example *e, const falling *of) {
  elastica_totals part;
  example_require(e, of->world, elastica_world_get_totals(of->world, &part));
  return part.translation + part.rotation + part.bending + part.shear + part.effects;
}

static void look(const example *e, const falling *of, record *seen) {
  const double time = elastica_world_get(of->world).time, now = energy(e, of) - seen->start;
  const elastica_totals sum = centre_of_mass(e, of);
  static elastica_contact_point points[MOST_POINTS];
  int count;
  example_require(e, of->world, elastica_contact_get(of->cylinder, points, MOST_POINTS, &count));
  if (count > 0 && seen->touched == 0) seen->touched = time;
  if (seen->touched == 0) {
    seen->fallen = seen->height - sum.centre[Z];
    seen->fall = GRAVITY * time * time / 2;
    seen->sideways = fmax(seen->sideways, hypot(sum.linear[X], sum.linear[Y]));
  }
  seen->gain = fmax(seen->gain, now);
  for (int k = 0; k < count && k < MOST_POINTS; k++) seen->deepest = fmax(seen->deepest, points[k].depth);
  seen->drift = sum.centre[X];
  seen->energy = now;
}

static void draw_chain(example *e, const falling *of, elastica_csv *csv) {
  const elastica_rod_view *view = elastica_rod_get_view(of->rod);
  for (int i = 0; i <= COUNT && csv; i++)
    example_row(e, csv, elastica_world_get(of->world).time, view->position[X][i], view->position[Z][i]);
}

/* Change of momentum in the steps minus the weight and the obstacle's impulse, divided by the impulse of the weight. */
static void balance(example *e, const falling *of) {
  const int number = elastica_effect_get(of->cylinder).index;
  elastica_budget_sum sum;
  elastica_budget_share obstacle;
  example_require(e, of->world, elastica_budget_get(of->budget, &sum));
  example_require(e, of->world, elastica_budget_get_effect(of->budget, number, &obstacle));
  const double weight = centre_of_mass(e, of).mass * GRAVITY * sum.duration;
  for (int a = 0; a < 3; a++) {
    const double expected = (obstacle.impulse[a] - (a == Z ? weight : 0)) / weight;
    example_check(e, sum.momentum_change[a] / weight, expected, 1e-10, "change_of_momentum_%c_over_impulse_of_weight", "xyz"[a]);
  }
  example_inform(e, obstacle.impulse[Z] / weight, "lift_of_the_obstacle_over_impulse_of_weight");
}

static void fall(example *e, double duration) {
  falling of = build(e);
  record seen = {.start = energy(e, &of), .height = centre_of_mass(e, &of).centre[Z]};
  elastica_csv *shapes = example_csv(e, "shapes.csv"), *motion = example_csv(e, "motion.csv");
  elastica_vtk *vtk = example_vtk(e, of.world, "falling_chain");
  const double mass = centre_of_mass(e, &of).mass, potential = mass * GRAVITY * HEIGHT;
  const int samples = (int)lround(duration / SAMPLE);
  for (int k = 0; k <= samples; k++) {
    if (k > 0) {
      example_advance(e, of.world, k * SAMPLE);
      example_worked(e, SAMPLE);
    }
    look(e, &of, &seen);
    if (k % FRAME != 0) continue;
    example_row(e, motion, k * SAMPLE, seen.drift, centre_of_mass(e, &of).centre[Z], seen.energy / potential);
    if (k % SHAPE == 0) draw_chain(e, &of, shapes);
    output_frame(&e->output, of.world, vtk);
  }
  example_check(e, seen.touched, touching_time(), SAMPLE, "time_of_contact");
  example_check(e, seen.fallen, seen.fall, 1e-10 * seen.fall, "free_fall");
  example_check(e, seen.sideways / (mass * GRAVITY * seen.touched), 0, 1e-13, "free_fall_horizontal_momentum_over_vertical");
  balance(e, &of);
  example_check(e, seen.gain / potential, 0, 1e-3, "gain_of_energy_over_potential");
  example_inform(e, -seen.energy / potential, "loss_of_energy_over_potential");
  example_check(e, seen.deepest / RADIUS, 0, 0.2, "deepest_overlap_in_radii");
  example_inform(e, seen.drift, "centre_of_mass_x");
  elastica_budget_close(of.own);
  example_done(e, of.world);
}

/* ---- The program ---- */

static const example_file FILES[] = {
    {"shapes.csv", "time [t0],x [l0],z [l0]", "nodes, every 100 t0", FILE_ALWAYS},
    {"motion.csv", "time [t0],centre x [l0],centre z [l0],energy above its start over potential [1]", "the centre of mass and the energy",
     FILE_ALWAYS},
    {"falling_chain.pvd", NULL, "the motion, every 10 t0", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "falling_chain",
                               .title = "a chain falls on a cylinder (Crassous, figure 9)",
                               .quick = "until t = 1000, soon after the chain touches; 1 s",
                               .normal = "until t = 1600, when its arms have fallen; 2 s",
                               .full = "the same with a fifth of the step; 9 s",
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const double duration = e.options.mode == EXAMPLE_QUICK ? 1000 : 1600;
  if (e.options.mode == EXAMPLE_FULL && e.dt == 0) e.dt = FINE;
  example_expect(&e, duration);
  fall(&e, duration);
  example_plot(&e, 900, 760, NULL, "t up to %g", duration);
  return example_end(&e);
}
