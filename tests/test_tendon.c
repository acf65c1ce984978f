/* Claims about tendons: conserved quantities, slack, their contribution to the step limit, and refusals. */
#include "base/target.h"

#include "snapshot/snapshot.h"

#include <limits.h>

#include "tendons.h"

TEST(forces_and_moments_cancel_over_all_rods) {
  for (uint64_t seed = 1; seed <= 30; seed++) {
    rig of = make_rig(seed);
    elastica_tendon_def def = def_of(&of);
    double force[3] = {0.0}, moment[3] = {0.0}, scale = 0.0;
    if (seed % 2) def.friction = 0.4, def.sliding_speed = 0.3, def.damping = 0.2;
    add_cable(&of, &def);
    must(of.world, elastica_world_evaluate(of.world, 1e-4));
    for (int r = 0; r < 4; r++) {
      const elastica_rod_view *view = elastica_rod_get_view(of.rod[r]);
      for (int i = 0; i < view->node_count; i++)
        for (int a = 0; a < 3; a++) {
          const int b = (a + 1) % 3, c = (a + 2) % 3;
          scale += fabs(view->external_force[a][i]);
          force[a] += view->external_force[a][i];
          moment[a] += view->position[b][i] * view->external_force[c][i] - view->position[c][i] * view->external_force[b][i];
        }
      for (int j = 0; j < view->element_count; j++) {
        const double couple[3] = {view->external_couple[0][j], view->external_couple[1][j], view->external_couple[2][j]};
        double turned[3];
        elastica_rotate_to_laboratory(view, j, couple, turned);
        for (int a = 0; a < 3; a++) moment[a] += turned[a];
      }
    }
    assert_true(scale > 1.0);
    for (int a = 0; a < 3; a++) {
      assert_close(force[a], 0.0, 1e-14 * scale);
      assert_close(moment[a], 0.0, 1e-14 * scale);
    }
    elastica_world_destroy(of.world);
  }
}

/* Momentum is conserved to rounding. Angular momentum is conserved up to the rounding of the loads; the error of the step falls with its
 * square. */
static double change_of_angular_momentum(uint64_t seed, double dt, double linear[3]) {
  rig of = make_rig(seed);
  elastica_tendon_def def = def_of(&of);
  elastica_totals before, after;
  double most = 0.0;
  def.friction = 0.4, def.sliding_speed = 30.0, def.damping = 0.2;
  add_cable(&of, &def);
  must(of.world, elastica_world_get_totals(of.world, &before));
  must(of.world, elastica_world_step(of.world, dt, (long)(0.02 / dt + 0.5)));
  must(of.world, elastica_world_get_totals(of.world, &after));
  for (int a = 0; a < 3; a++) {
    linear[a] = after.linear[a] - before.linear[a];
    most = fmax(most, fabs(after.angular[a] - before.angular[a]));
  }
  elastica_world_destroy(of.world);
  return most;
}

TEST(momentum_stays) {
  for (uint64_t seed = 1; seed <= 3; seed++) {
    double linear[3];
    const double coarse = change_of_angular_momentum(seed, 1e-5, linear);
    for (int a = 0; a < 3; a++) assert_close(linear[a], 0.0, 1e-12);
    const double fine = change_of_angular_momentum(seed, 5e-6, linear);
    for (int a = 0; a < 3; a++) assert_close(linear[a], 0.0, 1e-12);
    assert_true(fine < 0.3 * coarse || coarse < 1e-12);
  }
}

/* ---- Energy ---- */

TEST(an_elastic_tendon_keeps_the_energy) {
  rig of = make_rig(7);
  elastica_tendon_def def = def_of(&of);
  elastica_step_limit limit;
  add_cable(&of, &def);
  must(of.world, elastica_world_step_limit(of.world, &limit));
  const double first = total_energy(of.world), dt = 0.3 * limit.dt;
  double worst = 0.0, mean[2] = {0.0, 0.0};
  enum { LOOKS = 200 };
  for (int k = 0; k < LOOKS; k++) {
    must(of.world, elastica_world_step(of.world, dt, 1000));
    const double off = total_energy(of.world) / first - 1.0;
    mean[2 * k / LOOKS] += off / (LOOKS / 2.0);
    worst = fmax(worst, fabs(off));
  }
  assert_true(worst < 2e-3);
  assert_true(fabs(mean[1] - mean[0]) < 2e-4); /* no drift */
  elastica_world_destroy(of.world);
}

