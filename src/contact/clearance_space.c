/* SPDX-License-Identifier: MIT
 *
 * A contact of a joint with play in space (PHYSICS, section 2).
 *
 * i carries the socket or sleeve (radius R_i, centre P_i), j the ball or pin (R_j, P_j); d = P_j − P_i.
 *   ball   e = d, n = e/|e|, δ = |e| − c; the points that touch: P_j + R_j n and P_i + a n, a the arm of the
 *          bearing (gap.h)
 *   pin    one end P_j of its axis against the sleeve with axis u: z = u·d, e = d − z u, n = e/|e|,
 *          δ = |e| − c; the points: P_j + R_j n on the pin, P_i + z u + a n on the sleeve. A pin touches at
 *          both ends, each with half the stiffness: parallel to its sleeve it is the pin of the plane.
 *   stop   the shoulder of a pin with play along its axis: n = ±u, δ = |u·d| − c, at P_j on both bodies,
 *          frictionless
 * In all of them δ̇ = n·(v_Qj − v_Qi) with the velocities of the material points Q that touch, and the sliding
 * velocity is what is left of their difference. The force −F_N n + F_T acts on j at Q_j, the opposite on i at
 * Q_i: power and momentum balance exactly, and so does angular momentum where Q_i = Q_j (points: common).
 *
 * Friction acts against the sliding velocity with the law's coefficient at its magnitude. The bristles of
 * lugre deflect along the surface, a vector z in ground axes that is carried along with the normal without
 * turning about it, as t carries the bristle of the plane: the law's own rate, and −n (ṅ·z).
 *
 * The film of a ball (film_squeeze_ball.c) acts at the centres, f on the ball and -f on the socket, with the
 * moments M_j = -T - e x f/2 and M_i = T - e x f/2 about them, T the drag by shear: M_i + M_j + e x f = 0.
 * Together with dry contact each has its share (hybrid.h), as in the plane.
 */
#include "contact/clearance.h"
#include "joint/space.h"

lashi_contact_state lashi_clearance_motion3(lashi_contact_place *place, const lashi_contact *contact,
                                            const lashi_frame *frames) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, contact->s3);
    lashi_contact_state state = {0};
    lashi_gap *m = &state.motion;
    const lashi_vec3 none = {0, 0, 0};
    lashi_vec3 e = p.d, edot = p.ddot, foot = p.S[0]; // of the line through Q_i and Q_j, on i
    if (contact->touch != LASHI_TOUCH_BALL) {
        const lashi_vec3 a = lashi_turn3(i->A, contact->axis), adot = lashi_cross3(i->spin, a);
        const double z = lashi_dot3(a, p.d), zdot = lashi_dot3(adot, p.d) + lashi_dot3(a, p.ddot);
        if (contact->touch == LASHI_TOUCH_STOP) {
            e = lashi_scale3(z, a);
            edot = lashi_scale3(zdot, a); // along a alone: what turns with a does not move the stop
            foot = lashi_add3(p.S[0], p.d);
        } else {
            e = lashi_axpy3(p.d, -z, a);
            edot = lashi_axpy3(lashi_axpy3(p.ddot, -zdot, a), -z, adot);
            foot = lashi_axpy3(p.S[0], z, a);
        }
    }
    m->e = lashi_length3(e);
    m->delta = m->e - contact->gap.clearance;
    const lashi_vec3 n = m->e > 0 ? lashi_scale3(1 / m->e, e) : none;
    m->bearing_arm = contact->gap.bearing_arm + contact->gap.carried * m->e;
    *place = (lashi_contact_place){
        .arm = {lashi_axpy3(foot, m->bearing_arm, n), lashi_axpy3(p.S[1], contact->gap.journal_arm, n)},
        .n = n,
        .edot = edot,
        .centre = p.S[1]};
    const lashi_vec3 v =
        lashi_sub3(lashi_velocity_at3(j, place->arm[1]), lashi_velocity_at3(i, place->arm[0]));
    m->deltadot = lashi_dot3(n, v);
    place->slide = lashi_axpy3(v, -m->deltadot, n);
    lashi_vec3 slide = place->slide;
    if (contact->gap.sliding == LASHI_SLIDING_GEOMETRIC && m->e > 0)
        slide = lashi_scale3(m->delta / m->e, lashi_axpy3(p.ddot, -lashi_dot3(n, p.ddot), n));
    m->sliding_speed = lashi_length3(slide);
    const lashi_vec3 t = m->sliding_speed > 0 ? lashi_scale3(1 / m->sliding_speed, slide) : none;
    m->n[0] = n.x, m->n[1] = n.y, m->n[2] = n.z;
    m->t[0] = t.x, m->t[1] = t.y, m->t[2] = t.z;
    state.ex = e.x, state.ey = e.y, state.ez = e.z;
    state.speed = lashi_length3(edot);
    return state;
}

