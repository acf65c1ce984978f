/* Loads that have no equilibrium: recognises a rod that runs away, and refuses it with the reason.
 *
 * models     a rod without support moves or turns without end; a rod that is too weak for its load stretches without end, collapses or
 *            folds
 * test       tests/test_relax_runaway.c
 *
 * Hooks do not state which rods have a support, and residuals can fall while a rod runs away. So the distance of its motion decides.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

#include "base/rotation.h"
#include "base/vector.h"
#include "contact/stick_slip.h"

/* A rod that is farther from its origin than this many lengths has no support. No soft spring or distant floor is expected to let it move
 * that far. */
#define FARTHEST 1e3

/* Near obstacles steps are short. A free rod runs away, too, if it has moved by this many lengths when the evaluations end, and no load
 * with a stiffness holds it. */
#define FAR 10.0

/* The resistance to the motion of a whole rod, beside the largest stiffness of a load: contacts know theirs by differences. */
#define SMOOTH 1e-6

/* A rod drifts if its motion and its load are those of the last test to this share, MOST_STEADY times one after another. */
#define STEADY 0.05
enum { MOST_STEADY = 3 };

/* Room for words about a contact. */
enum { CONTACT_WORDS = 200 };

/* [rad] A rod that has turned by more than all its joints allow, and this many radians more, has no support. */
#define TURN_ALLOWANCE 62.8

/* Dilatations beyond any equilibrium, relative to those at the start. */
#define TOO_LONG 100.0
#define TOO_SHORT 1e-6

/* After MOST_JOINT_REJECTIONS steps rejected because of the angle of a joint, the joint with the largest angle is the cause if that angle
 * is at least this [rad]. */
enum { MOST_JOINT_REJECTIONS = 40 };
#define JAMMED_ANGLE 2.9

typedef enum escape { NONE, GONE, SPINNING, STRETCHED, COLLAPSED, FOLDED } escape;

/* ---- Recognition ---- */

static escape find_weak_element(const eli_relaxation *relaxation, const elastica_rod *rod, size_t *where, double *amount) {
  double *const *lane = rod->world->bodies.slab.lane;
  const eli_origin *origin = &relaxation->origin[rod->body->rank];
  double longest = TOO_LONG * origin->longest, shortest = TOO_SHORT * origin->shortest;
  escape found = NONE;
  for (size_t j = 0; j < (size_t)rod->element_count; j++) {
    const double e = lane[ELI_LENGTH][rod->offset + j] / lane[ELI_REST_LENGTH][rod->offset + j];
    if (e <= longest && (e >= shortest || found == STRETCHED)) continue;
    found = e > longest ? STRETCHED : COLLAPSED;
    *(e > longest ? &longest : &shortest) = *amount = e;
    *where = j;
  }
  return found;
}

static escape find_jammed_joint(const eli_relaxation *relaxation, const elastica_rod *rod, size_t *where, double *amount) {
  double most = JAMMED_ANGLE;
  escape found = NONE;
  for (size_t i = rod->closed ? 0 : 1; i < (size_t)rod->element_count; i++) {
    const double angle = rod->world->bodies.slab.lane[ELI_REST_JOINT_LENGTH][rod->offset + i] *
                         eli_length(relaxation->now.strain + 12 * (relaxation->first[rod->body->rank] + i) + 6);
    if (angle <= most) continue;
    found = FOLDED;
    most = *amount = angle;
    *where = rod->closed ? i : i - 1;
  }
  return found;
}

/* Finds the first rod that escapes; where: its element or joint; amount: dilatation or angle [rad]. */
static escape find_escape(const eli_relaxation *relaxation, const elastica_rod **rod, size_t *where, double *amount) {
  for (int r = 0; r < relaxation->rod_count; r++) {
    const eli_origin *origin = &relaxation->origin[r];
    *rod = relaxation->rods[r];
    escape found = find_weak_element(relaxation, *rod, where, amount);
    if (found == NONE && relaxation->joint_rejections >= MOST_JOINT_REJECTIONS) found = find_jammed_joint(relaxation, *rod, where, amount);
    if (found != NONE) return found;
    if (!(eli_relax_displacement(relaxation, r) <= FARTHEST * origin->length)) return GONE;
    if (!(eli_length(origin->turned) <= ELI_JOINT_LIMIT * (*rod)->element_count + TURN_ALLOWANCE)) return SPINNING;
  }
  return NONE;
}

