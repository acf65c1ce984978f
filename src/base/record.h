/* A record: numbers in a fixed order, as bytes with the same meaning on every host. Each type with state in a snapshot has one function
 * that lists its numbers once, for writing a record, checking it and reading it.
 *
 * Each number takes a word of 8 bytes, lowest byte first: a double by its bits, an integer in two's complement.
 */
#ifndef ELI_RECORD_H
#define ELI_RECORD_H

#include "base/target.h"

#include <stddef.h>
#include <stdint.h>

enum { ELI_WORD = 8 };

/* CHECK follows READ but stores nothing: a record that passes can be read without harm. */
typedef enum eli_record_use { ELI_RECORD_WRITE, ELI_RECORD_CHECK, ELI_RECORD_READ } eli_record_use;

typedef struct eli_record {
  eli_record_use use;
  unsigned char *to;         /* WRITE; NULL: counts bytes only */
  const unsigned char *from; /* CHECK, READ */
  size_t size, at;           /* [bytes] available in total, and used so far */
  const char *wrong;         /* name of the first wrong number, or "the size"; NULL: none */
  int differs;               /* 1: the wrong number is a constant that differs from the one of this world: */
  long there, here;          /* the constant in the record, and in this world; 0 and 1 for things that are there or not, 1 and 1: others */
  const char *const *words;  /* names of its values from 0 on, or NULL */
} eli_record;

eli_record eli_record_to(void *bytes, size_t room);
eli_record eli_record_from(eli_record_use use, const void *bytes, size_t size);

/* Doubles of any value, and doubles that must be finite. With values NULL, WRITE writes zeros and READ skips. */
void eli_record_doubles(eli_record *record, double *values, size_t count);
void eli_record_finite(eli_record *record, const char *name, double *values, size_t count);

/* Integers from least to most. */
void eli_record_int(eli_record *record, const char *name, int *value, int least, int most);
void eli_record_long(eli_record *record, const char *name, long *value, long least, long most);

/* A constant that must be equal in the reading world. words: names of its values from 0 to count - 1, for sentences. */
void eli_record_same(eli_record *record, const char *name, int value);
void eli_record_same_choice(eli_record *record, const char *name, int value, const char *const *words, int count);

/* A checksum, not 0, of data that must be equal in the reading world; 0: there are no such data. */
void eli_record_mark(eli_record *record, const char *name, int mark);

/* Bytes, padded to whole words. With bytes NULL, WRITE writes zeros and READ skips. */
void eli_record_bytes(eli_record *record, void *bytes, size_t count);

/* Writes one word and returns it, or returns the word read, 0 beyond the end. */
uint64_t eli_record_word(eli_record *record, uint64_t word);

/* Sets `wrong` and `differs` unless an earlier error was reported. */
void eli_record_blame(eli_record *record, const char *name, int differs);

/* Mixes a word into a checksum. Two sequences that differ in one word always have different sums; others do with probability 1 - 2^-64. */
static inline uint64_t eli_mix(uint64_t sum, uint64_t word) {
  const uint64_t mixed = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return mixed ^ (mixed >> 32);
}

/* Checksums of so many words of bytes, and of the bits of doubles. */
uint64_t eli_sum_of_words(uint64_t sum, const unsigned char *bytes, size_t words);
uint64_t eli_sum_of_doubles(uint64_t sum, const double *values, size_t count);

/* Rounds a number of bytes up to whole words. */
static inline size_t eli_whole_words(size_t bytes) {
  return (bytes + ELI_WORD - 1) / ELI_WORD * ELI_WORD;
}

#endif
