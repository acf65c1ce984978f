#include "result.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static result_row *append(example_results *table, const char *quantity) {
  if (table->count == table->capacity) {
    const int capacity = table->capacity ? 2 * table->capacity : 32;
    result_row *rows = realloc(table->rows, (size_t)capacity * sizeof *rows);
    if (!rows) return NULL;
    table->rows = rows;
    table->capacity = capacity;
  }
  result_row *row = &table->rows[table->count++];
  snprintf(row->quantity, sizeof row->quantity, "%s", quantity);
  return row;
}

int results_check(example_results *table, double computed, double expected, double tolerance, const char *quantity) {
  result_row *row = append(table, quantity);
  if (!row) return 0;
  row->computed = computed;
  row->expected = expected;
  row->tolerance = tolerance;
  row->known = 1;
  return 1;
}

int results_inform(example_results *table, double computed, const char *quantity) {
  result_row *row = append(table, quantity);
  if (!row) return 0;
  row->computed = computed;
  row->known = 0;
  return 1;
}

int results_run(example_results *table, const result_run *run) {
  const result_run *largest = &table->largest;
  if (!((double)run->elements * (double)run->steps > (double)largest->elements * (double)largest->steps)) return 0;
  table->largest = *run;
  return 1;
}

static void print_run(const result_run *run) {
  const double element_steps = (double)run->elements * (double)run->steps;
  printf("timing %ld %ld %.3f %.1f\n", run->elements, run->steps, run->seconds, 1e9 * run->seconds / element_steps);
  printf("step %.6g limit %.6g by ", run->dt, run->limit.dt);
  if (run->limit.rod_index < 0) {
    printf("-/-/%s\n", run->limit.mode_name);
  } else {
    printf("%d/%d/%s\n", run->limit.rod_index, run->limit.element, run->limit.mode_name);
  }
}

/* Splits "beta_1_in_N_m" into "beta 1" and "N m"; other names have no unit. */
static void split_name(const char *quantity, char name[64], char unit[64]) {
  const char *in = NULL;
  for (const char *at = strstr(quantity, "_in_"); at; at = strstr(at + 1, "_in_")) in = at;
  const size_t length = in ? (size_t)(in - quantity) : strlen(quantity);
  snprintf(name, 64, "%.*s", (int)length, quantity);
  snprintf(unit, 64, "%s", in ? in + strlen("_in_") : "");
  for (char *c = name; *c; c++) *c = *c == '_' ? ' ' : *c;
  for (char *c = unit; *c; c++) *c = *c == '_' ? ' ' : *c;
}

/* Prints the same rows in columns, for a terminal; in colour unless NO_COLOR is set. */
static void print_columns(const example_results *table) {
  const char *const no_color = getenv("NO_COLOR");
  const int coloured = !no_color || !*no_color;
  const char *const good = coloured ? "\033[32m" : "", *const bad = coloured ? "\033[1;31m" : "", *const faint = coloured ? "\033[2m" : "";
  const char *const end = coloured ? "\033[0m" : "";
  int width = 8;
  for (int i = 0; i < table->count; i++) {
    char name[64], unit[64];
    split_name(table->rows[i].quantity, name, unit);
    if ((int)strlen(name) > width) width = (int)strlen(name);
  }
  printf("\n%s%-*s  %14s  %14s  %11s%s\n", faint, width, "quantity", "computed", "expected", "tolerance", end);
  for (int i = 0; i < table->count; i++) {
    const result_row *row = &table->rows[i];
    char name[64], unit[64], expected[32] = "", tolerance[32] = "";
    split_name(row->quantity, name, unit);
    const int passed = row->known && fabs(row->computed - row->expected) <= row->tolerance;
    if (row->known) snprintf(expected, sizeof expected, "%.7g", row->expected);
    if (row->known) snprintf(tolerance, sizeof tolerance, "%.3g", row->tolerance);
    printf("%-*s  %14.7g  %14s  %11s  %s%s%s%s%s\n", width, name, row->computed, expected, tolerance,
           !row->known ? faint
           : passed    ? good
                       : bad,
           !row->known ? "    "
           : passed    ? "PASS"
                       : "FAIL",
           end, *unit ? "  " : "", unit);
  }
}

int results_print(example_results *table, int for_people) {
  int failed = 0;
  if (table->largest.steps > 0) print_run(&table->largest);
  if (table->budget) printf("%s", table->budget);
  for (int i = 0; i < table->count; i++) {
    const result_row *row = &table->rows[i];
    if (row->known) {
      const int passed = fabs(row->computed - row->expected) <= row->tolerance; /* NaN fails */
      failed += !passed;
      if (for_people) continue;
      printf("result %s computed %.12g expected %.12g tolerance %.3g %s\n", row->quantity, row->computed, row->expected, row->tolerance,
             passed ? "PASS" : "FAIL");
    } else if (!for_people) {
      printf("result %s computed %.12g expected - tolerance - INFO\n", row->quantity, row->computed);
    }
  }
  if (for_people) print_columns(table);
  free(table->rows);
  free(table->budget);
  *table = (example_results){0};
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "standard output cannot be written: %s\n", strerror(errno));
    return 3;
  }
  return failed ? 1 : 0;
}
