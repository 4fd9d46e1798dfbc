/* SPDX-License-Identifier: MIT
 *
 * Sinks and the reader of results: what comes back is what went in, bit for bit; a disk that fills, folders
 * that cannot be written, files that are cut or foreign give messages and leave former files alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <hdf5.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lash/lash.h"
#include "record/sink.h"

enum { COLUMNS = 5 };
static const char *const names[COLUMNS] = {"time", "slider.x", "crank.angle", "guide.fy", "energy.balance"};
static const char *const units[COLUMNS] = {"s", "m", "rad", "N", "J"};
static char folder[] = "lash-sinks-XXXXXX";
static lash_model *model;

static lashi_sink_layout layout(bool samples, bool steps) {
    return (lashi_sink_layout){COLUMNS, names, units, names, {samples, steps}, model, sizeof "gudgeon"};
}

/* Awkward numbers, among them subnormal ones, infinities, negative zero and not-a-numbers. */
static void fill_row(double row[COLUMNS], size_t index) {
    static const double odd[] = {0.1,      -0.0,      5e-324, 1.7976931348623157e308,
                                 INFINITY, -INFINITY, NAN,    1.0 / 3};
    row[0] = 1e-3 * (double)index;
    for (size_t i = 1; i < COLUMNS; i++)
        row[i] = (index + i) % 3 ? sin((double)(index * i)) * pow(10, (double)(index % 40) - 20)
                                 : odd[(index + 3 * i) % (sizeof odd / sizeof *odd)];
}

static lash_event make_event(size_t index) {
    return (lash_event){index % 2 ? LASH_EVENT_RELEASE : LASH_EVENT_ONSET,
                        1e-4 * (double)index,
                        index % 3 ? "gudgeon" : "pin",
                        0.1 * (double)index,
                        1e-3 / (1 + (double)index),
                        1e3,
                        2e-6,
                        1e-5 / 3,
                        1e-7,
                        index % 4 == 1,
                        0.25 * (double)index,
                        1.0 / 7,
                        -0.5 * (double)index,
                        0.125 * (double)index,
                        1e-4 * (double)index - 1e-6,
                        600 + (double)index,
                        400 - (double)index,
                        1e-6 / (1 + (double)index)};
}

static lash_summary make_summary(void) {
    static const lash_clearance_summary clearance = {.joint = "gudgeon",
                                                     .impacts = 7,
                                                     .contacts = 9,
                                                     .impacts_per_turn = 3.5,
                                                     .free_fraction = 0.25,
                                                     .impact_fraction = 0.125,
                                                     .following_fraction = 0.625,
                                                     .peak_force = 1234.5,
                                                     .peak_penetration = 1e-6,
                                                     .peak_penetration_time = 0.75,
                                                     .peak = {0.5, 1234.5, 1000, 234.5, 0.25},
                                                     .first_turn = {0.1, 64, NAN, NAN, NAN},
                                                     .later = {0.5, 1234.5, 1000, 234.5, 0.25},
                                                     .deep = 3,
                                                     .damped = 4,
                                                     .damped_peak = {0.5, 64, 16, 48, 1e-6},
                                                     .energy_lost = 0.01,
                                                     .floor_used = 1,
                                                     .above_validity = 2};
    lash_summary s = {.status = LASH_STOP_END, .end = 0.25, .steps = 1234, .max_balance_error = 0.1};
    s.first_turn_end = 0.125;
    s.clearance_count = 1;
    s.clearances = &clearance;
    return s;
}

static void same_bits(const double *a, const double *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        assert_true(memcmp(&a[i], &b[i], sizeof *a) == 0 || (isnan(a[i]) && isnan(b[i])));
}

/* As many peaks as events where there are rows at all. */
static void write_result(const char *path, size_t samples, size_t steps, size_t events) {
    lash_error error;
    lashi_sink *sink;
    lashi_sink_layout with = layout(samples > 0, steps > 0);
    with.streams[LASH_STREAM_PEAKS] = samples + steps > 0 && events > 0;
    if (lashi_hdf5_sink_create(&sink, path, &with, &error) != LASH_OK)
        fail_msg("%s", error.message);
    double row[COLUMNS];
    for (size_t i = 0; i < samples || i < steps || i < events; i++) {
        fill_row(row, i);
        if (i < samples)
            assert_int_equal(sink->row(sink, LASH_STREAM_SAMPLES, row, &error), LASH_OK);
        if (i < steps)
            assert_int_equal(sink->row(sink, LASH_STREAM_STEPS, row, &error), LASH_OK);
        const lash_event event = make_event(i);
        if (i < events) {
            assert_int_equal(sink->row(sink, LASH_STREAM_PEAKS, row, &error), LASH_OK);
            assert_int_equal(sink->event(sink, &event, &error), LASH_OK);
        }
    }
    const lash_summary summary = make_summary();
    if (sink->finish(sink, &summary, &error) != LASH_OK)
        fail_msg("%s", error.message);
    sink->destroy(sink);
}

static lash_result *open_result(const char *path) {
    lash_result *result;
    lash_error error;
    if (lash_result_open(&result, path, &error) != LASH_OK)
        fail_msg("%s", error.message);
    return result;
}

