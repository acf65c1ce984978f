/* Michell buckling: a ring, twisted before its ends were glued together, leaves its plane under a large twist.
 *
 * source    Gazzola et al. 2018, appendix F and figure 15
 * claim     the ring buckles beyond the total twist Phi_c = 2 sqrt(3) pi/(beta/alpha)   (F 3)
 * compared  the threshold of growth with that of the same discrete ring, found as a zero eigenvalue without this library; with the paper's
 *           detection (ten random pushes each, translational energy above 1e-4 J) with (F 3)
 *
 * The ring is closed: node n is node 0. Its frames can turn only by whole turns, so they turn by the nearest number of turns m to Phi, and
 * the remainder, Phi - 2 pi m, is rest twist. Both are uniform, the closing joint included. For a round section the two differ only through
 * the angles of the joints, a second-order error.
 *
 * Growth: sigma^2 of the mode with two waves around the ring is zero at the threshold, and for a pair of coupled oscillators Phi^2 is a
 * parabola of it. The parabola through three rates above the threshold is extrapolated to zero. "A small random force initially": here
 * for the first millisecond. A constant force would tilt the free ring and carry it away.
 */
#include "common/growth.h"
#include "common/trials.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double LENGTH = 1, RADIUS = 0.01, MASS = 1, BEND = 1, STIFFNESS = 1e5; /* [m] [m] [kg] [N m^2] [N] */
static const double PUSH = 1e-3, PUSH_TIME = 1e-3, DURATION = 2, EVENT = 1e-4;      /* [N] [s] [s] [J] */
static const double PAPER_STEP = 1e-5, TEST_INTERVAL = 0.02;                        /* [s] [s] interval at which trials test the energy */
enum { ELEMENTS = 50, PUSHES = 10 };

static double critical(double ratio) {
  return 2 * sqrt(3) * acos(-1) / ratio; /* (F 3), ratio = beta/alpha */
}

/* A planar ring with the twist Phi [rad], `turns` whole turns of it in its frames. Its nodes move out of the plane at speed cos(2 angle)
 * [m/s]. The couples of a twisted arc need a shear force out of the plane, twist couple times curvature. The frames are tilted to give
 * this force: otherwise the ring would oscillate with 0.02 J. */
static elastica_status add_ring(elastica_world *world, int n, double ratio, double twist, double turns, double speed, elastica_rod **rod) {
  const double pi = acos(-1), around = LENGTH / n / (2 * sin(pi / n)); /* the circle through the nodes */
  double *position = calloc((size_t)n * 24, sizeof *position), *velocity = position + 3 * n, *director = velocity + 3 * n;
  double *curvature = director + 9 * n, *stiffness = curvature + 3 * n, *bend = stiffness + 3 * n;
  const double tilt = ratio * BEND * twist / LENGTH * 2 * sin(pi / n) * n / LENGTH / STIFFNESS, upright = sqrt(1 - tilt * tilt);
  if (!position) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "no room for %d elements", n);
  for (int j = 0; j < n; j++) {
    const double at = 2 * pi * j / n, along = 2 * pi * (j + 0.5) / n, c = cos(turns * at), s = sin(turns * at);
    position[component(j, X)] = around * cos(at), position[component(j, Y)] = around * sin(at);
    velocity[component(j, Z)] = speed * cos(2 * at);
    const double edge[3] = {-sin(along), cos(along), 0}, out[3] = {cos(along), sin(along), 0};
    const double tangent[3] = {upright * edge[0], upright * edge[1], -tilt}, up[3] = {tilt * edge[0], tilt * edge[1], upright};
    for (int a = 0; a < 3; a++) { /* up, out, tangent are right-handed; d1 is up at angle 0 */
      director[frame_entry(j, 0, a)] = c * up[a] + s * out[a];
      director[frame_entry(j, 1, a)] = c * out[a] - s * up[a];
      director[frame_entry(j, 2, a)] = tangent[a];
      stiffness[component(j, a)] = STIFFNESS;
      bend[component(j, a)] = a < 2 ? BEND : ratio * BEND;
    }
    curvature[component(j, 2)] = -(twist - 2 * pi * turns) / LENGTH;
  }
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.closed = 1;
  def.position = position;
  def.velocity = velocity;
  def.director = director;
  def.rest_curvature = curvature;
  def.radius = RADIUS;
  def.density = MASS / (LENGTH * pi * RADIUS * RADIUS);
  def.shear_stiffness = stiffness;
  def.bend_stiffness = bend;
  const elastica_status status = elastica_world_add_rod(world, &def, rod);
  free(position);
  return status;
}

/* ---- Growth ---- */

/* Amplitude [m] of the mode with two waves out of the plane. */
static double amplitude(const elastica_rod_view *view) {
  const int n = view->element_count;
  double c = 0, s = 0;
  for (int i = 0; i < n; i++) {
    const double angle = 4 * acos(-1) * i / n;
    c += 2.0 / n * view->position[2][i] * cos(angle);
    s += 2.0 / n * view->position[2][i] * sin(angle);
  }
  return sqrt(c * c + s * s);
}

