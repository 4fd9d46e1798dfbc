/* SPDX-License-Identifier: MIT
 *
 * What a peak force is worth: its parts, its instant, the impulse of its contact, and the start-up apart from
 * the rest.
 *
 * Compared with: an integration of the same contact by itself (classical Runge-Kutta on m δ̈ = P(t) − F);
 * momentum before and after; Gauss's rule over the channels in every step; the largest of many samples.
 */
#include <stdlib.h>

#include "play.h"

#include "rig.h"

static play_run model_of(const char *text, const lash_setting *settings, size_t count) {
    play_run r = {0};
    lash_error error = {0};
    const lash_load_options options = {.settings = settings, .setting_count = count};
    MUST(lash_model_parse(&r.model, text, strlen(text), "test.yaml", &options, &error));
    return r;
}

/* ---- begun slowly, pressed fast ---- */

/* The bearing stops under a journal that goes on at 0.24 mm/s, touches at 42.667 ms and is pushed 0.35 ms
 * later. */
static const char pressed[] =
    "gravity: [0, 0]\n"
    "parameters:\n"
    "  approach: {choose: first, from: [first, energy]}\n"
    "bodies:\n"
    "  bearing: {mass: 1 kg, inertia: 1e-3}\n"
    "  journal: {mass: 1 kg, inertia: 1e-3}\n"
    "joints:\n"
    "  guide: {type: translational, between: [ground, bearing], axis: [1, 0]}\n"
    "  pin:\n"
    "    type: revolute\n"
    "    between: [bearing, journal]\n"
    "    clearance:\n"
    "      bearing_radius: 10 mm\n"
    "      radial: 10 um\n"
    "      contact: {law: exact, restitution: 0.6, stiffness: 1e10, approach: $approach}\n"
    "drives:\n"
    "  start: {joint: guide, motion: \"0.24 mm/s * 1 ms * (1 - exp(-t/1 ms))\"}\n"
    "forces:\n"
    "  push: {type: force, at: journal,\n"
    "         force: [\"87 N/(1 + exp(-(t - 43.1666667 ms)/25 us))\", 0]}\n"
    "run: {until: 44 ms, rtol: 1e-11}\n";

static const double K = 1e10;

/* F and its elastic part at δ, δ̇ by the formulas of docs/physics.md (section 3) and docs/clearance.md, for 1
 * kg; onset 0: energy. */
static double contact_force(double *elastic, double delta, double rate, double h, double onset) {
    const double f = delta > 0 ? K * delta * sqrt(delta) : 0;
    const double v = onset > 0 ? onset : sqrt(rate * rate + 2 * f * delta / 2.5);
    *elastic = f;
    return f * fmax(0, 1 + h * rate / v);
}

static double acceleration(double t, double delta, double rate, double h, double onset) {
    double elastic;
    return 87 / (1 + exp(-(t - 43.1666667e-3) / 25e-6)) - contact_force(&elastic, delta, rate, h, onset);
}

/* The largest force from the touch to `end`, and its parts. */
static lash_peak by_itself(double touch, double speed, double end, double h, double onset) {
    enum { steps = 400000 };
    const double dt = (end - touch) / steps;
    double d = 0, v = speed;
    lash_peak peak = {0};
    for (int i = 0; i < steps; i++) {
        const double t = touch + i * dt;
        const double a1 = acceleration(t, d, v, h, onset);
        const double d2 = d + dt / 2 * v, v2 = v + dt / 2 * a1;
        const double a2 = acceleration(t + dt / 2, d2, v2, h, onset);
        const double d3 = d + dt / 2 * v2, v3 = v + dt / 2 * a2;
        const double a3 = acceleration(t + dt / 2, d3, v3, h, onset);
        const double d4 = d + dt * v3, v4 = v + dt * a3;
        const double a4 = acceleration(t + dt, d4, v4, h, onset);
        d += dt / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        lash_peak at = {.time = t + dt, .depth = d};
        at.force = contact_force(&at.elastic, d, v, h, onset);
        at.damping = at.force - at.elastic;
        if (at.force > peak.force)
            peak = at;
    }
    return peak;
}

