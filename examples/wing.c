/* Wing: one stroke of a pigeon's wing: bones, 19 feathers of 3,144 barbs, air on the barbs, and four muscles.
 *
 * source    Zhang et al. 2019, figure 4, with the values of the authors' program, in millimetres, grams and seconds (force uN,
 *           modulus Pa); the bird is scaled there, lengths by 2.5 and times by 4, so that forces are 2.44 times the bird's
 * claim     four histories of tension raise and lower the wing, and bend and stretch the elbow
 * equation  air on nodes 1 to 3 of a barb, F = -rho C d l |v| v/2, rho = 1.225e-6, C = 1.2, d = 3
 * compared  the mass with its sum by the authors' rule; forces and moments of all rods and joints at each frame (their sums are zero),
 *           and impulses of joints, pins and air over a piece of the stroke; gaps of joints; ranges of both angles with bounds; the step
 *           with the authors' 5e-8 s; and, as information, all barbs with few, and elastic bones with rigid ones
 *
 * Differences from the authors' program. Their air on a barb acts, reduced, on the bone at the root of its feather, and the air at the
 * tips on nothing; frames follow shaft and bone without reaction. Here FIXED joints transmit all forces and couples, with no more than
 * the necessary stiffness. A shaft that supports its barbs is 1000 times as stiff in bending and twist as with the authors' 2.5 MPa: the
 * value of keratin (2.5 GPa: Bonser and Purslow 1995). Air acts on each barb once, on nodes 1 to 3. Biceps and triceps pull on the ulna,
 * with initial arms equal to those of the authors' couples; the biceps rises to the 24 N from which it decreases. Ties of muscles are
 * ten times as stiff. Barbs start in equilibrium with their joints, springs of 5e5, a tenth of theirs. Axial viscosity is 2/3 of 1e6,
 * equivalent to the authors'. Masses of all rods are by their rule: a node has that of the whole element behind it, the last one that of
 * the element before. As there, the humerus is held only at its first node: nothing prevents a roll about its axis. Dissipation of
 * feathers, 0.005 of the authors', equals that of the air at 3 m/s, or 2 m/s of the bird.
 *
 * With fewer barbs a pair represents many, with their mass, stiffness, dissipation and air.
 */
#include "common/balance.h"
#include "wing/painted.h"
#include "wing/pigeon.h"

#include <math.h>
#include <stdio.h>

enum { FRAMES = 102, PAINTED_EACH = 2, DRAWN_EACH = 17, FEW = 40 };
enum { HUMERUS, ULNA };
static const double FRAME = 5e-3, PHASE_START = 0.125, PHASE = 0.38; /* [s] */
static const double THEIR_STEP = 5e-8;                               /* [s] */

/* Measurements of a run, at each frame. */
typedef struct stroke {
  int frames;
  double elevation[FRAMES + 1], sweep[FRAMES + 1], elbow[FRAMES + 1]; /* [degrees] */
  double gap, force, moment; /* [mm] the largest gap of a joint; the largest resultant of forces and of moments, as shares of those of
                              * pins and air */
} stroke;

/* ---- Looking ---- */

/* A node of a bone, also of a rigid bone, and d3 there. */
static void look_at(const bone *of, int last, double place[3], double d3[3]) {
  const elastica_rod_view *view = elastica_rod_get_view(of->rod);
  const int j = of->rigid || !last ? 0 : of->plan.n - 1;
  double ahead = last ? of->plan.length : 0;
  for (int a = 0; a < 3; a++) ahead += (of->plan.start[a] - of->centre[a]) * of->frame[6 + a];
  for (int a = 0; a < 3; a++) {
    d3[a] = view->director[2][a][j];
    place[a] = of->rigid ? view->position[a][0] + ahead * d3[a] : view->position[a][last ? of->plan.n : 0];
  }
}

static double muscle_strain(const elastica_rod_view *muscle) {
  double length = 0, rest = 0;
  for (int j = 0; j < muscle->element_count; j++) length += muscle->length[j], rest += muscle->rest_length[j];
  return length / rest - 1;
}

static double gap_of(const example *e, const pigeon_wing *w, elastica_effect *joint) {
  elastica_joint_info info;
  if (!joint) return 0;
  example_require(e, w->world, elastica_joint_get(joint, &info));
  return info.gap;
}

