/* The diagnosis of a step that tripped: the rod and the node, element or joint that caused it; growth of the failing quantity and its
 * largest driving part, or the boundaries with impossible prescriptions. Used only for the sentence of a failure, after the step: the
 * step itself keeps only flags, one word for each tile.
 *
 * models     growth: the present value over the largest value in the world at the last limit check. Parts of the force on a node, or of the
 *            couple on an element, in the middle of the failing step (half a drift back): shear (n1, n2), stretch (n3), bending (tau1,
 *            tau2), torsion (tau3), and the loads of each effect. Reactions (walls) are not evaluated, because that would change their
 *            history
 * test       tests/test_diagnosis.c, tests/test_trip_wire.c
 */
#include "base/target.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rotation.h"
#include "base/vector.h"
#include "rod/rod_data.h"
#include "step/stages.h"
#include "step/stepper.h"

/* The failing quantity: the velocity of a node, the spin of an element, or the rate at which its length changes. */
typedef enum symptom_kind { VELOCITY, SPIN, LENGTH } symptom_kind;

/* ---- Growth ---- */

/* The unit is that of the symptom. A value that is not finite is named by the sentence itself. */
static int tell_growth(const elastica_world *world, const elastica_rod *rod, symptom_kind symptom, int place, char *text, size_t size) {
  const int spin = symptom == SPIN;
  const char *what = spin ? "spin" : "speed", *unit = spin ? "rad/s" : "m/s";
  double *const *lane = world->bodies.slab.lane + (spin ? ELI_OMEGA : ELI_VELOCITY);
  const size_t slot = rod->offset + (size_t)place;
  const double now = sqrt(lane[0][slot] * lane[0][slot] + lane[1][slot] * lane[1][slot] + lane[2][slot] * lane[2][slot]);
  const double before = sqrt(spin ? world->schedule.limit_check.spin2 : world->schedule.limit_check.speed2);
  const long steps = world->clock.step_count - world->schedule.last_check;
  const char *plural = steps == 1 ? "" : "s";
  if (!(before > 0.0)) return snprintf(text, size, "; %ld step%s before, every %s was 0", steps, plural, what);
  if (!(now <= DBL_MAX)) return snprintf(text, size, "; %ld step%s before, the largest %s was %.3g %s", steps, plural, what, before, unit);
  return snprintf(text, size, "; its %s of %.3g %s is %.3g times the largest %ld step%s before", what, now, unit, now / before, steps,
                  plural);
}

/* ---- Largest driving part ---- */

/* The largest part, and the sum of the magnitudes of all parts. */
typedef struct parts {
  const char *name;
  const elastica_effect *effect;
  double most, all;
  const elastica_effect *not_finite; /* the first effect with a load that is not finite, or NULL */
} parts;

static void add_part(parts *of, const char *name, const elastica_effect *effect, const double part[3]) {
  const double size = sqrt(part[0] * part[0] + part[1] * part[1] + part[2] * part[2]);
  if (effect != NULL && of->not_finite == NULL && !(fabs(part[0]) + fabs(part[1]) + fabs(part[2]) <= DBL_MAX)) of->not_finite = effect;
  of->all += size;
  if (!(size > of->most)) return;
  of->most = size;
  of->name = name;
  of->effect = effect;
}

/* Couples on an element: edge x n for shear and for stretch, and the differences of tau. */
static void add_couples(parts *of, const elastica_rod_view *view, int j) {
  double lab[3], edge[3], part[3], bend[3] = {0.0, 0.0, 0.0}, twist[3] = {0.0, 0.0, 0.0};
  for (int a = 0; a < 3; a++) lab[a] = view->length[j] * view->tangent[a][j];
  elastica_rotate_to_material(view, j, lab, edge);
  const double shear[3] = {view->force[0][j], view->force[1][j], 0.0}, stretch[3] = {0.0, 0.0, view->force[2][j]};
  eli_cross(edge, shear, part);
  add_part(of, "shear", NULL, part);
  eli_cross(edge, stretch, part);
  add_part(of, "stretch", NULL, part);
  for (int k = 0; k < view->joint_count; k++) {
    const double sign = (eli_element_before(view, k) == j) - (eli_element_after(view, k) == j);
    for (int a = 0; a < 2; a++) bend[a] += sign * view->couple[a][k];
    twist[2] += sign * view->couple[2][k];
  }
  add_part(of, "bending", NULL, bend);
  add_part(of, "torsion", NULL, twist);
}

