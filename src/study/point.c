/* SPDX-License-Identifier: MIT
 *
 * One point of a study: the model with its settings, run; the metrics of the kept window; and the search for
 * the largest value of a parameter that keeps a metric below its limit.
 *
 * The run goes to the end of what is discarded step by step, then on with the window as observer. Nothing
 * here knows of workers, so that a point gives the same result wherever it is computed.
 *
 * Search. The metric need not be monotone. The range is searched in `scan` equal steps (of the value or its
 * logarithm) from below, until the limit is broken; the last step is then halved until it is shorter than the
 * tolerance. The value found is the largest one tried below which no value tried breaks the limit.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lash/life.h"
#include "study/clock.h"
#include "study/metric.h"

enum { MOST_HALVINGS = 60 };

// ---- outcomes

lash_status lashi_outcome_init(lashi_outcome *outcome, const lash_study *study, lash_error *error) {
    *outcome = (lashi_outcome){.values = calloc(study->metric_count + 1, sizeof *outcome->values),
                               .found = (double)NAN};
    return outcome->values ? LASH_OK : lashi_study_fail_memory(error);
}

void lashi_outcome_clear(lashi_outcome *outcome) {
    free(outcome->values);
    free(outcome->trials);
    free(outcome->section);
    free(outcome->end.values);
    *outcome = (lashi_outcome){0};
}

lash_status lashi_outcome_keep(lashi_outcome *outcome, const double *times, const double *points,
                               size_t count, size_t width, lash_error *error) {
    free(outcome->section);
    outcome->section = calloc(count * (width + 1) + 1, sizeof *outcome->section);
    if (!outcome->section)
        return lashi_study_fail_memory(error);
    outcome->section_count = count;
    for (size_t i = 0; i < count; i++) {
        outcome->section[i * (width + 1)] = times[i];
        memcpy(outcome->section + i * (width + 1) + 1, points + i * width, width * sizeof *points);
    }
    return LASH_OK;
}

void lashi_outcome_fail(lashi_outcome *outcome, const lash_study *study, const lash_error *error) {
    snprintf(outcome->message, sizeof outcome->message, "%s", error->message);
    for (size_t i = 0; i < study->metric_count; i++)
        outcome->values[i] = (lashi_metric_value){.number = (double)NAN};
    outcome->section_count = outcome->end.count = 0;
}

// ---- one run

/* What a run needs and leaves; cleared as a whole. */
typedef struct job {
    const lash_study *study;
    const lashi_state *start; // where the run begins; empty: as assembled
    const atomic_bool *stop;
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
    lashi_window window;
    lashi_section *section;
    size_t *tracks; // [metric_count] of their channels
    double *scales; // [channels of the cut]
    lashi_play_account *before, *after;
    void **memories; // of metrics that the caller makes
    size_t drive;    // channel of the drive's angle; SIZE_MAX: none
    double discard;
} job;

static void clear(job *j) {
    lashi_section_destroy(j->section);
    lashi_window_clear(&j->window);
    lash_sim_destroy(j->sim);
    lash_system_destroy(j->system);
    lash_model_destroy(j->model);
    for (size_t i = 0; j->memories && i < j->study->metric_count; i++)
        free(j->memories[i]);
    free(j->memories);
    free(j->tracks);
    free(j->scales);
    free(j->before);
    free(j->after);
    *j = (job){0};
}

lash_status lashi_point_compile(lash_model **model, lash_system **system, const lash_study *study,
                                const lash_setting *settings, size_t count, lash_error *error) {
    const lash_load_options options = {.settings = settings, .setting_count = count};
    *system = NULL;
    lash_status status = study->model ? lash_model_reload(model, study->model, &options, error)
                                      : lash_model_parse(model, study->model_text, strlen(study->model_text),
                                                         study->model_path, &options, error);
    return status ? status : lash_system_compile(system, *model, error);
}

double lashi_point_discard(const lash_model *model, const lash_system *system) {
    const double discard = lash_system_discard(system);
    return isnan(discard) ? lash_model_run(model)->begin : discard;
}

