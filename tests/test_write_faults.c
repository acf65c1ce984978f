/* Each writer with each of its calls in a folder that is full, has vanished or is read-only: IO_ERROR and a sentence with the path; the
 * world and the files of before are unchanged and no draft is left. Afterwards the same call succeeds, and the files are those of a run
 * without a fault. A table keeps its error, as its header says. */
#include "base/target.h"

#include "restarts.h"
#include "scratch_folder.h"

#include <sys/stat.h>

enum { OPEN, FIRST, SECOND, THIRD, CLOSE, CALLS };

typedef enum fault { FULL, NEARLY_FULL, VANISHED, READ_ONLY, FAULTS } fault;
static const char *const fault_names[FAULTS] = {"full", "nearly full", "vanished", "read-only"};

typedef struct written {
  scratch_folder folder;
  elastica_world *world;
  elastica_effect *contact;
  elastica_csv *csv;
  elastica_vtk *vtk;
  elastica_view *view;
} written;

typedef struct writer {
  const char *name;
  elastica_status (*call)(written *w, int which);
  int keeps_error; /* 1: later calls repeat an error */
} writer;

static elastica_status write_table(written *w, int which) {
  const double row[2] = {(double)which, 0.1};
  elastica_csv *csv = w->csv;
  if (which == OPEN) return elastica_csv_open(w->world, scratch_path(&w->folder, "t.csv"), "a,b", &w->csv);
  if (which < CLOSE) return elastica_csv_row(csv, row, 2);
  w->csv = NULL;
  return elastica_csv_close(csv);
}

static elastica_status write_frames(written *w, int which) {
  elastica_vtk *vtk = w->vtk;
  if (which == OPEN) return elastica_vtk_open(w->world, w->folder.path, "run", &w->vtk);
  if (which < CLOSE) return elastica_vtk_frame(vtk);
  w->vtk = NULL;
  return elastica_vtk_close(vtk);
}

static elastica_status write_contacts(written *w, int which) {
  const elastica_status status = write_frames(w, which);
  if (which == OPEN && status == ELASTICA_OK) must(w->world, elastica_vtk_add_contacts(w->vtk, w->contact));
  return status;
}

static elastica_status write_page(written *w, int which) {
  elastica_view *view = w->view;
  if (which == OPEN) return elastica_view_open(w->world, scratch_path(&w->folder, "v.html"), NULL, &w->view);
  if (which < CLOSE) return elastica_view_frame(view);
  w->view = NULL;
  return elastica_view_close(view);
}

static elastica_status write_state(written *w, int which) {
  return which == CLOSE ? ELASTICA_OK : elastica_world_snapshot_save_file(w->world, scratch_path(&w->folder, "state"));
}

static const writer writers[] = {
    {"csv", write_table, 1},
    {"vtk", write_frames, 0},
    {"vtk with contacts", write_contacts, 0},
    {"view", write_page, 0},
    {"snapshot_save_file", write_state, 0},
};

static void begin(written *w) {
  memset(w, 0, sizeof *w);
  scratch_make(&w->folder);
  w->world = make_world(NULL);
  fill_hairpin(w->world);
  w->contact = elastica_world_effect(w->world, 0);
  DEFAULTS(obstacle, ground);
  ground.kind = ELASTICA_OBSTACLE_ELASTIC, ground.modulus = 1e4, ground.shape = ELASTICA_SHAPE_MESH, ground.position[2] = -1.0;
  const double points[9] = {-1.0, -1.0, 0.0, 1.0, -1.0, 0.0, 0.0, 1.0, 0.0};
  const int triangle[3] = {0, 1, 2};
  ground.points = points, ground.point_count = 3, ground.triangles = triangle, ground.triangle_count = 1;
  ground.side = ELASTICA_SIDE_BOTH, ground.fillet = 0.05;
  must(w->world, elastica_add_obstacle(w->world, NULL, &ground, NULL));
}

static uint64_t hash_file(uint64_t hash, scratch_folder *folder, const char *name) {
  char *text = scratch_read(folder, name);
  for (const char *c = text; *c != '\0'; c++) hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
  free(text);
  return hash;
}

/* The files of the folder, by name; those that one call adds come later. */
typedef struct listing {
  char names[32][64];
  uint64_t hashes[32];
  int count;
} listing;

static listing list_files(scratch_folder *folder) {
  listing files = {.count = 0};
  struct dirent **entries;
  const int count = scandir(folder->path, &entries, NULL, alphasort);
  assert_true(count >= 0);
  for (int k = 0; k < count; k++) {
    if (entries[k]->d_name[0] != '.') {
      assert_true(files.count < 32 && strlen(entries[k]->d_name) < 64);
      strcpy(files.names[files.count], entries[k]->d_name);
      files.hashes[files.count++] = hash_file(hash_start(), folder, entries[k]->d_name);
    }
    free(entries[k]);
  }
  free(entries);
  return files;
}

static uint64_t finish(written *w) {
  const listing files = list_files(&w->folder);
  uint64_t hash = hash_start();
  for (int k = 0; k < files.count; k++) {
    assert_null(strstr(files.names[k], ".tmp"));
    hash = (hash ^ files.hashes[k]) * UINT64_C(0x100000001b3);
  }
  elastica_world_destroy(w->world);
  scratch_remove(&w->folder);
  return hash;
}

