/* What relaxation holds on to: its memory, the state that it may come back to, and what of the state is not its to move. */
#include "base/target.h"

#include "statics/relax.h"

#include <stdint.h>
#include <string.h>

#include "base/rotation.h"

/* ---- Memory ---- */

static double *take(double **memory, size_t count) {
  double *taken = *memory;
  *memory += count;
  return taken;
}

static void aim_statics(eli_relaxation *relaxation, eli_statics *statics, double **memory) {
  statics->first = relaxation->first;
  statics->total = take(memory, relaxation->size);
  statics->external = take(memory, relaxation->size);
  statics->loads = take(memory, relaxation->size);
  statics->strain = take(memory, 2 * relaxation->size);
}

int eli_relax_allocate(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  const size_t rods = (size_t)world->rod_count, slots = world->slab.end;
  size_t blocks = 0, tangents = 0;
  for (size_t r = 0; r < rods; r++) {
    blocks += (size_t)world->rods[r]->element_count + (world->rods[r]->closed ? 0 : 1);
    tangents += eli_tangent_size(world->rods[r]);
  }
  const size_t size = relaxation->size = 6 * blocks;
  relaxation->blocks = blocks;
  const size_t doubles = tangents + eli_secant_size(size) + 3 * (5 * size) + 6 * blocks + 6 * size + (12 + 12 + 18) * slots;
  const size_t rest = blocks * sizeof(eli_grip) +
                      rods * (sizeof(eli_tangent) + 3 * sizeof(eli_balance) + sizeof(eli_place) + sizeof(size_t) + 1) + size + 2 * blocks;
  if (doubles > SIZE_MAX / 2 / sizeof(double)) return 0;
  double *memory = eli_allocate(&world->allocator, 1, doubles * sizeof(double) + rest);
  if (memory == NULL) return 0;
  relaxation->memory = memory;
  double *const tangent_memory = take(&memory, tangents);
  double *const secant_memory = take(&memory, eli_secant_size(size));
  relaxation->predicted = take(&memory, 3 * blocks);
  relaxation->predicted_trial = take(&memory, 3 * blocks);
  relaxation->inertia = take(&memory, size);
  relaxation->step = take(&memory, size);
  relaxation->next = take(&memory, size);
  relaxation->other = take(&memory, size);
  relaxation->aside = take(&memory, size);
  relaxation->aimed = take(&memory, size);
  for (size_t k = 0; k < 12; k++) relaxation->saved[k] = take(&memory, slots);
  for (size_t k = 0; k < 12; k++) relaxation->parked[k] = take(&memory, slots);
  for (size_t k = 0; k < 18; k++) relaxation->begun[k] = take(&memory, slots);
  double *statics_memory = take(&memory, 3 * (5 * size));
  relaxation->grips = (eli_grip *)memory;
  relaxation->tangents = (eli_tangent *)(relaxation->grips + blocks);
  relaxation->start = (eli_balance *)(relaxation->tangents + rods);
  relaxation->balance = relaxation->start + rods;
  relaxation->balance_trial = relaxation->balance + rods;
  relaxation->place = (eli_place *)(relaxation->balance_trial + rods);
  relaxation->first = (size_t *)(relaxation->place + rods);
  relaxation->sound = (unsigned char *)(relaxation->first + rods);
  relaxation->held = relaxation->sound + rods;
  relaxation->colour = relaxation->held + size;
  aim_statics(relaxation, &relaxation->now, &statics_memory);
  aim_statics(relaxation, &relaxation->trial, &statics_memory);
  aim_statics(relaxation, &relaxation->probed, &statics_memory);
  eli_relax_forget_reactions(relaxation);
  eli_secant_aim(&relaxation->secant, size, relaxation->inertia, secant_memory);
  for (size_t k = 0; k < ELI_RELAX_PAIRS; k++) {
    relaxation->motion[k] = secant_memory + 2 * k * size;
    relaxation->effort[k] = secant_memory + (2 * k + 1) * size;
  }
  size_t first = 0, used = 0;
  for (size_t r = 0; r < rods; r++) {
    relaxation->first[r] = first;
    eli_tangent_aim(&relaxation->tangents[r], world->rods[r], tangent_memory + used);
    eli_tangent_clear_loads(&relaxation->tangents[r]);
    first += relaxation->tangents[r].blocks;
    used += eli_tangent_size(world->rods[r]);
  }
  return 1;
}

/* ---- State ---- */

/* Positions, frames, and then what relaxation makes 0. */
static double *state_lane(const eli_relaxation *relaxation, size_t k) {
  double *const *lane = relaxation->world->slab.lane;
  if (k >= 12) return k < 15 ? lane[ELI_VELOCITY + k - 12] : lane[ELI_OMEGA + k - 15];
  return k < 3 ? lane[ELI_POSITION + k] : lane[ELI_DIRECTOR + k - 3];
}

void eli_relax_note_state(const eli_relaxation *relaxation) {
  if (relaxation->size == 0) return; /* an empty slab has no lanes */
  for (size_t k = 0; k < 18; k++) memcpy(relaxation->begun[k], state_lane(relaxation, k), relaxation->world->slab.end * sizeof(double));
}

void eli_relax_return(const eli_relaxation *relaxation) {
  if (relaxation->size == 0) return;
  for (size_t k = 0; k < 18; k++) memcpy(state_lane(relaxation, k), relaxation->begun[k], relaxation->world->slab.end * sizeof(double));
}

void eli_relax_save(const eli_relaxation *relaxation) {
  if (relaxation->size == 0) return;
  for (size_t k = 0; k < 12; k++) memcpy(relaxation->saved[k], state_lane(relaxation, k), relaxation->world->slab.end * sizeof(double));
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
  for (size_t k = 0; k < 12; k++) memcpy(state_lane(relaxation, k), relaxation->saved[k], world->slab.end * sizeof(double));
  for (size_t t = 0; t < world->slab.tile_count; t++) eli_tile_update_geometry(world, t);
}

