/* SPDX-License-Identifier: MIT
 *
 * Ensembles: members as columns of doubles (ensemble.h), and what runs them.
 */
#include "lash/ensemble.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compile/compiler.h"
#include "compile/gpu.h"
#include "compile/write.h"
#include "sim/sim.h"

/* The columns of a member as the text has them. */
enum { T, END, H, STATUS, BEGIN, Y };
enum { TOUCHING, SPEED, STEP, CONTACT_COLUMNS };
enum { COUNT, TIME, PEAK, SUM_COLUMNS };
enum { LEAST, MOST, SUM, SQUARES, VALUE_COLUMNS };

struct lash_ensemble {
    char *text;
    lashi_seen *seen;
    int positions, contacts, channels;
    size_t numbers, columns; /* of a member */
    double *members;         /* [count][columns + numbers] */
    size_t count, capacity;
    bool run;
};

static int column_steps(const lash_ensemble *e) {
    return Y + 2 * e->positions + CONTACT_COLUMNS * e->contacts;
}
static int column_sum(const lash_ensemble *e, int contact) {
    return column_steps(e) + 2 + SUM_COLUMNS * contact;
}
static int column_value(const lash_ensemble *e, int channel) {
    return column_sum(e, e->contacts) + VALUE_COLUMNS * channel;
}
static const double *member_at(const lash_ensemble *e, size_t member) {
    return e->members + member * (e->columns + e->numbers);
}

/* What a channel is in the state. */
static bool find_seen(lashi_seen *out, const lash_system *system, const char *channel) {
    static const char *const parts[] = {"x", "y", "angle", "vx", "vy", "wz", "ax", "ay", "alphaz"};
    const char *dot = strrchr(channel, '.');
    if (!dot)
        return false;
    const size_t length = (size_t)(dot - channel);
    for (int k = 0; k < system->contact_count; k++)
        if (strlen(system->contacts[k].name) == length &&
            memcmp(system->contacts[k].name, channel, length) == 0) {
            *out = (lashi_seen){strcmp(dot, ".fn") == 0 ? LASHI_SEEN_FORCE : LASHI_SEEN_DEPTH, k};
            return strcmp(dot, ".fn") == 0 || strcmp(dot, ".delta") == 0;
        }
    for (int part = 0; part < 9; part++)
        for (int i = 0; strcmp(dot + 1, parts[part]) == 0 && i < system->n_v; i++) {
            const char *body = system->body_names[system->freedom[i] / LASHI_FREEDOMS];
            if (system->freedom[i] % LASHI_FREEDOMS != part % 3 || strlen(body) != length ||
                memcmp(body, channel, length) != 0)
                continue;
            *out =
                (lashi_seen){part < 6 ? LASHI_SEEN_STATE : LASHI_SEEN_RATE, part < 3 ? i : system->v_at + i};
            return true;
        }
    return false;
}

/* The text and the numbers of a member. */
static lash_status write_member(lashi_text *out, const lash_system *system, const lash_ensemble *e,
                                lash_error *error) {
    lashi_workspace *w = NULL;
    const size_t n = (size_t)system->n_y;
    double *rtol = calloc(2 * n + 1, sizeof *rtol);
    lash_status status = rtol ? lashi_workspace_create(&w, system, error) : lashi_fail_memory(error);
    *out = (lashi_text){0};
    if (!status) {
        lashi_set_tolerances(rtol, rtol + n, system);
        status = lashi_text_write_ensemble(out, w, rtol, rtol + n, e->seen, e->channels, error);
    }
    lashi_workspace_destroy(w);
    free(rtol);
    return status;
}

lash_status lash_ensemble_create(lash_ensemble **out, const lash_system *system, const char *const *channels,
                                 size_t channel_count, lash_error *error) {
    lashi_text text = {0};
    if (out)
        *out = NULL;
    if (!out || !system || (!channels && channel_count))
        return lashi_fail_null(error);
    lash_ensemble *e = calloc(1, sizeof *e);
    if (!e || !(e->seen = calloc(channel_count + 1, sizeof *e->seen))) {
        free(e);
        return lashi_fail_memory(error);
    }
    lash_status status = LASH_OK;
    for (size_t k = 0; !status && k < channel_count; k++)
        if (!channels[k] || !find_seen(&e->seen[k], system, channels[k]))
            status = lashi_fail(
                error, LASH_ERROR_USAGE,
                "'%s' cannot be looked at in an ensemble: take x, y, angle, vx, vy, wz, ax, ay or "
                "alphaz of a body that moves freely or along a guide, or fn or delta of a joint with play",
                channels[k] ? channels[k] : "");
    e->channels = (int)channel_count;
    if (!status)
        status = write_member(&text, system, e, error);
    if (!status && !text.text)
        status = lashi_fail(error, LASH_ERROR_MODEL, "ensembles are not made yet for %s", text.why);
    if (!status) {
        e->text = text.text;
        text.text = NULL;
        e->numbers = text.number_count;
        e->positions = system->n_q;
        e->contacts = system->contact_count;
        e->columns = (size_t)column_value(e, e->channels);
        *out = e;
    } else {
        lash_ensemble_destroy(e);
    }
    lashi_text_clear(&text);
    return status;
}