/* ---- Refusal ---- */

/* Returns 1 if some node of the rod is prescribed along axis a. */
static int holds(const eli_relaxation *relaxation, const elastica_rod *rod, size_t a) {
  for (size_t i = 0; i < eli_relax_blocks(relaxation, (int)rod->body->rank); i++)
    if (relaxation->held[6 * (relaxation->first[rod->body->rank] + i) + a]) return 1;
  return 0;
}

/* Returns the slot of the pivot of the rod: the first node with a prescribed coordinate, or the first of all. */
static size_t pivot_of(const eli_relaxation *relaxation, const elastica_rod *rod) {
  for (size_t i = 0; i < eli_relax_blocks(relaxation, (int)rod->body->rank); i++) {
    const unsigned char *held = relaxation->held + 6 * (relaxation->first[rod->body->rank] + i);
    if (held[0] || held[1] || held[2]) return rod->offset + i;
  }
  return rod->offset;
}

/* Main axes of a load: along them, and against them. */
static const char *const axes[] = {"x", "y", "z", "-x", "-y", "-z"};

/* Returns the size of the load of effects on a rod without the loads supported by constraints, the load, laboratory, and its main axis.
 * couple 0: the force, along the axes without a prescribed node. couple 1: the couple about the pivot. Internal forces cancel in both. */
static double find_unopposed_load(const eli_relaxation *relaxation, const elastica_rod *rod, int couple, double sum[3], size_t *axis) {
  double *const *lane = rod->world->bodies.slab.lane;
  memset(sum, 0, 3 * sizeof *sum);
  size_t along = 0;
  const size_t pivot = pivot_of(relaxation, rod);
  for (size_t i = 0; i < eli_relax_blocks(relaxation, (int)rod->body->rank); i++) {
    const double *load = relaxation->now.external + 6 * (relaxation->first[rod->body->rank] + i);
    double arm[3], moment[3];
    for (size_t a = 0; a < 3; a++) arm[a] = lane[ELI_POSITION + a][rod->offset + i] - lane[ELI_POSITION + a][pivot];
    eli_cross(arm, load, moment);
    for (size_t a = 0; a < 3; a++) sum[a] += couple ? moment[a] : load[a];
    for (size_t a = 0; a < 9 && couple && i < (size_t)rod->element_count; a++)
      sum[a % 3] += lane[ELI_DIRECTOR + a][rod->offset + i] * load[3 + a / 3];
  }
  for (size_t a = 0; a < 3 && !couple; a++)
    if (holds(relaxation, rod, a)) sum[a] = 0.0;
  for (size_t a = 1; a < 3; a++)
    if (fabs(sum[a]) > fabs(sum[along])) along = a;
  *axis = sum[along] < 0.0 ? 3 + along : along;
  return eli_length(sum);
}

