/* Braid: three strands hang from a support; their lower ends, each with a weight, move along a figure of eight like the bobbins of a
 * braiding machine; then the resulting braid is pulled tight.
 *
 * source    our own scene; the figure of eight is the track of machines for flat braids
 * claim     strands in contact along their whole length never pass through each other: the crossings of the ends, in the order of time,
 *           equal the crossings in the braid from its beginning on; at rest the support carries the weights, and no strand more than its
 *           share
 * compared  the word of crossings of the strands with that of the track, and with that of the actual paths of the ends, letter by
 *           letter, when the ends stop, at rest, and pulled tight; force of the support with the weights; the shares; overlap
 *
 * Units: length l0 and mass m0 of an element, stretch stiffness k0 l0 = 1, t0. Across z a spring pulls each end towards its place on the
 * track; along z only the weight acts, so that each strand supplies the length that the braid needs. A braid that reaches down to the
 * ends holds them back: they leave the track, and strands slip off below the ends of others. Six turns are too many for 200 elements.
 */
#include "common/example.h"
#include "braid/plait.h"
#include <math.h>
#include <stdlib.h>

static const double RADIUS = 0.5, BENDING = 0.02, FRICTION = 0.1, DRAG = 0.01; /* [l0] [k0 l0^3] [1] [m0/(l0 t0)] */
static const double LAYER = 0.2, LAYER_DAMPING = 0.1, INERTIA = 4;             /* [k0/l0] [k0 t0/l0] [1] factor on the inertia of frames */
static const double WEIGHT = 5e-3, TIGHT = 2e-2, SPRING = 2e-3;                /* [k0 l0] [k0 l0] [k0] */
static const double SPEED = 0.012, RESTING = 3000;                             /* [l0/t0] mean speed of the ends; [t0] */
static const plait TRACK = {3, 10, 5};
static const double SUPPORT = 0.15; /* size of the figure at the support relative to the track */
enum { STRANDS = 3, MOST = 200, CONTACTS = 4096 };

typedef struct plan {
  int n, turns;
} plan;

/* The force on the end of one strand. */
typedef struct bobbin {
  plait track;
  int strand, n;
  double turns, duration;           /* of all; [t0] */
  double weight, tight, begin, end; /* the weight rises to tight between these times */
} bobbin;

typedef struct braid {
  elastica_world *world;
  elastica_effect *contact;
  const elastica_rod_view *strand[STRANDS];
  double turns, stop;   /* turns of the ends; [t0] end of their motion */
  plait_word drawn;     /* crossings of the ends so far */
  double deepest, away; /* [r] largest overlap so far; [l0] largest distance of an end from its place on the track */
} braid;

/* ---- The braiding machine ---- */

static elastica_status draw_end(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const bobbin *of = self;
  const double grown = fmin(fmax((now->time - of->begin) / (of->end - of->begin), 0), 1);
  double place[2];
  plait_end(&of->track, of->turns * fmin(1, now->time / of->duration), of->strand, place);
  for (int a = 0; a < 2; a++) loads->force[a][of->n] += SPRING * (place[a] - rod->position[a][of->n]);
  loads->force[Z][of->n] -= of->weight + grown * (of->tight - of->weight);
  return ELASTICA_OK;
}

static elastica_status bound_end(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const bobbin *of = self;
  (void)now, (void)rod;
  stiffness->node[of->n] += SPRING;
  return ELASTICA_OK;
}

static elastica_status add_bobbin(elastica_world *world, elastica_rod *rod, const bobbin *of) {
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "bobbin", module.self = of, module.self_size = sizeof *of;
  module.parallel_safe = 1, module.needs_derived = 0, module.needs_geometry = 0;
  module.add_loads = draw_end, module.add_stiffness = bound_end;
  return elastica_world_add_module(world, rod, &module, NULL);
}

