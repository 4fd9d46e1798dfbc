/* SPDX-License-Identifier: MIT
 *
 * FMI 3.0 for co-simulation (https://fmi-standard.org, version 3.0): its functions over slave.h. Types and
 * names are those of the standard, declared here as far as they are needed. With event mode, a step comes
 * back at the first contact event inside it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/slave.h"

typedef void *fmi3Instance;
typedef void *fmi3FMUState;
typedef void *fmi3InstanceEnvironment;
typedef uint32_t fmi3ValueReference;
typedef double fmi3Float64;
typedef float fmi3Float32;
typedef bool fmi3Boolean, fmi3Clock;
typedef const char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                       fmi3String message);

typedef struct instance {
    lashi_slave *slave;
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
    bool early, events;
} instance;

static void log_message(void *user, const char *message) {
    const instance *c = user;
    if (c->log)
        c->log(c->environment, fmi3Error, "logStatusError", message);
}

static fmi3Status answer(bool fine) {
    return fine ? fmi3OK : fmi3Error;
}

static lashi_slave *slave_of(fmi3Instance p) {
    return p ? ((instance *)p)->slave : NULL;
}

static bool may(fmi3Instance p, int modes, const char *call) {
    return lashi_slave_may(slave_of(p), modes, call);
}

/* Pointers to results must not be NULL. */
static bool has(const instance *c, const void *first, const void *second) {
    return lashi_slave_has(c->slave, first, second, 1);
}

static bool fits(fmi3Instance p, size_t references, size_t values) {
    return !p || references == values ||
           lashi_slave_refuse(slave_of(p), "there must be as many values as references: all are scalars");
}

const char *fmi3GetVersion(void) {
    return "3.0";
}

fmi3Status fmi3SetDebugLogging(fmi3Instance p, fmi3Boolean on, size_t count, const fmi3String categories[]) {
    (void)on, (void)count, (void)categories; // errors are reported in any case, and there is nothing else
    return answer(may(p, LASHI_SLAVE_ANY, __func__));
}

void fmi3FreeInstance(fmi3Instance p) {
    instance *c = p;
    if (!c)
        return;
    lashi_slave_destroy(c->slave);
    free(c);
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode,
                                         fmi3Boolean early, const fmi3ValueReference intermediate[],
                                         size_t intermediate_count, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log, void *update) {
    (void)name, (void)visible, (void)logging, (void)intermediate, (void)intermediate_count, (void)update;
    instance *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    *c = (instance){.environment = environment, .log = log, .early = early, .events = event_mode};
    c->slave = lashi_slave_create(resources, token, log_message, c);
    if (!c->slave) {
        free(c);
        return NULL;
    }
    return c;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    if (log)
        log(environment, fmi3Error, "logStatusError", "this FMU is for co-simulation");
    return NULL;
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                               fmi3Boolean visible, fmi3Boolean logging,
                                               fmi3InstanceEnvironment environment,
                                               fmi3LogMessageCallback log, void *clock, void *lock,
                                               void *unlock) {
    (void)clock, (void)lock, (void)unlock;
    return fmi3InstantiateModelExchange(name, token, resources, visible, logging, environment, log);
}

/* ---- modes ---- */

fmi3Status fmi3EnterInitializationMode(fmi3Instance p, fmi3Boolean tolerance_given, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean stop_given, fmi3Float64 stop) {
    instance *c = p;
    (void)tolerance_given, (void)tolerance; // the model has its own
    return answer(may(c, LASHI_SLAVE_READY, __func__) &&
                  lashi_slave_setup(c->slave, start, stop_given, stop) && lashi_slave_begin(c->slave));
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance p) {
    instance *c = p;
    if (!may(c, LASHI_SLAVE_INITIALIZING, __func__) || !lashi_slave_start(c->slave))
        return fmi3Error;
    lashi_slave_events(c->slave, c->events);
    return fmi3OK;
}

fmi3Status fmi3EnterEventMode(fmi3Instance p) {
    instance *c = p;
    if (!may(c, LASHI_SLAVE_STEPPING, __func__))
        return fmi3Error;
    if (!c->events)
        return answer(lashi_slave_refuse(c->slave, "the FMU was instantiated without event mode"));
    lashi_slave_events(c->slave, true);
    return fmi3OK;
}

fmi3Status fmi3EnterStepMode(fmi3Instance p) {
    instance *c = p;
    if (!may(c, LASHI_SLAVE_EVENT, __func__))
        return fmi3Error;
    lashi_slave_events(c->slave, false);
    return fmi3OK;
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance p, fmi3Boolean *again, fmi3Boolean *terminate,
                                    fmi3Boolean *nominals, fmi3Boolean *values, fmi3Boolean *next_known,
                                    fmi3Float64 *next) {
    instance *c = p;
    if (!may(c, LASHI_SLAVE_EVENT, __func__) || !has(c, again, terminate) || !has(c, nominals, values) ||
        !has(c, next_known, next))
        return fmi3Error;
    *again = *terminate = *nominals = *values = *next_known = false;
    *next = 0;
    return fmi3OK;
}

