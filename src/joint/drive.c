/* SPDX-License-Identifier: MIT
 *
 * Drives: a joint coordinate or a body's angle follows a function of time, Φ = c(q) − f(t).
 *
 *   Φt = −ḟ,  γ = −bias + f̈.   −λ is the torque or force of the drive on the second body.
 * Profiles: constant speed f = start + ω t; smooth ramp of the speed from a to b over T, whose acceleration
 * is proportional to τ²(1−τ)², τ = t/T (f is three times differentiable everywhere):
 *   ḟ = a + (b − a) p(τ),  p = τ³(10 − 15τ + 6τ²),  ∫p dτ = τ⁴(5/2 − 3τ + τ²)
 */
#include "joint/joint.h"
#include "math/breaks.h"

#include <math.h>
#include <string.h>

static lashi_jet ramp(const lashi_profile *profile, double t, double inside) {
    const double rise = profile->to - profile->from, T = profile->over;
    const double tau = t / T;
    if (inside <= 0)
        return (lashi_jet){profile->start + profile->from * t, profile->from, 0};
    if (inside >= T) // ∫p over the whole ramp is 1/2
        return (lashi_jet){profile->start + profile->from * T + 0.5 * rise * T + profile->to * (t - T),
                           profile->to, 0};
    const double tau2 = tau * tau, tau3 = tau2 * tau;
    const double p = tau3 * (10 - 15 * tau + 6 * tau2), integral = tau2 * tau2 * (2.5 - 3 * tau + tau2);
    const double dp = 30 * tau2 * (1 - tau) * (1 - tau);
    return (lashi_jet){profile->start + profile->from * t + rise * T * integral, profile->from + rise * p,
                       rise * dp / T};
}

lashi_jet lashi_profile_jet_of_piece(const lashi_profile *profile, double t, double inside) {
    const double at = isnan(inside) ? t : inside;
    switch (profile->type) {
    case LASHI_PROFILE_SPEED: break;
    case LASHI_PROFILE_RAMP: return ramp(profile, t, at);
    case LASHI_PROFILE_EXPRESSION: return lashi_expression_jet_in(profile->expression, t, inside);
    case LASHI_PROFILE_TABLE: return lashi_table_jet_in(profile->table, t, at);
    }
    return (lashi_jet){0, 0, 0};
}

void lashi_drive_rows(const lashi_rows *out, const lashi_constraint *drive, const lashi_frame *frames,
                      double t) {
    const lashi_coordinate_state c = lashi_coordinate_evaluate(&drive->coordinate, frames);
    const lashi_jet f = lashi_profile_jet_in(&drive->profile, t, frames[0].inside);
    memcpy(out->J, c.J, sizeof c.J);
    out->Phi[0] = c.value - f.f;
    if (drive->geometry && drive->coordinate.type == LASHI_COORDINATE_ANGLE) // whole turns do not matter
        out->Phi[0] = remainder(out->Phi[0], LASHI_TWO_PI);
    out->Phi_dot[0] = c.rate - f.df;
    out->gamma[0] = f.ddf - c.bias;
}

#ifndef LASHI_KERNEL // a compiled model needs no more

lashi_jet lashi_profile_jet(const lashi_profile *profile, double t) {
    return lashi_profile_jet_in(profile, t, (double)NAN);
}

bool lashi_profile_has_breaks(const lashi_profile *profile) {
    return profile->type != LASHI_PROFILE_SPEED &&
           (profile->type != LASHI_PROFILE_EXPRESSION || !lashi_expression_is_constant(profile->expression));
}

double lashi_profile_next_break(const lashi_profile *profile, double a, double b) {
    switch (profile->type) {
    case LASHI_PROFILE_RAMP: return a < 0 ? fmin(b, 0) : a < profile->over ? fmin(b, profile->over) : b;
    case LASHI_PROFILE_EXPRESSION: return lashi_expression_next_break(profile->expression, a, b);
    case LASHI_PROFILE_TABLE: return lashi_table_next_break(profile->table, a, b);
    default: return b;
    }
}

double lashi_profile_next_pulse(const lashi_profile *profile, double a, double b, double inside) {
    if (profile->type != LASHI_PROFILE_EXPRESSION)
        return b;
    const double pulse = lashi_expression_next_pulse(profile->expression, a, b, inside);
    return lashi_expression_next_shock(profile->expression, a, pulse, inside);
}

static bool bounded(lashi_bounds a) {
    return isfinite(a.low) && isfinite(a.high);
}

bool lashi_profile_is_bounded(const lashi_profile *profile, double a, double b, double inside) {
    if (profile->type == LASHI_PROFILE_TABLE)
        return lashi_table_covers(profile->table, inside);
    if (profile->type != LASHI_PROFILE_EXPRESSION)
        return true;
    const lashi_bounds_jet f = lashi_expression_bounds(profile->expression, a, b, inside);
    return bounded(f.f) && bounded(f.df) && bounded(f.ddf);
}

#endif
