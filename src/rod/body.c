/* Rigid bodies: rods of one node and one element, without joints and without elasticity (see slab/slab.h).
 *
 * equation   ball        V = 4/3 pi r^3, J = 2/5 m r^2
 *            cylinder    V = pi r^2 L, J3 = m r^2/2, J1 = m (3 r^2 + L^2)/12
 *            capsule     a cylinder of mass m_c and a ball of mass m_b in two halves: J3 = m_c r^2/2 + 2/5 m_b r^2, J1 = m_c (3 r^2 +
 *                        L^2)/12 + m_b (2/5 r^2 + L^2/4 + 3/8 L r); the centre of a half ball is 3/8 r from its face
 *            box         V = a b c, J1 = m (b^2 + c^2)/12; J2 and J3 by cyclic permutation
 * test       tests/test_body.c
 *
 * The lanes hold the principal axes A Q, for the frame Q of the definition, and spins A omega in these axes; the rows of A are the axes of
 * eli_solid.
 */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/rotation.h"
#include "base/symmetric_eigen.h"
#include "base/vector.h"
#include "rod/rod_data.h"
#include "state/definition.h"

#define NUMBERS(field, rule) ELI_NUMBERS(elastica_body_def, field, rule)
static const eli_field fields[] = {
    ELI_FIELD(elastica_body_def, struct_size),
    ELI_CHOICE(elastica_body_def, shape, ELASTICA_SHAPE_BOX, "not SPHERE, CAPSULE, CYLINDER or BOX"),
    ELI_FIELD(elastica_body_def, radius),
    ELI_FIELD(elastica_body_def, length),
    ELI_FIELD(elastica_body_def, edges),
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

/* ---- Mass, principal moments and axes of a definition ---- */

/* Checks the dimensions of the shape. Dimensions that the shape does not have are set to 0. */
static elastica_status read_size(elastica_world *world, elastica_body_def *def) {
  const int box = def->shape == ELASTICA_SHAPE_BOX, ball = def->shape == ELASTICA_SHAPE_SPHERE;
  const unsigned size = ELI_RULE_POSITIVE | ELI_RULE_REQUIRED;
  elastica_status status = ELASTICA_OK;
  if (!box) status = eli_check_numbers(world, "body_def.radius", size, &def->radius, 1);
  if (!box && !ball && status == ELASTICA_OK) status = eli_check_numbers(world, "body_def.length", size, &def->length, 1);
  if (box) status = eli_check_numbers(world, "body_def.edges", size, def->edges, 3);
  if (box) def->radius = 0.0;
  if (box || ball) def->length = 0.0;
  if (!box) memset(def->edges, 0, sizeof def->edges);
  return status;
}

static double ball_volume(double r) {
  return 4.0 / 3.0 * ELI_PI * (r * r * r);
}

/* Computes the volume, extent and arm of the shape, and its moments of inertia divided by its mass. */
static void measure(const elastica_body_def *def, eli_solid *solid, double moments[3]) {
  const double r = def->radius, r2 = r * r, l = def->length, *edge = def->edges;
  const double round = ELI_PI * r2 * l, across = (3.0 * r2 + l * l) / 12.0;
  switch (def->shape) {
  case ELASTICA_SHAPE_SPHERE:
    solid->volume = ball_volume(r);
    solid->extent = 2.0 * r;
    solid->arm = 0.0;
    moments[0] = moments[1] = moments[2] = 0.4 * r2;
    return;
  case ELASTICA_SHAPE_CAPSULE: {
    solid->volume = round + ball_volume(r);
    solid->extent = l + 2.0 * r;
    solid->arm = 0.5 * l;
    const double middle = round / solid->volume, ends = 1.0 - middle;
    moments[0] = moments[1] = middle * across + ends * (0.4 * r2 + 0.25 * (l * l) + 0.375 * (l * r));
    moments[2] = middle * (0.5 * r2) + ends * (0.4 * r2);
    return;
  }
  case ELASTICA_SHAPE_CYLINDER:
    solid->volume = round;
    solid->extent = l;
    solid->arm = sqrt(r2 + 0.25 * (l * l));
    moments[0] = moments[1] = across;
    moments[2] = 0.5 * r2;
    return;
  case ELASTICA_SHAPE_BOX:
    solid->volume = edge[0] * edge[1] * edge[2];
    solid->extent = edge[2];
    solid->arm = 0.5 * sqrt(eli_dot(edge, edge));
    for (int a = 0; a < 3; a++) {
      const double b = edge[(a + 1) % 3], c = edge[(a + 2) % 3];
      moments[a] = (b * b + c * c) / 12.0;
    }
    return;
  case ELASTICA_SHAPE_PLANE:
  case ELASTICA_SHAPE_SURFACE:
  case ELASTICA_SHAPE_TUBE:
  case ELASTICA_SHAPE_MESH: assert(0); /* refused */
  }
}

/* Checks a computed quantity, because products of valid numbers can overflow or underflow. */
static elastica_status check_size(elastica_world *world, const char *what, double value) {
  if (value >= 1.0 / ELI_LARGEST && value <= ELI_LARGEST) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "body_def, worked out from its sizes and density or mass: %s is %s: %g",
                               what, value > 1.0 ? "too large" : "not positive or too small", value);
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

/* Reads the definition of a body, or refuses it. */
static elastica_status read_solid(elastica_world *world, const elastica_body_def *given, eli_solid *solid) {
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

/* ---- Adding ---- */

static void fill_body(elastica_rod *rod) {
  const eli_solid *solid = rod->body->solid;
  const elastica_body_def *def = &solid->def;
  double *const *lane = rod->world->bodies.slab.lane;
  const size_t at = rod->offset;
  double director[9], omega[3];
  eli_matrix_product(solid->axes, def->director, director);
  eli_turn(solid->axes, def->omega, omega);
  for (int a = 0; a < 3; a++) {
    lane[ELI_POSITION + a][at] = def->position[a];
    lane[ELI_VELOCITY + a][at] = def->velocity[a];
    lane[ELI_OMEGA + a][at] = omega[a];
    lane[ELI_INERTIA + a][at] = solid->moments[a];
  }
  for (int a = 0; a < 9; a++) lane[ELI_DIRECTOR + a][at] = director[a];
  lane[ELI_ELEMENT_MASS][at] = solid->mass;
  lane[ELI_VOLUME][at] = solid->volume;
  lane[ELI_REST_LENGTH][at] = lane[ELI_LENGTH][at] = solid->extent;
  lane[ELI_INVERSE_INERTIA][at] = 1.0 / solid->moments[0];
  lane[ELI_INVERSE_INERTIA + 1][at] = 1.0 / solid->moments[2];
}

elastica_status elastica_world_add_body(elastica_world *world, const elastica_body_def *def, elastica_rod **out) {
  eli_solid solid;
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(world, "add_body", 1);
  if (status == ELASTICA_OK) status = read_solid(world, def, &solid);
  if (status != ELASTICA_OK) return status;
  eli_solid *kept = eli_allocate(&world->allocator, 1, sizeof *kept);
  elastica_rod *rod = kept != NULL ? eli_rod_create(world, ELI_BODY_SLOTS, 1) : NULL;
  if (rod == NULL) {
    eli_release(&world->allocator, kept);
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "add_body: no memory for a body");
  }
  *kept = solid;
  rod->body->solid = kept;
  rod->element_count = 1;
  rod->body->rotary_inertia_scale = 1.0;
  rod->body->contact_group = solid.def.contact_group;
  rod->body->not_circular = solid.moments[0] != solid.moments[1];
  eli_rod_place(rod);
  fill_body(rod);
  eli_rod_join(rod);
  if (out != NULL) *out = rod;
  return ELASTICA_OK;
}

/* ---- State in the frame of the definition ---- */

static void get_state(const elastica_rod_view *view, const double axes[9], elastica_body_info *out) {
  double omega[3];
  for (int a = 0; a < 3; a++) {
    const double column[3] = {view->director[0][a][0], view->director[1][a][0], view->director[2][a][0]};
    double own[3];
    eli_turn_back(axes, column, own);
    for (int b = 0; b < 3; b++) out->director[3 * b + a] = own[b];
    out->position[a] = view->position[a][0];
    out->velocity[a] = view->velocity[a][0];
    omega[a] = view->omega[a][0];
  }
  eli_turn_back(axes, omega, out->omega);
}

static elastica_status check_body(const elastica_rod *rod, const char *function) {
  const elastica_status status = eli_rod_check(rod, function);
  if (status != ELASTICA_OK || eli_is_rigid(rod)) return status;
  return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT, "%s: rod %d is not a rigid body", function, rod->index);
}

