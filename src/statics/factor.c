/* A sparse matrix of 6 by 6 blocks, its factors L U, or those L D L^T of its symmetric part with its inertia.
 *
 * models     the stiffness of rods, of the loads on them and of the couplings between them, K + shift M
 * equation   elimination of slot k: K_ij -= Y_i K_kj with Y_i = K_ik K_kk^-1 for its later neighbours i, j; the inertia of K is the sum of
 *            those of the pivots K_kk (Sylvester). The blocks of nodes on the diagonal are not stored: with T the common translation of
 *            all nodes and R = K T, the row of a node gives K_kk = R_k - sum of K_kj over its other nodes j, and R_i -= Y_i R_k
 * source     Grassmann, Taksar and Heyman, Operations Research 33 (1985) 1107, for the elimination by row sums; Bunch and Parlett, SIAM J.
 *            Numer. Anal. 8 (1971) 639, for pivots within a block; George and Liu, SIAM Review 31 (1989) 1, for the minimum degree
 *            A spring k g g^T: K = K0 + k g g^T is the Schur complement of [K0, k g; k g^T, -k] with the elongation g . x of the spring as
 *            an unknown, and the inertia of K is that of this matrix without one negative pivot for k > 0 (Haynsworth)
 * test       tests/test_factor.c
 *
 * A rod of n elements is stiffer against stretch than as a whole against bending by a factor of about n^4 (L/d)^2, so that the sum of the
 * stiffnesses of the two elements at a node, rounded, ties the node to the ground by a spring that is not small beside the rod as a whole.
 * Loads inside a rod do not change under a common translation; with R in place of the diagonal they keep this property exactly during
 * elimination. What rounding leaves is of the order of the rotations, smaller by a factor n^2.
 *
 * Slots are eliminated in the order of least degree, which follows a chain from its end. The order depends on the couplings alone. In a
 * matrix with negative eigenvalues a pivot may come near zero although the matrix does not, and would multiply errors. Such an unknown is
 * pinned by a spring: with K' = K + E E^T, K has the negative eigenvalues of K' and of 1 - E^T K'^-1 E together (Sylvester, by the block
 * matrix of K', E and 1).
 */
#include "base/target.h"

#include "statics/factor.h"

#include "base/elementary.h"
#include "base/symmetric_eigen.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define NONE SIZE_MAX

enum { N = ELI_SLOT_UNKNOWNS, BLOCK = N * N, RESPONSE = 3 * N };

/* Error of a sum of a few products. Errors are added without regard to their signs, and so are far above what they usually are. */
#define EPSILON DBL_EPSILON

/* A pivot below ZERO times the bound of its error counts as zero. One that is coupled to later slots is pinned below SAFE times that bound,
 * or below SMALL times its coupling; without a pin left it counts as zero below UNSURE times that bound, which is far above most errors. */
#define ZERO 4.0
#define SAFE 1e3
#define SMALL 1e-4
#define FAINT 1e-9 /* [1/m, m] the rest of a coupling after rounding, beside one of another unit */
#define UNSURE 0.25

/* ---- The pattern ---- */

static int is_hidden(const eli_factor *factor, size_t slot) {
  return slot >= factor->shown;
}

static size_t *take(size_t **memory, size_t count) {
  size_t *taken = *memory;
  *memory += count;
  return taken;
}

int eli_factor_create(eli_factor *factor, const eli_allocator *allocator, size_t shown, size_t springs) {
  const size_t slots = shown + springs;
  memset(factor, 0, sizeof *factor);
  factor->allocator = allocator;
  factor->blocks = &eli_blocks_base;
  factor->slots = slots;
  factor->shown = shown;
  size_t *memory = eli_allocate(allocator, 9 * slots + 1, sizeof *memory);
  factor->tables = memory;
  factor->starved = memory == NULL;
  if (memory == NULL) return 0;
  factor->order = take(&memory, slots);
  factor->rank = take(&memory, slots);
  factor->begin = take(&memory, slots);
  factor->degree = take(&memory, slots);
  factor->room = take(&memory, slots);
  factor->next = take(&memory, slots);
  factor->previous = take(&memory, slots);
  factor->place = take(&memory, slots);
  factor->bucket = take(&memory, slots + 1);
  return 1;
}

/* Moves the list of a slot to the end of the lists, with more room. */
static int make_room(eli_factor *factor, size_t slot) {
  const size_t room = 2 * factor->room[slot] + 2;
  if (factor->used + room > factor->capacity) {
    const size_t capacity = 2 * (factor->capacity + room) + 8 * factor->slots;
    size_t *larger = eli_allocate(factor->allocator, capacity, sizeof *larger);
    if (larger == NULL) return 0;
    if (factor->used > 0) memcpy(larger, factor->neighbour, factor->used * sizeof *larger);
    eli_release(factor->allocator, factor->neighbour);
    factor->neighbour = larger;
    factor->capacity = capacity;
  }
  size_t *const list = factor->neighbour + factor->used;
  if (factor->degree[slot] > 0) memcpy(list, factor->neighbour + factor->begin[slot], factor->degree[slot] * sizeof *list);
  factor->begin[slot] = factor->used;
  factor->room[slot] = room;
  factor->used += room;
  return 1;
}

static void append(eli_factor *factor, size_t slot, size_t other) {
  if (factor->starved || (factor->degree[slot] == factor->room[slot] && !make_room(factor, slot))) {
    factor->starved = 1;
    return;
  }
  factor->neighbour[factor->begin[slot] + factor->degree[slot]++] = other;
}

void eli_factor_couple(eli_factor *factor, size_t slot, size_t other) {
  if (slot == other || factor->starved) return;
  const size_t fewer = factor->degree[slot] < factor->degree[other] ? slot : other, list = factor->begin[fewer];
  for (size_t k = 0; k < factor->degree[fewer]; k++)
    if (factor->neighbour[list + k] == (fewer == slot ? other : slot)) return;
  append(factor, slot, other);
  append(factor, other, slot);
}

/* ---- The order ---- */

static void put_in_bucket(eli_factor *factor, size_t slot) {
  size_t *first = &factor->bucket[factor->degree[slot]];
  factor->previous[slot] = NONE;
  factor->next[slot] = *first;
  if (*first != NONE) factor->previous[*first] = slot;
  *first = slot;
}

static void take_from_bucket(eli_factor *factor, size_t slot) {
  const size_t before = factor->previous[slot], after = factor->next[slot];
  if (before != NONE)
    factor->next[before] = after;
  else
    factor->bucket[factor->degree[slot]] = after;
  if (after != NONE) factor->previous[after] = before;
}

/* A hidden slot may have all others as neighbours. During the analysis its list has only hidden ones, and `previous`, which is free since
 * the slot is in no bucket, the number of the others; these have it in their lists. */
static size_t *shown_neighbours(const eli_factor *factor, size_t hidden) {
  return &factor->previous[hidden];
}

/* Adds a neighbour to a slot. */
static void connect(eli_factor *factor, size_t slot, size_t mate) {
  if (is_hidden(factor, slot) && !is_hidden(factor, mate)) return;
  if (is_hidden(factor, mate) && !is_hidden(factor, slot)) ++*shown_neighbours(factor, mate);
  append(factor, slot, mate);
}

/* Connects the neighbours of an eliminated slot with each other. stamp: larger than all numbers in place. */
static void eliminate_from_lists(eli_factor *factor, size_t slot, size_t *stamp) {
  for (size_t k = 0; k < factor->degree[slot]; k++) {
    const size_t other = factor->neighbour[factor->begin[slot] + k];
    if (!is_hidden(factor, other))
      take_from_bucket(factor, other);
    else if (!is_hidden(factor, slot))
      --*shown_neighbours(factor, other);
    size_t kept = 0;
    ++*stamp;
    for (size_t q = 0; q < factor->degree[other]; q++) {
      const size_t stays = factor->neighbour[factor->begin[other] + q];
      if (stays == slot) continue;
      factor->neighbour[factor->begin[other] + kept++] = stays;
      factor->place[stays] = *stamp;
    }
    factor->degree[other] = kept;
    for (size_t q = 0; q < factor->degree[slot]; q++) {
      const size_t mate = factor->neighbour[factor->begin[slot] + q];
      if (mate != other && factor->place[mate] != *stamp) connect(factor, other, mate);
    }
    if (!is_hidden(factor, other)) put_in_bucket(factor, other);
  }
}

static void place_next(eli_factor *factor, size_t slot, size_t *position, size_t *stamp) {
  factor->order[*position] = slot;
  factor->rank[slot] = (*position)++;
  eliminate_from_lists(factor, slot, stamp);
}

/* Eliminates the springs that the slot has left with one neighbour, which is the slot's only one. Before that slot the matrix without the
 * spring may be singular. */
