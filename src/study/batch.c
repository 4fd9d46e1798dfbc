/* SPDX-License-Identifier: MIT
 *
 * Points of a study side by side: members of ensembles (lash/ensemble.h), on the lanes of a core or on a GPU.
 *
 * Points of one structure are one ensemble; a study whose axes change the structure makes several. What a metric
 * sees (lashi_view) is filled from the member in place of a run, so that there is one table of metrics. Points that
 * cannot be members, or whose member fails, are computed one by one; so is the whole batch where there is no
 * compiler. If a GPU fails, its members stay where they were and lanes continue them.
 *
 * Cuts of a section are known in time, since the drive turns steadily: s(t) = s₀ + ω t. The first is that after
 * the kept time begins, with the rounding of poincare.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lash/ensemble.h"
#include "study/clock.h"
#include "study/metric.h"

typedef struct member { /* of one ensemble */
    size_t point;
    double length, turns, turn; /* s of the kept time; turns of the drive in it; s from cut to cut */
    double first_cut;           /* s */
    size_t cuts;
    bool done;
} member;

typedef struct group { /* points of one structure */
    lash_ensemble *ensemble;
    lash_system *system; /* of its first member */
    lash_model *model;
    member *members;
    size_t count, capacity;
    lash_study_way way; /* in which it was computed */
} group;

typedef struct state {
    const lashi_batch *batch;
    group *groups;
    size_t group_count, group_capacity;
    size_t *alone; /* points that cannot be members */
    size_t alone_count;
    const char **channels; /* [metric_count] of metrics, each once */
    size_t channel_count;
    size_t *tracks;  /* [metric_count] */
    size_t finished; /* members of ensembles before the one that runs */
    lashi_outcome *outcomes;
    size_t held; /* of those, to be given away together */
} state;
enum { HELD = 128, MOST_TRIED = 64 };

// ---- whether a study is suitable

static bool wants_section(const lash_study *study) {
    return study->cut.keep || (lashi_study_needs(study) & LASHI_JUDGED);
}

static bool wants_contacts(const lash_study *study) {
    for (size_t i = 0; i < study->metric_count; i++)
        if (study->metrics[i].kind->subject == LASHI_OF_JOINT)
            return true;
    return false;
}

/* The drive at whose angle the section cuts, `turning` where the study does not say; a NULL name: it is not a
 * drive's angle. */
static lash_drive_info find_cut_drive(const lash_study *study, const lash_system *system,
                                      lash_drive_info turning) {
    const char *cut = study->cut.channel, *dot = cut ? strrchr(cut, '.') : NULL;
    if (!cut)
        return turning;
    for (size_t k = 0; dot && strcmp(dot, ".angle") == 0 && k < lash_system_drive_count(system); k++) {
        const lash_drive_info drive = lash_system_drive(system, k);
        if (drive.turns && strlen(drive.name) == (size_t)(dot - cut) &&
            strncmp(drive.name, cut, (size_t)(dot - cut)) == 0)
            return drive;
    }
    return (lash_drive_info){0};
}

static const char *reason_of_study(const lash_study *study) {
    if (study->carry)
        return "the points of the study begin where others end (`carry`)";
    if (study->search.wanted)
        return "the study searches for a value";
    if (lashi_study_needs(study) & LASHI_NEEDS_LIFE)
        return "the study asks for the life of a machine";
    for (size_t i = 0; i < study->metric_count; i++) {
        if (study->metrics[i].kind->subject == LASHI_OF_CALLER)
            return "the study has metrics that its caller computes";
    }
    return NULL;
}

// ---- members

static lash_status fail(char why[LASH_ERROR_TEXT], const char *reason) {
    snprintf(why, LASH_ERROR_TEXT, "%s", reason);
    return LASH_ERROR_MODEL;
}

