/* SPDX-License-Identifier: MIT
 *
 * Switches of expressions of the state during a run (math/switch.h): in a step their pieces hold; where d
 * leaves its piece is an event, located on the interpolant; there the next piece begins.
 *
 * No piece is stepped over. Between two looks at the motion every quantity that is read is taken as the cubic
 * of Hermite through its values and rates at both, with half as much again; d and its rate over that stretch
 * follow by interval arithmetic (math/bounds.h). A stretch is
 *     free of events     where d stays inside its piece;
 *     searched by signs  where d goes one way;
 *     cut in halves      otherwise, the earlier half first.
 * So a fast function of a slow motion (a square wave over an angle) is followed through all its turns, and a
 * step far from any switch costs no look at all. The cubic leaves out what the step itself has resolved to
 * its tolerance.
 *
 * At an instant where something jumps (an event, a sample, an input, an impact) all pieces are looked at
 * again, until they fit what they bring about. Where a piece sends d back at once into the one before, there
 * is no motion in either: it would have to slide between them, and the run ends with an error.
 *
 * Then d may be on a border. Where it moves on, the piece is the one that it moves into. Where it does not, it
 * rests there, and the expression has the value that its text has on the border itself: x > 0 is false at 0. If
 * that value drives d away, it holds for no time, and the piece is the one into which d is driven.
 *
 * Rounding must not decide between the two. So d and its rates have bands, found by interval arithmetic from
 * those of what is read: of the motion a share of the machine's length and speed, of held values, inputs and
 * functions of time none, since they are what they are. While d rests its band is that of the tolerance, so
 * that errors of the integration do not end a rest; a rest ends where the step begins in which d leaves its band.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/breaks.h"
#include "math/root.h"
#include "math/switch_piece.h"
#include "sim/sim.h"

enum { DEPTH = 14, MOST_LOOKS = 200, MOST_PASSES = 16, MOST_TURNS = 4 };
/* A place this long beside a border, in time of the step, is on it. */
static const double AT_BORDER = 1e-9;
/* The same of a value, where there is no step: rounding. */
static const double ON_BORDER = 1e-12;
/* Rounding of what is read, and a rate of it that is none: shares of what the machine's length and speed make. */
static const double ROUNDED = 1e-13, SLOW = 1e-9;
/* What errors of the integration add up to in a rest, of their tolerance; and roundings in a number that is not
 * rounded further. */
static const double DRIFT = 30, EXACT = 4;
/* Events of switches one after the other without progress. */
enum { MOST_STUCK = 100 };

/* A point of the motion, with what is read there. */
typedef struct point {
    double t;
    const lashi_jet *reads;
} point;

typedef struct search {
    lash_sim *sim;
    int looks; /* left */
    lash_status status;
    lash_error *error;
    int index; /* of the switch whose root is sought, … */
    bool up;   /* … and which end of its piece */
} search;

static lashi_jet *look_at(const lash_sim *sim, int index) {
    return sim->looks + (size_t)index * (size_t)sim->system->machine.read_count;
}

lash_status lashi_switches_create(lash_sim *sim, lash_error *error) {
    const lashi_machine *m = &sim->system->machine;
    const size_t reads = (size_t)m->read_count;
    if (!m->switch_count)
        return LASH_OK;
    sim->looks = lashi_arena_alloc(&sim->arena, (DEPTH + 3) * reads, sizeof *sim->looks);
    sim->stretch = lashi_arena_alloc(&sim->arena, reads, sizeof *sim->stretch);
    sim->bands = lashi_arena_alloc(&sim->arena, (size_t)m->switch_count, sizeof *sim->bands);
    return sim->looks && sim->stretch && sim->bands ? LASH_OK : lashi_fail_memory(error);
}

/* What is read at (t, y), with rates. */
static lash_status look(lashi_jet *out, lash_sim *sim, double t, const double *y, lash_error *error) {
    lashi_workspace *w = sim->workspace;
    const lash_status status = lashi_sim_evaluate(sim, t, y, error);
    if (status)
        return status;
    lashi_reads_complete(w, t, y);
    memcpy(out, w->reads, (size_t)sim->system->machine.read_count * sizeof *out);
    return LASH_OK;
}

