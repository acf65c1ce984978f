/* Pages: a page shows the run, it stays within its size, and a page that cannot be written leaves the existing page. */
#include "base/target.h"

#include "meshes.h"
#include "obstacles.h"
#include "page_reader.h"
#include "samples.h"
#include "writing.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static elastica_view *open_page(fixture *f, const elastica_view_def *def) {
  elastica_view *view = NULL;
  must(f->world, elastica_view_open(f->world, scratch_path(&f->folder, "run.html"), def, &view));
  return view;
}

/* Returns the page, to be freed. */
static char *close_and_read(fixture *f, elastica_view *view) {
  must(f->world, elastica_view_close(view));
  return scratch_read(&f->folder, "run.html");
}

/* Two moving rods, one of them a ring. */
static void add_two_rods(fixture *f) {
  static sample_rod sample;
  const sample_recipe recipe = usual_recipe();
  make_sample(&sample, 12, 1, &recipe);
  add_sample(f->world, &sample);
  make_sample_ring(&sample, 9, 2);
  add_sample(f->world, &sample);
}

enum { FRAMES = 7, NODES = 13 + 9, ELEMENTS = 12 + 9 };
#define STEP 0x1p-20

typedef struct expected {
  double position[FRAMES][3][NODES], d1[FRAMES][3][ELEMENTS], d3[FRAMES][3][ELEMENTS], tension[FRAMES][ELEMENTS];
} expected;

static void note_frame(fixture *f, expected *out, int frame) {
  int node = 0, element = 0;
  for (int r = 0; r < 2; r++) {
    elastica_rod *rod = elastica_world_rod(f->world, r);
    must(f->world, elastica_rod_refresh(rod));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int a = 0; a < 3; a++) {
      for (int i = 0; i < view->node_count; i++) out->position[frame][a][node + i] = view->position[a][i];
      for (int j = 0; j < view->element_count; j++) {
        out->d1[frame][a][element + j] = view->director[0][a][j];
        out->d3[frame][a][element + j] = view->director[2][a][j];
      }
    }
    for (int j = 0; j < view->element_count; j++) out->tension[frame][element + j] = view->force[2][j];
    node += view->node_count;
    element += view->element_count;
  }
}

static char *write_run(fixture *f, expected *out) {
  elastica_view *view = open_page(f, NULL);
  add_two_rods(f);
  for (int frame = 0; frame < FRAMES; frame++) {
    note_frame(f, out, frame);
    must(f->world, elastica_view_frame(view));
    must(f->world, elastica_world_step(f->world, STEP, 20));
  }
  return close_and_read(f, view);
}

static void read_origin(const page_record *times, double origin[3]) {
  const char *at = strstr(times->text, "\"origin\":[");
  assert_non_null(at);
  assert_int_equal(sscanf(at, "\"origin\":[%lf,%lf,%lf]", &origin[0], &origin[1], &origin[2]), 3);
}

/* Positions within half the resolution stated by the page, at most 1/16384 of the shortest element. */
TEST_IN_FOLDER(positions_are_those_of_the_nodes) {
  static expected run;
  fixture *f = *state;
  int frames, lanes, size;
  char *page = write_run(f, &run);
  page_record about = read_record(page, "run", 0), tubes = read_record(page, "tubes", 0), times = read_record(page, "frames", 0);
  const double resolution = member(times.text, "resolution");
  double origin[3], shortest = INFINITY;
  read_origin(&times, origin);
  assert_non_null(strstr(about.text, "\"title\":\"run\""));
  assert_non_null(strstr(tubes.text, "\"rods\":[[0,12,0],[1,9,1]]"));
  for (int r = 0; r < 2; r++) {
    const elastica_rod_view *view = elastica_rod_get_view(elastica_world_rod(f->world, r));
    for (int j = 0; j < view->element_count; j++) shortest = fmin(shortest, view->rest_length[j]);
  }
  assert_true(resolution <= shortest / 16384 && resolution > shortest / 32769);
  int *position = read_numbers(&tubes, "position", &frames, &lanes, &size);
  assert_true(frames == FRAMES && lanes == 3 && size == NODES);
  for (int frame = 0; frame < FRAMES; frame++)
    for (int a = 0; a < 3; a++)
      for (int i = 0; i < NODES; i++)
        assert_close(origin[a] + resolution * position[(frame * 3 + a) * NODES + i], run.position[frame][a][i], 0.5001 * resolution);
  const char *time = strstr(times.text, "\"times\":[") + 8;
  for (int frame = 0; frame < FRAMES; frame++, time = strchr(time + 1, ',')) assert_true(strtod(time + 1, NULL) == frame * 20 * STEP);
  free(position), free(about.text), free(tubes.text), free(times.text), free(page);
}

/* v turned by the smallest rotation from the unit vector `from` to the unit vector `to`. */
static void carry(const double from[3], const double to[3], double v[3]) {
  double axis[3], once[3], twice[3];
  cross(from, to, axis);
  cross(axis, v, once);
  cross(axis, once, twice);
  const double cosine = from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
  for (int a = 0; a < 3; a++) v[a] += once[a] + twice[a] / (1.0 + cosine);
}

/* d1 from turns, carried from the tangent to d3, compared with parallel transport along the stored positions; and the tension. */
TEST_IN_FOLDER(frames_and_tension_are_those_of_the_elements) {
  static expected run;
  fixture *f = *state;
  int frames, lanes, size;
  char *page = write_run(f, &run);
  page_record tubes = read_record(page, "tubes", 0);
  int *position = read_numbers(&tubes, "position", &frames, &lanes, &size);
  int *turn = read_numbers(&tubes, "turn", &frames, &lanes, &size), *tension = read_numbers(&tubes, "tension", &frames, &lanes, &size);
  for (int frame = 0; frame < FRAMES; frame++) {
    double tangent[3] = {0, 0, 1}, across[3] = {0, 0, 0};
    for (int j = 0; j < ELEMENTS; j++) {
      const int ring = j >= 12, node = ring ? j + 1 : j, next = ring && j == ELEMENTS - 1 ? 13 : node + 1, k = frame * ELEMENTS + j;
      double edge[3], second[3], d1[3], d3[3];
      for (int a = 0; a < 3; a++) edge[a] = position[(frame * 3 + a) * NODES + next] - position[(frame * 3 + a) * NODES + node];
      const double length = norm(edge);
      for (int a = 0; a < 3; a++) edge[a] /= length;
      if (j == 0 || j == 12) {
        int least = 0;
        for (int a = 1; a < 3; a++)
          if (fabs(edge[a]) < fabs(edge[least])) least = a;
        for (int a = 0; a < 3; a++) across[a] = a == least;
      } else {
        carry(tangent, edge, across);
      }
      memcpy(tangent, edge, sizeof tangent);
      const double along = across[0] * tangent[0] + across[1] * tangent[1] + across[2] * tangent[2];
      for (int a = 0; a < 3; a++) across[a] -= along * tangent[a];
      const double own = norm(across);
      for (int a = 0; a < 3; a++) across[a] /= own;
      cross(tangent, across, second);
      const double angle = 2.0 * 3.14159265358979324 * turn[k] / 4096.0;
      for (int a = 0; a < 3; a++) {
        d3[a] = run.d3[frame][a][j];
        d1[a] = cos(angle) * across[a] + sin(angle) * second[a];
      }
      carry(tangent, d3, d1);
      for (int a = 0; a < 3; a++) assert_close(d1[a], run.d1[frame][a][j], 1e-3); /* half a step of the turn is 0.8e-3 */
      assert_close(float_of(tension[k]), run.tension[frame][j], fabs(run.tension[frame][j]) / 4000);
    }
  }
  free(position), free(turn), free(tension), free(tubes.text), free(page);
}

