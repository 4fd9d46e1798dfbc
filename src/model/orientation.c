/* SPDX-License-Identifier: MIT
 *
 * Orientation in space: from what one writes to Euler parameters, and from these to the rotation matrix.
 *
 * e = (e0, e1, e2, e3) of body axes relative to other axes (the ground's, or for an inertia the body's):
 *   turned by φ about the unit vector u:  e0 = cos φ/2, (e1, e2, e3) = u sin φ/2
 *   A = 2 [ e0²+e1²−½   e1e2−e0e3   e1e3+e0e2
 *           e1e2+e0e3   e0²+e2²−½   e2e3−e0e1
 *           e1e3−e0e2   e2e3+e0e1   e0²+e3²−½ ]
 * A takes components from body axes to the others; its columns are the body's axes there. e and −e are the
 * same orientation.
 */
#include <string.h>

#include "math/principal.h"
#include "model/model.h"

/* Sine of the angle below which two directions are one. */
static const double PARALLEL = 1e-9;

bool lashi_direction(double out[3], const double v[3]) {
    const double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(largest > 0) || !isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2]))
        return false;
    const double w[3] = {v[0] / largest, v[1] / largest, v[2] / largest}; // no square overflows
    const double length = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    for (size_t i = 0; i < 3; i++)
        out[i] = w[i] / length;
    return true;
}

void lashi_cross(double out[3], const double a[3], const double b[3]) {
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}

bool lashi_orientation_unit(double out[4], const double orientation[4]) {
    double largest = 0, square = 0, e[4];
    for (size_t i = 0; i < 4; i++) {
        if (!isfinite(orientation[i]))
            return false;
        largest = fmax(largest, fabs(orientation[i]));
    }
    if (!(largest > 0))
        return false;
    for (size_t i = 0; i < 4; i++) {
        e[i] = orientation[i] / largest;
        square += e[i] * e[i];
    }
    for (size_t i = 0; i < 4; i++)
        out[i] = e[i] / sqrt(square);
    return true;
}

bool lashi_orientation_matrix(double A[3][3], const double orientation[4]) {
    double e[4];
    if (!lashi_orientation_unit(e, orientation))
        return false;
    for (size_t i = 0; i < 3; i++) {
        const size_t j = (i + 1) % 3, k = (i + 2) % 3;
        A[i][i] = 2 * (e[0] * e[0] + e[i + 1] * e[i + 1] - 0.5);
        A[i][j] = 2 * (e[i + 1] * e[j + 1] - e[0] * e[k + 1]);
        A[j][i] = 2 * (e[i + 1] * e[j + 1] + e[0] * e[k + 1]);
    }
    return true;
}

bool lash_orientation_about(double out[4], const double axis[3], double angle) {
    if (!out || !axis)
        return false;
    double u[3];
    if (!lashi_direction(u, axis) || !isfinite(angle))
        return false;
    const double s = sin(angle / 2);
    out[0] = cos(angle / 2);
    for (size_t i = 0; i < 3; i++)
        out[i + 1] = s * u[i];
    return true;
}

// The product of the three turns, yaw · pitch · roll, written out.
void lash_orientation_angles(double out[4], double roll, double pitch, double yaw) {
    if (!out)
        return;
    const double cr = cos(roll / 2), sr = sin(roll / 2), cp = cos(pitch / 2), sp = sin(pitch / 2),
                 cy = cos(yaw / 2), sy = sin(yaw / 2);
    out[0] = cr * cp * cy + sr * sp * sy;
    out[1] = sr * cp * cy - cr * sp * sy;
    out[2] = cr * sp * cy + sr * cp * sy;
    out[3] = cr * cp * sy - sr * sp * cy;
}

bool lash_orientation_axes(double out[4], const double x[3], const double y[3]) {
    if (!out || !x || !y)
        return false;
    double axes[3][3], A[9];
    if (!lashi_direction(axes[0], x) || !lashi_direction(axes[1], y))
        return false;
    lashi_cross(axes[2], axes[0], axes[1]);
    if (!(hypot(axes[2][0], hypot(axes[2][1], axes[2][2])) > PARALLEL) || !lashi_direction(axes[2], axes[2]))
        return false;
    lashi_cross(axes[1], axes[2], axes[0]);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++)
            A[3 * k + i] = axes[i][k];
    lashi_euler_parameters(out, A);
    for (size_t i = 0; out[0] < 0 && i < 4; i++) // i = 0 last, or the test would change
        out[3 - i] = -out[3 - i];
    return true;
}
