/* Contacts: their stiffness at every state, its coupling of rods, and the largest step with contacts.
 *
 * models     C = -d(forces of contacts)/d(positions of the ends of elements): a sum over contacts (see eli_contact_stiffness)
 * equation   the part of C in the band of a rod goes there, into M; the rest, R, couples: M x + R x = b is M x = b + v. v is not 0 only on
 *            nodes in contact, and solves v + R M^-1 v = -R M^-1 b. GMRES finds v: for rods that touch at a few places in a few steps
 * source     Saad and Schultz, GMRES, SIAM J. Sci. Stat. Comput. 7 (1986) 856
 * test       tests/test_relax_touching.c
 *
 * A linearised contact has no information about later contacts. So no node moves in one step by more than a part of the least radius: from
 * the first touch of two surfaces to the crossing of their centre lines it takes several such steps.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

#include "contact/capsule.h"
#include "hooks/work.h"
#include "rod/law.h"

/* The largest displacement of a node in one step, in the least radius of all rods. */
#define PART_OF_RADIUS 0.25

/* GMRES ends at this share of its right-hand side, or after MOST_VECTORS vectors. */
#define SOLVED 1e-6
enum { MOST_VECTORS = 120 };
#define NO_NUMBER ((size_t)-1)

typedef struct eli_gmres gmres;

/* Arnoldi's process and Givens rotations: one column at a time of the least-squares problem. */
struct eli_gmres {
  double h[MOST_VECTORS][MOST_VECTORS]; /* upper triangle, [column][row] */
  double cosine[MOST_VECTORS], sine[MOST_VECTORS], rest[MOST_VECTORS + 1];
};

/* ---- Effects with contacts ---- */

static double least_radius(const elastica_world *world) {
  double *const *lane = world->bodies.slab.lane;
  double least = INFINITY;
  ELI_EACH_ROD_OF_WORLD(rod, world)
  for (size_t j = rod->offset; j < rod->offset + (size_t)rod->element_count; j++) {
    const double radius = eli_radius(lane[ELI_VOLUME][j], lane[ELI_REST_LENGTH][j]);
    if (radius < least) least = radius;
  }
  return least;
}

static int presses(const elastica_effect *effect) {
  return effect->enabled && effect->body->kind != NULL && effect->body->kind->contact_stiffness != NULL;
}

void eli_relax_find_touching(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  eli_touching *touching = &relaxation->touching;
  int any = 0, rigid = 0;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) any = any || presses(effect);
  ELI_EACH_ROD_OF_WORLD(rod, world) rigid = rigid || eli_is_rigid(rod);
  touching->limit = any ? PART_OF_RADIUS * least_radius(world) : 0.0;
  touching->known = any && !rigid;
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (presses(effect) && effect->body->kind->friction != NULL && effect->body->kind->friction(effect->self) > 0.0)
    touching->has_friction = 1;
}

/* ---- Friction ---- */

static double *lane_of(const elastica_world *world, size_t k) {
  return world->bodies.slab.lane[k < 3 ? ELI_POSITION + k : ELI_DIRECTOR + k - 3];
}

static int allocate_slips(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  const size_t slots = world->bodies.slab.end;
  if (slots == 0) return 1; /* an empty slab has no lanes */
  double *memory = eli_allocate(&world->allocator, 18 * slots, sizeof *memory);
  relaxation->touching.slips = memory;
  if (memory == NULL) return 0;
  memset(memory, 0, 18 * slots * sizeof *memory);
  for (size_t k = 0; k < 12; k++, memory += slots) {
    world->calls.slips.from[k] = memory;
    memcpy(memory, lane_of(world, k), slots * sizeof *memory);
  }
  for (size_t k = 0; k < 6; k++, memory += slots) world->calls.slips.moved[k] = memory;
  return 1;
}

void eli_relax_follow_slips(const eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  for (size_t k = 0; k < 12 && relaxation->touching.slips != NULL; k++)
    memcpy(world->calls.slips.from[k], lane_of(world, k), world->bodies.slab.end * sizeof(double));
}

