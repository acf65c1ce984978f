/* An obstacle and its placement (see obstacle_def.h). */
#include "base/target.h"

#include "contact/obstacle_def.h"

#include "base/definition.h"
#include "base/vector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 48 };

static elastica_status check(elastica_world *world, const eli_obstacle_fields *fields, const char *field, unsigned rule,
                             const double *values, int count) {
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "%s.%s", fields->name, field);
  return eli_check_numbers(world, name, rule, values, count);
}

/* Reads the sizes that this shape has. */
static elastica_status read_sizes(elastica_world *world, const eli_obstacle_fields *fields, eli_obstacle *obstacle) {
  const unsigned size = ELI_RULE_POSITIVE | ELI_RULE_REQUIRED;
  elastica_status status = ELASTICA_OK;
  obstacle->shape = fields->shape;
  if (fields->shape == ELASTICA_OBSTACLE_SPHERE || fields->shape == ELASTICA_OBSTACLE_CYLINDER) {
    obstacle->radius = fields->radius;
    status = check(world, fields, "radius", size, &fields->radius, 1);
  }
  if (fields->shape == ELASTICA_OBSTACLE_CYLINDER && status == ELASTICA_OK) {
    obstacle->half_length = 0.5 * fields->length;
    status = check(world, fields, "length", size | ELI_RULE_INFINITE, &fields->length, 1);
  }
  if (fields->shape == ELASTICA_OBSTACLE_BOX) {
    for (int a = 0; a < 3; a++) obstacle->half_edge[a] = 0.5 * fields->edge[a];
    status = check(world, fields, "edge", size, fields->edge, 3);
  }
  return status;
}

/* Computes a frame with d3 along the normal; d1 is perpendicular to it, in the plane of the axis closest to orthogonal. */
static void frame_from_normal(const double normal[3], double director[9]) {
  const double largest = eli_largest(normal);
  const double n[3] = {normal[0] / largest, normal[1] / largest, normal[2] / largest}; /* scaled so that squares neither vanish nor
                                                                                        * overflow */
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

static elastica_status read_place(elastica_world *world, const eli_obstacle_fields *fields, eli_prescribed *place) {
  memcpy(place->position, fields->position, sizeof place->position);
  place->world = world;
  place->motion = fields->motion;
  place->user = fields->user;
  if (!eli_all_nan(fields->director, 9)) {
    memcpy(place->director, fields->director, sizeof place->director);
    return ELASTICA_OK;
  }
  const elastica_status status = check(world, fields, "normal", ELI_RULE_DIRECTION, fields->normal, 3);
  if (status != ELASTICA_OK) return status;
  if (eli_largest(fields->normal) == 0.0) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s.normal is zero", fields->name);
  frame_from_normal(fields->normal, place->director);
  return ELASTICA_OK;
}

elastica_status eli_obstacle_read(elastica_world *world, const eli_obstacle_fields *fields, eli_obstacle *obstacle, eli_prescribed *place) {
  const elastica_status status = read_sizes(world, fields, obstacle);
  return status == ELASTICA_OK ? read_place(world, fields, place) : status;
}

void eli_obstacle_keep(eli_obstacle *obstacle, eli_record *record) {
  int shape = (int)obstacle->shape;
  eli_record_int(record, "obstacle", &shape, 0, ELASTICA_OBSTACLE_BOX);
  obstacle->shape = (elastica_obstacle)shape;
  eli_record_finite(record, "radius", &obstacle->radius, 1);
  eli_record_doubles(record, &obstacle->half_length, 1);
  eli_record_finite(record, "edge", obstacle->half_edge, 3);
}
