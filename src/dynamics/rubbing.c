/* SPDX-License-Identifier: MIT
 *
 * Friction that is found together with the accelerations and multipliers of the same instant
 * (docs/physics.md, section 6; docs/contacts.md, friction of ideal joints).
 *
 * T_c are generalised unit forces, one column for each direction in which a force may act; f_c their sizes.
 * With λ⁰ and v̇⁰ the values without these forces,
 *   λ = λ⁰ + Σ f_c x_c,   x_c = S⁻¹ Φq M⁻¹ T_c,      T_c·v̇ = T_c·v̇⁰ + Σ_d W_cd f_d,
 *   W_cd = T_c·M⁻¹ T_d − (Φq M⁻¹ T_c)·x_d.
 * A column is one of two things.
 *   Sticking   T_c·v̇ + (velocity part) = −2κ v_T − κ² (s − s_held): f keeps the parts together. Where
 *              sticking places can only move together, W of their columns is singular. Of all f with the
 *              same effect the one with the least Σ W_cc f²/share is taken; the shares are chosen so that
 *              all places reach their limits together (sim/sticking.c).
 *   Pressed    f_c = −u_c, u_c = m Σ_e |R_e| + (constant part), with the ends' loads R_e linear in λ:
 *              sliding friction. m is the law's coefficient, for a round part m/√(1 + m²). A contact that
 *              is a constraint presses with its multiplier, sign included. In the same way the teeth of
 *              ideal gears push their wheels apart, with u = tan α |λ|.
 *
 * What begins to slide, where several directions are possible, has no direction yet. Near zero speed the
 * direction follows the forces so fast that steps would be tiny: −F v/|v|, F the size of the friction, turns
 * v at the rate W F/|v|, towards the rate a of v. So, with a = W f + q, f = −F a/|a| in every such place; or
 * |f| < F and a = 0 where that force would push it back. Both hold where f·W f/2 + q·f is least under |f| ≤ F
 * (Gauss' principle of least constraint). This problem is convex: there is one such motion. Friction acts
 * along that f until the speed is large enough to give a direction (sim/sticking.c). q follows from the
 * forces f_held that would hold these places, q = −W f_held, W the effect of forces there while the others
 * stick.
 *
 * Solution. Sticking columns are eliminated: f_sticking = p + Q f_pressed. Pressed ones are solved by
 * Newton's method from u = 0 with the exact derivative. Nothing is kept from the last evaluation, so results
 * do not depend on which evaluations came before.
 *
 * How many solutions there are (Painlevé 1895). B_bc = |m_b| Σ_e |∂R_e/∂u_c| bounds what u_c does to u_b.
 * With a spectral radius below 1 the equations are a contraction, and there is one solution. That is the
 * usual case. Otherwise solutions are sought from far starts on all sides; the evaluation fails where there
 * is none or several.
 */
#include "dynamics/evaluate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "joint/space.h"
#include "math/discs.h"
#include "math/eliminate.h"

/* Pivot, as a share of the largest, below which sticking places depend on each other. */
static const double NO_PIVOT = 1e-10;
/* The same where places in space stop: with a smaller pivot other speeds would change by far more than those
 * that are to vanish. */
static const double WEAK = 1e-4;
/* SETTLED: change of the forces, as a share of the largest, at which Newton's method ends. ANOTHER: share by
 * which two solutions differ at least. */
static const double SETTLED = 1e-15, ANOTHER = 1e-6;
/* Least determinant of the equations; it is 1 without friction. */
static const double LEAST_DETERMINANT = 1e-6;
/* Mobility, as a share of the largest, that is added in every direction of what begins to slide: where
 * sticking neighbours hold it, its own force is then the least. */
static const double LEAST_MOBILITY = 1e-9;
/* Starts far from the solution, in units of all loads. */
static const double FAR = 1e3;
/* Contacts that rub at once for which a run has room from its beginning; more room is made when more do. */
enum { USUAL_CONTACTS = 64 };
/* Determinant below which friction has made forces so much larger that it is what to blame them on. */
static const double TIGHT = 1e-2;
enum { NEWTON_STEPS = 40, PLAIN_STEPS = 2000, POWERS = 30 };
enum { COMPONENTS = LASHI_ENDS * LASHI_WAYS };

/* What makes forces: a rub, or teeth that push their wheels apart. */
typedef struct source {
    int rub;       /* index; -1: teeth */
    int item;      /* teeth: in motion.items */
    int row, rows; /* multipliers that press; -1: a load that is known */
    int ends;
    bool plain;                     /* its one load counts with its sign */
    double load;                    /* N, known load */
    double m, constant;             /* u = m Σ|R_e| + constant */
    double m_still, constant_still; /* the same for the largest friction at rest */
    double way[LASHI_WAYS];         /* direction of the pressed column */
    int column;                     /* its first */
    bool sticks;
    lashi_slide slide;
} source;

typedef struct column {
    int source;
    bool sticks;
    int body[LASHI_LINKS];
    double T[LASHI_LINKS][LASHI_FREEDOMS];
} column;

struct lashi_rub_work {
    source *sources;
    column *columns;
    int source_count, column_count;
    int *held, *pressed; /* their columns */
    int held_count, pressed_count;
    double *room;                      /* memory of most of what follows, … */
    size_t room_sources, room_columns; /* … for so many sources and columns */
    double *A, *x;                     /* [columns][rows] Φq M⁻¹ T, S⁻¹ of it */
    double *W;                         /* [columns][columns] */
    double *f;                         /* [columns] */
    double *R, *G; /* loads [sources][COMPONENTS]; what columns add to them [sources][COMPONENTS][columns] */
    double *cholesky, *gram, *scale, *part; /* [held][held], likewise, [held], [3 held] */
    double *Q;                              /* [held][columns + 1]: p in the last */
    double *u, *best, *step, *jacobian;     /* [pressed], and [pressed][pressed] */
    double (*begun)[LASHI_WAYS];            /* [rubs] direction in which it begins to slide */
    unsigned char *begins;                  /* [rubs] which do */
    double *fit, *fit_q, *fit_limit;        /* [columns], [columns], [rubs] */
    double *fit_work;                       /* math/discs.h */
    int *fit_ways;                          /* [rubs] */
};

