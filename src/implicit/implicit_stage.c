/* One stage of an implicit step: backward Euler with the time c from a given state, by Newton's method.
 *
 * models     the equations of motion (Gazzola et al. 2018, 3.6 to 3.9) of the classical law on R^3 x SO(3): forces on nodes, and spin
 *            momenta p = Q^T J omega of elements in the laboratory, whose rate is the couple without (J omega) x omega
 * equation   v = u/c, omega = phi/c, r = r* + u, Q = EXP(phi) Q*:
 *              M (v - v*)/c + D v - F = 0,   (J phi/c - Q p*)/c + d omega - C = 0
 *            Newton: K, the tangent of rods and effects, plus M/c^2 + D/c of nodes and (J/c^2 + d/c) P(phi) - [Q p*]x/c of elements;
 *            u += delta, phi += P(phi) eta
 * source     backward Euler in rotation vectors of the step: Simo and Vu-Quoc, Comput. Methods Appl. Mech. Eng. 66 (1988) 125, for the
 *            setting; the stages are those of implicit_step.c
 * test       tests/test_implicit.c
 *
 * u and not r is the unknown, so that velocities do not lose digits far from the origin. The geometric stiffness takes the stress that the
 * last correction predicted (statics/tangent.c).
 */
#include "base/target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/matrix.h"
#include "base/rotation.h"
#include "hooks/work.h"
#include "implicit/implicit.h"
#include "rod/law.h"
#include "step/stepper.h"

/* Corrections beyond these numbers end Newton's method: a size, a ratio of two sizes, and a count. */
#define LARGEST_SIZE 1e6
#define LARGEST_RATIO 2.0
enum { MOST_ITERATIONS = 12 };

/* The error that the last correction leaves is at most this part of the first one, and not above the tolerance, or with loads of a module
 * this part of it; but a size close to rounding is small. */
#define PART_OF_FIRST 0.01
#define EXACT_SIZE 1e-9

/* ---- Memory ---- */

/* Numbers per block: positions 2 * 3, frames 2 * 9, P 9, stress 3, rates 2, lever, seven vectors of unknowns. Per coupling: shortness 3. */
enum { PER_BLOCK = 6 + 18 + 9 + 3 + 2 + 1 + 7 * 6, PER_COUPLING = 3 };

/* The numbers of a correction per block: residual, weight and step, P. They belong to a matrix, so that they stay in the cache. A worker
 * takes several short rods through one part of the correction before the next part: otherwise each rod would drive the instructions out of
 * their cache. Its matrices have up to so many blocks together. */
enum { PER_CORRECTION = 3 * 6 + 9, BLOCKS_OF_MATRICES = 48, MOST_MATRICES = 12 };

static int count_matrices(size_t most) {
  const size_t count = BLOCKS_OF_MATRICES / most;
  return count < 1 ? 1 : count > MOST_MATRICES ? MOST_MATRICES : (int)count;
}

/* Counts the effects with a one-sided spring, also those that are disabled. */
static int count_sided(const elastica_world *world) {
  int count = 0;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) count += eli_has_one_sided(effect);
  return count;
}

static int allocate(eli_implicit *implicit) {
  const size_t blocks = implicit->relaxation.blocks, size = 6 * blocks, rods = (size_t)implicit->relaxation.rod_count;
  implicit->sided_count = count_sided(implicit->relaxation.world);
  implicit->couplings = blocks + (size_t)implicit->sided_count;
  for (size_t r = 0; r < rods; r++)
    if (eli_relax_blocks(&implicit->relaxation, (int)r) > implicit->most) implicit->most = eli_relax_blocks(&implicit->relaxation, (int)r);
  implicit->matrices = implicit->relaxation.stiffness.matrices = count_matrices(implicit->most > 0 ? implicit->most : 1);
  const size_t matrices = (size_t)implicit->relaxation.world->scratch.worker_count * (size_t)implicit->matrices;
  const size_t of_matrices = matrices * PER_CORRECTION * implicit->most;
  const size_t bytes = of_matrices * sizeof(double) + blocks * (PER_BLOCK * sizeof(double) + sizeof(size_t) + 1) +
                       implicit->couplings * (PER_COUPLING * sizeof(double) + 1) + rods * (sizeof(eli_newton) + sizeof(int)) + sizeof(int) +
                       (size_t)implicit->relaxation.world->scratch.worker_count * sizeof(eli_pass) +
                       (size_t)implicit->sided_count * sizeof(eli_sided);
  double *memory = eli_allocate(&implicit->relaxation.world->allocator, 1, bytes + 1);
  implicit->memory = memory;
  if (memory == NULL) return 0;
  implicit->position = eli_take_doubles(&memory, 3 * blocks);
  implicit->from_position = eli_take_doubles(&memory, 3 * blocks);
  implicit->frame = eli_take_doubles(&memory, 9 * blocks);
  implicit->from_frame = eli_take_doubles(&memory, 9 * blocks);
  implicit->change_of_turn = eli_take_doubles(&memory, 9 * blocks);
  implicit->stress = eli_take_doubles(&memory, 3 * blocks);
  implicit->rates = eli_take_doubles(&memory, 2 * blocks);
  implicit->lever = eli_take_doubles(&memory, blocks);
  implicit->start_shortness = eli_take_doubles(&memory, implicit->couplings);
  implicit->shortness = eli_take_doubles(&memory, implicit->couplings);
  implicit->shortness_now = eli_take_doubles(&memory, implicit->couplings);
  implicit->rate = eli_take_doubles(&memory, size);
  implicit->change = eli_take_doubles(&memory, size);
  implicit->from_momentum = eli_take_doubles(&memory, size);
  implicit->unknown = eli_take_doubles(&memory, size);
  implicit->middle_rate = eli_take_doubles(&memory, size);
  implicit->middle_change = eli_take_doubles(&memory, size);
  implicit->end_change = eli_take_doubles(&memory, size);
  implicit->of_matrix = eli_take_doubles(&memory, of_matrices);
  implicit->sided = (eli_sided *)memory;
  implicit->newton = (eli_newton *)(implicit->sided + implicit->sided_count);
  implicit->slot = (size_t *)(implicit->newton + rods);
  implicit->shares = (int *)(implicit->slot + blocks);
  implicit->pass = (eli_pass *)(implicit->shares + rods + 1);
  implicit->is_end = (unsigned char *)(implicit->pass + implicit->relaxation.world->scratch.worker_count);
  implicit->touches = implicit->is_end + blocks;
  return 1;
}

