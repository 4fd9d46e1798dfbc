/* SPDX-License-Identifier: MIT
 *
 * Every field of the summary and of the events, for one run that can be written down: two sliders between
 * stops, one with springs without loss, one with a law that keeps a share e of the speed, and a shaft whose
 * turns are counted. No gravity: between the stops all move evenly.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "physics/rig.h"

/* Slider a: mass, speed, its stops, linear stiffness. Slider b: the same, with Hertz's exponent and e. */
static const double M_A = 2, V_A = 1, LOW_A = -0.1, HIGH_A = 0.15, K_A = 1e6;
static const double M_B = 3, V_B = 2, LOW_B = -0.05, HIGH_B = 0.1, K_B = 1e9, E_B = 0.8;
static const double TURN = 0.4; /* s, of the shaft */
enum { FLIGHTS = 4 };           /* whole ones of a before the run ends in the middle of a contact */

enum { A_MIN, A_MAX, B_MIN, B_MAX };
static const char *const names[] = {"ja.min", "ja.max", "jb.min", "jb.max"};
static const char *const channels[] = {"a.x", NULL};

typedef struct total {
    size_t contacts, impacts;
    double in_contact, lost, impulse;
    lash_peak peak, first_turn, later;
    double deepest, deepest_at;
} total;

static size_t which(const char *joint) {
    for (size_t k = 0; k < 4; k++)
        if (strcmp(joint, names[k]) == 0)
            return k;
    fail_msg("an event of '%s'", joint);
    return 0;
}

/* What slider a does at its nth contact, n = 0, 1, …: at HIGH first, then at LOW. */
static double onset_a(size_t n) {
    return HIGH_A / V_A + (double)n * ((HIGH_A - LOW_A) / V_A + RIG_PI * sqrt(M_A / K_A));
}

static void check_a(const lash_event *on, const lash_event *off, size_t n) {
    const double half = RIG_PI * sqrt(M_A / K_A), t = onset_a(n);
    rig_near(on->time, t, 1e-9, "a: onset %zu", n);
    rig_near(on->speed, V_A, 1e-9, "a: approach %zu", n);
    rig_near(off->time, t + half, 1e-9, "a: release %zu", n);
    rig_near(off->duration, half, 1e-9, "a: duration %zu", n);
    rig_near(off->speed, V_A, 1e-9, "a: separation %zu", n);
    rig_near(off->peak_force, V_A * sqrt(M_A * K_A), 1e-6, "a: peak %zu", n);
    rig_near(off->peak_elastic, V_A * sqrt(M_A * K_A), 1e-6, "a: elastic part %zu", n);
    rig_near(off->peak_damping, 0, 1e-9, "a: damping part %zu", n);
    rig_near(off->peak_penetration, V_A * sqrt(M_A / K_A), 1e-11, "a: depth %zu", n);
    rig_near(off->peak_depth, V_A * sqrt(M_A / K_A), 1e-9, "a: depth at the peak %zu", n);
    rig_near(off->peak_time, t + 0.5 * half, 1e-6, "a: time of the peak %zu", n);
    rig_near(off->impulse, 2 * M_A * V_A, 1e-8, "a: impulse %zu", n);
    rig_near(off->energy_lost, 0, 1e-9, "a: loss %zu", n);
}

/* Slider b at its nth contact; t: when it began. */
static void check_b(const lash_event *on, const lash_event *off, size_t n, double t) {
    const double v = V_B * pow(E_B, (double)n);
    rig_near(on->time, t, 1e-7, "b: onset %zu", n);
    rig_near(on->speed, v, 1e-7, "b: approach %zu", n);
    rig_near(off->time, t + off->duration, 1e-9, "b: release %zu", n);
    rig_near(off->speed, E_B * v, 1e-7, "b: separation %zu", n);
    rig_near(off->impulse, M_B * v * (1 + E_B), 1e-6, "b: impulse %zu", n);
    rig_near(off->energy_lost, 0.5 * M_B * v * v * (1 - E_B * E_B), 1e-6, "b: loss %zu", n);
    rig_near(off->peak_elastic + off->peak_damping, off->peak_force, 1e-9 * off->peak_force, "b: parts %zu",
             n);
    rig_near(off->peak_elastic, K_B * pow(off->peak_depth, 1.5), 1e-9 * off->peak_force,
             "b: elastic part %zu", n);
    assert_true(off->peak_damping > 0 && off->peak_depth < off->peak_penetration);
    assert_true(off->peak_time > t && off->peak_time < t + 0.5 * off->duration);
    // Hertz's own depth and time are the measure: a little less deep, a little longer.
    const double hertz = pow(1.25 * M_B * v * v / K_B, 0.4);
    assert_true(off->peak_penetration < hertz && off->peak_penetration > 0.9 * hertz);
    assert_true(off->duration > 2.9 * hertz / v && off->duration < 3.5 * hertz / v);
}

