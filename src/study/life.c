/* SPDX-License-Identifier: MIT
 *
 * Wear over a life (docs/wear.md).
 *
 * At a stage with the profiles P, turns are computed, each from where the last one ended, until one wears off
 * what those before it did; or, where the motion does not repeat, until the standard error of
 * the mean is small. That gives the rates r(P), depth per turn of every coefficient. From there
 *   one jump of n turns           P + n r(P)
 *   two half jumps                P′ = P + n/2 r(P),  P′ + n/2 r(P′)
 * differ by E = n/2 |r(P′) − r(P)|, the error of the two. Where the largest E of a part is below the
 * tolerance times the deepest wear of that part, the jump counts, and both are extrapolated to P + n r(P′):
 * the midpoint rule, of second order. Else a shorter one is tried. E grows as n².
 *
 * The play of a joint grows linearly within a jump, so that the turn at which it passes its limit is known
 * exactly; of a channel it is interpolated between the two stages around it.
 *
 * A stage is kept with the state that its turns began from. A life that continues computes the turns of its
 * last stage again, with the same result bit for bit.
 */
#include "study/clock.h"
#include "study/life.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lash/quantity.h"
#include "study/metric.h"

static const double DEFAULT_TOLERANCE = 0.02;
enum { DEFAULT_MOST_TURNS = 200, LONGEST_PERIOD = 4, FEWEST_FOR_MEAN = 12, MOST_STAGES = 100000 };
/* Turns repeat, and means are steady, if they do so to this share of the tolerance. */
static const double REPEATS = 0.25;
/* The share of the clearance that the first jump tries to wear off. */
static const double FIRST_DEPTH = 0.01;
/* From a jump to the next one: how much of the tolerance is used, and the largest and smallest ratio. */
static const double SAFETY = 0.8, LONGER = 4, SHORTER = 0.1;
static const double HOUR = 3600;

// ---- a life in memory

lash_status lashi_life_create(lash_life **out, const char *title, size_t joints, lash_error *error) {
    lash_life *life = *out = calloc(1, sizeof *life);
    if (!life)
        return lashi_study_fail_memory(error);
    life->turns = life->hours = (double)NAN;
    life->joint_count = joints;
    life->title = strdup(title ? title : "");
    life->names = calloc(joints + 1, sizeof *life->names);
    life->shapes = calloc(joints + 1, sizeof *life->shapes);
    if (life->title && life->names && life->shapes)
        return LASH_OK;
    lash_life_destroy(life);
    *out = NULL;
    return lashi_study_fail_memory(error);
}

lash_status lashi_life_shape(lash_life *life, size_t joint, const lash_worn_shape *shape, lash_error *error) {
    life->shapes[joint] = *shape;
    life->shapes[joint].joint = life->names[joint] = strdup(shape->joint);
    return life->names[joint] ? LASH_OK : lashi_study_fail_memory(error);
}

size_t lashi_life_width(const lash_life *life) {
    size_t width = 0;
    for (size_t i = 0; i < life->joint_count; i++)
        width += LASH_WORN_PARTS * life->shapes[i].count;
    return width;
}

static void clear_stage(lashi_life_stage *stage) {
    free(stage->joints);
    free(stage->profiles);
    free(stage->start.values);
    *stage = (lashi_life_stage){0};
}

lashi_life_stage *lashi_life_add(lash_life *life) {
    if (life->stage_count == life->capacity) {
        const size_t capacity = 2 * life->capacity + 16;
        lashi_life_stage *more = realloc(life->stages, capacity * sizeof *more);
        if (!more)
            return NULL;
        life->stages = more;
        life->capacity = capacity;
    }
    lashi_life_stage *stage = &life->stages[life->stage_count];
    *stage = (lashi_life_stage){.joints = calloc(life->joint_count + 1, sizeof *stage->joints),
                                .profiles = calloc(lashi_life_width(life) + 1, sizeof(double))};
    if (!stage->joints || !stage->profiles) {
        clear_stage(stage);
        return NULL;
    }
    stage->seen.joint_count = life->joint_count;
    stage->seen.joints = stage->joints;
    const double *profile = stage->profiles;
    for (size_t i = 0; i < life->joint_count; i++) {
        stage->joints[i].shape = life->shapes[i];
        for (int part = 0; part < LASH_WORN_PARTS; part++, profile += life->shapes[i].count)
            stage->joints[i].profile[part] = profile;
    }
    life->stage_count++;
    return stage;
}

void lashi_life_drop(lash_life *life) {
    clear_stage(&life->stages[--life->stage_count]);
}

void lash_life_destroy(lash_life *life) {
    if (!life)
        return;
    while (life->stage_count)
        lashi_life_drop(life);
    for (size_t i = 0; life->names && i < life->joint_count; i++)
        free(life->names[i]);
    free(life->stages);
    free(life->names);
    free(life->shapes);
    free(life->title);
    free(life);
}

