/* SPDX-License-Identifier: MIT
 *
 * Teeth with backlash (docs/contacts.md, teeth): the piecewise linear motion of a pair against its exact
 * solution, torque reversal, the limit of the ideal gear, loads on the bearings, the distance of the centres,
 * stiffness and error that go with the mesh, momentum and energy. Wheels outside and inside of each other,
 * a rack, and gears in space.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"

static const double alpha = 20 * RIG_PI / 180;

/* ---- a pair between its flanks ---- */

/* x'' = A between the flanks at ±half, A − (k/m) (|x| − half) sign x in them; side: 0 free, ±1 in a flank. */
typedef struct pair {
    double m, k, half, A;
    double t, x, v;
    int side;
} pair;

/* To the next touch or release. */
static void next_change(pair *p) {
    if (p->side) {
        const double w = sqrt(p->k / p->m), e = p->side * p->A / (w * w), u = p->side * p->v;
        p->t += 2 * atan2(u / w, -e) / w;
        p->v = -p->v;
        p->side = 0;
        return;
    }
    double first = INFINITY;
    int meets = 0;
    for (int s = -1; s <= 1; s += 2) { // s x = half with s v > 0
        const double d = p->half - s * p->x, v = s * p->v, a = s * p->A, root = v * v + 2 * a * d;
        // d = 0: just left, back after 2 v/a
        const double t = d == 0     ? (a > 0 ? -2 * v / a : INFINITY)
                         : root < 0 ? INFINITY
                                    : 2 * d / (v + sqrt(root));
        if (t > 0 && t < first) {
            first = t;
            meets = s;
        }
    }
    p->t += first;
    p->v += p->A * first;
    p->x = meets * p->half;
    p->side = meets;
}

/* The pair follows its exact solution over so many changes of the flank. */
static void follow(const char *name, const char *model, pair p, int changes) {
    static const char *const channels[] = {"g.error", NULL};
    pair end = p;
    int last = 0;
    for (int changed = -1; changed < changes;) {
        next_change(&end);
        changed += end.side && end.side != last;
        last = end.side ? end.side : last;
    }
    rig r = rig_open("%s\nrun: {until: %.17g s, rtol: 1e-13}\n", model, end.t + 1e-6);
    rig_rows rows = rig_sample(&r, 10, channels, false);
    for (size_t n[2] = {0, 0}; p.t < end.t;) {
        next_change(&p);
        const int kind = p.side ? 0 : 1;
        const lash_event *event = rig_event(&rows, kind ? LASH_EVENT_RELEASE : LASH_EVENT_ONSET, n[kind]);
        if (!event)
            fail_msg("%s: %zu contacts only", name, n[kind]);
        if (!kind)
            assert_string_equal(event->joint, p.side > 0 ? "g.flank1" : "g.flank2");
        rig_near(event->time, p.t, 1e-8, "%s: change %zu", name, n[0] + n[1]);
        rig_near(event->speed, fabs(p.v), 1e-8, "%s: speed at change %zu", name, n[0] + n[1]);
        n[kind]++;
    }
    rig_ledger(&r, 1e-9);
    rig_rows_close(&rows);
    rig_close(&r);
}

