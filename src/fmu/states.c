/* SPDX-License-Identifier: MIT
 *
 * All that an instance is, kept, and as bytes: a head, then inputs, outputs, the sim now, the sim before the
 * last step, and the texts of the parameters. A checksum over all of it shows damage; bytes that are refused
 * leave the instance as it was.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/inside.h"

static const char MARK[8] = "lash-fm2";
static const char broken[] = "these bytes are not a state of this FMU, or they are damaged";

/* What FMI calls an FMU state. */
typedef struct saved {
    size_t count;
    char bytes[];
} saved;

typedef struct head {
    char mark[8];
    uint64_t sum; /* over all that follows */
    int mode, behind, ended;
    double start, stop, time;
    size_t inputs, outputs, now, before, texts; /* bytes of each part */
} head;

/* FNV-1a. */
static uint64_t sum_of(const char *bytes, size_t count) {
    uint64_t sum = 0xcbf29ce484222325U;
    for (size_t i = offsetof(head, sum) + sizeof sum; i < count; i++)
        sum = (sum ^ (unsigned char)bytes[i]) * 0x100000001b3U;
    return sum;
}

static size_t texts_size(const lashi_slave *slave) {
    size_t size = 0;
    for (size_t i = 0; i < slave->parameters; i++)
        size += 1 + (slave->texts[i] ? strlen(slave->texts[i]) + 1 : 0);
    return size;
}

static saved *write_saved(const lashi_slave *slave, head h, const void *now, const void *before) {
    const size_t total = sizeof h + h.inputs + h.outputs + h.now + h.before + h.texts;
    saved *out = malloc(sizeof *out + total);
    if (!out)
        return NULL;
    char *at = out->bytes + sizeof h;
    out->count = total;
    at = mempcpy(at, slave->inputs, h.inputs);
    at = mempcpy(at, slave->values, h.outputs);
    at = mempcpy(at, now, h.now);
    at = mempcpy(at, before, h.before);
    for (size_t i = 0; i < slave->parameters; i++) {
        *at++ = slave->texts[i] ? 1 : 0;
        if (slave->texts[i])
            at = stpcpy(at, slave->texts[i]) + 1;
    }
    memcpy(out->bytes, &h, sizeof h);
    h.sum = sum_of(out->bytes, total);
    memcpy(out->bytes, &h, sizeof h);
    return out;
}

static saved *save(lashi_slave *slave) {
    lash_error error = {.message = ""};
    lash_state *state = NULL;
    void *now = NULL, *before = NULL;
    saved *out = NULL;
    if (!lashi_slave_build(slave))
        return NULL;
    const lashi_machine *m = &slave->machine;
    head h;
    memset(&h, 0, sizeof h); // also between its fields
    memcpy(h.mark, MARK, sizeof h.mark);
    h.mode = (int)slave->mode, h.behind = slave->behind, h.ended = slave->ended;
    h.start = slave->start, h.stop = slave->stop, h.time = slave->time;
    h.inputs = slave->input_count * sizeof(double);
    h.outputs = slave->output_count * sizeof(double);
    h.texts = texts_size(slave);
    if (lashi_slave_told(slave, lash_state_create(&state, m->sim, &error), &error) &&
        lashi_slave_told(slave, lash_state_write(&now, &h.now, state, m->sim, &error), &error) &&
        lashi_slave_told(slave, lash_state_write(&before, &h.before, m->before, m->sim, &error), &error)) {
        out = write_saved(slave, h, now, before);
        if (!out)
            lashi_slave_out_of_memory(slave);
    }
    free(now);
    free(before);
    lash_state_destroy(state);
    return out;
}

/* The parameters in the bytes, whose checksum was right; NULL: out of memory. */
static char **read_texts(bool *another, const lashi_slave *slave, const char *at) {
    char **texts = calloc(slave->parameters + 1, sizeof *texts);
    *another = false;
    for (size_t i = 0; texts && i < slave->parameters; i++) {
        const char *text = *at++ ? at : NULL, *held = slave->texts[i];
        *another = *another || !text != !held || (text && strcmp(text, held) != 0);
        if (text && !(texts[i] = strdup(text))) {
            lashi_texts_free(texts, slave->parameters);
            return NULL;
        }
        at += text ? strlen(text) + 1 : 0;
    }
    return texts;
}