size_t lash_life_stage_count(const lash_life *life) {
    return life ? life->stage_count : 0;
}
const lash_life_stage *lash_life_stage_at(const lash_life *life, size_t index) {
    return life && index < life->stage_count ? &life->stages[index].seen : NULL;
}
lash_status lash_life_profile(double *out, const lash_life *life, size_t joint, int part, double turns,
                              lash_error *error) {
    if (!out || !life || joint >= life->joint_count || part < 0 || part >= LASH_WORN_PARTS)
        return lashi_study_fail_null(error);
    if (!life->stage_count)
        return lashi_study_fail(error, LASH_ERROR_USAGE, "the life has no stage yet");
    const lash_life_stage *after = &life->stages[life->stage_count - 1].seen, *before = after;
    if (turns < 0 || turns > after->turns)
        return lashi_study_fail(error, LASH_ERROR_USAGE,
                                "the life is known from 0 to %.6g turns, %g are not among them", after->turns,
                                turns);
    for (size_t i = 0; i < life->stage_count && !isnan(turns); i++) {
        after = &life->stages[i].seen;
        before = i ? &life->stages[i - 1].seen : after;
        if (after->turns >= turns)
            break;
    }
    const double way = after->turns - before->turns, share = way > 0 ? (turns - before->turns) / way : 1;
    const double *a = before->joints[joint].profile[part], *b = after->joints[joint].profile[part];
    for (size_t s = 0; s < life->shapes[joint].count; s++)
        out[s] = share >= 1 ? b[s] : a[s] + share * (b[s] - a[s]);
    return LASH_OK;
}

double lash_life_turns(const lash_life *life) {
    return life ? life->turns : (double)NAN;
}
double lash_life_hours(const lash_life *life) {
    return life ? life->hours : (double)NAN;
}
const char *lash_life_end(const lash_life *life) {
    return life && life->end[0] ? life->end : NULL;
}
const char *lash_life_title(const lash_life *life) {
    return life ? life->title : "";
}

// ---- limits

static const char *const limit_names[] = {"turns", "hours", "play", "max"};

static bool wears(const lash_system *system, const char *joint) {
    for (size_t i = 0; i < lash_system_worn_count(system); i++)
        if (strcmp(lash_system_worn(system, i).shape.joint, joint) == 0 && lash_system_worn(system, i).k > 0)
            return true;
    return false;
}

lash_status lash_life_limit_read(lash_life_limit *out, const lash_sim *sim, const char *key,
                                 const char *value, lash_error *error) {
    if (!out || !sim || !key || !value)
        return lashi_study_fail_null(error);
    const size_t length = strcspn(key, " ");
    const char *subject = key + length + strspn(key + length, " ");
    int kind = -1;
    for (int i = LASH_LIFE_TURNS; i <= LASH_LIFE_MAX; i++)
        if (strlen(limit_names[i]) == length && strncmp(key, limit_names[i], length) == 0)
            kind = i;
    *out = (lash_life_limit){.kind = (lash_life_limit_kind)kind};
    if (kind < 0 || (kind >= LASH_LIFE_PLAY) != (*subject != '\0') ||
        snprintf(out->subject, sizeof out->subject, "%s", subject) >= (int)sizeof out->subject)
        return lashi_study_fail(error, LASH_ERROR_USAGE,
                                "a life ends at turns, hours, play JOINT or max CHANNEL, not at '%.60s'",
                                key);
    const char *unit = kind == LASH_LIFE_PLAY ? "m" : "";
    size_t channel = 0;
    if (kind == LASH_LIFE_MAX) {
        channel = lash_sim_find_channel(sim, subject);
        if (channel == (size_t)-1)
            return lashi_study_fail(error, LASH_ERROR_USAGE,
                                    "max %.60s: there is no such channel; `lash channels MODEL` lists them",
                                    subject);
        unit = lash_sim_channel_unit(sim, channel);
    }
    if (kind == LASH_LIFE_PLAY && !wears(lash_sim_system(sim), subject)) {
        char names[256] = "";
        for (size_t i = 0, used = 0; i < lash_system_worn_count(lash_sim_system(sim)); i++) {
            const char *name = lash_system_worn(lash_sim_system(sim), i).shape.joint;
            if (wears(lash_sim_system(sim), name) && used + strlen(name) + 3 < sizeof names)
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", name);
        }
        return lashi_study_fail(error, LASH_ERROR_USAGE, "play %.60s: there is no such joint that wears%s%s",
                                subject, names[0] ? "; these do: " : "", names);
    }
    lash_error why = {0};
    const lash_status status = lash_quantity_read(&out->value, value, unit, &why);
    if (status)
        return lashi_study_fail(error, status, "%.60s: %.300s", key, why.message);
    if (!(out->value > 0))
        return lashi_study_fail(error, LASH_ERROR_USAGE, "%.60s: %.60s is not above zero", key, value);
    return LASH_OK;
}