/* d of a switch where `reads` was read. False: its branch does not hold. */
static bool d_at(lashi_jet *d, const lash_sim *sim, int k, double t, const lashi_jet *reads) {
    const lashi_switch *it = &sim->system->machine.switches[k];
    const lashi_instant now = {reads, sim->modes};
    return lashi_switch_at(d, it->expression, it->instruction, t, &now);
}

static lashi_bounds piece_of(const lash_sim *sim, int k) {
    const lashi_switch *it = &sim->system->machine.switches[k];
    return lashi_switch_piece(it->expression, it->instruction, sim->modes[k]);
}

static bool rests(const lash_sim *sim, int k) {
    const lashi_switch *it = &sim->system->machine.switches[k];
    return lashi_switch_rests(it->expression->program[it->instruction].code, sim->modes[k]);
}

/* ---- rest ---- */

/* Half the width of what is read, and of its rates: rounding, and rest of a machine of this pace, a share of its own; 0: none. */
static lashi_jet width_of(const lash_sim *sim, int r, double f, double pace) {
    const lash_system *system = sim->system;
    const lashi_read *read = &system->machine.reads[r];
    const double drift = DRIFT * sim->resolution / system->length * pace,
                 own = sim->own_speed / system->length;
    bool angle = false;
    switch (read->kind) {
    case LASHI_READ_BODY: angle = system->spatial ? read->component >= 6 : read->component % 3 == 2; break;
    case LASHI_READ_COORDINATE: angle = read->coordinate.type == LASHI_COORDINATE_ANGLE; break;
    case LASHI_READ_LENGTH: break;
    case LASHI_READ_STATE: {
        const lashi_signal *signal = &system->machine.signals[read->index];
        if (signal->kind == LASHI_SIGNAL_HOLD)
            return (lashi_jet){0, 0, 0};
        return (lashi_jet){ROUNDED * fabs(f) + (pace > 0 ? DRIFT * sim->atol[signal->at] : 0), 0, 0};
    }
    default: return (lashi_jet){0, 0, 0};
    }
    const double size = (angle ? 1 : system->length) * (read->known > 0 ? 1 : own);
    return (lashi_jet){ROUNDED * (size + fabs(f)) + drift * size, (SLOW + drift) * size * own,
                       (SLOW + drift) * size * own * own};
}

static lashi_bounds about(double value, double width) {
    return isnan(value) ? (lashi_bounds){0, 0} : (lashi_bounds){value - width, value + width};
}

static double half_of(lashi_bounds a) {
    const double half = 0.5 * (a.high - a.low);
    return isfinite(half) ? half : 0;
}

/* Bounds of what is read, and of what is made of it. */
static void fill_widths(lash_sim *sim, const lashi_stretch *stretch, double pace) {
    const lashi_machine *m = &sim->system->machine;
    for (int r = 0; r < m->read_count; r++) {
        const lashi_jet at = stretch->now->reads[r], width = width_of(sim, r, at.f, pace);
        sim->stretch[r] =
            (lashi_bounds_jet){about(at.f, width.f), about(at.df, width.df), about(at.ddf, width.ddf)};
    }
    for (int i = 0; i < m->order_count; i++)
        sim->stretch[m->order[i]] = lashi_expression_stretch(m->reads[m->order[i]].expression, stretch);
}

static lashi_jet band_of(const lash_sim *sim, int k, const lashi_stretch *stretch) {
    const lashi_switch *it = &sim->system->machine.switches[k];
    lashi_bounds_jet d;
    if (!lashi_switch_stretch(&d, it->expression, it->instruction, stretch))
        return (lashi_jet){0, 0, 0};
    const double half = half_of(d.f), exact = EXACT * DBL_EPSILON * fmax(fabs(d.f.low), fabs(d.f.high));
    return (lashi_jet){half > exact ? half : 0, half_of(d.df), half_of(d.ddf)};
}

/* The bands of all d that rest, or that do not, where `reads` was read. */
static void fill_bands(lash_sim *sim, double t, const lashi_jet *reads, bool resting) {
    const int count = sim->system->machine.switch_count;
    const lashi_instant now = {reads, sim->modes};
    const lashi_stretch stretch = {t, t, sim->stretch, &now};
    bool any = false;
    for (int k = 0; k < count; k++)
        any = any || rests(sim, k) == resting;
    if (any)
        fill_widths(sim, &stretch, resting ? lashi_speed_share(sim) : 0);
    for (int k = 0; k < count; k++)
        if (rests(sim, k) == resting)
            sim->bands[k] = band_of(sim, k, &stretch);
}

