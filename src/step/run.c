/* Runs: the steps of a call, their size, the schedule of limit checks, and the samples between them.
 *
 * models     The certified limit (step_limit.c) is checked every K steps, after a change, and before a step in which a watch trips: in
 *            kernels, if the state leaves the range covered by the last check (eli_watch); in effects, if an approaching surface requires
 *            a shorter step (effects/resolve.h). Such a step is undone (stepper.c) and K, at most 64, is halved; K doubles after K steps
 *            without a trip. A step of a size chosen by the library that turns a frame too far directly after a check is undone as
 *            well, and repeated with a shorter step.
 *            A run to a given time takes equal steps that end there, or whole working steps that end before it. If it ends early, because
 *            its budget of steps or time is used up or a sampler stops it, the number and size of its remaining steps stay in the world
 *            (eli_equal_steps). The next call to the same time continues with them: a run may be divided anywhere without a change of its
 *            steps.
 *            Sample k is due at start + k interval, without drift, and is taken at the end of the first step at or after this time
 * why        Steps never depend on a sampler: it ends a batch, which may end anywhere; it may not change the world; its derived lanes are
 *            computed separately. A run therefore has the same bits with and without a sampler, unless exact times are requested: they
 *            divide an advance as calls with these durations would
 * test       tests/test_working_step.c, tests/test_watch.c, tests/test_resolved_contacts.c, tests/test_pieces.c, tests/test_run.c,
 *            tests/test_sampler.c, tests/test_sampler_rules.c
 */
#include "base/target.h"

#include <limits.h>
#include <math.h>

#include "base/elementary.h"
#include "base/parallel.h"
#include "base/sentence.h"
#include "base/system.h"
#include "hooks/effects.h"
#include "rod/law.h"
#include "snapshot/snapshot.h"
#include "state/definition.h"
#include "step/stepper.h"

/* Working step of elastica_world_advance as a share of the limit, and its largest turn of a frame as a share of 1 rad. */
#define SHARE_OF_LIMIT 0.8
#define SHARE_OF_TURN 0.5

/* Share of the limit after impacts have shortened the steps of rods: each change of the step size shifts the energy of fast vibrations,
 * which impacts have excited, by up to the square of this share. */
#define SHARE_BETWEEN_IMPACTS 0.06

/* Share of the step that a contact requires when it shortens the working step. The contact requires a shorter one when weight drives the
 * surfaces deeper, and each change of the step size during a contact shifts its energy, always in the same direction. */
#define SHARE_AT_CONTACT 0.8

/* Factor by which spins may grow between two limit checks. */
#define FASTER 1.25

/* [rad] Turn of a frame for a step that is repeated because it turned a frame too far. The turn grows with the square of the step size, or
 * linearly if rates of dissipation limit the spin. */
#define LARGEST_TURN_ANEW 0.3

/* The working step grows if all checks during this number of steps agree; the larger number applies after contact has shortened the steps
 * of rods, because then each growth costs energy at the next impact. */
enum { PATIENCE = 64, PATIENCE_BETWEEN_IMPACTS = 1 << 16 };

/* Impacts count no longer when the energy of the vibrations has stayed for STEPS_CALM steps below CALM of its largest value since these
 * impacts: steps of SHARE_OF_LIMIT then shift it by less than steps of SHARE_BETWEEN_IMPACTS shifted that value. */
enum { STEPS_CALM = 1 << 12 };
#define CALM ((SHARE_BETWEEN_IMPACTS / SHARE_OF_LIMIT) * (SHARE_BETWEEN_IMPACTS / SHARE_OF_LIMIT))

/* The smallest K: the bounds of a limit check must cover K steps. */
enum { LEAST_INTERVAL = 8 };

/* ---- Samples ---- */

/* Ends of steps are rounded: an end at most a thousandth of a step before a sample counts as its time. */
#define EARLY 0x1p-10

static double due(const eli_sampling *sampling) {
  return sampling->of.start + sampling->next * sampling->of.interval;
}

static int is_due_at(const elastica_world *world, double time, double dt) {
  return world->schedule.sampling.of.sample != NULL && time + EARLY * dt >= due(&world->schedule.sampling);
}

/* Returns the number of the first sample after a time; with from 1, at or after it. */
static double first_after(const elastica_sampler *of, double time, int from) {
  const double number = (time - of->start) / of->interval, first = from ? -floor(-number) : floor(number) + 1.0;
  return first > 0.0 ? first : 0.0;
}

/* Returns the end of step k from now, with the same bits as the later time of the world. */
static double end_of_step(const elastica_world *world, double dt, long k) {
  if (dt != world->clock.segment_dt) return eli_world_now(world) + (double)k * dt;
  return world->clock.segment_time + (double)(world->clock.segment_steps + k) * dt;
}

/* Returns the number of steps of dt until the next sample, at most `most`. The quotient is only an estimate, because of rounding and
 * because times are sums. */
static long steps_to_sample(const elastica_world *world, double dt, long most) {
  if (world->schedule.sampling.of.sample == NULL) return most;
  const double guess = floor((due(&world->schedule.sampling) - eli_world_now(world)) / dt);
  if (!(guess < (double)most)) return most;
  long steps = guess > 2.0 ? (long)guess - 1 : 1;
  while (steps < most && !is_due_at(world, end_of_step(world, dt, steps), dt)) steps++;
  return steps;
}