/* Solids with their pose, cables, joints; and the contributions of muscles. */
TEST_IN_FOLDER(everything_in_a_world_is_on_its_page) {
  fixture *f = *state;
  elastica_rod *rod = add_straight_rod(f->world, 8, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  DEFAULTS(body, ball);
  ball.radius = 0.1, ball.density = 1000.0, ball.position[1] = 1.0;
  must(f->world, elastica_world_add_body(f->world, &ball, NULL));
  DEFAULTS(obstacle, floor);
  floor.position[2] = -1.0, floor.stiffness = 1.0;
  must(f->world, elastica_add_obstacle(f->world, NULL, &floor, NULL));
  DEFAULTS(obstacle, box);
  box.kind = ELASTICA_OBSTACLE_ELASTIC;
  box.shape = ELASTICA_SHAPE_BOX, box.position[0] = 2.0, box.modulus = 1e4;
  box.edges[0] = 1.0, box.edges[1] = 0.5, box.edges[2] = 0.25;
  must(f->world, elastica_add_obstacle(f->world, rod, &box, NULL));
  DEFAULTS(tendon, tendon);
  tendon.rod = rod, tendon.offset[0] = 0.005, tendon.tension = 0.1;
  must(f->world, elastica_add_tendon(f->world, &tendon, NULL));
  DEFAULTS(joint, joint);
  joint.first.rod = rod, joint.stiffness = 10.0;
  must(f->world, elastica_add_joint(f->world, &joint, NULL));
  DEFAULTS(contraction, muscle);
  muscle.maximum_force = 0.2;
  must(f->world, elastica_add_contraction(f->world, rod, &muscle, NULL));
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  int frames, lanes, size;
  page_record solids = read_record(page, "solids", 0), cables = read_record(page, "cables", 0), joints = read_record(page, "joints", 0);
  page_record tubes = read_record(page, "tubes", 0), times = read_record(page, "frames", 0);
  const double resolution = member(times.text, "resolution");
  assert_non_null(strstr(solids.text, "{\"role\":\"body\",\"number\":1,\"shape\":\"sphere\",\"radius\":0.1,"));
  assert_non_null(strstr(solids.text, "{\"role\":\"obstacle\",\"number\":0,\"shape\":\"plane\""));
  assert_non_null(
      strstr(solids.text, "{\"role\":\"obstacle\",\"number\":1,\"shape\":\"box\",\"radius\":0,\"length\":0,\"edges\":[1,0.5,0.25]}"));
  int *place = read_numbers(&solids, "position", &frames, &lanes, &size),
      *turn = read_numbers(&solids, "quaternion", &frames, &lanes, &size);
  assert_true(frames == 1 && lanes == 4 && size == 3);
  assert_close(resolution * place[3], 1.0, resolution); /* y of the ball, relative to the origin at the first node */
  assert_close(resolution * place[2], 2.0, resolution);
  for (int k = 0; k < 3; k++) assert_int_equal(turn[9 + k], 262144);
  assert_non_null(strstr(cables.text, "\"cables\":[[2,9]]"));
  assert_non_null(strstr(joints.text, "\"joints\":[[3,\"ball\"]]"));
  int *force = read_numbers(&tubes, "muscle force", &frames, &lanes, &size);
  for (int j = 0; j < size; j++) assert_close(float_of(force[j]), 0.2, 1e-4);
  free(place), free(turn), free(force), free(solids.text), free(cables.text), free(joints.text), free(tubes.text), free(times.text),
      free(page);
}

/* Rods of any size have the resolution of their elements; one too far away for it is refused. */
TEST_IN_FOLDER(positions_of_any_size_are_shown) {
  static const double scales[4] = {1e-9, 1.0, 1e9, 1e-3};
  for (int k = 0; k < 4; k++) {
    fixture *f = *state;
    elastica_world *const usual = f->world;
    f->world = make_world(NULL);
    int frames, lanes, size;
    DEFAULTS(rod, def);
    def.element_count = 4, def.length = scales[k], def.radius = 0.05 * scales[k], def.density = 1000.0, def.youngs_modulus = 1e6;
    if (k == 3) def.start[0] = 1e20;
    must(f->world, elastica_world_add_rod(f->world, &def, NULL));
    elastica_view *view = open_page(f, NULL);
    if (k == 3) {
      assert_refused(f->world, elastica_view_frame(view), ELASTICA_INVALID_ARGUMENT, "node 0 of rod 0 is 1e+20 m", "2^31");
      assert_status(f->world, elastica_view_close(view), ELASTICA_WRONG_STATE); /* without a frame */
      elastica_world_destroy(f->world);
      f->world = usual;
      break;
    }
    must(f->world, elastica_view_frame(view));
    char *page = close_and_read(f, view);
    page_record tubes = read_record(page, "tubes", 0), times = read_record(page, "frames", 0);
    int *position = read_numbers(&tubes, "position", &frames, &lanes, &size);
    const double resolution = member(times.text, "resolution");
    assert_between(resolution / (0.25 * scales[k]), 1.0 / 32768.0, 1.0 / 8192.0);
    assert_int_equal(size, 5);
    for (int i = 0; i < 5; i++) assert_close(resolution * (position[2 * 5 + i] - position[2 * 5]), 0.25 * scales[k] * i, resolution);
    free(position), free(tubes.text), free(times.text), free(page);
    elastica_world_destroy(f->world);
    f->world = usual;
  }
}

/* Lists of several bodies, cables and joints, without those that are disabled; and a duct. */
TEST_IN_FOLDER(lists_have_all_that_is_enabled) {
  static const double axis[6] = {0.0, 3.0, 0.0, 1.0, 3.0, 0.0}, radii[2] = {0.2, 0.1};
  fixture *f = *state;
  elastica_rod *rod = add_straight_rod(f->world, 8, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  DEFAULTS(body, ball);
  ball.radius = 0.1, ball.density = 1000.0;
  for (int k = 0; k < 2; k++) {
    ball.position[1] = 1.0 + k;
    must(f->world, elastica_world_add_body(f->world, &ball, NULL));
  }
  DEFAULTS(tendon, tendon);
  tendon.rod = rod, tendon.offset[0] = 0.005, tendon.tension = 0.1;
  DEFAULTS(joint, joint);
  joint.first.rod = rod, joint.stiffness = 10.0;
  for (int k = 0; k < 3; k++) {
    elastica_effect *effect[2];
    tendon.last = k, joint.first.element = k;
    must(f->world, elastica_add_tendon(f->world, &tendon, &effect[0]));
    must(f->world, elastica_add_joint(f->world, &joint, &effect[1]));
    for (int e = 0; e < 2; e++) must(f->world, elastica_effect_set_enabled(effect[e], k != 1));
  }
  DEFAULTS(body, box);
  box.shape = ELASTICA_SHAPE_BOX, box.density = 1000.0, box.position[1] = 4.0;
  box.edges[0] = 0.3, box.edges[1] = 0.004, box.edges[2] = 0.2;
  elastica_rod *plate = NULL;
  must(f->world, elastica_world_add_body(f->world, &box, &plate));
  DEFAULTS(joint, hinge);
  hinge.kind = ELASTICA_JOINT_HINGE, hinge.first.rod = plate, hinge.stiffness = 10.0, hinge.angular_stiffness = 1.0;
  hinge.second.rod = elastica_world_rod(f->world, 1);
  hinge.axis[0] = 1.0, hinge.axis[1] = hinge.axis[2] = 0.0;
  must(f->world, elastica_add_joint(f->world, &hinge, NULL));
  DEFAULTS(obstacle, duct);
  duct.kind = ELASTICA_OBSTACLE_ELASTIC, duct.shape = ELASTICA_SHAPE_TUBE, duct.side = ELASTICA_SIDE_INSIDE;
  duct.points = axis, duct.radii = radii, duct.point_count = 2, duct.modulus = 1e4, duct.group = 7;
  must(f->world, elastica_add_obstacle(f->world, NULL, &duct, NULL));
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  page_record solids = read_record(page, "solids", 0), cables = read_record(page, "cables", 0), joints = read_record(page, "joints", 0);
  assert_non_null(strstr(solids.text, "{\"role\":\"body\",\"number\":1,"));
  assert_non_null(strstr(solids.text, "},{\"role\":\"body\",\"number\":2,"));
  assert_non_null(strstr(solids.text, "\"shape\":\"tube\",\"radius\":0,\"length\":0,\"edges\":[0,0,0],\"inside\":true,\"axis\":["));
  assert_non_null(strstr(solids.text, ",0,3,0,0.2,0.25,3,0,0.184375,")); /* from the first point on */
  assert_non_null(strstr(cables.text, "\"cables\":[[0,2],[4,4]]"));
  assert_non_null(strstr(joints.text, "\"joints\":[[1,\"ball\"],[5,\"ball\"],[6,\"hinge\"]]"));
  for (int k = 0; k < 3; k++) { /* the sizes of their symbols: the radius of the rod, and half of the shortest edge of the box */
    float size;
    memcpy(&size, joints.bytes + 4 * k, sizeof size);
    assert_close(size, k < 2 ? 0.01 : 0.002, 1e-7);
  }
  free(solids.text), free(cables.text), free(joints.text), free(page);
}

/* A rod that slides sideways over a floor: each element slips at its speed, and the reactions carry its weight. */
TEST_IN_FOLDER(a_sliding_rod_has_slip_and_reactions) {
  fixture *f = *state;
  enum { N = 8 };
  const double speed = 0.3, weight = 9.81 * 1000.0 * 3.14159265358979324 * 0.01 * 0.01;
  double velocity[3 * (N + 1)] = {0.0}, sum = 0.0;
  for (int i = 0; i <= N; i++) velocity[3 * i + 1] = speed;
  DEFAULTS(rod, def);
  def.element_count = N, def.length = 1.0, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
  def.start[2] = 0.01, def.direction[0] = 1.0, def.direction[2] = 0.0, def.velocity = velocity;
  must(f->world, elastica_world_add_rod(f->world, &def, NULL));
  must(f->world, elastica_add_gravity(f->world, (double[]){0.0, 0.0, -9.81}, NULL));
  DEFAULTS(obstacle, floor);
  floor.stiffness = 10.0;
  must(f->world, elastica_add_obstacle(f->world, NULL, &floor, NULL));
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_world_step(f->world, STEP, 10));
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  int frames, lanes, size;
  page_record tubes = read_record(page, "tubes", 0), arrows = read_record(page, "arrows", 0);
  int *slip = read_numbers(&tubes, "slip", &frames, &lanes, &size);
  assert_int_equal(size, N);
  for (int j = 0; j < N; j++) assert_close(float_of(slip[j]), speed, 1e-3 * speed);
  int *force = read_numbers(&arrows, "force", &frames, &lanes, &size);
  assert_true(lanes == 3 && size == N + 1);
  for (int i = 0; i <= N; i++) sum += float_of(force[2 * size + i]);
  assert_close(sum, weight, 1e-3 * weight);
  free(slip), free(force), free(tubes.text), free(arrows.text), free(page);
}

/* A page of only a floor, then with a rod far away, then with a ten times finer one: the positions of each frame have the resolution of its
 * shortest element. */
TEST_IN_FOLDER(objects_that_come_later_have_their_own_resolution) {
  static const double element[] = {1.0, 0.1, 0.01};
  fixture *f = *state;
  int frames, lanes, size;
  DEFAULTS(obstacle, floor);
  floor.position[2] = -1.0, floor.stiffness = 10.0;
  must(f->world, elastica_add_obstacle(f->world, NULL, &floor, NULL));
  elastica_view *view = open_page(f, NULL);
  for (int frame = 0; frame < 3; frame++) {
    DEFAULTS(rod, def);
    def.element_count = 7, def.length = 7.0 * element[frame], def.radius = 0.1 * element[frame], def.density = 1000.0,
    def.youngs_modulus = 1e6, def.start[0] = 1e3, def.start[1] = 1.0 / 3.0, def.direction[1] = 1.0;
    if (frame > 0) must(f->world, elastica_world_add_rod(f->world, &def, NULL));
    must(f->world, elastica_view_frame(view));
  }
  char *page = close_and_read(f, view);
  for (int frame = 0; frame < 3; frame++) {
    page_record times = read_record(page, "frames", frame);
    const double resolution = member(times.text, "resolution");
    assert_true(resolution <= element[frame] / 16384 && resolution > element[frame] / 32769);
    if (frame > 0) {
      double origin[3];
      page_record tubes = read_record(page, "tubes", frame - 1);
      int *position = read_numbers(&tubes, "position", &frames, &lanes, &size);
      read_origin(&times, origin);
      for (int r = 0; r < frame; r++) {
        const elastica_rod_view *rod = elastica_rod_get_view(elastica_world_rod(f->world, r));
        for (int a = 0; a < 3; a++)
          for (int i = 0; i < 8; i++)
            assert_close(origin[a] + resolution * position[a * size + 8 * r + i], rod->position[a][i], 0.5001 * resolution);
      }
      free(position), free(tubes.text);
    }
    free(times.text);
  }
  free(page);
}

/* A rod of a given stiffness of 1e9 N that carries 0.1 N, with speeds of 1e-20 m/s, and one node at rest. */
TEST_IN_FOLDER(small_tensions_and_speeds_are_those_of_the_rod) {
  enum { N = 4 };
  const double strain = 1e-10, stiffness = 1e9;
  fixture *f = *state;
  double stretched[3 * (N + 1)] = {0.0}, velocity[3 * (N + 1)] = {0.0}, shear[3 * N];
  int frames, lanes, size;
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  for (int k = 0; k < 3 * N; k++) shear[k] = stiffness;
  def.element_count = N, def.length = 4.0, def.radius = 0.1, def.density = 1000.0, def.youngs_modulus = 1e6, def.shear_stiffness = shear;
  must(f->world, elastica_world_add_rod(f->world, &def, &rod));
  for (int i = 0; i <= N; i++) stretched[3 * i + 2] = (1.0 + strain) * i, velocity[3 * i] = 1e-20 * i;
  must(f->world, elastica_rod_set_state(rod, stretched, velocity, NULL, NULL));
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  page_record tubes = read_record(page, "tubes", 0);
  int *tension = read_numbers(&tubes, "tension", &frames, &lanes, &size), *speed = read_numbers(&tubes, "speed", &frames, &lanes, &size);
  for (int j = 0; j < N; j++) assert_close(float_of(tension[j]), strain * stiffness, 1e-3 * strain * stiffness);
  for (int i = 0; i <= N; i++) assert_close(float_of(speed[i]), 1e-20 * i, 1e-20 * i / 4000);
  free(tension), free(speed), free(tubes.text), free(page);
}

/* A steel bar stretched by 3e-5, which is half the step of its positions. */
TEST_IN_FOLDER(strains_far_below_the_resolution_are_those_of_the_rod) {
  enum { N = 20 };
  const double strain = 3e-5;
  fixture *f = *state;
  double stretched[3 * (N + 1)] = {0.0};
  int frames, lanes, size;
  elastica_rod *rod = add_straight_rod(f->world, N, 1.0, 0.005, 7800.0, 2e11, 0.8e11);
  const elastica_rod_view *at = elastica_rod_get_view(rod);
  for (int i = 0; i <= N; i++)
    for (int a = 0; a < 3; a++) stretched[3 * i + a] = at->position[a][0] + (1.0 + strain) * (at->position[a][i] - at->position[a][0]);
  must(f->world, elastica_rod_set_state(rod, stretched, NULL, NULL, NULL));
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  page_record tubes = read_record(page, "tubes", 0);
  int *written = read_numbers(&tubes, "strain", &frames, &lanes, &size);
  assert_int_equal(size, N);
  for (int j = 0; j < N; j++) assert_close(float_of(written[j]), strain, strain / 4000);
  free(written), free(tubes.text), free(page);
}

/* Curvature and twist of each joint of both rods in each frame. */
TEST_IN_FOLDER(curvature_and_twist_are_those_of_the_joints) {
  enum { JOINTS = 11 + 9 };
  fixture *f = *state;
  static double value[2][FRAMES][JOINTS];
  int frames, lanes, size;
  elastica_view *view = open_page(f, NULL);
  add_two_rods(f);
  for (int frame = 0; frame < FRAMES; frame++) {
    int at = 0;
    must(f->world, elastica_view_frame(view));
    for (int r = 0; r < 2; r++) {
      must(f->world, elastica_rod_refresh(elastica_world_rod(f->world, r)));
      const elastica_rod_view *rod = elastica_rod_get_view(elastica_world_rod(f->world, r));
      for (int k = 0; k < rod->joint_count; k++, at++) {
        value[0][frame][at] = hypot(rod->curvature[0][k], rod->curvature[1][k]);
        value[1][frame][at] = rod->curvature[2][k];
      }
    }
    assert_int_equal(at, JOINTS);
    must(f->world, elastica_world_step(f->world, STEP, 200));
  }
  char *page = close_and_read(f, view);
  page_record tubes = read_record(page, "tubes", 0);
  for (int q = 0; q < 2; q++) {
    int *written = read_numbers(&tubes, q == 0 ? "curvature" : "twist", &frames, &lanes, &size);
    assert_true(frames == FRAMES && lanes == 1 && size == JOINTS);
    for (int frame = 0; frame < FRAMES; frame++)
      for (int k = 0; k < JOINTS; k++)
        assert_close(float_of(written[frame * JOINTS + k]), value[q][frame][k], fabs(value[q][frame][k]) / 4096 + 1e-8);
    free(written);
  }
  free(tubes.text), free(page);
}

/* Sums of the forces of the arrows of the last frame whose points fulfil x > 0 or x < 0 (side 1 or -1). */
static int sum_arrows(const char *page, int side, double sum[3]) {
  int frames, lanes, size, found = 0;
  double origin[3];
  page_record arrows = read_record(page, "arrows", 0), times = read_record(page, "frames", 0);
  int *force = read_numbers(&arrows, "force", &frames, &lanes, &size), *point = read_numbers(&arrows, "point", &frames, &lanes, &size);
  read_origin(&times, origin);
  sum[0] = sum[1] = sum[2] = 0.0;
  for (int k = 0; k < size; k++) {
    if (side * (origin[0] + member(times.text, "resolution") * point[k]) <= 0.0) continue;
    for (int a = 0; a < 3; a++) sum[a] += float_of(force[a * size + k]);
    found++;
  }
  free(force), free(point), free(arrows.text), free(times.text);
  return found;
}

static void add_wall(fixture *f, double nx, double nz, double position) {
  DEFAULTS(obstacle, wall);
  wall.normal[0] = nx, wall.normal[2] = nz, wall.stiffness = 1e3, wall.damping = 1.0, wall.position[0] = position;
  must(f->world, elastica_add_obstacle(f->world, NULL, &wall, NULL));
}

/* A rod in a groove of two walls at 10 degrees from the vertical: each has its own arrows, of half the weight over the sine. */
TEST_IN_FOLDER(each_wall_of_a_groove_has_its_own_reactions) {
  enum { N = 8 };
  fixture *f = *state;
  const double s = sin(3.14159265358979324 / 18.0), c = cos(3.14159265358979324 / 18.0);
  const double weight = 9.81 * 1000.0 * 3.14159265358979324 * 0.01 * 0.01;
  DEFAULTS(rod, def);
  def.element_count = N, def.length = 1.0, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
  def.start[2] = 0.01 / s, def.direction[1] = 1.0, def.direction[2] = 0.0;
  must(f->world, elastica_world_add_rod(f->world, &def, NULL));
  must(f->world, elastica_add_gravity(f->world, (double[]){0.0, 0.0, -9.81}, NULL));
  add_wall(f, -c, s, 0.0);
  add_wall(f, c, s, 0.0);
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_world_step(f->world, STEP, 10));
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  for (int side = -1; side <= 1; side += 2) {
    double sum[3];
    assert_int_equal(sum_arrows(page, side, sum), N + 1);
    assert_close(sum[2], 0.5 * weight, 1e-3 * weight);
    assert_close(sum[0], -side * 0.5 * weight * c / s, 1e-3 * weight * c / s);
  }
  free(page);
}

