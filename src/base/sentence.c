/* Texts: the version of the library, the names of enumerators, and parts of messages (see sentence.h). */
#include "base/target.h"

#include <elastica.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/sentence.h"

/* ---- Version and enumerators ---- */

#define ELI_TEXT(x) #x
#ifdef ELASTICA_FAST_MADD /* kernels/simd.h */
#define ELI_FAST_MADD " with ELASTICA_FAST_MADD"
#else
#define ELI_FAST_MADD ""
#endif
#define ELI_VERSION(major, minor, patch) ELI_TEXT(major) "." ELI_TEXT(minor) "." ELI_TEXT(patch) ELI_FAST_MADD

const char *elastica_version(void) {
  return ELI_VERSION(ELASTICA_VERSION_MAJOR, ELASTICA_VERSION_MINOR, ELASTICA_VERSION_PATCH);
}

const char *elastica_status_text(elastica_status status) {
  switch (status) {
  case ELASTICA_OK: return "OK";
  case ELASTICA_INVALID_ARGUMENT: return "INVALID_ARGUMENT";
  case ELASTICA_WRONG_STATE: return "WRONG_STATE";
  case ELASTICA_WRONG_VERSION: return "WRONG_VERSION";
  case ELASTICA_OUT_OF_MEMORY: return "OUT_OF_MEMORY";
  case ELASTICA_IO_ERROR: return "IO_ERROR";
  case ELASTICA_UNSTABLE_STEP: return "UNSTABLE_STEP";
  case ELASTICA_NOT_FINITE: return "NOT_FINITE";
  case ELASTICA_JOINT_TOO_FAR: return "JOINT_TOO_FAR";
  case ELASTICA_CALLBACK_FAILED: return "CALLBACK_FAILED";
  case ELASTICA_NOT_CONVERGED: return "NOT_CONVERGED";
  case ELASTICA_STOPPED: return "STOPPED";
  }
  return "unknown status";
}

/* ---- Parts of messages ---- */

/* Returns 1 for a byte that continues a UTF-8 character, so that no character is cut. */
static int continues(char byte) {
  return ((unsigned char)byte & 0xc0) == 0x80;
}

const char *eli_shorten(const char *text, char *out, size_t size) {
  const size_t length = strlen(text);
  if (length < size) return memcpy(out, text, length + 1);
  size_t head = (size - 4) / 2, tail = length - (size - 4 - head);
  while (head > 0 && continues(text[head])) head--;
  while (tail < length && continues(text[tail])) tail++;
  memcpy(out, text, head);
  memcpy(out + head, "...", 3);
  memcpy(out + head + 3, text + tail, length - tail + 1);
  return out;
}

void eli_write(char *text, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, size, format, arguments);
  va_end(arguments);
}

const char *eli_status_words(elastica_status status, char out[ELI_STATUS_WORDS_SIZE]) {
  const int known = status >= ELASTICA_OK && status <= ELASTICA_STOPPED;
  if (known)
    snprintf(out, ELI_STATUS_WORDS_SIZE, "%s", elastica_status_text(status));
  else
    snprintf(out, ELI_STATUS_WORDS_SIZE, "status %d", (int)status);
  return out;
}

const char *eli_comparison(double dt, double stable, char out[ELI_COMPARISON_SIZE]) {
  char first[32], second[32], factor[32];
  const double ratio = dt / stable; /* above 1 also for neighbours: eps/stable with 1 < stable < 2 is more than half of eps */
  int digits = 6;
  do {
    snprintf(first, sizeof first, "%.*g", digits, dt);
    snprintf(second, sizeof second, "%.*g", digits, stable);
  } while (dt != stable && strcmp(first, second) == 0 && digits++ < 17);
  digits = 3;
  do {
    snprintf(factor, sizeof factor, "%.*g", digits, ratio);
  } while (ratio != 1.0 && strcmp(factor, "1") == 0 && digits++ < 17);
  snprintf(out, ELI_COMPARISON_SIZE, "%s s is %s times the stable %s s", first, factor, second);
  return out;
}
