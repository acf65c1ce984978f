/* An element in contact with a convex solid: the layer, friction on it, and bounds for the step limit (see layer.h).
 *
 * test       tests/test_obstacle_contact.c, tests/test_obstacle_core.c
 */
#include "base/target.h"

#include "base/elementary.h"
#include "base/rotation.h"
#include "base/vector.h"
#include "contact/capsule.h"
#include "contact/line.h"
#include "effects/layer.h"
#include "effects/resolve.h"

#include <math.h>
#include <string.h>

/* Newton's method doubles the number of digits in each step, but next to a point at which a line grazes the solid each step adds only one
 * binary digit. */
enum { MOST_CUTS = 11, MOST_STEPS = 64, CORE_PARTS = 4 };

/* A distance function is treated as linear if its slopes over an element differ by less than this, in radii. */
#define STRAIGHT 1e-6

/* Gauss-Legendre points and weights on 0..1. */
typedef struct rule {
  int count;
  double place[8], weight[8];
} rule;

/* four: for a plane, with linear eps; eight: for curved distances. */
static const rule four = {4, ELI_FOUR_PLACES, ELI_FOUR_WEIGHTS};
static const rule eight = {8,
                           {0.019855071751231885, 0.10166676129318664, 0.23723379504183550, 0.40828267875217510, 0.59171732124782490,
                            0.76276620495816450, 0.89833323870681336, 0.98014492824876812},
                           {0.050614268145188130, 0.11119051722668724, 0.15685332293894364, 0.18134189168918099, 0.18134189168918099,
                            0.15685332293894364, 0.11119051722668724, 0.050614268145188130}};

eli_placed_solid eli_solid_at(const eli_obstacle *obstacle, const eli_placement *place) {
  eli_placed_solid solid = {*obstacle, *place, {0.0, 0.0, 0.0}};
  eli_turn_back(place->director, place->omega, solid.spin);
  return solid;
}

/* Returns the distance [m] of a point from the solid, and the outward normal. */
static double distance_of(const eli_placed_solid *solid, const double point[3], double normal[3]) {
  return eli_obstacle_distance(&solid->obstacle, solid->place.position, solid->place.director, point, normal);
}

/* An obstacle of any shape. */
static int is_free(const eli_placed_solid *solid) {
  return eli_obstacle_is_free(&solid->obstacle);
}

static double length_of(const eli_capsule *capsule) {
  double square = 0.0;
  for (int a = 0; a < 3; a++) square += (capsule->end[1][a] - capsule->end[0][a]) * (capsule->end[1][a] - capsule->end[0][a]);
  return sqrt(square);
}

/* ---- The interval in contact ---- */

/* Returns the distance at a position on the centre line, and its slope. */
static double distance_at(const eli_capsule *capsule, const eli_placed_solid *solid, double s, double *slope) {
  double point[3], normal[3];
  *slope = 0.0;
  for (int a = 0; a < 3; a++) point[a] = capsule->end[0][a] + s * (capsule->end[1][a] - capsule->end[0][a]);
  const double distance = distance_of(solid, point, normal);
  for (int a = 0; a < 3; a++) *slope += normal[a] * (capsule->end[1][a] - capsule->end[0][a]);
  return distance;
}

/* Finds the first position, from one end inwards, with the distance `reach`, by Newton's method. Returns 0 if there is none. The distance
 * is a convex function of the position: it lies above its tangents, so no step passes the first such position. */
static int approach(const eli_capsule *capsule, const eli_placed_solid *solid, double reach, int end, double from, double *place) {
  double s = from, slope;
  const double inwards = end ? -1.0 : 1.0;
  for (int k = 0; k < MOST_STEPS; k++) {
    const double gap = distance_at(capsule, solid, s, &slope) - reach;
    *place = s;
    if (gap < 0.0 || (k > 0 && gap == 0.0)) return 1;
    if (!(inwards * slope < 0.0)) return 0;
    const double next = s - gap / slope;
    if (!(next >= 0.0 && next <= 1.0)) return 0;
    if (!(inwards * (next - s) > 1e-16)) return 1;
    s = next;
  }
  return 1; /* far from the origin the rounding of the distance can be larger than the remaining gap: the position is good enough */
}

/* Lower bounds of the distance from a shape that is not convex, along a part of the centre line that is divided into pieces of the length
 * `way`. In a piece with the distances a and b at its ends, the distance is at least (a + b - slope way)/2, and at least min(a, b) -
 * curvature way^2/8. The last term is at most `tolerance` [m], unless this needs more than MOST_PIECES. The curvature of the distance d
 * from a mesh is at most 1/d: at half a radius at most 2/radius. */
typedef struct profile {
  double low, width, way, slope, curvature;
  int pieces, is_mesh;
} profile;

enum { MOST_PIECES = 256 };

static profile profile_of(const eli_capsule *capsule, const eli_placed_solid *solid, double low, double high, double tolerance) {
  const eli_obstacle *shape = &solid->obstacle;
  const double way = (high - low) * length_of(capsule);
  profile of = {
      .low = low, .slope = shape->slope, .curvature = shape->tube != NULL ? shape->tube->curvature : shape->curvature, .pieces = 1};
  of.is_mesh = shape->mesh != NULL;
  if (of.is_mesh) of.curvature = 2.0 / capsule->radius;
  while (of.pieces < MOST_PIECES && 0.125 * of.curvature * way * way > tolerance * of.pieces * of.pieces) of.pieces *= 2;
  of.width = (high - low) / of.pieces;
  of.way = way / of.pieces;
  return of;
}

/* Returns a value not above the distance between two ends of a piece. */
static double bound_between(const profile *of, double way, double first, double last) {
  const double smaller = first < last ? first : last, by_slope = 0.5 * (first + last - of->slope * way);
  if (of->is_mesh && !(by_slope > 0.0)) return by_slope;
  const double by_curvature = smaller - 0.125 * (of->is_mesh ? 1.0 / by_slope : of->curvature) * way * way;
  return by_slope > by_curvature ? by_slope : by_curvature;
}

/* Finds a part that contains all points closer than reach to a shape that is not convex. */
static int find_free_interval(const eli_capsule *capsule, const eli_placed_solid *solid, double reach, double *low, double *high) {
  const profile of = profile_of(capsule, solid, 0.0, 1.0, 0.05 * capsule->radius);
  double slope;
  int found = 0;
  if (distance_at(capsule, solid, 0.5, &slope) - 0.5 * of.slope * of.way * of.pieces >= reach) return 0;
  double first = distance_at(capsule, solid, 0.0, &slope);
  for (int k = 0; k < of.pieces; k++) {
    const double from = k * of.width, to = k + 1 < of.pieces ? from + of.width : 1.0, last = distance_at(capsule, solid, to, &slope);
    if (bound_between(&of, of.way, first, last) < reach) {
      if (!found) *low = from;
      *high = to;
      found = 1;
    }
    first = last;
  }
  return found;
}

/* Finds the part of a capsule's centre line, 0..1, that is closer to the solid than reach [m]. Returns 0 if there is none. */
static int find_interval(const eli_capsule *capsule, const eli_placed_solid *solid, double reach, double *low, double *high) {
  if (is_free(solid)) return find_free_interval(capsule, solid, reach, low, high);
  return approach(capsule, solid, reach, 0, 0.0, low) && approach(capsule, solid, reach, 1, 1.0, high) && *low <= *high;
}

/* ---- Cuts ---- */

/* Positions between low and high, in ascending order. */
typedef struct cuts {
  double place[MOST_CUTS];
  int count;
  double low, high;
} cuts;

static void add_cut(cuts *of, double place) {
  if (!(place > of->low && place < of->high)) return;
  int k = of->count++;
  for (; k > 0 && of->place[k - 1] > place; k--) of->place[k] = of->place[k - 1];
  of->place[k] = place;
}

/* Cuts at the positions with first + s slope equal to limit or -limit. */
static void cut_at(cuts *of, double first, double slope, double limit) {
  add_cut(of, (limit - first) / slope);
  add_cut(of, (-limit - first) / slope);
}

