/* Both words come from polylines of many points, each point of all strands at one height (or at one time), with the strands in order of
 * x. From one height to the next few strands change places; these are sorted by exchanging neighbours. */
#include "plait.h"
#include "common/example.h"

#include <math.h>

enum { HEIGHTS = 20000 };

void plait_end(const plait *of, double turns, int k, double at[2]) {
  const double phase = 2 * acos(-1) * (turns + (double)k / of->strands);
  at[0] = of->wide * sin(phase), at[1] = of->deep * sin(2 * phase);
}

/* A letter that undoes the last letter removes it. */
static void append(plait_word *word, int letter) {
  if (word->count > 0 && word->letter[word->count - 1] == -letter)
    word->count--;
  else if (word->count < PLAIT_LETTERS)
    word->letter[word->count++] = letter;
}

/* Sorts the strands by their new x. */
void plait_go_on(plait_word *word, double at[][2]) {
  for (int again = 1; again;) {
    again = 0;
    for (int j = 0; j + 1 < word->strands; j++) {
      const int left = word->order[j], right = word->order[j + 1];
      if (at[left][0] <= at[right][0]) continue;
      append(word, at[left][1] > at[right][1] ? j + 1 : -(j + 1));
      word->order[j] = right, word->order[j + 1] = left, again = 1;
    }
  }
}

plait_word plait_begin(int strands, double at[][2]) {
  plait_word word = {.strands = strands};
  for (int k = 0; k < strands; k++) word.order[k] = k;
  plait_go_on(&word, at);
  word.count = 0;
  return word;
}

plait_word plait_of_ends(const plait *of, double turns) {
  double at[PLAIT_MOST][2];
  for (int k = 0; k < of->strands; k++) plait_end(of, 0, k, at[k]);
  plait_word word = plait_begin(of->strands, at);
  for (int i = 1; i <= HEIGHTS; i++) {
    for (int k = 0; k < of->strands; k++) plait_end(of, turns * i / HEIGHTS, k, at[k]);
    plait_go_on(&word, at);
  }
  return word;
}

/* The first point of a rod at a height; beyond its first and last node it continues straight along z. */
static void at_height(const elastica_rod_view *rod, double z, double down, double at[2]) {
  const int last = rod->node_count - 1;
  int i = 0;
  while (i < last && down * (rod->position[Z][i + 1] - z) < 0) i++;
  if (i == last) {
    for (int a = 0; a < 2; a++) at[a] = rod->position[a][last];
    return;
  }
  const double above = rod->position[Z][i], rise = rod->position[Z][i + 1] - above;
  const double share = rise != 0 ? fmin(fmax((z - above) / rise, 0), 1) : 0;
  for (int a = 0; a < 2; a++) at[a] = rod->position[a][i] + share * (rod->position[a][i + 1] - rod->position[a][i]);
}

plait_word plait_of_rods(const elastica_rod_view *const *rods, int count) {
  double at[PLAIT_MOST][2], first = 0, last = 0;
  for (int k = 0; k < count; k++) {
    first += rods[k]->position[Z][0] / count;
    last += rods[k]->position[Z][rods[k]->node_count - 1] / count;
  }
  const double down = last > first ? 1 : -1;
  for (int k = 0; k < count; k++) at_height(rods[k], first, down, at[k]);
  plait_word word = plait_begin(count, at);
  for (int i = 1; i <= HEIGHTS; i++) {
    for (int k = 0; k < count; k++) at_height(rods[k], first + (last - first) * i / HEIGHTS, down, at[k]);
    plait_go_on(&word, at);
  }
  return word;
}

int plait_differences(const plait_word *one, const plait_word *other) {
  const int most = one->count > other->count ? one->count : other->count;
  int differences = 0;
  for (int k = 0; k < most; k++) differences += k >= one->count || k >= other->count || one->letter[k] != other->letter[k];
  return differences;
}
