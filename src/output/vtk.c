/* Frames for ParaView: one PolyData file (.vtp) per frame and an index (.pvd) of times and frames. vtk_frame.h describes the contents.
 *
 * Each file is written as a draft and renamed when it is complete. Readers therefore find either the old or the new file, and a frame that
 * fails changes no file.
 *
 * test       tests/test_vtk.c, tests/test_vtk_contacts.c, tests/test_vtk_surface.c
 */
#include "base/target.h"

#include <elastica.h>

#include <string.h>

#include "output/objects.h"
#include "output/text.h"
#include "output/vtk_frame.h"
#include "state/world.h"

struct elastica_vtk {
  elastica_world *world;
  double *times; /* times of the frames in the index [s] */
  int frame_count;
  elastica_effect **effects; /* effects with contacts to write, in frames from contacts_from on */
  int effect_count, contacts_from;
  char *name;        /* last part of stem */
  char *index_path;  /* stem.pvd */
  char *index_draft; /* path of its draft */
  char *frame_path;  /* stem_NNNNNN.vtp of the next frame */
  char *frame_draft;
  char *contact_path; /* stem_contacts_NNNNNN.vtp */
  char *contact_draft;
  size_t room; /* size of each path */
  char stem[]; /* directory/name; the paths above follow it in the same block of memory */
};

/* A draft could not be created: names the directory, because the name of the draft is not the user's. */
static elastica_status refuse_directory(elastica_vtk *vtk, const char *function, int error) {
  char *const end = vtk->name - 1;
  *end = '\0';
  const elastica_status status = eli_refuse_file(vtk->world, function, vtk->stem, error);
  *end = '/';
  return status;
}

/* Writes the draft of the next frame of rods, or of contacts. A failure leaves no draft. */
static elastica_status draft_frame(elastica_vtk *vtk, int contacts) {
  eli_text_file text;
  char *draft = contacts ? vtk->contact_draft : vtk->frame_draft;
  int error = eli_text_draft(&text, draft, contacts ? vtk->contact_path : vtk->frame_path);
  if (error != 0) return refuse_directory(vtk, "vtk_frame", error);
  elastica_status status =
      contacts ? eli_vtk_write_contact_frame(&text, vtk->world, vtk->effects, vtk->effect_count) : eli_vtk_write_frame(&text, vtk->world);
  error = eli_text_close(&text);
  if (status == ELASTICA_OK && error != 0) status = eli_refuse_file(vtk->world, "vtk_frame", draft, error);
  if (status != ELASTICA_OK) remove(draft);
  return status;
}

static void put_escaped(eli_text_file *text, const char *name) {
  for (const char *c = name; *c != '\0'; c++) {
    if (strchr("&<>\"", *c) != NULL)
      eli_text_print(text, "&#%d;", *c);
    else
      eli_text_put(text, c, 1);
  }
}

static int has_contacts(const elastica_vtk *vtk, int frame) {
  return vtk->effect_count > 0 && frame >= vtk->contacts_from;
}

static void write_entry(eli_text_file *text, const elastica_vtk *vtk, int frame) {
  char time[ELI_NUMBER_SIZE];
  eli_number_text(time, vtk->times[frame]);
  for (int part = 0; part < 1 + has_contacts(vtk, frame); part++) {
    eli_text_print(text, "<DataSet timestep=\"%s\" group=\"\" part=\"%d\" file=\"", time, part);
    put_escaped(text, vtk->name);
    eli_text_print(text, "%s_%06d.vtp\"/>\n", part ? "_contacts" : "", frame);
  }
}

