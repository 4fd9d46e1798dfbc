/* SPDX-License-Identifier: MIT
 *
 * Worn surfaces (worn.h): profiles, the depth against a brute search, the bed's force as the slope of its
 * energy, the law itself where nothing is worn, and shares that lose nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "contact/contact.h"
#include "contact/worn.h"
#include "lash/wear.h"
#include "near.h"

enum { SECTORS = 90, FINE = 200000 };
static const double pi = 3.14159265358979323846, c = 5e-5;

/* Worn in two places, on both parts. */
static double bearing[SECTORS], journal[SECTORS];
static lashi_worn_sector table[SECTORS];
static lashi_worn worn_pair(void) {
    lashi_worn worn = {.surface = {{SECTORS, SECTORS, bearing}, {SECTORS, SECTORS, journal}}, .table = table};
    for (int s = 0; s < SECTORS; s++) {
        const double phi = 2 * pi * s / SECTORS;
        bearing[s] = 3e-6 * exp(4 * (cos(phi - 0.7) - 1)) + 1e-6 * (1 + cos(2 * phi));
        journal[s] = 2e-6 * exp(2 * (cos(phi + 1) - 1));
    }
    lashi_worn_prepare(&worn);
    return worn;
}

static double depth_at(const lashi_worn *worn, lashi_vec2 e, double alpha, double phi) {
    return e.x * cos(phi) + e.y * sin(phi) - c - lashi_surface_at(&worn->surface[0], phi).h -
           lashi_surface_at(&worn->surface[1], phi - alpha).h;
}

static void profiles_are_smooth_and_keep_their_volume(void **state) {
    (void)state;
    const lashi_worn worn = worn_pair();
    double sum = 0, integral = 0, h[SECTORS], a[SECTORS], work[2 * SECTORS];
    for (int s = 0; s < SECTORS; s++)
        sum += bearing[s];
    for (int k = 0; k < FINE; k++)
        integral += lashi_surface_at(&worn.surface[0], 2 * pi * (k + 0.5) / FINE).h;
    assert_relative(integral / FINE, sum / SECTORS, 1e-12);
    for (double phi = -9; phi < 9; phi += 0.0317) {
        const double step = 1e-4;
        const lashi_surface_jet l = lashi_surface_at(&worn.surface[0], phi - step),
                                m = lashi_surface_at(&worn.surface[0], phi),
                                r = lashi_surface_at(&worn.surface[0], phi + step);
        assert_near(m.dh, (r.h - l.h) / (2 * step), 1e-11);
        assert_near(m.ddh, (r.dh - l.dh) / (2 * step), 1e-8);
        assert_true(fabs(m.dh) <= worn.steepest[0] && m.h >= 0);
    }
    // C²: across a node both sides have the same three values.
    const double node = 2 * pi * 7 / SECTORS;
    const lashi_surface_jet before = lashi_surface_at(&worn.surface[0], node - 1e-12),
                            after = lashi_surface_at(&worn.surface[0], node + 1e-12);
    assert_near(before.h, after.h, 1e-15);
    assert_near(before.dh, after.dh, 1e-14);
    assert_near(before.ddh, after.ddh, 1e-13);
    // The coefficients of given values.
    for (int s = 0; s < SECTORS; s++)
        h[s] = 1e-5 * (1 + 0.5 * sin(2 * pi * s / SECTORS));
    lashi_surface_fit(a, h, SECTORS, work);
    const lashi_surface fitted = {SECTORS, SECTORS, a};
    for (int s = 0; s < SECTORS; s++)
        assert_relative(lashi_surface_at(&fitted, 2 * pi * s / SECTORS).h, h[s], 1e-14);
    assert_near(lashi_surface_at(&fitted, 1.234).h, 1e-5 * (1 + 0.5 * sin(1.234)), 1e-12);
}

