/* Deep overlaps of rods and bodies with contact between them.
 *
 * models     The layer of a surface is as deep as its radius. Bodies that start within it are thrown apart with the energy of the layer;
 *            bodies that start beyond it may come out on the other side
 * test       tests/test_check_overlap.c
 */
#include "base/target.h"

#include <limits.h>
#include <string.h>

#include "effects/effects.h"
#include "world/check.h"

/* The largest overlap that is not reported, in smaller radii. */
#define DEEPEST 0.5

/* The deepest overlap of a rod. */
typedef struct overlap {
  elastica_effect *effect; /* NULL: none */
  elastica_contact_point at;
  double share; /* overlap over the smaller radius */
} overlap;

int eli_check_finds_contacts(const elastica_effect *effect) {
  return effect->enabled && effect->body->kind != NULL && strcmp(effect->body->kind->name, "contact") == 0;
}

static double radius_of(const elastica_world *world, int rod, int element) {
  elastica_body_info info;
  elastica_rod *body = world->rods[rod];
  if (!eli_is_rigid(body)) return elastica_rod_radius(&body->body->view, element);
  return elastica_body_get(body, &info) == ELASTICA_OK && info.radius > 0.0 ? info.radius : INFINITY; /* a box has no radius */
}

static void consider(const elastica_world *world, elastica_effect *effect, const elastica_contact_point *point, overlap *of) {
  const double one = radius_of(world, point->rod[0], point->element[0]), other = radius_of(world, point->rod[1], point->element[1]);
  const double share = point->depth / (one < other ? one : other);
  for (int side = 0; side < 2; side++) {
    overlap *own = &of[point->rod[side]];
    if (share > DEEPEST && share > own->share) *own = (overlap){effect, *point, share};
  }
}

static elastica_status find_overlaps(const elastica_world *world, elastica_effect *effect, overlap *of) {
  int count = 0;
  elastica_status status = elastica_contact_get(effect, NULL, 0, &count);
  if (status != ELASTICA_OK || count == 0) return status;
  elastica_contact_point *points = eli_allocate(&world->allocator, (size_t)count, sizeof *points);
  if (points == NULL) return elastica_world_refuse(effect->world, ELASTICA_OUT_OF_MEMORY, "check: no memory for %d contacts", count);
  const int room = count;
  status = elastica_contact_get(effect, points, room, &count);
  for (int k = 0; k < room && status == ELASTICA_OK; k++) consider(world, effect, &points[k], of);
  eli_release(&world->allocator, points);
  return status;
}

static void note(const eli_check *check, int rod, const overlap *of) {
  const elastica_contact_point *at = &of->at;
  const int own = at->rod[0] == rod ? 0 : 1;
  const eli_spot spot = {rod, at->element[own], of->effect, of->share, DEEPEST, of->share};
  eli_check_note(
      check, ELASTICA_FINDING_OVERLAP, ELASTICA_SEVERITY_WARNING, spot,
      "rod %d, element %d overlaps rod %d, element %d by %.3g m, which is %.3g of the smaller radius: effect %d \"%s\" throws them "
      "apart with %.3g N, or to the wrong side where centre lines have passed each other. Start them apart, or relax first",
      rod, at->element[own], at->rod[1 - own], at->element[1 - own], at->depth, of->share, of->effect->index, of->effect->body->label,
      at->force);
}

elastica_status eli_check_overlaps(const eli_check *check) {
  elastica_world *world = check->world;
  elastica_status status = ELASTICA_OK;
  int any = 0;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) any = any || eli_check_finds_contacts(effect);
  if (!any || world->rod_count == 0) return status;
  overlap *of = eli_allocate(&world->allocator, (size_t)world->rod_count, sizeof *of);
  if (of == NULL) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "check: no memory for %d rods", world->rod_count);
  memset(of, 0, (size_t)world->rod_count * sizeof *of);
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (eli_check_finds_contacts(effect) && status == ELASTICA_OK) status = find_overlaps(world, effect, of);
  for (int r = 0; r < world->rod_count && status == ELASTICA_OK; r++)
    if (of[r].effect != NULL) note(check, r, &of[r]);
  eli_release(&world->allocator, of);
  return status;
}
