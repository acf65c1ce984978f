/* Tendon finger: two cables at either side bend a soft finger, like the flexor and the extensor of a finger or of a continuum robot.
 *
 * claim     a cable of tension T at a distance h along a clamped rod bends it to an arc, kappa = T h/(E I) per length at rest, and shortens
 *           it to a = 1 - T/(E A); with its antagonist, kappa = (T1 - T2) h/(E I), a = 1 - (T1 + T2)/(E A); friction in the sheath leaves
 *           exp(-+mu phi) of the tension behind a total turn phi
 * compared  curvature, shortening and tip, (a/kappa) (1 - cos kappa L, sin kappa L), extrapolated in n; a run with motors that pull one
 *           cable and then the other, with the same shapes; the tension in a cable pulled through a finger held bent, with Euler's and
 *           Eytelwein's rule
 *
 * The cable starts at the base, in the world, at (h, 0, 0), and is guided by all nodes but the first: then the moment about every joint,
 * the clamp's own among them, is T h to second order in the bend of a joint. Since the frame behind its node carries a guide, a span of
 * the cable is inclined to its element by h kappa^2 l/2 and shears it: this vanishes with 1/n, and so does its part in the position of
 * the tip.
 */
#include "common/example.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LENGTH = 0.1, RADIUS = 4e-3, DENSITY = 1100, YOUNGS_MODULUS = 1e6; /* [m] [m] [kg/m^3] [Pa] */
static const double OFFSET = 3e-3, FLEXOR = 2, EXTENSOR = 0.8;                         /* [m] [N] [N] */
static const double DAMPING = 2.2, SPIN_DAMPING = 1e-5;                                /* [kg/(m s)] [kg m/s] */
static const double PHASE = 2, FRAME = 0.02;                                           /* [s] */
static const double FRICTION = 0.3, SLIDING_SPEED = 1e-3;                              /* [-] [m/s] */
enum { MOST = 320, MOVED = 20, SHEATH = 24 };

typedef struct finger {
  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *tendon[2];
} finger;

typedef struct shape {
  double curvature, shortening, tip[2]; /* [1/m] in the middle; a there; [m] x, z */
} shape;

/* ---- The finger ---- */

static elastica_effect *add_cable(example *e, const finger *of, int n, double offset, elastica_tendon_def def) {
  static elastica_anchor guides[MOST + 1];
  elastica_effect *effect = NULL;
  memset(guides, 0, sizeof guides);
  guides[0].offset[X] = offset;
  for (int i = 1; i <= n; i++) {
    guides[i] = (elastica_anchor){.rod = of->rod, .element = i < n ? i : n - 1, .share = i < n ? 0 : 1};
    guides[i].offset[X] = offset; /* d1 is x while the finger is straight */
  }
  def.guides = guides;
  def.guide_count = n + 1;
  example_require(e, of->world, elastica_add_tendon(of->world, &def, &effect));
  return effect;
}

static finger build(example *e, int n, double flexor, double extensor, elastica_status (*drive)(void *, double, double, double, double *)) {
  static int side[2] = {0, 1};
  finger of = {.world = example_world(e)};
  elastica_rod_def def;
  elastica_boundary_def clamp;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.length = LENGTH, def.radius = RADIUS, def.density = DENSITY, def.youngs_modulus = YOUNGS_MODULUS;
  def.normal[X] = 1, def.normal[Y] = def.normal[Z] = 0;
  example_require(e, of.world, elastica_world_add_rod(of.world, &def, &of.rod));
  elastica_boundary_def_init(&clamp, sizeof clamp);
  example_require(e, of.world, elastica_add_boundary(of.world, of.rod, &clamp, NULL));
  for (int k = 0; k < 2; k++) {
    elastica_tendon_def tendon;
    elastica_tendon_def_init(&tendon, sizeof tendon);
    tendon.tension = k == 0 ? flexor : extensor;
    tendon.drive = drive, tendon.user = &side[k];
    of.tendon[k] = add_cable(e, &of, n, k == 0 ? OFFSET : -OFFSET, tendon);
  }
  return of;
}