/* The time of a member. */
static lash_status plan_member(lash_ensemble_span *span, member *m, const state *s, const lash_model *model,
                               const lash_system *system, char why[LASH_ERROR_TEXT]) {
    const lash_study *study = s->batch->study;
    const double discard = lashi_point_discard(model, system);
    size_t index = 0;
    const lash_drive_info turning = lashi_point_drive(&index, model, system),
                          drive = find_cut_drive(study, system, turning);
    const lash_run_def *run = lash_model_run(model);
    if (run->start && strcmp(run->start, "assembled") != 0)
        return fail(why, "its runs do not begin as they are assembled (`run: start`)");
    *span = (lash_ensemble_span){.from = discard, .until = lash_system_end(system)};
    m->length = span->until - span->from;
    m->turns = turning.name ? fabs(lash_system_drive_value(system, index, span->until) -
                                   lash_system_drive_value(system, index, span->from)) /
                                  LASHI_TURN
                            : (double)NAN;
    if (!wants_section(study))
        return LASH_OK;
    if (!(drive.steady && drive.speed != 0))
        return fail(why, "its section is cut at turns, and no drive turns steadily");
    const double period = study->cut.period, at = study->cut.at;
    if (!(period > 0))
        return fail(why, "its section is not one of a drive's angle");
    const double s0 = drive.start + drive.speed * discard, s1 = drive.start + drive.speed * span->until;
    const bool rising = drive.speed > 0;
    const double first = rising ? floor((s0 - at) / period) + 1 : ceil((s0 - at) / period) - 1,
                 last = rising ? floor((s1 - at) / period) : ceil((s1 - at) / period);
    const double cuts = (rising ? last - first : first - last) + 1;
    m->cuts = cuts > 0 ? (size_t)cuts : 0;
    m->turn = span->cut_period = period / fabs(drive.speed);
    m->first_cut = span->cut = (at + first * period - drive.start) / drive.speed;
    span->cuts = m->cuts;
    if (lashi_study_needs(study) & LASHI_NEEDS_EXPONENT) {
        span->interval = m->turn / LASHI_RENORMALISATIONS;
        span->align = LASHI_ALIGNING_TURNS * LASHI_RENORMALISATIONS;
        span->block = m->cuts * LASHI_RENORMALISATIONS / LASH_ENSEMBLE_BLOCKS;
        if (span->block == 0)
            return fail(why, "the section is met too rarely for an exponent");
    }
    return LASH_OK;
}

/* The model of a point, and its system; LASH_ERROR_MODEL: there is none. Both are to be destroyed in any case. */
static lash_status compile_point(lash_model **model, lash_system **system, const lash_study *study,
                                 size_t point, lash_error *error) {
    lashi_point_settings settings;
    *model = NULL;
    *system = NULL;
    const lash_status status = lashi_point_settings_create(&settings, study, point, (double)NAN, error);
    if (status)
        return status;
    const bool made = !lashi_point_compile(model, system, study, settings.settings, settings.count, error);
    lashi_point_settings_clear(&settings);
    return made ? LASH_OK : LASH_ERROR_MODEL;
}

/* Points spread over the study show which numbers vary, so that its batches share their code. Some may have
 * another structure, or be no members at all. */
static void vary(lash_ensemble *ensemble, const lash_study *study) {
    enum { LOOKED_AT = 8 };
    for (size_t k = 0; k < LOOKED_AT; k++) {
        lash_model *model;
        lash_system *system;
        lash_error unseen;
        const size_t point = k * (study->point_count - 1) / (LOOKED_AT - 1);
        if (!compile_point(&model, &system, study, point, &unseen))
            (void)!lash_ensemble_vary(ensemble, system, &unseen);
        lash_system_destroy(system);
        lash_model_destroy(model);
    }
}

