/* Claims about saving and loading a search. */
#include "base/target.h"

#include <float.h>

#include "rationed_memory.h"
#include "searching.h"
#include "snapshot_sum.h"

static const double lower[3] = {-2.0, -2.0, -2.0}, upper[3] = {5.0, 5.0, 5.0};

static elastica_cmaes_def restarting(int penalty) {
  elastica_cmaes_def def = search_def(3, 0.5);
  def.lower = lower;
  def.upper = upper;
  def.penalty = penalty;
  def.restart_limit = 2;
  return def;
}

static unsigned char *save(elastica_cmaes *search, size_t *size) {
  must_search(search, elastica_cmaes_save(search, NULL, 0, size));
  unsigned char *bytes = malloc(*size);
  assert_non_null(bytes);
  must_search(search, elastica_cmaes_save(search, bytes, *size, NULL));
  return bytes;
}

static void assert_same(elastica_cmaes *a, elastica_cmaes *b) {
  size_t size, other_size;
  unsigned char *bytes = save(a, &size), *other = save(b, &other_size);
  assert_int_equal(size, other_size);
  assert_memory_equal(bytes, other, size);
  free(bytes);
  free(other);
}

/* Saved after every generation, with and without open candidates, and loaded into a new search. */
TEST(a_loaded_search_goes_on_with_the_same_bits) {
  double x[400], y[400];
  for (int penalty = 0; penalty < 2; penalty++) {
    const elastica_cmaes_def def = restarting(penalty);
    elastica_cmaes *search = make_search(&def);
    for (int g = 0; !search_info(search).stop; g++) {
      size_t size;
      if (g % 2) must_search(search, elastica_cmaes_ask(search, x, 400));
      unsigned char *bytes = save(search, &size);
      elastica_cmaes *other = make_search(&def);
      must_search(other, elastica_cmaes_load(other, bytes, size));
      assert_same(search, other);
      assert_int_equal(search_info(search).population, search_info(other).population);
      must_search(search, elastica_cmaes_ask(search, x, 400));
      must_search(other, elastica_cmaes_ask(other, y, 400));
      assert_memory_equal(x, y, (size_t)(3 * search_info(search).population) * sizeof(double));
      search_once(search, rastrigin);
      search_once(other, rastrigin);
      assert_same(search, other);
      elastica_cmaes_destroy(other);
      free(bytes);
    }
    assert_int_equal(search_info(search).restart, 2);
    elastica_cmaes_destroy(search);
  }
}

/* The optimum lies outside, and half of the evaluations fail; they return the largest number instead of infinity. */
static double fails_by_the_largest(const double *x, int n) {
  (void)n;
  const double stripes = 500.0 * x[1];
  return stripes - floor(stripes) < 0.5 ? DBL_MAX : x[0];
}

TEST(failures_that_are_numbers_leave_a_state_that_loads) {
  const elastica_cmaes_def def = restarting(1);
  elastica_cmaes *search = make_search(&def);
  for (int g = 0; g < 40; g++) {
    size_t size;
    search_once(search, fails_by_the_largest);
    unsigned char *bytes = save(search, &size);
    must_search(search, elastica_cmaes_load(search, bytes, size));
    free(bytes);
  }
  elastica_cmaes_destroy(search);
}

/* Also into a search that has continued and grown. */
TEST(loading_goes_back) {
  const elastica_cmaes_def def = restarting(0);
  size_t size;
  elastica_cmaes *search = make_search(&def), *other = make_search(&def);
  for (int g = 0; g < 10; g++) search_once(search, rastrigin);
  unsigned char *bytes = save(search, &size);
  const elastica_cmaes_info end = search_all(search, rastrigin);
  must_search(search, elastica_cmaes_load(search, bytes, size));
  must_search(other, elastica_cmaes_load(other, bytes, size));
  assert_same(search, other);
  const elastica_cmaes_info again = search_all(search, rastrigin);
  assert_true(again.best == end.best && again.evaluations == end.evaluations);
  elastica_cmaes_destroy(search);
  elastica_cmaes_destroy(other);
  free(bytes);
}

