/* SPDX-License-Identifier: MIT
 *
 * Sets of joints in space that are all balls, or all pins: their rows and products without a choice for each joint. And
 * S of a chain of such joints, each of which shares bodies with the one before it and the one after it in the order
 * of elimination, and with no other.
 *
 * S of a chain is kept above the diagonal (math/chain.h). Nothing is copied from its constant part: of all that is added at a
 * place, the first is added to that, and every entry is written anew.
 */
#include "joint/space.h"
#include "math/chain.h"
#include "system/links.h"

/* Columns of a block that turn, times the inverse inertias. */
typedef struct weighted {
    lashi_chain_row column[3];
} weighted;
LASHI_IN_PLACE void weigh(weighted *out, const double *J, const double *inverse, int rows) {
    LASHI_UNROLLED(int k = 0; k < 3; k++) {
        const lashi_chain_row column = lashi_chain_read(J + k * rows, rows, 0);
        out->column[k] = lashi_chain_times(&column, inverse[k], rows, 0);
    }
}

/* A row of S from its pair `from` on: start + (x, y, z) b. */
LASHI_IN_PLACE void add_row(double *row, const double *start, double x, double y, double z, const weighted *b,
                            int rows, int from) {
    const lashi_chain_row *c = b->column;
    LASHI_UNROLLED(int p = from; p < rows / 2; p++)
    *(lashi_pair2 *)(row + 2 * p) =
        *(const lashi_pair2 *)(start + 2 * p) + c[0].pair[p] * x + c[1].pair[p] * y + c[2].pair[p] * z;
    row[rows - 1] = start[rows - 1] + c[0].last * x + c[1].last * y + c[2].last * z;
}

/* What a body adds for columns that turn, with its one joint or with two (`both`): at S[0] the block of the first, at
 * S[1] that of both, at S[2] that of the second. */
LASHI_IN_PLACE void add_turning(double *const S[3], const double *const start[3], int n, const double *Ja,
                                const double *Jb, const double *inverse, int rows, bool both) {
    weighted a, b;
    weigh(&a, Ja, inverse, rows);
    if (both)
        weigh(&b, Jb, inverse, rows);
    LASHI_UNROLLED(int r = 0; r < rows; r++) {
        const double x = Ja[r], y = Ja[rows + r], z = Ja[2 * rows + r];
        const ptrdiff_t row = (ptrdiff_t)r * n;
        add_row(S[0] + row, start[0] + row, x, y, z, &a, rows, r / 2);
        if (both)
            add_row(S[1] + row, start[1] + row, x, y, z, &b, rows, 0);
    }
    if (!both)
        return;
    LASHI_UNROLLED(int r = 0; r < rows; r++) {
        const ptrdiff_t row = (ptrdiff_t)r * n;
        add_row(S[2] + row, start[2] + row, Jb[r], Jb[rows + r], Jb[2 * rows + r], &b, rows, r / 2);
    }
}

/* The same of one block and any columns. */
static void add_any(double *S, const double *start, int n, const double *Ja, const double *Jb,
                    const double *inverse, int rows, int columns) {
    for (int ra = 0; ra < rows; ra++)
        for (int rb = 0; rb < rows; rb++) {
            double sum = start[(ptrdiff_t)ra * n + rb];
            for (int k = 0; k < columns; k++)
                sum += inverse[k] * Jb[k * rows + rb] * Ja[k * rows + ra];
            S[(ptrdiff_t)ra * n + rb] = sum;
        }
}

/* What the body of block b adds; returns how many blocks that are. */
LASHI_IN_PLACE int add_body(lashi_constraint_work *work, const lashi_block *b, const lashi_block *end, int n,
                            const double *inverse, int rows) {
    const bool turns = b->steady && !b->kept, both = turns && end - b > 2 && b[2].body == b->body;
    double *S[3];
    const double *start[3], *Ja = work->J + b->J_a;
    for (int k = 0; k < (both ? 3 : 1); k++) {
        const int row_a = b[k].at - b[k].row_b * n;
        const ptrdiff_t above = (ptrdiff_t)row_a * n + b[k].row_b;
        S[k] = work->S + above;
        start[k] = b[k].first ? work->S_steady + above : S[k];
    }
    if (both)
        add_turning(S, start, n, Ja + 3 * rows, work->J + b[2].J_a + 3 * rows, inverse + 3, rows, true);
    else if (turns)
        add_turning(S, start, n, Ja + 3 * rows, Ja, inverse + 3, rows, false);
    else
        add_any(S[0], start[0], n, Ja, work->J + b->J_b, inverse + b->way, rows,
                b->single ? 1
                : b->kept ? 0
                          : LASHI_FREEDOMS);
    return both ? 3 : 1;
}