void lashi_switches_bands(double *rounding, double *rest, lash_sim *sim) {
    const double t = sim->integrator->t;
    const lashi_instant now = {sim->workspace->reads, sim->modes};
    const lashi_stretch stretch = {t, t, sim->stretch, &now};
    for (int resting = 0; resting < 2; resting++) {
        fill_widths(sim, &stretch, resting);
        for (int k = 0; k < sim->system->machine.switch_count; k++)
            (resting ? rest : rounding)[k] = band_of(sim, k, &stretch).f;
    }
}

static double beside(double value, double band) {
    return fabs(value) > band ? value : 0; // what is not known is none
}

/* Whether a d that rests goes on doing so at another point. */
static bool stays(const lash_sim *sim, int k, point p) {
    const lashi_jet band = sim->bands[k];
    lashi_jet d;
    return !d_at(&d, sim, k, p.t, p.reads) ||
           (beside(d.f, band.f) == 0 && beside(d.df, band.df) == 0 && beside(d.ddf, band.ddf) == 0);
}

/* How far d is beyond an end of its piece. */
static double beyond(lashi_bounds piece, double d, bool up) {
    return up ? d - piece.high : piece.low - d;
}

/* ---- finding ---- */

static lashi_bounds around(double a, double b, double c, double d) {
    return (lashi_bounds){fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d))};
}

/* The cubic of Hermite between two jets, and its slope, with a margin. */
static lashi_bounds_jet between(lashi_jet a, lashi_jet b, double h) {
    const lashi_bounds all = {-INFINITY, INFINITY};
    lashi_bounds_jet out = {around(a.f, b.f, a.f + 0.5 * h * a.df, b.f - 0.5 * h * b.df), all, all};
    const double middle = 3 * (b.f - a.f) / h - a.df - b.df;
    out.df = around(a.df, b.df, middle, middle);
    const double margin = 0.25 * (out.df.high - out.df.low);
    out.df.low -= margin;
    out.df.high += margin;
    if (!(out.f.low <= out.f.high))
        out.f = all;
    if (!(out.df.low <= out.df.high))
        out.df = all;
    return out;
}

static void fill_stretch(search *s, point a, point b) {
    lash_sim *sim = s->sim;
    const lashi_machine *m = &sim->system->machine;
    const lashi_instant now = {a.reads, sim->modes};
    for (int r = 0; r < m->read_count; r++)
        sim->stretch[r] =
            m->reads[r].kind == LASHI_READ_TIME
                ? lashi_expression_bounds(m->reads[r].expression, a.t, b.t, sim->state->piece.inside)
                : between(a.reads[r], b.reads[r], b.t - a.t);
    const lashi_stretch stretch = {a.t, b.t, sim->stretch, &now};
    for (int i = 0; i < m->order_count; i++)
        sim->stretch[m->order[i]] = lashi_expression_stretch(m->reads[m->order[i]].expression, &stretch);
}

/* d − end, outwards, on the interpolant: positions and velocities are enough. */
static double value(void *context, double t) {
    search *s = context;
    lash_sim *sim = s->sim;
    lashi_workspace *w = sim->workspace;
    lashi_jet d;
    if (!s->status)
        s->status = lashi_sim_sample(sim->y_work, sim, t, s->error);
    if (s->status)
        return (double)NAN;
    w->present = false;
    lashi_frames_at(w->frames, w->known, sim->system, t, sim->y_work);
    lashi_reads_evaluate(w, NULL, t, sim->y_work);
    return d_at(&d, sim, s->index, t, w->reads) ? beyond(piece_of(sim, s->index), d.f, s->up) : (double)NAN;
}

/* Where switch k leaves its piece from a to b through one end; INFINITY: it does not. */
static double leaves(search *s, int k, bool up, point a, point b) {
    lash_sim *sim = s->sim;
    const lashi_bounds piece = piece_of(sim, k);
    lashi_jet at_a, at_b;
    if (isinf(up ? piece.high : piece.low) || !d_at(&at_a, sim, k, a.t, a.reads) ||
        !d_at(&at_b, sim, k, b.t, b.reads))
        return INFINITY;
    if (rests(sim, k)) {
        const int side = lashi_switch_side(at_b, 0);
        return !stays(sim, k, b) && (up ? side > 0 : side < 0) ? a.t : INFINITY;
    }
    const double from = beyond(piece, at_a.f, up), to = beyond(piece, at_b.f, up);
    if (!(to > 0))
        return INFINITY;
    if (!(from < 0))
        return a.t;
    s->index = k;
    s->up = up;
    return lashi_root(value, s, a.t, from, b.t, to, 0);
}

