#include "design.h"

#include "animal.h"
#include "evaluation.h"
#include "flagellum.h"
#include "muscled_body.h"
#include "scaffold.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A world of its own ---- */

static elastica_status advance(const example *e, elastica_world *world, double until) {
  const double duration = until - elastica_world_get(world).time;
  return e->dt > 0 ? elastica_world_step(world, e->dt, lround(duration / e->dt)) : elastica_world_advance(world, duration);
}

static void finish(example *e, elastica_world *world, double dt, design_trial *out) {
  if (out->status != ELASTICA_OK) snprintf(out->message, sizeof out->message, "%s", elastica_world_message(world));
  out->run.steps = elastica_world_get(world).step_count;
  out->run.dt = dt > 0 ? dt : elastica_world_get(world).working_step;
  for (int k = 0; k < elastica_world_get(world).rod_count; k++)
    out->run.elements += elastica_rod_get_view(elastica_world_rod(world, k))->element_count;
  if (out->status == ELASTICA_OK) out->status = elastica_world_step_limit(world, &out->run.limit);
  output_forget(&e->output, world);
  elastica_world_destroy(world);
}

static void run_one(example *own, const design *of, const double *x, design_depth depth, design_trial *out) {
  own->options.threads = 1;
  own->options.budget = 0;
  of->run(own, of, x, depth, out);
  if (out->status == ELASTICA_OK && !isfinite(out->worth)) out->status = ELASTICA_NOT_FINITE;
}

design_trial design_run(const example *e, const design *of, const double *x, design_depth depth) {
  design_trial out = {.status = ELASTICA_OK};
  example own = *e; /* notes of builders about a world belong to this thread */
  own.output = (example_output){0};
  const double started = progress_clock();
  run_one(&own, of, x, depth, &out);
  out.run.seconds = progress_clock() - started;
  return out;
}

design_trial design_show(example *e, const design *of, const double *x, design_depth depth) {
  design_trial out = {.status = ELASTICA_OK};
  example own = *e;
  run_one(&own, of, x, depth, &out);
  e->output = own.output;
  return out;
}

/* ---- Flagella ---- */

/* Displacement of node 9 towards the head [m] from the place `from`. */
static double ahead_by(const elastica_rod_view *body, const double from[2]) {
  double axis[2], gone = 0;
  for (int a = 0; a < 2; a++) axis[a] = body->position[a][0] - body->position[a][FLAGELLUM_ELEMENTS];
  for (int a = 0; a < 2; a++) gone += (body->position[a][FLAGELLUM_SEEN] - from[a]) * axis[a] / hypot(axis[0], axis[1]);
  return gone;
}

/* Runs beat by beat: a soft tail needs five beats, in which it also turns, until successive beats agree to 2 %. The rotary inertia is
 * that of flagella, or four times as much, which changes the speed by 3 % at most: a thin tail has light elements, bent by its joint
 * with the head. */
static void run_flagella(example *e, const design *of, const double *x, design_depth depth, design_trial *out) {
  static const int beats[] = {2, 6, 23}, before[] = {1, 5, 5}; /* numbers of all beats, and of those before the measurement */
  const double element = FLAGELLUM_LENGTH / FLAGELLUM_ELEMENTS;
  const flagellum_plan plan = {.head = 1e-3 * x[0] / element,
                               .beside = 1e-3 * x[3] / element,
                               .head_radius = 1e-6 * x[1],
                               .tail_radius = 1e-6 * x[2],
                               .joint = FLAGELLUM_AUTHORS,
                               .rotary = depth == DESIGN_WHOLE ? 150 : 600};
  flagellum swimmer;
  double gone = 0;
  flagellum_build(e, &swimmer, &plan);
  example_film(e, swimmer.world, of->piece / 20);
  const elastica_rod_view *body = elastica_rod_get_view(swimmer.body);
  for (int k = 1; k <= beats[depth] && out->status == ELASTICA_OK; k++) {
    const double from[2] = {body->position[X][FLAGELLUM_SEEN], body->position[Y][FLAGELLUM_SEEN]};
    out->status = advance(e, swimmer.world, k / FLAGELLUM_BEATS);
    if (k > before[depth]) gone += ahead_by(body, from);
  }
  out->worth = gone * FLAGELLUM_BEATS / (beats[depth] - before[depth]);
  finish(e, swimmer.world, e->dt, out);
}

