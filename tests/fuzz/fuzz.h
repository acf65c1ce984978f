/* Common to the fuzz targets: bytes that are used up one after the other, and claims that end the process. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <elastica.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Called by libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct byte_source {
  const uint8_t *at;
  size_t left;
} byte_source;

/* 0 behind the end. */
static inline unsigned next_byte(byte_source *source) {
  if (source->left == 0) return 0;
  source->left--;
  return *source->at++;
}

static inline int next_below(byte_source *source, int count) {
  return (int)(next_byte(source) % (unsigned)count);
}

#define CLAIM(condition, ...)                                                                                                              \
  do {                                                                                                                                     \
    if (!(condition)) {                                                                                                                    \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);                                                                      \
      fprintf(stderr, __VA_ARGS__);                                                                                                        \
      fprintf(stderr, "\n");                                                                                                               \
      abort();                                                                                                                             \
    }                                                                                                                                      \
  } while (0)

static inline uint64_t hash_more(uint64_t hash, const void *bytes, size_t size) {
  for (size_t k = 0; k < size; k++) hash = (hash ^ ((const unsigned char *)bytes)[k]) * UINT64_C(0x100000001b3);
  return hash;
}

#endif