/* The friction force on j, and the bristles' rate. */
static lashi_vec3 friction(double zdot[3], const lashi_contact *contact, const lashi_gap *m,
                           lashi_vec3 edot, double normal_force, const double bristle[3]) {
    const lashi_friction *law = &contact->friction;
    const lashi_vec3 n = lashi_vec3_of(m->n), t = lashi_vec3_of(m->t);
    double unused;
    if (!law->bristle)
        return lashi_scale3(lashi_friction_force(law, normal_force, m->sliding_speed, 0, &unused), t);
    // lugre.c with vectors: ż = v − σ0 |v| z/g, F = −F_N (σ0 z + σ1 ż + σ2 v)
    const lashi_vec3 v = lashi_scale3(m->sliding_speed, t), held = lashi_vec3_of(bristle);
    const lashi_vec3 z = lashi_axpy3(held, -lashi_dot3(held, n), n);
    const double fade = law->sigma0 * m->sliding_speed / lashi_stribeck_curve(law, m->sliding_speed);
    const lashi_vec3 rate = lashi_axpy3(v, -fade, z);
    // z is across n, so that ṅ·z = ė·z/|e|
    const lashi_vec3 carried = lashi_axpy3(rate, -lashi_dot3(edot, z) / m->e, n);
    zdot[0] = carried.x, zdot[1] = carried.y, zdot[2] = carried.z;
    const lashi_vec3 mu =
        lashi_axpy3(lashi_axpy3(lashi_scale3(law->sigma0, z), law->sigma1, rate), law->viscous, v);
    return lashi_scale3(-normal_force, mu);
}

lashi_film_motion lashi_clearance_film3(lashi_vec3 *n, lashi_vec3 *t, const lashi_contact *contact,
                                        const lashi_frame *frames, const lashi_contact_state *at,
                                        const lashi_contact_place *place) {
    const lashi_vec3 e3 = {at->ex, at->ey, at->ez};
    const double e = at->motion.e, c = contact->film.clearance;
    // At the very centre every direction serves: the film is round there.
    *n = e > 0 ? place->n : (lashi_vec3){1, 0, 0};
    const lashi_vec3 turning = lashi_add3(frames[contact->body[0]].spin, frames[contact->body[1]].spin);
    const lashi_vec3 v = lashi_axpy3(place->edot, -0.5, lashi_cross3(turning, e3));
    const double radial = lashi_dot3(*n, v);
    const lashi_vec3 across = lashi_axpy3(v, -radial, *n);
    const double transverse = lashi_length3(across);
    *t = lashi_scale3(transverse > 0 ? 1 / transverse : 0, across);
    return (lashi_film_motion){.eps = e / c, .radial = radial / c, .transverse = transverse / c};
}

/* T: what the shear of the walls' turning takes from the ball, ground axes. */
static lashi_vec3 shear(const lashi_film *film, double eps, lashi_vec3 n, lashi_vec3 slip) {
    const lashi_impedance drag = film->kind->drag(fmin(eps, LASHI_FILM_EPS_MAX));
    const double along = lashi_dot3(slip, n);
    return lashi_scale3(film->shear,
                        lashi_axpy3(lashi_scale3(drag.r * along, n), drag.t, lashi_axpy3(slip, -along, n)));
}

