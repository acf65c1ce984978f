/* The definition of a wall (see wall_def.h). */
#include "base/target.h"

#include "contact/wall_def.h"

#include "base/vector.h"
#include "contact/obstacle_def.h"

#include <math.h>

typedef elastica_wall_def wall_def;
static const eli_field fields[] = {
    ELI_FIELD(wall_def, struct_size),
    ELI_CHOICE(wall_def, obstacle, ELASTICA_OBSTACLE_BOX, "none of PLANE, SPHERE, CYLINDER, BOX"),
    ELI_NUMBERS(wall_def, position, ELI_RULE_NUMBER),
    ELI_FIELD(wall_def, normal),
    ELI_NUMBERS(wall_def, director, ELI_RULE_FRAME | ELI_RULE_OPTIONAL),
    ELI_FIELD(wall_def, radius),
    ELI_FIELD(wall_def, length),
    ELI_FIELD(wall_def, edge),
    ELI_FIELD(wall_def, motion),
    ELI_FIELD(wall_def, user),
    ELI_NUMBERS(wall_def, stiffness, ELI_RULE_NOT_NEGATIVE | ELI_RULE_REQUIRED),
    ELI_NUMBERS(wall_def, damping, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(wall_def, tolerance, ELI_RULE_NOT_NEGATIVE),
    ELI_FIELD(wall_def, static_friction),
    ELI_FIELD(wall_def, kinetic_friction),
    ELI_FIELD(wall_def, slip_velocity),
    ELI_CHOICE(wall_def, friction_limit, ELASTICA_FRICTION_ELLIPTIC, "neither INDEPENDENT nor ELLIPTIC"),
    ELI_CHOICE(wall_def, head, ELASTICA_END_LAST, "neither FIRST nor LAST"),
    ELI_CHOICE(wall_def, balance, ELASTICA_BALANCE_NODES, "neither ELEMENTS nor NODES"),
};
static const wall_def defaults = {.normal = {0.0, 0.0, 1.0},
                                  .director = ELI_UNSET_FRAME,
                                  .radius = NAN,
                                  .length = NAN,
                                  .edge = ELI_UNSET_VECTOR,
                                  .stiffness = NAN,
                                  .tolerance = 0.004,
                                  .slip_velocity = NAN,
                                  .balance = ELASTICA_BALANCE_NODES};
const eli_layout eli_wall_layout = ELI_LAYOUT("wall_def", wall_def, fields, defaults);

static elastica_status check_friction(elastica_world *world, const wall_def *def, eli_friction *friction) {
  static const char *const names[6] = {"wall_def.static_friction[0], forward,",   "wall_def.static_friction[1], backward,",
                                       "wall_def.static_friction[2], sideways,",  "wall_def.kinetic_friction[0], forward,",
                                       "wall_def.kinetic_friction[1], backward,", "wall_def.kinetic_friction[2], sideways,"};
  const double *at_rest = def->static_friction, *moving = def->kinetic_friction;
  for (int k = 0; k < 3; k++) {
    elastica_status status = eli_check_numbers(world, names[k], ELI_RULE_NOT_NEGATIVE, &at_rest[k], 1);
    if (status == ELASTICA_OK) status = eli_check_numbers(world, names[3 + k], ELI_RULE_NOT_NEGATIVE, &moving[k], 1);
    if (status != ELASTICA_OK) return status;
    if (moving[k] > at_rest[k])
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s is above its static friction: %g > %g", names[3 + k], moving[k],
                                   at_rest[k]);
  }
  const int forward = def->head == ELASTICA_END_FIRST ? 0 : 1, backward = 1 - forward; /* the forward direction of the law is towards node
                                                                                        * 0 */
  *friction = (eli_friction){.acts = eli_largest(at_rest) > 0.0,
                             .static_forward = at_rest[forward],
                             .static_backward = at_rest[backward],
                             .static_across = at_rest[2],
                             .kinetic_forward = moving[forward],
                             .kinetic_backward = moving[backward],
                             .kinetic_across = moving[2],
                             .elliptic = def->friction_limit == ELASTICA_FRICTION_ELLIPTIC};
  if (!friction->acts) return ELASTICA_OK;
  friction->fade = 2.0 / def->slip_velocity;
  return eli_check_numbers(world, "wall_def.slip_velocity", ELI_RULE_POSITIVE | ELI_RULE_REQUIRED, &def->slip_velocity, 1);
}

elastica_status eli_wall_def_read(elastica_world *world, const elastica_wall_def *def, eli_obstacle *obstacle, eli_prescribed *place,
                                  eli_wall_law *law) {
  const eli_obstacle_fields stands = {"wall_def", def->obstacle, def->position, def->normal, def->director,
                                      def->edge,  def->radius,   def->length,   def->motion, def->user};
  elastica_status status = eli_obstacle_read(world, &stands, obstacle, place);
  if (status == ELASTICA_OK) status = check_friction(world, def, &law->friction);
  if (status != ELASTICA_OK) return status;
  law->stiffness = def->stiffness;
  law->damping = def->damping;
  law->reach = 1.0 + def->tolerance;
  law->balances_nodes = def->balance == ELASTICA_BALANCE_NODES;
  return ELASTICA_OK;
}

void eli_wall_law_keep(eli_obstacle *obstacle, eli_wall_law *law, eli_record *record) {
  eli_friction *friction = &law->friction;
  eli_obstacle_keep(obstacle, record);
  eli_record_finite(record, "stiffness", &law->stiffness, 1);
  eli_record_finite(record, "damping", &law->damping, 1);
  eli_record_finite(record, "tolerance", &law->reach, 1);
  eli_record_int(record, "balance", &law->balances_nodes, 0, 1);
  eli_record_int(record, "friction", &friction->acts, 0, 1);
  double *const numbers[7] = {&friction->static_forward,   &friction->static_backward, &friction->static_across, &friction->kinetic_forward,
                              &friction->kinetic_backward, &friction->kinetic_across,  &friction->fade};
  for (int k = 0; k < 7; k++) eli_record_finite(record, "friction", numbers[k], 1);
  eli_record_int(record, "friction_limit", &friction->elliptic, 0, 1);
}
