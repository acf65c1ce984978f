/* The work meter: work, impulse and angular impulse of each effect in a step, for an open budget.
 *
 * equation   A step drifts by dt/2 with v, kicks v to v', and drifts by dt/2 with v'. A force F in the kick gives the impulse dt F, does
 *            the work dt F . (v + v')/2 = F . (change of position), and gives the angular impulse r x dt F with r in the middle of the
 *            step. The sums over all forces are exactly the changes of kinetic energy, momentum and orbital angular momentum. Couples use
 *            (omega + omega')/2 in the same way; the gyroscopic couple at the midpoint does no work.
 *            Rates of dissipation: their impulse is the remainder of the kick; several effects share it in proportion to their rates.
 *            Prescribed velocities and spins: the impulse is mass times change. A prescribed spin also changes the gyroscopic couple at
 *            the midpoint; this change is assigned to the same effect.
 *            Muscles: the loads that follow from their own resultants.
 * test       tests/test_budget.c
 */
#include "base/target.h"

#include <string.h>

#include "step/account.h"

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

static void keep(const eli_tile_meter *meter, int to, const double *const *from, int count) {
  for (int k = 0; k < count; k++) memcpy(meter->lane[to + k], from[k], meter->work->tile->count * sizeof(double));
}

/* Lists the lanes of the tile that hooks of a stage write; returns their number. */
static int written_lanes(const eli_work *work, int stage, const double *lane[ELI_ENTRY_LANES]) {
  const int first = stage == SPIN ? ELI_OMEGA : stage == VELOCITY ? ELI_VELOCITY : ELI_FORCE;
  const int count = stage == RESULTANTS ? 6 : stage == LOADS || stage == REACTIONS ? ELI_ENTRY_LANES : 3;
  for (int k = 0; k < count; k++)
    lane[k] = stage != RESULTANTS ? work->tile->lane[first + k]
              : k < 3             ? work->scratch[ELI_STRESS + k]
                                  : work->scratch[ELI_JOINT_COUPLE + k - 3];
  return count;
}

static void keep_before(const eli_tile_meter *meter, int stage) {
  const double *lane[ELI_ENTRY_LANES];
  const int count = written_lanes(meter->work, stage, lane);
  keep(meter, ELI_BEFORE, lane, count);
}

/* Computes (J w/e) x w + (J w/e) (de/dt)/e of an element, with de/dt at the midpoint of the step or, with explicit couples, at its
 * start. */