static void place_springs(eli_factor *factor, size_t slot, size_t *position, size_t *stamp) {
  size_t last = NONE;
  for (size_t k = 0; k < factor->degree[slot]; k++) {
    const size_t other = factor->neighbour[factor->begin[slot] + k];
    if (!is_hidden(factor, other)) last = other;
  }
  for (size_t k = 0; k < factor->degree[slot] && last != NONE; k++) {
    const size_t hidden = factor->neighbour[factor->begin[slot] + k];
    if (!is_hidden(factor, hidden) || *shown_neighbours(factor, hidden) != 1) continue;
    append(factor, hidden, last);
    if (!factor->starved) place_next(factor, hidden, position, stamp);
  }
}

/* Copies the lists without gaps. The block of a pair stands in the list of the slot that is eliminated first. */
static int close_gaps(eli_factor *factor) {
  size_t total = 0, filled = 0;
  for (size_t s = 0; s < factor->slots; s++) total += factor->degree[s];
  size_t *lists = eli_allocate(factor->allocator, total, sizeof *lists);
  if (lists == NULL) return 0;
  for (size_t k = 0; k < factor->slots; k++) {
    const size_t s = factor->order[k], count = factor->degree[s];
    if (count > 0) memcpy(lists + filled, factor->neighbour + factor->begin[s], count * sizeof *lists);
    factor->begin[s] = filled;
    filled += count;
  }
  eli_release(factor->allocator, factor->neighbour);
  factor->neighbour = lists;
  factor->used = factor->capacity = total;
  return 1;
}

static double *part_of(double **memory, size_t count) {
  double *taken = *memory;
  *memory += count;
  return taken;
}

static int allocate_flags(eli_factor *factor) {
  const size_t slots = factor->slots, entries = factor->used;
  factor->flags = eli_allocate(factor->allocator, (N + 2) * slots + 2 * entries + 1, 1);
  if (factor->flags == NULL) return 0;
  factor->held = factor->flags;
  factor->any_held = factor->held + N * slots;
  factor->expected_own = factor->any_held + slots;
  factor->changes = factor->expected_own + slots;
  factor->expected = factor->changes + entries;
  return 1;
}

/* Leaves only hidden slots in the lists of hidden slots: there are none yet. */
static void count_shown_neighbours(eli_factor *factor) {
  for (size_t s = factor->shown; s < factor->slots; s++) {
    *shown_neighbours(factor, s) = factor->degree[s];
    factor->degree[s] = 0;
    factor->rank[s] = NONE;
  }
}

/* Returns the entry of a later slot in the list of an earlier one, or NONE. */
static size_t entry_of(const eli_factor *factor, size_t slot, size_t later) {
  const size_t begin = factor->begin[slot], end = begin + factor->degree[slot];
  for (size_t k = begin; k < end; k++)
    if (factor->neighbour[k] == later) return k;
  return NONE;
}

/* Returns the entry of a pair of slots, or NONE. */
static size_t entry_of_pair(const eli_factor *factor, size_t one, size_t other) {
  return factor->rank[one] < factor->rank[other] ? entry_of(factor, one, other) : entry_of(factor, other, one);
}

/* Marks the blocks that the elimination of other slots changes: those of two neighbours of one slot. */
static void find_changes(eli_factor *factor) {
  memset(factor->changes, 0, factor->used);
  for (size_t s = 0; s < factor->slots; s++)
    for (size_t k = factor->begin[s]; k < factor->begin[s] + factor->degree[s]; k++)
      for (size_t q = factor->begin[s]; q < k; q++) factor->changes[entry_of_pair(factor, factor->neighbour[k], factor->neighbour[q])] = 1;
}

int eli_factor_analyse(eli_factor *factor) {
  size_t least = 0, stamp = 0, position = 0;
  if (factor->starved) return 0;
  for (size_t d = 0; d <= factor->slots; d++) factor->bucket[d] = NONE;
  memset(factor->place, 0, factor->slots * sizeof *factor->place);
  for (size_t s = factor->shown; s-- > 0;) put_in_bucket(factor, s);
  count_shown_neighbours(factor);
  for (size_t k = 0; k < factor->shown && !factor->starved; k++) {
    while (factor->bucket[least] == NONE) least++;
    const size_t slot = factor->bucket[least], degree = factor->degree[slot];
    take_from_bucket(factor, slot);
    place_next(factor, slot, &position, &stamp);
    place_springs(factor, slot, &position, &stamp);
    least = degree > 0 && factor->slots == factor->shown ? degree - 1 : 0; /* a neighbour has lost one, or one and the springs */
  }
  for (size_t s = factor->shown; s < factor->slots && !factor->starved; s++)
    if (factor->rank[s] == NONE) place_next(factor, s, &position, &stamp);
  factor->starved = factor->starved || !close_gaps(factor) || !allocate_flags(factor);
  if (!factor->starved) find_changes(factor);
  return !factor->starved;
}

/* ---- Parts ---- */

struct eli_division {
  const size_t *first;               /* [parts] slot of each */
  size_t *entry;                     /* [parts + 1] first entry of each */
  size_t *like;                      /* [parts] a part with the same pattern */
  size_t *order, *rank, *begin;      /* [slots] as those of the whole, with slots and entries counted in their part */
  size_t *neighbour;                 /* [entries] lists, likewise */
  unsigned char *changes, *expected; /* [entries] likewise */
  eli_factor *part;                  /* [workers] */
  double *numbers;                   /* memory of these */
  double *kept;                      /* `upper` and the factors of all parts, or NULL: they are in that memory, too */
};

void eli_factor_release(eli_factor *factor) {
  if (factor->allocator == NULL) return;
  eli_release(factor->allocator, factor->tables);
  eli_release(factor->allocator, factor->neighbour);
  eli_release(factor->allocator, factor->values);
  eli_release(factor->allocator, factor->flags);
  if (factor->division != NULL) {
    eli_release(factor->allocator, factor->division->kept);
    eli_release_lines(factor->allocator, factor->division->numbers);
  }
  eli_release(factor->allocator, factor->division);
  memset(factor, 0, sizeof *factor);
}

/* Returns 1 if no block couples two parts. part [slots]: of each slot. */
static int is_separable(const eli_factor *factor, const size_t *part) {
  for (size_t s = 0; s < factor->slots; s++)
    for (size_t k = factor->begin[s]; k < factor->begin[s] + factor->degree[s]; k++)
      if (part[factor->neighbour[k]] != part[s]) return 0;
  return 1;
}

static eli_division *allocate_division(const eli_factor *factor, size_t count, int workers) {
  const size_t slots = factor->slots, entries = factor->used;
  eli_division *division = eli_allocate(factor->allocator, 1,
                                        sizeof *division + (size_t)workers * sizeof(eli_factor) +
                                            (2 * count + 1 + 3 * slots + entries) * sizeof(size_t) + 2 * entries);
  if (division == NULL) return NULL;
  division->part = (eli_factor *)(division + 1);
  size_t *memory = (size_t *)(division->part + workers);
  division->entry = take(&memory, count + 1);
  division->like = take(&memory, count);
  division->order = take(&memory, slots);
  division->rank = take(&memory, slots);
  division->begin = take(&memory, slots);
  division->neighbour = take(&memory, entries);
  division->changes = (unsigned char *)memory;
  division->expected = division->changes + entries;
  return division;
}

/* Copies the order and the lists by part. Within a part both stay as they are, and so do the factors. next [parts]: zeros. */
static void copy_by_part(const eli_factor *factor, const size_t *part, size_t *next, eli_division *division) {
  const size_t *first = division->first;
  size_t filled = 0;
  for (size_t k = 0; k < factor->slots; k++) {
    const size_t s = factor->order[k], p = part[s];
    division->rank[s] = next[p]++;
    division->order[first[p] + division->rank[s]] = s - first[p];
  }
  for (size_t s = 0; s < factor->slots; s++) {
    const size_t p = part[s];
    if (s == first[p]) division->entry[p] = filled;
    division->begin[s] = filled - division->entry[p];
    for (size_t k = factor->begin[s]; k < factor->begin[s] + factor->degree[s]; k++, filled++) {
      division->neighbour[filled] = factor->neighbour[k] - first[p];
      division->changes[filled] = factor->changes[k];
      division->expected[filled] = factor->expected[k];
    }
  }
}

/* Returns 1 if two parts have the same pattern. */
static int are_alike(const eli_factor *factor, const eli_division *division, size_t one, size_t other) {
  const size_t a = division->first[one], b = division->first[other], slots = division->first[one + 1] - a;
  const size_t from = division->entry[one], to = division->entry[other], entries = division->entry[one + 1] - from;
  const size_t *const lists[] = {division->order, division->rank, division->begin, factor->degree};
  if (division->first[other + 1] - b != slots || division->entry[other + 1] - to != entries) return 0;
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
    if (memcmp(lists[k] + a, lists[k] + b, slots * sizeof(size_t)) != 0) return 0;
  return memcmp(factor->expected_own + a, factor->expected_own + b, slots) == 0 &&
         memcmp(division->neighbour + from, division->neighbour + to, entries * sizeof(size_t)) == 0 &&
         memcmp(division->changes + from, division->changes + to, entries) == 0 &&
         memcmp(division->expected + from, division->expected + to, entries) == 0;
}

