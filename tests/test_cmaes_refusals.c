/* Claims about refusals of a search and their sentences. */
#include "base/target.h"

#include "searching.h"

static void assert_create_refused(const elastica_cmaes_def *def, const char *field, const char *trouble) {
  char message[200] = "";
  elastica_cmaes_def copy = *def;
  elastica_cmaes *search = (elastica_cmaes *)(void *)message;
  copy.message = message;
  copy.message_size = sizeof message;
  assert_int_equal(elastica_cmaes_create(&copy, &search), ELASTICA_INVALID_ARGUMENT);
  assert_null(search);
  if (strstr(message, field) == NULL || strstr(message, trouble) == NULL) fail_msg("\"%s\" does not say %s, %s", message, field, trouble);
}

#define REFUSED(assignment, field, trouble)                                                                                                \
  do {                                                                                                                                     \
    elastica_cmaes_def def = good;                                                                                                         \
    def.assignment;                                                                                                                        \
    assert_create_refused(&def, "cmaes_def." field, trouble);                                                                              \
  } while (0)

TEST(wrong_fields_are_named_with_their_values) {
  const elastica_cmaes_def good = search_def(3, 0.5);
  const double not_a_number[3] = {0.0, 0.0, NAN}, large[3] = {0.0, 1e200, 0.0}, negative[3] = {1.0, 1.0, -2.0}, zero[3] = {1.0, 0.0, 1.0};
  const double two[3] = {2.0, 2.0, 2.0}, empty[3] = {-INFINITY, 5.0, INFINITY};
  REFUSED(dimension = 0, "dimension", "outside 1..10000: 0");
  REFUSED(dimension = 10001, "dimension", "10001");
  REFUSED(step = NAN, "step", "is not set");
  REFUSED(step = 0.0, "step", "not positive: 0");
  REFUSED(step = INFINITY, "step", "not finite");
  REFUSED(step = 1e-200, "step", "too small: 1e-200");
  REFUSED(start = not_a_number, "start[2]", "not finite");
  REFUSED(start = large, "start[1]", "too large: 1e+200");
  REFUSED(scale = negative, "scale[2]", "not positive: -2");
  REFUSED(scale = zero, "scale[1]", "not positive: 0");
  REFUSED(lower = not_a_number, "lower[2]", "not a number");
  REFUSED(upper = not_a_number, "upper[2]", "not a number");
  REFUSED(upper = negative, "start[2]", "outside of its bounds: 0");
  REFUSED(lower = two, "start[0]", "outside of its bounds: 0");
  REFUSED(lower = two; def.upper = two, "lower[0]", "not below upper: 2");
  REFUSED(lower = empty; def.upper = two, "lower[1]", "not below upper: 5");
  REFUSED(penalty = 2, "penalty", "2");
  REFUSED(population = 1, "population", "outside 2..1000000: 1");
  REFUSED(population = -5, "population", "-5");
  REFUSED(active = -1, "active", "-1");
  REFUSED(revision = 2017, "revision", "2017");
  REFUSED(restart_limit = -1, "restart_limit", "negative: -1");
  REFUSED(growth = 0.5, "growth", "0.5");
  REFUSED(growth = NAN, "growth", "outside");
  REFUSED(target = NAN, "target", "not a number");
  REFUSED(evaluation_limit = -1, "evaluation_limit", "negative: -1");
  REFUSED(generation_limit = -2, "generation_limit", "negative: -2");
  REFUSED(stall_generations = -3, "stall_generations", "negative: -3");
  REFUSED(stall_gain = -1.0, "stall_gain", "negative: -1");
  REFUSED(stall_gain = INFINITY, "stall_gain", "not finite");
  REFUSED(fitness_tolerance = -1.0, "fitness_tolerance", "negative: -1");
  REFUSED(step_tolerance = NAN, "step_tolerance", "not finite");
  REFUSED(release = (void (*)(void *, void *))0;
          def.allocate = (void *(*)(void *, size_t))(void (*)(void))wrong_fields_are_named_with_their_values, "allocate", "both");
}

/* A definition of another size: the sentence reaches the message of a larger definition, and no message is needed. */
TEST(an_unknown_definition_is_refused) {
  char message[200] = "";
  elastica_cmaes_def def = search_def(3, 0.5);
  elastica_cmaes *search = NULL;
  def.message = message, def.message_size = sizeof message;
  for (int larger = 0; larger < 2; larger++) {
    def.struct_size = larger ? sizeof def + 8 : 1;
    message[0] = '\0';
    assert_int_equal(elastica_cmaes_create(&def, &search), ELASTICA_WRONG_VERSION);
    assert_null(search);
    assert_int_equal(strstr(message, "cmaes_def.struct_size") != NULL, larger);
  }
  def.message_size = 0;
  message[0] = 'x';
  assert_int_equal(elastica_cmaes_create(&def, &search), ELASTICA_WRONG_VERSION);
  assert_int_equal(message[0], 'x');
  def.message = NULL;
  assert_int_equal(elastica_cmaes_create(&def, &search), ELASTICA_WRONG_VERSION);
}

