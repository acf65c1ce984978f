/* The work meter and the budget: work, impulse and angular impulse of each effect in a step, energy and momentum of the rods before and
 * after it, and the sums of both over all steps since a budget was opened. The meter runs while a budget is open; the step then runs its
 * stages one at a time, with the same bits.
 *
 * equation   residual = change of (kinetic + elastic) - sum of work; change of momentum - sum of impulses, linear and angular
 *            A step drifts by dt/2 with v, kicks v to v', and drifts by dt/2 with v'. A force F in the kick gives the impulse dt F, does
 *            the work dt F . (v + v')/2 = F . (change of position), and gives the angular impulse r x dt F with r in the middle of the
 *            step. The sums over all forces are exactly the changes of kinetic energy, momentum and orbital angular momentum. Couples use
 *            (omega + omega')/2 in the same way; the gyroscopic couple at the midpoint does no work.
 *            Rates of dissipation: their impulse is the remainder of the kick; several effects share it in proportion to their rates.
 *            Prescribed velocities and spins: the impulse is mass times change. A prescribed spin also changes the gyroscopic couple at
 *            the midpoint; this change is assigned to the same effect.
 *            Muscles: the loads that follow from their own resultants.
 * models     Changes are those from the beginning to the end of each step, of the rods present in it. Changes between steps are counted in
 *            `between`; potential energies are queried before and after every run of steps. Sums are kept by the index of an effect, which
 *            is never reused
 * test       tests/test_budget.c
 */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "state/module.h"
#include "step/stages.h"
#include "step/work_meter.h"

/* ---- Data ---- */

/* Returns 1 if the work of the hooks of a stage is metered. */
static int is_metered(int stage) {
  return stage == ELI_STAGE_RESULTANTS || stage == ELI_STAGE_LOADS || stage == ELI_STAGE_REACTIONS ||
         stage == ELI_STAGE_CONSTRAIN_VELOCITY || stage == ELI_STAGE_CONSTRAIN_SPIN;
}

/* Work and impulses of an effect: on one rod in a step, or on all rods in all steps; by its loads, rates or prescribed values. */
typedef struct contribution {
  double work;       /* [J] */
  double impulse[3]; /* [N s] */
  double angular[3]; /* [N m s] about the origin of the laboratory */
} contribution;

typedef struct meter_line {
  int effect; /* index of the effect (eli_effect_body.table_index) */
  int stage;
  contribution sum;
} meter_line;

/* Energy and momentum of a rod. */
typedef struct rod_balance {
  double kinetic, elastic; /* [J] */
  double linear[3], angular[3];
} rod_balance;

/* Lanes that the meter keeps for a tile: velocities and spins at the start of the step; lanes before the current hook; the total of
 * external loads or, before they are added, of resultants; impulses of the rates. */
enum { START_VELOCITY = 0, START_OMEGA = 3, BEFORE = 6, TOTAL = 14, RATE_FORCE = 22, RATE_COUPLE = 25, KEPT_LANES = 28 };

/* The effect of one hook on a rod: impulses on nodes (3 lanes) and elements (3 lanes), and its rates (2 lanes). Index i of a lane is slot i
 * of the rod. */
enum { ENTRY_LANES = 8 };

typedef struct entry {
  const elastica_effect *effect;
  const elastica_rod *rod;
  int stage;
  double *lane[ENTRY_LANES];
} entry;

/* The meter of the tile that a worker steps. */
typedef struct tile_meter {
  eli_meter head;            /* first member, so that the meter of a report can be cast to it */
  const eli_tile_work *work; /* NULL: not inside a step */
  double *memory, *next;
  double *lane[KEPT_LANES];
  entry *entries;
  size_t count;
  size_t memory_capacity, entry_capacity;
} tile_meter;

/* All meters of a world. The lines of the last step for a rod are lines[line_begin[index]] and the next ones, line_count[index] in
 * number. */
typedef struct work_meter {
  tile_meter *meters; /* one per worker */
  int worker_count;
  meter_line *lines;
  size_t *line_begin, *line_count;
  rod_balance *before, *after; /* by index of the rod (table_index): before and after the last step */
  size_t line_capacity, rod_capacity;
  int known; /* 1: `after` holds the present energies and momenta */
} work_meter;

/* Work and impulses of an effect in one step, by kind of hook, added rod by rod: the sums do not depend on the division of rods into
 * tiles. */
typedef struct effect_step {
  contribution stage[ELI_STAGE_COUNT];
} effect_step;

/* Sums for an effect since the budget was opened. */
typedef struct effect_total {
  contribution all;
  double energy; /* energy before the present run of steps */
  double energy_change;
} effect_total;

