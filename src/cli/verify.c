/* SPDX-License-Identifier: MIT
 *
 * Which digits of a run hold: the same run with a tolerance ten times tighter, and that with another method.
 *
 * Compared are the numbers of the summary (counts, peaks, losses, shares of the time of every contact) and,
 * of every recorded channel, the end, the extremes and the RMS over SAMPLES equal parts of the run, at the
 * same instants in all three runs.
 *
 * A digit stands when the other two runs differ from the first by at most half a unit of it. A number of the
 * summary has SUMMARY_DIGITS, which must all hold; of a channel CHANNEL_DIGITS of its
 * largest value must, or of ROUNDING times the largest of its unit where it is smaller than that. Differences that are
 * rounding in this machine (lash_system_noise) do not count: the acceleration of a wheel on a fixed axle. Counts must be
 * equal. What measures the error of a run, energy.balance and constraint.… and depths of permanent contact, differs by its nature and is left
 * out.
 *
 * Sensitive motion. Where bounces multiply small differences, two runs part after some time however fine
 * their steps, and only statistics can agree. Motion is called sensitive when positions and velocities of the
 * runs differ by less than NEAR of their largest values at first and by more than FAR later, and a fourth
 * run, tighter by another factor of ten, parts from the tighter one as well and differs from it by SHRUNK of that or more:
 * where a loose tolerance or the other method is the only cause, the difference falls. The time after the runs have parted is
 * cut into BLOCKS parts; counts of contacts, and means and RMS of channels, then agree within SIGMAS
 * deviations, as the scatter between the parts has it. Speeds of approach and peak forces of contacts are
 * compared by the two-sample test of Kolmogorov and Smirnov.
 */
#include "cli/verify.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "cli/talk.h"

enum { SAMPLES = 2000, MOST_COLUMNS = 500, BLOCKS = 10, RUNS = 3 };
enum { SUMMARY_DIGITS = 4, SHARE_DIGITS = 3, CHANNEL_DIGITS = 3 };
/* Of the largest value: runs that agree, and runs that have parted. */
static const double NEAR = 1e-4, FAR = 1e-2, SHRUNK = 0.3;
/* Deviations of a difference from zero that are chance. By Student's t with the 2 (BLOCKS - 1) degrees of
 * freedom that both scatters have, more is chance once in 1e5 comparisons, and a run makes about a hundred.
 */
static const double SIGMAS = 6;
/* Probability below which two samples are not of one distribution. */
static const double UNLIKELY = 1e-3;
/* Of the energy exchanged: losses below are rounding. */
static const double NO_LOSS = 1e-12;
static const double TIGHTER = 10;
/* Of the largest value of its unit: a channel that stays below is rounding. */
static const double ROUNDING = 1e-9;

/* The numbers of a contact that the summary prints. */
typedef struct contact_numbers {
    char name[128];
    double impacts, contacts;
    double free, impact, following;
    double peak_force, peak_depth, lost;
} contact_numbers;

typedef struct list {
    double *values;
    size_t count, capacity;
} list;

struct lashi_trace {
    double begin, end; /* s, of the run */
    size_t columns;
    char **names, **units;
    size_t *channels; /* [columns] of the sim that is looked at */
    double *noise;    /* [columns] differences up to this are rounding */
    double *rows;     /* [SAMPLES + 1][columns] */
    size_t filled;    /* rows so far */
    char label[64];   /* "rtol 1e-9" */
    contact_numbers *contacts;
    size_t contact_count;
    double exchanged;          /* J */
    list began, speeds, peaks; /* of all contacts: s, m/s, N */
};

// ---- looking at a run

void lashi_trace_destroy(lashi_trace *trace) {
    if (!trace)
        return;
    for (size_t k = 0; k < trace->columns; k++) {
        free(trace->names ? trace->names[k] : NULL);
        free(trace->units ? trace->units[k] : NULL);
    }
    free(trace->names);
    free(trace->units);
    free(trace->channels);
    free(trace->noise);
    free(trace->rows);
    free(trace->contacts);
    free(trace->began.values);
    free(trace->speeds.values);
    free(trace->peaks.values);
    free(trace);
}

