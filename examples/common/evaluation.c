#include "evaluation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the count of numbers, also beyond most; -1 if a number is wrong. */
static int read_numbers(const char *text, double *numbers, int most) {
  int count = 0;
  for (;;) {
    char *end;
    text += strspn(text, ", \t\r\n");
    if (*text == '\0') return count;
    const double number = strtod(text, &end);
    if (end == text || !isfinite(number) || (*end != '\0' && !strchr(", \t\r\n", *end))) return -1;
    if (count < most) numbers[count] = number;
    count++;
    text = end;
  }
}

int evaluation_read(const example *e, const char *option, const char *text, int least, int most, double *numbers, const char *wanted) {
  char input[4096] = "";
  if (strcmp(text, "-") == 0) input[fread(input, 1, sizeof input - 1, stdin)] = '\0';
  const int count = read_numbers(strcmp(text, "-") == 0 ? input : text, numbers, most);
  if (count >= least && count <= most) return count;
  fprintf(stderr, "%s: %s: %s\n", e->about->name, option, wanted);
  exit(2);
}

void evaluation_fail(const example *e, elastica_status status, const char *message) {
  fprintf(stderr, "%s: %s: %s\n", e->about->name, elastica_status_text(status), message);
  exit(3);
}

void evaluation_end(example *e, double objective) {
  const int ended = example_end(e);
  printf("objective %.17g\n", objective);
  if (fflush(stdout) != 0) {
    fprintf(stderr, "%s: standard output cannot be written\n", e->about->name);
    exit(3);
  }
  exit(ended);
}
