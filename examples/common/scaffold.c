#include "scaffold_muscle.h"

#include <math.h>

static const double SPRING = 5e8, ALIGNMENT = 5e4, DAMPER = 5e3;                     /* [g/s^2] [g/s^2] [g mm^2/s] */
static const double GROUND = 1e6, GROUND_DAMPER = 1e4, AT_REST = 0.42, MOVING = 0.3; /* [g/s^2] [g/s] */
static const double LEG = 1.75, MODULUS = 3.194e5, LONG_LEG = 3.4, SHORT_LEG = 2.8;  /* [mm] [Pa] [mm] [mm] */

/* ---- Rods ---- */

typedef struct bar_def {
  int n;
  double start[3], direction[3], normal[3], length, radius;
} bar_def;

static elastica_rod_def material(int is_muscle, int n) {
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.density = is_muscle ? 1.06e-3 : 1.12e-3;
  def.youngs_modulus = is_muscle ? 1e4 : MODULUS;
  def.shear_modulus = 2 * def.youngs_modulus / 3;
  return def;
}

static void add(example *e, scaffold *of, int number, const elastica_rod_def *def) {
  elastica_rod *rod = NULL;
  example_require(e, of->world, elastica_world_add_rod(of->world, def, &rod));
  of->rod[number] = elastica_rod_get_view(rod);
}

static elastica_rod_def straight(int is_muscle, const bar_def *b) {
  elastica_rod_def def = material(is_muscle, b->n);
  for (int a = 0; a < 3; a++) def.start[a] = b->start[a], def.direction[a] = b->direction[a], def.normal[a] = b->normal[a];
  def.length = b->length;
  def.radius = b->radius;
  return def;
}

/* Stiffness and inertia [3 n] of a section with another radius than that of the mass, and another modulus than that of def. */
static void stiffen(elastica_rod_def *def, int j, double radius, double young, double inertia_length, double *shear, double *bend,
                    double *inertia) {
  const double area = acos(-1) * radius * radius, second = area * area / (4 * acos(-1)), shear_modulus = 2 * young / 3;
  for (int a = 0; a < 3; a++) {
    const double modulus = a < 2 ? 4 * shear_modulus / 3 : young;
    shear[3 * j + a] = modulus * area;
    bend[3 * j + a] = a < 2 ? young * second : 2 * shear_modulus * second;
    inertia[3 * j + a] = def->density * inertia_length * second * (a < 2 ? 1 : 2);
  }
  def->shear_stiffness = shear, def->bend_stiffness = bend, def->inertia = inertia;
}

/* A beam of half the density, softer in the middle. */
static void add_beam(example *e, scaffold *of, int number, double x) {
  double shear[48], bend[48], inertia[48];
  const bar_def b = {16, {x, 0, 3.5}, {0, -1, 0}, {1, 0, 0}, 14, 0.8786};
  elastica_rod_def def = straight(0, &b);
  for (int j = 0; j < 16; j++) {
    const int bridge = j >= 4 && j < 12;
    stiffen(&def, j, bridge ? 0.5842 : 0.8786, bridge ? of->plan.bridge_modulus : MODULUS, 0.875, shear, bend, inertia);
  }
  def.density /= 2;
  add(e, of, number, &def);
}

/* A rectangle with overlapping ends; the corners are part of the rest shape. */
static void add_ring(example *e, scaffold *of, int number, double y, double step_y, double z) {
  double position[75], inertia[72], side = 0.29 * 0.29 * acos(-1) * 0.29 * 0.29 / 4, x = -2.05;
  elastica_rod_def def = material(1, 24);
  for (int i = 0; i < 25; i++) {
    const int at = i % 22;
    position[component(i, X)] = x, position[component(i, Y)] = y, position[component(i, Z)] = z;
    if (at < 7)
      x += 7.6 / 7;
    else if (at < 11)
      y += step_y;
    else if (at < 18)
      x -= 7.6 / 7;
    else
      y -= step_y;
  }
  for (int k = 0; k < 72; k++) inertia[k] = def.density * 0.1 * side * (k % 3 == 2 ? 2 : 1); /* the authors' inertia, with 0.1 mm */
  def.position = position;
  def.inertia = inertia;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.29;
  def.normal[X] = def.normal[Y] = 0, def.normal[Z] = 1;
  add(e, of, number, &def);
}