struct elastica_budget {
  elastica_world *world;
  work_meter meter;
  effect_step *steps; /* by eli_effect_body.table_index */
  size_t step_capacity;
  effect_total *totals; /* by index of the effect, including removed effects */
  size_t total_capacity;
  elastica_budget_sum sum;
};

/* The stages with metered hooks. */
enum {
  RESULTANTS = ELI_STAGE_RESULTANTS,
  LOADS = ELI_STAGE_LOADS,
  REACTIONS = ELI_STAGE_REACTIONS,
  VELOCITY = ELI_STAGE_CONSTRAIN_VELOCITY,
  SPIN = ELI_STAGE_CONSTRAIN_SPIN
};

/* Lanes of an entry. */
enum { FORCE = 0, COUPLE = 3, DRAG = 6, SPIN_DRAG = 7 };

/* ---- Effects of a hook ---- */

static void keep(const tile_meter *meter, int to, const double *const *from, int count) {
  for (int k = 0; k < count; k++) memcpy(meter->lane[to + k], from[k], meter->work->tile->count * sizeof(double));
}

/* Lists the lanes of the tile that hooks of a stage write; returns their number. */
static int written_lanes(const eli_tile_work *work, int stage, const double *lane[ENTRY_LANES]) {
  const int first = stage == SPIN ? ELI_OMEGA : stage == VELOCITY ? ELI_VELOCITY : ELI_FORCE;
  const int count = stage == RESULTANTS ? 6 : stage == LOADS || stage == REACTIONS ? ENTRY_LANES : 3;
  for (int k = 0; k < count; k++)
    lane[k] = stage != RESULTANTS ? work->tile->lane[first + k]
              : k < 3             ? work->scratch[ELI_STRESS + k]
                                  : work->scratch[ELI_JOINT_COUPLE + k - 3];
  return count;
}

static void keep_before(const tile_meter *meter, int stage) {
  const double *lane[ENTRY_LANES];
  const int count = written_lanes(meter->work, stage, lane);
  keep(meter, BEFORE, lane, count);
}

/* Computes (J w/e) x w + (J w/e) (de/dt)/e of an element, with de/dt at the midpoint of the step or, with explicit couples, at its
 * start. */
static void velocity_couple(const tile_meter *meter, size_t j, const double w[3], double couple[3]) {
  const eli_tile_work *work = meter->work;
  double *const *lane = work->tile->lane, *const *r = lane + ELI_POSITION, *const *v = lane + ELI_VELOCITY;
  double along = 0.0, length2 = 0.0;
  for (int a = 0; a < 3; a++) {
    const double edge = r[a][j + 1] - r[a][j], *old = meter->lane[START_VELOCITY + a];
    const double before = old[j + 1] - old[j], after = v[a][j + 1] - v[a][j];
    along += edge * (work->law.explicit_couples ? before : 0.5 * (before + after));
    length2 += edge * edge;
  }
  const double e = work->law.classical ? 1.0 : lane[ELI_DILATATION][j], s = work->law.classical ? 0.0 : along / length2;
  const double J[3] = {lane[ELI_INERTIA][j], lane[ELI_INERTIA + 1][j], lane[ELI_INERTIA + 2][j]};
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    couple[a] = ((J[b] - J[c]) * (w[b] * w[c]) + s * J[a] * w[a]) / e;
  }
}

/* Returns J/e of an element. */
static double inertia_of(const tile_meter *meter, size_t j, int axis) {
  const eli_tile_work *work = meter->work;
  const double J = work->tile->lane[ELI_INERTIA + axis][j];
  return work->law.classical ? J : J / work->tile->lane[ELI_DILATATION][j];
}

/* The spin at which the kick evaluates the velocity-dependent couple, if the kick ends with the spin w. */
static void middle_spin(const tile_meter *meter, size_t j, const double w[3], double middle[3]) {
  for (int a = 0; a < 3; a++) {
    const double start = meter->lane[START_OMEGA + a][j];
    middle[a] = meter->work->law.explicit_couples ? start : 0.5 * (start + w[a]);
  }
}

/* Impulse of a prescribed spin: J/e (w' - w) and the change of the velocity-dependent couple. */
static void prescribed_spin(const tile_meter *meter, const entry *to, size_t first, int i) {
  const size_t j = first + (size_t)i;
  double w[2][3], middle[3], couple[2][3];
  for (int a = 0; a < 3; a++) w[0][a] = meter->lane[BEFORE + a][j], w[1][a] = meter->work->tile->lane[ELI_OMEGA + a][j];
  for (int k = 0; k < 2; k++) {
    middle_spin(meter, j, w[k], middle);
    velocity_couple(meter, j, middle, couple[k]);
  }
  for (int a = 0; a < 3; a++)
    to->lane[COUPLE + a][i] = inertia_of(meter, j, a) * (w[1][a] - w[0][a]) + meter->work->now.dt * (couple[0][a] - couple[1][a]);
}

