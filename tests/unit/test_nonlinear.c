/* SPDX-License-Identifier: MIT
 *
 * Exponents, periods, the 0-1 test and verdicts on maps and equations whose behaviour is known.
 *
 * Exponents known exactly: logistic map at r = 4, ln 2; a damped oscillator, minus its slower rate; a
 * periodic impact oscillator with a complex pair of multipliers, ln(e)/T − ζ (its map over one period T of
 * the load contracts areas by e² exp(−2ζT), e the restitution: one impact per period). From the literature:
 * Hénon map 0.41922, driven pendulum 0.1400, Ueda's oscillator 0.1034 (J. C. Sprott, Chaos and Time-Series
 * Analysis, Oxford 2003, appendix A), golden-mean rotation 0.
 */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "study/nonlinear.h"

#define PI 3.14159265358979323846

/* ---- systems ---- */

static lash_status logistic(void *user, double *y, double t, double interval, lash_error *error) {
    (void)t;
    (void)error;
    for (double k = 0; k < interval; k++)
        y[0] = *(const double *)user * y[0] * (1 - y[0]);
    return LASH_OK;
}

static lash_status henon(void *user, double *y, double t, double interval, lash_error *error) {
    (void)user;
    (void)t;
    (void)error;
    for (double k = 0; k < interval; k++) {
        const double x = y[0];
        y[0] = 1 - 1.4 * x * x + y[1];
        y[1] = 0.3 * x;
    }
    return LASH_OK;
}

/* Circle map, angle in turns and not wrapped: user = {Ω, K}. */
static lash_status circle(void *user, double *y, double t, double interval, lash_error *error) {
    const double *a = user;
    (void)t;
    (void)error;
    for (double k = 0; k < interval; k++)
        y[0] += a[0] + a[1] / (2 * PI) * sin(2 * PI * y[0]);
    return LASH_OK;
}

/* x'' = f(t, x, x'), classical Runge-Kutta. */
typedef struct oscillator {
    double (*f)(const struct oscillator *o, double t, double x, double v);
    double a[3];
    double steps; /* per interval */
} oscillator;

