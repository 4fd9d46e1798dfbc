/* SPDX-License-Identifier: MIT
 *
 * A result as JSON: its texts, its channels made few enough for a page, frames of the animation, events, and
 * the model parsed again for the drawing.
 *
 * Sizes. A page is to stay below 10 MB. A number of a curve or a frame takes 16/3 bytes in base64; what a
 * page may hold is shared between its results and, within a result, between its channels.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page.h"
#include "cli/result_model.h"
#include "cli/rows.h"
#include "cli/talk.h"

enum {
    PLOT_VALUES = 800000,  // numbers in all curves of a page: 4.3 MB
    FRAME_VALUES = 400000, // numbers in all frames of a page: 2.1 MB
    LEAST_POINTS = 400,    // of a curve, before channels are left out
    MOST_FRAMES = 40000,
    MOST_EVENTS = 10000, // 0.5 MB
    MOST_TEXT = 600000   // bytes of the model's text
};
static const double COARSE_TURN = 0.7; // rad between frames, from which an animation misleads

typedef struct page {
    FILE *stream;
    lash_result *result;
    const char *path;
    const lashi_page_options *options;
    lash_model *model;  // NULL: could not be parsed
    char problem[2048]; // why not
    char **warnings;    // of the parser
    size_t warning_count;
    lash_stream which;
    size_t first, own_rows;        // the part of the stream that is shown
    bool peaks;                    // and, unless a stream was asked for, the peaks between its rows
    size_t rows;                   // in all
    double start, end;             // s
    size_t *columns, column_count; // of the figures
    size_t *frame_columns, frame_column_count; // of the animation
    size_t *groups, group_count;
    bool *weights;
    size_t left_out; // channels
} page;

static lash_status no_memory(void) {
    return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
}

// ---- the model

static void take_mistake(void *user, const lash_error *mistake) {
    page *p = user;
    if (mistake->status != LASH_OK) {
        if (!p->problem[0])
            snprintf(p->problem, sizeof p->problem, "line %d: %s", mistake->line, mistake->message);
        return;
    }
    char **more = realloc(p->warnings, (p->warning_count + 1) * sizeof *more);
    if (more)
        p->warnings = more;
    char *text = more ? strdup(mistake->message) : NULL;
    if (text)
        p->warnings[p->warning_count++] = text;
}

static lash_status parse_model(page *p) {
    lash_error error = {.time = (double)NAN};
    const lash_status status = lashi_result_model(&p->model, p->result, p->path, take_mistake, p, &error);
    if (status && !p->problem[0])
        snprintf(p->problem, sizeof p->problem, "%s", error.message);
    return status == LASH_ERROR_MEMORY ? no_memory() : LASH_OK;
}

// ---- which rows

static lash_status read_row(double *row, page *p, size_t index) {
    lash_error error = {.time = (double)NAN};
    const lash_status status = lash_result_read(row, p->result, p->which, index, 1, &error);
    if (status)
        lashi_talk_error(&error);
    return status;
}

/* The first row that is not before a time; rows when there is none. */
static lash_status find_row(size_t *index, page *p, double *row, size_t rows, double time) {
    size_t low = 0, high = rows;
    lash_status status = LASH_OK;
    while (low < high && !status) {
        const size_t middle = low + (high - low) / 2;
        status = read_row(row, p, middle);
        if (row[0] < time)
            low = middle + 1;
        else
            high = middle;
    }
    *index = low;
    return status;
}

static lash_status choose_rows(page *p) {
    const lashi_page_options *o = p->options;
    const size_t steps = lash_result_row_count(p->result, LASH_STREAM_STEPS);
    p->which = o->stream ? strcmp(o->stream, "steps") == 0 ? LASH_STREAM_STEPS : LASH_STREAM_SAMPLES
               : steps   ? LASH_STREAM_STEPS
                         : LASH_STREAM_SAMPLES;
    const size_t rows = lash_result_row_count(p->result, p->which);
    if (rows == 0)
        return lashi_talk_fail(LASH_ERROR_USAGE, "'%s' has no %s", p->path, o->stream ? o->stream : "rows");
    double *row = calloc(lash_result_column_count(p->result), sizeof *row);
    if (!row)
        return no_memory();
    size_t last = rows;
    lash_status status = LASH_OK;
    if (!isnan(o->from))
        status = find_row(&p->first, p, row, rows, o->from);
    if (!status && !isnan(o->to))
        status = find_row(&last, p, row, rows, nextafter(o->to, INFINITY));
    if (!status && last <= p->first)
        status = lashi_talk_fail(LASH_ERROR_USAGE, "'%s' has no rows between --from and --to", p->path);
    if (!status && !(status = read_row(row, p, p->first)))
        p->start = row[0];
    if (!status && !(status = read_row(row, p, last - 1)))
        p->end = row[0];
    p->own_rows = last - p->first;
    p->peaks = !o->stream;
    free(row);
    lashi_rows all;
    if (!status)
        status = lashi_rows_open(&all, p->result, p->which, p->first, p->own_rows, p->peaks);
    if (!status) {
        p->rows = all.count;
        lashi_rows_close(&all);
    }
    return status;
}

