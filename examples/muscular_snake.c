/* Muscular snake: four antagonistic pairs of muscles between tendons, along a soft body, make it slither.
 *
 * source    Zhang et al. 2019, "Modeling and simulation of complex dynamic musculoskeletal architectures", figure 3
 * claim     four pairs move it about as fast as muscles that act everywhere do (see slithering): 0.587 L/T in the authors' program
 * settings  those of the authors' program. The body is 100 elements on a plane with anisotropic friction; eight muscles lie beside its axis, at
 *           half its radius; one element of a muscle spans three of the body. Tendons are 50,000 times as stiff as flesh against stretch and
 *           shear. Tension F = R(t) (A/12.5 mm) (1 +- sin 2 pi t)/2, later by the place of the muscle over 101.76 elements a second. Weight and
 *           ground act on the body alone
 * joint     the authors pull the ends of a muscle to two anchors and give the body the mean of the two moments, about z, but no force; tendons
 *           are drawn to the body sideways by springs that it does not feel. `authors` below does the same
 * cables    the same tensions in cables of the library that slide along the body: it feels all forces. They press it together, to 0.82 of its
 *           length where three pairs overlap, and it is slower. (Rods on ball joints with lateral springs that act on the body, too, do
 *           not work: the flesh, which is as stiff as 1.1 N, folds up.) They are INFO
 * step      the authors' 2e-8 s is that of explicit dissipation of the tendons' spin, which the library integrates by rates, and of
 *           anchors of 5e9 N/m. Here they are of 1e7 N/m, which the largest tension stretches by 0.18 mm, and the step is STEP
 * compared  with the first deflections of the middle in the authors' program, and with the claimed speed; the authors did not keep more. Friction
 *           makes the deflection at 0.08 s one of first order in the step: it converges to 1.6 % less than theirs, whose friction
 *           overshoots where the slip is zero (see slithering)
 */
#include "common/gait.h"
#include "common/muscle_tendon.h"
#include <math.h>
#include <stdio.h>

enum { ELEMENTS = 100, MUSCLES = 8, SPAN = 3, SEEN = 50, FIRST = 4, LAST = 8, FRAMES = 250, QUICK_FRAMES = 9, SECOND = 50, SHAPES = 10 };

static const double LENGTH = 1, RADIUS = 0.025, DENSITY = 1e3, YOUNGS_MODULUS = 1e7;     /* [m] [m] [kg/m^3] [Pa] */
static const double GRAVITY = 9.81, PERIOD = 1, FROUDE = 0.1, DAMPING = 5, FRAME = 0.02; /* [m/s^2] [s] [1] [kg/(m s)] [s] */
static const double ARM = 0.0125, ANCHOR = 1e7, GLUE = 5e6;                              /* [m] [N/m] [N/m] */
static const double MUSCLE_RADIUS = 6e-3, TENDON_RADIUS = 3e-3, MUSCLE_DENSITY = 2e3, MUSCLE_MODULUS = 1e4, HARDENING = 5e4;
static const double ROTARY =
    2; /* factor on the rotary inertia of the muscles: their dissipation stops a spin within 50 ns, so it hides it */
static const double WAVE = 101.76, STEP = 4e-6; /* [1/s] elements of the body that the activation passes in a second; [s] */

/* Element of the body, elements of the muscle, largest moment [N m]; of each pair one at -y and one at +y. */
static const struct {
  int place, n;
  double moment;
} PAIRS[MUSCLES / 2] = {{4, 13, 22.96}, {33, 13, 20.95}, {23, 11, 9.51}, {61, 11, 13.7}};

/* The authors' program: t [s], y of node 50 [m]. */
static const double PUBLISHED[][2] = {{0.08, -9.66022e-6}, {0.1, -3.65215e-5},  {0.12, -1.0593e-4},
                                      {0.14, -2.36626e-4}, {0.16, -4.00858e-4}, {0.18, -5.11478e-4}};
enum { SAMPLES = sizeof PUBLISHED / sizeof *PUBLISHED };

typedef struct attachment {
  int muscle;   /* number of the rod */
  int place, n; /* element of the body at its first node; its elements */
  double side;  /* +1: along d2 of the body, -1: against it */
} attachment;

typedef struct glue {
  int body; /* number of the rod */
  double anchor, lateral, arm;
  attachment at[MUSCLES];
} glue;

