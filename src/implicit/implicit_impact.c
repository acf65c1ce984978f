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
  double omega[3];      /* [rad/s] its spin, laboratory */
} visit;

/* Writes the velocity of a part, a node or a frame, relative to the motion of the obstacle: laboratory, or material. */
static void velocity_of(const visit *of, size_t part, double v[3]) {
  double *const *lane = of->implicit->relaxation.world->bodies.slab.lane;
  const size_t slot = of->implicit->slot[part / 2];
  double arm[3], q[9];
  if (part % 2 == 0) {
    for (size_t a = 0; a < 3; a++) arm[a] = lane[ELI_POSITION + a][slot] - of->move.position[a];
    eli_cross(of->omega, arm, v);
    for (size_t a = 0; a < 3; a++) v[a] = lane[ELI_VELOCITY + a][slot] - of->move.velocity[a] - v[a];
  } else {
    for (size_t a = 0; a < 9; a++) q[a] = lane[ELI_DIRECTOR + a][slot];
    eli_turn(q, of->omega, v);
    for (size_t a = 0; a < 3; a++) v[a] = lane[ELI_OMEGA + a][slot] - v[a];
  }
}

static void add_contact(void *context, const eli_contact_stiffness *found) {
  const visit *of = context;
  size_t part[ELI_CONTACT_STIFFNESS_PARTS];
  int place[ELI_CONTACT_STIFFNESS_PARTS];
  double v[ELI_CONTACT_STIFFNESS_PARTS][3];
  const int count = eli_relax_contact_parts(&of->implicit->relaxation, found, part, place);
  for (int p = 0; p < count; p++) velocity_of(of, part[p], v[p]);
  for (int p = 0; p < count; p++) {
    const double *acceleration = of->change + 6 * (part[p] / 2);
    sums *sum = &of->sums[part[p] / 2];
    double m[9], turned[3];
    if (part[p] % 2 != 0) continue;
    for (int q = 0; q < count; q++) {
      eli_contact_stiffness_block(found, place[p], place[q], m);
      eli_turn(m, v[q], turned);
      for (int i = 0; i < 3; i++) sum->rate[i] += turned[i];
      if (part[q] % 2 != 0) continue;
      const double trace = m[0] + m[4] + m[8];
      sum->stiffness += fabs(trace);
      if (p != q) continue;
      eli_turn(m, acceleration, turned);
      if (trace > 0.0) eli_keep_larger(&sum->square, eli_dot(acceleration, turned) / trace);
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
  visit of = {.implicit = implicit, .change = change, .phase = phase_of(effect), .sums = (sums *)implicit->relaxation.next};
  if (effect->body->kind->stands != NULL) {
    eli_body body;
    const elastica_status status = eli_implicit_ask(effect, eli_world_now(world), &body);
    if (status != ELASTICA_OK) return status;
    of.move = body.place;
    eli_turn_back(of.move.director, of.move.omega, of.omega);
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
