/* The open trefoil knot: a loop with two ends that twist round each other one and a half times, and straight tails. */
#ifndef EXAMPLES_TREFOIL_H
#define EXAMPLES_TREFOIL_H

typedef struct trefoil {
  int n;          /* elements, even; the loop is in the middle */
  double element; /* [m] length of each, exactly */
  double loop;    /* [m] radius of the loop; at least a third of the braid */
  double braid;   /* [m] length of the twisted part of the two strands */
  double gap;     /* [m] distance of their centre lines there: more than two radii of the rod, otherwise it starts with an overlap */
} trefoil;

/* Writes n + 1 nodes. The tails lie along x, the loop is above them, in y > 0. The strands do not touch. */
void trefoil_lay(const trefoil *knot, double *position);

#endif
