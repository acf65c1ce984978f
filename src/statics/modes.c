/* Modes of an equilibrium: natural frequencies and load factors of linear buckling.
 *
 * models     vibration: K x = omega^2 M x. Buckling: (S + factor G) x = 0
 * equation   both are A x = mu B x with B not negative: A = K, B = M, mu = omega^2, or A = G, B = S, mu = -1/factor. With a shift s beyond
 * the
 *            lowest mu, (A + s B)^-1 B x = x/(mu + s): the lowest mu are the largest eigenvalues of that operator (krylov.c)
 * source     K. Bathe, Finite Element Procedures (1996), 6.8.2 for linear buckling; T. Ericsson and A. Ruhe, Math. Comp. 35 (1980) 1251 for
 *            the spectral transformation; Parlett, The Symmetric Eigenvalue Problem, 3.3 for counts by inertia (Sylvester)
 * test       tests/test_modes.c
 *
 * The factors of A + s B come from factor.c, whose elimination keeps the low modes of thin rods exact; a product with K would lose them in
 * the rounding of stretch. So residuals are those of the inverse operator. The number of negative pivots of A - c B, with c between the
 * last mode that is returned and the next one, must be the number of modes found below c; while it is larger, the search continues beside
 * those found.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/matrix.h"
#include "base/rotation.h"
#include "hooks/effects.h"
#include "state/definition.h"
#include "statics/krylov.h"

#define FIELD(field) ELI_FIELD(elastica_modes_def, field)
static const eli_field fields[] = {FIELD(struct_size),
                                   ELI_CHOICE(elastica_modes_def, kind, ELASTICA_MODES_BUCKLING, "neither FREQUENCIES nor BUCKLING"),
                                   FIELD(count), ELI_NUMBERS(elastica_modes_def, tolerance, ELI_RULE_NOT_NEGATIVE)};
#undef FIELD
static const elastica_modes_def defaults = {.count = 6, .tolerance = 1e-6};
static const eli_layout layout = ELI_LAYOUT("modes_def", elastica_modes_def, fields, defaults);

/* Largest residual of a Ritz pair relative to its eigenvalue. Errors of eigenvalues are of the order of its square. */
#define TOLERANCE 1e-10

/* A square below this share of the lowest B/(m L^3) is that of a rigid motion. */
#define RIGID 1e-6

/* The shift is at a distance below the lowest mu of this share of the range of the modes wanted, and is chosen again beyond these. */
#define DISTANCE 0.1
#define NEAREST 1e-4
#define FARTHEST 1e4

/* Two mu closer than this, relative to their distance from the shift, are not told apart by a count. */
#define SEPARATE 1e-6

/* A load factor may exceed the largest one by this share. */
#define ROUND 1e-3

/* A second shift, over the first. */
#define ANOTHER 1.375

/* A residual that bends a rod by this angle is no obstacle. */
#define NEGLIGIBLE 1e-9

/* A load factor with a larger residual is none. */
#define LARGEST_RESIDUAL 1e-3

/* Largest doubt of a stiffness because of rounding, as a share of bending stiffnesses. */
#define DOUBTFUL 1e-4

/* Largest rounding of a rod, as a share of the bending stiffness of another one that is coupled with it. */
#define HIDDEN 0.01

/* Stiffness of each motion in S. */
#define FAINT 1e-11
#define FAINT_BESIDE_RODS 1e-8

/* Larger load factors are left out, and shifts of buckling are no smaller than twice its inverse. */
#define LARGEST_FACTOR 1e6

/* Load factors that rounding hides are left out above LEAST_FACTOR. The rounding of many elements adds up to the share TYPICAL of its
 * bound. */
#define LEAST_FACTOR 100.0
#define TYPICAL 0.03

/* The share of this rounding in a stress that balances the loads. */
#define BALANCED 1e-3

enum { MOST_SHIFTS = 60, MOST_PASSES = 12, MOST_SEARCHES = 1000 };

/* ---- The modes ---- */

/* One rod when the modes were found. */
typedef struct mode_rod {
  elastica_rod *rod;
  size_t nodes, elements; /* lengths of its lanes, with the node that a ring repeats */
} mode_rod;

struct elastica_modes {
  elastica_world *world;
  int count, rod_count;
  size_t numbers; /* of a shape */
  elastica_eigenmode *mode;
  mode_rod *rods;
  double *shape;  /* per mode: per rod three lanes of nodes and three of elements */
  double *state;  /* positions [3 nodes] and directors [9 elements] of each rod, by rod */
  double *trial;  /* likewise of one rod */
  double *former; /* the same of each rod, with velocities and spins */
  double *zeros;  /* velocities of a rod at rest */
};

