/* SPDX-License-Identifier: MIT
 *
 * A ball in its socket, in space (docs/physics.md, section 2): e = P_j − P_i, n = e/|e|, δ = |e| − c; the
 * points that touch are P_j + R_j n and P_i + a n (gap_size.h).
 *
 * Its film (film_squeeze_ball.c) acts at the centres, f on the ball and −f on the socket, with the moments
 * M_j = −T − e × f/2 and M_i = T − e × f/2 about them, T the drag by shear: M_i + M_j + e × f = 0.
 */
#include <stddef.h>

#include "contact/round.h"
#include "contact/rules.h"

void lashi_ball_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, contact->p->s3);
    lashi_round_gap(out, contact, i, j, &p, p.d, p.ddot, p.S[0]);
}

/* In the frame that turns with the mean of both bodies, so that no speed of rotation is left; t is zero where
 * nothing moves across. */
static lashi_film_motion ball_film(lashi_vec3 *n, lashi_vec3 *t, const lashi_contact *contact,
                                   const lashi_frame *frames, const lashi_gap *gap) {
    const double c = contact->film.p->clearance;
    // At the very centre every direction serves: the film is round there.
    *n = gap->e > 0 ? gap->n : (lashi_vec3){1, 0, 0};
    const lashi_vec3 turning = lashi_add3(frames[contact->body[0]].spin, frames[contact->body[1]].spin);
    const lashi_vec3 v = lashi_axpy3(gap->ddot, -0.5, lashi_cross3(turning, gap->d));
    const double radial = lashi_dot3(*n, v);
    const lashi_vec3 beside = lashi_axpy3(v, -radial, *n);
    const double transverse = lashi_length3(beside);
    *t = lashi_scale3(transverse > 0 ? 1 / transverse : 0, beside);
    return (lashi_film_motion){.eps = gap->e / c, .radial = radial / c, .transverse = transverse / c};
}

static void ball_drag(lashi_vec3 torque[LASHI_SLOTS], lashi_contact_state *out, const lashi_contact *contact,
                      const lashi_frame *frames, const lashi_film_force_result *film, lashi_vec3 n,
                      lashi_vec3 f, double eps, double share) {
    (void)film;
    const lashi_vec3 half = lashi_scale3(-0.5, lashi_cross3(out->gap.d, f));
    const lashi_vec3 slip = lashi_sub3(frames[contact->body[1]].spin, frames[contact->body[0]].spin);
    lashi_vec3 T = {0, 0, 0};
    if (contact->film.p->shear > 0) {
        const lashi_impedance g = contact->film.kind->drag(fmin(eps, LASHI_FILM_EPS_MAX));
        const double along = lashi_dot3(slip, n);
        T = lashi_scale3(share * contact->film.p->shear,
                         lashi_axpy3(lashi_scale3(g.r * along, n), g.t, lashi_axpy3(slip, -along, n)));
    }
    torque[0] = lashi_add3(half, T);
    torque[1] = lashi_sub3(half, T);
    out->film_torque = lashi_length3(torque[1]);
    out->film_power += lashi_dot3(T, slip);
}

/* δ̈ = n·ë + |ė − (ė·n) n|²/|e| */
static double ball_bias(const lashi_contact *contact, const lashi_frame *frames, const lashi_gap *gap) {
    const lashi_pair3 p =
        lashi_pair3_evaluate(&frames[contact->body[0]], &frames[contact->body[1]], contact->p->s3);
    const lashi_vec3 beside = lashi_axpy3(p.ddot, -lashi_dot3(gap->n, p.ddot), gap->n);
    return lashi_dot3(gap->n, p.dbias) + (gap->e > 0 ? lashi_dot3(beside, beside) / gap->e : 0);
}

#ifdef LASHI_KERNEL // a compiled model needs no more
const lashi_contact_kind lashi_contact_ball = {.film = ball_film, .drag = ball_drag};
#else

static void check(lashi_check *check, lashi_subject subject, const lash_joint_def *def) {
    lashi_round_check(check, subject, &def->clearance, LASHI_ROUND_BALL);
}

static lash_status expand(lashi_expansion *out, lash_error *error) {
    lashi_contact *contact;
    out->frees = true;
    return lashi_play_add(&contact, out, LASHI_CONTACT_ball, NULL, &out->def->clearance, error);
}

static const char *const joints[] = {"spherical", NULL};
static const lashi_play play = {
    .key = LASHI_CLEARANCE_KEY(LASHI_SPACE_ONLY, &lashi_clearance_kind, "(an ideal joint)",
                               "play in the joint: contact, friction and lubrication take its place"),
    .joints = joints,
    .most = 1,
    .check = check,
    .expand = expand,
    .draw = lashi_round_draw,
};

const lashi_contact_kind lashi_contact_ball = {
    .name = "ball",
    .play = &play,
    .acts = LASHI_ACTS_IN_SPACE,
    .bristles = 3,
    .centred = true,
    .deepest = "a quarter of the ball's radius",
    .bias = ball_bias,
    .drift = lashi_round_drift,
    .film = ball_film,
    .drag = ball_drag,
};

#endif
