/* SPDX-License-Identifier: MIT
 *
 * Channels that wear: a block that slides to and fro under its weight, energy on a worn face, no wear, lives.
 */
#include <stdlib.h>

#include "play.h"

#include "../laws/near.h"

/* A block of 8 kg in a level channel, drawn to and fro by its middle. */
#define BLOCK                                                                                                \
    "gravity: [0, -9.81]\nbodies: {block: {mass: 8, inertia: 0.01}}\njoints:\n"                              \
    "  guide: {type: translational, between: [ground, block], axis: [1, 0], clearance: {length: %g mm, "     \
    "height: 40 mm, %s play: 0.2 mm, contact: {law: hunt-crossley, stiffness: 1e9, restitution: 0.5, "       \
    "approach: energy}%s}}\n"                                                                                \
    "drives: {motor: {joint: guide, motion: \"50 mm*sin(2*pi*t)\"}}\n"                                       \
    "run: {until: 3, rtol: 1e-9, settle_period: 1 s}\n"

static const double load = 8 * 9.81, K = 1e9, A = 0.05, k = 1e-13, width = 0.02;

/* The same block in space. */
#define SOLID                                                                                                \
    "space: spatial\ngravity: [0, -9.81, 0]\nbodies: {block: {mass: 8, inertia: [0.01, 0.01, "               \
    "0.01]}}\njoints:\n"                                                                                     \
    "  guide: {type: prismatic, between: [ground, block], axis: [1, 0, 0], clearance: {length: 120 mm, "     \
    "height: 40 mm, height_axis: [0, 1, 0], width: 20 mm, play: 0.2 mm, contact: {law: hunt-crossley, "      \
    "stiffness: 0.5e9, restitution: 0.5, approach: energy}%s}}\n"                                            \
    "drives: {motor: {joint: guide, motion: \"50 mm*sin(2*pi*t)\"}}\n"                                       \
    "run: {until: 3, rtol: 1e-9, settle_period: 1 s}\n"

typedef struct rig {
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
} rig;

static void rig_load(rig *r, const char *text) {
    lash_error error = {0};
    *r = (rig){0};
    MUST(lash_model_parse(&r->model, text, strlen(text), "block", NULL, &error));
    MUST(lash_system_compile(&r->system, r->model, &error));
}

/* A simulation that starts as assembled, but for `count` coordinates from `first` on. */
static void rig_start(rig *r, const double *values, size_t first, size_t count) {
    lash_error error = {0};
    double y[13];
    MUST(lash_sim_create(&r->sim, r->system, &error));
    assert_true(lash_sim_coordinate_count(r->sim) <= 13 &&
                first + count <= lash_sim_coordinate_count(r->sim));
    lash_sim_coordinates(y, r->sim);
    memcpy(y + first, values, count * sizeof *values);
    lash_sim_destroy(r->sim);
    MUST(lash_sim_create_at(&r->sim, r->system, y, &error));
}

/* At rest on the lower face, each corner with half the weight; at the start it moves as the drive does. */
static void rig_open(rig *r, double length, const char *wide, const char *wear) {
    char text[2048];
    snprintf(text, sizeof text, BLOCK, 1e3 * length, wide, wear);
    rig_load(r, text);
    rig_start(r, (double[]){-(1e-4 + pow(load / 2 / K, 2.0 / 3))}, 1, 1);
}

static void solid_open(rig *r, const char *wear) {
    char text[2048];
    snprintf(text, sizeof text, SOLID, wear);
    rig_load(r, text);
    rig_start(r, (double[]){-(1e-4 + pow(load / 4 / (0.5 * K), 2.0 / 3))}, 1, 1);
}

static void rig_close(rig *r) {
    lash_sim_destroy(r->sim);
    lash_system_destroy(r->system);
    lash_model_destroy(r->model);
}

