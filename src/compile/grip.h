/* SPDX-License-Identifier: MIT
 *
 * Friction that is found with the accelerations, in members of an ensemble (write.c, ensemble.h): of contacts in the plane, with
 * three modes while they follow, or with the law coulomb; and of ideal joints, with coulomb where they slide in one direction.
 *
 * As in dynamics/rubbing.c: T_c are unit forces along the tangents, f_c their sizes, W_cd what f_d does to the rate of the
 * sliding speed of c, and G_cd what it adds to the load N_c. Each has one row of K f = b:
 *   contact slides   f_c − m_c Σ_d G_cd f_d = m_c N⁰_c, m_c from the law and the direction; N counts with its sign, so this is
 *                    linear; G is zero where N follows from the depth
 *   sticks           Σ_d W_cd f_d = −(rate without friction) − 2κ v_T − κ² (travel since then)
 *   neither          f_c = 0
 *   joint slides     f_c + m_c Σ_e |R_e| = −(constant part), R_e = R⁰_e + Σ_d G_ced f_d the loads of its ends; so do the teeth
 *                    of ideal gears push their wheels apart
 * With |R_e| = r_e·R_e, r_e the direction of R_e with the forces of the pass before, the rows of joints are Newton's method.
 * B_cd = |m_c| Σ_e |G_ced|, with the answer of what sticks, bounds what f_d does to f_c: where its spectral radius is below 1, which is where the pivots of
 * I − B are positive, there is one solution. Elsewhere a run by itself looks for it.
 * Where sticking contacts can move only together (two corners of a face on one wall) W is singular. So a share ε of its
 * diagonal, over the contact's `share`, is added to it, and steps of refinement take away what that changes of the motion:
 * what is left are the forces with least Σ W_cc f²/share, as in a run by itself.
 * Rows are eliminated in their order, without branches. A pivot that is not above its least is refused, as there may be no motion, or several
 * (Painlevé); so is what does not fit in the end. A run by itself says what it is.
 */
#ifndef LASHI_GRIP_H
#define LASHI_GRIP_H

#include "contact/apply.h"
#include "contact/rub.h"

/* Friction of a contact, or of a place of an ideal joint, at one instant. */
typedef struct lashi_grip {
    double way,
        share; /* given: LASHI_GRIP_…, or which way it slides; its part of what several hold together; … */
    double held;          /* … and m, travel at which it sticks, where that is a coordinate */
    double force;         /* N, on part j along t */
    double limit;         /* N, most friction it can have at rest */
    double rate, scale;   /* m/s², of its sliding speed, and the largest part that is the sum of */
    double rest;          /* m/s, sliding speed that is none */
    double speed, travel; /* m/s, sliding speed; m */
} lashi_grip;
/* `way` where it is no direction: it sticks; or the speed decides, and there is no friction at rest. */
enum { LASHI_GRIP_STICKS = 0, LASHI_GRIP_BY_SPEED = 2 };

/* What is left of what holds it where it sticks, and of sliding the way it does, m/s. Within a step stages know
 * speeds less well than it matters here: whether drives carry it off is seen at its ends. */
static inline double lashi_grip_left(const lashi_grip *grip, int at_end) {
    const double force = fabs(grip->force), sum = grip->limit + force;
    const double margin = sum > 0 ? (grip->limit - force) / sum : 1;
    const double carried = 1 - fabs(grip->speed) / (LASHI_RUB_CARRIED_OFF * grip->rest);
    const double held = !at_end || margin < carried ? margin : carried;
    return grip->way == LASHI_GRIP_STICKS ? held : grip->way * grip->speed;
}

/* f/N of what slides: coulomb; laws that ramp (lashi_friction_ramp, without branches); and others. */
static inline double lashi_grip_coulomb(const lashi_friction *law, const lashi_grip *grip, double sliding) {
    const double sign = sliding > 0 ? 1.0 : sliding < 0 ? -1.0 : 0.0;
    return -law->p->kinetic * (grip->way == LASHI_GRIP_BY_SPEED ? sign : grip->way);
}
static inline double lashi_grip_ramp(const lashi_friction *law, const lashi_grip *grip, double sliding) {
    const lashi_friction_numbers *p = law->p;
    const double rise = (fabs(sliding) - p->v0) / (p->v1 - p->v0), least = rise < 0 ? 0 : rise;
    (void)grip;
    return -copysign(p->kinetic * (least > 1 ? 1 : least), sliding);
}
static inline double lashi_grip_slide(const lashi_friction *law, const lashi_grip *grip, double sliding) {
    double unused;
    (void)grip;
    return lashi_friction_force(law, 1, sliding, 0, &unused);
}

/* Loops of members side by side must be written out before their lanes are; of MANY places that would be too much for a
 * compiler, and lanes are computed one after the other. */
#if defined __clang__ && !defined __NVPTX__ && !defined LASHI_MANY_GRIPS
#define LASHI_WRITTEN_OUT _Pragma("clang loop unroll(full)")
#else
#define LASHI_WRITTEN_OUT
#endif