/* The depth of a contact that is a constraint and never open is how far this is violated. */
static bool measures_errors(const lash_system *system, const char *name) {
    static const char *const depths[] = {"delta", "deltadot", "edot"};
    for (size_t k = 0; k < lash_system_clearance_count(system); k++) {
        const lash_clearance_info info = lash_system_clearance(system, k);
        const size_t length = strlen(info.joint);
        if (strcmp(info.model, "permanent-contact") != 0 || strncmp(name, info.joint, length) != 0 ||
            name[length] != '.')
            continue;
        for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
            if (strcmp(name + length + 1, depths[i]) == 0)
                return true;
    }
    return strcmp(name, "energy.balance") == 0 || strncmp(name, "constraint.", 11) == 0;
}

/* Every column of the record but the time and what measures errors. */
lash_status lashi_trace_create(lashi_trace **out, const lashi_job *job) {
    lashi_trace *trace = *out = calloc(1, sizeof *trace);
    size_t columns = lash_record_column_count(job->record) - 1;
    columns = columns > MOST_COLUMNS ? MOST_COLUMNS : columns;
    bool good = trace != NULL;
    if (good) {
        trace->begin = lash_sim_time(job->sim);
        trace->end = lash_system_end(job->system);
        trace->names = calloc(columns + 1, sizeof *trace->names);
        trace->units = calloc(columns + 1, sizeof *trace->units);
        trace->channels = calloc(columns + 1, sizeof *trace->channels);
        trace->noise = calloc(columns + 1, sizeof *trace->noise);
        trace->rows = calloc((SAMPLES + 1) * (columns + 1), sizeof *trace->rows);
        good = trace->names && trace->units && trace->channels && trace->noise && trace->rows;
    }
    for (size_t k = 0; good && k < columns; k++) {
        const char *name = lash_record_column_name(job->record, k + 1);
        const size_t at = trace->columns;
        if (measures_errors(job->system, name))
            continue;
        trace->names[at] = strdup(name);
        trace->units[at] = strdup(lash_record_column_unit(job->record, k + 1));
        trace->channels[at] = lash_sim_find_channel(job->sim, name);
        trace->columns++;
        good = trace->names[at] && trace->units[at];
    }
    if (good)
        return LASH_OK;
    lashi_trace_destroy(trace);
    *out = NULL;
    return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
}

static bool append(list *l, double value) {
    if (l->count == l->capacity) {
        const size_t capacity = 2 * l->capacity + 64;
        double *values = realloc(l->values, capacity * sizeof *values);
        if (!values)
            return false;
        l->values = values;
        l->capacity = capacity;
    }
    l->values[l->count++] = value;
    return true;
}

static double time_of(const lashi_trace *trace, size_t row) {
    return trace->begin + (trace->end - trace->begin) * (double)row / SAMPLES;
}

lash_status lashi_trace_observe(void *user, lash_sim *sim, double t_old, double t_new) {
    lashi_trace *trace = user;
    (void)t_old;
    while (trace->filled <= SAMPLES) {
        const double t = time_of(trace, trace->filled);
        if (t > t_new)
            break;
        lash_sim_values_at(trace->rows + trace->filled * trace->columns, sim, trace->channels, trace->columns,
                           t);
        trace->filled++;
    }
    return LASH_OK;
}

static lash_status out_of_memory(void) {
    return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
}

static lash_status keep_events(lashi_trace *trace, const lash_event *event, size_t count) {
    for (size_t k = 0; k < count; k++) {
        const bool begins = event[k].kind == LASH_EVENT_ONSET || event[k].kind == LASH_EVENT_IMPACT;
        if (begins && !(append(&trace->began, event[k].time) && append(&trace->speeds, event[k].speed)))
            return out_of_memory();
        if (event[k].kind == LASH_EVENT_RELEASE && !append(&trace->peaks, event[k].peak_force))
            return out_of_memory();
    }
    return LASH_OK;
}

