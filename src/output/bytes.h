/* A growing byte buffer, for writers that compose a file in memory. */
#ifndef ELI_BYTES_H
#define ELI_BYTES_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>

#include "base/memory.h"

typedef struct eli_bytes {
  const eli_allocator *allocator;
  unsigned char *data;
  size_t count, room;
  int failed; /* 1: memory ran out, and later calls append nothing */
} eli_bytes;

eli_bytes eli_bytes_make(const eli_allocator *allocator);
void eli_bytes_free(eli_bytes *bytes);

/* Reserves room for so many more bytes, without counting them. Returns its address, or NULL if memory runs out. */
unsigned char *eli_bytes_reserve(eli_bytes *bytes, size_t more);

void eli_bytes_put(eli_bytes *bytes, const void *data, size_t count);
void eli_bytes_text(eli_bytes *bytes, const char *text);
void eli_bytes_print(eli_bytes *bytes, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ; /* at most 255 characters; not for floating point: printf uses the locale's decimal point */

/* Appends a number in JSON; null if it is not finite. */
void eli_bytes_number(eli_bytes *bytes, double value);

/* Appends text as a JSON string that is also safe inside an HTML script element. */
void eli_bytes_quote(eli_bytes *bytes, const char *text);

/* Appends data in base64. */
void eli_bytes_base64(eli_bytes *bytes, const unsigned char *data, size_t count);

#endif