static void same_peak(const lash_peak *a, const lash_peak *b, double tolerance) {
    if (!(fabs(a->force - b->force) < tolerance * b->force &&
          fabs(a->elastic - b->elastic) < 1e3 * tolerance * b->force &&
          fabs(a->damping - b->damping) < 1e3 * tolerance * b->force &&
          fabs(a->depth - b->depth) < 1e3 * tolerance * b->depth))
        fail_msg("%.12g N = %.9g + %.9g at %.9g m, not %.12g = %.9g + %.9g at %.9g m", a->force, a->elastic,
                 a->damping, a->depth, b->force, b->elastic, b->damping, b->depth);
}

static void slow_contacts_damp_without_bound_unless_bounded(void **state) {
    (void)state;
    for (int energy = 0; energy < 2; energy++) {
        const lash_setting setting = {"approach", energy ? "energy" : "first"};
        play_run r = model_of(pressed, &setting, 1);
        const char *channels[] = {"pin.fn", "pin.fe", "pin.fd", "pin.delta"};
        play_go(&r, channels, 4, 4400);
        assert_int_equal(r.status, LASH_STOP_END);
        const lash_clearance_info info = lash_system_clearance(r.system, 0);
        assert_true(fabs(info.restitution - 0.6) < 1e-12);
        assert_string_equal(info.approach, energy ? "energy" : "first");
        const lash_clearance_summary *s = &r.summary.clearances[0];
        const lash_event *in = play_event(&r, LASH_EVENT_ONSET, 0);
        assert_true(in && fabs(in->speed - 0.24e-3) < 1e-9 &&
                    fabs(in->time - (10e-6 / 0.24e-3 + 1e-3)) < 1e-9);
        const lash_peak expected =
            by_itself(in->time, in->speed, 44e-3, info.damping, energy ? 0 : in->speed);
        same_peak(&s->peak, &expected, 1e-8);
        assert_true(s->peak_force == s->peak.force && isnan(r.summary.first_turn_end));
        assert_true(fabs(s->peak.time - expected.time) < 1e-6);
        // The parts are those of the instant, and the channels say the same.
        assert_true(fabs(s->peak.elastic + s->peak.damping - s->peak.force) < 1e-9 * s->peak.force);
        assert_true(fabs(s->peak.elastic - K * pow(s->peak.depth, 1.5)) < 1e-9 * s->peak.force);
        for (size_t i = 0; i < r.row_count; i++) {
            const double *row = r.rows + i * r.columns, f = row[4] > 0 ? K * pow(row[4], 1.5) : 0;
            assert_true(fabs(row[2] - f) <= 1e-9 * f && fabs(row[2] + row[3] - row[1]) <= 1e-9 * row[1]);
            if (energy)
                assert_true(fabs(row[3]) <= (1 + 1e-9) * info.damping * row[2]);
        }
        const double ratio = s->peak.damping / s->peak.elastic;
        if (energy) {
            assert_true(ratio < info.damping);
            assert_int_equal(s->damped, 0);
        } else {
            assert_true(fabs(ratio - 17) < 0.3);
            assert_int_equal(s->damped, 1);
            assert_true(s->damped_peak.force == s->peak.force && s->damped_peak.time == s->peak.time);
        }
        play_end(&r);
    }
}

/* In one free impact nothing is to be warned of, however low the restitution; nor is a slow one deep. */
static void free_impacts_are_not_warned_of(void **state) {
    (void)state;
    for (double e = 0.1; e < 1; e += 0.2) {
        play_run r;
        const lash_clearance_def c = play_clearance("exact", e);
        play_ball(&r, &c, 0.3, 0, 0, 0);
        play_settings(&r, 6e-4, 1e-9);
        play_go(&r, NULL, 0, 1);
        const lash_clearance_summary *s = &r.summary.clearances[0];
        assert_true(s->contacts > 0 && s->damped == 0 && s->deep == 0);
        play_end(&r);
    }
}

