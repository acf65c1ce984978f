/* Stick-slip friction of a contact: a tangential spring with a limit, and its history.
 *
 * models     Coulomb friction with micro-slip
 * equation   F += -k_t v_t dt;  |F| <= mu N;  between steps F turns with the two bodies and remains perpendicular to the normal
 *            F is unchanged when k_t grows; when k_t decreases, F decreases in proportion: the energy F^2/(2 k_t) of the spring never grows
 *            by itself
 *            damper: F - c_t v_t; the sum with F is cut at the same limit
 * source     Cundall and Strack 1979
 * test       tests/test_contact.c
 */
#ifndef ELI_STICK_SLIP_H
#define ELI_STICK_SLIP_H

#include "base/target.h"

#include "contact/line.h"

typedef struct eli_stick_slip {
  double force[3];  /* [N] of the spring, on the first body */
  double normal[3]; /* unit vector; 0: the contact is new */
  double stiffness; /* k_t [N/m] */
  int sticks;       /* 0: the last slip reached the limit */
  unsigned turn;    /* time stamp of the last update, for an owner of many contacts */
} eli_stick_slip;

/* Rotates the force from the previous normal to this one. */
void eli_stick_slip_turn(eli_stick_slip *history, const double normal[3]);

/* Updates the spring with this stiffness and this slip [m] perpendicular to the normal, of the first body relative to the second. The force
 * is cut at limit [N]. */
void eli_stick_slip_add(eli_stick_slip *history, const double slip[3], double stiffness, double limit);

/* Input of a step of duration dt [s]: slip velocity [m/s] of the surfaces at its start (slip.h), with any part along the normal; spin
 * [rad/s] about the normal; present normal; k_t [N/m], mu N [N], c_t [kg/s]. */
typedef struct eli_stick_slip_input {
  double dt, velocity[3], spin, normal[3];
  double stiffness, limit, damping;
} eli_stick_slip_input;

/* Updates the history by a step. Writes the whole force on the first body, including a damper on the slip velocity. */
void eli_stick_slip_step(eli_stick_slip *history, const eli_stick_slip_input *by, double force[3]);

/* Stick-slip friction of several pairs of capsules in contact along lines, in lanes (kernels/stick_slip.inl). */
typedef struct eli_stick_slips {
  _Alignas(sizeof(eli_row)) eli_row force[3], normal[3], stiffness; /* as in eli_stick_slip; input before the step, output after it */
  eli_row spin[2][3];                                               /* [rad/s] of both bodies, laboratory */
  eli_row turning[2][3];                                            /* [m/s^2] spin x (spin x arm) at the axis of rigid bodies, else 0 */
  eli_row couple[2][3];                                             /* output: [N m] of friction on both bodies, laboratory */
  eli_row sticks;                                                   /* output: 1 or 0 */
  double dt, friction, tangential, damping;                         /* mu; k_t [Pa] and c_t [Pa s] per metre in contact */
  int has_bodies;                                                   /* 0: turning is not read */
} eli_stick_slips;

#endif