/* Forces on a node from its elements: the differences of Q^T n for shear and for stretch. */
static void add_forces(parts *of, const elastica_rod_view *view, int i) {
  const int n = view->element_count, elements[2] = {i < n ? i : -1, i > 0 ? i - 1 : view->closed ? n - 1 : -1};
  double shear[3] = {0.0, 0.0, 0.0}, stretch[3] = {0.0, 0.0, 0.0};
  for (int s = 0; s < 2; s++) {
    const int j = elements[s];
    for (int a = 0; a < 3 && j >= 0; a++) {
      const double sign = s == 0 ? 1.0 : -1.0;
      shear[a] += sign * (view->director[0][a][j] * view->force[0][j] + view->director[1][a][j] * view->force[1][j]);
      stretch[a] += sign * view->director[2][a][j] * view->force[2][j];
    }
  }
  add_part(of, "shear", NULL, shear);
  add_part(of, "stretch", NULL, stretch);
}

/* Finds the loads of an effect on a rod, in `lanes` of eight numbers per slot. Returns 0 if it has none: failing hooks are ignored, because
 * the call fails already. */
static int ask_effect(elastica_effect *effect, elastica_rod *rod, const elastica_instant *now, double *lanes, elastica_loads *loads) {
  const size_t slots = (size_t)rod->element_count + 1;
  *loads = (elastica_loads){sizeof *loads, {NULL}, {NULL}, lanes + 6 * slots, lanes + 7 * slots, {NULL}, {NULL}, 0};
  for (int a = 0; a < 3; a++) loads->force[a] = lanes + (size_t)a * slots, loads->couple[a] = lanes + (size_t)(3 + a) * slots;
  memset(lanes, 0, 8 * slots * sizeof *lanes);
  if (effect->body->module.is_idle != NULL && effect->body->module.is_idle(effect->self, now, &rod->body->view)) return 0;
  return eli_call(effect, ELI_ADD_LOADS, now, &rod->body->view, loads) == ELASTICA_OK;
}

/* Adds the loads of each effect. now: the instant of the loads. */
static void add_effects(parts *of, elastica_rod *rod, symptom_kind symptom, int place, elastica_instant now, double *lanes) {
  elastica_loads loads;
  now.rod_index = rod->index;
  eli_world_enter_hooks(rod->world, ELI_IN_HOOK);
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_LOADS) {
    if (!ask_effect(effect, rod, &now, lanes, &loads)) continue;
    double *const *lane = symptom == SPIN ? loads.couple : loads.force;
    const double part[3] = {lane[0][place], lane[1][place], lane[2][place]};
    add_part(of, "", effect, part);
  }
  eli_world_leave_hooks(rod->world);
}

static int is_usable(double x) {
  return fabs(x) <= 1e100;
}

/* Hooks are called only with finite states. */
static int is_sound(const elastica_rod *rod) {
  double *const *lane = rod->world->bodies.slab.lane;
  for (int k = 0; k < ELI_STATE_LANES; k++)
    for (size_t i = rod->offset; i < rod->offset + (size_t)rod->element_count; i++)
      if (!is_usable(lane[k][i])) return 0;
  for (int j = 0; j < rod->element_count; j++)
    if (!(rod->body->view.length[j] > 1e-9 * rod->body->view.rest_length[j])) return 0;
  return 1;
}

/* Copies the state of a tile to `kept`, or back. */
static void copy_state(const eli_tile *tile, double *kept, int back) {
  for (int k = 0; k < ELI_STATE_LANES; k++, kept += tile->count)
    memcpy(back ? tile->lane[k] : kept, back ? kept : tile->lane[k], tile->count * sizeof *kept);
}

