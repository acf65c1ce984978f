/* The spring of friction of one contact over a step: it stays in the plane of contact, within its limit, and turns with the scene. */
#include "base/target.h"

#include "contact/stick_slip.h"
#include "kernels/kernels.h"
#include "samples.h"

static void make_step(random_source *source, eli_stick_slip *history, eli_stick_slip_input *step) {
  double axis[3], turn[3];
  *history = (eli_stick_slip){.stiffness = random_between(source, 10.0, 100.0)};
  random_vector(source, 1.0, axis);
  const double size = norm(axis);
  for (int a = 0; a < 3; a++) history->normal[a] = axis[a] / size;
  random_vector(source, 1.0, axis);
  const double along = dot(axis, history->normal);
  for (int a = 0; a < 3; a++) history->force[a] = axis[a] - along * history->normal[a];
  *step = (eli_stick_slip_input){.dt = 0.01, .spin = random_between(source, -20.0, 20.0)};
  step->stiffness = random_between(source, 10.0, 100.0), step->limit = random_between(source, 0.1, 2.0);
  step->damping = random_between(source, 0.0, 0.5);
  random_vector(source, 10.0, step->velocity);
  random_vector(source, 0.4, turn);
  for (int a = 0; a < 3; a++) step->normal[a] = history->normal[a] + turn[a];
  const double other = norm(step->normal);
  for (int a = 0; a < 3; a++) step->normal[a] /= other;
}

TEST(forces_lie_in_the_plane_of_contact_within_their_limit) {
  random_source source = {11};
  int sticks = 0;
  for (int k = 0; k < 2000; k++) {
    eli_stick_slip history;
    eli_stick_slip_input step;
    double force[3] = {0.0, 0.0, 0.0};
    make_step(&source, &history, &step);
    if (k % 2)
      eli_stick_slip_step(&history, &step, force);
    else
      eli_stick_slip_return(&history, &step);
    assert_close(dot(history.force, step.normal), 0.0, 1e-14);
    assert_close(dot(force, step.normal), 0.0, 1e-14);
    assert_true(norm(history.force) <= step.limit * (1.0 + 1e-14) && norm(force) <= step.limit * (1.0 + 1e-14));
    sticks += history.sticks;
  }
  assert_in_range(sticks, 200, 1800);
}

TEST(forces_turn_with_the_scene) {
  random_source source = {12};
  for (int k = 0; k < 500; k++) {
    eli_stick_slip history, turned;
    eli_stick_slip_input step, other;
    double frame[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, phi[3], force[3], expected[3], found[3];
    make_step(&source, &history, &step);
    random_vector(&source, 3.0, phi);
    turn_frame(phi, frame);
    turned = history, other = step;
    apply(frame, history.force, turned.force);
    apply(frame, history.normal, turned.normal);
    apply(frame, step.velocity, other.velocity);
    apply(frame, step.normal, other.normal);
    eli_stick_slip_step(&history, &step, force);
    eli_stick_slip_step(&turned, &other, found);
    apply(frame, force, expected);
    assert_all_close(found, expected, 3, 1e-13);
    assert_int_equal(turned.sticks, history.sticks);
  }
}

/* Pairs of bodies that spin together about their normal by up to 3 rad in a step, some of them by little: in lanes, with each instruction
 * set. */
TEST(the_spring_turns_with_two_bodies_that_spin_together) {
  static eli_lines lines;
  static eli_stick_slips springs;
  const eli_line_law law = {.modulus = 1e5};
  random_source source = {13};
  for (int set = ELASTICA_INSTRUCTION_SET_AUTO; set <= ELASTICA_INSTRUCTION_SET_AVX512; set++) {
    const eli_kernels *kernels = eli_kernels_select((elastica_instruction_set)set);
    for (int round = 0; kernels != NULL && round < 20; round++) {
      double expected[ELI_LINES][3];
      memset(&springs, 0, sizeof springs);
      memset(&lines, 0, sizeof lines);
      eli_lines_begin(&lines, &law);
      lines.count = ELI_LINES;
      springs.dt = 0.01, springs.friction = 0.5, springs.tangential = 1e3;
      for (int l = 0; l < ELI_LINES; l++) {
        double normal[3], force[3], across[3];
        const double angle = random_between(&source, -1.0, 1.0) * (l % 3 ? 3.0 : 0.1);
        random_vector(&source, 1.0, normal);
        random_vector(&source, 1.0, force);
        const double size = norm(normal), along = dot(normal, force) / (size * size);
        for (int a = 0; a < 3; a++) force[a] -= along * normal[a], normal[a] /= size;
        cross(normal, force, across);
        for (int a = 0; a < 3; a++) {
          lines.direction[a][l] = springs.normal[a][l] = normal[a], springs.force[a][l] = force[a];
          lines.side[0].spin[a][l] = lines.side[1].spin[a][l] = angle / springs.dt * normal[a];
          expected[l][a] = cos(angle) * force[a] + sin(angle) * across[a];
        }
        lines.extent[l] = 0.1, lines.pressure[l] = 10.0, springs.stiffness[l] = 50.0;
      }
      kernels->lines->stick_slip(&lines, &springs);
      for (int l = 0; l < ELI_LINES; l++)
        for (int a = 0; a < 3; a++) {
          assert_close(springs.force[a][l], expected[l][a], 3e-15);
          assert_close(lines.force[0][0][a][l] + lines.force[0][1][a][l], expected[l][a], 3e-15);
          assert_true(springs.sticks[l] == 1.0);
        }
    }
  }
}
