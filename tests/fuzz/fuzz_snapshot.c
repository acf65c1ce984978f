/* Fuzz target: bytes -> changes of a snapshot, with its size and checksum put right -> load. Loading is complete or refused with a
 * sentence, and a refused one changes nothing; the world goes on in any case, and loads the first snapshot again. The first byte selects
 * the scene. Then come changes of four bytes: kind, place (two bytes), value.
 */
#include "base/target.h"

#include "fuzz.h"
#include "snapshot_sum.h"

#include <math.h>

enum { MOST_SIZE = 1 << 17, SCENES = 3 };

static const double dt = 0x1p-14;

static elastica_rod *add_rod(elastica_world *world, double x, double z) {
  elastica_rod_def def;
  elastica_rod *rod = NULL;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 4, def.length = 0.2, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
  def.start[0] = x, def.start[2] = z, def.direction[1] = 1.0, def.direction[2] = 0.0;
  CLAIM(elastica_world_add_rod(world, &def, &rod) == ELASTICA_OK, "%s", elastica_world_message(world));
  return rod;
}

/* Contact with friction, on an elastic ground. */
static int add_contacts(elastica_world *world) {
  elastica_contact_def contact;
  elastica_obstacle_def ground;
  elastica_contact_def_init(&contact, sizeof contact);
  elastica_obstacle_def_init(&ground, sizeof ground);
  contact.modulus = ground.modulus = 1e5, contact.friction = ground.friction = 0.3;
  ground.kind = ELASTICA_OBSTACLE_ELASTIC;
  return elastica_add_contact(world, NULL, &contact, NULL) == ELASTICA_OK &&
         elastica_add_obstacle(world, NULL, &ground, NULL) == ELASTICA_OK;
}

/* A rigid ground with friction, a muscle, a tendon, a joint, a clamp and a load. */
static int add_others(elastica_world *world, elastica_rod *rod, elastica_rod *other) {
  static const double control[4] = {0.0, 0.01, 0.01, 0.0};
  elastica_obstacle_def ground;
  elastica_muscle_def muscle;
  elastica_tendon_def tendon;
  elastica_joint_def joint;
  elastica_boundary_def clamp;
  elastica_contraction_def contraction;
  elastica_obstacle_def_init(&ground, sizeof ground);
  elastica_muscle_def_init(&muscle, sizeof muscle);
  elastica_tendon_def_init(&tendon, sizeof tendon);
  elastica_joint_def_init(&joint, sizeof joint);
  elastica_boundary_def_init(&clamp, sizeof clamp);
  elastica_contraction_def_init(&contraction, sizeof contraction);
  ground.stiffness = 10.0, ground.slip_velocity = 1e-3;
  for (int a = 0; a < 3; a++) ground.static_friction[a] = 0.4, ground.kinetic_friction[a] = 0.3;
  muscle.control = control, muscle.control_count = 4, muscle.period = 1.0;
  tendon.rod = rod, tendon.stiffness = 10.0, tendon.offset[0] = 0.01;
  joint.first.rod = rod, joint.second.rod = other;
  contraction.maximum_force = 0.1;
  return elastica_add_obstacle(world, NULL, &ground, NULL) == ELASTICA_OK &&
         elastica_add_muscle(world, rod, &muscle, NULL) == ELASTICA_OK && elastica_add_tendon(world, &tendon, NULL) == ELASTICA_OK &&
         elastica_add_joint(world, &joint, NULL) == ELASTICA_OK && elastica_add_boundary(world, other, &clamp, NULL) == ELASTICA_OK &&
         elastica_add_contraction(world, rod, &contraction, NULL) == ELASTICA_OK;
}

static elastica_world *build(int scene) {
  static const double gravity[3] = {0.5, 0.0, -9.81};
  elastica_world *world;
  elastica_body_def ball;
  CLAIM(elastica_world_create(NULL, &world) == ELASTICA_OK, "no world");
  elastica_rod *rod = add_rod(world, 0.0, 0.0195), *other = add_rod(world, 0.01, scene == 1 ? 0.0585 : 0.5);
  elastica_body_def_init(&ball, sizeof ball);
  ball.radius = 0.05, ball.mass = 0.2, ball.position[0] = 1.0, ball.position[2] = 0.0495;
  int made = elastica_world_add_body(world, &ball, NULL) == ELASTICA_OK && elastica_add_gravity(world, gravity, NULL) == ELASTICA_OK;
  if (scene == 1) made = made && add_contacts(world);
  if (scene == 2) made = made && add_others(world, rod, other);
  CLAIM(made && elastica_world_step(world, dt, 20) == ELASTICA_OK, "scene %d: %s", scene, elastica_world_message(world));
  return world;
}