TEST(dissipation_takes_energy) {
  for (int friction = 0; friction < 2; friction++) {
    rig of = make_rig(8);
    elastica_tendon_def def = def_of(&of);
    if (friction)
      def.friction = 0.5, def.sliding_speed = 10.0;
    else
      def.damping = 0.5;
    add_cable(&of, &def);
    double before = total_energy(of.world);
    for (int k = 0; k < 20; k++) {
      must(of.world, elastica_world_step(of.world, 1e-5, 1000));
      const double now = total_energy(of.world);
      assert_true(now < before);
      before = now;
    }
    elastica_world_destroy(of.world);
  }
}

/* ---- Slack ---- */

/* Two balls connected by a rope are thrown apart: at twice its stretched length they reverse, and then separate for good. */
TEST(a_rope_is_slack_until_it_is_long_enough) {
  elastica_world *world = make_world(NULL);
  elastica_effect *rope = NULL;
  elastica_anchor guides[2] = {{0}};
  for (int k = 0; k < 2; k++) {
    elastica_body_def ball = ball_def(0.1, 2.0);
    ball.position[0] = k, ball.velocity[0] = k ? 1.0 : -1.0;
    guides[k].rod = add_body(world, &ball);
  }
  elastica_tendon_def def = tendon_def();
  def.guides = guides, def.guide_count = 2;
  def.stiffness = 800.0, def.rest_length = 2.0;
  must(world, elastica_add_tendon(world, &def, &rope));
  must(world, elastica_world_step(world, 1e-4, 4900));
  elastica_tendon_info info = info_of(rope);
  assert_int_equal(info.slack, 1);
  assert_close(info.length, 1.98, 1e-12);
  assert_close(info.rate, 2.0, 1e-12);
  assert_close(elastica_effect_energy(rope), 0.0, 0.0);
  /* half a period of omega^2 = k (1/m + 1/m); in its middle the amplitude is v/omega */
  const double omega = sqrt(800.0), quarter = 0.5 * 3.14159265358979324 / omega;
  must(world, elastica_world_step(world, 1e-5, lround((0.5 + quarter - elastica_world_get(world).time) / 1e-5)));
  info = info_of(rope);
  assert_int_equal(info.slack, 0);
  assert_close(info.length, 2.0 + 2.0 / omega, 2e-5);
  assert_close(info.first_tension, 800.0 * 2.0 / omega, 2e-2);
  must(world, elastica_world_step(world, 1e-5, lround((quarter + 0.1) / 1e-5)));
  info = info_of(rope);
  assert_int_equal(info.slack, 1);
  assert_close(info.rate, -2.0, 1e-3);
  elastica_world_destroy(world);
}

/* ---- Step limit ---- */

TEST(the_step_limit_is_that_of_the_cable) {
  elastica_world *world = make_world(NULL);
  elastica_effect *rope = NULL;
  elastica_step_limit limit;
  elastica_anchor guides[3] = {{0}};
  for (int k = 0; k < 3; k++) {
    elastica_body_def ball = ball_def(0.1, 1.0 + k);
    ball.position[0] = k, ball.velocity[0] = k == 2 ? 1e-3 : 0.0;
    guides[k].rod = add_body(world, &ball);
  }
  elastica_tendon_def def = tendon_def();
  def.guides = guides, def.guide_count = 3;
  def.stiffness = 1e4;
  must(world, elastica_add_tendon(world, &def, &rope));
  const double exact = 2.0 / sqrt(4.0 * 1e4 * (1.0 + 1.0 / 3.0)); /* the middle ball slides along a straight cable; a spring with a kink */
  assert_close(info_of(rope).dt, exact, 1e-14);
  must(world, elastica_world_step_limit(world, &limit));
  assert_close(limit.dt, exact, 1e-12);
  assert_true(limit.effect == rope);
  must(world, elastica_world_step(world, 0.9 * limit.dt, 2000));
  elastica_world_destroy(world);
}

/* ---- Removal, snapshots, reset ---- */

TEST(a_tendon_goes_with_any_of_its_rods) {
  for (int k = 0; k < 4; k++) {
    rig of = make_rig(2);
    const elastica_tendon_def def = def_of(&of);
    add_cable(&of, &def);
    must(of.world, elastica_world_step(of.world, 1e-5, 10));
    must(of.world, elastica_rod_remove(of.rod[k]));
    assert_null(next_effect(of.world, NULL));
    must(of.world, elastica_world_step(of.world, 1e-5, 10));
    elastica_world_destroy(of.world);
  }
}