/* ---- memory ---- */

static size_t most_sources(const lash_system *system) {
    size_t teeth = 0;
    for (int c = 0; c < system->motion.count; c++)
        teeth += system->motion.items[c].pressure > 0;
    return (size_t)system->rub_count + teeth;
}

bool lashi_rubs_needed(const lash_system *system) {
    return most_sources(system) > 0;
}

/* Room for so many sources and columns at once. Arrays that grow with the square of their number are made for
 * those that rub, not for all that might. False: no memory. */
static bool reserve(lashi_rub_work *work, const lash_system *system, size_t sources, size_t columns) {
    if (sources <= work->room_sources && columns <= work->room_columns)
        return true;
    const size_t rows = (size_t)system->motion.rows, held = system->sticks ? columns : 0,
                 discs = held ? (size_t)lashi_discs_work((int)held, (int)held) / held : 0;
    // Each is [columns][size]; a source has at least one column.
    struct {
        double **at;
        size_t size;
    } const arrays[] = {{&work->A, rows},        {&work->x, rows},     {&work->G, COMPONENTS * sources},
                        {&work->R, COMPONENTS},  {&work->W, held},     {&work->cholesky, held},
                        {&work->gram, held},     {&work->Q, held + 1}, {&work->jacobian, columns},
                        {&work->part, 3},        {&work->scale, 1},    {&work->f, 1},
                        {&work->u, 1},           {&work->best, 1},     {&work->step, 1},
                        {&work->fit_work, discs}};
    size_t size = 0;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        size += arrays[k].size;
    double *room = calloc(columns, size * sizeof *room);
    if (!room)
        return false;
    free(work->room);
    work->room = room;
    work->room_sources = sources;
    work->room_columns = columns;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k].at = room;
        room += columns * arrays[k].size;
    }
    return true;
}

/* Room for what has been gathered, and for half as much again. */
static bool reserve_gathered(lashi_rub_work *work, const lash_system *system) {
    const size_t sources = (size_t)work->source_count, columns = (size_t)work->column_count;
    return (sources <= work->room_sources && columns <= work->room_columns) ||
           reserve(work, system, sources + sources / 2, columns + columns / 2);
}

lash_status lashi_rub_work_create(lashi_rub_work **out, lashi_arena *arena, const lash_system *system,
                                  lash_error *error) {
    const size_t sources = most_sources(system), teeth = sources - (size_t)system->rub_count;
    size_t columns = teeth, usual_sources = teeth, usual_columns = teeth, contacts = 0;
    for (int r = 0; r < system->rub_count; r++) {
        const size_t ways = (size_t)system->rubs[r].ways;
        columns += ways;
        if (system->rubs[r].contact >= 0 && contacts++ >= USUAL_CONTACTS)
            continue;
        usual_sources++;
        usual_columns += ways;
    }
    lashi_rub_work *w = *out = lashi_arena_alloc(arena, 1, sizeof *w);
    if (!w)
        return lashi_fail_memory(error);
    w->sources = lashi_arena_alloc(arena, sources, sizeof *w->sources);
    w->columns = lashi_arena_alloc(arena, columns, sizeof *w->columns);
    w->held = lashi_arena_alloc(arena, columns, sizeof(int));
    w->pressed = lashi_arena_alloc(arena, columns, sizeof(int));
    w->begun = lashi_arena_alloc(arena, (size_t)system->rub_count, sizeof *w->begun);
    w->begins = lashi_arena_alloc(arena, (size_t)system->rub_count, 1);
    w->fit_ways = lashi_arena_alloc(arena, (size_t)system->rub_count, sizeof(int));
    w->fit_limit = lashi_arena_alloc(arena, (size_t)system->rub_count, sizeof(double));
    w->fit = lashi_arena_alloc(arena, columns, sizeof(double));
    w->fit_q = lashi_arena_alloc(arena, columns, sizeof(double));
    return w->sources && w->columns && w->held && w->pressed && w->begun && w->begins && w->fit_ways &&
                   w->fit_limit && w->fit && w->fit_q && reserve(w, system, usual_sources, usual_columns)
               ? LASH_OK
               : lashi_fail_memory(error);
}

void lashi_rub_work_destroy(lashi_rub_work *work) {
    if (work)
        free(work->room);
}

/* ---- what slides, and how ---- */

static double hat(const lashi_rub *rub, double m) {
    return lashi_rub_hat(rub->loaded, rub->round, m);
}

void lashi_rub_slide(lashi_slide *out, int bodies[LASHI_LINKS], const lashi_rub *rub,
                     const lashi_rub_memory *memory, const lash_system *system, const lashi_frame *frames) {
    if (rub->contact < 0) {
        const lashi_constraint *item = &system->motion.items[rub->constraint];
        lashi_joint_form_of(item)->slides->fill(out, rub->place, item, frames);
        memcpy(bodies, item->body, sizeof item->body);
        return;
    }
    const lashi_contact *contact = &system->contacts[rub->contact];
    const lashi_gap gap = lashi_gap_of(contact, frames);
    out->along[0] = gap.t;
    if (rub->ways > 1) { // in space: two ways across n, the first one close to its last direction
        out->along[0] = lashi_across(memory->ahead, gap.n);
        if (!(lashi_dot3(out->along[0], out->along[0]) > 0))
            out->along[0] = lashi_any_across(gap.n);
        out->along[1] = lashi_cross3(gap.n, out->along[0]);
    }
    for (int k = 0; k < rub->ways; k++) {
        lashi_contact_unit(out->T[k], contact, frames, &gap, out->along[k]);
        out->speed[k] = rub->ways == 1 ? gap.sliding : lashi_dot3(gap.slip, out->along[k]);
        out->bias[k] = lashi_kind_of(contact)->drift(contact, frames, &gap, out->along[k]);
        out->travel[k] = 0;
    }
    out->held = false;
    out->ends = 1;
    out->press[0][0][0] = 1;
    memcpy(bodies, contact->body, sizeof contact->body);
}