/* Returns to the middle of the last step: its final velocities and spins are those of its closing drift. */
static void go_to_middle(elastica_world *world, size_t tile, double dt) {
  eli_tile_report ignored = {0};
  eli_tile_work work = eli_work_on(world, tile, 0, -dt);
  work.report = &ignored;
  eli_drift(&work, 0);
  eli_tile_update_geometry(world, tile);
}

/* Replaces unusable numbers along a rod by those on the line through the nearest usable ones. */
static void interpolate(double *x, int count) {
  for (int i = 0; i < count; i++) {
    int after = i + 1;
    if (is_usable(x[i])) continue;
    while (after < count && !is_usable(x[after])) after++;
    if (i > 0 && after < count)
      x[i] = x[i - 1] + (x[after] - x[i - 1]) / (after - i + 1);
    else if (i > 1)
      x[i] = 2.0 * x[i - 1] - x[i - 2];
    else if (i == 0 && after + 1 < count && is_usable(x[after + 1]))
      x[i] = x[after] - after * (x[after + 1] - x[after]);
  }
}

/* Returns 1 if all numbers of a frame are usable. */
static int has_frame(double *const *frame, int j) {
  for (int a = 0; a < 9; a++)
    if (!is_usable(frame[a][j])) return 0;
  return 1;
}

/* Replaces unsound nodes and frames by others near them, and unsound velocities and spins by 0, so that hooks can be asked for the loads
 * that made them so. */
static void fill_gaps(const elastica_rod *rod) {
  const int n = rod->element_count, nodes = rod->body->view.node_count;
  double *lane[ELI_STATE_LANES];
  for (int k = 0; k < ELI_STATE_LANES; k++) lane[k] = rod->world->bodies.slab.lane[k] + rod->offset;
  for (int a = 0; a < 3; a++) {
    interpolate(lane[ELI_POSITION + a], nodes);
    for (int i = 0; i < nodes; i++)
      if (!is_usable(lane[ELI_VELOCITY + a][i])) lane[ELI_VELOCITY + a][i] = 0.0;
    for (int j = 0; j < n; j++)
      if (!is_usable(lane[ELI_OMEGA + a][j])) lane[ELI_OMEGA + a][j] = 0.0;
  }
  for (int j = 0; j < n; j++) {
    int from = j - 1;
    if (has_frame(lane + ELI_DIRECTOR, j)) continue;
    for (from = from < 0 ? j + 1 : from; from < n && !has_frame(lane + ELI_DIRECTOR, from);) from++;
    for (int a = 0; a < 9 && from < n; a++) lane[ELI_DIRECTOR + a][j] = lane[ELI_DIRECTOR + a][from];
  }
}

/* whole 0: the state is not sound, and its gaps are filled meanwhile. */
static void find_parts(parts *of, elastica_rod *rod, symptom_kind symptom, int place, double dt, int whole) {
  elastica_world *world = rod->world;
  const eli_tile *tile = &world->bodies.slab.tiles[rod->tile];
  eli_tile_report report;
  double *lanes = eli_allocate(&world->allocator, 8 * ((size_t)rod->element_count + 1) + ELI_STATE_LANES * tile->count, sizeof *lanes);
  double *kept = lanes != NULL ? lanes + 8 * ((size_t)rod->element_count + 1) : NULL;
  if (lanes == NULL) return;
  copy_state(tile, kept, 0);
  go_to_middle(world, rod->tile, dt);
  if (!whole) {
    ELI_EACH_ROD(other, world, tile) fill_gaps(other);
    eli_tile_update_geometry(world, rod->tile);
  }
  if ((whole || is_sound(rod)) && eli_tile_refresh(world, rod->tile, rod, "step", &report) == ELASTICA_OK) {
    if (symptom == SPIN)
      add_couples(of, &rod->body->view, place);
    else
      add_forces(of, &rod->body->view, place);
    elastica_instant now = eli_instant(world, eli_world_now(world) - 0.5 * dt, dt);
    now.step = world->clock.step_count - 1;
    add_effects(of, rod, symptom, place, now, lanes);
  }
  eli_world_forget_refreshed(world);
  ELI_EACH_ROD(other, world, tile) eli_rod_forget_derived(other);
  copy_state(tile, kept, 1);
  eli_tile_update_geometry(world, rod->tile);
  eli_release(&world->allocator, lanes);
}

