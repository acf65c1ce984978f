#include "feather.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The table of barbs ---- */

static void note(example *e, elastica_world *world, barb_table *barbs, const elastica_rod *rod, double stands_for, elastica_effect *joint) {
  const int index = elastica_rod_get_view(rod)->rod_index, count = index + 1;
  double *more = realloc(barbs->stands_for, (size_t)count * sizeof *more);
  elastica_effect **joints = more ? realloc(barbs->joint, (size_t)count * sizeof *joints) : NULL;
  if (more) barbs->stands_for = more;
  if (joints) barbs->joint = joints;
  if (!more || !joints) example_require(e, world, ELASTICA_OUT_OF_MEMORY);
  for (; barbs->rods < count; barbs->rods++) more[barbs->rods] = 0, joints[barbs->rods] = NULL;
  more[index] = stands_for;
  joints[index] = joint;
  barbs->barbs += stands_for > 0;
}

void barb_table_free(barb_table *barbs) {
  free(barbs->stands_for);
  free(barbs->joint);
  *barbs = (barb_table){0};
}

/* ---- Rods ---- */

/* A uniform rod with the rotary inertia of the kind's density, for any mass. */
static elastica_rod *add_rod(example *e, elastica_world *world, mass_table *masses, const feather_kind *kind, elastica_rod_def def,
                             double mass, double times, double stiffer) {
  const int n = def.element_count;
  double shear[3 * SHAFT_ELEMENTS], bend[3 * SHAFT_ELEMENTS], inertia[3 * SHAFT_ELEMENTS];
  const double area = acos(-1) * def.radius * def.radius, moment = area * def.radius * def.radius / 4;
  for (int k = 0; k < 3 * n; k++) {
    const int twist = k % 3 == 2;
    shear[k] = times * area * (twist ? kind->youngs_modulus : 4.0 / 3 * kind->shear_modulus);
    bend[k] = times * stiffer * moment * (twist ? 2 * kind->shear_modulus : kind->youngs_modulus);
    inertia[k] = times * kind->density * def.length / n * moment * (twist ? 2 : 1);
  }
  def.shear_stiffness = shear, def.bend_stiffness = bend, def.inertia = inertia;
  return mass_table_even_rod(e, world, masses, &def, times * mass / n);
}