static lash_status oscillate(void *user, double *y, double t, double interval, lash_error *error) {
    const oscillator *o = user;
    const double h = interval / o->steps;
    (void)error;
    for (double k = 0; k < o->steps; k++) {
        const double s = t + k * h, x = y[0], v = y[1];
        const double a1 = o->f(o, s, x, v), v2 = v + h / 2 * a1;
        const double a2 = o->f(o, s + h / 2, x + h / 2 * v, v2), v3 = v + h / 2 * a2;
        const double a3 = o->f(o, s + h / 2, x + h / 2 * v2, v3), v4 = v + h * a3;
        const double a4 = o->f(o, s + h, x + h * v3, v4);
        y[0] = x + h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        y[1] = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return LASH_OK;
}

static double pendulum(const oscillator *o, double t, double x, double v) { // b, A, Ω
    return -sin(x) - o->a[0] * v + o->a[1] * sin(o->a[2] * t);
}

static double ueda(const oscillator *o, double t, double x, double v) {
    return -x * x * x - o->a[0] * v + o->a[1] * sin(t);
}

static double damped(const oscillator *o, double t, double x, double v) { // ζ
    (void)t;
    return -x - 2 * o->a[0] * v;
}

/* x'' + 2ζx' + x = cos ωt for x < gap, x' → −e x' at the gap. Flight in closed form, impacts by bisection. */
typedef struct stop {
    double zeta, omega, gap, e;
} stop;

static void fly(double *y, const stop *s, double t0, double t) {
    const double w = s->omega, z = s->zeta, wd = sqrt(1 - z * z);
    const double D = (1 - w * w) * (1 - w * w) + 4 * z * z * w * w;
    const double P = (1 - w * w) / D, Q = 2 * z * w / D;
    const double a = y[0] - P * cos(w * t0) - Q * sin(w * t0);
    const double b = (y[1] + w * (P * sin(w * t0) - Q * cos(w * t0)) + z * a) / wd;
    const double d = t - t0, E = exp(-z * d), c = cos(wd * d), n = sin(wd * d);
    y[0] = E * (a * c + b * n) + P * cos(w * t) + Q * sin(w * t);
    y[1] = E * ((wd * b - z * a) * c - (wd * a + z * b) * n) - w * (P * sin(w * t) - Q * cos(w * t));
}

static lash_status bounce(void *user, double *y, double t, double interval, lash_error *error) {
    const stop *s = user;
    const double end = t + interval, look = 2 * PI / s->omega / 64;
    (void)error;
    while (t < end) {
        const double next = fmin(end, t + look);
        double to[2] = {y[0], y[1]};
        fly(to, s, t, next);
        if (to[0] < s->gap) {
            memcpy(y, to, sizeof to);
            t = next;
            continue;
        }
        double a = t, b = next;
        for (int k = 0; k < 60; k++) {
            const double m = (a + b) / 2;
            double at[2] = {y[0], y[1]};
            fly(at, s, t, m);
            *(at[0] < s->gap ? &a : &b) = m;
        }
        // A whisker past the impact, so that the next flight begins below the gap.
        const double y0[2] = {y[0], y[1]};
        memcpy(to, y0, sizeof to);
        fly(to, s, t, a);
        to[1] *= to[1] > 0 ? -s->e : 1;
        memcpy(y, to, sizeof to);
        t = a;
    }
    return LASH_OK;
}

static lashi_lyapunov exponent_of(lashi_flow flow, void *user, double *y, size_t n,
                                  const lashi_lyapunov_options *options) {
    lashi_lyapunov l;
    lash_error error = {0};
    if (lashi_lyapunov_flow(&l, flow, user, y, n, NULL, options, &error))
        fail_msg("%s", error.message);
    return l;
}

/* Exponent against a known one: within `sigmas` standard errors, and those errors small. */
static void assert_exponent(const lashi_lyapunov *l, double known, double error) {
    print_message("exponent %.6f ± %.6f, known %.6f\n", l->exponent, l->error, known);
    assert_true(l->error <= error);
    assert_true(fabs(l->exponent - known) <= 4 * l->error + 1e-4 * fabs(known));
    assert_int_equal(l->floored, 0);
    assert_int_equal(l->saturated, 0);
}

/* ---- exponents ---- */

static void test_maps(void **state) {
    (void)state;
    double r = 4, x = 0.3, y[2] = {0.1, 0.1};
    const lashi_lyapunov_options options = {.interval = 1, .count = 20000, .align = 100};
    lashi_lyapunov l = exponent_of(logistic, &r, &x, 1, &options);
    assert_exponent(&l, log(2), 1e-3);
    lashi_lyapunov_clear(&l);
    l = exponent_of(henon, NULL, y, 2, &options);
    assert_exponent(&l, 0.41922, 3e-3);
    lashi_lyapunov_clear(&l);
    // Superstable to stable: period 2 at r has the multiplier 4 + 2r − r², seen once in two steps.
    r = 3.2;
    x = 0.3;
    l = exponent_of(logistic, &r, &x, 1,
                    &(lashi_lyapunov_options){.interval = 2, .count = 200, .align = 100});
    assert_exponent(&l, log(fabs(4 + 2 * r - r * r)) / 2, 1e-5);
    lashi_lyapunov_clear(&l);
}

static void test_driven_oscillators(void **state) {
    (void)state;
    double y[2] = {0.1, 0};
    oscillator o = {pendulum, {0.05, 0.6, 0.7}, 200};
    lashi_lyapunov_options options = {.interval = 2 * PI / 0.7, .count = 4000, .align = 100};
    lashi_lyapunov l = exponent_of(oscillate, &o, y, 2, &options);
    assert_exponent(&l, 0.1400, 3e-3);
    lashi_lyapunov_clear(&l);
    o = (oscillator){ueda, {0.05, 7.5, 0}, 200};
    y[0] = 2.5;
    y[1] = 0;
    options.interval = 2 * PI;
    l = exponent_of(oscillate, &o, y, 2, &options);
    assert_exponent(&l, 0.1034, 3e-3);
    lashi_lyapunov_clear(&l);
}

/* Below critical damping both rates are ζ; above it the slower one wins. */
static void test_damped_oscillator(void **state) {
    (void)state;
    static const double zetas[] = {0.05, 0.4, 1.5};
    for (size_t k = 0; k < 3; k++) {
        const double zeta = zetas[k];
        const double rate = zeta < 1 ? zeta : zeta - sqrt(zeta * zeta - 1);
        // Whole turns of w (w alternates its sign every half turn): the direction is then the same each time.
        const double interval = zeta < 1 ? PI / sqrt(1 - zeta * zeta) : 1;
        oscillator o = {damped, {zeta, 0, 0}, 400};
        double y[2] = {1, 0};
        const lashi_lyapunov_options options = {.interval = interval, .count = 50, .align = 20};
        lashi_lyapunov l = exponent_of(oscillate, &o, y, 2, &options);
        print_message("zeta %g: %.9f, known %.9f\n", zeta, l.exponent, -rate);
        assert_true(fabs(l.exponent + rate) <= 1e-6 * rate);
        assert_int_equal(l.floored, 0);
        lashi_lyapunov_clear(&l);
    }
}

static void test_periodic_impacts(void **state) {
    (void)state;
    static const double omegas[] = {1.3, 1.4, 1.5};
    for (size_t k = 0; k < 3; k++) {
        stop s = {.zeta = 0.05, .omega = omegas[k], .gap = 0.2, .e = 0.8};
        const double T = 2 * PI / s.omega, known = log(s.e) / T - s.zeta;
        double y[2] = {-0.3, 0};
        const lashi_lyapunov_options options = {.interval = T, .count = 2000, .align = 300};
        lashi_lyapunov l = exponent_of(bounce, &s, y, 2, &options);
        assert_exponent(&l, known, 5e-3 * fabs(known));
        lashi_lyapunov_clear(&l);
    }
}

static void test_counts_and_curve(void **state) {
    (void)state;
    // Contraction by e^-40 in an interval is below rounding; growth by e^20 leaves the linear range.
    oscillator o = {damped, {0.5, 0, 0}, 4000};
    double y[2] = {0, 0}, x = 0.3, r = 4;
    lashi_lyapunov l =
        exponent_of(oscillate, &o, y, 2, &(lashi_lyapunov_options){.interval = 80, .count = 5});
    assert_int_equal(l.floored, 5);
    assert_true(l.exponent > -0.5);
    lashi_lyapunov_clear(&l);
    l = exponent_of(logistic, &r, &x, 1, &(lashi_lyapunov_options){.interval = 30, .count = 50});
    assert_true(l.saturated > 25);
    assert_true(l.exponent < 0.9 * log(2));
    double curve[50], sum = 0;
    lashi_lyapunov_curve(curve, &l);
    for (size_t k = 0; k < l.count; k++) {
        sum += l.growth[k];
        assert_true(fabs(curve[k] - sum / (30 * (double)(k + 1))) < 1e-12);
    }
    assert_true(fabs(curve[49] - l.exponent) < 1e-12);
    lashi_lyapunov_clear(&l);
}

/* Independent growth of known spread: the standard error is the textbook's, whatever the blocks. The map x →
 * 2^±a x with a fair hash for the sign grows by ± a ln 2. */
static lash_status coin(void *user, double *y, double t, double interval, lash_error *error) {
    (void)user;
    (void)interval;
    (void)error;
    uint64_t z = (uint64_t)t * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    y[0] *= (z ^ (z >> 31)) & 1 ? 2 : 0.5;
    return LASH_OK;
}

static void test_standard_error(void **state) {
    (void)state;
    static const size_t blocks[] = {0, 64, 256};
    for (size_t k = 0; k < 3; k++) {
        double y = 0;
        const lashi_lyapunov_options options = {.interval = 1, .count = 8192, .blocks = blocks[k]};
        lashi_lyapunov l = exponent_of(coin, NULL, &y, 1, &options);
        const double known = log(2) / sqrt(8192.0), n = (double)(blocks[k] ? blocks[k] : 16);
        print_message("standard error %.5f, known %.5f\n", l.error, known);
        // The error of a standard deviation from n blocks is 1/sqrt(2(n−1)) of it: three of those.
        assert_true(fabs(l.error / known - 1) <= 3 / sqrt(2 * (n - 1)));
        assert_true(fabs(l.exponent) <= 3 * known);
        lashi_lyapunov_clear(&l);
    }
}

static void test_bad_options(void **state) {
    (void)state;
    static const lashi_lyapunov_options bad[] = {{.interval = 0, .count = 10},
                                                 {.interval = (double)NAN, .count = 10},
                                                 {.interval = 1, .count = 1},
                                                 {.interval = 1, .count = 10, .distance = -1}};
    double r = 4, x = 0.3;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        lash_error error = {0};
        lashi_lyapunov l;
        assert_int_equal(lashi_lyapunov_flow(&l, logistic, &r, &x, 1, NULL, &bad[k], &error),
                         LASH_ERROR_USAGE);
        assert_null(l.growth);
        assert_true(error.message[0] != 0);
    }
    // A trajectory that runs away is an error, not a result.
    lash_error error = {0};
    lashi_lyapunov l;
    r = 5;
    const lashi_lyapunov_options options = {.interval = 1, .count = 100};
    assert_int_equal(lashi_lyapunov_flow(&l, logistic, &r, &x, 1, NULL, &options, &error),
                     LASH_ERROR_NOT_FINITE);
}

