/* Obstacle: a solid at rest or in prescribed motion that rods and rigid bodies do not enter.
 *
 * models     RIGID: a hard surface with friction that depends on direction (rigid_obstacle.c); ELASTIC: an elastic layer with stick-slip
 *            friction (elastic_obstacle.c)
 * parameters kind, shape and its placement or motion, the law of the kind
 * test       tests/test_wall*.c, tests/test_obstacle*.c
 */
#include "base/target.h"

#include "effects/obstacle.h"
#include "hooks/built_in.h"

#include <math.h>
#include <string.h>

#define RIGID ELI_RULE_ONLY_FIRST
#define ELASTIC ELI_RULE_ONLY_SECOND

typedef elastica_obstacle_def obstacle_def;
static const eli_field fields[] = {
    ELI_FIELD(obstacle_def, struct_size),
    ELI_CHOICE(obstacle_def, kind, ELASTICA_OBSTACLE_ELASTIC, "neither RIGID nor ELASTIC"),
    ELI_CHOICE(obstacle_def, shape, ELASTICA_SHAPE_MESH, "none of SPHERE, CAPSULE, CYLINDER, BOX, PLANE, SURFACE, TUBE, MESH"),
    ELI_NUMBERS(obstacle_def, position, ELI_RULE_NUMBER),
    ELI_FIELD(obstacle_def, normal),
    ELI_NUMBERS(obstacle_def, director, ELI_RULE_FRAME | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(obstacle_def, radius, ELI_RULE_INFINITE | ELI_RULE_IF_USED), /* eli_obstacle_read checks the sizes of the shape */
    ELI_NUMBERS(obstacle_def, length, ELI_RULE_INFINITE | ELI_RULE_IF_USED),
    ELI_NUMBERS(obstacle_def, edges, ELI_RULE_INFINITE | ELI_RULE_IF_USED),
    ELI_FUNCTION(obstacle_def, motion),
    ELI_USER(obstacle_def, user),
    ELI_NUMBERS(obstacle_def, damping, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(obstacle_def, stiffness, ELI_RULE_NOT_NEGATIVE | ELI_RULE_IF_USED | RIGID),
    ELI_NUMBERS(obstacle_def, tolerance, ELI_RULE_NOT_NEGATIVE | RIGID),
    ELI_NUMBERS(obstacle_def, static_friction, ELI_RULE_NOT_NEGATIVE | RIGID),
    ELI_NUMBERS(obstacle_def, kinetic_friction, ELI_RULE_NOT_NEGATIVE | RIGID),
    ELI_NUMBERS(obstacle_def, slip_velocity, ELI_RULE_POSITIVE | ELI_RULE_IF_USED | RIGID),
    ELI_CHOICE_OF(obstacle_def, friction_limit, ELASTICA_FRICTION_ELLIPTIC, "neither INDEPENDENT nor ELLIPTIC", RIGID),
    ELI_CHOICE_OF(obstacle_def, head, ELASTICA_END_LAST, "neither FIRST nor LAST", RIGID),
    ELI_CHOICE_OF(obstacle_def, balance, ELASTICA_BALANCE_NODES, "neither ELEMENTS nor NODES", RIGID),
    ELI_NUMBERS(obstacle_def, modulus, ELI_RULE_POSITIVE | ELI_RULE_IF_USED | ELASTIC),
    ELI_NUMBERS(obstacle_def, friction, ELI_RULE_NOT_NEGATIVE | ELASTIC),
    ELI_NUMBERS(obstacle_def, tangential_ratio, ELI_RULE_POSITIVE | ELASTIC),
    ELI_NUMBERS(obstacle_def, tangential_damping, ELI_RULE_NOT_NEGATIVE | ELASTIC),
    ELI_NUMBERS(obstacle_def, group, ELI_RULE_GROUP | ELASTIC),
    ELI_NUMBERS(obstacle_def, damping_ratio, ELI_RULE_NOT_NEGATIVE | ELASTIC),
    ELI_NUMBERS(obstacle_def, tangential_damping_ratio, ELI_RULE_NOT_NEGATIVE | ELASTIC),
    ELI_FIELD(obstacle_def, surface),
    ELI_FIELD(obstacle_def, surface_user),
    ELI_NUMBERS(obstacle_def, surface_slope, ELI_RULE_POSITIVE),
    ELI_NUMBERS(obstacle_def, surface_curvature, ELI_RULE_NOT_NEGATIVE | ELI_RULE_IF_USED),
    ELI_FIELD(obstacle_def, points),
    ELI_FIELD(obstacle_def, radii),
    ELI_FIELD(obstacle_def, point_count),
    ELI_CHOICE(obstacle_def, side, ELASTICA_SIDE_BOTH, "none of OUTSIDE, INSIDE, BOTH"),
    ELI_FIELD(obstacle_def, triangles),
    ELI_FIELD(obstacle_def, triangle_count),
    ELI_NUMBERS(obstacle_def, thickness, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(obstacle_def, fillet, ELI_RULE_POSITIVE | ELI_RULE_IF_USED),
};
static const obstacle_def defaults = {.shape = ELASTICA_SHAPE_PLANE,
                                      .normal = {0.0, 0.0, 1.0},
                                      .director = ELI_UNSET_FRAME,
                                      .radius = NAN,
                                      .length = NAN,
                                      .edges = ELI_UNSET_VECTOR,
                                      .stiffness = NAN,
                                      .tolerance = 0.004,
                                      .slip_velocity = NAN,
                                      .balance = ELASTICA_BALANCE_NODES,
                                      .modulus = NAN,
                                      .tangential_ratio = 2.0 / 3.0,
                                      .group = ELASTICA_EVERY_GROUP,
                                      .damping_ratio = 0.5,
                                      .tangential_damping_ratio = 0.1,
                                      .surface_slope = 1.0,
                                      .surface_curvature = NAN,
                                      .fillet = NAN};
const eli_layout eli_obstacle_layout = ELI_LAYOUT("obstacle_def", obstacle_def, fields, defaults);

const char *const eli_obstacle_kinds[ELI_OBSTACLE_KINDS] = {"RIGID", "ELASTIC"};

elastica_status eli_obstacle_check_kind(const eli_request *request, const elastica_obstacle_def *def, elastica_obstacle_kind kind) {
  if (def->kind != kind)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: the obstacle is of kind %s and cannot become %s: remove it and add another", request->function,
                                 eli_obstacle_kinds[kind], eli_obstacle_kinds[def->kind]);
  if (kind == ELASTICA_OBSTACLE_RIGID && def->shape >= ELASTICA_SHAPE_SURFACE)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                 "obstacle_def.shape is %s: an obstacle of this shape has kind ELASTIC, not RIGID",
                                 def->shape == ELASTICA_SHAPE_MESH   ? "MESH"
                                 : def->shape == ELASTICA_SHAPE_TUBE ? "TUBE"
                                                                     : "SURFACE");
  return kind == ELASTICA_OBSTACLE_RIGID ? eli_def_refuse_unused(request->world, &eli_obstacle_layout, def, ELASTIC, "kind RIGID")
                                         : eli_def_refuse_unused(request->world, &eli_obstacle_layout, def, RIGID, "kind ELASTIC");
}

/* The kind of a definition that was not checked yet. */
static const eli_built_in *kind_of(const elastica_obstacle_def *def) {
  const int is_set = def != NULL && def->struct_size >= offsetof(elastica_obstacle_def, kind) + sizeof def->kind;
  return is_set && def->kind == ELASTICA_OBSTACLE_ELASTIC ? &eli_elastic_obstacle : &eli_rigid_obstacle;
}

void elastica_obstacle_def_init(elastica_obstacle_def *def, size_t size) {
  eli_def_init(&eli_obstacle_layout, def, size);
}

elastica_status elastica_add_obstacle(elastica_world *world, elastica_rod *rod, const elastica_obstacle_def *def, elastica_effect **out) {
  return eli_add_built_in(kind_of(def), world, rod, def, out);
}

static int is_elastic(const elastica_effect *effect) {
  return eli_effect_is(effect, &eli_elastic_obstacle);
}

elastica_status elastica_obstacle_set(elastica_effect *effect, const elastica_obstacle_def *def) {
  return eli_set_built_in(is_elastic(effect) ? &eli_elastic_obstacle : &eli_rigid_obstacle, effect, def);
}

elastica_status elastica_obstacle_get_force(elastica_effect *effect, double force[3], double couple[3]) {
  static const char function[] = "obstacle_get_force";
  double on_obstacle[3] = {0.0, 0.0, 0.0}, about_position[3] = {0.0, 0.0, 0.0};
  elastica_status status = eli_effect_check_kind(effect, function, is_elastic(effect) ? &eli_elastic_obstacle : &eli_rigid_obstacle);
  if (status == ELASTICA_OK) status = eli_check_outside_hook(elastica_effect_get(effect).world, function);
  if (status == ELASTICA_OK && is_elastic(effect)) {
    elastica_world *world = elastica_effect_get(effect).world;
    eli_world_enter_call(world); /* of motion and surface */
    status = eli_elastic_obstacle_force(effect, function, on_obstacle, about_position);
    eli_world_leave_call(world);
  }
  if (status != ELASTICA_OK) return status;
  if (!is_elastic(effect) && elastica_effect_get(effect).is_enabled) eli_rigid_obstacle_force(effect, on_obstacle, about_position);
  if (force != NULL) memcpy(force, on_obstacle, sizeof on_obstacle);
  if (couple != NULL) memcpy(couple, about_position, sizeof about_position);
  return ELASTICA_OK;
}
