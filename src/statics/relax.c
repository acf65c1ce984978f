/* Relaxation: the static equilibrium of a world under its present loads.
 *
 * models     0 = internal + external forces and couples of every free node and element
 * equation   steps of relax_step.c until the residual is small; accepted unless the next one would turn back on it
 * source     natural test of a step by the one that follows with the same matrix: Deuflhard, Newton Methods for Nonlinear Problems (2004), 3.3
 * test       tests/test_relax.c
 *
 * Residuals say little on the way: a turn by 0.1 rad stretches the elements of a thin rod by 0.5 % and multiplies every residual, and the next
 * step takes that back without effort. So a step is judged in metres, by where the next one wants to go.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <math.h>
#include <string.h>

#include "base/checks.h"
#include "base/vector.h"

/* What a definition of an older caller may end with. */
#define FIELD(field) ELI_FIELD(elastica_relax_def, field)
static const eli_field fields[] = {FIELD(struct_size), FIELD(tolerance), FIELD(evaluation_limit), FIELD(keep_state)};
#undef FIELD
static const eli_layout layout = ELI_LAYOUT("relax_def", elastica_relax_def, fields);

/* Steps in a row that must creep before a longer one is tried. */
enum { CREEPS = 4 };

/* Steps tried in vain after which a call that has made none may end: each is a quarter of the one before, or less. */
enum { REFUSALS = 40 };

/* Steps of a call that may go beyond a wall. */
enum { LANDINGS = 40 };

/* How far the first step may take a rod, and any, of its length. */
#define FIRST_LEAP 1.0
#define SHORTEST_LEAP 1e-3

/* Steps in a row that shrink by less than this before loads are measured again, and how often. */
enum { PATIENCE = 8, AGAIN = 4 };
#define SLOW 0.7

/* Change of edges and turn [rad] below which a step leads nowhere. */
#define STANDSTILL 1e-9

static elastica_relax_def defaults(void) {
  elastica_relax_def def;
  memset(&def, 0, sizeof def);
  def.struct_size = sizeof def;
  def.tolerance = 1e-9;
  def.evaluation_limit = 10000;
  return def;
}

void elastica_relax_def_init(elastica_relax_def *def, size_t size) {
  elastica_relax_def standard = defaults();
  standard.struct_size = size;
  eli_def_write(def, size, &standard, sizeof standard);
}

/* ---- The way ---- */

/* Loads of the state as it lies, into trial. What is held resists as much as it must. */
static elastica_status evaluate(eli_relaxation *relaxation, eli_tile_report *report) {
  eli_statics *trial = &relaxation->trial;
  relaxation->evaluations++;
  const elastica_status status = eli_world_statics(relaxation->world, trial, report);
  if (status != ELASTICA_OK) return status;
  for (size_t i = 0; i < relaxation->size; i++)
    if (relaxation->held[i]) trial->total[i] = 0.0;
  return eli_relax_weigh(relaxation, trial, relaxation->balance_trial) ? ELASTICA_OK : ELASTICA_NOT_FINITE;
}

/* What was tried becomes now, and the other way round. */
static void swap(eli_relaxation *relaxation) {
  const eli_statics statics = relaxation->now;
  double *predicted = relaxation->predicted;
  eli_balance *balance = relaxation->balance;
  relaxation->now = relaxation->trial;
  relaxation->trial = statics;
  relaxation->predicted = relaxation->predicted_trial;
  relaxation->predicted_trial = predicted;
  relaxation->balance = relaxation->balance_trial;
  relaxation->balance_trial = balance;
  relaxation->assembled = 0;
}

/* Of nodes their mass; of frames no less than a quarter of the element's mass a length away, so that in a thin rod, too, shear and turn are not
 * much faster than stretch. Frames that no element has weigh nothing. */
static void set_inertia(eli_relaxation *relaxation) {
  double *const *lane = relaxation->world->slab.lane;
  for (int r = 0; r < relaxation->world->rod_count; r++) {
    const elastica_rod *rod = relaxation->world->rods[r];
    for (size_t i = 0; i < relaxation->tangents[r].blocks; i++) {
      double *inertia = relaxation->inertia + 6 * (relaxation->first[r] + i);
      const size_t slot = rod->offset + i;
      const double l = lane[ELI_REST_LENGTH][slot],
                   least = i < (size_t)rod->element_count ? 0.25 * lane[ELI_ELEMENT_MASS][slot] * (l * l) : 0.0;
      for (size_t a = 0; a < 3; a++) {
        inertia[a] = lane[ELI_MASS][slot];
        inertia[3 + a] = eli_larger(lane[ELI_INERTIA + a][slot], least);
      }
    }
  }
}

