/* Runs the programs of several systems, some at a time, and fills in their reports. */
#ifndef EXAMPLES_CAMPAIGN_H
#define EXAMPLES_CAMPAIGN_H

#include "child.h"
#include "common/options.h"
#include "report.h"

enum { CAMPAIGN_PATH = 4096 };

typedef struct campaign {
  const char *name; /* for messages */
  report_system *systems;
  child *children; /* one per system */
  int count;
  example_mode mode;
  int at_once;
  const char *out;            /* NULL: no files */
  char folder[CAMPAIGN_PATH]; /* of the programs */
} campaign;

const char *campaign_mode(const campaign *c);

/* Stops the running programs, then this program, with a sentence on standard error. */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 3, 4)))
#endif
void campaign_leave(const campaign *c, int status, const char *format, ...);

/* "folder/name" or "folder/subfolder/name". */
void campaign_path(const campaign *c, char path[CAMPAIGN_PATH], const char *folder, const char *subfolder, const char *name);

/* Finds the folder of this program, the existing programs in it, and their stated durations. With --full and an output folder, rows that
 * are finished there are used, unless the program is newer. */
void campaign_prepare(campaign *c, const char *started_as);

/* Starts programs in order, at_once at most. Returns how many are running. */
int campaign_fill(campaign *c);

/* Waits until a program ends, half a second at most. */
void campaign_wait(campaign *c);

/* Reads the results of the programs that have ended. Returns their number. */
int campaign_judge(campaign *c);

/* Seconds that the remaining programs will take, by their own estimates. */
double campaign_time_left(const campaign *c);

#endif