/* Cuts at the positions with the foot moving from the cap of a cylinder to its rim. */
static void cut_at_mantle(cuts *of, const double first[3], const double slope[3], double radius) {
  const double A = slope[0] * slope[0] + slope[1] * slope[1], B = first[0] * slope[0] + first[1] * slope[1];
  const double C = first[0] * first[0] + first[1] * first[1] - radius * radius, square = B * B - A * C;
  if (!(A > 0.0) || !(square > 0.0)) return;
  const double q = B > 0.0 ? -(B + sqrt(square)) : sqrt(square) - B;
  add_cut(of, q / A);
  if (q != 0.0) add_cut(of, C / q);
}

static void find_cuts(const eli_capsule *capsule, const eli_placed_solid *solid, cuts *of) {
  const eli_obstacle *shape = &solid->obstacle;
  double first[3], slope[3];
  if (shape->shape != ELASTICA_SHAPE_BOX && shape->shape != ELASTICA_SHAPE_CAPSULE && shape->shape != ELASTICA_SHAPE_CYLINDER) return;
  for (int k = 0; k < 3; k++) {
    first[k] = slope[k] = 0.0;
    for (int a = 0; a < 3; a++) {
      first[k] += solid->place.director[3 * k + a] * (capsule->end[0][a] - solid->place.position[a]);
      slope[k] += solid->place.director[3 * k + a] * (capsule->end[1][a] - capsule->end[0][a]);
    }
  }
  for (int k = 0; k < 3 && shape->shape == ELASTICA_SHAPE_BOX; k++) cut_at(of, first[k], slope[k], shape->half_edge[k]);
  if (shape->shape == ELASTICA_SHAPE_BOX || !(shape->half_length - shape->half_length == 0.0)) return;
  cut_at(of, first[2], slope[2], shape->half_length);
  if (shape->shape == ELASTICA_SHAPE_CAPSULE) return;
  cut_at_mantle(of, first, slope, shape->radius);
}

/* Cuts at the onset of the core within the part in contact. If the distance is curved, the core is divided into parts, since forces grow
 * fast there. A convex function with equal slopes at two points is linear between them. */
static void cut_at_core(const eli_capsule *capsule, const eli_placed_solid *solid, cuts *of) {
  const double reach = capsule->radius - ELI_LAYER_ONSET * capsule->rest_radius;
  double low, high, slope[2];
  if (!approach(capsule, solid, reach, 0, of->low, &low) || !approach(capsule, solid, reach, 1, of->high, &high)) return;
  add_cut(of, low);
  add_cut(of, high);
  (void)distance_at(capsule, solid, low, &slope[0]);
  (void)distance_at(capsule, solid, high, &slope[1]);
  if (slope[1] - slope[0] <= STRAIGHT * capsule->radius) return;
  for (int part = 1; part < CORE_PARTS; part++) add_cut(of, low + (high - low) * part / CORE_PARTS);
}

/* ---- The layer ---- */

/* Returns the force per length of the core at an overlap, and its energy. */
static double core_of(double modulus, double rest_radius, double eps, double *energy) {
  const double per_depth = 1.0 / ((1.0 - ELI_LAYER_ONSET) * rest_radius), x = (eps - ELI_LAYER_ONSET * rest_radius) * per_depth;
  *energy = 0.0;
  if (!(x > 0.0)) return 0.0;
  const double x2 = x * x, x6 = x2 * x2 * x2, size = ELI_LAYER_STRENGTH * modulus * rest_radius * rest_radius;
  *energy = size * x6 * x;
  return 7.0 * size * per_depth * x6;
}

/* Returns U per length [J/m] of a layer at an overlap. */
static double energy_of(double modulus, double rest_radius, double eps) {
  double core;
  (void)core_of(modulus, rest_radius, eps, &core);
  return 0.5 * modulus * eps * eps + core;
}

/* Returns the overlap [m] with this energy per length, at most the radius. Newton's method starts above the solution, and the energy is
 * convex. */
static double turning_depth(double modulus, double rest_radius, double energy) {
  const double alone = sqrt(2.0 * energy / modulus);
  double eps = alone < rest_radius ? alone : rest_radius;
  for (int k = 0; k < MOST_STEPS; k++) {
    double core;
    const double force = modulus * eps + core_of(modulus, rest_radius, eps, &core);
    const double excess = 0.5 * modulus * eps * eps + core - energy;
    if (!(excess > 1e-3 * energy)) break;
    eps -= excess / force;
  }
  return eps;
}

/* Returns upper bounds for all overlaps up to eps and this radius at rest [m]: the slope of the force per length in units of k, and the
 * force in units of k eps. */
static eli_stiffening stiffening_of(double rest_radius, double eps) {
  const double share = 1.0 - ELI_LAYER_ONSET, x = (eps / rest_radius - ELI_LAYER_ONSET) / share, x2 = x * x, x5 = x2 * x2 * x;
  eli_stiffening out = {1.0, 1.0};
  if (!(x > 0.0)) return out;
  out.stiffness += 42.0 * ELI_LAYER_STRENGTH * x5 / (share * share);
  out.pressure += 7.0 * ELI_LAYER_STRENGTH * x5 * x * rest_radius / (share * eps);
  return out;
}

/* A point of the centre line, its distance from the solid, and the gradient of the distance. */
typedef struct sample {
  double point[3], gradient[3], distance;
} sample;

static inline void sample_at(const eli_capsule *capsule, const eli_placed_solid *solid, double s, sample *out) {
  for (int a = 0; a < 3; a++) out->point[a] = capsule->end[0][a] + s * (capsule->end[1][a] - capsule->end[0][a]);
  out->distance = distance_of(solid, out->point, out->gradient);
}

/* Adds the loads at a sample, which represents the length mu. */
static inline void add_sample(const eli_capsule *capsule, const eli_placed_solid *solid, const eli_line_law *law, double s, double mu,
                              const sample *at, eli_layer *out) {
  const double *n = at->gradient, eps = capsule->radius - at->distance;
  double arm[3], turning[3], turned[3], f[3], nearing = 0.0;
  if (!(eps > 0.0)) return;
  for (int a = 0; a < 3; a++) arm[a] = at->point[a] - solid->place.position[a];
  eli_cross(solid->spin, arm, turning);
  for (int a = 0; a < 3; a++) {
    const double v = capsule->velocity[0][a] + s * (capsule->velocity[1][a] - capsule->velocity[0][a]);
    nearing -= (v - (solid->place.velocity[a] + turning[a])) * n[a];
  }
  double core;
  const double spring = law->modulus * eps + core_of(law->modulus, capsule->rest_radius, eps, &core);
  const double damped = spring + law->damping * nearing, force = (damped > 0.0 ? damped : 0.0) * mu;
  for (int a = 0; a < 3; a++) {
    f[a] = force * n[a];
    out->force[0][a] += f[a] - s * f[a];
    out->force[1][a] += s * f[a];
    out->total[a] += f[a];
  }
  eli_cross(arm, f, turned);
  for (int a = 0; a < 3; a++) out->moment[a] += turned[a];
  const double normal = is_free(solid) ? force * sqrt(eli_dot(n, n)) : force;
  out->pressure += normal;
  out->elastic += spring * mu;
  out->along += s * normal;
  out->extent += mu;
  out->energy += (0.5 * law->modulus * eps * eps + core) * mu;
  if (eps > out->depth) out->depth = eps;
}

/* Adds the loads at the position s of the centre line. */
static void add_point(const eli_capsule *capsule, const eli_placed_solid *solid, const eli_line_law *law, double s, double mu,
                      eli_layer *out) {
  sample at;
  sample_at(capsule, solid, s, &at);
  add_sample(capsule, solid, law, s, mu, &at, out);
}

/* Holds a distance and its gradient to each other. Two distances differ by the mean slope times the way, with an error of at most a quarter
 * of the curvature times the square of the way (trapezoidal rule). */
static void check_distance(const eli_placed_solid *solid, const sample *first, const sample *second) {
  double way2 = 0.0, explained = 0.0, far = 0.0;
  for (int a = 0; a < 3; a++) {
    const double way = second->point[a] - first->point[a];
    way2 += way * way;
    explained += 0.5 * (first->gradient[a] + second->gradient[a]) * way;
    far += fabs(first->point[a]) + fabs(solid->place.position[a]);
  }
  const double way = sqrt(way2), change = second->distance - first->distance, slope = solid->obstacle.slope;
  const double rounding = 1e-9 * (fabs(first->distance) + way) + 1e-14 * slope * far;
  const double admitted = 0.25 * 1.001 * solid->obstacle.curvature * way2 + rounding;
  if (fabs(change - explained) > admitted)
    eli_obstacle_blame(&solid->obstacle, ELI_SURFACE_CONTRADICTS, first->point, change, (const double[3]){explained, way, 0.0});
}

