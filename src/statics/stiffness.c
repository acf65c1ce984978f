/* The stiffness of a world about its present state, in one sparse matrix.
 *
 * models     K + E + tau P: rods, loads of effects with contacts, and a share of the material stiffness of the rods
 * equation   K + tau P = (1 + tau) K', K' with the geometric stiffness reduced to 1/(1 + tau): see eli_tangent_visit
 * test       tests/test_statics_tangent.c, tests/test_statics_verdict.c, tests/test_statics_campaign.c
 */
#include "base/target.h"

#include "statics/relax.h"

#include <stdio.h>
#include <string.h>

#include "base/matrix.h"
#include "base/vector.h"
#include "hooks/built_in.h"
#include "hooks/effects.h"

/* Springs of more parts than this, all on one rod that bends, are not expanded to blocks. */
#define FEW_PARTS 24

/* ---- Loads that effects give ---- */

typedef struct visitor {
  eli_relaxation *relaxation;
  eli_take_block *take;
  eli_take_spring *take_spring; /* NULL: as blocks */
  void *context;
  elastica_tangent tangent;
  char fault[ELI_REASON_SIZE]; /* description of the first wrong part or block of a call; empty: none */
} visitor;

/* Describes an error of a part, if it has one. */
static void check_part(visitor *now, const elastica_part *part) {
  const elastica_world *world = now->relaxation->world;
  const elastica_rod_view *rod = part->rod;
  const elastica_rod *own =
      rod != NULL && rod->rod_index >= 0 && rod->rod_index < world->bodies.rod_count ? world->bodies.rods[rod->rod_index] : NULL;
  if (own == NULL || &own->body->view != rod) {
    snprintf(now->fault, sizeof now->fault, "added a block for a rod that is not in the world: pass the view that the hook receives");
    return;
  }
  const int last = part->turns ? rod->element_count - 1 : rod->closed ? rod->node_count : rod->node_count - 1;
  if (part->turns != 0 && part->turns != 1)
    snprintf(now->fault, sizeof now->fault, "added a block with turns = %d, not 0 or 1", part->turns);
  else if (part->index < 0 || part->index > last)
    snprintf(now->fault, sizeof now->fault, "added a block for %s %d of rod %d, outside 0..%d", part->turns ? "element" : "node",
             part->index, rod->rod_index, last);
}

size_t eli_relax_part(const eli_relaxation *relaxation, const elastica_part *part) {
  const elastica_rod *rod = relaxation->world->bodies.rods[part->rod->rod_index];
  const size_t index = (size_t)part->index, block = index < eli_block_count(rod) ? index : 0; /* the last node of a ring is its first */
  return 2 * (relaxation->first[rod->body->rank] + block) + (size_t)(part->turns != 0);
}

static void add(void *owner, elastica_part row, elastica_part column, const double block[9]) {
  visitor *now = owner;
  if (now->fault[0] == '\0') check_part(now, &row);
  if (now->fault[0] == '\0') check_part(now, &column);
  for (int k = 0; k < 9 && now->fault[0] == '\0'; k++)
    if (!eli_is_moderate(block[k]))
      snprintf(now->fault, sizeof now->fault, "added block[%d] = %g for %s %d of rod %d", k, block[k], row.turns ? "element" : "node",
               row.index, row.rod->rod_index);
  if (now->fault[0] != '\0') return;
  now->take(now->context, eli_relax_part(now->relaxation, &row), eli_relax_part(now->relaxation, &column), block, now->tangent.balanced);
}

static void expand(const visitor *now, const eli_spring_pull *pull, size_t count, double stiffness) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++) {
      double block[9] = {0.0};
      eli_add_outer(block, stiffness, pull[i].gradient, pull[j].gradient);
      now->take(now->context, pull[i].part, pull[j].part, block, now->tangent.balanced);
    }
}

/* Returns 1 if all parts are on one rod that bends. Without the spring such a rod has no motions of stiffness zero but rigid ones, which
 * show after the elimination of the spring. A body or another rod that the spring alone holds would show them before. */
static int is_along_one(const eli_relaxation *relaxation, const eli_spring_pull *pull, size_t count) {
  const int r = eli_relax_rod_of(relaxation, pull[0].part / 2);
  const size_t first = relaxation->first[r], end = first + eli_relax_blocks(relaxation, r);
  if (eli_is_rigid(relaxation->rods[r])) return 0;
  for (size_t k = 0; k < count; k++)
    if (pull[k].part / 2 < first || pull[k].part / 2 >= end) return 0;
  return 1;
}

