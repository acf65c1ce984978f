/* A snapshot that another system continues with the same bits:
 *   exchange save FILE   takes steps, saves, takes as many again
 *   exchange load FILE   loads, and takes the steps after it
 * Both print the same hash of the last state. */
#include <elastica.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ELEMENTS = 20, STEPS = 500 };

static uint64_t add_to_hash(uint64_t hash, const double *numbers, int count) {
  for (int k = 0; k < count; k++) {
    uint64_t word;
    memcpy(&word, &numbers[k], sizeof word);
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
  }
  return hash;
}

/* Two soft rods, one clamped, fall across each other and touch. */
static elastica_status build(elastica_world *world, elastica_rod *rods[2]) {
  const double gravity[3] = {0.0, -9.81, 0.0};
  elastica_rod_def def;
  elastica_boundary_def clamp;
  elastica_contact_def contact;
  elastica_rod_def_init(&def, sizeof def);
  elastica_boundary_def_init(&clamp, sizeof clamp);
  elastica_contact_def_init(&contact, sizeof contact);
  contact.modulus = 1e5; /* [Pa] */
  def.element_count = ELEMENTS, def.length = 0.5, def.radius = 0.01, def.density = 1100.0, def.youngs_modulus = 1e6;
  elastica_status status = elastica_world_add_rod(world, &def, &rods[0]);
  if (status == ELASTICA_OK) status = elastica_add_boundary(world, rods[0], &clamp, NULL);
  def.start[0] = 0.2, def.start[1] = 0.022, def.start[2] = -0.25;
  def.direction[0] = 0.0, def.direction[1] = 0.0, def.direction[2] = 1.0;
  def.normal[0] = 0.0, def.normal[1] = 1.0, def.normal[2] = 0.0;
  if (status == ELASTICA_OK) status = elastica_world_add_rod(world, &def, &rods[1]);
  if (status == ELASTICA_OK) status = elastica_add_gravity(world, gravity, NULL);
  if (status == ELASTICA_OK) status = elastica_add_contact(world, NULL, &contact, NULL);
  return status;
}

int main(int argc, char **argv) {
  elastica_world *world = NULL;
  elastica_rod *rods[2];
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  if (argc != 3 || (strcmp(argv[1], "save") != 0 && strcmp(argv[1], "load") != 0)) return 2;
  elastica_status status = elastica_world_create(NULL, &world);
  if (status == ELASTICA_OK) status = build(world, rods);
  if (strcmp(argv[1], "save") == 0) {
    if (status == ELASTICA_OK) status = elastica_world_step(world, 1e-4, STEPS);
    for (int k = 0; k < 2 && status == ELASTICA_OK; k++)
      status = elastica_world_snapshot_save_file(world, argv[2]); /* the second replaces */
  } else if (status == ELASTICA_OK) {
    status = elastica_world_snapshot_load_file(world, argv[2]);
  }
  if (status == ELASTICA_OK) status = elastica_world_step(world, 1e-4, STEPS);
  if (status != ELASTICA_OK) {
    fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
    return 1;
  }
  for (int r = 0; r < 2; r++)
    for (int a = 0; a < 3; a++) hash = add_to_hash(hash, elastica_rod_get_view(rods[r])->velocity[a], ELEMENTS + 1);
  printf("after %ld steps %016" PRIx64 "\n", elastica_world_get(world).step_count, hash);
  elastica_world_destroy(world);
  return 0;
}
