/* An element in contact with a convex solid (see layer.h). */
#include "base/target.h"

#include "contact/layer.h"

#include "base/rotation.h"
#include "base/vector.h"

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
static const rule four = {4,
                          {0.069431844202973714, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629},
                          {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693}};
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

double eli_solid_distance(const eli_placed_solid *solid, const double point[3], double normal[3]) {
  return eli_obstacle_distance(&solid->obstacle, solid->place.position, solid->place.director, point, normal);
}

/* ---- The interval in contact ---- */

/* Returns the distance at a position on the centre line, and its slope. */
static double distance_at(const eli_capsule *capsule, const eli_placed_solid *solid, double s, double *slope) {
  double point[3], normal[3];
  *slope = 0.0;
  for (int a = 0; a < 3; a++) point[a] = capsule->end[0][a] + s * (capsule->end[1][a] - capsule->end[0][a]);
  const double distance = eli_solid_distance(solid, point, normal);
  for (int a = 0; a < 3; a++) *slope += normal[a] * (capsule->end[1][a] - capsule->end[0][a]);
  return distance;
}

/* Starts at one end, with the distance falling inwards, and finds the first position at distance reach. Returns 0 if there is none. The
 * tangent of a convex function lies below it, so no step goes too far. */
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
  return 0;
}

int eli_layer_interval(const eli_capsule *capsule, const eli_placed_solid *solid, double reach, double *low, double *high) {
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
  if (shape->shape != ELASTICA_OBSTACLE_BOX && shape->shape != ELASTICA_OBSTACLE_CYLINDER) return;
  for (int k = 0; k < 3; k++) {
    first[k] = slope[k] = 0.0;
    for (int a = 0; a < 3; a++) {
      first[k] += solid->place.director[3 * k + a] * (capsule->end[0][a] - solid->place.position[a]);
      slope[k] += solid->place.director[3 * k + a] * (capsule->end[1][a] - capsule->end[0][a]);
    }
  }
  for (int k = 0; k < 3 && shape->shape == ELASTICA_OBSTACLE_BOX; k++) cut_at(of, first[k], slope[k], shape->half_edge[k]);
  if (shape->shape != ELASTICA_OBSTACLE_CYLINDER || !(shape->half_length - shape->half_length == 0.0)) return;
  cut_at(of, first[2], slope[2], shape->half_length);
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

double eli_layer_energy(double modulus, double rest_radius, double eps) {
  double core;
  (void)core_of(modulus, rest_radius, eps, &core);
  return 0.5 * modulus * eps * eps + core;
}

/* Newton's method starts above the solution, and the energy is convex. */
double eli_layer_turning_depth(double modulus, double rest_radius, double energy) {
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

eli_stiffening eli_layer_stiffening(double rest_radius, double eps) {
  const double share = 1.0 - ELI_LAYER_ONSET, x = (eps / rest_radius - ELI_LAYER_ONSET) / share, x2 = x * x, x5 = x2 * x2 * x;
  eli_stiffening out = {1.0, 1.0};
  if (!(x > 0.0)) return out;
  out.stiffness += 42.0 * ELI_LAYER_STRENGTH * x5 / (share * share);
  out.pressure += 7.0 * ELI_LAYER_STRENGTH * x5 * x * rest_radius / (share * eps);
  return out;
}

/* Adds the loads at the point s, representing the length mu. */
static void add_point(const eli_capsule *capsule, const eli_placed_solid *solid, const eli_line_law *law, double s, double mu,
                      eli_layer *out) {
  double point[3], arm[3], n[3], turning[3], turned[3], f[3], nearing = 0.0;
  for (int a = 0; a < 3; a++) point[a] = capsule->end[0][a] + s * (capsule->end[1][a] - capsule->end[0][a]);
  const double eps = capsule->radius - eli_solid_distance(solid, point, n);
  if (!(eps > 0.0)) return;
  for (int a = 0; a < 3; a++) arm[a] = point[a] - solid->place.position[a];
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
  out->pressure += force;
  out->elastic += spring * mu;
  out->along += s * force;
  out->extent += mu;
  out->energy += (0.5 * law->modulus * eps * eps + core) * mu;
  if (eps > out->depth) out->depth = eps;
}

int eli_layer_find(const eli_capsule *capsule, const eli_placed_solid *solid, const eli_line_law *law, eli_layer *out) {
  const rule *gauss = solid->obstacle.shape == ELASTICA_OBSTACLE_PLANE ? &four : &eight;
  cuts of = {.count = 0};
  eli_layer sum;
  if (!eli_layer_interval(capsule, solid, capsule->radius, &of.low, &of.high)) return 0;
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

/* A point closer to the surface than this, in radii, counts as on it. */
#define NEAR 0.02

enum { MOST_MOVES = 128 };

void eli_layer_velocity(const eli_capsule *capsule, const eli_placed_solid *solid, int end, double v[3]) {
  double arm[3], turning[3];
  for (int a = 0; a < 3; a++) arm[a] = capsule->end[end][a] - solid->place.position[a];
  eli_cross(solid->spin, arm, turning);
  for (int a = 0; a < 3; a++) v[a] = capsule->velocity[end][a] - (solid->place.velocity[a] + turning[a]);
}

double eli_layer_speed(const eli_capsule *capsule, const eli_placed_solid *solid) {
  double largest = 0.0;
  for (int end = 0; end < 2; end++) {
    double v[3];
    eli_layer_velocity(capsule, solid, end, v);
    const double along = eli_dot(v, solid->place.director + 6);
    const double speed = solid->obstacle.shape == ELASTICA_OBSTACLE_PLANE ? fabs(along) : sqrt(eli_dot(v, v));
    if (speed > largest) largest = speed;
  }
  return largest;
}

/* A convex function lies above its tangents. */
double eli_layer_least_distance(const eli_capsule *capsule, const eli_placed_solid *solid, double low, double high, double tolerance) {
  double place[2] = {low, high}, slope[2], distance[2], least;
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
  return dt * eli_layer_speed(capsule, solid) > gap - 2.0 * NEAR * capsule->radius;
}

/* No point reaches the surface before it has moved by its distance. */
int eli_layer_crosses(const eli_capsule *capsule, const eli_placed_solid *solid, double dt) {
  const double speed = eli_layer_speed(capsule, solid), near = NEAR * capsule->radius;
  eli_capsule at = *capsule;
  double v[2][3], time = -dt;
  for (int end = 0; end < 2; end++) eli_layer_velocity(capsule, solid, end, v[end]);
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
  const double distance = eli_solid_distance(solid, centre, foot);
  for (int a = 0; a < 3; a++) {
    out->normal[a] = size > 0.0 ? layer->total[a] / size : foot[a];
    out->lever[a] = -distance * out->normal[a];
    out->point[a] = centre[a] + out->lever[a];
  }
}

void eli_middle_share(const eli_middle *middle, const double force[3], double on[2][3]) {
  for (int a = 0; a < 3; a++) {
    const double second = middle->share * force[a];
    on[0][a] += force[a] - second;
    on[1][a] += second;
  }
}
