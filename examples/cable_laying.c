/* Cable laying: a ship pays out a cable under a constant tension through a chute onto the seabed.
 *
 * source    E. E. Zajac, Dynamics and kinematics of the laying and recovery of submarine cable, Bell System Technical Journal 36 (1957)
 *           1129; the catenary with a stiff touchdown is that of pipelines (Dixon and Rutledge, J. Eng. Ind. 90 (1968) 153)
 * claim     at rest the suspended cable is a catenary, with a boundary layer of width (B/H)^(1/2) at the touchdown; under way, water and
 *           inertia lift it to the stationary shape of Zajac; an uneven bed leaves spans between tangent points
 * compared  at rest: bottom tension, tension and angle at the chute, and touchdown with closed forms, in the limit of a small bending
 *           stiffness B; the distance from touchdown to the vertex of the catenary with (B/H)^(1/2). Under way: bottom tension, shape and
 *           touchdown with the equations of Zajac with linear drag, integrated below. On the uneven bed: the tension with its first
 *           integral, and a span with the catenary that touches a trough of the bed at two points
 *
 * The chute is a tube: straight on deck, then bent downwards. All of the cable that will be laid starts on board, straight ahead of the
 * chute, with the pull of the tensioner at its end. Laid without slack it rests both on deck and on the bed, while the chute moves along.
 * Tube and bed are elastic layers; the tube has no friction, so that T + B kappa^2/2 - w z is the same on board, in the water, and on a bed
 * without friction. The seabed is a function z - h(x): its cable lies at the height h + r. The cable is softer along its axis than a real
 * one, which stretches it by 2e-3 and lengthens the step.
 */
#include "common/example.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double RADIUS = 0.05, MASS = 20, WEIGHT = 120;                 /* [m] [kg/m] [N/m] submerged */
static const double STRETCH = 5e5, STIFF = 1e9, BEND = 200;                 /* [N] under way, at rest; [N m^2] under way */
static const double DECK = 10.25, BORE = 0.3, BEND_RADIUS = 3;              /* [m] height, radius and radius of curvature of the chute */
static const double PULL = 2400;                                            /* [N] of the tensioner */
static const double SPEED = 1, DRAG = 40, SPIN_DRAG = 2;                    /* [m/s] [kg/(m s)] [kg m/s] */
static const double ANCHOR = -25, FLAT_UNTIL = 0, BUMP = 1.5, WAVE = 12;    /* [m] x of the anchor and of the first bump; height, length */
static const double START = 3, STEADY = 12, SETTLE = 8, FRAME = 0.5;        /* [s] */
static const double CHUTE_MODULUS = 2e5, BED_MODULUS = 2e5, FRICTION = 0.5; /* [Pa] [Pa] of the layers */
enum { TUBE_POINTS = 6, MOST = 2000, AVERAGED = 6 };
static const double KINK = 0.29670597283903605; /* [rad] 17 degrees, four times */

/* ---- Expected values ---- */

/* A suspended cable: horizontal force at the touchdown, angle and tension at the end of the chute; touchdown behind the chute. */
typedef struct hanging {
  double bottom, angle, tension, behind; /* [N] [rad] [N] [m] */
} hanging;

/* Centre of the bend and radius of the cable that lies on its inner side. */
static double bend_height(void) {
  return DECK - BEND_RADIUS;
}

static double lying_radius(void) {
  return BEND_RADIUS - (BORE - RADIUS);
}

/* At rest. The tension falls by w z; the cable leaves the circle z_c + R c of cosine c where the catenary has the same: a/c - a + r. */
static hanging catenary(double pull) {
  const double r = lying_radius(), z = bend_height() - RADIUS, bottom = pull - WEIGHT * (z + r), a = bottom / WEIGHT;
  const double c = (sqrt((z + a) * (z + a) + 4 * r * a) - (z + a)) / (2 * r), angle = acos(c);
  return (hanging){bottom, angle, bottom / c, r * sin(angle) + a * asinh(tan(angle))};
}

/* The stationary shape at a speed: a point at s above the touchdown. */
typedef struct zajac {
  double x, z, angle, tension;
} zajac;