typedef struct stopping {
    atomic_bool stop;
    size_t calls;
} stopping;

/* A map that doubles, and asks to stop in its sixth call: both trajectories have then made three steps. */
static lash_status doubling_until_stopped(void *user, double *y, double t, double interval,
                                          lash_error *error) {
    (void)t, (void)interval, (void)error;
    stopping *s = user;
    *y *= 2;
    if (++s->calls == 6)
        atomic_store(&s->stop, true);
    return LASH_OK;
}

static void test_stopped(void **state) {
    (void)state;
    stopping s = {.calls = 0};
    atomic_init(&s.stop, false);
    double y = 1e-3;
    lash_error error = {0};
    lashi_lyapunov l;
    const lashi_lyapunov_options options = {.interval = 1, .count = 100, .stop = &s.stop};
    assert_int_equal(lashi_lyapunov_flow(&l, doubling_until_stopped, &s, &y, 1, NULL, &options, &error),
                     LASH_STOP_INTERRUPTED);
    assert_int_equal(s.calls, 6);
    assert_null(l.growth);
}

/* ---- sequences ---- */

static void test_period(void **state) {
    (void)state;
    double x[300], residue;
    for (size_t n = 1; n <= 12; n++) {
        for (size_t i = 0; i < 300; i++)
            x[i] = (double)(i % n) / (double)n + 1e-6 * sin((double)i);
        assert_int_equal(lashi_period(&residue, x, 300, 1, NULL, 1e-5, 64), n);
        assert_true(residue > 0 && residue <= 2e-6);
        assert_int_equal(lashi_period(&residue, x, 300, 1, NULL, 1e-8, 64), 0);
        // Two channels: the period is the least common multiple.
        double two[300];
        for (size_t i = 0; i < 150; i++) {
            two[2 * i] = (double)(i % n);
            two[2 * i + 1] = (double)(i % 3);
        }
        const size_t lcm = n % 3 ? 3 * n : n;
        assert_int_equal(lashi_period(NULL, two, 150, 2, NULL, 1e-9, 64), lcm);
        // Scales: a difference of 1 in a channel of scale 1e4 is none.
        assert_int_equal(lashi_period(NULL, two, 150, 2, (double[]){1, 1e4}, 1e-3, 64), n);
        // A period that is not seen three times over is not believed.
        assert_int_equal(lashi_period(NULL, two, 3 * lcm - 1, 2, NULL, 1e-9, 64), 0);
    }
    // One odd point, or none that is a number: no period.
    for (size_t i = 0; i < 300; i++)
        x[i] = 1;
    assert_int_equal(lashi_period(NULL, x, 300, 1, NULL, 1e-3, 64), 1);
    x[170] = 1.01;
    assert_int_equal(lashi_period(&residue, x, 300, 1, NULL, 1e-3, 64), 0);
    assert_true(fabs(residue - 0.01) < 1e-12);
    x[170] = (double)NAN;
    assert_int_equal(lashi_period(&residue, x, 300, 1, NULL, 1e-3, 64), 0);
    assert_int_equal(lashi_period(NULL, x, 2, 1, NULL, 1e-3, 64), 0);
}