/* Two gradients differ by at most the curvature times the way between their points. */
static void check_surface(const eli_placed_solid *solid, const sample *first, const sample *second) {
  double change2 = 0.0, way2 = 0.0;
  for (int a = 0; a < 3; a++) {
    const double way = second->point[a] - first->point[a], change = second->gradient[a] - first->gradient[a];
    change2 += change * change;
    way2 += way * way;
  }
  const double way = sqrt(way2), change = sqrt(change2), bound = solid->obstacle.curvature;
  if (change > 1.001 * bound * way + 1e-9) eli_obstacle_blame(&solid->obstacle, ELI_SURFACE_TOO_CURVED, first->point, change / way, NULL);
  check_distance(solid, first, second);
}

/* Compares a sample with a point beside it in each direction, on the side away from the surface. */
static void check_beside(const eli_placed_solid *solid, const sample *at, double way) {
  for (int a = 0; a < 3; a++) {
    sample beside = *at;
    beside.point[a] += at->gradient[a] < 0.0 ? -way : way;
    beside.distance = distance_of(solid, beside.point, beside.gradient);
    check_distance(solid, at, &beside);
  }
}

/* The largest number of parts of an element before a shape that is not convex. */
enum { MOST_PARTS = 64 };

/* Returns the number of parts of an element with this length, in units of the longest part, which may be exceeded by a thousandth. */
static int parts_of(double wanted) {
  return wanted > MOST_PARTS ? MOST_PARTS : wanted > 1.0 ? (int)(wanted + 0.999) : 1;
}

/* A shape that is not convex may touch an element anywhere. The energy of four Gauss points in each part of fixed length is a function of
 * the ends alone, and the forces are its exact gradient. */
static int find_free_layer(const eli_capsule *capsule, const eli_placed_solid *solid, const eli_line_law *law, eli_layer *out) {
  const double wanted = 0.5 * capsule->measure / capsule->rest_radius, length = length_of(capsule);
  const int parts = parts_of(wanted);
  const double width = 1.0 / parts, way = 0.5 * width * length * solid->obstacle.slope;
  eli_layer sum;
  memset(&sum, 0, sizeof sum);
  sum.low = 1.0;
  for (int end = 0; end < 2; end++)
    if (capsule->cap[end] > 0.0) add_point(capsule, solid, law, end, capsule->cap[end], &sum);
  for (int k = 0; k < parts && capsule->measure > 0.0; k++) {
    const double from = k * width;
    double slope;
    if (distance_at(capsule, solid, from + 0.5 * width, &slope) - way >= capsule->radius) continue;
    sample at[4];
    for (int p = 0; p < four.count; p++) {
      const double s = from + width * four.place[p];
      sample_at(capsule, solid, s, &at[p]);
      add_sample(capsule, solid, law, s, capsule->measure * width * four.weight[p], &at[p], &sum);
    }
    if (from < sum.low) sum.low = from;
    sum.high = from + width;
    for (int p = 1; p < four.count && solid->obstacle.shape == ELASTICA_SHAPE_SURFACE; p++) check_surface(solid, &at[p - 1], &at[p]);
  }
  if (!(sum.depth > 0.0)) return 0;
  if (sum.low > sum.high) sum.low = 0.0, sum.high = 1.0;
  *out = sum;
  return 1;
}

int eli_layer_find(const eli_capsule *capsule, const eli_placed_solid *solid, const eli_line_law *law, eli_layer *out) {
  if (is_free(solid)) return find_free_layer(capsule, solid, law, out);
  const rule *gauss = solid->obstacle.shape == ELASTICA_SHAPE_PLANE ? &four : &eight;
  cuts of = {.count = 0};
  eli_layer sum;
  if (!find_interval(capsule, solid, capsule->radius, &of.low, &of.high)) return 0;
  memset(&sum, 0, sizeof sum);
  sum.low = of.low, sum.high = of.high;
  for (int end = 0; end < 2; end++)
    if (capsule->cap[end] > 0.0 && (end ? of.high == 1.0 : of.low == 0.0)) add_point(capsule, solid, law, end, capsule->cap[end], &sum);
  find_cuts(capsule, solid, &of);
  cut_at_core(capsule, solid, &of);
  for (int k = 0; k <= of.count && capsule->measure > 0.0; k++) {
    const double from = k > 0 ? of.place[k - 1] : of.low, width = (k < of.count ? of.place[k] : of.high) - from;
    for (int p = 0; p < gauss->count && width > 0.0; p++)
      add_point(capsule, solid, law, from + width * gauss->place[p], capsule->measure * width * gauss->weight[p], &sum);
  }
  if (!(sum.depth > 0.0)) return 0;
  *out = sum;
  return 1;
}

/* ---- Crossings ---- */

enum { MOST_MOVES = 128 };

/* Computes the velocity [m/s] of an end of the centre line relative to the solid. */
static void velocity_of_end(const eli_capsule *capsule, const eli_placed_solid *solid, int end, double v[3]) {
  double arm[3], turning[3];
  for (int a = 0; a < 3; a++) arm[a] = capsule->end[end][a] - solid->place.position[a];
  eli_cross(solid->spin, arm, turning);
  for (int a = 0; a < 3; a++) v[a] = capsule->velocity[end][a] - (solid->place.velocity[a] + turning[a]);
}

/* The distance to a point beside the centre line, in radii. */
#define BESIDE 0.1

/* Compares a sample at s with the place where it was in the frame of the solid a time dt [s] ago. */
static void check_way(const eli_capsule *capsule, const eli_placed_solid *solid, double s, const sample *at, double dt) {
  double v[2][3];
  sample before;
  for (int end = 0; end < 2; end++) velocity_of_end(capsule, solid, end, v[end]);
  for (int a = 0; a < 3; a++) before.point[a] = at->point[a] - dt * (v[0][a] + s * (v[1][a] - v[0][a]));
  before.distance = distance_of(solid, before.point, before.gradient);
  check_distance(solid, &before, at);
}

void eli_layer_check_surface(const eli_capsule *capsule, const eli_placed_solid *solid, double dt) {
  if (solid->obstacle.shape != ELASTICA_SHAPE_SURFACE) return;
  const double wanted = length_of(capsule) / capsule->rest_radius;
  const int parts = parts_of(wanted);
  sample before, at;
  for (int k = 0; k <= parts; k++) {
    const double s = (double)k / parts;
    sample_at(capsule, solid, s, &at);
    if (k > 0 && wanted > 0.0) check_surface(solid, &before, &at);
    if (dt > 0.0) check_way(capsule, solid, s, &at, dt);
    before = at;
  }
  check_beside(solid, &at, BESIDE * capsule->rest_radius);
}

/* Returns the largest speed [m/s] of an end of the centre line relative to the solid. For a plane only the speed along its normal counts,
 * because no other motion changes a distance. */
static double speed_of(const eli_capsule *capsule, const eli_placed_solid *solid) {
  double largest = 0.0;
  for (int end = 0; end < 2; end++) {
    double v[3];
    velocity_of_end(capsule, solid, end, v);
    const double along = eli_dot(v, solid->place.director + 6);
    const double speed = solid->obstacle.shape == ELASTICA_SHAPE_PLANE ? fabs(along) : solid->obstacle.slope * sqrt(eli_dot(v, v));
    if (speed > largest) largest = speed;
  }
  return largest;
}

/* Returns the least distance from a shape that is not convex, or a value lower by at most tolerance, unless pieces become too short or too
 * many. Pieces that may contain a lower value are halved, the first one first. Beside an edge few pieces are halved, but often: the bound
 * of a piece is positive only where it is shorter than its distance from the mesh. */
