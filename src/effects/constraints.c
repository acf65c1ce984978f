/* Constraints: calls the hooks that write positions, frames, velocities and spins, and checks the written values.
 *
 * A number that is not finite spreads within a step, and a frame that is not a rotation remains wrong: both are checked at once. Pins and
 * clamps check their prescribed values themselves, so that only rods with a user's constraints are checked here.
 */
#include "base/target.h"

#include "base/definition.h"
#include "base/module.h"
#include "effects/work.h"

static void gather_frame(double *const *lane, size_t slot, double q[9]) {
  for (int a = 0; a < 9; a++) q[a] = lane[a][slot];
}

/* Returns the first element with a frame that is not a rotation, or count. In a rotation d1 and d2 are orthonormal and d3 = d1 x d2. The
 * first loop is vectorised and finds only candidates; the second loop decides. */
static int wrong_frame(double *const *lane, size_t first, int count) {
  const double near = 0.25e-9;
  int suspect = 0;
  for (size_t j = first; j < first + (size_t)count; j++) {
    const double x1 = lane[0][j], y1 = lane[1][j], z1 = lane[2][j], x2 = lane[3][j], y2 = lane[4][j], z2 = lane[5][j];
    const double size1 = x1 * x1 + y1 * y1 + z1 * z1 - 1.0, size2 = x2 * x2 + y2 * y2 + z2 * z2 - 1.0, skew = x1 * x2 + y1 * y2 + z1 * z2;
    const double x = y1 * z2 - z1 * y2 - lane[6][j], y = z1 * x2 - x1 * z2 - lane[7][j], z = x1 * y2 - y1 * x2 - lane[8][j];
    suspect |= !(size1 * size1 + size2 * size2 + skew * skew + (x * x + y * y + z * z) <= near * near);
  }
  for (int j = 0; j < count && suspect; j++) {
    double q[9];
    gather_frame(lane, first + (size_t)j, q);
    if (!eli_is_frame(q)) return j;
  }
  return count;
}

/* Returns the first node or element with a vector that is not finite, or count. */
static int wrong_vector(double *const *lane, size_t first, int count) {
  for (int i = 0; i < count; i++)
    for (int a = 0; a < 3; a++)
      if (!eli_is_finite(lane[a][first + (size_t)i])) return i;
  return count;
}

static int wrong_place(const elastica_rod *rod, int lane) {
  double *const *lanes = rod->world->slab.lane + lane;
  const int count = lane == ELI_POSITION || lane == ELI_VELOCITY ? rod->body->view.node_count : rod->body->view.element_count;
  const int place = lane == ELI_DIRECTOR ? wrong_frame(lanes, rod->offset, count) : wrong_vector(lanes, rod->offset, count);
  return place < count ? place : -1;
}

typedef struct writing {
  const eli_work *work;
  elastica_rod *rod;
  eli_hook hook;
  elastica_instant now;
  elastica_state *state;
} writing;

/* Returns 1 if this effect wrote the wrong value: the slot is set to a neutral value and the hook is called again. If the result is 0, the
 * wrong value is restored. */
static int did_write(const writing *w, const elastica_effect *effect, int lane, int place) {
  double *const *lanes = w->rod->world->slab.lane + lane;
  const size_t slot = w->rod->offset + (size_t)place;
  const int width = lane == ELI_DIRECTOR ? 9 : 3;
  double kept[9];
  eli_tile_report ignored = {0};
  for (int a = 0; a < width; a++) {
    kept[a] = lanes[a][slot];
    lanes[a][slot] = eli_slab_neutral(lane + a);
  }
  eli_call_hook(effect, w->hook, w->rod, &w->now, w->state, &ignored);
  const int wrote = lane == ELI_DIRECTOR ? wrong_frame(lanes, slot, 1) == 0 : wrong_vector(lanes, slot, 1) == 0;
  for (int a = 0; a < width && !wrote; a++) lanes[a][slot] = kept[a];
  return wrote;
}