static void piecewise_linear(void **state) {
    (void)state;
    const double J1 = 0.002, J2 = 0.005, c = cos(alpha), w = 5, T = 0.01;
    // Outside each other: x = cos α (r1 θ1 + r2 θ2).
    follow(
        "external",
        "bodies: {a: {mass: 1, inertia: 0.002, angular_velocity: 5}, b: {mass: 1, inertia: 0.005, position: "
        "[0.09, 0]}}\nground: {points: {b: [0.09, 0]}}\njoints: {pa: {type: revolute, between: [ground, a]}, "
        "pb: {type: revolute, between: [ground.b, b]}, g: {type: gear, between: [a, b], ratio: 0.5, "
        "backlash: {normal: 1e-4 m, pressure_angle: 20 deg, stiffness: 1e6 N/m}}}\nforces: {f: {type: "
        "torque, "
        "body: a, torque: 0.01 N m}}",
        (pair){.m = 1 / (c * c * (0.03 * 0.03 / J1 + 0.06 * 0.06 / J2)),
               .k = 1e6,
               .half = 5e-5,
               .A = c * 0.03 * T / J1,
               .v = c * 0.03 * w},
        100);
    // One inside the other: the arcs have opposite signs.
    follow(
        "internal",
        "bodies: {a: {mass: 1, inertia: 0.002, angular_velocity: 5}, b: {mass: 1, inertia: 0.005, position: "
        "[0, 0.05]}}\nground: {points: {b: [0, 0.05]}}\njoints: {pa: {type: revolute, between: [ground, a]}, "
        "pb: {type: revolute, between: [ground.b, b]}, g: {type: gear, between: [a, b], ratio: -0.5, "
        "backlash: {circumferential: 1e-4 m, pressure_angle: 20 deg, stiffness: 1e6 N/m}}}\nforces: {f: "
        "{type: torque, body: b, torque: 0.01 N m}}",
        (pair){.m = 1 / (c * c * (0.05 * 0.05 / J1 + 0.1 * 0.1 / J2)),
               .k = 1e6,
               .half = 5e-5 * c,
               .A = -c * 0.1 * T / J2,
               .v = c * 0.05 * w},
        100);
    // A rack of 0.8 kg under a pinion: x = cos α (r θ − s).
    follow(
        "rack",
        "bodies: {a: {mass: 0.8, inertia: 1, velocity: [-0.2, 0]}, b: {mass: 1, inertia: 0.005, position: "
        "[0.02, 0.06]}}\nground: {points: {b: [0.02, 0.06]}}\njoints: {pa: {type: translational, axis: [1, "
        "0], between: [ground, a]}, pb: {type: revolute, between: [ground.b, b]}, g: {type: rack-and-pinion, "
        "between: [a, b], axis: [1, 0], radius: 0.06 m, backlash: {normal: 1e-4 m, pressure_angle: 20 deg, "
        "stiffness: 1e6 N/m}}}\nforces: {f: {type: torque, body: b, torque: 0.01 N m}}",
        (pair){.m = 1 / (c * c * (1 / 0.8 + 0.06 * 0.06 / J2)),
               .k = 1e6,
               .half = 5e-5,
               .A = c * 0.06 * T / J2,
               .v = c * 0.2},
        100);
    // In space: by the angle of the second wheel, or with its pitch radius.
#define IN_SPACE                                                                                             \
    "space: spatial\nbodies: {a: {mass: 1, inertia: [1, 1, 0.002], angular_velocity: [0, 0, 5]}, b: {mass: " \
    "1, "                                                                                                    \
    "inertia: [0.005, 1, 1], position: [1, 0, 0]}}\nground: {points: {b: [1, 0, 0]}}\njoints: {pa: {type: "  \
    "revolute, axis: [0, 0, 1], between: [ground, a]}, pb: {type: revolute, axis: [1, 0, 0], between: "      \
    "[ground.b, b]}, g: {type: gear, joints: [pa, pb], ratio: 0.5, backlash: {"
    follow("angle in space",
           IN_SPACE
           "angle: 2e-3 rad, stiffness: 3e3 N m/rad}}}\nforces: {f: {type: torque, body: a, torque: [0, "
           "0, 0.01]}}",
           (pair){.m = 1 / (0.25 / J1 + 1 / J2), .k = 3e3, .half = 1e-3, .A = 0.5 * T / J1, .v = 0.5 * w},
           100);
    follow("radius in space",
           IN_SPACE "circumferential: 1e-4 m, radius: 0.06 m, pressure_angle: 20 deg, stiffness: 1e6 "
                    "N/m}}}\nforces: {f: {type: torque, body: a, torque: [0, 0, 0.01]}}",
           (pair){.m = 1 / (c * c * 0.0036 * (0.25 / J1 + 1 / J2)),
                  .k = 1e6,
                  .half = 5e-5 * c,
                  .A = c * 0.06 * 0.5 * T / J1,
                  .v = c * 0.06 * 0.5 * w},
           100);
}

#define RUN "\nrun: {until: 0.15 s, rtol: %g, method: %s}\n"
#define DAMPED_PLANE                                                                                         \
    "bodies: {a: {mass: 1, inertia: 0.002, angular_velocity: %.17g}, b: {mass: 1, inertia: 0.005, "          \
    "position: [0.09, 0]}}\nground: {points: {b: [0.09, 0]}}\njoints: {pa: {type: revolute, between: "       \
    "[ground, a]}, pb: {type: revolute, between: [ground.b, b]}, g: {type: gear, between: [a, b], ratio: "   \
    "0.5, backlash: {normal: 1e-4 m, pressure_angle: 20 deg, stiffness: 1e6 N/m, damping: 3000 N s/m}}}\n"   \
    "forces: {f: {type: torque, body: a, torque: 0.05*sin(300*t)}}" RUN
#define DAMPED_SPACE                                                                                         \
    "space: spatial\nbodies: {a: {mass: 1, inertia: [1, 1, 0.002], angular_velocity: [0, 0, %.17g]}, b: "    \
    "{mass: 1, inertia: [0.005, 1, 1], position: [1, 0, 0]}}\nground: {points: {b: [1, 0, 0]}}\njoints: "    \
    "{pa: {type: revolute, axis: [0, 0, 1], between: [ground, a]}, pb: {type: revolute, axis: [1, 0, 0], "   \
    "between: [ground.b, b]}, g: {type: gear, joints: [pa, pb], ratio: 0.5, backlash: {angle: 2e-3 rad, "    \
    "stiffness: 3e3 N m/rad, damping: 9 N m s/rad}}}\nforces: {f: {type: torque, body: a, torque: [0, 0, "   \
    "0.05*sin(300*t)]}}" RUN

/* With a damper the force jumps to c v where teeth touch, and where c² > k m it is largest there. Every method gets
 * into each contact, wherever rounding has put its first instant. */
