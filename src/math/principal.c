/* SPDX-License-Identifier: MIT
 *
 * Jacobi's method: each rotation zeroes one off-diagonal entry, sweeps converge quadratically. Euler
 * parameters from a matrix by the largest of the four (Shepperd, J. Guidance and Control 1, 1978, 223–224).
 */
#include "math/principal.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 60 };

/* One rotation in the plane of axes a, b, so that M[a][b] becomes 0. */
static void rotate(double M[3][3], double Q[9], int a, int b) {
    if (M[a][b] == 0)
        return;
    const double tau = (M[b][b] - M[a][a]) / (2 * M[a][b]);
    const double t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
    const double c = 1 / sqrt(1 + t * t), s = t * c;
    for (int k = 0; k < 3; k++) { // M ← M G
        const double x = M[k][a], y = M[k][b];
        M[k][a] = c * x - s * y;
        M[k][b] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) { // M ← Gᵀ M
        const double x = M[a][k], y = M[b][k];
        M[a][k] = c * x - s * y;
        M[b][k] = s * x + c * y;
    }
    M[a][b] = M[b][a] = 0;
    for (int k = 0; k < 3; k++) {
        const double x = Q[3 * k + a], y = Q[3 * k + b];
        Q[3 * k + a] = c * x - s * y;
        Q[3 * k + b] = s * x + c * y;
    }
}

void lashi_principal(double moments[3], double Q[9], const double J[6]) {
    double M[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(Q, identity, sizeof identity);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        const double off = fabs(M[0][1]) + fabs(M[0][2]) + fabs(M[1][2]);
        if (!(off > 1e-300))
            break;
        rotate(M, Q, 0, 1);
        rotate(M, Q, 0, 2);
        rotate(M, Q, 1, 2);
    }
    for (int k = 0; k < 3; k++)
        moments[k] = M[k][k];
}

void lashi_euler_parameters(double p[4], const double A[9]) {
    const double trace = A[0] + A[4] + A[8];
    const double square[4] = {1 + trace, 1 + 2 * A[0] - trace, 1 + 2 * A[4] - trace, 1 + 2 * A[8] - trace};
    int most = 0;
    for (int k = 1; k < 4; k++)
        if (square[k] > square[most])
            most = k;
    // 4 e_most e_k for the other k
    const double with[4][4] = {{square[0], A[7] - A[5], A[2] - A[6], A[3] - A[1]},
                               {A[7] - A[5], square[1], A[1] + A[3], A[2] + A[6]},
                               {A[2] - A[6], A[1] + A[3], square[2], A[5] + A[7]},
                               {A[3] - A[1], A[2] + A[6], A[5] + A[7], square[3]}};
    double length = 0;
    for (int k = 0; k < 4; k++)
        length += with[most][k] * with[most][k];
    for (int k = 0; k < 4; k++)
        p[k] = with[most][k] / sqrt(length);
}
