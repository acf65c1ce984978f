/* The state of a relaxation: its memory, the state moved, stored and restored, the distance from the start, and the prescribed unknowns. */
#include "base/target.h"

#include "statics/relax.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

#include "base/rotation.h"
#include "base/vector.h"
#include "snapshot/snapshot.h"

/* Displacement for the test of prescribed unknowns, as a share of the length of the first element, and turn [rad]. */
#define TEST_DISPLACEMENT 0x1p-20

/* ---- Memory ---- */

enum { STATE_LANES = 12, STATES = 3, STATICS_PER_UNKNOWN = 5, VECTORS = 8, STRESSES = 2 };

static size_t count_doubles(const eli_relaxation *relaxation) {
  const size_t size = relaxation->size, lanes = 2 * STATE_LANES;
  return (STATES * STATICS_PER_UNKNOWN + VECTORS) * size + STRESSES * 3 * relaxation->blocks + 7 * (size_t)relaxation->rod_count +
         lanes * relaxation->world->bodies.slab.end;
}

/* Returns the number of bytes of the arrays of other types than double. */
static size_t count_bytes(const eli_relaxation *relaxation) {
  const size_t per_rod = sizeof(elastica_rod *) + 3 * sizeof(eli_residual) + sizeof(eli_origin) + sizeof(size_t);
  return relaxation->blocks * (sizeof(eli_reaction) + 4) + (size_t)relaxation->rod_count * per_rod + sizeof(size_t) + relaxation->size;
}

static void place_vectors(eli_relaxation *relaxation, double **memory) {
  const size_t size = relaxation->size, slots = relaxation->world->bodies.slab.end;
  relaxation->predicted = eli_take_doubles(memory, 3 * relaxation->blocks);
  relaxation->predicted_trial = eli_take_doubles(memory, 3 * relaxation->blocks);
  relaxation->inertia = eli_take_doubles(memory, size);
  relaxation->step = eli_take_doubles(memory, size);
  relaxation->next = eli_take_doubles(memory, size);
  relaxation->work = eli_take_doubles(memory, size);
  relaxation->displacement = eli_take_doubles(memory, size);
  relaxation->adjusted = eli_take_doubles(memory, size);
  relaxation->weight = eli_take_doubles(memory, size);
  relaxation->pair_loads = eli_take_doubles(memory, size);
  relaxation->support = eli_take_doubles(memory, 6 * (size_t)relaxation->rod_count);
  relaxation->regularisation = eli_take_doubles(memory, (size_t)relaxation->rod_count);
  for (size_t k = 0; k < STATE_LANES; k++) relaxation->saved[k] = eli_take_doubles(memory, slots);
  for (size_t k = 0; k < STATE_LANES; k++) relaxation->parked[k] = eli_take_doubles(memory, slots);
}

/* Places these arrays in the order of their alignment. */
static void place_arrays(eli_relaxation *relaxation, void *memory) {
  const size_t rods = (size_t)relaxation->rod_count;
  relaxation->reactions = memory;
  relaxation->rods = (elastica_rod **)(relaxation->reactions + relaxation->blocks);
  relaxation->residual_start = (eli_residual *)(relaxation->rods + rods);
  relaxation->residual = relaxation->residual_start + rods;
  relaxation->residual_trial = relaxation->residual + rods;
  relaxation->origin = (eli_origin *)(relaxation->residual_trial + rods);
  relaxation->first = (size_t *)(relaxation->origin + rods);
  relaxation->held = (unsigned char *)(relaxation->first + rods + 1);
  relaxation->colour = relaxation->held + relaxation->size;
  relaxation->paired = relaxation->colour + 2 * relaxation->blocks;
}

static void place_statics(const eli_relaxation *relaxation, eli_statics *statics, double **memory) {
  statics->first = relaxation->first;
  statics->total = eli_take_doubles(memory, relaxation->size);
  statics->external = eli_take_doubles(memory, relaxation->size);
  statics->loads = eli_take_doubles(memory, relaxation->size);
  statics->strain = eli_take_doubles(memory, 2 * relaxation->size);
}

/* Sets the rods of the world in their order, with the first block of each and the end of the last. */
static void place_rods(eli_relaxation *relaxation) {
  size_t first = 0, r = 0;
  ELI_EACH_ROD_OF_WORLD(rod, relaxation->world) {
    rod->body->rank = r;
    relaxation->rods[r] = rod;
    relaxation->first[r++] = first;
    relaxation->has_bodies = relaxation->has_bodies || eli_is_rigid(rod);
    first += eli_block_count(rod);
  }
  relaxation->first[r] = first;
}