/* The events of a finished result. */
static lash_status read_events(lashi_trace *trace, const char *path) {
    lash_result *result;
    lash_error error;
    lash_status status = lash_result_open(&result, path, &error);
    if (status != LASH_OK) {
        lashi_talk_error(&error);
        return status;
    }
    const size_t count = lash_result_event_count(result);
    lash_event *events = calloc(count + 1, sizeof *events);
    status = events ? lash_result_read_events(events, result, &error) : out_of_memory();
    if (events && status != LASH_OK)
        lashi_talk_error(&error);
    if (status == LASH_OK)
        status = keep_events(trace, events, count);
    free(events);
    lash_result_close(result);
    return status;
}

/* What of every channel is rounding, beside the largest force that the run has seen. */
static void find_noise(lashi_trace *trace, const lash_system *system) {
    double force = 0;
    for (size_t k = 0; k < trace->contact_count; k++)
        force = fmax(force, trace->contacts[k].peak_force);
    for (size_t c = 0; c < trace->columns; c++)
        for (size_t i = 0; i < trace->filled && strcmp(trace->units[c], "N") == 0; i++)
            force = fmax(force, fabs(trace->rows[i * trace->columns + c]));
    for (size_t c = 0; c < trace->columns; c++)
        trace->noise[c] = lash_system_noise(system, trace->units[c], force);
}

/* The summary and the events of a run that has ended. */
static lash_status finish(lashi_trace *trace, const lashi_job *job, const char *result) {
    const lash_summary s = lash_sim_summary(job->sim);
    trace->exchanged = s.energy_exchanged;
    trace->contacts = calloc(s.clearance_count + 1, sizeof *trace->contacts);
    if (!trace->contacts)
        return out_of_memory();
    trace->contact_count = s.clearance_count;
    for (size_t k = 0; k < s.clearance_count; k++) {
        const lash_clearance_summary *c = &s.clearances[k];
        trace->contacts[k] = (contact_numbers){.impacts = (double)c->impacts,
                                               .contacts = (double)c->contacts,
                                               .free = 100 * c->free_fraction,
                                               .impact = 100 * c->impact_fraction,
                                               .following = 100 * c->following_fraction,
                                               .peak_force = c->peak_force,
                                               .peak_depth = c->peak_penetration,
                                               .lost = c->energy_lost};
        snprintf(trace->contacts[k].name, sizeof trace->contacts[k].name, "%s", c->joint);
    }
    find_noise(trace, job->system);
    if (result)
        return read_events(trace, result);
    size_t count = 0;
    const lash_event *events = lash_record_events(&count, job->record);
    return keep_events(trace, events, count);
}

// ---- another run

/* The job's model again with other settings of the run. */
static lash_status run_again(lashi_job *job, lashi_trace **out, const lashi_trace *first,
                             const lash_run_def *run) {
    lash_error error = {.time = (double)NAN};
    bool quiet = lashi_option_given(job->arguments, "quiet");
    const lash_record_options options = {.channels = (const char *const *)job->channels,
                                         .channel_count = job->channel_count,
                                         .samples = 1,
                                         .every = (double)NAN};
    lash_record_destroy(job->record);
    lash_sim_destroy(job->sim);
    lash_system_destroy(job->system);
    job->record = NULL;
    job->sim = NULL;
    job->system = NULL;
    lash_status status = lash_model_set_run(job->model, run, &error);
    if (status == LASH_OK)
        status = lash_system_compile(&job->system, job->model, &error);
    if (status == LASH_OK)
        status = lash_sim_create(&job->sim, job->system, &error);
    if (status == LASH_OK)
        status = lash_record_create(&job->record, job->sim, &options, &error);
    if (status == LASH_OK)
        status = lash_record_to_memory(job->record, &error);
    if (status != LASH_OK) {
        lashi_talk_error(&error);
        return status;
    }
    status = lashi_trace_create(out, job);
    if (status != LASH_OK)
        return status;
    (*out)->end = first->end;
    snprintf((*out)->label, sizeof(*out)->label, "%s, rtol %.3g", run->method, run->rtol);
    if (!quiet)
        fprintf(stderr, "Again with %s …\n", (*out)->label);
    job->observe = lashi_trace_observe;
    job->observer = *out;
    status = lashi_job_steps(job, lash_sim_run, &error);
    if (status < 0)
        lashi_talk_error(&error);
    return status < 0 || status == LASH_STOP_INTERRUPTED ? status : finish(*out, job, NULL);
}