/* Direction in which a set-valued law's friction acts, and its coefficient. */
static double coulomb(double way[LASHI_WAYS], const lashi_rub *rub, const lashi_rub_memory *memory,
                      const double v[LASHI_WAYS], const double begun[LASHI_WAYS]) {
    const double length = lashi_ways_direct(way, v, rub->ways);
    double along = 0;
    if (memory->mode == LASHI_RUB_BY_SPEED)
        return length > 0 ? rub->law.p->kinetic : 0;
    if (memory->mode == LASHI_RUB_BEGINS || memory->mode == LASHI_RUB_STARTS) {
        memcpy(way, memory->mode == LASHI_RUB_BEGINS ? begun : memory->way, LASHI_WAYS * sizeof *way);
        return rub->law.p->kinetic;
    }
    for (int k = 0; k < rub->ways; k++)
        along += memory->way[k] * v[k];
    // Straight through rest: the direction stays as it was, so that a step may pass the instant of rest.
    for (int k = 0; k < rub->ways; k++)
        way[k] = rub->ways == 1 || along == 0 ? memory->way[k] : along > 0 ? way[k] : -way[k];
    return rub->law.p->kinetic;
}

/* The same for a law that is a function of the speed. */
static double regular(double way[LASHI_WAYS], double *ydot, const lashi_rub *rub, const double v[LASHI_WAYS],
                      const double *y) {
    const int z = rub->law.bristle ? rub->bristle : 0;
    return lashi_rub_regular(way, ydot + z, &rub->law, rub->ways, v, y + z);
}

static void add_column(lashi_rub_work *work, int of, const int body[LASHI_LINKS], bool sticks) {
    column *c = &work->columns[work->column_count];
    *c = (column){.source = of, .sticks = sticks};
    memcpy(c->body, body, sizeof c->body);
    (sticks ? work->held : work->pressed)[sticks ? work->held_count++ : work->pressed_count++] =
        work->column_count++;
}

/* The columns of a source: each way where it sticks, else its direction. */
static void add_columns(lashi_rub_work *work, int of, const int body[LASHI_LINKS], int ways) {
    source *s = &work->sources[of];
    s->column = work->column_count;
    for (int k = 0; k < (s->sticks ? ways : 1); k++) {
        add_column(work, of, body, s->sticks);
        column *c = &work->columns[s->column + k];
        const double own[LASHI_WAYS] = {k == 0, k == 1, k == 2};
        lashi_slide_across(c->T, &s->slide, s->sticks ? own : s->way, ways);
    }
}

static bool touches(const lashi_workspace *w, const lashi_rub *rub) {
    if (rub->contact < 0)
        return true;
    const lashi_contact *contact = &w->system->contacts[rub->contact];
    return contact->constraint >= 0 ? w->memories[rub->contact].touching != 0
                                    : w->contact_states[rub->contact].normal_force > 0;
}

static void begin(lashi_rub_work *work) {
    work->source_count = work->column_count = work->held_count = work->pressed_count = 0;
}

/* Adds rub r: where it slides and what presses, not yet its direction and coefficient. */
static source *add_source(lashi_workspace *w, int r, int body[LASHI_LINKS]) {
    const lash_system *system = w->system;
    const lashi_rub *rub = &system->rubs[r];
    source *s = &w->rubs->sources[w->rubs->source_count++];
    s->rub = r;
    s->row = -1;
    s->plain = rub->contact >= 0;
    if (rub->constraint >= 0) {
        s->row = system->motion.items[rub->constraint].first_row;
        s->rows = system->motion.items[rub->constraint].rows;
    } else {
        s->load = w->contact_states[rub->contact].normal_force;
    }
    lashi_rub_slide(&s->slide, body, rub, &w->rub_memories[r], system, w->frames);
    s->ends = rub->loaded ? s->slide.ends : 0;
    memcpy(w->rub_states[r].speed, s->slide.speed, sizeof s->slide.speed);
    return s;
}

/* Lists all sources and columns. holding: what begins to slide is held. */
static void gather(lashi_workspace *w, double *ydot, const double *y, bool holding) {
    const lash_system *system = w->system;
    lashi_rub_work *work = w->rubs;
    begin(work);
    for (int r = 0; r < system->rub_count; r++) {
        const lashi_rub *rub = &system->rubs[r];
        const lashi_rub_memory *memory = &w->rub_memories[r];
        int body[LASHI_LINKS];
        w->rub_states[r] = (lashi_rub_state){.active = touches(w, rub)};
        if (!w->rub_states[r].active)
            continue;
        source *s = add_source(w, r, body);
        double m = 0;
        s->sticks = rub->law.kind->sticks &&
                    (memory->mode == LASHI_RUB_STICKS || (holding && memory->mode == LASHI_RUB_BEGINS));
        if (!s->sticks)
            m = rub->law.kind->sticks ? coulomb(s->way, rub, memory, s->slide.speed, work->begun[r])
                                      : regular(s->way, ydot, rub, s->slide.speed, y);
        s->m = hat(rub, m);
        s->constant = rub->preload * m / rub->law.p->kinetic;
        s->m_still = hat(rub, rub->law.p->still);
        s->constant_still = rub->preload * rub->law.p->still / rub->law.p->kinetic;
        add_columns(work, work->source_count - 1, body, rub->ways);
    }
    for (int c = 0; w->apart && c < system->motion.count; c++) {
        const lashi_constraint *item = &system->motion.items[c];
        if (!(item->pressure > 0))
            continue;
        source *s = &work->sources[work->source_count];
        *s =
            (source){.rub = -1, .item = c, .row = item->first_row, .rows = 1, .ends = 1, .m = item->pressure};
        lashi_constraint_apart(s->slide.T[0], item, w->frames);
        s->slide.press[0][0][0] = 1;
        s->way[0] = -1;
        add_columns(work, work->source_count++, item->body, 1);
    }
}

/* ---- what the forces do ---- */