static void without_wear_it_is_the_pin(void **state) {
    (void)state;
    static double none[SECTORS];
    lashi_worn worn = {.surface = {{SECTORS, SECTORS, none}}, .table = table};
    lashi_worn_prepare(&worn);
    for (double depth = 1e-12; depth < 1e-4; depth *= 3.7) {
        const double angle = 1 + 1e4 * depth;
        const lashi_vec2 e = {(c + depth) * cos(angle), (c + depth) * sin(angle)};
        lashi_bed bed;
        lashi_worn_look(&bed, &worn, c, e, 0.3);
        const double rounding = 4e-16 * c / depth; // of d, whose terms are as large as c
        assert_near(bed.deepest, depth, 1e-18);
        assert_true(bed.pressed);
        assert_relative(bed.depth, depth, 1e-12 + 10 * rounding);
        assert_relative(sqrt(lashi_dot(bed.thrust, bed.thrust)) * bed.per_unit, 1, 1e-11 + 10 * rounding);
        assert_relative(bed.thrust.x * e.y, bed.thrust.y * e.x, 1e-11 + 10 * rounding);
        assert_near(bed.moment, 0, 0);
    }
}

static void assert_near3(lashi_vec3 a, lashi_vec3 b, double tolerance) {
    assert_near(a.x, b.x, tolerance);
    assert_near(a.y, b.y, tolerance);
    assert_near(a.z, b.z, tolerance);
}

/* Every number of its gap, of turned bodies whose centres are elsewhere. */
static void without_wear_it_moves_as_the_pin(void **state) {
    (void)state;
    static double none[SECTORS];
    lashi_worn worn = {.surface = {{SECTORS, SECTORS, none}, {SECTORS, SECTORS, none}}, .table = table};
    lashi_worn_prepare(&worn);
    for (int k = 0; k < 20; k++) {
        const double around = 0.7 * k, angle[2] = {0.3 * k - 2, 1.1 - 0.2 * k}, e = c + 1e-6 * (k + 1);
        const bool common = k % 2; // one place for both forces, or one on each surface
        lashi_contact_numbers numbers = {
            .size = {.clearance = c,
                     .journal_arm = 0.01,
                     .bearing_arm = common ? 0.01 : 0.01 + c,
                     .carried = common ? 1 : 0},
            .s = {{0.03, -0.02}, {-0.05, 0.07}},
        };
        lashi_contact pin = {.p = &numbers, .kind = LASHI_CONTACT_pin, .body = {0, 1}}, with_wear = pin;
        with_wear.kind = LASHI_CONTACT_worn_pin;
        with_wear.worn = &worn;
        lashi_frame frames[2] = {{.x = 0.4, .y = -0.1, .vx = 0.3, .vy = 0.6, .w = 2.5},
                                 {.vx = 0.2 - 0.01 * k, .vy = 0.65, .w = -7}};
        for (int i = 0; i < 2; i++) {
            frames[i].angle = angle[i];
            frames[i].c = cos(angle[i]);
            frames[i].s = sin(angle[i]);
        }
        const lashi_vec2 P_i = lashi_turn(&frames[0], (lashi_vec2){0.03, -0.02}),
                         P_j = lashi_turn(&frames[1], (lashi_vec2){-0.05, 0.07});
        frames[1].x = frames[0].x + P_i.x - P_j.x + e * cos(around);
        frames[1].y = frames[0].y + P_i.y - P_j.y + e * sin(around);
        const lashi_gap a = lashi_gap_of(&pin, frames), b = lashi_gap_of(&with_wear, frames);
        // e is the difference of positions of 0.5 m.
        const double rounding = 2e-16, direction = 10 * rounding / c, slow = 20 * direction;
        assert_near(b.delta, a.delta, 1e-14 * c + 4 * rounding);
        assert_near(b.deltadot, a.deltadot, slow);
        assert_near(b.closing, a.deltadot, slow);
        assert_near(b.share, 1, 1e-10 + 1e3 * rounding / a.delta);
        assert_near(b.turning, 0, 0);
        assert_near(b.e, a.e, 0);
        assert_near(b.sliding, a.sliding, slow);
        assert_near3(b.n, a.n, direction);
        assert_near3(b.t, a.t, direction);
        assert_near3(b.d, a.d, 0);
        assert_near3(b.ddot, a.ddot, 0);
        assert_near3(b.slip, a.slip, slow);
        assert_near3(b.centre[0], (lashi_vec3){P_i.x, P_i.y, 0}, rounding);
        assert_near3(b.centre[1], (lashi_vec3){P_j.x, P_j.y, 0}, rounding);
        assert_near3(b.arm[0], a.arm[0], direction);
        assert_near3(b.arm[1], a.arm[1], direction);
    }
}

