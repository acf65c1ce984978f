/* Friction in a contact that sticks or slides: a tangential spring with a limit, and its history.
 *
 * models     Coulomb friction with micro-slip
 * equation   F += -k_t v_t dt;  |F| <= mu N;  between steps F turns with the two bodies and stays across the normal
 *            where k_t grows, F stays; where it falls, F falls with it: the energy F^2/(2 k_t) of the spring never grows by itself
 *            damper: F - c_t v_t, its sum with F cut at the same limit
 * source     Cundall and Strack 1979
 * test       tests/test_contact.c
 */
#ifndef ELI_RUB_H
#define ELI_RUB_H

#include "base/target.h"

#include "contact/line.h"

typedef struct eli_rub {
  double force[3];  /* [N] of the spring, on the first body */
  double normal[3]; /* unit vector; 0: the contact is new */
  double stiffness; /* k_t [N/m] */
  int sticks;       /* 0: the last slip reached the limit */
  unsigned turn;    /* for who keeps many: when it was written */
} eli_rub;

/* Turns the force with the contact, from its old normal to this one. */
void eli_rub_turn(eli_rub *rub, const double normal[3]);

/* The contact goes on with this stiffness and has slipped so far [m], across the normal, the first body against the second; its force is cut
 * at limit [N]. */
void eli_rub_slip(eli_rub *rub, const double slip[3], double stiffness, double limit);

/* A step of duration dt [s]: how the surfaces slip [m/s] at its start (slip.h), with any part along the normal, how fast [rad/s] they turn
 * about it, where the normal is now, k_t [N/m], mu N [N], c_t [kg/s]. */
typedef struct eli_rub_step {
  double dt, velocity[3], spin, normal[3];
  double stiffness, limit, damping;
} eli_rub_step;

/* Moves on by a step; gives the whole force on the first body, with a damper on the slip velocity. */
void eli_rub_on(eli_rub *rub, const eli_rub_step *by, double force[3]);

/* The same for pairs of capsules that touch along lines, several side by side (kernels/rub.inl). */
typedef struct eli_rubs {
  _Alignas(sizeof(eli_row)) eli_row force[3], normal[3], stiffness; /* as in eli_rub, before the step and after it; */
  eli_row spin[2][3];                                               /* [rad/s] of either, laboratory */
  eli_row turning[2][3];                                            /* [m/s^2] of bodies, spin x (spin x arm) at the axis; else 0 */
  eli_row couple[2][3];                                             /* [N m] of friction on either, laboratory, is found; */
  eli_row sticks;                                                   /* and 1 or 0 */
  double dt, friction, tangential, damping;                         /* mu; k_t [Pa] and c_t [Pa s] of each metre in contact */
  int has_bodies;                                                   /* 0: turning is not read */
} eli_rubs;

#endif
