/* SPDX-License-Identifier: MIT
 *
 * From the film to dry contact and back (hybrid.h): a journal that is led around once through film, transition
 * and dry contact, out and in again, with the contact's memory as the loop keeps it. Force and moments are
 * continuous at both borders in both directions, and the work done on the way around is what the losses say.
 * Then runs in which a film is pressed through: what is reported of its share and pressure, and what is warned
 * of.
 *
 * The path: |e| = c + e0 (1/2 + 3/2 sin τ), which passes δ = 0 at sin τ = −1/3 and δ = e0 at sin τ = 1/3,
 * its direction swinging, the bodies turning.
 */
#include "own_cache.h"
#include "physics/play.h"

#include <stdlib.h>
#include <unistd.h>

#include "contact/film_cache.h"
#include "joint/space.h"
#include "laws/near.h"
#include "laws/numbers.h"

static const double RATE = 400;                          /* rad/s, of τ */
static const double LENGTH = 0.01, RADIUS = 0.01 - 1e-4; /* m, of the film */

typedef struct rig2 {
    play_run run;
    const lashi_contact *contact;
} rig2;

static rig2 rig2_open(bool space, const char *contact, const char *lubricant) {
    rig2 r = {0};
    lash_error error = {0};
    char text[2048];
    snprintf(
        text, sizeof text,
        "space: %s\n"
        "materials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: %s, points: {p: [0.1, 0.2%s]}}\n"
        "  b: {mass: 1, inertia: %s, points: {p: [-0.3, 0.2%s]}}\n"
        "joints:\n  j: {type: %s, between: [a.p, b.p], clearance: {bearing_radius: 10 mm, radial: 0.1 mm,\n"
        "    length: 10 mm, contact: {%s}, friction: {law: threlfall, coefficient: 0.1},\n"
        "    lubricant: {%s}}}\nrun: {until: 1}\n",
        space ? "spatial" : "planar", space ? "[1, 1, 1]" : "1", space ? ", -0.1" : "",
        space ? "[1, 1, 1]" : "1", space ? ", 0.1" : "", space ? "spherical" : "revolute", contact,
        lubricant);
    MUST(lash_model_parse(&r.run.model, text, strlen(text), "test.yaml", NULL, &error));
    MUST(lash_system_compile(&r.run.system, r.run.model, &error));
    r.contact = &r.run.system->contacts[0];
    return r;
}

/* Both bodies where the path has them at τ. */
static void frames_at(lashi_frame frames[3], const rig2 *r, double tau) {
    const double c = r->contact->p->size.clearance, e0 = r->contact->p->hybrid.e0;
    const double size = c + e0 * (0.5 + 1.5 * sin(tau)), rate = 1.5 * e0 * cos(tau) * RATE;
    const double angle = 0.7 + 0.4 * cos(tau + 1), turning = -0.4 * sin(tau + 1) * RATE;
    const double n[2] = {cos(angle), sin(angle)}, w[2] = {30, -70};
    const double e[2] = {size * n[0], size * n[1]},
                 edot[2] = {rate * n[0] - size * turning * n[1], rate * n[1] + size * turning * n[0]};
    lashi_frame_ground(&frames[0]);
    if (!r->run.system->spatial) {
        double at[2][3] = {{0.3, -0.2, 0.5}, {0, 0, -0.9}}, v[2][3] = {{1, 2, w[0]}, {0, 0, w[1]}};
        lashi_frame_from(&frames[1], at[0], v[0]);
        lashi_frame_from(&frames[2], at[1], v[1]);
        const lashi_vec2 S[2] = {lashi_turn(&frames[1], r->contact->p->s[0]),
                                 lashi_turn(&frames[2], r->contact->p->s[1])};
        at[1][0] = at[0][0] + S[0].x + e[0] - S[1].x;
        at[1][1] = at[0][1] + S[0].y + e[1] - S[1].y;
        v[1][0] = v[0][0] - w[0] * S[0].y + edot[0] + w[1] * S[1].y;
        v[1][1] = v[0][1] + w[0] * S[0].x + edot[1] - w[1] * S[1].x;
        lashi_frame_from(&frames[2], at[1], v[1]);
        return;
    }
    // In an oblique plane, the bodies turning about other axes.
    const lashi_vec3 u1 = {2.0 / 3, 1.0 / 3, 2.0 / 3}, u2 = {-2.0 / 3, 2.0 / 3, 1.0 / 3};
    const lashi_vec3 E = lashi_axpy3(lashi_scale3(e[0], u1), e[1], u2),
                     rate3 = lashi_axpy3(lashi_scale3(edot[0], u1), edot[1], u2);
    const lashi_vec3 spin[2] = {{30, -20, 10}, {-15, 40, 60}}, v0 = {1, 2, 3}, at0 = {0.3, -0.2, 0.1};
    const double p[2][4] = {{0.8, 0.3, -0.4, 0.2}, {0.5, -0.6, 0.1, 0.7}};
    lashi_vec3 S[2];
    double A[2][9], unit[2][4];
    for (int b = 0; b < 2; b++) {
        lashi_rotation(A[b], unit[b], p[b]);
        S[b] = lashi_turn3(A[b], r->contact->p->s3[b]);
    }
    const lashi_vec3 at[2] = {at0, lashi_sub3(lashi_add3(lashi_add3(at0, S[0]), E), S[1])};
    const lashi_vec3 v[2] = {v0, lashi_add3(lashi_add3(v0, lashi_cross3(spin[0], S[0])),
                                            lashi_sub3(rate3, lashi_cross3(spin[1], S[1])))};
    for (int b = 0; b < 2; b++) {
        const lashi_vec3 own = lashi_turn_back(A[b], spin[b]);
        const double q[7] = {at[b].x, at[b].y, at[b].z, unit[b][0], unit[b][1], unit[b][2], unit[b][3]},
                     rates[6] = {v[b].x, v[b].y, v[b].z, own.x, own.y, own.z};
        lashi_frame_from3(&frames[1 + b], q, rates);
    }
}