lash_drive_info lashi_point_drive(size_t *index, const lash_model *model, const lash_system *system) {
    const char *counted = lash_model_run(model)->until_drive;
    for (size_t k = 0; k < lash_system_drive_count(system); k++) {
        const lash_drive_info drive = lash_system_drive(system, k);
        *index = k;
        if (drive.turns && (!counted || strcmp(drive.name, counted) == 0))
            return drive;
    }
    return (lash_drive_info){0};
}

/* The channel of its angle; SIZE_MAX: there is none. */
static size_t find_drive(const job *j) {
    size_t index;
    char name[LASH_ERROR_PLACE];
    const lash_drive_info drive = lashi_point_drive(&index, j->model, j->system);
    if (!drive.name)
        return SIZE_MAX;
    snprintf(name, sizeof name, "%.200s.angle", drive.name);
    return lash_sim_find_channel(j->sim, name);
}

static void take_accounts(lashi_play_account *out, lash_sim *sim) {
    const lash_summary summary = lash_sim_summary(sim);
    const double length = summary.end - summary.start;
    for (size_t i = 0; i < summary.clearance_count; i++) {
        const lash_clearance_summary *c = &summary.clearances[i];
        out[i] =
            (lashi_play_account){(double)c->impacts, c->free_fraction * length, c->impact_fraction * length,
                                 c->following_fraction * length, c->energy_lost};
    }
}

static lash_status observe(void *user, lash_sim *sim, double t_old, double t_new) {
    job *j = user;
    lash_status status = lashi_window_observe(&j->window, sim, t_old, t_new);
    for (size_t i = 0; !status && i < j->study->metric_count; i++) {
        const lash_study_metric *own = &j->study->metrics[i].own;
        if (own->observe)
            status = own->observe(own->user, j->memories[i], sim, t_old, t_new);
    }
    if (!status && j->section)
        status = lashi_section_observe(j->section, sim, t_old, t_new);
    return status;
}

static bool go_on(void *user, double time, double end) {
    (void)time, (void)end;
    return !atomic_load_explicit(((const job *)user)->stop, memory_order_relaxed);
}

unsigned lashi_study_needs(const lash_study *study) {
    unsigned all = 0;
    for (size_t i = 0; i < study->metric_count; i++)
        all |= study->metrics[i].kind->needs;
    return all;
}

/* The window looks at the range of the section's channels, which a verdict needs. */
static lash_status create_section(job *j, lash_error *error) {
    const lashi_cut *cut = &j->study->cut;
    lashi_surface surface = {cut->channel, cut->at, cut->period, 0};
    if (!surface.channel) {
        if (j->drive == SIZE_MAX)
            return lashi_study_fail(error, LASH_ERROR_MODEL,
                                    "there is no drive that turns: `section` must say `of`");
        surface.channel = lash_sim_channel_name(j->sim, j->drive);
    }
    const lash_status status = lashi_section_create(&j->section, j->sim, &surface, cut->channels,
                                                    cut->channel_count, j->discard, 0, error);
    if (status || !(lashi_study_needs(j->study) & LASHI_JUDGED))
        return status;
    for (size_t k = 0; k < cut->channel_count; k++)
        (void)lashi_window_track_range(&j->window, j->section->channels[k]);
    j->scales = calloc(cut->channel_count, sizeof *j->scales);
    return j->scales ? LASH_OK : lashi_study_fail_memory(error);
}

