/* The command line of bench (see options.h). */
#include "options.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char HELP[] =
    "bench [options] [scene ...]   the cost of a step; all scenes if none is named\n"
    "  --isa NAME     instruction set: base, fma, avx2, avx512; auto (default) is the widest that there is\n"
    "  --workers N    threads, 1 to 4096; default 1\n"
    "  --clock        time of the clock with one worker, too, to compare it with several\n"
    "  --snapshots    also the cost of saving and restoring a state\n"
    "  --statics      also the cost of an equilibrium, of its modes, and of implicit steps; with --steps N and no scene only the first\n"
    "                 two, N times\n"
    "  --relax        with --steps N: N equilibria, and nothing else unless scenes are named\n"
    "  --implicit     with --steps N: N implicit steps, likewise\n"
    "  --rods N       with --implicit: N alike rods\n"
    "  --csv FILE     writes a table, for roofline.gp\n"
    "  --size N       this number of elements instead of the sizes of each scene\n"
    "  --quick        short runs of at most 10,000 elements: for a quick view, not for comparison\n"
    "  --steps N      takes N steps of each size and measures nothing: for tools that count\n"
    "scenes:";

static const struct {
  const char *name;
  elastica_instruction_set set;
} SETS[] = {/* in descending order of width */
            {"avx512", ELASTICA_INSTRUCTION_SET_AVX512},
            {"avx2", ELASTICA_INSTRUCTION_SET_AVX2},
            {"fma", ELASTICA_INSTRUCTION_SET_FMA},
            {"base", ELASTICA_INSTRUCTION_SET_BASE}};
enum { SET_COUNT = sizeof SETS / sizeof SETS[0] };

static void refuse(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("bench: ", stderr);
  vfprintf(stderr, format, arguments);
  fputs("; --help lists the options\n", stderr);
  va_end(arguments);
  exit(2);
}

static int has(elastica_instruction_set set) {
  elastica_world_def def;
  elastica_world *world = NULL;
  elastica_world_def_init(&def, sizeof def);
  def.instruction_set = set;
  const elastica_status status = elastica_world_create(&def, &world);
  elastica_world_destroy(world);
  return status == ELASTICA_OK;
}

static void choose_set(options *o, const char *name) {
  const int any = strcmp(name, "auto") == 0;
  int known = any;
  for (int k = 0; k < SET_COUNT; k++) {
    if (!any && strcmp(name, SETS[k].name) != 0) continue;
    known = 1;
    if (!has(SETS[k].set)) continue;
    o->set = SETS[k].set, o->set_name = SETS[k].name;
    return;
  }
  refuse(known ? "this processor, or this build, lacks the instruction set '%s'" : "there is no instruction set '%s'", name);
}

static long number(const char *option, const char *word, long most) {
  char *end = NULL;
  const long value = strtol(word, &end, 10);
  if (end == word || *end != '\0' || value < 1 || value > most)
    refuse("%s needs a whole number from 1 to %ld, not '%s'", option, most, word);
  return value;
}

static void choose_scene(options *o, const char *name) {
  for (int s = 0; s < bench_scene_count; s++)
    if (strcmp(name, bench_scenes[s].name) == 0) {
      o->chosen[s] = 1;
      return;
    }
  refuse("there is no %s '%s'", name[0] == '-' ? "option" : "scene", name);
}

static void help(void) {
  fputs(HELP, stdout);
  for (int s = 0; s < bench_scene_count; s++) printf(" %s", bench_scenes[s].name);
  puts("");
  exit(0);
}

/* Reads an option with a value; returns 0 for any other word. */
static int read_value(options *o, const char *word, const char *value) {
  const char *const names[] = {"--isa", "--workers", "--csv", "--size", "--steps", "--rods"};
  enum { COUNT = sizeof names / sizeof names[0] };
  int k = 0;
  while (k < COUNT && strcmp(word, names[k]) != 0) k++;
  if (k == COUNT) return 0;
  if (value == NULL || strncmp(value, "--", 2) == 0) refuse("%s needs a value", word); /* the next option is not a value */
  if (k == 0) choose_set(o, value);
  if (k == 1) o->workers = (int)number(word, value, 4096);
  if (k == 2) {
    if (o->csv != NULL) refuse("--csv stands twice");
    o->csv = fopen(value, "w");
    if (o->csv == NULL) refuse("--csv: '%s' cannot be written", value);
  }
  if (k == 3) o->size = (int)number(word, value, 100000000);
  if (k == 4) o->steps = number(word, value, LONG_MAX);
  if (k == 5) o->rods = (int)number(word, value, 1000000);
  return 1;
}

void read_options(options *o, int argc, char **argv) {
  int named = 0;
  memset(o, 0, sizeof *o);
  o->workers = o->rods = 1;
  choose_set(o, "auto");
  for (int a = 1; a < argc; a++) {
    if (strcmp(argv[a], "--help") == 0)
      help();
    else if (strcmp(argv[a], "--quick") == 0)
      o->quick = 1;
    else if (strcmp(argv[a], "--clock") == 0)
      o->clock = 1;
    else if (strcmp(argv[a], "--snapshots") == 0)
      o->snapshots = 1;
    else if (strcmp(argv[a], "--statics") == 0)
      o->statics = 1;
    else if (strcmp(argv[a], "--relax") == 0)
      o->relax = 1;
    else if (strcmp(argv[a], "--implicit") == 0)
      o->implicit = 1;
    else if (read_value(o, argv[a], argv[a + 1]))
      a++;
    else
      choose_scene(o, argv[a]), named = 1;
  }
  if ((o->relax || o->implicit) && o->steps == 0) refuse("--relax and --implicit need --steps");
  if (o->csv != NULL && o->steps > 0) refuse("with --steps nothing is measured that --csv could write");
  for (int s = 0; s < bench_scene_count; s++) {
    const bench_scene *scene = &bench_scenes[s];
    if (!named) o->chosen[s] = !((o->statics || o->relax || o->implicit) && o->steps > 0);
    if (o->chosen[s] && o->size % scene->unit != 0) refuse("%s needs a multiple of %d elements, not %d", scene->name, scene->unit, o->size);
  }
}
