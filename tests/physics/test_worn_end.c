/* SPDX-License-Identifier: MIT
 *
 * Pins in space that wear at each end: without tilt they wear as in the plane, with tilt their ends wear
 * differently, and worn surfaces conserve the energy.
 */
#include <stdlib.h>

#include "play.h"

#include "../laws/near.h"

typedef struct rig {
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
    double *y;
} rig;

static void rig_compile(rig *r, const char *text) {
    lash_error error = {0};
    *r = (rig){0};
    MUST(lash_model_parse(&r->model, text, strlen(text), "pin", NULL, &error));
    MUST(lash_system_compile(&r->system, r->model, &error));
    MUST(lash_sim_create(&r->sim, r->system, &error));
    r->y = calloc(lash_sim_coordinate_count(r->sim), sizeof *r->y);
    lash_sim_coordinates(r->y, r->sim);
}

static void rig_start(rig *r) {
    lash_error error = {0};
    lash_sim_destroy(r->sim);
    MUST(lash_sim_create_at(&r->sim, r->system, r->y, &error));
}

static void rig_close(rig *r) {
    free(r->y);
    lash_sim_destroy(r->sim);
    lash_system_destroy(r->system);
    lash_model_destroy(r->model);
}

/* Without damping, which an impact of two ends has by their own effective masses. */
#define CLEARANCE                                                                                            \
    "clearance: {bearing_radius: 10 mm, radial: 0.05 mm, length: 15 mm, contact: {law: hertz, "              \
    "stiffness: 1e9}, friction: %s, wear: {k: 1e-13, share: [0.7, 0.3], sectors: 120%s}}"
#define DRIVE "drives: {motor: {joint: bearing, speed: 60 rpm}}\nrun: {until: 4 rev of motor, rtol: 1e-10}\n"

static const char *const given[] = {
    "", ", bearing: \"4 um*(1 + cos(angle - 0.4))\", journal: \"3 um*cos(1.5*angle)^2\""};
#define FRICTION "{law: ambrosio, coefficient: 0.1, v0: 1e-4, v1: 1e-3}"
static const double c = 5e-5, K = 1e9, weight = 20 * 9.81;

/* A shaft in the plane, and the same in space: equal profiles, half the volume at each end. A short
 * time: it bounces, and small differences grow. */
static void what_is_plane_wears_as_in_the_plane(void **state) {
    (void)state;
    for (int worn = 0; worn < 2; worn++) {
        enum { S = 120 };
        char text[2048], clearance[1024];
        lash_error error = {0};
        double whole[2 * S], volume[3], ends[2][2 * S];
        rig plane, space;
        snprintf(clearance, sizeof clearance, CLEARANCE, FRICTION, given[worn]);
        snprintf(text, sizeof text,
                 "gravity: [0, -9.81]\nbodies: {shaft: {mass: 20, inertia: 0.02}}\njoints:\n"
                 "  bearing: {type: revolute, between: [ground, shaft], %s}\n" DRIVE,
                 clearance);
        rig_compile(&plane, text);
        plane.y[1] = -c;
        snprintf(text, sizeof text,
                 "space: spatial\ngravity: [0, -9.81, 0]\nbodies: {shaft: {mass: 20, inertia: [0.03, 0.03, "
                 "0.02]}}\njoints:\n"
                 "  bearing: {type: revolute, between: [ground, shaft], axis: [0, 0, 1], %s}\n" DRIVE,
                 clearance);
        rig_compile(&space, text);
        space.y[1] = -c;
        rig_start(&plane);
        rig_start(&space);
        MUST(lash_sim_run_until(plane.sim, 0.06, NULL, NULL, &error));
        MUST(lash_sim_run_until(space.sim, 0.06, NULL, NULL, &error));
        assert_int_equal(lash_system_worn_count(space.system), 2);
        assert_string_equal(lash_system_worn(space.system, 1).shape.joint, "bearing.end2");
        volume[0] = lash_sim_worn(whole, whole + S, plane.sim, 0);
        for (int end = 0; end < 2; end++) {
            volume[1 + end] = lash_sim_worn(ends[end], ends[end] + S, space.sim, (size_t)end);
            assert_relative(volume[1 + end], 0.5 * volume[0], 1e-6);
            double sum[2] = {0, 0};
            for (int i = 0; i < 2 * S; i++) {
                sum[i / S] += ends[end][i];
                assert_near(ends[end][i], 0.5 * whole[i], 1e-6 * volume[0] / S);
            }
            assert_relative(sum[0], 0.7 * volume[1 + end], 1e-12);
            assert_relative(sum[1], 0.3 * volume[1 + end], 1e-12);
        }
        assert_relative(lash_system_worn(space.system, 0).depth[0],
                        2 * lash_system_worn(plane.system, 0).depth[0], 1e-14);
        assert_true(volume[0] > 5e-14);
        rig_close(&plane);
        rig_close(&space);
    }
}

