/* Deflate (see deflate.h): matches from hash chains with lazy evaluation of one symbol; every block has its own dynamic Huffman codes. */
#include "base/target.h"

#include "output/deflate.h"

#include <stdint.h>
#include <string.h>

enum {
  WINDOW = 32768, /* largest distance of a match */
  HASHES = 32768, /* hash values of three bytes */
  SHORTEST = 3,   /* match */
  LONGEST = 258,
  SEARCHED = 64,  /* earlier positions compared per search */
  ENOUGH = 96,    /* a match of this length is taken without a search at the next byte */
  BLOCK = 16384,  /* symbols per block */
  LITERALS = 286, /* symbols: literals, end of block and lengths */
  DISTANCES = 30,
  END_OF_BLOCK = 256,
  LENGTH_CODES = 19, /* symbols of the code for code lengths */
  LONGEST_CODE = 15, /* [bits] */
  LONGEST_LENGTH_CODE = 7
};

/* ---- Bits ---- */

typedef struct bit_stream {
  eli_bytes *out;
  uint64_t held; /* bits of the incomplete word, first bit lowest */
  int count;
} bit_stream;

static void put_bits(bit_stream *stream, unsigned value, int count) {
  assert(stream->count < 32 && count >= 0 && count <= 32 && (uint64_t)value >> count == 0);
  stream->held |= (uint64_t)value << stream->count;
  stream->count += count;
  if (stream->count < 32) return;
  unsigned char four[4];
  for (int b = 0; b < 4; b++) four[b] = (unsigned char)(stream->held >> (8 * b));
  eli_bytes_put(stream->out, four, sizeof four);
  stream->held >>= 32;
  stream->count -= 32;
}

static void end_bits(bit_stream *stream) {
  for (; stream->count > 0; stream->count -= 8, stream->held >>= 8) {
    const unsigned char byte = (unsigned char)stream->held;
    eli_bytes_put(stream->out, &byte, 1);
  }
}

/* ---- Huffman codes ---- */

typedef struct code {
  unsigned short bits[LITERALS];  /* first bit lowest */
  unsigned char length[LITERALS]; /* 0: the symbol does not occur */
} code;

/* Replaces ascending weights by their code lengths, which descend, in place (Moffat and Katajainen). count >= 2. */
static void find_lengths(unsigned *a, int count) {
  assert(count >= 2);
  int leaf = 2, root = 0;
  a[0] += a[1];
  for (int next = 1; next < count - 1; next++) { /* weights of inner nodes, replaced by their parents */
    if (leaf >= count || a[root] < a[leaf]) {
      a[next] = a[root];
      a[root++] = (unsigned)next;
    } else {
      a[next] = a[leaf++];
    }
    if (leaf >= count || (root < next && a[root] < a[leaf])) {
      a[next] += a[root];
      a[root++] = (unsigned)next;
    } else {
      a[next] += a[leaf++];
    }
  }
  a[count - 2] = 0;
  for (int next = count - 3; next >= 0; next--) a[next] = a[a[next]] + 1; /* depths of inner nodes */
  int free_nodes = 1, used = 0, next = count - 1;
  unsigned depth = 0;
  for (root = count - 2; free_nodes > 0; depth++) { /* depths of leaves */
    while (root >= 0 && a[root] == depth) used++, root--;
    while (free_nodes > used) a[next--] = depth, free_nodes--;
    free_nodes = 2 * used;
    used = 0;
  }
}

/* Shortens codes beyond the limit and lengthens others, so that the Kraft sum stays at most 1. Counts the codes of each length. */
static void limit_lengths(const unsigned *length, int count, int limit, int of_length[LONGEST_CODE + 1]) {
  unsigned long sum = 0;
  memset(of_length, 0, (LONGEST_CODE + 1) * sizeof *of_length);
  for (int k = 0; k < count; k++) of_length[length[k] < (unsigned)limit ? length[k] : (unsigned)limit]++;
  for (int bits = 1; bits <= limit; bits++) sum += (unsigned long)of_length[bits] << (limit - bits);
  for (; sum > 1ul << limit; sum--) {
    int bits = limit - 1;
    while (of_length[bits] == 0) bits--;
    of_length[limit]--;
    of_length[bits]--;
    of_length[bits + 1] += 2;
  }
}

static void assign_bits(code *of, int symbols, const int of_length[LONGEST_CODE + 1]) {
  unsigned next[LONGEST_CODE + 2] = {0};
  for (int bits = 1; bits <= LONGEST_CODE; bits++) next[bits + 1] = (next[bits] + (unsigned)of_length[bits]) << 1;
  for (int s = 0; s < symbols; s++) {
    unsigned forward = of->length[s] > 0 ? next[of->length[s]]++ : 0, reversed = 0;
    for (int b = 0; b < of->length[s]; b++, forward >>= 1) reversed = reversed << 1 | (forward & 1);
    of->bits[s] = (unsigned short)reversed;
  }
}

