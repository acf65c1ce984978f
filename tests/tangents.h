/* The tangent that effects add, as a dense matrix, and its comparison with central differences of their loads.
 */
#ifndef TESTS_TANGENTS_H
#define TESTS_TANGENTS_H

#include "support.h"

#include "statics/relax.h"

enum { MOST = 6 * 40 };

typedef struct bench {
  eli_relaxation relaxation;
  size_t first[4];
  double loads[MOST], total[MOST], external[MOST], strain[2 * MOST];
  double tangent[MOST][MOST], common[MOST]; /* common: response to a common translation along x, of balanced blocks */
  eli_statics statics;
} bench;

static bench on;

static inline void add_block(void *context, size_t row, size_t column, const double block[9], int balanced) {
  (void)context;
  for (size_t k = 0; k < 9; k++) {
    on.tangent[3 * row + k / 3][3 * column + k % 3] += block[k];
    if (balanced && column % 2 == 0 && k % 3 == 0) on.common[3 * row + k / 3] += block[k];
  }
}

static inline void begin(elastica_world *world) {
  size_t first = 0;
  memset(&on, 0, sizeof on);
  on.relaxation.world = world;
  on.relaxation.first = on.first;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    rod->body->rank = (size_t)on.relaxation.rod_count;
    on.first[on.relaxation.rod_count++] = first;
    first += eli_block_count(rod);
  }
  on.relaxation.blocks = first;
  on.relaxation.size = 6 * first;
  assert_true(on.relaxation.size <= MOST);
  on.statics = (eli_statics){on.first, on.total, on.external, on.loads, on.strain};
}

static inline void loads_at(elastica_world *world, int between_rods, double *out) {
  eli_tile_report report;
  const elastica_status status =
      between_rods ? eli_world_pair_loads(world, &on.statics, &report) : eli_world_statics(world, 1, &on.statics, &report);
  assert_int_equal(status, ELASTICA_OK);
  memcpy(out, on.loads, on.relaxation.size * sizeof *out);
}

/* Displaces one unknown. */
static inline void move(elastica_world *world, size_t unknown, double size) {
  double *const *lane = world->bodies.slab.lane;
  const size_t block = unknown / 6;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    const size_t first = on.first[rod->body->rank];
    if (block < first || block >= first + eli_block_count(rod)) continue;
    const size_t slot = rod->offset + block - first;
    if (unknown % 6 < 3) {
      lane[ELI_POSITION + unknown % 6][slot] += size;
      if (rod->closed && slot == rod->offset) lane[ELI_POSITION + unknown % 6][slot + (size_t)rod->element_count] += size; /* its alias */
    } else if (block - first < (size_t)rod->element_count) {
      double phi[3] = {0.0, 0.0, 0.0}, frame[9];
      phi[unknown % 3] = size;
      for (size_t a = 0; a < 9; a++) frame[a] = lane[ELI_DIRECTOR + a][slot];
      turn_frame_exactly(phi, frame);
      for (size_t a = 0; a < 9; a++) lane[ELI_DIRECTOR + a][slot] = frame[a];
    }
  }
}

/* Compares all columns with fourth-order differences, but for those of a node that is held; -1: none. name: of the effect, for messages.
 * Returns the largest entry. */
static inline double compare_columns(elastica_world *world, const char *name, int between_rods, int held, double size, double allowed) {
  static double at[4][MOST];
  static const double factor[4] = {1.0, -1.0, 2.0, -2.0};
  double most = 0.0, wrong = 0.0;
  for (size_t c = 0; c < on.relaxation.size; c++) {
    if ((int)(c / 6) == held && c % 6 < 3) continue;
    for (int k = 0; k < 4; k++) {
      move(world, c, factor[k] * size);
      loads_at(world, between_rods, at[k]);
      move(world, c, -factor[k] * size);
    }
    for (size_t r = 0; r < on.relaxation.size; r++) {
      const double column = -(8.0 * (at[0][r] - at[1][r]) - (at[2][r] - at[3][r])) / (12.0 * size);
      most = fmax(most, fabs(on.tangent[r][c]));
      wrong = fmax(wrong, fabs(column - on.tangent[r][c]));
    }
  }
  if (wrong > allowed * most) print_error("%s: an entry is wrong by %.3g of the largest\n", name, wrong / most);
  assert_true(wrong <= allowed * most);
  return most;
}

/* Returns the largest entry of the tangent: 0 for loads that do not depend on the state. */
static inline double check_tangent(elastica_world *world, const char *name, int between_rods, int held, double size, double allowed) {
  assert_int_equal(eli_world_prepare(world, "test"), ELASTICA_OK);
  begin(world);
  assert_true(eli_relax_has_tangents(&on.relaxation, between_rods));
  assert_int_equal(eli_relax_visit_tangents(&on.relaxation, between_rods, add_block, NULL, NULL), ELASTICA_OK);
  const double most = compare_columns(world, name, between_rods, held, size, allowed);
  for (size_t r = 0; r < on.relaxation.size; r++) assert_true(fabs(on.common[r]) <= 1e-13 * most);
  return most;
}

/* At rest nothing moves: contacts have dampers. */
static inline void stop(elastica_world *world) {
  for (size_t k = 0; k < 3; k++) {
    memset(world->bodies.slab.lane[ELI_VELOCITY + k], 0, world->bodies.slab.end * sizeof(double));
    memset(world->bodies.slab.lane[ELI_OMEGA + k], 0, world->bodies.slab.end * sizeof(double));
  }
}

#endif