static double K_of(const double *x, size_t count) {
    double K;
    assert_int_equal(lashi_zero_one(&K, x, count, 1, NULL), LASH_OK);
    return K;
}

/* Of many values the last 4000 count, of each row its first: a regular motion behind a wild one. */
static void test_zero_one_of_many(void **state) {
    (void)state;
    enum { WILD = 3000, REGULAR = 4000, WIDTH = 3 };
    double *x = calloc((WILD + REGULAR) * WIDTH, sizeof *x), r = 4, y = 0.3, K[2];
    assert_non_null(x);
    for (size_t i = 0; i < WILD + REGULAR; i++) {
        logistic(&r, &y, 0, 1, NULL);
        x[WIDTH * i] = i < WILD ? y : cos(2 * PI * 0.6180339887498949 * (double)i);
        x[WIDTH * i + 1] = x[WIDTH * i + 2] = y;
    }
    assert_int_equal(lashi_zero_one(&K[0], x, WILD + REGULAR, WIDTH, NULL), LASH_OK);
    assert_int_equal(lashi_zero_one(&K[1], x + WIDTH * WILD, REGULAR, WIDTH, NULL), LASH_OK);
    assert_true(fabs(K[1]) < 0.1 && K[0] == K[1]);
    free(x);
}

static void test_zero_one(void **state) {
    (void)state;
    static double x[1000];
    static const struct {
        double r, low, high;
    } cases[] = {{3.2, -0.1, 0.1}, {3.5, -0.1, 0.1}, {3.83, -0.1, 0.1}, {3.9, 0.9, 1.01}, {4, 0.9, 1.01}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double r = cases[k].r, y = 0.3;
        logistic(&r, &y, 0, 2000, NULL);
        for (size_t i = 0; i < 1000; i++) {
            logistic(&r, &y, 0, 1, NULL);
            x[i] = y;
        }
        const double K = K_of(x, 1000);
        print_message("logistic map r = %g: K = %.4f\n", r, K);
        assert_true(K > cases[k].low && K < cases[k].high);
        // A large mean and another unit change nothing.
        for (size_t i = 0; i < 1000; i++)
            x[i] = 1e6 + 1e-3 * x[i];
        assert_true(fabs(K_of(x, 1000) - K) < 1e-3);
    }
    for (size_t i = 0; i < 1000; i++)
        x[i] = cos(2 * PI * 0.6180339887498949 * (double)i);
    assert_true(fabs(K_of(x, 1000)) < 0.1);
    for (int sign = -1; sign <= 1; sign++) { // equal values, whichever
        for (size_t i = 0; i < 1000; i++)
            x[i] = 3 * sign;
        assert_true(isnan(K_of(x, 1000)));
    }
    assert_true(isnan(K_of(x, LASHI_ZERO_ONE_LEAST - 1)));
}