design design_flagella(void) {
  return (design){.name = "flagella",
                  .unit = "m/s",
                  .piece = 1 / FLAGELLUM_BEATS,
                  .count = 4,
                  .quantity = {"head_length_mm", "head_radius_um", "tail_radius_um", "cell_start_mm"},
                  .lower = {0.2, 10, 4, 0.1},
                  .upper = {0.8, 40, 10, 1.4},
                  .original = {4 * 1.927 / 18, 20, 7, 4.5 * 1.927 / 18},
                  .run = run_flagella};
}

/* ---- Walker ---- */

/* Runs stride by stride, half a second each. Springs are those of the walks of walker: with softer ones it stumbles. */
static void run_walker(example *e, const design *of, const double *x, design_depth depth, design_trial *out) {
  static const int strides[] = {2, 3, 10}, before[] = {1, 1, 2}; /* all, after the fall; before the measurement */
  const double start = 0.1, stride = of->piece;                  /* [s] */
  const scaffold_plan plan = {
      .frequency = 1 / stride, .softer = 10, .bridge_modulus = 1e6 * x[0], .short_leg = x[1], .lower = x[2], .guided = 1};
  scaffold body;
  double from = 0;
  scaffold_build(e, &body, &plan);
  example_film(e, body.world, of->piece / 20);
  const double *middle = &body.rod[0]->position[Y][8];
  for (int k = 1; k <= strides[depth] && out->status == ELASTICA_OK; k++) {
    out->status = advance(e, body.world, start + k * stride);
    if (k == before[depth]) from = *middle;
  }
  out->worth = (from - *middle) / (stride * (strides[depth] - before[depth]));
  finish(e, body.world, e->dt, out);
}

design design_walker(void) {
  return (design){.name = "walker",
                  .unit = "mm/s",
                  .piece = 0.5,
                  .count = 3,
                  .quantity = {"bridge_modulus_MPa", "short_leg_mm", "strips_lower_by_sixths_of_a_leg"},
                  .lower = {0.1, 1.7, -1},
                  .upper = {1, 3.4, 1},
                  .original = {0.3194, 2.8, 0},
                  .run = run_walker};
}

/* ---- Snake ---- */

/* Muscles end with the body. They have whole elements, each as long as three of the body; the flesh is in the middle. */
static muscled_pair pair_of(const double *x, int whole) {
  muscled_pair out = {.place = x[0], .span = fmin(x[1], 99 - x[0]), .moment = x[2], .delay = x[3] * MUSCLED_PERIOD};
  if (!whole) return out;
  out.place = (double)lround(out.place);
  long n = lround(out.span / MUSCLED_SPAN);
  while (out.place + (double)(MUSCLED_SPAN * n) > 99) n--;
  out.span = (double)(MUSCLED_SPAN * n);
  out.first = (int)(n - MUSCLED_FRAGMENTS) / 2;
  return out;
}

