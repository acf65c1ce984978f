/* Undamped rods that touch themselves: what becomes of their energy.
 */
#include "hairpins.h"
#include "touching.h"

/* Of motion [J]. */
static double kinetic_energy(elastica_world *world) {
  elastica_energy energy;
  must(world, elastica_world_get_energy(world, &energy));
  return energy.translation + energy.rotation;
}

/* A contact that presses on radii which grow as elements get shorter, without a force that answers to it, feeds such a hairpin: it has
 * half as much energy again after 20 s. */
static void a_hairpin_at_rest_stays_at_rest(void **state) {
  elastica_world *world = make_conservative_world();
  elastica_rod *rod = add_hairpin(world, 0.085);
  const elastica_self_contact_def def = contact_of(1e4, 0.0);
  elastica_effect *contact = NULL;
  elastica_self_contact_info info;
  (void)state;
  must(world, elastica_add_self_contact(world, rod, &def, &contact));
  elastica_relax_result relaxed;
  must(world, elastica_world_relax(world, NULL, &relaxed));
  assert_true(relaxed.evaluations <= 2000); /* there are fewer contacts than at the start, and they are shallower */
  must(world, elastica_self_contact_get(contact, &info));
  assert_true(info.contact_count > 0);
  const double total = total_energy(world), dt = 0.5 * limit_of(world).dt;
  assert_true(total > 0.05);
  while (elastica_world_time(world) < 20.0) must(world, elastica_world_step(world, dt, 1000));
  assert_true(kinetic_energy(world) < 1e-9 * total);
  assert_close(total_energy(world), total, 1e-9 * total);
  elastica_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_hairpin_at_rest_stays_at_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