/* Returns 1 if constraints or loads resist a turn of the rod as a whole about an axis of the laboratory through its pivot. */
static int is_held_against_turns(const eli_relaxation *relaxation, const elastica_rod *rod, size_t axis) {
  double *const *lane = rod->world->bodies.slab.lane, *turn = relaxation->work, *load = relaxation->next, power = 0.0;
  const size_t first = 6 * relaxation->first[rod->body->rank], count = 6 * eli_relax_blocks(relaxation, (int)rod->body->rank),
               pivot = pivot_of(relaxation, rod);
  memset(turn, 0, relaxation->size * sizeof *turn);
  memset(load, 0, relaxation->size * sizeof *load);
  for (size_t i = 0; i < count / 6; i++) {
    double about[3] = {0.0, 0.0, 0.0}, arm[3];
    about[axis] = 1.0;
    for (size_t a = 0; a < 3; a++) arm[a] = lane[ELI_POSITION + a][rod->offset + i] - lane[ELI_POSITION + a][pivot];
    eli_cross(about, arm, turn + first + 6 * i);
    for (size_t a = 0; a < 3 && i < (size_t)rod->element_count; a++)
      turn[first + 6 * i + 3 + a] = lane[ELI_DIRECTOR + 3 * a + axis][rod->offset + i];
  }
  eli_stiffness_apply(&relaxation->stiffness, 0, turn, load);
  for (size_t k = first; k < first + count; k++) {
    if (relaxation->held[k] && turn[k] != 0.0) return 1;
    power += turn[k] * load[k];
  }
  return power > 0.0;
}

static elastica_status refuse_escape(const eli_relaxation *relaxation, escape found, const elastica_rod *rod, size_t where, double amount) {
  elastica_world *world = relaxation->world;
  size_t along = 0;
  double load[3];
  const double size = find_unopposed_load(relaxation, rod, found == SPINNING, load, &along);
  const char *axis = axes[along];
  const eli_residual *residual = &relaxation->residual[rod->body->rank];
  if (found == GONE)
    return elastica_world_refuse(world, ELASTICA_NOT_CONVERGED,
                                 "relax: rod %d runs away: after %ld evaluations nothing holds it against a force of %.3g N along %s",
                                 rod->index, relaxation->evaluations, size, axis);
  if (found == SPINNING && is_held_against_turns(relaxation, rod, along % 3))
    return elastica_world_refuse(world, ELASTICA_NOT_CONVERGED,
                                 "relax: rod %d keeps turning: after %ld evaluations it has turned by %.3g rad, and a couple of %.3g N m "
                                 "about %s is left, although the rod is held",
                                 rod->index, relaxation->evaluations, eli_length(relaxation->origin[rod->body->rank].turned), size, axis);
  if (found == SPINNING)
    return elastica_world_refuse(world, ELASTICA_NOT_CONVERGED,
                                 "relax: rod %d turns without end: after %ld evaluations nothing holds it against a couple of %.3g N m "
                                 "about %s",
                                 rod->index, relaxation->evaluations, size, axis);
  if (found == FOLDED)
    return elastica_world_refuse(world, ELASTICA_NOT_CONVERGED,
                                 "relax: rod %d, joint %d gives way: after %ld evaluations its frames are %.3g rad apart, the most is %.1f",
                                 rod->index, (int)where, relaxation->evaluations, amount, ELI_JOINT_LIMIT);
  return elastica_world_refuse(world, ELASTICA_NOT_CONVERGED,
                               "relax: rod %d, element %d gives way: after %ld evaluations it is %s to %.3g of its length at rest, %.3g N "
                               "unbalanced beside %.3g N",
                               rod->index, (int)where, relaxation->evaluations, found == STRETCHED ? "stretched" : "pressed", amount,
                               residual->force, residual->reference_force);
}

elastica_status eli_relax_check_escape(const eli_relaxation *relaxation) {
  const elastica_rod *rod;
  size_t where = 0;
  double amount = 0.0;
  const escape found = find_escape(relaxation, &rod, &where, &amount);
  return found == NONE ? ELASTICA_OK : refuse_escape(relaxation, found, rod, where, amount);
}

/* Returns 1 if loads with a stiffness resist a motion of the rod along this force, together with all others that drift. On a smooth plane
 * nothing does. */
