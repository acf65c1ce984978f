/* Parts of messages: long names, unknown statuses, and factors close to 1. */
#ifndef ELI_SENTENCE_H
#define ELI_SENTENCE_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>

enum {
  ELI_MESSAGE_SIZE = 1024,  /* a complete message */
  ELI_REASON_SIZE = 160,    /* a part of a message */
  ELI_LABEL_SIZE = 64,      /* the name of an effect in a message */
  ELI_PATH_LABEL_SIZE = 400 /* a path in a message */
};

/* Copies text into out, of size bytes (at least 8). A longer text loses its middle to "...", because both ends of a sentence carry more
 * information. Returns out. */
const char *eli_shorten(const char *text, char *out, size_t size);

/* Does the work of snprintf for modules, because these include no header of input and output. */
void eli_write(char *text, size_t size, const char *format, ...) ELI_PRINTF(3, 4);

enum { ELI_STATUS_WORDS_SIZE = 32 };

/* Writes "CALLBACK_FAILED", or "status 777" for a number that is not a status. Returns out. */
const char *eli_status_words(elastica_status status, char out[ELI_STATUS_WORDS_SIZE]);

enum { ELI_COMPARISON_SIZE = 160 };

/* Writes "0.001 s is 41 times the stable 2.4e-05 s" with enough digits to distinguish the two steps. Returns out. */
const char *eli_comparison(double dt, double stable, char out[ELI_COMPARISON_SIZE]);

#endif
