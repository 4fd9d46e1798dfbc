/* SPDX-License-Identifier: MIT
 *
 * Joints filled with oil inside a run: the squeeze film against its closed form, the bearing under a steady
 * load against the bearing by itself, the energy of film and dry contact together, the transition between
 * them, and the slider-crank of Flores 2004 dry, with friction and lubricated.
 *
 * Squeeze film under a constant load W (film_squeeze_long.c, full film), x = ε/√(1 − ε²):
 *     C dx/dt = W − m v̇,   C = 12 π μ L R³/c²,   so   C x = W t − m v,
 * and without inertia x grows like time.
 */
#include "physics/play.h"
#include "physics/rig.h"

static const double ball_mass = 0.1; /* kg, of play_ball */

static lash_clearance_def oiled(const char *film, double radial, double viscosity, bool dry) {
    lash_clearance_def c = play_clearance("lankarani-nikravesh", 0.9);
    c.radial = radial;
    c.has_lubricant = true;
    c.lubricant.film = film;
    c.lubricant.viscosity = viscosity;
    c.lubricant.dry = dry;
    return c;
}

static void with_method(play_run *r, const char *method) {
    lash_error error = {0};
    lash_run_def run = *lash_model_run(r->model);
    run.method = method;
    MUST(lash_model_set_run(r->model, &run, &error));
}

/* ---- the film alone ---- */

static void dropped_journal_follows_the_squeeze_film(void **state) {
    (void)state;
    const double c = 0.5e-3, mu = 0.4, L = 0.02, R = 0.01 - c, gravity = 60;
    const double W = ball_mass * gravity, C = 12 * pi * mu * L * R * R * R / (c * c);
    const lash_clearance_def play = oiled("squeeze-long", c, mu, false);
    play_run r;
    play_ball(&r, &play, 0, 0, 0, gravity);
    play_settings(&r, 1, 1e-9);
    with_method(&r, "gear");
    const char *channels[] = {"pin.e", "pin.edot", "pin.film"};
    play_go(&r, channels, 3, 200);
    assert_int_equal(r.status, LASH_STOP_END);
    const lash_clearance_summary *s = &r.summary.clearances[0];
    assert_int_equal(s->contacts, 0);
    assert_int_equal(r.event_count, 0);
    assert_true(s->min_film > 0);
    double thickness = INFINITY, eps = 0;
    for (size_t i = 1; i < r.row_count; i++) {
        const double *row = r.rows + i * r.columns, t = row[0];
        eps = row[1] / c;
        const double x = eps / sqrt((1 - eps) * (1 + eps));
        // With inertia exactly; without it but for the first moments.
        assert_true(fabs(C * x - (W * t - ball_mass * row[2])) < 1e-6 * W * t);
        assert_true(t < 0.1 || fabs(C * x - W * t) < 5e-4 * W * t);
        assert_true(row[3] > 0 && row[3] < thickness);
        thickness = row[3];
    }
    assert_true(eps > 0.98);
    play_end(&r);
}

/* A journal that turns at a constant speed comes to rest where the bearing by itself carries the load. */
static void driven_journal_settles_at_the_static_point(void **state) {
    (void)state;
    const double c = 50e-6, L = 0.005, R = 0.01 - c, speed = 100, gravity = 981, eps = 0.6;
    const double W = ball_mass * gravity;
    lash_error error = {0};
    lash_bearing_def bearing = lash_bearing_default();
    bearing.film = "short";
    bearing.length_ratio = L / (2 * R);
    lash_bearing_point point;
    MUST(lash_bearing_solve(&point, &bearing, eps, &error));
    const double mu = W / (point.load * speed * R * L * (R / c) * (R / c));
    lash_clearance_def play = oiled("short", c, mu, false);
    play.length = L;
    play_run r;
    play_ball(&r, &play, 0, 0, 0, gravity);
    lash_drive_def drive = lash_drive_default();
    drive.body = "ball";
    drive.speed = speed;
    MUST(lash_model_add_drive(r.model, "motor", &drive, &error));
    play_settings(&r, 1, 1e-9);
    with_method(&r, "gear");
    const char *channels[] = {"pin.ex", "pin.ey", "pin.film_force", "pin.film_torque", "pin.film_power"};
    play_go(&r, channels, 5, 10);
    if (r.status != LASH_STOP_END)
        fail_msg("%s", r.error.message);
    const double *end = r.rows + (r.row_count - 1) * r.columns;
    // The load points down; the line of centres is ahead of it by the attitude angle, with the rotation.
    const double attitude = atan2(end[1], -end[2]);
    assert_true(fabs(hypot(end[1], end[2]) / c - eps) < 1e-6);
    assert_true(fabs(attitude - point.attitude) < 1e-6);
    assert_true(fabs(end[3] - W) < 1e-6 * W);
    const double torque = point.torque * mu * speed * R * R * R * L / c;
    assert_true(fabs(fabs(end[4]) - torque) < 1e-6 * torque);
    assert_true(fabs(end[5] - torque * speed) < 1e-5 * torque * speed);
    play_end(&r);
}

