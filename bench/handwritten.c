// SPDX-License-Identifier: MIT
// The comparator to beat: one slider-crank with play, written by hand in two coordinates.
//
// Problem (flores-2010, play at rod-slider): the crank of length r turns at constant speed w from angle 0,
// the rod of length L hangs on its pin B at the angle th, the slider moves along X at x. The rod's end
// carries the journal (radius Rj), the slider the bearing (Ri); c = Ri - Rj. State y = (th, x, th', x').
//     e = B + L u(th) - (x, 0),  n = e/|e|,  t = n turned +90 deg,  delta = |e| - c,  delta' = e'.n
//     v_T = e'.t + Rj th'                              (material points; the slider does not rotate)
//     F_N = K delta^1.5 (1 + h delta'/delta'-) >= 0,   h = 3(1 - cr^2)/4          (Lankarani-Nikravesh)
//     F   = -F_N (n + s t) on the journal,  s = cf cd(|v_T|) sign(v_T)                       (Ambrosio)
// About B:   (J + m L^2/4) th'' = (L u + Rj n) x F + (m L/2) u x (g - B''),   ms x'' = -F_X
// Torque on the crank about the origin:  B x (m (G'' - g) - F) + mc g (r/2) cos(w t).
//
// Method: Dormand & Prince, J. Comput. Appl. Math. 6 (1980) 19, order 5(4), first-same-as-last, with the
// fourth-order continuous extension of Hairer, Norsett & Wanner, Solving ODEs I, II.6. delta = 0 is located
// on that extension, the state is taken from it and the mode changes there. delta'- is the approach speed at
// that instant. Within a step the mode is fixed, so that the right-hand side has no jump inside the step.
// Errors are measured in the units of the gap: rtol c for lengths, rtol times c x contact frequency for
// speeds.
#include "comparators.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// The mechanism (SI units).
#define PI              3.14159265358979323846
#define SPEED           (5000.0 * 2.0 * PI / 60.0)
#define GRAVITY         9.81
#define CRANK           0.05
#define CRANK_MASS      0.30
#define ROD             0.12
#define ROD_MASS        0.21
#define ROD_INERTIA     2.5e-4
#define SLIDER_MASS     0.14
#define BEARING_RADIUS  0.010
#define CLEARANCE       (0.5 * 0.05e-3)
#define JOURNAL_RADIUS  (BEARING_RADIUS - CLEARANCE)
#define YOUNG           207e9
#define POISSON         0.3
#define RESTITUTION     0.9
#define FRICTION        0.01
#define FRICTION_V0     1e-4
#define FRICTION_V1     1e-3
#define APPROACH_FLOOR  1e-6 // m/s, least delta'-
#define DAMPING         (0.75 * (1.0 - RESTITUTION * RESTITUTION))
#define ROD_INERTIA_PIN (ROD_INERTIA + 0.25 * ROD_MASS * ROD * ROD)

// Step control and event location.
#define SPEED_SCALE 1.7   // m/s: clearance times the contact's angular frequency, 127 cycles per turn
#define SAFETY      0.9   // on the step proposed by the error estimate
#define GROWTH_MAX  5.0   // of the step, per step
#define SHRINK_MIN  0.2   // of the step, per rejection
#define ERROR_TINY  1e-30 // keeps the proposal finite in exact steps
#define FIRST_STEP  1e-7  // s
#define ONSET_STEP                                                                                           \
    1e-6 // s, largest first step of a contact: a fraction of the Hertz contact time, about 3e-5 s
#define STEP_MIN       1e-16 // s, the run fails below
#define GAP_TOLERANCE  1e-15 // m, |delta| at a located event; 1e-12 would bound the accuracy reached at 3e-9
#define RATE_TOLERANCE 1e-6  // m/s, |delta'| at a located turning point
#define WIDTH_MIN      1e-15 // fraction of a step, least bracket of a root

enum { TH, X, DTH, DX, N };

typedef struct {
    double stiffness;     // K, N/m^1.5
    double damping_ratio; // h/delta'-, s/m
    bool contact;
    double t;
    double y[N];
    double gap;                      // delta, at (t, y)
    double gap_rate;                 // delta'
    double force_x, force_y, normal; // on the journal, of the last evaluation
    long evaluations;
} handwritten;

typedef struct {
    double t, h;
    double r[5][N];
} interpolant;

// Gap and its rate at (t, y), without forces.
static void gap_at(double *gap, double *rate, double t, const double y[N]) {
    double sp, cp, st, ct;
    sincos(SPEED * t, &sp, &cp);
    sincos(y[TH], &st, &ct);
    double ex = CRANK * cp + ROD * ct - y[X];
    double ey = CRANK * sp + ROD * st;
    double e = sqrt(ex * ex + ey * ey);
    double dex = -CRANK * SPEED * sp - ROD * st * y[DTH] - y[DX];
    double dey = CRANK * SPEED * cp + ROD * ct * y[DTH];
    *gap = e - CLEARANCE;
    *rate = e > 0.0 ? (ex * dex + ey * dey) / e : 0.0;
}