/* Writes the draft of the index of the first frame_count frames. A failure leaves no draft. */
static elastica_status draft_index(elastica_vtk *vtk, const char *function, int frame_count) {
  eli_text_file text;
  int error = eli_text_draft(&text, vtk->index_draft, vtk->index_path);
  if (error != 0) return refuse_directory(vtk, function, error);
  eli_text_print(&text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
  for (int frame = 0; frame < frame_count; frame++) write_entry(&text, vtk, frame);
  eli_text_print(&text, "</Collection>\n</VTKFile>\n");
  error = eli_text_close(&text);
  if (error == 0) return ELASTICA_OK;
  remove(vtk->index_draft);
  return eli_refuse_file(vtk->world, function, vtk->index_draft, error);
}

static elastica_vtk *allocate_vtk(elastica_world *world, const char *directory, const char *name) {
  const size_t room = strlen(directory) + strlen(name) + 32 + ELI_DRAFT_ROOM; /* 32: "_contacts_", the number of the frame, and endings */
  elastica_vtk *vtk = eli_allocate(eli_world_allocator(world), 1, sizeof *vtk + 7 * room);
  if (vtk == NULL) return NULL;
  vtk->world = world;
  vtk->room = room;
  vtk->name = vtk->stem + strlen(directory) + 1;
  vtk->index_path = vtk->stem + room;
  vtk->index_draft = vtk->stem + 2 * room;
  vtk->frame_path = vtk->stem + 3 * room;
  vtk->frame_draft = vtk->stem + 4 * room;
  vtk->contact_path = vtk->stem + 5 * room;
  vtk->contact_draft = vtk->stem + 6 * room;
  snprintf(vtk->stem, room, "%s/%s", directory, name);
  snprintf(vtk->index_path, room, "%s.pvd", vtk->stem);
  return vtk;
}

/* XML cannot contain control characters, not even escaped. */
static int has_control_character(const char *name) {
  for (const unsigned char *c = (const unsigned char *)name; *c != '\0'; c++)
    if (*c < 0x20 || *c == 0x7f) return 1;
  return 0;
}

static int has_ending(const char *name) {
  const size_t length = strlen(name);
  return length >= 4 && (strcmp(name + length - 4, ".vtp") == 0 || strcmp(name + length - 4, ".pvd") == 0);
}

/* Longest name that leaves room for "_", the number of the frame and ".vtp". Drafts shorten it if necessary. */
enum { LONGEST_FILE_NAME = 255, LONGEST_NAME = LONGEST_FILE_NAME - (1 + 10 + 4) };

elastica_status elastica_vtk_open(elastica_world *world, const char *directory, const char *name, elastica_vtk **out) {
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "vtk_open: out is NULL");
  if (directory == NULL || name == NULL)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "vtk_open: %s is NULL", directory == NULL ? "directory" : "name");
  if (directory[0] == '\0')
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "vtk_open: directory is empty; \".\" is the current one");
  char label[ELI_PATH_LABEL_SIZE];
  if (name[0] == '\0' || strchr(name, '/') != NULL || has_control_character(name) || has_ending(name))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "vtk_open: name is '%s'; it must be a file name without folder, ending and control characters",
                                 eli_shorten(name, label, sizeof label));
  if (strlen(name) > LONGEST_NAME)
    return elastica_world_refuse(
        world, ELASTICA_INVALID_ARGUMENT,
        "vtk_open: name has %zu bytes, more than the %d that leave room for a frame's number and ending in a file name", strlen(name),
        LONGEST_NAME);

  elastica_vtk *vtk = allocate_vtk(world, directory, name);
  if (vtk == NULL)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "vtk_open: no memory for '%s'", eli_shorten(name, label, sizeof label));
  /* Writes an empty index. An unusable folder is then reported before the run, and the index no longer lists frames of an earlier run. */
  elastica_status status = draft_index(vtk, "vtk_open", 0);
  if (status == ELASTICA_OK) status = eli_publish(vtk->world, "vtk_open", vtk->index_draft, vtk->index_path);
  if (status == ELASTICA_OK)
    *out = vtk;
  else
    eli_release(eli_world_allocator(world), vtk);
  return status;
}

/* Reserves memory for one more time and sets the paths of the next frame. */
static elastica_status begin_frame(elastica_vtk *vtk) {
  char label[ELI_PATH_LABEL_SIZE];
  double *times = eli_grow(eli_world_allocator(vtk->world), vtk->times, (size_t)vtk->frame_count, sizeof *times);
  if (times == NULL)
    return elastica_world_refuse(vtk->world, ELASTICA_OUT_OF_MEMORY, "vtk_frame: no memory for a frame of '%s'",
                                 eli_shorten(vtk->stem, label, sizeof label));
  vtk->times = times;
  times[vtk->frame_count] = elastica_world_get(vtk->world).time;
  snprintf(vtk->frame_path, vtk->room, "%s_%06d.vtp", vtk->stem, vtk->frame_count);
  snprintf(vtk->contact_path, vtk->room, "%s_contacts_%06d.vtp", vtk->stem, vtk->frame_count);
  return ELASTICA_OK;
}

