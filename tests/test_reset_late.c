/* Resetting a world whose effects were added on the way: what they had left to the state of a rod is that of its first state, and a snapshot
 * is that of a new world. */
#include "base/target.h"

#include "restarts.h"

static const double dt = 0x1p-14;

/* ---- Effects that were added on the way ---- */

static elastica_rod *add_swinging_rod(elastica_world *world) {
  const double g[3] = {3.0, -9.81, 1.0};
  elastica_rod *rod = add_usual(world, 0, 1);
  must(world, elastica_add_gravity(world, g, NULL));
  return rod;
}

enum { LATE_HOLDS = 9 };

static void add_hold(elastica_world *world, elastica_rod *rod, int which) {
  DEFAULTS(clamp, clamp);
  DEFAULTS(pin, pin);
  clamp.end = which & 1 ? ELASTICA_END_LAST : ELASTICA_END_FIRST;
  clamp.kind = which & 2 ? ELASTICA_CLAMP_FRAME : ELASTICA_CLAMP_HALF_CELL;
  if (which == 4) pin.node = 3;
  if (which == 5) pin.node = -1, pin.axes = ELASTICA_AXIS_Y;
  if (which == 6) pin.hold_frame = 1, pin.element = 2;
  if (which == 7) pin.axes = 0, pin.hold_frame = 1;
  if (which == 8) pin.position[1] = 0.01; /* which alone is given */
  if (which < 4)
    must(world, elastica_add_clamp(world, rod, &clamp, NULL));
  else
    must(world, elastica_add_pin(world, rod, &pin, NULL));
}

TEST(holds_are_where_the_first_state_has_them) {
  for (int which = 0; which < LATE_HOLDS; which++) {
    elastica_world *fresh = make_world(NULL), *world = make_world(NULL);
    add_hold(fresh, add_swinging_rod(fresh), which);
    elastica_rod *rod = add_swinging_rod(world);
    must(world, elastica_world_step(world, dt, 300));
    add_hold(world, rod, which);
    must(world, elastica_world_step(world, dt, 30));
    must(world, elastica_world_reset(world));
    must(world, elastica_world_step(world, dt, 50));
    must(fresh, elastica_world_step(fresh, dt, 50));
    if (hash_course(world) != hash_course(fresh)) fail_msg("hold %d: other bits after a reset", which);
    elastica_world_destroy(fresh), elastica_world_destroy(world);
  }
}

/* A hold that was set since has the place of its definition again. */
TEST(setting_does_not_change_what_was_left_open) {
  elastica_world *fresh = make_world(NULL), *world = make_world(NULL);
  elastica_effect *effect = NULL;
  DEFAULTS(pin, pin);
  must(fresh, elastica_add_pin(fresh, add_swinging_rod(fresh), &pin, NULL));
  elastica_rod *rod = add_swinging_rod(world);
  must(world, elastica_world_step(world, dt, 300));
  must(world, elastica_add_pin(world, rod, &pin, &effect));
  for (int a = 0; a < 3; a++) pin.position[a] = elastica_rod_get_view(rod)->position[a][0] + 1e-4;
  must(world, elastica_pin_set(effect, &pin));
  must(world, elastica_world_step(world, dt, 30));
  must(world, elastica_world_reset(world));
  must(world, elastica_world_step(world, dt, 50));
  must(fresh, elastica_world_step(fresh, dt, 50));
  assert_true(hash_course(world) == hash_course(fresh));
  elastica_world_destroy(fresh), elastica_world_destroy(world);
}

