/* The lines of viewer.html, up to the data of the run. viewer.sh generates viewer.c from it. */
#ifndef ELI_VIEWER_H
#define ELI_VIEWER_H

extern const char *const eli_viewer_lines[];
extern const int eli_viewer_line_count;

#endif