/* Restitution as promised in a whole run, too: the effective mass is that of the bodies that meet. */
static void bounded_impacts_rebound_as_promised(void **state) {
    (void)state;
    const double asked[] = {0.05, 0.3, 0.7, 0.95};
    for (size_t k = 0; k < 4; k++) {
        play_run r;
        lash_clearance_def c = play_clearance("exact", asked[k]);
        c.contact.approach = "energy";
        play_ball(&r, &c, 0.3, 0.4, 0, 0);
        play_settings(&r, 3e-4, 1e-11);
        play_go(&r, NULL, 0, 1);
        const lash_event *in = play_event(&r, LASH_EVENT_ONSET, 0),
                         *out = play_event(&r, LASH_EVENT_RELEASE, 0);
        assert_non_null(in);
        assert_non_null(out);
        if (!(fabs(out->speed / in->speed - asked[k]) < 1e-8))
            fail_msg("%.12f, not %g", out->speed / in->speed, asked[k]);
        const double lost = 0.05 * 0.25 * (1 - asked[k] * asked[k]);
        // Where the force is cut at zero it has a kink, which no step ends at.
        if (!(fabs(out->energy_lost - lost) < (asked[k] < 0.5 ? 1e-6 : 1e-9) * lost))
            fail_msg("%g: lost %.12g, not %.12g", asked[k], out->energy_lost, lost);
        assert_true(r.summary.max_balance_error < 1e-6 * r.summary.energy_exchanged);
        assert_int_equal(r.summary.clearances[0].floor_used, 0);
        play_end(&r);
    }
}

/* ---- deep ---- */

static void deep_contacts_are_counted(void **state) {
    (void)state;
    play_run r;
    lash_clearance_def c = play_clearance("hertz", LASH_UNSET);
    c.materials[0] = NULL;
    c.contact.stiffness = 1e9; // so soft that 0.1 kg at 0.5 m/s goes 63 µm deep, with a clearance of 25 µm
    play_ball(&r, &c, 0.5, 0, 0, 0);
    play_settings(&r, 4.5e-4, 1e-9);
    play_go(&r, NULL, 0, 1);
    const lash_clearance_summary *s = &r.summary.clearances[0];
    const double deepest = pow(1.25 * 0.1 * 0.25 / 1e9, 0.4);
    assert_true(deepest > 50e-6 && fabs(s->peak_penetration - deepest) < 1e-7 * deepest);
    assert_int_equal(s->contacts, 1);
    assert_int_equal(s->deep, 1);
    // Without damping both peaks are one instant, half a Hertz time after the touch.
    const double half = 0.5 * 2.9432750 * deepest / 0.5;
    assert_true(fabs(s->peak_penetration_time - (25e-6 / 0.5 + half)) < 1e-4 * half);
    assert_true(fabs(s->peak.time - s->peak_penetration_time) < 1e-4 * half);
    assert_true(s->peak.damping == 0 && fabs(s->peak.depth - deepest) < 1e-7 * deepest);
    play_end(&r);
}

/* The limit of a quarter of the journal's radius is not passed between two steps either: the peak here is
 * beyond it by a millionth. */
static void limits_are_watched_between_steps(void **state) {
    (void)state;
    const double beyond[] = {-1e-6, 1e-6};
    for (int k = 0; k < 2; k++) {
        play_run r;
        lash_clearance_def c = play_clearance("hertz", LASH_UNSET);
        c.materials[0] = NULL;
        c.contact.stiffness = 1e7;
        const double deepest = 0.25 * (0.01 - 25e-6) * (1 + beyond[k]),
                     energy = 1e7 * pow(deepest, 2.5) / 2.5;
        play_ball(&r, &c, sqrt(2 * energy / 0.1), 0, 0, 0);
        play_settings(&r, 1.8e-3, 1e-10);
        play_go(&r, NULL, 0, 1);
        assert_int_equal(r.status, k ? LASH_ERROR_LIMIT : LASH_STOP_END);
        play_end(&r);
    }
}