/* Returns the time at which a run to `end` must stop first, because a sample requires its exact time; otherwise end. */
double eli_sample_or_end(const elastica_world *world, double end) {
  const eli_sampling *sampling = &world->schedule.sampling;
  if (sampling->of.sample == NULL || !sampling->of.exact) return end;
  const double sample = due(sampling);
  return sample > eli_world_now(world) && sample < end ? sample : end;
}

/* Called at the start of a call that takes steps: allocates memory for the derived lanes of samples, and corrects their numbers if time was
 * set back. */
elastica_status eli_begin_sampling(elastica_world *world) {
  eli_sampling *sampling = &world->schedule.sampling;
  if (sampling->of.sample == NULL) return ELASTICA_OK;
  if (eli_world_now(world) < sampling->last) {
    sampling->next = first_after(&sampling->of, eli_world_now(world), 1);
    sampling->last = eli_world_now(world);
  }
  if (!sampling->of.needs_derived || eli_world_reserve_whole(world)) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "sampler: no memory for the derived lanes of %d rods",
                               world->bodies.indices.taken);
}

/* Calls the sampler of a prepared world if a sample is due. A status other than OK comes from the sampler, or is a refusal. */
elastica_status eli_sample(elastica_world *world) {
  eli_sampling *sampling = &world->schedule.sampling;
  const double now = eli_world_now(world), early = EARLY * world->clock.segment_dt;
  if (!is_due_at(world, now, world->clock.segment_dt)) return ELASTICA_OK;
  elastica_status status = sampling->of.needs_derived ? eli_world_refresh_all(world, "sampler") : ELASTICA_OK;
  if (status != ELASTICA_OK) return status;
  const double next = first_after(&sampling->of, now + early, 0);
  sampling->next = next > sampling->next ? next : sampling->next + 1.0;
  sampling->last = now;
  sampling->inside = 1;
  status = sampling->of.sample(sampling->of.user, world);
  sampling->inside = 0;
  eli_world_forget_refreshed(world);
  if (status >= ELASTICA_OK && status <= ELASTICA_STOPPED) return status;
  return elastica_world_refuse(world, ELASTICA_CALLBACK_FAILED, "the sampler returned %d, which is no elastica_status", (int)status);
}

/* ---- The steps of one call ---- */

/* The part of a run that one call takes. It ends when its budget is used up or a sampler stops it. */
typedef struct call {
  elastica_world *world;
  const char *function;
  long most;      /* largest number of steps */
  double seconds; /* [s] largest time by the clock */
  double (*clock)(void *user);
  void *user;
  double began;     /* [s] start, by the clock */
  double step_time; /* [s] duration of a step in the last piece, by the clock */
  long taken;       /* number of steps taken */
  int is_over;      /* 1: the budget is used up */
} call;

static double wall_clock(void *user) {
  (void)user;
  return eli_clock_now();
}

/* Reads the clock of the caller, which may call the same functions as a hook. */
static double read_clock(const call *of) {
  eli_world_enter_hooks(of->world, ELI_IN_HOOK);
  const double seconds = of->clock(of->user);
  eli_world_leave_hooks(of->world);
  return seconds;
}

/* Begins the steps of a call in a prepared world, and takes a sample if one is due. def NULL: no budget. */
static elastica_status begin_run(call *of, elastica_world *world, const char *function, const elastica_run_def *def) {
  *of = (call){.world = world, .function = function, .most = LONG_MAX, .seconds = INFINITY};
  if (def != NULL) {
    of->most = def->most_steps;
    of->seconds = def->most_seconds;
    of->clock = def->clock != NULL ? def->clock : wall_clock;
    of->user = def->user;
    of->began = read_clock(of);
  }
  const elastica_status status = eli_begin_sampling(world);
  return status == ELASTICA_OK ? eli_sample(world) : status;
}

/* Returns the time since the beginning, by the clock [s]. */
static double seconds_of(const call *of) {
  return of->clock != NULL ? read_clock(of) - of->began : 0.0;
}

/* Returns the number of steps for half of the remaining time, if they take as long as the last ones. The first piece is one step, which is
 * always taken. */
static long affordable(const call *of) {
  enum { MOST = 64 };
  if (!(of->seconds < INFINITY)) return LONG_MAX;
  if (of->taken == 0) return 1;
  const double left = of->seconds - seconds_of(of);
  if (!(left > 0.0 && left >= of->step_time)) return 0;
  return left >= 2.0 * MOST * of->step_time ? MOST : left > 2.0 * of->step_time ? (long)(0.5 * left / of->step_time) : 1;
}

/* Takes up to `most` steps of dt, fewer if a sample or the end of the budget comes first. *taken is their number, 0 if the budget is used
 * up. The caller takes samples. */
static elastica_status take(call *of, double dt, long most, long *taken) {
  elastica_world *world = of->world;
  const int timed = of->seconds < INFINITY;
  const long afford = affordable(of), left = of->most - of->taken, allowed = afford < left ? afford : left;
  *taken = 0;
  of->is_over = allowed < 1;
  if (of->is_over) return ELASTICA_OK;
  const long before = world->clock.step_count, steps = steps_to_sample(world, dt, allowed < most ? allowed : most);
  const double start = timed ? seconds_of(of) : 0.0;
  const elastica_status status = eli_world_take_steps(world, of->function, dt, steps);
  *taken = world->clock.step_count - before;
  of->taken += *taken;
  if (timed && *taken > 0) of->step_time = (seconds_of(of) - start) / (double)*taken;
  return status;
}

