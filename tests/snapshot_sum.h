/* Changed snapshots with the size and the checksum of their bytes. */
#ifndef TESTS_SNAPSHOT_SUM_H
#define TESTS_SNAPSHOT_SUM_H

#include "snapshot/snapshot.h"

#include <stddef.h>
#include <stdint.h>

static inline void put_sum_right(unsigned char *bytes, size_t size) {
  if (size < ELI_SNAPSHOT_HEAD) return;
  for (int k = 0; k < 8; k++) bytes[16 + k] = (unsigned char)((uint64_t)size >> 8 * k);
  const uint64_t sum = eli_sum_of_words(size, bytes + ELI_SNAPSHOT_HEAD, (size - ELI_SNAPSHOT_HEAD) / ELI_WORD);
  for (int k = 0; k < 8; k++) bytes[24 + k] = (unsigned char)(sum >> 8 * k);
}

#endif
