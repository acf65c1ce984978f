/* Plaiting: the ends of strands move along a figure of eight at equal distances, and cross each other repeatedly. */
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

/* Successive crossings of the strands, viewed along y: letter +j if the strand at place j from the left (first place 1) moves to the
 * right behind its neighbour (at larger y), -j if it moves in front. Crossings that undo each other are omitted. Two sets of strands
 * between the same ends with the same word can be moved into each other without passing through. */
typedef struct plait_word {
  int letter[PLAIT_LETTERS], count;
  int strands, order[PLAIT_MOST]; /* from the left, at the end of the word */
} plait_word;

/* Begins a word with the strands at these places x, y; and continues it with places near the previous ones. */
plait_word plait_begin(int strands, double at[][2]);
void plait_go_on(plait_word *word, double at[][2]);

/* The word of ends on the track after a number of turns; and that of rods at their present positions, from their first to their last
 * nodes, along z, up or down. Rods that have not passed through each other have the word of the motion of their last nodes. */
plait_word plait_of_ends(const plait *of, double turns);
plait_word plait_of_rods(const elastica_rod_view *const *rods, int count);

/* Number of letters that differ, or that only one word has. */
int plait_differences(const plait_word *one, const plait_word *other);

#endif