static void check_spring(visitor *now, int count, const elastica_part *parts, const double *gradient, double stiffness) {
  if (count < 0)
    snprintf(now->fault, sizeof now->fault, "added a spring of %d parts", count);
  else if (!eli_is_moderate(stiffness))
    snprintf(now->fault, sizeof now->fault, "added a spring of stiffness %g", stiffness);
  for (int k = 0; k < 3 * count && now->fault[0] == '\0'; k++) {
    const elastica_part *part = &parts[k / 3];
    if (k % 3 == 0) check_part(now, part);
    if (now->fault[0] == '\0' && !eli_is_moderate(gradient[k]))
      snprintf(now->fault, sizeof now->fault, "added a spring with gradient[%d] = %g for %s %d of rod %d", k, gradient[k],
               part->turns ? "element" : "node", part->index, part->rod->rod_index);
  }
}

static void add_spring(void *owner, int count, const elastica_part *parts, const double *gradient, double stiffness) {
  visitor *now = owner;
  if (now->fault[0] == '\0') check_spring(now, count, parts, gradient, stiffness);
  if (now->fault[0] != '\0' || count == 0) return;
  const eli_allocator *allocator = &now->relaxation->world->allocator;
  eli_spring_pull *pull = eli_allocate(allocator, (size_t)count, sizeof *pull);
  if (pull == NULL) {
    now->relaxation->starved = 1;
    return;
  }
  for (int k = 0; k < count; k++) {
    pull[k].part = eli_relax_part(now->relaxation, &parts[k]);
    memcpy(pull[k].gradient, gradient + 3 * k, sizeof pull[k].gradient);
  }
  if (count <= FEW_PARTS || now->take_spring == NULL || !is_along_one(now->relaxation, pull, (size_t)count))
    expand(now, pull, (size_t)count, stiffness);
  else
    now->take_spring(now->context, pull, (size_t)count, stiffness, now->tangent.balanced);
  eli_release(allocator, pull);
}

/* Returns 1 if the effect adds loads of this kind: those of add_world_loads, or of add_loads, or by resultants that depend on the state. */
static int acts(const elastica_effect *effect, int between_rods) {
  const elastica_module *module = &effect->body->module;
  if (!effect->enabled || between_rods != (module->add_world_loads != NULL)) return 0;
  return between_rods || module->add_loads != NULL || (module->add_resultants != NULL && module->add_tangent != NULL);
}

/* Returns 1 if the effect adds such loads without their stiffness. An effect between rods may have both kinds. */
static int hides_tangent(const eli_relaxation *relaxation, const elastica_effect *effect, int between_rods) {
  const int known = eli_reports_contacts(effect) && relaxation->touching.known;
  const elastica_module *module = &effect->body->module;
  const int adds = between_rods ? module->add_world_loads != NULL : module->add_loads != NULL;
  return effect->enabled && adds && module->add_tangent == NULL && !known;
}

int eli_relax_has_tangents(const eli_relaxation *relaxation, int between_rods) {
  ELI_EACH_EFFECT_OF_WORLD(effect, relaxation->world) {
    if (hides_tangent(relaxation, effect, between_rods)) return 0;
  }
  return 1;
}

elastica_effect *eli_relax_without_tangent(const eli_relaxation *relaxation) {
  ELI_EACH_EFFECT_OF_WORLD(effect, relaxation->world) {
    if (hides_tangent(relaxation, effect, 0) || hides_tangent(relaxation, effect, 1)) return effect;
  }
  return NULL;
}

static elastica_status call(visitor *now, elastica_effect *effect, const elastica_rod *rod) {
  const elastica_world *world = now->relaxation->world;
  elastica_instant instant = eli_instant(world, eli_world_now(world), 1.0);
  instant.rod_index = rod != NULL ? rod->index : -1;
  now->tangent.unsymmetric = now->tangent.balanced = 0;
  const elastica_status status =
      effect->body->module.add_tangent(effect->self, &instant, rod != NULL ? &rod->body->view : NULL, &now->tangent);
  if (now->tangent.unsymmetric && now->relaxation->unsymmetric == NULL) now->relaxation->unsymmetric = effect;
  if (status == ELASTICA_OK && now->fault[0] == '\0') return status;
  if (status == ELASTICA_JOINT_TOO_FAR && effect->body->kind != NULL) return status;
  if (status == ELASTICA_OK)
    return eli_world_fail(effect->world, ELASTICA_CALLBACK_FAILED, "relax: effect %d \"%s\": add_tangent %s", effect->index,
                          effect->body->label, now->fault);
  const eli_tile_report report = {.status = status, .rod_index = instant.rod_index, .effect = effect, .hook = ELI_ADD_TANGENT};
  return eli_relax_fail_hook(now->relaxation, &report);
}