typedef struct instant {
    double g[3][LASHI_FREEDOMS]; /* on both bodies */
    lashi_contact_state state;
    double power; /* W, of g */
} instant;

static instant evaluate(const rig2 *r, const lashi_memory *memory, double tau) {
    instant at = {0};
    lashi_frame frames[3];
    double zdot[3];
    const double bristle[3] = {0};
    frames_at(frames, r, tau);
    lashi_contact_apply(at.g, &at.state, zdot, r->contact, memory, frames, bristle);
    for (int b = 1; b < 3; b++)
        if (r->run.system->spatial)
            at.power += lashi_dot3(lashi_vec3_of(at.g[b]), frames[b].v) +
                        lashi_dot3(lashi_vec3_of(at.g[b] + 3), frames[b].own);
        else
            at.power += at.g[b][0] * frames[b].vx + at.g[b][1] * frames[b].vy + at.g[b][2] * frames[b].w;
    return at;
}

static double lost(const instant *at) {
    return at->state.film_power + at->state.damping_power + at->state.friction_power;
}

/* The stretches of the path, from τ = −π/2, and the memory on each. */
enum { FILM_OUT, MIXED_OUT, DRY_OUT, DRY_IN, MIXED_IN, FILM_IN, STRETCHES };
static void borders(double tau[STRETCHES + 1]) {
    const double third = asin(1.0 / 3);
    const double at[] = {-pi / 2, -third, third, pi / 2, pi - third, pi + third, 3 * pi / 2};
    memcpy(tau, at, sizeof at);
}

static lashi_memory memory_on(const rig2 *r, int stretch) {
    const bool touches = stretch > FILM_OUT && stretch < FILM_IN;
    return (lashi_memory){
        .touching = touches,
        .through = stretch == DRY_OUT || stretch == DRY_IN,
        .onset = {.unloading = touches && stretch >= DRY_IN,
                  .speed = touches ? 1.5 * r->contact->p->hybrid.e0 * cos(asin(1.0 / 3)) * RATE : 0}};
}

/* Forces on both sides of every border but the turning points, at places that rounding alone separates. */
static void require_continuous(const rig2 *r, const char *what) {
    static const double APART = 1e-12;
    double tau[STRETCHES + 1];
    borders(tau);
    for (int s = 1; s < STRETCHES; s++) {
        if (s == DRY_IN) // kelvin-voigt jumps where δ̇ does not
            continue;
        const lashi_memory before = memory_on(r, s - 1), after = memory_on(r, s);
        const instant a = evaluate(r, &before, tau[s] - APART), b = evaluate(r, &after, tau[s] + APART);
        const double force = lashi_length3(lashi_add3(a.state.dry, a.state.wet));
        assert_true(force > 1);
        for (int body = 1; body < 3; body++)
            for (int i = 0; i < LASHI_FREEDOMS; i++)
                if (!(fabs(a.g[body][i] - b.g[body][i]) < 1e-8 * force))
                    fail_msg("%s: force %d on body %d jumps by %g of %g N at border %d", what, i, body,
                             b.g[body][i] - a.g[body][i], force, s);
        assert_near(lost(&a), lost(&b), 1e-8 * (fabs(lost(&a)) + force * 1e-2));
        // The film's share as its definition has it, and what goes with it.
        assert_near(a.state.film_share, s == MIXED_OUT || s == FILM_IN ? 1 : 0, 1e-9);
    }
}