static entry *add_entry(tile_meter *meter, const elastica_effect *effect, const elastica_rod *rod, int stage) {
  const size_t slots = (size_t)rod->element_count + 1;
  assert(meter->count < meter->entry_capacity);
  assert((size_t)(meter->next - meter->memory) + ENTRY_LANES * slots <= meter->memory_capacity);
  entry *to = &meter->entries[meter->count++];
  *to = (entry){effect, rod, stage, {NULL}};
  memset(meter->next, 0, ENTRY_LANES * slots * sizeof(double));
  for (int k = 0; k < ENTRY_LANES; k++, meter->next += slots) to->lane[k] = meter->next;
  return to;
}

/* Loads that hooks add to the ghost of a ring's node 0 belong to node 0; values that reactions and constraints write there are lost. */
static void close_entry(const entry *to) {
  const size_t ghost = (size_t)to->rod->element_count;
  if (!to->rod->closed) return;
  for (int k = FORCE; k < FORCE + 3; k++) to->lane[k][0] += to->stage == LOADS ? to->lane[k][ghost] : 0.0;
  to->lane[DRAG][0] += to->stage == LOADS ? to->lane[DRAG][ghost] : 0.0;
}

static void saw(eli_meter *head, const elastica_effect *effect, const elastica_rod *rod, eli_hook hook) {
  tile_meter *meter = (tile_meter *)head;
  int stage = 0;
  while (stage < ELI_STAGE_COUNT && (eli_stages[stage].hook != (int)hook || !is_metered(stage))) stage++;
  if (stage == ELI_STAGE_COUNT || meter->work == NULL) return;
  const eli_tile_work *work = meter->work;
  const double *lane[ENTRY_LANES];
  const int count = written_lanes(work, stage, lane);
  const size_t first = eli_first_slot(work, rod);
  entry *to = add_entry(meter, effect, rod, stage);
  for (int i = 0; i <= rod->element_count; i++) {
    const size_t slot = first + (size_t)i;
    if (stage == SPIN && i < rod->element_count) prescribed_spin(meter, to, first, i);
    for (int k = 0; k < count; k++) {
      const double change = lane[k][slot] - meter->lane[BEFORE + k][slot];
      const double factor = stage == VELOCITY ? work->tile->lane[ELI_MASS][slot] : stage == RESULTANTS || k >= DRAG ? 1.0 : work->now.dt;
      if (stage != SPIN) to->lane[k][i] = factor * change;
      meter->lane[BEFORE + k][slot] = lane[k][slot];
    }
  }
  close_entry(to);
}

/* Adds the loads of effects between rods, which the pair phase has already added to the lanes. */
static void add_pair_loads(tile_meter *meter) {
  const elastica_world *world = meter->work->world;
  int number = 0;
  ELI_EACH_PAIR_EFFECT(effect, world) {
    ELI_EACH_ROD(rod, world, meter->work->tile) {
      const entry *to = add_entry(meter, effect, rod, LOADS);
      for (int k = 0; k < ELI_PAIR_LANES; k++)
        for (int i = 0; i <= rod->element_count; i++)
          to->lane[k][i] = meter->work->now.dt * eli_pair_phase_added(world, number, k)[rod->offset + (size_t)i];
      close_entry(to);
    }
    number++;
  }
}

/* ---- Muscles ---- */

/* Writes only the resultants of entry number `round` of each rod to the lanes of stresses and couples. Returns 0 if there is none. */
static int show_resultants(const tile_meter *meter, size_t round) {
  const eli_tile_work *work = meter->work;
  int found = 0;
  size_t of_rod = 0;
  for (int a = 0; a < 3; a++) {
    memset(work->scratch[ELI_STRESS + a], 0, work->tile->count * sizeof(double));
    memset(work->scratch[ELI_JOINT_COUPLE + a], 0, work->tile->count * sizeof(double));
  }
  for (size_t k = 0; k < meter->count; k++) {
    const entry *from = &meter->entries[k];
    of_rod = k > 0 && meter->entries[k - 1].rod == from->rod ? of_rod + 1 : 0;
    if (of_rod != round) continue;
    const size_t first = eli_first_slot(work, from->rod), n = (size_t)from->rod->element_count;
    found = 1;
    for (int a = 0; a < 3; a++) {
      memcpy(work->scratch[ELI_STRESS + a] + first, from->lane[FORCE + a], (n + 1) * sizeof(double));
      memcpy(work->scratch[ELI_JOINT_COUPLE + a] + first, from->lane[COUPLE + a], (n + 1) * sizeof(double));
      if (from->rod->closed) work->scratch[ELI_JOINT_COUPLE + a][first + n] = from->lane[COUPLE + a][0];
    }
  }
  return found;
}

