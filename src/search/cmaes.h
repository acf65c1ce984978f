/* Internal data of a search (see elastica_cmaes). The search runs in u with x = scale u, so lengths are in units of the definition's
 * scale. */
#ifndef ELI_CMAES_H
#define ELI_CMAES_H

#include "base/target.h"

#include <elastica.h>

#include "base/memory.h"
#include "base/sentence.h"

enum {
  ELI_CMAES_LARGEST_POPULATION = 1000000,
  ELI_CMAES_HISTORY = 20000 /* kept generations; longest window of STAGNATION */
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
typedef struct eli_cmaes_population {
  void *block;
  double *weights;      /* by rank */
  double *y;            /* [lambda n] (u - mean)/sigma */
  double *fitness;      /* as told by the user */
  double *penalised;    /* fitness with penalties */
  double *used_weights; /* weights of this generation by rank, changed for failed candidates */
  int *order, *scratch; /* candidates by rank of their penalised fitness */
} eli_cmaes_population;

struct elastica_cmaes {
  eli_allocator allocator;
  char message[ELI_MESSAGE_SIZE];
  elastica_cmaes_def def; /* without its arrays and buffers, which are NULL */
  int n;
  eli_cmaes_constants c;
  eli_cmaes_population population;

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

#endif
