#include "muscled_body.h"

#include "gait.h"
#include "muscle_tendon.h"

#include <math.h>

enum { ELEMENTS = 100 };

static const double RADIUS = 0.025, DENSITY = 1e3, YOUNGS_MODULUS = 1e7; /* [m] [kg/m^3] [Pa] */
static const double GRAVITY = 9.81, FROUDE = 0.1, DAMPING = 5;           /* [m/s^2] [1] [kg/(m s)] */
static const double ARM = 0.0125, ANCHOR = 1e7, GLUE = 5e6;              /* [m] [N/m] [N/m] */
static const double MUSCLE_RADIUS = 6e-3, TENDON_RADIUS = 3e-3, MUSCLE_DENSITY = 2e3, MUSCLE_MODULUS = 1e4, HARDENING = 5e4;

/* ---- Glue ---- */

typedef struct glue {
  int body, count; /* number of the rod; number of muscles */
  double anchor, lateral, arm;
  muscled_attachment at[2 * MUSCLED_MOST];
} glue;

/* Pulls an end of a muscle to its anchor; returns the moment about z of the opposite force on the body. */
static double pull_end(const glue *by, elastica_world_loads *all, const muscled_attachment *at, int node) {
  const elastica_rod_view *body = all->rods[by->body], *muscle = all->rods[at->muscle];
  const int m = at->place + MUSCLED_SPAN * node;
  double arm[3], force[3];
  for (int a = 0; a < 3; a++) {
    arm[a] = at->side * by->arm * body->director[1][a][m];
    force[a] = by->anchor * (muscle->position[a][node] - body->position[a][m] - arm[a]);
    all->loads[at->muscle].force[a][node] -= force[a];
  }
  return arm[X] * force[Y] - arm[Y] * force[X];
}

static void pull_ends(const glue *by, elastica_world_loads *all, const muscled_attachment *at) {
  const elastica_rod_view *body = all->rods[by->body];
  const int ends[2] = {at->place, at->place + MUSCLED_SPAN * at->n};
  const double couple = (pull_end(by, all, at, 0) - pull_end(by, all, at, at->n)) / 2;
  for (int k = 0; k < 2; k++)
    for (int d = 0; d < 3; d++) all->loads[by->body].couple[d][ends[k]] += (k == 0 ? couple : -couple) * body->director[d][Z][ends[k]];
}

/* Pulls node j of a tendon to the point beside node b of the body, along d2 of the tendon. */
static void draw_sideways(const glue *by, elastica_world_loads *all, const muscled_attachment *at, int j) {
  const elastica_rod_view *body = all->rods[by->body], *muscle = all->rods[at->muscle];
  const int b = at->place + MUSCLED_SPAN * j;
  double across[3], away = 0;
  for (int a = 0; a < 3; a++) {
    const double beside = at->side * by->arm / 2 * (body->director[1][a][b] + body->director[1][a][b - 1]);
    across[a] = (muscle->director[1][a][j - 1] + muscle->director[1][a][j]) / 2;
    away += across[a] * (muscle->position[a][j] - body->position[a][b] - beside);
  }
  for (int a = 0; a < 3; a++) all->loads[at->muscle].force[a][j] -= by->lateral * away * across[a];
}

static elastica_status pull_muscles(void *self, const elastica_instant *now, elastica_world_loads *all) {
  const glue *by = self;
  (void)now;
  for (int k = 0; k < by->count; k++) {
    const muscled_attachment *at = &by->at[k];
    pull_ends(by, all, at);
    for (int j = 1; j < at->n; j++)
      if (j <= at->of.first || j >= at->of.first + MUSCLED_FRAGMENTS) draw_sideways(by, all, at, j);
  }
  return ELASTICA_OK;
}