/* ---- film and dry contact ---- */

static void energy_balance_closes(void **state) {
    (void)state;
    const struct {
        const char *film, *extent, *friction;
        double viscosity;
        bool dry;
    } cases[] = {{"squeeze-long", NULL, "none", 1e-4, true}, {"squeeze-long", "half", "ambrosio", 1e-4, true},
                 {"short", NULL, "none", 2e-4, true},        {"long", NULL, "ambrosio", 1e-4, true},
                 {"long", "full", "none", 1e-4, true},       {"short", NULL, "none", 0.1, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        play_run r;
        lash_clearance_def play = oiled(cases[k].film, 0.1e-3, cases[k].viscosity, cases[k].dry);
        play.lubricant.extent = cases[k].extent;
        play.friction.law = cases[k].friction;
        play.friction.coefficient = 0.05;
        // A thin layer, so that fast impacts pass all of it.
        play.lubricant.transition[0] = 2e-6;
        play.lubricant.transition[1] = LASH_UNSET;
        play_ball(&r, &play, 0.6, 0.8, 100, 9.81);
        play_settings(&r, 0.02, 1e-9);
        const char *channels[] = {"energy.film", "energy.balance"};
        play_go(&r, channels, 2, 100);
        const lash_clearance_summary *s = &r.summary.clearances[0];
        if (r.status != LASH_STOP_END)
            fail_msg("case %zu: %s", k, r.error.message);
        assert_true(r.summary.max_balance_error <= 1e-8 * r.summary.energy_exchanged);
        assert_true(s->film_loss > 1e-3 * r.summary.energy_exchanged);
        for (size_t i = 1; i < r.row_count; i++) // never gives back
            assert_true(r.rows[i * r.columns + 1] >= r.rows[(i - 1) * r.columns + 1]);
        assert_true(cases[k].dry ? s->through > 0 : s->contacts == 0);
        play_end(&r);
    }
}

/* Acceleration of the journal just before and just after every change of mode. */
typedef struct jump {
    size_t channel[2], seen[LASH_EVENT_KINDS], events;
    double before[2], worst, largest;
    bool any;
} jump;

static lash_status look_for_jumps(void *user, lash_sim *sim, double t_old, double t_new) {
    jump *j = user;
    double now[2];
    lash_sim_values_at(now, sim, j->channel, 2, t_old);
    const size_t events = lash_sim_summary(sim).events;
    for (int k = 0; j->any && events > j->events && k < 2; k++)
        j->worst = fmax(j->worst, fabs(now[k] - j->before[k]));
    j->events = events;
    lash_sim_values_at(j->before, sim, j->channel, 2, t_new);
    j->largest = fmax(j->largest, hypot(now[0], now[1]));
    j->any = true;
    return LASH_OK;
}

static void force_is_continuous_over_the_transition(void **state) {
    (void)state;
    play_run r;
    lash_clearance_def play = oiled("short", 0.1e-3, 2e-4, true);
    play.friction.law = "ambrosio";
    play.friction.coefficient = 0.05;
    play.lubricant.transition[0] = 2e-6;
    play.lubricant.transition[1] = LASH_UNSET;
    play_ball(&r, &play, 0.6, 0.8, 100, 9.81);
    play_settings(&r, 0.02, 1e-9);
    play_start(&r);
    lash_error error = {0};
    const lash_record_options options = {.every = LASH_UNSET, .samples = 1};
    MUST(lash_record_create(&r.record, r.sim, &options, &error));
    MUST(lash_record_to_memory(r.record, &error));
    jump j = {.channel = {lash_sim_find_channel(r.sim, "ball.ax"), lash_sim_find_channel(r.sim, "ball.ay")}};
    const lash_run_control control = {.observe = look_for_jumps, .user = &j};
    assert_int_equal(lash_sim_run(r.sim, r.record, &control, &error), LASH_STOP_END);
    r.events = lash_record_events(&r.event_count, r.record);
    for (size_t k = 0; k < r.event_count; k++)
        j.seen[r.events[k].kind]++;
    for (int kind = 0; kind <= LASH_EVENT_FILM; kind++)
        assert_true(j.seen[kind] > 0);
    assert_int_equal(j.events, r.event_count);
    assert_true(j.worst < 1e-6 * j.largest);
    play_end(&r);
}

/* ---- the slider-crank of Flores 2004 ---- */

typedef struct peak {
    size_t channel;
    double start, settled; /* largest in the first turn, and after it */
} peak;

static lash_status keep_peak(void *user, lash_sim *sim, double t_old, double t_new) {
    static const double turn = 60.0 / 5000; /* s */
    peak *p = user;
    double *largest = t_old < turn ? &p->start : &p->settled;
    *largest = fmax(*largest, fabs(lash_sim_value_at(sim, p->channel, t_new)));
    return LASH_OK;
}

static void oil_and_friction_calm_the_slider_crank(void **state) {
    (void)state;
    static const char *const variants[] = {"dry", "friction", "lubricated"};
    // The first impact comes before friction has done anything: the turn of the start is kept apart.
    double start[3], settled[3];
    lash_clearance_summary s[3];
    for (int v = 0; v < 3; v++) {
        play_run r;
        const lash_setting setting = {"variant", variants[v]};
        play_example(&r, "flores-2004", &setting, 1);
        play_turns(&r, 20, 1e-7);
        play_start(&r);
        peak p = {.channel = lash_sim_find_channel(r.sim, "slider.ax")};
        const lash_run_control control = {.observe = keep_peak, .user = &p};
        assert_int_equal(lash_sim_run(r.sim, NULL, &control, &r.error), LASH_STOP_END);
        start[v] = p.start;
        settled[v] = p.settled;
        s[v] = lash_sim_summary(r.sim).clearances[0];
        play_end(&r);
    }
    enum { DRY, FRICTION, OIL };
    // Measured, dry, friction, oil: 3.26e5, 3.26e5, 0.50e5 m/s² at the start; then 2.22e5, 0.93e5, 1.00e5.
    assert_true(start[FRICTION] < 1.001 * start[DRY]);
    assert_true(start[OIL] < 0.2 * start[DRY]);
    double whole[3];
    for (int v = 0; v < 3; v++) {
        whole[v] = fmax(start[v], settled[v]);
        print_message("%-10s peak of the slider's acceleration %.4g m/s^2, %.4g after the first turn; %zu "
                      "impacts\n",
                      variants[v], whole[v], settled[v], s[v].impacts);
    }
    // Over all 20 turns friction cannot be below by more than the first impact lets it; oil can.
    assert_true(whole[FRICTION] < 1.001 * whole[DRY]);
    assert_true(whole[OIL] < 0.4 * whole[DRY]);
    assert_true(settled[FRICTION] < 0.7 * settled[DRY]);
    assert_true(settled[OIL] < 0.6 * settled[DRY]);
    // 202, 26 and 0 impacts; following 73 %, 96 % and 98 % of the time.
    assert_true(s[DRY].impacts > 100); // 201 to 203 for rtol 1e-8 to 1e-6
    assert_true(s[FRICTION].impacts < s[DRY].impacts / 3);
    assert_true(s[OIL].impacts < s[DRY].impacts / 20);
    assert_true(s[DRY].following_fraction > 0.5 && s[FRICTION].following_fraction > 0.85);
    assert_true(s[OIL].following_fraction > 0.9);
    assert_true(s[OIL].film_loss > 0 && s[OIL].film_loss < s[OIL].energy_lost);
    assert_true(s[OIL].peak_force < 0.7 * s[DRY].peak_force);
}

static void methods_agree(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "gear"};
    static const char *const channels[] = {"slider.x", "slider.vx", "gudgeon.ex", "gudgeon.ey"};
    double end[2][4];
    for (int m = 0; m < 2; m++) {
        play_run r;
        play_example(&r, "flores-2004", NULL, 0);
        play_turns(&r, 1, m ? 1e-9 : 1e-10);
        with_method(&r, methods[m]);
        play_go(&r, channels, 4, 10);
        if (r.status != LASH_STOP_END)
            fail_msg("%s: %s", methods[m], r.error.message);
        assert_true(r.summary.clearances[0].contacts > 0);
        for (int k = 0; k < 4; k++)
            end[m][k] = r.rows[(r.row_count - 1) * r.columns + 1 + (size_t)k];
        play_end(&r);
    }
    // m and m/s; the gap is 0.5 mm, the slider's speed up to 26 m/s.
    static const double limit[] = {1e-10, 1e-6, 1e-10, 1e-10};
    for (int k = 0; k < 4; k++)
        assert_true(fabs(end[1][k] - end[0][k]) < limit[k]);
}

