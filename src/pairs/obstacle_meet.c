/* Elements that come at an elastic obstacle, and the speed that its layer bears (see obstacle_meet.h). */
#include "base/target.h"

#include "pairs/obstacle_meet.h"

#include "base/vector.h"
#include "pairs/obstacle.h"

#include <math.h>
#include <string.h>

#define DEEP 0.5  /* radii */
#define NEAR 1e-6 /* radii, of where surfaces meet */
#define AWAY 1e-4 /* radii, of a difference */
enum { MOVES = 60 };

/* An element that moves by w [m/s] against the solid. */
typedef struct flight {
  const eli_solid *solid;
  const eli_capsule *at;
  double w[3], speed;
} flight;

static eli_capsule moved(const flight *of, double time) {
  eli_capsule to = *of->at;
  for (int end = 0; end < 2; end++)
    for (int a = 0; a < 3; a++) to.end[end][a] += time * of->w[a];
  return to;
}

/* [m] Of the centre line from the surface: a convex function of time. */
static double distance_after(const flight *of, double time) {
  const eli_capsule at = moved(of, time);
  return eli_layer_least_distance(&at, of->solid, 0.0, 1.0, 0.1 * NEAR * of->at->rest_radius);
}

/* [m/s] How fast the distance falls after a time. */
static double closing_after(const flight *of, double time) {
  const double step = AWAY * of->at->rest_radius / of->speed;
  return (distance_after(of, time) - distance_after(of, time + step)) / step;
}

/* [s] When the distance has fallen to one [m]; infinite: never. From outside Newton's method goes on to it without a step too far, but for
 * what a difference makes. */
static double time_to(const flight *of, double wanted) {
  double time = 0.0;
  for (int k = 0; k < MOVES; k++) {
    const double left = distance_after(of, time) - wanted;
    if (left <= NEAR * of->at->rest_radius) return time;
    const double closing = closing_after(of, time);
    if (!(closing > 0.0)) return INFINITY;
    time += left / closing;
  }
  return INFINITY;
}

/* [J] Of the layer of an element that has gone on to half its radius. */
static double deep_energy(const flight *of, double modulus) {
  const eli_line_law law = {modulus, 0.0};
  const double time = time_to(of, of->at->radius - DEEP * of->at->rest_radius);
  eli_layer layer;
  if (!(time < INFINITY)) return INFINITY;
  const eli_capsule at = moved(of, time);
  return eli_layer_find(&at, of->solid, &law, &layer) ? layer.energy : INFINITY;
}

static void judge_element(const flight *of, const elastica_rod_view *rod, int j, double modulus, eli_impact *worst) {
  const double start = time_to(of, of->at->radius), mass = rod->rigid ? rod->mass[0] : 0.5 * (rod->mass[j] + rod->mass[j + 1]);
  if (!(start < INFINITY)) return;
  const double closing = closing_after(of, start), bound = sqrt(2.0 * deep_energy(of, modulus) / mass);
  if (closing > bound && closing / bound > worst->speed / worst->bound) *worst = (eli_impact){j, closing, bound};
}

/* The motion of the whole of a rod against the solid; 0: there is none. */
static int find_motion(const elastica_rod_view *rod, const eli_solid *solid, flight *out) {
  double mass = 0.0;
  memset(out->w, 0, sizeof out->w);
  for (int i = 0; i < rod->node_count; i++) {
    mass += rod->mass[i];
    for (int a = 0; a < 3; a++) out->w[a] += rod->mass[i] * rod->velocity[a][i];
  }
  for (int a = 0; a < 3; a++) out->w[a] = out->w[a] / mass - solid->place.velocity[a];
  out->speed = sqrt(eli_dot(out->w, out->w));
  return out->speed > 0.0 && out->speed - out->speed == 0.0;
}

elastica_status eli_elastic_find_impacts(const eli_elastic *o, double time, void (*visit)(void *context, int rod, const eli_impact *impact),
                                         void *context) {
  eli_solid solid;
  const elastica_status status = eli_elastic_solid_at(o, time, &solid);
  for (int k = 0; k < o->record_count && status == ELASTICA_OK; k++) {
    const eli_elastic_record *r = &o->records[k];
    if (r->rod < 0 || !eli_elastic_acts_on(o, r)) continue;
    const elastica_rod_view *rod = elastica_rod_get_view(elastica_world_rod(o->world, r->rod));
    eli_impact worst = {-1, 0.0, 1.0};
    flight of = {.solid = &solid};
    for (int j = 0; find_motion(rod, &solid, &of) && j < r->count; j++) {
      eli_capsule at;
      eli_layer_place(&r->shape, rod, j, &at);
      of.at = &at;
      judge_element(&of, rod, j, o->law.line.modulus, &worst);
    }
    if (worst.element >= 0) visit(context, r->rod, &worst);
  }
  return status;
}

double eli_elastic_modulus(const eli_elastic *o) {
  return o->law.line.modulus;
}