/* Limits, target and tolerances are not part of the state: a loaded search may continue although the saved one had stopped. */
TEST(limits_may_differ) {
  elastica_cmaes_def def = restarting(0);
  size_t size;
  def.generation_limit = 5;
  elastica_cmaes *search = make_search(&def);
  search_all(search, sphere);
  unsigned char *bytes = save(search, &size);
  def.generation_limit = 0;
  def.target = 1e-8;
  elastica_cmaes *other = make_search(&def);
  must_search(other, elastica_cmaes_load(other, bytes, size));
  assert_int_equal(search_info(other).stop, ELASTICA_STOP_GENERATIONS);
  search_once(other, sphere);
  assert_int_equal(search_all(other, sphere).stop, ELASTICA_STOP_TARGET);
  elastica_cmaes_destroy(search);
  elastica_cmaes_destroy(other);
  free(bytes);
}

static void refuse_of(const elastica_cmaes_def *def, const unsigned char *bytes, size_t size, elastica_status expected, const char *says) {
  elastica_cmaes *search = make_search(def), *untouched = make_search(def);
  assert_int_equal(elastica_cmaes_load(search, bytes, size), expected);
  if (strstr(elastica_cmaes_message(search), says) == NULL) fail_msg("\"%s\" does not say \"%s\"", elastica_cmaes_message(search), says);
  assert_same(search, untouched);
  elastica_cmaes_destroy(search);
  elastica_cmaes_destroy(untouched);
}

TEST(the_difference_is_named) {
  const double other_bound[3] = {-2.0, -2.0, -3.0};
  elastica_cmaes_def def = restarting(0);
  size_t size;
  elastica_cmaes *search = make_search(&def);
  search_once(search, sphere);
  unsigned char *bytes = save(search, &size);
  const elastica_cmaes_def same = def;
  def.seed = 2, refuse_of(&def, bytes, size, ELASTICA_INVALID_ARGUMENT, "seed"), def = same;
  def.active = 0, refuse_of(&def, bytes, size, ELASTICA_INVALID_ARGUMENT, "active"), def = same;
  def.penalty = 1, refuse_of(&def, bytes, size, ELASTICA_INVALID_ARGUMENT, "penalty"), def = same;
  def.revision = 2023, refuse_of(&def, bytes, size, ELASTICA_INVALID_ARGUMENT, "revision"), def = same;
  def.dimension = 2, refuse_of(&def, bytes, size, ELASTICA_INVALID_ARGUMENT, "dimension"), def = same;
  def.population = 9, refuse_of(&def, bytes, size, ELASTICA_INVALID_ARGUMENT, "population"), def = same;
  def.step = 0.6, refuse_of(&def, bytes, size, ELASTICA_INVALID_ARGUMENT, "step"), def = same;
  def.lower = other_bound, refuse_of(&def, bytes, size, ELASTICA_INVALID_ARGUMENT, "bound"), def = same;
  elastica_cmaes_destroy(search);
  free(bytes);
}

/* The state is cut at any place, or any byte is changed. */
TEST(damage_is_found) {
  const elastica_cmaes_def def = restarting(1);
  size_t size;
  elastica_cmaes *search = make_search(&def);
  for (int g = 0; g < 3; g++) search_once(search, sphere);
  unsigned char *bytes = save(search, &size);
  refuse_of(&def, NULL, size, ELASTICA_INVALID_ARGUMENT, "buffer is NULL");
  refuse_of(&def, bytes, 0, ELASTICA_INVALID_ARGUMENT, "no state");
  refuse_of(&def, bytes, size - 1, ELASTICA_INVALID_ARGUMENT, "bytes");
  for (size_t k = 0; k < size; k += k < 40 ? 1 : 7) {
    bytes[k] ^= 0x10;
    refuse_of(&def, bytes, size, k >= 8 && k < 16 ? ELASTICA_WRONG_VERSION : ELASTICA_INVALID_ARGUMENT, "cmaes_load: ");
    bytes[k] ^= 0x10;
  }
  refuse_of(&def, (const unsigned char *)"this is a text, not the state of a search", 40, ELASTICA_INVALID_ARGUMENT, "no state");
  elastica_cmaes_destroy(search);
  free(bytes);
}