static double widest_gap(const example *e, const pigeon_wing *w) {
  double gap = gap_of(e, w, w->shoulder);
  for (int k = 0; k < w->ties; k++) gap = fmax(gap, gap_of(e, w, w->tie[k]));
  for (int k = 0; k < PIGEON_MUSCLES; k++) gap = fmax(gap, gap_of(e, w, w->grip[k]));
  for (int k = 0; k < w->barbs.rods; k++) gap = fmax(gap, gap_of(e, w, w->barbs.joint[k]));
  return gap;
}

/* Elastic forces, tensions and joints act between rods: their sum is zero, and so are their moments. They are compared with the loads of
 * the pins, as a sum of sizes, and of the air. */
static balance find_balance(const example *e, const pigeon_wing *w, double *pins) {
  balance of;
  balance_find(e, w->world, &of);
  *pins = 0;
  for (int k = 0; k < PIGEON_MUSCLES; k++) {
    const elastica_rod_view *muscle = elastica_rod_get_view(w->muscle[k]);
    const double pull[3] = {muscle->total_force[X][0], muscle->total_force[Y][0], muscle->total_force[Z][0]};
    *pins += balance_size(pull);
  }
  if (w->shoulder) { /* on the world, at the shoulder: the opposite load acts on the humerus */
    elastica_joint_info info;
    example_require(e, w->world, elastica_joint_get(w->shoulder, &info));
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      of.force[a] += info.force[a];
      of.moment[a] += info.position[1][b] * info.force[c] - info.position[1][c] * info.force[b];
    }
  }
  return of;
}

/* ---- Files ---- */

enum { KIND_BONE, KIND_SHAFT, KIND_BARB, KIND_MUSCLE };

static int kind_of(const pigeon_wing *w, int rod) {
  if (rod < PIGEON_BONES) return KIND_BONE;
  if (rod >= w->barbs.rods) return KIND_MUSCLE;
  return w->barbs.stands_for[rod] > 0 ? KIND_BARB : KIND_SHAFT;
}

static void paint(void *user, const elastica_rod_view *rod, int element, double *values) {
  const pigeon_wing *w = user;
  const int kind = kind_of(w, rod->rod_index), belly = kind == KIND_MUSCLE && element >= 2 && element <= 4;
  values[0] = kind;
  values[1] = belly ? pigeon_tension(rod->rod_index - w->barbs.rods, elastica_world_get(w->world).time) : 0;
  values[2] = rod->dilatation[element] - 1;
}

/* Draws all rods but most barbs, for the figure: a row of NaN ends a line. */
static void draw_frame(example *e, const pigeon_wing *w, elastica_csv *csv, int frame) {
  int barbs = 0;
  for (int k = 0; k < elastica_world_get(w->world).rod_count; k++) {
    const elastica_rod_view *rod = elastica_rod_get_view(elastica_world_rod(w->world, k));
    const int kind = kind_of(w, k);
    if (kind == KIND_BARB && w->every < 8 && barbs++ % 8 > 1) continue;
    for (int i = 0; i < 2 && k < PIGEON_BONES; i++) {
      double place[3], d3[3];
      look_at(&w->bone[k], i, place, d3);
      example_row(e, csv, frame, kind, place[X], place[Y], place[Z]);
    }
    for (int i = 0; i < rod->node_count && k >= PIGEON_BONES; i++)
      example_row(e, csv, frame, kind, rod->position[X][i], rod->position[Y][i], rod->position[Z][i]);
    example_row(e, csv, frame, kind, NAN, NAN, NAN);
  }
}

/* ---- The stroke ---- */