/* Surfaces that wear, and have not worn yet, change nothing: every channel, those of the film and of the energies
 * among them. The bearing turns, too. */
static void unworn_surfaces_change_nothing(void **state) {
    (void)state;
    static const char *const films[] = {"short", "squeeze-long"};
    for (int f = 0; f < 2; f++) {
        rig r[2];
        for (int k = 0; k < 2; k++)
            r[k] = rig_open(
                "gravity: [0, -9.81]\n"
                "bodies: {wheel: {mass: 1, inertia: 0.01},\n"
                "  ball: {mass: 2, inertia: 1e-3, angular_velocity: 200, hold: [w]}}\n"
                "joints:\n"
                "  hub: {type: revolute, between: [ground, wheel]}\n"
                "  ring: {type: revolute, between: [wheel, ball], clearance: {bearing_radius: 20 mm,\n"
                "    radial: 0.1 mm, length: 20 mm, contact: {law: hunt-crossley, stiffness: 1e10,\n"
                "    restitution: 0.8}, lubricant: {film: %s, viscosity: 2e-3}%s}}\n"
                "drives: {motor: {joint: hub, speed: 30 rad/s}}\n"
                "forces: {push: {type: force, at: ball, force: [\"900*sin(700*t)\", \"400*cos(300*t)\"]}}\n"
                "run: {until: 0.02, rtol: 1e-11}\n",
                films[f], k ? ", wear: {k: 1e-40}" : "");
        enum { MOST = 200 };
        double largest[MOST] = {0};
        size_t compared = 0, contacts = 0;
        for (int step = 1; step <= 20; step++) {
            for (int k = 0; k < 2; k++)
                rig_step_to(&r[k], 1e-3 * step);
            contacts += rig_value(&r[0], "ring.delta") > 0;
            for (size_t i = 0; i < lash_sim_channel_count(r[0].sim); i++) {
                const char *name = lash_sim_channel_name(r[0].sim, i);
                const double a = lash_sim_value(r[0].sim, i), b = rig_value(&r[1], name);
                if (strcmp(name, "energy.balance") == 0)
                    continue; // an error itself
                assert_true(i < MOST);
                largest[i] = fmax(largest[i], fabs(a));
                rig_near(b, a, 1e-4 * largest[i] + 1e-9, "%s at %d ms", name, step);
                compared++;
            }
        }
        assert_true(compared > 500 && contacts > 2);
        for (int k = 0; k < 2; k++) {
            rig_ledger(&r[k], 1e-8);
            rig_close(&r[k]);
        }
    }
}