static uint64_t word_at(const unsigned char *bytes, size_t word) {
  uint64_t value = 0;
  for (size_t k = 0; k < 8; k++) value |= (uint64_t)bytes[8 * word + k] << 8 * k;
  return value;
}

static void put_word(unsigned char *bytes, size_t word, uint64_t value) {
  for (size_t k = 0; k < 8; k++) bytes[8 * word + k] = (unsigned char)(value >> 8 * k);
}

/* Each word in turn gets values that it may not have, and the checksum is put right. A state that is refused changes nothing; one that
 * loads has the changed word. Three of the words are named in this order: population, history, and the generation of the descent. */
TEST(wrong_words_under_a_right_checksum_are_named) {
  enum { HEAD_WORDS = 4, DEFINITION_WORDS = 7 };
  const uint64_t wrong[] = {0, 1, UINT64_C(1000001), UINT64_C(1) << 63, UINT64_C(0x7ff8000000000000)};
  const elastica_cmaes_def def = restarting(1);
  elastica_cmaes *search = make_search(&def), *other = make_search(&def);
  size_t size, size_after;
  int refused = 0;
  for (int g = 0; g < 3; g++) search_once(search, sphere);
  unsigned char *bytes = save(search, &size);
  for (size_t word = HEAD_WORDS; word < size / 8; word++)
    for (int k = 0; k < 5; k++) {
      const uint64_t right = word_at(bytes, word);
      put_word(bytes, word, wrong[k]);
      put_sum_right(bytes, size);
      unsigned char *before = save(other, &size_after);
      if (elastica_cmaes_load(other, bytes, size) == ELASTICA_OK) {
        unsigned char *loaded = save(other, &size_after);
        assert_int_equal(size_after, size);
        assert_memory_equal(loaded, bytes, size);
        free(loaded);
      } else {
        const char *says = elastica_cmaes_message(other);
        refused++;
        if (strstr(says, "cmaes_load: ") == NULL) fail_msg("word %zu: %s", word, says);
        if (word == HEAD_WORDS + DEFINITION_WORDS && wrong[k] != 1) assert_non_null(strstr(says, "damaged: population cannot be"));
        if (word == HEAD_WORDS + DEFINITION_WORDS + 1 && wrong[k] > 20000) assert_non_null(strstr(says, "damaged: history cannot be"));
        unsigned char *after = save(other, &size_after);
        assert_memory_equal(after, before, size_after);
        free(after);
      }
      free(before);
      put_word(bytes, word, right);
    }
  assert_true(refused > 100);
  elastica_cmaes_destroy(search);
  elastica_cmaes_destroy(other);
  free(bytes);
}

/* The size in the head is less than a head, no number of words, or includes a word after the last. */
TEST(wrong_sizes_under_a_right_checksum_are_refused) {
  const elastica_cmaes_def def = restarting(1);
  elastica_cmaes *search = make_search(&def);
  size_t size;
  unsigned char *bytes = save(search, &size), *longer = calloc(1, size + 8);
  assert_non_null(longer);
  memcpy(longer, bytes, size);
  put_sum_right(longer, size + 8);
  refuse_of(&def, longer, size + 8, ELASTICA_INVALID_ARGUMENT, "the state is damaged: the size cannot be");
  put_word(longer, 2, 24);
  refuse_of(&def, longer, size + 8, ELASTICA_INVALID_ARGUMENT, "the state is damaged: its size cannot be");
  put_word(longer, 2, size + 1);
  refuse_of(&def, longer, size + 8, ELASTICA_INVALID_ARGUMENT, "the state is damaged: its size cannot be");
  elastica_cmaes_destroy(search);
  free(longer);
  free(bytes);
}

/* An optimum that moves by 0.1 and falls by 1 in each generation: the search follows it for ever. Its state has the newest generations
 * only, and stops growing. */