/* The film with weight 1 − w: on both bodies, and into *out. */
static void wet_contact(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, const lashi_contact *contact,
                        const lashi_frame *frames, const lashi_contact_place *place, double w) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const double share = out->film_share = 1 - w;
    lashi_vec3 n, t, T = {0, 0, 0};
    const lashi_film_motion m = lashi_clearance_film3(&n, &t, contact, frames, out, place);
    const lashi_film_force_result film = lashi_film_force(&contact->film, m);
    const lashi_vec3 f = lashi_scale3(share, lashi_axpy3(lashi_scale3(film.radial, n), film.transverse, t));
    const lashi_vec3 e = {out->ex, out->ey, out->ez}, half = lashi_scale3(-0.5, lashi_cross3(e, f));
    const lashi_vec3 slip = lashi_sub3(j->spin, i->spin);
    if (contact->film.shear > 0)
        T = lashi_scale3(share, shear(&contact->film, m.eps, n, slip));
    const lashi_vec3 M_j = lashi_sub3(half, T);
    out->film_force = lashi_length3(f);
    out->film_torque = lashi_length3(M_j);
    out->film_power = share * film.power + lashi_dot3(T, slip);
    out->fx += f.x, out->fy += f.y, out->fz += f.z;
    out->moment = lashi_add3(out->moment, M_j);
    lashi_apply_at3(g[contact->body[1]], j, place->centre, f, M_j);
    lashi_apply_at3(g[contact->body[0]], i, lashi_turn3(i->A, contact->s3[0]), lashi_scale3(-1, f),
                    lashi_add3(half, T));
}

/* The dry contact with weight w (1 without a film): on both bodies, and into *out. */
static void dry_contact(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, double zdot[3],
                        const lashi_contact *contact, const lashi_memory *memory, const lashi_frame *frames,
                        const lashi_contact_place *place, const double bristle[3], double w) {
    const lashi_gap *m = &out->motion;
    const lashi_normal_result normal =
        lashi_normal_force_phase(&contact->normal, m->delta, m->deltadot, &memory->onset);
    const lashi_vec3 none = {0, 0, 0};
    out->normal_force = w * normal.force;
    out->damping_power = w * normal.damping_power;
    lashi_vec3 F = lashi_scale3(-out->normal_force, place->n);
    if (contact->touch != LASHI_TOUCH_STOP) {
        const lashi_vec3 along = friction(zdot, contact, m, place->edot, out->normal_force, bristle);
        out->friction_force = lashi_dot3(along, lashi_vec3_of(m->t));
        out->friction_power = -lashi_dot3(along, place->slide);
        F = lashi_add3(F, along);
    }
    out->fx = F.x, out->fy = F.y, out->fz = F.z;
    out->moment = lashi_cross3(lashi_sub3(place->arm[1], place->centre), F);
    lashi_apply_at3(g[contact->body[1]], &frames[contact->body[1]], place->arm[1], F, none);
    lashi_apply_at3(g[contact->body[0]], &frames[contact->body[0]], place->arm[0], lashi_scale3(-1, F), none);
}

void lashi_clearance_apply3(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, double zdot[3],
                            const lashi_contact *contact, const lashi_memory *memory,
                            const lashi_frame *frames, const double bristle[3]) {
    lashi_contact_place place;
    *out = lashi_clearance_motion3(&place, contact, frames);
    if (contact->bristle >= 0)
        zdot[0] = zdot[1] = zdot[2] = 0;
    if (contact->model != LASHI_MODEL_COMPLIANT)
        return; // its force is a multiplier
    const bool touching = memory->touching && out->motion.delta > 0;
    double w = 1;
    if (contact->lubricated)
        w = touching ? lashi_hybrid_weight(&contact->hybrid, out->motion.delta) : 0;
    if (touching)
        dry_contact(g, out, zdot, contact, memory, frames, &place, bristle, w);
    if (contact->lubricated && w < 1)
        wet_contact(g, out, contact, frames, &place, w);
}