/* ---- Schedule of limit checks ---- */

static long steps_to_regular_check(const elastica_world *world) {
  return world->schedule.next_check > world->clock.step_count ? world->schedule.next_check - world->clock.step_count : 1;
}

/* Returns the number of steps until the next regular limit check, or until a state is kept for elastica_world_rewind. */
static long steps_to_limit_check(const elastica_world *world) {
  return eli_steps_to_kept_state(world, steps_to_regular_check(world));
}

elastica_status eli_keep_where_due(elastica_world *world, const char *function) {
  return eli_kept_state_is_due(world) ? eli_world_keep_state(world, function) : ELASTICA_OK;
}

/* Returns 1 if the world has changed since the last limit check. */
static int is_changed(const elastica_world *world) {
  return (world->stale & ELI_STALE_LIMIT) != 0 || world->schedule.limits_are_stale;
}

static int is_regular(const elastica_world *world) {
  return world->clock.step_count >= world->schedule.next_check && world->schedule.last_check != world->clock.step_count;
}

/* Returns the number of steps from the check that is due to the next one. */
static int interval_from_here(const elastica_world *world) {
  const int K = world->schedule.check_interval;
  if (world->schedule.check_is_requested && world->schedule.last_check != world->clock.step_count)
    return K > LEAST_INTERVAL ? K / 2 : LEAST_INTERVAL;
  return is_regular(world) && K < ELI_LIMIT_CHECK_INTERVAL ? 2 * K : K;
}

static int check_is_due(const elastica_world *world) {
  return is_regular(world) || is_changed(world) || world->schedule.check_is_requested;
}

static void watch_slots(const elastica_world *world, const eli_tile *tile, size_t first, size_t count) {
  const double *per_length = tile->lane[ELI_INVERSE_REST_LENGTH], *rest = tile->lane[ELI_REST_LENGTH], *l = tile->lane[ELI_LENGTH];
  for (size_t j = first; j < first + count; j++) {
    const int element = per_length[j] > 0.0; /* 0 also for the ghost of a ring */
    tile->lane[ELI_WATCHED_LENGTH2][j] = element ? ELI_WATCHED_CENTRE * (l[j] * l[j]) : INFINITY;
    tile->lane[ELI_WATCHED_SHEAR2][j] = element ? world->schedule.watch.shear2 * (rest[j] * rest[j]) : INFINITY;
  }
}

static void watch_tile(void *context, int worker, size_t index) {
  const elastica_world *world = context;
  const eli_tile *tile = &world->bodies.slab.tiles[index];
  (void)worker;
  watch_slots(world, tile, 0, tile->count);
}

/* The watch trips if shear or a joint angle leaves the range of rod/law.h, or a spin exceeds its present maximum by a quarter and also 0.6
 * rad in a step. */
static void set_bounds_of_watch(elastica_world *world, double dt) {
  const eli_limit_check *check = &world->schedule.limit_check;
  double sine, cosine;
  const double half_angle = 0.5 * eli_watched_turn(sqrt(check->turn2)), shear = eli_watched_shear(sqrt(check->shear2)),
               faster = FASTER * FASTER * check->spin2;
  eli_sincos(half_angle, &sine, &cosine);
  world->schedule.watch.shear2 = shear * shear;
  world->schedule.watch.joint_h = half_angle < 0.5 * ELI_PI ? sine * sine : 1.0;
  world->schedule.watch.spin2 = faster * (dt * dt) > 0.36 ? faster : 0.36 / (dt * dt);
}

static void watch_all(elastica_world *world, double dt) {
  set_bounds_of_watch(world, dt);
  eli_pool_run(world->scratch.pool, world->bodies.slab.tile_count, eli_world_work(world, 1), watch_tile, world);
}

/* Sets the bounds for rods that require a limit check of their own. */
static void watch_changed(elastica_world *world, double dt) {
  set_bounds_of_watch(world, dt);
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    const eli_tile *tile = &world->bodies.slab.tiles[t];
    if (!tile->limit_is_stale) continue;
    ELI_EACH_ROD(rod, world, tile)
      if (rod->body->limit_is_stale) watch_slots(world, tile, rod->offset - tile->begin, rod->body->slots);
  }
}

/* Checks the limit, with bounds that hold for K steps of dt. */
static elastica_status check_limit(elastica_world *world, double dt, int K) {
  world->schedule.checked_step = dt;
  world->schedule.checked_steps = K;
  world->calls.purpose = ELASTICA_PURPOSE_LIMIT_CHECK;
  const elastica_status status = eli_world_check_limit(world, eli_world_time_in(world, K * dt), &world->schedule.limit_check);
  world->calls.purpose = ELASTICA_PURPOSE_QUERY;
  world->schedule.checked_steps = 0;
  return status;
}

