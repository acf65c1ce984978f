/* Scenes and assertions shared by the tests of relaxation. */
#ifndef TESTS_RELAXED_H
#define TESTS_RELAXED_H

#include "support.h"

static inline elastica_relax_result relax(elastica_world *world) {
  elastica_relax_result result;
  must(world, elastica_world_relax(world, NULL, &result));
  return result;
}

static inline void clamp_first(elastica_world *world, elastica_rod *rod, elastica_boundary_kind kind) {
  DEFAULTS(boundary, clamp);
  clamp.kind = kind;
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
}

static inline void pin_node(elastica_world *world, elastica_rod *rod, int node) {
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  pin.node = node;
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
}

static inline void pull_tip(elastica_world *world, elastica_rod *rod, double x, double y, double z) {
  DEFAULTS(point_load, load);
  load.force[0] = x, load.force[1] = y, load.force[2] = z;
  must(world, elastica_add_point_load(world, rod, &load, NULL));
}

static inline double tip(const elastica_rod *rod, int axis) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  return view->position[axis][view->node_count - 1];
}

/* A rod with a frame and an added mass. set_mounted adds them with this place of the frame [m] along x (NaN: the present one) and this mass
 * [kg]; a second call changes them, and the changes are due at the next step. */
typedef struct mounted {
  elastica_rod *rod;
  elastica_effect *frame, *mass;
} mounted;

static inline void set_mounted(elastica_world *world, mounted *of, double place, double added) {
  DEFAULTS(boundary, boundary);
  DEFAULTS(node_mass, weight);
  boundary.kind = ELASTICA_BOUNDARY_FRAME, boundary.position[0] = place;
  weight.mass = added, weight.node = -1;
  if (of->frame != NULL) {
    must(world, elastica_node_mass_set(of->mass, &weight));
    must(world, elastica_boundary_set(of->frame, &boundary));
    return;
  }
  must(world, elastica_add_boundary(world, of->rod, &boundary, &of->frame));
  must(world, elastica_add_node_mass(world, of->rod, &weight, &of->mass));
}

/* The beam of Gazzola et al. 2018, section 3.4.3, along z, pulled towards -x. */
enum { BEAM_ELEMENTS = 100 };
static const double beam_length = 3.0, beam_radius = 0.25;

static inline elastica_rod *add_beam(elastica_world *world, int n, elastica_boundary_kind kind, double force) {
  elastica_rod *rod = add_straight_rod(world, n, beam_length, beam_radius, 5000.0, 1e6, 1e4);
  clamp_first(world, rod, kind);
  pull_tip(world, rod, -force, 0.0, 0.0);
  return rod;
}

/* A thin rod along z, 1 m long, of bending stiffness 1 N m^2; its other stiffnesses are so high that only bending matters. */
static inline elastica_rod *add_wire(elastica_world *world, int n) {
  const double pi = 3.14159265358979324, radius = 2e-4;
  return add_straight_rod(world, n, 1.0, radius, 1000.0, 4.0 / (pi * radius * radius * radius * radius),
                          1.0 / (pi * radius * radius * radius * radius));
}

/* Node i of a hanging arc from (0, 0) to (0.8, 0) of length 1 or nearly 1. */
static inline void arc_node(double s, double node[3]) {
  const double half = 1.131, radius = 0.4 / sin(half), angle = half * (2.0 * s - 1.0);
  node[0] = 0.4 + radius * sin(angle);
  node[1] = 0.0;
  node[2] = radius * (cos(half) - cos(angle));
}

/* Two linked rings in a world: one is held, the other is drawn away. unit2: square of the factor by which the unit of time is reduced. */
enum { LINKED_ELEMENTS = 30 };

static inline elastica_world *make_linked_rings(double friction, double unit2, elastica_rod *ring[2]) {
  enum { N = LINKED_ELEMENTS };
  elastica_world *world = make_world(NULL);
  for (int k = 0; k < 2; k++) {
    double position[3 * N];
    DEFAULTS(rod, rod);
    for (int i = 0; i < N; i++) {
      const double angle = 6.283185307179586 * (i + 0.37) / N;
      position[3 * i] = 0.4 * k + 0.4 * cos(angle);
      position[3 * i + 1] = k ? 0.0 : 0.4 * sin(angle), position[3 * i + 2] = k ? 0.4 * sin(angle) : 0.0;
    }
    rod.element_count = N, rod.closed = 1, rod.rest = ELASTICA_REST_INITIAL, rod.position = position;
    rod.radius = k ? 0.034 : 0.042, rod.density = 1000.0, rod.youngs_modulus = 4.4e7 / unit2;
    must(world, elastica_world_add_rod(world, &rod, &ring[k]));
  }
  DEFAULTS(joint, hold);
  hold.kind = ELASTICA_JOINT_FIXED, hold.first.rod = ring[0], hold.first.element = N / 2;
  must(world, elastica_add_joint(world, &hold, NULL));
  DEFAULTS(point_load, load);
  load.node = 0, load.force[0] = 78.0 / unit2;
  must(world, elastica_add_point_load(world, ring[1], &load, NULL));
  DEFAULTS(contact, law);
  law.modulus = 1.45e6 / unit2, law.friction = friction;
  must(world, elastica_add_contact(world, NULL, &law, NULL));
  return world;
}

#endif
