/* SPDX-License-Identifier: MIT
 *
 * What the velocities alone do to the gap of every kind of contact: two bodies that keep their velocities, so
 * that δ̈ is the kind's `bias`, and the rate of the sliding velocity along a direction its `drift`. Both
 * against differences of the gap itself, along the motion.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "physics/rig.h"
#include "system/system.h"

#define PLANE                                                                                                \
    "bodies:\n  a: {mass: 1, inertia: 1, angle: 0.4, points: {p: [0.03, -0.02]}}\n"                          \
    "  b: {mass: 1, inertia: 1, angle: 0.4, position: [0.01, 0.02], points: {p: [-0.01, 0.04]}}\njoints: "
#define SPACE                                                                                                \
    "space: spatial\nbodies:\n"                                                                              \
    "  a: {mass: 1, inertia: [1, 1.1, 1.3], points: {p: [0.03, -0.02, 0.01]}}\n"                             \
    "  b: {mass: 1, inertia: [1, 1.2, 0.9], points: {p: [-0.01, 0.04, 0.02]}}\njoints: "
#define RIGID "model: three-mode, restitution: 0.5"
#define SOFT  "contact: {law: hertz, stiffness: 1e9}"

static const char *const texts[] = {
    PLANE "{j: {type: revolute, between: [a.p, b.p], clearance: {bearing_radius: 20 mm, radial: 2 mm, " RIGID
          "}}}\nrun: {until: 1}\n",
    PLANE
    "{j: {type: translational, between: [a.p, b.p], axis: [1, 0], clearance: {length: 60 mm, height: 30 "
    "mm, play: 1 mm, " RIGID "}}}\nrun: {until: 1}\n",
    SPACE "{j: {type: spherical, between: [a.p, b.p], clearance: {bearing_radius: 20 mm, radial: 2 mm, " RIGID
          "}}}\nrun: {until: 1}\n",
    SPACE "{j: {type: revolute, between: [a.p, b.p], axis: [1, 0, 0], clearance: {bearing_radius: 20 mm, "
          "radial: 2 mm, length: 50 mm, axial: 1 mm, " SOFT "}}}\nrun: {until: 1}\n",
    SPACE "{j: {type: prismatic, between: [a.p, b.p], axis: [1, 0, 0], clearance: {length: 60 mm, height: "
          "30 mm, width: 40 mm, play: 1 mm, side_play: 1 mm, " SOFT "}}}\nrun: {until: 1}\n",
};

enum { MOST_BODIES = 3, MOST_NUMBERS = 60 };

/* The gap of contact k, the bodies having moved on for the time h with the velocities v. */
static lashi_gap gap_after(lashi_frame *frames, const lash_system *system, int k, const double *full,
                           const double (*v)[LASHI_FREEDOMS], double h) {
    double moved[MOST_NUMBERS];
    memcpy(moved, full, (size_t)(system->n_full + system->full_v) * sizeof *moved);
    lashi_shift(moved, system, v, h);
    lashi_frames_fill(frames, system, moved);
    return lashi_gap_of(&system->contacts[k], frames);
}

/* Derivatives by differences of sixth order. */
static double first(const double f[7], double h) {
    return (45 * (f[4] - f[2]) - 9 * (f[5] - f[1]) + (f[6] - f[0])) / (60 * h);
}

static void every_kind(void **state) {
    (void)state;
    unsigned long long seed = 1;
    size_t compared = 0, kinds[2] = {0, 0};
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
        rig r = rig_open("%s", texts[n]);
        const lash_system *system = r.system;
        for (int round = 0; round < 4; round++) {
            double full[MOST_NUMBERS], v[MOST_BODIES][LASHI_FREEDOMS] = {{0}};
            lashi_frame frames[MOST_BODIES];
            assert_true(system->bodies == MOST_BODIES && system->n_full + system->full_v < MOST_NUMBERS);
            memcpy(full, system->full0, (size_t)(system->n_full + system->full_v) * sizeof *full);
            // Somewhere beside the start, and any velocities; both bodies move.
            for (int b = 1; b < MOST_BODIES; b++)
                for (int i = 0; i < system->width; i++)
                    v[b][i] = rig_random(&seed, -1, 1) * (i < system->turning ? 1e-3 : 2e-2);
            lashi_shift(full, system, (const double(*)[LASHI_FREEDOMS])v, 1);
            for (int b = 1; b < MOST_BODIES; b++)
                for (int i = 0; i < system->width; i++) {
                    v[b][i] = rig_random(&seed, -1, 1) * (i < system->turning ? 0.1 : 2);
                    full[system->n_full + (b - 1) * system->width + i] = v[b][i];
                }
            for (int k = 0; k < system->contact_count; k++) {
                const lashi_contact_kind *kind = lashi_kind_of(&system->contacts[k]);
                const double h = 2e-5;
                double rate[7], slip[3][7];
                const lashi_gap now =
                    gap_after(frames, system, k, full, (const double(*)[LASHI_FREEDOMS])v, 0);
                const double bias = kind->bias ? kind->bias(&system->contacts[k], frames, &now) : (double)NAN;
                lashi_vec3 t = lashi_cross3(now.n, (lashi_vec3){0.3, -0.5, 0.8});
                if (!system->spatial)
                    t = now.t;
                t = lashi_scale3(1 / lashi_length3(t), t);
                const double drift =
                    kind->drift ? kind->drift(&system->contacts[k], frames, &now, t) : (double)NAN;
                for (int i = 0; i < 7; i++) {
                    const lashi_gap gap =
                        gap_after(frames, system, k, full, (const double(*)[LASHI_FREEDOMS])v, (i - 3) * h);
                    rate[i] = gap.deltadot;
                    slip[0][i] = gap.slip.x;
                    slip[1][i] = gap.slip.y;
                    slip[2][i] = gap.slip.z;
                }
                const double slides =
                    t.x * first(slip[0], h) + t.y * first(slip[1], h) + t.z * first(slip[2], h);
                if (kind->bias) {
                    rig_near(bias, first(rate, h), 1e-6 * (1 + fabs(bias)), "%s of model %zu: bias",
                             kind->name, n);
                    kinds[0]++;
                }
                if (kind->drift) {
                    rig_near(drift, slides, 1e-6 * (1 + fabs(drift)), "%s of model %zu: drift", kind->name,
                             n);
                    kinds[1]++;
                }
                compared += fabs(bias) > 1e-3;
            }
        }
        rig_close(&r);
    }
    print_message("%zu biases, %zu of them not small, %zu drifts\n", kinds[0], compared, kinds[1]);
    assert_true(compared > 40 && kinds[1] > 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
