/* SPDX-License-Identifier: MIT
 *
 * dop853: the explicit Runge-Kutta method of Dormand and Prince of order 8(5,3), for smooth motion.
 *
 * Notation: k_s, s = 0 … 15, the stages (dop853_table.h). k_12 is f at the new y and k_0 of the next step;
 * k_13 … k_15 serve the interpolant alone and are evaluated when it is first asked for in a step.
 *
 * Error. e5 = h sum e5_j k_j and e3 = h sum (b_j - b3_j) k_j are errors of orders 5 and 3; with the RMS norm
 * over the controlled components, each divided by its scale atol + rtol max(|y_old|, |y|),
 *     err = |e5|^2 / sqrt(|e5|^2 + 0.01 |e3|^2),
 * which behaves as h^8. Where the caller says that rounding shakes f by s, no scale is below h s: such an error would
 * fall with h alone, and ever shorter steps follow it. Next step: h err^-1/8 times a safety factor, between bounds. The caller may have
 * errors remembered: err is then the largest of those before, each worth the less the more steps it is ago, 1 where one was rejected.
 *
 * Interpolant, x = (t - t_old)/h, of order 7, C1 over the steps:
 *     y = y_old + x (p1 + (1-x)(p2 + x (p3 + (1-x)(p4 + x (p5 + (1-x)(p6 + x p7)))))).
 * Near the boundary of stability the end of a step damps what is left of a fast decay, which its stages have made a
 * hundred times as large, and the interpolant shows it. There its slope is compared with f, at two points. Where they
 * differ by more than the tolerance, the step is computed again in equal parts, short enough that nothing grows, and each
 * part has an interpolant of its own: the ends of the step, and all steps, stay what they are.
 *
 * Limits: forward in time; explicit, hence limited by stability when forces are stiff: such steps are counted
 * (|h lambda| > 6.1, estimated from the last two stages, which share the time t + h). On that boundary a fast decay does not
 * decay. What is left of it is as large as the tolerance allows, and stiff damping makes forces of it: the friction that
 * holds a block could be wrong by half. Where the caller asks for it, steps keep well inside: they are shorter then, but
 * hardly one is rejected.
 *
 * Memory: one block of arrays of `stride` doubles, n rounded up to cache lines (an odd number where there are
 * many): loops run over whole lines, and no two arrays fall on the same lines of a cache. The padding stays
 * zero.
 *
 * Reference: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed.,
 * Springer 1993, sections II.4 (control, first step), II.5, II.10 and IV.2 of volume II (stiffness).
 */
#include "integrate/integrator.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "integrate/dop853_sums.h"
#include "math/larger.h"

enum {
    LINE = LASHI_DOP853_LINE,
    STAGES = LASHI_DOP853_STAGES,
    POLYNOMIAL = 7, /* coefficients of the interpolant beside y_old */
    LAST = LASHI_DOP853_LAST,
    EARLY = 4 /* up to this one after the first, stages are in no sum of a new y, error or interpolant */
};

static const double SAFETY = 0.9;
static const double SHRINK = 1.0 / 3.0, GROW = 6.0; // bounds on h_new/h
static const double STRETCH = 1.01;                 // steps that would end this close to t_limit end on it
static const double FAILED = 0.25;                  // h_new/h when a step could not be computed
static const double STABILITY = 6.1;                // |h lambda| on the boundary of stability
static const double STABLE = 0.6;                   // of that, where steps keep inside, …
static const double LIMITED = 0.55;                 // … and from which on they do so
static const double MIN_STEP = 1e-30;               // s, where t = 0 gives no scale
static const double MIN_STEP_ULP = 16;              // in units of rounding of t
static const double TINY = 1e-290;                  // keeps a division by a zero scale finite
static const double REMEMBERED = 0.95;              // of |lambda|, with each step
static const double DOUBTFUL = 0.5;       // of the boundary: from here on an interpolant is looked at …
static const double looks[] = {0.3, 0.8}; // … at these points of the step
static const double LEAVES = 0.3;         // so much of the tolerance is too far off, …
static const double CALM = 2;             // … and |h lambda| of the parts is then below this, …
static const double MOST_PARTS = 64;      // … unless they are too many
enum { LOOKS = sizeof looks / sizeof *looks };
// No stage stands between 1/3 and 0.6 of a step: where a point lies that is to be stepped past, and the
// bounds between which it may.
static const double PAST = 0.465, PAST_FIRST = 0.44, PAST_LAST = 0.49;

