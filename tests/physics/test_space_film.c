/* SPDX-License-Identifier: MIT
 *
 * Ball joints filled with oil inside a run: forces, moments and power of the film at random states, a ball
 * that sinks against its closed form, the energy of film and dry contact together, the transition between
 * them, and the spatial four-bar of Flores 2006.
 *
 * A ball pressed down by a constant load W (film_squeeze_ball.c), with l = ln((1 + ε)/(1 − ε)):
 *     K g_r = 6 π K ε̇ I_3,   ∫ I_3 dε = ((1 + ε²) l − 2 ε)/(2 ε²) = G,   so   6 π K G(ε) = W t − m v.
 */
#include "physics/play.h"

#include "contact/contact.h"
#include "laws/near.h"

static const double radius = 10e-3; /* m, of the socket */

/* One ball in a socket on the ground; the lubricant's keys as text. Thrown by setting y0 in `thrown`. */
static void ball_in_oil(play_run *r, const char *play, const char *friction, const char *lubricant,
                        double gravity, double until, const char *method) {
    char text[2048];
    lash_error error = {0};
    *r = (play_run){0};
    const int length =
        snprintf(text, sizeof text,
                 "space: spatial\ngravity: [0, 0, %g]\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
                 "bodies: {b: {mass: 0.1, inertia: [5e-6, 6e-6, 7e-6]}}\n"
                 "joints:\n  j:\n    type: spherical\n    between: [ground, b]\n    clearance:\n"
                 "      bearing_radius: 10 mm\n      radial: %s\n      materials: steel\n"
                 "      contact: {law: lankarani-nikravesh, restitution: 0.9}\n      friction: {%s}\n"
                 "      lubricant: {film: squeeze-ball, %s}\nrun: {until: %g, method: %s, rtol: 1e-9}\n",
                 -gravity, play, friction, lubricant, until, method);
    assert_true(length > 0 && (size_t)length < sizeof text);
    MUST(lash_model_parse(&r->model, text, (size_t)length, "test.yaml", NULL, &error));
}

static void thrown(play_run *r, const double v[6]) {
    lash_error error = {0};
    MUST(lash_system_compile(&r->system, r->model, &error));
    memcpy(r->system->y0 + r->system->v_at, v, 6 * sizeof(double));
    MUST(lash_sim_create(&r->sim, r->system, &error));
}

static void keep(play_run *r, const char *const *channels, size_t count, size_t samples) {
    lash_error error = {0};
    const lash_record_options options = {
        .channels = channels, .channel_count = count, .samples = samples, .every = LASH_UNSET};
    MUST(lash_record_create(&r->record, r->sim, &options, &error));
    MUST(lash_record_to_memory(r->record, &error));
}

static void finish(play_run *r, const lash_run_control *control) {
    r->status = lash_sim_run(r->sim, r->record, control, &r->error);
    r->summary = lash_sim_summary(r->sim);
    r->rows = lash_record_rows(&r->row_count, r->record, LASH_STREAM_SAMPLES);
    r->columns = lash_record_column_count(r->record);
    r->events = lash_record_events(&r->event_count, r->record);
    if (r->status != LASH_STOP_END)
        fail_msg("%s", r->error.message);
}

/* ---- one evaluation ---- */