/* Calls the hook for each rod of an effect, or once. */
static elastica_status call_all(visitor *now, elastica_effect *effect, int between_rods) {
  elastica_status status = ELASTICA_OK;
  if (between_rods || effect->rod != NULL) return call(now, effect, between_rods ? NULL : effect->rod);
  ELI_EACH_ROD_OF_WORLD(rod, now->relaxation->world)
  if (status == ELASTICA_OK) status = call(now, effect, rod);
  return status;
}

/* one: only this effect; NULL: all. */
static elastica_status visit(eli_relaxation *relaxation, const elastica_effect *one, int between_rods, eli_take_block *take,
                             eli_take_spring *take_spring, void *context) {
  elastica_world *world = relaxation->world;
  elastica_status status = ELASTICA_OK;
  visitor now = {.relaxation = relaxation, .take = take, .take_spring = take_spring, .context = context};
  now.tangent = (elastica_tangent){.struct_size = sizeof now.tangent, .owner = &now, .add = add, .add_spring = add_spring};
  now.tangent.stress = relaxation->unstressed ? 0.0 : 1.0;
  const elastica_purpose purpose = eli_world_set_purpose(world, ELASTICA_PURPOSE_STATICS);
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const elastica_module *module = &effect->body->module;
    if (!acts(effect, between_rods) || module->add_tangent == NULL || (one != NULL && effect != one)) continue;
    if (module->add_tangent == eli_add_no_tangent) continue;
    if (status == ELASTICA_OK) status = call_all(&now, effect, between_rods);
  }
  eli_world_leave_hooks(world);
  (void)eli_world_set_purpose(world, purpose);
  return status;
}

elastica_status eli_relax_visit_tangents(eli_relaxation *relaxation, int between_rods, eli_take_block *take, eli_take_spring *take_spring,
                                         void *context) {
  return visit(relaxation, NULL, between_rods, take, take_spring, context);
}

elastica_status eli_relax_visit_effect(eli_relaxation *relaxation, const elastica_effect *effect, eli_take_block *take,
                                       eli_take_spring *take_spring, void *context) {
  return visit(relaxation, effect, effect->body->module.add_world_loads != NULL, take, take_spring, context);
}

/* ---- The lists of blocks and springs ---- */

/* Makes room for more members of a list. Returns the list, or NULL without memory. */
static void *make_room(eli_relaxation *relaxation, void *list, size_t size, size_t count, size_t more, size_t *capacity) {
  if (count + more <= *capacity) return list;
  const eli_allocator *allocator = &relaxation->world->allocator;
  const size_t room = 2 * *capacity + 64 + more;
  void *larger = eli_allocate(allocator, room, size);
  if (larger == NULL) {
    relaxation->starved = 1;
    return NULL;
  }
  if (count > 0) memcpy(larger, list, count * size);
  eli_release(allocator, list);
  *capacity = room;
  return larger;
}

void eli_stiffness_take(void *owner, size_t row, size_t column, const double m[9], int balanced) {
  const eli_stiffness_owner *of = owner;
  eli_stiffness *stiffness = of->stiffness;
  eli_load_block *list = make_room(of->relaxation, stiffness->load, sizeof *list, stiffness->count, 1, &stiffness->capacity);
  if (list == NULL) return;
  stiffness->load = list;
  eli_load_block *block = &stiffness->load[stiffness->count++];
  block->row = row;
  block->column = column;
  block->balanced = balanced;
  memcpy(block->m, m, sizeof block->m);
}

void eli_stiffness_take_spring(void *owner, const eli_spring_pull *pull, size_t count, double k, int balanced) {
  const eli_stiffness_owner *of = owner;
  eli_stiffness *stiffness = of->stiffness;
  eli_load_spring *list = make_room(of->relaxation, stiffness->spring, sizeof *list, stiffness->springs, 1, &stiffness->spring_capacity);
  if (list == NULL) return;
  stiffness->spring = list;
  eli_spring_pull *pulls = make_room(of->relaxation, stiffness->pull, sizeof *pulls, stiffness->pulls, count, &stiffness->pull_capacity);
  if (pulls == NULL) return;
  stiffness->pull = pulls;
  memcpy(pulls + stiffness->pulls, pull, count * sizeof *pull);
  list[stiffness->springs++] = (eli_load_spring){k, balanced, stiffness->pulls, count};
  stiffness->pulls += count;
}

