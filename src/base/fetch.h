/* Prefetching: requests memory some iterations before its use, because bodies that are neighbours in space lie anywhere in memory. Results
 * do not depend on it. */
#ifndef ELI_FETCH_H
#define ELI_FETCH_H

#include <stddef.h>

/* Prefix of functions that only prefetch. gcc drops calls of such functions unless they are always inlined. */
#define ELI_FETCHES static inline __attribute__((always_inline)) void

/* Number of items between the prefetch of an item and its use. */
enum { ELI_AHEAD = 8, ELI_CACHE_LINE = 64 };

ELI_FETCHES eli_fetch(const void *from, size_t size) {
  for (size_t at = 0; at < size; at += ELI_CACHE_LINE) __builtin_prefetch((const char *)from + at);
  __builtin_prefetch((const char *)from + size - 1);
}

#endif
