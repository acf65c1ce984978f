/* Claims about prepare hooks: their status, their sentence and the message of the world. */
#include "base/target.h"

#include "support.h"

typedef struct talker {
  elastica_world *world;
  const char *words; /* NULL: silent */
  elastica_status status;
} talker;

static elastica_status talk(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  const talker *by = self;
  (void)rod, (void)preparation;
  if (by->words != NULL) elastica_world_refuse(by->world, by->status, "%s", by->words);
  return by->status;
}

/* A world of two rods with a module that writes this sentence. */
static elastica_world *make_talk(const char *words, elastica_status status) {
  elastica_world *world = make_world(NULL);
  const talker by = {world, words, status};
  for (int r = 0; r < 2; r++) add_straight_rod(world, 5, 1.0, 0.1, 1000.0, 1e6, 4e5);
  elastica_module module = module_named("talker");
  module.self = &by;
  module.self_size = sizeof by;
  module.prepare = talk;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  return world;
}

TEST(a_prepare_hook_that_succeeds_leaves_the_message_alone) {
  const char *const words[] = {NULL, "", "a", "just chatting", "longer than the sentence about the step that was refused before, by far"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    elastica_world *world = make_talk(words[k], ELASTICA_OK);
    assert_refused(world, elastica_world_step(world, -1.0, 1), ELASTICA_INVALID_ARGUMENT, "step", "dt = -1", "not positive");
    const kept_message before = keep_message(world);
    must(world, elastica_world_step(world, 1e-5, 1));
    assert_message(world, before.text);
    elastica_world_destroy(world);
  }
}

TEST(a_world_that_refused_nothing_has_no_message) {
  elastica_world *world = make_talk("just chatting", ELASTICA_OK);
  must(world, elastica_world_step(world, 1e-5, 1));
  assert_message(world, "");
  elastica_world_destroy(world);
}

TEST(a_refusal_keeps_the_sentence_of_its_hook) {
  elastica_world *world = make_talk("not in this light", ELASTICA_INVALID_ARGUMENT);
  assert_refused(world, elastica_world_step(world, 1e-5, 1), ELASTICA_INVALID_ARGUMENT, "effect 0 \"talker\"", "not in this light");
  elastica_world_destroy(world);
  world = make_talk(NULL, ELASTICA_INVALID_ARGUMENT);
  assert_refused(world, elastica_world_step(world, -1.0, 1), ELASTICA_INVALID_ARGUMENT, "step", "dt = -1", "not positive");
  assert_refused(world, elastica_world_step(world, 1e-5, 1), ELASTICA_CALLBACK_FAILED, "effect 0 \"talker\"", "prepare", "INVALID_ARGUMENT",
                 "rod 0");
  elastica_world_destroy(world);
}

static elastica_status have_no_memory(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  (void)self, (void)rod, (void)preparation;
  return ELASTICA_OUT_OF_MEMORY;
}

TEST(a_prepare_hook_without_memory_refuses_as_such) {
  elastica_world *world = make_world(NULL);
  elastica_step_limit limit;
  add_straight_rod(world, 4, 1.0, 0.02, 1000.0, 1e6, 4e5);
  elastica_module module = module_named("poor");
  module.prepare = have_no_memory;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  assert_status(world, elastica_world_step_limit(world, &limit), ELASTICA_OUT_OF_MEMORY);
  assert_says(elastica_world_message(world), "poor");
  elastica_world_destroy(world);
}
