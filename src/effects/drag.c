/* Drag: slender-body theory for a rod in a viscous fluid.
 *
 * models     low-Reynolds drag, half as strong along the rod as across it; fluid at rest, in uniform or linear flow, or as a function
 * equation   (4.13) f_j = -zeta_j l_j (1 - t t^T/2)(v_j - u_j),  zeta_j = 4 pi mu/ln(L/r_j),  v_j = (v_i + v_{i+1})/2; f_j/2 to each node
 * source     Gazzola et al. 2018, section 4.1.5 (Cox 1970); per element with mean velocities, as in their programs
 * parameters viscosity mu [Pa s]; present or rest values of L, r_j and of l_j; flow [m/s] and its gradient [1/s], or a function
 * conserves  nothing; dissipates the power -sum f_j . v_j
 * test       tests/test_drag.c
 *
 * RATE: element j adds h = zeta l/2 to the rate of each of its nodes. The drag matrix of its two nodes is
 * (h/2)(1 - t t^T/2) (x) [1 1; 1 1], and h is an upper bound of it, K <= C. The kick uses C as its rate (phi0, phi1) and C v - K v + K u as
 * a force: v_new = v - x phi1 C^-1 K v + ..., with x phi1 <= 1, and with springs w: dt^2 w + 2 dt K <= (4 + 2 x) m <= 4 m/phi1, so that
 * every dt that is stable without drag is stable with it.
 */
#include "base/target.h"

#include <elastica.h>

#include "base/drag.h"
#include "base/elementary.h"
#include "base/matrix.h"
#include "base/rotation.h"
#include "base/sentence.h"
#include "base/vector.h"
#include "hooks/built_in.h"
#include "rod/law.h"
#include "state/definition.h"

#include <math.h>
#include <string.h>

typedef elastica_drag_def drag_def;
static const eli_field fields[] = {
    ELI_FIELD(drag_def, struct_size),
    ELI_CHOICE(drag_def, kind, ELASTICA_DRAG_EXPLICIT, "neither RATE nor EXPLICIT"),
    ELI_NUMBERS(drag_def, viscosity, ELI_RULE_NOT_NEGATIVE | ELI_RULE_REQUIRED),
    ELI_FLAG(drag_def, rest_slenderness),
    ELI_FLAG(drag_def, rest_length),
    ELI_NUMBERS(drag_def, flow, ELI_RULE_NUMBER),
    ELI_NUMBERS(drag_def, gradient, ELI_RULE_NUMBER),
    ELI_FUNCTION(drag_def, function),
    ELI_USER(drag_def, user),
};
static const drag_def defaults = {.viscosity = NAN};
static const eli_layout layout = ELI_LAYOUT("drag_def", drag_def, fields, defaults);

typedef struct drag {
  drag_def def;
  eli_allocator allocator;
  elastica_world *world;
  const eli_drag_work *work;
  int still;     /* 1: the fluid does not flow */
  double length; /* [m] of the rod at rest */

  /* Lanes per element, in the same block of memory. */
  double *rest; /* ln(L/r) at rest */
  double *half; /* zeta l/2 [kg/s] */
  double *f[3]; /* velocity of the fluid, then of the rod relative to it, then half of f_j: the share of each node */
} drag;

static double log_near_one(double x) {
  const double s = eli_log_argument(x);
  return s * s < ELI_LOG_SERIES_END ? eli_log_series(s) : eli_log(x);
}

static double sum(const double *x, int count) {
  double total = 0.0;
  for (int j = 0; j < count; j++) total += x[j];
  return total;
}

/* Computes the present ln(L/r). */
static void find_slenderness(const drag *fluid, const elastica_rod_view *rod) {
  const int n = rod->element_count;
  const double longer = log_near_one(sum(rod->length, n) / fluid->length);
  if (fluid->work->find_slenderness(fluid->half, fluid->rest, rod->dilatation, longer, n)) return;
  for (int j = 0; j < n; j++) fluid->half[j] = fluid->rest[j] + (longer + 0.5 * log_near_one(rod->dilatation[j]));
}

/* Computes h = zeta l/2 of elements first .. end - 1; without rest_slenderness they are all elements of the rod. Returns 1 if ln(L/r) > 0
 * everywhere: the theory does not apply to a rod that is shorter than its radius. */
static int find_coefficients_of(const drag *fluid, const elastica_rod_view *rod, int first, int end) {
  const double *length = fluid->def.rest_length ? rod->rest_length : rod->length;
  if (fluid->def.rest_slenderness)
    memcpy(fluid->half + first, fluid->rest + first, (size_t)(end - first) * sizeof(double));
  else
    find_slenderness(fluid, rod);
  return fluid->work->find_half(fluid->half + first, length + first, ELI_TWO_PI * fluid->def.viscosity, end - first);
}

