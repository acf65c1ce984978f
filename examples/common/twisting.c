#include "twisting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double turns_at(const twisting *t, double time) {
  const double since = time - t->pull_time;
  if (t->stretch > 0) return t->turns;
  return since <= 0 ? 0 : since < t->twist_time ? t->turns * since / t->twist_time : t->turns;
}

static double turns_now(const twisting *t) {
  return turns_at(t, elastica_world_get(t->world).time);
}

/* The clamp of the last end spins about z; its third director is z. */
static elastica_status spin(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const twisting *t = user;
  const double angle = 2 * acos(-1) * turns_at(t, time), c = cos(angle), s = sin(angle);
  (void)position, (void)velocity;
  for (int row = 0; row < 3; row++) {
    const double x = director[component(row, X)], y = director[component(row, Y)];
    director[component(row, X)] = c * x - s * y;
    director[component(row, Y)] = s * x + c * y;
  }
  omega[2] = t->stretch <= 0 && time > t->pull_time && time < t->pull_time + t->twist_time ? 2 * acos(-1) * t->turns / t->twist_time : 0;
  return ELASTICA_OK;
}

static void add_rod(example *e, twisting *t) {
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = t->n;
  def.length = TWISTING_LENGTH;
  def.normal[0] = 1, def.normal[1] = def.normal[2] = 0;
  def.radius = TWISTING_RADIUS;
  def.density = TWISTING_MASS / (acos(-1) * TWISTING_RADIUS * TWISTING_RADIUS * TWISTING_LENGTH);
  def.youngs_modulus = TWISTING_YOUNGS_MODULUS;
  def.shear_modulus = TWISTING_SHEAR_MODULUS;
  example_require(e, t->world, elastica_world_add_rod(t->world, &def, &t->rod));
}

static void add_ends(example *e, twisting *t) {
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  example_require(e, t->world, elastica_add_boundary(t->world, t->rod, &clamp, NULL));
  clamp.node = -1;
  clamp.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
  clamp.motion = spin;
  clamp.user = t;
  example_require(e, t->world, elastica_add_boundary(t->world, t->rod, &clamp, NULL));

  elastica_point_load_def load;
  elastica_point_load_def_init(&load, sizeof load);
  load.force[2] = t->force;
  load.ramp_time = t->stretch > 0 ? 0 : t->pull_time;
  example_require(e, t->world, elastica_add_point_load(t->world, t->rod, &load, NULL));
  elastica_point_load_def_init(&load, sizeof load);
  load.node = t->n / 2;
  load.force[0] = t->nudge;
  example_require(e, t->world, elastica_add_point_load(t->world, t->rod, &load, NULL));
}

/* Frame j is at the share (j + 1/2)/n of the distance between the clamps. */
static void start_evenly(example *e, twisting *t) {
  double *position = calloc(3 * ((size_t)t->n + 1), sizeof *position), *director = calloc(9 * (size_t)t->n, sizeof *director);
  if (position == NULL || director == NULL) example_require(e, t->world, ELASTICA_OUT_OF_MEMORY);
  for (int i = 0; i <= t->n; i++) position[component(i, Z)] = t->stretch * TWISTING_LENGTH * i / t->n;
  for (int j = 0; j < t->n; j++) {
    const double angle = 2 * acos(-1) * t->turns * (j + 0.5) / t->n;
    const double frame[9] = {cos(angle), sin(angle), 0, -sin(angle), cos(angle), 0, 0, 0, 1};
    memcpy(director + 9 * j, frame, sizeof frame);
  }
  example_require(e, t->world, elastica_rod_set_state(t->rod, position, NULL, director, NULL));
  free(position);
  free(director);
}

