/* SPDX-License-Identifier: MIT
 *
 * Quantiles of a sample with confidence bands that assume nothing of the distribution.
 *
 * The number of values below the true quantile q_p is binomial(n, p), so that for ranks l < u
 *     P(x_(l) <= q_p <= x_(u)) >= P(l <= B <= u − 1) = F(u − 1) − F(l − 1),
 * with B ~ binomial(n, p) (David and Nagaraja, Order Statistics, 7.1). Each side is given half of what may be
 * missed: l is the largest rank with F(l − 1) <= α/2, u the smallest with F(u − 1) >= 1 − α/2. Where the
 * sample is too small for a side there is no such rank.
 */
#include <math.h>

#include "study/distribution.h"

double lashi_quantile(const double *sorted, size_t count, double p) {
    if (count == 0)
        return (double)NAN;
    const double at = (double)(count - 1) * p, whole = floor(at);
    const size_t i = (size_t)whole;
    if (i + 1 >= count)
        return sorted[count - 1];
    return sorted[i] + (at - whole) * (sorted[i + 1] - sorted[i]);
}

/* lgamma keeps its sign in a global; lgamma_r does not. */
static double log_factorial(double n) {
    int sign;
    return lgamma_r(n + 1, &sign);
}

static double binomial(double n, double k, double p) {
    return exp(log_factorial(n) - log_factorial(k) - log_factorial(n - k) + k * log(p) + (n - k) * log1p(-p));
}

void lashi_quantile_ranks(size_t *low, size_t *high, size_t count, double p, double confidence) {
    const double missed = 0.5 * (1 - confidence), n = (double)count;
    double cumulative = 0;
    *low = *high = 0;
    if (!(p > 0 && p < 1))
        return;
    for (size_t k = 0; k < count; k++) {
        cumulative += binomial(n, (double)k, p); // F(k)
        if (cumulative <= missed)
            *low = k + 1;
        if (!*high && cumulative >= 1 - missed)
            *high = k + 1;
    }
}
