/* SPDX-License-Identifier: MIT
 *
 * What expressions of the state read, computed once in each evaluation, before the forces. Every quantity is
 * a jet: its value with the time derivatives that are known. The rate of a position is always known; that of
 * a velocity only after the accelerations have been found.
 */
#include <math.h>
#include <string.h>

#include "dynamics/evaluate.h"

static const double UNKNOWN = (double)NAN;

static lashi_jet jet_of(bool rate, double value, double first, double second) {
    return rate ? (lashi_jet){first, second, UNKNOWN} : (lashi_jet){value, first, second};
}

static double component(lashi_vec3 a, int k) {
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

/* ---- kinematics ---- */

static lashi_jet read_body(const lashi_workspace *w, const lashi_read *read, bool known) {
    const lashi_frame *f = &w->frames[read->index];
    const int k = read->component;
    const double *a = w->acceleration[read->index];
    if (w->system->spatial && k >= 6) {
        const double second = known ? component(lashi_turn3(f->A, lashi_vec3_of(a + 3)), k - 6) : UNKNOWN;
        return (lashi_jet){component(f->spin, k - 6), second, UNKNOWN};
    }
    const double second = known ? a[k % 3] : UNKNOWN;
    if (w->system->spatial)
        return jet_of(k >= 3, component(f->r, k % 3), component(f->v, k % 3), second);
    const double place[3] = {f->x, f->y, f->angle}, speed[3] = {f->vx, f->vy, f->w};
    return jet_of(k >= 3, place[k % 3], speed[k % 3], second);
}

static lashi_jet read_coordinate(const lashi_workspace *w, const lashi_read *read, bool known) {
    const lashi_coordinate *coordinate = &read->coordinate;
    const lashi_coordinate_state c = lashi_coordinate_evaluate(coordinate, w->frames);
    double second = known ? c.bias : UNKNOWN;
    for (int slot = 0; known && slot < LASHI_SLOTS; slot++)
        for (int k = 0; k < w->system->width; k++)
            second += c.J[slot][k] * w->acceleration[coordinate->body[slot]][k];
    return jet_of(read->component, c.value, c.rate, second);
}

/* Length of a spring: l, l̇ = n·ḋ, l̈ = n·d̈ + (|ḋ|² − l̇²)/l. */
static lashi_jet read_length(const lashi_workspace *w, const lashi_read *read, bool known) {
    const lashi_force *force = &w->system->forces[read->index];
    const lashi_frame *i = &w->frames[force->body[0]], *j = &w->frames[force->body[1]];
    const double *a = w->acceleration[force->body[0]], *b = w->acceleration[force->body[1]];
    lashi_vec3 d, rate, second = {0, 0, 0};
    if (w->system->spatial) {
        const lashi_pair3 p = lashi_pair3_evaluate(i, j, force->s3);
        d = p.d;
        rate = p.ddot;
        if (known)
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
        if (known)
            second = (lashi_vec3){p.dbias.x + b[0] - b[2] * p.S[1].y - a[0] + a[2] * p.S[0].y,
                                  p.dbias.y + b[1] + b[2] * p.S[1].x - a[1] - a[2] * p.S[0].x, 0};
    }
    const double l = lashi_length3(d), ldot = l > 0 ? lashi_dot3(d, rate) / l : 0;
    const double lddot =
        known && l > 0 ? (lashi_dot3(d, second) + lashi_dot3(rate, rate) - ldot * ldot) / l : UNKNOWN;
    return jet_of(read->component, l, ldot, lddot);
}

/* ---- the rest ---- */

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
        if (signal->kind == LASHI_SIGNAL_HOLD) {
            read->df = read->ddf = 0;
        } else {
            const lashi_jet u = input_of(w, signal, t);
            const bool lag = signal->kind == LASHI_SIGNAL_LAG;
            read->df = lag ? (u.f - read->f) / signal->time : u.f;
            read->ddf = lag ? (u.df - read->df) / signal->time : u.df;
        }
        if (ydot)
            ydot[signal->at] = read->df;
    }
}

static void read_all(lashi_workspace *w, double *ydot, double t, const double *y, bool known) {
    const lashi_machine *m = &w->system->machine;
    for (int r = 0; r < m->read_count; r++) {
        const lashi_read *read = &m->reads[r];
        switch (read->kind) {
        case LASHI_READ_BODY: w->reads[r] = read_body(w, read, known); break;
        case LASHI_READ_COORDINATE: w->reads[r] = read_coordinate(w, read, known); break;
        case LASHI_READ_LENGTH: w->reads[r] = read_length(w, read, known); break;
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
        if (lashi_is_sample(&m->signals[s], t)) {
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
