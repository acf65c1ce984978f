/* Reads frames for ParaView without any of the writer's code: tags, base64, arrays of a piece. */
#ifndef TESTS_VTK_READER_H
#define TESTS_VTK_READER_H

#include "support.h"

/* Tags close in the reverse order of opening, quotes are closed, and nothing is left open. */
static inline void assert_well_formed(const char *text) {
  char open[16][32];
  int depth = 0;
  for (const char *p = strchr(text, '<'); p != NULL; p = strchr(p, '<')) {
    const char *name = p + 1, *end = name;
    for (int quoted = 0; quoted || *end != '>'; end++) {
      if (*end == '\0' || *end == '<') fail_msg("a tag does not end: %.40s", p);
      if (*end == '"') quoted = !quoted;
    }
    const int length = (int)strcspn(name + (*name == '/'), " />?");
    if (*name == '/') {
      if (depth == 0 || strncmp(open[depth - 1], name + 1, (size_t)length + 1) == 0) fail_msg("%.40s closes nothing", p);
      depth--;
      assert_memory_equal(open[depth], name + 1, (size_t)length);
      assert_int_equal(open[depth][length], '\0');
    } else if (*name != '?' && end[-1] != '/') {
      assert_true(depth < 16 && length < 32);
      snprintf(open[depth++], 32, "%.*s", length, name);
    }
    p = end;
  }
  assert_int_equal(depth, 0);
}

/* The tag's attribute as a number. */
static inline int attribute(const char *tag, const char *name) {
  char pattern[64];
  snprintf(pattern, sizeof pattern, " %s=\"", name);
  const char *at = strstr(tag, pattern);
  if (at == NULL || at > strchr(tag, '>')) fail_msg("no %s in %.60s", name, tag);
  return atoi(at + strlen(pattern));
}

static inline unsigned digit_value(char c) {
  const char *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", *at = strchr(digits, c);
  if (c == '\0' || at == NULL) fail_msg("'%c' is no digit of base64", c);
  return (unsigned)(at - digits);
}

/* The bytes of the array at tag, to be freed; they begin with their count, which must be right. */
static inline unsigned char *array_bytes(const char *tag, size_t *count) {
  const char *text = strchr(tag, '>') + 1;
  const size_t length = strcspn(text, "<");
  const size_t padding = length > 0 && text[length - 1] == '=' ? (text[length - 2] == '=' ? 2 : 1) : 0;
  assert_true(length % 4 == 0 && length >= 12);
  unsigned char *bytes = malloc(length);
  assert_non_null(bytes);
  for (size_t c = 0; c < length; c += 4) {
    unsigned group = 0;
    for (size_t k = c; k < c + 4; k++) group = group << 6 | (k < length - padding ? digit_value(text[k]) : 0);
    for (size_t k = 0; k < 3; k++) bytes[c / 4 * 3 + k] = (unsigned char)(group >> (16 - 8 * k));
  }
  uint64_t said;
  *count = length / 4 * 3 - padding - sizeof said;
  memcpy(&said, bytes, sizeof said);
  assert_int_equal(said, *count);
  memmove(bytes, bytes + sizeof said, *count);
  return bytes;
}

static inline int has_type(const char *tag, const char *type) {
  return strncmp(strstr(tag, "type=\"") + 6, type, strlen(type)) == 0;
}

/* Number k of an array of doubles, floats or integers. */
static inline double number_of(const char *tag, const unsigned char *bytes, int k) {
  double whole;
  float single;
  int32_t integer;
  if (has_type(tag, "Float64\"")) return memcpy(&whole, bytes + 8 * k, sizeof whole), whole;
  if (has_type(tag, "Float32\"")) return (double)(memcpy(&single, bytes + 4 * k, sizeof single), single);
  if (!has_type(tag, "Int32\"")) fail_msg("unexpected %.40s", tag);
  return memcpy(&integer, bytes + 4 * k, sizeof integer), integer;
}

/* The piece of a file; each rod has two, the line and the elements. */
static inline const char *find_any_piece(const char *text, int number) {
  const char *piece = strstr(text, "<Piece ");
  while (piece != NULL && number-- > 0) piece = strstr(piece + 1, "<Piece ");
  if (piece == NULL) fail_msg("a piece is missing");
  return piece;
}

static inline const char *find_piece(const char *text, int r) {
  return find_any_piece(text, 2 * r);
}

static inline const char *find_elements(const char *text, int r) {
  return find_any_piece(text, 2 * r + 1);
}

static inline const char *find_array(const char *piece, const char *name) {
  char pattern[64];
  snprintf(pattern, sizeof pattern, " Name=\"%s\"", name);
  const char *at = strstr(piece, pattern);
  if (at == NULL || at > strstr(piece, "</Piece>")) fail_msg("the piece has no %s", name);
  while (*at != '<') at--;
  return at;
}

/* Numbers of the array at tag for this number of places, as three per place for any number of components; to be freed. */
static inline double *read_numbers(const char *tag, int points, int components) {
  size_t count;
  unsigned char *bytes = array_bytes(tag, &count);
  assert_int_equal(attribute(tag, "NumberOfComponents"), components);
  assert_int_equal(count, (size_t)(points * components) * (has_type(tag, "Float64\"") ? 8 : 4));
  double *values = calloc((size_t)points + 1, 3 * sizeof *values);
  assert_non_null(values);
  for (int k = 0; k < points * components; k++) values[k / components * 3 + k % components] = number_of(tag, bytes, k);
  free(bytes);
  return values;
}

/* The numbers of the points of rod r's line. */
static inline double *read_array(const char *text, int r, const char *name, int components) {
  const char *piece = find_piece(text, r);
  return read_numbers(find_array(piece, name), attribute(piece, "NumberOfPoints"), components);
}

/* The numbers of the cells of a piece, vertices before lines. */
static inline double *read_cells(const char *piece, const char *name, int components) {
  const int cells = attribute(piece, "NumberOfVerts") + attribute(piece, "NumberOfLines");
  return read_numbers(find_array(strstr(piece, "<CellData>"), name), cells, components);
}

#endif