static void cross(const double a[3], const double b[3], double c[3]) {
  for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* ---- Barbs ---- */

typedef struct barb {
  double at, side;     /* distance from the root; +1 or -1 */
  double turned, dip;  /* d2 towards d3; against -d1 */
  double length, mass; /* as factors */
  double stands_for;
} barb;

/* Additional dissipation of a barb that represents several; all rods have the dissipation of one barb. */
static void damp(example *e, elastica_world *world, elastica_rod *rod, double drag) {
  elastica_dissipation_def def;
  elastica_dissipation_def_init(&def, sizeof def);
  def.translation = def.rotation = drag;
  if (drag > 0) example_require(e, world, elastica_add_dissipation(world, rod, &def, NULL));
}

static void add_barb(example *e, elastica_world *world, mass_table *masses, barb_table *barbs, const feather_kind *kind,
                     const feather_plan *plan, elastica_rod *shaft, const double frame[9], const barb *of) {
  const double edge = plan->length / SHAFT_ELEMENTS,
               full = kind->density * acos(-1) * kind->barb_radius * kind->barb_radius * kind->barb_length;
  const double *d1 = frame, *d2 = frame + 3, *d3 = frame + 6;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = BARB_ELEMENTS, def.radius = kind->barb_radius, def.length = of->length * kind->barb_length;
  for (int a = 0; a < 3; a++) {
    def.start[a] = plan->start[a] + of->at * d3[a];
    def.direction[a] = d3[a] + sin(of->turned) * d3[a] + of->side * (cos(of->turned) * d2[a] - of->dip * d1[a]);
  }
  if (of->side > 0)
    cross(d3, def.direction, def.normal);
  else
    cross(def.direction, d3, def.normal);
  elastica_rod *rod = add_rod(e, world, masses, kind, def, of->mass * full, of->stands_for, 1);

  const int element = (int)floor(of->at / edge);
  const elastica_anchor on = {.rod = shaft, .element = element, .share = of->at / edge - element};
  elastica_effect *joint = tie(e, world, on, (elastica_anchor){.rod = rod}, of->stands_for * kind->barb_stiffness, NAN);
  note(e, world, barbs, rod, of->stands_for, joint);
  damp(e, world, rod, (of->stands_for - 1) * kind->drag);
}

/* The factor of the length of pair j of the vane, and its mass. */
static double vane_factor(const feather_kind *kind, int j) {
  const double short_by = fmax(0, kind->fluff - 1 - j) / kind->fluff;
  return 1 - short_by * short_by;
}

/* Adds the middle pair of each group of `every` pairs. */
static void add_barbs(example *e, elastica_world *world, mass_table *masses, barb_table *barbs, const feather_kind *kind,
                      const feather_plan *plan, elastica_rod *shaft, const double frame[9]) {
  const double degree = acos(-1) / 180;
  for (int fan = 0; fan < 2; fan++) {
    const int pairs = fan ? kind->fan : plan->pairs;
    for (int first = 0; first < pairs; first += plan->every) {
      const int behind = first + plan->every < pairs ? first + plan->every : pairs, j = (first + behind - 1) / 2;
      barb of = {.at = kind->first_barb + kind->next_barb * j, .dip = 0.08, .length = vane_factor(kind, j), .stands_for = behind - first};
      of.mass = of.length;
      if (fan) {
        of.at = plan->fan_at, of.turned = 5 * degree * j, of.dip = 0.08 * (kind->fan - j) / kind->fan;
        of.length = 1 + j / 20.0, of.mass = plan->fan_grows ? of.length : 1;
      }
      for (of.side = 1; of.side >= -1; of.side -= 2) add_barb(e, world, masses, barbs, kind, plan, shaft, frame, &of);
    }
  }
}

elastica_rod *feather_add(example *e, elastica_world *world, mass_table *masses, barb_table *barbs, const feather_kind *kind,
                          const feather_plan *plan) {
  const double *d = plan->direction, length = sqrt(d[X] * d[X] + d[Y] * d[Y]);
  const double frame[9] = {0, 0, 1, d[Y] / length, -d[X] / length, 0, d[X] / length, d[Y] / length, 0};
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = SHAFT_ELEMENTS, def.radius = kind->shaft_radius, def.length = plan->length;
  memcpy(def.start, plan->start, sizeof def.start);
  memcpy(def.direction, frame + 6, sizeof def.direction);
  memcpy(def.normal, frame, sizeof def.normal);
  const double slender = plan->length / kind->longest;
  elastica_rod *shaft = add_rod(e, world, masses, kind, def, plan->mass, 1, kind->stiffer * slender * slender);
  note(e, world, barbs, shaft, 0, tie(e, world, plan->root, (elastica_anchor){.rod = shaft}, kind->root_stiffness, kind->root_turning));
  add_barbs(e, world, masses, barbs, kind, plan, shaft, frame);
  return shaft;
}

/* ---- Air ---- */

typedef struct still_air {
  const barb_table *barbs;
  double coefficient;
} still_air;

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const still_air *air = self;
  const double stands_for = now->rod_index < air->barbs->rods ? air->barbs->stands_for[now->rod_index] : 0;
  if (stands_for == 0) return ELASTICA_OK;
  const double *const *v = rod->velocity;
  for (int i = 1; i < rod->element_count; i++)
    loads->drag[i] += air->coefficient * stands_for * rod->length[i] * sqrt(v[0][i] * v[0][i] + v[1][i] * v[1][i] + v[2][i] * v[2][i]);
  return ELASTICA_OK;
}

elastica_effect *still_air_add(example *e, elastica_world *world, const barb_table *barbs, double coefficient) {
  const still_air air = {barbs, coefficient};
  elastica_effect *effect = NULL;
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "still air";
  module.self = &air, module.self_size = sizeof air;
  module.stateless = module.parallel_safe = 1;
  module.needs_derived = 0;
  module.add_loads = add_loads;
  example_require(e, world, elastica_world_add_module(world, NULL, &module, &effect));
  return effect;
}