elastica_status eli_relax_keep_slips(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  eli_tile_report report;
  if (relaxation->touching.slips == NULL) return ELASTICA_OK;
  world->calls.slips.keeps = 1;
  relaxation->evaluations++;
  const elastica_status status = eli_world_statics(world, 1, &relaxation->trial, &report);
  world->calls.slips.keeps = 0;
  eli_relax_follow_slips(relaxation);
  return status == ELASTICA_OK ? status : eli_relax_fail_hook(relaxation, &report);
}

/* ---- Memory ---- */

int eli_relax_allocate_touching(eli_relaxation *relaxation) {
  eli_touching *touching = &relaxation->touching;
  const size_t size = relaxation->size;
  if (touching->has_friction && !allocate_slips(relaxation)) return 0;
  if (!touching->known) return 1;
  double *memory = eli_allocate(&relaxation->world->allocator, 1,
                                sizeof *touching->gmres + 2 * size * sizeof *memory + 2 * relaxation->blocks * sizeof *touching->number);
  touching->memory = memory;
  if (memory == NULL) return 0;
  touching->load = memory;
  touching->moved = memory + size;
  touching->gmres = (gmres *)(memory + 2 * size);
  touching->number = (size_t *)(touching->gmres + 1);
  return 1;
}

void eli_relax_release_touching(eli_relaxation *relaxation) {
  const eli_allocator *allocator = &relaxation->world->allocator;
  memset(&relaxation->world->calls.slips, 0, sizeof relaxation->world->calls.slips);
  eli_release(allocator, relaxation->touching.slips);
  eli_release(allocator, relaxation->touching.memory);
  eli_release(allocator, relaxation->touching.block);
  eli_release(allocator, relaxation->touching.basis);
}

/* ---- Stiffness ---- */

/* Finds the first unknown of each part, and its place in an eli_contact_stiffness; returns the number of parts. */
static int parts_of(const eli_relaxation *relaxation, const eli_contact_stiffness *found, size_t unknown[ELI_CONTACT_STIFFNESS_PARTS],
                    int place[ELI_CONTACT_STIFFNESS_PARTS]) {
  int count = 0;
  for (int side = 0; side < 2 && found->rod[side] != NULL; side++) {
    const elastica_rod_view *view = found->rod[side];
    const size_t first = relaxation->first[relaxation->world->bodies.rods[view->rod_index]->body->rank];
    const int j = found->element[side];
    place[count] = 6 * side, unknown[count++] = 6 * (first + (size_t)j);
    place[count] = 6 * side + 3, unknown[count++] = 6 * (first + (size_t)eli_second_node(view, j));
    if (found->turns) place[count] = 12 + 3 * side, unknown[count++] = 6 * (first + (size_t)j) + 3;
  }
  return count;
}

static int reserve(eli_relaxation *relaxation) {
  eli_touching *touching = &relaxation->touching;
  if (touching->count < touching->capacity) return 1;
  const size_t capacity = 2 * touching->capacity + 64;
  eli_touch_block *larger = eli_allocate(&relaxation->world->allocator, capacity, sizeof *larger);
  if (larger == NULL) return 0;
  if (touching->count > 0) memcpy(larger, touching->block, touching->count * sizeof *larger);
  eli_release(&relaxation->world->allocator, touching->block);
  touching->block = larger;
  touching->capacity = capacity;
  return 1;
}

static void take(void *context, const eli_contact_stiffness *found) {
  eli_relaxation *relaxation = context;
  eli_touching *touching = &relaxation->touching;
  if (touching->full || !reserve(relaxation)) {
    touching->full = 1;
    return;
  }
  eli_touch_block *block = &touching->block[touching->count++];
  int place[ELI_CONTACT_STIFFNESS_PARTS];
  block->parts = parts_of(relaxation, found, block->unknown, place);
  for (int k = 0; k < 3 * block->parts; k++)
    for (int c = 0; c < 3 * block->parts; c++) {
      const int held =
          relaxation->held[block->unknown[k / 3] + (size_t)(k % 3)] || relaxation->held[block->unknown[c / 3] + (size_t)(c % 3)];
      block->stiffness[k][c] = held ? 0.0 : found->stiffness[place[k / 3] + k % 3][place[c / 3] + c % 3];
    }
}

