/* Flying: beams that fly, spin up and precess, against solutions of the same equations by other methods.
 *
 * source    Simo and Vu-Quoc 1986 and 1988: the flying spaghetti in the plane and in space, the spin-up of a rotating beam (Kane et al.
 *           1987); Lagrange's heavy top
 * claim     the path of a beam in large motion converges with second order in n and dt to that of the equations of Simo and Reissner
 * compared  both ends of the spaghetti, extrapolated in n and dt together, with spectral elements and Runge-Kutta steps (flying/
 *           spectral_beam.c); its momentum with the impulse, 20, to rounding; energy and angular momentum after the load has ended;
 *           the stretch of the rotating beam with L (tan(k)/k - 1), k = w L (rho A/EA)^(1/2), times 1 + 1/(2 n^2) for n elements: the
 *           papers' 5.143e-4; its largest lag with the spectral beam (--full);
 *           the path and the nutation of a stiff rod on a ball joint with the rigid top of the same inertia (flying/rigid_top.c)
 *
 * Spaghetti: the beam lies from (6, 0, 0) to (0, 8, 0). At the first end a force of 8 along x and a couple of 80 about z, the sense in
 * which that force turns the beam, rise until 2.5 s and fall to zero at 5 s; in space a couple of 40 about y with them. The law is
 * CLASSICAL, the papers' one. The kinks of the load run along the beam as waves: they bound the accuracy of the spectral beam, some 1e-5
 * with 24 nodes.
 */
#include "flying/rigid_top.h"
#include "flying/spectral_beam.h"
#include "common/example.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LENGTH = 10; /* of all but the top; the papers have no units */

enum { MOST = 5, PARTS = 4 };
static const int SIZES[MOST] = {10, 20, 40, 80, 160};

static double *per_element(const example *e, int n, double a, double b, double c) {
  double *all = malloc(3 * (size_t)n * sizeof *all);
  if (!all) example_require(e, NULL, ELASTICA_OUT_OF_MEMORY);
  for (int j = 0; j < n; j++) all[component(j, X)] = a, all[component(j, Y)] = b, all[component(j, Z)] = c;
  return all;
}

typedef struct section {
  double shear, stretch, bend, mass, inertia[3]; /* kGA, EA, EI = GJ, rho A, rho I about d1, d2, d3 */
} section;

static elastica_rod *add_beam(example *e, elastica_world *world, const section *s, int n, const double start[3], const double along[3]) {
  const double radius = 0.1, l = LENGTH / n; /* radius: of the picture */
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  double *shear = per_element(e, n, s->shear, s->shear, s->stretch), *bend = per_element(e, n, s->bend, s->bend, s->bend);
  double *inertia = per_element(e, n, l * s->inertia[0], l * s->inertia[1], l * s->inertia[2]);
  def.element_count = n;
  def.length = LENGTH;
  def.radius = radius;
  def.density = s->mass / (acos(-1) * radius * radius);
  def.shear_stiffness = shear;
  def.bend_stiffness = bend;
  def.inertia = inertia;
  def.normal[X] = 0, def.normal[Y] = 0, def.normal[Z] = 1;
  memcpy(def.start, start, sizeof def.start);
  memcpy(def.direction, along, sizeof def.direction);
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  free(shear);
  free(bend);
  free(inertia);
  return rod;
}

/* ---- Flying spaghetti ---- */

static const section SPAGHETTI = {1e4, 1e4, 500, 1, {10, 10, 10}};
static const double PEAK = 2.5, FORCE = 8, COUPLE[2] = {80, 40};                                 /* about z; in space about y */
static const double START[3] = {6, 0, 0}, ALONG[3] = {-0.6, 0.8, 0}, FRAME[4] = {2, -1, -2, -1}; /* d1 = z, d3 = ALONG; times 10^(1/2) */

static double height(double t) {
  return t < PEAK ? t / PEAK : t < 2 * PEAK ? 2 - t / PEAK : 0;
}

static void plane_load(double t, double force[3], double couple[3]) {
  force[X] = FORCE * height(t), force[Y] = 0, force[Z] = 0;
  couple[X] = 0, couple[Y] = 0, couple[Z] = COUPLE[0] * height(t);
}