static double bend_stiffness(void) {
  return YOUNGS_MODULUS * acos(-1) * pow(RADIUS, 4) / 4;
}

static shape expected(double flexor, double extensor) {
  const double curvature = (flexor - extensor) * OFFSET / bend_stiffness(), turn = curvature * LENGTH;
  const double a = 1 - (flexor + extensor) / (YOUNGS_MODULUS * acos(-1) * RADIUS * RADIUS);
  return (shape){curvature, a, {a / curvature * (1 - cos(turn)), a / curvature * sin(turn)}};
}

static shape read_shape(const example *e, const finger *of) {
  const elastica_rod_view *view = elastica_rod_get_view(of->rod);
  const int n = view->element_count;
  example_require(e, of->world, elastica_rod_refresh(of->rod));
  return (shape){view->curvature[1][n / 2 - 1], view->dilatation[n / 2], {view->position[X][n], view->position[Z][n]}};
}

/* ---- At rest ---- */

static shape rest(example *e, int n, double flexor, double extensor, elastica_csv *csv) {
  const finger of = build(e, n, flexor, extensor, NULL);
  const elastica_rod_view *view = elastica_rod_get_view(of.rod);
  example_relax(e, of.world);
  const shape got = read_shape(e, &of), arc = expected(flexor, extensor);
  for (int i = 0; i <= n && csv; i++) {
    const double turn = arc.curvature * LENGTH * i / n, radius = arc.shortening / arc.curvature;
    example_row(e, csv, flexor, extensor, view->position[X][i], view->position[Z][i], radius * (1 - cos(turn)), radius * sin(turn));
  }
  example_done(e, of.world);
  return got;
}

/* Extrapolated limit for errors of second order, n doubled. The tip also has a first-order error, removed before: then eight times a
 * term in n^-3 remains. */
static double limit_of(double coarse, double fine) {
  return fine + (fine - coarse) / 3;
}

/* The three finest values of doubled n give limits, with an error of fourth order, and the order. */
static void compare(example *e, const char *name, double flexor, double extensor, int finest, elastica_csv *csv) {
  const shape arc = expected(flexor, extensor);
  shape got[3];
  for (int k = 0; k < 3; k++) got[k] = rest(e, finest >> (2 - k), flexor, extensor, k == 2 ? csv : NULL);
  const double turn = arc.curvature * LENGTH / finest, band = 10 * pow(turn, 4) + 1e-8; /* of fourth order; and relaxation */
  const double left = (got[1].curvature - arc.curvature) / (got[2].curvature - arc.curvature);
  example_check(e, limit_of(got[1].curvature, got[2].curvature), arc.curvature, band * fabs(arc.curvature), "%s_curvature_limit", name);
  example_check(e, limit_of(got[1].shortening, got[2].shortening), arc.shortening, band, "%s_shortening_limit", name);
  for (int a = 0; a < 2; a++) {
    const double without_first = 2 * got[1].tip[a] - got[0].tip[a], finer = 2 * got[2].tip[a] - got[1].tip[a];
    example_check(e, limit_of(without_first, finer), arc.tip[a], (8 * pow(turn, 3) + 1e-8) * LENGTH, "%s_tip_%c_limit", name, "xz"[a]);
  }
  example_check(e, log2(fabs(left)), 2, 0.05, "%s_curvature_order", name);
}

/* ---- In motion ---- */

/* Flexor: rises in half a phase, is held for the other half, then decreases while the extensor rises. */
static elastica_status drive(void *user, double time, double length, double rate, double *activation) {
  const int extensor = *(const int *)user;
  const double up = fmin(2 * time / PHASE, 1), over = fmin(fmax(2 * (time / PHASE - 1), 0), 1);
  (void)length, (void)rate;
  *activation *= extensor ? over : up * (1 - over);
  return ELASTICA_OK;
}

