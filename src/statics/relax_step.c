/* One step of relaxation: its matrix, how long it may be, and what it taught.
 *
 * models     implicit steps in a fictitious time in which inertia is the rods' own stiffness K and a share of their mass D
 * equation   (K + E + shift D) step = F;  E: what loads are seen to add to K, measured at the start (relax_loads.c) and corrected on the way
 * source     pseudo-transient continuation: Kelley and Keyes, SIAM J. Numer. Anal. 35 (1998) 508
 * test       tests/test_relax.c
 */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "statics/relax.h"

/* Largest turn of a frame [rad] and change of an edge [its length] in one step. */
#define LARGEST_TURN 0.4

/* Changes of loads below this share of them tell rounding, not stiffness; what is foreseen but for this share of it is nothing new. */
#define SMALLEST_LESSON 1e-10
#define SURPRISE 1e-3

/* Tries to make a step short after which shift grows by itself: what makes it long may have no share in the work of the step. */
enum { TRIES = 40, HALVINGS = 5, PATIENCE = 5 };

static double weighted(const eli_relaxation *relaxation, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t i = 0; i < relaxation->size; i++) sum += a[i] * (relaxation->inertia[i] * b[i]);
  return sum;
}

static double dot(const eli_relaxation *relaxation, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t i = 0; i < relaxation->size; i++) sum += a[i] * b[i];
  return sum;
}

/* ---- The matrix ---- */

typedef struct solution {
  const eli_relaxation *relaxation;
  const double *b;
  double *x;
} solution;

static void solve_rod(void *context, int worker, size_t r) {
  const solution *now = context;
  const size_t first = 6 * now->relaxation->first[r];
  (void)worker;
  eli_tangent_solve(&now->relaxation->tangents[r], now->b + first, now->x + first);
}

void eli_relax_solve(const eli_relaxation *relaxation, const double *b, double *x) {
  solution now = {relaxation, b, x};
  eli_pool_run(relaxation->world->pool, (size_t)relaxation->world->rod_count, solve_rod, &now);
}

static void assemble(const eli_relaxation *relaxation, size_t r, double share) {
  if (eli_relax_is_reacting(relaxation)) eli_relax_set_reactions(relaxation, (int)r);
  eli_tangent_assemble(&relaxation->tangents[r], share, &relaxation->now, relaxation->predicted, relaxation->held, relaxation->inertia);
}

static void assemble_rod(void *context, int worker, size_t r) {
  eli_relaxation *relaxation = context;
  (void)worker;
  assemble(relaxation, r, 1.0);
  relaxation->sound[r] = 1;
}

/* The whole tangent, or, where that is not positive, as large a share of it as halving finds: what is then nearly singular is the way in which
 * the state is unstable, and the step goes there. */
static void factorise_rod(void *context, int worker, size_t r) {
  eli_relaxation *relaxation = context;
  eli_tangent *tangent = &relaxation->tangents[r];
  const double *inertia = relaxation->inertia + 6 * relaxation->first[r];
  (void)worker;
  double shift = relaxation->shift;
  if (eli_tangent_factorise(tangent, shift, inertia)) return;
  if (relaxation->sound[r]) {
    double share = 0.0, part = 0.5;
    relaxation->sound[r] = 0;
    for (int k = 0; k < HALVINGS; k++, part *= 0.5) {
      assemble(relaxation, r, share + part);
      if (eli_tangent_factorise(tangent, shift, inertia)) share += part;
    }
    assemble(relaxation, r, share);
  }
  for (int k = 0; k < TRIES && !eli_tangent_factorise(tangent, shift, inertia); k++) shift = 10.0 * (shift + tangent->regularisation);
}

static void assemble_all(eli_relaxation *relaxation) {
  if (relaxation->assembled) return;
  eli_pool_run(relaxation->world->pool, (size_t)relaxation->world->rod_count, assemble_rod, relaxation);
  relaxation->assembled = 1;
}

static void factorise(eli_relaxation *relaxation) {
  eli_pool_run(relaxation->world->pool, (size_t)relaxation->world->rod_count, factorise_rod, relaxation);
}

/* x = (matrix + E)^-1 b, with E forgotten when it leads the wrong way. */
static void solve_with_loads(eli_relaxation *relaxation, const double *force, double *x) {
  const double *b = eli_relax_aim(relaxation, force, relaxation->aimed);
  eli_relax_solve(relaxation, b, x);
  if (relaxation->secant.rank == 0) return;
  memcpy(relaxation->other, x, relaxation->size * sizeof *x);
  for (int k = 0; k < relaxation->secant.rank; k++) eli_relax_solve(relaxation, relaxation->secant.e[k], relaxation->secant.solved[k]);
  if (eli_secant_correct(&relaxation->secant, x) && dot(relaxation, b, x) > 0.0) return;
  memcpy(x, relaxation->other, relaxation->size * sizeof *x);
  eli_secant_forget(&relaxation->secant);
}

/* ---- The length of a step ---- */

/* The largest turn of a frame, or change of an edge over its length. */
double eli_relax_extent(const eli_relaxation *relaxation, const double *step) {
  const elastica_world *world = relaxation->world;
  double most = 0.0;
  for (int r = 0; r < world->rod_count; r++) {
    const elastica_rod *rod = world->rods[r];
    const double *s = step + 6 * relaxation->first[r];
    const size_t n = (size_t)rod->element_count;
    for (size_t j = 0; j < n; j++) {
      const size_t next = rod->closed && j + 1 == n ? 0 : j + 1;
      const double *phi = s + 6 * j + 3, l = world->slab.lane[ELI_LENGTH][rod->offset + j];
      double edge = 0.0;
      for (size_t a = 0; a < 3; a++) edge += (s[6 * next + a] - s[6 * j + a]) * (s[6 * next + a] - s[6 * j + a]);
      const double turned = phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2];
      if (!(turned <= most)) most = turned;
      if (!(edge <= most * (l * l))) most = edge / (l * l);
    }
  }
  return sqrt(most);
}

