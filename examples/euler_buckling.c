/* Euler buckling: a straight rod between two hinges buckles under a large compressive load.
 *
 * source    Gazzola et al. 2018, appendix F and figure 14
 * claim     the rod buckles beyond F_c = pi^2 alpha/L^2   (F 2)
 * compared  the threshold of growth with the closed form of the discrete rod with shear and axial strain: P (1 + P/S)/(1 + P/S)^4 = (4
 *           n^2 alpha/L^2) sin^2(pi/2n); with the paper's detection (ten random pushes each, bending energy above 1e-3 J) with (F 2)
 *
 * Growth: sigma^2 of the half sine is zero at the threshold and P is smooth in it. A parabola through three rates above the threshold is
 * extrapolated to zero. For these runs the rod starts shortened by the load; in the paper's experiment the load is applied suddenly. "A
 * small random force initially": here for the first 10 ms. A constant force would bend the rod before it buckles. A sudden load also
 * excites undamped axial oscillations. If twice a bending frequency equals the axial frequency, bending grows (parametric resonance): at
 * one point of the paper's maps, alpha = 2.75 and F = 25, 0.92 of F_c, the fourth half sine is excited. Therefore points on the wrong
 * side of (F 2) are run again with the rod initially shortened by the load, without axial oscillations. For elements longer than the
 * radius, J is scaled by (l/r)^2: 4 for n = 20. Thresholds do not depend on it, steps are 1.6 times longer.
 */
#include "common/growth.h"
#include "common/trials.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double MASS = 1, SLENDERNESS = 0.025, TWIST_OVER_BEND = 2.0 / 3, STIFFNESS = 1e5; /* [kg] radius/length, [N] */
static const double PUSH = 1e-2, PUSH_TIME = 1e-2, DURATION = 10, EVENT = 1e-3;                /* [N] [s] [s] [J] */
static const double PAPER_STEP = 1e-5, TEST_INTERVAL = 0.05; /* [s] [s] interval at which trials test the energy */
enum { PUSHES = 10, SIDE = 16 };

static double critical(double bend, double length) {
  return pow(acos(-1) / length, 2) * bend; /* (F 2) */
}

static double critical_discrete(double bend, double length, int n) {
  const double euler = bend * pow(2 * n / length * sin(acos(-1) / (2 * n)), 2);
  double load = euler;
  for (int k = 0; k < 50; k++) load = euler * pow(1 + load / STIFFNESS, 3);
  return load;
}

/* A rod along z with the load on its last node; shortened 1: it starts with its length under the load. Its nodes move sideways at speed
 * sin(pi z/L) [m/s]. */
static elastica_status add_column(elastica_world *world, int n, double bend, double length, double load, int shortened, double speed,
                                  elastica_rod **rod) {
  const double l = length / n, radius = SLENDERNESS * length, dilatation = shortened ? 1 / (1 + load / STIFFNESS) : 1;
  double *position = calloc((size_t)n * 13 + 6, sizeof *position), *velocity = position + 3 * (n + 1),
         *rest_length = velocity + 3 * (n + 1);
  double *stiffness = rest_length + n, *bending = stiffness + 3 * n;
  if (!position) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "no room for %d elements", n);
  for (int i = 0; i <= n; i++) position[component(i, Z)] = l * dilatation * i, velocity[component(i, X)] = speed * sin(acos(-1) * i / n);
  for (int j = 0; j < n; j++) {
    rest_length[j] = l;
    for (int a = 0; a < 3; a++) stiffness[component(j, a)] = STIFFNESS, bending[component(j, a)] = a < 2 ? bend : TWIST_OVER_BEND * bend;
  }
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.position = position;
  def.velocity = velocity;
  def.rest_length = rest_length;
  def.radius = radius;
  def.density = MASS / (length * acos(-1) * radius * radius);
  def.shear_stiffness = stiffness;
  def.bend_stiffness = bending;
  def.rotary_inertia_scale = fmax(1, l * l / (radius * radius));
  elastica_status status = elastica_world_add_rod(world, &def, rod);
  free(position);

  elastica_boundary_def hinge;
  elastica_boundary_def_init(&hinge, sizeof hinge);
  hinge.kind = ELASTICA_BOUNDARY_PIN;
  if (status == ELASTICA_OK) status = elastica_add_boundary(world, *rod, &hinge, NULL);
  hinge.node = -1;
  hinge.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
  if (status == ELASTICA_OK) status = elastica_add_boundary(world, *rod, &hinge, NULL);

  elastica_point_load_def press;
  elastica_point_load_def_init(&press, sizeof press);
  press.force[2] = -load;
  return status == ELASTICA_OK ? elastica_add_point_load(world, *rod, &press, NULL) : status;
}

/* ---- Growth ---- */

static double amplitude(const elastica_rod_view *view) {
  double sum = 0;
  for (int i = 0; i <= view->element_count; i++) sum += view->position[0][i] * sin(acos(-1) * i / view->element_count);
  return fabs(2 * sum / view->element_count);
}

