/* Every effect of the library (see conformance.h) with an allocator that fails after one, two, three blocks: the call is refused with a
 * sentence, nothing is changed or lost, and the same call succeeds later.
 */
#include "base/target.h"

#include "conformance_table.h"
#include "rationed_memory.h"

enum { RODS = 3, MOST_BLOCKS = 60 };

typedef struct scene {
  const effect_row *row;
  elastica_world *world;
  elastica_rod *rods[RODS];
  elastica_effect *effect;
  void *def;
  memory_ration memory;
} scene;

typedef elastica_status (*request)(scene *s);

static void make_scene(scene *s, const effect_row *row) {
  memset(s, 0, sizeof *s);
  s->row = row;
  s->memory = plenty();
  s->world = make_rationed_world(&s->memory);
  for (int r = 0; r < RODS; r++) s->rods[r] = add_row_rod(row, s->world, takes(row, 1) && r == 1, (uint64_t)r);
  s->def = make_def(row, s->rods[0], 1.0);
}

static uint64_t finish(scene *s) {
  must(s->world, elastica_world_step(s->world, 0x1p-14, 3));
  const uint64_t hash = hash_world(s->world);
  elastica_world_destroy(s->world);
  free(s->def);
  assert_int_equal(s->memory.blocks, 0);
  return hash;
}

static elastica_status add_it(scene *s) {
  s->effect = (elastica_effect *)s->world; /* something */
  const elastica_status status = s->row->add(s->world, s->row->is & EVERY_ROD ? NULL : s->rods[0], s->def, &s->effect);
  if (status != ELASTICA_OK) assert_null(s->effect);
  assert_int_equal(elastica_world_get(s->world).effect_count, status == ELASTICA_OK);
  return status;
}

static elastica_status set_it(scene *s) {
  return s->row->set(s->effect, s->def);
}

static elastica_status step_it(scene *s) {
  return elastica_world_step(s->world, 0x1p-14, 1);
}

static elastica_status ask_for_limit(scene *s) {
  elastica_step_limit limit;
  return elastica_world_step_limit(s->world, &limit);
}

static elastica_status ask_for_energy(scene *s) {
  elastica_totals energy;
  return elastica_world_get_totals(s->world, &energy);
}

/* Repeats the request until it succeeds. */
static void claim_patience(scene *s, request ask, const char *what) {
  const uint64_t before = hash_world(s->world);
  for (long allowed = 0; allowed < MOST_BLOCKS; allowed++) {
    s->memory.left = allowed;
    const elastica_status status = ask(s);
    s->memory.left = LONG_MAX;
    if (status == ELASTICA_OK) return;
    if (status != ELASTICA_OUT_OF_MEMORY || elastica_world_message(s->world)[0] == '\0' || hash_world(s->world) != before)
      fail_msg("%s (%s): %s with %ld blocks: %s \"%s\"", s->row->name, s->row->kind, what, allowed, elastica_status_text(status),
               elastica_world_message(s->world));
  }
  fail_msg("%s (%s): %s with %d blocks is still refused", s->row->name, s->row->kind, what, MOST_BLOCKS);
}

TEST(a_call_without_memory_changes_nothing) {
  static const struct {
    request ask;
    const char *what;
  } requests[] = {{set_it, "set"}, {ask_for_limit, "step_limit"}, {step_it, "step"}, {set_it, "set"}, {ask_for_energy, "energy"}};
  for (int k = 0; k < EFFECT_ROWS; k++) {
    scene s, rich;
    make_scene(&s, &effect_rows[k]);
    claim_patience(&s, add_it, "add");
    make_scene(&rich, &effect_rows[k]);
    must(rich.world, add_it(&rich));
    for (size_t r = 0; r < sizeof requests / sizeof *requests; r++) {
      claim_patience(&s, requests[r].ask, requests[r].what);
      must(rich.world, requests[r].ask(&rich));
    }
    if (finish(&s) != finish(&rich)) fail_msg("%s (%s): a refused call has a later effect", effect_rows[k].name, effect_rows[k].kind);
  }
}

/* A refused effect does not act. */
TEST(a_refused_effect_does_not_act) {
  for (int k = 0; k < EFFECT_ROWS; k++)
    for (long allowed = 0; allowed < MOST_BLOCKS; allowed++) {
      scene s, without;
      make_scene(&s, &effect_rows[k]);
      make_scene(&without, &effect_rows[k]);
      s.memory.left = allowed;
      const elastica_status status = add_it(&s);
      s.memory.left = LONG_MAX;
      const uint64_t hash = finish(&s), expected = finish(&without);
      if (status == ELASTICA_OK) break;
      if (hash != expected) fail_msg("%s (%s): it acts though refused", effect_rows[k].name, effect_rows[k].kind);
    }
}
