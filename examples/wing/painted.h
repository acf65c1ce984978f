/* Frames for ParaView with arrays of one's own: each element is a line between its nodes, with a radius and values that the program gives;
 * points have the means of the elements that meet there; a rigid body is a line between its ends. Unlike the
 * frames of output_frame they have no arrays of the library.
 */
#ifndef EXAMPLES_PAINTED_H
#define EXAMPLES_PAINTED_H

#include "common/example.h"

enum { PAINTED_MOST = 8 };

typedef struct painted {
  const char *name; /* name.pvd must be among the files of about; its frames are name_NNNNNN.vtp */
  const char *arrays[PAINTED_MOST];
  int count;
  void (*paint)(void *user, const elastica_rod_view *rod, int element, double *values); /* writes count values */
  void *user;
  double times[1000]; /* of the frames so far */
  int frames;
} painted;

/* Writes a frame and rewrites the index; does nothing without --out. */
void painted_frame(example *e, elastica_world *world, painted *frames);

#endif
