/* Relaxation with each request for memory refused in turn: OUT_OF_MEMORY, a sentence, and a snapshot with the same bytes as before,
 * friction of contacts included. The next call succeeds as if no request had been refused.
 */
#include "rationed_memory.h"

static const double radius = 0.02, modulus = 1e5; /* [m] of rods, [Pa] of layers */
enum { ROWS = 3, MOST_REQUESTS = 400 };

static elastica_rod *add_rod(elastica_world *world, double x, double y, double z, int along) {
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = 8;
  def.length = 0.5, def.radius = radius;
  def.density = 1000.0, def.youngs_modulus = 1e6;
  def.start[0] = x, def.start[1] = y, def.start[2] = z;
  for (int a = 0; a < 3; a++) def.direction[a] = a == along;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* Rods in layers, crossed, in contact with each other and with the ground, or below a ball with the lowest rods clamped; after some
 * steps, so that contacts have friction. */
static elastica_world *make_heap(memory_ration *memory, double friction, int rigid) {
  elastica_world *world = make_rationed_world(memory);
  for (int k = 0; k < ROWS; k++)
    for (int side = 0; side < 2; side++) {
      const double beside = 0.1 + 0.3 * side, height = radius + 1.98 * radius * k - 5e-4;
      elastica_rod *rod = add_rod(world, k % 2 ? beside : 0.0, k % 2 ? 0.0 : beside, height, k % 2);
      DEFAULTS(boundary, clamp);
      if (rigid && k == 0) must(world, elastica_add_boundary(world, rod, &clamp, NULL));
    }
  if (rigid) {
    DEFAULTS(body, body);
    body.radius = radius, body.mass = 0.1;
    body.position[0] = body.position[1] = 0.1, body.position[2] = (2.98 + 1.98 * (ROWS - 1)) * radius - 1e-3;
    must(world, elastica_world_add_body(world, &body, NULL));
  }
  DEFAULTS(contact, contact);
  contact.modulus = modulus, contact.friction = friction;
  DEFAULTS(obstacle, ground);
  ground.kind = ELASTICA_OBSTACLE_ELASTIC;
  ground.modulus = modulus, ground.friction = friction;
  DEFAULTS(dissipation, drag);
  drag.translation = 5.0, drag.rotation = 1e-3;
  must(world, elastica_add_gravity(world, (double[]){0.5, 0.0, -9.81}, NULL));
  must(world, elastica_add_dissipation(world, NULL, &drag, NULL));
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  if (!rigid) must(world, elastica_add_obstacle(world, NULL, &ground, NULL));
  must(world, elastica_world_advance(world, 0.05));
  return world;
}

static size_t save(elastica_world *world, unsigned char **bytes) {
  const size_t size = size_of_snapshot(world);
  *bytes = realloc(*bytes, size);
  assert_non_null(*bytes);
  must(world, elastica_world_snapshot_save(world, *bytes, size, NULL));
  return size;
}

static elastica_status relax_roughly(elastica_world *world) {
  DEFAULTS(relax, def);
  def.tolerance = 1e-3, def.evaluation_limit = 60, def.step_limit = 64; /* converged or not: all parts of relaxation run */
  return elastica_world_relax(world, &def, NULL);
}

static void claim_nothing_changes(double friction, int rigid) {
  memory_ration memory = plenty(), rich = plenty();
  elastica_world *free_world = make_heap(&rich, friction, rigid);
  const elastica_status expected = relax_roughly(free_world);
  unsigned char *before = NULL, *after = NULL;
  long refused = 0;
  assert_true(expected == ELASTICA_OK || expected == ELASTICA_NOT_CONVERGED);
  for (long request = 0; request < MOST_REQUESTS; request++) {
    elastica_world *world = make_heap(&memory, friction, rigid);
    const size_t size = save(world, &before);
    memory.refused_call = memory.calls + request;
    const elastica_status status = relax_roughly(world);
    const int asked = memory.calls > memory.refused_call;
    memory.refused_call = -1;
    if (status == ELASTICA_OUT_OF_MEMORY) {
      assert_true(elastica_world_message(world)[0] != '\0');
      if (save(world, &after) != size || memcmp(before, after, size) != 0) fail_msg("request %ld: the snapshot has changed", request);
      assert_int_equal(relax_roughly(world), expected);
      refused++;
    } else if (status != expected) {
      fail_msg("request %ld: %s: %s", request, elastica_status_text(status), elastica_world_message(world));
    }
    if (hash_world(world) != hash_world(free_world)) fail_msg("request %ld: it comes to rest elsewhere", request);
    elastica_world_destroy(world);
    assert_int_equal(memory.blocks, 0);
    memory = plenty();
    if (!asked) {
      assert_true(refused >= 3);
      break;
    }
    assert_true(request + 1 < MOST_REQUESTS);
  }
  free(before), free(after);
  elastica_world_destroy(free_world);
}

TEST(without_friction) {
  claim_nothing_changes(0.0, 0);
}

TEST_LONG(with_friction) {
  claim_nothing_changes(0.3, 0);
}

TEST_LONG(among_rigid_bodies) {
  claim_nothing_changes(0.3, 1);
}
