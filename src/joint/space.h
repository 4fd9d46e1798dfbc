/* SPDX-License-Identifier: MIT
 *
 * The rows that joints in space are made of.
 *
 * Frame of body k at r_k with matrix A_k, angular velocity ω_k; S_k = A_k s′_k, d = r_j + S_j − r_i − S_i;
 * a is a direction fixed in body i, b one in body j.
 *
 *   points   Φ = d − d0           Φ̇ = ḋ
 *   dot      Φ = a·b              Φ̇ = (a × b)·(ω_i − ω_j)
 *   along    Φ = a·d              Φ̇ = a·ḋ + (a × d)·ω_i
 * The derivative of Φ with respect to ω′_k is A_kᵀ τ, where τ is the factor of ω_k above, and ω̇ = A ω̇′. The
 * velocity part of the second derivative, −γ, follows with ä = ω × (ω × a) + ω̇ × a:
 *   along    ä·d + 2 ȧ·ḋ + a·d̈        (without the ω̇ and v̇ parts)
 *   dot      a·(ḃ × w + b × (ω_i × ω_j)), in the axes of i: a stands still, w = ω_i − ω_j, ḃ = b × w
 */
#ifndef LASHI_SPACE_H
#define LASHI_SPACE_H

#include "joint/joint.h"

/* A pair of points in space, as lashi_pair. */
typedef struct lashi_pair3 {
    lashi_vec3 S[LASHI_SLOTS], d, ddot, dbias;
} lashi_pair3;

static inline lashi_pair3 lashi_pair3_evaluate(const lashi_frame *i, const lashi_frame *j,
                                               const lashi_vec3 s[LASHI_SLOTS]) {
    lashi_pair3 p;
    p.S[0] = lashi_turn3(i->A, s[0]);
    p.S[1] = lashi_turn3(j->A, s[1]);
    const lashi_vec3 ui = lashi_cross3(i->spin, p.S[0]), uj = lashi_cross3(j->spin, p.S[1]);
    p.d = lashi_sub3(lashi_add3(j->r, p.S[1]), lashi_add3(i->r, p.S[0]));
    p.ddot = lashi_sub3(lashi_add3(j->v, uj), lashi_add3(i->v, ui));
    p.dbias = lashi_sub3(lashi_cross3(j->spin, uj), lashi_cross3(i->spin, ui));
    return p;
}

/* One row of a slot's block: `linear` is the factor of v, `turning` that of ω in ground axes. */
static inline void lashi_set_row3(double *J, int rows, int slot, int row, const lashi_frame *frame,
                                  lashi_vec3 linear, lashi_vec3 turning) {
    double *block = J + slot * rows * LASHI_FREEDOMS + row;
    const lashi_vec3 own = lashi_turn_back(frame->A, turning);
    block[0] = linear.x;
    block[rows] = linear.y;
    block[2 * rows] = linear.z;
    block[3 * rows] = own.x;
    block[4 * rows] = own.y;
    block[5 * rows] = own.z;
}

/* The block of one body in those rows, whose points are at s′: S × e_k for the three ground axes, in body axes, is
 * written out: (S × e_k)′ = s′ × A_k with A_k the k-th row of A. sign: 1, or −1 for the first body. */
static inline void lashi_point_block(double *block, int rows, bool again, double sign, lashi_vec3 s,
                                     const lashi_frame *frame) {
    for (int k = 0; k < 3; k++) {
        const lashi_vec3 e = lashi_vec3_of(frame->A + 3 * k),
                         turning = sign > 0 ? lashi_cross3(s, e) : lashi_cross3(e, s);
        for (int l = 0; l < 3 && !again; l++)
            block[l * rows + k] = k == l ? sign : 0;
        block[3 * rows + k] = turning.x;
        block[4 * rows + k] = turning.y;
        block[5 * rows + k] = turning.z;
    }
}

/* Rows first, first + 1, first + 2: the two points coincide, except for the joint's offset. */
static inline void lashi_point_rows(const lashi_rows *out, int rows, int first, const lashi_constraint *joint,
                                    const lashi_frame *i, const lashi_frame *j, const lashi_pair3 *p) {
    if (joint->body[0] > 0)
        lashi_point_block(out->J + first, rows, out->again, -1, joint->geometry->s[0], i);
    lashi_point_block(out->J + rows * LASHI_FREEDOMS + first, rows, out->again, 1, joint->geometry->s[1], j);
    out->Phi[first] = p->d.x - joint->offset3.x;
    out->Phi[first + 1] = p->d.y - joint->offset3.y;
    out->Phi[first + 2] = p->d.z - joint->offset3.z;
    out->Phi_dot[first] = p->ddot.x;
    out->Phi_dot[first + 1] = p->ddot.y;
    out->Phi_dot[first + 2] = p->ddot.z;
    out->gamma[first] = -p->dbias.x;
    out->gamma[first + 1] = -p->dbias.y;
    out->gamma[first + 2] = -p->dbias.z;
}

/* A direction with its rate and the velocity part of its second derivative. */
typedef struct lashi_axis {
    lashi_vec3 u, rate, bias;
} lashi_axis;
static inline lashi_axis lashi_axis_evaluate(const lashi_frame *frame, lashi_vec3 own) {
    lashi_axis a;
    a.u = lashi_turn3(frame->A, own);
    a.rate = lashi_cross3(frame->spin, a.u);
    a.bias = lashi_cross3(frame->spin, a.rate);
    return a;
}