/* Kinetic and elastic. */
static double energy(const rig *r) {
    return lash_sim_value(r->sim, lash_sim_find_channel(r->sim, "energy.kinetic")) +
           lash_sim_value(r->sim, lash_sim_find_channel(r->sim, "energy.elastic"));
}

#define WEARS      ", wear: {k: 1e-13, share: [1, 0], span: [-120 mm, 120 mm], sectors: 100}"
#define WEARS_BOTH ", wear: {k: 1e-13, share: [0.7, 0.3], span: [-120 mm, 120 mm], sectors: 100}"

/* V = k F s. Every place that a corner has passed is worn k F/b deep by each pass, with the channel's share; each
 * of the block's two corners, which carry half the load each, stands for half of its face. */
static void to_and_fro_under_constant_load(void **state) {
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        enum { S = 106, PERIODS = 3, COUNT = S + 2 };
        const double length = wide ? 0.12 : 0.06; // apart, or one over the other
        const double share = wide ? 0.7 : 1;
        rig r;
        lash_error error = {0};
        rig_open(&r, length, "width: 20 mm,", wide ? WEARS_BOTH : WEARS);
        MUST(lash_sim_run_until(r.sim, PERIODS, NULL, NULL, &error));
        double upper[COUNT], lower[COUNT], profile[COUNT], sums[2] = {0, 0};
        const double volume = lash_sim_worn(upper, lower, r.sim, 0);
        const lash_worn_info info = lash_system_worn(r.system, 0);
        assert_int_equal(lash_system_worn_count(r.system), 1);
        assert_int_equal(info.shape.sectors, S);
        assert_int_equal(info.shape.count, COUNT);
        assert_int_equal(info.contacts, 4);
        assert_string_equal(info.shape.joint, "guide");
        assert_relative(volume, k * load * 4 * A * PERIODS, 1e-6);
        lash_worn_gain(profile, &info, LASH_LOWER, lower);
        for (int s = 0; s < COUNT; s++) {
            assert_true(upper[s] == 0);
            sums[0] += lower[s];
            sums[1] += profile[s] * (s < S ? info.shape.pitch : length / 2) * width;
        }
        assert_relative(sums[0], volume, 1e-12);
        assert_relative(sums[1], volume, 1e-12);
        assert_relative(lash_worn_volume(&info, LASH_LOWER, profile), volume, 1e-12);
        for (int end = S; end < COUNT; end++)
            assert_near(profile[end], (1 - share) * k * load / 2 * 4 * A * PERIODS / (width * length / 2),
                        1e-6 * k * load * PERIODS);
        int places = 0;
        const double pass = share * k * load / 2 / width,
                     edge = 5 * info.shape.pitch; // as far as splines reach
        for (double x = -0.13; x < 0.13; x += 1.37e-4) {
            const double from_ahead = A - fabs(x - length / 2), from_behind = A - fabs(x + length / 2);
            if (fabs(from_ahead) < edge || fabs(from_behind) < edge)
                continue;
            const double passes = 2 * PERIODS * ((from_ahead > 0) + (from_behind > 0));
            assert_near(lash_worn_depth(&info.shape, profile, x), passes * pass, 1e-6 * pass * 2 * PERIODS);
            places++;
        }
        assert_true(places > 900);
        assert_relative(lash_worn_deepest(&info.shape, profile),
                        2 * PERIODS * pass * (wide ? 1 : 2) + profile[S], 0.05);
        rig_close(&r);
    }
}