static double least_free_distance(const eli_capsule *capsule, const eli_placed_solid *solid, double low, double high, double tolerance) {
  enum { MOST_HALVINGS = 14, MOST_LOOKS = 512 };
  const profile of = profile_of(capsule, solid, low, high, tolerance);
  struct {
    double low, high, first, last;
    int halvings;
  } piece[MOST_HALVINGS + 1];
  double slope, least, lowest;
  int count = 1, looks = 0;
  piece[0].low = low, piece[0].high = high, piece[0].halvings = 0;
  piece[0].first = distance_at(capsule, solid, low, &slope), piece[0].last = distance_at(capsule, solid, high, &slope);
  least = piece[0].first < piece[0].last ? piece[0].first : piece[0].last;
  lowest = least;
  while (count > 0 && high > low) {
    const int k = --count;
    const double way = (piece[k].high - piece[k].low) / (high - low) * of.way * of.pieces;
    const double bound = bound_between(&of, way, piece[k].first, piece[k].last);
    if (bound >= least - tolerance || piece[k].halvings == MOST_HALVINGS || looks == MOST_LOOKS) {
      if (bound < lowest) lowest = bound;
      continue;
    }
    const double middle = 0.5 * (piece[k].low + piece[k].high), own = distance_at(capsule, solid, middle, &slope), last = piece[k].last;
    looks++;
    if (own < least) least = own;
    piece[k + 1].low = piece[k].low, piece[k + 1].high = middle, piece[k + 1].first = piece[k].first, piece[k + 1].last = own;
    piece[k].low = middle, piece[k].first = own, piece[k].last = last;
    piece[k].halvings++, piece[k + 1].halvings = piece[k].halvings;
    count += 2;
  }
  return lowest < least ? lowest : least;
}

/* A convex function lies above its tangents. */
double eli_layer_least_distance(const eli_capsule *capsule, const eli_placed_solid *solid, double low, double high, double tolerance) {
  double place[2] = {low, high}, slope[2], distance[2], least;
  if (is_free(solid)) return least_free_distance(capsule, solid, low, high, tolerance);
  for (int end = 0; end < 2; end++) distance[end] = distance_at(capsule, solid, place[end], &slope[end]);
  least = distance[0] < distance[1] ? distance[0] : distance[1];
  for (int k = 0; k < MOST_STEPS && slope[0] < 0.0 && slope[1] > 0.0; k++) {
    const double s = (distance[1] - distance[0] + slope[0] * place[0] - slope[1] * place[1]) / (slope[0] - slope[1]);
    const double bound = distance[0] + slope[0] * (s - place[0]);
    double inclination;
    if (!(bound < least - tolerance) || !(s > place[0] && s < place[1])) return bound < least ? bound : least;
    const double own = distance_at(capsule, solid, s, &inclination);
    if (own < least) least = own;
    if (inclination == 0.0) return least;
    const int end = inclination > 0.0;
    place[end] = s, distance[end] = own, slope[end] = inclination;
  }
  return least;
}

/* Between Gauss points the overlap may be deeper by a third. */
int eli_layer_may_cross(const eli_capsule *capsule, double depth, const eli_placed_solid *solid, double dt) {
  const double gap = capsule->radius - 1.5 * depth;
  return dt * speed_of(capsule, solid) > gap - 2.0 * ELI_LAYER_NEAR * capsule->radius;
}

/* No point reaches the surface before it has moved by its distance. */
int eli_layer_crosses(const eli_capsule *capsule, const eli_placed_solid *solid, double dt) {
  const double speed = speed_of(capsule, solid), near = ELI_LAYER_NEAR * capsule->radius;
  eli_capsule at = *capsule;
  double v[2][3], time = -dt;
  for (int end = 0; end < 2; end++) velocity_of_end(capsule, solid, end, v[end]);
  for (int k = 0; k < MOST_MOVES; k++) {
    for (int end = 0; end < 2; end++)
      for (int a = 0; a < 3; a++) at.end[end][a] = capsule->end[end][a] + time * v[end][a];
    const double gap = eli_layer_least_distance(&at, solid, 0.0, 1.0, 0.5 * near);
    if (!(gap > near)) return 1;
    if (!(time + gap / speed < 0.5 * dt)) return 0;
    time += gap / speed;
  }
  return 1;
}

/* ---- The centre of pressure ---- */

void eli_layer_middle(const eli_capsule *capsule, const eli_placed_solid *solid, const eli_layer *layer, eli_middle *out) {
  const double size = sqrt(eli_dot(layer->total, layer->total));
  double centre[3], foot[3];
  out->share = layer->pressure > 0.0 ? layer->along / layer->pressure : 0.5 * (layer->low + layer->high);
  for (int a = 0; a < 3; a++) centre[a] = capsule->end[0][a] + out->share * (capsule->end[1][a] - capsule->end[0][a]);
  const double distance = distance_of(solid, centre, foot);
  if (is_free(solid)) {
    const double steepness = sqrt(eli_dot(foot, foot));
    for (int a = 0; a < 3; a++) foot[a] = steepness > 0.0 ? foot[a] / steepness : solid->place.director[6 + a];
  }
  for (int a = 0; a < 3; a++) {
    out->normal[a] = size > 0.0 ? layer->total[a] / size : foot[a];
    out->lever[a] = -distance * out->normal[a];
    out->point[a] = centre[a] + out->lever[a];
  }
}

/* ---- Elements of rods and round bodies as capsules ---- */

/* Makes a capsule of a round body. */
static void capsule_of_body(const eli_round *shape, const elastica_rod_view *body, eli_capsule *out) {
  double spin[3], arm[3], turning[3];
  memset(out, 0, sizeof *out);
  eli_round_arm(shape, body, arm);
  eli_spin_of(body, 0, spin);
  eli_cross(spin, arm, turning);
  for (int end = 0; end < 2; end++) {
    const double sign = end ? 1.0 : -1.0;
    for (int a = 0; a < 3; a++) {
      out->end[end][a] = body->position[a][0] + sign * arm[a];
      out->velocity[end][a] = body->velocity[a][0] + sign * turning[a];
    }
    out->cap[end] = ELI_CAP * shape->radius;
  }
  out->radius = shape->radius;
  out->measure = 2.0 * shape->half_length;
  out->rest_radius = shape->radius;
}

/* Makes a capsule of an element of a rod. The lengths of the view must belong to its positions. */
static void capsule_of_element(const elastica_rod_view *rod, int j, eli_capsule *out) {
  memset(out, 0, sizeof *out);
  out->rest_radius = eli_radius(rod->volume[j], rod->rest_length[j]);
  for (int end = 0; end < 2; end++) {
    const int free = !rod->closed && j == (end ? rod->element_count - 1 : 0);
    for (int a = 0; a < 3; a++) {
      out->end[end][a] = rod->position[a][j + end];
      out->velocity[end][a] = rod->velocity[a][j + end];
    }
    out->cap[end] = free ? ELI_CAP * out->rest_radius : 0.0;
  }
  out->radius = eli_radius(rod->volume[j], rod->length[j]);
  out->measure = rod->rest_length[j];
}

void eli_capsule_add_tension(const eli_capsule *capsule, double length, const double tangent[3], double elastic, double force[2][3]) {
  const double tension = -elastic * 0.5 * capsule->radius / length;
  for (int a = 0; a < 3; a++) {
    force[0][a] += tension * tangent[a];
    force[1][a] -= tension * tangent[a];
  }
}

/* ---- Displacements for finite differences ---- */

void eli_capsule_read_motion(const eli_round *shape, const elastica_rod_view *rod, const elastica_rod_view *moved, int j,
                             eli_capsule_motion *out) {
  const int next = rod->rigid ? j : eli_second_node(rod, j);
  eli_spin_of(moved, j, out->turned);
  eli_spin_of(rod, j, out->spin);
  for (int a = 0; a < 3; a++) {
    out->moved[0][a] = moved->velocity[a][j];
    out->moved[1][a] = moved->velocity[a][next];
  }
  if (!rod->rigid) return;
  double arm[3], swing[3];
  eli_round_arm(shape, rod, arm);
  eli_slip_of_arm(out->turned, arm, swing);
  for (int a = 0; a < 3; a++) {
    out->moved[0][a] -= swing[a];
    out->moved[1][a] += swing[a];
  }
}

/* ---- The stiffness of contacts by differences of their loads ---- */

eli_displaced eli_displaced_at(const elastica_rod_view *rod, int j) {
  eli_displaced at = {.rod = rod, .element = j};
  if (rod->rigid) eli_spin_of(rod, j, at.motion.spin);
  for (int a = 0; a < 3 && rod->rigid; a++) at.centre[a] = rod->position[a][0];
  return at;
}

