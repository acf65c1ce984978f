/* Rigid bodies for tests, and measurements of them. */
#ifndef TESTS_BODIES_H
#define TESTS_BODIES_H

#include "support.h"

static const double unit_frame[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

static inline elastica_body_def default_body(elastica_shape shape) {
  DEFAULTS(body, def);
  def.shape = shape;
  return def;
}

static inline elastica_body_def ball_def(double radius, double mass) {
  elastica_body_def def = default_body(ELASTICA_SHAPE_SPHERE);
  def.radius = radius;
  def.mass = mass;
  return def;
}

/* A box with given principal moments; they do not depend on its edges. */
static inline elastica_body_def top_def(double j1, double j2, double j3) {
  elastica_body_def def = default_body(ELASTICA_SHAPE_BOX);
  for (int a = 0; a < 3; a++) def.edges[a] = 0.1;
  for (int k = 0; k < 9; k++) def.inertia[k] = 0.0;
  def.inertia[0] = j1, def.inertia[4] = j2, def.inertia[8] = j3;
  def.mass = 1.0;
  return def;
}

static inline elastica_rod *add_body(elastica_world *world, const elastica_body_def *def) {
  elastica_rod *body = NULL;
  must(world, elastica_world_add_body(world, def, &body));
  return body;
}

static inline elastica_body_info body_now(elastica_rod *body) {
  elastica_body_info info;
  must(elastica_rod_get_view(body)->world, elastica_body_get(body, &info));
  return info;
}

/* Adds boxes and balls of all shapes, tumbling; every third has products of inertia. */
static inline elastica_rod *add_numbered_body(elastica_world *world, int number) {
  random_source source = {(uint64_t)number + 77};
  elastica_body_def def = default_body((elastica_shape)(number % 4));
  double phi[3];
  def.radius = random_between(&source, 0.05, 0.2);
  def.length = random_between(&source, 0.1, 0.5);
  random_vector(&source, 0.1, def.edges);
  for (int a = 0; a < 3; a++) def.edges[a] += 0.2;
  def.density = random_between(&source, 500.0, 2000.0);
  random_vector(&source, 1.0, def.position);
  random_vector(&source, 1.0, def.velocity);
  random_vector(&source, 5.0, def.omega);
  random_vector(&source, 2.0, phi);
  memcpy(def.director, unit_frame, sizeof def.director);
  turn_frame(phi, def.director);
  if (number % 3 == 0) {
    const double tensor[9] = {1.0, 0.2, -0.1, 0.2, 1.3, 0.3, -0.1, 0.3, 0.8};
    memcpy(def.inertia, tensor, sizeof tensor);
  }
  return add_body(world, &def);
}

/* Angular momentum of a free body about its centre, in the laboratory. */
static inline void spin_momentum(const elastica_rod *rod, double momentum[3]) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const double material[3] = {view->inertia[0][0] * view->omega[0][0], view->inertia[1][0] * view->omega[1][0],
                              view->inertia[2][0] * view->omega[2][0]};
  elastica_rotate_to_laboratory(view, 0, material, momentum);
}

#endif
