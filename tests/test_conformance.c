/* Every effect of the library, checked against conformance_table.h: the effect exists, has the hooks that its row states, does nothing
 * while disabled, and its set function changes no bit when it receives the present parameters.
 */
#include "base/target.h"

#include "conformance_table.h"
#include "header_text.h"

/* ---- The table is complete ----------------------------------------------------------------------------------------------------------- */

static int has_row(const char *name, size_t length) {
  for (int k = 0; k < EFFECT_ROWS; k++)
    if (strlen(effect_rows[k].name) == length && memcmp(effect_rows[k].name, name, length) == 0) return 1;
  return 0;
}

TEST(every_add_function_of_the_header_has_a_row) {
  static const char head[] = "elastica_add_";
  char *header = read_header();
  int found = 0;
  for (const char *c = header; (c = strstr(c, head)) != NULL; found++) {
    c += sizeof head - 1;
    const size_t length = strcspn(c, "(");
    if (!has_row(c, length)) fail_msg("elastica_add_%.*s has no row in conformance_table.h", (int)length, c);
  }
  assert_true(found > 0);
  free(header);
}

TEST(every_effect_of_the_table_is_in_the_header) {
  char *header = read_header();
  for (int k = 0; k < EFFECT_ROWS; k++) {
    const effect_row *row = &effect_rows[k];
    char text[2][80];
    snprintf(text[0], sizeof text[0], "elastica_status elastica_add_%s(", row->name);
    snprintf(text[1], sizeof text[1], "elastica_status elastica_%s_set(", row->name);
    for (int t = 0; t < 2; t++)
      if (strstr(header, text[t]) == NULL) fail_msg("the header has no %s)", text[t]);
  }
  free(header);
}

/* ---- Hooks and handle ---------------------------------------------------------------------------------------------------------------- */

static void claim_hook(const effect_row *row, const char *hook, int there, unsigned is) {
  const int expected = (row->is & is) == is;
  if (there != expected) fail_msg("%s (%s): %s hook %s", row->name, row->kind, hook, there ? "that its row does not name" : "is missing");
}

TEST(effects_have_the_hooks_that_their_rows_name) {
  for (int k = 0; k < EFFECT_ROWS; k++) {
    const effect_row *row = &effect_rows[k];
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_row_rod(row, world, 0, 4);
    elastica_effect *effect = add_effect_of(row, world, rod, 1.0);
    const elastica_module *module = &effect->body->module;
    claim_hook(row, "energy", module->energy != NULL, ENERGY);
    claim_hook(row, "power", module->power != NULL, POWER);
    claim_hook(row, "add_stiffness", module->add_stiffness != NULL || module->add_world_stiffness != NULL, STIFFENS);
    claim_hook(row, "add_reactions", module->add_reactions != NULL, REACTS);
    claim_hook(row, "constrain", module->constrain_position || module->constrain_velocity || module->constrain_spin, HOLDS);
    assert_string_equal(elastica_effect_get(effect).name, row->name);
    assert_ptr_equal(elastica_effect_get(effect).world, world);
    assert_ptr_equal(elastica_effect_get(effect).rod, row->is & EVERY_ROD ? NULL : rod);
    assert_int_equal(elastica_effect_get(effect).is_enabled, 1);
    assert_int_equal(module->parallel_safe, 1); /* no row has a user function */
    if (!(row->is & ENERGY)) assert_true(elastica_effect_energy(effect) == 0.0);
    if (!(row->is & POWER)) assert_true(elastica_effect_power(effect) == 0.0);
    elastica_world_destroy(world);
  }
}

/* ---- Rings --------------------------------------------------------------------------------------------------------------------------- */

TEST(effects_for_open_rods_refuse_rings) {
  for (int k = 0; k < EFFECT_ROWS; k++) {
    const effect_row *row = &effect_rows[k];
    elastica_world *world = make_world(NULL);
    elastica_rod *ring = add_row_rod(row, world, 1, 4);
    elastica_effect *effect = NULL;
    void *def = make_def(row, ring, 1.0);
    const elastica_status status = row->add(world, row->is & EVERY_ROD ? NULL : ring, def, &effect);
    const int taken = !(row->is & NO_RING);
    assert_status(world, status, taken ? ELASTICA_OK : ELASTICA_INVALID_ARGUMENT);
    if (!taken) assert_says(elastica_world_message(world), "ring");
    assert_true((effect != NULL) == taken);
    must(world, elastica_world_step(world, 1e-6, 3));
    free(def);
    elastica_world_destroy(world);
  }
}

/* ---- Disabling, and setting the present parameters ----------------------------------------------------------------------------------- */

typedef enum interlude { NOTHING, WITHOUT_EFFECT, NEVER_ON, OFF_AND_ON, SET_AGAIN } interlude;

/* Takes steps, an operation that must make no difference, and steps again. Returns the bits. */
static uint64_t run_with(const effect_row *row, int closed, interlude between) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_row_rod(row, world, closed, 4);
  void *def = make_def(row, rod, 1.0); /* before the rod has moved: some frames are taken from those of the rod */
  elastica_effect *effect = between != WITHOUT_EFFECT ? add_effect_of(row, world, rod, 1.0) : NULL;
  if (between == NEVER_ON) must(world, elastica_effect_set_enabled(effect, 0));
  const double dt = 0x1p-14;
  must(world, elastica_world_step(world, dt, 10));
  if (between == OFF_AND_ON) {
    must(world, elastica_effect_set_enabled(effect, 0));
    must(world, elastica_effect_set_enabled(effect, 1));
  }
  if (between == SET_AGAIN) must(world, row->set(effect, def));
  must(world, elastica_world_step(world, dt, 10));
  const uint64_t hash = hash_world(world);
  free(def);
  elastica_world_destroy(world);
  return hash;
}

static void claim_same_bits(const effect_row *row, int closed, interlude one, interlude other, const char *what) {
  if (run_with(row, closed, one) != run_with(row, closed, other)) fail_msg("%s: %s", label_of(row, closed), what);
}

TEST(operations_without_effect_change_no_bit) {
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (int closed = 0; closed < 2; closed++) {
      const effect_row *row = &effect_rows[k];
      if (!takes(row, closed)) continue;
      claim_same_bits(row, closed, WITHOUT_EFFECT, NEVER_ON, "it acts while it is switched off");
      claim_same_bits(row, closed, NOTHING, OFF_AND_ON, "it is another one when it is switched on again");
      claim_same_bits(row, closed, NOTHING, SET_AGAIN, "setting the present parameters changes bits");
      if (run_with(row, closed, NOTHING) == run_with(row, closed, WITHOUT_EFFECT)) fail_msg("%s: it does nothing", label_of(row, closed));
    }
}