static lash_status create_group(group *g, const state *s, const lash_system *system, lash_error *error) {
    const lash_study *study = s->batch->study;
    const bool cut = wants_section(study);
    const lash_ensemble_plan plan = {.channels = s->channels,
                                     .channel_count = s->channel_count,
                                     .cuts = study->cut.channels,
                                     .cut_count = cut ? study->cut.channel_count : 0,
                                     .ranges = lashi_study_needs(study) & LASHI_JUDGED,
                                     .contacts = wants_contacts(study),
                                     .exponent = lashi_study_needs(study) & LASHI_NEEDS_EXPONENT};
    *g = (group){0};
    const lash_status status = lash_ensemble_create(&g->ensemble, system, &plan, error);
    if (!status)
        vary(g->ensemble, study);
    return status;
}

static void *room_for(void *list, size_t *capacity, size_t count, size_t size) {
    if (count < *capacity)
        return list;
    const size_t larger = *capacity ? 2 * *capacity : 16;
    void *more = realloc(list, larger * size);
    if (more)
        *capacity = larger;
    return more;
}

/* Into the group of its structure, the last one first; a new one where there is none. */
static lash_status add_member(state *s, const member *m, const lash_ensemble_span *span, lash_model **model,
                              lash_system **system, lash_error *error) {
    lash_status status = LASH_ERROR_MODEL;
    group *g = NULL;
    for (size_t k = s->group_count; k-- > 0 && status == LASH_ERROR_MODEL;) {
        g = &s->groups[k];
        status = lash_ensemble_add(g->ensemble, *system, span, error);
    }
    if (status == LASH_ERROR_MODEL) {
        group *more = room_for(s->groups, &s->group_capacity, s->group_count, sizeof *more);
        if (!more)
            return lashi_study_fail_memory(error);
        s->groups = more;
        g = &s->groups[s->group_count];
        if ((status = create_group(g, s, *system, error)))
            return status;
        s->group_count++;
        if ((status = lash_ensemble_add(g->ensemble, *system, span, error)))
            return status;
        g->model = *model; // joints have their names from it
        g->system = *system;
        *model = NULL;
        *system = NULL;
    }
    if (status)
        return status;
    member *more = room_for(g->members, &g->capacity, g->count, sizeof *more);
    if (!more)
        return lashi_study_fail_memory(error);
    g->members = more;
    g->members[g->count++] = *m;
    return LASH_OK;
}

/* One point: a member, or LASH_ERROR_MODEL with the reason in `why`; what is wrong with the point itself shows when
 * it is computed alone. */
static lash_status prepare_point(state *s, size_t point, char why[LASH_ERROR_TEXT], lash_error *error) {
    lash_model *model;
    lash_system *system;
    lash_ensemble_span span;
    member m = {.point = point};
    why[0] = '\0';
    lash_status status = compile_point(&model, &system, s->batch->study, point, error);
    if (!status && !(status = plan_member(&span, &m, s, model, system, why)) &&
        (status = add_member(s, &m, &span, &model, &system, error)) && status != LASH_ERROR_MEMORY) {
        snprintf(why, LASH_ERROR_TEXT, "%s", error->message);
        status = LASH_ERROR_MODEL;
    }
    lash_system_destroy(system);
    lash_model_destroy(model);
    return status;
}

static void clear(state *s) {
    for (size_t k = 0; k < s->group_count; k++) {
        lash_ensemble_destroy(s->groups[k].ensemble);
        lash_system_destroy(s->groups[k].system);
        lash_model_destroy(s->groups[k].model);
        free(s->groups[k].members);
    }
    free(s->groups);
    free(s->alone);
    free(s->channels);
    free(s->tracks);
    for (size_t i = 0; s->outcomes && i < HELD; i++)
        lashi_outcome_clear(&s->outcomes[i]);
    free(s->outcomes);
}