static int find_coefficients(const drag *fluid, const elastica_rod_view *rod) {
  return find_coefficients_of(fluid, rod, 0, rod->element_count);
}

/* Explains the failure of the function: the status that it returned, or the number that is not finite. */
static elastica_status explain(const drag *fluid, elastica_status status, int j, const double u[3]) {
  char what[ELI_STATUS_WORDS_SIZE];
  if (status != ELASTICA_OK)
    return eli_world_explain(fluid->world, fluid, "its function at element %d returned %s", j, eli_status_words(status, what));
  int a = 0;
  while (a < 2 && eli_is_finite(u[a])) a++;
  return eli_world_explain(fluid->world, fluid, "its function at element %d wrote velocity[%d] = %g m/s", j, a, u[a]);
}

/* A rod that has become shorter than its radius: the first such element. */
static void explain_slenderness(void *self, const elastica_rod_view *rod, char *text, size_t size) {
  const double length = sum(rod->length, rod->element_count);
  int j = 0;
  (void)self;
  while (j + 1 < rod->element_count && length > eli_radius(rod->volume[j], rod->length[j])) j++;
  eli_write(text, size, "rod %d is no slender body any more: its length %.3g m is not above the radius %.3g m of element %d",
            rod->rod_index, length, eli_radius(rod->volume[j], rod->length[j]), j);
}

/* Computes the velocity of the fluid at a point of element j. */
static elastica_status flow_at(const drag *fluid, double time, const double x[3], int j, double u[3]) {
  for (int a = 0; a < 3; a++) {
    const double *row = fluid->def.gradient + 3 * a;
    u[a] = fluid->def.flow[a] + row[0] * x[0] + row[1] * x[1] + row[2] * x[2];
  }
  if (fluid->def.function == NULL) return ELASTICA_OK;
  const elastica_status status = fluid->def.function(fluid->def.user, time, x, u);
  return status == ELASTICA_OK && eli_all_finite(u, 3) ? ELASTICA_OK : explain(fluid, status, j, u);
}

/* Computes the velocity of the fluid in the middle of elements first .. end - 1. */
static elastica_status fluid_velocities(const drag *fluid, double time, const elastica_rod_view *rod, int first, int end) {
  for (int j = first; j < end; j++) {
    double x[3], u[3];
    for (int a = 0; a < 3; a++) x[a] = 0.5 * (rod->position[a][j] + rod->position[a][j + 1]);
    const elastica_status status = flow_at(fluid, time, x, j, u);
    if (status != ELASTICA_OK) return status;
    for (int a = 0; a < 3; a++) fluid->f[a][j] = u[a];
  }
  return ELASTICA_OK;
}

/* Computes half of f_j of elements first .. end - 1. */
static elastica_status find_forces(const drag *fluid, double time, const elastica_rod_view *rod, int first, int end) {
  const double *const *t = rod->tangent;
  double *const *f = fluid->f;
  if (!fluid->still) {
    const elastica_status status = fluid_velocities(fluid, time, rod, first, end);
    if (status != ELASTICA_OK) return status;
  }
  for (int a = 0; a < 3; a++) fluid->work->find_slip(f[a] + first, rod->velocity[a] + first, fluid->still, end - first);
  fluid->work->resist(f[0] + first, f[1] + first, f[2] + first, fluid->half + first, t[0] + first, t[1] + first, t[2] + first, end - first);
  return ELASTICA_OK;
}

/* The elements of a part are those between its nodes. */
static elastica_status add_loads_to(void *self, const elastica_instant *now, const elastica_rod_view *rod, int first, int end,
                                    elastica_loads *loads) {
  const drag *fluid = self;
  const int n = end - 1 - first;
  const double *half = fluid->half + first;
  if (n < 1) return ELASTICA_OK;
  const int slender = find_coefficients_of(fluid, rod, first, end - 1);
  if (!fluid->def.rest_slenderness && !slender) return ELASTICA_CALLBACK_FAILED;
  const elastica_status status = find_forces(fluid, now->time, rod, first, end - 1);
  if (status != ELASTICA_OK) return status;
  if (fluid->def.kind == ELASTICA_DRAG_EXPLICIT) {
    for (int a = 0; a < 3; a++) fluid->work->gather(loads->force[a] + first, fluid->f[a] + first, n);
    return ELASTICA_OK;
  }
  for (int a = 0; a < 3; a++)
    fluid->work->gather_with_rate(loads->force[a] + first, fluid->f[a] + first, half, rod->velocity[a] + first, n);
  fluid->work->gather(loads->drag + first, half, n);
  return ELASTICA_OK;
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  return add_loads_to(self, now, rod, 0, rod->element_count + 1, loads);
}