static void check_rows(lash_result *result, lash_stream stream, size_t rows) {
    lash_error error;
    assert_int_equal(lash_result_row_count(result, stream), rows);
    double *values = calloc(rows * COLUMNS + 1, sizeof *values), row[COLUMNS];
    assert_int_equal(lash_result_read(values, result, stream, 0, rows, &error), LASH_OK);
    for (size_t i = 0; i < rows; i++) {
        fill_row(row, i);
        same_bits(values + i * COLUMNS, row, COLUMNS);
    }
    if (rows > 3) {
        assert_int_equal(lash_result_read(values, result, stream, rows - 2, 2, &error), LASH_OK);
        same_bits(values + COLUMNS, row, COLUMNS);
    }
    assert_int_equal(lash_result_read(values, result, stream, rows, 1, &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_result_read(values, result, stream, SIZE_MAX, 2, &error), LASH_ERROR_USAGE);
    free(values);
}

static void test_hdf5_round_trip(void **state) {
    (void)state;
    // Around a chunk (1638 rows) and around the buffer of events (256).
    static const size_t cases[][3] = {{1, 0, 0},         {0, 1, 1},       {101, 1637, 255}, {1638, 1639, 256},
                                      {5000, 3276, 600}, {0, 20000, 257}, {0, 0, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        write_result("round.h5", cases[c][0], cases[c][1], cases[c][2]);
        assert_int_equal(access("round.h5.part", F_OK), -1);
        lash_result *result = open_result("round.h5");
        for (lash_stream s = 0; s < LASH_STREAMS; s++)
            check_rows(result, s, cases[c][s]);
        assert_int_equal(lash_result_column_count(result), cases[c][0] + cases[c][1] ? COLUMNS : 0);
        for (size_t i = 0; i < lash_result_column_count(result); i++) {
            assert_string_equal(lash_result_column_name(result, i), names[i]);
            assert_string_equal(lash_result_column_unit(result, i), units[i]);
        }
        assert_null(lash_result_column_name(result, COLUMNS));
        size_t count = lash_result_event_count(result);
        assert_int_equal(count, cases[c][2]);
        lash_event *events = calloc(count + 1, sizeof *events);
        assert_int_equal(lash_result_read_events(events, result, NULL), LASH_OK);
        for (size_t i = 0; i < count; i++) {
            const lash_event wanted = make_event(i);
            assert_int_equal(events[i].kind, wanted.kind);
            assert_string_equal(events[i].joint, wanted.joint);
            assert_true(
                events[i].time == wanted.time && events[i].angle == wanted.angle &&
                events[i].speed == wanted.speed && events[i].peak_force == wanted.peak_force &&
                events[i].peak_penetration == wanted.peak_penetration &&
                events[i].duration == wanted.duration && events[i].energy_lost == wanted.energy_lost &&
                events[i].impact == wanted.impact && events[i].rebound == wanted.rebound &&
                events[i].impulse == wanted.impulse && events[i].crank == wanted.crank &&
                events[i].elevation == wanted.elevation && events[i].peak_time == wanted.peak_time &&
                events[i].peak_elastic == wanted.peak_elastic &&
                events[i].peak_damping == wanted.peak_damping && events[i].peak_depth == wanted.peak_depth);
        }
        free(events);
        lash_result_close(result);
    }
}

static void test_hdf5_texts(void **state) {
    (void)state;
    write_result("texts.h5", 3, 0, 0);
    lash_result *result = open_result("texts.h5");
    assert_string_equal(lash_result_text(result, "title"), "A title with ü");
    assert_string_equal(lash_result_text(result, "version"), LASH_VERSION);
    assert_string_equal(lash_result_text(result, "format"), "1");
    assert_string_equal(lash_result_text(result, "model"), "");
    assert_string_equal(lash_result_text(result, "settings"), "");
    assert_null(lash_result_text(result, "nonsense"));
    const char *summary = lash_result_text(result, "summary");
    assert_non_null(summary);
    assert_non_null(strstr(summary, "status = STOP_END\n"));
    assert_non_null(strstr(summary, "steps = 1234\n"));
    assert_non_null(strstr(summary, "max_balance_error = 0.10000000000000001\n"));
    assert_non_null(strstr(summary, "gudgeon.impacts = 7\n"));
    // Peaks: of the run, of the first turn and of the rest, and the largest force that was mostly damping.
    const char *lines[] = {"first_turn_end = 0.125\n",
                           "gudgeon.peak_force = 1234.5\n",
                           "gudgeon.peak_time = 0.5\n",
                           "gudgeon.peak_elastic = 1000\n",
                           "gudgeon.peak_damping = 234.5\n",
                           "gudgeon.peak_depth = 0.25\n",
                           "gudgeon.peak_penetration_time = 0.75\n",
                           "gudgeon.first_turn_peak_force = 64\n",
                           "gudgeon.later_peak_elastic = 1000\n",
                           "gudgeon.deep = 3\n",
                           "gudgeon.damped = 4\n",
                           "gudgeon.damped_peak_damping = 48\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(summary, lines[i]))
            fail_msg("no line %s in %s", lines[i], summary);
    assert_null(strstr(summary, "gudgeon.first_turn_peak_elastic")); // not known: contact is a constraint
    lash_result_close(result);
    lash_result_close(NULL);

    // The same numbers as attributes, for other programs.
    hid_t file = H5Fopen("texts.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t attribute =
        H5Aopen_by_name(file, "summary", "gudgeon.following_fraction", H5P_DEFAULT, H5P_DEFAULT);
    double value = 0;
    assert_true(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) >= 0 && value == 0.625);
    H5Aclose(attribute);
    H5Fclose(file);
}

/* Titles of any length, and names of columns longer than most, come back whole. */
static void test_long_texts(void **state) {
    (void)state;
    char title[201], kept[201], first[101], second[131];
    lash_error error;
    memset(first, 'a', 100), first[100] = '\0';
    memset(second, 'b', 130), second[130] = '\0';
    const char *const wide[] = {"time", first, second, "x", second};
    snprintf(kept, sizeof kept, "%s", lash_model_title(model));
    for (size_t n = 1; n <= 200; n += n % 64 > 58 || n % 64 < 4 ? 1 : 11) {
        memset(title, 't', n), title[n] = '\0';
        title[n - 1] = '.';
        assert_int_equal(lash_model_set_title(model, title, &error), LASH_OK);
        lashi_sink *sink;
        lashi_sink_layout with = layout(true, false);
        with.names = wide;
        assert_int_equal(lashi_hdf5_sink_create(&sink, "long.h5", &with, &error), LASH_OK);
        const lash_summary summary = make_summary();
        double row[COLUMNS];
        fill_row(row, n);
        assert_int_equal(sink->row(sink, LASH_STREAM_SAMPLES, row, &error), LASH_OK);
        assert_int_equal(sink->finish(sink, &summary, &error), LASH_OK);
        sink->destroy(sink);
        lash_result *result = open_result("long.h5");
        assert_string_equal(lash_result_text(result, "title"), title);
        assert_non_null(strstr(lash_result_text(result, "summary"), "steps = 1234\n"));
        for (size_t k = 0; k < COLUMNS; k++)
            assert_string_equal(lash_result_column_name(result, k), wide[k]);
        assert_string_equal(lash_result_text(result, "title"), title);
        lash_result_close(result);
    }
    assert_int_equal(lash_model_set_title(model, kept, &error), LASH_OK);
    unlink("long.h5");
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

static void write_file(const char *path, const void *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static void check_refused(const char *path, const char *part) {
    lash_result *result;
    lash_error error;
    assert_int_equal(lash_result_open(&result, path, &error), LASH_ERROR_IO);
    assert_null(result);
    if (!strstr(error.message, part) || !strstr(error.message, path))
        fail_msg("%s: '%s' does not say '%s'", path, error.message, part);
}

static void test_cut_file(void **state) {
    (void)state;
    write_result("whole.h5", 300, 50, 20);
    size_t length;
    char *bytes = read_file("whole.h5", &length);
    size_t cut = 0;
    for (size_t n = 0; n < length; n += n < 4096 ? 37 : 1009, cut++) {
        write_file("cut.h5", bytes, n);
        check_refused("cut.h5", n < 8 ? "not an HDF5 file" : "cut.h5");
    }
    write_file("cut.h5", bytes, length - 1);
    check_refused("cut.h5", "truncated");
    assert_true(cut > 100);
    free(bytes);
}

/* A part of a result removed, or replaced by a single whole number: what the rows need is missed, a text is
 * just not there. */
static void test_wrong_contents(void **state) {
    (void)state;
    static const struct {
        const char *link, *said; // NULL: the rest can be read
    } parts[] = {{"samples/data", "table of rows"},
                 {"samples/names", "table of rows"},
                 {"samples/units", "table of rows"},
                 {"events", "table of events"},
                 {"model", NULL},
                 {"settings", NULL},
                 {"summary/text", NULL}};
    for (size_t i = 0; i < 2 * (sizeof parts / sizeof *parts); i++) {
        const char *link = parts[i / 2].link, *said = parts[i / 2].said;
        write_result("other.h5", 2, 0, 0);
        hid_t file = H5Fopen("other.h5", H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
        assert_true(H5Ldelete(file, link, H5P_DEFAULT) >= 0);
        if (i % 2)
            H5Dclose(H5Dcreate2(file, link, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Sclose(space);
        H5Fclose(file);
        if (said && (i % 2 || strcmp(link, "events") != 0)) {
            check_refused("other.h5", said);
        } else {
            lash_result *result = open_result("other.h5");
            check_rows(result, LASH_STREAM_SAMPLES, 2);
            assert_int_equal(lash_result_event_count(result), 0);
            if (!said)
                assert_null(lash_result_text(result, i / 2 == 6 ? "summary" : link));
            lash_result_close(result);
        }
    }
}

/* Formats that there are, were, and are not. */
static void test_formats(void **state) {
    (void)state;
    enum { FORMAT = 1 }; // that is written
    for (int format = -1; format <= FORMAT + 1; format++) {
        write_result("format.h5", 2, 0, 0);
        hid_t file = H5Fopen("format.h5", H5F_ACC_RDWR, H5P_DEFAULT),
              attribute = H5Aopen(file, "format", H5P_DEFAULT);
        assert_true(H5Awrite(attribute, H5T_NATIVE_INT, &format) >= 0);
        H5Aclose(attribute), H5Fclose(file);
        if (format < 1)
            check_refused("format.h5", "not a result of Lash");
        else if (format > FORMAT)
            check_refused("format.h5", "newer Lash");
        else
            lash_result_close(open_result("format.h5"));
    }
}

/* Rows of any width, also of more than a chunk, which has 64 kB. */
static void test_wide_rows(void **state) {
    (void)state;
    enum { ROWS = 5, WIDEST = 20000 };
    static const size_t widths[] = {1, 4095, 8191, 8192, 8193, WIDEST};
    const char **same = malloc(WIDEST * sizeof *same);
    double *row = malloc(WIDEST * sizeof *row), *read = malloc(ROWS * WIDEST * sizeof *read);
    assert_true(same && row && read);
    for (size_t i = 0; i < WIDEST; i++)
        same[i] = "a";
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        const size_t width = widths[k];
        lash_error error;
        lashi_sink *sink;
        const lashi_sink_layout wide = {width, same, same, same, {true}, model, sizeof "gudgeon"};
        assert_int_equal(lashi_hdf5_sink_create(&sink, "wide.h5", &wide, &error), LASH_OK);
        for (size_t r = 0; r < ROWS; r++) {
            for (size_t i = 0; i < width; i++)
                row[i] = (double)(r * WIDEST + i);
            assert_int_equal(sink->row(sink, LASH_STREAM_SAMPLES, row, &error), LASH_OK);
        }
        const lash_summary summary = make_summary();
        assert_int_equal(sink->finish(sink, &summary, &error), LASH_OK);
        sink->destroy(sink);
        lash_result *result = open_result("wide.h5");
        assert_int_equal(lash_result_row_count(result, LASH_STREAM_SAMPLES), ROWS);
        assert_int_equal(lash_result_read(read, result, LASH_STREAM_SAMPLES, 0, ROWS, &error), LASH_OK);
        for (size_t i = 0; i < ROWS * width; i++)
            assert_true(read[i] == (double)(i / width * WIDEST + i % width));
        lash_result_close(result);
    }
    free(same), free(row), free(read);
}

/* A file as the first version wrote it: events have eight numbers. The others are not known. */
static void test_older_events(void **state) {
    (void)state;
    enum { KIND = 24, JOINT = 12, FIRST = 8, COUNT = 300, SIZE = KIND + JOINT + FIRST * sizeof(double) };
    write_result("older.h5", 2, 0, COUNT);
    hid_t file = H5Fopen("older.h5", H5F_ACC_RDWR, H5P_DEFAULT), old = H5Dopen2(file, "events", H5P_DEFAULT);
    hid_t type = H5Tcreate(H5T_COMPOUND, SIZE), text[2] = {H5Tcopy(H5T_C_S1), H5Tcopy(H5T_C_S1)};
    H5Tset_size(text[0], KIND), H5Tset_size(text[1], JOINT);
    for (int i = 0; i < 2; i++)
        assert_true(H5Tset_cset(text[i], H5T_CSET_UTF8) >= 0 &&
                    H5Tset_strpad(text[i], H5T_STR_NULLPAD) >= 0 &&
                    H5Tinsert(type, i ? "joint" : "kind", i ? KIND : 0, text[i]) >= 0);
    const char *numbers[FIRST] = {"time",     "angle",       "speed", "peak_force", "peak_penetration",
                                  "duration", "energy_lost", "impact"};
    for (size_t i = 0; i < FIRST; i++)
        assert_true(H5Tinsert(type, numbers[i], KIND + JOINT + i * sizeof(double), H5T_NATIVE_DOUBLE) >= 0);
    char *records = calloc(COUNT, SIZE);
    const hsize_t size[1] = {COUNT};
    hid_t space = H5Screate_simple(1, size, NULL);
    assert_true(H5Dread(old, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, records) >= 0);
    H5Dclose(old);
    assert_true(H5Ldelete(file, "events", H5P_DEFAULT) >= 0);
    hid_t set = H5Dcreate2(file, "events", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, records) >= 0);
    H5Dclose(set), H5Sclose(space), H5Tclose(type), H5Tclose(text[0]), H5Tclose(text[1]), H5Fclose(file);
    free(records);
    lash_result *result = open_result("older.h5");
    lash_event *events = calloc(COUNT, sizeof *events);
    assert_int_equal(lash_result_event_count(result), COUNT);
    assert_int_equal(lash_result_read_events(events, result, NULL), LASH_OK);
    for (size_t i = 0; i < COUNT; i++) {
        const lash_event wanted = make_event(i);
        assert_true(events[i].kind == wanted.kind && strcmp(events[i].joint, wanted.joint) == 0);
        assert_true(events[i].time == wanted.time && events[i].energy_lost == wanted.energy_lost &&
                    events[i].impact == wanted.impact);
        assert_true(isnan(events[i].impulse) && isnan(events[i].peak_time) && isnan(events[i].peak_elastic) &&
                    isnan(events[i].peak_damping) && isnan(events[i].peak_depth));
    }
    free(events);
    lash_result_close(result);
}

/* What somebody could put into a file that looks like a result. */
static void forge_events(hid_t file, bool text_for_number) {
    H5Ldelete(file, "events", H5P_DEFAULT);
    const char *numbers[] = {"time",     "angle",       "speed", "peak_force", "peak_penetration",
                             "duration", "energy_lost", "impact"};
    hid_t text = H5Tcopy(H5T_C_S1), type = H5Tcreate(H5T_COMPOUND, 80);
    H5Tset_size(text, 8);
    H5Tinsert(type, "kind", 0, text);
    H5Tinsert(type, "joint", 8, text);
    for (size_t i = 0; i < 8; i++)
        H5Tinsert(type, numbers[i], 16 + 8 * i, i == 3 && text_for_number ? text : H5T_NATIVE_DOUBLE);
    const hsize_t size[1] = {1};
    const char record[80] = "onset";
    hid_t space = H5Screate_simple(1, size, NULL);
    hid_t set = H5Dcreate2(file, "events", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, record);
    H5Dclose(set), H5Sclose(space), H5Tclose(type), H5Tclose(text);
}

static uint32_t turn(uint32_t x, int by) {
    return x << by | x >> (32 - by);
}

/* The checksum of HDF5's headers: Bob Jenkins' lookup3, as the format's description has it. */
static uint32_t header_checksum(const unsigned char *bytes, size_t length) {
    static const int mix[6] = {4, 6, 8, 16, 19, 4}, last[7] = {14, 11, 25, 16, 4, 14, 24};
    uint32_t x[3] = {0xdeadbeef + (uint32_t)length, 0xdeadbeef + (uint32_t)length,
                     0xdeadbeef + (uint32_t)length};
    while (length > 0) {
        const size_t size = length < 12 ? length : 12;
        for (size_t i = 0; i < size; i++)
            x[i / 4] += (uint32_t)bytes[i] << 8 * (i % 4);
        bytes += size;
        length -= size;
        // (a, b, c) in turns: a -= c, a ^= turn(c), c += b; the last block is mixed differently.
        for (int k = 0; length > 0 && k < 6; k++) {
            uint32_t *a = &x[k % 3], *b = &x[(k + 1) % 3], *c = &x[(k + 2) % 3];
            *a -= *c;
            *a ^= turn(*c, mix[k]);
            *c += *b;
        }
    }
    for (int k = 0; k < 7; k++) {
        uint32_t *c = &x[(k + 2) % 3], *b = &x[(k + 1) % 3];
        *c ^= *b;
        *c -= turn(*b, last[k]);
    }
    return x[2];
}

/* HDF5 makes no member outside of its record, but reads one. The offset stands behind the name; the header
 * that they are in has a checksum, which a forger computes again. */
static void move_member(const char *path, const char *name, unsigned char offset) {
    size_t length;
    char *bytes = read_file(path, &length);
    const size_t size = strlen(name) + 1;
    // What was deleted may still be there, in another form.
    char *at = memmem(bytes, length, name, size);
    while (at && at[size] != 40)
        at = memmem(at + 1, length - (size_t)(at + 1 - bytes), name, size);
    assert_non_null(at);
    at[size] = (char)offset;
    unsigned char *header = (unsigned char *)at;
    while (memcmp(header, "OHDR", 4) != 0)
        header--;
    const unsigned char flags = header[5];
    const size_t width = (size_t)1 << (flags & 3);
    size_t prefix = 6u + (flags & 0x20 ? 16u : 0u) + (flags & 0x10 ? 4u : 0u) + width, chunk = 0;
    for (size_t i = 0; i < width; i++)
        chunk |= (size_t)header[prefix - width + i] << 8 * i;
    const uint32_t sum = header_checksum(header, prefix + chunk);
    for (int i = 0; i < 4; i++)
        header[prefix + chunk + (size_t)i] = (unsigned char)(sum >> 8 * i);
    write_file(path, bytes, length);
    free(bytes);
}

static void forge_a_link(hid_t file, const char *name, bool external) {
    H5Ldelete(file, name, H5P_DEFAULT);
    if (external)
        H5Lcreate_external("beside.h5", "/secret", file, name, H5P_DEFAULT, H5P_DEFAULT);
    else
        H5Lcreate_soft("/settings", file, name, H5P_DEFAULT, H5P_DEFAULT);
}

static void forge_external_storage(hid_t file, const char *name) {
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Tset_size(type, 6);
    H5Pset_external(list, "secret.txt", 0, 6);
    H5Ldelete(file, name, H5P_DEFAULT);
    H5Dclose(H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT));
    H5Pclose(list), H5Sclose(space), H5Tclose(type);
}

/* Many rows that take no room: chunks that were never written, or a filter that makes much of little. */
static void forge_rows(hid_t file, bool filtered) {
    H5Ldelete(file, "samples/data", H5P_DEFAULT);
    const hsize_t size[2] = {filtered ? 100000 : 1000000000000, COLUMNS}, chunk[2] = {1000, COLUMNS};
    hid_t space = H5Screate_simple(2, size, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 2, chunk);
    if (filtered)
        H5Pset_deflate(list, 9);
    hid_t set = H5Dcreate2(file, "samples/data", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (filtered) {
        double *zeros = calloc((size_t)(size[0] * size[1]), sizeof *zeros);
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros);
        free(zeros);
    }
    H5Dclose(set), H5Pclose(list), H5Sclose(space);
}

/* Names of columns that are fewer, more, a table, or numbers: nothing is read as a name that is none. */
static void test_forged_names(void **state) {
    (void)state;
    static const char *const links[] = {"samples/names", "samples/units"};
    for (int i = 0; i < 10; i++) {
        const char *link = links[i % 2];
        static const hsize_t sizes[5][2] = {
            {COLUMNS - 1, 1}, {COLUMNS + 1, 1}, {COLUMNS, 1}, {COLUMNS, 1}, {COLUMNS, 1}};
        const int kind = i / 2, rank = kind == 2 ? 2 : 1; // 2: a table; 3: numbers; 4: as it should be
        write_result("forged.h5", 3, 0, 0);
        hid_t file = H5Fopen("forged.h5", H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(H5Ldelete(file, link, H5P_DEFAULT) >= 0);
        hid_t type = H5Tcopy(kind == 3 ? H5T_NATIVE_DOUBLE : H5T_C_S1),
              space = H5Screate_simple(rank, sizes[kind], NULL);
        if (kind != 3)
            H5Tset_size(type, 8);
        char texts[COLUMNS + 1][8];
        memset(texts, 'x', sizeof texts);
        hid_t set = H5Dcreate2(file, link, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts);
        H5Dclose(set), H5Sclose(space), H5Tclose(type), H5Fclose(file);
        if (kind < 4)
            check_refused("forged.h5", "table of rows");
        else
            lash_result_close(open_result("forged.h5"));
    }
}

static void test_forged_contents(void **state) {
    (void)state;
    write_file("secret.txt", "secret", 6);
    hid_t beside = H5Fcreate("beside.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, 6);
    hid_t set = H5Dcreate2(beside, "secret", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, "secret");
    H5Dclose(set), H5Sclose(space), H5Tclose(type), H5Fclose(beside);

    for (int i = 0; i < 10; i++) {
        write_result("forged.h5", 300, 0, 20);
        hid_t file = H5Fopen("forged.h5", H5F_ACC_RDWR, H5P_DEFAULT);
        switch (i) {
        case 0:
        case 1: forge_events(file, i == 1); break;
        case 2: forge_rows(file, false); break;
        case 3: forge_rows(file, true); break;
        case 4: forge_a_link(file, "samples", false); break;
        case 5: forge_a_link(file, "events", true); break;
        case 6: forge_a_link(file, "model", true); break;
        case 7: forge_a_link(file, "model", false); break;
        case 8: forge_external_storage(file, "model"); break;
        case 9: forge_external_storage(file, "settings"); break;
        }
        H5Fclose(file);
        if (i == 0) {
            // To the place where it is: the checksum is right. Then behind the end.
            move_member("forged.h5", "peak_force", 40);
            lash_result_close(open_result("forged.h5"));
            move_member("forged.h5", "peak_force", 0x7f);
        }
        if (i < 6) {
            check_refused("forged.h5", i == 0 || i == 1 || i == 5 ? "table of events" : "table of rows");
            continue;
        }
        lash_result *result = open_result("forged.h5");
        assert_null(lash_result_text(result, i == 9 ? "settings" : "model"));
        check_rows(result, LASH_STREAM_SAMPLES, 300);
        lash_result_close(result);
    }
}

/* Every byte of the headers altered in turn: a message, or the numbers that are there. */
static void test_altered_bytes(void **state) {
    (void)state;
    enum { HEADERS = 2048, STEP = 3 };
    write_result("altered.h5", 3, 0, 2);
    size_t length;
    char *bytes = read_file("altered.h5", &length);
    size_t refused = 0, read = 0;
    for (size_t at = 0; at < length && at < HEADERS; at += STEP) {
        const char original = bytes[at];
        bytes[at] = (char)~original;
        write_file("altered.h5", bytes, length);
        bytes[at] = original;
        lash_result *result;
        if (lash_result_open(&result, "altered.h5", NULL) != LASH_OK) {
            assert_null(result);
            refused++;
            continue;
        }
        double values[3 * COLUMNS];
        if (lash_result_row_count(result, LASH_STREAM_SAMPLES) == 3)
            lash_result_read(values, result, LASH_STREAM_SAMPLES, 0, 3, NULL);
        lash_event *events = calloc(lash_result_event_count(result) + 1, sizeof *events);
        lash_result_read_events(events, result, NULL);
        free(events);
        lash_result_close(result);
        read++;
    }
    assert_true(refused > 100 && read > 0);
    free(bytes);
}

/* Names that a terminal would obey or a table would fall apart over, and characters cut in their middle. */
static void test_texts_are_tame(void **state) {
    (void)state;
    static const char *const wild[COLUMNS] = {"time", "a\033[31mb", "c\nd,e", "f\xff\xc3(g", "h\xc2\x9bi"};
    lash_error error;
    lashi_sink *sink;
    lashi_sink_layout with = layout(true, false);
    with.names = wild;
    assert_int_equal(lashi_hdf5_sink_create(&sink, "wild.h5", &with, &error), LASH_OK);
    const lash_summary summary = make_summary();
    lash_event event = make_event(1), read;
    event.joint = "p\nq";
    assert_int_equal(sink->event(sink, &event, &error), LASH_OK);
    assert_int_equal(sink->finish(sink, &summary, &error), LASH_OK);
    sink->destroy(sink);
    lash_result *result = open_result("wild.h5");
    assert_int_equal(lash_result_event_count(result), 1);
    assert_int_equal(lash_result_read_events(&read, result, &error), LASH_OK);
    assert_string_equal(read.joint, "p q");
    assert_string_equal(lash_result_column_name(result, 1), "a [31mb");
    assert_string_equal(lash_result_column_name(result, 2), "c d,e");
    assert_string_equal(lash_result_column_name(result, 3), "f??"
                                                            "(g");
    assert_string_equal(lash_result_column_name(result, 4), "h  i");
    lash_result_close(result);

    // 40000 bytes of two-byte characters behind one of a single byte: the limit falls into one of them.
    char *title = calloc(40002, 1);
    title[0] = 'x';
    for (size_t i = 1; i < 40001; i += 2)
        memcpy(title + i, "\xc3\xbc", 2);
    lash_model *titled;
    assert_int_equal(lash_model_create(&titled, LASH_PLANAR, NULL), LASH_OK);
    assert_int_equal(lash_model_set_title(titled, title, NULL), LASH_OK);
    with = layout(true, false);
    with.model = titled;
    assert_int_equal(lashi_hdf5_sink_create(&sink, "long.h5", &with, &error), LASH_OK);
    assert_int_equal(sink->finish(sink, &summary, &error), LASH_OK);
    sink->destroy(sink);
    result = open_result("long.h5");
    const char *kept = lash_result_text(result, "title");
    assert_int_equal(strlen(kept) % 2, 1);
    assert_true(strlen(kept) > 30000 && strncmp(kept, title, strlen(kept)) == 0);
    lash_result_close(result);
    lash_model_destroy(titled);
    free(title);
}

static void test_foreign_files(void **state) {
    (void)state;
    check_refused("missing.h5", "No such file");
    check_refused(".", "a folder");
    write_file("empty.h5", "", 0);
    check_refused("empty.h5", "not an HDF5 file");
    write_file("text.h5", "time [s],x [m]\n0,1\n", 18);
    check_refused("text.h5", "not an HDF5 file");
    hid_t file = H5Fcreate("foreign.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    check_refused("foreign.h5", "not a result of Lash");

    write_result("newer.h5", 2, 0, 0);
    const int format = 2;
    file = H5Fopen("newer.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t attribute = H5Aopen(file, "format", H5P_DEFAULT);
    assert_true(H5Awrite(attribute, H5T_NATIVE_INT, &format) >= 0);
    H5Aclose(attribute);
    H5Fclose(file);
    check_refused("newer.h5", "newer Lash");
}

typedef lash_status sink_create(lashi_sink **out, const char *path, const lashi_sink_layout *layout,
                                lash_error *error);

static void check_not_created(sink_create *create, const char *path, const char *part) {
    lashi_sink *sink;
    lash_error error;
    const lashi_sink_layout with = layout(true, false);
    assert_int_equal(create(&sink, path, &with, &error), LASH_ERROR_IO);
    assert_null(sink);
    if (!strstr(error.message, part))
        fail_msg("%s: '%s' does not say '%s'", path, error.message, part);
}

static void test_places_that_cannot_be_written(void **state) {
    (void)state;
    sink_create *const creates[] = {lashi_hdf5_sink_create, lashi_csv_sink_create};
    assert_int_equal(mkdir("locked", 0555), 0);
    assert_int_equal(mkdir("a-folder", 0777), 0);
    for (size_t i = 0; i < 2; i++) {
        check_not_created(creates[i], "no/such/file", "there is no folder 'no/such'");
        check_not_created(creates[i], "a-folder", "it is a folder");
        check_not_created(creates[i], "", "empty");
        write_file("plain", "x", 1);
        check_not_created(creates[i], "plain/below", "Not a directory");
        if (geteuid() != 0) // root may write anywhere
            check_not_created(creates[i], "locked/file", "Permission denied");
    }
    check_not_created(lashi_hdf5_sink_create, "/dev/null", "not a regular file");
}

static void test_two_writers(void **state) {
    (void)state;
    lashi_sink *first;
    lash_error error;
    const lashi_sink_layout with = layout(true, false);
    assert_int_equal(lashi_hdf5_sink_create(&first, "shared.h5", &with, &error), LASH_OK);
    check_not_created(lashi_hdf5_sink_create, "shared.h5", "another run");
    double row[COLUMNS];
    fill_row(row, 0);
    assert_int_equal(first->row(first, LASH_STREAM_SAMPLES, row, &error), LASH_OK);
    const lash_summary summary = make_summary();
    assert_int_equal(first->finish(first, &summary, &error), LASH_OK);
    first->destroy(first);
    lash_result *result = open_result("shared.h5");
    check_rows(result, LASH_STREAM_SAMPLES, 1);
    lash_result_close(result);
}

static void test_unfinished_is_removed(void **state) {
    (void)state;
    write_result("former.h5", 7, 0, 0);
    write_file("former.csv", "kept\n", 5);
    sink_create *const creates[] = {lashi_hdf5_sink_create, lashi_csv_sink_create};
    const char *const paths[] = {"former.h5", "former.csv"};
    for (size_t i = 0; i < 2; i++) {
        lashi_sink *sink;
        lash_error error;
        const lashi_sink_layout with = layout(true, false);
        assert_int_equal(creates[i](&sink, paths[i], &with, &error), LASH_OK);
        double row[COLUMNS];
        fill_row(row, 0);
        assert_int_equal(sink->row(sink, LASH_STREAM_SAMPLES, row, &error), LASH_OK);
        sink->destroy(sink);
    }
    assert_int_equal(access("former.h5.part", F_OK), -1);
    assert_int_equal(access("former.csv.part", F_OK), -1);
    lash_result *result = open_result("former.h5");
    check_rows(result, LASH_STREAM_SAMPLES, 7);
    lash_result_close(result);
    size_t length;
    char *text = read_file("former.csv", &length);
    assert_string_equal(text, "kept\n");
    free(text);
}

/* The disk is full from `limit` bytes on: the sink says so at the latest when it is finished, and the former
 * file is as it was. */
static void fill_disk(sink_create *create, const char *path, rlim_t limit) {
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, before.rlim_max});
    lashi_sink *sink;
    lash_error error = {.status = LASH_OK};
    const lashi_sink_layout with = layout(true, true);
    lash_status status = create(&sink, path, &with, &error);
    for (size_t i = 0; i < 20000 && status == LASH_OK; i++) {
        double row[COLUMNS];
        const lash_event event = make_event(i);
        fill_row(row, i);
        status = sink->row(sink, LASH_STREAM_SAMPLES, row, &error);
        if (status == LASH_OK)
            status = sink->row(sink, LASH_STREAM_STEPS, row, &error);
        if (status == LASH_OK)
            status = sink->event(sink, &event, &error);
    }
    // A record is finished after a failure too: that must not make the file look complete.
    const lash_summary summary = make_summary();
    if (sink)
        status = sink->finish(sink, &summary, &error);
    if (sink)
        sink->destroy(sink);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, LASH_ERROR_IO);
    assert_non_null(strstr(error.message, "File too large"));
    assert_non_null(strstr(error.message, path));
}

static void test_full_disk(void **state) {
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    write_result("full.h5", 7, 0, 0);
    write_file("full.csv", "kept\n", 5);
    static const rlim_t limits[] = {0, 1, 100, 2000, 5000, 70000, 200000, 1000000};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        fill_disk(lashi_hdf5_sink_create, "full.h5", limits[i]);
        fill_disk(lashi_csv_sink_create, "full.csv", limits[i]);
        assert_int_equal(access("full.h5.part", F_OK), -1);
        assert_int_equal(access("full.csv.part", F_OK), -1);
    }
    lash_result *result = open_result("full.h5");
    check_rows(result, LASH_STREAM_SAMPLES, 7);
    lash_result_close(result);
    write_result("full.h5", 9, 0, 0); // the library is in good order afterwards
    result = open_result("full.h5");
    check_rows(result, LASH_STREAM_SAMPLES, 9);
    lash_result_close(result);
}

static void test_full_device(void **state) {
    (void)state;
    lashi_sink *sink;
    lash_error error;
    const lashi_sink_layout with = layout(true, false);
    double row[COLUMNS];
    fill_row(row, 0);
    assert_int_equal(lashi_csv_sink_create(&sink, "/dev/full", &with, &error), LASH_OK);
    assert_int_equal(sink->row(sink, LASH_STREAM_SAMPLES, row, &error), LASH_OK);
    const lash_summary summary = make_summary();
    assert_int_equal(sink->finish(sink, &summary, &error), LASH_ERROR_IO);
    assert_non_null(strstr(error.message, "No space left"));
    sink->destroy(sink);
    assert_int_equal(access("/dev/full", F_OK), 0);
}

static void write_csv(const char *path, bool samples, bool steps, size_t rows) {
    lashi_sink *sink;
    lash_error error;
    const lashi_sink_layout with = layout(samples, steps);
    assert_int_equal(lashi_csv_sink_create(&sink, path, &with, &error), LASH_OK);
    for (size_t i = 0; i < rows; i++) {
        double row[COLUMNS];
        fill_row(row, i);
        if (samples)
            assert_int_equal(sink->row(sink, LASH_STREAM_SAMPLES, row, &error), LASH_OK);
        fill_row(row, samples ? i + 1 : i);
        if (steps)
            assert_int_equal(sink->row(sink, LASH_STREAM_STEPS, row, &error), LASH_OK);
    }
    const lash_summary summary = make_summary();
    assert_int_equal(sink->finish(sink, &summary, &error), LASH_OK);
    sink->destroy(sink);
}

static void check_csv(const char *path, size_t rows) {
    FILE *file = fopen(path, "r");
    char line[1024];
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "time [s],slider.x [m],crank.angle [rad],guide.fy [N],energy.balance [J]\n");
    for (size_t i = 0; i < rows; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        double row[COLUMNS], got[COLUMNS];
        fill_row(row, i);
        char *at = line;
        for (size_t k = 0; k < COLUMNS; k++) {
            got[k] = strtod(at, &at);
            assert_int_equal(*at, k + 1 < COLUMNS ? ',' : '\n');
            at++;
        }
        same_bits(got, row, COLUMNS);
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
}

static void test_csv_round_trip(void **state) {
    (void)state;
    write_csv("samples.csv", true, true, 3000);
    check_csv("samples.csv", 3000);
    write_csv("steps.csv", false, true, 40);
    check_csv("steps.csv", 40);
    write_csv("none.csv", true, false, 0);
    check_csv("none.csv", 0);
}

static void nothing(int signal) {
    (void)signal;
}

/* Into a pipe that is read slowly, by a writer whom signals interrupt before and in the middle of its writes. */
static void test_csv_interrupted(void **state) {
    (void)state;
    enum { ROWS = 6000, PIECE = 1000 };
    int ends[2];
    write_csv("whole.csv", true, false, ROWS);
    assert_int_equal(pipe(ends), 0);
    const pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        const struct sigaction action = {.sa_handler = nothing}; // calls are not taken up again
        const struct itimerval often = {{0, 200}, {0, 200}};
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        sigaction(SIGALRM, &action, NULL);
        setitimer(ITIMER_REAL, &often, NULL);
        write_csv("-", true, false, ROWS);
        _exit(0);
    }
    close(ends[1]);
    size_t length, at = 0;
    char *whole = read_file("whole.csv", &length), piece[PIECE];
    ssize_t got;
    while ((got = read(ends[0], piece, PIECE)) > 0) {
        assert_true(at + (size_t)got <= length);
        assert_memory_equal(piece, whole + at, (size_t)got);
        at += (size_t)got;
        usleep(100);
    }
    assert_int_equal(at, length);
    int status;
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(ends[0]);
    free(whole);
    unlink("whole.csv");
}

/* A decimal comma of the user's language must not get into the file. */
static void test_csv_locale(void **state) {
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    size_t i = 0;
    while (i < sizeof locales / sizeof *locales && !setlocale(LC_ALL, locales[i]))
        i++;
    if (i == sizeof locales / sizeof *locales)
        skip(); // none is installed here
    write_csv("locale.csv", true, false, 50);
    setlocale(LC_ALL, "C");
    check_csv("locale.csv", 50);
}

static void test_memory(void **state) {
    (void)state;
    lashi_sink *sink;
    lash_error error;
    const lashi_sink_layout with = layout(true, true);
    assert_int_equal(lashi_memory_sink_create(&sink, &with, &error), LASH_OK);
    for (size_t i = 0; i < 1000; i++) {
        double row[COLUMNS];
        fill_row(row, i);
        assert_int_equal(sink->row(sink, i % 4 ? LASH_STREAM_STEPS : LASH_STREAM_SAMPLES, row, &error),
                         LASH_OK);
        const lash_event event = make_event(i);
        assert_int_equal(sink->event(sink, &event, &error), LASH_OK);
    }
    size_t count;
    const double *rows = lashi_memory_sink_rows(&count, sink, LASH_STREAM_SAMPLES);
    assert_int_equal(count, 250);
    for (size_t i = 0; i < count; i++) {
        double row[COLUMNS];
        fill_row(row, 4 * i);
        same_bits(rows + i * COLUMNS, row, COLUMNS);
    }
    lashi_memory_sink_rows(&count, sink, LASH_STREAM_STEPS);
    assert_int_equal(count, 750);
    const lash_event *events = lashi_memory_sink_events(&count, sink);
    assert_int_equal(count, 1000);
    assert_string_equal(events[3].joint, "pin");
    const lash_summary summary = make_summary();
    assert_int_equal(sink->finish(sink, &summary, &error), LASH_OK);
    sink->destroy(sink);
}

static int begin(void **state) {
    (void)state;
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    lash_joint_def joint = lash_joint_default("revolute");
    joint.between[0] = "ground";
    joint.between[1] = "body";
    const lash_body_def body = lash_body_default();
    return lash_model_create(&model, LASH_PLANAR, NULL) != LASH_OK ||
           lash_model_set_title(model, "A title with ü", NULL) != LASH_OK ||
           lash_model_add_body(model, "body", &body, NULL) != LASH_OK ||
           lash_model_add_joint(model, "pin", &joint, NULL) != LASH_OK ||
           lash_model_add_joint(model, "gudgeon", &joint, NULL) != LASH_OK;
}

static int end(void **state) {
    (void)state;
    lash_model_destroy(model);
    static const char *const files[] = {
        "round.h5",  "texts.h5",   "whole.h5",   "cut.h5",   "empty.h5",    "text.h5",    "foreign.h5",
        "newer.h5",  "older.h5",   "other.h5",   "plain",    "shared.h5",   "former.h5",  "former.csv",
        "full.h5",   "full.csv",   "steps.csv",  "none.csv", "samples.csv", "locale.csv", "forged.h5",
        "beside.h5", "secret.txt", "altered.h5", "wild.h5",  "long.h5",     "format.h5",  "wide.h5"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    rmdir("locked");
    rmdir("a-folder");
    return chdir("..") != 0 || rmdir(folder) != 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hdf5_round_trip), cmocka_unit_test(test_hdf5_texts),
        cmocka_unit_test(test_long_texts),      cmocka_unit_test(test_cut_file),
        cmocka_unit_test(test_wrong_contents),  cmocka_unit_test(test_formats),
        cmocka_unit_test(test_wide_rows),       cmocka_unit_test(test_older_events),
        cmocka_unit_test(test_foreign_files),   cmocka_unit_test(test_forged_contents),
        cmocka_unit_test(test_forged_names),    cmocka_unit_test(test_altered_bytes),
        cmocka_unit_test(test_texts_are_tame),  cmocka_unit_test(test_places_that_cannot_be_written),
        cmocka_unit_test(test_two_writers),     cmocka_unit_test(test_unfinished_is_removed),
        cmocka_unit_test(test_full_disk),       cmocka_unit_test(test_full_device),
        cmocka_unit_test(test_csv_round_trip),  cmocka_unit_test(test_csv_interrupted),
        cmocka_unit_test(test_csv_locale),      cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
