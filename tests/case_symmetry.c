/* The motion does not depend on place, direction, numbering of elements or units. */
#include "support.h"

/* A rod with gravity and damping, clamped at one end and loaded at the other: the scene contains every kind of quantity with a
 * direction, a place or a unit. */
typedef struct scene {
  sample_rod sample;
  double gravity[3];
  double end_force[3];
  double end_couple[3];         /* material */
  double translation, rotation; /* dissipation */
  int clamped_end;              /* -1: none */
  elastica_boundary_kind kind;
} scene;

static void make_scene(scene *s, uint64_t seed, int clamped) {
  const sample_recipe recipe = usual_recipe();
  memset(s, 0, sizeof *s);
  make_sample(&s->sample, 11, seed, &recipe);
  s->gravity[0] = 1.0, s->gravity[1] = 2.5, s->gravity[2] = -9.0;
  s->end_force[0] = 1.0, s->end_force[1] = -0.5, s->end_force[2] = 0.75;
  s->end_couple[0] = 0.02, s->end_couple[1] = 0.05, s->end_couple[2] = -0.03;
  s->translation = 0.5, s->rotation = 0.01;
  s->clamped_end = clamped ? ELASTICA_END_FIRST : -1;
  s->kind = seed & 1 ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_CLAMP;
}

static void make_ring_scene(scene *s, uint64_t seed) {
  make_scene(s, seed, 0);
  make_sample_ring(&s->sample, 12, seed);
}

static void add_loads_of_scene(elastica_world *world, elastica_rod *rod, const scene *s) {
  must(world, elastica_add_gravity(world, s->gravity, NULL));
  DEFAULTS(point_load, load);
  load.node = s->clamped_end == ELASTICA_END_LAST ? 0 : -1;
  load.element = load.node;
  memcpy(load.force, s->end_force, sizeof load.force);
  memcpy(load.couple, s->end_couple, sizeof load.couple);
  if (!s->sample.closed) must(world, elastica_add_point_load(world, rod, &load, NULL));
  DEFAULTS(dissipation, dissipation);
  dissipation.translation = s->translation;
  dissipation.rotation = s->rotation;
  must(world, elastica_add_dissipation(world, rod, &dissipation, NULL));
}

static void run(const scene *s, double dt, long steps, rod_state *end) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_sample(world, &s->sample);
  if (s->clamped_end >= 0) {
    DEFAULTS(boundary, clamp);
    clamp.node = s->clamped_end == ELASTICA_END_LAST ? -1 : 0;
    clamp.kind = s->kind;
    must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  }
  add_loads_of_scene(world, rod, s);
  must(world, elastica_world_step(world, dt, steps));
  read_state(rod, end);
  elastica_world_destroy(world);
}

/* ---- Place and direction ------------------------------------------------------------------------------------------------------------- */

/* r -> R r + shift; laboratory vectors v -> R v; frames Q -> Q R^T; material vectors stay. */
static void move_state(const double turn[9], const double shift[3], double *position, double *velocity, double *director, int nodes,
                       int elements) {
  double turn_back[9];
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) turn_back[3 * a + b] = turn[3 * b + a];
  for (int i = 0; i < nodes; i++) {
    apply(turn, position + 3 * i, position + 3 * i);
    apply(turn, velocity + 3 * i, velocity + 3 * i);
    for (int a = 0; a < 3; a++) position[3 * i + a] += shift[a];
  }
  for (int j = 0; j < elements; j++) multiply(director + 9 * j, turn_back, director + 9 * j);
}

