/* The position of each rod at the start of the relaxation, and its displacement and turn since. */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

static void find_centre(const eli_relaxation *relaxation, const elastica_rod *rod, double centre[3]) {
  const size_t nodes = eli_relax_blocks(relaxation, (int)rod->body->rank);
  for (size_t a = 0; a < 3; a++) {
    const double *x = rod->world->bodies.slab.lane[ELI_POSITION + a] + rod->offset;
    centre[a] = 0.0;
    for (size_t i = 0; i < nodes; i++) centre[a] += x[i] / (double)nodes;
  }
}

double eli_relax_displacement(const eli_relaxation *relaxation, int r) {
  double displacement[3];
  find_centre(relaxation, relaxation->rods[r], displacement);
  for (size_t a = 0; a < 3; a++) displacement[a] -= relaxation->origin[r].centre[a];
  return eli_length(displacement);
}

static void set_origin(const eli_relaxation *relaxation, const elastica_rod *rod, eli_origin *origin) {
  double *const *lane = rod->world->bodies.slab.lane;
  double farthest = 0.0;
  memset(origin, 0, sizeof *origin);
  origin->longest = origin->shortest = 1.0;
  find_centre(relaxation, rod, origin->centre);
  for (size_t j = rod->offset; j < rod->offset + (size_t)rod->element_count; j++) {
    const double e = lane[ELI_LENGTH][j] / lane[ELI_REST_LENGTH][j];
    origin->length += lane[ELI_REST_LENGTH][j];
    if (e > origin->longest) origin->longest = e;
    if (e < origin->shortest) origin->shortest = e;
  }
  for (size_t i = 0; i < eli_relax_blocks(relaxation, (int)rod->body->rank); i++)
    for (size_t a = 0; a < 3; a++) eli_keep_larger(&farthest, fabs(lane[ELI_POSITION + a][rod->offset + i]));
  origin->extent = farthest + origin->length;
}

void eli_relax_set_origins(eli_relaxation *relaxation) {
  double longest = 0.0;
  for (int r = 0; r < relaxation->rod_count; r++) {
    set_origin(relaxation, relaxation->rods[r], &relaxation->origin[r]);
    eli_keep_larger(&longest, relaxation->origin[r].length);
  }
  for (int r = 0; r < relaxation->rod_count; r++) /* the allowed distance of a body is that of the longest rod that may carry it */
    if (eli_is_rigid(relaxation->rods[r])) relaxation->origin[r].length = longest;
}

void eli_relax_add_turns(eli_relaxation *relaxation) {
  for (int r = 0; r < relaxation->rod_count; r++) {
    const elastica_rod *rod = relaxation->rods[r];
    double *const *q = rod->world->bodies.slab.lane + ELI_DIRECTOR;
    const double *phi = relaxation->step + 6 * relaxation->first[r] + 3, share = 1.0 / (double)rod->element_count;
    for (size_t j = 0; j < (size_t)rod->element_count; j++, phi += 6)
      for (size_t b = 0; b < 3; b++)
        for (size_t a = 0; a < 3; a++) relaxation->origin[r].turned[b] += share * (q[3 * a + b][rod->offset + j] * phi[a]);
  }
}
