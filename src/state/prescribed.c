/* Prescribed node positions and frames (see prescribed.h). */
#include "base/target.h"

#include "state/prescribed.h"

#include "base/sentence.h"
#include "state/definition.h"

#include <stdio.h>
#include <string.h>

/* The component that is not finite, or count. */
static int wrong_component(const double *values, int count) {
  int k = 0;
  while (k < count && eli_is_finite(values[k])) k++;
  return k;
}

/* Explains the failure of the motion: the status that it returned, or the wrong number or frame that it wrote. */
static elastica_status explain(const eli_prescribed *prescribed, elastica_status status, const eli_placement *wrote) {
  const struct {
    const char *name, *unit;
    const double *values;
    int count;
  } parts[] = {{"position", " m", wrote->position, 3},
               {"velocity", " m/s", wrote->velocity, 3},
               {"director", "", wrote->director, 9},
               {"omega", " rad/s", wrote->omega, 3}};
  char where[32] = "", what[ELI_STATUS_WORDS_SIZE];
  if (prescribed->axes || prescribed->hold_frame) snprintf(where, sizeof where, " of node %d", prescribed->node);
  if (status != ELASTICA_OK)
    return eli_world_explain(prescribed->world, prescribed, "its motion%s returned %s", where, eli_status_words(status, what));
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    const int a = wrong_component(parts[k].values, parts[k].count);
    if (a < parts[k].count)
      return eli_world_explain(prescribed->world, prescribed, "its motion%s wrote %s[%d] = %g%s", where, parts[k].name, a,
                               parts[k].values[a], parts[k].unit);
  }
  return eli_world_explain(prescribed->world, prescribed,
                           "its motion%s wrote a director that is no right-handed frame: it is off by %.3g, more than 1e-9", where,
                           eli_frame_defect(wrote->director));
}

elastica_status eli_prescribed_at(const eli_prescribed *prescribed, double time, eli_placement *placement) {
  memset(placement, 0, sizeof *placement);
  memcpy(placement->position, prescribed->position, sizeof placement->position);
  memcpy(placement->director, prescribed->director, sizeof placement->director);
  if (prescribed->motion == NULL) return ELASTICA_OK;
  const elastica_status status =
      prescribed->motion(prescribed->user, time, placement->position, placement->velocity, placement->director, placement->omega);
  const int finite =
      eli_all_finite(placement->position, 3) && eli_all_finite(placement->velocity, 3) && eli_all_finite(placement->omega, 3);
  return status == ELASTICA_OK && finite && eli_is_frame(placement->director) ? ELASTICA_OK : explain(prescribed, status, placement);
}

elastica_status eli_prescribed_now(const eli_prescribed *prescribed, double time, int stands, eli_placement *placement) {
  const elastica_status status = eli_prescribed_at(prescribed, time, placement);
  for (int a = 0; a < 3 && stands; a++) placement->velocity[a] = placement->omega[a] = 0.0;
  return status;
}

static inline void assign_axes(double *const lane[3], int i, unsigned axes, const double value[3]) {
  if (axes & ELASTICA_AXIS_X) lane[0][i] = value[0];
  if (axes & ELASTICA_AXIS_Y) lane[1][i] = value[1];
  if (axes & ELASTICA_AXIS_Z) lane[2][i] = value[2];
}

static inline void assign_position(const eli_prescribed *prescribed, const double position[3], const double director[9],
                                   elastica_state *state) {
  assign_axes(state->position, prescribed->node, prescribed->axes, position);
  if (!prescribed->hold_frame) return;
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) state->director[a][b][prescribed->element] = director[3 * a + b];
  }
}

static elastica_status constrain_position(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  const eli_prescribed *prescribed = self;
  (void)rod;
  if (prescribed->motion == NULL) {
    assign_position(prescribed, prescribed->position, prescribed->director, state);
    return ELASTICA_OK;
  }
  eli_placement placement;
  const elastica_status status = eli_prescribed_at(prescribed, now->time, &placement);
  if (status == ELASTICA_OK) assign_position(prescribed, placement.position, placement.director, state);
  return status;
}

static elastica_status constrain_velocity(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  static const double at_rest[3] = {0.0, 0.0, 0.0};
  const eli_prescribed *prescribed = self;
  (void)rod;
  if (prescribed->motion == NULL) {
    assign_axes(state->velocity, prescribed->node, prescribed->axes, at_rest);
    return ELASTICA_OK;
  }
  eli_placement placement;
  const elastica_status status = eli_prescribed_at(prescribed, now->time, &placement);
  if (status == ELASTICA_OK) assign_axes(state->velocity, prescribed->node, prescribed->axes, placement.velocity);
  return status;
}

static elastica_status constrain_spin(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  const eli_prescribed *prescribed = self;
  (void)rod;
  if (prescribed->motion == NULL) {
    for (int a = 0; a < 3; a++) state->omega[a][prescribed->element] = 0.0;
    return ELASTICA_OK;
  }
  eli_placement placement;
  const elastica_status status = eli_prescribed_at(prescribed, now->time, &placement);
  if (status != ELASTICA_OK) return status;
  for (int a = 0; a < 3; a++) state->omega[a][prescribed->element] = placement.omega[a];
  return ELASTICA_OK;
}

void eli_prescribed_set_hooks(const eli_prescribed *prescribed, elastica_module *module) {
  module->parallel_safe = prescribed->motion == NULL;
  module->needs_geometry = 0;
  module->constrains_by_time = 1;
  module->constrain_position = prescribed->axes || prescribed->hold_frame ? constrain_position : NULL;
  module->constrain_velocity = prescribed->axes ? constrain_velocity : NULL;
  module->constrain_spin = prescribed->hold_frame ? constrain_spin : NULL;
}

int eli_prescribed_has_hooks(const elastica_module *module) {
  return (module->constrain_position == NULL || module->constrain_position == constrain_position) &&
         (module->constrain_velocity == NULL || module->constrain_velocity == constrain_velocity) &&
         (module->constrain_spin == NULL || module->constrain_spin == constrain_spin);
}

int eli_prescribed_moves(const void *self) {
  const eli_prescribed *prescribed = self;
  return prescribed->motion != NULL;
}

int eli_prescribed_fixes_node(const eli_prescribed *prescribed) {
  return prescribed->motion == NULL && prescribed->axes == ELASTICA_AXIS_ALL;
}

void eli_prescribed_keep(eli_prescribed *prescribed, const elastica_rod_view *rod, eli_record *record) {
  int axes = (int)prescribed->axes;
  eli_record_same(record, "motion", prescribed->motion != NULL);
  eli_record_int(record, "node", &prescribed->node, 0, rod != NULL ? rod->node_count - 1 : 0);
  eli_record_int(record, "element", &prescribed->element, 0, rod != NULL ? rod->element_count - 1 : 0);
  eli_record_int(record, "axes", &axes, 0, ELASTICA_AXIS_ALL);
  eli_record_int(record, "hold_frame", &prescribed->hold_frame, 0, 1);
  eli_record_finite(record, "position", prescribed->position, 3);
  eli_record_finite(record, "director", prescribed->director, 9);
  prescribed->axes = (unsigned)axes;
}

void eli_prescribed_function(void *own, eli_function *of, int set) {
  eli_prescribed *prescribed = own;
  if (set) {
    prescribed->motion = (elastica_motion)of->function;
    prescribed->user = of->user;
  } else {
    *of = (eli_function){.function = (void (*)(void))prescribed->motion, .user = prescribed->user};
  }
}