/* Accepts the check: K steps of at most dt are allowed. */
static void accept_check(elastica_world *world, double dt, int K, int chosen) {
  world->schedule.check_interval = K;
  world->schedule.next_check = world->clock.step_count + K;
  world->schedule.check_is_requested = 0;
  world->checkpoint.step = -1; /* undone steps never go back beyond a limit check */
  world->stale &= ~(unsigned)ELI_STALE_LIMIT;
  world->schedule.last_check = world->clock.step_count;
  world->schedule.covered_dt = dt;
  world->schedule.chosen = world->schedule.chooses = chosen;
  watch_all(world, dt);
  eli_world_settle_limits(world);
}

/* Describes the boundaries that strained the limiting element, or moved the bodies whose contact limits the step. */
static const char *demands_of(elastica_world *world, const elastica_step_limit *limit, double dt, char text[ELI_DEMANDS_SIZE]) {
  const int by_pairs = limit->effect != NULL && limit->effect->body->module.add_world_loads != NULL;
  return eli_tell_demands(world, limit->rod_index, by_pairs, world->clock.segment_dt > 0.0 ? world->clock.segment_dt : dt, text,
                          ELI_DEMANDS_SIZE);
}

/* The limit is 0 if a stiffness is not finite, or overflows when divided by a mass. */
static elastica_status refuse_all_steps(elastica_world *world, const char *function) {
  char where[200], why[ELI_DEMANDS_SIZE];
  return elastica_world_refuse(world, ELASTICA_UNSTABLE_STEP,
                               "%s: no step is stable at t = %.9g s: a strain, load or stiffness is not finite %s%s", function,
                               eli_world_now(world), eli_limit_text(world, &world->schedule.limit_check.limit, where, sizeof where),
                               demands_of(world, &world->schedule.limit_check.limit, 1.0, why));
}

/* ---- Steps of a given size ---- */

/* Refuses a step beyond the limit, or one in which a frame turns by more than 1 rad. */
static elastica_status judge(elastica_world *world, double dt) {
  char where[200], steps[ELI_COMPARISON_SIZE], why[ELI_DEMANDS_SIZE];
  const elastica_step_limit *limit = &world->schedule.limit_check.limit;
  const double spin = sqrt(world->schedule.limit_check.spin2);
  if (world->allow_unstable_step) return ELASTICA_OK;
  if (limit->dt == 0.0) return refuse_all_steps(world, "step");
  if (dt > limit->dt)
    return elastica_world_refuse(world, ELASTICA_UNSTABLE_STEP, "step: dt = %s %s%s", eli_comparison(dt, limit->dt, steps),
                                 eli_limit_text(world, limit, where, sizeof where), demands_of(world, limit, dt, why));
  if (spin * dt > 1.0)
    return elastica_world_refuse(world, ELASTICA_UNSTABLE_STEP,
                                 "step: rod %d, element %d spins at %.6g rad/s and would turn by more than 1 rad in dt = %.6g s%s",
                                 world->schedule.limit_check.fastest_rod, world->schedule.limit_check.fastest_element, spin, dt,
                                 eli_tell_demands(world, world->schedule.limit_check.fastest_rod, 0,
                                                  world->clock.segment_dt > 0.0 ? world->clock.segment_dt : dt, why, sizeof why));
  return ELASTICA_OK;
}

/* Checks the limit for steps of dt. A refused check keeps the previous result. If K steps of dt cannot be allowed, smaller K are tried. */
static elastica_status check_limit_for(elastica_world *world, double dt) {
  const eli_limit_check before = world->schedule.limit_check;
  const int chooses = world->schedule.chooses;
  int K = interval_from_here(world);
  world->schedule.chooses = 0;
  elastica_status status = check_limit(world, dt, K);
  while (status == ELASTICA_OK && dt > world->schedule.limit_check.limit.dt && K > LEAST_INTERVAL && !world->allow_unstable_step) {
    K /= 2;
    status = check_limit(world, dt, K);
  }
  if (status == ELASTICA_OK) status = judge(world, dt);
  if (status == ELASTICA_OK)
    accept_check(world, dt, K, 0);
  else
    world->schedule.limit_check = before, world->schedule.chooses = chooses;
  return status;
}

/* Checks single changed rods. The bounds of the other rods hold, because steps are at most as long as those of the last check. */
static elastica_status check_changed_rods(elastica_world *world, double dt) {
  const double horizon = (double)steps_to_regular_check(world) * world->schedule.covered_dt;
  const eli_limit_check before = world->schedule.limit_check;
  const int chooses = world->schedule.chooses;
  world->schedule.chooses = 0;
  world->calls.purpose = ELASTICA_PURPOSE_LIMIT_CHECK;
  elastica_status status = eli_world_check_changed_rods(world, eli_world_now(world) + horizon, &world->schedule.limit_check);
  world->calls.purpose = ELASTICA_PURPOSE_QUERY;
  if (status == ELASTICA_OK) status = judge(world, dt);
  if (status != ELASTICA_OK) {
    world->schedule.limit_check = before;
    world->schedule.chooses = chooses;
    return status;
  }
  world->schedule.covered_dt = dt; /* the changed rods may not allow longer ones */
  world->schedule.chosen = world->schedule.chooses = 0;
  watch_changed(world, dt);
  eli_world_settle_limits(world);
  return ELASTICA_OK;
}

/* Checks the limit before steps of dt, if a check is due. */
static elastica_status check_limit_if_due(elastica_world *world, double dt) {
  const int whole =
      is_regular(world) || (world->stale & ELI_STALE_LIMIT) != 0 || world->schedule.check_is_requested || dt > world->schedule.covered_dt;
  if (whole) return check_limit_for(world, dt);
  return world->schedule.limits_are_stale ? check_changed_rods(world, dt) : ELASTICA_OK;
}