void twisting_begin(example *e, twisting *t) {
  t->world = example_papers_world(e);
  add_rod(e, t);
  add_ends(e, t);

  elastica_dissipation_def friction;
  elastica_dissipation_def_init(&friction, sizeof friction);
  friction.translation = friction.rotation = TWISTING_DAMPING; /* one gamma, as in the paper */
  example_require(e, t->world, elastica_add_dissipation(t->world, t->rod, &friction, NULL));

  if (t->viscosity > 0) {
    elastica_axial_viscosity_def viscosity;
    elastica_axial_viscosity_def_init(&viscosity, sizeof viscosity);
    viscosity.viscosity = t->viscosity;
    example_require(e, t->world, elastica_add_axial_viscosity(t->world, t->rod, &viscosity, NULL));
  }

  if (t->stretch > 0) start_evenly(e, t);
  t->contact = NULL;
  t->link_error = t->deepest = t->onset = 0;
  if (!t->touching) return;
  /* The papers' spring acts between pairs of elements. An element beside a parallel strand overlaps equally with the opposite element
   * and its two neighbours: three springs on the length of one element. A single damper is enough, nearly half of critical, since it
   * counts in the step. */
  elastica_contact_def contact;
  elastica_contact_def_init(&contact, sizeof contact);
  contact.modulus = 3 * TWISTING_STIFFNESS * t->n / TWISTING_LENGTH;
  contact.damping = TWISTING_DISSIPATION * t->n / TWISTING_LENGTH;
  example_require(e, t->world, elastica_add_contact(t->world, t->rod, &contact, &t->contact));
}

double twisting_sideways(const twisting *t) {
  const elastica_rod_view *view = elastica_rod_get_view(t->rod);
  double largest = 0;
  for (int i = 0; i < view->node_count; i++) largest = fmax(largest, hypot(view->position[0][i], view->position[1][i]));
  return largest;
}

static double deepest_overlap(example *e, const twisting *t) {
  enum { CAPACITY = 4096 };
  static elastica_contact_point points[CAPACITY];
  int count;
  double deepest = 0;
  example_require(e, t->world, elastica_contact_get(t->contact, points, CAPACITY, &count));
  for (int k = 0; k < count && k < CAPACITY; k++) deepest = fmax(deepest, points[k].depth);
  return deepest;
}

/* The frames of the two clamps close the rod, so that its link is the number of turns of the last clamp. */
static void record(example *e, twisting *t) {
  const double angle = 2 * acos(-1) * turns_now(t);
  const topology_ends ends = {.axis = {0, 0, 1}, .first_normal = {1, 0, 0}, .last_normal = {cos(angle), sin(angle), 0}};
  t->topology = topology_of(elastica_rod_get_view(t->rod), &ends);
  t->link_error = fmax(t->link_error, fabs(t->topology.link - turns_now(t)));
  if (t->onset <= 0 && twisting_sideways(t) > 0.1 * TWISTING_RADIUS) t->onset = turns_now(t);
  if (t->contact != NULL) t->deepest = fmax(t->deepest, deepest_overlap(e, t));
}

void twisting_run(example *e, twisting *t, int frames, elastica_csv *csv, elastica_vtk *vtk, elastica_csv *shape) {
  const elastica_rod_view *view = elastica_rod_get_view(t->rod);
  const double duration = t->pull_time + t->twist_time + t->relax_time;
  for (int frame = 1; frame <= frames; frame++) {
    output_frame(&e->output, t->world, vtk);
    example_advance(e, t->world, duration * frame / frames);
    record(e, t);
    example_row(e, csv, elastica_world_get(t->world).time, turns_now(t), t->topology.writhe, t->topology.twist, view->position[2][t->n],
                twisting_sideways(t), t->deepest);
    example_worked(e, duration / frames * t->n * t->n);
  }
  output_frame(&e->output, t->world, vtk);
  for (int i = 0; shape != NULL && i <= t->n; i++) example_row(e, shape, view->position[0][i], view->position[1][i], view->position[2][i]);
}

double twisting_coil_share(const twisting *t) {
  const elastica_rod_view *view = elastica_rod_get_view(t->rod);
  double count = 0, sum = 0, sum2 = 0, gap = 0, gap2 = 0;
  for (int i = 0; i < t->n; i++) {
    for (int j = i + 1; j < t->n; j++) {
      double square = 0;
      for (int a = 0; a < 3; a++) {
        const double *x = view->position[a], d = 0.5 * (x[i] + x[i + 1] - x[j] - x[j + 1]);
        square += d * d;
      }
      const double touching = elastica_rod_radius(view, i) + elastica_rod_radius(view, j);
      if ((j - i) * TWISTING_LENGTH / t->n < 4 * TWISTING_RADIUS || square > touching * touching) continue;
      count++;
      sum += i + j, sum2 += (i + j) * (i + j);
      gap += j - i, gap2 += (j - i) * (j - i);
    }
  }
  if (count < 2) return NAN;
  const double along = sum2 / count - sum / count * sum / count, across = gap2 / count - gap / count * gap / count;
  return along / (along + across);
}