/* Gives each worker memory for the numbers of the largest part. keeps: but to each part for those that stay. */
static int allocate_numbers(const eli_factor *factor, eli_division *division, size_t count, int workers, int keeps) {
  enum { LINE = 8 };
  size_t slots = 0, entries = 0;
  for (size_t p = 0; p < count; p++) {
    const size_t of_part = division->first[p + 1] - division->first[p], in_lists = division->entry[p + 1] - division->entry[p];
    if (of_part > slots) slots = of_part;
    if (in_lists > entries) entries = in_lists;
  }
  const size_t size = (BLOCK * ((keeps ? 1 : 2) * slots + (keeps ? 1 : 4) * entries) / LINE + 1) * LINE;
  if (keeps) division->kept = eli_allocate(factor->allocator, BLOCK * (factor->slots + 3 * factor->used), sizeof(double));
  if (keeps && division->kept == NULL) return 0;
  double *memory = eli_allocate_lines(factor->allocator, (size_t)workers * size, sizeof *memory);
  division->numbers = memory;
  if (memory == NULL) return 0;
  for (int w = 0; w < workers; w++) {
    double *left = memory + (size_t)w * size;
    eli_factor *part = &division->part[w];
    part->blocks = factor->blocks;
    part->is_general = part->is_part = 1;
    part->own = part->diagonal = part_of(&left, BLOCK * slots); /* the elimination needs no copy */
    part->lower = part_of(&left, BLOCK * entries);
    if (keeps) continue;
    part->front = part_of(&left, BLOCK * slots);
    part->upper = part_of(&left, BLOCK * entries);
    part->down = part_of(&left, BLOCK * entries);
    part->up = part_of(&left, BLOCK * entries);
  }
  return 1;
}

int eli_factor_divide(eli_factor *factor, size_t count, const size_t *first, int workers, int keeps) {
  size_t *part = factor->previous, *next = factor->next; /* scratch */
  if (factor->slots > factor->shown) return 0;
  for (size_t p = 0; p < count; p++) {
    next[p] = 0;
    for (size_t s = first[p]; s < first[p + 1]; s++) part[s] = p;
  }
  if (!is_separable(factor, part)) return 0;
  eli_division *division = allocate_division(factor, count, workers);
  factor->division = division;
  if (division == NULL) return -1;
  division->first = first;
  copy_by_part(factor, part, next, division);
  division->entry[count] = factor->used;
  for (size_t p = 0; p < count; p++) division->like[p] = p > 0 && are_alike(factor, division, p, p - 1) ? division->like[p - 1] : p;
  return allocate_numbers(factor, division, count, workers, keeps) ? 1 : -1;
}

eli_factor *eli_factor_part(const eli_factor *factor, size_t p, int worker) {
  const eli_division *division = factor->division;
  const size_t like = division->like[p], slot = division->first[like], entry = division->entry[like], first = division->first[p];
  eli_factor *part = &division->part[worker];
  part->slots = part->shown = division->first[p + 1] - first;
  part->used = division->entry[p + 1] - division->entry[p];
  part->order = division->order + slot;
  part->rank = division->rank + slot;
  part->begin = division->begin + slot;
  part->degree = factor->degree + slot;
  part->neighbour = division->neighbour + entry;
  part->changes = division->changes + entry;
  part->expected = division->expected + entry;
  part->expected_own = factor->expected_own + slot;
  part->held = factor->held + N * first;
  part->any_held = factor->any_held + first;
  double *kept = division->kept != NULL ? division->kept + BLOCK * (first + 3 * division->entry[p]) : NULL;
  if (kept == NULL) return part;
  part->front = part_of(&kept, BLOCK * part->slots);
  part->upper = part_of(&kept, BLOCK * part->used);
  part->down = part_of(&kept, BLOCK * part->used);
  part->up = part_of(&kept, BLOCK * part->used);
  return part;
}

int eli_factor_couples(const eli_factor *factor, size_t slot, size_t other) {
  return slot == other || entry_of_pair(factor, slot, other) != NONE;
}

/* ---- The matrix ---- */

int eli_factor_reserve(eli_factor *factor) {
  if (factor->values != NULL) return 1;
  const size_t slots = factor->slots, entries = factor->used;
  if (entries > SIZE_MAX / (4 * BLOCK * sizeof(double)) - 300 * slots) return 0;
  const size_t vectors = 3 + ELI_FACTOR_PINS + (slots > factor->shown ? 2 : 0);
  const size_t doubles = 4 * BLOCK * entries + (RESPONSE + vectors * N + 4 * BLOCK) * slots;
  double *memory = eli_allocate(factor->allocator, doubles + 1, sizeof *memory);
  factor->values = memory;
  if (memory == NULL) return 0;
  factor->lower = part_of(&memory, BLOCK * entries);
  factor->upper = part_of(&memory, BLOCK * entries);
  factor->down = part_of(&memory, BLOCK * entries);
  factor->up = part_of(&memory, BLOCK * entries);
  factor->own = part_of(&memory, BLOCK * slots);
  factor->diagonal = part_of(&memory, BLOCK * slots);
  factor->transposed = part_of(&memory, RESPONSE * slots);
  factor->error = part_of(&memory, N * slots);
  factor->doubt = part_of(&memory, BLOCK * slots);
  factor->local = part_of(&memory, N * slots);
  factor->response = part_of(&memory, (ELI_FACTOR_PINS + 1) * N * slots);
  factor->front = part_of(&memory, BLOCK * slots);
  for (int k = 0; k < 2; k++) factor->hidden[k] = slots > factor->shown ? part_of(&memory, N * slots) : NULL;
  return 1;
}

static void clear_block(double *block, size_t count) {
  for (size_t i = 0; i < count; i++) block[i] = 0.0;
}

void eli_factor_expect_pair(eli_factor *factor, size_t slot, size_t other) {
  const size_t entry = entry_of_pair(factor, slot, other);
  if (entry == NONE) return;
  factor->expected[entry] = 1;
  factor->expected_own[slot] = 1;
}

static void clear_numbers(eli_factor *factor) {
  for (size_t s = 0; s < factor->slots; s++) {
    for (size_t k = factor->begin[s]; k < factor->begin[s] + factor->degree[s]; k++) {
      if (factor->expected[k]) continue;
      clear_block(factor->lower + BLOCK * k, BLOCK);
      clear_block(factor->upper + BLOCK * k, BLOCK);
    }
    clear_block(factor->own + BLOCK * s, factor->expected_own[s] ? RESPONSE : BLOCK);
  }
}

void eli_factor_clear(eli_factor *factor) {
  const size_t hidden = factor->slots - factor->shown;
  assert(factor->values != NULL || factor->is_part);
  factor->misses = 0;
  clear_numbers(factor);
  if (factor->is_part) return; /* it has general factors alone, and the prescribed unknowns of the whole */
  factor->is_general = 0;
  memset(factor->transposed, 0, RESPONSE * factor->slots * sizeof(double));
  memset(factor->error, 0, N * factor->slots * sizeof(double));
  memset(factor->held, 0, N * factor->shown);
  memset(factor->any_held, 0, factor->shown);
  memset(factor->held + N * factor->shown, 1, N * hidden);
  memset(factor->any_held + factor->shown, 1, hidden);
}

void eli_factor_hold(eli_factor *factor, size_t slot, int unknown) {
  factor->held[N * slot + (size_t)unknown] = factor->any_held[slot] = 1;
}

void eli_factor_doubt(eli_factor *factor, size_t slot, int unknown, double error) {
  factor->error[N * slot + (size_t)unknown] += error;
}

/* Adds m, or its transpose, to a part of the response of a slot: in columns of free nodes the response to loads of effects, and minus that
 * of prescribed ones to internal loads, which complete it to 0. */
static void add_response(double *response, const unsigned char *held_rows, const unsigned char *held_columns, const double m[9],
                         int internal, int transposed) {
  for (int i = 0; i < 3; i++)
    for (int a = 0; a < 3; a++) {
      const double value = m[transposed ? 3 * a + i : 3 * i + a];
      if (!held_rows[i] && internal == held_columns[a]) response[N * a + i] += internal ? -value : value;
    }
}

