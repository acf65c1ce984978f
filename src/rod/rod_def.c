/* The definition of a rod: its fields are checked and converted to nodes, frames and rest strains, and to mass, inertia and stiffness.
 *
 * models     a shape that is straight or goes through given nodes, open or closed, with frames by parallel transport; circular sections, or
 *            given stiffnesses
 * equation   A = pi r^2, second moments of area I1 = I2 = A^2/(4 pi), I3 = 2 I1
 *            m_j = rho A lhat, half of it to each of its two nodes
 *            J = rho lhat (I1, I2, I3)      mass second moment of inertia of an element
 *            shear/stretch stiffness S = (alpha_c G A, alpha_c G A, E A), bend/twist stiffness B = (E I1, E I2, G I3)
 *            B_k = (B_{k-1} lhat_{k-1} + B_k lhat_k)/(2 Dhat_k)      joint k, between elements k-1 and k
 *            parallel transport: the smallest rotation that takes one tangent to the next, x' = c x + v x x + v (v . x)/(1 + c) with v = t
 *            x t' and c = t . t'
 *            initial shape free of stress: kappa0_k = LOG(Q_k Q_{k-1}^T)/Dhat_k, sigma0_j = Q_j edge_j/lhat_j - e3
 * source     Gazzola et al. 2018, table 1 for S and B, (3.5) for B_k, (3.3) and (3.5) for the strains; the papers do not print how mass is
 *            lumped. Bishop, Am. Math. Monthly 82 (1975) 246, for frames that do not twist
 * test       tests/test_rod.c, tests/test_rod_shape.c
 */
#include "base/target.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/rotation.h"
#include "base/vector.h"
#include "rod/rod_data.h"
#include "state/definition.h"
#include "state/module.h"

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

/* ---- Checks that setters use, too ---- */

/* Returns the end of a sentence about a bad value, or NULL for a good one. A subnormal number counts as zero: its inverse is not finite. */
static const char *trouble_with(double value, eli_range range) {
  if (!eli_is_finite(value)) return "is not finite";
  if (range == ELI_MODERATE && !eli_is_moderate(value)) return "is too large";
  if (range == ELI_POSITIVE && value < DBL_MIN) return "is not positive";
  if (range == ELI_NOT_NEGATIVE && value < 0.0) return "is negative";
  return NULL;
}

elastica_status eli_rod_check_array(elastica_world *world, const char *prefix, const char *field, const double *values, size_t count,
                                    eli_range range) {
  for (size_t i = 0; values != NULL && i < count; i++) {
    const char *trouble = trouble_with(values[i], range);
    if (trouble != NULL) {
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s%s[%zu] %s: %g", prefix, field, i, trouble, values[i]);
    }
  }
  return ELASTICA_OK;
}

elastica_status eli_rod_check_frames(elastica_world *world, const char *field, const double *director, size_t element_count) {
  for (size_t j = 0; director != NULL && j < element_count; j++) {
    if (!eli_is_frame(director + 9 * j)) {
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: frame %zu is not orthonormal to 1e-9 and right-handed", field, j);
    }
  }
  return ELASTICA_OK;
}

elastica_status eli_rod_check_turn(elastica_world *world, const char *field, int joint, double angle, int element_count) {
  if (angle <= ELI_JOINT_LIMIT) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: joint %d turns by %.4g rad, more than %.1f; it takes %.10g elements",
                               field, joint, angle, ELI_JOINT_LIMIT, floor(element_count * (angle / ELI_JOINT_LIMIT)) + 1.0);
}

/* ---- Checks of the fields ---- */

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
  const char *trouble = value < 0.0 && eli_is_finite(value) ? "is negative" : trouble_with(value, ELI_POSITIVE);
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
      {"rest_length", def->rest_length, n, ELI_POSITIVE},     {"rest_curvature", def->rest_curvature, 3 * joints, ELI_MODERATE},
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