int eli_relax_allocate(eli_relaxation *relaxation) {
  const elastica_world *world = relaxation->world;
  relaxation->blocks = 0;
  relaxation->rod_count = world->bodies.indices.taken;
  ELI_EACH_ROD_OF_WORLD(rod, world) relaxation->blocks += eli_block_count(rod);
  relaxation->size = 6 * relaxation->blocks;
  const size_t doubles = count_doubles(relaxation);
  if (doubles > SIZE_MAX / 2 / sizeof(double)) return 0;
  double *memory = eli_allocate(&world->allocator, 1, doubles * sizeof(double) + count_bytes(relaxation));
  if (memory == NULL) return 0;
  relaxation->memory = memory;
  place_vectors(relaxation, &memory);
  place_arrays(relaxation, memory + STATES * STATICS_PER_UNKNOWN * relaxation->size);
  place_statics(relaxation, &relaxation->now, &memory);
  place_statics(relaxation, &relaxation->trial, &memory);
  place_statics(relaxation, &relaxation->probe, &memory);
  place_rods(relaxation);
  memset(relaxation->pair_loads, 0, relaxation->size * sizeof(double));
  memset(relaxation->support, 0, 6 * (size_t)relaxation->rod_count * sizeof(double));
  return 1;
}

int eli_relax_allocate_secant(eli_relaxation *relaxation) {
  if (!relaxation->supported && eli_relax_without_tangent(relaxation) == NULL) return 1;
  relaxation->secant_memory = eli_allocate(&relaxation->world->allocator, eli_secant_size(relaxation->size) + 1, sizeof(double));
  if (relaxation->secant_memory == NULL) return 0;
  eli_secant_init(&relaxation->secant, relaxation->size, relaxation->inertia, relaxation->secant_memory);
  return 1;
}

/* ---- State ---- */

/* Lanes 0..11: positions and directors, which relaxation moves. 12..17: velocities and spins, set to 0. */
static double *state_lane(const eli_relaxation *relaxation, size_t k) {
  double *const *lane = relaxation->world->bodies.slab.lane;
  if (k >= 12) return k < 15 ? lane[ELI_VELOCITY + k - 12] : lane[ELI_OMEGA + k - 15];
  return k < 3 ? lane[ELI_POSITION + k] : lane[ELI_DIRECTOR + k - 3];
}

/* Copies the lanes of a stored state from those of the world, or back. */
static void copy_state(const eli_relaxation *relaxation, double *lanes, int back) {
  const size_t slots = relaxation->world->bodies.slab.end;
  if (relaxation->size == 0) return; /* an empty slab has no lanes */
  for (size_t k = 0; k < ELI_RELAX_LANES; k++, lanes += slots)
    memcpy(back ? state_lane(relaxation, k) : lanes, back ? lanes : state_lane(relaxation, k), slots * sizeof *lanes);
}

void eli_relax_save(const eli_relaxation *relaxation) {
  if (relaxation->size == 0) return;
  for (size_t k = 0; k < 12; k++)
    memcpy(relaxation->saved[k], state_lane(relaxation, k), relaxation->world->bodies.slab.end * sizeof(double));
}

void eli_relax_swap_saved(eli_relaxation *relaxation) {
  for (size_t k = 0; k < 12; k++) {
    double *const lane = relaxation->saved[k];
    relaxation->saved[k] = relaxation->parked[k];
    relaxation->parked[k] = lane;
  }
}

void eli_relax_restore(const eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  if (relaxation->size == 0) return;
  for (size_t k = 0; k < 12; k++) memcpy(state_lane(relaxation, k), relaxation->saved[k], world->bodies.slab.end * sizeof(double));
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) eli_tile_update_geometry(world, t);
}

/* Q <- EXP(phi) Q */
static void turn(double *const *lane, size_t slot, const double phi[3]) {
  double r[9], q[9], turned[9];
  eli_rotation_exp(phi, r);
  for (size_t a = 0; a < 9; a++) q[a] = lane[ELI_DIRECTOR + a][slot];
  eli_matrix_product(r, q, turned);
  for (size_t a = 0; a < 9; a++) lane[ELI_DIRECTOR + a][slot] = turned[a];
}