static void assert_moved_motion(const scene *s, uint64_t seed) {
  const int nodes = sample_node_count(&s->sample), elements = s->sample.element_count;
  double turn[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, shift[3], phi[3];
  random_source source = {seed};
  static rod_state here, there;
  scene moved = *s;
  random_vector(&source, 3.0, phi);
  random_vector(&source, 1.0, shift);
  turn_frame(phi, turn);
  move_state(turn, shift, moved.sample.position, moved.sample.velocity, moved.sample.director, nodes, elements);
  apply(turn, moved.gravity, moved.gravity);
  apply(turn, moved.end_force, moved.end_force);
  run(s, 2e-4, 500, &here);
  run(&moved, 2e-4, 500, &there);
  move_state(turn, shift, here.position, here.velocity, here.director, nodes, elements);
  assert_all_close(there.position, here.position, 3 * nodes, 1e-11);
  assert_all_close(there.director, here.director, 9 * elements, 1e-11);
  assert_all_close(there.velocity, here.velocity, 3 * nodes, 1e-10);
  assert_all_close(there.omega, here.omega, 3 * elements, 1e-9);
}

TEST(turning_and_shifting_the_scene_turns_and_shifts_the_motion) {
  for (uint64_t seed = 0; seed < 6; seed++) {
    static scene s;
    if (seed >= 4)
      make_ring_scene(&s, seed);
    else
      make_scene(&s, seed, seed >= 2);
    assert_moved_motion(&s, seed);
  }
}

/* ---- Numbering ----------------------------------------------------------------------------------------------------------------------- */

/* Element j becomes n-1-j with its frame turned half round d1, so that d3 points along the new order: d1 stays, d2 and d3 change sign. */
static void reverse_elements(double *director, double *omega, int n) {
  static double old_director[9 * SAMPLE_ELEMENTS], old_omega[3 * SAMPLE_ELEMENTS];
  memcpy(old_director, director, 9 * (size_t)n * sizeof *director);
  memcpy(old_omega, omega, 3 * (size_t)n * sizeof *omega);
  for (int j = 0; j < n; j++) {
    for (int a = 0; a < 3; a++) {
      const double sign = a == 0 ? 1.0 : -1.0;
      omega[3 * j + a] = sign * old_omega[3 * (n - 1 - j) + a];
      for (int b = 0; b < 3; b++) director[9 * j + 3 * a + b] = sign * old_director[9 * (n - 1 - j) + 3 * a + b];
    }
  }
}

static void reverse_vectors(double *x, int count, double sign_0, double sign_12) {
  static double old[3 * SAMPLE_NODES];
  memcpy(old, x, 3 * (size_t)count * sizeof *x);
  for (int i = 0; i < count; i++) {
    x[3 * i] = sign_0 * old[3 * (count - 1 - i)];
    for (int a = 1; a < 3; a++) x[3 * i + a] = sign_12 * old[3 * (count - 1 - i) + a];
  }
}

static void reverse_numbers(double *x, int count) {
  for (int i = 0; i < count / 2; i++) {
    const double other = x[count - 1 - i];
    x[count - 1 - i] = x[i];
    x[i] = other;
  }
}

/* Strain and curvature in the reversed numbering: the first component changes sign (sigma = Q edge - d3; kappa is the turn of the frame
 * per length). */
static void reverse_sample(sample_rod *sample) {
  const int n = sample->element_count;
  reverse_elements(sample->director, sample->omega, n);
  reverse_vectors(sample->position, n + 1, 1.0, 1.0);
  reverse_vectors(sample->velocity, n + 1, 1.0, 1.0);
  reverse_vectors(sample->rest_strain, n, -1.0, 1.0);
  reverse_vectors(sample->rest_curvature, n - 1, -1.0, 1.0);
  reverse_numbers(sample->rest_length, n);
  reverse_numbers(sample->radius, n);
}

TEST(numbering_from_the_other_end_gives_the_same_motion) {
  for (uint64_t seed = 0; seed < 6; seed++) {
    static rod_state forward, backward;
    static scene s, reversed;
    make_scene(&s, seed, seed >= 2);
    s.clamped_end = seed >= 2 ? ELASTICA_END_FIRST : -1;
    reversed = s;
    reverse_sample(&reversed.sample);
    if (s.clamped_end >= 0) {
      reversed.clamped_end = ELASTICA_END_LAST;
      for (int a = 1; a < 3; a++) reversed.end_couple[a] = -reversed.end_couple[a];
    } else {
      memset(s.end_force, 0, sizeof s.end_force), memset(s.end_couple, 0, sizeof s.end_couple);
      memset(reversed.end_force, 0, sizeof s.end_force), memset(reversed.end_couple, 0, sizeof s.end_couple);
    }
    run(&s, 2e-4, 500, &forward);
    run(&reversed, 2e-4, 500, &backward);
    const int n = s.sample.element_count;
    reverse_vectors(backward.position, n + 1, 1.0, 1.0);
    reverse_vectors(backward.velocity, n + 1, 1.0, 1.0);
    reverse_elements(backward.director, backward.omega, n);
    assert_all_close(backward.position, forward.position, 3 * (n + 1), 1e-11);
    assert_all_close(backward.director, forward.director, 9 * n, 1e-11);
    assert_all_close(backward.velocity, forward.velocity, 3 * (n + 1), 1e-10);
    assert_all_close(backward.omega, forward.omega, 3 * n, 1e-9);
  }
}

/* to[i] = from[(i + shift) % count], for vectors of width numbers. */
static void shift_ring_lane(double *x, int count, int width, int shift) {
  static double old[9 * SAMPLE_NODES];
  memcpy(old, x, (size_t)(count * width) * sizeof *x);
  for (int i = 0; i < count; i++) memcpy(x + i * width, old + ((i + shift) % count) * width, (size_t)width * sizeof *x);
}

static void shift_ring_state(double *position, double *velocity, double *director, double *omega, int n, int shift) {
  shift_ring_lane(position, n, 3, shift);
  shift_ring_lane(velocity, n, 3, shift);
  shift_ring_lane(director, n, 9, shift);
  shift_ring_lane(omega, n, 3, shift);
}

TEST(ring_has_no_first_element) {
  for (int shift = 1; shift < 12; shift += 5) {
    static rod_state here, there;
    static scene s, shifted;
    make_ring_scene(&s, 3);
    const int n = s.sample.element_count;
    shifted = s;
    sample_rod *sample = &shifted.sample;
    shift_ring_state(sample->position, sample->velocity, sample->director, sample->omega, n, shift);
    shift_ring_lane(sample->rest_length, n, 1, shift);
    shift_ring_lane(sample->radius, n, 1, shift);
    shift_ring_lane(sample->rest_curvature, n, 3, shift);
    shift_ring_lane(sample->rest_strain, n, 3, shift);
    run(&s, 2e-4, 500, &here);
    run(&shifted, 2e-4, 500, &there);
    shift_ring_state(here.position, here.velocity, here.director, here.omega, n, shift);
    assert_all_close(there.position, here.position, 3 * n, 1e-11);
    assert_all_close(there.director, here.director, 9 * n, 1e-11);
    assert_all_close(there.velocity, here.velocity, 3 * n, 1e-10);
    assert_all_close(there.omega, here.omega, 3 * n, 1e-9);
  }
}

/* ---- Units --------------------------------------------------------------------------------------------------------------------------- */

static void scale_all(double *x, int count, double factor) {
  for (int i = 0; i < count; i++) x[i] *= factor;
}

/* Converts to new units by powers of two: only the exponents of numbers change. */
static void change_units(scene *s, double length, double mass, double time) {
  sample_rod *sample = &s->sample;
  const int n = sample->element_count;
  const double force = mass * length / (time * time), pressure = force / (length * length);
  sample->density *= mass / (length * length * length);
  sample->youngs_modulus *= pressure;
  sample->shear_modulus *= pressure;
  scale_all(sample->rest_length, n, length);
  scale_all(sample->radius, n, length);
  scale_all(sample->rest_curvature, 3 * sample_joint_count(sample), 1.0 / length);
  scale_all(sample->position, 3 * sample_node_count(sample), length);
  scale_all(sample->velocity, 3 * sample_node_count(sample), length / time);
  scale_all(sample->omega, 3 * n, 1.0 / time);
  scale_all(s->gravity, 3, length / (time * time));
  scale_all(s->end_force, 3, force);
  scale_all(s->end_couple, 3, force * length);
  s->translation *= mass / (length * time);
  s->rotation *= mass * length / time;
}

TEST(units_of_powers_of_two_change_no_bit) {
  const double unit[5][3] = {{2.0, 1.0, 1.0}, {1.0, 2.0, 1.0}, {1.0, 1.0, 2.0}, {0x1p10, 0x1p-20, 0x1p7}, {0x1p-9, 0x1p30, 0x1p-12}};
  for (uint64_t seed = 0; seed < 4; seed++) {
    static rod_state plain, scaled;
    static scene s, other;
    if (seed == 3)
      make_ring_scene(&s, seed);
    else
      make_scene(&s, seed, 1);
    run(&s, 0x1p-12, 300, &plain);
    const int nodes = sample_node_count(&s.sample), n = s.sample.element_count;
    for (int k = 0; k < 5; k++) {
      other = s;
      change_units(&other, unit[k][0], unit[k][1], unit[k][2]);
      run(&other, 0x1p-12 * unit[k][2], 300, &scaled);
      scale_all(scaled.position, 3 * nodes, 1.0 / unit[k][0]);
      scale_all(scaled.velocity, 3 * nodes, unit[k][2] / unit[k][0]);
      scale_all(scaled.omega, 3 * n, unit[k][2]);
      assert_all_close(scaled.position, plain.position, 3 * nodes, 0.0);
      assert_all_close(scaled.director, plain.director, 9 * n, 0.0);
      assert_all_close(scaled.velocity, plain.velocity, 3 * nodes, 0.0);
      assert_all_close(scaled.omega, plain.omega, 3 * n, 0.0);
    }
  }
}
