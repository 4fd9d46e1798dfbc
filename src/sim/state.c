/* SPDX-License-Identifier: MIT
 *
 * A state as bytes: a head that says what it is, and the block as it is in memory.
 *
 * The block has the layout of this version of Lash on this kind of machine, and its meaning comes from the
 * system. So the head holds the version, the order of bytes, a fingerprint of the system's channels and a
 * checksum of the block, and anything else is refused. A checksum can be forged: what a run uses as an index
 * or as a choice is checked as well. Numbers are not: a run from strange ones fails as from any model.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lash/version.h"
#include "sim/sim.h"

enum { FORMAT = 5 };
static const char MARK[8] = "lash-st";
static const uint32_t ORDER = 0x01020304;
/* Pieces of time one after the other that are as short as rounding: a run ends long before. */
enum { MOST_CROWDED = 1000 };

typedef struct head {
    char mark[8];
    uint32_t order, format;
    char version[16]; // zeros behind its end
    uint64_t system, sum, bytes;
} head;

/* FNV-1a. */
static uint64_t add(uint64_t sum, const void *bytes, size_t count) {
    for (const unsigned char *b = bytes; count > 0; count--)
        sum = (sum ^ *b++) * 0x100000001b3U;
    return sum;
}

static uint64_t start_sum(void) {
    return 0xcbf29ce484222325U;
}

static uint64_t fingerprint(const lash_sim *sim) {
    uint64_t sum = add(start_sum(), sim->kind->name, strlen(sim->kind->name) + 1);
    for (size_t k = 0; k < sim->channel_count; k++)
        sum = add(sum, sim->channels[k].name, strlen(sim->channels[k].name) + 1);
    // Coordinates of bodies in space are those of their principal axes, to more digits than rounding leaves.
    for (int b = 1; sim->system->principal && b < sim->system->bodies; b++)
        for (int k = 0; k < 4; k++) {
            const int64_t digits = llround(1e6 * sim->system->principal[b][k]);
            sum = add(sum, &digits, sizeof digits);
        }
    return add(sum, &sim->problem.n, sizeof sim->problem.n);
}

lash_status lash_state_write(void **bytes, size_t *count, const lash_state *state, const lash_sim *sim,
                             lash_error *error) {
    if (!bytes || !count || !state || !sim || state->bytes != sim->state->bytes)
        return lashi_fail(error, LASH_ERROR_USAGE, "a state is written with the sim it was saved from");
    head h = {.order = ORDER, .format = FORMAT, .system = fingerprint(sim), .bytes = state->bytes};
    memcpy(h.mark, MARK, sizeof MARK);
    strncpy(h.version, LASH_VERSION, sizeof h.version - 1);
    h.sum = add(start_sum(), state, state->bytes);
    *count = sizeof h + state->bytes;
    char *out = malloc(*count);
    *bytes = out;
    if (!out)
        return lashi_fail_memory(error);
    memcpy(out, &h, sizeof h);
    memcpy(out + sizeof h, state, state->bytes);
    return LASH_OK;
}

/* A bool that was read as bytes. */
static bool is_flag(const bool *flag) {
    unsigned char byte;
    memcpy(&byte, flag, 1);
    return byte <= 1;
}

static bool is_share(double share) {
    return share >= 0 && share <= 1;
}

/* Whether places, choices and flags of a block are such as this sim makes. */
static bool fits(const lash_state *state, const lash_sim *sim) {
    const lash_state *own = sim->state;
    const char *block = (const char *)state;
    bool good = state->bytes == own->bytes && state->memories_at == own->memories_at &&
                state->accounts_at == own->accounts_at && state->armed_at == own->armed_at &&
                state->sound_at == own->sound_at && state->repeats_at == own->repeats_at &&
                state->inputs_at == own->inputs_at && state->phases_at == own->phases_at &&
                state->history_at == own->history_at &&
                (state->crossing == 0 || (state->crossing == 1 && sim->integrators[1])) &&
                state->crowded >= 0 && state->crowded < MOST_CROWDED && is_share(state->way) &&
                is_share(state->speed) && is_flag(&state->piece.anew) && is_flag(&state->piece.varies);
    const int *repeats = (const int *)(const void *)(block + own->repeats_at);
    for (int k = 0; good && k < sim->system->motion.most_repeats; k++)
        good = repeats[k] >= 0 && repeats[k] < sim->system->motion.rows;
    const lashi_event *events = (const lashi_event *)(const void *)(block + own->armed_at);
    for (size_t k = 0; good && k < sim->search.count; k++)
        good = is_flag(&events[k].armed);
    return good;
}

lash_status lash_state_read(lash_state *state, const lash_sim *sim, const void *bytes, size_t count,
                            lash_error *error) {
    head h;
    if (!state || !sim || !bytes)
        return lashi_fail(error, LASH_ERROR_USAGE, "a state is read into a state, with its sim, from bytes");
    if (count < sizeof h || memcmp(bytes, MARK, sizeof MARK) != 0)
        return lashi_fail(error, LASH_ERROR_USAGE, "these %zu bytes are not a state of a run", count);
    memcpy(&h, bytes, sizeof h);
    char version[sizeof h.version] = LASH_VERSION;
    if (h.order != ORDER || h.format != FORMAT || memcmp(h.version, version, sizeof version) != 0)
        return lashi_fail(error, LASH_ERROR_USAGE,
                          "this state was written by Lash %.15s or on another kind of machine; this is Lash "
                          "%s. States do not outlive a version: run the model again",
                          h.version, LASH_VERSION);
    if (h.system != fingerprint(sim) || h.bytes != sim->state->bytes || state->bytes != sim->state->bytes)
        return lashi_fail(error, LASH_ERROR_USAGE, "this state belongs to another model or method");
    const char *block = (const char *)bytes + sizeof h;
    if (count != sizeof h + h.bytes || add(start_sum(), block, h.bytes) != h.sum)
        return lashi_fail(error, LASH_ERROR_USAGE, "this state is damaged or cut short");
    // Where nothing reads it yet, and aligned as a state is.
    lash_state *copy = malloc(h.bytes);
    if (!copy)
        return lashi_fail_memory(error);
    memcpy(copy, block, h.bytes);
    const bool good = fits(copy, sim);
    if (good)
        memcpy(state, copy, h.bytes);
    free(copy);
    return good ? LASH_OK : lashi_fail(error, LASH_ERROR_USAGE, "this state is damaged");
}
