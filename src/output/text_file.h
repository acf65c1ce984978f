/* Text files of the writers. The first error is kept and returned by every later call. Numbers do not depend on the locale. */
#ifndef ELI_TEXT_FILE_H
#define ELI_TEXT_FILE_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>
#include <stdio.h>

/* Size of the text of a number: 24 characters, the longest decimal point of a locale before its replacement, and the final 0. */
enum { ELI_NUMBER_SIZE = 48 };

typedef struct eli_text_file {
  FILE *file;
  int error; /* errno of the first failure; nothing is written after it */
} eli_text_file;

/* Additional bytes of the path of a draft: ".", the process id, "-", a number, ".tmp" and the final 0. */
enum { ELI_DRAFT_ROOM = 48 };

/* Each function returns the first error so far, 0 for none; after an error it does nothing. eli_text_draft creates a file beside path under
 * a unique name and writes that name to draft, which has room for ELI_DRAFT_ROOM more bytes than path. */
int eli_text_open(eli_text_file *text, const char *path);
int eli_text_draft(eli_text_file *text, char *draft, const char *path);
int eli_text_put(eli_text_file *text, const char *characters, size_t count);
int eli_text_print(eli_text_file *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ; /* not for floating point: printf uses the locale's decimal point */
int eli_text_flush(eli_text_file *text);
int eli_text_close(eli_text_file *text);

/* Writes a number with the fewest of 15, 16 or 17 digits that read back to the same bits, or "nan", "inf", "-inf". Returns the length. */
size_t eli_number_text(char out[ELI_NUMBER_SIZE], double value);

/* Refuses with a message such as "csv_open: 'out/run.csv' cannot be written: No such file or directory". */
elastica_status eli_refuse_file(elastica_world *world, const char *function, const char *path, int error);

/* Refuses a path occupied by a directory, a device, a pipe or a symbolic link, because a new file must not replace these. */
elastica_status eli_check_place(elastica_world *world, const char *function, const char *path);

#endif
