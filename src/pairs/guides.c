/* The guides of a tendon, from its definition: given one by one, or as a run of elements. */
#include "base/target.h"

#include "base/definition.h"
#include "pairs/pairs.h"

#include <stdio.h>
#include <string.h>

static int from_end(int index, int count) {
  return index < 0 ? index + count : index;
}

int eli_tendon_count(const elastica_tendon_def *def) {
  if (def->rod == NULL) return def->guide_count;
  const int count = elastica_rod_get_view(def->rod)->element_count;
  return from_end(def->last, count) - from_end(def->first, count) + 2;
}

/* Returns a guide of a run: the first node of each element, then the second node of the last. */
static eli_anchor guide_of_run(const elastica_tendon_def *def, int k) {
  const elastica_rod_view *view = elastica_rod_get_view(def->rod);
  const int element = from_end(def->first, view->element_count) + k, behind = element > from_end(def->last, view->element_count);
  eli_anchor guide = {.rod = view, .element = element - behind, .share = behind ? 1.0 : 0.0};
  memcpy(guide.offset, def->offset, sizeof guide.offset);
  return guide;
}

eli_anchor eli_tendon_guide(const elastica_tendon_def *def, int k) {
  if (def->rod != NULL) return guide_of_run(def, k);
  const elastica_anchor *given = &def->guides[k];
  eli_anchor guide = {.rod = NULL};
  if (given->rod != NULL) {
    guide.rod = elastica_rod_get_view(given->rod);
    guide.element = from_end(given->element, guide.rod->element_count);
    guide.share = given->share;
  }
  memcpy(guide.offset, given->offset, sizeof guide.offset);
  return guide;
}

static elastica_status check_run(const eli_request *request, const elastica_tendon_def *def) {
  int first, last;
  if (def->guides != NULL)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: tendon_def.rod and tendon_def.guides are both set",
                                 request->function);
  elastica_status status = eli_rod_check_in(request->world, def->rod, request->function);
  if (status != ELASTICA_OK) return status;
  if (elastica_rod_get_view(def->rod)->rigid)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: tendon_def.rod is a rigid body, which has no run of elements", request->function);
  const int count = elastica_rod_get_view(def->rod)->element_count;
  status = eli_check_index(request->world, request->function, "first", def->first, count, &first);
  if (status == ELASTICA_OK) status = eli_check_index(request->world, request->function, "last", def->last, count, &last);
  if (status != ELASTICA_OK || first <= last) return status;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: first element %d lies behind last element %d",
                               request->function, first, last);
}

static elastica_status check_guides(const eli_request *request, const elastica_tendon_def *def) {
  enum { NAME_SIZE = 40 };
  char name[NAME_SIZE];
  int on_rods = 0;
  if (def->guides == NULL)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: tendon_def.rod and tendon_def.guides are both NULL",
                                 request->function);
  if (def->guide_count < 2)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: tendon_def.guide_count is %d: a cable has two ends",
                                 request->function, def->guide_count);
  for (int k = 0; k < def->guide_count; k++) {
    eli_anchor guide;
    const elastica_anchor *given = &def->guides[k];
    snprintf(name, sizeof name, "tendon_def.guides[%d]", k);
    const elastica_status status = given->rod != NULL ? eli_anchor_read(request, name, given, &guide)
                                                      : eli_check_numbers(request->world, name, ELI_RULE_NUMBER, given->offset, 3);
    if (status != ELASTICA_OK) return status;
    on_rods += given->rod != NULL;
  }
  if (on_rods > 0) return ELASTICA_OK;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: no rod in tendon_def.guides, all are NULL",
                               request->function);
}

/* Checks that consecutive guides are apart, and that a changed tendon keeps the rods of its guides. */
static elastica_status check_way(const eli_request *request, const elastica_tendon_def *def) {
  const eli_tendon *old = request->old;
  const int count = eli_tendon_count(def);
  eli_anchor guide[2];
  eli_anchored at[2];
  eli_span span;
  eli_tendon pair = {.count = 2, .guide = guide, .at = at, .span = &span};
  if (old != NULL && old->count != count)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: the tendon has %d guides, not %d", request->function,
                                 old->count, count);
  for (int k = 0; k < count; k++) {
    guide[0] = eli_tendon_guide(def, k);
    if (old != NULL && old->guide[k].rod != guide[0].rod)
      return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: guide %d of the tendon is on another rod",
                                   request->function, k);
    if (k + 1 == count) break;
    guide[1] = eli_tendon_guide(def, k + 1);
    eli_tendon_find(&pair, 0);
    if (!(span.length > 0.0))
      return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: guides %d and %d are at the same point",
                                   request->function, k, k + 1);
  }
  return ELASTICA_OK;
}

int eli_tendon_has_several(const elastica_tendon_def *def, const elastica_rod *rod) {
  for (int k = 0; def->rod == NULL && k < def->guide_count; k++)
    if (def->guides[k].rod != NULL && def->guides[k].rod != rod) return 1;
  return 0;
}

elastica_rod *eli_tendon_first_rod(const elastica_tendon_def *def) {
  for (int k = 0; def->rod == NULL && def->guides != NULL && k < def->guide_count; k++)
    if (def->guides[k].rod != NULL) return def->guides[k].rod;
  return def->rod;
}

elastica_status eli_tendon_check(const eli_request *request, const elastica_tendon_def *def) {
  const elastica_status status = def->rod != NULL ? check_run(request, def) : check_guides(request, def);
  return status == ELASTICA_OK ? check_way(request, def) : status;
}
