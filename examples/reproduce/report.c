#include "report.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *next_line(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? end + 1 : line + strlen(line);
}

static int starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static int add_row(report_system *system, const report_row *row) {
  report_row *rows = realloc(system->rows, ((size_t)system->row_count + 1) * sizeof *rows);
  if (!rows) return 0;
  system->rows = rows;
  system->rows[system->row_count++] = *row;
  system->checked += strcmp(row->verdict, "INFO") != 0;
  system->passed += strcmp(row->verdict, "PASS") == 0;
  return 1;
}

const char *report_read(report_system *system, const char *text, int status) {
  free(system->rows);
  system->rows = NULL;
  system->row_count = system->checked = system->passed = 0;
  for (const char *line = text; *line; line = next_line(line)) {
    report_row row;
    if (!starts_with(line, "result ")) continue;
    if (sscanf(line, "result %63s computed %31s expected %31s tolerance %31s %7s", row.quantity, row.computed, row.expected, row.tolerance,
               row.verdict) != 5)
      return "a result line has no meaning";
    if (!add_row(system, &row)) return "out of memory";
  }
  if (system->checked == 0) return "no result was checked";
  if ((status == 0) != (system->passed == system->checked)) return "the exit status contradicts the results";
  return NULL;
}

/* Sum of the times after the last ';' of a sentence such as "n = 12 to 1536; 2 min 30 s" [s]; 0 if the sentence has none. */
static double read_duration(const char *sentence) {
  static const struct {
    const char *name;
    double seconds;
  } unit[] = {{"s", 1}, {"seconds", 1}, {"min", 60}, {"minutes", 60}, {"h", 3600}, {"hour", 3600}, {"hours", 3600}, {"days", 86400}};
  const char *last = strrchr(sentence, ';');
  double sum = 0;
  for (const char *at = last ? last : sentence; *at; at++) {
    char *end = NULL;
    if (!isdigit((unsigned char)*at)) continue;
    const double number = strtod(at, &end);
    while (*end == ' ') end++;
    for (size_t k = 0; k < sizeof unit / sizeof *unit; k++) {
      if (starts_with(end, unit[k].name) && !isalpha((unsigned char)end[strlen(unit[k].name)])) sum += number * unit[k].seconds;
    }
    at = end - 1;
  }
  return sum;
}

void report_estimate(report_system *system, const char *help, const char *entry) {
  char sentence[1024] = "";
  size_t length = 0;
  int inside = 0;
  for (const char *line = help; *line; line = next_line(line)) {
    const int own = starts_with(line, "  ") && starts_with(line + 2, entry) && line[2 + strlen(entry)] == ' ';
    inside = own || (inside && starts_with(line, "          "));
    if (!inside) continue;
    const size_t size = (size_t)(next_line(line) - line);
    if (length + size >= sizeof sentence) break;
    memcpy(sentence + length, line, size);
    length += size;
    sentence[length] = '\0';
  }
  system->estimate = read_duration(sentence);
}

/* Distance from the expected value, in tolerances; infinite for NaN. */
static double badness(const report_row *row) {
  const double tolerance = strtod(row->tolerance, NULL), off = fabs(strtod(row->computed, NULL) - strtod(row->expected, NULL));
  if (!isfinite(off)) return HUGE_VAL;
  return off == 0 ? 0 : off / tolerance;
}

const report_row *report_headline(const report_system *system) {
  const report_row *named = NULL, *worst = NULL;
  for (int i = 0; i < system->row_count; i++) {
    const report_row *row = &system->rows[i];
    if (strcmp(row->verdict, "INFO") == 0) continue;
    if (system->headline && strstr(row->quantity, system->headline)) named = row;
    if (!worst || badness(row) > badness(worst)) worst = row;
  }
  return named ? named : worst;
}

/* ---- Tables ---- */

enum { COLUMNS = 9, WIDTH = 64 };
typedef struct cells {
  char text[COLUMNS][WIDTH];
} cells;

static void print_cells(FILE *file, report_format format, const cells *cell) {
  static const int width[COLUMNS] = {-21, -6, -32, 14, 14, 9, -8, -8, 8};
  for (int k = 0; k < COLUMNS; k++) {
    if (format == REPORT_MARKDOWN) {
      fprintf(file, "%s%s%s", k == 0 ? "| " : "", cell->text[k], k == COLUMNS - 1 ? " |\n" : " | ");
    } else if (k == COLUMNS - 1) {
      fprintf(file, "%*s\n", width[k], cell->text[k]);
    } else {
      fprintf(file, "%*s ", width[k], cell->text[k]);
    }
  }
}