static double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* T·u, u by bodies. */
static double along(const column *c, const double (*u)[LASHI_FREEDOMS]) {
    double sum = 0;
    for (int link = 0; link < LASHI_LINKS; link++)
        sum += dot(c->T[link], u[c->body[link]], LASHI_FREEDOMS);
    return sum;
}

/* M⁻¹ T into the workspace's scratch. */
static void push(lashi_workspace *w, const column *c) {
    memset(w->scratch, 0, (size_t)w->system->bodies * sizeof *w->scratch);
    for (int link = 0; link < LASHI_LINKS; link++)
        for (int i = 0; i < LASHI_FREEDOMS; i++)
            w->scratch[c->body[link]][i] += c->T[link][i];
    lashi_constraints_yield(w->scratch, &w->system->motion, w->frames,
                            (const double(*)[LASHI_FREEDOMS])w->system->inverse_free);
}

/* A, x and W of all columns. */
static void respond(lashi_workspace *w) {
    lashi_rub_work *work = w->rubs;
    const lashi_constraint_set *set = &w->system->motion;
    const int n = work->column_count, rows = set->rows;
    for (int c = 0; c < n; c++) {
        double *A = work->A + (size_t)c * (size_t)rows, *x = work->x + (size_t)c * (size_t)rows;
        push(w, &work->columns[c]);
        memset(A, 0, (size_t)rows * sizeof *A);
        lashi_constraints_multiply(A, &w->constraints, set, (const double(*)[LASHI_FREEDOMS])w->scratch);
        memcpy(x, A, (size_t)rows * sizeof *x);
        if (rows > 0)
            lashi_constraints_solve(x, &w->constraints, set);
        for (int d = 0; w->system->sticks && d < n; d++)
            work->W[d * n + c] = along(&work->columns[d], (const double(*)[LASHI_FREEDOMS])w->scratch);
    }
    for (int d = 0; w->system->sticks && d < n; d++)
        for (int c = 0; c < n; c++)
            work->W[d * n + c] -=
                dot(work->A + (size_t)d * (size_t)rows, work->x + (size_t)c * (size_t)rows, rows);
}

/* Mobility of column c by its bodies alone. */
static double free_mobility(lashi_workspace *w, int c) {
    push(w, &w->rubs->columns[c]);
    return along(&w->rubs->columns[c], (const double(*)[LASHI_FREEDOMS])w->scratch);
}

/* ---- sticking ---- */

/* W of the held columns as scale⁻¹ C Cᵀ scale⁻¹, C of full rank; returns the rank. Largest pivots first
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. 2002, sec. 10.3), down to the share
 * `least`. */
static int factor_held(lashi_workspace *w, double least) {
    lashi_rub_work *work = w->rubs;
    const int n = work->held_count, all = work->column_count;
    double *C = work->cholesky, *scale = work->scale, *pivot = work->part;
    double most = 0;
    for (int i = 0; i < n; i++) {
        const int c = work->held[i], r = work->sources[work->columns[c].source].rub;
        const double moves = work->W[c * all + c], share = w->rub_memories[r].share;
        const bool stuck = !(moves > LASHI_NO_MOBILITY * free_mobility(w, c));
        scale[i] = stuck ? 0 : sqrt(share / moves);
        pivot[i] = scale[i] * scale[i] * moves;
        most = fmax(most, pivot[i]);
    }
    int rank = 0;
    for (; rank < n; rank++) {
        int best = 0;
        for (int i = 1; i < n; i++)
            best = pivot[i] > pivot[best] ? i : best;
        if (!(pivot[best] > least * most))
            break;
        const double root = sqrt(pivot[best]);
        for (int i = 0; i < n; i++) {
            double value = scale[i] * scale[best] * work->W[work->held[i] * all + work->held[best]];
            for (int k = 0; k < rank; k++)
                value -= C[i * n + k] * C[best * n + k];
            C[i * n + rank] = value / root;
        }
        for (int i = 0; i < n; i++)
            pivot[i] -= C[i * n + rank] * C[i * n + rank];
        pivot[best] = 0;
    }
    // The Cholesky factor of CᵀC.
    double *K = work->gram;
    for (int i = 0; i < rank; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += C[k * n + i] * C[k * n + j];
            for (int k = 0; k < j; k++)
                sum -= K[i * n + k] * K[j * n + k];
            K[i * n + j] = i == j ? sqrt(sum) : sum / K[j * n + j];
        }
    return rank;
}

static void solve_gram(double *b, const double *K, int rank, int n) {
    for (int i = 0; i < rank; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= K[i * n + k] * b[k];
        b[i] /= K[i * n + i];
    }
    for (int i = rank - 1; i >= 0; i--) {
        for (int k = i + 1; k < rank; k++)
            b[i] -= K[k * n + i] * b[k];
        b[i] /= K[i * n + i];
    }
}

/* out[i·stride] += W⁺ b, the solution of least norm, C (CᵀC)⁻² Cᵀ b in scaled forces. */
static void add_solution(double *out, int stride, const lashi_rub_work *work, int rank, const double *b) {
    const int n = work->held_count;
    double *y = work->part;
    for (int k = 0; k < rank; k++) {
        y[k] = 0;
        for (int i = 0; i < n; i++)
            y[k] += work->cholesky[i * n + k] * work->scale[i] * b[i];
    }
    solve_gram(y, work->gram, rank, n);
    solve_gram(y, work->gram, rank, n);
    for (int i = 0; i < n; i++)
        out[i * stride] += work->scale[i] * dot(work->cholesky + i * n, y, rank);
}

/* f of the held columns for W f = −b, b [held] in part + held; a second pass removes what rounding
 * has left. */
static void hold_against(double *out, int stride, lashi_rub_work *work, int rank, const double *b) {
    const int n = work->held_count, all = work->column_count;
    double *rest = work->part + 2 * n;
    for (int i = 0; i < n; i++)
        out[i * stride] = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++) {
            rest[i] = -b[i];
            for (int k = 0; k < n; k++)
                rest[i] -= work->W[work->held[i] * all + work->held[k]] * out[k * stride];
        }
        add_solution(out, stride, work, rank, rest);
    }
}

