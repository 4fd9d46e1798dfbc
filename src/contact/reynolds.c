/* SPDX-License-Identifier: MIT
 *
 * Reynolds' equation on a grid (reynolds.h), by finite volumes and an active-set Newton method.
 *
 * Grid. Half of the points are spread evenly in theta, half evenly in Sommerfeld's variable gamma, which
 * follows the narrow pressure hill at the thinnest film: the nodes are even in s = (theta + gamma)/2 with
 *     tan(gamma/2) = sqrt((1 + eps)/(1 - eps)) tan(theta/2),   dgamma/dtheta = sqrt(1 - eps^2)/H.
 * Across, zeta = x + g x (1 - x), with g near 1 where the layer at the ends is thin (high eps or long
 * bearings). Both maps are smooth, so the scheme is of second order; faces lie halfway in s and x.
 *
 * Volumes. Each cell balances the flow through its four faces with the exact integral of the source. The
 * matrix A is symmetric, positive definite and an M-matrix (off-diagonals <= 0). With p >= 0:
 *     P >= 0,  A P - f >= 0,  P (A P - f) = 0 in each cell.
 *
 * Active set. Cells with P = 0 are taken out, the rest solved directly (banded LDL^T; a closed
 * circle is folded, so that nodes j and -j stand side by side and the band is 2 `across`; an inlet line opens
 * it and halves the band); then a cell with P < 0 joins the set
 * and one with A P - f < 0 leaves it. This is Newton's method on min(P, A P - f) = 0; for an M-matrix it
 * rises monotonically after the first step and ends after finitely many, with the discrete conditions met to
 * rounding: M. Hintermueller, K. Ito, K. Kunisch, The primal-dual active set strategy as a semismooth Newton
 * method, SIAM J. Optim. 13 (2003) 865-888, theorem 3.2.
 *
 * Reynolds' equation with p >= 0 and its boundary of rupture: B. J. Hamrock, Fundamentals of Fluid Film
 * Lubrication (1994), chapters 7, 8 and 11. Where the film forms again the inequality does not conserve mass
 * exactly; state the inlet that the bearing has.
 */
#include "contact/reynolds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const double pi = 3.14159265358979323846;
/* A cell changes sides only beyond the rounding of its own balance: P against its neighbours', A P - f
 * against the sum of its terms. Pressures of one film may differ by a factor 1e8, so that no global scale
 * serves. */
static const double flip_tolerance = 1e-11;
enum { MAX_ITERATIONS = 200, COARSEST_AROUND = 64, COARSEST_ACROSS = 8 };

struct lashi_reynolds {
    int around, across; /* N, M */
    int band;           /* of the matrix: 2 M folded, M in line */
    double eps, first;  /* that theta and half belong to */
    lashi_reynolds
        *coarse;    /* every second node each way, NULL: this is the coarsest; gives the first guess */
    double *theta;  /* [N] nodes */
    double *half;   /* [N] face between j and j + 1 */
    double *flow;   /* [N] H^3/dtheta at that face */
    double *width;  /* [N] cell */
    double *film;   /* [N] H^3 at the node */
    double *source; /* [N] 12 times the integral of a cos + b sin over the cell */
    double *zeta;   /* [M + 1] */
    double *height; /* [M] cell */
    double *rate;   /* [M] (D/L)^2/dzeta between k and k + 1 */
    double *weight; /* [M] Simpson's, for integrals over zeta */
    double *P;      /* [N M], in the folded order */
    double *f;      /* [N M] */
    double *matrix; /* [N M][band + 1], the diagonal first, then to the right */
    char *active;   /* [N M] */
    int *column;    /* [N] node j -> its place in the folded order */
};

static int turn(const lashi_reynolds *g, int j) {
    return j < 0 ? j + g->around : j >= g->around ? j - g->around : j;
}

static int unknown(const lashi_reynolds *g, int j, int k) {
    return g->column[turn(g, j)] * g->across + k;
}