/* A strip from one ring to the other, which may be lower. */
static void add_strip(example *e, scaffold *of, int number, double x, double z, double end) {
  double shear[12], bend[12], inertia[12];
  const double ahead = 5.48, length = hypot(ahead, end - z), along = ahead / length, up = (end - z) / length;
  const bar_def b = {4, {x, -4.27, z}, {0, -along, up}, {0, up, along}, length, 0.227};
  elastica_rod_def def = straight(1, &b);
  for (int j = 0; j < 4; j++) stiffen(&def, j, 0.29, def.youngs_modulus, length / 4, shear, bend, inertia);
  add(e, of, number, &def);
}

/* Initial height of a ring, before the scaffold falls: that of the original design, shifted like the place of its contact on the
 * standing legs. */
static double ring_height(const scaffold *of, int ring) {
  const double at = 3 + ring % 2, original = ring % 2 ? 0.9 : 1.5, leg = ring < 12 ? LONG_LEG : of->plan.short_leg;
  const double shorter = ring < 12 ? 0 : SHORT_LEG - leg;
  return original - shorter * (1 - at / SCAFFOLD_LEG_ELEMENTS) - of->plan.lower * leg / SCAFFOLD_LEG_ELEMENTS;
}

static void add_rods(example *e, scaffold *of) {
  for (int k = 0; k < 2; k++) add_beam(e, of, k, 3.5 * k);
  for (int k = 0; k < 4; k++) {
    const bar_def leg = {SCAFFOLD_LEG_ELEMENTS,
                         {3.5 * (k / 2), k % 2 ? -12.25 : -1.75, 3.5},
                         {0, 0, -1},
                         {1, 0, 0},
                         k % 2 ? LONG_LEG : of->plan.short_leg,
                         LEG};
    const elastica_rod_def def = straight(0, &leg);
    add(e, of, SCAFFOLD_LEGS + k, &def);
  }
  for (int k = 0; k < 4; k++) {
    const elastica_rod_view *leg = of->rod[SCAFFOLD_LEGS + k % 2];
    const int node = k < 2 ? 0 : 4;
    const bar_def cross = {5, {0, leg->position[Y][node], leg->position[Z][node]}, {1, 0, 0}, {0, 0, 1}, 3.5, 0.72};
    const elastica_rod_def def = straight(0, &cross);
    add(e, of, SCAFFOLD_CROSSES + k, &def);
  }
  for (int k = 0; k < 4; k++)
    add_ring(e, of, SCAFFOLD_RINGS + k, k < 2 ? -14.35 : 0.33, k < 2 ? 1.15 : -1.15, ring_height(of, SCAFFOLD_RINGS + k));
  for (int k = 0; k < 4; k++)
    add_strip(e, of, SCAFFOLD_STRIPS + k, of->rod[12]->position[X][13 + k], ring_height(of, 12), ring_height(of, 10));
}

/* ---- Springs ---- */

static void tie(scaffold *of, int first, int node, int second, int at, double stiffness, unsigned axes) {
  of->links[of->link_count++] = (link){{first, second}, {node, at}, stiffness / of->plan.softer, {0, 0, 0}, {axes, axes}, 1};
}