static void space_load(double t, double force[3], double couple[3]) {
  plane_load(t, force, couple);
  couple[Y] = COUPLE[1] * height(t);
}

static elastica_status pull(void *user, double time, double force[3], double couple[3]) {
  (*(user ? space_load : plane_load))(time, force, couple);
  return ELASTICA_OK;
}

typedef struct flight {
  double end[PARTS][2][3];            /* of both ends, at 2.5, 5, 7.5 and 10 s */
  double momentum[3], turned, energy; /* after 10 s; size of the change of angular momentum, and of energy over itself, since 5 s */
} flight;

static flight fly(example *e, int in_space, int n, double dt, int draw) {
  static char space;
  flight out;
  elastica_world *world = example_world(e);
  elastica_rod *rod = add_beam(e, world, &SPAGHETTI, n, START, ALONG);
  elastica_point_load_def load;
  elastica_point_load_def_init(&load, sizeof load);
  load.node = 0;
  load.element = 0;
  load.couple_in_laboratory = 1;
  load.function = pull;
  load.user = in_space ? &space : NULL;
  example_require(e, world, elastica_add_point_load(world, rod, &load, NULL));
  e->dt = e->options.dt > 0 ? e->options.dt : dt;
  elastica_csv *path = draw ? example_csv(e, in_space ? "space.csv" : "plane.csv") : NULL;
  elastica_vtk *vtk = draw && in_space ? example_vtk(e, world, "flying") : NULL;
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_totals totals[2];
  const int frames = draw ? 25 : 1;
  for (int part = 0; part < PARTS; part++) {
    for (int k = 0; k <= frames; k++) {
      if (k == 0 && part > 0) continue;
      example_advance(e, world, PEAK * (part + (double)k / frames));
      output_frame(&e->output, world, vtk);
      example_row(e, path, elastica_world_get(world).time, view->position[X][0], view->position[Y][0], view->position[Z][0],
                  view->position[X][n], view->position[Y][n], view->position[Z][n]);
    }
    for (int a = 0; a < 3; a++) out.end[part][0][a] = view->position[a][0], out.end[part][1][a] = view->position[a][n];
    if (part % 2 == 0) continue;
    example_require(e, world, elastica_world_get_totals(world, &totals[part / 2]));
  }
  const double before = totals[0].translation + totals[0].rotation + totals[0].bending + totals[0].shear;
  out.energy = (totals[1].translation + totals[1].rotation + totals[1].bending + totals[1].shear) / before - 1;
  out.turned = 0;
  for (int a = 0; a < 3; a++) {
    out.momentum[a] = totals[1].linear[a];
    out.turned = fmax(out.turned, fabs(totals[1].angular[a] - totals[0].angular[a]));
  }
  example_done(e, world);
  example_worked(e, n / dt);
  e->dt = e->options.dt;
  return out;
}

/* The same by the spectral beam. */
static flight solve(int in_space, int degree, double dt) {
  flight out = {0};
  spectral_beam beam = {.length = LENGTH, .mass = SPAGHETTI.mass, .load = in_space ? space_load : plane_load};
  for (int a = 0; a < 3; a++) {
    beam.inertia[a] = SPAGHETTI.inertia[a];
    beam.shear[a] = a < 2 ? SPAGHETTI.shear : SPAGHETTI.stretch;
    beam.bend[a] = SPAGHETTI.bend;
  }
  double frame[4];
  for (int a = 0; a < 4; a++) frame[a] = FRAME[a] / sqrt(10);
  spectral_begin(&beam, degree, START, ALONG, frame);
  for (int part = 0; part < PARTS; part++) {
    spectral_advance(&beam, PEAK * part, dt, lround(PEAK / dt));
    memcpy(out.end[part][0], beam.r[0], sizeof beam.r[0]);
    memcpy(out.end[part][1], beam.r[degree], sizeof beam.r[0]);
  }
  return out;
}

/* Largest distance of an end at the end of one part of the time. */
static double apart(const flight *a, const flight *b, int part) {
  double largest = 0;
  for (int end = 0; end < 2; end++) {
    const double *p = a->end[part][end], *q = b->end[part][end];
    largest = fmax(largest, sqrt(pow(p[X] - q[X], 2) + pow(p[Y] - q[Y], 2) + pow(p[Z] - q[Z], 2)));
  }
  return largest;
}

