/* The tangents that effects add are the derivatives of their loads: beside central differences of loads, in random states.
 */
#include "jointed.h"

#include "statics/relax.h"

enum { MOST = 6 * 40 };

typedef struct bench {
  eli_relaxation relaxation;
  size_t first[4];
  double loads[MOST], total[MOST], external[MOST], strain[2 * MOST];
  double tangent[MOST][MOST], common[MOST]; /* common: response to a common translation along x, of balanced blocks */
  eli_statics statics;
} bench;

static bench on;

static void add_block(void *context, size_t row, size_t column, const double block[9], int balanced) {
  (void)context;
  for (size_t k = 0; k < 9; k++) {
    on.tangent[3 * row + k / 3][3 * column + k % 3] += block[k];
    if (balanced && column % 2 == 0 && k % 3 == 0) on.common[3 * row + k / 3] += block[k];
  }
}

static void begin(elastica_world *world) {
  size_t first = 0;
  memset(&on, 0, sizeof on);
  on.relaxation.world = world;
  on.relaxation.first = on.first;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    rod->body->rank = (size_t)on.relaxation.rod_count;
    on.first[on.relaxation.rod_count++] = first;
    first += eli_block_count(rod);
  }
  on.relaxation.blocks = first;
  on.relaxation.size = 6 * first;
  assert_true(on.relaxation.size <= MOST);
  on.statics = (eli_statics){on.first, on.total, on.external, on.loads, on.strain};
}

static void loads_at(elastica_world *world, int between_rods, double *out) {
  eli_tile_report report;
  const elastica_status status =
      between_rods ? eli_world_pair_loads(world, &on.statics, &report) : eli_world_statics(world, 1, &on.statics, &report);
  assert_int_equal(status, ELASTICA_OK);
  memcpy(out, on.loads, on.relaxation.size * sizeof *out);
}

/* Displaces one unknown. */
static void move(elastica_world *world, size_t unknown, double size) {
  double *const *lane = world->bodies.slab.lane;
  const size_t block = unknown / 6;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    const size_t first = on.first[rod->body->rank];
    if (block < first || block >= first + eli_block_count(rod)) continue;
    const size_t slot = rod->offset + block - first;
    if (unknown % 6 < 3) {
      lane[ELI_POSITION + unknown % 6][slot] += size;
    } else if (block - first < (size_t)rod->element_count) {
      double phi[3] = {0.0, 0.0, 0.0}, frame[9];
      phi[unknown % 3] = size;
      for (size_t a = 0; a < 9; a++) frame[a] = lane[ELI_DIRECTOR + a][slot];
      turn_frame_exactly(phi, frame);
      for (size_t a = 0; a < 9; a++) lane[ELI_DIRECTOR + a][slot] = frame[a];
    }
  }
}

/* Compares all columns with fourth-order differences, but for those of a node that is held; -1: none. */
static void check_tangent(elastica_world *world, int between_rods, int held, double size) {
  static double at[4][MOST];
  static const double factor[4] = {1.0, -1.0, 2.0, -2.0};
  double most = 0.0, wrong = 0.0;
  assert_int_equal(eli_world_prepare(world, "test"), ELASTICA_OK);
  begin(world);
  assert_true(eli_relax_has_tangents(&on.relaxation, between_rods));
  assert_int_equal(eli_relax_visit_tangents(&on.relaxation, between_rods, add_block, NULL), ELASTICA_OK);
  for (size_t c = 0; c < on.relaxation.size; c++) {
    if ((int)(c / 6) == held && c % 6 < 3) continue;
    for (int k = 0; k < 4; k++) {
      move(world, c, factor[k] * size);
      loads_at(world, between_rods, at[k]);
      move(world, c, -factor[k] * size);
    }
    for (size_t r = 0; r < on.relaxation.size; r++) {
      const double column = -(8.0 * (at[0][r] - at[1][r]) - (at[2][r] - at[3][r])) / (12.0 * size);
      most = fmax(most, fabs(on.tangent[r][c]));
      wrong = fmax(wrong, fabs(column - on.tangent[r][c]));
    }
  }
  assert_true(most > 0.0);
  assert_true(wrong <= 2e-9 * most);
  for (size_t r = 0; r < on.relaxation.size; r++) assert_true(fabs(on.common[r]) <= 1e-13 * most);
}