/* The definition again, with a walk of complex numbers from each start: the middle of a hundred correlations. */
static void test_zero_one_by_definition(void **state) {
    (void)state;
    enum { N = 230, CUT = N / 10, ANGLES = 100 };
    double x[N], K[ANGLES], r = 3.7, y = 0.2, mean = 0;
    for (size_t i = 0; i < N; i++) {
        logistic(&r, &y, 0, 1, NULL);
        x[i] = y + 0.2 * sin((double)i);
        mean += x[i] / N;
    }
    for (int a = 0; a < ANGLES; a++) {
        const double c = PI * (0.2 + 0.6 * (a + 0.5) / ANGLES);
        double M[CUT + 1] = {0}, sums[5] = {0}; // of n, M, n², M², nM
        for (int j = 1; j <= N - CUT; j++) {
            double complex z = 0;
            for (int n = 1; n <= CUT; n++) {
                z += (x[j + n - 1] - mean) * cexp(I * c * (j + n));
                M[n] += (creal(z) * creal(z) + cimag(z) * cimag(z)) / (N - CUT);
            }
        }
        for (int n = 1; n <= CUT; n++) {
            const double terms[5] = {n, M[n], (double)n * n, M[n] * M[n], n * M[n]};
            for (int k = 0; k < 5; k++)
                sums[k] += terms[k] / CUT;
        }
        K[a] = (sums[4] - sums[0] * sums[1]) /
               sqrt((sums[2] - sums[0] * sums[0]) * (sums[3] - sums[1] * sums[1]));
    }
    double below = -INFINITY, above = INFINITY; // the 50th and the 51st
    for (int a = 0; a < ANGLES; a++) {
        int smaller = 0;
        for (int b = 0; b < ANGLES; b++)
            smaller += K[b] < K[a];
        below = smaller == ANGLES / 2 - 1 ? K[a] : below;
        above = smaller == ANGLES / 2 ? K[a] : above;
    }
    assert_true(above - below > 1e-6);
    assert_true(fabs(K_of(x, N) - (below + above) / 2) < 1e-9);
}

