/* Removing rods and effects: permitted times, also after a failure, and relaxation and output with missing numbers. */
#include "base/target.h"

#include "changing.h"
#include "scratch_folder.h"
#include "threads.h"

static const double dt = 0x1p-14;

/* ---- When ---- */

static elastica_status try_to_remove(void *self, const elastica_instant *now, const elastica_rod_view *view, elastica_loads *loads) {
  elastica_effect *effect = *(elastica_effect **)self;
  elastica_world *world = elastica_effect_get(effect).world;
  (void)now, (void)loads;
  const int both = elastica_rod_remove(elastica_world_rod(world, view->rod_index)) == ELASTICA_WRONG_STATE &&
                   elastica_effect_remove(effect) == ELASTICA_WRONG_STATE;
  return both ? ELASTICA_OK : ELASTICA_INVALID_ARGUMENT;
}

TEST(hooks_cannot_remove) {
  elastica_world *world = make_world(NULL);
  const double gravity[3] = {0.0, 0.0, -9.81};
  add_numbered_rod(world, 0);
  elastica_effect *effect;
  must(world, elastica_add_gravity(world, gravity, &effect));
  elastica_module module = module_named("remover");
  module.self = &effect;
  module.self_size = sizeof effect;
  module.add_loads = try_to_remove;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  must(world, elastica_world_step(world, dt, 2));
  elastica_world_destroy(world);
}

/* A world is sound again after the failed rod has been removed. */
TEST(a_failure_may_end_with_the_rod) {
  elastica_world *world = make_world(NULL);
  elastica_rod *sound = add_numbered_rod(world, 0), *wild = add_numbered_rod(world, 1);
  double velocity[3 * SAMPLE_NODES] = {0.0};
  for (int i = 0; i < elastica_rod_get_view(wild)->node_count; i++) velocity[component(i, X)] = i % 2 ? 1e5 : -1e5;
  must(world, elastica_rod_set_state(wild, NULL, velocity, NULL, NULL));
  assert_status(world, elastica_world_step(world, dt, 5), ELASTICA_UNSTABLE_STEP);
  assert_int_equal(elastica_rod_get_view(sound)->has_failed, 0);
  assert_int_equal(elastica_rod_get_view(wild)->has_failed, 1);
  assert_status(world, elastica_world_step(world, dt, 1), ELASTICA_WRONG_STATE);
  must(world, elastica_rod_remove(wild));
  assert_null(elastica_rod_get_view(wild));
  must(world, elastica_world_step(world, dt, 5));
  elastica_world_destroy(world);
}

/* A joint is removed with its second rod, also from the lists of the first. */
TEST(a_joint_may_go_after_a_failure) {
  elastica_totals energy;
  elastica_world *world = make_world(NULL);
  DEFAULTS(joint, def);
  def.first.rod = add_numbered_rod(world, 0);
  def.second.rod = add_numbered_rod(world, 1);
  must(world, elastica_add_gravity(world, (const double[3]){0.0, 0.0, -9.81}, NULL));
  elastica_rod *wild = add_numbered_rod(world, 2);
  must(world, elastica_add_joint(world, &def, NULL));
  double velocity[3 * SAMPLE_NODES] = {0.0};
  for (int i = 0; i < elastica_rod_get_view(wild)->node_count; i++) velocity[component(i, X)] = i % 2 ? 1e5 : -1e5;
  must(world, elastica_rod_set_state(wild, NULL, velocity, NULL, NULL));
  assert_status(world, elastica_world_step(world, dt, 5), ELASTICA_UNSTABLE_STEP);
  assert_status(world, elastica_world_step(world, dt, 5), ELASTICA_WRONG_STATE);
  must(world, elastica_rod_remove(def.second.rod));
  must(world, elastica_rod_get_totals(def.first.rod, &energy));
  assert_true(energy.effects != 0.0);
  must(world, elastica_world_get_totals(world, &energy));
  must(world, elastica_rod_remove(wild));
  must(world, elastica_world_get_totals(world, &energy));
  must(world, elastica_world_evaluate(world, 0.0));
  assert_true(elastica_rod_get_view(def.first.rod)->external_force[Z][0] < 0.0);
  elastica_world_destroy(world);
}

