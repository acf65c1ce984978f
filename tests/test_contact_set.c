/* Definition of contact between rods: groups; groups that can never touch are refused. */
#include "base/target.h"

#include "bodies.h"

static elastica_contact_def layer(void) {
  DEFAULTS(contact, def);
  def.modulus = 1e5;
  return def;
}

TEST(groups_are_not_negative) {
  elastica_world *world = make_world(NULL);
  elastica_body_def ball = ball_def(0.1, 1.0);
  DEFAULTS(rod, rod);
  rod.element_count = 8, rod.length = 1.0, rod.radius = 0.02, rod.density = 1000.0, rod.youngs_modulus = 1e6;
  rod.contact_group = ball.contact_group = ELASTICA_EVERY_GROUP; /* the number that names every group is not a group */
  assert_refused(world, elastica_world_add_rod(world, &rod, NULL), ELASTICA_INVALID_ARGUMENT, "rod_def.contact_group", "-1");
  assert_refused(world, elastica_world_add_body(world, &ball, NULL), ELASTICA_INVALID_ARGUMENT, "body_def.contact_group", "-1");
  assert_int_equal(elastica_world_get(world).rod_count, 0);
  elastica_world_destroy(world);
}

TEST(one_rod_alone_must_be_able_to_touch_itself) {
  elastica_world *world = make_world(NULL);
  const elastica_body_def ball = ball_def(0.1, 1.0);
  elastica_rod *body = add_body(world, &ball), *rod = NULL;
  elastica_effect *contact = NULL;
  elastica_contact_point point;
  int count;
  DEFAULTS(rod, rod_def);
  rod_def.element_count = 8, rod_def.length = 1.0, rod_def.radius = 0.02, rod_def.density = 1000.0, rod_def.youngs_modulus = 1e6;
  rod_def.contact_group = 3;
  must(world, elastica_world_add_rod(world, &rod_def, &rod));
  elastica_contact_def def = layer();
  assert_refused(world, elastica_add_contact(world, body, &def, NULL), ELASTICA_INVALID_ARGUMENT, "add_contact", "rod 0", "rigid body");
  def.self = 0;
  assert_refused(world, elastica_add_contact(world, rod, &def, NULL), ELASTICA_INVALID_ARGUMENT, "contact_def.self is 0");
  def = layer(), def.second_group = 2;
  assert_refused(world, elastica_add_contact(world, rod, &def, NULL), ELASTICA_INVALID_ARGUMENT, "contact_def.second_group is 2",
                 "group 3");
  def.second_group = 3;
  must(world, elastica_add_contact(world, rod, &def, &contact));
  def.first_group = 0;
  assert_refused(world, elastica_contact_set(contact, &def), ELASTICA_INVALID_ARGUMENT, "contact_set", "contact_def.first_group is 0",
                 "group 3");
  assert_refused(world, elastica_contact_get(contact, &point, -1, &count), ELASTICA_INVALID_ARGUMENT, "capacity", "-1");
  elastica_world_destroy(world);
}

TEST(a_snapshot_is_of_a_world_with_these_groups) {
  elastica_world *world[2];
  unsigned char bytes[4096];
  for (int k = 0; k < 2; k++) {
    elastica_body_def ball = ball_def(0.1, 1.0);
    const elastica_contact_def def = layer();
    world[k] = make_world(NULL);
    ball.contact_group = 4 + k;
    add_body(world[k], &ball);
    must(world[k], elastica_add_contact(world[k], NULL, &def, NULL));
  }
  const size_t size = size_of_snapshot(world[0]);
  assert_true(size <= sizeof bytes);
  must(world[0], elastica_world_snapshot_save(world[0], bytes, size, NULL));
  must(world[0], elastica_world_snapshot_load(world[0], bytes, size));
  assert_refused(world[1], elastica_world_snapshot_load(world[1], bytes, size), ELASTICA_INVALID_ARGUMENT, "rod 0", "contact_group 4", "5");
  for (int k = 0; k < 2; k++) elastica_world_destroy(world[k]);
}

TEST(a_query_of_contacts_needs_room_for_its_answers) {
  elastica_world *world = make_world(NULL);
  const elastica_body_def ball = ball_def(0.1, 1.0);
  const elastica_contact_def def = layer();
  elastica_effect *contact = NULL;
  elastica_contact_point point;
  int count = 7;
  add_body(world, &ball);
  must(world, elastica_add_contact(world, NULL, &def, &contact));
  assert_refused(world, elastica_contact_get(contact, &point, 1, NULL), ELASTICA_INVALID_ARGUMENT, "contact_get", "count is NULL");
  assert_refused(world, elastica_contact_get(contact, NULL, 1, &count), ELASTICA_INVALID_ARGUMENT, "contact_get", "points is NULL");
  must(world, elastica_contact_get(contact, NULL, 0, &count));
  assert_int_equal(count, 0);
  elastica_world_destroy(world);
}