/* Contact begins with the speed of the closing surfaces times the share that belongs to its curvatures, however
 * few roundings deep it is found: damping goes by that speed. */
static void it_begins_as_it_goes_on(void **state) {
    (void)state;
    static double none[SECTORS];
    for (int worn_off = 0; worn_off < 2; worn_off++) {
        lashi_worn worn = {.surface = {{SECTORS, SECTORS, none}, {SECTORS, SECTORS, none}}, .table = table};
        lashi_worn_prepare(&worn);
        if (worn_off)
            worn = worn_pair();
        lashi_contact_numbers numbers = {
            .size = {.clearance = c, .journal_arm = 0.01, .bearing_arm = 0.01 + c}};
        const lashi_contact contact = {
            .p = &numbers, .kind = LASHI_CONTACT_worn_pin, .body = {0, 1}, .worn = &worn};
        for (int k = 0; k < 40; k++) {
            const double around = 0.157 * k;
            lashi_frame frames[2] = {{.c = 1}, {.c = 1, .vx = 0.3 * cos(around), .vy = 0.3 * sin(around)}};
            // Where it begins, by halves.
            double low = 0.5 * c, high = 2 * c, share = 0;
            while (0.5 * (low + high) > low && 0.5 * (low + high) < high) {
                frames[1].x = 0.5 * (low + high) * cos(around);
                frames[1].y = 0.5 * (low + high) * sin(around);
                *(lashi_gap_of(&contact, frames).delta > 0 ? &high : &low) = 0.5 * (low + high);
            }
            for (int n = -1; n < 90; n++) { // n < 0: just before; then up to 1e-6 c
                const double depth = n < 0 ? -1e-18 : 1e-6 * c * pow(0.7, n);
                frames[1].x = (high + depth) * cos(around);
                frames[1].y = (high + depth) * sin(around);
                const lashi_gap gap = lashi_gap_of(&contact, frames);
                share = n < 0 ? gap.share : share;
                assert_near(gap.share, share, 2e-4 * share);
                assert_near(gap.closing, 0.3 * (gap.n.x * cos(around) + gap.n.y * sin(around)), 1e-12);
                assert_near(lashi_gap_onset(&contact, &gap), share * gap.closing, 1e-4);
                assert_true(n < 0 || fabs(gap.delta - share * depth * gap.closing / 0.3) <
                                         1e-3 * share * depth + 1e-18);
            }
            assert_true(worn_off ? share > 0.5 && share < 2 : fabs(share - 1) < 1e-12);
        }
    }
}

/* Closed form of u with its cancellations, where they do no harm. */
static void the_unworn_bed_is_integrated(void **state) {
    (void)state;
    for (double depth = 0.3 * c; depth < 20 * c; depth *= 1.3) {
        const double e = c + depth, psi = acos(c / e);
        double g;
        const double u = lashi_bed_unworn(&g, c, depth);
        assert_relative(
            u, 0.5 * (e * e * (psi + sin(psi) * cos(psi)) - 4 * e * c * sin(psi) + 2 * c * c * psi), 1e-11);
        assert_relative(g, e * (psi + sin(psi) * cos(psi)) - 2 * c * sin(psi), 1e-11);
    }
}

static void the_top_is_found(void **state) {
    (void)state;
    const lashi_worn worn = worn_pair();
    for (int k = 0; k < 40; k++) {
        const double size = k % 5 == 0 ? 0 : c * (0.2 + 0.03 * k), angle = 2.399963 * k, alpha = 0.37 * k - 5;
        const lashi_vec2 e = {size * cos(angle), size * sin(angle)};
        lashi_bed bed;
        lashi_worn_look(&bed, &worn, c, e, alpha);
        double most = -INFINITY;
        for (int i = 0; i < FINE / 10; i++)
            most = fmax(most, depth_at(&worn, e, alpha, 2 * pi * i / (FINE / 10)));
        assert_true(bed.deepest >= most - 1e-18);
        assert_near(bed.deepest, most, 1e-12);
        assert_near(depth_at(&worn, e, alpha, bed.at), bed.deepest, 1e-18);
    }
}

