/* Definition and memory of a search.
 *
 * test       tests/test_cmaes_refusals.c
 */
#include "base/target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/checks.h"
#include "base/definition.h"
#include "base/elementary.h"
#include "search/cmaes.h"

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
  if (def->population != 0 && !check_range(s, "population", def->population, 2, ELI_CMAES_MOST_PEOPLE)) return 0;
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

/* ---- Memory ---- */

static void *hand_out(char **next, size_t count, size_t size) {
  void *const block = *next;
  *next += (count * size + 7) / 8 * 8;
  return block;
}

int eli_cmaes_people_create(const eli_allocator *allocator, int n, int lambda, eli_cmaes_people *out) {
  const size_t count = (size_t)lambda;
  out->block = eli_allocate(allocator, count, ((size_t)n + 4) * sizeof(double) + 8 + 8); /* two arrays of int, rounded up */
  if (out->block == NULL) return 0;
  char *next = out->block;
  out->y = hand_out(&next, count * (size_t)n, sizeof(double));
  out->weights = hand_out(&next, count, sizeof(double));
  out->fitness = hand_out(&next, count, sizeof(double));
  out->ranked = hand_out(&next, count, sizeof(double));
  out->used = hand_out(&next, count, sizeof(double));
  out->order = hand_out(&next, count, sizeof(int));
  out->scratch = hand_out(&next, count, sizeof(int));
  return 1;
}

/* Allocates vectors, matrices, the histories with one extra place, and two arrays of indices for ranking them. */
static int take_memory(elastica_cmaes *search) {
  const size_t n = (size_t)search->n, history = ELI_CMAES_HISTORY + 1, vectors = 15, matrices = 4;
  double **const vector[] = {&search->start,  &search->scale,   &search->lower,  &search->upper,  &search->mean,     &search->path_sigma,
                             &search->path_c, &search->penalty, &search->best_x, &search->mean_x, &search->deviation};
  double **const matrix[] = {&search->covariance, &search->axes, &search->root, &search->inverse_root};
  double **const past[] = {&search->best_history, &search->median_history, &search->spread_history};
  search->block = eli_allocate(&search->allocator, n * (vectors + matrices * n) + 4 * history + 2, sizeof(double));
  if (search->block == NULL) return 0;
  char *next = (char *)search->block;
  for (size_t k = 0; k < sizeof vector / sizeof *vector; k++) *vector[k] = hand_out(&next, n, sizeof(double));
  search->work = hand_out(&next, 3 * n, sizeof(double));
  for (size_t k = 0; k < sizeof matrix / sizeof *matrix; k++) *matrix[k] = hand_out(&next, n * n, sizeof(double));
  for (size_t k = 0; k < sizeof past / sizeof *past; k++) *past[k] = hand_out(&next, history, sizeof(double));
  search->history_order = hand_out(&next, history, sizeof(int));
  search->history_scratch = hand_out(&next, history, sizeof(int));
  return 1;
}

void elastica_cmaes_destroy(elastica_cmaes *search) {
  if (search == NULL) return;
  const eli_allocator allocator = search->allocator;
  eli_release(&allocator, search->people.block);
  eli_release(&allocator, search->block);
  eli_release(&allocator, search);
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

static void begin(elastica_cmaes *search) {
  eli_cmaes_constants_of(search->n, search->def.population, search->def.active, search->def.revision, &search->c, search->people.weights);
  memcpy(search->best_x, search->start, (size_t)search->n * sizeof(double));
  search->best = search->generation_best = search->generation_mean = INFINITY;
  eli_cmaes_begin_descent(search, search->start);
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
  if (!take_memory(search) || !eli_cmaes_people_create(&allocator, copy.dimension, copy.population, &search->people)) {
    elastica_cmaes_destroy(search);
    return refuse_create(&copy, ELASTICA_OUT_OF_MEMORY, "cmaes_create: no memory for a population and its covariance");
  }
  copy_definition(search, &copy);
  begin(search);
  *out = search;
  return ELASTICA_OK;
}