void lash_ensemble_destroy(lash_ensemble *ensemble) {
    if (!ensemble)
        return;
    free(ensemble->text);
    free(ensemble->seen);
    free(ensemble->members);
    free(ensemble);
}

/* A first step that is short in everything a machine does: the first attempts make it longer. */
static const double FIRST_STEP = 1e-7;

lash_status lash_ensemble_add(lash_ensemble *ensemble, const lash_system *system, double from, double until,
                              lash_error *error) {
    lashi_text text;
    lash_ensemble *e = ensemble;
    if (!e || !system)
        return lashi_fail_null(error);
    if (!(until > system->start) || !isfinite(until) || !isfinite(from))
        return lashi_fail(error, LASH_ERROR_USAGE, "a member must end after its start, %g s", system->start);
    for (int k = 0; k < system->drive_count; k++)
        if (!(fabs(lashi_profile_jet(&lashi_drive_constraint(system, k)->profile, until).f) <
              0.5 * LASHI_TRIG_RANGE))
            return lashi_fail(error, LASH_ERROR_USAGE,
                              "the drive '%s' goes too far in that time: %g rad at most",
                              system->drives[k].name, 0.5 * LASHI_TRIG_RANGE);
    lash_status status = write_member(&text, system, e, error);
    if (status)
        return status;
    const size_t width = e->columns + e->numbers;
    if (!text.text || strcmp(text.text, e->text) != 0)
        status = lashi_fail(error, LASH_ERROR_MODEL, "a member of another structure than the first one");
    else if (!lashi_grow(&e->members, &e->capacity, e->count, width * sizeof(double)))
        status = lashi_fail_memory(error);
    if (!status) {
        double *m = e->members + e->count++ * width;
        memset(m, 0, width * sizeof *m);
        m[T] = system->start;
        m[END] = until;
        m[BEGIN] = from;
        m[H] = fmin(FIRST_STEP, 0.01 * (until - system->start));
        memcpy(m + Y, system->y0, 2 * (size_t)e->positions * sizeof *m);
        for (int k = 0; k < e->contacts; k++) {
            double *c = m + Y + 2 * e->positions + CONTACT_COLUMNS * k;
            c[TOUCHING] = system->memories0[k].touching != 0;
            c[SPEED] = system->memories0[k].onset.speed;
        }
        for (int v = 0; v < e->channels; v++) {
            m[column_value(e, v) + LEAST] = HUGE_VAL;
            m[column_value(e, v) + MOST] = -HUGE_VAL;
        }
        if (e->numbers)
            memcpy(m + e->columns, text.numbers, e->numbers * sizeof *m);
        e->run = false;
    }
    lashi_text_clear(&text);
    return status;
}

size_t lash_ensemble_count(const lash_ensemble *ensemble) {
    return ensemble ? ensemble->count : 0;
}

/* Members as columns, one after the other, and back. */
static void transpose(double *columns, const lash_ensemble *e, size_t first, size_t width, bool back) {
    for (size_t i = 0; i < e->count; i++) {
        double *m = e->members + i * (e->columns + e->numbers) + first;
        for (size_t k = 0; k < width; k++)
            if (back)
                m[k] = columns[k * e->count + i];
            else
                columns[k * e->count + i] = m[k];
    }
}

/* Members that are taken on a core between two looks at the progress. */
enum { AT_ONCE = 64 };

static lash_status run_on_lanes(lash_ensemble *e, double *columns, const double *numbers,
                                bool (*progress)(void *user, size_t finished), void *user,
                                lash_error *error) {
    char why[LASHI_COMPILER_SAYS];
    lashi_members_function *run = lashi_compiler_lanes(e->text, why);
    if (!run)
        return lashi_fail(error, LASH_ERROR_IO, "the ensemble cannot be compiled: %s", why);
    for (size_t first = 0; first < e->count; first += AT_ONCE) {
        const size_t last = first + AT_ONCE < e->count ? first + AT_ONCE : e->count;
        run(columns, numbers, (long)e->numbers, (long)e->count, (long)first, (long)last);
        if (progress && !progress(user, last))
            return LASH_STOP_INTERRUPTED;
    }
    return LASH_OK;
}

typedef struct stop {
    bool (*progress)(void *user, size_t finished);
    void *user;
    bool stopped;
} stop;

static bool look(void *user, size_t finished) {
    stop *s = user;
    s->stopped = s->progress && !s->progress(s->user, finished);
    return !s->stopped;
}

