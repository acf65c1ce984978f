#include "bone.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 }; /* elements of any rod here */

/* ---- Masses ---- */

static void *grow(const example *e, const elastica_world *world, void *block, size_t count, size_t size) {
  void *grown = realloc(block, count * size);
  if (!grown) example_require(e, world, ELASTICA_OUT_OF_MEMORY);
  return grown;
}

static double by_rule(const double *mass, int n, int node) {
  return mass[node < n ? node : n - 1];
}

/* An element with the smaller mass of its two nodes gives each at most half of its mass. */
static double light(const double *mass, int n, int j) {
  return fmin(by_rule(mass, n, j), by_rule(mass, n, j + 1));
}

elastica_rod *mass_table_rod(example *e, elastica_world *world, mass_table *table, const elastica_rod_def *def, const double *mass) {
  elastica_rod_def made = *def;
  elastica_rod *rod = NULL;
  double density[MOST];
  const int n = def->element_count, index = elastica_world_get(world).rod_count;
  for (int j = 0; j < n; j++) {
    const double radius = def->element_radius ? def->element_radius[j] : def->radius;
    density[j] = light(mass, n, j) / (acos(-1) * radius * radius * def->length / n);
  }
  made.element_density = density;
  example_require(e, world, elastica_world_add_rod(world, &made, &rod));

  table->start = grow(e, world, table->start, (size_t)index + 1, sizeof *table->start);
  table->added = grow(e, world, table->added, (size_t)(table->nodes + n + 1), sizeof *table->added);
  while (table->rods <= index) table->start[table->rods++] = -1; /* bodies before it add nothing */
  table->start[index] = table->nodes;
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int i = 0; i <= n; i++) table->added[table->nodes++] = fmax(by_rule(mass, n, i) - view->mass[i], 0);
  return rod;
}

elastica_rod *mass_table_even_rod(example *e, elastica_world *world, mass_table *table, const elastica_rod_def *def, double mass) {
  double masses[MOST];
  for (int j = 0; j < def->element_count; j++) masses[j] = mass;
  return mass_table_rod(e, world, table, def, masses);
}

static elastica_status prepare(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  const mass_table *table = self;
  if (rod->rod_index >= table->rods || table->start[rod->rod_index] < 0) return ELASTICA_OK;
  const double *added = table->added + table->start[rod->rod_index];
  for (int i = 0; i < rod->node_count; i++) preparation->mass[i] += added[i];
  return ELASTICA_OK;
}

void mass_table_add(example *e, elastica_world *world, mass_table *table) {
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "nodal masses";
  module.self = table;
  module.stateless = 1;
  module.parallel_safe = 1, module.needs_derived = module.needs_geometry = 0;
  module.prepare = prepare;
  example_require(e, world, elastica_world_add_module(world, NULL, &module, NULL));
}

void mass_table_free(mass_table *table) {
  free(table->added);
  free(table->start);
  *table = (mass_table){0};
}

/* ---- Bones ---- */

static double second_moment(double radius) {
  return acos(-1) * radius * radius * radius * radius / 4;
}

static double element_mass(const bone_plan *plan, int j) {
  return plan->density * acos(-1) * plan->radius[j] * plan->radius[j] * plan->length / plan->n;
}

void bone_node(const bone *of, int node, double place[3]) {
  const double *along = of->frame + 6;
  for (int a = 0; a < 3; a++) place[a] = of->plan.start[a] + of->plan.length * node / of->plan.n * along[a];
}

/* d1 = z, d2 = d3 x d1: for bones in the x-y plane. */
static void find_frame(bone *of) {
  const double *d = of->plan.direction, length = sqrt(d[X] * d[X] + d[Y] * d[Y]);
  const double frame[9] = {0, 0, 1, d[Y] / length, -d[X] / length, 0, d[X] / length, d[Y] / length, 0};
  memcpy(of->frame, frame, sizeof frame);
}

