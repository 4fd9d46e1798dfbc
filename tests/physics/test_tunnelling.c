/* SPDX-License-Identifier: MIT
 *
 * No contact passes its wall unseen: every step of random machines is searched point by point, beside
 * the search that the loop makes, and two machines in which contacts once passed their walls are computed
 * correctly.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"
#include "sim/sim.h"

/* ---- what a step shows ---- */

/* How far a contact is beyond the border of its mode, in what counts as not zero there; below 1: not. */
static double beyond(const lash_sim *sim, int k, const lashi_gap *m) {
    const lashi_contact *contact = &sim->system->contacts[k];
    const lashi_memory *memory = &sim->memories[k];
    const double length = fmax(contact->p->tolerance, sim->resolution);
    if (contact->model != LASHI_MODEL_COMPLIANT && memory->touching)
        return 0; // δ is a constraint
    double worst = (memory->touching ? -m->delta : m->delta) / length;
    if (memory->touching && contact->lubricated)
        worst = fmax(worst, (memory->through ? -1 : 1) * (m->delta - contact->p->hybrid.e0) / length);
    if (memory->touching && contact->normal.switches_at_turning)
        worst =
            fmax(worst, (memory->onset.unloading ? 1 : -1) * m->deltadot / contact->normal.p->speed_floor);
    return worst;
}

/* One step; the interpolant up to where it ends is looked at in `points`. */
static lash_status watched_step(lash_sim *sim, const char *name, int points, lash_error *error) {
    lash_status status = lashi_sim_advance(sim, sim->system->end, error);
    const double t_old = sim->integrator->t_old, h = sim->t_new - t_old;
    for (int i = 1; !status && i <= points; i++) {
        const double t = i == points ? sim->t_new : t_old + h * i / points;
        rig_require(lashi_sim_sample(sim->y_work, sim, t, error), error, "sample");
        lashi_frames_at(sim->frames, NULL, sim->system, t, sim->y_work);
        for (int k = 0; k < sim->system->contact_count; k++) {
            const lashi_gap m = lashi_gap_of(&sim->system->contacts[k], sim->frames);
            if (beyond(sim, k, &m) > 1.01)
                fail_msg("%s: contact %d, mode %d, at %.9g s in a step of %.3g s: depth %g m, rate %g m/s",
                         name, k, sim->memories[k].touching, t, h, m.delta, m.deltadot);
        }
    }
    return status ? status : lashi_sim_commit(sim, error);
}

/* ---- random machines ---- */

static double spread(unsigned long long *seed, double low, double high) {
    return exp(rig_random(seed, log(low), log(high)));
}

static const char *pick(unsigned long long *seed, const char *const *names, int count) {
    return names[(int)rig_random(seed, 0, count)];
}

enum { PLANE, THREE_MODE, BALL, PIN, FILM, KINDS };

