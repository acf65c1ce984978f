/* Bare rods: free, undamped, without any effect. Every node moves and every element turns, so that no number stays 0, becomes denormal,
 * or grows.
 *
 * They are ropes of one kind, whatever their length: elements of three radii, at rest a little bent and twisted. A rope turns about its
 * middle and carries a wave of 20 elements across; its ends are as fast as the wave. Elements stretch by a few thousandths, joints turn
 * by a few hundredths of a radian (at most two tenths in ropes of ten elements), for as many steps as a bench takes.
 */
#include "scenes.h"

#include <math.h>
#include <stdlib.h>

static const double ELEMENT = 0.03, RADIUS = 0.01; /* [m] */
static const double SPEED = 0.1;                   /* [m/s] of the ends; also the amplitude of the wave */
static const double REST_TURN = 0.5;               /* [rad] of the whole rod at rest, about each axis */
enum { WAVELENGTH = 20 };                          /* elements */

/* The frame of every element at the start. None of its components is 0. */
static const double D1[3] = {2.0 / 3.0, 1.0 / 3.0, -2.0 / 3.0}, D2[3] = {-2.0 / 3.0, 2.0 / 3.0, -1.0 / 3.0};
static const double D3[3] = {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0};

/* The wave moves along d1, the rod turns about d2. velocity [3 (n + 1)], omega [3 n], rest_curvature [3 (n - 1)]. */
static void set_in_motion(int n, double *velocity, double *omega, double *rest_curvature) {
  const double length = ELEMENT * n, turning = 2.0 * SPEED / length;
  for (int i = 0; i <= n; i++) {
    const double s = (double)i / n, wave = SPEED * sin(2.0 * 3.14159265358979324 * i / WAVELENGTH + 0.5);
    for (int a = 0; a < 3; a++) velocity[3 * i + a] = (wave + turning * length * (s - 0.5)) * D1[a] + 0.1 * wave * D2[a];
  }
  for (int j = 0; j < n; j++) omega[3 * j] = 0.1 * turning, omega[3 * j + 1] = turning, omega[3 * j + 2] = 0.1 * turning;
  for (int k = 0; k < 3 * (n - 1); k++) rest_curvature[k] = REST_TURN / length;
}

/* Sets an ellipse: the half axis along d1 is the radius, that along d2 is `share` times the radius. */
static void set_section(elastica_rod_def *def, double share, double *bend_stiffness, double *inertia) {
  const double pi = 3.14159265358979324, b = share * RADIUS, area = pi * RADIUS * b;
  const double moment[3] = {0.25 * area * b * b, 0.25 * area * RADIUS * RADIUS, 0.25 * area * (RADIUS * RADIUS + b * b)};
  for (int j = 0; j < def->element_count; j++) {
    for (int a = 0; a < 3; a++) bend_stiffness[3 * j + a] = (a < 2 ? 1.0 : 1.0 / 3.0) * def->youngs_modulus * moment[a];
    for (int a = 0; a < 3; a++) inertia[3 * j + a] = def->density * ELEMENT * moment[a];
  }
  def->bend_stiffness = bend_stiffness, def->inertia = inertia;
}

elastica_status bench_add_bare(elastica_world *world, int count, int n, double share) {
  const size_t vectors = (size_t)n + 1;
  double *memory = malloc(15 * vectors * sizeof(double));
  double *velocity = memory, *omega = memory + 3 * vectors, *rest_curvature = memory + 6 * vectors;
  elastica_status status = memory != NULL ? ELASTICA_OK : ELASTICA_OUT_OF_MEMORY;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.length = ELEMENT * n;
  def.radius = RADIUS;
  def.density = 1000.0;
  def.youngs_modulus = 1e6;
  def.velocity = velocity, def.omega = omega, def.rest_curvature = rest_curvature;
  for (int a = 0; a < 3; a++) def.direction[a] = D3[a], def.normal[a] = D1[a];
  if (status == ELASTICA_OK && share != 1.0) set_section(&def, share, memory + 9 * vectors, memory + 12 * vectors);
  if (status == ELASTICA_OK) set_in_motion(n, velocity, omega, rest_curvature);
  for (int r = 0; r < count && status == ELASTICA_OK; r++) {
    def.start[0] = 0.1 * r;
    status = elastica_world_add_rod(world, &def, NULL);
  }
  free(memory);
  return status;
}
