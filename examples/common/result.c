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
    printf("-/-/%s\n", elastica_mode_text(run->limit.mode));
  } else {
    printf("%d/%d/%s\n", run->limit.rod_index, run->limit.element, elastica_mode_text(run->limit.mode));
  }
}

int results_print(example_results *table) {
  int failed = 0;
  if (table->largest.steps > 0) print_run(&table->largest);
  if (table->budget) printf("%s", table->budget);
  for (int i = 0; i < table->count; i++) {
    const result_row *row = &table->rows[i];
    if (row->known) {
      const int passed = fabs(row->computed - row->expected) <= row->tolerance; /* NaN fails */
      failed += !passed;
      printf("result %s computed %.12g expected %.12g tolerance %.3g %s\n", row->quantity, row->computed, row->expected, row->tolerance,
             passed ? "PASS" : "FAIL");
    } else {
      printf("result %s computed %.12g expected - tolerance - INFO\n", row->quantity, row->computed);
    }
  }
  free(table->rows);
  free(table->budget);
  *table = (example_results){0};
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "standard output cannot be written: %s\n", strerror(errno));
    return 3;
  }
  return failed ? 1 : 0;
}
