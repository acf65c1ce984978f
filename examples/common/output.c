#include "files.h"

#include "output.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 2, 3)))
#endif
static void
fail(const example_output *out, const char *format, ...) {
  va_list arguments;
  fprintf(stderr, "%s: ", out->program);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(3);
}

static void require(const example_output *out, const elastica_world *world, elastica_status status) {
  if (status != ELASTICA_OK) fail(out, "%s: %s", elastica_status_text(status), elastica_world_message(world));
}

static void *grow(const example_output *out, void *block, int count, size_t size) {
  void *grown = realloc(block, ((size_t)count + 1) * size);
  if (!grown) fail(out, "out of memory");
  return grown;
}

/* "folder/name", to be freed. */
static char *join(const example_output *out, const char *name) {
  const size_t size = strlen(out->folder) + strlen(name) + 2;
  char *path = malloc(size);
  if (!path) fail(out, "out of memory");
  snprintf(path, size, "%s/%s", out->folder, name);
  return path;
}

static void make_folder(const example_output *out) {
  char *path = join(out, "");
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    struct stat entry;
    *slash = '\0';
    if (create_folder(path) != 0) {
      const int error = errno;
      if (stat(path, &entry) == 0 && !S_ISDIR(entry.st_mode)) fail(out, "%s is not a folder", path);
      if (stat(path, &entry) != 0) fail(out, "%s: the folder cannot be made: %s", path, strerror(error));
    }
    *slash = '/';
  }
  free(path);
}

void output_open(example_output *out, const char *program, const char *folder) {
  *out = (example_output){.program = program, .folder = folder};
  if (!folder) return;
  make_folder(out);
  char picture[128];
  snprintf(picture, sizeof picture, "%s.png", program);
  output_discard(out, "plot.gp");
  output_discard(out, picture);
  snprintf(picture, sizeof picture, "%s.svg", program);
  output_discard(out, picture);
  if (elastica_world_create(NULL, &out->world) != ELASTICA_OK) fail(out, "out of memory");
}

int output_matches(const char *name, const char *pattern) {
  for (; *pattern; pattern++) {
    if (*pattern != '*') {
      if (*name++ != *pattern) return 0;
      continue;
    }
    char *end = NULL;
    if (*name == ' ' || isalpha((unsigned char)*name)) return 0; /* strtod would skip spaces and read inf and nan */
    strtod(name, &end);
    if (end == name) return 0;
    name = end[-1] == '.' ? end - 1 : end; /* of "3.csv" strtod reads "3." */
  }
  return *name == '\0';
}

/* 1 if name is STEM_NNNNNN.vtp, STEM_contacts_NNNNNN.vtp or STEM_obstacles_NNNNNN.vtp of the pattern STEM.pvd. */
static int is_frame(const char *name, const char *pattern) {
  static const char *const parts[] = {"_contacts_", "_obstacles_"};
  const size_t stem = strcspn(pattern, ".");
  const char *rest = name + stem;
  if (strcmp(pattern + stem, ".pvd") != 0 || strncmp(name, pattern, stem) != 0) return 0;
  for (int k = 0; k < 2; k++)
    if (strncmp(rest, parts[k], strlen(parts[k])) == 0) rest += strlen(parts[k]) - 1;
  return *rest == '_' && strspn(rest + 1, "0123456789") == 6 && strcmp(rest + 7, ".vtp") == 0;
}

void output_discard(const example_output *out, const char *pattern) {
  DIR *folder = out->folder ? opendir(out->folder) : NULL;
  if (out->folder && !folder) fail(out, "%s: %s", out->folder, strerror(errno));
  for (const struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder)) {
    if (!output_matches(entry->d_name, pattern) && !is_frame(entry->d_name, pattern)) continue;
    char *path = join(out, entry->d_name);
    if (unlink(path) != 0) fail(out, "%s cannot be replaced: %s", path, strerror(errno));
    free(path);
  }
  if (folder) closedir(folder);
}

elastica_csv *output_csv(example_output *out, const char *name, const char *columns) {
  if (!out->folder) return NULL;
  char *path = join(out, name);
  elastica_csv *csv = NULL;
  require(out, out->world, elastica_csv_open(out->world, path, columns, &csv));
  free(path);
  out->csv = grow(out, out->csv, out->csv_count, sizeof *out->csv);
  out->csv[out->csv_count++] = csv;
  return csv;
}

void output_row(example_output *out, elastica_csv *csv, int count, const double *values) {
  if (csv) require(out, out->world, elastica_csv_row(csv, values, count));
}