/* Writes the drafts of the next frame and of the index, or none of them. */
static elastica_status draft_all(elastica_vtk *vtk) {
  const int contacts = has_contacts(vtk, vtk->frame_count);
  elastica_status status = draft_frame(vtk, 0);
  if (status != ELASTICA_OK) return status;
  if (contacts) status = draft_frame(vtk, 1);
  if (status == ELASTICA_OK) {
    status = draft_index(vtk, "vtk_frame", vtk->frame_count + 1);
    if (status != ELASTICA_OK && contacts) remove(vtk->contact_draft);
  }
  if (status != ELASTICA_OK) remove(vtk->frame_draft);
  return status;
}

elastica_status elastica_vtk_frame(elastica_vtk *vtk) {
  if (vtk == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(vtk->world, "vtk_frame", 0);
  if (status == ELASTICA_OK) status = begin_frame(vtk);
  if (status == ELASTICA_OK) status = draft_all(vtk);
  if (status != ELASTICA_OK) return status;
  if (has_contacts(vtk, vtk->frame_count)) status = eli_publish(vtk->world, "vtk_frame", vtk->contact_draft, vtk->contact_path);
  if (status == ELASTICA_OK)
    status = eli_publish(vtk->world, "vtk_frame", vtk->frame_draft, vtk->frame_path);
  else
    remove(vtk->frame_draft);
  if (status != ELASTICA_OK) {
    remove(vtk->index_draft);
    return status;
  }
  status = eli_publish(vtk->world, "vtk_frame", vtk->index_draft, vtk->index_path);
  if (status == ELASTICA_OK) vtk->frame_count++;
  return status;
}

elastica_status elastica_vtk_add_contacts(elastica_vtk *vtk, elastica_effect *effect) {
  if (vtk == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_world *world = vtk->world;
  elastica_status status = effect != NULL ? eli_effect_check(effect, "vtk_add_contacts") : ELASTICA_OK;
  if (status == ELASTICA_OK) status = eli_world_check_open(world, "vtk_add_contacts", 0);
  if (status != ELASTICA_OK) return status;
  if (effect == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "vtk_add_contacts: effect is NULL");
  if (effect->world != world || !eli_has_contacts(effect))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 effect->world != world ? "vtk_add_contacts: effect belongs to another world"
                                                        : "vtk_add_contacts: effect %d is no contact and no obstacle",
                                 effect->index);
  if (strlen(vtk->name) + strlen("_contacts") > LONGEST_NAME)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "vtk_add_contacts: the name of the frames has %zu bytes, more than %zu",
                                 strlen(vtk->name), LONGEST_NAME - strlen("_contacts"));
  for (int k = 0; k < vtk->effect_count; k++)
    if (vtk->effects[k] == effect) return ELASTICA_OK; /* a second entry would be counted twice in sums over the vertices */
  elastica_effect **effects = eli_grow(eli_world_allocator(world), vtk->effects, (size_t)vtk->effect_count, sizeof *effects);
  if (effects == NULL) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "vtk_add_contacts: no memory");
  vtk->effects = effects;
  if (vtk->effect_count == 0) vtk->contacts_from = vtk->frame_count;
  effects[vtk->effect_count++] = effect;
  return ELASTICA_OK;
}

elastica_status elastica_vtk_close(elastica_vtk *vtk) {
  if (vtk == NULL) return ELASTICA_OK;
  const eli_allocator *allocator = eli_world_allocator(vtk->world);
  eli_release(allocator, vtk->times);
  eli_release(allocator, (void *)vtk->effects);
  eli_release(allocator, vtk);
  return ELASTICA_OK;
}
