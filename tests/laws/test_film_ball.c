/* SPDX-License-Identifier: MIT
 *
 * The film of a ball in its socket: its pressure solves Reynolds' equation on the sphere; force and drag are
 * the integrals of pressure and shear; the centre, the wall, the seam between series and logarithm; the
 * largest pressure; bad input.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "contact/film.h"
#include "near.h"
#include "numbers.h"

static const double pi = 3.14159265358979323846;
static const double mu = 0.4, R = 0.0095, c = 50e-6;

static lashi_film ball_film(void) {
    const lashi_film_data data = {.model = "squeeze-ball",
                                  .viscosity = mu,
                                  .length = NAN,
                                  .radius = R,
                                  .clearance = c,
                                  .full = true,
                                  .shear = -1};
    lashi_film film;
    lash_error error = {0};
    if (lashi_film_compile(&film, film_numbers(), &data, &error) != LASH_OK)
        fail_msg("%s", error.message);
    return film;
}

/* P at N = (cos theta, sin theta cos phi, sin theta sin phi) of n, t, n x t: linear in a and b apart. */
static double pressure_at(const lashi_film *film, double eps, double a, double b, double theta, double phi) {
    return film->kind->pressure(film, eps, a, 0, theta, 0) +
           film->kind->pressure(film, eps, 0, b, theta, 0) * cos(phi);
}

/* Finite volumes: the flow out of a small cell of the sphere is what the ball displaces there. */
static void pressure_solves_reynolds_on_the_sphere(void **state) {
    (void)state;
    const lashi_film film = ball_film();
    const double a = 2, b = -3, s = 1e-4;
    for (double eps = 0; eps < 0.9; eps += 0.2)
        for (int i = 1; i < 12; i++)
            for (int k = 0; k < 8; k++) {
                const double theta = i * pi / 12, phi = k * pi / 4, up = theta + s / 2, down = theta - s / 2;
                const double H = 1 - eps * cos(theta), H_up = 1 - eps * cos(up), H_down = 1 - eps * cos(down);
                const double P = pressure_at(&film, eps, a, b, theta, phi);
                const double P_up = pressure_at(&film, eps, a, b, theta + s, phi),
                             P_down = pressure_at(&film, eps, a, b, theta - s, phi),
                             P_left = pressure_at(&film, eps, a, b, theta, phi - s),
                             P_right = pressure_at(&film, eps, a, b, theta, phi + s);
                const double around = H * H * H * (P_right - 2 * P + P_left) / (s * s * sin(theta));
                const double along =
                    (sin(up) * pow(H_up, 3) * (P_up - P) - sin(down) * pow(H_down, 3) * (P - P_down)) /
                    (s * s);
                const double source = 12 * (a * cos(theta) + b * sin(theta) * cos(phi)) * sin(theta);
                assert_near(along + around, -source, 2e-5 * 36);
            }
}

/* Integral over the sphere of a function of x and phi, Gauss's rule in y with x = x(y) dense at the wall. */
typedef struct sums {
    double radial, transverse, drag_along, drag_across;
} sums;

static sums integrate(const lashi_film *film, double eps, double a, double b) {
    static const double at[8] = {-0.9602898564975363, -0.7966664774136267, -0.5255324099163290,
                                 -0.1834346424956498, 0.1834346424956498,  0.5255324099163290,
                                 0.7966664774136267,  0.9602898564975363};
    static const double weight[8] = {0.1012285362903763, 0.2223810344533745, 0.3137066458778873,
                                     0.3626837833783620, 0.3626837833783620, 0.3137066458778873,
                                     0.2223810344533745, 0.1012285362903763};
    enum { PANELS = 100, AROUND = 8 };
    // H runs from 1 + eps to 1 - eps in even steps of its logarithm.
    const double first = log(1 + eps), width = log(1 - eps) - first;
    sums sum = {0};
    for (int panel = 0; panel < PANELS; panel++)
        for (int i = 0; i < 8; i++) {
            const double y = (panel + 0.5 + 0.5 * at[i]) / PANELS;
            double x = 2 * y - 1, slope = 2;
            if (eps > 0) {
                const double H = exp(first + y * width);
                x = (1 - H) / eps;
                slope = -H * width / eps;
            }
            const double theta = acos(fmax(-1, fmin(1, x))), across = sin(theta), H = 1 - eps * x;
            for (int k = 0; k < AROUND; k++) { // exact for cos^2
                const double phi = 2 * pi * (k + 0.5) / AROUND,
                             area = weight[i] / (2 * PANELS) * slope * 2 * pi / AROUND;
                const double P = pressure_at(film, eps, a, b, theta, phi), N_t = across * cos(phi);
                sum.radial += area * P * x;
                sum.transverse += area * P * N_t;
                sum.drag_along += area * (1 - x * x) / H;
                sum.drag_across += area * (1 - N_t * N_t) / H;
            }
        }
    return sum;
}

static void forces_are_integrals(void **state) {
    (void)state;
    const lashi_film film = ball_film();
    const double eccentricities[] = {0, 1e-6, 0.01, 0.1, 0.249, 0.251, 0.5, 0.8, 0.95, 0.99, 0.999};
    for (size_t i = 0; i < sizeof eccentricities / sizeof *eccentricities; i++) {
        const double eps = eccentricities[i];
        const sums s = integrate(&film, eps, 3, -2);
        const lashi_impedance g = film.kind->impedance(&film, eps, 3, -2), drag = film.kind->drag(eps);
        assert_relative(g.r, s.radial, 1e-10);
        assert_relative(g.t, s.transverse, 1e-10);
        assert_relative(2 * pi * drag.r, s.drag_along, 1e-10);
        assert_relative(2 * pi * drag.t, s.drag_across, 1e-10);
    }
}

