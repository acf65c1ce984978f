/* Confirms the tangents of a user's effects: a wrong one would give a wrong verdict in silence.
 *
 * equation   along one displacement x of all free unknowns, without pattern: (F(+x) - F(-x))/2 = -E x, with the loads F and tangent E of
 *            one effect; and, if it has a potential, x . E y - y . E x = C . (y x x) over all frames, for a second displacement y
 * test       tests/test_statics_tangent.c
 *
 * Only the hooks of this effect are called, three times, so no evaluation counts. Loads that have a kink nearby are left alone: their two
 * one-sided differences are not alike. Resultants of a user are not confirmed.
 */
#include "base/target.h"

#include "base/vector.h"
#include "statics/relax.h"

#include "hooks/effects.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Extent of the displacement: turn [rad], or change of an edge over its length. */
#define EXTENT 1e-6

/* Shares of the change of loads by which a tangent may be wrong, and by which one-sided differences may be apart; and share of the loads at
 * unit extent that is rounding. */
#define WRONG 1e-3
#define KINK 1e-4
#define LOAD_ERROR 1e-6

enum { LANES = 8 };

typedef struct confirmation {
  eli_relaxation *relaxation;
  elastica_effect *effect;
  elastica_loads *loads; /* by number of the rod */
  const elastica_rod_view **views;
  double *lanes;               /* LANES of all slots */
  double *x, *y, *by_x, *by_y; /* displacements, and E x, E y */
  double *at[3];               /* loads at -x, here, at +x */
} confirmation;

/* ---- The loads of one effect ---- */

static void clear(confirmation *now) {
  memset(now->lanes, 0, LANES * now->relaxation->world->bodies.slab.end * sizeof *now->lanes);
}

/* The loads on the ghost of a ring belong to its first node. */
static void gather(const confirmation *now, double *out) {
  const eli_relaxation *relaxation = now->relaxation;
  for (int r = 0; r < relaxation->rod_count; r++) {
    const elastica_rod *rod = relaxation->rods[r];
    const elastica_loads *loads = &now->loads[rod->index];
    double *of = out + 6 * relaxation->first[r];
    for (size_t i = 0; i < eli_block_count(rod); i++)
      for (int a = 0; a < 3; a++) {
        of[6 * i + (size_t)a] = loads->force[a][i];
        of[6 * i + 3 + (size_t)a] = i < (size_t)rod->element_count ? loads->couple[a][i] : 0.0;
      }
    for (int a = 0; a < 3 && rod->closed; a++) of[a] += loads->force[a][rod->element_count];
  }
}

static elastica_status call_hooks(confirmation *now) {
  elastica_world *world = now->relaxation->world;
  const elastica_module *module = &now->effect->body->module;
  elastica_instant instant = eli_instant(world, eli_world_now(world), 1.0);
  instant.is_frozen = 1;
  if (module->add_world_loads != NULL) {
    elastica_world_loads all = {sizeof all, world->bodies.rod_count, now->views, now->loads, 0};
    instant.rod_index = -1;
    return module->add_world_loads(now->effect->self, &instant, &all);
  }
  elastica_status status = ELASTICA_OK;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    if (status != ELASTICA_OK || (now->effect->rod != NULL && now->effect->rod != rod)) continue;
    instant.rod_index = rod->index;
    status = module->add_loads(now->effect->self, &instant, &rod->body->view, &now->loads[rod->index]);
  }
  return status;
}

/* Computes the loads after a displacement by size x. */
static elastica_status loads_at(confirmation *now, double size, double *out) {
  eli_relaxation *relaxation = now->relaxation;
  elastica_world *world = relaxation->world;
  eli_relax_save(relaxation);
  for (size_t k = 0; k < relaxation->size; k++) relaxation->step[k] = size * now->x[k];
  eli_relax_move(relaxation);
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) eli_tile_update_geometry(world, t);
  const elastica_purpose purpose = eli_world_set_purpose(world, ELASTICA_PURPOSE_STATICS);
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  clear(now);
  const elastica_status status = call_hooks(now);
  eli_world_leave_hooks(world);
  (void)eli_world_set_purpose(world, purpose);
  eli_relax_restore(relaxation);
  gather(now, out);
  return status;
}

/* ---- The comparison ---- */

static void take(void *context, size_t row, size_t column, const double block[9], int balanced) {
  const confirmation *now = context;
  (void)balanced;
  for (size_t a = 0; a < 3; a++)
    for (size_t b = 0; b < 3; b++) {
      now->by_x[3 * row + a] += block[3 * a + b] * now->x[3 * column + b];
      now->by_y[3 * row + a] += block[3 * a + b] * now->y[3 * column + b];
    }
}

