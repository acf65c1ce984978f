/* Axial viscosity: Kelvin-Voigt damping of the stretch of a rod.
 *
 * models     tissue that resists the rate at which its elements lengthen, in addition to their elasticity
 * equation   T_j = zeta_j a(t) de_j/dt (divided by e_j in the rescaled law, like the elastic force): +T_j t_j on node j, -T_j t_j on j + 1
 * source     Zhang et al. 2019: the third component of n gets zeta d(sigma_3)/dt. Here the force is along the edge, so that frames have no
 *            couple
 * parameters zeta_j [N s]; ramp and start [s], or a function of time
 * conserves  momentum and angular momentum; dissipates the power sum zeta_j a l^_j (de_j/dt)^2
 * test       tests/test_axial_viscosity.c
 *
 * The rates r = D v of all elements, r_j = t_j . (v_{j+1} - v_j), are coupled: T = C r pulls on nodes that neighbouring elements share.
 * With the mobilities W = dt phi1(dt c_i/m_i)/m_i of the nodes, 0 for prescribed velocities, and Y = D W D^T C, the step is
 *
 *   v_new = v + phi1(X) (W F - X v),  X = W D^T C D,  phi1(x) = (1 + x/2)/(1 + x + x^2/2)
 *
 * as in the kick with rates of nodes (kernels/kick.inl), F being the total of all other loads. This is of second order, is stable for every
 * zeta and dt if the step is stable without it, and has D^T C D v = F as its steady state. In rates and tensions it is one system with
 * three diagonals: 1 + y + y^2/2 = ((y + 1)^2 + 1)/2, so T = C Im z with (Y + 1 - i) z = r + i r_free, r_free the rates after the step
 * without T. Y has the eigenvalues of a positive matrix, so that elimination needs no pivots; its order is that of the elements.
 */
#include "base/target.h"

#include <elastica.h>

#include "base/matrix.h"
#include "base/sentence.h"
#include "effects/elongation.h"
#include "hooks/built_in.h"

#include <math.h>
#include <string.h>

