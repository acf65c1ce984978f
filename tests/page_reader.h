/* Reads the page of a run, without any of the writer's code: records, and arrays of a block as numbers. */
#ifndef TESTS_PAGE_READER_H
#define TESTS_PAGE_READER_H

#include "inflate.h"

/* One record, unpacked: a line of JSON as text, and its bytes. */
typedef struct page_record {
  char *text;
  const unsigned char *bytes;
  size_t size;
} page_record;

/* Returns the first line of the run; the page must be whole. */
static inline const char *find_run(const char *page) {
  static const char begin[] = "<script id=\"run\" type=\"text/plain\">\n", end[] = "</script>\n</body>\n</html>\n";
  assert_memory_equal(page, "<!doctype html>\n", 16);
  assert_string_equal(page + strlen(page) - strlen(end), end);
  const char *run = strstr(page, begin);
  assert_non_null(run);
  return run + strlen(begin);
}

/* Counts the records of this name. */
static inline int count_records(const char *page, const char *name) {
  int count = 0;
  for (const char *line = find_run(page); strncmp(line, "</", 2) != 0; line = strchr(line, '\n') + 1)
    count += strncmp(line, name, strlen(name)) == 0 && line[strlen(name)] == ' ';
  return count;
}

static inline unsigned page_digit(char c) {
  const char *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", *at = strchr(digits, c);
  if (c == '\0' || at == NULL) fail_msg("'%c' is no digit of base64", c);
  return (unsigned)(at - digits);
}

/* Returns record k of this name; its text is to be freed. */
static inline page_record read_record(const char *page, const char *name, int k) {
  const char *line = find_run(page);
  for (;; line = strchr(line, '\n') + 1) {
    if (strncmp(line, "</", 2) == 0) fail_msg("there is no record %s %d", name, k);
    if (strncmp(line, name, strlen(name)) == 0 && line[strlen(name)] == ' ' && k-- == 0) break;
  }
  const char *text = line + strlen(name) + 1;
  const size_t length = strcspn(text, "\n"), padding = text[length - 1] == '=' ? (text[length - 2] == '=' ? 2 : 1) : 0;
  unsigned char *packed = malloc(length);
  page_record record;
  size_t count;
  assert_true(packed != NULL && length % 4 == 0);
  for (size_t c = 0; c < length; c += 4) {
    unsigned group = 0;
    for (size_t d = c; d < c + 4; d++) group = group << 6 | (d < length - padding ? page_digit(text[d]) : 0);
    for (size_t d = 0; d < 3; d++) packed[c / 4 * 3 + d] = (unsigned char)(group >> (16 - 8 * d));
  }
  record.text = (char *)inflate(packed, length / 4 * 3 - padding, &count);
  free(packed);
  char *end = strchr(record.text, '\n');
  assert_non_null(end);
  *end = '\0';
  record.bytes = (unsigned char *)end + 1;
  record.size = count - (size_t)(end + 1 - record.text);
  return record;
}

/* Returns the number behind "name": in a piece of JSON; the member must have a number. */
static inline double member(const char *json, const char *name) {
  char pattern[64];
  snprintf(pattern, sizeof pattern, "\"%s\":", name);
  const char *at = strstr(json, pattern);
  if (at == NULL) fail_msg("there is no %s in %.60s", name, json);
  at += strlen(pattern);
  return strtod(at + (*at == '['), NULL);
}

/* Returns the numbers of an array, frame after frame, lane after lane; to be freed. size: numbers per lane. */
static inline int *read_numbers(const page_record *record, const char *name, int *frames, int *lanes, int *size) {
  const unsigned char *bytes = record->bytes;
  for (const char *fixed = strstr(record->text, "\"fixed\":["); fixed != NULL && (fixed = strchr(fixed, ',')) != NULL && fixed[1] != '"';) {
    bytes += 4 * atoi(fixed + 1);
    fixed = strchr(fixed, ']');
    if (fixed[1] != ',') break;
    fixed += 2;
  }
  for (const char *array = strstr(record->text, "{\"name\":"); array != NULL; array = strstr(array + 1, "{\"name\":")) {
    char pattern[64];
    *frames = (int)member(array, "frames"), *lanes = (int)member(array, "lanes"), *size = (int)member(array, "size");
    const size_t count = (size_t)*frames * (size_t)*lanes * (size_t)*size, row = (size_t)*lanes * (size_t)*size;
    snprintf(pattern, sizeof pattern, "{\"name\":\"%s\"", name);
    if (strncmp(array, pattern, strlen(pattern)) != 0) {
      bytes += 4 * count;
      continue;
    }
    const int temporal = (int)member(array, "temporal"), spatial = (int)member(array, "spatial");
    int *out = malloc((count + 1) * sizeof *out);
    unsigned last = 0;
    assert_true(out != NULL && bytes + 4 * count <= record->bytes + record->size);
    for (size_t k = 0; k < count; k++) {
      unsigned written = 0;
      const int f = (int)(k / row), order = f < temporal ? f : temporal;
      for (size_t b = 0; b < 4; b++) written |= (unsigned)bytes[b * count + k] << (8 * b);
      unsigned x = written >> 1 ^ (0u - (written & 1));
      if (k % (size_t)*size > 0 && (spatial || f == 0)) x += last;
      last = x;
      if (order == 1) x += (unsigned)out[k - row];
      if (order == 2) x += 2 * (unsigned)out[k - row] - (unsigned)out[k - 2 * row];
      out[k] = (int)x;
    }
    return out;
  }
  fail_msg("the record has no array %s", name);
  return NULL;
}

/* Converts the integer of a FLOAT lane to its number. */
static inline double float_of(int written) {
  const uint32_t bits = (uint32_t)(written < 0 ? -written : written) << 12;
  float single;
  memcpy(&single, &bits, sizeof single);
  return written < 0 ? -(double)single : (double)single;
}

#endif