/* A direction b of body j in the axes of i: b, w, and the factor of a in the velocity part of (a·b)¨. */
typedef struct lashi_beside {
    lashi_vec3 b, w, bias;
} lashi_beside;
static inline lashi_beside lashi_axis_beside(const lashi_frame *i, const lashi_frame *j, lashi_vec3 own) {
    lashi_beside s;
    const lashi_vec3 spin = lashi_turn_back(i->A, j->spin);
    s.b = lashi_turn_back(i->A, lashi_turn3(j->A, own));
    s.w = lashi_sub3(i->own, spin);
    s.bias =
        lashi_add3(lashi_cross3(lashi_cross3(s.b, s.w), s.w), lashi_cross3(s.b, lashi_cross3(i->own, spin)));
    return s;
}

/* a: in the axes of i. */
static inline void lashi_dot_row(const lashi_rows *out, int rows, int row, const lashi_frame *i,
                                 const lashi_frame *j, lashi_vec3 a, const lashi_beside *s) {
    const lashi_vec3 n = lashi_cross3(a, s->b), own = lashi_turn_back(j->A, lashi_turn3(i->A, n));
    double *of_i = out->J + row, *of_j = of_i + rows * LASHI_FREEDOMS;
    if (!out->again)
        of_i[0] = of_i[rows] = of_i[2 * rows] = of_j[0] = of_j[rows] = of_j[2 * rows] = 0;
    of_i[3 * rows] = n.x, of_i[4 * rows] = n.y, of_i[5 * rows] = n.z;
    of_j[3 * rows] = -own.x, of_j[4 * rows] = -own.y, of_j[5 * rows] = -own.z;
    out->Phi[row] = lashi_dot3(a, s->b);
    out->Phi_dot[row] = lashi_dot3(n, s->w);
    out->gamma[row] = -lashi_dot3(a, s->bias);
}

static inline void lashi_along_row(const lashi_rows *out, int rows, int row, const lashi_constraint *joint,
                                   const lashi_frame *i, const lashi_frame *j, const lashi_axis *a,
                                   const lashi_pair3 *p) {
    if (joint->body[0] > 0)
        lashi_set_row3(out->J, rows, 0, row, i, lashi_scale3(-1, a->u),
                       lashi_cross3(a->u, lashi_add3(p->d, p->S[0])));
    lashi_set_row3(out->J, rows, 1, row, j, a->u, lashi_cross3(p->S[1], a->u));
    out->Phi[row] = lashi_dot3(a->u, p->d);
    out->Phi_dot[row] = lashi_dot3(a->rate, p->d) + lashi_dot3(a->u, p->ddot);
    out->gamma[row] =
        -lashi_dot3(a->bias, p->d) - 2 * lashi_dot3(a->rate, p->ddot) - lashi_dot3(a->u, p->dbias);
}

/* Rows first and first + 1: the third axis of j's triad is parallel to the third of i's. */
static inline void lashi_parallel_rows(const lashi_rows *out, int rows, int first,
                                       const lashi_constraint *joint, const lashi_frame *i,
                                       const lashi_frame *j) {
    const lashi_beside b = lashi_axis_beside(i, j, joint->geometry->a[1][2]);
    for (int k = 0; k < 2; k++)
        lashi_dot_row(out, rows, first + k, i, j, joint->geometry->a[0][k], &b);
}

/* All rows of a ball, and of a pin. */
__attribute__((always_inline)) static inline void
lashi_ball_rows3(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, joint->geometry->s);
    lashi_point_rows(out, 3, 0, joint, i, j, &p);
}
__attribute__((always_inline)) static inline void
lashi_pin_rows3(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, joint->geometry->s);
    lashi_point_rows(out, 5, 0, joint, i, j, &p);
    lashi_parallel_rows(out, 5, 3, joint, i, j);
}

/* One more row: no turning about the common axis. */
static inline void lashi_keep_angle_row(const lashi_rows *out, int rows, int row,
                                        const lashi_constraint *joint, const lashi_frame *i,
                                        const lashi_frame *j) {
    const lashi_beside b = lashi_axis_beside(i, j, joint->geometry->a[1][1]);
    lashi_dot_row(out, rows, row, i, j, joint->geometry->a[0][0], &b);
}

/* Rows first and first + 1: P_j on the line through P_i along the axis of i's triad. */
static inline void lashi_line_rows(const lashi_rows *out, int rows, int first, const lashi_constraint *joint,
                                   const lashi_frame *i, const lashi_frame *j) {
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, joint->geometry->s);
    for (int k = 0; k < 2; k++) {
        const lashi_axis a = lashi_axis_evaluate(i, joint->geometry->a[0][k]);
        lashi_along_row(out, rows, first + k, joint, i, j, &a, &p);
    }
}

/* A force F at S (ground axes, from the centre of mass) and a moment M on a body in space. */
static inline void lashi_apply_at3(double g[LASHI_FREEDOMS], const lashi_frame *frame, lashi_vec3 S,
                                   lashi_vec3 F, lashi_vec3 M) {
    const lashi_vec3 own = lashi_turn_back(frame->A, lashi_add3(lashi_cross3(S, F), M));
    g[0] += F.x;
    g[1] += F.y;
    g[2] += F.z;
    g[3] += own.x;
    g[4] += own.y;
    g[5] += own.z;
}
/* Velocity of the point S from a body's centre of mass. */
static inline lashi_vec3 lashi_velocity_at3(const lashi_frame *frame, lashi_vec3 S) {
    return lashi_add3(frame->v, lashi_cross3(frame->spin, S));
}

#endif