/* A journal that starts pressed into its bearing, at rest: the largest force is that of the start, and its
 * contact knows the mass that it meets. */
static void start_in_contact(const char *law, const char *approach) {
    play_run r;
    lash_error error = {0};
    lash_clearance_def c = play_clearance(law, 0.5);
    c.materials[0] = NULL;
    c.contact.stiffness = K;
    c.contact.approach = approach;
    play_ball(&r, &c, 0, 0, 0, 0);
    MUST(lash_system_compile(&r.system, r.model, &error));
    const double delta = 3e-6, start[6] = {25e-6 + delta};
    MUST(lash_sim_create_at(&r.sim, r.system, start, &error));
    double memory[2];
    assert_int_equal(lash_sim_memory_count(r.sim), 2);
    lash_sim_memory(memory, r.sim);
    assert_true(fabs(memory[0] - (strcmp(approach, "energy") == 0 ? 1 / 0.1 : 0)) < 1e-12);
    lash_status status = LASH_OK;
    while (!status)
        status = lash_sim_step(r.sim, 1e-3, &error);
    if (status != LASH_STOP_END)
        fail_msg("%s", error.message);
    const lash_summary summary = lash_sim_summary(r.sim);
    const lash_peak *peak = &summary.clearances[0].peak;
    assert_true(peak->time == 0 && fabs(peak->force - K * pow(delta, 1.5)) < 1e-9 * peak->force);
    assert_true(peak->damping == 0 && fabs(peak->depth - delta) < 1e-15);
    assert_true(summary.max_balance_error < 1e-6 * summary.energy_exchanged);
    play_end(&r);
}

static void a_start_in_contact_counts(void **state) {
    (void)state;
    start_in_contact("hertz", "first");
    start_in_contact("exact", "first");
    start_in_contact("exact", "energy");
}

/* ---- the first turn and the rest ---- */

static void the_first_turn_stands_apart(void **state) {
    (void)state;
    enum { samples = 40000 };
    play_run r;
    play_example(&r, "flores-2010", NULL, 0);
    play_turns(&r, 3, 1e-8);
    const char *channels[] = {"gudgeon.fn"};
    play_go(&r, channels, 1, samples);
    const lash_clearance_summary *s = &r.summary.clearances[0];
    const double turn = 60.0 / 5000;
    assert_true(fabs(r.summary.first_turn_end - turn) < 1e-12);
    double most[2] = {0, 0}, at[2] = {0, 0};
    for (size_t i = 0; i < r.row_count; i++) {
        const double *row = r.rows + i * r.columns;
        const int later = row[0] > turn;
        if (row[1] > most[later]) {
            most[later] = row[1];
            at[later] = row[0];
        }
    }
    const lash_peak *peaks[2] = {&s->first_turn, &s->later};
    for (int k = 0; k < 2; k++) {
        assert_true(peaks[k]->force >= most[k] && peaks[k]->force < most[k] * (1 + 1e-3));
        assert_true(fabs(peaks[k]->time - at[k]) < 2 * 3 * turn / samples);
        assert_true(fabs(peaks[k]->elastic + peaks[k]->damping - peaks[k]->force) < 1e-9 * peaks[k]->force);
    }
    assert_true(s->first_turn.force > 5 * s->later.force); // the journal starts in the middle of its play
    assert_true(s->peak.force == s->first_turn.force && s->peak_force == s->peak.force);
    play_end(&r);
}