/* ---- Queries of a failed world during removals ---- */

/* Rods with own and common effects, a contact, a joint; rigid bodies; and a rod that fails. */
static elastica_world *make_failed_world(size_t tile_size, int workers) {
  elastica_world_def world_def = default_world();
  world_def.tile_size = tile_size;
  world_def.worker_count = workers;
  elastica_world *world = make_world(&world_def);
  DEFAULTS(body, body);
  body.radius = 0.1, body.density = 1000.0;
  share_all_work(world);
  add_common_effects(world);
  elastica_rod *rods[10];
  for (int r = 0; r < 10; r++) {
    add_own_effects(world, rods[r] = add_numbered_rod(world, r), r);
    body.position[2] = 20.0 + r;
    if (r % 3 == 1) must(world, elastica_world_add_body(world, &body, NULL));
  }
  DEFAULTS(dissipation, dissipation);
  dissipation.translation = 1.0;
  for (int r = 0; r < 10; r += 3) must(world, elastica_add_dissipation(world, rods[r], &dissipation, NULL));
  DEFAULTS(drag, drag);
  drag.viscosity = 1.0;
  must(world, elastica_add_drag(world, rods[8], &drag, NULL));
  DEFAULTS(contact, contact);
  contact.modulus = 100.0;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  DEFAULTS(joint, joint);
  joint.first.rod = rods[4];
  joint.second.rod = rods[6];
  must(world, elastica_add_joint(world, &joint, NULL));
  elastica_rod *wild = add_numbered_rod(world, 17);
  DEFAULTS(point_load, load);
  load.force[0] = 1e140;
  must(world, elastica_add_point_load(world, wild, &load, NULL));
  assert_true(elastica_world_step(world, 1e-7, 100) != ELASTICA_OK);
  assert_status(world, elastica_world_step(world, 1e-7, 1), ELASTICA_WRONG_STATE);
  return world;
}

/* The loads on all rods by own and common effects. */
static uint64_t hash_loads(uint64_t hash, const elastica_rod *rod) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int a = 0; a < 3; a++) {
    hash = hash_numbers(hash, view->external_force[a], view->node_count);
    hash = hash_numbers(hash, view->external_couple[a], view->element_count);
  }
  return hash;
}

/* All queries. Some of them may be refused, but all must find the world prepared. */
enum { QUESTIONS = 12 };
static void ask(elastica_world *world, int which) {
  elastica_totals totals;
  elastica_step_limit limit;
  elastica_rod_facts facts;
  elastica_check_report report;
  elastica_contact_point points[8];
  elastica_joint_info joint;
  double force[3];
  size_t size;
  int count;
  elastica_rod *rod = next_rod(world, NULL);
  switch (which) {
  case 0: ignore(elastica_world_evaluate(world, 0.0)); break;
  case 1: ignore(elastica_world_evaluate(world, 1e-5)); break;
  case 2: ignore(elastica_world_get_totals(world, &totals)); break;
  case 3: ignore(elastica_world_step_limit(world, &limit)); break;
  case 4: ignore(elastica_world_check(world, 1e-5, &report)); break;
  case 5: ignore(elastica_rod_get_facts(rod, &facts)); break;
  case 6: ignore(elastica_rod_get_totals(rod, &totals)); break;
  case 7: ignore(elastica_rod_refresh(rod)); break;
  case 8: ignore(elastica_world_snapshot_save(world, NULL, 0, &size)); break;
  case 9: ignore(elastica_world_relax(world, NULL, NULL)); break;
  case 10: ignore(elastica_world_advance(world, 1e-6)); break;
  default:
    for (elastica_effect *effect = next_effect(world, NULL); effect; effect = next_effect(world, effect)) {
      elastica_effect_energy(effect);
      elastica_effect_power(effect);
      ignore(elastica_obstacle_get_force(effect, force, NULL));
      ignore(elastica_contact_get(effect, points, 8, &count));
      ignore(elastica_joint_get(effect, &joint));
    }
  }
}