/* A share has about so many blocks, so that its work is long beside that of handing it out. */
#define BLOCKS_OF_SHARE 64

static void find_shares(eli_implicit *implicit) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  size_t begin = 0;
  implicit->share_count = 0;
  implicit->shares[0] = 0;
  for (int r = 0; r < relaxation->rod_count; r++) {
    if (relaxation->first[r + 1] - begin < BLOCKS_OF_SHARE && r + 1 < relaxation->rod_count) continue;
    begin = relaxation->first[r + 1];
    implicit->shares[++implicit->share_count] = r + 1;
  }
}

typedef struct sharing {
  eli_implicit *implicit;
  eli_implicit_task *task;
  const void *argument;
} sharing;

static void take_share(void *context, int worker, size_t index) {
  const sharing *now = context;
  for (int r = now->implicit->shares[index]; r < now->implicit->shares[index + 1]; r++) {
    now->implicit->newton[r].matrix = worker * now->implicit->matrices;
    now->task(now->implicit, r, now->argument);
  }
}

void eli_implicit_share(eli_implicit *implicit, double work, eli_implicit_task *task, const void *argument) {
  sharing now = {implicit, task, argument};
  eli_pool_run(implicit->relaxation.world->scratch.pool, (size_t)implicit->share_count, work * (double)implicit->relaxation.blocks,
               take_share, &now);
}

static double find_lever(const elastica_rod *rod, size_t slot) {
  double *const *lane = rod->world->bodies.slab.lane;
  const double length = lane[ELI_REST_LENGTH][slot];
  return eli_is_rigid(rod) ? 0.5 * length : eli_radius(lane[ELI_VOLUME][slot], length);
}

static void find_slots(eli_implicit *implicit) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  double smallest = INFINITY;
  for (int r = 0; r < relaxation->rod_count; r++) {
    eli_newton *newton = &implicit->newton[r];
    *newton = (eli_newton){.smallest = INFINITY};
    const elastica_rod *rod = relaxation->rods[r];
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++) {
      const size_t block = relaxation->first[r] + i, slot = rod->offset + i;
      implicit->slot[block] = slot;
      implicit->is_end[block] = i >= (size_t)rod->element_count;
      implicit->lever[block] = implicit->is_end[block] ? 0.0 : find_lever(rod, slot);
      const double length = relaxation->world->bodies.slab.lane[ELI_REST_LENGTH][slot];
      if (!implicit->is_end[block] && length < newton->smallest) newton->smallest = length;
    }
    if (newton->smallest < smallest) smallest = newton->smallest;
  }
  implicit->together = eli_world_has_pair_phase(relaxation->world);
  for (int r = 0; r < relaxation->rod_count && implicit->together; r++) implicit->newton[r].smallest = smallest;
}

/* Finds the rods with loads of a module: the tangent of these loads may be incomplete. */
static void find_doubtful(eli_implicit *implicit) {
  eli_relaxation *relaxation = &implicit->relaxation;
  ELI_EACH_EFFECT_OF_WORLD(effect, relaxation->world) {
    const elastica_module *module = &effect->body->module;
    if (!effect->enabled || effect->body->kind != NULL || (module->add_loads == NULL && module->add_world_loads == NULL)) continue;
    for (int r = 0; r < relaxation->rod_count; r++)
      if (implicit->together || effect->rod == NULL || effect->rod == relaxation->rods[r]) implicit->newton[r].is_doubtful = 1;
  }
}

elastica_status eli_implicit_open(eli_implicit *implicit, elastica_world *world, double tolerance) {
  memset(implicit, 0, sizeof *implicit);
  implicit->tolerance = tolerance;
  elastica_status status = eli_relax_open(&implicit->relaxation, world, NULL);
  if (status == ELASTICA_OK && !allocate(implicit))
    status = elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "run_implicit: no memory for %d rods", implicit->relaxation.rod_count);
  if (status != ELASTICA_OK) return status;
  find_slots(implicit);
  find_doubtful(implicit);
  find_shares(implicit);
  status = eli_relax_find_held(&implicit->relaxation);
  eli_relax_return(&implicit->relaxation, &implicit->relaxation.start);
  return status;
}

void eli_implicit_close(eli_implicit *implicit) {
  eli_release(&implicit->relaxation.world->allocator, implicit->memory);
  eli_relax_close(&implicit->relaxation);
}

/* ---- The state of the world ---- */

void eli_implicit_set_time(elastica_world *world, double time) {
  world->clock.segment_time = time;
  world->clock.segment_steps = 0;
}

static void get(double *const *lane, size_t slot, int count, double *values) {
  for (int a = 0; a < count; a++) values[a] = lane[a][slot];
}

static void set(double *const *lane, size_t slot, int count, const double *values) {
  for (int a = 0; a < count; a++) lane[a][slot] = values[a];
}

static void close_ring(const eli_implicit *implicit, int r, int lane, int count) {
  elastica_rod *rod = implicit->relaxation.rods[r];
  if (rod->closed) eli_rod_close_lanes(rod, lane, count);
}

static void note_rod(eli_implicit *implicit, int r, const void *argument) {
  double *const *lane = implicit->relaxation.world->bodies.slab.lane;
  (void)argument;
  for (size_t b = implicit->relaxation.first[r]; b < implicit->relaxation.first[r + 1]; b++) {
    const size_t slot = implicit->slot[b];
    get(lane + ELI_POSITION, slot, 3, implicit->position + 3 * b);
    get(lane + ELI_VELOCITY, slot, 3, implicit->rate + 6 * b);
    get(lane + ELI_DIRECTOR, slot, 9, implicit->frame + 9 * b);
    get(lane + ELI_OMEGA, slot, 3, implicit->rate + 6 * b + 3);
  }
}

void eli_implicit_note(eli_implicit *implicit) {
  eli_implicit_share(implicit, 20.0, note_rod, NULL);
  implicit->start = eli_world_now(implicit->relaxation.world);
  implicit->is_known = 0;
  eli_relax_follow_slips(&implicit->relaxation);
}