void elastica_modes_def_init(elastica_modes_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

int elastica_modes_count(const elastica_modes *modes) {
  return modes != NULL ? modes->count : 0;
}

void elastica_modes_destroy(elastica_modes *modes) {
  if (modes != NULL) eli_release(&modes->world->allocator, modes);
}

/* ---- The pencil A, B ---- */

typedef struct pencil {
  eli_relaxation *relaxation;
  const elastica_modes_def *def;
  eli_stiffness stiffness; /* A + shift B */
  eli_stiffness material;  /* kind BUCKLING: S */
  size_t own;              /* kind BUCKLING: blocks of E in both lists of loads; behind them, minus their part that grows with the loads */
  size_t own_springs;      /* the same for springs */
  double *mass;            /* [6 blocks]; kind BUCKLING: see find_faint */
  double *scratch;         /* [6 blocks] */
  double shift;
  int balanced;   /* slender rods have the stress that balances their loads */
  int neutral;    /* kind BUCKLING: motions that neither G nor S resists, at most */
  double largest; /* kind BUCKLING: the largest load factor wanted */
} pencil;

static int buckles(const pencil *p) {
  return p->def->kind == ELASTICA_MODES_BUCKLING;
}

static elastica_status starve(const pencil *p) {
  p->relaxation->starved = 1;
  return elastica_world_refuse(p->relaxation->world, ELASTICA_OUT_OF_MEMORY, "modes_find: no memory for %d modes", p->def->count);
}

/* The stress that rounding of positions leaves in elements is a doubt of G: nothing else resists a rigid motion, and a pivot of its size
 * would have any load factor. A count has a share of it. In a search, with a share of 0, the doubt of a rod with supports is at most the
 * share DOUBTFUL of bending stiffnesses, or that of the residual; a free rod has none. */
static double doubt_of(const pencil *p, int r, double share) {
  const eli_relaxation *relaxation = p->relaxation;
  const double rounding = eli_relax_rounding(relaxation, r), most = DOUBTFUL * eli_relax_softest(relaxation);
  if (share > 0.0) return share * rounding * (p->balanced && relaxation->origin[r].rounding > ELI_SLENDER ? BALANCED : 1.0);
  return eli_relax_is_free(relaxation, r) ? 0.0 : eli_larger(eli_relax_imbalance(relaxation, r), rounding < most ? rounding : most);
}

static void doubt(pencil *p, double share) {
  const eli_relaxation *relaxation = p->relaxation;
  for (int r = 0; r < relaxation->rod_count; r++) {
    const size_t blocks = eli_relax_blocks(relaxation, r);
    const double length = relaxation->origin[r].length, couple = doubt_of(p, r, share) / (double)blocks;
    for (size_t i = 0; i < blocks; i++)
      for (int a = 0; a < 6; a++)
        eli_factor_doubt(&p->stiffness.factor, relaxation->first[r] + i, a, a < 3 ? couple / (length * length) : couple);
  }
}

/* Sets A + shift B = G + shift S. Returns 0 without memory. */
static int assemble(pencil *p, double shift) {
  eli_stiffness *stiffness = &p->stiffness;
  for (size_t k = 0; k < stiffness->count; k++) /* E + (shift - 1) of its part in S */
    for (int i = 0; i < 9; i++) stiffness->load[k].m[i] = (k < p->own ? shift : shift - 1.0) * p->material.load[k].m[i];
  for (size_t k = 0; k < stiffness->springs; k++)
    stiffness->spring[k].stiffness = (k < p->own_springs ? shift : shift - 1.0) * p->material.spring[k].stiffness;
  return eli_stiffness_assemble_share(p->relaxation, stiffness, 1.0 / shift, shift);
}

/* Factorises A + shift B. Returns 0 without memory. */
static int factorise(pencil *p, double shift) {
  p->shift = shift;
  p->stiffness.factor.careful = eli_relax_share_of_rounding(p->relaxation) > ELI_SLENDER ? 2 : 1;
  if (buckles(p)) {
    if (!assemble(p, shift)) return 0;
    doubt(p, 0.0);
  }
  eli_factor_compute(&p->stiffness.factor, shift, p->mass);
  return 1;
}

/* Factorises G + S/most in a share of all doubt. */
static elastica_status factorise_in_doubt(pencil *p, double most, double share) {
  p->shift = 1.0 / most;
  p->stiffness.factor.careful = eli_relax_share_of_rounding(p->relaxation) > ELI_SLENDER ? 2 : 1;
  if (!assemble(p, p->shift)) return starve(p);
  doubt(p, share);
  eli_factor_compute(&p->stiffness.factor, 0.0, NULL);
  return ELASTICA_OK;
}

static void weigh(void *context, const double *x, double *y) {
  const pencil *p = context;
  const size_t size = p->relaxation->size;
  if (buckles(p)) {
    eli_factor_multiply(&p->material.factor, x, y);
  } else {
    for (size_t i = 0; i < size; i++) y[i] = p->stiffness.factor.held[i] ? 0.0 : p->mass[i] * x[i];
  }
}

static void apply(void *context, const double *x, double *y) {
  const pencil *p = context;
  weigh(context, x, p->scratch);
  eli_factor_solve(&p->stiffness.factor, p->scratch, y);
}

/* ---- The loads that have no place in it ---- */

static elastica_status refuse_motion(elastica_world *world) {
  double *const *lane = world->bodies.slab.lane;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    double speed = 0.0, spin = 0.0;
    for (size_t i = rod->offset; i <= rod->offset + (size_t)eli_last_node(rod); i++)
      for (size_t a = 0; a < 3; a++) {
        eli_keep_larger(&speed, fabs(lane[ELI_VELOCITY + a][i]));
        if (i < rod->offset + (size_t)rod->element_count) eli_keep_larger(&spin, fabs(lane[ELI_OMEGA + a][i]));
      }
    if (speed != 0.0 || spin != 0.0)
      return elastica_world_refuse(
          world, ELASTICA_INVALID_ARGUMENT,
          "modes_find: rod %d moves at up to %.3g m/s and turns at up to %.3g rad/s; modes are those of a world at "
          "rest, without gyroscopic forces: relax it, or set its velocities to 0",
          rod->index, speed, spin);
  }
  return ELASTICA_OK;
}

/* The lowest bending stiffness, the length and the mass of a rod. */
static double bending_of(const elastica_rod *rod, double *length, double *mass) {
  const elastica_rod_view *view = &rod->body->view;
  double least = INFINITY;
  *length = *mass = 0.0;
  for (int j = 0; j < view->element_count; j++) {
    *mass += view->mass[j];
    *length += view->rest_length[j];
    for (int a = 0; a < 2; a++)
      if (view->element_bend_stiffness[a][j] < least) least = view->element_bend_stiffness[a][j];
  }
  return least;
}

/* The loads of a body are its own references only as far as they do not cancel: the largest ones of all count. */
static eli_residual references_of(const eli_relaxation *relaxation, int r) {
  eli_residual of = relaxation->residual[r];
  for (int k = 0; k < relaxation->rod_count && eli_is_rigid(relaxation->rods[r]); k++) {
    eli_keep_larger(&of.reference_force, relaxation->residual[k].reference_force);
    eli_keep_larger(&of.reference_couple, relaxation->residual[k].reference_couple);
  }
  return of;
}

/* A residual is left if it exceeds the tolerance and rounding, and bends a rod visibly. */
static elastica_status refuse_unbalanced(eli_relaxation *relaxation) {
  for (int r = 0; r < relaxation->rod_count; r++) {
    const eli_residual left = references_of(relaxation, r);
    double length = 1.0, mass, bend = 0.0;
    if (!eli_is_rigid(relaxation->rods[r])) bend = NEGLIGIBLE * bending_of(relaxation->rods[r], &length, &mass);
    const double tolerance = relaxation->def.tolerance;
    const double force = eli_larger(tolerance * left.reference_force, eli_larger(left.rounding_force, bend / (length * length)));
    const double couple = eli_larger(tolerance * left.reference_couple, eli_larger(left.rounding_couple, bend / length));
    if (left.force <= force && left.couple <= couple) continue;
    return elastica_world_refuse(
        relaxation->world, ELASTICA_INVALID_ARGUMENT,
        "modes_find: rod %d is not in equilibrium: a force of %.3g N and a couple of %.3g N m are left, %.3g N and "
        "%.3g N m are allowed beside %.3g N and %.3g N m that act now; call elastica_world_relax, and once more if it started under much "
        "larger loads: it compares with these, too",
        relaxation->rods[r]->index, left.force, left.couple, force, couple, left.reference_force, left.reference_couple);
  }
  return ELASTICA_OK;
}

/* Names the first rod with a reaction, and the first effect that may exert it. */
static elastica_status refuse_reaction(const eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  const eli_statics *now = &relaxation->now;
  size_t first = 0;
  while (now->external[first] == now->loads[first]) first++;
  const elastica_rod *rod = relaxation->rods[eli_relax_rod_of(relaxation, first / 6)];
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    if (!effect->enabled || effect->body->module.add_reactions == NULL || eli_reports_contacts(effect)) continue;
    if (effect->rod == NULL || effect->rod == rod)
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                   "modes_find: effect %d \"%s\" reacts to the other loads on rod %d, as a rigid obstacle does, and has no "
                                   "stiffness; an elastic obstacle has one",
                                   effect->index, effect->body->label, rod->index);
  }
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "modes_find: a reaction, which has no stiffness, acts on rod %d",
                               rod->index);
}

static elastica_status refuse_not_finite(const eli_relaxation *relaxation) {
  char words[ELI_LOAD_WORDS];
  if (!eli_relax_finds_no_number(relaxation, words)) return ELASTICA_OK;
  return elastica_world_refuse(relaxation->world, ELASTICA_NOT_FINITE, "modes_find: %s", words);
}