/* Before each frame the world moves on. */
static elastica_status call(const writer *of, written *w, int which) {
  if (which > FIRST && which < CLOSE) must(w->world, elastica_world_step(w->world, 0x1p-14, 8));
  return of->call(w, which);
}

static char *aside(const written *w) {
  static char path[300];
  snprintf(path, sizeof path, "%s.aside", w->folder.path);
  return path;
}

/* Makes the fault, or ends it. A superuser may write anywhere and becomes another user meanwhile. */
static void make_fault(const written *w, fault kind, int on) {
  if (kind == FULL || kind == NEARLY_FULL) scratch_limit(on ? kind == FULL ? 0 : 700 : RLIM_INFINITY);
  if (kind == VANISHED) assert_int_equal(on ? rename(w->folder.path, aside(w)) : rename(aside(w), w->folder.path), 0);
  if (kind == READ_ONLY && on) assert_int_equal(chmod(w->folder.path, 0555), 0);
  if (kind == READ_ONLY && getuid() == 0) assert_int_equal(seteuid(on ? 65534 : 0), 0);
  if (kind == READ_ONLY && !on) assert_int_equal(chmod(w->folder.path, 0700), 0);
}

/* Returns 1 if the fault was met. */
static int claim_fault(const writer *of, int at, fault kind, uint64_t expected) {
  written w;
  char label[100];
  snprintf(label, sizeof label, "%s, call %d, %s", of->name, at, fault_names[kind]);
  begin(&w);
  for (int k = 0; k < at; k++) must(w.world, call(of, &w, k));
  if (at > FIRST && at < CLOSE) must(w.world, elastica_world_step(w.world, 0x1p-14, 8));
  const uint64_t state = hash_world(w.world);
  const listing before = list_files(&w.folder);
  make_fault(&w, kind, 1);
  const elastica_status status = of->call(&w, at);
  make_fault(&w, kind, 0);
  if (status != ELASTICA_OK) {
    if (status != ELASTICA_IO_ERROR) fail_msg("%s: %s: %s", label, elastica_status_text(status), elastica_world_message(w.world));
    if (strstr(elastica_world_message(w.world), w.folder.path) == NULL) fail_msg("%s: %s", label, elastica_world_message(w.world));
    const listing after = list_files(&w.folder);
    for (int k = 0; k < after.count; k++) {
      if (strstr(after.names[k], ".tmp") != NULL) fail_msg("%s: %s is left", label, after.names[k]);
      for (int b = 0; b < before.count && !of->keeps_error; b++)
        if (strcmp(before.names[b], after.names[k]) == 0 && before.hashes[b] != after.hashes[k])
          fail_msg("%s: %s has changed", label, after.names[k]);
    }
    if (!of->keeps_error && at < CLOSE && after.count < before.count) fail_msg("%s: a file is missing", label);
    if (hash_world(w.world) != state) fail_msg("%s: the state has changed", label);
    if (at != CLOSE && (!of->keeps_error || at == OPEN)) must(w.world, of->call(&w, at));
  }
  const int keeps = status != ELASTICA_OK && of->keeps_error && at != OPEN;
  for (int k = at + 1; k < CALLS; k++) assert_status(w.world, call(of, &w, k), keeps ? ELASTICA_IO_ERROR : ELASTICA_OK);
  const uint64_t hash = finish(&w);
  if (hash != expected && !keeps && !(at == CLOSE && status != ELASTICA_OK)) fail_msg("%s: other files", label);
  return status != ELASTICA_OK;
}

TEST(a_writer_without_room_or_folder_changes_nothing) {
  for (size_t k = 0; k < sizeof writers / sizeof *writers; k++) {
    written w;
    begin(&w);
    for (int which = 0; which < CALLS; which++) must(w.world, call(&writers[k], &w, which));
    const uint64_t expected = finish(&w);
    for (int kind = 0; kind < FAULTS; kind++) {
      int met = 0;
      for (int at = 0; at < CALLS; at++) met += claim_fault(&writers[k], at, (fault)kind, expected);
      if (getenv("PRINT_FAULTS") != NULL)
        fprintf(stderr, "%-20s %-12s met by %d of %d calls\n", writers[k].name, fault_names[kind], met, CALLS);
      if (met == 0 && kind != NEARLY_FULL) fail_msg("%s: no call meets the fault \"%s\"", writers[k].name, fault_names[kind]);
    }
  }
}

/* A device that is always full: tables go to it, and the others replace no device. */
TEST(a_full_device_is_an_error) {
  elastica_csv *csv = NULL;
  elastica_view *view = NULL;
  if (access("/dev/full", W_OK) != 0) skip();
  elastica_world *world = make_world(NULL);
  assert_refused(world, elastica_csv_open(world, "/dev/full", "a", &csv), ELASTICA_IO_ERROR, "/dev/full", "csv_open");
  assert_null(csv);
  assert_refused(world, elastica_world_snapshot_save_file(world, "/dev/full"), ELASTICA_IO_ERROR, "/dev/full", "snapshot_save_file");
  assert_refused(world, elastica_view_open(world, "/dev/full", NULL, &view), ELASTICA_IO_ERROR, "/dev/full", "view_open");
  assert_null(view);
  assert_int_equal(access("/dev/full", W_OK), 0);
  elastica_world_destroy(world);
}