static void take_spring(void *context, const eli_spring_pull *pull, size_t count, double stiffness, int balanced) {
  const confirmation *now = context;
  double along_x = 0.0, along_y = 0.0;
  (void)balanced;
  for (size_t k = 0; k < count; k++) {
    along_x += eli_dot(pull[k].gradient, now->x + 3 * pull[k].part);
    along_y += eli_dot(pull[k].gradient, now->y + 3 * pull[k].part);
  }
  for (size_t k = 0; k < count; k++)
    for (size_t a = 0; a < 3; a++) {
      now->by_x[3 * pull[k].part + a] += stiffness * along_x * pull[k].gradient[a];
      now->by_y[3 * pull[k].part + a] += stiffness * along_y * pull[k].gradient[a];
    }
}

/* Sizes of forces, 0, and couples, 1. */
typedef struct sizes {
  double load[2], change[2], wrong[2], kink[2];
  size_t at[2]; /* the unknown with the largest error */
} sizes;

static sizes compare(const confirmation *now, double size) {
  const eli_relaxation *relaxation = now->relaxation;
  sizes of = {{0.0}, {0.0}, {0.0}, {0.0}, {0, 0}};
  for (size_t k = 0; k < relaxation->size; k++) {
    const size_t part = k % 6 / 3;
    const double here = now->at[1][k], forward = (now->at[2][k] - here) / size, back = (here - now->at[0][k]) / size;
    const double wrong = fabs(0.5 * (forward + back) + now->by_x[k]);
    eli_keep_larger(&of.load[part], fabs(here));
    eli_keep_larger(&of.change[part], fabs(0.5 * (forward + back)));
    eli_keep_larger(&of.change[part], fabs(now->by_x[k]));
    eli_keep_larger(&of.kink[part], fabs(forward - back));
    if (!(wrong <= of.wrong[part])) of.wrong[part] = wrong, of.at[part] = k;
  }
  return of;
}

/* Names the largest error: the change of the load per unit of the displacement. */
static elastica_status refuse(const confirmation *now, double size, size_t k) {
  const eli_relaxation *relaxation = now->relaxation;
  int r = 0;
  while (r + 1 < relaxation->rod_count && 6 * relaxation->first[r + 1] <= k) r++;
  const int turns = k % 6 > 2;
  return eli_world_fail(
      now->effect->world, ELASTICA_CALLBACK_FAILED,
      "relax: effect %d \"%s\": add_tangent is not minus the derivative of its loads: a small displacement changes the %s "
      "on %s %d of rod %d by %.4g %s, and the tangent says %.4g %s",
      now->effect->index, now->effect->body->label, turns ? "couple" : "force", turns ? "element" : "node",
      (int)(k / 6 - relaxation->first[r]), relaxation->rods[r]->index, 0.5 * (now->at[2][k] - now->at[0][k]), turns ? "N m" : "N",
      -size * now->by_x[k], turns ? "N m" : "N");
}

/* Returns 1 if E has no potential. The couple C of the effect on a frame makes E - E^T = -[C]x there. */
static int is_skew(const confirmation *now) {
  const eli_relaxation *relaxation = now->relaxation;
  double difference = 0.0, most = 0.0;
  for (size_t k = 0; k < relaxation->size; k++) {
    difference += now->x[k] * now->by_y[k] - now->y[k] * now->by_x[k];
    most += fabs(now->x[k] * now->by_y[k]) + fabs(now->y[k] * now->by_x[k]);
  }
  for (size_t k = 3; k < relaxation->size; k += 6) {
    double across[3];
    eli_cross(now->x + k, now->y + k, across);
    difference -= eli_dot(now->at[1] + k, across);
    most += fabs(eli_dot(now->at[1] + k, across));
  }
  return fabs(difference) > WRONG * most;
}

