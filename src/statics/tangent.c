/* The stiffness of a rod linearised about its present state.
 *
 * models     -d(force on nodes, couple on elements)/d(displacement of nodes, turn of elements), internal loads only
 * equation   element: edge a = Q d, stress n(a), K = dn/da;  with delta a = Q delta d + a x phi,  delta f = Q^T (K delta a + phi x n),
 *            delta C = a x K delta a - n x delta a
 *            joint: theta = LOG(Q_k Q_b^T), P = 1 + [theta]x/2 + c [theta]x^2:  delta theta = P phi_k - P^T phi_b,
 *            delta tau = B/(Dhat E^3) delta theta - 3 tau delta E/E, inserted into its couples +- tau + theta x tau/2 (and terms with c)
 * source     the internal loads of Gazzola et al. 2018 (3.8), (3.9) with (2.8), (2.11), differentiated; c as in base/rotation.h
 * test       tests/test_tangent.c
 *
 * kernels/tangent.inl computes the blocks in lanes of elements; this file gives them to their receivers.
 *
 * A block has six unknowns: node i, then element i. Under the rescaled law the couple on element i depends on nodes i - 1 to i + 2, else on
 * nodes i and i + 1.
 *
 * The geometric stiffness uses the stress that the last step predicted, not the present one. A finite turn moves nodes along straight lines
 * and so stretches elements by the square of its angle; with that spurious stress a thin rod would be as stiff as a taut string for one
 * iteration. At convergence the two stresses agree.
 */
#include "base/target.h"

#include "statics/tangent.h"

#include <math.h>
#include <string.h>

#include "base/matrix.h"
#include "base/rotation.h"
#include "base/vector.h"
#include "kernels/blocks.h"
#include "rod/law.h"

/* The receiver of blocks. */
typedef struct target {
  const elastica_rod *rod;
  size_t first, blocks; /* of the rod */
  eli_take_block *take;
  void *context;
} target;

/* The two parts of a block. */
enum { NODE, ELEMENT };

/* Adds factor m to the rows of one part of a block and the columns of one part of another. */
static void add(const target *to, size_t row_block, size_t row_part, size_t column_block, size_t column_part, double factor,
                const double m[9]) {
  double scaled[9];
  for (int k = 0; k < 9; k++) scaled[k] = factor * m[k];
  to->take(to->context, 2 * (to->first + row_block) + row_part, 2 * (to->first + column_block) + column_part, scaled, 1);
}

static size_t after(const target *to, size_t block) {
  return to->rod->closed && block + 1 == to->blocks ? 0 : block + 1;
}

/* ---- Elements ---- */

typedef struct element {
  double q[9]; /* frame */
  double a[3]; /* edge, material */
  double k[9]; /* dn/da, material */
} element;

static void frame_of(const elastica_rod *rod, size_t j, double q[9]) {
  for (size_t a = 0; a < 9; a++) q[a] = rod->world->bodies.slab.lane[ELI_DIRECTOR + a][rod->offset + j];
}

/* K with the elastic part of n (rod/law.h). */
static void linearise(const elastica_rod *rod, size_t j, const double strain[3], double share, element *out) {
  double *const *lane = rod->world->bodies.slab.lane;
  const size_t slot = rod->offset + j;
  const eli_elastic_constants law = eli_element_constants(&rod->body->view, (int)j);
  const double rest = law.length, l = lane[ELI_LENGTH][slot];
  const int classical = rod->world->law.classical;
  frame_of(rod, j, out->q);
  memset(out->k, 0, sizeof out->k);
  double n[3];
  for (size_t a = 0; a < 3; a++) {
    const double s = eli_edge_slope(&law, (int)a, l, classical);
    out->a[a] = rest * (strain[a] + (a == 2 ? 1.0 : 0.0));
    out->k[4 * a] = s;
    n[a] = s * rest * (strain[a] - law.rest[a]);
  }
  if (!classical) eli_add_outer(out->k, -share / (l * l), n, out->a);
}

