/* Readers of STL and OBJ (see mesh_file.h).
 *
 * source     STL: 3D Systems, StereoLithography Interface Specification, 1988; OBJ: Wavefront, Advanced Visualizer manual, appendix B1
 * test       tests/test_mesh_file.c
 */
#include "mesh_file.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 1e30 /* [m] of the points of an obstacle */

/* A file that is read, with a zero behind its end. */
typedef struct reader {
  const char *path;
  char *text, *at;
  size_t size;
  int line;
  double scale;
  mesh_file *out;
  int point_room, triangle_room;
  int *table, table_size; /* of points by their coordinates, plus one; 0: empty */
  char *error;
  size_t error_size;
} reader;

static int fail(const reader *r, const char *format, ...) {
  char reason[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  if (r->line > 0)
    snprintf(r->error, r->error_size, "%s, line %d: %s", r->path, r->line, reason);
  else
    snprintf(r->error, r->error_size, "%s: %s", r->path, reason);
  return 0;
}

/* ---- Points and triangles ---- */

/* Makes room for one more entry of `each` bytes. Returns 0 if there is no memory, or too many entries for an int. */
static int reserve(void *block, int count, int *room, size_t each) {
  if (count < *room) return 1;
  if (*room > INT_MAX / 8) return 0;
  const int wanted = *room > 0 ? 2 * *room : 256;
  void *old, *grown;
  memcpy(&old, block, sizeof old);
  grown = realloc(old, (size_t)wanted * each);
  if (grown == NULL) return 0;
  memcpy(block, &grown, sizeof grown);
  *room = wanted;
  return 1;
}

static int add_point(reader *r, const double point[3]) {
  mesh_file *out = r->out;
  for (int a = 0; a < 3; a++) {
    if (point[a] - point[a] != 0.0) return fail(r, "a coordinate is %g, not finite", point[a]);
    if (!(fabs(r->scale * point[a]) <= LARGEST))
      return fail(r, "a coordinate is %g, times the scale %g more than %g m", point[a], r->scale, LARGEST);
  }
  if (!reserve(&out->points, out->point_count, &r->point_room, 3 * sizeof *out->points)) return fail(r, "no memory for its points");
  for (int a = 0; a < 3; a++) out->points[3 * out->point_count + a] = r->scale * point[a] + 0.0;
  out->point_count++;
  return 1;
}

static int add_triangle(reader *r, int a, int b, int c) {
  mesh_file *out = r->out;
  if (a == b || b == c || c == a) {
    out->collapsed++;
    return 1;
  }
  if (!reserve(&out->triangles, out->triangle_count, &r->triangle_room, 3 * sizeof *out->triangles))
    return fail(r, "no memory for its triangles");
  int *corner = out->triangles + 3 * out->triangle_count++;
  corner[0] = a, corner[1] = b, corner[2] = c;
  return 1;
}

/* The place in the table of the point with these coordinates, or of an empty entry. */
static int *find_entry(const reader *r, const double point[3]) {
  uint64_t sum = 0;
  for (int a = 0; a < 3; a++) {
    uint64_t bits;
    memcpy(&bits, &point[a], sizeof bits);
    sum = (sum ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    sum ^= sum >> 29;
  }
  for (size_t k = (size_t)sum;; k++) {
    int *entry = &r->table[k & (size_t)(r->table_size - 1)];
    if (*entry == 0 || memcmp(r->out->points + 3 * (*entry - 1), point, 3 * sizeof *point) == 0) return entry;
  }
}

/* Doubles the table when it is half full. */
static int grow_table(reader *r) {
  if (2 * (r->out->point_count + 1) < r->table_size) return 1;
  free(r->table);
  r->table_size = r->table_size > 0 ? 2 * r->table_size : 1024;
  r->table = calloc((size_t)r->table_size, sizeof *r->table);
  if (r->table == NULL) return fail(r, "no memory for its points");
  for (int i = 0; i < r->out->point_count; i++) *find_entry(r, r->out->points + 3 * i) = i + 1;
  return 1;
}

/* Finds or adds a corner of a triangle of an STL file. */
static int merge_point(reader *r, const double point[3], int *index) {
  if (!grow_table(r) || !add_point(r, point)) return 0;
  int *entry = find_entry(r, r->out->points + 3 * (r->out->point_count - 1));
  if (*entry == 0)
    *entry = r->out->point_count;
  else
    r->out->point_count--; /* it is there already */
  *index = *entry - 1;
  return 1;
}

/* ---- Words ---- */

/* Lines of a text end with a newline, a carriage return or both: all get a newline. With `continued`, a line other than a comment that ends
 * with a backslash goes on in the next one: it gets a vertical tab, which is a blank. */
static void unify_lines(const reader *r, int continued) {
  char *to = r->at;
  int comment = 0;
  for (const char *from = r->at; *from != '\0'; from++) {
    if (*from == '\r' && from[1] == '\n') continue;
    *to = *from == '\r' ? '\n' : *from;
    if (continued && !comment && *to == '\n' && to > r->at && to[-1] == '\\') {
      to[-1] = '\v';
      continue;
    }
    comment = *to != '\n' && (comment || *to == '#');
    to++;
  }
  *to = '\0';
}

/* Takes the next word; *word stays empty at the end of the file, or of the line. */
static void next_word(reader *r, int in_line, char word[64]) {
  size_t count = 0;
  while (*r->at != '\0' && isspace((unsigned char)*r->at)) {
    if (in_line && *r->at == '\n') break;
    r->line += *r->at == '\n' || *r->at == '\v';
    r->at++;
  }
  for (; *r->at != '\0' && !isspace((unsigned char)*r->at); r->at++)
    if (count < 63) word[count++] = *r->at;
  word[count] = '\0';
}

/* Takes the next word in small letters. */
static void next_keyword(reader *r, char word[64]) {
  next_word(r, 0, word);
  for (char *c = word; *c != '\0'; c++) *c = (char)tolower((unsigned char)*c);
}

/* Goes to the end of a line. */
static void skip_line(reader *r) {
  for (; *r->at != '\0' && *r->at != '\n'; r->at++) r->line += *r->at == '\v';
}

static int expect(reader *r, const char *wanted) {
  char word[64];
  next_keyword(r, word);
  if (strcmp(word, wanted) == 0) return 1;
  return word[0] == '\0' ? fail(r, "the file ends where '%s' should stand", wanted)
                         : fail(r, "'%s' stands where '%s' should", word, wanted);
}

static int read_numbers(reader *r, int in_line, double *value, int count) {
  for (int a = 0; a < count; a++) {
    char word[64], *end;
    next_word(r, in_line, word);
    value[a] = strtod(word, &end);
    if (word[0] == '\0') return fail(r, "a number is missing");
    if (*end != '\0') return fail(r, "'%s' is not a number", word);
  }
  return 1;
}

/* ---- STL ---- */

static int read_text_facet(reader *r) {
  double normal[3], point[3];
  int corner[3];
  if (!expect(r, "normal") || !read_numbers(r, 0, normal, 3) || !expect(r, "outer") || !expect(r, "loop")) return 0;
  for (int k = 0; k < 3; k++)
    if (!expect(r, "vertex") || !read_numbers(r, 0, point, 3) || !merge_point(r, point, &corner[k])) return 0;
  return expect(r, "endloop") && expect(r, "endfacet") && add_triangle(r, corner[0], corner[1], corner[2]);
}

static int read_solid(reader *r) {
  char word[64];
  for (;;) {
    next_keyword(r, word);
    if (strcmp(word, "endsolid") == 0) return 1;
    if (word[0] == '\0') return fail(r, "the file ends without 'endsolid', after %d triangles", r->out->triangle_count);
    if (strcmp(word, "facet") != 0) return fail(r, "'%s' stands where 'facet' or 'endsolid' should", word);
    if (!read_text_facet(r)) return 0;
  }
}

/* The triangles of all solids become one mesh. The rest of a line after solid or endsolid is a name. */
static int read_text_stl(reader *r) {
  char word[64];
  unify_lines(r, 0);
  for (r->line = 1;;) {
    next_keyword(r, word);
    if (word[0] == '\0') return 1;
    if (strcmp(word, "solid") != 0) return fail(r, "'%s' stands where 'solid' should", word);
    skip_line(r);
    if (!read_solid(r)) return 0;
    skip_line(r);
  }
}

/* A number with its lowest byte first. */
static uint32_t word_at(const char *text) {
  uint32_t value = 0;
  for (int b = 3; b >= 0; b--) value = value << 8 | (unsigned char)text[b];
  return value;
}

static int read_binary_stl(reader *r) {
  const uint64_t count = word_at(r->text + 80);
  if (r->size != 84 + 50 * count)
    return fail(r, "it should have 84 + 50 x %llu bytes for its count of triangles, and has %llu", (unsigned long long)count,
                (unsigned long long)r->size);
  for (uint64_t t = 0; t < count; t++) {
    const char *facet = r->text + 84 + 50 * t + 12;
    int corner[3];
    for (int k = 0; k < 3; k++) {
      double point[3];
      for (int a = 0; a < 3; a++) {
        const uint32_t bits = word_at(facet + 12 * k + 4 * a);
        float single;
        memcpy(&single, &bits, sizeof single);
        point[a] = (double)single;
      }
      if (!merge_point(r, point, &corner[k])) return 0;
    }
    if (!add_triangle(r, corner[0], corner[1], corner[2])) return 0;
  }
  return 1;
}

static int begins_like_text(const char *text) {
  static const char solid[] = "solid";
  while (isspace((unsigned char)*text)) text++;
  for (int k = 0; k < 5; k++)
    if (tolower((unsigned char)text[k]) != solid[k]) return 0;
  return 1;
}

/* The headers of some binary files begin with "solid", too; their size tells them. */
static int read_stl(reader *r) {
  const int fits = r->size >= 84 && r->size == 84 + 50 * (uint64_t)word_at(r->text + 80);
  if (!fits && begins_like_text(r->text)) return read_text_stl(r);
  if (r->size < 84) return fail(r, "it has %llu bytes: neither a text that begins with 'solid' nor 84 bytes", (unsigned long long)r->size);
  return read_binary_stl(r);
}

/* ---- OBJ ---- */

/* Reads the index of a point, the first number of a word such as 3/1/2. Negative ones count back from the last point. */
static int read_index(const reader *r, const char *word, int *index) {
  char *end;
  const long value = strtol(word, &end, 10), count = r->out->point_count;
  if (end == word || (*end != '\0' && *end != '/')) return fail(r, "'%s' is not the index of a point", word);
  if (value == 0 || value > count || value < -count)
    return fail(r, "the face has point %ld, and there are %ld points so far, counted from 1", value, count);
  *index = (int)(value > 0 ? value - 1 : count + value);
  return 1;
}

static int read_face(reader *r) {
  int first = 0, before = 0, count = 0;
  for (;; count++) {
    char word[64];
    int index = 0;
    next_word(r, 1, word);
    if (word[0] == '\0' || word[0] == '#') break;
    if (!read_index(r, word, &index)) return 0;
    if (count == 0) first = index;
    if (count >= 2 && !add_triangle(r, first, before, index)) return 0;
    before = index;
  }
  return count >= 3 ? 1 : fail(r, "the face has %d points, fewer than 3", count);
}

static int read_obj(reader *r) {
  unify_lines(r, 1);
  r->line = 1;
  while (*r->at != '\0') {
    char word[64];
    double point[3];
    next_word(r, 1, word);
    if (strcmp(word, "v") == 0 && !(read_numbers(r, 1, point, 3) && add_point(r, point))) return 0;
    if (strcmp(word, "f") == 0 && !read_face(r)) return 0;
    skip_line(r); /* all other words */
    if (*r->at == '\n') r->at++, r->line++;
  }
  return 1;
}

/* ---- Files ---- */

static int load(reader *r) {
  FILE *file = fopen(r->path, "rb");
  if (file == NULL) return fail(r, "it cannot be opened");
  size_t room = 1 << 16;
  char *text = malloc(room);
  for (size_t got = 1; text != NULL && got > 0; r->size += got) {
    if (room - r->size < 2) {
      char *grown = realloc(text, 2 * room);
      if (grown == NULL) free(text);
      text = grown, room *= 2;
    }
    got = text != NULL ? fread(text + r->size, 1, room - r->size - 1, file) : 0;
  }
  const int broken = ferror(file);
  fclose(file);
  r->text = r->at = text;
  if (text == NULL) return fail(r, "no memory for it");
  if (broken) return fail(r, "it cannot be read");
  text[r->size] = '\0';
  return 1;
}

static int ends_in(const char *path, const char *end) {
  const size_t length = strlen(path), wanted = strlen(end);
  if (length < wanted) return 0;
  for (size_t k = 0; k < wanted; k++)
    if (tolower((unsigned char)path[length - wanted + k]) != end[k]) return 0;
  return 1;
}

int mesh_file_read(const char *path, double scale, mesh_file *out, char *error, size_t size) {
  reader r = {.path = path, .scale = scale, .out = out, .error = error, .error_size = size};
  const int is_stl = ends_in(path, ".stl"), is_obj = ends_in(path, ".obj");
  memset(out, 0, sizeof *out);
  int fine = is_stl || is_obj ? 1 : fail(&r, "its name ends neither in .stl nor in .obj");
  if (fine && !(scale > 0.0 && scale <= LARGEST)) fine = fail(&r, "the scale is %g, not between 0 and %g", scale, LARGEST);
  if (fine) fine = load(&r);
  if (fine) fine = is_stl ? read_stl(&r) : read_obj(&r);
  r.line = 0;
  if (fine && out->triangle_count == 0) fine = fail(&r, "it has no triangles");
  free(r.text);
  free(r.table);
  if (!fine) mesh_file_free(out);
  return fine;
}

void mesh_file_free(mesh_file *mesh) {
  free(mesh->points);
  free(mesh->triangles);
  memset(mesh, 0, sizeof *mesh);
}