/* Takes `count` steps of dt. */
static elastica_status take_count(call *of, double dt, long count) {
  elastica_world *world = of->world;
  elastica_status status = ELASTICA_OK;
  while (status == ELASTICA_OK && count > 0) {
    if (eli_world_now(world) + dt == eli_world_now(world))
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "step: dt = %g s is lost in rounding at t = %.9g s", dt,
                                   eli_world_now(world));
    status = eli_keep_where_due(world, "step");
    if (status == ELASTICA_OK) status = check_limit_if_due(world, dt);
    if (status != ELASTICA_OK) break;
    const long most = steps_to_limit_check(world);
    long taken;
    status = take(of, dt, count < most ? count : most, &taken);
    count -= taken;
    if (status == ELASTICA_OK) status = eli_sample(world);
  }
  return status;
}

/* ---- Steps of a size chosen by the library ---- */

/* Returns 1 if a contact limits the step, or a spring that begins and ends like one: a limit of a hinge, a cable that was slack. */
static int is_limited_by_impact(const elastica_world *world) {
  const elastica_effect *effect = world->schedule.limit_check.limit.effect;
  const eli_built_in *kind = effect != NULL ? effect->body->kind : NULL;
  return kind != NULL && (kind->contact_stiffness != NULL || (kind->resolves != NULL && kind->resolves(effect->self)));
}

/* Returns 1 if impacts excite fast vibrations: those of rods, or of the springs of a hinge that meets its limit. */
static int may_vibrate(const elastica_world *world) {
  if (world->schedule.limit_check.limit.effect->body->kind->joins != NULL) return 1;
  ELI_EACH_ROD_OF_WORLD(rod, world)
  if (!eli_is_rigid(rod)) return 1;
  return 0;
}

/* Returns the kinetic energy [J] of all motion that neighbouring nodes do not share, and of the frames: that of the fast vibrations of
 * rods, at a moment, and a small part of that of slow motion. Two nodes with opposite velocities differ by twice their speed. */
static double vibration_energy(const elastica_world *world) {
  double sum = 0.0;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    const elastica_rod_view *view = &rod->body->view;
    double twice = 0.0;
    for (int j = 0; j < view->element_count && !view->rigid; j++) {
      const int next = j + 1 < view->node_count ? j + 1 : 0;
      for (int a = 0; a < 3; a++) {
        const double apart = 0.5 * (view->velocity[a][next] - view->velocity[a][j]), spin = view->omega[a][j];
        twice += 0.5 * (view->mass[j] + view->mass[next]) * (apart * apart) + view->inertia[a][j] * (spin * spin);
      }
    }
    sum += 0.5 * twice;
  }
  return sum;
}

/* Follows the vibrations that impacts excite. Returns 1 if they have died away. Vibrations that a limit of a hinge excites are those of
 * bodies, which no energy tells from their other motion. */
static int is_calm_again(elastica_world *world) {
  eli_schedule *schedule = &world->schedule;
  if (schedule->shaken != ELI_SHAKEN_BY_CONTACT) return 0;
  const double energy = vibration_energy(world);
  if (energy > schedule->largest_vibration) schedule->largest_vibration = energy;
  if (energy > CALM * schedule->largest_vibration) schedule->calm_from = world->clock.step_count;
  return world->clock.step_count - schedule->calm_from >= STEPS_CALM;
}

/* Notes that an impact has shortened the working step. */
static void note_impact(elastica_world *world) {
  eli_schedule *schedule = &world->schedule;
  if (schedule->shaken == ELI_NOT_SHAKEN) schedule->largest_vibration = 0.0;
  if (schedule->shaken != ELI_SHAKEN_BY_HINGE)
    schedule->shaken = schedule->limit_check.limit.effect->body->kind->joins != NULL ? ELI_SHAKEN_BY_HINGE : ELI_SHAKEN_BY_CONTACT;
  schedule->calm_from = world->clock.step_count;
}

static double target_of(const elastica_world *world) {
  const double share = world->schedule.shaken && !is_limited_by_impact(world) ? SHARE_BETWEEN_IMPACTS : SHARE_OF_LIMIT;
  const double target = share * world->schedule.limit_check.limit.dt, spin = sqrt(world->schedule.limit_check.spin2);
  return spin * target > SHARE_OF_TURN ? SHARE_OF_TURN / spin : target;
}

/* Refuses a step that is lost in rounding at the end time. The sentence names the distant end time if the step is about as large as before,
 * otherwise the cause of the small step: new loads, a spin, or the limit. */