/* The springs do not act on the body, so they count once. Their moment, if it acts on the body, counts with the square of the arm. */
static elastica_status bound_glue(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *bounds) {
  const glue *by = self;
  (void)now;
  for (int k = 0; k < by->count; k++) {
    const muscled_attachment *at = &by->at[k];
    for (int j = 0; j <= at->n; j++) {
      const int end = j == 0 || j == at->n;
      if (rod->rod_index == at->muscle) bounds->node[j] += end ? by->anchor : by->lateral;
      if (rod->rod_index == by->body && end) bounds->element[at->place + MUSCLED_SPAN * j] += by->anchor * by->arm * by->arm;
    }
  }
  return ELASTICA_OK;
}

static void add_glue(example *e, const muscled_body *s, int count) {
  glue by = {.body = elastica_rod_get_view(s->body)->rod_index, .count = count, .anchor = ANCHOR, .lateral = GLUE, .arm = ARM};
  elastica_module module;
  for (int k = 0; k < count; k++) by.at[k] = s->at[k];
  elastica_module_init(&module, sizeof module);
  module.name = "authors' joint";
  module.self = &by;
  module.self_size = sizeof by;
  module.add_world_loads = pull_muscles;
  module.add_stiffness = bound_glue;
  module.parallel_safe = 1;
  example_require(e, s->world, elastica_world_add_module(s->world, NULL, &module, NULL));
}

/* ---- The snake ---- */

/* Weight of one rod only: elastica_add_gravity acts on all rods. */
static elastica_status weigh(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now;
  for (int i = 0; i < rod->node_count; i++) loads->force[Z][i] -= rod->mass[i] * GRAVITY;
  return ELASTICA_OK;
}

static elastica_rod *add_body(example *e, elastica_world *world, int n) {
  const double mu = MUSCLED_LENGTH / (MUSCLED_PERIOD * MUSCLED_PERIOD * GRAVITY * FROUDE), ratio[3] = {1, 1.5, 2};
  elastica_rod *rod = NULL;
  elastica_rod_def def = gait_body(n, MUSCLED_LENGTH, RADIUS, DENSITY, YOUNGS_MODULUS);
  def.start[Z] = RADIUS;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  lying_damped(e, world, rod, DAMPING, DAMPING);
  elastica_module weight;
  elastica_module_init(&weight, sizeof weight);
  weight.name = "weight of the body";
  weight.add_loads = weigh;
  weight.parallel_safe = weight.stateless = 1;
  weight.needs_derived = weight.needs_geometry = 0;
  example_require(e, world, elastica_world_add_module(world, rod, &weight, NULL));
  const elastica_obstacle_def ground = gait_ground(2 * mu, mu, ratio, ELASTICA_END_FIRST);
  example_require(e, world, elastica_add_obstacle(world, rod, &ground, NULL));
  return rod;
}

/* R(t) sin 2 pi t, both delayed. */
static double wave_of(const muscled_pair *of, double time, double *ramp) {
  const double since = time - of->delay;
  *ramp = fmin(fmax(since / MUSCLED_PERIOD, 0), 1);
  return sin(2 * acos(-1) * since / MUSCLED_PERIOD);
}

static double activation_of(const muscled_attachment *at, double time) {
  double ramp;
  const double wave = wave_of(&at->of, time, &ramp);
  return ramp * (1 + at->side * wave) / 2;
}

static elastica_status activate(void *user, double time, double x, double *activation) {
  (void)x;
  *activation = activation_of(user, time);
  return ELASTICA_OK;
}

static elastica_status drive(void *user, double time, double length, double rate, double *activation) {
  (void)length, (void)rate;
  *activation = activation_of(user, time);
  return ELASTICA_OK;
}