/* Moves nodes by up to 0.02 m and turns frames by up to 0.4 rad about each axis. */
static void shake(random_source *source, elastica_rod *rod, int n) {
  rod_state moved;
  read_state(rod, &moved);
  for (int i = 0; i < 3 * (n + 1); i++) moved.position[i] += random_between(source, -0.02, 0.02);
  for (int j = 0; j < n; j++) {
    double phi[3];
    random_vector(source, 0.4, phi);
    turn_frame_exactly(phi, moved.director + 9 * j);
  }
  must(elastica_rod_get_view(rod)->world, elastica_rod_set_state(rod, moved.position, NULL, moved.director, NULL));
}

/* Two rods and a body, bent, apart and turned at random; the second anchor is on a rod, on the body, or in the world. */
TEST(joints_have_the_tangent_of_their_loads) {
  for (uint64_t seed = 0; seed < (uint64_t)rounds(120); seed++) {
    random_source source = {seed};
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[3];
    for (int k = 0; k < 3; k++) {
      double shift[3];
      DEFAULTS(rod, def);
      random_vector(&source, 0.05, shift);
      def.element_count = 3, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
      for (int a = 0; a < 3; a++) def.start[a] = shift[a];
      random_vector(&source, 1.0, def.direction);
      must(world, elastica_world_add_rod(world, &def, &rod[k]));
    }
    DEFAULTS(joint, joint);
    joint.kind = (elastica_joint_kind)(seed % 4);
    joint.first.rod = rod[0], joint.first.element = random_integer(&source, 0, 2), joint.first.share = random_integer(&source, 0, 2) * 0.5;
    if (joint.kind == ELASTICA_JOINT_SIDE_BY_SIDE || seed % 3 > 0) {
      joint.second.rod = rod[1 + seed % 2], joint.second.element = random_integer(&source, 0, 2);
      joint.second.share = random_between(&source, 0.0, 1.0);
    }
    if (joint.kind != ELASTICA_JOINT_SIDE_BY_SIDE) {
      random_vector(&source, 0.1, joint.first.offset);
      if (joint.second.rod != NULL) random_vector(&source, 0.1, joint.second.offset);
    }
    if (joint.kind == ELASTICA_JOINT_HINGE) {
      random_vector(&source, 1.0, joint.axis);
      joint.axis_in_world = seed % 8 > 3;
    }
    joint.stiffness = 30.0, joint.angular_stiffness = 2.0;
    must(world, elastica_add_joint(world, &joint, NULL));
    for (int k = 0; k < 3; k++) shake(&source, rod[k], 3);
    check_tangent(world, 1, -1, 1e-3);
    elastica_world_destroy(world);
  }
}