fmi3Status fmi3Terminate(fmi3Instance p) {
    instance *c = p;
    return answer(may(c, LASHI_SLAVE_STEPPING | LASHI_SLAVE_EVENT, __func__) &&
                  lashi_slave_terminate(c->slave));
}

fmi3Status fmi3Reset(fmi3Instance p) {
    instance *c = p;
    return answer(may(c, LASHI_SLAVE_ANY, __func__) && lashi_slave_reset(c->slave));
}

fmi3Status fmi3DoStep(fmi3Instance p, fmi3Float64 time, fmi3Float64 step, fmi3Boolean keeps,
                      fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *reached) {
    instance *c = p;
    (void)keeps;
    if (!may(c, LASHI_SLAVE_STEPPING, __func__) || !has(c, event, terminate) || !has(c, early, reached))
        return fmi3Error;
    *event = *terminate = *early = false;
    if (!lashi_slave_step(reached, early, c->slave, time, step, c->events && c->early))
        return fmi3Error;
    *event = *early;
    *terminate = lashi_slave_ended(c->slave);
    return *terminate ? fmi3Discard : fmi3OK;
}

/* ---- variables ---- */

fmi3Status fmi3GetFloat64(fmi3Instance p, const fmi3ValueReference references[], size_t count,
                          fmi3Float64 values[], size_t value_count) {
    return answer(fits(p, count, value_count) &&
                  lashi_slave_get_numbers(slave_of(p), __func__, references, count, values));
}

fmi3Status fmi3SetFloat64(fmi3Instance p, const fmi3ValueReference references[], size_t count,
                          const fmi3Float64 values[], size_t value_count) {
    return answer(fits(p, count, value_count) &&
                  lashi_slave_set_numbers(slave_of(p), __func__, references, count, values));
}

fmi3Status fmi3GetString(fmi3Instance p, const fmi3ValueReference references[], size_t count,
                         fmi3String values[], size_t value_count) {
    return answer(fits(p, count, value_count) &&
                  lashi_slave_get_texts(slave_of(p), __func__, references, count, values));
}

fmi3Status fmi3SetString(fmi3Instance p, const fmi3ValueReference references[], size_t count,
                         const fmi3String values[], size_t value_count) {
    return answer(fits(p, count, value_count) &&
                  lashi_slave_set_texts(slave_of(p), __func__, references, count, values));
}

/* Types of variables that the model does not have: none may be asked for. */
static fmi3Status none(fmi3Instance c, size_t count, const char *call) {
    return answer(may(c, LASHI_SLAVE_ANY, call) &&
                  (count == 0 || lashi_slave_refuse(slave_of(c), "this FMU has no such function")));
}

#define ABSENT(type)                                                                                         \
    fmi3Status fmi3Get##type(fmi3Instance c, const fmi3ValueReference references[], size_t count,            \
                             void *values, size_t value_count) {                                             \
        (void)references, (void)values, (void)value_count;                                                   \
        return none(c, count, __func__);                                                                     \
    }                                                                                                        \
    fmi3Status fmi3Set##type(fmi3Instance c, const fmi3ValueReference references[], size_t count,            \
                             const void *values, size_t value_count) {                                       \
        (void)references, (void)values, (void)value_count;                                                   \
        return none(c, count, __func__);                                                                     \
    }
ABSENT(Float32)
ABSENT(Int8)
ABSENT(UInt8)
ABSENT(Int16)
ABSENT(UInt16)
ABSENT(Int32)
ABSENT(UInt32)
ABSENT(Int64)
ABSENT(UInt64)
ABSENT(Boolean)

fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference references[], size_t count, size_t sizes[],
                         fmi3Binary values[], size_t value_count) {
    (void)references, (void)sizes, (void)values, (void)value_count;
    return none(c, count, __func__);
}

fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                         const size_t sizes[], const fmi3Binary values[], size_t value_count) {
    (void)references, (void)sizes, (void)values, (void)value_count;
    return none(c, count, __func__);
}

fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                        fmi3Clock values[]) {
    (void)references, (void)values;
    return none(c, count, __func__);
}

fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                        const fmi3Clock values[]) {
    (void)references, (void)values;
    return none(c, count, __func__);
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference reference, size_t *count) {
    (void)reference, (void)count;
    return none(c, 1, __func__);
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference dependent, size_t elements[],
                                       fmi3ValueReference independents[], size_t of[], int kinds[],
                                       size_t count) {
    (void)dependent, (void)elements, (void)independents, (void)of, (void)kinds;
    return none(c, count + 1, __func__);
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference unknowns[],
                                        size_t unknown_count, const fmi3ValueReference knowns[],
                                        size_t known_count, const fmi3Float64 seed[], size_t seed_count,
                                        fmi3Float64 sensitivity[], size_t sensitivity_count) {
    (void)unknowns, (void)unknown_count, (void)knowns, (void)known_count, (void)seed, (void)seed_count;
    (void)sensitivity, (void)sensitivity_count;
    return none(c, 1, __func__);
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference unknowns[], size_t unknown_count,
                                    const fmi3ValueReference knowns[], size_t known_count,
                                    const fmi3Float64 seed[], size_t seed_count, fmi3Float64 sensitivity[],
                                    size_t sensitivity_count) {
    (void)unknowns, (void)unknown_count, (void)knowns, (void)known_count, (void)seed, (void)seed_count;
    (void)sensitivity, (void)sensitivity_count;
    return none(c, 1, __func__);
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                                    const int32_t orders[], fmi3Float64 values[], size_t value_count) {
    (void)references, (void)orders, (void)values, (void)value_count;
    return none(c, count, __func__);
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) {
    return none(c, 1, __func__); // there are no structural parameters
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) {
    return none(c, 1, __func__);
}

/* ---- states ---- */

fmi3Status fmi3FreeFMUState(fmi3Instance p, fmi3FMUState *state) {
    return answer(lashi_slave_drop_state(slave_of(p), __func__, state));
}

fmi3Status fmi3GetFMUState(fmi3Instance p, fmi3FMUState *state) {
    return answer(lashi_slave_get_state(slave_of(p), __func__, state));
}

fmi3Status fmi3SetFMUState(fmi3Instance p, fmi3FMUState state) {
    return answer(lashi_slave_set_state(slave_of(p), __func__, state));
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance p, fmi3FMUState state, size_t *size) {
    return answer(lashi_slave_state_size(size, slave_of(p), __func__, state));
}

fmi3Status fmi3SerializeFMUState(fmi3Instance p, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
    return answer(lashi_slave_write_state(bytes, size, slave_of(p), __func__, state));
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance p, const fmi3Byte bytes[], size_t size, fmi3FMUState *state) {
    return answer(lashi_slave_read_state(state, slave_of(p), __func__, bytes, size));
}

/* ---- functions of the other interfaces and of clocks, which have to be there ---- */

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) {
    return none(c, 1, __func__);
}
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean keeps, fmi3Boolean *event,
                                       fmi3Boolean *terminate) {
    (void)keeps, (void)event, (void)terminate;
    return none(c, 1, __func__);
}
fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 time) {
    (void)time;
    return none(c, 1, __func__);
}
fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 states[], size_t count) {
    (void)states;
    return none(c, count + 1, __func__);
}
fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 states[], size_t count) {
    (void)states;
    return none(c, count + 1, __func__);
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 derivatives[], size_t count) {
    (void)derivatives;
    return none(c, count + 1, __func__);
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64 nominals[], size_t count) {
    (void)nominals;
    return none(c, count + 1, __func__);
}
fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 indicators[], size_t count) {
    (void)indicators;
    return none(c, count + 1, __func__);
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *count) {
    (void)count;
    return none(c, 1, __func__);
}
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *count) {
    (void)count;
    return none(c, 1, __func__);
}
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) {
    return none(c, 1, __func__);
}
fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time) {
    (void)clock, (void)time;
    return none(c, 1, __func__);
}
fmi3Status fmi3GetIntervalDecimal(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 v[],
                                  int q[]) {
    (void)r, (void)v, (void)q;
    return none(c, n, __func__);
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance c, const fmi3ValueReference r[], size_t n, uint64_t v[],
                                   uint64_t d[], int q[]) {
    (void)r, (void)v, (void)d, (void)q;
    return none(c, n, __func__);
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 v[]) {
    (void)r, (void)v;
    return none(c, n, __func__);
}
fmi3Status fmi3GetShiftFraction(fmi3Instance c, const fmi3ValueReference r[], size_t n, uint64_t v[],
                                uint64_t d[]) {
    (void)r, (void)v, (void)d;
    return none(c, n, __func__);
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                                  const fmi3Float64 v[]) {
    (void)r, (void)v;
    return none(c, n, __func__);
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance c, const fmi3ValueReference r[], size_t n, const uint64_t v[],
                                   const uint64_t d[]) {
    (void)r, (void)v, (void)d;
    return none(c, n, __func__);
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                               const fmi3Float64 v[]) {
    (void)r, (void)v;
    return none(c, n, __func__);
}
fmi3Status fmi3SetShiftFraction(fmi3Instance c, const fmi3ValueReference r[], size_t n, const uint64_t v[],
                                const uint64_t d[]) {
    (void)r, (void)v, (void)d;
    return none(c, n, __func__);
}