/* Where a difference leads nowhere, a reaction stays unknown. */
static elastica_status measure_reactions(eli_relaxation *relaxation) {
  const elastica_status status = eli_relax_measure_reactions(relaxation);
  return relaxation->world->failure != ELASTICA_OK ? status : ELASTICA_OK;
}

static elastica_status start(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  set_inertia(relaxation);
  eli_relax_note_places(relaxation);
  elastica_status status = eli_relax_find_held(relaxation);
  if (status != ELASTICA_OK) return status;
  eli_tile_report report;
  status = evaluate(relaxation, &report);
  if (status == ELASTICA_JOINT_TOO_FAR && report.effect == NULL)
    return eli_world_fail(world, status, "relax: a joint turns by more than %.1f rad at the start", ELI_JOINT_LIMIT);
  if (status == ELASTICA_NOT_FINITE) return eli_world_fail(world, status, "relax: a force or couple is not finite at the start");
  if (status != ELASTICA_OK) return eli_world_fail_hook(world, &report, eli_world_now(world));
  swap(relaxation);
  memcpy(relaxation->start, relaxation->balance, (size_t)world->rod_count * sizeof *relaxation->start);
  for (size_t i = 0; i < relaxation->blocks; i++)
    for (size_t a = 0; a < 3; a++) relaxation->predicted[3 * i + a] = relaxation->now.strain[12 * i + 3 + a];
  status = eli_relax_measure_loads(relaxation);
  return status == ELASTICA_OK ? measure_reactions(relaxation) : status;
}

/* Turning back by more than half, or going much further astray, is too much; to go on faster is not. */
static int is_sound(const eli_relaxation *relaxation) {
  const double on = relaxation->turnback, astray2 = relaxation->growth * relaxation->growth - on * on;
  return on > -0.6 && astray2 < eli_larger(4.0, on > 0.0 ? 0.25 * (on * on) : 0.0);
}

/* What comes down on a wall goes beyond it, and back: that is kept, for only there it is known where the wall is. */
static int is_landing(eli_relaxation *relaxation) {
  if (!(relaxation->growth <= 1.5) || relaxation->landings >= LANDINGS || !eli_relax_has_landed(relaxation)) return 0;
  relaxation->landings++;
  return 1;
}

static int is_held_back(const eli_relaxation *relaxation) {
  return relaxation->shift > 0.01 * relaxation->stiffness;
}

/* Along a valley that is nearly level, such as the place of a buckle along its rod, rounding limits what the matrix knows of its slope's change, and
 * steps repeat themselves: after some of them the sum of those to come is tried at once. */
static void set_stride(eli_relaxation *relaxation) {
  const double growth = relaxation->growth;
  const int creeps = growth > 0.9 && growth < 1.0 && relaxation->turnback > 0.9 * growth && !is_held_back(relaxation);
  relaxation->creeping = creeps ? (relaxation->creeping + 1) % CREEPS : 0;
  relaxation->stride = creeps && relaxation->creeping == 0 ? 1.0 / (1.0 - growth) : 1.0;
}

/* Tries the proposed step and keeps it, or goes back and holds back the next one. Only what hooks refuse ends the relaxation. */
static elastica_status attempt(eli_relaxation *relaxation) {
  eli_tile_report report;
  for (int r = 0; r < relaxation->world->rod_count; r++)
    eli_tangent_predict(relaxation->world->rods[r], &relaxation->now, relaxation->step, relaxation->predicted_trial);
  eli_relax_save(relaxation);
  eli_relax_move(relaxation);
  const elastica_status status = evaluate(relaxation, &report);
  const int failed = status == ELASTICA_JOINT_TOO_FAR || status == ELASTICA_NOT_FINITE;
  int lesson = 0;
  if (status == ELASTICA_OK) {
    lesson = eli_relax_learn(relaxation);
    swap(relaxation);
    const elastica_status measured = measure_reactions(relaxation);
    if (measured != ELASTICA_OK) return measured;
    eli_relax_compare(relaxation);
    if (is_sound(relaxation) || is_landing(relaxation)) {
      relaxation->contraction = relaxation->growth;
      relaxation->shift *= relaxation->turnback > 0.0 || relaxation->growth < 0.3 ? 0.1 : 1.0;
      relaxation->refusals = 0;
      relaxation->leap *= 4.0;
      relaxation->moved = 1;
      if (eli_relax_extent(relaxation, relaxation->step) > STANDSTILL) relaxation->jams = 0;
      eli_relax_note_turns(relaxation);
      set_stride(relaxation);
      return ELASTICA_OK;
    }
    swap(relaxation);
  }
  eli_relax_restore(relaxation);
  if (status != ELASTICA_OK && !failed) return eli_world_fail_hook(relaxation->world, &report, eli_world_now(relaxation->world));
  /* What was just learned about loads may be all that it takes. */
  if (!lesson || relaxation->refusals > 0) relaxation->shift = 4.0 * relaxation->shift + relaxation->stiffness;
  relaxation->refusals++;
  relaxation->leap = eli_larger(0.25 * relaxation->leap, SHORTEST_LEAP);
  relaxation->jams += status == ELASTICA_JOINT_TOO_FAR;
  relaxation->creeping = 0;
  relaxation->stride = 1.0;
  return ELASTICA_OK;
}