static void return_rod(eli_implicit *implicit, int r, const void *argument) {
  double *const *lane = implicit->relaxation.world->bodies.slab.lane;
  (void)argument;
  for (size_t b = implicit->relaxation.first[r]; b < implicit->relaxation.first[r + 1]; b++) {
    const size_t slot = implicit->slot[b];
    set(lane + ELI_POSITION, slot, 3, implicit->position + 3 * b);
    set(lane + ELI_VELOCITY, slot, 3, implicit->rate + 6 * b);
    if (implicit->is_end[b]) continue;
    set(lane + ELI_DIRECTOR, slot, 9, implicit->frame + 9 * b);
    set(lane + ELI_OMEGA, slot, 3, implicit->rate + 6 * b + 3);
  }
  close_ring(implicit, r, ELI_POSITION, 3);
  close_ring(implicit, r, ELI_DIRECTOR, 9);
  close_ring(implicit, r, ELI_VELOCITY, 3);
  close_ring(implicit, r, ELI_OMEGA, 3);
}

void eli_implicit_return(eli_implicit *implicit) {
  elastica_world *world = implicit->relaxation.world;
  eli_implicit_share(implicit, 20.0, return_rod, NULL);
  eli_implicit_set_time(world, implicit->start);
  implicit->is_visited = 0;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) eli_tile_update_geometry(world, t);
}

typedef struct constraining {
  elastica_world *world;
  int positions;
} constraining;

static void constrain_tile(void *context, int worker, size_t index) {
  const constraining *now = context;
  const eli_tile_work work = eli_work_on(now->world, index, worker, 0.0);
  work.report->trips = 0;
  work.report->status = ELASTICA_OK;
  if (now->positions)
    (void)eli_constrain_positions(&work, work.time);
  else
    (void)(eli_constrain_velocities(&work) && eli_constrain_spins(&work));
}

/* The same for one tile, within a run of eli_world_run_tiles. Returns 0 after a failure. */
static int constrain_alone(eli_implicit *implicit, size_t t, int worker, int positions) {
  constraining now = {implicit->relaxation.world, positions};
  constrain_tile(&now, worker, t);
  return now.world->scratch.reports[t].status == ELASTICA_OK;
}

/* Calls the constraints of positions, or of velocities and spins, at the time of the world. */
static elastica_status constrain(eli_implicit *implicit, int positions) {
  constraining now = {implicit->relaxation.world, positions};
  eli_world_run_tiles(now.world, ELI_HOOKS_OF_STEPS, 1, constrain_tile, &now);
  const eli_tile_report *failed = eli_world_failed_hook(now.world);
  return failed == NULL ? ELASTICA_OK : eli_relax_fail_hook(&implicit->relaxation, failed);
}

/* r = r* + u, Q = EXP(phi) Q*. Prescribed ones stay. */
static void write_positions(const eli_implicit *implicit, int r, int with_held) {
  double *const *lane = implicit->relaxation.world->bodies.slab.lane;
  for (size_t b = implicit->relaxation.first[r]; b < implicit->relaxation.first[r + 1]; b++) {
    const unsigned char *held = implicit->relaxation.held + 6 * b;
    const size_t slot = implicit->slot[b];
    double turn[9], q[9];
    for (size_t a = 0; a < 3; a++)
      if (with_held || !held[a]) lane[ELI_POSITION + a][slot] = implicit->from_position[3 * b + a] + implicit->unknown[6 * b + a];
    if (implicit->is_end[b] || (held[3] && !with_held)) continue;
    eli_rotation_exp(implicit->unknown + 6 * b + 3, turn);
    eli_matrix_product(turn, implicit->from_frame + 9 * b, q);
    set(lane + ELI_DIRECTOR, slot, 9, q);
  }
  close_ring(implicit, r, ELI_POSITION, 3);
  close_ring(implicit, r, ELI_DIRECTOR, 9);
}

/* v = u/c, omega = phi/c; also of prescribed ones, until `constrain`. */
static void write_velocities(const eli_implicit *implicit, int r) {
  double *const *lane = implicit->relaxation.world->bodies.slab.lane;
  const double c = implicit->c;
  for (size_t b = implicit->relaxation.first[r]; b < implicit->relaxation.first[r + 1]; b++) {
    double rate[6];
    for (size_t a = 0; a < 6; a++) rate[a] = implicit->unknown[6 * b + a] / c;
    set(lane + ELI_VELOCITY, implicit->slot[b], 3, rate);
    if (!implicit->is_end[b]) set(lane + ELI_OMEGA, implicit->slot[b], 3, rate + 3);
  }
  close_ring(implicit, r, ELI_VELOCITY, 3);
  close_ring(implicit, r, ELI_OMEGA, 3);
}

/* Begins with the guess, the argument. */
static void begin_rod(eli_implicit *implicit, int r, const void *argument) {
  const double *guess = argument;
  for (size_t k = 6 * implicit->relaxation.first[r]; k < 6 * implicit->relaxation.first[r + 1]; k++)
    implicit->unknown[k] = implicit->c * guess[k];
  write_positions(implicit, r, 1);
}

/* Takes prescribed positions and frames from the world, and writes velocities. */
static void take_prescribed(eli_implicit *implicit, int r, const void *argument) {
  double *const *lane = implicit->relaxation.world->bodies.slab.lane;
  (void)argument;
  for (size_t b = implicit->relaxation.first[r]; b < implicit->relaxation.first[r + 1]; b++) {
    const unsigned char *held = implicit->relaxation.held + 6 * b;
    double q[9], turned[9];
    for (size_t a = 0; a < 3; a++)
      if (held[a]) implicit->unknown[6 * b + a] = lane[ELI_POSITION + a][implicit->slot[b]] - implicit->from_position[3 * b + a];
    if (implicit->is_end[b] || !held[3]) continue;
    get(lane + ELI_DIRECTOR, implicit->slot[b], 9, q);
    eli_relative_rotation(q, implicit->from_frame + 9 * b, turned);
    eli_rotation_log(turned, implicit->unknown + 6 * b + 3);
  }
  write_velocities(implicit, r);
}

static elastica_status begin(eli_implicit *implicit, const double *guess) {
  eli_implicit_share(implicit, 50.0, begin_rod, guess);
  const elastica_status status = constrain(implicit, 1);
  if (status == ELASTICA_OK) eli_implicit_share(implicit, 20.0, take_prescribed, NULL);
  return status;
}