static void look(example *e, const pigeon_wing *w, stroke *s, elastica_csv *csv) {
  const double degree = 180 / acos(-1), time = elastica_world_get(w->world).time;
  double place[3], d3[3], begin[3], other[3], strain[PIGEON_MUSCLES];
  look_at(&w->bone[HUMERUS], 1, place, d3);
  look_at(&w->bone[ULNA], 0, begin, other);
  const int k = s->frames++;
  s->elevation[k] = degree * atan2(place[Z] - 150, fabs(place[Y]));
  s->sweep[k] = degree * atan2(-place[X], fabs(place[Y]));
  s->elbow[k] = 90 - degree * acos(d3[X] * other[X] + d3[Y] * other[Y] + d3[Z] * other[Z]);
  const double gap = widest_gap(e, w);
  double pins;
  const balance of = find_balance(e, w, &pins);
  const double scale = pins + balance_size(of.drag);
  s->gap = fmax(s->gap, gap);
  if (scale > 1e5) { /* 0.1 N: in the first frames no force is large enough for a comparison */
    s->force = fmax(s->force, balance_size(of.force) / scale);
    s->moment = fmax(s->moment, balance_size(of.moment) / scale / 150);
  }
  for (int m = 0; m < PIGEON_MUSCLES; m++) strain[m] = muscle_strain(elastica_rod_get_view(w->muscle[m]));
  example_row(e, csv, time, (time - PHASE_START) / PHASE, s->elevation[k], s->sweep[k], s->elbow[k], strain[0], strain[1], strain[2],
              strain[3], pigeon_tension(0, time), pigeon_tension(1, time), pigeon_tension(2, time), pigeon_tension(3, time),
              of.drag[X] * 1e-6, of.drag[Y] * 1e-6, of.drag[Z] * 1e-6, gap);
}

/* Impulses over a piece of the stroke: a budget gives those of each effect. */
static void weigh_impulses(example *e, const pigeon_wing *w) {
  const balance_impulses of = balance_advance(e, w->world, 5e-5, w->shoulder);
  example_check(e, of.left, 0, 1e-8, "momentum_less_impulse_of_pins_and_air");
  example_check(e, of.joints, 0, 1e-8, "impulse_of_joints");
}

static void fly(example *e, int every, int rigid, int frames, const char *name, stroke *s) {
  static pigeon_wing w;
  char file[64];
  pigeon_wing_build(e, &w, every, rigid);
  snprintf(file, sizeof file, "%s.csv", name ? name : "");
  elastica_csv *csv = name ? example_csv(e, file) : NULL, *shape = name ? example_csv(e, "shape.csv") : NULL;
  painted seen = {.name = "wing", .arrays = {"kind", "tension", "strain"}, .count = 3, .paint = paint, .user = &w};
  elastica_view *page = name ? example_page(e, w.world) : NULL;
  *s = (stroke){0};
  for (int k = 0; k <= frames; k++) {
    if (k > 0) {
      example_advance(e, w.world, k * FRAME);
      example_worked(e, 1);
    }
    look(e, &w, s, csv);
    if (name && k % PAINTED_EACH == 0) painted_frame(e, w.world, &seen);
    output_page_frame(&e->output, w.world, page);
    if (name && k % DRAWN_EACH == 0) draw_frame(e, &w, shape, k / DRAWN_EACH);
  }
  if (name && every > 60) weigh_impulses(e, &w);
  pigeon_wing_free(e, &w);
}

/* ---- The program ---- */

static double range_of(const double *values, int count) {
  double least = INFINITY, most = -INFINITY;
  for (int k = 0; k < count; k++) least = fmin(least, values[k]), most = fmax(most, values[k]);
  return most - least;
}

/* The whole wing at the start: its mass, and its steps with elastic and with rigid bones. */
static void weigh(example *e) {
  for (int rigid = 0; rigid < 2; rigid++) {
    static pigeon_wing w;
    elastica_totals sum;
    elastica_step_limit limit;
    pigeon_wing_build(e, &w, 1, rigid);
    example_require(e, w.world, elastica_world_get_totals(w.world, &sum));
    example_require(e, w.world, elastica_world_step_limit(w.world, &limit));
    const double mass = pigeon_wing_mass(&w);
    example_check(e, sum.mass / mass, 1, 1e-12, "mass_over_that_of_the_tables_%s", rigid ? "rigid" : "elastic");
    example_check(e, fmin(0.8 * limit.dt / THEIR_STEP, 10), 10, 0, "step_at_least_10_of_theirs_%s", rigid ? "rigid" : "elastic");
    example_inform(e, 0.8 * limit.dt / THEIR_STEP, "step_over_theirs_%s", rigid ? "rigid" : "elastic");
    if (!rigid) example_inform(e, mass, "mass_g");
    pigeon_wing_free(e, &w);
  }
}

