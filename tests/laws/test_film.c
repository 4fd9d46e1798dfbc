/* SPDX-License-Identifier: MIT
 *
 * The films in closed form: each force is the integral of its own pressure, the pressure solves its equation,
 * the static limits are the textbook's; moments balance, power is lost and equals what the bodies lose;
 * symmetry, frames, the centre, the peak of the pressure, a journal that sinks; the mean with dry contact;
 * bad input.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "contact/film.h"
#include "contact/hybrid.h"
#include "near.h"
#include "numbers.h"

static const double pi = 3.14159265358979323846;
static const double mu = 0.04, L = 0.02, R = 0.0095, c = 50e-6;
static const char *const closed[] = {"squeeze-long", "long", "short"};
enum { CLOSED = sizeof closed / sizeof *closed };

static lashi_film_data data_of(const char *model, bool full) {
    return (lashi_film_data){
        .model = model, .viscosity = mu, .length = L, .radius = R, .clearance = c, .full = full, .shear = -1};
}

static lashi_film film_of(const char *model, bool full) {
    lashi_film_data data = data_of(model, full);
    lashi_film film;
    lash_error error = {0};
    if (lashi_film_compile(&film, film_numbers(), &data, &error) != LASH_OK)
        fail_msg("%s: %s", model, error.message);
    return film;
}

/* theta on a circle of 2 pi in y, dense where the film is thin; and its slope. */
static double spread(double y, double eps, double *slope) {
    double k = sqrt((1 - eps) / (1 + eps)), t = tan(y / 2);
    *slope = k * (1 + t * t) / (1 + k * k * t * t);
    return 2 * atan(k * t);
}

static double full_pressure(const lashi_film *film, double eps, double a, double b, double theta,
                            double zeta) {
    lashi_film full = *film;
    full.full = true;
    return film->kind->pressure(&full, eps, a, b, theta, zeta);
}

/* g as the integral of P (cos, sin), panel by panel; panels end where the pressure changes sign. */
static lashi_impedance integral(const lashi_film *film, double eps, double a, double b) {
    static const double at[8] = {-0.9602898564975363, -0.7966664774136267, -0.5255324099163290,
                                 -0.1834346424956498, 0.1834346424956498,  0.5255324099163290,
                                 0.7966664774136267,  0.9602898564975363};
    static const double weight[8] = {0.1012285362903763, 0.2223810344533745, 0.3137066458778873,
                                     0.3626837833783620, 0.3626837833783620, 0.3137066458778873,
                                     0.2223810344533745, 0.1012285362903763};
    static const double zeta[2] = {0.2113248654051871, 0.7886751345948129}; // exact for a parabola
    enum { PANELS = 200 };
    lashi_impedance sum = {0, 0};
    for (int panel = 0; panel < PANELS; panel++) {
        double ends[3] = {-pi + 2 * pi * panel / PANELS, 0, -pi + 2 * pi * (panel + 1) / PANELS}, slope;
        // Bisection for a change of sign inside the panel.
        double low = ends[0], high = ends[2];
        double P_low = full_pressure(film, eps, a, b, spread(low, eps, &slope), 0);
        if ((P_low > 0) != (full_pressure(film, eps, a, b, spread(high, eps, &slope), 0) > 0))
            for (int i = 0; i < 60; i++) {
                double middle = (low + high) / 2;
                if ((full_pressure(film, eps, a, b, spread(middle, eps, &slope), 0) > 0) == (P_low > 0))
                    low = middle;
                else
                    high = middle;
            }
        else
            high = low = (ends[0] + ends[2]) / 2;
        ends[1] = (low + high) / 2;
        for (int part = 0; part < 2; part++)
            for (int i = 0; i < 8; i++) {
                double half = (ends[part + 1] - ends[part]) / 2;
                double theta = spread(ends[part] + half * (1 + at[i]), eps, &slope), P = 0;
                for (int k = 0; k < 2; k++)
                    P += film->kind->pressure(film, eps, a, b, theta, zeta[k]) / 2;
                sum.r += weight[i] * half * slope * P * cos(theta);
                sum.t += weight[i] * half * slope * P * sin(theta);
            }
    }
    return sum;
}

