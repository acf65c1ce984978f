/* Loads that have no equilibrium: what becomes of a rod on the way to none.
 *
 * models     a rod that nothing holds goes or turns without end; one that is too weak for its load stretches without end, collapses, or folds
 * test       tests/test_relax_runaway.c
 *
 * Hooks do not tell what holds, and residuals fall on many ways that lead nowhere, so the way itself must tell.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

/* Lengths of a rod: farther from its place than that it is not held. Nothing that does hold it, such as a soft spring or a floor far below, is
 * thought to let it that far. */
#define FAR_FROM_PLACE 1e3

/* Turns beyond what all joints of a rod can wind and unwind between a held end and a free one [rad]. */
#define TURNS 62.8

/* Dilatations that no equilibrium has, where the start had none such. */
#define TOO_LONG 100.0
#define TOO_SHORT 1e-6

/* Steps in vain after which a joint is taken to be what stops them, and the angle that it has then at least [rad]. */
enum { JAMS = 40 };
#define JAMMED 2.9

static void find_centre(const eli_relaxation *relaxation, const elastica_rod *rod, double centre[3]) {
  const size_t nodes = relaxation->tangents[rod->index].blocks;
  for (size_t a = 0; a < 3; a++) {
    const double *x = rod->world->slab.lane[ELI_POSITION + a] + rod->offset;
    centre[a] = 0.0;
    for (size_t i = 0; i < nodes; i++) centre[a] += x[i] / (double)nodes;
  }
}

double eli_relax_way_of(const eli_relaxation *relaxation, int r) {
  double way[3];
  find_centre(relaxation, relaxation->world->rods[r], way);
  for (size_t a = 0; a < 3; a++) way[a] -= relaxation->place[r].centre[a];
  return eli_length(way);
}

void eli_relax_note_places(eli_relaxation *relaxation) {
  for (int r = 0; r < relaxation->world->rod_count; r++) {
    const elastica_rod *rod = relaxation->world->rods[r];
    double *const *lane = rod->world->slab.lane;
    eli_place *place = &relaxation->place[r];
    double out = 0.0;
    memset(place, 0, sizeof *place);
    place->longest = place->shortest = 1.0;
    find_centre(relaxation, rod, place->centre);
    for (size_t j = rod->offset; j < rod->offset + (size_t)rod->element_count; j++) {
      const double e = lane[ELI_LENGTH][j] / lane[ELI_REST_LENGTH][j];
      place->length += lane[ELI_REST_LENGTH][j];
      if (e > place->longest) place->longest = e;
      if (e < place->shortest) place->shortest = e;
    }
    for (size_t i = 0; i < relaxation->tangents[r].blocks; i++)
      for (size_t a = 0; a < 3; a++) eli_keep_larger(&out, fabs(lane[ELI_POSITION + a][rod->offset + i]));
    place->reach = out + place->length;
  }
}

void eli_relax_note_turns(eli_relaxation *relaxation) {
  for (int r = 0; r < relaxation->world->rod_count; r++) {
    const elastica_rod *rod = relaxation->world->rods[r];
    double *const *q = rod->world->slab.lane + ELI_DIRECTOR;
    const double *phi = relaxation->step + 6 * relaxation->first[r] + 3, share = 1.0 / (double)rod->element_count;
    for (size_t j = 0; j < (size_t)rod->element_count; j++, phi += 6)
      for (size_t b = 0; b < 3; b++)
        for (size_t a = 0; a < 3; a++) relaxation->place[r].turned[b] += share * (q[3 * a + b][rod->offset + j] * phi[a]);
  }
}

static eli_escape find_weak_element(const eli_relaxation *relaxation, const elastica_rod *rod, size_t *where, double *amount) {
  double *const *lane = rod->world->slab.lane;
  const eli_place *place = &relaxation->place[rod->index];
  double longest = TOO_LONG * place->longest, shortest = TOO_SHORT * place->shortest;
  eli_escape found = ELI_ESCAPE_NONE;
  for (size_t j = 0; j < (size_t)rod->element_count; j++) {
    const double e = lane[ELI_LENGTH][rod->offset + j] / lane[ELI_REST_LENGTH][rod->offset + j];
    if (e <= longest && (e >= shortest || found == ELI_ESCAPE_LONG)) continue;
    found = e > longest ? ELI_ESCAPE_LONG : ELI_ESCAPE_SHORT;
    *(e > longest ? &longest : &shortest) = *amount = e;
    *where = j;
  }
  return found;
}

static eli_escape find_jammed_joint(const eli_relaxation *relaxation, const elastica_rod *rod, size_t *where, double *amount) {
  double most = JAMMED;
  eli_escape found = ELI_ESCAPE_NONE;
  for (size_t i = rod->closed ? 0 : 1; i < (size_t)rod->element_count; i++) {
    const double angle = rod->world->slab.lane[ELI_REST_JOINT_LENGTH][rod->offset + i] *
                         eli_length(relaxation->now.strain + 12 * (relaxation->first[rod->index] + i) + 6);
    if (angle <= most) continue;
    found = ELI_ESCAPE_JOINT;
    most = *amount = angle;
    *where = rod->closed ? i : i - 1;
  }
  return found;
}

eli_escape eli_relax_find_escape(const eli_relaxation *relaxation, const elastica_rod **rod, size_t *where, double *amount) {
  for (int r = 0; r < relaxation->world->rod_count; r++) {
    const eli_place *place = &relaxation->place[r];
    *rod = relaxation->world->rods[r];
    eli_escape found = find_weak_element(relaxation, *rod, where, amount);
    if (found == ELI_ESCAPE_NONE && relaxation->jams >= JAMS) found = find_jammed_joint(relaxation, *rod, where, amount);
    if (found != ELI_ESCAPE_NONE) return found;
    if (!(eli_relax_way_of(relaxation, r) <= FAR_FROM_PLACE * place->length)) return ELI_ESCAPE_AWAY;
    if (!(eli_length(place->turned) <= ELI_JOINT_LIMIT * (*rod)->element_count + TURNS)) return ELI_ESCAPE_ROUND;
  }
  return ELI_ESCAPE_NONE;
}
