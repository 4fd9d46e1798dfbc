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

/* Besides the slave: the name, whom to tell, and whether to tell what is no error. */
typedef struct component {
    lashi_slave *slave;
    char *name;
    fmi2CallbackFunctions callbacks;
    bool verbose;
    bool set_up;
} component;

enum {
    READY = LASHI_SLAVE_READY,
    INITIALIZING = LASHI_SLAVE_INITIALIZING,
    STEPPING = LASHI_SLAVE_STEPPING,
    TERMINATED = LASHI_SLAVE_TERMINATED,
    FAILED = LASHI_SLAVE_FAILED,
    ANY = READY | INITIALIZING | STEPPING | TERMINATED | FAILED
};

static void log_message(void *user, int severity, const char *message) {
    const component *c = user;
    if (!c->callbacks.logger || (severity == 0 && !c->verbose))
        return;
    c->callbacks.logger(c->callbacks.environment, c->name, severity == 2 ? fmi2Error : fmi2OK,
                        severity == 2 ? "logStatusError" : "logAll", "%s", message);
}

static fmi2Status answer(bool fine) {
    return fine ? fmi2OK : fmi2Error;
}

static bool may(const component *c, int modes, const char *call) {
    return c && lashi_slave_may(c->slave, modes, call);
}

/* A list of values needs its places. */
static bool has(const component *c, const void *references, const void *values, size_t count) {
    return count == 0 || (references && values) || lashi_slave_refuse(c->slave, "a list of values is NULL");
}

const char *fmi2GetTypesPlatform(void) {
    return "default";
}

const char *fmi2GetVersion(void) {
    return "2.0";
}

fmi2Status fmi2SetDebugLogging(fmi2Component instance, fmi2Boolean on, size_t count,
                               const fmi2String categories[]) {
    component *c = instance;
    (void)count, (void)categories;
    if (!may(c, ANY, __func__))
        return fmi2Error;
    c->verbose = on != 0;
    return fmi2OK;
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
    (void)visible;
    component *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    if (callbacks)
        c->callbacks = *callbacks;
    c->verbose = logging != 0;
    c->name = strdup(name && *name ? name : "lash");
    char *path = path_of(resources);
    if (type != fmi2CoSimulation)
        log_message(c, 2, "this FMU is for co-simulation");
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
    if (!may(c, READY, __func__))
        return fmi2Error;
    c->set_up = lashi_slave_setup(c->slave, start, stop_given != 0, stop);
    return answer(c->set_up);
}

fmi2Status fmi2EnterInitializationMode(fmi2Component instance) {
    component *c = instance;
    return answer(may(c, READY, __func__) &&
                  (c->set_up || lashi_slave_refuse(c->slave, "fmi2SetupExperiment comes first")) &&
                  lashi_slave_begin(c->slave));
}

fmi2Status fmi2ExitInitializationMode(fmi2Component instance) {
    component *c = instance;
    return answer(may(c, INITIALIZING, __func__) && lashi_slave_start(c->slave));
}

fmi2Status fmi2Terminate(fmi2Component instance) {
    component *c = instance;
    return answer(may(c, STEPPING, __func__) && lashi_slave_terminate(c->slave));
}

fmi2Status fmi2Reset(fmi2Component instance) {
    component *c = instance;
    if (!may(c, ANY, __func__))
        return fmi2Error;
    c->set_up = false;
    return answer(lashi_slave_reset(c->slave));
}

fmi2Status fmi2GetReal(fmi2Component instance, const fmi2ValueReference references[], size_t count,
                       fmi2Real values[]) {
    component *c = instance;
    bool fine = may(c, ANY, __func__) && has(c, references, values, count);
    for (size_t i = 0; fine && i < count; i++)
        fine = lashi_slave_get(&values[i], c->slave, references[i]);
    return answer(fine);
}

fmi2Status fmi2SetReal(fmi2Component instance, const fmi2ValueReference references[], size_t count,
                       const fmi2Real values[]) {
    component *c = instance;
    bool fine = may(c, READY | INITIALIZING | STEPPING, __func__) && has(c, references, values, count);
    for (size_t i = 0; fine && i < count; i++)
        fine = lashi_slave_set(c->slave, references[i], values[i]);
    return answer(fine);
}

fmi2Status fmi2GetString(fmi2Component instance, const fmi2ValueReference references[], size_t count,
                         fmi2String values[]) {
    component *c = instance;
    bool fine = may(c, ANY, __func__) && has(c, references, values, count);
    for (size_t i = 0; fine && i < count; i++)
        fine = lashi_slave_get_text(&values[i], c->slave, references[i]);
    return answer(fine);
}

fmi2Status fmi2SetString(fmi2Component instance, const fmi2ValueReference references[], size_t count,
                         const fmi2String values[]) {
    component *c = instance;
    bool fine = may(c, READY | INITIALIZING, __func__) && has(c, references, values, count);
    for (size_t i = 0; fine && i < count; i++)
        fine = lashi_slave_set_text(c->slave, references[i], values[i]);
    return answer(fine);
}

