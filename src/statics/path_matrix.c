/* The stiffness of a world with the border of arc-length continuation.
 *
 * models     K u - f p = force, row . (u, p) = along: the change of an equilibrium with a parameter
 * equation   elimination of the border by factors L U that are almost those of K; GMRES removes the rest
 * source     Keller, in Rabinowitz (ed.), Applications of Bifurcation Theory (1977) 359; Saad and Schultz, SIAM J. Sci. Stat. Comput. 7
 *            (1986) 856
 * test       tests/test_path.c
 */
#include "base/target.h"

#include "statics/path.h"

#include <string.h>

/* The factors are those of K + NEUTRAL P and a little more, with the material stiffness P: a motion without stiffness, such as that of a
 * buckle around the axis of a round rod, would multiply rounding. */
#define NEUTRAL 1e-4

/* Rigid motions, such as the turn of a buckled rod about the line through its two hinges, have no material stiffness either: arcs have the
 * stiffness SOFT, in bending stiffnesses over lengths of the softest rod. In a slender rod the rounding of its stretch would move it by
 * more than other motions: arcs then have RESISTED times the share of rounding, up to FIRM. */
#define SOFT 1e-5
#define RESISTED 1e3
#define FIRM 1e-2

/* In a world of bodies alone arcs have the share ROUNDED of a typical stiffness. */
#define ROUNDED 1e-11

/* A solution is accurate to SOLVED, unless rounding leaves more. What K shrinks by more than FAINT, beside the factors, is a motion without
 * stiffness: it is left as it is. */
#define SOLVED 1e-8
#define FAINT 0.01
enum { VECTORS = 8, RESTARTS = 4, MOST_POWERS = 30, RIGID_POWERS = 8 };

/* Inverse iteration ends at this change of the stiffness. */
#define SETTLED 1e-9

/* ---- Memory and assembly ---- */

int eli_path_matrix_create(eli_path_matrix *matrix, eli_relaxation *relaxation) {
  const size_t length = relaxation->size + 1;
  matrix->relaxation = relaxation;
  matrix->size = relaxation->size;
  matrix->memory = eli_allocate(&relaxation->world->allocator, (VECTORS + 4) * length, sizeof *matrix->memory);
  if (matrix->memory == NULL) return 0;
  matrix->weight = matrix->memory;
  matrix->yield = matrix->weight + length;
  matrix->basis = matrix->yield + length;
  return 1;
}

void eli_path_matrix_release(eli_path_matrix *matrix) {
  if (matrix->relaxation == NULL) return;
  eli_stiffness_release(matrix->relaxation, &matrix->stiffer);
  eli_release(&matrix->relaxation->world->allocator, matrix->memory);
}

/* The whole matrix K. */
static const eli_factor *whole(const eli_path_matrix *matrix) {
  return &matrix->relaxation->stiffness.factor;
}

static const eli_factor *factors(const eli_path_matrix *matrix) {
  return &matrix->stiffer.factor;
}

/* Displacements and turns of about the same arc in all unknowns. */
static void fill_with_noise(const eli_path_matrix *matrix, double *v) {
  for (size_t k = 0; k < matrix->size; k++) v[k] = matrix->weight[k] > 0.0 ? eli_relax_noise(k) / sqrt(matrix->weight[k]) : 0.0;
  for (size_t k = 0; k < matrix->size; k++)
    if (whole(matrix)->held[k]) v[k] = 0.0;
  v[matrix->size] = 0.0;
}

/* The stiffness of arcs in a world of bodies alone, with the assembled K. */
static double rounded_stiffness(eli_path_matrix *matrix) {
  double *noise = matrix->basis, *image = noise + matrix->size + 1, above = 0.0, below = 0.0;
  fill_with_noise(matrix, noise);
  eli_factor_multiply(whole(matrix), noise, image);
  for (size_t k = 0; k < matrix->size; k++) {
    if (!(matrix->weight[k] > 0.0)) continue;
    above += image[k] * image[k] / matrix->weight[k];
    below += matrix->weight[k] * noise[k] * noise[k];
  }
  return below > 0.0 ? ROUNDED * sqrt(above / below) : 0.0;
}

/* Sets the values of a factor to K + tau P; products with it are those of the whole matrix. */
static elastica_status assemble(eli_relaxation *relaxation, eli_stiffness *stiffness, double tau) {
  const elastica_status status = eli_stiffness_renew_loads(relaxation, stiffness);
  if (status != ELASTICA_OK) return status;
  if (!eli_stiffness_assemble(relaxation, stiffness, tau)) return eli_relax_starve(relaxation);
  stiffness->factor.is_general = 1;
  stiffness->factor.shift = 0.0;
  stiffness->factor.weight = NULL;
  return ELASTICA_OK;
}

/* share: of the stiffness of the softest rod. */
static double stiffness_of_arcs(eli_path_matrix *matrix, double share) {
  const double softest = eli_relax_softest(matrix->relaxation);
  return softest > 0.0 ? share * softest : rounded_stiffness(matrix);
}

