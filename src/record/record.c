/* SPDX-License-Identifier: MIT
 *
 * A record: chosen channels, the two streams, and the sinks they go to.
 *
 * Sample k of N is at start + (end − start)·k/N, the last one exactly at the end. A sample at which an
 * event happens belongs to the stretch before it, also where its time, computed in another way than that of the event,
 * is later by rounding. Samples come from dense output inside the step and so never
 * change it.
 *
 * Peaks. An impact is shorter than samples are apart, and its largest force lies between two steps. So of
 * every joint with play the row with the largest force since the last sample (without samples: since the last
 * step) is kept, from the ends of steps and from where the loop has found the peak of a contact inside one.
 * It is written when the next sample shows that both neighbours are lower.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "math/breaks.h"
#include "record/result.h"
#include "record/sink.h"
#include "sim/recorder.h"
#include "sim/sim.h"

enum { SINKS = 3 };
/* More samples than this are a mistake, not a wish. */
static const double MOST_SAMPLES = 1e9;
/* A peak that stands out less above its neighbours, in a figure, is none, unless it is the largest so far. */
static const double STANDS_OUT = 1.001;

/* The row of the largest force of a joint since the last sample. */
typedef struct kept_peak {
    double force; // N; as long as nothing is kept, what a force must exceed to stand out
    double most;  // N, the largest of all rows so far
    bool kept;
    double *row;
} kept_peak;

struct lash_record {
    lashi_arena arena;
    lash_record_options options;
    const lash_model *model;
    size_t contact_length; /* of the longest name of a contact or rub */
    size_t *channels;      /* [columns] of the sim */
    const char **names, **units, **meanings;
    size_t columns;
    double *row; /* [columns] */
    double *y;   /* [n_y] */
    lashi_sink *sinks[SINKS];
    size_t sink_count;
    lashi_sink *memory; /* one of the sinks, or NULL */
    double start, end;
    size_t samples, next_sample;
    kept_peak *peaks; // [peak_count], of joints with play; 0: not recorded
    size_t peak_count;
};

/* ---- choosing channels ---- */

/* "*" matches any run of characters, as in "slider.*" and "*.vx". */
static bool matches(const char *pattern, const char *name) {
    const char *star = NULL, *retry = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            retry = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == 0;
}

static const char *channel_name(const void *sim, size_t index) {
    return lash_sim_channel_name(sim, index);
}

/* Marks what a pattern chooses. An error, with the nearest name, when that is nothing. */
static lash_status choose(unsigned char *chosen, const lash_sim *sim, const char *pattern, bool still,
                          lash_error *error) {
    bool any = false, integral = false;
    for (size_t k = 0; k < sim->channel_count; k++)
        if (matches(pattern, sim->channels[k].name)) {
            const bool left_out = still && lashi_channel_is_integral(sim, k);
            chosen[k] = !left_out;
            any = any || !left_out;
            integral = integral || left_out;
        }
    if (any)
        return LASH_OK;
    if (integral)
        return lashi_fail(
            error, LASH_ERROR_USAGE,
            "'%.100s' is an integral over a run, and kinematics integrates nothing: use `lash run`", pattern);
    const char *nearest = lash_channel_nearest(pattern, channel_name, sim);
    return lashi_fail(error, LASH_ERROR_USAGE, "no channel '%.100s'%s%s%s", pattern,
                      nearest ? "; did you mean '" : "; they are called OBJECT.quantity, for example '",
                      nearest ? nearest : lash_sim_channel_name(sim, sim->channel_count > 1),
                      nearest ? "'?" : "'");
}