/* Per length at rest. The cable leaves the ship at Q times its stretch, and lies still on the bed, where the stretch is U/Q. */
static zajac slope_of(const zajac *at, double speed, double flow) {
  const double stretch = 1 + at->tension / STRETCH, c = cos(at->angle), s = sin(at->angle), carried = MASS * flow * flow;
  return (zajac){stretch * c, stretch * s, (WEIGHT * c - DRAG * speed * s) / (at->tension - carried * stretch),
                 (WEIGHT * s + DRAG * (speed * c - flow * stretch)) / (1 - carried / STRETCH)};
}

static zajac moved(const zajac *from, const zajac *slope, double ds) {
  return (zajac){from->x + ds * slope->x, from->z + ds * slope->z, from->angle + ds * slope->angle, from->tension + ds * slope->tension};
}

static zajac zajac_step(const zajac *at, double speed, double bottom, double ds) {
  const double flow = speed / (1 + bottom / STRETCH);
  const zajac a = slope_of(at, speed, flow), at_b = moved(at, &a, ds / 2), b = slope_of(&at_b, speed, flow), at_c = moved(at, &b, ds / 2),
              c = slope_of(&at_c, speed, flow), at_d = moved(at, &c, ds), d = slope_of(&at_d, speed, flow);
  const zajac mean = {(a.x + 2 * b.x + 2 * c.x + d.x) / 6, (a.z + 2 * b.z + 2 * c.z + d.z) / 6,
                      (a.angle + 2 * b.angle + 2 * c.angle + d.angle) / 6, (a.tension + 2 * b.tension + 2 * c.tension + d.tension) / 6};
  return moved(at, &mean, ds);
}

/* Up to the chute from a bottom tension, round its bend, and along the cable on deck: returns the pull at its end. */
static double zajac_pull(double bottom, double speed, double aboard, hanging *out) {
  const double r = lying_radius(), ds = 0.01, flow = speed / (1 + bottom / STRETCH);
  zajac at = {0, RADIUS, 0, bottom};
  while (at.z < bend_height() + r * cos(at.angle) && at.x < 1000) at = zajac_step(&at, speed, bottom, ds);
  double back = -ds, step = ds;
  for (int k = 0; k < 40; k++) { /* bisects the last step */
    step /= 2;
    const zajac middle = zajac_step(&at, speed, bottom, back + step);
    if (middle.z < bend_height() + r * cos(middle.angle)) back += step;
  }
  at = zajac_step(&at, speed, bottom, back);
  *out = (hanging){bottom, at.angle, at.tension, at.x + r * sin(at.angle)};
  double tension = at.tension;
  for (int k = 0; k < 400; k++) {
    const zajac on = {0, 0, at.angle * (1 - (k + 0.5) / 400), tension}, slope = slope_of(&on, speed, flow);
    tension += slope.tension * r * at.angle / 400 / (1 + tension / STRETCH);
  }
  const zajac on = {0, 0, 0, tension}, slope = slope_of(&on, speed, flow);
  return tension + slope.tension * aboard;
}

static hanging stationary(double pull, double speed, double aboard) {
  double low = 0.1 * pull, high = pull;
  hanging out = {0};
  for (int k = 0; k < 50; k++) {
    const double middle = (low + high) / 2;
    if (zajac_pull(middle, speed, aboard, &out) < pull)
      low = middle;
    else
      high = middle;
  }
  return out;
}

/* The point at a height above the bed. */
static zajac zajac_at(double bottom, double speed, double height) {
  zajac at = {0, RADIUS, 0, bottom}, before = at;
  while (at.z < height) before = at, at = zajac_step(&at, speed, bottom, 0.002);
  const double share = at.z > before.z ? (height - before.z) / (at.z - before.z) : 0;
  return (zajac){before.x + share * (at.x - before.x), height, before.angle, before.tension + share * (at.tension - before.tension)};
}

