/* SPDX-License-Identifier: MIT
 *
 * States as bytes: any bytes are refused or are a state from which a run can continue. The first byte says how
 * the rest is meant: 0, it is what is read; else it is changes of a good state, three bytes where and one
 * what, whose checksum is then corrected, as a forger would do.
 */
#include <math.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "lash/lash.h"

static const char text[] =
    "gravity: [0, -9.81]\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
    "bodies:\n"
    "  bob: {mass: 1, inertia: 0.01, points: {a: [0, 0.1], b: [0, -0.1]}, position: [0.05, -0.08], angle: "
    "0.6}\n"
    "  arm: {mass: 1, inertia: 0.01, points: {b: [0, 0.1]}, position: [0.15, -0.25], angle: 0.6}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, bob.a], clearance: {bearing_radius: 1 cm, radial: 0.5 mm,\n"
    "        materials: steel, contact: {restitution: 0.9}, friction: {law: lugre, coefficient: 0.1}}}\n"
    "  link: {type: revolute, between: [bob.b, arm.b]}\n"
    "forces: {push: {type: force, at: arm, force: [\"if(t > 0.01, 1, 0)\", 0]}}\n"
    "run: {until: 0.05, samples: 5}\n";

/* Head of the bytes: mark, order, format, version, system; then the sum, the size and the block. */
enum { SUM_AT = 40, BLOCK_AT = 56 };
/* What a state makes memory do shows in its first steps; few inputs in a hundred go further. */
enum { FEW_STEPS = 2, STEPS = 20, FURTHER = 32 };

static uint64_t sum_of(const uint8_t *bytes, size_t count) {
    uint64_t sum = 0xcbf29ce484222325U;
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3U;
    return sum;
}

static void go_on(lash_sim *sim, int steps) {
    lash_status status = LASH_OK;
    for (int k = 0; k < steps && status == LASH_OK; k++)
        status = lash_sim_step(sim, 1, NULL);
    lash_sim_summary(sim);
    for (size_t i = 0; i < lash_sim_channel_count(sim); i++)
        lash_sim_value(sim, i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static lash_model *model;
    static lash_system *system;
    static lash_sim *sim; // for all inputs: a restored state replaces all, a refused one changes nothing
    static lash_state *state;
    static uint8_t *good;
    static size_t count;
    if (!system) {
        unsetenv("LASH_CHECK"); // a forged state is no fault of ours
        fuzz_require(!lash_model_parse(&model, text, strlen(text), "state", NULL, NULL) &&
                         !lash_system_compile(&system, model, NULL) && !lash_sim_create(&sim, system, NULL),
                     "the model is good");
        go_on(sim, STEPS);
        void *bytes = NULL;
        fuzz_require(!lash_state_create(&state, sim, NULL) &&
                         !lash_state_write(&bytes, &count, state, sim, NULL) && count > BLOCK_AT,
                     "a state can be written");
        good = bytes;
    }
    uint8_t *forged = malloc(count);
    fuzz_require(forged != NULL, "there is room");
    memcpy(forged, good, count);
    for (size_t i = 1; size > 0 && data[0] && i + 4 <= size; i += 4) {
        const size_t at = data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16;
        forged[BLOCK_AT + at % (count - BLOCK_AT)] = data[i + 3];
    }
    const uint64_t sum = sum_of(forged + BLOCK_AT, count - BLOCK_AT);
    memcpy(forged + SUM_AT, &sum, sizeof sum);
    const bool any = size > 0 && !data[0];
    if (!lash_state_read(state, sim, any ? data + 1 : forged, any ? size - 1 : count, NULL) &&
        !lash_sim_restore(sim, state, NULL))
        go_on(sim, sum % FURTHER ? FEW_STEPS : STEPS);
    else
        fuzz_require(any || memcmp(forged, good, count) != 0, "a good state can be read");
    free(forged);
    return 0;
}
