/* SPDX-License-Identifier: MIT
 *
 * A ball in a bearing: what one impact must give under every law, and how contacts are found, counted and
 * ended.
 */
#include "physics/play.h"

#include "contact/normal_laws.h"
#include "sim/sim.h"

static const double gap = 25e-6; /* m, of play_clearance */

/* Restitution that a law with the factor h gives: the root of h(1 + e) = ln((1 + h)/(1 - h e)), by bisection,
 * apart from the library's own solution. */
static double predicted(double h) {
    if (h == 0)
        return 1;
    double low = 0, high = fmin(1, 1 / h) * (1 - 1e-15);
    for (int i = 0; i < 200; i++) {
        const double e = 0.5 * (low + high);
        *(h * (1 + e) < log1p(h) - log1p(-h * e) ? &high : &low) = e;
    }
    return 0.5 * (low + high);
}

typedef struct damped_law {
    const char *name;
    double h; /* at restitution 0.6 */
} damped_law;

static void rebound_is_what_the_law_gives(void **state) {
    (void)state;
    const double e = 0.6;
    const damped_law laws[] = {{"hertz", 0},
                               {"hunt-crossley", 1.5 * (1 - e)},
                               {"herbert-mcwhannell", 6 * (1 - e) / ((2 * e - 1) * (2 * e - 1) + 3)},
                               {"lee-wang", 0.75 * (1 - e)},
                               {"lankarani-nikravesh", 0.75 * (1 - e * e)},
                               {"gonthier", (1 - e * e) / e},
                               {"zhiying-qishao", 0.75 * (1 - e * e) * exp(2 * (1 - e))},
                               {"flores-2011", 8 * (1 - e) / (5 * e)},
                               {"hu-guo", 1.5 * (1 - e) / e}};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        play_run r;
        const lash_clearance_def c = play_clearance(laws[k].name, e);
        play_ball(&r, &c, 0.3, 0.4, 0, 0);
        play_settings(&r, 3e-4, 1e-10);
        const char *channels[] = {"pin.fn", "pin.deltadot"};
        enum { samples = 30000 };
        play_go(&r, channels, 2, samples);
        assert_int_equal(r.status, LASH_STOP_END);
        const lash_event *in = play_event(&r, LASH_EVENT_ONSET, 0);
        const lash_event *out = play_event(&r, LASH_EVENT_RELEASE, 0);
        assert_non_null(in);
        assert_non_null(out);
        assert_true(fabs(in->speed - 0.5) < 1e-9);
        assert_true(fabs(out->speed / in->speed - predicted(laws[k].h)) < 1e-6);
        // Kinetic energy lost, by the rebound, the ledger and the area of the hysteresis loop.
        const double lost = 0.05 * (in->speed * in->speed - out->speed * out->speed), all = 0.05 * 0.25;
        assert_true(fabs(out->energy_lost - lost) < 1e-6 * all);
        double area = 0;
        for (size_t i = 0; i + 1 < r.row_count; i++) {
            const double *a = r.rows + i * r.columns, *b = a + r.columns;
            if (b[0] < out->time + 1e-7)
                area += 0.5 * (b[0] - a[0]) * (a[1] * a[2] + b[1] * b[2]);
        }
        assert_true(fabs(area - lost) < 1e-6 * all);
        play_end(&r);
    }
}