void eli_tangent_predict(const elastica_rod *rod, const eli_statics *now, const double *step, double *predicted) {
  const size_t first = now->first[rod->body->rank];
  for (size_t j = 0; j < (size_t)rod->element_count && !eli_is_rigid(rod); j++) {
    const size_t block = first + j, next = rod->closed && j + 1 == (size_t)rod->element_count ? 0 : j + 1;
    const double *phi = step + 6 * j + 3, *strain = now->strain + 12 * block;
    element e;
    double edge[3], delta[3], change[3];
    linearise(rod, j, strain, 1.0, &e);
    for (int a = 0; a < 3; a++) edge[a] = step[6 * next + (size_t)a] - step[6 * j + (size_t)a];
    eli_turn(e.q, edge, delta);
    for (int a = 0; a < 3; a++) delta[a] += e.a[(a + 1) % 3] * phi[(a + 2) % 3] - e.a[(a + 2) % 3] * phi[(a + 1) % 3];
    eli_turn(e.k, delta, change);
    for (int a = 0; a < 3; a++) predicted[3 * block + (size_t)a] = strain[3 + a] + change[a];
  }
}

/* ---- All blocks ---- */

static eli_tangent_input input_of(const elastica_rod *rod, double share, double scale, const eli_statics *now, const double *predicted) {
  const size_t first = now->first[rod->body->rank];
  return (eli_tangent_input){.lane = rod->world->bodies.slab.lane,
                             .offset = rod->offset,
                             .elements = (size_t)rod->element_count,
                             .closed = rod->closed,
                             .classical = rod->world->law.classical,
                             .exact_couple = rod->world->law.exact_couple,
                             .share = share,
                             .scale = scale,
                             .strain = now->strain + 12 * first,
                             .predicted = predicted + 3 * first};
}

/* Results of one call, for receivers of blocks. */
typedef struct buffer {
  double own[ELI_TANGENT_LANES][18], across[ELI_TANGENT_LANES][36], back[ELI_TANGENT_LANES][36];
} buffer;

static void point_to(eli_tangent_output *output, buffer *to, size_t l) {
  output->own[l] = to->own[l];
  output->across[l] = to->across[l];
  output->back[l] = to->back[l];
}

/* Adds a part of 3 by 3 of a block that is stored by columns, from its row and column on. */
static void add_part(const target *to, size_t row_block, size_t row_part, size_t column_block, size_t column_part, double factor,
                     const double *part) {
  double m[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) m[3 * i + j] = part[6 * j + i];
  add(to, row_block, row_part, column_block, column_part, factor, m);
}

/* Adds the blocks of an element and of the joint behind it. */
static void add_pair(const target *to, size_t j, const double own[18], const double across[36], const double back[36]) {
  const double *minus_u = across, *by_edge = across + 3, *by_turn = own + 3, *v = back + 18, *joint = across + 21, *joint_back = back + 21;
  const size_t next = after(to, j);
  add_part(to, j, NODE, j, NODE, -1.0, minus_u);
  add_part(to, j, NODE, next, NODE, 1.0, minus_u);
  add_part(to, next, NODE, j, NODE, 1.0, minus_u);
  add_part(to, next, NODE, next, NODE, -1.0, minus_u);
  add_part(to, j, NODE, j, ELEMENT, -1.0, v);
  add_part(to, next, NODE, j, ELEMENT, 1.0, v);
  add_part(to, j, ELEMENT, j, NODE, -1.0, by_edge);
  add_part(to, j, ELEMENT, next, NODE, 1.0, by_edge);
  add_part(to, j, ELEMENT, j, ELEMENT, 1.0, by_turn);
  if (next >= (size_t)to->rod->element_count) return;
  add_part(to, j, ELEMENT, next, ELEMENT, 1.0, joint);
  add_part(to, next, ELEMENT, j, ELEMENT, 1.0, joint_back);
}