typedef enum trouble { NO_TROUBLE, ERROR_TOO_LARGE, NOT_FINITE, REFUSED } trouble;

typedef struct dop853 {
    lashi_integrator base;
    size_t n, stride;
    size_t reads;      // of the stride: what f depends on, whole lines
    size_t controlled; // number of components in the error norm, …
    size_t tested;     // … which are before this one, whole lines
    const struct sums *sums;
    lashi_rhs f, stage, early; // of lashi_problem
    void *context;
    double max_step;
    double h;                  // of the last accepted step
    double worst;              // error of the steps before, as it is remembered
    double fastest;            // the same of |lambda|: one step alone may show too little of it
    bool stages, extra_stages; // those of the last step are in k
    bool polynomial_ready;
    bool has_step; // false right after restart or load: there is no step to interpolate
    // The interpolant of a step whose own is doubtful: that of so many equal parts, computed again one after the other.
    size_t parts, part; // 1: of the step itself; the one that `polynomial` is for
    // Arrays of `stride` each.
    double *rtol, *atol, *mask; // mask: 1 controlled, 0 not
    double *shake;              // of lashi_problem
    double *state[2];           // y_old and y, in turn
    double *argument;           // of the stage at hand; after a step that of stage 11
    double *weight;             // mask/scale of the last error test
    double *k;                  // STAGES
    double *polynomial;         // POLYNOMIAL
    double *part_ends[2];       // y where the part begins and ends, …
    double *part_slope;         // … and its slope at the end
    double *slopes[2];          // those at the ends of the step, while k is used for its parts
} dop853;

/* What save() keeps, followed by y and ydot (n each). */
typedef struct history {
    double t, h, h_next, worst, fastest;
    lashi_integrator_counts counts;
} history;

static double *stage(const dop853 *self, size_t s) {
    return self->k + s * self->stride;
}

/* ---- sums of stages: the same code for every processor, and for those with vectors of four and of eight. All give
 * the same bits. ---- */

struct sums {
    void (*argument[STAGES])(double *restrict out, const double *restrict y, const double *restrict k,
                             size_t stride, size_t count, double h);
    bool (*finite)(const double *x, size_t stride);
    double (*step)(double *restrict weight, double *restrict y_new, const dop853 *self,
                   const double *restrict y, double h);
    double (*stretch)(const dop853 *self, const double *restrict y_new, double h);
    void (*polynomial)(const dop853 *self, const double *restrict y_old, const double *restrict y, double h);
    void (*point)(double *restrict y, const dop853 *self, const double *restrict y_old, double x);
};

#define NAME(x) x##_plain
#define TARGET
#define WIDTH 4
#include "integrate/dop853_width.h"
#ifdef __x86_64__
#define NAME(x) x##_wide
#define TARGET  __attribute__((target("avx2")))
#define WIDTH   4
#include "integrate/dop853_width.h"
#define NAME(x) x##_whole
#define TARGET  __attribute__((target("avx512f")))
#define WIDTH   8
#include "integrate/dop853_width.h"
#endif

static const struct sums *sums_here(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512vbmi2")) // the first ones with vectors of eight run slower with them
        return &sums_whole;
    if (__builtin_cpu_supports("avx2"))
        return &sums_wide;
#endif
    return &sums_plain;
}

/* y' at (t, y) into ydot. */
static int evaluate(double *ydot, dop853 *self, double t, const double *y) {
    self->base.counts.evaluations++;
    self->base.landed = false;
    return self->f(ydot, self->context, t, y);
}

/* Stages first … last from y at t, by f. What that returns. */
static int evaluate_by(lashi_rhs f, dop853 *self, size_t first, size_t last, double t, const double *y,
                       double h) {
    const size_t stride = self->stride;
    double *out = stage(self, first);
    int flag = 0;
    size_t s = first;
    for (; s <= last && !flag; s++, out += stride) {
        self->sums->argument[s](self->argument, y, self->k, stride, self->reads, h);
        flag = f(out, self->context, t + lashi_dop853_c[s] * h, self->argument);
    }
    self->base.counts.evaluations += s - first;
    self->base.landed = false;
    return flag;
}