// ---- turns

/* All that one computation needs. */
typedef struct worker {
    lash_system *system;
    const lash_life_options *options;
    lash_life *life;
    double tolerance;
    size_t most_turns;
    size_t width;    /* of all profiles */
    double period;   /* s, of a turn */
    size_t *watched; /* channels: the normal force of each contact that wears, the drive, those of limits */
    size_t watched_count, drive;
    lashi_state state; /* where the machine stands */
    lashi_window window;
    double *turns; /* [most_turns][width] m³ */
    double begun;  /* s, of the clock */
    /* Of the last turns computed: */
    double *mean;  /* [width] m³ per turn */
    double *rates; /* [width] m per turn */
    lash_life_stage seen;
    double *peaks;          /* [watched_count] */
    double *impacts, *lost; /* [joint_count] */
} worker;

static bool go_on(const worker *w) {
    if (!w->options->progress)
        return true;
    lash_life_progress p = {.elapsed = lashi_wall_clock() - w->begun, .stages = w->life->stage_count};
    const lash_life_stage *last = lash_life_stage_at(w->life, w->life->stage_count - 1);
    for (size_t i = 0; last && i < w->options->limit_count; i++) {
        const lash_life_limit *limit = &w->options->limits[i];
        double done = limit->kind == LASH_LIFE_TURNS   ? last->turns / limit->value
                      : limit->kind == LASH_LIFE_HOURS ? last->hours / limit->value
                                                       : 0;
        for (size_t j = 0; j < last->joint_count && limit->kind == LASH_LIFE_PLAY; j++)
            if (strcmp(last->joints[j].shape.joint, limit->subject) == 0)
                done = (last->joints[j].play - last->joints[j].shape.clearance) /
                       fmax(limit->value - last->joints[j].shape.clearance, 1e-300);
        p.fraction = fmin(1, fmax(p.fraction, done));
    }
    p.turns = last ? last->turns : 0;
    return w->options->progress(w->options->user, &p);
}

static lash_status observe(void *user, lash_sim *sim, double t_old, double t_new) {
    return lashi_window_observe(user, sim, t_old, t_new);
}

/* One turn, from t on; what it wears off into `worn`. */
static lash_status run_turn(double *worn, worker *w, lash_sim *sim, double end, lash_error *error) {
    double *bearing = worn;
    const lash_run_control control = {.observe = observe, .user = &w->window};
    lash_status status = LASH_OK;
    for (size_t i = 0; i < w->window.count; i++)
        w->window.tracks[i] =
            (lashi_track){.channel = w->window.channels[i], .least = INFINITY, .most = -INFINITY};
    w->window.length = 0;
    w->window.steps = 0;
    for (size_t n = 0; !status && lash_sim_time(sim) < end; n++) {
        status = lash_sim_step_observed(sim, end, &control, error);
        if (!status && n % 64 == 0 && !go_on(w))
            status = LASH_STOP_INTERRUPTED;
    }
    if (status == LASH_STOP_END)
        status = LASH_OK;
    if (status == LASH_STOP_EVENT)
        status = lashi_study_fail_end(error, sim, "a turn of the life is done");
    if (!status)
        status = lashi_window_check(&w->window, sim);
    for (size_t j = 0; !status && j < w->life->joint_count; j++) {
        lash_sim_worn(bearing, bearing + w->life->shapes[j].count, sim, j);
        bearing += LASH_WORN_PARTS * w->life->shapes[j].count;
    }
    return status;
}

/* Relative difference between the last p turns and the p before them, of m. */
static double difference(const worker *w, size_t m, size_t p) {
    double apart = 0, sum = 0;
    for (size_t i = 0; i < w->width; i++) {
        double last = 0, before = 0;
        for (size_t k = 1; k <= p; k++) {
            last += w->turns[(m - k) * w->width + i];
            before += w->turns[(m - p - k) * w->width + i];
        }
        apart += fabs(last - before);
        sum += last;
    }
    return sum > 0 ? apart / sum : apart;
}

/* The largest standard error of the mean of a joint's wear over the last n of m turns, relative to it. */
static double standard_error(const worker *w, size_t m, size_t n) {
    double largest = 0;
    size_t at = 0;
    for (size_t j = 0; j < w->life->joint_count; at += LASH_WORN_PARTS * w->life->shapes[j++].count) {
        double sum = 0, squares = 0;
        for (size_t k = m - n; k < m; k++) {
            double volume = 0;
            for (size_t i = 0; i < LASH_WORN_PARTS * w->life->shapes[j].count; i++)
                volume += w->turns[k * w->width + at + i];
            sum += volume;
            squares += volume * volume;
        }
        const double mean = sum / (double)n, variance = fmax(0, squares / (double)n - mean * mean);
        if (mean > 0)
            largest = fmax(largest, sqrt(variance / (double)(n - 1)) / mean);
    }
    return largest;
}

