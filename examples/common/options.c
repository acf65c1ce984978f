#include "options.h"

#include <elastica.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void options_refuse(const example_about *about, const char *format, ...) {
  va_list arguments;
  fprintf(stderr, "%s: ", about->name);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, " (see %s --help)\n", about->name);
  exit(2);
}

static double read_number(const example_about *about, const case_option *option, const char *text) {
  char *end = NULL;
  const double number = strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(number)) options_refuse(about, "%s wants a number, not '%s'", option->name, text);
  if (option->least < option->most && (number < option->least || number > option->most))
    options_refuse(about, "%s wants a number from %g to %g, not '%s'", option->name, option->least, option->most, text);
  return number;
}

static int read_integer(const example_about *about, const case_option *option, const char *text) {
  char *end = NULL;
  errno = 0;
  const long number = strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || number > INT_MAX || number < INT_MIN)
    options_refuse(about, "%s wants a whole number, not '%s'", option->name, text);
  if (option->least < option->most && ((double)number < option->least || (double)number > option->most))
    options_refuse(about, "%s wants a whole number from %.0f to %.0f, not '%s'", option->name, option->least, option->most, text);
  return (int)number;
}

/* Returns the value of an option. A word that begins like an option is not a value; a folder of that name is ./--name. argv ends with
 * NULL. */
static const char *value_of(const example_about *about, const case_option *option, const char *text) {
  if (text == NULL) options_refuse(about, "%s wants a value", option->name);
  if (strncmp(text, "--", 2) == 0) options_refuse(about, "%s wants a value, not '%s'", option->name, text);
  return text;
}

static void assign(const example_about *about, const case_option *option, const char *text) {
  switch (option->kind) {
  case OPTION_SWITCH: *(int *)option->value = 1; break;
  case OPTION_INTEGER: *(int *)option->value = read_integer(about, option, text); break;
  case OPTION_NUMBER: *(double *)option->value = read_number(about, option, text); break;
  case OPTION_TEXT:
    if (*text == '\0') options_refuse(about, "%s wants a name, not an empty one", option->name);
    *(const char **)option->value = text;
    break;
  }
}

static const case_option *find(const case_option *list, int count, const char *name) {
  for (int i = 0; i < count; i++) {
    if (strcmp(list[i].name, name) == 0) return &list[i];
  }
  return NULL;
}

/* Prints "  --name ARGUMENT  text", in lines of 79 characters. */
static void print_entry(const char *name, const char *argument, const char *text) {
  enum { INDENT = 20, COLUMNS = 79 };
  const int printed = printf("  %s%s%s", name, argument ? " " : "", argument ? argument : "");
  int column = printed < INDENT ? INDENT : printed + 1;
  printf("%*s", column - printed, "");
  for (int is_first = 1; *text; is_first = 0) {
    const int length = (int)strcspn(text, " \n");
    if (!is_first && column + 1 + length > COLUMNS) {
      printf("\n%*s", INDENT, "");
      column = INDENT;
    } else if (!is_first) {
      putchar(' ');
      column++;
    }
    printf("%.*s", length, text);
    column += length;
    text += length + (text[length] != '\0');
  }
  putchar('\n');
}

const char *options_mode(example_mode mode) {
  return mode == EXAMPLE_QUICK ? "quick" : mode == EXAMPLE_FULL ? "full" : "default";
}

int options_writes(example_mode mode, const example_file *file) {
  return file->modes == FILE_ALWAYS || mode == EXAMPLE_FULL || (file->modes == FILE_NOT_QUICK && mode == EXAMPLE_DEFAULT);
}

/* Appends a help text, with a space behind each of its commas if `spread`. */
static size_t append(char *text, size_t size, size_t used, const char *more, int spread) {
  if (used > 0 && used + 1 < size) text[used++] = ' ';
  for (; *more && used + 2 < size; more++) {
    text[used++] = *more;
    if (spread && *more == ',' && more[1] != ' ') text[used++] = ' ';
  }
  text[used] = '\0';
  return used;
}

static void print_files(const example_about *about) {
  char page[128];
  snprintf(page, sizeof page, "%s.html", about->name);
  printf("\nfiles of --out:\n");
  for (int i = 0; i < about->file_count; i++) {
    const example_file *file = &about->files[i];
    char text[2048], frames[160];
    size_t used = 0;
    if (file->modes == FILE_NOT_QUICK) used = append(text, sizeof text, used, "not with --quick:", 0);
    if (file->modes == FILE_ONLY_FULL) used = append(text, sizeof text, used, "only with --full:", 0);
    used = append(text, sizeof text, used, file->help, 0);
    if (file->columns) {
      used = append(text, sizeof text, used, "- columns:", 0);
      append(text, sizeof text, used, file->columns, 1);
    } else {
      snprintf(frames, sizeof frames, "(%.*s_*.vtp)", (int)strcspn(file->name, "."), file->name);
      append(text, sizeof text, used, frames, 0);
    }
    print_entry(file->name, NULL, text);
  }
  print_entry(page, NULL, "a run that any browser plays");
  printf("  plot.gp           \"gnuplot plot.gp\", in that folder, draws %s.png\n", about->name);
  printf("These files, left there by an earlier run of %s, are removed first.\n", about->name);
}