// dy = f(t, y) in the present mode, sp and cp the sine and cosine of the crank angle at t; leaves gap, rate
// and force for the caller.
static inline void evaluate(double dy[N], handwritten *w, double sp, double cp, const double y[N]) {
    double st, ct;
    sincos(y[TH], &st, &ct);
    double ex = CRANK * cp + ROD * ct - y[X];
    double ey = CRANK * sp + ROD * st;
    double dex = -CRANK * SPEED * sp - ROD * st * y[DTH] - y[DX];
    double dey = CRANK * SPEED * cp + ROD * ct * y[DTH];
    double e = sqrt(ex * ex + ey * ey);
    double per_e = e > 0.0 ? 1.0 / e : 0.0;
    double nx = ex * per_e;
    double ny = ey * per_e;
    double gap = e - CLEARANCE;
    double rate = dex * nx + dey * ny;
    double moment = 0.5 * ROD_MASS * ROD * (SPEED * SPEED * CRANK * (ct * sp - st * cp) - GRAVITY * ct);
    double fx = 0.0, fy = 0.0, normal = 0.0;
    if (w->contact && gap > 0.0) {
        normal = w->stiffness * gap * sqrt(gap) * fmax(1.0 + w->damping_ratio * rate, 0.0);
        double slide = nx * dey - ny * dex + JOURNAL_RADIUS * y[DTH];
        double ramp = (fabs(slide) - FRICTION_V0) * (1.0 / (FRICTION_V1 - FRICTION_V0));
        ramp = ramp < 0.0 ? 0.0 : ramp > 1.0 ? 1.0 : ramp;
        double s = copysign(FRICTION * ramp, slide);
        fx = normal * (s * ny - nx);
        fy = -normal * (ny + s * nx);
        moment += ROD * (ct * fy - st * fx) - JOURNAL_RADIUS * normal * s;
    }
    dy[TH] = y[DTH];
    dy[X] = y[DX];
    dy[DTH] = moment * (1.0 / ROD_INERTIA_PIN);
    dy[DX] = fx * (-1.0 / SLIDER_MASS);
    w->gap = gap;
    w->gap_rate = rate;
    w->force_x = fx;
    w->force_y = fy;
    w->normal = normal;
    w->evaluations++;
}

// One step of size h from (t, y) with k[0] known: y1, k[6] = f(t + h, y1); returns the scaled error norm.
static inline double step(double y1[N], double k[7][N], handwritten *w, double h) {
    const double *y = w->y;
    double t = w->t;
    double s[N], sp, cp;
    for (int i = 0; i < N; i++)
        s[i] = y[i] + h * (1.0 / 5.0 * k[0][i]);
    sincos(SPEED * (t + 1.0 / 5.0 * h), &sp, &cp);
    evaluate(k[1], w, sp, cp, s);
    for (int i = 0; i < N; i++)
        s[i] = y[i] + h * (3.0 / 40.0 * k[0][i] + 9.0 / 40.0 * k[1][i]);
    sincos(SPEED * (t + 3.0 / 10.0 * h), &sp, &cp);
    evaluate(k[2], w, sp, cp, s);
    for (int i = 0; i < N; i++)
        s[i] = y[i] + h * (44.0 / 45.0 * k[0][i] - 56.0 / 15.0 * k[1][i] + 32.0 / 9.0 * k[2][i]);
    sincos(SPEED * (t + 4.0 / 5.0 * h), &sp, &cp);
    evaluate(k[3], w, sp, cp, s);
    for (int i = 0; i < N; i++)
        s[i] = y[i] + h * (19372.0 / 6561.0 * k[0][i] - 25360.0 / 2187.0 * k[1][i] +
                           64448.0 / 6561.0 * k[2][i] - 212.0 / 729.0 * k[3][i]);
    sincos(SPEED * (t + 8.0 / 9.0 * h), &sp, &cp);
    evaluate(k[4], w, sp, cp, s);
    for (int i = 0; i < N; i++)
        s[i] = y[i] + h * (9017.0 / 3168.0 * k[0][i] - 355.0 / 33.0 * k[1][i] + 46732.0 / 5247.0 * k[2][i] +
                           49.0 / 176.0 * k[3][i] - 5103.0 / 18656.0 * k[4][i]);
    sincos(SPEED * (t + h), &sp, &cp);
    evaluate(k[5], w, sp, cp, s);
    for (int i = 0; i < N; i++)
        y1[i] = y[i] + h * (35.0 / 384.0 * k[0][i] + 500.0 / 1113.0 * k[2][i] + 125.0 / 192.0 * k[3][i] -
                            2187.0 / 6784.0 * k[4][i] + 11.0 / 84.0 * k[5][i]);
    evaluate(k[6], w, sp, cp, y1);
    static const double per_scale[N] = {ROD / CLEARANCE, 1.0 / CLEARANCE, ROD / SPEED_SCALE,
                                        1.0 / SPEED_SCALE};
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        double error = h * per_scale[i] *
                       (71.0 / 57600.0 * k[0][i] - 71.0 / 16695.0 * k[2][i] + 71.0 / 1920.0 * k[3][i] -
                        17253.0 / 339200.0 * k[4][i] + 22.0 / 525.0 * k[5][i] - 1.0 / 40.0 * k[6][i]);
        sum += error * error;
    }
    return sqrt(0.25 * sum);
}