static void test_recurrence(void **state) {
    (void)state;
    // Two points by turns: half of all pairs recur, all in runs. Pairs at even lags: of N points with N even,
    // N(N−2)/4 of N(N−1)/2.
    double x[200];
    for (size_t i = 0; i < 200; i++)
        x[i] = (double)(i % 2);
    lashi_recurrence r = lashi_recurrence_measure(x, 200, 1, NULL, 0.1);
    assert_true(fabs(r.rate - 198.0 / (2 * 199)) < 1e-12);
    // The three diagonals shorter than a run at the far corner are not in runs: lag 198 has two pairs.
    assert_true(fabs(r.determinism - (1 - 2 / (200 * 198 / 4.0))) < 1e-12);
    assert_true(r.nearest == 0);
    // A ladder: nothing recurs, the nearest is one rung away.
    for (size_t i = 0; i < 200; i++)
        x[i] = (double)i;
    r = lashi_recurrence_measure(x, 200, 1, (double[]){2}, 0.1);
    assert_true(r.rate == 0 && isnan(r.determinism) && r.nearest == 0.5);
    // Chaos breaks up runs that a rotation keeps.
    double chaos = 4, y = 0.3, turn[400], wild[200];
    for (size_t i = 0; i < 200; i++) {
        logistic(&chaos, &y, 0, 1, NULL);
        wild[i] = y;
        turn[2 * i] = cos(2 * PI * 0.6180339887498949 * (double)i);
        turn[2 * i + 1] = sin(2 * PI * 0.6180339887498949 * (double)i);
    }
    const double det_wild = lashi_recurrence_measure(wild, 200, 1, NULL, 0.05).determinism;
    const double det_turn = lashi_recurrence_measure(turn, 200, 2, NULL, 0.05).determinism;
    print_message("determinism: logistic map %.3f, rotation %.3f\n", det_wild, det_turn);
    assert_true(det_wild < 0.5 && det_turn > 0.8);
}

/* ---- verdicts ---- */

/* 300 points of a flow after a transient, and the exponent over 500 intervals; a first coordinate that goes
 * `around` (> 0) is shown as a point of the circle. */
static lashi_verdict judge(lashi_flow flow, void *user, double *y, size_t n, double turn, double around,
                           bool with_exponent) {
    enum { POINTS = 300 };
    static double points[2 * POINTS];
    lash_error error = {0};
    for (int k = 0; k < 1000; k++)
        assert_int_equal(flow(user, y, 0, turn, &error), LASH_OK);
    const lashi_lyapunov_options options = {.interval = turn, .count = 500, .align = 100};
    lashi_lyapunov l = exponent_of(flow, user, y, n, &options);
    for (size_t i = 0; i < POINTS; i++) {
        assert_int_equal(flow(user, y, 0, turn, &error), LASH_OK);
        points[2 * i] = around > 0 ? cos(2 * PI * y[0] / around) : y[0];
        points[2 * i + 1] = around > 0 ? sin(2 * PI * y[0] / around) : n > 1 ? y[1] : 0;
    }
    lashi_verdict v;
    assert_int_equal(
        lashi_verdict_of(&v, points, POINTS, 2, NULL, turn, with_exponent ? &l : NULL, NULL, &error),
        LASH_OK);
    lashi_lyapunov_clear(&l);
    print_message(
        "%s-%zu: residue %.2g, exponent %.4f ± %.4f per section, K %.3f, recurrence %.3f %.3f %.2g; %s\n",
        lashi_motion_name(v.motion), v.period, v.residue, v.per_turn, v.per_turn_error, v.K,
        v.recurrence.rate, v.recurrence.determinism, v.recurrence.nearest, v.reason);
    return v;
}

static void assert_verdict(lashi_verdict v, lashi_motion motion, size_t period) {
    assert_string_equal(lashi_motion_name(v.motion), lashi_motion_name(motion));
    assert_int_equal(v.period, period);
    assert_true(v.reason && v.reason[0]);
}