/* ---- Tiles that nothing couples ---- */

/* Tells effects that the stage evaluates loads or their stiffness. */
static void enter_stage(const eli_implicit *implicit, double dt) {
  eli_slips *slips = &implicit->relaxation.world->calls.slips;
  slips->in_stage = 1;
  slips->trial = (eli_trial){implicit->start, 1.0 / dt};
}

static void leave_stage(const eli_implicit *implicit) {
  implicit->relaxation.world->calls.slips.in_stage = 0;
}

/* A task for a tile, which returns 0 after a failure. */
typedef int tile_task(eli_implicit *implicit, size_t t, int worker, const void *argument);

typedef struct passing {
  eli_implicit *implicit;
  tile_task *task;
  const void *argument;
} passing;

static void pass_tile(void *context, int worker, size_t index) {
  const passing *now = context;
  eli_pass *pass = &now->implicit->pass[worker];
  if (!pass->failed) pass->failed = !now->task(now->implicit, index, worker, now->argument);
}

enum { TILES_OF_WORKER = 4 };

static const unsigned HOOKS_OF_STAGES = (ELI_HOOKS_OF_STEPS & ~ELI_HOOK_BIT(ELI_BEGIN_STEP)) | ELI_HOOK_BIT(ELI_ADD_TANGENT);

/* Returns 1 if tiles may pass one by one: nothing acts between them, there is work for all workers, and no module of a user sees the order
 * of calls. */
static int are_tiles_alone(const eli_implicit *implicit) {
  const elastica_world *world = implicit->relaxation.world;
  const int workers = world->scratch.worker_count;
  if (implicit->is_coupled || eli_world_has_pair_phase(world) || implicit->relaxation.touching.known) return 0;
  if (world->effects.foreign & HOOKS_OF_STAGES) return 0;
  return workers == 1 ||
         (!(world->effects.ordered & HOOKS_OF_STAGES) && world->bodies.slab.tile_count >= (size_t)(TILES_OF_WORKER * workers));
}

/* Calls a task for each tile, until one fails: then the same must be done with all rods, which names the failure. */
static int pass_tiles(eli_implicit *implicit, double dt, long sweeps, tile_task *task, const void *argument) {
  passing now = {implicit, task, argument};
  elastica_world *world = implicit->relaxation.world;
  int failed = 0;
  memset(implicit->pass, 0, (size_t)world->scratch.worker_count * sizeof *implicit->pass);
  enter_stage(implicit, dt);
  eli_world_run_tiles(world, HOOKS_OF_STAGES, sweeps, pass_tile, &now);
  leave_stage(implicit);
  for (int w = 0; w < world->scratch.worker_count; w++) failed = failed || implicit->pass[w].failed;
  return !failed;
}

/* ---- Loads ---- */

/* Finds the first load of a rod that is not finite. */
static void test_loads(eli_implicit *implicit, int r, const void *argument) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  const double *total = relaxation->now.total;
  size_t k = 6 * relaxation->first[r];
  const size_t end = 6 * relaxation->first[r + 1];
  double sum[6] = {0.0}; /* of zeros, if all are finite */
  (void)argument;
  implicit->newton[r].not_finite = 0;
  for (size_t i = k; i < end; i += 6)
    for (size_t a = 0; a < 6; a++) sum[a] += total[i + a] - total[i + a];
  if (sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] == 0.0) return;
  while (total[k] - total[k] == 0.0) k++;
  implicit->newton[r].not_finite = k + 1;
}

/* Describes the first load of a rod that is not finite. */
static void describe_load(eli_implicit *implicit, int r, double dt) {
  elastica_rod *rod = implicit->relaxation.rods[r];
  const size_t number = implicit->newton[r].not_finite - 1 - 6 * implicit->relaxation.first[r];
  const int turns = number % 6 >= 3, place = (int)(number / 6);
  const elastica_effect *effect = eli_find_unsound_load(rod, dt, turns, place);
  const int used =
      snprintf(implicit->load, sizeof implicit->load, "the %s %d is not finite", turns ? "couple on element" : "force on node", place);
  if (effect != NULL)
    snprintf(implicit->load + used, sizeof implicit->load - (size_t)used, ", by effect %d \"%s\"", effect->index, effect->body->label);
}

/* Evaluates a tile, and calls a task for its rods. */
typedef struct evaluation {
  double dt;
  eli_implicit_task *then;
} evaluation;

static int evaluate_tile(eli_implicit *implicit, size_t t, int worker, const void *argument) {
  const evaluation *of = argument;
  elastica_world *world = implicit->relaxation.world;
  eli_statics out = implicit->relaxation.now;
  out.external = out.loads = NULL;
  if (eli_tile_moving_loads(world, t, worker, of->dt, &out, implicit->rates) != ELASTICA_OK) return 0;
  ELI_EACH_ROD(rod, world, &world->bodies.slab.tiles[t]) {
    test_loads(implicit, (int)rod->body->rank, NULL);
    if (implicit->newton[rod->body->rank].not_finite != 0) return 0;
    if (of->then != NULL) of->then(implicit, (int)rod->body->rank, NULL);
  }
  return 1;
}

static elastica_status evaluate_all(eli_implicit *implicit, double dt) {
  eli_relaxation *relaxation = &implicit->relaxation;
  eli_tile_report report;
  eli_statics out = relaxation->now;
  out.external = out.loads = NULL;
  enter_stage(implicit, dt);
  const elastica_status status = eli_world_moving_loads(relaxation->world, dt, &out, implicit->rates, &report);
  leave_stage(implicit);
  if (status == ELASTICA_JOINT_TOO_FAR || status == ELASTICA_UNSTABLE_STEP) { /* the second by a contact that would be passed through */
    implicit->end = status == ELASTICA_JOINT_TOO_FAR ? ELI_NEWTON_JOINT : ELI_NEWTON_DEEP;
    if (report.rod_index >= 0) implicit->rod_index = report.rod_index;
    return ELASTICA_NOT_CONVERGED;
  }
  if (status != ELASTICA_OK) return eli_relax_fail_hook(relaxation, &report);
  eli_implicit_share(implicit, 5.0, test_loads, NULL);
  for (int r = 0; r < relaxation->rod_count; r++) {
    if (implicit->newton[r].not_finite == 0) continue;
    implicit->rod_index = relaxation->rods[r]->index;
    implicit->end = ELI_NEWTON_LOADS;
    describe_load(implicit, r, dt);
    return ELASTICA_NOT_CONVERGED;
  }
  return ELASTICA_OK;
}