static lash_status set_up(job *j, const lashi_point_settings *given, lash_error *error) {
    const lash_study *study = j->study;
    lash_status status =
        lashi_point_compile(&j->model, &j->system, study, given->settings, given->count, error);
    if (!status)
        j->discard = lashi_point_discard(j->model, j->system);
    if (!status)
        status = lash_sim_create(&j->sim, j->system, error);
    if (!status && j->start->count)
        status = lashi_carry_begin(&j->sim, j->system, j->start, error);
    if (!status)
        status = lash_sim_compile(j->sim, error);
    if (!status)
        status = lashi_window_create(&j->window, study->metric_count + study->cut.channel_count,
                                     lash_model_run(j->model)->rtol, error);
    if (status)
        return status;
    const size_t clearances = lash_system_clearance_count(j->system);
    j->tracks = calloc(study->metric_count + 1, sizeof *j->tracks);
    j->before = calloc(clearances + 1, sizeof *j->before);
    j->after = calloc(clearances + 1, sizeof *j->after);
    j->memories = calloc(study->metric_count + 1, sizeof *j->memories);
    if (!j->tracks || !j->before || !j->after || !j->memories)
        return lashi_study_fail_memory(error);
    for (size_t i = 0; i < study->metric_count; i++)
        if (study->metrics[i].own.value && !(j->memories[i] = calloc(1, study->metrics[i].own.memory + 1)))
            return lashi_study_fail_memory(error);
    for (size_t i = 0; i < study->metric_count; i++) {
        const lashi_metric *metric = &study->metrics[i];
        const size_t channel = metric->kind->subject == LASHI_OF_CHANNEL
                                   ? lash_sim_find_channel(j->sim, metric->subject)
                                   : SIZE_MAX;
        j->tracks[i] = channel == SIZE_MAX ? SIZE_MAX : lashi_window_track(&j->window, channel);
    }
    j->drive = find_drive(j);
    return study->cut.keep || study->carry || (lashi_study_needs(study) & LASHI_JUDGED)
               ? create_section(j, error)
               : LASH_OK;
}

static lash_status read_limits(lash_life_limit *limits, const job *j, lash_error *error) {
    const lashi_ask *ask = &j->study->life;
    lash_status status = LASH_OK;
    for (size_t i = 0; i < ask->count && !status; i++)
        status = lash_life_limit_read(&limits[i], j->sim, ask->keys[i], ask->values[i], error);
    return status;
}

static bool life_goes_on(void *user, const lash_life_progress *progress) {
    (void)progress;
    return go_on(user, 0, 0);
}

/* The life of the machine, after its run. */
static lash_status live(lashi_view *view, job *j, lash_error *error) {
    const lashi_ask *ask = &j->study->life;
    lash_life *life = NULL;
    lash_life_limit *limits = calloc(ask->count + 1, sizeof *limits);
    if (!limits)
        return lashi_study_fail_memory(error);
    const lash_life_options options = {.limits = limits,
                                       .limit_count = ask->count,
                                       .tolerance = ask->tolerance,
                                       .progress = life_goes_on,
                                       .user = j};
    lash_status status = read_limits(limits, j, error);
    if (!status)
        status = lash_life_run(&life, j->system, &options, error);
    view->life_turns = lash_life_turns(life);
    view->life_hours = lash_life_hours(life);
    lash_life_destroy(life);
    free(limits);
    return status;
}

lash_status lashi_cuts_check(size_t count, lash_error *error) {
    return count >= 2 ? LASH_OK
                      : lashi_study_fail(error, LASH_ERROR_LIMIT,
                                         "the section was crossed %zu time%s: too few to judge the motion",
                                         count, count == 1 ? "" : "s");
}

/* Exponent and verdict; the exponent is measured beyond the end of the run, for about as long as was kept. */
static lash_status judge(lashi_view *view, job *j, lash_error *error) {
    const bool measured = lashi_study_needs(j->study) & LASHI_NEEDS_EXPONENT;
    const lashi_section *section = j->section;
    const size_t cuts = section->count;
    lashi_lyapunov exponent = {0};
    lash_status status = lashi_cuts_check(cuts, error);
    if (status)
        return status;
    const double turn = (section->times[cuts - 1] - section->times[0]) / (double)(cuts - 1);
    if (measured) {
        const lashi_lyapunov_options options = {.interval = turn / LASHI_RENORMALISATIONS,
                                                .count = cuts * LASHI_RENORMALISATIONS,
                                                .align = LASHI_ALIGNING_TURNS * LASHI_RENORMALISATIONS,
                                                .stop = j->stop};
        status = lashi_lyapunov_sim(&exponent, j->sim, &options, error);
    }
    for (size_t k = 0; k < section->width; k++)
        j->scales[k] =
            lashi_track_range(&j->window.tracks[lashi_window_track_range(&j->window, section->channels[k])]);
    if (!status)
        status = lashi_verdict_of(&view->verdict, section->points, cuts, section->width, j->scales, turn,
                                  measured ? &exponent : NULL, NULL, error);
    lashi_lyapunov_clear(&exponent);
    return status;
}