elastica_status elastica_body_get(elastica_rod *rod, elastica_body_info *out) {
  const elastica_status status = check_body(rod, "body_get");
  if (status != ELASTICA_OK) return status;
  if (out == NULL) return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT, "body_get: out is NULL");
  const eli_solid *solid = rod->body->solid;
  out->shape = solid->def.shape;
  out->radius = solid->def.radius;
  out->length = solid->def.length;
  memcpy(out->edges, solid->def.edges, sizeof out->edges);
  out->mass = solid->mass;
  out->volume = solid->volume;
  memcpy(out->moments, solid->moments, sizeof out->moments);
  memcpy(out->axes, solid->axes, sizeof out->axes);
  get_state(&rod->body->view, solid->axes, out);
  return ELASTICA_OK;
}

elastica_status elastica_body_set_state(elastica_rod *rod, const double *position, const double *velocity, const double *director,
                                        const double *omega) {
  const elastica_status status = check_body(rod, "body_set_state");
  if (status != ELASTICA_OK) return status;
  const double *axes = rod->body->solid->axes;
  double frame[9], spin[3];
  if (director != NULL) eli_matrix_product(axes, director, frame);
  if (omega != NULL) eli_turn(axes, omega, spin);
  return elastica_rod_set_state(rod, position, velocity, director != NULL ? frame : NULL, omega != NULL ? spin : NULL);
}
