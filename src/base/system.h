/* Calls to the system that not every system has, each with its answer there. */
#ifndef ELI_SYSTEM_H
#define ELI_SYSTEM_H

#include <sys/types.h>

/* The number of this process; 0 on systems without processes. */
long eli_process_id(void);

/* The path without symbolic links, to be released with free; NULL with errno if it leads to no file, or if the system cannot say. */
char *eli_resolve_links(const char *path);

/* Gives an open file this mode. Returns 0, also on systems without modes, or -1 with errno. */
int eli_set_mode(int file, mode_t mode);

#endif
