/* The steps that resolve impacts, of contacts and of springs that act on one side alone.
 *
 * models     A step that is long beside an impact gains or loses energy: the force at its beginning acts in all of it. With accuracy, a
 *            step is repeated if the phase of a node on its contacts, or of bodies on a one-sided spring, is above ELI_RESOLVED, as in
 *            explicit steps (effects/resolve.h), or, with dampers, above COARSE; an amplitude below half of the accuracy does not count.
 *            Where one begins or ends in a step with a phase above COARSE, or of a spring without dampers above FINE, the step is one of
 *            backward Euler: it makes no energy, and the impact is not elastic
 * measured   an undamped bounce in steps of a given size: above a phase of 1, 40 to 100 % lost; 0.6: up to 6 % gained; 0.3: 1 %; 0.16:
 *            0.4 %; 0.04: 2.5e-4. Without the steps of backward Euler a phase of 6 and more gained up to 190 times the energy. Of 420
 *            scenes with stops and tendons none gained 1 %, where 55 % of it and more came without them
 * equation   nodes: frequency w^2 = sum_q |tr K_pq|/m_p over the nodes q that the contacts of node p move; amplitude^2 = (v/w)^2 +
 *            (a/w^2)^2 with v = |sum_q K_pq v_q|/(m_p w^2), relative to moving obstacles, and the acceleration a along the normal
 *            springs: v and a of their coordinate
 * test       tests/test_implicit_impacts.c, tests/test_implicit_stops.c
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

/* Phases of steps: COARSE just resolves an impact; in steps of FINE an impact without dampers gains up to 1 %. The frequency of a node on
 * contacts is an upper bound, often twice the true one: FINE would take the second order from impacts of 20 steps. */
#define COARSE 1.0
#define FINE 0.3

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

/* Notes a coupling that acts: its frequency, the largest phase of a step that resolves it, and the largest phase of a step in which it may
 * begin or end. counts 1: its amplitude counts. */
static void note_coupling(eli_implicit *implicit, size_t coupling, double frequency, double phase, double longest, int counts) {
  implicit->shortness_now[coupling] = frequency / longest;
  if (counts && phase / frequency < implicit->resolving_now) implicit->resolving_now = phase / frequency;
}

static void resolve_node(eli_implicit *implicit, size_t b) {
  const sums *sum = (const sums *)implicit->relaxation.next + b;
  if (!(sum->stiffness > 0.0) || implicit->relaxation.held[6 * b]) return;
  const double square = sum->stiffness / implicit->relaxation.world->bodies.slab.lane[ELI_MASS][implicit->slot[b]],
               frequency = sqrt(square);
  const double least = PART_OF_ACCURACY * implicit->accuracy;
  const double x = eli_length(sum->rate) / (sum->stiffness * frequency), y = sqrt(sum->square) / square;
  note_coupling(implicit, b, frequency, sum->phase, COARSE, sqrt(x * x + y * y) > least);
}

/* ---- One-sided springs ---- */

static elastica_status find_spring(const eli_implicit *implicit, elastica_effect *effect, eli_one_sided *out) {
  elastica_world *world = implicit->relaxation.world;
  memset(out, 0, sizeof *out);
  out->room = INFINITY;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  const elastica_status status = effect->body->kind->one_sided(effect->self, eli_world_now(world), out);
  eli_world_leave_hooks(world);
  if (status == ELASTICA_OK) return status;
  const eli_tile_report report = {.status = status, .rod_index = -1, .effect = effect, .hook = ELI_ADD_LOADS};
  return eli_world_fail_hook(world, &report, eli_world_now(world), "");
}

/* Returns the second derivative of the coordinate by these accelerations. */
static double acceleration_of(const eli_implicit *implicit, const eli_one_sided *spring, const double *change) {
  double *const *lane = implicit->relaxation.world->bodies.slab.lane, sum = 0.0;
  for (int k = 0; k < spring->count; k++) {
    const size_t part = eli_relax_part(&implicit->relaxation, &spring->part[k]), b = part / 2, slot = implicit->slot[b];
    double q[9], turned[3];
    if (part % 2 == 0) {
      sum += eli_dot(spring->gradient + 3 * k, change + 6 * b);
      continue;
    }
    for (size_t a = 0; a < 9; a++) q[a] = lane[ELI_DIRECTOR + a][slot];
    eli_turn(q, change + 6 * b + 3, turned);
    for (size_t a = 0; a < 3; a++) sum += spring->gradient[3 * k + (int)a] * turned[a] / lane[ELI_INERTIA + a][slot];
  }
  return sum;
}

