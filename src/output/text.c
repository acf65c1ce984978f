/* Text of the writers (see text.h).
 *
 * source     base64: RFC 4648
 * test       tests/test_csv.c, tests/test_vtk.c, tests/test_view.c
 */
#include "base/target.h"

#include "output/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/sentence.h"
#include "base/system.h"
#include "state/world.h"
#include "state/definition.h"

/* ---- Numbers and bytes as text ---- */

/* Replaces the decimal point of the locale, which may have several bytes: all bytes that are not digits, signs or exponents. */
static size_t replace_decimal_point(char *number) {
  const char *const plain = "0123456789+-e";
  char *to = number;
  for (const char *from = number; *from != '\0';) {
    const size_t kept = strspn(from, plain);
    memmove(to, from, kept);
    to += kept;
    from += kept;
    const size_t replaced = strcspn(from, plain);
    if (replaced != 0) *to++ = '.';
    from += replaced;
  }
  *to = '\0';
  return (size_t)(to - number);
}

size_t eli_number_text(char out[ELI_NUMBER_SIZE], double value) {
  if (!eli_is_finite(value)) {
    const char *word = value > 0 ? "inf" : value < 0 ? "-inf" : "nan";
    memcpy(out, word, strlen(word) + 1);
    return strlen(word);
  }
  for (int digits = 15; digits <= 17; digits++) { /* 17 digits always suffice, but would write 0.1 as 0.10000000000000001 */
    snprintf(out, ELI_NUMBER_SIZE, "%.*g", digits, value);
    if (strtod(out, NULL) == value) break;
  }
  return replace_decimal_point(out);
}

size_t eli_base64(const unsigned char *bytes, size_t count, char *out) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t length = 0;
  for (size_t b = 0; b < count; b += 3) {
    const unsigned first = bytes[b];
    const unsigned second = b + 1 < count ? bytes[b + 1] : 0;
    const unsigned third = b + 2 < count ? bytes[b + 2] : 0;
    out[length++] = digits[first >> 2];
    out[length++] = digits[(first & 3) << 4 | second >> 4];
    out[length++] = b + 1 < count ? digits[(second & 15) << 2 | third >> 6] : '=';
    out[length++] = b + 2 < count ? digits[third & 63] : '=';
  }
  return length;
}

