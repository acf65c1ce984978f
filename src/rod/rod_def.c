/* The definition of a rod: its fields are checked and converted to mass, inertia and stiffness. rod_shape.c computes its nodes and frames.
 *
 * equation   A = pi r^2, I1 = I2 = A^2/(4 pi), I3 = 2 I1
 *            m_j = rho A lhat, half of it to each of its two nodes
 *            J = rho lhat (I1, I2, I3)
 *            S = (alpha_c G A, alpha_c G A, E A), B = (E I1, E I2, G I3)
 *            B_k = (B_{k-1} lhat_{k-1} + B_k lhat_k)/(2 Dhat_k)      joint k, between elements k-1 and k
 * source     Gazzola et al. 2018, table 1 for S and B, (3.5) for B_k; the papers do not print how mass is lumped
 * test       tests/test_rod.c
 */
#include "base/target.h"

#include "rod/rod_data.h"

#include "base/module.h"
#include "base/elementary.h"

#include <float.h>
#include <limits.h>
#include <string.h>

/* A definition of an older version may end before any of these fields. */
#define FIELD(field) ELI_FIELD(elastica_rod_def, field)
static const eli_field fields[] = {FIELD(struct_size),
                                   FIELD(element_count),
                                   ELI_FLAG(elastica_rod_def, closed),
                                   FIELD(start),
                                   FIELD(direction),
                                   FIELD(length),
                                   ELI_NUMBERS(elastica_rod_def, normal, ELI_RULE_DIRECTION | ELI_RULE_OPTIONAL),
                                   FIELD(position),
                                   FIELD(director),
                                   FIELD(velocity),
                                   FIELD(omega),
                                   FIELD(rest_length),
                                   FIELD(rest),
                                   FIELD(rest_curvature),
                                   FIELD(rest_strain),
                                   FIELD(radius),
                                   FIELD(element_radius),
                                   FIELD(density),
                                   FIELD(element_density),
                                   FIELD(youngs_modulus),
                                   FIELD(element_youngs_modulus),
                                   FIELD(shear_modulus),
                                   FIELD(element_shear_modulus),
                                   FIELD(shear_factor),
                                   FIELD(element_shear_factor),
                                   FIELD(shear_stiffness),
                                   FIELD(bend_stiffness),
                                   FIELD(inertia),
                                   FIELD(rotary_inertia_scale),
                                   FIELD(contact_group)};
#undef FIELD
static const elastica_rod_def defaults = {
    .direction = {0.0, 0.0, 1.0},
    .length = NAN,
    .normal = ELI_UNSET_VECTOR,
    .rest = ELASTICA_REST_STRAIGHT,
    .radius = NAN,
    .density = NAN,
    .youngs_modulus = NAN,
    .shear_modulus = NAN,
    .shear_factor = 4.0 / 3.0, /* 27/28 in some codes; the papers' circular section uses 4/3 */
    .rotary_inertia_scale = 1.0,
};
static const eli_layout layout = ELI_LAYOUT("rod_def", elastica_rod_def, fields, defaults);

/* The largest count for which every index into an array of 9 numbers per node is an int. */
enum { LARGEST_ELEMENT_COUNT = INT_MAX / 9 - 1 };

void elastica_rod_def_init(elastica_rod_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

/* ---- Checks ---- */

typedef struct named_array {
  const char *field;
  const double *values;
  size_t count;
  eli_range range;
} named_array;

static elastica_status check_arrays(elastica_world *world, const char *prefix, const named_array *arrays, size_t count) {
  elastica_status status = ELASTICA_OK;
  for (size_t k = 0; k < count && status == ELASTICA_OK; k++) {
    status = eli_rod_check_array(world, prefix, arrays[k].field, arrays[k].values, arrays[k].count, arrays[k].range);
  }
  return status;
}

/* Checks a material quantity: one number, or an array with a number for each element. */
static elastica_status check_quantity(elastica_world *world, const char *field, double value, const char *array_field, const double *array,
                                      size_t count) {
  if (array != NULL) return eli_rod_check_array(world, "rod_def.", array_field, array, count, ELI_POSITIVE);
  if (eli_is_nan(value)) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "rod_def.%s is not set", field);
  const char *trouble = value < 0.0 && eli_is_finite(value) ? "is negative" : eli_trouble_with(value, ELI_POSITIVE);
  if (trouble == NULL) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "rod_def.%s %s: %g", field, trouble, value);
}