static void velocity_couple(const eli_tile_meter *meter, size_t j, const double w[3], double couple[3]) {
  const eli_work *work = meter->work;
  double *const *lane = work->tile->lane, *const *r = lane + ELI_POSITION, *const *v = lane + ELI_VELOCITY;
  double along = 0.0, length2 = 0.0;
  for (int a = 0; a < 3; a++) {
    const double edge = r[a][j + 1] - r[a][j], *old = meter->lane[ELI_START_VELOCITY + a];
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
static double inertia_of(const eli_tile_meter *meter, size_t j, int axis) {
  const eli_work *work = meter->work;
  const double J = work->tile->lane[ELI_INERTIA + axis][j];
  return work->law.classical ? J : J / work->tile->lane[ELI_DILATATION][j];
}

/* The spin at which the kick evaluates the velocity-dependent couple, if the kick ends with the spin w. */
static void middle_spin(const eli_tile_meter *meter, size_t j, const double w[3], double middle[3]) {
  for (int a = 0; a < 3; a++) {
    const double start = meter->lane[ELI_START_OMEGA + a][j];
    middle[a] = meter->work->law.explicit_couples ? start : 0.5 * (start + w[a]);
  }
}

/* Impulse of a prescribed spin: J/e (w' - w) and the change of the velocity-dependent couple. */
static void prescribed_spin(const eli_tile_meter *meter, const eli_meter_entry *to, size_t first, int i) {
  const size_t j = first + (size_t)i;
  double w[2][3], middle[3], couple[2][3];
  for (int a = 0; a < 3; a++) w[0][a] = meter->lane[ELI_BEFORE + a][j], w[1][a] = meter->work->tile->lane[ELI_OMEGA + a][j];
  for (int k = 0; k < 2; k++) {
    middle_spin(meter, j, w[k], middle);
    velocity_couple(meter, j, middle, couple[k]);
  }
  for (int a = 0; a < 3; a++)
    to->lane[COUPLE + a][i] = inertia_of(meter, j, a) * (w[1][a] - w[0][a]) + meter->work->dt * (couple[0][a] - couple[1][a]);
}

static eli_meter_entry *add_entry(eli_tile_meter *meter, const elastica_effect *effect, const elastica_rod *rod, int stage) {
  const size_t slots = (size_t)rod->element_count + 1;
  assert(meter->count < meter->entry_capacity);
  assert((size_t)(meter->next - meter->memory) + ELI_ENTRY_LANES * slots <= meter->memory_capacity);
  eli_meter_entry *to = &meter->entries[meter->count++];
  *to = (eli_meter_entry){effect, rod, stage, {NULL}};
  memset(meter->next, 0, ELI_ENTRY_LANES * slots * sizeof(double));
  for (int k = 0; k < ELI_ENTRY_LANES; k++, meter->next += slots) to->lane[k] = meter->next;
  return to;
}

/* Loads that hooks add to the ghost of a ring's node 0 belong to node 0; values that reactions and constraints write there are lost. */
static void close_entry(const eli_meter_entry *to) {
  const size_t ghost = (size_t)to->rod->element_count;
  if (!to->rod->closed) return;
  for (int k = FORCE; k < FORCE + 3; k++) to->lane[k][0] += to->stage == LOADS ? to->lane[k][ghost] : 0.0;
  to->lane[DRAG][0] += to->stage == LOADS ? to->lane[DRAG][ghost] : 0.0;
}

static void saw(eli_meter *head, const elastica_effect *effect, const elastica_rod *rod, eli_hook hook) {
  eli_tile_meter *meter = (eli_tile_meter *)head;
  int stage = 0;
  while (stage < ELI_STAGE_COUNT && (eli_stages[stage].hook != (int)hook || !eli_is_metered(stage))) stage++;
  if (stage == ELI_STAGE_COUNT || meter->work == NULL) return;
  const eli_work *work = meter->work;
  const double *lane[ELI_ENTRY_LANES];
  const int count = written_lanes(work, stage, lane);
  const size_t first = eli_first_slot(work, rod);
  eli_meter_entry *to = add_entry(meter, effect, rod, stage);
  for (int i = 0; i <= rod->element_count; i++) {
    const size_t slot = first + (size_t)i;
    if (stage == SPIN && i < rod->element_count) prescribed_spin(meter, to, first, i);
    for (int k = 0; k < count; k++) {
      const double change = lane[k][slot] - meter->lane[ELI_BEFORE + k][slot];
      const double factor = stage == VELOCITY ? work->tile->lane[ELI_MASS][slot] : stage == RESULTANTS || k >= DRAG ? 1.0 : work->dt;
      if (stage != SPIN) to->lane[k][i] = factor * change;
      meter->lane[ELI_BEFORE + k][slot] = lane[k][slot];
    }
  }
  close_entry(to);
}

/* Adds the loads of effects between rods, which the pair phase has already added to the lanes. */
static void add_pair_loads(eli_tile_meter *meter) {
  const elastica_world *world = meter->work->world;
  int number = 0;
  ELI_EACH_PAIR_EFFECT(effect, world) {
    ELI_EACH_ROD(rod, world, meter->work->tile) {
      const eli_meter_entry *to = add_entry(meter, effect, rod, LOADS);
      for (int k = 0; k < ELI_PAIR_LANES; k++)
        for (int i = 0; i <= rod->element_count; i++)
          to->lane[k][i] = meter->work->dt * eli_pair_phase_added(world, number, k)[rod->offset + (size_t)i];
      close_entry(to);
    }
    number++;
  }
}

/* ---- Muscles ---- */

/* Writes only the resultants of entry number `round` of each rod to the lanes of stresses and couples. Returns 0 if there is none. */
static int show_resultants(const eli_tile_meter *meter, size_t round) {
  const eli_work *work = meter->work;
  int found = 0;
  size_t of_rod = 0;
  for (int a = 0; a < 3; a++) {
    memset(work->scratch[ELI_STRESS + a], 0, work->tile->count * sizeof(double));
    memset(work->scratch[ELI_JOINT_COUPLE + a], 0, work->tile->count * sizeof(double));
  }
  for (size_t k = 0; k < meter->count; k++) {
    const eli_meter_entry *from = &meter->entries[k];
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
static void take_loads(const eli_tile_meter *meter, size_t round) {
  const eli_work *work = meter->work;
  size_t of_rod = 0;
  for (size_t k = 0; k < meter->count; k++) {
    const eli_meter_entry *to = &meter->entries[k];
    of_rod = k > 0 && meter->entries[k - 1].rod == to->rod ? of_rod + 1 : 0;
    if (of_rod != round) continue;
    const size_t first = eli_first_slot(work, to->rod);
    for (int i = 0; i <= to->rod->element_count; i++)
      for (int a = 0; a < 3; a++) {
        to->lane[FORCE + a][i] = work->dt * work->scratch[ELI_INTERNAL_FORCE + a][first + (size_t)i];
        to->lane[COUPLE + a][i] = work->dt * work->scratch[ELI_INTERNAL_COUPLE + a][first + (size_t)i];
      }
  }
}

/* At this stage all entries contain resultants. */
static void convert_resultants(const eli_tile_meter *meter) {
  const eli_work *work = meter->work;
  const double *lane[ELI_ENTRY_LANES];
  if (meter->count == 0) return;
  written_lanes(work, RESULTANTS, lane);
  keep(meter, ELI_TOTAL, lane, 6);
  for (size_t round = 0; show_resultants(meter, round); round++) {
    eli_internal_loads_from_resultants(work);
    eli_gather_internal_loads(work);
    take_loads(meter, round);
  }
  for (int a = 0; a < 3; a++) {
    memcpy(work->scratch[ELI_STRESS + a], meter->lane[ELI_TOTAL + a], work->tile->count * sizeof(double));
    memcpy(work->scratch[ELI_JOINT_COUPLE + a], meter->lane[ELI_TOTAL + 3 + a], work->tile->count * sizeof(double));
  }
}

/* ---- The kick ---- */

static void rates_of_nodes(const eli_tile_meter *meter) {
  const eli_work *work = meter->work;
  double *const *lane = work->tile->lane;
  ELI_EACH_ROD(rod, work->world, work->tile) {
    for (size_t i = eli_first_slot(work, rod), end = i + (size_t)rod->body->view.node_count; i < end; i++) {
      if (!(meter->lane[ELI_TOTAL + DRAG][i] != 0.0)) continue;
      for (int a = 0; a < 3; a++) {
        const double change = lane[ELI_VELOCITY + a][i] - meter->lane[ELI_START_VELOCITY + a][i];
        const double force = work->scratch[ELI_INTERNAL_FORCE + a][i] + meter->lane[ELI_TOTAL + FORCE + a][i];
        meter->lane[ELI_RATE_FORCE + a][i] = lane[ELI_MASS][i] * change - work->dt * force;
      }
    }
  }
}

static void rates_of_elements(const eli_tile_meter *meter) {
  const eli_work *work = meter->work;
  ELI_EACH_ROD(rod, work->world, work->tile) {
    for (size_t j = eli_first_slot(work, rod), end = j + (size_t)rod->element_count; j < end; j++) {
      double w[3], middle[3], couple[3];
      if (!(meter->lane[ELI_TOTAL + SPIN_DRAG][j] != 0.0)) continue;
      for (int a = 0; a < 3; a++) w[a] = work->tile->lane[ELI_OMEGA + a][j];
      middle_spin(meter, j, w, middle);
      velocity_couple(meter, j, middle, couple);
      for (int a = 0; a < 3; a++) {
        const double all = work->scratch[ELI_INTERNAL_COUPLE + a][j] + meter->lane[ELI_TOTAL + COUPLE + a][j] + couple[a];
        meter->lane[ELI_RATE_COUPLE + a][j] = inertia_of(meter, j, a) * (w[a] - meter->lane[ELI_START_OMEGA + a][j]) - work->dt * all;
      }
    }
  }
}

/* ---- Sums ---- */

/* Returns the impulse of an entry with its share of the impulse of all rates. */
static void impulse_at(const eli_tile_meter *meter, const eli_meter_entry *of, int kind, int i, size_t slot, double impulse[3]) {
  const int rate = kind == FORCE ? DRAG : SPIN_DRAG, lane = kind == FORCE ? ELI_RATE_FORCE : ELI_RATE_COUPLE;
  const double own = of->lane[rate][i], share = own != 0.0 ? own / meter->lane[ELI_TOTAL + rate][slot] : 0.0;
  for (int a = 0; a < 3; a++) {
    impulse[a] = of->lane[kind + a][i];
    if (share != 0.0) impulse[a] += share * meter->lane[lane + a][slot];
  }
}

static void add_nodes(const eli_tile_meter *meter, const eli_meter_entry *of, eli_contribution *to) {
  double *const *lane = meter->work->tile->lane;
  const size_t first = eli_first_slot(meter->work, of->rod);
  for (int i = 0; i < of->rod->body->view.node_count; i++) {
    const size_t slot = first + (size_t)i;
    double p[3];
    impulse_at(meter, of, FORCE, i, slot, p);
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      to->work += p[a] * (0.5 * (meter->lane[ELI_START_VELOCITY + a][slot] + lane[ELI_VELOCITY + a][slot]));
      to->impulse[a] += p[a];
      to->angular[a] += lane[ELI_POSITION + b][slot] * p[c] - lane[ELI_POSITION + c][slot] * p[b];
    }
  }
}

static void add_elements(const eli_tile_meter *meter, const eli_meter_entry *of, eli_contribution *to) {
  double *const *lane = meter->work->tile->lane;
  const size_t first = eli_first_slot(meter->work, of->rod);
  for (int j = 0; j < of->rod->element_count; j++) {
    const size_t slot = first + (size_t)j;
    double couple[3], turned[3];
    impulse_at(meter, of, COUPLE, j, slot, couple);
    elastica_rotate_to_laboratory(&of->rod->body->view, j, couple, turned);
    for (int a = 0; a < 3; a++) {
      to->work += couple[a] * (0.5 * (meter->lane[ELI_START_OMEGA + a][slot] + lane[ELI_OMEGA + a][slot]));
      to->angular[a] += turned[a];
    }
  }
}

static void add_lines(const eli_tile_meter *meter) {
  const eli_work *work = meter->work;
  eli_work_meter *all = eli_budget_meter(work->world->budget);
  ELI_EACH_ROD(rod, work->world, work->tile) all->line_count[rod->body->table_index] = 0;
  for (size_t k = 0; k < meter->count; k++) {
    const eli_meter_entry *of = &meter->entries[k];
    const int rod = of->rod->body->table_index;
    eli_meter_line *line = &all->lines[all->line_begin[rod] + all->line_count[rod]++];
    *line = (eli_meter_line){of->effect->body->table_index, of->stage, {0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    add_nodes(meter, of, &line->sum);
    add_elements(meter, of, &line->sum);
  }
}

/* ---- A step ---- */

static void begin_metering(eli_tile_meter *meter, const eli_work *work) {
  const double *lane[ELI_ENTRY_LANES];
  meter->work = work;
  meter->count = 0;
  for (int k = 0; k < ELI_KEPT_LANES; k++) meter->lane[k] = meter->memory + (size_t)k * work->tile->count;
  meter->next = meter->memory + ELI_KEPT_LANES * work->tile->count;
  written_lanes(work, VELOCITY, lane);
  keep(meter, ELI_START_VELOCITY, lane, 3);
  written_lanes(work, SPIN, lane);
  keep(meter, ELI_START_OMEGA, lane, 3);
}

static void keep_total(const eli_tile_meter *meter) {
  const double *lane[ELI_ENTRY_LANES];
  written_lanes(meter->work, LOADS, lane);
  keep(meter, ELI_TOTAL, lane, ELI_ENTRY_LANES);
}

static void before(eli_meter *head, const eli_work *work, int stage) {
  eli_tile_meter *meter = (eli_tile_meter *)head;
  if (stage == ELI_STAGE_GEOMETRY) begin_metering(meter, work);
  if (stage == LOADS) add_pair_loads(meter);
  if (eli_is_metered(stage)) keep_before(meter, stage);
}

static void after(eli_meter *head, const eli_work *work, int stage) {
  eli_tile_meter *meter = (eli_tile_meter *)head;
  (void)work;
  if (stage == RESULTANTS) convert_resultants(meter);
  if (stage == REACTIONS) keep_total(meter);
  if (stage == ELI_STAGE_KICK_VELOCITY) rates_of_nodes(meter);
  if (stage == ELI_STAGE_KICK_SPIN) rates_of_elements(meter);
  if (stage != SPIN) return;
  add_lines(meter);
  meter->work = NULL;
}

const eli_meter eli_tile_meter_calls = {before, after, saw};