static lash_status run_on_gpu(lash_ensemble *e, double *columns, const double *numbers,
                              bool (*progress)(void *user, size_t finished), void *user, lash_error *error) {
    char why[LASHI_COMPILER_SAYS];
    _Static_assert((int)LASHI_COMPILER_SAYS == (int)LASHI_GPU_SAYS, "messages of one size");
    if (!lashi_gpu_is_there(why))
        return lashi_fail(error, LASH_ERROR_IO, "there is no GPU: %s", why);
    char *code = lashi_compiler_gpu(e->text, why);
    if (!code)
        return lashi_fail(error, LASH_ERROR_IO, "the ensemble cannot be compiled for the GPU: %s", why);
    stop s = {progress, user, false};
    const int threads = e->positions <= 4 ? 128 : e->positions <= 8 ? 64 : 32; // BLOCK of ensemble.h
    const bool done =
        lashi_gpu_members(columns, e->columns, numbers, e->numbers, e->count, code, threads, look, &s, why);
    free(code);
    if (!done && !s.stopped)
        return lashi_fail(error, LASH_ERROR_IO, "the GPU gave up: %s", why);
    return s.stopped ? LASH_STOP_INTERRUPTED : LASH_OK;
}

lash_status lash_ensemble_run(lash_ensemble *ensemble, lash_on on,
                              bool (*progress)(void *user, size_t finished), void *user, lash_error *error) {
    lash_ensemble *e = ensemble;
    if (!e)
        return lashi_fail_null(error);
    if (on != LASH_ON_LANES && on != LASH_ON_GPU)
        return lashi_fail(error, LASH_ERROR_USAGE, "an ensemble runs on lanes or on a GPU");
    if (e->count == 0)
        return LASH_OK;
    double *columns = malloc(e->count * (e->columns + e->numbers) * sizeof *columns);
    if (!columns)
        return lashi_fail_memory(error);
    double *numbers = columns + e->count * e->columns;
    transpose(columns, e, 0, e->columns, false);
    transpose(numbers, e, e->columns, e->numbers, false);
    const lash_status status =
        (on == LASH_ON_GPU ? run_on_gpu : run_on_lanes)(e, columns, numbers, progress, user, error);
    if (status >= 0)
        transpose(columns, e, 0, e->columns, true);
    e->run = e->run || status >= 0;
    free(columns);
    return status;
}

lash_status lash_ensemble_status(const lash_ensemble *ensemble, size_t member) {
    if (!ensemble || member >= ensemble->count || !ensemble->run || member_at(ensemble, member)[STATUS] == 0)
        return LASH_ERROR_USAGE;
    return member_at(ensemble, member)[STATUS] == 1 ? LASH_OK : LASH_ERROR_STEP;
}

double lash_ensemble_value(const lash_ensemble *ensemble, size_t member, size_t channel,
                           lash_ensemble_what what) {
    const lash_ensemble *e = ensemble;
    if (lash_ensemble_status(e, member) != LASH_OK || channel >= (size_t)e->channels)
        return (double)NAN;
    const double *m = member_at(e, member), *v = m + column_value(e, (int)channel);
    const double length = m[END] - m[BEGIN];
    switch (what) {
    case LASH_ENSEMBLE_LEAST: return isfinite(v[LEAST]) ? v[LEAST] : (double)NAN;
    case LASH_ENSEMBLE_MOST: return isfinite(v[MOST]) ? v[MOST] : (double)NAN;
    case LASH_ENSEMBLE_MEAN: return v[SUM] / length;
    case LASH_ENSEMBLE_RMS: return sqrt(v[SQUARES] / length);
    case LASH_ENSEMBLE_END:
        return e->seen[channel].kind == LASHI_SEEN_STATE ? m[Y + e->seen[channel].index] : (double)NAN;
    }
    return (double)NAN;
}

lash_ensemble_contact lash_ensemble_contact_of(const lash_ensemble *ensemble, size_t member, size_t contact) {
    const lash_ensemble *e = ensemble;
    if (lash_ensemble_status(e, member) != LASH_OK || contact >= (size_t)e->contacts)
        return (lash_ensemble_contact){(double)NAN, (double)NAN, (double)NAN};
    const double *m = member_at(e, member), *c = m + column_sum(e, (int)contact);
    return (lash_ensemble_contact){c[COUNT], c[TIME] / (m[END] - m[BEGIN]), c[PEAK]};
}

double lash_ensemble_steps(const lash_ensemble *ensemble, size_t member, double *attempts) {
    const bool known = ensemble && member < ensemble->count;
    const double *m = known ? member_at(ensemble, member) + column_steps(ensemble) : NULL;
    if (attempts)
        *attempts = known ? m[1] : (double)NAN;
    return known ? m[0] : (double)NAN;
}
