#include "arm_laws.h"

#include <math.h>

static const double TILT = 12.5, SLOPE = 17.99;              /* [degrees] of the short head and of the lower tendon */
static const double COIL_RADIUS = 0.01, COIL_HEIGHT = 0.425; /* [m] */
enum { COIL_TURNS = 9, COIL_ELEMENTS = 108 };

static double radians(double degrees) {
  return acos(-1) / 180 * degrees;
}

/* Adds a rod with the stretch and shear stiffness of the plan. stiffness [3 n] is memory for it. */
static elastica_rod *add_rod(example *e, arm *of, elastica_rod_def *def, double *stiffness) {
  elastica_rod *rod = NULL;
  for (int j = 0; j < def->element_count; j++) {
    const double r = def->element_radius ? def->element_radius[j] : def->radius, area = acos(-1) * r * r / 10;
    for (int a = 0; a < 3; a++) stiffness[3 * j + a] = area * (a < 2 ? def->shear_factor * def->shear_modulus : def->youngs_modulus);
  }
  if (of->plan.quasistatic) def->shear_stiffness = stiffness, def->rotary_inertia_scale = 25;
  example_require(e, of->world, elastica_world_add_rod(of->world, def, &rod));
  return rod;
}

/* ---- Bones and tendons ---- */

typedef struct part {
  int n;
  double start[3], direction[3], normal[3];
  double youngs_modulus, density, shear_factor;
  double radius[20];
} part;

static void add_part(example *e, arm *of, const part *p, int number) {
  elastica_rod_def def;
  elastica_dissipation_def friction;
  double stiffness[3 * 20];
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = p->n;
  for (int a = 0; a < 3; a++) def.start[a] = p->start[a], def.direction[a] = p->direction[a], def.normal[a] = p->normal[a];
  def.length = p->n * ARM_STEP;
  def.element_radius = p->radius;
  def.radius = p->radius[0];
  def.density = p->density;
  def.youngs_modulus = p->youngs_modulus;
  def.shear_modulus = 2 * p->youngs_modulus / 3;
  def.shear_factor = p->shear_factor;
  elastica_rod *rod = add_rod(e, of, &def, stiffness);
  elastica_dissipation_def_init(&friction, sizeof friction);
  friction.translation = friction.rotation = 0.5;
  example_require(e, of->world, elastica_add_dissipation(of->world, rod, &friction, NULL));
  bundle_stiffen(e, of->world, rod, of->plan.viscosity);
  of->rod[number] = elastica_rod_get_view(rod);
}

/* A bone: a uniform shaft with thicker ends of two elements each. */
static void add_bone(example *e, arm *of, int number, int n, double x, double top, const double radius[3]) {
  part p = {.n = n, .start = {x, 0, top}, .direction = {0, 0, -1}, .normal = {1, 0, 0}, .youngs_modulus = 15e9, .density = 1750};
  p.shear_factor = 4.0 / 3;
  for (int j = 0; j < n; j++) {
    const int from_end = j < n - 1 - j ? j : n - 1 - j;
    p.radius[j] = radius[from_end < 2 ? from_end : 2];
  }
  add_part(e, of, &p, number);
}

static void add_tendons(example *e, arm *of) {
  const double tilt = radians(TILT), slope = radians(SLOPE);
  part p = {.n = 7,
            .start = {-0.0105, -0.0315, 1},
            .direction = {0, 0, -1},
            .normal = {1, 0, 0},
            .youngs_modulus = 0.5e9,
            .density = 1670,
            .shear_factor = 40.0 / 3};
  for (int j = 0; j < 7; j++) p.radius[j] = 0.005 + 0.0174 * j * j / 36;
  add_part(e, of, &p, ARM_LONG_TENDON);
  part q = p;
  q.n = 8;
  q.start[X] = 0.063;
  q.direction[X] = -sin(tilt), q.direction[Z] = -cos(tilt);
  q.normal[X] = 0, q.normal[Y] = 1;
  for (int j = 0; j < 8; j++) q.radius[j] = 0.005 + 0.0024 * j;
  add_part(e, of, &q, ARM_SHORT_TENDON);
  p.start[Y] = 0, p.start[Z] = 0.592;
  p.direction[Y] = -sin(slope), p.direction[Z] = cos(slope);
  for (int j = 0; j < 7; j++) p.radius[j] = 0.005 + 0.0186 * j * j / 36;
  add_part(e, of, &p, ARM_LOWER_TENDON);
}

/* ---- Ties ---- */

static void tie(arm *of, int first, int node, int second, int at, double stiffness, const double offset[3], unsigned on_first) {
  link *l = &of->links[of->link_count++];
  *l = (link){{first, second}, {node, at}, stiffness, {0, 0, 0}, {on_first, on_first}, 1};
  for (int a = 0; a < 3 && offset; a++) l->offset[a] = offset[a];
}

