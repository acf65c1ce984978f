/* Prescribed motions with a velocity or spin that is not the derivative of their position or frame. */
#ifndef ELI_RATES_H
#define ELI_RATES_H

#include "base/target.h"

#include "state/prescribed.h"

#define ELI_WRONG_RATE 0.1 /* smallest relative difference that counts */

/* A rate of a motion and the change of its place, at a time. */
typedef struct eli_wrong_rate {
  int turns;      /* 1: a spin [rad/s], material; 0: a velocity [m/s] */
  double time;    /* [s] */
  double rate[3]; /* as the motion writes it */
  double change[3];
  double off; /* length of their difference over the larger length */
} eli_wrong_rate;

/* Compares the rates of a motion with differences of its places, at times from now on. Returns 1 if the motion writes wrong ones. dt [s]:
 * size of the step; frame 0: the effect does not use the frame. */
int eli_find_wrong_rate(const eli_prescribed *of, int frame, double now, double dt, eli_wrong_rate *out);

#endif
