/* SPDX-License-Identifier: MIT
 *
 * One evaluation of a joint with play (PHYSICS, sections 2 to 4).
 *
 * Force on the journal f = −F_N n + F_T t at Q_j = P_j + R_j n, on the bearing −f at Q_i = P_i + R_i n. Moved
 * to the centres P_k this adds the moments R_j F_T on the journal and −R_i F_T on the bearing.
 */
#include "contact/clearance.h"

static inline lashi_contact_state motion(lashi_pair *p, const lashi_clearance *joint,
                                         const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    *p = lashi_pair_evaluate(i, j, joint->s);
    const double e[2] = {p->d.x, p->d.y}, edot[2] = {p->ddot.x, p->ddot.y};
    return (lashi_contact_state){
        .motion = lashi_gap_planar(&joint->gap, e, edot, i->w, j->w), .ex = p->d.x, .ey = p->d.y};
}

lashi_contact_state lashi_clearance_motion(const lashi_clearance *joint, const lashi_frame *frames) {
    lashi_pair p;
    lashi_contact_state state = motion(&p, joint, frames);
    state.speed = sqrt(lashi_dot(p.ddot, p.ddot));
    return state;
}

void lashi_clearance_apply(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, double *zdot,
                           const lashi_clearance *joint, const lashi_contact *memory,
                           const lashi_frame *frames, double bristle) {
    lashi_pair p;
    *out = motion(&p, joint, frames);
    *zdot = 0;
    if (!memory->touching || !(out->motion.delta > 0))
        return;
    const lashi_normal_result normal = lashi_normal_force_phase(
        &joint->normal, out->motion.delta, out->motion.deltadot, memory->approach_speed, memory->unloading);
    const double F_T =
        lashi_friction_force(&joint->friction, normal.force, out->motion.sliding_speed, bristle, zdot);
    double f[2];
    lashi_gap_planar_force(f, &out->motion, normal.force, F_T);
    out->normal_force = normal.force;
    out->friction_force = F_T;
    out->fx = f[0];
    out->fy = f[1];
    lashi_apply_at(g[joint->body[1]], p.S[1], (lashi_vec2){f[0], f[1]});
    lashi_apply_at(g[joint->body[0]], p.S[0], (lashi_vec2){-f[0], -f[1]});
    g[joint->body[1]][2] += joint->gap.journal_radius * F_T;
    g[joint->body[0]][2] -= joint->gap.bearing_radius * F_T;
    out->damping_power = normal.damping_power;
    // The material sliding speed is the one friction does its work at, whichever the law was given.
    const double across = p.ddot.x * out->motion.t[0] + p.ddot.y * out->motion.t[1];
    out->friction_power = -F_T * (across + joint->gap.journal_radius * frames[joint->body[1]].w -
                                  joint->gap.bearing_radius * frames[joint->body[0]].w);
}