/* Minus the rate that the speed of a sticking place must have along a way. */
static double going_back(const lashi_slide *slide, const lashi_rub_memory *memory, int way) {
    if (memory->mode != LASHI_RUB_STICKS)
        return 0;
    const double back = 2 * LASHI_RETURN_RATE * slide->speed[way];
    return slide->held
               ? back + LASHI_RETURN_RATE * LASHI_RETURN_RATE * (slide->travel[way] - memory->held[way])
               : back;
}

/* p and Q: the forces of the held columns, and how they answer the pressed ones. */
static void eliminate_held(lashi_workspace *w) {
    lashi_rub_work *work = w->rubs;
    const int n = work->held_count, all = work->column_count, rows = w->system->motion.rows, stride = all + 1;
    double *b = work->part + n;
    if (n == 0)
        return;
    const int rank = factor_held(w, NO_PIVOT);
    for (int i = 0; i < n; i++) {
        const int c = work->held[i];
        const source *s = &work->sources[work->columns[c].source];
        const int way = c - s->column;
        b[i] = along(&work->columns[c], (const double(*)[LASHI_FREEDOMS])w->acceleration) -
               dot(work->A + (size_t)c * (size_t)rows, w->lambda, rows) + s->slide.bias[way] +
               going_back(&s->slide, &w->rub_memories[s->rub], way);
    }
    hold_against(work->Q + all, stride, work, rank, b);
    for (int k = 0; k < work->pressed_count; k++) {
        const int c = work->pressed[k];
        for (int i = 0; i < n; i++)
            b[i] = work->W[work->held[i] * all + c];
        hold_against(work->Q + c, stride, work, rank, b);
    }
}

/* ---- pressing ---- */

/* The loads without pressed columns, and what each of these adds to them, with the answer of the
 * held ones. */
static void find_loads(lashi_workspace *w) {
    lashi_rub_work *work = w->rubs;
    const int all = work->column_count, rows = w->system->motion.rows, stride = all + 1;
    for (int i = 0; i < work->source_count; i++) {
        const source *s = &work->sources[i];
        double *R = work->R + i * COMPONENTS, *G = work->G + (size_t)(i * COMPONENTS) * (size_t)all;
        for (int e = 0; e < s->ends; e++)
            for (int k = 0; k < LASHI_WAYS; k++) {
                const int at = e * LASHI_WAYS + k;
                const bool known = s->row < 0, one = s->rub < 0 || s->plain;
                if (known || (one && k > 0)) {
                    R[at] = known && k == 0 ? s->load : 0;
                    memset(G + at * all, 0, (size_t)all * sizeof *G);
                    continue;
                }
                const double *press = s->slide.press[e][k];
                R[at] = dot(press, w->lambda + s->row, s->rows);
                for (int c = 0; c < all; c++)
                    G[at * all + c] = dot(press, work->x + (size_t)c * (size_t)rows + s->row, s->rows);
                for (int h = 0; h < work->held_count; h++) {
                    const double share = G[at * all + work->held[h]];
                    R[at] += share * work->Q[h * stride + all];
                    for (int p = 0; p < work->pressed_count; p++)
                        G[at * all + work->pressed[p]] += share * work->Q[h * stride + work->pressed[p]];
                }
            }
    }
}

/* Load of source i with the forces −u, and its derivatives with respect to u. */
static double load_of(double *slope, const lashi_rub_work *work, int i, const double *u) {
    const source *s = &work->sources[i];
    const int all = work->column_count, n = work->pressed_count;
    double N = 0;
    for (int p = 0; slope && p < n; p++)
        slope[p] = 0;
    for (int e = 0; e < s->ends; e++) {
        const double *R0 = work->R + i * COMPONENTS + e * LASHI_WAYS;
        const double *G = work->G + (size_t)(i * COMPONENTS + e * LASHI_WAYS) * (size_t)all;
        double R[LASHI_WAYS], length = 0;
        for (int k = 0; k < LASHI_WAYS; k++) {
            R[k] = R0[k];
            for (int p = 0; p < n; p++)
                R[k] -= G[k * all + work->pressed[p]] * u[p];
            length += R[k] * R[k];
        }
        length = s->plain ? R[0] : sqrt(length);
        N += length;
        for (int p = 0; slope && length != 0 && p < n; p++)
            for (int k = 0; k < LASHI_WAYS; k++)
                slope[p] -= G[k * all + work->pressed[p]] * R[k] / length;
    }
    return N;
}

/* m N(u) + constant − u of every pressed column, in step; and the derivatives of its negative. */
static void misfit(lashi_rub_work *work, const double *u, bool slopes) {
    const int n = work->pressed_count;
    for (int p = 0; p < n; p++) {
        const int i = work->columns[work->pressed[p]].source;
        const source *s = &work->sources[i];
        double *row = work->jacobian + p * n;
        work->step[p] = s->m * load_of(slopes ? row : NULL, work, i, u) + s->constant - u[p];
        for (int q = 0; slopes && q < n; q++)
            row[q] = (q == p) - s->m * row[q];
    }
}

static double largest(const double *a, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i]));
    return most;
}

/* Newton's method from u. False: it does not settle. *determinant: of the equations there. */
static bool newton(double *u, double *determinant, lashi_rub_work *work) {
    const int n = work->pressed_count;
    double last = INFINITY;
    for (int k = 0; k < NEWTON_STEPS; k++) {
        misfit(work, u, true);
        if (!lashi_eliminate(determinant, work->jacobian, work->step, (size_t)n) || *determinant == 0)
            return false;
        for (int p = 0; p < n; p++)
            u[p] += work->step[p];
        const double change = largest(work->step, n), size = largest(u, n);
        if (!isfinite(change))
            return false;
        // Rounding ends it too: the steps no longer become smaller. It grows as the equations come near singular.
        const double rounding = 1e3 * SETTLED * size / fmin(1, fabs(*determinant));
        if (change <= SETTLED * size || (change <= rounding && change >= 0.5 * last))
            return true;
        last = change;
    }
    return false;
}

/* Whether the equations are a contraction, so that they have one solution: the spectral radius of B by
 * Collatz' and Wielandt's bounds. */