/* A rod slides over an elastic floor with friction, far from a rigid wall: all arrows stand on the floor, and none on the wall. */
TEST_IN_FOLDER(friction_of_an_elastic_floor_is_no_reaction_of_a_far_wall) {
  enum { N = 8 };
  fixture *f = *state;
  double velocity[3 * (N + 1)] = {0.0}, sum[3];
  for (int i = 0; i <= N; i++) velocity[3 * i] = 0.3;
  DEFAULTS(rod, def);
  def.element_count = N, def.length = 1.0, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
  def.start[0] = 0.5, def.start[2] = 0.0099, def.direction[1] = 1.0, def.direction[2] = 0.0, def.velocity = velocity;
  must(f->world, elastica_world_add_rod(f->world, &def, NULL));
  DEFAULTS(obstacle, floor);
  floor.kind = ELASTICA_OBSTACLE_ELASTIC, floor.modulus = 1e4, floor.friction = 0.5;
  must(f->world, elastica_add_obstacle(f->world, NULL, &floor, NULL));
  add_wall(f, 1.0, 0.0, -1.0);
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_world_step(f->world, STEP, 10));
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  assert_int_equal(sum_arrows(page, 1, sum), N);
  assert_true(sum[0] < 0.0 && sum[2] > 0.0);
  assert_int_equal(sum_arrows(page, -1, sum), 0);
  free(page);
}

