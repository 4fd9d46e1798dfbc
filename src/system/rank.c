/* SPDX-License-Identifier: MIT
 *
 * Redundant constraints: the rank of Φq by a sparse rank-revealing QR factorisation.
 *
 * Columns of Φqᵀ are the constraint equations in the order the user wrote them, drives last, each scaled to
 * unit length with angles weighted by the mechanism's size. SuiteSparseQR with a fixed column order drops a
 * column whose part independent of the columns before it is below a tolerance: so it is the later joint that
 * is called redundant. The motion does not depend on which one is dropped. R is in staircase form: a column
 * is independent when it has an entry in the next row.
 *
 * In a singular position, a flat parallelogram for one, more rows repeat others than elsewhere. So that such
 * a start is not taken for the rule, rows that repeat others at the start are looked at a second time, in a
 * position nearby, and what they say there counts.
 */
#include "system/system.h"

#include <math.h>
#include <string.h>
#include <suitesparse/SuiteSparseQR_C.h>

#include "base/error.h"

/* Independent part of a unit column under which it counts as dependent: far above rounding (1e-15 times the
 * conditioning of a mechanism), far below what a real constraint adds. */
static const double DEPENDENT = 1e-9;
/* How far the second look is from the start: rad, and of the mechanism's size. */
static const double ASIDE = 0.02;

