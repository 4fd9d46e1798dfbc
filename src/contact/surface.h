/* SPDX-License-Identifier: MIT
 *
 * The value of a worn profile (worn.h), inline: what a bed of springs looks at in dozens of places, and a corner in
 * its channel.
 */
#ifndef LASHI_SURFACE_H
#define LASHI_SURFACE_H

#include "contact/worn.h"

/* The four weights of the splines around x = s + f, 0 ≤ f < 1: a_{s−1} … a_{s+2}. */
static inline void lashi_surface_weights(double w[4], double f) {
    static const double SIXTH = 1.0 / 6;
    const double g = 1 - f;
    w[0] = SIXTH * (g * g * g);
    w[1] = SIXTH * (4 + 3 * f * f * (f - 2));
    w[2] = SIXTH * (4 + 3 * g * g * (g - 2));
    w[3] = SIXTH * (f * f * f);
}

/* At the share f of the sector between a1 and a2. per_unit: sectors per unit of the place. */
static inline lashi_surface_jet lashi_surface_between(double a0, double a1, double a2, double a3, double f,
                                                      double per_unit) {
    const double g = 1 - f;
    double w[4];
    lashi_surface_weights(w, f);
    return (lashi_surface_jet){w[0] * a0 + w[1] * a1 + w[2] * a2 + w[3] * a3,
                               per_unit * 0.5 *
                                   (f * f * (a3 - a2) + (1 + 2 * f * g) * (a2 - a1) + g * g * (a1 - a0)),
                               per_unit * per_unit * (g * (a0 - 2 * a1 + a2) + f * (a1 - 2 * a2 + a3))};
}

/* The same of a profile, in sector s. */
static inline lashi_surface_jet lashi_surface_in(const lashi_surface *surface, int s, double f,
                                                 double per_unit) {
    const int S = surface->sectors, next = s + 1 < S ? s + 1 : 0;
    const double *a = surface->a;
    return lashi_surface_between(a[s ? s - 1 : S - 1], a[s], a[next], a[next + 1 < S ? next + 1 : 0], f,
                                 per_unit);
}

#endif
