#include "animal.h"
#include "evaluation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Bodies and surroundings ---- */

static elastica_status add_body(elastica_world *world, int n, elastica_rod **rod) {
  elastica_rod_def def = gait_body(n, ANIMAL_LENGTH, ANIMAL_RADIUS, ANIMAL_DENSITY, ANIMAL_YOUNGS_MODULUS);
  return elastica_world_add_rod(world, &def, rod);
}

static elastica_status add_damping(elastica_world *world, elastica_rod *rod) {
  elastica_dissipation_def damping;
  elastica_dissipation_def_init(&damping, sizeof damping);
  damping.translation = damping.rotation = ANIMAL_DAMPING; /* the paper has one number for both */
  return elastica_add_dissipation(world, rod, &damping, NULL);
}

elastica_status animal_make_snake(elastica_world *world, int n, elastica_end head, elastica_balance balance, elastica_rod **rod) {
  const double g = 9.81, froude = 0.1, gravity[3] = {0, 0, -g}, ratio[3] = {1, 1.5, 2};
  const double mu = ANIMAL_LENGTH / (ANIMAL_PERIOD * ANIMAL_PERIOD * g * froude);
  elastica_rod_def def = gait_body(n, ANIMAL_LENGTH, ANIMAL_RADIUS, ANIMAL_DENSITY, ANIMAL_YOUNGS_MODULUS);
  def.start[0] = -ANIMAL_LENGTH / 2;
  def.start[2] = ANIMAL_RADIUS;
  elastica_status status = elastica_world_add_rod(world, &def, rod);
  if (status == ELASTICA_OK) status = elastica_add_gravity(world, gravity, NULL);
  if (status == ELASTICA_OK) status = add_damping(world, *rod);
  elastica_obstacle_def ground = gait_ground(2 * mu, mu, ratio, head);
  ground.balance = balance;
  return status == ELASTICA_OK ? elastica_add_obstacle(world, *rod, &ground, NULL) : status;
}

elastica_status animal_make_swimmer(elastica_world *world, int n, elastica_drag_kind kind, int rest_slenderness, int rest_length,
                                    elastica_rod **rod) {
  elastica_status status = add_body(world, n, rod);
  if (status == ELASTICA_OK) status = add_damping(world, *rod);
  elastica_drag_def fluid;
  elastica_drag_def_init(&fluid, sizeof fluid);
  fluid.kind = kind;
  fluid.viscosity = 1e4; /* [Pa s] */
  fluid.rest_slenderness = rest_slenderness;
  fluid.rest_length = rest_length;
  return status == ELASTICA_OK ? elastica_add_drag(world, *rod, &fluid, NULL) : status;
}

static elastica_status snake_of_figure_10(elastica_world *world, int n, elastica_rod **rod) {
  return animal_make_snake(world, n, ELASTICA_END_FIRST, ELASTICA_BALANCE_ELEMENTS, rod);
}

static elastica_status swimmer_of_figure_11(elastica_world *world, int n, elastica_rod **rod) {
  return animal_make_swimmer(world, n, ELASTICA_DRAG_RATE, 1, 0, rod);
}

const animal animal_snake = {"snake", "10e", snake_of_figure_10, -1, {17.4, 48.5, 5.4, 14.7, 0.97}, 0.6};
const animal animal_swimmer = {"swimmer", "11e", swimmer_of_figure_11, 1, {50, 50, 50, 50, 2.6}, 0.055};

/* ---- Successive gaits ---- */

static elastica_muscle_def muscle_of(const animal *of, const double gait[ANIMAL_NUMBERS], double beta[6]) {
  beta[0] = beta[5] = 0;
  memcpy(beta + 1, gait, 4 * sizeof *beta);
  return gait_muscle(beta, ANIMAL_PERIOD, of->forward * 2 * acos(-1) * gait[4] / ANIMAL_LENGTH);
}

