/* SPDX-License-Identifier: MIT
 *
 * Products over all links and blocks of a planned set of constraints. constraints.c offers them as functions;
 * an evaluation has them inlined, for the plane and for space (`width`, a constant there).
 */
#ifndef LASHI_LINKS_H
#define LASHI_LINKS_H

#include <limits.h>
#include <string.h>

#include "joint/revolute.h"
#include "math/chain.h"
#include "math/pair.h"
#include "system/constraints.h"
#include "system/products.h"

/* Rows of another constraint than a pin in the plane. */
void lashi_other_rows(lashi_constraint_work *work, const lashi_constraint *item, const lashi_frame *frames,
                      double t);
/* Zeros in rows that are off, and the columns of pinned bodies. */
void lashi_change_rows(lashi_constraint_work *work, const lashi_constraint_set *set,
                       const lashi_frame *frames);

/* Blocks and links of other sizes than those of a pin in the plane, the most frequent ones. Rows of S from
 * `needed` on are not needed. */
void lashi_add_other_block(double *S, const lashi_block *block, const double *J,
                           const double (*inverse)[LASHI_FREEDOMS], int first, int columns, int needed);
void lashi_multiply_other_link(double *out, const lashi_link *link, const double *J, const double *u,
                               int width);
void lashi_subtract_other_link(double *force, const lashi_link *link, const double *J, const double *lambda,
                               int width);

/* chain.c: set->alike; work->chain, once S_steady has been computed. */
void lashi_find_alike(lashi_constraint_set *set);
void lashi_plan_chain(lashi_constraint_work *work, const lashi_constraint_set *set);

/* out += J u of a constraint of points and one of its bodies: v has the factor `sign` in the first three rows and none in
 * others. */
LASHI_IN_PLACE void lashi_multiply_points(double *restrict out, const double *restrict J, int rows,
                                          const double *restrict u, double sign) {
    const double start[LASHI_MAX_ROWS] = {sign * u[0], sign * u[1], sign * u[2]};
    int r = 0;
    for (; r + 1 < rows; r += 2) {
        lashi_pair2 sum = {start[r], start[r + 1]};
        for (int k = 3; k < LASHI_FREEDOMS; k++)
            sum += *(const lashi_pair2 *)(J + k * rows + r) * u[k];
        *(lashi_pair2 *)(out + r) += sum;
    }
    if (r < rows) {
        double sum = start[r];
        for (int k = 3; k < LASHI_FREEDOMS; k++)
            sum += J[k * rows + r] * u[k];
        out[r] += sum;
    }
}
/* force −= Jᵀ x of the same. */
LASHI_IN_PLACE void lashi_subtract_points(double *restrict force, const double *restrict J, int rows,
                                          const double *restrict x, double sign) {
    const double *a = J + 3 * rows, *b = a + rows, *c = b + rows;
    double first = a[0] * x[0];
    lashi_pair2 sum = (lashi_pair2){b[0], c[0]} * x[0];
    for (int r = 1; r < rows; r++) {
        first += a[r] * x[r];
        sum += (lashi_pair2){b[r], c[r]} * x[r];
    }
    *(lashi_pair2 *)force -= sign * *(const lashi_pair2 *)x;
    *(lashi_pair2 *)(force + 2) -= (lashi_pair2){sign * x[2], first};
    *(lashi_pair2 *)(force + 4) -= sum;
}

static inline lashi_rows lashi_rows_of(const lashi_constraint_work *work, const lashi_constraint *item) {
    return (lashi_rows){.J = work->J + item->jacobian,
                        .Phi = work->Phi + item->first_row,
                        .Phi_dot = work->Phi_dot + item->first_row,
                        .gamma = work->gamma + item->first_row,
                        .again = work->filled};
}