int eli_displaced_has(const eli_displaced *at, int argument, int is_rough) {
  return at->rod->rigid ? argument < 3 || argument >= ELI_DISPLACED_ENDS : argument < ELI_DISPLACED_ENDS || is_rough;
}

/* Turns the frame by a small angle, laboratory: its spin and its turn since the start of a step change by it, and by half of its product
 * with them. */
static void turn_frame(eli_displaced *at, const double turn[3]) {
  double *spin = at->motion.spin, *turned = at->motion.turned, of_spin[3], of_turned[3];
  eli_cross(turn, spin, of_spin);
  eli_cross(turn, turned, of_turned);
  for (int a = 0; a < 3; a++) {
    spin[a] += at->rate * turn[a] + 0.5 * of_spin[a];
    turned[a] += turn[a] + 0.5 * of_turned[a];
  }
}

/* Shifts a round body and turns it. */
static void displace_body(eli_displaced *at, eli_capsule *capsule, const double shift[3], const double turn[3]) {
  for (int end = 0; end < 2; end++) {
    double arm[3], swing[3], turning[3];
    for (int a = 0; a < 3; a++) arm[a] = capsule->end[end][a] - at->centre[a];
    eli_cross(turn, arm, swing);
    for (int a = 0; a < 3; a++) {
      arm[a] += swing[a];
      capsule->end[end][a] += shift[a] + swing[a];
      at->motion.moved[end][a] += shift[a] + swing[a];
    }
    eli_cross(at->motion.spin, arm, turning);
    for (int a = 0; a < 3; a++) capsule->velocity[end][a] = at->rod->velocity[a][0] + at->rate * shift[a] + turning[a];
  }
  for (int a = 0; a < 3; a++) at->centre[a] += shift[a];
}

void eli_displace(eli_displaced *at, eli_capsule *capsule, int argument, double by, double shift[3], double turn[3]) {
  const int turns = argument >= ELI_DISPLACED_ENDS, end = argument / 3, axis = argument % 3;
  for (int a = 0; a < 3; a++) {
    shift[a] = !turns && a == axis ? by : 0.0;
    turn[a] = turns ? by * at->rod->director[axis][a][at->element] : 0.0;
  }
  if (turns || at->rod->rigid) turn_frame(at, turn);
  if (at->rod->rigid) {
    displace_body(at, capsule, shift, turn);
  } else if (!turns) {
    capsule->end[end][axis] += by;
    capsule->velocity[end][axis] += at->rate * by;
    at->motion.moved[end][axis] += by;
  }
}

void eli_displaced_add_tension(const eli_displaced *at, const eli_capsule *capsule, double elastic, double force[2][3]) {
  double tangent[3];
  if (at->rod->rigid || !at->rod->classical_law) return;
  for (int a = 0; a < 3; a++) tangent[a] = capsule->end[1][a] - capsule->end[0][a];
  const double length = sqrt(eli_dot(tangent, tangent));
  for (int a = 0; a < 3; a++) tangent[a] /= length;
  eli_capsule_add_tension(capsule, length, tangent, elastic, force);
}

void eli_displaced_add_force(double share, const double lever[3], const double own[3], double force[2][3], double couple[3]) {
  double turning[3];
  eli_cross(lever, own, turning);
  for (int a = 0; a < 3; a++) {
    force[0][a] += (1.0 - share) * own[a];
    force[1][a] += share * own[a];
    couple[a] += turning[a];
  }
}

void eli_displaced_centre(const eli_displaced *at, const eli_capsule *capsule, double force[2][3], double couple[3]) {
  if (!at->rod->rigid) return;
  for (int end = 0; end < 2; end++) {
    double arm[3], turning[3];
    for (int a = 0; a < 3; a++) arm[a] = capsule->end[end][a] - at->centre[a];
    eli_cross(arm, force[end], turning);
    for (int a = 0; a < 3; a++) couple[a] += turning[a];
  }
  for (int a = 0; a < 3; a++) {
    force[0][a] += force[1][a];
    force[1][a] = 0.0;
  }
}

void eli_add_turning_frame(const double m[3], int first, eli_contact_stiffness *out) {
  for (int k = 0; k < 3; k++) {
    out->stiffness[first + (k + 1) % 3][first + k] -= m[(k + 2) % 3];
    out->stiffness[first + (k + 2) % 3][first + k] += m[(k + 1) % 3];
  }
}

/* ---- Contact with friction ---- */

int eli_layer_is_near(const eli_placed_solid *solid, const elastica_rod_view *rod, int j) {
  double centre[3], normal[3], square = 0.0;
  for (int a = 0; a < 3; a++) {
    const double edge = rod->position[a][j + 1] - rod->position[a][j];
    centre[a] = rod->position[a][j] + 0.5 * edge;
    square += edge * edge;
  }
  const double length = sqrt(square), half = distance_of(solid, centre, normal);
  const double way = solid->obstacle.shape != ELASTICA_SHAPE_PLANE ? solid->obstacle.slope * length
                                                                   : fabs(normal[0] * (rod->position[0][j + 1] - rod->position[0][j]) +
                                                                          normal[1] * (rod->position[1][j + 1] - rod->position[1][j]) +
                                                                          normal[2] * (rod->position[2][j + 1] - rod->position[2][j]));
  const double gap = half - 0.5 * way; /* contact if this is below the radius: V > pi gap^2 l */
  return gap <= 0.0 || !(ELI_PI * gap * gap * length * (1.0 - 1e-12) >= rod->volume[j]);
}

/* V > pi gap^2 l in squares: this needs no root and no branch. */
static int any_near_plane(const eli_placed_solid *solid, const elastica_rod_view *rod) {
  const double *u = solid->place.director + 6, *p = solid->place.position;
  const double *x = rod->position[0], *y = rod->position[1], *z = rod->position[2], *volume = rod->volume;
  const double below = (1.0 - 1e-12) * ELI_PI * ELI_PI, level = eli_dot(u, p), ux = u[0], uy = u[1], uz = u[2];
  int near = 0;
  for (int j = 0; j < rod->element_count; j++) {
    const double dx = x[j + 1] - x[j], dy = y[j + 1] - y[j], dz = z[j + 1] - z[j];
    const double first = x[j] * ux + y[j] * uy + z[j] * uz - level, last = x[j + 1] * ux + y[j + 1] * uy + z[j + 1] * uz - level;
    const double gap = first < last ? first : last, square = gap * gap;
    const int away = (gap > 0.0) & (below * square * square * (dx * dx + dy * dy + dz * dz) >= volume[j] * volume[j]);
    near |= !away;
  }
  return near;
}

/* Returns the radius of a ball that contains the solid; infinite for a plane. */
static double outer_radius(const eli_obstacle *shape) {
  switch (shape->shape) {
  case ELASTICA_SHAPE_SPHERE: return shape->radius;
  case ELASTICA_SHAPE_CAPSULE: return shape->radius + shape->half_length;
  case ELASTICA_SHAPE_CYLINDER: return sqrt(shape->radius * shape->radius + shape->half_length * shape->half_length);
  case ELASTICA_SHAPE_BOX: return sqrt(eli_dot(shape->half_edge, shape->half_edge));
  case ELASTICA_SHAPE_TUBE: return shape->tube->inside ? INFINITY : shape->tube->extent;
  case ELASTICA_SHAPE_MESH: return shape->mesh->side == ELASTICA_SIDE_INSIDE ? INFINITY : shape->mesh->extent;
  case ELASTICA_SHAPE_PLANE:
  default: return INFINITY;
  }
}

/* Returns 1 if the element is farther from the middle of the solid than the sum of the ball's radius, half of its length and its own
 * radius. */
static int is_far(const double middle[3], double outer, const elastica_rod_view *rod, int j) {
  double square = 0.0, edge2 = 0.0;
  for (int a = 0; a < 3; a++) {
    const double edge = rod->position[a][j + 1] - rod->position[a][j], offset = rod->position[a][j] + 0.5 * edge - middle[a];
    square += offset * offset;
    edge2 += edge * edge;
  }
  const double length = sqrt(edge2), gap = sqrt(square) * (1.0 - 1e-12) - outer - 0.5 * length;
  return gap > 0.0 && ELI_PI * gap * gap * length * (1.0 - 1e-12) >= rod->volume[j];
}