TEST(every_effect_may_come_late) {
  for (int k = 0; k < EFFECT_ROWS; k++) {
    const effect_row *row = &effect_rows[k];
    if (!takes(row, 0)) continue;
    elastica_world *fresh = make_world(NULL), *world = make_world(NULL);
    elastica_rod *rods[2] = {add_row_rod(row, fresh, 0, 1), add_row_rod(row, world, 0, 1)};
    void *def = make_def(row, rods[0], 1.0); /* which may have places of that rod */
    must(fresh, row->add(fresh, row->is & EVERY_ROD ? NULL : rods[0], def, NULL));
    must(world, elastica_world_step(world, dt, 20));
    must(world, row->add(world, row->is & EVERY_ROD ? NULL : rods[1], def, NULL));
    free(def);
    must(world, elastica_world_step(world, dt, 5));
    must(world, elastica_world_reset(world));
    must(world, elastica_world_step(world, dt, 8));
    must(fresh, elastica_world_step(fresh, dt, 8));
    if (hash_course(world) != hash_course(fresh)) fail_msg("%s: other bits after a reset", label_of(row, 0));
    elastica_world_destroy(fresh), elastica_world_destroy(world);
  }
}

/* ---- Snapshots ---- */

static void assert_same_snapshots(elastica_world *world, elastica_world *fresh, const char *what) {
  snapshot a = take_snapshot(world), b = take_snapshot(fresh);
  assert_int_equal(a.size, b.size);
  if (memcmp(a.bytes, b.bytes, a.size) != 0) fail_msg("%s: another snapshot than that of a new world", what);
  free(a.bytes), free(b.bytes);
}

/* Before a step, and after some, of every effect. */
TEST(a_reset_world_has_the_snapshot_of_a_new_one) {
  for (int k = 0; k < EFFECT_ROWS; k++) {
    const effect_row *row = &effect_rows[k];
    elastica_world *worlds[2];
    for (int w = 0; w < 2; w++) {
      worlds[w] = make_world(NULL);
      add_effect_of(row, worlds[w], add_row_rod(row, worlds[w], !takes(row, 0), 1), 1.0);
      if (row->is & EVERY_ROD) add_row_rod(row, worlds[w], 0, 2); /* one that came after the effect */
    }
    must(worlds[1], elastica_world_step(worlds[1], dt, 12));
    must(worlds[1], elastica_world_reset(worlds[1]));
    assert_same_snapshots(worlds[1], worlds[0], label_of(row, 0));
    for (int w = 0; w < 2; w++) must(worlds[w], elastica_world_step(worlds[w], dt, 12));
    assert_same_snapshots(worlds[1], worlds[0], label_of(row, 0));
    elastica_world_destroy(worlds[0]), elastica_world_destroy(worlds[1]);
  }
}

/* The force on a floor, which is kept from the last step, is gone. */
TEST(a_wall_forgets_its_load) {
  const double g[3] = {0.0, 0.0, -9.81};
  elastica_world *worlds[2];
  double force[3];
  for (int w = 0; w < 2; w++) {
    elastica_rod *rod = NULL;
    worlds[w] = make_world(NULL);
    DEFAULTS(rod, def);
    def.element_count = 10, def.length = 0.5, def.radius = 0.01, def.density = 1100.0, def.youngs_modulus = 1e6;
    def.direction[0] = 1.0, def.direction[2] = 0.0, def.start[2] = 0.0099;
    must(worlds[w], elastica_world_add_rod(worlds[w], &def, &rod));
    must(worlds[w], elastica_add_gravity(worlds[w], g, NULL));
    DEFAULTS(wall, wall);
    wall.stiffness = 10.0;
    must(worlds[w], elastica_add_wall(worlds[w], rod, &wall, NULL));
  }
  must(worlds[0], elastica_world_advance(worlds[0], 0.1));
  must(worlds[0], elastica_wall_get_force(elastica_world_effect(worlds[0], 1), force, NULL));
  assert_true(force[2] < 0.0);
  must(worlds[0], elastica_world_reset(worlds[0]));
  must(worlds[0], elastica_wall_get_force(elastica_world_effect(worlds[0], 1), force, NULL));
  assert_true(force[2] == 0.0);
  assert_same_snapshots(worlds[0], worlds[1], "wall");
  elastica_world_destroy(worlds[0]), elastica_world_destroy(worlds[1]);
}
