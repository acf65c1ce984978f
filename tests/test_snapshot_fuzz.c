/* Mutated snapshots, with a fixed seed: for any bytes, loading succeeds completely or is refused with a sentence and changes nothing. A
 * mutation with a corrected checksum reaches the checks behind it; a world loaded from it can take steps. Run under the sanitizers, too.
 */
#include "base/target.h"

#include "restarts.h"
#include "snapshot_sum.h"

static const double dt = 0x1p-14;

static elastica_world *build(void) {
  elastica_world *world = make_world(NULL);
  fill_snake(world);
  fill_swimmers(world);
  fill_hairpin(world);
  fill_wanderers(world);
  elastica_rod *rod = add_usual_rod(world);
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  DEFAULTS(node_mass, mass);
  DEFAULTS(point_load, load);
  mass.mass = 0.1;
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
  must(world, elastica_add_node_mass(world, rod, &mass, NULL));
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  return world;
}

/* Numbers that checks tend to miss. */
static uint64_t nasty_word(random_source *source) {
  static const uint64_t words[] = {0,
                                   1,
                                   UINT64_MAX,
                                   UINT64_MAX - 1,
                                   UINT64_C(0x7fffffffffffffff),
                                   UINT64_C(0x8000000000000000),
                                   UINT64_C(0x7ff8000000000000),
                                   UINT64_C(0x7ff0000000000000),
                                   UINT64_C(0x7fefffffffffffff),
                                   UINT64_C(0x80000000),
                                   UINT64_C(0x7fffffff),
                                   0x10000};
  const int k = random_integer(source, 0, 15);
  return k < 12 ? words[k] : random_bits(source) >> random_integer(source, 0, 63);
}

/* Changes bits or whole words, moves words, or shortens or lengthens the end. Returns the new size, of whole words. */
static size_t mutate(random_source *source, unsigned char *bytes, size_t size, size_t room) {
  const int count = random_integer(source, 1, 4);
  for (int m = 0; m < count; m++) {
    const size_t words = size / ELI_WORD;
    /* the first part holds the format of the rest */
    const int limit = random_integer(source, 0, 1) ? (int)words - 1 : words > 300 ? 300 : (int)words - 1;
    const size_t at = (size_t)random_integer(source, 0, limit) * ELI_WORD;
    const uint64_t word = nasty_word(source);
    switch (random_integer(source, 0, 5)) {
    case 0: bytes[at + (size_t)random_integer(source, 0, 7)] ^= (unsigned char)(1 << random_integer(source, 0, 7)); break;
    case 1:
    case 2:
      for (int k = 0; k < 8; k++) bytes[at + (size_t)k] = (unsigned char)(word >> 8 * k);
      break;
    case 3: memmove(bytes + at, bytes + (size_t)random_integer(source, 0, (int)words - 1) * ELI_WORD, ELI_WORD); break;
    case 4:
      if (random_integer(source, 0, 3) == 0) size = at;
      break;
    default:
      if (random_integer(source, 0, 3) == 0 && size + ELI_WORD <= room) size += ELI_WORD;
    }
    if (size < ELI_WORD) break;
  }
  return size;
}

static void claim_whole_or_nothing(elastica_world *world, const unsigned char *bytes, size_t size) {
  const uint64_t before = hash_course(world);
  unsigned char *copy = malloc(size > 0 ? size : 1); /* exactly as large, so that reading behind the end is detected */
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  const elastica_status status = elastica_world_snapshot_load(world, copy, size);
  free(copy);
  if (status == ELASTICA_OK) {
    ignore(elastica_world_step(world, dt, 2));
    return;
  }
  if (status != ELASTICA_INVALID_ARGUMENT && status != ELASTICA_WRONG_VERSION && status != ELASTICA_CALLBACK_FAILED)
    fail_msg("status %s", elastica_status_text(status));
  assert_says(elastica_world_message(world), "snapshot_load");
  if (hash_course(world) != before) fail_msg("changed though refused: %s", elastica_world_message(world));
}

static void claim_of_mutations(int count, int right, uint64_t seed) {
  random_source source = {seed};
  elastica_world *world = build();
  must(world, elastica_world_step(world, dt, 21));
  snapshot s = take_snapshot(world);
  const size_t room = s.size + 64;
  unsigned char *bytes = calloc(1, room);
  assert_non_null(bytes);
  for (int k = 0; k < count; k++) {
    memcpy(bytes, s.bytes, s.size);
    const size_t size = mutate(&source, bytes, s.size, room);
    if (right) put_sum_right(bytes, size);
    claim_whole_or_nothing(world, bytes, size);
    must(world, load_snapshot(world, &s)); /* restores the state after any load */
  }
  must(world, elastica_world_step(world, dt, 21));
  const uint64_t after = hash_course(world);
  elastica_world_destroy(world);

  world = build();
  must(world, elastica_world_step(world, dt, 42));
  assert_true(hash_course(world) == after);
  elastica_world_destroy(world);
  free(bytes);
  free(s.bytes);
}

TEST(mutated_snapshots_are_refused) {
  claim_of_mutations(rounds(2000), 0, 11);
}

TEST(mutated_snapshots_with_a_right_checksum_do_no_harm) {
  claim_of_mutations(rounds(3000), 1, 12);
}

/* Each word in turn is the largest signed number, whose sum with another overflows. */
TEST(the_largest_number_in_any_place_does_no_harm) {
  static const unsigned char largest[ELI_WORD] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};
  elastica_world *world = build();
  must(world, elastica_world_step(world, dt, 3));
  snapshot s = take_snapshot(world);
  unsigned char *bytes = malloc(s.size);
  assert_non_null(bytes);
  for (size_t at = ELI_SNAPSHOT_HEAD; at < s.size; at += ELI_WORD) {
    memcpy(bytes, s.bytes, s.size);
    memcpy(bytes + at, largest, sizeof largest);
    put_sum_right(bytes, s.size);
    claim_whole_or_nothing(world, bytes, s.size);
    must(world, load_snapshot(world, &s));
  }
  elastica_world_destroy(world);
  free(bytes), free(s.bytes);
}
