/* Arrays in base64 (see vtk_array.h). ParaView's text reader stops at the first nan, and frames of a run that has blown up must be
 * readable. */
#include "base/target.h"

#include "output/vtk_array.h"

static void flush(eli_base64 *stream) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char encoded[ELI_BASE64_BYTES / 3 * 4];
  size_t length = 0;
  const size_t count = stream->count;
  for (size_t b = 0; b < count; b += 3) {
    const unsigned first = stream->bytes[b];
    const unsigned second = b + 1 < count ? stream->bytes[b + 1] : 0;
    const unsigned third = b + 2 < count ? stream->bytes[b + 2] : 0;
    encoded[length++] = digits[first >> 2];
    encoded[length++] = digits[(first & 3) << 4 | second >> 4];
    encoded[length++] = b + 1 < count ? digits[(second & 15) << 2 | third >> 6] : '=';
    encoded[length++] = b + 2 < count ? digits[third & 63] : '=';
  }
  eli_text_put(stream->text, encoded, length);
  stream->count = 0;
}

void eli_vtk_array_put(eli_base64 *stream, const void *value, size_t size) {
  const unsigned char *bytes = value;
  for (size_t b = 0; b < size; b++) {
    stream->bytes[stream->count++] = bytes[b];
    if (stream->count == ELI_BASE64_BYTES) flush(stream);
  }
}

void eli_vtk_array_begin(eli_base64 *stream, eli_text_file *text, const char *type, const char *attributes, uint64_t count, size_t size) {
  const uint64_t bytes = count * size;
  eli_text_print(text, "<DataArray type=\"%s\" %s format=\"binary\">", type, attributes);
  stream->text = text;
  stream->count = 0;
  eli_vtk_array_put(stream, &bytes, sizeof bytes);
}

void eli_vtk_array_end(eli_base64 *stream) {
  flush(stream);
  eli_text_print(stream->text, "</DataArray>\n");
}

void eli_vtk_write_integers(eli_text_file *text, const char *attributes, int first, int step, int count) {
  eli_base64 stream;
  eli_vtk_array_begin(&stream, text, "Int32", attributes, (uint64_t)count, sizeof(int32_t));
  for (int k = 0; k < count; k++) {
    const int32_t number = (int32_t)(first + k * step);
    eli_vtk_array_put(&stream, &number, sizeof number);
  }
  eli_vtk_array_end(&stream);
}