elastica_status eli_implicit_evaluate(eli_implicit *implicit, double dt, eli_implicit_task *then) {
  const evaluation of = {dt, then};
  if (are_tiles_alone(implicit) && pass_tiles(implicit, dt, 2, evaluate_tile, &of)) return ELASTICA_OK;
  const elastica_status status = evaluate_all(implicit, dt);
  if (status == ELASTICA_OK && then != NULL) eli_implicit_share(implicit, 20.0, then, NULL);
  return status;
}

/* Exchanges the velocities of all nodes with other ones, three numbers per block. */
static void exchange_velocities(eli_implicit *implicit, double *others) {
  double *const *velocity = implicit->relaxation.world->bodies.slab.lane + ELI_VELOCITY;
  for (size_t b = 0; b < implicit->relaxation.blocks; b++)
    for (size_t a = 0; a < 3; a++) {
      const double own = velocity[a][implicit->slot[b]];
      velocity[a][implicit->slot[b]] = others[3 * b + a];
      others[3 * b + a] = own;
    }
  for (int r = 0; r < implicit->relaxation.rod_count; r++) close_ring(implicit, r, ELI_VELOCITY, 3);
}

/* Contacts look back over the step by the mean velocities in it, and half of it ahead: a thin obstacle may lie within the step. */
elastica_status eli_implicit_check_depth(eli_implicit *implicit, double h) {
  double *const *position = implicit->relaxation.world->bodies.slab.lane + ELI_POSITION, *mean = implicit->relaxation.next;
  eli_tile_report report;
  if (!(implicit->relaxation.touching.limit > 0.0)) return ELASTICA_OK;
  for (size_t b = 0; b < implicit->relaxation.blocks; b++)
    for (size_t a = 0; a < 3; a++) mean[3 * b + a] = (position[a][implicit->slot[b]] - implicit->position[3 * b + a]) / h;
  exchange_velocities(implicit, mean);
  const elastica_status status = eli_world_ask_loads(implicit->relaxation.world, h, &report);
  exchange_velocities(implicit, mean);
  if (status == ELASTICA_OK) return status;
  if (status != ELASTICA_UNSTABLE_STEP) return eli_relax_fail_hook(&implicit->relaxation, &report);
  implicit->end = ELI_NEWTON_DEEP;
  if (report.rod_index >= 0) implicit->rod_index = report.rod_index;
  return ELASTICA_NOT_CONVERGED;
}

/* ---- The matrix ---- */

/* The numbers of the correction of a rod, of its first block. */
typedef struct correction {
  double *residual; /* [6] per block: minus it */
  double *weight;   /* [6] per block: of nodes on the diagonal */
  double *step;     /* [6] per block */
  double *change_of_turn;
} correction;

static correction correction_of(const eli_implicit *implicit, int r) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  const size_t first = relaxation->first[r], size = 6 * implicit->most;
  double *own = implicit->of_matrix + (size_t)implicit->newton[r].matrix * PER_CORRECTION * implicit->most;
  if (implicit->is_divided) return (correction){own, own + size, own + 2 * size, own + 3 * size};
  return (correction){relaxation->next + 6 * first, relaxation->weight + 6 * first, relaxation->step + 6 * first,
                      implicit->change_of_turn + 9 * first};
}

/* k = (1 - (t/2) cot(t/2))/t^2 of P; beyond half a turn P is that of half a turn, because the series has a pole at a whole one. */
static void find_change_of_turn(const double phi[3], double p[9]) {
  const double t2 = eli_dot(phi, phi);
  eli_change_of_angle(phi, eli_exact_couple_factor_any(t2 < ELI_PI * ELI_PI ? t2 : ELI_PI * ELI_PI), p);
}

/* (J/c^2 + d/c) P(phi) - [Q p*]x/c, with P. */
static void find_inertia_of_turn(const eli_implicit *implicit, size_t b, double p[9], double m[9]) {
  double *const *lane = implicit->relaxation.world->bodies.slab.lane;
  const double per = 1.0 / implicit->c;
  double q[9], momentum[3];
  find_change_of_turn(implicit->unknown + 6 * b + 3, p);
  for (size_t i = 0; i < 3; i++) {
    const double factor = per * (lane[ELI_INERTIA + i][implicit->slot[b]] * per + implicit->rates[2 * b + 1]);
    for (size_t j = 0; j < 3; j++) m[3 * i + j] = factor * p[3 * i + j];
  }
  get(lane + ELI_DIRECTOR, implicit->slot[b], 9, q);
  eli_turn(q, implicit->from_momentum + 6 * b + 3, momentum);
  eli_add_skew(m, -per, momentum);
}

/* Adds the inertia of elements to the matrix, and sets the weights of nodes. first: the slot of the first block. */
static void add_inertia(eli_implicit *implicit, int r, eli_factor *factor, size_t first) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  const correction of = correction_of(implicit, r);
  double *const *lane = relaxation->world->bodies.slab.lane;
  const double per = 1.0 / implicit->c;
  for (size_t b = relaxation->first[r]; b < relaxation->first[r + 1]; b++) {
    const size_t i = b - relaxation->first[r];
    const double node = per * (lane[ELI_MASS][implicit->slot[b]] * per + implicit->rates[2 * b]);
    double m[9];
    for (size_t a = 0; a < 3; a++) of.weight[6 * i + a] = node, of.weight[6 * i + 3 + a] = 0.0;
    if (implicit->is_end[b]) continue;
    find_inertia_of_turn(implicit, b, of.change_of_turn + 9 * i, m);
    eli_factor_add_turn(factor, first + i, m);
  }
}