/* In space: a guide of the plane on either side of the block, half as wide, and nothing off the side walls. */
static void in_space_as_in_the_plane(void **state) {
    (void)state;
    enum { S = 106, COUNT = S + 2, PERIODS = 2 };
    static const char *const names[] = {"guide.a1", "guide.b1", "guide.b2", "guide.a2"};
    rig solid, flat;
    lash_error error = {0};
    double upper[COUNT], lower[COUNT], profile[COUNT], plane[COUNT];
    rig_open(&flat, 0.12, "width: 20 mm,", WEARS_BOTH);
    solid_open(&solid, WEARS_BOTH);
    MUST(lash_sim_run_until(flat.sim, PERIODS, NULL, NULL, &error));
    MUST(lash_sim_run_until(solid.sim, PERIODS, NULL, NULL, &error));
    lash_sim_worn(upper, lower, flat.sim, 0);
    const lash_worn_info wide = lash_system_worn(flat.system, 0);
    lash_worn_gain(plane, &wide, LASH_LOWER, lower);
    assert_int_equal(lash_system_worn_count(solid.system), 4);
    for (size_t i = 0; i < 4; i++) {
        const lash_worn_info info = lash_system_worn(solid.system, i);
        const double volume = lash_sim_worn(upper, lower, solid.sim, i);
        assert_string_equal(info.shape.joint, names[i]);
        assert_int_equal(info.contacts, 4);
        if (names[i][6] == 'b') {
            assert_true(volume == 0);
            continue;
        }
        assert_relative(volume, k * load / 2 * 4 * A * PERIODS, 1e-6);
        lash_worn_gain(profile, &info, LASH_LOWER, lower);
        assert_relative(lash_worn_volume(&info, LASH_LOWER, profile), volume, 1e-12);
        for (int s = 0; s < COUNT; s++) {
            assert_true(upper[s] == 0);
            assert_near(profile[s], plane[s], 1e-5 * lash_worn_deepest(&wide.shape, plane));
        }
    }
    rig_close(&flat);
    rig_close(&solid);
}

/* Faces that wear, and have not worn yet: the same motion, bit for bit. */
static void no_wear_changes_nothing(void **state) {
    (void)state;
    for (int space = 0; space < 2; space++) {
        rig a, b;
        double y[2][13] = {{0}};
        lash_error error = {0};
        if (space) {
            solid_open(&a, "");
            solid_open(&b, WEARS);
        } else {
            rig_open(&a, 0.06, "", "");
            rig_open(&b, 0.06, "width: 20 mm,", WEARS);
        }
        for (int step = 1; step <= 20; step++) {
            MUST(lash_sim_run_until(a.sim, 0.1 * step, NULL, NULL, &error));
            MUST(lash_sim_run_until(b.sim, 0.1 * step, NULL, NULL, &error));
            lash_sim_coordinates(y[0], a.sim);
            lash_sim_coordinates(y[1], b.sim);
            assert_memory_equal(y[0], y[1], sizeof y[0]);
        }
        rig_close(&a);
        rig_close(&b);
    }
}

/* How far the corners have receded, as wear_by_hand gives it: upper behind and ahead, lower behind and ahead. */
static const double receded[4] = {3e-6, 7e-6, 11e-6, 2e-6};

/* Faces that are worn here and there, given as coefficients. */
static void wear_by_hand(lash_system *system) {
    lash_error error = {0};
    double face[LASH_WORN_PARTS][256];
    const lash_worn_info info = lash_system_worn(system, 0);
    for (size_t s = 0; s < info.shape.sectors; s++) {
        const double x = info.shape.origin + (double)s * info.shape.pitch;
        face[LASH_UPPER][s] = 1.5e-5 * (1 + sin(80 * x));
        face[LASH_LOWER][s] = 2e-5 * (1 + cos(120 * x));
    }
    for (size_t end = info.shape.sectors; end < info.shape.count; end++)
        for (size_t part = 0; part < LASH_WORN_PARTS; part++)
            face[part][end] = receded[2 * part + end - info.shape.sectors];
    MUST(lash_system_set_worn(system, 0, face[LASH_UPPER], face[LASH_LOWER], &error));
}

