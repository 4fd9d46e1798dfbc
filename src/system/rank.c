/* SPDX-License-Identifier: MIT
 *
 * Redundant constraints: the rank of Φq by a QR factorisation, dense for small systems, sparse for large
 * ones.
 *
 * Columns of Φqᵀ are the constraint equations in the order the user wrote them, drives last, each scaled to
 * unit length with angles weighted by the mechanism's size. A column is dropped if its part independent of
 * the columns before it is below a tolerance: so the later joint is called redundant. The motion does not
 * depend on which one is dropped.
 *
 * In a singular position, for example a flat parallelogram, more rows repeat others than elsewhere. Such a
 * start must not be taken as typical: where rows repeat others at the start, the rank is found a second time
 * in a position nearby, and that one counts if fewer rows repeat others there.
 *
 * After bodies have been found that are absorbed (absorb.c), this is done once more with their rows first.
 * They are independent and leave the equations with their bodies, so the rows that repeat others are found
 * among those that stay.
 */
#include "system/system.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/columns.h"
#include "system/spqr.h"

/* Independent part of a unit column under which it counts as dependent: far above rounding (1e-15 times the
 * conditioning of a mechanism), far below what a real constraint adds. */
static const double DEPENDENT = 1e-9;
/* Up to so many rows the dense factorisation takes a few milliseconds at most. */
enum { DENSE_ROWS = 128 };
/* How far the second position is from the start: rad, and as a share of the mechanism's size. */
static const double ASIDE = 0.02;

/* Constraint and row of every column: first those of absorbed bodies, then the others as the user wrote them,
 * joints before drives. */
