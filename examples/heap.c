/* Heap: rods laid across each other in layers, each slightly turned, come to rest in a box; with --full five such stacks side by side.
 *
 * source    our own scene; friction with a tangential spring is that of Cundall and Strack, 1979
 * claim     contact between many rods dissipates energy, never adds any, and keeps every rod outside every other
 * compared  with bounds: the total energy above its minimum so far, over the initial potential energy; the deepest overlap; the motion
 *           of nodes between two samples of the overlap, so that no crossing of two axes is missed
 *
 * Friction and damper dissipate energy; the sum of the energies of motion, elastic layers, tangential springs, bending, stretch and
 * weight may only decrease. The walls of the box balance the load of their nodes.
 */
#include "common/example.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 20, PER_LAYER = 8, PER_STACK = 200, MOST_POINTS = 200000 };
static const double LENGTH = 0.4, RADIUS = 0.01, DENSITY = 1000, YOUNGS_MODULUS = 1e6, BOX = 0.55; /* [m] [m] [kg/m^3] [Pa] [m] */
static const double MODULUS = 1e6, DAMPING = 10, FRICTION = 0.3;                                   /* [Pa] [Pa s] */
static const double FRAME = 0.001;                                                                 /* [s] */

typedef struct heap {
  elastica_world *world;
  elastica_effect *gravity, *contact;
  int rods, stacks;
  elastica_contact_point *points;
  double least, rise, deepest, fastest; /* [J] [J] [m] [m/s] */
  double kinetic, touching;             /* final values [J]; contacts per rod */
} heap;

/* A number in -1/2..1/2, the same on all machines. */
static double scatter(int k) {
  unsigned x = (unsigned)k * 2654435761u + 12345u;
  x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
  return (double)(x & 0xffffu) / 65535.0 - 0.5;
}

static void add_rods(example *e, heap *h) {
  for (int k = 0; k < h->rods; k++) {
    const int stack = k / PER_STACK, layer = k % PER_STACK / PER_LAYER;
    const double middle = BOX * (stack - 0.5 * (h->stacks - 1));
    const double yaw = (layer % 2 ? acos(0) : 0) + 0.5 * scatter(k / PER_LAYER), beside = 0.05 * (k % PER_LAYER - 0.5 * (PER_LAYER - 1));
    elastica_rod_def def;
    elastica_rod_def_init(&def, sizeof def);
    def.element_count = ELEMENTS;
    def.length = LENGTH, def.radius = RADIUS, def.density = DENSITY, def.youngs_modulus = YOUNGS_MODULUS;
    def.direction[X] = cos(yaw), def.direction[Y] = sin(yaw), def.direction[Z] = 0;
    def.start[X] = middle - 0.5 * LENGTH * cos(yaw) - beside * sin(yaw);
    def.start[Y] = -0.5 * LENGTH * sin(yaw) + beside * cos(yaw);
    def.start[Z] = 1.05 * RADIUS + 2.05 * RADIUS * layer;
    example_require(e, h->world, elastica_world_add_rod(h->world, &def, NULL));
  }
}

static void add_box(example *e, heap *h) {
  for (int side = 0; side < 5; side++) {
    elastica_obstacle_def wall;
    elastica_obstacle_def_init(&wall, sizeof wall);
    const double inward = side % 2 ? -1 : 1;
    wall.normal[Z] = 0;
    wall.normal[side / 2] = inward;
    wall.position[side / 2] = side == 4 ? 0 : -0.5 * inward * BOX * (side < 2 ? h->stacks : 1);
    wall.stiffness = 2e3, wall.damping = 1;
    example_require(e, h->world, elastica_add_obstacle(h->world, NULL, &wall, NULL));
  }
}