static void test_verdicts_of_maps(void **state) {
    (void)state;
    static const struct {
        double r;
        lashi_motion motion;
        size_t period;
    } cases[] = {{2.8, LASHI_PERIODIC, 1},  {3.2, LASHI_PERIODIC, 2},  {3.5, LASHI_PERIODIC, 4},
                 {3.55, LASHI_PERIODIC, 8}, {3.83, LASHI_PERIODIC, 3}, {3.9, LASHI_CHAOTIC, 0},
                 {4, LASHI_CHAOTIC, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int with = 0; with < 2; with++) {
            double r = cases[k].r, y = 0.3;
            assert_verdict(judge(logistic, &r, &y, 1, 1, 0, with), cases[k].motion, cases[k].period);
        }
    double y[2] = {0.1, 0.1};
    assert_verdict(judge(henon, NULL, y, 2, 1, 0, true), LASHI_CHAOTIC, 0);
    // Rotations by the golden mean, even and uneven; and one locked to 1/2, the
    // multiplier of its two steps being 1 − K².
    for (int with = 0; with < 2; with++) {
        double golden[2] = {0.6180339887498949, 0}, x = 0.1;
        assert_verdict(judge(circle, golden, &x, 1, 1, 1, with), LASHI_QUASI_PERIODIC, 0);
        golden[1] = 0.3;
        assert_verdict(judge(circle, golden, &x, 1, 1, 1, with), LASHI_QUASI_PERIODIC, 0);
        double locked[2] = {0.5, 0.9};
        const lashi_verdict v = judge(circle, locked, &x, 1, 1, 1, with);
        assert_verdict(v, LASHI_PERIODIC, 2);
        assert_true(!with || fabs(v.per_turn - log(1 - 0.81) / 2) < 1e-4);
    }
}

static void test_verdicts_of_oscillators(void **state) {
    (void)state;
    // One impact per period; chaos; and a stop out of reach, without damping: a rotation by 2π/ω.
    stop s = {.zeta = 0.05, .omega = 1.3, .gap = 0.2, .e = 0.8};
    double y[2] = {-0.3, 0};
    assert_verdict(judge(bounce, &s, y, 2, 2 * PI / s.omega, 0, true), LASHI_PERIODIC, 1);
    s = (stop){.zeta = 0.05, .omega = 1.1, .gap = 0, .e = 0.8};
    y[0] = -0.3;
    y[1] = 0;
    assert_verdict(judge(bounce, &s, y, 2, 2 * PI / s.omega, 0, true), LASHI_CHAOTIC, 0);
    s = (stop){.zeta = 0, .omega = sqrt(2), .gap = 1e9, .e = 0.8};
    y[0] = 1;
    y[1] = 0;
    assert_verdict(judge(bounce, &s, y, 2, 2 * PI / s.omega, 0, true), LASHI_QUASI_PERIODIC, 0);
    // The driven pendulum, weakly and strongly.
    oscillator o = {pendulum, {0.05, 0.1, 0.7}, 200};
    y[0] = 0.1;
    y[1] = 0;
    assert_verdict(judge(oscillate, &o, y, 2, 2 * PI / 0.7, 2 * PI, true), LASHI_PERIODIC, 1);
    o.a[1] = 0.6;
    assert_verdict(judge(oscillate, &o, y, 2, 2 * PI / 0.7, 2 * PI, true), LASHI_CHAOTIC, 0);
}

/* The measures do not outvote each other. */
static void test_disagreement(void **state) {
    (void)state;
    static double x[300];
    lash_error error = {0};
    lashi_verdict v;
    double r = 4, y = 0.3;
    for (size_t i = 0; i < 300; i++) {
        logistic(&r, &y, 0, 1, NULL);
        x[i] = y;
    }
    lashi_lyapunov l = {.exponent = -0.3, .error = 0.01};
    assert_int_equal(lashi_verdict_of(&v, x, 300, 1, NULL, (double)NAN, &l, NULL, &error), LASH_OK);
    assert_verdict(v, LASHI_UNDECIDED, 0);
    assert_non_null(strstr(v.reason, "negative"));
    l.exponent = 0.3;
    l.error = 0.2; // not clear of zero
    assert_int_equal(lashi_verdict_of(&v, x, 300, 1, NULL, (double)NAN, &l, NULL, &error), LASH_OK);
    assert_verdict(v, LASHI_UNDECIDED, 0);
    assert_non_null(strstr(v.reason, "not clear of zero"));
    l.error = 0.01;
    assert_int_equal(lashi_verdict_of(&v, x, 300, 1, NULL, (double)NAN, &l, NULL, &error), LASH_OK);
    assert_verdict(v, LASHI_CHAOTIC, 0);
    // The same exponent in 1/s with a hundredth of a second per section is nothing.
    assert_int_equal(lashi_verdict_of(&v, x, 300, 1, NULL, 0.01, &l, NULL, &error), LASH_OK);
    assert_verdict(v, LASHI_UNDECIDED, 0);
    assert_true(fabs(v.per_turn - 0.003) < 1e-12 && v.exponent == 0.3);
    assert_true(fabs(v.per_turn_error - 1e-4) < 1e-15 && v.error == 0.01);
    assert_int_equal(lashi_verdict_of(&v, x, 50, 1, NULL, (double)NAN, &l, NULL, &error), LASH_OK);
    assert_verdict(v, LASHI_UNDECIDED, 0);
    assert_non_null(strstr(v.reason, "too few points"));
    assert_true(isnan(v.K));
    for (size_t i = 0; i < 300; i++)
        x[i] = cos(2 * PI * 0.6180339887498949 * (double)i);
    assert_int_equal(lashi_verdict_of(&v, x, 300, 1, NULL, (double)NAN, &l, NULL, &error), LASH_OK);
    assert_verdict(v, LASHI_UNDECIDED, 0);
    assert_non_null(strstr(v.reason, "positive, but the 0-1 test does not say chaos"));
    // A return to rest that a hundred points do not see the end of, its exponent inside of the neutral band.
    for (size_t i = 0; i < 100; i++)
        x[i] = exp(-0.019 * (double)i);
    const lashi_lyapunov slow = {.exponent = -0.019, .error = 1e-4};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(lashi_verdict_of(&v, x, 100, 1, NULL, (double)NAN, k ? &slow : NULL, NULL, &error),
                         LASH_OK);
        assert_verdict(v, LASHI_UNDECIDED, 0);
        assert_non_null(strstr(v.reason, "a transient is left"));
    }
    for (size_t i = 0; i < 300; i++)
        x[i] = 2;
    assert_int_equal(lashi_verdict_of(&v, x, 300, 1, NULL, (double)NAN, &l, NULL, &error), LASH_OK);
    assert_int_equal(v.motion, LASHI_UNDECIDED);
    assert_int_equal(v.period, 1);
}

