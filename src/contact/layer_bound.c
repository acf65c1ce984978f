/* Bounds for the step limit of an element near a convex solid (see layer_bound.h). */
#include "base/target.h"

#include "contact/layer_bound.h"

#include "base/vector.h"
#include "contact/resolve.h"

#include <math.h>

/* Gap, in radii, below which an element may touch in any case. */
#define MARGIN 0.02

/* Radius of curvature of the distance from an edge, in radii of the element, at least. */
#define EDGE 0.1

/* [1/s] Steps that are shorter are of no use; what a rod that blows up asks for stays finite. */
#define FASTEST 1e30

/* The part of a centre line that may touch, 0..1. */
typedef struct part {
  double low, high;
} part;

/* How fast the ends move against the solid; against a plane, along its normal: nothing else changes a distance. */
static double speed_of(const eli_capsule *capsule, const eli_solid *solid) {
  double largest = 0.0;
  for (int end = 0; end < 2; end++) {
    double arm[3], turning[3], v[3];
    for (int a = 0; a < 3; a++) arm[a] = capsule->end[end][a] - solid->place.position[a];
    eli_cross(solid->spin, arm, turning);
    for (int a = 0; a < 3; a++) v[a] = capsule->velocity[end][a] - (solid->place.velocity[a] + turning[a]);
    const double along = eli_dot(v, solid->place.director + 6);
    const double speed = solid->obstacle.shape == ELASTICA_OBSTACLE_PLANE ? fabs(along) : sqrt(eli_dot(v, v));
    if (speed > largest) largest = speed;
  }
  return largest;
}

/* The least distance between two places, where it is a convex function: no place is nearer than this. */
static double least_distance(const eli_capsule *capsule, const eli_solid *solid, double low, double high) {
  double normal[3], point[3], end[2], slope[2];
  for (int side = 0; side < 2; side++) {
    const double s = side ? high : low;
    for (int a = 0; a < 3; a++) point[a] = capsule->end[0][a] + s * (capsule->end[1][a] - capsule->end[0][a]);
    end[side] = eli_solid_distance(solid, point, normal);
    slope[side] = 0.0;
    for (int a = 0; a < 3; a++) slope[side] += normal[a] * (capsule->end[1][a] - capsule->end[0][a]);
  }
  if (slope[0] >= 0.0 || !(slope[1] > 0.0)) return end[0] < end[1] ? end[0] : end[1];
  /* where the tangents at both ends meet */
  const double s = (end[1] - end[0] + slope[0] * low - slope[1] * high) / (slope[0] - slope[1]);
  return end[0] + slope[0] * (s - low);
}

/* The largest second derivative of the distance, in any direction [1/m], where it is not below this. */
static double curvature_of(const eli_solid *solid, double radius, double distance) {
  const double edge = 1.0 / (distance > EDGE * radius ? distance : EDGE * radius);
  double round = 0.0;
  switch (solid->obstacle.shape) {
  case ELASTICA_OBSTACLE_PLANE: return 0.0;
  case ELASTICA_OBSTACLE_BOX: return edge;
  case ELASTICA_OBSTACLE_SPHERE:
  case ELASTICA_OBSTACLE_CYLINDER:
  default:
    round = solid->obstacle.radius + distance;
    if (solid->obstacle.shape == ELASTICA_OBSTACLE_CYLINDER && solid->obstacle.half_length - solid->obstacle.half_length == 0.0)
      return edge;
    return 1.0 / (round > EDGE * radius ? round : EDGE * radius);
  }
}

/* mu of what may touch: shared to both ends, in the middle of any contact shared to them, and all of it. A force per length that is a
 * concave function has its middle in the middle third of where it acts. */
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

static inline double larger(double x, double y) {
  return x > y ? x : y;
}

/* k, c, k_t, c_t and what curves, of a length of 1. */
typedef struct stiffnesses {
  double normal, rate, across, rate_across;
  double curving;  /* [Pa] of the distance, */
  double swelling; /* [N/m] and of the radius, with all of the force */
  double resolved; /* what k must be counted as for the mass of the element to be resolved; 0: it need not */
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
  const double q = 0.5 * radius / length; /* of the radius, per length of the element */
  for (int end = 0; end < 2; end++) {
    const double spring = larger(s->normal * (1.0 + 2.0 * q) * (of->share[end] + q * of->extent), 2.0 * s->across * of->middle[end]) +
                          s->curving * of->share[end] + s->swelling * 4.0 * q / length;
    to->node[j + end] += larger(spring, s->resolved * of->share[end]);
    to->node_rate[j + end] += larger(s->rate * of->share[end], 2.0 * s->rate_across * of->middle[end]);
  }
  to->element[j] += 2.0 * s->across * of->extent * radius * radius;
  to->element_rate[j] += 2.0 * s->rate_across * of->extent * radius * radius;
}