/* Channels of the metrics, each once. */
static lash_status begin(state *s, const lashi_batch *batch, lash_error *error) {
    const lash_study *study = batch->study;
    *s = (state){.batch = batch,
                 .alone = calloc(batch->count + 1, sizeof *s->alone),
                 .channels = calloc(study->metric_count + 1, sizeof *s->channels),
                 .tracks = calloc(study->metric_count + 1, sizeof *s->tracks),
                 .outcomes = calloc(HELD, sizeof *s->outcomes)};
    if (!s->alone || !s->channels || !s->tracks || !s->outcomes)
        return lashi_study_fail_memory(error);
    for (size_t i = 0; i < study->metric_count; i++) {
        size_t k = 0;
        s->tracks[i] = SIZE_MAX;
        if (study->metrics[i].kind->subject != LASHI_OF_CHANNEL)
            continue;
        while (k < s->channel_count && strcmp(s->channels[k], study->metrics[i].subject) != 0)
            k++;
        s->channels[k] = study->metrics[i].subject;
        s->channel_count = k == s->channel_count ? k + 1 : s->channel_count;
        s->tracks[i] = k;
    }
    lash_status status = LASH_OK;
    for (size_t i = 0; !status && i < HELD; i++)
        status = lashi_outcome_init(&s->outcomes[i], study, error);
    return status;
}

static void give_away(state *s) {
    if (s->held)
        s->batch->finish(s->batch->user, s->outcomes, s->held);
    s->held = 0;
}

bool lashi_batch_suits(const lash_study *study, lash_study_way way, char why[LASH_ERROR_TEXT]) {
    state s;
    lash_error error = {.message = ""};
    const size_t first = 0;
    const lashi_batch one = {.study = study, .way = way, .points = &first, .count = 1};
    const char *reason = reason_of_study(study);
    why[0] = '\0';
    if (reason) {
        snprintf(why, LASH_ERROR_TEXT, "%s", reason);
        return false;
    }
    // The first point that is a machine shows what is said of all; others may be of another structure.
    const size_t most = study->point_count < MOST_TRIED ? study->point_count : MOST_TRIED;
    bool suits = false, ready = !begin(&s, &one, &error);
    for (size_t point = 0; ready && !suits && !why[0] && point < most; point++)
        suits = !prepare_point(&s, point, why, &error);
    if (!suits && !why[0])
        snprintf(why, LASH_ERROR_TEXT, "%s", error.message);
    clear(&s);
    return suits;
}

// ---- running

static bool look(void *user, size_t finished) {
    const state *s = user;
    if (s->batch->ahead)
        s->batch->ahead(s->batch->user, s->finished + finished);
    return !atomic_load_explicit(s->batch->stop, memory_order_relaxed);
}

/* Runs a group, on lanes where the GPU fails. LASH_ERROR_IO: on neither. */
static lash_status run_group(state *s, group *g) {
    lash_error error;
    lash_status status = LASH_ERROR_IO;
    g->way = s->batch->way;
    if (g->way == LASH_STUDY_GPU) {
        status = lash_ensemble_run(g->ensemble, LASH_ON_GPU, look, s, &error);
        if (status == LASH_ERROR_IO) {
            s->batch->say(s->batch->user, error.message);
            g->way = LASH_STUDY_LANES;
        }
    }
    if (g->way == LASH_STUDY_LANES && status == LASH_ERROR_IO) {
        status = lash_ensemble_run(g->ensemble, LASH_ON_LANES, look, s, &error);
        if (status == LASH_ERROR_IO)
            s->batch->say(s->batch->user, error.message);
    }
    s->finished += g->count;
    return status;
}

// ---- results