/* Whether the m turns so far say what a turn wears off: then the last *kept of them. */
static bool enough(size_t *kept, worker *w, size_t m) {
    const double wanted = REPEATS * w->tolerance;
    *kept = 1;
    if (w->options->turn_by_turn != 0 && w->life->stage_count > 1) // the first stage settles
        return true;
    for (size_t p = 1; p <= LONGEST_PERIOD && 2 * p <= m; p++) {
        w->seen.spread = difference(w, m, p);
        w->seen.repeats = w->seen.spread <= wanted;
        *kept = p;
        if (w->seen.repeats)
            return true;
    }
    if (m < FEWEST_FOR_MEAN)
        return false;
    *kept = m - m / 4; // the first quarter is the transient
    w->seen.spread = standard_error(w, m, *kept);
    return w->seen.spread <= wanted || m >= w->most_turns;
}

static void take_accounts(double *impacts, double *lost, const worker *w, lash_sim *sim) {
    const lash_summary summary = lash_sim_summary(sim);
    for (size_t j = 0; j < w->life->joint_count; j++) {
        const lash_worn_info worn = lash_system_worn(w->system, j);
        impacts[j] = lost[j] = 0;
        for (size_t c = 0; c < worn.contacts; c++) {
            impacts[j] += (double)summary.clearances[worn.contact[c]].impacts;
            lost[j] += summary.clearances[worn.contact[c]].energy_lost;
        }
    }
}

/* What the kept turns show, per turn. */
static void take_means(worker *w, size_t m, size_t kept) {
    size_t at = 0;
    w->seen.turns_run = (double)m;
    w->seen.turns_kept = (double)kept;
    for (size_t i = 0; i < w->width; i++) {
        double sum = 0;
        for (size_t k = m - kept; k < m; k++)
            sum += w->turns[k * w->width + i];
        w->mean[i] = fmax(sum, 0) / (double)kept; // differences of what grows: below zero is rounding
    }
    for (size_t j = 0; j < w->life->joint_count; j++) {
        const lash_worn_info worn = lash_system_worn(w->system, j);
        for (int part = 0; part < LASH_WORN_PARTS; part++, at += worn.shape.count)
            lash_worn_gain(w->rates + at, &worn, part, w->mean + at);
    }
}

static lash_status set_profiles(worker *w, const double *profiles, lash_error *error) {
    lash_status status = LASH_OK;
    for (size_t j = 0; j < w->life->joint_count && !status; j++) {
        status = lash_system_set_worn(w->system, j, profiles, profiles + w->life->shapes[j].count, error);
        profiles += LASH_WORN_PARTS * w->life->shapes[j].count;
    }
    return status;
}

/* Computes turns with these profiles: rates and what else is seen of them. */
static lash_status compute(worker *w, const double *profiles, lash_error *error) {
    lash_sim *sim = NULL;
    size_t m = 0, kept = 0;
    const size_t joints = w->life->joint_count;
    double end, *before = calloc(4 * joints + w->width + 1, sizeof *before), *lost_before = before + joints,
                *impacts = lost_before + joints, *lost = impacts + joints, *total = lost + joints;
    if (!before)
        return lashi_study_fail_memory(error);
    w->seen = (lash_life_stage){0};
    lash_error why = {.time = (double)NAN};
    lash_status status = set_profiles(w, profiles, &why);
    if (status)
        status =
            lashi_study_fail(error, LASH_ERROR_LIMIT,
                             "after %.6g turns the next ones wear too much: %.400s; give a limit that ends "
                             "the life before",
                             w->life->stages[w->life->stage_count - 1].seen.turns, why.message);
    if (!status)
        status = lash_sim_create(&sim, w->system, error);
    if (!status && w->state.count)
        status = lashi_carry_begin(&sim, w->system, &w->state, error);
    for (bool done = false; !status && !done;) {
        double *turn = w->turns + m * w->width;
        if (!status)
            status = lash_system_turn_end(&end, w->system, (double)m + 1, error);
        if (!status)
            take_accounts(before, lost_before, w, sim);
        if (!status)
            status = run_turn(turn, w, sim, end, error);
        if (status)
            break;
        // The sim counts from its beginning.
        for (size_t i = 0; i < w->width; i++) {
            const double so_far = turn[i];
            turn[i] -= total[i];
            total[i] = so_far;
        }
        take_accounts(impacts, lost, w, sim);
        done = enough(&kept, w, ++m);
    }
    if (!status)
        status = lash_sim_judge(sim, error);
    if (!status)
        status = lashi_carry_end(&w->state, sim, error);
    if (!status) {
        take_means(w, m, kept);
        for (size_t i = 0; i < w->watched_count; i++)
            w->peaks[i] = fmax(-w->window.tracks[i].least, w->window.tracks[i].most);
        for (size_t j = 0; j < joints; j++) {
            w->impacts[j] = impacts[j] - before[j];
            w->lost[j] = lost[j] - lost_before[j];
        }
    }
    lash_sim_destroy(sim);
    free(before);
    return status;
}