static void keep(lash_peak *peak, const lash_event *off) {
    if (off->peak_force > peak->force)
        *peak = (lash_peak){off->peak_time, off->peak_force, off->peak_elastic, off->peak_damping,
                            off->peak_depth};
}

/* A contact that has ended, for the sums. */
static void count(total *sum, const lash_event *off, double turn_end) {
    sum->contacts++;
    sum->impacts++;
    sum->in_contact += off->duration;
    sum->lost += off->energy_lost;
    sum->impulse += off->impulse;
    keep(&sum->peak, off);
    keep(off->peak_time <= turn_end ? &sum->first_turn : &sum->later, off);
    sum->deepest = fmax(sum->deepest, off->peak_penetration);
}

static void same_peak(const lash_peak *found, const lash_peak *expected, const char *what) {
    // Where equal peaks follow each other rounding chooses the time.
    rig_near(found->force, expected->force, 1e-9 * expected->force, "%s: force", what);
    rig_near(found->elastic, expected->elastic, 1e-6 * expected->force, "%s: elastic", what);
    rig_near(found->damping, expected->damping, 1e-6 * expected->force, "%s: damping", what);
    rig_near(found->depth, expected->depth, 1e-6 * expected->depth, "%s: depth", what);
}

static void every_field_is_right(void **state) {
    (void)state;
    const double quarter = 0.25 * RIG_PI * sqrt(M_A / K_A), end = onset_a(FLIGHTS) + quarter;
    rig r = rig_open("bodies:\n"
                     "  shaft: {mass: 1, inertia: 1}\n"
                     "  a: {mass: %.17g, inertia: 1, velocity: [%.17g, 0]}\n"
                     "  b: {mass: %.17g, inertia: 1, velocity: [%.17g, 0], position: [0, 1]}\n"
                     "joints:\n"
                     "  axle: {type: revolute, between: [ground, shaft]}\n"
                     "  ja: {type: translational, between: [ground, a], axis: [1, 0], stops: {min: %.17g m, "
                     "max: %.17g m,\n"
                     "       contact: {law: hertz, exponent: 1, stiffness: %.17g}}}\n"
                     "  jb: {type: translational, between: [ground, b], axis: [1, 0], stops: {min: %.17g m, "
                     "max: %.17g m,\n"
                     "       contact: {law: exact, stiffness: %.17g, restitution: %.17g}}}\n"
                     "drives: {motor: {joint: axle, start: 0.3 rad, speed: %.17g rad/s}}\n"
                     "run: {until: %.17g s, rtol: 1e-12}\n",
                     M_A, V_A, M_B, V_B, LOW_A, HIGH_A, K_A, LOW_B, HIGH_B, K_B, E_B, 2 * RIG_PI / TURN, end);
    rig_rows rows = rig_sample(&r, 10, channels, false);
    const lash_summary s = lash_sim_summary(r.sim);
    assert_int_equal(s.status, LASH_STOP_END);
    assert_string_equal(s.message, "");
    assert_true(s.start == 0);
    rig_near(s.end, end, 1e-15, "end");
    rig_near(s.first_turn_end, TURN, 1e-12, "first turn");
    assert_int_equal(s.clearance_count, 4);
    // Kinetic energy goes into springs whole, and into losses for good.
    rig_near(s.max_position_violation, 0, 1e-12, "violation");
    assert_true(s.steps > 100 && s.evaluations > 11 * s.steps);
    assert_true(s.max_balance_error < 1e-8 && s.max_balance_error < s.balance_allowed);

    size_t events;
    const lash_event *event = lash_record_events(&events, rows.record);
    assert_int_equal(events, s.events);
    total sums[4] = {0};
    const lash_event *on[4] = {0};
    size_t n_a = 0, n_b = 0;
    double next_b = HIGH_B / V_B;
    for (size_t k = 0; k < events; k++) {
        const lash_event *e = &event[k];
        const size_t c = which(e->joint);
        assert_true(k == 0 || e->time >= event[k - 1].time);
        rig_near(e->crank, 0.3 + 2 * RIG_PI * e->time / TURN, 1e-9, "crank of event %zu", k);
        if (e->kind == LASH_EVENT_ONSET) {
            assert_null(on[c]);
            assert_false(e->impact);
            on[c] = e;
            continue;
        }
        assert_int_equal(e->kind, LASH_EVENT_RELEASE);
        assert_non_null(on[c]);
        assert_true(e->impact);
        if (c <= A_MAX) {
            assert_int_equal(c, n_a % 2 ? A_MIN : A_MAX);
            check_a(on[c], e, n_a++);
        } else {
            assert_int_equal(c, n_b % 2 ? B_MIN : B_MAX);
            check_b(on[c], e, n_b++, next_b);
            next_b = e->time + (HIGH_B - LOW_B) / (V_B * pow(E_B, (double)n_b));
        }
        count(&sums[c], e, s.first_turn_end);
        on[c] = NULL;
    }
    assert_int_equal(n_a, FLIGHTS);
    assert_true(n_b >= 4);
    assert_true(next_b > end && !on[B_MIN] && !on[B_MAX]);
    assert_true(on[A_MAX] && !on[A_MIN]);

    // The contact that the run ends in: as far as it has come.
    const double w = sqrt(K_A / M_A), depth = V_A / w * sin(w * quarter);
    sums[A_MAX].contacts++;
    sums[A_MAX].in_contact += quarter;
    keep(&sums[A_MAX].later,
         &(lash_event){
             .peak_time = end, .peak_force = K_A * depth, .peak_elastic = K_A * depth, .peak_depth = depth});

    for (size_t c = 0; c < 4; c++) {
        const lash_clearance_summary *p = &s.clearances[c];
        assert_string_equal(p->joint, names[c]);
        assert_string_equal(p->model, "compliant");
        assert_null(p->start);
        assert_int_equal(p->contacts, sums[c].contacts);
        assert_int_equal(p->impacts, sums[c].impacts);
        rig_near(p->impacts_per_turn, (double)sums[c].impacts * TURN / end, 1e-12, "%s: per turn", names[c]);
        rig_near(p->impact_fraction, sums[c].in_contact / end, 1e-9, "%s: impacts", names[c]);
        rig_near(p->free_fraction, 1 - sums[c].in_contact / end, 1e-9, "%s: free", names[c]);
        rig_near(p->following_fraction, 0, 1e-12, "%s: following", names[c]);
        rig_near(p->energy_lost, sums[c].lost, 1e-9, "%s: lost", names[c]);
        rig_near(p->peak_force, sums[c].peak.force, 1e-9 * sums[c].peak.force, "%s: peak", names[c]);
        rig_near(p->peak_penetration, sums[c].deepest, 1e-12, "%s: depth", names[c]);
        same_peak(&p->peak, &sums[c].peak, names[c]);
        same_peak(&p->first_turn, &sums[c].first_turn, names[c]);
        same_peak(&p->later, &sums[c].later, names[c]);
        assert_true(p->first_turn.time <= TURN && p->later.time >= TURN);
        if (c >= B_MIN) { // each peak lower than the one before: the first of each turn
            assert_true(p->peak.time == p->first_turn.time);
            rig_near(p->later.time, sums[c].later.time, 1e-12, "%s: later", names[c]);
            assert_true(p->peak_penetration_time > p->peak.time);
            assert_true(p->peak_penetration_time < p->peak.time + 1e-3);
        }
        assert_false(p->lubricated);
        assert_true(p->film_loss == 0 && p->film_force == 0);
        assert_int_equal(p->deep + p->damped + p->floor_used + p->above_validity, 0);
        assert_int_equal(p->through + p->dropped + p->over_pressure + p->chatter + p->losses, 0);
        assert_true(isnan(p->film_pressure) && isnan(p->first_loss) && isnan(p->first_loss_crank));
    }
    // What b has lost is what it lacks: the sum over both its stops.
    rig_near(sums[B_MIN].lost + sums[B_MAX].lost, 0.5 * M_B * V_B * V_B * (1 - pow(E_B, 2 * (double)n_b)),
             1e-6, "b: lost");
    // The kinetic energy falls by that, and by all of a's while a stands at its stop.
    const double lost = sums[B_MIN].lost + sums[B_MAX].lost;
    assert_true(s.energy_exchanged > lost && s.energy_exchanged <= lost + 0.5 * M_A * V_A * V_A + 1e-6);
    rig_rows_close(&rows);
    rig_close(&r);
}

