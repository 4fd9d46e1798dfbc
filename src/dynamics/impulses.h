/* SPDX-License-Identifier: MIT
 *
 * The equations of an impact between impulses and velocities (impact.c has them and says where they come from), for the
 * library and for members of an ensemble (compile/ensemble.h).
 *
 * Notation as in impact.c: u = u⁻, after = u⁺, mobility = W, impulse = P; axis 0 of a contact is along n, axis 1 along t.
 */
#ifndef LASHI_IMPULSES_H
#define LASHI_IMPULSES_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { LASHI_IMPACT_AXES = 2 };

/* The contacts that take part; axis a of contact i is direction LASHI_IMPACT_AXES i + a. */
typedef struct lashi_impulses {
    int count;
    double *mobility;    /* [direction][direction] */
    double *u, *after;   /* [direction] m/s, before and after */
    double *impulse;     /* [direction] N s */
    double *restitution; /* [contact] */
    double *mu;          /* [contact] */
    double *rest;        /* [contact] m/s */
    double *held;        /* [contact] 1: stays closed although it would leave, slower than rest */
    double *response;    /* [contact] 1/kg, of its bodies by themselves */
} lashi_impulses;

/* ε of a contact that arrives with δ̇. */
static inline double lashi_impact_restitution(double restitution, double rest_speed, double deltadot,
                                              bool merges) {
    return restitution * deltadot >= rest_speed && !merges ? restitution : 0;
}

/* Whether a contact that leaves an impact with this speed stays at its wall; fastest: approach of all. */
static inline bool lashi_impact_rests(double leave, double fastest, double rest_speed) {
    static const double NO_SPEED = 1e-9; /* of those before it and the rest speed: rounding */
    return leave <= NO_SPEED * fmax(fastest, rest_speed);
}

/* Whether an impulse is one: a contact that others hit without effect on it has one of rounding. largest: of that impact. */
static inline bool lashi_impulse_counts(double impulse, double largest) {
    static const double NO_IMPULSE = 1e-10;
    return impulse > NO_IMPULSE * largest;
}

/* Whether a contact at rest against its wall is in the wrong mode, from N, as if it were closed (sim/modes.c).
 * scale: the largest N; closes: open ones may close still. */
static inline bool lashi_rest_is_wrong(bool touching, double N, double scale, bool closes) {
    static const double NO_FORCE = 1e-10;
    return touching ? N < 0 : closes && N > NO_FORCE * scale;
}
/* Exchanges of closed and open contacts, per contact, after which none is closed again. */
enum { LASHI_REST_EXCHANGES = 50 };

enum { LASHI_IMPACT_SWEEPS = 20000, LASHI_IMPACT_HALVINGS = 50 };

/* P of one contact from W of its two directions, {nn, nt, tt}, and the velocities it must take away: r_n
 * along the normal, r_t of sliding. */
static inline void lashi_impulse_of_one(double P[LASHI_IMPACT_AXES], const double own[3], double r_n,
                                        double r_t, double mu, bool held) {
    const double a = own[0], c = own[1], d = own[2];
    P[0] = P[1] = 0;
    if (!(r_n > 0 || held) || !(a > 0))
        return;
    P[0] = r_n / a;
    if (!(mu > 0) || !(d > 0) || !(r_n > 0))
        return;
    const double determinant = a * d - c * c;
    if (determinant > 0) {
        const double n = (d * r_n - c * r_t) / determinant, t = (a * r_t - c * r_n) / determinant;
        if (n >= 0 && fabs(t) <= mu * n) {
            P[0] = n, P[1] = t;
            return;
        }
    }
    for (int sign = 1; sign >= -1; sign -= 2) {
        const double under = a + sign * mu * c, n = r_n / under, t = sign * mu * n;
        if (under > 0 && sign * (r_t - c * n - d * t) >= 0) {
            P[0] = n, P[1] = t;
            return;
        }
    }
}

