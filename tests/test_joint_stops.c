/* Claims about a hinge that reaches the limits of its turn: steps chosen by the library resolve the bounce. */
#include "base/target.h"

#include "bodies.h"
#include "jointed.h"
#include "measured.h"

/* An undamped door, hinged to the world at one edge, between limits of its turn; it opens at 3 rad/s. */
typedef struct door {
  elastica_world *world;
  elastica_rod *leaf;
  elastica_effect *hinge;
} door;

static door make_door(double limit) {
  door of = {make_world(NULL), NULL, NULL};
  elastica_body_def leaf = default_body(ELASTICA_SHAPE_BOX);
  leaf.edges[0] = 0.8, leaf.edges[1] = 0.04, leaf.edges[2] = 2.0;
  leaf.density = 600.0;
  leaf.position[0] = 0.4;
  leaf.velocity[1] = 0.4 * 3.0, leaf.omega[2] = 3.0;
  of.leaf = add_body(of.world, &leaf);
  DEFAULTS(joint, def);
  def.kind = ELASTICA_JOINT_HINGE;
  def.first.rod = of.leaf;
  def.first.offset[0] = -0.4;
  set_vector(def.axis, 0, 0.0, 0.0, 1.0);
  def.stiffness = 1e6, def.angular_stiffness = 3e5;
  def.least_angle = -limit, def.most_angle = limit;
  must(of.world, elastica_add_joint(of.world, &def, &of.hinge));
  return of;
}

/* The springs of the hinge vibrate after the first bounce; with steps that change between bounces their energy grew by a factor of 2000
 * in 60 s, and by 7 with steps that do not resolve the bounce. */
TEST(an_undamped_door_keeps_its_energy_between_stops) {
  const door of = make_door(0.3);
  const double first = total_energy(of.world);
  int bounces = 0, beyond = 0;
  while (bounces < 100) {
    elastica_joint_info info;
    must(of.world, elastica_world_advance(of.world, 0.016));
    must(of.world, elastica_joint_get(of.hinge, &info));
    const int now = fabs(info.turn) > 0.3;
    bounces += now && !beyond;
    beyond = now;
    assert_close(total_energy(of.world), first, 1e-2 * first);
  }
  elastica_world_destroy(of.world);
}

TEST(distant_stops_leave_the_step) {
  const door of = make_door(3.0);
  must(of.world, elastica_world_advance(of.world, 0.1));
  assert_close(elastica_world_get(of.world).working_step, 0.8 * limit_of(of.world).dt, 1e-3 * limit_of(of.world).dt);
  elastica_world_destroy(of.world);
}

TEST(bounces_between_stops_do_not_depend_on_the_calls) {
  uint64_t hash[2];
  for (int how = 0; how < 2; how++) {
    const door of = make_door(0.3);
    DEFAULTS(run, run);
    elastica_run_result result = {0};
    run.until = 1.0;
    if (how == 1) run.most_steps = 7;
    do must(of.world, elastica_world_run(of.world, &run, &result));
    while (!result.finished);
    hash[how] = hash_world(of.world);
    elastica_world_destroy(of.world);
  }
  assert_true(hash[0] == hash[1]);
}

/* Two rods on a hinge spin against each other: the stops excite bending and twist. */
TEST(rods_keep_their_energy_between_stops) {
  pair of = {make_world(NULL), {NULL, NULL}, NULL};
  for (int k = 0; k < 2; k++) {
    double omega[3 * 4] = {0};
    DEFAULTS(rod, rod);
    rod.element_count = 4, rod.length = 0.4, rod.radius = 0.02, rod.density = 1000.0, rod.youngs_modulus = 1e6;
    rod.start[2] = 0.4 * k;
    for (int j = 0; j < 4; j++) omega[component(j, Z)] = k ? 5.0 : -5.0;
    rod.omega = omega;
    must(of.world, elastica_world_add_rod(of.world, &rod, &of.rod[k]));
  }
  elastica_joint_def def = joint_of(&of, ELASTICA_JOINT_HINGE);
  def.first.element = -1, def.first.share = 1.0;
  set_vector(def.axis, 0, 0.0, 0.0, 1.0);
  def.stiffness = 1e5, def.angular_stiffness = 1.0;
  def.least_angle = -0.5, def.most_angle = 0.5;
  must(of.world, elastica_add_joint(of.world, &def, &of.joint));
  const double first = total_energy(of.world);
  for (int k = 0; k < 100; k++) {
    must(of.world, elastica_world_advance(of.world, 0.02));
    assert_close(total_energy(of.world), first, 1e-2 * first);
  }
  elastica_world_destroy(of.world);
}
