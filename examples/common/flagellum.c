#include "flagellum.h"

#include <math.h>

enum { ELEMENTS = FLAGELLUM_ELEMENTS, CELLS = FLAGELLUM_CELLS };

static const double TAIL_RADIUS = 7e-6, STIFF_RADIUS = 5.3e-6;                          /* [m] of mass; of stiffness and inertia */
static const double DENSITY = 965, YOUNGS_MODULUS = 3.86e6;                             /* [kg/m^3] [Pa] */
static const double CELL_RADIUS = 10e-6, CELL_LENGTH = 0.107056e-3, CELL_DENSITY = 260; /* [m] [m] [kg/m^3] */
static const double CELL_MODULUS = 3e4, CELL_DAMPING = 1e-6, CELL_SPIN_DAMPING = 1e-12; /* [Pa] [kg/(m s)] [kg m/s] */
static const double STIFFNESS = 0.38, TENSION = 12e-6, VISCOSITY = 1.2e-3;              /* [N/m] [N] [Pa s] */

/* ---- Head and tail ---- */

/* Share of the head in element j. */
static double head_share(const flagellum_plan *plan, int j) {
  return fmin(fmax(plan->head - j, 0), 1);
}

static double stiff_radius(const flagellum_plan *plan) {
  return STIFF_RADIUS * (plan->tail_radius / TAIL_RADIUS);
}

/* Radius of an element that is partly head: from the mean of the areas. */
static double mean_radius(double share, double head, double tail) {
  return share >= 1 ? head : share <= 0 ? tail : sqrt(share * head * head + (1 - share) * tail * tail);
}

/* Stiffness of two parts in series. */
static double in_series(double share, double head, double tail) {
  return share >= 1 ? head : share <= 0 ? tail : 1 / (share / head + (1 - share) / tail);
}

static double second_moment(double radius) {
  return acos(-1) * pow(radius, 4) / 4;
}

/* ---- The authors' joint ---- */

typedef struct glue {
  int body, cells; /* numbers of the rods */
  double stiffness;
  int element; /* the first end of the cells is beside this element, the second end beside the next, both at this share of its length */
  double share;
  double arm[2]; /* [m] */
  int first;     /* the couples act on it and on the next two, by 1 - after, 2 after - 1 and -after */
  double after;
} glue;

/* Pulls a node of the cells to its point beside element j of the body; returns the moment about z of the opposite force on the body. */
static double pull_cell(const glue *by, elastica_world_loads *all, int end) {
  const elastica_rod_view *body = all->rods[by->body], *cells = all->rods[by->cells];
  const double *const *t = body->tangent;
  const int j = by->element + end, node = end * CELLS;
  const double across = sqrt(t[X][j] * t[X][j] + t[Y][j] * t[Y][j]);
  const double arm[3] = {by->arm[end] * t[Y][j] / across, -by->arm[end] * t[X][j] / across, 0}; /* -h unit(z x edge) */
  double force[3];
  for (int a = 0; a < 3; a++) {
    const double point = (1 - by->share) * body->position[a][j] + by->share * body->position[a][j + 1] + arm[a];
    force[a] = by->stiffness * (cells->position[a][node] - point);
    all->loads[by->cells].force[a][node] -= force[a];
  }
  return arm[X] * force[Y] - arm[Y] * force[X];
}

static elastica_status pull_cells(void *self, const elastica_instant *now, elastica_world_loads *all) {
  const glue *by = self;
  const elastica_rod_view *body = all->rods[by->body];
  (void)now;
  const double first = pull_cell(by, all, 0), second = pull_cell(by, all, 1);
  const double couple = (first - second) / 4; /* a half is the mean; the authors halve it again */
  const double share[3] = {1 - by->after, 2 * by->after - 1, -by->after};
  for (int q = 0; q < 3; q++)
    for (int d = 0; d < 3; d++) all->loads[by->body].couple[d][by->first + q] += share[q] * couple * body->director[d][Z][by->first + q];
  return ELASTICA_OK;
}

static elastica_status bound_glue(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *bounds) {
  const glue *by = self;
  const double share[3] = {1 - by->after, 1, by->after}, arm = fmax(by->arm[0], by->arm[1]);
  (void)now;
  for (int q = 0; q < 2; q++)
    if (rod->rod_index == by->cells) bounds->node[q * CELLS] += 2 * by->stiffness;
  for (int q = 0; q < 3; q++)
    if (rod->rod_index == by->body) bounds->element[by->first + q] += share[q] * (by->stiffness * arm * arm);
  return ELASTICA_OK;
}

static glue make_glue(const flagellum_plan *plan) {
  glue by = {.stiffness = STIFFNESS};
  const double middle = plan->beside - 0.5; /* whole numbers are at the middles of elements */
  by.element = (int)floor(plan->beside), by.share = plan->beside - by.element;
  by.first = (int)floor(middle), by.after = middle - by.first;
  for (int q = 0; q < 2; q++) {
    double radius[2];
    for (int k = 0; k < 2; k++) radius[k] = mean_radius(head_share(plan, by.first + q + k), plan->head_radius, stiff_radius(plan));
    by.arm[q] = (1 - by.after) * radius[0] + by.after * radius[1];
  }
  return by;
}

static void add_authors_joint(example *e, const flagellum *of, const flagellum_plan *plan) {
  glue by = make_glue(plan);
  elastica_module module;
  by.body = elastica_rod_get_view(of->body)->rod_index, by.cells = elastica_rod_get_view(of->cells)->rod_index;
  elastica_module_init(&module, sizeof module);
  module.name = "authors' joint";
  module.self = &by;
  module.self_size = sizeof by;
  module.add_world_loads = pull_cells;
  module.add_stiffness = bound_glue;
  module.parallel_safe = 1;
  example_require(e, of->world, elastica_world_add_module(of->world, NULL, &module, NULL));
}

