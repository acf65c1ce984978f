/* Frames for ParaView: one PolyData file (.vtp) per frame and an index (.pvd) of times and frames. vtk_frame.h describes the contents.
 *
 * Each file is written as a draft and renamed when it is complete. Readers therefore find either the old or the new file, and a frame that
 * fails changes no file.
 *
 * test       tests/test_vtk.c, tests/test_vtk_contacts.c, tests/test_vtk_surface.c
 */
#include "base/target.h"

#include <elastica.h>

#include <stdint.h>
#include <string.h>

#include "base/system.h"
#include "output/objects.h"
#include "output/text.h"
#include "output/vtk_frame.h"
#include "state/world.h"

/* The files of a frame; their parts in the index. */
typedef enum part { BODIES, CONTACTS, OBSTACLES, PARTS } part;

static const char *const part_names[PARTS] = {"", "_contacts", "_obstacles"};

typedef struct frame {
  double time;   /* [s] */
  int obstacles; /* number of the file of its large obstacles, that of this frame or of an earlier one; -1: there are none */
} frame;

struct elastica_vtk {
  elastica_world *world;
  eli_writer writer;      /* of the index */
  eli_facets_store store; /* triangles of obstacles */
  frame *frames;          /* in the index, and the next one */
  int frame_count;
  elastica_effect **effects; /* effects with contacts to write, in frames from contacts_from on */
  int effect_count, contacts_from;
  char *name;        /* last part of stem */
  char *index_path;  /* stem.pvd */
  char *index_draft; /* path of its draft */
  char *path[PARTS]; /* stem_NNNNNN.vtp of the next frame, stem_contacts_NNNNNN.vtp, stem_obstacles_NNNNNN.vtp */
  char *draft[PARTS];
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

static elastica_status write_part(eli_text_file *text, elastica_vtk *vtk, part which) {
  if (which == CONTACTS) return eli_vtk_write_contact_frame(text, vtk->world, vtk->effects, vtk->effect_count);
  return which == OBSTACLES ? eli_vtk_write_obstacle_frame(text, vtk->world, &vtk->store)
                            : eli_vtk_write_frame(text, vtk->world, &vtk->store);
}

/* Writes the draft of a part of the next frame. A failure leaves no draft. */
static elastica_status draft_part(elastica_vtk *vtk, part which) {
  eli_text_file text;
  char *draft = vtk->draft[which];
  int error = eli_text_draft(&text, draft, vtk->path[which]);
  if (error != 0) return refuse_directory(vtk, "vtk_frame", error);
  elastica_status status = write_part(&text, vtk, which);
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

static int has_part(const elastica_vtk *vtk, int number, part which) {
  if (which == OBSTACLES) return vtk->frames[number].obstacles >= 0;
  return which == BODIES || (vtk->effect_count > 0 && number >= vtk->contacts_from);
}

static void write_entry(eli_text_file *text, const elastica_vtk *vtk, int number) {
  char time[ELI_NUMBER_SIZE];
  eli_number_text(time, vtk->frames[number].time);
  for (int k = 0; k < PARTS; k++) {
    if (!has_part(vtk, number, (part)k)) continue;
    eli_text_print(text, "<DataSet timestep=\"%s\" group=\"\" part=\"%d\" file=\"", time, k);
    put_escaped(text, vtk->name);
    eli_text_print(text, "%s_%06d.vtp\"/>\n", part_names[k], k == OBSTACLES ? vtk->frames[number].obstacles : number);
  }
}

/* Writes the draft of the index of the first frame_count frames. A failure leaves no draft. */
static elastica_status draft_index(elastica_vtk *vtk, const char *function, int frame_count) {
  eli_text_file text;
  int error = eli_text_draft(&text, vtk->index_draft, vtk->index_path);
  if (error != 0) return refuse_directory(vtk, function, error);
  eli_text_print(&text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
  for (int k = 0; k < frame_count; k++) write_entry(&text, vtk, k);
  eli_text_print(&text, "</Collection>\n</VTKFile>\n");
  error = eli_text_close(&text);
  if (error == 0) return ELASTICA_OK;
  remove(vtk->index_draft);
  return eli_refuse_file(vtk->world, function, vtk->index_draft, error);
}

static elastica_vtk *allocate_vtk(elastica_world *world, const char *directory, const char *name) {
  const size_t room = strlen(directory) + strlen(name) + 32 + ELI_DRAFT_ROOM; /* 32: "_obstacles_", the number of the frame, and endings */
  elastica_vtk *vtk = eli_allocate(eli_world_allocator(world), 1, sizeof *vtk + (3 + 2 * PARTS) * room);
  if (vtk == NULL) return NULL;
  vtk->world = world;
  vtk->room = room;
  vtk->name = vtk->stem + strlen(directory) + 1;
  vtk->index_path = vtk->stem + room;
  vtk->index_draft = vtk->stem + 2 * room;
  for (int k = 0; k < PARTS; k++) {
    vtk->path[k] = vtk->stem + (size_t)(3 + 2 * k) * room;
    vtk->draft[k] = vtk->path[k] + room;
  }
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

/* Returns the ending of a name that belongs to files of another name, such as "_contacts"; NULL: it has none. Some systems do not
 * distinguish it from "_Contacts". */
static const char *find_part(const char *name) {
  for (int k = CONTACTS; k < PARTS; k++) {
    const size_t length = strlen(name), own = strlen(part_names[k]);
    size_t same = 0;
    while (same < own && same < length && (name[length - 1 - same] | 0x20) == (part_names[k][own - 1 - same] | 0x20)) same++;
    if (same == own) return part_names[k];
  }
  return NULL;
}

static int is_folder(const char *name) {
  return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
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
  const size_t strange = eli_find_not_utf8(name); /* the index is UTF-8 */
  if (strange != SIZE_MAX)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "vtk_open: name is not UTF-8: its byte %zu is 0x%02x", strange,
                                 (unsigned)(unsigned char)name[strange]);
  if (name[0] == '\0' || eli_file_name(name) != name || has_control_character(name) || has_ending(name) || is_folder(name))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "vtk_open: name is '%s'; it must be a file name without folder, ending and control characters",
                                 eli_shorten(name, label, sizeof label));
  if (find_part(name) != NULL)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "vtk_open: name is '%s'; without its ending %s it is a name whose files may have the same names",
                                 eli_shorten(name, label, sizeof label), find_part(name));
  if (strlen(name) > LONGEST_NAME)
    return elastica_world_refuse(
        world, ELASTICA_INVALID_ARGUMENT,
        "vtk_open: name has %zu bytes, more than the %d that leave room for a frame's number and ending in a file name", strlen(name),
        LONGEST_NAME);

  elastica_vtk *vtk = allocate_vtk(world, directory, name);
  if (vtk == NULL)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "vtk_open: no memory for '%s'", eli_shorten(name, label, sizeof label));
  /* Writes an empty index. An unusable folder is then reported before the run, and the index no longer lists frames of an earlier run. */
  elastica_status status = eli_writer_add(world, "vtk_open", &vtk->writer, vtk->index_path);
  if (status == ELASTICA_OK) status = draft_index(vtk, "vtk_open", 0);
  if (status == ELASTICA_OK) status = eli_publish(vtk->world, "vtk_open", vtk->index_draft, vtk->index_path, &vtk->writer);
  if (status == ELASTICA_OK) {
    *out = vtk;
  } else {
    eli_writer_remove(world, &vtk->writer);
    eli_release(eli_world_allocator(world), vtk);
  }
  return status;
}