static void order_rows(int *constraint_of, int *row_of, const lash_system *system) {
    const lashi_constraint_set *set = &system->motion;
    int column = 0;
    for (int k = 0; k < system->absorbed_count; k++) {
        const lashi_absorbed *item = &system->absorbed[k];
        for (int r = 0; r < item->joint.rows; r++, column++) {
            constraint_of[column] = system->joints[item->joint.origin].constraint;
            row_of[column] = r;
        }
        if (item->kind == LASHI_PRESCRIBED) {
            constraint_of[column] = system->drives[item->drive.origin].constraint;
            row_of[column++] = 0;
        }
    }
    for (int j = 0; j < system->joint_count; j++) {
        const lashi_joint_info *joint = &system->joints[j];
        for (int r = 0;
             joint->constraint >= 0 && joint->absorbed < 0 && r < set->items[joint->constraint].rows;
             r++, column++) {
            constraint_of[column] = joint->constraint;
            row_of[column] = r;
        }
        for (int k = joint->first_contact; k >= 0 && k < joint->first_contact + joint->contacts; k++)
            if (system->contacts[k].constraint >= 0) {
                constraint_of[column] = system->contacts[k].constraint;
                row_of[column++] = 0;
            }
    }
    for (int d = 0; d < system->drive_count; d++)
        if (system->drives[d].absorbed < 0) {
            constraint_of[column] = system->drives[d].constraint;
            row_of[column++] = 0;
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
static lash_status transposed_jacobian(lashi_columns *A, lashi_arena *scratch, const lash_system *system,
                                       const lashi_constraint_work *work, const int *constraint_of,
                                       const int *row_of, lash_error *error) {
    const lashi_constraint_set *set = &system->motion;
    const int width = system->width;
    const size_t columns = (size_t)set->rows, entries = columns * (size_t)(LASHI_LINKS * width);
    *A = (lashi_columns){.rows = system->full_v,
                         .columns = set->rows,
                         .start = lashi_arena_alloc(scratch, columns + 1, sizeof(int)),
                         .index = lashi_arena_alloc(scratch, entries, sizeof(int)),
                         .value = lashi_arena_alloc(scratch, entries, sizeof(double))};
    if (!A->start || !A->index || !A->value)
        return lashi_fail_memory(error);
    int used = 0;
    for (size_t c = 0; c < columns; c++) {
        const lashi_constraint *item = &set->items[constraint_of[c]];
        const int begin = used;
        A->start[c] = used;
        double square = 0;
        // Links by rising body, so that the row indices are sorted.
        for (int done = 0, link; (link = next_link(item, done)) >= 0; done = item->body[link]) {
            const double *J = work->J + item->jacobian + link * item->rows * LASHI_FREEDOMS + row_of[c];
            for (int i = 0; i < width; i++) {
                A->index[used] = width * (item->body[link] - 1) + i;
                A->value[used] = J[i * item->rows] / (i < system->turning ? 1 : system->length);
                square += A->value[used] * A->value[used];
                used++;
            }
        }
        for (int e = begin; e < used && square > 0; e++)
            A->value[e] /= sqrt(square);
    }
    A->start[columns] = used;
    return LASH_OK;
}

/* The rank in one position. */
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
static lash_status look_at(look *out, const lash_system *system, lashi_arena *scratch, lash_error *error) {
    const lashi_constraint_set *set = &system->motion;
    lashi_frames_fill(out->frames, system, out->full);
    lashi_constraints_evaluate(&out->work, set, out->frames, system->start);
    lashi_columns A;
    lash_status status =
        transposed_jacobian(&A, scratch, system, &out->work, out->constraint_of, out->row_of, error);
    if (!status)
        status = set->rows <= DENSE_ROWS
                     ? lashi_columns_dependent(out->dependent, &A, DEPENDENT, scratch, error)
                     : lashi_spqr_dependent(out->dependent, &A, DEPENDENT, error);
    out->repeats = out->joint_rank = 0;
    for (int c = 0; !status && c < set->rows; c++) {
        out->repeats += out->dependent[c];
        out->joint_rank += !out->dependent[c] && set->items[out->constraint_of[c]].type != LASHI_JOINT_drive;
    }
    return status;
}

/* Moves look->full a little, to where the joints still fit; LASH_ERROR_ASSEMBLY: no such position
 * was found. */
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
            step[b][k] = ASIDE * unit * sin(7 * b + 3 * k); // every body in a direction of its own
        }
    lashi_constraint_set loose;
    lashi_constraint_work work;
    lash_status status = lashi_constraints_plan(&loose, scratch, joints, count, system->moves, bodies,
                                                system->width, LASHI_SOLVER_AUTO, error);
    if (!status)
        status = lashi_constraint_work_create(&work, scratch, &loose, error);
    if (status)
        return status;
    lash_error unused; // that they do not fit is no error here
    lashi_shift(at->full, system, (const double(*)[LASHI_FREEDOMS])step, 1);
    status = lashi_close_positions(at->full, &work, at->frames, system, &loose, system->start,
                                   (const double(*)[LASHI_FREEDOMS])weight, &unused);
    if (status == LASH_ERROR_MEMORY && error)
        *error = unused;
    return status;
}

/* Keeps which rows are dependent. */
static lash_status keep_repeats(lash_system *system, const look *at, lash_error *error) {
    const lashi_constraint_set *set = &system->motion;
    system->repeats = lashi_arena_alloc(&system->arena, (size_t)at->repeats, sizeof *system->repeats);
    if (!system->repeats)
        return lashi_fail_memory(error);
    system->redundant_count = 0;
    for (int c = 0; c < set->rows; c++)
        if (at->dependent[c]) {
            const lashi_constraint *item = &set->items[at->constraint_of[c]];
            system->repeats[system->redundant_count++] =
                (lashi_row_id){item->type, item->origin, item->contact, at->row_of[c]};
        }
    return LASH_OK;
}