// ---- comparing

/* Digits of a value that another confirms; of a value that is small against `scale`, of the scale. Differences up to `noise`
 * are rounding. */
static int digits(double value, double other, double scale, double noise) {
    enum { ALL = 15 };
    const double size = fmax(fabs(value), scale), apart = fabs(other - value);
    if (!(apart > noise))
        return ALL;
    if (!(size > 0) || !isfinite(apart))
        return 0;
    // Half a unit of digit n is 0.5·10^(floor(log10 size) + 1 − n).
    const int n = (int)floor(floor(log10(size)) + 1 - log10(2 * apart));
    return n < 0 ? 0 : n > ALL ? ALL : n;
}

/* The table: one line for each number, the ones in doubt marked. */
typedef struct table {
    FILE *stream; /* NULL: only counts */
    size_t numbers, doubtful;
    size_t by_method; /* of the doubtful: those that a tighter tolerance does not change */
} table;

/* The width of a column of 14 characters in bytes, as printf counts: µ has two. */
static int bytes(const char *text) {
    int width = 14;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) == 0x80;
    return width;
}

static void put(table *t, const char *object, const char *what, const char *unit, const double value[RUNS],
                double scale, double noise, int wanted, bool only_doubtful) {
    const int tighter = digits(value[0], value[1], scale, noise),
              other = digits(value[0], value[2], scale, noise), good = tighter < other ? tighter : other;
    const bool stands = good >= wanted;
    char text[RUNS][LASH_QUANTITY_TEXT];
    t->numbers++;
    t->doubtful += !stands;
    t->by_method += !stands && tighter >= wanted;
    if (!t->stream || (stands && only_doubtful))
        return;
    for (int k = 0; k < RUNS; k++)
        if (strcmp(unit, "%") == 0)
            snprintf(text[k], sizeof text[k], "%.4g %%", value[k]);
        else
            lash_quantity_write(text[k], value[k], unit);
    fprintf(t->stream, "  %-22s %-14s %*s %*s %*s  %s%2d digit%s hold%s%s%s\n", object, what, bytes(text[0]),
            text[0], bytes(text[1]), text[1], bytes(text[2]), text[2],
            stands ? "" : lashi_talk_paint(t->stream, LASHI_RED), good, good == 1 ? "" : "s",
            good == 1 ? "s" : "", stands ? "" : ", too few",
            stands ? "" : lashi_talk_paint(t->stream, LASHI_PLAIN));
}

/* error: of each count, 0 where they must be equal. */
static void put_count(table *t, const char *object, const char *what, const double value[RUNS],
                      const double error[RUNS]) {
    const bool tighter = fabs(value[1] - value[0]) <= SIGMAS * hypot(error[1], error[0]),
               stands = tighter && fabs(value[2] - value[0]) <= SIGMAS * hypot(error[2], error[0]);
    t->numbers++;
    t->doubtful += !stands;
    t->by_method += !stands && tighter;
    if (t->stream)
        fprintf(t->stream, "  %-22s %-14s %14.0f %14.0f %14.0f  %s%s%s\n", object, what, value[0], value[1],
                value[2], stands ? "" : lashi_talk_paint(t->stream, LASHI_RED),
                stands ? error[0] > 0 ? "within chance" : "equal" : "differs",
                stands ? "" : lashi_talk_paint(t->stream, LASHI_PLAIN));
}