static elastica_status confirm(confirmation *now) {
  eli_relaxation *relaxation = now->relaxation;
  const double extent = eli_relax_extent(relaxation, now->x), size = EXTENT / extent;
  if (!(extent > 0.0)) return ELASTICA_OK;
  memset(now->by_x, 0, relaxation->size * sizeof *now->by_x);
  memset(now->by_y, 0, relaxation->size * sizeof *now->by_y);
  elastica_status status = eli_relax_visit_effect(relaxation, now->effect, take, take_spring, now);
  if (status != ELASTICA_OK) return status;
  for (int k = 0; k < 3; k++)
    if (loads_at(now, (k - 1) * size, now->at[k]) != ELASTICA_OK) return ELASTICA_OK; /* an evaluation of this state names the failure */
  for (size_t k = 0; k < relaxation->size; k++)
    if (!(fabs(now->at[0][k]) + fabs(now->at[2][k]) <= DBL_MAX)) return ELASTICA_OK; /* beside this state there are no loads to compare */
  for (size_t k = 0; k < relaxation->size; k++)
    if (relaxation->held[k]) now->by_x[k] = now->by_y[k] = now->at[0][k] = now->at[1][k] = now->at[2][k] = 0.0;
  const sizes of = compare(now, size);
  for (int part = 0; part < 2; part++) {
    const double noise = LOAD_ERROR * extent * of.load[part];
    if (of.kink[part] > KINK * of.change[part] + noise) return ELASTICA_OK;
    if (!(of.wrong[part] <= WRONG * of.change[part] + noise)) return refuse(now, size, of.at[part]);
  }
  if (relaxation->stiffness.unsymmetric == NULL && is_skew(now)) relaxation->stiffness.unsymmetric = now->effect;
  return status;
}

/* ---- All effects ---- */

static int is_users(const elastica_effect *effect) {
  const elastica_module *module = &effect->body->module;
  return effect->enabled && effect->body->kind == NULL && module->add_tangent != NULL && module->add_resultants == NULL &&
         (module->add_loads != NULL) != (module->add_world_loads != NULL);
}

static int has_users(const eli_relaxation *relaxation) {
  ELI_EACH_EFFECT_OF_WORLD(effect, relaxation->world) {
    if (is_users(effect)) return 1;
  }
  return 0;
}

static void aim(confirmation *now) {
  const elastica_world *world = now->relaxation->world;
  const size_t end = world->bodies.slab.end;
  ELI_EACH_ROD_OF_WORLD(rod, now->relaxation->world) {
    elastica_loads *loads = &now->loads[rod->index];
    memset(loads, 0, sizeof *loads);
    loads->struct_size = sizeof *loads;
    now->views[rod->index] = &rod->body->view;
    for (size_t a = 0; a < 3; a++) {
      loads->force[a] = now->lanes + a * end + rod->offset;
      loads->couple[a] = now->lanes + (3 + a) * end + rod->offset;
    }
    if (now->effect->body->module.add_world_loads != NULL) continue;
    loads->drag = now->lanes + 6 * end + rod->offset;
    loads->spin_drag = now->lanes + 7 * end + rod->offset;
  }
}

/* Makes two displacements without pattern, of about the same size everywhere. */
static void displace(confirmation *now) {
  const eli_relaxation *relaxation = now->relaxation;
  eli_relax_displace_all(relaxation, now->x);
  for (size_t k = 0; k < relaxation->size; k++) {
    const double noise = eli_relax_noise(k);
    now->y[k] = noise != 0.0 ? now->x[k] / noise * eli_relax_noise(relaxation->size + k) : 0.0;
  }
}

elastica_status eli_relax_confirm_tangents(eli_relaxation *relaxation) {
  const elastica_world *world = relaxation->world;
  const eli_allocator *allocator = &world->allocator;
  const size_t rods = (size_t)world->bodies.rod_count, end = world->bodies.slab.end, size = relaxation->size;
  enum { VECTORS = 7 };
  if (!has_users(relaxation)) return ELASTICA_OK;
  confirmation now = {.relaxation = relaxation};
  now.loads = eli_allocate(allocator, 1, rods * (sizeof *now.loads + sizeof *now.views) + (LANES * end + VECTORS * size) * sizeof(double));
  if (now.loads == NULL) return eli_relax_starve(relaxation);
  now.views = (const elastica_rod_view **)(now.loads + rods);
  now.lanes = (double *)(now.views + rods);
  now.x = now.lanes + LANES * end;
  now.y = now.x + size, now.by_x = now.y + size, now.by_y = now.by_x + size;
  for (size_t k = 0; k < 3; k++) now.at[k] = now.by_y + (k + 1) * size;
  memset(now.views, 0, rods * sizeof *now.views);
  displace(&now);
  elastica_status status = ELASTICA_OK;
  ELI_EACH_EFFECT_OF_WORLD(effect, relaxation->world) {
    if (status != ELASTICA_OK || !is_users(effect)) continue;
    now.effect = effect;
    aim(&now);
    status = confirm(&now);
  }
  eli_release(allocator, now.loads);
  return status;
}