static void the_force_is_the_slope_of_the_energy(void **state) {
    (void)state;
    const lashi_worn worn = worn_pair();
    int pressed = 0;
    for (int k = 0; k < 60; k++) {
        const double angle = 2.399963 * k, alpha = 0.37 * k, size = c + 5e-6 + 2e-7 * k, step = 1e-9;
        const lashi_vec2 e = {size * cos(angle), size * sin(angle)};
        lashi_bed bed, more, less;
        lashi_worn_look(&bed, &worn, c, e, alpha);
        if (!bed.pressed || bed.depth < 1e-6)
            continue;
        pressed++;
        const double scale = sqrt(lashi_dot(bed.thrust, bed.thrust)) * bed.per_unit;
        lashi_worn_look(&more, &worn, c, (lashi_vec2){e.x + step, e.y}, alpha);
        lashi_worn_look(&less, &worn, c, (lashi_vec2){e.x - step, e.y}, alpha);
        assert_near((more.depth - less.depth) / (2 * step), bed.thrust.x * bed.per_unit, 2e-6 * scale);
        lashi_worn_look(&more, &worn, c, (lashi_vec2){e.x, e.y + step}, alpha);
        lashi_worn_look(&less, &worn, c, (lashi_vec2){e.x, e.y - step}, alpha);
        assert_near((more.depth - less.depth) / (2 * step), bed.thrust.y * bed.per_unit, 2e-6 * scale);
        lashi_worn_look(&more, &worn, c, e, alpha + 1e-4);
        lashi_worn_look(&less, &worn, c, e, alpha - 1e-4);
        assert_near((more.depth - less.depth) / 2e-4, bed.moment * bed.per_unit, 1e-10);
        // Against sums over a fine grid.
        double energy = 0, I[2] = {0, 0};
        for (int i = 0; i < FINE; i++) {
            const double phi = 2 * pi * i / FINE, d = fmax(0, depth_at(&worn, e, alpha, phi));
            energy += 0.5 * d * d * 2 * pi / FINE;
            I[0] += d * cos(phi) * 2 * pi / FINE;
            I[1] += d * sin(phi) * 2 * pi / FINE;
        }
        double g;
        assert_relative(lashi_bed_unworn(&g, c, bed.depth), energy, 1e-8);
        assert_near(bed.thrust.x, I[0], 1e-8 * hypot(I[0], I[1]));
        assert_near(bed.thrust.y, I[1], 1e-8 * hypot(I[0], I[1]));
    }
    assert_true(pressed > 20);
}

static void shares_lose_nothing(void **state) {
    (void)state;
    const lashi_worn worn = worn_pair();
    double b[2 * SECTORS] = {0}, *j = b + SECTORS, sum[2] = {0, 0};
    const lashi_vec2 e = {-(c + 8e-6), 1e-5};
    lashi_worn_share(b, &worn, c, e, 1.7, 0.25);
    for (int s = 0; s < SECTORS; s++) {
        assert_true(b[s] >= 0 && j[s] >= 0);
        sum[0] += b[s];
        sum[1] += j[s];
    }
    assert_relative(sum[0], 0.25, 1e-14);
    assert_relative(sum[1], 0.25, 1e-14);
    // The first moment of the bearing's is that of the pressure: splines move nothing.
    double sine = 0, moment = 0, total = 0;
    for (int i = 0; i < FINE; i++) {
        const double phi = 2 * pi * i / FINE, d = fmax(0, depth_at(&worn, e, 1.7, phi));
        total += d;
        moment += d * (phi - pi);
    }
    for (int s = 0; s < SECTORS; s++)
        sine += b[s] * (2 * pi * s / SECTORS - pi);
    assert_near(sine / 0.25, moment / total, 1e-8);
    // The journal's are the bearing's, in its own axes: turned by five sectors.
    double turned[2 * SECTORS] = {0};
    lashi_worn even = worn;
    even.surface[1].a = NULL; // only the bearing is worn, so that pressures do not depend on the angle
    lashi_worn_share(turned, &even, c, e, 2 * pi * 5 / SECTORS, 0.25);
    for (int s = 0; s < SECTORS; s++)
        assert_near(turned[SECTORS + s], turned[(s + 5) % SECTORS], 1e-12);
    // Out of contact there is nothing to share.
    lashi_worn_share(b, &worn, c, (lashi_vec2){1e-5, 0}, 1.7, 1);
    double again = 0;
    for (int s = 0; s < SECTORS; s++)
        again += b[s];
    assert_relative(again, 0.25, 1e-14);
}

