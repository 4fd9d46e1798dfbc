/* SPDX-License-Identifier: MIT
 *
 * Bushing in space: a linear spring and damper along and about three axes between two points.
 *
 * The axes are fixed in the first body and, on the second, as drawn. With d = P_j − P_i and the relative turn
 * φ of the second triad against the first, both in the first triad's axes:
 *   F = −K d − C ḋ′,   M = −K_φ φ − C_φ (ω_j − ω_i)      on the second body at P_j,
 * ḋ′ the rate of d seen from the first body; the first body takes the opposite force at P_j's place, so that
 * no moment is lost. φ = (b3·a2, b1·a3, b2·a1) = the sines of small turns. Meant for small turns: the moment
 * is the gradient of the energy ½ Σ K_φ φ² at every angle, so that the balance closes exactly.
 */
#include "force/force.h"

#include <stddef.h>
#include <string.h>

/* φ_k = b_next · a_last for the three axes k. */
static void turns(double phi[3], lashi_vec3 gradient[3], const lashi_vec3 a[3], const lashi_vec3 b[3]) {
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3, last = (k + 2) % 3;
        phi[k] = lashi_dot3(b[next], a[last]);
        gradient[k] = lashi_cross3(b[next], a[last]); // φ̇ = gradient · (ω_j − ω_i)
    }
}

/* What it does to the second body at P_j, and where it stands. */
typedef struct action {
    lashi_pair3 p;
    lashi_vec3 F, M;       /* N, N m */
    double phi[3];         /* rad */
    lashi_vec3 slip, spin; /* m/s, rad/s: the second body seen from the first */
} action;

static action act(lashi_ledger *ledger, const lashi_force *force, const lashi_frame *frames) {
    const lashi_frame *i = &frames[force->body[0]], *j = &frames[force->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, force->s3);
    lashi_vec3 a[3], b[3], gradient[3], F = {0, 0, 0}, M = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        a[k] = lashi_turn3(i->A, force->triad[0][k]);
        b[k] = lashi_turn3(j->A, force->triad[1][k]);
    }
    action out = {
        .p = p, .slip = lashi_sub3(p.ddot, lashi_cross3(i->spin, p.d)), .spin = lashi_sub3(j->spin, i->spin)};
    double *phi = out.phi;
    turns(phi, gradient, a, b);
    const lashi_vec3 spin = out.spin, drift = out.slip;
    for (int k = 0; k < 3; k++) {
        const double x = lashi_dot3(a[k], p.d), rate = lashi_dot3(a[k], drift), w = lashi_dot3(a[k], spin);
        F = lashi_axpy3(F, -force->along[k] * x - force->damping_along[k] * rate, a[k]);
        M = lashi_axpy3(lashi_axpy3(M, -force->about[k] * phi[k], gradient[k]), -force->damping_about[k] * w,
                        a[k]);
        ledger->elastic += 0.5 * (force->along[k] * x * x + force->about[k] * phi[k] * phi[k]);
        ledger->dissipation += force->damping_along[k] * rate * rate + force->damping_about[k] * w * w;
    }
    out.F = F;
    out.M = M;
    return out;
}

void lashi_bushing_apply(double (*g)[LASHI_FREEDOMS], lashi_ledger *ledger, const lashi_force *force,
                         const lashi_frame *frames, double t) {
    (void)t;
    const action on = act(ledger, force, frames);
    lashi_apply_at3(g[force->body[1]], &frames[force->body[1]], on.p.S[1], on.F, on.M);
    lashi_apply_at3(g[force->body[0]], &frames[force->body[0]], lashi_add3(on.p.S[0], on.p.d),
                    lashi_scale3(-1, on.F), lashi_scale3(-1, on.M));
}

// What is recorded.
enum {
    BUSHING_FORCE,
    BUSHING_TORQUE,
    BUSHING_LENGTH,
    BUSHING_ANGLE,
    BUSHING_RATE,
    BUSHING_POWER,
    BUSHING_ENERGY
};
double lashi_bushing_value(const lashi_force *force, const lashi_force_view *view, int channel) {
    lashi_ledger ledger = {0};
    const action on = act(&ledger, force, view->frames);
    const double length = lashi_length3(on.p.d);
    switch (channel) {
    case BUSHING_FORCE: return lashi_length3(on.F);
    case BUSHING_TORQUE: return lashi_length3(on.M);
    case BUSHING_LENGTH: return length;
    case BUSHING_ANGLE: return lashi_length3(lashi_vec3_of(on.phi));
    case BUSHING_RATE: return length > 0 ? lashi_dot3(on.p.d, on.p.ddot) / length : 0;
    case BUSHING_POWER: return lashi_dot3(on.F, on.slip) + lashi_dot3(on.M, on.spin);
    default: return ledger.elastic;
    }
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const lashi_force_channel channels[] = {
    [BUSHING_FORCE] = {"force", "N", "size of its force"},
    [BUSHING_TORQUE] = {"torque", "N m", "size of its moment"},
    [BUSHING_LENGTH] = {"length", "m", "distance of its points"},
    [BUSHING_ANGLE] = {"angle", "rad", "angle between the axes of its two ends"},
    [BUSHING_RATE] = {"rate", "m/s", "rate of the distance"},
    [BUSHING_POWER] = {"power", "W", "power that the element gives to the bodies"},
    [BUSHING_ENERGY] = {"energy", "J", "energy stored in it"},
    {NULL}};

static lash_status compile(lashi_force *out, const lash_force_def *def, const lashi_force_context *context,
                           lash_error *error) {
    for (int slot = 0; slot < LASHI_SLOTS; slot++) {
        const lash_status status = lashi_force_point(out, slot, def->between[slot], context, error);
        if (status)
            return status;
    }
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const lashi_frame *i = &context->frames[out->body[0]], *j = &context->frames[out->body[1]];
    for (int k = 0; k < 3; k++) {
        out->triad[0][k] = context->to_principal(context->system, out->body[0], axes[k]);
        out->triad[1][k] = lashi_turn_back(j->A, lashi_turn3(i->A, out->triad[0][k]));
    }
    memcpy(out->along, def->along, sizeof out->along);
    memcpy(out->about, def->about, sizeof out->about);
    memcpy(out->damping_along, def->damping_along, sizeof out->damping_along);
    memcpy(out->damping_about, def->damping_about, sizeof out->damping_about);
    return LASH_OK;
}

#define STIFFNESS_KEY(key, member, key_unit, text)                                                           \
    {                                                                                                        \
        .name = key, .type = LASHI_VECTOR, .offset = offsetof(lash_force_def, member), .unit = key_unit,     \
        .range = LASHI_NOT_NEGATIVE, .fallback = "[0, 0, 0]", .doc = text                                    \
    }

static const lashi_key keys[] = {
    {.name = "between",
     .type = LASHI_POINT_PAIR,
     .offset = offsetof(lash_force_def, between),
     .doc = "its two points, which coincide without load"},
    STIFFNESS_KEY("along", along, "N/m", "stiffness along the first body's axes"),
    STIFFNESS_KEY("about", about, "N m/rad", "stiffness about the first body's axes, for small turns"),
    STIFFNESS_KEY("damping_along", damping_along, "N s/m", "damping along them"),
    STIFFNESS_KEY("damping_about", damping_about, "N m s/rad", "damping about them"),
    {.name = NULL},
};

const lashi_force_kind lashi_force_bushing = {
    .schema = {"bushing", "A linear spring and damper along and about three axes between two points.",
               .keys = keys, .space = LASHI_SPACE_ONLY},
    .compile = compile,
    .channels = channels,
    .value = lashi_bushing_value,
};

#endif