const elastica_effect *eli_find_unsound_load(elastica_rod *rod, double dt, int turns, int place) {
  elastica_world *world = rod->world;
  parts of = {0};
  eli_tile_report report;
  double *lanes = eli_allocate(&world->allocator, 8 * ((size_t)rod->element_count + 1), sizeof *lanes);
  if (lanes == NULL) return NULL;
  eli_tile_update_geometry(world, rod->tile);
  if (is_sound(rod) && eli_tile_refresh(world, rod->tile, rod, "step", &report) == ELASTICA_OK)
    add_effects(&of, rod, turns ? SPIN : VELOCITY, place, eli_instant(world, eli_world_now(world), dt), lanes);
  eli_world_forget_refreshed(world);
  ELI_EACH_ROD(other, world, &world->bodies.slab.tiles[rod->tile]) eli_rod_forget_derived(other);
  eli_release(&world->allocator, lanes);
  return of.not_finite == NULL && !(of.most <= DBL_MAX) ? of.effect : of.not_finite;
}

static void tell_parts(const parts *of, symptom_kind symptom, int whole, char *text, size_t size) {
  const char *what = symptom == SPIN ? "couples" : "forces";
  const double share = 100.0 * of->most / of->all;
  if (of->not_finite != NULL) {
    snprintf(text, size, "; the %s on it by effect %d \"%s\" is not finite", symptom == SPIN ? "couple" : "force", of->not_finite->index,
             of->not_finite->body->label);
    return;
  }
  if (!whole || !(share > 0.0)) return;
  if (of->effect != NULL)
    snprintf(text, size, "; of the %s on it %.0f %% are of effect %d \"%s\"", what, share, of->effect->index, of->effect->body->label);
  else
    snprintf(text, size, "; of the %s on it %.0f %% are of %s", what, share, of->name);
}

/* ---- Boundaries ---- */

enum { STEPS_BACK = 1000 };

/* Finds the largest jump in `count` equal steps before a time. */
static void find_jump_before(const elastica_rod *rod, double time, double dt, long count, eli_jump *jump) {
  for (long k = 0; k < count; k++) eli_find_jump(rod, time - (double)(k + 1) * dt, time - (double)k * dt, jump);
}

/* Calls the motions of boundaries again for the last steps, each with its own size, because the wave from a jump may travel for many
 * steps before it breaks a joint, and the steps become shorter meanwhile. A change after the present step or time is of a state before a
 * snapshot was loaded. */
static void find_jump_in_last_steps(const elastica_rod *rod, double dt, eli_jump *jump) {
  const elastica_world *world = rod->world;
  long step = world->clock.step_count, left = step < STEPS_BACK ? step : STEPS_BACK;
  double time = eli_world_now(world);
  for (long k = world->report.step_change_count - 1; k >= 0 && k >= world->report.step_change_count - ELI_STEP_CHANGES && left > 0; k--) {
    const eli_step_change change = world->report.step_changes[k % ELI_STEP_CHANGES];
    const long steps = step - change.step;
    if (steps <= 0 || !(change.time < time)) continue;
    dt = (time - change.time) / (double)steps;
    find_jump_before(rod, time, dt, steps < left ? steps : left, jump);
    left -= steps;
    step = change.step;
    time = change.time;
  }
  if (left > 0) find_jump_before(rod, time, dt, left, jump);
}

static int tell_prescriptions(elastica_world *world, const elastica_rod *rod, double dt, char *text, size_t size) {
  eli_jump jump = {NULL, 0, 0, 0.0, 0.0, 0.0};
  eli_conflict conflict = {{NULL, NULL}, ELI_APART, 0, 0.0, 0.0};
  const double now = eli_world_now(world);
  char told[300] = "";
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  eli_find_conflict(rod, now, dt, &conflict);
  find_jump_in_last_steps(rod, dt, &jump);
  eli_world_leave_hooks(world);
  if (eli_tell_conflict(rod, &conflict, told, sizeof told) == 0 && eli_tell_jump(rod, &jump, told, sizeof told) == 0 &&
      world->report.moved.step <= world->clock.step_count && world->clock.step_count - world->report.moved.step <= STEPS_BACK)
    eli_tell_moved(rod, told, sizeof told);
  return told[0] != '\0' ? snprintf(text, size, "; %s", told) : 0;
}

