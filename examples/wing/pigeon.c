#include "pigeon.h"

#include <math.h>
#include <string.h>

static const double BONE_MODULUS = 15e9, BONE_DENSITY = 1.75e-3; /* masses are half of this: bones are hollow */
static const double TIE = 5e8, TIE_TURNING = 1e12, GRIP = 5e7;   /* of bones, of muscles [uN/mm] [uN mm] */
static const double MUSCLE_DENSITY = 1.06e-3, MUSCLE_MODULUS = 2e4;
static const double TENDON_RADIUS = 3.5355339, BELLY_RADIUS = 10.606602, TENDON = 50000; /* times as stiff in stretch and shear */
static const double VISCOSITY = 2.0 / 3 * 1e6;                                           /* [uN s] */
static const double BONE_DRAG = 1, MUSCLE_DRAG = 2;                                      /* [g/(mm s)] and [g mm/s] */
static const double AIR = 1.225e-6 * 1.2 * 3 / 2;                                        /* rho C d/2 [g/mm^2] */

#define FEATHER_DRAG 0.005

enum { HUMERUS, ULNA, RADIUS, THIN_HAND, HAND, DIGIT };
enum { LIFT, PULL, BICEPS, TRICEPS };

static const feather_kind KIND = {.density = 2.5e-6,
                                  .youngs_modulus = 2.5e6,
                                  .shear_modulus = 2 * 2.5e6 / 3,
                                  .shaft_radius = 2.5,
                                  .barb_radius = 1.5,
                                  .barb_length = 60,
                                  .longest = 460,
                                  .stiffer = 1000,
                                  .root_stiffness = 5e7,
                                  .root_turning = 5e8,
                                  .barb_stiffness = 5e5,
                                  .first_barb = 70,
                                  .next_barb = 4,
                                  .fluff = 10,
                                  .fan = 19,
                                  .drag = FEATHER_DRAG};

/* ---- Bones ---- */

static void set_radii(bone_plan *plan, double shaft, double first, double second, double third, double at_the_end) {
  const int n = plan->n;
  for (int j = 0; j < n; j++) plan->radius[j] = shaft;
  plan->radius[0] = first, plan->radius[1] = second, plan->radius[2] = third;
  plan->radius[n - 1] = at_the_end * first, plan->radius[n - 2] = at_the_end * second, plan->radius[n - 3] = third;
}

/* A plan of a bone from a place along the direction of another bone, with an offset in x. */
static bone_plan plan_bone(int n, double length, const double direction[2], const double from[3], double along, const double way[2],
                           double beside) {
  bone_plan plan = {.n = n, .length = length, .direction = {direction[X], direction[Y], 0}};
  plan.youngs_modulus = BONE_MODULUS, plan.shear_modulus = 2 * BONE_MODULUS / 3;
  plan.density = BONE_DENSITY / 2, plan.inertia_density = BONE_DENSITY;
  plan.start[X] = from[X] + along * way[X] + beside, plan.start[Y] = from[Y] + along * way[Y], plan.start[Z] = from[Z];
  for (int j = 0; j < n; j++) plan.inertia_length[j] = n == 10 && length < 100 && (j < 3 || j > 6) ? 9 : 15;
  return plan;
}

static void add_bone(example *e, pigeon_wing *w, int which, const bone_plan *plan) {
  w->bone[which] = bone_add(e, w->world, &w->masses, plan, w->rigid);
}