/* Stages of a step. */
static int evaluate_stages(dop853 *self, double t, const double *y, double h) {
    self->base.landed = false;
    if (self->base.stages && !self->base.stages(self->k, self->argument, self->context, t, y, h)) {
        self->base.counts.evaluations += LAST - 1;
        return 0;
    }
    const int flag = evaluate_by(self->early, self, 1, EARLY, t, y, h);
    return flag ? flag : evaluate_by(self->stage, self, EARLY + 1, LAST - 1, t, y, h);
}

/* Weighted norm of a - b (b may be NULL) with the scales of y, for the first step. */
static double start_norm(const dop853 *self, const double *a, const double *b, const double *y) {
    double sum = 0;
    for (size_t i = 0; i < self->n; i++) {
        double scale = self->atol[i] + self->rtol[i] * fabs(y[i]);
        double e = self->mask[i] * (a[i] - (b ? b[i] : 0)) / (scale + TINY);
        sum += e * e;
    }
    return sqrt(sum);
}

/* First step (section II.4): an Euler step over 1 % of the time scale |y|/|y'| gives the second derivative;
 * h is then such that h^8 max(|y'|, |y''|) is 1 % of the tolerance. */
static lash_status first_step(double *h_first, dop853 *self) {
    static const double NEGLIGIBLE = 1e-5, DEFAULT = 1e-6, FLAT = 1e-15;
    const double *y = self->base.y, *ydot = stage(self, LAST);
    double size_y = start_norm(self, y, NULL, y), size_f = start_norm(self, ydot, NULL, y);
    double h = size_f <= NEGLIGIBLE || size_y <= NEGLIGIBLE ? DEFAULT : 0.01 * size_y / size_f;
    h = fmin(isfinite(h) ? h : DEFAULT, self->max_step); // |y| or |y'| may be beyond all numbers
    // A trial point out of range only shortens the trial.
    double second = NAN;
    while (h > MIN_STEP) {
        for (size_t i = 0; i < self->n; i++)
            self->argument[i] = y[i] + h * ydot[i];
        int flag = evaluate(stage(self, 1), self, self->base.t + h, self->argument);
        if (flag < 0)
            return (lash_status)flag;
        second = flag ? NAN : start_norm(self, stage(self, 1), ydot, y) / h;
        if (isfinite(second))
            break;
        h *= FAILED;
    }
    double largest = fmax(second, size_f);
    double h_order = !(largest > FLAT) ? fmax(DEFAULT, 1e-3 * h) : pow(0.01 / largest, 1.0 / 8.0);
    *h_first = fmin(fmin(100 * h, h_order), self->max_step);
    return LASH_OK;
}

static lash_status step_too_small(const dop853 *self, double h, trouble cause, lash_error *error) {
    double t = self->base.t;
    switch (cause) {
    case NOT_FINITE:
        return lashi_fail_at(
            error, LASH_ERROR_NOT_FINITE, t, "",
            "step size too small (%.3g s) at t = %.17g s: the accelerations are not finite numbers "
            "however short the step; look for a force that divides by zero or overflows",
            h, t);
    case REFUSED:
        return lashi_fail_at(
            error, LASH_ERROR_STEP, t, "",
            "step size too small (%.3g s) at t = %.17g s: the motion cannot be evaluated beyond this "
            "state; look for a mechanism at a dead point or a law out of its range",
            h, t);
    default:
        return lashi_fail_at(
            error, LASH_ERROR_STEP, t, "",
            "step size too small (%.3g s) at t = %.17g s: the error test keeps failing; the motion "
            "is probably discontinuous here (a jump in a force or a drive) or the tolerances are "
            "tighter than rounding allows",
            h, t);
    }
}

/* ---- The table of functions ---- */

static void dop853_destroy(lashi_integrator *base) {
    free(base);
}

static lash_status dop853_create(lashi_integrator **out, const lashi_problem *problem, lash_error *error);

/* Makes (t, y) with ydot in k_12 the current point, without a step behind it. */
static void set_point(dop853 *self, double t) {
    self->base.t_old = self->base.t = t;
    self->base.y_old = self->base.y;
    self->base.ydot_old = stage(self, LAST);
    self->has_step = self->stages = self->extra_stages = self->polynomial_ready = false;
}