const char *eli_tell_demands(elastica_world *world, int rod_index, int others, double dt, char *text, size_t size) {
  const elastica_rod *rod = rod_index >= 0 && rod_index < world->bodies.rod_count ? world->bodies.rods[rod_index] : NULL;
  text[0] = '\0';
  if (rod != NULL && tell_prescriptions(world, rod, dt, text, size) > 0) return text;
  ELI_EACH_ROD_OF_WORLD(other, world)
  if (others && other != rod && tell_prescriptions(world, other, dt, text, size) > 0) break;
  return text;
}

/* Describes the cause of a failure from the state after a failing step of dt, as far as it can be found, for example "; its spin of 1.5e+04
 * rad/s is 3e+03 times the largest 41 steps before; 92 % of the couples on it are those of shear". */
static const char *diagnose(elastica_world *world, const elastica_rod *rod, symptom_kind symptom, int place, double dt, char *text,
                            size_t size) {
  elastica_rod *own = world->bodies.rods[rod->index];
  parts of = {"", NULL, 0.0, 0.0, NULL};
  const int demanded = tell_prescriptions(world, rod, dt, text, size);
  if (demanded > 0) return text;
  const int used = tell_growth(world, rod, symptom, place, text, size);
  eli_tile_update_geometry(world, rod->tile);
  if (used < 0 || (size_t)used >= size) return text;
  const int whole = is_sound(rod);
  find_parts(&of, own, symptom, place, dt, whole);
  tell_parts(&of, symptom, whole, text + used, size - (size_t)used);
  return text;
}

/* ---- The place of a trip ---- */

typedef struct extreme {
  const elastica_rod *rod;
  int place; /* node or element */
  double value;
} extreme;

/* Returns the rod and index with the largest |x|^2 of a vector lane. A value that is not finite counts as the largest, and the first one is
 * returned. */
static extreme largest(const elastica_world *world, int lane, int nodes) {
  extreme found = {NULL, 0, -1.0};
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    const int count = nodes ? rod->body->view.node_count : rod->body->view.element_count;
    for (int i = 0; i < count; i++) {
      const size_t slot = rod->offset + (size_t)i;
      const double x = world->bodies.slab.lane[lane][slot], y = world->bodies.slab.lane[lane + 1][slot],
                   z = world->bodies.slab.lane[lane + 2][slot];
      const double size2 = x * x + y * y + z * z;
      if (size2 <= found.value) continue;
      found.rod = rod;
      found.place = i;
      found.value = size2;
      if (!(size2 <= DBL_MAX)) return found;
    }
  }
  return found;
}

/* The joint with the largest angle during the last step: h = sin^2(theta/2). */
static extreme widest_joint(const elastica_world *world, double dt) {
  extreme found = {NULL, 0, -1.0};
  double *const *q = world->bodies.slab.lane + ELI_DIRECTOR, *const *w = world->bodies.slab.lane + ELI_OMEGA;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    for (int k = rod->closed ? 0 : 1; k < rod->element_count; k++) {
      const size_t after = rod->offset + (size_t)k, before = k > 0 ? after - 1 : rod->offset + (size_t)rod->element_count - 1;
      const double spin_after[3] = {w[0][after], w[1][after], w[2][after]}, spin_before[3] = {w[0][before], w[1][before], w[2][before]};
      double frame_after[9], frame_before[9], r[9];
      for (int a = 0; a < 9; a++) frame_after[a] = q[a][after], frame_before[a] = q[a][before];
      eli_relative_rotation(frame_after, frame_before, r);
      const double h = eli_joint_widest(r, spin_before, spin_after, -dt);
      if (h <= found.value) continue;
      found.rod = rod;
      found.place = rod->closed ? k : k - 1;
      found.value = h;
    }
  }
  return found;
}