/* Once around: the work of the forces and what was lost are opposite; each stretch by Gauss's rule. */
static void require_closed(const rig2 *r, const char *what) {
    static const double at[5] = {0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155,
                                 0.95308992296933200};
    static const double weight[5] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                     0.23931433524968324, 0.11846344252809454};
    enum { PIECES = 200 };
    double tau[STRETCHES + 1], work = 0, loss = 0, wet = 0, dry = 0;
    borders(tau);
    for (int s = 0; s < STRETCHES; s++) {
        const lashi_memory memory = memory_on(r, s);
        const double length = (tau[s + 1] - tau[s]) / PIECES;
        for (int piece = 0; piece < PIECES; piece++)
            for (int k = 0; k < 5; k++) {
                const instant now = evaluate(r, &memory, tau[s] + (piece + at[k]) * length);
                const double dt = weight[k] * length / RATE;
                work += now.power * dt;
                loss += lost(&now) * dt;
                wet += now.state.film_power * dt;
                dry += (now.state.damping_power + now.state.friction_power) * dt;
            }
    }
    assert_true(wet > 1e-3 * loss && dry > 1e-3 * loss); // both took part
    if (!(fabs(work + loss) < 1e-9 * loss))
        fail_msg("%s: once around the work is %.12g J, the loss %.12g J", what, work, loss);
}

static void test_borders_and_loop(void **state) {
    (void)state;
    static const struct {
        bool space;
        const char *lubricant;
    } films[] = {{false, "film: squeeze-long, viscosity: 0.4"},
                 {false, "film: squeeze-long, extent: half, viscosity: 0.4"},
                 {false, "film: long, viscosity: 0.4"},
                 {false, "film: long, extent: full, viscosity: 0.4"},
                 {false, "film: short, viscosity: 0.4"},
                 {false, "film: short, extent: full, viscosity: 0.4"},
                 {false, "film: reynolds, viscosity: 0.4"},
                 {false, "film: short, viscosity: 0.4, e0: 0.3, e1: 0.4"},
                 {true, "film: squeeze-ball, viscosity: 0.4"},
                 {true, "film: squeeze-ball, viscosity: 0.4, shear: no, e0: 0.02, e1: 0.5"}};
    static const char *const contacts[] = {"law: lankarani-nikravesh, restitution: 0.8, stiffness: 1e9",
                                           "law: kelvin-voigt, restitution: 0.7, stiffness: 1e7"};
    for (size_t f = 0; f < sizeof films / sizeof *films; f++)
        for (size_t c = 0; c < sizeof contacts / sizeof *contacts; c++) {
            rig2 r = rig2_open(films[f].space, contacts[c], films[f].lubricant);
            require_continuous(&r, films[f].lubricant);
            require_closed(&r, films[f].lubricant);
            play_end(&r.run);
        }
}

/* ---- runs ---- */

enum { DELTA = 1, SHARE, FN, FILM, PRESSURE, COLUMNS = PRESSURE };

/* A journal of 0.1 kg in a film, pressed by a weight. */
static void pressed(play_run *r, lash_clearance_def *play, double viscosity, double vy, double gravity,
                    double until) {
    static const char *const channels[] = {"pin.delta", "pin.film_share", "pin.fn", "pin.film_force",
                                           "pin.film_pressure"};
    lash_error error = {0};
    play->has_lubricant = true;
    play->lubricant.film = "short";
    play->lubricant.viscosity = viscosity;
    play_ball(r, play, 0, vy, 0, gravity);
    play_settings(r, until, 1e-8);
    play_start(r);
    const lash_record_options options = {
        .channels = channels, .channel_count = COLUMNS, .every = LASH_UNSET, .steps = true};
    MUST(lash_record_create(&r->record, r->sim, &options, &error));
    MUST(lash_record_to_memory(r->record, &error));
    r->status = lash_sim_run(r->sim, r->record, NULL, &r->error);
    assert_int_equal(r->status, LASH_STOP_END);
    r->summary = lash_sim_summary(r->sim);
    r->rows = lash_record_rows(&r->row_count, r->record, LASH_STREAM_STEPS);
    r->columns = lash_record_column_count(r->record);
}

/* Pressure and force are those of the film's share: none where dry contact is alone. A film that carries more
 * than the contact does at e0 lets the journal drop. */