/* The frames of a world, added if it has none yet. */
static output_frames *frames_of(example_output *out, elastica_world *world) {
  for (int i = 0; i < out->frames_count; i++)
    if (out->frames[i].world == world) return &out->frames[i];
  out->frames = grow(out, out->frames, out->frames_count, sizeof *out->frames);
  out->frames[out->frames_count] = (output_frames){NULL, NULL, world};
  return &out->frames[out->frames_count++];
}

elastica_vtk *output_vtk_open(example_output *out, elastica_world *world, const char *name) {
  if (!out->folder) return NULL;
  output_frames *frames = frames_of(out, world);
  require(out, world, elastica_vtk_close(frames->vtk));
  require(out, world, elastica_vtk_open(world, out->folder, name, &frames->vtk));
  return frames->vtk;
}

/* Adds contacts between rods and with elastic obstacles, in files of their own. */
static void add_contacts(const example_output *out, elastica_world *world, elastica_vtk *vtk) {
  for (int k = 0; k < elastica_world_get(world).effect_count; k++) {
    elastica_effect *effect = elastica_world_effect(world, k);
    if (effect == NULL) continue;
    const char *name = elastica_effect_get(effect).name;
    int count;
    const int has_points =
        strcmp(name, "contact") == 0 || (strcmp(name, "obstacle") == 0 && elastica_contact_get(effect, NULL, 0, &count) == ELASTICA_OK);
    if (has_points) require(out, world, elastica_vtk_add_contacts(vtk, effect));
  }
}

void output_frame(example_output *out, elastica_world *world, elastica_vtk *vtk) {
  if (!vtk) return;
  add_contacts(out, world, vtk);
  require(out, world, elastica_vtk_frame(vtk));
  output_page_frame(out, world, frames_of(out, world)->page);
}

elastica_view *output_page_open(example_output *out, elastica_world *world, const elastica_view_def *def) {
  if (!out->folder || out->has_page) return NULL;
  char name[128];
  snprintf(name, sizeof name, "%s.html", out->program);
  char *path = join(out, name);
  output_frames *frames = frames_of(out, world);
  require(out, world, elastica_view_open(world, path, def, &frames->page));
  free(path);
  out->has_page = 1;
  return frames->page;
}

void output_page_frame(example_output *out, elastica_world *world, elastica_view *page) {
  if (page) require(out, world, elastica_view_frame(page));
}

void output_forget(example_output *out, elastica_world *world) {
  for (int i = 0; i < out->frames_count; i++) {
    if (out->frames[i].world != world) continue;
    require(out, world, elastica_vtk_close(out->frames[i].vtk));
    require(out, world, elastica_view_close(out->frames[i].page));
    out->frames[i--] = out->frames[--out->frames_count];
  }
}

void output_leave(const example_output *out) {
  for (int i = 0; i < out->frames_count; i++) elastica_view_close(out->frames[i].page);
}

/* The lines of a script; NULL if there is none of this name. */
static const char *const *find_script(const char *name) {
  for (const output_script *script = output_scripts; script->name; script++)
    if (strcmp(script->name, name) == 0) return script->lines;
  return NULL;
}

static void put_lines(FILE *file, const char *const *lines) {
  for (; lines && *lines; lines++) fputs(*lines, file);
}

void output_draw(const example_output *out, const output_figure *figure) {
  if (!out->folder) return;
  char *path = join(out, "plot.gp");
  FILE *file = fopen(path, "wb");
  if (!file) fail(out, "%s: %s", path, strerror(errno));
  fprintf(file,
          "# gnuplot plot.gp, in this folder, draws %s.png; gnuplot -e \"picture = '%s.svg'\" plot.gp an SVG\n"
          "if (!exists('picture')) picture = '%s.png'\nwidth = %d\nheight = %d\nmode = '%s'\nheading = \"%s\"\n",
          out->program, out->program, out->program, figure->width, figure->height, figure->mode, figure->heading);
  put_lines(file, find_script("preamble"));
  if (figure->definitions) fputs(figure->definitions, file);
  put_lines(file, find_script(figure->script));
  const int broken = ferror(file);
  if (fclose(file) != 0 || broken) fail(out, "%s: %s", path, strerror(errno));
  free(path);
}

void output_close(example_output *out) {
  for (int i = 0; i < out->csv_count; i++) require(out, out->world, elastica_csv_close(out->csv[i]));
  free(out->csv);
  free(out->frames);
  elastica_world_destroy(out->world);
  *out = (example_output){0};
}
