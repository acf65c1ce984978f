/* Guidewire: a steel wire is pushed through a vessel in space, and a limp thread is pulled through it.
 *
 * source    G. Domokos, P. Holmes and B. Royce, Constrained Euler buckling, J. Nonlinear Sci. 7 (1997) 281 (a column between walls);
 *           D. Bigoni, F. Dal Corso, F. Bosi and D. Misseroni, Eshelby-like forces acting on elastic structures, Mech. Mater. 80 (2015)
 *           368 (the force on a rod that slides into a channel); Euler and Eytelwein (friction round a bend)
 * claim     without friction, a wire that slides into a bend of a duct is pushed back by its bending energy per length, B/(2 R^2); with
 *           friction the push decays along a bend as exp(-mu theta); so does the pull on a thread, from its other end
 * compared  column in a straight duct: wall force and shortening with a planar elastica by shooting, extrapolated in n and in the modulus
 *           of the layer. Sliding into a bend: push force in a narrow duct with that, in a wide one with the slope of the energy,
 *           at rest. In motion with friction: the push at two places of
 *           a bend with exp(mu theta); the pull at both ends of a thread with exp(mu theta) of all bends
 *
 * A thread without bending stiffness cannot be pushed: it buckles. So the rule exp(mu theta) of such a thread is that of a pull, from the
 * inner side of bends; the wire with bending stiffness is pushed and lies on the outer side, c from the axis. Where its curvature is
 * constant, the wall force q = C/R balances the push C, and dC = -mu q ds. At the ends of bends the wire presses on both sides of the duct,
 * which adds to the push. Straight parts of a pushed wire buckle to a helix in the duct.
 *
 * Motions that are slow allow a softened wire: divided by 50, its stiffness against stretch and shear still keeps the stretch below 1 %.
 * With the rotary inertia in proportion to the square the certified steps are a hundred times longer.
 */
#include "common/example.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double LENGTH = 0.5, RADIUS = 0.175e-3, DENSITY = 7850, YOUNGS_MODULUS = 200e9; /* [m] [m] [kg/m^3] [Pa] */
static const double VESSEL = 0.5e-3, CATHETER = 0.225e-3, BEND_RADIUS = 0.04;                /* [m] bores, and radius of the bends */
static const double SHEATH = 0.33, BETWEEN = 0.03, BEND_ANGLE = 1.5707963267948966;          /* [m] [m] [rad] */
static const double FRICTION = 0.2, LAYER = 1e7;                                             /* [1] [Pa] */
enum { BENDS = 2, KINKS = 6, PARTS = 30, POINTS = BENDS * KINKS + PARTS + 1 };

static double bend_stiffness(void) {
  return YOUNGS_MODULUS * acos(-1) * pow(RADIUS, 4) / 4;
}

/* ---- The vessel: a straight sheath along x, a bend towards z, a straight piece, a bend towards y, a straight piece ---- */

static void turn(double direction[3], double towards[3], double angle) {
  for (int a = 0; a < 3; a++) {
    const double along = direction[a], aside = towards[a];
    direction[a] = cos(angle) * along + sin(angle) * aside;
    towards[a] = cos(angle) * aside - sin(angle) * along;
  }
}

/* A point of the axis at s from the mouth, and the direction there. */
static void axis_at(double s, double position[3], double direction[3]) {
  static const double next[BENDS][3] = {{0, 0, 1}, {0, 1, 0}};
  double at[3] = {0, 0, 0}, along[3] = {1, 0, 0}, towards[3];
  const double arc = BEND_RADIUS * BEND_ANGLE;
  for (int k = 0; k < BENDS; k++) {
    const double straight = fmin(s, k == 0 ? SHEATH : BETWEEN), bent = fmin(fmax(s - straight, 0), arc);
    memcpy(towards, next[k], sizeof towards);
    for (int a = 0; a < 3; a++)
      at[a] += straight * along[a] + BEND_RADIUS * (sin(bent / BEND_RADIUS) * along[a] + (1 - cos(bent / BEND_RADIUS)) * towards[a]);
    turn(along, towards, bent / BEND_RADIUS);
    s -= straight + bent;
  }
  for (int a = 0; a < 3; a++) position[a] = at[a] + s * along[a];
  memcpy(direction, along, sizeof along);
}

