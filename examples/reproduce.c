/* Reproduce: runs the programs of the published systems and prints computed and expected values in one table.
 *
 * source    Gazzola et al. 2018 and others; each program states its figure, its claim, and the source of its expected values
 * compared  no values here: each program decides whether its results pass; this program counts them
 *
 * The other programs are in the same folder. With --full, a row that is finished in the folder of --out is not computed again unless its
 * program is newer.
 */
#define _POSIX_C_SOURCE 200809L /* isatty, sigaction */
#include "reproduce/campaign.h"
#include "reproduce/gallery.h"
#include "common/output.h"
#include "common/progress.h"

#include <elastica.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the order of the paper; then cases of classical mechanics and of fibres; then assemblies of rods; then
 * benchmarks of geometrically exact beams; then contact with ducts and surfaces. */
static report_system systems[] = {
    {.name = "helical_buckling", .figure = "3", .headline = "theta_max_limit"},
    {.name = "vertical_oscillation", .figure = "4", .headline = "_first_maximum"},
    {.name = "cantilever", .figure = "5", .headline = "tip_y_limit"},
    {.name = "plectoneme", .figure = "9b", .headline = "turns_at_onset"},
    {.name = "solenoid", .figure = "9c", .headline = "turns_at_onset"},
    {.name = "slithering", .figure = "10", .headline = "snake_forward"},
    {.name = "swimming", .figure = "11", .headline = "published_speed"},
    {.name = "optimise_gait", .figure = "10e/11e", .headline = "swimmer_slower"},
    {.name = "axial_stretch", .figure = "12", .headline = "load_at_e1.3"},
    {.name = "euler_buckling", .figure = "14", .headline = "threshold_over_F2"},
    {.name = "michell_buckling", .figure = "15", .headline = "alpha_1_threshold_over_F3"},
    {.name = "twist_vibration", .figure = "16", .headline = "half_cell_order_Linf"},
    {.name = "rolling_friction", .figure = "17", .headline = "translation_at_30_degrees"},
    {.name = "longitudinal_friction", .figure = "18", .headline = "forward_10_N"},
    {.name = "friction_locomotion", .figure = "19", .headline = "isotropic_over_anisotropic"},
    {.name = "timings", .figure = "20", .headline = "exponent_of_n", .alone = 1},
    {.name = "string_waves", .figure = "-", .headline = "f0.01_speed_in_laboratory"},
    {.name = "catenary", .figure = "-", .headline = "span_0.8_sag"},
    {.name = "spherical_joint", .figure = "-", .headline = "tip_x_at_"},
    {.name = "hinge_joint", .figure = "-", .headline = "tip_z_at_"},
    {.name = "fixed_joint", .figure = "-", .headline = "largest_z"},
    {.name = "pulling_muscle", .figure = "-", .headline = "stretch_of_the_muscle"},
    {.name = "flagella", .figure = "-", .headline = "scaled_speed"},
    {.name = "muscular_snake", .figure = "-", .headline = "authors_forward"},
    {.name = "sidewinding", .figure = "-", .headline = "scales_90_and_its_mirror_to"},
    {.name = "uneven_terrain", .figure = "-", .headline = "soft_periodic_on_the_row"},
    {.name = "wing", .figure = "-", .headline = "elevation_range_degrees"},
    {.name = "elbow", .figure = "-", .headline = "angle_at_0.019s"},
    {.name = "walker", .figure = "-", .headline = "ring_at_0.12s", .first = 1},
    {.name = "optimise_design", .figure = "-", .headline = "flagella_gain_below"},
    {.name = "tendon_finger", .figure = "-", .headline = "flexor_curvature_limit"},
    {.name = "fibre_cantilever", .figure = "-", .headline = "half_cell_clamp_order_for_n_128"},
    {.name = "torsional_buckling", .figure = "-", .headline = "tilting_threshold_M_L/B_for_L_20"},
    {.name = "knot", .figure = "-", .headline = "exponent_without_friction"},
    {.name = "yarn", .figure = "-", .headline = "slope"},
    {.name = "braid", .figure = "-", .headline = "crossings"},
    {.name = "heap", .figure = "-", .headline = "deepest_overlap_in_radii"},
    {.name = "hair", .figure = "-", .headline = "deepest_in_the_head"},
    {.name = "capstan", .figure = "-", .headline = "decay_for_mu_0.2"},
    {.name = "falling_chain", .figure = "-", .headline = "time_of_contact"},
    {.name = "beams", .figure = "-", .headline = "bend_45_tip_z"},
    {.name = "paths", .figure = "-", .headline = "deep_arch_limit_load"},
    {.name = "flying", .figure = "-", .headline = "space_first_x_at_10s"},
    {.name = "modes", .figure = "-", .headline = "clamped_free_mode_1"},
    {.name = "buckling", .figure = "-", .headline = "column_under_its_weight_critical"},
    {.name = "steel_wire", .figure = "-", .headline = "explicit_beside_closed_form"},
    {.name = "hair_strand", .figure = "-", .headline = "error_with_steps_of_3.125_ms"},
    {.name = "suture", .figure = "-", .headline = "knot_work_of_the_ends"},
    {.name = "mooring_cable", .figure = "-", .headline = "rest_tension_at_the_float"},
    {.name = "referee", .figure = "-", .headline = "twist_n50_critical"},
    {.name = "guidewire", .figure = "-", .headline = "wire_pushed_in_a_bend"},
    {.name = "cable_laying", .figure = "-", .headline = "under_way_reach"},
    {.name = "gripper", .figure = "-", .headline = "rest_normal_force"},
};
enum { SYSTEMS = sizeof systems / sizeof *systems };
static child children[SYSTEMS];