/* None of these calls does harm. */
TEST(nothing_is_allowed_to_be_null) {
  double x[3 * 7], f[7] = {0.0};
  elastica_cmaes_info info;
  const elastica_cmaes_def def = search_def(3, 0.5);
  elastica_cmaes *search = make_search(&def);
  assert_int_equal(elastica_cmaes_load(search, NULL, sizeof x), ELASTICA_INVALID_ARGUMENT);
  assert_string_equal(elastica_cmaes_message(search), "cmaes_load: buffer is NULL");
  elastica_cmaes_destroy(search);
  assert_int_equal(elastica_cmaes_create(&def, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_cmaes_create(NULL, &search), ELASTICA_INVALID_ARGUMENT);
  assert_null(search);
  assert_int_equal(elastica_cmaes_ask(NULL, x, 21), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_cmaes_tell(NULL, f), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_cmaes_get(NULL, &info), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_cmaes_save(NULL, x, sizeof x, NULL), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_cmaes_load(NULL, x, sizeof x), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_cmaes_message(NULL), "no search", "elastica_cmaes_create", "elastica_cmaes_def.message");
  elastica_cmaes_destroy(NULL);
  elastica_cmaes_def_init(NULL, sizeof def);
}

TEST(refused_calls_say_why_and_change_nothing) {
  double x[3 * 7], again[3 * 7], f[7] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
  const elastica_cmaes_def def = search_def(3, 0.5);
  elastica_cmaes *search = make_search(&def);
  assert_string_equal(elastica_cmaes_message(search), "");
  assert_int_equal(elastica_cmaes_tell(search, f), ELASTICA_WRONG_STATE);
  assert_non_null(strstr(elastica_cmaes_message(search), "not asked for"));
  assert_int_equal(elastica_cmaes_ask(search, NULL, 21), ELASTICA_INVALID_ARGUMENT);
  assert_non_null(strstr(elastica_cmaes_message(search), "x is NULL"));
  assert_int_equal(elastica_cmaes_ask(search, x, 20), ELASTICA_INVALID_ARGUMENT);
  assert_non_null(strstr(elastica_cmaes_message(search), "capacity 20 is less than 21"));
  assert_int_equal(elastica_cmaes_get(search, NULL), ELASTICA_INVALID_ARGUMENT);
  must_search(search, elastica_cmaes_ask(search, x, 21));
  assert_int_equal(elastica_cmaes_tell(search, NULL), ELASTICA_INVALID_ARGUMENT);
  f[3] = NAN;
  assert_int_equal(elastica_cmaes_tell(search, f), ELASTICA_INVALID_ARGUMENT);
  assert_non_null(strstr(elastica_cmaes_message(search), "fitness[3] is not a number"));
  f[3] = -INFINITY;
  assert_int_equal(elastica_cmaes_tell(search, f), ELASTICA_INVALID_ARGUMENT);
  assert_non_null(strstr(elastica_cmaes_message(search), "fitness[3] is minus infinity"));
  must_search(search, elastica_cmaes_ask(search, again, 21));
  assert_memory_equal(x, again, sizeof x);
  assert_int_equal(search_info(search).generation, 0);
  f[3] = INFINITY;
  must_search(search, elastica_cmaes_tell(search, f));
  assert_int_equal(elastica_cmaes_tell(search, f), ELASTICA_WRONG_STATE);
  assert_int_equal(search_info(search).failed, 1);
  elastica_cmaes_destroy(search);
}

/* One dimension, two candidates, and the largest finite fitness. */
TEST(small_and_extreme_searches_work) {
  for (int dimension = 1; dimension <= 3; dimension++)
    for (int population = 2; population <= 5; population++) {
      double x[15], f[5];
      elastica_cmaes_def def = search_def(dimension, 1.0);
      def.population = population;
      elastica_cmaes *search = make_search(&def);
      for (int g = 0; g < 300; g++) {
        must_search(search, elastica_cmaes_ask(search, x, 15));
        for (int k = 0; k < population; k++) {
          f[k] = k % 2 ? 1e308 : -1e308;
          for (int i = 0; i < dimension; i++) assert_true(isfinite(x[dimension * k + i]));
        }
        if (g > 5)
          for (int k = 0; k < population; k++) f[k] = sphere(x + dimension * k, dimension);
        must_search(search, elastica_cmaes_tell(search, f));
      }
      elastica_cmaes_destroy(search);
    }
}
