/* Contraction: tension in a run of elements, like that of a muscle.
 *
 * models     contractile tissue: activation as a function of time, force that depends on the length of the whole run
 * equation   n_j += F_j Q_j t_j,  F_j = w_j F_max a(t) f(x),  x = (sum of l_j)/l_optimal,  f = max(0, sum c_k x^k)
 * source     Zhang et al. 2019: equal and opposite forces along the edge of each active element (cards of their muscles)
 * parameters first, last element; shares w_j; F_max [N]; activation; c_k; l_optimal [m]
 * conserves  momentum and angular momentum: pairs of forces along their own line, no couple on the frames
 * test       tests/test_contraction.c
 */
#include "base/target.h"

#include <elastica.h>

#include "base/matrix.h"
#include "base/rotation.h"
#include "base/sentence.h"
#include "base/vector.h"
#include "effects/elongation.h"
#include "hooks/built_in.h"
#include "state/prescribed.h"

#include <math.h>

typedef elastica_contraction_def contraction_def;
static const eli_field fields[] = {
    ELI_FIELD(contraction_def, struct_size),
    ELI_ELEMENT(contraction_def, first),
    ELI_ELEMENT(contraction_def, last),
    ELI_NUMBERS(contraction_def, maximum_force, ELI_RULE_NOT_NEGATIVE | ELI_RULE_REQUIRED),
    ELI_NUMBERS(contraction_def, activation, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(contraction_def, force_length, ELI_RULE_NUMBER),
    ELI_NUMBERS(contraction_def, optimal_length, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
    ELI_FUNCTION(contraction_def, function),
    ELI_USER(contraction_def, user),
    ELI_FIELD(contraction_def, share),
};
static const contraction_def defaults = {.last = -1, .maximum_force = NAN, .activation = 1.0, .force_length = {1.0}, .optimal_length = NAN};
static const eli_layout layout = ELI_LAYOUT("contraction_def", contraction_def, fields, defaults);

enum { COEFFICIENTS = 8 };

/* The parameters. As read from a definition, def.share is the array of the caller; in an effect it is NULL, and active_run has a copy. */
typedef struct contraction {
  contraction_def def; /* with elements from 0 on and with the optimal length */
  elastica_world *world;
  double per_length;             /* 1/l_optimal [1/m] */
  double bounded, bounded_slope; /* tension [N] and its slope [N/m] in the last bound for the step limit */
} contraction;

typedef struct active_run {
  contraction is;
  eli_allocator allocator;
  int element_count;
  double most;   /* the largest share */
  double *share; /* [element_count], in the same block */
} active_run;

static double length_of(const contraction *active, const elastica_rod_view *rod) {
  double length = 0.0;
  for (int j = active->def.first; j <= active->def.last; j++) length += rod->length[j];
  return length;
}

/* Computes f(x) and the slope of the polynomial. The step limit uses the slope also at f = 0: the force may become positive before the next
 * limit check. */
static double force_length(const contraction *active, double x, double *slope) {
  double value = 0.0;
  *slope = 0.0;
  for (int k = COEFFICIENTS - 1; k >= 0; k--) {
    *slope = *slope * x + value;
    value = value * x + active->def.force_length[k];
  }
  return value > 0.0 ? value : 0.0;
}

/* Computes the activation at a length over the optimal one. A failure is explained to the world, unless that is NULL. */
static elastica_status find_activation(const contraction *active, elastica_world *world, double time, double x, double *activation) {
  *activation = active->def.activation;
  if (active->def.function == NULL) return ELASTICA_OK;
  const elastica_status status = active->def.function(active->def.user, time, x, activation);
  char what[ELI_STATUS_WORDS_SIZE];
  if (status != ELASTICA_OK) return eli_world_explain(world, active, "its function returned %s", eli_status_words(status, what));
  if (*activation >= 0.0) return ELASTICA_OK;
  return eli_world_explain(world, active, "its function wrote the activation %g, which is not >= 0", *activation);
}

/* Computes F_max a(t) f(x) of a length of the run, and its slope over the length [N/m] at constant activation. A failure is explained to
 * the world, unless that is NULL. */
static elastica_status tension_at(const contraction *active, elastica_world *world, double time, double length, double *tension,
                                  double *slope) {
  const double x = length * active->per_length;
  double activation, steepness;
  const elastica_status status = find_activation(active, world, time, x, &activation);
  if (status != ELASTICA_OK) return status;
  const double force = active->def.maximum_force * activation;
  *tension = force * force_length(active, x, &steepness);
  *slope = force * steepness * active->per_length;
  return eli_is_finite(*tension) ? ELASTICA_OK
                                 : eli_world_explain(world, active, "with the activation %g its tension is %g", activation, *tension);
}

/* Activation may rise at any time: returns 1 if the tension or its slope exceeds its bound by a quarter plus a hundredth of that of the
 * element. */
static int has_outgrown(const active_run *of, const elastica_rod_view *rod, double tension, double slope) {
  const int first = of->is.def.first;
  const double stretch = 0.01 * rod->shear_stiffness[2][first];
  return tension * of->most > 1.25 * of->is.bounded + stretch ||
         slope * of->most > 1.25 * of->is.bounded_slope + stretch / rod->rest_length[first];
}

/* Returns dl/dt of an element [m/s]. */
static double lengthening(const elastica_rod_view *rod, int j) {
  double rate = 0.0;
  for (int a = 0; a < 3; a++) rate += rod->tangent[a][j] * (rod->velocity[a][j + 1] - rod->velocity[a][j]);
  return rate;
}

static elastica_status add_resultants(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                      elastica_resultants *resultants) {
  const active_run *of = self;
  const contraction *active = &of->is;
  double tension, slope;
  const elastica_status status = tension_at(active, active->world, now->time, length_of(active, rod), &tension, &slope);
  if (status != ELASTICA_OK) return status;
  if (has_outgrown(of, rod, tension, slope)) resultants->check_again = 1;
  for (int j = active->def.first; j <= active->def.last; j++) {
    const double share = tension * of->share[j] / rod->dilatation[j]; /* Q t = (sigma + d3)/e */
    resultants->force[0][j] += share * rod->strain[0][j];
    resultants->force[1][j] += share * rod->strain[1][j];
    resultants->force[2][j] += share * (rod->strain[2][j] + 1.0);
  }
  return ELASTICA_OK;
}

/* ---- The derivative of the loads ---- */

/* The step of the difference that gives the slope of the function over x. */
#define LENGTH_STEP 1e-5

/* Computes the tension of a run of this length and dF/dL [N/m], with the slope of the function. */
static elastica_status find_slope(const contraction *active, double time, double length, double *tension, double *slope) {
  const double x = length * active->per_length, step = LENGTH_STEP * x;
  double around[2], unused;
  elastica_status status = tension_at(active, active->world, time, length, tension, slope);
  if (!(force_length(active, x, &unused) > 0.0)) *slope = 0.0;
  for (int k = 0; k < 2 && active->def.function != NULL && status == ELASTICA_OK; k++)
    status = find_activation(active, active->world, time, k == 0 ? x + step : x - step, &around[k]);
  if (status == ELASTICA_OK && active->def.function != NULL)
    *slope += active->def.maximum_force * force_length(active, x, &unused) * (around[0] - around[1]) / (2.0 * step) * active->per_length;
  return status;
}

/* n = F a/l with the edge a, material: dn = P da, P = F/l (1 - t t^T), da = Q dd + a x phi. Its loads on the nodes are +-Q^T n, and a x n
 * on the frame. */
static void add_turning(const elastica_rod_view *rod, int j, double force, elastica_tangent *tangent) {
  double edge[3], a[3], q[9], p[9] = {0.0}, skew[9] = {0.0}, back[9], pq[9], pa[9], m[4][9];
  const double l = eli_edge_now(rod, j, edge);
  const elastica_part frame = {rod, j, 1};
  eli_frame_now(rod, j, q);
  eli_turn(q, edge, a);
  eli_add_diagonal(p, force / l);
  eli_add_outer(p, -force / (l * l * l), a, a);
  eli_add_skew(skew, 1.0, a);
  eli_transpose(q, back);
  eli_matrix_product(p, q, pq);
  eli_matrix_product(p, skew, pa);
  eli_matrix_product(back, pq, m[0]);
  eli_matrix_product(back, pa, m[1]);
  eli_matrix_product(skew, pq, m[2]);
  eli_matrix_product(skew, pa, m[3]);
  for (int k = 0; k < 9; k++) m[3][k] = -m[3][k];
  tangent->add(tangent->owner, frame, frame, m[3]);
  for (int row = 0; row < 2; row++) {
    const elastica_part node = {rod, j + row, 0};
    double block[9];
    for (int k = 0; k < 9; k++) block[k] = row ? m[1][k] : -m[1][k];
    tangent->add(tangent->owner, node, frame, block);
    for (int k = 0; k < 9; k++) block[k] = row ? -m[2][k] : m[2][k];
    tangent->add(tangent->owner, frame, node, block);
    for (int column = 0; column < 2; column++) {
      for (int k = 0; k < 9; k++) block[k] = row == column ? m[0][k] : -m[0][k];
      tangent->add(tangent->owner, node, (elastica_part){rod, j + column, 0}, block);
    }
  }
}

/* Adds factor h_i g_k^T between the nodes of elements i and k: h and g the gradients of their lengths. */
static void add_stretching(const elastica_rod_view *rod, int i, int k, double factor, elastica_tangent *tangent) {
  double edge[2][3];
  const double l = eli_edge_now(rod, i, edge[0]), other = eli_edge_now(rod, k, edge[1]);
  for (int side = 0; side < 4; side++) {
    double block[9] = {0.0};
    eli_add_outer(block, (side == 0 || side == 3 ? factor : -factor) / (l * other), edge[0], edge[1]);
    tangent->add(tangent->owner, (elastica_part){rod, i + side / 2, 0}, (elastica_part){rod, k + side % 2, 0}, block);
  }
}

/* The part of the tangent that comes by the change of the resultants. */
static elastica_status add_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  const active_run *of = self;
  const contraction *active = &of->is;
  const int first = active->def.first, last = active->def.last;
  double length = 0.0, edge[3], tension, slope;
  for (int j = first; j <= last; j++) length += eli_edge_now(rod, j, edge);
  const elastica_status status = find_slope(active, now->time, length, &tension, &slope);
  if (status != ELASTICA_OK) return status;
  tangent->balanced = 1;
  for (int j = first; j <= last; j++) {
    if (slope != 0.0 && of->share[j] != of->share[first]) tangent->unsymmetric = 1;
    const double force = tension * of->share[j];
    if (force != 0.0) add_turning(rod, j, force, tangent);
    for (int k = first; k <= last && slope * of->share[j] != 0.0; k++) add_stretching(rod, j, k, slope * of->share[j], tangent);
  }
  return ELASTICA_OK;
}

/* Returns the size of the gradient of the length of the run with respect to node i: t of the element before it minus t of the one after it.
 * share: factors of the tensions of both, so that the result is the force on the node; NULL: 1. */
static double pull_on(const contraction *active, const double *share, const elastica_rod_view *rod, int i) {
  double square = 0.0;
  for (int a = 0; a < 3; a++) {
    const double before = i > active->def.first ? (share ? share[i - 1] : 1.0) * rod->tangent[a][i - 1] : 0.0;
    const double after = i <= active->def.last ? (share ? share[i] : 1.0) * rod->tangent[a][i] : 0.0;
    square += (before - after) * (before - after);
  }
  return sqrt(square);
}

/* Computes the largest tension and slope of now and of the next limit check: the activation function gives both in advance. */
static elastica_status most_until(const contraction *active, const elastica_instant *now, const elastica_rod_view *rod, double *tension,
                                  double *slope) {
  double later, steepness;
  const elastica_status status = tension_at(active, active->world, now->time, length_of(active, rod), tension, slope);
  if (status != ELASTICA_OK || active->def.function == NULL || !eli_is_finite(now->until)) return status;
  if (tension_at(active, NULL, now->until, length_of(active, rod), &later, &steepness) != ELASTICA_OK)
    return ELASTICA_OK; /* the step that reaches this time reports it */
  if (later > *tension) *tension = later;
  if (steepness > *slope) *slope = steepness;
  return ELASTICA_OK;
}

/* Returns the slope for the bound: a force that begins within a fifth of the length of the run begins at a kink. */
static double bound_on_slope(const contraction *active, const elastica_rod_view *rod, double tension, double slope) {
  const double steepness = slope > 0.0 ? slope : 0.0;
  return tension < 0.2 * steepness * length_of(active, rod) ? ELI_KINK * steepness : steepness;
}

/* Adds two bounds: F t turns with the edge, with F/l between its nodes and F l on the frame (its own bound assumes n fixed to the frame);
 * the force grows with the length of the run, with slope h_i g_k between any two of its nodes, h with shares. Each is Gershgorin's bound
 * of the symmetric part. */
static elastica_status add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  active_run *of = self;
  contraction *active = &of->is;
  double tension, slope, pulls = 0.0, forces = 0.0;
  const elastica_status status = most_until(active, now, rod, &tension, &slope);
  if (status != ELASTICA_OK) return status;
  if (!eli_is_query(now)) {
    active->bounded = tension * of->most;
    active->bounded_slope = slope > 0.0 ? slope * of->most : 0.0;
  }
  for (int j = active->def.first; j <= active->def.last; j++) {
    const double size = tension * of->share[j], spring = 2.0 * size / rod->length[j];
    stiffness->node[j] += spring;
    stiffness->node[j + 1] += spring;
    stiffness->element[j] += size * rod->length[j];
  }
  const double bound = bound_on_slope(active, rod, tension, slope);
  if (!(bound > 0.0)) return ELASTICA_OK;
  for (int i = active->def.first; i <= active->def.last + 1; i++) {
    pulls += pull_on(active, NULL, rod, i);
    forces += pull_on(active, of->share, rod, i);
  }
  for (int i = active->def.first; i <= active->def.last + 1; i++)
    stiffness->node[i] += 0.5 * bound * (pull_on(active, of->share, rod, i) * pulls + pull_on(active, NULL, rod, i) * forces);
  return ELASTICA_OK;
}