static volatile sig_atomic_t interrupted = 0;

static void interrupt(int number) {
  interrupted = number;
}

/* ---- Command line ---- */

static void print_help(void) {
  printf("reproduce: runs the programs of the published systems and prints a table of\ntheir results\n\n"
         "usage: reproduce [--quick | --full] [--all] [--out DIR] [--threads N]\n                 [NAME ...]\n\n"
         "  (no option)       each program without options; 2 min\n"
         "  --quick           each program with --quick; 40 s of one core\n"
         "  --full            the published sizes. The expected duration is printed\n"
         "                    first. With --out it can be interrupted: the same\n"
         "                    command continues with the missing rows\n"
         "  NAME ...          only these systems:");
  for (int i = 0; i < SYSTEMS; i++) printf("%s%s", i % 3 == 0 ? "\n                    " : " ", systems[i].name);
  printf("\n"
         "  --all             every result, not only one row per system and the first\n"
         "                    failed ones\n"
         "  --out DIR         write a gallery for browsers (index.html), the table\n"
         "                    (table.md, and table.csv with every result), the files\n"
         "                    of each program (DIR/NAME), and plot.gp to DIR, created\n"
         "                    if missing. If gnuplot is installed, the gallery has\n"
         "                    curves, too\n"
         "  --threads N       programs that run at a time; default 2\n"
         "  --help            this text\n"
         "  --version         the version of the library\n\n"
         "exit status: 0 every check passed, 1 one failed, 2 bad usage, 3 a program is\n"
         "missing or broken, or a file failed\n");
}

static const char *value_of(const campaign *c, int argc, char **argv, int *i) {
  if (*i + 1 == argc || argv[*i + 1][0] == '\0' || strncmp(argv[*i + 1], "--", 2) == 0) /* another option */
    campaign_leave(c, 2, "%s wants a value (see reproduce --help)", argv[*i]);
  return argv[++*i];
}

static int read_count(const campaign *c, const char *text) {
  char *end = NULL;
  const long count = strtol(text, &end, 10);
  if (end == text || *end != '\0' || count < 1 || count > 32)
    campaign_leave(c, 2, "--threads wants a whole number from 1 to 32, not '%s' (see reproduce --help)", text);
  return (int)count;
}

static void want(const campaign *c, const char *name) {
  for (int i = 0; i < SYSTEMS; i++) {
    if (strcmp(systems[i].name, name) != 0) continue;
    systems[i].wanted = 1;
    return;
  }
  campaign_leave(c, 2, "there is no system '%s' (see reproduce --help)", name);
}

/* --help and --version end the program with status 0. */
static void inform(const campaign *c, int help, int version) {
  if (help) print_help();
  if (version) printf("reproduce (elastica %s)\n", elastica_version());
  if (!help && !version) return;
  if (fflush(stdout) != 0) campaign_leave(c, 3, "standard output cannot be written: %s", strerror(errno));
  exit(0);
}