static lash_status judge(lashi_verdict *out, const group *g, const member *m, size_t index,
                         const double *points, const lash_study *study, lash_error *error) {
    const size_t width = study->cut.channel_count;
    const bool measured = lashi_study_needs(study) & LASHI_NEEDS_EXPONENT;
    double growth[LASH_ENSEMBLE_BLOCKS], *scales = calloc(width + 1, sizeof *scales);
    lashi_lyapunov exponent = {0};
    lash_status status = scales ? lashi_cuts_check(m->cuts, error) : lashi_study_fail_memory(error);
    for (size_t k = 0; !status && k < width; k++) {
        // Those of the cuts follow the channels of metrics.
        const size_t channel = lash_ensemble_channel_count(g->ensemble) - width + k;
        scales[k] = lashi_track_range(
            &(lashi_track){.least = lash_ensemble_value(g->ensemble, index, channel, LASH_ENSEMBLE_LEAST),
                           .most = lash_ensemble_value(g->ensemble, index, channel, LASH_ENSEMBLE_MOST)});
    }
    if (!status && measured && lash_ensemble_growth(growth, g->ensemble, index))
        status = lashi_study_fail(error, LASH_ERROR_LIMIT,
                                  "nothing can differ in this motion: there is no exponent to measure");
    if (!status && measured) {
        const size_t block = m->cuts * LASHI_RENORMALISATIONS / LASH_ENSEMBLE_BLOCKS;
        status = lashi_lyapunov_blocks(&exponent, growth, LASH_ENSEMBLE_BLOCKS,
                                       (double)block * m->turn / LASHI_RENORMALISATIONS, error);
    }
    if (!status)
        status = lashi_verdict_of(out, points, m->cuts, width, scales, m->turn, measured ? &exponent : NULL,
                                  NULL, error);
    free(scales);
    lashi_lyapunov_clear(&exponent);
    return status;
}

/* Cuts of a member: its times, then [cuts][channels]; NULL: out of memory. */
static double *take_cuts(const group *g, const member *m, size_t index, size_t width) {
    double *times = calloc(m->cuts * (width + 1) + 1, sizeof *times);
    double *points = times ? times + m->cuts : NULL;
    for (size_t i = 0; times && i < m->cuts; i++) {
        times[i] = m->first_cut + (double)i * m->turn;
        for (size_t k = 0; k < width; k++)
            points[i * width + k] = lash_ensemble_cut(g->ensemble, index, i, k);
    }
    return times;
}

/* What the metrics see of a member. */
static lash_status show(lashi_view *view, lashi_track *tracks, lashi_play_account *accounts, state *s,
                        const group *g, size_t index, lash_error *error) {
    const lash_study *study = s->batch->study;
    const member *m = &g->members[index];
    const size_t contacts = lash_system_clearance_count(g->system);
    for (size_t k = 0; k < s->channel_count; k++) {
        const double rms = lash_ensemble_value(g->ensemble, index, k, LASH_ENSEMBLE_RMS);
        tracks[k] = (lashi_track){.least = lash_ensemble_value(g->ensemble, index, k, LASH_ENSEMBLE_LEAST),
                                  .most = lash_ensemble_value(g->ensemble, index, k, LASH_ENSEMBLE_MOST),
                                  .integral = lash_ensemble_value(g->ensemble, index, k, LASH_ENSEMBLE_MEAN) *
                                              m->length,
                                  .square = rms * rms * m->length};
    }
    for (size_t k = 0; k < contacts; k++) {
        const lash_ensemble_contact c = lash_ensemble_contact_of(g->ensemble, index, k);
        accounts[k] = (lashi_play_account){c.impacts, (1 - c.share) * m->length, c.impact_time,
                                           c.following_time, c.energy_lost};
    }
    view->length = m->length;
    view->turns = m->turns;
    view->steps = lash_ensemble_steps(g->ensemble, index, &view->evaluations);
    view->summary.max_balance_error = lash_ensemble_balance(g->ensemble, index);
    if (!wants_section(study))
        return LASH_OK;
    const size_t width = study->cut.channel_count;
    double *times = take_cuts(g, m, index, width);
    const double *points = times ? times + m->cuts : NULL;
    lash_status status = times ? LASH_OK : lashi_study_fail_memory(error);
    if (!status && study->cut.keep)
        status = lashi_outcome_keep(&s->outcomes[s->held], times, points, m->cuts, width, error);
    if (!status && (lashi_study_needs(study) & LASHI_JUDGED))
        status = judge(&view->verdict, g, m, index, points, study, error);
    free(times);
    return status;
}