static size_t joint_index(const lash_system *system, const char *name) {
    for (size_t i = 0; i < lash_system_clearance_count(system); i++)
        if (strcmp(lash_system_clearance(system, i).joint, name) == 0)
            return i;
    return SIZE_MAX;
}

void lashi_take_metrics(lashi_metric_value *values, const lash_system *system, const lashi_view *view) {
    for (size_t i = 0; i < view->study->metric_count; i++) {
        const lashi_metric *metric = &view->study->metrics[i];
        const bool of_joint = metric->kind->subject == LASHI_OF_JOINT;
        const size_t joint = of_joint ? joint_index(system, metric->subject) : 0;
        values[i] = joint == SIZE_MAX ? (lashi_metric_value){.number = (double)NAN}
                                      : metric->kind->compute(view, i, joint);
    }
}

/* The state at the end, for the next point. `from`, `drive_from`: of the section's surface and of the drive
 * at the start. */
static lash_status carry(lashi_outcome *outcome, const job *j, double from, double drive_from,
                         lash_error *error) {
    const lashi_section *section = j->section;
    lash_status status = LASH_OK;
    if (j->drive != SIZE_MAX)
        status = lashi_carry_whole((lash_sim_value(j->sim, j->drive) - drive_from) / LASHI_TURN,
                                   "turns of the drive", error);
    if (!status && section->period > 0)
        status =
            lashi_carry_whole((lash_sim_value(j->sim, section->surface_channel) - from) / section->period,
                              "periods of the section", error);
    return status ? status : lashi_carry_end(&outcome->end, j->sim, error);
}

static lash_status execute(lashi_outcome *outcome, job *j, lash_error *error) {
    const double begun = lashi_wall_clock();
    const double surface_from =
        j->section ? lash_sim_value(j->sim, j->section->surface_channel) : (double)NAN;
    const double drive_from = j->drive == SIZE_MAX ? (double)NAN : lash_sim_value(j->sim, j->drive);
    lash_status status = LASH_OK;
    while (!status && lash_sim_time(j->sim) < j->discard) {
        status = lash_sim_step(j->sim, j->discard, error);
        if (!status && !go_on(j, 0, 0))
            status = LASH_STOP_INTERRUPTED;
    }
    if (status == LASH_STOP_END)
        status = LASH_OK;
    const lash_run_control control = {.progress = go_on, .observe = observe, .user = j};
    if (!status)
        status = lash_sim_settle(j->sim, &control, error);
    if (status == LASH_STOP_EVENT)
        return lashi_study_fail_end(error, j->sim, "anything is measured: after `discard`, or settled");
    if (status)
        return status;
    const double start = lash_sim_time(j->sim);
    const double angle = j->drive == SIZE_MAX ? (double)NAN : lash_sim_value(j->sim, j->drive);
    const lash_summary before = lash_sim_summary(j->sim);
    take_accounts(j->before, j->sim);

    status = lash_sim_run(j->sim, NULL, &control, error);
    if (status < 0 || status == LASH_STOP_INTERRUPTED)
        return status;
    lashi_view view = {.study = j->study,
                       .sim = j->sim,
                       .memories = j->memories,
                       .window = &j->window,
                       .tracks = j->tracks,
                       .before = j->before,
                       .after = j->after,
                       .summary = lash_sim_summary(j->sim),
                       .length = lash_sim_time(j->sim) - start};
    view.evaluations = (double)(view.summary.evaluations - before.evaluations);
    view.steps = (double)(view.summary.steps - before.steps);
    take_accounts(j->after, j->sim);
    view.turns =
        j->drive == SIZE_MAX ? (double)NAN : fabs(lash_sim_value(j->sim, j->drive) - angle) / LASHI_TURN;
    view.wall_time = lashi_wall_clock() - begun;
    status = lashi_window_check(&j->window, j->sim);
    if (!status && j->section)
        status = lashi_window_check(j->section->window, j->sim);
    if (!status && j->study->carry)
        status = carry(outcome, j, surface_from, drive_from, error);
    if (!status && j->study->cut.keep)
        status = lashi_outcome_keep(outcome, j->section->times, j->section->points, j->section->count,
                                    j->section->width, error);
    if (!status && (lashi_study_needs(j->study) & LASHI_NEEDS_LIFE))
        status = live(&view, j, error);
    if (!status && (lashi_study_needs(j->study) & LASHI_JUDGED))
        status = judge(&view, j, error);
    for (size_t i = 0; !status && i < j->study->metric_count; i++) {
        const lash_study_metric *own = &j->study->metrics[i].own;
        if (own->conclude)
            status = own->conclude(own->user, j->memories[i], j->sim, error);
    }
    if (!status)
        lashi_take_metrics(outcome->values, j->system, &view);
    return status;
}