void eli_relax_put_contacts_in_bands(eli_relaxation *relaxation, double sign) {
  const eli_touching *touching = &relaxation->touching;
  for (size_t b = 0; b < touching->count; b++) {
    const eli_touch_block *block = &touching->block[b];
    for (int p = 0; p < block->parts; p++)
      for (int q = 0; q < block->parts; q++) {
        const int r = eli_relax_band_of(relaxation, block->unknown[p], block->unknown[q]);
        if (r < 0) continue;
        const size_t first = 6 * relaxation->first[r], row = block->unknown[p] - first, column = block->unknown[q] - first;
        for (size_t k = 0; k < 9; k++)
          eli_tangent_add_load(&relaxation->tangents[r], row + k / 3, column + k % 3,
                               sign * block->stiffness[3 * p + (int)(k / 3)][3 * q + (int)(k % 3)]);
      }
  }
}

static int number_ends(eli_relaxation *relaxation);

elastica_status eli_relax_measure_touching(eli_relaxation *relaxation) {
  eli_touching *touching = &relaxation->touching;
  elastica_world *world = relaxation->world;
  elastica_status status = ELASTICA_OK;
  if (!touching->known) return status;
  eli_relax_put_contacts_in_bands(relaxation, -1.0);
  touching->count = 0;
  touching->full = 0;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (status == ELASTICA_OK && presses(effect))
    status = effect->body->kind->contact_stiffness(effect->self, eli_world_now(world), take, relaxation);
  eli_world_leave_hooks(world);
  if (touching->full || !number_ends(relaxation)) {
    touching->count = touching->ends = 0; /* steps are then computed without contacts */
    status = ELASTICA_OUT_OF_MEMORY;
  }
  eli_relax_put_contacts_in_bands(relaxation, 1.0);
  return status == ELASTICA_OUT_OF_MEMORY ? eli_relax_starve(relaxation) : status;
}

/* ---- Solution ---- */

/* Numbers the nodes that R couples, and makes room for GMRES on them. */
static int number_ends(eli_relaxation *relaxation) {
  eli_touching *touching = &relaxation->touching;
  touching->ends = 0;
  for (size_t i = 0; i < 2 * relaxation->blocks; i++) touching->number[i] = NO_NUMBER;
  for (size_t b = 0; b < touching->count; b++) {
    const eli_touch_block *block = &touching->block[b];
    for (int p = 0; p < block->parts; p++)
      for (int q = 0; q < block->parts; q++) {
        size_t *number = &touching->number[block->unknown[p] / 3];
        if (*number == NO_NUMBER && eli_relax_band_of(relaxation, block->unknown[p], block->unknown[q]) < 0) *number = touching->ends++;
      }
  }
  const size_t need = 3 * touching->ends * (MOST_VECTORS + 1);
  if (need <= touching->room) return 1;
  double *larger = eli_allocate(&relaxation->world->allocator, need + need / 2, sizeof *larger);
  if (larger == NULL) return 0;
  eli_release(&relaxation->world->allocator, touching->basis);
  touching->basis = larger;
  touching->room = need + need / 2;
  return 1;
}

/* y += sign R x, y by number. */
static void add_product(const eli_relaxation *relaxation, double sign, const double *x, double *y) {
  const eli_touching *touching = &relaxation->touching;
  for (size_t b = 0; b < touching->count; b++) {
    const eli_touch_block *block = &touching->block[b];
    for (int p = 0; p < block->parts; p++)
      for (int q = 0; q < block->parts; q++) {
        if (eli_relax_band_of(relaxation, block->unknown[p], block->unknown[q]) >= 0) continue;
        double *out = y + 3 * touching->number[block->unknown[p] / 3];
        for (int k = 0; k < 3; k++)
          for (int c = 0; c < 3; c++) out[k] += sign * block->stiffness[3 * p + k][3 * q + c] * x[block->unknown[q] + (size_t)c];
      }
  }
}