static void move(example *e) {
  finger of = build(e, MOVED, FLEXOR, EXTENSOR, drive);
  elastica_csv *csv = example_csv(e, "motion.csv");
  elastica_vtk *vtk = example_vtk(e, of.world, "tendon_finger");
  elastica_dissipation_def friction;
  elastica_tendon_info info[2];
  elastica_dissipation_def_init(&friction, sizeof friction);
  friction.translation = DAMPING, friction.rotation = SPIN_DAMPING;
  example_require(e, of.world, elastica_add_dissipation(of.world, of.rod, &friction, NULL));
  const int frames = (int)lround(2 * PHASE / FRAME);

  for (int frame = 0; frame <= frames; frame++) {
    if (frame > 0) {
      example_advance(e, of.world, frame * FRAME);
      example_worked(e, FRAME);
    }
    const shape now = read_shape(e, &of);
    for (int k = 0; k < 2; k++) example_require(e, of.world, elastica_tendon_get(of.tendon[k], &info[k], NULL, 0));
    example_row(e, csv, frame * FRAME, now.tip[0], now.tip[1], info[0].first_tension, info[1].first_tension, info[0].length,
                info[1].length);
    output_frame(&e->output, of.world, vtk);
    if (2 * frame != frames && frame != frames) continue;
    const double flexor = frame == frames ? 0 : FLEXOR, extensor = frame == frames ? EXTENSOR : 0;
    const shape still = rest(e, MOVED, flexor, extensor, NULL);
    for (int a = 0; a < 2; a++)
      example_check(e, now.tip[a], still.tip[a], 1e-5 * LENGTH, "%s_moved_tip_%c", frame == frames ? "extensor" : "flexor", "xz"[a]);
  }
  example_done(e, of.world);
}

/* ---- Friction ---- */

typedef struct pull {
  double speed, start[3];
} pull;

static elastica_status draw_cable(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const pull *by = user;
  (void)director, (void)omega;
  position[X] = by->start[X] + by->speed * time;
  velocity[X] = by->speed;
  return ELASTICA_OK;
}

static void hold_node(example *e, elastica_world *world, elastica_rod *rod, int node, elastica_motion motion, void *user) {
  elastica_boundary_def pin;
  elastica_boundary_def_init(&pin, sizeof pin);
  pin.node = node, pin.motion = motion, pin.user = user;
  pin.kind = node >= 0 ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_PIN, pin.element = node < SHEATH && node > 0 ? node : 0;
  example_require(e, world, elastica_add_boundary(world, rod, &pin, NULL));
}

/* A finger held bent by a right angle, from z to x; a ball at the end of the cable pulls it out along x, or follows it in. Returns the
 * tension at the ball divided by that at the base. */
static double tension_ratio(example *e, double speed, double *turned) {
  elastica_world *world = example_world(e);
  elastica_rod *rod = NULL;
  elastica_rod *ball = NULL;
  elastica_effect *cable = NULL;
  elastica_anchor guides[SHEATH + 3] = {{0}};
  double position[3 * (SHEATH + 1)] = {0};
  const double radius = 2 * LENGTH / acos(-1), part = acos(-1) / 2 / SHEATH, far = 5 * RADIUS;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  for (int i = 0; i <= SHEATH; i++) {
    position[component(i, X)] = radius * (1 - cos(i * part));
    position[component(i, Z)] = radius * sin(i * part);
  }
  def.element_count = SHEATH, def.position = position, def.rest = ELASTICA_REST_INITIAL;
  def.radius = RADIUS, def.density = DENSITY, def.youngs_modulus = YOUNGS_MODULUS;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  for (int i = 0; i <= SHEATH; i++) hold_node(e, world, rod, i, NULL, NULL);

  pull by = {speed, {radius + far, 0, radius}};
  elastica_body_def body;
  elastica_body_def_init(&body, sizeof body);
  body.shape = ELASTICA_SHAPE_SPHERE;
  body.radius = RADIUS, body.density = DENSITY;
  memcpy(body.position, by.start, sizeof by.start);
  body.velocity[X] = speed;
  example_require(e, world, elastica_world_add_body(world, &body, &ball));
  hold_node(e, world, ball, 0, draw_cable, &by);

  guides[0].offset[Z] = -far;
  for (int i = 0; i <= SHEATH; i++)
    guides[i + 1] = (elastica_anchor){.rod = rod, .element = i < SHEATH ? i : SHEATH - 1, .share = i < SHEATH ? 0 : 1};
  guides[SHEATH + 2].rod = ball;
  elastica_tendon_def tendon;
  elastica_tendon_def_init(&tendon, sizeof tendon);
  tendon.guides = guides, tendon.guide_count = SHEATH + 3;
  tendon.tension = FLEXOR, tendon.friction = FRICTION, tendon.sliding_speed = SLIDING_SPEED;
  example_require(e, world, elastica_add_tendon(world, &tendon, &cable));
  example_advance(e, world, 1e-3);
  elastica_tendon_info info;
  example_require(e, world, elastica_tendon_get(cable, &info, NULL, 0));
  *turned = info.turned;
  example_done(e, world);
  return info.last_tension / info.first_tension;
}