/* f at the current y into k_12. */
static lash_status evaluate_point(dop853 *self, lash_error *error) {
    double t = self->base.t;
    int flag = evaluate(stage(self, LAST), self, t, self->base.y);
    if (flag < 0)
        return (lash_status)flag;
    if (flag > 0)
        return lashi_fail_at(error, LASH_ERROR_STEP, t, "",
                             "the motion cannot be evaluated at the state it starts from at t = %.17g s", t);
    if (!self->sums->finite(stage(self, LAST), self->stride) ||
        !self->sums->finite(self->base.y, self->stride))
        return lashi_fail_at(error, LASH_ERROR_NOT_FINITE, t, "",
                             "the state or its rate is not finite at t = %.17g s", t);
    self->base.landed = true;
    return LASH_OK;
}

static lash_status dop853_restart(lashi_integrator *base, double t, const double *y, double h,
                                  lash_error *error) {
    dop853 *self = (dop853 *)base;
    memmove(self->state[0], y, self->n * sizeof *y);
    base->y = self->state[0];
    set_point(self, t);
    self->h = self->fastest = 0;
    lash_status status = evaluate_point(self, error);
    if (status)
        return status;
    if (h > 0)
        base->h_next = fmin(h, self->max_step);
    else
        status = first_step(&base->h_next, self);
    return status;
}

/* The interpolant of the last step ends at the corrected y from now on, with its slope there. */
static lash_status dop853_correct(lashi_integrator *base, const double *y, lash_error *error) {
    dop853 *self = (dop853 *)base;
    double *current = base->y == self->state[0] ? self->state[0] : self->state[1];
    memmove(current, y, self->n * sizeof *y);
    self->polynomial_ready = false;
    return evaluate_point(self, error);
}

static double eighth_root(double x) {
    return sqrt(sqrt(sqrt(x)));
}

/* One attempt of size h from y into y_new; NO_TROUBLE: *err is finite and may be judged. */
static int attempt(trouble *cause, double *err, dop853 *self, double *y_new, double h, double leniency) {
    const double *y = self->base.y;
    double t = self->base.t;
    int flag = evaluate_stages(self, t, y, h);
    *cause = flag ? REFUSED : NO_TROUBLE;
    if (flag)
        return flag;
    *err = self->sums->step(self->weight, y_new, self, y, h) / (leniency * self->base.leniency);
    if (!(*err <= 1))
        *cause = isfinite(*err) ? ERROR_TOO_LARGE : NOT_FINITE;
    return 0;
}

/* Longest step up to h that keeps clear of a point at this distance: it steps past it, or ends where another
 * step of h would. */
static double clear_of(double distance, double h) {
    if (!(distance > 0) || (1 + PAST) * h < distance)
        return h;
    if (distance > PAST_LAST * h)
        return distance - PAST * h;
    return distance < PAST_FIRST * h ? distance / PAST : h;
}

