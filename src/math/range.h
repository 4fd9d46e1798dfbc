/* SPDX-License-Identifier: MIT
 *
 * Interval arithmetic with two derivatives: bounds of f, f' and f'' over a stretch of time. What a range
 * holds is certain: results are rounded outwards, and where nothing is known the range is all numbers.
 *
 * g(x):  g(X),  g_x(X) X',  g_x(X) X'' + g_xx(X) X'^2, with X the range of x.
 * Reference: R. E. Moore, Interval Analysis, Prentice-Hall 1966.
 */
#ifndef LASHI_RANGE_H
#define LASHI_RANGE_H

#include "math/expression.h"

typedef struct lashi_range {
    double low, high;
} lashi_range;

typedef struct lashi_range_jet {
    lashi_range f, df, ddf;
} lashi_range_jet;

/* Zero is not in the range. */
static inline bool lashi_range_excludes_zero(lashi_range a) {
    return a.low > 0 || a.high < 0;
}

lashi_range_jet lashi_range_constant(double value);
lashi_range_jet lashi_range_time(double low, double high);
lashi_range_jet lashi_range_negate(lashi_range_jet a);
lashi_range_jet lashi_range_add(lashi_range_jet a, lashi_range_jet b);
lashi_range_jet lashi_range_subtract(lashi_range_jet a, lashi_range_jet b);
lashi_range_jet lashi_range_multiply(lashi_range_jet a, lashi_range_jet b);
lashi_range_jet lashi_range_divide(lashi_range_jet a, lashi_range_jet b);
lashi_range_jet lashi_range_power(lashi_range_jet a, lashi_range_jet b);
lashi_range_jet lashi_range_square(lashi_range_jet a);

lashi_range_jet lashi_range_sin(lashi_range_jet a);
lashi_range_jet lashi_range_cos(lashi_range_jet a);
lashi_range_jet lashi_range_tan(lashi_range_jet a);
lashi_range_jet lashi_range_asin(lashi_range_jet a);
lashi_range_jet lashi_range_acos(lashi_range_jet a);
lashi_range_jet lashi_range_atan(lashi_range_jet a);
lashi_range_jet lashi_range_sinh(lashi_range_jet a);
lashi_range_jet lashi_range_cosh(lashi_range_jet a);
lashi_range_jet lashi_range_tanh(lashi_range_jet a);
lashi_range_jet lashi_range_exp(lashi_range_jet a);
lashi_range_jet lashi_range_log(lashi_range_jet a);
lashi_range_jet lashi_range_log10(lashi_range_jet a);
lashi_range_jet lashi_range_sqrt(lashi_range_jet a);
lashi_range_jet lashi_range_smoothstep(lashi_range_jet a); /* the part between 0 and 1 */
lashi_range_jet lashi_range_hypot(lashi_range_jet a, lashi_range_jet b);
/* side: the sign of y, which does not change. */
lashi_range_jet lashi_range_atan2(lashi_range_jet y, lashi_range_jet x, int side);

#endif