/* Richardson's extrapolation of second order. */
static flight extrapolate(const flight *coarse, const flight *fine) {
  flight out = *fine;
  for (int part = 0; part < PARTS; part++)
    for (int end = 0; end < 2; end++)
      for (int a = 0; a < 3; a++) out.end[part][end][a] += (fine->end[part][end][a] - coarse->end[part][end][a]) / 3;
  return out;
}

static double work_of_spaghetti(int count) {
  double work = 0;
  for (int k = 0; k < count; k++) work += 2 * SIZES[k] / (0.04 / SIZES[k]);
  return work;
}

static void spaghetti(example *e, int in_space, int count, elastica_csv *errors) {
  static const char *const WHERE[2] = {"plane", "space"}, *const END[2] = {"first", "last"};
  const char *where = WHERE[in_space];
  const double close = e->options.mode == EXAMPLE_FULL ? 2e-5 : e->options.mode == EXAMPLE_QUICK ? 1e-3 : 1e-4;
  flight got[MOST], halved[2];
  const flight exact = solve(in_space, 24, 5e-4), coarse = solve(in_space, 20, 1e-3);
  example_inform(e, apart(&exact, &coarse, PARTS - 1), "%s_spectral_beam_differs_by", where);
  for (int k = 0; k < count; k++) {
    got[k] = fly(e, in_space, SIZES[k], 0.04 / SIZES[k], k == count - 1);
    example_row(e, errors, in_space, SIZES[k], apart(&got[k], &exact, 1), apart(&got[k], &exact, PARTS - 1));
  }
  const flight *fine = &got[count - 1], limit = extrapolate(fine - 1, fine);
  for (int part = 1; part < PARTS; part += 2) {
    for (int end = 0; end < 2; end++) {
      for (int a = 0; a < 2 + in_space; a++)
        example_check(e, limit.end[part][end][a], exact.end[part][end][a], close, "%s_%s_%c_at_%gs", where, END[end], "xyz"[a],
                      PEAK * (part + 1));
    }
  }
  example_check(e, log2(apart(fine - 1, &exact, PARTS - 1) / apart(fine, &exact, PARTS - 1)), 2, 0.1, "%s_order_in_n_and_dt", where);
  for (int k = 0; k < 2; k++) halved[k] = fly(e, in_space, SIZES[1], 0.04 / SIZES[1] / (2 << k), 0);
  example_check(e, log2(apart(&got[1], &halved[0], PARTS - 1) / apart(&halved[0], &halved[1], PARTS - 1)), 2, 0.1, "%s_order_in_dt", where);
  example_check(e, fine->momentum[X], FORCE * PEAK, 1e-10, "%s_momentum", where);
  example_check(e, fabs(fine->momentum[Y]) + fabs(fine->momentum[Z]), 0, 1e-10, "%s_momentum_across", where);
  example_check(e, fine->turned, 0, 1e-9, "%s_change_of_angular_momentum", where);
  example_check(e, fine->energy, 0, 4e-3 / SIZES[count - 1], "%s_change_of_energy", where);
}

/* ---- Spin-up ---- */

static const section WHIRLING = {1e7, 2.8e7, 1.4e4, 1.2, {6e-4, 6e-4, 1.2e-3}};
static const double SPIN = 6, SPIN_UP = 15, SPUN = 20; /* [rad/s] [s] [s] */

/* Angle of the hub [rad] and its rate. */
static double hub(double t, double *rate) {
  const double w = 2 * acos(-1) / SPIN_UP;
  *rate = t < SPIN_UP ? SPIN / SPIN_UP * (t - sin(w * t) / w) : SPIN;
  return t < SPIN_UP ? SPIN / SPIN_UP * (t * t / 2 + (cos(w * t) - 1) / (w * w)) : SPIN * (t - SPIN_UP / 2);
}