/* Refuses coupled rods in which rounding of one hides the bending of another one. */
static elastica_status refuse_joined(const pencil *p) {
  int stiffest, softest;
  const double share = eli_relax_find_joined(p->relaxation, &p->stiffness, &stiffest, &softest);
  if (!(share > HIDDEN)) return ELASTICA_OK;
  return elastica_world_refuse(
      p->relaxation->world, ELASTICA_NOT_CONVERGED,
      "modes_find: the rounding of the stretch of rod %d is %.2g of the bending stiffness of rod %d, which is coupled "
      "with it; above %g modes are not found: let a rigid body take the place of the stiff rod",
      p->relaxation->rods[stiffest]->index, share, p->relaxation->rods[softest]->index, HIDDEN);
}

static elastica_status refuse_loads(const pencil *p) {
  const eli_stiffness *stiffness = &p->stiffness;
  elastica_world *world = p->relaxation->world;
  if (eli_relax_has_reactions(p->relaxation)) return refuse_reaction(p->relaxation);
  if (stiffness->unsymmetric != NULL && !eli_reports_contacts(stiffness->unsymmetric))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "modes_find: the loads of effect %d \"%s\" have no potential: the stiffness is not symmetric",
                                 stiffness->unsymmetric->index, stiffness->unsymmetric->body->label);
  if (!stiffness->known && stiffness->measured != NULL)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "modes_find: effect %d \"%s\" acts, has no add_tangent, and its stiffness could not be measured",
                                 stiffness->measured->index, stiffness->measured->body->label);
  if (!stiffness->known)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "modes_find: the stiffness of the loads could not be measured");
  if (!stiffness->is_symmetric && stiffness->measured != NULL)
    return elastica_world_refuse(
        world, ELASTICA_INVALID_ARGUMENT,
        "modes_find: the loads of effects without add_tangent have no potential, the first of them effect %d \"%s\": the "
        "stiffness is not symmetric",
        stiffness->measured->index, stiffness->measured->body->label);
  if (buckles(p) && !world->law.classical)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "modes_find: linear buckling needs the law CLASSICAL; under RESCALED the stiffness is not linear in the "
                                 "stresses");
  if (stiffness->sliding != NULL)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "modes_find: friction slides in a contact of effect %d \"%s\": the stiffness is not symmetric",
                                 stiffness->sliding->index, stiffness->sliding->body->label);
  return ELASTICA_OK;
}

/* ---- The parts of the stiffness in linear buckling ---- */

typedef struct stress_part {
  pencil *pencil;
  size_t next;        /* block that the unstressed one belongs to */
  size_t next_spring; /* the same for springs */
} stress_part;

/* Minus the blocks under stress, and then plus those without: the rest is minus the part that grows with the loads. */
static void take_part(void *context, size_t row, size_t column, const double block[9], int balanced) {
  stress_part *now = context;
  pencil *p = now->pencil;
  eli_stiffness_owner owner = {p->relaxation, &p->material};
  eli_load_block *stressed = now->next < p->material.count ? &p->material.load[now->next] : NULL;
  const double sign = p->relaxation->unstressed ? 1.0 : -1.0;
  double part[9];
  for (int k = 0; k < 9; k++) part[k] = sign * block[k];
  now->next++;
  if (p->relaxation->unstressed && stressed != NULL && stressed->row == row && stressed->column == column &&
      stressed->balanced == balanced) {
    for (int k = 0; k < 9; k++) stressed->m[k] += part[k];
  } else {
    eli_stiffness_take(&owner, row, column, part, balanced);
  }
}

static int is_same_spring(const eli_stiffness *stiffness, const eli_load_spring *spring, const eli_spring_pull *pull, size_t count) {
  int same = spring->count == count;
  for (size_t k = 0; k < count && same; k++) {
    const eli_spring_pull *other = &stiffness->pull[spring->first + k];
    same = other->part == pull[k].part;
    for (int a = 0; a < 3; a++) same = same && other->gradient[a] == pull[k].gradient[a];
  }
  return same;
}

/* The same for springs. */
static void take_spring(void *context, const eli_spring_pull *pull, size_t count, double stiffness, int balanced) {
  stress_part *now = context;
  pencil *p = now->pencil;
  eli_stiffness_owner owner = {p->relaxation, &p->material};
  eli_load_spring *stressed = now->next_spring < p->material.springs ? &p->material.spring[now->next_spring] : NULL;
  const double part = p->relaxation->unstressed ? stiffness : -stiffness;
  now->next_spring++;
  if (p->relaxation->unstressed && stressed != NULL && is_same_spring(&p->material, stressed, pull, count))
    stressed->stiffness += part;
  else
    eli_stiffness_take_spring(&owner, pull, count, part, balanced);
}

/* Adds springs of one list from `first` on to another. */
static void copy_springs(eli_relaxation *relaxation, const eli_stiffness *from, size_t first, eli_stiffness *to) {
  eli_stiffness_owner owner = {relaxation, to};
  for (size_t k = first; k < from->springs; k++) {
    const eli_load_spring *spring = &from->spring[k];
    eli_stiffness_take_spring(&owner, from->pull + spring->first, spring->count, spring->stiffness, spring->balanced);
  }
}

/* Removes blocks of zeros, and springs without stiffness, behind the own ones. */
static void drop_zeros(pencil *p) {
  eli_stiffness *material = &p->material;
  size_t kept = p->own;
  for (size_t k = p->own; k < material->count; k++) {
    int any = 0;
    for (int i = 0; i < 9; i++) any = any || material->load[k].m[i] != 0.0;
    if (any) material->load[kept++] = material->load[k];
  }
  material->count = kept;
  kept = p->own_springs;
  for (size_t k = kept; k < material->springs; k++)
    if (material->spring[k].stiffness != 0.0) material->spring[kept++] = material->spring[k];
  material->springs = kept;
}

/* The largest stiffness of S against turns of a body [N m], as given by joints and other effects; displacements count by its length. */
static void find_support(const pencil *p, size_t part, double stiffness) {
  const eli_relaxation *relaxation = p->relaxation;
  const int r = eli_relax_rod_of(relaxation, part / 2);
  const double length = relaxation->origin[r].length;
  if (eli_is_rigid(relaxation->rods[r])) eli_keep_larger(&p->mass[3 * part], part % 2 ? stiffness : stiffness * (length * length));
}

/* Motions that S does not resist, such as the swing of a pendulum, would collect rounding that products with S do not show. S has against
 * each motion the share FAINT of the least bending stiffness of the rods that are coupled with it, of a body FAINT of the stiffness that
 * supports it, but no more than the share FAINT_BESIDE_RODS of that bending stiffness. */
