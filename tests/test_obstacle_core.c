/* The core of elastic obstacles: zero up to a tenth of the radius, a thousand times the work up to the surface; and no centre line
 * passes through an obstacle. */
#include "base/target.h"

#include "obstacles.h"

static const double radius = 0.02, k = 1e5;
static const double counted = 4.0 / 3.0 * 0.02; /* [m] both halves of a ball */

/* A ball that overlaps the plane z = 0 by this number of radii. */
static elastica_rod *add_ball_at(elastica_world *world, double depth, double speed) {
  elastica_body_def def = ball_def(radius, 0.03);
  def.position[2] = (1.0 - depth) * radius;
  def.velocity[2] = speed;
  return add_body(world, &def);
}

/* ---- The law ------------------------------------------------------------------------------------------------------------------------- */

TEST(the_force_is_linear_up_to_a_tenth_of_the_radius) {
  for (double depth = 0.01; depth < 0.1; depth += 0.01) {
    elastica_world *world = make_world(NULL);
    const elastica_obstacle_def plane = obstacle_of(ELASTICA_SHAPE_PLANE, k);
    (void)add_ball_at(world, depth, 0.0);
    const felt_load info = felt(add_obstacle_to(world, &plane));
    assert_close(-info.force[2], k * depth * radius * counted, 1e-12 * k * depth * radius * counted);
    elastica_world_destroy(world);
  }
}

/* In works of the layer at a full radius: d^2 and, beyond the onset, 1000 ((d - 0.1)/0.9)^7 at a depth of d radii, so 1001 at the
 * surface. */
TEST(to_come_to_the_surface_takes_a_thousand_times_the_work_of_the_layer) {
  static const double depths[] = {0.05, 0.3, 0.7, 0.979};
  for (size_t n = 0; n < sizeof depths / sizeof *depths; n++) {
    elastica_world *world = make_world(NULL);
    const elastica_obstacle_def plane = obstacle_of(ELASTICA_SHAPE_PLANE, k);
    const double d = depths[n], in_core = d > 0.1 ? 1000.0 * pow((d - 0.1) / 0.9, 7.0) : 0.0;
    const double works = d * d + in_core, unit = 0.5 * k * radius * radius * counted;
    (void)add_ball_at(world, d, 0.0);
    assert_close(elastica_effect_energy(add_obstacle_to(world, &plane)), works * unit, 1e-9 * works * unit);
    elastica_world_destroy(world);
  }
}

/* Half a radius deep: steps chosen by the library resolve the core. */
TEST(a_ball_that_is_thrown_half_a_radius_deep_keeps_its_energy) {
  elastica_world *world = make_world(NULL);
  const elastica_obstacle_def plane = obstacle_of(ELASTICA_SHAPE_PLANE, k);
  const double speed = 8.0;
  double deepest = 0.0;
  elastica_rod *ball = add_ball_at(world, -0.1, -speed);
  elastica_effect *effect = add_obstacle_to(world, &plane);
  for (int frame = 0; frame < 400; frame++) {
    must(world, elastica_world_advance(world, 2e-5));
    deepest = fmax(deepest, felt(effect).deepest);
  }
  assert_true(deepest > 0.45 * radius && deepest < 0.6 * radius);
  assert_close(elastica_rod_get_view(ball)->velocity[2][0], speed, 5e-3 * speed);
  elastica_world_destroy(world);
}

/* ---- Nothing passes ------------------------------------------------------------------------------------------------------------------ */

typedef enum thrown { FLAT, END_AHEAD, BALL, CAPSULE, ALL_THROWN } thrown;

