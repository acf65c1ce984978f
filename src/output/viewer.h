/* The page viewer.html, up to where a run begins, as lines; viewer.c is made from it by viewer.sh. */
#ifndef ELI_VIEWER_H
#define ELI_VIEWER_H

extern const char *const eli_viewer_lines[];
extern const int eli_viewer_line_count;

#endif