static elastica_status check_counts(elastica_world *world, const elastica_rod_def *def) {
  const int least = def->closed ? 3 : 1;
  if (def->element_count < least || def->element_count > LARGEST_ELEMENT_COUNT) {
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "rod_def.element_count is %d, outside %d..%d for %s", def->element_count,
                                 least, LARGEST_ELEMENT_COUNT, def->closed ? "a ring" : "a rod");
  }
  if (def->rest != ELASTICA_REST_STRAIGHT && def->rest != ELASTICA_REST_INITIAL) {
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "rod_def.rest is %d, not one of elastica_rest", (int)def->rest);
  }
  if (def->contact_group < 0) {
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "rod_def.contact_group is negative: %d", def->contact_group);
  }
  if (def->closed && def->position == NULL) {
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "rod_def.position is not set: a ring needs its nodes");
  }
  return ELASTICA_OK;
}

static elastica_status check_straight(elastica_world *world, const elastica_rod_def *def) {
  elastica_status status = eli_check_numbers(world, "rod_def.start", ELI_RULE_NUMBER, def->start, 3);
  if (status == ELASTICA_OK) status = eli_check_numbers(world, "rod_def.direction", ELI_RULE_DIRECTION, def->direction, 3);
  if (status != ELASTICA_OK) return status;
  if (def->direction[0] == 0.0 && def->direction[1] == 0.0 && def->direction[2] == 0.0) {
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "rod_def.direction is zero");
  }
  return check_quantity(world, "length", def->length, "", NULL, 0);
}

static elastica_status check_shape(elastica_world *world, const elastica_rod_def *def) {
  const size_t n = (size_t)def->element_count, nodes = def->closed ? n : n + 1, joints = def->closed ? n : n - 1;
  const named_array arrays[] = {
      {"position", def->position, 3 * nodes, ELI_FINITE},     {"director", def->director, 9 * n, ELI_FINITE},
      {"velocity", def->velocity, 3 * nodes, ELI_MODERATE},   {"omega", def->omega, 3 * n, ELI_MODERATE},
      {"rest_length", def->rest_length, n, ELI_POSITIVE},     {"rest_curvature", def->rest_curvature, 3 * joints, ELI_FINITE},
      {"rest_strain", def->rest_strain, 3 * n, ELI_MODERATE},
  };
  elastica_status status = def->position == NULL ? check_straight(world, def) : ELASTICA_OK;
  if (status == ELASTICA_OK) status = check_arrays(world, "rod_def.", arrays, sizeof arrays / sizeof arrays[0]);
  return status == ELASTICA_OK ? eli_rod_check_frames(world, "rod_def.director", def->director, n) : status;
}