elastica_status eli_path_matrix_assemble(eli_path_matrix *matrix) {
  elastica_status status = assemble(matrix->relaxation, &matrix->relaxation->stiffness, 0.0);
  if (status == ELASTICA_OK) status = assemble(matrix->relaxation, &matrix->stiffer, NEUTRAL);
  if (status != ELASTICA_OK) return status;
  const double rounded = eli_smaller(FIRM, RESISTED * eli_relax_share_of_rounding(matrix->relaxation));
  matrix->stiffer.factor.careful = 1;
  eli_factor_compute_general(&matrix->stiffer.factor, stiffness_of_arcs(matrix, eli_larger(SOFT, rounded)), matrix->weight);
  return ELASTICA_OK;
}

/* ---- Products ---- */

double eli_path_dot(const eli_path_matrix *matrix, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t k = 0; k <= matrix->size; k++) sum += a[k] * (matrix->weight[k] * b[k]);
  return sum;
}

double eli_path_distance(const eli_path_matrix *matrix, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t k = 0; k <= matrix->size; k++) sum += (a[k] - b[k]) * (matrix->weight[k] * (a[k] - b[k]));
  return sqrt(sum);
}

void eli_path_matrix_apply(const eli_path_matrix *matrix, const double *x, double *out) {
  eli_factor_multiply(whole(matrix), x, out);
  for (size_t k = 0; k < matrix->size; k++) out[k] -= matrix->rate[k] * x[matrix->size];
  out[matrix->size] = eli_path_dot(matrix, matrix->row, x);
}

/* Solves the bordered system with the factors, in place. */
static void precondition(const eli_path_matrix *matrix, double *x) {
  const size_t size = matrix->size;
  const double along = x[size], *yield = matrix->yield;
  eli_factor_solve(factors(matrix), x, x);
  x[size] = 0.0;
  const double p = (along - eli_path_dot(matrix, matrix->row, x)) / eli_path_dot(matrix, matrix->row, yield);
  for (size_t k = 0; k < size; k++) x[k] += p * yield[k];
  x[size] = p;
}

void eli_path_matrix_border(eli_path_matrix *matrix, const double *rate, const double *row) {
  matrix->rate = rate;
  matrix->row = row;
  eli_factor_solve(factors(matrix), rate, matrix->yield);
  matrix->yield[matrix->size] = 1.0;
}

/* ---- GMRES ---- */

/* The product in which solutions are accurate: with a parameter that counts at least as in `parameter`. */
static double accurate_dot(const eli_path_matrix *matrix, const double *a, const double *b) {
  const double more = matrix->parameter - matrix->weight[matrix->size];
  return eli_path_dot(matrix, a, b) + (more > 0.0 ? more * a[matrix->size] * b[matrix->size] : 0.0);
}

static void subtract(const eli_path_matrix *matrix, double factor, const double *x, double *from) {
  for (size_t k = 0; k <= matrix->size; k++) from[k] -= factor * x[k];
}

/* The least-squares problem of GMRES: an upper triangle by columns, made with Givens rotations. */
typedef struct triangle {
  double h[VECTORS][VECTORS + 1], cosine[VECTORS], sine[VECTORS], rest[VECTORS + 1];
} triangle;

/* Adds a column, with the norm of the next vector below it. Returns 0 if it is 0. */
static int add_column(triangle *of, int count, double norm) {
  double *column = of->h[count];
  for (int i = 0; i < count; i++) {
    const double below = i + 1 < count ? column[i + 1] : column[count], upper = of->cosine[i] * column[i] + of->sine[i] * below;
    column[i + 1] = of->cosine[i] * below - of->sine[i] * column[i];
    column[i] = upper;
  }
  const double root = sqrt(column[count] * column[count] + norm * norm);
  if (!(root > 0.0)) return 0;
  of->cosine[count] = column[count] / root;
  of->sine[count] = norm / root;
  column[count] = root;
  of->rest[count + 1] = -of->sine[count] * of->rest[count];
  of->rest[count] *= of->cosine[count];
  return 1;
}

/* Replaces the residual, with the norm size, by the correction that removes most of it. */
static void find_correction(eli_path_matrix *matrix, double *residual, double size) {
  const size_t length = matrix->size + 1;
  double *v = matrix->basis, y[VECTORS];
  triangle of;
  int count = 0;
  for (size_t k = 0; k < length; k++) v[k] = residual[k] / size;
  of.rest[0] = size;
  while (count < VECTORS && fabs(of.rest[count]) > 1e-4 * size) {
    double *next = v + (size_t)(count + 1) * length;
    eli_path_matrix_apply(matrix, v + (size_t)count * length, next);
    precondition(matrix, next);
    for (int i = 0; i <= count; i++) {
      of.h[count][i] = accurate_dot(matrix, v + (size_t)i * length, next);
      subtract(matrix, of.h[count][i], v + (size_t)i * length, next);
    }
    const double norm = sqrt(accurate_dot(matrix, next, next));
    for (size_t k = 0; k < length && norm > 0.0; k++) next[k] /= norm;
    if (!add_column(&of, count, norm) || of.h[count][count] < FAINT) break;
    count++;
    if (norm == 0.0) break;
  }
  memset(residual, 0, length * sizeof *residual);
  for (int i = count - 1; i >= 0; i--) {
    y[i] = of.rest[i];
    for (int j = i + 1; j < count; j++) y[i] -= of.h[j][i] * y[j];
    y[i] /= of.h[i][i];
    subtract(matrix, -y[i], v + (size_t)i * length, residual);
  }
}

