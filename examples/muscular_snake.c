/* Muscular snake: four antagonistic pairs of muscles between tendons make a soft body slither.
 *
 * source    Zhang et al. 2019, "Modeling and simulation of complex dynamic musculoskeletal architectures", figure 3
 * claim     four pairs move it about as fast as continuous muscles (see slithering): 0.587 L/T in the authors' program
 * settings  those of the authors' program: common/muscled_body.h
 * joint     `authors` has their joints: muscles apply couples to the body, but no forces
 * cables    the same tensions in cables of the library that slide along the body: all forces act on it. They compress it, to 0.82 of its
 *           length at the overlap of three pairs, and it is slower. (Rods on ball joints with lateral springs that also act on the body
 *           do not work: the flesh, with a stiffness of 1.1 N, folds up.) Cables are INFO
 * step      the authors' 2e-8 s is needed for explicit dissipation of the tendons' spin (the library integrates it by rates), and for
 *           anchors that are 500 times as stiff. Here the step is STEP
 * compared  with the first deflections of the middle in the authors' program, and with the claimed speed; no more values of theirs are
 *           known. By friction the deflection at 0.08 s is of first order in the step: it converges to 1.6 % less than theirs, because
 *           their friction overshoots at zero slip (see slithering)
 */
#include "common/design.h"
#include "common/muscled_body.h"
#include <math.h>
#include <stdio.h>

enum { ELEMENTS = 100, SEEN = 50, FRAMES = 250, QUICK_FRAMES = 9, SECOND = 50, SHAPES = 10 };

static const double FRAME = 0.02, STEP = 4e-6, ROTARY = 2; /* [s] [s] [1] */

/* Each pair has a muscle at -y and a muscle at +y. The activation passes 101.76 elements of the body in a second. */
static const muscled_plan FOUR_PAIRS = {.n = ELEMENTS,
                                        .count = 4,
                                        .pair = {{4, 39, 4, 22.96, 4 / 101.76},
                                                 {33, 39, 4, 20.95, 33 / 101.76},
                                                 {23, 33, 4, 9.51, 23 / 101.76},
                                                 {61, 33, 4, 13.7, 61 / 101.76}},
                                        .rotary = 1};

/* The authors' program: t [s], y of node 50 [m]. */
static const double PUBLISHED[][2] = {{0.08, -9.66022e-6}, {0.1, -3.65215e-5},  {0.12, -1.0593e-4},
                                      {0.14, -2.36626e-4}, {0.16, -4.00858e-4}, {0.18, -5.11478e-4}};
enum { SAMPLES = sizeof PUBLISHED / sizeof *PUBLISHED };

typedef struct variant {
  const char *name;
  muscled_kind kind;
  int drawn;   /* 1: with shapes and frames */
  double work; /* of a second */
  double rotary;
} variant;

typedef struct snake {
  muscled_body is;
  double y[FRAMES + 1], mean[FRAMES + 1][2]; /* [m] of node 50; mean of all nodes of the body */
  double least_stretch;                      /* of the body */
} snake;

/* ---- Its motion ---- */

static void record(example *e, snake *s, int frame, elastica_csv *csv) {
  const elastica_rod_view *body = elastica_rod_get_view(s->is.body);
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
  muscled_plan plan = FOUR_PAIRS;
  plan.kind = as->kind, plan.rotary = as->rotary;
  s->least_stretch = INFINITY;
  muscled_build(e, &s->is, &plan);
  const elastica_rod_view *body = elastica_rod_get_view(s->is.body);
  snprintf(file, sizeof file, "%s.csv", as->name);
  elastica_csv *csv = example_csv(e, file);
  snprintf(file, sizeof file, "%s_shapes.csv", as->name);
  elastica_csv *shapes = as->drawn ? example_csv(e, file) : NULL;
  elastica_vtk *vtk = as->drawn ? example_vtk(e, s->is.world, as->name) : NULL;
  for (int frame = 0; frame <= frames; frame++) {
    if (frame > 0) {
      example_advance(e, s->is.world, frame * FRAME);
      example_worked(e, FRAME * as->work);
    }
    record(e, s, frame, csv);
    output_frame(&e->output, s->is.world, vtk);
    if (frame + SECOND < frames || (frames - frame) % (SECOND / SHAPES) != 0) continue;
    for (int i = 0; i <= ELEMENTS; i++) example_row(e, shapes, frame * FRAME, i, body->position[X][i], body->position[Y][i]);
  }
  example_done(e, s->is.world);
}

static double forward(const snake *s, int period) {
  return (s->mean[(period - 1) * SECOND][X] - s->mean[period * SECOND][X]) / MUSCLED_LENGTH;
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
    const double lateral = (s->mean[period * SECOND][Y] - s->mean[(period - 1) * SECOND][Y]) / MUSCLED_LENGTH;
    example_inform(e, lateral, "%s_lateral_in_period_%d", name, period);
  }
  example_inform(e, s->least_stretch, "%s_least_stretch_of_the_body", name);
}

static void draw(example *e) {
  example_plot(e, 1200, 900, NULL, "n = %d, eight muscles, dt = %.3g s", ELEMENTS, e->dt);
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
  static const char *text;
  static const case_option options[] = {
      DESIGN_OPTION(text, DESIGN_SNAKE,
                    "only evaluate a design of up to six pairs of muscles, by its fifth period: their start\n"
                    "and span [vertebrae, of 100], largest moment [N m] and phase [periods] of each")};
  const example_about about = {.name = "muscular_snake",
                               .title = "four pairs of muscles make a snake slither (Zhang et al. 2019)",
                               .quick = "the first 0.18 s; 1 s",
                               .normal = "five periods; 10 s",
                               .full = "the same, and with half the step and without scaled rotary inertia of the muscles; 30 s",
                               .options = options,
                               .option_count = sizeof options / sizeof *options,
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  const variant authors = {"authors", MUSCLED_MUSCLES, 1, 10, ROTARY}, cables = {"cables", MUSCLED_CABLES, 0, 1, 1},
                fine = {"fine", MUSCLED_MUSCLES, 0, 20, 1};
  static snake s, other;
  example e;
  example_begin(&e, &about, argc, argv);
  if (text) design_evaluate(&e, "snake", text, DESIGN_WHOLE);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL, frames = quick ? QUICK_FRAMES : FRAMES;
  const double dt = e.dt > 0 ? e.dt : STEP;
  example_expect(&e, frames * FRAME * (authors.work + cables.work + (full ? fine.work : 0)));
  e.dt = e.options.dt; /* cables use a step of 10 STEP, the step of the body */
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