/* A bar that hangs in a joint with play, of any size, under any gravity. */
static rig random_bar(char name[100], int number) {
    static const char *const methods[] = {"dop853", "adams", "gear"};
    static const char *const laws[] = {"lankarani-nikravesh", "hunt-crossley", "flores-2011", "gonthier",
                                       "kelvin-voigt"};
    unsigned long long s = 1000003ULL * (unsigned long long)number + 17;
    const int kind = number % KINDS;
    const char *method = pick(&s, methods, 3), *law = pick(&s, laws, 5);
    const double K = spread(&s, 1e6, 1e11), restitution = rig_random(&s, 0.1, 1), g = spread(&s, 1e-5, 100),
                 mass = spread(&s, 1e-3, 10), c = spread(&s, 1e-6, 5e-3), rtol = spread(&s, 1e-10, 1e-4),
                 length = spread(&s, 0.01, 1), J = spread(&s, 0.03, 3) * mass * length * length,
                 angle = rig_random(&s, 0, 2 * RIG_PI), R = fmax(10 * c, 0.01), fall = sqrt(2 * c / g);
    char clearance[600];
    int at = snprintf(clearance, sizeof clearance, "radial: %.17g", c);
    if (kind == THREE_MODE)
        snprintf(clearance + at, sizeof clearance - (size_t)at,
                 ", model: three-mode, restitution: %.17g, rest_speed: %.17g", restitution,
                 spread(&s, 1e-5, 0.1) * g * fall);
    else
        at += snprintf(clearance + at, sizeof clearance - (size_t)at,
                       ", bearing_radius: %.17g, contact: {law: %s, stiffness: %.17g, restitution: %.17g}", R,
                       law, K, restitution);
    if (kind == PIN)
        snprintf(clearance + at, sizeof clearance - (size_t)at, ", length: %.17g, axial: %.17g", 4 * R,
                 c * rig_random(&s, 0.3, 3));
    if (kind == FILM)
        snprintf(clearance + at, sizeof clearance - (size_t)at,
                 ", length: %.17g, lubricant: {film: short, viscosity: %.17g}", R,
                 spread(&s, 1e-9, 1e-3) * sqrt(g));
    snprintf(name, 100, "machine %d, %s, rtol %.1e", number, method, rtol);
    if (kind == BALL || kind == PIN)
        return rig_open("space: spatial\n"
                        "gravity: [%.17g, %.17g, %.17g]\n"
                        "bodies:\n"
                        "  bar: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [%.17g, 0, 0], "
                        "points: {pin: [%.17g, 0, 0]}}\n"
                        "joints:\n"
                        "  pivot: {type: %s, between: [ground, bar.pin], clearance: {%s}}\n"
                        "run: {until: %.17g, method: %s, rtol: %.17g}\n",
                        g * cos(angle), g * sin(angle), 0.3 * g, mass, J, 1.1 * J, 0.9 * J, length, -length,
                        kind == BALL ? "spherical" : "revolute, axis: [0, 0, 1]", clearance, 100 * fall,
                        method, rtol);
    return rig_open("gravity: [%.17g, %.17g]\n"
                    "bodies:\n"
                    "  bar: {mass: %.17g, inertia: %.17g, position: [%.17g, 0], points: {pin: [%.17g, 0]}}\n"
                    "joints:\n"
                    "  pivot: {type: revolute, between: [ground, bar.pin], clearance: {%s}}\n"
                    "run: {until: %.17g, method: %s, rtol: %.17g}\n",
                    g * cos(angle), g * sin(angle), mass, J, length, -length, clearance, 100 * fall, method,
                    rtol);
}

/* Errors of the energy, of what is exchanged: by rounding of positions in small gaps, and by the tolerance.
 */
static const double ROUNDED = 1e-5, SHARE = 10;

static void no_machine_passes_a_wall(void **state) {
    (void)state;
    enum { MACHINES = 100, STEPS = 2000, POINTS = 16 };
    size_t contacts[KINDS] = {0};
    for (int n = 0; n < MACHINES; n++) {
        char name[100];
        lash_error error = {0};
        rig r = random_bar(name, n);
        lash_status status = LASH_OK;
        for (int k = 0; !status && k < STEPS && lash_sim_time(r.sim) < r.system->end; k++)
            status = watched_step(r.sim, name, POINTS, &error);
        const lash_summary summary = lash_sim_summary(r.sim);
        if (status < 0 && !strstr(error.message, "far too soft"))
            fail_msg("%s: %s", name, error.message);
        const double allowed = ROUNDED + SHARE * lash_model_run(r.model)->rtol;
        if (!(summary.max_balance_error <= allowed * summary.energy_exchanged))
            fail_msg("%s: the energy is off by %g of %g J", name, summary.max_balance_error,
                     summary.energy_exchanged);
        for (size_t k = 0; k < summary.clearance_count; k++)
            contacts[n % KINDS] += summary.clearances[k].contacts + summary.clearances[k].impacts;
        rig_close(&r);
    }
    for (int kind = 0; kind < KINDS; kind++)
        assert_true(contacts[kind] > 50);
}

/* ---- every other kind, thrown fast at loose tolerances ---- */

enum { CORNER, BLOCK, SLEEVE, TURNING_STOP, SLIDING_STOP, STOP_IN_SPACE, FLANK, RING, RACK, TURNING, THROWS };