/* Pressed by a constant force onto a stop that takes most of the speed: impacts, and in the end following. */
static void following_is_told_from_impacts(void **state) {
    (void)state;
    const double m = 2, P = 100, end = 0.2, x = 1e-2, K = 1e9, e = 0.5;
    rig r = rig_open(
        "bodies: {b: {mass: %.17g, inertia: 1}}\n"
        "joints: {j: {type: translational, between: [ground, b], axis: [1, 0], stops: {max: %.17g m,\n"
        "         contact: {law: exact, restitution: %.17g, stiffness: %.17g}}}}\n"
        "forces: {push: {type: force, at: b, force: [%.17g, 0]}}\n"
        "run: {until: %.17g s, rtol: 1e-10}\n",
        m, x, e, K, P, end);
    rig_rows rows = rig_sample(&r, 10, (const char *const[]){"j.max.fn", NULL}, false);
    const lash_summary s = lash_sim_summary(r.sim);
    const lash_clearance_summary *p = &s.clearances[0];
    const double fall = sqrt(2 * x * m / P), speed = P / m * fall;
    size_t n, impacts = 0;
    double short_time = 0, long_time = 0, began = 0, lost = 0;
    const lash_event *event = lash_record_events(&n, rows.record);
    assert_int_equal(event[0].kind, LASH_EVENT_ONSET);
    rig_near(event[0].time, fall, 1e-9, "first contact");
    rig_near(event[0].speed, speed, 1e-9, "its speed");
    for (size_t k = 0; k < n; k++) {
        assert_int_equal(event[k].kind, k % 2 ? LASH_EVENT_RELEASE : LASH_EVENT_ONSET);
        assert_true(isnan(event[k].crank));
        if (k % 2 == 0) {
            began = event[k].time;
            continue;
        }
        rig_near(event[k].duration, event[k].time - began, 1e-15, "duration");
        impacts += event[k].impact;
        lost += event[k].energy_lost;
        *(event[k].impact ? &short_time : &long_time) += event[k].duration;
    }
    assert_int_equal(n % 2, 1); // it does not leave any more
    assert_true(impacts >= 1);
    assert_true(end - began > 0.5 * end);
    assert_int_equal(p->contacts, n / 2 + 1);
    assert_int_equal(p->impacts, impacts);
    rig_near(p->impact_fraction, short_time / end, 1e-12, "impacts");
    rig_near(p->following_fraction, (long_time + end - began) / end, 1e-12, "following");
    rig_near(p->free_fraction, 1 - (short_time + long_time + end - began) / end, 1e-12, "free");
    // At rest in the end: all work of the force, but for what the stop holds, is lost in it.
    const double depth = pow(P / K, 1 / 1.5);
    rig_near(rig_at(&rows, 10, 1), P, 1e-6 * P, "what it carries");
    rig_near(p->energy_lost, P * (x + depth) - 0.4 * K * pow(depth, 2.5), 1e-6, "lost");
    assert_true(lost < p->energy_lost); // the last contact loses too
    assert_true(isnan(p->impacts_per_turn) && isnan(s.first_turn_end));
    assert_true(p->later.force == 0 && p->first_turn.force == p->peak.force);
    rig_rows_close(&rows);
    rig_close(&r);
}

