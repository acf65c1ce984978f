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

/* Starts argv[0], a path, with an empty standard input. 0, or errno of what failed. */
int child_start(child *c, char *const argv[]);

/* Gathers what the children that run have printed, and ends with the first that ends or after the time. Returns how many ended. */
int child_wait(child *list, int count, int milliseconds);

/* Ends a child that runs. */
void child_stop(child *c);

void child_free(child *c);

#endif