/* A body thrown into its play, fast against its size. */
static rig random_throw(char name[100], int number) {
    static const char *const methods[] = {"dop853", "adams", "gear"};
    static const char *const laws[] = {"lankarani-nikravesh", "hertz", "flores-2011", "kelvin-voigt"};
    unsigned long long s = 7000003ULL * (unsigned long long)number + 5;
    const int kind = number % THROWS;
    const char *method = methods[number / THROWS % 3], *law = pick(&s, laws, 4);
    const bool rigid = kind < FLANK && kind != SLEEVE && number / THROWS % 2;
    const double K = spread(&s, 1e6, 1e10), e = rig_random(&s, 0.2, 1), play = spread(&s, 1e-5, 5e-3),
                 v = spread(&s, 0.1, 100), w = rig_random(&s, -10, 10) * v, u = rig_random(&s, -1, 1) * v,
                 g = spread(&s, 1e-3, 100), until = 100 * play / v;
    char contact[300], run[100];
    if (rigid)
        snprintf(contact, sizeof contact, "model: three-mode, restitution: %.17g, rest_speed: %.17g", e,
                 1e-4 * v);
    else
        snprintf(contact, sizeof contact, "contact: {law: %s, stiffness: %.17g, restitution: %.17g%s}", law,
                 K, e, kind == TURNING_STOP || strcmp(law, "kelvin-voigt") == 0 ? "" : ", exponent: 1.5");
    snprintf(run, sizeof run, "run: {until: %.17g s, method: %s, rtol: 1e-3}", until, method);
    snprintf(name, 100, "throw %d, kind %d, %s", number, kind, method);
    switch (kind) {
    case CORNER:
        return rig_open(
            "gravity: [0, %.17g]\nbodies: {a: {mass: 3, inertia: 0.05, angular_velocity: %.17g}, b: "
            "{mass: 1, inertia: 0.002, velocity: [%.17g, %.17g], angular_velocity: %.17g}}\njoints: {j: "
            "{type: translational, between: [a, b], axis: [1, 0], clearance: {length: 0.1, height: "
            "0.05, play: %.17g, %s}}}\n%s\n",
            -g, 0.1 * w, u, v, w, play, contact, run);
    case BLOCK:
        return rig_open(
            "space: spatial\ngravity: [0, 0, %.17g]\nbodies: {a: {mass: 3, inertia: [0.05, 0.04, "
            "0.03]}, b: {mass: 1, inertia: [0.002, 0.003, 0.004], velocity: [%.17g, %.17g, %.17g], "
            "angular_velocity: [%.17g, %.17g, %.17g]}}\njoints: {j: {type: prismatic, between: [a, b], "
            "axis: [1, 0, 0], clearance: {length: 0.1, height: 0.05, width: 0.04, play: %.17g, "
            "side_play: %.17g, %s}}}\n%s\n",
            -g, u, v, -0.5 * v, w, 0.3 * w, -w, play, 1.5 * play, contact, run);
    case SLEEVE:
        return rig_open(
            "space: spatial\ngravity: [0, 0, %.17g]\nbodies: {a: {mass: 3, inertia: [0.05, 0.04, "
            "0.03]}, b: {mass: 1, inertia: [0.002, 0.003, 0.004], velocity: [%.17g, %.17g, %.17g], "
            "angular_velocity: [%.17g, %.17g, %.17g]}}\njoints: {j: {type: cylindrical, between: [a, b], "
            "axis: [1, 0, 0], clearance: {length: 0.1, bearing_radius: 0.05, radial: %.17g, %s}}}\n%s\n",
            -g, u, v, -0.5 * v, w, 0.3 * w, -w, 0.5 * play, contact, run);
    case TURNING_STOP:
        return rig_open(
            "gravity: [0, %.17g]\nbodies: {b: {mass: 1, inertia: 0.02, position: [0, -0.1], velocity: "
            "[%.17g, 0], angular_velocity: %.17g, points: {p: [0, 0.1]}}}\njoints: {j: {type: revolute, "
            "between: [ground, b.p], stops: {min: %.17g rad, max: %.17g rad, %s}}}\n%s\n",
            -g, v, 10 * v, -10 * play, 7 * play, contact, run);
    case SLIDING_STOP:
        return rig_open(
            "gravity: [0, %.17g]\nbodies: {a: {mass: 2, inertia: 1}, b: {mass: 1, inertia: 0.02, velocity: "
            "[%.17g, 0]}}\njoints: {i: {type: translational, between: [ground, a], axis: [1, 0]}, j: {type: "
            "translational, between: [a, b], axis: [1, 0], stops: {min: %.17g m, max: %.17g m, "
            "%s}}}\n%s\n",
            -g, v, -play, play, contact, run);
    case STOP_IN_SPACE:
        return rig_open(
            "space: spatial\ngravity: [0, 0, %.17g]\nbodies: {b: {mass: 1, inertia: [0.002, 0.003, 0.004], "
            "velocity: [%.17g, 0, 0], angular_velocity: [%.17g, 0, 0]}}\njoints: {j: {type: cylindrical, "
            "between: [ground, b], axis: [1, 0, 0], stops: {coordinate: travel, min: %.17g m, max: %.17g m, "
            "%s}}}\n%s\n",
            -g, v, w, -play, play, contact, run);
    case FLANK:
    case RING:
        return rig_open(
            "ground: {points: {b: [0.09, 0]}}\nbodies: {a: {mass: 1, inertia: 0.002, angular_velocity: "
            "%.17g}, b: {mass: 1, inertia: 0.005, position: [0.09, 0]}}\njoints: {pa: {type: revolute, "
            "between: [ground, a]}, pb: {type: revolute, between: [ground.b, b]}, g: {type: gear, between: "
            "[a, b], ratio: %g, backlash: {normal: %.17g m, pressure_angle: 20 deg, stiffness: %.17g N/m, "
            "%s}}}\nforces: {f: {type: torque, body: a, torque: %.17g N m}}\n%s\n",
            10 * v, kind == RING ? -0.4 : 0.5, play, K,
            number % 4 < 2 ? "damping: 10 N s/m" : "restitution: 0.7", 0.01 * g, run);
    case RACK:
        return rig_open(
            "ground: {points: {b: [0.09, 0]}}\nbodies: {a: {mass: 1, inertia: 0.002, velocity: [0, %.17g]}, "
            "b: "
            "{mass: 1, inertia: 0.005, position: [0.09, 0]}}\njoints: {pa: {type: translational, axis: [0, "
            "1], between: [ground, a]}, pb: {type: revolute, between: [ground.b, b]}, g: {type: "
            "rack-and-pinion, between: [a, b], axis: [0, 1], radius: -0.09 m, backlash: {circumferential: "
            "%.17g m, pressure_angle: 20 deg, stiffness: %.17g N/m, error: 1e-6*sin(20*angle)}}}\n%s\n",
            v, play, K, run);
    default:
        return rig_open(
            "space: spatial\nground: {points: {b: [0.09, 0, 0]}}\nbodies: {a: {mass: 1, inertia: [1, 1, "
            "0.002], angular_velocity: [0, 0, %.17g]}, b: {mass: 1, inertia: [0.005, 1, 1], position: [0.09, "
            "0, 0]}}\njoints: {pa: {type: revolute, axis: [0, 0, 1], between: [ground, a]}, pb: {type: "
            "revolute, axis: [1, 0, 0], between: [ground.b, b]}, g: {type: gear, joints: [pa, pb], ratio: "
            "0.5, backlash: {angle: %.17g rad, stiffness: %.17g N m/rad}}}\n%s\n",
            10 * v, 10 * play, 1e-3 * K, run);
    }
}