// ---- which columns

static bool is_wanted(const page *p, const char *name) {
    if (!p->options->patterns)
        return true;
    bool wanted = false;
    char *list = strdup(p->options->patterns), *rest = list, *pattern;
    while (!wanted && (pattern = strsep(&rest, ",")) != NULL) {
        pattern += strspn(pattern, " ");
        wanted = fnmatch(pattern, name, 0) == 0;
    }
    free(list);
    return wanted;
}

static lash_status choose_columns(page *p) {
    const size_t width = lash_result_column_count(p->result);
    const size_t most = PLOT_VALUES / LEAST_POINTS / p->options->results;
    p->columns = calloc(width + 1, sizeof *p->columns);
    if (!p->columns)
        return no_memory();
    for (size_t c = 1; c < width; c++) { // 0 is the time
        if (!is_wanted(p, lash_result_column_name(p->result, c)))
            continue;
        if (p->column_count < most)
            p->columns[p->column_count++] = c;
        else
            p->left_out++;
    }
    if (p->column_count == 0)
        return p->options->patterns
                   ? lashi_talk_fail(LASH_ERROR_USAGE, "'%s' has none of the channels '%s'", p->path,
                                     p->options->patterns)
                   : lashi_talk_fail(LASH_ERROR_USAGE, "'%s' has no channels but the time", p->path);
    return LASH_OK;
}