static bool contracts(lashi_rub_work *work) {
    const int n = work->pressed_count, all = work->column_count;
    double *B = work->jacobian, *x = work->best, *y = work->step;
    for (int p = 0; p < n; p++) {
        const int i = work->columns[work->pressed[p]].source;
        const source *s = &work->sources[i];
        for (int q = 0; q < n; q++) {
            B[p * n + q] = 0;
            for (int e = 0; e < s->ends; e++) {
                const double *G =
                    work->G + (size_t)(i * COMPONENTS + e * LASHI_WAYS) * (size_t)all + work->pressed[q];
                B[p * n + q] += fabs(s->m) * sqrt(G[0] * G[0] + G[all] * G[all] + G[2 * all] * G[2 * all]);
            }
        }
        x[p] = 1;
    }
    for (int k = 0; k < POWERS; k++) {
        double most = 0, least = INFINITY;
        for (int p = 0; p < n; p++) {
            y[p] = dot(B + p * n, x, n);
            most = fmax(most, y[p] / x[p]);
            least = fmin(least, y[p] / x[p]);
        }
        if (most < 1 || least >= 1)
            return most < 1;
        for (int p = 0; p < n; p++)
            x[p] += y[p];
        const double size = largest(x, n);
        for (int p = 0; p < n; p++)
            x[p] = fmax(x[p] / size, DBL_MIN);
    }
    return false;
}

/* The rub whose friction has the largest effect on its own load: for messages. */
static int strongest(const lashi_rub_work *work) {
    const int n = work->pressed_count, all = work->column_count;
    double most = -1;
    int found = -1;
    for (int p = 0; p < n; p++) {
        const int i = work->columns[work->pressed[p]].source;
        const source *s = &work->sources[i];
        double own = 0;
        for (int k = 0; k < s->ends * LASHI_WAYS; k++)
            own +=
                fabs(s->m * work->G[(size_t)(i * COMPONENTS + k) * (size_t)all + (size_t)work->pressed[p]]);
        if (s->rub >= 0 && own > most) {
            most = own;
            found = s->rub;
        }
    }
    return found;
}

/* Solutions from far starts on all sides: their number, 2 for more; the first is left in u. */
static int search(double *u, lashi_rub_work *work) {
    const int n = work->pressed_count;
    double far = 0, determinant;
    int found = 0;
    memset(u, 0, (size_t)n * sizeof *u);
    misfit(work, u, false);
    far = FAR * largest(work->step, n);
    for (int start = 0; start < 2 * n + 3 && found < 2; start++) {
        for (int p = 0; p < n; p++) // from nothing, from all far, from one far; both signs
            u[p] = start == 0 ? 0 : start < 3 || (start - 3) / 2 == p ? (start % 2 ? far : -far) : 0;
        if (!newton(u, &determinant, work))
            continue;
        if (!(determinant > LEAST_DETERMINANT))
            return 2;
        double apart = 0;
        for (int p = 0; found && p < n; p++)
            apart = fmax(apart, fabs(u[p] - work->best[p]));
        if (found == 0 || apart > ANOTHER * (largest(u, n) + largest(work->best, n)))
            found++;
        if (found == 1)
            memcpy(work->best, u, (size_t)n * sizeof *u);
    }
    if (found == 1)
        memcpy(u, work->best, (size_t)n * sizeof *u);
    return found;
}

/* The pressed forces. 0, or 1: none, or several. */
static int press(lashi_workspace *w) {
    lashi_rub_work *work = w->rubs;
    const int n = work->pressed_count;
    double determinant;
    w->tight_rub = -1;
    if (n == 0)
        return 0;
    if (!contracts(work)) {
        w->tight_rub = strongest(work);
        w->rub_solutions = search(work->u, work);
        w->failed_rub = w->rub_solutions == 1 ? -1 : w->tight_rub;
        return w->rub_solutions != 1;
    }
    memset(work->u, 0, (size_t)n * sizeof *work->u);
    if (newton(work->u, &determinant, work)) {
        w->tight_rub = determinant > TIGHT ? -1 : strongest(work);
        return 0;
    }
    // Newton's method jumps to and fro over a kink: the contraction itself converges, or comes near enough.
    memset(work->u, 0, (size_t)n * sizeof *work->u);
    for (int k = 0; k < PLAIN_STEPS; k++) {
        misfit(work, work->u, false);
        for (int p = 0; p < n; p++)
            work->u[p] += work->step[p];
        if (!(largest(work->step, n) > SETTLED * largest(work->u, n)))
            return 0;
    }
    if (newton(work->u, &determinant, work))
        return 0;
    w->tight_rub = w->failed_rub = strongest(work);
    w->rub_solutions = 0;
    return 1;
}

/* ---- the whole ---- */

static int no_memory(lashi_workspace *w) {
    w->failed_rub = 0;
    w->rub_solutions = LASHI_RUBS_NO_MEMORY;
    return 1;
}

/* The forces of the columns. 0, or 1: none, or several. */
static int solve(lashi_workspace *w) {
    lashi_rub_work *work = w->rubs;
    const int all = work->column_count, stride = all + 1;
    if (!reserve_gathered(work, w->system))
        return no_memory(w);
    respond(w);
    eliminate_held(w);
    find_loads(w);
    if (press(w))
        return 1;
    for (int p = 0; p < work->pressed_count; p++)
        work->f[work->pressed[p]] = -work->u[p];
    for (int h = 0; h < work->held_count; h++) {
        double *f = &work->f[work->held[h]];
        *f = work->Q[h * stride + all];
        for (int p = 0; p < work->pressed_count; p++)
            *f -= work->Q[h * stride + work->pressed[p]] * work->u[p];
    }
    return 0;
}

/* Adds rub r with a column for each of its ways, held. */
static void add_held(lashi_workspace *w, int r) {
    int body[LASHI_LINKS];
    source *s = add_source(w, r, body);
    s->sticks = true;
    add_columns(w->rubs, w->rubs->source_count - 1, body, w->system->rubs[r].ways);
}

