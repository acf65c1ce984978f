/* Elastic obstacles: history is kept through batches, threads and snapshots, the listed contacts sum to the total, and some rods are
 * excluded. */
#include "base/target.h"

#include "obstacles.h"

/* ---- History ------------------------------------------------------------------------------------------------------------------------- */

/* Rods with sliding contact on a turning cylinder, a box and a plane. */
static elastica_world *make_scene(int workers, int turning) {
  elastica_world_def world_def = default_world();
  world_def.worker_count = workers;
  world_def.tile_size = 16;
  world_def.allow_unstable_step = 1;
  elastica_world *world = make_world(&world_def);
  elastica_obstacle_def floor = obstacle_of(ELASTICA_SHAPE_PLANE, 1e5), box = obstacle_of(ELASTICA_SHAPE_BOX, 1e5);
  floor.friction = 0.3, floor.damping = 5.0;
  box.friction = 0.5, box.position[2] = 0.05;
  if (turning) box.motion = tumble;
  for (int k = 0; k < 6; k++)
    (void)add_stick(world, 7, (double[3]){0.3 * k - 0.8, 0.02 * k, 0.0198 + (k == 3 ? 0.175 : 0.0)}, (double[3]){0.3, 1.0, 0.01}, 0.3, 0.02,
                    1e6);
  elastica_body_def ball = ball_def(0.04, 0.2);
  ball.position[0] = 1.5, ball.position[2] = 0.05, ball.velocity[0] = 0.5;
  add_body(world, &ball);
  add_obstacle_to(world, &floor);
  add_obstacle_to(world, &box);
  tilt(world, 0.2);
  return world;
}

TEST(bits_do_not_depend_on_batches_threads_or_snapshots) {
  for (int turning = 0; turning < 2; turning++) {
    enum { STEPS = 1200 };
    const double dt = 2e-5;
    elastica_world *whole = make_scene(1, turning), *single = make_scene(3, turning), *cut = make_scene(1, turning),
                   *other = make_scene(2, turning);
    must(whole, elastica_world_step(whole, dt, STEPS));
    for (int k = 0; k < STEPS; k++) must(single, elastica_world_step(single, dt, 1));
    assert_true(hash_world(whole) == hash_world(single));
    must(cut, elastica_world_step(cut, dt, STEPS / 2 + 7));
    const size_t size = size_of_snapshot(cut);
    void *bytes = malloc(size);
    must(cut, elastica_world_snapshot_save(cut, bytes, size, NULL));
    must(other, elastica_world_snapshot_load(other, bytes, size));
    free(bytes);
    must(other, elastica_world_step(other, dt, STEPS - STEPS / 2 - 7));
    assert_true(hash_world(whole) == hash_world(other));
    elastica_world_destroy(whole), elastica_world_destroy(single), elastica_world_destroy(cut), elastica_world_destroy(other);
  }
}

/* Another rod blows up within a batch, which is undone and repeated up to that step: friction continues from its previous history. */
TEST(history_is_put_back_with_a_batch) {
  elastica_world *world[2];
  for (int k = 0; k < 2; k++) {
    world[k] = make_scene(1, 0);
    elastica_rod *stiff = add_stick(world[k], 3, (double[3]){0.0, 0.0, 50.0}, (double[3]){1.0, 0.0, 0.0}, 0.3, 0.02, 1e11);
    const double velocity[12] = {1e-9, 0.0, 0.0, -2e-9};
    must(world[k], elastica_rod_set_state(stiff, NULL, velocity, NULL, NULL));
  }
  elastica_status status = ELASTICA_OK;
  const double dt = 2e-5;
  const elastica_status failure = elastica_world_step(world[0], dt, 2000);
  while (status == ELASTICA_OK) status = elastica_world_step(world[1], dt, 1);
  assert_int_equal(status, failure);
  assert_int_equal(elastica_world_get(world[0]).step_count, elastica_world_get(world[1]).step_count);
  assert_true(hash_world(world[0]) == hash_world(world[1]));
  for (int k = 0; k < 2; k++) elastica_world_destroy(world[k]);
}

/* The motion of a rod does not depend on the removal of others. */
TEST(a_rod_that_goes_leaves_the_others_alone) {
  elastica_world *one = make_scene(1, 0), *two = make_scene(1, 0);
  must(one, elastica_world_step(one, 2e-5, 300));
  must(two, elastica_world_step(two, 2e-5, 300));
  must(two, elastica_rod_remove(elastica_world_rod(two, 1)));
  must(one, elastica_world_step(one, 2e-5, 300));
  must(two, elastica_world_step(two, 2e-5, 300));
  for (int k = 0; k < 7; k++)
    if (k != 1) assert_true(hash_rod(hash_start(), elastica_world_rod(one, k)) == hash_rod(hash_start(), elastica_world_rod(two, k)));
  elastica_world_destroy(one), elastica_world_destroy(two);
}

static elastica_status slide(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)director, (void)omega;
  position[0] = 0.3 * time, velocity[0] = 0.3;
  return ELASTICA_OK;
}