/* A drive that swings, or has not made a turn yet, has no first turn. */
static void a_part_of_a_turn_is_none(void **state) {
    (void)state;
    play_run r;
    play_example(&r, "flores-2010", NULL, 0);
    play_turns(&r, 0.9, 1e-8);
    play_go(&r, NULL, 0, 1);
    assert_true(isnan(r.summary.first_turn_end));
    assert_true(r.summary.clearances[0].first_turn.force == r.summary.clearances[0].peak.force);
    assert_true(r.summary.clearances[0].later.force == 0);
    play_end(&r);
}

/* Where contact is a constraint the peak lies between steps as well. */
static void pressures_peak_between_steps(void **state) {
    (void)state;
    enum { samples = 50000 };
    play_run r;
    play_example(&r, "grigore-2011", NULL, 0);
    const char *channels[] = {"O2.n", "O3.n"};
    play_go(&r, channels, 2, samples);
    for (int k = 0; k < 2; k++) {
        const lash_peak *peak = &r.summary.clearances[k].peak;
        double most = 0, at = 0;
        for (size_t i = 0; i < r.row_count; i++) {
            const double *row = r.rows + i * r.columns;
            if (fabs(row[1 + k]) > most) {
                most = fabs(row[1 + k]);
                at = row[0];
            }
        }
        if (!(peak->force >= most * (1 - 1e-9) && peak->force < most * (1 + 1e-6)))
            fail_msg("peak %.9g N, but %.9g N at t = %.9g s", peak->force, most, at);
        assert_true(fabs(peak->time - at) < 2 * 0.5 / samples);
        assert_true(isnan(peak->elastic) && isnan(peak->damping));
    }
    play_end(&r);
}

/* ---- impulses ---- */

/* Two free bodies, the bearing in one and the journal in the other, meet head on: the impulse of the contact
 * is the momentum that each gains. */
static void impulse_is_the_change_of_momentum(void **state) {
    (void)state;
    static const char text[] =
        "gravity: [0, 0]\n"
        "materials: {steel: {young: 207 GPa, poisson: 0.3, density: 7850 kg/m^3}}\n"
        "parameters: {approach: {choose: first, from: [first, energy]}}\n"
        "bodies:\n"
        "  housing: {mass: 0.7 kg, inertia: 1e-3}\n"
        "  journal: {mass: 0.2 kg, inertia: 1e-4}\n"
        "joints:\n"
        "  pin:\n"
        "    type: revolute\n"
        "    between: [housing, journal]\n"
        "    clearance: {bearing_radius: 10 mm, radial: 25 um, materials: steel,\n"
        "                contact: {law: exact, restitution: 0.6, approach: $approach}}\n"
        "run: {until: 3 ms, rtol: 1e-9}\n";
    for (int kind = 0; kind < 6; kind++) {
        const char *methods[] = {"dop853", "adams", "gear"};
        const lash_setting settings[] = {{"approach", kind % 2 ? "energy" : "first"},
                                         {"run.method", methods[kind / 2]}};
        play_run r = model_of(text, settings, 2);
        lash_error error = {0};
        MUST(lash_system_compile(&r.system, r.model, &error));
        double *v = r.system->y0 + r.system->v_at;
        const double start[2] = {0.3, -0.1};
        v[0] = start[0], v[3] = start[1];
        MUST(lash_sim_create(&r.sim, r.system, &error));
        const char *channels[] = {"housing.vx", "journal.vx", "pin.mode"};
        const lash_record_options options = {
            .channels = channels, .channel_count = 3, .steps = true, .every = LASH_UNSET};
        MUST(lash_record_create(&r.record, r.sim, &options, &error));
        MUST(lash_record_to_memory(r.record, &error));
        MUST(lash_sim_run(r.sim, r.record, NULL, &error));
        const double *rows = lash_record_rows(&r.row_count, r.record, LASH_STREAM_STEPS);
        const lash_event *events = lash_record_events(&r.event_count, r.record);
        double before[2] = {start[0], start[1]};
        size_t impacts = 0, row = 0;
        for (size_t i = 0; i < r.event_count; i++) {
            if (events[i].kind != LASH_EVENT_RELEASE)
                continue;
            while (row < r.row_count && rows[4 * row] < events[i].time)
                row++;
            assert_true(row < r.row_count && rows[4 * row] == events[i].time);
            const double *after = rows + 4 * row + 1, impulse = events[i].impulse;
            assert_true(impulse > 0);
            if (!(fabs(0.7 * fabs(after[0] - before[0]) - impulse) < 1e-9 * impulse &&
                  fabs(0.2 * fabs(after[1] - before[1]) - impulse) < 1e-9 * impulse))
                fail_msg("%s, impact %zu: impulse %.15g, momenta %.15g and %.15g", methods[kind / 2], impacts,
                         impulse, 0.7 * fabs(after[0] - before[0]), 0.2 * fabs(after[1] - before[1]));
            before[0] = after[0], before[1] = after[1];
            impacts++;
        }
        assert_true(impacts >= 4);
        play_end(&r);
    }
}