/* δ and n of a corner are those of the face as it stands, and δ̇ is the rate of δ. */
static void a_worn_face_has_its_gap(void **state) {
    (void)state;
    rig r;
    rig_open(&r, 0.06, "width: 20 mm,", WEARS);
    wear_by_hand(r.system);
    const lash_worn_info info = lash_system_worn(r.system, 0);
    lashi_frame *frames = calloc(2, sizeof *frames);
    lashi_frames_fill(frames, r.system, r.system->full0);
    frames[0].c = 1;
    for (int i = 0; i < 60; i++) {
        lashi_frame *block = &frames[1];
        const double speed[3] = {0.3, -0.2, 1.5}, dt = 1e-6;
        double delta[3], rate = 0, closing = 0, share = 0;
        lashi_vec3 n = {0, 0, 0};
        for (int side = 0; side < 3; side++) {
            const double t = (side - 1) * dt, angle = 0.003 * sin(i) + speed[2] * t;
            block->x = -0.05 + 0.0017 * i + speed[0] * t;
            block->y = 1e-5 * cos(3 * i) + speed[1] * t;
            block->angle = angle, block->c = cos(angle), block->s = sin(angle);
            block->vx = speed[0], block->vy = speed[1], block->w = speed[2];
            const int corner = i % 4;
            const lashi_gap gap = lashi_gap_of(&r.system->contacts[corner], frames);
            delta[side] = gap.delta;
            // Of the plane: the corner, and the face across the channel from it.
            const double along = corner % 2 ? 0.03 : -0.03, up = corner < 2 ? 0.02 : -0.02,
                         x = block->x + along * block->c - up * block->s,
                         y = block->y + along * block->s + up * block->c;
            const double worn = lash_worn_depth(&info.shape, info.profile[corner / 2], x);
            assert_near(gap.delta, fabs(y) - 0.0201 - worn - receded[corner], 1e-15);
            if (side == 1) {
                rate = gap.deltadot, closing = gap.closing, share = gap.share;
                n = gap.n;
                const double slope = (lash_worn_depth(&info.shape, info.profile[corner / 2], x + 1e-7) -
                                      lash_worn_depth(&info.shape, info.profile[corner / 2], x - 1e-7)) /
                                     2e-7;
                assert_near(-n.x / fabs(n.y), slope, 1e-7);
                assert_true(corner < 2 ? n.y > 0 : n.y < 0);
            }
        }
        assert_near((delta[2] - delta[0]) / (2 * dt), rate, 1e-8);
        assert_near(rate, share * closing, 1e-15);
        assert_near(n.x * n.x + n.y * n.y, 1, 1e-14);
    }
    free(frames);
    rig_close(&r);
}

/* The rest of a block with worn ends on a plane wall: it stands on both, tilted by their difference. */
static void a_worn_block_stands_on_its_ends(void **state) {
    (void)state;
    enum { COUNT = 108 };
    rig r;
    lash_error error = {0};
    double none[COUNT] = {0}, ends[COUNT] = {0}, y[6];
    rig_open(&r, 0.06, "width: 20 mm,", WEARS_BOTH);
    ends[COUNT - 2] = 12e-6, ends[COUNT - 1] = 4e-6;
    MUST(lash_system_set_worn(r.system, 0, none, ends, &error));
    lash_sim_destroy(r.sim);
    const double depth = pow(load / 2 / K, 2.0 / 3), tilt = (ends[COUNT - 1] - ends[COUNT - 2]) / 0.06;
    MUST(lash_sim_create(&r.sim, r.system, &error));
    lash_sim_coordinates(y, r.sim);
    y[1] = -(1e-4 + depth + 8e-6), y[2] = -tilt;
    lash_sim_destroy(r.sim);
    MUST(lash_sim_create_at(&r.sim, r.system, y, &error));
    MUST(lash_sim_run_until(r.sim, 0.4, NULL, NULL, &error));
    const double offset = lash_sim_value(r.sim, lash_sim_find_channel(r.sim, "guide.offset")),
                 turned = lash_sim_value(r.sim, lash_sim_find_channel(r.sim, "guide.tilt"));
    assert_near(offset, -(1e-4 + depth + 8e-6), 1e-9);
    assert_near(turned, -tilt, 5e-8); // tilted, its ends lie 3 µm beside the load
    rig_close(&r);
}