static void no_throw_passes_a_wall(void **state) {
    (void)state;
    enum { STEPS = 400, POINTS = 16, COUNT = 12 * THROWS };
    // The last one lies on one corner while another arrives, which the drift of the first pushed into its
    // wall.
    static const int passed = 1811;
    size_t contacts[THROWS] = {0};
    for (int k = 0; k <= COUNT; k++) {
        const int n = k < COUNT ? k : passed;
        char name[100];
        lash_error error = {0};
        rig r = random_throw(name, n);
        lash_status status = LASH_OK;
        for (int step = 0; !status && step < STEPS && lash_sim_time(r.sim) < r.system->end; step++)
            status = watched_step(r.sim, name, POINTS, &error);
        // A contact this soft ends the run, and says so.
        if (status < 0 && !strstr(error.message, "too soft"))
            fail_msg("%s: %s", name, error.message);
        const lash_summary summary = lash_sim_summary(r.sim);
        for (size_t c = 0; c < summary.clearance_count; c++)
            contacts[n % THROWS] += summary.clearances[c].contacts + summary.clearances[c].impacts;
        rig_close(&r);
    }
    for (int kind = 0; kind < THROWS; kind++)
        if (contacts[kind] <= 20)
            fail_msg("kind %d: %zu contacts only", kind, contacts[kind]);
}