static void find_faint(const pencil *p) {
  const eli_relaxation *relaxation = p->relaxation;
  const eli_stiffness *material = &p->material;
  memset(p->mass, 0, relaxation->size * sizeof *p->mass);
  for (size_t k = 0; k < material->count; k++) {
    const double *m = material->load[k].m;
    if (material->load[k].row == material->load[k].column) find_support(p, material->load[k].row, fabs(m[0]) + fabs(m[4]) + fabs(m[8]));
  }
  for (size_t k = 0; k < material->springs; k++) {
    const eli_load_spring *spring = &material->spring[k];
    for (const eli_spring_pull *pull = material->pull + spring->first; pull < material->pull + spring->first + spring->count; pull++) {
      const double length = eli_length(pull->gradient);
      find_support(p, pull->part, spring->stiffness * (length * length));
    }
  }
  for (int r = 0; r < relaxation->rod_count; r++) {
    const double length = relaxation->origin[r].length, *support = p->mass + 6 * relaxation->first[r];
    const double softest = eli_relax_softest_joined(relaxation, r);
    double whole = FAINT * softest;
    if (eli_is_rigid(relaxation->rods[r])) whole = eli_smaller(FAINT * eli_larger(support[0], support[3]), FAINT_BESIDE_RODS * softest);
    if (eli_relax_is_free(relaxation, r)) whole = 0.0;
    const double turn = whole / (double)eli_relax_blocks(relaxation, r);
    for (size_t i = 6 * relaxation->first[r]; i < 6 * relaxation->first[r + 1]; i++)
      p->mass[i] = i % 6 < 3 ? turn / (length * length) : turn;
  }
}

/* Makes S: the material stiffness of the rods, and the part of E that the present stresses in effects leave. */
static elastica_status separate(pencil *p) {
  eli_relaxation *relaxation = p->relaxation;
  elastica_status status = ELASTICA_OK;
  eli_stiffness_owner of_material = {relaxation, &p->material}, of_all = {relaxation, &p->stiffness};
  for (size_t k = 0; k < p->stiffness.count; k++) {
    const eli_load_block *block = &p->stiffness.load[k];
    eli_stiffness_take(&of_material, block->row, block->column, block->m, block->balanced);
  }
  copy_springs(relaxation, &p->stiffness, 0, &p->material);
  p->own = p->material.count;
  p->own_springs = p->material.springs;
  for (int unstressed = 0; unstressed < 2 && status == ELASTICA_OK; unstressed++) {
    stress_part now = {p, p->own, p->own_springs};
    relaxation->unstressed = unstressed;
    for (int between = 0; between < 2 && status == ELASTICA_OK; between++)
      status = eli_relax_visit_tangents(relaxation, between, take_part, take_spring, &now);
  }
  relaxation->unstressed = 0;
  if (status != ELASTICA_OK) return status;
  if (relaxation->starved) return starve(p);
  drop_zeros(p);
  for (size_t k = p->own; k < p->material.count; k++) {
    const eli_load_block *block = &p->material.load[k];
    eli_stiffness_take(&of_all, block->row, block->column, block->m, block->balanced);
  }
  copy_springs(relaxation, &p->material, p->own_springs, &p->stiffness);
  if (relaxation->starved) return starve(p);
  if (!eli_stiffness_assemble_share(relaxation, &p->material, 0.0, 1.0)) return starve(p);
  find_faint(p);
  eli_factor_compute(&p->material.factor, 1.0, p->mass);
  return ELASTICA_OK;
}

/* ---- The search ---- */

/* Masses of nodes; J of elements, under RESCALED J/e. */
static void find_masses(const pencil *p) {
  const eli_relaxation *relaxation = p->relaxation;
  double *const *lane = relaxation->world->bodies.slab.lane;
  for (int r = 0; r < relaxation->rod_count; r++) {
    const elastica_rod *rod = relaxation->rods[r];
    const int is_classical = rod->body->view.classical_law; /* as of every body */
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++) {
      const size_t slot = rod->offset + i;
      double *mass = p->mass + 6 * (relaxation->first[r] + i);
      for (size_t a = 0; a < 3; a++) {
        mass[a] = lane[ELI_MASS][slot];
        if (i < (size_t)rod->element_count) mass[3 + a] = lane[ELI_INERTIA + a][slot] / (is_classical ? 1.0 : lane[ELI_DILATATION][slot]);
      }
    }
  }
}

/* The lowest B/(m L^3) of the rods, or 1. */
static double scale_of_squares(const eli_relaxation *relaxation) {
  double least = INFINITY;
  for (int r = 0; r < relaxation->rod_count; r++) {
    double length, mass;
    if (eli_is_rigid(relaxation->rods[r])) continue;
    const double bend = bending_of(relaxation->rods[r], &length, &mass), scale = bend / (mass * (length * length * length));
    if (scale < least) least = scale;
  }
  return least < INFINITY && least > 0.0 ? least : 1.0;
}

static size_t count_free(const eli_relaxation *relaxation) {
  size_t count = 0;
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++)
      for (size_t a = 0; a < 6; a++)
        count += !relaxation->held[6 * (relaxation->first[r] + i) + a] && (a < 3 || i < (size_t)relaxation->rods[r]->element_count);
  return count;
}

/* Returns 1 if all pivots are positive, but for those of motions that neither A nor B resists: they vanish with another shift, too. Others
 * vanish in the rounding of a large shift if A alone has a stiffness against them, which may be negative. */
static int is_definite(pencil *p, double shift, elastica_status *status) {
  const eli_factor *factor = &p->stiffness.factor;
  int zero = 0;
  for (int k = 0; k < 2; k++) {
    if (!factorise(p, k == 0 && buckles(p) ? ANOTHER * shift : shift)) *status = starve(p);
    if (*status != ELASTICA_OK || factor->negative > 0 || factor->uncertain || (factor->zero > 0 && !buckles(p))) return 0;
    if (buckles(p) && factor->zero > p->neutral) return 0;
    if (k == 1 && factor->zero != zero) return 0;
    zero = factor->zero;
    if (!buckles(p)) break;
  }
  return 1;
}

static elastica_status refuse_unresisted(const pencil *p) {
  return elastica_world_refuse(
      p->relaxation->world, ELASTICA_INVALID_ARGUMENT,
      "modes_find: a millionth of the present loads makes a motion unstable that no stiffness resists, such as the "
      "turn of a rod about the line through its pins: there is no lowest load factor; hold the rods against it");
}

/* Raises the shift until A + shift B is positive definite beyond rounding. */
static elastica_status make_definite(pencil *p, double shift) {
  elastica_status status = ELASTICA_OK;
  for (int k = 0; k < MOST_SHIFTS && status == ELASTICA_OK; k++) {
    if (is_definite(p, shift, &status)) return status;
    if (buckles(p) && shift > LARGEST_FACTOR) break;
    shift = shift > 0.0 ? 16.0 * shift : -shift;
  }
  if (status != ELASTICA_OK) return status;
  if (buckles(p)) return refuse_unresisted(p);
  return elastica_world_refuse(
      p->relaxation->world, ELASTICA_NOT_CONVERGED,
      "modes_find: no shift makes the stiffness positive, up to %.3g: some stiffness is not finite, or not symmetric", shift);
}

static double mu_of(const pencil *p, double theta) {
  return 1.0 / theta - p->shift;
}

/* The range of the modes wanted, or with the next one; 0 if there is only one value. */
static double range(const pencil *p, const eli_krylov *found) {
  const double low = mu_of(p, found->value[0]), high = mu_of(p, found->value[found->count - 1]), least = SEPARATE * (low + p->shift);
  if (high - low > least) return high - low;
  const double next = found->next > 0.0 ? mu_of(p, found->next) - low : 0.0;
  return next > least ? next : 0.0;
}

/* The bound that mu of buckling must be below: that of the largest factor, or of values that the shift tells apart from 0. */
static double no_buckling(const pencil *p) {
  return buckles(p) ? -eli_larger((1.0 - ROUND) / p->largest, SEPARATE * p->shift) : INFINITY;
}

