/* Joints of elements in the kernels: no couple between equal frames, and turns of every size by the path for the joint's own angle, for
 * every instruction set. */
#include "base/target.h"

#include <math.h>

#include "samples.h"
#include "support.h"

enum { N = 19, SETS = 5 };

/* NULL if the processor lacks the set. */
static elastica_world *make_world_of(int set) {
  elastica_world_def def = default_world();
  elastica_world *world = NULL;
  def.instruction_set = (elastica_instruction_set)set;
  const elastica_status status = elastica_world_create(&def, &world);
  if (status == ELASTICA_INVALID_ARGUMENT && set > ELASTICA_INSTRUCTION_SET_BASE) return NULL;
  assert_int_equal(status, ELASTICA_OK);
  return world;
}

static elastica_rod *add_rod(elastica_world *world, const double *director) {
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = N;
  def.director = director;
  def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static void random_frame(random_source *source, double q[9]) {
  static const double unit[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  double turn[3];
  random_vector(source, 2.0, turn);
  for (int a = 0; a < 9; a++) q[a] = unit[a];
  turn_frame_exactly(turn, q);
}

/* Products are fused: a b - b a may not vanish exactly. */
TEST(equal_frames_have_no_couple_at_any_tilt) {
  for (int set = 0; set < SETS; set++) {
    elastica_world *world = make_world_of(set);
    random_source source = {3};
    if (world == NULL) continue;
    double director[9 * N];
    for (int a = 0; a < 9 * N; a++) director[a] = a % 9 % 4 == 0 ? 1.0 : 0.0;
    elastica_rod *rod = add_rod(world, director);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int trial = 0; trial < 300; trial++) {
      random_frame(&source, director);
      for (int a = 9; a < 9 * N; a++) director[a] = director[a - 9];
      must(world, elastica_rod_set_state(rod, NULL, NULL, director, NULL));
      must(world, elastica_rod_refresh(rod));
      for (int a = 0; a < 3; a++) {
        for (int k = 0; k < N - 1; k++) assert_true(view->curvature[a][k] == 0.0 && view->couple[a][k] == 0.0);
      }
    }
    elastica_world_destroy(world);
  }
}

/* From the fast series over the wide series to the logarithm for half turns; the limits of the paths are 0.505 and 2.4 rad. */
static const double angles[N - 1] = {1e-9, 1e-5, 1e-3, 0.05, 0.2, 0.4,   0.5,   0.504, 0.506,
                                     0.52, 0.8,  1.2,  1.7,  2.2, 2.399, 2.401, 2.7,   2.99};

TEST(turns_of_every_size_are_exact) {
  for (int set = 0; set < SETS; set++) {
    elastica_world *world = make_world_of(set);
    random_source source = {11};
    if (world == NULL) continue;
    elastica_rod *rod = add_rod(world, NULL);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int trial = 0; trial < 100; trial++) {
      double director[9 * N], turn[N - 1][3];
      random_frame(&source, director);
      for (int k = 0; k + 1 < N; k++) {
        random_vector(&source, 1.0, turn[k]);
        const double scale = angles[(k + trial) % (N - 1)] / norm(turn[k]);
        for (int a = 0; a < 3; a++) turn[k][a] *= scale;
        for (int a = 0; a < 9; a++) director[9 * (k + 1) + a] = director[9 * k + a];
        turn_frame_exactly(turn[k], director + 9 * (k + 1));
      }
      must(world, elastica_rod_set_state(rod, NULL, NULL, director, NULL));
      must(world, elastica_rod_refresh(rod));
      for (int k = 0; k + 1 < N; k++)
        for (int a = 0; a < 3; a++) /* frames are rounded to 1e-16, which matters more near half a turn */
          assert_close(view->curvature[a][k] * view->rest_joint_length[k], turn[k][a], norm(turn[k]) > 0.6 ? 1e-14 : 1e-15);
    }
    elastica_world_destroy(world);
  }
}

/* For all paths of the other joints of the tile. */
TEST(a_joint_does_not_see_the_angles_of_others) {
  double alone[3] = {0.0}, couple[3] = {0.0};
  for (int far = 0; far < 3; far++) {
    static const double others[3] = {0.1, 1.5, 2.9};
    elastica_world *world = make_world_of(ELASTICA_INSTRUCTION_SET_AUTO);
    elastica_rod *rod = add_rod(world, NULL);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    double director[9 * N] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    for (int k = 0; k + 1 < N; k++) {
      const double turn[3] = {k == 6 ? 0.3 : 0.0, k == 6 ? -0.1 : others[far], k == 6 ? 0.2 : 0.0};
      for (int a = 0; a < 9; a++) director[9 * (k + 1) + a] = k == 5 || k == 6 ? (a % 4 == 0 ? 1.0 : 0.0) : director[9 * k + a];
      if (k != 5) turn_frame_exactly(turn, director + 9 * (k + 1));
    }
    must(world, elastica_rod_set_state(rod, NULL, NULL, director, NULL));
    must(world, elastica_rod_refresh(rod));
    for (int a = 0; a < 3; a++) {
      if (far > 0) assert_true(view->curvature[a][6] == alone[a] && view->couple[a][6] == couple[a]);
      alone[a] = view->curvature[a][6];
      couple[a] = view->couple[a][6];
    }
    elastica_world_destroy(world);
  }
}