static double random_number(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static lashi_vec3 random_vector(uint64_t *seed, double size) {
    const double x = random_number(seed), y = random_number(seed), z = random_number(seed);
    return lashi_scale3(size, (lashi_vec3){x, y, z});
}

/* A body at r, turned by p, moving with v and ω in ground axes. */
static lashi_frame frame_of(lashi_vec3 r, const double p[4], lashi_vec3 v, lashi_vec3 spin) {
    double A[9], unit[4];
    lashi_rotation(A, unit, p);
    const lashi_vec3 own = lashi_turn_back(A, spin);
    const double q[7] = {r.x, r.y, r.z, unit[0], unit[1], unit[2], unit[3]};
    const double rate[6] = {v.x, v.y, v.z, own.x, own.y, own.z};
    lashi_frame frame;
    lashi_frame_from3(&frame, q, rate);
    return frame;
}

/* A ball that turns about the line of centres, ε = 1/2: T = 2π μ ω R⁴/c ∫ (1 − x²)/(1 − ε x) dx, x = cos φ from −1 to 1. And with
 * `sliding: geometric` the speed of dry sliding is that of the centre around the socket, of δ/e. */
static void ball_about_the_line_of_centres(void **state) {
    (void)state;
    lash_error error = {0};
    static const char text[] =
        "space: spatial\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n  j: {type: spherical, between: [ground, b], clearance: {bearing_radius: 10 mm, radial: "
        "0.1 mm,\n"
        "      sliding: geometric, contact: {law: hertz, stiffness: 1e9}, lubricant: {film: squeeze-ball, "
        "viscosity: 0.1}}}\n"
        "run: {until: 1}\n";
    play_run r = {0};
    MUST(lash_model_parse(&r.model, text, strlen(text), "test.yaml", NULL, &error));
    MUST(lash_system_compile(&r.system, r.model, &error));
    const lashi_contact *contact = &r.system->contacts[0];
    const lashi_memory free_flight = {0};
    const double bristle[3] = {0}, p[4] = {1, 0, 0, 0}, w = 30, eps = 0.5;
    const double c = contact->film.p->clearance, R = contact->film.p->radius, play = 1e-4;
    const lashi_vec3 n = {2.0 / 3, -1.0 / 3, 2.0 / 3}, t = {1 / sqrt(2), 0, -1 / sqrt(2)}, none = {0, 0, 0};
    lashi_frame frames[2];
    double g[2][LASHI_FREEDOMS] = {{0}}, zdot[3];
    lashi_contact_state out = {0};
    frames[0] = frame_of(none, p, none, none);
    frames[1] = frame_of(lashi_scale3(eps * c, n), p, none, lashi_scale3(w, n));
    lashi_contact_apply(g, &out, zdot, contact, &free_flight, frames, bristle);
    const double integral = (2 * eps - (1 - eps * eps) * log((1 + eps) / (1 - eps))) / (eps * eps * eps);
    const double T = 2 * acos(-1) * 0.1 * w * R * R * R * R / c * integral;
    assert_relative(out.film_torque, T, 1e-9);
    for (int k = 0; k < 3; k++)
        assert_near(g[1][3 + k], -T * (&n.x)[k], 1e-9 * T);
    frames[1] = frame_of(lashi_scale3(1.2 * play, n), p, lashi_axpy3(lashi_scale3(0.3, t), 0.1, n),
                         lashi_scale3(w, n));
    assert_relative(lashi_gap_of(contact, frames).sliding, 0.3 * 0.2 / 1.2, 1e-9);
    play_end(&r);
}

/* Momentum and angular momentum of both bodies are kept, what they lose is the film's power, and an observer
 * who turns sees the same film. */
static void film_balances_at_random_states(void **state) {
    (void)state;
    lash_error error = {0};
    static const char text[] =
        "space: spatial\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1], points: {p: [0.1, 0.2, -0.1]}},\n"
        "         b: {mass: 1, inertia: [1, 1, 1], position: [0.4, 0, 0], points: {p: [-0.3, 0.2, -0.1]}}}\n"
        "joints:\n  j: {type: spherical, between: [a.p, b.p], clearance: {bearing_radius: 10 mm, radial: 0.1 "
        "mm,\n"
        "      contact: {law: hertz, stiffness: 1e9}, lubricant: {film: squeeze-ball, viscosity: 0.1}}}\n"
        "run: {until: 1}\n";
    play_run r = {0};
    MUST(lash_model_parse(&r.model, text, strlen(text), "test.yaml", NULL, &error));
    MUST(lash_system_compile(&r.system, r.model, &error));
    const lashi_contact *joint = &r.system->contacts[0];
    const lashi_memory free_flight = {0};
    const double bristle[3] = {0};
    uint64_t seed = 7;
    for (int k = 0; k < 300; k++) {
        lashi_vec3 at[2], v[2], spin[2];
        double p[2][4];
        for (int b = 0; b < 2; b++) {
            for (int i = 0; i < 4; i++)
                p[b][i] = random_number(&seed) + (i == 0 ? 2 : 0);
            spin[b] = random_vector(&seed, 50);
        }
        // The second body is placed so that its ball stands in the socket, and moves with it but for edot.
        const lashi_vec3 e = random_vector(&seed, k == 0 ? 0 : 0.55e-4), edot = random_vector(&seed, 1e-2);
        const lashi_vec3 turn = random_vector(&seed, 80);
        lashi_vec3 S[2], found[2];
        double power[2];
        double A[9], unit[4];
        for (int b = 0; b < 2; b++) {
            lashi_rotation(A, unit, p[b]);
            S[b] = lashi_turn3(A, joint->p->s3[b]);
        }
        at[0] = random_vector(&seed, 1);
        at[1] = lashi_sub3(lashi_add3(lashi_add3(at[0], S[0]), e), S[1]);
        v[0] = random_vector(&seed, 1);
        v[1] = lashi_add3(lashi_add3(v[0], lashi_cross3(spin[0], S[0])),
                          lashi_sub3(edot, lashi_cross3(spin[1], S[1])));
        for (int observer = 0; observer < 2; observer++) {
            lashi_frame frames[3];
            double g[3][LASHI_FREEDOMS] = {{0}}, zdot[3];
            lashi_frame_ground(&frames[0]);
            for (int b = 0; b < 2; b++) {
                const lashi_vec3 w = lashi_scale3(observer, turn);
                frames[1 + b] =
                    frame_of(at[b], p[b], lashi_add3(v[b], lashi_cross3(w, at[b])), lashi_add3(spin[b], w));
            }
            lashi_contact_state out;
            lashi_contact_apply(g, &out, zdot, joint, &free_flight, frames, bristle);
            lashi_vec3 force = {0, 0, 0}, moment = {0, 0, 0};
            double gained = 0, size = 0;
            for (int b = 1; b < 3; b++) {
                const lashi_vec3 F = lashi_vec3_of(g[b]), M = lashi_vec3_of(g[b] + 3);
                force = lashi_add3(force, F);
                moment =
                    lashi_add3(moment, lashi_add3(lashi_cross3(frames[b].r, F), lashi_turn3(frames[b].A, M)));
                gained += lashi_dot3(F, frames[b].v) + lashi_dot3(M, frames[b].own);
                size += fabs(lashi_dot3(F, frames[b].v)) + fabs(lashi_dot3(M, frames[b].own));
            }
            found[observer] = lashi_vec3_of(g[2]);
            power[observer] = out.film_power;
            assert_true(out.film_power > 0 && out.film_force > 0 && out.film_torque > 0);
            assert_near(lashi_length3(force), 0, 1e-13 * out.film_force);
            assert_near(lashi_length3(moment), 0, 1e-11 * out.film_force);
            assert_near(-gained, out.film_power, 1e-12 * size);
            assert_near(lashi_length3(out.wet), out.film_force, 1e-13 * out.film_force);
        }
        assert_near(lashi_length3(lashi_sub3(found[1], found[0])), 0, 1e-8 * lashi_length3(found[0]));
        assert_relative(power[1], power[0], 1e-8);
    }
    play_end(&r);
}

/* ---- the film alone ---- */

static void dropped_ball_follows_the_squeeze_film(void **state) {
    (void)state;
    const double c = 0.5e-3, mu = 0.4, R = radius - c, gravity = 60, m = 0.1, W = m * gravity;
    const double C = 6 * pi * mu * R * R * R * R / (c * c);
    play_run r;
    ball_in_oil(&r, "0.5 mm", "law: none", "viscosity: 0.4, dry: false", gravity, 0.25, "gear");
    static const char *const channels[] = {"j.e", "j.edot", "j.film", "j.film_force", "j.film_pressure"};
    thrown(&r, (const double[6]){0});
    keep(&r, channels, 5, 200);
    finish(&r, NULL);
    assert_int_equal(r.summary.clearances[0].contacts, 0);
    assert_int_equal(r.event_count, 0);
    assert_true(r.summary.clearances[0].min_film > 0);
    double thickness = INFINITY, eps = 0;
    for (size_t i = 1; i < r.row_count; i++) {
        const double *row = r.rows + i * r.columns, t = row[0];
        eps = row[1] / c;
        const double l = log((1 + eps) / (1 - eps)), ee = eps * eps;
        const double G = eps < 0.05 ? eps * (4.0 / 3 + ee * (8.0 / 15 + ee * 12.0 / 35))
                                    : ((1 + ee) * l - 2 * eps) / (2 * ee);
        assert_near(C * G, W * t - m * row[2], 1e-6 * W * t);
        assert_true(row[3] > 0 && row[3] < thickness);
        thickness = row[3];
        // From the pole to the great circle where the pressure vanishes.
        const double a = row[2] / c;
        assert_relative(row[5], mu * (R / c) * (R / c) * 3 * a * (2 - eps) / ((1 - eps) * (1 - eps)), 1e-6);
    }
    assert_true(eps > 0.97);
    assert_relative(r.rows[(r.row_count - 1) * r.columns + 4], W, 1e-2);
    assert_true(r.summary.max_balance_error <= 1e-7 * r.summary.energy_exchanged);
    play_end(&r);
}

/* ---- film and dry contact ---- */

static const double throw[6] = {0.6, 0.8, -0.5, 30, -20, 100};
#define THIN_OIL "viscosity: 1e-4, e0: 2 um, e1: 20 um"

static void energy_balance_closes(void **state) {
    (void)state;
    static const struct {
        const char *friction, *lubricant;
        bool dry;
    } cases[] = {{"law: none", THIN_OIL, true},
                 {"law: ambrosio, coefficient: 0.05", THIN_OIL, true},
                 {"law: lugre, coefficient: 0.05", THIN_OIL ", shear: no", true},
                 {"law: none", "viscosity: 0.02, dry: false", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        play_run r;
        ball_in_oil(&r, "0.1 mm", cases[k].friction, cases[k].lubricant, 9.81, 0.01, "dop853");
        static const char *const channels[] = {"energy.film", "energy.balance"};
        thrown(&r, throw);
        keep(&r, channels, 2, 100);
        finish(&r, NULL);
        const lash_clearance_summary *s = &r.summary.clearances[0];
        print_message("case %zu: balance %.2g of %.3g J, film %.3g J, %zu times through, %zu contacts\n", k,
                      r.summary.max_balance_error, r.summary.energy_exchanged, s->film_loss, s->through,
                      s->contacts);
        assert_true(r.summary.max_balance_error <= 1e-8 * r.summary.energy_exchanged);
        assert_true(s->film_loss > 1e-3 * r.summary.energy_exchanged);
        for (size_t i = 1; i < r.row_count; i++) // never gives back
            assert_true(r.rows[i * r.columns + 1] >= r.rows[(i - 1) * r.columns + 1]);
        assert_true(cases[k].dry ? s->through > 0 : s->contacts == 0);
        play_end(&r);
    }
}

/* Acceleration of the ball just before and just after every change of mode. */
typedef struct jump {
    size_t channel[3], seen[LASH_EVENT_KINDS], events;
    double before[3], worst, largest;
    bool any;
} jump;

static lash_status look_for_jumps(void *user, lash_sim *sim, double t_old, double t_new) {
    jump *j = user;
    double now[3];
    lash_sim_values_at(now, sim, j->channel, 3, t_old);
    const size_t events = lash_sim_summary(sim).events;
    for (int k = 0; j->any && events > j->events && k < 3; k++)
        j->worst = fmax(j->worst, fabs(now[k] - j->before[k]));
    j->events = events;
    lash_sim_values_at(j->before, sim, j->channel, 3, t_new);
    j->largest = fmax(j->largest, hypot(hypot(now[0], now[1]), now[2]));
    j->any = true;
    return LASH_OK;
}

static void force_is_continuous_over_the_transition(void **state) {
    (void)state;
    play_run r;
    ball_in_oil(&r, "0.1 mm", "law: ambrosio, coefficient: 0.05", THIN_OIL, 9.81, 0.01, "dop853");
    thrown(&r, throw);
    keep(&r, NULL, 0, 1);
    jump j = {.channel = {lash_sim_find_channel(r.sim, "b.ax"), lash_sim_find_channel(r.sim, "b.ay"),
                          lash_sim_find_channel(r.sim, "b.az")}};
    finish(&r, &(lash_run_control){.observe = look_for_jumps, .user = &j});
    for (size_t k = 0; k < r.event_count; k++)
        j.seen[r.events[k].kind]++;
    assert_true(j.seen[LASH_EVENT_ONSET] > 0 && j.seen[LASH_EVENT_RELEASE] > 0);
    assert_true(j.seen[LASH_EVENT_THROUGH] > 0 && j.seen[LASH_EVENT_FILM] > 0);
    assert_true(j.worst < 1e-6 * j.largest);
    play_end(&r);
}

/* ---- the four-bar of Flores 2006 ---- */

static void oil_calms_the_four_bar(void **state) {
    (void)state;
    static const char *const balls[] = {"clearance", "lubricated"}, *const channels[] = {"ball.e"};
    lash_clearance_summary s[2];
    for (int k = 0; k < 2; k++) {
        play_run r;
        const lash_setting setting = {"ball", balls[k]};
        play_example(&r, "flores-2006", &setting, 1);
        play_settings(&r, 0.1, 1e-8);
        play_go(&r, channels, 1, 10);
        if (r.status != LASH_STOP_END)
            fail_msg("%s: %s", balls[k], r.error.message);
        assert_true(r.summary.max_balance_error <= 1e-8 * r.summary.energy_exchanged);
        s[k] = r.summary.clearances[0];
        play_end(&r);
    }
    print_message("dry: %zu impacts, %.4g N; in oil: %zu impacts, least film %.4g m, lost in it %.4g J\n",
                  s[0].impacts, s[0].peak_force, s[1].impacts, s[1].min_film, s[1].film_loss);
    assert_true(s[0].impacts > 3 && s[1].impacts == 0);
    assert_true(s[1].min_film > 0 && s[1].film_loss > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_about_the_line_of_centres),
        cmocka_unit_test(film_balances_at_random_states),
        cmocka_unit_test(dropped_ball_follows_the_squeeze_film),
        cmocka_unit_test(energy_balance_closes),
        cmocka_unit_test(force_is_continuous_over_the_transition),
        cmocka_unit_test(oil_calms_the_four_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