static elastica_status check_material(elastica_world *world, const elastica_rod_def *def) {
  const size_t n = (size_t)def->element_count;
  const int shear_is_given = def->shear_stiffness != NULL, all_given = shear_is_given && def->bend_stiffness != NULL;
  const struct {
    const char *field, *array_field;
    double value;
    const double *array;
    int needed;
  } quantities[] = {
      {"radius", "element_radius", def->radius, def->element_radius, 1},
      {"density", "element_density", def->density, def->element_density, 1},
      {"youngs_modulus", "element_youngs_modulus", def->youngs_modulus, def->element_youngs_modulus, !all_given},
      {"shear_modulus", "element_shear_modulus", def->shear_modulus, def->element_shear_modulus,
       !all_given && (def->element_shear_modulus != NULL || !eli_is_nan(def->shear_modulus))},
      {"shear_factor", "element_shear_factor", def->shear_factor, def->element_shear_factor, !shear_is_given},
      {"rotary_inertia_scale", "", def->rotary_inertia_scale, NULL, 1},
  };
  elastica_status status = ELASTICA_OK;
  for (size_t k = 0; k < sizeof quantities / sizeof quantities[0] && status == ELASTICA_OK; k++) {
    if (!quantities[k].needed) continue;
    status = check_quantity(world, quantities[k].field, quantities[k].value, quantities[k].array_field, quantities[k].array, n);
  }
  const char *prefix = "rod_def.";
  if (status == ELASTICA_OK) {
    status = eli_rod_check_array(world, prefix, "shear_stiffness", def->shear_stiffness, 3 * n, ELI_NOT_NEGATIVE);
  }
  if (status == ELASTICA_OK) {
    status = eli_rod_check_array(world, prefix, "bend_stiffness", def->bend_stiffness, 3 * n, ELI_NOT_NEGATIVE);
  }
  return status == ELASTICA_OK ? eli_rod_check_array(world, prefix, "inertia", def->inertia, 3 * n, ELI_POSITIVE) : status;
}

/* ---- Arrays ---- */

static int allocate(const eli_allocator *allocator, eli_rod_data *data) {
  const size_t n = (size_t)data->element_count, nodes = n + 1;
  const struct {
    double **array;
    size_t count;
  } arrays[] = {
      {&data->position, 3 * nodes},
      {&data->velocity, 3 * nodes},
      {&data->director, 9 * n},
      {&data->omega, 3 * n},
      {&data->rest_length, n},
      {&data->volume, n},
      {&data->element_mass, n},
      {&data->shear_stiffness, 3 * n},
      {&data->bend_stiffness, 3 * n},
      {&data->inertia, 3 * n},
      {&data->joint_bend_stiffness, 3 * nodes},
      {&data->rest_joint_length, nodes},
      {&data->rest_curvature, 3 * nodes},
      {&data->rest_strain, 3 * n},
  };
  const size_t array_count = sizeof arrays / sizeof arrays[0];
  size_t doubles = 0;
  for (size_t k = 0; k < array_count; k++) doubles += arrays[k].count;
  double *memory = eli_allocate(allocator, doubles, sizeof(double));
  data->memory = memory;
  for (size_t k = 0; k < array_count && memory != NULL; k++) {
    *arrays[k].array = memory;
    memory += arrays[k].count;
  }
  return data->memory != NULL;
}

/* Returns the value of element j: the entry of the array if it is given, otherwise the number. */
static double pick(const double *array, double value, size_t j) {
  return array != NULL ? array[j] : value;
}

static void fill_element(const elastica_rod_def *def, size_t j, eli_rod_data *data) {
  const double radius = pick(def->element_radius, def->radius, j), density = pick(def->element_density, def->density, j);
  const double youngs = pick(def->element_youngs_modulus, def->youngs_modulus, j);
  const double given_shear = pick(def->element_shear_modulus, def->shear_modulus, j);
  const double shear = eli_is_nan(given_shear) ? youngs / 3.0 : given_shear;
  const double factor = pick(def->element_shear_factor, def->shear_factor, j);
  const double length = data->rest_length[j];
  const double area = ELI_PI * (radius * radius), second_moment = area * area / (4.0 * ELI_PI);
  const double inertia = density * second_moment * length;
  const double inertias[3] = {inertia, inertia, 2.0 * inertia};
  const double shears[3] = {factor * shear * area, factor * shear * area, youngs * area};
  const double bends[3] = {youngs * second_moment, youngs * second_moment, 2.0 * shear * second_moment};
  data->volume[j] = area * length;
  data->element_mass[j] = density * area * length;
  for (size_t a = 0; a < 3; a++) {
    data->inertia[3 * j + a] = (def->inertia != NULL ? def->inertia[3 * j + a] : inertias[a]) * def->rotary_inertia_scale;
    data->shear_stiffness[3 * j + a] = def->shear_stiffness != NULL ? def->shear_stiffness[3 * j + a] : shears[a];
    data->bend_stiffness[3 * j + a] = def->bend_stiffness != NULL ? def->bend_stiffness[3 * j + a] : bends[a];
  }
}