/* No step leads further than half the way through the layer. */
static void add_guard(const elastica_rod_view *rod, int j, double speed, double radius, const elastica_stiffness *to) {
  const double asked = 4.0 * speed / radius, rate = asked < FASTEST ? asked : FASTEST;
  for (int end = 0; end < (rod->rigid ? 1 : 2); end++) to->node[j + end] += rate * rate * rod->mass[j + end];
}

/* [kg/m] The least mass that moves on the layer of an element, for each length in contact. */
static double mass_per_extent(const elastica_rod_view *rod, int j, const eli_capsule *capsule) {
  const double extent = capsule->measure + capsule->cap[0] + capsule->cap[1];
  if (rod->rigid) return rod->mass[0] / extent;
  const double first = rod->mass[j], second = rod->mass[eli_second_node(rod, j)];
  return (first < second ? first : second) / extent;
}

/* 0: it cannot touch until then. */
static int find_bounds(const eli_layer_law *law, const elastica_rod_view *rod, int j, const eli_capsule *capsule, const eli_solid *solid,
                       double moved, int resolves, stiffnesses *s, measures *of) {
  const double radius = capsule->radius, k = law->line.modulus, reach = radius + moved + MARGIN * radius;
  const int rubs = law->friction > 0.0;
  part near = {0.0, 1.0};
  double eps = radius;
  if (!rod->rigid) {
    if (!eli_layer_interval(capsule, solid, reach, &near.low, &near.high)) return 0;
    eps = reach - least_distance(capsule, solid, near.low, near.high);
    eps = eps < radius ? larger(eps, 0.0) : radius;
  }
  *of = measure(capsule, &near);
  *s = (stiffnesses){.normal = k,
                     .rate = law->line.damping,
                     .across = rubs ? law->tangential_ratio * k : 0.0,
                     .rate_across = rubs ? law->tangential_damping : 0.0,
                     .curving = k * eps * curvature_of(solid, radius, radius - eps),
                     .swelling = k * eps * of->extent};
  if (rod->rigid) resolves = resolves && eli_layer_interval(capsule, solid, reach, &near.low, &near.high);
  if (resolves) s->resolved = eli_resolved_stiffness(k, law->line.damping, mass_per_extent(rod, j, capsule));
  return 1;
}

static void bound_side(const stiffnesses *s, const measures *of, const eli_round *shape, const elastica_rod_view *rod, int j, double radius,
                       const elastica_stiffness *to) {
  if (rod->rigid)
    bound_body(s, of, radius, shape->half_length, to);
  else
    bound_element(s, of, radius, rod->length[j], j, to);
}

void eli_layer_bound(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_capsule *capsule,
                     const eli_solid *solid, double horizon, int resolves, const elastica_stiffness *to) {
  const double speed = speed_of(capsule, solid);
  const eli_layer_law own = eli_layer_law_for(law, rod, j, capsule);
  stiffnesses s;
  measures of;
  if (!find_bounds(&own, rod, j, capsule, solid, horizon * speed, resolves, &s, &of)) return;
  bound_side(&s, &of, shape, rod, j, capsule->radius, to);
  add_guard(rod, j, speed, capsule->radius, to);
}

/* The body adds two numbers to each form: its displacement, and its turn times reach. So the weights of the others, 1 at least across the
 * surface and 2 along it, grow to three times and twice what they were. The lever of the force turns with the body. */
void eli_layer_bound_both(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_capsule *capsule,
                          const eli_solid *solid, double horizon, int resolves, const elastica_stiffness *to, const elastica_rod_view *body,
                          double reach, const elastica_stiffness *to_body) {
  const double speed = speed_of(capsule, solid), radius = capsule->radius;
  const eli_layer_law own = eli_layer_law_for(law, rod, j, capsule);
  stiffnesses s;
  measures of;
  if (!find_bounds(&own, rod, j, capsule, solid, horizon * speed, resolves, &s, &of)) return;
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

/* By positions and velocities alone: the geometry may be that of another instant. */
int eli_layer_awaits(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_solid *solid,
                     double dt, int chooses) {
  eli_capsule at;
  double low, high;
  eli_layer_place(shape, rod, j, &at);
  if (!rod->rigid) {
    const double edge[3] = {at.end[1][0] - at.end[0][0], at.end[1][1] - at.end[0][1], at.end[1][2] - at.end[0][2]};
    at.radius = eli_radius(rod->volume[j], sqrt(eli_dot(edge, edge)));
  }
  const eli_layer_law own = eli_layer_law_for(law, rod, j, &at);
  const double speed = speed_of(&at, solid), reach = at.radius * (1.0 + MARGIN) + ELI_STEPS_AWAITED * dt * speed;
  const double mass = mass_per_extent(rod, j, &at) * (rod->rigid ? 1.0 : 2.0); /* half of what touches may belong to either node */
  if (!(2.0 * speed * dt > at.radius) && !eli_is_too_long(dt, own.line.modulus, own.line.damping, mass, chooses)) return 0;
  return eli_layer_interval(&at, solid, reach, &low, &high);
}
