/* Obstacles: distance and normal, the obstacle of a definition, and the clearance of a rod among obstacles (see solid.h). */
#include "base/target.h"

#include "base/rotation.h"
#include "base/sentence.h"
#include "base/vector.h"
#include "effects/solid.h"
#include "state/definition.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Distance and normal ---- */

static inline double distance_to_sphere(const eli_obstacle *sphere, const double director[9], const double offset[3], double normal[3]) {
  const double size = sqrt(eli_dot(offset, offset));
  for (int a = 0; a < 3; a++) normal[a] = size > 0.0 ? offset[a] / size : director[6 + a]; /* the centre is equally near to all sides */
  return size - sphere->radius;
}

static inline double distance_to_capsule(const eli_obstacle *capsule, const double director[9], const double offset[3], double normal[3]) {
  const double *axis = director + 6, h = capsule->half_length;
  const double height = eli_dot(offset, axis), along = height < -h ? -h : height > h ? h : height;
  double outwards[3];
  for (int a = 0; a < 3; a++) outwards[a] = offset[a] - along * axis[a];
  const double size = sqrt(eli_dot(outwards, outwards));
  for (int a = 0; a < 3; a++) normal[a] = size > 0.0 ? outwards[a] / size : director[a];
  return size - capsule->radius;
}

/* In the half plane through axis and point the cylinder is a rectangle; `aside` and `above` are the distances beyond it. */
static inline double distance_to_cylinder(const eli_obstacle *cylinder, const double director[9], const double offset[3],
                                          double normal[3]) {
  const double *axis = director + 6;
  const double height = eli_dot(offset, axis);
  double outwards[3];
  for (int a = 0; a < 3; a++) outwards[a] = offset[a] - height * axis[a];
  const double size = sqrt(eli_dot(outwards, outwards));
  for (int a = 0; a < 3; a++) outwards[a] = size > 0.0 ? outwards[a] / size : director[a];
  const double aside = size - cylinder->radius, above = fabs(height) - cylinder->half_length, up = height < 0.0 ? -1.0 : 1.0;
  double share_aside = aside > above ? 1.0 : 0.0, share_above = aside > above ? 0.0 : 1.0, distance = aside > above ? aside : above;
  if (aside > 0.0 && above > 0.0) {
    distance = sqrt(aside * aside + above * above);
    share_aside = aside / distance;
    share_above = above / distance;
  }
  for (int a = 0; a < 3; a++) normal[a] = share_aside * outwards[a] + share_above * up * axis[a];
  return distance;
}

static inline double distance_to_box(const eli_obstacle *box, const double director[9], const double offset[3], double normal[3]) {
  double share[3] = {0.0, 0.0, 0.0}, outside2 = 0.0, largest = 0.0;
  int nearest = 0;
  for (int k = 0; k < 3; k++) {
    const double along = eli_dot(offset, director + 3 * k), beyond = fabs(along) - box->half_edge[k], sign = along < 0.0 ? -1.0 : 1.0;
    if (k == 0 || beyond > largest) {
      largest = beyond;
      nearest = k;
    }
    share[k] = sign * beyond;
    if (beyond > 0.0) outside2 += beyond * beyond;
  }
  const double distance = outside2 > 0.0 ? sqrt(outside2) : largest;
  for (int k = 0; k < 3; k++) {
    const double along = eli_dot(offset, director + 3 * k), sign = along < 0.0 ? -1.0 : 1.0;
    if (outside2 > 0.0)
      share[k] = sign * share[k] > 0.0 ? share[k] / distance : 0.0;
    else
      share[k] = k == nearest ? sign : 0.0;
  }
  for (int a = 0; a < 3; a++) normal[a] = share[0] * director[a] + share[1] * director[3 + a] + share[2] * director[6 + a];
  return distance;
}

static inline double distance_to_plane(const double director[9], const double offset[3], double normal[3]) {
  for (int a = 0; a < 3; a++) normal[a] = director[6 + a];
  return eli_dot(offset, normal);
}