/* Shortens `resolving` for a spring that acts, if its vibration ends its action: x beyond the kink is x + x"/w^2 plus a vibration. */
static void resolve_spring(eli_implicit *implicit, size_t coupling, const eli_one_sided *spring, const double *change) {
  const double w = spring->frequency, part = acceleration_of(implicit, spring, change) / (w * w), rate = spring->rate / w;
  const double amplitude = sqrt(rate * rate + part * part);
  const int is_damped = spring->damping_ratio > ELI_DAMPED, ends = spring->beyond + part <= amplitude;
  note_coupling(implicit, coupling, w, is_damped ? COARSE : ELI_RESOLVED, is_damped ? COARSE : FINE,
                ends && amplitude * spring->lever > PART_OF_ACCURACY * implicit->accuracy);
}

/* Visits the one-sided springs. change NULL: finds their rates alone. */
static elastica_status visit_springs(eli_implicit *implicit, const double *change) {
  int k = 0;
  ELI_EACH_EFFECT_OF_WORLD(effect, implicit->relaxation.world) {
    eli_one_sided spring;
    if (!eli_has_one_sided(effect)) continue;
    eli_sided *sided = &implicit->sided[k++];
    *sided = (eli_sided){.start_rate = sided->start_rate, .start_room = sided->start_room, .room = INFINITY, .rod_index = -1};
    if (!effect->enabled) continue;
    const elastica_status status = find_spring(implicit, effect, &spring);
    if (status != ELASTICA_OK) return status;
    sided->rate = spring.rate, sided->room = spring.room, sided->lever = spring.lever;
    if (spring.count > 0) sided->rod_index = spring.part[0].rod->rod_index;
    if (change != NULL && spring.acts && spring.frequency > 0.0)
      resolve_spring(implicit, implicit->relaxation.blocks + (size_t)(k - 1), &spring, change);
  }
  return ELASTICA_OK;
}

elastica_status eli_implicit_find_sided(eli_implicit *implicit) {
  return implicit->sided_count > 0 ? visit_springs(implicit, NULL) : ELASTICA_OK;
}

/* ---- All couplings ---- */

static elastica_status visit_contacts(eli_implicit *implicit, const double *change) {
  elastica_world *world = implicit->relaxation.world;
  elastica_status status = ELASTICA_OK;
  memset(implicit->relaxation.next, 0, implicit->relaxation.size * sizeof(double));
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (status == ELASTICA_OK && effect->enabled && eli_reports_contacts(effect)) status = visit_effect(implicit, change, effect);
  for (size_t b = 0; b < implicit->relaxation.blocks && status == ELASTICA_OK; b++) resolve_node(implicit, b);
  return status;
}

/* Without contacts only one-sided springs count. */
static size_t first_coupling(const eli_implicit *implicit) {
  return implicit->relaxation.touching.limit > 0.0 ? 0 : implicit->relaxation.blocks;
}

elastica_status eli_implicit_resolve(eli_implicit *implicit, const double *change) {
  elastica_status status = ELASTICA_OK;
  const size_t first = first_coupling(implicit);
  memset(implicit->shortness_now + first, 0, (implicit->couplings - first) * sizeof(double));
  implicit->resolving_now = INFINITY;
  if (implicit->relaxation.touching.limit > 0.0) status = visit_contacts(implicit, change);
  if (status == ELASTICA_OK && implicit->sided_count > 0) status = visit_springs(implicit, change);
  if (implicit->resolving_now < implicit->resolving) implicit->resolving = implicit->resolving_now;
  for (size_t k = first; k < implicit->couplings; k++) {
    implicit->touches[k] = (unsigned char)(implicit->touches[k] + (implicit->shortness_now[k] > 0.0));
    eli_keep_larger(&implicit->shortness[k], implicit->shortness_now[k]);
  }
  return status;
}

/* Returns the change of the velocity of a node, or of the bodies on a spring [m/s]. */
static double change_of(const eli_implicit *implicit, size_t coupling) {
  double *const *velocity = implicit->relaxation.world->bodies.slab.lane + ELI_VELOCITY;
  double change[3];
  if (coupling >= implicit->relaxation.blocks) {
    const eli_sided *sided = &implicit->sided[coupling - implicit->relaxation.blocks];
    return sided->lever * fabs(sided->rate - sided->start_rate);
  }
  for (size_t a = 0; a < 3; a++) change[a] = velocity[a][implicit->slot[coupling]] - implicit->rate[6 * coupling + a];
  return eli_length(change);
}

int eli_implicit_strikes(const eli_implicit *implicit, double h, double *jump) {
  int found = 0;
  *jump = 0.0;
  for (size_t k = first_coupling(implicit); k < implicit->couplings; k++) {
    const int stages = implicit->touches[k], all = implicit->start_shortness[k] > 0.0 ? stages == 2 : stages == 0;
    if (all || h * eli_larger(implicit->shortness[k], implicit->start_shortness[k]) <= 1.0) continue;
    eli_keep_larger(jump, change_of(implicit, k));
    found = 1;
  }
  return found;
}
