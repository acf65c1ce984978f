#include "base/target.h"

#include "output/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checks.h"
#include "output/text_file.h"

eli_bytes eli_bytes_make(const eli_allocator *allocator) {
  return (eli_bytes){.allocator = allocator};
}

void eli_bytes_free(eli_bytes *bytes) {
  if (bytes->allocator != NULL) eli_release(bytes->allocator, bytes->data);
  *bytes = eli_bytes_make(bytes->allocator);
}

unsigned char *eli_bytes_reserve(eli_bytes *bytes, size_t more) {
  if (bytes->failed) return NULL;
  if (bytes->data != NULL && more <= bytes->room - bytes->count) return bytes->data + bytes->count;
  const size_t room = (bytes->count + more < 64 ? 64 : bytes->count + more) / 2 * 3;
  unsigned char *data = eli_allocate(bytes->allocator, room, 1);
  if (data == NULL) {
    bytes->failed = 1;
    return NULL;
  }
  if (bytes->count > 0) memcpy(data, bytes->data, bytes->count);
  eli_release(bytes->allocator, bytes->data);
  bytes->data = data;
  bytes->room = room;
  return data + bytes->count;
}

void eli_bytes_put(eli_bytes *bytes, const void *data, size_t count) {
  unsigned char *to = eli_bytes_reserve(bytes, count);
  if (to == NULL || count == 0) return;
  memcpy(to, data, count);
  bytes->count += count;
}

void eli_bytes_text(eli_bytes *bytes, const char *text) {
  eli_bytes_put(bytes, text, strlen(text));
}

void eli_bytes_print(eli_bytes *bytes, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  eli_bytes_text(bytes, text);
}

void eli_bytes_number(eli_bytes *bytes, double value) {
  char text[ELI_NUMBER_SIZE];
  if (eli_is_finite(value)) eli_number_text(text, value);
  eli_bytes_text(bytes, eli_is_finite(value) ? text : "null");
}

void eli_bytes_quote(eli_bytes *bytes, const char *text) {
  eli_bytes_text(bytes, "\"");
  for (const char *c = text; *c != '\0'; c++) {
    const unsigned code = (unsigned char)*c;
    if (code < 0x20 || code == 0x7f || strchr("\"\\<>&", *c) != NULL)
      eli_bytes_print(bytes, "\\u%04x", code);
    else
      eli_bytes_put(bytes, c, 1);
  }
  eli_bytes_text(bytes, "\"");
}

void eli_bytes_base64(eli_bytes *bytes, const unsigned char *data, size_t count) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned char *to = eli_bytes_reserve(bytes, (count + 2) / 3 * 4);
  if (to == NULL) return;
  for (size_t b = 0; b < count; b += 3) {
    const unsigned first = data[b];
    const unsigned second = b + 1 < count ? data[b + 1] : 0;
    const unsigned third = b + 2 < count ? data[b + 2] : 0;
    *to++ = (unsigned char)digits[first >> 2];
    *to++ = (unsigned char)digits[(first & 3) << 4 | second >> 4];
    *to++ = (unsigned char)(b + 1 < count ? digits[(second & 15) << 2 | third >> 6] : '=');
    *to++ = (unsigned char)(b + 2 < count ? digits[third & 63] : '=');
  }
  bytes->count += (count + 2) / 3 * 4;
}