static void add_bones(example *e, pigeon_wing *w) {
  static const double digit[] = {12, 9.5, 7, 4.5, 2}, shoulder[3] = {0, 0, 150}, upper[2] = {0.8, -1};
  const double arm[2] = {0.2 / sqrt(1.04), -1 / sqrt(1.04)}, c = cos(0.7744), s = sin(0.7744);
  const double hand[2] = {c * arm[X] - s * arm[Y], c * arm[Y] + s * arm[X]};
  double place[3];
  bone_plan plan = plan_bone(10, 150, upper, shoulder, 0, upper, 0);
  set_radii(&plan, 8.4, 18, 15.6, 8.4, 0.8);
  add_bone(e, w, HUMERUS, &plan);

  bone_node(&w->bone[HUMERUS], 10, place);
  plan = plan_bone(12, 180, arm, place, 0, arm, 8.4);
  set_radii(&plan, 5.88, 9, 8.22, 5.88, 1);
  add_bone(e, w, ULNA, &plan);
  plan = plan_bone(12, 180, arm, place, 0, arm, -9.24);
  set_radii(&plan, 3, 8, 6.75, 3, 1);
  add_bone(e, w, RADIUS, &plan);

  bone_node(&w->bone[ULNA], 11, place);
  plan = plan_bone(10, 90, hand, place, 5, arm, 0);
  set_radii(&plan, 2.52, 5, 4.7244, 3.8978, 1);
  for (int j = 3; j < 7; j++) plan.bend_radius[j] = 8.4 * sqrt(0.3); /* 0.09 of the humerus */
  add_bone(e, w, THIN_HAND, &plan);
  plan = plan_bone(10, 90, hand, place, 5, arm, -14.28);
  set_radii(&plan, 5.88, 10, 9.5556, 8.2222, 1);
  add_bone(e, w, HAND, &plan);

  bone_node(&w->bone[THIN_HAND], 9, place);
  plan = plan_bone(5, 75, hand, place, 0, hand, -8.4);
  memcpy(plan.radius, digit, sizeof digit);
  add_bone(e, w, DIGIT, &plan);
}

/* Ties the node of a bone to another bone, by the frame of the element next to it: at the first node of this element (share 0) or the
 * second. */
static void tie_bones(example *e, pigeon_wing *w, int first, int element, double share, int second, int node) {
  double place[3];
  const bone *a = &w->bone[first], *b = &w->bone[second];
  bone_node(b, node, place);
  w->tie[w->ties++] =
      tie(e, w->world, bone_anchor(a, element, share, place), bone_anchor(b, node > 0 ? node - 1 : 0, node > 0, place), TIE, TIE_TURNING);
}

static void tie_all_bones(example *e, pigeon_wing *w) {
  double place[3];
  elastica_joint_def elbow;
  elastica_joint_def_init(&elbow, sizeof elbow);
  bone_node(&w->bone[ULNA], 0, place);
  elbow.kind = ELASTICA_JOINT_HINGE;
  elbow.first = bone_anchor(&w->bone[HUMERUS], 9, 1, place);
  elbow.second = bone_anchor(&w->bone[ULNA], 0, 0, place);
  elbow.axis[X] = elbow.axis[Y] = 0, elbow.axis[Z] = 1;
  elbow.stiffness = TIE, elbow.angular_stiffness = TIE_TURNING;
  example_require(e, w->world, elastica_add_joint(w->world, &elbow, &w->tie[w->ties++]));
  tie_bones(e, w, ULNA, 0, 0, RADIUS, 0);
  tie_bones(e, w, ULNA, 11, 1, RADIUS, 12);
  tie_bones(e, w, ULNA, 10, 1, THIN_HAND, 0);
  tie_bones(e, w, THIN_HAND, 0, 0, HAND, 0);
  tie_bones(e, w, THIN_HAND, 9, 1, HAND, 10);
  tie_bones(e, w, THIN_HAND, 8, 1, DIGIT, 0);
}

/* ---- Feathers ---- */

static void add_feather(example *e, pigeon_wing *w, int on, int element, double share, double degrees, feather_plan plan) {
  const bone *b = &w->bone[on];
  const double *from = w->bone[on == RADIUS ? ULNA : DIGIT].frame + 6, angle = acos(-1) / 180 * degrees, c = cos(angle), s = sin(angle);
  bone_node(b, element + (share > 0.5), plan.start);
  plan.direction[X] = c * from[X] - s * from[Y], plan.direction[Y] = s * from[X] + c * from[Y];
  plan.root = bone_anchor(b, element, share, plan.start);
  plan.mass = KIND.density * acos(-1) * KIND.shaft_radius * KIND.shaft_radius * KIND.longest; /* also of secondaries */
  plan.every = w->every;
  feather_add(e, w->world, &w->masses, &w->barbs, &KIND, &plan);
}

