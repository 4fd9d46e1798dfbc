/* SPDX-License-Identifier: MIT
 *
 * Wear: closed forms of a journal that turns under a constant load, balances, orders, an elliptic bearing
 * against plane geometry, and lives by jumps against lives turn by turn.
 */
#include <stdlib.h>
#include <unistd.h>

#include "play.h"

#include "../laws/near.h"

/* A journal of 20 kg that turns in a fixed bearing; or a ring of 20 kg that turns on a fixed journal. Soft,
 * so that the arc is wide. */
#define SHAFT                                                                                                \
    "gravity: [0, %g]\nbodies: {shaft: {mass: 20, inertia: 0.02}}\njoints:\n"                                \
    "  bearing: {type: revolute, between: %s, clearance: {bearing_radius: 10 mm, radial: 0.05 mm, "          \
    "length: 15 mm, contact: {law: %s, stiffness: 1e9}, friction: %s, wear: {k: %g, share: "                 \
    "[0.7, 0.3], sectors: %d}}}\n"                                                                           \
    "drives: {motor: {joint: bearing, speed: 60 rpm}}\nrun: {until: 4 rev of motor, rtol: 1e-8}\n"

static const double K = 1e9, load = 20 * 9.81, c = 5e-5, R_i = 0.01, R_j = 0.00995, L = 0.015, k = 1e-13;

typedef struct rig {
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
    int sectors;
} rig;

static void rig_open(rig *r, bool ring, const char *friction, double factor, int sectors) {
    lash_error error = {0};
    char text[2048];
    // The weight presses the ring's bearing onto the top of its journal.
    snprintf(text, sizeof text, SHAFT, -9.81, ring ? "[shaft, ground]" : "[ground, shaft]",
             "hunt-crossley, restitution: 0.2, approach: energy", friction, factor, sectors);
    *r = (rig){.sectors = sectors};
    MUST(lash_model_parse(&r->model, text, strlen(text), "shaft", NULL, &error));
    MUST(lash_system_compile(&r->system, r->model, &error));
    MUST(lash_sim_create(&r->sim, r->system, &error));
    // From where it rests.
    double *y = calloc(lash_sim_coordinate_count(r->sim), sizeof *y);
    lash_sim_coordinates(y, r->sim);
    y[1] = -(c + pow(load / K, 2.0 / 3));
    lash_sim_destroy(r->sim);
    MUST(lash_sim_create_at(&r->sim, r->system, y, &error));
    free(y);
}

static void rig_close(rig *r) {
    lash_sim_destroy(r->sim);
    lash_system_destroy(r->system);
    lash_model_destroy(r->model);
}

static void rig_turn(rig *r, double turns) {
    lash_error error = {0};
    MUST(lash_sim_run_until(r->sim, turns, NULL, NULL, &error));
}

static const double *wear_of(rig *r, double *volume) {
    static double worn[2 * 3600];
    *volume = lash_sim_worn(worn, worn + r->sectors, r->sim, 0);
    return worn;
}

/* V = k F s, and the turning part is worn evenly; the other where it is pressed, as the depth of the bed is:
 * h(φ) = V (e cos φ − c)/(R L ∫ (e cos φ − c) dφ), to fourth order in the width of a sector. */
static void constant_load_and_rotation(void **state) {
    (void)state;
    for (int ring = 0; ring < 2; ring++) {
        double middle[3];
        const double portion[2] = {0.7, 0.3}, radius[2] = {R_i, R_j};
        const int even = ring ? LASH_BEARING : LASH_JOURNAL;
        const double delta = pow(load / K, 2.0 / 3), e = c + delta, psi = acos(c / e);
        const double V = k * load * (ring ? R_j + e : R_j) * 2 * pi * 2;
        const double exact =
            portion[1 - even] * V * delta / (radius[1 - even] * L * 2 * (e * sin(psi) - c * psi));
        for (int level = 0; level < 3; level++) {
            rig r;
            const int S = 60 << level;
            rig_open(&r, ring, "{law: none}", k, S);
            rig_turn(&r, 2);
            double volume, sums[2] = {0, 0};
            const double *worn = wear_of(&r, &volume);
            assert_relative(volume, V, 1e-6);
            const lash_worn_info info = lash_system_worn(r.system, 0);
            for (int s = 0; s < S; s++) {
                sums[0] += worn[s];
                sums[1] += worn[S + s];
            }
            assert_relative(sums[0], 0.7 * volume, 1e-12);
            assert_relative(sums[1], 0.3 * volume, 1e-12);
            double profile[2][240];
            for (int part = 0; part < 2; part++) {
                double sum = 0;
                lash_worn_gain(profile[part], &info, part, worn + part * S);
                for (int s = 0; s < S; s++)
                    sum += profile[part][s] / info.depth[part];
                assert_relative(sum, portion[part] * volume, 1e-12);
            }
            for (int s = 0; s < S; s++)
                assert_relative(profile[even][s], portion[even] * V / (2 * pi * radius[even] * L), 1e-6);
            middle[level] = lash_worn_depth(&info.shape, profile[1 - even], ring ? pi / 2 : -pi / 2);
            assert_relative(lash_worn_deepest(&info.shape, profile[1 - even]), middle[level], 1e-9);
            rig_close(&r);
        }
        const double error[3] = {middle[0] - exact, middle[1] - exact, middle[2] - exact};
        assert_near(error[0] / error[1], 16, 1);
        assert_relative(middle[2], exact, 1e-6);
    }
}