/* Returns the element with the faster spin of the two at a joint. */
static int faster_at(const extreme *joint) {
  const elastica_rod *rod = joint->rod;
  double *const *w = rod->world->bodies.slab.lane + ELI_OMEGA, spin2[2] = {0.0, 0.0};
  const int after = rod->closed ? joint->place : joint->place + 1, before = after > 0 ? after - 1 : rod->element_count - 1;
  for (int a = 0; a < 3; a++) {
    const double x = w[a][rod->offset + (size_t)before], y = w[a][rod->offset + (size_t)after];
    spin2[0] += x * x, spin2[1] += y * y;
  }
  return spin2[1] > spin2[0] ? after : before;
}

/* An element in the middle of the last step: its relative rate of stretch, its length, and the speed of its nodes relative to each other.
 */
typedef struct stretching {
  double rate, length, speed;
} stretching;

static stretching stretching_of(const elastica_rod *rod, int j, double dt) {
  double *const *r = rod->world->bodies.slab.lane + ELI_POSITION, *const *v = rod->world->bodies.slab.lane + ELI_VELOCITY;
  const size_t slot = rod->offset + (size_t)j;
  double along = 0.0, length2 = 0.0, speed2 = 0.0;
  for (int a = 0; a < 3; a++) {
    const double speed = v[a][slot + 1] - v[a][slot], edge = r[a][slot + 1] - r[a][slot] - 0.5 * dt * speed;
    along += edge * speed;
    length2 += edge * edge;
    speed2 += speed * speed;
  }
  const double length = sqrt(length2);
  return (stretching){fabs(along) / (length * eli_length_for_trip(length, rod->body->view.rest_length[j], rod->world->law.classical)),
                      length, sqrt(speed2)};
}

static double stretch_rate(const elastica_rod *rod, int j, double dt) {
  return stretching_of(rod, j, dt).rate;
}

/* Returns the faster of the two nodes of an element. */
static int faster_node_of(const elastica_rod *rod, int j) {
  double *const *v = rod->world->bodies.slab.lane + ELI_VELOCITY, speed2[2] = {0.0, 0.0};
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < 2; k++) {
      const double x = v[a][rod->offset + (size_t)(j + k)];
      speed2[k] += x * x;
    }
  return speed2[1] > speed2[0] && j + 1 < rod->body->view.node_count ? j + 1 : j;
}

/* Finds the element with the fastest change of length. */
static extreme fastest_stretch(const elastica_world *world, double dt) {
  extreme found = {NULL, 0, -1.0};
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    for (int j = 0; j < rod->element_count && !eli_is_rigid(rod); j++) {
      const double rate = stretch_rate(rod, j, dt);
      if (rate <= found.value) continue;
      found.rod = rod;
      found.place = j;
      found.value = rate;
    }
  }
  return found;
}

/* Returns 1 if a rod caused these trips. Unsound states are found when the world fails. */
static int did(const elastica_rod *rod, unsigned trips, double dt) {
  double *const *w = rod->world->bodies.slab.lane + ELI_OMEGA;
  for (int j = 0; j < rod->element_count; j++) {
    const size_t slot = rod->offset + (size_t)j;
    const double spin2 = w[0][slot] * w[0][slot] + w[1][slot] * w[1][slot] + w[2][slot] * w[2][slot];
    if (trips & ELI_TRIP_SPIN && !(spin2 * dt * dt < 0.999)) return 1;
    if (trips & ELI_TRIP_STRETCH && !eli_is_rigid(rod) && !(0.5 * dt * stretch_rate(rod, j, dt) < 0.499)) return 1;
  }
  return 0;
}

void eli_world_blame(elastica_world *world, unsigned trips, double dt) {
  ELI_EACH_ROD_OF_WORLD(rod, world) rod->body->failed = did(rod, trips, dt);
}

