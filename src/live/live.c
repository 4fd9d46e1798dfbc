/* SPDX-License-Identifier: MIT
 *
 * The solver of a live page (lash live): what the page's Worker calls, compiled to WebAssembly.
 *
 * A text comes in, JSON goes out, as `lash report` writes it (cli/page.h), so that both pages read the same.
 * One run at a time: lash_live_begin reads and compiles the model, lash_live_advance computes for a while, so
 * that the Worker can look for other requests in between, lash_live_result gives what came out. Texts that
 * are returned live until the next call that returns one.
 */
#include <emscripten.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/page.h"
#include "cli/result_model.h"
#include "cli/table.h"
#include "lash/lash.h"
#include "study/nonlinear.h"

static const double TURN = 6.283185307179586476925; // rad
enum { COARSE_SAMPLES = 500, STEPS_PER_LOOK = 16 };

static struct live {
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
    lash_record *record;    // NULL: only a section is wanted
    lashi_section *section; // NULL: none
    lash_error trouble;     // of the run, and of its section
    double begun;           // s, where the run begins
    lash_status status;
} live;

// ---- answers

static char *answer;
static size_t answer_length;

static FILE *answer_begin(void) {
    free(answer);
    answer = NULL;
    return open_memstream(&answer, &answer_length);
}

static const char *answer_end(FILE *stream) {
    return stream && fclose(stream) == 0 ? answer : NULL;
}

// ---- mistakes

typedef struct mistakes {
    FILE *stream;
    size_t count;
    const char *name;
} mistakes;

static void put_mistake(void *user, const lash_error *mistake) {
    mistakes *m = user;
    fprintf(m->stream, "%s{\"line\":%d,\"column\":%d,\"warning\":%s,\"place\":", m->count++ ? "," : "",
            mistake->line, mistake->column, mistake->status == LASH_OK ? "true" : "false");
    lashi_json_text(m->stream, mistake->file);
    fputs(",\"message\":", m->stream);
    lashi_json_text(m->stream, mistake->message);
    fputs(",\"excerpt\":", m->stream);
    lashi_json_text(m->stream, mistake->excerpt);
    fputs(",\"time\":", m->stream);
    lashi_json_number(m->stream, mistake->time);
    fputc('}', m->stream);
}

/* Reads a model; all that is wrong with it goes to m. */
static lash_status load(lash_model **model, const char *text, const char *name, const char *given,
                        mistakes *m, lash_error *error) {
    char *copy = strdup(given);
    size_t lines = 1;
    for (const char *c = given; *c; c++)
        lines += *c == '\n';
    lash_setting *settings = calloc(lines + 2, sizeof *settings);
    lash_status status = LASH_ERROR_MEMORY;
    const size_t before = m ? m->count : 0;
    if (copy && settings) {
        const lash_load_options options = {.settings = settings,
                                           .setting_count = lashi_settings_split(settings, copy),
                                           .report = m ? put_mistake : NULL,
                                           .user = m};
        status = lash_model_parse(model, text, strlen(text), name, &options, error);
    }
    if (status && m && m->count == before)
        put_mistake(m, error);
    free(copy);
    free(settings);
    return status;
}

/* One of the unit that the file writes a parameter in, SI; NaN where it is no plain number. */
static double unit_size(const lash_parameter *p) {
    char *unit, one[64];
    double size;
    strtod(p->usual, &unit);
    const int length = snprintf(one, sizeof one, "1%s", unit);
    return unit != p->usual && length < (int)sizeof one && !lash_quantity_read(&size, one, p->unit, NULL)
               ? size
               : (double)NAN;
}

static void put_parameters(FILE *stream, const lash_model *model) {
    lash_parameter p;
    for (size_t i = 0; lash_model_parameter(&p, model, i); i++) {
        fprintf(stream, "%s{\"name\":", i ? "," : "");
        lashi_json_text(stream, p.name);
        lashi_json_key(stream, "text");
        lashi_json_text(stream, p.text);
        lashi_json_key(stream, "usual");
        lashi_json_text(stream, p.usual);
        lashi_json_key(stream, "unit");
        lashi_json_text(stream, p.unit);
        lashi_json_key(stream, "doc");
        lashi_json_text(stream, p.doc);
        lashi_json_key(stream, "value");
        lashi_json_number(stream, p.value);
        lashi_json_key(stream, "one");
        lashi_json_number(stream, unit_size(&p));
        lashi_json_key(stream, "range");
        fputc('[', stream);
        if (isfinite(p.low)) {
            lashi_json_number(stream, p.low);
            fputc(',', stream);
            lashi_json_number(stream, p.high);
        }
        fputc(']', stream);
        lashi_json_key(stream, "choices");
        fputc('[', stream);
        for (size_t k = 0; p.choices && p.choices[k]; k++) {
            fputs(k ? "," : "", stream);
            lashi_json_text(stream, p.choices[k]);
        }
        fputs("]}", stream);
    }
}