static void add_balls(example *e, const flagellum *of, const flagellum_plan *plan) {
  const glue by = make_glue(plan);
  for (int q = 0; q < 2; q++) {
    elastica_joint_def ball;
    elastica_joint_def_init(&ball, sizeof ball);
    ball.first = (elastica_anchor){.rod = of->body, .element = by.element + q, .share = by.share, .offset = {0, by.arm[q], 0}}; /* d2: -y */
    ball.second = (elastica_anchor){.rod = of->cells, .element = q * (CELLS - 1), .share = q};
    ball.stiffness = STIFFNESS;
    example_require(e, of->world, elastica_add_joint(of->world, &ball, NULL));
  }
}

/* ---- Filament, cells, fluid ---- */

static elastica_rod_def along_x(int n, double length, double density, double youngs_modulus, double rotary) {
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.length = length, def.density = density;
  def.youngs_modulus = youngs_modulus, def.shear_modulus = 2 * youngs_modulus / 3; /* as in all of the authors' programs */
  def.direction[X] = 1, def.direction[Z] = 0;
  def.normal[X] = def.normal[Y] = 0, def.normal[Z] = 1;
  def.rotary_inertia_scale = rotary;
  return def;
}

/* A joint's stiffness is the mean of its two elements. The authors' joint j is as stiff as element j, also the joint between head and
 * tail. Alternating stiffnesses of the elements of the head give the same, with the higher stiffness at the last element before the
 * tail. */
static double alternating(const flagellum_plan *plan, int j) {
  const int last = (int)floor(plan->head);
  const double head = second_moment(plan->head_radius), tail = second_moment(stiff_radius(plan));
  const double low = 2 * in_series(plan->head - last, head, tail) - tail;
  return j > last ? tail : (last - j) % 2 == 0 ? low : 2 * head - low;
}

static elastica_rod *add_body(example *e, elastica_world *world, const flagellum_plan *plan) {
  const double young = YOUNGS_MODULUS, pi = acos(-1), length = FLAGELLUM_LENGTH / ELEMENTS, stiff = stiff_radius(plan);
  double radius[ELEMENTS], shear[3 * ELEMENTS], bend[3 * ELEMENTS], inertia[3 * ELEMENTS];
  elastica_rod *rod = NULL;
  elastica_rod_def def = along_x(ELEMENTS, FLAGELLUM_LENGTH, DENSITY, young, plan->rotary);
  for (int j = 0; j < ELEMENTS; j++) {
    const double head = head_share(plan, j), r = plan->head_radius;
    const double second = head * second_moment(r) + (1 - head) * second_moment(stiff);
    radius[j] = mean_radius(head, r, plan->tail_radius);
    for (int d = 0; d < 3; d++) {
      const double polar = d == 2 ? 2 : 1, modulus = d == 2 ? 2 * young / 3 : young, factor = d == 2 ? young : 4.0 / 3 * 2 * young / 3;
      shear[component(j, d)] = in_series(head, pi * r * r * factor, pi * stiff * stiff * factor);
      bend[component(j, d)] = modulus * polar * alternating(plan, j);
      inertia[component(j, d)] = DENSITY * length * polar * second;
    }
  }
  def.element_radius = radius;
  def.shear_stiffness = shear, def.bend_stiffness = bend, def.inertia = inertia;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static elastica_status beat(void *user, double time, double x, double *activation) {
  (void)user, (void)x;
  *activation = fabs(sin(2 * acos(-1) * (FLAGELLUM_BEATS / 2) * time));
  return ELASTICA_OK;
}

static elastica_rod *add_cells(example *e, elastica_world *world, const flagellum_plan *plan) {
  elastica_rod *rod = NULL;
  elastica_rod_def def = along_x(CELLS, CELL_LENGTH, CELL_DENSITY, CELL_MODULUS, 1);
  def.start[X] = plan->beside * CELL_LENGTH, def.start[Y] = -make_glue(plan).arm[0]; /* the cells are as long as one element */
  def.radius = CELL_RADIUS;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));

  elastica_dissipation_def friction;
  elastica_dissipation_def_init(&friction, sizeof friction);
  friction.translation = CELL_DAMPING, friction.rotation = CELL_SPIN_DAMPING;
  example_require(e, world, elastica_add_dissipation(world, rod, &friction, NULL));
  elastica_contraction_def tension;
  elastica_contraction_def_init(&tension, sizeof tension);
  tension.maximum_force = TENSION;
  tension.function = beat;
  example_require(e, world, elastica_add_contraction(world, rod, &tension, NULL));
  return rod;
}

static void add_fluid(example *e, elastica_world *world, elastica_rod *rod) {
  elastica_drag_def drag;
  elastica_drag_def_init(&drag, sizeof drag);
  drag.viscosity = VISCOSITY;
  example_require(e, world, elastica_add_drag(world, rod, &drag, NULL));
}

void flagellum_build(example *e, flagellum *of, const flagellum_plan *plan) {
  elastica_world *world = example_papers_world(e);
  *of = (flagellum){.world = world};
  of->body = add_body(e, world, plan);
  of->cells = add_cells(e, world, plan);
  add_fluid(e, world, of->body);
  if (plan->wet_cells) add_fluid(e, world, of->cells);
  if (plan->joint == FLAGELLUM_AUTHORS) add_authors_joint(e, of, plan);
  if (plan->joint == FLAGELLUM_BALLS) add_balls(e, of, plan);
}
