/* The result tables of the bundled programs, read from their output, and a table of all of them. */
#ifndef EXAMPLES_REPORT_H
#define EXAMPLES_REPORT_H

#include <stdio.h>

/* One "result" line, word by word. */
typedef struct report_row {
  char quantity[64], computed[32], expected[32], tolerance[32], verdict[8];
} report_row;

typedef enum report_state { REPORT_WAITING, REPORT_RUNNING, REPORT_DONE, REPORT_BROKEN, REPORT_MISSING } report_state;

/* A published system: its program and its results. */
typedef struct report_system {
  const char *name, *figure;
  const char *headline; /* the last checked quantity with this word represents the program; else the one nearest to its tolerance */
  int alone;            /* 1: measures time, so no other program may run at the same time */
  int first;            /* 1: starts before the others, so that the gallery has a scene soon */

  int wanted;
  report_state state;
  int kept;                 /* 1: from an earlier run */
  double estimate, seconds; /* [s] estimate: 0 if unknown */
  report_row *rows;
  int row_count, checked, passed;
  char *message; /* cause of a broken row */
} report_system;

/* Reads the result lines of a program's output. Returns NULL, or the reason for which they cannot belong to a program with this exit
 * status. */
const char *report_read(report_system *system, const char *text, int status);

/* Reads the duration of a mode from a program's --help: entry is "--full", for example. */
void report_estimate(report_system *system, const char *help, const char *entry);

/* The headline row, or NULL; failed rows have a verdict of FAIL. */
const report_row *report_headline(const report_system *system);

typedef enum report_format { REPORT_PLAIN, REPORT_MARKDOWN } report_format;

void report_print_head(FILE *file, report_format format);

/* Prints the rows of one system: its headline and the first failed rows, or all. */
void report_print(FILE *file, report_format format, const report_system *system, const char *mode, int all);

/* Prints all rows of one system, separated by commas; the head if system is NULL. */
void report_print_csv(FILE *file, const report_system *system, const char *mode);

#endif