static void tie_rods(scaffold *of) {
  static const int ties[][4] = {{0, 2, 6, 0}, {0, 14, 7, 0}, {1, 2, 6, 5}, {1, 14, 7, 5}, {0, 2, 2, 0}, {0, 14, 3, 0},
                                {1, 2, 4, 0}, {1, 14, 5, 0}, {2, 4, 8, 0}, {4, 4, 8, 5},  {3, 4, 9, 0}, {5, 4, 9, 5}};
  for (size_t k = 0; k < sizeof ties / sizeof *ties; k++)
    tie(of, ties[k][0], ties[k][1], ties[k][2], ties[k][3], SPRING, ELASTICA_AXIS_ALL);
  for (int ring = SCAFFOLD_RINGS; ring < SCAFFOLD_STRIPS; ring++) tie(of, ring, 0, ring, 22, SCAFFOLD_MUSCLE_SPRING, ELASTICA_AXIS_ALL);
  for (int ring = SCAFFOLD_RINGS; ring < SCAFFOLD_STRIPS; ring += 2)
    for (int i = 12; i <= 17; i++) tie(of, ring, i, ring + 1, i, SCAFFOLD_MUSCLE_SPRING, ELASTICA_AXIS_X | ELASTICA_AXIS_Y);
  for (int k = 0; k < 4; k++) {
    tie(of, 12, 13 + k, SCAFFOLD_STRIPS + k, 0, SCAFFOLD_MUSCLE_SPRING, ELASTICA_AXIS_ALL);
    tie(of, 10, 13 + k, SCAFFOLD_STRIPS + k, 4, SCAFFOLD_MUSCLE_SPRING, ELASTICA_AXIS_ALL);
  }
}

/* ---- Couples that align bars with beams ---- */

typedef struct alignment {
  int beam, element, director; /* element with the wanted direction */
  double sign, reach;          /* [mm] */
  int bar, bar_element, far;   /* its end at the bar; the node with the prescribed place */
  double bar_sign;
} alignment;

/* Legs hang down by their length: reach 0. */
static const alignment ALIGNMENTS[] = {{0, 2, 0, 1, 3.5, 6, 0, 5, 1},    {0, 14, 0, 1, 3.5, 7, 0, 5, 1}, {1, 2, 0, -1, 3.5, 6, 4, 0, -1},
                                       {1, 14, 0, -1, 3.5, 7, 4, 0, -1}, {0, 2, 1, -1, 0, 2, 0, 6, 1},   {0, 14, 1, -1, 0, 3, 0, 6, 1},
                                       {1, 2, 1, -1, 0, 4, 0, 6, 1},     {1, 14, 1, -1, 0, 5, 0, 6, 1}};
enum { ALIGNED = sizeof ALIGNMENTS / sizeof *ALIGNMENTS, ALIGNED_CROSSES = 4, ALIGNED_LEGS = 4 };

static double reach_of(const scaffold *of, const alignment *at) {
  return at->reach > 0 ? at->reach : at->element == 2 ? of->plan.short_leg : LONG_LEG;
}

/* Q (u x factor d) with u a director times sign. */
static void turn(const elastica_world_loads *loads, int rod, int j, int director, double sign, const double d[3], double factor) {
  const elastica_rod_view *view = loads->rods[rod];
  double u[3], moment[3], couple[3];
  for (int a = 0; a < 3; a++) u[a] = sign * factor * view->director[director][a][j];
  for (int a = 0; a < 3; a++) moment[a] = u[(a + 1) % 3] * d[(a + 2) % 3] - u[(a + 2) % 3] * d[(a + 1) % 3];
  elastica_rotate_to_material(view, j, moment, couple);
  for (int a = 0; a < 3; a++) loads->loads[rod].couple[a][j] += couple[a];
}

/* The module of the ties between rods; its history belongs to the dampers. */
typedef struct ties {
  const scaffold *of;
  int moved;                                       /* 1: a previous step exists */
  double rate[ALIGNED_LEGS], couple[ALIGNED_LEGS]; /* of the leg against the beam [rad/s]; on the leg */
} ties;