static void apply_spring(const eli_load_spring *spring, const eli_spring_pull *pull, const double *x, double *y) {
  double elongation = 0.0;
  for (size_t k = 0; k < spring->count; k++) elongation += eli_dot(pull[k].gradient, x + 3 * pull[k].part);
  for (size_t k = 0; k < spring->count; k++)
    for (size_t a = 0; a < 3; a++) y[3 * pull[k].part + a] += spring->stiffness * elongation * pull[k].gradient[a];
}

void eli_stiffness_apply(const eli_stiffness *stiffness, int of_rods, const double *x, double *y) {
  const size_t end = of_rods ? stiffness->end_of_given_rods : stiffness->count;
  const size_t springs = of_rods ? stiffness->springs_of_rods : stiffness->springs;
  for (size_t s = 0; s < springs; s++) apply_spring(&stiffness->spring[s], stiffness->pull + stiffness->spring[s].first, x, y);
  for (size_t k = 0; k < end; k++) {
    const eli_load_block *block = &stiffness->load[k];
    const double *from = x + 3 * block->column;
    double *to = y + 3 * block->row;
    for (size_t a = 0; a < 3; a++) to[a] += block->m[3 * a] * from[0] + block->m[3 * a + 1] * from[1] + block->m[3 * a + 2] * from[2];
  }
}

static void add_support(const eli_relaxation *relaxation, size_t part, const double diagonal[3]) {
  const int r = eli_relax_rod_of(relaxation, part / 2), rigid = eli_is_rigid(relaxation->rods[r]);
  double *support = relaxation->support + 6 * (size_t)r + 3 * (part % 2);
  for (size_t a = 0; a < 3; a++) {
    if (rigid)
      support[a] += diagonal[a];
    else
      eli_keep_larger(&support[a], fabs(diagonal[a]));
  }
}

/* Notes the diagonals of E, since a bound of the rounding of loads depends on them: of a rigid body their sum, of a rod the largest one. */
static void find_supports(const eli_relaxation *relaxation, const eli_stiffness *stiffness) {
  memset(relaxation->support, 0, 6 * (size_t)relaxation->rod_count * sizeof(double));
  for (size_t k = 0; k < stiffness->count; k++) {
    const eli_load_block *block = &stiffness->load[k];
    const double diagonal[3] = {block->m[0], block->m[4], block->m[8]};
    if (block->row == block->column) add_support(relaxation, block->row, diagonal);
  }
  for (size_t s = 0; s < stiffness->springs; s++)
    for (size_t k = 0; k < stiffness->spring[s].count; k++) {
      const eli_spring_pull *pull = &stiffness->pull[stiffness->spring[s].first + k];
      double diagonal[3];
      for (int a = 0; a < 3; a++) diagonal[a] = stiffness->spring[s].stiffness * pull->gradient[a] * pull->gradient[a];
      add_support(relaxation, pull->part, diagonal);
    }
}

elastica_status eli_stiffness_renew_blocks(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  eli_stiffness_owner owner = {relaxation, stiffness};
  relaxation->unsymmetric = NULL;
  stiffness->count = stiffness->end_of_measured_rods;
  stiffness->springs = stiffness->springs_of_rods = stiffness->pulls = 0;
  for (int between = 0; between < 2; between++) stiffness->given[between] = eli_relax_has_tangents(relaxation, between);
  elastica_status status = eli_relax_measure_pairs(relaxation, stiffness);
  stiffness->end_of_measured = stiffness->count;
  for (int between = 0; between < 2; between++) {
    if (stiffness->given[between] && !eli_relax_is_over(relaxation)) {
      const elastica_status given = eli_relax_visit_tangents(relaxation, between, eli_stiffness_take, eli_stiffness_take_spring, &owner);
      if (status == ELASTICA_OK) status = given;
    }
    if (between == 0) stiffness->end_of_given_rods = stiffness->count, stiffness->springs_of_rods = stiffness->springs;
  }
  if (!eli_relax_is_over(relaxation)) {
    const elastica_status touching = eli_relax_take_contacts(relaxation, stiffness);
    if (status == ELASTICA_OK) status = touching;
  }
  stiffness->unsymmetric = relaxation->unsymmetric;
  return relaxation->starved ? eli_relax_starve(relaxation) : status;
}

elastica_status eli_stiffness_renew_loads(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  const elastica_status status = eli_stiffness_renew_blocks(relaxation, stiffness);
  find_supports(relaxation, stiffness);
  return status;
}

/* ---- Symmetry ---- */

/* A block of loads is symmetric if its skew part is at most this share of it; the papers' truncated couple is admitted. */
#define SKEW 1e-3