/* Replaces the resultants in these entries by the impulses of the loads that follow from them. */
static void take_loads(const tile_meter *meter, size_t round) {
  const eli_tile_work *work = meter->work;
  size_t of_rod = 0;
  for (size_t k = 0; k < meter->count; k++) {
    const entry *to = &meter->entries[k];
    of_rod = k > 0 && meter->entries[k - 1].rod == to->rod ? of_rod + 1 : 0;
    if (of_rod != round) continue;
    const size_t first = eli_first_slot(work, to->rod);
    for (int i = 0; i <= to->rod->element_count; i++)
      for (int a = 0; a < 3; a++) {
        to->lane[FORCE + a][i] = work->now.dt * work->scratch[ELI_INTERNAL_FORCE + a][first + (size_t)i];
        to->lane[COUPLE + a][i] = work->now.dt * work->scratch[ELI_INTERNAL_COUPLE + a][first + (size_t)i];
      }
  }
}

/* At this stage all entries contain resultants. */
static void convert_resultants(const tile_meter *meter) {
  const eli_tile_work *work = meter->work;
  const double *lane[ENTRY_LANES];
  if (meter->count == 0) return;
  written_lanes(work, RESULTANTS, lane);
  keep(meter, TOTAL, lane, 6);
  for (size_t round = 0; show_resultants(meter, round); round++) {
    eli_internal_loads_from_resultants(work);
    eli_gather_internal_loads(work);
    take_loads(meter, round);
  }
  for (int a = 0; a < 3; a++) {
    memcpy(work->scratch[ELI_STRESS + a], meter->lane[TOTAL + a], work->tile->count * sizeof(double));
    memcpy(work->scratch[ELI_JOINT_COUPLE + a], meter->lane[TOTAL + 3 + a], work->tile->count * sizeof(double));
  }
}

/* ---- The kick ---- */

static void rates_of_nodes(const tile_meter *meter) {
  const eli_tile_work *work = meter->work;
  double *const *lane = work->tile->lane;
  ELI_EACH_ROD(rod, work->world, work->tile) {
    for (size_t i = eli_first_slot(work, rod), end = i + (size_t)rod->body->view.node_count; i < end; i++) {
      if (!(meter->lane[TOTAL + DRAG][i] != 0.0)) continue;
      for (int a = 0; a < 3; a++) {
        const double change = lane[ELI_VELOCITY + a][i] - meter->lane[START_VELOCITY + a][i];
        const double force = work->scratch[ELI_INTERNAL_FORCE + a][i] + meter->lane[TOTAL + FORCE + a][i];
        meter->lane[RATE_FORCE + a][i] = lane[ELI_MASS][i] * change - work->now.dt * force;
      }
    }
  }
}

static void rates_of_elements(const tile_meter *meter) {
  const eli_tile_work *work = meter->work;
  ELI_EACH_ROD(rod, work->world, work->tile) {
    for (size_t j = eli_first_slot(work, rod), end = j + (size_t)rod->element_count; j < end; j++) {
      double w[3], middle[3], couple[3];
      if (!(meter->lane[TOTAL + SPIN_DRAG][j] != 0.0)) continue;
      for (int a = 0; a < 3; a++) w[a] = work->tile->lane[ELI_OMEGA + a][j];
      middle_spin(meter, j, w, middle);
      velocity_couple(meter, j, middle, couple);
      for (int a = 0; a < 3; a++) {
        const double all = work->scratch[ELI_INTERNAL_COUPLE + a][j] + meter->lane[TOTAL + COUPLE + a][j] + couple[a];
        meter->lane[RATE_COUPLE + a][j] = inertia_of(meter, j, a) * (w[a] - meter->lane[START_OMEGA + a][j]) - work->now.dt * all;
      }
    }
  }
}

/* ---- Work and impulses of a tile ---- */

/* Returns the impulse of an entry with its share of the impulse of all rates. */
static void impulse_at(const tile_meter *meter, const entry *of, int kind, int i, size_t slot, double impulse[3]) {
  const int rate = kind == FORCE ? DRAG : SPIN_DRAG, lane = kind == FORCE ? RATE_FORCE : RATE_COUPLE;
  const double own = of->lane[rate][i], share = own != 0.0 ? own / meter->lane[TOTAL + rate][slot] : 0.0;
  for (int a = 0; a < 3; a++) {
    impulse[a] = of->lane[kind + a][i];
    if (share != 0.0) impulse[a] += share * meter->lane[lane + a][slot];
  }
}

