/* SPDX-License-Identifier: MIT
 *
 * Spring–damper–actuator between two points at distance l:
 *   f = k (l − l0) + table(l − l0) + c l̇ − actuator(t)      (tension positive)
 * pulls the ends together. Stored energy ½k(l − l0)² + ∫table; c l̇² is dissipated; the actuator's power
 * actuator·l̇ is input. The direction is undefined at l = 0: there the force is left out.
 */
#include "force/force.h"

#include <math.h>
#include <stddef.h>

/* Tension at elongation x with rate, and its share of the ledger. */
static double tension(lashi_ledger *ledger, const lashi_force *force, const lashi_frame *frames, double x,
                      double rate, double t) {
    double f = force->stiffness * x + force->damping * rate;
    ledger->elastic += 0.5 * force->stiffness * x * x;
    ledger->dissipation += force->damping * rate * rate;
    if (force->table) {
        f += lashi_force_read(ledger, force, x);
        ledger->elastic += lashi_table_integral(force->table, x) - force->stored;
    }
    if (force->expression[0]) {
        const double push = lashi_force_value(force, 0, frames, t);
        f -= push;
        ledger->input += push * rate;
    }
    return f;
}

static void spring_in_space(double (*g)[LASHI_FREEDOMS], lashi_ledger *ledger, const lashi_force *force,
                            const lashi_frame *frames, double t) {
    const lashi_frame *i = &frames[force->body[0]], *j = &frames[force->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, force->s3);
    const lashi_vec3 none = {0, 0, 0};
    const double l = lashi_length3(p.d);
    const lashi_vec3 n = l > 0 ? lashi_scale3(1 / l, p.d) : none;
    const double f = tension(ledger, force, frames, l - force->rest, lashi_dot3(n, p.ddot), t);
    lashi_apply_at3(g[force->body[0]], i, p.S[0], lashi_scale3(f, n), none);
    lashi_apply_at3(g[force->body[1]], j, p.S[1], lashi_scale3(-f, n), none);
}

void lashi_spring_apply(double (*g)[LASHI_FREEDOMS], lashi_ledger *ledger, const lashi_force *force,
                        const lashi_frame *frames, double t) {
    if (force->spatial) {
        spring_in_space(g, ledger, force, frames, t);
        return;
    }
    const lashi_pair p = lashi_pair_evaluate(&frames[force->body[0]], &frames[force->body[1]], force->s);
    const double l = sqrt(lashi_dot(p.d, p.d));
    const lashi_vec2 n = l > 0 ? lashi_scale(1 / l, p.d) : (lashi_vec2){0, 0};
    const double f = tension(ledger, force, frames, l - force->rest, lashi_dot(n, p.ddot), t);
    lashi_apply_at(g[force->body[0]], p.S[0], lashi_scale(f, n));
    lashi_apply_at(g[force->body[1]], p.S[1], lashi_scale(-f, n));
}

static lashi_reading spring_reading(const lashi_force *force, const lashi_frame *frames) {
    const lashi_frame *i = &frames[force->body[0]], *j = &frames[force->body[1]];
    if (force->spatial) {
        const lashi_pair3 p = lashi_pair3_evaluate(i, j, force->s3);
        const double l = lashi_length3(p.d);
        return (lashi_reading){l - force->rest, l > 0 ? lashi_dot3(p.d, p.ddot) / l : 0, false};
    }
    const lashi_pair p = lashi_pair_evaluate(i, j, force->s);
    const double l = sqrt(lashi_dot(p.d, p.d));
    return (lashi_reading){l - force->rest, l > 0 ? lashi_dot(p.d, p.ddot) / l : 0, false};
}

// What is recorded.
enum { SPRING_TENSION, SPRING_LENGTH, SPRING_RATE, SPRING_POWER, SPRING_ENERGY, SPRING_TABLE };
double lashi_spring_value(const lashi_force *force, const lashi_force_view *view, int channel) {
    lashi_ledger ledger = {0};
    const lashi_reading at = spring_reading(force, view->frames);
    const double f = tension(&ledger, force, view->frames, at.x, at.rate, view->t);
    switch (channel) {
    case SPRING_TENSION: return f;
    case SPRING_LENGTH: return at.x + force->rest;
    case SPRING_RATE: return at.rate;
    case SPRING_POWER: return -f * at.rate;
    case SPRING_ENERGY: return ledger.elastic;
    default: return lashi_force_read(&ledger, force, at.x);
    }
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const lashi_force_channel channels[] = {
    [SPRING_TENSION] = {"force", "N", "force of the element; positive: tension"},
    [SPRING_LENGTH] = {"length", "m", "distance of its ends"},
    [SPRING_RATE] = {"rate", "m/s", "rate of the length"},
    [SPRING_POWER] = {"power", "W", "power that the element gives to the bodies"},
    [SPRING_ENERGY] = {"energy", "J", "energy stored in it"},
    [SPRING_TABLE] = {"table", "N", "value of its table", .with_table = true},
    {NULL}};

static lash_status compile(lashi_force *out, const lash_force_def *def, const lashi_force_context *context,
                           lash_error *error) {
    for (int slot = 0; slot < LASHI_SLOTS; slot++) {
        const lash_status status = lashi_force_point(out, slot, def->between[slot], context, error);
        if (status)
            return status;
    }
    out->stiffness = def->stiffness;
    out->damping = def->damping;
    out->expression[0] = def->actuator;
    lashi_force_table(out, def->table);
    const lashi_frame *i = &context->frames[out->body[0]], *j = &context->frames[out->body[1]];
    const lashi_vec2 d = lashi_pair_evaluate(i, j, out->s).d;
    const double drawn =
        out->spatial ? lashi_length3(lashi_pair3_evaluate(i, j, out->s3).d) : hypot(d.x, d.y);
    out->rest = isnan(def->free_length) ? drawn : def->free_length;
    return LASH_OK;
}

static const lashi_key keys[] = {
    {.name = "between",
     .type = LASHI_POINT_PAIR,
     .offset = offsetof(lash_force_def, between),
     .doc = "its two ends"},
    {.name = "stiffness",
     .type = LASHI_NUMBER,
     .offset = offsetof(lash_force_def, stiffness),
     .unit = "N/m",
     .fallback = "0",
     .doc = "k"},
    {.name = "damping",
     .type = LASHI_NUMBER,
     .offset = offsetof(lash_force_def, damping),
     .unit = "N s/m",
     .range = LASHI_NOT_NEGATIVE,
     .fallback = "0",
     .doc = "c"},
    {.name = "free_length",
     .type = LASHI_NUMBER,
     .offset = offsetof(lash_force_def, free_length),
     .unit = "m",
     .range = LASHI_NOT_NEGATIVE,
     .fallback = "(as drawn)",
     .doc = "length without force"},
    {.name = "actuator",
     .type = LASHI_EXPRESSION,
     .offset = offsetof(lash_force_def, actuator),
     .unit = "N",
     .fallback = "(none)",
     .doc = "a force that pushes the ends apart, an expression of t"},
    {.name = "table",
     .type = LASHI_TABLE,
     .offset = offsetof(lash_force_def, table),
     .unit = "m,N",
     .fallback = "(none)",
     .doc = "a tension (N) over the elongation (m), added to the linear part"},
    {.name = NULL},
};

const lashi_force_kind lashi_force_spring = {
    .schema = {"spring", "A spring, damper and actuator between two points.", .keys = keys},
    .inputs = {{"actuator"}, {"actuator"}},
    .input_unit = "N",
    .compile = compile,
    .reading = spring_reading,
    .channels = channels,
    .value = lashi_spring_value,
};

#endif
