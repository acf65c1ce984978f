/* A progress bar with rate and time left, on standard error, only on a terminal. */
#ifndef EXAMPLES_PROGRESS_H
#define EXAMPLES_PROGRESS_H

#include <stdio.h>

typedef struct example_progress {
  int terminal;
  double total, done;    /* work, in any unit */
  double started, shown; /* [s] */
  char label[48];        /* further information: "generation 12, best 0.55"; "" */
} example_progress;

/* Seconds of a monotonic clock. */
double progress_clock(void);

void progress_begin(example_progress *bar, double total);

/* Adds work and redraws at most ten times a second. element_steps: taken since progress_begin, for the rate. */
void progress_add(example_progress *bar, double work, double element_steps);

/* Erases the bar, so that the next output starts on an empty line. */
void progress_end(example_progress *bar);

/* Columns of the terminal of standard error; those of the variable COLUMNS, or 80, if it does not tell them. */
int progress_columns(void);

/* Writes a time such as "2 min 05 s". */
void progress_duration(FILE *file, double seconds);
void progress_duration_text(char *text, size_t size, double seconds);

/* Replaces the line of the cursor by the beginning of a text that fits on it: a longer one would leave parts behind. */
void progress_line(const char *text);

#endif