double eli_path_matrix_solve(eli_path_matrix *matrix, const double *force, double along, double *out) {
  const size_t size = matrix->size, length = size + 1;
  const unsigned char *held = whole(matrix)->held;
  double *image = matrix->basis + (VECTORS + 1) * length, last = INFINITY;
  for (size_t k = 0; k < size; k++) out[k] = held[k] ? 0.0 : force[k];
  out[size] = along;
  precondition(matrix, out);
  for (int pass = 0; pass < RESTARTS; pass++) {
    eli_path_matrix_apply(matrix, out, image);
    for (size_t k = 0; k < size; k++) image[k] = held[k] ? 0.0 : force[k] - image[k];
    image[size] = along - image[size];
    precondition(matrix, image);
    const double left = sqrt(accurate_dot(matrix, image, image)), length_of = sqrt(accurate_dot(matrix, out, out));
    if (!(left - left == 0.0 && length_of - length_of == 0.0)) return INFINITY;
    if (left <= SOLVED * length_of || left > 0.5 * last) return left / length_of;
    last = left;
    find_correction(matrix, image, left);
    subtract(matrix, -1.0, image, out);
  }
  return last / sqrt(accurate_dot(matrix, out, out));
}

/* ---- The critical mode ---- */

/* out = P v = (K + P) v - K v, or W v without bending stiffness, as in a world of bodies alone. */
static void apply_measure(const eli_path_matrix *matrix, const double *v, double *scratch, double *out) {
  if (eli_relax_softest(matrix->relaxation) == 0.0) {
    for (size_t k = 0; k < matrix->size; k++) out[k] = matrix->weight[k] * v[k];
    return;
  }
  eli_factor_multiply(&matrix->stiffer.factor, v, out);
  eli_factor_multiply(whole(matrix), v, scratch);
  for (size_t k = 0; k < matrix->size; k++) out[k] -= scratch[k];
}

static double product(const eli_path_matrix *matrix, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t k = 0; k < matrix->size; k++) sum += a[k] * b[k];
  return sum;
}

/* Inverse iteration: (K + shift W) v' = P v, with the weights W of arcs. Without the shift, a motion that neither K nor P resists, such as
 * the spin of a rod about its axis, would multiply rounding; the stiffness is that of K. */
elastica_status eli_path_matrix_mode(eli_path_matrix *matrix, double *mode, double *stiffness) {
  eli_relaxation *relaxation = matrix->relaxation;
  const size_t length = matrix->size + 1;
  double *load = matrix->basis, *scratch = load + length, *next = scratch + length, last = INFINITY;
  elastica_status status = assemble(relaxation, &relaxation->stiffness, 0.0);
  if (status == ELASTICA_OK) status = assemble(relaxation, &matrix->stiffer, 1.0);
  if (status != ELASTICA_OK) return status;
  const double shift = stiffness_of_arcs(matrix, SOFT);
  eli_factor_compute_general(&relaxation->stiffness.factor, shift, matrix->weight);
  matrix->stiffer.factor.shift = shift; /* of products: their difference is P v */
  matrix->stiffer.factor.weight = matrix->weight;
  fill_with_noise(matrix, mode);
  *stiffness = 0.0;
  apply_measure(matrix, mode, scratch, load);
  for (int pass = 0; pass < MOST_POWERS && fabs(*stiffness - last) > SETTLED * fabs(*stiffness); pass++) {
    last = *stiffness;
    eli_factor_solve(whole(matrix), load, mode);
    const double size = sqrt(eli_path_dot(matrix, mode, mode));
    for (size_t k = 0; k < matrix->size; k++) mode[k] /= size, load[k] /= size;
    apply_measure(matrix, mode, scratch, next);
    *stiffness = (product(matrix, mode, load) - shift) / product(matrix, mode, next);
    memcpy(load, next, matrix->size * sizeof *load);
  }
  return ELASTICA_OK;
}

/* Inverse iteration: (K + shift W) v' = W v, with the factors of eli_path_matrix_mode. */
void eli_path_matrix_rigid_mode(eli_path_matrix *matrix, double *mode) {
  double *load = matrix->basis;
  fill_with_noise(matrix, mode);
  for (int pass = 0; pass < RIGID_POWERS; pass++) {
    for (size_t k = 0; k < matrix->size; k++) load[k] = matrix->weight[k] * mode[k];
    eli_factor_solve(whole(matrix), load, mode);
    const double size = sqrt(eli_path_dot(matrix, mode, mode));
    for (size_t k = 0; k < matrix->size; k++) mode[k] /= size;
  }
}
