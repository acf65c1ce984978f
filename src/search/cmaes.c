/* A search for the minimum of a function by CMA-ES, the evolution strategy with covariance matrix adaptation.
 *
 * models     candidates x = scale (m + sigma C^(1/2) z), z a vector of normal numbers. The symmetric root of C is used, so that a rotation
 *            of the problem and of z rotates the candidates
 * equation   of the tutorial: candidates (38) to (40) with C^(1/2) = B D B^T; mean, evolution paths, covariance with ranks one and mu, step
 *            (41) to (47); weights and learning rates (49) to (58) and table 1; terminations of appendix B.3
 * source     N. Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772 (2016); its revision of 2023 adds 1/4 to c_mu; restarts
 *            with larger populations: A. Auger and N. Hansen, IEEE Congress on Evolutionary Computation (2005) 1769; penalties outside the
 *            bounds: see "Bounds" below
 * test       tests/test_cmaes.c, tests/test_cmaes_bounds.c, tests/test_cmaes_refusals.c, tests/test_cmaes_stop.c
 */
#include "base/target.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/record.h"
#include "search/cmaes.h"
#include "search/normals.h"
#include "base/symmetric_eigen.h"
#include "state/definition.h"

/* ---- Messages ---- */

static elastica_status refuse(elastica_cmaes *search, elastica_status status, const char *format, ...) ELI_PRINTF(3, 4);

static elastica_status refuse(elastica_cmaes *search, elastica_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(search->message, sizeof search->message, format, arguments);
  va_end(arguments);
  return status;
}

const char *elastica_cmaes_message(const elastica_cmaes *search) {
  return search != NULL ? search->message : "there is no search: elastica_cmaes_create writes why to the buffer elastica_cmaes_def.message";
}

/* ---- Vectors and matrices ---- */

static double clamp(double x, double lower, double upper) {
  return x < lower ? lower : x > upper ? upper : x;
}

static double squared_length(int n, const double *v) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += v[i] * v[i];
  return sum;
}

static void multiply(int n, const double *matrix, const double *v, double *out) {
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) sum += matrix[(long)n * i + j] * v[j];
    out[i] = sum;
  }
}

/* Adds weight v v^T to the upper triangle. */
static void add_product(int n, double weight, const double *v, double *matrix) {
  for (int i = 0; i < n; i++) {
    const double part = weight * v[i];
    for (int j = i; j < n; j++) matrix[(long)n * i + j] += part * v[j];
  }
}

/* ---- Definition ---- */

#define FIELD(name) ELI_FIELD(elastica_cmaes_def, name)
static const eli_field fields[] = {FIELD(struct_size),
                                   FIELD(dimension),
                                   FIELD(population),
                                   FIELD(start),
                                   FIELD(scale),
                                   FIELD(step),
                                   FIELD(lower),
                                   FIELD(upper),
                                   FIELD(penalty),
                                   FIELD(active),
                                   FIELD(revision),
                                   FIELD(seed),
                                   FIELD(restart_limit),
                                   FIELD(growth),
                                   FIELD(evaluation_limit),
                                   FIELD(generation_limit),
                                   FIELD(target),
                                   FIELD(stall_gain),
                                   FIELD(stall_generations),
                                   FIELD(fitness_tolerance),
                                   FIELD(step_tolerance),
                                   FIELD(message),
                                   FIELD(message_size),
                                   FIELD(allocate),
                                   FIELD(release),
                                   FIELD(allocator_user)};
#undef FIELD
static const elastica_cmaes_def defaults = {.step = NAN,
                                            .penalty = 1,
                                            .active = 1,
                                            .revision = 2016,
                                            .seed = 1,
                                            .growth = 2.0,
                                            .target = -INFINITY,
                                            .fitness_tolerance = 1e-12,
                                            .step_tolerance = 1e-12};
static const eli_layout layout = ELI_LAYOUT("cmaes_def", elastica_cmaes_def, fields, defaults);

enum { MOST_DIMENSIONS = 10000 };