static void read_arguments(campaign *c, int *all, int argc, char **argv) {
  int quick = 0, full = 0, help = 0, version = 0, names = 0;
  struct {
    const char *name;
    int *value;
  } switches[] = {{"--quick", &quick}, {"--full", &full}, {"--all", all}, {"--help", &help}, {"--version", &version}};
  for (int i = 1; i < argc; i++) {
    size_t k = 0;
    while (k < sizeof switches / sizeof *switches && strcmp(argv[i], switches[k].name) != 0) k++;
    if (k < sizeof switches / sizeof *switches) {
      *switches[k].value = 1;
    } else if (strcmp(argv[i], "--out") == 0) {
      c->out = value_of(c, argc, argv, &i);
    } else if (strcmp(argv[i], "--threads") == 0) {
      c->at_once = read_count(c, value_of(c, argc, argv, &i));
    } else if (argv[i][0] == '-') {
      campaign_leave(c, 2, "'%s' is no option (see reproduce --help)", argv[i]);
    } else {
      want(c, argv[i]);
      names++;
    }
  }
  inform(c, help, version);
  if (quick && full) campaign_leave(c, 2, "--quick and --full exclude each other (see reproduce --help)");
  c->mode = quick ? EXAMPLE_QUICK : full ? EXAMPLE_FULL : EXAMPLE_DEFAULT;
  for (int i = 0; i < SYSTEMS && names == 0; i++) systems[i].wanted = 1;
}

/* ---- Tables ---- */

static FILE *open_table(const campaign *c, const char *name) {
  char path[CAMPAIGN_PATH];
  campaign_path(c, path, c->out, NULL, name);
  FILE *file = fopen(path, "w");
  if (!file) campaign_leave(c, 3, "%s: %s", path, strerror(errno));
  return file;
}

static void close_table(const campaign *c, FILE *file, const char *name) {
  const int broken = ferror(file);
  if (fclose(file) != 0 || broken) campaign_leave(c, 3, "%s/%s: %s", c->out, name, strerror(errno));
}

/* Draws the curves of the programs that have ended since the last call. */
static void draw_curves(const campaign *c) {
  static int drawn[SYSTEMS];
  for (int i = 0; i < SYSTEMS && c->out; i++) {
    if (drawn[i] || systems[i].state != REPORT_DONE || systems[i].kept) continue;
    drawn[i] = 1;
    gallery_draw(c->out, systems[i].name);
  }
}

/* Writes the tables with all known rows, so that an interrupted run leaves them, too. */
static void write_tables(const campaign *c, int all) {
  if (!c->out) return;
  FILE *markdown = open_table(c, "table.md"), *csv = open_table(c, "table.csv"), *plot = open_table(c, "plot.gp");
  report_print_head(markdown, REPORT_MARKDOWN);
  report_print_csv(csv, NULL, NULL);
  fprintf(plot, "# gnuplot plot.gp, in this folder, draws the figure of each program in its folder; status 1 if a figure cannot be drawn\n"
                "undrawn = ''\n");
  for (int i = 0; i < SYSTEMS; i++) {
    if (!systems[i].wanted || systems[i].state < REPORT_DONE) continue;
    report_print(markdown, REPORT_MARKDOWN, &systems[i], campaign_mode(c), all);
    report_print_csv(csv, &systems[i], campaign_mode(c));
    if (systems[i].state == REPORT_DONE)
      fprintf(plot, "undrawn = undrawn.system('(cd %s && gnuplot plot.gp) || echo \" %s\"')\n", systems[i].name, systems[i].name);
  }
  fprintf(plot, "if (strlen(undrawn) > 0) {\n  printerr 'not drawn:'.undrawn\n  exit status 1\n}\n");
  FILE *gallery = open_table(c, "index.html");
  gallery_write(gallery, c->out, systems, SYSTEMS, campaign_mode(c));
  close_table(c, gallery, "index.html");
  close_table(c, markdown, "table.md");
  close_table(c, csv, "table.csv");
  close_table(c, plot, "plot.gp");
}

static void flush(const campaign *c) {
  if (fflush(stdout) != 0) campaign_leave(c, 3, "standard output cannot be written: %s", strerror(errno));
}

/* Prints a row once all previous rows are printed. */
static void print_rows(const campaign *c, int all, int *printed) {
  for (; *printed < SYSTEMS; ++*printed) {
    const report_system *system = &systems[*printed];
    if (!system->wanted) continue;
    if (system->state < REPORT_DONE) break;
    report_print(stdout, REPORT_PLAIN, system, campaign_mode(c), all);
    flush(c);
    if (system->message) fprintf(stderr, "%s\n", system->message);
  }
  flush(c);
}

