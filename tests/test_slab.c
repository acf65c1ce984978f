/* Claims about the places of rods in memory. */
#include "base/target.h"

#include "support.h"

#include <limits.h>

/* Elements of the next rod or ring, and its slots. */
typedef struct sizes {
  const char *name;
  int element_count, closed, spread; /* element_count .. element_count + spread */
} sizes;

static int elements_of(const sizes *of, int k) {
  return of->element_count + (of->spread > 0 ? (7 * k) % (of->spread + 1) : 0);
}

static void add_one(elastica_world *world, const sizes *of, int k) {
  DEFAULTS(rod, def);
  double position[3 * 40];
  def.element_count = elements_of(of, k);
  def.length = 1.0;
  def.radius = 0.01;
  def.density = 1000.0;
  def.youngs_modulus = 1e6;
  def.closed = of->closed;
  for (int i = 0; of->closed && i < def.element_count; i++) {
    const double angle = 2.0 * 3.14159265358979324 * i / def.element_count;
    set_vector(position, i, cos(angle), sin(angle), 0.0);
  }
  if (of->closed) def.position = position;
  must(world, elastica_world_add_rod(world, &def, NULL));
}

/* The number of times that lanes move while rods with exactly the reserved slots are added. */
static int moves(const sizes *of, int rods, size_t tile_size) {
  elastica_world_def def = default_world();
  def.tile_size = tile_size;
  for (int k = 0; k < rods; k++) def.slot_capacity += (size_t)elements_of(of, k) + (of->closed ? 2 : 1);
  elastica_world *world = make_world(&def);
  const double *lane = NULL;
  int count = 0;
  for (int k = 0; k < rods; k++) {
    add_one(world, of, k);
    const double *now = elastica_rod_get_view(elastica_world_rod(world, 0))->position[0];
    count += k > 0 && now != lane;
    lane = now;
  }
  elastica_world_destroy(world);
  return count;
}

TEST(lanes_stay_while_rods_fill_the_reserve) {
  const sizes of[] = {{"one element", 1, 0, 0}, {"six nodes", 5, 0, 0}, {"one block", 7, 0, 0},   {"over a block", 8, 0, 0},
                      {"small rings", 5, 1, 0}, {"mixed", 1, 0, 30},    {"mixed rings", 6, 1, 20}};
  const size_t tile_sizes[] = {1, 7, 8, 9, 64, 256, 5000};
  const int rods[] = {1, 2, 3, 10, 57};
  for (size_t s = 0; s < sizeof of / sizeof *of; s++)
    for (size_t t = 0; t < sizeof tile_sizes / sizeof *tile_sizes; t++)
      for (size_t r = 0; r < sizeof rods / sizeof *rods; r++)
        if (moves(&of[s], rods[r], tile_sizes[t]) != 0)
          fail_msg("lanes of %d rods (%s) moved, tile size %zu", rods[r], of[s].name, tile_sizes[t]);
}

TEST(more_slots_than_there_is_memory_are_refused) {
  const size_t counts[] = {SIZE_MAX, SIZE_MAX - 7, SIZE_MAX / 2, SIZE_MAX / 16, SIZE_MAX / 128, SIZE_MAX / 4096};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    elastica_world_def def = default_world();
    elastica_world *world = NULL;
    char said[300], number[60];
    snprintf(number, sizeof number, "world_def.slot_capacity = %zu slots", counts[k]);
    def.slot_capacity = counts[k];
    def.message = said, def.message_size = sizeof said;
    assert_status(NULL, elastica_world_create(&def, &world), ELASTICA_OUT_OF_MEMORY);
    assert_null(world);
    assert_says(said, number, "no memory", "bytes");
    def.tile_size = 1;
    assert_status(NULL, elastica_world_create(&def, &world), ELASTICA_OUT_OF_MEMORY);
    def.tile_size = INT_MAX;
    assert_status(NULL, elastica_world_create(&def, &world), ELASTICA_OUT_OF_MEMORY);
  }
}

/* Such a number of slots is a mistake: -1, or bytes. */
TEST(a_tile_of_more_slots_than_a_rod_can_have_is_refused) {
  const size_t wrong[] = {0, (size_t)INT_MAX + 1, SIZE_MAX};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    elastica_world_def def = default_world();
    elastica_world *world = NULL;
    char said[300], number[60];
    snprintf(number, sizeof number, "world_def.tile_size is %zu", wrong[k]);
    def.tile_size = wrong[k];
    def.message = said, def.message_size = sizeof said;
    assert_status(NULL, elastica_world_create(&def, &world), ELASTICA_INVALID_ARGUMENT);
    assert_says(said, number, "1..2147483647");
  }
}
