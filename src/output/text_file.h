/* Text files of the writers: the first error is kept until somebody asks, and numbers do not depend on the locale. */
#ifndef ELI_TEXT_FILE_H
#define ELI_TEXT_FILE_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>
#include <stdio.h>

/* Room for a number: 24 characters, the longest decimal point of a locale while it is being replaced, and the end. */
enum { ELI_NUMBER_SIZE = 48 };

typedef struct eli_text_file {
  FILE *file;
  int error; /* errno of the first failure; nothing is written after it */
} eli_text_file;

/* Each returns the error so far, 0 for none. A file that could not be opened takes the calls that follow and does nothing. */
int eli_text_open(eli_text_file *text, const char *path);
int eli_text_put(eli_text_file *text, const char *characters, size_t count);
int eli_text_print(eli_text_file *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ; /* not for floating point: printf asks the locale */
int eli_text_flush(eli_text_file *text);
int eli_text_close(eli_text_file *text);

/* The shortest of 15, 16 and 17 digits that reads back to the same bits; "nan", "inf", "-inf". Returns the length. */
size_t eli_number_text(char out[ELI_NUMBER_SIZE], double value);

/* "csv_open: 'out/run.csv' cannot be written: No such file or directory" into the world's message. */
elastica_status eli_refuse_file(elastica_world *world, const char *function, const char *path, int error);

#endif