/* gamma of theta, in the same turn. */
static double sommerfeld(double theta, double eps) {
    double whole = 2 * pi * floor((theta + pi) / (2 * pi));
    double rest = theta - whole;
    return whole + 2 * atan2(sqrt(1 + eps) * sin(rest / 2), sqrt(1 - eps) * cos(rest / 2));
}

/* theta of s = (theta + gamma)/2: Newton, and a bisection whenever that has not halved the error. */
static double angle_of(double s, double eps) {
    double low = s - pi, high = s + pi, theta = s, last = INFINITY;
    for (int i = 0; i < 200; i++) {
        double error = (theta + sommerfeld(theta, eps)) / 2 - s;
        if (error > 0)
            high = theta;
        else
            low = theta;
        double slope = (1 + sqrt(1 - eps * eps) / (1 - eps * cos(theta))) / 2;
        double next = theta - error / slope;
        if (!(fabs(error) < last / 2) || !(next > low && next < high))
            next = (low + high) / 2;
        if (fabs(next - theta) <= 1e-15 * (1 + fabs(theta)))
            return next;
        theta = next;
        last = fabs(error);
    }
    return theta;
}

static double cube(double x) {
    return x * x * x;
}

/* A line held at P = 0 opens the circle: its nodes stand in line. A closed circle is folded, so that j and -j
 * stand side by side. */
static void set_order(lashi_reynolds *g, bool open) {
    int N = g->around;
    for (int j = 0; j < N; j++)
        g->column[j] = open || j == 0 ? j : j < N / 2 ? 2 * j - 1 : j == N / 2 ? N - 1 : 2 * (N - j);
    g->band = open ? g->across : 2 * g->across;
}

/* Nodes, faces, coefficients and sources of one problem. */
static void set_grid(lashi_reynolds *g, const lashi_reynolds_problem *p) {
    int N = g->around, M = g->across;
    double eps = p->eps, ds = 2 * pi / N;
    double first = p->inlet == LASHI_INLET_GROOVE ? remainder(p->pin, 2 * pi) : pi;
    if (first != g->first || eps != g->eps) { // tables ask for many directions at one place
        double s0 = (first + sommerfeld(first, eps)) / 2;
        for (int j = 0; j < N; j++) {
            g->theta[j] = j ? angle_of(s0 + j * ds, eps) : first;
            g->half[j] = angle_of(s0 + (j + 0.5) * ds, eps);
        }
        g->first = first;
        g->eps = eps;
    }
    set_order(g, p->inlet != LASHI_INLET_PERIODIC);
    for (int j = 0; j < N; j++) {
        double next = j + 1 < N ? g->theta[j + 1] : g->theta[0] + 2 * pi;
        double before = j ? g->half[j - 1] : g->half[N - 1] - 2 * pi;
        g->flow[j] = cube(1 - eps * cos(g->half[j])) / (next - g->theta[j]);
        g->film[j] = cube(1 - eps * cos(g->theta[j]));
        g->width[j] = g->half[j] - before;
        g->source[j] = 12 * (p->a * (sin(g->half[j]) - sin(before)) - p->b * (cos(g->half[j]) - cos(before)));
    }

    double grading = 0.98 / (1 + sqrt(1 - eps * eps) / p->length_ratio);
    for (int k = 0; k <= M; k++) {
        double x = (double)k / M;
        g->zeta[k] = x + grading * x * (1 - x);
    }
    double face = 0;
    for (int k = 0; k < M; k++) {
        double x = (k + 0.5) / M, next = x + grading * x * (1 - x);
        g->height[k] = next - face;
        face = next;
        g->rate[k] = 1 / ((g->zeta[k + 1] - g->zeta[k]) * p->length_ratio * p->length_ratio);
        double slope = 1 + grading * (1 - 2 * (double)k / M);
        g->weight[k] = (k == 0 ? 1 : k % 2 ? 4 : 2) * slope / (3 * M);
    }
    for (int j = 0; j < N; j++)
        for (int k = 0; k < M; k++)
            g->f[unknown(g, j, k)] = g->source[j] * g->height[k];
}

