#include "certify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct trend {
  int converged, order_known;
  double order, error;
} trend;

/* Computes the trend of three runs, each with half the step or element size of the previous run. */
static trend find_trend(double coarse, double middle, double fine) {
  const double first = coarse - middle, second = middle - fine, scale = fmax(fabs(coarse), fmax(fabs(middle), fabs(fine)));
  const double round_off = 1e-11 * scale; /* of about 1e5 steps */
  trend t = {0};
  if (fabs(first) <= round_off && fabs(second) <= round_off) {
    t.converged = 1;
    t.error = fmax(fabs(first), fabs(second));
  } else if (fabs(first) > sqrt(2) * fabs(second)) { /* differences with an order of at least 1/2 decrease; noise does not */
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

/* Runs the case with n elements, as with --dt; dt 0: the program's own step. */
static example_results run_case(example *e, int n, double dt) {
  e->dt = e->options.dt = dt;
  e->results = (example_results){0};
  e->about->certified.run(e, n);
  return e->results;
}

/* Finds the step of the coarsest runs [s] by an additional run. The progress bar is scaled by the work of that run. */
static double find_step(example *e) {
  e->element_steps = 0;
  e->shortest_step = e->shortest_piece = INFINITY;
  free(run_case(e, e->about->certified.n, e->options.dt).rows);
  example_expect(e, (1 + 2 + 4 + 8 + 16) * e->element_steps);
  const double dt = e->shortest_step, piece = e->shortest_piece;
  return isfinite(piece) ? piece / ceil(piece / dt - 1e-9) : dt;
}

void certify(example *e) {
  enum { RUNS = 5 };
  const example_results results = e->results;
  const int n = e->about->certified.n;
  example_results of[RUNS];
  e->options.mode = EXAMPLE_QUICK;
  e->work_is_steps = 1;
  const double dt = find_step(e);
  for (int k = 0; k < RUNS; k++) of[k] = run_case(e, k < 3 ? n : n << (k - 2), k < 3 ? dt / (1 << k) : dt / 4);
  e->results = results;
  progress_end(&e->progress);
  for (int q = 0; q < of[0].count; q++) {
    double v[RUNS];
    for (int k = 0; k < RUNS; k++) v[k] = of[k].rows[q].computed;
    const trend steps = find_trend(v[0], v[1], v[2]), elements = find_trend(v[2], v[3], v[4]);
    printf("certify %s value %.12g", of[0].rows[q].quantity, v[0]);
    print_trend("dt", &steps);
    print_trend("n", &elements);
    printf("\n");
  }
  for (int k = 0; k < RUNS; k++) free(of[k].rows);
}