static void find_residual(const eli_implicit *implicit, int r) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  const correction of = correction_of(implicit, r);
  double *const *lane = relaxation->world->bodies.slab.lane;
  const double per = 1.0 / implicit->c;
  for (size_t b = relaxation->first[r]; b < relaxation->first[r + 1]; b++) {
    const double *load = relaxation->now.total + 6 * b, *u = implicit->unknown + 6 * b, *from = implicit->from_momentum + 6 * b;
    double *residual = of.residual + 6 * (b - relaxation->first[r]), q[9], momentum[3];
    const size_t slot = implicit->slot[b];
    for (size_t a = 0; a < 3; a++) residual[a] = load[a] - lane[ELI_MASS][slot] * (per * (per * u[a] - from[a]));
    if (implicit->is_end[b]) continue;
    get(lane + ELI_DIRECTOR, slot, 9, q);
    eli_turn(q, from + 3, momentum);
    for (size_t a = 0; a < 3; a++) residual[3 + a] = load[3 + a] - per * (lane[ELI_INERTIA + a][slot] * (per * u[3 + a]) - momentum[a]);
  }
}

/* ---- Newton's method ---- */

/* u += delta, phi += P(phi) eta, with the P of the matrix */
static void apply(eli_implicit *implicit, int r, const correction *of) {
  const size_t first = implicit->relaxation.first[r];
  for (size_t b = first; b < implicit->relaxation.first[r + 1]; b++) {
    const double *step = of->step + 6 * (b - first);
    double *u = implicit->unknown + 6 * b, turned[3];
    for (size_t a = 0; a < 3; a++) u[a] += step[a];
    if (implicit->is_end[b]) continue;
    eli_turn(of->change_of_turn + 9 * (b - first), step + 3, turned);
    for (size_t a = 0; a < 3; a++) u[3 + a] += turned[a];
  }
  write_positions(implicit, r, 0);
  write_velocities(implicit, r);
}

/* Makes a correction, and finds the stress after it, and its size: the largest displacement over the smallest rest length, or turn. */
static void finish_rod(eli_implicit *implicit, int r, const void *argument) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  eli_newton *newton = &implicit->newton[r];
  const correction of = correction_of(implicit, r);
  (void)argument;
  if (newton->rests) return;
  eli_tangent_predict(relaxation->rods[r], &relaxation->now, of.step, relaxation->predicted);
  double moved = 0.0, turned = 0.0; /* squares: roots and quotients keep the order */
  for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++) {
    eli_keep_larger(&moved, eli_dot(of.step + 6 * i, of.step + 6 * i));
    if (!implicit->is_end[relaxation->first[r] + i]) eli_keep_larger(&turned, eli_dot(of.step + 6 * i + 3, of.step + 6 * i + 3));
  }
  newton->size = sqrt(moved) / newton->smallest;
  eli_keep_larger(&newton->size, sqrt(turned));
  if (newton->size <= LARGEST_SIZE) apply(implicit, r, &of); /* else the step fails */
}

/* Factorises the matrices of some rods, each with its own memory. report: effects are asked for the stiffness of their loads on the rod,
 * and a failure, for which 0 is returned, is in the report of its tile; NULL: it is that of the last visit. */
static int factorise(eli_implicit *implicit, int count, const int *rods, eli_tile_report *report, eli_factor **factors) {
  eli_relaxation *relaxation = &implicit->relaxation;
  for (int k = 0; k < count; k++)
    factors[k] = eli_stiffness_fill_rod(relaxation, &relaxation->stiffness, implicit->newton[rods[k]].matrix, rods[k], 1.0, 1.0);
  for (int k = 0; k < count && report != NULL; k++) {
    if (eli_stiffness_add_rod(relaxation, rods[k], factors[k], report)) continue;
    implicit->pass[implicit->newton[rods[k]].matrix / implicit->matrices].couples = factors[k]->misses;
    return 0;
  }
  for (int k = 0; k < count; k++) add_inertia(implicit, rods[k], factors[k], 0);
  for (int k = 0; k < count; k++) {
    eli_factor_compute_general(factors[k], 1.0, correction_of(implicit, rods[k]).weight);
    implicit->newton[rods[k]].is_factorised = 1;
  }
  return 1;
}

/* Makes the corrections of some rods, each with its own matrix. Returns 0 after a failure. */
static int correct_some(eli_implicit *implicit, int count, const int *rods, eli_tile_report *report) {
  eli_factor *factors[MOST_MATRICES];
  for (int k = 0; k < count; k++) find_residual(implicit, rods[k]);
  if (!factorise(implicit, count, rods, report, factors)) return 0;
  for (int k = 0; k < count; k++) {
    if (factors[k]->negative == 0) continue;
    implicit->newton[rods[k]].end = ELI_NEWTON_PIVOT;
    return 0;
  }
  for (int k = 0; k < count; k++) {
    const correction of = correction_of(implicit, rods[k]);
    eli_factor_solve(factors[k], of.residual, of.step);
  }
  for (int k = 0; k < count; k++) finish_rod(implicit, rods[k], NULL);
  return 1;
}

/* Corrects the rods of a share. One that rests has lost its factors if a coupling of another one has changed the pattern, and the estimate
 * of the error needs them. */
static void correct_share(void *context, int worker, size_t index) {
  eli_implicit *implicit = context;
  const int first = worker * implicit->matrices, end = implicit->shares[index + 1], keeps = implicit->relaxation.stiffness.keeps_factors;
  int rods[MOST_MATRICES], count = 0;
  for (int r = implicit->shares[index]; r < end; r++) {
    eli_newton *newton = &implicit->newton[r];
    newton->matrix = first + count;
    if (!newton->rests) rods[count++] = r;
    if (count == implicit->matrices || (r + 1 == end && count > 0)) {
      (void)correct_some(implicit, count, rods, NULL);
      count = 0;
    }
  }
  for (int r = implicit->shares[index]; r < end && keeps; r++) {
    eli_factor *factor;
    if (!implicit->newton[r].rests || implicit->newton[r].is_factorised) continue;
    implicit->newton[r].matrix = first;
    (void)factorise(implicit, 1, &r, NULL, &factor);
  }
}

/* Notes that factors do not survive a new pattern. */
static void follow_pattern(eli_implicit *implicit) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  for (int r = 0; r < relaxation->rod_count && implicit->patterns != relaxation->stiffness.patterns; r++)
    implicit->newton[r].is_factorised = 0;
  implicit->patterns = relaxation->stiffness.patterns;
}

