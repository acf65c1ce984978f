#define _POSIX_C_SOURCE 200809L /* access, readlink, stat */
#include "campaign.h"
#include "common/progress.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In the order of example_mode: the name of a mode, its option, and its entry in a help text. */
static const char *const MODE[] = {"default", "quick", "full"};
static const char *const OPTION[] = {NULL, "--quick", "--full"};
static const char *const ENTRY[] = {"(no option)", "--quick", "--full"};

const char *campaign_mode(const campaign *c) {
  return MODE[c->mode];
}

void campaign_leave(const campaign *c, int status, const char *format, ...) {
  va_list arguments;
  for (int i = 0; i < c->count; i++) child_stop(&c->children[i]);
  fprintf(stderr, "%s: ", c->name);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(status);
}

void campaign_path(const campaign *c, char path[CAMPAIGN_PATH], const char *folder, const char *subfolder, const char *name) {
  const char *between = subfolder ? subfolder : "", *slash = subfolder ? "/" : "";
  const int length = snprintf(path, CAMPAIGN_PATH, "%s/%s%s%s", folder, between, slash, name);
  if (length < 0 || length >= CAMPAIGN_PATH) campaign_leave(c, 3, "%s: the name of this folder is too long", folder);
}

static void program_path(const campaign *c, char path[CAMPAIGN_PATH], const report_system *system) {
  campaign_path(c, path, c->folder, NULL, system->name);
}

/* ---- Rows that survive an interruption ---- */

/* DIR/NAME/finished.txt: a line with status and seconds, then the output of the program. It is removed when the program starts again in
 * this folder, in any mode, because the row describes the files beside it. */
static void forget(const campaign *c, const report_system *system) {
  char path[CAMPAIGN_PATH];
  campaign_path(c, path, c->out, system->name, "finished.txt");
  if (unlink(path) != 0 && errno != ENOENT && errno != ENOTDIR) campaign_leave(c, 3, "%s: %s", path, strerror(errno));
}

static void keep(const campaign *c, const report_system *system, const child *ended) {
  char path[CAMPAIGN_PATH], draft[CAMPAIGN_PATH];
  campaign_path(c, path, c->out, system->name, "finished.txt");
  campaign_path(c, draft, c->out, system->name, "finished.draft");
  FILE *file = fopen(draft, "w");
  if (!file) campaign_leave(c, 3, "%s: %s", draft, strerror(errno));
  fprintf(file, "status %d seconds %.3f\n%s", ended->status, ended->seconds, ended->text[CHILD_OUT]);
  const int broken = ferror(file);
  if (fclose(file) != 0 || broken || rename(draft, path) != 0) campaign_leave(c, 3, "%s: %s", path, strerror(errno));
}

static void take_up(const campaign *c, report_system *system) {
  char path[CAMPAIGN_PATH], program[CAMPAIGN_PATH];
  struct stat row, built;
  int status = 0;
  campaign_path(c, path, c->out, system->name, "finished.txt");
  program_path(c, program, system);
  if (stat(path, &row) != 0 || stat(program, &built) != 0 || built.st_mtime >= row.st_mtime) return;
  char *text = malloc((size_t)row.st_size + 1);
  FILE *file = fopen(path, "r");
  if (file && text) {
    text[fread(text, 1, (size_t)row.st_size, file)] = '\0';
    system->kept = sscanf(text, "status %d seconds %lf", &status, &system->seconds) == 2 && report_read(system, text, status) == NULL;
    if (system->kept) system->state = REPORT_DONE;
  }
  if (file) fclose(file);
  free(text);
}

/* ---- Programs ---- */

static void find_folder(campaign *c, const char *started_as) {
  const ssize_t length = readlink("/proc/self/exe", c->folder, sizeof c->folder - 1);
  if (length > 0) {
    c->folder[length] = '\0';
  } else if (strlen(started_as) < sizeof c->folder) { /* on systems without /proc */
    snprintf(c->folder, sizeof c->folder, "%s", started_as);
  }
  char *slash = strrchr(c->folder, '/');
  if (!slash) campaign_leave(c, 3, "the programs are looked for beside this one: start it with its folder, ./%s", c->name);
  *slash = '\0';
}

static const char *text_of(const child *ended, int stream) {
  return ended->text[stream] ? ended->text[stream] : "";
}

static void ask_duration(const campaign *c, report_system *system) {
  char path[CAMPAIGN_PATH], help[] = "--help", *const argv[] = {path, help, NULL};
  child asked;
  program_path(c, path, system);
  if (child_start(&asked, argv) != 0) return; /* the error is reported when the program is run */
  while (asked.process) child_wait(&asked, 1, -1);
  report_estimate(system, text_of(&asked, CHILD_OUT), ENTRY[c->mode]);
  child_free(&asked);
}

