/* The steps that resolve impacts.
 *
 * models     A step that is long beside an impact gains or loses energy: the force at its beginning acts in all of it. With accuracy, a
 *            step is repeated if the phase of a node on its contacts is above ELI_RESOLVED, as in explicit steps (effects/resolve.h), or,
 *            with dampers, above COARSE; an amplitude below half of the accuracy does not count. Where a contact begins or ends in a
 *            step that does not even resolve it coarsely, the step is one of backward Euler: it makes no energy, and the impact is not
 *            elastic
 * measured   an undamped bounce in steps of a given size: above a phase of 1, 40 to 100 % lost; 0.6: up to 6 % gained; 0.3: 1 %; 0.16:
 *            0.4 %; 0.04: 2.5e-4. Without the steps of backward Euler a phase of 6 and more gained up to 190 times the energy
 * equation   frequency w^2 = sum_q |tr K_pq|/m_p over the nodes q that the contacts of node p move; amplitude^2 = (v/w)^2 + (a/w^2)^2 with
 *            v = |sum_q K_pq v_q|/(m_p w^2), relative to moving obstacles, and the acceleration a along the normal
 * test       tests/test_implicit_impacts.c
 */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "base/vector.h"
#include "contact/capsule.h"
#include "effects/resolve.h"
#include "effects/solid.h"
#include "implicit/implicit.h"
#include "rod/law.h"

/* Phase of a step that just resolves an impact. */
#define COARSE 1.0

/* The amplitude that counts, over the accuracy. */
#define PART_OF_ACCURACY 0.5

/* Of the contacts of a node: the sum of |tr K|; the largest square of the acceleration along a normal, a . K a/tr K; the least phase; the
 * sum of K v [N/s]. */
typedef struct sums {
  double stiffness, square, phase, rate[3];
} sums;

/* A visit of the contacts of one effect. */
typedef struct visit {
  eli_implicit *implicit;
  const double *change; /* accelerations */
  double phase;         /* of a step on these contacts */
  sums *sums;           /* by block */
  eli_placement move;   /* of the obstacle; at rest for contacts between rods */
} visit;

/* Writes the velocity of a node relative to the motion of the obstacle. */
static void velocity_of(const visit *of, const elastica_rod_view *rod, int node, double v[3]) {
  double arm[3], omega[3], moved[3];
  for (int a = 0; a < 3; a++) arm[a] = rod->position[a][node] - of->move.position[a];
  eli_turn_back(of->move.director, of->move.omega, omega);
  eli_cross(omega, arm, moved);
  for (int a = 0; a < 3; a++) v[a] = rod->velocity[a][node] - of->move.velocity[a] - moved[a];
}

/* Writes the spin of a frame relative to the motion of the obstacle, material. */
static void spin_of(const visit *of, const elastica_rod_view *rod, int j, double w[3]) {
  double omega[3];
  eli_turn_back(of->move.director, of->move.omega, omega);
  elastica_rotate_to_material(rod, j, omega, w);
  for (int a = 0; a < 3; a++) w[a] = rod->omega[a][j] - w[a];
}

/* The coordinates that a contact moves: their place in its stiffness, their velocity, and the block of a node, or SIZE_MAX. */
typedef struct part {
  int place;
  size_t block;
  double v[3];
} part;

static int parts_of(const visit *of, const eli_contact_stiffness *found, part out[ELI_CONTACT_STIFFNESS_PARTS]) {
  const eli_relaxation *relaxation = &of->implicit->relaxation;
  int count = 0;
  for (int side = 0; side < 2 && found->rod[side] != NULL; side++) {
    const elastica_rod_view *rod = found->rod[side];
    const size_t first = relaxation->first[relaxation->world->bodies.rods[rod->rod_index]->body->rank];
    const int j = found->element[side];
    const int nodes[4] = {j, rod->rigid ? -1 : eli_second_node(rod, j), found->beyond[side][0], found->beyond[side][1]};
    for (int k = 0; k < 4; k++) {
      if (nodes[k] < 0) continue;
      out[count] = (part){ELI_CONTACT_STIFFNESS_SIDE * side + 3 * k, first + (size_t)nodes[k], {0.0, 0.0, 0.0}};
      velocity_of(of, rod, nodes[k], out[count++].v);
    }
    if (!found->turns && !rod->rigid) continue;
    out[count] = (part){2 * ELI_CONTACT_STIFFNESS_SIDE + 3 * side, SIZE_MAX, {0.0, 0.0, 0.0}};
    spin_of(of, rod, j, out[count++].v);
  }
  return count;
}

static void block_of(const eli_contact_stiffness *found, int row, int column, double m[9]) {
  for (int k = 0; k < 9; k++) m[k] = found->stiffness[row + k / 3][column + k % 3];
}