static lash_status run_once(lashi_outcome *outcome, const lash_study *study, size_t point, double searched,
                            const lashi_state *start, const atomic_bool *stop, lash_error *error) {
    lashi_point_settings settings;
    job j = {.study = study, .start = start, .stop = stop, .drive = SIZE_MAX};
    lash_status status = lashi_point_settings_create(&settings, study, point, searched, error);
    if (!status)
        status = set_up(&j, &settings, error);
    if (!status)
        status = execute(outcome, &j, error);
    clear(&j);
    lashi_point_settings_clear(&settings);
    return status;
}

lash_status lashi_point_try(const char **key, const lash_study *study, size_t point, lash_error *error) {
    lashi_point_settings settings;
    const lashi_state assembled = {0};
    job j = {.study = study, .start = &assembled, .drive = SIZE_MAX};
    lash_status status = lashi_point_settings_create(&settings, study, point, study->search.from, error);
    if (!status)
        status = set_up(&j, &settings, error);
    *key = !status ? NULL : j.sim ? "section" : study->discard ? "discard" : "model";
    lash_life_limit *limits = calloc(study->life.count + 1, sizeof *limits);
    if (!limits)
        status = lashi_study_fail_memory(error);
    if (!status && (status = read_limits(limits, &j, error)))
        *key = "life";
    free(limits);
    clear(&j);
    lashi_point_settings_clear(&settings);
    return status;
}

// ---- search

typedef struct hunt {
    lashi_outcome *outcome;
    const lash_study *study;
    const lashi_state *start;
    const atomic_bool *stop;
    lash_error *error;
} hunt;

/* Looks at a value: 1 below the limit, 0 not, negative: failed. */
static lash_status look(bool *below, hunt *h, double value) {
    lashi_outcome *outcome = h->outcome;
    const lashi_search *search = &h->study->search;
    lashi_trial *more = realloc(outcome->trials, (outcome->trial_count + 1) * sizeof *more);
    if (!more)
        return lashi_study_fail_memory(h->error);
    outcome->trials = more;
    lash_status status = run_once(outcome, h->study, outcome->point, value, h->start, h->stop, h->error);
    if (status)
        return status;
    const double metric = outcome->values[search->metric].number;
    if (isnan(metric))
        return lashi_study_fail(h->error, LASH_ERROR_LIMIT,
                                "'%s' has no value at %g%s%s: there is nothing to compare with the limit",
                                h->study->metrics[search->metric].name, value, search->unit[0] ? " " : "",
                                search->unit);
    outcome->trials[outcome->trial_count++] = (lashi_trial){value, metric};
    *below = metric < search->below;
    return LASH_OK;
}

