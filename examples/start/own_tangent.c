/* An effect of your own in statics: a magnetised beam in a field against its magnetisation buckles at a critical field. The effect gives
 * its loads and their tangent; relaxation then finds equilibria in few evaluations, and judges their stability exactly.
 *
 * formula  A couple M b sin(angle) per volume turns the beam away, so B angle'' + A M b angle = 0 from the clamp to the free end, and the
 *          critical field is b = pi^2 B/(4 A M L^2). */
#include <elastica.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct magnet {
  double magnetisation; /* [A/m] along the rod */
  double field[3];      /* [T] laboratory */
} magnet;

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

/* C = V M d3 x Q b in each element, material: d3 = (0, 0, 1). */
static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const magnet *of = self;
  (void)now;
  for (int j = 0; j < rod->element_count; j++) {
    double b[3];
    elastica_rotate_to_material(rod, j, of->field, b);
    loads->couple[0][j] -= rod->volume[j] * of->magnetisation * b[1];
    loads->couple[1][j] += rod->volume[j] * of->magnetisation * b[0];
  }
  return ELASTICA_OK;
}

/* A turn phi of the frame changes Q b by Q b x phi. Minus the derivative of d3 x Q b is then b3 1 - Q b d3^T. The couple has the potential
 * -V M d3 . Q b, so `unsymmetric` stays 0. */
static elastica_status add_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  const magnet *of = self;
  (void)now;
  for (int j = 0; j < rod->element_count; j++) {
    const elastica_part frame = {rod, j, 1}; /* rows and columns: the couple on element j, and its turn */
    const double size = rod->volume[j] * of->magnetisation;
    double b[3];
    elastica_rotate_to_material(rod, j, of->field, b);
    const double block[9] = {size * b[2], 0, -size * b[0], 0, size * b[2], -size * b[1], 0, 0, 0};
    tangent->add(tangent->owner, frame, frame, block);
  }
  return ELASTICA_OK;
}

int main(void) {
  const double pi = 3.14159265358979, magnetisation = 60e3;
  elastica_world *world = NULL;
  elastica_rod *beam = NULL;
  elastica_effect *effect = NULL;
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 50, def.length = 0.02, def.radius = 0.0005; /* [m] along z */
  def.density = 2000, def.youngs_modulus = 1e6;                   /* [kg/m^3] [Pa] silicone with magnetic powder */
  must(world, elastica_world_add_rod(world, &def, &beam));
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  must(world, elastica_add_boundary(world, beam, &clamp, NULL));

  elastica_module own;
  elastica_module_init(&own, sizeof own);
  magnet of = {magnetisation, {0, 0, 0}};
  own.name = "magnet", own.self = &of, own.self_size = sizeof of; /* copied */
  own.add_loads = add_loads, own.add_tangent = add_tangent;
  must(world, elastica_world_add_module(world, beam, &own, &effect));

  double stable = 0, unstable = 0.1; /* [T] fields of known verdict */
  while (unstable - stable > 1e-7) {
    elastica_relax_result result;
    of.field[2] = -(stable + unstable) / 2;
    must(world, elastica_effect_set_module(effect, &own)); /* copies `of` again */
    must(world, elastica_world_relax(world, NULL, &result));
    *(result.stable ? &stable : &unstable) = -of.field[2];
  }
  const double area = pi * def.radius * def.radius, bending = def.youngs_modulus * area * def.radius * def.radius / 4;
  printf("critical field: %.6f T, by the formula %.6f T\n", stable,
         pi * pi * bending / (4 * area * magnetisation * def.length * def.length));

  of.field[0] = 1e-4, of.field[2] = -2 * unstable; /* a small field aside chooses the side */
  elastica_relax_result result;
  must(world, elastica_effect_set_module(effect, &own));
  must(world, elastica_world_relax(world, NULL, &result));
  printf("at twice that field the tip stands aside by %.3f of the length, %s, after %ld evaluations\n",
         elastica_rod_get_view(beam)->position[0][def.element_count] / def.length, result.stable ? "stable" : "unstable",
         result.evaluations);
  elastica_world_destroy(world);
  return 0;
}