/* Adds the changes of the couples of the joint behind an element with the lengths of both elements; lost: their decrease. */
static void add_lengths(const target *to, size_t before, const double lost[6]) {
  const size_t k = after(to, before);
  if (k >= (size_t)to->rod->element_count) return; /* no joint */
  for (int at = 0; at < 2; at++)
    for (int side = 0; side < 2; side++) {
      const size_t j = side == 0 ? before : k, slot = to->rod->offset + j;
      double m[9] = {0.0}, t[3];
      for (size_t a = 0; a < 3; a++) t[a] = to->rod->world->bodies.slab.lane[ELI_TANGENT + a][slot];
      eli_add_outer(m, 1.0, lost + 3 * at, t);
      add(to, at == 0 ? before : k, ELEMENT, after(to, j), NODE, 1.0, m);
      add(to, at == 0 ? before : k, ELEMENT, j, NODE, -1.0, m);
    }
}

/* Adds the part of a ring's first joint on the first element. */
static void add_first_joint(const target *to, const double behind[9]) {
  if (to->rod->closed) add(to, 0, ELEMENT, 0, ELEMENT, 1.0, behind);
}

void eli_tangent_visit(const elastica_rod *rod, double share, double scale, const eli_statics *now, const double *predicted, size_t first,
                       eli_take_block *take, void *context) {
  const eli_tangent_input input = input_of(rod, share, scale, now, predicted);
  const target to = {rod, first, eli_block_count(rod), take, context};
  const eli_blocks *blocks = eli_blocks_of(rod->world->kernels->instruction_set);
  eli_tangent_output output = {.behind = {0.0}};
  buffer results;
  if (eli_is_rigid(rod)) return;
  for (size_t l = 0; l < ELI_TANGENT_LANES; l++) point_to(&output, &results, l);
  for (size_t begin = 0; begin < input.elements; begin += ELI_TANGENT_LANES) {
    const size_t left = input.elements - begin, count = left < ELI_TANGENT_LANES ? left : ELI_TANGENT_LANES;
    blocks->tangent(&input, begin, count, &output);
    for (size_t l = 0; l < count; l++) {
      add_pair(&to, begin + l, results.own[l], results.across[l], results.back[l]);
      if (!input.classical) add_lengths(&to, begin + l, output.lost[l]);
    }
  }
  add_first_joint(&to, output.behind);
}

static void add_to_factor(void *factor, size_t row, size_t column, const double block[9], int balanced) {
  eli_factor_add(factor, row / 2, (int)(row % 2), column / 2, (int)(column % 2), block, balanced);
}

int eli_tangent_places_pairs(const elastica_rod *rod) {
  return rod->world->law.classical && eli_block_count(rod) >= 3;
}

void eli_tangent_fill(const elastica_rod *rod, double share, double scale, const eli_statics *now, const double *predicted,
                      eli_factor *factor, size_t first) {
  const eli_tangent_input input = input_of(rod, share, scale, now, predicted);
  const target to = {rod, first, eli_block_count(rod), add_to_factor, factor};
  eli_tangent_output output = {.behind = {0.0}};
  buffer results;
  if (!eli_tangent_places_pairs(rod)) {
    eli_tangent_visit(rod, share, scale, now, predicted, first, add_to_factor, factor);
    return;
  }
  for (size_t begin = 0; begin < input.elements; begin += ELI_TANGENT_LANES) {
    const size_t left = input.elements - begin, count = left < ELI_TANGENT_LANES ? left : ELI_TANGENT_LANES;
    int placed[ELI_TANGENT_LANES] = {0};
    for (size_t l = 0; l < ELI_TANGENT_LANES; l++) {
      const size_t slot = to.first + begin + l;
      if (l < count)
        placed[l] =
            eli_factor_place_pair(factor, slot, to.first + after(&to, begin + l), &output.own[l], &output.across[l], &output.back[l]);
      if (!placed[l]) point_to(&output, &results, l);
    }
    factor->blocks->tangent(&input, begin, count, &output);
    for (size_t l = 0; l < count; l++) {
      const size_t slot = to.first + begin + l;
      if (!placed[l]) add_pair(&to, begin + l, results.own[l], results.across[l], results.back[l]);
      if (placed[l] == 2)
        eli_factor_hold_pair(factor, slot, to.first + after(&to, begin + l), output.own[l], output.across[l], output.back[l]);
    }
  }
  add_first_joint(&to, output.behind);
}
