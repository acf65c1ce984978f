/* A test fixture: a world with one straight rod of 5 elements, length 1 m, along z. */
#ifndef TESTS_ONE_ROD_H
#define TESTS_ONE_ROD_H

#include "support.h"

typedef struct fixture {
  elastica_world *world;
  elastica_rod *rod;
} fixture;

static inline int set_up(void **state) {
  static fixture f;
  f.world = make_world(NULL);
  f.rod = add_straight_rod(f.world, 5, 1.0, 0.02, 1000.0, 1e6, 4e5);
  *state = &f;
  return 0;
}

static inline int tear_down(void **state) {
  fixture *f = *state;
  elastica_world_destroy(f->world);
  return 0;
}

/* A claim that receives the fixture in state. */
#define TEST_WITH_ROD(claim) TEST_WITH(claim, set_up, tear_down)

#endif
