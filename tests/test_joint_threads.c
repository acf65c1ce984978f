/* Many joints: several threads compute their loads, with the same bits. */
#include "base/target.h"

#include "jointed.h"
#include "threads.h"

enum { RODS = 60, JOINTS = 300 };

typedef struct crowd {
  elastica_world *world;
  elastica_rod *rod[RODS];
  elastica_effect *joint[JOINTS];
} crowd;

/* Weak joints, as the rods have random places. */
static elastica_joint_def random_joint(const crowd *of, random_source *source) {
  DEFAULTS(joint, def);
  const int one = random_integer(source, 0, RODS - 1), other = (one + random_integer(source, 1, RODS - 1)) % RODS;
  def.kind = (elastica_joint_kind)random_integer(source, 0, 2);
  def.first.rod = of->rod[one], def.first.element = 1, def.first.share = random_integer(source, 0, 2) / 2.0;
  def.stiffness = 1e-3;
  if (def.kind != ELASTICA_JOINT_BALL) def.angular_stiffness = 1e-5;
  if (random_integer(source, 0, 3)) def.second.rod = of->rod[other], def.second.share = random_between(source, 0.0, 1.0);
  if (random_integer(source, 0, 1)) random_vector(source, 0.01, def.first.offset);
  for (int a = 0; a < 3; a++)
    if (random_integer(source, 0, 1)) def.first.offset[a] = 0.0;
  if (random_integer(source, 0, 2) == 0) def.damping = 0.2;
  if (def.kind == ELASTICA_JOINT_HINGE) random_vector(source, 1.0, def.axis);
  return def;
}

static elastica_status push(void *user, double time, double angle, double rate, double *couple) {
  int *calls = user;
  ++*calls;
  *couple = 1e-6 * (1.0 - angle - rate + time);
  return ELASTICA_OK;
}

static void add_rods(crowd *of) {
  for (int r = 0; r < RODS; r++) {
    sample_rod sample;
    const sample_recipe recipe = usual_recipe();
    make_sample(&sample, 3 + r % 3, (uint64_t)r, &recipe);
    of->rod[r] = add_sample(of->world, &sample);
  }
}

static crowd make_crowd(int threads, int *calls) {
  crowd of;
  random_source source = {21};
  elastica_world_def def = default_world();
  def.worker_count = threads;
  of.world = make_world(&def);
  share_all_work(of.world);
  add_rods(&of);
  for (int k = 0; k < JOINTS; k++) {
    elastica_joint_def joint = random_joint(&of, &source);
    if (joint.kind == ELASTICA_JOINT_HINGE && k % 2 == 0) joint.drive = push, joint.user = calls;
    must(of.world, elastica_add_joint(of.world, &joint, &of.joint[k]));
  }
  return of;
}

/* Drives are called on the stepping thread, each joint once per step. Disabled joints are omitted and can be enabled again. */
TEST(as_many_threads_as_you_like_give_the_same_bits) {
  uint64_t expected[3] = {0};
  int expected_calls = 0;
  for (int threads = 1; threads <= 4; threads++) {
    int calls = 0;
    crowd of = make_crowd(threads, &calls);
    for (int stage = 0; stage < 3; stage++) {
      for (int k = 0; k < JOINTS; k += 5) must(of.world, elastica_effect_set_enabled(of.joint[k], stage != 1));
      must(of.world, elastica_world_step(of.world, 1e-6, 20));
      const uint64_t hash = hash_world(of.world);
      if (threads == 1) expected[stage] = hash;
      assert_true(hash == expected[stage]);
    }
    if (threads == 1) expected_calls = calls;
    assert_int_equal(calls, expected_calls);
    elastica_world_destroy(of.world);
  }
  assert_true(expected_calls > 0);
}

/* Fixed joints alone. Half of them have large turns; with damping, each is computed singly. */
static uint64_t hash_of_fixed(int set, double damping, int has_offsets) {
  crowd of;
  random_source source = {22};
  elastica_world_def def = default_world();
  def.instruction_set = (elastica_instruction_set)set;
  if (elastica_world_create(&def, &of.world) != ELASTICA_OK) return 0;
  add_rods(&of);
  for (int k = 0; k < JOINTS; k++) {
    elastica_joint_def joint = random_joint(&of, &source);
    joint.kind = ELASTICA_JOINT_FIXED, joint.angular_stiffness = 1e-5, joint.damping = damping;
    set_vector(joint.axis, 0, NAN, NAN, NAN);
    if (!has_offsets) memset(joint.first.offset, 0, sizeof joint.first.offset);
    joint.second.rod = of.rod[joint.first.rod == of.rod[k % RODS] ? (k + 1) % RODS : k % RODS];
    must(of.world, elastica_add_joint(of.world, &joint, NULL));
  }
  for (int r = 1; r < RODS; r += 2) {
    double director[9 * SAMPLE_ELEMENTS], turn[3];
    random_vector(&source, r % 4 == 1 ? 0.1 : 0.8, turn);
    rod_state state;
    read_state(of.rod[r], &state);
    memcpy(director, state.director, sizeof director);
    for (int j = 0; j < elastica_rod_get_view(of.rod[r])->element_count; j++) turn_frame_exactly(turn, director + 9 * j);
    must(of.world, elastica_rod_set_state(of.rod[r], NULL, NULL, director, NULL));
  }
  must(of.world, elastica_world_step(of.world, 1e-6, 20));
  const uint64_t hash = hash_world(of.world);
  elastica_world_destroy(of.world);
  return hash;
}

/* A damping too small to change any number. */
TEST(joints_side_by_side_have_the_bits_of_each_by_itself) {
  for (int has_offsets = 0; has_offsets < 2; has_offsets++) {
    const uint64_t alone = hash_of_fixed(ELASTICA_INSTRUCTION_SET_BASE, 1e-300, has_offsets);
    assert_true(alone != 0);
    for (int set = ELASTICA_INSTRUCTION_SET_AUTO; set <= ELASTICA_INSTRUCTION_SET_FMA; set++) {
      const uint64_t hash = hash_of_fixed(set, 0.0, has_offsets);
      assert_true(hash == alone || hash == 0);
    }
  }
}