static void print_help(const example_about *about, const case_option *shared, int shared_count) {
  printf("%s: %s\n\n", about->name, about->title);
  printf("usage: %s [--quick | --full] [--out DIR] [--threads N]\n"
         "       [--dt SECONDS [--force-dt]] [--budget] [--restart]\n"
         "       [--plain]%s%s\n\n",
         about->name, about->certified.run ? " [--certify]" : "", about->option_count > 0 ? " [options of the case]" : "");
  print_entry("(no option)", NULL, about->normal);
  print_entry("--quick", NULL, about->quick);
  print_entry("--full", NULL, about->full);
  for (int i = 0; i < shared_count; i++) {
    if (shared[i].help) print_entry(shared[i].name, shared[i].argument, shared[i].help);
  }
  print_entry("--help", NULL, "this text");
  print_entry("--version", NULL, "the version of the library");
  if (about->option_count > 0) printf("\noptions of the case:\n");
  for (int i = 0; i < about->option_count; i++) print_entry(about->options[i].name, about->options[i].argument, about->options[i].help);
  if (about->file_count > 0) print_files(about);
  printf("\nexit status: 0 every check passed, 1 one failed, 2 bad usage, 3 the simulation\nor a file failed\n");
}

/* Ends the program after help or version; an error of standard output counts. */
static void leave(const example_about *about) {
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "%s: standard output cannot be written: %s\n", about->name, strerror(errno));
    exit(3);
  }
  exit(0);
}

void options_read(example_options *out, const example_about *about, int argc, char **argv) {
  int quick = 0, full = 0, help = 0, version = 0;
  char certified[256];
  snprintf(certified, sizeof certified, "also rerun one case with shorter steps and elements, and print how far off they leave it\n%s",
           about->certified.run ? about->certified.help : "");
  *out = (example_options){.mode = EXAMPLE_DEFAULT, .threads = 1};
  const case_option shared[] = {
      {"--quick", NULL, NULL, OPTION_SWITCH, &quick, 0, 0},
      {"--full", NULL, NULL, OPTION_SWITCH, &full, 0, 0},
      {"--help", NULL, NULL, OPTION_SWITCH, &help, 0, 0},
      {"--version", NULL, NULL, OPTION_SWITCH, &version, 0, 0},
      {"--out", "DIR", "write curves (csv), frames (vtp, pvd), a page (html) and plot.gp to DIR, created if missing", OPTION_TEXT,
       (void *)&out->out, 0, 0},
      {"--threads", "N", about->threads ? about->threads : "threads that work on one step; default 1", OPTION_INTEGER, &out->threads, 1,
       1024},
      {"--dt", "SECONDS", "the step, instead of the program's own", OPTION_NUMBER, &out->dt, 1e-15, 1e300},
      {"--force-dt", NULL, "take --dt even beyond the stability limit", OPTION_SWITCH, &out->force_dt, 0, 0},
      {"--restart", NULL, "repeat pieces 1, 2, 4, ... of the run from a snapshot: the bits must be the same", OPTION_SWITCH, &out->restart,
       0, 0},
      {"--budget", NULL,
       "print the balance of energy and momentum of the run of the timing line: the work\nand the impulse of each effect, and the "
       "residual; slower. The many short runs\nof a map have none",
       OPTION_SWITCH, &out->budget, 0, 0},
      {"--plain", NULL, "print results in the format for scripts, also on a terminal", OPTION_SWITCH, &out->plain, 0, 0},
      {"--certify", NULL, certified, OPTION_SWITCH, &out->certify, 0, 0}, /* the last: some programs do not have it */
  };
  const int shared_count = (int)(sizeof shared / sizeof *shared) - !about->certified.run;

  for (int i = 1; i < argc; i++) {
    const case_option *option = find(shared, shared_count, argv[i]);
    if (!option) option = find(about->options, about->option_count, argv[i]);
    if (!option) options_refuse(about, "'%s' is no option", argv[i]);
    assign(about, option, option->kind == OPTION_SWITCH ? NULL : value_of(about, option, argv[++i]));
  }
  if (help) print_help(about, shared, shared_count);
  if (version) printf("%s (elastica %s)\n", about->name, elastica_version());
  if (help || version) leave(about);
  if (quick && full) options_refuse(about, "--quick and --full exclude each other");
  if (out->force_dt && out->dt <= 0) options_refuse(about, "--force-dt wants --dt");
  if (quick) out->mode = EXAMPLE_QUICK;
  if (full) out->mode = EXAMPLE_FULL;
}
