/* The cost of contact: per contact, and compared with a search of all pairs without a list of near pairs.
 *
 *   contacts SCENE n N touching M ns K
 *   all_pairs SCENE n N closest A projected B times X Y
 *   steps SCENE n N from 65 to 320 touching M each P ns S ratio R
 *
 * M  pairs of elements that touch
 * K  nanoseconds of a step per touching pair: the step with contact minus the step without, the search for pairs included
 * A  nanoseconds per element to compute the closest points of all pairs of elements of different rods
 * B  the same, but projections first exclude separated pairs, the library's method for the pairs of its list
 * P, S, R  touching pairs for each element, nanoseconds of the whole step per touching pair, and S in units of a touching pair by itself
 *    (yardstick.h; 0 without a yardstick for this instruction set), in steps that are the same for every size; M is the mean over them
 * X time of a step without contact plus a search A, divided by the time of a step with contact, forces and friction included; Y with B
 */
#include "touching.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/segment.h"
#include "peak.h"

enum { MOST = 6000 }; /* largest number of elements for the search of all pairs */

typedef struct piece {
  double first[3], last[3], radius;
  int rod;
} piece;

static eli_edge edge_of(const piece *p) {
  return (eli_edge){p->first[0], p->first[1], p->first[2], p->last[0], p->last[1], p->last[2]};
}

static elastica_effect *find_contact(elastica_world *world) {
  for (int k = 0; k < elastica_world_get(world).effect_count; k++) {
    elastica_effect *effect = elastica_world_effect(world, k);
    if (strcmp(elastica_effect_get(effect).name, "contact") == 0 && elastica_effect_get(effect).rod == NULL) return effect;
  }
  return NULL;
}

static int read_pieces(elastica_world *world, piece *out) {
  int count = 0;
  for (int k = 0; k < elastica_world_get(world).rod_count; k++) {
    elastica_rod *rod = elastica_world_rod(world, k);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int j = 0; j < view->element_count; j++, count++) {
      for (int a = 0; a < 3; a++) out[count].first[a] = view->position[a][j], out[count].last[a] = view->position[a][j + 1];
      out[count].radius = elastica_rod_radius(view, j);
      out[count].rod = view->rod_index;
    }
  }
  return count;
}

/* Counts the touching pairs. */
static int search(const piece *all, int count, int projected) {
  int touching = 0;
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      const piece *a = &all[i], *b = &all[j];
      const double reach = a->radius + b->radius;
      if (a->rod == b->rod || (projected && eli_segments_are_apart(edge_of(a), edge_of(b), reach))) continue;
      eli_closest closest;
      eli_segment_closest(a->first, a->last, b->first, b->last, &closest);
      touching += closest.distance < reach;
    }
  return touching;
}

/* Nanoseconds per element, the minimum of three. */
static double time_search(const piece *all, int count, int projected, int *touching) {
  double least = 0.0;
  for (int run = 0; run < 3; run++) {
    const double start = bench_processor_seconds();
    *touching = search(all, count, projected);
    const double time = (bench_processor_seconds() - start) * 1e9 / count;
    if (run == 0 || time < least) least = time;
  }
  return least;
}

static void compare(elastica_world *world, const char *scene, int elements, double with, double without) {
  piece *all = malloc((size_t)elements * sizeof *all);
  if (all == NULL) exit(3);
  int found[2];
  const int count = read_pieces(world, all);
  const double closest = time_search(all, count, 0, &found[0]), projected = time_search(all, count, 1, &found[1]);
  if (found[0] != found[1]) fprintf(stderr, "bench: projections part %d pairs of %d that touch\n", found[0] - found[1], found[0]);
  printf("all_pairs %s n %d closest %.0f projected %.0f times %.1f %.1f\n", scene, elements, closest, projected, (without + closest) / with,
         (without + projected) / with);
  free(all);
}

int bench_has_contact(elastica_world *world) {
  elastica_effect *contact = find_contact(world);
  int touching = 0;
  return contact != NULL && elastica_contact_get(contact, NULL, 0, &touching) == ELASTICA_OK && touching > 0;
}

void bench_same_steps(elastica_world *world, const char *scene, int elements, double dt, double yardstick) {
  enum { FIRST = 64, INTERVAL = 64, INTERVALS = 4 };
  double spent = 0.0, touching = 0.0;
  for (int k = 0; k <= INTERVALS; k++) {
    int found = 0;
    const double start = bench_processor_seconds();
    if (elastica_world_step(world, dt, k ? INTERVAL : FIRST) != ELASTICA_OK) exit(3);
    if (k == 0) continue;
    spent += bench_processor_seconds() - start;
    if (elastica_contact_get(find_contact(world), NULL, 0, &found) != ELASTICA_OK) exit(3);
    touching += (double)found / INTERVALS;
  }
  const double ns = spent * 1e9 / (INTERVAL * INTERVALS) / touching;
  printf("steps %s n %d from %d to %d touching %.0f each %.3f ns %.0f ratio %.2f\n", scene, elements, FIRST + 1,
         FIRST + INTERVAL * INTERVALS, touching, touching / elements, ns, yardstick > 0.0 ? ns / yardstick : 0.0);
  fflush(stdout);
}

void bench_touching(elastica_world *world, const char *scene, int elements, double ns, bench_timer time, void *context) {
  elastica_effect *contact = find_contact(world);
  int touching = 0;
  if (contact == NULL || elastica_contact_get(contact, NULL, 0, &touching) != ELASTICA_OK || touching == 0) return;
  if (elastica_effect_set_enabled(contact, 0) != ELASTICA_OK) return;
  const double without = time(context, world);
  printf("contacts %s n %d touching %d ns %.0f\n", scene, elements, touching, (ns - without) * elements / touching);
  if (elements <= MOST) compare(world, scene, elements, ns, without);
  fflush(stdout);
}