/* Every cell starts on the side of the nearest cell of the coarser solution. */
static void guess(lashi_reynolds *g) {
    const lashi_reynolds *c = g->coarse;
    for (int j = 0; j < g->around; j++)
        for (int k = 0; k < g->across; k++)
            g->active[unknown(g, j, k)] = c ? c->active[unknown(c, j / 2, k / 2)] : 0;
}

static bool pinned(const lashi_reynolds_problem *p, int j) {
    return p->inlet != LASHI_INLET_PERIODIC && j == 0;
}

/* The row of A at (j, k): its diagonal and the coefficients towards the four neighbours (0 at the end). */
typedef struct stencil {
    double diagonal, before, after, inner, outer;
} stencil;

static stencil row_of(const lashi_reynolds *g, int j, int k) {
    double along = g->film[j] * g->width[j];
    stencil s = {0, g->flow[turn(g, j - 1)] * g->height[k], g->flow[j] * g->height[k],
                 k ? along * g->rate[k - 1] : 0, along * g->rate[k]};
    s.diagonal = s.before + s.after + s.inner + s.outer;
    return s;
}

/* Lower-right neighbours go into the row, the others are known by symmetry. */
static void place(lashi_reynolds *g, int from, int to, double value) {
    if (to > from && !g->active[to])
        g->matrix[(size_t)from * (size_t)(g->band + 1) + (size_t)(to - from)] -= value;
}

static void assemble(lashi_reynolds *g) {
    size_t stride = (size_t)g->band + 1, n = (size_t)g->around * (size_t)g->across;
    for (size_t i = 0; i < n * stride; i++)
        g->matrix[i] = 0;
    for (int j = 0; j < g->around; j++)
        for (int k = 0; k < g->across; k++) {
            int row = unknown(g, j, k);
            stencil s = row_of(g, j, k);
            g->matrix[(size_t)row * stride] = s.diagonal;
            g->P[row] = g->active[row] ? 0 : g->f[row];
            if (g->active[row])
                continue;
            place(g, row, unknown(g, j - 1, k), s.before);
            place(g, row, unknown(g, j + 1, k), s.after);
            if (k)
                place(g, row, row - 1, s.inner);
            if (k + 1 < g->across)
                place(g, row, row + 1, s.outer);
        }
}