/* The couple of a damper c between two elements that come to rest relative to each other within a step. With the rate r, the other
 * couples T and dt (1/J_1 + 1/J_2) = a the couple is -c (r + a T)/(1 + c a), that is c times the rate at the end of the step. T is taken
 * from the previous step. */
static void damp(ties *self, const elastica_world_loads *loads, const alignment *of, double dt) {
  const int leg = (int)(of - ALIGNMENTS) - ALIGNED_CROSSES;
  const elastica_rod_view *beam = loads->rods[of->beam], *bar = loads->rods[of->bar];
  const double a = dt * (1 / beam->inertia[0][of->element] + 1 / bar->inertia[0][0]), rate = bar->omega[0][0] - beam->omega[0][of->element];
  const double others = self->moved ? (rate - self->rate[leg]) / a - self->couple[leg] : 0,
               couple = -DAMPER * (rate + a * others) / (1 + DAMPER * a);
  self->rate[leg] = rate, self->couple[leg] = couple;
  loads->loads[of->beam].couple[0][of->element] -= couple;
  loads->loads[of->bar].couple[0][0] += couple;
}

static void align(ties *self, const elastica_world_loads *loads, double dt) {
  for (const alignment *of = ALIGNMENTS; of < ALIGNMENTS + ALIGNED; of++) {
    const elastica_rod_view *beam = loads->rods[of->beam], *bar = loads->rods[of->bar];
    double off[3];
    for (int a = 0; a < 3; a++)
      off[a] = bar->position[a][of->far] - beam->position[a][of->element] -
               of->sign * reach_of(self->of, of) * beam->director[of->director][a][of->element];
    turn(loads, of->beam, of->element, of->director, of->sign, off, ALIGNMENT);
    turn(loads, of->bar, of->bar_element, 2, of->bar_sign, off, -ALIGNMENT);
    if (of - ALIGNMENTS >= ALIGNED_CROSSES && dt > 0) damp(self, loads, of, dt);
  }
  self->moved = dt > 0;
}

/* ---- The whole scaffold ---- */

static elastica_status act(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  const scaffold *of = ((ties *)self)->of;
  links_pull(of->links, of->link_count, loads);
  align(self, loads, now->dt);
  scaffold_contract(of, now->time, loads);
  return ELASTICA_OK;
}

static elastica_status bound(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const scaffold *of = ((ties *)self)->of;
  const int k = now->rod_index;
  links_bound(of->links, of->link_count, k, stiffness);
  for (const alignment *at = ALIGNMENTS; at < ALIGNMENTS + ALIGNED; at++) {
    if (at->beam == k) stiffness->element[at->element] += 2 * ALIGNMENT * reach_of(of, at);
    if (at->bar == k) stiffness->element[at->bar_element] += 2 * ALIGNMENT * reach_of(of, at);
  }
  scaffold_bound_muscles(of, k, rod, stiffness);
  return ELASTICA_OK;
}

/* ---- Weight, dissipation, and the ground below the legs ---- */

static elastica_status weigh(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const int n = rod->element_count, stiff = now->rod_index < SCAFFOLD_STIFF;
  double length = 0;
  (void)self;
  for (int j = 0; j < n; j++) length += rod->rest_length[j];
  const double nu = (stiff ? 0.13 + 0.3 * exp(-now->time / 0.1) : 0.05) * length / n;
  for (int i = 0; i <= n; i++) {
    loads->drag[i] += i == 0 || i == n ? nu / 2 : nu;
    if (i < n) loads->spin_drag[i] += nu;
    if (stiff) loads->force[Z][i] -= 9810 * rod->mass[i];
  }
  return ELASTICA_OK;
}

/* Two points of the foot act on its last node, the second on the remainder of the first. The damper uses the speed at the end of the
 * step; friction at most stops the node. */