void report_print_head(FILE *file, report_format format) {
  static const cells head = {{"system", "figure", "quantity", "computed", "expected", "passed", "verdict", "mode", "seconds"}};
  static const cells rule = {{"---", "---", "---", "---:", "---:", "---:", "---", "---", "---:"}};
  print_cells(file, format, &head);
  if (format == REPORT_MARKDOWN) print_cells(file, format, &rule);
}

/* Seven digits are enough in a table. The csv file has all digits that the program printed. */
static void shorten(char out[WIDTH], const char *number) {
  char *end = NULL;
  const double value = strtod(number, &end);
  if (end == number || *end != '\0') {
    snprintf(out, WIDTH, "%s", number);
  } else {
    snprintf(out, WIDTH, "%.7g", value);
  }
}

static void print_row(FILE *file, report_format format, const report_row *row) {
  cells cell = {{""}};
  snprintf(cell.text[2], WIDTH, "%s", row->quantity);
  shorten(cell.text[3], row->computed);
  shorten(cell.text[4], row->expected);
  snprintf(cell.text[6], WIDTH, "%s", row->verdict);
  print_cells(file, format, &cell);
}

/* Prints all rows, or up to MOST_FAILED failed rows besides the headline. */
static void print_others(FILE *file, report_format format, const report_system *system, int all) {
  enum { MOST_FAILED = 8 };
  int failed = 0;
  for (int i = 0; i < system->row_count; i++) {
    const report_row *row = &system->rows[i];
    const int fails = strcmp(row->verdict, "FAIL") == 0 && row != report_headline(system);
    failed += fails;
    if (all || (fails && failed <= MOST_FAILED)) print_row(file, format, row);
  }
  if (all || failed <= MOST_FAILED) return;
  cells cell = {{""}};
  snprintf(cell.text[2], WIDTH, "and %d more", failed - MOST_FAILED);
  snprintf(cell.text[6], WIDTH, "FAIL");
  print_cells(file, format, &cell);
}

void report_print(FILE *file, report_format format, const report_system *system, const char *mode, int all) {
  const report_row *headline = report_headline(system);
  cells cell = {{""}};
  snprintf(cell.text[0], WIDTH, "%s", system->name);
  snprintf(cell.text[1], WIDTH, "%s", system->figure);
  snprintf(cell.text[7], WIDTH, "%s", mode);
  if (system->state == REPORT_MISSING) snprintf(cell.text[6], WIDTH, "missing");
  if (system->state == REPORT_BROKEN) snprintf(cell.text[6], WIDTH, "broken");
  if (system->state == REPORT_DONE) {
    snprintf(cell.text[2], WIDTH, "%s", headline->quantity);
    shorten(cell.text[3], headline->computed);
    shorten(cell.text[4], headline->expected);
    snprintf(cell.text[5], WIDTH, "%d/%d", system->passed, system->checked);
    snprintf(cell.text[6], WIDTH, "%s", system->passed == system->checked ? "PASS" : "FAIL");
    snprintf(cell.text[8], WIDTH, "%.1f", system->seconds);
  }
  print_cells(file, format, &cell);
  if (system->state == REPORT_DONE) print_others(file, format, system, all);
}

void report_print_csv(FILE *file, const report_system *system, const char *mode) {
  if (!system) {
    fprintf(file, "system,figure,quantity,computed,expected,tolerance,verdict,mode,seconds\n");
  } else if (system->state != REPORT_DONE) {
    fprintf(file, "%s,%s,,,,,%s,%s,\n", system->name, system->figure, system->state == REPORT_MISSING ? "missing" : "broken", mode);
  } else {
    for (int i = 0; i < system->row_count; i++) {
      const report_row *row = &system->rows[i];
      fprintf(file, "%s,%s,%s,%s,%s,%s,%s,%s,%.3f\n", system->name, system->figure, row->quantity, row->computed, row->expected,
              row->tolerance, row->verdict, mode, system->seconds);
    }
  }
}
