/* A soft rod settles in a V-block, a part of 24 triangles, and hangs over its ends: an obstacle from a mesh. The state at rest is written to
 * rod_in_a_v_block.html in the given folder, or in the present one, for any browser.
 * formula  The block supports the weight of the rod. Its groove is rounded with the radius f: a straight rod on rigid faces is at
 *          sqrt(2) f - (f - r) above the bottom of the V. This one bends over both ends of the block, so its middle is a little higher. */
#include <elastica.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

/* The block, from y = -0.05 to 0.05 m: its profile in x and z, and the triangles of that profile. The bottom of the V is the origin. */
static const double profile[7][2] = {{-0.03, -0.02}, {0.03, -0.02}, {0.03, 0.02}, {0.02, 0.02}, {0, 0}, {-0.02, 0.02}, {-0.03, 0.02}};
static const int cut[5][3] = {{0, 4, 6}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {4, 5, 6}};

/* Points of the front and of the back; each triangle runs counterclockwise, seen from outside. */
static void make_block(double points[14][3], int triangles[24][3]) {
  int count = 0;
  for (int k = 0; k < 14; k++) points[k][0] = profile[k % 7][0], points[k][1] = k < 7 ? -0.05 : 0.05, points[k][2] = profile[k % 7][1];
  for (int k = 0; k < 7; k++) {
    const int next = (k + 1) % 7, side[2][3] = {{k, 7 + next, next}, {k, 7 + k, 7 + next}};
    for (int t = 0; t < 2; t++, count++)
      for (int a = 0; a < 3; a++) triangles[count][a] = side[t][a];
  }
  for (int t = 0; t < 5; t++, count += 2)
    for (int a = 0; a < 3; a++) triangles[count][a] = cut[t][a], triangles[count + 1][a] = 7 + cut[t][2 - a];
}

int main(int argc, char **argv) {
  const double gravity[3] = {0, 0, -9.81}; /* [m/s^2] */
  double points[14][3], force[3];          /* [m] [N] */
  int triangles[24][3];
  elastica_world *world = NULL;
  elastica_rod *rod = NULL;
  elastica_effect *contact = NULL;
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 40;
  def.start[0] = 0.002, def.start[1] = -0.1, def.start[2] = 0.01; /* [m] */
  def.direction[1] = 1, def.direction[2] = 0;
  def.length = 0.2, def.radius = 0.004;         /* [m] */
  def.density = 1100, def.youngs_modulus = 5e6; /* [kg/m^3] [Pa] */
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_add_gravity(world, gravity, NULL));

  make_block(points, triangles);
  elastica_obstacle_def block;
  elastica_obstacle_def_init(&block, sizeof block);
  block.kind = ELASTICA_OBSTACLE_ELASTIC, block.shape = ELASTICA_SHAPE_MESH;
  block.points = points[0], block.point_count = 14;
  block.triangles = triangles[0], block.triangle_count = 24;
  block.fillet = 0.005, block.modulus = 1e5, block.friction = 0.3; /* [m] [Pa] */
  must(world, elastica_add_obstacle(world, rod, &block, &contact));
  elastica_relax_result result;
  must(world, elastica_world_relax(world, NULL, &result));

  elastica_totals all; /* mass and centre of mass */
  elastica_view *page = NULL;
  char path[1024];
  snprintf(path, sizeof path, "%s/rod_in_a_v_block.html", argc > 1 ? argv[1] : ".");
  must(world, elastica_view_open(world, path, NULL, &page));
  must(world, elastica_view_frame(page));
  must(world, elastica_view_close(page));
  must(world, elastica_obstacle_get_force(contact, force, NULL));
  must(world, elastica_rod_get_totals(rod, &all));
  const double *z = elastica_rod_get_view(rod)->position[2];
  printf("force on the block: %.5f N; weight: %.5f N\n", -force[2], -gravity[2] * all.mass);
  printf("middle of the rod: z = %.5f m; on rigid faces: %.5f m\n", z[20], sqrt(2.0) * block.fillet - (block.fillet - def.radius));
  printf("its ends: z = %.5f m and %.5f m\n", z[0], z[40]);
  elastica_world_destroy(world);
  return 0;
}
