/* SPDX-License-Identifier: MIT
 *
 * The variables of a model in an FMU, by reference (slave.h).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/inside.h"

static bool unknown(const lashi_slave *slave, unsigned reference, const char *what) {
    return lashi_slave_refuse_as(slave, "there is no %s with the reference %u", what, reference);
}

static bool parameter_of(lash_parameter *out, const lashi_slave *slave, unsigned reference) {
    return reference >= LASHI_FMU_PARAMETERS &&
           lash_model_parameter(out, slave->machine.sim ? slave->machine.model : slave->usual,
                                reference - LASHI_FMU_PARAMETERS);
}

static bool is_input(const lashi_slave *slave, unsigned reference) {
    return reference >= LASHI_FMU_INPUTS && reference - LASHI_FMU_INPUTS < slave->input_count;
}

static bool get(double *out, lashi_slave *slave, unsigned reference) {
    lash_parameter parameter;
    if (reference >= LASHI_FMU_OUTPUTS && reference - LASHI_FMU_OUTPUTS < slave->output_count) {
        if (!lashi_slave_build(slave))
            return false;
        *out = slave->values[reference - LASHI_FMU_OUTPUTS];
    } else if (is_input(slave, reference)) {
        if (!lashi_slave_build(slave))
            return false;
        *out = lash_sim_input(slave->machine.sim, reference - LASHI_FMU_INPUTS);
    } else if (reference == LASHI_FMU_TIME) {
        *out = slave->time;
    } else if (lashi_slave_build(slave) && parameter_of(&parameter, slave, reference) && !parameter.choices) {
        *out = parameter.value;
    } else {
        return unknown(slave, reference, "number");
    }
    return true;
}

/* Changes a parameter, and the machine with it; where that fails, both stay as they are. */
static bool replace_text(lashi_slave *slave, size_t index, const char *text) {
    lashi_machine machine;
    char *copy = strdup(text), *kept = slave->texts[index];
    if (!copy)
        return lashi_slave_out_of_memory(slave);
    slave->texts[index] = copy;
    const bool fine = lashi_machine_build(&machine, slave, slave->texts, slave->start);
    if (fine)
        lashi_slave_take(slave, machine);
    else
        slave->texts[index] = kept;
    free(fine ? kept : copy);
    return fine;
}

static bool set(lashi_slave *slave, unsigned reference, double value) {
    lash_error error = {.message = ""};
    lash_parameter parameter;
    char text[40];
    if (!isfinite(value))
        return lashi_slave_refuse_as(slave, "the variable %u cannot be set to a number that is not finite",
                                     reference);
    if (is_input(slave, reference)) {
        const size_t k = reference - LASHI_FMU_INPUTS;
        if (slave->inputs[k] == value)
            return true;
        slave->inputs[k] = value;
        if (!slave->machine.sim)
            return lashi_slave_build(slave);
        const bool fine =
            lashi_slave_told(slave, lashi_slave_go_back(slave, &error), &error) &&
            lashi_slave_told(slave, lash_sim_set_input(slave->machine.sim, k, value, &error), &error);
        if (fine)
            lashi_slave_look(slave);
        return fine;
    }
    if (reference >= LASHI_FMU_INPUTS || !parameter_of(&parameter, slave, reference) || parameter.choices)
        return unknown(slave, reference, "input or number");
    if (!(slave->mode & (LASHI_SLAVE_READY | LASHI_SLAVE_INITIALIZING)))
        return lashi_slave_refuse(slave, "a parameter is set before the steps begin");
    snprintf(text, sizeof text, "%.17g", value);
    return replace_text(slave, reference - LASHI_FMU_PARAMETERS, text);
}

static bool get_text(const char **out, lashi_slave *slave, unsigned reference) {
    lash_parameter parameter;
    if (!lashi_slave_build(slave) || !parameter_of(&parameter, slave, reference) || !parameter.choices)
        return unknown(slave, reference, "text");
    *out = parameter.text;
    return true;
}

static bool set_text(lashi_slave *slave, unsigned reference, const char *value) {
    lash_parameter parameter;
    if (!value || !parameter_of(&parameter, slave, reference) || !parameter.choices)
        return unknown(slave, reference, "text");
    if (!(slave->mode & (LASHI_SLAVE_READY | LASHI_SLAVE_INITIALIZING)))
        return lashi_slave_refuse(slave, "a parameter is set before the steps begin");
    return replace_text(slave, reference - LASHI_FMU_PARAMETERS, value);
}

/* ---- lists of them ---- */

enum { SETTABLE = LASHI_SLAVE_READY | LASHI_SLAVE_INITIALIZING };

static bool may(const lashi_slave *slave, int modes, const char *call, const void *references,
                const void *values, size_t count) {
    return lashi_slave_may(slave, modes, call) && lashi_slave_has(slave, references, values, count);
}

bool lashi_slave_get_numbers(lashi_slave *slave, const char *call, const unsigned *references, size_t count,
                             double *values) {
    bool fine = may(slave, LASHI_SLAVE_ANY, call, references, values, count);
    for (size_t i = 0; fine && i < count; i++)
        fine = get(&values[i], slave, references[i]);
    return fine;
}

bool lashi_slave_set_numbers(lashi_slave *slave, const char *call, const unsigned *references, size_t count,
                             const double *values) {
    bool fine =
        may(slave, SETTABLE | LASHI_SLAVE_STEPPING | LASHI_SLAVE_EVENT, call, references, values, count);
    for (size_t i = 0; fine && i < count; i++)
        fine = set(slave, references[i], values[i]);
    return fine;
}

bool lashi_slave_get_texts(lashi_slave *slave, const char *call, const unsigned *references, size_t count,
                           const char **values) {
    bool fine = may(slave, LASHI_SLAVE_ANY, call, references, values, count);
    for (size_t i = 0; fine && i < count; i++)
        fine = get_text(&values[i], slave, references[i]);
    return fine;
}

bool lashi_slave_set_texts(lashi_slave *slave, const char *call, const unsigned *references, size_t count,
                           const char *const *values) {
    bool fine = may(slave, SETTABLE, call, references, values, count);
    for (size_t i = 0; fine && i < count; i++)
        fine = set_text(slave, references[i], values[i]);
    return fine;
}
