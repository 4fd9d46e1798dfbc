/* SPDX-License-Identifier: MIT
 *
 * Broken model files: every file of tests/broken says in its first lines what is wrong with it,
 *
 *     # expect: LINE:COLUMN: a part of the message
 *     # set: NAME=VALUE
 *
 * and the reader must report exactly these mistakes, in this order, and no other. Files that are too large,
 * too deep or not files at all are made here. Exit code 3 follows from the status.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lash/model.h"

enum { LEAST_FILES = 60, MOST = 32, EXIT_BAD_MODEL = 3, EXIT_IO = 4 };

typedef struct expectation {
    int line, column;
    char text[LASH_ERROR_TEXT];
} expectation;

typedef struct found {
    lash_error mistakes[MOST];
    size_t count;
} found;

static void collect(void *user, const lash_error *mistake) {
    found *list = user;
    if (mistake->status && list->count < MOST)
        list->mistakes[list->count++] = *mistake;
}

// Mistakes of a text; the error of the call must be the first of them.
static lash_status parse(found *list, const char *text, size_t length, const lash_setting *settings,
                         size_t setting_count) {
    memset(list, 0, sizeof *list);
    lash_load_options options = {
        .settings = settings, .setting_count = setting_count, .report = collect, .user = list};
    lash_model *model;
    lash_error error = {0};
    lash_status status = lash_model_parse(&model, text, length, "model.yaml", &options, &error);
    assert_int_equal(model == NULL, status != LASH_OK);
    if (list->count) {
        const lash_error *first = &list->mistakes[0];
        assert_int_equal(status, first->status);
        assert_int_equal(strncmp(error.message, first->message, strlen(first->message)), 0);
        assert_int_equal(error.line, first->line);
        assert_int_equal(error.column, first->column);
    }
    lash_model_destroy(model);
    return status;
}

static char *read_whole(size_t *length, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be opened", path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    *length = fread(text, 1, (size_t)size, file);
    text[*length] = '\0';
    fclose(file);
    return text;
}

static void check_file(const char *path) {
    static expectation expected[MOST];
    static found list;
    lash_setting settings[MOST];
    char names[MOST][64];
    size_t expected_count = 0, setting_count = 0, length;
    char *text = read_whole(&length, path), *line = text;
    while (line && line[0] == '#') {
        char *end = strchr(line, '\n');
        int n = end ? (int)(end - line) : (int)strlen(line), start = 0;
        expectation *e = &expected[expected_count];
        if (sscanf(line, "# expect: %d:%d: %n", &e->line, &e->column, &start) == 2 && start > 0) {
            snprintf(e->text, sizeof e->text, "%.*s", n - start, line + start);
            expected_count++;
        } else if (strncmp(line, "# set: ", 7) == 0) {
            char *value = strchr(line, '=');
            assert_non_null(value);
            snprintf(names[setting_count], sizeof names[0], "%.*s", (int)(value - line) - 7, line + 7);
            settings[setting_count] =
                (lash_setting){names[setting_count], strndup(value + 1, (size_t)(line + n - value - 1))};
            setting_count++;
        }
        line = end ? end + 1 : NULL;
    }
    if (expected_count == 0)
        fail_msg("%s does not say what is wrong with it", path);

    lash_status status = parse(&list, text, length, settings, setting_count);
    assert_int_equal(lash_status_exit_code(status), EXIT_BAD_MODEL);
    for (size_t i = 0; i < expected_count || i < list.count; i++) {
        const lash_error *got = &list.mistakes[i];
        const expectation *e = &expected[i];
        if (i >= list.count)
            fail_msg("%s: not reported: %d:%d: %s", path, e->line, e->column, e->text);
        if (i >= expected_count)
            fail_msg("%s: reported as well: %d:%d: %s", path, got->line, got->column, got->message);
        if (got->line != e->line || got->column != e->column || !strstr(got->message, e->text))
            fail_msg("%s: wanted %d:%d: %s, got %d:%d: %s", path, e->line, e->column, e->text, got->line,
                     got->column, got->message);
        // The line is quoted, or the setting.
        assert_string_equal(got->file, got->line ? "model.yaml" : "--set");
        for (const char *c = got->excerpt; *c; c++)
            assert_true((unsigned char)*c >= 0x20 && *c != 0x7f);
    }
    for (size_t i = 0; i < setting_count; i++)
        free((char *)settings[i].value);
    free(text);
}

static int is_yaml(const struct dirent *entry) {
    size_t n = strlen(entry->d_name);
    return n > 5 && strcmp(entry->d_name + n - 5, ".yaml") == 0;
}

static void test_files(void **state) {
    (void)state;
    const char *folder = LASH_SOURCE_DIR "/tests/broken";
    struct dirent **entries;
    int count = scandir(folder, &entries, is_yaml, alphasort);
    if (count < LEAST_FILES)
        fail_msg("%s holds %d files; at least %d are wanted", folder, count, LEAST_FILES);
    for (int i = 0; i < count; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        check_file(path);
        free(entries[i]);
    }
    free(entries);
}

static void test_empty(void **state) {
    (void)state;
    found list;
    const char *texts[] = {"", "\n\n", "---\n", "# nothing\n", "~\n"};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(parse(&list, texts[i], strlen(texts[i]), NULL, 0), LASH_ERROR_MODEL);
        assert_int_equal(list.count, 1);
        assert_non_null(strstr(list.mistakes[0].message, "the file is empty"));
    }
    assert_int_equal(parse(&list, texts[4], strlen(texts[4]), NULL, 0), LASH_ERROR_MODEL);
}

// A million levels of every kind of nesting.
static void test_deep(void **state) {
    (void)state;
    enum { LEVELS = 1000000 };
    static const char *const pieces[] = {"[", "{a: ", "- ", "? ", "[[], "};
    found list;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        size_t n = strlen(pieces[i]);
        char *text = malloc(LEVELS * n);
        assert_non_null(text);
        for (size_t k = 0; k < LEVELS; k++)
            memcpy(text + k * n, pieces[i], n);
        assert_int_equal(parse(&list, text, LEVELS * n, NULL, 0), LASH_ERROR_MODEL);
        assert_int_equal(list.count, 1);
        assert_non_null(strstr(list.mistakes[0].message, "nested deeper than 100 levels"));
        free(text);
    }
}

static void test_large(void **state) {
    (void)state;
    size_t length = (16u << 20) + 1;
    char *text = malloc(length);
    assert_non_null(text);
    memset(text, '#', length);
    found list;
    assert_int_equal(parse(&list, text, length, NULL, 0), LASH_ERROR_MODEL);
    assert_int_equal(list.count, 1);
    assert_non_null(strstr(list.mistakes[0].message, "larger than 16 MiB"));
    free(text);
}

// More mistakes than anyone wants to read: a thousand are listed, all are counted.
static void test_many(void **state) {
    (void)state;
    enum { BODIES = 5000 };
    size_t size = 64 * BODIES, used = 0;
    char *text = malloc(size);
    assert_non_null(text);
    used += (size_t)snprintf(text, size, "bodies:\n");
    for (int i = 0; i < BODIES; i++)
        used += (size_t)snprintf(text + used, size - used, "  b%d: {mass: oops, inertia: 1}\n", i);
    lash_model *model;
    lash_error error = {0};
    assert_int_equal(lash_model_parse(&model, text, used, "many.yaml", NULL, &error), LASH_ERROR_MODEL);
    assert_null(model);
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.message, "more mistakes"));
    free(text);
}

static void test_unreadable(void **state) {
    (void)state;
    lash_model *model;
    lash_error error = {0};
    found list = {0};
    lash_load_options options = {.report = collect, .user = &list};
    lash_status status = lash_model_load(&model, LASH_SOURCE_DIR "/tests/broken", &options, &error);
    assert_int_equal(lash_status_exit_code(status), EXIT_IO);
    assert_null(model);
    assert_non_null(strstr(error.message, "it is a directory"));
    assert_int_equal(list.count, 1);
    status = lash_model_load(&model, LASH_SOURCE_DIR "/tests/broken/no-such-file.yaml", NULL, &error);
    assert_int_equal(lash_status_exit_code(status), EXIT_IO);
    assert_non_null(strstr(error.message, "No such file"));
    assert_int_equal(lash_model_load(&model, NULL, NULL, NULL), LASH_ERROR_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files), cmocka_unit_test(test_empty), cmocka_unit_test(test_deep),
        cmocka_unit_test(test_large), cmocka_unit_test(test_many),  cmocka_unit_test(test_unreadable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
