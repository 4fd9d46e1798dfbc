/* SPDX-License-Identifier: MIT
 *
 * States as bytes whose sum is right but whose contents are not: each place, choice and flag that a run would
 * believe is refused when it is another one, and what it was is taken.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "physics/rig.h"
#include "sim/sim.h"

/* Head of the bytes: mark, order, format, version, system; then the sum, the size and the block. */
enum { SUM_AT = 40, BLOCK_AT = 56 };

static void make_sum(unsigned char *bytes, size_t count) {
    uint64_t sum = 0xcbf29ce484222325U;
    for (size_t i = BLOCK_AT; i < count; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3U;
    memcpy(bytes + SUM_AT, &sum, sizeof sum);
}

/* Whether the state is taken with `size` bytes at `at` of its block as given. */
static bool taken(const rig *r, const void *good, size_t count, size_t at, const void *value, size_t size) {
    unsigned char *forged = malloc(count);
    lash_state *state = NULL;
    lash_error error = {0};
    assert_non_null(forged);
    memcpy(forged, good, count);
    memcpy(forged + BLOCK_AT + at, value, size);
    make_sum(forged, count);
    rig_require(lash_state_create(&state, r->sim, &error), &error, "state");
    const lash_status status = lash_state_read(state, r->sim, forged, count, &error);
    lash_state_destroy(state);
    free(forged);
    return status == LASH_OK;
}

/* A crank that passes singular positions, with play and a force that jumps: all parts of a state. */
static void what_is_believed_is_looked_at(void **state) {
    (void)state;
    rig r = rig_open(
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: 0.01, position: [0.5, 0], points: {o: [-0.5, 0], p: [0.5, 0]}}\n"
        "  b: {mass: 1, inertia: 0.01, position: [1.5, 0], points: {p: [-0.5, 0]}}\n"
        "joints:\n"
        "  o: {type: revolute, between: [ground, a.o]}\n"
        "  again: {type: revolute, between: [ground, a.o]}\n"
        "  p: {type: revolute, between: [a.p, b.p], clearance: {bearing_radius: 1 cm, radial: 1 mm,\n"
        "      contact: {stiffness: 1e9, restitution: 0.9}}}\n"
        "forces: {push: {type: force, at: b, force: [\"if(t > 0.1, 1, 0)\", 0]}}\n"
        "run: {until: 0.2}\n");
    rig_step_to(&r, 0.05);
    lash_state *kept;
    lash_error error = {0};
    void *good;
    size_t count;
    rig_require(lash_state_create(&kept, r.sim, &error), &error, "state");
    rig_require(lash_state_write(&good, &count, kept, r.sim, &error), &error, "write");
    assert_true(taken(&r, good, count, offsetof(lash_state, bytes), &kept->bytes, sizeof kept->bytes));
    static const size_t places[] = {
        offsetof(lash_state, bytes),     offsetof(lash_state, memories_at), offsetof(lash_state, accounts_at),
        offsetof(lash_state, armed_at),  offsetof(lash_state, sound_at),    offsetof(lash_state, repeats_at),
        offsetof(lash_state, inputs_at), offsetof(lash_state, phases_at),   offsetof(lash_state, history_at)};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        size_t value;
        memcpy(&value, (const char *)kept + places[k], sizeof value);
        value += 8;
        if (taken(&r, good, count, places[k], &value, sizeof value))
            fail_msg("place %zu is believed", k);
    }
    static const int choices[] = {-1, 1, 2};
    for (size_t k = 0; k < 3; k++)
        assert_true(taken(&r, good, count, offsetof(lash_state, crossing), &choices[k], sizeof(int)) ==
                    (choices[k] == 1 && r.sim->integrators[1] != NULL));
    static const int crowded[] = {-1, 1000}, some = 7;
    for (size_t k = 0; k < 2; k++)
        assert_false(taken(&r, good, count, offsetof(lash_state, crowded), &crowded[k], sizeof(int)));
    assert_true(taken(&r, good, count, offsetof(lash_state, crowded), &some, sizeof(int)));
    const unsigned char no_flag = 2, flag = 1;
    const size_t flags[] = {offsetof(lash_state, piece) + offsetof(lashi_piece, anew),
                            offsetof(lash_state, piece) + offsetof(lashi_piece, varies),
                            kept->armed_at + offsetof(lashi_event, armed)};
    for (size_t k = 0; k < 3; k++) {
        assert_false(taken(&r, good, count, flags[k], &no_flag, 1));
        assert_true(taken(&r, good, count, flags[k], &flag, 1));
    }
    assert_true(r.system->motion.most_repeats > 0);
    const int rows[] = {-1, r.system->motion.rows, r.system->motion.rows - 1};
    for (size_t k = 0; k < 3; k++)
        assert_true(taken(&r, good, count, kept->repeats_at, &rows[k], sizeof(int)) == (k == 2));
    free(good);
    lash_state_destroy(kept);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_believed_is_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