void campaign_prepare(campaign *c, const char *started_as) {
  find_folder(c, started_as);
  for (int i = 0; i < c->count; i++) {
    report_system *system = &c->systems[i];
    char path[CAMPAIGN_PATH];
    if (!system->wanted) continue;
    program_path(c, path, system);
    if (access(path, X_OK) != 0) {
      system->state = REPORT_MISSING;
      continue;
    }
    if (c->out && c->mode == EXAMPLE_FULL) take_up(c, system);
    if (system->state == REPORT_WAITING) ask_duration(c, system);
  }
}

static void break_system(const campaign *c, report_system *system, const char *why) {
  const size_t size = strlen(system->name) + strlen(why) + 3;
  const int named = strncmp(why, system->name, strlen(system->name)) == 0;
  system->state = REPORT_BROKEN;
  system->checked = system->passed = 0;
  system->message = malloc(size);
  if (!system->message) campaign_leave(c, 3, "out of memory");
  snprintf(system->message, size, "%s%s%s", named ? "" : system->name, named ? "" : ": ", why);
}

static void start(const campaign *c, report_system *system, child *starting) {
  char path[CAMPAIGN_PATH], out[CAMPAIGN_PATH], out_option[] = "--out", mode[16], *argv[5] = {path};
  int argc = 1;
  program_path(c, path, system);
  if (OPTION[c->mode]) {
    snprintf(mode, sizeof mode, "%s", OPTION[c->mode]);
    argv[argc++] = mode;
  }
  if (c->out) {
    campaign_path(c, out, c->out, NULL, system->name);
    argv[argc++] = out_option;
    argv[argc++] = out;
    forget(c, system);
  }
  const int reason = child_start(starting, argv);
  system->state = REPORT_RUNNING;
  if (reason != 0) break_system(c, system, strerror(reason));
}

int campaign_fill(campaign *c) {
  int running = 0, alone = 0;
  for (int i = 0; i < c->count; i++) {
    running += c->systems[i].state == REPORT_RUNNING;
    alone |= c->systems[i].state == REPORT_RUNNING && c->systems[i].alone;
  }
  for (int k = 0; k < 2 * c->count && running < c->at_once && !alone; k++) { /* first those that come first */
    const int i = k % c->count;
    report_system *system = &c->systems[i];
    if (!system->wanted || system->state != REPORT_WAITING || system->first != (k < c->count)) continue;
    if (system->alone && running > 0) break;
    start(c, system, &c->children[i]);
    running += system->state == REPORT_RUNNING;
    alone = system->alone;
  }
  return running;
}

void campaign_wait(campaign *c) {
  child_wait(c->children, c->count, 500);
}

/* Reads the results of a program that has ended, or the cause of missing results. */
static void read_results(const campaign *c, report_system *system, const child *ended) {
  char why[512] = "";
  const char *said = text_of(ended, CHILD_ERR);
  system->state = REPORT_DONE;
  system->seconds = ended->seconds;
  if (ended->status < 0) {
    snprintf(why, sizeof why, "ended by signal %d", -ended->status);
  } else if (ended->status > 1 && *said) {
    snprintf(why, sizeof why, "%.*s", (int)strcspn(said, "\n"), said);
  } else if (ended->status > 1) {
    snprintf(why, sizeof why, "exit status %d without a message", ended->status);
  } else {
    const char *flaw = report_read(system, text_of(ended, CHILD_OUT), ended->status);
    if (flaw) snprintf(why, sizeof why, "%s", flaw);
  }
  if (*why) break_system(c, system, why);
}

int campaign_judge(campaign *c) {
  int count = 0;
  for (int i = 0; i < c->count; i++) {
    report_system *system = &c->systems[i];
    if (system->state != REPORT_RUNNING || c->children[i].process) continue;
    read_results(c, system, &c->children[i]);
    if (c->out && c->mode == EXAMPLE_FULL && system->state == REPORT_DONE) keep(c, system, &c->children[i]);
    child_free(&c->children[i]);
    count++;
  }
  return count;
}

double campaign_time_left(const campaign *c) {
  double sum = 0, longest = 0;
  for (int i = 0; i < c->count; i++) {
    const report_system *system = &c->systems[i];
    if (!system->wanted || system->state >= REPORT_DONE) continue;
    const double gone = system->state == REPORT_RUNNING ? progress_clock() - c->children[i].started : 0;
    const double left = system->estimate > gone ? system->estimate - gone : 0;
    sum += left;
    if (left > longest) longest = left;
  }
  return sum / c->at_once > longest ? sum / c->at_once : longest;
}