/* Columns in the order asked for; with no list, all in the sim's order. Time comes first, once. */
static lash_status choose_columns(lash_record *record, const lash_sim *sim, lash_error *error) {
    lashi_arena *arena = &record->arena;
    const size_t count = sim->channel_count;
    unsigned char *seen = lashi_arena_alloc(arena, count, 1), *chosen = lashi_arena_alloc(arena, count, 1);
    record->channels = lashi_arena_alloc(arena, count, sizeof *record->channels);
    record->names = lashi_arena_alloc(arena, count, sizeof *record->names);
    record->units = lashi_arena_alloc(arena, count, sizeof *record->units);
    record->meanings = lashi_arena_alloc(arena, count, sizeof *record->meanings);
    record->row = lashi_arena_alloc(arena, count, sizeof(double));
    record->y = lashi_arena_alloc(arena, sim->problem.n, sizeof(double));
    if (!seen || !chosen || !record->channels || !record->names || !record->units || !record->meanings ||
        !record->row || !record->y)
        return lashi_fail_memory(error);
    const lash_record_options *options = &record->options;
    static const char *const everything[] = {"*"};
    const char *const *patterns = options->channels ? options->channels : everything;
    const size_t pattern_count = options->channels ? options->channel_count : 1;
    seen[0] = 1;
    record->channels[record->columns++] = 0;
    for (size_t p = 0; p < pattern_count; p++) {
        memset(chosen, 0, count);
        const lash_status status = choose(chosen, sim, patterns[p], options->still, error);
        if (status)
            return status;
        for (size_t k = 0; k < count; k++)
            if (chosen[k] && !seen[k]) {
                seen[k] = 1;
                record->channels[record->columns++] = k;
            }
    }
    for (size_t c = 0; c < record->columns; c++) { // copies: a record may outlive the sim
        record->names[c] = lashi_arena_copy_text(arena, sim->channels[record->channels[c]].name);
        record->units[c] = sim->channels[record->channels[c]].unit;
        record->meanings[c] = sim->channels[record->channels[c]].meaning;
        if (!record->names[c])
            return lashi_fail_memory(error);
    }
    return LASH_OK;
}

static lash_status prepare_peaks(lash_record *record, const lash_sim *sim, lash_error *error) {
    const size_t count = (size_t)sim->system->contact_count;
    if (!record->options.peaks || count == 0)
        return LASH_OK;
    double *rows = lashi_arena_alloc(&record->arena, count * record->columns, sizeof *rows);
    record->peaks = lashi_arena_alloc(&record->arena, count, sizeof *record->peaks);
    if (!rows || !record->peaks)
        return lashi_fail_memory(error);
    record->peak_count = count;
    for (size_t k = 0; k < count; k++)
        record->peaks[k] = (kept_peak){.row = rows + k * record->columns};
    return LASH_OK;
}

lash_status lash_record_create(lash_record **out, const lash_sim *sim, const lash_record_options *options,
                               lash_error *error) {
    if (out)
        *out = NULL;
    if (!out || !sim || !options)
        return lashi_fail_null(error);
    for (size_t i = 0; options->channels && i < options->channel_count; i++)
        if (!options->channels[i])
            return lashi_fail_null(error);
    if (!isnan(options->every) && !(options->every > 0))
        return lashi_fail(error, LASH_ERROR_USAGE,
                          "`every` is %g s: it must be greater than zero, or NaN for none", options->every);
    lash_record *record = calloc(1, sizeof *record);
    if (!record)
        return lashi_fail_memory(error);
    record->options = *options;
    record->model = sim->system->model;
    for (int k = 0; k < sim->system->contact_count; k++) {
        const size_t length = strlen(sim->system->contacts[k].name);
        record->contact_length = length > record->contact_length ? length : record->contact_length;
    }
    for (int r = 0; r < sim->system->rub_count; r++) {
        const size_t length = strlen(sim->system->rubs[r].name);
        record->contact_length = length > record->contact_length ? length : record->contact_length;
    }
    lash_status status = choose_columns(record, sim, error);
    if (!status)
        status = prepare_peaks(record, sim, error);
    record->options.channels = NULL; // the caller's; not needed any more
    if (status)
        lash_record_destroy(record);
    else
        *out = record;
    return status;
}

void lash_record_destroy(lash_record *record) {
    if (!record)
        return;
    for (size_t k = 0; k < record->sink_count; k++)
        record->sinks[k]->destroy(record->sinks[k]);
    lashi_arena_clear(&record->arena);
    free(record);
}

bool lashi_record_integrates(const lash_record *record, const lash_sim *sim) {
    bool any = false;
    for (size_t c = 0; c < record->columns; c++)
        any = any || lashi_channel_is_integral(sim, record->channels[c]);
    return any;
}

/* ---- sinks ---- */

static lashi_sink_layout layout(const lash_record *record) {
    const bool samples = record->options.samples > 0 || !isnan(record->options.every);
    return (lashi_sink_layout){.columns = record->columns,
                               .names = record->names,
                               .units = record->units,
                               .meanings = record->meanings,
                               .streams = {[LASH_STREAM_SAMPLES] = samples,
                                           [LASH_STREAM_STEPS] = record->options.steps,
                                           [LASH_STREAM_PEAKS] = record->peak_count > 0},
                               .model = record->model,
                               .contact_length = record->contact_length};
}