typedef struct variant {
  const char *name;
  int cables, drawn; /* 1: cables instead of muscles; 1: with shapes and frames */
  double work;       /* of a second */
  double rotary;
} variant;

typedef struct snake {
  elastica_world *world;
  elastica_rod *body;
  attachment at[MUSCLES];
  double y[FRAMES + 1], mean[FRAMES + 1][2]; /* [m] of node 50; mean of all nodes of the body */
  double least_stretch;                      /* of the body */
} snake;

/* ---- Glue ---- */

/* Pulls an end of a muscle to its anchor; returns the moment about z that the force would have on the body. */
static double pull_end(const glue *by, elastica_world_loads *all, const attachment *at, int node) {
  const elastica_rod_view *body = all->rods[by->body], *muscle = all->rods[at->muscle];
  const int m = at->place + SPAN * node;
  double arm[3], force[3];
  for (int a = 0; a < 3; a++) {
    arm[a] = at->side * by->arm * body->director[1][a][m];
    force[a] = by->anchor * (muscle->position[a][node] - body->position[a][m] - arm[a]);
    all->loads[at->muscle].force[a][node] -= force[a];
  }
  return arm[X] * force[Y] - arm[Y] * force[X];
}

static void pull_ends(const glue *by, elastica_world_loads *all, const attachment *at) {
  const elastica_rod_view *body = all->rods[by->body];
  const int ends[2] = {at->place, at->place + SPAN * at->n};
  const double couple = (pull_end(by, all, at, 0) - pull_end(by, all, at, at->n)) / 2;
  for (int k = 0; k < 2; k++)
    for (int d = 0; d < 3; d++) all->loads[by->body].couple[d][ends[k]] += (k == 0 ? couple : -couple) * body->director[d][Z][ends[k]];
}

/* Draws node j of a tendon to the point beside node b of the body, along d2 of the tendon. */
static void draw_sideways(const glue *by, elastica_world_loads *all, const attachment *at, int j) {
  const elastica_rod_view *body = all->rods[by->body], *muscle = all->rods[at->muscle];
  const int b = at->place + SPAN * j;
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
  for (int k = 0; k < MUSCLES; k++) {
    const attachment *at = &by->at[k];
    pull_ends(by, all, at);
    for (int j = 1; j < at->n; j++)
      if (j <= FIRST || j > LAST) draw_sideways(by, all, at, j);
  }
  return ELASTICA_OK;
}

/* The body does not feel the springs: they count once. Where it feels their moment, it is with the square of the arm. */
static elastica_status bound_glue(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *bounds) {
  const glue *by = self;
  (void)now;
  for (int k = 0; k < MUSCLES; k++) {
    const attachment *at = &by->at[k];
    for (int j = 0; j <= at->n; j++) {
      const int end = j == 0 || j == at->n;
      if (rod->rod_index == at->muscle) bounds->node[j] += end ? by->anchor : by->lateral;
      if (rod->rod_index == by->body && end) bounds->element[at->place + SPAN * j] += by->anchor * by->arm * by->arm;
    }
  }
  return ELASTICA_OK;
}

