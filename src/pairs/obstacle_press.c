/* The stiffness of contacts with an elastic obstacle (see obstacle.h), by finite differences as in contact_stiffness.c. */
#include "base/target.h"

#include "base/module.h"
#include "pairs/obstacle.h"

#include <string.h>

/* The displacement of a difference, in radii. */
#define DIFFERENCE 1e-6

/* Adds the tangential spring, unless it slides. */
static void add_friction(const eli_elastic *o, const eli_stick_slip *history, const eli_round *shape, const eli_solid *solid, int j,
                         eli_contact_stiffness *out) {
  eli_layer_touch of;
  if (!(o->law.friction > 0.0) || (history->stiffness > 0.0 && !history->sticks)) return;
  if (!eli_layer_touch_find(&o->law, shape, solid, out->rod[0], j, &of)) return;
  const double share[2] = {of.middle.share, 0.0}, *arm = of.middle.lever;
  eli_contact_stiffness_add_spring(out, of.stiffness, of.middle.normal, share, (const double[2][3]){{arm[0], arm[1], arm[2]}});
}

static int find_stiffness(const eli_elastic *o, const eli_elastic_record *r, const eli_solid *solid, const elastica_rod_view *rod, int j,
                          eli_contact_stiffness *out) {
  const eli_line_law law = {o->law.line.modulus, 0.0};
  eli_capsule at;
  eli_layer now, then;
  if (!eli_layer_is_near(solid, rod, j)) return 0;
  eli_layer_place(&r->shape, rod, j, &at);
  if (!eli_layer_find(&at, solid, &law, &now)) return 0;
  memset(out, 0, sizeof *out);
  out->rod[0] = rod;
  out->element[0] = j;
  for (int column = 0; column < 6; column++) {
    double *place = &at.end[column / 3][column % 3];
    const double kept = *place;
    *place = kept + DIFFERENCE * at.radius;
    const int touches = eli_layer_find(&at, solid, &law, &then);
    for (int row = 0; row < 6; row++)
      out->stiffness[row][column] = (now.force[row / 3][row % 3] - (touches ? then.force[row / 3][row % 3] : 0.0)) / (*place - kept);
    *place = kept;
  }
  add_friction(o, &r->history[j], &r->shape, solid, j, out);
  return 1;
}

elastica_status eli_elastic_find_stiffness(void *self, double time, void (*visit)(void *context, const eli_contact_stiffness *contact),
                                           void *context) {
  const eli_elastic *o = self;
  eli_solid solid;
  const elastica_status status = eli_elastic_solid_at(o, time, &solid);
  for (int k = 0; k < o->record_count && status == ELASTICA_OK; k++) {
    const eli_elastic_record *r = &o->records[k];
    if (r->rod < 0 || !eli_elastic_acts_on(o, r)) continue;
    const elastica_rod_view *rod = elastica_rod_get_view(elastica_world_rod(o->world, r->rod));
    eli_contact_stiffness found;
    for (int j = 0; j < r->count && !rod->rigid; j++)
      if (find_stiffness(o, r, &solid, rod, j, &found)) visit(context, &found);
  }
  return status;
}