static void forces_are_integrals_of_their_pressure(void **state) {
    (void)state;
    const double eccentricities[] = {0, 0.01, 0.3, 0.7, 0.95, 0.99};
    for (int m = 0; m < CLOSED; m++)
        for (int full = 0; full < 2; full++) {
            lashi_film film = film_of(closed[m], full);
            for (int i = 0; i < 6; i++)
                for (int k = 0; k < 16; k++) {
                    double eps = eccentricities[i], a = 3 * cos(k * pi / 8 + 0.1),
                           b = 3 * sin(k * pi / 8 + 0.1);
                    lashi_impedance g = film.kind->impedance(&film, eps, a, b),
                                    s = integral(&film, eps, a, b);
                    double size = hypot(s.r, s.t);
                    assert_near(g.r, s.r, 1e-10 * size);
                    assert_near(g.t, s.t, 1e-10 * size);
                }
        }
}

/* d/dtheta(H^3 dP/dtheta) = -12 (a cos + b sin) for the long film, by differences over whole cells. */
static void pressures_solve_their_equation(void **state) {
    (void)state;
    double eps = 0.6, a = 2, b = -3, step = 1e-4;
    lashi_film film = film_of("long", true), squeeze = film_of("squeeze-long", true),
               brief = film_of("short", true);
    for (int k = 0; k < 24; k++) {
        double theta = k * pi / 12, H1 = 1 - eps * cos(theta - step / 2),
               H2 = 1 - eps * cos(theta + step / 2);
        double f = 12 * (a * cos(theta) + b * sin(theta));
        const lashi_film *films[2] = {&film, &squeeze};
        for (int m = 0; m < 2; m++) {
            double P[3];
            for (int i = 0; i < 3; i++)
                P[i] = films[m]->kind->pressure(films[m], eps, a, b, theta + (i - 1) * step, 0.3);
            double flow = (H2 * H2 * H2 * (P[2] - P[1]) - H1 * H1 * H1 * (P[1] - P[0])) / (step * step);
            assert_near(flow, m ? -12 * a * cos(theta) : -f, 1e-4 * 36);
        }
        double H = 1 - eps * cos(theta), ratio = brief.p->length_ratio, P[3];
        for (int i = 0; i < 3; i++)
            P[i] = brief.kind->pressure(&brief, eps, a, b, theta, 0.3 + 0.1 * (i - 1));
        assert_near((P[2] - 2 * P[1] + P[0]) / 0.01 * H * H * H / (ratio * ratio), -f, 1e-9 * 36);
        assert_near(brief.kind->pressure(&brief, eps, a, b, theta, 1), 0, 0);
    }
}

static void closed_forms_of_the_books(void **state) {
    (void)state;
    double w = 520, K = mu * L * R * R * R / (c * c);
    for (double eps = 0.05; eps < 0.999; eps += 0.05) {
        double u = sqrt(1 - eps * eps), k = 2 + eps * eps;
        lashi_film_motion turning = {.eps = eps, .omega_i = 0.4 * w, .omega_j = 0.6 * w};
        lashi_film_motion closing = {.eps = eps, .radial = 7};

        lashi_film film = film_of("short", false);
        lashi_film_force_result f = lashi_film_force(&film, turning);
        double scale = mu * w * R * L * L * L / (c * c);
        assert_relative(f.radial, -scale * eps * eps / pow(u, 4), 1e-10); /* Ocvirk */
        assert_relative(f.transverse, scale * pi * eps / (4 * u * u * u), 1e-10);

        film = film_of("long", true);
        f = lashi_film_force(&film, turning);
        assert_near(f.radial, 0, 1e-10 * K * w); /* Sommerfeld */
        assert_relative(f.transverse, K * w * 12 * pi * eps / (k * u), 1e-10);

        film = film_of("long", false);
        f = lashi_film_force(&film, turning);
        assert_relative(f.radial, -K * w * 12 * eps * eps / (k * u * u), 1e-10); /* half Sommerfeld */
        assert_relative(f.transverse, K * w * 6 * pi * eps / (k * u), 1e-10);

        film = film_of("squeeze-long", true);
        f = lashi_film_force(&film, closing);
        assert_relative(f.radial, -12 * pi * K * 7 / (u * u * u), 1e-12); /* P4 eq. 34 */
        assert_near(f.transverse, 0, 0);
        assert_near(f.journal_torque, 0, 0);
        assert_relative(f.thickness, c * (1 - eps), 1e-12);
    }
}

