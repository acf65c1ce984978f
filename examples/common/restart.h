/* What --restart does: some pieces of a run are taken twice, the second time from a snapshot, and must end in the same bits. */
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

/* Takes it twice, and compares the snapshots that follow. Returns NULL, or the end of a sentence about what went wrong: the library's, or that
 * bits differ. */
const char *restart_check(elastica_world *world, const restart_piece *piece);

#endif