/* Six inner and twelve outer parallel fibres, tied to the upper and the lower tendon. */
static void add_head(example *e, arm *of, int second_head) {
  static const double lower_offset[2][3] = {{0, 0, -0.012013}, {-0.00008947, -0.0052477, -0.004785}};
  const int upper = second_head ? ARM_SHORT_TENDON : ARM_LONG_TENDON, node = second_head ? 6 : 5, lower_node = second_head ? 5 : 6;
  const double tilt = radians(second_head ? TILT : 0), direction[3] = {-sin(tilt), 0, -cos(tilt)};
  const double normal[3] = {second_head ? 0 : 1, second_head ? 1 : 0, 0};
  for (int k = 0; k < ARM_FIBRES / 2; k++) {
    const double ring = k < 6 ? (second_head ? 0.0083 : 0.0082) : (second_head ? 0.017 : 0.016);
    const double angle = radians(k < 6 ? 15 + 60 * k : 30 * (k - 6)), offset[3] = {ring * cos(angle), ring * sin(angle), 0};
    const int number = ARM_FIBRE + second_head * ARM_FIBRES / 2 + k;
    double start[3], low[3];
    for (int a = 0; a < 3; a++) {
      start[a] = of->rod[upper]->position[a][node] + offset[a];
      low[a] = lower_offset[second_head][a] + offset[a];
    }
    of->rod[number] = elastica_rod_get_view(bundle_add_fibre(e, of->world, start, direction, normal, of->plan.viscosity));
    tie(of, upper, node, number, 0, ARM_SPRING / 2, offset, ELASTICA_AXIS_ALL);
    tie(of, ARM_LOWER_TENDON, lower_node, number, BUNDLE_ELEMENTS, ARM_SPRING / 2, low, ELASTICA_AXIS_ALL);
  }
}

static void tie_bones(arm *of) {
  const unsigned in_plane = ELASTICA_AXIS_Y | ELASTICA_AXIS_Z;
  tie(of, ARM_RADIUS, 0, ARM_ULNA, 0, ARM_SPRING, NULL, in_plane);
  tie(of, ARM_RADIUS, 15, ARM_ULNA, 15, ARM_SPRING, NULL, in_plane);
  tie(of, ARM_RADIUS, ARM_HOLD_NODE, ARM_LOWER_TENDON, 0, ARM_SPRING, NULL, in_plane);
  of->links[of->link_count - 1].axes[1] = ELASTICA_AXIS_ALL;
}

/* ---- The coil ---- */

static elastica_status untwist(void *user, double time, int place, double s, double *activation) {
  const arm *of = user;
  (void)place, (void)s;
  *activation = of->coil_twist * (1 - 1 / (1 + time));
  return ELASTICA_OK;
}

/* A helix about z with given frames: these define the rest shape, and the rest strain is zero, so the coil is built with a small shear.
 * A rest twist that decreases as 1/(1 + t) is a couple about d3 of G I3 times its decrease. */
static void add_coil(example *e, arm *of) {
  double position[3 * (COIL_ELEMENTS + 1)], frame[9 * COIL_ELEMENTS], strain[3 * COIL_ELEMENTS] = {0}, amplitude[COIL_ELEMENTS - 1];
  const double rise = COIL_HEIGHT / (2 * acos(-1) * COIL_TURNS), step = 2 * acos(-1) * COIL_TURNS / COIL_ELEMENTS;
  const double speed = sqrt(COIL_RADIUS * COIL_RADIUS + rise * rise), origin[3] = {-0.0105, -0.09, 0.575};
  for (int i = 0; i <= COIL_ELEMENTS; i++) {
    const double angle = step * i + acos(-1) / 2;
    position[component(i, X)] = origin[X] + COIL_RADIUS * cos(angle);
    position[component(i, Y)] = origin[Y] + COIL_RADIUS * sin(angle);
    position[component(i, Z)] = origin[Z] + rise * step * i;
  }
  for (int j = 0; j < COIL_ELEMENTS; j++) {
    const double angle = step * (j + 0.5) + acos(-1) / 2, c = cos(angle), s = sin(angle);
    const double d1[3] = {-c, -s, 0}, d3[3] = {-COIL_RADIUS * s / speed, COIL_RADIUS * c / speed, rise / speed};
    for (int a = 0; a < 3; a++) {
      frame[frame_entry(j, 0, a)] = d1[a];
      frame[frame_entry(j, 1, a)] = d3[(a + 1) % 3] * d1[(a + 2) % 3] - d3[(a + 2) % 3] * d1[(a + 1) % 3];
      frame[frame_entry(j, 2, a)] = d3[a];
    }
  }
  double stiffness[3 * COIL_ELEMENTS];
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = COIL_ELEMENTS;
  def.position = position, def.director = frame;
  def.rest = ELASTICA_REST_INITIAL;
  def.rest_strain = strain;
  def.radius = 0.005;
  def.density = 1670;
  def.youngs_modulus = 3e10;
  def.shear_modulus = 2e10;
  elastica_rod *rod = add_rod(e, of, &def, stiffness);
  const elastica_rod_view *view = of->rod[ARM_COIL] = elastica_rod_get_view(rod);

  elastica_dissipation_def friction;
  elastica_dissipation_def_init(&friction, sizeof friction);
  friction.translation = friction.rotation = 5;
  example_require(e, of->world, elastica_add_dissipation(of->world, rod, &friction, NULL));

  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  clamp.node = -1;
  clamp.kind = ELASTICA_BOUNDARY_FRAME;
  example_require(e, of->world, elastica_add_boundary(of->world, rod, &clamp, NULL));

  elastica_muscle_def twist;
  elastica_muscle_def_init(&twist, sizeof twist);
  of->coil_twist = view->rest_curvature[2][0];
  for (int k = 0; k < COIL_ELEMENTS - 1; k++) amplitude[k] = view->bend_stiffness[2][k];
  twist.axis = 2;
  twist.amplitude = amplitude;
  twist.function = untwist;
  twist.user = of;
  example_require(e, of->world, elastica_add_muscle(of->world, rod, &twist, NULL));
}