/* Returns the place of a block, or NULL if there is none. Its columns have six numbers. */
static double *place_of(eli_factor *factor, size_t row_slot, int row, size_t column_slot, int column) {
  const int at = row + N * column;
  if (row_slot == column_slot) return column >= 3 ? factor->own + BLOCK * row_slot + at : NULL;
  const size_t entry = entry_of_pair(factor, row_slot, column_slot);
  if (entry != NONE) return (factor->rank[row_slot] > factor->rank[column_slot] ? factor->lower : factor->upper) + BLOCK * entry + at;
  factor->misses = 1;
  return NULL;
}

void eli_factor_add(eli_factor *factor, size_t row_slot, int row_part, size_t column_slot, int column_part, const double m[9],
                    int internal) {
  const int row = 3 * row_part, column = 3 * column_part, any_held = factor->any_held[row_slot] || factor->any_held[column_slot];
  const unsigned char *held_rows = factor->held + N * row_slot + row, *held_columns = factor->held + N * column_slot + column;
  if (column_part == ELI_FACTOR_NODE && (any_held || !internal))
    add_response(factor->own + BLOCK * row_slot + row, held_rows, held_columns, m, internal, 0);
  if (row_part == ELI_FACTOR_NODE && !factor->is_general && (any_held || !internal))
    add_response(factor->transposed + RESPONSE * column_slot + column, held_columns, held_rows, m, internal, 1);
  double *const to = place_of(factor, row_slot, row, column_slot, column);
  if (to == NULL) return;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (!any_held || !(held_rows[i] || held_columns[j])) to[i + N * j] += m[3 * i + j];
}

void eli_factor_add_turn(eli_factor *factor, size_t slot, const double m[9]) {
  const unsigned char *held = factor->held + N * slot + 3;
  double *to = factor->own + BLOCK * slot + RESPONSE + 3;
  if (factor->any_held[slot] && (held[0] || held[1] || held[2])) {
    eli_factor_add(factor, slot, ELI_FACTOR_ELEMENT, slot, ELI_FACTOR_ELEMENT, m, 1);
    return;
  }
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) to[i + N * j] += m[3 * i + j];
}

int eli_factor_place_pair(eli_factor *factor, size_t slot, size_t other, double **own, double **across, double **back) {
  const int below = factor->rank[slot] > factor->rank[other];
  const size_t entry = entry_of_pair(factor, slot, other);
  if (entry == NONE) return 0;
  *own = factor->own + BLOCK * slot + RESPONSE;
  *across = (below ? factor->lower : factor->upper) + BLOCK * entry;
  *back = (below ? factor->upper : factor->lower) + BLOCK * entry;
  if (!factor->any_held[slot] && !factor->any_held[other]) return 1;
  if (factor->is_part) return 2;
  clear_block(*own, RESPONSE);
  clear_block(*across, BLOCK);
  clear_block(*back, BLOCK);
  return 0;
}

/* response += sign times the columns of prescribed unknowns of a node. */
static void respond(double *response, const unsigned char *held_rows, const unsigned char *held_columns, const double *block, double sign) {
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < N && held_columns[a]; i++)
      if (!held_rows[i]) response[N * a + i] += sign * block[N * a + i];
}

/* Sets prescribed rows and columns of a block to 0, and -0 to 0. */
static void hold_block(double *block, int columns, const unsigned char *held_rows, const unsigned char *held_columns) {
  for (int j = 0; j < columns; j++) {
    double *column = block + N * j;
    for (int i = 0; i < N; i++) column[i] += 0.0;
    if (held_columns[j]) clear_block(column, N);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < columns && held_rows[i]; j++) block[N * j + i] = 0.0;
}

/* The columns of a node in a pair are minus those of the other node, in all rows. */
void eli_factor_hold_pair(eli_factor *factor, size_t slot, size_t other, double *own, double *across, double *back) {
  const unsigned char *held = factor->held + N * slot, *held_other = factor->held + N * other;
  respond(factor->own + BLOCK * slot, held, held, across, 1.0);
  respond(factor->own + BLOCK * slot, held, held_other, across, -1.0);
  respond(factor->own + BLOCK * other, held_other, held, back, -1.0);
  respond(factor->own + BLOCK * other, held_other, held_other, back, 1.0);
  hold_block(own, 3, held, held + 3);
  hold_block(across, N, held, held_other);
  hold_block(back, N, held_other, held);
}

/* ---- Springs ---- */

/* The elongation is the first unknown of the element of a hidden slot; its other ones are held. */
enum { ELONGATION = 3 };

/* Returns -k, or 0 for an absent spring. */
static double minus_stiffness(const eli_factor *factor, size_t hidden) {
  return factor->own[BLOCK * hidden + (N + 1) * ELONGATION];
}

void eli_factor_set_spring(eli_factor *factor, size_t spring, double stiffness) {
  const size_t hidden = factor->shown + spring;
  factor->own[BLOCK * hidden + (N + 1) * ELONGATION] = -stiffness;
  factor->held[N * hidden + ELONGATION] = stiffness == 0.0;
}

void eli_factor_pull(eli_factor *factor, size_t spring, size_t slot, int part, const double gradient[3], int internal) {
  const size_t hidden = factor->shown + spring;
  const double k = -minus_stiffness(factor, hidden);
  double row[9] = {0.0}, column[9] = {0.0};
  for (int a = 0; a < 3; a++) row[a] = column[3 * a] = k * gradient[a];
  eli_factor_add(factor, hidden, ELI_FACTOR_ELEMENT, slot, part, row, internal);
  eli_factor_add(factor, slot, part, hidden, ELI_FACTOR_ELEMENT, column, internal);
}

/* Counts the pivots of springs with k > 0 out. A general block may have counted fewer negative pivots than it has: the result keeps its
 * parity, and is 0 only if it was. */
static void forget_springs(eli_factor *factor) {
  for (size_t s = factor->shown; s < factor->slots; s++) factor->negative -= minus_stiffness(factor, s) < 0.0;
  if (factor->negative < 0) factor->negative = factor->negative % 2 == 0 ? 2 : 1;
}

/* Copies a vector, with 0 in hidden slots. */
static double *with_hidden(const eli_factor *factor, const double *x, int k) {
  memcpy(factor->hidden[k], x, N * factor->shown * sizeof *x);
  memset(factor->hidden[k] + N * factor->shown, 0, N * (factor->slots - factor->shown) * sizeof *x);
  return factor->hidden[k];
}

/* Adds k g_i^2 of a spring to the diagonal at one of its slots. */
static void add_of_entry(const eli_factor *factor, size_t s, size_t k, double *diagonal) {
  const size_t other = factor->neighbour[k], hidden = is_hidden(factor, s) ? s : other, shown = is_hidden(factor, s) ? other : s;
  const double *block = (hidden == s ? factor->upper : factor->lower) + BLOCK * k, k_spring = -minus_stiffness(factor, hidden);
  for (size_t a = 0; a < N && !is_hidden(factor, shown) && k_spring != 0.0; a++) {
    const double pull = block[ELONGATION + N * a];
    diagonal[N * shown + a] += pull * (pull / k_spring);
  }
}

void eli_factor_diagonal(const eli_factor *factor, double *diagonal) {
  for (size_t i = 0; i < N * factor->shown; i++) diagonal[i] = factor->own[BLOCK * (i / N) + (N + 1) * (i % N)];
  for (size_t s = 0; s < factor->slots; s++)
    for (size_t k = factor->begin[s]; k < factor->begin[s] + factor->degree[s]; k++) {
      if (is_hidden(factor, s) || is_hidden(factor, factor->neighbour[k])) {
        add_of_entry(factor, s, k, diagonal);
        continue;
      }
      for (size_t a = 0; a < 3; a++) {
        diagonal[N * s + a] -= factor->upper[BLOCK * k + (N + 1) * a];
        diagonal[N * factor->neighbour[k] + a] -= factor->lower[BLOCK * k + (N + 1) * a];
      }
    }
}

/* ---- Pivots ---- */

/* A block on the diagonal, scaled to a diagonal of ones, while its unknowns are exchanged for their loads one by one. */
typedef struct pivot_block {
  double a[BLOCK], scale[N];
  double doubt[BLOCK]; /* bound of the error of the block, as a quadratic form of its displacements */
  double rounding[N];  /* bound of the error of the diagonal that the exchanges cause */
  double *local;       /* [6] of the slot */
  unsigned char done[N];
} pivot_block;

/* Makes the block at the pivot of a slot from the row of the slot. */
static void find_front(const eli_factor *factor, size_t slot, double *front) {
  const double *common = factor->diagonal + BLOCK * slot, *inner = common + RESPONSE;
  const unsigned char *held = factor->held + N * slot;
  double column[RESPONSE];
  memcpy(column, common, sizeof column);
  for (size_t k = factor->begin[slot]; k < factor->begin[slot] + factor->degree[slot]; k++) {
    const double *block = factor->down + BLOCK * k;
    for (int i = 0; i < N; i++)
      for (int a = 0; a < 3; a++) column[3 * i + a] -= block[N * a + i];
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      front[N * i + j] = 0.5 * (column[3 * i + j] + column[3 * j + i]);
      front[N * (3 + i) + j] = front[N * j + 3 + i] = column[3 * (3 + i) + j];
      front[N * (3 + i) + 3 + j] = 0.5 * (inner[3 * i + j] + inner[3 * j + i]);
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N && held[i]; j++) front[N * i + j] = front[N * j + i] = i == j ? 1.0 : 0.0;
}

