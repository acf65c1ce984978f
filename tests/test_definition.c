/* Tables of fields in snapshots: every number, choice and index of a definition is restored, and the rules of the table are applied. */
#include "base/target.h"

#include "state/definition.h"
#include "support.h"

typedef struct toy_def {
  size_t struct_size;
  int node, element;
  int kind;
  double force[3];
  double period;
  const double *array;
  double (*function)(double x);
  void *user;
} toy_def;

static const eli_field fields[] = {
    ELI_FIELD(toy_def, struct_size),
    ELI_NODE(toy_def, node),
    ELI_ELEMENT(toy_def, element),
    ELI_CHOICE(toy_def, kind, 2, "none of three"),
    ELI_NUMBERS(toy_def, force, ELI_RULE_NUMBER),
    ELI_NUMBERS(toy_def, period, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
    ELI_FIELD(toy_def, array),
    ELI_FUNCTION(toy_def, function),
    ELI_USER(toy_def, user),
};
static const toy_def defaults = {.node = -1, .element = -2, .period = NAN};
static const eli_layout layout = ELI_LAYOUT("toy_def", toy_def, fields, defaults);

enum { WORDS = 8 }; /* two indices, a choice, four numbers, and a word for the function */

static const elastica_rod_view rod = {.node_count = 5, .element_count = 4};

static double twice(double x) {
  return 2.0 * x;
}

static toy_def usual(void) {
  return (toy_def){sizeof(toy_def), 4, 3, 2, {-1.5, 0.0, 1e100}, 0.25, NULL, twice, NULL};
}

static size_t write_toy(toy_def def, unsigned char bytes[100]) {
  eli_record record = eli_record_to(bytes, 100);
  eli_def_keep(&layout, &def, &rod, &record);
  assert_null(record.wrong);
  return record.at;
}

/* Reads into a definition with the functions of a world. */
static toy_def read_toy(const unsigned char *bytes, size_t size, toy_def into) {
  eli_record record = eli_record_from(ELI_RECORD_READ, bytes, size);
  eli_def_keep(&layout, &into, &rod, &record);
  assert_null(record.wrong);
  assert_int_equal(record.at, size);
  return into;
}

TEST(a_kept_definition_comes_back) {
  unsigned char bytes[100];
  double array[1] = {1.0}, user;
  const size_t size = write_toy(usual(), bytes);
  assert_int_equal(size, 8 * WORDS);
  const toy_def read = read_toy(bytes, size, (toy_def){sizeof(toy_def), 0, 0, 0, {7.0, 7.0, 7.0}, 7.0, array, twice, &user});
  const toy_def meant = usual();
  assert_true(read.node == meant.node && read.element == meant.element && read.kind == meant.kind && read.period == meant.period);
  assert_memory_equal(read.force, meant.force, sizeof read.force);
  assert_ptr_equal(read.array, array); /* pointers of the reading world remain */
  assert_true(read.function == twice && read.user == &user);
}

/* Returns the name of the field that a check of a definition's record refuses. */
static const char *refused(toy_def def, toy_def into, int *differs) {
  unsigned char bytes[100];
  const toy_def before = into;
  eli_record record = eli_record_from(ELI_RECORD_CHECK, bytes, write_toy(def, bytes));
  eli_def_keep(&layout, &into, &rod, &record);
  assert_memory_equal(&into, &before, sizeof into);
  *differs = record.differs;
  return record.wrong;
}

TEST(a_check_applies_the_rules_and_changes_nothing) {
  int differs;
  toy_def none = usual(), def = usual();
  none.function = NULL;
  assert_null(refused(def, usual(), &differs));
  assert_string_equal(refused(def, none, &differs), "function");
  assert_int_equal(differs, 1);
  def.period = -0.25;
  assert_string_equal(refused(def, usual(), &differs), "period");
  assert_int_equal(differs, 0);
  def.period = (double)NAN; /* optional for a caller, but set in an effect */
  assert_string_equal(refused(def, usual(), &differs), "period");
  def = usual();
  def.force[2] = 1e200;
  assert_string_equal(refused(def, usual(), &differs), "force");
  def = usual();
  def.kind = 3;
  assert_string_equal(refused(def, usual(), &differs), "kind");
  def = usual();
  def.node = 5;
  assert_string_equal(refused(def, usual(), &differs), "node");
  def = usual();
  def.element = -1;
  assert_string_equal(refused(def, usual(), &differs), "element");
}

TEST(indices_are_counted_from_either_end) {
  elastica_world *world = make_world(NULL);
  toy_def def;
  must(world, eli_def_read(world, &layout, &def, NULL));
  must(world, eli_def_resolve(world, "add_toy", &layout, &rod, &def));
  assert_int_equal(def.node, 4);
  assert_int_equal(def.element, 2);
  def.element = 4;
  assert_status(world, eli_def_resolve(world, "add_toy", &layout, &rod, &def), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "add_toy", "element 4", "0..3");
  elastica_world_destroy(world);
}

TEST(the_function_is_found_by_the_table) {
  double first, second;
  toy_def def = usual();
  eli_function of;
  def.user = &first;
  eli_def_function(&layout, &def, &of, 0);
  assert_true(of.function == (void (*)(void))twice && of.drive == NULL && of.user == &first);
  of = (eli_function){NULL, NULL, &second};
  eli_def_function(&layout, &def, &of, 1);
  assert_true(def.function == NULL && def.user == &second);
}