/* Integrals over the steps of a run by Gauss's rule with five points, and the slider's speed at their ends.
 */
typedef struct balance {
    size_t channels[4]; /* gudgeon.fn, gudgeon.fx, slider.vx, time */
    double normal, along;
    double *rows; /* [count][4]: time, both integrals, speed at the end */
    size_t count, capacity;
} balance;

static lash_status integrate(void *user, lash_sim *sim, double t_old, double t_new) {
    static const double at[5] = {0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155,
                                 0.95308992296933200};
    static const double weight[5] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                     0.23931433524968324, 0.11846344252809454};
    balance *b = user;
    double values[4];
    for (int k = 0; k < 5; k++) {
        lash_sim_values_at(values, sim, b->channels, 2, t_old + at[k] * (t_new - t_old));
        b->normal += weight[k] * (t_new - t_old) * values[0];
        b->along += weight[k] * (t_new - t_old) * values[1];
    }
    assert_true(b->count < b->capacity);
    double *row = b->rows + 4 * b->count++;
    row[0] = t_new, row[1] = b->normal, row[2] = b->along;
    row[3] = lash_sim_value_at(sim, b->channels[2], t_new);
    return LASH_OK;
}

static const double *row_at(const balance *b, double time) {
    for (size_t i = 0; i < b->count; i++)
        if (b->rows[4 * i] == time)
            return b->rows + 4 * i;
    return NULL;
}

/* In a slider-crank: every contact's impulse is the integral of its force over the contact, and what acts
 * along the guide is what the slider's momentum gains. */