/* ---- The arm ---- */

static void hold(example *e, arm *of, int number, int node) {
  elastica_boundary_def pin;
  elastica_boundary_def_init(&pin, sizeof pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  pin.node = node;
  example_require(e, of->world, elastica_add_boundary(of->world, elastica_world_rod(of->world, number), &pin, NULL));
}

static void load_or_drive(example *e, arm *of) {
  elastica_rod *radius = elastica_world_rod(of->world, ARM_RADIUS);
  elastica_point_load_def load;
  elastica_point_load_def_init(&load, sizeof load);
  load.force[Z] = -ARM_LOAD;
  load.ramp_time = ARM_RAMP;
  if (!of->plan.drive) example_require(e, of->world, elastica_add_point_load(of->world, radius, &load, NULL));
  for (int i = 0; i <= 15 && of->plan.drive; i++) {
    elastica_boundary_def pin;
    elastica_boundary_def_init(&pin, sizeof pin);
    pin.node = i;
    pin.kind = i < 15 ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_PIN;
    pin.element = i < 15 ? i : 0;
    pin.motion = of->plan.drive;
    example_require(e, of->world, elastica_add_boundary(of->world, radius, &pin, NULL));
  }
}

void arm_build(example *e, arm *of, const arm_plan *plan) {
  elastica_world_def def = example_papers_law();
  def.exact_couple = plan->joints; /* moments balance to rounding */
  *of = (arm){.world = example_world_of(e, def), .plan = *plan};
  of->biceps = (bundle){ARM_FIBRE, ARM_FIBRES, plan->maximum_force, plan->spread, 0.15};
  add_bone(e, of, ARM_HUMERUS, 20, 0, 1, (const double[]){0.0231, 0.01995, 0.0105});
  add_bone(e, of, ARM_RADIUS, 15, -0.0105, 0.66, (const double[]){0.015, 0.013875, 0.0105});
  add_bone(e, of, ARM_ULNA, 15, 0.0126, 0.66, (const double[]){0.01, 0.008875, 0.0055});
  add_tendons(e, of);
  add_head(e, of, 0);
  add_head(e, of, 1);
  tie_bones(of);
  if (plan->coil) add_coil(e, of);
  hold(e, of, ARM_HUMERUS, 0);
  hold(e, of, ARM_HUMERUS, 20);
  hold(e, of, ARM_LONG_TENDON, 0);
  hold(e, of, ARM_SHORT_TENDON, 0);
  load_or_drive(e, of);
  if (plan->joints)
    arm_add_library_laws(e, of);
  else
    arm_add_authors_laws(e, of);
}

double arm_angle(const arm *of) {
  const elastica_rod_view *radius = of->rod[ARM_RADIUS];
  double edge[3];
  for (int a = 0; a < 3; a++) edge[a] = radius->position[a][15] - radius->position[a][0];
  return acos(-edge[Z] / sqrt(edge[X] * edge[X] + edge[Y] * edge[Y] + edge[Z] * edge[Z]));
}

double arm_moment(const arm *of) {
  const elastica_rod_view *radius = of->rod[ARM_RADIUS], *tendon = of->rod[ARM_LOWER_TENDON];
  elastica_joint_info held = {.gap = 0};
  double at[3], force[3];
  if (of->plan.joints && elastica_joint_get(of->joint[of->link_count - 1], &held) != ELASTICA_OK) return NAN;
  for (int a = 0; a < 3; a++) {
    at[a] = radius->position[a][ARM_HOLD_NODE] - radius->position[a][1];
    force[a] = of->plan.joints ? -held.force[a] : ARM_SPRING * (tendon->position[a][0] - radius->position[a][ARM_HOLD_NODE]);
  }
  return -(at[Y] * force[Z] - at[Z] * force[Y]);
}

double arm_swelling(const arm *of) {
  double sum = 0;
  for (int k = ARM_FIBRE; k < ARM_FIBRE + ARM_FIBRES; k++)
    for (int j = 4; j <= 9; j++) sum += 1 / of->rod[k]->dilatation[j] - 1;
  return sum / (6 * ARM_FIBRES);
}