/* ---- two machines that passed ---- */

/* A slow pendulum: its bounces become so small that they no longer armed the event, and the next step, in
 * free flight, is seconds long. In the end the pin lies on its bearing, and the bearing carries what that of
 * the ideal pendulum carries. */
static void small_bounces_end_at_rest(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams", "gear"};
    for (int k = 0; k < 3; k++) {
        lash_error error = {0};
        rig r = rig_open("gravity: [0, -1e-4]\n"
                         "bodies:\n"
                         "  bar: {mass: 0.1, inertia: 0.003, position: [0.3, 0], points: {pin: [-0.3, 0]}}\n"
                         "joints:\n"
                         "  pivot:\n"
                         "    type: revolute\n"
                         "    between: [ground, bar.pin]\n"
                         "    clearance: {bearing_radius: 10 mm, diametric: 0.1 mm,\n"
                         "                contact: {stiffness: 1e10, restitution: 0.5}}\n"
                         "run: {until: 10 s, method: %s}\n",
                         methods[k]);
        while (lash_sim_time(r.sim) < 10)
            rig_require(watched_step(r.sim, methods[k], 16, &error), &error, "step");
        const lash_summary summary = lash_sim_summary(r.sim);
        assert_true(summary.clearances[0].impacts > 10);
        assert_true(summary.max_balance_error < 1e-7 * summary.energy_exchanged);
        // From rest N = m g J/(J + m l²); in 10 s it has turned by 1/50.
        const double N = 0.1 * 1e-4 * 0.003 / (0.003 + 0.1 * 0.09);
        assert_true(rig_value(&r, "pivot.mode") == 2);
        assert_true(fabs(rig_value(&r, "pivot.fn") / N - 1) < 0.02);
        rig_close(&r);
    }
}

/* A slider-crank whose pin leaves its bearing for less than the distance of two stages. */
static void a_release_between_two_stages(void **state) {
    (void)state;
    const lash_setting settings[] = {{"speed", "4906.9988581381094 rpm"},
                                     {"play", "0.040317976240481231 mm"}};
    const lash_load_options options = {.settings = settings, .setting_count = 2};
    for (int k = 0; k < 2; k++) {
        lash_error error = {0};
        rig r = {0};
        rig_require(lash_model_load(&r.model, LASH_SOURCE_DIR "/examples/flores-2010.yaml", &options, &error),
                    &error, "model");
        lash_run_def run = *lash_model_run(r.model);
        run.until_turns = 1;
        run.rtol = k ? 1e-10 : 1e-8;
        rig_require(lash_model_set_run(r.model, &run, &error), &error, "settings");
        rig_require(lash_system_compile(&r.system, r.model, &error), &error, "compile");
        rig_require(lash_sim_create(&r.sim, r.system, &error), &error, "create");
        while (lash_sim_time(r.sim) < r.system->end)
            rig_require(watched_step(r.sim, "slider-crank", 16, &error), &error, "step");
        assert_int_equal(lash_sim_summary(r.sim).clearances[0].contacts, 5);
        // As with rtol 1e-12, to what a contact that only just opens leaves; without the fifth: -0.018483.
        assert_true(fabs(rig_value(&r, "slider.vx") + 0.017710) < 1e-5);
        rig_close(&r);
    }
}