void elastica_cmaes_def_init(elastica_cmaes_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

/* ---- Checks: each returns 1, or 0 and a sentence ---- */

typedef struct sentence {
  char text[200];
} sentence;

static int wrong(sentence *s, const char *field, int index, const char *trouble, double value) {
  char place[20] = "", number[40] = "";
  if (index >= 0) snprintf(place, sizeof place, "[%d]", index);
  if (eli_is_finite(value)) snprintf(number, sizeof number, value == floor(value) && fabs(value) < 1e19 ? ": %.0f" : ": %g", value);
  snprintf(s->text, sizeof s->text, "cmaes_def.%s%s %s%s", field, place, trouble, number);
  return 0;
}

static int check_number(sentence *s, const char *field, int index, double value, int positive) {
  if (eli_is_nan(value)) return wrong(s, field, index, index < 0 ? "is not set" : "is not finite", value);
  if (!eli_is_finite(value)) return wrong(s, field, index, "is not finite", value);
  if (positive && value <= 0.0) return wrong(s, field, index, "is not positive", value);
  if (positive && value < 1.0 / ELI_LARGEST) return wrong(s, field, index, "is too small", value);
  return eli_is_moderate(value) ? 1 : wrong(s, field, index, "is too large", value);
}

static int check_bounds(sentence *s, const elastica_cmaes_def *def, int i) {
  const double lower = def->lower ? def->lower[i] : -INFINITY, upper = def->upper ? def->upper[i] : INFINITY,
               x = def->start ? def->start[i] : 0.0;
  if (eli_is_nan(lower)) return wrong(s, "lower", i, "is not a number", lower);
  if (eli_is_nan(upper)) return wrong(s, "upper", i, "is not a number", upper);
  if (!(lower < upper)) return wrong(s, "lower", i, "is not below upper", lower);
  return x >= lower && x <= upper ? 1 : wrong(s, "start", i, "is outside of its bounds", x);
}

static int check_arrays(sentence *s, const elastica_cmaes_def *def) {
  for (int i = 0; i < def->dimension; i++) {
    if (def->start && !check_number(s, "start", i, def->start[i], 0)) return 0;
    if (def->scale && !check_number(s, "scale", i, def->scale[i], 1)) return 0;
    if (!check_bounds(s, def, i)) return 0;
  }
  return 1;
}

static int check_range(sentence *s, const char *field, double value, double least, double most) {
  char trouble[60];
  if (value >= least && value <= most) return 1;
  snprintf(trouble, sizeof trouble, "is outside %.10g..%.10g", least, most);
  return wrong(s, field, -1, trouble, value);
}

static int check_counts(sentence *s, const elastica_cmaes_def *def) {
  if (!check_range(s, "dimension", def->dimension, 1, MOST_DIMENSIONS)) return 0;
  if (def->population != 0 && !check_range(s, "population", def->population, 2, ELI_CMAES_LARGEST_POPULATION)) return 0;
  if (def->penalty != 0 && def->penalty != 1) return wrong(s, "penalty", -1, "is neither 0 nor 1", def->penalty);
  if (def->active != 0 && def->active != 1) return wrong(s, "active", -1, "is neither 0 nor 1", def->active);
  if (def->revision != 2016 && def->revision != 2023) return wrong(s, "revision", -1, "is neither 2016 nor 2023", def->revision);
  if (def->restart_limit < 0) return wrong(s, "restart_limit", -1, "is negative", def->restart_limit);
  if (def->evaluation_limit < 0) return wrong(s, "evaluation_limit", -1, "is negative", (double)def->evaluation_limit);
  if (def->generation_limit < 0) return wrong(s, "generation_limit", -1, "is negative", (double)def->generation_limit);
  return def->stall_generations >= 0 ? 1 : wrong(s, "stall_generations", -1, "is negative", def->stall_generations);
}

static int check_not_negative(sentence *s, const char *field, double value) {
  if (!eli_is_finite(value)) return wrong(s, field, -1, "is not finite", value);
  return value >= 0.0 ? 1 : wrong(s, field, -1, "is negative", value);
}

static int check_def(sentence *s, const elastica_cmaes_def *def) {
  if (!check_counts(s, def) || !check_number(s, "step", -1, def->step, 1)) return 0;
  if (!check_range(s, "growth", def->growth, 1.0, 1e3)) return 0;
  if (eli_is_nan(def->target)) return wrong(s, "target", -1, "is not a number", def->target);
  if (!check_not_negative(s, "stall_gain", def->stall_gain) || !check_not_negative(s, "fitness_tolerance", def->fitness_tolerance) ||
      !check_not_negative(s, "step_tolerance", def->step_tolerance))
    return 0;
  if ((def->allocate == NULL) != (def->release == NULL)) return wrong(s, "allocate", -1, "and release: both are needed, or neither", NAN);
  return check_arrays(s, def);
}

/* ---- Weights and learning rates ---- */

/* (49): ln((lambda+1)/2) - ln i, positive for the better half. */
static double raw_weight(int lambda, int rank) {
  return eli_log((lambda + 1) / 2.0) - eli_log(rank + 1.0);
}

/* Variance effective selection mass of the ranks [begin, end), and the sum of their raw weights. */
static double selection_mass(int lambda, int begin, int end, double *sum) {
  double squares = 0.0;
  *sum = 0.0;
  for (int k = begin; k < end; k++) {
    const double w = raw_weight(lambda, k);
    *sum += w;
    squares += w * w;
  }
  return squares > 0.0 ? *sum * *sum / squares : 0.0;
}

static double smaller_of(double a, double b) {
  return a < b ? a : b;
}

/* (50) to (52): bound on the sum of the negative weights. With c_mu = 0 the first and the third bound are infinite. */
static double negative_sum(const eli_cmaes_constants *c) {
  const double alpha_mu = 1.0 + c->c_1 / c->c_mu;
  const double alpha_mu_eff = 1.0 + 2.0 * c->mu_eff_minus / (c->mu_eff + 2.0);
  const double alpha_positive = (1.0 - c->c_1 - c->c_mu) / (c->n * c->c_mu);
  return smaller_of(alpha_mu, smaller_of(alpha_mu_eff, alpha_positive));
}

void eli_cmaes_constants_of(int n, int lambda, int active, int revision, eli_cmaes_constants *out, double *weights) {
  assert(lambda >= 2);
  double better, worse;
  eli_cmaes_constants c = {.n = n, .lambda = lambda, .mu = lambda / 2};
  c.mu_eff = selection_mass(lambda, 0, c.mu, &better);
  c.mu_eff_minus = selection_mass(lambda, c.mu, lambda, &worse);
  c.c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + c.mu_eff);
  c.c_mu = smaller_of(1.0 - c.c_1,
                      2.0 * ((revision == 2023 ? 0.25 : 0.0) + c.mu_eff - 2.0 + 1.0 / c.mu_eff) / ((n + 2.0) * (n + 2.0) + c.mu_eff));
  c.c_sigma = (c.mu_eff + 2.0) / (n + c.mu_eff + 5.0);
  const double excess = sqrt((c.mu_eff - 1.0) / (n + 1.0)) - 1.0;
  c.d_sigma = 1.0 + 2.0 * (excess > 0.0 ? excess : 0.0) + c.c_sigma;
  c.c_c = (4.0 + c.mu_eff / n) / (n + 4.0 + 2.0 * c.mu_eff / n);
  c.chi_n = sqrt((double)n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
  const double sum = active ? negative_sum(&c) : 0.0;
  for (int k = 0; k < lambda; k++) { /* (53); the middle rank of an odd number has weight 0 */
    const double w = raw_weight(lambda, k);
    weights[k] = k < c.mu ? w / better : w < 0.0 ? sum * w / -worse : 0.0;
  }
  *out = c;
}

/* ---- Memory ---- */

static void *take_array(char **next, size_t count, size_t size) {
  void *const block = *next;
  *next += (count * size + 7) / 8 * 8;
  return block;
}

/* Allocates the arrays of a generation in one block. Returns 0 if memory runs out; block is then NULL. */
static int create_population(const eli_allocator *allocator, int n, int lambda, eli_cmaes_population *out) {
  const size_t count = (size_t)lambda;
  out->block = eli_allocate(allocator, count, ((size_t)n + 4) * sizeof(double) + 8 + 8); /* two arrays of int, rounded up */
  if (out->block == NULL) return 0;
  char *next = out->block;
  out->y = take_array(&next, count * (size_t)n, sizeof(double));
  out->weights = take_array(&next, count, sizeof(double));
  out->fitness = take_array(&next, count, sizeof(double));
  out->penalised = take_array(&next, count, sizeof(double));
  out->used_weights = take_array(&next, count, sizeof(double));
  out->order = take_array(&next, count, sizeof(int));
  out->scratch = take_array(&next, count, sizeof(int));
  return 1;
}

/* Allocates vectors, matrices, the histories with one extra place, and two arrays of indices for ranking them. */
static int allocate_arrays(elastica_cmaes *search) {
  const size_t n = (size_t)search->n, history = ELI_CMAES_HISTORY + 1, vectors = 14, matrices = 4; /* work is 3 vectors */
  double **const vector[] = {&search->start,  &search->scale,   &search->lower,  &search->upper,  &search->mean,     &search->path_sigma,
                             &search->path_c, &search->penalty, &search->best_x, &search->mean_x, &search->deviation};
  double **const matrix[] = {&search->covariance, &search->axes, &search->root, &search->inverse_root};
  double **const histories[] = {&search->best_history, &search->median_history, &search->spread_history};
  const size_t size = n * (vectors + matrices * n) + 4 * history + 2;
  search->block = eli_allocate(&search->allocator, size, sizeof(double));
  if (search->block == NULL) return 0;
  char *next = (char *)search->block;
  for (size_t k = 0; k < sizeof vector / sizeof *vector; k++) *vector[k] = take_array(&next, n, sizeof(double));
  search->work = take_array(&next, 3 * n, sizeof(double));
  for (size_t k = 0; k < sizeof matrix / sizeof *matrix; k++) *matrix[k] = take_array(&next, n * n, sizeof(double));
  for (size_t k = 0; k < sizeof histories / sizeof *histories; k++) *histories[k] = take_array(&next, history, sizeof(double));
  search->history_order = take_array(&next, history, sizeof(int));
  search->history_scratch = take_array(&next, history, sizeof(int));
  assert((size_t)(next - (char *)search->block) <= size * sizeof(double));
  return 1;
}

static elastica_status set_population(elastica_cmaes *search, int lambda, const char *function) {
  eli_cmaes_population population;
  if (!create_population(&search->allocator, search->n, lambda, &population))
    return refuse(search, ELASTICA_OUT_OF_MEMORY, "%s: no memory for a population of %d", function, lambda);
  eli_release(&search->allocator, search->population.block);
  search->population = population;
  eli_cmaes_constants_of(search->n, lambda, search->def.active, search->def.revision, &search->c, population.weights);
  return ELASTICA_OK;
}

void elastica_cmaes_destroy(elastica_cmaes *search) {
  if (search == NULL) return;
  const eli_allocator allocator = search->allocator;
  eli_release(&allocator, search->population.block);
  eli_release(&allocator, search->block);
  eli_release(&allocator, search);
}

/* ---- Candidates ---- */

/* Diagonal entry of C. */
static double variance(const elastica_cmaes *search, int i) {
  return search->covariance[(long)search->n * i + i];
}

static double unbounded_coordinate(const elastica_cmaes *search, int candidate, int i) {
  const double y = search->population.y[(long)search->n * candidate + i];
  return search->scale[i] * (search->mean[i] + search->sigma * y);
}

/* y = C^(1/2) z */
static void transform(elastica_cmaes *search, int candidate, const double *z) {
  multiply(search->n, search->root, z, search->population.y + (long)search->n * candidate);
}

static int is_inside(const elastica_cmaes *search, int candidate) {
  for (int i = 0; i < search->n; i++) {
    const double x = unbounded_coordinate(search, candidate, i);
    if (x < search->lower[i] || x > search->upper[i]) return 0;
  }
  return 1;
}

/* Changes y so that the candidate lies on each bound that it violates. */
static void move_onto_bounds(elastica_cmaes *search, int candidate) {
  double *y = search->population.y + (long)search->n * candidate;
  for (int i = 0; i < search->n; i++) {
    const double x = unbounded_coordinate(search, candidate, i), in = clamp(x, search->lower[i], search->upper[i]);
    if (in != x) y[i] = (in / search->scale[i] - search->mean[i]) / search->sigma;
  }
}

enum { MOST_TRIES = 100 }; /* draws of one candidate inside its bounds */

/* Draws a candidate. Without penalties, a candidate outside its bounds is drawn again. */
static void draw_one(elastica_cmaes *search, int candidate) {
  double *z = search->work;
  eli_random random = eli_random_at(search->def.seed, (uint64_t)search->restart, (uint64_t)search->descent_generation, (uint64_t)candidate);
  for (int tries = 0; tries < MOST_TRIES; tries++) {
    eli_random_normals(&random, search->n, z);
    transform(search, candidate, z);
    if (search->def.penalty || is_inside(search, candidate)) return;
  }
  move_onto_bounds(search, candidate);
}

static void draw_all(elastica_cmaes *search) {
  for (int k = 0; k < search->c.lambda; k++) draw_one(search, k);
  search->asked = 1;
}

/* Computes x of a candidate, clamped to the bounds. */
static void compute_candidate(const elastica_cmaes *search, int candidate, double *x) {
  for (int i = 0; i < search->n; i++) x[i] = clamp(unbounded_coordinate(search, candidate, i), search->lower[i], search->upper[i]);
}

/* ---- Bounds ----
 *
 * Penalties of candidates outside their bounds. The user evaluates such a candidate on the bound.
 *
 * equation   f = f(x_in) + 1/n sum_i gamma_i (u_i - u_in_i)^2/xi_i, xi_i = exp(0.9 (ln C_ii - mean of ln C_jj)); gamma begins at
 *            2 delta/(sigma^2 mean of C_jj), delta the median spread of fitness, when the mean is outside, and grows by
 *            1.1^max(1, mu_eff/(10 n)) while the mean is farther out than 3 sigma sqrt(C_ii) max(1, sqrt(n)/mu_eff)
 * source     N. Hansen, A. Niederberger, L. Guzzella and P. Koumoutsakos, IEEE Trans. Evol. Comput. 13 (2009) 180, section IV
 */

/* Distance of u_i from its bounds, 0 inside them [units of scale]. */
static double distance_outside(const elastica_cmaes *search, int i, double u) {
  const double lower = search->lower[i] / search->scale[i], upper = search->upper[i] / search->scale[i];
  return u < lower ? lower - u : u > upper ? u - upper : 0.0;
}

static int mean_is_outside(const elastica_cmaes *search) {
  for (int i = 0; i < search->n; i++)
    if (distance_outside(search, i, search->mean[i]) > 0.0) return 1;
  return 0;
}

/* Interquartile range of the fitness of the candidates that did not fail. */
static double spread_of_fitness(elastica_cmaes *search) {
  eli_cmaes_population *population = &search->population;
  int good = 0;
  eli_rank(population->fitness, search->c.lambda, population->order, population->scratch);
  while (good < search->c.lambda && eli_is_finite(population->fitness[population->order[good]])) good++;
  if (good < 2) return 0.0;
  return population->fitness[population->order[(3 * (good - 1) + 2) / 4]] - population->fitness[population->order[(good - 1) / 4]];
}

/* Median spread of the last 20 + 3 n/lambda generations, the present one included. */
static double median_spread(elastica_cmaes *search) {
  const int before = search->history_count, window = 19 + 3 * search->n / search->c.lambda, count = before < window ? before : window;
  assert(before <= ELI_CMAES_HISTORY); /* the extra place is free */
  double *last = search->spread_history + before - count;
  last[count] = spread_of_fitness(search); /* the history has one extra place, filled here before extend_history counts it */
  eli_rank(last, count + 1, search->history_order, search->history_scratch);
  return eli_ranked_median(last, search->history_order, count + 1);
}

/* Limits a weight, which overflows if the user reports failures as the largest double. */
static double limit_weight(double weight) {
  return eli_is_moderate(weight) ? weight : ELI_LARGEST;
}

static void begin_penalties(elastica_cmaes *search, double spread) {
  double mean_variance = 0.0;
  for (int i = 0; i < search->n; i++) mean_variance += variance(search, i) / search->n;
  if (!(spread > 0.0)) return;
  for (int i = 0; i < search->n; i++) search->penalty[i] = limit_weight(2.0 * spread / (search->sigma * search->sigma * mean_variance));
  search->penalty_set = 1;
}

static void raise_penalties(elastica_cmaes *search) {
  const double far = 3.0 * search->sigma * (sqrt((double)search->n) > search->c.mu_eff ? sqrt((double)search->n) / search->c.mu_eff : 1.0);
  const double power = search->c.mu_eff / (10.0 * search->n), factor = eli_pow(1.1, power > 1.0 ? power : 1.0);
  for (int i = 0; i < search->n; i++)
    if (distance_outside(search, i, search->mean[i]) > far * sqrt(variance(search, i)) && eli_is_moderate(search->penalty[i]))
      search->penalty[i] = limit_weight(search->penalty[i] * factor);
}

static double penalty_of(const elastica_cmaes *search, int candidate, double mean_log) {
  double sum = 0.0;
  for (int i = 0; i < search->n; i++) {
    const double off = distance_outside(search, i, search->mean[i] + search->sigma * search->population.y[(long)search->n * candidate + i]);
    if (off > 0.0) sum += search->penalty[i] * off * off / eli_exp(0.9 * (eli_log(variance(search, i)) - mean_log));
  }
  return sum / search->n;
}

/* Computes population.penalised, the fitness with penalties for candidates outside the bounds, and adapts the weights of the penalties. */
static void penalise(elastica_cmaes *search) {
  const eli_cmaes_population *population = &search->population;
  for (int k = 0; k < search->c.lambda; k++) population->penalised[k] = population->fitness[k];
  if (!search->def.penalty) return;
  const double spread = median_spread(search);
  if (mean_is_outside(search)) {
    if (!search->penalty_set || search->descent_generation == 1) begin_penalties(search, spread);
    raise_penalties(search);
  }
  double mean_log = 0.0;
  for (int i = 0; i < search->n; i++) mean_log += eli_log(variance(search, i)) / search->n;
  for (int k = 0; k < search->c.lambda; k++) population->penalised[k] += penalty_of(search, k, mean_log);
}

/* ---- The next distribution ----
 *
 * A failed candidate never has a positive weight. If all candidates failed, all weights are 0: the mean stays and the step shrinks.
 */

static const double *ranked_y(const elastica_cmaes *search, int rank) {
  return search->population.y + (long)search->n * search->population.order[rank];
}

static void choose_weights(elastica_cmaes *search) {
  const eli_cmaes_population *population = &search->population;
  const int all_failed = !eli_is_finite(population->penalised[population->order[0]]);
  for (int k = 0; k < search->c.lambda; k++) {
    const double w = population->weights[k];
    const int failed = !eli_is_finite(population->penalised[population->order[k]]);
    population->used_weights[k] = all_failed || (failed && w > 0.0) ? 0.0 : w;
  }
}

/* (41): weighted mean of the better half. */
static void recombine(const elastica_cmaes *search, double *y) {
  memset(y, 0, (size_t)search->n * sizeof *y);
  for (int k = 0; k < search->c.mu; k++)
    for (int i = 0; i < search->n; i++) y[i] += search->population.used_weights[k] * ranked_y(search, k)[i];
}

/* (43) and (45): both evolution paths. Returns h_sigma; it is 0 while path_sigma is long, and then path_c gets no increment. */
static double update_paths(elastica_cmaes *search, const double *y, const double *whitened) {
  const eli_cmaes_constants *c = &search->c;
  const int n = search->n;
  const double turn = sqrt(c->c_sigma * (2.0 - c->c_sigma) * c->mu_eff);
  for (int i = 0; i < n; i++) search->path_sigma[i] = (1.0 - c->c_sigma) * search->path_sigma[i] + turn * whitened[i];
  const double grown = 1.0 - eli_pow(1.0 - c->c_sigma, 2.0 * ((double)search->descent_generation + 1.0));
  const double length = sqrt(squared_length(n, search->path_sigma)) / sqrt(grown);
  const double h = length < (1.4 + 2.0 / (n + 1.0)) * c->chi_n ? 1.0 : 0.0;
  const double part = h * sqrt(c->c_c * (2.0 - c->c_c) * c->mu_eff);
  for (int i = 0; i < n; i++) search->path_c[i] = (1.0 - c->c_c) * search->path_c[i] + part * y[i];
  return h;
}

/* (46): negative weights are divided by the squared Mahalanobis length of their candidate. */
static double weight_in_covariance(elastica_cmaes *search, int rank) {
  const double w = search->population.used_weights[rank];
  if (w >= 0.0) return w;
  multiply(search->n, search->inverse_root, ranked_y(search, rank), search->work);
  const double length = squared_length(search->n, search->work);
  return length > 0.0 ? w * search->n / length : 0.0;
}

/* (47) in the upper triangle, then mirrored. */
static void adapt_covariance(elastica_cmaes *search, double h) {
  const eli_cmaes_constants *c = &search->c;
  const int n = search->n;
  double sum = 0.0;
  for (int k = 0; k < c->lambda; k++) sum += search->population.used_weights[k];
  const double kept = 1.0 + c->c_1 * (1.0 - h) * c->c_c * (2.0 - c->c_c) - c->c_1 - c->c_mu * sum;
  for (long k = 0; k < (long)n * n; k++) search->covariance[k] *= kept;
  add_product(n, c->c_1, search->path_c, search->covariance);
  for (int k = 0; k < c->lambda; k++)
    if (search->population.used_weights[k] != 0.0)
      add_product(n, c->c_mu * weight_in_covariance(search, k), ranked_y(search, k), search->covariance);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) search->covariance[(long)n * i + j] = search->covariance[(long)n * j + i];
}