/* The regularised coefficient is mu v/sqrt(v^2 + v_s^2): at a thousand v_s it is lower by 5e-7 of mu. */
static void rub(example *e) {
  static const double speeds[] = {-1, -1e-3, 1e-3, 1};
  elastica_csv *csv = example_csv(e, "friction.csv");
  for (int k = 0; k < 4; k++) {
    double turned;
    const double ratio = tension_ratio(e, speeds[k], &turned);
    const int slow = fabs(speeds[k]) < 0.1;
    const double capstan = exp((speeds[k] > 0 ? 1 : -1) * FRICTION * acos(-1) / 2 / (slow ? sqrt(2) : 1));
    if (k == 0) example_check(e, turned, acos(-1) / 2, 1e-9, "turn_of_the_cable");
    example_check(e, ratio, capstan, 1e-6, "tension_ratio_at_%g_m/s", speeds[k]);
    example_row(e, csv, speeds[k], ratio, capstan);
  }
}

/* ---- The program ---- */

static void draw(example *e, int n) {
  example_plot(e, 1300, 520, NULL, "n = %d at rest, n = %d in motion", n, MOVED);
}

static void certified_case(example *e, int n) {
  const shape got = rest(e, n, FLEXOR, 0, NULL);
  example_inform(e, got.curvature, "curvature");
  example_inform(e, got.tip[0], "tip_x");
}

static const example_file FILES[] = {
    {"shapes.csv", "tension of the flexor [N],tension of the extensor [N],x [m],z [m],x of the arc [m],z of the arc [m]",
     "nodes at rest, for the largest n", FILE_ALWAYS},
    {"motion.csv",
     "time [s],tip x [m],tip z [m],tension of the flexor [N],tension of the extensor [N],length of the flexor [m],length of the extensor "
     "[m]",
     "the motion, one row for each frame", FILE_ALWAYS},
    {"friction.csv", "speed [m/s],tension at the ball over that at the base [1],tension ratio of the capstan [1]",
     "the cable pulled through", FILE_ALWAYS},
    {"tendon_finger.pvd", NULL, "the motion", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "tendon_finger",
                               .title = "a soft finger between two tendons, against arcs and the capstan",
                               .quick = "n = 10 to 40, and the motion; under 1 s",
                               .normal = "n = 40 to 160, and the motion; 1 s",
                               .full = "n = 80 to 320, and the motion; 2 s",
                               .certified = {certified_case, 20, "the flexor alone at rest, n = 20; under 1 s", NULL},
                               .focus = {0, 0, 0.5 * LENGTH},
                               .span = 1.4 * LENGTH,
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int finest = e.options.mode == EXAMPLE_QUICK ? 40 : e.options.mode == EXAMPLE_FULL ? MOST : 160;
  elastica_csv *shapes = example_csv(&e, "shapes.csv");
  example_expect(&e, 2 * PHASE);
  compare(&e, "flexor", FLEXOR, 0, finest, shapes);
  compare(&e, "both", FLEXOR, EXTENSOR, finest, shapes);
  move(&e);
  rub(&e);
  draw(&e, finest);
  return example_end(&e);
}