/* Depths that no contact law holds for are refused, wherever they come from. */
static void what_is_worn_away_is_refused(void **state) {
    (void)state;
    enum { COUNT = 108 };
    rig r;
    lash_error error = {0};
    double none[COUNT] = {0}, deep[COUNT] = {0};
    rig_open(&r, 0.06, "width: 20 mm,", WEARS);
    deep[COUNT - 1] = 4.1e-3; // more than a tenth of the height
    assert_int_equal(lash_system_set_worn(r.system, 0, none, deep, &error), LASH_ERROR_USAGE);
    assert_non_null(strstr(error.message, "its lower is worn 0.0041 m deep"));
    assert_non_null(strstr(error.message, "a tenth of the block's height, 0.004 m"));
    deep[COUNT - 1] = 3.9e-3;
    MUST(lash_system_set_worn(r.system, 0, none, deep, &error));
    deep[COUNT - 1] = -1e-9;
    assert_int_equal(lash_system_set_worn(r.system, 0, none, deep, &error), LASH_ERROR_USAGE);
    rig_close(&r);
}

/* Thrown about between worn faces without loss: the energy stays, and every step keeps what LASH_CHECK looks
 * at. */
static void worn_faces_keep_energy(void **state) {
    (void)state;
    static const char text[] =
        "gravity: [0, 0]\nbodies: {rail: {mass: 5, inertia: 0.1}, block: {mass: 1, inertia: "
        "0.001}}\njoints:\n"
        "  guide: {type: translational, between: [rail, block], axis: [1, 0], clearance: {length: 60 mm, "
        "height: "
        "40 mm, width: 20 mm, play: 0.2 mm, contact: {law: hertz, stiffness: 1e9, points: own}, wear: {k: 0, "
        "span: [-200 mm, 200 mm], sectors: 120}}}\nrun: {until: 0.1, rtol: 1e-10}\n";
    rig r;
    lash_error error = {0};
    rig_load(&r, text);
    wear_by_hand(r.system);
    rig_start(&r, (double[]){-0.1, 0.02, 0.1, 0.8, -0.1, -1}, 6, 6);
    const double before = energy(&r);
    MUST(lash_sim_run_until(r.sim, 0.1, NULL, NULL, &error));
    const lash_summary s = lash_sim_summary(r.sim);
    size_t contacts = 0;
    for (int c = 0; c < 4; c++)
        contacts += s.clearances[c].contacts;
    assert_true(contacts > 10);
    assert_relative(energy(&r), before, 1e-9);
    rig_close(&r);
}

/* The same in space, tumbling: all four pairs of lines worn. */
static void worn_walls_keep_energy(void **state) {
    (void)state;
    static const char text[] =
        "space: spatial\ngravity: [0, 0, 0]\nbodies: {block: {mass: 1, inertia: [0.001, 0.0012, "
        "0.0015]}}\njoints:\n"
        "  guide: {type: prismatic, between: [ground, block], axis: [1, 0, 0], clearance: {length: 60 mm, "
        "height: 40 mm, width: 30 mm, play: 0.2 mm, contact: {law: hertz, stiffness: 1e9, points: own}, "
        "wear: "
        "{k: 0, span: [-200 mm, 200 mm], sectors: 120}}}\nrun: {until: 0.1, rtol: 1e-10}\n";
    rig r;
    lash_error error = {0};
    double face[LASH_WORN_PARTS][256];
    rig_load(&r, text);
    for (size_t i = 0; i < lash_system_worn_count(r.system); i++) {
        const lash_worn_info info = lash_system_worn(r.system, i);
        for (size_t s = 0; s < info.shape.count; s++) {
            const double x = info.shape.origin + (double)s * info.shape.pitch;
            face[LASH_UPPER][s] = 1.5e-5 * (1 + sin(80 * x + (double)i));
            face[LASH_LOWER][s] = 2e-5 * (1 + cos(120 * x - (double)i));
        }
        MUST(lash_system_set_worn(r.system, i, face[LASH_UPPER], face[LASH_LOWER], &error));
    }
    rig_start(&r, (double[]){0.8, -0.1, 0.07, 0.3, 0.9, -1}, 7, 6);
    const double before = energy(&r);
    MUST(lash_sim_run_until(r.sim, 0.1, NULL, NULL, &error));
    const lash_summary s = lash_sim_summary(r.sim);
    size_t walls[2] = {0, 0};
    for (int c = 0; c < 16; c++)
        walls[c % 2] += s.clearances[c].contacts;
    assert_true(walls[0] > 3 && walls[1] > 3);
    assert_relative(energy(&r), before, 1e-9);
    rig_close(&r);
}

