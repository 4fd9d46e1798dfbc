/* SPDX-License-Identifier: MIT
 *
 * The metrics. All are over the kept window. What does not apply at a point (impacts of a joint that is ideal
 * there, turns without a drive) is NaN, which the table keeps as an empty cell.
 */
#include "study/metric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static lashi_metric_value number(double x) {
    return (lashi_metric_value){.number = x};
}

/* Where nothing turned there is none. */
static lashi_metric_value per_turn(const lashi_view *view, double x) {
    return number(view->turns > 0 ? x / view->turns : (double)NAN);
}

// ---- of a channel

static const lashi_track *track_of(const lashi_view *view, size_t metric) {
    static const lashi_track none = {
        .least = (double)NAN, .most = (double)NAN, .integral = (double)NAN, .square = (double)NAN};
    const size_t track = view->tracks[metric];
    return track == SIZE_MAX ? &none : &view->window->tracks[track];
}

static lashi_metric_value most(const lashi_view *view, size_t metric, size_t joint) {
    (void)joint;
    return number(track_of(view, metric)->most);
}

static lashi_metric_value least(const lashi_view *view, size_t metric, size_t joint) {
    (void)joint;
    return number(track_of(view, metric)->least);
}

static lashi_metric_value max_abs(const lashi_view *view, size_t metric, size_t joint) {
    (void)joint;
    const lashi_track *track = track_of(view, metric);
    return number(fmax(-track->least, track->most));
}

static lashi_metric_value peak_to_peak(const lashi_view *view, size_t metric, size_t joint) {
    (void)joint;
    return number(track_of(view, metric)->most - track_of(view, metric)->least);
}

static lashi_metric_value mean(const lashi_view *view, size_t metric, size_t joint) {
    (void)joint;
    return number(track_of(view, metric)->integral / view->window->length);
}

static lashi_metric_value rms(const lashi_view *view, size_t metric, size_t joint) {
    (void)joint;
    return number(sqrt(track_of(view, metric)->square / view->window->length));
}

// ---- of a joint with play

static lashi_metric_value impacts_per_turn(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric;
    return per_turn(view, view->after[joint].impacts - view->before[joint].impacts);
}

static lashi_metric_value impacts(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric;
    return number(view->after[joint].impacts - view->before[joint].impacts);
}

// A contact that is cut by the window's start may turn from an impact to following: then the difference is negative.
// A share closer to 0 or 1 than this is rounding of times that are sums over a run.
static lashi_metric_value share(double before, double after, double length) {
    static const double ROUNDING = 1e-12;
    const double part = (after - before) / length;
    return number(part < ROUNDING ? 0 : part > 1 - ROUNDING ? 1 : part);
}

static lashi_metric_value fraction_free(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric;
    return share(view->before[joint].free_time, view->after[joint].free_time, view->length);
}

static lashi_metric_value fraction_impact(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric;
    return share(view->before[joint].impact_time, view->after[joint].impact_time, view->length);
}

static lashi_metric_value fraction_following(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric;
    return share(view->before[joint].following_time, view->after[joint].following_time, view->length);
}

static lashi_metric_value energy_lost_per_turn(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric;
    return per_turn(view, view->after[joint].energy_lost - view->before[joint].energy_lost);
}

// ---- of the run

static lashi_metric_value turns(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric, (void)joint;
    return number(view->turns);
}

static lashi_metric_value evaluations_per_turn(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric, (void)joint;
    return per_turn(view, view->evaluations);
}

static lashi_metric_value evaluations(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric, (void)joint;
    return number(view->evaluations);
}

static lashi_metric_value steps_per_turn(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric, (void)joint;
    return per_turn(view, view->steps);
}

static lashi_metric_value balance_error(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric, (void)joint;
    return number(view->summary.max_balance_error);
}

static lashi_metric_value wall_time(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric, (void)joint;
    return number(view->wall_time);
}

// ---- what kind of motion

static lashi_metric_value verdict(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric, (void)joint;
    lashi_metric_value value = number((double)NAN);
    const lashi_verdict *v = &view->verdict;
    if (v->motion == LASHI_PERIODIC)
        snprintf(value.text, sizeof value.text, "periodic-%zu", v->period);
    else
        snprintf(value.text, sizeof value.text, "%s", lashi_motion_name(v->motion));
    return value;
}

static lashi_metric_value period(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric, (void)joint;
    return number((double)view->verdict.period);
}