/* sigma^2 [1/s^2] of the half sine beyond the threshold; its amplitude starts near 1e-9 m. */
static double growth(example *e, int n, double bend, double length, double load) {
  elastica_world *world = example_papers_world(e);
  elastica_rod *rod = NULL;
  example_require(e, world, add_column(world, n, bend, length, load, 1, 1e-8, &rod));
  const double squared = growth_squared(e, world, rod, amplitude, 1e-2, 30);
  example_done(e, world);
  example_worked(e, 1);
  return squared;
}

static double threshold(example *e, int n, double bend, double length) {
  double squared[3], load[3];
  for (int k = 0; k < 3; k++) {
    load[k] = (1.1 + 0.1 * k) * critical(bend, length);
    squared[k] = growth(e, n, bend, length, load[k]);
  }
  return growth_threshold(squared, load);
}

/* ---- The paper's maps ---- */

typedef struct point {
  int n;
  double bend, length, load; /* [N m^2] [m] [N] */
} point;

typedef struct map {
  const point *points;
  double dt; /* [s] 0: the certified step */
  int force_dt;
  int shortened; /* shortened by the load from the start */
} map;

static void try_out(const void *user, int index, trial *out) {
  const map *m = user;
  const point *p = &m->points[index / PUSHES];
  elastica_world *world = NULL;
  elastica_rod *rod = NULL;
  elastica_totals energy = {0};
  long steps = 1;
  int good = trial_require(out, NULL, trial_world(m->force_dt, &world));
  good = good && trial_require(out, world, add_column(world, p->n, p->bend, p->length, p->load, m->shortened, 0, &rod));
  good = good && trial_require(out, world, add_random_push(world, rod, (unsigned)index, PUSH, PUSH_TIME));
  good = good && trial_require(out, world, trial_steps(world, TEST_INTERVAL, m->dt, &steps));
  for (int k = 1; good && !out->happened && k * TEST_INTERVAL <= DURATION + 1e-9; k++) {
    good = trial_require(out, world, elastica_world_step(world, TEST_INTERVAL / (double)steps, steps)) &&
           trial_require(out, world, elastica_rod_get_totals(rod, &energy));
    out->happened = energy.bending > EVENT;
  }
  if (world) out->element_steps = (double)p->n * (double)elastica_world_get(world).step_count;
  elastica_world_destroy(world);
}

/* Runs ten pushes at each point; outcome has an entry for each push. */
static void try_points(example *e, const point *points, int count, int shortened, trial *outcome) {
  const double dt = e->options.dt > 0 ? e->options.dt : e->options.mode == EXAMPLE_FULL ? PAPER_STEP : 0;
  const map m = {points, dt, e->options.force_dt, shortened};
  trials_run(e, try_out, &m, count * PUSHES, outcome);
}

/* 1 for a point at least 5 % away from (F 2) that does not always buckle above it, or sometimes buckles below it. */
static int is_wrong(const point *p, int happened) {
  const double level = p->load / critical(p->bend, p->length);
  return fabs(level - 1) > 0.05 - 1e-9 && happened != (level > 1 ? PUSHES : 0);
}

typedef struct count_of {
  int resonates, wrong;
} count_of;

/* A map; counts the points on the wrong side of (F 2) because of resonance, and those without resonance. */
static void explore(example *e, const char *file, const point *points, int count, count_of *found) {
  const int full = e->options.mode == EXAMPLE_FULL;
  trial *outcome = trials_room(e, (count + 1) * PUSHES), *again = outcome + count * PUSHES;
  elastica_csv *csv = example_csv(e, file);
  try_points(e, points, count, 0, outcome);
  for (int k = 0; k < count; k++) {
    const point *p = &points[k];
    const double level = p->load / critical(p->bend, p->length);
    const int happened = trials_happened(outcome + k * PUSHES, PUSHES), clear = fabs(level - 1) > 0.05 - 1e-9;
    if (!full && clear) example_check(e, happened, level > 1 ? PUSHES : 0, 0, "alpha_%g_L_%g_buckled_at_%g_F_c", p->bend, p->length, level);
    if (!full && !clear) example_inform(e, happened, "alpha_%g_L_%g_buckled_at_%g_F_c", p->bend, p->length, level);
    example_row(e, csv, p->bend, p->length, p->load, (double)happened / PUSHES, critical(p->bend, p->length));
    if (!full || !is_wrong(p, happened)) continue;
    try_points(e, p, 1, 1, again);
    if (is_wrong(p, trials_happened(again, PUSHES)))
      found->wrong++;
    else
      found->resonates++;
  }
  free(outcome);
}

/* A column that buckles, for ParaView. */
static void show(example *e) {
  elastica_world *world = example_papers_world(e);
  elastica_rod *rod = NULL;
  long steps;
  example_require(e, world, add_column(world, 20, 1, 1, 1.1 * critical(1, 1), 0, 0, &rod));
  example_require(e, world, add_random_push(world, rod, 0, PUSH, PUSH_TIME));
  example_require(e, world, trial_steps(world, TEST_INTERVAL, e->dt, &steps));
  elastica_vtk *vtk = example_vtk(e, world, "euler_buckling");
  output_frame(&e->output, world, vtk);
  for (int frame = 0; frame < 60; frame++) {
    example_step(e, world, TEST_INTERVAL / (double)steps, steps);
    output_frame(&e->output, world, vtk);
  }
  example_done(e, world);
}