typedef elastica_axial_viscosity_def axial_viscosity_def;
static const eli_field fields[] = {
    ELI_FIELD(axial_viscosity_def, struct_size),
    ELI_NUMBERS(axial_viscosity_def, viscosity, ELI_RULE_NOT_NEGATIVE | ELI_RULE_IF_USED),
    ELI_FIELD(axial_viscosity_def, element_viscosity),
    ELI_NUMBERS(axial_viscosity_def, ramp_time, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(axial_viscosity_def, start_time, ELI_RULE_NUMBER),
    ELI_FUNCTION(axial_viscosity_def, function),
    ELI_USER(axial_viscosity_def, user),
};
static const axial_viscosity_def defaults = {.viscosity = NAN};
static const eli_layout layout = ELI_LAYOUT("axial_viscosity_def", axial_viscosity_def, fields, defaults);

/* [N s] and factor: their squares, over the masses of nodes, are far from the largest numbers. */
#define LARGEST_VISCOSITY 1e20

typedef struct complex_number {
  double re, im;
} complex_number;

/* The row of one element in Y + 1 - i; elimination turns it into that of the upper triangle. */
typedef struct row {
  double before, after;  /* entries of the elements before and behind it */
  complex_number own;    /* on the diagonal */
  complex_number given;  /* the right-hand side, then z */
  complex_number closer; /* ring: the column of its last element, then the factor of z of that element to be subtracted */
} row;

typedef struct viscosity {
  eli_allocator allocator;
  elastica_world *world;
  const elastica_rod_view *rod;
  axial_viscosity_def def; /* without element_viscosity, which belongs to the caller */
  double largest, bounded; /* [N] largest tension of the last step; and the tension in the last bound for the step limit */

  /* Lanes in the same block of memory. */
  double *zeta;        /* [n] */
  double *rate;        /* [n] c_j = T_j/r_j of this step [kg/s] */
  double *velocity[3]; /* [n + 1] prescribed velocity at the end of the step, or NaN */
  double *mobility[3]; /* [n + 1] W */
  row *rows;           /* [n] */
} viscosity;

/* Computes the activation factor. A failure is explained to the world, unless that is NULL. */
static elastica_status factor_at(const viscosity *tissue, elastica_world *world, double time, double *factor) {
  const double since = time - tissue->def.start_time;
  *factor = since < 0.0 ? 0.0 : 1.0;
  if (*factor > 0.0 && since < tissue->def.ramp_time) *factor = since / tissue->def.ramp_time;
  if (tissue->def.function == NULL) return ELASTICA_OK;
  *factor = 1.0;
  const elastica_status status = tissue->def.function(tissue->def.user, time, factor);
  char what[ELI_STATUS_WORDS_SIZE];
  if (status != ELASTICA_OK) return eli_world_explain(world, tissue, "its function returned %s", eli_status_words(status, what));
  if (*factor >= 0.0 && *factor <= LARGEST_VISCOSITY) return ELASTICA_OK;
  return eli_world_explain(world, tissue, "its function wrote the factor %g, which is outside 0..%g", *factor, LARGEST_VISCOSITY);
}

/* Computes c_j of every element: e_j changes by r_j/l^_j. */
static void find_rates(const viscosity *tissue, double factor, const elastica_rod_view *rod) {
  for (int j = 0; j < rod->element_count; j++)
    tissue->rate[j] = factor * tissue->zeta[j] / (rod->classical_law ? rod->rest_length[j] : rod->length[j]);
}

static int next_node(const elastica_rod_view *rod, int j) {
  return rod->closed && j + 1 == rod->element_count ? 0 : j + 1;
}

static double lengthening(const elastica_rod_view *rod, int j) {
  const int next = next_node(rod, j);
  double rate = 0.0;
  for (int a = 0; a < 3; a++) rate += rod->tangent[a][j] * (rod->velocity[a][next] - rod->velocity[a][j]);
  return rate;
}

/* Computes W of every node. Prescribed components move only as prescribed. */
static void find_mobilities(const viscosity *tissue, const elastica_instant *now, const elastica_rod_view *rod,
                            const elastica_loads *loads) {
  const int held = eli_world_constrain_velocities(tissue->world, now, rod, tissue->velocity);
  for (int i = 0; i < rod->node_count; i++) {
    const double per_mass = now->dt / rod->mass[i], x = per_mass * loads->drag[i], half = 1.0 + 0.5 * x;
    for (int a = 0; a < 3; a++)
      tissue->mobility[a][i] = held && !eli_is_nan(tissue->velocity[a][i]) ? 0.0 : per_mass * half / (1.0 + x * half);
  }
}

/* Returns the change of a velocity without viscous tension. */
static double push(const viscosity *tissue, const elastica_rod_view *rod, const elastica_loads *loads, int a, int i) {
  if (tissue->mobility[a][i] > 0.0) return tissue->mobility[a][i] * loads->total_force[a][i];
  return tissue->velocity[a][i] - rod->velocity[a][i];
}

/* Returns an entry of D W D^T: elements j and k share node i. */
static double shared(const viscosity *tissue, const elastica_rod_view *rod, int j, int k, int i) {
  double sum = 0.0;
  for (int a = 0; a < 3; a++) sum += rod->tangent[a][j] * rod->tangent[a][k] * tissue->mobility[a][i];
  return sum;
}

static void write_rows(const viscosity *tissue, const elastica_rod_view *rod, const elastica_loads *loads) {
  const int n = rod->element_count;
  for (int j = 0; j < n; j++) {
    const int next = next_node(rod, j), before = j > 0 ? j - 1 : n - 1, after = j + 1 < n ? j + 1 : 0;
    const double rate = lengthening(rod, j), own = shared(tissue, rod, j, j, j) + shared(tissue, rod, j, j, next);
    double free = rate;
    for (int a = 0; a < 3; a++) free += rod->tangent[a][j] * (push(tissue, rod, loads, a, next) - push(tissue, rod, loads, a, j));
    row *r = &tissue->rows[j];
    r->before = rod->closed || j > 0 ? -shared(tissue, rod, j, before, j) * tissue->rate[before] : 0.0;
    r->after = rod->closed || j + 1 < n ? -shared(tissue, rod, j, after, next) * tissue->rate[after] : 0.0;
    r->own = (complex_number){own * tissue->rate[j] + 1.0, -1.0};
    r->given = (complex_number){rate, free};
    r->closer = (complex_number){0.0, 0.0};
  }
}

static complex_number quotient(complex_number a, complex_number b) {
  const double per = 1.0 / (b.re * b.re + b.im * b.im);
  return (complex_number){(a.re * b.re + a.im * b.im) * per, (a.im * b.re - a.re * b.im) * per};
}

/* a - s b */
static complex_number less(complex_number a, double s, complex_number b) {
  return (complex_number){a.re - s * b.re, a.im - s * b.im};
}

/* Eliminates the first count rows, each with the row before it, and substitutes back. */
static void solve(row *rows, int count, int closed) {
  for (int j = 0; j < count; j++) {
    row *r = &rows[j];
    if (j > 0) {
      r->own = less(r->own, r->before * rows[j - 1].after, quotient((complex_number){1.0, 0.0}, rows[j - 1].own));
      r->given = less(r->given, r->before, rows[j - 1].given);
      if (closed) r->closer = less(r->closer, r->before, rows[j - 1].closer);
    }
    r->given = quotient(r->given, r->own);
    if (closed) r->closer = quotient(r->closer, r->own);
  }
  for (int j = count - 2; j >= 0; j--) {
    const complex_number share = quotient((complex_number){rows[j].after, 0.0}, rows[j].own);
    rows[j].given.re -= share.re * rows[j + 1].given.re - share.im * rows[j + 1].given.im;
    rows[j].given.im -= share.re * rows[j + 1].given.im + share.im * rows[j + 1].given.re;
    if (!closed) continue;
    const complex_number far = rows[j + 1].closer;
    rows[j].closer.re -= share.re * far.re - share.im * far.im;
    rows[j].closer.im -= share.re * far.im + share.im * far.re;
  }
}

/* Solves a ring: its last element couples to its first, so the others are solved for its z, which then follows from its own row. */
static void solve_ring(row *rows, int n) {
  row *last = &rows[n - 1];
  rows[0].closer.re = rows[0].before;
  rows[n - 2].closer.re += rows[n - 2].after;
  solve(rows, n - 1, 1);
  complex_number own = less(last->own, last->after, rows[0].closer), given = less(last->given, last->after, rows[0].given);
  own = less(own, last->before, rows[n - 2].closer);
  given = less(given, last->before, rows[n - 2].given);
  last->given = quotient(given, own);
  for (int j = 0; j < n - 1; j++) {
    const complex_number q = rows[j].closer, z = last->given;
    rows[j].given.re -= q.re * z.re - q.im * z.im;
    rows[j].given.im -= q.re * z.im + q.im * z.re;
  }
}

static void add_tension(const elastica_rod_view *rod, int j, double tension, elastica_loads *loads) {
  const int next = next_node(rod, j);
  for (int a = 0; a < 3; a++) {
    loads->force[a][j] += tension * rod->tangent[a][j];
    loads->force[a][next] -= tension * rod->tangent[a][j];
  }
}

/* Adds the tensions. A query of loads between two steps changes nothing: the tension of the last step remains. */
static void pull(viscosity *tissue, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  double largest = 0.0;
  for (int j = 0; j < rod->element_count; j++) {
    const double tension = tissue->rate[j] * tissue->rows[j].given.im;
    if (!(fabs(tension) <= largest)) largest = fabs(tension);
    add_tension(rod, j, tension, loads);
  }
  if (eli_is_query(now)) return;
  tissue->largest = eli_is_finite(largest) ? largest : 0.0;
  if (largest > 1.25 * tissue->bounded + 0.01 * rod->shear_stiffness[2][0]) loads->check_again = 1;
}

/* Returns 1 in a stage of an implicit step: there add_loads has the tensions. */
static int is_in_stage(const viscosity *tissue, eli_trial *trial) {
  int keeps;
  return eli_world_trial(tissue->world, trial, &keeps);
}

static elastica_status add_reactions(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  viscosity *tissue = self;
  double factor;
  eli_trial trial;
  if (eli_is_statics(now) || is_in_stage(tissue, &trial)) return ELASTICA_OK;
  const elastica_status status = factor_at(tissue, tissue->world, now->time, &factor);
  if (status != ELASTICA_OK) return status;
  if (!(factor > 0.0)) return ELASTICA_OK;
  find_rates(tissue, factor, rod);
  find_mobilities(tissue, now, rod, loads);
  write_rows(tissue, rod, loads);
  if (rod->closed)
    solve_ring(tissue->rows, rod->element_count);
  else
    solve(tissue->rows, rod->element_count, 0);
  pull(tissue, now, rod, loads);
  return ELASTICA_OK;
}

/* ---- In a stage of an implicit step: T at the present velocities ---- */

static int is_idle(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  eli_trial trial;
  (void)now, (void)rod;
  return !is_in_stage(self, &trial);
}

/* Computes c_j of every element in a stage; acts 0: not in a stage, or without viscosity. */
static elastica_status find_rates_in_stage(const viscosity *tissue, const elastica_instant *now, const elastica_rod_view *rod,
                                           eli_trial *trial, int *acts) {
  double factor = 0.0;
  const elastica_status status = is_in_stage(tissue, trial) ? factor_at(tissue, tissue->world, now->time, &factor) : ELASTICA_OK;
  *acts = status == ELASTICA_OK && factor > 0.0;
  if (*acts) find_rates(tissue, factor, rod);
  return status;
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const viscosity *tissue = self;
  eli_trial trial;
  int acts;
  const elastica_status status = find_rates_in_stage(tissue, now, rod, &trial, &acts);
  for (int j = 0; acts && j < rod->element_count; j++) add_tension(rod, j, tissue->rate[j] * lengthening(rod, j), loads);
  return status;
}

/* The change of each tension, and of its direction. */
static elastica_status add_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  const viscosity *tissue = self;
  eli_trial trial;
  int acts;
  const elastica_status status = find_rates_in_stage(tissue, now, rod, &trial, &acts);
  if (!acts) return status;
  tangent->balanced = 1;
  for (int j = 0; j < rod->element_count; j++) {
    double edge[3], block[9] = {0.0};
    const double l = eli_edge_now(rod, j, edge), across = tissue->rate[j] * eli_lengthening_now(rod, j) / l;
    eli_add_elongation_rate(rod, j, tissue->rate[j], trial.rate_per_change, tangent);
    eli_add_diagonal(block, across);
    eli_add_outer(block, -across / (l * l), edge, edge);
    eli_add_of_edge(rod, j, block, tangent);
  }
  return ELASTICA_OK;
}