/* ---- the bound on the way of a gap ---- */

/* |ė| of every kind of contact bounds how fast δ changes, also where the sleeve alone turns. */
static void speed_bounds_the_rate(void **state) {
    (void)state;
    rig r =
        rig_open("space: spatial\n"
                 "bodies:\n"
                 "  sleeve: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}\n"
                 "  bar: {mass: 1, inertia: [1, 1, 1], position: [0.2, 0, 0], points: {pin: [-0.2, 0, 0]}}\n"
                 "joints:\n"
                 "  pivot: {type: revolute, between: [sleeve, bar.pin], axis: [0, 0, 1], clearance:\n"
                 "           {bearing_radius: 10 mm, radial: 1 mm, length: 50 mm, axial: 1 mm,\n"
                 "            contact: {stiffness: 1e8, restitution: 0.9}}}\n"
                 "run: {until: 1 s}\n");
    unsigned long long seed = 3;
    const lash_system *system = r.system;
    double *y = calloc((size_t)system->n_y, sizeof *y);
    assert_non_null(y);
    for (int n = 0; n < 200; n++) {
        memcpy(y, system->y0, (size_t)system->n_y * sizeof *y);
        for (int i = 0; i < system->n_q; i++)
            y[i] += rig_random(&seed, -1e-4, 1e-4);
        // Now and then one body alone turns.
        for (int i = 0; i < system->n_v; i++)
            y[system->v_at + i] = n % 3 && i / 6 != n % 2 ? 0
                                  : n % 3 && i % 6 < 3    ? 0
                                                          : rig_random(&seed, -1, 1);
        lashi_frames_at(r.sim->frames, NULL, system, 0, y);
        for (int k = 0; k < system->contact_count; k++) {
            const lashi_gap at = lashi_gap_of(&system->contacts[k], r.sim->frames);
            if (!(lashi_gap_speed(&system->contacts[k], &at) >= (1 - 1e-12) * fabs(at.deltadot)))
                fail_msg("motion %d, contact %d: δ changes by %g m/s, not by %g at most", n, k, at.deltadot,
                         lashi_gap_speed(&system->contacts[k], &at));
        }
    }
    free(y);
    rig_close(&r);
}

/* A journal that starts exactly on its wall, at rest or moving into it: by both detectors, with all methods.
 */
static void a_start_on_the_wall(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams", "gear"}, *const detectors[] = {
                                                                          "located", "penetration-tolerance"};
    for (int moving = 0; moving < 2; moving++) {
        double wanted = 0;
        for (int k = 0; k < 6; k++) {
            rig r =
                rig_open("gravity: [0, -9.81]\n"
                         "bodies: {b: {mass: 1, inertia: 0.01, position: [0.3, 0], points: {a: [-0.3, 0]},\n"
                         "             velocity: [0, %g]}}\n"
                         "joints: {p: {type: revolute, between: [ground, b.a], clearance: {radial: 0.5 mm,\n"
                         "  bearing_radius: 10 mm, offset: [0, -0.5 mm], detector: %s, tolerance: 1e-8,\n"
                         "  contact: {law: lankarani-nikravesh, stiffness: 1e9, restitution: 0.9}}}}\n"
                         "run: {until: 0.02, rtol: 1e-8, method: %s}\n",
                         moving ? -0.1 : 0, detectors[k / 3], methods[k % 3]);
            lash_error error = {0};
            rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
            const double v = rig_value(&r, "b.vy");
            wanted = k ? wanted : v;
            if (fabs(v - wanted) > 3e-8)
                fail_msg("%s with %s: %.12g m/s, not %.12g", detectors[k / 3], methods[k % 3], v, wanted);
            rig_close(&r);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_bounces_end_at_rest), cmocka_unit_test(a_release_between_two_stages),
        cmocka_unit_test(no_machine_passes_a_wall),  cmocka_unit_test(no_throw_passes_a_wall),
        cmocka_unit_test(speed_bounds_the_rate),     cmocka_unit_test(a_start_on_the_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
