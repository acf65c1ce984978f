/* The layer of an element on a solid, with its friction (see layer_touch.h). */
#include "base/target.h"

#include "contact/layer_touch.h"

#include "base/elementary.h"
#include "base/vector.h"
#include "contact/slip.h"

#include <math.h>
#include <string.h>

int eli_layer_is_near(const eli_solid *solid, const elastica_rod_view *rod, int j) {
  double centre[3], normal[3], square = 0.0;
  for (int a = 0; a < 3; a++) {
    const double edge = rod->position[a][j + 1] - rod->position[a][j];
    centre[a] = rod->position[a][j] + 0.5 * edge;
    square += edge * edge;
  }
  const double length = sqrt(square), half = eli_solid_distance(solid, centre, normal);
  const double way = solid->obstacle.shape != ELASTICA_OBSTACLE_PLANE ? length
                                                                      : fabs(normal[0] * (rod->position[0][j + 1] - rod->position[0][j]) +
                                                                             normal[1] * (rod->position[1][j + 1] - rod->position[1][j]) +
                                                                             normal[2] * (rod->position[2][j + 1] - rod->position[2][j]));
  const double gap = half - 0.5 * way; /* contact if this is below the radius: V > pi gap^2 l */
  return gap <= 0.0 || !(ELI_PI * gap * gap * length * (1.0 - 1e-12) >= rod->volume[j]);
}

/* V > pi gap^2 l in squares: this needs no root and no branch. */
static int any_near_plane(const eli_solid *solid, const elastica_rod_view *rod) {
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
  case ELASTICA_OBSTACLE_SPHERE: return shape->radius;
  case ELASTICA_OBSTACLE_CYLINDER: return sqrt(shape->radius * shape->radius + shape->half_length * shape->half_length);
  case ELASTICA_OBSTACLE_BOX: return sqrt(eli_dot(shape->half_edge, shape->half_edge));
  case ELASTICA_OBSTACLE_PLANE:
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

int eli_layer_any_near(const eli_solid *solid, const elastica_rod_view *rod) {
  const double outer = outer_radius(&solid->obstacle) * (1.0 + 1e-12);
  if (solid->obstacle.shape == ELASTICA_OBSTACLE_PLANE) return any_near_plane(solid, rod);
  for (int j = 0; j < rod->element_count; j++)
    if (!is_far(solid->place.position, outer, rod, j) && eli_layer_is_near(solid, rod, j)) return 1;
  return 0;
}

void eli_layer_place(const eli_round *shape, const elastica_rod_view *rod, int j, eli_capsule *capsule) {
  if (rod->rigid)
    eli_capsule_of_body(shape, rod, capsule);
  else
    eli_capsule_of_element(rod, j, capsule);
}

/* An inner node of a rod belongs half to each of its two elements. */
static double mass_of(const elastica_rod_view *rod, int j) {
  if (rod->rigid) return rod->mass[0];
  const double first = rod->mass[j], second = rod->mass[eli_second_node(rod, j)];
  return (!rod->closed && j == 0 ? first : 0.5 * first) + (!rod->closed && j + 1 == rod->element_count ? second : 0.5 * second);
}

eli_layer_law eli_layer_law_for(const eli_layer_law *law, const elastica_rod_view *rod, int j, const eli_capsule *capsule) {
  eli_layer_law own = *law;
  if (!(law->damping_ratio > 0.0 || law->tangential_damping_ratio > 0.0)) return own;
  const double extent = capsule->measure + capsule->cap[0] + capsule->cap[1];
  const double critical = 2.0 * sqrt(law->line.modulus * (mass_of(rod, j) / extent));
  own.line.damping += law->damping_ratio * critical;
  own.tangential_damping += law->tangential_damping_ratio * sqrt(law->tangential_ratio) * critical;
  own.damping_ratio = own.tangential_damping_ratio = 0.0;
  return own;
}

int eli_layer_touch_find(const eli_layer_law *law, const eli_round *shape, const eli_solid *solid, const elastica_rod_view *rod, int j,
                         eli_layer_touch *out) {
  if (!rod->rigid && !eli_layer_is_near(solid, rod, j)) return 0;
  eli_layer_place(shape, rod, j, &out->capsule);
  const eli_layer_law own = eli_layer_law_for(law, rod, j, &out->capsule);
  if (!eli_layer_find(&out->capsule, solid, &own.line, &out->layer)) return 0;
  eli_layer_middle(&out->capsule, solid, &out->layer, &out->middle);
  out->stiffness = law->tangential_ratio * law->line.modulus * out->layer.extent;
  out->damping = own.tangential_damping * out->layer.extent;
  return 1;
}

void eli_layer_friction(const eli_layer_law *law, const eli_stick_slip *from, const eli_layer_touch *of, double force[3]) {
  const double none[3] = {0.0, 0.0, 0.0};
  eli_stick_slip history = *from;
  eli_stick_slip_turn(&history, of->middle.normal);
  eli_stick_slip_add(&history, none, of->stiffness, law->friction * of->layer.pressure);
  memcpy(force, history.force, sizeof history.force);
}

void eli_layer_step_friction(const eli_layer_law *law, eli_stick_slip *history, const elastica_rod_view *rod, int j,
                             const eli_solid *before, const eli_layer_touch *of, double dt, double force[3]) {
  const eli_capsule *at = &of->capsule;
  const eli_middle *middle = &of->middle;
  eli_slip slip = {.dt = dt};
  eli_stick_slip_input step = {.dt = dt, .stiffness = of->stiffness, .limit = law->friction * of->layer.pressure, .damping = of->damping};
  double axis[3], v[3], spin[3], point[3], own[3], other[3];
  double centre[3] = {rod->position[0][j], rod->position[1][j], rod->position[2][j]};
  eli_spin_of(rod, j, spin);
  memcpy(slip.normal, middle->normal, sizeof slip.normal);
  memcpy(slip.before, history->normal, sizeof slip.before);
  memcpy(step.normal, middle->normal, sizeof step.normal);
  for (int a = 0; a < 3; a++) {
    axis[a] = middle->point[a] - middle->lever[a];
    v[a] = at->velocity[0][a] + middle->share * (at->velocity[1][a] - at->velocity[0][a]);
  }
  eli_slip_of_round(&slip, axis, v, spin, middle->lever, rod->rigid ? centre : NULL, own, point);
  eli_slip_of_solid(&slip, before->place.position, before->place.velocity, before->spin, point, other);
  for (int a = 0; a < 3; a++) {
    step.velocity[a] = own[a] - other[a];
    step.spin += 0.5 * (spin[a] + before->spin[a]) * middle->normal[a];
  }
  eli_stick_slip_step(history, &step, force);
}

void eli_layer_push_friction(const eli_round *shape, const elastica_rod_view *rod, int j, const eli_layer_touch *of,
                             const double friction[3], const elastica_loads *loads) {
  double force[2][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, couple[3];
  eli_middle_share(&of->middle, friction, force);
  eli_cross(of->middle.lever, friction, couple);
  eli_capsule_push(shape, rod, j, (const double(*)[3])force, couple, loads);
}
