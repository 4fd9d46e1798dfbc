/* SPDX-License-Identifier: MIT
 *
 * Cubic B-splines on even nodes: smooth to the second derivative, one small sum per value.
 *
 * With coefficients c the value at node i is (c[i-1] + 4 c[i] + c[i+1])/6; a line of n nodes has n + 2
 * coefficients, f[k] belonging to node k - 1 (n + 3 where the line is periodic: node n is node 0). Between
 * the nodes i and i + 1 the value is the sum of four coefficients, f[i ... i + 3], with the weights of
 * lashi_spline_weights. In several dimensions the lines are treated one direction after the other.
 */
#ifndef LASHI_SPLINE_H
#define LASHI_SPLINE_H

typedef enum lashi_spline_end {
    LASHI_SPLINE_EVEN,    /* mirrored at both ends */
    LASHI_SPLINE_ODD,     /* mirrored with the opposite sign: 0 at both ends */
    LASHI_SPLINE_FREE,    /* no knot at the nodes next to the ends */
    LASHI_SPLINE_PERIODIC /* node n is node 0 */
} lashi_spline_end;

enum { LASHI_SPLINE_MOST = 66 }; /* nodes of one line */

/* Values at n nodes, f[1 ... n], to coefficients f[0 ... n + 1], f[n + 2] where periodic. 5 <= n. */
void lashi_spline_coefficients(double *f, int n, lashi_spline_end end);

/* The interval of a position in units of the step, 0 <= position <= intervals, and its weights. */
static inline int lashi_spline_weights(double w[4], double position, int intervals) {
    int i = (int)position;
    if (i > intervals - 1)
        i = intervals - 1;
    double t = position - i, r = 1 - t;
    w[0] = r * r * r / 6;
    w[1] = (4 - 6 * t * t + 3 * t * t * t) / 6;
    w[2] = (4 - 6 * r * r + 3 * r * r * r) / 6;
    w[3] = t * t * t / 6;
    return i;
}

#endif
