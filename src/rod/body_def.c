/* The definition of a rigid body: its fields are checked and converted to mass, principal moments and axes.
 *
 * equation   ball        V = 4/3 pi r^3, J = 2/5 m r^2
 *            cylinder    V = pi r^2 L, J3 = m r^2/2, J1 = m (3 r^2 + L^2)/12
 *            capsule     a cylinder of mass m_c and a ball of mass m_b in two halves: J3 = m_c r^2/2 + 2/5 m_b r^2, J1 = m_c (3 r^2 +
 *                        L^2)/12 + m_b (2/5 r^2 + L^2/4 + 3/8 L r); the centre of a half ball is 3/8 r from its face
 *            box         V = a b c, J1 = m (b^2 + c^2)/12; J2 and J3 by cyclic permutation
 * test       tests/test_body.c
 */
#include "base/target.h"

#include "rod/rod_data.h"

#include "base/definition.h"
#include "base/elementary.h"
#include "base/principal_axes.h"

#include <math.h>
#include <string.h>

#define NUMBERS(field, rule) ELI_NUMBERS(elastica_body_def, field, rule)
static const eli_field fields[] = {
    ELI_FIELD(elastica_body_def, struct_size),
    ELI_CHOICE(elastica_body_def, shape, ELASTICA_SHAPE_BOX, "not one of elastica_shape"),
    NUMBERS(radius, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
    NUMBERS(length, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
    NUMBERS(edges, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
    NUMBERS(density, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
    NUMBERS(mass, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
    NUMBERS(inertia, ELI_RULE_NUMBER | ELI_RULE_OPTIONAL),
    NUMBERS(position, ELI_RULE_NUMBER),
    NUMBERS(director, ELI_RULE_FRAME | ELI_RULE_OPTIONAL),
    NUMBERS(velocity, ELI_RULE_NUMBER),
    NUMBERS(omega, ELI_RULE_NUMBER),
    ELI_FIELD(elastica_body_def, contact_group),
};
#undef NUMBERS
static const elastica_body_def defaults = {.radius = NAN,
                                           .length = NAN,
                                           .edges = ELI_UNSET_VECTOR,
                                           .density = NAN,
                                           .mass = NAN,
                                           .inertia = ELI_UNSET_FRAME,
                                           .director = ELI_UNSET_FRAME};
static const eli_layout layout = ELI_LAYOUT("body_def", elastica_body_def, fields, defaults);

void elastica_body_def_init(elastica_body_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

static elastica_status refuse_unset(elastica_world *world, const char *field) {
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "body_def.%s is not set", field);
}

/* Checks the dimensions of the shape. Dimensions that the shape does not have are set to 0. */
static elastica_status read_size(elastica_world *world, elastica_body_def *def) {
  const int box = def->shape == ELASTICA_SHAPE_BOX, ball = def->shape == ELASTICA_SHAPE_SPHERE;
  if (!box && eli_is_nan(def->radius)) return refuse_unset(world, "radius");
  if (!box && !ball && eli_is_nan(def->length)) return refuse_unset(world, "length");
  for (int a = 0; a < 3 && box; a++)
    if (eli_is_nan(def->edges[a])) return refuse_unset(world, "edges");
  if (box) def->radius = 0.0;
  if (box || ball) def->length = 0.0;
  if (!box) memset(def->edges, 0, sizeof def->edges);
  return ELASTICA_OK;
}

static double ball_volume(double r) {
  return 4.0 / 3.0 * ELI_PI * (r * r * r);
}

/* Computes the volume and extent of the shape, and its moments of inertia divided by its mass. */
static void measure(const elastica_body_def *def, eli_solid *solid, double moments[3]) {
  const double r = def->radius, r2 = r * r, l = def->length, *edge = def->edges;
  const double round = ELI_PI * r2 * l, across = (3.0 * r2 + l * l) / 12.0;
  switch (def->shape) {
  case ELASTICA_SHAPE_SPHERE:
    solid->volume = ball_volume(r);
    solid->extent = 2.0 * r;
    moments[0] = moments[1] = moments[2] = 0.4 * r2;
    return;
  case ELASTICA_SHAPE_CAPSULE: {
    solid->volume = round + ball_volume(r);
    solid->extent = l + 2.0 * r;
    const double middle = round / solid->volume, ends = 1.0 - middle;
    moments[0] = moments[1] = middle * across + ends * (0.4 * r2 + 0.25 * (l * l) + 0.375 * (l * r));
    moments[2] = middle * (0.5 * r2) + ends * (0.4 * r2);
    return;
  }
  case ELASTICA_SHAPE_CYLINDER:
    solid->volume = round;
    solid->extent = l;
    moments[0] = moments[1] = across;
    moments[2] = 0.5 * r2;
    return;
  case ELASTICA_SHAPE_BOX:
    solid->volume = edge[0] * edge[1] * edge[2];
    solid->extent = edge[2];
    for (int a = 0; a < 3; a++) {
      const double b = edge[(a + 1) % 3], c = edge[(a + 2) % 3];
      moments[a] = (b * b + c * c) / 12.0;
    }
  }
}

/* Checks a computed quantity, because products of valid numbers can overflow or underflow. */
static elastica_status check_size(elastica_world *world, const char *what, double value) {
  if (value >= 1.0 / ELI_LARGEST && value <= ELI_LARGEST) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "body_def, worked out: %s is %s: %g", what,
                               value > 1.0 ? "too large" : "not positive or too small", value);
}

static elastica_status read_mass(elastica_world *world, const elastica_body_def *def, eli_solid *solid) {
  const int mass = !eli_is_nan(def->mass), density = !eli_is_nan(def->density);
  if (!mass && !density) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "body_def.density or mass is not set");
  if (mass && density)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "body_def has both a density, %g, and a mass, %g", def->density,
                                 def->mass);
  solid->mass = mass ? def->mass : def->density * solid->volume;
  const elastica_status status = check_size(world, "volume", solid->volume);
  return status == ELASTICA_OK ? check_size(world, "mass", solid->mass) : status;
}

/* Reads a tensor of inertia and computes its moments and axes. Refuses a tensor that is not symmetric, not positive, or that no body
 * has. */
static elastica_status read_tensor(elastica_world *world, const double given[9], eli_solid *solid) {
  double tensor[9];
  const double size = fabs(given[0]) + fabs(given[4]) + fabs(given[8]);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const double above = given[3 * a + b], below = given[3 * b + a];
      if (!(fabs(above - below) <= 1e-9 * size))
        return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                     "body_def.inertia is not symmetric: entry [%d][%d] is %g, [%d][%d] %g", a, b, above, b, a, below);
      tensor[3 * a + b] = 0.5 * (above + below);
    }
  eli_principal_axes(tensor, solid->moments, solid->axes);
  const double *J = solid->moments;
  for (int a = 0; a < 3; a++)
    if (!(J[a] > 0.0))
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "body_def.inertia is not positive: a principal moment is %g", J[a]);
  for (int a = 0; a < 3; a++)
    if (J[a] > (1.0 + 1e-9) * (J[(a + 1) % 3] + J[(a + 2) % 3]))
      return elastica_world_refuse(
          world, ELASTICA_INVALID_ARGUMENT,
          "body_def.inertia: no body has the principal moments %g, %g, %g: one is larger than the sum of the others", J[0], J[1], J[2]);
  return ELASTICA_OK;
}