static void other_laws_rebound_too(void **state) {
    (void)state;
    // kelvin-voigt keeps the share e of the energy; "exact" the speed asked for; cylinders as their damping.
    const struct {
        const char *law, *damping;
        double e, expected;
    } laws[] = {{"kelvin-voigt", NULL, 0.5, sqrt(0.5)},
                {"exact", NULL, 0.7, 0.7},
                {"dubowsky-freudenstein", "exact", 0.8, 0.8},
                {"esdu-78035", "lankarani-nikravesh", 0.9, predicted(0.75 * (1 - 0.81))},
                {"johnson", "exact", 0.8, 0.8},
                {"johnson", "none", 0.8, 1}};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        play_run r;
        lash_clearance_def c = play_clearance(laws[k].law, laws[k].e);
        c.contact.damping = laws[k].damping;
        if (!strcmp(laws[k].law, "kelvin-voigt")) {
            c.materials[0] = NULL;
            c.contact.stiffness = 1e8;
        }
        play_ball(&r, &c, 0.03, 0.04, 0, 0);
        play_settings(&r, 1.2e-3, 1e-10);
        play_go(&r, NULL, 0, 2);
        if (r.status != LASH_STOP_END)
            fail_msg("%s: %s", laws[k].law, r.error.message);
        const lash_event *in = play_event(&r, LASH_EVENT_ONSET, 0);
        const lash_event *out = play_event(&r, LASH_EVENT_RELEASE, 0);
        assert_non_null(in);
        assert_non_null(out);
        if (!(fabs(out->speed / in->speed - laws[k].expected) < 1e-6))
            fail_msg("%s: %.9f, not %.9f", laws[k].law, out->speed / in->speed, laws[k].expected);
        assert_true(r.summary.max_balance_error < 1e-7 * r.summary.energy_exchanged);
        play_end(&r);
    }
}

/* Hertz: δ_max = (5 m v²/(4K))^(2/5), T = 2.943 δ_max/v, F = K δ_max^1.5 (Johnson, Contact Mechanics, 11.1).
 */
static void undamped_peak_is_hertz(void **state) {
    (void)state;
    const double K = 2.0 / 3 * 207e9 / (1 - 0.09) * sqrt(0.01 * (0.01 - gap) / gap), v = 0.5;
    const double delta = pow(1.25 * 0.1 * v * v / K, 0.4);
    for (double rtol = 1e-6; rtol > 1e-11; rtol *= 1e-2) {
        play_run r;
        const lash_clearance_def c = play_clearance("hertz", LASH_UNSET);
        play_ball(&r, &c, v, 0, 0, 0);
        play_settings(&r, 2e-4, rtol);
        play_go(&r, NULL, 0, 1);
        const lash_event *out = play_event(&r, LASH_EVENT_RELEASE, 0);
        assert_non_null(out);
        assert_true(fabs(out->peak_penetration / delta - 1) < 1e-6);
        assert_true(fabs(out->peak_force / (K * pow(delta, 1.5)) - 1) < 1e-6);
        assert_true(fabs(out->duration / (2.9432751 * delta / v) - 1) < 1e-6);
        assert_true(out->impact);
        play_end(&r);
    }
}

/* Onsets and releases stand within 1e-12 m of the wall, whatever the tolerance of the integrator. */
static void events_are_located(void **state) {
    (void)state;
    for (double rtol = 1e-3; rtol > 1e-9; rtol *= 1e-1) {
        play_run r;
        lash_clearance_def c = play_clearance("lankarani-nikravesh", 0.9);
        c.friction.law = "ambrosio";
        c.friction.coefficient = 0.1;
        play_ball(&r, &c, 0.7, 0.31, 300, 9.81);
        play_settings(&r, 5e-3, rtol);
        play_start(&r);
        lash_error error = {0};
        size_t seen = 0;
        for (lash_status s = LASH_OK; s == LASH_OK;) {
            s = lash_sim_step(r.sim, 5e-3, &error);
            if (s < 0)
                fail_msg("%s", error.message);
            if (s == LASH_OK && r.sim->happened_count) {
                assert_true(fabs(lash_sim_value(r.sim, lash_sim_find_channel(r.sim, "pin.delta"))) <= 1e-12);
                assert_true(r.sim->happened[0].time == lash_sim_time(r.sim));
                seen += r.sim->happened_count;
            }
        }
        assert_int_equal(seen, 9); // five onsets, then it rolls along the wall
        play_end(&r);
    }
}

/* A ball shot across a small gap with loose tolerances: every wall is met, the energy never grows, and the
 * ball never leaves the bearing by more than an impact indents. */
