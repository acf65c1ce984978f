/* Plaiting: the ends of strands go round a figure of eight with equal distances between them, and so cross each other again and again. */
#ifndef EXAMPLES_PLAIT_H
#define EXAMPLES_PLAIT_H

#include <elastica.h>

/* End k of `strands` is at (wide sin(phase), deep sin(2 phase)), phase = turns 2 pi + 2 pi k/strands. */
typedef struct plait {
  int strands;       /* 2 .. PLAIT_MOST */
  double wide, deep; /* [m] half axes of the figure */
} plait;

enum { PLAIT_MOST = 8, PLAIT_LETTERS = 1000 };

void plait_end(const plait *of, double turns, int k, double at[2]);

/* Crossings of the strands one after the other as one sees them along y: letter +j when the strand at place j from the left, 1 the first, goes to
 * the right behind (at larger y) the one that it changes places with, and -j when it goes in front. Crossings that undo each other are left out.
 * Two sets of strands between the same ends with the same word can be moved into each other without passing through. */
typedef struct plait_word {
  int letter[PLAIT_LETTERS], count;
  int strands, order[PLAIT_MOST]; /* from the left, where it ends */
} plait_word;

/* A word that begins with the strands at these places, x and y, and how it goes on to others that are near them. */
plait_word plait_begin(int strands, double at[][2]);
void plait_go_on(plait_word *word, double at[][2]);

/* The word of ends that keep to the track, in so many turns; and that of rods as they lie, from their first nodes on to their last, along z, up or
 * down. Without passing through each other rods have the word that their last nodes have drawn in time. */
plait_word plait_of_ends(const plait *of, double turns);
plait_word plait_of_rods(const elastica_rod_view *const *rods, int count);

/* How many letters differ, or are in one alone. */
int plait_differences(const plait_word *one, const plait_word *other);

#endif