static void add_nodes(const tile_meter *meter, const entry *of, contribution *to) {
  double *const *lane = meter->work->tile->lane;
  const size_t first = eli_first_slot(meter->work, of->rod);
  for (int i = 0; i < of->rod->body->view.node_count; i++) {
    const size_t slot = first + (size_t)i;
    double p[3];
    impulse_at(meter, of, FORCE, i, slot, p);
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      to->work += p[a] * (0.5 * (meter->lane[START_VELOCITY + a][slot] + lane[ELI_VELOCITY + a][slot]));
      to->impulse[a] += p[a];
      to->angular[a] += lane[ELI_POSITION + b][slot] * p[c] - lane[ELI_POSITION + c][slot] * p[b];
    }
  }
}

static void add_elements(const tile_meter *meter, const entry *of, contribution *to) {
  double *const *lane = meter->work->tile->lane;
  const size_t first = eli_first_slot(meter->work, of->rod);
  for (int j = 0; j < of->rod->element_count; j++) {
    const size_t slot = first + (size_t)j;
    double couple[3], turned[3];
    impulse_at(meter, of, COUPLE, j, slot, couple);
    elastica_rotate_to_laboratory(&of->rod->body->view, j, couple, turned);
    for (int a = 0; a < 3; a++) {
      to->work += couple[a] * (0.5 * (meter->lane[START_OMEGA + a][slot] + lane[ELI_OMEGA + a][slot]));
      to->angular[a] += turned[a];
    }
  }
}