static void run_snake(example *e, const design *of, const double *x, design_depth depth, design_trial *out) {
  static const int elements[] = {25, 50, 100}, periods[] = {2, 3, 5};
  muscled_plan plan = {
      .kind = depth == DESIGN_WHOLE ? MUSCLED_MUSCLES : MUSCLED_COUPLES, .n = elements[depth], .count = of->count / 4, .rotary = 2};
  muscled_body snake;
  elastica_step_limit limit;
  for (int k = 0; k < plan.count; k++) plan.pair[k] = pair_of(x + 4 * k, depth == DESIGN_WHOLE);
  muscled_build(e, &snake, &plan);
  double dt = e->dt > 0 ? e->dt : 4e-6;
  if (depth != DESIGN_WHOLE && e->dt <= 0) {
    out->status = elastica_world_step_limit(snake.world, &limit);
    dt = 0.8 * limit.dt;
  }
  example_film(e, snake.world, of->piece);
  const long steps = (long)ceil(MUSCLED_PERIOD / (ANIMAL_SAMPLES * dt));
  for (int k = 0; k < periods[depth] && out->status == ELASTICA_OK; k++)
    out->status = animal_stride(snake.world, snake.body, -1, steps, &out->worth);
  finish(e, snake.world, MUSCLED_PERIOD / (double)(ANIMAL_SAMPLES * steps), out);
}

design design_snake(int pairs) {
  static const char *const quantity[] = {"start_vertebrae", "span_vertebrae", "moment_N_m", "phase_periods"};
  static const double lower[] = {0, 15, 0, 0}, upper[] = {70, 50, 40, 1};
  static const double four[] = {4, 39, 22.96, 4 / 101.76, 33, 39, 20.95, 33 / 101.76, 23, 33, 9.51, 23 / 101.76, 61, 33, 13.7, 61 / 101.76};
  design out = {.name = "snake", .unit = "L/T", .piece = MUSCLED_PERIOD / ANIMAL_SAMPLES, .count = 4 * pairs, .run = run_snake};
  for (int k = 0; k < out.count; k++) {
    const double place = 70.0 * (k / 4 + 0.5) / pairs, guess[] = {place, 33, 15, place / 101.76};
    out.quantity[k] = quantity[k % 4];
    out.lower[k] = lower[k % 4], out.upper[k] = upper[k % 4];
    out.original[k] = pairs == 4 ? four[k] : guess[k % 4];
  }
  return out;
}

/* ---- A program as one evaluation ---- */

design design_named(const char *name, int pairs) {
  return strcmp(name, "flagella") == 0 ? design_flagella() : strcmp(name, "walker") == 0 ? design_walker() : design_snake(pairs);
}

#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 2, 3)))
#endif
static void
refuse(const example *e, const char *format, ...) {
  va_list arguments;
  fprintf(stderr, "%s: --design: ", e->about->name);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(2);
}

void design_name(const design *of, int k, char name[64]) {
  if (of->run == run_snake)
    snprintf(name, 64, "%s_%d_%s", of->name, k / 4 + 1, of->quantity[k]);
  else
    snprintf(name, 64, "%s_%s", of->name, of->quantity[k]);
}

void design_evaluate(example *e, const char *name, const char *text, design_depth depth) {
  double x[DESIGN_MOST];
  char wanted[64], quantity[64];
  design of = design_named(name, MUSCLED_MOST);
  example_fit(e, of.piece);
  const int snake = of.run == run_snake;
  snprintf(wanted, sizeof wanted, snake ? "four numbers for each of %d pairs at most are wanted" : "%d numbers are wanted",
           snake ? MUSCLED_MOST : of.count);
  const int count = evaluation_read(e, "--design", text, snake ? 4 : of.count, of.count, x, wanted);
  if (snake && count % 4 != 0) refuse(e, "%s", wanted);
  if (snake) of = design_snake(count / 4);
  for (int k = 0; k < count; k++)
    if (!(x[k] >= of.lower[k] && x[k] <= of.upper[k]))
      refuse(e, "%s is %g, outside of %g..%g", of.quantity[k], x[k], of.lower[k], of.upper[k]);
  const design_trial trial = design_run(e, &of, x, depth);
  if (trial.status != ELASTICA_OK) evaluation_fail(e, trial.status, trial.message);
  results_run(&e->results, &trial.run);
  for (int k = 0; k < count; k++) {
    design_name(&of, k, quantity);
    example_inform(e, x[k], "%s", quantity);
  }
  example_inform(e, trial.worth, "%s_speed_in_%s", of.name, of.unit);
  evaluation_end(e, trial.worth);
}
