/* Records: equal bytes on every host, numbers restored to the bit, and no reading behind the end. */
#include "base/target.h"

#include "base/record.h"
#include "support.h"

#include <limits.h>

TEST(numbers_are_little_endian) {
  unsigned char bytes[24];
  double one = 1.0;
  int minus_two = -2;
  const unsigned char expected[24] = {0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 8, 7, 6, 5, 4, 3, 2, 1};
  eli_record record = eli_record_to(bytes, sizeof bytes);
  eli_record_doubles(&record, &one, 1);
  eli_record_int(&record, "two", &minus_two, -5, 5);
  eli_record_word(&record, UINT64_C(0x0102030405060708));
  assert_null(record.wrong);
  assert_int_equal(record.at, 24);
  assert_memory_equal(bytes, expected, 24);
}

TEST(numbers_come_back_to_the_bit) {
  const double numbers[5] = {-0.0, (double)NAN, -(double)INFINITY, 0x1p-1074, -1.7e308};
  const long whole[4] = {LONG_MIN, -1, 0, LONG_MAX};
  unsigned char bytes[200];
  double found[5];
  memcpy(found, numbers, sizeof found);
  eli_record record = eli_record_to(bytes, sizeof bytes);
  eli_record_doubles(&record, found, 5);
  for (int k = 0; k < 4; k++) {
    long value = whole[k];
    eli_record_long(&record, "whole", &value, LONG_MIN, LONG_MAX);
  }
  memset(found, 1, sizeof found);
  eli_record back = eli_record_from(ELI_RECORD_READ, bytes, record.at);
  eli_record_doubles(&back, found, 5);
  assert_memory_equal(found, numbers, sizeof numbers);
  for (int k = 0; k < 4; k++) {
    long value = 77;
    eli_record_long(&back, "whole", &value, LONG_MIN, LONG_MAX);
    assert_true(value == whole[k]);
  }
  assert_int_equal(back.at, record.at);
}

TEST(counting_is_writing_without_bytes) {
  char text[13] = "twelve bytes";
  unsigned char bytes[64];
  double numbers[3] = {1.0, 2.0, 3.0};
  eli_record counted = eli_record_to(NULL, 0), written = eli_record_to(bytes, sizeof bytes);
  for (int k = 0; k < 2; k++) {
    eli_record *record = k == 0 ? &counted : &written;
    eli_record_bytes(record, text, sizeof text);
    eli_record_doubles(record, numbers, 3);
  }
  assert_int_equal(counted.at, 40);
  assert_int_equal(written.at, 40);
  assert_int_equal(bytes[13] | bytes[14] | bytes[15], 0);
}

TEST(records_that_do_not_fit_are_not_written) {
  unsigned char bytes[16] = {0};
  double numbers[3] = {1.0, 2.0, 3.0};
  eli_record record = eli_record_to(bytes, 8);
  eli_record_doubles(&record, numbers, 3);
  assert_string_equal(record.wrong, "the size");
  for (int k = 0; k < 16; k++) assert_int_equal(bytes[k], 0);
}

TEST(checking_finds_wrong_records_and_changes_nothing) {
  unsigned char bytes[40];
  double numbers[2] = {1.0, (double)NAN}, kept[2] = {5.0, 6.0};
  int seven = 7, eight = 8;
  eli_record record = eli_record_to(bytes, sizeof bytes);
  eli_record_doubles(&record, numbers, 2);
  eli_record_int(&record, "axis", &seven, 0, 7);
  eli_record_same(&record, "function", 1);

  eli_record check = eli_record_from(ELI_RECORD_CHECK, bytes, record.at);
  eli_record_finite(&check, "first", kept, 1);
  assert_null(check.wrong);
  eli_record_finite(&check, "second", kept + 1, 1);
  assert_string_equal(check.wrong, "second");
  check.wrong = NULL;
  eli_record_int(&check, "axis", &eight, 0, 6);
  assert_string_equal(check.wrong, "axis");
  check.wrong = NULL;
  eli_record_same(&check, "function", 0);
  assert_string_equal(check.wrong, "function");
  assert_true(check.differs);
  check.wrong = NULL;
  eli_record_doubles(&check, kept, 1);
  assert_string_equal(check.wrong, "the size");
  assert_true(kept[0] == 5.0 && kept[1] == 6.0 && eight == 8);
}