/* Effect of forces along the ways of the rubs marked in `which` on the rates of their speeds, m/s² per N,
 * with what sticks held: [n][n], n the number of all their ways. Valid until the next evaluation. NULL: no
 * memory. */
static const double *mobility(lashi_workspace *w, const unsigned char *which) {
    const lash_system *system = w->system;
    lashi_rub_work *work = w->rubs;
    begin(work);
    for (int r = 0; r < system->rub_count; r++)
        if (w->rub_states[r].active && w->rub_memories[r].mode == LASHI_RUB_STICKS)
            add_held(w, r);
    const int held = work->held_count;
    for (int r = 0; r < system->rub_count; r++)
        if (which[r])
            add_held(w, r);
    const int all = work->column_count, n = all - held, stride = all + 1;
    if (!reserve_gathered(work, system))
        return NULL;
    double *out = work->jacobian, *b = work->part + held;
    work->held_count = held;
    respond(w);
    const int rank = held > 0 ? factor_held(w, NO_PIVOT) : 0;
    for (int d = 0; d < n; d++) {
        for (int i = 0; i < held; i++)
            b[i] = work->W[i * all + held + d];
        if (held > 0)
            hold_against(work->Q + d, stride, work, rank, b);
        for (int c = 0; c < n; c++) {
            out[c * n + d] = work->W[(held + c) * all + held + d];
            for (int i = 0; i < held; i++)
                out[c * n + d] += work->W[(held + c) * all + i] * work->Q[i * stride + d];
        }
    }
    double most = 0;
    for (int c = 0; c < n; c++)
        most = fmax(most, out[c * n + c]);
    for (int c = 0; c < n; c++)
        out[c * n + c] += LEAST_MOBILITY * most;
    return out;
}

/* The forces of the marked rubs that fit together, into work->fit. Before the call fit and fit_q hold the
 * present forces and the rates with them. False: no memory. */
static bool fit(lashi_workspace *w, const unsigned char *which) {
    lashi_rub_work *work = w->rubs;
    const double *W = mobility(w, which);
    int n = 0, count = 0;
    if (!W)
        return false;
    for (int r = 0; r < w->system->rub_count; r++)
        if (which[r]) {
            work->fit_ways[count] = w->system->rubs[r].ways;
            work->fit_limit[count] = work->fit_limit[r];
            n += work->fit_ways[count++];
        }
    for (int i = 0; i < n; i++)
        work->fit_q[i] -= dot(W + i * n, work->fit, n);
    lashi_discs_least(
        work->fit, &(lashi_discs){W, work->fit_q, n, count, work->fit_ways, work->fit_limit, work->fit_work});
    return true;
}

/* The directions of what begins to slide. 0, or 1: as solve. */
static int find_begun(lashi_workspace *w, double *ydot, const double *y) {
    const lash_system *system = w->system;
    lashi_rub_work *work = w->rubs;
    bool any = false;
    for (int r = 0; r < system->rub_count; r++) {
        work->begins[r] = w->rub_memories[r].mode == LASHI_RUB_BEGINS && touches(w, &system->rubs[r]);
        any = any || work->begins[r];
    }
    if (!any)
        return 0;
    gather(w, ydot, y, true);
    if (solve(w))
        return 1;
    int n = 0;
    for (int i = 0; i < work->source_count; i++) { // in the order of rubs
        const source *s = &work->sources[i];
        if (s->rub < 0 || !work->begins[s->rub])
            continue;
        const lashi_rub *rub = &system->rubs[s->rub];
        work->fit_limit[s->rub] =
            hat(rub, rub->law.p->kinetic) * load_of(NULL, work, i, work->u) + rub->preload;
        for (int k = 0; k < rub->ways; k++, n++) {
            work->fit[n] = work->f[s->column + k];
            work->fit_q[n] = 0;
        }
    }
    if (!fit(w, work->begins))
        return no_memory(w);
    for (int r = 0, at = 0; r < system->rub_count; r++) {
        if (!work->begins[r])
            continue;
        const int ways = system->rubs[r].ways;
        const double length = lashi_ways_length(work->fit + at, ways);
        for (int k = 0; k < ways; k++, at++)
            work->begun[r][k] = length > 0 ? -work->fit[at] / length : w->rub_memories[r].way[k];
    }
    return 0;
}

/* Forces on the bodies, λ, and the state of each rub. */
static void apply(lashi_workspace *w, double *ydot) {
    const lash_system *system = w->system;
    lashi_rub_work *work = w->rubs;
    const int all = work->column_count, rows = system->motion.rows;
    for (int c = 0; c < all; c++) {
        const column *col = &work->columns[c];
        for (int r = 0; r < rows; r++)
            w->lambda[r] += work->f[c] * work->x[(size_t)c * (size_t)rows + (size_t)r];
        for (int link = 0; link < LASHI_LINKS; link++)
            for (int i = 0; i < LASHI_FREEDOMS; i++)
                w->force[col->body[link]][i] += work->f[c] * col->T[link][i];
    }
    for (int i = 0; i < work->source_count; i++) {
        const source *s = &work->sources[i];
        if (s->rub < 0) {
            w->apart[s->item] = -work->f[s->column];
            continue;
        }
        const lashi_rub *rub = &system->rubs[s->rub];
        const lashi_rub_memory *memory = &w->rub_memories[s->rub];
        lashi_rub_state *state = &w->rub_states[s->rub];
        double power = 0;
        for (int k = 0; k < rub->ways; k++) {
            state->force[k] = s->sticks ? work->f[s->column + k] : work->f[s->column] * s->way[k];
            power -= state->force[k] * s->slide.speed[k];
        }
        memcpy(state->way, s->way, sizeof s->way);
        state->limit = s->m_still * load_of(NULL, work, i, work->u) + s->constant_still;
        state->strength = fabs(state->limit) * free_mobility(w, s->column);
        if (rub->contact < 0) {
            ydot[rub->loss] = power;
        } else {
            lashi_contact_state *contact = &w->contact_states[rub->contact];
            contact->friction_force =
                rub->ways == 1 ? state->force[0] : -lashi_ways_length(state->force, rub->ways);
            contact->friction_power = power;
            for (int k = 0; k < rub->ways; k++)
                contact->dry = lashi_axpy3(contact->dry, state->force[k], s->slide.along[k]);
            ydot[system->loss_at + LASHI_LOSSES * rub->contact + LASHI_LOSS_FRICTION] = power;
        }
        if (!rub->law.kind->sticks)
            continue;
        const double margin = s->sticks ? lashi_rub_margin(rub, state) : 1;
        const bool slides = memory->mode == LASHI_RUB_SLIDES || memory->mode == LASHI_RUB_BEGINS;
        w->least_margin[s->rub] = fmin(w->least_margin[s->rub], margin);
        w->most_margin[s->rub] = fmax(w->most_margin[s->rub], margin);
        w->mismatch |= margin < 0 || (slides && lashi_rub_onward(rub, memory, state) < 0);
    }
}

