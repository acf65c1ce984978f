/* The cause of a failure: growth of the failing quantity and its largest driving part, or the pins and clamps with impossible
 * prescriptions. Used only for the sentence of a failure, after the step.
 *
 * models     growth: the present value over the largest value in the world at the last limit check. Parts of the force on a node, or of the
 *            couple on an element, in the middle of the failing step (half a drift back): shear (n1, n2), stretch (n3), bending (tau1,
 *            tau2), torsion (tau3), and the loads of each effect. Reactions (walls) are not evaluated, because that would change their
 *            history
 * test       tests/test_diagnosis.c
 */
#include "base/target.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rod/rod_data.h"
#include "step/stages.h"
#include "step/stepper.h"

/* ---- Growth ---- */

/* The unit is that of the symptom. A value that is not finite is named by the sentence itself. */
static int tell_growth(const elastica_world *world, const elastica_rod *rod, eli_symptom symptom, int place, char *text, size_t size) {
  const int spin = symptom == ELI_SYMPTOM_SPIN;
  const char *what = spin ? "spin" : "speed", *unit = spin ? "rad/s" : "m/s";
  double *const *lane = world->slab.lane + (spin ? ELI_OMEGA : ELI_VELOCITY);
  const size_t slot = rod->offset + (size_t)place;
  const double now = sqrt(lane[0][slot] * lane[0][slot] + lane[1][slot] * lane[1][slot] + lane[2][slot] * lane[2][slot]);
  const double before = sqrt(spin ? world->limit_check.spin2 : world->limit_check.speed2);
  const long steps = world->step_count - world->last_check;
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
} parts;

static void add_part(parts *of, const char *name, const elastica_effect *effect, const double part[3]) {
  const double size = sqrt(part[0] * part[0] + part[1] * part[1] + part[2] * part[2]);
  of->all += size;
  if (!(size > of->most)) return;
  of->most = size;
  of->name = name;
  of->effect = effect;
}

