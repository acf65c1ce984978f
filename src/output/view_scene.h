/* What a page shows: which things a world has (a layout), and how they lie at one time (a frame).
 *
 * A layout is a list of records, one for each kind of thing: tubes (rods), solids (rigid bodies, walls and elastic obstacles), cables
 * (tendons), joints. A record has a description in JSON, fixed numbers, and arrays of whole numbers that every frame fills anew.
 *
 * Numbers of arrays, by form:
 *   LENGTH  (x - origin)/resolution
 *   SHARE   2^18 x, |x| <= 1
 *   TURN    2^18 x of a whole turn; it is continuous in time
 *   FLOAT   the upper 20 bits of a float, counted from 0 in both directions: rounded to 1 part in 4096
 * Frames of elements are told against reference frames that follow from the positions (see eli_view_reference): their tilt, which is the
 * shear, and the turn of d1 about the tangent.
 */
#ifndef ELI_VIEW_SCENE_H
#define ELI_VIEW_SCENE_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>
#include <stdint.h>

#include "output/bytes.h"

typedef enum eli_view_form { ELI_VIEW_LENGTH, ELI_VIEW_SHARE, ELI_VIEW_TURN, ELI_VIEW_FLOAT, ELI_VIEW_FORMS } eli_view_form;

typedef struct eli_view_array {
  const char *name, *unit; /* unit NULL: it is no quantity that colours show */
  const char *at;          /* "node", "element", "joint" of rods, else NULL */
  eli_view_form form;
  int lanes;    /* lane after lane */
  size_t size;  /* of each lane */
  size_t first; /* of its numbers among those of a frame */
} eli_view_array;

enum { ELI_VIEW_ARRAYS = 7, ELI_VIEW_RECORDS = 4, ELI_VIEW_ARROW = 7 };

typedef struct eli_view_record {
  const char *name;
  eli_bytes text;  /* members of a JSON object that describe the things */
  eli_bytes fixed; /* floats, lowest byte first */
  eli_view_array arrays[ELI_VIEW_ARRAYS];
  int array_count;
} eli_view_record;

typedef struct eli_view_layout {
  eli_view_record records[ELI_VIEW_RECORDS];
  size_t value_count; /* of a frame */
} eli_view_layout;

typedef struct eli_view_frame {
  double time;
  int layout;
  int32_t *values;
  int32_t *arrows; /* lanes of arrow_count numbers: where [LENGTH], force [N, FLOAT], 1 where it sticks */
  int arrow_count;
} eli_view_frame;

/* How lengths become whole numbers. */
typedef struct eli_view_scale {
  double origin[3], resolution; /* [m] */
} eli_view_scale;

/* The length of the shortest thing in a world: elements, radii of bodies; 0 where it is empty. And a point of it. */
double eli_view_shortest(elastica_world *world, double point[3]);

/* Describes the world as it is. What is returned by a failure needs no freeing. */
elastica_status eli_view_describe(elastica_world *world, eli_view_layout *out);
void eli_view_layout_free(eli_view_layout *layout);
int eli_view_layout_equal(const eli_view_layout *one, const eli_view_layout *other);

/* Reads a frame of a world of this layout. before: the frame before it of the same layout, or NULL. NOT_FINITE where a number is not, with
 * a sentence; OUT_OF_MEMORY; and as elastica_rod_refresh. */
elastica_status eli_view_read(elastica_world *world, const eli_view_layout *layout, const eli_view_scale *scale,
                              const eli_view_frame *before, eli_view_frame *out);
void eli_view_frame_free(elastica_world *world, eli_view_frame *frame);

/* The reference frame of an element: its tangent, and a unit vector across that is carried along the rod by parallel transport. first 1:
 * there is no element before it. previous and across are those of the element before, and become those of this one. */
void eli_view_reference(int first, const double edge[3], double tangent[3], double across[3]);

#endif