/* The profile that shares give: no volume is lost, none is negative, and a smooth one is met to fourth order. */
static void a_profile_gains_what_is_worn_off(void **state) {
    (void)state;
    double worst[3] = {0}, shares[4 * SECTORS], gain[4 * SECTORS];
    for (int level = 0; level < 3; level++) {
        const int S = SECTORS << level;
        const lashi_surface profile = {S, S, gain};
        for (int s = 0; s < S; s++)
            shares[s] = 0;
        for (int i = 0; i < FINE; i++) // of 2 + cos 3φ
            lashi_surface_share(shares, S, (i + 0.5) * S / FINE,
                                (2 + cos(6 * pi * (i + 0.5) / FINE)) * S / FINE);
        lashi_surface_gain(gain, shares, S);
        for (double phi = 0; phi < 7; phi += 0.01)
            worst[level] = fmax(worst[level], fabs(lashi_surface_at(&profile, phi).h - 2 - cos(3 * phi)));
        assert_relative(lashi_surface_deepest(&profile), 3, 1e-4);
    }
    assert_near(worst[0] / worst[1], 16, 0.5);
    assert_near(worst[1] / worst[2], 16, 0.5);
    // A sharp one: it stays positive, and where nothing is worn off nothing is worn.
    double sum[2] = {0, 0};
    for (int s = 0; s < SECTORS; s++)
        shares[s] = s == 3 ? 1 : s > 20 && s < 40 ? 0.1 * (s - 20) : s == 60 ? 1e-3 : 0;
    lashi_surface_gain(gain, shares, SECTORS);
    for (int s = 0; s < SECTORS; s++) {
        assert_true(gain[s] >= 0 && (shares[s] > 0 || gain[s] == 0));
        sum[0] += shares[s];
        sum[1] += gain[s];
    }
    assert_relative(sum[1], sum[0], 1e-14);
    // The deepest place lies between two nodes.
    for (int s = 0; s < SECTORS; s++)
        shares[s] = 1 + cos(2 * pi * (s - 17.3) / SECTORS);
    const lashi_surface surface = {SECTORS, SECTORS, shares};
    assert_near(lashi_surface_deepest(&surface), lashi_surface_at(&surface, 2 * pi * 17.3 / SECTORS).h, 1e-9);
    assert_true(lashi_surface_deepest(&surface) > lashi_surface_at(&surface, 2 * pi * 17 / SECTORS).h + 1e-4);
}

/* A surface is the same wherever it begins, and whatever its places are measured in. */
static void profiles_begin_anywhere(void **state) {
    (void)state;
    enum { COUNT = 8 };
    static const double profile[COUNT] = {1e-6, 3e-6, 2e-6, 7e-6, 5e-6, 4e-6, 6e-6, 2e-6};
    for (int closed = 0; closed < 2; closed++) {
        const double pitch = closed ? 2 * pi / COUNT : 1;
        const lash_worn_shape plain = {.closed = closed, .sectors = COUNT, .count = COUNT, .pitch = pitch};
        lash_worn_shape moved = plain;
        moved.origin = 0.3;
        moved.pitch = closed ? pitch : 0.02;
        double most = 0;
        for (int k = 1; k < 50; k++) {
            const double share = COUNT * k / 50.0,
                         found = lash_worn_depth(&moved, profile, moved.origin + share * moved.pitch);
            assert_near(found, lash_worn_depth(&plain, profile, share * plain.pitch), 1e-17);
            most = fmax(most, found);
        }
        assert_true(most > 4e-6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_are_smooth_and_keep_their_volume),
        cmocka_unit_test(without_wear_it_is_the_pin),
        cmocka_unit_test(without_wear_it_moves_as_the_pin),
        cmocka_unit_test(it_begins_as_it_goes_on),
        cmocka_unit_test(the_unworn_bed_is_integrated),
        cmocka_unit_test(the_top_is_found),
        cmocka_unit_test(the_force_is_the_slope_of_the_energy),
        cmocka_unit_test(shares_lose_nothing),
        cmocka_unit_test(a_profile_gains_what_is_worn_off),
        cmocka_unit_test(profiles_begin_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
