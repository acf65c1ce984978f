/* Two rods end to end with a joint between them: the rig of spherical_joint, hinge_joint and fixed_joint.
 *
 * Rod 1 lies along -y from (0, 0.2, 0.2) m to (0, 0, 0.2) m, and its two end nodes are held; rod 2 goes on from there to (0, -0.2, 0.2) m.
 * The joint ties the last node of rod 1 to the first of rod 2. A force acts on the tip, the free end of rod 2: 10 mN down for 0.2 s, then
 * 5 mN that turns about y by 90 degrees a second, first along x and then up. Values are those of the authors' program, in SI; its constant
 * of dissipation, one number in millimetres and grams, is one per unit here. Neither gravity nor contact.
 */
#ifndef EXAMPLES_JOINTED_H
#define EXAMPLES_JOINTED_H

#include "example.h"

enum { JOINTED_ELEMENTS = 10, JOINTED_FRAMES = 500 };

#define JOINTED_LENGTH 0.2 /* [m] of each rod, and the height of the joint */
#define JOINTED_FRAME 0.02 /* [s] between frames */

/* Where the authors' program had the tip. */
typedef struct jointed_sample {
  double time, tip[3]; /* [s] [m] */
} jointed_sample;

typedef struct jointed {
  elastica_world *world;
  elastica_rod *rod[2];
  elastica_effect *joint;
  int n, frames;
  double tip[JOINTED_FRAMES + 1][3]; /* [m] at each frame */
  double gap;                        /* [m] largest of the joint at a frame */
  double off_length;                 /* [m] largest difference of the distance between tip and joint from the length of the rod */
  double bow;                        /* [m] largest displacement of the middle of rod 1 */
} jointed;

/* A joint with the authors' springs: 1e5 N/m, and 2 N m/rad, which is their 5e3 N/m on the square of an edge of 20 mm. */
elastica_joint_def jointed_joint(elastica_joint_kind kind);

typedef struct jointed_plan {
  int n;                    /* elements in each rod */
  elastica_joint_def joint; /* its anchors are set by the rig */
  double until;             /* [s] a multiple of JOINTED_FRAME */
  double stiffer;           /* factor on the moduli; 0: as published */
  const char *name;         /* name.csv has a row for each frame, name.pvd every fifth frame; NULL: nothing is written */
} jointed_plan;

/* Builds the rig, follows it, and closes its world. */
void jointed_run(example *e, jointed *rig, const jointed_plan *plan);

/* Checks the tip against what is published of it, each coordinate, as far as the run went. */
void jointed_compare(example *e, const jointed *rig, const jointed_sample *published, int count, double tolerance);

/* The largest distance of a coordinate of the tip from a value [m], over all frames. */
double jointed_farthest(const jointed *rig, int axis, double from);

/* For example_about: the files of a run; those of the published samples. */
#define JOINTED_FILES(name, help)                                                                                                          \
  {                                                                                                                                        \
    name ".csv", "time [s],tip x [m],tip y [m],tip z [m],gap of the joint [m],x of the middle of rod 1 [m],z of the middle of rod 1 [m]",  \
        help ", one row for each frame", FILE_ALWAYS                                                                                       \
  }
#define JOINTED_PUBLISHED                                                                                                                  \
  { "published.csv", "time [s],tip x [m],tip y [m],tip z [m]", "what the authors' program had", FILE_ALWAYS }

/* Writes published.csv and the figure: the path of the tip in the plane of two axes, its coordinates against time, and a last graph of one's
 * own. name: of the run that is drawn. */
void jointed_draw(example *e, const char *name, const jointed_sample *published, int count, const int plane[2], const char *last);

#endif