/* out = sum over axes of factor_k b_k b_k^T. */
static void assemble(int n, const double *axes, const double *deviation, int inverse, double *out) {
  memset(out, 0, (size_t)n * (size_t)n * sizeof *out);
  for (int k = 0; k < n; k++) add_product(n, inverse ? 1.0 / deviation[k] : deviation[k], axes + (long)n * k, out);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) out[(long)n * i + j] = out[(long)n * j + i];
}

static void compute_roots(elastica_cmaes *search) {
  assemble(search->n, search->axes, search->deviation, 0, search->root);
  assemble(search->n, search->axes, search->deviation, 1, search->inverse_root);
}

/* Uses the roots as scratch for the eigensystem, which replaces the last one only if all eigenvalues are positive. */
static int decompose(elastica_cmaes *search) {
  const int n = search->n;
  double *values = search->work, *matrix = search->root, *axes = search->inverse_root;
  memcpy(matrix, search->covariance, (size_t)n * (size_t)n * sizeof *matrix);
  const int positive = eli_symmetric_eigen(n, matrix, values, axes) && values[0] > 0.0;
  if (positive) {
    memcpy(search->axes, axes, (size_t)n * (size_t)n * sizeof *axes);
    for (int k = 0; k < n; k++) search->deviation[k] = sqrt(values[k]);
    search->eigen_generation = search->descent_generation;
  }
  compute_roots(search);
  return positive;
}

