/* Drag: slender-body theory for a rod in a viscous fluid.
 *
 * models     low-Reynolds drag, half as strong along the rod as across it; fluid at rest, in uniform or linear flow, or as a function
 * equation   (4.13) f_j = -zeta_j l_j (1 - t t^T/2)(v_j - u_j),  zeta_j = 4 pi mu/ln(L/r_j),  v_j = (v_i + v_{i+1})/2; f_j/2 to each node
 * source     Gazzola et al. 2018, section 4.3 (Cox 1970); per element with mean velocities, as their programs do it
 * parameters viscosity mu [Pa s]; present or rest values of L, r_j and of l_j; flow [m/s] and its gradient [1/s], or a function
 * conserves  nothing; takes out power -sum f_j . v_j
 * test       tests/test_drag.c
 *
 * RATE: element j gives h = zeta l/2 to the rate of each of its nodes. Of its two nodes' drag matrix (h/2)(1 - t t^T/2) (x) [1 1; 1 1] that is
 * an upper bound, K <= C. The kick takes C by its rate (phi0, phi1) and C v - K v + K u as a force: v_new = v - x phi1 C^-1 K v + ...,
 * with x phi1 <= 1, and with springs w: dt^2 w + 2 dt K <= (4 + 2 x) m <= 4 m/phi1, so that it bears every dt that the rod alone bears.
 */
#include "base/target.h"

#include <elastica.h>

#include "base/checks.h"
#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

static const char name[] = "drag";

typedef struct drag {
  eli_allocator allocator;
  elastica_drag_kind kind;
  int rest_slenderness, rest_length, still; /* still: no flow at all */
  double viscosity;
  double flow[3], gradient[9];
  elastica_status (*function)(void *user, double time, const double position[3], double velocity[3]);
  void *user;
  double *rest_zeta; /* [kg/(m s)] in the same block; with rest_slenderness */
} drag;

/* zeta = 4 pi mu/ln(L/r), r^2 = V/(pi l); not positive when the rod is shorter than it is thick. */
static double zeta_of(double viscosity, double rod_length, double volume, double length) {
  return 8.0 * ELI_PI * viscosity / eli_log(rod_length * rod_length * ELI_PI * length / volume);
}

static double sum(const double *x, int count) {
  double total = 0.0;
  for (int j = 0; j < count; j++) total += x[j];
  return total;
}

/* zeta l/2 of element j [kg/s]; rod_length is its present one. */
static double half_drag(const drag *fluid, const elastica_rod_view *rod, double rod_length, int j) {
  const double zeta = fluid->rest_slenderness ? fluid->rest_zeta[j] : zeta_of(fluid->viscosity, rod_length, rod->volume[j], rod->length[j]);
  return 0.5 * zeta * (fluid->rest_length ? rod->rest_length[j] : rod->length[j]);
}

/* Velocity of the fluid in the middle of element j. */
static elastica_status flow_at(const drag *fluid, double time, const elastica_rod_view *rod, int j, double u[3]) {
  double x[3];
  for (int a = 0; a < 3; a++) x[a] = 0.5 * (rod->position[a][j] + rod->position[a][j + 1]);
  for (int a = 0; a < 3; a++) {
    const double *row = fluid->gradient + 3 * a;
    u[a] = fluid->flow[a] + row[0] * x[0] + row[1] * x[1] + row[2] * x[2];
  }
  if (!fluid->function) return ELASTICA_OK;
  if (fluid->function(fluid->user, time, x, u) != ELASTICA_OK) return ELASTICA_CALLBACK_FAILED;
  return eli_all_finite(u, 3) ? ELASTICA_OK : ELASTICA_CALLBACK_FAILED;
}

/* Half of f_j, the share of each node. half is zeta l/2. */
static elastica_status half_force(const drag *fluid, double time, const elastica_rod_view *rod, int j, double half, double f[3]) {
  double w[3], along = 0.0;
  for (int a = 0; a < 3; a++) w[a] = 0.5 * (rod->velocity[a][j] + rod->velocity[a][j + 1]);
  if (!fluid->still) {
    double u[3];
    const elastica_status status = flow_at(fluid, time, rod, j, u);
    if (status != ELASTICA_OK) return status;
    for (int a = 0; a < 3; a++) w[a] -= u[a];
  }
  for (int a = 0; a < 3; a++) along += rod->tangent[a][j] * w[a];
  for (int a = 0; a < 3; a++) f[a] = -half * (w[a] - 0.5 * along * rod->tangent[a][j]);
  return ELASTICA_OK;
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const drag *fluid = self;
  const double rod_length = fluid->rest_slenderness ? 0.0 : sum(rod->length, rod->element_count);
  for (int j = 0; j < rod->element_count; j++) {
    const double half = half_drag(fluid, rod, rod_length, j);
    double f[3];
    const elastica_status status = half_force(fluid, now->time, rod, j, half, f);
    if (status != ELASTICA_OK) return status;
    if (!(half >= 0.0)) return ELASTICA_CALLBACK_FAILED;
    if (fluid->kind == ELASTICA_DRAG_RATE) {
      for (int a = 0; a < 3; a++) {
        loads->force[a][j] += f[a] + half * rod->velocity[a][j];
        loads->force[a][j + 1] += f[a] + half * rod->velocity[a][j + 1];
      }
      loads->drag[j] += half;
      loads->drag[j + 1] += half;
    } else {
      for (int a = 0; a < 3; a++) {
        loads->force[a][j] += f[a];
        loads->force[a][j + 1] += f[a];
      }
    }
  }
  return ELASTICA_OK;
}