/* Smallest code of each length: a longer form of a code is not UTF-8, nor are surrogates and codes beyond 0x10ffff. */
size_t eli_find_not_utf8(const char *text) {
  static const unsigned long least[5] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char *const begin = (const unsigned char *)text, *c = begin;
  while (*c != '\0') {
    const int length = *c < 0x80 ? 1 : *c >= 0xc2 && *c < 0xe0 ? 2 : *c >= 0xe0 && *c < 0xf0 ? 3 : *c >= 0xf0 && *c < 0xf5 ? 4 : 0;
    unsigned long code = *c & (length > 1 ? 0x7fu >> length : 0x7fu);
    int k = 1;
    for (; k < length && (c[k] & 0xc0) == 0x80; k++) code = code << 6 | (c[k] & 0x3fu);
    if (length == 0 || k < length || code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
      return (size_t)(c - begin);
    c += length;
  }
  return SIZE_MAX;
}

/* ---- Text in memory ---- */

eli_bytes eli_bytes_make(const eli_allocator *allocator) {
  return (eli_bytes){.allocator = allocator};
}

void eli_bytes_free(eli_bytes *bytes) {
  if (bytes->allocator != NULL) eli_release(bytes->allocator, bytes->data);
  *bytes = eli_bytes_make(bytes->allocator);
}

unsigned char *eli_bytes_reserve(eli_bytes *bytes, size_t more) {
  assert(bytes->count <= bytes->room && (bytes->count == 0 || bytes->data != NULL));
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

void eli_bytes_member(eli_bytes *bytes, const char *name, double value) {
  eli_bytes_print(bytes, ",\"%s\":", name);
  eli_bytes_number(bytes, value);
}

void eli_bytes_vector_member(eli_bytes *bytes, const char *name, const double value[3]) {
  eli_bytes_print(bytes, ",\"%s\":", name);
  for (int a = 0; a < 3; a++) {
    eli_bytes_text(bytes, a == 0 ? "[" : ",");
    eli_bytes_number(bytes, value[a]);
  }
  eli_bytes_text(bytes, "]");
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
  unsigned char *to = eli_bytes_reserve(bytes, ELI_BASE64_SIZE(count));
  if (to != NULL) bytes->count += eli_base64(data, count, (char *)to);
}

/* ---- Text in files ---- */

/* Keeps the first error. The C standard does not require these calls to set errno. */
static int keep_error(eli_text_file *text, int failed) {
  if (failed && text->error == 0) text->error = errno != 0 ? errno : EIO;
  return text->error;
}

int eli_text_open(eli_text_file *text, const char *path) {
  errno = 0;
  text->error = 0;
  text->file = eli_file_create(path);
  return keep_error(text, text->file == NULL);
}

/* ---- Drafts ---- */

/* Finds the position in path that an ending of so many bytes replaces if the name with this ending appended would be too long. It does not
 * split a UTF-8 character. Returns 0 if the name has no more bytes than the ending. */
static size_t shorten_by(const char *path, size_t bytes) {
  size_t end = strlen(path);
  const char *const name = eli_file_name(path);
  if (strlen(name) <= bytes) return 0;
  for (end -= bytes; end > (size_t)(name - path) && ((unsigned char)path[end] & 0xc0) == 0x80; end--) {
  }
  return end;
}

/* Creates a draft. An existing file is never opened, so that two writers never share a draft. */
static FILE *make_draft(char *draft, const char *path, const char *ending) {
  const size_t end = strlen(ending) + 1;
  size_t length = strlen(path);
  memcpy(draft, path, length);
  memcpy(draft + length, ending, end);
  errno = 0;
  FILE *file = eli_file_create_new(draft);
  if (file != NULL || errno != ENAMETOOLONG || (length = shorten_by(path, end - 1)) == 0) return file;
  memcpy(draft + length, ending, end);
  errno = 0;
  return eli_file_create_new(draft);
}

/* The name contains the process id, and a number that distinguishes its threads and drafts left by an earlier process of the same id. */
int eli_text_draft(eli_text_file *text, char *draft, const char *path) {
  enum { TRIES = 10000 };
  char ending[ELI_DRAFT_ROOM];
  text->error = 0;
  text->file = NULL;
  for (int k = 0; k < TRIES && text->file == NULL; k++) {
    snprintf(ending, sizeof ending, ".%ld-%d.tmp", eli_process_number(), k);
    text->file = make_draft(draft, path, ending);
    if (text->file == NULL && errno != EEXIST) break;
  }
  if (keep_error(text, text->file == NULL) != 0 || eli_file_kind_of(path) != ELI_FILE_REGULAR) return text->error;
  errno = 0;
  if (keep_error(text, !eli_file_copy_mode(text->file, path)) == 0) return 0;
  fclose(text->file);
  text->file = NULL;
  remove(draft);
  return text->error;
}

/* ---- Writing to files ---- */

int eli_text_put(eli_text_file *text, const char *characters, size_t count) {
  if (text->error != 0) return text->error;
  errno = 0;
  return keep_error(text, fwrite(characters, 1, count, text->file) != count);
}

int eli_text_print(eli_text_file *text, const char *format, ...) {
  if (text->error != 0) return text->error;
  va_list arguments;
  va_start(arguments, format);
  errno = 0;
  const int written = vfprintf(text->file, format, arguments);
  va_end(arguments);
  return keep_error(text, written < 0);
}

int eli_text_flush(eli_text_file *text) {
  if (text->error != 0) return text->error;
  errno = 0;
  return keep_error(text, fflush(text->file) != 0);
}

int eli_text_close(eli_text_file *text) {
  if (text->file == NULL) return text->error;
  errno = 0;
  const int failed = fclose(text->file) != 0;
  text->file = NULL;
  return keep_error(text, failed);
}

/* ---- Places of files ---- */

elastica_status eli_refuse_file(elastica_world *world, const char *function, const char *path, int error) {
  char label[ELI_PATH_LABEL_SIZE];
  return elastica_world_refuse(world, ELASTICA_IO_ERROR, "%s: '%s' cannot be written: %s", function, eli_shorten(path, label, sizeof label),
                               strerror(error));
}

static elastica_status refuse_place(elastica_world *world, const char *function, const char *path, const char *kind) {
  char label[ELI_PATH_LABEL_SIZE];
  return elastica_world_refuse(world, ELASTICA_IO_ERROR, "%s: '%s' cannot be written: it is %s", function,
                               eli_shorten(path, label, sizeof label), kind);
}

static elastica_status check_kind(elastica_world *world, const char *function, const char *path, eli_file_kind kind) {
  if (kind == ELI_FILE_NONE || kind == ELI_FILE_REGULAR) return ELASTICA_OK;
  return refuse_place(world, function, path,
                      kind == ELI_FILE_DIRECTORY ? "a directory"
                      : kind == ELI_FILE_LINK    ? "a symbolic link"
                                                 : "no regular file");
}

elastica_status eli_find_place(elastica_world *world, const char *function, const char *path, char **resolved) {
  const eli_file_kind kind = eli_file_kind_of(path);
  *resolved = NULL;
  if (kind != ELI_FILE_LINK) return check_kind(world, function, path, kind);
  *resolved = eli_file_resolve(path);
  const eli_file_kind behind = *resolved != NULL ? eli_file_kind_of(*resolved) : ELI_FILE_NONE;
  if (behind == ELI_FILE_NONE) return refuse_place(world, function, path, "a symbolic link that leads to no file");
  return check_kind(world, function, path, behind);
}

static elastica_status refuse_used(elastica_world *world, const char *function, const char *path, const char *user) {
  char label[ELI_PATH_LABEL_SIZE];
  return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "%s: another writer%s has '%s' open: close it first", function, user,
                               eli_shorten(path, label, sizeof label));
}

/* Claims a place for a writer of the world, or with NULL for a file that replaces it as a whole. */
static elastica_status claim_place(elastica_world *world, const char *function, const char *path, const eli_writer *writer, int *claim) {
  *claim = ELI_NO_CLAIM;
  for (const eli_writer *other = world->writers; other != NULL; other = other->next)
    if (other != writer && eli_file_is_same_place(other->path, path)) return refuse_used(world, function, path, " of this world");
  const int claimed = eli_file_claim(path, writer != NULL ? ELI_CLAIM_EXCLUSIVE : ELI_CLAIM_SHARED, claim);
  return claimed ? ELASTICA_OK : refuse_used(world, function, path, "");
}

elastica_status eli_writer_add(elastica_world *world, const char *function, eli_writer *writer, const char *path) {
  int claim;
  const elastica_status status = claim_place(world, function, path, writer, &claim);
  if (status != ELASTICA_OK) return status;
  *writer = (eli_writer){world->writers, path, claim};
  world->writers = writer;
  return ELASTICA_OK;
}

void eli_writer_remove(elastica_world *world, eli_writer *writer) {
  for (eli_writer **at = &world->writers; *at != NULL; at = &(*at)->next)
    if (*at == writer) {
      *at = writer->next;
      eli_file_release(&writer->claim);
      return;
    }
}

elastica_status eli_writer_claim(elastica_world *world, const char *function, eli_writer *writer) {
  eli_file_release(&writer->claim);
  return claim_place(world, function, writer->path, writer, &writer->claim);
}

elastica_status eli_check_unused(elastica_world *world, const char *function, const char *path) {
  int claim;
  const elastica_status status = claim_place(world, function, path, NULL, &claim);
  eli_file_release(&claim);
  return status;
}

/* Replaces the file of a path, which is claimed meanwhile: by its writer, or for this replacement. */
static elastica_status replace_claimed(elastica_world *world, const char *function, const char *draft, const char *path,
                                       eli_writer *writer) {
  int own = ELI_NO_CLAIM;
  const elastica_status status =
      writer != NULL ? eli_writer_claim(world, function, writer) : claim_place(world, function, path, NULL, &own);
  errno = 0;
  const int is_replaced = status == ELASTICA_OK && eli_file_replace(draft, path);
  const int error = errno != 0 ? errno : EIO;
  eli_file_release(&own);
  if (status != ELASTICA_OK) return status;
  if (!is_replaced) return eli_refuse_file(world, function, path, error);
  return writer != NULL ? eli_writer_claim(world, function, writer) : ELASTICA_OK;
}

elastica_status eli_publish(elastica_world *world, const char *function, const char *draft, const char *path, eli_writer *writer) {
  elastica_status status = check_kind(world, function, path, eli_file_kind_of(path));
  if (status == ELASTICA_OK) status = replace_claimed(world, function, draft, path, writer);
  if (status != ELASTICA_OK) remove(draft);
  return status;
}