TEST(a_snapshot_has_a_tendon) {
  unsigned char bytes[65536];
  rig of = make_rig(4), other = make_rig(4);
  elastica_tendon_def def = def_of(&of);
  def.friction = 0.3, def.sliding_speed = 10.0;
  add_cable(&of, &def);
  def = def_of(&other);
  for (int k = 0; k < GUIDES; k++) other.guides[k].offset[1] += 0.01;
  def.stiffness = 5.0;
  add_cable(&other, &def);
  must(of.world, elastica_world_step(of.world, 1e-5, 100));
  const size_t size = size_of_snapshot(of.world);
  assert_true(size <= sizeof bytes);
  must(of.world, elastica_world_snapshot_save(of.world, bytes, size, NULL));
  must(other.world, elastica_world_snapshot_load(other.world, bytes, size));
  must(of.world, elastica_world_step(of.world, 1e-5, 100));
  must(other.world, elastica_world_step(other.world, 1e-5, 100));
  assert_int_equal(hash_world(of.world), hash_world(other.world));
  elastica_world_destroy(of.world);
  elastica_world_destroy(other.world);
}

/* Its rest length was derived from the initial positions, and a snapshot of the first state contains it. */
TEST(a_snapshot_brings_back_the_first_tendon) {
  unsigned char bytes[65536];
  uint64_t hash[2];
  rig of = make_rig(6);
  elastica_tendon_def def = def_of(&of);
  def.rest_length = NAN;
  add_cable(&of, &def);
  const double rest = info_of(of.tendon).rest_length;
  const size_t size = size_of_snapshot(of.world);
  assert_true(size <= sizeof bytes);
  must(of.world, elastica_world_snapshot_save(of.world, bytes, size, NULL));
  for (int k = 0; k < 2; k++) {
    must(of.world, elastica_world_step(of.world, 1e-5, 200));
    hash[k] = hash_world(of.world);
    elastica_tendon_def change = def;
    elastica_anchor moved[GUIDES];
    memcpy(moved, of.guides, sizeof moved);
    moved[1].element = 2;
    change.guides = moved, change.stiffness = 3.0;
    must(of.world, elastica_tendon_set(of.tendon, &change));
    assert_close(info_of(of.tendon).rest_length, rest, 0.0);
    must(of.world, elastica_world_step(of.world, 1e-5, 50));
    must(of.world, elastica_world_snapshot_load(of.world, bytes, size));
  }
  assert_int_equal(hash[0], hash[1]);
  elastica_world_destroy(of.world);
}

/* The rules of the definition hold for a record, too: a stiffness, a damping and a friction with the wrong sign. */
TEST(a_snapshot_with_a_negative_number_is_refused) {
  unsigned char bytes[65536];
  const double values[] = {4.123456789, 0.0123456789, 0.3123456789};
  static const char *const names[] = {"stiffness", "damping", "friction"};
  rig of = make_rig(4);
  elastica_tendon_def def = def_of(&of);
  def.stiffness = values[0], def.damping = values[1], def.friction = values[2], def.sliding_speed = 10.0;
  add_cable(&of, &def);
  const size_t size = size_of_snapshot(of.world);
  assert_true(size <= sizeof bytes);
  for (int n = 0; n < 3; n++) {
    int found = 0;
    must(of.world, elastica_world_snapshot_save(of.world, bytes, size, NULL));
    for (size_t at = ELI_SNAPSHOT_HEAD; at < size; at += ELI_WORD) {
      uint64_t word = 0, value;
      memcpy(&value, &values[n], sizeof value);
      for (size_t k = 0; k < 8; k++) word |= (uint64_t)bytes[at + k] << 8 * k;
      if (word != value) continue;
      bytes[at + 7] ^= 0x80;
      found++;
    }
    assert_int_equal(found, 1);
    const uint64_t sum = eli_sum_of_words(size, bytes + ELI_SNAPSHOT_HEAD, (size - ELI_SNAPSHOT_HEAD) / ELI_WORD);
    for (size_t k = 0; k < 8; k++) bytes[24 + k] = (unsigned char)(sum >> 8 * k);
    assert_refused(of.world, elastica_world_snapshot_load(of.world, bytes, size), ELASTICA_INVALID_ARGUMENT, "\"tendon\"", names[n]);
  }
  elastica_world_destroy(of.world);
}