int eli_layer_any_near(const eli_placed_solid *solid, const elastica_rod_view *rod) {
  const double outer = outer_radius(&solid->obstacle) * (1.0 + 1e-12);
  if (solid->obstacle.shape == ELASTICA_SHAPE_PLANE) return any_near_plane(solid, rod);
  for (int j = 0; j < rod->element_count; j++)
    if (!is_far(solid->place.position, outer, rod, j) && eli_layer_is_near(solid, rod, j)) return 1;
  return 0;
}

void eli_layer_place(const eli_round *shape, const elastica_rod_view *rod, int j, eli_capsule *capsule) {
  if (rod->rigid)
    capsule_of_body(shape, rod, capsule);
  else
    capsule_of_element(rod, j, capsule);
}

/* An inner node of a rod belongs half to each of its two elements. */
static double mass_of(const elastica_rod_view *rod, int j) {
  if (rod->rigid) return rod->mass[0];
  const double first = rod->mass[j], second = rod->mass[eli_second_node(rod, j)];
  return (!rod->closed && j == 0 ? first : 0.5 * first) + (!rod->closed && j + 1 == rod->element_count ? second : 0.5 * second);
}

/* Returns the law with both ratios converted to [Pa s]: c + 2 zeta sqrt(k m/M) for an element with mass m and measure M, including its
 * ends. */
static eli_layer_law law_for(const eli_layer_law *law, const elastica_rod_view *rod, int j, const eli_capsule *capsule) {
  eli_layer_law own = *law;
  if (!(law->damping_ratio > 0.0 || law->tangential_damping_ratio > 0.0)) return own;
  const double extent = capsule->measure + capsule->cap[0] + capsule->cap[1];
  const double critical = 2.0 * sqrt(law->line.modulus * (mass_of(rod, j) / extent));
  own.line.damping += law->damping_ratio * critical;
  own.tangential_damping += law->tangential_damping_ratio * sqrt(law->tangential_ratio) * critical;
  own.damping_ratio = own.tangential_damping_ratio = 0.0;
  return own;
}

int eli_layer_touch_find(const eli_layer_law *law, const eli_round *shape, const eli_placed_solid *solid, const elastica_rod_view *rod,
                         int j, eli_layer_touch *out) {
  if (!rod->rigid && !eli_layer_is_near(solid, rod, j)) return 0;
  eli_layer_place(shape, rod, j, &out->capsule);
  return eli_layer_touch_placed(law, solid, rod, j, out);
}

int eli_layer_touch_placed(const eli_layer_law *law, const eli_placed_solid *solid, const elastica_rod_view *rod, int j,
                           eli_layer_touch *out) {
  const eli_layer_law own = law_for(law, rod, j, &out->capsule);
  if (!eli_layer_find(&out->capsule, solid, &own.line, &out->layer)) return 0;
  eli_layer_middle(&out->capsule, solid, &out->layer, &out->middle);
  out->stiffness = law->tangential_ratio * law->line.modulus * out->layer.extent;
  out->damping = own.tangential_damping * out->layer.extent;
  return 1;
}

/* ---- Bounds for the step limit ---- */

/* Gap, in radii, below which an element is always included as a possible contact. */
#define MARGIN 0.02

/* Lower bound of the radius of curvature of the distance from an edge, in radii of the element. */
#define EDGE 0.1

/* The largest number of bisection steps. */
enum { MOST_TRIALS = 12 };

/* [1/s] Upper bound of a rate; it keeps the request of a rod that blows up finite. */
#define FASTEST 1e30

/* The part of a centre line that may come into contact, 0..1. */
typedef struct part {
  double low, high;
} part;

static inline double larger(double x, double y) {
  return x > y ? x : y;
}

/* Returns the least distance of the centre line of an element in contact from the axis of a duct. */
static double room_in(const eli_tube *duct, double radius) {
  return larger(duct->narrowest - radius, 0.05 * duct->narrowest);
}

/* Returns the least radius of curvature of the distance in a fillet, seen by the centre line of an element in contact. */
static double room_before(const eli_mesh *mesh, double radius) {
  return larger(mesh->fillet - radius, 0.05 * mesh->fillet);
}

/* Returns the largest second derivative of the distance in any direction [1/m], at distances not below this one. */
static double curvature_of(const eli_placed_solid *solid, double radius, double distance) {
  const double edge = 1.0 / (distance > EDGE * radius ? distance : EDGE * radius);
  double round = 0.0;
  switch (solid->obstacle.shape) {
  case ELASTICA_SHAPE_PLANE: return 0.0;
  case ELASTICA_SHAPE_SURFACE: return solid->obstacle.curvature;
  case ELASTICA_SHAPE_TUBE:
    return solid->obstacle.tube->curvature + (solid->obstacle.tube->inside ? 1.0 / room_in(solid->obstacle.tube, radius) : 0.0);
  case ELASTICA_SHAPE_MESH: /* a convex edge, or a fillet seen from inside */
    round = 1.0 / room_before(solid->obstacle.mesh, radius);
    return edge > round ? edge : round;
  case ELASTICA_SHAPE_BOX: return edge;
  case ELASTICA_SHAPE_SPHERE:
  case ELASTICA_SHAPE_CAPSULE:
  case ELASTICA_SHAPE_CYLINDER:
  default:
    round = solid->obstacle.radius + distance;
    if (solid->obstacle.shape == ELASTICA_SHAPE_CYLINDER && solid->obstacle.half_length - solid->obstacle.half_length == 0.0) return edge;
    return 1.0 / (round > EDGE * radius ? round : EDGE * radius);
  }
}

/* mu of the part that may come into contact: share[] is the share of each end; middle[] is the largest share of each end for a force at the
 * centre of pressure of any contact; extent is all of it. A force per length that is a concave function has its centre of pressure in the
 * middle third of its interval. */
typedef struct measures {
  double share[2], middle[2], extent;
} measures;

static measures measure(const eli_capsule *capsule, const part *near) {
  const double width = near->high - near->low, line = capsule->measure * width;
  measures of = {.extent = line};
  for (int end = 0; end < 2; end++) {
    const double low = end ? near->low : 1.0 - near->high, high = end ? near->high : 1.0 - near->low;
    const double cap = (end ? near->high == 1.0 : near->low == 0.0) ? capsule->cap[end] : 0.0;
    of.share[end] = 0.5 * line * (low + high) + cap;
    of.middle[end] = line * (low + 2.0 * high) / 3.0;
    of.extent += cap;
  }
  const double caps = of.extent - line;
  for (int end = 0; end < 2; end++) of.middle[end] += caps;
  return of;
}

/* k, c, k_t, c_t and curvature terms, for a length of 1. */
typedef struct stiffnesses {
  double normal, rate, across, rate_across;
  double curving;  /* [Pa] the force per length times the curvature of the distance */
  double swelling; /* [N] the whole force, for the curvature of the radius */
  double resolved; /* the k to be counted so that 0.8 of the step limit resolves the contact; 0 if no resolution is required */
} stiffnesses;

static void bound_body(const stiffnesses *s, const measures *of, double radius, double arm, const elastica_stiffness *to) {
  const double along = arm > 0.0 ? 2.0 : 1.0, across = 1.0 + along;
  const double spring = (larger(along * s->normal, across * s->across) + along * s->curving) * of->extent;
  const double rate = larger(along * s->rate, across * s->rate_across) * of->extent, counted = larger(spring, s->resolved * of->extent);
  to->node[0] += counted;
  to->node_rate[0] += rate;
  to->element[0] += counted * arm * arm + across * s->across * of->extent * radius * radius;
  to->element_rate[0] += rate * arm * arm + across * s->rate_across * of->extent * radius * radius;
}

static void bound_element(const stiffnesses *s, const measures *of, double radius, double length, int j, const elastica_stiffness *to) {
  const double q = 0.5 * radius / length; /* change of the radius per change of length */
  for (int end = 0; end < 2; end++) {
    const double spring = larger(s->normal * (1.0 + 2.0 * q) * (of->share[end] + q * of->extent), 2.0 * s->across * of->middle[end]) +
                          s->curving * of->share[end] + s->swelling * 4.0 * q / length;
    to->node[j + end] += larger(spring, s->resolved * of->share[end]);
    to->node_rate[j + end] += larger(s->rate * of->share[end], 2.0 * s->rate_across * of->middle[end]);
  }
  to->element[j] += 2.0 * s->across * of->extent * radius * radius;
  to->element_rate[j] += 2.0 * s->rate_across * of->extent * radius * radius;
}

