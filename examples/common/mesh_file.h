/* Triangles from a file: STL, text or binary, or OBJ. */
#ifndef EXAMPLES_MESH_FILE_H
#define EXAMPLES_MESH_FILE_H

#include <stddef.h>

/* For points, point_count, triangles and triangle_count of an obstacle of shape MESH. */
typedef struct mesh_file {
  double *points; /* [m] x, y, z of each */
  int *triangles; /* three indices of points each */
  int point_count, triangle_count;
  int collapsed; /* triangles left out because two of their points coincide */
} mesh_file;

/* Reads a file with the ending .stl or .obj, in any case; its lengths are multiplied by scale > 0 (0.001: the file has millimetres).
 * STL: equal points become one point; the solids of a text become one mesh. OBJ: faces of more than three points are cut into a fan from
 * the first one. Returns 1; or 0 and writes a sentence that names the file, and the line of a text, and leaves *out empty. */
int mesh_file_read(const char *path, double scale, mesh_file *out, char *error, size_t size);
void mesh_file_free(mesh_file *mesh);

#endif
