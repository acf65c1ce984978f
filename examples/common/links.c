#include "links.h"

#include <math.h>

static int ties_at(const link *list, int count, int rod, int node) {
  int ties = 0;
  for (const link *of = list; of < list + count; of++)
    for (int end = 0; end < 2; end++) ties += of->rod[end] == rod && of->node[end] == node;
  return ties;
}

void links_weigh(elastica_world *world, link *list, int count) {
  for (link *of = list; of < list + count; of++) {
    double mass[2], ties[2];
    for (int end = 0; end < 2; end++) {
      mass[end] = elastica_rod_get_view(elastica_world_rod(world, of->rod[end]))->mass[of->node[end]];
      ties[end] = ties_at(list, count, of->rod[end], of->node[end]);
    }
    of->ratio = mass[0] / mass[1] * sqrt(ties[1] / ties[0]);
  }
}

void links_pull(const link *list, int count, elastica_world_loads *loads) {
  for (const link *of = list; of < list + count; of++) {
    const elastica_rod_view *first = loads->rods[of->rod[0]], *second = loads->rods[of->rod[1]];
    for (int a = 0; a < 3; a++) {
      const double gap = first->position[a][of->node[0]] + of->offset[a] - second->position[a][of->node[1]];
      if (of->axes[0] >> a & 1) loads->loads[of->rod[0]].force[a][of->node[0]] -= of->stiffness * gap;
      if (of->axes[1] >> a & 1) loads->loads[of->rod[1]].force[a][of->node[1]] += of->stiffness * gap;
    }
  }
}

void links_bound(const link *list, int count, int rod, elastica_stiffness *stiffness) {
  for (const link *of = list; of < list + count; of++) {
    if (of->rod[0] == rod) stiffness->node[of->node[0]] += of->stiffness * (1 + of->ratio);
    if (of->rod[1] == rod) stiffness->node[of->node[1]] += of->stiffness * (1 + 1 / of->ratio);
  }
}