/* Loads that are not what they were at the start, such as contacts that have opened, are measured again when steps hardly get shorter. */
static elastica_status measure_again(eli_relaxation *relaxation) {
  relaxation->slow = relaxation->growth > SLOW ? relaxation->slow + 1 : 0;
  if (relaxation->slow < PATIENCE || relaxation->remeasured >= AGAIN || !eli_relax_is_loaded(relaxation)) return ELASTICA_OK;
  relaxation->slow = 0;
  relaxation->remeasured++;
  relaxation->assembled = 0;
  eli_secant_forget(&relaxation->secant);
  return eli_relax_measure_loads(relaxation);
}

static elastica_status give_up(const eli_relaxation *relaxation) {
  const eli_balance worst = eli_relax_worst(relaxation);
  return elastica_world_refuse(relaxation->world, ELASTICA_NOT_CONVERGED,
                               "relax: %ld evaluations left a force of %.3g N and a couple of %.3g N m, beside %.3g N and %.3g N m at work",
                               relaxation->evaluations, worst.force, worst.couple, worst.reference_force, worst.reference_couple);
}

/* Whether a node of the rod is held along axis a. */
static int holds(const eli_relaxation *relaxation, const elastica_rod *rod, size_t a) {
  for (size_t i = 0; i < relaxation->tangents[rod->index].blocks; i++)
    if (relaxation->held[6 * (relaxation->first[rod->index] + i) + a]) return 1;
  return 0;
}

/* Where the rod turns about: its first node that is held, if any. */
static size_t pivot_of(const eli_relaxation *relaxation, const elastica_rod *rod) {
  for (size_t i = 0; i < relaxation->tangents[rod->index].blocks; i++) {
    const unsigned char *held = relaxation->held + 6 * (relaxation->first[rod->index] + i);
    if (held[0] || held[1] || held[2]) return rod->offset + i;
  }
  return rod->offset;
}

/* What effects do to a rod that nothing balances: the force along axes that no node is held along, or with couple the couple about where it
 * turns, laboratory. Internal forces balance each other. Returns the size, and the main axis. */
static double unbalanced(const eli_relaxation *relaxation, const elastica_rod *rod, int couple, const char **axis) {
  static const char *const names[] = {"x", "y", "z", "-x", "-y", "-z"};
  double *const *lane = rod->world->slab.lane;
  double sum[3] = {0.0, 0.0, 0.0};
  size_t along = 0;
  const size_t pivot = pivot_of(relaxation, rod);
  for (size_t i = 0; i < relaxation->tangents[rod->index].blocks; i++) {
    const double *load = relaxation->now.external + 6 * (relaxation->first[rod->index] + i);
    double arm[3], turning[3];
    for (size_t a = 0; a < 3; a++) arm[a] = lane[ELI_POSITION + a][rod->offset + i] - lane[ELI_POSITION + a][pivot];
    eli_cross(arm, load, turning);
    for (size_t a = 0; a < 3; a++) sum[a] += couple ? turning[a] : load[a];
    for (size_t a = 0; a < 9 && couple && i < (size_t)rod->element_count; a++)
      sum[a % 3] += lane[ELI_DIRECTOR + a][rod->offset + i] * load[3 + a / 3];
  }
  for (size_t a = 0; a < 3 && !couple; a++)
    if (holds(relaxation, rod, a)) sum[a] = 0.0;
  for (size_t a = 1; a < 3; a++)
    if (fabs(sum[a]) > fabs(sum[along])) along = a;
  *axis = names[sum[along] < 0.0 ? 3 + along : along];
  return eli_length(sum);
}