#define OF(field) ((const double[RUNS]){c[0]->field, c[1]->field, c[2]->field})

static void compare_contacts(table *t, lashi_trace *const run[RUNS]) {
    static const double none[RUNS];
    for (size_t k = 0; k < run[0]->contact_count; k++) {
        const contact_numbers *c[RUNS] = {&run[0]->contacts[k], &run[1]->contacts[k], &run[2]->contacts[k]};
        const char *name = c[0]->name;
        put_count(t, name, "impacts", OF(impacts), none);
        put_count(t, "", "contacts", OF(contacts), none);
        put(t, "", "peak force", "N", OF(peak_force), 0, 0, SUMMARY_DIGITS, false);
        put(t, "", "depth", "m", OF(peak_depth), 0, 0, SUMMARY_DIGITS, false);
        put(t, "", "lost", "J", OF(lost), NO_LOSS * run[0]->exchanged, 0, SUMMARY_DIGITS, false);
        put(t, "", "free flight", "%", OF(free), 1, 0, SHARE_DIGITS, false);
        put(t, "", "in impacts", "%", OF(impact), 1, 0, SHARE_DIGITS, false);
        put(t, "", "following", "%", OF(following), 1, 0, SHARE_DIGITS, false);
    }
}

static size_t rows_of(lashi_trace *const run[RUNS]) {
    size_t rows = run[0]->filled;
    for (int k = 1; k < RUNS; k++)
        rows = run[k]->filled < rows ? run[k]->filled : rows;
    return rows;
}

static double cell(const lashi_trace *trace, size_t row, size_t column) {
    return trace->rows[row * trace->columns + column];
}

typedef struct statistics {
    double low, high, rms, mean, error, rms_error; /* errors from the scatter of blocks */
} statistics;

static statistics statistics_of(const lashi_trace *trace, size_t column, size_t from, size_t rows) {
    statistics s = {.low = INFINITY, .high = -INFINITY};
    double sums[BLOCKS] = {0}, squares[BLOCKS] = {0};
    size_t counts[BLOCKS] = {0};
    for (size_t i = from; i < rows; i++) {
        const double x = cell(trace, i, column);
        const size_t block = (i - from) * BLOCKS / (rows - from);
        s.low = fmin(s.low, x);
        s.high = fmax(s.high, x);
        sums[block] += x;
        squares[block] += x * x;
        counts[block]++;
        s.mean += x;
        s.rms += x * x;
    }
    const double n = (double)(rows - from);
    s.mean /= n;
    s.rms = sqrt(s.rms / n);
    for (int b = 0; b < BLOCKS; b++) {
        const double count = fmax((double)counts[b], 1);
        s.error += pow(sums[b] / count - s.mean, 2);
        s.rms_error += pow(sqrt(squares[b] / count) - s.rms, 2);
    }
    s.error = sqrt(s.error / (BLOCKS * (BLOCKS - 1)));
    s.rms_error = sqrt(s.rms_error / (BLOCKS * (BLOCKS - 1)));
    return s;
}

/* Largest value of a channel; of all channels of its unit. */
static double size_of(const lashi_trace *trace, size_t column, size_t rows) {
    double size = 0;
    for (size_t i = 0; i < rows; i++)
        size = fmax(size, fabs(cell(trace, i, column)));
    return size;
}

/* Of moments and energies also what the forces would do along the lengths of the machine: the moment of a pin
 * without friction is the rounding of these. */
static double size_of_unit(const lashi_trace *trace, const char *unit, size_t rows) {
    double size = 0;
    for (size_t c = 0; c < trace->columns; c++)
        if (strcmp(trace->units[c], unit) == 0)
            size = fmax(size, size_of(trace, c, rows));
    if (strcmp(unit, "N m") == 0 || strcmp(unit, "J") == 0)
        size = fmax(size, size_of_unit(trace, "N", rows) * size_of_unit(trace, "m", rows));
    return size;
}