// ---- stages

/* The stage that was just computed: the life has its profiles already. */
static void fill(worker *w, lashi_life_stage *stage, double turns, double jump) {
    const size_t joints = w->life->joint_count;
    const lash_life_stage *seen = &w->seen;
    size_t at = 0, contact = 0;
    stage->jump = jump;
    stage->seen.turns = turns;
    stage->seen.hours = turns * w->period / HOUR;
    stage->seen.turns_run = seen->turns_run;
    stage->seen.turns_kept = seen->turns_kept;
    stage->seen.repeats = seen->repeats;
    stage->seen.spread = seen->spread;
    stage->seen.torque_peak = stage->seen.torque_rms = (double)NAN;
    if (w->watched[w->drive] != (size_t)-1) {
        stage->seen.torque_peak = w->peaks[w->drive];
        stage->seen.torque_rms = sqrt(w->window.tracks[w->drive].square / w->window.length);
    }
    for (size_t j = 0; j < joints; j++) {
        lash_life_joint *joint = &stage->joints[j];
        lash_worn_info worn = lash_system_worn(w->system, j);
        joint->volume = joint->wear = 0;
        for (int part = 0; part < LASH_WORN_PARTS; part++) {
            worn.profile[part] = joint->profile[part];
            joint->deepest[part] = lash_worn_deepest(&worn.shape, joint->profile[part]);
            joint->volume += lash_worn_volume(&worn, part, joint->profile[part]);
            joint->wear += lash_worn_volume(&worn, part, w->rates + at);
            at += worn.shape.count;
        }
        joint->play = lash_worn_play(&worn);
        joint->peak_force = 0;
        for (size_t c = 0; c < worn.contacts; c++)
            joint->peak_force = fmax(joint->peak_force, w->peaks[contact++]);
        joint->impacts = w->impacts[j];
        joint->energy_lost = w->lost[j];
    }
}

/* The largest error of a part, as a share of what is allowed there, in a jump of n turns with the rates
 * `first` and those in the middle of it. */
static double jump_error(const worker *w, const double *profiles, const double *first, double n) {
    double worst = 0;
    size_t at = 0;
    for (size_t j = 0; j < w->life->joint_count; j++)
        for (int part = 0; part < LASH_WORN_PARTS; part++) {
            double apart = 0, deepest = 0;
            for (size_t s = 0; s < w->life->shapes[j].count; s++, at++) {
                apart = fmax(apart, 0.5 * n * fabs(w->rates[at] - first[at]));
                deepest = fmax(deepest, profiles[at] + n * w->rates[at]);
            }
            if (deepest > 0)
                worst = fmax(worst, apart / (w->tolerance * deepest));
        }
    return worst;
}

static double first_jump(const worker *w) {
    double jump = INFINITY;
    size_t at = 0;
    for (size_t j = 0; j < w->life->joint_count; j++)
        for (size_t s = 0; s < LASH_WORN_PARTS * w->life->shapes[j].count; s++, at++)
            if (w->rates[at] > 0)
                jump = fmin(jump, FIRST_DEPTH * w->life->shapes[j].clearance / w->rates[at]);
    return isfinite(jump) ? fmax(1, floor(jump)) : 1;
}

/* Play of joint j with profiles moved on by n of the rates. */
static double play_after(const worker *w, size_t j, const double *from, const double *rates, double n,
                         double *scratch) {
    size_t at = 0;
    for (size_t i = 0; i < j; i++)
        at += LASH_WORN_PARTS * w->life->shapes[i].count;
    lash_worn_info worn = lash_system_worn(w->system, j);
    for (size_t s = 0; s < LASH_WORN_PARTS * worn.shape.count; s++)
        scratch[s] = from[at + s] + n * rates[at + s];
    worn.profile[LASH_BEARING] = scratch;
    worn.profile[LASH_JOURNAL] = scratch + worn.shape.count;
    return lash_worn_play(&worn);
}

static void say_end(lash_life *life, const lash_life_limit *limit, double turns, double period) {
    snprintf(life->end, sizeof life->end, "%s%s%s", limit_names[limit->kind], limit->subject[0] ? " " : "",
             limit->subject);
    life->turns = turns;
    life->hours = turns * period / HOUR;
}

/* The turns of a jump of n that are left before a limit on turns, hours or play; *limit: which; NULL: none.
 */
