/* The program optimise_gait with any way to evaluate a generation: on threads, or on the ranks of mpi/. */
#ifndef EXAMPLES_OPTIMISE_GAIT_H
#define EXAMPLES_OPTIMISE_GAIT_H

#include "optimise_gait/gait_search.h"

/* evaluate is called with the example as its user. Returns the exit status. */
int optimise_gait(int argc, char **argv, search_evaluate evaluate);

#endif