/* A failing function of the user is far away, so that the calling hook goes on until it reports the error. */
static double distance_to_surface(const eli_obstacle *surface, const double point[3], double gradient[3]) {
  double distance = NAN;
  const elastica_status status = surface->surface(surface->surface_user, point, &distance, gradient);
  const double size2 = eli_dot(gradient, gradient), most = surface->slope * (1.0 + 1e-6);
  eli_surface_error error = ELI_SURFACE_FINE;
  if (status != ELASTICA_OK)
    error = ELI_SURFACE_FAILED;
  else if (!(eli_is_moderate(distance) && size2 - size2 == 0.0))
    error = ELI_SURFACE_NOT_FINITE;
  else if (size2 > most * most)
    error = ELI_SURFACE_TOO_STEEP;
  if (error == ELI_SURFACE_FINE) return distance;
  eli_obstacle_blame(surface, error, point,
                     error == ELI_SURFACE_FAILED      ? (double)status
                     : error == ELI_SURFACE_TOO_STEEP ? sqrt(size2)
                                                      : distance,
                     gradient);
  gradient[0] = gradient[1] = gradient[2] = 0.0;
  return ELI_LARGEST;
}

/* Obstacles of any shape compute in their own frame. */
static double distance_to_free(const eli_obstacle *obstacle, const double director[9], const double offset[3], double gradient[3]) {
  double point[3], own[3] = {0.0, 0.0, 0.0};
  eli_turn(director, offset, point);
  const double distance = obstacle->shape == ELASTICA_SHAPE_TUBE   ? eli_tube_distance(obstacle->tube, point, own)
                          : obstacle->shape == ELASTICA_SHAPE_MESH ? eli_mesh_distance(obstacle->mesh, point, own)
                                                                   : distance_to_surface(obstacle, point, own);
  eli_turn_back(director, own, gradient);
  return distance;
}

void eli_obstacle_blame(const eli_obstacle *obstacle, eli_surface_error error, const double point[3], double value,
                        const double vector[3]) {
  if (obstacle->fault == NULL || obstacle->fault->error != ELI_SURFACE_FINE) return;
  obstacle->fault->error = error;
  obstacle->fault->value = value;
  memcpy(obstacle->fault->point, point, sizeof obstacle->fault->point);
  if (vector != NULL) memcpy(obstacle->fault->vector, vector, sizeof obstacle->fault->vector);
}

/* Writes which number of the function cannot be used, and why. */
static void explain_number(const eli_surface_fault *fault, const char *place, char *text, size_t size) {
  const double *g = fault->vector;
  if (!eli_is_moderate(fault->value)) {
    snprintf(text, size, "%s wrote a distance of %g m, which is %s", place, fault->value,
             fault->value - fault->value == 0.0 ? "larger than 1e150 m" : "not finite");
    return;
  }
  const int is_finite = g[0] - g[0] == 0.0 && g[1] - g[1] == 0.0 && g[2] - g[2] == 0.0;
  snprintf(text, size, "%s wrote a gradient of (%g, %g, %g), which is %s", place, g[0], g[1], g[2],
           is_finite ? "larger than 1e150" : "not finite");
}

void eli_surface_explain(const eli_obstacle *obstacle, char *text, size_t size) {
  const eli_surface_fault *fault = obstacle->fault;
  char place[100], words[ELI_STATUS_WORDS_SIZE];
  snprintf(place, sizeof place, "at (%.6g, %.6g, %.6g) m its surface", fault->point[0], fault->point[1], fault->point[2]);
  switch (fault->error) {
  case ELI_SURFACE_FAILED: snprintf(text, size, "%s returned %s", place, eli_status_words((elastica_status)fault->value, words)); return;
  case ELI_SURFACE_NOT_FINITE: explain_number(fault, place, text, size); return;
  case ELI_SURFACE_TOO_STEEP:
    snprintf(text, size, "%s wrote a gradient of size %.6g, more than surface_slope = %.6g", place, fault->value, obstacle->slope);
    return;
  case ELI_SURFACE_TOO_CURVED:
    snprintf(text, size, "%s wrote gradients that change by %.6g 1/m, more than surface_curvature = %.6g 1/m", place, fault->value,
             obstacle->curvature);
    return;
  case ELI_SURFACE_CONTRADICTS:
    snprintf(text, size, "%s wrote distances that change by %.4g m in %.4g m; its gradients give %.4g m", place, fault->value,
             fault->vector[1], fault->vector[0]);
    return;
  case ELI_SURFACE_FINE:
  default: snprintf(text, size, "its surface is fine");
  }
}

/* `shape` is a constant in each inlined copy. A loop over points then has no call and no branch on the shape, and unused normals are not
 * computed. */