/* Lanes that do not exist are zeros in the bytes, and are skipped when reading; a mark is only known to be zero or not. */
TEST(what_is_not_kept_takes_its_place) {
  unsigned char bytes[64];
  char text[5] = "kept";
  double number = 7.0;
  memset(bytes, 1, sizeof bytes);
  eli_record record = eli_record_to(bytes, sizeof bytes);
  eli_record_doubles(&record, NULL, 2);
  eli_record_bytes(&record, NULL, 5);
  eli_record_bytes(&record, text, 0);
  eli_record_bytes(&record, text, 5);
  eli_record_doubles(&record, &number, 1);
  assert_null(record.wrong);
  assert_int_equal(record.at, 40);
  for (int k = 0; k < 24; k++) assert_int_equal(bytes[k], 0);
  memset(text, 'x', 4), number = 0.0;
  eli_record back = eli_record_from(ELI_RECORD_READ, bytes, record.at);
  eli_record_doubles(&back, NULL, 2);
  eli_record_bytes(&back, NULL, 5);
  eli_record_bytes(&back, text, 5);
  eli_record_doubles(&back, &number, 1);
  assert_string_equal(text, "kept");
  assert_true(number == 7.0);
}

/* No count overflows, in counting, writing or reading. */
TEST(counts_beyond_memory_do_not_fit) {
  unsigned char bytes[16] = {0};
  for (int use = 0; use < 3; use++)
    for (int of_bytes = 0; of_bytes < 2; of_bytes++) {
      eli_record record = use == 0   ? eli_record_to(NULL, 0)
                          : use == 1 ? eli_record_to(bytes, sizeof bytes)
                                     : eli_record_from(ELI_RECORD_CHECK, bytes, sizeof bytes);
      eli_record_word(&record, 0);
      if (of_bytes)
        eli_record_bytes(&record, NULL, SIZE_MAX - 3);
      else
        eli_record_doubles(&record, NULL, SIZE_MAX / ELI_WORD + 1);
      assert_string_equal(record.wrong, "the size");
      assert_int_equal(record.at, 8);
    }
}

/* The first difference is kept with both values: of a mark whether there is one, of a choice its words. */
TEST(the_first_difference_is_kept) {
  static const char *const words[] = {"soft", "hard"};
  unsigned char bytes[32];
  eli_record record = eli_record_to(bytes, sizeof bytes);
  eli_record_mark(&record, "mark", 9);
  eli_record_same_choice(&record, "choice", 1, words, 2);
  eli_record_same_choice(&record, "odd choice", 5, words, 2);
  eli_record_mark(&record, "no mark", 0);

  eli_record check = eli_record_from(ELI_RECORD_CHECK, bytes, record.at);
  eli_record_mark(&check, "mark", 0);
  assert_string_equal(check.wrong, "mark");
  assert_true(check.differs && check.there == 1 && check.here == 0 && check.words == NULL);
  eli_record_same_choice(&check, "choice", 0, words, 2); /* differs too, after the first */
  eli_record_mark(&check, "odd choice", 1);
  assert_string_equal(check.wrong, "mark");
  assert_true(check.there == 1 && check.here == 0 && check.words == NULL);

  check = eli_record_from(ELI_RECORD_CHECK, bytes, record.at);
  eli_record_mark(&check, "mark", 9);
  eli_record_same_choice(&check, "choice", 0, words, 2);
  assert_string_equal(check.wrong, "choice");
  assert_true(check.there == 1 && check.here == 0 && check.words == words);

  check = eli_record_from(ELI_RECORD_CHECK, bytes, record.at);
  eli_record_mark(&check, "mark", 9);
  eli_record_same_choice(&check, "choice", 1, words, 2);
  eli_record_same_choice(&check, "odd choice", 0, words, 2); /* the number has no word */
  assert_string_equal(check.wrong, "odd choice");
  assert_true(check.there == 5 && check.here == 0 && check.words == NULL);
}

/* Each step of the checksum is one-to-one, so that a change of one word always changes it. */
TEST(any_change_of_a_word_changes_the_sum) {
  enum { WORDS = 11 };
  unsigned char bytes[WORDS * ELI_WORD];
  random_source source = {5};
  for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (unsigned char)random_bits(&source);
  const uint64_t sum = eli_sum_of_words(3, bytes, WORDS);
  for (size_t k = 0; k < sizeof bytes; k++)
    for (int bit = 0; bit < 8; bit++) {
      bytes[k] = (unsigned char)(bytes[k] ^ (1u << bit));
      assert_true(eli_sum_of_words(3, bytes, WORDS) != sum);
      bytes[k] = (unsigned char)(bytes[k] ^ (1u << bit));
    }
  assert_true(eli_sum_of_words(3, bytes, WORDS) == sum);
  assert_true(eli_sum_of_words(4, bytes, WORDS) != sum);
}