/* Reserves memory for one more frame and sets the paths of its files. */
static elastica_status begin_frame(elastica_vtk *vtk) {
  char label[ELI_PATH_LABEL_SIZE];
  frame *frames = eli_grow(eli_world_allocator(vtk->world), vtk->frames, (size_t)vtk->frame_count, sizeof *frames);
  if (frames == NULL)
    return elastica_world_refuse(vtk->world, ELASTICA_OUT_OF_MEMORY, "vtk_frame: no memory for a frame of '%s'",
                                 eli_shorten(vtk->stem, label, sizeof label));
  vtk->frames = frames;
  frames[vtk->frame_count] = (frame){elastica_world_get(vtk->world).time, -1};
  for (int k = 0; k < PARTS; k++) snprintf(vtk->path[k], vtk->room, "%s%s_%06d.vtp", vtk->stem, part_names[k], vtk->frame_count);
  return ELASTICA_OK;
}

/* Returns 1 if two files can be read and have the same bytes. */
static int are_same(const char *first, const char *second) {
  FILE *one = fopen(first, "rb"), *other = fopen(second, "rb");
  int same = one != NULL && other != NULL;
  for (size_t count = 1; same && count > 0;) {
    char a[4096], b[sizeof a];
    count = fread(a, 1, sizeof a, one);
    same = fread(b, 1, sizeof b, other) == count && memcmp(a, b, count) == 0 && !ferror(one) && !ferror(other);
  }
  if (one != NULL) fclose(one);
  if (other != NULL) fclose(other);
  return same;
}