/* Updates mean, paths, covariance, step and, when due, the eigensystem, from population.penalised and population.order. Returns 0 if C is
 * no longer positive definite; the eigensystem then remains the last one. */
static int update_distribution(elastica_cmaes *search) {
  const eli_cmaes_constants *c = &search->c;
  const int n = search->n;
  double *y = search->work + n, *whitened = search->work + 2L * n;
  choose_weights(search);
  recombine(search, y);
  multiply(n, search->inverse_root, y, whitened);
  for (int i = 0; i < n; i++) search->mean[i] += search->sigma * y[i];
  const double h = update_paths(search, y, whitened);
  adapt_covariance(search, h);
  search->sigma *= eli_exp(c->c_sigma / c->d_sigma * (sqrt(squared_length(n, search->path_sigma)) / c->chi_n - 1.0)); /* (44) */
  search->descent_generation++;
  const double lazy = 1.0 / ((c->c_1 + c->c_mu) * n * 10.0); /* generations between eigensystems: a tenth of the time that C takes to
                                                              * change */
  return (double)(search->descent_generation - search->eigen_generation) > lazy ? decompose(search) : 1;
}

/* ---- History ---- */

/* Drops the oldest generation of full histories. The spread of the present generation is in the extra place and moves with them. */
static void drop_oldest(elastica_cmaes *search) {
  if (search->history_count < ELI_CMAES_HISTORY) return;
  const size_t rest = (ELI_CMAES_HISTORY - 1) * sizeof(double);
  memmove(search->best_history, search->best_history + 1, rest);
  memmove(search->median_history, search->median_history + 1, rest);
  memmove(search->spread_history, search->spread_history + 1, rest + sizeof(double));
  search->history_count--;
}

