/* State of a search as bytes: head (magic, version, size, checksum), definition, state. Roots, weights and candidates are not saved,
 * because they follow from these.
 *
 * test       tests/test_cmaes_state.c
 */
#include "base/target.h"

#include <limits.h>
#include <string.h>

#include "base/record.h"
#include "search/cmaes.h"
#include "state/definition.h"

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
  if (buffer == NULL) return eli_cmaes_refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_save: buffer and needed are NULL");
  if (size < all)
    return eli_cmaes_refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_save: size %zu is less than the %zu bytes of the state", size, all);
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
  return eli_cmaes_refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_load: the state is damaged: %s", defect);
}

static elastica_status check_head(elastica_cmaes *search, const unsigned char *bytes, size_t given, size_t *size) {
  if (bytes == NULL) return eli_cmaes_refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_load: buffer is NULL");
  if (given < HEAD) return eli_cmaes_refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_load: %zu bytes are no state", given);
  eli_record head = eli_record_from(ELI_RECORD_READ, bytes, HEAD);
  const uint64_t magic = eli_record_word(&head, 0), version = eli_record_word(&head, 0), all = eli_record_word(&head, 0);
  if (magic != MAGIC) return eli_cmaes_refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_load: this is no state of a search");
  if (version != VERSION)
    return eli_cmaes_refuse(search, ELASTICA_WRONG_VERSION, "cmaes_load: the state has version %llu of the format, this library reads %d",
                            (unsigned long long)version, (int)VERSION);
  if (all < HEAD || all % ELI_WORD != 0) return refuse_damaged(search, "its size cannot be");
  if (all > given)
    return eli_cmaes_refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_load: the state has %llu bytes, of which there are only %zu",
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
    return eli_cmaes_refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_load: %s of the state differs from that of this search",
                            record.wrong);
  return eli_cmaes_refuse(search, ELASTICA_INVALID_ARGUMENT, "cmaes_load: the state is damaged: %s cannot be", record.wrong);
}

elastica_status elastica_cmaes_load(elastica_cmaes *search, const void *buffer, size_t size) {
  if (search == NULL) return ELASTICA_INVALID_ARGUMENT;
  int lambda = 0, history = 0;
  elastica_status status = check_head(search, buffer, size, &size);
  if (status == ELASTICA_OK) status = check_state(search, buffer, size, &lambda, &history);
  if (status != ELASTICA_OK) return status;
  status = eli_cmaes_set_population(search, lambda, "cmaes_load");
  if (status != ELASTICA_OK) return status;
  eli_record record = eli_record_from(ELI_RECORD_READ, (const unsigned char *)buffer + HEAD, size - HEAD);
  keep(search, &record, &lambda, &history);
  search->history_count = history;
  search->asked = 0;
  eli_cmaes_roots(search);
  return ELASTICA_OK;
}