static inline double distance_to(elastica_shape shape, const eli_obstacle *obstacle, const double position[3], const double director[9],
                                 const double point[3], double normal[3]) {
  const double offset[3] = {point[0] - position[0], point[1] - position[1], point[2] - position[2]};
  switch (shape) {
  case ELASTICA_SHAPE_SPHERE: return distance_to_sphere(obstacle, director, offset, normal);
  case ELASTICA_SHAPE_CAPSULE: return distance_to_capsule(obstacle, director, offset, normal);
  case ELASTICA_SHAPE_CYLINDER: return distance_to_cylinder(obstacle, director, offset, normal);
  case ELASTICA_SHAPE_BOX: return distance_to_box(obstacle, director, offset, normal);
  case ELASTICA_SHAPE_SURFACE:
  case ELASTICA_SHAPE_TUBE:
  case ELASTICA_SHAPE_MESH: return distance_to_free(obstacle, director, offset, normal);
  case ELASTICA_SHAPE_PLANE:
  default: return distance_to_plane(director, offset, normal);
  }
}

double eli_obstacle_distance(const eli_obstacle *obstacle, const double position[3], const double director[9], const double point[3],
                             double normal[3]) {
  return distance_to(obstacle->shape, obstacle, position, director, point, normal);
}

/* Planes are the most common obstacles; this is vector code with the arithmetic of a single point. */
static void plane_distances(const double position[3], const double director[9], int count, const double *restrict x,
                            const double *restrict y, const double *restrict z, double *restrict distance, double *restrict nx,
                            double *restrict ny, double *restrict nz) {
  const double px = position[0], py = position[1], pz = position[2], ux = director[6], uy = director[7], uz = director[8];
  for (int j = 0; j < count; j++) {
    distance[j] = (0.5 * (x[j] + x[j + 1]) - px) * ux + (0.5 * (y[j] + y[j + 1]) - py) * uy + (0.5 * (z[j] + z[j + 1]) - pz) * uz;
    nx[j] = ux;
    ny[j] = uy;
    nz[j] = uz;
  }
}

typedef const double *restrict lane;

static inline void centre_distances(elastica_shape shape, const eli_obstacle *obstacle, const double position[3], const double director[9],
                                    int count, lane x, lane y, lane z, double *restrict distance, double *restrict nx, double *restrict ny,
                                    double *restrict nz) {
  const eli_obstacle body = *obstacle; /* a copy, which no store can change */
  for (int j = 0; j < count; j++) {
    const double centre[3] = {0.5 * (x[j] + x[j + 1]), 0.5 * (y[j] + y[j + 1]), 0.5 * (z[j] + z[j + 1])};
    double out[3];
    distance[j] = distance_to(shape, &body, position, director, centre, out);
    nx[j] = out[0];
    ny[j] = out[1];
    nz[j] = out[2];
  }
}

static inline void node_distances(elastica_shape shape, const eli_obstacle *obstacle, const double position[3], const double director[9],
                                  int count, lane x, lane y, lane z, double *restrict distance) {
  const eli_obstacle body = *obstacle;
  for (int i = 0; i < count; i++) {
    const double node[3] = {x[i], y[i], z[i]};
    double normal[3];
    distance[i] = distance_to(shape, &body, position, director, node, normal);
  }
}

void eli_obstacle_distances(const eli_obstacle *o, const double position[3], const double director[9], int count,
                            const double *const node[3], double *distance, double *const normal[3]) {
  lane x = node[0], y = node[1], z = node[2];
  double *nx = normal[0], *ny = normal[1], *nz = normal[2];
  switch (o->shape) {
  case ELASTICA_SHAPE_SPHERE: centre_distances(ELASTICA_SHAPE_SPHERE, o, position, director, count, x, y, z, distance, nx, ny, nz); return;
  case ELASTICA_SHAPE_CAPSULE:
    centre_distances(ELASTICA_SHAPE_CAPSULE, o, position, director, count, x, y, z, distance, nx, ny, nz);
    return;
  case ELASTICA_SHAPE_CYLINDER:
    centre_distances(ELASTICA_SHAPE_CYLINDER, o, position, director, count, x, y, z, distance, nx, ny, nz);
    return;
  case ELASTICA_SHAPE_BOX: centre_distances(ELASTICA_SHAPE_BOX, o, position, director, count, x, y, z, distance, nx, ny, nz); return;
  case ELASTICA_SHAPE_PLANE:
  default: plane_distances(position, director, count, x, y, z, distance, nx, ny, nz);
  }
}