static void extend_history(elastica_cmaes *search) {
  drop_oldest(search);
  const int last = search->history_count++;
  search->best_history[last] = search->generation_best;
  search->median_history[last] = eli_ranked_median(search->population.penalised, search->population.order, search->c.lambda);
  if (search->generation_best < search->stall_best - search->def.stall_gain) {
    search->stall_best = search->generation_best;
    search->stall_generation = search->descent_generation;
  }
}

/* ---- Reasons to stop ---- */

/* Largest over smallest eigenvalue of C. */
static double condition_of(const elastica_cmaes *search) {
  const double ratio = search->deviation[search->n - 1] / search->deviation[0];
  return ratio * ratio;
}

typedef struct range {
  double least, largest;
} range;

static void extend_range(range *of, const double *values, int count) {
  for (int k = 0; k < count; k++) {
    if (values[k] < of->least) of->least = values[k];
    if (values[k] > of->largest) of->largest = values[k];
  }
}

/* Range of the best fitness in the last 10 + ceil(30 n/lambda) generations. Returns 0 before that many generations. */
static int recent_range(const elastica_cmaes *search, range *out) {
  const int lambda = search->c.lambda, count = 10 + (30 * search->n + lambda - 1) / lambda;
  if (search->history_count < count) return 0;
  const double *last = search->best_history + search->history_count - count;
  *out = (range){last[0], last[0]};
  extend_range(out, last, count);
  return 1;
}

static int fitness_is_flat(const elastica_cmaes *search) {
  range recent = {0.0, 0.0};
  if (!recent_range(search, &recent)) return 0;
  extend_range(&recent, search->population.fitness, search->c.lambda);
  return recent.largest - recent.least < search->def.fitness_tolerance; /* 0 if a candidate failed: the difference is then infinite or
                                                                         * NaN */
}

static int fitness_is_equal(const elastica_cmaes *search) {
  range recent = {0.0, 0.0};
  return recent_range(search, &recent) && recent.least == recent.largest;
}

static double standard_deviation(const elastica_cmaes *search, int i) {
  return search->sigma * sqrt(variance(search, i));
}

static int step_is_small(const elastica_cmaes *search) {
  const double tolerance = search->def.step_tolerance * search->def.step;
  for (int i = 0; i < search->n; i++)
    if (!(standard_deviation(search, i) < tolerance && fabs(search->sigma * search->path_c[i]) < tolerance)) return 0;
  return 1;
}

/* Returns 1 if the median of the last 30 % of a window is below that of its first 30 %. */
static int has_improved(elastica_cmaes *search, const double *window, int count) {
  const int part = 3 * count / 10;
  double median[2];
  for (int k = 0; k < 2; k++) {
    const double *values = window + (k == 0 ? 0 : count - part);
    eli_rank(values, part, search->history_order, search->history_scratch);
    median[k] = eli_ranked_median(values, search->history_order, part);
  }
  return median[1] < median[0];
}

/* Tests for stagnation over the last fifth of the descent, at least 120 + 30 n/lambda generations. It sorts, and therefore runs in every
 * tenth generation only. */
static int has_stagnated(elastica_cmaes *search) {
  const long shortest = 120 + 30L * search->n / search->c.lambda, fifth = search->descent_generation / 5;
  long count = fifth > shortest ? fifth : shortest;
  if (count > ELI_CMAES_HISTORY) count = ELI_CMAES_HISTORY;
  if (search->history_count < count || search->descent_generation % 10 != 0) return 0;
  const long begin = search->history_count - count;
  return !has_improved(search, search->best_history + begin, (int)count) &&
         !has_improved(search, search->median_history + begin, (int)count);
}

/* Tests one axis in each generation, in turn. */
static int axis_has_no_effect(const elastica_cmaes *search) {
  const int n = search->n, k = (int)(search->descent_generation % n);
  const double length = 0.1 * search->sigma * search->deviation[k];
  for (int i = 0; i < n; i++)
    if (search->mean[i] + length * search->axes[(long)n * k + i] != search->mean[i]) return 0;
  return 1;
}

static int coordinate_has_no_effect(const elastica_cmaes *search) {
  for (int i = 0; i < search->n; i++)
    if (search->mean[i] + 0.2 * standard_deviation(search, i) == search->mean[i]) return 1;
  return 0;
}

static int has_reached(long value, long limit) {
  return limit > 0 && value >= limit;
}

