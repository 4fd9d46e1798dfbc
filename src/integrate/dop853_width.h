/* SPDX-License-Identifier: MIT
 *
 * Sums of the stages of dop853 (dop853.c), for vectors of WIDTH components; dop853.c includes it once for each kind of
 * processor. NAME(x) is the name of a function, TARGET says for which processor it is. It has no guard.
 *
 * Each of the eight components of a line has its own sum, whatever the width: all give the same bits. Quadratures,
 * which f does not read, are summed for the new y alone.
 */
#define PART         NAME(part)
#define BITS         NAME(bits)
#define TEST         NAME(test)
#define STRETCH      NAME(stretched)
#define AT(x)        (*(PART *)(size_t)(x))
#define TERM(j, a)   +(a)*AT(k + (j)*stride + i)
#define SIZE(x)      ((PART)((BITS)(x)&0x7fffffffffffffffLL))
#define LARGER(a, b) ((PART)(((BITS)(a) & ((a) > (b))) | ((BITS)(b) & ~((a) > (b)))))

typedef double PART __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));
typedef long long BITS __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));

/* A line is `low`, and `high` where it has two parts. */
#define INLINE TARGET __attribute__((always_inline)) static inline
INLINE double NAME(sum_line)(const PART *low, const PART *high) {
    const PART a = *low, b = WIDTH < LINE ? *high : a;
    const int up = WIDTH % LINE; // the first place of the second four
    return ((a[0] + a[1]) + (a[2] + a[3])) + ((b[4 - up] + b[5 - up]) + (b[6 - up] + b[7 - up]));
}

TARGET static bool NAME(finite)(const double *x, size_t stride) {
    PART low = {0}, high = {0};
    for (size_t i = 0; i < stride; i += LINE) {
        low += 0.0 * AT(x + i); // NaN for every infinity and NaN
        if (WIDTH < LINE)
            high += 0.0 * AT(x + i + WIDTH);
    }
    return NAME(sum_line)(&low, &high) == 0.0;
}

/* What an error test adds up. */
typedef struct TEST {
    PART e5, e3, finite;
} TEST;

/* Components of the new y, with their weights and errors. shaken: by what `shake` counts. */
INLINE void NAME(test_part)(TEST *sum, double *restrict weight, double *restrict y_new, const dop853 *self,
                            const double *restrict y, double h, double shaken, size_t i) {
    const double *restrict k = self->k;
    const size_t stride = self->stride;
    const PART slope = LASHI_DOP853_A12(TERM), before = AT(y + i), now = before + h * slope;
    const PART a = SIZE(before), b = SIZE(now),
               wanted = AT(self->atol + i) + AT(self->rtol + i) * LARGER(a, b),
               noise = shaken * AT(self->shake + i), scale = LARGER(noise, wanted);
    const PART w = AT(self->mask + i) / (scale + TINY), e5 = w * (LASHI_DOP853_E5(TERM)),
               e3 = w * (slope - (LASHI_DOP853_B3(TERM)));
    AT(y_new + i) = now;
    AT(weight + i) = w;
    sum->e5 += e5 * e5;
    sum->e3 += e3 * e3;
    sum->finite += 0.0 * now;
}
/* The same of components that are not in the error norm, but must be numbers too. */
INLINE void NAME(add_part)(TEST *sum, double *restrict y_new, const dop853 *self, const double *restrict y,
                           double h, size_t i) {
    const double *restrict k = self->k;
    const size_t stride = self->stride;
    const PART now = AT(y + i) + h * (LASHI_DOP853_A12(TERM));
    AT(y_new + i) = now;
    sum->finite += 0.0 * now;
}

/* The new y, and the combined error of the step, NaN or infinite when something is not finite. Fills weight. */
TARGET static double NAME(step)(double *restrict weight, double *restrict y_new, const dop853 *self,
                                const double *restrict y, double h) {
    const double shaken = self->base.shaken ? h : 0;
    TEST low = {0}, high = {0};
    for (size_t i = 0; i < self->tested; i += LINE) {
        NAME(test_part)(&low, weight, y_new, self, y, h, shaken, i);
        if (WIDTH < LINE)
            NAME(test_part)(&high, weight, y_new, self, y, h, shaken, i + WIDTH);
    }
    for (size_t i = self->tested; i < self->stride; i += LINE) {
        NAME(add_part)(&low, y_new, self, y, h, i);
        if (WIDTH < LINE)
            NAME(add_part)(&high, y_new, self, y, h, i + WIDTH);
    }
    const double s5 = NAME(sum_line)(&low.e5, &high.e5), s3 = NAME(sum_line)(&low.e3, &high.e3),
                 both = s5 + 0.01 * s3;
    const double err = both > 0 ? h * s5 / sqrt(both * (double)self->controlled) : both;
    return err + NAME(sum_line)(&low.finite, &high.finite);
}