static elastica_status refuse_lost_step(elastica_world *world, const char *function, double target, int by_loads, double end) {
  char where[200], why[ELI_DEMANDS_SIZE];
  const eli_limit_check *check = &world->schedule.limit_check;
  if (world->schedule.working_step > 0.0 && target >= 0.5 * world->schedule.working_step)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: t = %.9g s is too far: steps of %.6g s are lost in rounding before it", function, end, target);
  if (by_loads)
    return elastica_world_refuse(world, ELASTICA_UNSTABLE_STEP,
                                 "%s: loads turn a frame by more than %g rad in a step above %.6g s, which is lost in rounding before "
                                 "t = %.9g s",
                                 function, LARGEST_TURN_ANEW, target, end);
  if (sqrt(check->spin2) * target > 0.99 * SHARE_OF_TURN)
    return elastica_world_refuse(world, ELASTICA_UNSTABLE_STEP,
                                 "%s: rod %d, element %d spins at %.6g rad/s; half a radian in a step, %.6g s, is lost in rounding before "
                                 "t = %.9g s",
                                 function, check->fastest_rod, check->fastest_element, sqrt(check->spin2), target, end);
  return elastica_world_refuse(world, ELASTICA_UNSTABLE_STEP, "%s: the stable step, %.6g s, is lost in rounding before t = %.9g s %s%s",
                               function, check->limit.dt, end, eli_limit_text(world, &check->limit, where, sizeof where),
                               demands_of(world, &check->limit, 1.0, why));
}

/* With smaller steps a run would take years. */
#define LEAST_SHARE_BY_SPIN 1e-6

static elastica_status refuse_spin(elastica_world *world, const char *function, double step) {
  const eli_limit_check *check = &world->schedule.limit_check;
  return elastica_world_refuse(world, ELASTICA_UNSTABLE_STEP,
                               "%s: rod %d, element %d spins at %.6g rad/s: half a radian in a step, %.6g s, is %.2g of the stable step, "
                               "%.6g s",
                               function, check->fastest_rod, check->fastest_element, sqrt(check->spin2), step, step / check->limit.dt,
                               check->limit.dt);
}

/* Returns 1 if all checks during the required number of steps agree that the step may be twice as long. */
static int may_grow(const elastica_world *world, double target) {
  return world->clock.step_count >= world->schedule.grows_at && !world->schedule.check_is_requested &&
         target > 2.0 * world->schedule.working_step;
}

/* Keeps the working step unless the target, usually 0.8 of the limit, is below it. The step grows if the target is more than twice as
 * large: at once if the world was changed, otherwise if all checks during the required number of steps agree. For a larger or first step,
 * the limit is checked again with bounds that hold for the longer time. */
static elastica_status choose_step(elastica_world *world, const char *function, double end) {
  const double working = world->schedule.working_step;
  const int calm = is_calm_again(world);
  const int changed = is_changed(world), K = interval_from_here(world),
            due = calm || (world->clock.step_count >= world->schedule.grows_at && !world->schedule.check_is_requested);
  const eli_wide_turn *wide = &world->schedule.wide_turn;
  if (calm) world->schedule.shaken = ELI_NOT_SHAKEN;
  elastica_status status = check_limit(world, working, K);
  double target = target_of(world);
  if (!changed && working > 0.0 && world->schedule.lowest < target) target = world->schedule.lowest;
  const int grows = working == 0.0 || (changed && target > 2.0 * working) || may_grow(world, target);
  if (status == ELASTICA_OK && grows && target < INFINITY) {
    status = check_limit(world, target, K);
    if (target_of(world) < target) target = target_of(world);
  }
  if (status != ELASTICA_OK) return status;
  if (world->schedule.limit_check.limit.dt == 0.0) return refuse_all_steps(world, function);
  const int shortens = is_limited_by_impact(world) && target < working;
  if (shortens && target < 0.9 * working && may_vibrate(world)) note_impact(world);
  if (shortens) target *= SHARE_AT_CONTACT;
  if (!grows && working < target) target = working;
  const double unloaded = target;
  if (changed) world->schedule.wide_turn.step = -1;
  if (wide->step == world->clock.step_count && target >= wide->dt) target = wide->dt * sqrt(LARGEST_TURN_ANEW / wide->angle);
  if (LEAST_SHARE_BY_SPIN * world->schedule.limit_check.limit.dt > target && target < unloaded * (1.0 + 1e-9) &&
      world->schedule.limit_check.limit.dt < INFINITY && sqrt(world->schedule.limit_check.spin2) * target > 0.9 * SHARE_OF_TURN)
    return refuse_spin(world, function, target);
  if (end + target == end) return refuse_lost_step(world, function, target, target < unloaded, end); /* also if target is 0 */
  const int grown = grows && target > 2.0 * working;
  if (working == 0.0 || target < working || grown) world->schedule.working_step = target;
  if (changed || due || working == 0.0 || target_of(world) < world->schedule.lowest) world->schedule.lowest = target_of(world);
  if (changed || due || working == 0.0)
    world->schedule.grows_at = world->clock.step_count + (world->schedule.shaken ? PATIENCE_BETWEEN_IMPACTS : PATIENCE);
  accept_check(world, world->schedule.working_step, K, 1);
  return ELASTICA_OK;
}

elastica_status eli_choose_step(elastica_world *world, const char *function, double end) {
  const eli_limit_check before = world->schedule.limit_check;
  const double working = world->schedule.working_step;
  elastica_status status = eli_keep_where_due(world, function);
  if (status != ELASTICA_OK) return status;
  if (!check_is_due(world) && world->schedule.chosen)
    return end + working == end ? refuse_lost_step(world, function, working, 0, end) : ELASTICA_OK;
  const int chooses = world->schedule.chooses;
  const eli_shaken shaken = world->schedule.shaken;
  world->schedule.chooses = 1;
  status = choose_step(world, function, end);
  if (status != ELASTICA_OK) world->schedule.limit_check = before, world->schedule.chooses = chooses, world->schedule.shaken = shaken;
  return status;
}