static void lower(int *count, int most) {
  if (most < *count) *count = most;
}

/* Lowers the number of modes wanted to that of load factors below the largest one: the negative pivots of G + S/LARGEST_FACTOR, and those
 * of the size of rounding, but for motions that neither G nor S resists. Without any, a search would find the rounding of stresses. Where
 * rounding alone is left, the largest factor is reduced until it hides none. */
static elastica_status limit_count(pencil *p, int *count) {
  const eli_factor *factor = &p->stiffness.factor;
  if (!buckles(p)) return ELASTICA_OK;
  p->largest = LARGEST_FACTOR;
  elastica_status status = factorise_in_doubt(p, p->largest, 1.0);
  if (status != ELASTICA_OK || factor->uncertain) return status;
  const int most = factor->negative + factor->zero, hides = factor->zero > 0;
  p->neutral = factor->zero;
  if (hides) status = factorise_in_doubt(p, 1.0, 1.0);
  if (factor->zero < p->neutral) p->neutral = factor->zero;
  lower(count, most - p->neutral);
  while (status == ELASTICA_OK && hides && *count > 0) {
    status = factorise_in_doubt(p, p->largest, TYPICAL);
    if (status != ELASTICA_OK || factor->uncertain) break;
    lower(count, factor->negative + factor->zero - p->neutral);
    if (factor->zero <= p->neutral || !(p->largest > LEAST_FACTOR)) break;
    p->largest = eli_larger(0.25 * p->largest, LEAST_FACTOR);
  }
  return status;
}

/* Finds the lowest modes, with a shift that fits their range. */
static elastica_status search(pencil *p, eli_krylov *found, int count) {
  for (int pass = 0; pass < MOST_PASSES; pass++) {
    found->count = 0;
    if (!eli_krylov_find(found, count, TOLERANCE)) return starve(p);
    const int all = found->count >= count || found->complete;
    if (found->count == 0 && (found->complete || !(found->next > 0.0))) return ELASTICA_OK;
    const double low = found->count > 0 ? mu_of(p, found->value[0]) : mu_of(p, found->next);
    const double width = found->count > 0 ? range(p, found) : fabs(low + p->shift), gap = low + p->shift;
    const double before = p->shift;
    const int lowest = !(low < no_buckling(p)), far = !lowest && all && gap > FARTHEST * width;
    double shift = DISTANCE * width - low;
    if (lowest) {
      shift = eli_larger(2.0 * SEPARATE * p->shift, 2.0 / p->largest);
      if (p->shift < 16.0 * shift) return ELASTICA_OK;
    } else if (all && (width == 0.0 || (gap >= NEAREST * width && gap <= FARTHEST * width))) {
      return ELASTICA_OK;
    }
    const elastica_status status = make_definite(p, shift);
    if (status != ELASTICA_OK) return status;
    if ((lowest || far) && !(p->shift < before)) return factorise(p, before) ? ELASTICA_OK : starve(p); /* rounding forbids a smaller one */
  }
  if (found->count < count)
    return elastica_world_refuse(p->relaxation->world, ELASTICA_NOT_CONVERGED, "modes_find: %d of %d modes have converged", found->count,
                                 count);
  return elastica_world_refuse(p->relaxation->world, ELASTICA_NOT_CONVERGED,
                               "modes_find: %d modes have converged, but with none of %d shifts are they told apart from rounding", count,
                               MOST_PASSES);
}

/* Returns 1 if a count can tell the modes up to `last` (-1: none) from those above, with *cut between them. */
static int find_cut(const pencil *p, const eli_krylov *found, int last, double *cut) {
  const double below = last < 0 ? -p->shift : mu_of(p, found->value[last]);
  const double theta = last + 1 < found->count ? found->value[last + 1] : found->next;
  double above = theta > 0.0 ? mu_of(p, theta) : below + (below + p->shift);
  if (last < 0 || (buckles(p) && above > 0.0)) above = buckles(p) ? 0.0 : above;
  *cut = last < 0 ? no_buckling(p) : 0.5 * (below + above);
  return above - below > SEPARATE * (below + p->shift);
}

/* Continues until no mode below the last one wanted, and below those equal to it, is left out. */
static elastica_status confirm(pencil *p, eli_krylov *found, int count) {
  const double shift = p->shift;
  double cut = 0.0;
  for (int searches = 0; searches < MOST_SEARCHES && !found->complete && found->count > 0; searches++) {
    int last = (count < found->count ? count : found->count) - 1;
    while (last >= 0 && !(mu_of(p, found->value[last]) < no_buckling(p))) last--;
    while (last >= 0 && last < found->count - 1 && !find_cut(p, found, last, &cut)) last++;
    int more = ELI_KRYLOV_BLOCK;
    if (find_cut(p, found, last, &cut)) {
      if (!factorise(p, -cut)) return starve(p);
      const eli_factor *factor = &p->stiffness.factor;
      more = factor->negative - (last + 1);
      if (factor->uncertain || (factor->zero > 0 && !buckles(p))) more = 0; /* the count is void: the cut is an eigenvalue to rounding */
      if (!factorise(p, shift)) return starve(p);
      if (more <= 0) return ELASTICA_OK;
    }
    const int before = found->count;
    if (more > found->capacity - found->count) more = found->capacity - found->count;
    const double next = found->next;
    if (!eli_krylov_find(found, more, TOLERANCE)) return starve(p);
    if (next > found->next) found->next = next;
    if (found->count == before) break;
  }
  return ELASTICA_OK;
}

/* ---- The result ---- */

/* The share of the faint stiffness in that of a mode: the error that it makes. */
static double faint_share(const pencil *p, const double *x) {
  double *weighed = p->relaxation->next, faint = 0.0, whole = 0.0;
  weigh((void *)p, x, weighed);
  for (size_t i = 0; i < p->relaxation->size; i++) {
    whole += x[i] * weighed[i];
    faint += p->stiffness.factor.held[i] ? 0.0 : x[i] * (p->mass[i] * x[i]);
  }
  return faint > 0.0 ? faint / whole : 0.0;
}

/* Measures |A x - theta x| once more, with the error that rounding has left. */
static double residual_of(pencil *p, const eli_krylov *found, int k) {
  const size_t size = p->relaxation->size;
  const double *x = found->vector + (size_t)k * size, theta = found->value[k];
  double *y = p->relaxation->step, *weighed = p->relaxation->next, square = 0.0;
  apply(p, x, y);
  for (size_t i = 0; i < size; i++) y[i] -= theta * x[i];
  weigh(p, y, weighed);
  for (size_t i = 0; i < size; i++) square += y[i] * weighed[i];
  return square > 0.0 ? sqrt(square) / fabs(theta) : 0.0;
}

/* Squares that count as those of rigid motions: up to a bound, and those in the order of all whose pivots vanish to rounding. */
typedef struct rigid_motions {
  double scale;    /* [1/s^2] */
  int first, last; /* from the first to before the last */
} rigid_motions;