static double power(void *self, double time, const elastica_rod_view *rod) {
  const active_run *of = self;
  const contraction *active = &of->is;
  double tension, slope, sum = 0.0;
  if (tension_at(active, NULL, time, length_of(active, rod), &tension, &slope) != ELASTICA_OK) return eli_nan();
  for (int j = active->def.first; j <= active->def.last; j++) sum -= tension * of->share[j] * lengthening(rod, j);
  return sum;
}

static void destroy(void *self) {
  active_run *of = self;
  const eli_allocator allocator = of->allocator;
  eli_release(&allocator, of);
}

static elastica_status check_run(const eli_request *request, const contraction_def *def) {
  if (def->first <= def->last) return ELASTICA_OK;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: first element %d lies behind last element %d",
                               request->function, def->first, def->last);
}

/* Checks the tension at full activity and its slope over the length, which may overflow although no field does. Shares are included: they
 * are at most 1e150. */
static elastica_status check_tension(const eli_request *request, const contraction *active, double rest) {
  double slope;
  const double most = active->def.maximum_force * active->def.activation, value = force_length(active, rest * active->per_length, &slope);
  if (eli_is_finite(most * value) && eli_is_finite(most * slope)) return ELASTICA_OK;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: the tension at the rest length is not finite",
                               request->function);
}