static void judge(example *e, const stroke *s, int whole) {
  example_check(e, s->force, 0, 1e-8, "forces_between_rods");
  example_check(e, s->moment, 0, 1e-8, "moments_between_rods");
  example_check(e, s->gap, 0, 1, "widest_gap_mm");
  if (!whole) return;
  example_check(e, range_of(s->elevation, s->frames), 90, 50, "elevation_range_degrees");
  example_check(e, range_of(s->elbow, s->frames), 65, 45, "elbow_range_degrees");
  example_inform(e, range_of(s->sweep, s->frames), "sweep_range_degrees");
  example_inform(e, s->elevation[s->frames - 1] - s->elevation[0], "elevation_after_the_stroke_degrees");
  example_inform(e, s->elbow[s->frames - 1] - s->elbow[0], "elbow_after_the_stroke_degrees");
}

static double farthest(const double *a, const double *b, int count) {
  double most = 0;
  for (int k = 0; k < count; k++) most = fmax(most, fabs(a[k] - b[k]));
  return most;
}

static void draw(example *e, int every, int rigid, int frames) {
  char definitions[32];
  snprintf(definitions, sizeof definitions, "last = %d\n", frames / DRAWN_EACH);
  example_plot(e, 1300, 780, definitions, "one pair of barbs for %d, %s bones", every, rigid ? "rigid" : "elastic");
}

static const example_file FILES[] = {
    {"wing.csv",
     "time [s],phase [-],elevation [degrees],sweep [degrees],elbow [degrees],strain of the lifting muscle [-],of the pulling one [-],"
     "of the biceps [-],of the triceps [-],tension of the lifting muscle [N],of the pulling one [N],of the biceps [N],of the triceps [N],"
     "drag by air and dissipation x [N],y [N],z [N],widest gap [mm]",
     "one row for each 5 ms", FILE_ALWAYS},
    {"shape.csv", "frame [-],kind [-],x [mm],y [mm],z [mm]", "the rods each 85 ms, for the figure: bones 0, shafts 1, barbs 2, muscles 3",
     FILE_ALWAYS},
    {"wing.pvd", NULL, "all rods each 10 ms, with their kind, the tension of muscles [N] and strain", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  int every = 0, rigid = -1, soft = 0, stiff = 0;
  const case_option options[] = {
      {"--every", "K", "one pair of barbs stands for K; 1: all", OPTION_INTEGER, &every, 1, 96},
      {"--rigid", NULL, "bones are rigid bodies", OPTION_SWITCH, &stiff, 0, 0},
      {"--elastic", NULL, "bones are rods", OPTION_SWITCH, &soft, 0, 0},
  };
  const example_about about = {.name = "wing",
                               .length_unit = "mm",
                               .force_unit = "µN",
                               .title = "the stroke of a pigeon's wing (Zhang et al. 2019)",
                               .quick = "the whole wing at rest; 10 ms of the stroke with 76 barbs and elastic bones; 1 s",
                               .normal = "the stroke with 108 barbs and rigid bones; 15 s",
                               .full = "the stroke with all barbs; with 108, also with elastic bones, to compare; 6 min on two cores",
                               .options = options,
                               .option_count = sizeof options / sizeof *options,
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  static stroke shown, few, elastic;
  example e;
  example_begin(&e, &about, argc, argv);
  if (stiff && soft) options_refuse(&about, "--rigid and --elastic exclude each other");
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL;
  if (every == 0) every = quick ? 96 : full ? 1 : FEW;
  rigid = stiff || (!soft && !quick);
  example_expect(&e, quick ? 2 : full ? 3 * FRAMES : FRAMES);
  weigh(&e);
  fly(&e, every, rigid, quick ? 2 : FRAMES, "wing", &shown);
  judge(&e, &shown, !quick);
  if (full) {
    fly(&e, FEW, 1, FRAMES, NULL, &few);
    fly(&e, FEW, 0, FRAMES, NULL, &elastic);
    example_inform(&e, farthest(shown.elevation, few.elevation, shown.frames), "elevation_all_barbs_against_few_degrees");
    example_inform(&e, farthest(shown.elbow, few.elbow, shown.frames), "elbow_all_barbs_against_few_degrees");
    example_inform(&e, farthest(elastic.elevation, few.elevation, shown.frames), "elevation_elastic_bones_against_rigid_degrees");
    example_inform(&e, farthest(elastic.elbow, few.elbow, shown.frames), "elbow_elastic_bones_against_rigid_degrees");
  }
  draw(&e, every, rigid, shown.frames - 1);
  return example_end(&e);
}