/* The scale of an unknown is its diagonal in a positive block; in others the diagonal may be 0, beside |a_ij|^2/(largest of row j). */
static void scale_block(pivot_block *of, const double *front, const double *doubt) {
  double most[N] = {0.0};
  for (int i = 0; i < BLOCK; i++)
    if (fabs(front[i]) > most[i / N]) most[i / N] = fabs(front[i]);
  for (int i = 0; i < N; i++) {
    double size = fabs(front[(N + 1) * i]) + doubt[(N + 1) * i];
    for (int j = 0; j < N; j++) {
      const double coupling = fabs(front[N * i + j]), least = coupling > 0.0 ? coupling * (coupling / most[j]) : 0.0;
      if (least > size) size = least;
    }
    of->scale[i] = size > 0.0 ? 1.0 / sqrt(size) : 1.0;
    of->rounding[i] = EPSILON;
    of->done[i] = 0;
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      of->a[N * i + j] = of->scale[i] * front[N * i + j] * of->scale[j];
      of->doubt[N * i + j] = of->scale[i] * doubt[N * i + j] * of->scale[j];
    }
}

/* Returns the bound of the error of the diagonal at an unknown that remains; the exchanged unknowns move with it. */
static double error_at(const pivot_block *of, int k) {
  double moved[N], sum = of->rounding[k];
  for (int i = 0; i < N; i++) moved[i] = of->done[i] ? -of->a[N * i + k] : (double)(i == k);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N && (i == k || of->done[i]); j++) sum += moved[i] * of->doubt[N * i + j] * moved[j];
  return sum;
}

/* Finds the next pivot among the unknowns that are not passed over: returns their number, 0 to 2. */
static int choose_pivot(const pivot_block *of, const unsigned char *passed, int at[2]) {
  double diagonal = -1.0, off = -1.0;
  int pair[2] = {0, 0};
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i && !passed[i]; j++) {
      const double size = fabs(of->a[N * i + j]);
      if (passed[j]) continue;
      if (i == j && size > diagonal) diagonal = size, at[0] = i;
      if (i != j && size > off) off = size, pair[0] = i, pair[1] = j;
    }
  if (diagonal < 0.0) return 0;
  if (diagonal >= 0.6404 * off || diagonal > 0.1) return 1; /* (1 + sqrt(17))/8 */
  at[0] = pair[0], at[1] = pair[1];
  return 2;
}

/* Notes what an exchange subtracts at an unknown that remains. A rounded pivot of a node is no spring to the ground, and does not count
 * for later slots. */
static void note_rounding(pivot_block *of, int i, double subtracted) {
  of->rounding[i] += EPSILON * subtracted;
  if (i < 3) return;
  of->doubt[(N + 1) * i] += EPSILON * subtracted;
  of->local[i] += EPSILON * subtracted / (of->scale[i] * of->scale[i]);
}

/* Exchanges one unknown: a becomes the matrix that gives its displacement, and the loads of the rest, by its load. Both triangles take one
 * number: a slender rod has last pivots that are smaller than the first ones by its bending stiffness over that of stretch, and where its
 * direction is oblique to the axes, they would multiply a difference of rounding between the triangles by the square of this ratio. */
static void exchange_one(pivot_block *of, int k) {
  double *a = of->a, row[N];
  const double inverse = 1.0 / a[(N + 1) * k];
  for (int j = 0; j < N; j++) row[j] = a[N * k + j];
  for (int i = 0; i < N; i++) {
    if (i == k) continue;
    const double ratio = a[N * i + k] * inverse;
    for (int j = 0; j <= i; j++)
      if (j != k) a[N * j + i] = a[N * i + j] -= ratio * row[j];
    if (!of->done[i]) note_rounding(of, i, fabs(ratio * row[i]));
  }
  for (int j = 0; j < N; j++) a[N * k + j] = row[j] * inverse;
  for (int i = 0; i < N; i++) a[N * i + k] = i == k ? -inverse : a[N * k + i];
  of->done[k] = 1;
}

/* Exchanges two unknowns at once. */
static void exchange_two(pivot_block *of, int p, int q) {
  double *a = of->a, first[N], second[N], gain[N][2];
  const double pp = a[(N + 1) * p], qq = a[(N + 1) * q], pq = a[N * p + q], inverse = 1.0 / (pp * qq - pq * pq);
  for (int j = 0; j < N; j++) first[j] = a[N * p + j], second[j] = a[N * q + j];
  for (int i = 0; i < N; i++) {
    gain[i][0] = (qq * first[i] - pq * second[i]) * inverse;
    gain[i][1] = (pp * second[i] - pq * first[i]) * inverse;
  }
  for (int i = 0; i < N; i++) {
    if (i == p || i == q) continue;
    for (int j = 0; j <= i; j++)
      if (j != p && j != q) a[N * j + i] = a[N * i + j] -= gain[i][0] * first[j] + gain[i][1] * second[j];
    if (of->done[i]) continue;
    note_rounding(of, i, fabs(gain[i][0] * first[i]) + fabs(gain[i][1] * second[i]));
  }
  for (int j = 0; j < N; j++) {
    a[N * p + j] = a[N * j + p] = gain[j][0];
    a[N * q + j] = a[N * j + q] = gain[j][1];
  }
  a[(N + 1) * p] = -qq * inverse;
  a[(N + 1) * q] = -pp * inverse;
  a[N * p + q] = a[N * q + p] = pq * inverse;
  of->done[p] = of->done[q] = 1;
}

/* Returns the stiffness by which an unknown that remains takes part in later slots: the largest c^2/K of its couplings c, together with the
 * unknowns that are exchanged, with the largest coupling of the same two slots between unknowns of the other one's kind as K. */
static double coupled_stiffness(const eli_factor *factor, size_t slot, const pivot_block *of, int z) {
  double most = 0.0;
  for (size_t k = factor->begin[slot]; k < factor->begin[slot] + factor->degree[slot]; k++) {
    const double *block = factor->down + BLOCK * k;
    double alike[2] = {0.0, 0.0};
    for (int i = 0; i < N; i++)
      for (int j = 3 * (i / 3); j < 3 * (i / 3) + 3; j++)
        if (fabs(block[N * i + j]) > alike[i / 3]) alike[i / 3] = fabs(block[N * i + j]);
    for (int i = 0; i < N; i++) {
      const double *row = block + N * i;
      double coupling = row[z] * of->scale[z], square = 0.0;
      for (int j = 0; j < N; j++) {
        const double scaled = row[j] * of->scale[j];
        square += scaled * scaled;
        if (of->done[j]) coupling -= scaled * of->a[N * j + z];
      }
      if (coupling == 0.0) continue;
      const double natural = coupling / of->scale[z] * (coupling / of->scale[z]);
      const double size = alike[i / 3] > FAINT * fabs(row[z]) ? natural / alike[i / 3] : natural / square;
      if (size > most) most = size;
    }
  }
  return most;
}

/* Returns 1 if an exchange of this unknown would lose digits in later slots. */
static int is_small(const eli_factor *factor, size_t slot, const pivot_block *of, int z) {
  const double pivot = fabs(of->a[(N + 1) * z]);
  return pivot < SMALL && pivot < SMALL * (of->scale[z] * of->scale[z]) * coupled_stiffness(factor, slot, of, z);
}

/* Exchanges all unknowns with a pivot above so many times the bound of its error, and counts the negative ones; safe 1: unless it is small
 * beside its couplings. */
static void exchange(eli_factor *factor, size_t slot, pivot_block *of, double bound, int safe) {
  unsigned char passed[N];
  int at[2] = {0, 0};
  memcpy(passed, of->done, sizeof passed);
  for (int count; (count = choose_pivot(of, passed, at)) > 0;) {
    const double pivot = of->a[N * at[0] + at[count - 1]];
    if (fabs(pivot) <= bound * (error_at(of, at[0]) + (count > 1 ? error_at(of, at[1]) : 0.0)) ||
        (safe && count == 1 && is_small(factor, slot, of, at[0]))) {
      passed[at[0]] = passed[at[count - 1]] = 1; /* unless another pivot makes it larger */
      continue;
    }
    factor->negative += count == 2 || pivot < 0.0;
    if (count == 1)
      exchange_one(of, at[0]);
    else
      exchange_two(of, at[0], at[1]);
    memcpy(passed, of->done, sizeof passed);
  }
}