static rigid_motions find_rigid(pencil *p, const eli_krylov *found, double scale) {
  rigid_motions rigid = {scale, 0, 0};
  const double shift = p->shift;
  if (buckles(p) || found->count == 0 || mu_of(p, found->value[0]) > SEPARATE * mu_of(p, found->value[found->count - 1])) return rigid;
  (void)factorise(p, 0.0);
  rigid.first = p->stiffness.factor.negative;
  rigid.last = rigid.first + (p->stiffness.factor.uncertain ? 0 : p->stiffness.factor.zero);
  (void)factorise(p, shift);
  return rigid;
}

static void fill_mode(pencil *p, const eli_krylov *found, int k, const rigid_motions *rigid, elastica_eigenmode *out) {
  const double mu = mu_of(p, found->value[k]), error = residual_of(p, found, k) * fabs(mu + p->shift);
  out->residual = error / eli_larger(fabs(mu), buckles(p) ? 0.0 : rigid->scale);
  if (buckles(p)) {
    out->factor = -1.0 / mu;
    return;
  }
  out->square = mu;
  out->frequency = mu > 0.0 ? sqrt(mu) / ELI_TWO_PI : 0.0;
  out->rigid = fabs(mu) <= RIGID * rigid->scale || (k >= rigid->first && k < rigid->last);
}

/* The weight of a number of a shape beside the largest: of a turn the radius of gyration that makes it a length. */
static double weight_of(const pencil *p, size_t i) {
  return i % 6 < 3 || buckles(p) ? 1.0 : sqrt(p->mass[i] / p->mass[i - 3]);
}

/* The scale of a shape: its sign makes the first number that is not small beside the largest positive. */
static double scale_of(const pencil *p, const double *x) {
  const size_t size = p->relaxation->size;
  double most = 0.0, longest = 0.0;
  size_t first = 0;
  for (size_t i = 0; i < size; i++) {
    eli_keep_larger(&most, weight_of(p, i) * fabs(x[i]));
    if (i % 6 == 0) eli_keep_larger(&longest, eli_length(x + i));
  }
  while (first < size && !(weight_of(p, first) * fabs(x[first]) > 0.5 * most)) first++;
  const double sign = first < size && x[first] < 0.0 ? -1.0 : 1.0;
  return buckles(p) && longest > 0.0 ? sign / longest : sign;
}

/* Copies a vector of unknowns to the lanes of a shape. */
static void fill_shape(const pencil *p, const double *x, const elastica_modes *modes, double *shape) {
  const double factor = scale_of(p, x);
  for (int r = 0; r < modes->rod_count; r++) {
    const mode_rod *of = &modes->rods[r];
    const double *from = x + 6 * p->relaxation->first[r];
    const size_t blocks = eli_relax_blocks(p->relaxation, r);
    for (size_t a = 0; a < 3; a++)
      for (size_t i = 0; i < of->nodes; i++) *shape++ = factor * from[6 * (i < blocks ? i : 0) + a];
    for (size_t a = 0; a < 3; a++)
      for (size_t j = 0; j < of->elements; j++) *shape++ = factor * from[6 * j + 3 + a];
  }
}

static size_t count_of_state(const mode_rod *of) {
  return 3 * of->nodes + 9 * of->elements;
}

/* Positions and directors, as elastica_rod_set_state takes them. */
static void read_state(const mode_rod *of, double *state) {
  const elastica_rod_view *view = &of->rod->body->view;
  double *director = state + 3 * of->nodes;
  for (size_t i = 0; i < of->nodes; i++)
    for (size_t a = 0; a < 3; a++) state[3 * i + a] = view->position[a][i];
  for (size_t j = 0; j < of->elements; j++)
    for (size_t a = 0; a < 9; a++) director[9 * j + a] = view->director[a / 3][a % 3][j];
}

/* Velocities and spins. */
static void read_motion(const mode_rod *of, double *motion) {
  const elastica_rod_view *view = &of->rod->body->view;
  double *omega = motion + 3 * of->nodes;
  for (size_t i = 0; i < of->nodes; i++)
    for (size_t a = 0; a < 3; a++) motion[3 * i + a] = view->velocity[a][i];
  for (size_t j = 0; j < of->elements; j++)
    for (size_t a = 0; a < 3; a++) omega[3 * j + a] = view->omega[a][j];
}

/* Allocates modes for this many shapes, with the present state. */
static elastica_modes *make_modes(const pencil *p, int count) {
  const eli_relaxation *relaxation = p->relaxation;
  const size_t rods = (size_t)relaxation->rod_count;
  size_t nodes = 0, elements = 0, longest = 0;
  for (size_t r = 0; r < rods; r++) {
    const size_t length = (size_t)eli_last_node(relaxation->rods[r]) + 1;
    nodes += length;
    elements += (size_t)relaxation->rods[r]->element_count;
    if (length > longest) longest = length;
  }
  const size_t of_shapes = 3 * (nodes + elements) * (size_t)count, of_states = 3 * nodes + 9 * elements;
  const size_t doubles = of_shapes + 2 * of_states + 3 * (nodes + elements) + (12 + 3) * longest;
  elastica_modes *modes =
      eli_allocate(&relaxation->world->allocator, 1,
                   sizeof *modes + (size_t)count * sizeof(elastica_eigenmode) + rods * sizeof(mode_rod) + doubles * sizeof(double));
  if (modes == NULL) return NULL;
  modes->world = relaxation->world;
  modes->count = count;
  modes->rod_count = relaxation->rod_count;
  modes->mode = (elastica_eigenmode *)(modes + 1);
  modes->rods = (mode_rod *)(modes->mode + count);
  modes->shape = (double *)(modes->rods + rods);
  modes->state = modes->shape + of_shapes;
  modes->former = modes->state + of_states;
  modes->trial = modes->former + of_states + 3 * (nodes + elements);
  modes->zeros = modes->trial + 12 * longest;
  modes->numbers = 3 * (nodes + elements);
  double *state = modes->state;
  for (size_t r = 0; r < rods; r++) {
    elastica_rod *rod = relaxation->rods[r];
    modes->rods[r] = (mode_rod){rod, (size_t)eli_last_node(rod) + 1, (size_t)rod->element_count};
    read_state(&modes->rods[r], state);
    state += count_of_state(&modes->rods[r]);
  }
  return modes;
}

/* Buckling modes end at the first mu that is not negative beyond rounding. */
static int count_wanted(const pencil *p, const eli_krylov *found) {
  int count = found->count < p->def->count ? found->count : p->def->count;
  while (count > 0 && !(mu_of(p, found->value[count - 1]) < no_buckling(p))) count--;
  return count;
}

/* Friction that holds loads makes the stiffness unsymmetric: a rod that rolls on it keeps its equilibrium, but the symmetric part of the
 * stiffness may then have a negative square. */
static elastica_status refuse_undecided(const pencil *p, double square) {
  const elastica_effect *effect = p->stiffness.unsymmetric;
  return elastica_world_refuse(p->relaxation->world, ELASTICA_INVALID_ARGUMENT,
                               "modes_find: friction in a contact of effect %d \"%s\" holds loads: the stiffness is not symmetric, and a "
                               "square of %.3g 1/s^2 of its symmetric part does not tell whether that motion grows",
                               effect->index, effect->body->label, square);
}

/* Beside motions of very different stiffness, products with S may lose those of small stiffness in rounding. */
static elastica_status refuse_unconverged(const pencil *p, int k, double residual) {
  return elastica_world_refuse(p->relaxation->world, ELASTICA_NOT_CONVERGED,
                               "modes_find: load factor %d has a residual of %.3g, above %g: rounding hides motions of small stiffness", k,
                               residual, LARGEST_RESIDUAL);
}