static lash_status keep(lash_record *record, lashi_sink *sink, lash_status status, lash_error *error) {
    if (status)
        return status;
    if (record->sink_count == SINKS) {
        sink->destroy(sink);
        return lashi_fail(error, LASH_ERROR_USAGE, "a record has at most %d sinks", (int)SINKS);
    }
    record->sinks[record->sink_count++] = sink;
    return LASH_OK;
}

lash_status lash_record_to_hdf5(lash_record *record, const char *path, lash_error *error) {
    if (!record || !path)
        return lashi_fail_null(error);
    const lashi_sink_layout l = layout(record);
    lashi_sink *sink = NULL;
    const lash_status status = lashi_hdf5_sink_create(&sink, path, &l, error);
    return keep(record, sink, status, error);
}

lash_status lash_record_to_csv(lash_record *record, const char *path, lash_error *error) {
    if (!record || !path)
        return lashi_fail_null(error);
    const lashi_sink_layout l = layout(record);
    lashi_sink *sink = NULL;
    const lash_status status = lashi_csv_sink_create(&sink, path, &l, error);
    return keep(record, sink, status, error);
}

lash_status lash_record_to_memory(lash_record *record, lash_error *error) {
    if (!record)
        return lashi_fail_null(error);
    const lashi_sink_layout l = layout(record);
    lashi_sink *sink = NULL;
    lash_status status = lashi_memory_sink_create(&sink, &l, error);
    status = keep(record, sink, status, error);
    if (!status)
        record->memory = record->sinks[record->sink_count - 1];
    return status;
}

/* ---- rows ---- */

/* The row of the point that the workspace holds. */
static lash_status fill_row(lash_record *record, const lash_sim *sim, double t, const double *y,
                            lash_error *error) {
    lashi_channel_values(record->row, sim, record->channels, record->columns, t, y);
    return lashi_sim_finite(sim, "", record->names, record->row, record->columns, t, error);
}

static lash_status put_row(lash_record *record, lash_stream stream, const double *row, lash_error *error) {
    lash_status status = LASH_OK;
    for (size_t k = 0; !status && k < record->sink_count; k++)
        status = record->sinks[k]->row(record->sinks[k], stream, row, error);
    return status;
}

static lash_status write_row(lash_record *record, lash_sim *sim, lash_stream stream, double t,
                             const double *y, lash_error *error) {
    lash_status status = lashi_sim_evaluate(sim, t, y, error);
    if (!status)
        status = fill_row(record, sim, t, y, error);
    return status ? status : put_row(record, stream, record->row, error);
}

/* ---- peaks ---- */

/* N, of contact k at the point that the workspace holds. */
static double force_of(const lash_sim *sim, size_t k) {
    return lashi_contact_size(&sim->workspace->contact_states[k]);
}

static bool any_larger(const lash_record *record, const lash_sim *sim) {
    for (size_t k = 0; k < record->peak_count; k++)
        if (force_of(sim, k) > record->peaks[k].force)
            return true;
    return false;
}

/* Keeps the row of the point that the workspace holds for the joints whose force it is the largest of. */
static lash_status keep_larger(lash_record *record, const lash_sim *sim, double t, const double *y,
                               lash_error *error) {
    const lash_status status = any_larger(record, sim) ? fill_row(record, sim, t, y, error) : LASH_OK;
    for (size_t k = 0; !status && k < record->peak_count; k++)
        if (force_of(sim, k) > record->peaks[k].force) {
            record->peaks[k].force = force_of(sim, k);
            record->peaks[k].kept = true;
            memcpy(record->peaks[k].row, record->row, record->columns * sizeof *record->row);
        }
    return status;
}

/* Writes what is kept, in order of time, which is column 0. */
static lash_status write_peaks(lash_record *record, lash_error *error) {
    lash_status status = LASH_OK;
    double last = -INFINITY;
    for (;;) {
        const double *next = NULL;
        for (size_t k = 0; k < record->peak_count; k++) {
            const kept_peak *peak = &record->peaks[k];
            if (peak->kept && peak->row[0] > last && (!next || peak->row[0] < next[0]))
                next = peak->row;
        }
        if (status || !next)
            break;
        last = next[0];
        status = put_row(record, LASH_STREAM_PEAKS, next, error);
    }
    return status;
}