static void add_feathers(example *e, pigeon_wing *w) {
  for (int i = 0; i < PIGEON_PRIMARIES; i++) {
    const feather_plan plan = {.length = KIND.longest, .pairs = 77, .fan_at = 378, .fan_grows = 1};
    add_feather(e, w, i < 5 ? DIGIT : HAND, i < 5 ? 4 - i : 10 - 2 * (i - 4), i < 5, 7.7 * i, plan);
  }
  for (int i = 0; i < PIGEON_SECONDARIES; i++) {
    const feather_plan plan = {.length = (1 - i / 15.0) * KIND.longest, .pairs = 77 - 7 * i, .fan_at = 378 - 28 * i};
    add_feather(e, w, RADIUS, i < 7 ? 11 - i : 3 - 2 * (i - 7), 0, 122 + 6.9 * i, plan);
  }
}

/* ---- Muscles ---- */

/* A piece of a tension: amplitude sin(rate (t - start)), or with rate 0 amplitude (1 - drop (t - from)/0.0625). */
typedef struct piece {
  double from, until, amplitude, start, rate, drop; /* [s] [s] [N] [s] [1/s] */
} piece;

enum { PIECES = 4 };
#define WAVE (8 * 3.14159265358979323846) /* a full period in 0.25 s */
static const piece TENSION[PIGEON_MUSCLES][PIECES] = {
    [LIFT] = {{0, 0.125, 15, 0, WAVE, 0}, {0.28, 0.3425, 18, 0.28, WAVE, 0}, {0.3425, 0.405, 18, 0, 0, 0.6}, {0.405, 0.4675, 7.2, 0, 0, 0}},
    [PULL] = {{0.11, 0.1725, 18, 0.11, WAVE, 0}, {0.1725, 0.235, 18, 0, 0, 0.5}, {0.235, 0.2975, 9, 0.1725, WAVE, 0}},
    [BICEPS] = {{0.11, 0.1725, 24, 0.11, WAVE, 0}, {0.1725, 0.235, 24, 0, 0, 0.7}, {0.235, 0.2975, 7.2, 0.1725, WAVE, 0}},
    [TRICEPS] = {{0, 0.0625, 27, 0, 2 * WAVE, 0},
                 {0.27, 0.3325, 8, 0.27, WAVE, 0},
                 {0.3325, 0.395, 8, 0, 0, 0.35},
                 {0.395, 0.4575, 5.2, 0.3325, WAVE, 0}},
};

double pigeon_tension(int muscle, double time) {
  for (const piece *p = TENSION[muscle]; p < TENSION[muscle] + PIECES; p++)
    if (time >= p->from && time < p->until)
      return p->amplitude * (p->rate > 0 ? sin(p->rate * (time - p->start)) : 1 - p->drop * (time - p->from) / 0.0625);
  return 0;
}

static elastica_status activate(void *user, double time, double x, double *activation) {
  (void)x;
  *activation = pigeon_tension(*(const int *)user, time);
  return ELASTICA_OK;
}

enum { MUSCLE_ELEMENTS = 7, BELLY_FIRST = 2, BELLY_LAST = 4 };

static elastica_rod *add_muscle_rod(example *e, pigeon_wing *w, elastica_rod_def def) {
  enum { N = MUSCLE_ELEMENTS };
  double radius[N], mass[N], shear[3 * N], bend[3 * N], inertia[3 * N];
  for (int k = 0; k < 3 * N; k++) {
    const int j = k / 3, twist = k % 3 == 2, belly = j >= BELLY_FIRST && j <= BELLY_LAST;
    radius[j] = belly ? BELLY_RADIUS : TENDON_RADIUS;
    const double area = acos(-1) * radius[j] * radius[j], moment = area * radius[j] * radius[j] / 4;
    mass[j] = MUSCLE_DENSITY * area * def.length / N;
    shear[k] = (belly ? 1 : TENDON) * area * MUSCLE_MODULUS * (twist ? 1 : 8.0 / 9);
    bend[k] = 2 * moment * MUSCLE_MODULUS * (twist ? 4.0 / 3 : 1);
    inertia[k] = 4 * BONE_DENSITY * 15 * moment * (twist ? 2 : 1);
  }
  def.element_radius = radius, def.shear_stiffness = shear, def.bend_stiffness = bend, def.inertia = inertia;
  return mass_table_rod(e, w->world, &w->masses, &def, mass);
}

