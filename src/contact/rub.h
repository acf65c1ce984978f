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

typedef struct eli_rub {
  double force[3];  /* [N] of the spring, on the first body */
  double normal[3]; /* unit vector; 0: the contact is new */
  double stiffness; /* k_t [N/m] */
  int sticks;       /* 0: the last slip reached the limit */
  unsigned turn;    /* for who keeps many: when it was written */
} eli_rub;

/* Turns the force with the contact: from its old normal to this one, and by an angle [rad] about it. */
void eli_rub_turn(eli_rub *rub, const double normal[3], double angle);

/* The contact goes on with this stiffness and has slipped so far [m], across the normal, the first body against the second; its force is cut
 * at limit [N]. */
void eli_rub_slip(eli_rub *rub, const double slip[3], double stiffness, double limit);

/* The whole force on the first body, with a damper c_t [kg/s] on the slip velocity [m/s]. */
void eli_rub_force(const eli_rub *rub, const double velocity[3], double damping, double limit, double force[3]);

#endif
