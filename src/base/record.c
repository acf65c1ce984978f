/* Serialisation of numbers to bytes (see record.h).
 *
 * test       tests/test_record.c
 */
#include "base/target.h"

#include "base/elementary.h"
#include "base/record.h"

#include <string.h>

static inline uint64_t get_word(const unsigned char *from) {
  return (uint64_t)from[0] | (uint64_t)from[1] << 8 | (uint64_t)from[2] << 16 | (uint64_t)from[3] << 24 | (uint64_t)from[4] << 32 |
         (uint64_t)from[5] << 40 | (uint64_t)from[6] << 48 | (uint64_t)from[7] << 56;
}

static inline void put_word(unsigned char *to, uint64_t word) {
  to[0] = (unsigned char)word;
  to[1] = (unsigned char)(word >> 8);
  to[2] = (unsigned char)(word >> 16);
  to[3] = (unsigned char)(word >> 24);
  to[4] = (unsigned char)(word >> 32);
  to[5] = (unsigned char)(word >> 40);
  to[6] = (unsigned char)(word >> 48);
  to[7] = (unsigned char)(word >> 56);
}

static inline double get_double(const unsigned char *from) {
  const uint64_t bits = get_word(from);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

eli_record eli_record_to(void *bytes, size_t room) {
  return (eli_record){.use = ELI_RECORD_WRITE, .to = bytes, .size = room};
}

eli_record eli_record_from(eli_record_use use, const void *bytes, size_t size) {
  return (eli_record){.use = use, .from = bytes, .size = size};
}

void eli_record_blame(eli_record *record, const char *name, int differs) {
  if (record->wrong != NULL) return;
  record->wrong = name;
  record->differs = differs;
}

/* Advances by so many bytes. Returns 1 if they can be read or written, 0 if the record only counts bytes or ends before; reports a size
 * error in the latter case and if the count overflows. */
static int take(eli_record *record, size_t bytes) {
  const size_t at = record->at;
  const int counts = record->use == ELI_RECORD_WRITE && record->to == NULL;
  if (bytes > (counts ? SIZE_MAX : record->size) - at) {
    eli_record_blame(record, "the size", 0);
    return 0;
  }
  record->at += bytes;
  return !counts;
}

uint64_t eli_record_word(eli_record *record, uint64_t word) {
  const size_t at = record->at;
  if (!take(record, ELI_WORD)) return record->use == ELI_RECORD_WRITE ? word : 0;
  if (record->use != ELI_RECORD_WRITE) return get_word(record->from + at);
  put_word(record->to + at, word);
  return word;
}

static void write_doubles(unsigned char *to, const double *values, size_t count) {
  if (values == NULL)
    memset(to, 0, count * ELI_WORD);
  else
    for (size_t i = 0; i < count; i++) put_word(to + i * ELI_WORD, bits_of(values[i]));
}

static void read_doubles(const unsigned char *from, double *values, size_t count) {
  for (size_t i = 0; i < count; i++) values[i] = get_double(from + i * ELI_WORD);
}

void eli_record_doubles(eli_record *record, double *values, size_t count) {
  const size_t at = record->at;
  if (!take(record, count <= SIZE_MAX / ELI_WORD ? count * ELI_WORD : SIZE_MAX)) return;
  if (record->use == ELI_RECORD_WRITE) write_doubles(record->to + at, values, count);
  if (record->use == ELI_RECORD_READ && values != NULL) read_doubles(record->from + at, values, count);
}

void eli_record_finite(eli_record *record, const char *name, double *values, size_t count) {
  const size_t at = record->at;
  eli_record_doubles(record, values, count);
  if (record->use != ELI_RECORD_CHECK || record->wrong != NULL) return;
  double sum = 0.0; /* remains 0 unless a number is not finite */
  for (size_t i = 0; i < count; i++) sum += 0.0 * get_double(record->from + at + i * ELI_WORD);
  if (!eli_is_finite(sum)) eli_record_blame(record, name, 0);
}

/* Converts two's complement without an implementation-defined conversion. */
static int64_t signed_of(uint64_t word) {
  return word <= INT64_MAX ? (int64_t)word : -(int64_t)(UINT64_MAX - word) - 1;
}

void eli_record_long(eli_record *record, const char *name, long *value, long least, long most) {
  const int64_t number = signed_of(eli_record_word(record, (uint64_t)(int64_t)*value));
  if (record->use == ELI_RECORD_CHECK && (number < least || number > most)) eli_record_blame(record, name, 0);
  if (record->use == ELI_RECORD_READ) *value = (long)number;
}

void eli_record_int(eli_record *record, const char *name, int *value, int least, int most) {
  long number = *value;
  eli_record_long(record, name, &number, least, most);
  if (record->use == ELI_RECORD_READ) *value = (int)number;
}

void eli_record_same(eli_record *record, const char *name, int value) {
  const int64_t number = signed_of(eli_record_word(record, (uint64_t)(int64_t)value));
  if (record->use != ELI_RECORD_CHECK || number == value) return;
  if (record->wrong == NULL) record->there = (long)number, record->here = value;
  eli_record_blame(record, name, 1);
}

void eli_record_mark(eli_record *record, const char *name, int mark) {
  const int was_right = record->wrong == NULL;
  eli_record_same(record, name, mark);
  if (was_right && record->wrong != NULL && record->differs) record->there = record->there != 0, record->here = mark != 0;
}

void eli_record_same_choice(eli_record *record, const char *name, int value, const char *const *words, int count) {
  const int was_right = record->wrong == NULL;
  eli_record_same(record, name, value);
  if (was_right && record->wrong != NULL && record->differs && record->there >= 0 && record->there < count) record->words = words;
}

void eli_record_bytes(eli_record *record, void *bytes, size_t count) {
  const size_t at = record->at;
  if (!take(record, count <= SIZE_MAX - ELI_WORD ? eli_whole_words(count) : SIZE_MAX) || count == 0) return;
  if (record->use == ELI_RECORD_READ && bytes != NULL) memcpy(bytes, record->from + at, count);
  if (record->use != ELI_RECORD_WRITE) return;
  memset(record->to + at, 0, eli_whole_words(count));
  if (bytes != NULL) memcpy(record->to + at, bytes, count);
}

/* Four independent sums hide the latency of the multiplication. */
uint64_t eli_sum_of_words(uint64_t sum, const unsigned char *bytes, size_t words) {
  uint64_t part[4] = {sum, sum + 1, sum + 2, sum + 3};
  size_t k = 0;
  for (; k + 4 <= words; k += 4)
    for (size_t p = 0; p < 4; p++) part[p] = eli_mix(part[p], get_word(bytes + (k + p) * ELI_WORD));
  for (; k < words; k++) part[0] = eli_mix(part[0], get_word(bytes + k * ELI_WORD));
  return eli_mix(eli_mix(eli_mix(part[0], part[1]), part[2]), part[3]);
}

uint64_t eli_sum_of_doubles(uint64_t sum, const double *values, size_t count) {
  for (size_t i = 0; i < count; i++) sum = eli_mix(sum, bits_of(values[i]));
  return sum;
}
