/* Laws that arm_build adds to the rods of the arm, in two variants. Included only by arm*.c. */
#ifndef EXAMPLES_ARM_LAWS_H
#define EXAMPLES_ARM_LAWS_H

#include "arm.h"

#define ARM_SPRING 5e5         /* [N/m] of the authors */
#define ARM_STEP 0.017         /* [m] length of all elements but the coil's */
#define ARM_TOUCH 0.04         /* [m] */
#define ARM_BONE_STIFFNESS 1e3 /* [N/m] of bone against tendon, at smaller distances */

enum { ARM_HOLD_NODE = 4, ARM_COIL_NODE = 5 };         /* of the radius: for the lower tendon, and at the height of the coil */
enum { ARM_TOUCHED_NODE = 17, ARM_TOUCHING_NODE = 7 }; /* of humerus and lower tendon */

/* To be called after all rods and links have been added. */
void arm_add_authors_laws(const example *e, arm *of);
void arm_add_library_laws(const example *e, arm *of);

#endif