/* A reproducible number between -1 and 1. */
static double random_number(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static void power_and_moments_balance(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int m = 0; m < CLOSED; m++)
        for (int full = 0; full < 2; full++) {
            lashi_film film = film_of(closed[m], full);
            for (int k = 0; k < 500; k++) {
                double e[2] = {0.7 * c * random_number(&seed), 0.7 * c * random_number(&seed)};
                double edot[2] = {1e-3 * random_number(&seed), 1e-3 * random_number(&seed)};
                double wi = 100 * random_number(&seed), wj = 100 * random_number(&seed), n[2], t[2];
                lashi_film_motion motion = lashi_film_planar(n, t, &film, e, edot, wi, wj, (double[2]){1, 0});
                lashi_film_force_result f = lashi_film_force(&film, motion);
                double fx = f.radial * n[0] + f.transverse * t[0], fy = f.radial * n[1] + f.transverse * t[1];
                double gained = fx * edot[0] + fy * edot[1] + f.journal_torque * wj + f.bearing_torque * wi;
                assert_true(f.power >= 0);
                assert_near(f.power, -gained, 1e-11 * (f.power + hypot(fx, fy) * hypot(edot[0], edot[1])));
                double size =
                    fabs(f.journal_torque) + fabs(f.bearing_torque) + hypot(e[0], e[1]) * hypot(fx, fy);
                assert_near(f.journal_torque + f.bearing_torque + e[0] * fy - e[1] * fx, 0, 1e-13 * size);
                assert_near(f.thickness, c - hypot(e[0], e[1]), 1e-18);
            }
        }
}

static void an_observer_may_turn(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int m = 0; m < CLOSED; m++) {
        lashi_film film = film_of(closed[m], false);
        for (int k = 0; k < 100; k++) {
            double eps = 0.45 * (1 + random_number(&seed)), turn = 300 * random_number(&seed);
            lashi_film_motion one = {eps,
                                     20 * random_number(&seed),
                                     20 * random_number(&seed),
                                     90 * random_number(&seed),
                                     90 * random_number(&seed),
                                     {1, 0}};
            lashi_film_motion two = {
                eps, one.radial, one.transverse + eps * turn, one.omega_i + turn, one.omega_j + turn, {1, 0}};
            lashi_film_motion mirrored = {eps,          one.radial,   -one.transverse,
                                          -one.omega_i, -one.omega_j, {1, 0}};
            lashi_film_force_result f = lashi_film_force(&film, one), g = lashi_film_force(&film, two);
            lashi_film_force_result h = lashi_film_force(&film, mirrored);
            double size = hypot(f.radial, f.transverse);
            assert_near(g.radial, f.radial, 1e-10 * size);
            assert_near(g.transverse, f.transverse, 1e-10 * size);
            assert_near(h.radial, f.radial, 1e-12 * size);
            assert_near(h.transverse, -f.transverse, 1e-12 * size);
            assert_near(h.journal_torque, -f.journal_torque, 1e-12 * fabs(f.journal_torque));
        }
    }
}

