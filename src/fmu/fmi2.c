/* SPDX-License-Identifier: MIT
 *
 * FMI 2.0 for co-simulation (https://fmi-standard.org, version 2.0.4): its functions over slave.h. Types and
 * names are those of the standard, declared here as far as they are needed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/slave.h"

typedef void *fmi2Component;
typedef void *fmi2FMUstate;
typedef unsigned fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef const char *fmi2String;
typedef char fmi2Byte;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef struct {
    void (*logger)(void *environment, fmi2String instance, fmi2Status status, fmi2String category,
                   fmi2String message, ...);
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(void *environment, fmi2Status status);
    void *environment;
} fmi2CallbackFunctions;

/* Besides the slave: the name and the logger. */
typedef struct component {
    lashi_slave *slave;
    char *name;
    fmi2CallbackFunctions callbacks;
    bool set_up;
} component;

static void log_message(void *user, const char *message) {
    const component *c = user;
    if (c->callbacks.logger)
        c->callbacks.logger(c->callbacks.environment, c->name, fmi2Error, "logStatusError", "%s", message);
}

static fmi2Status answer(bool fine) {
    return fine ? fmi2OK : fmi2Error;
}

static lashi_slave *slave_of(fmi2Component instance) {
    return instance ? ((component *)instance)->slave : NULL;
}

static bool may(fmi2Component instance, int modes, const char *call) {
    return lashi_slave_may(slave_of(instance), modes, call);
}

/* The pointer to a result must not be NULL. */
static bool has(fmi2Component instance, const void *place) {
    return lashi_slave_has(slave_of(instance), place, place, 1);
}

const char *fmi2GetTypesPlatform(void) {
    return "default";
}

const char *fmi2GetVersion(void) {
    return "2.0";
}

fmi2Status fmi2SetDebugLogging(fmi2Component instance, fmi2Boolean on, size_t count,
                               const fmi2String categories[]) {
    (void)on, (void)count, (void)categories; // errors are reported in any case, and there is nothing else
    return answer(may(instance, LASHI_SLAVE_ANY, __func__));
}

/* file:///tmp/x%20y → /tmp/x y */
static char *path_of(const char *location) {
    static const char scheme[] = "file:";
    const char *from = location ? location : "";
    if (strncmp(from, scheme, sizeof scheme - 1) == 0) {
        from += sizeof scheme - 1;
        if (strncmp(from, "//", 2) == 0) {
            from += 2;
            from += strcspn(from, "/"); // a host
        }
    }
    char *out = malloc(strlen(from) + 1), *to = out;
    for (; out && *from; from++) {
        unsigned code;
        int length = 0;
        if (*from == '%' && sscanf(from + 1, "%2x%n", &code, &length) == 1 && length == 2) {
            *to++ = (char)code;
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    if (out)
        *to = '\0';
    return out;
}

void fmi2FreeInstance(fmi2Component instance) {
    component *c = instance;
    if (!c)
        return;
    lashi_slave_destroy(c->slave);
    free(c->name);
    free(c);
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible,
                              fmi2Boolean logging) {
    (void)visible, (void)logging;
    component *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    if (callbacks)
        c->callbacks = *callbacks;
    c->name = strdup(name && *name ? name : "lash");
    char *path = path_of(resources);
    if (type != fmi2CoSimulation)
        log_message(c, "this FMU is for co-simulation");
    else if (c->name && path)
        c->slave = lashi_slave_create(path, token, log_message, c);
    free(path);
    if (!c->slave) {
        fmi2FreeInstance(c);
        return NULL;
    }
    return c;
}

fmi2Status fmi2SetupExperiment(fmi2Component instance, fmi2Boolean tolerance_given, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean stop_given, fmi2Real stop) {
    component *c = instance;
    (void)tolerance_given, (void)tolerance; // the model has its own
    if (!may(c, LASHI_SLAVE_READY, __func__))
        return fmi2Error;
    c->set_up = lashi_slave_setup(c->slave, start, stop_given != 0, stop);
    return answer(c->set_up);
}

fmi2Status fmi2EnterInitializationMode(fmi2Component instance) {
    component *c = instance;
    return answer(may(c, LASHI_SLAVE_READY, __func__) &&
                  (c->set_up || lashi_slave_refuse(c->slave, "fmi2SetupExperiment comes first")) &&
                  lashi_slave_begin(c->slave));
}

fmi2Status fmi2ExitInitializationMode(fmi2Component instance) {
    component *c = instance;
    return answer(may(c, LASHI_SLAVE_INITIALIZING, __func__) && lashi_slave_start(c->slave));
}

fmi2Status fmi2Terminate(fmi2Component instance) {
    component *c = instance;
    return answer(may(c, LASHI_SLAVE_STEPPING, __func__) && lashi_slave_terminate(c->slave));
}

fmi2Status fmi2Reset(fmi2Component instance) {
    component *c = instance;
    if (!may(c, LASHI_SLAVE_ANY, __func__))
        return fmi2Error;
    c->set_up = false;
    return answer(lashi_slave_reset(c->slave));
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[], size_t count,
                       fmi2Real values[]) {
    return answer(lashi_slave_get_numbers(slave_of(c), __func__, references, count, values));
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[], size_t count,
                       const fmi2Real values[]) {
    return answer(lashi_slave_set_numbers(slave_of(c), __func__, references, count, values));
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference references[], size_t count,
                         fmi2String values[]) {
    return answer(lashi_slave_get_texts(slave_of(c), __func__, references, count, values));
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference references[], size_t count,
                         const fmi2String values[]) {
    return answer(lashi_slave_set_texts(slave_of(c), __func__, references, count, values));
}

/* Types of variables that the model does not have: none may be asked for. */
static fmi2Status none(fmi2Component c, size_t count, const char *call) {
    return answer(may(c, LASHI_SLAVE_ANY, call) &&
                  (count == 0 || lashi_slave_refuse(slave_of(c), "this FMU has no such function")));
}

#define ABSENT(type)                                                                                         \
    fmi2Status fmi2Get##type(fmi2Component c, const fmi2ValueReference references[], size_t count,           \
                             fmi2##type values[]) {                                                          \
        (void)references, (void)values;                                                                      \
        return none(c, count, __func__);                                                                     \
    }                                                                                                        \
    fmi2Status fmi2Set##type(fmi2Component c, const fmi2ValueReference references[], size_t count,           \
                             const fmi2##type values[]) {                                                    \
        (void)references, (void)values;                                                                      \
        return none(c, count, __func__);                                                                     \
    }