/* (F 2) between the points of the maps. */
static void write_critical(example *e) {
  elastica_csv *by_bend = example_csv(e, "critical_alpha.csv");
  elastica_csv *by_length = example_csv(e, "critical_length.csv");
  for (int k = 0; k <= 200; k++) {
    const double bend = 4.25 * k / 200, length = 0.4 + 1.7 * k / 200;
    example_row(e, by_bend, bend, critical(bend, 1));
    example_row(e, by_length, length, critical(1, length));
  }
}

/* Figure 14b, c. */
static void draw_maps(example *e) {
  write_critical(e);
  example_plot(e, 1300, 640, NULL, "n = 100 per metre, dt = %g s", e->dt > 0 ? e->dt : PAPER_STEP);
}

/* The same, only near (F 2). */
static void draw_columns(example *e) {
  char step[32] = "0.8 of the stability limit";
  if (e->dt > 0) snprintf(step, sizeof step, "%g s", e->dt);
  example_plot(e, 1300, 640, NULL, "n = 20, dt = %s", step);
}

/* Elements are no longer than the radius: J is not scaled. */
static void certified_case(example *e, int n) {
  example_inform(e, growth(e, n, 1, 1, 1.2 * critical(1, 1)), "growth_at_1.2_F_c");
  example_inform(e, threshold(e, n, 1, 1), "threshold");
}

static const example_file FILES[] = {
    {"map_alpha.csv", "alpha [N m^2],L [m],F [N],probability of buckling [1],F_c [N]", "points of figure 14b", FILE_ALWAYS},
    {"map_length.csv", "alpha [N m^2],L [m],F [N],probability of buckling [1],F_c [N]", "points of figure 14c", FILE_ALWAYS},
    {"critical_alpha.csv", "alpha [N m^2],F_c [N]", "(F 2) for L = 1 m", FILE_ONLY_FULL},
    {"critical_length.csv", "L [m],F_c [N]", "(F 2) for alpha = 1 N m^2", FILE_ONLY_FULL},
    {"euler_buckling.pvd", NULL, "a column that buckles", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "euler_buckling",
                               .title = "a compressed rod buckles (Gazzola et al. 2018, figure 14)",
                               .quick = "the threshold for n = 20, one alpha and one L with ten pushes at 0.95 and 1.05 of F_c; 1 s",
                               .normal =
                                   "n = 20: three thresholds, five alpha and L with ten pushes at 0.9, 0.95, 1, 1.05, 1.1 of F_c; 15 s",
                               .full = "the same thresholds and the paper's maps over F, alpha and F, L with 100 elements per metre,\n"
                                       "16 x 16 points with ten pushes each; 90 min",
                               .certified = {certified_case, 40, "one rate of growth and the threshold for n = 40; 7 s", NULL},
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  const double levels[5] = {0.95, 1.05, 0.9, 1.1, 1}, bends[3] = {1, 0.5, 2}, lengths[2] = {1.5, 0.5};
  example e;
  example_begin(&e, &about, argc, argv);
  example_fit(&e, TEST_INTERVAL);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL;
  const int rows = quick ? 2 : full ? SIDE : 5, columns[2] = {quick ? 1 : full ? SIDE : 3, quick ? 1 : full ? SIDE : 2};
  const int sizes[3] = {20, 10, 50}, thresholds = quick ? 1 : 3;
  point points[2][SIDE * SIDE];
  for (int which = 0; which < 2; which++) {
    for (int k = 0; k < columns[which] * rows; k++) {
      const int column = k / rows, row = k % rows;
      const double bend = which == 1 ? 1 : full ? 0.25 * (column + 1) : bends[column];
      const double length = which == 0 ? 1 : full ? 0.5 + 0.1 * column : lengths[column];
      points[which][k] =
          (point){full ? (int)lround(100 * length) : 20, bend, length, full ? 2.5 * (row + 1) : levels[row] * critical(bend, length)};
    }
  }
  example_expect(&e, 3 * thresholds + PUSHES * rows * (columns[0] + columns[1]));
  for (int k = 0; k < thresholds; k++) {
    const double load = threshold(&e, sizes[k], 1, 1);
    example_check(&e, load / critical_discrete(1, 1, sizes[k]), 1, 1e-6, "n%d_threshold_over_discrete", sizes[k]);
    example_check(&e, load / critical(1, 1), 1, 0.01, "n%d_threshold_over_F2", sizes[k]);
  }
  count_of found = {0, 0};
  explore(&e, "map_alpha.csv", points[0], columns[0] * rows, &found);
  explore(&e, "map_length.csv", points[1], columns[1] * rows, &found);
  if (full) example_check(&e, found.wrong, 0, 0, "points_on_the_wrong_side");
  if (full) example_inform(&e, found.resonates, "points_that_resonate");
  show(&e);
  if (full)
    draw_maps(&e);
  else
    draw_columns(&e);
  return example_end(&e);
}