/* How far nodes may go in a step where there are reactions [m]: no farther than an obstacle is wide at least, an element or the thickness of the
 * rod, or they would pass it by. What has left its place by more than its length falls ever faster. */
static double reach_of(const eli_relaxation *relaxation, int r) {
  const elastica_rod *rod = relaxation->world->rods[r];
  double *const *lane = rod->world->slab.lane;
  double grain = 0.0;
  for (size_t j = rod->offset; j < rod->offset + (size_t)rod->element_count; j++) {
    const double l = lane[ELI_REST_LENGTH][j], square = lane[ELI_VOLUME][j] / l; /* pi/4 of the thickness squared */
    eli_keep_larger(&grain, eli_larger(l, sqrt(square)));
  }
  return eli_larger(grain, eli_relax_way_of(relaxation, r) - relaxation->place[r].length);
}

/* How much farther a step takes a rod than it may. */
static double haste_of(const eli_relaxation *relaxation, const double *step) {
  const size_t *first = relaxation->world->hooks[ELI_ADD_REACTIONS].first;
  double most = 0.0;
  for (int r = 0; r < relaxation->world->rod_count; r++) {
    double way[3] = {0.0, 0.0, 0.0}, farthest = 0.0;
    const size_t blocks = relaxation->tangents[r].blocks;
    for (size_t i = 0; i < blocks; i++) {
      const double *moved = step + 6 * (relaxation->first[r] + i);
      eli_keep_larger(&farthest, eli_length(moved));
      for (size_t a = 0; a < 3; a++) way[a] += moved[a] / (double)blocks;
    }
    eli_keep_larger(&most, eli_length(way) / (relaxation->leap * relaxation->place[r].length));
    if (first[r + 1] > first[r]) eli_keep_larger(&most, farthest / reach_of(relaxation, r));
  }
  return most;
}

/* More shift holds back soft motions and leaves stiff ones their way: a step that is merely shortened would not undo the stretch that the last
 * turn left behind. The new shift is exact where one motion rules. */
int eli_relax_propose(eli_relaxation *relaxation) {
  const double *force = relaxation->now.total;
  double *step = relaxation->step;
  assemble_all(relaxation);
  for (int k = 0; k < TRIES; k++) {
    factorise(relaxation);
    solve_with_loads(relaxation, force, step);
    const double size = eli_relax_extent(relaxation, step);
    const double excess = eli_larger(size / LARGEST_TURN, haste_of(relaxation, step));
    if (!(size - size == 0.0)) return 0;
    relaxation->stiffness = dot(relaxation, force, step) / weighted(relaxation, step, step);
    if (excess <= 1.5) {
      const double stride = relaxation->stride, scale = excess * stride > 1.0 ? 1.0 / excess : stride;
      for (size_t i = 0; i < relaxation->size; i++) step[i] *= scale;
      return 1;
    }
    relaxation->shift = (k < PATIENCE ? 1.0 : 4.0) * relaxation->shift + (excess - 1.0) * relaxation->stiffness;
  }
  return 0;
}

/* ---- What a step tells ---- */

void eli_relax_compare(eli_relaxation *relaxation) {
  const double square = weighted(relaxation, relaxation->step, relaxation->step);
  assemble_all(relaxation);
  factorise(relaxation);
  solve_with_loads(relaxation, relaxation->now.total, relaxation->next);
  relaxation->growth = square > 0.0 ? sqrt(weighted(relaxation, relaxation->next, relaxation->next) / square) : 0.0;
  relaxation->turnback = square > 0.0 ? weighted(relaxation, relaxation->next, relaxation->step) / square : 0.0;
}

/* What is lost in the rounding of loads, or known well enough, would only push out what was learned before. */
int eli_relax_learn(eli_relaxation *relaxation) {
  double *step, *rise, seen = 0.0, wrong = 0.0, load = 0.0;
  eli_secant_next(&relaxation->secant, &step, &rise);
  memcpy(step, relaxation->step, relaxation->size * sizeof *step);
  eli_relax_apply_loads(relaxation, step, rise);
  for (size_t i = 0; i < relaxation->size; i++) {
    rise[i] = relaxation->held[i] ? 0.0 : relaxation->now.external[i] - relaxation->trial.external[i] - rise[i];
    load += fabs(relaxation->now.external[i]);
  }
  eli_relax_discount_reactions(relaxation, step, rise);
  eli_secant_apply(&relaxation->secant, step, relaxation->other);
  for (size_t i = 0; i < relaxation->size; i++) {
    seen += fabs(rise[i]);
    wrong += fabs(rise[i] - relaxation->other[i]);
  }
  if (!(wrong > SURPRISE * seen && seen > SMALLEST_LESSON * load) || seen - seen != 0.0) return 0;
  eli_secant_keep(&relaxation->secant);
  return 1;
}

int eli_relax_finish(eli_relaxation *relaxation) {
  const double shift = relaxation->shift;
  relaxation->shift = 0.0;
  relaxation->assembled = 0;
  assemble_all(relaxation);
  factorise(relaxation);
  relaxation->shift = shift;
  solve_with_loads(relaxation, relaxation->now.total, relaxation->step);
  const double size = eli_relax_extent(relaxation, relaxation->step);
  return size - size == 0.0;
}