/* A journal in oil: what the summary says of the film is what the accepted steps show. */
static void the_film_is_that_of_the_steps(void **state) {
    (void)state;
    rig r = rig_open(
        "gravity: [0, -9.81]\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
        "bodies: {shaft: {mass: 5, inertia: 1e-3}}\n"
        "joints: {pin: {type: revolute, between: [ground, shaft], clearance: {bearing_radius: 20.05 mm,\n"
        "  radial: 50 um, length: 20 mm, materials: steel, contact: {restitution: 0.9},\n"
        "  lubricant: {film: short, viscosity: 0.01 Pa s, dry: false}}}}\n"
        "drives: {motor: {joint: pin, speed: 1000 rpm}}\n"
        "run: {until: 0.1 s, rtol: 1e-8}\n");
    lash_error error = {0};
    lash_record *record = NULL;
    static const char *const names_of[] = {"pin.e", "pin.film_force", "energy.film"};
    const lash_record_options options = {
        .channels = names_of, .channel_count = 3, .every = LASH_UNSET, .steps = true};
    rig_require(lash_record_create(&record, r.sim, &options, &error), &error, "record");
    rig_require(lash_record_to_memory(record, &error), &error, "record");
    rig_require(lash_sim_run(r.sim, record, NULL, &error), &error, "run");
    size_t count;
    const double *row = lash_record_rows(&count, record, LASH_STREAM_STEPS);
    const lash_summary s = lash_sim_summary(r.sim);
    const lash_clearance_summary *p = &s.clearances[0];
    double thinnest = INFINITY, strongest = 0, when = 0;
    assert_true(count > 20);
    for (size_t k = 0; k < count; k++, row += 4) {
        thinnest = fmin(thinnest, 50e-6 - row[1]);
        if (row[2] > strongest) {
            strongest = row[2];
            when = row[0];
        }
    }
    assert_true(p->lubricated && thinnest < 45e-6 && thinnest > 0);
    rig_near(p->min_film, thinnest, 1e-15, "thinnest film");
    rig_near(p->film_force, strongest, 1e-9 * strongest, "largest force of the film");
    rig_near(p->film_force_time, when, 1e-12, "its time");
    rig_near(p->film_loss, row[-1], 1e-12, "loss of the film");
    rig_near(p->energy_lost, p->film_loss, 1e-12, "all that is lost");
    assert_int_equal(p->contacts + p->through, 0);
    lash_record_destroy(record);
    rig_close(&r);
}