static double vessel_length(void) {
  return SHEATH + BETWEEN * BENDS + BENDS * BEND_RADIUS * BEND_ANGLE;
}

/* A polygon with sides that touch the bends in their middle: its rounded kinks are the bends. */
static elastica_effect *add_vessel(example *e, elastica_world *world, elastica_rod *rod, double bore, double modulus, double friction) {
  static double points[3 * POINTS], radii[POINTS];
  const double part = BEND_ANGLE / KINKS, side = BEND_RADIUS * tan(part / 2);
  double direction[3], at[3];
  int count = 0;
  elastica_obstacle_def def;
  elastica_effect *out = NULL;
  for (; count < PARTS; count++) /* short pieces are found faster than a long one */
    axis_at(-0.02 + (SHEATH + 0.01) * count / PARTS, points + component(count, X), direction);
  for (int k = 0; k < BENDS; k++)
    for (int i = 0; i < KINKS; i++, count++) { /* ahead of the beginning of each part of the bend */
      axis_at(SHEATH + k * (BETWEEN + BEND_RADIUS * BEND_ANGLE) + BEND_RADIUS * part * i, at, direction);
      for (int a = 0; a < 3; a++) points[component(count, a)] = at[a] + side * direction[a];
    }
  axis_at(vessel_length(), points + component(count, X), direction);
  count++;
  for (int i = 0; i < count; i++) radii[i] = bore;
  elastica_obstacle_def_init(&def, sizeof def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC;
  def.shape = ELASTICA_SHAPE_TUBE;
  def.points = points, def.radii = radii, def.point_count = count, def.side = ELASTICA_SIDE_INSIDE;
  def.modulus = modulus;
  def.friction = friction;
  example_require(e, world, elastica_add_obstacle(world, rod, &def, &out));
  return out;
}

/* ---- The wire ---- */

typedef struct wire {
  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *vessel;
  int n;
  double bore, modulus, friction; /* [m] [Pa] [1] of the duct */
  double softer;                  /* divisor of the stiffness against stretch and shear; its square is the factor of the rotary inertia */
  double limp;                    /* divisor of the bending stiffness */
  double bump;                    /* [m] height of the half wave of an initial shape */
  double speed;                   /* [m/s] of the moving end */
  double step;                    /* [s] implicit steps; 0: explicit ones */
} wire;

/* A straight rest shape along the axis of the vessel, with its last end at s = tip. */
static void build(example *e, wire *of, double length, double tip) {
  double *position = calloc((size_t)of->n * 10 + 3, sizeof *position), *stretches = position + 3 * (of->n + 1),
         *bends = stretches + 3 * of->n;
  double *rest = bends + 3 * of->n, direction[3];
  const double area = acos(-1) * RADIUS * RADIUS, stretch = YOUNGS_MODULUS * area / of->softer, bend = bend_stiffness() / of->limp;
  elastica_rod_def def;
  of->world = example_world(e);
  if (!position) example_require(e, of->world, elastica_world_refuse(of->world, ELASTICA_OUT_OF_MEMORY, "no room for %d elements", of->n));
  for (int i = 0; i <= of->n; i++) {
    axis_at(tip - length + length * i / of->n, position + component(i, X), direction);
    position[component(i, Z)] += of->bump * (1 - cos(2 * acos(-1) * i / of->n)) / 2;
  }
  for (int j = 0; j < of->n; j++) {
    stretches[component(j, X)] = stretches[component(j, Y)] = stretch / 2.6, stretches[component(j, Z)] = stretch;
    bends[component(j, X)] = bends[component(j, Y)] = bend, bends[component(j, Z)] = bend / 1.3;
    rest[j] = length / of->n;
  }
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = of->n;
  def.position = position;
  def.rest_length = rest;
  memcpy(def.normal, (const double[]){0, 1, 0}, sizeof def.normal);
  def.radius = RADIUS;
  def.density = DENSITY;
  def.shear_stiffness = stretches;
  def.bend_stiffness = bends;
  def.rotary_inertia_scale = of->softer * of->softer;
  example_require(e, of->world, elastica_world_add_rod(of->world, &def, &of->rod));
  free(position);
  of->vessel = add_vessel(e, of->world, of->rod, of->bore, of->modulus, of->friction);
}

static void clamp(example *e, const wire *of, int node, unsigned axes, elastica_motion motion, void *user) {
  static const double straight[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
  elastica_boundary_def def;
  elastica_boundary_def_init(&def, sizeof def);
  def.node = node;
  def.axes = axes;
  memcpy(def.director, straight, sizeof straight);
  def.motion = motion;
  def.user = user;
  example_require(e, of->world, elastica_add_boundary(of->world, of->rod, &def, NULL));
}

static void load_tip(example *e, const wire *of, const double force[3]) {
  elastica_point_load_def def;
  elastica_point_load_def_init(&def, sizeof def);
  def.node = of->n;
  memcpy(def.force, force, sizeof def.force);
  example_require(e, of->world, elastica_add_point_load(of->world, of->rod, &def, NULL));
}

/* Compression of an element. */
static double compression(const example *e, const wire *of, int j) {
  example_require(e, of->world, elastica_rod_refresh(of->rod));
  return -elastica_rod_get_view(of->rod)->force[2][j];
}

/* ---- A column in a straight duct ---- */

typedef struct column {
  double wall, shortening; /* [N] force on the wall in the middle; [m] */
} column;

static const double COLUMN = 0.1; /* [m] */

static column column_at_rest(example *e, int n, double load, double modulus) {
  wire of = {.n = n, .bore = VESSEL, .modulus = modulus, .softer = 1, .limp = 1, .bump = 0.9 * (VESSEL - RADIUS)};
  double force[3];
  build(e, &of, COLUMN, COLUMN + 0.02);
  clamp(e, &of, 0, ELASTICA_AXIS_ALL, NULL, NULL);
  clamp(e, &of, -1, ELASTICA_AXIS_Y | ELASTICA_AXIS_Z, NULL, NULL);
  load_tip(e, &of, (const double[]){-load, 0, 0});
  example_relax(e, of.world);
  example_require(e, of.world, elastica_obstacle_get_force(of.vessel, force, NULL));
  const double *x = elastica_rod_get_view(of.rod)->position[X];
  const column got = {hypot(force[Y], force[Z]), COLUMN - (x[n] - x[0])};
  example_done(e, of.world);
  return got;
}

/* An inextensible planar elastica of half the length, from the clamp: B theta'' = -P sin(theta) + V cos(theta). Integrates from a couple M
 * and a force V; writes the angle and the height at its end. */
static void shoot(double load, double couple, double force, double end[3]) {
  const int steps = 400;
  const double bend = bend_stiffness(), ds = COLUMN / 2 / steps;
  double y[4] = {0, couple / bend, 0, 0}; /* angle, its rate, x, height */
  for (int k = 0; k < steps; k++) {
    double slope[4][4], at[4];
    for (int stage = 0; stage < 4; stage++) {
      for (int i = 0; i < 4; i++) at[i] = y[i] + (stage == 0 ? 0 : (stage == 3 ? 1 : 0.5) * ds * slope[stage - 1][i]);
      slope[stage][0] = at[1];
      slope[stage][1] = (-load * sin(at[0]) + force * cos(at[0])) / bend;
      slope[stage][2] = cos(at[0]);
      slope[stage][3] = sin(at[0]);
    }
    for (int i = 0; i < 4; i++) y[i] += ds / 6 * (slope[0][i] + 2 * slope[1][i] + 2 * slope[2][i] + slope[3][i]);
  }
  end[0] = y[0], end[1] = y[3], end[2] = y[2];
}

/* The middle is level and touches the wall. Newton's method from the solution for small angles. */
static column column_expected(double load) {
  const double height = VESSEL - RADIUS;
  double couple = 0.1 * load * height, force = 0, end[3], other[3];
  for (int k = 0; k < 30; k++) {
    double jacobian[2][2];
    const double dm = 1e-6 * load * height, dv = 1e-6 * load * height / COLUMN;
    shoot(load, couple, force, end);
    shoot(load, couple + dm, force, other);
    for (int i = 0; i < 2; i++) jacobian[i][0] = (other[i] - end[i]) / dm;
    shoot(load, couple, force + dv, other);
    for (int i = 0; i < 2; i++) jacobian[i][1] = (other[i] - end[i]) / dv;
    const double a = -end[0], b = height - end[1], det = jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0];
    couple += (a * jacobian[1][1] - b * jacobian[0][1]) / det;
    force += (jacobian[0][0] * b - jacobian[1][0] * a) / det;
  }
  shoot(load, couple, force, end);
  return (column){2 * fabs(force), COLUMN - 2 * end[2]};
}

/* Loads between those of first contact, 4 pi^2 B/L^2, and of a flat middle, 16 pi^2 B/L^2. The error of n is of second order; that of the
 * layer falls with the root of its modulus, because a stiffer layer is touched along a shorter length. */
static void compare_column(example *e, int n) {
  const double unit = pow(acos(-1) / COLUMN, 2) * bend_stiffness(), area = acos(-1) * RADIUS * RADIUS;
  elastica_csv *csv = example_csv(e, "column.csv");
  for (int k = 0; k < 2; k++) {
    const double multiple = k ? 7 : 5, load = multiple * unit, squeezed = load * COLUMN / (YOUNGS_MODULUS * area);
    const column exact = column_expected(load);
    column on[3];
    for (int i = 0; i < 3; i++) {
      const double modulus = LAYER * pow(4, i);
      const column coarse = column_at_rest(e, n, load, modulus), fine = column_at_rest(e, 2 * n, load, modulus);
      on[i] = (column){(4 * fine.wall - coarse.wall) / 3, (4 * fine.shortening - coarse.shortening) / 3 - squeezed};
      example_row(e, csv, multiple, modulus, on[i].wall / exact.wall - 1, on[i].shortening / exact.shortening - 1);
    }
    example_check(e, 2 * on[2].wall - on[1].wall, exact.wall, 1e-3 * exact.wall, "column_wall_force_at_%g_pi^2", multiple);
    example_check(e, 2 * on[2].shortening - on[1].shortening, exact.shortening, 1e-3 * exact.shortening, "column_shortening_at_%g_pi^2",
                  multiple);
    example_check(e, log2((on[0].wall - on[1].wall) / (on[1].wall - on[2].wall)), 1, 0.1,
                  "column_halvings_for_four_times_the_modulus_at_%g_pi^2", multiple);
  }
}

/* ---- Sliding into a bend without friction ---- */

/* The push on a wire at rest with its tip in the first bend, and its elastic energy. */
static double push_into(example *e, int n, double bore, double modulus, double inserted, double *energy) {
  wire of = {.n = n, .bore = bore, .modulus = modulus, .softer = 1, .limp = 1};
  elastica_totals sum;
  build(e, &of, 0.12, SHEATH + inserted);
  clamp(e, &of, 0, ELASTICA_AXIS_ALL, NULL, NULL);
  example_relax(e, of.world);
  example_require(e, of.world, elastica_world_get_totals(of.world, &sum));
  *energy = sum.bending + sum.shear + sum.effects;
  const double push = compression(e, &of, 1);
  example_done(e, of.world);
  return push;
}

/* In a narrow duct the wire takes the curvature of the axis. In a wide one it touches both sides in turn; the push is then the slope of the
 * energy. */
static void compare_sliding(example *e, int n) {
  const double narrow = bend_stiffness() / (2 * BEND_RADIUS * BEND_RADIUS), inserted = 0.03, ds = 1e-3;
  double before, behind, energy;
  const double push = push_into(e, n, CATHETER, LAYER, 0.04, &energy);
  example_check(e, push, narrow, 0.01 * narrow, "sliding_push_in_a_narrow_duct");
  example_inform(e, push / push_into(e, n / 2, CATHETER, LAYER, 0.04, &energy) - 1, "sliding_change_from_half_of_n");
  example_inform(e, push / push_into(e, n, CATHETER, LAYER / 10, 0.04, &energy) - 1, "sliding_change_from_a_tenth_of_the_modulus");
  (void)push_into(e, n, VESSEL, LAYER, inserted - ds, &before);
  (void)push_into(e, n, VESSEL, LAYER, inserted + ds, &behind);
  const double wide = push_into(e, n, VESSEL, LAYER, inserted, &energy), slope = (behind - before) / (2 * ds);
  example_check(e, wide, slope, 1e-3 * slope, "sliding_push_in_a_wide_vessel");
}

/* ---- Pushed and pulled with friction ---- */

static const double TIP_LOAD = 1, SPEED = 0.5, START = 2e-3, WATER = 0.02; /* [N] [m/s] [s] [kg/(m s)] */
static const double HAND = 0.05;                                           /* [m/s] of a hand */
static const double PROBED = 0.02, APART = 0.03;                           /* [m] along the first bend */

static elastica_status drive(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double speed = *(const double *)user, part = fmin(time / START, 1);
  (void)director, (void)omega;
  position[X] += speed * (part * part * part * (1 - part / 2) * START + fmax(time - START, 0));
  velocity[X] = speed * part * part * (3 - 2 * part);
  return ELASTICA_OK;
}

typedef struct moved {
  double base, tip, before, behind; /* [N] compression: at the clamp, at the tip, at two places of the first bend */
  double angle;                     /* [rad] between these */
  double seconds;                   /* of the processor */
  long steps;
} moved;

static void advance(example *e, const wire *of, double until) {
  elastica_implicit_def def;
  if (of->step == 0) {
    example_advance(e, of->world, until);
    return;
  }
  elastica_implicit_def_init(&def, sizeof def);
  def.until = until;
  def.dt = of->step;
  example_require(e, of->world, elastica_world_run_implicit(of->world, &def, NULL));
}

/* Moves the first end of the wire along the duct, against the load on its tip; averages over the second half of the motion. sign 1: pushed,
 * -1: pulled. It begins at rest without friction. */
static moved slide(example *e, wire of, double length, double way, double sign, elastica_csv *csv, const char *name) {
  double speed = sign * of.speed, direction[3], at[3];
  const double tip = vessel_length() - 0.01, spacing = length / of.n, friction = of.friction;
  const int first = (int)((length - tip + SHEATH + PROBED) / spacing), last = first + (int)(APART / spacing), frames = 40;
  elastica_dissipation_def water;
  of.friction = 0;
  build(e, &of, length, tip);
  axis_at(tip, at, direction);
  clamp(e, &of, 0, ELASTICA_AXIS_ALL, drive, &speed);
  for (int a = 0; a < 3; a++) direction[a] *= -sign * TIP_LOAD;
  load_tip(e, &of, direction);
  example_relax(e, of.world);
  elastica_dissipation_def_init(&water, sizeof water);
  water.translation = WATER;
  example_require(e, of.world, elastica_add_dissipation(of.world, of.rod, &water, NULL));
  example_require(e, of.world, elastica_effect_remove(of.vessel));
  of.vessel = add_vessel(e, of.world, of.rod, of.bore, of.modulus, friction);
  elastica_vtk *vtk = name ? example_vtk(e, of.world, name) : NULL;
  moved sum = {.angle = (last - first) * spacing / BEND_RADIUS};
  output_frame(&e->output, of.world, vtk);
  for (int k = 1; k <= frames; k++) {
    const double begun = (double)clock();
    advance(e, &of, k * (START / 2 + way / of.speed) / frames);
    sum.seconds += ((double)clock() - begun) / CLOCKS_PER_SEC;
    example_worked(e, 1);
    if (k % 5 == 0) output_frame(&e->output, of.world, vtk);
    if (2 * k <= frames) continue;
    sum.base += compression(e, &of, 1) * 2 / frames, sum.tip += compression(e, &of, of.n - 1) * 2 / frames;
    sum.before += compression(e, &of, first) * 2 / frames, sum.behind += compression(e, &of, last) * 2 / frames;
  }
  sum.steps = elastica_world_get(of.world).step_count;
  for (int j = 0; j < of.n && csv; j++) {
    const double s = tip - length + sign * way + (j + 0.5) * spacing, arc = BEND_RADIUS * BEND_ANGLE;
    const double turned = fmin(fmax(s - SHEATH, 0), arc) + fmin(fmax(s - SHEATH - arc - BETWEEN, 0), arc);
    example_row(e, csv, sign, s, turned / BEND_RADIUS, fabs(compression(e, &of, j)));
  }
  example_done(e, of.world);
  return sum;
}

/* Friction acts at the wall, at R_w, force along the wire on its centre line, at R_c: the exponent is mu R_w/R_c. */
static double exponent(double bore, double side) {
  return FRICTION * (BEND_RADIUS + side * bore) / (BEND_RADIUS + side * (bore - RADIUS));
}

/* The step limit of the wire at rest, if it were softened by this. */
static double step_of(example *e, wire of, double softer, double length) {
  elastica_step_limit limit;
  of.softer = softer;
  build(e, &of, length, vessel_length() - 0.01);
  example_require(e, of.world, elastica_world_step_limit(of.world, &limit));
  example_done(e, of.world);
  return limit.dt;
}

static void compare_friction(example *e, int n, double softer, double length, int quick) {
  const double way = quick ? 1.2e-3 : 3e-3; /* [m] the longer one slides everywhere, after the stretch of the softened wire */
  elastica_csv *csv = example_csv(e, "force.csv");
  const double limp = 1000, pi = acos(-1), pull = exponent(VESSEL, -1), push = exponent(CATHETER, 1);
  const wire steel = {.n = n, .bore = CATHETER, .modulus = LAYER, .friction = FRICTION, .softer = softer, .limp = 1, .speed = SPEED};
  const moved pushed = slide(e, steel, length, way, 1, csv, "guidewire");
  example_check(e, pushed.before / pushed.behind, exp(push * pushed.angle), 0.01 * exp(push * pushed.angle), "wire_pushed_in_a_bend");
  example_inform(e, pushed.base / pushed.tip, "wire_pushed_round_both_bends");
  example_inform(e, exp(push * pi), "wire_round_both_bends_without_bending_stiffness");
  const double soft_step = step_of(e, steel, softer, length), steel_step = step_of(e, steel, 1, length);
  example_inform(e, soft_step / steel_step, "step_at_rest_softened_by_%g_over_that_of_steel_as_it_is", softer);
  /* In motion the contact limits the steps of the softened wire. */
  example_inform(e, (START / 2 + way / SPEED) / (0.8 * steel_step) / (double)pushed.steps, "steps_of_steel_as_it_is_over_softened_by_%g",
                 softer);
  if (quick) return;
  wire thread = steel, stiffer = steel;
  thread.bore = VESSEL, thread.limp = limp;
  const moved pulled = slide(e, thread, length, way, -1, csv, NULL);
  example_check(e, pulled.base / pulled.tip, exp(pull * pi), 0.015 * exp(pull * pi), "thread_pulled_round_both_bends");
  example_check(e, pulled.before / pulled.behind, exp(pull * pulled.angle), 0.01 * exp(pull * pulled.angle), "thread_pulled_in_a_bend");
  stiffer.softer = e->options.mode == EXAMPLE_FULL ? 1 : softer / 2;
  const moved hard = slide(e, stiffer, length, way, 1, NULL, NULL);
  example_check(e, pushed.base / hard.base, 1, 0.03, "push_softened_by_%g_over_that_softened_by_%g", softer, stiffer.softer);
  example_inform(e, (double)hard.steps / (double)pushed.steps, "steps_softened_by_%g_over_softened_by_%g", stiffer.softer, softer);
}

/* Steel as it is, at the speed of a hand, in explicit and in implicit steps, without friction. */
static void compare_implicit(example *e, int n, double length, double way) {
  wire steel = {.n = n, .bore = CATHETER, .modulus = LAYER, .softer = 1, .limp = 1, .speed = HAND};
  const moved fine = slide(e, steel, length, way, 1, NULL, NULL);
  steel.step = 0.8 * RADIUS / 4 / HAND; /* in a duct a node moves by at most a quarter of the radius in one step */
  const moved coarse = slide(e, steel, length, way, 1, NULL, NULL);
  example_check(e, coarse.base / fine.base, 1, 0.01, "steel_as_it_is_push_in_implicit_over_explicit_steps");
  example_inform(e, (double)fine.steps / (double)coarse.steps, "steel_as_it_is_explicit_steps_per_implicit_one");
  example_inform(e, fine.seconds / coarse.seconds, "steel_as_it_is_gain_of_implicit_steps");
}

/* ---- The program ---- */

static const example_file FILES[] = {
    {"column.csv", "load [pi^2 B/L^2],modulus of the layer [Pa],error of the wall force [1],error of the shortening [1]",
     "the column in a straight duct, extrapolated in n", FILE_ALWAYS},
    {"force.csv", "pushed 1 or pulled -1 [1],s from the mouth [m],turned [rad],force along the wire [N]", "the last state of both wires",
     FILE_ALWAYS},
    {"guidewire.pvd", NULL, "the wire that is pushed", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  double middle[3], along[3];
  axis_at(SHEATH + BEND_RADIUS * BEND_ANGLE / 2, middle, along); /* of the first bend */
  const example_about about = {.name = "guidewire",
                               .title = "a wire is pushed through a vessel, against elasticas in ducts and exp(mu theta)",
                               .quick = "n = 50, softened by 100, pushed only; 2 s",
                               .normal = "n = 100, softened by 50; steel as it is briefly; 20 s",
                               .full = "n = 100, softened by 50 and as it is; 10 min",
                               .focus = {middle[X], middle[Y], middle[Z]},
                               .span = 0.5 * BEND_RADIUS,
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL, n = quick ? 50 : 100;
  const double softer = quick ? 100 : 50, length = quick ? 0.25 : LENGTH;
  example_expect(&e, quick ? 120 : 200);
  compare_column(&e, 40);
  compare_sliding(&e, quick ? 96 : 192);
  compare_friction(&e, n, softer, length, quick);
  if (!quick) compare_implicit(&e, full ? n : 30, full ? length : 0.25, full ? 5e-4 : 2e-5);
  char definitions[120];
  snprintf(definitions, sizeof definitions, "mu = %.9g\nsheath = %g\nturn = %.9g\n", FRICTION, SHEATH, 2 * BEND_ANGLE);
  example_plot(&e, 1300, 560, definitions, "mu = %g, n = %d, softened by %g", FRICTION, n, softer);
  return example_end(&e);
}