/* Impulses and velocities after, with every restitution times `share`. */
static inline void lashi_impulses_sweep(lashi_impulses *p, double share) {
    const int n = LASHI_IMPACT_AXES * p->count;
    static const double SETTLED = 1e-15; /* change of an impulse, of the largest one, at which sweeps end */
    memset(p->impulse, 0, (size_t)n * sizeof(double));
    for (int sweep = 0; sweep < LASHI_IMPACT_SWEEPS; sweep++) {
        double change = 0, largest = 0;
        for (int i = 0; i < p->count; i++) {
            const int at = LASHI_IMPACT_AXES * i;
            double r[LASHI_IMPACT_AXES], P[LASHI_IMPACT_AXES];
            for (int axis = 0; axis < LASHI_IMPACT_AXES; axis++) {
                r[axis] = p->u[at + axis];
                for (int o = 0; o < n; o++)
                    if (o / LASHI_IMPACT_AXES != i)
                        r[axis] -= p->mobility[(at + axis) * n + o] * p->impulse[o];
            }
            const double own[3] = {p->mobility[at * n + at], p->mobility[at * n + at + 1],
                                   p->mobility[(at + 1) * n + at + 1]};
            lashi_impulse_of_one(P, own, r[0] + share * p->restitution[i] * p->u[at], r[1], p->mu[i],
                                 p->held[i] > 0);
            for (int axis = 0; axis < LASHI_IMPACT_AXES; axis++) {
                change = fmax(change, fabs(P[axis] - p->impulse[at + axis]));
                largest = fmax(largest, fabs(P[axis]));
                p->impulse[at + axis] = P[axis];
            }
        }
        if (p->count == 1 || change <= SETTLED * largest)
            break;
    }
    for (int i = 0; i < n; i++) {
        p->after[i] = p->u[i];
        for (int o = 0; o < n; o++)
            p->after[i] -= p->mobility[i * n + o] * p->impulse[o];
    }
}

/* Energy lost by direction i. */
static inline double lashi_impulse_lost(const lashi_impulses *p, int i) {
    return 0.5 * p->impulse[i] * (p->u[i] + p->after[i]);
}

static inline bool lashi_impulses_gain(const lashi_impulses *p) {
    static const double NO_GAIN = 1e-13; /* of all that is exchanged: rounding */
    double sum = 0, all = 0;
    for (int i = 0; i < LASHI_IMPACT_AXES * p->count; i++) {
        sum += lashi_impulse_lost(p, i);
        all += fabs(p->impulse[i] * p->u[i]);
    }
    return sum < -NO_GAIN * all;
}

/* Marks contacts that leave slower than their rest speed; false: no new one. */
static inline bool lashi_impulses_hold(lashi_impulses *p) {
    static const double NO_SPEED = 1e-12; /* of the fastest before the impact: rounding */
    double fastest = 0;
    bool any = false;
    for (int i = 0; i < p->count; i++)
        fastest = fmax(fastest, fabs(p->u[LASHI_IMPACT_AXES * i]));
    for (int i = 0; i < p->count; i++) {
        const double leave = -p->after[LASHI_IMPACT_AXES * i];
        const bool closed = p->u[LASHI_IMPACT_AXES * i] >= -NO_SPEED * fastest; // it was not leaving before
        if (p->held[i] == 0 && closed && leave > NO_SPEED * fastest && leave < p->rest[i] &&
            p->restitution[i] == 0) {
            p->held[i] = 1;
            any = true;
        }
    }
    return any;
}

/* Impulses, and velocities after. */
static inline void lashi_impulses_solve(lashi_impulses *p) {
    do
        lashi_impulses_sweep(p, 1);
    while (lashi_impulses_hold(p));
    if (!lashi_impulses_gain(p))
        return;
    double low = 0, high = 1;
    for (int k = 0; k < LASHI_IMPACT_HALVINGS; k++) {
        const double share = 0.5 * (low + high);
        lashi_impulses_sweep(p, share);
        *(lashi_impulses_gain(p) ? &high : &low) = share;
    }
    lashi_impulses_sweep(p, low);
}

/* The contact that cannot be stopped, because no impulse in it moves the machine. Or the fastest, where
 * several together leave no freedom and the sweeps left some approaching. -1: none. */
static inline int lashi_impulses_locked(const lashi_impulses *p) {
    /* LOCKED: a machine that yields less than this share of what its free bodies would yields nothing to an
     * impact. STOPPED: approach after the impact, as a share of the fastest before it, that is still rounding. */
    static const double LOCKED = 1e-10, STOPPED = 1e-9;
    const int n = LASHI_IMPACT_AXES * p->count;
    int fastest = -1;
    double speed = 0, left = 0;
    for (int i = 0; i < p->count; i++) {
        const int at = LASHI_IMPACT_AXES * i;
        const double u = p->u[at], rest = p->rest[i];
        if (p->mobility[n * at + at] < LOCKED * p->response[i] && u > rest)
            return i;
        if (u > speed && u > rest)
            speed = u, fastest = i;
        left = fmax(left, p->after[at]);
    }
    return left > STOPPED * speed ? fastest : -1;
}

#endif