/* N, what a peak beside the point that the workspace holds must exceed. */
static double worth_a_row(const lash_record *record, const lash_sim *sim, size_t k) {
    return fmin(STANDS_OUT * force_of(sim, k), fmax(record->peaks[k].most, force_of(sim, k)));
}

/* A sample is here, or a step where there are no samples: another stretch begins. */
static lash_status end_stretch(lash_record *record, const lash_sim *sim, lash_error *error) {
    for (size_t k = 0; k < record->peak_count; k++)
        record->peaks[k].kept &= record->peaks[k].force > worth_a_row(record, sim, k);
    const lash_status status = write_peaks(record, error);
    for (size_t k = 0; k < record->peak_count; k++) {
        kept_peak *peak = &record->peaks[k];
        peak->most = fmax(peak->most, fmax(peak->kept ? peak->force : 0, force_of(sim, k)));
        peak->force = worth_a_row(record, sim, k);
        peak->kept = false;
    }
    return status;
}

/* The earliest peak of a contact inside the step after a time; INFINITY: none. */
static double next_peak(const lash_record *record, const lash_sim *sim, double after) {
    double next = INFINITY;
    for (size_t k = 0; k < record->peak_count; k++) {
        const double t = sim->memories[k].peak.time;
        if (sim->memories[k].touching && t > after && t < sim->t_new)
            next = fmin(next, t);
    }
    return next;
}

/* ---- from the loop ---- */

lash_status lashi_record_layout(lash_record *record, double start, double end, lash_error *error) {
    const double every = record->options.every;
    const double count = isnan(every) ? (double)record->options.samples : floor((end - start) / every + 1e-9);
    if (count > MOST_SAMPLES)
        return lashi_fail(error, LASH_ERROR_USAGE, "%.3g samples are too many: at most %.0g", count,
                          MOST_SAMPLES);
    record->start = start;
    record->end = end;
    record->samples = count > 0 || !isnan(every) ? (size_t)count + 1 : 0;
    record->next_sample = 0;
    return LASH_OK;
}

size_t lashi_record_sample_count(const lash_record *record) {
    return record->samples;
}

double lashi_record_sample_time(const lash_record *record, size_t k) {
    if (!isnan(record->options.every))
        return fmin(record->start + record->options.every * (double)k, record->end);
    const double intervals = (double)record->samples - 1;
    return k == record->samples - 1 ? record->end
                                    : record->start + (record->end - record->start) * ((double)k / intervals);
}

/* Columns were chosen among the channels of one model. */
static lash_status fits(const lash_record *record, const lash_sim *sim, lash_error *error) {
    return record->model == sim->system->model
               ? LASH_OK
               : lashi_fail(error, LASH_ERROR_USAGE, "the record was made for a simulation of another model");
}

lash_status lashi_record_point(lash_record *record, lash_sim *sim, double t, const double *y,
                               lash_error *error) {
    const lash_status status = fits(record, sim, error);
    if (status)
        return status;
    return write_row(record, sim, LASH_STREAM_SAMPLES, t, y, error);
}

static lash_status write_events(lash_record *record, const lash_sim *sim, lash_error *error) {
    lash_status status = LASH_OK;
    for (size_t e = 0; e < sim->happened_count; e++)
        for (size_t k = 0; !status && k < record->sink_count; k++)
            status = record->sinks[k]->event(record->sinks[k], &sim->happened[e], error);
    return status;
}

/* The present state of the sim to those sinks that keep it. */
static lash_status keep_state(lash_record *record, const char *name, const lash_sim *sim, lash_error *error) {
    bool wanted = false;
    for (size_t k = 0; k < record->sink_count; k++)
        wanted = wanted || record->sinks[k]->keep;
    if (!wanted)
        return LASH_OK;
    lash_state *state;
    void *bytes = NULL;
    size_t count = 0;
    lash_status status = lash_state_create(&state, sim, error);
    if (!status)
        status = lash_state_write(&bytes, &count, state, sim, error);
    for (size_t k = 0; !status && k < record->sink_count; k++)
        if (record->sinks[k]->keep)
            status = record->sinks[k]->keep(record->sinks[k], name, bytes, count, error);
    free(bytes);
    lash_state_destroy(state);
    return status;
}

lash_status lash_record_keep_state(lash_record *record, const lash_sim *sim, lash_error *error) {
    if (!record || !sim)
        return lashi_fail_null(error);
    return keep_state(record, "state", sim, error);
}