/* ---- Runs in equal steps ---- */

/* Returns the number of equal steps that are at most as long as the working step, except for rounding. */
static double count_steps(const elastica_world *world, double duration) {
  const double count = -floor(-duration / world->schedule.working_step * (1.0 - 1e-9));
  return count > 1.0 ? count : 1.0;
}

/* Continues the run in eli_equal_steps until the segment of this call ends. At the end of the run the time is set exactly, before samples
 * are taken. */
static elastica_status take_equal_steps(call *of, const char *function) {
  elastica_world *world = of->world;
  eli_equal_steps *rest = &world->schedule.equal_steps;
  elastica_status status = ELASTICA_OK;
  while (status == ELASTICA_OK && rest->left > 0.0 && !of->is_over) {
    status = eli_choose_step(world, function, rest->end);
    if (status != ELASTICA_OK) break;
    if (world->schedule.working_step != rest->chosen) {
      const double remaining = rest->chosen == 0.0 ? rest->duration : rest->end - eli_world_now(world);
      rest->chosen = world->schedule.working_step;
      rest->left = count_steps(world, remaining);
      rest->dt = remaining / rest->left;
    }
    const long most = steps_to_limit_check(world);
    long taken;
    status = take(of, rest->dt, rest->left < (double)most ? (long)rest->left : most, &taken);
    rest->left -= (double)taken;
    if (!(rest->left > 0.0)) {
      world->clock.segment_time = rest->end;
      world->clock.segment_steps = 0;
      world->checkpoint.step = -1; /* the segment of equal steps ends here, and later steps have other times */
    }
    rest->step = world->clock.step_count;
    rest->time = eli_world_now(world);
    if (status == ELASTICA_OK) status = eli_sample(world);
  }
  return status;
}

/* Begins a run to `end` at the present time. */
static void begin_equal_steps(elastica_world *world, double end, double duration) {
  world->schedule.equal_steps =
      (eli_equal_steps){.end = end, .duration = duration, .left = 1.0, .step = world->clock.step_count, .time = eli_world_now(world)};
}

/* Returns 1 if an earlier call left a run with this end, and no steps were taken since. */
static int goes_on(const elastica_world *world, double end) {
  const eli_equal_steps *rest = &world->schedule.equal_steps;
  return rest->left > 0.0 && rest->end == end && rest->step == world->clock.step_count && rest->time == eli_world_now(world);
}

/* Divides the run at the exact times of samples. duration: time to the end, as the caller gave it. */
static elastica_status run_to(call *of, const char *function, double end, double duration, int anew) {
  elastica_world *world = of->world;
  elastica_status status = ELASTICA_OK;
  while (status == ELASTICA_OK && eli_world_now(world) < end && !of->is_over) {
    const double next = eli_sample_or_end(world, end);
    if (anew || !goes_on(world, next)) begin_equal_steps(world, next, next == end ? duration : next - eli_world_now(world));
    status = take_equal_steps(of, function);
    duration = end - eli_world_now(world);
    anew = 0;
  }
  return status;
}

/* ---- Runs in whole working steps ---- */

/* Takes whole working steps that end at or before a time. */
static elastica_status take_whole_steps(call *of, double time) {
  elastica_world *world = of->world;
  elastica_status status = ELASTICA_OK;
  while (status == ELASTICA_OK && eli_world_now(world) < time && !of->is_over) {
    status = eli_choose_step(world, "run", time);
    if (status != ELASTICA_OK) break;
    const double remaining = time - eli_world_now(world), step = world->schedule.working_step;
    const double dt = step < INFINITY ? step : remaining,
                 fit = floor(remaining / dt * (1.0 + 1e-9)); /* without rods the working step is infinite */
    const long most = steps_to_limit_check(world);
    long taken;
    if (fit < 1.0) break;
    status = take(of, dt, fit < (double)most ? (long)fit : most, &taken);
    if (status == ELASTICA_OK) status = eli_sample(world);
  }
  return status;
}

/* ---- Public functions ---- */

elastica_status elastica_world_step(elastica_world *world, double dt, long count) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(world, "step", 1);
  if (status != ELASTICA_OK) return status;
  if (!(dt > 0.0) || dt - dt != 0.0)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "step: dt = %g is not positive and finite", dt);
  if (dt < 1.0 / ELI_LARGEST || dt > ELI_LARGEST)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "step: dt = %g s is too %s", dt, dt < 1.0 ? "small" : "large");
  if (count < 0) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "step: count = %ld is negative", count);
  call of;
  status = eli_world_prepare(world, "step");
  if (status == ELASTICA_OK) status = begin_run(&of, world, "step", NULL);
  return status == ELASTICA_OK ? take_count(&of, dt, count) : status;
}

elastica_status elastica_world_advance(elastica_world *world, double duration) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(world, "advance", 1);
  if (status != ELASTICA_OK) return status;
  if (!(duration >= 0.0 && duration <= ELI_LARGEST))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "advance: duration = %g is negative, too large or not finite", duration);
  if (duration > 0.0 && duration < 1.0 / ELI_LARGEST)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "advance: duration = %g s is too small", duration);
  call of;
  status = eli_world_prepare(world, "advance");
  const double end = eli_world_now(world) + duration;
  if (status == ELASTICA_OK && duration > 0.0 && end == eli_world_now(world))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "advance: duration = %g s is lost in rounding at t = %.9g s", duration,
                                 end);
  if (status == ELASTICA_OK) status = begin_run(&of, world, "advance", NULL);
  return status == ELASTICA_OK ? run_to(&of, "advance", end, duration, 1) : status;
}

