/* The hot loops for the instruction set selected by the compiler flags. */
#include "base/target.h"

#include "kernels/kernels.h"

#include <float.h>
#include <math.h>

#include "base/rotation.h"
#include "slab/slab.h"

#define ELI_KERNELS_NAME eli_kernels_base
#define ELI_KERNELS_SET ELASTICA_INSTRUCTION_SET_BASE
#include "kernels/kernels.inl"