/* What is wrong with a model, and its parameters. */
EMSCRIPTEN_KEEPALIVE const char *lash_live_check(const char *text, const char *name, const char *settings) {
    FILE *stream = answer_begin();
    if (!stream)
        return NULL;
    lash_model *model = NULL;
    lash_error error = {.time = (double)NAN};
    mistakes m = {stream, 0, name};
    fputs("{\"mistakes\":[", stream);
    const lash_status status = load(&model, text, name, settings, &m, &error);
    fprintf(stream, "],\"fine\":%s,\"title\":", status ? "false" : "true");
    lashi_json_text(stream, model ? lash_model_title(model) : "");
    fputs(",\"parameters\":[", stream);
    if (model)
        put_parameters(stream, model);
    fputs("]}", stream);
    lash_model_destroy(model);
    return answer_end(stream);
}

EMSCRIPTEN_KEEPALIVE const char *lash_live_schema(void) {
    free(answer);
    return answer = lash_schema();
}

// ---- a run

EMSCRIPTEN_KEEPALIVE void lash_live_clear(void) {
    lashi_section_destroy(live.section);
    lash_record_destroy(live.record);
    lash_sim_destroy(live.sim);
    lash_system_destroy(live.system);
    lash_model_destroy(live.model);
    live = (struct live){0};
}

/* "a,b" → a section of these channels at every turn of a drive, after a share of the run. */
static lash_status cut(const char *drive, const char *channels, double phase, double from) {
    enum { MOST = 8 };
    const char *names[MOST];
    size_t count = 0;
    char *copy = strdup(channels), *rest = copy;
    for (char *name; copy && count < MOST && (name = strsep(&rest, ",")) != NULL;)
        names[count++] = name;
    const lashi_surface surface = {drive, phase, TURN, 0};
    const lash_status status =
        copy ? lashi_section_create(&live.section, live.sim, &surface, names, count,
                                    live.begun + from * (lash_system_end(live.system) - live.begun), 0,
                                    &live.trouble)
             : LASH_ERROR_MEMORY;
    free(copy);
    return status;
}

static lash_status record(bool coarse, lash_error *error) {
    const lash_run_def *run = lash_model_run(live.model);
    const bool uniform = isfinite(run->samples) || isfinite(run->every);
    lash_record_options options = {.samples = isfinite(run->samples) ? (size_t)run->samples : 0,
                                   .every = run->every,
                                   .steps = run->steps || !uniform,
                                   .peaks = true};
    if (coarse)
        options = (lash_record_options){.samples = COARSE_SAMPLES, .every = (double)NAN, .peaks = true};
    const lash_status status = lash_record_create(&live.record, live.sim, &options, error);
    return status ? status : lash_record_to_memory(live.record, error);
}

static lash_status begin(const char *text, const char *name, const char *settings, mistakes *m,
                         lash_error *error) {
    lash_status status = load(&live.model, text, name, settings, m, error);
    if (!status)
        status = lash_system_compile(&live.system, live.model, error);
    if (!status && !isfinite(lash_system_end(live.system))) {
        *error = (lash_error){.status = LASH_ERROR_MODEL, .time = (double)NAN};
        snprintf(error->message, sizeof error->message,
                 "the model does not say when the run ends: give run: {until: 0.2 s}");
        status = LASH_ERROR_MODEL;
    }
    if (!status)
        status = lash_sim_create(&live.sim, live.system, error);
    live.begun = status ? 0 : lash_sim_time(live.sim);
    return status;
}

/* Reads and compiles a model. `drive` empty: its motion is recorded, coarsely or as the model says; else only
 * the section of `channels` at every turn of that drive, after a share `from` of the run. The answer lists
 * what is wrong; [] : it can continue. */