static void limits_at_the_centre_and_at_the_wall(void **state) {
    (void)state;
    const lashi_film film = ball_film();
    const double V = 2e-3, centre = 8 * pi * mu * pow(R, 4) * V / pow(c, 3);
    // Round: the same along and across; exact at the centre, off by eps^2 beside it.
    for (int k = 0; k < 3; k++) {
        const double eps = k == 0 ? 0 : pow(10, -2 - 3 * k), off = 1e-12 + 2 * eps * eps;
        assert_relative(-lashi_film_force(&film, (lashi_film_motion){.eps = eps, .radial = V / c}).radial,
                        centre, off);
        assert_relative(
            -lashi_film_force(&film, (lashi_film_motion){.eps = eps, .transverse = V / c}).transverse, centre,
            off);
        // Concentric spheres: 8 pi mu R^4 w/(3 c).
        assert_relative(film.p->shear * film.kind->drag(eps).r, 8 * pi * mu * pow(R, 4) / (3 * c), off);
        assert_relative(film.p->shear * film.kind->drag(eps).t, 8 * pi * mu * pow(R, 4) / (3 * c), off);
    }
    // Towards the wall Taylor's 6 pi mu R'^2 V/h of a ball on a plane, with 1/R' = 1/R - 1/(R + c) = c/R^2.
    for (double gap = 1e-3; gap > 1e-6; gap /= 10) {
        const lashi_film_force_result f =
            lashi_film_force(&film, (lashi_film_motion){.eps = 1 - gap, .radial = V / c});
        assert_relative(-f.radial, 6 * pi * mu * pow(R * R / c, 2) * V / (gap * c), 5 * gap * -log(gap));
        assert_relative(f.power, -f.radial * V, 1e-12);
        assert_near(f.thickness, gap * c, 1e-20);
    }
    // Either direction alike.
    const double one = lashi_film_force(&film, (lashi_film_motion){.eps = 0.7, .radial = 5}).radial;
    assert_near(lashi_film_force(&film, (lashi_film_motion){.eps = 0.7, .radial = -5}).radial, -one, 0);
}

static void series_and_logarithm_meet(void **state) {
    (void)state;
    const lashi_film film = ball_film();
    const double below = 0.25, above = nextafter(0.25, 1);
    const lashi_impedance g = film.kind->impedance(&film, below, 1, 1),
                          h = film.kind->impedance(&film, above, 1, 1);
    assert_relative(g.r, h.r, 1e-13);
    assert_relative(g.t, h.t, 1e-13);
    assert_relative(film.kind->drag(below).r, film.kind->drag(above).r, 1e-13);
    assert_relative(film.kind->drag(below).t, film.kind->drag(above).t, 1e-13);
}

static void peak_is_the_largest_pressure(void **state) {
    (void)state;
    const lashi_film film = ball_film();
    const double scale = mu * (R / c) * (R / c);
    for (int k = 0; k < 12; k++) {
        const double eps = 0.08 * k, a = 3 * cos(k), b = fabs(3 * sin(k));
        double top = 0;
        for (int i = 0; i <= 2000; i++)
            for (int j = 0; j < 16; j++)
                top = fmax(top, pressure_at(&film, eps, a, b, pi * i / 2000, 2 * pi * j / 16));
        const lashi_film_motion m = {.eps = eps, .radial = a, .transverse = b};
        assert_relative(lashi_film_peak(&film, m), scale * top, 1e-4);
        // Pure squeeze: from the pole to the circle where the pressure vanishes.
        assert_relative(lashi_film_peak(&film, (lashi_film_motion){.eps = eps, .radial = 3}),
                        scale * 9 * (2 - eps) / ((1 - eps) * (1 - eps)), 1e-9);
    }
}

static void bad_input_is_refused(void **state) {
    (void)state;
    lashi_film film;
    lash_error error = {0};
    lashi_film_data data = {
        .model = "squeeze-ball", .viscosity = mu, .radius = R, .clearance = c, .shear = -1};
    assert_int_equal(lashi_film_compile(&film, film_numbers(), &data, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "full film"));
    data.full = true;
    data.inlet = LASHI_INLET_GROOVE;
    assert_int_equal(lashi_film_compile(&film, film_numbers(), &data, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "groove"));
    data.inlet = LASHI_INLET_PERIODIC;
    data.radius = 0;
    assert_int_equal(lashi_film_compile(&film, film_numbers(), &data, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "radius"));
    data.radius = R;
    data.shear = 0;
    assert_int_equal(lashi_film_compile(&film, film_numbers(), &data, &error), LASH_OK);
    assert_near(film.p->shear, 0, 0);
    assert_true(lashi_film_is_ball("squeeze-ball") && !lashi_film_is_ball("short") &&
                !lashi_film_is_ball(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pressure_solves_reynolds_on_the_sphere), cmocka_unit_test(forces_are_integrals),
        cmocka_unit_test(limits_at_the_centre_and_at_the_wall),   cmocka_unit_test(series_and_logarithm_meet),
        cmocka_unit_test(peak_is_the_largest_pressure),           cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