/* Makes codes for symbols with these frequencies. There are always at least two codes, because some decoders refuse fewer. */
static void make_code(code *of, const unsigned *occurs, int symbols, int limit) {
  unsigned length[LITERALS] = {0};
  int order[LITERALS], count = 0, used = 0, of_length[LONGEST_CODE + 1];
  memset(of, 0, sizeof *of);
  for (int s = 0; s < symbols; s++) used += occurs[s] > 0;
  for (int s = 0; s < symbols; s++) { /* insertion sort by weight */
    const unsigned weight = occurs[s] > 0 ? occurs[s] : used < 2 && s < 2 ? 1 : 0;
    if (weight == 0) continue;
    int at = count++;
    for (; at > 0 && length[at - 1] > weight; at--) length[at] = length[at - 1], order[at] = order[at - 1];
    length[at] = weight;
    order[at] = s;
  }
  find_lengths(length, count);
  limit_lengths(length, count, limit, of_length);
  for (int bits = limit, k = 0; bits > 0; bits--)
    for (int same = 0; same < of_length[bits]; same++) of->length[order[k++]] = (unsigned char)bits;
  assign_bits(of, symbols, of_length);
}

/* ---- Lengths and distances of matches ---- */

/* A match of length L has the code 257 + k with the last base[k] <= L, followed by L - base[k] in extra[k] bits. */
static const unsigned short length_base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                               31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const unsigned char length_extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const unsigned short distance_base[DISTANCES] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                                        33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                                        1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};

static int length_code(int length) {
  int k = 28;
  while (length_base[k] > length) k--;
  return k;
}

static int distance_code(int distance) {
  int k = DISTANCES - 1;
  while (distance_base[k] > distance) k--;
  return k;
}

static int distance_extra(int k) {
  return k < 4 ? 0 : k / 2 - 1;
}

/* ---- Blocks ---- */

typedef struct encoder {
  bit_stream bits;
  uint32_t symbols[BLOCK]; /* a literal, or length << 16 | distance */
  int count;
  unsigned literals[LITERALS], distances[DISTANCES]; /* frequencies */
  int32_t newest[HASHES];                            /* newest position of each hash; -1: none */
  int32_t older[WINDOW];                             /* previous position with the same hash, by position modulo WINDOW */
} encoder;

/* Run-length codes of code lengths: 16 repeats the last length, 17 and 18 are runs of zeros. extra: value of the extra bits. */
static int make_runs(const unsigned char *length, int count, unsigned char symbol[LITERALS + DISTANCES],
                     unsigned char extra[LITERALS + DISTANCES]) {
  int runs = 0;
  for (int k = 0; k < count;) {
    int same = 1;
    while (k + same < count && length[k + same] == length[k]) same++;
    if (length[k] == 0 && same >= 3) {
      const int take = same < 138 ? same : 138;
      symbol[runs] = take < 11 ? 17 : 18;
      extra[runs++] = (unsigned char)(take < 11 ? take - 3 : take - 11);
      k += take;
    } else {
      symbol[runs] = length[k];
      extra[runs++] = 0;
      k++;
      for (same--; length[k - 1] != 0 && same >= 3; same -= 6) {
        const int take = same < 6 ? same : 6;
        symbol[runs] = 16;
        extra[runs++] = (unsigned char)(take - 3);
        k += take;
        if (take < 6) break;
      }
    }
  }
  return runs;
}

static void put_codes(bit_stream *bits, const code *literals, const code *distances) {
  static const unsigned char order[LENGTH_CODES] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  unsigned char lengths[LITERALS + DISTANCES], symbol[LITERALS + DISTANCES], extra[LITERALS + DISTANCES];
  unsigned occurs[LENGTH_CODES] = {0};
  code of;
  memcpy(lengths, literals->length, LITERALS);
  memcpy(lengths + LITERALS, distances->length, DISTANCES);
  const int runs = make_runs(lengths, LITERALS + DISTANCES, symbol, extra);
  for (int k = 0; k < runs; k++) occurs[symbol[k]]++;
  make_code(&of, occurs, LENGTH_CODES, LONGEST_LENGTH_CODE);
  put_bits(bits, LITERALS - 257, 5);
  put_bits(bits, DISTANCES - 1, 5);
  put_bits(bits, LENGTH_CODES - 4, 4);
  for (int k = 0; k < LENGTH_CODES; k++) put_bits(bits, of.length[order[k]], 3);
  for (int k = 0; k < runs; k++) {
    put_bits(bits, of.bits[symbol[k]], of.length[symbol[k]]);
    if (symbol[k] >= 16) put_bits(bits, extra[k], symbol[k] == 16 ? 2 : symbol[k] == 17 ? 3 : 7);
  }
}

