/* Claims about the distance of elements of one rod that follows from the bound of its bends. */
#include "base/target.h"

#include "support.h"

#include "contact/segment.h"
#include "effects/contact.h"

enum { MOST = 40, LANES = 5 };

/* The data that contact keeps of a rod, without a world. */
typedef struct alone {
  eli_contact contact;
  eli_contact_member member;
  double memory[LANES * (MOST + 1)], least_square[MOST];
} alone;

static void take_in(alone *of, elastica_rod *rod) {
  memset(of, 0, sizeof *of);
  double **const lanes[LANES] = {&of->member.bend, &of->member.turn, &of->member.way, &of->member.least_cosine, &of->member.arc};
  for (int k = 0; k < LANES; k++) *lanes[k] = of->memory + k * (MOST + 1);
  of->member.rod = elastica_rod_get_view(rod);
  of->contact.members = &of->member;
  of->contact.end_rod = 1;
  of->contact.law.self = 1;
  eli_contact_limit_bends(&of->member);
}

/* A chain of random elements with random turns: about this angle [rad] at each node, in a plane or in space; at one node a sharp turn. */
static elastica_rod *add_chain(elastica_world *world, random_source *source, int closed, double turning) {
  const int n = random_integer(source, 3, MOST);
  const double longest = random_between(source, 0.2, 4.0), flat = random_between(source, 0.0, 1.0) > 0.5 ? 0.0 : 1.0;
  const int sharp = random_integer(source, 0, 2 * n);
  double position[3 * (MOST + 1)] = {0.0}, director[9 * MOST] = {0.0}, velocity[3 * (MOST + 1)], angle = 0.0, rise = 0.0;
  for (int i = 0; i < n; i++) {
    const double length = 0.01 * longest * random_between(source, 0.5, 1.0);
    angle += turning * random_between(source, -0.2, 1.0) + (i == sharp ? 2.5 : 0.0);
    rise += flat * turning * random_between(source, -0.5, 0.5);
    const double edge[3] = {cos(rise) * cos(angle), cos(rise) * sin(angle), sin(rise)};
    for (int a = 0; a < 3; a++) position[3 * (i + 1) + a] = position[3 * i + a] + length * edge[a];
    director[9 * i] = director[9 * i + 4] = director[9 * i + 8] = 1.0;
  }
  for (int i = 0; i <= n; i++) random_vector(source, 0.1, velocity + 3 * i);
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = n, def.closed = closed, def.position = position, def.director = director, def.velocity = velocity;
  def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e-3;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static double distance(const elastica_rod_view *rod, int i, int j) {
  double end[4][3];
  eli_closest closest;
  for (int k = 0; k < 4; k++) {
    const int node = (k < 2 ? i : j) + k % 2, wrapped = rod->closed ? node % rod->element_count : node;
    for (int a = 0; a < 3; a++) end[k][a] = rod->position[a][wrapped];
  }
  eli_segment_closest(end[0], end[1], end[2], end[3], &closest);
  return closest.distance;
}

/* In a rod of gentle bends most pairs that are not neighbours are known to be apart by half a radius and more. */
TEST(no_pair_is_nearer_than_its_bends_tell) {
  random_source source = {11};
  long told = 0, wrong = 0, near_ones = 0;
  for (int trial = 0; trial < 3000; trial++) {
    elastica_world *world = make_world(NULL);
    alone of;
    const int closed = trial % 3 == 0;
    take_in(&of, add_chain(world, &source, closed, closed ? 0.4 : random_between(&source, 0.0, 0.6)));
    const elastica_rod_view *rod = of.member.rod;
    eli_contact_note_bends(&of.contact, random_between(&source, 0.5, 1.0), 0.0);
    for (int i = 0; i < rod->element_count; i++)
      for (int j = i + 2; j < rod->element_count; j++) {
        if (closed && i == 0 && j == rod->element_count - 1) continue;
        const double apart = distance(rod, i, j);
        near_ones += apart < 0.02;
        const double reaches[3] = {0.001, 0.5 * apart, apart * (1.0 + 1e-9)};
        for (int k = 0; k < 3; k++) {
          if (!eli_contact_bends_part(&of.member, i, j, 1.0, reaches[k])) continue;
          told++;
          wrong += !(apart >= reaches[k]);
        }
      }
    elastica_world_destroy(world);
  }
  assert_int_equal(wrong, 0);
  assert_true(told > 50000);
  assert_true(near_ones > 1000);
}

/* The angle of a turning joint is valid until the joint may have reached its limit. */
TEST(a_joint_that_turns_counts_until_it_is_at_its_limit) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  alone of;
  double velocity[3 * 11];
  DEFAULTS(rod, def);
  def.element_count = 10, def.length = 0.1, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e5;
  /* both halves turn about the middle by 2 rad/s each, and the whole rod turns by 50 rad/s about another axis */
  for (int i = 0; i <= 10; i++) set_vector(velocity, i, 0.01 * 2.0 * abs(i - 5), 0.01 * 50.0 * (i - 5), 0.0);
  def.velocity = velocity;
  must(world, elastica_world_add_rod(world, &def, &rod));
  take_in(&of, rod);
  const double limit = of.member.bend[5];
  assert_true(limit > 0.1 && of.member.bends);
  eli_contact_note_bends(&of.contact, 1.0, 0.0);
  assert_true(eli_contact_bends_part(&of.member, 3, 6, 1.0, 0.015));
  eli_contact_note_bends(&of.contact, 1.0, 0.99 * limit / 4.0);
  assert_true(eli_contact_bends_part(&of.member, 3, 6, 1.0, 0.015));
  eli_contact_note_bends(&of.contact, 1.0, 1.01 * limit / 4.0);
  assert_false(eli_contact_bends_part(&of.member, 3, 6, 1.0, 0.015));
  assert_true(eli_contact_bends_part(&of.member, 6, 9, 1.0, 0.015));
  elastica_world_destroy(world);
}
