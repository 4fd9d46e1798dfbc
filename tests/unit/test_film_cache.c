/* SPDX-License-Identifier: MIT
 *
 * The cache of film tables: what was written comes back; a damaged or foreign copy, one that others may
 * write, and what is no file at all are not used and do not stop anything; a good copy takes their place
 * where it can.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contact/film_cache.h"
#include "lash/lash.h"
#include "own_cache.h"

enum { COUNT = 100 };
static const lashi_film_key key = {.full = false, .length_ratio = 0.625};
static double table[COUNT];
static const double errors[2] = {1e-3, 2e-3};

static const char *path(void) {
    static char text[4096];
    assert_true(lashi_film_cache_path(text, sizeof text, &key));
    return text;
}

static bool reads(void) {
    double values[COUNT] = {0}, found[2];
    const bool good = lashi_film_cache_read(values, found, sizeof values, &key);
    if (good) {
        assert_memory_equal(values, table, sizeof table);
        assert_memory_equal(found, errors, sizeof errors);
    }
    return good;
}

static void write_good(void) {
    remove(path());
    assert_true(lashi_film_cache_write(table, errors, sizeof table, &key));
    assert_true(lashi_film_cache_has(&key) && reads());
}

static void test_round_trip(void **state) {
    (void)state;
    umask(0); // whatever the user lets others do
    write_good();
    umask(022);
    struct stat info;
    assert_int_equal(stat(path(), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    lashi_film_key other = key;
    other.length_ratio = 0.5;
    double values[COUNT], found[2];
    assert_false(lashi_film_cache_read(values, found, sizeof values, &other));
}

static void test_every_byte_counts(void **state) {
    (void)state;
    write_good();
    FILE *file = fopen(path(), "r+b");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    for (long i = 0; i < length; i += 5) {
        fseek(file, i, SEEK_SET);
        const int byte = fgetc(file);
        fseek(file, i, SEEK_SET);
        fputc(byte ^ 1, file);
        fflush(file);
        assert_false(reads());
        fseek(file, i, SEEK_SET);
        fputc(byte, file);
        fflush(file);
    }
    assert_true(reads());
    fseek(file, 0, SEEK_END);
    fputc(0, file);
    fclose(file);
    assert_false(reads());
    assert_int_equal(truncate(path(), length - 1), 0);
    assert_false(reads());
    assert_true(lashi_film_cache_write(table, errors, sizeof table, &key)); // over it
    assert_true(reads());
}

static void test_copies_of_others(void **state) {
    (void)state;
    write_good();
    assert_int_equal(chmod(path(), 0666), 0);
    assert_false(lashi_film_cache_has(&key) || reads());
    assert_int_equal(chmod(path(), 0620), 0);
    assert_false(lashi_film_cache_has(&key) || reads());
    assert_int_equal(chmod(path(), 0644), 0);
    assert_true(reads());
    if (geteuid() == 0) {
        assert_int_equal(chown(path(), 12345, (gid_t)-1), 0);
        assert_false(lashi_film_cache_has(&key) || reads());
    }
    // A link to a good copy.
    write_good();
    char moved[4200];
    snprintf(moved, sizeof moved, "%s.moved", path());
    assert_int_equal(rename(path(), moved), 0);
    assert_int_equal(symlink(moved, path()), 0);
    assert_false(lashi_film_cache_has(&key) || reads());
    remove(moved);
}

static void test_no_files(void **state) {
    (void)state;
    remove(path());
    assert_int_equal(mkfifo(path(), 0600), 0);
    assert_false(lashi_film_cache_has(&key) || reads()); // and does not wait
    lashi_film_cache_write(table, errors, sizeof table, &key);
    remove(path());
    assert_int_equal(mkdir(path(), 0700), 0);
    assert_false(lashi_film_cache_has(&key) || reads());
    assert_false(lashi_film_cache_write(table, errors, sizeof table, &key));
    rmdir(path());
    write_good();
}

/* Tables that a model will ask for: one for all joints with the same L/D, extent and inlet, those that are kept left out. */
static void test_work_ahead(void **state) {
    (void)state;
#define OILED(name, length, more)                                                                            \
    "  " name                                                                                                \
    ": {type: revolute, between: [ground, bob], clearance: {bearing_radius: 11 mm, journal_radius: 10 "      \
    "mm,\n    length: " length ", contact: {law: hertz, stiffness: 1e9},\n    lubricant: {film: reynolds, "  \
    "viscosity: 0.01" more "}}}\n"
    static const char text[] = "bodies: {bob: {mass: 1, inertia: 1}}\njoints:\n" OILED("first", "14 mm", "")
        OILED("same", "14 mm", "") OILED("shorter", "12 mm", "") OILED("fed", "14 mm", ", inlet: max-film")
            OILED("pulling", "14 mm", ", extent: full") OILED("again", "12 mm", "")
                OILED("kept", "12.5 mm", "")
                    OILED("grooved", "14 mm", ", inlet: groove at 90 deg") "run: {until: 1}\n";
    static const char *const names[] = {"first", "shorter", "fed", "pulling", "grooved"};
    const double ratios[] = {0.7, 0.6, 0.7, 0.7, 0.7};
    lash_model *model;
    lash_error error;
    if (lash_model_parse(&model, text, strlen(text), "films", NULL, &error))
        fail_msg("%s", error.message);
    write_good();
    lash_film_work work[6];
    for (size_t k = 0; k < 5; k++) {
        assert_true(lash_film_work_at(&work[k], model, k));
        assert_string_equal(work[k].joint, names[k]);
        assert_true(fabs(work[k].length_ratio - ratios[k]) < 1e-12);
    }
    assert_false(lash_film_work_at(&work[5], model, 5));
    assert_true(work[4].seconds > work[0].seconds && work[0].seconds > 0); // a groove has a place as well
    lash_model_destroy(model);
}

static int begin(void **state) {
    for (size_t i = 0; i < COUNT; i++)
        table[i] = 1.0 / (double)(i + 1);
    return own_cache_begin(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),       cmocka_unit_test(test_every_byte_counts),
        cmocka_unit_test(test_copies_of_others), cmocka_unit_test(test_no_files),
        cmocka_unit_test(test_work_ahead),
    };
    return cmocka_run_group_tests(tests, begin, own_cache_end);
}