void eli_relax_move(const eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  double *const *lane = world->bodies.slab.lane;
  for (int k = 0; k < relaxation->rod_count; k++) {
    elastica_rod *rod = relaxation->rods[k];
    const double *step = relaxation->step + 6 * relaxation->first[k];
    const size_t n = (size_t)rod->element_count;
    for (size_t i = 0; i < eli_relax_blocks(relaxation, k); i++)
      for (size_t a = 0; a < 3; a++) lane[ELI_POSITION + a][rod->offset + i] += step[6 * i + a];
    for (size_t j = 0; j < n; j++) turn(lane, rod->offset + j, step + 6 * j + 3);
    if (!rod->closed) continue;
    eli_rod_close_lanes(rod, ELI_POSITION, 3);
    eli_rod_close_lanes(rod, ELI_DIRECTOR, 9);
  }
}

/* ---- States to return to ---- */

/* Records the history of all effects of the library and the copies of self. */
static void record_history(const elastica_world *world, eli_record *record) {
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const eli_keeping keeping = eli_effect_keeping(effect);
    elastica_module module = effect->body->module;
    if (keeping == ELI_KEPT_COPY) eli_record_bytes(record, effect->body->copy, module.self_size);
    if (keeping == ELI_KEPT_BUILT_IN) eli_record_built_in(effect, record, &module);
  }
}

int eli_relax_note(const eli_relaxation *relaxation, eli_relax_point *point) {
  const eli_allocator *allocator = &relaxation->world->allocator;
  eli_record record = eli_record_to(NULL, 0);
  record_history(relaxation->world, &record);
  if (point->lanes == NULL)
    point->lanes = eli_allocate(allocator, ELI_RELAX_LANES * relaxation->world->bodies.slab.end, sizeof *point->lanes);
  eli_release(allocator, point->history);
  point->history = eli_allocate(allocator, record.at + 1, 1);
  if (point->lanes == NULL || point->history == NULL) return 0;
  point->size = record.at;
  record = eli_record_to(point->history, point->size);
  record_history(relaxation->world, &record);
  copy_state(relaxation, point->lanes, 0);
  return 1;
}

void eli_relax_return(const eli_relaxation *relaxation, const eli_relax_point *point) {
  eli_record record = eli_record_from(ELI_RECORD_READ, point->history, point->size);
  copy_state(relaxation, point->lanes, 1);
  record_history(relaxation->world, &record);
  for (size_t t = 0; t < relaxation->world->bodies.slab.tile_count; t++) eli_tile_update_geometry(relaxation->world, t);
}

void eli_relax_drop(const eli_relaxation *relaxation, eli_relax_point *point) {
  eli_release(&relaxation->world->allocator, point->lanes);
  eli_release(&relaxation->world->allocator, point->history);
}

elastica_status eli_relax_fail_hook(eli_relaxation *relaxation, const eli_tile_report *report) {
  if (report->status != ELASTICA_OUT_OF_MEMORY) return eli_world_fail_hook(relaxation->world, report, eli_world_now(relaxation->world), "");
  relaxation->starved = 1;
  return eli_world_refuse_hook(relaxation->world, report);
}

elastica_status eli_relax_starve(eli_relaxation *relaxation) {
  relaxation->starved = 1;
  return elastica_world_refuse(relaxation->world, ELASTICA_OUT_OF_MEMORY, "relax: no memory for what touches");
}

elastica_status eli_relax_end_status(const eli_relaxation *relaxation) {
  return relaxation->starved ? ELASTICA_OUT_OF_MEMORY : relaxation->world->report.failure;
}

int eli_relax_is_over(const eli_relaxation *relaxation) {
  return relaxation->starved || relaxation->world->report.failure != ELASTICA_OK;
}

/* ---- Distance from the start ---- */

/* Error of the frames of elements, in a few roundings. */
#define ROUNDED (8.0 * DBL_EPSILON)

/* The largest stiffness against shear and stretch of an element [N]. */
static double stiffest(const elastica_rod *rod, size_t j) {
  double *const *lane = rod->world->bodies.slab.lane;
  double most = 0.0;
  for (size_t a = 0; a < 3; a++) eli_keep_larger(&most, lane[ELI_SHEAR_STIFFNESS + a][rod->offset + j]);
  return most;
}

double eli_relax_rounding_of(const elastica_rod *rod, size_t j, double length) {
  return ROUNDED * length * stiffest(rod, j);
}

double eli_relax_share_of_rounding(const eli_relaxation *relaxation) {
  double most = 0.0;
  for (int r = 0; r < relaxation->rod_count; r++) eli_keep_larger(&most, relaxation->origin[r].rounding);
  return most;
}