/* With friction its work is μ times that of load and sliding: two quadratures of their own. */
static void friction_and_wear_are_told_apart(void **state) {
    (void)state;
    rig r;
    rig_open(&r, false, "{law: ambrosio, coefficient: 0.1, v0: 1e-4, v1: 1e-3}", k, 120);
    rig_turn(&r, 1);
    const lash_summary summary = lash_sim_summary(r.sim);
    const lash_clearance_summary *s = &summary.clearances[0];
    assert_relative(s->friction_loss, 0.1 * s->sliding_work, 1e-6);
    assert_relative(s->worn, k * s->sliding_work, 1e-15);
    assert_true(s->energy_lost >= s->friction_loss && s->sliding_work > 10);
    rig_close(&r);
}

/* ---- an ellipse ---- */

#define ELLIPSE                                                                                              \
    "gravity: [0, 0]\nbodies: {ring: {mass: 1, inertia: 1}, pin: {mass: 1, inertia: 1}}\njoints:\n"          \
    "  bearing: {type: revolute, between: [ring, pin], clearance: {bearing_radius: %g, radial: 0.05 mm, "    \
    "offset: [%.17g, %.17g], contact: {law: hertz, stiffness: 1e9}, wear: {bearing: \"20 "                   \
    "um*sin(angle)^2\", "                                                                                    \
    "journal: \"8 um*cos(angle/2)^2\", sectors: 360}}}\n"                                                    \
    "run: {until: 1 ms, rtol: 1e-10}\n"

/* The gap in the plane, of two closed curves: the least over the journal's points of the distance to the
 * bearing's curve, found in small steps and by parabolas. The direction is the journal's own normal there. */
static double plane_gap(double *direction, double R, double ex, double ey) {
    double least = INFINITY;
    for (int i = 0; i < 20000; i++) {
        const double a = 2 * pi * i / 20000, r = R - c - 8e-6 * cos(a / 2) * cos(a / 2);
        const double x = ex + r * cos(a), y = ey + r * sin(a), phi = atan2(y, x);
        // Distance to r = R + 20 µm sin² φ: along the radius, less what the wall leans.
        const double wall = R + 20e-6 * sin(phi) * sin(phi), lean = 20e-6 * sin(2 * phi) / wall;
        const double gap = (wall - hypot(x, y)) / sqrt(1 + lean * lean);
        if (gap < least) {
            least = gap;
            *direction = phi;
        }
    }
    return least;
}

static void an_ellipse_has_the_gap_of_plane_geometry(void **state) {
    (void)state;
    for (int i = 0; i < 24; i++) {
        lash_error error = {0};
        char text[2048];
        // To first order in c/R: the rest is at most e²/2R.
        const double R = i % 2 ? 1 : R_i, angle = 0.27 * i, e = 4e-5, ex = e * cos(angle),
                     ey = e * sin(angle);
        double direction = 0;
        snprintf(text, sizeof text, ELLIPSE, R, ex, ey);
        lash_model *model;
        lash_system *system;
        lash_sim *sim;
        MUST(lash_model_parse(&model, text, strlen(text), "ellipse", NULL, &error));
        MUST(lash_system_compile(&system, model, &error));
        MUST(lash_sim_create(&sim, system, &error));
        const double delta = lash_sim_value(sim, lash_sim_find_channel(sim, "bearing.delta"));
        assert_near(delta, -plane_gap(&direction, R, ex, ey), 0.5 * e * e / R + 1e-11);
        lashi_frame *frames = calloc(3, sizeof *frames);
        lashi_frames_fill(frames, system, system->full0);
        const lashi_gap gap = lashi_gap_of(&system->contacts[0], frames);
        assert_near(remainder(atan2(gap.n.y, gap.n.x) - direction, 2 * pi), 0, 2 * e / R + 5e-4);
        free(frames);
        lash_sim_destroy(sim);
        lash_system_destroy(system);
        lash_model_destroy(model);
    }
}