/* sigma^2 [1/s^2] of the mode with two waves beyond the threshold; its amplitude starts near 1e-10 m. */
static double growth(example *e, int n, double ratio, double twist, double turns) {
  elastica_world *world = example_papers_world(e);
  elastica_rod *rod = NULL;
  example_require(e, world, add_ring(world, n, ratio, twist, turns, 1e-8, &rod));
  const double squared = growth_squared(e, world, rod, amplitude, 1e-3, 10);
  example_done(e, world);
  example_worked(e, 5);
  return squared;
}

static double threshold(example *e, int n, double ratio, double turns) {
  double squared[3], load[3]; /* load: Phi^2 */
  for (int k = 0; k < 3; k++) {
    const double twist = (1.02 + 0.02 * k) * critical(ratio);
    squared[k] = growth(e, n, ratio, twist, turns);
    load[k] = twist * twist;
  }
  return sqrt(growth_threshold(squared, load));
}

/* With the whole twist in the frames. The angle of a joint shifts the threshold by its square, so it lies between those of two whole
 * turns. */
static double threshold_in_frames(example *e, int n, double ratio) {
  const double turns = critical(ratio) / (2 * acos(-1)), below = floor(turns), share = (turns * turns - below * below) / (2 * below + 1);
  return (1 - share) * threshold(e, n, ratio, below) + share * threshold(e, n, ratio, below + 1);
}

/* ---- The paper's map ---- */

typedef struct point {
  double ratio, twist;
} point;

typedef struct map {
  const point *points;
  double dt; /* [s] 0: the certified step */
  int force_dt;
} map;

static double translational_energy(const elastica_rod_view *view) {
  double sum = 0;
  for (int i = 0; i < view->element_count; i++) {
    for (int a = 0; a < 3; a++) sum += 0.5 * view->mass[i] * view->velocity[a][i] * view->velocity[a][i];
  }
  return sum;
}

static void try_out(const void *user, int index, trial *out) {
  const map *m = user;
  const point *p = &m->points[index / PUSHES];
  elastica_world *world = NULL;
  elastica_rod *rod = NULL;
  int good = trial_require(out, NULL, trial_world(m->force_dt, &world));
  good = good && trial_require(out, world, add_ring(world, ELEMENTS, p->ratio, p->twist, round(p->twist / (2 * acos(-1))), 0, &rod));
  good = good && trial_require(out, world, add_random_push(world, rod, (unsigned)index, PUSH, PUSH_TIME));
  long steps = 1;
  good = good && trial_require(out, world, trial_steps(world, TEST_INTERVAL, m->dt, &steps));
  for (int k = 1; good && !out->happened && k * TEST_INTERVAL <= DURATION + 1e-9; k++) {
    good = trial_require(out, world, elastica_world_step(world, TEST_INTERVAL / (double)steps, steps));
    out->happened = translational_energy(elastica_rod_get_view(rod)) > EVENT;
  }
  if (world) out->element_steps = (double)ELEMENTS * (double)elastica_world_get(world).step_count;
  elastica_world_destroy(world);
}

/* Runs ten pushes at each point. Returns the number of points farther from (F 3) than margin that do not always buckle beyond it, or
 * sometimes buckle below it. */
static int explore(example *e, const point *points, int count, double margin) {
  const map m = {points, e->options.dt > 0 ? e->options.dt : e->options.mode == EXAMPLE_FULL ? PAPER_STEP : 0, e->options.force_dt};
  trial *outcome = trials_room(e, count * PUSHES);
  elastica_csv *csv = example_csv(e, "map.csv");
  int wrong = 0;
  trials_run(e, try_out, &m, count * PUSHES, outcome);
  for (int k = 0; k < count; k++) {
    const double away = points[k].twist / critical(points[k].ratio) - 1;
    const int happened = trials_happened(outcome + k * PUSHES, PUSHES);
    if (fabs(away) > margin && happened != (away > 0 ? PUSHES : 0)) wrong++;
    if (e->options.mode != EXAMPLE_FULL)
      example_check(e, happened, away > 0 ? PUSHES : 0, 0, "beta/alpha_%g_buckled_at_%g_Phi_c", points[k].ratio, 1 + away);
    example_row(e, csv, points[k].ratio, points[k].twist, (double)happened / PUSHES, critical(points[k].ratio));
  }
  free(outcome);
  return wrong;
}

