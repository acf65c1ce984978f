/* The shape of a rod: straight, through given nodes, open or closed; frames by parallel transport; rest curvature and rest strain.
 *
 * equation   parallel transport: the smallest rotation that takes one tangent to the next, x' = c x + v x x + v (v . x)/(1 + c) with v = t
 *            x t' and c = t . t'
 *            initial shape free of stress: kappa0_k = LOG(Q_k Q_{k-1}^T)/Dhat_k, sigma0_j = Q_j edge_j/lhat_j - e3
 * source     Bishop, Am. Math. Monthly 82 (1975) 246, for frames that do not twist; Gazzola et al. 2018, (3.3) and (3.5) for the strains
 * test       tests/test_rod_shape.c
 */
#include "base/target.h"

#include "rod/rod_data.h"

#include "base/checks.h"
#include "base/elementary.h"
#include "base/rotation.h"
#include "base/vector.h"

#include <float.h>
#include <string.h>

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

elastica_status eli_rod_shape_place(elastica_world *world, const elastica_rod_def *def, eli_rod_data *data) {
  place_nodes(def, data);
  const elastica_status status = set_rest_lengths(world, def, data);
  return status == ELASTICA_OK ? place_frames(world, def, data) : status;
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

elastica_status eli_rod_shape_rest(elastica_world *world, const elastica_rod_def *def, eli_rod_data *data) {
  const size_t n = (size_t)data->element_count, first = data->closed ? 0 : 1;
  for (size_t j = 0; j < n; j++) rest_strain(def, data, j);
  for (size_t k = first; k < n; k++) {
    const elastica_status status = rest_curvature(world, def, data, k, k - first);
    if (status != ELASTICA_OK) return status;
  }
  if (data->closed) memcpy(data->rest_curvature + 3 * n, data->rest_curvature, 3 * sizeof(double));
  return ELASTICA_OK;
}