#define FIELD(field) ELI_FIELD(elastica_run_def, field)
static const eli_field run_fields[] = {FIELD(struct_size),
                                       ELI_NUMBERS(elastica_run_def, until, ELI_RULE_NUMBER | ELI_RULE_REQUIRED),
                                       ELI_FLAG(elastica_run_def, whole_steps),
                                       FIELD(most_steps),
                                       ELI_NUMBERS(elastica_run_def, most_seconds, ELI_RULE_NOT_NEGATIVE | ELI_RULE_INFINITE),
                                       FIELD(clock),
                                       FIELD(user)};
#undef FIELD
static const elastica_run_def run_defaults = {.until = NAN, .most_steps = LONG_MAX, .most_seconds = INFINITY};
static const eli_layout run_layout = ELI_LAYOUT("run_def", elastica_run_def, run_fields, run_defaults);

void elastica_run_def_init(elastica_run_def *def, size_t size) {
  eli_def_init(&run_layout, def, size);
}

static elastica_status run_as_defined(elastica_world *world, const elastica_run_def *def, call *of) {
  const elastica_status status = begin_run(of, world, "run", def);
  if (status != ELASTICA_OK) return status;
  if (def->whole_steps) return take_whole_steps(of, def->until);
  return run_to(of, "run", def->until, def->until - eli_world_now(world), 0);
}

/* Returns 1 if no step is left: the same call without a budget would take none. */
static int is_finished(const elastica_world *world, const elastica_run_def *def) {
  const double left = def->until - eli_world_now(world);
  const double step = world->schedule.working_step; /* infinite without rods: one step would reach the end */
  return !(left > 0.0) || (def->whole_steps && step < INFINITY && left * (1.0 + 1e-9) < step);
}

/* Reads and checks the definition of a run. With world NULL a refusal leaves no message. */
static elastica_status read_run_def(elastica_world *world, elastica_run_def *def, const elastica_run_def *given) {
  if (given == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "run: def is NULL");
  const elastica_status status = eli_def_read(world, &run_layout, def, given);
  if (status != ELASTICA_OK || def->most_steps >= 0) return status;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "run_def.most_steps is %ld, negative", def->most_steps);
}

elastica_status elastica_world_run(elastica_world *world, const elastica_run_def *given, elastica_run_result *out) {
  elastica_run_def def;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  const elastica_status open = eli_world_check_open(world, "run", 1);
  elastica_status status = read_run_def(open == ELASTICA_OK ? world : NULL, &def, given);
  if (status == ELASTICA_OK && out != NULL) *out = (elastica_run_result){.lag = def.until - eli_world_now(world)};
  if (open != ELASTICA_OK) status = open;
  if (status == ELASTICA_OK) status = eli_world_prepare(world, "run");
  if (status != ELASTICA_OK) return status;
  call of;
  status = run_as_defined(world, &def, &of);
  if (out != NULL) {
    out->finished = is_finished(world, &def);
    out->steps = of.taken;
    out->lag = def.until - eli_world_now(world);
    out->seconds = seconds_of(&of);
  }
  return status;
}

#define FIELD(field) ELI_FIELD(elastica_sampler, field)
static const eli_field sampler_fields[] = {FIELD(struct_size),
                                           FIELD(sample),
                                           FIELD(user),
                                           ELI_NUMBERS(elastica_sampler, interval, ELI_RULE_POSITIVE | ELI_RULE_REQUIRED),
                                           ELI_NUMBERS(elastica_sampler, start, ELI_RULE_NUMBER | ELI_RULE_OPTIONAL),
                                           ELI_FLAG(elastica_sampler, exact),
                                           ELI_FLAG(elastica_sampler, needs_derived)};
#undef FIELD
static const elastica_sampler sampler_defaults = {.interval = NAN, .start = NAN, .needs_derived = 1};
static const eli_layout sampler_layout = ELI_LAYOUT("sampler", elastica_sampler, sampler_fields, sampler_defaults);

void elastica_sampler_init(elastica_sampler *sampler, size_t size) {
  eli_def_init(&sampler_layout, sampler, size);
}

elastica_status elastica_world_set_sampler(elastica_world *world, const elastica_sampler *sampler) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_sampler copy = {.sample = NULL};
  elastica_status status = eli_world_check_change(world, "set_sampler");
  if (status == ELASTICA_OK && sampler != NULL) status = eli_def_read(world, &sampler_layout, &copy, sampler);
  if (status == ELASTICA_OK && sampler != NULL && copy.sample == NULL)
    status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "sampler.sample is NULL");
  if (status != ELASTICA_OK) return status;
  if (eli_is_nan(copy.start)) copy.start = eli_world_now(world);
  world->schedule.sampling = (eli_sampling){.of = copy, .last = eli_world_now(world)};
  if (sampler != NULL) world->schedule.sampling.next = first_after(&copy, eli_world_now(world), 1);
  return ELASTICA_OK;
}
