/* SPDX-License-Identifier: MIT
 *
 * Model to motion: what can be compiled is stepped, saved and restored; every number is finite or the step
 * says that it failed, time advances, a restored state repeats its steps bit for bit, and no law of every
 * step is broken (LASH_CHECK=1). Seeds: examples, tests/broken.
 */
#include <math.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "lash/lash.h"

enum { STEPS = 200, AGAIN = 5, LARGEST_MODEL = 20000, MOST_BODIES = 40 };

/* Tables of finite films take seconds; they have tests of their own. */
static bool takes_long(const uint8_t *data, size_t size) {
    return size > LARGEST_MODEL || memmem(data, size, "reynolds", 8) || memmem(data, size, ".csv", 4);
}

static void look(lash_sim *sim) {
    const size_t count = lash_sim_coordinate_count(sim);
    double *values = calloc(count + 1, sizeof *values);
    lash_sim_coordinates(values, sim);
    for (size_t i = 0; values && i < count; i++)
        fuzz_require(isfinite(values[i]), "coordinates are finite after an accepted step");
    free(values);
}

/* Some steps from here on; the coordinates after them. */
static lash_status go_on(double *values, lash_sim *sim) {
    lash_status status = LASH_OK;
    for (int i = 0; i < AGAIN && status == LASH_OK; i++)
        status = lash_sim_step(sim, lash_sim_time(sim) + 1, NULL);
    lash_sim_coordinates(values, sim);
    return status;
}

static void repeat(lash_sim *sim, bool exact) {
    lash_state *state;
    const size_t count = lash_sim_coordinate_count(sim);
    double *first = calloc(2 * count + 1, sizeof *first);
    if (first && lash_state_create(&state, sim, NULL) == LASH_OK) {
        fuzz_require(lash_sim_save(state, sim, NULL) == LASH_OK, "a state can be saved");
        const lash_status before = go_on(first, sim);
        fuzz_require(lash_sim_restore(sim, state, NULL) == LASH_OK, "a state can be restored");
        const lash_status after = go_on(first + count, sim);
        if (exact)
            fuzz_require(before == after && memcmp(first, first + count, count * sizeof *first) == 0,
                         "a restored state goes on as before");
        lash_state_destroy(state);
    }
    free(first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lash_model *model;
    lash_system *system = NULL;
    lash_sim *sim = NULL;
    setenv("LASH_CHECK", "1", 1);
    if (takes_long(data, size) || lash_model_parse(&model, (const char *)data, size, "fuzz.yaml", NULL, NULL))
        return 0;
    if (!lash_system_compile(&system, model, NULL) && lash_system_body_count(system) <= MOST_BODIES &&
        !lash_sim_create(&sim, system, NULL)) {
        lash_status status = LASH_OK;
        for (int i = 0; i < STEPS && status == LASH_OK; i++) {
            const double before = lash_sim_time(sim);
            lash_error error = {.status = LASH_OK};
            status = lash_sim_step(sim, INFINITY, &error);
            fuzz_require(status >= 0 || error.message[0], "a failure has a message");
            fuzz_require(status != LASH_ERROR_INTERNAL, error.message);
            if (status >= 0) {
                fuzz_require(lash_sim_time(sim) >= before, "time goes on");
                look(sim);
            }
            if (i == STEPS / 2 && status == LASH_OK)
                repeat(sim, strcmp(lash_model_run(model)->method, "dop853") == 0);
        }
        lash_sim_judge(sim, NULL);
        for (size_t i = 0; i < lash_sim_channel_count(sim); i++)
            lash_sim_value(sim, i);
    }
    lash_sim_destroy(sim);
    lash_system_destroy(system);
    lash_model_destroy(model);
    return 0;
}
