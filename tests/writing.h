/* A test fixture for writers: a world whose memory can run out, a folder for its files and, for frames, an open writer named "run". */
#ifndef TESTS_WRITING_H
#define TESTS_WRITING_H

#include "rationed_memory.h"
#include "scratch_folder.h"

typedef struct fixture {
  elastica_world *world;
  elastica_vtk *vtk; /* NULL without frames */
  scratch_folder folder;
  memory_ration memory;
} fixture;

static inline int set_up_folder(void **state) {
  static fixture f;
  f.memory = plenty();
  f.world = make_rationed_world(&f.memory);
  f.vtk = NULL;
  scratch_make(&f.folder);
  *state = &f;
  return 0;
}

static inline int set_up_frames(void **state) {
  set_up_folder(state);
  fixture *f = *state;
  must(f->world, elastica_vtk_open(f->world, f->folder.path, "run", &f->vtk));
  return 0;
}

static inline int tear_down(void **state) {
  fixture *f = *state;
  setlocale(LC_ALL, "C");
  must(f->world, elastica_vtk_close(f->vtk));
  elastica_world_destroy(f->world);
  scratch_remove(&f->folder);
  return 0;
}

/* Claims that find the fixture in state. */
#define TEST_IN_FOLDER(claim) TEST_WITH(claim, set_up_folder, tear_down)
#define TEST_WITH_FRAMES(claim) TEST_WITH(claim, set_up_frames, tear_down)

/* Writes the first frame and gives its text, to be freed. */
static inline char *frame_text(fixture *f) {
  must(f->world, elastica_vtk_frame(f->vtk));
  return scratch_read(&f->folder, "run_000000.vtp");
}

#endif