static elastica_stop find_stop(elastica_cmaes *search, int positive) {
  const elastica_cmaes_def *def = &search->def;
  if (search->best <= def->target) return ELASTICA_STOP_TARGET;
  if (has_reached(search->evaluations, def->evaluation_limit)) return ELASTICA_STOP_EVALUATIONS;
  if (has_reached(search->generation, def->generation_limit)) return ELASTICA_STOP_GENERATIONS;
  if (has_reached(search->descent_generation - search->stall_generation, def->stall_generations)) return ELASTICA_STOP_STALLED;
  if (fitness_is_flat(search)) return ELASTICA_STOP_FITNESS;
  if (step_is_small(search)) return ELASTICA_STOP_STEP;
  if (fitness_is_equal(search)) return ELASTICA_STOP_EQUAL;
  if (has_stagnated(search)) return ELASTICA_STOP_STAGNATION;
  if (!positive || !(condition_of(search) <= 1e14)) return ELASTICA_STOP_CONDITION;
  if (axis_has_no_effect(search)) return ELASTICA_STOP_AXIS;
  if (coordinate_has_no_effect(search)) return ELASTICA_STOP_COORDINATE;
  if (!(search->sigma * search->deviation[search->n - 1] <= 1e4 * def->step)) return ELASTICA_STOP_DIVERGED;
  return ELASTICA_STOP_NONE;
}

static const char *const stop_words[] = {
    [ELASTICA_STOP_NONE] = "goes on",
    [ELASTICA_STOP_TARGET] = "the target is reached",
    [ELASTICA_STOP_EVALUATIONS] = "the limit of evaluations is reached",
    [ELASTICA_STOP_GENERATIONS] = "the limit of generations is reached",
    [ELASTICA_STOP_STALLED] = "the best fitness has stalled",
    [ELASTICA_STOP_FITNESS] = "the fitness varies by less than its tolerance",
    [ELASTICA_STOP_STEP] = "the step is smaller than its tolerance",
    [ELASTICA_STOP_EQUAL] = "the best fitness of each generation is the same",
    [ELASTICA_STOP_STAGNATION] = "neither best nor median fitness improve",
    [ELASTICA_STOP_CONDITION] = "the covariance is ill-conditioned",
    [ELASTICA_STOP_AXIS] = "a step along an axis does not change the mean",
    [ELASTICA_STOP_COORDINATE] = "a step along a coordinate does not change the mean",
    [ELASTICA_STOP_DIVERGED] = "the step has grown out of proportion",
};

/* ---- Descents ---- */

/* Starts a descent at mean x, with the present constants and population. */
static void begin_descent(elastica_cmaes *search, const double *x) {
  const int n = search->n;
  const size_t vector = (size_t)n * sizeof(double), matrix = (size_t)n * vector;
  memset(search->covariance, 0, matrix);
  for (int i = 0; i < n; i++) {
    search->mean[i] = x[i] / search->scale[i];
    search->deviation[i] = search->covariance[(long)n * i + i] = 1.0;
  }
  memcpy(search->axes, search->covariance, matrix);
  memcpy(search->root, search->covariance, matrix);
  memcpy(search->inverse_root, search->covariance, matrix);
  memset(search->path_sigma, 0, vector);
  memset(search->path_c, 0, vector);
  memset(search->penalty, 0, vector);
  search->sigma = search->def.step;
  search->descent_generation = search->eigen_generation = search->stall_generation = 0;
  search->history_count = search->penalty_set = search->asked = search->restart_due = 0;
  search->stall_best = INFINITY;
}

/* Population of the next generation. */
static int next_population(const elastica_cmaes *search) {
  const double grown = floor(search->c.lambda * search->def.growth + 0.5);
  if (!search->restart_due) return search->c.lambda;
  return grown <= ELI_CMAES_LARGEST_POPULATION ? (int)grown : ELI_CMAES_LARGEST_POPULATION;
}

/* Draws the start of a descent: uniform between finite bounds, else normal about the first start. */
static void find_new_start(const elastica_cmaes *search, double *x) {
  eli_random random = eli_random_at(search->def.seed, (uint64_t)search->restart, UINT64_MAX, 0);
  for (int i = 0; i < search->n; i++) {
    const double lower = search->lower[i], upper = search->upper[i], part = eli_random_uniform(&random);
    double normal;
    eli_random_normals(&random, 1, &normal);
    x[i] = search->start[i] + search->scale[i] * search->def.step * normal;
    if (eli_is_finite(lower) && eli_is_finite(upper)) x[i] = lower + part * (upper - lower);
    x[i] = clamp(x[i], lower, upper);
  }
}

static elastica_status restart(elastica_cmaes *search) {
  const elastica_status status = set_population(search, next_population(search), "cmaes_ask");
  if (status != ELASTICA_OK) return status;
  search->restart++;
  find_new_start(search, search->work);
  begin_descent(search, search->work);
  return ELASTICA_OK;
}

/* ---- Create ---- */

static elastica_status refuse_create(const elastica_cmaes_def *def, elastica_status status, const char *text) {
  if (def->message != NULL && def->message_size > 0) snprintf(def->message, def->message_size, "%s", text);
  return status;
}

static void copy_definition(elastica_cmaes *search, const elastica_cmaes_def *def) {
  search->def = *def;
  for (int i = 0; i < def->dimension; i++) {
    search->start[i] = def->start ? def->start[i] : 0.0;
    search->scale[i] = def->scale ? def->scale[i] : 1.0;
    search->lower[i] = def->lower ? def->lower[i] : -INFINITY;
    search->upper[i] = def->upper ? def->upper[i] : INFINITY;
  }
  search->def.start = search->def.scale = search->def.lower = search->def.upper = NULL;
  search->def.message = NULL;
}

static void begin_search(elastica_cmaes *search) {
  eli_cmaes_constants_of(search->n, search->def.population, search->def.active, search->def.revision, &search->c,
                         search->population.weights);
  memcpy(search->best_x, search->start, (size_t)search->n * sizeof(double));
  search->best = search->generation_best = search->generation_mean = INFINITY;
  begin_descent(search, search->start);
}

elastica_status elastica_cmaes_create(const elastica_cmaes_def *def, elastica_cmaes **out) {
  elastica_cmaes_def copy;
  sentence s;
  if (out == NULL) return ELASTICA_INVALID_ARGUMENT;
  *out = NULL;
  if (eli_def_read(NULL, &layout, &copy, def) != ELASTICA_OK)
    return refuse_create(def->struct_size > sizeof copy ? def : &copy, ELASTICA_WRONG_VERSION,
                         "cmaes_def.struct_size is none that this library knows: use elastica_cmaes_def_init");
  if (!check_def(&s, &copy)) return refuse_create(&copy, ELASTICA_INVALID_ARGUMENT, s.text);
  const eli_allocator allocator =
      copy.allocate ? (eli_allocator){copy.allocate, copy.release, copy.allocator_user} : eli_allocator_default();
  if (copy.population == 0) copy.population = 4 + (int)floor(3.0 * eli_log(copy.dimension));
  elastica_cmaes *search = eli_allocate(&allocator, 1, sizeof *search);
  if (search == NULL) return refuse_create(&copy, ELASTICA_OUT_OF_MEMORY, "cmaes_create: no memory for a search");
  search->allocator = allocator;
  search->n = copy.dimension;
  if (!allocate_arrays(search) || !create_population(&allocator, copy.dimension, copy.population, &search->population)) {
    elastica_cmaes_destroy(search);
    return refuse_create(&copy, ELASTICA_OUT_OF_MEMORY, "cmaes_create: no memory for a population and its covariance");
  }
  copy_definition(search, &copy);
  begin_search(search);
  *out = search;
  return ELASTICA_OK;
}

