#include "certify.h"

#include <math.h>
#include <stdio.h>

typedef struct trend {
  int converged, order_known;
  double order, error;
} trend;

/* From the values of three runs, each twice as fine as the one before. */
static trend find_trend(double coarse, double middle, double fine) {
  const double first = coarse - middle, second = middle - fine, scale = fmax(fabs(coarse), fmax(fabs(middle), fabs(fine)));
  const double round_off = 1e-11 * scale; /* what some 1e5 steps leave */
  trend t = {0};
  if (fabs(first) <= round_off && fabs(second) <= round_off) {
    t.converged = 1;
    t.error = fmax(fabs(first), fabs(second));
  } else if (fabs(first) > fabs(second)) { /* they shrink */
    t.converged = t.order_known = 1;
    t.order = log2(fabs(first / second));
    t.error = first / (1 - second / first); /* the sum of the geometric series of differences */
  }
  return t;
}

static void print_trend(const char *name, const trend *t) {
  if (t->order_known) {
    printf(" %s-order %.3f", name, t->order);
  } else {
    printf(" %s-order -", name);
  }
  if (t->converged) {
    printf(" %s-error %.3g", name, t->error);
  } else {
    printf(" %s-error -", name);
  }
}

void certify(example *e, const char *const *quantities, int count, int n, certify_run run, void *user) {
  double values[5][CERTIFY_MOST] = {{0}};
  const result_run largest = e->results.largest; /* the timing line is about the results, not about these runs */
  for (int k = 0; k < 3; k++) run(e, user, n, 1.0 / (1 << k), values[k]);
  for (int k = 3; k < 5; k++) run(e, user, n << (k - 2), 0.25, values[k]);
  e->results.largest = largest;
  progress_end(&e->progress);
  for (int q = 0; q < count; q++) {
    const trend dt = find_trend(values[0][q], values[1][q], values[2][q]), elements = find_trend(values[2][q], values[3][q], values[4][q]);
    printf("certify %s value %.12g", quantities[q], values[0][q]);
    print_trend("dt", &dt);
    print_trend("n", &elements);
    printf("\n");
  }
}
