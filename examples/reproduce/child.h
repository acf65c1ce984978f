/* Programs run as child processes, several at a time; their output is kept. */
#ifndef EXAMPLES_CHILD_H
#define EXAMPLES_CHILD_H

#include <stddef.h>

enum { CHILD_OUT, CHILD_ERR, CHILD_STREAMS };

typedef struct child {
  long process; /* 0: not running */
  int status;   /* after its end: its exit status, or minus the signal that ended it */
  double started, seconds;
  char *text[CHILD_STREAMS]; /* its standard output and standard error; NULL: empty */
  size_t size[CHILD_STREAMS];
  int stream[CHILD_STREAMS]; /* -1: closed */
} child;

/* Starts argv[0], a path, with an empty standard input. Returns 0, or the errno of the failed call. */
int child_start(child *c, char *const argv[]);

/* Reads the output of the running children until a child ends or the time is over. Returns the number of ended children. */
int child_wait(child *list, int count, int milliseconds);

/* Ends a child if it is running. */
void child_stop(child *c);

void child_free(child *c);

#endif
