/* SPDX-License-Identifier: MIT
 *
 * The verdict: periodic-n, quasi-periodic, chaotic, or undecided, from three measures that err in different
 * ways.
 *
 *     measure                     periodic      quasi-periodic     chaotic
 *     period n <= most            found         none               none
 *     exponent λ per section      <= 0          0                  > 0
 *     K of the 0-1 test           0             0                  1
 *
 * Rules, in this order, with σ the exponent's standard error, λ0 the neutral band (`neutral`) and k = `sigmas`:
 * λ > max(λ0, kσ) is positive, λ < −max(λ0, kσ) negative, anything else neutral.
 *     1  a period is found               periodic, unless λ is positive (then undecided: one of the two is wrong)
 *     2  λ positive, K >= K_chaotic      chaotic
 *     3  λ neutral, K <= K_regular       quasi-periodic, unless the second half of the points lies elsewhere than
 *                                        the first, as where something decays
 *     4  anything else                   undecided, and the reason says what disagrees
 * Without an exponent K alone decides rules 2 and 3. The measures never outvote each other: where they disagree
 * the run was too short, a transient is left, or the motion is at a bifurcation, and no verdict is right then.
 *
 * Thresholds. tolerance 1e-3 of the motion's range: far above integration error, far below what a figure
 * shows. K: Gottwald and Melbourne's values for a few hundred points lie below 0.2 and above 0.8 on their
 * examples. Neutral band 0.02 per section: the bias ln(N)/N of neutral growth after 200 intervals. The tests
 * calibrate them on maps and machines of known behaviour.
 *
 * A channel that varies by less than the tolerance takes no part in the 0-1 test: what is left of it is
 * rounding.
 */
#include "study/nonlinear.h"

#include "study/fail.h"

lashi_verdict_options lashi_verdict_default(void) {
    return (lashi_verdict_options){.period_tolerance = 1e-3,
                                   .period_most = 64,
                                   .recurrence_radius = 0.05,
                                   .K_regular = 0.2,
                                   .K_chaotic = 0.8,
                                   .sigmas = 3,
                                   .neutral = 0.02};
}

const char *lashi_motion_name(lashi_motion motion) {
    static const char *const names[] = {"undecided", "periodic", "quasi-periodic", "chaotic"};
    return names[motion];
}

typedef struct range {
    double low, high;
} range;

static range range_of(const double *points, size_t from, size_t to, size_t width, size_t c) {
    range r = {INFINITY, -INFINITY};
    for (size_t i = from; i < to; i++) {
        r.low = fmin(r.low, points[i * width + c]);
        r.high = fmax(r.high, points[i * width + c]);
    }
    return r;
}

/* Whether channel c varies by more than the tolerance. */
static bool varies(const double *points, size_t count, size_t width, size_t c, double scale,
                   double tolerance) {
    const range r = range_of(points, 0, count, width, c);
    return r.high - r.low > tolerance * scale;
}

/* Whether the ranges of channel c in both halves differ by more than MOVED of its range. */
static bool moves_on(const double *points, size_t count, size_t width, size_t c) {
    static const double MOVED = 0.25;
    const range a = range_of(points, 0, count / 2, width, c),
                b = range_of(points, count / 2, count, width, c);
    const double all = fmax(a.high, b.high) - fmin(a.low, b.low);
    return fmax(fabs(a.low - b.low), fabs(a.high - b.high)) > MOVED * all;
}

static lashi_motion decide(const char **reason, const lashi_verdict *v,
                           const lashi_verdict_options *options) {
    const bool measured = !isnan(v->per_turn);
    const double band = fmax(options->neutral, options->sigmas * v->per_turn_error);
    const int sign = !measured ? 0 : v->per_turn > band ? 1 : v->per_turn < -band ? -1 : 0;
    if (v->period && sign > 0) {
        *reason = "the section repeats, but the exponent is positive";
        return LASHI_UNDECIDED;
    }
    if (v->period) {
        *reason = "the section repeats";
        return LASHI_PERIODIC;
    }
    if (isnan(v->K)) {
        *reason = "no period, and too few points for the 0-1 test";
        return LASHI_UNDECIDED;
    }
    if (v->K >= options->K_chaotic && (sign > 0 || !measured)) {
        *reason = measured ? "the exponent is positive and the 0-1 test says chaos"
                           : "the 0-1 test says chaos; the exponent was not measured";
        return LASHI_CHAOTIC;
    }
    if (v->K <= options->K_regular && sign == 0 && v->moves_on) {
        *reason = "no period, and the motion is not where it was: a transient is left, or it is slower than "
                  "the time kept";
        return LASHI_UNDECIDED;
    }
    if (v->K <= options->K_regular && sign == 0) {
        *reason = measured ? "no period, a neutral exponent, and the 0-1 test says regular"
                           : "no period, and the 0-1 test says regular; the exponent was not measured";
        return LASHI_QUASI_PERIODIC;
    }
    if (sign > 0)
        *reason = "the exponent is positive, but the 0-1 test does not say chaos";
    else if (sign < 0)
        *reason =
            "the exponent is negative, but no period was found: a transient is left, or the period is long";
    else if (v->K >= options->K_chaotic)
        *reason = "the 0-1 test says chaos, but the exponent is not clear of zero";
    else
        *reason = "no period, and the 0-1 test is between regular and chaos";
    return LASHI_UNDECIDED;
}

lash_status lashi_verdict_of(lashi_verdict *out, const double *points, size_t count, size_t width,
                             const double *scales, double turn, const lashi_lyapunov *exponent,
                             const lashi_verdict_options *options, lash_error *error) {
    const lashi_verdict_options usual = lashi_verdict_default();
    if (!options)
        options = &usual;
    const double none = (double)NAN, unit = isnan(turn) ? 1 : turn;
    lashi_verdict v = {.exponent = exponent ? exponent->exponent : none,
                       .error = exponent ? exponent->error : none};
    v.per_turn = v.exponent * unit;
    v.per_turn_error = v.error * unit;
    v.period = lashi_period(&v.residue, points, count, width, scales, options->period_tolerance,
                            options->period_most);
    v.recurrence = lashi_recurrence_measure(points, count, width, scales, options->recurrence_radius);
    v.K = count < LASHI_ZERO_ONE_LEAST ? none : 0;
    for (size_t c = 0; c < width && count >= LASHI_ZERO_ONE_LEAST; c++) {
        double K;
        if (!varies(points, count, width, c, scales ? scales[c] : 1, options->period_tolerance))
            continue;
        const lash_status status = lashi_zero_one(&K, points + c, count, width, error);
        if (status)
            return status;
        v.K = fmax(v.K, K);
        v.moves_on = v.moves_on || moves_on(points, count, width, c);
    }
    v.motion = decide(&v.reason, &v, options);
    *out = v;
    return LASH_OK;
}
