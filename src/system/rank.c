/* SPDX-License-Identifier: MIT
 *
 * Redundant constraints: the rank of Φq at the initial position, by a sparse rank-revealing QR factorisation.
 *
 * Columns of Φqᵀ are the constraint equations in the order the user wrote them, drives last, each scaled to
 * unit length with angles weighted by the mechanism's size. SuiteSparseQR with a fixed column order drops a
 * column whose part independent of the columns before it is below a tolerance: so it is the later joint that
 * is called redundant. The motion does not depend on which one is dropped. R is in staircase form: a column
 * is independent when it has an entry in the next row.
 */
#include "system/system.h"

#include <math.h>
#include <string.h>
#include <suitesparse/SuiteSparseQR_C.h>

#include "base/error.h"

/* Independent part of a unit column under which it counts as dependent: far above rounding (1e-15 times the
 * conditioning of a mechanism), far below what a real constraint adds. */
static const double DEPENDENT = 1e-9;
/* Share of S that is added to make it regular; see constraints.h. Rounding enters the reactions divided by
 * it. */
static const double REGULAR = 1e-4;

/* Column numbers of the rows in user order: joints by declaration, then drives. */
static void user_order(int *constraint_of, int *row_of, const lash_system *system) {
    const lashi_constraint_set *set = &system->motion;
    int column = 0;
    for (int j = 0; j < system->joint_count; j++)
        for (int r = 0;
             system->joints[j].constraint >= 0 && r < set->items[system->joints[j].constraint].rows;
             r++, column++) {
            constraint_of[column] = system->joints[j].constraint;
            row_of[column] = r;
        }
    for (int d = 0; d < system->drive_count; d++, column++) {
        constraint_of[column] = system->drives[d].constraint;
        row_of[column] = 0;
    }
}

/* The link of a constraint with the lowest body above `body`; -1: none. */
static int next_link(const lashi_constraint *item, int body) {
    int next = -1;
    for (int link = 0; link < LASHI_LINKS; link++)
        if (item->body[link] > body && (next < 0 || item->body[link] < item->body[next]))
            next = link;
    return next;
}

/* Φqᵀ as a scaled sparse matrix, one column per constraint row in user order. */
static cholmod_sparse *transposed_jacobian(const lash_system *system, const lashi_constraint_work *work,
                                           const int *constraint_of, const int *row_of,
                                           cholmod_common *common) {
    const lashi_constraint_set *set = &system->motion;
    const size_t columns = (size_t)set->rows, rows = (size_t)system->full_v;
    const int width = system->width;
    cholmod_sparse *A = cholmod_l_allocate_sparse(rows, columns, columns * (size_t)(LASHI_LINKS * width), 1,
                                                  1, 0, CHOLMOD_REAL, common);
    if (!A)
        return NULL;
    SuiteSparse_long *start = A->p, *index = A->i, used = 0;
    double *value = A->x;
    for (size_t c = 0; c < columns; c++) {
        const lashi_constraint *item = &set->items[constraint_of[c]];
        const SuiteSparse_long begin = used;
        start[c] = used;
        double square = 0;
        // Links by rising body, so that the row indices are sorted.
        for (int done = 0, link; (link = next_link(item, done)) >= 0; done = item->body[link]) {
            const double *J = work->J + item->jacobian + link * item->rows * LASHI_FREEDOMS + row_of[c];
            for (int i = 0; i < width; i++) {
                index[used] = width * (item->body[link] - 1) + i;
                value[used] = J[i * item->rows] / (i < system->turning ? 1 : system->length);
                square += value[used] * value[used];
                used++;
            }
        }
        for (SuiteSparse_long e = begin; e < used && square > 0; e++)
            value[e] /= sqrt(square);
    }
    start[columns] = used;
    return A;
}

/* dependent[c] = 1 for each column without an own row in R. Returns the rank of the first `part` columns
 * through *part_rank. */
static lash_status factor(unsigned char *dependent, int *part_rank, cholmod_sparse *A, int part,
                          cholmod_common *common, lash_error *error) {
    cholmod_sparse *R = NULL;
    SuiteSparse_long *permutation = NULL;
    const SuiteSparse_long rank = SuiteSparseQR_C(SPQR_ORDERING_FIXED, DEPENDENT, 0, 0, A, NULL, NULL, NULL,
                                                  NULL, &R, &permutation, NULL, NULL, NULL, common);
    if (rank < 0 || !R)
        return lashi_fail_memory(error);
    const SuiteSparse_long *start = R->p, *index = R->i;
    SuiteSparse_long next = 0;
    *part_rank = 0;
    for (SuiteSparse_long c = 0; c < (SuiteSparse_long)R->ncol; c++) {
        const SuiteSparse_long column = permutation ? permutation[c] : c;
        bool own = false;
        for (SuiteSparse_long e = start[c]; e < start[c + 1]; e++)
            own = own || index[e] == next;
        dependent[column] = !own;
        if (own) {
            next++;
            if (column < part)
                ++*part_rank;
        }
    }
    if (permutation)
        cholmod_l_free(R->ncol, sizeof(SuiteSparse_long), permutation, common);
    cholmod_l_free_sparse(&R, common);
    return LASH_OK;
}