/* Writes, for example, "the step 1e-3 s is 41 times the stable 2.4e-5 s (shear mode of rod 3, element 17; ...)". */
static const char *step_text(const elastica_world *world, double dt, char *text, size_t size) {
  char where[200], steps[ELI_COMPARISON_SIZE];
  if (world->schedule.limit_check.limit.dt > 0.0)
    snprintf(text, size, "the step %s %s", eli_comparison(dt, world->schedule.limit_check.limit.dt, steps),
             eli_limit_text(world, &world->schedule.limit_check.limit, where, sizeof where));
  else
    snprintf(text, size, "the step is %.6g s", dt);
  return text;
}

/* The square of a vector may overflow although its components are finite. */
static const char *excess_of(const elastica_world *world, int lane, const extreme *of, char text[64]) {
  double largest = 0.0;
  for (int a = 0; a < 3; a++) {
    const double x = fabs(world->bodies.slab.lane[lane + a][of->rod->offset + (size_t)of->place]);
    if (!(x <= DBL_MAX)) return "is not finite";
    if (x > largest) largest = x;
  }
  snprintf(text, 64, "is too large, %.3g %s,", largest, lane == ELI_VELOCITY ? "m/s" : "rad/s");
  return text;
}

elastica_status eli_world_trip(elastica_world *world, unsigned trips, double dt) {
  char step[400], excess[64], why[400];
  const double time = eli_world_now(world);
  step_text(world, dt, step, sizeof step);
  const extreme node = largest(world, ELI_VELOCITY, 1), element = largest(world, ELI_OMEGA, 0);
  if (node.rod != NULL && !(node.value <= DBL_MAX))
    return eli_world_fail(world, ELASTICA_NOT_FINITE, "rod %d, node %d: velocity %s at t = %.9g s%s; %s", node.rod->index, node.place,
                          excess_of(world, ELI_VELOCITY, &node, excess), time,
                          diagnose(world, node.rod, VELOCITY, node.place, dt, why, sizeof why), step);
  if (element.rod != NULL && !(element.value <= DBL_MAX))
    return eli_world_fail(world, ELASTICA_NOT_FINITE, "rod %d, element %d: spin %s at t = %.9g s%s; %s", element.rod->index, element.place,
                          excess_of(world, ELI_OMEGA, &element, excess), time,
                          diagnose(world, element.rod, SPIN, element.place, dt, why, sizeof why), step);
  if (trips & ELI_TRIP_SPIN && element.rod != NULL && !(element.value * dt * dt < 0.999))
    return eli_world_fail(world, ELASTICA_UNSTABLE_STEP, "rod %d, element %d: turned by %.3g rad in one step at t = %.9g s%s; %s",
                          element.rod->index, element.place, sqrt(element.value) * dt, time,
                          diagnose(world, element.rod, SPIN, element.place, dt, why, sizeof why), step);
  const extreme stretch = fastest_stretch(world, dt), joint = widest_joint(world, dt);
  if (trips & ELI_TRIP_STRETCH && stretch.rod != NULL) {
    stretch.rod->body->failed = 1;
    const stretching of = stretching_of(stretch.rod, stretch.place, dt);
    return eli_world_fail(
        world, ELASTICA_UNSTABLE_STEP,
        "rod %d, element %d: its nodes moved by %.3g m relative to each other in one step, in whose middle its length was %.3g m, "
        "at t = %.9g s%s; %s",
        stretch.rod->index, stretch.place, of.speed * dt, of.length, time,
        diagnose(world, stretch.rod, LENGTH, faster_node_of(stretch.rod, stretch.place), dt, why, sizeof why), step);
  }
  if (trips & ELI_TRIP_JOINT && joint.rod != NULL) {
    joint.rod->body->failed = 1;
    return eli_world_fail(world, ELASTICA_JOINT_TOO_FAR,
                          "rod %d, joint %d: turned by more than %.1f rad (sin^2 of half the angle was up to %.6f) at t = %.9g s%s; %s",
                          joint.rod->index, joint.place, ELI_JOINT_LIMIT, joint.value, time,
                          diagnose(world, joint.rod, SPIN, faster_at(&joint), dt, why, sizeof why), step);
  }
  return eli_world_fail(world, ELASTICA_NOT_FINITE, "a quantity is not finite at t = %.9g s; %s", time, step);
}