/* Viscosity itself limits no step. Its tension turns with the edges, with T/l between the nodes of each, as any tension does. */
static elastica_status add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  viscosity *tissue = self;
  if (!eli_is_query(now)) tissue->bounded = tissue->largest;
  for (int j = 0; j < rod->element_count; j++) {
    const double spring = tissue->zeta[j] > 0.0 ? 2.0 * tissue->largest / rod->length[j] : 0.0;
    stiffness->node[j] += spring;
    stiffness->node[next_node(rod, j)] += spring;
  }
  return ELASTICA_OK;
}

static double power(void *self, double time, const elastica_rod_view *rod) {
  const viscosity *tissue = self;
  double factor, sum = 0.0;
  if (factor_at(tissue, NULL, time, &factor) != ELASTICA_OK) return eli_nan();
  find_rates(tissue, factor, rod);
  for (int j = 0; j < rod->element_count; j++) sum -= tissue->rate[j] * lengthening(rod, j) * lengthening(rod, j);
  return sum;
}

static int dissipates(const void *self) {
  const viscosity *tissue = self;
  for (int j = 0; j < tissue->rod->element_count; j++)
    if (tissue->zeta[j] > 0.0) return 1;
  return 0;
}

static void destroy(void *self) {
  viscosity *tissue = self;
  const eli_allocator allocator = tissue->allocator;
  eli_release(&allocator, tissue);
}

