/* A batch of steps of one long rod, chunk by chunk: each chunk takes all steps while it lies in the cache, so that the rod passes through
 * memory once in a batch.
 *
 * In one step a slot depends on its neighbours alone. A chunk is copied, with as many slots on either side as there are steps, from the state
 * at the beginning of the batch, which is kept; what is cut off beyond is missed at the end of this halo first, and one slot further in with
 * each step. So the chunk itself comes out as in sweeps over the whole rod, to the last bit; its halo is worked out again by its neighbours.
 * test       tests/test_long_rod.c
 */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "step/batch.h"
#include "step/long_rod.h"

enum { CHUNK = 64 * ELI_BLOCK, HALO = ELI_BATCH_STEPS, WINDOW = CHUNK + 2 * HALO, LONG = 1 << 14, STATE_LANES = ELI_MASS };

/* What the kernels of such a step read beside the state. */
static const struct {
  int first, count;
} constants[] = {{ELI_INVERSE_MASS, 1},
                 {ELI_INVERSE_REST_LENGTH, 1},
                 {ELI_INVERSE_INERTIA, 2},
                 {ELI_INVERSE_REST_JOINT_LENGTH, 1},
                 {ELI_STIFFNESS_PER_LENGTH, 3},
                 {ELI_REST_STRESS, 3},
                 {ELI_BEND_PER_HALF_TURN, 3},
                 {ELI_REST_COUPLE, 3},
                 {ELI_FLATNESS, 1},
                 {ELI_WATCHED_LENGTH2, 1},
                 {ELI_WATCHED_SHEAR2, 1}};
enum { RANGES = sizeof constants / sizeof constants[0] };

int eli_is_long(const eli_work *work) {
  static const eli_hook hooks[] = {ELI_BEGIN_STEP, ELI_CONSTRAIN_POSITION, ELI_CONSTRAIN_VELOCITY, ELI_CONSTRAIN_SPIN};
  const eli_tile *tile = work->tile;
  int hooked = tile->loaded || tile->measured;
  for (int k = 0; k < 4; k++) hooked |= eli_tile_has(work->world, tile, hooks[k]);
  return tile->count >= LONG && !hooked && !tile->closed && work->law.classical && !work->law.explicit_couples && !work->law.any_inertia;
}

int eli_world_reserve_windows(elastica_world *world) {
  int needed = 0;
  for (size_t t = 0; t < world->slab.tile_count; t++) needed |= world->slab.tiles[t].count >= LONG;
  for (int w = 0; needed && w < world->worker_count; w++) {
    eli_scratch *scratch = &world->scratch[w];
    if (scratch->window_memory != NULL) continue;
    scratch->window_memory = eli_lanes_allocate(&world->allocator, WINDOW, ELI_LANE_COUNT, 0, scratch->window);
    if (scratch->window_memory == NULL) return 0;
  }
  return 1;
}

/* ---- A chunk ---- */

/* Slots from .. to - 1 of the tile are in the window, of which begin .. end - 1 are its own. */
typedef struct chunk {
  size_t from, begin, end, to;
} chunk;

static chunk chunk_at(const eli_tile *tile, size_t begin) {
  const size_t end = tile->count - begin < CHUNK ? tile->count : begin + CHUNK;
  return (chunk){begin > HALO ? begin - HALO : 0, begin, end, tile->count - end < HALO ? tile->count : end + HALO};
}

/* One lane, with neutral slots around it. */
static void fill_lane(double *window, const double *slots, size_t count, double neutral) {
  memcpy(window, slots, count * sizeof *window);
  for (int i = 0; i < ELI_BLOCK; i++) window[-1 - i] = window[(size_t)i + count] = neutral;
}

/* Makes a slot one without a joint, or without an element. */
static void clear_slot(double *const *window, int first, int count, size_t slot) {
  for (int k = first; k < first + count; k++) window[k][slot] = eli_slab_neutral(k);
}

static void fill_window(const eli_work *work, size_t tile, const chunk *c, double *const *window) {
  const size_t count = c->to - c->from;
  for (int k = 0; k < STATE_LANES; k++)
    fill_lane(window[k], eli_tile_kept_lane(work->world, tile, k) + c->from, count, eli_slab_neutral(k));
  for (int r = 0; r < RANGES; r++)
    for (int k = constants[r].first; k < constants[r].first + constants[r].count; k++)
      fill_lane(window[k], work->tile->lane[k] + c->from, count, eli_slab_neutral(k));
  if (c->from > 0) {
    clear_slot(window, ELI_INVERSE_REST_JOINT_LENGTH, 1, 0);
    clear_slot(window, ELI_BEND_PER_HALF_TURN, 6, 0);
  }
  if (c->to < work->tile->count) {
    clear_slot(window, ELI_INVERSE_REST_LENGTH, 1, count - 1);
    clear_slot(window, ELI_STIFFNESS_PER_LENGTH, 6, count - 1);
    clear_slot(window, ELI_WATCHED_LENGTH2, 2, count - 1);
  }
}

/* Adds the trips of each step. Those of the halo, too: what is cut off may add some, and then steps are taken again for nothing. */
static void step_window(const eli_work *work, const eli_batch_steps *steps, const eli_sweep *sweep, unsigned trips[ELI_BATCH_STEPS]) {
  const eli_kernels *kernels = work->world->kernels;
  const double half = 0.5 * work->dt, spin2 = work->law.watch.spin2;
  for (long k = 0; k < steps->count; k++) {
    const int last = k + 1 == steps->count, open = k == 0 ? steps->open : !steps->fuse, close = last ? steps->close : !steps->fuse;
    if (open) trips[k] |= kernels->drift(sweep, half, 0, spin2);
    trips[k] |= kernels->loads(sweep, &work->law);
    for (int a = 0; a < 3; a++) work->scratch[ELI_COUPLE_BEFORE + a][sweep->count] = -0.0; /* the joint behind the window */
    kernels->kick_both(sweep, work->dt, 0);
    trips[k] |= kernels->drift(sweep, half, !close, spin2);
  }
}

static void take_from_window(const eli_tile *tile, const chunk *c, double *const *window) {
  for (int k = 0; k < STATE_LANES; k++)
    memcpy(tile->lane[k] + c->begin, window[k] + (c->begin - c->from), (c->end - c->begin) * sizeof(double));
}

void eli_run_long(const eli_work *work, const eli_batch_steps *steps) {
  const eli_tile *tile = work->tile;
  const size_t index = (size_t)(tile - work->world->slab.tiles);
  unsigned trips[ELI_BATCH_STEPS] = {0};
  for (size_t begin = 0; begin < tile->count; begin += CHUNK) {
    const chunk c = chunk_at(tile, begin);
    eli_sweep sweep = eli_tile_sweep(tile, work->scratch);
    sweep.lane = work->window[0];
    sweep.stride = work->window[1] - work->window[0];
    sweep.count = (ptrdiff_t)(c.to - c.from);
    fill_window(work, index, &c, work->window);
    step_window(work, steps, &sweep, trips);
    take_from_window(tile, &c, work->window);
  }
  long done = 0;
  while (done < steps->count && !(trips[done] & steps->stops)) done++;
  work->report->status = ELASTICA_OK;
  work->report->steps = done;
  work->report->trips = trips[done < steps->count ? done : steps->count - 1];
}