static void add_glue(example *e, const snake *s) {
  glue by = {elastica_rod_index(s->body), ANCHOR, GLUE, ARM, {{0}}};
  elastica_module module;
  for (int k = 0; k < MUSCLES; k++) by.at[k] = s->at[k];
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

/* Weight of one rod: gravity of the library acts on all. */
static elastica_status weigh(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now;
  for (int i = 0; i < rod->node_count; i++) loads->force[Z][i] -= rod->mass[i] * GRAVITY;
  return ELASTICA_OK;
}

static elastica_rod *add_body(example *e, elastica_world *world) {
  const double mu = LENGTH / (PERIOD * PERIOD * GRAVITY * FROUDE), ratio[3] = {1, 1.5, 2};
  elastica_rod *rod = NULL;
  elastica_rod_def def = gait_body(ELEMENTS, LENGTH, RADIUS, DENSITY, YOUNGS_MODULUS);
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
  const elastica_wall_def ground = gait_ground(2 * mu, mu, ratio, ELASTICA_END_FIRST);
  example_require(e, world, elastica_add_wall(world, rod, &ground, NULL));
  return rod;
}

static double activation_of(const attachment *at, double time) {
  const double since = time - at->place / WAVE, ramp = fmin(fmax(since / PERIOD, 0), 1);
  return ramp * (1 + at->side * sin(2 * acos(-1) * since / PERIOD)) / 2;
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

static void add_muscle(example *e, snake *s, attachment *at, double force, double rotary) {
  const double spacing = LENGTH / ELEMENTS;
  const muscle_tendon muscle = {.n = at->n,
                                .first = FIRST,
                                .last = LAST,
                                .length = at->n * SPAN * spacing,
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
  at->muscle = elastica_rod_index(muscle_tendon_add(e, s->world, &muscle));
}

static void add_cable(example *e, snake *s, attachment *at, double force) {
  elastica_tendon_def cable;
  elastica_tendon_def_init(&cable, sizeof cable);
  cable.rod = s->body;
  cable.first = at->place, cable.last = at->place + SPAN * at->n - 1;
  cable.offset[Y] = at->side * ARM;
  cable.tension = force;
  cable.drive = drive, cable.user = at;
  example_require(e, s->world, elastica_add_tendon(s->world, &cable, NULL));
}

static void build(example *e, snake *s, const variant *as) {
  s->least_stretch = INFINITY;
  s->world = example_papers_world(e);
  s->body = add_body(e, s->world);
  for (int k = 0; k < MUSCLES; k++) {
    attachment *at = &s->at[k];
    *at = (attachment){.place = PAIRS[k / 2].place, .n = PAIRS[k / 2].n, .side = k % 2 ? -1 : 1};
    if (as->cables)
      add_cable(e, s, at, PAIRS[k / 2].moment / ARM);
    else
      add_muscle(e, s, at, PAIRS[k / 2].moment / ARM, as->rotary);
  }
  if (!as->cables) add_glue(e, s);
}

/* ---- Its motion ---- */

static void record(example *e, snake *s, int frame, elastica_csv *csv) {
  const elastica_rod_view *body = elastica_rod_get_view(s->body);
  double speed[2] = {0};
  s->mean[frame][X] = s->mean[frame][Y] = 0;
  for (int i = 0; i <= ELEMENTS; i++)
    for (int a = 0; a < 2; a++) {
      s->mean[frame][a] += body->position[a][i] / (ELEMENTS + 1);
      speed[a] += body->velocity[a][i] / (ELEMENTS + 1);
    }
  s->y[frame] = body->position[Y][SEEN];
  for (int j = 0; j < ELEMENTS; j++) s->least_stretch = fmin(s->least_stretch, body->dilatation[j]);
  example_row(e, csv, frame * FRAME, body->position[X][SEEN], s->y[frame], -speed[X], -speed[Y]);
}

static void slither(example *e, snake *s, const variant *as, int frames) {
  char file[64];
  build(e, s, as);
  const elastica_rod_view *body = elastica_rod_get_view(s->body);
  snprintf(file, sizeof file, "%s.csv", as->name);
  elastica_csv *csv = example_csv(e, file);
  snprintf(file, sizeof file, "%s_shapes.csv", as->name);
  elastica_csv *shapes = as->drawn ? example_csv(e, file) : NULL;
  elastica_vtk *vtk = as->drawn ? example_vtk(e, s->world, as->name) : NULL;
  for (int frame = 0; frame <= frames; frame++) {
    if (frame > 0) {
      example_advance(e, s->world, frame * FRAME);
      example_worked(e, FRAME * as->work);
    }
    record(e, s, frame, csv);
    output_frame(&e->output, s->world, vtk);
    if (frame + SECOND < frames || (frames - frame) % (SECOND / SHAPES) != 0) continue;
    for (int i = 0; i <= ELEMENTS; i++) example_row(e, shapes, frame * FRAME, i, body->position[X][i], body->position[Y][i]);
  }
  example_done(e, s->world);
}

static double forward(const snake *s, int period) {
  return (s->mean[(period - 1) * SECOND][X] - s->mean[period * SECOND][X]) / LENGTH;
}

static void compare(example *e, const snake *s, const char *name, int frames) {
  for (int k = 0; k < SAMPLES; k++) {
    const double expected = PUBLISHED[k][1];
    example_check(e, s->y[lround(PUBLISHED[k][0] / FRAME)], expected, 0.02 * fabs(expected), "%s_y_at_%gs", name, PUBLISHED[k][0]);
  }
  if (frames < FRAMES) return;
  for (int period = 4; period <= 5; period++) /* 0.50 to 0.65, about the continuous snake's 0.587 */
    example_check(e, forward(s, period), 0.575, 0.075, "%s_forward_in_period_%d", name, period);
}

static void inform(example *e, const snake *s, const char *name, int cables) {
  for (int period = 2; period <= 5; period++) {
    if (cables || period < 4) example_inform(e, forward(s, period), "%s_forward_in_period_%d", name, period);
    const double lateral = (s->mean[period * SECOND][Y] - s->mean[(period - 1) * SECOND][Y]) / LENGTH;
    example_inform(e, lateral, "%s_lateral_in_period_%d", name, period);
  }
  example_inform(e, s->least_stretch, "%s_least_stretch_of_the_body", name);
}

static void draw(example *e) {
  example_plot(e, 1200, 900,
               "set multiplot title heading\nset grid lt 1 lw 0.5 lc rgb 'gray80'\n"
               "set size 1,0.46\nset origin 0,0.48\nset xlabel 'time [s]'\nset ylabel 'mean velocity of the nodes [L/T]'\n"
               "plot 'authors.csv' using 1:4 with lines lw 2 lt 3 title 'forward', '' using 1:5 with lines lw 2 lt 1 title 'lateral', \\\n"
               "     'cables.csv' using 1:4 with lines lw 1 lt 2 title 'forward, cables that press on the body', \\\n"
               "     0.587 with lines lw 2 dt 2 lc rgb 'black' title 'muscles that act everywhere'\n"
               "set size 1,0.5\nset origin 0,0\nset size ratio -1\nset xlabel 'x [m]'\nset ylabel 'y [m]'\nset ytics 0.1\n"
               "stats 'authors_shapes.csv' using 1 nooutput\n"
               "plot for [k=1:STATS_records/101] 'authors_shapes.csv' every ::(101*k-100)::(101*k) using 3:4 with lines lt 6 \\\n"
               "     title k == 1 ? 'body in the last period' : '', \\\n"
               "     '' using ($2 == 0 ? $3 : NaN):4 with points pt 7 lt 3 title 'its head'\nunset multiplot\n",
               "n = %d, eight muscles, dt = %.3g s", ELEMENTS, e->dt);
}

#define COLUMNS "time [s],x of node 50 [m],y of node 50 [m],forward [m/s],lateral [m/s]"
#define SHAPE "time [s],node [-],x [m],y [m]"

int main(int argc, char **argv) {
  static const example_file files[] = {
      {"authors.csv", COLUMNS, "the authors' joints; velocities are means of all nodes.", FILE_ALWAYS},
      {"authors_shapes.csv", SHAPE, "their body in the last period.", FILE_ALWAYS},
      {"authors.pvd", NULL, "their body and muscles", FILE_ALWAYS},
      {"cables.csv", COLUMNS, "cables along the body.", FILE_ALWAYS},
      {"fine.csv", COLUMNS, "the authors' joints, half the step, rotary inertia as it is.", FILE_ONLY_FULL}};
  const example_about about = {.name = "muscular_snake",
                               .title = "four pairs of muscles make a snake slither (Zhang et al. 2019)",
                               .quick = "the first 0.18 s; 1 s",
                               .normal = "five periods; 10 s",
                               .full = "the same, and with half the step and the rotary inertia of the muscles as it is; 30 s",
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  const variant authors = {"authors", 0, 1, 10, ROTARY}, cables = {"cables", 1, 0, 1, 1}, fine = {"fine", 0, 0, 20, 1};
  static snake s, other;
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL, frames = quick ? QUICK_FRAMES : FRAMES;
  const double dt = e.dt > 0 ? e.dt : STEP;
  example_expect(&e, frames * FRAME * (authors.work + cables.work + (full ? fine.work : 0)));
  e.dt = e.options.dt; /* cables have a step of 10 STEP, that of the body */
  slither(&e, &other, &cables, frames);
  e.dt = dt;
  slither(&e, &s, &authors, frames);
  compare(&e, &s, "authors", frames);
  if (!quick) {
    inform(&e, &s, "authors", 0);
    inform(&e, &other, "cables", 1);
  }
  if (full) {
    e.dt = dt / 2;
    slither(&e, &other, &fine, frames);
    compare(&e, &other, "fine", frames);
    example_check(&e, forward(&other, 5) / forward(&s, 5), 1, 0.02, "fine_over_coarse_forward_in_period_5");
    e.dt = dt;
  }
  draw(&e);
  return example_end(&e);
}