EMSCRIPTEN_KEEPALIVE const char *lash_live_begin(const char *text, const char *name, const char *settings,
                                                 int coarse, const char *drive, const char *channels,
                                                 double phase, double from) {
    lash_live_clear();
    FILE *stream = answer_begin();
    if (!stream)
        return NULL;
    lash_error error = {.time = (double)NAN};
    char *said = NULL;
    size_t length;
    mistakes m = {open_memstream(&said, &length), 0, name};
    lash_status status = m.stream ? begin(text, name, settings, &m, &error) : LASH_ERROR_MEMORY;
    if (!status)
        status = *drive ? cut(drive, channels, phase, from) : record(coarse != 0, &error);
    if (status && *drive && live.trouble.status)
        error = live.trouble;
    if (status && live.model && m.stream)
        put_mistake(&m, &error);
    if (m.stream)
        fclose(m.stream);
    fprintf(stream, "{\"fine\":%s,\"mistakes\":[%s]}", status ? "false" : "true", said ? said : "");
    free(said);
    live.status = status;
    return answer_end(stream);
}

static double wall_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct slice {
    double until; // s, of the clock
    unsigned steps;
} slice;

static lash_status observe(void *user, lash_sim *sim, double t_old, double t_new) {
    (void)user;
    return lashi_section_observe(live.section, sim, t_old, t_new);
}

static bool go_on(void *user, double time, double end) {
    slice *s = user;
    return time >= end || ++s->steps % STEPS_PER_LOOK != 0 || wall_clock() < s->until;
}

/* Computes for so many seconds. 1: there is more to do, 0: it is done, also where it failed. */
EMSCRIPTEN_KEEPALIVE int lash_live_advance(double seconds) {
    if (!live.sim || live.status < 0)
        return 0;
    slice s = {.until = wall_clock() + seconds};
    const lash_run_control control = {
        .progress = go_on, .observe = live.section ? observe : NULL, .user = &s};
    live.trouble = (lash_error){.time = (double)NAN};
    live.status = lash_sim_run(live.sim, live.record, &control, &live.trouble);
    return live.status == LASH_STOP_INTERRUPTED;
}

/* How much of the run is done. */
EMSCRIPTEN_KEEPALIVE double lash_live_share(void) {
    return live.sim ? (lash_sim_time(live.sim) - live.begun) / (lash_system_end(live.system) - live.begun)
                    : 0;
}

/* What came out, as an object of the page; a run that failed has its message in the summary. */
EMSCRIPTEN_KEEPALIVE const char *lash_live_result(const char *name) {
    if (!live.record)
        return NULL;
    const lash_summary summary = lash_sim_summary(live.sim);
    lash_error error = {.time = (double)NAN};
    lash_result *result = NULL;
    FILE *stream = answer_begin();
    lash_status status = stream ? lash_record_finish(live.record, &summary, &error) : LASH_ERROR_MEMORY;
    if (!status)
        status = lash_record_result(&result, live.record, &summary, &error);
    const lashi_page_options options = {.from = (double)NAN, .to = (double)NAN, .results = 2};
    if (!status)
        status = lashi_page_result(stream, result, name, "", &options);
    lash_result_close(result);
    const char *text = answer_end(stream);
    return status ? NULL : text;
}

/* Its rows, or its events, as `lash export` writes them. */
EMSCRIPTEN_KEEPALIVE const char *lash_live_csv(int events) {
    FILE *stream = live.record ? answer_begin() : NULL;
    lash_result *result = NULL;
    const size_t count = lash_record_column_count(live.record);
    size_t *columns = calloc(count + 1, sizeof *columns);
    if (stream && columns && !lash_record_result(&result, live.record, NULL, NULL)) {
        for (size_t i = 0; i < count; i++)
            columns[i] = i;
        if (events)
            lashi_table_events(stream, result);
        else
            lashi_table_rows(stream, result,
                             lash_result_row_count(result, LASH_STREAM_SAMPLES) ? LASH_STREAM_SAMPLES
                                                                                : LASH_STREAM_STEPS,
                             columns, count, NULL);
    }
    lash_result_close(result);
    free(columns);
    return answer_end(stream);
}

/* The points of the section: {"fine", "message", "channels": n, "points": […]}. */
EMSCRIPTEN_KEEPALIVE const char *lash_live_points(void) {
    FILE *stream = live.section ? answer_begin() : NULL;
    if (!stream)
        return NULL;
    const lash_summary summary = lash_sim_summary(live.sim);
    fprintf(stream, "{\"fine\":%s,\"message\":", live.status < 0 ? "false" : "true");
    lashi_json_text(stream, summary.message);
    fprintf(stream, ",\"width\":%zu,\"points\":", live.section->width);
    if (live.section->count)
        lashi_json_vector(stream, live.section->points, live.section->count * live.section->width);
    else
        fputs("[]", stream);
    fputc('}', stream);
    return answer_end(stream);
}