static void nothing_tunnels(void **state) {
    (void)state;
    static const double shots[][3] = {{100, 0, 0},   {70, 70, 0}, {100, 1e-3, 5e4},
                                      {-3, 99, 1e5}, {10, 0, 0},  {1, 0.01, 1e3}};
    for (size_t k = 0; k < sizeof shots / sizeof *shots; k++)
        for (double rtol = 1e-2; rtol > 1e-4; rtol *= 0.1) {
            play_run r;
            lash_clearance_def c = play_clearance("lankarani-nikravesh", 0.9);
            c.radial = 10e-6;
            c.friction.law = "ambrosio";
            c.friction.coefficient = 0.05;
            play_ball(&r, &c, shots[k][0], shots[k][1], shots[k][2], 0);
            const double speed = hypot(shots[k][0], shots[k][1]);
            play_settings(&r, 400e-6 / speed + 1e-4, rtol);
            play_start(&r);
            const double K = 2.0 / 3 * 207e9 / (1 - 0.09) * sqrt(0.01 * (0.01 - 10e-6) / 10e-6);
            const double deepest = pow(1.25 * 0.1 * speed * speed / K, 0.4);
            const size_t delta = lash_sim_find_channel(r.sim, "pin.delta");
            const size_t kinetic = lash_sim_find_channel(r.sim, "energy.kinetic");
            const double start = lash_sim_value(r.sim, kinetic), end = 400e-6 / speed + 1e-4;
            lash_error error = {0};
            lash_status s = LASH_OK;
            while ((s = lash_sim_step(r.sim, end, &error)) == LASH_OK) {
                assert_true(lash_sim_value(r.sim, delta) < 1.05 * deepest);
                assert_true(lash_sim_value(r.sim, kinetic) < 1.001 * start);
            }
            assert_int_equal(s, LASH_STOP_END);
            // The first flight ends where a straight line ends.
            const lash_summary summary = lash_sim_summary(r.sim);
            assert_true(summary.clearances[0].contacts >= 1);
            play_end(&r);
        }
}

/* The same from far outside contact and with one step offered for the whole flight: onset at c/v. */
static void first_contact_is_on_time(void **state) {
    (void)state;
    for (double v = 1e-3; v < 200; v *= 10)
        for (double angle = 0; angle < 6; angle += 0.7) {
            play_run r;
            const lash_clearance_def c = play_clearance("hertz", LASH_UNSET);
            play_ball(&r, &c, v * cos(angle), v * sin(angle), 0, 0);
            play_settings(&r, 1.5 * gap / v, 1e-2);
            play_go(&r, NULL, 0, 1);
            const lash_event *in = play_event(&r, LASH_EVENT_ONSET, 0);
            assert_non_null(in);
            assert_true(fabs(in->time / (gap / v) - 1) < 1e-6);
            assert_true(fabs(remainder(in->angle - angle, 2 * pi)) < 1e-9);
            play_end(&r);
        }
}

/* A ball let fall settles: bounces shorten, end, and following is left; never an endless loop. */
static void bouncing_ends(void **state) {
    (void)state;
    play_run r;
    const lash_clearance_def c = play_clearance("exact", 0.5);
    play_ball(&r, &c, 0, 0, 0, 9.81);
    play_settings(&r, 0.05, 1e-8);
    play_go(&r, NULL, 0, 1);
    assert_int_equal(r.status, LASH_STOP_END);
    const lash_clearance_summary *s = &r.summary.clearances[0];
    // Falling 25 µm: bounces halve in speed; the first lasts 2.3 ms, all of them below 7 ms.
    assert_true(s->contacts > 3 && s->contacts < 60);
    assert_true(s->following_fraction > 0.8);
    // At rest the wall carries the weight.
    const double fn = lash_sim_value(r.sim, lash_sim_find_channel(r.sim, "pin.fn"));
    assert_true(fabs(fn / 0.981 - 1) < 0.2);
    assert_true(r.summary.max_balance_error < 1e-7 * r.summary.energy_exchanged);
    play_end(&r);
}

/* Without damping the bounces go on, all alike. */
static void rattling_goes_on(void **state) {
    (void)state;
    play_run r;
    const lash_clearance_def c = play_clearance("hertz", LASH_UNSET);
    play_ball(&r, &c, 0, 0, 0, 9.81);
    play_settings(&r, 0.2, 1e-9);
    play_go(&r, NULL, 0, 1);
    assert_int_equal(r.status, LASH_STOP_END);
    const double fall = sqrt(2 * gap / 9.81);
    const lash_event *first = play_event(&r, LASH_EVENT_ONSET, 0),
                     *later = play_event(&r, LASH_EVENT_ONSET, 40);
    assert_non_null(later);
    assert_true(fabs(first->time / fall - 1) < 1e-8);
    assert_true(fabs(later->speed / first->speed - 1) < 1e-6);
    assert_int_equal(r.summary.clearances[0].chatter, 0);
    play_end(&r);
}