/* Accuracy of measured blocks, beside the largest loads of their rod. */
#define NOISE 1e-7

/* Returns 1 if the blocks of two parts, in both orders, are those of loads with a potential: then they are symmetric, but for turns of one
 * frame: E - E^T = -[C]x with the couple C of these loads on it. Differences of the size of rounding do not count. */
static int is_symmetric(const eli_relaxation *relaxation, const double *base, size_t row, size_t column, const double m[9],
                        const double back[9]) {
  const int r = eli_relax_rod_of(relaxation, row / 2);
  const eli_residual *sizes = &relaxation->residual[r];
  const double *couple = base + 6 * (row / 2) + 3, l = eli_relax_length_at(relaxation, r, row / 2 - relaxation->first[r]);
  const double load = eli_larger(sizes->reference_force * l, sizes->reference_couple);
  double skew = 0.0, most = NOISE * load / ((row % 2 ? 1.0 : l) * (column % 2 ? 1.0 : l)) / SKEW;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double turned = row == column && row % 2 == 1 && i != j ? ((j - i + 3) % 3 == 1 ? 1.0 : -1.0) * couple[3 - i - j] : 0.0;
      eli_keep_larger(&skew, fabs(m[3 * i + j] - back[3 * j + i] - turned));
      eli_keep_larger(&most, fabs(m[3 * i + j]));
      eli_keep_larger(&most, fabs(turned));
    }
  return skew <= SKEW * most;
}

/* Finds the block of a pair of parts in a sorted range of the list; a block of zeros if there is none. */
static const double *find_block(const eli_stiffness *stiffness, size_t begin, size_t end, size_t row, size_t column) {
  static const double nothing[9] = {0.0};
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    const eli_load_block *block = &stiffness->load[middle];
    if (block->row == row && block->column == column) return block->m;
    if (block->column < column || (block->column == column && block->row < row))
      begin = middle + 1;
    else
      end = middle;
  }
  return nothing;
}

/* Tests a range of measured blocks. Only these are compared: effects that give their stiffness say whether they have a potential. Blocks
 * with prescribed unknowns are not complete. */
static int are_symmetric(const eli_relaxation *relaxation, const eli_stiffness *stiffness, size_t begin, size_t end, const double *base) {
  for (size_t k = begin; k < end; k++) {
    const eli_load_block *block = &stiffness->load[k];
    int prescribed = 0;
    for (size_t a = 0; a < 3; a++)
      prescribed = prescribed || relaxation->held[3 * block->row + a] || relaxation->held[3 * block->column + a];
    if (!prescribed &&
        !is_symmetric(relaxation, base, block->row, block->column, block->m, find_block(stiffness, begin, end, block->column, block->row)))
      return 0;
  }
  return 1;
}

/* ---- All loads ---- */

/* Confirms E: as measured on the way, if one difference of loads agrees; else measured again here; else with neighbours; else unknown by
 * unknown. base: the present loads that are not given. */
static elastica_status confirm_loads(eli_relaxation *relaxation, eli_stiffness *stiffness, double *base) {
  elastica_status status = eli_stiffness_renew_loads(relaxation, stiffness);
  stiffness->known = status == ELASTICA_OK && stiffness->measured == NULL;
  if (stiffness->known || eli_relax_is_over(relaxation)) return status;
  if (relaxation->moved) status = eli_relax_check_loads(relaxation, stiffness, base, &stiffness->known);
  for (int pass = 0; pass < 3 && !stiffness->known && !eli_relax_is_over(relaxation); pass++) {
    if (pass < 2) {
      relaxation->wide = pass;
      status = eli_relax_measure_loads(relaxation, stiffness);
      relaxation->wide = 0;
    } else {
      status = eli_relax_measure_far(relaxation, stiffness);
    }
    if (status == ELASTICA_OK) status = eli_stiffness_renew_loads(relaxation, stiffness);
    if (status == ELASTICA_OK) status = eli_relax_check_loads(relaxation, stiffness, base, &stiffness->known);
  }
  return status;
}

static void ignore_block(void *context, size_t row, size_t column, const double block[9], int balanced) {
  (void)context, (void)row, (void)column, (void)block, (void)balanced;
}

static void ignore_spring(void *context, const eli_spring_pull *pull, size_t count, double stiffness, int balanced) {
  (void)context, (void)pull, (void)count, (void)stiffness, (void)balanced;
}

/* Asks the effects that give their stiffness among measured loads whether they have a potential: a constant couple on a frame has no block
 * in E that could be compared. */