void eli_obstacle_node_distances(const eli_obstacle *o, const double position[3], const double director[9], int count,
                                 const double *const node[3], double *distance) {
  lane x = node[0], y = node[1], z = node[2];
  switch (o->shape) {
  case ELASTICA_SHAPE_SPHERE: node_distances(ELASTICA_SHAPE_SPHERE, o, position, director, count, x, y, z, distance); return;
  case ELASTICA_SHAPE_CAPSULE: node_distances(ELASTICA_SHAPE_CAPSULE, o, position, director, count, x, y, z, distance); return;
  case ELASTICA_SHAPE_CYLINDER: node_distances(ELASTICA_SHAPE_CYLINDER, o, position, director, count, x, y, z, distance); return;
  case ELASTICA_SHAPE_BOX: node_distances(ELASTICA_SHAPE_BOX, o, position, director, count, x, y, z, distance); return;
  case ELASTICA_SHAPE_PLANE:
  default: node_distances(ELASTICA_SHAPE_PLANE, o, position, director, count, x, y, z, distance);
  }
}

/* ---- Definition ---- */

const char *eli_shape_name(elastica_shape shape) {
  static const char *const names[] = {"sphere", "capsule", "cylinder", "box", "plane", "surface", "tube", "mesh"};
  return names[shape];
}

/* Refuses a field of another shape, by name. */
static elastica_status refuse_unused(elastica_world *world, const elastica_obstacle_def *def) {
  const int is_surface = def->shape == ELASTICA_SHAPE_SURFACE, is_tube = def->shape == ELASTICA_SHAPE_TUBE;
  const int is_mesh = def->shape == ELASTICA_SHAPE_MESH, has_points = is_tube || is_mesh;
  const char *field = NULL;
  if (!is_surface && def->surface != NULL) field = "surface";
  if (!is_surface && def->surface_slope != 1.0) field = "surface_slope";
  if (!is_surface && !eli_is_nan(def->surface_curvature)) field = "surface_curvature";
  if (!has_points && def->points != NULL) field = "points";
  if (!is_tube && def->radii != NULL) field = "radii";
  if (!has_points && def->point_count != 0) field = "point_count";
  if (!has_points && def->side != ELASTICA_SIDE_OUTSIDE) field = "side";
  if (!is_mesh && def->triangles != NULL) field = "triangles";
  if (!is_mesh && def->triangle_count != 0) field = "triangle_count";
  if (!is_mesh && def->thickness != 0.0) field = "thickness";
  if (!is_mesh && !eli_is_nan(def->fillet)) field = "fillet";
  if (is_tube && def->side == ELASTICA_SIDE_BOTH)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "obstacle_def.side is BOTH: a tube has the sides OUTSIDE and INSIDE");
  if (is_mesh && def->side != ELASTICA_SIDE_BOTH && def->thickness != 0.0)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "obstacle_def.thickness is %g m: only a mesh of the side BOTH has a thickness", def->thickness);
  if (field == NULL) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "obstacle_def.%s is set, but a %s does not use it", field,
                               eli_shape_name(def->shape));
}

/* The largest surface_slope: no terrain is as steep. */
#define STEEPEST 100.0

/* Reads the sizes that this shape has. */
static elastica_status read_sizes(elastica_world *world, const elastica_obstacle_def *def, eli_obstacle *obstacle) {
  const unsigned size = ELI_RULE_POSITIVE | ELI_RULE_REQUIRED;
  elastica_status status = ELASTICA_OK;
  memset(obstacle, 0, sizeof *obstacle);
  obstacle->shape = def->shape;
  obstacle->slope = 1.0;
  if (def->shape == ELASTICA_SHAPE_SPHERE || def->shape == ELASTICA_SHAPE_CAPSULE || def->shape == ELASTICA_SHAPE_CYLINDER) {
    obstacle->radius = def->radius;
    status = eli_check_numbers(world, "obstacle_def.radius", size, &def->radius, 1);
  }
  if ((def->shape == ELASTICA_SHAPE_CAPSULE || def->shape == ELASTICA_SHAPE_CYLINDER) && status == ELASTICA_OK) {
    const unsigned endless = def->shape == ELASTICA_SHAPE_CYLINDER ? ELI_RULE_INFINITE : 0;
    obstacle->half_length = 0.5 * def->length;
    status = eli_check_numbers(world, "obstacle_def.length", size | endless, &def->length, 1);
  }
  if (def->shape == ELASTICA_SHAPE_BOX) {
    for (int a = 0; a < 3; a++) obstacle->half_edge[a] = 0.5 * def->edges[a];
    status = eli_check_numbers(world, "obstacle_def.edges", size, def->edges, 3);
  }
  if (def->shape == ELASTICA_SHAPE_MESH) status = eli_check_numbers(world, "obstacle_def.fillet", size, &def->fillet, 1);
  if (def->shape == ELASTICA_SHAPE_SURFACE) {
    obstacle->surface = def->surface;
    obstacle->surface_user = def->surface_user;
    obstacle->slope = def->surface_slope;
    obstacle->curvature = def->surface_curvature;
    if (def->surface_slope > STEEPEST)
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                   "obstacle_def.surface_slope is %g, more than %g: the layer stiffens with its square, and steps shorten "
                                   "with it. Is the distance in millimetres? Write distance and gradient in metres",
                                   def->surface_slope, STEEPEST);
    if (def->surface == NULL)
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "obstacle_def.surface is not set, and shape is SURFACE");
    status =
        eli_check_numbers(world, "obstacle_def.surface_curvature", ELI_RULE_NOT_NEGATIVE | ELI_RULE_REQUIRED, &def->surface_curvature, 1);
  }
  return status;
}

