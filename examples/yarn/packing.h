/* Dense packings of equal discs in a plane: where parallel fibres lie side by side without overlap. */
#ifndef EXAMPLES_PACKING_H
#define EXAMPLES_PACKING_H

typedef struct packing {
  int count;     /* discs */
  double radius; /* [m] of each */
  double gap;    /* [m] >= 0 that the nearest two leave between them; the others leave more */
  unsigned seed; /* another number, another packing */
} packing;

enum { PACKING_MOST = 1000 };

/* Writes count <= PACKING_MOST points, x and y of one after the other, round their centroid, which is the origin. The same everywhere. */
void packing_lay(const packing *discs, double *centre);

/* How dense it is: area of the discs over that of the circle with the same mean square distance from its middle. */
double packing_density(const packing *discs, const double *centre);

#endif
