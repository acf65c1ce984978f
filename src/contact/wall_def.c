/* What the definition of a wall says (see wall_def.h). */
#include "base/target.h"

#include "contact/wall_def.h"

#include "base/checks.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

/* What a definition of an older caller may end with. */
#define FIELD(field) ELI_FIELD(elastica_wall_def, field)
static const eli_field fields[] = {
    FIELD(struct_size),   FIELD(obstacle),       FIELD(position),  FIELD(normal),          FIELD(director),
    FIELD(radius),        FIELD(length),         FIELD(edge),      FIELD(motion),          FIELD(user),
    FIELD(stiffness),     FIELD(damping),        FIELD(tolerance), FIELD(static_friction), FIELD(kinetic_friction),
    FIELD(slip_velocity), FIELD(friction_limit), FIELD(head),      FIELD(balance)};
#undef FIELD
static const eli_layout layout = ELI_LAYOUT("wall_def", elastica_wall_def, fields);

void elastica_wall_def_init(elastica_wall_def *def, size_t size) {
  elastica_wall_def defaults = {.struct_size = size, .normal = {0.0, 0.0, 1.0}, .tolerance = 0.004, .balance = ELASTICA_BALANCE_NODES};
  eli_fill_nan(defaults.director, 9);
  eli_fill_nan(defaults.edge, 3);
  defaults.radius = defaults.length = defaults.stiffness = defaults.slip_velocity = eli_nan();
  eli_def_write(def, size, &defaults, sizeof defaults);
}

static elastica_status refuse(elastica_world *world, const char *field, const char *what) {
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "wall_def.%s %s", field, what);
}

/* Set and positive; infinite only where that is allowed. */
static elastica_status check_size(elastica_world *world, const char *field, double value, int may_be_infinite) {
  if (eli_is_nan(value)) return refuse(world, field, "is not set");
  if (!may_be_infinite && !eli_is_finite(value)) return refuse(world, field, "is not finite");
  if (value >= 1.0 / ELI_LARGEST && (value <= ELI_LARGEST || !eli_is_finite(value))) return ELASTICA_OK;
  if (value > 0.0)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "wall_def.%s is too %s: %g", field, value < 1.0 ? "small" : "large",
                                 value);
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "wall_def.%s is not positive: %g", field, value);
}

static elastica_status check_obstacle(elastica_world *world, const elastica_wall_def *def, eli_obstacle *obstacle) {
  elastica_status status = ELASTICA_OK;
  obstacle->shape = def->obstacle;
  switch (def->obstacle) {
  case ELASTICA_OBSTACLE_PLANE: return ELASTICA_OK;
  case ELASTICA_OBSTACLE_SPHERE: obstacle->radius = def->radius; return check_size(world, "radius", def->radius, 0);
  case ELASTICA_OBSTACLE_CYLINDER:
    obstacle->radius = def->radius;
    obstacle->half_length = 0.5 * def->length;
    status = check_size(world, "radius", def->radius, 0);
    return status == ELASTICA_OK ? check_size(world, "length", def->length, 1) : status;
  case ELASTICA_OBSTACLE_BOX:
    for (int a = 0; a < 3 && status == ELASTICA_OK; a++) {
      obstacle->half_edge[a] = 0.5 * def->edge[a];
      status = check_size(world, "edge", def->edge[a], 0);
    }
    return status;
  default: return refuse(world, "obstacle", "is none of PLANE, SPHERE, CYLINDER, BOX");
  }
}

/* d3 along normal, d1 across it and the axis that is closest to orthogonal. */
static void frame_from_normal(const double normal[3], double director[9]) {
  const double largest = eli_largest(normal);
  const double n[3] = {normal[0] / largest, normal[1] / largest, normal[2] / largest}; /* whose squares neither vanish nor overflow */
  const double size = sqrt(eli_dot(n, n));
  double *d1 = director, *d2 = director + 3, *d3 = director + 6, axis[3] = {0.0, 0.0, 0.0};
  int least = 0;
  for (int a = 0; a < 3; a++) {
    d3[a] = n[a] / size;
    if (fabs(d3[a]) < fabs(d3[least])) least = a;
  }
  axis[least] = 1.0;
  const double along = d3[least], scale = 1.0 / sqrt(1.0 - along * along);
  for (int a = 0; a < 3; a++) d1[a] = scale * (axis[a] - along * d3[a]);
  eli_cross(d3, d1, d2);
}