/* Removes the lowest rod from a random number on, with its effects. */
static void remove_any(elastica_world *world, random_source *source) {
  const int count = elastica_world_get(world).rod_count, from = random_integer(source, 0, count - 1);
  for (int k = 0; k < count; k++) {
    elastica_rod *rod = elastica_world_rod(world, (from + k) % count);
    if (rod == NULL) continue;
    must(world, elastica_rod_remove(rod));
    return;
  }
}

/* The answers of a world while its rods are removed one after another. */
static uint64_t question_while_rods_go(uint64_t seed, size_t tile_size, int workers) {
  elastica_world *world = make_failed_world(tile_size, workers);
  random_source source = {seed};
  uint64_t hash = hash_start();
  while (next_rod(world, NULL)) {
    remove_any(world, &source);
    if (next_rod(world, NULL)) ask(world, random_integer(&source, 0, QUESTIONS - 1));
    if (elastica_world_evaluate(world, 0.0) != ELASTICA_OK) continue;
    for (elastica_rod *rod = next_rod(world, NULL); rod; rod = next_rod(world, rod)) hash = hash_loads(hash, rod);
  }
  must(world, elastica_world_step(world, dt, 2));
  elastica_world_destroy(world);
  return hash;
}

/* No removed rod or effect is called by any later query; tiles, which own these lists, do not affect the answers. */
TEST(questions_are_of_rods_and_effects_that_are_there) {
  for (uint64_t seed = 1; seed <= (uint64_t)rounds(30); seed++) {
    const uint64_t expected = question_while_rods_go(seed, 256, 1);
    if (question_while_rods_go(seed, 17, 3) != expected) fail_msg("seed %d: loads depend on tiles", (int)seed);
  }
}

/* With its own effect of rates by length; the library decides for each tile whether all rods share one. */
TEST(loads_of_the_others_stay_when_a_rod_goes_after_a_failure) {
  for (int walled = 0; walled < 2; walled++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *kept = add_numbered_rod(world, 8), *wild = add_numbered_rod(world, 1);
    DEFAULTS(dissipation, dissipation);
    dissipation.translation = 1.0;
    must(world, elastica_add_gravity(world, (const double[3]){0.0, 0.0, -9.81}, NULL));
    must(world, elastica_add_dissipation(world, wild, &dissipation, NULL));
    if (walled) add_own_effects(world, wild, 4);
    DEFAULTS(point_load, load);
    load.force[0] = 1e140;
    must(world, elastica_add_point_load(world, wild, &load, NULL));
    assert_true(elastica_world_step(world, 1e-7, 100) != ELASTICA_OK);
    must(world, elastica_world_evaluate(world, 0.0));
    const uint64_t before = hash_loads(hash_start(), kept);
    must(world, elastica_rod_remove(wild));
    must(world, elastica_world_evaluate(world, 0.0));
    assert_true(hash_loads(hash_start(), kept) == before);
    elastica_world_destroy(world);
  }
}

/* ---- Limits, and worlds without rods ---- */

/* The rod that limited the step has been removed, and another uses its lanes: sentences name present rods, and the limit is checked
 * again. */
TEST(the_limit_is_of_rods_that_are_there) {
  elastica_step_limit limit;
  elastica_world *world = make_world(NULL);
  elastica_rod *quick = add_straight_rod(world, 50, 1.0, 0.02, 1000.0, 1e9, 4e8);
  add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e6, 4e5);
  must(world, elastica_world_step_limit(world, &limit));
  assert_int_equal(limit.rod_index, 0);
  const double small = limit.dt;
  must(world, elastica_world_step(world, 0.5 * small, 3));
  must(world, elastica_rod_remove(quick));
  must(world, elastica_world_step(world, 20.0 * small, 3));
  assert_status(world, elastica_world_step(world, 1.0, 1), ELASTICA_UNSTABLE_STEP);
  assert_says(elastica_world_message(world), "rod 1");
  quick = add_straight_rod(world, 50, 1.0, 0.02, 1000.0, 1e9, 4e8);
  assert_status(world, elastica_world_step(world, 20.0 * small, 1), ELASTICA_UNSTABLE_STEP);
  assert_says(elastica_world_message(world), "rod 2");
  must(world, elastica_rod_remove(quick));
  must(world, elastica_world_advance(world, 100.0 * small));
  assert_true(elastica_world_get(world).working_step > 10.0 * small);
  elastica_world_destroy(world);
}