/* ---- Ask and tell ---- */

elastica_status elastica_cmaes_ask(elastica_cmaes *search, double *x, size_t capacity) {
  if (search == NULL) return ELASTICA_INVALID_ARGUMENT;
  const size_t needed = (size_t)next_population(search) * (size_t)search->n;
  if (x == NULL) return refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_ask: x is NULL");
  if (capacity < needed)
    return refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_ask: capacity %zu is less than %zu, %d candidates of %d numbers", capacity,
                  needed, next_population(search), search->n);
  const elastica_status status = search->restart_due ? restart(search) : ELASTICA_OK;
  if (status != ELASTICA_OK) return status;
  if (!search->asked) draw_all(search);
  for (int k = 0; k < search->c.lambda; k++) compute_candidate(search, k, x + (long)search->n * k);
  return ELASTICA_OK;
}

static elastica_status check_fitness(elastica_cmaes *search, const double *fitness) {
  if (fitness == NULL) return refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_tell: fitness is NULL");
  if (!search->asked) return refuse(search, ELASTICA_WRONG_STATE, "cmaes_tell: the candidates of this generation were not asked for");
  for (int k = 0; k < search->c.lambda; k++) {
    if (eli_is_nan(fitness[k]))
      return refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_tell: fitness[%d] is not a number; infinity is a failed evaluation", k);
    if (fitness[k] < 0.0 && !eli_is_finite(fitness[k]))
      return refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_tell: fitness[%d] is minus infinity", k);
  }
  return ELASTICA_OK;
}

/* Records best, mean and failures of a generation. It runs before the distribution changes, because candidates are computed from the
 * distribution. */
static void record_generation(elastica_cmaes *search) {
  const double *fitness = search->population.fitness;
  double sum = 0.0;
  int best = 0, good = 0;
  for (int k = 0; k < search->c.lambda; k++) {
    if (fitness[k] < fitness[best]) best = k;
    if (!eli_is_finite(fitness[k])) continue;
    good++;
    sum += fitness[k];
  }
  search->generation_best = fitness[best];
  search->generation_mean = good > 0 ? sum / good : INFINITY;
  search->failed = search->c.lambda - good;
  if (!(fitness[best] < search->best)) return;
  search->best = fitness[best];
  compute_candidate(search, best, search->best_x);
}

static int is_limit_or_target(elastica_stop stop) {
  return stop == ELASTICA_STOP_TARGET || stop == ELASTICA_STOP_EVALUATIONS || stop == ELASTICA_STOP_GENERATIONS;
}

elastica_status elastica_cmaes_tell(elastica_cmaes *search, const double *fitness) {
  if (search == NULL) return ELASTICA_INVALID_ARGUMENT;
  const elastica_status status = check_fitness(search, fitness);
  if (status != ELASTICA_OK) return status;
  memcpy(search->population.fitness, fitness, (size_t)search->c.lambda * sizeof *fitness);
  record_generation(search);
  penalise(search);
  eli_rank(search->population.penalised, search->c.lambda, search->population.order, search->population.scratch);
  const int positive = update_distribution(search);
  search->generation++;
  search->evaluations += search->c.lambda;
  search->asked = 0;
  extend_history(search);
  search->stop = find_stop(search, positive);
  if (search->stop == ELASTICA_STOP_NONE || is_limit_or_target(search->stop) || search->restart >= search->def.restart_limit)
    return ELASTICA_OK;
  search->restart_due = 1;
  search->restarted = search->stop;
  search->stop = ELASTICA_STOP_NONE;
  return ELASTICA_OK;
}