/* The same in words. */
static lash_status name_repeats(lash_system *system, const look *at, lash_error *error) {
    const lashi_constraint_set *set = &system->motion;
    int count = 0;
    system->redundant = lashi_arena_alloc(&system->arena, (size_t)at->repeats, sizeof *system->redundant);
    if (!system->redundant)
        return lashi_fail_memory(error);
    for (int c = 0; c < set->rows; c++) {
        if (!at->dependent[c])
            continue;
        const lashi_constraint *item = &set->items[at->constraint_of[c]];
        system->redundant[count] = lashi_arena_print(&system->arena, "%s '%s' (%s)",
                                                     item->type == LASHI_JOINT_drive ? "drive" : "joint",
                                                     item->name, lashi_row_name(item, at->row_of[c]));
        if (!system->redundant[count++])
            return lashi_fail_memory(error);
    }
    return LASH_OK;
}

/* Rank of the set as it is planned now. out: from scratch. */
static lash_status find_rank(look *out, lash_system *system, lashi_arena *scratch, lash_error *error) {
    const lashi_constraint_set *set = &system->motion;
    const size_t rows = (size_t)set->rows, full = (size_t)(system->n_full + system->full_v + system->counted);
    look at = {.frames = lashi_arena_alloc(scratch, (size_t)system->bodies, sizeof *at.frames),
               .full = lashi_arena_alloc(scratch, full, sizeof(double)),
               .constraint_of = lashi_arena_alloc(scratch, rows, sizeof(int)),
               .row_of = lashi_arena_alloc(scratch, rows, sizeof(int)),
               .dependent = lashi_arena_alloc(scratch, rows, 1)};
    lash_status status = lashi_constraint_work_create(&at.work, scratch, set, error);
    if (!status && (!at.frames || !at.full || !at.constraint_of || !at.row_of || !at.dependent))
        status = lashi_fail_memory(error);
    if (status)
        return status;
    lashi_frame_ground(&at.frames[0]);
    memcpy(at.full, system->full0, full * sizeof(double));
    order_rows(at.constraint_of, at.row_of, system);
    status = look_at(&at, system, scratch, error);
    if (!status && at.repeats > 0) {
        look aside = at;
        aside.dependent = lashi_arena_alloc(scratch, rows, 1);
        status = aside.dependent ? step_aside(&aside, system, scratch, error) : lashi_fail_memory(error);
        if (!status)
            status = look_at(&aside, system, scratch, error);
        if (!status && aside.repeats < at.repeats)
            at = aside;
        status = status == LASH_ERROR_ASSEMBLY ? LASH_OK : status;
    }
    *out = at;
    return status;
}

lash_status lashi_find_redundancy(lash_system *system, lash_error *error) {
    const lashi_constraint_set *set = &system->motion;
    system->freedoms = system->freedoms_free = system->full_v;
    if (set->rows == 0 || system->full_v == 0)
        return LASH_OK;
    lashi_arena scratch = {0};
    look at;
    lash_status status = find_rank(&at, system, &scratch, error);
    if (!status)
        status = keep_repeats(system, &at, error);
    if (!status)
        status = name_repeats(system, &at, error);
    if (!status) {
        system->freedoms_free = system->full_v - at.joint_rank;
        system->freedoms = system->full_v - (set->rows - system->redundant_count);
    }
    lashi_arena_clear(&scratch);
    return status;
}

lash_status lashi_find_repeats(lash_system *system, lash_error *error) {
    lashi_arena scratch = {0};
    look at;
    lash_status status = find_rank(&at, system, &scratch, error);
    if (!status)
        status = keep_repeats(system, &at, error);
    lashi_arena_clear(&scratch);
    return status;
}

static bool is_of(const lashi_row_id *id, const lashi_constraint *item) {
    return id->type == item->type && id->origin == item->origin && id->contact == item->contact;
}

void lashi_mark_repeats(lashi_constraint *items, size_t count, const lash_system *system) {
    for (size_t c = 0; c < count; c++)
        for (int k = 0; k < system->redundant_count && !items[c].repeats; k++)
            items[c].repeats = is_of(&system->repeats[k], &items[c]);
}

lash_status lashi_leave_out(lashi_constraint_set *set, lash_system *system, lash_error *error) {
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
                if (is_of(id, item) && id->row == r)
                    set->repeats[set->redundant++] = item->first_row + r;
            }
        }
    }
    return LASH_OK;
}