/* No step may move an element by more than half of the layer. */
static void add_guard(const elastica_rod_view *rod, int j, double speed, double radius, const elastica_stiffness *to) {
  const double asked = 4.0 * speed / radius, rate = asked < FASTEST ? asked : FASTEST;
  for (int end = 0; end < (rod->rigid ? 1 : 2); end++) to->node[j + end] += rate * rate * rod->mass[j + end];
}

/* Returns the least mass that moves on the layer of an element, per length in contact [kg/m]. */
static double mass_per_extent(const elastica_rod_view *rod, int j, const eli_capsule *capsule) {
  const double extent = capsule->measure + capsule->cap[0] + capsule->cap[1];
  if (rod->rigid) return rod->mass[0] / extent;
  const double first = rod->mass[j], second = rod->mass[eli_second_node(rod, j)];
  return (first < second ? first : second) / extent;
}

/* Returns the possible depth, without an upper limit. */
static double depth_within(const eli_capsule *capsule, const eli_placed_solid *solid, double reach, const part *near) {
  return reach - eli_layer_least_distance(capsule, solid, near->low, near->high, 0.5 * MARGIN * capsule->radius);
}

static eli_stiffening stiffening_at(const eli_capsule *capsule, double depth) {
  return stiffening_of(capsule->rest_radius, depth < capsule->radius ? depth : capsule->radius);
}

/* Returns the largest speed [m/s] of an end along the normal at that end. */
static double speed_across(const eli_capsule *capsule, const eli_placed_solid *solid) {
  double largest = 0.0;
  for (int end = 0; end < 2; end++) {
    double v[3], normal[3];
    velocity_of_end(capsule, solid, end, v);
    (void)distance_of(solid, capsule->end[end], normal);
    const double across = fabs(eli_dot(v, normal));
    if (across > largest) largest = across;
  }
  return largest;
}

/* Returns k at the turning point of the element. Its energy is constant during contact, and is then all in the layer; so a bounce has one
 * step from before the contact on. eps [m] is the present depth, mass in [kg/m]. */
static double turning_stiffness(const eli_layer_law *law, const eli_capsule *capsule, const eli_placed_solid *solid, double eps,
                                double mass) {
  const double v = speed_across(capsule, solid), k = law->line.modulus, onset = ELI_LAYER_ONSET * capsule->rest_radius;
  const double own = energy_of(k, capsule->rest_radius, larger(eps, 0.0)), energy = 0.5 * mass * v * v + own;
  if (!(energy > 0.5 * k * onset * onset)) return k;
  return k * stiffening_of(capsule->rest_radius, turning_depth(k, capsule->rest_radius, energy)).stiffness;
}

/* Finds the bounds of the layer alone, and the possible depth. Returns 0 if no contact is possible until then. A rigid body is included at
 * any distance. */
static int find_bounds(const eli_layer_law *law, const elastica_rod_view *rod, int j, const eli_capsule *capsule,
                       const eli_placed_solid *solid, double moved, int resolves, stiffnesses *s, measures *of, double *depth) {
  const double radius = capsule->radius, k = law->line.modulus, reach = radius + moved + MARGIN * radius;
  const int has_friction = law->friction > 0.0, rigid = rod->rigid;
  const part all = {0.0, 1.0};
  part near = all;
  const int touches = find_interval(capsule, solid, reach, &near.low, &near.high);
  if (!touches && !rigid) return 0;
  *depth = touches ? depth_within(capsule, solid, reach, &near) : 0.0;
  const double eps = rigid || *depth > radius ? radius : larger(*depth, 0.0);
  *of = measure(capsule, rigid ? &all : &near);
  const double slope2 = solid->obstacle.slope * solid->obstacle.slope;
  *s = (stiffnesses){.normal = k * slope2,
                     .rate = law->line.damping * slope2,
                     .across = has_friction ? law->tangential_ratio * k : 0.0,
                     .rate_across = has_friction ? law->tangential_damping : 0.0,
                     .curving = k * eps * curvature_of(solid, radius, radius - eps),
                     .swelling = k * eps * of->extent};
  if (!(resolves && touches)) return 1;
  const double mass = mass_per_extent(rod, j, capsule);
  s->resolved = eli_resolved_stiffness(turning_stiffness(law, capsule, solid, *depth - (reach - radius), mass), law->line.damping, mass);
  return 1;
}

/* Adds the bounds of the core for this depth. */
static void add_core(const eli_layer_law *law, const eli_capsule *capsule, const eli_placed_solid *solid, const measures *of, double depth,
                     stiffnesses *s) {
  if (!(depth > ELI_LAYER_ONSET * capsule->rest_radius)) return;
  const eli_stiffening core = stiffening_at(capsule, depth);
  const double eps = depth < capsule->radius ? depth : capsule->radius, pressure = law->line.modulus * core.pressure * eps;
  s->normal = law->line.modulus * core.stiffness * (solid->obstacle.slope * solid->obstacle.slope);
  s->curving = larger(s->curving, pressure * curvature_of(solid, capsule->radius, capsule->radius - eps));
  s->swelling = larger(s->swelling, pressure * of->extent);
}

static void bound_side(const stiffnesses *s, const measures *of, const eli_round *shape, const elastica_rod_view *rod, int j, double radius,
                       const elastica_stiffness *to) {
  if (rod->rigid)
    bound_body(s, of, radius, shape->half_length, to);
  else
    bound_element(s, of, radius, rod->length[j], j, to);
}

/* Returns the step [s] that a layer of this stiffness alone allows, not shorter than the step from its bounds. */
static double step_of(double stiffness, const measures *of, const elastica_rod_view *rod, int j) {
  const double first = rod->mass[j] / (stiffness * (rod->rigid ? of->extent : of->share[0]));
  if (rod->rigid) return 2.0 * sqrt(first);
  const double second = rod->mass[j + 1] / (stiffness * of->share[1]);
  return 2.0 * sqrt(second < first ? second : first);
}

/* The core is counted at the depth that the next steps may reach; it requests a limit check by itself if they go deeper. It stiffens within
 * a small part of the way. Therefore the function seeks the least time that contains at least ELI_STEPS_COUNTED of the steps allowed at its
 * end, by bisection in its logarithm. depth is the depth after longest [s]. Returns the depth after the time found. */
static double depth_of_core(const eli_layer_law *law, const elastica_rod_view *rod, int j, const eli_capsule *capsule, const measures *of,
                            double speed, double depth, double longest) {
  const double steps = ELI_STEPS_COUNTED, k = law->line.modulus;
  const double alone = steps * step_of(k, of, rod, j);
  double safe = alone < longest ? alone : longest;
  double least = steps * step_of(k * stiffening_at(capsule, depth - (longest - safe) * speed).stiffness, of, rod, j);
  for (int trial = 0; trial < MOST_TRIALS && least < 0.8 * safe; trial++) {
    const double middle = sqrt(least * safe), there = depth - (longest - middle) * speed;
    if (steps * step_of(k * stiffening_at(capsule, there).stiffness, of, rod, j) <= middle)
      safe = middle;
    else
      least = middle;
  }
  return depth - (longest - safe) * speed;
}

void eli_layer_bound(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_capsule *capsule,
                     const eli_placed_solid *solid, double horizon, int resolves, const elastica_stiffness *to) {
  const double speed = speed_of(capsule, solid);
  const eli_layer_law own = law_for(law, rod, j, capsule);
  stiffnesses s;
  measures of;
  double depth;
  if (rod->rigid && horizon == 0.0) {
    const double extent = capsule->measure + capsule->cap[0] + capsule->cap[1];
    horizon = ELI_STEPS_COUNTED * 2.0 * sqrt(rod->mass[0] / (own.line.modulus * extent));
  }
  if (!find_bounds(&own, rod, j, capsule, solid, horizon * speed, resolves, &s, &of, &depth)) return;
  if (depth > ELI_LAYER_ONSET * capsule->rest_radius)
    add_core(&own, capsule, solid, &of, depth_of_core(&own, rod, j, capsule, &of, speed, depth, horizon), &s);
  bound_side(&s, &of, shape, rod, j, capsule->radius, to);
  add_guard(rod, j, speed, capsule->radius, to);
}