static void cross(const double a[3], const double b[3], double c[3]) {
  for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Couples on an element: edge x n for shear and for stretch, and the differences of tau. */
static void add_couples(parts *of, const elastica_rod_view *view, int j) {
  double lab[3], edge[3], part[3], bend[3] = {0.0, 0.0, 0.0}, twist[3] = {0.0, 0.0, 0.0};
  for (int a = 0; a < 3; a++) lab[a] = view->length[j] * view->tangent[a][j];
  elastica_rotate_to_material(view, j, lab, edge);
  const double shear[3] = {view->force[0][j], view->force[1][j], 0.0}, stretch[3] = {0.0, 0.0, view->force[2][j]};
  cross(edge, shear, part);
  add_part(of, "shear", NULL, part);
  cross(edge, stretch, part);
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

/* Loads of each effect, in separate lanes. Failing hooks are ignored, because the world fails already. */
static void add_effects(parts *of, elastica_rod *rod, eli_symptom symptom, int place, double dt, double *lanes) {
  elastica_world *world = rod->world;
  const size_t slots = (size_t)rod->element_count + 1;
  const elastica_instant now = {sizeof now, eli_world_now(world) - 0.5 * dt, dt, world->step_count - 1, rod->index, 0.0};
  elastica_loads loads = {sizeof loads, {NULL}, {NULL}, lanes + 6 * slots, lanes + 7 * slots, {NULL}, {NULL}, 0};
  for (int a = 0; a < 3; a++) loads.force[a] = lanes + (size_t)a * slots, loads.couple[a] = lanes + (size_t)(3 + a) * slots;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_LOADS) {
    double *const *lane = symptom == ELI_SYMPTOM_SPIN ? loads.couple : loads.force;
    memset(lanes, 0, 8 * slots * sizeof *lanes);
    if (effect->body->kind != NULL && effect->body->kind->idle != NULL && effect->body->kind->idle(effect->self, &rod->body->view, 0.0))
      continue;
    if (eli_call(effect, ELI_ADD_LOADS, &now, &rod->body->view, &loads) != ELASTICA_OK) continue;
    const double part[3] = {lane[0][place], lane[1][place], lane[2][place]};
    add_part(of, "", effect, part);
  }
  eli_world_leave_hooks(world);
}

/* Hooks are called only with finite states. */
static int is_sound(const elastica_rod *rod) {
  double *const *lane = rod->world->slab.lane;
  for (int k = 0; k < ELI_STATE_LANES; k++)
    for (size_t i = rod->offset; i < rod->offset + (size_t)rod->element_count; i++)
      if (!(fabs(lane[k][i]) <= 1e100)) return 0;
  for (int j = 0; j < rod->element_count; j++)
    if (!(rod->body->view.length[j] > 1e-9 * rod->body->view.rest_length[j])) return 0;
  return 1;
}

/* Copies positions and frames of a tile to `kept`, or back. */
static void copy_state(const eli_tile *tile, double *kept, int back) {
  for (int k = 0; k < ELI_OMEGA; k++, kept += tile->count)
    memcpy(back ? tile->lane[k] : kept, back ? kept : tile->lane[k], tile->count * sizeof *kept);
}

/* Returns to the middle of the last step: its final velocities and spins are those of its closing drift. */
static void go_to_middle(elastica_world *world, size_t tile, double dt) {
  eli_tile_report ignored = {0};
  eli_work work = eli_work_on(world, tile, 0, -dt);
  work.report = &ignored;
  eli_drift(&work, 0);
  eli_tile_update_geometry(world, tile);
}

static void find_parts(parts *of, elastica_rod *rod, eli_symptom symptom, int place, double dt) {
  elastica_world *world = rod->world;
  const eli_tile *tile = &world->slab.tiles[rod->tile];
  eli_tile_report report;
  double *lanes = eli_allocate(&world->allocator, 8 * ((size_t)rod->element_count + 1) + ELI_OMEGA * tile->count, sizeof *lanes);
  double *kept = lanes != NULL ? lanes + 8 * ((size_t)rod->element_count + 1) : NULL;
  if (lanes == NULL) return;
  copy_state(tile, kept, 0);
  go_to_middle(world, rod->tile, dt);
  if (eli_tile_refresh(world, rod->tile, rod, "step", &report) == ELASTICA_OK) {
    if (symptom == ELI_SYMPTOM_SPIN)
      add_couples(of, &rod->body->view, place);
    else
      add_forces(of, &rod->body->view, place);
    add_effects(of, rod, symptom, place, dt, lanes);
  }
  eli_world_forget_refreshed(world);
  ELI_EACH_ROD(other, world, tile) eli_rod_forget_derived(other);
  copy_state(tile, kept, 1);
  eli_tile_update_geometry(world, rod->tile);
  eli_release(&world->allocator, lanes);
}

static void tell_parts(const parts *of, eli_symptom symptom, char *text, size_t size) {
  const char *what = symptom == ELI_SYMPTOM_SPIN ? "couples" : "forces";
  const double share = 100.0 * of->most / of->all;
  if (!(share > 0.0)) return;
  if (of->effect != NULL)
    snprintf(text, size, "; of the %s on it %.0f %% are of effect %d \"%s\"", what, share, of->effect->index, of->effect->body->label);
  else
    snprintf(text, size, "; of the %s on it %.0f %% are of %s", what, share, of->name);
}

/* ---- Pins and clamps ---- */

enum { STEPS_BACK = 1000 };

/* Finds the largest jump in `count` equal steps before a time. */
static void find_jump_before(const elastica_rod *rod, double time, double dt, long count, eli_jump *jump) {
  for (long k = 0; k < count; k++) eli_find_jump(rod, time - (double)(k + 1) * dt, time - (double)k * dt, jump);
}

/* Calls the motions of pins and clamps again for the last steps, each with its own size, because the wave from a jump may travel for many
 * steps before it breaks a joint, and the steps become shorter meanwhile. A change after the present step or time is of a state before a
 * snapshot was loaded. */
static void find_jump_in_last_steps(const elastica_rod *rod, double dt, eli_jump *jump) {
  const elastica_world *world = rod->world;
  long step = world->step_count, left = step < STEPS_BACK ? step : STEPS_BACK;
  double time = eli_world_now(world);
  for (long k = world->step_change_count - 1; k >= 0 && k >= world->step_change_count - ELI_STEP_CHANGES && left > 0; k--) {
    const eli_step_change change = world->step_changes[k % ELI_STEP_CHANGES];
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

static int tell_holds(elastica_world *world, const elastica_rod *rod, double dt, char *text, size_t size) {
  eli_jump jump = {NULL, 0, 0, 0.0, 0.0, 0.0};
  eli_conflict conflict = {{NULL, NULL}, ELI_APART, 0, 0.0, 0.0};
  const double now = eli_world_now(world);
  char told[300] = "";
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  eli_find_conflict(rod, now, dt, &conflict);
  find_jump_in_last_steps(rod, dt, &jump);
  eli_world_leave_hooks(world);
  if (eli_tell_conflict(rod, &conflict, told, sizeof told) == 0 && eli_tell_jump(rod, &jump, told, sizeof told) == 0 &&
      world->moved.step <= world->step_count && world->step_count - world->moved.step <= STEPS_BACK)
    eli_tell_moved(rod, told, sizeof told);
  return told[0] != '\0' ? snprintf(text, size, "; %s", told) : 0;
}

const char *eli_tell_demands(elastica_world *world, int rod_index, int others, double dt, char *text, size_t size) {
  const elastica_rod *rod = rod_index >= 0 && rod_index < world->rod_count ? world->rods[rod_index] : NULL;
  text[0] = '\0';
  if (rod != NULL && tell_holds(world, rod, dt, text, size) > 0) return text;
  ELI_EACH_ROD_OF_WORLD(other, world)
  if (others && other != rod && tell_holds(world, other, dt, text, size) > 0) break;
  return text;
}

const char *eli_diagnose(elastica_world *world, const elastica_rod *rod, eli_symptom symptom, int place, double dt, char *text,
                         size_t size) {
  elastica_rod *own = world->rods[rod->index];
  parts of = {"", NULL, 0.0, 0.0};
  const int demanded = tell_holds(world, rod, dt, text, size);
  if (demanded > 0) return text;
  const int used = tell_growth(world, rod, symptom, place, text, size);
  eli_tile_update_geometry(world, rod->tile);
  if (used < 0 || (size_t)used >= size || !is_sound(rod)) return text;
  find_parts(&of, own, symptom, place, dt);
  tell_parts(&of, symptom, text + used, size - (size_t)used);
  return text;
}