/* P4's detector: contact begins within its tolerance of the wall, and the result tends to the located one. */
static void detector_by_tolerance(void **state) {
    (void)state;
    double rebound[3];
    for (int k = 0; k < 3; k++) {
        play_run r;
        lash_clearance_def c = play_clearance("lankarani-nikravesh", 0.9);
        c.detector = k ? "penetration-tolerance" : "located";
        c.tolerance = k == 0 ? 1e-12 : k == 1 ? 1e-7 : 1e-9;
        play_ball(&r, &c, 0.5, 0, 0, 0);
        play_settings(&r, 2e-4, 1e-9);
        play_start(&r);
        lash_error error = {0};
        bool seen = false;
        while (lash_sim_step(r.sim, 2e-4, &error) == LASH_OK)
            for (size_t i = 0; i < r.sim->happened_count; i++)
                if (r.sim->happened[i].kind == LASH_EVENT_ONSET) {
                    const double d = lash_sim_value(r.sim, lash_sim_find_channel(r.sim, "pin.delta"));
                    assert_true(fabs(d) <= c.tolerance);
                    seen = true;
                }
        assert_true(seen);
        rebound[k] = -lash_sim_value(r.sim, lash_sim_find_channel(r.sim, "ball.vx"));
        play_end(&r);
    }
    assert_true(fabs(rebound[1] / rebound[0] - 1) < 1e-2);
    assert_true(fabs(rebound[2] / rebound[0] - 1) < 1e-4);
}

/* Two joints that touch at the same instant, and go on alike. */
static void simultaneous_contacts(void **state) {
    (void)state;
    play_run r;
    const lash_clearance_def c = play_clearance("lankarani-nikravesh", 0.9);
    play_ball(&r, &c, 0.5, 0, 0, 0);
    lash_error error = {0};
    lash_body_def twin = lash_body_default();
    twin.mass = 0.1;
    twin.inertia[2] = 5e-6;
    MUST(lash_model_add_body(r.model, "twin", &twin, &error));
    lash_joint_def pin = lash_joint_default("revolute");
    pin.between[0] = "ground";
    pin.between[1] = "twin";
    pin.has_clearance = true;
    pin.clearance = c;
    MUST(lash_model_add_joint(r.model, "other", &pin, &error));
    play_settings(&r, 1e-3, 1e-9);
    play_go(&r, NULL, 0, 1);
    assert_int_equal(r.status, LASH_STOP_END);
    assert_true(r.event_count >= 8);
    assert_int_equal(r.event_count % 2, 0);
    for (size_t k = 0; k < r.event_count; k += 2) {
        assert_int_equal(r.events[k].kind, r.events[k + 1].kind);
        assert_true(r.events[k].time == r.events[k + 1].time);
        assert_true(r.events[k].speed == r.events[k + 1].speed);
        assert_string_not_equal(r.events[k].joint, r.events[k + 1].joint);
    }
    play_end(&r);
}

static void laws_end_with_a_word(void **state) {
    (void)state;
    // A cylinder law beyond its range, and a contact so soft that the journal would pass through the wall.
    for (int k = 0; k < 2; k++) {
        play_run r;
        lash_clearance_def c = play_clearance(k ? "hertz" : "johnson", LASH_UNSET);
        if (k) {
            c.materials[0] = NULL;
            c.contact.stiffness = 1e3;
        }
        play_ball(&r, &c, 30, 0, 0, 0);
        play_settings(&r, 1, 1e-6);
        play_go(&r, NULL, 0, 1);
        assert_int_equal(r.status, LASH_ERROR_LIMIT);
        assert_string_equal(r.error.object, "pin");
        assert_true(r.error.time > 0 && r.error.time < 1);
        assert_non_null(strstr(r.error.message, k ? "journal's radius" : "range"));
        assert_non_null(strstr(r.error.message, "t = "));
        play_end(&r);
    }
}