#define ARRAY(name, lane, width, place, text, range, origin)                                                                               \
  {offsetof(eli_rod_data, name), ELI_##lane, width, ELI_AT_##place, text, ELI_##range, origin},
const eli_rod_array eli_rod_arrays[ELI_ROD_ARRAY_COUNT] = {ELI_ROD_ARRAYS(ARRAY)};
#undef ARRAY

static int allocate(const eli_allocator *allocator, eli_rod_data *data) {
  size_t doubles = 0;
  for (const eli_rod_array *of = eli_rod_arrays; of < eli_rod_arrays + ELI_ROD_ARRAY_COUNT; of++)
    doubles += eli_rod_array_count(data, of) * (size_t)of->width;
  double *memory = eli_allocate(allocator, doubles, sizeof(double));
  data->memory = memory;
  for (const eli_rod_array *of = eli_rod_arrays; of < eli_rod_arrays + ELI_ROD_ARRAY_COUNT && memory != NULL; of++) {
    *eli_rod_array_of(data, of) = memory;
    memory += eli_rod_array_count(data, of) * (size_t)of->width;
  }
  return data->memory != NULL;
}

/* ---- Edges ---- */

static void unit(const double a[3], double out[3]) {
  double scale = eli_largest(a);
  if (scale > 1e-100 && scale < 1e100) scale = 1.0; /* squares neither overflow nor underflow then, and scaling would round */
  const double scaled[3] = {a[0] / scale, a[1] / scale, a[2] / scale};
  const double norm = sqrt(eli_dot(scaled, scaled));
  for (int k = 0; k < 3; k++) out[k] = scaled[k] / norm;
}

/* Computes the edge from node j to node j + 1; node n of a ring repeats node 0. */
static void edge_of(const eli_rod_data *data, size_t j, double edge[3]) {
  for (size_t a = 0; a < 3; a++) edge[a] = data->position[3 * (j + 1) + a] - data->position[3 * j + a];
}

static double length_of(const eli_rod_data *data, size_t j) {
  double edge[3];
  edge_of(data, j, edge);
  return sqrt(eli_dot(edge, edge));
}

static void tangent_of(const eli_rod_data *data, size_t j, double tangent[3]) {
  double edge[3];
  edge_of(data, j, edge);
  unit(edge, tangent);
}

/* ---- Nodes ---- */

/* Copies three numbers per node; node n of a ring repeats node 0. */
static void copy_nodes(const double *from, const eli_rod_data *data, double *to) {
  const size_t n = (size_t)data->element_count;
  memcpy(to, from, 3 * (data->closed ? n : n + 1) * sizeof(double));
  if (data->closed) memcpy(to + 3 * n, from, 3 * sizeof(double));
}

static void place_nodes(const elastica_rod_def *def, eli_rod_data *data) {
  const size_t n = (size_t)data->element_count;
  double direction[3];
  if (def->velocity != NULL) copy_nodes(def->velocity, data, data->velocity);
  if (def->omega != NULL) memcpy(data->omega, def->omega, 3 * n * sizeof(double));
  if (def->position != NULL) {
    copy_nodes(def->position, data, data->position);
    return;
  }
  unit(def->direction, direction);
  for (size_t i = 0; i <= n; i++) {
    const double arc = def->length * (double)i / (double)n;
    for (size_t a = 0; a < 3; a++) data->position[3 * i + a] = def->start[a] + direction[a] * arc;
  }
}

static elastica_status set_rest_lengths(elastica_world *world, const elastica_rod_def *def, eli_rod_data *data) {
  const size_t n = (size_t)data->element_count;
  const char *field = def->position != NULL ? "rod_def.position" : "rod_def.length";
  for (size_t j = 0; j < n; j++) {
    const double length = length_of(data, j);
    const size_t next = data->closed && j + 1 == n ? 0 : j + 1;
    if (!(length >= DBL_MIN)) {
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: nodes %zu and %zu coincide", field, j, next);
    }
    if (!eli_is_finite(length)) {
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: nodes %zu and %zu are too far apart", field, j, next);
    }
    /* The distances between nodes of a straight rod differ by rounding; its rest lengths are all equal. */
    const double initial = def->position != NULL ? length : def->length / (double)n;
    data->rest_length[j] = def->rest_length != NULL ? def->rest_length[j] : initial;
    if (!eli_is_moderate(length / data->rest_length[j])) {
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: element %zu is %g times its rest length", field, j,
                                   length / data->rest_length[j]);
    }
    if (length < ELI_SHORTEST_ELEMENT * data->rest_length[j]) {
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: element %zu is shorter than %g of its rest length", field, j,
                                   ELI_SHORTEST_ELEMENT);
    }
  }
  return ELASTICA_OK;
}

/* ---- Frames ---- */

/* Computes the frame with d3 = tangent and d1 closest to `given`. Returns 0 if `given` is parallel to the tangent. */
static int frame_from(const double tangent[3], const double given[3], double frame[9]) {
  double normal[3];
  unit(given, normal);
  /* The projection is done twice: if `given` is nearly parallel to the tangent, rounding in the first pass leaves a component along the
   * tangent, and the second pass removes it. */
  for (int pass = 0; pass < 2; pass++) {
    const double along = eli_dot(normal, tangent);
    for (int a = 0; a < 3; a++) normal[a] -= along * tangent[a];
    if (!(eli_dot(normal, normal) > 1e-12)) return 0;
    unit(normal, normal);
  }
  eli_cross(tangent, normal, frame + 3);
  for (int a = 0; a < 3; a++) {
    frame[a] = normal[a];
    frame[6 + a] = tangent[a];
  }
  return 1;
}

