/* Fuzz target: bytes -> a file of triangles, read as OBJ, as STL or scaled; the result is whole or empty with a sentence, and an
 * obstacle of it is added or refused. The first byte selects the format. */
#include "base/target.h"

#include "fuzz.h"

#include "common/mesh_file.h"

#include <unistd.h>

static void claim_mesh(const mesh_file *mesh) {
  CLAIM(mesh->point_count >= 0 && mesh->triangle_count >= 0 && mesh->collapsed >= 0, "a count is negative");
  for (int k = 0; k < 3 * mesh->triangle_count; k++)
    CLAIM(mesh->triangles[k] >= 0 && mesh->triangles[k] < mesh->point_count, "triangle %d has point %d of %d", k / 3, mesh->triangles[k],
          mesh->point_count);
}

static void add_obstacle(const mesh_file *mesh) {
  elastica_world *world;
  elastica_obstacle_def def;
  if (mesh->triangle_count > 200) return;
  CLAIM(elastica_world_create(NULL, &world) == ELASTICA_OK, "no world");
  elastica_obstacle_def_init(&def, sizeof def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC, def.shape = ELASTICA_SHAPE_MESH, def.modulus = 1e5, def.fillet = 0.01;
  def.points = mesh->points, def.point_count = mesh->point_count;
  def.triangles = mesh->triangles, def.triangle_count = mesh->triangle_count;
  for (int side = 0; side < 3; side++) {
    def.side = (elastica_side)side;
    const elastica_status status = elastica_add_obstacle(world, NULL, &def, NULL);
    CLAIM(status == ELASTICA_OK || status == ELASTICA_INVALID_ARGUMENT || status == ELASTICA_OUT_OF_MEMORY, "%s: %s",
          elastica_status_text(status), elastica_world_message(world));
  }
  elastica_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char path[2][80];
  const char *folder = getenv("TMPDIR");
  mesh_file mesh;
  char error[200] = "";
  byte_source source = {data, size};
  const int stl = next_below(&source, 2);
  snprintf(path[stl], sizeof path[stl], "%.50s/fuzz_%ld.%s", folder != NULL ? folder : "/tmp", (long)getpid(), stl ? "stl" : "obj");
  FILE *file = fopen(path[stl], "wb");
  CLAIM(file != NULL && fwrite(source.at, 1, source.left, file) == source.left && fclose(file) == 0, "%s cannot be written", path[stl]);
  if (mesh_file_read(path[stl], 1.0, &mesh, error, sizeof error)) {
    claim_mesh(&mesh);
    add_obstacle(&mesh);
  } else {
    CLAIM(error[0] != '\0' && mesh.points == NULL && mesh.triangles == NULL && mesh.triangle_count == 0, "refused: \"%s\"", error);
  }
  mesh_file_free(&mesh);
  remove(path[stl]);
  return 0;
}