static double between(const lashi_search *search, double a, double b, double x) {
    return search->log ? a * pow(b / a, x) : a + x * (b - a);
}

/* Where the metric rises and falls again between the values of the scan, it may exceed the limit beside its top. */
static void note_top(lashi_outcome *outcome, const lash_study *study, size_t scanned) {
    const lashi_search *search = &study->search;
    const lashi_trial *trial = outcome->trials;
    const lashi_metric *metric = &study->metrics[search->metric];
    size_t top = 0;
    for (size_t i = 1; i + 1 < scanned; i++)
        if (trial[i].metric > trial[i - 1].metric && trial[i].metric > trial[i + 1].metric &&
            (!top || trial[i].metric > trial[top].metric))
            top = i;
    const size_t used = strlen(outcome->message);
    if (top)
        snprintf(outcome->message + used, sizeof outcome->message - used,
                 "%s'%s' rises to %.6g at %g%s%s and falls again: between the values tried it may exceed the "
                 "limit; "
                 "`scan` takes more of them",
                 used ? "; " : "", metric->name, trial[top].metric, trial[top].value,
                 search->unit[0] ? " " : "", search->unit);
}

static lash_status search_largest(hunt *h) {
    const lashi_search *search = &h->study->search;
    lashi_outcome *outcome = h->outcome;
    bool below;
    const lashi_metric *metric = &h->study->metrics[search->metric];
    double good = search->from, bad = (double)NAN;
    lash_status status = look(&below, h, good);
    if (status)
        return status;
    if (!below)
        return lashi_study_fail(h->error, LASH_ERROR_LIMIT,
                                "'%s' is %.6g%s%s already at the smallest value %g%s%s: not below %.6g",
                                metric->name, outcome->trials[0].metric, metric->unit[0] ? " " : "",
                                metric->unit, good, search->unit[0] ? " " : "", search->unit, search->below);
    for (size_t i = 1; i <= search->scan && isnan(bad); i++) {
        const double value =
            i == search->scan ? search->to
                              : between(search, search->from, search->to, (double)i / (double)search->scan);
        if ((status = look(&below, h, value)))
            return status;
        if (below)
            good = value;
        else
            bad = value;
    }
    const size_t scanned = outcome->trial_count;
    for (int i = 0; i < MOST_HALVINGS && bad - good > search->tolerance * fabs(bad); i++) {
        const double middle = between(search, good, bad, 0.5);
        if ((status = look(&below, h, middle)))
            return status;
        if (below)
            good = middle;
        else
            bad = middle;
    }
    outcome->found = good;
    if (isnan(bad))
        snprintf(outcome->message, sizeof outcome->message,
                 "'%s' stays below the limit up to the end of the range: the largest value may lie beyond it",
                 metric->name);
    note_top(outcome, h->study, scanned);
    // The metrics of the row are those of the value found.
    return outcome->trials[outcome->trial_count - 1].value == good
               ? LASH_OK
               : run_once(outcome, h->study, outcome->point, good, h->start, h->stop, h->error);
}

// ---- the point

lash_status lashi_point_compute(lashi_outcome *outcome, const lash_study *study, size_t point,
                                const lashi_state *start, const atomic_bool *stop) {
    const double begun = lashi_wall_clock();
    lash_error error = {.message = ""};
    outcome->point = point;
    outcome->found = (double)NAN;
    outcome->trial_count = outcome->section_count = outcome->end.count = 0;
    outcome->message[0] = '\0';
    outcome->way = LASH_STUDY_ONE_BY_ONE;
    hunt h = {outcome, study, start, stop, &error};
    lash_status status = study->search.wanted
                             ? search_largest(&h)
                             : run_once(outcome, study, point, (double)NAN, start, stop, &error);
    outcome->wall_time = lashi_wall_clock() - begun;
    outcome->status = status;
    if (status == LASH_STOP_INTERRUPTED || status == LASH_ERROR_MEMORY)
        return status;
    if (status)
        lashi_outcome_fail(outcome, study, &error);
    return LASH_OK;
}