/* The first event from a to b; the switch and its way in the sim. */
static double first_event(search *s, point a, point b, int depth) {
    lash_sim *sim = s->sim;
    const lashi_machine *m = &sim->system->machine;
    bool unclear = false, near = false;
    if (!(b.t > a.t))
        return INFINITY;
    fill_stretch(s, a, b);
    const lashi_instant now = {a.reads, sim->modes};
    const lashi_stretch stretch = {a.t, b.t, sim->stretch, &now};
    for (int k = 0; k < m->switch_count; k++) {
        const lashi_switch *it = &m->switches[k];
        const lashi_bounds piece = piece_of(sim, k);
        lashi_bounds_jet d;
        if (!lashi_switch_stretch(&d, it->expression, it->instruction, &stretch) ||
            (d.f.low > piece.low && d.f.high < piece.high) || (rests(sim, k) && stays(sim, k, b)))
            continue;
        near = true;
        unclear = unclear || (!lashi_bounds_excludes_zero(d.df) && piece.low < piece.high);
    }
    if (!near)
        return INFINITY;
    const double half = 0.5 * (a.t + b.t);
    if (unclear && depth > 0 && s->looks-- > 0 && half > a.t && half < b.t) {
        lashi_jet *reads = look_at(sim, 1 + depth);
        s->status = lashi_sim_sample(sim->y_work, sim, half, s->error);
        if (!s->status)
            s->status = look(reads, sim, half, sim->y_work, s->error);
        if (s->status)
            return INFINITY;
        const point middle = {half, reads};
        const double t = first_event(s, a, middle, depth - 1);
        return t < INFINITY || s->status ? t : first_event(s, middle, b, depth - 1);
    }
    double first = INFINITY;
    for (int k = 0; k < m->switch_count; k++)
        for (int up = 0; up < 2; up++) {
            const double t = leaves(s, k, up, a, b);
            if (t < first) {
                first = t;
                sim->flip = k;
                sim->flip_up = up;
            }
        }
    return first;
}

lash_status lashi_switches_prepare(lash_sim *sim, lash_error *error) {
    return look(look_at(sim, 0), sim, sim->integrator->t, lashi_sim_y(sim), error);
}

__attribute__((noinline)) lash_status lashi_switches_find(lash_sim *sim, lash_error *error) {
    search s = {.sim = sim, .looks = MOST_LOOKS, .error = error};
    s.status = look(look_at(sim, 1), sim, sim->integrator->t, sim->integrator->y, error);
    if (s.status)
        return s.status;
    const point a = {sim->integrator->t_old, look_at(sim, 0)}, b = {sim->integrator->t, look_at(sim, 1)};
    fill_bands(sim, a.t, a.reads, true);
    const double t = first_event(&s, a, b, DEPTH);
    if (s.status || !(t < INFINITY))
        return s.status;
    sim->t_new = t;
    return lashi_sim_sample(sim->y_event, sim, t, error);
}

/* ---- changing ---- */

static lash_status no_piece(const lash_sim *sim, int k, double t, lash_error *error) {
    const lashi_switch *it = &sim->system->machine.switches[k];
    return lashi_fail_at(error, LASH_ERROR_STEP, t, it->name,
                         "%s '%s': at t = %.9g s a condition in column %d of its expression is driven back "
                         "from both of its sides, so that it would have to switch without end. Give it a "
                         "hysteresis or sample it (hold, every), or change smoothly from one value to the "
                         "other, for example with tanh; for dry friction use a friction law of the joint",
                         it->word, it->name, t, it->expression->program[it->instruction].column + 1);
}