static elastica_status check_share(const eli_request *request, const contraction_def *def) {
  if (def->share == NULL) return ELASTICA_OK;
  return eli_check_numbers(request->world, "contraction_def.share", ELI_RULE_NOT_NEGATIVE, def->share, def->last - def->first + 1);
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  const elastica_rod_view *view = elastica_rod_get_view(request->rod);
  const contraction_def *def = given;
  contraction *active = self;
  elastica_status status = check_run(request, def);
  if (status == ELASTICA_OK) status = check_share(request, def);
  if (status != ELASTICA_OK) return status;
  double rest = 0.0;
  for (int j = def->first; j <= def->last; j++) rest += view->rest_length[j];
  active->def = *def;
  active->world = request->world;
  if (eli_is_nan(def->optimal_length)) active->def.optimal_length = rest;
  active->per_length = 1.0 / active->def.optimal_length;
  module->parallel_safe = def->function == NULL;
  module->add_resultants = add_resultants;
  module->add_tangent = add_tangent;
  module->add_stiffness = add_stiffness;
  module->power = power;
  module->destroy = destroy;
  return check_tension(request, active, rest);
}

static void *create(const eli_request *request, const void *self) {
  const size_t n = (size_t)elastica_rod_get_view(request->rod)->element_count;
  const eli_allocator *allocator = eli_world_allocator(request->world);
  active_run *of = eli_allocate(allocator, 1, sizeof *of + n * sizeof(double));
  (void)self;
  if (of == NULL) return NULL;
  of->allocator = *allocator;
  of->element_count = (int)n;
  of->share = (double *)(of + 1);
  return of;
}