/* At rest, the height at a place behind the bend of the chute. */
static double at_rest_height(double x) {
  const hanging of = catenary(PULL);
  const double a = of.bottom / WEIGHT, r = lying_radius();
  if (x < -of.behind) return RADIUS;
  if (x < -r * sin(of.angle)) return RADIUS + a * (cosh((x + of.behind) / a) - 1);
  return bend_height() + (x < 0 ? sqrt(r * r - x * x) : r);
}

/* From the touchdown to the vertex of the catenary that the cable approaches, with bending stiffness B on a bed of modulus k. In the water
 * kappa = (w/H) (1 - C exp(-s/l)), l = (B/H)^(1/2); on the bed the cable sinks by w/k - Re(A exp(m s)), B m^4 - H m^2 + k = 0. Overlap,
 * slope, couple and shear force are continuous. For a hard bed this is l. */
static double touchdown_before_vertex(double bottom, double bend, double modulus) {
  const double width = sqrt(bend / bottom), mean = bottom / (2 * bend), p = sqrt((sqrt(modulus / bend) + mean) / 2),
               q = sqrt((sqrt(modulus / bend) - mean) / 2);
  const double square[2] = {p * p - q * q, 2 * p * q}, cube[2] = {p * square[0] - q * square[1], p * square[1] + q * square[0]};
  const double real = WEIGHT / modulus, curve = WEIGHT / bottom;
  /* Re(A m^2) = curve (1 - C), Re(A m^3) = curve C/l, with A = real + i b. */
  const double c = (curve - square[0] * real + square[1] / cube[1] * cube[0] * real) / (curve + square[1] / cube[1] * curve / width);
  const double b = (cube[0] * real - curve * c / width) / cube[1], slope = p * real - q * b;
  return c * width - slope / curve;
}

/* The span over a trough: half its width, height of its middle; `level` is T/w - z, the same along the cable. Bisects the half width x:
 * the catenary a cosh(x/a) has the slope of the bed there. */
static double bed_height(double x) {
  return x <= FLAT_UNTIL ? 0 : BUMP / 2 * (1 - cos(2 * acos(-1) / WAVE * (x - FLAT_UNTIL)));
}

static double bed_slope(double x) {
  const double q = 2 * acos(-1) / WAVE;
  return x <= FLAT_UNTIL ? 0 : BUMP / 2 * q * sin(q * (x - FLAT_UNTIL));
}

static void span_over(double trough, double level, double *half, double *middle) {
  double low = 1e-3 * WAVE, high = 0.5 * WAVE, lowest = RADIUS;
  for (int k = 0; k < 100; k++) {
    const double x = (low + high) / 2;
    for (int i = 0; i < 20; i++) /* a = level + lowest depends on the height of the lowest point */
      lowest = bed_height(trough + x) + RADIUS - (level + lowest) * (cosh(x / (level + lowest)) - 1);
    if (sinh(x / (level + lowest)) < bed_slope(trough + x))
      low = x;
    else
      high = x;
  }
  *half = low;
  *middle = lowest;
}

/* ---- The cable, the bed and the chute ---- */

typedef struct ship {
  double speed; /* [m/s] reached after START seconds; 0: at rest */
  double stop;  /* [s] */
} ship;

typedef struct scene {
  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *bed, *chute, *deck;
  elastica_obstacle_def bed_def;
  ship ship;
  int n;
  double stretch, bend;         /* [N] [N m^2] */
  double bed_modulus, friction; /* [Pa] [1] */
  double place;                 /* [m] x of the ship at time 0 */
} scene;

/* Starts and stops smoothly, in START seconds. */
static double travelled(const ship *of, double t) {
  const double rise = fmin(t, START) / START, fall = fmin(fmax(t - of->stop, 0), START) / START;
  const double begun = rise * rise * rise * (1 - rise / 2) * START, ended = fall * fall * fall * (1 - fall / 2) * START;
  return of->speed * (begun + fmax(t - START, 0) - ended - fmax(t - of->stop - START, 0));
}

static double ship_speed(const ship *of, double t) {
  const double rise = fmin(t, START) / START, fall = fmin(fmax(t - of->stop, 0), START) / START;
  return of->speed * (rise * rise * (3 - 2 * rise) - fall * fall * (3 - 2 * fall));
}