static void warnings_are_counted(void **state) {
    (void)state;
    // Validity: 1e-5 sqrt(E/ρ) = 0.0514 m/s for steel.
    play_run r;
    lash_clearance_def c = play_clearance("lankarani-nikravesh", 0.9);
    play_ball(&r, &c, 0.05, 0, 0, 0);
    play_settings(&r, 2e-3, 1e-8);
    play_go(&r, NULL, 0, 1);
    assert_int_equal(r.summary.clearances[0].above_validity, 0);
    assert_int_equal(r.summary.clearances[0].floor_used, 0);
    play_end(&r);
    c.contact.speed_floor = 0.6;
    play_ball(&r, &c, 0.5, 0, 0, 0);
    play_settings(&r, 3e-4, 1e-8);
    play_go(&r, NULL, 0, 1);
    const lash_clearance_summary *s = &r.summary.clearances[0];
    assert_true(s->contacts > 1);
    assert_int_equal(s->above_validity, s->contacts);
    assert_int_equal(s->floor_used, s->contacts);
    play_end(&r);
}

/* A spinning journal: friction turns spin into motion along the wall; momentum and energy are accounted for.
 */
static void friction_laws_run(void **state) {
    (void)state;
    static const char *const laws[] = {"ambrosio", "threlfall", "bengisu-akay", "stribeck", "lugre"};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        play_run r;
        lash_clearance_def c = play_clearance("lankarani-nikravesh", 0.9);
        c.friction = (lash_friction_def){.law = laws[k],
                                         .coefficient = 0.1,
                                         .v0 = 1e-4,
                                         .v1 = 1e-3,
                                         .vr = 1e-3,
                                         .coefficient_static = 0.15,
                                         .stribeck_speed = 1e-2,
                                         .viscous = 0,
                                         .bristle_stiffness = 1e6,
                                         .bristle_damping = 10};
        play_ball(&r, &c, 0.5, 0, 1000, 0);
        play_settings(&r, 1.7e-4, 1e-10);
        play_go(&r, NULL, 0, 1);
        if (r.status != LASH_STOP_END)
            fail_msg("%s: %s", laws[k], r.error.message);
        const char *names[] = {"ball.x", "ball.y", "ball.vx", "ball.vy", "ball.wz"};
        double now[5];
        for (int i = 0; i < 5; i++)
            now[i] = lash_sim_value(r.sim, lash_sim_find_channel(r.sim, names[i]));
        const lash_event *in = play_event(&r, LASH_EVENT_ONSET, 0);
        const lash_event *out = play_event(&r, LASH_EVENT_RELEASE, 0);
        assert_int_equal(r.event_count, 2);
        // The spin changes by ∫R_j F_T dt, the motion about the bearing's centre by ∫e F_T dt, c <= e <= c +
        // δ.
        const double R_j = 0.01 - gap, spin = 5e-6 * (now[4] - 1000);
        const double orbit = 0.1 * (now[0] * now[3] - now[1] * now[2]);
        assert_true(spin < 0);
        assert_true(orbit < spin * gap / R_j && orbit > spin * (gap + out->peak_penetration) / R_j);
        // It slides all the time: F_T = μ F_N, 0.095 (threlfall) <= μ <= 0.15.
        const double friction = -spin / R_j / (0.1 * (in->speed + out->speed));
        assert_true(friction > 0.094 && friction < 0.151);
        assert_true(r.summary.max_balance_error < 1e-7 * r.summary.energy_exchanged);
        play_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rebound_is_what_the_law_gives),
                                       cmocka_unit_test(other_laws_rebound_too),
                                       cmocka_unit_test(undamped_peak_is_hertz),
                                       cmocka_unit_test(events_are_located),
                                       cmocka_unit_test(nothing_tunnels),
                                       cmocka_unit_test(first_contact_is_on_time),
                                       cmocka_unit_test(bouncing_ends),
                                       cmocka_unit_test(rattling_goes_on),
                                       cmocka_unit_test(detector_by_tolerance),
                                       cmocka_unit_test(simultaneous_contacts),
                                       cmocka_unit_test(laws_end_with_a_word),
                                       cmocka_unit_test(warnings_are_counted),
                                       cmocka_unit_test(friction_laws_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