/* A member's outcome; those that did not reach their end are computed alone. */
static lash_status finish_member(state *s, const group *g, size_t index, lashi_track *tracks,
                                 lashi_play_account *accounts, const lashi_play_account *none,
                                 double wall_time) {
    const lash_study *study = s->batch->study;
    lash_error error = {.message = ""};
    lashi_outcome *outcome = &s->outcomes[s->held];
    const lashi_window window = {
        .tracks = tracks, .count = s->channel_count, .length = g->members[index].length};
    lashi_view view = {.study = study,
                       .window = &window,
                       .tracks = s->tracks,
                       .before = none,
                       .after = accounts,
                       .wall_time = wall_time};
    if (lash_ensemble_status(g->ensemble, index) != LASH_OK) {
        s->batch->give_up(s->batch->user, lash_ensemble_reason(g->ensemble, index));
        s->alone[s->alone_count++] = g->members[index].point;
        return LASH_OK;
    }
    outcome->point = g->members[index].point;
    outcome->found = (double)NAN;
    outcome->trial_count = outcome->section_count = outcome->end.count = 0;
    outcome->message[0] = '\0';
    outcome->wall_time = wall_time;
    outcome->way = g->way;
    outcome->status = show(&view, tracks, accounts, s, g, index, &error);
    if (outcome->status == LASH_ERROR_MEMORY)
        return outcome->status;
    if (!outcome->status)
        lashi_take_metrics(outcome->values, g->system, &view);
    else
        lashi_outcome_fail(outcome, study, &error);
    if (++s->held == HELD)
        give_away(s);
    return LASH_OK;
}

static lash_status finish_group(state *s, const group *g, double wall_time) {
    const size_t contacts = lash_system_clearance_count(g->system);
    lashi_track *tracks = calloc(s->channel_count + 1, sizeof *tracks);
    lashi_play_account *accounts = calloc(contacts + 1, sizeof *accounts),
                       *none = calloc(contacts + 1, sizeof *none);
    lash_status status = tracks && accounts && none ? LASH_OK : LASH_ERROR_MEMORY;
    for (size_t i = 0; !status && i < g->count; i++)
        status = finish_member(s, g, i, tracks, accounts, none, wall_time);
    free(tracks);
    free(accounts);
    free(none);
    give_away(s);
    return status;
}

static lash_status run_alone(state *s) {
    const lashi_state assembled = {0};
    lash_status status = LASH_OK;
    for (size_t i = 0; !status && i < s->alone_count; i++) {
        status =
            lashi_point_compute(&s->outcomes[0], s->batch->study, s->alone[i], &assembled, s->batch->stop);
        s->held = !status;
        give_away(s);
    }
    return status;
}

lash_status lashi_batch_compute(const lashi_batch *batch) {
    const double begun = lashi_wall_clock();
    state s;
    lash_error error = {.message = ""};
    char why[LASH_ERROR_TEXT];
    lash_status status = begin(&s, batch, &error);
    for (size_t i = 0; !status && i < batch->count; i++) {
        status = prepare_point(&s, batch->points[i], why, &error);
        if (status == LASH_ERROR_MODEL) {
            if (why[0])
                batch->say(batch->user, why);
            s.alone[s.alone_count++] = batch->points[i];
            status = LASH_OK;
        }
        if (!status && atomic_load_explicit(batch->stop, memory_order_relaxed))
            status = LASH_STOP_INTERRUPTED;
    }
    for (size_t k = 0; !status && k < s.group_count; k++) {
        group *g = &s.groups[k];
        status = run_group(&s, g);
        if (status == LASH_ERROR_IO) {
            for (size_t i = 0; i < g->count; i++)
                s.alone[s.alone_count++] = g->members[i].point;
            status = LASH_OK;
        } else if (!status) {
            status = finish_group(&s, g, (lashi_wall_clock() - begun) / (double)batch->count);
        }
    }
    if (!status)
        status = run_alone(&s);
    clear(&s);
    return status;
}