static void build(example *e, heap *h, int rods) {
  *h = (heap){.world = example_world(e), .rods = rods, .stacks = (rods + PER_STACK - 1) / PER_STACK, .least = INFINITY};
  h->points = malloc(MOST_POINTS * sizeof *h->points);
  if (h->points == NULL) example_require(e, h->world, ELASTICA_OUT_OF_MEMORY);
  add_rods(e, h);
  elastica_contact_def contact;
  elastica_contact_def_init(&contact, sizeof contact);
  contact.modulus = MODULUS, contact.damping = contact.tangential_damping = DAMPING, contact.friction = FRICTION;
  example_require(e, h->world, elastica_add_gravity(h->world, (const double[3]){0, 0, -9.81}, &h->gravity));
  add_box(e, h);
  example_require(e, h->world, elastica_add_contact(h->world, NULL, &contact, &h->contact));
}

/* ---- The run ---- */

static void look(example *e, heap *h, elastica_csv *csv) {
  elastica_totals energy;
  int count;
  double depth = 0;
  example_require(e, h->world, elastica_world_get_totals(h->world, &energy));
  example_require(e, h->world, elastica_contact_get(h->contact, h->points, MOST_POINTS, &count));
  for (int k = 0; k < count && k < MOST_POINTS; k++) depth = fmax(depth, h->points[k].depth);
  for (int k = 0; k < h->rods; k++) h->fastest = fmax(h->fastest, example_speed(elastica_world_rod(h->world, k)));
  const double kinetic = energy.translation + energy.rotation, total = kinetic + energy.bending + energy.shear + energy.effects;
  h->least = fmin(h->least, total);
  h->rise = fmax(h->rise, total - h->least);
  h->deepest = fmax(h->deepest, depth);
  h->kinetic = kinetic;
  h->touching = (double)count / h->rods;
  example_row(e, csv, elastica_world_get(h->world).time, total, kinetic, elastica_effect_energy(h->contact), depth / RADIUS, count);
}

static void settle(example *e, int rods, double until) {
  heap h;
  build(e, &h, rods);
  elastica_csv *csv = example_csv(e, "heap.csv");
  elastica_vtk *vtk = example_vtk(e, h.world, "heap");
  const double start = elastica_effect_energy(h.gravity);
  const int frames = (int)(until / FRAME + 0.5);
  look(e, &h, csv);
  const double first = h.least;
  for (int frame = 1; frame <= frames; frame++) {
    example_advance(e, h.world, frame * FRAME);
    look(e, &h, csv);
    if (frame % 20 == 0) output_frame(&e->output, h.world, vtk);
    example_worked(e, 1);
  }
  example_check(e, h.rise / start, 0, 1e-3, "energy_gained_over_weight");
  example_check(e, h.deepest / RADIUS, 0, 0.2, "deepest_overlap_in_radii");
  example_check(e, h.fastest * FRAME / RADIUS, 0, 0.5, "way_between_looks_in_radii");
  example_inform(e, (first - h.least) / start, "energy_lost_over_weight");
  example_inform(e, h.kinetic / start, "motion_left_over_weight");
  example_inform(e, h.touching, "contacts_for_each_rod");
  example_done(e, h.world);
  free(h.points);
}

static const example_file FILES[] = {
    {"heap.csv", "time [s],total energy [J],of motion [J],of contact [J],deepest overlap [radii],contacts [-]", "one row for each ms",
     FILE_ALWAYS},
    {"heap.pvd", NULL, "all rods, each 20 ms", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "heap",
                               .title = "rods in layers settle in a box, with friction",
                               .quick = "24 rods for 0.1 s; 1 s",
                               .normal = "200 rods of 20 elements for 0.3 s; 15 s",
                               .full = "1,000 rods of 20 elements for 0.5 s; 10 min",
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int full = e.options.mode == EXAMPLE_FULL, quick = e.options.mode == EXAMPLE_QUICK;
  const int rods = quick ? 24 : full ? 1000 : 200;
  const double until = quick ? 0.1 : full ? 0.5 : 0.3;
  example_expect(&e, until / FRAME);
  settle(&e, rods, until);
  example_plot(&e, 1300, 480, NULL, "%d rods of %d elements", rods, ELEMENTS);
  return example_end(&e);
}
