/* SPDX-License-Identifier: MIT
 *
 * Calls on one simulation in any order, as a co-simulation makes them: steps, saves, restores, coordinates
 * and memory read and set, values, records begun and dropped. One byte is one call, the next its argument.
 */
#include <math.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "lash/lash.h"

static const char text[] =
    "gravity: [0, -9.81]\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
    "bodies: {bob: {mass: 1, inertia: 0.01, points: {a: [0, 0.1]}, position: [0.05, -0.08], angle: 0.6}}\n"
    "joints:\n  pin: {type: revolute, between: [ground, bob.a], clearance: {bearing_radius: 1 cm, radial: "
    "0.5 mm,\n"
    "        materials: steel, contact: {restitution: 0.9}, friction: {law: lugre, coefficient: 0.1}}}\n"
    "run: {until: 0.05, samples: 5}\n";

enum { MOST_CALLS = 200, NUMBERS = 256, MOST_STEPS = 500 };

/* A run from a memory of zeros takes millions of short steps, since its contacts began without speed: it is interrupted. */
static lash_status give_up(void *user, lash_sim *sim, double t_old, double t_new) {
    int *left = user;
    (void)sim, (void)t_old, (void)t_new;
    return --*left > 0 ? LASH_OK : LASH_STOP_INTERRUPTED;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static lash_model *model;
    static lash_system *system;
    lash_error error;
    if (!system)
        fuzz_require(!lash_model_parse(&model, text, strlen(text), "calls", NULL, &error) &&
                         !lash_system_compile(&system, model, &error),
                     "the model is good");
    lash_sim *sim = NULL;
    lash_state *state = NULL;
    lash_record *record = NULL;
    double numbers[NUMBERS] = {0};
    const lash_record_options options = {.samples = 3, .every = (double)NAN, .peaks = true};
    fuzz_require(!lash_sim_create(&sim, system, &error) && lash_sim_coordinate_count(sim) <= NUMBERS / 2,
                 "there is a simulation");
    for (size_t i = 0; i + 1 < size && i < 2 * MOST_CALLS; i += 2) {
        const double x = ((double)data[i + 1] - 128) / 128;
        switch (data[i] % 16) {
        case 0: lash_sim_step(sim, INFINITY, NULL); break;
        case 1: lash_sim_step(sim, lash_sim_time(sim) + 1e-3 * x, NULL); break;
        case 2:
            if (!state)
                lash_state_create(&state, sim, NULL);
            break;
        case 3: lash_sim_save(state, sim, NULL); break;
        case 4: lash_sim_restore(sim, state, NULL); break;
        case 5: lash_sim_coordinates(numbers, sim); break;
        case 6: numbers[data[i + 1] % lash_sim_coordinate_count(sim)] += 1e-4 * x; break;
        case 7: lash_sim_set_coordinates(sim, numbers, NULL); break;
        case 8: lash_sim_project_coordinates(numbers, sim, NULL); break;
        case 9: lash_sim_memory(numbers + NUMBERS / 2, sim); break;
        case 10: lash_sim_set_memory(sim, numbers + NUMBERS / 2, NULL); break;
        case 11: lash_sim_value(sim, data[i + 1]); break;
        case 12:
            lash_record_destroy(record);
            if (!lash_record_create(&record, sim, &options, NULL))
                lash_record_to_memory(record, NULL);
            break;
        case 13:
            if (data[i + 1] < 32) {
                int left = MOST_STEPS;
                const lash_run_control control = {.user = &left, .observe = give_up};
                lash_sim_run(sim, record, &control, NULL);
            }
            break;
        case 14: lash_sim_value_at(sim, data[i + 1], x); break;
        default: {
            const lash_summary summary = lash_sim_summary(sim);
            if (record && data[i + 1] < 16)
                lash_record_finish(record, &summary, NULL);
        }
        }
        fuzz_require(isfinite(lash_sim_time(sim)), "time is finite");
    }
    lash_record_destroy(record);
    lash_state_destroy(state);
    lash_sim_destroy(sim);
    return 0;
}
