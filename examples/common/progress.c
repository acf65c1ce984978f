#define _POSIX_C_SOURCE 200809L /* clock_gettime, isatty */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

double progress_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(example_progress *bar, double total) {
  const double now = progress_clock();
  *bar = (example_progress){.terminal = isatty(STDERR_FILENO), .total = total, .started = now, .shown = now};
}

void progress_duration(FILE *file, double seconds) {
  const long whole = (long)(seconds + 0.5);
  if (whole >= 3600) {
    fprintf(file, "%ld h %02ld min", whole / 3600, whole % 3600 / 60);
  } else if (whole >= 60) {
    fprintf(file, "%ld min %02ld s", whole / 60, whole % 60);
  } else {
    fprintf(file, "%ld s", whole);
  }
}

void progress_add(example_progress *bar, double work, double element_steps) {
  enum { WIDTH = 40 };
  bar->done += work;
  if (!bar->terminal || bar->total <= 0) return;
  const double now = progress_clock();
  if (now - bar->shown < 0.1) return;
  bar->shown = now;

  const double elapsed = now - bar->started;
  const double fraction = bar->done < bar->total ? bar->done / bar->total : 1;
  char cells[WIDTH + 1];
  for (int i = 0; i < WIDTH; i++) cells[i] = i < (int)(fraction * WIDTH) ? '#' : '.';
  cells[WIDTH] = '\0';
  fprintf(stderr, "\r%s%s[%s] %3.0f %%  %.1f million element steps/s  ", bar->label, *bar->label ? " " : "", cells, 100 * fraction,
          1e-6 * element_steps / elapsed);
  if (fraction > 0) {
    progress_duration(stderr, elapsed * (1 - fraction) / fraction);
    fprintf(stderr, " left");
  }
  fprintf(stderr, "\033[K");
  fflush(stderr);
}

void progress_end(example_progress *bar) {
  if (bar->terminal) fprintf(stderr, "\r\033[K");
  bar->terminal = 0;
}