static void add_strand(example *e, braid *of, const plan *p, const bobbin *end) {
  static double position[3 * (MOST + 1)], stretch[3 * MOST], bend[3 * MOST];
  double from[2];
  elastica_rod *rod;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  plait_end(&TRACK, 0, end->strand, from);
  const double spread = (1 - SUPPORT) * hypot(from[X], from[Y]), drop = sqrt(p->n * (double)p->n - spread * spread);
  for (int i = 0; i <= p->n; i++) {
    const double share = (double)i / p->n;
    for (int a = 0; a < 2; a++) position[component(i, a)] = from[a] * (SUPPORT + (1 - SUPPORT) * share);
    position[component(i, Z)] = -drop * share;
  }
  for (int k = 0; k < 3 * p->n; k++) stretch[k] = 1, bend[k] = BENDING;
  def.element_count = p->n, def.position = position, def.radius = RADIUS;
  def.density = 1 / (acos(-1) * RADIUS * RADIUS), def.rotary_inertia_scale = INERTIA;
  def.shear_stiffness = stretch, def.bend_stiffness = bend;
  example_require(e, of->world, elastica_world_add_rod(of->world, &def, &rod));
  of->strand[end->strand] = elastica_rod_get_view(rod);
  elastica_boundary_def pin;
  elastica_boundary_def_init(&pin, sizeof pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  example_require(e, of->world, elastica_add_boundary(of->world, rod, &pin, NULL));
  example_require(e, of->world, add_bobbin(of->world, rod, end));
}

static void read_ends(const braid *of, double at[][2]) {
  for (int k = 0; k < STRANDS; k++)
    for (int a = 0; a < 2; a++) at[k][a] = of->strand[k]->position[a][of->strand[k]->node_count - 1];
}

/* Runs until the ends stop. */
static double build(example *e, braid *of, const plan *p) {
  double length = 0, at[2], next[2];
  for (int k = 0; k < 1000; k++) {
    plait_end(&TRACK, k / 1000.0, 0, at), plait_end(&TRACK, (k + 1) / 1000.0, 0, next);
    length += hypot(next[X] - at[X], next[Y] - at[Y]);
  }
  const double duration = p->turns * length / SPEED, rested = duration + RESTING;
  *of = (braid){.world = example_world(e), .turns = p->turns, .stop = duration};
  for (int k = 0; k < STRANDS; k++)
    add_strand(e, of, p, &(bobbin){TRACK, k, p->n, p->turns, duration, WEIGHT, TIGHT, rested, rested + RESTING});
  elastica_dissipation_def drag;
  elastica_dissipation_def_init(&drag, sizeof drag);
  drag.translation = DRAG, drag.rotation = DRAG * INERTIA * RADIUS * RADIUS / 4;
  example_require(e, of->world, elastica_add_dissipation(of->world, NULL, &drag, NULL));
  elastica_contact_def contact;
  elastica_contact_def_init(&contact, sizeof contact);
  double ends[STRANDS][2];
  read_ends(of, ends);
  of->drawn = plait_begin(STRANDS, ends);
  contact.modulus = LAYER, contact.damping = LAYER_DAMPING, contact.tangential_damping = LAYER_DAMPING / 2, contact.friction = FRICTION;
  example_require(e, of->world, elastica_add_contact(of->world, NULL, &contact, &of->contact));
  return duration;
}

/* ---- Readings ---- */

static int look(const example *e, braid *of) {
  static elastica_contact_point points[CONTACTS];
  int count;
  example_require(e, of->world, elastica_contact_get(of->contact, points, CONTACTS, &count));
  for (int k = 0; k < count && k < CONTACTS; k++) of->deepest = fmax(of->deepest, points[k].depth / RADIUS);
  for (int k = 0; k < STRANDS; k++) {
    double place[2];
    const elastica_rod_view *strand = of->strand[k];
    const int last = strand->node_count - 1;
    plait_end(&TRACK, of->turns * fmin(1, elastica_world_get(of->world).time / of->stop), k, place);
    of->away = fmax(of->away, hypot(strand->position[X][last] - place[X], strand->position[Y][last] - place[Y]));
  }
  return count;
}

static void check_word(example *e, const braid *of, double turns, const char *when) {
  const plait_word track = plait_of_ends(&TRACK, turns), found = plait_of_rods(of->strand, STRANDS);
  example_check(e, found.count, track.count, 0, "%s_crossings", when);
  example_check(e, plait_differences(&found, &track), 0, 0, "%s_letters_that_differ_from_the_track", when);
  example_check(e, plait_differences(&found, &of->drawn), 0, 0, "%s_letters_that_differ_from_the_ends", when);
}

/* The force of the support along z on all strands, and the largest share of a single strand. */
static double support(const example *e, const braid *of, double *largest) {
  double sum = 0;
  *largest = 0;
  example_require(e, of->world, elastica_world_evaluate(of->world, 0));
  for (int k = 0; k < STRANDS; k++) {
    const double force = -of->strand[k]->total_force[Z][0];
    sum += force;
    *largest = fmax(*largest, force);
  }
  *largest /= sum;
  return sum;
}

/* Length of the braid: distance to the lowest contact. */
static double length_of_braid(const example *e, const braid *of) {
  static elastica_contact_point points[CONTACTS];
  int count;
  double lowest = 0;
  example_require(e, of->world, elastica_contact_get(of->contact, points, CONTACTS, &count));
  for (int k = 0; k < count && k < CONTACTS; k++) lowest = fmin(lowest, points[k].point[Z]);
  return -lowest;
}

/* ---- The experiment ---- */

static void go_on(example *e, braid *of, double until, elastica_csv *csv, elastica_vtk *vtk) {
  enum { PIECES = 40, SAMPLES = 5 };
  const double from = elastica_world_get(of->world).time;
  for (int k = 1; k <= PIECES; k++) {
    double largest;
    for (int m = SAMPLES - 1; m >= 0; m--) {
      double at[STRANDS][2];
      example_advance(e, of->world, from + (until - from) * (k - (double)m / SAMPLES) / PIECES);
      read_ends(of, at);
      plait_go_on(&of->drawn, at);
    }
    example_worked(e, (until - from) / PIECES);
    const int count = look(e, of);
    const double force = support(e, of, &largest);
    example_row(e, csv, elastica_world_get(of->world).time, count, of->deepest, force / (STRANDS * WEIGHT), largest,
                length_of_braid(e, of));
    output_frame(&e->output, of->world, vtk);
  }
}

static void check_rest(example *e, const braid *of, double weight, const char *when) {
  double largest;
  const double force = support(e, of, &largest);
  example_check(e, force / (STRANDS * weight), 1, 1e-3, "%s_support_over_weights", when);
  example_check(e, largest, 1.0 / STRANDS, 0.05, "%s_largest_share", when);
  example_inform(e, length_of_braid(e, of), "%s_length_of_the_braid", when);
}

static void run(example *e, const plan *p) {
  braid of;
  elastica_csv *csv = example_csv(e, "motion.csv"), *shape = example_csv(e, "shape.csv");
  const double stop = build(e, &of, p);
  elastica_vtk *vtk = example_vtk(e, of.world, "braid");
  example_expect(e, stop + 3 * RESTING);
  for (int k = 1; k <= p->turns; k++) go_on(e, &of, stop * k / p->turns, csv, vtk);
  check_word(e, &of, p->turns, "plaited");
  go_on(e, &of, stop + RESTING, csv, vtk);
  check_rest(e, &of, WEIGHT, "at_rest");
  check_word(e, &of, p->turns, "at_rest");
  example_check(e, of.away, 0, TRACK.deep, "furthest_end_from_its_place");
  go_on(e, &of, stop + 3 * RESTING, csv, vtk);
  check_rest(e, &of, TIGHT, "drawn_tight");
  check_word(e, &of, p->turns, "drawn_tight");
  example_check(e, of.deepest, 0, 0.3, "deepest_overlap_in_radii");
  for (int k = 0; k < STRANDS; k++)
    for (int i = 0; i <= p->n; i++)
      example_row(e, shape, k, of.strand[k]->position[X][i], of.strand[k]->position[Y][i], of.strand[k]->position[Z][i]);
  example_done(e, of.world);
}

/* ---- The program ---- */

static const example_file FILES[] = {
    {"motion.csv", "time [t0],contacts [1],deepest overlap [r],support [weights],largest share [1],length of the braid [l0]",
     "how the braid grows", FILE_ALWAYS},
    {"shape.csv", "strand [1],x [l0],y [l0],z [l0]", "nodes of the strands, pulled tight", FILE_ALWAYS},
    {"braid.pvd", NULL, "the strands, 40 times in each turn", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  static const plan plans[] = {[EXAMPLE_DEFAULT] = {80, 2}, [EXAMPLE_QUICK] = {40, 1}, [EXAMPLE_FULL] = {200, 4}};
  const example_about about = {.name = "braid",
                               .title = "three strands are plaited and pulled tight",
                               .quick = "one turn of the ends; 2 s",
                               .normal = "two turns; 10 s",
                               .full = "four turns of longer strands; 1 min",
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const plan *p = &plans[e.options.mode];
  run(&e, p);
  example_plot(&e, 1300, 520, NULL, "%d turns, strands of %d elements", p->turns, p->n);
  return example_end(&e);
}