/* Loads of the ends of a joint without friction, R⁰, and what forces add to them, G: [ends][LASHI_WAYS] and
 * [ends][LASHI_WAYS][n]. x, X: multipliers of its rows, and the columns of those of friction, each `all` long. */
static inline void lashi_grip_loads(double *restrict R, double *restrict G, const lashi_slide *slide,
                                    int ends, int rows, const double *restrict x, const double *restrict X,
                                    int all, int n) {
    LASHI_WRITTEN_OUT for (int e = 0; e < ends; e++) LASHI_WRITTEN_OUT for (int k = 0; k < LASHI_WAYS; k++) {
        const double *press = slide->press[e][k];
        const int at = e * LASHI_WAYS + k;
        R[at] = 0;
        LASHI_WRITTEN_OUT for (int r = 0; r < rows; r++) R[at] += press[r] * x[r];
        LASHI_WRITTEN_OUT for (int d = 0; d < n; d++) {
            G[at * n + d] = 0;
            LASHI_WRITTEN_OUT for (int r = 0; r < rows; r++) G[at * n + d] += press[r] * X[d * all + r];
        }
    }
}

/* The load R of one end with the forces f, and its length. */
static inline double lashi_grip_load(double R[LASHI_WAYS], const double *restrict R0,
                                     const double *restrict G, const double *restrict f, int n) {
    LASHI_WRITTEN_OUT for (int k = 0; k < LASHI_WAYS; k++) {
        R[k] = R0[k];
        LASHI_WRITTEN_OUT for (int d = 0; d < n; d++) R[k] += G[k * n + d] * f[d];
    }
    return sqrt(R[0] * R[0] + R[1] * R[1] + R[2] * R[2]);
}

/* The row of joint c in K f = b where it slides, as its loads are with the forces f. */
static inline void lashi_grip_press(double *restrict K, double *restrict b, const double *restrict R,
                                    const double *restrict G, const double *restrict f, double m,
                                    double constant, int ends, int c, int n) {
    LASHI_WRITTEN_OUT for (int d = 0; d < n; d++) K[d] = c == d;
    *b = -constant;
    LASHI_WRITTEN_OUT for (int e = 0; e < ends; e++) {
        const double *R0 = R + e * LASHI_WAYS, *G0 = G + e * LASHI_WAYS * n;
        double load[LASHI_WAYS];
        const double length = lashi_grip_load(load, R0, G0, f, n), scale = length > 0 ? m / length : 0;
        LASHI_WRITTEN_OUT for (int k = 0; k < LASHI_WAYS; k++) {
            *b -= scale * load[k] * R0[k];
            LASHI_WRITTEN_OUT for (int d = 0; d < n; d++) K[d] += scale * load[k] * G0[k * n + d];
        }
    }
}

/* What presses it, Σ |R_e|. */
static inline double lashi_grip_pressed(const double *restrict R, const double *restrict G,
                                        const double *restrict f, int ends, int n) {
    double sum = 0, load[LASHI_WAYS];
    LASHI_WRITTEN_OUT for (int e = 0; e < ends; e++) sum +=
        lashi_grip_load(load, R + e * LASHI_WAYS, G + e * LASHI_WAYS * n, f, n);
    return sum;
}

/* Its row of I − B. */
static inline void lashi_grip_bound(double *restrict row, const double *restrict G, double m, int ends, int c,
                                    int n) {
    LASHI_WRITTEN_OUT for (int d = 0; d < n; d++) {
        row[d] = c == d;
        LASHI_WRITTEN_OUT for (int e = 0; e < ends; e++) {
            const double *G0 = G + e * LASHI_WAYS * n + d;
            row[d] -= fabs(m) * sqrt(G0[0] * G0[0] + G0[n] * G0[n] + G0[2 * n] * G0[2 * n]);
        }
    }
}

static inline double lashi_grip_dot(const double *a, const double *b, int n) {
    double sum = 0;
    LASHI_WRITTEN_OUT for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* The largest |a_i b_i|, and `most`. */
static inline double lashi_grip_largest(double most, const double *a, const double *b, int n) {
    LASHI_WRITTEN_OUT for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] * b[i]));
    return most;
}

/* ε; the least pivot of a contact that sticks, in ε of its diagonal, and of one that slides; what may be left of what should be
 * zero, of the largest part it is the sum of. */
static const double LASHI_GRIP_SOFT = 1e-5, LASHI_GRIP_LEAST = 0.1, LASHI_GRIP_LEAST_SLIDING = 1e-6,
                    LASHI_GRIP_LEFT = 1e-10;
enum { LASHI_GRIP_PASSES = 4 };
/* Of Newton's method: each squares what is left. */
enum { LASHI_GRIP_STEPS = 6 };
/* Of what several hold together. */
static const double LASHI_GRIP_LARGEST_SHARE = 1e3;

/* f from K f = b. L: room for the factors; soft: what is added to the diagonal; parts: the largest that b is the sum
 * of. Whether it is refused. */
