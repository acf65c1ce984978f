/* Internal data of a search (see elastica_cmaes). The search runs in u with x = scale u, so lengths are in units of the definition's
 * scale. */
#ifndef ELI_CMAES_H
#define ELI_CMAES_H

#include "base/target.h"

#include <elastica.h>

#include "base/memory.h"
#include "base/sentence.h"

enum {
  ELI_CMAES_MOST_PEOPLE = 1000000,
  ELI_CMAES_HISTORY = 20000, /* kept generations; longest window of STAGNATION */
  ELI_CMAES_TRIES = 100      /* draws of one candidate inside its bounds */
};

/* Table 1 of the tutorial. */
typedef struct eli_cmaes_constants {
  int n, lambda, mu;
  double mu_eff, mu_eff_minus;
  double c_sigma, d_sigma, c_c, c_1, c_mu, chi_n;
} eli_cmaes_constants;

/* weights [lambda] in order of rank. active 1: the worse half has negative weights; 0: zero weights. */
void eli_cmaes_constants_of(int n, int lambda, int active, int revision, eli_cmaes_constants *out, double *weights);

/* Data of a generation; their size grows with lambda. */
typedef struct eli_cmaes_people {
  void *block;
  double *weights;          /* by rank */
  double *y;                /* [lambda n] (u - mean)/sigma */
  double *fitness, *ranked; /* as told by the user; with penalties */
  double *used;             /* weights of this generation by rank, changed for failed candidates */
  int *order, *scratch;
} eli_cmaes_people;

struct elastica_cmaes {
  eli_allocator allocator;
  char message[ELI_MESSAGE_SIZE];
  elastica_cmaes_def def; /* without its arrays and buffers, which are NULL */
  int n;
  eli_cmaes_constants c;
  eli_cmaes_people people;

  double *block;                                          /* memory of all arrays below */
  double *start, *scale, *lower, *upper;                  /* of x, not of u */
  double *mean, *path_sigma, *path_c, *penalty;           /* [n] penalty: gamma of the bounds */
  double *best_x, *mean_x, *work;                         /* [n]; work [3 n] */
  double *covariance, *axes, *root, *inverse_root;        /* [n n] axes: eigenvectors as rows */
  double *deviation;                                      /* [n] square roots of the eigenvalues of C */
  double *best_history, *median_history, *spread_history; /* [ELI_CMAES_HISTORY], newest last */
  int history_count;
  int *history_order, *history_scratch;

  double sigma;
  long generation, evaluations;              /* total */
  long descent_generation, eigen_generation; /* since the last restart */
  int restart, restart_due, asked, penalty_set;
  elastica_stop stop, restarted;
  double best, generation_best, generation_mean;
  int failed;
  double stall_best; /* best fitness at the last gain above stall_gain, and its generation */
  long stall_generation;
};

elastica_status eli_cmaes_refuse(elastica_cmaes *search, elastica_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* ---- Memory ---- */

/* Allocates the arrays. Returns 0 if memory runs out; block is then NULL. */
int eli_cmaes_people_create(const eli_allocator *allocator, int n, int lambda, eli_cmaes_people *out);

/* Population of the next generation. */
int eli_cmaes_next_population(const elastica_cmaes *search);

/* ---- Candidates ---- */

/* Computes y = C^(1/2) z of a candidate from z [n]. */
void eli_cmaes_place(elastica_cmaes *search, int candidate, const double *z);

/* Draws all candidates. Without penalties, a candidate outside its bounds is drawn again. */
void eli_cmaes_draw(elastica_cmaes *search);

/* For tests: computes the candidates from given normal numbers [lambda n], regardless of the bounds. */
void eli_cmaes_draw_from(elastica_cmaes *search, const double *z);

/* Computes x of a candidate, clamped to the bounds. */
void eli_cmaes_candidate(const elastica_cmaes *search, int candidate, double *x);

/* ---- Bounds ---- */

/* Computes people.ranked, the fitness with penalties for candidates outside the bounds, and adapts the weights of the penalties. */
void eli_cmaes_penalise(elastica_cmaes *search);

/* ---- The update ---- */

/* Updates mean, paths, covariance, step and, when due, the eigensystem, from people.ranked and people.order. Returns 0 if C is no longer
 * positive definite; the eigensystem then remains the last one. */
int eli_cmaes_update(elastica_cmaes *search);

/* Computes root and inverse_root from axes and deviation. */
void eli_cmaes_roots(elastica_cmaes *search);

/* ---- Stops ---- */

void eli_cmaes_remember(elastica_cmaes *search);
elastica_stop eli_cmaes_find_stop(elastica_cmaes *search, int positive);

/* Largest over smallest eigenvalue of C. */
double eli_cmaes_condition(const elastica_cmaes *search);

/* Starts a descent at mean x, with the present constants and population. */
void eli_cmaes_begin_descent(elastica_cmaes *search, const double *x);

#endif
