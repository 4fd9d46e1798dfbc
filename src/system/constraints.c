/* SPDX-License-Identifier: MIT
 *
 * Planning and evaluating a set of constraints; see constraints.h.
 *
 * Order of elimination: small sets are ordered for a small profile (reverse Cuthill–McKee: George & Liu,
 * Computer Solution of Large Sparse Positive Definite Systems, 1981, ch. 4), large ones by SuiteSparse's AMD.
 * Rows of one constraint stay together, so the ordering works on the graph of constraints that share a moving
 * body.
 */
#include "system/constraints.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>

#include "base/error.h"
#include "contact/contact.h"
#include "system/links.h"

/* Up to so many rows the profile kernel is faster than the sparse one; and up to more where its profile is narrow, on
 * average (bench: chains in the plane take two thirds of the time with it, in space four to five tenths). Its memory grows
 * with the square: it is 24 MB at most. */
enum { DENSE_ROWS = 64, NARROW_ROWS = 1024, NARROW = 24 };

/* Graph of constraints as compressed rows; neighbours of c: adjacent[start[c]] … */
typedef struct graph {
    int n;
    int *start, *adjacent;
} graph;

/* ---- graph and order ---- */

static int compare_ints(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Two constraints are neighbours when they share a moving body. */
static bool build_graph(graph *out, lashi_arena *scratch, const lashi_constraint *items, int count,
                        const unsigned char *moves, int bodies) {
    // Constraints of each body.
    int *body_start = lashi_arena_alloc(scratch, (size_t)bodies + 1, sizeof(int));
    int *body_items = lashi_arena_alloc(scratch, (size_t)count * LASHI_LINKS, sizeof(int));
    int *fill = lashi_arena_alloc(scratch, (size_t)bodies, sizeof(int));
    out->start = lashi_arena_alloc(scratch, (size_t)count + 1, sizeof(int));
    if (!body_start || !body_items || !fill || !out->start)
        return false;
    for (int c = 0; c < count; c++)
        for (int slot = 0; slot < LASHI_LINKS; slot++)
            if (moves[items[c].body[slot]])
                body_start[items[c].body[slot] + 1]++;
    for (int b = 0; b < bodies; b++)
        body_start[b + 1] += body_start[b];
    for (int c = 0; c < count; c++)
        for (int slot = 0; slot < LASHI_LINKS; slot++) {
            const int b = items[c].body[slot];
            if (moves[b])
                body_items[body_start[b] + fill[b]++] = c;
        }
    // Count, then list; a neighbour through both bodies stands twice and is removed after sorting.
    size_t total = 0;
    for (int c = 0; c < count; c++)
        for (int slot = 0; slot < LASHI_LINKS; slot++)
            if (moves[items[c].body[slot]])
                total += (size_t)(body_start[items[c].body[slot] + 1] - body_start[items[c].body[slot]]);
    out->n = count;
    out->adjacent = lashi_arena_alloc(scratch, total, sizeof(int));
    if (!out->adjacent)
        return false;
    int used = 0;
    for (int c = 0; c < count; c++) {
        const int begin = used;
        for (int slot = 0; slot < LASHI_LINKS; slot++) {
            const int b = items[c].body[slot];
            if (moves[b])
                for (int k = body_start[b]; k < body_start[b + 1]; k++)
                    if (body_items[k] != c)
                        out->adjacent[used++] = body_items[k];
        }
        qsort(out->adjacent + begin, (size_t)(used - begin), sizeof(int), compare_ints);
        int kept = begin;
        for (int k = begin; k < used; k++)
            if (k == begin || out->adjacent[k] != out->adjacent[k - 1])
                out->adjacent[kept++] = out->adjacent[k];
        used = kept;
        out->start[c + 1] = used;
    }
    return true;
}

static int degree(const graph *g, int c) {
    return g->start[c + 1] - g->start[c];
}

/* Breadth-first numbering from `root`, neighbours by rising degree; order[from…] gets the component. Returns
 * the new end of order; the last one numbered lies far from the root. */
static int breadth_first(int *order, int from, unsigned char *seen, const graph *g, int root) {
    int end = from;
    order[end++] = root;
    seen[root] = 1;
    for (int head = from; head < end; head++) {
        const int begin = end;
        for (int k = g->start[order[head]]; k < g->start[order[head] + 1]; k++)
            if (!seen[g->adjacent[k]]) {
                seen[g->adjacent[k]] = 1;
                order[end++] = g->adjacent[k];
            }
        for (int a = begin + 1; a < end; a++) // few: insertion sort
            for (int b = a; b > begin && degree(g, order[b]) < degree(g, order[b - 1]); b--) {
                const int swap = order[b];
                order[b] = order[b - 1];
                order[b - 1] = swap;
            }
    }
    return end;
}

/* Backwards. */
static void turn_round(int *order, int count) {
    for (int a = 0, b = count - 1; a < b; a++, b--) {
        const int swap = order[a];
        order[a] = order[b];
        order[b] = swap;
    }
}

/* Whether rows that repeat others are mostly in the first half of the order: they cost least at its end. */
static bool repeats_first(const int *order, const lashi_constraint *items, int count) {
    int sum = 0;
    for (int k = 0; k < count; k++)
        sum += items[order[k]].repeats ? count - 1 - 2 * k : 0;
    return sum > 0;
}

static bool order_profile(int *order, lashi_arena *scratch, const graph *g, const lashi_constraint *items) {
    unsigned char *seen = lashi_arena_alloc(scratch, (size_t)g->n, 1);
    if (!seen)
        return false;
    int end = 0;
    for (int c = 0; c < g->n; c++) {
        if (seen[c])
            continue;
        // Twice from the far end gives a (nearly) peripheral root.
        int root = c;
        for (int pass = 0; pass < 2; pass++) {
            const int last = breadth_first(order, end, seen, g, root);
            root = order[last - 1];
            for (int k = end; k < last; k++)
                seen[order[k]] = 0;
        }
        end = breadth_first(order, end, seen, g, root);
    }
    turn_round(order, g->n); // never a larger profile
    if (repeats_first(order, items, g->n))
        turn_round(order, g->n);
    return true;
}

/* Whether rows in this order, place by place, begin no more than NARROW columns left of the diagonal on average. */
static bool narrow(const int *order, lashi_arena *scratch, const graph *g, const lashi_constraint *items,
                   int rows) {
    int *begin = lashi_arena_alloc(scratch, (size_t)g->n, sizeof(int)), next = 0;
    long entries = 0;
    if (!begin)
        return false;
    for (int a = 0; a < g->n; a++) {
        begin[order[a]] = next;
        next += items[order[a]].rows;
    }
    for (int c = 0; c < g->n; c++) {
        int first = begin[c];
        for (int k = g->start[c]; k < g->start[c + 1]; k++)
            first = begin[g->adjacent[k]] < first ? begin[g->adjacent[k]] : first;
        entries += (long)items[c].rows * (begin[c] - first + items[c].rows);
    }
    return entries <= (long)NARROW * rows;
}

/* ---- the plan ---- */

static lash_status plan_links(lashi_constraint_set *set, lashi_arena *arena, lash_error *error) {
    set->links = lashi_arena_alloc(arena, (size_t)set->count * LASHI_LINKS, sizeof *set->links);
    if (!set->links)
        return lashi_fail_memory(error);
    for (int c = 0; c < set->count; c++) {
        lashi_constraint *item = &set->items[c];
        item->first_row = set->rows;
        item->jacobian = (int)set->jacobian;
        item->pin = item->type == LASHI_JOINT_revolute && !item->geometry;
        for (int slot = 0; slot < LASHI_LINKS; slot++)
            if (item->body[slot] > 0)
                set->links[set->link_count++] =
                    (lashi_link){.J = item->jacobian + slot * item->rows * LASHI_FREEDOMS,
                                 .row = item->first_row,
                                 .rows = item->rows,
                                 .body = item->body[slot],
                                 .points = !item->points || !item->geometry ? 0
                                           : slot == 0                      ? -1
                                                                            : 1};
        set->rows += item->rows;
        set->jacobian += (size_t)(LASHI_LINKS * item->rows * LASHI_FREEDOMS);
    }
    lashi_find_alike(set);
    return LASH_OK;
}

/* Chooses the path and its symbolic part from the graph in elimination order. */
static lash_status plan_matrix(lashi_constraint_set *set, lashi_arena *arena, lashi_arena *scratch,
                               const graph *g, bool sparse, lash_error *error) {
    const size_t rows = (size_t)set->rows;
    if (!sparse) {
        int *first = lashi_arena_alloc(scratch, rows, sizeof(int));
        if (!first)
            return lashi_fail_memory(error);
        for (int c = 0; c < set->count; c++) {
            int leftmost = c;
            for (int k = g->start[c]; k < g->start[c + 1]; k++)
                if (g->adjacent[k] < leftmost)
                    leftmost = g->adjacent[k];
            for (int r = 0; r < set->items[c].rows; r++)
                first[set->items[c].first_row + r] = set->items[leftmost].first_row;
        }
        return lashi_ldlt_dense(&set->ldlt, arena, first, set->rows, error);
    }
    int *start = lashi_arena_alloc(scratch, rows + 1, sizeof(int));
    size_t entries = 0;
    for (int c = 0; c < set->count; c++) {
        size_t width = (size_t)set->items[c].rows;
        for (int k = g->start[c]; k < g->start[c + 1]; k++)
            if (g->adjacent[k] < c)
                width += (size_t)set->items[g->adjacent[k]].rows;
        entries += width * (size_t)set->items[c].rows;
    }
    int *column = lashi_arena_alloc(scratch, entries, sizeof(int));
    if (!start || !column)
        return lashi_fail_memory(error);
    int used = 0;
    for (int c = 0; c < set->count; c++)
        for (int r = 0; r < set->items[c].rows; r++) {
            for (int k = g->start[c]; k < g->start[c + 1] && g->adjacent[k] < c; k++)
                for (int s = 0; s < set->items[g->adjacent[k]].rows; s++)
                    column[used++] = set->items[g->adjacent[k]].first_row + s;
            for (int s = 0; s < set->items[c].rows; s++) // the diagonal block, whole
                column[used++] = set->items[c].first_row + s;
            start[set->items[c].first_row + r + 1] = used;
        }
    return lashi_ldlt_sparse(&set->ldlt, arena, start, column, set->rows, error);
}

/* Every pair of links of one body is one product with a place in S. */
static lash_status plan_blocks(lashi_constraint_set *set, lashi_arena *arena, lashi_arena *scratch,
                               const unsigned char *moves, int bodies, lash_error *error) {
    int *count = lashi_arena_alloc(scratch, (size_t)bodies, sizeof(int));
    int *next = lashi_arena_alloc(scratch, (size_t)set->link_count, sizeof(int));
    int *head = lashi_arena_alloc(scratch, (size_t)bodies, sizeof(int));
    if (!count || !next || !head)
        return lashi_fail_memory(error);
    size_t total = 0;
    for (int b = 0; b < bodies; b++)
        head[b] = -1;
    for (int l = set->link_count - 1; l >= 0; l--) {
        const int b = set->links[l].body;
        if (!moves[b])
            continue;
        total += (size_t)++count[b];
        next[l] = head[b];
        head[b] = l;
    }
    set->blocks = lashi_arena_alloc(arena, total, sizeof *set->blocks);
    if (!set->blocks)
        return lashi_fail_memory(error);
    const lashi_ldlt *ldlt = &set->ldlt;
    const lashi_constraint **of_link = lashi_arena_alloc(scratch, (size_t)set->link_count, sizeof *of_link);
    unsigned char *begun =
        lashi_arena_alloc(scratch, 2 * (size_t)set->count, 1); // diagonal and others of each
    if (!of_link || !begun)
        return lashi_fail_memory(error);
    for (int c = 0, l = 0; c < set->count; c++)
        for (int slot = 0; slot < LASHI_LINKS; slot++)
            if (set->items[c].body[slot] > 0)
                of_link[l++] = &set->items[c];
    for (int b = 0; b < bodies; b++)
        for (int la = head[b]; la >= 0; la = next[la])
            for (int lb = la; lb >= 0; lb = next[lb]) {
                const lashi_link *a = &set->links[la], *later = &set->links[lb];
                lashi_block block = {.J_a = a->J,
                                     .J_b = later->J,
                                     .rows_a = (short)a->rows,
                                     .rows_b = (short)later->rows,
                                     .row_b = later->row,
                                     .body = b};
                block.steady = of_link[la]->steady && of_link[lb]->steady;
                block.kept = block.steady && moves[b] == LASHI_MOVES_GUIDED;
                unsigned char *place = &begun[2 * (of_link[lb] - set->items) + (la != lb)];
                block.first = !*place;
                *place = 1;
                if (ldlt->sparse) {
                    const int begin = ldlt->start[later->row];
                    block.stride = ldlt->start[later->row + 1] - begin;
                    block.at = begin;
                    while (ldlt->column[block.at] != a->row)
                        block.at++;
                } else {
                    block.stride = set->rows;
                    block.at = later->row * set->rows + a->row;
                }
                set->blocks[set->block_count++] = block;
            }
    return LASH_OK;
}

lash_status lashi_constraints_plan(lashi_constraint_set *out, lashi_arena *arena,
                                   const lashi_constraint *items, size_t count, const unsigned char *moves,
                                   size_t bodies, int width, lashi_solver_choice solver, lash_error *error) {
    *out = (lashi_constraint_set){.count = (int)count, .bodies = (int)bodies, .width = width};
    lashi_arena scratch = {0};
    lash_status status = LASH_OK;
    graph g = {0};
    int rows = 0;
    for (size_t c = 0; c < count; c++)
        rows += items[c].rows;
    bool sparse = solver == LASHI_SOLVER_SPARSE || (solver == LASHI_SOLVER_AUTO && rows > NARROW_ROWS);
    int *order = lashi_arena_alloc(&scratch, count, sizeof(int));
    out->items = lashi_arena_alloc(arena, count, sizeof *out->items);
    if (!order || !out->items || !build_graph(&g, &scratch, items, (int)count, moves, (int)bodies)) {
        status = lashi_fail_memory(error);
        goto done;
    }
    if (!sparse && !order_profile(order, &scratch, &g, items)) {
        status = lashi_fail_memory(error);
        goto done;
    }
    sparse = sparse ||
             (solver == LASHI_SOLVER_AUTO && rows > DENSE_ROWS && !narrow(order, &scratch, &g, items, rows));
    if (sparse && count > 0) {
        if (amd_order((int)count, g.start, g.adjacent, order, NULL, NULL) < 0) {
            status = lashi_fail_memory(error);
            goto done;
        }
    }
    for (size_t c = 0; c < count; c++)
        out->items[c] = items[order[c]];
    if (!build_graph(&g, &scratch, out->items, (int)count, moves, (int)bodies)) {
        status = lashi_fail_memory(error);
        goto done;
    }
    status = plan_links(out, arena, error);
    if (!status)
        status = plan_matrix(out, arena, &scratch, &g, sparse, error);
    if (!status)
        status = plan_blocks(out, arena, &scratch, moves, (int)bodies, error);
done:
    lashi_arena_clear(&scratch);
    return status;
}

/* The one column of a link's block at J that counts. */
static int single_column(const lashi_constraint_set *set, int J, int rows, int way) {
    for (int n = 0; n < set->narrow_count; n++)
        if (set->narrow[n].link.J == J)
            return set->narrow[n].column;
    return J + way * rows;
}

lash_status lashi_constraints_narrow(lashi_constraint_set *set, lashi_arena *arena,
                                     const unsigned char *moves, const double (*inverse)[LASHI_FREEDOMS],
                                     const lashi_pinned *pins, int pin_count, lash_error *error) {
    set->pins = pins;
    set->pin_count = pin_count;
    for (int l = 0; l < set->link_count; l++)
        set->narrow_count += moves[set->links[l].body] == LASHI_MOVES_PINNED;
    set->narrow = lashi_arena_alloc(arena, (size_t)set->narrow_count, sizeof *set->narrow);
    if (!set->narrow)
        return lashi_fail_memory(error);
    lashi_narrow *next = set->narrow;
    for (int l = 0; l < set->link_count; l++) {
        if (moves[set->links[l].body] != LASHI_MOVES_PINNED)
            continue;
        *next = (lashi_narrow){.link = set->links[l], .column = (int)set->jacobian};
        while (pins[next->pin].body != next->link.body)
            next->pin++;
        set->jacobian += (size_t)next++->link.rows;
    }
    for (int k = 0; k < set->block_count; k++) {
        lashi_block *block = &set->blocks[k];
        if (moves[block->body] == LASHI_MOVES_FREELY || block->kept)
            continue;
        while (inverse[block->body][block->way] == 0)
            block->way++;
        block->single = true;
        block->steady = false;
        block->J_a = single_column(set, block->J_a, block->rows_a, block->way);
        block->J_b = single_column(set, block->J_b, block->rows_b, block->way);
    }
    return LASH_OK;
}

/* Repeating rows at once, beside those that always do, for which there is room from the beginning. */
enum { USUAL_REPEATS = 64 };

/* Room for so many repeating rows at once; twice as much when it grows. False: no memory. */
static bool reserve(lashi_constraint_work *work, const lashi_constraint_set *set, int repeats) {
    if (repeats <= work->room)
        return true;
    const int room = repeats < set->most_repeats / 2 ? 2 * repeats : set->most_repeats;
    double *idle = lashi_arena_alloc(work->arena, (size_t)room * (size_t)set->rows, sizeof *idle),
           *gram = lashi_arena_alloc(work->arena, (size_t)room * (size_t)(room + 1), sizeof *gram);
    if (!idle || !gram)
        return false;
    work->idle = idle;
    work->gram = gram;
    work->room = room;
    return true;
}

lash_status lashi_constraint_work_create(lashi_constraint_work *out, lashi_arena *arena,
                                         const lashi_constraint_set *set, lash_error *error) {
    const size_t rows = (size_t)set->rows, repeats = (size_t)set->most_repeats;
    *out = (lashi_constraint_work){.arena = arena,
                                   .J = lashi_arena_alloc(arena, set->jacobian, sizeof(double)),
                                   .Phi = lashi_arena_alloc(arena, rows, sizeof(double)),
                                   .Phi_dot = lashi_arena_alloc(arena, rows, sizeof(double)),
                                   .gamma = lashi_arena_alloc(arena, rows, sizeof(double)),
                                   .S = lashi_arena_alloc(arena, set->ldlt.values, sizeof(double)),
                                   .factor = lashi_arena_alloc(arena, set->ldlt.work, sizeof(double)),
                                   .int_work = lashi_arena_alloc(arena, set->ldlt.int_work, sizeof(int)),
                                   .part = lashi_arena_alloc(arena, rows, sizeof(double)),
                                   .push = lashi_arena_alloc(arena, (size_t)set->bodies, sizeof *out->push),
                                   .sound = lashi_arena_alloc(arena, (size_t)set->count, sizeof(double)),
                                   .repeats = lashi_arena_alloc(arena, repeats, sizeof(int))};
    const int usual = set->redundant + USUAL_REPEATS;
    if (set->redundant > 0)
        out->probe = lashi_arena_alloc(arena, rows * (rows + 2), sizeof(double));
    if (!out->J || !out->Phi || !out->Phi_dot || !out->gamma || !out->S || !out->factor || !out->int_work ||
        !out->part || !out->push || !out->sound || !out->repeats || (set->redundant > 0 && !out->probe) ||
        !reserve(out, set, usual < set->most_repeats ? usual : set->most_repeats))
        return lashi_fail_memory(error);
    for (int c = 0; c < set->count; c++)
        if (set->items[c].pin)
            lashi_revolute_steady(out->J + set->items[c].jacobian);
    if (set->redundant > 0)
        memcpy(out->repeats, set->repeats, (size_t)set->redundant * sizeof(int));
    return LASH_OK;
}

/* ---- one instant ---- */

void lashi_other_rows(lashi_constraint_work *work, const lashi_constraint *item, const lashi_frame *frames,
                      double t) {
    const lashi_rows rows = lashi_rows_of(work, item);
    if (item->contact)
        lashi_contact_rows(&rows, item->contact, frames);
    else
        lashi_constraint_rows(&rows, item, frames, t);
}

void lashi_change_rows(lashi_constraint_work *work, const lashi_constraint_set *set,
                       const lashi_frame *frames) {
    for (int c = 0; work->off && c < set->count; c++) {
        const lashi_constraint *item = &set->items[c];
        if (!work->off[item->first_row])
            continue;
        const lashi_rows rows = lashi_rows_of(work, item);
        lashi_rows_clear(&rows, item->rows);
    }
    for (int k = 0; k < set->narrow_count; k++) {
        const lashi_narrow *n = &set->narrow[k];
        double unit[LASHI_FREEDOMS];
        lashi_pin_unit(unit, &set->pins[n->pin], &frames[n->link.body]);
        memset(work->J + n->column, 0, (size_t)n->link.rows * sizeof(double));
        lashi_multiply_other_link(work->J + n->column, &n->link, work->J + n->link.J, unit, LASHI_FREEDOMS);
    }
}

void lashi_constraints_evaluate(lashi_constraint_work *work, const lashi_constraint_set *set,
                                const lashi_frame *frames, double t) {
    lashi_evaluate_rows(work, set, frames, t);
}

/* Two rows or columns side by side: sums have the order of products.h. */
typedef double two __attribute__((vector_size(16), aligned(8), may_alias));

/* lashi_add_products for many rows, the first `rows` of b, one row of S after the other; below: nothing right of the
 * diagonal is needed. */
__attribute__((always_inline)) static inline void
add_rows(double *restrict S, int stride, const double *restrict Ja, int rows_a, const double *restrict Jb,
         int rows_b, int rows, const double *restrict w, int columns, bool below) {
    for (int rb = 0; rb < rows; rb++) {
        const int end = below ? rb + 1 : rows_a;
        double x[LASHI_FREEDOMS], *row = S + rb * stride;
        for (int k = 0; k < columns; k++)
            x[k] = w[k] * Jb[k * rows_b + rb];
        int ra = 0;
        for (; ra + 1 < end; ra += 2) {
            two sum = *(const two *)(row + ra);
            for (int k = 0; k < columns; k++)
                sum += x[k] * *(const two *)(Ja + k * rows_a + ra);
            *(two *)(row + ra) = sum;
        }
        if (ra < end) {
            double sum = row[ra];
            for (int k = 0; k < columns; k++)
                sum += x[k] * Ja[k * rows_a + ra];
            row[ra] = sum;
        }
    }
}

void lashi_add_other_block(double *S_values, const lashi_block *block, const double *J,
                           const double (*inverse)[LASHI_FREEDOMS], int first, int columns, int needed) {
    double *S = S_values + block->at;
    const double *Ja = J + block->J_a + first * block->rows_a, *Jb = J + block->J_b + first * block->rows_b,
                 *w = inverse[block->body] + first;
    const int stride = block->stride, rows_a = block->rows_a, rows_b = block->rows_b,
              rows = needed - block->row_b < rows_b ? needed - block->row_b : rows_b;
    if (block->single) {
        add_rows(S, stride, J + block->J_a, rows_a, J + block->J_b, rows_b, rows,
                 inverse[block->body] + block->way, 1, block->J_a == block->J_b);
        return;
    }
    switch (8 * rows_a + rows_b) { // the common sizes; the compiler unrolls them
    case 8 * 1 + 1: lashi_add_products(S, stride, Ja, 1, Jb, 1, w, 0, columns); break;
    case 8 * 1 + 2: lashi_add_products(S, stride, Ja, 1, Jb, 2, w, 0, columns); break;
    case 8 * 2 + 1: lashi_add_products(S, stride, Ja, 2, Jb, 1, w, 0, columns); break;
    case 8 * 2 + 2: lashi_add_products(S, stride, Ja, 2, Jb, 2, w, 0, columns); break;
    default:
        if (columns == 3 && rows_a == 5 && rows == 5 && rows_b == 5) { // pins in space
            if (block->J_a == block->J_b)
                add_rows(S, stride, Ja, 5, Jb, 5, 5, w, 3, true);
            else
                add_rows(S, stride, Ja, 5, Jb, 5, 5, w, 3, false);
        } else if (columns == 3) // those that turn
            add_rows(S, stride, Ja, rows_a, Jb, rows_b, rows, w, 3, block->J_a == block->J_b);
        else
            add_rows(S, stride, Ja, rows_a, Jb, rows_b, rows, w, columns, block->J_a == block->J_b);
    }
}

lash_status lashi_constraints_keep_steady(lashi_constraint_work *work, lashi_arena *arena,
                                          const lashi_constraint_set *set,
                                          const double (*inverse)[LASHI_FREEDOMS], lash_error *error) {
    work->S_steady = lashi_arena_alloc(arena, set->ldlt.values, sizeof(double));
    if (!work->S_steady)
        return lashi_fail_memory(error);
    for (int k = 0; k < set->block_count; k++)
        if (set->blocks[k].steady)
            lashi_add_block(work->S_steady, &set->blocks[k], work->J, inverse, 0,
                            set->width == LASHI_PLANE ? 2 : 3, set->rows);
    work->pair = set->rows == 2 && !set->ldlt.sparse && set->most_repeats == 0 && !work->off;
    lashi_plan_chain(work, set);
    return LASH_OK;
}

/* S without the rows that repeat others, and its factor. */
static int factor(lashi_constraint_work *work, const lashi_constraint_set *set,
                  const double (*inverse)[LASHI_FREEDOMS], double damping) {
    const lashi_ldlt *ldlt = &set->ldlt;
    if (work->chain) {
        work->int_work[0] = 0;
        set->alike->fill(work, set, inverse);
        return set->alike->factor(work->S, work->factor, set->rows);
    }
    if (work->S_steady)
        lashi_ldlt_copy(ldlt, work->S, work->S_steady);
    else
        memset(work->S, 0, ldlt->values * sizeof(double));
    if (set->width == LASHI_PLANE)
        lashi_add_blocks(work->S, work, set, inverse, LASHI_PLANE);
    else
        lashi_add_blocks(work->S, work, set, inverse, LASHI_FREEDOMS);
    if (damping > 0)
        for (int i = 0; i < ldlt->n; i++) // a row of zeros (all held) still needs a pivot
            work->S[ldlt->diagonal[i]] += damping * work->S[ldlt->diagonal[i]] + damping * damping;
    for (int i = 0; work->off && i < ldlt->n; i++)
        if (work->off[i])
            work->S[ldlt->diagonal[i]] = 1; // 1 λ = 0
    return lashi_ldlt_factor(ldlt, work->S, work->factor, work->int_work, work->repeats, work->repeat_count);
}

int lashi_constraints_factor(lashi_constraint_work *work, const lashi_constraint_set *set,
                             const double (*inverse)[LASHI_FREEDOMS], double damping) {
    work->inverse = inverse;
    work->shared = work->shares;
    work->repeat_count = set->redundant;
    int bad;
    while ((bad = factor(work, set, inverse, damping)) >= 0 && work->repeat_count < set->most_repeats &&
           reserve(work, set, work->repeat_count + 1))
        work->repeats[work->repeat_count++] = bad;
    return bad;
}

/* ---- how far rows are from depending on others ---- */

/* 1/determinant of a constraint. */
static double inverse_determinant(const lashi_constraint_work *work, const lashi_constraint_set *set, int c) {
    return lashi_ldlt_inverse_pivots(&set->ldlt, work->factor, work->int_work, set->items[c].first_row,
                                     set->items[c].rows);
}

void lashi_constraints_note(const lashi_constraint_work *work, const lashi_constraint_set *set) {
    for (int c = 0; c < set->count; c++) {
        const double inverse = inverse_determinant(work, set, c);
        if (work->sound[c] * inverse < 1)
            work->sound[c] = 1 / inverse;
    }
}

double lashi_constraints_fallen(int *weakest, const lashi_constraint_work *work,
                                const lashi_constraint_set *set) {
    double most = 0;
    for (int c = 0; c < set->count; c++) {
        const double fallen = work->sound[c] * inverse_determinant(work, set, c);
        if (fallen > most) {
            most = fallen;
            *weakest = c;
        }
    }
    return most;
}

static inline void multiply_pairs(double *restrict out, const double *restrict J, int rows,
                                  const double *restrict u, int width) {
    int r = 0;
    for (; r + 1 < rows; r += 2) {
        two sum = *(const two *)(J + r) * u[0];
        for (int k = 1; k < width; k++)
            sum += *(const two *)(J + k * rows + r) * u[k];
        *(two *)(out + r) += sum;
    }
    if (r < rows) {
        double sum = J[r] * u[0];
        for (int k = 1; k < width; k++)
            sum += J[k * rows + r] * u[k];
        out[r] += sum;
    }
}
static inline void multiply_link(double *out, const lashi_link *link, const double *J, const double *u,
                                 int width) {
    switch (link->points ? 8 + link->rows : link->rows) {
    case 1: multiply_pairs(out, J, 1, u, width); break;
    case 3: multiply_pairs(out, J, 3, u, width); break;
    case 4: multiply_pairs(out, J, 4, u, width); break;
    case 5: multiply_pairs(out, J, 5, u, width); break;
    case 8 + 3: lashi_multiply_points(out, J, 3, u, link->points); break;
    case 8 + 5: lashi_multiply_points(out, J, 5, u, link->points); break;
    default: multiply_pairs(out, J, link->rows, u, width);
    }
}
void lashi_multiply_other_link(double *out, const lashi_link *link, const double *J, const double *u,
                               int width) {
    if (width == LASHI_PLANE)
        multiply_link(out, link, J, u, LASHI_PLANE);
    else
        multiply_link(out, link, J, u, LASHI_FREEDOMS);
}

void lashi_constraints_multiply(double *out, const lashi_constraint_work *work,
                                const lashi_constraint_set *set, const double (*u)[LASHI_FREEDOMS]) {
    if (set->width == LASHI_PLANE)
        lashi_multiply_links(out, work->J, set, u, LASHI_PLANE);
    else
        lashi_multiply_links(out, work->J, set, u, LASHI_FREEDOMS);
}

static inline void subtract_pairs(double *restrict force, const double *restrict J, int rows,
                                  const double *restrict x, int width) {
    int k = 0;
    for (; k + 1 < width; k += 2) {
        const double *a = J + k * rows, *b = a + rows;
        two sum = (two){a[0], b[0]} * x[0];
        for (int r = 1; r < rows; r++)
            sum += (two){a[r], b[r]} * x[r];
        *(two *)(force + k) -= sum;
    }
    if (k < width) {
        double sum = J[k * rows] * x[0];
        for (int r = 1; r < rows; r++)
            sum += J[k * rows + r] * x[r];
        force[k] -= sum;
    }
}
static inline void subtract_link(double *force, const lashi_link *link, const double *J, const double *lambda,
                                 int width) {
    switch (link->points ? 8 + link->rows : link->rows) {
    case 1: subtract_pairs(force, J, 1, lambda, width); break;
    case 3: subtract_pairs(force, J, 3, lambda, width); break;
    case 4: subtract_pairs(force, J, 4, lambda, width); break;
    case 5: subtract_pairs(force, J, 5, lambda, width); break;
    case 8 + 3: lashi_subtract_points(force, J, 3, lambda, link->points); break;
    case 8 + 5: lashi_subtract_points(force, J, 5, lambda, link->points); break;
    default: subtract_pairs(force, J, link->rows, lambda, width);
    }
}
void lashi_subtract_other_link(double *force, const lashi_link *link, const double *J, const double *lambda,
                               int width) {
    if (width == LASHI_PLANE)
        subtract_link(force, link, J, lambda, LASHI_PLANE);
    else
        subtract_link(force, link, J, lambda, LASHI_FREEDOMS);
}

void lashi_constraints_subtract(double (*force)[LASHI_FREEDOMS], const lashi_constraint_work *work,
                                const lashi_constraint_set *set, const double *x) {
    if (set->width == LASHI_PLANE)
        lashi_subtract_links(force, work->J, set, x, LASHI_PLANE);
    else
        lashi_subtract_links(force, work->J, set, x, LASHI_FREEDOMS);
}

void lashi_constraints_yield(double (*f)[LASHI_FREEDOMS], const lashi_constraint_set *set,
                             const lashi_frame *frames, const double (*inverse)[LASHI_FREEDOMS]) {
    for (int b = 0, pin = 0; b < set->bodies; b++)
        if (pin < set->pin_count && set->pins[pin].body == b)
            lashi_pin_yield(f[b], &set->pins[pin++], &frames[b], inverse[b], f[b]);
        else
            for (int k = 0; k < LASHI_FREEDOMS; k++)
                f[b][k] *= inverse[b][k];
}

void lashi_constraints_move(double (*u)[LASHI_FREEDOMS], double (*push)[LASHI_FREEDOMS],
                            const lashi_constraint_work *work, const lashi_constraint_set *set,
                            const double *x) {
    memset(push, 0, (size_t)set->bodies * sizeof *push);
    lashi_constraints_subtract(push, work, set, x);
    lashi_constraints_yield(push, set, work->frames, work->inverse);
    for (int b = 0; b < set->bodies; b++)
        for (int k = 0; k < LASHI_FREEDOMS; k++)
            u[b][k] += push[b][k];
}

/* out = S x through its parts, Φq M⁻¹ Φqᵀ x. */
static void apply(double *out, const double *x, const lashi_constraint_work *work,
                  const lashi_constraint_set *set) {
    memset(work->push, 0, (size_t)set->bodies * sizeof *work->push);
    lashi_constraints_subtract(work->push, work, set, x);
    for (int b = 0; b < set->bodies; b++)
        for (int k = 0; k < LASHI_FREEDOMS; k++)
            work->push[b][k] = -work->push[b][k];
    lashi_constraints_yield(work->push, set, work->frames, work->inverse);
    memset(out, 0, (size_t)set->rows * sizeof(double));
    lashi_constraints_multiply(out, work, set, (const double(*)[LASHI_FREEDOMS])work->push);
}

void lashi_constraints_solve(double *x, const lashi_constraint_work *work, const lashi_constraint_set *set) {
    if (work->chain) {
        set->alike->solve(work->S, work->factor, set->rows, x);
        return;
    }
    lashi_ldlt_solve(&set->ldlt, work->S, work->factor, work->int_work, x);
    if (work->shares)
        lashi_constraints_share(x, work, set);
}

/* z = e_row − S⁻¹ S e_row: without effect. */
static void find_idle(double *z, int row, const lashi_constraint_work *work,
                      const lashi_constraint_set *set) {
    memset(z, 0, (size_t)set->rows * sizeof(double));
    z[row] = 1;
    for (int pass = 0; pass <= set->corrections; pass++) {
        apply(work->part, z, work, set);
        lashi_ldlt_solve(&set->ldlt, work->S, work->factor, work->int_work, work->part);
        for (int i = 0; i < set->rows; i++)
            z[i] -= work->part[i];
    }
}

void lashi_constraints_share(double *x, const lashi_constraint_work *work, const lashi_constraint_set *set) {
    const int n = work->repeat_count, rows = set->rows, stride = n + 1;
    double *Z = work->idle, *G = work->gram;
    for (int k = 0; k < n; k++)
        find_idle(Z + (size_t)k * (size_t)rows, work->repeats[k], work, set);
    // Zᵀ D Z w = Zᵀ D x
    for (int k = 0; k < n; k++)
        for (int l = 0; l <= n; l++) {
            const double *a = Z + (size_t)k * (size_t)rows, *b = l < n ? Z + (size_t)l * (size_t)rows : x;
            double sum = 0;
            for (int i = 0; i < rows; i++)
                sum += a[i] * set->weight[i] * b[i];
            G[k * stride + l] = sum;
        }
    for (int k = 0; k < n; k++)
        for (int r = k + 1; r < n; r++) {
            const double share = G[r * stride + k] / G[k * stride + k];
            for (int l = k; l <= n; l++)
                G[r * stride + l] -= share * G[k * stride + l];
        }
    for (int k = n - 1; k >= 0; k--) {
        for (int l = k + 1; l < n; l++)
            G[k * stride + n] -= G[k * stride + l] * G[l * stride + n];
        G[k * stride + n] /= G[k * stride + k];
        for (int i = 0; i < rows; i++)
            x[i] -= G[k * stride + n] * Z[(size_t)k * (size_t)rows + (size_t)i];
    }
}

/* ---- which rows are left out ---- */

/* S whole, [n][n]. */
static void expand(double *A, const lashi_constraint_work *work, const lashi_constraint_set *set) {
    const size_t n = (size_t)set->rows;
    double *unit = work->part;
    memset(unit, 0, n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        unit[i] = 1;
        apply(A + i * n, unit, work, set);
        unit[i] = 0;
    }
}

/* L D Lᵀ of A with the largest pivot first, as many steps as the rank has, and the last pivot as a share of
 * its diagonal entry. pivot: [n] 0 for rows that may not be taken; in the end 0 for those that were, too. (N.
 * J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. 2002, sec. 10.3.) */
static double take_pivots(double *A, double *pivot, double *diagonal, size_t n, size_t rank) {
    double share = 1;
    for (size_t i = 0; i < n; i++) {
        diagonal[i] = A[i * n + i];
        pivot[i] = pivot[i] > 0 ? diagonal[i] : 0;
    }
    for (size_t taken = 0; taken < rank; taken++) {
        size_t best = 0;
        for (size_t i = 1; i < n; i++)
            if (pivot[i] * diagonal[best] > pivot[best] * diagonal[i])
                best = i;
        const double D = pivot[best];
        share = D / diagonal[best];
        pivot[best] = 0;
        for (size_t i = 0; i < n; i++) {
            if (!(pivot[i] > 0))
                continue;
            const double l = A[i * n + best] / D;
            for (size_t j = 0; j < n; j++)
                A[i * n + j] -= l * A[best * n + j];
            pivot[i] = fmax(A[i * n + i], DBL_MIN); // not taken
        }
    }
    return share;
}

bool lashi_constraints_choose(const lashi_constraint_work *work, const lashi_constraint_set *set) {
    static const double BETTER = 10; /* by what another choice must be better */
    const size_t n = (size_t)set->rows, rank = n - (size_t)set->redundant;
    double *A = work->probe, *pivot = A + n * n, *diagonal = pivot + n;
    for (size_t i = 0; i < n; i++)
        pivot[i] = 1;
    for (int k = 0; k < set->redundant; k++)
        pivot[work->repeats[k]] = 0;
    expand(A, work, set);
    const double present = take_pivots(A, pivot, diagonal, n, rank);
    for (size_t i = 0; i < n; i++)
        pivot[i] = 1;
    expand(A, work, set);
    if (take_pivots(A, pivot, diagonal, n, rank) < BETTER * present)
        return false;
    for (size_t i = 0, k = 0; i < n && k < (size_t)set->redundant; i++)
        if (pivot[i] > 0)
            work->repeats[k++] = (int)i;
    memset(work->sound, 0, (size_t)set->count * sizeof(double));
    return true;
}