/* A channel over a life: by jumps as turn by turn, and the wear that is deepest is what its play has grown by. */
static void jumps_agree_with_every_turn(void **state) {
    (void)state;
    const lash_life_limit limit = {.kind = LASH_LIFE_TURNS, .value = 40};
    const lash_life_options options[2] = {{.limits = &limit, .limit_count = 1, .tolerance = 0.02},
                                          {.limits = &limit, .limit_count = 1, .turn_by_turn = 1}};
    lash_life *lives[2];
    for (int way = 0; way < 2; way++) {
        rig r;
        lash_error error = {0};
        rig_open(&r, 0.06, "width: 20 mm,",
                 ", wear: {k: 2e-10, share: [0.6, 0.4], span: [-120 mm, 120 mm], sectors: 60}");
        MUST(lash_life_run(&lives[way], r.system, &options[way], &error));
        rig_close(&r);
    }
    const size_t n = lash_life_stage_count(lives[0]), m = lash_life_stage_count(lives[1]);
    const lash_life_joint *a = &lash_life_stage_at(lives[0], n - 1)->joints[0],
                          *b = &lash_life_stage_at(lives[1], m - 1)->joints[0];
    assert_true(n < 15 && m == 41);
    assert_relative(a->volume, 2e-10 * load * 4 * A * 40, 2e-3);
    assert_relative(a->volume, b->volume, 2e-3);
    assert_true(b->deepest[LASH_LOWER] > 5e-5 && b->deepest[LASH_UPPER] < 0.1 * b->deepest[LASH_LOWER]);
    assert_relative(a->play, 2e-4 + a->deepest[LASH_UPPER] + a->deepest[LASH_LOWER], 1e-12);
    for (size_t s = 0; s < a->shape.count; s++)
        assert_near(a->profile[LASH_LOWER][s], b->profile[LASH_LOWER][s], 0.02 * b->deepest[LASH_LOWER]);
    lash_life_destroy(lives[0]);
    lash_life_destroy(lives[1]);
}

/* A corner that leaves the span is an error that says so. */
static void a_span_is_not_left(void **state) {
    (void)state;
    rig r;
    lash_error error = {0};
    rig_open(&r, 0.06, "width: 20 mm,", ", wear: {k: 1e-13, span: [-120 mm, 70 mm], sectors: 60}");
    assert_int_equal(lash_sim_run_until(r.sim, 1, NULL, NULL, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "guide.corner4"));
    assert_non_null(strstr(error.message, "clearance.wear.span"));
    assert_true(error.time > 0.1 && error.time < 0.2);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(to_and_fro_under_constant_load), cmocka_unit_test(in_space_as_in_the_plane),
        cmocka_unit_test(worn_walls_keep_energy),         cmocka_unit_test(no_wear_changes_nothing),
        cmocka_unit_test(a_worn_face_has_its_gap),        cmocka_unit_test(a_worn_block_stands_on_its_ends),
        cmocka_unit_test(what_is_worn_away_is_refused),   cmocka_unit_test(worn_faces_keep_energy),
        cmocka_unit_test(jumps_agree_with_every_turn),    cmocka_unit_test(a_span_is_not_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