static void write_lines(const tile_meter *meter) {
  const eli_tile_work *work = meter->work;
  work_meter *all = &work->world->budget->meter;
  ELI_EACH_ROD(rod, work->world, work->tile) all->line_count[rod->body->table_index] = 0;
  for (size_t k = 0; k < meter->count; k++) {
    const entry *of = &meter->entries[k];
    const int rod = of->rod->body->table_index;
    meter_line *line = &all->lines[all->line_begin[rod] + all->line_count[rod]++];
    *line = (meter_line){of->effect->body->table_index, of->stage, {0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    add_nodes(meter, of, &line->sum);
    add_elements(meter, of, &line->sum);
  }
}

/* ---- A step ---- */

static void begin_metering(tile_meter *meter, const eli_tile_work *work) {
  const double *lane[ENTRY_LANES];
  meter->work = work;
  meter->count = 0;
  for (int k = 0; k < KEPT_LANES; k++) meter->lane[k] = meter->memory + (size_t)k * work->tile->count;
  meter->next = meter->memory + KEPT_LANES * work->tile->count;
  written_lanes(work, VELOCITY, lane);
  keep(meter, START_VELOCITY, lane, 3);
  written_lanes(work, SPIN, lane);
  keep(meter, START_OMEGA, lane, 3);
}

static void keep_total(const tile_meter *meter) {
  const double *lane[ENTRY_LANES];
  written_lanes(meter->work, LOADS, lane);
  keep(meter, TOTAL, lane, ENTRY_LANES);
}

static void before(eli_meter *head, const eli_tile_work *work, int stage) {
  tile_meter *meter = (tile_meter *)head;
  if (stage == ELI_STAGE_GEOMETRY) begin_metering(meter, work);
  if (stage == LOADS) add_pair_loads(meter);
  if (is_metered(stage)) keep_before(meter, stage);
}

static void after(eli_meter *head, const eli_tile_work *work, int stage) {
  tile_meter *meter = (tile_meter *)head;
  (void)work;
  if (stage == RESULTANTS) convert_resultants(meter);
  if (stage == REACTIONS) keep_total(meter);
  if (stage == ELI_STAGE_KICK_VELOCITY) rates_of_nodes(meter);
  if (stage == ELI_STAGE_KICK_SPIN) rates_of_elements(meter);
  if (stage != SPIN) return;
  write_lines(meter);
  meter->work = NULL;
}

static const eli_meter meter_calls = {before, after, saw};

/* ---- Memory of meters ---- */

/* Counts the lines of a rod: one for each pair of effect and stage on it, and one for each effect between rods. */
static size_t count_lines(const elastica_world *world, const elastica_rod *rod) {
  size_t lines = (size_t)world->pair_phase.enabled;
  for (int s = 0; s < ELI_STAGE_COUNT; s++)
    if (is_metered(s)) lines += rod->body->hooks->first[eli_stages[s].hook + 1] - rod->body->hooks->first[eli_stages[s].hook];
  return lines;
}

static int enlarge(const eli_allocator *allocator, void *block_at, size_t *capacity, size_t count, size_t size) {
  void *block, *larger;
  if (*capacity >= count) return 1;
  larger = eli_allocate(allocator, count, size);
  if (larger == NULL) return 0;
  memcpy(&block, block_at, sizeof block);
  eli_release(allocator, block);
  memcpy(block_at, &larger, sizeof larger);
  *capacity = count;
  return 1;
}

static int reserve_meters(elastica_world *world, work_meter *all, size_t numbers, size_t entries) {
  if (all->meters == NULL) {
    all->meters = eli_allocate(&world->allocator, (size_t)world->scratch.worker_count, sizeof *all->meters);
    if (all->meters == NULL) return 0;
    all->worker_count = world->scratch.worker_count;
  }
  for (int w = 0; w < all->worker_count; w++) {
    tile_meter *meter = &all->meters[w];
    meter->head = meter_calls;
    if (!enlarge(&world->allocator, &meter->memory, &meter->memory_capacity, numbers, sizeof(double)) ||
        !enlarge(&world->allocator, &meter->entries, &meter->entry_capacity, entries, sizeof(entry)))
      return 0;
  }
  return 1;
}

static int reserve_rods(elastica_world *world, work_meter *all) {
  const eli_allocator *allocator = &world->allocator;
  const size_t rods = (size_t)eli_indices_count(&world->bodies.indices);
  size_t capacity[3] = {all->rod_capacity, all->rod_capacity, all->rod_capacity};
  return enlarge(allocator, &all->line_begin, &capacity[0], rods, sizeof *all->line_begin) &&
         enlarge(allocator, &all->line_count, &capacity[1], rods, sizeof *all->line_count) &&
         enlarge(allocator, &all->before, &capacity[2], rods, sizeof *all->before) &&
         enlarge(allocator, &all->after, &all->rod_capacity, rods, sizeof *all->after);
}

/* Allocates lines for all rods; and for the meter of a tile, one entry for each line of its rods and the numbers of entries and kept
 * lanes. */
static int reserve_meter(elastica_world *world, work_meter *all) {
  size_t lines = 0, numbers = 1, entries = 1;
  all->known = 0;
  if (!reserve_rods(world, all)) return 0;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    const eli_tile *tile = &world->bodies.slab.tiles[t];
    size_t own = 0, room = KEPT_LANES * tile->count;
    ELI_EACH_ROD(rod, world, tile) {
      const size_t count = count_lines(world, rod);
      all->line_begin[rod->body->table_index] = lines + own;
      all->line_count[rod->body->table_index] = 0;
      own += count;
      room += count * ENTRY_LANES * ((size_t)rod->element_count + 1);
    }
    lines += own;
    if (own > entries) entries = own;
    if (room > numbers) numbers = room;
  }
  return eli_pair_phase_reserve_added(world) && enlarge(&world->allocator, &all->lines, &all->line_capacity, lines, sizeof *all->lines) &&
         reserve_meters(world, all, numbers, entries);
}

static void release_meter(elastica_world *world, work_meter *all) {
  for (int w = 0; w < all->worker_count; w++) {
    eli_release(&world->allocator, all->meters[w].memory);
    eli_release(&world->allocator, all->meters[w].entries);
  }
  eli_release(&world->allocator, all->meters);
  eli_release(&world->allocator, all->lines);
  eli_release(&world->allocator, all->line_begin);
  eli_release(&world->allocator, all->line_count);
  eli_release(&world->allocator, all->before);
  eli_release(&world->allocator, all->after);
}

/* ---- Energy and momentum of rods ---- */

/* Computes energy and momentum of the rods of a tile at their present state. */
static void measure(const eli_tile_work *of, rod_balance *balances) {
  eli_tile_report ignored = {0};
  eli_tile_work work = *of;
  work.report = &ignored;
  eli_geometry(&work);
  eli_strains(&work);
  ELI_EACH_ROD(rod, work.world, work.tile) {
    const elastica_totals totals = eli_rod_totals(&rod->body->view);
    rod_balance *own = &balances[rod->body->table_index];
    own->kinetic = totals.translation + totals.rotation;
    own->elastic = totals.bending + totals.shear;
    memcpy(own->linear, totals.linear, sizeof own->linear);
    memcpy(own->angular, totals.angular, sizeof own->angular);
    eli_rod_forget_derived(rod);
  }
}

void eli_tile_meter_measure(const eli_tile_work *work) {
  const work_meter *all = &work->world->budget->meter;
  if (!all->known) {
    measure(work, all->before);
    return;
  }
  ELI_EACH_ROD(rod, work->world, work->tile) all->before[rod->body->table_index] = all->after[rod->body->table_index];
}

void eli_tile_meter_begin(eli_tile_work *work, int worker) {
  work->report->meter = &work->world->budget->meter.meters[worker].head;
  if (!eli_world_has_pair_phase(work->world)) eli_tile_meter_measure(work);
}

void eli_tile_meter_end(const eli_tile_work *work) {
  measure(work, work->world->budget->meter.after);
  work->report->meter = NULL;
}

/* ---- Memory of a budget ---- */

/* Enlarges a block to twice `count` if it has fewer elements, and keeps its contents. Returns NULL if memory runs out. */
static void *grow(const elastica_budget *budget, void *block, size_t *capacity, size_t count, size_t size) {
  const eli_allocator *allocator = &budget->world->allocator;
  if (*capacity >= count) return block;
  void *larger = eli_allocate(allocator, 2 * count, size);
  if (larger == NULL) return NULL;
  if (block != NULL) memcpy(larger, block, *capacity * size);
  eli_release(allocator, block);
  *capacity = 2 * count;
  return larger;
}

static int reserve_effects(elastica_budget *budget) {
  elastica_world *world = budget->world;
  const size_t indices = (size_t)eli_indices_count(&world->effects.indices), numbers = (size_t)world->effects.count;
  effect_step *steps = grow(budget, budget->steps, &budget->step_capacity, indices, sizeof *steps);
  if (steps != NULL) budget->steps = steps;
  effect_total *totals = grow(budget, budget->totals, &budget->total_capacity, numbers, sizeof *totals);
  if (totals != NULL) budget->totals = totals;
  return (steps != NULL || indices == 0) && (totals != NULL || numbers == 0);
}

elastica_status eli_budget_begin(elastica_budget *budget) {
  elastica_world *world = budget->world;
  if (!reserve_effects(budget) || !reserve_meter(world, &budget->meter))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "budget: no memory for the work meter");
  ELI_EACH_EFFECT_OF_WORLD(effect, world) budget->totals[effect->index].energy = elastica_effect_energy(effect);
  return ELASTICA_OK;
}