/* Makes the corrections of rods that the matrix couples. */
static elastica_status correct_coupled(eli_implicit *implicit) {
  eli_relaxation *relaxation = &implicit->relaxation;
  eli_factor *factor = &relaxation->stiffness.factor;
  for (int r = 0; r < relaxation->rod_count; r++) find_residual(implicit, r);
  if (!eli_stiffness_assemble_share(relaxation, &relaxation->stiffness, 1.0, 1.0)) return eli_relax_starve(relaxation);
  for (int r = 0; r < relaxation->rod_count; r++) add_inertia(implicit, r, factor, relaxation->first[r]);
  eli_factor_compute_general(factor, 1.0, relaxation->weight);
  if (factor->negative > 0) {
    implicit->end = ELI_NEWTON_PIVOT;
    return ELASTICA_NOT_CONVERGED;
  }
  eli_factor_solve(factor, relaxation->next, relaxation->step);
  eli_implicit_share(implicit, 100.0, finish_rod, NULL);
  return ELASTICA_OK;
}

static elastica_status give_up(eli_implicit *implicit, int r, eli_newton_end end) {
  implicit->end = end;
  if (r >= 0) implicit->rod_index = implicit->relaxation.rods[r]->index;
  return ELASTICA_NOT_CONVERGED;
}

/* All rods go on together. */
static void join(eli_implicit *implicit) {
  implicit->together = 1;
  for (int r = 0; r < implicit->relaxation.rod_count; r++) implicit->newton[r].rests = 0;
}

/* Makes one correction of all rods. */
static elastica_status correct(eli_implicit *implicit) {
  eli_relaxation *relaxation = &implicit->relaxation;
  elastica_status status = constrain(implicit, 0);
  if (status == ELASTICA_OK) status = evaluate_all(implicit, implicit->c);
  if (status != ELASTICA_OK) return status;
  enter_stage(implicit, implicit->c);
  status = eli_stiffness_renew_blocks(relaxation, &relaxation->stiffness);
  leave_stage(implicit);
  if (status == ELASTICA_JOINT_TOO_FAR && !eli_relax_is_over(relaxation)) return give_up(implicit, -1, ELI_NEWTON_JOINT);
  if (status != ELASTICA_OK) return status;
  if (implicit->is_first) eli_stiffness_renew_pattern(&relaxation->stiffness); /* bits do not depend on contacts of earlier steps */
  implicit->is_first = 0;
  const int divided = eli_stiffness_divide(relaxation, &relaxation->stiffness);
  if (divided < 0) return eli_relax_starve(relaxation);
  implicit->is_divided = divided;
  follow_pattern(implicit);
  if (divided) {
    eli_pool_run(relaxation->world->scratch.pool, (size_t)implicit->share_count, 400.0 * (double)relaxation->blocks, correct_share,
                 implicit);
    for (int r = 0; r < relaxation->rod_count; r++)
      if (implicit->newton[r].end != ELI_NEWTON_CONVERGED) return give_up(implicit, r, implicit->newton[r].end);
  } else {
    if (!implicit->together) join(implicit);
    status = correct_coupled(implicit);
  }
  if (status == ELASTICA_OK) implicit->iterations++;
  return status;
}

/* Sizes below the tolerance may be those of rounding. */
static int grows(const eli_implicit *implicit, const eli_newton *newton, int k) {
  const double size = newton->size;
  return !(size <= LARGEST_SIZE) || (k >= 3 && size > implicit->tolerance && size / newton->last > LARGEST_RATIO);
}

/* Returns 1 if the error that a correction leaves is small: with a ratio q of two sizes it is q/(1 - q) times the size. Loads of a module
 * may lack a part of their tangent, and the first correction does not tell its own error. */
static int is_small(const eli_implicit *implicit, const eli_newton *newton, int k) {
  const double size = newton->size, ratio = size / newton->last, exact = eli_smaller(implicit->tolerance, EXACT_SIZE);
  if (k < 2) return size <= (newton->is_doubtful ? exact : implicit->tolerance);
  const double most = newton->is_doubtful ? PART_OF_FIRST * implicit->tolerance : implicit->tolerance;
  if (ratio < 1.0) return size <= exact || size * ratio <= (1.0 - ratio) * eli_smaller(most, PART_OF_FIRST * newton->first);
  return size <= (newton->falls ? implicit->tolerance : exact); /* rounding: sizes fall no more */
}

/* Gives all rods the largest size. Returns the rod with it. */
static int find_largest(eli_implicit *implicit) {
  double most = 0.0;
  int largest = 0;
  for (int r = 0; r < implicit->relaxation.rod_count; r++) {
    const double before = most;
    eli_keep_larger(&most, implicit->newton[r].size);
    if (most != before) largest = r;
  }
  for (int r = 0; r < implicit->relaxation.rod_count; r++) implicit->newton[r].size = most;
  return largest;
}

/* Judges the corrections of iteration k. *left: the number of rods that go on. */
static elastica_status accept(eli_implicit *implicit, int k, int *left) {
  const int rods = implicit->relaxation.rod_count, largest = implicit->together ? find_largest(implicit) : -1;
  int last = -1, small = 1; /* of all rods */
  for (int r = 0; r < rods; r++)
    if (!implicit->newton[r].rests && grows(implicit, &implicit->newton[r], k))
      return give_up(implicit, largest < 0 ? r : largest, ELI_NEWTON_GROWS);
  for (int r = 0; r < rods; r++) {
    if (k == 1) implicit->newton[r].first = implicit->newton[r].size;
    small = small && is_small(implicit, &implicit->newton[r], k);
  }
  *left = 0;
  for (int r = 0; r < rods; r++) {
    eli_newton *newton = &implicit->newton[r];
    newton->rests = newton->rests || (largest < 0 ? is_small(implicit, newton, k) : small);
    newton->falls = newton->falls || (k > 1 && newton->size < newton->last);
    newton->last = newton->size;
    if (!newton->rests) last = r, ++*left;
  }
  return *left > 0 && k >= MOST_ITERATIONS ? give_up(implicit, largest < 0 ? last : largest, ELI_NEWTON_SLOW) : ELASTICA_OK;
}

static void solve_rod(eli_implicit *implicit, int r, const void *argument) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  const size_t begin = 6 * relaxation->first[r];
  const eli_factor *factor = eli_factor_part(&relaxation->stiffness.factor, (size_t)r, implicit->newton[r].matrix);
  (void)argument;
  eli_factor_solve(factor, relaxation->next + begin, relaxation->step + begin);
}

