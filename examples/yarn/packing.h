/* Dense packings of equal discs in a plane: places of parallel fibres side by side without overlap. */
#ifndef EXAMPLES_PACKING_H
#define EXAMPLES_PACKING_H

typedef struct packing {
  int count;     /* discs */
  double radius; /* [m] of each */
  double gap;    /* [m] >= 0 gap of the nearest two discs; others have larger gaps */
  unsigned seed; /* each number gives another packing */
} packing;

enum { PACKING_MOST = 1000 };

/* Writes count <= PACKING_MOST points x, y, with their centroid at the origin. The same on all machines. */
void packing_lay(const packing *discs, double *centre);

/* Density: area of the discs over that of the circle with the same mean square distance from its middle. */
double packing_density(const packing *discs, const double *centre);

#endif