static void fill_joints(eli_rod_data *data) {
  const size_t n = (size_t)data->element_count, first = data->closed ? 0 : 1, last = data->closed ? n : n - 1;
  const double *length = data->rest_length, *bend = data->bend_stiffness;
  for (size_t k = first; k <= last; k++) {
    const size_t before = k == 0 ? n - 1 : k - 1, after = k == n ? 0 : k;
    data->rest_joint_length[k] = 0.5 * (length[after] + length[before]);
    for (size_t a = 0; a < 3; a++) {
      const double sum = bend[3 * after + a] * length[after] + bend[3 * before + a] * length[before];
      data->joint_bend_stiffness[3 * k + a] = sum / (2.0 * data->rest_joint_length[k]);
    }
  }
}

/* Checks the results, because products of valid numbers can overflow or underflow. */
static elastica_status check_products(elastica_world *world, const eli_rod_data *data) {
  const size_t n = (size_t)data->element_count;
  const named_array arrays[] = {
      {"rest length", data->rest_length, n, ELI_POSITIVE},
      {"volume", data->volume, n, ELI_POSITIVE},
      {"mass", data->element_mass, n, ELI_POSITIVE},
      {"inertia", data->inertia, 3 * n, ELI_POSITIVE},
      {"shear stiffness", data->shear_stiffness, 3 * n, ELI_FINITE},
      {"bend stiffness", data->bend_stiffness, 3 * n, ELI_FINITE},
      {"bend stiffness of joints", data->joint_bend_stiffness, 3 * (n + 1), ELI_FINITE},
      {"rest curvature", data->rest_curvature, 3 * (n + 1), ELI_FINITE},
      {"rest strain", data->rest_strain, 3 * n, ELI_FINITE},
  };
  return check_arrays(world, "rod_def, worked out: ", arrays, sizeof arrays / sizeof arrays[0]);
}

static elastica_status fill_data(elastica_world *world, const elastica_rod_def *def, eli_rod_data *data) {
  elastica_status status = eli_rod_shape_place(world, def, data);
  if (status != ELASTICA_OK) return status;
  for (size_t j = 0; j < (size_t)data->element_count; j++) fill_element(def, j, data);
  fill_joints(data);
  status = eli_rod_shape_rest(world, def, data);
  return status == ELASTICA_OK ? check_products(world, data) : status;
}

/* ---- The data ---- */

elastica_status eli_rod_data_create(elastica_world *world, const elastica_rod_def *given, eli_rod_data *data) {
  elastica_rod_def def;
  if (given == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "add_rod: def is NULL");
  elastica_status status = eli_def_read(world, &layout, &def, given);
  if (status == ELASTICA_OK) status = check_counts(world, &def);
  if (status == ELASTICA_OK) status = check_shape(world, &def);
  if (status == ELASTICA_OK) status = check_material(world, &def);
  if (status != ELASTICA_OK) return status;

  memset(data, 0, sizeof *data);
  data->element_count = def.element_count;
  data->closed = def.closed;
  data->rotary_inertia_scale = def.rotary_inertia_scale;
  data->contact_group = def.contact_group;
  if (!allocate(&world->allocator, data)) {
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "add_rod: no memory for %d elements", def.element_count);
  }
  status = fill_data(world, &def, data);
  if (status != ELASTICA_OK) {
    eli_release(&world->allocator, data->memory);
    memset(data, 0, sizeof *data);
  }
  return status;
}
