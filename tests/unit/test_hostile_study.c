/* SPDX-License-Identifier: MIT
 *
 * Files of studies and of lives from anyone: altered by somebody who knows SQLite, or byte by byte. Each is read, or
 * refused with a message that names it; a chain of points continues only from states that are whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lash/lash.h"

enum { POINTS = 70 }; // more than one growth of the table in memory
static char folder[] = "lash-hostile-XXXXXX";

static void write_file(const char *path, const void *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = calloc(*length + 1, 1);
    assert_int_equal(fread(bytes, 1, *length, file), *length);
    fclose(file);
    return bytes;
}

static void copy_file(const char *from, const char *to) {
    size_t length;
    char *bytes = read_file(from, &length);
    write_file(to, bytes, length);
    free(bytes);
}

static lash_status compute(const char *path, const char *text, const char *store, lash_error *error) {
    lash_study *study;
    lash_study_progress progress;
    write_file(path, text, strlen(text));
    const lash_study_options options = {.store = store, .jobs = 1};
    lash_status status = lash_study_load(&study, path, NULL, error);
    if (!status)
        status = lash_study_run(&progress, study, &options, error);
    lash_study_destroy(study);
    return status;
}

/* Carries out SQL in a copy of a study, as its own program would. */
static void alter(const char *from, const char *to, const char *sql) {
    sqlite3 *db;
    char *message = NULL;
    copy_file(from, to);
    assert_int_equal(sqlite3_open(to, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* Everything that reads a study, and every cell of it. */
static lash_status use(const char *path, lash_error *error) {
    lash_study_table *table;
    lash_status status = lash_study_table_open(&table, path, error);
    if (status) {
        assert_null(table);
        return status;
    }
    size_t sum = 0;
    for (size_t r = 0; r <= lash_study_table_rows(table); r++)
        for (size_t c = 0; c <= lash_study_table_width(table); c++) {
            sum += strlen(lash_study_table_text(table, r, c));
            sum += isnan(lash_study_table_number(table, r, c)) ? 1 : 0;
            sum += strlen(lash_study_table_column(table, c).name);
        }
    sum += lash_study_table_quantile(table, 1, 0, SIZE_MAX, 0.5, 0.95).count;
    assert_true(sum < SIZE_MAX);
    lash_study_table_close(table);
    double *values;
    size_t *points, count;
    char *names;
    lash_study_cuts_read(&values, &points, &count, path, "bob.y", NULL);
    free(values);
    free(points);
    if (!lash_study_cut_channels(&names, path, NULL))
        free(names);
    return LASH_OK;
}

static void test_altered_by_hand(void **state) {
    (void)state;
    static const struct {
        const char *sql, *said; // NULL: it can be read
    } cases[] = {
        {"SELECT 1", NULL},
        {"DELETE FROM columns", "no columns"},
        {"DELETE FROM columns WHERE position = 1", "first column"},
        {"UPDATE columns SET name = NULL WHERE position = 2", "no name"},
        {"UPDATE columns SET unit = 7 WHERE position = 2", NULL},
        {"UPDATE columns SET name = 'nothing of the kind' WHERE position = 2", "no such column"},
        {"UPDATE columns SET kind = 'nonsense' WHERE position = 2", NULL},
        {"INSERT INTO columns (name, unit, kind) VALUES ('point', '', 'point')", "first column"},
        {"DROP TABLE columns", "no such table"},
        {"DROP TABLE points", "no such table"},
        {"DROP TABLE about", "no such table"},
        {"DROP TABLE timing", "no such table"},
        {"DROP TABLE section", "no such table"},
        {"DELETE FROM points", NULL},
        {"DELETE FROM about", NULL},
        {"UPDATE about SET value = NULL", "text is missing"},
        {"UPDATE about SET value = 'many' WHERE name = 'points'", NULL},
        {"UPDATE points SET status = x'00ff'", NULL},
        {"UPDATE points SET point = -point", "no number"},
        {"UPDATE points SET message = char(27) || '[2J' || char(10) || 'x'", NULL},
        {"CREATE VIEW more AS SELECT * FROM points", "views"},
        {"DROP TABLE points; CREATE VIEW points AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
         "FROM n) "
         "SELECT i AS point FROM n",
         "views"},
        {"CREATE TRIGGER t AFTER INSERT ON points BEGIN DELETE FROM about; END", "triggers"},
        {"PRAGMA application_id = 0", "not the result of a study"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lash_error error = {.status = LASH_OK};
        alter("good.db", "altered.db", cases[i].sql);
        const lash_status status = use("altered.db", &error);
        if (cases[i].said ? status == LASH_OK || !strstr(error.message, cases[i].said) ||
                                !strstr(error.message, "altered.db")
                          : status != LASH_OK)
            fail_msg("%s: %d '%s'", cases[i].sql, (int)status, error.message);
    }
}

/* Text that a terminal would obey does not come out of a table. */
static void test_texts_are_tame(void **state) {
    (void)state;
    lash_study_table *table;
    alter("good.db", "wild.db", "UPDATE points SET message = char(27) || '[2J' || char(10) || 'x'");
    assert_int_equal(lash_study_table_open(&table, "wild.db", NULL), LASH_OK);
    size_t column = 0;
    while (strcmp(lash_study_table_column(table, column).name, "message") != 0)
        assert_true(++column < lash_study_table_width(table));
    assert_string_equal(lash_study_table_text(table, 0, column), " [2J x");
    lash_study_table_close(table);
}

/* Columns are found by their names, not by their order. */
static void test_columns_by_name(void **state) {
    (void)state;
    lash_study_table *good, *turned;
    alter("good.db", "turned.db", "UPDATE columns SET position = 100 WHERE name = 'start'");
    assert_int_equal(lash_study_table_open(&good, "good.db", NULL), LASH_OK);
    assert_int_equal(lash_study_table_open(&turned, "turned.db", NULL), LASH_OK);
    const size_t width = lash_study_table_width(good);
    assert_int_equal(lash_study_table_width(turned), width);
    for (size_t a = 0; a < width; a++)
        for (size_t b = 0; b < width; b++)
            if (strcmp(lash_study_table_column(good, a).name, lash_study_table_column(turned, b).name) == 0)
                for (size_t r = 0; r < POINTS; r++)
                    assert_string_equal(lash_study_table_text(good, r, a),
                                        lash_study_table_text(turned, r, b));
    assert_string_equal(lash_study_table_column(good, 1).name, "start");
    assert_string_not_equal(lash_study_table_column(turned, 1).name, "start");
    lash_study_table_close(good);
    lash_study_table_close(turned);
}

static void test_altered_bytes(void **state) {
    (void)state;
    enum { STEP = 23 };
    size_t length, refused = 0, read = 0;
    char *bytes = read_file("good.db", &length);
    for (size_t at = 0; at < length; at += STEP) {
        const char original = bytes[at];
        bytes[at] = (char)(at % 2 ? ~original : original ^ 1);
        write_file("bytes.db", bytes, length);
        bytes[at] = original;
        if (use("bytes.db", NULL))
            refused++;
        else
            read++;
    }
    assert_true(refused > 10 && read > 10);
    for (size_t cut = 0; cut < length; cut += 509) {
        write_file("bytes.db", bytes, cut);
        use("bytes.db", NULL);
    }
    free(bytes);
}

static void test_things_that_are_no_files(void **state) {
    (void)state;
    lash_error error;
    assert_int_equal(mkfifo("pipe.db", 0600), 0);
    assert_int_equal(use("pipe.db", &error), LASH_ERROR_IO);
    assert_non_null(strstr(error.message, "not a regular file"));
    assert_int_equal(use(".", &error), LASH_ERROR_IO);
    assert_int_equal(use("missing.db", &error), LASH_ERROR_IO);
    assert_int_equal(compute("again.yaml", "model: model.yaml\naxes: {start: [1 mm]}\nmetrics: [max bob.y]\n",
                             "pipe.db", &error),
                     LASH_ERROR_IO);
    assert_non_null(strstr(error.message, "not a regular file"));
}

/* A study goes on in a table that is its own: with its columns, in whatever order, and no points but its own. */
static void test_continued(void **state) {
    (void)state;
    static const struct {
        const char *sql, *said; // NULL: it goes on
    } cases[] = {
        {"DELETE FROM points WHERE point > 3", NULL},
        {"DELETE FROM points WHERE point > 3; ALTER TABLE points RENAME TO old;"
         "CREATE TABLE points (point INTEGER PRIMARY KEY, message TEXT, \"mean bob.vy\" REAL, status TEXT, "
         "\"max bob.y\" REAL, start);"
         "INSERT INTO points SELECT point, message, \"mean bob.vy\", status, \"max bob.y\", start FROM old; "
         "DROP TABLE old",
         NULL},
        {"DELETE FROM columns", "list of columns"},
        {"DELETE FROM columns WHERE position = 2", "list of columns"},
        {"INSERT INTO points (point, status) VALUES (4000, 'ok')", "a point 4000"},
        {"INSERT INTO points (point, status) VALUES (-1, 'ok')", "a point -1"},
        {"ALTER TABLE points RENAME COLUMN start TO begin", "start"},
    };
    size_t length;
    char *study = read_file("good.yaml", &length);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lash_error error = {.status = LASH_OK};
        alter("good.db", "altered.db", cases[i].sql);
        const lash_status status = compute("good.yaml", study, "altered.db", &error);
        if (cases[i].said ? status == LASH_OK || !strstr(error.message, cases[i].said) : status != LASH_OK)
            fail_msg("%s: %d '%s'", cases[i].sql, (int)status, error.message);
        if (status)
            continue;
        lash_study_table *good, *now;
        assert_int_equal(lash_study_table_open(&good, "good.db", NULL), LASH_OK);
        assert_int_equal(lash_study_table_open(&now, "altered.db", NULL), LASH_OK);
        assert_int_equal(lash_study_table_rows(now), POINTS);
        for (size_t r = 0; r < POINTS; r++)
            for (size_t c = 0; c < lash_study_table_width(good); c++)
                assert_string_equal(lash_study_table_text(now, r, c), lash_study_table_text(good, r, c));
        lash_study_table_close(good);
        lash_study_table_close(now);
    }
    free(study);
}

/* A chain goes on from a state that is whole, and from nothing else. */
static void test_carried_states(void **state) {
    (void)state;
    static const char chain[] = "model: " LASH_SOURCE_DIR "/examples/flores-2010.yaml\n"
                                "axes: {play: [0.1 mm, 0.2 mm]}\ncarry: true\n"
                                "section: {channels: [slider.vx], keep: true}\n"
                                "run: {until: 1 rev of motor, rtol: 1e-5}\nmetrics: [max slider.ax]\n";
    static const struct {
        const char *sql;
        lash_status status;
    } cases[] = {
        {"DELETE FROM points WHERE point > 1", LASH_OK},
        {"DELETE FROM points WHERE point > 1; DELETE FROM ends", LASH_ERROR_IO},
        {"DELETE FROM points WHERE point > 1; UPDATE ends SET state = x''", LASH_ERROR_IO},
        {"DELETE FROM points WHERE point > 1; UPDATE ends SET state = NULL", LASH_ERROR_IO},
        {"DELETE FROM points WHERE point > 1; UPDATE ends SET state = 'words of eight'", LASH_ERROR_IO},
        {"DELETE FROM points WHERE point > 1; UPDATE ends SET state = substr(state, 1, 20)", LASH_ERROR_IO},
        {"DELETE FROM points WHERE point > 1; UPDATE ends SET state = "
         "x'000000000000f07f' || substr(state, 9)",
         LASH_ERROR_IO}};
    lash_error error;
    unlink("chain.db");
    if (compute("chain.yaml", chain, "chain.db", &error))
        fail_msg("%s", error.message);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        error = (lash_error){.status = LASH_OK};
        alter("chain.db", "broken.db", cases[i].sql);
        const lash_status status = compute("chain.yaml", chain, "broken.db", &error);
        if (status != cases[i].status)
            fail_msg("%s: %d '%s'", cases[i].sql, (int)status, error.message);
        if (status && !strstr(error.message, "point 1"))
            fail_msg("%s", error.message);
    }
}

static int begin(void **state) {
    (void)state;
    static const char model[] = "gravity: [0, -9.81]\nparameters: {start: 1 mm}\n"
                                "bodies: {bob: {mass: 1, inertia: 1, position: [0, $start]}}\n"
                                "run: {until: 0.01 s}\n";
    char study[256];
    lash_error error;
    snprintf(study, sizeof study,
             "model: model.yaml\naxes: {start: {from: 1 mm, to: 9 mm, steps: %d}}\nmetrics: [max bob.y, mean "
             "bob.vy]\n",
             POINTS);
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    write_file("model.yaml", model, strlen(model));
    const lash_status status = compute("good.yaml", study, "good.db", &error);
    if (status)
        fprintf(stderr, "%s\n", error.message);
    return status;
}

static int end(void **state) {
    (void)state;
    static const char *const files[] = {
        "model.yaml",     "good.yaml",        "good.db",      "altered.db",   "wild.db",
        "turned.db",      "bytes.db",         "pipe.db",      "again.yaml",   "chain.yaml",
        "chain.db",       "broken.db",        "bytes.db-wal", "bytes.db-shm", "altered.db-wal",
        "altered.db-shm", "bytes.db-journal", "good.db-wal",  "good.db-shm",  "life.db"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    return chdir("..") != 0 || rmdir(folder) != 0;
}

// ---- lives

/* Two pins that wear, a life of a few turns. */
static void live(const char *store) {
    static const char text[] =
        "gravity: [0, -9.81]\ntitle: a life\n"
        "bodies: {shaft: {mass: 20, inertia: 0.02}, idler: {mass: 20, inertia: 0.02}}\njoints:\n"
#define BUSH(name, body)                                                                                     \
    "  " name ": {type: revolute, between: [ground, " body "], clearance: {bearing_radius: 10 mm, radial: "  \
    "0.05 mm, length: 15 mm, offset: [0, -0.05 mm],\n"                                                       \
    "    contact: {law: hunt-crossley, stiffness: 1e9, restitution: 0.1, approach: energy}, wear: {k: "      \
    "1e-12, sectors: 16}}}\n"
        BUSH("bush", "shaft") BUSH("second", "idler") "drives: {motor: {joint: bush, speed: 60 rpm}}\n"
                                                      "run: {until: 1 rev of motor}\n";
    const lash_life_limit limit = {.kind = LASH_LIFE_TURNS, .value = 20};
    const lash_life_options options = {.limits = &limit, .limit_count = 1, .tolerance = 0.5, .store = store};
    lash_model *model = NULL;
    lash_system *system = NULL;
    lash_life *life = NULL;
    lash_error error;
    if (lash_model_parse(&model, text, strlen(text), "life", NULL, &error) ||
        lash_system_compile(&system, model, &error) || lash_life_run(&life, system, &options, &error) < 0)
        fail_msg("%s", error.message);
    assert_true(lash_life_stage_count(life) >= 2);
    lash_life_destroy(life);
    lash_system_destroy(system);
    lash_model_destroy(model);
}

static bool is_tame(const char *text) {
    while (text && (unsigned char)*text >= ' ' && *text != 127)
        text++;
    return !text || !*text;
}

/* Everything that is in a life, if it can be read. */
static lash_status use_life(const char *path, lash_error *error) {
    lash_life *life;
    const lash_status status = lash_life_open(&life, path, error);
    assert_true((status == LASH_OK) == (life != NULL));
    if (status)
        return status;
    assert_true(is_tame(lash_life_title(life)) && is_tame(lash_life_end(life)));
    for (size_t i = 0; i < lash_life_stage_count(life); i++) {
        const lash_life_stage *stage = lash_life_stage_at(life, i);
        assert_true(stage->joint_count > 0);
        for (size_t j = 0; j < stage->joint_count; j++) {
            const lash_life_joint *joint = &stage->joints[j];
            assert_true(is_tame(joint->shape.joint));
            double *profile = calloc(joint->shape.count, sizeof *profile);
            for (int part = 0; part < LASH_WORN_PARTS; part++) {
                if (lash_life_profile(profile, life, j, part, stage->turns, error))
                    fail_msg("%s", error->message);
                for (size_t k = 0; k < joint->shape.count; k++)
                    assert_true(isfinite(profile[k]));
            }
            free(profile);
        }
    }
    lash_life_destroy(life);
    return LASH_OK;
}

/* Between two stages profiles grow linearly. */
static void test_between_stages(void **state) {
    (void)state;
    lash_life *life;
    lash_error error;
    live("life.db");
    if (lash_life_open(&life, "life.db", &error))
        fail_msg("%s", error.message);
    double most = 0;
    for (size_t i = 1; i < lash_life_stage_count(life); i++) {
        const lash_life_stage *before = lash_life_stage_at(life, i - 1), *after = lash_life_stage_at(life, i);
        for (size_t j = 0; j < after->joint_count; j++)
            for (int part = 0; part < LASH_WORN_PARTS; part++) {
                const size_t count = after->joints[j].shape.count;
                const double *a = before->joints[j].profile[part], *b = after->joints[j].profile[part];
                double *found = calloc(count, sizeof *found);
                for (int k = 0; k <= 4; k++) {
                    const double share = 0.25 * k,
                                 turns = before->turns + share * (after->turns - before->turns);
                    assert_int_equal(lash_life_profile(found, life, j, part, turns, &error), LASH_OK);
                    for (size_t s = 0; s < count; s++) {
                        assert_true(fabs(found[s] - (1 - share) * a[s] - share * b[s]) <= 1e-12 * fabs(b[s]));
                        most = fmax(most, fabs(b[s] - a[s]));
                    }
                }
                free(found);
            }
    }
    assert_true(most > 0);
    lash_life_destroy(life);
    unlink("life.db");
}

static void test_lives(void **state) {
    (void)state;
    static const struct {
        const char *sql;
        bool reads;
    } cases[] = {
        {"SELECT 1", true},
        {"UPDATE about SET value = char(27) || '[31m' WHERE name IN ('title', 'end')", true},
        {"UPDATE joints SET name = char(7) || name", false},
        {"UPDATE joints SET name = char(7) || name; UPDATE wear SET joint = char(7) || joint", false},
        {"DELETE FROM stages; DELETE FROM wear", true}, // it was stopped
        {"DELETE FROM joints; DELETE FROM wear", false},
        {"DELETE FROM joints; DELETE FROM wear; DELETE FROM stages", false},
        {"DELETE FROM wear WHERE stage = 2 AND joint = 'bush'", false},
        // As many rows as there should be, but not those.
        {"CREATE TABLE w AS SELECT * FROM wear; DROP TABLE wear; ALTER TABLE w RENAME TO wear;"
         "UPDATE wear SET joint = 'bush'",
         false},
        {"UPDATE wear SET joint = 'third' WHERE joint = 'bush'", false},
        {"UPDATE wear SET first = zeroblob(length(first) - 8)", false},
        {"UPDATE wear SET first = zeroblob(length(first) - 8), second = zeroblob(length(second) + 8)", false},
        {"UPDATE wear SET first = x'000000000000f07f' || zeroblob(length(first) - 8)", false},
        // A file that asks for more than it holds.
        {"UPDATE joints SET sectors = 100000, coefficients = 100000", false},
        {"UPDATE joints SET sectors = 0", false},
        {"UPDATE joints SET pitch = 1e999", false},
        {"UPDATE stages SET turns = -1", false},
        {"UPDATE stages SET jump = NULL", false},
        {"UPDATE stages SET start = zeroblob(13)", false},
        {"UPDATE stages SET stage = stage + 100 WHERE stage > 1", false},
        {"UPDATE about SET value = NULL WHERE name = 'title'", false},
        {"DELETE FROM about WHERE name = 'end'", false},
        {"DROP TABLE wear", false},
        {"ALTER TABLE stages DROP COLUMN jump", false},
        {"PRAGMA application_id = 1", false},
    };
    lash_error error;
    live("life.db");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        alter("life.db", "altered.db", cases[i].sql);
        error.message[0] = '\0';
        const lash_status status = use_life("altered.db", &error);
        if ((status == LASH_OK) != cases[i].reads)
            fail_msg("%s: %s", cases[i].sql, status ? error.message : "was read");
        if (status && (!strstr(error.message, "altered.db") || !is_tame(error.message)))
            fail_msg("%s: the message is \"%s\"", cases[i].sql, error.message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_altered_by_hand),
        cmocka_unit_test(test_texts_are_tame),
        cmocka_unit_test(test_columns_by_name),
        cmocka_unit_test(test_altered_bytes),
        cmocka_unit_test(test_things_that_are_no_files),
        cmocka_unit_test(test_carried_states),
        cmocka_unit_test(test_continued),
        cmocka_unit_test(test_lives),
        cmocka_unit_test(test_between_stages),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