/* Near the centre the film is round: the force is that of the velocity, whatever the direction of e. */
static void the_centre_is_no_singular_point(void **state) {
    (void)state;
    const char *const models[] = {"long", "short"};
    for (int m = 0; m < 2; m++)
        for (int full = 0; full < 2; full++) {
            lashi_film film = film_of(models[m], full);
            const double edot[2] = {1e-3, 4e-4}, still[2] = {0, 0};
            double n[2], t[2], first[2];
            lashi_film_motion motion = lashi_film_planar(n, t, &film, still, edot, 30, 50, (double[2]){1, 0});
            lashi_film_force_result f = lashi_film_force(&film, motion);
            first[0] = f.radial * n[0] + f.transverse * t[0];
            first[1] = f.radial * n[1] + f.transverse * t[1];
            double size = hypot(first[0], first[1]);
            assert_true(size > 0);
            for (int k = 0; k < 12; k++) {
                double e[2] = {1e-9 * c * cos(k * pi / 6), 1e-9 * c * sin(k * pi / 6)};
                motion = lashi_film_planar(n, t, &film, e, edot, 30, 50, (double[2]){1, 0});
                f = lashi_film_force(&film, motion);
                assert_near(f.radial * n[0] + f.transverse * t[0], first[0], 1e-7 * size);
                assert_near(f.radial * n[1] + f.transverse * t[1], first[1], 1e-7 * size);
            }
        }
}

static void peaks_are_the_largest_pressure(void **state) {
    (void)state;
    for (int m = 0; m < CLOSED; m++) {
        lashi_film film = film_of(closed[m], false);
        for (int k = 0; k < 12; k++) {
            double eps = 0.05 + 0.08 * k, slope, top = 0;
            lashi_film_motion motion = {eps, 3 * cos(k), 3 * sin(k), 0, 0, {1, 0}};
            for (int i = 0; i < 100000; i++)
                top =
                    fmax(top, film.kind->pressure(&film, eps, motion.radial, motion.transverse,
                                                  spread(-pi + 2 * pi * (i + 0.5) / 100000, eps, &slope), 0));
            assert_relative(lashi_film_peak(&film, motion), mu * (R / c) * (R / c) * top, 1e-7);
        }
    }
}

static void shear_follows_petroff(void **state) {
    (void)state;
    lashi_film film = film_of("short", false);
    lashi_film_force_result f = lashi_film_force(&film, (lashi_film_motion){.omega_j = 80, .omega_i = -20});
    double torque = 2 * pi * mu * R * R * R * L / c * 100;
    assert_relative(f.journal_torque, -torque, 1e-14);
    assert_relative(f.bearing_torque, torque, 1e-14);
    assert_relative(f.power, 100 * torque, 1e-14);
    lashi_film_data data = data_of("squeeze-long", true);
    data.shear = 1;
    lash_error error;
    assert_int_equal(lashi_film_compile(&film, film_numbers(), &data, &error), LASH_OK);
    f = lashi_film_force(&film, (lashi_film_motion){.omega_j = 80, .omega_i = -20});
    assert_relative(f.journal_torque, -torque, 1e-14);
}

/* A load W presses the journal down: m c eps'' = W - F. Without mass eps/u = W t/(12 pi K); with mass it
 * lags. */
static void a_sinking_journal_never_touches(void **state) {
    (void)state;
    lashi_film film = film_of("squeeze-long", true);
    double W = 50, rate = W / (12 * pi * film.p->scale), end = 12 / rate, mass = 0.3;
    enum { STEPS = 400000 };
    double eps = 0, speed = 0, h = end / STEPS, lost = 0;
    for (int i = 0; i < STEPS; i++) {
        // The drag is linear in the speed: the step is taken implicitly in it, explicitly in eps.
        lashi_film_force_result unit = lashi_film_force(&film, (lashi_film_motion){.eps = eps, .radial = 1});
        speed =
            (speed + h * W / (mass * film.p->clearance)) / (1 - h * unit.radial / (mass * film.p->clearance));
        lashi_film_force_result f = lashi_film_force(&film, (lashi_film_motion){.eps = eps, .radial = speed});
        lost += h * f.power;
        eps += h * speed;
        assert_true(eps < 1);
    }
    assert_true(eps > 0.99);
    assert_near(eps / sqrt(1 - eps * eps), 12, 0.01 * 12);
    double stored = mass * pow(film.p->clearance * speed, 2) / 2;
    assert_relative(lost + stored, W * film.p->clearance * eps, 1e-3);
}