static int by_name(const void *a, const void *b) {
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* Column names in order, for searching: name, then its index behind it. */
typedef struct entry {
    const char *name;
    size_t column;
} entry;

static void add_frame_column(page *p, const entry *index, const char *object, const char *quantity,
                             bool weight) {
    char name[LASH_ERROR_PLACE];
    const char *key = name;
    snprintf(name, sizeof name, "%s.%s", object, quantity);
    const entry *found = bsearch(&key, index, lash_result_column_count(p->result), sizeof *index, by_name);
    if (!found)
        return;
    p->weights[p->frame_column_count] = weight;
    p->frame_columns[p->frame_column_count++] = found->column;
}

static size_t count_names(const char *const *names) {
    size_t count = 0;
    while (names[count])
        count++;
    return count;
}

/* Poses of the bodies, then one group for each way in which a joint has play. */
static lash_status choose_frame_columns(page *p) {
    static const char *const poses[] = {"x", "y", "z", "angle", "e0", "e1", "e2", "e3"};
    enum { POSES = 8 };
    const size_t width = lash_result_column_count(p->result);
    const size_t bodies = lash_scene_body_count(p->model), joints = lash_scene_joint_count(p->model);
    size_t most = bodies * POSES, plays = 0;
    for (size_t j = 0; j < joints; j++)
        for (size_t k = 0; k < lash_scene_joint_at(p->model, j).play_count; k++, plays++) {
            const lash_scene_play play = lash_scene_play_at(p->model, j, k);
            most += count_names(play.channels) + count_names(play.forces);
        }
    entry *index = calloc(width, sizeof *index);
    p->frame_columns = calloc(most + 1, sizeof *p->frame_columns);
    p->weights = calloc(most + 1, sizeof *p->weights);
    p->groups = calloc(plays + 2, sizeof *p->groups);
    if (!index || !p->frame_columns || !p->weights || !p->groups) {
        free(index);
        return no_memory();
    }
    for (size_t c = 0; c < width; c++)
        index[c] = (entry){lash_result_column_name(p->result, c), c};
    qsort(index, width, sizeof *index, by_name);
    for (size_t b = 1; b < bodies; b++) {
        const lash_scene_body body = lash_scene_body_at(p->model, b);
        for (size_t q = 0; q < POSES; q++)
            add_frame_column(p, index, body.name, poses[q], false);
    }
    p->groups[0] = p->frame_column_count;
    for (size_t j = 0; j < joints; j++) {
        const lash_scene_joint joint = lash_scene_joint_at(p->model, j);
        for (size_t k = 0; k < joint.play_count; k++) {
            const lash_scene_play play = lash_scene_play_at(p->model, j, k);
            for (size_t q = 0; play.forces[q]; q++)
                add_frame_column(p, index, joint.name, play.forces[q], true);
            for (size_t q = 0; play.channels[q]; q++)
                add_frame_column(p, index, joint.name, play.channels[q], false);
            p->groups[++p->group_count] = p->frame_column_count;
        }
    }
    free(index);
    return LASH_OK;
}

// ---- reading

static lash_status read_rows(page *p, lashi_thin *thin, lashi_frames *frames) {
    lashi_rows rows;
    double last = -INFINITY;
    lash_status status = lashi_rows_open(&rows, p->result, p->which, p->first, p->own_rows, p->peaks);
    for (size_t i = 0; i < p->rows && !status; i++) {
        const double *row;
        status = lashi_rows_next(&row, &rows);
        if (status || !(row[0] >= last)) // a damaged file: time does not go back
            continue;
        last = row[0];
        lashi_thin_row(thin, row[0], row, p->columns);
        if (frames)
            lashi_frames_row(frames, row[0], row, p->frame_columns);
    }
    lashi_rows_close(&rows);
    lashi_thin_finish(thin);
    if (!status && thin->count == 0)
        return lashi_talk_fail(LASH_ERROR_IO, "'%s' is damaged: its rows have no times", p->path);
    return status;
}

/* The largest turn of a body from frame to frame, rad; only of angles in the plane. */
static double coarsest(const page *p, const lashi_frames *frames) {
    double most = 0;
    for (size_t c = 0; c < p->groups[0]; c++) {
        const char *name = lash_result_column_name(p->result, p->frame_columns[c]), *dot = strrchr(name, '.');
        if (!dot || strcmp(dot, ".angle") != 0)
            continue;
        const float *angle = frames->values + c * frames->most;
        for (size_t k = 1; k < frames->count; k++)
            most = fmax(most, fabs((double)angle[k] - (double)angle[k - 1]));
    }
    return most;
}

// ---- writing

static void put_names(page *p, const char *key, const size_t *columns, size_t count,
                      const char *(*text)(const lash_result *, size_t)) {
    fprintf(p->stream, ",\"%s\":[", key);
    for (size_t c = 0; c < count; c++) {
        fputs(c ? "," : "", p->stream);
        lashi_json_text(p->stream, text(p->result, columns[c]));
    }
    fputc(']', p->stream);
}

static void put_columns(FILE *stream, const float *values, size_t columns, size_t stride, size_t count,
                        float *scratch) {
    for (size_t c = 0; c < columns; c++)
        memcpy(scratch + c * count, values + c * stride, count * sizeof *scratch);
    lashi_json_floats(stream, scratch, columns * count);
}

static lash_status put_table(page *p, const char *key, const size_t *columns, size_t column_count,
                             const double *time, const float *values, size_t stride, size_t count) {
    float *scratch = calloc(column_count * count + 1, sizeof *scratch);
    if (!scratch)
        return no_memory();
    fprintf(p->stream, ",\n\"%s\":{\"count\":%zu", key, count);
    put_names(p, "names", columns, column_count, lash_result_column_name);
    put_names(p, "units", columns, column_count, lash_result_column_unit);
    fputs(",\"time\":", p->stream);
    lashi_json_doubles(p->stream, time, count);
    fputs(",\"data\":", p->stream);
    put_columns(p->stream, values, column_count, stride, count, scratch);
    fputc('}', p->stream);
    free(scratch);
    return LASH_OK;
}

static int stronger(const void *a, const void *b) {
    const lash_event *x = a, *y = b;
    return (x->peak_force < y->peak_force) - (x->peak_force > y->peak_force);
}

static int earlier(const void *a, const void *b) {
    const lash_event *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

static void put_event_numbers(page *p, const char *key, const lash_event *events, size_t count, size_t offset,
                              float *scratch) {
    for (size_t i = 0; i < count; i++)
        scratch[i] = (float)*(const double *)((const char *)&events[i] + offset);
    fprintf(p->stream, ",\"%s\":", key);
    lashi_json_floats(p->stream, scratch, count);
}

/* Kinds in two bits, and a third for an impact; joints by their place in a list. */
static lash_status put_event_words(page *p, const lash_event *events, size_t count) {
    uint8_t *kinds = calloc(count + 1, sizeof *kinds);
    uint16_t *joints = calloc(count + 1, sizeof *joints);
    double *times = calloc(count + 1, sizeof *times);
    const char **names = calloc(count + 1, sizeof *names);
    lash_status status = kinds && joints && times && names ? LASH_OK : no_memory();
    size_t known = 0;
    fputs(",\"joints\":[", p->stream);
    for (size_t i = 0; i < count && !status; i++) {
        size_t j = 0;
        while (j < known && strcmp(names[j], events[i].joint) != 0)
            j++;
        if (j == known) {
            fputs(known ? "," : "", p->stream);
            lashi_json_text(p->stream, events[i].joint);
            names[known++] = events[i].joint;
        }
        joints[i] = (uint16_t)j;
        kinds[i] = (uint8_t)((unsigned)events[i].kind | (events[i].impact ? 128u : 0u));
        times[i] = events[i].time;
    }
    fputc(']', p->stream);
    if (!status) {
        fputs(",\"kind\":", p->stream);
        lashi_json_u8(p->stream, kinds, count);
        fputs(",\"joint\":", p->stream);
        lashi_json_u16(p->stream, joints, count);
        fputs(",\"time\":", p->stream);
        lashi_json_doubles(p->stream, times, count);
    }
    free(kinds);
    free(joints);
    free(times);
    free(names);
    return status;
}

static lash_status put_events(page *p) {
    size_t total = lash_result_event_count(p->result), count = 0;
    const size_t most = MOST_EVENTS / p->options->results;
    lash_event *events = calloc(total + 1, sizeof *events);
    lash_error error = {.time = (double)NAN};
    if (!events)
        return no_memory();
    lash_status status = lash_result_read_events(events, p->result, &error);
    if (status)
        lashi_talk_error(&error);
    for (size_t i = 0; i < total && !status; i++)
        if (events[i].time >= p->start && events[i].time <= p->end)
            events[count++] = events[i];
    total = count;
    if (!status && count > most) {
        qsort(events, count, sizeof *events, stronger);
        count = most;
        qsort(events, count, sizeof *events, earlier);
    }
    float *scratch = calloc(count + 1, sizeof *scratch);
    if (!status && !scratch)
        status = no_memory();
    if (!status) {
        fprintf(p->stream, ",\n\"eventTotal\":%zu,\"events\":{\"count\":%zu", total, count);
        status = put_event_words(p, events, count);
    }
    if (!status) {
        put_event_numbers(p, "angle", events, count, offsetof(lash_event, angle), scratch);
        put_event_numbers(p, "speed", events, count, offsetof(lash_event, speed), scratch);
        put_event_numbers(p, "peak_force", events, count, offsetof(lash_event, peak_force), scratch);
        put_event_numbers(p, "peak_penetration", events, count, offsetof(lash_event, peak_penetration),
                          scratch);
        put_event_numbers(p, "duration", events, count, offsetof(lash_event, duration), scratch);
        put_event_numbers(p, "energy_lost", events, count, offsetof(lash_event, energy_lost), scratch);
        put_event_numbers(p, "impulse", events, count, offsetof(lash_event, impulse), scratch);
        fputc('}', p->stream);
    }
    free(scratch);
    free(events);
    return status;
}

static void put_text(page *p, const char *key, const char *text) {
    lashi_json_key(p->stream, key);
    lashi_json_text(p->stream, text);
}

static void put_texts(page *p, const char *label) {
    const char *model = lash_result_text(p->result, "model"), *slash = strrchr(p->path, '/');
    fputs("{\"file\":", p->stream);
    lashi_json_text(p->stream, slash ? slash + 1 : p->path);
    put_text(p, "label", label);
    put_text(p, "title", lash_result_text(p->result, "title"));
    put_text(p, "version", lash_result_text(p->result, "version"));
    put_text(p, "settings", lash_result_text(p->result, "settings"));
    put_text(p, "summary", lash_result_text(p->result, "summary"));
    put_text(p, "model",
             model && strlen(model) > MOST_TEXT ? "# Too long for this page: lash export RESULT.h5 --model"
                                                : model);
    lashi_json_key(p->stream, "scene");
    if (p->model)
        lashi_page_scene(p->stream, p->model);
    else
        fputs("null", p->stream);
}

/* What the page warns of besides what it reads from the summary. */
static void put_warnings(page *p, double turn) {
    char text[sizeof p->problem + 256];
    const char *separator = "";
    lashi_json_key(p->stream, "warnings");
    fputc('[', p->stream);
    if (!p->model) {
        snprintf(text, sizeof text, "The machine is not drawn, because its model cannot be read: %s",
                 p->problem);
        lashi_json_text(p->stream, text);
        separator = ",";
    }
    for (size_t i = 0; i < p->warning_count; i++) {
        fputs(separator, p->stream);
        lashi_json_text(p->stream, p->warnings[i]);
        separator = ",";
    }
    if (p->left_out) {
        snprintf(
            text, sizeof text,
            "%zu channels are left out to limit the size of the page; lash report --channels chooses others.",
            p->left_out);
        fputs(separator, p->stream);
        lashi_json_text(p->stream, text);
        separator = ",";
    }
    if (turn > COARSE_TURN) {
        snprintf(text, sizeof text,
                 "In the animation bodies turn by up to %.0f° from one frame to the next; lash report --from "
                 "and --to show a part of the run in more detail.",
                 turn * 180 / M_PI);
        fputs(separator, p->stream);
        lashi_json_text(p->stream, text);
    }
    fputc(']', p->stream);
}

static lash_status put_result(page *p, const char *label) {
    const size_t most = PLOT_VALUES / p->column_count / p->options->results;
    lashi_thin thin = {0};
    lashi_frames frames = {
        .columns = p->frame_column_count, .groups = p->group_count, .group = p->groups, .weight = p->weights};
    const bool moves = p->model && p->frame_column_count > 0;
    size_t most_frames = moves ? FRAME_VALUES / p->frame_column_count / p->options->results : 0;
    most_frames = most_frames < 2 ? 2 : most_frames > MOST_FRAMES ? MOST_FRAMES : most_frames;
    lash_status status =
        lashi_thin_init(&thin, p->column_count, p->rows, most) &&
                (!moves || lashi_frames_init(&frames, p->rows, most_frames, p->start, p->end))
            ? read_rows(p, &thin, moves ? &frames : NULL)
            : no_memory();
    if (!status) {
        put_texts(p, label);
        put_warnings(p, moves && frames.span > 0 ? coarsest(p, &frames) : 0);
        fprintf(p->stream,
                ",\n\"stream\":\"%s\",\"rows\":%zu,\"peaks\":%zu,\"rowsPerPoint\":%zu,\"fromGiven\":%s",
                p->which == LASH_STREAM_STEPS ? "steps" : "samples", p->own_rows, p->rows - p->own_rows,
                thin.per, isnan(p->options->from) ? "false" : "true");
        status = put_table(p, "plot", p->columns, p->column_count, thin.time, thin.values, thin.capacity,
                           thin.count);
    }
    if (!status && moves)
        status = put_table(p, "frames", p->frame_columns, p->frame_column_count, frames.time, frames.values,
                           frames.most, frames.count);
    if (!status)
        status = put_events(p);
    if (!status)
        fputc('}', p->stream);
    lashi_thin_clear(&thin);
    lashi_frames_clear(&frames);
    return status;
}

lash_status lashi_page_result(FILE *stream, lash_result *result, const char *path, const char *label,
                              const lashi_page_options *options) {
    page p = {.stream = stream, .result = result, .path = path, .options = options};
    lash_status status = parse_model(&p);
    if (!status)
        status = choose_rows(&p);
    if (!status)
        status = choose_columns(&p);
    if (!status && p.model)
        status = choose_frame_columns(&p);
    if (!status) {
        lash_error warning = {.time = (double)NAN};
        snprintf(warning.message, sizeof warning.message,
                 "'%.200s': the machine is not drawn, because its model cannot be read: %.700s", path,
                 p.problem);
        if (!p.model)
            lashi_talk_error(&warning);
        status = put_result(&p, label);
    }
    for (size_t i = 0; i < p.warning_count; i++)
        free(p.warnings[i]);
    free(p.warnings);
    free(p.columns);
    free(p.frame_columns);
    free(p.weights);
    free(p.groups);
    lash_model_destroy(p.model);
    return status;
}