TEST(a_search_longer_than_its_history_keeps_the_newest_generations) {
  enum { GENERATIONS = ELI_CMAES_HISTORY + 30 };
  elastica_cmaes_def def = search_def(1, 1.0);
  elastica_cmaes *search = make_search(&def);
  double x[4], fitness[4], *best = calloc(GENERATIONS, sizeof *best);
  size_t size, size_before = 0;
  assert_non_null(best);
  for (int g = 0; g < GENERATIONS; g++) {
    must_search(search, elastica_cmaes_ask(search, x, 4));
    best[g] = INFINITY;
    for (int k = 0; k < 4; k++) {
      fitness[k] = (x[k] - 0.1 * g) * (x[k] - 0.1 * g) - g;
      if (fitness[k] < best[g]) best[g] = fitness[k];
    }
    must_search(search, elastica_cmaes_tell(search, fitness));
    if (g == ELI_CMAES_HISTORY - 1) must_search(search, elastica_cmaes_save(search, NULL, 0, &size_before));
  }
  assert_int_equal(search_info(search).stop, ELASTICA_STOP_NONE);
  assert_memory_equal(search->best_history, best + GENERATIONS - ELI_CMAES_HISTORY, ELI_CMAES_HISTORY * sizeof *best);
  unsigned char *bytes = save(search, &size);
  assert_int_equal(size, size_before);
  elastica_cmaes *other = make_search(&def);
  must_search(other, elastica_cmaes_load(other, bytes, size));
  search_once(search, sphere);
  search_once(other, sphere);
  assert_same(search, other);
  elastica_cmaes_destroy(search);
  elastica_cmaes_destroy(other);
  free(bytes);
  free(best);
}

TEST(a_buffer_that_is_too_small_is_refused) {
  const elastica_cmaes_def def = restarting(0);
  elastica_cmaes *search = make_search(&def);
  unsigned char small[8];
  size_t needed = 0;
  assert_int_equal(elastica_cmaes_save(search, small, sizeof small, &needed), ELASTICA_INVALID_ARGUMENT);
  assert_non_null(strstr(elastica_cmaes_message(search), "size 8 "));
  assert_true(needed > sizeof small);
  assert_int_equal(elastica_cmaes_save(search, NULL, 0, NULL), ELASTICA_INVALID_ARGUMENT);
  elastica_cmaes_destroy(search);
}

/* ---- Memory ---- */

/* For each refused block: create returns no search, asking at a restart and loading change nothing, and the next attempt succeeds. */
TEST(memory_may_run_out_anywhere) {
  elastica_cmaes_def def = restarting(0);
  double x[400];
  size_t size;
  memory_ration ration = plenty();
  def.allocate = take_rationed;
  def.release = give_back_rationed;
  def.allocator_user = &ration;
  for (ration.refused_call = 0;; ration.refused_call++) {
    elastica_cmaes *search = NULL;
    ration.calls = 0;
    const elastica_status status = elastica_cmaes_create(&def, &search);
    if (status == ELASTICA_OK) {
      elastica_cmaes_destroy(search);
      break;
    }
    assert_int_equal(status, ELASTICA_OUT_OF_MEMORY);
    assert_null(search);
    assert_int_equal(ration.blocks, 0);
  }
  ration = plenty();
  elastica_cmaes *search = make_search(&def);
  while (search_info(search).restart == 0) search_once(search, rastrigin);
  unsigned char *bytes = save(search, &size);
  const int population = search_info(search).population;
  ration.left = 0;
  assert_int_equal(elastica_cmaes_ask(search, x, 400), ELASTICA_OUT_OF_MEMORY);
  assert_int_equal(elastica_cmaes_load(search, bytes, size), ELASTICA_OUT_OF_MEMORY);
  assert_non_null(strstr(elastica_cmaes_message(search), "memory"));
  assert_int_equal(search_info(search).population, population);
  ration.left = 10;
  must_search(search, elastica_cmaes_ask(search, x, 400));
  search_all(search, rastrigin);
  elastica_cmaes_destroy(search);
  assert_int_equal(ration.blocks, 0);
  free(bytes);
}