static void impulses_balance_in_a_slider_crank(void **state) {
    (void)state;
    const lash_setting settings[] = {{"friction", "0"}, {"play", "0.2 mm"}};
    play_run r;
    lash_error error = {0};
    play_example(&r, "flores-2010", settings, 2);
    play_turns(&r, 1, 1e-10);
    play_start(&r);
    balance b = {.capacity = 40000};
    const char *names[] = {"gudgeon.fn", "gudgeon.fx", "slider.vx", "time"};
    for (int k = 0; k < 4; k++)
        b.channels[k] = lash_sim_find_channel(r.sim, names[k]);
    b.rows = calloc(4 * b.capacity, sizeof *b.rows);
    assert_non_null(b.rows);
    const lash_record_options options = {.steps = true, .every = LASH_UNSET};
    MUST(lash_record_create(&r.record, r.sim, &options, &error));
    MUST(lash_record_to_memory(r.record, &error));
    const lash_run_control control = {.observe = integrate, .user = &b};
    MUST(lash_sim_run(r.sim, r.record, &control, &error));
    const lash_event *events = lash_record_events(&r.event_count, r.record), *onset = NULL;
    size_t contacts = 0;
    double largest = 0;
    for (size_t i = 0; i < r.event_count; i++)
        largest = fmax(largest, events[i].impulse);
    for (size_t i = 0; i < r.event_count; i++) {
        if (events[i].kind == LASH_EVENT_ONSET)
            onset = &events[i];
        if (events[i].kind != LASH_EVENT_RELEASE)
            continue;
        const double *from = row_at(&b, onset->time), *to = row_at(&b, events[i].time);
        assert_non_null(from);
        assert_non_null(to);
        // The rod carries the journal: the slider, the bearing, gets the opposite of the joint's force.
        const double gained = 0.14 * (to[3] - from[3]), given = -(to[2] - from[2]);
        if (!(fabs(events[i].impulse - (to[1] - from[1])) < 1e-7 * largest &&
              fabs(gained - given) < 1e-7 * largest))
            fail_msg("contact %zu: impulse %.12g, integral %.12g; gained %.12g, given %.12g", contacts,
                     events[i].impulse, to[1] - from[1], gained, given);
        // The normal is nearly along the guide, and the integral of its parts is no more than the impulse.
        assert_true(fabs(gained) <= events[i].impulse * (1 + 1e-7));
        contacts++;
    }
    assert_true(contacts >= 3);
    free(b.rows);
    play_end(&r);
}

/* A journal that is pressed hard and slowly, then less and fast: the largest force that is mostly damping is not the largest
 * force, and lies inside a step. Samples every 2 us give it. */
static void damped_forces_peak_between_steps(void **state) {
    (void)state;
    static const char *const rtol[] = {"1e-4", "1e-6"}, *const channels[] = {"j.fe", "j.fd", NULL};
    for (int i = 0; i < 2; i++) {
        rig r =
            rig_open("bodies: {a: {mass: 1 kg, inertia: 1e-3}}\n"
                     "joints: {j: {type: revolute, between: [ground, a], clearance: {offset: [0.05 mm, 0],\n"
                     "  velocity: [4 mm/s, 0], bearing_radius: 10 mm, radial: 0.05 mm,\n"
                     "  contact: {stiffness: 1e9, law: lankarani-nikravesh, restitution: 0.9}}}}\n"
                     "forces: {push: {type: force, at: a, force: [\"5 kN*exp(-((t - 80 ms)/(20 ms))^2) + \n"
                     "  1 kN*exp(-((t - 160 ms)/(0.2 ms))^2) + 30 N\", 0]}}\n"
                     "run: {until: 162 ms, rtol: %s}\n",
                     rtol[i]);
        rig_rows rows = rig_sample(&r, 81000, channels, false);
        double largest = 0;
        for (size_t row = 79000; row < rows.count; row++)
            if (rig_at(&rows, row, 2) > rig_at(&rows, row, 1))
                largest = fmax(largest, rig_at(&rows, row, 1) + rig_at(&rows, row, 2));
        const lash_clearance_summary joint = lash_sim_summary(r.sim).clearances[0];
        assert_true(joint.damped == 1 && joint.peak.force > 3 * largest);
        rig_near(joint.damped_peak.force, largest, 2e-5 * largest, "the largest that is mostly damping");
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_contacts_damp_without_bound_unless_bounded),
        cmocka_unit_test(free_impacts_are_not_warned_of),
        cmocka_unit_test(bounded_impacts_rebound_as_promised),
        cmocka_unit_test(deep_contacts_are_counted),
        cmocka_unit_test(limits_are_watched_between_steps),
        cmocka_unit_test(damped_forces_peak_between_steps),
        cmocka_unit_test(a_start_in_contact_counts),
        cmocka_unit_test(the_first_turn_stands_apart),
        cmocka_unit_test(a_part_of_a_turn_is_none),
        cmocka_unit_test(pressures_peak_between_steps),
        cmocka_unit_test(impulse_is_the_change_of_momentum),
        cmocka_unit_test(impulses_balance_in_a_slider_crank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