/* The present ln(L/r) depends on the whole rod. */
static int is_local(const void *self) {
  const drag *fluid = self;
  return fluid->def.rest_slenderness;
}

/* ---- The derivative of the loads, at rest ---- */

/* The displacement of a difference of the function, in lengths of the element. */
#define DIFFERENCE 1e-5

/* Computes u in the middle of an element and du/dx there. */
static elastica_status find_flow(const drag *fluid, double time, const double x[3], double length, int j, double u[3], double by_x[9]) {
  const double step = DIFFERENCE * length;
  elastica_status status = flow_at(fluid, time, x, j, u);
  memcpy(by_x, fluid->def.gradient, sizeof fluid->def.gradient);
  for (int b = 0; b < 3 && fluid->def.function != NULL && status == ELASTICA_OK; b++) {
    double around[2][3];
    for (int k = 0; k < 2 && status == ELASTICA_OK; k++) {
      double moved[3] = {x[0], x[1], x[2]};
      moved[b] += k == 0 ? step : -step;
      status = flow_at(fluid, time, moved, j, around[k]);
    }
    for (int a = 0; a < 3; a++) by_x[3 * a + b] = (around[0][a] - around[1][a]) / (2.0 * step);
  }
  return status;
}

/* f/2 = h R u on either node, R = 1 - t t^T/2, h = 2 pi mu l/ln(L/r): it changes with u, with t, and with l in h and r. The change of L is
 * left out: it would couple all nodes of the rod, by the share strain/ln(L/r) of the force. */
static elastica_status add_element_tangent(const drag *fluid, double time, const elastica_rod_view *rod, int j, elastica_tangent *tangent) {
  double x[3], edge[3], u[3], by_x[9], resist[9] = {0.0}, flow[9], stretch[9] = {0.0}, share[3];
  for (int a = 0; a < 3; a++) edge[a] = rod->position[a][j + 1] - rod->position[a][j];
  for (int a = 0; a < 3; a++) x[a] = 0.5 * (rod->position[a][j] + rod->position[a][j + 1]);
  const double l2 = eli_dot(edge, edge), h = fluid->half[j];
  const elastica_status status = find_flow(fluid, time, x, sqrt(l2), j, u, by_x);
  if (status != ELASTICA_OK) return status;
  eli_add_diagonal(resist, h);
  eli_add_outer(resist, -0.5 * h / l2, edge, edge);
  eli_matrix_product(resist, by_x, flow);
  eli_turn(resist, u, share);
  /* d(t t^T u) = (t . u) dt + t (u . dt), dt = (1 - t t^T) dd/l */
  const double along = eli_dot(edge, u);
  eli_add_diagonal(stretch, -0.5 * h * along / l2);
  eli_add_outer(stretch, -0.5 * h / l2, edge, u);
  eli_add_outer(stretch, h * along / (l2 * l2), edge, edge);
  const double log = ELI_TWO_PI * fluid->def.viscosity * (fluid->def.rest_length ? rod->rest_length[j] : sqrt(l2)) / h;
  const double of_length = (fluid->def.rest_length ? 0.0 : 1.0) - (fluid->def.rest_slenderness ? 0.0 : 0.5 / log);
  eli_add_outer(stretch, of_length / l2, share, edge);
  for (int row = 0; row < 2; row++)
    for (int column = 0; column < 2; column++) {
      double block[9];
      for (int k = 0; k < 9; k++) block[k] = -0.5 * flow[k] - (column ? stretch[k] : -stretch[k]);
      tangent->add(tangent->owner, (elastica_part){rod, j + row, 0}, (elastica_part){rod, j + column, 0}, block);
    }
  return ELASTICA_OK;
}

/* A fluid at rest has no load on a rod at rest. */
static elastica_status add_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  const drag *fluid = self;
  elastica_status status = ELASTICA_OK;
  if (fluid->still || fluid->def.viscosity == 0.0) return status;
  (void)find_coefficients(fluid, rod);
  tangent->unsymmetric = 1;
  for (int j = 0; j < rod->element_count && status == ELASTICA_OK; j++) status = add_element_tangent(fluid, now->time, rod, j, tangent);
  return status;
}

static elastica_status add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const drag *fluid = self;
  (void)now;
  (void)find_coefficients(fluid, rod);
  fluid->work->gather(stiffness->node_rate, fluid->half, rod->element_count);
  return ELASTICA_OK;
}