TEST(wrong_guides_are_refused) {
  rig of = make_rig(1), stranger = make_rig(1);
  elastica_effect *out = NULL;
  const elastica_tendon_def def = def_of(&of);
  elastica_guide_info guide;
  elastica_tendon_info info;
  of.guides[2].share = 0.5;
  assert_refused(of.world, elastica_add_tendon(of.world, &def, &out), ELASTICA_INVALID_ARGUMENT, "tendon_def.guides[2].share", "0.5",
                 "rigid");
  of.guides[2].share = 0.0, of.guides[1].element = 20;
  assert_refused(of.world, elastica_add_tendon(of.world, &def, &out), ELASTICA_INVALID_ARGUMENT, "20", "outside");
  of.guides[1] = of.guides[0];
  assert_refused(of.world, elastica_add_tendon(of.world, &def, &out), ELASTICA_INVALID_ARGUMENT, "guides 0 and 1", "same point");
  of.guides[1].rod = stranger.rod[1];
  assert_refused(of.world, elastica_add_tendon(of.world, &def, &out), ELASTICA_INVALID_ARGUMENT, "another world");
  of.guides[1].rod = of.rod[1], of.guides[1].offset[2] = NAN;
  assert_refused(of.world, elastica_add_tendon(of.world, &def, &out), ELASTICA_INVALID_ARGUMENT, "guides[1].offset", "not finite");
  of.guides[1].offset[2] = 0.0;
  add_cable(&of, &def);
  elastica_tendon_def change = def;
  change.guide_count = 5;
  assert_refused(of.world, elastica_tendon_set(of.tendon, &change), ELASTICA_INVALID_ARGUMENT, "7 guides", "5");
  change.guide_count = INT_MAX; /* no guide is read */
  assert_refused(of.world, elastica_tendon_set(of.tendon, &change), ELASTICA_INVALID_ARGUMENT, "7 guides", "2147483647");
  change = def, change.first = 1;
  assert_refused(of.world, elastica_tendon_set(of.tendon, &change), ELASTICA_INVALID_ARGUMENT, "tendon_def.first is set", "tendon_def.rod");
  change = def, change.last = 3;
  assert_refused(of.world, elastica_tendon_set(of.tendon, &change), ELASTICA_INVALID_ARGUMENT, "tendon_def.last is set", "tendon_def.rod");
  change = def, change.offset[1] = 0.1;
  assert_refused(of.world, elastica_tendon_set(of.tendon, &change), ELASTICA_INVALID_ARGUMENT, "tendon_def.offset is set",
                 "tendon_def.rod");
  change = def, change.guides = NULL, change.rod = of.rod[0];
  assert_refused(of.world, elastica_add_tendon(of.world, &change, NULL), ELASTICA_INVALID_ARGUMENT, "tendon_def.guide_count is 7");
  change = def, change.friction = 0.0, change.sliding_speed = 0.1;
  assert_refused(of.world, elastica_tendon_set(of.tendon, &change), ELASTICA_INVALID_ARGUMENT, "tendon_def.sliding_speed is set",
                 "friction");
  change = def, of.guides[1].rod = of.rod[0], of.guides[1].element = 4;
  assert_refused(of.world, elastica_tendon_set(of.tendon, &change), ELASTICA_INVALID_ARGUMENT, "guide 1", "another rod");
  assert_refused(of.world, elastica_tendon_get(of.tendon, &info, NULL, 1), ELASTICA_INVALID_ARGUMENT, "guides is NULL");
  assert_refused(of.world, elastica_tendon_get(of.tendon, &info, &guide, -1), ELASTICA_INVALID_ARGUMENT, "capacity", "-1");
  memset(&guide, 0, sizeof guide);
  must(of.world, elastica_tendon_get(of.tendon, &info, &guide, 1)); /* only as many guides as there is room for */
  assert_true(info.guide_count == 7 && norm(guide.force) > 0.0);
  assert_refused(of.world, elastica_tendon_get(of.tendon, NULL, NULL, 0), ELASTICA_INVALID_ARGUMENT, "out", "NULL");
  elastica_world_destroy(of.world);
  elastica_world_destroy(stranger.world);
}

/* A cable with a spring couples all of its guides: Newton's method with that coupling needs few evaluations. */
TEST(a_rod_with_a_spring_cable_relaxes_in_few_evaluations) {
  elastica_relax_result result;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.02, 1000.0, 1e6, 0.4e6);
  clamp_first_end(world, rod);
  DEFAULTS(tendon, def);
  def.rod = rod;
  def.offset[0] = 0.015;
  def.stiffness = 1e4, def.rest_length = 0.995;
  must(world, elastica_add_tendon(world, &def, NULL));
  must(world, elastica_world_relax(world, NULL, &result));
  assert_true(result.evaluations < 40 && result.stable == 1);
  elastica_world_destroy(world);
}

TEST(a_rigid_body_has_no_run_of_elements_for_a_tendon) {
  elastica_world *world = make_world(NULL);
  DEFAULTS(body, body);
  body.shape = ELASTICA_SHAPE_CAPSULE, body.radius = 0.1, body.length = 1.0, body.density = 1000.0;
  DEFAULTS(tendon, tendon);
  must(world, elastica_world_add_body(world, &body, &tendon.rod));
  tendon.tension = 1.0;
  assert_refused(world, elastica_add_tendon(world, &tendon, NULL), ELASTICA_INVALID_ARGUMENT, "add_tendon", "tendon_def.rod", "rigid body");
  elastica_world_destroy(world);
}