static int is_resisted(const eli_relaxation *relaxation, int r, const double force[3]) {
  const eli_stiffness *stiffness = &relaxation->stiffness;
  const double size = eli_length(force);
  double *shift = relaxation->work, *load = relaxation->next, power = 0.0;
  memset(shift, 0, relaxation->size * sizeof *shift);
  memset(load, 0, relaxation->size * sizeof *load);
  for (int k = 0; k < relaxation->rod_count; k++)
    for (size_t i = relaxation->first[k]; i < relaxation->first[k + 1] && (k == r || relaxation->origin[k].steady > 0); i++)
      for (size_t a = 0; a < 3; a++) shift[6 * i + a] = force[a] / size;
  eli_stiffness_apply(stiffness, 0, shift, load);
  for (size_t k = 6 * relaxation->first[r]; k < 6 * relaxation->first[r + 1]; k++) power += shift[k] * load[k];
  return fabs(power) > SMOOTH * eli_stiffness_largest(stiffness);
}

static int is_like(const double now[3], const double before[3]) {
  const double change[3] = {now[0] - before[0], now[1] - before[1], now[2] - before[2]};
  return eli_length(change) <= STEADY * eli_length(now);
}

void eli_relax_follow_drift(eli_relaxation *relaxation) {
  for (int r = 0; r < relaxation->rod_count; r++) {
    eli_origin *origin = &relaxation->origin[r];
    double centre[3], moved[3], force[3];
    size_t along;
    eli_relax_find_centre(relaxation, relaxation->rods[r], centre);
    for (size_t a = 0; a < 3; a++) moved[a] = centre[a] - origin->last[a];
    (void)find_unopposed_load(relaxation, relaxation->rods[r], 0, force, &along);
    const int drifts = is_like(moved, origin->moved) && is_like(force, origin->force) && eli_dot(moved, force) > 0.0;
    origin->steady = drifts ? origin->steady + 1 : 0;
    memcpy(origin->last, centre, sizeof centre);
    memcpy(origin->moved, moved, sizeof moved);
    memcpy(origin->force, force, sizeof force);
  }
}

/* Describes the contact along which a rod slides, or nothing. */
static const char *tell_contact(const eli_touched *touched, int touches, char words[CONTACT_WORDS]) {
  words[0] = '\0';
  if (touches)
    eli_write(words, CONTACT_WORDS, ", while it %s in the contact at node %d with effect %d \"%.60s\"",
              touched->friction == ELI_FRICTION_IDLE ? "slides without friction" : "slides against all friction that there is",
              touched->element, touched->effect->index, touched->effect->body->label);
  return words;
}

elastica_status eli_relax_check_drift(eli_relaxation *relaxation, int ended) {
  for (int r = 0; r < relaxation->rod_count; r++) {
    const elastica_rod *rod = relaxation->rods[r];
    const double moved = eli_relax_displacement(relaxation, r);
    const int steady = relaxation->origin[r].steady >= MOST_STEADY, far = moved > FAR * relaxation->origin[r].length;
    size_t along = 0;
    double force[3];
    char words[CONTACT_WORDS];
    eli_touched touched;
    const int sunk = relaxation->sunk[0] != '\0' && steady;
    if (eli_rod_is_supported(rod) || !(ended ? steady || (far && !eli_is_rigid(rod)) : (far && steady) || sunk)) continue;
    const double size = find_unopposed_load(relaxation, rod, 0, force, &along);
    if (!(size > eli_relax_allowed_force(relaxation, r)) || is_resisted(relaxation, r, force)) continue;
    if (sunk)
      return elastica_world_refuse(
          relaxation->world, ELASTICA_NOT_CONVERGED,
          "relax: %s; a stiffer layer would resist the loads: after %ld evaluations nothing holds rod %d against a "
          "force of %.3g N along %s any more",
          relaxation->sunk, relaxation->evaluations, rod->index, size, axes[along]);
    const int touches = eli_relax_find_contact(relaxation, r, &touched);
    if (!touches && !ended) continue;
    return elastica_world_refuse(relaxation->world, ELASTICA_NOT_CONVERGED,
                                 "relax: rod %d runs away: within %ld evaluations and %.3g m nothing has held it against a force of %.3g N "
                                 "along %s%s; if something farther does, another call or a larger evaluation_limit goes on",
                                 rod->index, relaxation->evaluations, moved, size, axes[along], tell_contact(&touched, touches, words));
  }
  return ELASTICA_OK;
}