/* The body adds two degrees of freedom to each form: its displacement, and its rotation times reach. So the weights of the others, at least
 * 1 across the surface and 2 along it, grow to three times and twice their values. The lever of the force turns with the body. */
void eli_layer_bound_both(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_capsule *capsule,
                          const eli_placed_solid *solid, double horizon, int resolves, const elastica_stiffness *to,
                          const elastica_rod_view *body, double reach, const elastica_stiffness *to_body) {
  const double speed = speed_of(capsule, solid), radius = capsule->radius;
  const eli_layer_law own = law_for(law, rod, j, capsule);
  stiffnesses s;
  measures of;
  double depth;
  if (!find_bounds(&own, rod, j, capsule, solid, horizon * speed, resolves, &s, &of, &depth)) return;
  add_core(&own, capsule, solid, &of, depth, &s);
  const double q = rod->rigid ? 0.5 : 0.5 * radius / rod->length[j], pressure = s.swelling;
  s.resolved *= 2.0;
  const double spring = (larger((3.0 + 2.0 * q) * s.normal, 5.0 * s.across) + 3.0 * s.curving) * of.extent + pressure / reach;
  const double rate = larger(4.0 * s.rate, 5.0 * s.rate_across) * of.extent;
  s.normal *= 3.0, s.rate *= 3.0, s.curving *= 3.0;
  s.across *= 2.0, s.rate_across *= 2.0;
  bound_side(&s, &of, shape, rod, j, radius, to);
  for (int end = 0; end < (rod->rigid ? 1 : 2); end++) to->node[j + end] += pressure / reach;
  add_guard(rod, j, speed, radius, to);
  to_body->node[0] += larger(spring, s.resolved * of.extent);
  to_body->node_rate[0] += rate;
  to_body->element[0] += spring * reach * reach + 3.0 * pressure * reach;
  to_body->element_rate[0] += rate * reach * reach;
  add_guard(body, 0, speed, radius, to_body);
}

/* Returns 1 if the element comes into contact within ELI_STEPS_AWAITED steps, or is not deeper in the layer than its way in one step. */
static int begins(const eli_capsule *at, const eli_placed_solid *solid, double dt) {
  const double across = dt * speed_across(at, solid), moved = dt * speed_of(at, solid), steps = ELI_STEPS_AWAITED;
  const double soon = steps * across + 0.5 * steps * steps * moved * moved / at->radius, deepest = at->radius - across;
  part near;
  if (!find_interval(at, solid, at->radius + (soon < steps * moved ? soon : steps * moved), &near.low, &near.high)) return 0;
  return !(deepest > 0.0) || !find_interval(at, solid, deepest, &near.low, &near.high);
}

int eli_layer_begins(const eli_round *shape, const elastica_rod_view *rod, int j, const eli_placed_solid *solid, double dt) {
  eli_capsule at;
  eli_layer_place(shape, rod, j, &at);
  return begins(&at, solid, dt);
}

/* Returns 0 if no contact of an element without core begins unstably. mass in [kg/m]. */
static int may_begin_unstably(const eli_layer_law *law, const eli_capsule *at, double mass, double dt) {
  const double q = 0.5 * at->radius / length_of(at), k = law->line.modulus, rough = law->friction > 0.0 ? 2.0 : 0.0;
  const double normal = k * (1.0 + 2.0 * q) * (1.0 + q), across = rough * law->tangential_ratio * k;
  const double rate = larger(law->line.damping, rough * law->tangential_damping);
  return eli_begins_unstably(dt, 1.0, larger(normal, across), rate, mass);
}

/* Returns 1 if a contact of a rod with dampers that begins now requires a limit check. The next elements may touch as well. */
static int begins_unstably(const eli_layer_law *law, const elastica_rod_view *rod, int j, const eli_capsule *at,
                           const eli_placed_solid *solid, double dt) {
  double node[2] = {0.0, 0.0}, node_rate[2] = {0.0, 0.0}, element = 0.0, element_rate = 0.0;
  const elastica_stiffness to = {
      .struct_size = sizeof to, .node = node, .element = &element, .node_rate = node_rate, .element_rate = &element_rate};
  stiffnesses s;
  measures of;
  double depth;
  if (!begins(at, solid, dt)) return 0;
  if (!find_bounds(law, rod, j, at, solid, ELI_STEPS_AWAITED * dt * speed_of(at, solid), 0, &s, &of, &depth)) return 0;
  add_core(law, at, solid, &of, depth, &s);
  bound_element(&s, &of, at->radius, length_of(at), 0, &to);
  for (int end = 0; end < 2; end++)
    if (eli_begins_unstably(dt, 1.0, node[end], node_rate[end], rod->mass[end ? eli_second_node(rod, j) : j])) return 1;
  return 0;
}

/* Returns 1 if a contact with dampers that begins now requires a limit check. A body's step is stable, but may not be resolved. k is the
 * stiffness to resolve. */
static int awaits_damper(const eli_layer_law *law, const elastica_rod_view *rod, int j, const eli_capsule *at,
                         const eli_placed_solid *solid, double dt, double k, int stiffens) {
  const double mass = mass_per_extent(rod, j, at), c = law->line.damping;
  if (!eli_has_dampers(law->line.damping, law->friction, law->tangential_damping)) return 0;
  if (rod->rigid) return c > 0.0 && dt * (dt * eli_resolved_stiffness(k, c, mass) + 2.0 * c) > 4.0 * mass && begins(at, solid, dt);
  return (stiffens || may_begin_unstably(law, at, mass, dt)) && begins_unstably(law, rod, j, at, solid, dt);
}

/* Uses positions and velocities only, since the derived geometry may belong to another time. */
int eli_layer_awaits(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_placed_solid *solid,
                     double dt, int chooses, int watches) {
  eli_capsule at;
  eli_layer_place(shape, rod, j, &at);
  if (!rod->rigid) {
    const double edge[3] = {at.end[1][0] - at.end[0][0], at.end[1][1] - at.end[0][1], at.end[1][2] - at.end[0][2]};
    at.radius = eli_radius(rod->volume[j], sqrt(eli_dot(edge, edge)));
  }
  const eli_layer_law own = law_for(law, rod, j, &at);
  const double speed = speed_of(&at, solid), reach = at.radius * (1.0 + MARGIN) + ELI_STEPS_AWAITED * dt * speed;
  const double mass = mass_per_extent(rod, j, &at) * (rod->rigid ? 1.0 : 2.0); /* half of the contact may belong to either node */
  const double k = chooses ? turning_stiffness(&own, &at, solid, 0.0, mass) : own.line.modulus;
  const int fast = 2.0 * speed * dt > at.radius, too_long = eli_is_too_long(dt, k, own.line.damping, mass, chooses);
  const int stiffens = reach - at.radius > ELI_LAYER_ONSET * at.rest_radius;
  part near;
  if (chooses && watches && awaits_damper(&own, rod, j, &at, solid, dt, k, stiffens)) return 1;
  if (!(fast || too_long || stiffens) || !find_interval(&at, solid, reach, &near.low, &near.high)) return 0;
  if (fast || too_long) return 1;
  const eli_stiffening core = stiffening_at(&at, depth_within(&at, solid, reach, &near));
  return eli_is_too_long(dt, own.line.modulus * core.stiffness, own.line.damping, mass, 0);
}

int eli_layer_awaits_core(const eli_layer_law *law, const elastica_rod_view *rod, int j, const eli_layer_touch *of,
                          const eli_placed_solid *solid, double dt) {
  const double eps = 1.5 * of->layer.depth + ELI_STEPS_AWAITED * dt * speed_of(&of->capsule, solid);
  if (!(eps > ELI_LAYER_ONSET * of->capsule.rest_radius)) return 0;
  const eli_stiffening core = stiffening_at(&of->capsule, eps);
  const double mass = mass_per_extent(rod, j, &of->capsule) * (rod->rigid ? 1.0 : 2.0);
  return eli_is_too_long(dt, law->line.modulus * core.stiffness, law->line.damping, mass, 0);
}