lash_status lashi_make_regular(double **out, lash_system *system, const double *diagonal, lash_error *error) {
    const lashi_constraint_set *set = &system->motion;
    double *regular = lashi_arena_alloc(&system->arena, (size_t)set->rows, sizeof(double));
    *out = regular;
    if (!regular)
        return lashi_fail_memory(error);
    // μ D, D the weights of the norm of reactions, in the scale of S.
    double scale = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int c = 0; c < set->count; c++)
            for (int r = 0; r < set->items[c].rows; r++) {
                const int row = set->items[c].first_row + r;
                const double weight =
                    lashi_row_is_moment(&set->items[c], r) ? 1 / (system->length * system->length) : 1;
                if (pass == 0)
                    scale += diagonal[row] / weight / set->rows;
                else
                    regular[row] = REGULAR * scale * weight;
            }
    return LASH_OK;
}

/* Names the dependent rows, and lets the set be solved with them. */
static lash_status keep_dependent(lash_system *system, const double *diagonal, const unsigned char *dependent,
                                  const int *constraint_of, const int *row_of, lash_error *error) {
    lashi_constraint_set *set = &system->motion;
    int count = 0;
    for (int c = 0; c < set->rows; c++)
        count += dependent[c];
    if (count == 0)
        return LASH_OK;
    system->redundant = lashi_arena_alloc(&system->arena, (size_t)count, sizeof *system->redundant);
    if (!system->redundant)
        return lashi_fail_memory(error);
    for (int c = 0; c < set->rows; c++) {
        if (!dependent[c])
            continue;
        const lashi_constraint *item = &set->items[constraint_of[c]];
        const char *text = lashi_arena_print(&system->arena, "%s '%s' (%s)",
                                             item->type == LASHI_JOINT_drive ? "drive" : "joint", item->name,
                                             lashi_row_name(item, row_of[c]));
        if (!text)
            return lashi_fail_memory(error);
        system->redundant[system->redundant_count++] = text;
    }
    return lashi_make_regular(&set->regular, system, diagonal, error);
}

void lashi_diagonal(double *out, const lashi_constraint_work *work, const lash_system *system) {
    const lashi_constraint_set *set = &system->motion;
    memset(out, 0, (size_t)set->rows * sizeof(double));
    for (int l = 0; l < set->link_count; l++) {
        const lashi_link *link = &set->links[l];
        for (int r = 0; r < link->rows; r++)
            for (int k = 0; k < system->width; k++) {
                const double J = work->J[link->J + k * link->rows + r];
                out[link->row + r] += J * J * system->inverse_mass[link->body][k];
            }
    }
}

lash_status lashi_find_redundancy(lash_system *system, lash_error *error) {
    lashi_constraint_set *set = &system->motion;
    system->freedoms = system->freedoms_free = system->full_v;
    if (set->rows == 0 || system->full_v == 0)
        return LASH_OK;
    lashi_arena scratch = {0};
    cholmod_common common;
    cholmod_l_start(&common);
    common.print = 0;
    cholmod_sparse *A = NULL;
    lashi_constraint_work work;
    lash_status status = lashi_constraint_work_create(&work, &scratch, set, error);
    lashi_frame *frames = lashi_arena_alloc(&scratch, (size_t)system->bodies, sizeof *frames);
    int *constraint_of = lashi_arena_alloc(&scratch, (size_t)set->rows, sizeof(int));
    int *row_of = lashi_arena_alloc(&scratch, (size_t)set->rows, sizeof(int));
    unsigned char *dependent = lashi_arena_alloc(&scratch, (size_t)set->rows, 1);
    if (!status && (!frames || !constraint_of || !row_of || !dependent))
        status = lashi_fail_memory(error);
    if (status)
        goto done;
    lashi_frame_ground(&frames[0]);
    lashi_frames_fill(frames, system, system->full0);
    lashi_constraints_evaluate(&work, set, frames, 0);
    user_order(constraint_of, row_of, system);
    A = transposed_jacobian(system, &work, constraint_of, row_of, &common);
    if (!A) {
        status = lashi_fail_memory(error);
        goto done;
    }
    int joint_rank = 0;
    status = factor(dependent, &joint_rank, A, set->rows - system->drive_count, &common, error);
    lashi_diagonal(work.right, &work, system);
    if (!status)
        status = keep_dependent(system, work.right, dependent, constraint_of, row_of, error);
    if (!status) {
        system->freedoms_free = system->full_v - joint_rank;
        system->freedoms = system->full_v - (set->rows - system->redundant_count);
    }
done:
    cholmod_l_free_sparse(&A, &common);
    cholmod_l_finish(&common);
    lashi_arena_clear(&scratch);
    return status;
}
