/* SPDX-License-Identifier: MIT
 *
 * Bracketed roots by the method of Chandrupatla: inverse quadratic interpolation through the last three
 * points where they lie so that it is known to be safe, bisection elsewhere.
 *
 * Notation: a the newest point and b the one across the root; c the point before. With
 *     xi = (a - b)/(c - b),  phi = (f(a) - f(b))/(f(c) - f(b))
 * the inverse quadratic through the three is monotone between a and b exactly when phi^2 < xi and
 * (1 - phi)^2 < 1 - xi.
 *
 * Reference: T. R. Chandrupatla, A new hybrid quadratic/bisection algorithm for finding the zero of a
 * nonlinear function without using derivatives, Advances in Engineering Software 28 (1997) 145-149.
 */
#include "math/root.h"

#include <float.h>
#include <math.h>

enum { MAX_ITERATIONS = 2000 }; // bisection alone needs about 1100 to cross all exponents

double lashi_root(lashi_scalar_function f, void *context, double a, double fa, double b, double fb,
                  double f_tolerance) {
    if (fabs(fa) <= f_tolerance && fabs(fa) <= fabs(fb))
        return a;
    if (fabs(fb) <= f_tolerance)
        return b;
    double fraction = 0.5; // of the way from a to b
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        // Rounding of the larger end must not lead out of the bracket at the smaller one.
        double x = fmin(fmax(a, b), fmax(fmin(a, b), a + fraction * (b - a)));
        double fx = f(context, x);
        if (isnan(fx))
            break;
        // The new point replaces the end on its own side; the end that leaves becomes the third point.
        double c = a, fc = fa;
        if ((fx > 0) != (fa > 0)) {
            c = b;
            fc = fb;
            b = a;
            fb = fa;
        }
        a = x;
        fa = fx;
        double best = fabs(fa) < fabs(fb) ? a : b;
        double narrow = DBL_EPSILON * fabs(best) + DBL_MIN, width = fabs(b - a);
        if (fmin(fabs(fa), fabs(fb)) <= f_tolerance || width <= narrow)
            break;
        double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
        if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)
            fraction = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb);
        else
            fraction = 0.5;
        // At least half a rounding unit away from both ends.
        double margin = 0.5 * narrow / width;
        fraction = fmin(1 - margin, fmax(margin, fraction));
    }
    return fabs(fa) < fabs(fb) ? a : b;
}