/* Returns the new size. */
static size_t change(byte_source *source, unsigned char *bytes, size_t size) {
  static const uint64_t words[8] = {0,
                                    1,
                                    UINT64_MAX,
                                    UINT64_C(0x7fffffffffffffff),
                                    UINT64_C(0x7ff8000000000000),
                                    UINT64_C(0x7ff0000000000000),
                                    UINT64_C(0x7fefffffffffffff),
                                    UINT64_C(0x80000000)};
  const int kind = next_below(source, 5);
  size_t at = next_byte(source);
  at |= (size_t)next_byte(source) << 8;
  const unsigned value = next_byte(source);
  if (size < ELI_WORD) return size;
  const size_t word = at % (size / ELI_WORD) * ELI_WORD;
  if (kind == 0) bytes[at % size] = (unsigned char)value;
  if (kind == 1)
    for (int k = 0; k < 8; k++) bytes[word + (size_t)k] = (unsigned char)(words[value % 8] >> 8 * k);
  if (kind == 2) memmove(bytes + word, bytes + (at + value) % (size / ELI_WORD) * ELI_WORD, ELI_WORD);
  if (kind == 3) return word;
  if (kind == 4 && size + ELI_WORD <= MOST_SIZE) memset(bytes + size, (int)value, ELI_WORD), size += ELI_WORD;
  return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static elastica_world *worlds[SCENES];
  static unsigned char first[SCENES][MOST_SIZE], before[MOST_SIZE];
  static size_t first_size[SCENES];
  byte_source source = {data, size};
  const int scene = next_below(&source, SCENES);
  if (worlds[scene] == NULL) {
    worlds[scene] = build(scene);
    CLAIM(elastica_world_snapshot_save(worlds[scene], first[scene], MOST_SIZE, &first_size[scene]) == ELASTICA_OK, "not saved");
  }
  elastica_world *world = worlds[scene];
  size_t changed = first_size[scene];
  unsigned char *bytes = malloc(MOST_SIZE);
  CLAIM(bytes != NULL, "no memory");
  memcpy(bytes, first[scene], changed);
  while (source.left > 0) changed = change(&source, bytes, changed);
  put_sum_right(bytes, changed);
  unsigned char *exact = malloc(changed > 0 ? changed : 1); /* reading behind the end is detected */
  CLAIM(exact != NULL, "no memory");
  memcpy(exact, bytes, changed);
  const elastica_status status = elastica_world_snapshot_load(world, exact, changed);
  free(exact), free(bytes);
  if (status == ELASTICA_OK) {
    const elastica_status stepped = elastica_world_step(world, dt, 3);
    CLAIM(stepped == ELASTICA_OK || elastica_world_message(world)[0] != '\0', "%s without a sentence", elastica_status_text(stepped));
  } else {
    size_t now;
    CLAIM(status == ELASTICA_INVALID_ARGUMENT || status == ELASTICA_WRONG_VERSION || status == ELASTICA_CALLBACK_FAILED ||
              status == ELASTICA_OUT_OF_MEMORY,
          "%s: %s", elastica_status_text(status), elastica_world_message(world));
    CLAIM(elastica_world_message(world)[0] != '\0', "%s without a sentence", elastica_status_text(status));
    CLAIM(elastica_world_snapshot_save(world, before, MOST_SIZE, &now) == ELASTICA_OK && now == first_size[scene] &&
              memcmp(before, first[scene], now) == 0,
          "changed though refused");
  }
  const elastica_status again = elastica_world_snapshot_load(world, first[scene], first_size[scene]);
  CLAIM(again == ELASTICA_OK, "the first snapshot: %s: %s", elastica_status_text(again), elastica_world_message(world));
  return 0;
}