static inline int lashi_grip_solve(double *restrict f, double *restrict L, const double *restrict K,
                                   const double *restrict soft, const double *restrict b,
                                   const double *restrict parts, int n) {
    int refused = 0;
    LASHI_WRITTEN_OUT for (int i = 0; i < n; i++) LASHI_WRITTEN_OUT for (int j = 0; j < n; j++) L[i * n + j] =
        K[i * n + j] + (i == j ? soft[i] : 0);
    LASHI_WRITTEN_OUT for (int k = 0; k < n; k++) {
        const double pivot = L[k * n + k], inverse = 1 / pivot;
        const double least = soft[k] > 0 ? LASHI_GRIP_LEAST * soft[k] : LASHI_GRIP_LEAST_SLIDING;
        refused |= !(pivot > least);
        L[k * n + k] = inverse;
        LASHI_WRITTEN_OUT for (int i = k + 1; i < n; i++) {
            L[i * n + k] *= inverse;
            LASHI_WRITTEN_OUT for (int j = k + 1; j < n; j++) L[i * n + j] -= L[i * n + k] * L[k * n + j];
        }
    }
    LASHI_WRITTEN_OUT for (int i = 0; i < n; i++) f[i] = 0;
    double *x = L + n * n;
    LASHI_WRITTEN_OUT for (int pass = 0; pass < LASHI_GRIP_PASSES; pass++) {
        LASHI_WRITTEN_OUT for (int i = 0; i < n; i++) {
            x[i] = b[i] - lashi_grip_dot(K + i * n, f, n);
            LASHI_WRITTEN_OUT for (int j = 0; j < i; j++) x[i] -= L[i * n + j] * x[j];
        }
        LASHI_WRITTEN_OUT for (int i = n - 1; i >= 0; i--) {
            LASHI_WRITTEN_OUT for (int j = i + 1; j < n; j++) x[i] -= L[i * n + j] * x[j];
            x[i] *= L[i * n + i];
            f[i] += x[i];
        }
    }
    LASHI_WRITTEN_OUT for (int i = 0; i < n; i++) refused |=
        (soft[i] > 0) & !(fabs(b[i] - lashi_grip_dot(K + i * n, f, n)) <=
                          LASHI_GRIP_LEFT * lashi_grip_largest(parts[i], K + i * n, f, n));
    return refused;
}

/* What sticks answers the forces of the others, f_h = Σ Q_hd f_d: so G becomes that of these alone. L: room for the factors of
 * the mobility W, with `soft` added to its diagonal; Q: [n][n], rows of what does not stick are zero, and columns of what does. */
static inline void lashi_grip_answer(double *restrict Q, double *restrict L, const double *restrict mobility,
                                     const double *restrict soft, int n) {
    LASHI_WRITTEN_OUT for (int i = 0; i < n; i++) LASHI_WRITTEN_OUT for (int j = 0; j < n; j++) {
        const int held = soft[i] > 0, by = soft[j] > 0;
        L[i * n + j] = ((held & by) ? mobility[i * n + j] : i == j) + (i == j ? soft[i] : 0);
        Q[i * n + j] = (held & !by) ? -mobility[i * n + j] : 0;
    }
    LASHI_WRITTEN_OUT for (int k = 0; k < n; k++) {
        const double inverse = 1 / L[k * n + k];
        LASHI_WRITTEN_OUT for (int j = 0; j < n; j++) Q[k * n + j] *= inverse;
        LASHI_WRITTEN_OUT for (int j = k + 1; j < n; j++) L[k * n + j] *= inverse;
        LASHI_WRITTEN_OUT for (int i = 0; i < n; i++) {
            const double factor = i == k ? 0 : L[i * n + k];
            LASHI_WRITTEN_OUT for (int j = 0; j < n; j++) Q[i * n + j] -= factor * Q[k * n + j];
            LASHI_WRITTEN_OUT for (int j = k + 1; j < n; j++) L[i * n + j] -= factor * L[k * n + j];
        }
    }
}
/* Row k of G, [n], with those answers. */
static inline void lashi_grip_through(double *restrict out, const double *restrict G,
                                      const double *restrict Q, const double *restrict soft, int n) {
    LASHI_WRITTEN_OUT for (int d = 0; d < n; d++) {
        out[d] = soft[d] > 0 ? 0 : G[d];
        LASHI_WRITTEN_OUT for (int h = 0; h < n; h++) out[d] += G[h] * Q[h * n + d];
    }
}

/* Whether I − B, which is destroyed, has a pivot that is not positive. */
static inline int lashi_grip_binds(double *restrict bound, int n) {
    int binds = 0;
    LASHI_WRITTEN_OUT for (int k = 0; k < n; k++) {
        const double inverse = 1 / bound[k * n + k];
        binds |= !(bound[k * n + k] > LASHI_GRIP_LEAST_SLIDING);
        LASHI_WRITTEN_OUT for (int i = k + 1; i < n; i++) {
            const double factor = bound[i * n + k] * inverse;
            LASHI_WRITTEN_OUT for (int j = k + 1; j < n; j++) bound[i * n + j] -= factor * bound[k * n + j];
        }
    }
    return binds;
}

#endif