/* A rod meets a floor at 0.5 m/s: the dampers of both contribute, and the arrows sum to the whole force on the floor. */
TEST_IN_FOLDER(arrows_include_the_damper_of_an_elastic_obstacle) {
  enum { N = 8 };
  fixture *f = *state;
  double velocity[3 * (N + 1)] = {0.0}, sum[3], force[3], couple[3], elastic = 0.0;
  elastica_contact_point points[N];
  elastica_effect *floor_effect = NULL;
  int count = 0;
  for (int i = 0; i <= N; i++) velocity[3 * i] = 0.3, velocity[3 * i + 2] = -0.5;
  DEFAULTS(rod, def);
  def.element_count = N, def.length = 1.0, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
  def.start[0] = 0.5, def.start[2] = 0.0099, def.direction[1] = 1.0, def.direction[2] = 0.0, def.velocity = velocity;
  must(f->world, elastica_world_add_rod(f->world, &def, NULL));
  DEFAULTS(obstacle, floor);
  floor.kind = ELASTICA_OBSTACLE_ELASTIC, floor.modulus = 1e4, floor.damping = 100.0, floor.friction = 0.5;
  must(f->world, elastica_add_obstacle(f->world, NULL, &floor, &floor_effect));
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_world_step(f->world, STEP, 1));
  must(f->world, elastica_view_frame(view));
  must(f->world, elastica_obstacle_get_force(floor_effect, force, couple));
  must(f->world, elastica_contact_get(floor_effect, points, N, &count));
  assert_int_equal(count, N);
  for (int k = 0; k < N; k++) elastic += points[k].force;
  char *page = close_and_read(f, view);
  assert_int_equal(sum_arrows(page, 1, sum), N);
  for (int a = 0; a < 3; a++) assert_close(sum[a], -force[a], 1e-3 * fabs(force[2]));
  assert_true(sum[2] > 2.0 * elastic);
  free(page);
}

/* The arrows of a block stand at its four lower corners. */
TEST_IN_FOLDER(a_body_has_reactions_at_its_contact_points) {
  fixture *f = *state;
  int frames, lanes, size;
  double sum[3];
  DEFAULTS(body, block);
  block.shape = ELASTICA_SHAPE_BOX, block.density = 1000.0, block.position[0] = 1.0, block.position[2] = 0.05;
  block.edges[0] = 0.2, block.edges[1] = 0.3, block.edges[2] = 0.1;
  must(f->world, elastica_world_add_body(f->world, &block, NULL));
  must(f->world, elastica_add_gravity(f->world, (double[]){0.0, 0.0, -9.81}, NULL));
  add_wall(f, 0.0, 1.0, 0.0);
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_world_step(f->world, 1e-3, 10));
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  page_record arrows = read_record(page, "arrows", 0), times = read_record(page, "frames", 0);
  int *point = read_numbers(&arrows, "point", &frames, &lanes, &size);
  double origin[3];
  read_origin(&times, origin);
  assert_int_equal(size, 4);
  for (int k = 0; k < 4; k++) {
    const double resolution = member(times.text, "resolution");
    assert_close(fabs(origin[0] + resolution * point[k] - 1.0), 0.1, 1e-3);
    assert_close(fabs(origin[1] + resolution * point[4 + k]), 0.15, 1e-3);
    assert_close(origin[2] + resolution * point[8 + k], 0.0, 1e-3);
  }
  assert_int_equal(sum_arrows(page, 1, sum), 4);
  assert_close(sum[2], 9.81 * 6.0, 0.06);
  free(point), free(arrows.text), free(times.text), free(page);
}

/* The numbers of a quantity of the tubes in a page of one frame, to be freed. */
static int *numbers_of_frame(fixture *f, const char *quantity, int count) {
  int frames, lanes, size;
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  page_record tubes = read_record(page, "tubes", 0);
  int *numbers = read_numbers(&tubes, quantity, &frames, &lanes, &size);
  assert_int_equal(size, count);
  free(tubes.text), free(page);
  return numbers;
}

/* One rod moves along a wall within the reach of its law, another above it. */
TEST_IN_FOLDER(a_rod_slips_only_where_its_wall_begins) {
  enum { N = 8 };
  fixture *f = *state;
  for (int k = 0; k < 2; k++) {
    double velocity[3 * (N + 1)] = {0.0};
    for (int i = 0; i <= N; i++) velocity[3 * i + 1] = 0.3;
    DEFAULTS(rod, def);
    def.element_count = N, def.length = 1.0, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6, def.velocity = velocity;
    def.start[1] = k, def.start[2] = k == 0 ? 0.01003 : 0.01005, def.direction[0] = 1.0, def.direction[2] = 0.0;
    must(f->world, elastica_world_add_rod(f->world, &def, NULL));
  }
  DEFAULTS(obstacle, floor); /* its tolerance is 0.004 */
  floor.stiffness = 10.0;
  must(f->world, elastica_add_obstacle(f->world, NULL, &floor, NULL));
  int *slip = numbers_of_frame(f, "slip", 2 * N);
  for (int j = 0; j < N; j++) {
    assert_close(float_of(slip[j]), 0.3, 1e-3);
    assert_int_equal(slip[N + j], 0);
  }
  free(slip);
}