static elastica_status find_culprit(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  elastica_effect *const named = relaxation->unsymmetric;
  elastica_status status = ELASTICA_OK;
  if (named != NULL && eli_reports_contacts(named)) relaxation->unsymmetric = NULL; /* named only if no other effect is */
  for (int between = 0; between < 2 && status == ELASTICA_OK; between++)
    if (!stiffness->given[between]) status = eli_relax_visit_tangents(relaxation, between, ignore_block, ignore_spring, NULL);
  if (status == ELASTICA_OK) stiffness->unsymmetric = relaxation->unsymmetric != NULL ? relaxation->unsymmetric : named;
  return status;
}

elastica_status eli_stiffness_find_loads(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  const eli_allocator *allocator = &relaxation->world->allocator;
  double *base = eli_allocate(allocator, 1, relaxation->size * sizeof(double) + 1);
  if (base == NULL) return eli_relax_starve(relaxation);
  stiffness->measured = eli_relax_without_tangent(relaxation);
  stiffness->known = 0;
  elastica_status status = confirm_loads(relaxation, stiffness, base);
  if (status == ELASTICA_OK && stiffness->measured != NULL && !eli_relax_is_over(relaxation)) status = find_culprit(relaxation, stiffness);
  relaxation->assembled = 0;
  stiffness->is_symmetric = stiffness->unsymmetric == NULL &&
                            (stiffness->measured == NULL || are_symmetric(relaxation, stiffness, 0, stiffness->end_of_measured_rods, base));
  eli_release(allocator, base);
  return eli_relax_is_over(relaxation) ? status : ELASTICA_OK;
}

/* ---- The matrix ---- */

/* FNV-1a */
static uint64_t mix(uint64_t mark, size_t value) {
  return (mark ^ (uint64_t)value) * UINT64_C(0x100000001b3);
}

static uint64_t mark_couplings(const eli_stiffness *stiffness) {
  uint64_t mark = UINT64_C(0xcbf29ce484222325);
  for (size_t k = 0; k < stiffness->count; k++) mark = mix(mix(mark, stiffness->load[k].row / 2), stiffness->load[k].column / 2);
  for (size_t s = 0; s < stiffness->springs; s++) {
    mark = mix(mark, stiffness->spring[s].count);
    for (size_t k = 0; k < stiffness->spring[s].count; k++) mark = mix(mark, stiffness->pull[stiffness->spring[s].first + k].part / 2);
  }
  return mark;
}

void eli_stiffness_renew_pattern(eli_stiffness *stiffness) {
  if (stiffness->couplings != mark_couplings(stiffness)) stiffness->has_pattern = 0;
}

/* Neighbours in a rod, and the couplings of loads. Under the rescaled law a couple depends on the length of the element before. */
static int make_pattern(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  eli_factor *factor = &stiffness->factor;
  const size_t reach = relaxation->world->law.classical ? 1 : 2;
  eli_factor_release(factor);
  stiffness->has_pattern = stiffness->division = 0;
  stiffness->patterns++;
  if (!eli_factor_create(factor, &relaxation->world->allocator, relaxation->blocks, stiffness->springs)) return 0;
  factor->blocks = eli_blocks_of(relaxation->world->kernels->instruction_set);
  for (int r = 0; r < relaxation->rod_count; r++) {
    const size_t first = relaxation->first[r], n = eli_relax_blocks(relaxation, r);
    for (size_t i = 0; i < n; i++)
      for (size_t distance = 1; distance <= reach; distance++)
        if (i + distance < n || relaxation->rods[r]->closed) eli_factor_couple(factor, first + i, first + (i + distance) % n);
  }
  for (size_t k = 0; k < stiffness->count; k++) eli_factor_couple(factor, stiffness->load[k].row / 2, stiffness->load[k].column / 2);
  for (size_t s = 0; s < stiffness->springs; s++)
    for (size_t k = 0; k < stiffness->spring[s].count; k++)
      eli_factor_couple(factor, relaxation->blocks + s, stiffness->pull[stiffness->spring[s].first + k].part / 2);
  stiffness->couplings = mark_couplings(stiffness);
  stiffness->has_pattern = eli_factor_analyse(factor);
  for (int r = 0; r < relaxation->rod_count && stiffness->has_pattern; r++) {
    const size_t first = relaxation->first[r], n = eli_relax_blocks(relaxation, r);
    assert(n > 0);
    for (size_t j = 0; j < (size_t)relaxation->rods[r]->element_count && eli_tangent_places_pairs(relaxation->rods[r]); j++)
      eli_factor_expect_pair(factor, first + j, first + (j + 1) % n);
  }
  return stiffness->has_pattern;
}