/* The border that d is at, to rounding; NaN: none. d is moved onto it, and its rates lose what is rounding. */
static double border_at(lashi_jet *d, const lash_sim *sim, int k, double t) {
    const lashi_bounds piece = piece_of(sim, k);
    const lashi_jet band = sim->bands[k];
    const double h = fmax(sim->integrator->t - sim->integrator->t_old, 1e-3 * sim->integrator->h_next),
                 near = fmax(band.f, (AT_BORDER * h + lashi_time_resolution(t)) * fabs(d->df)),
                 border = fabs(d->f - piece.low) < fabs(d->f - piece.high) ? piece.low : piece.high;
    if (!(fabs(d->f - border) <= near))
        return (double)NAN;
    *d = (lashi_jet){border, beside(d->df, band.df), beside(d->ddf, band.ddf)};
    return border;
}

/* One pass: pieces that do not hold d get another, all but one. The first of them in *changed; -1: none. */
enum { NONE_KEPT = -1, AT_START = -2 };
static void fit(int *changed, lash_sim *sim, double t, int kept, bool back) {
    const lashi_machine *m = &sim->system->machine;
    *changed = -1;
    fill_bands(sim, t, sim->workspace->reads, false);
    fill_bands(sim, t, sim->workspace->reads, true);
    for (int k = 0; k < m->switch_count; k++) {
        const lashi_switch *it = &m->switches[k];
        const lashi_opcode code = it->expression->program[it->instruction].code;
        const lashi_bounds piece = piece_of(sim, k);
        lashi_jet d;
        if (k == kept || !d_at(&d, sim, k, t, sim->workspace->reads) || isnan(d.f))
            continue;
        const double value = d.f, border = border_at(&d, sim, k, t);
        if (isnan(border)) {
            sim->driven[k] = (double)NAN;
            if (d.f > piece.low && d.f < piece.high)
                continue;
        } else if (lashi_switch_side(d, border) != 0) {
            sim->driven[k] = rests(sim, k) ? t : sim->driven[k];
        } else { // it rests; beside a border without a jump it stays in its piece
            if (sim->driven[k] == t || (kept != AT_START && !lashi_switch_jumps(code)))
                continue;
            d.f = code == LASHI_OP_MOD ? value : d.f;
        }
        double mode = lashi_switch_mode(it->expression, it->instruction, d);
        if (mode == sim->modes[k])
            continue;
        // What both sides send back stays where it is, if the value there lets it.
        if (back && !isnan(border) && border == 0 && !rests(sim, k) && lashi_switch_rests(code, 0))
            mode = 0;
        sim->modes[k] = mode;
        if (*changed < 0)
            *changed = k;
    }
}

static lash_status settle(lash_sim *sim, double t, const double *y, int kept, lash_error *error) {
    int changed = -1;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        sim->workspace->present = false;
        const lash_status status = lashi_sim_evaluate(sim, t, y, error);
        if (status)
            return status;
        lashi_reads_complete(sim->workspace, t, y);
        fit(&changed, sim, t, kept, pass >= MOST_TURNS);
        if (changed < 0)
            return LASH_OK;
    }
    return no_piece(sim, changed, t, error);
}

lash_status lashi_switches_check(lash_sim *sim, lash_error *error) {
    const lashi_machine *m = &sim->system->machine;
    const double t = sim->integrator->t;
    if (!m->switch_count)
        return LASH_OK;
    const lash_status status = look(look_at(sim, 0), sim, t, lashi_sim_y(sim), error);
    for (int k = 0; !status && k < m->switch_count; k++) {
        const lashi_bounds piece = piece_of(sim, k);
        lashi_jet d;
        if (!d_at(&d, sim, k, t, look_at(sim, 0)))
            continue;
        const double near = ON_BORDER * (fabs(d.f) + fmin(fabs(piece.low), fabs(piece.high)));
        if (fabs(d.f - piece.low) <= near || fabs(d.f - piece.high) <= near) {
            const lashi_switch *it = &m->switches[k];
            return lashi_fail_at(
                error, LASH_ERROR_USAGE, t, it->name,
                "%s '%s': at t = %.9g s a condition in column %d of its expression changes just here, so "
                "there are two linear motions, one on each side. Choose a slightly different time",
                it->word, it->name, t, it->expression->program[it->instruction].column + 1);
        }
    }
    return status;
}

lash_status lashi_switches_settle(lash_sim *sim, double t, const double *y, lash_error *error) {
    return sim->system->machine.switch_count ? settle(sim, t, y, NONE_KEPT, error) : LASH_OK;
}