static elastica_status add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const drag *fluid = self;
  const double rod_length = sum(rod->length, rod->element_count);
  (void)now;
  for (int j = 0; j < rod->element_count; j++) {
    const double half = half_drag(fluid, rod, rod_length, j);
    stiffness->node_rate[j] += half;
    stiffness->node_rate[j + 1] += half;
  }
  return ELASTICA_OK;
}

static double power(void *self, double time, const elastica_rod_view *rod) {
  const drag *fluid = self;
  const double rod_length = sum(rod->length, rod->element_count);
  double total = 0.0;
  for (int j = 0; j < rod->element_count; j++) {
    double f[3];
    if (half_force(fluid, time, rod, j, half_drag(fluid, rod, rod_length, j), f) != ELASTICA_OK) return eli_nan();
    for (int a = 0; a < 3; a++) total += f[a] * (rod->velocity[a][j] + rod->velocity[a][j + 1]);
  }
  return total;
}

static void destroy(void *self) {
  drag *fluid = self;
  const eli_allocator allocator = fluid->allocator;
  eli_release(&allocator, fluid);
}

static elastica_status check(elastica_world *world, const elastica_rod_view *view, const char *function, const elastica_drag_def *def) {
  if (def->kind != ELASTICA_DRAG_RATE && def->kind != ELASTICA_DRAG_EXPLICIT) {
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "drag_def.kind is neither RATE nor EXPLICIT");
  }
  if (eli_is_nan(def->viscosity)) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "drag_def.viscosity is not set");
  elastica_status status = eli_check_not_negative(world, "drag_def.viscosity", def->viscosity);
  if (status == ELASTICA_OK) status = eli_check_finite(world, "drag_def.flow", def->flow, 3);
  if (status == ELASTICA_OK) status = eli_check_finite(world, "drag_def.gradient", def->gradient, 9);
  if (status != ELASTICA_OK) return status;
  const double length = sum(view->rest_length, view->element_count);
  for (int j = 0; j < view->element_count; j++) {
    const double radius = sqrt(view->volume[j] / (ELI_PI * view->rest_length[j]));
    if (length > radius) continue;
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: rod %d is no slender body: its length %g is not above the radius %g of element %d", function,
                                 view->rod_index, length, radius, j);
  }
  return ELASTICA_OK;
}

/* The block is the effect's own: the library borrows it (self_size 0) and destroy releases it. */
static elastica_status describe(elastica_world *world, elastica_rod *rod, const char *function, const elastica_drag_def *given, drag **out,
                                elastica_module *module) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_drag_def def;
  elastica_drag_def_init(&def, sizeof def);
  elastica_status status = eli_def_read(world, "drag_def", &def, given, sizeof def);
  if (status == ELASTICA_OK) status = check(world, view, function, &def);
  if (status != ELASTICA_OK) return status;
  const int n = view->element_count;
  const eli_allocator *allocator = eli_world_allocator(world);
  drag *fluid = eli_allocate(allocator, 1, sizeof *fluid + (size_t)n * sizeof(double));
  if (!fluid) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory for %d elements", function, n);
  fluid->allocator = *allocator;
  fluid->kind = def.kind;
  fluid->rest_slenderness = def.rest_slenderness != 0;
  fluid->rest_length = def.rest_length != 0;
  fluid->viscosity = def.viscosity;
  memcpy(fluid->flow, def.flow, sizeof fluid->flow);
  memcpy(fluid->gradient, def.gradient, sizeof fluid->gradient);
  fluid->function = def.function;
  fluid->user = def.user;
  fluid->still = !def.function;
  for (int k = 0; k < 3; k++) fluid->still = fluid->still && def.flow[k] == 0.0;
  for (int k = 0; k < 9; k++) fluid->still = fluid->still && def.gradient[k] == 0.0;
  fluid->rest_zeta = (double *)(fluid + 1);
  const double length = sum(view->rest_length, n);
  for (int j = 0; j < n; j++) fluid->rest_zeta[j] = zeta_of(def.viscosity, length, view->volume[j], view->rest_length[j]);
  elastica_module_init(module, sizeof *module);
  module->name = name;
  module->self = *out = fluid;
  module->parallel_safe = def.function == NULL;
  module->needs_derived = 0;
  module->add_loads = add_loads;
  if (def.kind == ELASTICA_DRAG_EXPLICIT) module->add_stiffness = add_stiffness;
  module->power = power;
  module->destroy = destroy;
  return ELASTICA_OK;
}

void elastica_drag_def_init(elastica_drag_def *def, size_t size) {
  const elastica_drag_def defaults = {.struct_size = size, .viscosity = eli_nan()};
  eli_def_write(def, size, &defaults, sizeof defaults);
}

elastica_status elastica_add_drag(elastica_world *world, elastica_rod *rod, const elastica_drag_def *def, elastica_effect **out) {
  drag *fluid = NULL;
  elastica_module module;
  elastica_status status = eli_check_add(world, rod, def, "add_drag");
  if (status == ELASTICA_OK) status = describe(world, rod, "add_drag", def, &fluid, &module);
  if (status != ELASTICA_OK) return status;
  status = elastica_world_add_module(world, rod, &module, out);
  if (status != ELASTICA_OK) destroy(fluid);
  return status;
}

elastica_status elastica_drag_set(elastica_effect *effect, const elastica_drag_def *def) {
  drag *fluid = NULL;
  elastica_module module;
  elastica_status status = eli_check_set(effect, def, "drag_set", name);
  if (status == ELASTICA_OK)
    status = describe(elastica_effect_world(effect), elastica_effect_rod(effect), "drag_set", def, &fluid, &module);
  if (status != ELASTICA_OK) return status;
  void *old = elastica_effect_self(effect);
  status = elastica_effect_set_module(effect, &module);
  destroy(status == ELASTICA_OK ? old : fluid);
  return status;
}
