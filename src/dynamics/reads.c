/* SPDX-License-Identifier: MIT
 *
 * What expressions of the state read, computed once in each evaluation, before the forces. Every quantity is
 * a jet: its value with the time derivatives that are known. The rate of a position is always known; that of
 * a velocity only after the accelerations have been found.
 */
#include <math.h>
#include <string.h>

#include "dynamics/evaluate.h"

#ifdef LASHI_KERNEL
static const double UNKNOWN = 0; // which nobody asks for (system/reads.c)
#else
static const double UNKNOWN = (double)NAN;
#endif

static lashi_jet jet_of(bool rate, double value, double first, double second) {
    return rate ? (lashi_jet){first, second, UNKNOWN} : (lashi_jet){value, first, second};
}

static double component_of(lashi_vec3 a, int k) {
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

/* ---- kinematics; a: accelerations of the bodies, NULL: not known ---- */

lashi_jet lashi_read_body(const lashi_frame *f, const double *a, bool spatial, int k) {
    if (spatial && k >= 6) {
        const double second = a ? component_of(lashi_turn3(f->A, lashi_vec3_of(a + 3)), k - 6) : UNKNOWN;
        return (lashi_jet){component_of(f->spin, k - 6), second, UNKNOWN};
    }
    const double second = a ? a[k % 3] : UNKNOWN;
    if (spatial)
        return jet_of(k >= 3, component_of(f->r, k % 3), component_of(f->v, k % 3), second);
    const double place[3] = {f->x, f->y, f->angle}, speed[3] = {f->vx, f->vy, f->w};
    return jet_of(k >= 3, place[k % 3], speed[k % 3], second);
}

lashi_jet lashi_read_coordinate(const lashi_coordinate *coordinate, const lashi_frame *frames,
                                const double (*a)[LASHI_FREEDOMS], int width, bool rate) {
    const lashi_coordinate_state c = lashi_coordinate_evaluate(coordinate, frames);
    double second = a ? c.bias : UNKNOWN;
    for (int slot = 0; a && slot < LASHI_SLOTS; slot++)
        for (int k = 0; k < width; k++)
            second += c.J[slot][k] * a[coordinate->body[slot]][k];
    return jet_of(rate, c.value, c.rate, second);
}

/* l, l̇ = n·ḋ, l̈ = n·d̈ + (|ḋ|² − l̇²)/l. */
lashi_jet lashi_read_length(const lashi_force *force, const lashi_frame *frames,
                            const double (*acceleration)[LASHI_FREEDOMS], bool spatial, bool first) {
    const lashi_frame *i = &frames[force->body[0]], *j = &frames[force->body[1]];
    const double *a = acceleration ? acceleration[force->body[0]] : NULL,
                 *b = acceleration ? acceleration[force->body[1]] : NULL;
    lashi_vec3 d, rate, second = {0, 0, 0};
    if (spatial) {
        const lashi_pair3 p = lashi_pair3_evaluate(i, j, force->s3);
        d = p.d;
        rate = p.ddot;
        if (a)
            second = lashi_add3(
                p.dbias,
                lashi_sub3(lashi_add3(lashi_vec3_of(b),
                                      lashi_cross3(lashi_turn3(j->A, lashi_vec3_of(b + 3)), p.S[1])),
                           lashi_add3(lashi_vec3_of(a),
                                      lashi_cross3(lashi_turn3(i->A, lashi_vec3_of(a + 3)), p.S[0]))));
    } else {
        const lashi_pair p = lashi_pair_evaluate(i, j, force->s);
        d = (lashi_vec3){p.d.x, p.d.y, 0};
        rate = (lashi_vec3){p.ddot.x, p.ddot.y, 0};
        if (a)
            second = (lashi_vec3){p.dbias.x + b[0] - b[2] * p.S[1].y - a[0] + a[2] * p.S[0].y,
                                  p.dbias.y + b[1] + b[2] * p.S[1].x - a[1] - a[2] * p.S[0].x, 0};
    }
    const double l = lashi_length3(d), ldot = l > 0 ? lashi_dot3(d, rate) / l : 0;
    const double lddot =
        a && l > 0 ? (lashi_dot3(d, second) + lashi_dot3(rate, rate) - ldot * ldot) / l : UNKNOWN;
    return jet_of(first, l, ldot, lddot);
}

/* ---- the rest ---- */

lashi_jet lashi_signal_jet(lashi_signal_type kind, double time, double value, lashi_jet u) {
    if (kind == LASHI_SIGNAL_HOLD)
        return (lashi_jet){value, 0, 0};
    const bool lag = kind == LASHI_SIGNAL_LAG;
    const double first = lag ? (u.f - value) / time : u.f;
    return (lashi_jet){value, first, lag ? (u.df - first) / time : u.df};
}

#ifndef LASHI_KERNEL // the text of an ensemble has each read written out

static lashi_jet read_input(const lashi_workspace *w, int input, double t) {
    const lash_table *table = w->system->machine.inputs[input]->table;
    const double set = w->settings[input], inside = w->frames[0].inside;
    if (!isnan(set))
        return (lashi_jet){set, 0, 0};
    return lashi_table_jet_in(table, t, isnan(inside) ? t : inside);
}

double lashi_input_at(const lashi_workspace *w, int input, double t) {
    return read_input(w, input, t).f;
}

/* What a signal with a state is made of. */
static lashi_jet input_of(const lashi_workspace *w, const lashi_signal *signal, double t) {
    return lashi_expression_reads_state(signal->expression)
               ? lashi_expression_read(signal->expression, t, &w->now)
               : lashi_expression_jet_in(signal->expression, t, w->frames[0].inside);
}

static void read_signals(lashi_workspace *w, double t) {
    const lashi_machine *m = &w->system->machine;
    for (int i = 0; i < m->order_count; i++)
        w->reads[m->order[i]] = lashi_expression_read(m->reads[m->order[i]].expression, t, &w->now);
}

/* Rates of the states. */
static void read_rates(lashi_workspace *w, double *ydot, double t) {
    const lashi_machine *m = &w->system->machine;
    for (int s = 0; s < m->signal_count; s++) {
        const lashi_signal *signal = &m->signals[s];
        lashi_jet *read = &w->reads[signal->read];
        if (signal->kind == LASHI_SIGNAL_VALUE)
            continue;
        *read = lashi_signal_jet(signal->kind, signal->time, read->f,
                                 signal->kind == LASHI_SIGNAL_HOLD ? (lashi_jet){0} : input_of(w, signal, t));
        if (ydot)
            ydot[signal->at] = read->df;
    }
}

static void read_all(lashi_workspace *w, double *ydot, double t, const double *y, bool known) {
    const lash_system *system = w->system;
    const lashi_machine *m = &system->machine;
    double(*const a)[LASHI_FREEDOMS] = known ? w->acceleration : NULL;
    for (int r = 0; r < m->read_count; r++) {
        const lashi_read *read = &m->reads[r];
        switch (read->kind) {
        case LASHI_READ_BODY:
            w->reads[r] = lashi_read_body(&w->frames[read->index], a ? a[read->index] : NULL, system->spatial,
                                          read->component);
            break;
        case LASHI_READ_COORDINATE:
            w->reads[r] =
                lashi_read_coordinate(&read->coordinate, w->frames, a, system->width, read->component);
            break;
        case LASHI_READ_LENGTH:
            w->reads[r] = lashi_read_length(&system->forces[read->index], w->frames, a, system->spatial,
                                            read->component);
            break;
        case LASHI_READ_INPUT: w->reads[r] = read_input(w, read->index, t); break;
        case LASHI_READ_STATE:
            w->reads[r] = (lashi_jet){y[m->signals[read->index].at], UNKNOWN, UNKNOWN};
            break;
        case LASHI_READ_TIME:
            w->reads[r] = lashi_expression_jet_in(read->expression, t, w->frames[0].inside);
            break;
        case LASHI_READ_SIGNAL: break;
        }
    }
    read_signals(w, t);
    if (m->state_count)
        read_rates(w, ydot, t);
    if (m->state_count && (m->rates || known))
        read_signals(w, t);
}

__attribute__((noinline)) void lashi_reads_evaluate(lashi_workspace *w, double *ydot, double t,
                                                    const double *y) {
    read_all(w, ydot, t, y, false);
}

void lashi_reads_complete(lashi_workspace *w, double t, const double *y) {
    read_all(w, NULL, t, y, true);
}

bool lashi_reads_sample(double *y, lashi_workspace *w, double t) {
    const lashi_machine *m = &w->system->machine;
    bool any = false;
    // All samples are taken from the reads before any state changes.
    for (int s = 0; s < m->signal_count; s++)
        if (m->signals[s].kind == LASHI_SIGNAL_HOLD && lashi_is_sample(m->signals[s].every, t)) {
            y[m->signals[s].at] = input_of(w, &m->signals[s], t).f;
            any = true;
        }
    return any;
}

void lashi_reads_begin(double *y, lashi_workspace *w, double t) {
    const lashi_machine *m = &w->system->machine;
    for (int s = 0; s < m->signal_count; s++)
        if (m->signals[s].kind != LASHI_SIGNAL_VALUE)
            y[m->signals[s].at] = isnan(m->signals[s].initial) ? 0 : m->signals[s].initial;
    // Lags that start settled; one may follow another, hence the passes.
    for (int pass = 0; pass <= m->state_count; pass++) {
        lashi_reads_evaluate(w, NULL, t, y);
        for (int s = 0; s < m->signal_count; s++)
            if (m->signals[s].kind == LASHI_SIGNAL_LAG && isnan(m->signals[s].initial))
                y[m->signals[s].at] = input_of(w, &m->signals[s], t).f;
    }
}

#endif