static void test_pressed_through(void **state) {
    (void)state;
    static const struct {
        double transition; // of c
        bool drops;
    } cases[] = {{0.1, true}, {0.9, false}};
    const double load = 4000; // N
    for (int k = 0; k < 2; k++) {
        lash_clearance_def play = play_clearance("lankarani-nikravesh", 0.5);
        play.length = 0.002; // L/D = 0.1
        play.lubricant.transition[1] = cases[k].transition;
        play.lubricant.reserve[1] = 1.2 * cases[k].transition;
        play_run r;
        pressed(&r, &play, 0.4, 0, load / 0.1, 0.02);
        const double e0 = cases[k].transition * play.radial;
        size_t dry = 0, mixed = 0;
        double carried = 0;
        for (size_t i = 0; i < r.row_count; i++) {
            const double *row = r.rows + i * r.columns, share = fmax(0, fmin(1, 1 - row[DELTA] / e0));
            assert_near(row[SHARE], share, 1e-6); // at an event the contact has yet to begin
            if (row[SHARE] == 0) {
                assert_near(row[FILM], 0, 0);
                assert_near(row[PRESSURE], 0, 0);
                dry++;
            } else if (row[SHARE] < 1) {
                assert_true(row[FILM] > 0 && row[PRESSURE] > 0 && row[FN] > 0);
                if (dry == 0 && share < 1 - 1e-6) // after the onset and before it is pressed through
                    carried = fmax(carried, row[FILM]);
                mixed++;
            }
        }
        const lash_clearance_summary *s = &r.summary.clearances[0];
        assert_true(mixed > 10);
        assert_true(r.summary.max_balance_error < 1e-7 * r.summary.energy_exchanged);
        if (cases[k].drops) {
            assert_true(dry > 10);
            assert_int_equal(s->dropped, 1);
            assert_relative(s->dropped_from, carried, 1e-12);
            assert_true(carried > lash_system_clearance(r.system, 0).transition_force);
        } else {
            assert_int_equal(s->dropped, 0);
        }
        play_end(&r);
    }
}

/* Pressures beyond what steel bears are counted, with the largest and its time; lower ones are not. */
static void test_pressure_limit(void **state) {
    (void)state;
    static const double speeds[] = {-2, -0.02};
    for (int k = 0; k < 2; k++) {
        lash_clearance_def play = play_clearance("lankarani-nikravesh", 0.9);
        play_run r;
        pressed(&r, &play, 0.1, speeds[k], 9.81, 2e-3);
        size_t count = 0;
        double most = 0, when = 0;
        bool over = false;
        for (size_t i = 1; i < r.row_count; i++) { // accepted steps, without the start
            const double *row = r.rows + i * r.columns, p = row[PRESSURE];
            count += p > LASH_STEEL_PRESSURE && !over;
            over = p > LASH_STEEL_PRESSURE;
            if (p > most) {
                most = p;
                when = row[0];
            }
        }
        const lash_clearance_summary *s = &r.summary.clearances[0];
        print_message("%g m/s: at most %.3g GPa, %zu times above the limit\n", -speeds[k], most / 1e9, count);
        assert_int_equal(count > 0, k == 0);
        assert_int_equal(s->over_pressure, count);
        if (count) {
            assert_relative(s->film_pressure, most, 1e-12);
            assert_relative(s->film_pressure_time, when, 1e-12);
        } else {
            assert_true(isnan(s->film_pressure) && isnan(s->film_pressure_time));
        }
        play_end(&r);
    }
}

/* The cheap bound is one: no film has a larger pressure, and the search may be left out below it. */
static void test_bound(void **state) {
    (void)state;
    static const char *const films[] = {"squeeze-long", "long", "short", "reynolds", "squeeze-ball"};
    for (size_t f = 0; f < sizeof films / sizeof *films; f++)
        for (int half = f == 3; half < (f < 4 ? 2 : 1); half++) { // of the table one, as it is above
            lashi_film film;
            const lashi_film_data data = {.model = films[f],
                                          .viscosity = 0.1,
                                          .length = LENGTH,
                                          .radius = RADIUS,
                                          .clearance = 1e-4,
                                          .full = !half,
                                          .shear = -1};
            assert_int_equal(lashi_film_compile(&film, film_numbers(), &data, NULL), LASH_OK);
            double closest = 0;
            for (double eps = 0; eps < 1; eps = 1 - 0.7 * (1 - eps) + (eps == 0) * 1e-3) {
                if (eps > 0.999)
                    break;
                for (int turn = 0; turn < 48; turn++) {
                    const double angle = 2 * pi * turn / 48;
                    const lashi_film_motion m = {.eps = eps, .radial = cos(angle), .transverse = sin(angle)};
                    const double share = lashi_film_peak(&film, m) / lashi_film_bound(&film, &m);
                    closest = fmax(closest, share);
                }
            }
            if (!(closest <= 1 + 1e-3) || !(closest > 0.1)) // the table's error, and it is not useless
                fail_msg("%s: %g of the bound", films[f], closest);
            lashi_film_clear(&film);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_borders_and_loop),
        cmocka_unit_test(test_pressed_through),
        cmocka_unit_test(test_pressure_limit),
        cmocka_unit_test(test_bound),
    };
    return cmocka_run_group_tests(tests, own_cache_begin, own_cache_end);
}