static elastica_rod *add_short_rod(elastica_world *world, random_source *source, int n) {
  elastica_rod *rod;
  DEFAULTS(rod, def);
  def.element_count = n, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
  random_vector(source, 0.2, def.start);
  random_vector(source, 1.0, def.direction);
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* Of a given tension or a spring, along one rod or through guides on two rods and in the world. */
TEST(tendons_have_the_tangent_of_their_loads) {
  for (uint64_t seed = 0; seed < (uint64_t)rounds(60); seed++) {
    enum { GUIDES = 4 };
    random_source source = {seed};
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[2];
    elastica_anchor guide[GUIDES];
    memset(guide, 0, sizeof guide);
    for (int k = 0; k < 2; k++) rod[k] = add_short_rod(world, &source, 4);
    DEFAULTS(tendon, tendon);
    if (seed % 2)
      tendon.tension = 3.0;
    else
      tendon.stiffness = 50.0, tendon.rest_length = 0.3;
    if (seed % 4 < 2) {
      tendon.rod = rod[0], tendon.first = 0, tendon.last = 3, tendon.offset[0] = 0.05;
    } else {
      for (int k = 0; k < GUIDES; k++) {
        if (k < 3 || seed % 8 < 4) guide[k].rod = rod[k % 2], guide[k].element = k, guide[k].share = random_between(&source, 0.0, 1.0);
        random_vector(&source, 0.1, guide[k].offset);
      }
      tendon.guides = guide, tendon.guide_count = GUIDES;
    }
    must(world, elastica_add_tendon(world, &tendon, NULL));
    for (int k = 0; k < 2; k++) shake(&source, rod[k], 4);
    check_tangent(world, seed % 4 >= 2, -1, 3e-4);
    elastica_world_destroy(world);
  }
}

/* At either end, in both laws and with either couple; and couples in laboratory components. */
TEST(clamps_and_point_loads_have_the_tangent_of_their_loads) {
  for (uint64_t seed = 0; seed < (uint64_t)rounds(60); seed++) {
    random_source source = {seed};
    elastica_world_def def = seed % 4 < 2 ? default_world() : papers_world();
    elastica_world *world = make_world(&def);
    elastica_rod *rod = add_short_rod(world, &source, 4);
    const int held = seed % 3 > 0 ? 4 * (int)(seed % 2) : -1;
    if (held >= 0) {
      DEFAULTS(boundary, clamp);
      clamp.node = seed % 2 ? -1 : 0;
      must(world, elastica_add_boundary(world, rod, &clamp, NULL));
    }
    DEFAULTS(point_load, load);
    random_vector(&source, 1.0, load.force);
    random_vector(&source, 1e-3, load.couple);
    load.couple_in_laboratory = 1;
    must(world, elastica_add_point_load(world, rod, &load, NULL));
    shake(&source, rod, 4);
    check_tangent(world, 0, held, 3e-4);
    elastica_world_destroy(world);
  }
}

/* ---- Errors of the hook -------------------------------------------------------------------------------------------------------------- */

typedef enum fault { NO_FAULT, RETURNS, NOT_A_NUMBER, BEYOND, BEFORE, NEITHER, NO_ROD, FAULTS } fault;

static elastica_status pull_back(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now;
  for (int i = 0; i < rod->node_count; i++) loads->force[0][i] -= 3.0 * rod->position[0][i];
  return ELASTICA_OK;
}

static elastica_status add_wrong_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  const fault what = *(const fault *)self;
  double block[9] = {what == NOT_A_NUMBER ? NAN : 3.0};
  (void)now;
  for (int i = 0; i < rod->node_count; i++) {
    elastica_part part = {rod, i, 0};
    if (what == BEYOND) part.index = rod->node_count;
    if (what == BEFORE) part.index = -1;
    if (what == NEITHER) part.turns = 7;
    if (what == NO_ROD) part.rod = NULL;
    tangent->add(tangent->owner, part, part, block);
  }
  return what == RETURNS ? ELASTICA_NOT_FINITE : ELASTICA_OK;
}

TEST(errors_of_a_tangent_are_named) {
  static const char *const says[FAULTS] = {NULL,
                                           "add_tangent returned NOT_FINITE for rod 0",
                                           "block[0] = nan for node 0 of rod 0",
                                           "for node 9 of rod 0, outside 0..8",
                                           "for node -1 of rod 0, outside 0..8",
                                           "turns = 7",
                                           "not in the world"};
  for (fault what = NO_FAULT; what < FAULTS; what++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = NULL;
    DEFAULTS(rod, def);
    def.element_count = 8, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
    must(world, elastica_world_add_rod(world, &def, &rod));
    DEFAULTS(boundary, clamp);
    must(world, elastica_add_boundary(world, rod, &clamp, NULL));
    must(world, elastica_add_gravity(world, (const double[]){1.0, 0.0, 0.0}, NULL));
    elastica_module module = module_named("springs");
    module.self = &what, module.self_size = sizeof what;
    module.add_loads = pull_back;
    module.add_tangent = add_wrong_tangent;
    must(world, elastica_world_add_module(world, rod, &module, NULL));
    const elastica_status status = elastica_world_relax(world, NULL, NULL);
    if (what == NO_FAULT)
      must(world, status);
    else {
      assert_int_equal(status, ELASTICA_CALLBACK_FAILED);
      assert_says(elastica_world_message(world), "effect 2 \"springs\"", "add_tangent", says[what]);
    }
    elastica_world_destroy(world);
  }
}