void eli_implicit_solve(eli_implicit *implicit) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  if (implicit->is_divided)
    eli_implicit_share(implicit, 50.0, solve_rod, NULL);
  else
    eli_factor_solve(&relaxation->stiffness.factor, relaxation->next, relaxation->step);
}

/* ---- Stages by tiles ---- */

/* Judges the correction k of a rod that iterates alone. Returns 0 if it grows. */
static int accept_alone(const eli_implicit *implicit, eli_newton *newton, int k) {
  if (grows(implicit, newton, k)) return 0;
  if (k == 1) newton->first = newton->size;
  newton->rests = is_small(implicit, newton, k);
  newton->falls = newton->falls || (k > 1 && newton->size < newton->last);
  newton->last = newton->size;
  return 1;
}

/* Makes one correction of the rods of a tile that go on. Returns their number, or -1 after a failure. */
static int correct_tile(eli_implicit *implicit, size_t t, int worker, int k) {
  const evaluation of = {implicit->c, NULL};
  elastica_world *world = implicit->relaxation.world;
  int rods[MOST_MATRICES], count = 0, left = 0;
  if (!constrain_alone(implicit, t, worker, 0) || !evaluate_tile(implicit, t, worker, &of)) return -1;
  ELI_EACH_ROD(rod, world, &world->bodies.slab.tiles[t]) {
    const int r = (int)rod->body->rank, is_last = rod->body->next_in_tile == NULL;
    if (!implicit->newton[r].rests) {
      implicit->newton[r].matrix = worker * implicit->matrices + count;
      rods[count++] = r;
    }
    if (count < implicit->matrices && (!is_last || count == 0)) continue;
    if (!correct_some(implicit, count, rods, &world->scratch.reports[t])) return -1;
    for (; count > 0; count--) {
      eli_newton *newton = &implicit->newton[rods[count - 1]];
      if (!accept_alone(implicit, newton, k)) return -1;
      left += !newton->rests;
    }
  }
  return left;
}

/* A stage, with its guess. */
typedef struct stage {
  const double *guess;
  const eli_ends *ends;
} stage;

static int take_tile(eli_implicit *implicit, size_t t, int worker, const void *argument) {
  const stage *of = argument;
  elastica_world *world = implicit->relaxation.world;
  const eli_tile *tile = &world->bodies.slab.tiles[t];
  eli_pass *pass = &implicit->pass[worker];
  int left = tile->first_rod != NULL;
  ELI_EACH_ROD(rod, world, tile) {
    of->ends->depart(implicit, (int)rod->body->rank, of->ends->departure);
    begin_rod(implicit, (int)rod->body->rank, of->guess);
  }
  if (!constrain_alone(implicit, t, worker, 1)) return 0;
  ELI_EACH_ROD(rod, world, tile) take_prescribed(implicit, (int)rod->body->rank, NULL);
  for (int k = 1; left > 0 && k <= MOST_ITERATIONS; k++) {
    left = correct_tile(implicit, t, worker, k);
    if (k > pass->most) pass->most = k;
  }
  if (left != 0 || !constrain_alone(implicit, t, worker, 0)) return 0;
  ELI_EACH_ROD(rod, world, tile)
    if (of->ends->arrive != NULL) of->ends->arrive(implicit, (int)rod->body->rank, of->ends->arrival);
  return 1;
}

static void reset_newton(eli_implicit *implicit) {
  for (int r = 0; r < implicit->relaxation.rod_count; r++) {
    eli_newton *newton = &implicit->newton[r];
    *newton = (eli_newton){.smallest = newton->smallest, .is_doubtful = newton->is_doubtful, .end = ELI_NEWTON_CONVERGED};
  }
}

/* Takes the stage tile by tile: all iterations of a tile while it is in the cache. Rods get the bits that they get in iterations of all of
 * them. Returns 0 after a failure, or if loads couple parts of a rod that are no neighbours: then the stage must be taken with all rods,
 * from the same beginning; -1 without memory. */
static int take_tiles(eli_implicit *implicit, const stage *of) {
  eli_relaxation *relaxation = &implicit->relaxation;
  const int divided = eli_stiffness_divide_alone(relaxation, &relaxation->stiffness);
  const size_t size = 3 * relaxation->blocks * sizeof(double);
  int most = 0;
  if (divided <= 0) return divided;
  implicit->is_divided = 1;
  reset_newton(implicit);
  memcpy(relaxation->predicted_trial, relaxation->predicted, size);
  const int passed = pass_tiles(implicit, implicit->c, 40, take_tile, of);
  for (int w = 0; w < relaxation->world->scratch.worker_count; w++) {
    implicit->is_coupled = implicit->is_coupled || implicit->pass[w].couples;
    if (implicit->pass[w].most > most) most = implicit->pass[w].most;
  }
  if (!passed) {
    memcpy(relaxation->predicted, relaxation->predicted_trial, size);
    return 0;
  }
  implicit->iterations += most;
  implicit->is_first = 0;
  return 1;
}

/* Takes the stage with all rods. */
static elastica_status take_all(eli_implicit *implicit, const stage *of) {
  int left = 1;
  reset_newton(implicit);
  eli_implicit_share(implicit, 50.0, of->ends->depart, of->ends->departure);
  elastica_status status = begin(implicit, of->guess);
  for (int k = 1; status == ELASTICA_OK && left > 0; k++) {
    status = correct(implicit);
    if (status == ELASTICA_OK) status = accept(implicit, k, &left);
  }
  if (status == ELASTICA_OK) status = constrain(implicit, 0);
  if (status == ELASTICA_OK && of->ends->arrive != NULL) eli_implicit_share(implicit, 20.0, of->ends->arrive, of->ends->arrival);
  return status;
}

elastica_status eli_implicit_stage(eli_implicit *implicit, const double *guess, const eli_ends *ends) {
  const stage of = {guess, ends};
  implicit->together = eli_world_has_pair_phase(implicit->relaxation.world);
  eli_implicit_set_time(implicit->relaxation.world, implicit->time);
  const int passed = are_tiles_alone(implicit) ? take_tiles(implicit, &of) : 0;
  if (passed < 0) return eli_relax_starve(&implicit->relaxation);
  const elastica_status status = passed ? ELASTICA_OK : take_all(implicit, &of);
  if (status == ELASTICA_OK) implicit->end = ELI_NEWTON_CONVERGED;
  return status;
}
