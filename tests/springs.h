/* Springs between the nodes of two rods: a module with add_world_loads. */
#ifndef TESTS_SPRINGS_H
#define TESTS_SPRINGS_H

#include "scenes.h"

typedef struct springs {
  int first, second;   /* numbers of the rods */
  double rate;         /* k/m_i [1/s^2] */
  double rest[3];      /* [m] from the first to the second at rest */
  long calls;          /* number of calls of the hook: its history */
  elastica_status end; /* the status that the hook returns */
} springs;

static inline elastica_status pull_together(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  springs *s = self;
  const elastica_rod_view *one = loads->rods[s->first], *other = loads->rods[s->second];
  s->calls++;
  if (now->rod_index != -1 || loads->struct_size != sizeof *loads) return ELASTICA_INVALID_ARGUMENT;
  for (int i = 0; i < one->node_count && i < other->node_count; i++)
    for (int a = 0; a < 3; a++) {
      const double force = s->rate * one->mass[i] * (other->position[a][i] - one->position[a][i] - s->rest[a]);
      loads->loads[s->first].force[a][i] += force;
      loads->loads[s->second].force[a][i] -= force;
    }
  return s->end;
}

static inline elastica_status bound_springs(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                            elastica_stiffness *stiffness) {
  const springs *s = self;
  (void)now;
  for (int i = 0; i < rod->node_count && (rod->rod_index == s->first || rod->rod_index == s->second); i++)
    stiffness->node[i] += 2.0 * s->rate * rod->mass[i];
  return ELASTICA_OK;
}

static inline elastica_module module_of(const springs *s) {
  elastica_module module = module_named("springs");
  module.self = s;
  module.self_size = sizeof *s;
  module.parallel_safe = 1;
  module.needs_derived = 0;
  module.add_world_loads = pull_together;
  module.add_stiffness = bound_springs;
  return module;
}

static inline elastica_effect *add_springs(elastica_world *world, const springs *s) {
  const elastica_module module = module_of(s);
  elastica_effect *effect = NULL;
  must(world, elastica_world_add_module(world, NULL, &module, &effect));
  return effect;
}

/* A straight rod along z at x with velocity v along x. */
static inline elastica_rod *add_standing_rod(elastica_world *world, double x, double v) {
  double velocity[3 * 11];
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = 10;
  def.start[0] = x;
  def.length = 1.0, def.radius = 0.05, def.density = 1000.0, def.youngs_modulus = 1e6;
  for (int i = 0; i < 11; i++) set_vector(velocity, i, v, 0.0, 0.0);
  def.velocity = velocity;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static const springs usual = {0, 1, 50.0, {0.5, 0.0, 0.0}, 0, ELASTICA_OK};

/* Two rods on springs; a third rod swings beside them under gravity, drag and a wall. */
static inline elastica_world *make_mixed_world(size_t tile_size, int workers) {
  elastica_world_def def = default_world();
  def.tile_size = tile_size;
  def.worker_count = workers;
  elastica_world *world = make_world(&def);
  add_standing_rod(world, 0.0, 0.2);
  add_standing_rod(world, 0.4, -0.2);
  fill_cantilever(world);
  DEFAULTS(dissipation, dissipation);
  dissipation.translation = 0.01;
  must(world, elastica_add_dissipation(world, NULL, &dissipation, NULL));
  return world;
}

#endif