/* lashi_constraints_evaluate. */
__attribute__((always_inline)) static inline void lashi_evaluate_rows(lashi_constraint_work *work,
                                                                      const lashi_constraint_set *set,
                                                                      const lashi_frame *frames, double t) {
    work->frames = frames;
    const lashi_constraint *const end = set->items + set->count;
    const lashi_constraint *item = set->items;
    if (set->alike) {
        set->alike->evaluate(work, set, frames);
        item = end;
    }
    for (; item < end; item++) {
        if (item->pin) {
            const lashi_rows rows = lashi_rows_of(work, item);
            // the rest of J was written once
            lashi_revolute_turning(
                &rows, item, lashi_pair_evaluate(&frames[item->body[0]], &frames[item->body[1]], item->s));
        } else {
            lashi_other_rows(work, item, frames, t);
        }
    }
    work->filled = true;
    if (work->off || set->narrow_count > 0)
        lashi_change_rows(work, set, frames);
}

/* One block of S, over `columns` columns from `first` on. */
static inline void lashi_add_block(double *S, const lashi_block *block, const double *J,
                                   const double (*inverse)[LASHI_FREEDOMS], int first, int columns,
                                   int needed) {
    if (block->rows_a == 2 && block->rows_b == 2)
        lashi_add_products(S + block->at, block->stride, J + block->J_a, 2, J + block->J_b, 2,
                           inverse[block->body], first, columns);
    else
        lashi_add_other_block(S, block, J, inverse, first, columns, needed);
}

/* Adds all blocks to S; where the constant part of S is kept, only the rest. */
static inline void lashi_add_blocks(double *S, const lashi_constraint_work *work,
                                    const lashi_constraint_set *set, const double (*inverse)[LASHI_FREEDOMS],
                                    int width) {
    const int turning = width == LASHI_PLANE ? 2 : 3; // the first column that turns
    const double *J = work->J;
    const bool keeps = work->S_steady;
    const int needed = width == LASHI_PLANE ? INT_MAX : lashi_needed_rows(work, set); // few there
    const lashi_block *const end = set->blocks + set->block_count;
    for (const lashi_block *block = set->blocks; block < end; block++) {
        if (keeps && block->kept)
            continue;
        if (keeps && block->steady)
            lashi_add_block(S, block, J, inverse, turning, width - turning, needed);
        else
            lashi_add_other_block(S, block, J, inverse, 0, width, needed);
    }
}

/* out[row] += Φq u. */
static inline void lashi_multiply_links(double *out, const double *J, const lashi_constraint_set *set,
                                        const double (*u)[LASHI_FREEDOMS], int width) {
    if (width == LASHI_FREEDOMS && set->alike) {
        set->alike->multiply(out, J, set, u);
        return;
    }
    const lashi_link *const end = set->links + set->link_count;
    for (const lashi_link *link = set->links; link < end; link++)
        if (link->rows == 2)
            lashi_multiply_rows(out + link->row, J + link->J, 2, u[link->body], width);
        else
            lashi_multiply_other_link(out + link->row, link, J + link->J, u[link->body], width);
}

/* force[body] −= Φqᵀ x. */
static inline void lashi_subtract_links(double (*force)[LASHI_FREEDOMS], const double *J,
                                        const lashi_constraint_set *set, const double *x, int width) {
    if (width == LASHI_FREEDOMS && set->alike) {
        set->alike->subtract(force, J, set, x);
        return;
    }
    const lashi_link *const end = set->links + set->link_count;
    for (const lashi_link *link = set->links; link < end; link++)
        if (link->rows == 2)
            lashi_subtract_rows(force[link->body], J + link->J, 2, x + link->row, width);
        else
            lashi_subtract_other_link(force[link->body], link, J + link->J, x + link->row, width);
}

/* lashi_constraints_factor without damping, and lashi_constraints_solve after it. */
static inline int lashi_factor_links(lashi_constraint_work *work, const lashi_constraint_set *set,
                                     const double (*inverse)[LASHI_FREEDOMS], int width) {
    if (!work->pair)
        return lashi_constraints_factor(work, set, inverse, 0);
    work->inverse = inverse;
    work->shared = false;
    work->repeat_count = work->int_work[0] = 0;
    memcpy(work->S, work->S_steady, 4 * sizeof(double));
    lashi_add_blocks(work->S, work, set, inverse, width);
    return lashi_pair_factor(work->S, work->factor);
}
static inline void lashi_solve_links(double *x, const lashi_constraint_work *work,
                                     const lashi_constraint_set *set) {
    if (work->pair)
        lashi_pair_solve(work->S, work->factor, x);
    else
        lashi_constraints_solve(x, work, set);
}

#endif