static void dampers_set_in(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams", "gear"}, *const channels[] = {"g.force", NULL};
    static const double speeds[] = {1.7, 5, 33}, tolerances[] = {1e-6, 1e-8, 1e-9};
    for (int k = 0; k < 2 * 3 * 3 * 3; k++) {
        const bool space = k % 2;
        const char *method = methods[k / 2 % 3];
        const double w = speeds[k / 6 % 3], rtol = tolerances[k / 18], c = space ? 9 : 3000;
        rig r = space ? rig_open(DAMPED_SPACE, w, rtol, method) : rig_open(DAMPED_PLANE, w, rtol, method);
        rig_rows rows = rig_sample(&r, 10, channels, false);
        for (size_t n = 0; n < 2; n++) {
            const lash_event *onset = rig_event(&rows, LASH_EVENT_ONSET, n),
                             *release = rig_event(&rows, LASH_EVENT_RELEASE, n);
            if (!release)
                fail_msg("%s, rtol %g: contact %zu does not end", method, rtol, n);
            rig_near(release->peak_force, c * onset->speed, 1e-9 * c * onset->speed,
                     "%s, rtol %g: force of contact %zu", method, rtol, n);
        }
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* What teeth lose is a sum beside the motion, which no error test sees: all methods agree on it up to the end of each
 * contact, where the force is cut off and the loss ends within a step. */
static void losses_end_with_the_contact(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams", "gear"}, *const channels[] = {"g.force", NULL};
    enum { CONTACTS = 4 };
    for (int space = 0; space < 2; space++) {
        double lost[CONTACTS];
        for (size_t k = 0; k < 3; k++) {
            rig r = space ? rig_open(DAMPED_SPACE, 5.0, 1e-8, methods[k])
                          : rig_open(DAMPED_PLANE, 5.0, 1e-8, methods[k]);
            rig_rows rows = rig_sample(&r, 10, channels, false);
            for (size_t n = 0; n < CONTACTS; n++) {
                const lash_event *release = rig_event(&rows, LASH_EVENT_RELEASE, n);
                if (!release)
                    fail_msg("%s: contact %zu does not end", methods[k], n);
                lost[n] = k ? lost[n] : release->energy_lost;
                rig_near(release->energy_lost, lost[n], 1e-7 * lost[n], "%s: loss of contact %zu", methods[k],
                         n);
            }
            rig_ledger(&r, 1e-8);
            rig_rows_close(&rows);
            rig_close(&r);
        }
    }
}

/* ---- loads ---- */

/* Wheel a held, the torque on b turns round slowly: the gap is crossed once. */
static void reversal_crosses_once(void **state) {
    (void)state;
    static const char *const channels[] = {"g.flank", "g.force", "g.error", NULL};
    rig r =
        rig_open("bodies: {a: {mass: 1, inertia: 0.002}, b: {mass: 1, inertia: 0.005, position: [0.09, 0]}}\n"
                 "ground: {points: {b: [0.09, 0]}}\njoints: {pa: {type: revolute, between: [ground, a]}, pb: "
                 "{type: revolute, between: [ground.b, b]}, g: {type: gear, between: [a, b], ratio: 0.5, "
                 "backlash: {normal: 1e-4 m, pressure_angle: 20 deg, stiffness: 1e6 N/m, damping: 200 N "
                 "s/m}}}\ndrives: {d: {joint: pa, motion: 0 rad}}\nforces: {f: {type: torque, body: b, "
                 "torque: 2*cos(pi*t)}}\nrun: {until: 1 s, rtol: 1e-10}\n");
    rig_rows rows = rig_sample(&r, 1000, channels, false);
    size_t count;
    int changes = 0, side = 0;
    const lash_event *events = lash_record_events(&count, rows.record);
    for (size_t k = 0; k < count; k++) {
        const int now = strcmp(events[k].joint, "g.flank1") == 0 ? 1 : -1;
        changes += side != 0 && now != side;
        side = now;
    }
    assert_int_equal(changes, 1);
    // Away from the crossing the load is carried as at rest, to what inertia and damping take.
    for (size_t row = 250; row <= 1000; row++)
        if (fabs(rig_at(&rows, row, 0) - 0.5) > 0.25) {
            const double t = rig_at(&rows, row, 0), F = 2 * cos(RIG_PI * t) / (0.06 * cos(alpha)),
                         rate = -2 * RIG_PI * sin(RIG_PI * t) / (0.06 * cos(alpha));
            rig_near(rig_at(&rows, row, 2), F, 1e-3, "force at %g s", t);
            rig_near(rig_at(&rows, row, 1), F > 0 ? 1 : -1, 0, "flank at %g s", t);
            rig_near(rig_at(&rows, row, 3), copysign(5e-5, F) + (F - 200 * rate / 1e6) / 1e6, 1e-9,
                     "transmission error at %g s", t);
        }
    rig_ledger(&r, 1e-9);
    rig_rows_close(&rows);
    rig_close(&r);
}

/* b at rest under a torque, its centre moved by `out` along the line of centres. The pins carry the tooth
 * force: F cos α across the line of centres, F sin α apart from each other whichever flank it is (towards
 * each other where one wheel is inside), F = T/(r2 cos α) where the centres are at their distance. */
static void pins_carry_the_tooth_force(void **state) {
    (void)state;
    static const double ratios[2] = {0.5, -0.5}, outs[2] = {0, 1e-4};
    for (int n = 0; n < 8; n++) {
        const double ratio = ratios[n & 1], sign = n & 2 ? -1 : 1, out = outs[n >> 2], D = 0.09,
                     r2 = D / (1 + ratio), T = 0.7 * sign;
        rig r = rig_open(
            "ground: {points: {s: [0, 0]}}\n"
            "bodies: {a: {mass: 1, inertia: 0.002}, s: {mass: 1, inertia: 0.1, position: [0.09, 0]}, b: "
            "{mass: 1, "
            "inertia: 0.005, position: [0.09, 0]}}\njoints: {pa: {type: revolute, between: [ground, a]}, "
            "slide: "
            "{type: translational, axis: [1, 0], between: [ground, s]}, pb: {type: revolute, between: [s, "
            "b]}, g: "
            "{type: gear, between: [a, b], ratio: %g, backlash: {normal: 1e-4 m, pressure_angle: 20 deg, "
            "stiffness: 1e6 N/m, damping: 300 N s/m}}}\ndrives: {d: {joint: pa, motion: 0 rad}, e: {joint: "
            "slide, "
            "motion: '0.09 + %g*(1 - cos(pi*min(t, 0.1)/0.1))/2'}}\nforces: {f: {type: torque, body: b, "
            "torque: "
            "%g N m}}\nrun: {until: 1 s, rtol: 1e-12}\n",
            ratio, out, T);
        rig_step_to(&r, 1);
        const double F = 0.7 / (fabs(r2) * cos(alpha)), apart = ratio > 0 ? 1 : -1,
                     found = fabs(rig_value(&r, "g.force")), across = F * cos(alpha) * D / (D + out);
        rig_near(found, F, 1e-8, "case %d: tooth force", n);
        // Reactions on wheel b balance the tooth force on it; a gets the opposite one.
        const double radial = apart * F * sin(alpha), tangential = -sign * across;
        rig_near(rig_value(&r, "pb.fx"), -radial, 1e-8, "case %d: load along the centres", n);
        rig_near(rig_value(&r, "pb.fy"), tangential, 1e-8, "case %d: load across them", n);
        rig_near(rig_value(&r, "pa.fx"), radial, 1e-8, "case %d: load of a along the centres", n);
        rig_near(rig_value(&r, "pa.fy"), -rig_value(&r, "pb.fy"), 1e-8, "case %d: load of a across", n);
        // The angle that b has gone: half the backlash, the opening of the mesh, the deflection.
        const double x = 5e-5 + apart * out * sin(alpha) + F / 1e6;
        rig_near(fabs(rig_value(&r, "b.angle")), x / (fabs(r2) * cos(alpha)), 1e-10, "case %d: angle", n);
        rig_close(&r);
    }
}

/* The distance of the centres opens both flanks alike, or closes them in a ring; a rack by its height. */
static void distance_opens_the_mesh(void **state) {
    (void)state;
    static const char *const gears[3] = {
        "{type: gear, between: [a, b], ratio: 0.5, ", "{type: gear, between: [a, b], ratio: -0.5, ",
        "{type: rack-and-pinion, between: [a, b], axis: [0, 1], radius: -0.09 m, "};
    for (int n = 0; n < 3; n++) {
        rig r = rig_open(
            "bodies: {a: {mass: 1, inertia: 0.002}, s: {mass: 1, inertia: 0.1, position: [0.09, 0]}, b: "
            "{mass: 1, "
            "inertia: 0.005, position: [0.09, 0]}}\njoints: {pa: {type: revolute, between: [ground, a]}, "
            "slide: "
            "{type: translational, axis: [1, 0], between: [ground, s]}, pb: {type: revolute, between: [s, "
            "b]}, g: "
            "%sbacklash: {normal: 1e-4 m, pressure_angle: 20 deg, stiffness: 1e6 N/m}}}\ndrives: {d: {joint: "
            "pa, "
            "motion: 0 rad}, e: {joint: slide, speed: 1e-4 m/s, start: 0.09 m}, h: {joint: pb, motion: 0 "
            "rad}}\nrun: {until: 1 s}\n",
            gears[n]);
        rig_step_to(&r, 1);
        const double opening = (n == 1 ? -1 : 1) * 1e-4 * sin(alpha);
        rig_near(rig_value(&r, "g.flank1.delta"), -5e-5 - opening, 1e-14, "gear %d: flank 1", n);
        rig_near(rig_value(&r, "g.flank2.delta"), -5e-5 - opening, 1e-14, "gear %d: flank 2", n);
        rig_close(&r);
    }
}

/* ---- the ideal gear ---- */

/* Without play the deflection is what is left, and it falls as 1/k; the bearings carry what those of an ideal
 * gear with the same pressure angle do. */
static void stiff_teeth_are_the_ideal_gear(void **state) {
    (void)state;
#define GEARS                                                                                                \
    "bodies: {a: {mass: 1, inertia: 0.002}, b: {mass: 1, inertia: 0.005, position: [0.09, 0]}}\nground: "    \
    "{points: {b: [0.09, 0]}}\njoints: {pa: {type: revolute, between: [ground, a]}, pb: {type: revolute, "   \
    "between: [ground.b, b]}, g: {type: gear, between: [a, b], ratio: 0.5, pressure_angle: 20 "              \
    "deg%s}}\nforces: {f: {type: torque, "                                                                   \
    "body: a, torque: 1 - cos(2*pi*t)}}\nrun: {until: 0.7 s, rtol: 1e-9}\n"
    rig ideal = rig_open(GEARS, "");
    rig_step_to(&ideal, 0.7);
    const double angle = rig_value(&ideal, "b.angle"),
                 load[2] = {rig_value(&ideal, "pb.fx"), rig_value(&ideal, "pb.fy")};
    rig_near(fabs(load[0]), tan(alpha) * fabs(load[1]), 1e-9, "load of the ideal gear");
    double before = NAN;
    for (int k = 0; k < 3; k++) {
        char backlash[150];
        snprintf(backlash, sizeof backlash, ", backlash: {normal: 0 m, stiffness: %g N/m, damping: %g N s/m}",
                 1e4 * pow(10, k), 10 * pow(10, 0.5 * k));
        rig r = rig_open(GEARS, backlash);
        rig_step_to(&r, 0.7);
        const double error = fabs(rig_value(&r, "b.angle") - angle);
        if (k)
            rig_near(before / error, 10, 0.5, "stiffness %g: error %g after %g", 1e4 * pow(10, k), error,
                     before);
        before = error;
        rig_near(rig_value(&r, "pb.fx"), load[0], 1e-3 * fabs(load[0]), "load along the centres");
        rig_near(rig_value(&r, "pb.fy"), load[1], 1e-3 * fabs(load[1]), "load across them");
        rig_close(&r);
    }
    assert_true(before < 1e-3);
    rig_close(&ideal);
#undef GEARS
}

/* Ideal teeth with a pressure angle need their wheels held: where bearings with play let them part, the work
 * of the force between them is missing in the ledger, and the reader is told. */
static void ideal_teeth_need_their_centres(void **state) {
    (void)state;
#define LOOSE                                                                                                \
    ", clearance: {bearing_radius: 10 mm, radial: 0.5 mm, contact: {stiffness: 1e9, restitution: 0.9}}"
#define WHEEL(play, teeth)                                                                                   \
    "bodies: {a: {mass: 1, inertia: 0.002}, b: {mass: 1, inertia: 0.005, position: [0.09, 0]}}\nground: "    \
    "{points: {b: [0.09, 0]}}\njoints: {pa: {type: revolute, between: [ground, a]}, pb: {type: revolute, "   \
    "between: [ground.b, b]" play "}, g: {type: gear, between: [a, b], ratio: 0.5" teeth "}}\nforces: {f: "  \
    "{type: torque, body: a, torque: 1 - cos(20*t)}}\nrun: {until: 0.3 s, rtol: 1e-9}\n"
#define RACK(play)                                                                                           \
    "bodies: {a: {mass: 1, inertia: 0.002, position: [0, 0.06]}, b: {mass: 1, inertia: 0.005}}\nground: "    \
    "{points: {a: [0, 0.06]}}\njoints: {pa: {type: revolute, between: [ground.a, a]" play "}, way: {type: "  \
    "translational, between: [ground, b], axis: [1, 0]}, g: {type: rack-and-pinion, between: [b, a], axis: " \
    "[1, 0], radius: 0.06, pressure_angle: 20 deg}}\nrun: {until: 0.1 s}\n"
#define CARRIER                                                                                              \
    "bodies: {a: {mass: 1, inertia: 0.002, position: [0.09, 0]}, b: {mass: 1, inertia: 0.005, position: "    \
    "[0.045, 0], points: {a: [0.045, 0], o: [-0.045, 0]}}}\njoints: {o: {type: revolute, between: [ground, " \
    "b.o]}, pa: {type: revolute, between: [b.a, a]}, g: {type: gear, between: [ground, a], ratio: 0.5, "     \
    "pressure_angle: 20 deg}}\nrun: {until: 0.1 s}\n"
    static const struct {
        const char *text;
        bool parts;
    } cases[] = {{WHEEL("", ", pressure_angle: 20 deg"), false},
                 {WHEEL(LOOSE, ""), false},
                 {WHEEL(LOOSE, ", pressure_angle: 20 deg, backlash: {normal: 0, stiffness: 1e7}"), false},
                 {WHEEL(LOOSE, ", pressure_angle: 20 deg"), true},
                 {RACK(""), false},
                 {RACK(LOOSE), true},
                 {CARRIER, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rig r = rig_open("%s", cases[k].text);
        char *warnings = lash_system_warnings(r.system);
        assert_non_null(warnings);
        if (!!strstr(warnings, "joint 'g': its pressure angle pushes apart wheels") != cases[k].parts)
            fail_msg("case %zu: %s", k, warnings);
        free(warnings);
        rig_close(&r);
    }
#undef LOOSE
#undef WHEEL
#undef RACK
#undef CARRIER
}

/* ---- excitation ---- */

/* a turned evenly, no play: x'' = A − ω² (x − E sin νt), a linear oscillator with a closed form, on whichever
 * side the other wheel stands. */
static void transmission_error(void **state) {
    (void)state;
    const double J2 = 0.005, c = cos(alpha), W = 3, E = 2e-5, k = 1e5, teeth = 13, nu = teeth * W,
                 w2 = k * c * c * 0.06 * 0.06 / J2, w = sqrt(w2), A = c * 0.06 * 0.5 / J2,
                 forced = E * w2 / (w2 - nu * nu);
    static const double sides[3][2] = {{0.09, 0}, {0, 0.09}, {-0.09, 0}};
    for (int side = 0; side < 3; side++) {
        const double X = sides[side][0], Y = sides[side][1];
        rig r = rig_open(
            "bodies: {a: {mass: 1, inertia: 0.002}, b: {mass: 1, inertia: 0.005, position: [%g, %g]}}\n"
            "ground: {points: {b: [%g, %g]}}\njoints: {pa: {type: revolute, between: [ground, a]}, pb: "
            "{type: revolute, between: [ground.b, b]}, g: {type: gear, between: [a, b], ratio: 0.5, "
            "backlash: {normal: 0 m, pressure_angle: 20 deg, stiffness: 1e5 N/m, error: "
            "2e-5*sin(13*angle)}}}\ndrives: {d: {joint: pa, speed: 3 rad/s, start: 0 rad}}\nforces: {f: "
            "{type: torque, body: b, torque: 0.5 N m}}\nrun: {until: 1 s, rtol: 1e-12}\n",
            X, Y, X, Y);
        for (int n = 1; n <= 20; n++) {
            const double t = 0.05 * n;
            rig_step_to(&r, t);
            const double x = A / w2 * (1 - cos(w * t)) - forced * nu / w * sin(w * t) + forced * sin(nu * t);
            rig_near(rig_value(&r, "b.angle"), (x / c - 0.03 * W * t) / 0.06, 1e-9, "side %d: angle at %g s",
                     side, t);
            rig_near(rig_value(&r, "g.force"), k * (x - E * sin(nu * t)), 1e-6, "side %d: force at %g s",
                     side, t);
        }
        rig_ledger(&r, 1e-9);
        rig_close(&r);
    }
}

/* A stiffness that rises and falls linearly over each pitch: Runge–Kutta with steps that end at its kinks. */
static void mesh_stiffness(void **state) {
    (void)state;
    enum { STEPS = 20000, HALVES = 23 };
    const double J2 = 0.005, c = cos(alpha), W = 3, k = 1e5, teeth = 12, half = RIG_PI / (teeth * W),
                 w2 = k * c * c * 0.06 * 0.06 / J2, A = c * 0.06 * 0.5 / J2;
    double x = 0, v = 0;
    for (int n = 0; n < HALVES * STEPS; n++) {
        const double h = half / STEPS, s = (double)(n % STEPS) / STEPS;
        double kx[4], kv[4];
        for (int stage = 0; stage < 4; stage++) {
            const double share = stage == 0   ? 0
                                 : stage == 3 ? 1
                                              : 0.5,
                         at = s + share / STEPS, factor = 1 + 0.6 * (n / STEPS % 2 ? 1 - at : at),
                         X = x + (stage ? share * h * kx[stage - 1] : 0);
            kx[stage] = v + (stage ? share * h * kv[stage - 1] : 0);
            kv[stage] = A - w2 * factor * X;
        }
        x += h / 6 * (kx[0] + 2 * kx[1] + 2 * kx[2] + kx[3]);
        v += h / 6 * (kv[0] + 2 * kv[1] + 2 * kv[2] + kv[3]);
    }
    rig r = rig_open(
        "bodies: {a: {mass: 1, inertia: 0.002}, b: {mass: 1, inertia: 0.005, position: [0.09, 0]}}\n"
        "ground: {points: {b: [0.09, 0]}}\njoints: {pa: {type: revolute, between: [ground, a]}, pb: "
        "{type: revolute, between: [ground.b, b]}, g: {type: gear, between: [a, b], ratio: 0.5, "
        "backlash: {normal: 0 m, pressure_angle: 20 deg, stiffness: 1e5 N/m, teeth: 12, mesh: "
        "{points: [[0, 1], [0.5, 1.6], [1, 1]], interpolation: linear}}}}\ndrives: {d: {joint: pa, "
        "speed: 3 rad/s, start: 0 rad}}\nforces: {f: {type: torque, body: b, torque: 0.5 N m}}\nrun: "
        "{until: %.17g s, rtol: 1e-12}\n",
        HALVES * half);
    rig_step_to(&r, HALVES * half);
    rig_near(rig_value(&r, "b.angle"), (x / c - 0.03 * W * HALVES * half) / 0.06, 1e-10, "angle");
    rig_near(rig_value(&r, "b.wz"), (v / c - 0.03 * W) / 0.06, 1e-8, "speed");
    rig_ledger(&r, 1e-11);
    rig_close(&r);
}

/* Everything at once, with play and damping, on free wheels that turn both ways: the ledger has an entry for
 * it all, also where stiffness and error have corners. */
static void ledger_of_an_excited_mesh(void **state) {
    (void)state;
    static const char *const kinds[3] = {"spline", "linear", "monotone"};
    static const struct {
        const char *law, *error;
    } cases[] = {{"restitution: 0.8", "1e-5*sin(angle) + 3e-6*cos(20*angle)"},
                 {"restitution: 0.6, law: exact", "1e-5*sin(angle) + 3e-6*cos(20*angle)"},
                 {"damping: 50 N s/m", "1e-5*sin(angle) + 3e-6*cos(20*angle)"},
                 {"damping: 50 N s/m", "1e-5*abs(sin(5*angle))"},
                 {"damping: 50 N s/m", "1e-5*min(cos(angle), 3*mod(angle, 1)*(1 - mod(angle, 1)))"},
                 {"restitution: 0.8", "1e-5*abs(sin(5*angle))"},
                 {"restitution: 0.4, law: exact", "1e-5*abs(sin(5*angle))"},
                 {"restitution: 0.4, law: exact, approach: energy", "1e-5*abs(sin(5*angle))"}};
    enum { CASES = sizeof cases / sizeof *cases };
    for (int n = 0; n < 3 * CASES; n++) {
        const int way = n % 2 ? -1 : 1;
        rig r = rig_open(
            "bodies: {a: {mass: 1, inertia: 0.002, angular_velocity: %d}, b: {mass: 1, inertia: "
            "0.005, position: [0.09, 0], angular_velocity: %d}}\nground: {points: {b: [0.09, "
            "0]}}\njoints: {pa: {type: revolute, between: [ground, a]}, pb: {type: revolute, between: "
            "[ground.b, b]}, g: {type: gear, between: [a, b], ratio: 0.5, backlash: {circumferential: "
            "1e-4 m, pressure_angle: 20 deg, stiffness: 1e7 N/m, %s, teeth: 20, mesh: {points: [[0, 1], "
            "[0.3, 1.5], [0.6, 0.8], [1, 1]], interpolation: %s}, error: \"%s\"}}}\nforces: {f: "
            "{type: torque, body: a, torque: 0.5*sin(20*t)}}\nrun: {until: 0.5 s, rtol: 1e-12}\n",
            way * 40, way * -19, cases[n % CASES].law, kinds[n / CASES], cases[n % CASES].error);
        rig_step_to(&r, 0.5);
        assert_true(lash_sim_summary(r.sim).events > 20);
        rig_ledger(&r, 1e-9);
        rig_close(&r);
    }
}

/* A planet on a carrier that makes five turns round a sun that is held: θ = (1 + r1/r2) φ but for the play,
 * also where the line of centres passes behind the sun. */
static void planet_goes_round(void **state) {
    (void)state;
    const double W = 10, most = (5e-5 + 1e-5 + 5e-6) / (0.06 * cos(alpha)); // play, error, deflection
    for (int way = -1; way <= 1; way += 2)
        for (int corners = 0; corners < 2; corners++) {
            rig r = rig_open(
                "bodies: {a: {mass: 1, inertia: 0.002}, c: {mass: 1, inertia: 0.01, points: {b: [0.09, 0]}}, "
                "b: "
                "{mass: "
                "1, inertia: 0.005, position: [0.09, 0]}}\njoints: {pa: {type: revolute, between: [ground, "
                "a]}, pc: "
                "{type: revolute, between: [ground, c]}, pb: {type: revolute, between: [c.b, b]}, g: {type: "
                "gear, "
                "between: [a, b], ratio: 0.5, backlash: {normal: 1e-4 m, pressure_angle: 20 deg, stiffness: "
                "1e6 N/m, "
                "damping: 100 N s/m, teeth: 12, mesh: {points: [[0, 1], [0.3, 1.1], [0.5, 1.4], [1, 1]], "
                "interpolation: "
                "%s}, "
                "error: %s}}}\n"
                "drives: {d: {joint: pa, motion: 0 rad}, e: {joint: pc, speed: %d rad/s, start: 0 "
                "rad}}\nforces: {f: "
                "{type: torque, body: b, torque: 0.05*sin(7*t)}}\nrun: {until: 3.2 s, rtol: 1e-10}\n",
                corners ? "linear" : "spline", corners ? "9e-6*abs(sin(1.5*angle))" : "1e-5*sin(3*angle)",
                10 * way);
            for (int n = 1; n <= 320; n++) {
                rig_step_to(&r, 0.01 * n);
                rig_near(rig_value(&r, "b.angle"), way * 1.5 * W * 0.01 * n, most,
                         "way %d, corners %d: angle at %g s", way, corners, 0.01 * n);
            }
            assert_true(lash_sim_summary(r.sim).events > 10);
            rig_ledger(&r, 1e-9);
            rig_close(&r);
        }
}

/* A model with a mesh can be compiled any number of times: it does not change. */
static void mesh_compiles_twice(void **state) {
    (void)state;
    lash_error error = {0};
    rig r = rig_open("bodies: {a: {mass: 1, inertia: 0.002}, b: {mass: 1, inertia: 0.005, position: [0.09, "
                     "0]}}\njoints: {g: "
                     "{type: gear, between: [a, b], ratio: 0.5, backlash: {normal: 0 m, stiffness: 1e5 N/m, "
                     "teeth: 12, mesh: "
                     "[[0, 1], [0.5, 1.6], [1, 1]]}}}\nrun: {until: 1 s}\n");
    lash_system *again = NULL;
    rig_require(lash_system_compile(&again, r.model, &error), &error, "again");
    lash_system_destroy(again);
    rig_close(&r);
}

/* ---- momentum ---- */

/* Wheels on a free carrier, and two wheels that nothing else holds together. */
static void free_pairs_keep_momentum(void **state) {
    (void)state;
    static const char *const models[4] = {
        "bodies: {c: {mass: 2, inertia: 0.01, position: [0.045, 0], velocity: [1, 2], angular_velocity: 3}, "
        "a: "
        "{mass: 1, inertia: 0.002, velocity: [1, 1.865], angular_velocity: 5}, b: {mass: 1, inertia: 0.005, "
        "position: [0.09, 0], velocity: [1, 2.135], angular_velocity: -2}}\njoints: {pa: {type: revolute, "
        "between: "
        "[c.a, a]}, pb: {type: revolute, between: [c.b, b]}, g: {type: gear, between: [a, b], ratio: 0.5, "
        "backlash: {normal: 1e-4 m, pressure_angle: 20 deg, stiffness: 1e6 N/m, damping: 50 N s/m}}}",
        "bodies: {c: {mass: 2, inertia: 0.01, position: [0.045, 0], velocity: [1, 2], angular_velocity: 3}, "
        "a: "
        "{mass: 1, inertia: 0.002, velocity: [1, 1.865], angular_velocity: 5}, b: {mass: 1, inertia: 0.005, "
        "position: [0.09, 0], velocity: [1, 2.135], angular_velocity: -2}}\njoints: {pa: {type: revolute, "
        "between: "
        "[c.a, a]}, pb: {type: revolute, between: [c.b, b]}, g: {type: gear, between: [a, b], ratio: -0.5, "
        "backlash: {normal: 1e-4 m, pressure_angle: 20 deg, stiffness: 1e6 N/m}}}",
        "bodies: {c: {mass: 2, inertia: 0.01, position: [0, 1]}, a: {mass: 1, inertia: 0.002, velocity: "
        "[0.1, 0.3], "
        "angular_velocity: 5}, b: {mass: 1, inertia: 0.005, position: [0.09, 0], velocity: [0, 0.2], "
        "angular_velocity: -1}}\njoints: {g: {type: gear, between: [a, b], ratio: 0.5, backlash: {normal: "
        "1e-4 m, "
        "pressure_angle: 20 deg, stiffness: 1e6 N/m}}}",
        "bodies: {c: {mass: 2, inertia: 0.01, position: [0, 1]}, a: {mass: 1, inertia: 0.002, velocity: "
        "[0.1, 0.3], "
        "angular_velocity: 5}, b: {mass: 1, inertia: 0.005, position: [0.09, 0.01], velocity: [0, 0.2], "
        "angular_velocity: 4}}\njoints: {g: {type: rack-and-pinion, between: [a, b], axis: [0.6, 0.8], "
        "radius: "
        "-0.07 m, backlash: {normal: 1e-4 m, pressure_angle: 20 deg, stiffness: 1e6 N/m}}}"};
    for (int n = 0; n < 4; n++) {
        char text[2000];
        snprintf(text, sizeof text, "%s", models[n]);
        if (n < 2) { // the carrier's pins
            char *at = strstr(text, "angular_velocity: 3}");
            snprintf(text, sizeof text, "%.*sangular_velocity: 3, points: {a: [-0.045, 0], b: [0.045, 0]}}%s",
                     (int)(at - text), models[n], models[n] + (at - text) + strlen("angular_velocity: 3}"));
        }
        rig r = rig_open("%s\nrun: {until: 0.05 s, rtol: 1e-12}\n", text);
        static const char *const names[3][5] = {{"a.x", "a.y", "a.vx", "a.vy", "a.wz"},
                                                {"b.x", "b.y", "b.vx", "b.vy", "b.wz"},
                                                {"c.x", "c.y", "c.vx", "c.vy", "c.wz"}};
        const double mass[3] = {1, 1, 2}, inertia[3] = {0.002, 0.005, 0.01};
        double first[3] = {0};
        for (int k = 0; k <= 20; k++) {
            double now[3] = {0};
            if (k)
                rig_step_to(&r, 0.0025 * k);
            for (int b = 0; b < 3; b++) {
                double q[5];
                for (int i = 0; i < 5; i++)
                    q[i] = rig_value(&r, names[b][i]);
                now[0] += mass[b] * q[2];
                now[1] += mass[b] * q[3];
                now[2] += mass[b] * (q[0] * q[3] - q[1] * q[2]) + inertia[b] * q[4];
            }
            for (int i = 0; i < 3; i++) {
                first[i] = k ? first[i] : now[i];
                rig_near(now[i], first[i], 1e-10, "pair %d at %g s: momentum %d", n, 0.0025 * k, i);
            }
        }
        if (lash_sim_summary(r.sim).events < 2)
            fail_msg("pair %d: %zu events only", n, lash_sim_summary(r.sim).events);
        rig_ledger(&r, 1e-9);
        rig_close(&r);
    }
}

/* Half the backlash is less than a quarter of the smaller pitch radius, whichever wheel that is. */
static void the_smaller_wheel_bounds_backlash(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        const bool wide = k % 2;
        char text[600];
        lash_error error = {0};
        snprintf(text, sizeof text,
                 "ground: {points: {a: [0, 0], b: [0.3, 0]}}\n"
                 "bodies: {one: {mass: 1, inertia: 0.02}, two: {mass: 1, inertia: 0.3, position: [0.3, 0]}}\n"
                 "joints:\n  a: {type: revolute, between: [ground.a, one]}\n"
                 "  b: {type: revolute, between: [ground.b, two]}\n"
                 "  mesh: {type: gear, between: [one, two], ratio: %g, backlash: {circumferential: %g m,\n"
                 "    stiffness: 1e6 N/m, pressure_angle: 0}}\nrun: {until: 1}\n",
                 k < 2 ? 0.5 : 2.0, wide ? 0.051 : 0.049);
        assert_int_equal(rig_compile(text, &error), wide ? LASH_ERROR_MODEL : LASH_OK);
        assert_true(!wide || strstr(error.message, "a pitch radius of 0.1 m"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(piecewise_linear),
        cmocka_unit_test(dampers_set_in),
        cmocka_unit_test(losses_end_with_the_contact),
        cmocka_unit_test(the_smaller_wheel_bounds_backlash),
        cmocka_unit_test(reversal_crosses_once),
        cmocka_unit_test(pins_carry_the_tooth_force),
        cmocka_unit_test(distance_opens_the_mesh),
        cmocka_unit_test(stiff_teeth_are_the_ideal_gear),
        cmocka_unit_test(ideal_teeth_need_their_centres),
        cmocka_unit_test(transmission_error),
        cmocka_unit_test(mesh_stiffness),
        cmocka_unit_test(ledger_of_an_excited_mesh),
        cmocka_unit_test(planet_goes_round),
        cmocka_unit_test(mesh_compiles_twice),
        cmocka_unit_test(free_pairs_keep_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