/* Returns 1 if an unknown that remains is coupled to a later slot so much that its sign would show only together with that slot. */
static int is_coupled(const eli_factor *factor, size_t slot, const pivot_block *of) {
  for (int z = 0; z < N; z++)
    if (!of->done[z] && coupled_stiffness(factor, slot, of, z) > ZERO * error_at(of, z) / (of->scale[z] * of->scale[z])) return 1;
  return 0;
}

/* Returns 1 if an unknown that remains has a pivot above its error that would multiply the errors of later slots. */
static int is_unsafe(const eli_factor *factor, size_t slot, const pivot_block *of) {
  for (int i = 0; i < N && factor->degree[slot] > 0; i++)
    if (!of->done[i] && fabs(of->a[(N + 1) * i]) > ZERO * error_at(of, i)) return 1;
  return 0;
}

/* Pins the unknowns that remain, above their pivots and couplings, also in the front. Returns 0 if there are not enough pins. */
static int pin(eli_factor *factor, size_t slot, pivot_block *of, double *front) {
  int count = factor->pins;
  for (int i = 0; i < N; i++) count += !of->done[i];
  if (count > ELI_FACTOR_PINS) return 0;
  for (int i = 0; i < N; i++) {
    if (of->done[i]) continue;
    const double own = 4.0 / (of->scale[i] * of->scale[i]), coupled = coupled_stiffness(factor, slot, of, i);
    const double stiffness = own > coupled ? own : coupled;
    factor->pin[factor->pins] = N * slot + (size_t)i;
    factor->pin_scale[factor->pins++] = 1.0 / sqrt(stiffness);
    of->a[(N + 1) * i] += stiffness * (of->scale[i] * of->scale[i]);
    front[(N + 1) * i] += stiffness;
    if (i < 3) factor->diagonal[BLOCK * slot + 4 * (size_t)i] += stiffness; /* it holds the node */
  }
  return 1;
}

/* Inverts a block, but for unknowns with a pivot of the size of rounding, and counts the signs of its pivots. inverse: 0 for those. */
static void invert(eli_factor *factor, size_t slot, pivot_block *of, double *front, double *inverse) {
  const unsigned char *held = factor->held + N * slot;
  exchange(factor, slot, of, factor->degree[slot] > 0 ? SAFE : ZERO, 1);
  if ((is_coupled(factor, slot, of) || is_unsafe(factor, slot, of)) && pin(factor, slot, of, front)) exchange(factor, slot, of, 0.0, 0);
  exchange(factor, slot, of, ZERO, 0);
  if (is_coupled(factor, slot, of)) {
    exchange(factor, slot, of, UNSURE, 0);
    factor->uncertain = factor->uncertain || is_coupled(factor, slot, of);
  }
  for (int i = 0; i < N; i++) factor->zero += !of->done[i] && !held[i];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) inverse[N * i + j] = of->done[i] && of->done[j] ? -of->scale[i] * of->a[N * i + j] * of->scale[j] : 0.0;
}

/* ---- Elimination ---- */

/* out -= a b^T, 6 by 6 */
static void subtract_product(const double *a, const double *b, double *out) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0.0;
      for (int k = 0; k < N; k++) sum += a[N * i + k] * b[N * j + k];
      out[N * i + j] -= sum;
    }
}

static void add_doubt(const eli_factor *factor, size_t slot, int unknown, double error) {
  factor->doubt[BLOCK * slot + (size_t)((N + 1) * unknown)] += error;
  factor->local[N * slot + (size_t)unknown] += error;
}

/* Updates response, element block and error of a later neighbour: gain is Y, block is K_ik before. */
static void update_diagonal(const eli_factor *factor, size_t slot, size_t later, const double *gain, const double *block) {
  const double *from = factor->diagonal + BLOCK * slot;
  double *common = factor->diagonal + BLOCK * later, *inner = common + RESPONSE;
  for (int i = 0; i < N; i++)
    for (int a = 0; a < 3; a++) {
      double sum = 0.0;
      for (int k = 0; k < N; k++) sum += gain[N * i + k] * from[3 * k + a];
      common[3 * i + a] -= sum;
      if (i == a) add_doubt(factor, later, i, EPSILON * fabs(sum));
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double sum = 0.0;
      for (int k = 0; k < N; k++) sum += gain[N * (3 + i) + k] * block[N * (3 + j) + k];
      inner[3 * i + j] -= sum;
      if (i == j) add_doubt(factor, later, 3 + i, EPSILON * fabs(sum));
    }
}

/* Adds the error of a slot to that of a later neighbour, with which it moves. */
static void pass_doubt(const eli_blocks *blocks, const pivot_block *of, const double *gain, double *doubt) {
  double scaled[BLOCK], minus[BLOCK], product[BLOCK], over[N];
  for (int k = 0; k < N; k++) over[k] = of->done[k] ? 1.0 / of->scale[k] : 0.0;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++) {
      scaled[N * i + k] = over[k] * gain[N * i + k];
      minus[i + N * k] = -scaled[N * i + k];
    }
  blocks->multiply(of->doubt, scaled, product); /* by rows, so the transposed product */
  blocks->subtract(minus, product, N, doubt);
}

/* out -= gain front, by rows, with products and sums of twice the digits. */
static void find_rest(const double *front, const double *gain, double *out) {
  for (int i = 0; i < BLOCK; i++) {
    double high = out[i], low = 0.0;
    for (int k = 0; k < N; k++) {
      const eli_pair product = eli_two_product(-gain[N * (i / N) + k], front[N * k + i % N]);
      const double sum = high + product.high, part = sum - high;
      low += (high - (sum - part)) + (product.high - part) + product.low;
      high = sum;
    }
    out[i] = high + low;
  }
}

/* Improves the gain Y of a slot, Y front = block, once: the inverse alone leaves an error that is as many times that of the block as the
 * front is stiffer in one direction than in another, as a slender rod is in stretch than in bending. */
static void refine_gain(const eli_blocks *blocks, int exact, const double *front, const double *inverse, const double *block,
                        double *gain) {
  double left[BLOCK], change[BLOCK];
  memcpy(left, block, sizeof left);
  if (exact)
    find_rest(front, gain, left);
  else
    blocks->subtract(front, gain, N, left); /* by rows, so the transposed product */
  blocks->multiply(inverse, left, change);
  for (int k = 0; k < BLOCK; k++) gain[k] += change[k];
}

static void eliminate(eli_factor *factor, size_t slot) {
  const size_t begin = factor->begin[slot], end = begin + factor->degree[slot];
  double front[BLOCK], *inverse = factor->front + BLOCK * slot;
  pivot_block of;
  of.local = factor->local + N * slot;
  find_front(factor, slot, front);
  scale_block(&of, front, factor->doubt + BLOCK * slot);
  invert(factor, slot, &of, front, inverse);
  for (size_t k = end; k-- > begin;) {
    double gain[BLOCK], *const block = factor->down + BLOCK * k;
    const size_t one = factor->neighbour[k];
    factor->blocks->multiply(inverse, block, gain); /* by rows, so the transposed product */
    if (factor->careful) refine_gain(factor->blocks, factor->careful > 1, front, inverse, block, gain);
    update_diagonal(factor, slot, one, gain, block);
    pass_doubt(factor->blocks, &of, gain, factor->doubt + BLOCK * one);
    for (size_t q = begin; q < k; q++) { /* rows of the later of the two */
      const size_t other = factor->neighbour[q];
      if (factor->rank[one] > factor->rank[other])
        subtract_product(gain, factor->down + BLOCK * q, factor->down + BLOCK * entry_of(factor, other, one));
      else
        subtract_product(factor->down + BLOCK * q, gain, factor->down + BLOCK * entry_of(factor, one, other));
    }
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) block[i + N * j] = gain[N * i + j];
  }
}

static void judge_pins(eli_factor *factor);

static void note_shift(eli_factor *factor, double shift, const double *weight, int is_general) {
  factor->shift = shift;
  factor->weight = weight;
  factor->is_general = is_general;
  factor->negative = factor->zero = factor->uncertain = factor->pins = 0;
}

/* Copies the symmetric part of the matrix, by rows. */
static void copy_symmetric_part(eli_factor *factor) {
  for (size_t k = 0; k < BLOCK * factor->used; k += BLOCK)
    for (size_t i = 0; i < N; i++)
      for (size_t j = 0; j < N; j++) factor->down[k + N * i + j] = 0.5 * (factor->lower[k + i + N * j] + factor->upper[k + j + N * i]);
  for (size_t s = 0; s < factor->slots; s++) {
    const double *own = factor->own + BLOCK * s, *transposed = factor->transposed + RESPONSE * s;
    double *common = factor->diagonal + BLOCK * s, *inner = common + RESPONSE;
    for (size_t i = 0; i < N; i++)
      for (size_t a = 0; a < 3; a++) common[3 * i + a] = 0.5 * (own[i + N * a] + transposed[i + N * a]);
    for (size_t i = 0; i < 3; i++)
      for (size_t j = 0; j < 3; j++) inner[3 * i + j] = 0.5 * (own[3 + i + N * (3 + j)] + own[3 + j + N * (3 + i)]);
  }
}