static double cut(const lash_life_limit **limit, const worker *w, double turns, const double *from,
                  const double *rates, double n, double *scratch) {
    *limit = NULL;
    for (size_t i = 0; i < w->options->limit_count; i++) {
        const lash_life_limit *l = &w->options->limits[i];
        double left = INFINITY;
        if (l->kind == LASH_LIFE_TURNS)
            left = l->value - turns;
        else if (l->kind == LASH_LIFE_HOURS)
            left = l->value * HOUR / w->period - turns;
        for (size_t j = 0; l->kind == LASH_LIFE_PLAY && j < w->life->joint_count; j++) {
            if (strcmp(w->life->names[j], l->subject) != 0 ||
                play_after(w, j, from, rates, n, scratch) < l->value)
                continue;
            double low = 0, high = n;
            for (int k = 0; k < 60; k++) {
                const double middle = 0.5 * (low + high);
                *(play_after(w, j, from, rates, middle, scratch) < l->value ? &low : &high) = middle;
            }
            left = high;
        }
        if (left <= n) {
            n = fmax(left, 0);
            *limit = l;
        }
    }
    return n;
}

/* Whether a channel has passed its limit at the last stage: the life has ended between it and the one before.
 * Play passes its limit in a jump (cut), or has it when new. */
static bool passed(worker *w, double *last_peaks) {
    lash_life *life = w->life;
    size_t at = w->drive + 1;
    bool end = false;
    for (size_t i = 0; i < w->options->limit_count; i++) {
        const lash_life_limit *l = &w->options->limits[i];
        for (size_t j = 0; l->kind == LASH_LIFE_PLAY && life->stage_count == 1 && j < life->joint_count; j++)
            if (strcmp(life->names[j], l->subject) == 0 && life->stages[0].joints[j].play >= l->value &&
                !end) {
                say_end(life, l, 0, w->period);
                end = true;
            }
        if (l->kind != LASH_LIFE_MAX)
            continue;
        const double now = w->peaks[at], before = last_peaks[at];
        const double turns = life->stages[life->stage_count - 1].seen.turns;
        if (now >= l->value && !end) {
            const double from = life->stage_count > 1 ? life->stages[life->stage_count - 2].seen.turns : 0;
            const double share =
                life->stage_count > 1 && now > before ? (l->value - before) / (now - before) : 1;
            say_end(life, l, from + fmin(1, fmax(0, share)) * (turns - from), w->period);
            end = true;
        }
        last_peaks[at++] = now;
    }
    return end;
}

/* From the last stage, whose rates are known, to the next one. */
static lash_status jump(worker *w, bool *ended, double *scratch, lash_error *error) {
    lash_life *life = w->life;
    const size_t width = w->width;
    double *first = scratch, *there = first + width, *spare = there + width;
    const lashi_life_stage *last = &life->stages[life->stage_count - 1];
    const double turns = last->seen.turns;
    const lash_life_limit *limit = NULL;
    double n = last->jump, error_of = 0;
    memcpy(first, w->rates, width * sizeof *first);
    lash_status status = LASH_OK;
    n = cut(&limit, w, turns, last->profiles, first, n, spare);
    while (!status && w->options->turn_by_turn == 0 && n > 1) {
        for (size_t i = 0; i < width; i++)
            there[i] = last->profiles[i] + 0.5 * n * first[i];
        status = compute(w, there, error);
        error_of = jump_error(w, last->profiles, first, n);
        if (status || error_of <= 1)
            break;
        n = fmax(1, n * fmax(SHORTER, SAFETY / sqrt(error_of)));
    }
    if (status)
        return status;
    if (n <= 1)
        memcpy(w->rates, first, width * sizeof *first);
    // With the rates of the middle the limit may lie a little farther on, where E allows that too.
    const bool farther = limit && error_of <= SAFETY * SAFETY;
    n = cut(&limit, w, turns, last->profiles, w->rates, farther ? n / SAFETY : n, spare);
    for (size_t i = 0; i < width; i++)
        there[i] = last->profiles[i] + n * w->rates[i];
    // E grows as n².
    double next = n * fmin(LONGER, SAFETY / sqrt(fmax(error_of, 1e-12)));
    next = w->options->turn_by_turn != 0 ? 1 : fmax(1, n <= 1 ? LONGER : next);
    lashi_life_stage *stage = lashi_life_add(life);
    if (!stage)
        return lashi_study_fail_memory(error);
    memcpy(stage->profiles, there, width * sizeof *there);
    stage->start.values = calloc(w->state.count + 1, sizeof(double));
    if (!stage->start.values)
        return lashi_study_fail_memory(error);
    memcpy(stage->start.values, w->state.values, w->state.count * sizeof(double));
    stage->start.count = w->state.count;
    stage->seen.turns = turns + n;
    status = compute(w, stage->profiles, error);
    if (status) {
        lashi_life_drop(life);
        return status;
    }
    fill(w, stage, turns + n, next);
    *ended = limit != NULL;
    if (limit)
        say_end(life, limit, turns + n, w->period);
    return LASH_OK;
}

