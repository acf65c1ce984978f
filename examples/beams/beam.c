/* The rod of a beam, relaxed in steps of the load. */
#include "beams/beam.h"
#include "common/right_angle.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A force that keeps its components on the frame of the last element. */
typedef struct follower {
  double force[3]; /* material */
} follower;

static elastica_status push(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const follower *of = self;
  double force[3];
  (void)now;
  elastica_rotate_to_laboratory(rod, rod->element_count - 1, of->force, force);
  for (int a = 0; a < 3; a++) loads->force[a][rod->element_count] += force[a];
  return ELASTICA_OK;
}

static elastica_module follower_module(const follower *of) {
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "follower";
  module.self = of;
  module.self_size = sizeof *of;
  module.parallel_safe = 1;
  module.needs_derived = 0;
  module.add_loads = push;
  return module;
}

static void across(const beam *b, double d2[3]) {
  for (int a = 0; a < 3; a++) {
    const int p = (a + 1) % 3, q = (a + 2) % 3;
    d2[a] = b->tangent[p] * b->d1[q] - b->tangent[q] * b->d1[p];
  }
}

/* Components of factor v in the frame of the clamp. */
static void to_clamp(const beam *b, double factor, const double v[3], double out[3]) {
  double d2[3];
  across(b, d2);
  out[0] = out[1] = out[2] = 0;
  for (int a = 0; a < 3; a++) {
    out[0] += factor * v[a] * b->d1[a];
    out[1] += factor * v[a] * d2[a];
    out[2] += factor * v[a] * b->tangent[a];
  }
}

/* Shape at rest: place [3 (n + 1)] of the nodes. The turn about d1 by the angle phi takes d3 to cos(phi) d3 - sin(phi) d2. */
static void find_nodes(const beam *b, int n, double *place) {
  const double l = b->length / n, bow = b->curvature * l, chord = bow == 0 ? l : 2 / b->curvature * sin(bow / 2);
  double d2[3];
  across(b, d2);
  for (int i = 0; i <= n; i++) {
    const double angle = bow * (i - 0.5);
    for (int a = 0; a < 3; a++) {
      if (i == 0) {
        place[a] = b->start[a];
      } else {
        place[component(i, a)] = place[component(i - 1, a)] + chord * (cos(angle) * b->tangent[a] - sin(angle) * d2[a]);
      }
    }
  }
}

typedef struct loaded {
  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *tip, *gravity, *follower;
  double factor; /* of the tendon */
} loaded;

static elastica_status pull(void *user, double time, double length, double rate, double *activation) {
  (void)time, (void)length, (void)rate;
  *activation = *(const double *)user;
  return ELASTICA_OK;
}

static double *per_element(const example *e, int n, const double value[3]) {
  double *all = malloc(3 * (size_t)n * sizeof *all);
  if (!all) example_require(e, NULL, ELASTICA_OUT_OF_MEMORY);
  for (int j = 0; j < n; j++) memcpy(all + component(j, X), value, 3 * sizeof *value);
  return all;
}

static void add_rod(example *e, loaded *l, const beam *b, int n) {
  elastica_rod_def def;
  elastica_boundary_def clamp;
  elastica_rod_def_init(&def, sizeof def);
  double *place = malloc(3 * ((size_t)n + 1) * sizeof *place), *shear = per_element(e, n, b->shear), *bend = per_element(e, n, b->bend);
  if (!place) example_require(e, NULL, ELASTICA_OUT_OF_MEMORY);
  find_nodes(b, n, place);
  def.element_count = n;
  def.position = place;
  def.rest = ELASTICA_REST_INITIAL;
  memcpy(def.normal, b->d1, sizeof def.normal);
  def.radius = b->length / 100; /* of the picture, and of masses that statics does not see */
  def.density = 1 / (acos(-1) * def.radius * def.radius);
  def.shear_stiffness = shear;
  def.bend_stiffness = bend;
  example_require(e, l->world, elastica_world_add_rod(l->world, &def, &l->rod));
  elastica_boundary_def_init(&clamp, sizeof clamp);
  example_require(e, l->world, elastica_add_boundary(l->world, l->rod, &clamp, NULL));
  free(place);
  free(shear);
  free(bend);
}