static elastica_rod *throw_down(elastica_world *world, thrown what, double height, double speed) {
  elastica_body_def def = what == BALL ? ball_def(radius, 0.03) : default_body(ELASTICA_SHAPE_CAPSULE);
  double velocity[3 * 6] = {0.0};
  if (what == BALL || what == CAPSULE) {
    def.radius = radius, def.length = 0.05, def.mass = 0.1;
    def.position[2] = height + (what == BALL ? 0.0 : 0.025);
    def.velocity[2] = -speed;
    return add_body(world, &def);
  }
  elastica_rod *rod = what == FLAT ? add_stick(world, 5, (double[3]){-0.05, 0.0, height}, (double[3]){1.0, 0.0, 0.0}, 0.1, radius, 1e6)
                                   : add_stick(world, 5, (double[3]){0.0, 0.0, height}, (double[3]){0.0, 0.0, 1.0}, 0.1, radius, 1e6);
  for (int i = 0; i < 6; i++) velocity[12 + i] = -speed;
  double by_node[3 * 6];
  for (int i = 0; i < 6; i++)
    for (int a = 0; a < 3; a++) by_node[3 * i + a] = velocity[6 * a + i];
  must(world, elastica_rod_set_state(rod, NULL, by_node, NULL, NULL));
  return rod;
}

static elastica_obstacle_def plate_of(elastica_shape shape) {
  elastica_obstacle_def def = obstacle_of(shape, k);
  if (shape != ELASTICA_SHAPE_BOX && shape != ELASTICA_SHAPE_PLANE) def.radius = 0.05 * radius;
  if (shape == ELASTICA_SHAPE_CAPSULE || shape == ELASTICA_SHAPE_CYLINDER) def.normal[1] = 1.0, def.normal[2] = 0.0;
  if (shape == ELASTICA_SHAPE_BOX) def.edges[2] = 0.02 * radius;
  return def;
}

/* In unstable steps of 0.7 to 6 radii a ball reaches the other side of an obstacle that is thinner than a tenth of its radius. */
TEST(what_leaps_over_a_thin_obstacle_fails_and_is_named) {
  static const char *const names[] = {"sphere", "capsule", "cylinder", "box", "plane"};
  for (int shape = ELASTICA_SHAPE_SPHERE; shape <= ELASTICA_SHAPE_PLANE; shape++)
    for (thrown what = FLAT; what < ALL_THROWN; what++)
      for (double stride = 0.7; stride < 6.0; stride *= 1.3) {
        elastica_world_def world_def = default_world();
        world_def.allow_unstable_step = 1;
        elastica_world *world = make_world(&world_def);
        const elastica_obstacle_def def = plate_of((elastica_shape)shape);
        const double speed = 1000.0, dt = stride * radius / speed;
        const elastica_rod *rod = throw_down(world, what, 2.5 * radius, speed);
        (void)add_obstacle_to(world, &def);
        elastica_status status = ELASTICA_OK;
        for (int step = 0; step < 12 && status == ELASTICA_OK; step++) {
          status = elastica_world_step(world, dt, 1);
          if (status == ELASTICA_OK && elastica_rod_get_view(rod)->position[2][0] < 0.0)
            fail_msg("%s, thrown %d, %g radii in a step: it is on the other side", names[shape], (int)what, stride);
        }
        if (status == ELASTICA_OK) fail_msg("%s, thrown %d, %g radii in a step: no failure", names[shape], (int)what, stride);
        assert_int_equal(status, ELASTICA_UNSTABLE_STEP);
        assert_says(elastica_world_message(world), "\"obstacle\"", "rod 0", names[shape], "pass through");
        elastica_world_destroy(world);
      }
}

/* The same speed with steps chosen by the library: the core stops the ball, or the run fails with a sentence that names it. */
TEST(what_is_thrown_is_stopped_or_named) {
  for (int shape = ELASTICA_SHAPE_SPHERE; shape <= ELASTICA_SHAPE_PLANE; shape++)
    for (thrown what = FLAT; what < ALL_THROWN; what++) {
      elastica_world *world = make_world(NULL);
      const elastica_obstacle_def def = plate_of((elastica_shape)shape);
      const elastica_rod *rod = throw_down(world, what, 1.5 * radius, 25.0);
      (void)add_obstacle_to(world, &def);
      elastica_status status = ELASTICA_OK;
      for (int frame = 0; frame < 60 && status == ELASTICA_OK; frame++) {
        status = elastica_world_advance(world, 0.05 * radius / 25.0);
        if (status == ELASTICA_OK) assert_true(elastica_rod_get_view(rod)->position[2][what == FLAT ? 3 : 0] > 0.0);
      }
      if (status != ELASTICA_OK) assert_says(elastica_world_message(world), "rod 0");
      elastica_world_destroy(world);
    }
}

