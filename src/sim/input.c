/* SPDX-License-Identifier: MIT
 *
 * Inputs of a sim: those of the model, and components of forces that a caller sets between steps, or gives as
 * functions. What is set is part of the state (force/input.c adds it to the model's own).
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "sim/sim.h"

lash_status lashi_inputs_create(lash_sim *sim, lash_error *error) {
    const lash_system *system = sim->system;
    sim->input_list = lashi_arena_alloc(
        &sim->arena, (size_t)(system->force_count * LASHI_INPUTS + system->machine.input_count),
        sizeof *sim->input_list);
    if (!sim->input_list)
        return lashi_fail_memory(error);
    for (int i = 0; i < system->machine.input_count; i++) {
        const char *unit = system->machine.inputs[i]->unit;
        sim->input_list[sim->input_count++] =
            (lashi_sim_input){system->machine.input_names[i], unit ? unit : "", -1, i};
    }
    for (int f = 0; f < system->force_count; f++) {
        const lashi_force *force = &system->forces[f];
        const lashi_force_kind *kind = lashi_force_kind_at((size_t)force->type);
        const char *by_coordinate = force->coordinate.type == LASHI_COORDINATE_ANGLE ? "N m" : "N";
        for (int k = 0; k < LASHI_INPUTS && force->expression[k]; k++) {
            const char *component = kind->inputs[system->spatial][k];
            if (!component)
                break;
            const char *name = lashi_arena_print(&sim->arena, "%s.%s", force->name, component);
            if (!name)
                return lashi_fail_memory(error);
            sim->input_list[sim->input_count++] =
                (lashi_sim_input){name, kind->input_unit ? kind->input_unit : by_coordinate, f, k};
        }
    }
    return LASH_OK;
}

void lashi_inputs_use(lash_sim *sim) {
    bool any = false;
    for (int f = 0; f < sim->system->force_count; f++) {
        any = any || sim->calls[f].call;
        for (int k = 0; k < LASHI_INPUTS; k++)
            any = any || sim->inputs[f][k] != 0;
    }
    lashi_workspace *w = sim->workspace;
    w->seen = (lashi_inputs){any ? (const double(*)[LASHI_INPUTS])sim->inputs : NULL, sim->calls, &w->now};
    w->frames[0].inputs = any || sim->system->machine.read_count ? &w->seen : NULL;
    sim->workspace->present = false;
}

size_t lash_sim_input_count(const lash_sim *sim) {
    return sim ? sim->input_count : 0;
}

const char *lash_sim_input_name(const lash_sim *sim, size_t input) {
    return input < lash_sim_input_count(sim) ? sim->input_list[input].name : NULL;
}

const char *lash_sim_input_unit(const lash_sim *sim, size_t input) {
    return input < lash_sim_input_count(sim) ? sim->input_list[input].unit : NULL;
}

size_t lash_sim_find_input(const lash_sim *sim, const char *name) {
    for (size_t i = 0; name && i < lash_sim_input_count(sim); i++)
        if (strcmp(sim->input_list[i].name, name) == 0)
            return i;
    return (size_t)-1;
}

static double *place(const lash_sim *sim, size_t input) {
    const lashi_sim_input *found = &sim->input_list[input];
    if (found->force < 0)
        return &sim->settings[found->component];
    return &sim->inputs[found->force][found->component];
}

double lash_sim_input(const lash_sim *sim, size_t input) {
    if (input >= lash_sim_input_count(sim))
        return (double)NAN;
    const lashi_sim_input *found = &sim->input_list[input];
    return found->force < 0 ? lashi_input_at(sim->workspace, found->component, sim->integrator->t)
                            : *place(sim, input);
}

lash_status lash_sim_set_input(lash_sim *sim, size_t input, double value, lash_error *error) {
    if (input >= lash_sim_input_count(sim))
        return lashi_fail(error, LASH_ERROR_USAGE, "there is no input number %zu; the sim has %zu", input,
                          lash_sim_input_count(sim));
    if (!isfinite(value))
        return lashi_fail(error, LASH_ERROR_USAGE, "input '%s' cannot be set to a number that is not finite",
                          sim->input_list[input].name);
    if (*place(sim, input) == value)
        return LASH_OK;
    *place(sim, input) = value;
    lashi_inputs_use(sim);
    return lashi_sim_jump(sim, error);
}

static const char *force_name(const void *list, size_t index) {
    const lash_system *system = list;
    return index < (size_t)system->force_count ? system->forces[index].name : NULL;
}

lash_status lash_sim_set_force(lash_sim *sim, const char *force, lash_force_call *call, void *user,
                               lash_error *error) {
    if (!sim || !force)
        return lashi_fail(error, LASH_ERROR_USAGE, "a function of a force needs a sim and the force's name");
    for (size_t i = 0; i < sim->input_count; i++) {
        const int f = sim->input_list[i].force;
        if (f >= 0 && strcmp(sim->system->forces[f].name, force) == 0) {
            sim->calls[f] = (lashi_input_call){call, user};
            lashi_inputs_use(sim);
            return lashi_sim_jump(sim, error);
        }
    }
    const char *near = lashi_nearest(force, force_name, sim->system);
    return lashi_fail(error, LASH_ERROR_USAGE,
                      "there is no force '%.100s' whose components can be given%s%s%s", force,
                      near ? "; did you mean '" : "; force, torque and springs with an actuator can",
                      near ? near : "", near ? "'?" : "");
}
