/* SPDX-License-Identifier: MIT
 *
 * Interval arithmetic with two derivatives: bounds of f, f' and f'' over a stretch of time. Bounds are
 * certain: results are rounded outwards, and where nothing is known they are infinite.
 *
 * g(x):  g(X),  g_x(X) X',  g_x(X) X'' + g_xx(X) X'^2, with X the bounds of x.
 * Reference: R. E. Moore, Interval Analysis, Prentice-Hall 1966.
 */
#ifndef LASHI_BOUNDS_H
#define LASHI_BOUNDS_H

#include "math/expression.h"

typedef struct lashi_bounds {
    double low, high;
} lashi_bounds;

typedef struct lashi_bounds_jet {
    lashi_bounds f, df, ddf;
} lashi_bounds_jet;

/* Zero is not between them. */
static inline bool lashi_bounds_excludes_zero(lashi_bounds a) {
    return a.low > 0 || a.high < 0;
}

lashi_bounds_jet lashi_bounds_constant(double value);
lashi_bounds_jet lashi_bounds_time(double low, double high);
lashi_bounds_jet lashi_bounds_negate(lashi_bounds_jet a);
lashi_bounds_jet lashi_bounds_add(lashi_bounds_jet a, lashi_bounds_jet b);
lashi_bounds_jet lashi_bounds_subtract(lashi_bounds_jet a, lashi_bounds_jet b);
lashi_bounds_jet lashi_bounds_multiply(lashi_bounds_jet a, lashi_bounds_jet b);
lashi_bounds_jet lashi_bounds_divide(lashi_bounds_jet a, lashi_bounds_jet b);
lashi_bounds_jet lashi_bounds_power(lashi_bounds_jet a, lashi_bounds_jet b);
lashi_bounds_jet lashi_bounds_square(lashi_bounds_jet a);

lashi_bounds_jet lashi_bounds_sin(lashi_bounds_jet a);
lashi_bounds_jet lashi_bounds_cos(lashi_bounds_jet a);
lashi_bounds_jet lashi_bounds_tan(lashi_bounds_jet a);
lashi_bounds_jet lashi_bounds_asin(lashi_bounds_jet a);
lashi_bounds_jet lashi_bounds_acos(lashi_bounds_jet a);
lashi_bounds_jet lashi_bounds_atan(lashi_bounds_jet a);
lashi_bounds_jet lashi_bounds_sinh(lashi_bounds_jet a);
lashi_bounds_jet lashi_bounds_cosh(lashi_bounds_jet a);
lashi_bounds_jet lashi_bounds_tanh(lashi_bounds_jet a);
lashi_bounds_jet lashi_bounds_exp(lashi_bounds_jet a);
lashi_bounds_jet lashi_bounds_log(lashi_bounds_jet a);
lashi_bounds_jet lashi_bounds_log10(lashi_bounds_jet a);
lashi_bounds_jet lashi_bounds_sqrt(lashi_bounds_jet a);
lashi_bounds_jet lashi_bounds_smoothstep(lashi_bounds_jet a); /* the part between 0 and 1 */
lashi_bounds_jet lashi_bounds_hypot(lashi_bounds_jet a, lashi_bounds_jet b);
/* side: the sign of y, which does not change. */
lashi_bounds_jet lashi_bounds_atan2(lashi_bounds_jet y, lashi_bounds_jet x, int side);

#endif