/* It is thrown about inside: energy and angular momentum stay, as LASH_CHECK sees step by step. */
static void an_ellipse_keeps_energy(void **state) {
    (void)state;
    lash_error error = {0};
    char text[2048];
    snprintf(text, sizeof text, ELLIPSE, R_i, 1e-5, 2e-5);
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
    MUST(lash_model_parse(&model, text, strlen(text), "ellipse", NULL, &error));
    MUST(lash_system_compile(&system, model, &error));
    MUST(lash_sim_create(&sim, system, &error));
    double y[12];
    assert_int_equal(lash_sim_coordinate_count(sim), 12);
    lash_sim_coordinates(y, sim);
    y[6] = 0.05, y[7] = -0.03, y[8] = 5, y[9] = -0.02, y[10] = 0.06, y[11] = -9;
    lash_sim_destroy(sim);
    MUST(lash_sim_create_at(&sim, system, y, &error));
    const size_t kinetic = lash_sim_find_channel(sim, "energy.kinetic"),
                 elastic = lash_sim_find_channel(sim, "energy.elastic");
    const double before = lash_sim_value(sim, kinetic) + lash_sim_value(sim, elastic);
    MUST(lash_sim_run_until(sim, 0.02, NULL, NULL, &error));
    const lash_summary s = lash_sim_summary(sim);
    assert_true(s.clearances[0].contacts > 5);
    assert_relative(lash_sim_value(sim, kinetic) + lash_sim_value(sim, elastic), before, 1e-9);
    lash_sim_destroy(sim);
    lash_system_destroy(system);
    lash_model_destroy(model);
}

/* ---- lives ---- */

static lash_life *live(const lash_life_options *given, double turns, int sectors, lash_status *status) {
    rig r;
    lash_error error = {0};
    lash_life *life;
    const lash_life_limit limit = {.kind = LASH_LIFE_TURNS, .value = turns};
    lash_life_options options = *given;
    rig_open(&r, false, "{law: none}", 10 * k, sectors);
    options.limits = &limit;
    options.limit_count = 1;
    *status = lash_life_run(&life, r.system, &options, &error);
    if (*status < 0)
        fail_msg("%s", error.message);
    rig_close(&r);
    return life;
}

static void jumps_agree_with_every_turn(void **state) {
    (void)state;
    lash_status status;
    enum { SECTORS = 24 };
    lash_life *jumps = live(&(lash_life_options){.tolerance = 0.02}, 2000, SECTORS, &status),
              *all = live(&(lash_life_options){.turn_by_turn = 1}, 2000, SECTORS, &status);
    const size_t n = lash_life_stage_count(jumps), m = lash_life_stage_count(all);
    assert_true(n < 40 && m == 2001);
    const lash_life_joint *a = &lash_life_stage_at(jumps, n - 1)->joints[0],
                          *b = &lash_life_stage_at(all, m - 1)->joints[0];
    assert_relative(a->volume, 10 * k * load * R_j * 2 * pi * 2000, 2e-3);
    assert_relative(a->volume, b->volume, 2e-3);
    for (int part = 0; part < LASH_WORN_PARTS; part++)
        for (size_t s = 0; s < SECTORS; s++)
            assert_near(a->profile[part][s], b->profile[part][s], 0.02 * b->deepest[part]);
    assert_true(b->deepest[LASH_BEARING] > 2e-5);
    assert_near(lash_life_turns(jumps), 2000, 1e-9);
    lash_life_destroy(jumps);
    lash_life_destroy(all);
}