/* |h lambda| from f and y at the last two stages, both at t + h; NaN where f is not finite there. */
typedef struct STRETCH {
    PART df, dy, finite;
} STRETCH;
INLINE void NAME(stretch_part)(STRETCH *sum, const dop853 *self, const double *restrict y_new, size_t i) {
    const PART w = AT(self->weight + i), f = AT(stage(self, LAST) + i),
               a = w * (f - AT(stage(self, LAST - 1) + i)), b = w * (AT(y_new + i) - AT(self->argument + i));
    sum->df += a * a;
    sum->dy += b * b;
    sum->finite += 0.0 * f;
}
TARGET static double NAME(stretch)(const dop853 *self, const double *restrict y_new, double h) {
    STRETCH low = {0}, high = {0};
    for (size_t i = 0; i < self->tested; i += LINE) {
        NAME(stretch_part)(&low, self, y_new, i);
        if (WIDTH < LINE)
            NAME(stretch_part)(&high, self, y_new, i + WIDTH);
    }
    for (size_t i = self->tested; i < self->stride; i += LINE) {
        low.finite += 0.0 * AT(stage(self, LAST) + i);
        if (WIDTH < LINE)
            high.finite += 0.0 * AT(stage(self, LAST) + i + WIDTH);
    }
    const double num = NAME(sum_line)(&low.df, &high.df), den = NAME(sum_line)(&low.dy, &high.dy);
    return (den > 0 ? h * sqrt(num / den) : 0.0) + NAME(sum_line)(&low.finite, &high.finite);
}

/* The seven coefficients of the interpolant from the stages of a step h from y_old to y. */
TARGET static void NAME(polynomial)(const dop853 *self, const double *restrict y_old,
                                    const double *restrict y, double h) {
    const size_t stride = self->stride;
    const double *restrict k = self->k;
    double *restrict p = self->polynomial;
    for (size_t i = 0; i < stride; i += WIDTH) {
        const PART dy = AT(y + i) - AT(y_old + i), bend = h * AT(k + i) - dy;
        AT(p + i) = dy;
        AT(p + stride + i) = bend;
        AT(p + 2 * stride + i) = dy - h * AT(k + LAST * stride + i) - bend;
        AT(p + 3 * stride + i) = h * (LASHI_DOP853_D4(TERM));
        AT(p + 4 * stride + i) = h * (LASHI_DOP853_D5(TERM));
        AT(p + 5 * stride + i) = h * (LASHI_DOP853_D6(TERM));
        AT(p + 6 * stride + i) = h * (LASHI_DOP853_D7(TERM));
    }
}

/* y at x of the step from y_old that the polynomial is for. */
TARGET static void NAME(point)(double *restrict y, const dop853 *self, const double *restrict y_old,
                               double x) {
    const double z = 1.0 - x;
    const double *restrict p = self->polynomial;
    const size_t m = self->stride;
    for (size_t i = 0; i < self->n; i++) {
        double tail = p[3 * m + i] + x * (p[4 * m + i] + z * (p[5 * m + i] + x * p[6 * m + i]));
        y[i] = y_old[i] + x * (p[i] + z * (p[m + i] + x * (p[2 * m + i] + z * tail)));
    }
}

#define ARGUMENT(s)                                                                                          \
    TARGET static void NAME(argument_##s)(double *restrict out, const double *restrict y,                    \
                                          const double *restrict k, size_t stride, size_t count, double h) { \
        lashi_dop853_argument_##s(out, y, k, stride, count, h);                                              \
    }
LASHI_DOP853_STEP_STAGES(ARGUMENT)
LASHI_DOP853_DENSE_STAGES(ARGUMENT)

#define LISTED(s) [s] = NAME(argument_##s),
static const struct sums NAME(sums) = {
    .argument = {LASHI_DOP853_STEP_STAGES(LISTED) LASHI_DOP853_DENSE_STAGES(LISTED)},
    .finite = NAME(finite),
    .step = NAME(step),
    .stretch = NAME(stretch),
    .polynomial = NAME(polynomial),
    .point = NAME(point),
};

#undef PART
#undef BITS
#undef TEST
#undef STRETCH
#undef INLINE
#undef AT
#undef TERM
#undef SIZE
#undef LARGER
#undef ARGUMENT
#undef LISTED
#undef NAME
#undef TARGET
#undef WIDTH