// ---- the whole

/* The torque of the first drive that turns; (size_t)-1: none. */
static size_t drive_channel(const lash_sim *sim) {
    char name[2 * LASH_LIFE_TEXT];
    for (size_t i = 0; i < lash_sim_channel_count(sim); i++) {
        const char *channel = lash_sim_channel_name(sim, i), *dot = strrchr(channel, '.');
        if (!dot || strcmp(dot, ".torque") != 0)
            continue;
        snprintf(name, sizeof name, "%.*s.angle", (int)(dot - channel), channel);
        if (lash_sim_find_channel(sim, name) != (size_t)-1)
            return i;
    }
    return (size_t)-1;
}

/* Joints, channels, and all memory. */
static lash_status prepare(worker *w, lash_error *error) {
    lash_life *life = w->life;
    lash_sim *sim = NULL;
    size_t watched = 1; // the drive
    const size_t joints = life->joint_count;
    for (size_t j = 0; j < joints; j++) {
        const lash_worn_info worn = lash_system_worn(w->system, j);
        const lash_status named = lashi_life_shape(life, j, &worn.shape, error);
        if (named)
            return named;
        watched += worn.contacts;
    }
    for (size_t i = 0; i < w->options->limit_count; i++)
        watched += w->options->limits[i].kind == LASH_LIFE_MAX;
    w->width = lashi_life_width(life);
    w->watched = calloc(watched, sizeof *w->watched);
    w->mean = calloc(w->width + 1, sizeof *w->mean);
    w->turns = calloc(w->most_turns * w->width + 1, sizeof *w->turns);
    w->rates = calloc(w->width + 1, sizeof *w->rates);
    w->peaks = calloc(watched, sizeof *w->peaks);
    w->impacts = calloc(joints + 1, sizeof *w->impacts);
    w->lost = calloc(joints + 1, sizeof *w->lost);
    if (!w->watched || !w->mean || !w->turns || !w->rates || !w->peaks || !w->impacts || !w->lost)
        return lashi_study_fail_memory(error);
    lash_status status = lash_sim_create(&sim, w->system, error);
    if (!status)
        status = lashi_window_create(&w->window, watched, lash_model_run(lash_system_model(w->system))->rtol,
                                     error);
    if (!status)
        status = lash_system_turn_end(&w->period, w->system, 1, error);
    if (!status)
        w->period -= lash_sim_time(sim);
    for (size_t j = 0; !status && j < joints; j++) {
        const lash_worn_info worn = lash_system_worn(w->system, j);
        for (size_t c = 0; c < worn.contacts; c++) {
            char name[2 * LASH_LIFE_TEXT];
            snprintf(name, sizeof name, "%s.fn", lash_system_clearance(w->system, worn.contact[c]).joint);
            w->watched[w->watched_count++] = lash_sim_find_channel(sim, name);
        }
    }
    w->drive = w->watched_count;
    if (!status)
        w->watched[w->watched_count++] = drive_channel(sim);
    for (size_t i = 0; !status && i < w->options->limit_count; i++)
        if (w->options->limits[i].kind == LASH_LIFE_MAX)
            w->watched[w->watched_count++] = lash_sim_find_channel(sim, w->options->limits[i].subject);
    // Tracks in the order of the watched channels; the first channel replaces one that does not exist.
    for (size_t i = 0; !status && i < w->watched_count; i++) {
        w->window.channels[i] = w->watched[i] == (size_t)-1 ? w->watched[0] : w->watched[i];
        w->window.count++;
    }
    lash_sim_destroy(sim);
    return status;
}

/* The first stage, or the last one again. */
static lash_status begin(worker *w, lashi_life_store *store, lash_error *error) {
    lash_life *life = w->life;
    const bool fresh = life->stage_count == 0;
    if (fresh && !lashi_life_add(life))
        return lashi_study_fail_memory(error);
    lashi_life_stage *stage = &life->stages[life->stage_count - 1];
    size_t at = 0;
    for (size_t j = 0; fresh && j < life->joint_count; j++)
        for (int part = 0; part < LASH_WORN_PARTS; part++)
            for (size_t s = 0; s < life->shapes[j].count; s++)
                stage->profiles[at++] = lash_system_worn(w->system, j).profile[part][s];
    free(w->state.values);
    w->state = (lashi_state){calloc(stage->start.count + 1, sizeof(double)), stage->start.count};
    if (!w->state.values)
        return lashi_study_fail_memory(error);
    if (stage->start.count)
        memcpy(w->state.values, stage->start.values, stage->start.count * sizeof(double));
    lash_status status = compute(w, stage->profiles, error);
    if (status) {
        if (fresh)
            lashi_life_drop(life);
        return status;
    }
    fill(w, stage, stage->seen.turns,
         !fresh                          ? stage->jump
         : w->options->turn_by_turn != 0 ? 1
                                         : first_jump(w));
    return store ? lashi_life_store_write(store, life, error) : LASH_OK;
}