elastica_status elastica_cmaes_get(elastica_cmaes *search, elastica_cmaes_info *out) {
  if (search == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_get: out is NULL");
  for (int i = 0; i < search->n; i++) search->mean_x[i] = clamp(search->scale[i] * search->mean[i], search->lower[i], search->upper[i]);
  *out = (elastica_cmaes_info){.stop = search->stop,
                               .stop_text = stop_words[search->stop],
                               .restarted = search->restarted,
                               .population = next_population(search),
                               .restart = search->restart + search->restart_due,
                               .generation = search->generation,
                               .evaluations = search->evaluations,
                               .best = search->best,
                               .generation_best = search->generation_best,
                               .generation_mean = search->generation_mean,
                               .failed = search->failed,
                               .step = search->sigma,
                               .condition = condition_of(search),
                               .best_x = search->best_x,
                               .mean = search->mean_x};
  return ELASTICA_OK;
}

/* ---- The state as bytes ----
 *
 * Head (magic, version, size, checksum), definition, state. Roots, weights and candidates are not saved, because they follow from these.
 */

#define MAGIC UINT64_C(0x7365616d63616c65) /* "elacmaes" */
enum { VERSION = 1, HEAD = 4 * ELI_WORD };

/* ---- The saved numbers, listed once for writing, checking and reading ---- */

static uint64_t sum_of_definition(const elastica_cmaes *search) {
  const size_t n = (size_t)search->n;
  const double numbers[2] = {search->def.step, search->def.growth};
  uint64_t sum = eli_sum_of_doubles(0, numbers, 2);
  sum = eli_sum_of_doubles(sum, search->start, n);
  sum = eli_sum_of_doubles(sum, search->scale, n);
  sum = eli_sum_of_doubles(sum, search->lower, n);
  return eli_sum_of_doubles(sum, search->upper, n);
}

static void keep_definition(const elastica_cmaes *search, eli_record *record) {
  eli_record_same(record, "dimension", search->n);
  eli_record_same(record, "penalty", search->def.penalty);
  eli_record_same(record, "population", search->def.population);
  eli_record_same(record, "active", search->def.active);
  eli_record_same(record, "revision", search->def.revision);
  const uint64_t seed = eli_record_word(record, search->def.seed), sum = eli_record_word(record, sum_of_definition(search));
  if (record->use == ELI_RECORD_WRITE) return;
  if (seed != search->def.seed) eli_record_blame(record, "seed", 1);
  if (sum != sum_of_definition(search)) eli_record_blame(record, "start, scale, step, growth or a bound", 1);
}

static void keep_enumeration(eli_record *record, const char *name, elastica_stop *stop) {
  int number = (int)*stop;
  eli_record_int(record, name, &number, 0, ELASTICA_STOP_DIVERGED);
  if (record->use == ELI_RECORD_READ) *stop = (elastica_stop)number;
}

static void keep_course(elastica_cmaes *search, eli_record *record) {
  eli_record_long(record, "generation", &search->generation, 0, LONG_MAX);
  eli_record_long(record, "evaluations", &search->evaluations, 0, LONG_MAX);
  eli_record_long(record, "generation of the descent", &search->descent_generation, 0, LONG_MAX);
  eli_record_long(record, "generation of the eigensystem", &search->eigen_generation, 0, LONG_MAX);
  eli_record_long(record, "generation of the stall", &search->stall_generation, 0, LONG_MAX);
  eli_record_int(record, "restart", &search->restart, 0, INT_MAX);
  eli_record_int(record, "restart_due", &search->restart_due, 0, 1);
  eli_record_int(record, "penalty_set", &search->penalty_set, 0, 1);
  eli_record_int(record, "failed", &search->failed, 0, ELI_CMAES_LARGEST_POPULATION);
  keep_enumeration(record, "stop", &search->stop);
  keep_enumeration(record, "restarted", &search->restarted);
  double *const fitness[] = {&search->best, &search->generation_best, &search->generation_mean, &search->stall_best};
  for (int k = 0; k < 4; k++) eli_record_doubles(record, fitness[k], 1);
  eli_record_finite(record, "step", &search->sigma, 1);
}

static void keep_distribution(elastica_cmaes *search, eli_record *record) {
  const size_t n = (size_t)search->n;
  eli_record_finite(record, "mean", search->mean, n);
  eli_record_finite(record, "path of the step", search->path_sigma, n);
  eli_record_finite(record, "path of the covariance", search->path_c, n);
  eli_record_finite(record, "penalty", search->penalty, n);
  eli_record_finite(record, "best", search->best_x, n);
  eli_record_finite(record, "deviation", search->deviation, n);
  eli_record_finite(record, "covariance", search->covariance, n * n);
  eli_record_finite(record, "axes", search->axes, n * n);
}

static void keep_history(elastica_cmaes *search, eli_record *record, int count) {
  double *const histories[] = {search->best_history, search->median_history, search->spread_history};
  for (int k = 0; k < 3; k++) eli_record_doubles(record, histories[k], (size_t)count);
}

/* Writes or reads all numbers. The population of the descent and the length of its history precede the rest, which depends on them. */
static void keep(elastica_cmaes *search, eli_record *record, int *lambda, int *history) {
  keep_definition(search, record);
  const uint64_t population = eli_record_word(record, (uint64_t)*lambda), generations = eli_record_word(record, (uint64_t)*history);
  if (population < 2 || population > ELI_CMAES_LARGEST_POPULATION) eli_record_blame(record, "population", 0);
  if (generations > ELI_CMAES_HISTORY) eli_record_blame(record, "history", 0);
  if (record->wrong != NULL) return;
  *lambda = (int)population;
  *history = (int)generations;
  keep_course(search, record);
  keep_distribution(search, record);
  keep_history(search, record, *history);
}

/* ---- Saving ---- */

static size_t size_of(elastica_cmaes *search) {
  eli_record counting = eli_record_to(NULL, 0);
  int lambda = search->c.lambda, history = search->history_count;
  keep(search, &counting, &lambda, &history);
  return HEAD + counting.at;
}

elastica_status elastica_cmaes_save(elastica_cmaes *search, void *buffer, size_t size, size_t *needed) {
  if (search == NULL) return ELASTICA_INVALID_ARGUMENT;
  const size_t all = size_of(search);
  if (needed != NULL) *needed = all;
  if (buffer == NULL && needed != NULL) return ELASTICA_OK;
  if (buffer == NULL) return refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_save: buffer and needed are NULL");
  if (size < all)
    return refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_save: size %zu is less than the %zu bytes of the state", size, all);
  unsigned char *const bytes = buffer;
  eli_record record = eli_record_to(bytes + HEAD, all - HEAD), head = eli_record_to(bytes, HEAD);
  int lambda = search->c.lambda, history = search->history_count;
  keep(search, &record, &lambda, &history);
  eli_record_word(&head, MAGIC);
  eli_record_word(&head, VERSION);
  eli_record_word(&head, all);
  eli_record_word(&head, eli_sum_of_words(all, bytes + HEAD, (all - HEAD) / ELI_WORD));
  return ELASTICA_OK;
}

/* ---- Loading ---- */

static elastica_status refuse_damaged(elastica_cmaes *search, const char *defect) {
  return refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_load: the state is damaged: %s", defect);
}

static elastica_status check_head(elastica_cmaes *search, const unsigned char *bytes, size_t given, size_t *size) {
  if (bytes == NULL) return refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_load: buffer is NULL");
  if (given < HEAD) return refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_load: %zu bytes are no state", given);
  eli_record head = eli_record_from(ELI_RECORD_READ, bytes, HEAD);
  const uint64_t magic = eli_record_word(&head, 0), version = eli_record_word(&head, 0), all = eli_record_word(&head, 0);
  if (magic != MAGIC) return refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_load: this is no state of a search");
  if (version != VERSION)
    return refuse(search, ELASTICA_WRONG_VERSION, "cmaes_load: the state has version %llu of the format, this library reads %d",
                  (unsigned long long)version, (int)VERSION);
  if (all < HEAD || all % ELI_WORD != 0) return refuse_damaged(search, "its size cannot be");
  if (all > given)
    return refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_load: the state has %llu bytes, of which there are only %zu",
                  (unsigned long long)all, given);
  *size = (size_t)all;
  if (eli_record_word(&head, 0) != eli_sum_of_words(all, bytes + HEAD, (*size - HEAD) / ELI_WORD))
    return refuse_damaged(search, "its checksum is wrong");
  return ELASTICA_OK;
}

static elastica_status check_state(elastica_cmaes *search, const unsigned char *bytes, size_t size, int *lambda, int *history) {
  eli_record record = eli_record_from(ELI_RECORD_CHECK, bytes + HEAD, size - HEAD);
  keep(search, &record, lambda, history);
  if (record.wrong == NULL && record.at != record.size) record.wrong = "the size";
  if (record.wrong == NULL) return ELASTICA_OK;
  if (record.differs)
    return refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_load: %s of the state differs from that of this search", record.wrong);
  return refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_load: the state is damaged: %s cannot be", record.wrong);
}

elastica_status elastica_cmaes_load(elastica_cmaes *search, const void *buffer, size_t size) {
  if (search == NULL) return ELASTICA_INVALID_ARGUMENT;
  int lambda = 0, history = 0;
  elastica_status status = check_head(search, buffer, size, &size);
  if (status == ELASTICA_OK) status = check_state(search, buffer, size, &lambda, &history);
  if (status != ELASTICA_OK) return status;
  status = set_population(search, lambda, "cmaes_load");
  if (status != ELASTICA_OK) return status;
  eli_record record = eli_record_from(ELI_RECORD_READ, (const unsigned char *)buffer + HEAD, size - HEAD);
  keep(search, &record, &lambda, &history);
  search->history_count = history;
  search->asked = 0;
  compute_roots(search);
  return ELASTICA_OK;
}