void eli_relax_find_centre(const eli_relaxation *relaxation, const elastica_rod *rod, double centre[3]) {
  const size_t nodes = eli_relax_blocks(relaxation, (int)rod->body->rank);
  for (size_t a = 0; a < 3; a++) {
    const double *x = rod->world->bodies.slab.lane[ELI_POSITION + a] + rod->offset;
    centre[a] = 0.0;
    for (size_t i = 0; i < nodes; i++) centre[a] += x[i] / (double)nodes;
  }
}

double eli_relax_displacement(const eli_relaxation *relaxation, int r) {
  double displacement[3];
  eli_relax_find_centre(relaxation, relaxation->rods[r], displacement);
  for (size_t a = 0; a < 3; a++) displacement[a] -= relaxation->origin[r].centre[a];
  return eli_length(displacement);
}

/* Sets the softness of a rod, and its share of rounding. If rounding hides all of its bending, the rod is a thread, whose loads hold it. */
static void set_softness(const elastica_rod *rod, eli_origin *origin) {
  const elastica_rod_view *view = &rod->body->view;
  double sum = 0.0;
  origin->softness = INFINITY;
  if (eli_is_rigid(rod)) return;
  for (int j = 0; j < rod->element_count; j++) {
    for (int a = 0; a < 2; a++) origin->softness = eli_smaller(view->element_bend_stiffness[a][j] / origin->length, origin->softness);
    sum += eli_relax_rounding_of(rod, (size_t)j, view->rest_length[j]);
  }
  if (origin->softness > 0.0 && sum <= origin->softness) origin->rounding = sum / origin->softness;
}

static void set_origin(const eli_relaxation *relaxation, const elastica_rod *rod, eli_origin *origin) {
  double *const *lane = rod->world->bodies.slab.lane;
  double farthest = 0.0;
  memset(origin, 0, sizeof *origin);
  origin->longest = origin->shortest = 1.0;
  eli_relax_find_centre(relaxation, rod, origin->centre);
  memcpy(origin->last, origin->centre, sizeof origin->last);
  for (size_t j = rod->offset; j < rod->offset + (size_t)rod->element_count; j++) {
    const double e = lane[ELI_LENGTH][j] / lane[ELI_REST_LENGTH][j];
    origin->length += lane[ELI_REST_LENGTH][j];
    if (e > origin->longest) origin->longest = e;
    if (e < origin->shortest) origin->shortest = e;
  }
  for (size_t i = 0; i < eli_relax_blocks(relaxation, (int)rod->body->rank); i++)
    for (size_t a = 0; a < 3; a++) eli_keep_larger(&farthest, fabs(lane[ELI_POSITION + a][rod->offset + i]));
  origin->extent = farthest + origin->length;
  set_softness(rod, origin);
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

/* ---- Vectors of unknowns ---- */

/* Returns the squared extent of a step of a body. A body has no edge: its displacement is divided by the length of the longest rod. */
static double extent_of_body(const double step[6], double length) {
  const double turned = eli_dot(step + 3, step + 3), moved = eli_dot(step, step) / (length * length);
  return turned > moved || turned != turned ? turned : moved;
}

double eli_relax_extent(const eli_relaxation *relaxation, const double *step) {
  const elastica_world *world = relaxation->world;
  double most = 0.0;
  for (int r = 0; r < relaxation->rod_count; r++) {
    const elastica_rod *rod = relaxation->rods[r];
    const double *s = step + 6 * relaxation->first[r];
    const size_t n = (size_t)rod->element_count;
    if (eli_is_rigid(rod)) {
      eli_keep_larger(&most, extent_of_body(s, relaxation->origin[r].length));
      continue;
    }
    for (size_t j = 0; j < n; j++) {
      const size_t next = rod->closed && j + 1 == n ? 0 : j + 1;
      const double *phi = s + 6 * j + 3, l = world->bodies.slab.lane[ELI_LENGTH][rod->offset + j];
      double edge = 0.0;
      for (size_t a = 0; a < 3; a++) edge += (s[6 * next + a] - s[6 * j + a]) * (s[6 * next + a] - s[6 * j + a]);
      const double turned = phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2];
      if (!(turned <= most)) most = turned;
      if (!(edge <= most * (l * l))) most = edge / (l * l);
    }
  }
  return sqrt(most);
}