/* Under its weight a contact of kelvin-voigt rests where loading and unloading push back. The run says why it takes so many
 * steps; an impact that comes back does not. */
static void law_that_rests_between_its_branches(void **state) {
    (void)state;
    static const double ends[] = {4e-3, 0.02};
    for (int k = 0; k < 2; k++) {
        rig r = rig_open(
            "gravity: [0, -9.81]\nbodies: {bar: {mass: 1, inertia: 0.01, position: [0.1, 0], points: {o: "
            "[-0.1, 0]}}}\njoints: {pin: {type: revolute, between: [ground, bar.o], clearance: "
            "{bearing_radius: 10 mm, radial: 0.1 mm, contact: {law: kelvin-voigt, stiffness: 7.7e7, "
            "restitution: 0.3}}}}\nrun: {until: %g s}\n",
            ends[k]);
        lash_error error = {0};
        rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
        const lash_summary s = lash_sim_summary(r.sim);
        char *warnings = lash_summary_warnings(&s);
        assert_true((s.clearances[0].chatter > 1000) == (k == 1));
        assert_true((strstr(warnings, "rests where both push back") != NULL) == (k == 1));
        free(warnings);
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(law_that_rests_between_its_branches),
        cmocka_unit_test(every_field_is_right),
        cmocka_unit_test(following_is_told_from_impacts),
        cmocka_unit_test(the_film_is_that_of_the_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