static elastica_status fill_modes(pencil *p, const eli_krylov *found, double scale, elastica_modes **out) {
  const rigid_motions rigid = find_rigid(p, found, scale);
  const int count = count_wanted(p, found);
  for (int k = 0; k < count && buckles(p); k++) {
    const double residual = residual_of(p, found, k);
    if (faint_share(p, found->vector + (size_t)k * p->relaxation->size) > LARGEST_RESIDUAL) return refuse_unresisted(p);
    if (!(residual <= LARGEST_RESIDUAL)) return refuse_unconverged(p, k, residual);
  }
  for (int k = 0; k < count && !buckles(p) && p->stiffness.unsymmetric != NULL; k++) {
    elastica_eigenmode mode = {0};
    fill_mode(p, found, k, &rigid, &mode);
    if (mode.square < 0.0 && !mode.rigid) return refuse_undecided(p, mode.square);
  }
  elastica_modes *modes = make_modes(p, count);
  if (modes == NULL) return starve(p);
  for (int k = 0; k < count; k++) {
    fill_mode(p, found, k, &rigid, &modes->mode[k]);
    fill_shape(p, found->vector + (size_t)k * p->relaxation->size, modes, modes->shape + (size_t)k * modes->numbers);
  }
  *out = modes;
  return ELASTICA_OK;
}

/* ---- The call ---- */

static elastica_status find_in(pencil *p, eli_krylov *found, elastica_modes **out) {
  eli_relaxation *relaxation = p->relaxation;
  const eli_operator on = {relaxation->size, p, apply, weigh};
  const size_t free = count_free(relaxation);
  const double scale = scale_of_squares(relaxation);
  if (p->def->count < 1 || (size_t)p->def->count > free)
    return elastica_world_refuse(relaxation->world, ELASTICA_INVALID_ARGUMENT,
                                 "modes_def.count is %d; the world has %zu unknowns that are not prescribed", p->def->count, free);
  const size_t spare = (size_t)p->def->count + 64;
  elastica_status status = buckles(p) ? separate(p) : ELASTICA_OK;
  if (status != ELASTICA_OK) return status;
  if ((!buckles(p) && !eli_stiffness_assemble(relaxation, &p->stiffness, 0.0)) ||
      !eli_krylov_create(found, &relaxation->world->allocator, &on, (int)(spare < free ? spare : free)))
    return starve(p);
  int count = p->def->count;
  status = limit_count(p, &count);
  if (status == ELASTICA_OK && count > 0) {
    status = make_definite(p, buckles(p) ? 1.0 : scale);
    if (status == ELASTICA_OK) status = search(p, found, count);
    if (status == ELASTICA_OK) status = confirm(p, found, count);
  }
  return status == ELASTICA_OK ? fill_modes(p, found, scale, out) : status;
}

/* Returns 1 if a rod has no load, and no stress beyond that of rounding. */
static int is_unloaded(const eli_relaxation *relaxation, int r) {
  const eli_statics *now = &relaxation->now;
  const eli_residual *sizes = &relaxation->residual[r];
  for (size_t i = relaxation->first[r]; i < relaxation->first[r + 1]; i++) {
    for (size_t a = 0; a < 6; a++)
      if (now->external[6 * i + a] != 0.0) return 0;
    if (i + 1 < relaxation->first[r + 1] &&
        !(eli_length(now->strain + 12 * i + 3) <= sizes->rounding_force && eli_length(now->strain + 12 * i + 9) <= sizes->rounding_couple))
      return 0;
  }
  return 1;
}

/* Sets the stress of rods without load to zero: where nothing else resists a motion, its rounding would have load factors. */
static void drop_rounding(eli_relaxation *relaxation) {
  for (int r = 0; r < relaxation->rod_count; r++) {
    if (eli_is_rigid(relaxation->rods[r]) || !is_unloaded(relaxation, r)) continue;
    for (size_t i = relaxation->first[r]; i < relaxation->first[r + 1]; i++)
      for (size_t a = 0; a < 3; a++)
        relaxation->now.strain[12 * i + 3 + a] = relaxation->now.strain[12 * i + 9 + a] = relaxation->predicted[3 * i + a] = 0.0;
  }
}

/* Takes the stress that balances the loads in slender rods, where all loads know their stiffness. */
static elastica_status predict_stress(pencil *p) {
  eli_relaxation *relaxation = p->relaxation;
  if (eli_relax_share_of_rounding(relaxation) <= ELI_SLENDER || eli_relax_without_tangent(relaxation) != NULL) return ELASTICA_OK;
  const elastica_status status = eli_relax_measure_loads(relaxation, &relaxation->stiffness);
  p->balanced = status == ELASTICA_OK && eli_relax_newton_step(relaxation);
  if (p->balanced) eli_relax_predict_slender(relaxation);
  return eli_relax_is_over(relaxation) ? eli_relax_end_status(relaxation) : status;
}

static elastica_status find(eli_relaxation *relaxation, const elastica_modes_def *def, elastica_modes **out) {
  pencil p = {.relaxation = relaxation, .def = def};
  eli_krylov found = {0};
  elastica_status status = eli_relax_begin(relaxation);
  eli_relax_take_stress(relaxation);
  if (status == ELASTICA_OK) status = refuse_not_finite(relaxation);
  if (status == ELASTICA_OK) status = eli_stiffness_find_loads(relaxation, &p.stiffness);
  if (status == ELASTICA_OK) eli_relax_find_residuals(relaxation);
  if (status == ELASTICA_OK) status = eli_relax_check_cables(relaxation, ELASTICA_INVALID_ARGUMENT);
  if (status == ELASTICA_OK) status = refuse_unbalanced(relaxation);
  if (status == ELASTICA_OK) status = refuse_loads(&p);
  if (status == ELASTICA_OK) status = refuse_joined(&p);
  if (status == ELASTICA_OK) status = predict_stress(&p);
  p.mass = eli_allocate(&relaxation->world->allocator, 2 * relaxation->size, sizeof *p.mass);
  if (p.mass == NULL && status == ELASTICA_OK) status = starve(&p);
  if (status == ELASTICA_OK) {
    p.scratch = p.mass + relaxation->size;
    if (buckles(&p))
      drop_rounding(relaxation);
    else
      find_masses(&p);
    status = find_in(&p, &found, out);
  }
  eli_krylov_release(&found);
  eli_stiffness_release(relaxation, &p.stiffness);
  eli_stiffness_release(relaxation, &p.material);
  eli_release(&relaxation->world->allocator, p.mass);
  return status;
}

static elastica_status check_call(elastica_world *world, const elastica_modes_def *given, elastica_modes_def *def, elastica_modes **out) {
  elastica_status status = eli_world_check_open(world, "modes_find", 1);
  if (status == ELASTICA_OK && out == NULL) status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "modes_find: out is NULL");
  if (status == ELASTICA_OK) status = eli_def_read(world, &layout, def, given);
  if (status == ELASTICA_OK) status = refuse_motion(world);
  return status;
}