/* splitmix64 */
double eli_relax_noise(size_t i) {
  uint64_t x = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) + UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  x ^= x >> 31;
  return (double)(int64_t)(x >> 11) * 0x1p-52 - 1.0;
}

/* ---- Prescribed unknowns ---- */

static void set_motion(elastica_world *world, double value) {
  double *const *v = world->bodies.slab.lane + ELI_VELOCITY, *const *w = world->bodies.slab.lane + ELI_OMEGA;
  ELI_EACH_ROD_OF_WORLD(rod, world)
  for (size_t a = 0; a < 3; a++)
    for (size_t i = rod->offset; i <= rod->offset + (size_t)eli_last_node(rod); i++) v[a][i] = w[a][i] = value;
}

void eli_relax_stop(const eli_relaxation *relaxation) {
  set_motion(relaxation->world, 0.0);
}

static elastica_status constrain(eli_relaxation *relaxation, int positions) {
  elastica_world *world = relaxation->world;
  elastica_status status = ELASTICA_OK;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  world->calls.purpose = ELASTICA_PURPOSE_STATICS;
  for (size_t t = 0; t < world->bodies.slab.tile_count && status == ELASTICA_OK; t++) {
    eli_tile_report report = {0};
    eli_tile_work work = eli_work_on(world, t, 0, 0.0);
    work.report = &report;
    const int done = positions ? eli_constrain_positions(&work, work.time) : eli_constrain_velocities(&work) && eli_constrain_spins(&work);
    if (!done) status = eli_relax_fail_hook(relaxation, &report);
  }
  world->calls.purpose = ELASTICA_PURPOSE_QUERY;
  eli_world_leave_hooks(world);
  return status;
}

/* Marks the unknowns with a velocity or spin that a constraint changes. */
static elastica_status mark_held_motion(eli_relaxation *relaxation, double value) {
  elastica_world *world = relaxation->world;
  set_motion(world, value);
  const elastica_status status = constrain(relaxation, 0);
  for (int r = 0; r < relaxation->rod_count; r++) {
    const elastica_rod *rod = relaxation->rods[r];
    unsigned char *held = relaxation->held + 6 * relaxation->first[r];
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++)
      for (size_t a = 0; a < 3; a++) {
        if (world->bodies.slab.lane[ELI_VELOCITY + a][rod->offset + i] != value) held[6 * i + a] = 1;
        if (i == (size_t)rod->element_count || world->bodies.slab.lane[ELI_OMEGA + a][rod->offset + i] != value) held[6 * i + 3 + a] = 1;
      }
  }
  set_motion(world, 0.0);
  return status;
}

/* Marks the unknowns that a constraint puts back after a small displacement. */
static elastica_status mark_held_positions(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  double *const *lane = world->bodies.slab.lane;
  double *moved[12];
  for (size_t k = 0; k < 12; k++) moved[k] = state_lane(relaxation, k);
  for (size_t i = 0; i < relaxation->blocks; i++)
    for (size_t a = 0; a < 6; a++) relaxation->step[6 * i + a] = TEST_DISPLACEMENT;
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++)
      for (size_t a = 0; a < 3; a++)
        relaxation->step[6 * (relaxation->first[r] + i) + a] *= lane[ELI_REST_LENGTH][relaxation->rods[r]->offset];
  eli_relax_save(relaxation);
  eli_relax_move(relaxation);
  double *before = relaxation->next; /* the first row of a frame is enough: a constraint on a frame changes it */
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++)
      for (size_t a = 0; a < 6; a++) before[6 * (relaxation->first[r] + i) + a] = moved[a][relaxation->rods[r]->offset + i];
  const elastica_status status = constrain(relaxation, 1);
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++) {
      const size_t block = 6 * (relaxation->first[r] + i), slot = relaxation->rods[r]->offset + i;
      for (size_t a = 0; a < 3; a++) {
        if (moved[a][slot] != before[block + a]) relaxation->held[block + a] = 1;
        if (moved[3 + a][slot] != before[block + 3 + a]) memset(relaxation->held + block + 3, 1, 3);
      }
    }
  eli_relax_restore(relaxation);
  return status;
}

elastica_status eli_relax_find_held(eli_relaxation *relaxation) {
  elastica_status status = mark_held_positions(relaxation);
  if (status == ELASTICA_OK) status = mark_held_motion(relaxation, 1.0);
  if (status == ELASTICA_OK) status = mark_held_motion(relaxation, -0.5);
  return status;
}