TEST(a_world_may_become_empty) {
  elastica_world *world = make_world(NULL);
  elastica_totals energy;
  elastica_step_limit limit;
  for (int round = 0; round < 3; round++) {
    elastica_rod *rods[20];
    for (int r = 0; r < 20; r++) add_own_effects(world, rods[r] = add_numbered_rod(world, r), r);
    must(world, elastica_world_step(world, dt, 3));
    for (int r = 0; r < 20; r++) must(world, elastica_rod_remove(rods[r]));
    assert_null(next_rod(world, NULL));
    assert_null(next_effect(world, NULL));
    must(world, elastica_world_get_totals(world, &energy));
    assert_close(energy.bending + energy.translation, 0.0, 0.0);
    must(world, elastica_world_step_limit(world, &limit));
    assert_int_equal(limit.rod_index, -1);
    must(world, elastica_world_step(world, dt, 3));
  }
  elastica_world_destroy(world);
}

/* ---- Relaxation ---- */

/* A clamped cantilever beside missing numbers finds the equilibrium of a cantilever in a world of its own. */
TEST(relaxation_passes_over_holes) {
  uint64_t hash[2];
  for (int holes = 0; holes < 2; holes++) {
    const double gravity[3] = {0.0, -1.0, 0.0};
    elastica_world *world = make_world(NULL);
    elastica_rod *before = holes ? add_numbered_rod(world, 0) : NULL, *between = NULL;
    must(world, elastica_add_gravity(world, gravity, NULL));
    for (int k = 0; k < 2; k++) {
      elastica_rod *rod = add_straight_rod(world, 10 + k, 1.0, 0.02, 1000.0, 1e6, 4e5);
      clamp_first_end(world, rod);
      if (holes && k == 0) between = add_numbered_rod(world, 1);
    }
    if (holes) must(world, elastica_rod_remove(before));
    if (holes) must(world, elastica_rod_remove(between));
    must(world, elastica_world_relax(world, NULL, NULL));
    hash[holes] = hash_rods(world);
    elastica_world_destroy(world);
  }
  assert_true(hash[0] == hash[1]);
}

/* ---- Output ---- */

static int count_of(const char *text, const char *word) {
  int count = 0;
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) count++;
  return count;
}

/* A frame has two pieces for each present rod: its line and its elements. */
TEST(a_frame_has_the_rods_that_are_there) {
  scratch_folder folder;
  scratch_make(&folder);
  elastica_world *world = make_world(NULL);
  elastica_rod *rods[3];
  elastica_vtk *vtk;
  for (int r = 0; r < 3; r++) rods[r] = add_numbered_rod(world, r);
  must(world, elastica_vtk_open(world, folder.path, "rods", &vtk));
  must(world, elastica_vtk_frame(vtk));
  for (int r = 0; r < 3; r++) {
    must(world, elastica_rod_remove(rods[r]));
    must(world, elastica_vtk_frame(vtk));
  }
  must(world, elastica_vtk_close(vtk));
  for (int frame = 0; frame < 4; frame++) {
    char name[40];
    snprintf(name, sizeof name, "rods_%06d.vtp", frame);
    char *text = scratch_read(&folder, name);
    assert_int_equal(count_of(text, "<Piece "), frame < 3 ? 2 * (3 - frame) : 1); /* ParaView needs one piece, possibly empty */
    free(text);
  }
  scratch_remove(&folder);
  elastica_world_destroy(world);
}