/* A channel that hardly varies, against its scale, has no say: chaos of a thousandth beside a rotation. */
static void test_channels_that_vary(void **state) {
    (void)state;
    enum { N = 400 };
    static double x[N][2];
    double r = 4, y = 0.3;
    for (size_t i = 0; i < N; i++) {
        logistic(&r, &y, 0, 1, NULL);
        x[i][0] = cos(2 * PI * 0.6180339887498949 * (double)i) - 7;
        x[i][1] = 50 + (i == N - 1 ? 0.9e-3 : 0.6e-3 * y); // the last is the largest
    }
    for (int k = 0; k < 2; k++) {
        const double scales[2] = {1, k ? 0.8 : 1};
        lashi_verdict v;
        lash_error error = {0};
        assert_int_equal(lashi_verdict_of(&v, &x[0][0], N, 2, scales, (double)NAN, NULL, NULL, &error),
                         LASH_OK);
        assert_verdict(v, k ? LASHI_CHAOTIC : LASHI_QUASI_PERIODIC, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_channels_that_vary),
        cmocka_unit_test(test_zero_one_by_definition),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_driven_oscillators),
        cmocka_unit_test(test_damped_oscillator),
        cmocka_unit_test(test_periodic_impacts),
        cmocka_unit_test(test_counts_and_curve),
        cmocka_unit_test(test_standard_error),
        cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_period),
        cmocka_unit_test(test_zero_one),
        cmocka_unit_test(test_zero_one_of_many),
        cmocka_unit_test(test_recurrence),
        cmocka_unit_test(test_verdicts_of_maps),
        cmocka_unit_test(test_verdicts_of_oscillators),
        cmocka_unit_test(test_disagreement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