ABSENT(Integer)
ABSENT(Boolean)

/* ---- states ---- */

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    return answer(lashi_slave_drop_state(slave_of(c), __func__, state));
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    return answer(lashi_slave_get_state(slave_of(c), __func__, state));
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    const bool fine = lashi_slave_set_state(slave_of(c), __func__, state);
    if (fine)
        ((component *)c)->set_up = true;
    return answer(fine);
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
    return answer(lashi_slave_state_size(size, slave_of(c), __func__, state));
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    return answer(lashi_slave_write_state(bytes, size, slave_of(c), __func__, state));
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state) {
    return answer(lashi_slave_read_state(state, slave_of(c), __func__, bytes, size));
}

/* ---- steps ---- */

fmi2Status fmi2DoStep(fmi2Component instance, fmi2Real time, fmi2Real step, fmi2Boolean keeps) {
    component *c = instance;
    (void)keeps;
    double reached;
    bool early;
    if (!may(c, LASHI_SLAVE_STEPPING, __func__) ||
        !lashi_slave_step(&reached, &early, c->slave, time, step, false))
        return fmi2Error;
    return lashi_slave_ended(c->slave) ? fmi2Discard : fmi2OK;
}

fmi2Status fmi2CancelStep(fmi2Component instance) {
    component *c = instance;
    return answer(may(c, LASHI_SLAVE_ANY, __func__) &&
                  lashi_slave_refuse(c->slave, "steps are never pending"));
}

fmi2Status fmi2GetStatus(fmi2Component instance, const fmi2StatusKind kind, fmi2Status *status) {
    component *c = instance;
    if (!may(c, LASHI_SLAVE_ANY, __func__) || !has(c, status))
        return fmi2Error;
    *status = lashi_slave_mode_of(c->slave) == LASHI_SLAVE_FAILED ? fmi2Error
              : lashi_slave_ended(c->slave)                       ? fmi2Discard
                                                                  : fmi2OK;
    return kind == fmi2DoStepStatus ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetRealStatus(fmi2Component instance, const fmi2StatusKind kind, fmi2Real *value) {
    component *c = instance;
    if (!may(c, LASHI_SLAVE_ANY, __func__) || !has(c, value))
        return fmi2Error;
    *value = lashi_slave_time(c->slave);
    return kind == fmi2LastSuccessfulTime ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value) {
    (void)kind, (void)value;
    return may(c, LASHI_SLAVE_ANY, __func__) ? fmi2Discard : fmi2Error;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component instance, const fmi2StatusKind kind, fmi2Boolean *value) {
    component *c = instance;
    if (!may(c, LASHI_SLAVE_ANY, __func__) || !has(c, value))
        return fmi2Error;
    *value = lashi_slave_mode_of(c->slave) == LASHI_SLAVE_TERMINATED || lashi_slave_ended(c->slave);
    return kind == fmi2Terminated ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value) {
    (void)kind, (void)value;
    return may(c, LASHI_SLAVE_ANY, __func__) ? fmi2Discard : fmi2Error;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[],
                                        size_t unknown_count, const fmi2ValueReference knowns[],
                                        size_t known_count, const fmi2Real seed[], fmi2Real sensitivity[]) {
    (void)unknowns, (void)knowns, (void)seed, (void)sensitivity, (void)known_count;
    return none(c, unknown_count + 1, __func__);
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference references[], size_t count,
                                       const fmi2Integer order[], const fmi2Real values[]) {
    (void)references, (void)order, (void)values;
    return none(c, count, __func__);
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference references[], size_t count,
                                        const fmi2Integer order[], fmi2Real values[]) {
    (void)references, (void)order, (void)values;
    return none(c, count, __func__);
}