/* Column numbers of the rows in user order: joints by declaration, then drives. */
static void user_order(int *constraint_of, int *row_of, const lash_system *system) {
    const lashi_constraint_set *set = &system->motion;
    int column = 0;
    for (int j = 0; j < system->joint_count; j++) {
        const lashi_joint_info *joint = &system->joints[j];
        for (int r = 0; joint->constraint >= 0 && r < set->items[joint->constraint].rows; r++, column++) {
            constraint_of[column] = joint->constraint;
            row_of[column] = r;
        }
        for (int k = joint->first_contact; k >= 0 && k < joint->first_contact + joint->contacts; k++)
            if (system->contacts[k].constraint >= 0) {
                constraint_of[column] = system->contacts[k].constraint;
                row_of[column++] = 0;
            }
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

/* Numbers of one look. */
typedef struct look {
    lashi_constraint_work work;
    lashi_frame *frames;
    double *full;                /* full coordinates */
    int *constraint_of, *row_of; /* [rows] by column */
    unsigned char *dependent;    /* [rows] */
    int joint_rank;              /* of the joints alone */
    int repeats;
} look;

/* The rank at look->full. */
static lash_status look_at(look *out, const lash_system *system, cholmod_common *common, lash_error *error) {
    const lashi_constraint_set *set = &system->motion;
    lashi_frames_fill(out->frames, system, out->full);
    lashi_constraints_evaluate(&out->work, set, out->frames, 0);
    cholmod_sparse *A = transposed_jacobian(system, &out->work, out->constraint_of, out->row_of, common);
    if (!A)
        return lashi_fail_memory(error);
    const lash_status status =
        factor(out->dependent, &out->joint_rank, A, set->rows - system->drive_count, common, error);
    out->repeats = 0;
    for (int c = 0; !status && c < set->rows; c++)
        out->repeats += out->dependent[c];
    cholmod_l_free_sparse(&A, common);
    return status;
}

/* Moves look->full a little, to where the joints still fit; LASH_ERROR_ASSEMBLY: no such place was found. */
static lash_status step_aside(look *at, const lash_system *system, lashi_arena *scratch, lash_error *error) {
    const lashi_constraint_set *set = &system->motion;
    const size_t bodies = (size_t)system->bodies;
    lashi_constraint *joints = lashi_arena_alloc(scratch, (size_t)set->count, sizeof *joints);
    double(*step)[LASHI_FREEDOMS] = lashi_arena_alloc(scratch, bodies, sizeof *step);
    double(*weight)[LASHI_FREEDOMS] = lashi_arena_alloc(scratch, bodies, sizeof *weight);
    if (!joints || !step || !weight)
        return lashi_fail_memory(error);
    size_t count = 0;
    for (int c = 0; c < set->count; c++)
        if (set->items[c].type != LASHI_JOINT_drive)
            joints[count++] = set->items[c];
    for (int b = 1; b < system->bodies; b++)
        for (int k = 0; k < system->width; k++) {
            const double unit = k < system->turning ? system->length : 1;
            weight[b][k] = unit * unit / (system->length * system->length);
            step[b][k] = ASIDE * unit * sin(7 * b + 3 * k); // every body its own way
        }
    lashi_constraint_set loose;
    lashi_constraint_work work;
    lash_status status = lashi_constraints_plan(&loose, scratch, joints, count, system->moves, bodies,
                                                system->width, LASHI_SOLVER_AUTO, error);
    if (!status)
        status = lashi_constraint_work_create(&work, scratch, &loose, error);
    if (status)
        return status;
    lash_error unused; // it may be that they do not fit
    lashi_shift(at->full, system, (const double(*)[LASHI_FREEDOMS])step, 1);
    status = lashi_close_positions(at->full, &work, at->frames, system, &loose, 0,
                                   (const double(*)[LASHI_FREEDOMS])weight, &unused);
    if (status == LASH_ERROR_MEMORY && error)
        *error = unused;
    return status;
}

/* Names the dependent rows, in words and for the set. */
static lash_status keep_dependent(lash_system *system, const look *at, lash_error *error) {
    const lashi_constraint_set *set = &system->motion;
    system->redundant = lashi_arena_alloc(&system->arena, (size_t)at->repeats, sizeof *system->redundant);
    system->repeats = lashi_arena_alloc(&system->arena, (size_t)at->repeats, sizeof *system->repeats);
    if (!system->redundant || !system->repeats)
        return lashi_fail_memory(error);
    for (int c = 0; c < set->rows; c++) {
        if (!at->dependent[c])
            continue;
        const lashi_constraint *item = &set->items[at->constraint_of[c]];
        const char *text = lashi_arena_print(&system->arena, "%s '%s' (%s)",
                                             item->type == LASHI_JOINT_drive ? "drive" : "joint", item->name,
                                             lashi_row_name(item, at->row_of[c]));
        if (!text)
            return lashi_fail_memory(error);
        system->repeats[system->redundant_count] =
            (lashi_row_id){item->type, item->origin, item->contact, at->row_of[c]};
        system->redundant[system->redundant_count++] = text;
    }
    return LASH_OK;
}

lash_status lashi_find_redundancy(lash_system *system, lash_error *error) {
    const lashi_constraint_set *set = &system->motion;
    system->freedoms = system->freedoms_free = system->full_v;
    if (set->rows == 0 || system->full_v == 0)
        return LASH_OK;
    const size_t rows = (size_t)set->rows, full = (size_t)(system->n_full + system->full_v + system->counted);
    lashi_arena scratch = {0};
    cholmod_common common;
    cholmod_l_start(&common);
    common.print = 0;
    look at = {.frames = lashi_arena_alloc(&scratch, (size_t)system->bodies, sizeof *at.frames),
               .full = lashi_arena_alloc(&scratch, full, sizeof(double)),
               .constraint_of = lashi_arena_alloc(&scratch, rows, sizeof(int)),
               .row_of = lashi_arena_alloc(&scratch, rows, sizeof(int)),
               .dependent = lashi_arena_alloc(&scratch, rows, 1)};
    lash_status status = lashi_constraint_work_create(&at.work, &scratch, set, error);
    if (!status && (!at.frames || !at.full || !at.constraint_of || !at.row_of || !at.dependent))
        status = lashi_fail_memory(error);
    if (status)
        goto done;
    lashi_frame_ground(&at.frames[0]);
    memcpy(at.full, system->full0, full * sizeof(double));
    user_order(at.constraint_of, at.row_of, system);
    status = look_at(&at, system, &common, error);
    if (!status && at.repeats > 0) {
        look aside = at;
        aside.dependent = lashi_arena_alloc(&scratch, rows, 1);
        status = aside.dependent ? step_aside(&aside, system, &scratch, error) : lashi_fail_memory(error);
        if (!status)
            status = look_at(&aside, system, &common, error);
        if (!status && aside.repeats < at.repeats)
            at = aside;
        status = status == LASH_ERROR_ASSEMBLY ? LASH_OK : status;
    }
    if (!status)
        status = keep_dependent(system, &at, error);
    if (!status) {
        system->freedoms_free = system->full_v - at.joint_rank;
        system->freedoms = system->full_v - (set->rows - system->redundant_count);
    }
done:
    cholmod_l_finish(&common);
    lashi_arena_clear(&scratch);
    return status;
}

lash_status lashi_leave_out(lash_system *system, lash_error *error) {
    lashi_constraint_set *set = &system->motion;
    int switched = 0;
    for (int k = 0; k < system->contact_count; k++)
        switched += system->contacts[k].model == LASHI_MODEL_MODES;
    set->most_repeats = system->redundant_count + switched;
    if (set->most_repeats == 0)
        return LASH_OK;
    set->repeats = lashi_arena_alloc(&system->arena, (size_t)set->most_repeats, sizeof(int));
    set->weight = lashi_arena_alloc(&system->arena, (size_t)set->rows, sizeof(double));
    if (!set->repeats || !set->weight)
        return lashi_fail_memory(error);
    for (int c = 0; c < set->count; c++) {
        const lashi_constraint *item = &set->items[c];
        for (int r = 0; r < item->rows; r++) {
            set->weight[item->first_row + r] =
                lashi_row_is_moment(item, r) ? 1 / (system->length * system->length) : 1;
            for (int k = 0; k < system->redundant_count; k++) {
                const lashi_row_id *id = &system->repeats[k];
                if (id->type == item->type && id->origin == item->origin && id->contact == item->contact &&
                    id->row == r)
                    set->repeats[set->redundant++] = item->first_row + r;
            }
        }
    }
    return LASH_OK;
}