static void add_rod(example *e, elastica_world *world, mass_table *table, bone *of) {
  const bone_plan *plan = &of->plan;
  double mass[BONE_MOST], bend[3 * BONE_MOST], inertia[3 * BONE_MOST];
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  for (int j = 0; j < plan->n; j++) {
    const double moment = second_moment(plan->radius[j]);
    const double stiff = second_moment(plan->bend_radius[j] > 0 ? plan->bend_radius[j] : plan->radius[j]);
    mass[j] = element_mass(plan, j);
    for (int a = 0; a < 3; a++) {
      inertia[3 * j + a] = plan->inertia_density * plan->inertia_length[j] * moment * (a == 2 ? 2 : 1);
      bend[3 * j + a] = a == 2 ? 2 * plan->shear_modulus * stiff : plan->youngs_modulus * stiff;
    }
  }
  def.element_count = plan->n, def.length = plan->length;
  memcpy(def.start, plan->start, sizeof def.start);
  memcpy(def.direction, plan->direction, sizeof def.direction);
  memcpy(def.normal, of->frame, sizeof def.normal);
  def.element_radius = plan->radius;
  def.youngs_modulus = plan->youngs_modulus, def.shear_modulus = plan->shear_modulus;
  def.bend_stiffness = bend, def.inertia = inertia;
  of->rod = mass_table_rod(e, world, table, &def, mass);
}

/* About the centre, in the frame of the bone: nodes on d3, and elements. */
static void add_body(example *e, elastica_world *world, bone *of) {
  const bone_plan *plan = &of->plan;
  elastica_body_def def;
  double mass[BONE_MOST], sum = 0, first = 0, across = 0, along = 0;
  elastica_body_def_init(&def, sizeof def);
  for (int j = 0; j < plan->n; j++) mass[j] = element_mass(plan, j);
  for (int i = 0; i <= plan->n; i++) {
    const double own = by_rule(mass, plan->n, i), s = plan->length * i / plan->n;
    sum += own, first += own * s, across += own * s * s;
  }
  across -= first * first / sum;
  for (int j = 0; j < plan->n; j++) {
    const double own = plan->inertia_density * plan->inertia_length[j] * second_moment(plan->radius[j]);
    across += own, along += 2 * own;
  }
  for (int a = 0; a < 3; a++) def.position[a] = of->centre[a] = plan->start[a] + first / sum * of->frame[6 + a];
  memcpy(def.director, of->frame, sizeof def.director);
  memset(def.inertia, 0, sizeof def.inertia);
  def.inertia[0] = def.inertia[4] = across, def.inertia[8] = along;
  def.shape = ELASTICA_SHAPE_CAPSULE;
  def.radius = plan->radius[plan->n / 2], def.length = plan->length - 2 * def.radius;
  def.mass = sum;
  example_require(e, world, elastica_world_add_body(world, &def, &of->rod));
}

bone bone_add(example *e, elastica_world *world, mass_table *table, const bone_plan *plan, int rigid) {
  bone of = {.plan = *plan, .rigid = rigid};
  find_frame(&of);
  if (rigid)
    add_body(e, world, &of);
  else
    add_rod(e, world, table, &of);
  return of;
}

elastica_anchor bone_anchor(const bone *of, int element, double share, const double point[3]) {
  elastica_anchor anchor = {.rod = of->rod, .element = of->rigid ? 0 : element, .share = of->rigid ? 0 : share};
  double from[3];
  if (of->rigid)
    memcpy(from, of->centre, sizeof from);
  else
    bone_node(of, element + (share > 0.5), from);
  for (int k = 0; k < 3; k++)
    for (int a = 0; a < 3; a++) anchor.offset[k] += of->frame[3 * k + a] * (point[a] - from[a]);
  return anchor;
}

/* ---- Ties ---- */

elastica_effect *tie(example *e, elastica_world *world, elastica_anchor first, elastica_anchor second, double stiffness,
                     double angular_stiffness) {
  elastica_joint_def joint;
  elastica_effect *effect = NULL;
  elastica_joint_def_init(&joint, sizeof joint);
  joint.kind = angular_stiffness == 0 ? ELASTICA_JOINT_BALL : ELASTICA_JOINT_FIXED;
  joint.first = first, joint.second = second;
  joint.stiffness = stiffness;
  if (angular_stiffness != 0) joint.angular_stiffness = angular_stiffness;
  example_require(e, world, elastica_add_joint(world, &joint, &effect));
  return effect;
}