void eli_budget_end(elastica_budget *budget) {
  ELI_EACH_EFFECT_OF_WORLD(effect, budget->world) {
    effect_total *of = &budget->totals[effect->index];
    of->energy_change += elastica_effect_energy(effect) - of->energy;
  }
}

static void release_all(elastica_budget *budget) {
  elastica_world *world = budget->world;
  release_meter(world, &budget->meter);
  eli_release(&world->allocator, budget->steps);
  eli_release(&world->allocator, budget->totals);
  eli_release(&world->allocator, budget);
}

void eli_budget_release(elastica_world *world) {
  if (world->budget != NULL) release_all(world->budget);
  world->budget = NULL;
}

/* ---- Sums of a budget ---- */

static void add_contribution(contribution *to, const contribution *from) {
  to->work += from->work;
  for (int a = 0; a < 3; a++) {
    to->impulse[a] += from->impulse[a];
    to->angular[a] += from->angular[a];
  }
}

/* Adds the lines of all rods in order of addition, which does not depend on holes in tiles, and writes their sum to `all`. */
static void add_lines(elastica_budget *budget, contribution *all) {
  const work_meter *meter = &budget->meter;
  memset(all, 0, sizeof *all);
  ELI_EACH_EFFECT_OF_WORLD(effect, budget->world)
  memset(&budget->steps[effect->body->table_index], 0, sizeof *budget->steps);
  ELI_EACH_ROD_OF_WORLD(rod, budget->world)
  for (size_t k = 0; k < meter->line_count[rod->body->table_index]; k++) {
    const meter_line *line = &meter->lines[meter->line_begin[rod->body->table_index] + k];
    add_contribution(&budget->steps[line->effect].stage[line->stage], &line->sum);
  }
  ELI_EACH_EFFECT_OF_WORLD(effect, budget->world) {
    const effect_step *step = &budget->steps[effect->body->table_index];
    for (int s = 0; s < ELI_STAGE_COUNT; s++) {
      if (!is_metered(s)) continue;
      add_contribution(&budget->totals[effect->index].all, &step->stage[s]);
      add_contribution(all, &step->stage[s]);
    }
  }
}

/* Computes energy and momentum of all rods, their changes in the step, and the change of energy since the step before. That is exactly 0 if
 * no rod was changed in between, because both sums then have the same terms. */