TEST_IN_FOLDER(a_tube_has_its_axis_and_radii) {
  const double ends[6] = {0.25, 0.5, 0.75, 0.25, 0.5, 1.75}, radii[2] = {0.125, 0.0625};
  fixture *f = *state;
  DEFAULTS(obstacle, def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC, def.shape = ELASTICA_SHAPE_TUBE, def.modulus = 1e4;
  def.points = ends, def.radii = radii, def.point_count = 2, def.side = ELASTICA_SIDE_OUTSIDE;
  must(f->world, elastica_add_obstacle(f->world, NULL, &def, NULL));
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  page_record solids = read_record(page, "solids", 0);
  static const char *const parts[] = {"\"inside\":false,\"axis\":[0.25,0.5,0.625,0,", ",0.25,0.5,0.75,0.125,", ",0.25,0.5,1.75,0.0625,",
                                      ",0.25,0.5,1.8125,0]"}; /* with the poles of both half balls */
  const char *axis = solids.text;
  for (int k = 0; k < 4; k++) {
    axis = strstr(axis, parts[k]);
    if (axis == NULL) fail_msg("%s: there is no %s", solids.text, parts[k]);
  }
  free(solids.text), free(page);
}

/* A straight rod at rest has only the couples of its muscle, another one at each joint. */
TEST_IN_FOLDER(muscle_couples_are_those_of_the_joints) {
  enum { N = 8 };
  fixture *f = *state;
  double amplitude[N - 1];
  elastica_rod *rod = add_straight_rod(f->world, N, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  for (int k = 0; k < N - 1; k++) amplitude[k] = 1e-4 * (k + 1);
  DEFAULTS(muscle, muscle);
  muscle.amplitude = amplitude, muscle.period = (double)INFINITY, muscle.phase = 0.5 * 3.14159265358979324;
  must(f->world, elastica_add_muscle(f->world, rod, &muscle, NULL));
  int *couple = numbers_of_frame(f, "muscle couple", N - 1);
  for (int k = 0; k < N - 1; k++) assert_close(float_of(couple[k]), amplitude[k], 1e-2 * amplitude[k]);
  free(couple);
}

/* So are those about a laboratory axis, here across the rod, beside a couple about its own axis. */
TEST_IN_FOLDER(muscle_couples_include_those_about_laboratory_axes) {
  enum { N = 8 };
  fixture *f = *state;
  double amplitude[N - 1];
  int frames, lanes, size;
  elastica_rod *rod = add_straight_rod(f->world, N, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  const elastica_rod_view *at = elastica_rod_get_view(rod);
  int across = 0;
  for (int a = 1; a < 3; a++)
    if (fabs(at->tangent[a][0]) < fabs(at->tangent[across][0])) across = a;
  assert_close(at->tangent[across][0], 0.0, 1e-12);
  for (int k = 0; k < N - 1; k++) amplitude[k] = 3e-4 * (k + 1);
  DEFAULTS(muscle, muscle);
  muscle.amplitude = amplitude, muscle.period = (double)INFINITY, muscle.phase = 0.5 * 3.14159265358979324;
  muscle.kind = ELASTICA_MUSCLE_LABORATORY_COUPLE, muscle.axis = across;
  must(f->world, elastica_add_muscle(f->world, rod, &muscle, NULL));
  for (int k = 0; k < N - 1; k++) amplitude[k] = 4e-4 * (k + 1);
  muscle.kind = ELASTICA_MUSCLE_COUPLE, muscle.axis = 2;
  must(f->world, elastica_add_muscle(f->world, rod, &muscle, NULL));
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  page_record tubes = read_record(page, "tubes", 0);
  int *couple = read_numbers(&tubes, "muscle couple", &frames, &lanes, &size);
  assert_int_equal(size, N - 1);
  for (int k = 0; k < N - 1; k++) assert_close(float_of(couple[k]), 5e-4 * (k + 1), 5e-4 * (k + 1) / 4000);
  free(couple), free(tubes.text), free(page);
}

/* Three rods touch three walls; each spins about its axis and moves across it: slip = v + omega r. */
TEST_IN_FOLDER(the_slip_of_a_spinning_rod_is_that_of_its_surface) {
  enum { N = 4 };
  fixture *f = *state;
  for (int k = 0; k < 3; k++) {
    const int along = (k + 1) % 3, across = (k + 2) % 3;
    double velocity[3 * (N + 1)] = {0.0}, omega[3 * N] = {0.0};
    for (int i = 0; i <= N; i++) velocity[3 * i + across] = 0.3;
    for (int j = 0; j < N; j++) omega[3 * j + 2] = 20.0;
    DEFAULTS(rod, def);
    def.element_count = N, def.length = 1.0, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
    def.velocity = velocity, def.omega = omega;
    def.start[k] = 0.01003, def.start[along] = 2.0, def.start[across] = 3.0;
    for (int a = 0; a < 3; a++) def.direction[a] = a == along;
    must(f->world, elastica_world_add_rod(f->world, &def, NULL));
    DEFAULTS(obstacle, wall);
    wall.stiffness = 10.0;
    for (int a = 0; a < 3; a++) wall.normal[a] = a == k;
    must(f->world, elastica_add_obstacle(f->world, NULL, &wall, NULL));
  }
  int *slip = numbers_of_frame(f, "slip", 3 * N);
  for (int j = 0; j < 3 * N; j++) assert_close(float_of(slip[j]), 0.3 + 20.0 * 0.01, 1e-3);
  free(slip);
}

TEST_IN_FOLDER(a_page_has_the_first_view_of_its_definition) {
  fixture *f = *state;
  DEFAULTS(view, def);
  for (int k = 0; k < 3; k++) def.focus[k] = 0.5 * k;
  def.span = 0.125;
  add_two_rods(f);
  elastica_view *view = open_page(f, &def);
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  page_record about = read_record(page, "run", 0);
  double focus[3], span;
  const char *at = strstr(about.text, "\"focus\":[");
  assert_non_null(at);
  assert_int_equal(sscanf(at, "\"focus\":[%lf,%lf,%lf],\"span\":%lf", &focus[0], &focus[1], &focus[2], &span), 4);
  assert_true(focus[0] == 0.0 && focus[1] == 0.5 && focus[2] == 1.0 && span == 0.125);
  free(about.text);
  free(page);
}

TEST_IN_FOLDER(rods_may_come_and_go) {
  fixture *f = *state;
  elastica_view *view = open_page(f, NULL);
  elastica_rod *second = NULL;
  for (int frame = 0; frame < 9; frame++) {
    if (frame == 0) add_straight_rod(f->world, 4, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
    if (frame == 3) second = add_straight_rod(f->world, 5, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
    if (frame == 6) must(f->world, elastica_rod_remove(second));
    must(f->world, elastica_view_frame(view));
    must(f->world, elastica_world_step(f->world, STEP, 1));
  }
  char *page = close_and_read(f, view);
  static const char *const rods[] = {"[[0,4,0]]", "[[0,4,0],[1,5,0]]", "[[0,4,0]]"};
  assert_int_equal(count_records(page, "tubes"), 3);
  for (int k = 0; k < 3; k++) {
    page_record tubes = read_record(page, "tubes", k);
    assert_non_null(strstr(tubes.text, rods[k]));
    assert_true(member(tubes.text, "count") == 3 && member(tubes.text, "first") == 3 * k);
    free(tubes.text);
  }
  free(page);
}

/* The page is complete at every moment and has most of the frames so far. */
TEST_IN_FOLDER(an_interrupted_run_leaves_a_page) {
  fixture *f = *state;
  elastica_view *view = open_page(f, NULL);
  add_two_rods(f);
  for (int frame = 1; frame <= 50; frame++) {
    must(f->world, elastica_view_frame(view));
    char *page = scratch_read(&f->folder, "run.html");
    page_record end = read_record(page, "end", 0);
    assert_true(member(end.text, "frames") >= 0.8 * frame);
    free(end.text), free(page);
    must(f->world, elastica_world_step(f->world, STEP, 1));
  }
  must(f->world, elastica_view_close(view));
  assert_int_equal(scratch_file_count(&f->folder), 1);
}

/* Adds two rods. Returns the size of a page of one frame. */
static size_t size_of_small_page(fixture *f) {
  elastica_view *view = open_page(f, NULL);
  add_two_rods(f);
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  const size_t size = strlen(page);
  free(page);
  return size;
}

/* Every second frame is omitted, as often as necessary; the first and the last frame remain. */
TEST_IN_FOLDER(a_page_stays_within_its_size) {
  fixture *f = *state;
  DEFAULTS(view, def);
  def.size_limit = size_of_small_page(f) + 10000;
  elastica_view *view = open_page(f, &def);
  for (int frame = 0; frame < 203; frame++) {
    must(f->world, elastica_view_frame(view));
    must(f->world, elastica_world_step(f->world, STEP, 40));
  }
  const double last = elastica_world_get(f->world).time - 40 * STEP;
  must(f->world, elastica_view_close(view));
  char *page = scratch_read(&f->folder, "run.html");
  page_record end = read_record(page, "end", 0);
  const int blocks = count_records(page, "frames");
  const double stride = member(end.text, "stride");
  double time = 0.0;
  int count = 0;
  assert_true(strlen(page) <= def.size_limit && stride > 1);
  for (int k = 0; k < blocks; k++) {
    page_record times = read_record(page, "frames", k);
    for (const char *at = strstr(times.text, "\"times\":[") + 8; *at != ']'; at = strpbrk(at + 1, ",]")) {
      time = strtod(at + 1, NULL);
      if (time < last) assert_true(time == count * stride * 40 * STEP);
      count++;
    }
    free(times.text);
  }
  assert_true(time == last);
  assert_int_equal(count, member(end.text, "frames"));
  free(end.text), free(page);
}

/* The file is the same one from one writing to the next: a page is written by renaming. */
static int times_written(fixture *f, elastica_view *view, int frames) {
  const char *path = scratch_path(&f->folder, "run.html");
  struct stat now;
  ino_t last = 0;
  int count = 0;
  for (int k = 0; k < frames; k++) {
    must(f->world, elastica_view_frame(view));
    assert_int_equal(stat(path, &now), 0);
    count += k == 0 || now.st_ino != last;
    last = now.st_ino;
    must(f->world, elastica_world_step(f->world, STEP, 1));
  }
  return count;
}

/* Also where frames are left out, and if the fixed part alone exceeds the limit. */
TEST_IN_FOLDER(pages_are_written_seldom_in_a_long_run) {
  static mesh_data data;
  enum { MANY = 400, MOST = 8 + 18 }; /* 1.25^18 = 55 */
  fixture *f = *state;
  DEFAULTS(view, def);
  def.size_limit = 1;
  add_two_rods(f);
  elastica_view *view = open_page(f, &def);
  assert_between(times_written(f, view, MANY), 8, MOST);
  must(f->world, elastica_view_close(view));
  mesh_ball(&data, 0.3, 40);
  elastica_obstacle_def ball = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e4, 0.1);
  ball.position[0] = 5.0;
  must(f->world, elastica_add_obstacle(f->world, NULL, &ball, NULL));
  view = open_page(f, &def);
  assert_between(times_written(f, view, MANY), 8, MOST);
  char *page = close_and_read(f, view);
  page_record solids = read_record(page, "solids", 0), end = read_record(page, "end", 0); /* the mesh is a record of its own */
  assert_non_null(strstr(solids.text, "\"shape\":\"mesh\""));
  assert_int_equal(member(end.text, "frames"), 2);
  free(solids.text), free(end.text), free(page);
}

/* A mesh that would fill the page is drawn with fewer triangles; all frames stay. */
TEST_IN_FOLDER(a_large_mesh_leaves_room_for_the_frames) {
  static mesh_data data;
  enum { MANY = 40 };
  fixture *f = *state;
  DEFAULTS(view, def);
  def.size_limit = size_of_small_page(f) + 30000; /* the mesh alone takes 40,000 */
  mesh_ball(&data, 0.3, 50);
  elastica_obstacle_def ball = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e4, 0.1);
  ball.position[0] = 5.0;
  must(f->world, elastica_add_obstacle(f->world, NULL, &ball, NULL));
  elastica_view *view = open_page(f, &def);
  for (int k = 0; k < MANY; k++) {
    must(f->world, elastica_view_frame(view));
    must(f->world, elastica_world_step(f->world, STEP, 1));
  }
  char *page = close_and_read(f, view);
  page_record solids = read_record(page, "solids", 0), end = read_record(page, "end", 0);
  int effect, drawn, all;
  assert_int_equal(sscanf(strstr(solids.text, "\"fewer\":"), "\"fewer\":[[%d,%d,%d]]", &effect, &drawn, &all), 3);
  assert_true(effect == 0 && all == data.triangle_count && drawn > 200 && drawn < (int)def.size_limit / 48 + 100);
  assert_int_equal(member(end.text, "frames"), MANY);
  assert_true(strlen(page) <= def.size_limit);
  free(solids.text), free(end.text), free(page);
}

/* A wave that runs along x. user: its phase. */
static const double WAVE_HEIGHT = 0.05, WAVE_NUMBER = 4.0, WAVE_TURN = 0.4;

static double wave_at(double x, double phase) {
  return -0.3 + WAVE_HEIGHT * sin(WAVE_NUMBER * x - phase);
}

static elastica_status running_wave(void *user, const double point[3], double *distance, double gradient[3]) {
  const double phase = *(const double *)user;
  *distance = point[2] - wave_at(point[0], phase);
  gradient[0] = -WAVE_HEIGHT * WAVE_NUMBER * cos(WAVE_NUMBER * point[0] - phase), gradient[1] = 0.0, gradient[2] = 1.0;
  return ELASTICA_OK;
}

static double float_at(const unsigned char *bytes) {
  uint32_t bits = 0;
  float value;
  for (int b = 0; b < 4; b++) bits |= (uint32_t)bytes[b] << (8 * b);
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

/* A surface that changes from frame to frame takes no more memory than that of the frames that are kept, and has the shape of its frame. */
TEST_IN_FOLDER(a_surface_that_changes_stays_within_size_and_memory) {
  enum { MANY = 48 };
  fixture *f = *state;
  DEFAULTS(view, def);
  def.size_limit = size_of_small_page(f) + 100000;
  double phase = 0.0;
  elastica_obstacle_def wave = obstacle_of(ELASTICA_SHAPE_SURFACE, 1e4);
  wave.surface = running_wave, wave.surface_user = &phase, wave.surface_slope = 1.1, wave.surface_curvature = 1.0;
  must(f->world, elastica_add_obstacle(f->world, NULL, &wave, NULL));
  elastica_view *view = open_page(f, &def);
  long most[2] = {0, 0};
  for (int k = 0; k < MANY; k++) {
    phase = WAVE_TURN * k;
    must(f->world, elastica_view_frame(view));
    must(f->world, elastica_world_step(f->world, STEP, 1));
    if (f->memory.blocks > most[2 * k / MANY]) most[2 * k / MANY] = f->memory.blocks;
  }
  assert_in_range(most[1], 1, most[0] + 10);
  char *page = close_and_read(f, view);
  assert_true(strlen(page) <= def.size_limit);
  page_record end = read_record(page, "end", 0);
  const int frames = (int)member(end.text, "frames"), stride = (int)member(end.text, "stride"), solids = count_records(page, "solids");
  int described = 0;
  assert_in_range(frames, 4, MANY - 1);
  for (int k = 0; k < solids; k++) {
    page_record shape = read_record(page, "solids", k);
    if (strstr(shape.text, "[\"points0\",") != NULL) {
      const int count = atoi(strstr(shape.text, "[\"points0\",") + strlen("[\"points0\",")) / 3;
      const double turned = WAVE_TURN * (described + 1 == frames ? MANY - 1 : described * stride);
      assert_true(count > 100);
      for (int i = 0; i < count; i++) {
        const unsigned char *at = shape.bytes + 12 * i;
        assert_close(float_at(at + 8), wave_at(float_at(at), turned), 0.4 * WAVE_HEIGHT);
      }
      described++;
    }
    free(shape.text);
  }
  assert_int_equal(described, frames);
  free(end.text), free(page);
}

/* A joint on a rod that stretches from frame to frame is described once, and all frames form one block. */
TEST_IN_FOLDER(a_joint_of_a_stretching_rod_is_described_once) {
  enum { N = 8, MANY = 10 };
  fixture *f = *state;
  double place[3 * (N + 1)];
  elastica_rod *rod = add_straight_rod(f->world, N, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  DEFAULTS(joint, joint);
  joint.first.rod = rod, joint.stiffness = 10.0;
  must(f->world, elastica_add_joint(f->world, &joint, NULL));
  elastica_view *view = open_page(f, NULL);
  for (int k = 0; k < MANY; k++) {
    const elastica_rod_view *at = elastica_rod_get_view(rod);
    for (int i = 0; i <= N; i++)
      for (int a = 0; a < 3; a++) place[3 * i + a] = at->position[a][0] + 1.001 * (at->position[a][i] - at->position[a][0]);
    must(f->world, elastica_rod_set_state(rod, place, NULL, NULL, NULL));
    must(f->world, elastica_view_frame(view));
  }
  char *page = close_and_read(f, view);
  assert_int_equal(count_records(page, "joints"), 1);
  assert_int_equal(count_records(page, "frames"), 1);
  free(page);
}

/* Of 1,500 equal contacts 1,000 have arrows, no three of them in a row without one; the page tells how many there are. */
TEST_IN_FOLDER(equal_contacts_have_evenly_chosen_arrows) {
  enum { N = 1500, MOST = 1000 };
  fixture *f = *state;
  int frames, lanes, size;
  DEFAULTS(rod, def);
  def.element_count = N, def.length = 0.02 * N, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
  def.direction[0] = 1.0, def.direction[2] = 0.0, def.start[2] = 0.00999;
  must(f->world, elastica_world_add_rod(f->world, &def, NULL));
  DEFAULTS(obstacle, floor);
  floor.kind = ELASTICA_OBSTACLE_ELASTIC, floor.modulus = 1e5;
  must(f->world, elastica_add_obstacle(f->world, NULL, &floor, NULL));
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  page_record arrows = read_record(page, "arrows", 0), times = read_record(page, "frames", 0);
  int *point = read_numbers(&arrows, "point", &frames, &lanes, &size);
  assert_int_equal(size, MOST);
  assert_int_equal(member(arrows.text, "contacts"), N);
  for (int k = 1; k < size; k++)
    assert_between(member(times.text, "resolution") * (point[k] - point[k - 1]), 0.019, 0.045); /* at the ends 0.0425 */
  free(point), free(arrows.text), free(times.text), free(page);
}

/* After a relaxation before any step the arrows of a rigid floor carry the rod. */
TEST_IN_FOLDER(a_relaxed_rod_has_reactions) {
  fixture *f = *state;
  double sum[3];
  const double weight = 9.81 * 1000.0 * acos(-1.0) * 1e-4;
  elastica_relax_result result;
  DEFAULTS(rod, def);
  def.element_count = 8, def.length = 1.0, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
  def.start[0] = 1.0, def.start[2] = 0.01, def.direction[0] = 1.0, def.direction[2] = 0.0;
  must(f->world, elastica_world_add_rod(f->world, &def, NULL));
  must(f->world, elastica_add_gravity(f->world, (double[]){0.0, 0.0, -9.81}, NULL));
  add_wall(f, 0.0, 1.0, 0.0);
  must(f->world, elastica_world_relax(f->world, NULL, &result));
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  assert_int_equal(sum_arrows(page, 1, sum), 9);
  assert_close(sum[2], weight, 1e-3 * weight);
  free(page);
}

/* A rod of 5,000 elements that is twisted by one turn in all, on a page that must round: three digits of the twist at each joint. */
TEST_IN_FOLDER(the_twist_of_a_long_rod_has_three_digits) {
  enum { N = 5000 };
  static double director[9 * N];
  fixture *f = *state;
  int frames, lanes, size;
  elastica_rod *rod = add_straight_rod(f->world, N, 50.0, 0.01, 1000.0, 1e6, 0.4e6);
  const double angle = 2.0 * acos(-1.0) / N;
  const elastica_rod_view *at = elastica_rod_get_view(rod);
  for (int j = 0; j < N; j++)
    for (int a = 0; a < 3; a++) {
      const double c = cos(j * angle), s = sin(j * angle), d1 = at->director[0][a][0], d2 = at->director[1][a][0];
      director[9 * j + a] = c * d1 + s * d2, director[9 * j + 3 + a] = c * d2 - s * d1, director[9 * j + 6 + a] = at->director[2][a][0];
    }
  must(f->world, elastica_rod_set_state(rod, NULL, NULL, director, NULL));
  DEFAULTS(view, def);
  def.size_limit = 1;
  elastica_view *view = open_page(f, &def);
  for (int k = 0; k < 3; k++) must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  page_record tubes = read_record(page, "tubes", 1), times = read_record(page, "frames", 0); /* record 0 has radii and lengths */
  int *twist = read_numbers(&tubes, "twist", &frames, &lanes, &size);
  assert_true(size == N - 1 && member(times.text, "float") > 1.0 / 1100.0);
  for (int k = 0; k < frames * size; k++) assert_close(fabs(float_of(twist[k])), 100.0 * angle, 0.2 * angle);
  free(twist), free(tubes.text), free(times.text), free(page);
}

/* A large scene has all digits where they fit the limit; else they are rounded before frames are left out. */
TEST_IN_FOLDER(large_scenes_round_numbers_before_they_leave_out_frames) {
  enum { N = 4200, MANY = 4 };
  fixture *f = *state;
  static double velocity[3 * (N + 1)];
  size_t whole = 0, room = 0;
  unsigned random = 1;
  for (int k = 0; k < 3 * (N + 1); k++) velocity[k] = 1e-3 * ((random = random * 1664525u + 1013904223u) >> 16) / 65536.0;
  DEFAULTS(rod, def);
  def.element_count = N, def.length = 42.0, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e5, def.velocity = velocity;
  must(f->world, elastica_world_add_rod(f->world, &def, NULL));
  must(f->world, elastica_world_snapshot_save(f->world, NULL, 0, &room));
  void *begin = malloc(room);
  must(f->world, elastica_world_snapshot_save(f->world, begin, room, &room));
  for (int limited = 0; limited < 2; limited++) {
    must(f->world, elastica_world_snapshot_load(f->world, begin, room));
    DEFAULTS(view, page_def);
    page_def.size_limit = limited ? whole - 1 : 100000000;
    elastica_view *view = open_page(f, &page_def);
    for (int k = 0; k < MANY; k++) {
      must(f->world, elastica_view_frame(view));
      must(f->world, elastica_world_step(f->world, 1e-5, 10));
    }
    char *page = close_and_read(f, view);
    page_record times = read_record(page, "frames", 0), end = read_record(page, "end", 0);
    assert_close(member(times.text, "float"), limited ? 1.0 / 1024.0 : 1.0 / 4096.0, 1e-9);
    assert_int_equal(member(end.text, "frames"), MANY);
    assert_int_equal(member(end.text, "stride"), 1);
    assert_true(!limited || strlen(page) < whole);
    whole = strlen(page);
    free(times.text), free(end.text), free(page);
  }
  free(begin);
}

/* Rods are added from frame to frame: the triangles of the mesh, and other unchanged objects, are on the page once. */
TEST_IN_FOLDER(unchanged_objects_are_described_once) {
  static mesh_data data;
  enum { MANY = 5 };
  fixture *f = *state;
  int described = 0;
  mesh_ball(&data, 0.3, 20);
  elastica_obstacle_def ball = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e4, 0.1);
  ball.position[0] = 5.0;
  must(f->world, elastica_add_obstacle(f->world, NULL, &ball, NULL));
  elastica_view *view = open_page(f, NULL);
  for (int k = 0; k < MANY; k++) {
    add_two_rods(f);
    must(f->world, elastica_view_frame(view));
  }
  char *page = close_and_read(f, view);
  for (int k = 0; k < count_records(page, "solids"); k++) {
    page_record solids = read_record(page, "solids", k);
    described += strstr(solids.text, "\"shape\":\"mesh\"") != NULL;
    assert_true(k > 0 || solids.size >= (size_t)(4 * 3 * (data.point_count + data.triangle_count)));
    assert_true(k == 0 || solids.size < 1000);
    free(solids.text);
  }
  assert_int_equal(described, 1);
  assert_int_equal(count_records(page, "frames"), MANY);
  free(page);
}

/* The upward direction is the given one, of any length; else it is opposite to gravity, unless gravity is zero; else z. */
TEST_IN_FOLDER(up_is_given_or_opposite_to_gravity) {
  static const struct {
    double given[3], gravity[3], up[3];
  } rows[] = {
      {{NAN, NAN, NAN}, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}},  {{NAN, NAN, NAN}, {2.0, 0.0, 0.0}, {-2.0, 0.0, 0.0}},
      {{NAN, NAN, NAN}, {0.0, -3.0, 0.0}, {0.0, 3.0, 0.0}}, {{NAN, NAN, NAN}, {1.0, 2.0, -9.0}, {-1.0, -2.0, 9.0}},
      {{0.0, 4.0, 0.0}, {0.0, 0.0, -9.0}, {0.0, 4.0, 0.0}}, {{0.0, 0.0, -1.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, -1.0}},
  };
  fixture *f = *state;
  elastica_effect *gravity;
  double up[3];
  add_two_rods(f);
  must(f->world, elastica_add_gravity(f->world, rows[0].gravity, &gravity));
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    DEFAULTS(view, def);
    for (int a = 0; a < 3; a++) def.up[a] = rows[k].given[a];
    must(f->world, elastica_gravity_set(gravity, rows[k].gravity));
    elastica_view *view = open_page(f, &def);
    must(f->world, elastica_view_frame(view));
    must(f->world, elastica_view_close(view));
    char *page = scratch_read(&f->folder, "run.html");
    page_record about = read_record(page, "run", 0);
    assert_int_equal(sscanf(strstr(about.text, "\"up\":["), "\"up\":[%lf,%lf,%lf]", &up[0], &up[1], &up[2]), 3);
    assert_all_close(up, rows[k].up, 3, 0.0);
    free(about.text), free(page);
  }
}

/* Of several gravities their sum counts, without the ones that are switched off. */
TEST_IN_FOLDER(up_is_opposite_to_the_sum_of_gravities_that_are_on) {
  static const double gravity[3][3] = {{0.0, -9.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, -4.0}}, upward[3] = {0.0, 9.0, 4.0};
  fixture *f = *state;
  elastica_effect *effect[3];
  double up[3];
  add_two_rods(f);
  for (int k = 0; k < 3; k++) must(f->world, elastica_add_gravity(f->world, gravity[k], &effect[k]));
  must(f->world, elastica_effect_set_enabled(effect[1], 0));
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  page_record about = read_record(page, "run", 0);
  assert_int_equal(sscanf(strstr(about.text, "\"up\":["), "\"up\":[%lf,%lf,%lf]", &up[0], &up[1], &up[2]), 3);
  assert_all_close(up, upward, 3, 0.0);
  free(about.text), free(page);
}

/* Without a title it is the name of the file without .html, in which JSON escapes quotes, and HTML the signs of its tags. */
TEST_IN_FOLDER(the_name_of_the_file_is_the_title) {
  static const char *const names[][2] = {{"walk.html", "walk"},
                                         {"page", "page"},
                                         {"a.htm", "a.htm"},
                                         {".html", ".html"},
                                         {"<a>&\"b\\\001\177.html", "\\u003ca\\u003e\\u0026\\u0022b\\u005c\\u0001\\u007f"}};
  fixture *f = *state;
  add_two_rods(f);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    char title[120];
    elastica_view *view = NULL;
    must(f->world, elastica_view_open(f->world, scratch_path(&f->folder, names[k][0]), NULL, &view));
    must(f->world, elastica_view_frame(view));
    must(f->world, elastica_view_close(view));
    char *page = scratch_read(&f->folder, names[k][0]);
    page_record about = read_record(page, "run", 0);
    snprintf(title, sizeof title, "\"title\":\"%s\",\"length_unit\":\"m\",\"force_unit\":\"N\"", names[k][1]);
    if (strstr(about.text, title) == NULL) fail_msg("%.200s does not have %s", about.text, title);
    free(about.text), free(page);
  }
}

/* ---- Refusals ---- */

TEST_IN_FOLDER(arguments_are_checked) {
  fixture *f = *state;
  elastica_view *view = NULL;
  DEFAULTS(view, def);
  const char *path = scratch_path(&f->folder, "run.html");
  assert_int_equal(elastica_view_open(NULL, path, NULL, &view), ELASTICA_INVALID_ARGUMENT);
  assert_refused(f->world, elastica_view_open(f->world, path, NULL, NULL), ELASTICA_INVALID_ARGUMENT, "view_open", "out is NULL");
  assert_refused(f->world, elastica_view_open(f->world, NULL, NULL, &view), ELASTICA_INVALID_ARGUMENT, "view_open", "path is NULL");
  assert_refused(f->world, elastica_view_open(f->world, "", NULL, &view), ELASTICA_INVALID_ARGUMENT, "view_open", "path is empty");
  def.resolution = -1.0;
  assert_refused(f->world, elastica_view_open(f->world, path, &def, &view), ELASTICA_INVALID_ARGUMENT, "view_def.resolution");
  elastica_view_def_init(&def, sizeof def);
  def.up[0] = def.up[1] = def.up[2] = 0.0;
  assert_refused(f->world, elastica_view_open(f->world, path, &def, &view), ELASTICA_INVALID_ARGUMENT, "view_def.up is zero");
  elastica_view_def_init(&def, sizeof def);
  def.span = 0.1;
  assert_refused(f->world, elastica_view_open(f->world, path, &def, &view), ELASTICA_INVALID_ARGUMENT, "span is set", "focus is not");
  def.focus[0] = def.focus[1] = def.focus[2] = 0.0, def.span = 0.0;
  assert_refused(f->world, elastica_view_open(f->world, path, &def, &view), ELASTICA_INVALID_ARGUMENT, "view_def.span", "not positive");
  /* A lone byte of latin-1, a cut character, an overlong form, a surrogate, a code beyond the last one, a continuation alone. */
  static const char *const wrong[] = {"caf\xe9", "a\xe2\x82", "abc\xc0\xaf", "\xed\xa0\x80", "x\xf4\x90\x80\x80", "ab\x80"};
  static const char *const says[] = {"byte 3 is 0xe9", "byte 1 is 0xe2", "byte 3 is 0xc0",
                                     "byte 0 is 0xed", "byte 1 is 0xf4", "byte 2 is 0x80"};
  for (int k = 0; k < 6; k++) {
    elastica_view_def_init(&def, sizeof def);
    *(k % 3 == 0 ? &def.title : k % 3 == 1 ? &def.length_unit : &def.force_unit) = wrong[k];
    assert_refused(f->world, elastica_view_open(f->world, path, &def, &view), ELASTICA_INVALID_ARGUMENT, "is not UTF-8", says[k],
                   k % 3 == 0   ? "view_def.title"
                   : k % 3 == 1 ? "view_def.length_unit"
                                : "view_def.force_unit");
  }
  assert_null(view);
  elastica_view_def_init(&def, sizeof def);
  def.title = "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x8d";
  must(f->world, elastica_view_open(f->world, path, &def, &view));
  assert_int_equal(elastica_view_close(view), ELASTICA_WRONG_STATE);
  path = scratch_path(&f->folder, "missing/run.html");
  assert_refused(f->world, elastica_view_open(f->world, path, NULL, &view), ELASTICA_IO_ERROR, path, strerror(ENOENT));
  assert_int_equal(elastica_view_frame(NULL), ELASTICA_INVALID_ARGUMENT);
  assert_int_equal(elastica_view_close(NULL), ELASTICA_OK);
  assert_int_equal(scratch_file_count(&f->folder), 0);
}

static void write_earlier(fixture *f) {
  FILE *file = fopen(scratch_path(&f->folder, "run.html"), "w");
  assert_non_null(file);
  fputs("an earlier run\n", file);
  fclose(file);
}

TEST_IN_FOLDER(without_a_frame_the_page_that_is_there_stays) {
  fixture *f = *state;
  write_earlier(f);
  elastica_view *view = open_page(f, NULL);
  assert_refused(f->world, elastica_view_close(view), ELASTICA_WRONG_STATE, "view_close", "no frame", "run.html");
  assert_file(&f->folder, "run.html", "an earlier run\n");
  assert_int_equal(scratch_file_count(&f->folder), 1);
}

TEST_IN_FOLDER(on_a_full_disk_the_page_that_is_there_stays) {
  fixture *f = *state;
  elastica_view *view = open_page(f, NULL);
  add_two_rods(f);
  for (int k = 0; k < 2; k++) {
    if (k == 1) must(f->world, elastica_view_frame(view));
    write_earlier(f);
    scratch_limit(k == 0 ? 100 : 60000);
    assert_refused(f->world, k == 0 ? elastica_view_frame(view) : elastica_view_close(view), ELASTICA_IO_ERROR, "run.html",
                   strerror(EFBIG));
    scratch_limit(RLIM_INFINITY);
    assert_file(&f->folder, "run.html", "an earlier run\n");
    assert_int_equal(scratch_file_count(&f->folder), 1);
  }
}

static elastica_status pull_by_nan(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now, (void)rod;
  loads->force[1][2] = NAN;
  return ELASTICA_OK;
}

TEST_IN_FOLDER(a_state_that_is_not_finite_is_named_and_left_out) {
  fixture *f = *state;
  elastica_view *view = open_page(f, NULL);
  add_straight_rod(f->world, 4, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  must(f->world, elastica_view_frame(view));
  char *before = scratch_read(&f->folder, "run.html");
  elastica_module module = module_named("pull_by_nan");
  module.add_loads = pull_by_nan;
  must(f->world, elastica_world_add_module(f->world, NULL, &module, NULL));
  assert_int_equal(elastica_world_step(f->world, 0x1p-14, 1), ELASTICA_NOT_FINITE);
  assert_refused(f->world, elastica_view_frame(view), ELASTICA_NOT_FINITE, "view_frame", "node 2 of rod 0", "finite");
  assert_file(&f->folder, "run.html", before);
  must(f->world, elastica_view_close(view));
  assert_file(&f->folder, "run.html", before);
  free(before);
}

static elastica_status pull_until_it_fails(void *user, double time, double length, double rate, double *activation) {
  (void)user, (void)length, (void)rate;
  *activation = time > 3.5 * STEP ? -1.0 : 1.0;
  return ELASTICA_OK;
}

/* Its cable is on the page, without a tension. */
TEST_IN_FOLDER(a_world_that_failed_by_a_drive_can_still_be_shown) {
  fixture *f = *state;
  elastica_view *view = open_page(f, NULL);
  elastica_effect *effect = NULL;
  elastica_tendon_info info;
  add_two_rods(f);
  DEFAULTS(tendon, tendon);
  tendon.rod = elastica_world_rod(f->world, 0), tendon.offset[0] = 0.01, tendon.tension = 1e-3, tendon.drive = pull_until_it_fails;
  must(f->world, elastica_add_tendon(f->world, &tendon, &effect));
  must(f->world, elastica_view_frame(view));
  assert_status(f->world, elastica_world_step(f->world, STEP, 10), ELASTICA_CALLBACK_FAILED);
  assert_refused(f->world, elastica_tendon_get(effect, &info, NULL, 0), ELASTICA_CALLBACK_FAILED, "tendon_get: effect 0: its drive wrote");
  must(f->world, elastica_view_frame(view));
  char *page = close_and_read(f, view);
  page_record cables = read_record(page, "cables", 0), end = read_record(page, "end", 0);
  int frames, lanes, size, *tension = read_numbers(&cables, "tension", &frames, &lanes, &size);
  assert_int_equal(member(end.text, "frames"), 2);
  assert_true(frames == 2 && size == 1 && tension[0] > 0 && tension[1] == 0);
  free(tension), free(cables.text), free(end.text), free(page);
}

TEST_IN_FOLDER(positions_beyond_the_resolution_are_named) {
  fixture *f = *state;
  DEFAULTS(view, def);
  def.resolution = 1e-12;
  elastica_view *view = open_page(f, &def);
  add_straight_rod(f->world, 4, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  assert_refused(f->world, elastica_view_frame(view), ELASTICA_INVALID_ARGUMENT, "node 1 of rod 0", "2^31", "resolution");
  ignore(elastica_view_close(view));
}

TEST(devices_pipes_and_directories_are_not_replaced) {
  elastica_world *world = make_world(NULL);
  elastica_view *view = NULL;
  scratch_folder folder;
  char path[600], link[600];
  struct stat what;
  scratch_make(&folder);
  snprintf(path, sizeof path, "%s", scratch_path(&folder, "pipe.html"));
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_refused(world, elastica_view_open(world, path, NULL, &view), ELASTICA_IO_ERROR, "view_open", "no regular file");
  assert_true(stat(path, &what) == 0 && S_ISFIFO(what.st_mode));
  snprintf(link, sizeof link, "%s", scratch_path(&folder, "link.html"));
  assert_int_equal(symlink(path, link), 0);
  assert_refused(world, elastica_view_open(world, link, NULL, &view), ELASTICA_IO_ERROR, "view_open", "no regular file");
  assert_refused(world, elastica_view_open(world, scratch_path(&folder, "."), NULL, &view), ELASTICA_IO_ERROR, "view_open", "a directory");
  remove(link), remove(path);
  scratch_remove(&folder);
  elastica_world_destroy(world);
}

/* The link remains, and the file behind it is replaced with its mode. */
TEST_IN_FOLDER(links_are_followed_and_modes_stay) {
  fixture *f = *state;
  char path[600], link[600];
  struct stat found;
  elastica_view *view = NULL;
  snprintf(path, sizeof path, "%s", scratch_path(&f->folder, "old.html"));
  snprintf(link, sizeof link, "%s", scratch_path(&f->folder, "link.html"));
  FILE *old = fopen(path, "w");
  assert_non_null(old);
  assert_int_equal(fclose(old), 0);
  assert_int_equal(chmod(path, 0640), 0);
  assert_int_equal(symlink("old.html", link), 0);
  add_straight_rod(f->world, 4, 1.0, 0.01, 1000.0, 1e6, 0.4e6);
  must(f->world, elastica_view_open(f->world, link, NULL, &view));
  must(f->world, elastica_view_frame(view));
  must(f->world, elastica_view_close(view));
  assert_true(lstat(link, &found) == 0 && S_ISLNK(found.st_mode));
  assert_true(stat(path, &found) == 0 && (found.st_mode & 0777) == 0640 && found.st_size > 1000);
}

/* For every missing block of memory: a sentence, and the next call succeeds with the same page. */
TEST_IN_FOLDER(no_memory_is_told) {
  fixture *f = *state;
  elastica_view *view = NULL;
  add_two_rods(f);
  const long blocks = f->memory.blocks;
  for (int k = 0; k < 60; k++) {
    f->memory.refused_call = f->memory.calls + k;
    elastica_status status = elastica_view_open(f->world, scratch_path(&f->folder, "run.html"), NULL, &view);
    if (status == ELASTICA_OK) status = elastica_view_frame(view);
    if (status != ELASTICA_OK) assert_int_equal(status, ELASTICA_OUT_OF_MEMORY);
    f->memory.refused_call = -1;
    if (view != NULL && status != ELASTICA_OK) must(f->world, elastica_view_frame(view));
    must(f->world, elastica_view_close(view));
    view = NULL;
  }
  const elastica_rod *rod = elastica_world_rod(f->world, 0);
  assert_non_null(rod);
  assert_in_range(f->memory.blocks, blocks, blocks + 8); /* memory that the world keeps since its first limit check */
}

static elastica_status motion_or_not(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)time, (void)position, (void)velocity, (void)director, (void)omega;
  return *(const int *)user ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

/* A motion that fails at the time of a frame or a query: no frame is written, and the sentence names the effect. The next frame is that of
 * a run without the failure. */
TEST_IN_FOLDER(a_motion_that_fails_leaves_no_frame) {
  fixture *f = *state;
  static int fails[2];
  elastica_effect *floor = NULL;
  elastica_vtk *vtk = NULL;
  elastica_check_report report;
  double force[3];
  int count;
  fails[0] = fails[1] = 0;
  elastica_rod *rod = add_straight_rod(f->world, 4, 1.0, 0.05, 1000.0, 1e6, 0.35e6);
  DEFAULTS(obstacle, obstacle);
  obstacle.kind = ELASTICA_OBSTACLE_ELASTIC, obstacle.modulus = 1e5, obstacle.position[2] = -1.0;
  obstacle.motion = motion_or_not, obstacle.user = &fails[0];
  must(f->world, elastica_add_obstacle(f->world, NULL, &obstacle, &floor));
  DEFAULTS(joint, joint);
  joint.first.rod = rod, joint.motion = motion_or_not, joint.user = &fails[1];
  must(f->world, elastica_add_joint(f->world, &joint, NULL));
  elastica_view *view = open_page(f, NULL);
  must(f->world, elastica_vtk_open(f->world, f->folder.path, "run", &vtk));
  must(f->world, elastica_view_frame(view));
  must(f->world, elastica_vtk_frame(vtk));
  fails[0] = 1;
  assert_refused(f->world, elastica_view_frame(view), ELASTICA_CALLBACK_FAILED, "view_frame", "effect 0, obstacle");
  assert_refused(f->world, elastica_vtk_frame(vtk), ELASTICA_CALLBACK_FAILED, "effect 0, obstacle");
  assert_refused(f->world, elastica_obstacle_get_force(floor, force, NULL), ELASTICA_CALLBACK_FAILED, "obstacle_def.motion fails",
                 "IO_ERROR");
  assert_refused(f->world, elastica_contact_get(floor, NULL, 0, &count), ELASTICA_CALLBACK_FAILED, "obstacle_def.motion fails");
  assert_refused(f->world, elastica_world_check(f->world, 0.0, &report), ELASTICA_CALLBACK_FAILED, "effect 0", "IO_ERROR");
  fails[0] = 0, fails[1] = 1;
  assert_refused(f->world, elastica_view_frame(view), ELASTICA_CALLBACK_FAILED, "effect 1, a joint");
  fails[1] = 0;
  must(f->world, elastica_view_frame(view));
  must(f->world, elastica_vtk_frame(vtk));
  must(f->world, elastica_vtk_close(vtk));
  char *page = close_and_read(f, view);
  assert_non_null(page);
  free(page);
}