static lash_status dop853_step_past(lashi_integrator *base, double t_past, double leniency, double t_limit,
                                    lash_error *error) {
    dop853 *self = (dop853 *)base;
    double t = base->t, remaining = t_limit - t;
    if (!(remaining > 0))
        return lashi_fail_at(error, LASH_ERROR_INTERNAL, t, "", "a step from t = %.17g s to %.17g s", t,
                             t_limit);
    // The old point goes; its buffer takes the new y. y is k_0's point from here on.
    double *y_new = base->y == self->state[0] ? self->state[1] : self->state[0];
    memcpy(stage(self, 0), stage(self, LAST), self->stride * sizeof(double));
    set_point(self, t);
    const double min_step = lashi_larger(MIN_STEP, MIN_STEP_ULP * DBL_EPSILON * fabs(t));
    const double natural = lashi_smaller(base->h_next, self->max_step); // what the controller asked for
    double h = natural;
    trouble cause = ERROR_TOO_LARGE;
    lash_status status = LASH_OK;
    bool rejected = false;
    for (;;) {
        h = clear_of(t_past - t, h);
        bool landing = STRETCH * h >= remaining;
        if (landing)
            h = remaining;
        else if (!(h > min_step)) {
            status = step_too_small(self, h, cause, error);
            break;
        }
        double err = NAN, stretched = NAN;
        double t_new = landing ? t_limit : t + h;
        int flag = attempt(&cause, &err, self, y_new, h, leniency);
        if (flag >= 0 && cause == NO_TROUBLE) {
            flag = evaluate(stage(self, LAST), self, t_new, y_new);
            if (!flag)
                stretched = self->sums->stretch(self, y_new, h);
            cause = flag ? REFUSED : isnan(stretched) ? NOT_FINITE : NO_TROUBLE;
        }
        if (flag < 0) {
            status = (lash_status)flag;
            break;
        }
        if (cause == NO_TROUBLE) {
            self->worst = lashi_larger(err, base->recall * (rejected ? 1 : self->worst));
            double h_new = h * lashi_smaller(GROW, lashi_larger(SHRINK, SAFETY / eighth_root(self->worst)));
            if (rejected)
                h_new = lashi_smaller(h_new, h);
            else if (leniency > 1)
                h_new = natural; // a mild test says nothing about longer steps
            else if (h < natural)
                h_new = lashi_larger(h_new, natural); // shortened by t_limit or t_past alone
            if (base->stable && h_new * stretched > STABLE * STABILITY * h)
                h_new = STABLE * STABILITY / stretched * h;
            self->h = h;
            self->fastest = lashi_larger(stretched / h, REMEMBERED * self->fastest);
            base->h_next = lashi_smaller(h_new, self->max_step);
            // Where the test is mild that is the caller's choice.
            const bool asked = base->stable && !(base->leniency > 1);
            base->counts.stiff += stretched > (asked ? LIMITED : 1) * STABILITY;
            base->counts.steps++;
            base->t = t_new;
            base->y = y_new;
            base->ydot_old = stage(self, 0);
            self->has_step = self->stages = base->landed = true;
            return LASH_OK;
        }
        base->counts.rejected++;
        rejected = true;
        h *= cause == ERROR_TOO_LARGE ? lashi_larger(SHRINK, SAFETY / eighth_root(err)) : FAILED;
    }
    // Failed for good: the last accepted point stays current and whole.
    memcpy(stage(self, LAST), stage(self, 0), self->stride * sizeof(double));
    return status;
}

static void dop853_rescale(lashi_integrator *base, const double *atol) {
    dop853 *self = (dop853 *)base;
    memcpy(self->atol, atol, self->n * sizeof *atol);
}

static lash_status dop853_step(lashi_integrator *base, double t_limit, lash_error *error) {
    return dop853_step_past(base, -INFINITY, 1, t_limit, error);
}

/* What evaluations for the interpolant return, as a status. */
static lash_status looked(int flag, double t, lash_error *error) {
    if (flag > 0)
        return lashi_fail_at(error, LASH_ERROR_STEP, t, "",
                             "the motion cannot be evaluated inside the step from t = %.17g s", t);
    return (lash_status)flag;
}

/* Slope of component i over x, at x of the step. */
static double slope_at(const dop853 *self, double x, size_t i) {
    const double *p = self->polynomial + i;
    double y = 0, slope = 0;
    for (size_t c = POLYNOMIAL; c-- > 0;) {
        const double by = c % 2 ? 1 - x : x, sign = c % 2 ? -1 : 1;
        y += p[c * self->stride];
        slope = sign * y + by * slope;
        y *= by;
    }
    return slope;
}

/* Whether the interpolant of a step with this |h lambda| leaves the motion: an error e of y gives its slope one of
 * |h lambda| e. */
static bool leaves(dop853 *self, double stretched) {
    const double h = self->h;
    double *y = self->argument, *f = self->part_slope;
    self->base.landed = false;
    for (size_t look = 0; look < LOOKS; look++) {
        const double x = looks[look];
        double worst = 0;
        self->sums->point(y, self, self->base.y_old, x);
        if (self->stage(f, self->context, self->base.t_old + x * h, y))
            return true;
        for (size_t i = 0; i < self->tested; i++)
            worst = fmax(worst, self->weight[i] * fabs(h * f[i] - slope_at(self, x, i)));
        if (!(worst <= LEAVES * lashi_smaller(stretched, STABILITY) * self->base.leniency))
            return true;
    }
    return false;
}