static void hold_rod(const eli_relaxation *relaxation, eli_factor *factor, int r) {
  const size_t first = relaxation->first[r], end = relaxation->first[r + 1];
  for (size_t k = 6 * first; k < 6 * end; k++)
    if (relaxation->held[k]) eli_factor_hold(factor, k / 6, (int)(k % 6));
  for (int a = 3; a < 6 && end - first > (size_t)relaxation->rods[r]->element_count; a++) /* the last block of an open rod has no element */
    eli_factor_hold(factor, end - 1, a);
}

static void add_to_factor(void *factor, size_t row, size_t column, const double block[9], int balanced) {
  eli_factor_add(factor, row / 2, (int)(row % 2), column / 2, (int)(column % 2), block, balanced);
}

static void fill(const eli_relaxation *relaxation, eli_stiffness *stiffness, double share, double scale) {
  eli_factor *factor = &stiffness->factor;
  eli_factor_clear(factor);
  for (int r = 0; r < relaxation->rod_count; r++) hold_rod(relaxation, factor, r);
  for (int r = 0; r < relaxation->rod_count; r++)
    eli_tangent_fill(relaxation->rods[r], share, scale, &relaxation->now, relaxation->predicted, factor, relaxation->first[r]);
  for (size_t k = 0; k < stiffness->count; k++) {
    const eli_load_block *block = &stiffness->load[k];
    add_to_factor(factor, block->row, block->column, block->m, block->balanced);
  }
  for (size_t s = 0; s < stiffness->springs; s++) {
    const eli_load_spring *spring = &stiffness->spring[s];
    const eli_spring_pull *pull = stiffness->pull + spring->first;
    eli_factor_set_spring(factor, s, spring->stiffness);
    for (size_t k = 0; k < spring->count; k++)
      eli_factor_pull(factor, s, pull[k].part / 2, (int)(pull[k].part % 2), pull[k].gradient, spring->balanced);
  }
}

int eli_stiffness_assemble_share(eli_relaxation *relaxation, eli_stiffness *stiffness, double share, double scale) {
  eli_factor *factor = &stiffness->factor;
  if (stiffness->division > 0 || (stiffness->has_pattern && stiffness->springs > factor->slots - factor->shown)) stiffness->has_pattern = 0;
  if (stiffness->has_pattern) {
    if (!eli_factor_reserve(factor)) return 0;
    fill(relaxation, stiffness, share, scale);
    if (!factor->misses) return 1;
  }
  if (!make_pattern(relaxation, stiffness) || !eli_factor_reserve(factor)) return 0;
  fill(relaxation, stiffness, share, scale);
  return 1;
}

int eli_stiffness_assemble(eli_relaxation *relaxation, eli_stiffness *stiffness, double tau) {
  return eli_stiffness_assemble_share(relaxation, stiffness, 1.0 / (1.0 + tau), 1.0 + tau);
}

/* ---- The matrix, rod by rod ---- */

/* Lists the blocks of E by rod, in their order. Returns 0 if one couples two rods, -1 without memory. */
static int list_by_rod(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  const size_t *first = relaxation->first;
  if (stiffness->first_load == NULL)
    stiffness->first_load = eli_allocate(&relaxation->world->allocator, (size_t)relaxation->rod_count + 1, sizeof *stiffness->first_load);
  if (stiffness->first_load == NULL) return -1;
  for (int r = 0; r < relaxation->rod_count; r++) stiffness->first_load[r] = SIZE_MAX;
  for (size_t k = stiffness->count, r = 0; k-- > 0;) {
    eli_load_block *block = &stiffness->load[k];
    const size_t row = block->row / 2, column = block->column / 2;
    if (row < first[r] || row >= first[r + 1]) r = (size_t)eli_relax_rod_of(relaxation, row);
    if (column < first[r] || column >= first[r + 1]) return 0;
    block->next = stiffness->first_load[r];
    stiffness->first_load[r] = k;
  }
  return 1;
}

static int has_all_places(const eli_stiffness *stiffness) {
  for (size_t k = 0; k < stiffness->count; k++)
    if (!eli_factor_couples(&stiffness->factor, stiffness->load[k].row / 2, stiffness->load[k].column / 2)) return 0;
  return 1;
}