static elastica_status turn(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  double rate;
  const double angle = hub(time, &rate), c = cos(angle), s = sin(angle);
  const double frame[9] = {0, 0, 1, s, -c, 0, c, s, 0};
  (void)user, (void)position, (void)velocity;
  memcpy(director, frame, sizeof frame);
  omega[X] = rate;
  return ELASTICA_OK;
}

typedef struct whirl {
  double stretch, lag, lag_at; /* of the whole line, mean after SPIN_UP [m]; the largest of the tip [m], and when [s] */
} whirl;

/* Displacement of the tip in the frame of the hub: along the beam, and behind it. */
static void in_the_hub(double t, const double tip[3], double *along, double *behind) {
  double rate;
  const double angle = hub(t, &rate), c = cos(angle), s = sin(angle);
  *along = c * tip[X] + s * tip[Y] - LENGTH;
  *behind = s * tip[X] - c * tip[Y];
}

static whirl spin_up(example *e, int n, int draw) {
  static const double ORIGIN[3] = {0}, ALONG_X[3] = {1, 0, 0};
  whirl out = {0};
  elastica_world *world = example_world(e);
  section s = WHIRLING;
  if (e->options.mode == EXAMPLE_QUICK) { /* longer steps; the rotary inertia of this thin section matters little */
    for (int a = 0; a < 3; a++) s.inertia[a] *= 100;
    if (e->dt == 0) e->dt = 2.5e-5;
  }
  elastica_rod *rod = add_beam(e, world, &s, n, ORIGIN, ALONG_X);
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  clamp.motion = turn;
  example_require(e, world, elastica_add_boundary(world, rod, &clamp, NULL));
  elastica_csv *csv = draw ? example_csv(e, "spin_up.csv") : NULL;
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int k = 1; k <= 400; k++) {
    const double t = k * SPUN / 400;
    double along, behind;
    example_advance(e, world, t);
    in_the_hub(t, (const double[]){view->position[X][n], view->position[Y][n], view->position[Z][n]}, &along, &behind);
    example_row(e, csv, t, along, behind);
    if (behind > out.lag) out.lag = behind, out.lag_at = t;
    if (t <= SPIN_UP) continue;
    for (int j = 0; j < n; j++) out.stretch += (view->length[j] - view->rest_length[j]) / 100;
  }
  example_done(e, world);
  example_worked(e, 1e5 * n);
  e->dt = e->options.dt;
  return out;
}

/* The largest lag of the spectral beam, looked at in the same instants: it comes before half of the time. */
static double solve_lag(int degree, double dt) {
  static const double ORIGIN[3] = {0}, ALONG_X[3] = {1, 0, 0}, FRAME_X[4] = {0.5, 0.5, 0.5, 0.5};
  double largest = 0;
  spectral_beam beam = {.length = LENGTH, .mass = WHIRLING.mass, .angle = hub};
  for (int a = 0; a < 3; a++) {
    beam.inertia[a] = WHIRLING.inertia[a];
    beam.shear[a] = a < 2 ? WHIRLING.shear : WHIRLING.stretch;
    beam.bend[a] = WHIRLING.bend;
  }
  spectral_begin(&beam, degree, ORIGIN, ALONG_X, FRAME_X);
  for (int k = 1; k <= 200; k++) {
    const double t = k * SPUN / 400;
    double along, behind;
    spectral_advance(&beam, t - SPUN / 400, dt, lround(SPUN / 400 / dt));
    in_the_hub(t, beam.r[degree], &along, &behind);
    largest = fmax(largest, behind);
  }
  return largest;
}

