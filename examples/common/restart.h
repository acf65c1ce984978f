/* The check of --restart: some pieces of a run are repeated from a snapshot, and must end in the same bits. */
#ifndef EXAMPLES_RESTART_H
#define EXAMPLES_RESTART_H

#include <elastica.h>

/* Takes count steps of dt; or, with count 0, advances by duration. */
typedef struct restart_piece {
  double dt;
  long count;
  double duration;
} restart_piece;

elastica_status restart_take(elastica_world *world, const restart_piece *piece);

/* Takes the piece twice and compares the final snapshots. Returns NULL, or the end of a sentence about the error: the library's
 * sentence, or a difference of bits. */
const char *restart_check(elastica_world *world, const restart_piece *piece);

#endif