LASHI_IN_PLACE void fill(lashi_constraint_work *work, const lashi_constraint_set *set,
                         const double (*inverse)[LASHI_FREEDOMS], int rows) {
    const lashi_block *b = set->blocks, *const end = b + set->block_count;
    while (b < end)
        b += add_body(work, b, end, set->rows, inverse[b->body], rows);
}

LASHI_IN_PLACE void evaluate(lashi_constraint_work *work, const lashi_constraint_set *set,
                             const lashi_frame *frames, int rows) {
    for (const lashi_constraint *item = set->items, *end = item + set->count; item < end; item++) {
        const lashi_rows out = lashi_rows_of(work, item);
        if (rows == 3)
            lashi_ball_rows3(&out, item, frames);
        else
            lashi_pin_rows3(&out, item, frames);
    }
}

LASHI_IN_PLACE void multiply(double *out, const double *J, const lashi_constraint_set *set,
                             const double (*u)[LASHI_FREEDOMS], int rows) {
    for (const lashi_link *link = set->links, *end = link + set->link_count; link < end; link++)
        lashi_multiply_points(out + link->row, J + link->J, rows, u[link->body], link->points);
}

LASHI_IN_PLACE void subtract(double (*force)[LASHI_FREEDOMS], const double *J,
                             const lashi_constraint_set *set, const double *x, int rows) {
    for (const lashi_link *link = set->links, *end = link + set->link_count; link < end; link++)
        lashi_subtract_points(force[link->body], J + link->J, rows, x + link->row, link->points);
}

/* One set of functions, and one with the instructions of processors that have AVX2, which name three registers. No
 * product and sum becomes one rounding: the bits are the same. */
#define ALIKE(name, target, block)                                                                           \
    target static void evaluate_##name(lashi_constraint_work *work, const lashi_constraint_set *set,         \
                                       const lashi_frame *frames) {                                          \
        evaluate(work, set, frames, block);                                                                  \
    }                                                                                                        \
    target static void multiply_##name(double *out, const double *J, const lashi_constraint_set *set,        \
                                       const double(*u)[LASHI_FREEDOMS]) {                                   \
        multiply(out, J, set, u, block);                                                                     \
    }                                                                                                        \
    target static void subtract_##name(double(*force)[LASHI_FREEDOMS], const double *J,                      \
                                       const lashi_constraint_set *set, const double *x) {                   \
        subtract(force, J, set, x, block);                                                                   \
    }                                                                                                        \
    target static void fill_##name(lashi_constraint_work *work, const lashi_constraint_set *set,             \
                                   const double(*inverse)[LASHI_FREEDOMS]) {                                 \
        fill(work, set, inverse, block);                                                                     \
    }                                                                                                        \
    target static int factor_##name(double *S, double *inverse, int n) {                                     \
        return lashi_chain_factor(S, inverse, n, block);                                                     \
    }                                                                                                        \
    target static void solve_##name(const double *S, const double *inverse, int n, double *x) {              \
        lashi_chain_solve(S, inverse, n, block, x);                                                          \
    }                                                                                                        \
    static const lashi_alike name = {.evaluate = evaluate_##name,                                            \
                                     .multiply = multiply_##name,                                            \
                                     .subtract = subtract_##name,                                            \
                                     .fill = fill_##name,                                                    \
                                     .factor = factor_##name,                                                \
                                     .solve = solve_##name,                                                  \
                                     .rows = block};
ALIKE(balls, , 3)
ALIKE(pins, , LASHI_CHAIN_MOST)
#ifdef __x86_64__
#define WIDE __attribute__((target("avx2")))
ALIKE(wide_balls, WIDE, 3)
ALIKE(wide_pins, WIDE, LASHI_CHAIN_MOST)
#endif

void lashi_find_alike(lashi_constraint_set *set) {
    const int type = set->count > 0 ? set->items[0].type : LASHI_JOINT_drive;
    if (set->width == LASHI_PLANE || (type != LASHI_JOINT_spherical && type != LASHI_JOINT_revolute))
        return;
    for (int c = 1; c < set->count; c++)
        if (set->items[c].type != type)
            return;
    set->alike = type == LASHI_JOINT_spherical ? &balls : &pins;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        set->alike = type == LASHI_JOINT_spherical ? &wide_balls : &wide_pins;
#endif
}

void lashi_plan_chain(lashi_constraint_work *work, const lashi_constraint_set *set) {
    const int rows = set->alike ? set->alike->rows : 1, n = set->rows;
    work->chain = set->alike && set->count > 1 && !set->ldlt.sparse && set->most_repeats == 0 && !work->off;
    for (int row = 0; work->chain && row < n; row += rows)
        work->chain = set->ldlt.first[row] == (row > 0 ? row - rows : 0);
    for (int i = 0; work->chain && i < n; i++)
        for (int j = 0; j < i; j++)
            work->S_steady[j * n + i] = work->S_steady[i * n + j];
}