/* The drag on a journal that spins in the middle of its bearing, after Petroff: 2π μ ω R³ L/c against its turning. */
static void petroff_drags_the_journal(void **state) {
    (void)state;
    for (int way = -1; way <= 1; way += 2) {
        rig r = rig_open(
            "gravity: [0, 0]\nbodies: {shaft: {mass: 1, inertia: 1e-3}}\n"
            "joints: {pin: {type: revolute, between: [ground, shaft], clearance: {bearing_radius: 20.05 mm, "
            "radial: 50 um, length: 20 mm,\n"
            "  contact: {stiffness: 1e9, restitution: 0.9}, lubricant: {film: short, viscosity: 0.03, dry: "
            "false}}}}\n"
            "drives: {motor: {joint: pin, speed: %d}}\nrun: {until: 1}\n",
            100 * way);
        const double drag = 2 * RIG_PI * 0.03 * 100 * pow(0.02, 3) * 0.02 / 50e-6;
        rig_near(rig_value(&r, "pin.film_torque"), -way * drag, 1e-9 * drag, "drag");
        rig_near(rig_value(&r, "motor.torque"), way * drag, 1e-9 * drag, "torque of the drive");
        rig_close(&r);
    }
}

/* Only a film that is read from a table takes work ahead: not one in closed form, nor a dry joint. */
static void closed_forms_need_no_table(void **state) {
    (void)state;
    static const char *const oils[] = {"", ", lubricant: {film: short, viscosity: 0.03}",
                                       ", lubricant: {film: long, viscosity: 0.03}"};
    for (size_t k = 0; k < 3; k++) {
        rig r = rig_open(
            "bodies: {shaft: {mass: 1, inertia: 1e-3}}\n"
            "joints: {pin: {type: revolute, between: [ground, shaft], clearance: {bearing_radius: 20 mm, "
            "radial: 50 um, length: 20 mm,\n"
            "  contact: {stiffness: 1e9, restitution: 0.9}%s}}}\nrun: {until: 1}\n",
            oils[k]);
        lash_film_work work;
        assert_false(lash_film_work_at(&work, r.model, 0));
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_need_no_table),
        cmocka_unit_test(petroff_drags_the_journal),
        cmocka_unit_test(dropped_journal_follows_the_squeeze_film),
        cmocka_unit_test(driven_journal_settles_at_the_static_point),
        cmocka_unit_test(energy_balance_closes),
        cmocka_unit_test(force_is_continuous_over_the_transition),
        cmocka_unit_test(oil_and_friction_calm_the_slider_crank),
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(unworn_surfaces_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