/* The legs along x and -y. */
static void add_legs(example *e, loaded *l, const beam *b, int n) {
  right_angle angle = right_angle_of(1, 1);
  elastica_rod *leg[2];
  angle.leg = b->length / 2;
  memcpy(angle.shear, b->shear, sizeof angle.shear);
  memcpy(angle.bend, b->bend, sizeof angle.bend);
  right_angle_add(e, l->world, &angle, n / 2, leg);
  l->rod = leg[1];
}

static elastica_point_load_def tip_load(const beam *b, double factor) {
  elastica_point_load_def def;
  elastica_point_load_def_init(&def, sizeof def);
  for (int a = 0; a < 3; a++) def.force[a] = b->force_turns ? 0 : factor * b->force[a];
  if (b->couple_turns) {
    to_clamp(b, factor, b->couple, def.couple);
  } else {
    def.couple_in_laboratory = 1;
    for (int a = 0; a < 3; a++) def.couple[a] = factor * b->couple[a];
  }
  return def;
}

static follower following(const beam *b, double factor) {
  follower out;
  to_clamp(b, factor, b->force, out.force);
  return out;
}

static void add_tendon(example *e, loaded *l, const beam *b) {
  elastica_tendon_def def;
  elastica_tendon_def_init(&def, sizeof def);
  def.rod = l->rod;
  def.offset[X] = b->offset;
  def.tension = b->tension;
  def.drive = pull;
  def.user = &l->factor;
  example_require(e, l->world, elastica_add_tendon(l->world, &def, NULL));
}

static void load(example *e, loaded *l, const beam *b, double factor) {
  const elastica_point_load_def tip = tip_load(b, factor);
  l->factor = factor;
  example_require(e, l->world, elastica_point_load_set(l->tip, &tip));
  if (l->gravity) {
    const double weight[3] = {factor * b->weight[X], factor * b->weight[Y], factor * b->weight[Z]}; /* mass per length 1 */
    example_require(e, l->world, elastica_gravity_set(l->gravity, weight));
  }
  if (l->follower) {
    const follower of = following(b, factor);
    const elastica_module module = follower_module(&of);
    example_require(e, l->world, elastica_effect_set_module(l->follower, &module));
  }
}

static void add_loads(example *e, loaded *l, const beam *b) {
  const elastica_point_load_def tip = tip_load(b, 0);
  example_require(e, l->world, elastica_add_point_load(l->world, l->rod, &tip, &l->tip));
  if (b->weight[X] != 0 || b->weight[Y] != 0 || b->weight[Z] != 0)
    example_require(e, l->world, elastica_add_gravity(l->world, (const double[]){0, 0, 0}, &l->gravity));
  if (b->force_turns) {
    const follower of = following(b, 0);
    const elastica_module module = follower_module(&of);
    example_require(e, l->world, elastica_world_add_module(l->world, l->rod, &module, &l->follower));
  }
  if (b->tension > 0) add_tendon(e, l, b);
}

beam_rest beam_relax(example *e, const beam *b, int n, const char *name) {
  beam_rest out = {{0}, 1, 0, ""};
  loaded l = {.world = example_world(e)};
  if (b->has_corner)
    add_legs(e, &l, b, n);
  else
    add_rod(e, &l, b, n);
  add_loads(e, &l, b);
  elastica_vtk *vtk = name ? example_vtk(e, l.world, name) : NULL;
  output_frame(&e->output, l.world, vtk);
  for (int k = 1; k <= b->steps && out.factor == 1; k++) {
    elastica_relax_result rest;
    load(e, &l, b, (double)k / b->steps);
    if (!example_try_relax(e, l.world, &rest)) {
      out.factor = (k - 1.0) / b->steps;
      snprintf(out.sentence, sizeof out.sentence, "%s", elastica_world_message(l.world));
    }
    out.evaluations += rest.evaluations;
    output_frame(&e->output, l.world, vtk);
  }
  const elastica_rod_view *view = elastica_rod_get_view(l.rod);
  for (int a = 0; a < 3; a++) out.tip[a] = view->position[a][view->element_count];
  example_worked(e, (double)n * b->steps);
  example_done(e, l.world);
  return out;
}