static void add_balances(elastica_budget *budget, rod_balance *change) {
  const work_meter *meter = &budget->meter;
  elastica_budget_sum *sum = &budget->sum;
  const double had_kinetic = sum->kinetic, had_elastic = sum->elastic;
  double kinetic = 0.0, elastic = 0.0;
  memset(change, 0, sizeof *change);
  sum->kinetic = sum->elastic = 0.0;
  ELI_EACH_ROD_OF_WORLD(rod, budget->world) {
    const rod_balance *before = &meter->before[rod->body->table_index], *after = &meter->after[rod->body->table_index];
    kinetic += before->kinetic;
    elastic += before->elastic;
    sum->kinetic += after->kinetic;
    sum->elastic += after->elastic;
    change->kinetic += after->kinetic - before->kinetic;
    change->elastic += after->elastic - before->elastic;
    for (int a = 0; a < 3; a++) {
      change->linear[a] += after->linear[a] - before->linear[a];
      change->angular[a] += after->angular[a] - before->angular[a];
    }
  }
  if (sum->step_count > 0) sum->between += (kinetic - had_kinetic) + (elastic - had_elastic);
}

void eli_budget_add_step(elastica_budget *budget, double dt) {
  elastica_budget_sum *sum = &budget->sum;
  contribution all;
  rod_balance change;
  budget->meter.known = 1;
  add_lines(budget, &all);
  add_balances(budget, &change);
  sum->kinetic_change += change.kinetic;
  sum->elastic_change += change.elastic;
  sum->work += all.work;
  sum->step_residual = change.kinetic + change.elastic - all.work;
  sum->residual += sum->step_residual;
  if (fabs(sum->step_residual) > sum->largest_step_residual) {
    sum->largest_step_residual = fabs(sum->step_residual);
    sum->largest_step = budget->world->clock.step_count - 1;
  }
  for (int a = 0; a < 3; a++) {
    sum->momentum_change[a] += change.linear[a];
    sum->angular_change[a] += change.angular[a];
    sum->impulse[a] += all.impulse[a];
    sum->angular_impulse[a] += all.angular[a];
  }
  sum->step_count++;
  sum->duration += dt;
}

/* ---- Public functions ---- */

/* Opening or closing a budget changes the requirements of tiles, because a budget meters every hook. */
static void outdate_requirements(elastica_world *world) {
  ELI_EACH_ROD_OF_WORLD(rod, world) eli_rod_outdate(rod, ELI_STALE_LISTS);
}

elastica_status elastica_budget_open(elastica_world *world, elastica_budget **out) {
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "budget_open: out is NULL");
  elastica_status status = eli_world_check_open(world, "budget_open", 1);
  if (status != ELASTICA_OK) return status;
  if (world->budget != NULL) return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "budget_open: the world has a budget already");
  elastica_budget *budget = eli_allocate(&world->allocator, 1, sizeof *budget);
  if (budget != NULL) budget->world = world;
  if (budget == NULL || !reserve_effects(budget)) {
    if (budget != NULL) release_all(budget);
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "budget_open: no memory for a budget");
  }
  budget->sum.largest_step = -1;
  world->budget = budget;
  outdate_requirements(world);
  *out = budget;
  return ELASTICA_OK;
}

void elastica_budget_close(elastica_budget *budget) {
  if (budget == NULL || budget->world->calls.in_hook) return;
  elastica_world *world = budget->world;
  eli_budget_release(world);
  outdate_requirements(world);
}

elastica_status elastica_budget_get(elastica_budget *budget, elastica_budget_sum *out) {
  if (budget == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return elastica_world_refuse(budget->world, ELASTICA_INVALID_ARGUMENT, "budget_get: out is NULL");
  const elastica_status status = eli_check_outside_hook(budget->world, "budget_get");
  if (status == ELASTICA_OK) *out = budget->sum;
  return status;
}

elastica_status elastica_budget_get_effect(elastica_budget *budget, int effect, elastica_budget_share *out) {
  if (budget == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_world *world = budget->world;
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "budget_get_effect: out is NULL");
  const elastica_status status = eli_check_outside_hook(world, "budget_get_effect");
  if (status != ELASTICA_OK) return status;
  if (effect < 0 || effect >= world->effects.count)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "budget_get_effect: effect = %d, but %d effects have been added", effect,
                                 world->effects.count);
  memset(out, 0, sizeof *out);
  out->energy = elastica_effect_energy(world->effects.all[effect]); /* 0 if the effect was removed */
  if ((size_t)effect >= budget->total_capacity) return ELASTICA_OK;
  const effect_total *of = &budget->totals[effect];
  out->work = of->all.work;
  out->energy_change = of->energy_change;
  memcpy(out->impulse, of->all.impulse, sizeof out->impulse);
  memcpy(out->angular_impulse, of->all.angular, sizeof out->angular_impulse);
  return ELASTICA_OK;
}
