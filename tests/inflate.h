/* Unpacks zlib streams by RFC 1950 and 1951, without any of the library's code: codes are followed bit by bit. */
#ifndef TESTS_INFLATE_H
#define TESTS_INFLATE_H

#include "support.h"

typedef struct unpacker {
  const unsigned char *in;
  size_t size, at; /* bytes */
  int bit;
  unsigned char *out;
  size_t count, room;
} unpacker;

static inline unsigned take_bits(unpacker *u, int count) {
  unsigned value = 0;
  for (int k = 0; k < count; k++) {
    if (u->at >= u->size) fail_msg("the stream ends within a block");
    value |= (unsigned)(u->in[u->at] >> u->bit & 1) << k;
    if (++u->bit == 8) u->bit = 0, u->at++;
  }
  return value;
}

static inline void put_unpacked(unpacker *u, unsigned char byte) {
  if (u->count == u->room) {
    u->room = 2 * u->room + 64;
    u->out = realloc(u->out, u->room);
    assert_non_null(u->out);
  }
  u->out[u->count++] = byte;
}

/* Canonical codes: the number of codes of each length, and their symbols in order. */
typedef struct unpacking_code {
  int count[16], symbol[288];
} unpacking_code;

/* Browsers refuse a code that is not complete. */
static inline unpacking_code make_unpacking_code(const unsigned char *length, int symbols) {
  unpacking_code code = {{0}, {0}};
  int next[16] = {0}, left = 1;
  for (int s = 0; s < symbols; s++) code.count[length[s]]++;
  code.count[0] = 0;
  for (int bits = 1; bits < 16; bits++) {
    left = 2 * left - code.count[bits];
    assert_true(left >= 0);
    if (bits > 1) next[bits] = next[bits - 1] + code.count[bits - 1];
  }
  assert_int_equal(left, 0);
  for (int s = 0; s < symbols; s++)
    if (length[s] != 0) code.symbol[next[length[s]]++] = s;
  return code;
}

static inline int take_symbol(unpacker *u, const unpacking_code *code) {
  int value = 0, first = 0, index = 0;
  for (int bits = 1; bits < 16; bits++) {
    value |= (int)take_bits(u, 1);
    if (value - first < code->count[bits]) return code->symbol[index + value - first];
    index += code->count[bits];
    first = (first + code->count[bits]) * 2;
    value *= 2;
  }
  fail_msg("these bits are no code");
  return 0;
}

static inline void unpack_block(unpacker *u) {
  static const int order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  assert_int_equal(take_bits(u, 2), 2);
  const int literals = (int)take_bits(u, 5) + 257, distances = (int)take_bits(u, 5) + 1, lengths = (int)take_bits(u, 4) + 4;
  unsigned char length[320] = {0};
  for (int k = 0; k < lengths; k++) length[order[k]] = (unsigned char)take_bits(u, 3);
  const unpacking_code of_lengths = make_unpacking_code(length, 19);
  memset(length, 0, sizeof length);
  for (int k = 0; k < literals + distances;) {
    const int symbol = take_symbol(u, &of_lengths);
    const int repeat = symbol < 16    ? 1
                       : symbol == 16 ? 3 + (int)take_bits(u, 2)
                       : symbol == 17 ? 3 + (int)take_bits(u, 3)
                                      : 11 + (int)take_bits(u, 7);
    const unsigned char value = (unsigned char)(symbol < 16 ? symbol : symbol == 16 ? length[k - 1] : 0);
    for (int r = 0; r < repeat; r++) length[k++] = value;
  }
  const unpacking_code of_literals = make_unpacking_code(length, literals),
                       of_distances = make_unpacking_code(length + literals, distances);
  for (int symbol = take_symbol(u, &of_literals); symbol != 256; symbol = take_symbol(u, &of_literals)) {
    if (symbol < 256) {
      put_unpacked(u, (unsigned char)symbol);
      continue;
    }
    /* RFC 1951, 3.2.5 */
    const int k = symbol - 257, more = k < 8 || k == 28 ? 0 : k / 4 - 1;
    const int copied = k == 28 ? 258 : 3 + (k < 8 ? k : (4 + k % 4) << more) + (int)take_bits(u, more);
    const int d = take_symbol(u, &of_distances), further = d < 4 ? 0 : d / 2 - 1;
    const size_t back = (size_t)(1 + (d < 4 ? d : (2 + d % 2) << further)) + take_bits(u, further);
    assert_true(back <= u->count);
    for (int c = 0; c < copied; c++) put_unpacked(u, u->out[u->count - back]);
  }
}

/* Returns the content of a stream, to be freed, with a 0 behind it; its checksum must be right, and nothing may follow. */
static inline unsigned char *inflate(const unsigned char *in, size_t size, size_t *count) {
  unpacker u = {.in = in, .size = size, .at = 2};
  unsigned low = 1, high = 0, last = 0;
  assert_true(size > 6 && in[0] == 0x78 && (in[0] * 256 + in[1]) % 31 == 0 && (in[1] & 32) == 0);
  while (!last) {
    last = take_bits(&u, 1);
    unpack_block(&u);
  }
  if (u.bit > 0) u.at++;
  for (size_t k = 0; k < u.count; k++) {
    low = (low + u.out[k]) % 65521;
    high = (high + low) % 65521;
  }
  const unsigned char *sum = in + u.at;
  assert_int_equal(u.at + 4, size);
  assert_int_equal((unsigned)sum[0] << 24 | (unsigned)sum[1] << 16 | (unsigned)sum[2] << 8 | sum[3], high << 16 | low);
  *count = u.count;
  put_unpacked(&u, 0);
  return u.out;
}

#endif