static lashi_normal contact_of(const char *law) {
    lash_clearance_def def = lash_clearance_default();
    def.bearing_radius = R + c;
    def.radial = c;
    def.length = L;
    def.contact.law = law;
    def.contact.restitution = 0.9;
    lash_material_def steel = {.young = 207e9, .poisson = 0.3, .density = 7850};
    lashi_normal normal;
    lash_error error = {0};
    if (lashi_normal_compile(&normal, normal_numbers(), &def, &steel, &steel, &error) != LASH_OK)
        fail_msg("%s", error.message);
    return normal;
}

/* The largest change of the force between neighbours of a sweep over the transition. */
static double largest_change(const lashi_film *film, const lashi_hybrid *hybrid, const lashi_normal *law,
                             int steps) {
    double speed = 0.05, before = 0, most = 0;
    for (int i = 0; i <= steps; i++) {
        double delta = -0.05 * c + 0.1 * c * i / steps, weight = lashi_hybrid_weight(hybrid, delta);
        lashi_film_motion motion = {.eps = (c + delta) / film->p->clearance,
                                    .radial = speed / film->p->clearance};
        double wet = -lashi_film_force(film, motion).radial;
        double dry = lashi_normal_force(law, delta, speed, speed).force;
        double force = lashi_hybrid_mean(weight, wet, dry);
        assert_true(isfinite(force) && force >= 0);
        if (i)
            most = fmax(most, fabs(force - before));
        if (delta <= 0)
            assert_near(force, wet, 0);
        if (delta >= hybrid->e0)
            assert_near(force, dry, 0);
        before = force;
    }
    return most;
}

static void the_mean_is_continuous(void **state) {
    (void)state;
    lash_error error;
    lashi_hybrid hybrid;
    assert_int_equal(lashi_hybrid_compile(&hybrid, 0.02 * c, 0.05 * c, c, &error), LASH_OK);
    lashi_normal law = contact_of("lankarani-nikravesh");
    lashi_film_data data = data_of("squeeze-long", true);
    data.clearance = c + hybrid.e1;
    lashi_film film;
    assert_int_equal(lashi_film_compile(&film, film_numbers(), &data, &error), LASH_OK);
    // A jump would not shrink with the step.
    double coarse = largest_change(&film, &hybrid, &law, 10000);
    double fine = largest_change(&film, &hybrid, &law, 40000);
    assert_relative(fine, coarse / 4, 0.05);
    assert_near(lashi_hybrid_weight(&hybrid, 0.01 * c), 0.5, 1e-15);
}

static void the_mean_keeps_energy(void **state) {
    (void)state;
    const char *const laws[] = {"hertz", "lankarani-nikravesh", "kelvin-voigt", "johnson", "esdu-78035"};
    for (int m = 0; m < 5; m++) {
        lashi_hybrid hybrid = {.e0 = 1e-6, .e1 = 2e-6};
        lash_clearance_def def = lash_clearance_default();
        def.bearing_radius = R + c;
        def.radial = c;
        def.length = L;
        def.contact.law = laws[m];
        def.contact.restitution = 0.9;
        lashi_normal law;
        lash_error error = {0};
        if (strcmp(laws[m], "kelvin-voigt") == 0) {
            def.contact.stiffness = 1e9;
            assert_int_equal(lashi_normal_compile(&law, normal_numbers(), &def, NULL, NULL, &error), LASH_OK);
        } else {
            law = contact_of(laws[m]);
        }
        double sum = 0, step = 3e-6 / 30000;
        for (int i = 0; i < 30000; i++) { // midpoint rule on w F_el
            double delta = (i + 0.5) * step;
            sum += step * lashi_hybrid_weight(&hybrid, delta) * lashi_normal_elastic(&law, delta);
            if (i % 3000 == 2999)
                assert_relative(lashi_hybrid_energy(&hybrid, &law, (i + 1) * step), sum, 1e-6);
        }
    }
}

