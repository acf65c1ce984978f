/* Memory on its way before it is needed: what neighbours in space have lies anywhere. Nothing is read or written, no result depends on it. */
#ifndef ELI_BASE_FETCH_H
#define ELI_BASE_FETCH_H

#include <stddef.h>

/* Before functions that do nothing else, always inlined: gcc leaves out calls of them. */
#define ELI_FETCHES static inline __attribute__((always_inline)) void

/* How many items ahead of its use one is fetched. */
enum { ELI_AHEAD = 8, ELI_CACHE_LINE = 64 };

ELI_FETCHES eli_fetch(const void *from, size_t size) {
  for (size_t at = 0; at < size; at += ELI_CACHE_LINE) __builtin_prefetch((const char *)from + at);
  __builtin_prefetch((const char *)from + size - 1);
}

#endif