lash_status lashi_record_begin(lash_record *record, lash_sim *sim, double start, double end,
                               lash_error *error) {
    lash_status status = fits(record, sim, error);
    if (!status)
        status = lashi_record_layout(record, start, end, error);
    if (!status && start > 0)
        status = keep_state(record, "start", sim, error);
    const double *y = lashi_sim_y(sim);
    if (!status && record->samples > 0) {
        status = write_row(record, sim, LASH_STREAM_SAMPLES, start, y, error);
        record->next_sample = 1;
    }
    if (!status && record->options.steps)
        status = write_row(record, sim, LASH_STREAM_STEPS, start, y, error);
    if (!status)
        status = end_stretch(record, sim, error);
    return status ? status : write_events(record, sim, error);
}

lash_status lashi_record_samples(lash_record *record, lash_sim *sim, lash_error *error) {
    lash_status status = LASH_OK;
    double peak = next_peak(record, sim, sim->integrator->t_old);
    const double reach = sim->t_new + lashi_time_resolution(sim->t_new);
    while (!status) {
        const double sample = record->next_sample < record->samples
                                  ? lashi_record_sample_time(record, record->next_sample)
                                  : INFINITY;
        const double t = fmin(peak, sample);
        if (!(t <= reach))
            break;
        status = lashi_sim_sample(record->y, sim, fmin(t, sim->t_new), error);
        if (!status && t < sample) {
            status = lashi_sim_evaluate(sim, t, record->y, error);
            if (!status)
                status = keep_larger(record, sim, t, record->y, error);
            peak = next_peak(record, sim, t);
        } else if (!status) {
            status = write_row(record, sim, LASH_STREAM_SAMPLES, t, record->y, error);
            if (!status)
                status = end_stretch(record, sim, error);
            record->next_sample++;
        }
    }
    return status;
}

lash_status lashi_record_step(lash_record *record, lash_sim *sim, lash_error *error) {
    const double t = sim->integrator->t, *y = lashi_sim_y(sim);
    lash_status status = write_events(record, sim, error);
    if (!status && record->samples > 0 && any_larger(record, sim)) {
        status = lashi_sim_evaluate(sim, t, y, error);
        if (!status)
            status = keep_larger(record, sim, t, y, error);
    }
    if (!status && record->options.steps)
        status = write_row(record, sim, LASH_STREAM_STEPS, t, y, error);
    if (!status && record->samples == 0)
        status = end_stretch(record, sim, error);
    return status;
}

lash_status lash_record_finish(lash_record *record, const lash_summary *summary, lash_error *error) {
    if (!record || !summary)
        return lashi_fail_null(error);
    lash_status status = write_peaks(record, error);  // of the stretch that a run broke off in
    for (size_t k = 0; k < record->sink_count; k++) { // all of them, also after a failure
        const lash_status one = record->sinks[k]->finish(record->sinks[k], summary, status ? NULL : error);
        status = status ? status : one;
    }
    return status;
}

/* ---- what can be asked ---- */

size_t lash_record_column_count(const lash_record *record) {
    if (!record)
        return 0;
    return record->columns;
}

const char *lash_record_column_name(const lash_record *record, size_t column) {
    if (!record)
        return NULL;
    return column < record->columns ? record->names[column] : NULL;
}

const char *lash_record_column_unit(const lash_record *record, size_t column) {
    if (!record)
        return NULL;
    return column < record->columns ? record->units[column] : NULL;
}

const double *lash_record_rows(size_t *row_count, const lash_record *record, lash_stream stream) {
    size_t ignored;
    row_count = row_count ? row_count : &ignored;
    *row_count = 0;
    return record && record->memory && (unsigned)stream < LASH_STREAMS
               ? lashi_memory_sink_rows(row_count, record->memory, stream)
               : NULL;
}

const lash_event *lash_record_events(size_t *count, const lash_record *record) {
    size_t ignored;
    count = count ? count : &ignored;
    *count = 0;
    return record && record->memory ? lashi_memory_sink_events(count, record->memory) : NULL;
}

lash_status lash_record_result(lash_result **out, const lash_record *record, const lash_summary *summary,
                               lash_error *error) {
    if (out)
        *out = NULL;
    if (!out || !record)
        return lashi_fail_null(error);
    if (!record->memory)
        return lashi_fail(error, LASH_ERROR_USAGE,
                          "a record is read as a result from its memory sink, and it has none");
    const lashi_sink_layout l = layout(record);
    return lashi_memory_result(out, record, &l, summary, error);
}