static void find_most(active_run *of) {
  of->most = 0.0;
  for (int j = 0; j < of->element_count; j++) of->most = of->share[j] > of->most ? of->share[j] : of->most;
}

static void apply(void *own, const void *self) {
  const contraction *described = self;
  const contraction_def *def = &described->def;
  active_run *of = own;
  of->is = *described;
  of->is.def.share = NULL;
  for (int j = 0; j < of->element_count; j++) {
    const int inside = j >= def->first && j <= def->last;
    of->share[j] = !inside ? 0.0 : def->share != NULL ? def->share[j - def->first] : 1.0;
  }
  find_most(of);
}

static void function_of(void *own, eli_function *of, int set) {
  active_run *active = own;
  eli_def_function(&layout, &active->is.def, of, set);
}

/* Keeps the bounded values too: they decide the time of limit checks. */
static void keep(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  active_run *of = own;
  contraction *active = &of->is;
  eli_def_keep(&layout, &active->def, rod, record);
  eli_record_finite(record, "bounded", &active->bounded, 1);
  eli_record_finite(record, "bounded_slope", &active->bounded_slope, 1);
  eli_record_finite(record, "share", of->share, (size_t)rod->element_count);
  if (record->use != ELI_RECORD_READ) return;
  active->per_length = 1.0 / active->def.optimal_length;
  module->parallel_safe = active->def.function == NULL;
  find_most(of);
}

static const eli_built_in kind = {.name = "contraction",
                                  .layout = &layout,
                                  .self_size = ELI_SELF_SIZE(contraction),
                                  .describe = describe,
                                  .create = create,
                                  .apply = apply,
                                  .keep = keep,
                                  .function = function_of};

void elastica_contraction_def_init(elastica_contraction_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_contraction(elastica_world *world, elastica_rod *rod, const elastica_contraction_def *def,
                                         elastica_effect **out) {
  return eli_add_built_in(&kind, world, rod, def, out);
}

elastica_status elastica_contraction_set(elastica_effect *effect, const elastica_contraction_def *def) {
  return eli_set_built_in(&kind, effect, def);
}