static double inner(const double *a, const double *b, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* Computes out = M^-1 v; v is by number. */
static void solve_ends(const eli_relaxation *relaxation, const double *v, double *out) {
  const eli_touching *touching = &relaxation->touching;
  memset(touching->load, 0, relaxation->size * sizeof(double));
  for (size_t i = 0; i < 2 * relaxation->blocks; i++)
    if (touching->number[i] != NO_NUMBER) memcpy(touching->load + 3 * i, v + 3 * touching->number[i], 3 * sizeof(double));
  eli_relax_solve(relaxation, touching->load, out);
}

/* Makes vector k + 1 orthogonal to those before it, and applies the rotations to column k. Returns the remaining residual. */
static double add_column(gmres *of, double *basis, size_t n, int k) {
  double *next = basis + (size_t)(k + 1) * n, *h = of->h[k];
  for (int i = 0; i <= k; i++) {
    h[i] = inner(basis + (size_t)i * n, next, n);
    for (size_t q = 0; q < n; q++) next[q] -= h[i] * basis[(size_t)i * n + q];
  }
  const double length = sqrt(inner(next, next, n));
  for (size_t q = 0; q < n && length > 0.0; q++) next[q] /= length;
  for (int i = 0; i < k; i++) {
    const double first = h[i], second = h[i + 1];
    h[i] = of->cosine[i] * first + of->sine[i] * second;
    h[i + 1] = of->cosine[i] * second - of->sine[i] * first;
  }
  const double larger = fabs(h[k]) > length ? fabs(h[k]) : length, a = larger > 0.0 ? h[k] / larger : 0.0,
               b = larger > 0.0 ? length / larger : 0.0;
  const double size = larger * sqrt(a * a + b * b);
  of->cosine[k] = size > 0.0 ? h[k] / size : 1.0;
  of->sine[k] = size > 0.0 ? length / size : 0.0;
  h[k] = size;
  of->rest[k + 1] = -of->sine[k] * of->rest[k];
  of->rest[k] *= of->cosine[k];
  return fabs(of->rest[k + 1]);
}

/* Combines the vectors; the sum replaces the first of them. */
static void combine(gmres *of, double *basis, size_t n, int count) {
  for (int k = count; k-- > 0;) {
    for (int i = k + 1; i < count; i++) of->rest[k] -= of->h[i][k] * of->rest[i];
    of->rest[k] = of->h[k][k] > 0.0 ? of->rest[k] / of->h[k][k] : 0.0;
  }
  for (size_t q = 0; q < n; q++) {
    double sum = 0.0;
    for (int k = 0; k < count; k++) sum += of->rest[k] * basis[(size_t)k * n + q];
    basis[q] = sum;
  }
}

void eli_relax_solve_touching(eli_relaxation *relaxation, const double *b, double *x) {
  eli_touching *touching = &relaxation->touching;
  const size_t n = 3 * touching->ends;
  double *basis = touching->basis;
  eli_relax_solve(relaxation, b, x);
  if (n == 0) return;
  memset(basis, 0, n * sizeof *basis);
  add_product(relaxation, -1.0, x, basis);
  const double size = sqrt(inner(basis, basis, n));
  if (!(size > 0.0 && size <= 1e300)) return;
  gmres *of = touching->gmres;
  int count = 0;
  double left = size;
  memset(of->rest, 0, sizeof of->rest);
  of->rest[0] = size;
  for (size_t q = 0; q < n; q++) basis[q] /= size;
  while (count < MOST_VECTORS && left > SOLVED * size) {
    double *const vector = basis + (size_t)count * n, *const next = vector + n;
    solve_ends(relaxation, vector, touching->moved);
    memcpy(next, vector, n * sizeof *next);
    add_product(relaxation, 1.0, touching->moved, next);
    left = add_column(of, basis, n, count++);
  }
  combine(of, basis, n, count);
  solve_ends(relaxation, basis, touching->moved);
  for (size_t i = 0; i < relaxation->size; i++) x[i] += touching->moved[i];
}