static void compare_channels(table *t, lashi_trace *const run[RUNS]) {
    const size_t rows = rows_of(run);
    for (size_t c = 0; c < run[0]->columns && rows > 1; c++) {
        statistics s[RUNS];
        double end[RUNS];
        for (int k = 0; k < RUNS; k++) {
            s[k] = statistics_of(run[k], c, 0, rows);
            end[k] = cell(run[k], rows - 1, c);
        }
        const char *name = run[0]->names[c], *unit = run[0]->units[c];
        const double scale = fmax(size_of(run[0], c, rows), ROUNDING * size_of_unit(run[0], unit, rows)),
                     noise = run[0]->noise[c];
        put(t, name, "at the end", unit, end, scale, noise, CHANNEL_DIGITS, true);
        put(t, name, "least", unit, (double[]){s[0].low, s[1].low, s[2].low}, scale, noise, CHANNEL_DIGITS,
            true);
        put(t, name, "largest", unit, (double[]){s[0].high, s[1].high, s[2].high}, scale, noise,
            CHANNEL_DIGITS, true);
        put(t, name, "RMS", unit, (double[]){s[0].rms, s[1].rms, s[2].rms}, scale, noise, CHANNEL_DIGITS,
            true);
    }
}

// ---- sensitive motion

static bool is_motion(const char *unit) {
    static const char *const units[] = {"m", "rad", "m/s", "rad/s"};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcmp(unit, units[k]) == 0)
            return true;
    return false;
}

/* Largest difference of two runs' motion in every row, in units of the largest values. */
static void differences(double apart[SAMPLES + 1], const lashi_trace *a, const lashi_trace *b, size_t rows) {
    memset(apart, 0, (SAMPLES + 1) * sizeof *apart);
    for (size_t c = 0; c < a->columns; c++) {
        if (!is_motion(a->units[c]))
            continue;
        const double scale = fmax(size_of(a, c, rows), ROUNDING * size_of_unit(a, a->units[c], rows));
        for (size_t i = 0; i < rows && scale > 0; i++) {
            const double difference = fabs(cell(a, i, c) - cell(b, i, c));
            if (difference > a->noise[c])
                apart[i] = fmax(apart[i], difference / scale);
        }
    }
}

/* Row from which on the runs have parted; SIZE_MAX: they have not, or never agreed. */
static size_t parting(lashi_trace *const run[RUNS]) {
    const size_t rows = rows_of(run);
    double tight[SAMPLES + 1], other[SAMPLES + 1];
    differences(tight, run[0], run[1], rows);
    differences(other, run[0], run[2], rows);
    size_t near = 0;
    for (size_t i = 0; i < rows; i++) {
        const double apart = fmax(tight[i], other[i]);
        near += apart < NEAR;
        if (apart > FAR)
            return near >= 2 ? i : SIZE_MAX;
    }
    return SIZE_MAX;
}

