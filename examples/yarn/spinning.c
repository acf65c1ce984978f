#include "spinning.h"
#include "common/example.h"

#include <math.h>

/* Positions of the ends at one side relative to their middle. Returns the sum of the squares. */
static double read_ends(const spinning *of, const elastica_rod_view *const *rods, int top, double at[SPINNING_MOST][2]) {
  const int i = top ? of->n : 0;
  double middle[2] = {0, 0}, square = 0;
  for (int k = 0; k < of->fibres; k++)
    for (int a = 0; a < 2; a++) middle[a] += rods[k]->position[a][i] / of->fibres;
  for (int k = 0; k < of->fibres; k++)
    for (int a = 0; a < 2; a++) {
      at[k][a] = rods[k]->position[a][i] - middle[a];
      square += at[k][a] * at[k][a];
    }
  return square;
}

static elastica_status pull_ends(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  const spinning *of = self;
  const double torque = of->torque * fmin(1, now->time / of->ramp), f = 1 + of->rate * fmax(0, now->time - of->start);
  for (int top = 0; top < 2; top++) {
    double at[SPINNING_MOST][2];
    const int i = top ? of->n : 0;
    const double square = read_ends(of, loads->rods, top, at);
    const double across = (top ? torque : -torque) / square;
    for (int k = 0; k < of->fibres; k++) {
      loads->loads[k].force[X][i] -= across * at[k][1];
      loads->loads[k].force[Y][i] += across * at[k][0];
      loads->loads[k].force[Z][i] += (top ? of->tension : -of->tension) * (of->up[k] == top ? f : 1);
    }
  }
  return ELASTICA_OK;
}

static elastica_status bound_ends(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const spinning *of = self;
  (void)now, (void)rod;
  stiffness->node[0] += 2 * of->torque / of->least_square;
  stiffness->node[of->n] += 2 * of->torque / of->least_square;
  return ELASTICA_OK;
}

static elastica_module module_of(const spinning *loads) {
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "spinning", module.self = loads, module.self_size = sizeof *loads;
  module.parallel_safe = 1, module.needs_derived = 0, module.needs_geometry = 0;
  module.add_world_loads = pull_ends, module.add_stiffness = bound_ends;
  return module;
}

elastica_status add_spinning(elastica_world *world, const spinning *loads, elastica_effect **out) {
  const elastica_module module = module_of(loads);
  return elastica_world_add_module(world, NULL, &module, out);
}

elastica_status spinning_set(elastica_effect *effect, const spinning *loads) {
  const elastica_module module = module_of(loads);
  return elastica_effect_set_module(effect, &module);
}

/* The probability of each is the number still wanted over the number left. */
void spinning_draw_lots(spinning *loads, unsigned seed) {
  unsigned long long state = seed;
  int wanted = loads->fibres / 2;
  for (int k = 0; k < loads->fibres; k++) {
    for (int m = 0; m < 8; m++) state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    loads->up[k] = (double)(state >> 11) * 0x1p-53 * (loads->fibres - k) < wanted;
    wanted -= loads->up[k];
  }
}

/* ---- Readings ---- */

static const double *const *nodes_of(elastica_world *world, int fibre) {
  return elastica_rod_get_view(elastica_world_rod(world, fibre))->position;
}

static void middle_of(elastica_world *world, const spinning *of, int i, double middle[2]) {
  middle[0] = middle[1] = 0;
  for (int k = 0; k < of->fibres; k++)
    for (int a = 0; a < 2; a++) middle[a] += nodes_of(world, k)[a][i] / of->fibres;
}

static double turn_between(elastica_world *world, const spinning *of, int i, int next) {
  double from[2], to[2], dot = 0, cross = 0;
  middle_of(world, of, i, from), middle_of(world, of, next, to);
  for (int k = 0; k < of->fibres; k++) {
    const double *const *at = nodes_of(world, k);
    const double x = at[X][i] - from[X], y = at[Y][i] - from[Y], u = at[X][next] - to[X], v = at[Y][next] - to[Y];
    dot += x * u + y * v, cross += x * v - y * u;
  }
  return atan2(cross, dot);
}

static double square_of(elastica_world *world, const spinning *of, int i) {
  double middle[2], square = 0;
  middle_of(world, of, i, middle);
  for (int k = 0; k < of->fibres; k++)
    for (int a = 0; a < 2; a++) square += pow(nodes_of(world, k)[a][i] - middle[a], 2);
  return square;
}

twist spinning_twist(elastica_world *world, const spinning *loads) {
  const int n = loads->n, fibres = loads->fibres;
  twist now = {0, 0, 0};
  double square = 0;
  for (int i = 0; i < n; i++) now.theta += turn_between(world, loads, i, i + 1);
  for (int i = 0; i <= n; i++) square += square_of(world, loads, i) / (fibres * (n + 1));
  for (int k = 0; k < fibres; k++) {
    const double *const *at = nodes_of(world, k);
    now.length += sqrt(pow(at[X][n] - at[X][0], 2) + pow(at[Y][n] - at[Y][0], 2) + pow(at[Z][n] - at[Z][0], 2)) / fibres;
  }
  now.radius = sqrt(2 * square);
  return now;
}

double spinning_height(elastica_world *world, const spinning *loads) {
  double sum[2] = {0, 0};
  int count[2] = {0, 0};
  for (int k = 0; k < loads->fibres; k++) {
    count[loads->up[k]] += loads->n + 1;
    for (int i = 0; i <= loads->n; i++) sum[loads->up[k]] += nodes_of(world, k)[Z][i];
  }
  return sum[1] / count[1] - sum[0] / count[0];
}