static void each_history(void *own, void (*visit)(void *context, void *bytes, size_t size), void *context) {
  viscosity *tissue = own;
  visit(context, &tissue->largest, sizeof tissue->largest);
}

static void function_of(void *own, eli_function *of, int set) {
  eli_def_function(&layout, &((viscosity *)own)->def, of, set);
}

static void keep(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  viscosity *tissue = own;
  if (record->use == ELI_RECORD_READ) module->parallel_safe = tissue->def.function == NULL;
  eli_def_keep(&layout, &tissue->def, rod, record);
  eli_record_finite(record, "viscosity", tissue->zeta, (size_t)rod->element_count);
  eli_record_finite(record, "largest", &tissue->largest, 1);
  eli_record_finite(record, "bounded", &tissue->bounded, 1);
}

/* ---- From a definition ---- */

static elastica_status check_viscosity(elastica_world *world, const axial_viscosity_def *def, int count) {
  const int is_number = !eli_is_nan(def->viscosity);
  if (is_number && def->element_viscosity != NULL)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "axial_viscosity_def.viscosity and axial_viscosity_def.element_viscosity are both set");
  if (is_number) return eli_check_at_most(world, "axial_viscosity_def.viscosity", def->viscosity, LARGEST_VISCOSITY);
  if (def->element_viscosity == NULL)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "axial_viscosity_def.viscosity is not set");
  elastica_status status =
      eli_check_numbers(world, "axial_viscosity_def.element_viscosity", ELI_RULE_NOT_NEGATIVE, def->element_viscosity, count);
  for (int j = 0; j < count && status == ELASTICA_OK; j++)
    if (def->element_viscosity[j] > LARGEST_VISCOSITY)
      status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "axial_viscosity_def.element_viscosity[%d] is too large: %g", j,
                                     def->element_viscosity[j]);
  return status;
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  const axial_viscosity_def *def = given;
  const elastica_status status = check_viscosity(request->world, def, elastica_rod_get_view(request->rod)->element_count);
  if (status != ELASTICA_OK) return status;
  memcpy(self, def, sizeof *def);
  module->parallel_safe = def->function == NULL;
  module->add_loads = add_loads;
  module->is_idle = is_idle;
  module->add_tangent = add_tangent;
  module->add_reactions = add_reactions;
  module->add_stiffness = add_stiffness;
  module->power = power;
  module->destroy = destroy;
  module->each_history = each_history;
  return ELASTICA_OK;
}

