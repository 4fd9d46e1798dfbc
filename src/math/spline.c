/* SPDX-License-Identifier: MIT
 *
 * Coefficients of cubic B-splines from values (spline.h): one linear system per line, by elimination; the
 * periodic one by the two passes of a recursive filter with the pole z = sqrt(3) - 2,
 *
 *     M. Unser, A. Aldroubi, M. Eden, B-spline signal processing, part II, IEEE Trans. Signal Process. 41
 *     (1993) 834-848.
 */
#include "math/spline.h"

#include <assert.h>
#include <math.h>

enum { LINE = LASHI_SPLINE_MOST + 2 };

/* Gaussian elimination with pivoting on A (n by n) and its right side. */
static void solve_line(double A[LINE][LINE], double *f, int n) {
    for (int p = 0; p < n; p++) {
        int best = p;
        for (int i = p + 1; i < n; i++)
            if (fabs(A[i][p]) > fabs(A[best][p]))
                best = i;
        for (int k = 0; k < n; k++) {
            double swap = A[p][k];
            A[p][k] = A[best][k];
            A[best][k] = swap;
        }
        double swap = f[p];
        f[p] = f[best];
        f[best] = swap;
        for (int i = p + 1; i < n; i++) {
            double factor = A[i][p] / A[p][p];
            for (int k = p; factor != 0 && k < n; k++)
                A[i][k] -= factor * A[p][k];
            f[i] -= factor * f[p];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            f[i] -= A[i][k] * f[k];
        f[i] /= A[i][i];
    }
}

static void open_line(double *f, int n, lashi_spline_end end) {
    double A[LINE][LINE] = {{0}};
    for (int i = 1; i <= n; i++) {
        A[i][i - 1] = A[i][i + 1] = 1.0 / 6;
        A[i][i] = 4.0 / 6;
    }
    f[0] = f[n + 1] = 0;
    if (end == LASHI_SPLINE_FREE) { // the third derivative does not jump at the node next to the end
        const double jump[5] = {1, -4, 6, -4, 1};
        for (int k = 0; k < 5; k++) {
            A[0][k] = jump[k];
            A[n + 1][n + 1 - k] = jump[k];
        }
    } else {
        double mirror = end == LASHI_SPLINE_EVEN ? -1 : 1;
        A[0][0] = A[n + 1][n + 1] = 1;
        A[0][2] = A[n + 1][n - 1] = mirror;
    }
    solve_line(A, f, n + 2);
}

static void periodic_line(double *f, int n) {
    const double z = sqrt(3) - 2;
    double *c = f + 1, power = 1, first = 0, last = 0;
    for (int k = 0; k < n; k++, power *= z)
        first += power * c[(n - k) % n];
    c[0] = first / (1 - power);
    for (int k = 1; k < n; k++)
        c[k] += z * c[k - 1];
    power = 1;
    for (int k = 0; k < n; k++, power *= z)
        last += power * c[(n - 1 + k) % n];
    c[n - 1] = -z * last / (1 - power);
    for (int k = n - 2; k >= 0; k--)
        c[k] = z * (c[k + 1] - c[k]);
    for (int k = 0; k < n; k++)
        c[k] *= 6;
    f[0] = c[n - 1];
    f[n + 1] = c[0];
    f[n + 2] = c[1];
}

void lashi_spline_coefficients(double *f, int n, lashi_spline_end end) {
    assert(n >= 5 && n <= LASHI_SPLINE_MOST);
    if (end == LASHI_SPLINE_PERIODIC)
        periodic_line(f, n);
    else
        open_line(f, n, end);
}
