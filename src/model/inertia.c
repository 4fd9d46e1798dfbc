/* SPDX-License-Identifier: MIT
 *
 * The inertia of a body in space, from where and in which axes it was given to the centre of mass and the
 * body's own axes, and its principal moments.
 *
 * Tensor entries: J = ∫(|r|² I − r rᵀ) dm, so that xy = −∫xy dm. T given in axes with the rotation matrix R
 * relative to the body's, about a point d (body axes, from the centre of mass):
 *   J_d = R T Rᵀ,   J = J_d − m (|d|² I − d dᵀ)            (Steiner, parallel axes)
 * The moments of a body are positive, and none exceeds the sum of the other two, because
 * Jx + Jy − Jz = 2∫z² dm in principal axes.
 */
#include <stdbool.h>

#include "math/principal.h"
#include "model/model.h"

static void unpack(double T[3][3], const double packed[6]) {
    static const size_t rows[3] = {0, 0, 1}, columns[3] = {1, 2, 2};
    for (size_t i = 0; i < 3; i++) {
        T[i][i] = packed[i];
        // Products of inertia that were not given are zero.
        T[rows[i]][columns[i]] = T[columns[i]][rows[i]] = isnan(packed[3 + i]) ? 0 : packed[3 + i];
    }
}

static void pack(double packed[6], const double T[3][3]) {
    const double entries[6] = {T[0][0], T[1][1], T[2][2], T[0][1], T[0][2], T[1][2]};
    for (size_t i = 0; i < 6; i++)
        packed[i] = entries[i];
}

bool lashi_body_inertia(double J[6], const lash_body_def *def) {
    double T[3][3], R[3][3], RT[3][3] = {{0}}, B[3][3] = {{0}};
    const double *d = def->inertia_at;
    unpack(T, def->inertia);
    if (!lashi_orientation_matrix(R, def->inertia_axes))
        return false;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            for (size_t k = 0; k < 3; k++)
                RT[i][j] += R[i][k] * T[k][j];
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            for (size_t k = 0; k < 3; k++)
                B[i][j] += RT[i][k] * R[j][k];
    if (!isnan(d[0])) {
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 3; j++)
                B[i][j] -= def->mass * ((i == j ? square : 0) - d[i] * d[j]);
    }
    pack(J, B);
    for (size_t i = 0; i < 6; i++)
        if (!isfinite(J[i]))
            return false;
    return true;
}

void lashi_principal_moments(double moments[3], const double J[6]) {
    double Q[9];
    lashi_principal(moments, Q, J);
    for (size_t i = 0; i < 2; i++) // in rising order
        for (size_t k = 0; k < 2 - i; k++)
            if (moments[k] > moments[k + 1]) {
                const double larger = moments[k];
                moments[k] = moments[k + 1];
                moments[k + 1] = larger;
            }
}
