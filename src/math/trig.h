/* SPDX-License-Identifier: MIT
 *
 * Sine and cosine together, inlined: every evaluation turns every body, and the library call costs more than
 * the rest of a small joint.
 *
 * x = k π/2 + r, |r| ≤ π/4, by Cody and Waite's reduction with π/2 in three parts (the first two have 33 and
 * 33 bits, so that k times them is exact for |k| < 2^20); then the polynomials of fdlibm's __kernel_sin and
 * __kernel_cos (Sun Microsystems 1993, their published coefficients), whose errors are below 2^-57 and 2^-56
 * on |r| ≤ π/4. Error below 1 unit in the last place for |x| ≤ LASHI_TRIG_RANGE; beyond it, and for NaN, the
 * library's own is called.
 */
#ifndef LASHI_TRIG_H
#define LASHI_TRIG_H

#include <math.h>
#include <stdbool.h>

#define LASHI_TWO_PI     6.283185307179586
#define LASHI_TRIG_RANGE 1e6 /* rad: 160,000 turns */

/* From x: S and C, sine and cosine of the remainder, and `shifted`, whose last bits are the quadrant; for one
 * angle or several side by side. Terms are summed in pairs, which shortens the chain of dependent
 * operations. */
#define LASHI_SINCOS(number, N)                                                                               \
    const number SHIFT = N(6755399441055744.0); /* 1.5·2^52: adding it rounds to an integer */               \
    const number shifted = N(6.36619772367581382433e-01) * x + SHIFT, k = shifted - SHIFT;                    \
    /* The first two are exact, and the tail is what r lacks. */                                              \
    const number r1 = x - k * N(1.57079632673412561417e+00), w = k * N(6.07710050630396597660e-11),           \
                 r = r1 - w;                                                                                  \
    const number tail = ((r1 - r) - w) - k * N(2.02226624879595063154e-21);                                   \
    const number z = r * r, zz = z * z, zzzz = zz * zz;                                                       \
    const number p = z * ((N(-1.66666666666666324348e-01) + z * N(8.33333333332248946124e-03)) +              \
                          (zz * (N(-1.98412698298579493134e-04) + z * N(2.75573137070700676789e-06)) +        \
                           zzzz * (N(-2.50507602534068634195e-08) + z * N(1.58969099521155010221e-10))));     \
    const number q = zz * ((N(4.16666666666666019037e-02) + z * N(-1.38888888888741095749e-03)) +             \
                           (zz * (N(2.48015872894767294178e-05) + z * N(-2.75573143513906633035e-07)) +       \
                            zzzz * (N(2.08757232129817482790e-09) + z * N(-1.13596475577881948265e-11))));    \
    const number half = N(0.5) * z, near = N(1.0) - half; /* 1 − z/2, whose rounding is given back below */ \
    const number S = r + (tail * near + r * p);                                                               \
    const number C = near + (((N(1.0) - near) - half) + (q - tail * r * (N(1.0) + p)));

#define LASHI_ONE(x)   (x)
#define LASHI_TWICE(x) ((lashi_two){(x), (x)})

static inline void lashi_sincos(double x, double *restrict s, double *restrict c) {
    if (!(fabs(x) <= LASHI_TRIG_RANGE)) {
        *s = sin(x);
        *c = cos(x);
        return;
    }
    LASHI_SINCOS(double, LASHI_ONE)
    const unsigned quadrant = (unsigned)(int)k & 3u;
    const double a = quadrant & 1u ? C : S, b = quadrant & 1u ? S : C;
    *s = quadrant & 2u ? -a : a;
    *c = (quadrant + 1u) & 2u ? -b : b;
}

/* The same without inlining, for where it is rare. */
__attribute__((noinline, cold, unused)) static void lashi_sincos_aside(double x, double *restrict s,
                                                                       double *restrict c) {
    lashi_sincos(x, s, c);
}

typedef double lashi_two __attribute__((vector_size(16)));
typedef unsigned long long lashi_two_bits __attribute__((vector_size(16)));

/* Of two angles, at little more than the cost of one; the same bits. False: one of them is out of range, and
 * the results are wrong. */
static inline bool lashi_sincos_two(lashi_two x, lashi_two *restrict s, lashi_two *restrict c) {
    LASHI_SINCOS(lashi_two, LASHI_TWICE)
    const lashi_two_bits quadrant = (lashi_two_bits)shifted;
    const lashi_two_bits swap = ((lashi_two_bits)S ^ (lashi_two_bits)C) & -(quadrant & 1);
    *s = (lashi_two)((lashi_two_bits)S ^ swap ^ ((quadrant & 2) << 62));
    *c = (lashi_two)((lashi_two_bits)C ^ swap ^ (((quadrant + 1) & 2) << 62));
    const lashi_two size = (lashi_two)((lashi_two_bits)x & 0x7fffffffffffffffULL);
    const lashi_two_bits near_zero = (lashi_two_bits)(size <= LASHI_TWICE(LASHI_TRIG_RANGE)); // no NaN is
    return near_zero[0] & near_zero[1];
}

#endif