/* Whether the runs part because small differences grow, not because the tolerance is loose. */
static bool grows(const lashi_trace *first, const lashi_trace *tight, const lashi_trace *tightest,
                  size_t from) {
    double loose[SAMPLES + 1], fine[SAMPLES + 1], largest = 0, left = 0;
    size_t rows = first->filled < tight->filled ? first->filled : tight->filled;
    rows = tightest->filled < rows ? tightest->filled : rows;
    differences(loose, first, tight, rows);
    differences(fine, tight, tightest, rows);
    for (size_t i = from; i < rows; i++) {
        largest = fmax(largest, loose[i]);
        left = fmax(left, fine[i]);
    }
    return left > fmax(FAR, SHRUNK * largest);
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Probability that two samples of one distribution are as far apart as these (Kolmogorov and Smirnov; the
 * series of Stephens 1970). */
static double same_distribution(list *a, list *b) {
    if (a->count < 4 || b->count < 4)
        return 1;
    qsort(a->values, a->count, sizeof(double), compare_doubles);
    qsort(b->values, b->count, sizeof(double), compare_doubles);
    double apart = 0;
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        const double x = fmin(a->values[i], b->values[j]);
        while (i < a->count && a->values[i] <= x)
            i++;
        while (j < b->count && b->values[j] <= x)
            j++;
        apart = fmax(apart, fabs((double)i / (double)a->count - (double)j / (double)b->count));
    }
    const double n = sqrt((double)a->count * (double)b->count / (double)(a->count + b->count));
    const double lambda = (n + 0.12 + 0.11 / n) * apart;
    double sum = 0;
    for (int k = 1; k <= 100; k++)
        sum += (k % 2 ? 2 : -2) * exp(-2.0 * k * k * lambda * lambda);
    return lambda < 0.2 ? 1 : fmin(1, fmax(0, sum));
}

static void put_distribution(table *t, const char *what, list *a, list *b, list *c) {
    const double tighter = same_distribution(a, b), p = fmin(tighter, same_distribution(a, c));
    t->numbers++;
    t->doubtful += p < UNLIKELY;
    t->by_method += p < UNLIKELY && tighter >= UNLIKELY;
    if (t->stream)
        fprintf(t->stream, "  %-37s %s (probability of a larger difference %.2g)\n", what,
                p < UNLIKELY ? "differ" : "of one distribution", p);
}

/* Contacts that began after `from`, and the error of that count by the scatter between blocks. */
static double count_of(double *error, const lashi_trace *trace, double from) {
    double blocks[BLOCKS] = {0}, total = 0, squares = 0;
    for (size_t k = 0; k < trace->began.count; k++) {
        const double share = (trace->began.values[k] - from) / (trace->end - from);
        if (share >= 0 && share <= 1)
            blocks[share < 1 ? (int)(share * BLOCKS) : BLOCKS - 1]++;
    }
    for (int b = 0; b < BLOCKS; b++)
        total += blocks[b];
    for (int b = 0; b < BLOCKS; b++)
        squares += pow(blocks[b] - total / BLOCKS, 2);
    *error = sqrt(BLOCKS * fmax(squares / (BLOCKS - 1), total / BLOCKS));
    return total;
}

static void compare_statistics(table *t, lashi_trace *const run[RUNS], size_t from) {
    const size_t rows = rows_of(run);
    double count[RUNS], error[RUNS];
    for (int k = 0; k < RUNS; k++)
        count[k] = count_of(&error[k], run[k], time_of(run[0], from));
    put_count(t, "all joints, from then on", "contacts", count, error);
    put_distribution(t, "speeds at which contacts began", &run[0]->speeds, &run[1]->speeds, &run[2]->speeds);
    put_distribution(t, "peak forces of contacts", &run[0]->peaks, &run[1]->peaks, &run[2]->peaks);
    if (rows - from < 10 * BLOCKS)
        return;
    for (size_t c = 0; c < run[0]->columns; c++) {
        statistics s[RUNS];
        bool agrees[RUNS];
        const double noise = run[0]->noise[c];
        for (int k = 0; k < RUNS; k++) {
            s[k] = statistics_of(run[k], c, from, rows);
            agrees[k] =
                fabs(s[k].mean - s[0].mean) <= fmax(noise, SIGMAS * hypot(s[k].error, s[0].error)) &&
                fabs(s[k].rms - s[0].rms) <= fmax(noise, SIGMAS * hypot(s[k].rms_error, s[0].rms_error));
        }
        const bool stands = agrees[1] && agrees[2];
        t->numbers++;
        t->doubtful += !stands;
        t->by_method += !stands && agrees[1];
        if (t->stream && !stands)
            fprintf(t->stream, "  %-37s mean or RMS differs by more than its scatter\n", run[0]->names[c]);
    }
}