static elastica_status check_place(elastica_world *world, const elastica_wall_def *def, eli_hold *place) {
  elastica_status status = eli_check_numbers(world, "wall_def.position", def->position, 3);
  if (status != ELASTICA_OK) return status;
  memcpy(place->position, def->position, sizeof place->position);
  place->motion = def->motion;
  place->user = def->user;
  if (!eli_all_nan(def->director, 9)) {
    memcpy(place->director, def->director, sizeof place->director);
    return eli_check_frame(world, "wall_def.director", def->director);
  }
  status = eli_check_finite(world, "wall_def.normal", def->normal, 3);
  if (status != ELASTICA_OK) return status;
  if (def->normal[0] == 0.0 && def->normal[1] == 0.0 && def->normal[2] == 0.0) return refuse(world, "normal", "is zero");
  frame_from_normal(def->normal, place->director);
  return ELASTICA_OK;
}

static elastica_status check_friction(elastica_world *world, const elastica_wall_def *def, eli_friction *friction) {
  static const char *const names[6] = {"wall_def.static_friction[0], forward,",   "wall_def.static_friction[1], backward,",
                                       "wall_def.static_friction[2], sideways,",  "wall_def.kinetic_friction[0], forward,",
                                       "wall_def.kinetic_friction[1], backward,", "wall_def.kinetic_friction[2], sideways,"};
  const double *at_rest = def->static_friction, *moving = def->kinetic_friction;
  int rubs = 0;
  for (int k = 0; k < 3; k++) {
    elastica_status status = eli_check_not_negative(world, names[k], at_rest[k]);
    if (status == ELASTICA_OK) status = eli_check_not_negative(world, names[3 + k], moving[k]);
    if (status != ELASTICA_OK) return status;
    if (moving[k] > at_rest[k])
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s is above its static friction: %g > %g", names[3 + k], moving[k],
                                   at_rest[k]);
    if (at_rest[k] > 0.0) rubs = 1;
  }
  if (def->friction_limit != ELASTICA_FRICTION_INDEPENDENT && def->friction_limit != ELASTICA_FRICTION_ELLIPTIC)
    return refuse(world, "friction_limit", "is neither INDEPENDENT nor ELLIPTIC");
  if (def->head != ELASTICA_END_FIRST && def->head != ELASTICA_END_LAST) return refuse(world, "head", "is neither FIRST nor LAST");
  const int forward = def->head == ELASTICA_END_FIRST ? 0 : 1, backward = 1 - forward; /* the law's forward is towards node 0 */
  *friction = (eli_friction){.rubs = rubs,
                             .static_forward = at_rest[forward],
                             .static_backward = at_rest[backward],
                             .static_across = at_rest[2],
                             .kinetic_forward = moving[forward],
                             .kinetic_backward = moving[backward],
                             .kinetic_across = moving[2],
                             .elliptic = def->friction_limit == ELASTICA_FRICTION_ELLIPTIC};
  if (!rubs) return ELASTICA_OK;
  const elastica_status status = check_size(world, "slip_velocity", def->slip_velocity, 0);
  friction->fade = 2.0 / def->slip_velocity;
  return status;
}

elastica_status eli_wall_def_read(elastica_world *world, const elastica_wall_def *given, eli_obstacle *obstacle, eli_hold *place,
                                  eli_wall_law *law) {
  elastica_wall_def def;
  elastica_wall_def_init(&def, sizeof def);
  elastica_status status = eli_def_read(world, &layout, &def, given);
  if (status == ELASTICA_OK) status = check_obstacle(world, &def, obstacle);
  if (status == ELASTICA_OK) status = check_place(world, &def, place);
  if (status == ELASTICA_OK && eli_is_nan(def.stiffness)) status = refuse(world, "stiffness", "is not set");
  if (status == ELASTICA_OK) status = eli_check_not_negative(world, "wall_def.stiffness", def.stiffness);
  if (status == ELASTICA_OK) status = eli_check_not_negative(world, "wall_def.damping", def.damping);
  if (status == ELASTICA_OK) status = eli_check_not_negative(world, "wall_def.tolerance", def.tolerance);
  if (status == ELASTICA_OK && def.balance != ELASTICA_BALANCE_ELEMENTS && def.balance != ELASTICA_BALANCE_NODES)
    status = refuse(world, "balance", "is neither ELEMENTS nor NODES");
  if (status == ELASTICA_OK) status = check_friction(world, &def, &law->friction);
  if (status != ELASTICA_OK) return status;
  law->stiffness = def.stiffness;
  law->damping = def.damping;
  law->reach = 1.0 + def.tolerance;
  law->balances_nodes = def.balance == ELASTICA_BALANCE_NODES;
  return ELASTICA_OK;
}
