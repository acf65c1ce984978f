/* Text of the writers: numbers and bytes as text, text in memory (eli_bytes), text in files (eli_text_file). Numbers do not depend on the
 * locale. */
#ifndef ELI_TEXT_H
#define ELI_TEXT_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/memory.h"

/* ---- Numbers and bytes as text ---- */

/* Size of the text of a number: 24 characters, the longest decimal point of a locale before its replacement, and the final 0. */
enum { ELI_NUMBER_SIZE = 48 };

/* Writes a number with the fewest of 15, 16 or 17 digits that read back to the same bits, or "nan", "inf", "-inf". Returns the length. */
size_t eli_number_text(char out[ELI_NUMBER_SIZE], double value);

/* Characters of base64 for so many bytes. */
#define ELI_BASE64_SIZE(bytes) (((bytes) + 2) / 3 * 4)

/* Writes bytes in base64, without a final 0. Returns the number of characters, ELI_BASE64_SIZE(count). */
size_t eli_base64(const unsigned char *bytes, size_t count, char *out);

/* Index of the first byte that is not UTF-8; SIZE_MAX if there is none. */
size_t eli_find_not_utf8(const char *text);

/* ---- Text in memory: a growing byte buffer ---- */

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

/* Appends at most 255 characters. Not for floating point: printf uses the decimal point of the locale. */
void eli_bytes_print(eli_bytes *bytes, const char *format, ...) ELI_PRINTF(2, 3);

/* Appends a number in JSON; null if it is not finite. */
void eli_bytes_number(eli_bytes *bytes, double value);

/* Append a further member of a JSON object, after a comma: a number, or the numbers of a vector. */
void eli_bytes_member(eli_bytes *bytes, const char *name, double value);
void eli_bytes_vector_member(eli_bytes *bytes, const char *name, const double value[3]);

/* Appends text as a JSON string that is also safe inside an HTML script element. */
void eli_bytes_quote(eli_bytes *bytes, const char *text);

/* Appends data in base64. */
void eli_bytes_base64(eli_bytes *bytes, const unsigned char *data, size_t count);

/* ---- Text in files. The first error is kept and returned by every later call. ---- */

typedef struct eli_text_file {
  FILE *file;
  int error; /* errno of the first failure; nothing is written after it */
} eli_text_file;

/* Additional bytes of the path of a draft: ".", the process id, "-", a number, ".tmp" and the final 0. */
enum { ELI_DRAFT_ROOM = 48 };

/* Each function returns the first error so far, 0 for none; after an error it does nothing. eli_text_draft creates a file beside path under
 * a unique name, with the mode of a file that stands at path, and writes that name to draft, which has room for ELI_DRAFT_ROOM more bytes
 * than path. */
int eli_text_open(eli_text_file *text, const char *path);
int eli_text_draft(eli_text_file *text, char *draft, const char *path);
int eli_text_put(eli_text_file *text, const char *characters, size_t count);
int eli_text_print(eli_text_file *text, const char *format, ...) ELI_PRINTF(2, 3); /* not for floating point, as eli_bytes_print */
int eli_text_flush(eli_text_file *text);
int eli_text_close(eli_text_file *text);

/* ---- Places of files ---- */

/* Refuses with a message such as "csv_open: 'out/run.csv' cannot be written: No such file or directory". */
elastica_status eli_refuse_file(elastica_world *world, const char *function, const char *path, int error);

/* Finds the place of the file that renaming a draft replaces or creates. Refuses a directory, a device and a pipe, because a file must not
 * replace these, and a link that leads to no file. *resolved: the place that symbolic links lead to, to be released with free; NULL if path
 * is the place itself. */
elastica_status eli_find_place(elastica_world *world, const char *function, const char *path, char **resolved);

/* A file that a writer has open: its place in the list of the world, and a claim for writers of other worlds. */
typedef struct eli_writer {
  struct eli_writer *next;
  const char *path;
  int claim;
} eli_writer;

/* Adds a writer, which keeps its path in memory. A second writer of the same place is refused: each would spoil the contents of the
 * other. */
elastica_status eli_writer_add(elastica_world *world, const char *function, eli_writer *writer, const char *path);
void eli_writer_remove(elastica_world *world, eli_writer *writer);

/* Claims the file that now stands at the path of a writer. Refuses if another writer has claimed it. */
elastica_status eli_writer_claim(elastica_world *world, const char *function, eli_writer *writer);

/* Refuses a place that a writer has open. */
elastica_status eli_check_unused(elastica_world *world, const char *function, const char *path);

/* Renames a complete draft to its path, or removes it on failure. Refuses as eli_find_place, symbolic links, and a place that another
 * writer has open. writer: that of the place, or NULL. */
elastica_status eli_publish(elastica_world *world, const char *function, const char *draft, const char *path, eli_writer *writer);

#endif
