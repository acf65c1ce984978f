/* A record: numbers in a fixed order, as bytes that mean the same on every host. What keeps its state in a snapshot has one function, which
 * names its numbers once for all uses: writing them, checking a record, reading it.
 *
 * Each number takes a word of 8 bytes, the lowest first: a double by its bits, an integer in two's complement.
 */
#ifndef ELI_RECORD_H
#define ELI_RECORD_H

#include "base/target.h"

#include <stddef.h>
#include <stdint.h>

enum { ELI_WORD = 8 };

/* CHECK reads as READ does, but writes nothing: a record that passes can be read without harm. */
typedef enum eli_record_use { ELI_RECORD_WRITE, ELI_RECORD_CHECK, ELI_RECORD_READ } eli_record_use;

typedef struct eli_record {
  eli_record_use use;
  unsigned char *to;         /* WRITE; NULL: only counts bytes */
  const unsigned char *from; /* CHECK, READ */
  size_t size, at;           /* [bytes] that there are, or that there is room for, and so far */
  const char *wrong;         /* the name of the first number that cannot be, or "the size"; NULL: none */
  int differs;               /* 1: that is a constant which is not that of this world */
} eli_record;

eli_record eli_record_to(void *bytes, size_t room);
eli_record eli_record_from(eli_record_use use, const void *bytes, size_t size);

/* Numbers of any value, and those that must be finite. values NULL: zeros are written, what is read is dropped. */
void eli_record_doubles(eli_record *record, double *values, size_t count);
void eli_record_finite(eli_record *record, const char *name, double *values, size_t count);

/* Integers from least to most. */
void eli_record_int(eli_record *record, const char *name, int *value, int least, int most);
void eli_record_long(eli_record *record, const char *name, long *value, long least, long most);

/* A constant, which must be the same where the record is read. */
void eli_record_same(eli_record *record, const char *name, int value);

/* Bytes as they are, filled up to whole words. bytes NULL: as above. */
void eli_record_bytes(eli_record *record, void *bytes, size_t count);

/* One word: what is written; what is read, 0 behind the end. */
uint64_t eli_record_word(eli_record *record, uint64_t word);

/* Says what is wrong, unless something was before. */
void eli_record_blame(eli_record *record, const char *name, int differs);

/* Mixes a word into a sum that tells any two sequences of words apart which differ in one word, and others with a chance of 1 - 2^-64. */
static inline uint64_t eli_mix(uint64_t sum, uint64_t word) {
  const uint64_t mixed = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return mixed ^ (mixed >> 32);
}

/* The sum of so many words of bytes, and of doubles by their bits. */
uint64_t eli_sum_of_words(uint64_t sum, const unsigned char *bytes, size_t words);
uint64_t eli_sum_of_doubles(uint64_t sum, const double *values, size_t count);

/* Whole words for so many bytes. */
static inline size_t eli_whole_words(size_t bytes) {
  return (bytes + ELI_WORD - 1) / ELI_WORD * ELI_WORD;
}

#endif
