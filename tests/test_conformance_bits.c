/* Every effect of the library (see conformance.h) gives the same bits on any number of threads, in tiles of any size, on every
 * instruction set and in any order of rods. One effect acts on all rods if possible. Also run under the thread sanitizer, which detects
 * an effect that is wrongly declared parallel_safe.
 */
#include "base/target.h"

#include "conformance_table.h"
#include "threads.h"

enum { RODS = 10, STEPS = 20 };

typedef struct variant {
  int workers;
  size_t tile_size; /* 0: the default */
  elastica_instruction_set instruction_set;
  int backwards; /* rods are added in reverse order */
} variant;

static const variant usual = {1, 0, ELASTICA_INSTRUCTION_SET_AUTO, 0};

/* Returns the bits of all rods, each by itself; 0 if the processor lacks the instruction set. */
static uint64_t run(const effect_row *row, const variant *v) {
  elastica_world_def def = default_world();
  elastica_world *world = NULL;
  elastica_rod *rods[RODS];
  uint64_t hash = hash_start();
  def.worker_count = v->workers;
  def.instruction_set = v->instruction_set;
  if (v->tile_size) def.tile_size = v->tile_size;
  const elastica_status status = elastica_world_create(&def, &world);
  if (status == ELASTICA_INVALID_ARGUMENT && v->instruction_set > ELASTICA_INSTRUCTION_SET_BASE) return 0;
  must(world, status);
  share_all_work(world);
  for (int k = 0; k < RODS; k++) {
    const int r = v->backwards ? RODS - 1 - k : k, closed = takes(row, 1) && r % 3 == 2;
    rods[r] = add_row_rod(row, world, closed, (uint64_t)r);
    if (!(row->is & EVERY_ROD)) add_effect_of(row, world, rods[r], 1.0);
  }
  if (row->is & EVERY_ROD) add_effect_of(row, world, NULL, 1.0);
  must(world, elastica_world_step(world, 0x1p-14, STEPS));
  for (int r = 0; r < RODS; r++) hash = hash_rod(hash, rods[r]);
  elastica_world_destroy(world);
  return hash;
}

static void claim_same(const effect_row *row, uint64_t expected, const variant *v) {
  const uint64_t hash = run(row, v);
  if (hash == 0 || hash == expected) return;
  fail_msg("%s (%s): other bits with %d workers, tiles of %zu, instruction set %d, rods %s", row->name, row->kind, v->workers, v->tile_size,
           (int)v->instruction_set, v->backwards ? "backwards" : "forwards");
}

TEST(bits_depend_on_nothing_but_the_scene) {
  static const size_t tiles[3] = {7, 64, 512};
  for (int k = 0; k < EFFECT_ROWS; k++) {
    const uint64_t expected = run(&effect_rows[k], &usual);
    variant v = usual;
    for (v.workers = 1; v.workers <= 4; v.workers++)
      for (int t = 0; t < 3; t++) {
        v.tile_size = tiles[t];
        claim_same(&effect_rows[k], expected, &v);
      }
    v = usual;
    for (int set = ELASTICA_INSTRUCTION_SET_BASE; set <= ELASTICA_INSTRUCTION_SET_FMA; set++) {
      v.instruction_set = (elastica_instruction_set)set;
      claim_same(&effect_rows[k], expected, &v);
    }
    v = usual;
    v.backwards = 1;
    claim_same(&effect_rows[k], expected, &v);
  }
}