static elastica_status read_inertia(elastica_world *world, const elastica_body_def *def, const double moments[3], eli_solid *solid) {
  static const char *const names[3] = {"principal moment 0", "principal moment 1", "principal moment 2"};
  elastica_status status = ELASTICA_OK;
  for (int k = 0; k < 9; k++) solid->axes[k] = k % 4 == 0 ? 1.0 : 0.0;
  for (int a = 0; a < 3; a++) solid->moments[a] = solid->mass * moments[a];
  if (!eli_all_nan(def->inertia, 9)) status = read_tensor(world, def->inertia, solid);
  for (int a = 0; a < 3 && status == ELASTICA_OK; a++) status = check_size(world, names[a], solid->moments[a]);
  return status;
}

elastica_status eli_solid_read(elastica_world *world, const elastica_body_def *given, eli_solid *solid) {
  double moments[3];
  memset(solid, 0, sizeof *solid);
  if (given == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "add_body: def is NULL");
  elastica_body_def *def = &solid->def;
  elastica_status status = eli_def_read(world, &layout, def, given);
  if (status == ELASTICA_OK) status = read_size(world, def);
  if (status == ELASTICA_OK && def->contact_group < 0)
    status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "body_def.contact_group is negative: %d", def->contact_group);
  if (status != ELASTICA_OK) return status;
  if (eli_all_nan(def->director, 9))
    for (int k = 0; k < 9; k++) def->director[k] = k % 4 == 0 ? 1.0 : 0.0;
  measure(def, solid, moments);
  status = read_mass(world, def, solid);
  return status == ELASTICA_OK ? read_inertia(world, def, moments, solid) : status;
}