void eli_frame_from_normal(const double normal[3], double director[9]) {
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

/* Computes the frame of the definition unless it is given. */
static elastica_status read_frame(elastica_world *world, elastica_obstacle_def *def) {
  if (!eli_all_nan(def->director, 9)) return ELASTICA_OK;
  const elastica_status status = eli_check_numbers(world, "obstacle_def.normal", ELI_RULE_DIRECTION, def->normal, 3);
  if (status != ELASTICA_OK) return status;
  if (eli_largest(def->normal) == 0.0) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "obstacle_def.normal is zero");
  eli_frame_from_normal(def->normal, def->director);
  return ELASTICA_OK;
}

elastica_status eli_obstacle_read(elastica_world *world, elastica_obstacle_def *def, eli_obstacle *obstacle, eli_prescribed *place) {
  elastica_status status = refuse_unused(world, def);
  if (status == ELASTICA_OK) status = read_sizes(world, def, obstacle);
  if (status == ELASTICA_OK) status = read_frame(world, def);
  if (status != ELASTICA_OK) return status;
  memcpy(place->position, def->position, sizeof place->position);
  memcpy(place->director, def->director, sizeof place->director);
  place->world = world;
  place->motion = def->motion;
  place->user = def->user;
  return ELASTICA_OK;
}

/* ---- Clearance of a rod ---- */

/* Share of its width by which a rod that fits exactly may be wider than its gap. */
#define FIT_ERROR 1e-9

static double distance_of(const eli_body *body, const elastica_rod_view *rod, int j, double normal[3]) {
  double centre[3];
  const int next = rod->rigid ? j : j + 1; /* a rigid body has one node */
  for (int a = 0; a < 3; a++) centre[a] = 0.5 * (rod->position[a][j] + rod->position[a][next]);
  return eli_obstacle_distance(&body->obstacle, body->place.position, body->place.director, centre, normal);
}

int eli_clearance_inside(const eli_body *body, const elastica_rod_view *rod, double *depth) {
  double normal[3];
  for (int j = 0; j < rod->element_count; j++) {
    *depth = -distance_of(body, rod, j, normal);
    if (*depth > 0.0) return j;
  }
  return -1;
}

/* At an angle with the cosine -n1 . n2 between them the way out of a wedge gains 2 sqrt((1 + n1 . n2)/2) of its length. */
int eli_clearance_is_short(const double n1[3], const double n2[3], double distances, double size) {
  const double square = 0.5 * (1.0 + eli_dot(n1, n2)), gain = square > 0.0 ? 2.0 * sqrt(square) : 0.0;
  return distances + gain * size < 2.0 * size * (1.0 - FIT_ERROR);
}

int eli_clearance_between(const eli_body *one, const eli_body *other, const elastica_rod_view *rod, double *gap) {
  double n1[3], n2[3];
  for (int j = 0; j < rod->element_count; j++) {
    const double least = 2.0 * elastica_rod_radius(rod, j) * (1.0 - FIT_ERROR);
    *gap = distance_of(one, rod, j, n1);
    if (*gap >= least) continue; /* far away */
    *gap += distance_of(other, rod, j, n2);
    if (*gap < least && eli_dot(n1, n2) < -0.99) return j;
  }
  return -1;
}