/* Figure 15b, c: the ring of Phi = 10, beta/alpha = 2 buckles. */
static void show(example *e) {
  elastica_world *world = example_papers_world(e);
  elastica_rod *rod = NULL;
  example_require(e, world, add_ring(world, ELEMENTS, 2, 10, 2, 0, &rod));
  example_require(e, world, add_random_push(world, rod, 0, PUSH, PUSH_TIME));
  elastica_vtk *vtk = example_vtk(e, world, "michell_buckling");
  elastica_csv *csv = example_csv(e, "ring.csv");
  double thickest = 0;
  long steps;
  example_require(e, world, trial_steps(world, TEST_INTERVAL, e->dt, &steps));
  for (int frame = 0; frame <= 25; frame++) {
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    double low = 0, high = 0;
    if (frame > 0) example_step(e, world, TEST_INTERVAL / (double)steps, steps);
    output_frame(&e->output, world, vtk);
    for (int i = 0; i <= ELEMENTS; i++) { /* node n is node 0 */
      low = fmin(low, view->position[2][i]), high = fmax(high, view->position[2][i]);
      example_row(e, csv, frame * TEST_INTERVAL, view->position[0][i], view->position[1][i], view->position[2][i]);
    }
    thickest = fmax(thickest, high - low);
  }
  example_inform(e, thickest / LENGTH, "pictured_ring_leaves_its_plane_by");
  example_done(e, world);
}

/* Figure 15: the map, or only its points near (F 3), and the ring. */
static void draw(example *e) {
  const int full = e->options.mode == EXAMPLE_FULL;
  if (full) {
    elastica_csv *csv = example_csv(e, "critical.csv");
    for (int k = 0; k <= 200; k++) example_row(e, csv, 0.4 + 1.7 * k / 200, critical(0.4 + 1.7 * k / 200));
  }
  if (e->dt > 0 || full)
    example_plot(e, 1300, 640, NULL, "n = %d, dt = %g s", ELEMENTS, e->dt > 0 ? e->dt : PAPER_STEP);
  else
    example_plot(e, 1300, 640, NULL, "n = %d, dt = 0.8 of the stability limit", ELEMENTS);
}

static void certified_case(example *e, int n) {
  example_inform(e, growth(e, n, 1, 1.04 * critical(1), 2), "growth_at_1.04_Phi_c");
  example_inform(e, threshold_in_frames(e, n, 1), "threshold");
}

static const example_file FILES[] = {
    {"map.csv", "beta/alpha [1],Phi [rad],probability of buckling [1],Phi_c [rad]", "points of figure 15a", FILE_ALWAYS},
    {"critical.csv", "beta/alpha [1],Phi_c [rad]", "(F 3)", FILE_ONLY_FULL},
    {"ring.csv", "time [s],x [m],y [m],z [m]", "nodes of a ring that buckles", FILE_ALWAYS},
    {"michell_buckling.pvd", NULL, "the same ring", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "michell_buckling",
                               .title = "a twisted ring leaves its plane (Gazzola et al. 2018, figure 15)",
                               .quick = "one threshold, one beta/alpha with ten pushes on either side of it; 1 s",
                               .normal = "four thresholds, four beta/alpha with ten pushes at 0.95, 0.98, 1.02, 1.05 of Phi_c; 10 s",
                               .full = "the same thresholds and the paper's map, 16 x 24 points with ten pushes each; 6 min",
                               .certified = {certified_case, 24, "one rate of growth and the threshold for n = 24; 2 s", NULL},
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  /* Thresholds of the discrete ring, by the sign of the lowest eigenvalue. */
  const struct {
    int n;
    double ratio, twist; /* [rad] */
  } known[4] = {{24, 1, 10.853405}, {50, 0.5, 21.610971}, {50, 1, 10.877732}, {50, 2, 5.4508589}};
  const double ratios[4] = {2, 0.5, 1, 4}, levels[4] = {0.95, 1.05, 0.98, 1.02};
  example e;
  example_begin(&e, &about, argc, argv);
  example_fit(&e, TEST_INTERVAL);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL;
  const int thresholds = quick ? 1 : 4, columns = quick ? 1 : full ? 16 : 4, rows = quick ? 2 : full ? 24 : 4;
  point points[16 * 24];
  int count = 0;
  for (int column = 0; column < columns; column++) {
    for (int row = 0; row < rows; row++) {
      const double ratio = full ? 0.5 + 0.1 * column : ratios[column];
      points[count++] = (point){ratio, full ? 1.0 + row : levels[row] * critical(ratio)};
    }
  }
  example_expect(&e, 30 * thresholds + PUSHES * count);
  for (int k = 0; k < thresholds; k++) {
    const double twist = threshold_in_frames(&e, known[k].n, known[k].ratio);
    example_check(&e, twist / known[k].twist, 1, 0.002, "n%d_beta/alpha_%g_threshold_over_discrete", known[k].n, known[k].ratio);
    example_check(&e, twist / critical(known[k].ratio), 1, 0.01, "n%d_beta/alpha_%g_threshold_over_F3", known[k].n, known[k].ratio);
  }
  const int wrong = explore(&e, points, count, full ? 0.02 : 0);
  if (full) example_check(&e, wrong, 0, 0, "points_on_the_wrong_side");
  show(&e);
  draw(&e);
  return example_end(&e);
}
