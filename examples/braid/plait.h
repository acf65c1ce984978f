/* Plaiting: the ends of strands move along a figure of eight at equal distances, and cross each other repeatedly. */
#ifndef EXAMPLES_PLAIT_H
#define EXAMPLES_PLAIT_H

#include <elastica.h>

/* After `turns` turns end k is at (wide sin p, deep sin 2p), p = 2 pi (turns + k/strands). */
typedef struct plait {
  int strands;       /* 2 .. PLAIT_MOST */
  double wide, deep; /* [m] half axes of the figure */
} plait;

enum { PLAIT_MOST = 8, PLAIT_LETTERS = 1000 };

void plait_end(const plait *of, double turns, int k, double at[2]);

/* Successive crossings of the strands, viewed along y: letter +j if the strand at place j from the left (first place 1) moves to the
 * right behind its neighbour (at larger y), -j if it moves in front. Crossings that undo each other are omitted. If two sets of strands
 * between the same ends have the same word, one can be deformed into the other without a strand passing through another. */
typedef struct plait_word {
  int letter[PLAIT_LETTERS], count;
  int strands, order[PLAIT_MOST]; /* from the left, at the end of the word */
} plait_word;

/* plait_begin starts a word with the strands at these places x, y; plait_go_on continues it with later places near the previous ones. */
plait_word plait_begin(int strands, double at[][2]);
void plait_go_on(plait_word *word, double at[][2]);

/* plait_of_ends returns the word of the ends after a number of turns; plait_of_rods that of the rods at present, read along z from their
 * first to their last nodes. If no rod has passed through another, both words are equal. */
plait_word plait_of_ends(const plait *of, double turns);
plait_word plait_of_rods(const elastica_rod_view *const *rods, int count);

/* Number of letters that differ, or that only one word has. */
int plait_differences(const plait_word *one, const plait_word *other);

#endif