/* The last line, and the exit status. */
static int print_sum(const campaign *c, double seconds) {
  int wanted = 0, done = 0, passed = 0, checked = 0, passed_checks = 0;
  for (int i = 0; i < SYSTEMS; i++) {
    const report_system *system = &systems[i];
    if (!system->wanted) continue;
    wanted++;
    done += system->state == REPORT_DONE;
    passed += system->state == REPORT_DONE && system->passed == system->checked;
    checked += system->checked;
    passed_checks += system->passed;
    if (system->kept) printf("%s: from an earlier run\n", system->name);
    if (system->state == REPORT_MISSING) fprintf(stderr, "%s: there is no such program in %s\n", system->name, c->folder);
  }
  printf("%d of %d systems pass, %d of %d checks; %.0f s\n", passed, wanted, passed_checks, checked, seconds);
  if (c->out) printf("the gallery: %s/index.html\n", c->out);
  flush(c);
  return done < wanted ? 3 : passed < done ? 1 : 0;
}

/* ---- Time ---- */

static void print_estimate(const campaign *c) {
  int left = 0;
  for (int i = 0; i < SYSTEMS; i++) left += systems[i].wanted && systems[i].state == REPORT_WAITING;
  if (left == 0) return;
  printf("estimate, %d at a time: about ", c->at_once);
  progress_duration(stdout, campaign_time_left(c));
  printf("\n");
  for (int i = 0; i < SYSTEMS; i++) {
    if (!systems[i].wanted || systems[i].state != REPORT_WAITING) continue;
    printf("  %-21s ", systems[i].name);
    if (systems[i].estimate > 0) progress_duration(stdout, systems[i].estimate);
    printf("%s\n", systems[i].estimate > 0 ? "" : "not known");
  }
  printf("\n");
  flush(c);
}

/* One line on a terminal: number of finished programs, time left, running programs. */
static void show_progress(const campaign *c) {
  int done = 0, wanted = 0;
  if (!isatty(STDERR_FILENO)) return;
  for (int i = 0; i < SYSTEMS; i++) {
    wanted += systems[i].wanted;
    done += systems[i].wanted && systems[i].state >= REPORT_DONE;
  }
  char line[8 * SYSTEMS + 512], left[64];
  size_t used = 0;
  line[used++] = '[';
  for (int i = 0; i < wanted; i++) line[used++] = i < done ? '#' : '.';
  progress_duration_text(left, sizeof left, campaign_time_left(c));
  used += (size_t)snprintf(line + used, sizeof line - used, "] %s left;", left);
  for (int i = 0; i < SYSTEMS && used + 64 < sizeof line; i++) {
    if (systems[i].state == REPORT_RUNNING)
      used += (size_t)snprintf(line + used, 64, " %s %.0f s", systems[i].name, progress_clock() - children[i].started);
  }
  progress_line(line);
}

static void wipe_progress(void) {
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
}

/* ---- Running them ---- */

static void run(campaign *c, int all) {
  int printed = 0;
  report_print_head(stdout, REPORT_PLAIN);
  print_rows(c, all, &printed);
  while (!interrupted && campaign_fill(c) > 0) {
    show_progress(c);
    campaign_wait(c);
    wipe_progress();
    if (interrupted) break; /* a terminal sends the signal to the programs, too: their ends are not failures */
    if (campaign_judge(c) > 0) {
      draw_curves(c);
      write_tables(c, all);
    }
    print_rows(c, all, &printed);
  }
  if (interrupted) {
    const int resumes = c->out && c->mode == EXAMPLE_FULL;
    campaign_leave(c, 128 + interrupted, "interrupted%s", resumes ? "; the same command goes on with the rows that are missing" : "");
  }
  print_rows(c, all, &printed); /* programs that could not be started */
  write_tables(c, all);
}

int main(int argc, char **argv) {
  const struct sigaction stop = {.sa_handler = interrupt}, ignore = {.sa_handler = SIG_IGN};
  campaign c = {.name = "reproduce", .systems = systems, .children = children, .count = SYSTEMS, .at_once = 2};
  example_output files;
  int all = 0;
  read_arguments(&c, &all, argc, argv);
  sigaction(SIGINT, &stop, NULL);
  sigaction(SIGTERM, &stop, NULL);
  sigaction(SIGHUP, &stop, NULL);
  sigaction(SIGPIPE, &ignore, NULL); /* a closed pipe becomes an error of output, after which the programs are stopped */
  output_open(&files, c.name, c.out);
  campaign_prepare(&c, argv[0]);
  const double begun = progress_clock();
  if (c.mode == EXAMPLE_FULL) print_estimate(&c);
  run(&c, all);
  output_close(&files);
  const int status = print_sum(&c, progress_clock() - begun);
  for (int i = 0; i < SYSTEMS; i++) {
    free(systems[i].rows);
    free(systems[i].message);
  }
  return status;
}