/* Twice the sectors: the same volume, and profiles that differ to second order. */
static void sectors_are_enough(void **state) {
    (void)state;
    lash_status status;
    lash_life *lives[3];
    double deepest[3], volume[3];
    for (int level = 0; level < 3; level++) {
        lives[level] =
            live(&(lash_life_options){.turn_by_turn = 1}, 30, 48 << level, &status); // a node at the bottom
        const lash_life_stage *end =
            lash_life_stage_at(lives[level], lash_life_stage_count(lives[level]) - 1);
        deepest[level] = end->joints[0].deepest[LASH_BEARING];
        volume[level] = end->joints[0].volume;
        lash_life_destroy(lives[level]);
    }
    assert_relative(volume[1], volume[2], 1e-6);
    assert_relative(deepest[1], deepest[2], 0.01);
    assert_true(fabs(deepest[0] - deepest[1]) > 3 * fabs(deepest[1] - deepest[2]));
}

static bool stop_at(void *user, const lash_life_progress *p) {
    return p->stages < *(const size_t *)user;
}

/* Stopped twice and continued, a life is the same bit for bit; and its file says the same. */
static void a_life_goes_on(void **state) {
    (void)state;
    char path[] = "/tmp/lash-life-XXXXXX";
    close(mkstemp(path));
    lash_status status;
    size_t stages = 3;
    lash_life_options options = {.tolerance = 0.05, .store = path, .progress = stop_at, .user = &stages};
    lash_life *part = live(&options, 2000, 40, &status);
    assert_int_equal(status, LASH_STOP_INTERRUPTED);
    assert_null(lash_life_end(part));
    lash_life_destroy(part);
    stages = 5;
    lash_life_destroy(live(&options, 2000, 40, &status));
    assert_int_equal(status, LASH_STOP_INTERRUPTED);
    stages = SIZE_MAX;
    lash_life *life = live(&options, 2000, 40, &status), *again = NULL,
              *whole = live(&(lash_life_options){.tolerance = 0.05}, 2000, 40, &status);
    lash_error error = {0};
    MUST(lash_life_open(&again, path, &error));
    assert_int_equal(lash_life_stage_count(life), lash_life_stage_count(whole));
    assert_string_equal(lash_life_end(again), "turns");
    for (size_t i = 0; i < lash_life_stage_count(whole); i++) {
        const lash_life *both[] = {life, again};
        const lash_life_stage *a = lash_life_stage_at(whole, i);
        for (int b = 0; b < 2; b++) {
            const lash_life_stage *s = lash_life_stage_at(both[b], i);
            assert_true(s->turns == a->turns && s->torque_rms == a->torque_rms);
            assert_memory_equal(s->joints[0].profile[0], a->joints[0].profile[0], 40 * sizeof(double));
            assert_memory_equal(s->joints[0].profile[1], a->joints[0].profile[1], 40 * sizeof(double));
            assert_true(s->joints[0].play == a->joints[0].play);
        }
    }
    // Between two stages profiles grow linearly.
    const lash_life_stage *a = lash_life_stage_at(again, 1), *b = lash_life_stage_at(again, 2);
    double profile[40];
    MUST(lash_life_profile(profile, again, 0, LASH_JOURNAL, 0.75 * a->turns + 0.25 * b->turns, &error));
    for (int s = 0; s < 40; s++)
        assert_near(profile[s], 0.75 * a->joints[0].profile[1][s] + 0.25 * b->joints[0].profile[1][s], 1e-18);
    MUST(lash_life_profile(profile, again, 0, LASH_BEARING, b->turns, &error));
    assert_memory_equal(profile, b->joints[0].profile[0], sizeof profile);
    MUST(lash_life_profile(profile, again, 0, LASH_BEARING, (double)NAN, &error));
    assert_memory_equal(profile,
                        lash_life_stage_at(again, lash_life_stage_count(again) - 1)->joints[0].profile[0],
                        sizeof profile);
    assert_int_equal(lash_life_profile(profile, again, 0, LASH_BEARING, 2001, &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_life_profile(profile, again, 1, LASH_BEARING, 1, &error), LASH_ERROR_USAGE);
    lash_life_destroy(life);
    lash_life_destroy(again);
    lash_life_destroy(whole);
    unlink(path);
}

/* A life that begins with a given profile which touches zero, so that some of its coefficients are negative. */
static void a_given_profile_wears_on(void **state) {
    (void)state;
    char path[] = "/tmp/lash-life-XXXXXX", text[2048];
    close(mkstemp(path));
    lash_error error = {0};
    rig r = {.sectors = 48};
    snprintf(text, sizeof text, SHAFT, -9.81, "[ground, shaft]",
             "hunt-crossley, restitution: 0.2, approach: energy", "{law: none}", 10 * k, 48);
    char *wear = strstr(text, "sectors: 48");
    memmove(wear + 48, wear, strlen(wear) + 1);
    memcpy(wear, "bearing: \"3 um*(1 + cos(6*angle))\",                     ", 48);
    MUST(lash_model_parse(&r.model, text, strlen(text), "shaft", NULL, &error));
    MUST(lash_system_compile(&r.system, r.model, &error));
    const lash_worn_info info = lash_system_worn(r.system, 0);
    double least = 0, given[48];
    for (int s = 0; s < 48; s++)
        least = fmin(least, given[s] = info.profile[LASH_BEARING][s]);
    assert_true(least < -1e-9);
    const lash_life_limit limit = {.kind = LASH_LIFE_TURNS, .value = 200};
    lash_life *life, *again;
    MUST(lash_life_run(
        &life, r.system,
        &(lash_life_options){.limits = &limit, .limit_count = 1, .tolerance = 0.1, .store = path}, &error));
    MUST(lash_life_open(&again, path, &error));
    const lash_life_joint *new = &lash_life_stage_at(again, 0)->joints[0],
                          *end = &lash_life_stage_at(again, lash_life_stage_count(again) - 1)->joints[0];
    assert_memory_equal(new->profile[LASH_BEARING], given, sizeof given);
    // What the system has is the end of the life.
    assert_memory_equal(info.profile[LASH_BEARING], end->profile[LASH_BEARING], sizeof given);
    assert_relative(end->volume - new->volume, 10 * k * load * R_j * 2 * pi * 200, 0.01);
    lash_life_destroy(life);
    lash_life_destroy(again);
    rig_close(&r);
    unlink(path);
}

/* A limit on the play is met exactly, and one on a channel between two stages. */
static void limits_end_a_life(void **state) {
    (void)state;
    rig r;
    lash_error error = {0};
    lash_life *life;
    lash_life_limit limit;
    rig_open(&r, false, "{law: none}", 10 * k, 40);
    MUST(lash_life_limit_read(&limit, r.sim, "play bearing", "0.07 mm", &error));
    assert_int_equal(limit.kind, LASH_LIFE_PLAY);
    lash_life_options options = {.limits = &limit, .limit_count = 1, .tolerance = 0.05};
    MUST(lash_life_run(&life, r.system, &options, &error));
    const lash_life_stage *end = lash_life_stage_at(life, lash_life_stage_count(life) - 1);
    assert_relative(end->joints[0].play, 7e-5, 1e-12);
    assert_string_equal(lash_life_end(life), "play bearing");
    assert_relative(lash_life_turns(life), end->turns, 1e-15);
    assert_relative(lash_life_hours(life), end->turns / 3600, 1e-12);
    lash_life_destroy(life);
    assert_int_equal(lash_life_limit_read(&limit, r.sim, "play shaft", "1 mm", &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_life_limit_read(&limit, r.sim, "max bearing.e", "-1 mm", &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_life_limit_read(&limit, r.sim, "turns", "3 mm", &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_life_limit_read(&limit, r.sim, "years", "3", &error), LASH_ERROR_USAGE);
    rig_close(&r);
    // e grows with the wear from 84 µm on.
    rig_open(&r, false, "{law: none}", 10 * k, 40);
    MUST(lash_life_limit_read(&limit, r.sim, "max bearing.e", "0.1 mm", &error));
    MUST(lash_life_run(&life, r.system, &options, &error));
    const size_t n = lash_life_stage_count(life);
    assert_true(lash_life_turns(life) > lash_life_stage_at(life, n - 2)->turns &&
                lash_life_turns(life) <= lash_life_stage_at(life, n - 1)->turns);
    lash_life_destroy(life);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_load_and_rotation),
        cmocka_unit_test(friction_and_wear_are_told_apart),
        cmocka_unit_test(an_ellipse_has_the_gap_of_plane_geometry),
        cmocka_unit_test(an_ellipse_keeps_energy),
        cmocka_unit_test(jumps_agree_with_every_turn),
        cmocka_unit_test(sectors_are_enough),
        cmocka_unit_test(a_life_goes_on),
        cmocka_unit_test(a_given_profile_wears_on),
        cmocka_unit_test(limits_end_a_life),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
