/* Two elements on a course of contact, and their contact force and energy.
 *
 * This part of contact has a header of its own, for checks that examine a world from outside.
 *
 * test       tests/test_check_press.c
 */
#ifndef ELI_CONTACT_APPROACH_H
#define ELI_CONTACT_APPROACH_H

#include "base/target.h"

#include "contact/line.h"

typedef struct eli_contact eli_contact;

/* Time and place of the contact of two elements with relative velocity w [m/s]. */
typedef struct eli_encounter {
  double time, share[2], normal[3]; /* [s]; position on each element; unit vector from the first to the second */
} eli_encounter;

/* Contact of two elements with an overlap of ELI_DEEP times the smaller radius: energy [J], force [N], and the length [m] of either in
 * contact. */
#define ELI_DEEP 0.5
typedef struct eli_strength {
  double energy, force, length[2];
  int parallel; /* 1: they lie side by side */
} eli_strength;

/* Updates contact to the present rods; 0 without memory. The others return its modulus [Pa], and 1 for self-contact. */
int eli_contact_update(eli_contact *contact);
double eli_contact_modulus(const eli_contact *contact);
int eli_contact_is_of_self(const eli_contact *contact);

/* is_round returns 1 for a rod, ball or capsule that takes part; place_moving finds one of its elements; let_touch returns 1 if two
 * elements may touch with unreduced radii. */
int eli_contact_is_round(const eli_contact *contact, int rod);
void eli_contact_place_moving(const eli_contact *contact, int rod, int element, eli_capsule *out);
int eli_contact_let_touch(const eli_contact *contact, const int rod[2], const int element[2]);

/* Returns 0 if the surfaces never touch while the first moves by w t, t >= 0. */
int eli_capsules_approach(const eli_capsule at[2], const double w[3], eli_encounter *out);

/* By the law of contact itself, without its damper. rigid 1: a body. And the force [N] of two straight strands that cross at a right angle. */
eli_strength eli_contact_strength(const eli_contact *contact, const eli_capsule at[2], const int rigid[2], const eli_encounter *of);
double eli_contact_crossing_strength(const eli_contact *contact, double radius);

#endif