elastica_status animal_runner_create(const animal *of, int n, double dt, animal_runner *out) {
  double beta[6];
  *out = (animal_runner){.of = of, .n = n, .steps = lround(ANIMAL_PERIOD / (dt * ANIMAL_SAMPLES))};
  const elastica_world_def law = example_papers_law();
  elastica_status status = elastica_world_create(&law, &out->world);
  if (status != ELASTICA_OK) return status;
  status = of->make(out->world, n, &out->rod);
  const elastica_muscle_def muscle = muscle_of(of, of->published, beta);
  if (status == ELASTICA_OK) status = elastica_add_muscle(out->world, out->rod, &muscle, &out->muscle);
  if (status != ELASTICA_OK) return status;
  status = elastica_world_snapshot_save(out->world, NULL, 0, &out->start_size);
  if (status != ELASTICA_OK) return status;
  out->start = malloc(out->start_size);
  return out->start ? elastica_world_snapshot_save(out->world, out->start, out->start_size, NULL) : ELASTICA_OUT_OF_MEMORY;
}

void animal_runner_free(animal_runner *runner) {
  elastica_world_destroy(runner->world);
  free(runner->start);
  *runner = (animal_runner){.n = 0};
}

/* Adds the vector from the last node to the first, or back: the direction of motion of the animal. */
static void add_heading(const elastica_rod *rod, double forward, double heading[2]) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int a = 0; a < 2; a++) heading[a] += forward * (view->position[a][view->element_count] - view->position[a][0]);
}

elastica_status animal_stride(elastica_world *world, elastica_rod *rod, double forward, long steps, double *speed) {
  elastica_totals before, after;
  double heading[2] = {0, 0};
  elastica_status status = elastica_rod_get_totals(rod, &before);
  for (int sample = 0; sample < ANIMAL_SAMPLES && status == ELASTICA_OK; sample++) {
    status = elastica_world_step(world, ANIMAL_PERIOD / (double)(ANIMAL_SAMPLES * steps), steps);
    add_heading(rod, forward, heading);
  }
  if (status == ELASTICA_OK) status = elastica_rod_get_totals(rod, &after);
  if (status != ELASTICA_OK) return status;
  const double x = after.centre[0] - before.centre[0], y = after.centre[1] - before.centre[1], size = hypot(heading[0], heading[1]);
  *speed = size > 0 ? (x * heading[0] + y * heading[1]) / (size * ANIMAL_LENGTH) : 0;
  return isfinite(*speed) ? ELASTICA_OK : ELASTICA_NOT_FINITE;
}

elastica_status animal_run(animal_runner *runner, const double gait[ANIMAL_NUMBERS], int periods, double *speed) {
  double beta[6];
  elastica_status status = elastica_world_snapshot_load(runner->world, runner->start, runner->start_size);
  const elastica_muscle_def muscle = muscle_of(runner->of, gait, beta);
  if (status == ELASTICA_OK) status = elastica_muscle_set(runner->muscle, &muscle);
  for (int k = 0; k < periods && status == ELASTICA_OK; k++)
    status = animal_stride(runner->world, runner->rod, runner->of->forward, runner->steps, &speed[k]);
  return status;
}

/* ---- A program as one evaluation ---- */

void animal_evaluate(example *e, const animal *of, int n, const char *text) {
  enum { PERIODS = 3 };
  double gait[ANIMAL_NUMBERS], speed[PERIODS];
  animal_runner runner;
  example_fit(e, ANIMAL_PERIOD / ANIMAL_SAMPLES);
  evaluation_read(e, "--gait", text, ANIMAL_NUMBERS, ANIMAL_NUMBERS, gait, "five numbers are wanted: B1,B2,B3,B4,WAVES");
  elastica_status status = animal_runner_create(of, n, e->options.dt > 0 ? e->options.dt : animal_dt(n), &runner);
  if (status == ELASTICA_OK) status = animal_run(&runner, gait, PERIODS, speed);
  if (status != ELASTICA_OK) evaluation_fail(e, status, runner.world ? elastica_world_message(runner.world) : "no world");
  for (int k = 0; k < PERIODS; k++) example_inform(e, speed[k], "%s_speed_in_period_%d", of->name, k + 1);
  animal_runner_free(&runner);
  evaluation_end(e, speed[PERIODS - 1]);
}