int lashi_rubs_solve(lashi_workspace *w, double *ydot, const double *y) {
    if (find_begun(w, ydot, y))
        return 1;
    gather(w, ydot, y, false);
    if (w->rubs->column_count == 0)
        return 0;
    if (solve(w))
        return 1;
    apply(w, ydot);
    return 0;
}

static const int *bodies_of(const lash_system *system, int r) {
    const lashi_rub *rub = &system->rubs[r];
    return rub->contact < 0 ? system->motion.items[rub->constraint].body
                            : system->contacts[rub->contact].body;
}

/* Whether r and s are places of one body that moves. */
static bool share_a_body(const lash_system *system, int r, int s) {
    const int *a = bodies_of(system, r), *b = bodies_of(system, s);
    for (int i = 0; i < LASHI_LINKS; i++)
        for (int k = 0; a[i] != 0 && k < LASHI_LINKS; k++)
            if (a[i] == b[k])
                return true;
    return false;
}

double lashi_rub_rate(double rate[LASHI_WAYS], const lashi_workspace *w, int r) {
    const lashi_rub *rub = &w->system->rubs[r];
    lashi_slide slide;
    int body[LASHI_LINKS];
    double scale = w->rub_memories[r].rest;
    // What rounds it: also forces at other places of its bodies, where its own contact presses with none.
    for (int s = 0; s < w->system->rub_count; s++)
        if (w->rub_states[s].active && (s == r || share_a_body(w->system, r, s)))
            scale = fmax(scale, w->rub_states[s].strength);
    lashi_rub_slide(&slide, body, rub, &w->rub_memories[r], w->system, w->frames);
    for (int k = 0; k < rub->ways; k++) {
        const lashi_rub_memory *memory = &w->rub_memories[r];
        rate[k] = slide.bias[k] + going_back(&slide, memory, k);
        scale = fmax(scale, fabs(slide.bias[k]));
        for (int link = 0; link < LASHI_LINKS; link++)
            for (int i = 0; i < LASHI_FREEDOMS; i++) {
                const double part = slide.T[k][link][i] * w->acceleration[body[link]][i];
                rate[k] += part;
                scale = fmax(scale, fabs(part));
            }
    }
    return scale;
}

bool lashi_rub_fit(double (*f)[LASHI_WAYS], lashi_workspace *w, const unsigned char *which) {
    const lash_system *system = w->system;
    lashi_rub_work *work = w->rubs;
    for (int r = 0, at = 0; r < system->rub_count; r++) {
        double rate[LASHI_WAYS];
        if (!which[r])
            continue;
        lashi_rub_rate(rate, w, r);
        work->fit_limit[r] = lashi_ways_length(w->rub_states[r].force, system->rubs[r].ways);
        for (int k = 0; k < system->rubs[r].ways; k++, at++) {
            work->fit[at] = w->rub_states[r].force[k];
            work->fit_q[at] = rate[k];
        }
    }
    if (!fit(w, which))
        return false;
    for (int r = 0, at = 0; r < system->rub_count; r++)
        for (int k = 0; which[r] && k < system->rubs[r].ways; k++)
            f[r][k] = work->fit[at++];
    return true;
}

bool lashi_rub_stop(double *y, lashi_workspace *w, const unsigned char *stops) {
    const lash_system *system = w->system;
    lashi_rub_work *work = w->rubs;
    bool several = false;
    begin(work);
    for (int r = 0; r < system->rub_count; r++) {
        if (stops[r])
            add_held(w, r);
        several = several || (stops[r] && system->rubs[r].ways > 1);
    }
    const int n = work->held_count, rows = system->motion.rows, all = work->column_count;
    if (n == 0)
        return true;
    if (!reserve_gathered(work, system))
        return false;
    respond(w);
    const int rank = factor_held(w, several ? WEAK : NO_PIVOT);
    double *b = work->part + n;
    for (int i = 0; i < n; i++) {
        const source *s = &work->sources[work->columns[work->held[i]].source];
        b[i] = s->slide.speed[work->held[i] - s->column];
    }
    hold_against(work->Q + all, all + 1, work, rank, b);
    double(*push_all)[LASHI_FREEDOMS] = w->scratch, *x = w->row_scratch;
    memset(push_all, 0, (size_t)system->bodies * sizeof *push_all);
    memset(x, 0, (size_t)rows * sizeof *x);
    for (int i = 0; i < n; i++) {
        const column *c = &work->columns[work->held[i]];
        const double P = work->Q[i * (all + 1) + all];
        for (int link = 0; link < LASHI_LINKS; link++)
            for (int k = 0; k < LASHI_FREEDOMS; k++)
                push_all[c->body[link]][k] += P * c->T[link][k];
        for (int r = 0; r < rows; r++)
            x[r] += P * work->x[(size_t)work->held[i] * (size_t)rows + (size_t)r];
    }
    lashi_constraints_subtract(push_all, &w->constraints, &system->motion, x);
    lashi_constraints_yield(push_all, &system->motion, w->frames,
                            (const double(*)[LASHI_FREEDOMS])system->inverse_free);
    const double *change = push_all[0];
    for (int i = 0; i < system->n_v; i++)
        y[system->v_at + i] += change[system->freedom[i]];
    return true;
}