/* A load beside the middle of the pin is carried by its ends as a lever says, and each wears by its own. */
static void a_load_aside_wears_one_end_more(void **state) {
    (void)state;
    rig r;
    lash_error error = {0};
    char text[2048], clearance[1024];
    snprintf(clearance, sizeof clearance, CLEARANCE, "{law: none}", "");
    // 2.5 mm from the middle, of 7.5 mm to either end: two thirds and one third of the weight.
    snprintf(
        text, sizeof text,
        "space: spatial\ngravity: [0, -9.81, 0]\nbodies: {shaft: {mass: 20, inertia: [0.03, 0.03, 0.02], "
        "points: {pin: [0, 0, -2.5 mm]}}}\njoints:\n"
        "  bearing: {type: revolute, between: [ground, shaft.pin], axis: [0, 0, 1], %s}\n" DRIVE,
        clearance);
    rig_compile(&r, text);
    // At rest with both ends as deep as they are pressed, turning about its own axis.
    const double deep[2] = {pow(weight / 3 / (K / 2), 2.0 / 3), pow(weight * 2 / 3 / (K / 2), 2.0 / 3)};
    const double tilt = asin((deep[1] - deep[0]) / 0.015);
    r.y[1] = -c - deep[0] - (deep[1] - deep[0]) * 10 / 15;
    r.y[3] = cos(tilt / 2), r.y[4] = sin(tilt / 2);
    rig_start(&r);
    MUST(lash_sim_run_until(r.sim, 2, NULL, NULL, &error));
    double volume[2];
    for (size_t end = 0; end < 2; end++)
        volume[end] = lash_sim_worn(NULL, NULL, r.sim, end);
    assert_relative(volume[0], 1e-13 * weight / 3 * 0.00995 * 2 * pi * 2, 1e-5);
    assert_relative(volume[1], 1e-13 * weight * 2 / 3 * 0.00995 * 2 * pi * 2, 1e-5);
    rig_close(&r);
}

/* Thrown about, tilting, in a worn sleeve: the energy stays. */
static void a_worn_sleeve_keeps_energy(void **state) {
    (void)state;
    for (int sliding = 0; sliding < 2; sliding++) {
        rig r;
        lash_error error = {0};
        char text[2048];
        snprintf(
            text, sizeof text,
            "space: spatial\ngravity: [0, 0, 0]\nbodies: {ring: {mass: 2, inertia: [1e-3, 2e-3, 1.5e-3]}, "
            "pin: {mass: 1, inertia: [2e-4, 3e-4, 2.5e-4]}}\njoints:\n"
            "  bearing: {type: %s, between: [ring, pin], axis: [0, 0, 1], clearance: {bearing_radius: "
            "10 mm, radial: 0.05 mm, length: 40 mm, contact: {law: hertz, stiffness: 1e9}, wear: {sectors: "
            "180%s}}}\nrun: {until: 0.02, rtol: 1e-10}\n",
            sliding ? "cylindrical" : "revolute", given[1]);
        rig_compile(&r, text);
        double *v = r.y + 14;
        v[0] = 0.1, v[1] = -0.1, v[3] = 2, v[4] = 1, v[5] = 8;
        v[6] = -0.1, v[7] = 0.2, v[9] = -3, v[10] = 2, v[11] = -20;
        rig_start(&r);
        const size_t kinetic = lash_sim_find_channel(r.sim, "energy.kinetic"),
                     elastic = lash_sim_find_channel(r.sim, "energy.elastic");
        const double before = lash_sim_value(r.sim, kinetic) + lash_sim_value(r.sim, elastic);
        MUST(lash_sim_run_until(r.sim, 0.02, NULL, NULL, &error));
        const lash_summary s = lash_sim_summary(r.sim);
        assert_true(s.clearances[0].contacts > 3 && s.clearances[1].contacts > 3);
        assert_relative(lash_sim_value(r.sim, kinetic) + lash_sim_value(r.sim, elastic), before, 1e-7);
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_plane_wears_as_in_the_plane),
        cmocka_unit_test(a_load_aside_wears_one_end_more),
        cmocka_unit_test(a_worn_sleeve_keeps_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
