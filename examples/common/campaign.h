/* Runs the programs of several systems, some at a time, and fills in their reports. */
#ifndef EXAMPLES_CAMPAIGN_H
#define EXAMPLES_CAMPAIGN_H

#include "child.h"
#include "options.h"
#include "report.h"

enum { CAMPAIGN_PATH = 4096 };

typedef struct campaign {
  const char *name; /* for messages */
  report_system *systems;
  child *children; /* one for each system */
  int count;
  example_mode mode;
  int at_once;
  const char *out;            /* NULL: nothing is written */
  char folder[CAMPAIGN_PATH]; /* of the programs */
} campaign;

const char *campaign_mode(const campaign *c);

/* Ends the programs that run, then this one, with a sentence on standard error. */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 3, 4)))
#endif
void campaign_leave(const campaign *c, int status, const char *format, ...);

/* "folder/name" or "folder/subfolder/name". */
void campaign_path(const campaign *c, char path[CAMPAIGN_PATH], const char *folder, const char *subfolder, const char *name);

/* Finds the folder of this program, where the others lie, and looks which of them are there and how long each says that it takes. With
 * --full and a folder to write to, takes up rows that are finished there, unless the program is newer. */
void campaign_prepare(campaign *c, const char *started_as);

/* Starts programs in order as long as there is room. Returns how many run. */
int campaign_fill(campaign *c);

/* Waits for the first that ends, or for half a second. */
void campaign_wait(campaign *c);

/* Reads what those that have ended said. Returns how many. */
int campaign_judge(campaign *c);

/* Seconds that the rest will take, by what the programs say of themselves. */
double campaign_time_left(const campaign *c);

#endif
