/* Bounds for the step limit of an element near a convex solid (see layer_bound.h). */
#include "base/target.h"

#include "contact/layer_bound.h"

#include "base/vector.h"
#include "contact/resolve.h"

#include <math.h>

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

/* Returns the largest second derivative of the distance in any direction [1/m], at distances not below this one. */
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

static inline double larger(double x, double y) {
  return x > y ? x : y;
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
static double depth_within(const eli_capsule *capsule, const eli_solid *solid, double reach, const part *near) {
  return reach - eli_layer_least_distance(capsule, solid, near->low, near->high, 0.5 * MARGIN * capsule->radius);
}

static eli_stiffening stiffening_at(const eli_capsule *capsule, double depth) {
  return eli_layer_stiffening(capsule->rest_radius, depth < capsule->radius ? depth : capsule->radius);
}

/* Returns the largest speed [m/s] of an end along the normal at that end. */
static double speed_across(const eli_capsule *capsule, const eli_solid *solid) {
  double largest = 0.0;
  for (int end = 0; end < 2; end++) {
    double v[3], normal[3];
    eli_layer_velocity(capsule, solid, end, v);
    (void)eli_solid_distance(solid, capsule->end[end], normal);
    const double across = fabs(eli_dot(v, normal));
    if (across > largest) largest = across;
  }
  return largest;
}

/* Returns k at the turning point of the element. Its energy is constant during contact, and is then all in the layer; so a bounce has one
 * step from before the contact on. eps [m] is the present depth, mass in [kg/m]. */
static double turning_stiffness(const eli_layer_law *law, const eli_capsule *capsule, const eli_solid *solid, double eps, double mass) {
  const double v = speed_across(capsule, solid), k = law->line.modulus, onset = ELI_LAYER_ONSET * capsule->rest_radius;
  const double own = eli_layer_energy(k, capsule->rest_radius, larger(eps, 0.0)), energy = 0.5 * mass * v * v + own;
  if (!(energy > 0.5 * k * onset * onset)) return k;
  return k * eli_layer_stiffening(capsule->rest_radius, eli_layer_turning_depth(k, capsule->rest_radius, energy)).stiffness;
}

/* Finds the bounds of the layer alone, and the possible depth. Returns 0 if no contact is possible until then. A rigid body is included at
 * any distance. */
static int find_bounds(const eli_layer_law *law, const elastica_rod_view *rod, int j, const eli_capsule *capsule, const eli_solid *solid,
                       double moved, int resolves, stiffnesses *s, measures *of, double *depth) {
  const double radius = capsule->radius, k = law->line.modulus, reach = radius + moved + MARGIN * radius;
  const int has_friction = law->friction > 0.0, rigid = rod->rigid;
  const part all = {0.0, 1.0};
  part near = all;
  const int touches = eli_layer_interval(capsule, solid, reach, &near.low, &near.high);
  if (!touches && !rigid) return 0;
  *depth = touches ? depth_within(capsule, solid, reach, &near) : 0.0;
  const double eps = rigid || *depth > radius ? radius : larger(*depth, 0.0);
  *of = measure(capsule, rigid ? &all : &near);
  *s = (stiffnesses){.normal = k,
                     .rate = law->line.damping,
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
static void add_core(const eli_layer_law *law, const eli_capsule *capsule, const eli_solid *solid, const measures *of, double depth,
                     stiffnesses *s) {
  if (!(depth > ELI_LAYER_ONSET * capsule->rest_radius)) return;
  const eli_stiffening core = stiffening_at(capsule, depth);
  const double eps = depth < capsule->radius ? depth : capsule->radius, pressure = law->line.modulus * core.pressure * eps;
  s->normal = law->line.modulus * core.stiffness;
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
                     const eli_solid *solid, double horizon, int resolves, const elastica_stiffness *to) {
  const double speed = eli_layer_speed(capsule, solid);
  const eli_layer_law own = eli_layer_law_for(law, rod, j, capsule);
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
                          const eli_solid *solid, double horizon, int resolves, const elastica_stiffness *to, const elastica_rod_view *body,
                          double reach, const elastica_stiffness *to_body) {
  const double speed = eli_layer_speed(capsule, solid), radius = capsule->radius;
  const eli_layer_law own = eli_layer_law_for(law, rod, j, capsule);
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

/* Uses positions and velocities only, since the derived geometry may belong to another time. */
int eli_layer_awaits(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_solid *solid,
                     double dt, int chooses) {
  eli_capsule at;
  eli_layer_place(shape, rod, j, &at);
  if (!rod->rigid) {
    const double edge[3] = {at.end[1][0] - at.end[0][0], at.end[1][1] - at.end[0][1], at.end[1][2] - at.end[0][2]};
    at.radius = eli_radius(rod->volume[j], sqrt(eli_dot(edge, edge)));
  }
  const eli_layer_law own = eli_layer_law_for(law, rod, j, &at);
  const double speed = eli_layer_speed(&at, solid), reach = at.radius * (1.0 + MARGIN) + ELI_STEPS_AWAITED * dt * speed;
  const double mass = mass_per_extent(rod, j, &at) * (rod->rigid ? 1.0 : 2.0); /* half of the contact may belong to either node */
  const double k = chooses ? turning_stiffness(&own, &at, solid, 0.0, mass) : own.line.modulus;
  const int fast = 2.0 * speed * dt > at.radius, too_long = eli_is_too_long(dt, k, own.line.damping, mass, chooses);
  const int stiffens = reach - at.radius > ELI_LAYER_ONSET * at.rest_radius;
  part near;
  if (!(fast || too_long || stiffens) || !eli_layer_interval(&at, solid, reach, &near.low, &near.high)) return 0;
  if (fast || too_long) return 1;
  const eli_stiffening core = stiffening_at(&at, depth_within(&at, solid, reach, &near));
  return eli_is_too_long(dt, own.line.modulus * core.stiffness, own.line.damping, mass, 0);
}

int eli_layer_awaits_core(const eli_layer_law *law, const elastica_rod_view *rod, int j, const eli_layer_touch *of, const eli_solid *solid,
                          double dt) {
  const double eps = 1.5 * of->layer.depth + ELI_STEPS_AWAITED * dt * eli_layer_speed(&of->capsule, solid);
  if (!(eps > ELI_LAYER_ONSET * of->capsule.rest_radius)) return 0;
  const eli_stiffening core = stiffening_at(&of->capsule, eps);
  const double mass = mass_per_extent(rod, j, &of->capsule) * (rod->rigid ? 1.0 : 2.0);
  return eli_is_too_long(dt, law->line.modulus * core.stiffness, law->line.damping, mass, 0);
}
