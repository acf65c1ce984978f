/* Stick-slip friction of a contact: a tangential spring with a limit, and its history.
 *
 * models     Coulomb friction with micro-slip
 * equation   F += -k_t v_t dt;  |F| <= mu N;  between steps F turns with the two bodies and remains perpendicular to the normal
 *            F is unchanged when k_t grows; when k_t decreases, F decreases in proportion: the energy F^2/(2 k_t) of the spring never grows
 *            by itself
 *            damper: F - c_t v_t; the sum with F is cut at the same limit
 * source     Cundall and Strack 1979
 * test       tests/test_contact.c, tests/test_carried.c
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

/* Input of a step of duration dt [s]: slip velocity [m/s] of the surfaces at its start (eli_slip), with any part along the normal; spin
 * [rad/s] about the normal; present normal; k_t [N/m], mu N [N], c_t [kg/s]. */
typedef struct eli_stick_slip_input {
  double dt, velocity[3], spin, normal[3];
  double stiffness, limit, damping;
} eli_stick_slip_input;

/* Updates the history by a step of any length, by the slip that dt and velocity give. In between, a growing stiffness has its mean. The
 * damper is not added, and dt must not be 0. */
void eli_stick_slip_return(eli_stick_slip *history, const eli_stick_slip_input *by);

/* Updates the history by a step. Writes the whole force on the first body, including a damper on the slip velocity. */
void eli_stick_slip_step(eli_stick_slip *history, const eli_stick_slip_input *by, double force[3]);

/* The state of the friction of a contact with this limit [N]. Under a load its stiffness is not symmetric: a contact that rolls keeps its
 * load, but the load turns with the contact. */
typedef enum eli_friction_state {
  ELI_FRICTION_IDLE,  /* it is new, or carries no load */
  ELI_FRICTION_HOLDS, /* it sticks under a load */
  ELI_FRICTION_SLIDES
} eli_friction_state;
eli_friction_state eli_stick_slip_state(const eli_stick_slip *history, double limit);

/* For the stiffness about this state: a spring that sticks has no limit, one that slides keeps its force and has no stiffness. Changes the
 * stiffness and the normal force of the contact, which are input of the next step, likewise. */
void eli_stick_slip_unlimit(eli_stick_slip *history, double *stiffness, double *pressure);

/* Stick-slip friction of several pairs of capsules in contact along lines, in lanes (kernels/stick_slip.inl). */
typedef struct eli_stick_slips {
  _Alignas(sizeof(eli_row)) eli_row force[3], normal[3], stiffness, mark; /* as in eli_stick_slip; input before the step, output after it */
  eli_row turning[2][3];                    /* [m/s^2] spin x (spin x arm) at the axis of rigid bodies, else 0 */
  eli_row couple[2][3];                     /* output: [N m] of friction on both bodies, laboratory */
  eli_row sticks;                           /* output: 1 or 0 */
  double dt, friction, tangential, damping; /* mu; k_t [Pa] and c_t [Pa s] per metre in contact */
  int has_bodies;                           /* 0: turning is not read */
} eli_stick_slips;

/* ---- Slip of two surfaces in contact over a step of position Verlet ----
 *
 * Contact is evaluated at positions in the middle of a step. From the middle of the previous step to the middle of this one, nodes and
 * centres of bodies move by dt v and frames rotate by dt omega, with v and omega at the start of this step, half way between both. So the
 * slip of a step is dt times the slip velocity at its start, with levers and arms that are the means of those at both middles. With the
 * later levers instead, a body that is carried on a turntable would creep inwards by half of omega^2 R dt.
 */

/* A contact in the middle of a step of duration dt [s]. In a relaxation dt is 1, and velocities are displacements. */
typedef struct eli_slip {
  double dt;
  double normal[3], before[3]; /* in the middle of this step and of the previous one; before is 0 for a new contact */
} eli_slip;

/* Computes the velocity of the surface of an element or a round body. axis [m] is the point on its centre line, with this velocity [m/s];
 * lever is the vector from there to the contact. centre is that of a round body, NULL for an element of a rod. point [m] is the mean
 * position of the contact. */
void eli_slip_of_round(const eli_slip *at, const double axis[3], const double velocity[3], const double spin[3], const double lever[3],
                       const double *centre, double out[3], double point[3]);

/* Returns 2 tan(theta/2)/theta of a rotation by theta, given its square: the chord of a point over theta times the mean of its arms. */
double eli_slip_chord(double theta2);

/* Computes the displacement [m] of the end of an arm by a turn [rad] after which the arm is this one. */
void eli_slip_of_arm(const double turned[3], const double arm[3], double out[3]);

/* Computes the velocity of the surface of a solid at this point. position is that of the solid at the start of the step. */
void eli_slip_of_solid(const eli_slip *at, const double position[3], const double velocity[3], const double spin[3], const double point[3],
                       double out[3]);

#endif