/* ---- Starts inside an obstacle ------------------------------------------------------------------------------------------------------- */

/* Only its end is inside: the centre of its last element is outside. */
TEST(an_end_inside_is_refused) {
  elastica_world *world = make_world(NULL);
  const elastica_obstacle_def plane = obstacle_of(ELASTICA_SHAPE_PLANE, k);
  (void)add_stick(world, 5, (double[3]){0.0, 0.0, -0.005}, (double[3]){0.0, 0.0, 1.0}, 0.1, radius, 1e6);
  assert_refused(world, elastica_add_obstacle(world, NULL, &plane, NULL), ELASTICA_INVALID_ARGUMENT, "element 0 of rod 0", "inside",
                 "0.005");
  elastica_world_destroy(world);
}

/* A rod with its axis in the plane, or less than 2 % of its radius above: its first step would fail, so adding is refused, whichever comes
 * first. The cure in the sentence works. */
TEST(an_axis_on_the_surface_is_refused) {
  const elastica_obstacle_def plane = obstacle_of(ELASTICA_SHAPE_PLANE, k);
  for (int later = 0; later <= 1; later++)
    for (int upright = 0; upright <= 1; upright++)
      for (int far = 0; far <= 1; far++) {
        elastica_world *world = make_world(NULL);
        const double start[3] = {far ? 1e3 : 0.0, 0.0, 0.015 * radius};
        const double direction[3] = {upright ? 0.0 : 1.0, 0.0, upright ? 1.0 : 0.0};
        elastica_rod *rod = NULL;
        double position[3 * 6];
        if (!later) rod = add_stick(world, 5, start, direction, 0.1, radius, 1e6);
        if (!later)
          assert_refused(world, elastica_add_obstacle(world, NULL, &plane, NULL), ELASTICA_INVALID_ARGUMENT, "element 0 of rod 0",
                         "on its surface", "a radius outside");
        if (later) {
          (void)add_obstacle_to(world, &plane);
          rod = add_stick(world, 5, start, direction, 0.1, radius, 1e6);
          assert_refused(world, elastica_world_step(world, 1e-7, 1), ELASTICA_INVALID_ARGUMENT, "element 0 of rod 0", "on its surface");
        }
        for (int i = 0; i < 6; i++)
          for (int a = 0; a < 3; a++) position[3 * i + a] = start[a] + 0.02 * i * direction[a] + (a == 2 ? radius : 0.0);
        must(world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
        if (!later) (void)add_obstacle_to(world, &plane);
        must(world, elastica_world_advance(world, 0.01));
        elastica_world_destroy(world);
      }
}

TEST(a_step_from_inside_is_refused) {
  elastica_world *world = make_world(NULL);
  const elastica_obstacle_def plane = obstacle_of(ELASTICA_SHAPE_PLANE, k);
  double position[3 * 6];
  elastica_rod *rod = add_stick(world, 5, (double[3]){0.0, 0.0, 0.03}, (double[3]){0.0, 0.0, 1.0}, 0.1, radius, 1e6);
  (void)add_obstacle_to(world, &plane);
  for (int i = 0; i < 6; i++) position[3 * i] = position[3 * i + 1] = 0.0, position[3 * i + 2] = -0.005 + 0.02 * i;
  must(world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
  assert_refused(world, elastica_world_step(world, 1e-7, 1), ELASTICA_INVALID_ARGUMENT, "element 0 of rod 0", "inside the obstacle");
  for (int i = 0; i < 6; i++) position[3 * i + 2] += 0.04; /* the run continues after the rod has been moved outside */
  must(world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
  must(world, elastica_world_step(world, 1e-7, 1));
  elastica_world_destroy(world);
}
