/* The inside of a search (see elastica_cmaes). Lengths are in units of the definition's scale: x = scale u, and u is what is searched. */
#ifndef ELI_CMAES_H
#define ELI_CMAES_H

#include "base/target.h"

#include <elastica.h>

#include "base/memory.h"
#include "base/sentence.h"

enum {
  ELI_CMAES_MOST_PEOPLE = 1000000,
  ELI_CMAES_HISTORY = 20000, /* generations that are remembered: the longest window of STAGNATION */
  ELI_CMAES_TRIES = 100      /* draws of one candidate */
};

/* Table 1 of the tutorial. */
typedef struct eli_cmaes_constants {
  int n, lambda, mu;
  double mu_eff, mu_eff_minus;
  double c_sigma, d_sigma, c_c, c_1, c_mu, chi_n;
} eli_cmaes_constants;

/* Weights [lambda] in order of rank. active: negative ones for the worse half; else 0. */
void eli_cmaes_constants_of(int n, int lambda, int active, int revision, eli_cmaes_constants *out, double *weights);

/* What a generation needs, which grows with lambda. */
typedef struct eli_cmaes_people {
  void *block;
  double *weights;          /* of the ranks */
  double *y;                /* [lambda n] (u - mean)/sigma */
  double *fitness, *ranked; /* as told; with penalties */
  double *used;             /* weights of this generation, in order of rank: those of failed candidates changed */
  int *order, *scratch;
} eli_cmaes_people;

struct elastica_cmaes {
  eli_allocator allocator;
  char message[ELI_MESSAGE_SIZE];
  elastica_cmaes_def def; /* its arrays and buffers are NULL */
  int n;
  eli_cmaes_constants c;
  eli_cmaes_people people;

  double *block;                                          /* of all arrays below */
  double *start, *scale, *lower, *upper;                  /* of x, not of u */
  double *mean, *path_sigma, *path_c, *penalty;           /* [n] penalty: gamma of the bounds */
  double *best_x, *mean_x, *work;                         /* [n]; work [3 n] */
  double *covariance, *axes, *root, *inverse_root;        /* [n n] axes: eigenvectors as rows */
  double *deviation;                                      /* [n] square roots of the eigenvalues of C */
  double *best_history, *median_history, *spread_history; /* [ELI_CMAES_HISTORY], the last one at the end */
  int history_count;
  int *history_order, *history_scratch;

  double sigma;
  long generation, evaluations;              /* in all */
  long descent_generation, eigen_generation; /* since the last restart */
  int restart, restart_due, asked, penalty_set;
  elastica_stop stop, restarted;
  double best, generation_best, generation_mean;
  int failed;
  double stall_best; /* and the generation that had it */
  long stall_generation;
};

elastica_status eli_cmaes_refuse(elastica_cmaes *search, elastica_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* ---- Memory ---- */

/* NULL block: there is none. */
int eli_cmaes_people_create(const eli_allocator *allocator, int n, int lambda, eli_cmaes_people *out);

/* Population of the next generation. */
int eli_cmaes_next_population(const elastica_cmaes *search);

/* ---- Candidates ---- */

/* y = C^(1/2) z for the candidate, with z [n]. */
void eli_cmaes_place(elastica_cmaes *search, int candidate, const double *z);

/* Draws all of them; those outside of the bounds again. */
void eli_cmaes_draw(elastica_cmaes *search);

/* For tests: the candidates of given normal numbers [lambda n], whatever the bounds. */
void eli_cmaes_draw_from(elastica_cmaes *search, const double *z);

/* x of a candidate, between the bounds. */
void eli_cmaes_candidate(const elastica_cmaes *search, int candidate, double *x);

/* ---- Bounds ---- */

/* people.ranked: fitness with the penalties of candidates outside; sets and raises their weights. */
void eli_cmaes_penalise(elastica_cmaes *search);

/* ---- The update ---- */

/* Mean, paths, covariance, step, and the eigensystem when it is due, from people.ranked and people.order. Returns 0 when C is no longer
 * positive: the eigensystem is then the one before. */
int eli_cmaes_update(elastica_cmaes *search);

/* root and inverse_root of axes and deviation. */
void eli_cmaes_roots(elastica_cmaes *search);

/* ---- Stops ---- */

void eli_cmaes_remember(elastica_cmaes *search);
elastica_stop eli_cmaes_find_stop(elastica_cmaes *search, int positive);

/* Largest over least eigenvalue of C. */
double eli_cmaes_condition(const elastica_cmaes *search);

/* Starts a descent at a mean (of x), with the constants of people. */
void eli_cmaes_begin_descent(elastica_cmaes *search, const double *x);

#endif
