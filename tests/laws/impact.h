/* SPDX-License-Identifier: MIT
 *
 * A free two-body impact, integrated directly: m delta'' = -F from touch to release.
 *
 * Classical Runge-Kutta with fixed steps, split at deltadot = 0 and at delta = 0 by bisection on the length
 * of the last step, so that every law is smooth inside a step. Beside delta and its rate the state carries
 * the work of the force along the loop (the hysteresis area) and the damping loss.
 */
#ifndef LASH_TEST_IMPACT_H
#define LASH_TEST_IMPACT_H

#include <math.h>
#include <stdbool.h>

#include "contact/normal.h"

typedef struct impact_result {
    double rebound;     /* m/s, separation speed */
    double time;        /* s */
    double delta_max;   /* m */
    double area;        /* J, integral of F d delta round the loop */
    double lost;        /* J, integral of the damping power */
    double force_least; /* N, least force met */
    double power_least; /* W, least damping power met */
} impact_result;

typedef struct impact_run {
    const lashi_normal *law;
    double mass, approach;
    bool unloading;
    impact_result *result;
} impact_run;

enum { impact_size = 4 }; /* delta, deltadot, area, loss */

static void impact_rate(double *rate, const impact_run *run, const double *y) {
    const lashi_onset onset = {run->approach, 1 / run->mass, run->unloading};
    lashi_normal_result f = lashi_normal_force_phase(run->law, y[0], y[1], &onset);
    if (y[0] > 0) {
        run->result->force_least = fmin(run->result->force_least, f.force);
        run->result->power_least = fmin(run->result->power_least, f.damping_power);
    }
    rate[0] = y[1];
    rate[1] = -f.force / run->mass;
    rate[2] = f.force * y[1];
    rate[3] = f.damping_power;
}

static void impact_step(double *out, const impact_run *run, const double *y, double h) {
    double k[4][impact_size], stage[impact_size];
    const double node[4] = {0, 0.5, 0.5, 1};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < impact_size; i++)
            stage[i] = y[i] + (s ? h * node[s] * k[s - 1][i] : 0);
        impact_rate(k[s], run, stage);
    }
    for (int i = 0; i < impact_size; i++)
        out[i] = y[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* Steps until component `which` falls through zero and ends there. */
static void impact_until(double *y, double *t, const impact_run *run, double h, int which) {
    double next[impact_size];
    for (;;) {
        impact_step(next, run, y, h);
        if (next[which] <= 0)
            break;
        *t += h;
        for (int i = 0; i < impact_size; i++)
            y[i] = next[i];
    }
    double low = 0, high = h;
    for (int i = 0; i < 80; i++) {
        double middle = 0.5 * (low + high);
        impact_step(next, run, y, middle);
        *(next[which] > 0 ? &low : &high) = middle;
    }
    impact_step(next, run, y, low);
    *t += low;
    for (int i = 0; i < impact_size; i++)
        y[i] = next[i];
}

static impact_result impact_simulate(const lashi_normal *law, double mass, double speed, int steps) {
    impact_result result = {.force_least = INFINITY, .power_least = INFINITY};
    impact_run run = {law, mass, speed, false, &result};
    double h = lashi_normal_estimate(law, mass, speed).time / steps;
    double y[impact_size] = {0, speed, 0, 0};
    impact_until(y, &result.time, &run, h, 1);
    result.delta_max = y[0];
    y[1] = 0;
    run.unloading = true;
    impact_until(y, &result.time, &run, h, 0);
    result.rebound = -y[1];
    result.area = y[2];
    result.lost = y[3];
    return result;
}

#endif
