/* Records of a page: lines of a name and base64. What is packed is a zlib stream of a line of JSON and bytes.
 *
 *   run     title, resolution, origin and direction upwards
 *   tubes, solids, cables, joints   one each for a block of frames of one layout (see view_scene.h); the first of a layout describes it, the
 *           next ones say "same":1. Bytes: its fixed floats where it describes, then its arrays
 *   arrows  contacts of a block of frames: "counts" of each, then arrays of all of them
 *   frames  the times of a block, whose records are complete with it
 *   end     how many frames there are
 *
 * Numbers of an array are told as differences from the frame before (temporal 1), or from the line through the two before (2), or not (0),
 * and with spatial 1, and always in the first frame of a block, of these along the lane. Differences d are written as 2 d, or -2 d - 1 where
 * they are negative, all lowest bytes first, then the next ones: so the upper bytes are zeros, which take no room.
 */
#ifndef ELI_VIEW_PACK_H
#define ELI_VIEW_PACK_H

#include "base/target.h"

#include "output/view_scene.h"

/* The JSON of a record is the text of its members: "\"frames\":3". */
void eli_view_put_record(eli_bytes *out, const char *name, const eli_bytes *members, const eli_bytes *payload);

/* Appends the records of a block of frames of one layout. first: the number of its first frame on the page. same 1: the block before it has
 * the same layout. */
void eli_view_pack(eli_bytes *out, const eli_view_layout *layout, int same, const eli_view_frame *frames, int first, int count);

#endif
