/* Frames of contacts for ParaView: a vertex for each touching pair, with its force. */
#include "base/target.h"

#include "layered.h"
#include "vtk_reader.h"
#include "writing.h"

/* Two crossing rods on a floor; crossed 1: they overlap. */
static void add_crossed(elastica_world *world, int crossed) {
  for (int r = 0; r < 2; r++) {
    DEFAULTS(rod, def);
    def.element_count = 7, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
    def.direction[2] = 0.0, def.direction[r] = 1.0;
    def.start[r] = -0.5, def.start[2] = r * (crossed ? 0.039 : 0.05);
    must(world, elastica_world_add_rod(world, &def, NULL));
  }
}

TEST_WITH_FRAMES(points_are_those_that_the_effects_tell) {
  fixture *f = *state;
  elastica_effect *contact, *floor;
  elastica_contact_point point[64];
  int count, touching;
  const elastica_contact_def def = layer(1e5);
  add_crossed(f->world, 1);
  must(f->world, elastica_add_contact(f->world, NULL, &def, &contact));
  DEFAULTS(obstacle, ground);
  ground.kind = ELASTICA_OBSTACLE_ELASTIC;
  ground.position[2] = -0.0195, ground.modulus = 1e5;
  ground.damping_ratio = ground.tangential_damping_ratio = 0.0;
  must(f->world, elastica_add_obstacle(f->world, NULL, &ground, &floor));
  must(f->world, elastica_vtk_add_contacts(f->vtk, contact));
  must(f->world, elastica_vtk_add_contacts(f->vtk, floor));
  must(f->world, elastica_vtk_add_contacts(f->vtk, contact)); /* a second call changes nothing */
  must(f->world, elastica_vtk_frame(f->vtk));
  must(f->world, elastica_contact_get(contact, point, 64, &count));
  must(f->world, elastica_contact_get(floor, point + count, 64 - count, &touching));
  const int all = count + touching;
  assert_true(count > 0 && touching == 7);
  char *text = scratch_read(&f->folder, "run_contacts_000000.vtp");
  assert_well_formed(text);
  const char *piece = find_any_piece(text, 0);
  assert_int_equal(attribute(piece, "NumberOfPoints"), all);
  assert_int_equal(attribute(piece, "NumberOfVerts"), all);
  double *place = read_numbers(find_array(piece, "position"), all, 3), *force = read_numbers(find_array(piece, "force"), all, 3);
  double *layers = read_numbers(find_array(piece, "layer"), all, 3);
  double *effect = read_numbers(find_array(piece, "effect"), all, 1), *second = read_numbers(find_array(piece, "second_rod"), all, 1);
  for (int p = 0; p < all; p++) {
    for (int a = 0; a < 3; a++) {
      assert_close(place[3 * p + a], point[p].point[a], 0.0);
      assert_close(force[3 * p + a], point[p].force * point[p].normal[a], 1e-6 * point[p].force);
      assert_close(layers[3 * p + a], point[p].layer[a], 1e-6 * point[p].force);
    }
    assert_true(effect[3 * p] == (p < count ? 0.0 : 1.0));
    assert_true(second[3 * p] == (p < count ? 1.0 : -1.0));
  }
  free(place), free(force), free(layers), free(effect), free(second), free(text);
}

TEST_WITH_FRAMES(frames_have_them_from_the_next_on) {
  fixture *f = *state;
  elastica_effect *contact;
  const elastica_contact_def def = layer(1e5);
  add_crossed(f->world, 0);
  must(f->world, elastica_add_contact(f->world, NULL, &def, &contact));
  must(f->world, elastica_vtk_frame(f->vtk));
  must(f->world, elastica_vtk_add_contacts(f->vtk, contact));
  must(f->world, elastica_vtk_frame(f->vtk));
  must(f->world, elastica_effect_remove(contact));
  must(f->world, elastica_vtk_frame(f->vtk));
  assert_int_equal(scratch_file_count(&f->folder), 6);
  for (int k = 1; k < 3; k++) {
    char *text = scratch_read(&f->folder, k == 1 ? "run_contacts_000001.vtp" : "run_contacts_000002.vtp");
    assert_well_formed(text);
    assert_int_equal(attribute(find_any_piece(text, 0), "NumberOfPoints"), 0);
    free(text);
  }
  char *index = scratch_read(&f->folder, "run.pvd");
  assert_null(strstr(index, "run_contacts_000000.vtp"));
  assert_non_null(strstr(index, "part=\"1\" file=\"run_contacts_000001.vtp\""));
  free(index);
}

TEST_WITH_FRAMES(other_effects_and_other_worlds_are_refused) {
  fixture *f = *state;
  elastica_world *other = make_world(NULL);
  elastica_effect *contact, *gravity;
  const elastica_contact_def def = layer(1e5);
  const double down[3] = {0.0, 0.0, -9.81};
  add_crossed(other, 0);
  must(f->world, elastica_add_gravity(f->world, down, &gravity));
  must(other, elastica_add_contact(other, NULL, &def, &contact));
  assert_refused(f->world, elastica_vtk_add_contacts(f->vtk, gravity), ELASTICA_INVALID_ARGUMENT, "vtk_add_contacts", "effect 0",
                 "no contact");
  assert_refused(f->world, elastica_vtk_add_contacts(f->vtk, contact), ELASTICA_INVALID_ARGUMENT, "vtk_add_contacts", "another world");
  assert_refused(f->world, elastica_vtk_add_contacts(f->vtk, NULL), ELASTICA_INVALID_ARGUMENT, "vtk_add_contacts", "effect is NULL");
  assert_int_equal(elastica_vtk_add_contacts(NULL, contact), ELASTICA_INVALID_ARGUMENT);
  elastica_world_destroy(other);
}