static double power(void *self, double time, const elastica_rod_view *rod) {
  const drag *fluid = self;
  double total = 0.0;
  (void)find_coefficients(fluid, rod);
  if (find_forces(fluid, time, rod, 0, rod->element_count) != ELASTICA_OK) return eli_nan();
  for (int j = 0; j < rod->element_count; j++)
    for (int a = 0; a < 3; a++) total += fluid->f[a][j] * (rod->velocity[a][j] + rod->velocity[a][j + 1]);
  return total;
}

static int dissipates(const void *self) {
  const drag *fluid = self;
  return fluid->def.viscosity > 0.0;
}

static const char *refuses_stages(const void *self) {
  const drag *fluid = self;
  return fluid->def.kind == ELASTICA_DRAG_EXPLICIT ? "its kind EXPLICIT is for explicit steps: take kind RATE" : NULL;
}

static void destroy(void *self) {
  drag *fluid = self;
  const eli_allocator allocator = fluid->allocator;
  eli_release(&allocator, fluid);
}

static void set_hooks(const drag_def *def, elastica_module *module) {
  module->parallel_safe = def->function == NULL;
  module->add_stiffness = def->kind == ELASTICA_DRAG_EXPLICIT ? add_stiffness : NULL;
}

static int is_still(const drag_def *def) {
  int still = def->function == NULL;
  for (int k = 0; k < 3; k++) still = still && def->flow[k] == 0.0;
  for (int k = 0; k < 9; k++) still = still && def->gradient[k] == 0.0;
  return still;
}

static void function_of(void *own, eli_function *of, int set) {
  drag *fluid = own;
  eli_def_function(&layout, &fluid->def, of, set);
  fluid->still = is_still(&fluid->def);
}

/* The lanes are not kept: they follow from the rod, or are computed before they are read. */
static void keep(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  drag *fluid = own;
  eli_def_keep(&layout, &fluid->def, rod, record);
  if (record->use != ELI_RECORD_READ) return;
  fluid->still = is_still(&fluid->def);
  set_hooks(&fluid->def, module);
}

/* ---- From a definition ---- */

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  const elastica_rod_view *view = elastica_rod_get_view(request->rod);
  const drag_def *def = given;
  const double length = sum(view->rest_length, view->element_count);
  for (int j = 0; j < view->element_count; j++) {
    const double radius = eli_radius(view->volume[j], view->rest_length[j]);
    if (length > radius) continue;
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: rod %d is no slender body: its length %g is not above the radius %g of element %d", request->function,
                                 view->rod_index, length, radius, j);
  }
  memcpy(self, def, sizeof *def);
  set_hooks(def, module);
  module->add_loads = add_loads;
  module->add_tangent = add_tangent;
  module->adds_rates = 1;
  module->explain = explain_slenderness;
  module->power = power;
  module->destroy = destroy;
  return ELASTICA_OK;
}

static void *create(const eli_request *request, const void *self) {
  const elastica_rod_view *view = elastica_rod_get_view(request->rod);
  const int n = view->element_count;
  const eli_allocator *allocator = eli_world_allocator(request->world);
  drag *fluid = eli_allocate(allocator, 1, sizeof *fluid + 5 * (size_t)n * sizeof(double));
  (void)self;
  if (fluid == NULL) return NULL;
  fluid->allocator = *allocator;
  fluid->world = request->world;
  fluid->work = eli_world_kernels(request->world)->drag;
  fluid->rest = (double *)(fluid + 1);
  fluid->half = fluid->rest + n;
  for (int a = 0; a < 3; a++) fluid->f[a] = fluid->half + (a + 1) * n;
  fluid->length = sum(view->rest_length, n);
  for (int j = 0; j < n; j++) /* r^2 = V/(pi l) */
    fluid->rest[j] = 0.5 * eli_log(fluid->length * fluid->length * ELI_PI * view->rest_length[j] / view->volume[j]);
  return fluid;
}

static void apply(void *own, const void *self) {
  const drag_def *def = self;
  drag *fluid = own;
  fluid->def = *def;
  fluid->still = is_still(def);
}

static const eli_built_in kind = {.name = "drag",
                                  .layout = &layout,
                                  .self_size = ELI_SELF_SIZE(drag_def),
                                  .describe = describe,
                                  .create = create,
                                  .apply = apply,
                                  .keep = keep,
                                  .add_loads_to = add_loads_to,
                                  .is_local = is_local,
                                  .function = function_of,
                                  .dissipates = dissipates,
                                  .refuses_stages = refuses_stages};

void elastica_drag_def_init(elastica_drag_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_drag(elastica_world *world, elastica_rod *rod, const elastica_drag_def *def, elastica_effect **out) {
  return eli_add_built_in(&kind, world, rod, def, out);
}

elastica_status elastica_drag_set(elastica_effect *effect, const elastica_drag_def *def) {
  return eli_set_built_in(&kind, effect, def);
}
