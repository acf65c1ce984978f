#define _POSIX_C_SOURCE 200809L /* clock_gettime, isatty */
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifndef _WIN32
#include <sys/ioctl.h>
#endif

double progress_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(example_progress *bar, double total) {
  const double now = progress_clock();
  *bar = (example_progress){.terminal = isatty(STDERR_FILENO), .total = total, .started = now, .shown = now};
}

int progress_columns(void) {
  const char *given = getenv("COLUMNS");
#ifdef TIOCGWINSZ
  struct winsize window;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) return window.ws_col;
#endif
  return given != NULL && atoi(given) > 0 ? atoi(given) : 80;
}

void progress_duration_text(char *text, size_t size, double seconds) {
  const long whole = (long)(seconds + 0.5);
  if (whole >= 3600) {
    snprintf(text, size, "%ld h %02ld min", whole / 3600, whole % 3600 / 60);
  } else if (whole >= 60) {
    snprintf(text, size, "%ld min %02ld s", whole / 60, whole % 60);
  } else {
    snprintf(text, size, "%ld s", whole);
  }
}

void progress_duration(FILE *file, double seconds) {
  char text[64];
  progress_duration_text(text, sizeof text, seconds);
  fputs(text, file);
}

void progress_line(const char *text) {
  fprintf(stderr, "\r%.*s\033[K", progress_columns() - 1, text);
  fflush(stderr);
}

void progress_add(example_progress *bar, double work, double element_steps) {
  enum { WIDTH = 40 };
  bar->done += work;
  if (!bar->terminal || bar->total <= 0) return;
  const double now = progress_clock();
  if (now - bar->shown < 0.1) return;
  bar->shown = now;

  const double elapsed = now - bar->started, fraction = bar->done < bar->total ? bar->done / bar->total : 1;
  char cells[WIDTH + 1], left[64] = "", rest[160];
  if (fraction > 0) progress_duration_text(left, sizeof left, elapsed * (1 - fraction) / fraction);
  snprintf(rest, sizeof rest, "%3.0f %%  %.1f million element steps/s  %s%s", 100 * fraction, 1e-6 * element_steps / elapsed, left,
           *left ? " left" : "");
  /* On a narrow terminal the bar gives way first. */
  const int more = progress_columns() - 1 - (int)(strlen(bar->label) + strlen(rest) + 4);
  const int width = more < 0 ? 0 : more < WIDTH ? more : WIDTH;
  for (int i = 0; i < width; i++) cells[i] = i < (int)(fraction * width) ? '#' : '.';
  cells[width] = '\0';
  char line[sizeof bar->label + sizeof cells + sizeof rest + 4];
  snprintf(line, sizeof line, "%s%s[%s] %s", bar->label, *bar->label ? " " : "", cells, rest);
  progress_line(line);
}

void progress_end(example_progress *bar) {
  if (bar->terminal) fprintf(stderr, "\r\033[K");
  bar->terminal = 0;
}
