/* Arrays of numbers in a ParaView file, inline in base64. */
#ifndef ELI_VTK_ARRAY_H
#define ELI_VTK_ARRAY_H

#include "base/target.h"

#include <stddef.h>
#include <stdint.h>

#include "output/text_file.h"

enum { ELI_BASE64_BYTES = 768 }; /* a multiple of 3, so that only the end of an array is padded */

typedef struct eli_base64 {
  eli_text_file *text;
  size_t count;
  unsigned char bytes[ELI_BASE64_BYTES];
} eli_base64;

/* Begins an array of count numbers of `size` bytes. attributes: further attributes of its tag, besides the type. The data begin with their
 * length in bytes. */
void eli_vtk_array_begin(eli_base64 *stream, eli_text_file *text, const char *type, const char *attributes, uint64_t count, size_t size);
void eli_vtk_array_put(eli_base64 *stream, const void *value, size_t size);
void eli_vtk_array_end(eli_base64 *stream);

/* Writes count numbers: first, first + step, ... */
void eli_vtk_write_integers(eli_text_file *text, const char *attributes, int first, int step, int count);

#endif