static int first_frame(const elastica_rod_def *def, const double tangent[3], double frame[9]) {
  double axis[3] = {0.0, 0.0, 0.0};
  if (!eli_all_nan(def->normal, 3)) return frame_from(tangent, def->normal, frame);
  int least = fabs(tangent[1]) < fabs(tangent[0]) ? 1 : 0;
  if (fabs(tangent[2]) < fabs(tangent[least])) least = 2;
  axis[least] = 1.0;
  return frame_from(tangent, axis, frame);
}

/* Parallel transport of a frame to the next tangent. Near half a turn the axis of the rotation is not defined; the frame is then arbitrary,
 * about half a turn away, and the joint is refused because of its angle. */
static void transport(const double before[9], const double tangent[3], double after[9]) {
  const double *old = before + 6;
  double axis[3], turned[3], normal[3];
  const double cosine = eli_dot(old, tangent);
  eli_cross(old, tangent, axis);
  eli_cross(axis, before, turned);
  const double share = 1.0 + cosine > 1e-3 ? eli_dot(axis, before) / (1.0 + cosine) : 0.0;
  for (int a = 0; a < 3; a++) normal[a] = cosine * before[a] + turned[a] + axis[a] * share;
  frame_from(tangent, normal, after);
}

/* Rotates the frames of a ring about their tangents so that the closing joint has no excess twist. Parallel transport around a closed space
 * curve returns a frame rotated by an angle, the holonomy. Each frame is rotated back by a share of that angle, in proportion to the arc
 * length from the middle of the first element. So the twist is uniform instead of concentrated in joint 0. */
static void close_frames(eli_rod_data *data) {
  const size_t n = (size_t)data->element_count;
  double *first = data->director, returned[9], total = 0.0, arc = 0.0;
  transport(data->director + 9 * (n - 1), first + 6, returned);
  const double holonomy = eli_atan2(eli_dot(returned, first + 3), eli_dot(returned, first));
  for (size_t j = 0; j < n; j++) total += length_of(data, j);
  for (size_t j = 1; j < n; j++) {
    double *frame = data->director + 9 * j, normal[3], sine, cosine;
    arc += 0.5 * (length_of(data, j - 1) + length_of(data, j));
    eli_sincos(-holonomy * (arc / total), &sine, &cosine);
    for (size_t a = 0; a < 3; a++) normal[a] = cosine * frame[a] + sine * frame[3 + a];
    frame_from(frame + 6, normal, frame);
  }
}

static elastica_status place_frames(elastica_world *world, const elastica_rod_def *def, eli_rod_data *data) {
  const size_t n = (size_t)data->element_count;
  double tangent[3];
  if (def->director != NULL) {
    memcpy(data->director, def->director, 9 * n * sizeof(double));
    return ELASTICA_OK;
  }
  if (def->position != NULL) {
    tangent_of(data, 0, tangent);
  } else {
    unit(def->direction, tangent);
  }
  if (!first_frame(def, tangent, data->director)) {
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "rod_def.normal is zero or along the first tangent");
  }
  for (size_t j = 1; j < n; j++) {
    double *frame = data->director + 9 * j;
    if (def->position == NULL) {
      memcpy(frame, data->director, 9 * sizeof(double));
    } else {
      tangent_of(data, j, tangent);
      transport(frame - 9, tangent, frame);
    }
  }
  if (data->closed) close_frames(data);
  return ELASTICA_OK;
}

static elastica_status place_shape(elastica_world *world, const elastica_rod_def *def, eli_rod_data *data) {
  place_nodes(def, data);
  const elastica_status status = set_rest_lengths(world, def, data);
  return status == ELASTICA_OK ? place_frames(world, def, data) : status;
}

/* ---- Material ---- */

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
    data->element_bend_stiffness[3 * j + a] = def->bend_stiffness != NULL ? def->bend_stiffness[3 * j + a] : bends[a];
  }
}