/* Writes the draft of the large obstacles, *drafted 1; *drafted 0: there are none, or they have not changed since the previous frame, and
 * its file serves this frame, too. */
static elastica_status draft_obstacles(elastica_vtk *vtk, int *drafted) {
  frame *next = &vtk->frames[vtk->frame_count];
  const int before = vtk->frame_count > 0 ? next[-1].obstacles : -1;
  int count;
  elastica_status status = eli_vtk_count_obstacles(vtk->world, &count);
  *drafted = 0;
  if (status != ELASTICA_OK || count == 0) return status;
  if (strlen(vtk->name) + strlen(part_names[OBSTACLES]) > LONGEST_NAME)
    return elastica_world_refuse(
        vtk->world, ELASTICA_INVALID_ARGUMENT,
        "vtk_frame: the name of the frames has %zu bytes, more than the %zu that leave room for files of obstacles", strlen(vtk->name),
        LONGEST_NAME - strlen(part_names[OBSTACLES]));
  status = draft_part(vtk, OBSTACLES);
  if (status != ELASTICA_OK) return status;
  next->obstacles = vtk->frame_count;
  *drafted = 1;
  if (before < 0) return ELASTICA_OK;
  snprintf(vtk->path[OBSTACLES], vtk->room, "%s%s_%06d.vtp", vtk->stem, part_names[OBSTACLES], before);
  if (are_same(vtk->draft[OBSTACLES], vtk->path[OBSTACLES])) {
    remove(vtk->draft[OBSTACLES]);
    next->obstacles = before;
    *drafted = 0;
  }
  snprintf(vtk->path[OBSTACLES], vtk->room, "%s%s_%06d.vtp", vtk->stem, part_names[OBSTACLES], vtk->frame_count);
  return ELASTICA_OK;
}

/* Writes the drafts of the next frame and of the index, or none of them. */
static elastica_status draft_all(elastica_vtk *vtk, int drafted[PARTS]) {
  elastica_status status = draft_obstacles(vtk, &drafted[OBSTACLES]);
  for (int k = BODIES; k <= CONTACTS && status == ELASTICA_OK; k++) {
    if (!has_part(vtk, vtk->frame_count, (part)k)) continue;
    status = draft_part(vtk, (part)k);
    drafted[k] = status == ELASTICA_OK;
  }
  return status == ELASTICA_OK ? draft_index(vtk, "vtk_frame", vtk->frame_count + 1) : status;
}

elastica_status elastica_vtk_frame(elastica_vtk *vtk) {
  if (vtk == NULL) return ELASTICA_INVALID_ARGUMENT;
  int drafted[PARTS] = {0}, has_index;
  elastica_status status = eli_world_check_open(vtk->world, "vtk_frame", 0);
  if (status == ELASTICA_OK) status = begin_frame(vtk);
  if (status != ELASTICA_OK) return status;
  status = draft_all(vtk, drafted);
  has_index = status == ELASTICA_OK;
  for (int k = 0; k < PARTS && status == ELASTICA_OK; k++)
    if (drafted[k]) status = eli_check_unused(vtk->world, "vtk_frame", vtk->path[k]);
  for (int k = PARTS - 1; k >= 0; k--) {
    if (!drafted[k]) continue;
    if (status == ELASTICA_OK)
      status = eli_publish(vtk->world, "vtk_frame", vtk->draft[k], vtk->path[k], NULL);
    else
      remove(vtk->draft[k]);
  }
  if (status == ELASTICA_OK)
    status = eli_publish(vtk->world, "vtk_frame", vtk->index_draft, vtk->index_path, &vtk->writer);
  else if (has_index)
    remove(vtk->index_draft);
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
  eli_writer_remove(vtk->world, &vtk->writer);
  eli_facets_store_free(&vtk->store, allocator);
  eli_release(allocator, vtk->frames);
  eli_release(allocator, (void *)vtk->effects);
  eli_release(allocator, vtk);
  return ELASTICA_OK;
}
