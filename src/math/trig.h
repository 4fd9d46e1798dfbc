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

#define LASHI_TWO_PI     6.283185307179586
#define LASHI_TRIG_RANGE 1e6 /* rad: 160,000 turns */

static inline void lashi_sincos(double x, double *restrict s, double *restrict c) {
    if (!(fabs(x) <= LASHI_TRIG_RANGE)) {
        *s = sin(x);
        *c = cos(x);
        return;
    }
    static const double TWO_OVER_PI = 6.36619772367581382433e-01;
    static const double PART1 = 1.57079632673412561417e+00, PART2 = 6.07710050630396597660e-11,
                        PART3 = 2.02226624879595063154e-21;
    static const double SHIFT = 6755399441055744.0; // 1.5·2^52: adding it rounds to an integer
    const double k = (TWO_OVER_PI * x + SHIFT) - SHIFT;
    const double r1 = x - k * PART1, w = k * PART2, r = r1 - w; // the first two are exact …
    const double tail = ((r1 - r) - w) - k * PART3;             // … and this is what r lacks
    const double z = r * r;
    // Terms in pairs: processors wait for one result after the other, not for sums.
    const double zz = z * z, zzzz = zz * zz;
    const double p = z * ((-1.66666666666666324348e-01 + z * 8.33333333332248946124e-03) +
                          (zz * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06) +
                           zzzz * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
    const double q = zz * ((4.16666666666666019037e-02 + z * -1.38888888888741095749e-03) +
                           (zz * (2.48015872894767294178e-05 + z * -2.75573143513906633035e-07) +
                            zzzz * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)));
    const double half = 0.5 * z, near = 1 - half; // 1 − z/2, whose rounding is given back below
    const double S = r + (tail * near + r * p);
    const double C = near + (((1 - near) - half) + (q - tail * r * (1 + p)));
    const unsigned quadrant = (unsigned)(int)k & 3u;
    const double a = quadrant & 1u ? C : S, b = quadrant & 1u ? S : C;
    *s = quadrant & 2u ? -a : a;
    *c = (quadrant + 1u) & 2u ? -b : b;
}

#endif