static lash_status live(worker *w, lashi_life_store *store, lash_error *error) {
    double *scratch = calloc(3 * w->width + w->watched_count + 1, sizeof *scratch),
           *peaks = scratch + 3 * w->width;
    if (!scratch)
        return lashi_study_fail_memory(error);
    lash_status status = begin(w, store, error);
    bool ended = !status && passed(w, peaks);
    while (!status && !ended) {
        double wear = 0;
        for (size_t i = 0; i < w->width; i++)
            wear += w->rates[i];
        bool bounded = false;
        for (size_t i = 0; i < w->options->limit_count; i++)
            bounded = bounded || w->options->limits[i].kind <= LASH_LIFE_HOURS;
        if (!(wear > 0) && !bounded)
            status =
                lashi_study_fail(error, LASH_ERROR_LIMIT,
                                 "after %.6g turns nothing wears any more, and no limit on turns or hours "
                                 "ends the life",
                                 w->life->stages[w->life->stage_count - 1].seen.turns);
        else if (w->life->stage_count >= MOST_STAGES)
            status = lashi_study_fail(error, LASH_ERROR_LIMIT,
                                      "the life has %d stages and has not ended; a larger tolerance takes "
                                      "longer jumps",
                                      (int)MOST_STAGES);
        if (!status)
            status = jump(w, &ended, scratch, error);
        if (!status)
            ended = passed(w, peaks) || ended;
        if (!status && store)
            status = lashi_life_store_write(store, w->life, error);
        if (!status && !ended && !go_on(w))
            status = LASH_STOP_INTERRUPTED;
    }
    if (!status && store)
        status = lashi_life_store_end(store, w->life, error);
    free(scratch);
    return status;
}

/* The text that a file is compared by. */
static char *key_of(const worker *w) {
    const lash_model *model = lash_system_model(w->system);
    char *key = NULL;
    size_t size;
    FILE *stream = open_memstream(&key, &size);
    if (!stream)
        return NULL;
    fprintf(stream, "%s\n%s\ntolerance %.17g\nturn by turn %g\n",
            lash_model_text(model) ? lash_model_text(model) : "",
            w->options->settings ? w->options->settings : "", w->tolerance, w->options->turn_by_turn);
    for (size_t i = 0; i < w->options->limit_count; i++)
        fprintf(stream, "%s %s %.17g\n", limit_names[w->options->limits[i].kind],
                w->options->limits[i].subject, w->options->limits[i].value);
    return fclose(stream) ? NULL : key;
}

lash_status lash_life_run(lash_life **out, lash_system *system, const lash_life_options *options,
                          lash_error *error) {
    if (out)
        *out = NULL;
    if (!out || !system || !options || !options->limits || !options->limit_count)
        return lashi_study_fail(error, LASH_ERROR_USAGE, "a life needs a system and a limit that ends it");
    size_t wearing = 0;
    for (size_t i = 0; i < lash_system_worn_count(system); i++)
        wearing += lash_system_worn(system, i).k > 0;
    if (!wearing)
        return lashi_study_fail(error, LASH_ERROR_MODEL,
                                "nothing wears in this model: give the clearance of a pin or a guide a block "
                                "wear, for example wear: {k: 1e-15 m^2/N}");
    worker w = {.system = system,
                .options = options,
                .tolerance = options->tolerance > 0 ? options->tolerance : DEFAULT_TOLERANCE,
                .most_turns = options->most_turns ? options->most_turns : DEFAULT_MOST_TURNS,
                .begun = lashi_wall_clock()};
    lashi_life_store *store = NULL;
    char *key = NULL;
    lash_status status = lashi_life_create(&w.life, lash_model_title(lash_system_model(system)),
                                           lash_system_worn_count(system), error);
    if (!status)
        status = prepare(&w, error);
    if (!status && options->store && !(key = key_of(&w)))
        status = lashi_study_fail_memory(error);
    if (!status && options->store)
        status = lashi_life_store_open(&store, w.life, options->store, key, error);
    if (!status && isnan(w.life->turns))
        status = live(&w, store, error);
    lashi_life_store_close(store);
    free(key);
    free(w.state.values);
    free(w.watched);
    free(w.mean);
    free(w.turns);
    free(w.rates);
    free(w.peaks);
    free(w.impacts);
    free(w.lost);
    lashi_window_clear(&w.window);
    if (status < 0) {
        lash_life_destroy(w.life);
        return status;
    }
    *out = w.life;
    return status;
}