lash_status lashi_switches_turn(lash_sim *sim, lash_error *error) {
    const int k = sim->flip;
    const lashi_switch *it = &sim->system->machine.switches[k];
    const double t = sim->t_new;
    lashi_jet d;
    const bool rested = rests(sim, k);
    if (rested)
        sim->driven[k] = t;
    sim->modes[k] = lashi_switch_next(it->expression, it->instruction, sim->modes[k], sim->flip_up);
    lash_status status = settle(sim, t, sim->y_event, k, error);
    if (status)
        return status;
    sim->workspace->present = false;
    const bool moved = t > sim->integrator->t_old;
    sim->stuck = moved ? 0 : sim->stuck + 1;
    const bool there = d_at(&d, sim, k, t, sim->workspace->reads);
    const double border = there ? border_at(&d, sim, k, t) : (double)NAN;
    // Sent back at once: neither piece has a motion; unless projection, and no motion, has brought it there.
    if ((there && (moved || !sim->system->projects) && (sim->flip_up ? d.df < 0 : d.df > 0)) ||
        sim->stuck > MOST_STUCK)
        return no_piece(sim, k, t, error);
    if (rested || isnan(border) || lashi_switch_side(d, border) != 0)
        return LASH_OK;
    status = settle(sim, t, sim->y_event, NONE_KEPT, error); // it comes to rest
    sim->workspace->present = false;
    return status;
}

lash_status lashi_switches_pass(lash_sim *sim, const double **y, double t, lash_error *error) {
    lash_status status = LASH_OK;
    if (lashi_next_sample(&sim->system->machine, t, INFINITY) < INFINITY) {
        sim->workspace->present = false;
        status = lashi_sim_evaluate(sim, t, *y, error);
        memcpy(sim->y_event, *y, sim->problem.n * sizeof(double));
        if (!status && lashi_reads_sample(sim->y_event, sim->workspace, t))
            *y = sim->y_event;
        sim->workspace->present = false;
    }
    return status ? status : lashi_switches_settle(sim, t, *y, error);
}

/* The pieces that fit y, whose states of signals are given, and the samples of t. */
static lash_status begin_with(lash_sim *sim, double t, double *y, lash_error *error) {
    lashi_workspace *w = sim->workspace;
    lash_status status = settle(sim, t, y, AT_START, error);
    if (status)
        return status;
    lashi_frames_at(w->frames, w->known, sim->system, t, y);
    lashi_reads_evaluate(w, NULL, t, y);
    lashi_reads_sample(y, w, t);
    return settle(sim, t, y, AT_START, error);
}

lash_status lashi_switches_begin(lash_sim *sim, lash_error *error) {
    lashi_workspace *w = sim->workspace;
    const lashi_machine *m = &sim->system->machine;
    const double t = sim->system->start;
    if (!m->read_count)
        return LASH_OK;
    for (int k = 0; k < m->switch_count; k++) { // at its border, to begin with
        sim->modes[k] =
            lashi_switch_mode(m->switches[k].expression, m->switches[k].instruction, (lashi_jet){0, 0, 0});
        sim->driven[k] = (double)NAN;
    }
    lashi_frames_at(w->frames, w->known, sim->system, t, sim->y_start);
    lashi_reads_begin(sim->y_start, w, t);
    return begin_with(sim, t, sim->y_start, error);
}

size_t lash_sim_signal_count(const lash_sim *sim) {
    return sim ? (size_t)(sim->system->n_y - sim->system->signal_at) : 0;
}

void lash_sim_signals(double *values, const lash_sim *sim) {
    if (values && sim)
        memcpy(values, lashi_sim_y(sim) + sim->system->signal_at,
               lash_sim_signal_count(sim) * sizeof *values);
}

lash_status lash_sim_set_signals(lash_sim *sim, const double *values, lash_error *error) {
    if (!sim || !values)
        return lashi_fail_null(error);
    const size_t count = lash_sim_signal_count(sim);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return lashi_fail(error, LASH_ERROR_USAGE, "lash_sim_set_signals: value %zu is not finite", i);
    if (count == 0)
        return LASH_OK;
    const double t = sim->integrator->t;
    memcpy(sim->y_work, lashi_sim_y(sim), sim->problem.n * sizeof *values);
    memcpy(sim->y_work + sim->system->signal_at, values, count * sizeof *values);
    lash_status status = begin_with(sim, t, sim->y_work, error);
    sim->workspace->present = false;
    return status ? status : lashi_sim_displace(sim, error);
}