static void refused(const lashi_film_data *data, const char *part) {
    lashi_film film;
    lash_error error = {0};
    assert_int_equal(lashi_film_compile(&film, film_numbers(), data, &error), LASH_ERROR_MODEL);
    if (!strstr(error.message, part))
        fail_msg("'%s' does not say '%s'", error.message, part);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    lashi_film_data data = data_of("shrt", false);
    refused(&data, "did you mean 'short'");
    data = data_of(NULL, false);
    refused(&data, "no film model");
    double wrong[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        data = data_of("short", false);
        data.viscosity = wrong[i];
        refused(&data, "viscosity");
        data = data_of("short", false);
        data.length = wrong[i];
        refused(&data, "length");
        data = data_of("short", false);
        data.radius = wrong[i];
        refused(&data, "radius");
        data = data_of("short", false);
        data.clearance = wrong[i];
        refused(&data, "clearance");
    }
    data = data_of("reynolds", false);
    data.inlet = LASHI_INLET_GROOVE;
    data.groove = NAN;
    refused(&data, "angle");
    data = data_of("short", false);
    data.inlet = LASHI_INLET_GROOVE;
    refused(&data, "has no groove");

    lashi_hybrid hybrid;
    lash_error error = {0};
    assert_int_equal(lashi_hybrid_compile(&hybrid, 0, 1e-6, c, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "e0"));
    assert_int_equal(lashi_hybrid_compile(&hybrid, 2e-6, 1e-6, c, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "e1"));
    assert_int_equal(lashi_hybrid_compile(&hybrid, 2 * c, 3 * c, c, &error), LASH_ERROR_MODEL);
    assert_int_equal(lashi_hybrid_compile(&hybrid, NAN, 1e-6, c, &error), LASH_ERROR_MODEL);
}

static void lengths_out_of_range_are_said(void **state) {
    (void)state;
    lashi_film_data data = data_of("short", false);
    lashi_film film;
    data.length = 0.4 * R;
    assert_int_equal(lashi_film_compile(&film, film_numbers(), &data, NULL), LASH_OK);
    assert_null(film.warning);
    data.length = 0.6 * R;
    assert_int_equal(lashi_film_compile(&film, film_numbers(), &data, NULL), LASH_OK);
    assert_non_null(film.warning);
    data.model = "long";
    assert_int_equal(lashi_film_compile(&film, film_numbers(), &data, NULL), LASH_OK);
    assert_non_null(film.warning);
    data.length = 5 * R;
    assert_int_equal(lashi_film_compile(&film, film_numbers(), &data, NULL), LASH_OK);
    assert_null(film.warning);
}

static void films_are_listed(void **state) {
    (void)state;
    size_t count = 0;
    for (; lashi_film_name(count); count++) {
        const lashi_film_law *law = lashi_film_find(lashi_film_name(count));
        assert_non_null(law);
        assert_string_equal(law->name, lashi_film_name(count));
        assert_non_null(law->doc);
        assert_non_null(law->reference);
        assert_non_null(law->warning);
        assert_true(law->pressure || law->peak);
        assert_true(law->trusted_from < law->trusted_to);
    }
    assert_int_equal(count, 5);
    assert_null(lashi_film_find("none such"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_integrals_of_their_pressure),
        cmocka_unit_test(pressures_solve_their_equation),
        cmocka_unit_test(closed_forms_of_the_books),
        cmocka_unit_test(power_and_moments_balance),
        cmocka_unit_test(an_observer_may_turn),
        cmocka_unit_test(the_centre_is_no_singular_point),
        cmocka_unit_test(peaks_are_the_largest_pressure),
        cmocka_unit_test(shear_follows_petroff),
        cmocka_unit_test(a_sinking_journal_never_touches),
        cmocka_unit_test(the_mean_is_continuous),
        cmocka_unit_test(the_mean_keeps_energy),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(lengths_out_of_range_are_said),
        cmocka_unit_test(films_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