static elastica_status sail(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const ship *of = user;
  (void)director, (void)omega;
  position[X] += travelled(of, time);
  velocity[X] = ship_speed(of, time);
  return ELASTICA_OK;
}

static elastica_status seabed(void *user, const double point[3], double *distance, double gradient[3]) {
  (void)user;
  *distance = point[Z] - bed_height(point[X]);
  gradient[X] = -bed_slope(point[X]);
  gradient[Y] = 0;
  gradient[Z] = 1;
  return ELASTICA_OK;
}

/* A point of the cable at s from the anchor, as it hangs without bending stiffness; the bend of the chute begins at x = 0. */
static void lie(const hanging *of, double s, double position[3]) {
  const double r = lying_radius(), a = of->bottom / WEIGHT, laid = -of->behind - ANCHOR, free = a * tan(of->angle), bent = r * of->angle;
  position[Y] = 0;
  if (s < laid) {
    position[X] = ANCHOR + s;
    position[Z] = RADIUS;
  } else if (s < laid + free) {
    const double x = a * asinh((s - laid) / a);
    position[X] = -of->behind + x;
    position[Z] = RADIUS + a * (cosh(x / a) - 1);
  } else if (s < laid + free + bent) {
    const double left = of->angle - (s - laid - free) / r;
    position[X] = -r * sin(left);
    position[Z] = bend_height() + r * cos(left);
  } else {
    position[X] = s - laid - free - bent;
    position[Z] = bend_height() + r;
  }
}