/* The machine continues from the bytes; false: it stays as it is. */
static bool set_machine(lashi_slave *slave, lashi_machine *m, const char *now, size_t now_size,
                        const char *before, size_t before_size) {
    lash_error error = {.message = ""};
    lash_state *state = NULL, *last = NULL;
    const bool fine =
        lashi_slave_told(slave, lash_state_create(&state, m->sim, &error), &error) &&
        lashi_slave_told(slave, lash_state_create(&last, m->sim, &error), &error) &&
        lashi_slave_told(slave, lash_state_read(state, m->sim, now, now_size, &error), &error) &&
        lashi_slave_told(slave, lash_state_read(last, m->sim, before, before_size, &error), &error) &&
        lashi_slave_told(slave, lash_sim_restore(m->sim, state, &error), &error);
    if (fine) {
        lash_state_destroy(m->before);
        m->before = last;
        last = NULL;
    }
    lash_state_destroy(last);
    lash_state_destroy(state);
    return fine;
}

static bool restore(lashi_slave *slave, const char *bytes, size_t count) {
    head h;
    if (count < sizeof h)
        return lashi_slave_refuse(slave, broken);
    memcpy(&h, bytes, sizeof h);
    if (memcmp(h.mark, MARK, sizeof h.mark) != 0 || h.sum != sum_of(bytes, count) ||
        h.inputs != slave->input_count * sizeof(double) || h.outputs != slave->output_count * sizeof(double))
        return lashi_slave_refuse(slave, broken);
    const char *inputs = bytes + sizeof h, *outputs = inputs + h.inputs, *now = outputs + h.outputs,
               *before = now + h.now, *texts_at = before + h.before;
    bool another;
    char **texts = read_texts(&another, slave, texts_at);
    lashi_machine fresh = {0};
    bool fine = texts || lashi_slave_out_of_memory(slave);
    another = another || h.start != slave->start;
    if (fine)
        fine = another ? lashi_machine_build(&fresh, slave, texts, h.start) : lashi_slave_build(slave);
    if (fine)
        fine = set_machine(slave, another ? &fresh : &slave->machine, now, h.now, before, h.before);
    if (!fine) {
        lashi_machine_clear(&fresh);
        lashi_texts_free(texts, slave->parameters);
        return false;
    }
    if (another)
        lashi_slave_take(slave, fresh);
    lashi_texts_free(slave->texts, slave->parameters);
    slave->texts = texts;
    memcpy(slave->inputs, inputs, h.inputs);
    memcpy(slave->values, outputs, h.outputs);
    slave->mode = (lashi_slave_mode)h.mode;
    slave->behind = h.behind != 0;
    slave->ended = h.ended != 0;
    slave->start = h.start;
    slave->stop = h.stop;
    slave->time = h.time;
    return true;
}

/* ---- as FMI has it ---- */

bool lashi_slave_drop_state(lashi_slave *slave, const char *call, void **state) {
    if (!lashi_slave_may(slave, LASHI_SLAVE_ANY, call))
        return false;
    if (state) {
        free(*state);
        *state = NULL;
    }
    return true;
}

bool lashi_slave_get_state(lashi_slave *slave, const char *call, void **state) {
    if (!lashi_slave_may(slave, LASHI_SLAVE_ANY, call) || !lashi_slave_has(slave, state, state, 1))
        return false;
    saved *out = save(slave);
    if (!out)
        return false;
    free(*state);
    *state = out;
    return true;
}

bool lashi_slave_set_state(lashi_slave *slave, const char *call, const void *state) {
    const saved *s = state;
    return lashi_slave_may(slave, LASHI_SLAVE_ANY, call) && lashi_slave_has(slave, s, s, 1) &&
           restore(slave, s->bytes, s->count);
}

bool lashi_slave_state_size(size_t *size, lashi_slave *slave, const char *call, const void *state) {
    if (!lashi_slave_may(slave, LASHI_SLAVE_ANY, call) || !lashi_slave_has(slave, state, size, 1))
        return false;
    *size = ((const saved *)state)->count;
    return true;
}

bool lashi_slave_write_state(void *bytes, size_t size, lashi_slave *slave, const char *call,
                             const void *state) {
    const saved *s = state;
    if (!lashi_slave_may(slave, LASHI_SLAVE_ANY, call) || !lashi_slave_has(slave, state, bytes, 1))
        return false;
    if (size < s->count)
        return lashi_slave_refuse(slave, "there is too little room for the state");
    memcpy(bytes, s->bytes, s->count);
    return true;
}

bool lashi_slave_read_state(void **state, lashi_slave *slave, const char *call, const void *bytes,
                            size_t size) {
    if (!lashi_slave_may(slave, LASHI_SLAVE_ANY, call) || !lashi_slave_has(slave, bytes, state, 1))
        return false;
    saved *out = size < SIZE_MAX - sizeof *out ? malloc(sizeof *out + size) : NULL;
    if (!out)
        return lashi_slave_out_of_memory(slave);
    out->count = size;
    memcpy(out->bytes, bytes, size);
    free(*state);
    *state = out;
    return true;
}
