/* Capstan: a rod, held at one end and loaded at the other, is wound once round a slowly turning cylinder: friction adds to the load, so
 * that the tension decays exponentially from the held end.
 *
 * source    Crassous, "Discrete-element-method model for frictional fibers", the capstan: tension T1* = 0.01, cylinder R* = 5, rod r* = 0.1
 * claim     T = T1 exp(-a theta); the paper measures a = 0.198 for mu = 0.2
 * compared  with a = mu R/(R + r), 2 %, for mu = 0.1, 0.2, 0.3, 0.5; and with the chain of slipping elements, solved below, 1 %
 *
 * Units are the paper's: length l0 of an element, its mass m0, stiffness E A/l0 = 20. One turn; the paper has five turns of N = 200
 * elements.
 *
 * Friction acts at the surface, at R; tension at the centre line, at R + r. Balance of moments about the axis is then dT (R + r) = -mu T
 * R dtheta: the contact couple on the rod, mu r times the normal force, is carried by a shear force. That couple conserves angular
 * momentum; without it the same chain has 0.19805 for mu = 0.2. This explains the 0.198 of the paper, a value that is therefore printed,
 * not checked. The paper's angle is the rest length over R + r, larger by 0.3 % than the angle of a chain of chords.
 *
 * The time of measurement follows from a bound: friction is at its limit everywhere after the surface has moved further than the stretch
 * of the rod and the yield of the tangential springs. That distance is below T1 e^(2 pi a) 2 pi R/(E A) < 0.35 and mu N/k_t < 0.03. From
 * t = 300 on, after a motion of the surface of 0.75, a is averaged over a window, since the free end swings along the line of its load:
 * at mu = 0.5 single values scatter by 3 %.
 */
#include "common/example.h"
#include "common/line.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double CYLINDER = 5, RADIUS = 0.1, LOAD = 0.01, STRETCH = 20; /* [l0] [l0] [m0 l0/t0^2] [m0 l0/t0^2] */
static const double LAYER = 10, LAYER_DAMPING = 5, SPRING_DAMPING = 0.5;   /* per l0 */
static const double DRAG = 0.05, SPIN_DRAG = 1e-3, RATE = 5e-4;            /* the last value in [1/t0] */
static const double SETTLED = 300, SAMPLE = 5;                             /* [t0] */
enum { ROUND = 32, FREE = 4, COUNT = ROUND + 2 * FREE, CUT = 4 }; /* elements: 2 pi (R + r)/l0; at either end; left out of the fit */

typedef struct wound {
  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *cylinder;
} wound;

/* ---- Expected values ---- */

static double decay_expected(double mu) {
  return mu * CYLINDER / (CYLINDER + RADIUS);
}

/* Angle of an element of length l0 in contact at its middle. */
static double chord_angle(void) {
  return 2 * atan(0.5 / (CYLINDER + RADIUS));
}

/* A slipping chain of elements of length l, each the chord of an angle phi, has internal forces (1 - i q) T and contact forces (mu - i)
 * N in the complex plane along and across the element, both reduced by exp(-a phi) in the next element. The shear force balances the
 * couple mu N r on an element, q T l = -mu N r. Half of each contact force acts at either node; the balance of a node is (mu - i) N = 2
 * (1 - i q) T tanh((a - i) phi/2). Returns the imbalance for T = 1; it increases with a. */
static double imbalance(double mu, double a) {
  const double phi = chord_angle(), below = cosh(a * phi) + cos(phi);
  const double along = sinh(a * phi) / below, across = -sin(phi) / below;
  const double normal = -2 * across / (1 + 2 * mu * RADIUS * along), shear = -mu * normal * RADIUS;
  return 2 * (along + shear * across) - mu * normal;
}

static double decay_of_chain(double mu) {
  double low = 0, high = 2 * mu;
  for (int k = 0; k < 60; k++) {
    const double middle = (low + high) / 2;
    if (imbalance(mu, middle) > 0)
      high = middle;
    else
      low = middle;
  }
  return low;
}

/* ---- The experiment ---- */

static elastica_status turn(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double c = cos(RATE * time), s = sin(RATE * time), frame[9] = {c, s, 0, -s, c, 0, 0, 0, 1};
  (void)user, (void)position, (void)velocity;
  memcpy(director, frame, sizeof frame);
  omega[Z] = RATE;
  return ELASTICA_OK;
}

static void lay(double position[3 * (COUNT + 1)]) {
  const double part = 2 * acos(-1) / ROUND, at = CYLINDER + RADIUS, chord = 2 * at * sin(part / 2);
  for (int i = 0; i <= COUNT; i++) {
    const int within = i < FREE ? 0 : i > COUNT - FREE ? ROUND : i - FREE;
    position[component(i, X)] = at * cos(within * part);
    position[component(i, Y)] = at * sin(within * part) + (i - FREE - within) * chord;
    position[component(i, Z)] = 0;
  }
}