static elastica_obstacle_def moving_layer(scene *of) {
  elastica_obstacle_def def;
  elastica_obstacle_def_init(&def, sizeof def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC;
  def.modulus = CHUTE_MODULUS;
  def.position[X] = of->place;
  def.motion = sail, def.user = &of->ship;
  return def;
}

/* A tube that bends, and a deck ahead of it, level with its lower side. */
static void add_ship(example *e, scene *of, double deck) {
  static double points[3 * TUBE_POINTS], radii[TUBE_POINTS];
  const double side = 2 * BEND_RADIUS * tan(KINK / 2); /* arcs begin half-way to the next point */
  double x = side / 2, z = DECK;
  for (int k = 0; k < TUBE_POINTS; k++) {
    points[component(k, X)] = x, points[component(k, Z)] = z, radii[k] = BORE;
    x -= side * cos(k * KINK), z -= side * sin(k * KINK);
  }
  elastica_obstacle_def tube = moving_layer(of), box = tube;
  tube.shape = ELASTICA_SHAPE_TUBE;
  tube.points = points, tube.radii = radii, tube.point_count = TUBE_POINTS, tube.side = ELASTICA_SIDE_INSIDE;
  example_require(e, of->world, elastica_add_obstacle(of->world, of->rod, &tube, &of->chute));
  box.shape = ELASTICA_SHAPE_BOX;
  box.edges[X] = deck, box.edges[Y] = 1, box.edges[Z] = 0.2;
  box.position[X] += side / 2 + 3 * RADIUS + deck / 2, box.position[Z] = DECK - BORE - 0.1;
  example_require(e, of->world, elastica_add_obstacle(of->world, of->rod, &box, &of->deck));
}

static void add_bed(example *e, scene *of) {
  const double q = 2 * acos(-1) / WAVE;
  elastica_obstacle_def *def = &of->bed_def;
  elastica_obstacle_def_init(def, sizeof *def);
  def->kind = ELASTICA_OBSTACLE_ELASTIC;
  def->shape = ELASTICA_SHAPE_SURFACE;
  def->surface = seabed;
  def->surface_slope = 1.001 * hypot(1, BUMP / 2 * q);
  def->surface_curvature = 1.001 * BUMP / 2 * q * q;
  def->modulus = of->bed_modulus;
  def->friction = of->friction;
  example_require(e, of->world, elastica_add_obstacle(of->world, of->rod, def, &of->bed));
}

/* n elements from the anchor on the bed to `aboard` meters ahead of the bend; in the shape of a laid cable, if there is one. */
static void build(example *e, scene *of, int n, double aboard, const elastica_rod_view *laid) {
  const hanging shape = catenary(PULL);
  const double length = -shape.behind - ANCHOR + shape.bottom / WEIGHT * tan(shape.angle) + lying_radius() * shape.angle + aboard;
  double *position = calloc((size_t)n * 10 + 3, sizeof *position), *stretches = position + 3 * (n + 1), *bends = stretches + 3 * n;
  double *rest_length = bends + 3 * n;
  elastica_rod_def def;
  of->world = example_world(e);
  of->n = n;
  if (!position) example_require(e, of->world, elastica_world_refuse(of->world, ELASTICA_OUT_OF_MEMORY, "no room for %d elements", n));
  for (int i = 0; i <= n; i++) {
    lie(&shape, length * i / n, position + component(i, X));
    for (int a = 0; a < 3 && laid; a++) position[component(i, a)] = laid->position[a][i];
  }
  for (int k = 0; k < 3 * n; k++) stretches[k] = of->stretch, bends[k] = of->bend;
  for (int j = 0; j < n; j++) rest_length[j] = length / n;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.position = position;
  def.rest_length = rest_length;
  def.radius = RADIUS;
  def.density = MASS / (acos(-1) * RADIUS * RADIUS);
  def.shear_stiffness = stretches;
  def.bend_stiffness = bends;
  def.rotary_inertia_scale = 100; /* turns are slow: the step is then that of axial waves */
  example_require(e, of->world, elastica_world_add_rod(of->world, &def, &of->rod));
  free(position);

  elastica_boundary_def anchor;
  elastica_point_load_def pull;
  elastica_dissipation_def water;
  elastica_boundary_def_init(&anchor, sizeof anchor);
  anchor.kind = ELASTICA_BOUNDARY_PIN;
  anchor.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
  example_require(e, of->world, elastica_add_boundary(of->world, of->rod, &anchor, NULL));
  elastica_point_load_def_init(&pull, sizeof pull);
  pull.node = n, pull.force[X] = PULL;
  example_require(e, of->world, elastica_add_point_load(of->world, of->rod, &pull, NULL));
  example_require(e, of->world, elastica_add_gravity(of->world, (const double[]){0, 0, -WEIGHT / MASS}, NULL));
  elastica_dissipation_def_init(&water, sizeof water);
  water.translation = DRAG, water.rotation = SPIN_DRAG;
  example_require(e, of->world, elastica_add_dissipation(of->world, of->rod, &water, NULL));
  add_bed(e, of);
  add_ship(e, of, aboard + 1);
}

/* ---- Measurements ---- */

/* The first x behind the anchor where the cable rises through a height. */
static double rises_at(const scene *of, double height) {
  const double *const *r = elastica_rod_get_view(of->rod)->position;
  int i = 1;
  while (i < of->n && r[Z][i] < height) i++;
  return r[X][i - 1] + (height - r[Z][i - 1]) / (r[Z][i] - r[Z][i - 1]) * (r[X][i] - r[X][i - 1]);
}

/* Normal force per length of an element on bed and chute. */
static void read_pressure(const example *e, const scene *of, double *pressure) {
  const elastica_rod_view *view = elastica_rod_get_view(of->rod);
  static elastica_contact_point point[MOST];
  for (int j = 0; j < of->n; j++) pressure[j] = 0;
  for (int k = 0; k < 3; k++) {
    elastica_effect *const on = k == 0 ? of->bed : k == 1 ? of->chute : of->deck;
    int count;
    example_require(e, of->world, elastica_contact_get(on, point, MOST, &count));
    for (int c = 0; c < count && c < MOST; c++) pressure[point[c].element[0]] += point[c].force / view->length[point[c].element[0]];
  }
}

/* The tension of each element without the part q r/2 that a normal force q per length squeezes out: a cable that is stretched gets
 * thinner, so that pressure from the side stretches it. */
static void read_tension(const example *e, const scene *of, double *tension) {
  const elastica_rod_view *view = elastica_rod_get_view(of->rod);
  example_require(e, of->world, elastica_rod_refresh(of->rod));
  read_pressure(e, of, tension);
  for (int j = 0; j < of->n; j++) tension[j] = view->force[2][j] - tension[j] * elastica_rod_radius(view, j) / 2;
}

/* On the flat bed in front of the anchor. */
static double bottom_tension(const example *e, const scene *of) {
  static double tension[MOST];
  int j = 0;
  read_tension(e, of, tension);
  while (elastica_rod_get_view(of->rod)->position[X][j] < ANCHOR + 3) j++;
  return tension[j];
}

/* The tension where the cable first rises through a height. */
static double tension_at(const example *e, const scene *of, double height) {
  const double *const *r = elastica_rod_get_view(of->rod)->position;
  static double tension[MOST];
  int j = 1;
  read_tension(e, of, tension);
  while (j < of->n - 1 && r[Z][j] + r[Z][j + 1] < 2 * height) j++;
  const double below = (r[Z][j - 1] + r[Z][j]) / 2, above = (r[Z][j] + r[Z][j + 1]) / 2;
  return tension[j - 1] + (height - below) / (above - below) * (tension[j] - tension[j - 1]);
}

/* T + T^2/(2 E A) + B kappa^2/2 - w z without the pressure's part, in the middle of an element. */
static double first_integral(const scene *of, const double *tension, int j) {
  const elastica_rod_view *view = elastica_rod_get_view(of->rod);
  double bent = 0;
  for (int k = j - 1; k <= j; k++)
    for (int a = 0; a < 2; a++) bent += view->curvature[a][k] * view->curvature[a][k] / 2;
  return tension[j] * (1 + tension[j] / (2 * of->stretch)) + of->bend * bent / 2 -
         WEIGHT * (view->position[Z][j] + view->position[Z][j + 1]) / 2;
}

/* ---- At rest on a flat bed ---- */

static const double STIFFER = 400, SOFTER = 100, LAYERED = 1000, HARD_BED = 2e6; /* [N m^2] [Pa] */

typedef struct at_rest {
  double bottom, vertex, touchdown, middle; /* [N]; x [m] of the vertex of the catenary, of the last contact, and at half the height */
} at_rest;

static at_rest rest(example *e, int n, double bend, double bed_modulus, elastica_csv *csv) {
  scene of = {.stretch = STIFF, .bend = bend, .bed_modulus = bed_modulus};
  double lift[3];
  build(e, &of, n, 5, NULL);
  example_relax(e, of.world);
  example_require(e, of.world, elastica_obstacle_get_force(of.bed, lift, NULL));
  const at_rest got = {bottom_tension(e, &of), ANCHOR - lift[Z] / WEIGHT, rises_at(&of, RADIUS), rises_at(&of, DECK / 2)};
  const double *const *r = elastica_rod_get_view(of.rod)->position;
  for (int i = 0; i <= n && csv; i++) example_row(e, csv, r[X][i], r[Z][i], at_rest_height(r[X][i]));
  example_done(e, of.world);
  return got;
}

static void compare_at_rest(example *e, int n) {
  const hanging limp = catenary(PULL);
  const double a = limp.bottom / WEIGHT, middle = -limp.behind + a * acosh(1 + (DECK / 2 - RADIUS) / a);
  const at_rest stiff = rest(e, n, STIFFER, HARD_BED, NULL), soft = rest(e, n, SOFTER, HARD_BED, example_csv(e, "rest.csv"));
  example_check(e, soft.bottom, limp.bottom, 3e-4 * limp.bottom, "rest_bottom_tension");
  example_check(e, (4 * soft.vertex - stiff.vertex) / 3, -limp.behind, 0.004, "rest_touchdown_of_a_limp_cable");
  example_check(e, (4 * soft.middle - stiff.middle) / 3, middle, 0.004, "rest_at_half_the_height_of_a_limp_cable");
  for (int k = 0; k < 2; k++) {
    const double modulus = k ? HARD_BED : HARD_BED / 10, expected = touchdown_before_vertex(limp.bottom, LAYERED, modulus);
    const at_rest layered = rest(e, 2 * n, LAYERED, modulus, NULL);
    example_check(e, layered.vertex - layered.touchdown, expected, 0.02 * expected, "rest_touchdown_before_vertex_for_a_bed_of_%g_Pa",
                  modulus);
  }
  example_inform(e, sqrt(LAYERED / limp.bottom), "rest_touchdown_before_vertex_on_a_hard_bed");
}

/* ---- Under way ---- */

static const double LOW = 1, MIDDLE = 4, HIGH = 6; /* [m] heights of measurement */

/* Sums over frames: elements that pass the bend make the tension vary by a few per cent. */
typedef struct under_way {
  double tension, reach, behind; /* [N] at MIDDLE; [m] from LOW to HIGH; from MIDDLE to the ship */
  int frames;
} under_way;

static void read_under_way(const example *e, const scene *of, under_way *sum) {
  sum->tension += tension_at(e, of, MIDDLE);
  sum->reach += rises_at(of, HIGH) - rises_at(of, LOW);
  sum->behind += travelled(&of->ship, elastica_world_get(of->world).time) - rises_at(of, MIDDLE);
  sum->frames++;
}

static void compare_under_way(example *e, const scene *of, double aboard, const under_way *sum) {
  const double at = travelled(&of->ship, elastica_world_get(of->world).time), speed = of->ship.speed, count = sum->frames;
  const hanging oracle = stationary(PULL, speed, aboard - at), still = catenary(PULL);
  const zajac low = zajac_at(oracle.bottom, speed, LOW), middle = zajac_at(oracle.bottom, speed, MIDDLE),
              high = zajac_at(oracle.bottom, speed, HIGH);
  const double reach = high.x - low.x, behind = oracle.behind - middle.x, a = still.bottom / WEIGHT;
  example_check(e, sum->tension / count, middle.tension, 0.01 * middle.tension, "under_way_tension_at_%g_m", MIDDLE);
  example_check(e, sum->reach / count, reach, 0.01 * reach, "under_way_reach_from_%g_to_%g_m", LOW, HIGH);
  example_check(e, sum->behind / count, behind, 0.01 * behind, "under_way_behind_the_ship_at_%g_m", MIDDLE);
  example_inform(e, still.behind - a * acosh(1 + (MIDDLE - RADIUS) / a), "at_rest_behind_the_ship_at_%g_m", MIDDLE);
  elastica_csv *csv = example_csv(e, "under_way.csv");
  const double *const *r = elastica_rod_get_view(of->rod)->position;
  for (int i = 0; i <= of->n && csv; i++)
    if (r[Z][i] > RADIUS && r[X][i] < at - lying_radius())
      example_row(e, csv, r[X][i] - at, r[Z][i], zajac_at(oracle.bottom, speed, r[Z][i]).x - oracle.behind);
}

/* Lays the cable; returns the place of the ship at its stop. */
static double lay(example *e, scene *of, int n, double travel, double speed) {
  const double aboard = travel + 4;
  of->ship = (ship){speed, travel / speed};
  build(e, of, n, aboard, NULL);
  elastica_obstacle_def *bed = &of->bed_def;
  bed->friction = 0; /* the cable begins without friction between it and the bed */
  example_require(e, of->world, elastica_obstacle_set(of->bed, bed));
  example_relax(e, of->world);
  bed->friction = of->friction;
  example_require(e, of->world, elastica_obstacle_set(of->bed, bed));
  elastica_vtk *vtk = example_vtk(e, of->world, "cable_laying");
  under_way sum = {0};
  const double end = of->ship.stop + START + (e->options.mode == EXAMPLE_QUICK ? 0 : SETTLE);
  const int frames = (int)ceil(end / FRAME), measured = (int)(STEADY / FRAME);
  output_frame(&e->output, of->world, vtk);
  for (int k = 1; k <= frames; k++) {
    example_advance(e, of->world, k * FRAME);
    example_worked(e, FRAME);
    output_frame(&e->output, of->world, vtk);
    if (k > measured - AVERAGED && k <= measured) read_under_way(e, of, &sum);
    if (k == measured) compare_under_way(e, of, aboard, &sum);
  }
  return travelled(&of->ship, end);
}

/* ---- On the uneven bed ---- */

/* The height of the cable over the middle of a trough, after it has slid on the bed to rest. */
static double hang_over(example *e, const scene *laid, double bend, double place, double aboard, double trough, double *level,
                        elastica_csv *csv) {
  static double tension[MOST];
  scene of = {.stretch = STIFF, .bend = bend, .bed_modulus = HARD_BED, .place = place};
  build(e, &of, laid->n, aboard, elastica_rod_get_view(laid->rod));
  example_relax(e, of.world);
  read_tension(e, &of, tension);
  const double *const *r = elastica_rod_get_view(of.rod)->position;
  double least = INFINITY, most = -INFINITY;
  for (int j = 1; j < of.n - 1; j++) {
    const double all = first_integral(&of, tension, j);
    least = fmin(least, all), most = fmax(most, all);
    if (csv) example_row(e, csv, r[X][j], r[Z][j], bed_height(r[X][j]), tension[j], all);
  }
  example_check(e, (most - least) / PULL, 0, 0.01, "uneven_first_integral_varies_by_for_B_%g", bend);
  int i = 1;
  while (i < of.n && r[X][i] < trough) i++;
  const double height = r[Z][i - 1] + (trough - r[X][i - 1]) / (r[X][i] - r[X][i - 1]) * (r[Z][i] - r[Z][i - 1]);
  *level = PULL * (1 + PULL / (2 * STIFF)) / WEIGHT - r[Z][of.n];
  example_done(e, of.world);
  return height;
}

static void compare_uneven(example *e, const scene *laid, double place, double aboard) {
  const double trough = FLAT_UNTIL + WAVE;
  double level, half, middle, height[2];
  elastica_csv *csv = example_csv(e, "uneven.csv");
  for (int k = 0; k < 2; k++) height[k] = hang_over(e, laid, k ? SOFTER / 4 : SOFTER, place, aboard, trough, &level, k ? csv : NULL);
  span_over(trough, level, &half, &middle);
  example_check(e, (4 * height[1] - height[0]) / 3, middle, 0.01 * middle, "uneven_height_over_the_trough_of_a_limp_cable");
  example_inform(e, 2 * half, "uneven_span_over_the_trough");
}

/* ---- The program ---- */

static const example_file FILES[] = {
    {"rest.csv", "x [m],z of the cable [m],z of a limp cable [m]", "nodes of a cable at rest on the flat bed", FILE_ALWAYS},
    {"under_way.csv", "x from the ship [m],z [m],x of Zajac at this height [m]", "nodes under way", FILE_ALWAYS},
    {"uneven.csv", "x [m],z [m],z of the bed [m],tension [N],first integral [N]", "elements on the uneven bed, at rest", FILE_NOT_QUICK},
    {"cable_laying.pvd", NULL, "the cable, the chute and the bed", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "cable_laying",
                               .title = "a ship lays a cable on the seabed, against catenaries and the shape of Zajac",
                               .quick = "at rest with n = 200; 11 m laid with n = 80; 2 s",
                               .normal = "at rest with n = 400; 36 m laid with n = 160; 10 s",
                               .full = "at rest with n = 800; 36 m laid with n = 320; 1 min",
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL;
  const double travel = quick ? 11 : 36;
  scene of = {.stretch = STRETCH, .bend = BEND, .bed_modulus = BED_MODULUS, .friction = FRICTION};
  example_expect(&e, travel / SPEED + START + SETTLE);
  compare_at_rest(&e, quick ? 200 : full ? 800 : 400);
  const double place = lay(&e, &of, quick ? 80 : full ? 320 : 160, travel, SPEED);
  if (!quick) compare_uneven(&e, &of, place, travel + 4);
  example_done(&e, of.world);
  char definitions[80];
  snprintf(definitions, sizeof definitions, "n = %d\n", of.n);
  example_plot(&e, 1300, 640, definitions, "pull %g N, ship at %g m/s", PULL, SPEED);
  return example_end(&e);
}