void eli_factor_compute(eli_factor *factor, double shift, const double *weight) {
  note_shift(factor, shift, weight, 0);
  copy_symmetric_part(factor);
  memset(factor->doubt, 0, BLOCK * factor->slots * sizeof(double));
  for (size_t i = 0; i < N * factor->slots; i++) {
    const size_t s = i / N, a = i % N;
    double *on_diagonal = factor->diagonal + BLOCK * s + (a < 3 ? 4 * a : RESPONSE + 4 * (a - 3));
    factor->local[i] = factor->error[i] + EPSILON * fabs(*on_diagonal);
    factor->doubt[BLOCK * s + (N + 1) * a] = factor->local[i];
    if (weight != NULL && !is_hidden(factor, s) && !factor->held[i]) *on_diagonal += shift * weight[i];
  }
  for (size_t k = 0; k < factor->slots; k++) eliminate(factor, factor->order[k]);
  if (factor->pins > 0) judge_pins(factor);
  forget_springs(factor);
}

/* ---- Elimination of a general matrix ---- */

/* Column by column: for a whole block gcc takes a string instruction, which is slower. */
static void copy_block(const double *restrict from, double *restrict to) {
  for (size_t i = 0; i < BLOCK; i += N) memcpy(to + i, from + i, N * sizeof(double));
}

/* Returns the block with the rows of its slot, as it is at the elimination of that slot. */
static const double *upper_of(const eli_factor *factor, size_t entry) {
  return (factor->changes[entry] ? factor->up : factor->upper) + BLOCK * entry;
}

/* Makes the block at the pivot of a slot from the row of the slot. */
static void find_general_front(const eli_factor *factor, size_t slot, double *restrict front) {
  copy_block(factor->diagonal + BLOCK * slot, front);
  for (size_t k = factor->begin[slot]; k < factor->begin[slot] + factor->degree[slot]; k++) {
    const double *block = upper_of(factor, k);
    for (int i = 0; i < RESPONSE; i++) front[i] -= block[i];
  }
  for (int i = 0; i < N && factor->any_held[slot]; i++)
    if (factor->held[N * slot + (size_t)i]) front[(N + 1) * i] = 1.0;
}

/* Inverts a block with exchanges of rows; the rows of the inverse without a pivot are 0. Returns the sign of the determinant. */
static int invert_any(const double *front, double *inverse) {
  double a[N][2 * N];
  int sign = 1;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = front[i + N * j];
      a[i][N + j] = i == j ? 1.0 : 0.0;
    }
  int rank = 0, column_of[N];
  for (int k = 0; k < N; k++) {
    int best = rank;
    for (int i = rank; i < N; i++)
      if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
    if (!(fabs(a[best][k]) > 0.0)) continue;
    for (int j = 0; j < 2 * N && best != rank; j++) {
      const double kept = a[rank][j];
      a[rank][j] = a[best][j];
      a[best][j] = kept;
    }
    sign = (best != rank) == (a[rank][k] < 0.0) ? sign : -sign;
    const double factor = 1.0 / a[rank][k];
    for (int j = 0; j < 2 * N; j++) a[rank][j] *= factor;
    for (int i = 0; i < N; i++) {
      const double ratio = a[i][k];
      for (int j = 0; j < 2 * N && i != rank; j++) a[i][j] -= ratio * a[rank][j];
    }
    column_of[rank++] = k;
  }
  memset(inverse, 0, BLOCK * sizeof(double));
  for (int r = 0; r < rank; r++)
    for (int j = 0; j < N; j++) inverse[column_of[r] + N * j] = a[r][N + j];
  return rank < N ? 0 : sign;
}

/* The same for blocks by columns, gain front = block. */
static void refine_general_gain(const eli_blocks *blocks, const double *front, const double *inverse, const double *block, double *gain) {
  double left[BLOCK], change[BLOCK];
  copy_block(block, left);
  blocks->subtract(gain, front, N, left);
  blocks->multiply(left, inverse, change);
  for (int k = 0; k < BLOCK; k++) gain[k] += change[k];
}

static void eliminate_general(eli_factor *factor, size_t slot) {
  const eli_blocks *blocks = factor->blocks;
  const size_t begin = factor->begin[slot], end = begin + factor->degree[slot];
  const double *own = factor->diagonal + BLOCK * slot;
  double whole[BLOCK], *inverse = factor->front + BLOCK * slot;
  find_general_front(factor, slot, inverse);
  if (factor->careful) copy_block(inverse, whole);
  if (!blocks->invert(inverse)) {
    double front[BLOCK];
    copy_block(inverse, front);
    const int sign = invert_any(front, inverse);
    factor->zero += sign == 0;
    factor->negative += sign < 0 ? 1 : 2;
  }
  for (size_t k = begin; k < end; k++) {
    const size_t one = factor->neighbour[k];
    double row[BLOCK], *gain = factor->down + BLOCK * k, *on_diagonal = factor->diagonal + BLOCK * one;
    if (factor->changes[k]) copy_block(gain, row);
    const double *const before = factor->changes[k] ? row : factor->lower + BLOCK * k;
    blocks->multiply(before, inverse, gain);
    if (factor->careful) refine_general_gain(blocks, whole, inverse, before, gain);
    blocks->subtract(gain, own, 3, on_diagonal); /* the response and the columns of the element of that slot */
    blocks->subtract(gain, upper_of(factor, k) + RESPONSE, 3, on_diagonal + RESPONSE);
    for (size_t q = begin; q < end; q++) {
      const size_t other = factor->neighbour[q];
      if (other == one) continue;
      const int below = factor->rank[one] > factor->rank[other];
      const size_t entry = below ? entry_of(factor, other, one) : entry_of(factor, one, other);
      blocks->subtract(gain, upper_of(factor, q), N, (below ? factor->down : factor->up) + BLOCK * entry);
    }
  }
}

/* Copies the blocks that change, and adds the shift. */
static void copy_general(const eli_factor *factor) {
  const double *weight = factor->weight;
  for (size_t s = 0; s < factor->slots; s++) {
    double *on_diagonal = factor->diagonal + BLOCK * s;
    for (size_t k = factor->begin[s]; k < factor->begin[s] + factor->degree[s]; k++) {
      if (!factor->changes[k]) continue;
      copy_block(factor->lower + BLOCK * k, factor->down + BLOCK * k);
      copy_block(factor->upper + BLOCK * k, factor->up + BLOCK * k);
    }
    if (factor->own != factor->diagonal) copy_block(factor->own + BLOCK * s, on_diagonal);
    if (weight == NULL || s >= factor->shown) continue;
    for (size_t i = 0; i < N; i++)
      if (!factor->any_held[s] || !factor->held[N * s + i]) on_diagonal[(N + 1) * i] += factor->shift * weight[N * s + i];
  }
}

void eli_factor_compute_general(eli_factor *factor, double shift, const double *weight) {
  note_shift(factor, shift, weight, 1);
  copy_general(factor);
  for (size_t k = 0; k < factor->slots; k++) eliminate_general(factor, factor->order[k]);
  forget_springs(factor);
}

/* ---- Solution ---- */

/* out -= m^T x */
static void subtract_transposed(const double *m, const double *x, double *out) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) out[i] -= m[N * i + j] * x[j];
}

static void solve_with_pins(const eli_factor *factor, const double *b, double *x) {
  const eli_blocks *blocks = factor->blocks;
  if (x != b) memcpy(x, b, N * factor->slots * sizeof *x);
  for (size_t s = 0; s < factor->slots; s++)
    for (size_t i = N * s; i < N * (s + 1) && factor->any_held[s]; i++)
      if (factor->held[i]) x[i] = 0.0;
  for (size_t p = 0; p < factor->slots; p++) {
    const size_t s = factor->order[p];
    for (size_t k = factor->begin[s]; k < factor->begin[s] + factor->degree[s]; k++)
      blocks->subtract_from(factor->down + BLOCK * k, x + N * s, x + N * factor->neighbour[k]);
  }
  for (size_t p = factor->slots; p-- > 0;) {
    const size_t s = factor->order[p], begin = factor->begin[s], end = begin + factor->degree[s];
    double sum[N];
    for (size_t k = begin; k < end && factor->is_general; k++)
      blocks->subtract_from(upper_of(factor, k), x + N * factor->neighbour[k], x + N * s);
    blocks->apply(factor->front + BLOCK * s, x + N * s, sum);
    for (size_t k = begin; k < end && !factor->is_general; k++)
      subtract_transposed(factor->down + BLOCK * k, x + N * factor->neighbour[k], sum);
    for (size_t i = 0; i < N; i++) x[N * s + i] = sum[i];
    for (size_t i = N * s; i < N * (s + 1) && factor->any_held[s]; i++)
      if (factor->held[i]) x[i] = 0.0;
  }
}