/* A muscle from a pin to a place beside an element of a bone. */
static void add_muscle(example *e, pigeon_wing *w, int which, const double start[3], const bone *on, int element, const double end[3]) {
  static int number[PIGEON_MUSCLES] = {LIFT, PULL, BICEPS, TRICEPS};
  double square = 0;
  elastica_rod_def def;
  elastica_boundary_def pin;
  elastica_contraction_def pull;
  elastica_axial_viscosity_def tissue;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = MUSCLE_ELEMENTS;
  for (int a = 0; a < 3; a++) {
    def.start[a] = start[a];
    def.direction[a] = end[a] - start[a];
    square += def.direction[a] * def.direction[a];
  }
  def.length = sqrt(square);
  elastica_rod *rod = w->muscle[which] = add_muscle_rod(e, w, def);
  elastica_boundary_def_init(&pin, sizeof pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  example_require(e, w->world, elastica_add_boundary(w->world, rod, &pin, NULL));
  w->grip[which] = tie(e, w->world, bone_anchor(on, element, 0, end), (elastica_anchor){.rod = rod, .element = -1, .share = 1}, GRIP, 0);
  elastica_contraction_def_init(&pull, sizeof pull);
  pull.first = BELLY_FIRST, pull.last = BELLY_LAST, pull.maximum_force = 1e6; /* 1 N */
  pull.function = activate, pull.user = &number[which];
  example_require(e, w->world, elastica_add_contraction(w->world, rod, &pull, NULL));
  elastica_axial_viscosity_def_init(&tissue, sizeof tissue);
  tissue.viscosity = VISCOSITY;
  tissue.start_time = 0.01, tissue.ramp_time = 0.05;
  example_require(e, w->world, elastica_add_axial_viscosity(w->world, rod, &tissue, NULL));
}

/* The arms at the elbow are initially 22 and 19 mm, like those of the authors' couples: 60 mm and 45 mm along the ulna, times the sine
 * of the angle to the muscle. */
static void add_muscles(example *e, pigeon_wing *w) {
  static const double from[PIGEON_MUSCLES][3] = {{20, 20, 200}, {-15, -15, 100}, {0, 0, 150}, {30, -10, 150}};
  double on_humerus[3], below[3], above[3];
  const bone *humerus = &w->bone[HUMERUS], *ulna = &w->bone[ULNA];
  bone_node(humerus, 8, on_humerus);
  bone_node(ulna, 4, below);
  bone_node(ulna, 0, above);
  for (int a = 0; a < 3; a++) above[a] -= 37 * ulna->frame[6 + a];
  add_muscle(e, w, LIFT, from[LIFT], humerus, 8, on_humerus);
  add_muscle(e, w, PULL, from[PULL], humerus, 8, on_humerus);
  add_muscle(e, w, BICEPS, from[BICEPS], ulna, 4, below);
  add_muscle(e, w, TRICEPS, from[TRICEPS], ulna, 0, above);
}

/* ---- The wing ---- */

static void damp(example *e, pigeon_wing *w, elastica_rod *rod, double nu) {
  elastica_dissipation_def def;
  elastica_dissipation_def_init(&def, sizeof def);
  def.translation = def.rotation = nu;
  example_require(e, w->world, elastica_add_dissipation(w->world, rod, &def, NULL));
}

/* The authors' law, with the exact couple, so that the sum of moments is zero. */
void pigeon_wing_build(example *e, pigeon_wing *w, int every, int rigid) {
  static const double shoulder[3] = {0, 0, 150};
  elastica_world_def def = example_papers_law();
  def.exact_couple = 1;
  *w = (pigeon_wing){.world = example_world_of(e, def), .every = every, .rigid = rigid};
  add_bones(e, w);
  add_feathers(e, w);
  if (rigid) {
    w->shoulder = tie(e, w->world, bone_anchor(&w->bone[HUMERUS], 0, 0, shoulder), (elastica_anchor){0}, TIE, 0);
  } else {
    elastica_boundary_def pin;
    elastica_boundary_def_init(&pin, sizeof pin);
    pin.kind = ELASTICA_BOUNDARY_PIN;
    example_require(e, w->world, elastica_add_boundary(w->world, w->bone[HUMERUS].rod, &pin, NULL));
  }
  tie_all_bones(e, w);
  add_muscles(e, w);
  damp(e, w, NULL, FEATHER_DRAG);
  for (int k = 0; k < PIGEON_BONES; k++) damp(e, w, w->bone[k].rod, BONE_DRAG - FEATHER_DRAG);
  for (int k = 0; k < PIGEON_MUSCLES; k++) damp(e, w, w->muscle[k], MUSCLE_DRAG - FEATHER_DRAG);
  still_air_add(e, w->world, &w->barbs, AIR);
  mass_table_add(e, w->world, &w->masses);
}

void pigeon_wing_free(example *e, pigeon_wing *w) {
  example_done(e, w->world);
  mass_table_free(&w->masses);
  barb_table_free(&w->barbs);
}

/* ---- Its mass ---- */

static double disc(double radius) {
  return acos(-1) * radius * radius;
}

/* Sums over the tables, by the rule an additional element per rod. The first ten pairs of a vane have the mass of 7.15 full pairs, and
 * the fan of a primary that of 27.55. */
double pigeon_wing_mass(const pigeon_wing *w) {
  static const double squares[PIGEON_BONES] = {
      18 * 18 + 15.6 * 15.6 + 6 * 8.4 * 8.4 + 12.48 * 12.48 + 2 * 14.4 * 14.4,
      3 * 9 * 9 + 2 * 8.22 * 8.22 + 8 * 5.88 * 5.88,
      3 * 8 * 8 + 2 * 6.75 * 6.75 + 8 * 3 * 3,
      3 * 5 * 5 + 2 * 4.7244 * 4.7244 + 2 * 3.8978 * 3.8978 + 4 * 2.52 * 2.52,
      3 * 10 * 10 + 2 * 9.5556 * 9.5556 + 2 * 8.2222 * 8.2222 + 4 * 5.88 * 5.88,
      12 * 12 + 9.5 * 9.5 + 7 * 7 + 4.5 * 4.5 + 2 * 2 * 2,
  };
  static const double edges[PIGEON_BONES] = {15, 15, 15, 9, 9, 15};
  double bones = 0, feathers = 0, tissue = 0;
  for (int k = 0; k < PIGEON_BONES; k++) bones += BONE_DENSITY / 2 * acos(-1) * edges[k] * squares[k];
  for (int k = 0; k < PIGEON_MUSCLES; k++) { /* five tendons with the additional element, three bellies */
    const double edge = elastica_rod_get_view(w->muscle[k])->rest_length[0];
    tissue += MUSCLE_DENSITY * edge * (5 * disc(TENDON_RADIUS) + 3 * disc(BELLY_RADIUS));
  }
  for (int k = 0; k < PIGEON_PRIMARIES + PIGEON_SECONDARIES; k++) {
    const int primary = k < PIGEON_PRIMARIES, pairs = primary ? 77 : 77 - 7 * (k - PIGEON_PRIMARIES);
    const double full = 7.15 + (pairs - 10) + (primary ? 27.55 : 19);
    feathers += 9.0 / 8 * KIND.density * disc(KIND.shaft_radius) * KIND.longest;
    feathers += 5.0 / 4 * 2 * full * KIND.density * disc(KIND.barb_radius) * KIND.barb_length;
  }
  return bones + feathers + tissue;
}