static void rotating_beam(example *e) {
  const int quick = e->options.mode == EXAMPLE_QUICK, full = e->options.mode == EXAMPLE_FULL;
  const int first = 8, count = full ? 3 : quick ? 1 : 2;
  const double k = SPIN * LENGTH * sqrt(WHIRLING.mass / WHIRLING.stretch), exact = LENGTH * (tan(k) / k - 1);
  whirl got[3];
  for (int i = 0; i < count; i++) {
    const int n = first << i;
    got[i] = spin_up(e, n, i == count - 1);
    const double of_nodes = exact * (1 + 0.5 / ((double)n * n)); /* the centrifugal force acts on nodes, on the last with half a mass */
    example_check(e, got[i].stretch, of_nodes, 3e-4 * exact, "spin_up_n%d_steady_stretch", n);
    example_inform(e, got[i].lag, "spin_up_n%d_largest_lag", n);
  }
  const whirl *fine = &got[count - 1];
  example_inform(e, fine->lag_at, "spin_up_largest_lag_at");
  if (quick) return;
  const double stretch = (4 * fine->stretch - (fine - 1)->stretch) / 3, lag = (4 * fine->lag - (fine - 1)->lag) / 3;
  example_check(e, stretch, 5.143e-4, 1e-7, "spin_up_published_stretch");
  example_inform(e, lag, "spin_up_largest_lag");
  if (!full) return;
  example_check(e, lag, solve_lag(10, 5e-6), 2e-5, "spin_up_lag_of_the_spectral_beam");
  example_check(e, log2((got[0].lag - got[1].lag) / (got[1].lag - got[2].lag)), 2, 0.05, "spin_up_order_in_n");
}

/* ---- Heavy top ---- */

static const double TOP_LENGTH = 1, TOP_RADIUS = 0.3, TOP_MASS = 1, GRAVITY = 9.81, TOP_SPIN = 50; /* [m] [m] [kg] [m/s^2] [rad/s] */
static const double YOUNGS_MODULUS = 1e9;                                                          /* [Pa] the weight bends it by 1e-7 */
static const double TILT = 1; /* [rad] of the axis from upright; it is let go at rest */
enum { TOP_TIMES = 400 };
static const double TOP_INTERVAL = 0.005; /* [s] */

typedef struct precession {
  double tip[TOP_TIMES + 1][3];
  double nutation; /* [s] from one cusp to the next */
} precession;

/* Time of the first maximum of z after the start. */
static double next_cusp(const precession *of) {
  for (int k = 20; k < TOP_TIMES; k++) {
    const double a = of->tip[k - 1][Z], b = of->tip[k][Z], c = of->tip[k + 1][Z];
    if (b >= a && b > c) return TOP_INTERVAL * (k + 0.5 * (a - c) / (a - 2 * b + c));
  }
  return NAN;
}