static void add_contact(void *context, const eli_contact_stiffness *found) {
  const visit *of = context;
  part parts[ELI_CONTACT_STIFFNESS_PARTS];
  const int count = parts_of(of, found, parts);
  for (int p = 0; p < count; p++) {
    double m[9], turned[3];
    if (parts[p].block == SIZE_MAX) continue;
    sums *sum = &of->sums[parts[p].block];
    for (int q = 0; q < count; q++) {
      block_of(found, parts[p].place, parts[q].place, m);
      eli_turn(m, parts[q].v, turned);
      for (int i = 0; i < 3; i++) sum->rate[i] += turned[i];
      if (parts[q].block == SIZE_MAX) continue;
      const double trace = m[0] + m[4] + m[8];
      sum->stiffness += fabs(trace);
      if (p != q) continue;
      eli_turn(m, of->change + 6 * parts[p].block, turned);
      if (trace > 0.0) eli_keep_larger(&sum->square, eli_dot(of->change + 6 * parts[p].block, turned) / trace);
      if (sum->phase == 0.0 || of->phase < sum->phase) sum->phase = of->phase;
    }
  }
}

static double phase_of(const elastica_effect *effect) {
  double (*const ratio)(const void *) = effect->body->kind->damping_ratio;
  return ratio != NULL && ratio(effect->self) > ELI_DAMPED ? COARSE : ELI_RESOLVED;
}

static elastica_status visit_effect(eli_implicit *implicit, const double *change, elastica_effect *effect) {
  elastica_world *world = implicit->relaxation.world;
  visit of = {
      implicit, change, phase_of(effect), (sums *)implicit->relaxation.next, {.director = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}}};
  if (effect->body->kind->stands != NULL) {
    eli_body body;
    const elastica_status status = eli_implicit_ask(effect, eli_world_now(world), &body);
    if (status != ELASTICA_OK) return status;
    of.move = body.place;
  }
  eli_tile_report report = {.rod_index = -1, .hook = ELI_ADD_LOADS, .effect = effect};
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  report.status = effect->body->kind->contact_stiffness(effect->self, eli_world_now(world), add_contact, &of);
  eli_world_leave_hooks(world);
  if (report.status == ELASTICA_OUT_OF_MEMORY) return eli_relax_starve(&implicit->relaxation);
  return report.status == ELASTICA_OK ? ELASTICA_OK : eli_relax_fail_hook(&implicit->relaxation, &report);
}

/* Shortens `resolving` for a node. */
static void resolve_node(eli_implicit *implicit, size_t b) {
  const sums *sum = (const sums *)implicit->relaxation.next + b;
  if (!(sum->stiffness > 0.0) || implicit->relaxation.held[6 * b]) return;
  const double square = sum->stiffness / implicit->relaxation.world->bodies.slab.lane[ELI_MASS][implicit->slot[b]],
               frequency = sqrt(square);
  const double least = PART_OF_ACCURACY * implicit->accuracy;
  const double x = eli_length(sum->rate) / (sum->stiffness * frequency), y = sqrt(sum->square) / square;
  const double step = sum->phase / frequency;
  implicit->touches[b]++;
  eli_keep_larger(&implicit->frequency[b], frequency);
  if (sqrt(x * x + y * y) > least && step < implicit->resolving) implicit->resolving = step;
}

elastica_status eli_implicit_resolve(eli_implicit *implicit, const double *change) {
  elastica_world *world = implicit->relaxation.world;
  elastica_status status = ELASTICA_OK;
  if (!(implicit->relaxation.touching.limit > 0.0)) return status;
  memset(implicit->relaxation.next, 0, implicit->relaxation.size * sizeof(double));
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (status == ELASTICA_OK && effect->enabled && eli_reports_contacts(effect)) status = visit_effect(implicit, change, effect);
  for (size_t b = 0; b < implicit->relaxation.blocks && status == ELASTICA_OK; b++) resolve_node(implicit, b);
  return status;
}

int eli_implicit_strikes(const eli_implicit *implicit, double h, double *jump) {
  double *const *velocity = implicit->relaxation.world->bodies.slab.lane + ELI_VELOCITY;
  int found = 0;
  *jump = 0.0;
  for (size_t b = 0; b < implicit->relaxation.blocks && implicit->relaxation.touching.limit > 0.0; b++) {
    const int stages = implicit->touches[b], all = implicit->start_frequency[b] > 0.0 ? stages == 2 : stages == 0;
    double change[3];
    if (all || h * eli_larger(implicit->frequency[b], implicit->start_frequency[b]) <= COARSE) continue;
    for (size_t a = 0; a < 3; a++) change[a] = velocity[a][implicit->slot[b]] - implicit->rate[6 * b + a];
    eli_keep_larger(jump, eli_length(change));
    found = 1;
  }
  return found;
}
