/* Programs run as child processes, several at a time; what they print is kept. */
#ifndef EXAMPLES_CHILD_H
#define EXAMPLES_CHILD_H

#include <stddef.h>

enum { CHILD_OUT, CHILD_ERR, CHILD_STREAMS };

typedef struct child {
  long process; /* 0: not running */
  int status;   /* once it has ended: its exit status, or minus the signal that ended it */
  double started, seconds;
  char *text[CHILD_STREAMS]; /* what it wrote to standard output and standard error; NULL: nothing */
  size_t size[CHILD_STREAMS];
  int stream[CHILD_STREAMS]; /* -1: closed */
} child;

/* Starts argv[0], a path, with an empty standard input. Returns 0, or the errno of the call that failed. */
int child_start(child *c, char *const argv[]);

/* Reads what the running children print, until one of them ends or the time is over. Returns how many ended. */
int child_wait(child *list, int count, int milliseconds);

/* Ends a child if it is running. */
void child_stop(child *c);

void child_free(child *c);

#endif
