/* Compression: a reader that follows the standard restores the same bytes, and regular data is compressed well. */
#include "base/target.h"

#include "inflate.h"
#include "rationed_memory.h"

#include "output/deflate.h"

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

/* Packs and unpacks data; returns the size of the packed stream. */
static size_t assert_returns(const unsigned char *data, size_t size) {
  const eli_allocator allocator = eli_allocator_default();
  eli_bytes packed = eli_bytes_make(&allocator);
  size_t count;
  eli_deflate(&packed, data, size);
  assert_false(packed.failed);
  unsigned char *unpacked = inflate(packed.data, packed.count, &count);
  assert_int_equal(count, size);
  if (size > 0) assert_memory_equal(unpacked, data, size);
  const size_t packed_size = packed.count;
  free(unpacked);
  eli_bytes_free(&packed);
  return packed_size;
}

enum { MOST = 400000 };

TEST(every_size_returns) {
  unsigned char data[700];
  uint64_t random = 1;
  for (size_t k = 0; k < sizeof data; k++) data[k] = (unsigned char)(next_random(&random) % 5);
  for (size_t size = 0; size <= sizeof data; size++) assert_returns(data, size);
}

/* From bytes of one kind to all 256, so that codes of all lengths occur. */
TEST(noise_returns_and_grows_by_little) {
  unsigned char *data = malloc(MOST);
  uint64_t random = 2;
  assert_non_null(data);
  for (unsigned kinds = 1; kinds <= 256; kinds *= 4) {
    for (size_t k = 0; k < MOST; k++) data[k] = (unsigned char)(next_random(&random) % kinds);
    assert_true(assert_returns(data, MOST) < MOST + MOST / 200);
  }
  free(data);
}

/* Frequencies that double from byte to byte require codes longer than the standard allows. */
TEST(very_uneven_bytes_return) {
  unsigned char *data = malloc(MOST);
  uint64_t random = 3;
  assert_non_null(data);
  for (size_t k = 0; k < MOST; k++) {
    unsigned char byte = 0;
    while (byte < 40 && next_random(&random) % 2 == 0) byte++;
    data[k] = (unsigned char)(byte * 5);
  }
  for (size_t k = 0; k < MOST; k += 251) data[k] = (unsigned char)(k % 256);
  assert_returns(data, MOST);
  free(data);
}

TEST(zeros_and_repetitions_get_small) {
  unsigned char *data = calloc(MOST, 1);
  assert_non_null(data);
  assert_true(assert_returns(data, MOST) < MOST / 500);
  for (size_t k = 0; k < MOST; k++) data[k] = (unsigned char)(k % 1000 % 241);
  assert_true(assert_returns(data, MOST) < MOST / 50);
  for (size_t period = 32766; period <= 32770; period++) { /* near the largest distance of a match */
    uint64_t random = 4;
    for (size_t k = 0; k < MOST; k++) data[k] = k < period ? (unsigned char)next_random(&random) : data[k - period];
    assert_returns(data, MOST);
  }
  free(data);
}

TEST(earlier_output_is_kept) {
  const eli_allocator allocator = eli_allocator_default();
  eli_bytes packed = eli_bytes_make(&allocator);
  size_t count;
  eli_bytes_text(&packed, "before");
  eli_deflate(&packed, (const unsigned char *)"abcabcabc", 9);
  assert_memory_equal(packed.data, "before", 6);
  unsigned char *unpacked = inflate(packed.data + 6, packed.count - 6, &count);
  assert_string_equal((const char *)unpacked, "abcabcabc");
  free(unpacked);
  eli_bytes_free(&packed);
}

TEST(no_memory_is_told) {
  for (long left = 0; left < 2; left++) {
    memory_ration ration = ration_of(left);
    const eli_allocator allocator = {take_rationed, give_back_rationed, &ration};
    eli_bytes packed = eli_bytes_make(&allocator);
    eli_deflate(&packed, (const unsigned char *)"abc", 3);
    assert_true(packed.failed);
    eli_bytes_free(&packed);
    assert_int_equal(ration.blocks, 0);
  }
}

/* A block, then each of its triples between other bytes, then the block again: the long match is far away, and short ones are near. */
TEST(a_long_match_far_away_is_better_than_short_ones_nearby) {
  enum { BLOCK = 300, TRIPLES = 6 * BLOCK };
  unsigned char data[BLOCK + TRIPLES + BLOCK];
  uint64_t random = 5;
  for (size_t k = 0; k < BLOCK; k++) data[k] = (unsigned char)(next_random(&random) % 128);
  for (size_t k = 0; k < TRIPLES; k++)
    data[BLOCK + k] = k % 6 < 3 ? data[(k / 6 + k % 6) % BLOCK] : (unsigned char)(128 + next_random(&random) % 128);
  memcpy(data + BLOCK + TRIPLES, data, BLOCK);
  assert_true(assert_returns(data, sizeof data) < assert_returns(data, BLOCK + TRIPLES) + 20);
}