/* P := A^-1 P, with A = U^T D^-1 U in the band. */
static void solve(lashi_reynolds *g) {
    int n = g->around * g->across, band = g->band;
    size_t stride = (size_t)band + 1;
    for (int i = 0; i < n; i++) {
        if (g->active[i])
            continue;
        const double *pivot = g->matrix + (size_t)i * stride;
        int reach = n - 1 - i < band ? n - 1 - i : band;
        for (int r = 1; r <= reach; r++) {
            double factor = pivot[r] / pivot[0];
            if (factor == 0)
                continue;
            double *target = g->matrix + (size_t)(i + r) * stride;
            for (int c = 0; c <= reach - r; c++)
                target[c] -= factor * pivot[r + c];
            g->P[i + r] -= factor * g->P[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        if (g->active[i])
            continue;
        const double *pivot = g->matrix + (size_t)i * stride;
        int reach = n - 1 - i < band ? n - 1 - i : band;
        double sum = g->P[i];
        for (int c = 1; c <= reach; c++)
            sum -= pivot[c] * g->P[i + c];
        g->P[i] = sum / pivot[0];
    }
}

/* A P - f at (j, k), the size of its terms, and the largest P around. */
typedef struct balance {
    double defect, size, around;
} balance;

static balance balance_of(const lashi_reynolds *g, int j, int k) {
    stencil s = row_of(g, j, k);
    int row = unknown(g, j, k);
    const double P[4] = {g->P[unknown(g, j - 1, k)], g->P[unknown(g, j + 1, k)], k ? g->P[row - 1] : 0,
                         k + 1 < g->across ? g->P[row + 1] : 0};
    const double to[4] = {s.before, s.after, s.inner, s.outer};
    balance b = {.defect = s.diagonal * g->P[row] - g->f[row],
                 .size = fabs(s.diagonal * g->P[row]) + fabs(g->f[row])};
    for (int i = 0; i < 4; i++) {
        b.defect -= to[i] * P[i];
        b.size += fabs(to[i] * P[i]);
        b.around = fmax(b.around, fabs(P[i]));
    }
    return b;
}

/* Moves cells between the two sides; the number of moves. The residual is what they still violate. */
static int update_set(lashi_reynolds *g, double *residual, const lashi_reynolds_problem *p) {
    int moves = 0;
    *residual = 0;
    for (int j = 0; j < g->around; j++) {
        if (pinned(p, j))
            continue;
        for (int k = 0; k < g->across; k++) {
            int i = unknown(g, j, k);
            balance b = balance_of(g, j, k);
            if (!g->active[i] && p->cavitated && g->P[i] < -flip_tolerance * b.around) {
                g->active[i] = 1;
                moves++;
            } else if (g->active[i] && b.defect < -flip_tolerance * b.size) {
                g->active[i] = 0;
                moves++;
            }
            double violation = g->active[i] ? fmax(-b.defect, 0) : fabs(b.defect);
            *residual = fmax(*residual, b.size > 0 ? violation / b.size : 0);
        }
    }
    return moves;
}

/* The top of the parabola through (-1, left), (0, middle), (1, right): its value, its place added to *at. */
static double vertex(double left, double middle, double right, double *at) {
    double bend = left - 2 * middle + right, slope = (right - left) / 2;
    *at = bend < 0 ? -slope / bend : 0;
    return bend < 0 ? middle - slope * slope / (2 * bend) : middle;
}

static void integrate(lashi_reynolds_result *out, const lashi_reynolds *g, const lashi_reynolds_problem *p) {
    int N = g->around, M = g->across, top = 0;
    for (int j = 0; j < N; j++) {
        double before = g->half[j] - g->width[j], mean = 0, around = 0;
        for (int k = 0; k < M; k++) {
            mean += g->weight[k] * g->P[unknown(g, j, k)];
            around += g->height[k] * (g->P[unknown(g, j, k)] - g->P[unknown(g, j + 1, k)]);
        }
        out->radial += mean * (sin(g->half[j]) - sin(before));
        out->transverse -= mean * (cos(g->half[j]) - cos(before));
        if (g->P[unknown(g, j, 0)] > g->P[unknown(g, top, 0)])
            top = j;

        // The slope at the end from the two nodes next to it, where P = 0.
        double d1 = 1 - g->zeta[M - 1], d2 = 1 - g->zeta[M - 2];
        double P1 = g->P[unknown(g, j, M - 1)], P2 = g->P[unknown(g, j, M - 2)];
        double slope = (P1 * d2 / d1 - P2 * d1 / d2) / (d2 - d1);
        out->side_flow += g->film[j] * g->width[j] * slope / (6 * p->length_ratio * p->length_ratio);

        // Carried along with -2 b/eps, the speed of both walls against the line of centres, and by pressure.
        double H = 1 - p->eps * cos(g->half[j]), speed = p->eps > 0 ? -2 * p->b / p->eps : 0;
        double through = fabs(speed * H + around * g->flow[j] / 6);
        bool filled = g->P[unknown(g, j, 0)] != 0 || g->P[unknown(g, j + 1, 0)] != 0;
        if (filled)
            out->inlet_flow = fmax(out->inlet_flow, through);
    }
    double shift;
    out->peak =
        vertex(g->P[unknown(g, top - 1, 0)], g->P[unknown(g, top, 0)], g->P[unknown(g, top + 1, 0)], &shift);
    double to = shift > 0 ? g->half[top] : g->half[top] - g->width[top];
    out->peak_angle = remainder(g->theta[top] + 2 * fabs(shift) * (to - g->theta[top]), 2 * pi);
}

static const char *const inlets[] = {[LASHI_INLET_PERIODIC] = "periodic",
                                     [LASHI_INLET_MAX_FILM] = "max-film",
                                     [LASHI_INLET_GROOVE] = "groove"};

const char *lashi_inlet_name(size_t index) {
    return index < sizeof inlets / sizeof *inlets ? inlets[index] : NULL;
}

lashi_inlet lashi_inlet_of(const char *name) {
    for (size_t i = 0; name && lashi_inlet_name(i); i++)
        if (strcmp(inlets[i], name) == 0)
            return (lashi_inlet)i;
    return LASHI_INLET_PERIODIC;
}

lash_status lashi_reynolds_create(lashi_reynolds **out, int around, int across, lash_error *error) {
    *out = NULL;
    if (around < 16 || around % 2 || across < 4 || across % 2)
        return lashi_fail(error, LASH_ERROR_USAGE,
                          "a grid of %d by %d: both are even, at least 16 around and 4 across", around,
                          across);
    lashi_reynolds *g = calloc(1, sizeof *g);
    if (!g)
        return lashi_fail_memory(error);
    g->around = around;
    g->across = across;
    g->first = NAN;
    size_t N = (size_t)around, M = (size_t)across, n = N * M;
    double **arrays[] = {&g->theta,  &g->half, &g->flow,   &g->width, &g->film, &g->source, &g->zeta,
                         &g->height, &g->rate, &g->weight, &g->P,     &g->f,    &g->matrix};
    size_t sizes[] = {N, N, N, N, N, N, M + 1, M, M, M, n, n, n * (2 * M + 1)};
    bool complete = true;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        complete &= (*arrays[i] = calloc(sizes[i], sizeof(double))) != NULL;
    complete &= (g->active = calloc(n, 1)) != NULL;
    complete &= (g->column = calloc(N, sizeof *g->column)) != NULL;
    if (!complete) {
        lashi_reynolds_destroy(g);
        return lashi_fail_memory(error);
    }
    if (around >= COARSEST_AROUND && around % 4 == 0 && across >= COARSEST_ACROSS && across % 4 == 0) {
        lash_status status = lashi_reynolds_create(&g->coarse, around / 2, across / 2, error);
        if (status != LASH_OK) {
            lashi_reynolds_destroy(g);
            return status;
        }
    }
    *out = g;
    return LASH_OK;
}

void lashi_reynolds_destroy(lashi_reynolds *g) {
    if (!g)
        return;
    double *arrays[] = {g->theta,  g->half, g->flow,   g->width, g->film, g->source, g->zeta,
                        g->height, g->rate, g->weight, g->P,     g->f,    g->matrix};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(g->active);
    free(g->column);
    lashi_reynolds_destroy(g->coarse);
    free(g);
}

static lash_status solve_on(lashi_reynolds_result *out, lashi_reynolds *g, const lashi_reynolds_problem *p,
                            lash_error *error) {
    *out = (lashi_reynolds_result){0};
    set_grid(g, p);
    guess(g);
    for (int k = 0; k < g->across; k++)
        if (pinned(p, 0))
            g->active[unknown(g, 0, k)] = 1;
    for (out->iterations = 1; out->iterations <= MAX_ITERATIONS; out->iterations++) {
        assemble(g);
        solve(g);
        if (update_set(g, &out->residual, p) == 0) {
            integrate(out, g, p);
            return LASH_OK;
        }
    }
    return lashi_fail(error, LASH_ERROR_INTERNAL,
                      "Reynolds' equation at eps = %g, L/D = %g did not settle in %d iterations", p->eps,
                      p->length_ratio, MAX_ITERATIONS);
}

lash_status lashi_reynolds_solve(lashi_reynolds_result *out, lashi_reynolds_result *coarse, lashi_reynolds *g,
                                 const lashi_reynolds_problem *p, lash_error *error) {
    *out = (lashi_reynolds_result){0};
    if (!(p->eps >= 0 && p->eps < 1) || !(p->length_ratio > 0) || !isfinite(p->a) || !isfinite(p->b))
        return lashi_fail(error, LASH_ERROR_USAGE,
                          "Reynolds' equation needs 0 <= eps < 1 and L/D > 0; they are %g and %g", p->eps,
                          p->length_ratio);
    lashi_reynolds_result ignored;
    if (g->coarse) {
        lash_status status = lashi_reynolds_solve(coarse ? coarse : &ignored, NULL, g->coarse, p, error);
        if (status != LASH_OK)
            return status;
    }
    return solve_on(out, g, p, error);
}