TEST(the_list_of_contacts_adds_up) {
  elastica_world *world = make_scene(1, 0);
  elastica_contact_point points[64];
  must(world, elastica_world_step(world, 2e-5, 500));
  elastica_effect *floor = next_effect(world, NULL);
  int count;
  must(world, elastica_contact_get(floor, points, 64, &count));
  if (!(count > 3 && count <= 64)) fail_msg("%d contacts", count);
  double sum[3] = {0.0, 0.0, 0.0}, pressed = 0.0, force[3];
  for (int k = 0; k < count; k++) {
    assert_int_equal(points[k].rod[1], -1);
    assert_close(points[k].normal[2], 1.0, 1e-15);
    assert_close(points[k].point[2], 0.0, 1e-15);
    assert_true(norm(points[k].tangential) <= 0.3 * 1.5 * points[k].force + 1e-9);
    for (int a = 0; a < 3; a++) sum[a] += points[k].layer[a] + points[k].tangential[a];
    pressed += points[k].force;
  }
  must(world, elastica_obstacle_get_force(floor, force, NULL));
  for (int a = 0; a < 3; a++) assert_close(sum[a], -force[a], 1e-12 * pressed);
  must(world, elastica_effect_set_enabled(floor, 0));
  must(world, elastica_contact_get(floor, NULL, 0, &count));
  must(world, elastica_obstacle_get_force(floor, force, NULL));
  assert_true(count == 0 && force[2] == 0.0);
  elastica_world_destroy(world);
}

/* A ball or a rod slides on a plane at rest, or lies on a moving one: the momentum that it loses is the impulse of the queried force, with
 * and without the damper of friction. Loads act at the middle of a step, queries between steps: the error is of order dt. */
static double impulse_error(int is_rod, int moves, double ratio, double dt, double seconds) {
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def floor = obstacle_of(ELASTICA_SHAPE_PLANE, 1e6);
  const double down[3] = {0.0, 0.0, -g}, along[15] = {0.3, 0.3, 0.3, 0.3, 0.3};
  elastica_totals before, now;
  double force[3], last[3], impulse = 0.0;
  floor.friction = 0.3, floor.damping_ratio = 0.5, floor.tangential_damping_ratio = ratio;
  if (moves) floor.motion = slide;
  if (is_rod) {
    elastica_rod *rod = add_stick(world, 4, (double[3]){0.0, 0.0, 0.00995}, (double[3]){0.0, 1.0, 0.0}, 0.2, 0.01, 1e7);
    if (!moves) must(world, elastica_rod_set_state(rod, NULL, along, NULL, NULL));
  } else {
    elastica_body_def ball = ball_def(0.01, 4.0 / 3.0 * acos(-1.0) * 1e-3);
    ball.position[2] = 0.00995, ball.velocity[0] = moves ? 0.0 : 0.3;
    add_body(world, &ball);
  }
  must(world, elastica_add_gravity(world, down, NULL));
  elastica_effect *effect = add_obstacle_to(world, &floor);
  must(world, elastica_world_get_totals(world, &before));
  must(world, elastica_obstacle_get_force(effect, last, NULL));
  for (int k = 0; k < (int)(seconds / dt + 0.5); k++) {
    elastica_contact_point points[8];
    double sum = 0.0;
    int count;
    must(world, elastica_world_step(world, dt, 1));
    must(world, elastica_obstacle_get_force(effect, force, NULL));
    must(world, elastica_contact_get(effect, points, 8, &count));
    for (int p = 0; p < count; p++) sum += points[p].tangential[0];
    assert_close(sum, -force[0], 1e-12);
    impulse += 0.5 * dt * (force[0] + last[0]);
    memcpy(last, force, sizeof last);
  }
  must(world, elastica_world_get_totals(world, &now));
  const double error = fabs(now.linear[0] - before.linear[0] + impulse) / (0.3 * now.mass);
  elastica_world_destroy(world);
  return error;
}

TEST(the_queried_force_is_the_rate_of_momentum) {
  for (int kind = 0; kind < 8; kind++) {
    const double ratio = kind >> 2 ? 0.1 : 0.0, coarse = impulse_error(kind & 1, kind >> 1 & 1, ratio, 4e-6, 2e-3);
    const double fine = impulse_error(kind & 1, kind >> 1 & 1, ratio, 2e-6, 2e-3);
    if (!(fine < 0.52 * coarse && fine < 5e-4))
      fail_msg("scene %d: the impulse is wrong by %.3g and %.3g of the momentum", kind, coarse, fine);
  }
}

TEST(boxes_are_refused_and_other_groups_pass_through) {
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, 1e5);
  elastica_body_def box = default_body(ELASTICA_SHAPE_BOX);
  box.mass = 1.0;
  for (int a = 0; a < 3; a++) box.edges[a] = 0.1;
  elastica_rod *body = add_body(world, &box);
  for (int k = 0; k < 2; k++)
    assert_refused(world, elastica_add_obstacle(world, k ? NULL : body, &def, NULL), ELASTICA_INVALID_ARGUMENT, "rod 0", "rigid body",
                   "box");
  must(world, elastica_rod_remove(body));
  (void)add_stick(world, 3, (double[3]){0.0, 0.0, 0.019}, (double[3]){1.0, 0.0, 0.0}, 0.2, 0.02, 1e6);
  elastica_effect *all = add_obstacle_to(world, &def);
  def.group = 5;
  elastica_effect *none = add_obstacle_to(world, &def);
  assert_int_equal(felt(all).contact_count, 3);
  assert_int_equal(felt(none).contact_count, 0);
  body = add_body(world, &box);
  assert_refused(world, elastica_world_step(world, 1e-6, 1), ELASTICA_INVALID_ARGUMENT, "rod 2", "rigid body", "box");
  must(world, elastica_rod_remove(body));
  box.contact_group = 1;
  (void)add_body(world, &box);
  def.group = 0;
  must(world, elastica_obstacle_set(all, &def));
  must(world, elastica_world_step(world, 1e-6, 1));
  elastica_world_destroy(world);
}