/* The interpolant of the step; evaluates the stages it needs. */
static lash_status prepare_polynomial(dop853 *self, lash_error *error) {
    const double h = self->h, t_old = self->base.t_old;
    const double *y_old = self->base.y_old;
    if (!self->extra_stages) {
        int flag = self->stages ? 0 : evaluate_stages(self, t_old, y_old, h);
        if (!flag)
            flag = evaluate_by(self->stage, self, LAST + 1, STAGES - 1, t_old, y_old, h);
        if (flag)
            return looked(flag, t_old, error);
        self->stages = self->extra_stages = true;
    }
    self->sums->polynomial(self, y_old, self->base.y, h);
    self->parts = 1;
    const double stretched = h * self->fastest;
    if (stretched > DOUBTFUL * STABILITY && leaves(self, stretched)) {
        self->parts = (size_t)lashi_smaller(ceil(stretched / CALM), MOST_PARTS);
        self->part = self->parts;
    }
    self->polynomial_ready = true;
    return LASH_OK;
}

/* One part of the step is computed, from k_0 and where it begins to k_12 and where it ends. */
static int compute_part(dop853 *self, size_t part) {
    const double h = self->h / (double)self->parts, t = self->base.t_old + (double)part * h;
    int flag = evaluate_stages(self, t, self->part_ends[0], h);
    if (flag)
        return flag;
    if (part + 1 == self->parts) { // the step's own end
        memcpy(self->part_ends[1], self->base.y, self->stride * sizeof(double));
        memcpy(stage(self, LAST), self->slopes[1], self->stride * sizeof(double));
        return 0;
    }
    double *unused = stage(self, LAST + 1); // `weight` stays that of the step
    self->sums->step(unused, self->part_ends[1], self, self->part_ends[0], h);
    return evaluate(stage(self, LAST), self, t + h, self->part_ends[1]);
}

/* Makes `polynomial` that of a part of the step. */
static lash_status go_to_part(dop853 *self, size_t part, lash_error *error) {
    if (part == self->part)
        return LASH_OK;
    const size_t bytes = self->stride * sizeof(double);
    size_t next = self->part + 1;
    memcpy(self->slopes[0], self->base.ydot_old, bytes);
    memcpy(self->slopes[1], stage(self, LAST), bytes);
    if (part < self->part) { // from the beginning
        next = 0;
        memcpy(self->part_ends[1], self->base.y_old, bytes);
        memcpy(self->part_slope, self->slopes[0], bytes);
    }
    self->stages = self->extra_stages = false;
    int flag = 0;
    for (; next <= part && !flag; next++) {
        double *begin = self->part_ends[1];
        self->part_ends[1] = self->part_ends[0];
        self->part_ends[0] = begin;
        memcpy(stage(self, 0), self->part_slope, bytes);
        flag = compute_part(self, next);
        memcpy(self->part_slope, stage(self, LAST), bytes);
    }
    const double h = self->h / (double)self->parts, t = self->base.t_old + (double)part * h;
    if (!flag)
        flag = evaluate_by(self->stage, self, LAST + 1, STAGES - 1, t, self->part_ends[0], h);
    if (!flag)
        self->sums->polynomial(self, self->part_ends[0], self->part_ends[1], h);
    self->part = flag ? self->parts : part;
    memcpy(stage(self, 0), self->slopes[0], bytes);
    memcpy(stage(self, LAST), self->slopes[1], bytes);
    return looked(flag, t, error);
}

static lash_status dop853_interpolate(double *restrict y, lashi_integrator *base, double t,
                                      lash_error *error) {
    dop853 *self = (dop853 *)base;
    // Both ends are exact.
    if (t == base->t || t == base->t_old) {
        memcpy(y, t == base->t ? base->y : base->y_old, self->n * sizeof *y);
        return LASH_OK;
    }
    if (!self->has_step || !(t > base->t_old && t < base->t))
        return lashi_fail_at(error, LASH_ERROR_INTERNAL, t, "", "t = %.17g s is outside the last step", t);
    const size_t before = base->counts.evaluations; // no step needs what is evaluated here
    lash_status status = self->polynomial_ready ? LASH_OK : prepare_polynomial(self, error);
    double x = (t - base->t_old) / self->h;
    const double *from = base->y_old;
    if (!status && self->parts > 1) {
        const size_t part = (size_t)lashi_smaller(x * (double)self->parts, (double)self->parts - 1);
        status = go_to_part(self, part, error);
        x = x * (double)self->parts - (double)part;
        from = self->part_ends[0];
    }
    base->counts.evaluations = before;
    if (!status)
        self->sums->point(y, self, from, x);
    return status;
}