static void turn(double *const *lane, size_t slot, const double phi[3]) {
  double r[9];
  eli_rotation_exp(phi, r);
  for (size_t b = 0; b < 3; b++) {
    const double x = lane[ELI_DIRECTOR + b][slot], y = lane[ELI_DIRECTOR + 3 + b][slot], z = lane[ELI_DIRECTOR + 6 + b][slot];
    for (size_t a = 0; a < 3; a++) lane[ELI_DIRECTOR + 3 * a + b][slot] = r[3 * a] * x + r[3 * a + 1] * y + r[3 * a + 2] * z;
  }
}

void eli_relax_move(const eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  double *const *lane = world->slab.lane;
  for (int k = 0; k < world->rod_count; k++) {
    elastica_rod *rod = world->rods[k];
    const double *step = relaxation->step + 6 * relaxation->first[k];
    const size_t n = (size_t)rod->element_count;
    for (size_t i = 0; i < n + (rod->closed ? 0 : 1); i++)
      for (size_t a = 0; a < 3; a++) lane[ELI_POSITION + a][rod->offset + i] += step[6 * i + a];
    for (size_t j = 0; j < n; j++) turn(lane, rod->offset + j, step + 6 * j + 3);
    if (!rod->closed) continue;
    eli_rod_close_lanes(rod, ELI_POSITION, 3);
    eli_rod_close_lanes(rod, ELI_DIRECTOR, 9);
  }
}

/* ---- What is held ---- */

static void set_motion(elastica_world *world, double value) {
  for (int r = 0; r < world->rod_count; r++)
    for (size_t a = 0; a < 3; a++)
      for (size_t i = 0; i <= (size_t)world->rods[r]->element_count; i++)
        world->slab.lane[ELI_VELOCITY + a][world->rods[r]->offset + i] = world->slab.lane[ELI_OMEGA + a][world->rods[r]->offset + i] =
            value;
}

static elastica_status constrain(elastica_world *world, int positions) {
  elastica_status status = ELASTICA_OK;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  for (size_t t = 0; t < world->slab.tile_count && status == ELASTICA_OK; t++) {
    eli_tile_report report = {0};
    eli_work work = eli_work_on(world, t, 0, 0.0);
    work.report = &report;
    const int done = positions ? eli_constrain_positions(&work, work.time) : eli_constrain_velocities(&work) && eli_constrain_spins(&work);
    if (!done) status = eli_world_fail_hook(world, &report, work.time);
  }
  eli_world_leave_hooks(world);
  return status;
}

/* What does not keep a velocity or spin that it was given. */
static elastica_status hold_motion(eli_relaxation *relaxation, double value) {
  elastica_world *world = relaxation->world;
  set_motion(world, value);
  const elastica_status status = constrain(world, 0);
  for (int r = 0; r < world->rod_count; r++) {
    const elastica_rod *rod = world->rods[r];
    unsigned char *held = relaxation->held + 6 * relaxation->first[r];
    for (size_t i = 0; i < relaxation->tangents[r].blocks; i++)
      for (size_t a = 0; a < 3; a++) {
        if (world->slab.lane[ELI_VELOCITY + a][rod->offset + i] != value) held[6 * i + a] = 1;
        if (i == (size_t)rod->element_count || world->slab.lane[ELI_OMEGA + a][rod->offset + i] != value) held[6 * i + 3 + a] = 1;
      }
  }
  set_motion(world, 0.0);
  return status;
}

/* What does not stay where it was moved, by a small share of its element. */
static elastica_status hold_places(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  double *const *lane = world->slab.lane;
  double *moved[12];
  for (size_t k = 0; k < 12; k++) moved[k] = state_lane(relaxation, k);
  for (size_t i = 0; i < relaxation->blocks; i++)
    for (size_t a = 0; a < 6; a++) relaxation->step[6 * i + a] = 0x1p-20;
  for (int r = 0; r < world->rod_count; r++)
    for (size_t i = 0; i < relaxation->tangents[r].blocks; i++)
      for (size_t a = 0; a < 3; a++) relaxation->step[6 * (relaxation->first[r] + i) + a] *= lane[ELI_REST_LENGTH][world->rods[r]->offset];
  eli_relax_save(relaxation);
  eli_relax_move(relaxation);
  double *before = relaxation->next; /* of a frame the first row: who holds it holds that */
  for (int r = 0; r < world->rod_count; r++)
    for (size_t i = 0; i < relaxation->tangents[r].blocks; i++)
      for (size_t a = 0; a < 6; a++) before[6 * (relaxation->first[r] + i) + a] = moved[a][world->rods[r]->offset + i];
  const elastica_status status = constrain(world, 1);
  for (int r = 0; r < world->rod_count; r++)
    for (size_t i = 0; i < relaxation->tangents[r].blocks; i++) {
      const size_t block = 6 * (relaxation->first[r] + i), slot = world->rods[r]->offset + i;
      for (size_t a = 0; a < 3; a++) {
        if (moved[a][slot] != before[block + a]) relaxation->held[block + a] = 1;
        if (moved[3 + a][slot] != before[block + 3 + a]) memset(relaxation->held + block + 3, 1, 3);
      }
    }
  eli_relax_restore(relaxation);
  return status;
}

elastica_status eli_relax_find_held(eli_relaxation *relaxation) {
  elastica_status status = hold_places(relaxation);
  if (status == ELASTICA_OK) status = hold_motion(relaxation, 1.0);
  if (status == ELASTICA_OK) status = hold_motion(relaxation, -0.5);
  return status;
}