static elastica_status refuse_escape(const eli_relaxation *relaxation, eli_escape escape, const elastica_rod *rod, size_t where,
                                     double amount) {
  elastica_world *world = relaxation->world;
  const char *axis;
  const double size = unbalanced(relaxation, rod, escape == ELI_ESCAPE_ROUND, &axis);
  const eli_balance *balance = &relaxation->balance[rod->index];
  if (escape == ELI_ESCAPE_AWAY)
    return elastica_world_refuse(world, ELASTICA_NOT_CONVERGED,
                                 "relax: rod %d runs away: after %ld evaluations nothing holds it against a force of %.3g N along %s",
                                 rod->index, relaxation->evaluations, size, axis);
  if (escape == ELI_ESCAPE_ROUND)
    return elastica_world_refuse(world, ELASTICA_NOT_CONVERGED,
                                 "relax: rod %d turns without end: after %ld evaluations nothing holds it against a couple of %.3g N m "
                                 "about %s",
                                 rod->index, relaxation->evaluations, size, axis);
  if (escape == ELI_ESCAPE_JOINT)
    return elastica_world_refuse(world, ELASTICA_NOT_CONVERGED,
                                 "relax: rod %d, joint %d gives way: after %ld evaluations its frames are %.3g rad apart, the most is %.1f",
                                 rod->index, (int)where, relaxation->evaluations, amount, ELI_JOINT_LIMIT);
  return elastica_world_refuse(world, ELASTICA_NOT_CONVERGED,
                               "relax: rod %d, element %d gives way: after %ld evaluations it is %s to %.3g of its length at rest, %.3g N "
                               "unbalanced beside %.3g N",
                               rod->index, (int)where, relaxation->evaluations, escape == ELI_ESCAPE_LONG ? "stretched" : "pressed", amount,
                               balance->force, balance->reference_force);
}

/* Not before its first step is made, for the next call would try in vain the same that this one did. */
static int is_spent(const eli_relaxation *relaxation) {
  return relaxation->evaluations >= relaxation->def.evaluation_limit && (relaxation->moved || relaxation->refusals >= REFUSALS);
}

/* Until settled, or out of evaluations, or lost in rounding or in space. */
static elastica_status run(eli_relaxation *relaxation) {
  while (!eli_relax_is_settled(relaxation)) {
    relaxation->ended = is_spent(relaxation);
    if (relaxation->ended || !eli_relax_propose(relaxation)) return give_up(relaxation);
    elastica_status status = attempt(relaxation);
    if (status == ELASTICA_OK) status = measure_again(relaxation);
    if (status != ELASTICA_OK) return status;
    const elastica_rod *rod;
    size_t where = 0;
    double amount = 0.0;
    const eli_escape escape = eli_relax_find_escape(relaxation, &rod, &where, &amount);
    if (escape != ELI_ESCAPE_NONE) return refuse_escape(relaxation, escape, rod, where, amount);
  }
  return eli_relax_judge(relaxation);
}

/* ---- The call ---- */

static void report_on(const eli_relaxation *relaxation, elastica_relax_result *out) {
  const eli_balance worst = eli_relax_worst(relaxation);
  memset(out, 0, sizeof *out);
  out->evaluations = relaxation->evaluations;
  out->force = worst.force;
  out->couple = worst.couple;
  out->reference_force = worst.reference_force;
  out->reference_couple = worst.reference_couple;
  out->distance = relaxation->distance;
  out->stable = relaxation->stable;
  out->undecided = relaxation->undecided;
}

static elastica_status check_def(elastica_world *world, const elastica_relax_def *given, elastica_relax_def *def) {
  *def = defaults();
  if (given == NULL) return ELASTICA_OK;
  elastica_status status = eli_def_read(world, &layout, def, given);
  if (status == ELASTICA_OK) status = eli_check_not_negative(world, "relax_def.tolerance", def->tolerance);
  if (status == ELASTICA_OK && def->evaluation_limit < 1)
    status =
        elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "relax_def.evaluation_limit is %ld, not positive", def->evaluation_limit);
  return status;
}

/* The state has changed between two steps. */
static void settle(elastica_world *world) {
  for (size_t t = 0; t < world->slab.tile_count; t++) eli_tile_update_geometry(world, t);
  world->refreshed = NULL;
  world->looked_dt = 0.0;
}

elastica_status elastica_world_relax(elastica_world *world, const elastica_relax_def *given, elastica_relax_result *out) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(world, "relax", 1);
  if (status != ELASTICA_OK) return status;
  eli_relaxation relaxation;
  memset(&relaxation, 0, sizeof relaxation);
  relaxation.world = world;
  relaxation.stride = 1.0;
  relaxation.leap = FIRST_LEAP;
  status = check_def(world, given, &relaxation.def);
  if (status != ELASTICA_OK) return status;
  if (!eli_relax_allocate(&relaxation))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "relax: no memory for %d rods", world->rod_count);
  status = eli_world_prepare(world);
  if (status == ELASTICA_OK) {
    eli_relax_note_state(&relaxation);
    status = start(&relaxation);
    if (status == ELASTICA_OK) status = run(&relaxation);
    if (status == ELASTICA_NOT_CONVERGED && out != NULL) eli_relax_estimate(&relaxation); /* when settled, that is known */
    if (out != NULL && (status == ELASTICA_OK || status == ELASTICA_NOT_CONVERGED)) report_on(&relaxation, out);
    if (status == ELASTICA_NOT_CONVERGED && !relaxation.ended && !relaxation.def.keep_state) eli_relax_return(&relaxation);
    settle(world);
  }
  eli_release(&world->allocator, relaxation.memory);
  return status;
}