static size_t dop853_history_size(const lashi_problem *problem) {
    return sizeof(history) + 2 * problem->n * sizeof(double);
}

static void dop853_save(void *block, const lashi_integrator *base) {
    const dop853 *self = (const dop853 *)base;
    size_t bytes = self->n * sizeof(double);
    history head = {base->t, self->h, base->h_next, self->worst, self->fastest, base->counts};
    memcpy(block, &head, sizeof head);
    memcpy((char *)block + sizeof head, base->y, bytes);
    memcpy((char *)block + sizeof head + bytes, stage(self, LAST), bytes);
}

/* The point is that of save(); the step before it cannot be interpolated any more. */
static lash_status dop853_load(lashi_integrator *base, const void *block, lash_error *error) {
    (void)error;
    dop853 *self = (dop853 *)base;
    size_t bytes = self->n * sizeof(double);
    history head;
    memcpy(&head, block, sizeof head);
    memcpy(self->state[0], (const char *)block + sizeof head, bytes);
    memcpy(stage(self, LAST), (const char *)block + sizeof head + bytes, bytes);
    base->y = self->state[0];
    set_point(self, head.t);
    base->landed = false;
    self->h = head.h;
    self->worst = head.worst;
    self->fastest = head.fastest;
    base->h_next = head.h_next;
    base->counts = head.counts;
    return LASH_OK;
}

const lashi_integrator_kind lashi_dop853 = {
    .name = "dop853",
    .doc = "explicit Runge-Kutta of order 8(5,3) of Dormand and Prince: smooth motion, tight tolerances",
    .create = dop853_create,
    .destroy = dop853_destroy,
    .restart = dop853_restart,
    .correct = dop853_correct,
    .rescale = dop853_rescale,
    .step = dop853_step,
    .step_past = dop853_step_past,
    .interpolate = dop853_interpolate,
    .history_size = dop853_history_size,
    .save = dop853_save,
    .load = dop853_load,
};

static lash_status dop853_create(lashi_integrator **out, const lashi_problem *problem, lash_error *error) {
    *out = NULL;
    const size_t n = problem->n, stride = lashi_dop853_stride(n);
    const size_t arrays = 4 + 2 + 2 + 5 + STAGES + POLYNOMIAL;
    const size_t head = (sizeof(dop853) + LINE * sizeof(double) - 1) / (LINE * sizeof(double)) * LINE;
    if (n > SIZE_MAX / (2 * arrays * sizeof(double)))
        return lashi_fail_memory(error);
    double *block = aligned_alloc(LINE * sizeof(double), (head + arrays * stride) * sizeof(double));
    if (!block)
        return lashi_fail_memory(error);
    memset(block, 0, (head + arrays * stride) * sizeof(double));
    dop853 *self = (dop853 *)(void *)block;
    double **const pointers[] = {
        &self->rtol,       &self->atol,      &self->mask,     &self->shake,        &self->state[0],
        &self->state[1],   &self->argument,  &self->weight,   &self->part_ends[0], &self->part_ends[1],
        &self->part_slope, &self->slopes[0], &self->slopes[1]};
    double *next = block + head;
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++, next += stride)
        *pointers[i] = next;
    self->k = next;
    self->polynomial = next + STAGES * stride;
    self->base.kind = &lashi_dop853;
    self->base.y = self->base.y_old = self->state[0];
    self->n = n;
    self->stride = stride;
    self->reads = problem->reads > 0 ? lashi_dop853_lines(problem->reads) : stride;
    self->base.ydot_old = self->base.ydot = stage(self, LAST);
    self->base.leniency = 1;
    self->sums = sums_here();
    self->f = problem->f;
    self->stage = problem->stage ? problem->stage : problem->f;
    self->early = problem->early ? problem->early : self->stage;
    self->context = problem->context;
    self->max_step = problem->max_step;
    for (size_t i = 0; i < n; i++) {
        self->rtol[i] = problem->rtol[i];
        self->atol[i] = problem->atol[i];
        self->shake[i] = problem->shake ? problem->shake[i] : 0;
        self->mask[i] = problem->rtol[i] > 0 || problem->atol[i] > 0 ? 1.0 : 0.0;
        self->controlled += self->mask[i] > 0;
        if (self->mask[i] > 0)
            self->tested = lashi_dop853_lines(i + 1);
    }
    *out = &self->base;
    return LASH_OK;
}