// ---- the whole

/* parted: row from which on the motion is sensitive; SIZE_MAX: it is not. */
static lash_status judge(lashi_trace *const run[RUNS], size_t parted, bool quiet) {
    FILE *stream = quiet ? NULL : stderr;
    table t = {.stream = stream};
    const bool sensitive = parted != SIZE_MAX;
    if (stream) {
        fprintf(stream, "%sVerification%s\n", lashi_talk_paint(stream, LASHI_BOLD),
                lashi_talk_paint(stream, LASHI_PLAIN));
        fprintf(stream, "  against %s, and %s\n", run[1]->label, run[2]->label);
        fprintf(stream, "  %-37s %14s %14s %14s\n", "", "as computed", "tighter", "other method");
    }
    if (sensitive && stream)
        fprintf(stream,
                "  The motion is sensitive: from t = %.4g s on the runs diverge, as in chaos. Single\n"
                "  values after that mean nothing; counts, distributions, means and RMS are compared.\n",
                time_of(run[0], parted));
    if (sensitive) {
        compare_statistics(&t, run, parted);
    } else {
        compare_contacts(&t, run);
        compare_channels(&t, run);
    }
    if (t.doubtful > 0 && t.by_method == t.doubtful)
        return lashi_talk_fail(
            LASH_ERROR_DOUBT,
            "%zu of %zu numbers do not hold: a tighter tolerance agrees with them, but another method (%s) "
            "does not. One of the two misses something: look for a force or drive that is not smooth or acts "
            "for a short time only, and for a position from which the motion could continue in several ways. "
            "Try both with --set run.max_step, which shows what long steps pass over, and the third method",
            t.doubtful, t.numbers, run[2]->label);
    if (t.doubtful)
        return lashi_talk_fail(LASH_ERROR_DOUBT, "%zu of %zu numbers do not hold%s: take a smaller --rtol%s",
                               t.doubtful, t.numbers, sensitive ? ", not even as statistics" : "",
                               sensitive ? ", or a longer run" : "");
    if (stream && sensitive)
        fprintf(stream, "  All %zu statistics hold; peaks and values at an instant are samples of them.\n",
                t.numbers);
    else if (stream)
        fprintf(stream,
                "  All %zu numbers hold: the summary's with %d digits, channels with %d of their largest "
                "value or more.\n",
                t.numbers, SUMMARY_DIGITS, CHANNEL_DIGITS);
    return LASH_OK;
}

lash_status lashi_verify(lashi_job *job, lashi_trace *first) {
    lashi_trace *run[RUNS] = {first, NULL, NULL};
    const lash_run_def as_given = *lash_model_run(job->model);
    lash_run_def tight = as_given, other = as_given;
    tight.rtol /= TIGHTER;
    tight.atol /= TIGHTER; // NaN where it follows rtol
    other = tight;         // its own errors are not judged
    other.method = strcmp(as_given.method, "dop853") == 0 ? "adams" : "dop853";
    lash_status status = finish(first, job, job->result);
    if (status == LASH_OK)
        status = run_again(job, &run[1], first, &tight);
    if (status == LASH_OK)
        status = run_again(job, &run[2], first, &other);
    size_t parted = status == LASH_OK ? parting(run) : SIZE_MAX;
    if (parted != SIZE_MAX) {
        lashi_trace *tightest = NULL;
        tight.rtol /= TIGHTER;
        tight.atol /= TIGHTER;
        status = run_again(job, &tightest, first, &tight);
        if (status == LASH_OK && !grows(first, run[1], tightest, parted))
            parted = SIZE_MAX;
        lashi_trace_destroy(tightest);
    }
    if (status == LASH_OK)
        status = judge(run, parted, lashi_option_given(job->arguments, "quiet"));
    for (int k = 1; k < RUNS; k++)
        lashi_trace_destroy(run[k]);
    return status;
}