static elastica_status stand(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const int foot = rod->element_count;
  const double mass = rod->mass[foot];
  double pressed = 0, lifted = 0, damper = 0, v[3], f[3], needed[2];
  (void)self;
  for (int a = 0; a < 3; a++) v[a] = rod->velocity[a][foot], f[a] = loads->total_force[a][foot];
  for (int side = -1; side <= 1; side += 2) {
    const double z = rod->position[Z][foot] + side * LEG * rod->director[1][Z][foot - 1];
    if (z >= 1e-4) continue;
    const double reaction = fmax(0, -(f[Z] + lifted));
    pressed += reaction;
    lifted += reaction - GROUND * fmin(z, 0);
    damper += GROUND_DAMPER;
  }
  lifted -= damper * (v[Z] + now->dt * (f[Z] + lifted) / mass) / (1 + damper * now->dt / mass);
  loads->force[Z][foot] += lifted;
  if (pressed <= 0 || now->dt <= 0) return ELASTICA_OK;
  const double speed = sqrt(v[X] * v[X] + v[Y] * v[Y]);
  for (int a = 0; a < 2; a++) needed[a] = -(mass * v[a] / now->dt + f[a]);
  const double size = sqrt(needed[X] * needed[X] + needed[Y] * needed[Y]), most = (speed <= 1e-4 ? AT_REST : MOVING) * pressed;
  for (int a = 0; a < 2 && size > 0; a++) loads->force[a][foot] += fmin(1, most / size) * needed[a];
  return ELASTICA_OK;
}

static elastica_status bound_foot(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  (void)self, (void)now;
  stiffness->node[rod->element_count] += 2 * GROUND;
  return ELASTICA_OK;
}

/* ---- The scaffold ---- */

static elastica_module module_of(const char *name) {
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = name;
  module.stateless = 1;
  module.parallel_safe = 1;
  module.needs_derived = 0;
  return module;
}

/* Prescribes x of the beams, in their middles and at the legs. */
static void guide(example *e, const scaffold *of) {
  static const int node[] = {2, 8, 14};
  for (int k = 0; k < 6; k++) {
    elastica_boundary_def pin;
    elastica_boundary_def_init(&pin, sizeof pin);
    pin.kind = ELASTICA_BOUNDARY_PIN;
    pin.node = node[k % 3];
    pin.axes = ELASTICA_AXIS_X;
    example_require(e, of->world, elastica_add_boundary(of->world, elastica_world_rod(of->world, k / 3), &pin, NULL));
  }
}

void scaffold_build(example *e, scaffold *of, const scaffold_plan *plan) {
  *of = (scaffold){.world = example_papers_world(e), .plan = *plan};
  elastica_module weight = module_of("weight"), ground = module_of("ground"), springs = module_of("scaffold");
  const ties self = {.of = of};
  add_rods(e, of);
  tie_rods(of);
  links_weigh(of->world, of->links, of->link_count);
  weight.add_loads = weigh;
  springs.self = &self, springs.self_size = sizeof self, springs.stateless = 0;
  springs.add_world_loads = act, springs.add_stiffness = bound;
  ground.add_reactions = stand, ground.add_stiffness = bound_foot;
  example_require(e, of->world, elastica_world_add_module(of->world, NULL, &weight, NULL));
  example_require(e, of->world, elastica_world_add_module(of->world, NULL, &springs, NULL));
  for (int k = 0; k < SCAFFOLD_RODS; k++) {
    elastica_rod *rod = elastica_world_rod(of->world, k);
    elastica_axial_viscosity_def viscosity;
    elastica_axial_viscosity_def_init(&viscosity, sizeof viscosity);
    viscosity.viscosity = 10;
    viscosity.start_time = 0.01, viscosity.ramp_time = 0.05;
    if (k >= SCAFFOLD_LEGS && k < SCAFFOLD_CROSSES) example_require(e, of->world, elastica_world_add_module(of->world, rod, &ground, NULL));
    example_require(e, of->world, elastica_add_axial_viscosity(of->world, rod, &viscosity, NULL));
  }
  if (plan->guided) guide(e, of);
}