static void fill_joints(eli_rod_data *data) {
  const size_t n = (size_t)data->element_count, first = data->closed ? 0 : 1, last = data->closed ? n : n - 1;
  const double *length = data->rest_length, *bend = data->element_bend_stiffness;
  for (size_t k = first; k <= last; k++) {
    const size_t before = k == 0 ? n - 1 : k - 1, after = k == n ? 0 : k;
    data->rest_joint_length[k] = 0.5 * (length[after] + length[before]);
    for (size_t a = 0; a < 3; a++) {
      const double sum = bend[3 * after + a] * length[after] + bend[3 * before + a] * length[before];
      data->bend_stiffness[3 * k + a] = sum / (2.0 * data->rest_joint_length[k]);
    }
  }
}

/* ---- Rest strains ---- */

double eli_rod_joint_turn(const double before[9], const double after[9], double turn[3]) {
  double rotation[9];
  eli_relative_rotation(after, before, rotation);
  eli_rotation_log(rotation, turn);
  return sqrt(eli_dot(turn, turn));
}

/* Sets the rest curvature of the joint in slot k, and checks its angle in the initial shape and at rest. `joint` is its public number. */
static elastica_status rest_curvature(elastica_world *world, const elastica_rod_def *def, eli_rod_data *data, size_t k, size_t joint) {
  const size_t n = (size_t)data->element_count;
  const double *before = data->director + 9 * (k == 0 ? n - 1 : k - 1), *after = data->director + 9 * k;
  double turn[3], *curvature = data->rest_curvature + 3 * k;
  const double angle = eli_rod_joint_turn(before, after, turn), length = data->rest_joint_length[k];
  const char *field = def->director != NULL ? "rod_def.director" : "rod_def.position";
  const elastica_status status = eli_rod_check_turn(world, field, (int)joint, angle, data->element_count);
  if (status != ELASTICA_OK) return status;
  if (def->rest_curvature != NULL) {
    memcpy(curvature, def->rest_curvature + 3 * joint, 3 * sizeof(double));
    const double rest_angle = sqrt(eli_dot(curvature, curvature)) * length;
    return eli_rod_check_turn(world, "rod_def.rest_curvature", (int)joint, rest_angle, data->element_count);
  }
  for (size_t a = 0; a < 3; a++) curvature[a] = def->rest == ELASTICA_REST_INITIAL ? turn[a] / length : 0.0;
  return ELASTICA_OK;
}

static void rest_strain(const elastica_rod_def *def, eli_rod_data *data, size_t j) {
  double edge[3], *strain = data->rest_strain + 3 * j;
  edge_of(data, j, edge);
  for (size_t a = 0; a < 3; a++) {
    const double initial = eli_dot(data->director + 9 * j + 3 * a, edge) / data->rest_length[j] - (a == 2 ? 1.0 : 0.0);
    strain[a] = def->rest_strain != NULL ? def->rest_strain[3 * j + a] : def->rest == ELASTICA_REST_INITIAL ? initial : 0.0;
  }
}

static elastica_status set_rest_strains(elastica_world *world, const elastica_rod_def *def, eli_rod_data *data) {
  const size_t n = (size_t)data->element_count, first = data->closed ? 0 : 1;
  for (size_t j = 0; j < n; j++) rest_strain(def, data, j);
  for (size_t k = first; k < n; k++) {
    const elastica_status status = rest_curvature(world, def, data, k, k - first);
    if (status != ELASTICA_OK) return status;
  }
  if (data->closed) memcpy(data->rest_curvature + 3 * n, data->rest_curvature, 3 * sizeof(double));
  return ELASTICA_OK;
}

/* ---- The data ---- */

static elastica_status check_products(elastica_world *world, eli_rod_data *data) {
  for (const eli_rod_array *of = eli_rod_arrays; of < eli_rod_arrays + ELI_ROD_ARRAY_COUNT; of++) {
    char prefix[80];
    if (of->range == ELI_ANY) continue;
    snprintf(prefix, sizeof prefix, "rod_def, worked out from %s: ", of->origin);
    const elastica_status status = eli_rod_check_array(world, prefix, of->name, *eli_rod_array_of(data, of),
                                                       eli_rod_array_count(data, of) * (size_t)of->width, of->range);
    if (status != ELASTICA_OK) return status;
  }
  return ELASTICA_OK;
}

static elastica_status fill_data(elastica_world *world, const elastica_rod_def *def, eli_rod_data *data) {
  elastica_status status = place_shape(world, def, data);
  if (status != ELASTICA_OK) return status;
  for (size_t j = 0; j < (size_t)data->element_count; j++) fill_element(def, j, data);
  fill_joints(data);
  status = set_rest_strains(world, def, data);
  return status == ELASTICA_OK ? check_products(world, data) : status;
}

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
