/* SPDX-License-Identifier: MIT
 *
 * CSV files as they come: separators, headings, comments, marks and line ends; and mistakes with their
 * places.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "input/csv.h"

static char path[] = "lash-csv-XXXXXX";

static void write_text(const char *text, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* Every variant holds (0, 1), (1.5, -2e3), (3, 4) in columns 1 and 2. */
static void check_reads_columns(const char *text, int x_column, int y_column) {
    write_text(text, strlen(text));
    double *x, *y;
    size_t count;
    lash_error error;
    if (lashi_csv_read(&x, &y, &count, path, x_column, y_column, &error) != LASH_OK)
        fail_msg("'%s': %d:%d: %s", text, error.line, error.column, error.message);
    assert_int_equal(count, 3);
    assert_true(x[0] == 0 && x[1] == 1.5 && x[2] == 3);
    assert_true(y[0] == 1 && y[1] == -2e3 && y[2] == 4);
    free(x);
    free(y);
}

static void test_formats(void **state) {
    (void)state;
    check_reads_columns("0,1\n1.5,-2e3\n3,4\n", 1, 2);
    check_reads_columns("0,1\n1.5,-2e3\n3,4", 1, 2);
    check_reads_columns("0;1\r\n1.5;-2e3\r\n3;4\r\n", 1, 2);
    check_reads_columns("0\t1\n1.5\t-2e3\n3\t4\n", 1, 2);
    check_reads_columns("  0   1\n 1.5 -2e3  \n+3 4\n", 1, 2);
    check_reads_columns("\xEF\xBB\xBFtime [s], force [N]\n0, 1\n1.5 , -2e3\n3,4,\n", 1, 2);
    check_reads_columns("# made by hand\n\n\"angle\";\"load\"\n0;1\n# middle\n1.5;-2e3 # peak\n\n3;4\n", 1,
                        2);
    check_reads_columns("1,x,0\n-2e3,y,1.5\n4,,3\n", 3, 1);
}

static void check_fails(const char *text, size_t length, int line, int column, const char *part) {
    write_text(text, length);
    double *x, *y;
    size_t count;
    lash_error error;
    assert_int_equal(lashi_csv_read(&x, &y, &count, path, 1, 2, &error), LASH_ERROR_MODEL);
    assert_null(x);
    assert_null(y);
    assert_string_equal(error.file, path);
    if (error.line != line || error.column != column || !strstr(error.message, part))
        fail_msg("'%s': %d:%d: %s (wanted %d:%d %s)", text, error.line, error.column, error.message, line,
                 column, part);
}

#define FAILS(text, line, column, part) check_fails(text, sizeof(text) - 1, line, column, part)

static void test_mistakes(void **state) {
    (void)state;
    FAILS("x,y\n0,1\n1,abc\n", 3, 3, "'abc' is not a finite number");
    FAILS("x,y\nz,w\n", 2, 1, "'z'");
    FAILS("0,1\n1\n", 2, 2, "has 1 column");
    FAILS("0;1\n1;2,5\n", 2, 3, "point");
    FAILS("0,1\n1,1e999\n", 2, 3, "finite");
    FAILS("nan,1\n1,2\n", 1, 1, "finite");
    FAILS("0,1\n1,2 3\n", 2, 3, "'2 3'");
    FAILS("0,1\n1,\n", 2, 3, "has 1 column");
    FAILS("", 0, 0, "no numbers");
    FAILS("x,y\n", 0, 0, "no numbers");
    FAILS("0,1\0\n", 0, 0, "not a text file");
    double *x, *y;
    size_t count;
    lash_error error;
    assert_int_equal(lashi_csv_read(&x, &y, &count, "no-such-file.csv", 1, 2, &error), LASH_ERROR_IO);
    assert_non_null(strstr(error.message, "no-such-file.csv"));
    assert_int_equal(lashi_csv_read(&x, &y, &count, ".", 1, 2, &error), LASH_ERROR_IO);
    assert_int_equal(lashi_csv_read(&x, &y, &count, ".", 1, 2, NULL), LASH_ERROR_IO);
    assert_int_equal(lashi_csv_read(&x, &y, &count, path, 0, 2, &error), LASH_ERROR_USAGE);
}

static void test_too_large(void **state) {
    (void)state;
    // A hole makes the size without the bytes.
    write_text("0,1\n", 4);
    assert_int_equal(truncate(path, (64L << 20) + 1), 0);
    double *x, *y;
    size_t count;
    lash_error error;
    assert_int_equal(lashi_csv_read(&x, &y, &count, path, 1, 2, &error), LASH_ERROR_IO);
    assert_non_null(strstr(error.message, "64 MB"));
}

static void test_random_bytes(void **state) {
    (void)state;
    static const char letters[] = "0123456789.,;\t -+eE#\n\r\"xn";
    unsigned seed = 11;
    int good = 0;
    for (int round = 0; round < 2000; round++) {
        char text[64];
        size_t length = (size_t)rand_r(&seed) % sizeof text;
        for (size_t i = 0; i < length; i++)
            text[i] = rand_r(&seed) % 50 == 0 ? (char)rand_r(&seed)
                                              : letters[(size_t)rand_r(&seed) % (sizeof letters - 1)];
        write_text(text, length);
        double *x, *y;
        size_t count;
        lash_error error;
        if (lashi_csv_read(&x, &y, &count, path, 1, 2, &error) == LASH_OK) {
            good++;
            assert_true(count > 0);
        } else {
            assert_true(error.message[0] && !x && !y);
        }
        free(x);
        free(y);
    }
    assert_true(good > 5);
}

static int make_file(void **state) {
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state) {
    (void)state;
    return unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_random_bytes),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
