/* SPDX-License-Identifier: MIT
 *
 * Vectors, rotation matrices and Euler parameters in space.
 *
 * A matrix A is nine doubles by rows and turns body axes into ground axes: S = A s′. Euler parameters
 * p = (e0, e1, e2, e3) = (cos φ/2, u sin φ/2); every function takes them at any length but zero and uses
 * their direction alone, so that the length of p has no meaning and needs no constraint:
 *   A = I + 2 (e0 ẽ + ẽ ẽ)/|p|²,   ṗ = ½ L(p)ᵀ ω′ = ½ p ∘ (0, ω′)      (ω′ in body axes)
 */
#ifndef LASHI_VEC3_H
#define LASHI_VEC3_H

#include <math.h>

typedef struct lashi_vec3 {
    double x, y, z;
} lashi_vec3;

static inline lashi_vec3 lashi_vec3_of(const double a[3]) {
    return (lashi_vec3){a[0], a[1], a[2]};
}
static inline lashi_vec3 lashi_add3(lashi_vec3 a, lashi_vec3 b) {
    return (lashi_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline lashi_vec3 lashi_sub3(lashi_vec3 a, lashi_vec3 b) {
    return (lashi_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline lashi_vec3 lashi_scale3(double k, lashi_vec3 a) {
    return (lashi_vec3){k * a.x, k * a.y, k * a.z};
}
/* a + k b */
static inline lashi_vec3 lashi_axpy3(lashi_vec3 a, double k, lashi_vec3 b) {
    return (lashi_vec3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}
static inline double lashi_dot3(lashi_vec3 a, lashi_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline double lashi_length3(lashi_vec3 a) {
    return sqrt(lashi_dot3(a, a));
}
static inline lashi_vec3 lashi_cross3(lashi_vec3 a, lashi_vec3 b) {
    return (lashi_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/* a − (a·u) u over its length; u unit. Zero where a is along u. */
static inline lashi_vec3 lashi_across(lashi_vec3 a, lashi_vec3 u) {
    const lashi_vec3 b = lashi_axpy3(a, -lashi_dot3(a, u), u);
    const double length = lashi_length3(b);
    return length > 0 ? lashi_scale3(1 / length, b) : b;
}
/* Some unit vector across the unit vector u. */
static inline lashi_vec3 lashi_any_across(lashi_vec3 u) {
    const double x = fabs(u.x), y = fabs(u.y), z = fabs(u.z);
    const lashi_vec3 far = x <= y && x <= z ? (lashi_vec3){1, 0, 0}
                           : y <= z         ? (lashi_vec3){0, 1, 0}
                                            : (lashi_vec3){0, 0, 1};
    return lashi_across(far, u);
}

/* A s and Aᵀ s */
static inline lashi_vec3 lashi_turn3(const double A[9], lashi_vec3 s) {
    return (lashi_vec3){A[0] * s.x + A[1] * s.y + A[2] * s.z, A[3] * s.x + A[4] * s.y + A[5] * s.z,
                        A[6] * s.x + A[7] * s.y + A[8] * s.z};
}
static inline lashi_vec3 lashi_turn_back(const double A[9], lashi_vec3 s) {
    return (lashi_vec3){A[0] * s.x + A[3] * s.y + A[6] * s.z, A[1] * s.x + A[4] * s.y + A[7] * s.z,
                        A[2] * s.x + A[5] * s.y + A[8] * s.z};
}

/* The matrix of p. */
static inline void lashi_matrix(double A[9], const double p[4]) {
    const double e11 = p[1] * p[1], e22 = p[2] * p[2], e33 = p[3] * p[3], e12 = p[1] * p[2],
                 e13 = p[1] * p[3], e23 = p[2] * p[3], e01 = p[0] * p[1], e02 = p[0] * p[2],
                 e03 = p[0] * p[3], k = 2 / (p[0] * p[0] + e11 + e22 + e33);
    A[0] = 1 - k * (e22 + e33);
    A[1] = k * (e12 - e03);
    A[2] = k * (e13 + e02);
    A[3] = k * (e12 + e03);
    A[4] = 1 - k * (e11 + e33);
    A[5] = k * (e23 - e01);
    A[6] = k * (e13 - e02);
    A[7] = k * (e23 + e01);
    A[8] = 1 - k * (e11 + e22);
}

static inline void lashi_unit4(double unit[4], const double p[4]) {
    const double k = 1 / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int i = 0; i < 4; i++)
        unit[i] = k * p[i];
}

/* The matrix of p, and p made unit. */
static inline void lashi_rotation(double A[9], double unit[4], const double p[4]) {
    lashi_matrix(A, p);
    lashi_unit4(unit, p);
}

/* Product p ∘ q: the turn q in the axes that p has turned. out must not alias p or q. */
static inline void lashi_compose(double out[4], const double p[4], const double q[4]) {
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    out[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    out[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
    out[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}

/* ½ p ∘ (0, w): the rate of p for the angular velocity w in body axes. */
static inline void lashi_orientation_rate(double out[4], const double p[4], lashi_vec3 w) {
    out[0] = 0.5 * (-p[1] * w.x - p[2] * w.y - p[3] * w.z);
    out[1] = 0.5 * (p[0] * w.x + p[2] * w.z - p[3] * w.y);
    out[2] = 0.5 * (p[0] * w.y - p[1] * w.z + p[3] * w.x);
    out[3] = 0.5 * (p[0] * w.z + p[1] * w.y - p[2] * w.x);
}

#endif
