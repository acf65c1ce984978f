/* Convex obstacles: distance and normal (see obstacle.h). */
#include "base/target.h"

#include "contact/obstacle.h"

#include "base/vector.h"

#include <math.h>

static inline double distance_to_sphere(const eli_obstacle *sphere, const double director[9], const double offset[3], double normal[3]) {
  const double size = sqrt(eli_dot(offset, offset));
  for (int a = 0; a < 3; a++) normal[a] = size > 0.0 ? offset[a] / size : director[6 + a]; /* the centre is equally near to all sides */
  return size - sphere->radius;
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

/* `shape` is a constant in each inlined copy. A loop over points then has no call and no branch on the shape, and unused normals are not
 * computed. */
static inline double distance_to(elastica_obstacle shape, const eli_obstacle *obstacle, const double position[3], const double director[9],
                                 const double point[3], double normal[3]) {
  const double offset[3] = {point[0] - position[0], point[1] - position[1], point[2] - position[2]};
  switch (shape) {
  case ELASTICA_OBSTACLE_SPHERE: return distance_to_sphere(obstacle, director, offset, normal);
  case ELASTICA_OBSTACLE_CYLINDER: return distance_to_cylinder(obstacle, director, offset, normal);
  case ELASTICA_OBSTACLE_BOX: return distance_to_box(obstacle, director, offset, normal);
  case ELASTICA_OBSTACLE_PLANE:
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

static inline void centre_distances(elastica_obstacle shape, const eli_obstacle *obstacle, const double position[3],
                                    const double director[9], int count, lane x, lane y, lane z, double *restrict distance,
                                    double *restrict nx, double *restrict ny, double *restrict nz) {
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

static inline void node_distances(elastica_obstacle shape, const eli_obstacle *obstacle, const double position[3], const double director[9],
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
  case ELASTICA_OBSTACLE_SPHERE:
    centre_distances(ELASTICA_OBSTACLE_SPHERE, o, position, director, count, x, y, z, distance, nx, ny, nz);
    return;
  case ELASTICA_OBSTACLE_CYLINDER:
    centre_distances(ELASTICA_OBSTACLE_CYLINDER, o, position, director, count, x, y, z, distance, nx, ny, nz);
    return;
  case ELASTICA_OBSTACLE_BOX: centre_distances(ELASTICA_OBSTACLE_BOX, o, position, director, count, x, y, z, distance, nx, ny, nz); return;
  case ELASTICA_OBSTACLE_PLANE:
  default: plane_distances(position, director, count, x, y, z, distance, nx, ny, nz);
  }
}

void eli_obstacle_node_distances(const eli_obstacle *o, const double position[3], const double director[9], int count,
                                 const double *const node[3], double *distance) {
  lane x = node[0], y = node[1], z = node[2];
  switch (o->shape) {
  case ELASTICA_OBSTACLE_SPHERE: node_distances(ELASTICA_OBSTACLE_SPHERE, o, position, director, count, x, y, z, distance); return;
  case ELASTICA_OBSTACLE_CYLINDER: node_distances(ELASTICA_OBSTACLE_CYLINDER, o, position, director, count, x, y, z, distance); return;
  case ELASTICA_OBSTACLE_BOX: node_distances(ELASTICA_OBSTACLE_BOX, o, position, director, count, x, y, z, distance); return;
  case ELASTICA_OBSTACLE_PLANE:
  default: node_distances(ELASTICA_OBSTACLE_PLANE, o, position, director, count, x, y, z, distance);
  }
}