static void add_muscle(example *e, const muscled_body *s, muscled_attachment *at, double force, double rotary) {
  const double spacing = MUSCLED_LENGTH / ELEMENTS;
  const muscle_tendon muscle = {.n = at->n,
                                .first = at->of.first,
                                .last = at->of.first + MUSCLED_FRAGMENTS - 1,
                                .length = at->n * MUSCLED_SPAN * spacing,
                                .start = {at->place * spacing, -at->side * ARM, RADIUS}, /* d2 of the body is -y */
                                .direction = {1, 0, 0},
                                .normal = {0, 0, 1},
                                .muscle_radius = MUSCLE_RADIUS,
                                .tendon_radius = TENDON_RADIUS,
                                .density = MUSCLE_DENSITY,
                                .youngs_modulus = MUSCLE_MODULUS,
                                .hardening = HARDENING,
                                .rotary_inertia_scale = rotary,
                                .damping = DAMPING,
                                .spin_damping = DAMPING,
                                .force = force,
                                .activate = activate,
                                .user = at};
  at->muscle = elastica_rod_get_view(muscle_tendon_add(e, s->world, &muscle))->rod_index;
}

static void add_cable(example *e, const muscled_body *s, muscled_attachment *at, double force) {
  elastica_tendon_def cable;
  elastica_tendon_def_init(&cable, sizeof cable);
  cable.rod = s->body;
  cable.first = at->place, cable.last = at->place + MUSCLED_SPAN * at->n - 1;
  cable.offset[Y] = at->side * ARM;
  cable.tension = force;
  cable.drive = drive, cable.user = at;
  example_require(e, s->world, elastica_add_tendon(s->world, &cable, NULL));
}

/* ---- Couples ---- */

typedef struct couples {
  int n, count;
  muscled_pair pair[MUSCLED_MOST];
} couples;

/* A couple about z at a place [L/100], shared by the elements with the place between their middles. */
static void turn(const couples *by, const elastica_rod_view *rod, elastica_loads *loads, double place, double couple) {
  const double at = fmin(fmax(place * by->n / 100 - 0.5, 0), by->n - 1), first = fmin(floor(at), by->n - 2), after = at - first;
  for (int k = 0; k < 2; k++) {
    const int j = (int)first + k;
    for (int d = 0; d < 3; d++) loads->couple[d][j] += (k ? after : 1 - after) * couple * rod->director[d][Z][j];
  }
}

/* The muscle at +y pulls first, like the muscle at +d2 of the body; d2 is -y. */
static elastica_status turn_ends(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const couples *by = self;
  for (const muscled_pair *of = by->pair; of < by->pair + by->count; of++) {
    double ramp;
    const double wave = wave_of(of, now->time, &ramp), couple = ramp * of->moment * wave;
    turn(by, rod, loads, of->place + 0.5, couple);
    turn(by, rod, loads, of->place + of->span + 0.5, -couple);
  }
  return ELASTICA_OK;
}

static void add_couples(example *e, const muscled_body *of, const muscled_plan *plan) {
  couples by = {.n = plan->n, .count = plan->count};
  elastica_module module;
  for (int k = 0; k < plan->count; k++) by.pair[k] = plan->pair[k];
  elastica_module_init(&module, sizeof module);
  module.name = "couples";
  module.self = &by;
  module.self_size = sizeof by;
  module.add_loads = turn_ends;
  module.parallel_safe = module.stateless = 1;
  module.needs_derived = module.needs_geometry = 0;
  example_require(e, of->world, elastica_world_add_module(of->world, of->body, &module, NULL));
}

void muscled_build(example *e, muscled_body *of, const muscled_plan *plan) {
  of->world = example_papers_world(e);
  of->body = add_body(e, of->world, plan->n);
  if (plan->kind == MUSCLED_COUPLES) {
    add_couples(e, of, plan);
    return;
  }
  for (int k = 0; k < 2 * plan->count; k++) {
    const muscled_pair *pair = &plan->pair[k / 2];
    muscled_attachment *at = &of->at[k];
    *at = (muscled_attachment){
        .of = *pair, .place = (int)lround(pair->place), .n = (int)lround(pair->span / MUSCLED_SPAN), .side = k % 2 ? -1 : 1};
    if (plan->kind == MUSCLED_CABLES)
      add_cable(e, of, at, pair->moment / ARM);
    else
      add_muscle(e, of, at, pair->moment / ARM, plan->rotary);
  }
  if (plan->kind == MUSCLED_MUSCLES) add_glue(e, of, 2 * plan->count);
}