/* x += K'^-1 E (1 - E^T K'^-1 E)^-1 E^T x, but for zero eigenvalues. */
static void remove_pins(const eli_factor *factor, double *x) {
  const int count = factor->pins;
  const size_t size = N * factor->slots;
  double pulled[ELI_FACTOR_PINS], share[ELI_FACTOR_PINS] = {0.0};
  for (int p = 0; p < count; p++) pulled[p] = x[factor->pin[p]] / factor->pin_scale[p];
  for (int k = 0; k < count; k++) {
    const double *vector = factor->pin_vector + k * count;
    double along = 0.0;
    for (int p = 0; p < count; p++) along += vector[p] * pulled[p];
    for (int p = 0; p < count && factor->pin_value[k] != 0.0; p++) share[p] += vector[p] * along / factor->pin_value[k];
  }
  for (int p = 0; p < count; p++)
    for (size_t i = 0; i < size; i++) x[i] += share[p] * factor->response[(size_t)p * size + i];
}

void eli_factor_solve(const eli_factor *factor, const double *b, double *x) {
  const int hides = factor->slots > factor->shown;
  double *whole = hides ? with_hidden(factor, b, 0) : x;
  solve_with_pins(factor, hides ? whole : b, whole);
  if (factor->pins > 0) remove_pins(factor, whole);
  if (hides) memcpy(x, whole, N * factor->shown * sizeof *x);
}

/* y += K (x - T u) for the block of one row and one column, with the displacement u of the node of the row and the common translation T. In
 * the symmetric part the columns of an element in the rows of its own node are those of its own rows and columns of nodes. */
static void add_product(const eli_factor *factor, const double *m, const double *mirrored, const double *column, const double *row,
                        double *y) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      const double k = factor->is_general ? m[i + N * j] : 0.5 * (m[i + N * j] + mirrored[j + N * i]);
      y[i] += k * (j < 3 ? column[j] - row[j] : column[j]);
      if (!factor->is_general && i >= 3 && j < 3) y[j] -= k * row[i];
    }
}

/* y of the rows of one slot, from its own unknowns. */
static void multiply_slot(const eli_factor *factor, size_t s, const double *x, double *y) {
  const double *own = factor->own + BLOCK * s, *transposed = factor->transposed + RESPONSE * s;
  for (int i = 0; i < N; i++)
    for (int a = 0; a < 3; a++) {
      const double common = factor->is_general ? own[i + N * a] : 0.5 * (own[i + N * a] + transposed[i + N * a]);
      y[i] += common * x[a];
      if (factor->is_general)
        y[i] += own[i + N * (3 + a)] * x[3 + a];
      else if (i >= 3)
        y[i] += 0.5 * (own[i + N * (3 + a)] + own[3 + a + N * i]) * x[3 + a], y[a] += common * x[i];
    }
}

/* Sets the elongations of springs to g . x. */
static void elongate(const eli_factor *factor, double *x) {
  for (size_t s = 0; s < factor->slots; s++)
    for (size_t k = factor->begin[s]; k < factor->begin[s] + factor->degree[s]; k++) {
      const size_t other = factor->neighbour[k], hidden = is_hidden(factor, s) ? s : other, shown = is_hidden(factor, s) ? other : s;
      const double *block = (hidden == s ? factor->upper : factor->lower) + BLOCK * k, stiffness = -minus_stiffness(factor, hidden);
      for (size_t a = 0; a < N && is_hidden(factor, hidden) && !is_hidden(factor, shown) && stiffness != 0.0; a++)
        x[N * hidden + ELONGATION] += block[ELONGATION + N * a] * x[N * shown + a] / stiffness;
    }
}

/* y = (matrix + shift diag(weight)) x, with hidden slots. */
static void multiply_whole(const eli_factor *factor, const double *x, double *y) {
  for (size_t k = 0; k < N * factor->slots; k++)
    y[k] = factor->weight != NULL && k < N * factor->shown ? factor->shift * factor->weight[k] * x[k] : 0.0;
  for (size_t s = 0; s < factor->slots; s++) multiply_slot(factor, s, x + N * s, y + N * s);
  for (size_t s = 0; s < factor->slots; s++)
    for (size_t k = factor->begin[s]; k < factor->begin[s] + factor->degree[s]; k++) {
      const double *lower = factor->lower + BLOCK * k, *upper = factor->upper + BLOCK * k;
      const size_t here = N * s, there = N * factor->neighbour[k];
      add_product(factor, lower, upper, x + here, x + there, y + there);
      add_product(factor, upper, lower, x + there, x + here, y + here);
    }
  for (size_t k = 0; k < N * factor->slots; k++)
    if (factor->held[k]) y[k] = 0.0;
}

void eli_factor_multiply(const eli_factor *factor, const double *x, double *y) {
  if (factor->slots == factor->shown) {
    multiply_whole(factor, x, y);
    return;
  }
  double *whole = with_hidden(factor, x, 0);
  elongate(factor, whole);
  multiply_whole(factor, whole, factor->hidden[1]);
  memcpy(y, factor->hidden[1], N * factor->shown * sizeof *y);
}

/* Returns the number of negative eigenvalues of the pins' matrix + share error, and their eigenvalues and vectors; -1 without success. */
static int count_negative(eli_factor *factor, size_t count, const double *matrix, const double *error, double share) {
  double sum[ELI_FACTOR_PINS * ELI_FACTOR_PINS];
  int negative = 0;
  for (size_t i = 0; i < count * count; i++) sum[i] = matrix[i] + share * error[i];
  if (!eli_symmetric_eigen((int)count, sum, factor->pin_value, factor->pin_vector)) return -1;
  for (size_t k = 0; k < count; k++) negative += factor->pin_value[k] < 0.0;
  return negative;
}

/* Counts the signs that the pins leave out. With U = K'^-1 E and S = E^T U their matrix is 1 - S = (1 - S)^2 + U^T K U. In this form an
 * error of U counts by its square. The elimination finds U with the rounding of the stiffest elements, and beside it a motion about a soft
 * joint would have either sign. An error dK of the diagonal changes the matrix by U^T dK U. */
static void judge_pins(eli_factor *factor) {
  const size_t count = (size_t)factor->pins, size = N * factor->slots;
  double matrix[ELI_FACTOR_PINS * ELI_FACTOR_PINS], error[ELI_FACTOR_PINS * ELI_FACTOR_PINS], left[ELI_FACTOR_PINS * ELI_FACTOR_PINS];
  double *loads = factor->response + ELI_FACTOR_PINS * size;
  for (size_t p = 0; p < count; p++) {
    double *x = factor->response + p * size;
    memset(x, 0, size * sizeof *x);
    x[factor->pin[p]] = 1.0 / factor->pin_scale[p];
    solve_with_pins(factor, x, x);
    for (size_t q = 0; q < count; q++) left[q * count + p] = (p == q ? 1.0 : 0.0) - x[factor->pin[q]] / factor->pin_scale[q];
  }
  for (size_t p = 0; p < count; p++) {
    const double *x = factor->response + p * size;
    multiply_whole(factor, x, loads);
    for (size_t q = 0; q <= p; q++) {
      const double *y = factor->response + q * size;
      double work = 0.0, sum = 0.0;
      for (size_t k = 0; k < count; k++) work += left[k * count + p] * left[k * count + q];
      for (size_t i = 0; i < size; i++) {
        work += y[i] * loads[i];
        sum += x[i] * (factor->local[i] * y[i]);
      }
      matrix[q * count + p] = matrix[p * count + q] = work;
      error[q * count + p] = error[p * count + q] = sum + (p == q ? EPSILON : 0.0);
    }
  }
  const int clear = count_negative(factor, count, matrix, error, ZERO), most = count_negative(factor, count, matrix, error, -ZERO);
  const int known = clear >= 0 && most >= clear && count_negative(factor, count, matrix, error, 0.0) >= 0;
  factor->uncertain = factor->uncertain || !known;
  factor->negative += known ? clear : 0;
  factor->zero += known ? most - clear : factor->pins;
  for (size_t k = 0; k < count; k++) { /* the solution along zero eigenvalues is 0 */
    double bound = 0.0;
    for (size_t i = 0; i < count * count; i++)
      bound += factor->pin_vector[k * count + i / count] * error[i] * factor->pin_vector[k * count + i % count];
    if (!known || fabs(factor->pin_value[k]) <= ZERO * bound) factor->pin_value[k] = 0.0;
  }
}
