/* SPDX-License-Identifier: MIT
 *
 * Sums of the stages of dop853 (dop853_table.h), written out per row: out = y + h sum a_sj k_j. Arrays are
 * padded to whole lines. dop853.c and the text of a compiled model
 * share them: sums have the same order in both.
 */
#ifndef LASHI_DOP853_SUMS_H
#define LASHI_DOP853_SUMS_H

#include <stddef.h>

#include "integrate/dop853_table.h"

enum {
    LASHI_DOP853_LINE = 8,      /* doubles in a cache line */
    LASHI_DOP853_FEW_LINES = 8, /* arrays this short all fit a cache whatever their distance */
    LASHI_DOP853_LAST = 12      /* the stage at the new y */
};

/* n rounded up to whole lines, … */
static inline size_t lashi_dop853_lines(size_t n) {
    return (n + LASHI_DOP853_LINE - 1) / LASHI_DOP853_LINE * LASHI_DOP853_LINE;
}
/* … and so that no two arrays of that length fall on the same lines of a cache. */
static inline size_t lashi_dop853_stride(size_t n) {
    const size_t lines = lashi_dop853_lines(n) / LASHI_DOP853_LINE;
    return (lines > LASHI_DOP853_FEW_LINES ? lines | 1 : lines) * LASHI_DOP853_LINE;
}

/* Four components side by side; whatever the processor has for that, the sums are the same. */
typedef double lashi_dop853_four __attribute__((vector_size(32), aligned(8), may_alias));

#define LASHI_DOP853_TERM(j, a) +(a) * *(const lashi_dop853_four *)(k + (j)*stride + i)
#define LASHI_DOP853_ARGUMENT(s)                                                                             \
    __attribute__((always_inline)) static inline void lashi_dop853_argument_##s(                             \
        double *restrict out, const double *restrict y, const double *restrict k, size_t stride,             \
        size_t count, double h) {                                                                            \
        for (size_t i = 0; i < count; i += 4)                                                                \
            *(lashi_dop853_four *)(out + i) =                                                                \
                *(const lashi_dop853_four *)(y + i) + h * (LASHI_DOP853_A##s(LASHI_DOP853_TERM));            \
    }

/* Those of a step, and those of the interpolant. */
#define LASHI_DOP853_STEP_STAGES(X)  X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define LASHI_DOP853_DENSE_STAGES(X) X(13) X(14) X(15)
LASHI_DOP853_STEP_STAGES(LASHI_DOP853_ARGUMENT)
LASHI_DOP853_DENSE_STAGES(LASHI_DOP853_ARGUMENT)
/* The new y. */
LASHI_DOP853_ARGUMENT(12)

#endif