static lashi_metric_value exponent(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric, (void)joint;
    return number(view->verdict.exponent);
}

static lashi_metric_value exponent_error(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric, (void)joint;
    return number(view->verdict.error);
}

static lashi_metric_value zero_one(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric, (void)joint;
    return number(view->verdict.K);
}

static lashi_metric_value residue(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric, (void)joint;
    return number(view->verdict.residue);
}

// ---- of the life

static lashi_metric_value life(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric, (void)joint;
    return number(view->life_turns);
}

static lashi_metric_value life_hours(const lashi_view *view, size_t metric, size_t joint) {
    (void)metric, (void)joint;
    return number(view->life_hours);
}

// ---- defined by the caller

static lashi_metric_value own(const lashi_view *view, size_t metric, size_t joint) {
    (void)joint;
    const lash_study_metric *made = &view->study->metrics[metric].own;
    return number(made->value(made->user, view->memories[metric], view->sim));
}

// ---- the table

enum { SECTION = LASHI_NEEDS_SECTION, EXPONENT = LASHI_NEEDS_SECTION | LASHI_NEEDS_EXPONENT };

const lashi_metric_kind lashi_metric_kinds[] = {
    {"max", LASHI_OF_CHANNEL, NULL, false, false, 0, most},
    {"min", LASHI_OF_CHANNEL, NULL, false, false, 0, least},
    {"max-abs", LASHI_OF_CHANNEL, NULL, false, false, 0, max_abs},
    {"peak-to-peak", LASHI_OF_CHANNEL, NULL, false, false, 0, peak_to_peak},
    {"mean", LASHI_OF_CHANNEL, NULL, false, false, 0, mean},
    {"rms", LASHI_OF_CHANNEL, NULL, false, false, 0, rms},
    {"impacts", LASHI_OF_JOINT, "", false, false, 0, impacts},
    {"impacts-per-turn", LASHI_OF_JOINT, "", false, false, 0, impacts_per_turn},
    {"fraction free", LASHI_OF_JOINT, "", false, false, 0, fraction_free},
    {"fraction impact", LASHI_OF_JOINT, "", false, false, 0, fraction_impact},
    {"fraction following", LASHI_OF_JOINT, "", false, false, 0, fraction_following},
    {"energy-lost-per-turn", LASHI_OF_JOINT, "J", false, false, 0, energy_lost_per_turn},
    {"turns", LASHI_NO_SUBJECT, "", false, false, 0, turns},
    {"evaluations", LASHI_NO_SUBJECT, "", false, false, 0, evaluations},
    {"evaluations-per-turn", LASHI_NO_SUBJECT, "", false, false, 0, evaluations_per_turn},
    {"steps-per-turn", LASHI_NO_SUBJECT, "", false, false, 0, steps_per_turn},
    {"balance-error", LASHI_NO_SUBJECT, "J", false, false, 0, balance_error},
    {"wall-time", LASHI_NO_SUBJECT, "s", true, false, 0, wall_time},
    {"verdict", LASHI_NO_SUBJECT, "", false, true, EXPONENT, verdict},
    {"period", LASHI_NO_SUBJECT, "", false, false, SECTION, period},
    {"period-residue", LASHI_NO_SUBJECT, "", false, false, SECTION, residue},
    {"zero-one", LASHI_NO_SUBJECT, "", false, false, SECTION, zero_one},
    {"exponent", LASHI_NO_SUBJECT, "1/s", false, false, EXPONENT, exponent},
    {"exponent-error", LASHI_NO_SUBJECT, "1/s", false, false, EXPONENT, exponent_error},
    {"life", LASHI_NO_SUBJECT, "turns", false, false, LASHI_NEEDS_LIFE, life},
    {"life-hours", LASHI_NO_SUBJECT, "h", false, false, LASHI_NEEDS_LIFE, life_hours},
    {"own", LASHI_OF_CALLER, "", false, false, 0, own},
    {0},
};

const lashi_metric_kind *lashi_metric_find(const char **subject, const char *text) {
    for (const lashi_metric_kind *kind = lashi_metric_kinds; kind->name; kind++) {
        const size_t length = strlen(kind->name);
        if (strncmp(text, kind->name, length) != 0 || (text[length] && text[length] != ' '))
            continue;
        *subject = text + length + strspn(text + length, " ");
        return kind;
    }
    return NULL;
}