/* The value that is not finite, or the defect of a frame. */
static void note_value(double *const *lanes, size_t slot, eli_tile_report *report) {
  double frame[9];
  const int is_frame = report->lane == ELI_DIRECTOR;
  for (int a = 0; a < 9; a++) frame[a] = is_frame || a < 3 ? lanes[a][slot] : 0.0;
  for (report->axis = 0; !is_frame && report->axis < 2 && eli_is_finite(frame[report->axis]);) report->axis++;
  report->wrong = is_frame ? eli_frame_defect(frame) : frame[report->axis];
}

static void examine(const writing *w, const elastica_effect *effect, int lane) {
  const int place = wrong_place(w->rod, lane);
  if (place < 0 || !did_write(w, effect, lane, place)) return;
  eli_tile_report *report = w->work->report;
  const eli_tile_report before = *report;
  eli_report_hook(report, ELASTICA_CALLBACK_FAILED, w->rod, effect, w->hook);
  if (before.status != ELASTICA_OK && before.rod_index <= w->rod->index) return;
  report->fault = ELI_WROTE;
  report->lane = lane;
  report->place = place;
  note_value(w->rod->world->slab.lane + lane, w->rod->offset + (size_t)place, report);
}

/* Inline, because with a constant hook a pin or clamp costs little more than its call. */
static inline void constrain_rod(const eli_work *work, elastica_rod *rod, eli_hook hook, double time) {
  if (!eli_rod_has(rod, hook)) return;
  const int lane = hook == ELI_CONSTRAIN_POSITION ? ELI_POSITION : hook == ELI_CONSTRAIN_VELOCITY ? ELI_VELOCITY : ELI_OMEGA;
  elastica_state *state = lane == ELI_POSITION ? &rod->body->positions : lane == ELI_VELOCITY ? &rod->body->velocities : &rod->body->spins;
  const elastica_instant now = eli_instant_of(work, rod, time);
  ELI_EACH_EFFECT(effect, rod, hook) {
    if (!eli_call_hook(effect, hook, rod, &now, state, work->report) || effect->body->kind != NULL) continue;
    const writing w = {work, rod, hook, now, state};
    examine(&w, effect, lane);
    if (lane == ELI_POSITION) examine(&w, effect, ELI_DIRECTOR);
  }
  if (rod->closed) eli_rod_close_lanes(rod, lane, 3);
  if (rod->closed && lane == ELI_POSITION) eli_rod_close_lanes(rod, ELI_DIRECTOR, 9);
}

void eli_constrain_rod(const eli_work *work, elastica_rod *rod, eli_hook hook, double time) {
  constrain_rod(work, rod, hook, time);
}

static inline int constrain(const eli_work *work, eli_hook hook, double time) {
  if (eli_tile_has(work->world, work->tile, hook))
    ELI_EACH_ROD(rod, work->world, work->tile) constrain_rod(work, rod, hook, time);
  return work->report->status == ELASTICA_OK;
}

int eli_constrain_positions(const eli_work *work, double time) {
  return constrain(work, ELI_CONSTRAIN_POSITION, time);
}

int eli_constrain_velocities(const eli_work *work) {
  return constrain(work, ELI_CONSTRAIN_VELOCITY, work->end);
}

int eli_constrain_spins(const eli_work *work) {
  return constrain(work, ELI_CONSTRAIN_SPIN, work->end);
}

/* Constraints assign the prescribed components. A component that is still NaN after all constraints is free. */
int eli_world_constrain_velocities(elastica_world *world, const elastica_instant *now, const elastica_rod_view *view,
                                   double *const velocity[3]) {
  const elastica_rod *rod = elastica_world_rod(world, view->rod_index);
  elastica_instant end = *now;
  elastica_state state = {.struct_size = sizeof state};
  eli_tile_report ignored = {0};
  if (!eli_rod_has(rod, ELI_CONSTRAIN_VELOCITY)) return 0;
  end.time += 0.5 * now->dt;
  for (int a = 0; a < 3; a++) {
    state.velocity[a] = velocity[a];
    for (int i = 0; i <= view->element_count; i++) velocity[a][i] = eli_nan();
  }
  eli_call_hooks(ELI_CONSTRAIN_VELOCITY, rod, &end, &state, &ignored);
  for (int a = 0; a < 3 && view->closed; a++) velocity[a][view->element_count] = velocity[a][0];
  return 1;
}
