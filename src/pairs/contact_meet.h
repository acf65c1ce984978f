/* Two elements of contact that would meet, and what they bear then.
 *
 * Without the rest of contact.h, for who looks at a world from outside.
 *
 * test       tests/test_check_press.c
 */
#ifndef ELI_CONTACT_MEET_H
#define ELI_CONTACT_MEET_H

#include "base/target.h"

#include "contact/line.h"

typedef struct eli_contact eli_contact;

/* Where and how two would meet that move by w [m/s] against each other. */
typedef struct eli_encounter {
  double time, share[2], normal[3]; /* [s]; from the first to the second */
} eli_encounter;

/* What two bear that overlap by this part of the smaller radius: energy [J], force [N]; lengths [m] of either that take part. */
#define ELI_DEEP 0.5
typedef struct eli_strength {
  double energy, force, length[2];
  int parallel; /* 1: they lie side by side */
} eli_strength;

/* Brings contact up to date with the rods that are there; 0 when memory runs out. Its modulus [Pa], and whether rods touch themselves. */
int eli_contact_update(eli_contact *contact);
double eli_contact_modulus(const eli_contact *contact);
int eli_contact_is_of_self(const eli_contact *contact);

/* 1: a rod, ball or capsule that takes part; its elements; and whether two of them may touch. */
int eli_contact_is_round(const eli_contact *contact, int rod);
void eli_contact_place_moving(const eli_contact *contact, int rod, int element, eli_capsule *out);
int eli_contact_let_touch(const eli_contact *contact, const int rod[2], const int element[2]);

/* 0: they never meet while the first moves on by w t, t >= 0. */
int eli_capsules_meet(const eli_capsule at[2], const double w[3], eli_encounter *out);

/* By the law of contact itself, without its damper. rigid 1: a body. And the force [N] of two straight strands that cross at a right angle. */
eli_strength eli_contact_strength(const eli_contact *contact, const eli_capsule at[2], const int rigid[2], const eli_encounter *of);
double eli_contact_crossing_strength(const eli_contact *contact, double radius);

#endif