static void put_block(encoder *of, int last) {
  bit_stream *bits = &of->bits;
  code literals, distances;
  of->literals[END_OF_BLOCK] = 1;
  make_code(&literals, of->literals, LITERALS, LONGEST_CODE);
  make_code(&distances, of->distances, DISTANCES, LONGEST_CODE);
  put_bits(bits, last ? 1 : 0, 1);
  put_bits(bits, 2, 2);
  put_codes(bits, &literals, &distances);
  for (int k = 0; k < of->count; k++) {
    const int length = (int)(of->symbols[k] >> 16), low = (int)(of->symbols[k] & 0xffff);
    if (length == 0) {
      put_bits(bits, literals.bits[low], literals.length[low]);
      continue;
    }
    const int l = length_code(length), d = distance_code(low);
    put_bits(bits, literals.bits[257 + l], literals.length[257 + l]);
    put_bits(bits, (unsigned)(length - length_base[l]), length_extra[l]);
    put_bits(bits, distances.bits[d], distances.length[d]);
    put_bits(bits, (unsigned)(low - distance_base[d]), distance_extra(d));
  }
  put_bits(bits, literals.bits[END_OF_BLOCK], literals.length[END_OF_BLOCK]);
  of->count = 0;
  memset(of->literals, 0, sizeof of->literals);
  memset(of->distances, 0, sizeof of->distances);
}

/* Adds a literal (length 0) or a match. */
static void add_symbol(encoder *of, int length, int value) {
  if (of->count == BLOCK) put_block(of, 0);
  of->symbols[of->count++] = (uint32_t)length << 16 | (uint32_t)value;
  if (length == 0) {
    of->literals[value]++;
  } else {
    of->literals[257 + length_code(length)]++;
    of->distances[distance_code(value)]++;
  }
}

/* ---- Matches ---- */

static unsigned hash_of(const unsigned char *data) {
  return ((unsigned)data[0] << 16 | (unsigned)data[1] << 8 | data[2]) * 2654435761u >> 17;
}

/* Adds a position to its hash chain, unless fewer than three bytes follow. */
static void add_position(encoder *of, const unsigned char *data, size_t size, size_t at) {
  if (at + SHORTEST > size) return;
  const unsigned hash = hash_of(data + at);
  of->older[at % WINDOW] = of->newest[hash];
  of->newest[hash] = (int32_t)at;
}

/* Finds the longest match at earlier positions. Returns its length; below SHORTEST there is none. */
static int find_match(const encoder *of, const unsigned char *data, size_t size, size_t at, int *distance) {
  const int most = size - at < LONGEST ? (int)(size - at) : LONGEST;
  int best = SHORTEST - 1;
  if (most < SHORTEST) return 0;
  int32_t place = of->newest[hash_of(data + at)];
  for (int tried = 0; tried < SEARCHED && place >= 0 && at - (size_t)place < WINDOW; tried++) {
    const unsigned char *earlier = data + place, *here = data + at;
    int length = 0;
    if (earlier[best] == here[best] || best < SHORTEST)
      while (length < most && earlier[length] == here[length]) length++;
    if (length > best) {
      best = length;
      *distance = (int)(at - (size_t)place);
      if (best == most) break;
    }
    const int32_t before = of->older[(size_t)place % WINDOW];
    if (before >= place) break;
    place = before;
  }
  return best;
}

static void encode(encoder *of, const unsigned char *data, size_t size) {
  int length = 0, distance = 0; /* pending match at the previous position */
  for (size_t at = 0; at < size;) {
    int here_distance = 0;
    const int here = length < ENOUGH ? find_match(of, data, size, at, &here_distance) : 0;
    if (length >= SHORTEST && length >= here) { /* the pending match is the longer one */
      add_symbol(of, length, distance);
      const size_t end = at - 1 + (size_t)length;
      for (; at < end; at++) add_position(of, data, size, at);
      length = 0;
      continue;
    }
    if (length > 0) add_symbol(of, 0, data[at - 1]);
    add_position(of, data, size, at++);
    length = here >= SHORTEST ? here : 1; /* 1: a literal */
    distance = here_distance;
  }
  if (length >= SHORTEST)
    add_symbol(of, length, distance);
  else if (length > 0)
    add_symbol(of, 0, data[size - 1]);
}

static uint32_t adler32(const unsigned char *data, size_t size) {
  uint32_t low = 1, high = 0;
  for (size_t k = 0; k < size; k++) {
    low = (low + data[k]) % 65521;
    high = (high + low) % 65521;
  }
  return high << 16 | low;
}

void eli_deflate(eli_bytes *out, const unsigned char *data, size_t size) {
  assert(size <= INT32_MAX);                           /* positions are 32-bit numbers */
  static const unsigned char header[2] = {0x78, 0x9c}; /* deflate, window of 32768 bytes, no dictionary */
  encoder *of = eli_allocate(out->allocator, 1, sizeof *of);
  if (of == NULL) {
    out->failed = 1;
    return;
  }
  eli_bytes_put(out, header, sizeof header);
  of->bits.out = out;
  memset(of->newest, 0xff, sizeof of->newest);
  encode(of, data, size);
  put_block(of, 1);
  end_bits(&of->bits);
  const uint32_t sum = adler32(data, size);
  const unsigned char tail[4] = {(unsigned char)(sum >> 24), (unsigned char)(sum >> 16), (unsigned char)(sum >> 8), (unsigned char)sum};
  eli_bytes_put(out, tail, sizeof tail);
  eli_release(out->allocator, of);
}