static void interpolant_make(interpolant *p, double t, double h, const double y[N], const double y1[N],
                             double k[7][N]) {
    p->t = t;
    p->h = h;
    for (int i = 0; i < N; i++) {
        double difference = y1[i] - y[i];
        double bend = h * k[0][i] - difference;
        p->r[0][i] = y[i];
        p->r[1][i] = difference;
        p->r[2][i] = bend;
        p->r[3][i] = difference - h * k[6][i] - bend;
        p->r[4][i] = h * (-12715105075.0 / 11282082432.0 * k[0][i] + 87487479700.0 / 32700410799.0 * k[2][i] -
                          10690763975.0 / 1880347072.0 * k[3][i] + 701980252875.0 / 199316789632.0 * k[4][i] -
                          1453857185.0 / 822651844.0 * k[5][i] + 69997945.0 / 29380423.0 * k[6][i]);
    }
}

static void interpolate(double y[N], const interpolant *p, double s) {
    double o = 1.0 - s;
    for (int i = 0; i < N; i++)
        y[i] = p->r[0][i] + s * (p->r[1][i] + o * (p->r[2][i] + s * (p->r[3][i] + o * p->r[4][i])));
}

// Root of delta (want_rate false) or delta' (true) in 0..s1 of the step, by the Illinois method; f0 and f1
// have opposite signs. Only the sign of f0 is trusted: right after an event delta(0) is rounding error.
static double locate(const interpolant *p, bool want_rate, double f0, double s1, double f1) {
    enum { ITERATIONS = 60 };
    const double tolerance = want_rate ? RATE_TOLERANCE : GAP_TOLERANCE;
    double a = 0.0, b = s1, s = s1;
    int kept = 0; // +1: a stayed last time, -1: b stayed
    for (int i = 0; i < ITERATIONS && b - a > WIDTH_MIN; i++) {
        s = (a * f1 - b * f0) / (f1 - f0);
        if (!(s > a && s < b))
            s = 0.5 * (a + b);
        double y[N], gap, rate;
        interpolate(y, p, s);
        gap_at(&gap, &rate, p->t + s * p->h, y);
        double f = want_rate ? rate : gap;
        if (fabs(f) <= tolerance)
            break;
        if ((f > 0.0) == (f1 > 0.0)) {
            b = s;
            f1 = f;
            if (kept > 0)
                f0 *= 0.5;
            kept = 1;
        } else {
            a = s;
            f0 = f;
            if (kept < 0)
                f1 *= 0.5;
            kept = -1;
        }
    }
    return s;
}

// Whether the mode must change within the step just made; *s is where, as a fraction of the step.
static bool event_in_step(double *s, const handwritten *w, const interpolant *p, double gap0, double rate0) {
    double side = w->contact ? -1.0 : 1.0; // the gap's sign beyond the boundary
    double g1 = side * w->gap;
    double f0 = -side * fmax(fabs(gap0), GAP_TOLERANCE);
    if (g1 > 0.0) {
        *s = locate(p, false, f0, 1.0, w->gap);
        return true;
    }
    // Out and back within one step: the turning point may lie beyond the boundary.
    double v0 = side * rate0, v1 = side * w->gap_rate;
    if (v0 > 0.0 && v1 < 0.0 && g1 + fmax(v0, -v1) * p->h > 0.0) {
        double turn = locate(p, true, rate0, 1.0, w->gap_rate);
        double y[N], gap, rate;
        interpolate(y, p, turn);
        gap_at(&gap, &rate, p->t + turn * p->h, y);
        if (side * gap > GAP_TOLERANCE) {
            *s = locate(p, false, f0, turn, gap);
            return true;
        }
    }
    return false;
}