static void *create(const eli_request *request, const void *self) {
  const elastica_rod_view *view = elastica_rod_get_view(request->rod);
  const size_t n = (size_t)view->element_count;
  const eli_allocator *allocator = eli_world_allocator(request->world);
  viscosity *tissue = eli_allocate(allocator, 1, sizeof *tissue + n * sizeof(row) + (8 * n + 6) * sizeof(double));
  (void)self;
  if (tissue == NULL) return NULL;
  tissue->allocator = *allocator;
  tissue->world = request->world;
  tissue->rod = view;
  tissue->rows = (row *)(tissue + 1);
  tissue->zeta = (double *)(tissue->rows + n);
  tissue->rate = tissue->zeta + n;
  for (size_t a = 0; a < 3; a++) {
    tissue->velocity[a] = tissue->rate + n + a * (n + 1);
    tissue->mobility[a] = tissue->velocity[a] + 3 * (n + 1);
  }
  return tissue;
}

static void apply(void *own, const void *self) {
  const axial_viscosity_def *def = self;
  viscosity *tissue = own;
  const int n = tissue->rod->element_count;
  tissue->def = *def;
  tissue->def.element_viscosity = NULL;
  for (int j = 0; j < n; j++) tissue->zeta[j] = def->element_viscosity != NULL ? def->element_viscosity[j] : def->viscosity;
}

static const eli_built_in kind = {.name = "axial_viscosity",
                                  .layout = &layout,
                                  .self_size = ELI_SELF_SIZE(axial_viscosity_def),
                                  .describe = describe,
                                  .create = create,
                                  .apply = apply,
                                  .keep = keep,
                                  .function = function_of,
                                  .dissipates = dissipates,
                                  .acts_in_stages = 1,
                                  .damps_motion_alone = 1};

void elastica_axial_viscosity_def_init(elastica_axial_viscosity_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_axial_viscosity(elastica_world *world, elastica_rod *rod, const elastica_axial_viscosity_def *def,
                                             elastica_effect **out) {
  return eli_add_built_in(&kind, world, rod, def, out);
}

elastica_status elastica_axial_viscosity_set(elastica_effect *effect, const elastica_axial_viscosity_def *def) {
  return eli_set_built_in(&kind, effect, def);
}
