/* The gain of implicit over explicit steps: one scene in both, the distance of their tips at given times, and their processor times. */
#ifndef EXAMPLES_GAIN_H
#define EXAMPLES_GAIN_H

#include "example.h"

enum { GAIN_SAMPLES = 100 };

/* A scene: makes its world with one rod, one node of which is followed: the tip. */
typedef struct gain_scene {
  elastica_rod *(*make)(example *e, const struct gain_scene *scene, elastica_world **world);
  const void *parameters;
  int axis;        /* of the tip's path */
  int node;        /* the tip; -1: the last node */
  int samples;     /* at most GAIN_SAMPLES */
  double interval; /* [s] between samples */
} gain_scene;

/* The run of a scene: coordinates of the tip [m] at the samples, processor time [s]. */
typedef struct gain_course {
  double tip[GAIN_SAMPLES + 1], seconds;
  long steps;
} gain_course;

void gain_run_explicit(example *e, const gain_scene *scene, gain_course *out);

/* Steps of a size, in parts of the interval between samples; or with parts 0 steps of an accuracy [m]. film: name of the frames for
 * ParaView, or NULL. */
void gain_run_implicit(example *e, const gain_scene *scene, int parts, double accuracy, const char *film, gain_course *out);

/* The largest distance of two courses, over the extent of the first. */
double gain_distance(const gain_scene *scene, const gain_course *a, const gain_course *b);

/* Explicit over implicit processor time. */
double gain_of(const gain_course *explicit_run, const gain_course *implicit_run);

#endif