static void sample_at(bench_sample *sample, handwritten *w, double t, const double y[N]) {
    double dy[N], sp, cp;
    sincos(SPEED * t, &sp, &cp);
    evaluate(dy, w, sp, cp, y);
    double bx = CRANK * cp, by = CRANK * sp;
    double ct = cos(y[TH]), st = sin(y[TH]);
    double ax = -SPEED * SPEED * bx - 0.5 * ROD * (st * dy[DTH] + ct * y[DTH] * y[DTH]);
    double ay = -SPEED * SPEED * by + 0.5 * ROD * (ct * dy[DTH] - st * y[DTH] * y[DTH]);
    double px = ROD_MASS * ax - w->force_x; // pin force on the rod
    double py = ROD_MASS * (ay + GRAVITY) - w->force_y;
    sample->value[BENCH_X] = y[X];
    sample->value[BENCH_V] = y[DX];
    sample->value[BENCH_A] = dy[DX];
    sample->value[BENCH_MOMENT] = bx * py - by * px + CRANK_MASS * GRAVITY * 0.5 * bx;
    sample->value[BENCH_NORMAL] = w->normal;
    sample->value[BENCH_ECCENTRICITY] = w->gap + CLEARANCE;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int bench_handwritten_run(bench_sample *samples, bench_cost *cost, const bench_request *request) {
    double start = now();
    *cost = (bench_cost){0};
    double flexibility = 2.0 * (1.0 - POISSON * POISSON) / YOUNG;
    handwritten w = {
        .stiffness = 4.0 / (3.0 * flexibility) * sqrt(BEARING_RADIUS * JOURNAL_RADIUS / CLEARANCE),
        .y = {0.0, CRANK + ROD, -CRANK * SPEED / ROD, 0.0},
    };
    double end = request->turns * 2.0 * PI / SPEED;
    double per_rtol = 1.0 / request->tolerance;
    double k[7][N], y1[N];
    double h = FIRST_STEP;
    double growth_max = GROWTH_MAX;
    int next = 0;
    interpolant p;
    evaluate(k[0], &w, 0.0, 1.0, w.y);
    double gap0 = w.gap, rate0 = w.gap_rate;

    while (w.t < end) {
        // 1. Try a step; again with a smaller one while the error is too large.
        if (w.t + h > end)
            h = end - w.t;
        double error = step(y1, k, &w, h) * per_rtol;
        double factor = SAFETY * pow(error + ERROR_TINY, -0.2);
        if (!(error <= 1.0)) {
            h *= fmax(SHRINK_MIN, factor);
            growth_max = 1.0;
            cost->rejected++;
            if (!(h > STEP_MIN)) {
                fprintf(stderr, "handwritten: step too small at t = %g s\n", w.t);
                return -1;
            }
            continue;
        }
        cost->steps++;
        double h_next = h * fmin(growth_max, factor);
        growth_max = GROWTH_MAX;

        // 2. Look for the end of the mode; cut the step there.
        double t1 = w.t + h;
        double gap1 = w.gap, rate1 = w.gap_rate;
        bool near = w.contact ? gap1 < 0.0 || (rate0 < 0.0 && rate1 > 0.0)
                              : gap1 > 0.0 || (rate0 > 0.0 && rate1 < 0.0);
        bool wanted = next < request->sample_count && (request->times[next] <= t1 || t1 >= end);
        bool event = false;
        if (near || wanted)
            interpolant_make(&p, w.t, h, w.y, y1, k);
        if (near) {
            double s;
            event = event_in_step(&s, &w, &p, gap0, rate0);
            if (event) {
                interpolate(y1, &p, s);
                t1 = w.t + s * h;
            }
        }

        // 3. Samples from the interpolant, before the mode changes.
        for (; next < request->sample_count && (request->times[next] <= t1 || t1 >= end); next++) {
            double y[N];
            interpolate(y, &p, (request->times[next] - w.t) / h);
            sample_at(&samples[next], &w, request->times[next], y);
        }

        // 4. Advance; at an event change the mode and evaluate anew.
        w.t = t1;
        memcpy(w.y, y1, sizeof w.y);
        if (event) {
            gap_at(&gap1, &rate1, w.t, w.y);
            w.contact = !w.contact;
            if (w.contact) {
                w.damping_ratio = DAMPING / fmax(rate1, APPROACH_FLOOR);
                cost->impacts++;
                h_next = fmin(h_next, ONSET_STEP);
            }
            double sp, cp;
            sincos(SPEED * w.t, &sp, &cp);
            evaluate(k[0], &w, sp, cp, w.y);
        } else {
            memcpy(k[0], k[6], sizeof k[0]);
        }
        gap0 = gap1;
        rate0 = rate1;
        h = h_next;
    }
    cost->evaluations = w.evaluations - request->sample_count;
    cost->seconds = now() - start;
    return 0;
}