/* There are no variables of these types. */
static fmi2Status none(component *c, size_t count, const char *call) {
    return answer(may(c, ANY, call) &&
                  (count == 0 || lashi_slave_refuse(c->slave, "the model has no variables of this type")));
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference references[], size_t count,
                          fmi2Integer values[]) {
    (void)references, (void)values;
    return none(c, count, __func__);
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference references[], size_t count,
                          const fmi2Integer values[]) {
    (void)references, (void)values;
    return none(c, count, __func__);
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference references[], size_t count,
                          fmi2Boolean values[]) {
    (void)references, (void)values;
    return none(c, count, __func__);
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference references[], size_t count,
                          const fmi2Boolean values[]) {
    (void)references, (void)values;
    return none(c, count, __func__);
}

/* ---- states ---- */

typedef struct saved {
    size_t count;
    void *bytes;
} saved;

fmi2Status fmi2FreeFMUstate(fmi2Component instance, fmi2FMUstate *state) {
    if (!may(instance, ANY, __func__))
        return fmi2Error;
    if (state && *state) {
        free(((saved *)*state)->bytes);
        free(*state);
        *state = NULL;
    }
    return fmi2OK;
}

fmi2Status fmi2GetFMUstate(fmi2Component instance, fmi2FMUstate *state) {
    component *c = instance;
    if (!may(c, ANY, __func__) || !has(c, state, state, 1))
        return fmi2Error;
    fmi2FreeFMUstate(c, state);
    saved *s = calloc(1, sizeof *s);
    if (!s || !lashi_slave_save(&s->bytes, &s->count, c->slave)) {
        free(s);
        return fmi2Error;
    }
    *state = s;
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component instance, fmi2FMUstate state) {
    component *c = instance;
    const saved *s = state;
    if (!may(c, ANY, __func__) || !has(c, s, s, 1))
        return fmi2Error;
    c->set_up = true;
    return answer(lashi_slave_restore(c->slave, s->bytes, s->count));
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component instance, fmi2FMUstate state, size_t *size) {
    component *c = instance;
    if (!may(c, ANY, __func__) || !has(c, state, size, 1))
        return fmi2Error;
    *size = ((const saved *)state)->count;
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component instance, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    component *c = instance;
    const saved *s = state;
    if (!may(c, ANY, __func__) || !has(c, state, bytes, 1))
        return fmi2Error;
    if (size < s->count)
        return answer(lashi_slave_refuse(c->slave, "there is too little room for the state"));
    memcpy(bytes, s->bytes, s->count);
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component instance, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state) {
    component *c = instance;
    if (!may(c, ANY, __func__) || !has(c, bytes, state, 1))
        return fmi2Error;
    fmi2FreeFMUstate(c, state);
    saved *s = calloc(1, sizeof *s);
    if (s)
        s->bytes = malloc(size + 1);
    if (!s || !s->bytes) {
        free(s);
        return fmi2Error;
    }
    memcpy(s->bytes, bytes, size);
    s->count = size;
    *state = s;
    return fmi2OK;
}

/* ---- steps ---- */

fmi2Status fmi2DoStep(fmi2Component instance, fmi2Real time, fmi2Real step, fmi2Boolean keeps) {
    component *c = instance;
    (void)keeps;
    double reached;
    bool early;
    return answer(may(c, STEPPING, __func__) &&
                  lashi_slave_step(&reached, &early, c->slave, time, step, false));
}

fmi2Status fmi2CancelStep(fmi2Component instance) {
    component *c = instance;
    return answer(may(c, ANY, __func__) && lashi_slave_refuse(c->slave, "steps are never pending"));
}

fmi2Status fmi2GetStatus(fmi2Component instance, const fmi2StatusKind kind, fmi2Status *status) {
    component *c = instance;
    if (!may(c, ANY, __func__) || !has(c, status, status, 1))
        return fmi2Error;
    *status = lashi_slave_mode_of(c->slave) == LASHI_SLAVE_FAILED ? fmi2Error : fmi2OK;
    return kind == fmi2DoStepStatus ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetRealStatus(fmi2Component instance, const fmi2StatusKind kind, fmi2Real *value) {
    component *c = instance;
    if (!may(c, ANY, __func__) || !has(c, value, value, 1))
        return fmi2Error;
    *value = lashi_slave_time(c->slave);
    return kind == fmi2LastSuccessfulTime ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value) {
    (void)kind, (void)value;
    return may(c, ANY, __func__) ? fmi2Discard : fmi2Error;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component instance, const fmi2StatusKind kind, fmi2Boolean *value) {
    component *c = instance;
    if (!may(c, ANY, __func__) || !has(c, value, value, 1))
        return fmi2Error;
    *value = lashi_slave_mode_of(c->slave) == LASHI_SLAVE_TERMINATED;
    return kind == fmi2Terminated ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value) {
    (void)kind, (void)value;
    return may(c, ANY, __func__) ? fmi2Discard : fmi2Error;
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
