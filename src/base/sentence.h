/* Parts of sentences: names that may be long, statuses that may be unknown, factors that may be close to 1. */
#ifndef ELI_SENTENCE_H
#define ELI_SENTENCE_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>

enum {
  ELI_MESSAGE_SIZE = 1024,  /* of a whole sentence */
  ELI_REASON_SIZE = 160,    /* of a part of one */
  ELI_LABEL_SIZE = 64,      /* of the name of an effect in it */
  ELI_PATH_LABEL_SIZE = 400 /* of a path in it */
};

/* text into out, of size bytes (8 at least). What does not fit loses its middle, "...": both ends of a sentence say more than that. Returns
 * out. */
const char *eli_shorten(const char *text, char *out, size_t size);

/* As snprintf, for modules, which include no header of input and output. */
void eli_write(char *text, size_t size, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

enum { ELI_STATUS_WORDS_SIZE = 32 };

/* "CALLBACK_FAILED", or "status 777" for what is no status. */
const char *eli_status_words(elastica_status status, char out[ELI_STATUS_WORDS_SIZE]);

enum { ELI_COMPARISON_SIZE = 160 };

/* "0.001 s is 41 times the stable 2.4e-05 s", with as many digits as it takes to tell the two steps apart. */
const char *eli_comparison(double dt, double stable, char out[ELI_COMPARISON_SIZE]);

#endif
