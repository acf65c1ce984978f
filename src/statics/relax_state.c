/* The state of a relaxation: saved, moved and restored; and the unknowns that effects prescribe. */
#include "base/target.h"

#include "statics/relax.h"

#include <stdint.h>
#include <string.h>

#include "base/rotation.h"
#include "base/vector.h"

/* Displacement for the test of prescribed unknowns, as a share of the length of the first element, and turn [rad]. */
#define TEST_DISPLACEMENT 0x1p-20

/* ---- State ---- */

/* Lanes 0..11: positions and directors, which relaxation moves. 12..17: velocities and spins, set to 0. */
static double *state_lane(const eli_relaxation *relaxation, size_t k) {
  double *const *lane = relaxation->world->bodies.slab.lane;
  if (k >= 12) return k < 15 ? lane[ELI_VELOCITY + k - 12] : lane[ELI_OMEGA + k - 15];
  return k < 3 ? lane[ELI_POSITION + k] : lane[ELI_DIRECTOR + k - 3];
}

void eli_relax_copy_state(const eli_relaxation *relaxation, double *lanes, int back) {
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
    eli_work work = eli_work_on(world, t, 0, 0.0);
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