/* Winds the rod round the cylinder in its rest shape, so that its bending stiffness (zero in the paper) has no effect. */
static wound build(example *e, double mu) {
  static double position[3 * (COUNT + 1)];
  const double section = acos(-1) * RADIUS * RADIUS;
  wound of = {.world = example_world(e)};
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  lay(position);
  def.element_count = COUNT, def.position = position, def.rest = ELASTICA_REST_INITIAL;
  def.radius = RADIUS, def.density = 1 / section, def.youngs_modulus = STRETCH / section;
  example_require(e, of.world, elastica_world_add_rod(of.world, &def, &of.rod));

  elastica_dissipation_def drag;
  elastica_dissipation_def_init(&drag, sizeof drag);
  drag.translation = DRAG, drag.rotation = SPIN_DRAG;
  example_require(e, of.world, elastica_add_dissipation(of.world, of.rod, &drag, NULL));

  elastica_obstacle_def cylinder;
  elastica_obstacle_def_init(&cylinder, sizeof cylinder);
  cylinder.kind = ELASTICA_OBSTACLE_ELASTIC;
  cylinder.shape = ELASTICA_SHAPE_CYLINDER, cylinder.radius = CYLINDER, cylinder.length = INFINITY;
  cylinder.modulus = LAYER, cylinder.damping = LAYER_DAMPING;
  cylinder.friction = mu, cylinder.tangential_damping = SPRING_DAMPING;
  cylinder.damping_ratio = cylinder.tangential_damping_ratio = 0.0;
  cylinder.motion = turn;
  example_require(e, of.world, elastica_add_obstacle(of.world, of.rod, &cylinder, &of.cylinder));

  elastica_boundary_def pin;
  elastica_point_load_def load;
  elastica_boundary_def_init(&pin, sizeof pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  pin.node = 0;
  example_require(e, of.world, elastica_add_boundary(of.world, of.rod, &pin, NULL));
  elastica_point_load_def_init(&load, sizeof load);
  load.node = COUNT, load.force[Y] = LOAD;
  example_require(e, of.world, elastica_add_point_load(of.world, of.rod, &load, NULL));
  return of;
}

/* Adds the tension of each element, and its angle about the axis. */
static void read_tension(const example *e, const wound *of, double tension[COUNT], double angle[COUNT]) {
  const elastica_rod_view *view = elastica_rod_get_view(of->rod);
  example_require(e, of->world, elastica_rod_refresh(of->rod));
  for (int j = 0; j < COUNT; j++) {
    const double x = view->position[X][j] + view->position[X][j + 1], y = view->position[Y][j] + view->position[Y][j + 1];
    const double expected = (j + 0.5 - FREE) * 2 * acos(-1) / ROUND, folded = atan2(y, x) - expected;
    angle[j] += expected + remainder(folded, 2 * acos(-1));
    tension[j] += view->force[2][j];
  }
}

/* The rate of decay of T: slope of the line of least squares through ln T over theta. The pinned end has the higher tension. */
static double fit(const double tension[COUNT], const double angle[COUNT]) {
  double logarithm[COUNT];
  const int first = FREE + CUT, last = COUNT - FREE - CUT;
  for (int j = first; j < last; j++) logarithm[j] = log(tension[j]);
  return -line_through(angle + first, logarithm + first, last - first).slope;
}

static double wind(example *e, double mu, double window, int frames, elastica_csv *csv) {
  double tension[COUNT] = {0}, angle[COUNT] = {0};
  const wound of = build(e, mu);
  elastica_vtk *vtk = frames ? example_vtk(e, of.world, "capstan") : NULL;
  const int samples = (int)lround(window / SAMPLE), before = (int)lround(SETTLED / SAMPLE);
  for (int k = 1; k <= before + samples; k++) {
    example_advance(e, of.world, k * SAMPLE);
    example_worked(e, SAMPLE);
    if (k > before) read_tension(e, &of, tension, angle);
    if (vtk) output_frame(&e->output, of.world, vtk);
  }
  for (int j = 0; j < COUNT; j++) tension[j] /= samples, angle[j] /= samples;
  const double a = fit(tension, angle);
  for (int j = FREE; j < COUNT - FREE && csv; j++)
    example_row(e, csv, mu, angle[j], tension[j], LOAD * exp(decay_expected(mu) * (2 * acos(-1) - angle[j])));
  example_done(e, of.world);
  return a;
}

/* ---- The program ---- */

static const example_file FILES[] = {
    {"tension.csv", "mu [1],angle [rad],tension [m0 l0/t0^2],of the rule [m0 l0/t0^2]", "the mean tension of each element in the window",
     FILE_ALWAYS},
    {"capstan.pvd", NULL, "the rod, mu = 0.2", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  static const double frictions[] = {0.2, 0.1, 0.3, 0.5};
  const example_about about = {.name = "capstan",
                               .title = "friction holds a rod round a cylinder (Crassous, the capstan)",
                               .quick = "mu = 0.2, a window of 50; 1 s",
                               .normal = "mu = 0.1 to 0.5, a window of 300; 6 s",
                               .full = "the same with a window of 3000; 1 min",
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, count = quick ? 1 : 4;
  const double window = quick ? 50 : e.options.mode == EXAMPLE_FULL ? 3000 : 300;
  elastica_csv *csv = example_csv(&e, "tension.csv");
  example_expect(&e, count * (SETTLED + window));
  for (int k = 0; k < count; k++) {
    const double mu = frictions[k], a = wind(&e, mu, window, k == 0, csv), rule = decay_expected(mu), chain = decay_of_chain(mu);
    example_check(&e, a, rule, 0.02 * rule, "decay_for_mu_%g", mu);
    example_check(&e, a, chain, 0.01 * chain, "decay_of_the_chain_for_mu_%g", mu);
    if (k == 0) example_inform(&e, a * chord_angle() * (CYLINDER + RADIUS), "decay_by_rest_length_for_mu_0.2_(paper:0.198)");
  }
  example_plot(&e, 900, 600, NULL, "window of %g", window);
  return example_end(&e);
}