int eli_stiffness_divide(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  if (stiffness->springs > 0) return 0;
  const int listed = list_by_rod(relaxation, stiffness);
  if (listed <= 0) return listed;
  if ((!stiffness->has_pattern || !has_all_places(stiffness)) && !make_pattern(relaxation, stiffness)) return -1;
  if (stiffness->division == 0) {
    eli_factor *factor = &stiffness->factor;
    for (int r = 0; r < relaxation->rod_count; r++) hold_rod(relaxation, factor, r);
    const int count = relaxation->world->scratch.worker_count * (stiffness->matrices > 0 ? stiffness->matrices : 1);
    const int divided = eli_factor_divide(factor, (size_t)relaxation->rod_count, relaxation->first, count, stiffness->keeps_factors);
    if (divided < 0) return -1;
    stiffness->division = divided ? 1 : -1;
  }
  return stiffness->division > 0;
}

eli_factor *eli_stiffness_fill_rod(eli_relaxation *relaxation, eli_stiffness *stiffness, int matrix, int r, double share, double scale) {
  eli_factor *part = eli_factor_part(&stiffness->factor, (size_t)r, matrix);
  const size_t first = relaxation->first[r];
  eli_factor_clear(part);
  eli_tangent_fill(relaxation->rods[r], share, scale, &relaxation->now, relaxation->predicted, part, 0);
  for (size_t k = stiffness->first_load[r]; k != SIZE_MAX; k = stiffness->load[k].next) {
    const eli_load_block *block = &stiffness->load[k];
    add_to_factor(part, block->row - 2 * first, block->column - 2 * first, block->m, block->balanced);
  }
  return part;
}

int eli_stiffness_divide_alone(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  stiffness->count = stiffness->springs = stiffness->springs_of_rods = stiffness->pulls = 0;
  eli_stiffness_renew_pattern(stiffness);
  return eli_stiffness_divide(relaxation, stiffness);
}

/* The matrix of one rod as a receiver of blocks. */
typedef struct matrix_of_rod {
  eli_factor *part;
  size_t first; /* block of the rod */
} matrix_of_rod;

static void take_for_rod(void *context, size_t row, size_t column, const double block[9], int balanced) {
  const matrix_of_rod *to = context;
  add_to_factor(to->part, row - 2 * to->first, column - 2 * to->first, block, balanced);
}

/* A spring couples more parts than neighbours. */
static void refuse_spring(void *owner, int count, const elastica_part *parts, const double *gradient, double stiffness) {
  visitor *now = owner;
  (void)count, (void)parts, (void)gradient, (void)stiffness;
  ((matrix_of_rod *)now->context)->part->misses = 1;
}

int eli_stiffness_add_rod(eli_relaxation *relaxation, int r, eli_factor *part, eli_tile_report *report) {
  const elastica_world *world = relaxation->world;
  const elastica_rod *rod = relaxation->rods[r];
  if (!eli_rod_has(rod, ELI_ADD_TANGENT)) return 1;
  matrix_of_rod to = {part, relaxation->first[r]};
  visitor now;
  now.relaxation = relaxation;
  now.take = take_for_rod;
  now.context = &to;
  now.fault[0] = '\0';
  now.tangent =
      (elastica_tangent){.struct_size = sizeof now.tangent, .owner = &now, .add = add, .add_spring = refuse_spring, .stress = 1.0};
  elastica_instant instant = eli_instant(world, eli_world_now(world), 1.0); /* as in a call of statics */
  instant.rod_index = rod->index;
  instant.purpose = ELASTICA_PURPOSE_STATICS;
  instant.is_frozen = 1;
  report->status = ELASTICA_OK;
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_TANGENT) {
    if (effect->body->module.add_tangent == eli_add_no_tangent || !acts(effect, 0)) continue;
    now.tangent.unsymmetric = now.tangent.balanced = 0;
    if (!eli_call_hook(effect, ELI_ADD_TANGENT, rod, &instant, &now.tangent, report)) return 0;
  }
  return now.fault[0] == '\0' && !part->misses;
}

double eli_stiffness_largest(const eli_stiffness *stiffness) {
  double most = 0.0;
  for (size_t k = 0; k < stiffness->count; k++) {
    const eli_load_block *block = &stiffness->load[k];
    for (size_t a = 0; a < 9 && block->row % 2 == 0 && block->column % 2 == 0; a++) eli_keep_larger(&most, fabs(block->m[a]));
  }
  for (size_t k = 0; k < stiffness->springs; k++) eli_keep_larger(&most, fabs(stiffness->spring[k].stiffness));
  return most;
}

void eli_stiffness_release(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  eli_factor_release(&stiffness->factor);
  eli_release(&relaxation->world->allocator, stiffness->load);
  eli_release(&relaxation->world->allocator, stiffness->spring);
  eli_release(&relaxation->world->allocator, stiffness->pull);
  eli_release(&relaxation->world->allocator, stiffness->first_load);
  memset(stiffness, 0, sizeof *stiffness);
}