/* Makes the failure of a hook a refusal of the call, with the sentence of the hook. working_step: that before the call. */
static elastica_status take_failure_back(elastica_world *world, elastica_status status, double working_step) {
  char sentence[ELI_MESSAGE_SIZE];
  memcpy(sentence, world->report.message, sizeof sentence);
  eli_world_end_failure(world);
  world->schedule.working_step = working_step;
  return elastica_world_refuse(world, status, "%s", sentence);
}

elastica_status elastica_modes_find(elastica_world *world, const elastica_modes_def *given, elastica_modes **out) {
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_modes_def def;
  eli_relaxation relaxation;
  elastica_relax_def relax_def;
  char before[ELI_MESSAGE_SIZE];
  memcpy(before, world->report.message, sizeof before);
  const double working_step = world->schedule.working_step;
  elastica_status status = check_call(world, given, &def, out);
  if (status != ELASTICA_OK) return status;
  elastica_relax_def_init(&relax_def, sizeof relax_def);
  relax_def.tolerance = def.tolerance;
  eli_pending pending;
  status = eli_pending_note(world, "modes_find", &pending);
  if (status != ELASTICA_OK) return status;
  status = eli_relax_open(&relaxation, world, &relax_def);
  if (status == ELASTICA_OK) {
    status = find(&relaxation, &def, out);
    if (status == ELASTICA_OK) memcpy(world->report.message, before, sizeof before);
    if (world->report.failure != ELASTICA_OK) status = take_failure_back(world, status, working_step);
    eli_relax_return(&relaxation, &relaxation.start);
  }
  if (status != ELASTICA_OK) eli_relax_rename_sentence(world, "modes_find");
  if (status != ELASTICA_OK) eli_pending_put_back(world, &pending);
  eli_relax_close(&relaxation);
  eli_pending_drop(world, &pending);
  return status;
}

/* ---- Reading and applying ---- */

static elastica_status check_index(const elastica_modes *modes, const char *function, int index) {
  if (index >= 0 && index < modes->count) return ELASTICA_OK;
  return elastica_world_refuse(modes->world, ELASTICA_INVALID_ARGUMENT, "%s: mode %d is outside 0..%d", function, index, modes->count - 1);
}

elastica_status elastica_modes_get(const elastica_modes *modes, int index, elastica_eigenmode *out) {
  if (modes == NULL) return ELASTICA_INVALID_ARGUMENT;
  const elastica_status status = check_index(modes, "modes_get", index);
  if (status != ELASTICA_OK) return status;
  if (out == NULL) return elastica_world_refuse(modes->world, ELASTICA_INVALID_ARGUMENT, "modes_get: out is NULL");
  *out = modes->mode[index];
  return ELASTICA_OK;
}

elastica_status elastica_modes_get_shape(const elastica_modes *modes, int index, const elastica_rod *rod, elastica_mode_shape *out) {
  if (modes == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = check_index(modes, "modes_get_shape", index);
  if (status == ELASTICA_OK && (rod == NULL || out == NULL))
    status = elastica_world_refuse(modes->world, ELASTICA_INVALID_ARGUMENT, "modes_get_shape: %s is NULL", rod == NULL ? "rod" : "out");
  if (status == ELASTICA_OK) status = eli_rod_check_in(modes->world, rod, "modes_get_shape");
  if (status != ELASTICA_OK) return status;
  const double *lane = modes->shape + (size_t)index * modes->numbers;
  for (int r = 0; r < modes->rod_count; r++) {
    const mode_rod *of = &modes->rods[r];
    for (size_t a = 0; a < 3 && of->rod == rod; a++) {
      out->displacement[a] = lane + a * of->nodes;
      out->turn[a] = lane + 3 * of->nodes + a * of->elements;
    }
    if (of->rod == rod) return ELASTICA_OK;
    lane += 3 * (of->nodes + of->elements);
  }
  return elastica_world_refuse(modes->world, ELASTICA_INVALID_ARGUMENT,
                               "modes_get_shape: the rod was not in the world when the modes were found");
}

/* Writes the equilibrium of a rod, displaced by amplitude times its lanes, to state. */
static void displace(const mode_rod *of, const double *equilibrium, const double *lane, double amplitude, double *state) {
  const double *turn = lane + 3 * of->nodes;
  if (amplitude == 0.0) { /* with the signs of zeros */
    memcpy(state, equilibrium, count_of_state(of) * sizeof *state);
    return;
  }
  for (size_t i = 0; i < of->nodes; i++)
    for (size_t a = 0; a < 3; a++) state[3 * i + a] = equilibrium[3 * i + a] + amplitude * lane[a * of->nodes + i];
  equilibrium += 3 * of->nodes;
  state += 3 * of->nodes;
  for (size_t j = 0; j < of->elements; j++) {
    double phi[3], r[9];
    for (size_t a = 0; a < 3; a++) phi[a] = amplitude * turn[a * of->elements + j];
    eli_rotation_exp(phi, r);
    eli_matrix_product(r, equilibrium + 9 * j, state + 9 * j);
  }
}

/* Sets the states of the first rods back after a refusal. */
static void set_back(const elastica_modes *modes, int rods) {
  const double *former = modes->former;
  for (int r = 0; r < rods; r++) {
    const mode_rod *of = &modes->rods[r];
    const double *motion = former + count_of_state(of);
    (void)(elastica_rod_set_state(of->rod, former, motion, former + 3 * of->nodes, motion + 3 * of->nodes) == ELASTICA_OK);
    former = motion + 3 * (of->nodes + of->elements);
  }
}

static elastica_status displace_all(elastica_modes *modes, int index, double amplitude) {
  const double *lane = modes->shape + (size_t)index * modes->numbers, *state = modes->state;
  double *former = modes->former, *trial = modes->trial;
  for (int r = 0; r < modes->rod_count; r++) {
    const mode_rod *of = &modes->rods[r];
    read_state(of, former);
    read_motion(of, former + count_of_state(of));
    displace(of, state, lane, amplitude, trial);
    const elastica_status status = elastica_rod_set_state(of->rod, trial, modes->zeros, trial + 3 * of->nodes, modes->zeros);
    if (status != ELASTICA_OK) {
      char sentence[ELI_MESSAGE_SIZE];
      memcpy(sentence, modes->world->report.message, sizeof sentence);
      set_back(modes, r);
      memcpy(modes->world->report.message, sentence, sizeof sentence);
      return status;
    }
    lane += 3 * (of->nodes + of->elements);
    state += count_of_state(of);
    former += count_of_state(of) + 3 * (of->nodes + of->elements);
  }
  return ELASTICA_OK;
}

elastica_status elastica_modes_apply(elastica_modes *modes, int index, double amplitude) {
  if (modes == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_world *world = modes->world;
  elastica_status status = eli_world_check_open(world, "modes_apply", 1);
  if (status == ELASTICA_OK) status = check_index(modes, "modes_apply", index);
  if (status == ELASTICA_OK) status = eli_check_numbers(world, "modes_apply: amplitude", ELI_RULE_NUMBER, &amplitude, 1);
  for (int r = 0; r < modes->rod_count && status == ELASTICA_OK; r++)
    if (modes->rods[r].rod->body == NULL)
      status = elastica_world_refuse(world, ELASTICA_WRONG_STATE, "modes_apply: rod %d was removed", modes->rods[r].rod->index);
  return status == ELASTICA_OK ? displace_all(modes, index, amplitude) : status;
}
