/* Checks a motion for rates that are not the derivatives of its places (see rates.h).
 *
 * models     a central difference over each of several spans of time around each of several times. A rate is wrong at a time if it differs
 *            from the differences over all spans: a kink or a sudden start lies within the long ones at most, and numbers of single
 *            precision disturb only the short ones. A motion is wrong if its rates are wrong at all times at which it moves or writes a
 *            rate, and at more than one: a table of places and rates may differ somewhere between its lines
 * equation   v = (R(t + h) - R(t - h))/(2 h); omega_a = (P_b+ . P_c- - P_c+ . P_b-)/(4 h) for the frame P, (a, b, c) cyclic
 * test       tests/test_check_motion.c
 */
#include "base/target.h"

#include "world/rates.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

#define SLOW 0.1           /* share of the largest rate below which a motion is at rest */
#define ROUNDED 0x1p-49    /* relative rounding error of a place */
#define ROUNDED_FRAME 1e-9 /* largest error of a frame that is allowed */
#define SHORTEST 0x1p-40   /* shortest span relative to the time, for the rounding of times */

/* The times lie FIRST steps ahead and then at multiples of it by LATER; spans in steps. */
enum { TIMES = 7, SPANS = 3, FIRST = 8, LATER = 4 };
static const double spans[SPANS] = {8.0, 0.5, 0x1p-5};

/* The best agreement of a rate with the differences at one time. */
typedef struct compared {
  eli_wrong_rate at;
  double size, apart; /* larger length of the two; length of their difference */
} compared;

/* Compares a rate with a difference, which has this rounding error, and keeps the better agreement. */
static void compare(const double rate[3], const double change[3], double error, unsigned axes, compared *best) {
  compared own = {.at = {.time = best->at.time, .turns = best->at.turns}};
  double apart[3];
  for (int a = 0; a < 3; a++) {
    const int counts = (axes & (1u << a)) != 0;
    own.at.rate[a] = counts ? rate[a] : 0.0;
    own.at.change[a] = counts ? change[a] : 0.0;
    apart[a] = own.at.change[a] - own.at.rate[a];
  }
  const double written = sqrt(eli_dot(own.at.rate, own.at.rate)), moved = sqrt(eli_dot(own.at.change, own.at.change));
  own.size = written > moved ? written : moved;
  own.apart = sqrt(eli_dot(apart, apart)) - error;
  if (own.apart < best->apart) *best = own;
}

static double largest_of(const double v[3]) {
  double most = fabs(v[0]);
  for (int a = 1; a < 3; a++)
    if (fabs(v[a]) > most) most = fabs(v[a]);
  return most;
}

/* Compares both rates of a motion with the differences over one span. A time at which the motion fails does not count. */
static void compare_over(const eli_prescribed *of, const eli_placement *now, double time, double h, unsigned axes, compared best[2]) {
  const double from = time - h, to = time + h, span = to - from;
  eli_placement before, after;
  double moved[3], turned[3];
  if (!(h > SHORTEST * fabs(time)) || eli_prescribed_at(of, from, &before) != ELASTICA_OK ||
      eli_prescribed_at(of, to, &after) != ELASTICA_OK)
    return;
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    moved[a] = (after.position[a] - before.position[a]) / span;
    turned[a] = (eli_dot(&after.director[3 * b], &before.director[3 * c]) - eli_dot(&after.director[3 * c], &before.director[3 * b])) /
                (2.0 * span);
  }
  compare(now->velocity, moved, ROUNDED * largest_of(after.position) / span, axes, &best[0]);
  compare(now->omega, turned, ROUNDED_FRAME / span, ELASTICA_AXIS_ALL, &best[1]);
}

/* Returns 1 if the rate is wrong at all times at which the motion does not rest, and at two of them at least. */
static int is_wrong(const compared at[TIMES], eli_wrong_rate *out) {
  double largest = 0.0;
  int wrong = 0;
  for (int k = 0; k < TIMES; k++)
    if (at[k].apart < INFINITY && at[k].size > largest) largest = at[k].size;
  for (int k = 0; k < TIMES; k++) {
    if (!(at[k].apart < INFINITY) || !(at[k].size > SLOW * largest)) continue;
    if (!(at[k].apart > ELI_WRONG_RATE * at[k].size)) return 0;
    if (wrong++ == 0) *out = at[k].at, out->off = at[k].apart / at[k].size;
  }
  return wrong > 1;
}

int eli_find_wrong_rate(const eli_prescribed *of, int frame, double now, double dt, eli_wrong_rate *out) {
  const unsigned axes = of->axes != 0 || of->hold_frame ? of->axes : ELASTICA_AXIS_ALL; /* only boundaries leave axes free */
  compared rates[2][TIMES];
  double ahead = FIRST * dt;
  if (of->motion == NULL) return 0;
  for (int k = 0; k < TIMES; k++, ahead *= LATER) {
    eli_placement place;
    compared best[2];
    for (int turns = 0; turns < 2; turns++) best[turns] = (compared){.at = {.time = now + ahead, .turns = turns}, .apart = INFINITY};
    if (eli_prescribed_at(of, now + ahead, &place) == ELASTICA_OK)
      for (int n = 0; n < SPANS; n++) compare_over(of, &place, now + ahead, spans[n] * dt, axes, best);
    rates[0][k] = best[0], rates[1][k] = best[1];
  }
  return is_wrong(rates[0], out) || (frame && is_wrong(rates[1], out));
}