static precession spin_rod(example *e, int n, int draw) {
  precession out;
  elastica_world *world = example_world(e);
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  double *omega = per_element(e, n, 0, 0, TOP_SPIN);
  def.element_count = n;
  def.length = TOP_LENGTH;
  def.radius = TOP_RADIUS;
  def.density = TOP_MASS / (acos(-1) * TOP_RADIUS * TOP_RADIUS * TOP_LENGTH);
  def.youngs_modulus = YOUNGS_MODULUS;
  def.direction[X] = sin(TILT), def.direction[Z] = cos(TILT);
  def.omega = omega;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  free(omega);
  elastica_boundary_def pin;
  elastica_boundary_def_init(&pin, sizeof pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  example_require(e, world, elastica_add_boundary(world, rod, &pin, NULL));
  example_require(e, world, elastica_add_gravity(world, (const double[]){0, 0, -GRAVITY}, NULL));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_csv *csv = draw ? example_csv(e, "top.csv") : NULL;
  for (int k = 0; k <= TOP_TIMES; k++) {
    example_advance(e, world, k * TOP_INTERVAL);
    for (int a = 0; a < 3; a++) out.tip[k][a] = view->position[a][n];
    example_row(e, csv, k * TOP_INTERVAL, out.tip[k][X], out.tip[k][Y], out.tip[k][Z]);
  }
  out.nutation = next_cusp(&out);
  example_done(e, world);
  example_worked(e, 4e5 * n);
  return out;
}

/* n: with the inertia of n elements and n + 1 nodes; infinite: of a cylinder. */
static precession spin_rigid(double n) {
  precession out;
  const double along = TOP_MASS * TOP_RADIUS * TOP_RADIUS / 2, of_line = TOP_MASS * TOP_LENGTH * TOP_LENGTH / 3 * (1 + 0.5 / (n * n));
  rigid_top top = {.across = of_line + along / 2, .along = along};
  top.weight_moment = TOP_MASS * GRAVITY * TOP_LENGTH / 2;
  top.axis[X] = sin(TILT), top.axis[Z] = cos(TILT);
  for (int a = 0; a < 3; a++) top.spun[a] = along * TOP_SPIN * top.axis[a];
  for (int k = 0; k <= TOP_TIMES; k++) {
    if (k > 0) rigid_top_advance(&top, TOP_INTERVAL / 20, 20);
    for (int a = 0; a < 3; a++) out.tip[k][a] = TOP_LENGTH * top.axis[a];
  }
  out.nutation = next_cusp(&out);
  return out;
}

static double off_rigid(const precession *of, const precession *rigid) {
  double largest = 0;
  for (int k = 0; k <= TOP_TIMES; k++)
    for (int a = 0; a < 3; a++) largest = fmax(largest, fabs(of->tip[k][a] - rigid->tip[k][a]));
  return largest;
}

static void heavy_top(example *e) {
  const int first = e->options.mode == EXAMPLE_FULL ? 16 : 4;
  const precession rigid = spin_rigid(INFINITY);
  precession got[2];
  for (int k = 0; k < 2; k++) {
    const int n = first << k;
    const precession exact = spin_rigid(n);
    got[k] = spin_rod(e, n, k);
    example_check(e, off_rigid(&got[k], &exact), 0, 1e-5, "top_n%d_path_off_the_rigid_one", n);
    example_check(e, got[k].nutation, exact.nutation, 1e-5, "top_n%d_nutation_period", n);
  }
  example_check(e, got[1].nutation + (got[1].nutation - got[0].nutation) / 3, rigid.nutation, 4e-3 / first, "top_nutation_period");
  example_check(e, log2(off_rigid(&got[0], &rigid) / off_rigid(&got[1], &rigid)), 2, 0.1, "top_order_in_n");
}

/* ---- Table and figure ---- */

static void draw(example *e, int n) {
  example_plot(e, 1400, 900, NULL, "spaghetti n = %d to %d, dt = %g s to %g s", SIZES[0], n, 0.04 / SIZES[0], 0.04 / n);
}

/* The spaghetti in space: dt is refined with n held, then n. */
static void certified_case(example *e, int n) {
  const flight got = fly(e, 1, n, 0.04 / n, 0);
  for (int end = 0; end < 2; end++)
    for (int a = 0; a < 3; a++) example_inform(e, got.end[PARTS - 1][end][a], "%s_%c_at_10s", end ? "last" : "first", "xyz"[a]);
}

#define ENDS "time [s],first end x [1],first end y [1],first end z [1],last end x [1],last end y [1],last end z [1]"

static const example_file FILES[] = {
    {"plane.csv", ENDS, "the spaghetti in the plane with the largest n", FILE_ALWAYS},
    {"space.csv", ENDS, "the same in space", FILE_ALWAYS},
    {"errors.csv", "in space [1],n [1],at 5 s [1],at 10 s [1]", "largest distance of an end from the spectral beam", FILE_ALWAYS},
    {"spin_up.csv", "time [s],along the beam [m],behind it [m]", "displacement of the tip of the rotating beam in the frame of the hub",
     FILE_ALWAYS},
    {"top.csv", "time [s],x [m],y [m],z [m]", "the tip of the heavy top", FILE_ALWAYS},
    {"flying.pvd", NULL, "the spaghetti in space", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "flying",
                               .title = "flying spaghetti, a beam that spins up, and a heavy top (Simo and Vu-Quoc 1986, 1988)",
                               .quick = "n = 10 to 40; 2 s",
                               .normal = "n = 10 to 80; 4 s",
                               .full = "n = 10 to 160, and the lag of the rotating beam by the spectral beam; 20 s",
                               .certified = {certified_case, 20, "the spaghetti in space at n = 20; 1 s", NULL},
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int count = e.options.mode == EXAMPLE_QUICK ? 3 : e.options.mode == EXAMPLE_FULL ? 5 : 4;
  elastica_csv *errors = example_csv(&e, "errors.csv");
  example_expect(&e, work_of_spaghetti(count) + 5e6);
  for (int in_space = 0; in_space < 2; in_space++) spaghetti(&e, in_space, count, errors);
  rotating_beam(&e);
  heavy_top(&e);
  draw(&e, SIZES[count - 1]);
  return example_end(&e);
}
