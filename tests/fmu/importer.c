/* SPDX-License-Identifier: MIT
 *
 * A small importer: importer FMI OBJECT RESOURCES TOKEN [refused|ended|rests]. Two instances of one FMU in one process,
 * with different communication points; numbers against a run of the same model by the library; states; calls in
 * legal and illegal orders; wrong values, which must be answered by an error.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lash/lash.h"

enum { POINTS = 60, MOST = 400, OUTPUTS = 200001, INPUTS = 100001 };
static const double TOLERANCE = 1e-12;

static int failures, logged;

#define CHECK(what)                                                                                          \
    do {                                                                                                     \
        if (!(what)) {                                                                                       \
            failures++;                                                                                      \
            printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #what);                                      \
        }                                                                                                    \
    } while (0)

/* ---- one interface over both versions ---- */

typedef struct fmu {
    int fmi;
    void *object;
    const char *resources, *token;
} fmu;

typedef struct callbacks2 {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
} callbacks2;

static void log2_(void *e, const char *instance, int status, const char *category, const char *format, ...) {
    (void)e, (void)instance, (void)status, (void)category;
    char text[2048];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    logged += text[0] != '\0';
}

static void log3(void *e, int status, const char *category, const char *message) {
    (void)e, (void)status, (void)category;
    logged += message[0] != '\0';
}

static const callbacks2 callbacks = {log2_, calloc, free, NULL, NULL};

static void *find(const fmu *f, const char *name) {
    char full[128];
    snprintf(full, sizeof full, "fmi%d%s", f->fmi, name);
    void *address = dlsym(f->object, full);
    if (!address) {
        printf("the FMU has no function %s\n", full);
        exit(1);
    }
    return address;
}

#define CALL(f, name, type) ((type)find(f, name))

static void *instantiate(const fmu *f, const char *token, const char *resources, bool events) {
    if (f->fmi == 2) {
        char uri[4096];
        snprintf(uri, sizeof uri, "file://%s", resources);
        return CALL(f, "Instantiate",
                    void *(*)(const char *, int, const char *, const char *, const callbacks2 *, int, int))(
            "one", 1, token, uri, &callbacks, 0, 0);
    }
    return CALL(f, "InstantiateCoSimulation",
                void *(*)(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *,
                          size_t, void *, void (*)(void *, int, const char *, const char *), void *))(
        "one", token, resources, false, false, events, events, NULL, 0, NULL, log3, NULL);
}

typedef int simple(void *);

static int call(const fmu *f, const char *name, void *c) {
    return CALL(f, name, simple *)(c);
}

static int initialize(const fmu *f, void *c, double start, double stop) {
    if (f->fmi == 2) {
        const int status = CALL(f, "SetupExperiment", int (*)(void *, int, double, double, int, double))(
            c, 0, 0, start, stop > 0, stop);
        return status ? status : call(f, "EnterInitializationMode", c);
    }
    return CALL(f, "EnterInitializationMode",
                int (*)(void *, bool, double, double, bool, double))(c, false, 0, start, stop > 0, stop);
}

static int get(const fmu *f, void *c, uint32_t reference, double *value) {
    if (f->fmi == 2)
        return CALL(f, "GetReal", int (*)(void *, const unsigned *, size_t, double *))(c, &reference, 1,
                                                                                       value);
    return CALL(f, "GetFloat64", int (*)(void *, const uint32_t *, size_t, double *, size_t))(c, &reference,
                                                                                              1, value, 1);
}

static int set(const fmu *f, void *c, uint32_t reference, double value) {
    if (f->fmi == 2)
        return CALL(f, "SetReal", int (*)(void *, const unsigned *, size_t, const double *))(c, &reference, 1,
                                                                                             &value);
    return CALL(f, "SetFloat64", int (*)(void *, const uint32_t *, size_t, const double *, size_t))(
        c, &reference, 1, &value, 1);
}

static int set_text(const fmu *f, void *c, uint32_t reference, const char *value) {
    if (f->fmi == 2)
        return CALL(f, "SetString",
                    int (*)(void *, const unsigned *, size_t, const char *const *))(c, &reference, 1, &value);
    return CALL(f, "SetString", int (*)(void *, const uint32_t *, size_t, const char *const *, size_t))(
        c, &reference, 1, &value, 1);
}

static int step(const fmu *f, void *c, double time, double size, double *reached, bool *early) {
    bool event = false, terminate = false;
    *early = false;
    *reached = time + size;
    if (f->fmi == 2)
        return CALL(f, "DoStep", int (*)(void *, double, double, int))(c, time, size, 1);
    return CALL(f, "DoStep", int (*)(void *, double, double, bool, bool *, bool *, bool *, double *))(
        c, time, size, true, &event, &terminate, early, reached);
}

static const char *state_name(const fmu *f, const char *name2, const char *name3) {
    return f->fmi == 2 ? name2 : name3;
}

/* ---- the same by the library ---- */

typedef struct reference {
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
    lash_record *record;
    const double *rows;
    size_t columns;
    double end;
    size_t outputs, column[MOST];
} reference;

static void must(lash_status status, const lash_error *error) {
    if (status < 0) {
        printf("%s\n", error->message);
        exit(1);
    }
}

/* The run of the model, from its own start or from another time on. */
static reference compute(const char *resources, double start) {
    reference r = {0};
    lash_error error;
    char path[4096], line[256], times[3][40];
    snprintf(path, sizeof path, "%s/model.yaml", resources);
    must(lash_model_load(&r.model, path, NULL, &error), &error);
    if (start != 0) {
        const double until = lash_model_run(r.model)->until, discard = lash_model_run(r.model)->discard;
        lash_model *later;
        snprintf(times[0], sizeof times[0], "%.17g", start);
        snprintf(times[1], sizeof times[1], "%.17g", start + until);
        snprintf(times[2], sizeof times[2], "%.17g", start + discard);
        const lash_setting settings[] = {
            {"run.begin", times[0]}, {"run.until", times[1]}, {"run.discard", times[2]}};
        const lash_load_options options = {.settings = settings,
                                           .setting_count = isnan(until)     ? 1
                                                            : isnan(discard) ? 2
                                                                             : 3};
        must(lash_model_reload(&later, r.model, &options, &error), &error);
        lash_model_destroy(r.model);
        r.model = later;
    }
    must(lash_system_compile(&r.system, r.model, &error), &error);
    must(lash_sim_create(&r.sim, r.system, &error), &error);
    const lash_record_options options = {.samples = POINTS, .every = (double)NAN};
    must(lash_record_create(&r.record, r.sim, &options, &error), &error);
    must(lash_record_to_memory(r.record, &error), &error);
    must(lash_sim_run(r.sim, r.record, NULL, &error), &error);
    size_t rows;
    r.rows = lash_record_rows(&rows, r.record, LASH_STREAM_SAMPLES);
    r.columns = lash_record_column_count(r.record);
    r.end = lash_system_end(r.system);
    snprintf(path, sizeof path, "%s/outputs", resources);
    FILE *file = fopen(path, "r");
    while (file && r.outputs < MOST && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        for (size_t c = 0; c < r.columns; c++)
            if (strcmp(line, lash_record_column_name(r.record, c)) == 0)
                r.column[r.outputs++] = c;
    }
    if (file)
        fclose(file);
    return r;
}

static void clear(reference *r) {
    lash_record_destroy(r->record);
    lash_sim_destroy(r->sim);
    lash_system_destroy(r->system);
    lash_model_destroy(r->model);
}

static double largest(const reference *r, size_t column) {
    double out = 0;
    for (size_t k = 0; k <= POINTS; k++)
        out = fmax(out, fabs(r->rows[k * r->columns + column]));
    return out;
}

static void compare(const fmu *f, void *c, const reference *r, size_t point, double tolerance) {
    for (size_t k = 0; k < r->outputs; k++) {
        double value = (double)NAN;
        const double wanted = r->rows[point * r->columns + r->column[k]];
        if (get(f, c, (uint32_t)(OUTPUTS + k), &value) != 0 ||
            !(fabs(value - wanted) <= tolerance * (largest(r, r->column[k]) + 1))) {
            if (failures++ < 10)
                printf("%s at point %zu: %.17g, by the library %.17g\n",
                       lash_record_column_name(r->record, r->column[k]), point, value, wanted);
        }
    }
}

/* ---- the tests ---- */

/* Two instances side by side; the second makes three communication steps where the first makes one. */
static void test_numbers(const fmu *f, const reference *r) {
    void *a = instantiate(f, f->token, f->resources, false),
         *b = instantiate(f, f->token, f->resources, false);
    CHECK(a && b);
    if (!a || !b)
        return;
    CHECK(initialize(f, a, 0, r->end) == 0 && initialize(f, b, 0, r->end) == 0);
    CHECK(call(f, "ExitInitializationMode", a) == 0 && call(f, "ExitInitializationMode", b) == 0);
    compare(f, a, r, 0, TOLERANCE);
    double reached, own = 0;
    bool early;
    for (size_t k = 0; k < POINTS; k++) {
        // The times of the samples of a record, to the last digit.
        const double t = r->end * ((double)k / POINTS), next = r->end * ((double)(k + 1) / POINTS);
        CHECK(step(f, a, t, next - t, &reached, &early) == 0);
        for (int part = 0; part < 3; part++) {
            const double to = part == 2 ? next : own + (next - t) / 3;
            CHECK(step(f, b, own, to - own, &reached, &early) == 0);
            own = to;
        }
        compare(f, a, r, k + 1, TOLERANCE);
        compare(f, b, r, k + 1, TOLERANCE);
    }
    CHECK(call(f, "Terminate", a) == 0 && call(f, "Terminate", b) == 0);
    CALL(f, "FreeInstance", void (*)(void *))(a);
    CALL(f, "FreeInstance", void (*)(void *))(b);
}

/* A state kept, written, read into another instance: both go on alike; broken bytes are refused. */
static void test_states(const fmu *f, const reference *r) {
    void *a = instantiate(f, f->token, f->resources, false),
         *b = instantiate(f, f->token, f->resources, false);
    void *state = NULL, *copy = NULL;
    size_t size = 0;
    double reached, x, y, h = r->end / POINTS;
    bool early;
    if (!a || !b)
        return;
    initialize(f, a, 0, 0);
    call(f, "ExitInitializationMode", a);
    for (int k = 0; k < 7; k++)
        step(f, a, k * h, h, &reached, &early);
    CHECK(CALL(f, state_name(f, "GetFMUstate", "GetFMUState"), int (*)(void *, void **))(a, &state) == 0);
    CHECK(CALL(f, state_name(f, "SerializedFMUstateSize", "SerializedFMUStateSize"),
               int (*)(void *, void *, size_t *))(a, state, &size) == 0);
    char *bytes = malloc(size);
    CHECK(CALL(f, state_name(f, "SerializeFMUstate", "SerializeFMUState"),
               int (*)(void *, void *, char *, size_t))(a, state, bytes, size) == 0);
    CHECK(CALL(f, state_name(f, "SerializeFMUstate", "SerializeFMUState"),
               int (*)(void *, void *, char *, size_t))(a, state, bytes, size - 1) != 0);
    CHECK(CALL(f, state_name(f, "DeSerializeFMUstate", "DeserializeFMUState"),
               int (*)(void *, const char *, size_t, void **))(b, bytes, size, &copy) == 0);
    CHECK(CALL(f, state_name(f, "SetFMUstate", "SetFMUState"), int (*)(void *, void *))(b, copy) == 0);
    for (int k = 7; k < 20; k++)
        CHECK(step(f, a, k * h, h, &reached, &early) == 0 && step(f, b, k * h, h, &reached, &early) == 0);
    for (size_t k = 0; k < r->outputs; k++) {
        CHECK(get(f, a, (uint32_t)(OUTPUTS + k), &x) == 0 && get(f, b, (uint32_t)(OUTPUTS + k), &y) == 0);
        CHECK(x == y);
    }
    // Back to it, and on again.
    CHECK(CALL(f, state_name(f, "SetFMUstate", "SetFMUState"), int (*)(void *, void *))(a, state) == 0);
    for (int k = 7; k < 20; k++)
        CHECK(step(f, a, k * h, h, &reached, &early) == 0);
    CHECK(get(f, a, OUTPUTS, &x) == 0 && get(f, b, OUTPUTS, &y) == 0 && x == y);
    // Damaged or cut ones are refused, and leave the instance as it was.
    get(f, b, OUTPUTS, &y);
    for (size_t i = 0; i <= size; i += i < 256 ? 1 : 97) {
        const size_t count = i % 3 == 0 ? i : size;
        bytes[i < size ? i : 0] ^= 0x55;
        void *broken = NULL;
        CHECK(CALL(f, state_name(f, "DeSerializeFMUstate", "DeserializeFMUState"),
                   int (*)(void *, const char *, size_t, void **))(b, bytes, count, &broken) == 0);
        CHECK(CALL(f, state_name(f, "SetFMUstate", "SetFMUState"), int (*)(void *, void *))(b, broken) != 0);
        CHECK(get(f, b, OUTPUTS, &x) == 0 && x == y);
        CALL(f, state_name(f, "FreeFMUstate", "FreeFMUState"), int (*)(void *, void **))(b, &broken);
        bytes[i < size ? i : 0] ^= 0x55;
    }
    CHECK(step(f, a, 20 * h, h, &reached, &early) == 0 && step(f, b, 20 * h, h, &reached, &early) == 0);
    CHECK(get(f, a, OUTPUTS, &x) == 0 && get(f, b, OUTPUTS, &y) == 0 && x == y);
    CHECK(CALL(f, state_name(f, "SetFMUstate", "SetFMUState"), int (*)(void *, void *))(b, NULL) != 0);
    CALL(f, state_name(f, "FreeFMUstate", "FreeFMUState"), int (*)(void *, void **))(a, &state);
    CALL(f, state_name(f, "FreeFMUstate", "FreeFMUState"), int (*)(void *, void **))(b, &copy);
    CHECK(state == NULL);
    free(bytes);
    CALL(f, "FreeInstance", void (*)(void *))(a);
    CALL(f, "FreeInstance", void (*)(void *))(b);
}

/* What is not allowed is an error, is logged, and the FMU lives on. */
static void test_illegal(const fmu *f, const reference *r) {
    double reached, value, h = r->end / POINTS;
    bool early;
    int before = logged;
    CHECK(instantiate(f, "{wrong}", f->resources, false) == NULL);
    CHECK(instantiate(f, f->token, "/no/such/folder", false) == NULL);
    CHECK(logged > before);
    CHECK(call(f, "Reset", NULL) != 0 && call(f, "Terminate", NULL) != 0);
    void *c = instantiate(f, f->token, f->resources, false);
    if (!c)
        return;
    before = logged;
    CHECK(step(f, c, 0, h, &reached, &early) != 0);
    CHECK(call(f, "ExitInitializationMode", c) != 0);
    CHECK(call(f, "Terminate", c) != 0);
    CHECK(set(f, c, 1, (double)NAN) != 0);
    CHECK(set(f, c, 99999, 1) != 0);
    CHECK(get(f, c, 4000000, &value) != 0);
    CHECK(set(f, c, OUTPUTS, 1) != 0);
    CHECK(set_text(f, c, 1, "word") != 0);
    CHECK(logged - before == 8);
    CHECK(get(f, c, OUTPUTS, &value) == 0 && isfinite(value));
    CHECK(initialize(f, c, 5, 4) != 0); // the end before the start
    CHECK(initialize(f, c, 0, r->end) == 0);
    CHECK(initialize(f, c, 0, r->end) != 0);
    CHECK(step(f, c, 0, h, &reached, &early) != 0);
    CHECK(call(f, "ExitInitializationMode", c) == 0);
    CHECK(step(f, c, 1, h, &reached, &early) != 0); // not where it stands
    CHECK(step(f, c, 0, -h, &reached, &early) != 0);
    CHECK(step(f, c, 0, (double)NAN, &reached, &early) != 0);
    CHECK(set(f, c, 1, 1) != 0); // a parameter, too late
    CHECK(step(f, c, 0, h, &reached, &early) == 0);
    compare(f, c, r, 1, TOLERANCE);
    CHECK(call(f, "Terminate", c) == 0);
    CHECK(step(f, c, h, h, &reached, &early) != 0);
    CHECK(call(f, "Terminate", c) != 0);
    CHECK(call(f, "Reset", c) == 0);
    CHECK(initialize(f, c, 0, r->end) == 0 && call(f, "ExitInitializationMode", c) == 0);
    CHECK(step(f, c, 0, h, &reached, &early) == 0);
    compare(f, c, r, 1, TOLERANCE);
    CHECK(call(f, "Reset", c) == 0); // in the middle of a run
    CALL(f, "FreeInstance", void (*)(void *))(c);
    CALL(f, "FreeInstance", void (*)(void *))(NULL);
}

/* A start time of the importer's is that of the model. Parameters change the motion. */
static void test_start(const fmu *f, const reference *r) {
    double reached, value, other, start = r->end / 3, h = r->end / POINTS;
    bool early;
    void *c = instantiate(f, f->token, f->resources, false);
    if (!c)
        return;
    reference later = compute(f->resources, start);
    CHECK(initialize(f, c, start, later.end) == 0 && call(f, "ExitInitializationMode", c) == 0);
    CHECK(get(f, c, 0, &value) == 0 && value == start);
    compare(f, c, &later, 0, TOLERANCE);
    for (size_t k = 0; k < 3; k++) {
        const double t = start + (later.end - start) * ((double)k / POINTS),
                     next = start + (later.end - start) * ((double)(k + 1) / POINTS);
        CHECK(step(f, c, t, next - t, &reached, &early) == 0);
        // The importer's times are rounded, which impacts turn into 1e-10 of their force.
        compare(f, c, &later, k + 1, 1e-9);
        CHECK(get(f, c, 0, &value) == 0 && fabs(value - next) < 1e-14 * (1 + next));
    }
    clear(&later);
    lash_parameter parameter;
    if (lash_model_parameter(&parameter, r->model, 0) && !parameter.choices) {
        call(f, "Reset", c);
        CHECK(get(f, c, 0, &value) == 0 && value == 0);
        CHECK(set(f, c, 1, 1.1 * parameter.value) == 0);
        CHECK(get(f, c, 1, &value) == 0 && value == 1.1 * parameter.value);
        CHECK(initialize(f, c, 0, r->end) == 0 && call(f, "ExitInitializationMode", c) == 0);
        bool differs = false;
        for (int k = 0; k < 5; k++)
            CHECK(step(f, c, k * h, h, &reached, &early) == 0);
        for (size_t k = 0; k < r->outputs; k++) {
            get(f, c, (uint32_t)(OUTPUTS + k), &value);
            other = r->rows[5 * r->columns + r->column[k]];
            differs = differs || fabs(value - other) > 1e-6 * fabs(other);
        }
        CHECK(differs);
    }
    CALL(f, "FreeInstance", void (*)(void *))(c);
}

/* A model at rest under its first input, which begins at rest, too, where the input is set to 10 first: its outputs are
 * its place, 100 N/m from there, a lag and a sample of the input. */
static void test_rest(const fmu *f) {
    static const double wanted[] = {0.1, 10, 10};
    double value, reached;
    bool early;
    void *c = instantiate(f, f->token, f->resources, false);
    for (int again = 0; again < 2; again++) {
        CHECK(initialize(f, c, 2 * again, 0) == 0 && set(f, c, INPUTS, 10) == 0 &&
              call(f, "ExitInitializationMode", c) == 0);
        for (int point = 0; point < 2; point++) {
            for (uint32_t k = 0; k < 3; k++)
                CHECK(get(f, c, OUTPUTS + k, &value) == 0 && fabs(value - wanted[k]) < 1e-9);
            CHECK(step(f, c, 2 * again + 0.03 * point, 0.03, &reached, &early) == 0);
        }
        CHECK(call(f, "Reset", c) == 0);
    }
    CALL(f, "FreeInstance", void (*)(void *))(c);
}

/* A model that ends its run by itself: the step is discarded there, with the time and the values of the end. */
static void test_ended(const fmu *f) {
    enum { DISCARD = 2 };
    reference r = compute(f->resources, 0);
    const double end = lash_sim_time(r.sim), half = end / 2;
    double reached, value;
    bool early;
    void *state = NULL, *c = instantiate(f, f->token, f->resources, false);
    CHECK(end < 0.9 * r.end);
    CHECK(initialize(f, c, 0, 0) == 0 && call(f, "ExitInitializationMode", c) == 0);
    CHECK(step(f, c, 0, half, &reached, &early) == 0);
    for (int again = 0; again < 2; again++) {
        CHECK(step(f, c, half, end, &reached, &early) == DISCARD);
        if (f->fmi == 2) {
            int terminated = 0;
            CHECK(CALL(f, "GetRealStatus", int (*)(void *, int, double *))(c, 2, &reached) == 0);
            CHECK(CALL(f, "GetBooleanStatus", int (*)(void *, int, int *))(c, 3, &terminated) == 0 &&
                  terminated);
        }
        CHECK(fabs(reached - end) <= TOLERANCE && !early);
        for (size_t k = 0; k < r.outputs; k++) {
            const double wanted = lash_sim_value(
                r.sim, lash_sim_find_channel(r.sim, lash_record_column_name(r.record, r.column[k])));
            CHECK(get(f, c, (uint32_t)(OUTPUTS + k), &value) == 0 &&
                  fabs(value - wanted) <= 1e-9 * (1 + fabs(wanted)));
        }
        CHECK(step(f, c, reached, half, &reached, &early) > DISCARD); // until a state is restored
        CHECK(CALL(f, state_name(f, "GetFMUstate", "GetFMUState"), int (*)(void *, void **))(c, &state) == 0);
        CHECK(CALL(f, state_name(f, "SetFMUstate", "SetFMUState"), int (*)(void *, void *))(c, state) == 0);
        CHECK(step(f, c, reached, half, &reached, &early) > DISCARD);
        CHECK(call(f, "Reset", c) == 0);
        CHECK(initialize(f, c, 0, 0) == 0 && call(f, "ExitInitializationMode", c) == 0);
        CHECK(step(f, c, 0, half, &reached, &early) == 0);
    }
    CALL(f, state_name(f, "FreeFMUstate", "FreeFMUState"), int (*)(void *, void **))(c, &state);
    CALL(f, "FreeInstance", void (*)(void *))(c);
    clear(&r);
}

/* FMI 3.0: with event mode a step comes back at events, where there are some. */
static void test_events(const fmu *f, const reference *r) {
    if (f->fmi != 3)
        return;
    size_t events, seen = 0;
    const lash_event *list = lash_record_events(&events, r->record);
    void *c = instantiate(f, f->token, f->resources, true);
    if (!c)
        return;
    CHECK(initialize(f, c, 0, r->end) == 0 && call(f, "ExitInitializationMode", c) == 0);
    bool flags[5], early;
    double next, t = 0, reached;
    CHECK(step(f, c, 0, r->end / 2, &reached, &early) != 0); // in event mode
    CHECK(call(f, "EnterStepMode", c) == 0);
    while (t < r->end / 2) {
        CHECK(step(f, c, t, r->end / 2 - t, &reached, &early) == 0);
        if (!early)
            break;
        t = reached;
        bool known = false;
        for (size_t k = 0; k < events; k++)
            known = known || fabs(list[k].time - t) < 1e-12;
        CHECK(known);
        seen++;
        CHECK(call(f, "EnterEventMode", c) == 0);
        CHECK(CALL(f, "UpdateDiscreteStates",
                   int (*)(void *, bool *, bool *, bool *, bool *, bool *, double *))(
                  c, &flags[0], &flags[1], &flags[2], &flags[3], &flags[4], &next) == 0);
        CHECK(call(f, "EnterStepMode", c) == 0);
    }
    CHECK((seen > 0) == (events > 0 && list[0].time < r->end / 2));
    CALL(f, "FreeInstance", void (*)(void *))(c);
}

/* The response to an input, if there is one: the same as by the library. */
static void test_inputs(const fmu *f, const reference *r) {
    if (lash_sim_input_count(r->sim) == 0)
        return;
    lash_sim *sim;
    lash_error error;
    double reached, value, h = r->end / POINTS;
    bool early;
    void *c = instantiate(f, f->token, f->resources, false);
    must(lash_sim_create(&sim, r->system, &error), &error);
    if (!c)
        return;
    CHECK(initialize(f, c, 0, r->end) == 0 && call(f, "ExitInitializationMode", c) == 0);
    for (int k = 0; k < 10; k++) {
        CHECK(set(f, c, INPUTS, 3.0 + k) == 0);
        CHECK(step(f, c, k * h, h, &reached, &early) == 0);
        must(lash_sim_set_input(sim, 0, 3.0 + k, &error), &error);
        must(lash_sim_run_until(sim, (k + 1) * h, NULL, NULL, &error), &error);
    }
    for (size_t k = 0; k < r->outputs; k++) {
        const char *name = lash_record_column_name(r->record, r->column[k]);
        const double wanted = lash_sim_value(sim, lash_sim_find_channel(sim, name));
        CHECK(get(f, c, (uint32_t)(OUTPUTS + k), &value) == 0);
        if (!(fabs(value - wanted) <= 1e-6 * (fabs(wanted) + largest(r, r->column[k])) + 1e-9)) {
            failures++;
            printf("%s with an input: %.12g, by the library %.12g\n", name, value, wanted);
        }
    }
    lash_sim_destroy(sim);
    CALL(f, "FreeInstance", void (*)(void *))(c);
}

/* ---- orders of calls ---- */

enum { READY = 1, INITIALIZING = 2, STEPPING = 4, EVENT = 8, TERMINATED = 16, ANY = 31 };

/* An instance on a walk through the standard's state machine. */
typedef struct walker {
    const fmu *f;
    const reference *r;
    void *c, *state; /* the instance, and a state that it has kept … */
    int mode, kept_mode;
    double time, kept_time; /* … with what it was then */
    bool events, set_up, has_parameter;
} walker;

typedef enum move {
    SETUP, /* FMI 2.0 alone */
    ENTER_INITIALIZATION,
    EXIT_INITIALIZATION,
    STEP,
    WRONG_STEP, /* from where it does not stand */
    TERMINATE,
    RESET,
    ENTER_EVENT,
    ENTER_STEP,
    UPDATE,
    GET,
    GET_NOTHING, /* no such variable */
    SET_PARAMETER,
    SET_INPUT,
    KEEP,
    GO_BACK,
    MOVES
} move;

/* Whether a call is legal in this mode, and the mode after it. */
static bool legal(walker *w, move m, int *next) {
    const bool two = w->f->fmi == 2;
    *next = w->mode;
    switch (m) {
    case SETUP: return w->mode & READY;
    case ENTER_INITIALIZATION: *next = INITIALIZING; return (w->mode & READY) && (!two || w->set_up);
    case EXIT_INITIALIZATION: *next = w->events ? EVENT : STEPPING; return w->mode & INITIALIZING;
    case STEP: return w->mode & STEPPING;
    case WRONG_STEP: return false;
    case TERMINATE: *next = TERMINATED; return w->mode & (STEPPING | EVENT);
    case RESET: *next = READY; return true;
    case ENTER_EVENT: *next = EVENT; return w->events && (w->mode & STEPPING);
    case ENTER_STEP: *next = STEPPING; return w->mode & EVENT;
    case UPDATE: return w->mode & EVENT;
    case GET: return true;
    case GET_NOTHING: return false;
    case SET_PARAMETER: return w->has_parameter && (w->mode & (READY | INITIALIZING));
    case SET_INPUT: return lash_sim_input_count(w->r->sim) > 0 && (w->mode & ~TERMINATED);
    case KEEP: return true;
    case GO_BACK: *next = w->kept_mode; return w->state != NULL;
    case MOVES: break;
    }
    return false;
}

static int make(walker *w, move m) {
    const fmu *f = w->f;
    double value, next;
    bool early, flags[5];
    const double h = w->r->end / POINTS;
    lash_parameter parameter = {.value = 1};
    switch (m) {
    case SETUP:
        return CALL(f, "SetupExperiment", int (*)(void *, int, double, double, int, double))(w->c, 0, 0, 0, 0,
                                                                                             0);
    case ENTER_INITIALIZATION:
        if (f->fmi == 2)
            return call(f, "EnterInitializationMode", w->c);
        return initialize(f, w->c, 0, 0);
    case EXIT_INITIALIZATION: return call(f, "ExitInitializationMode", w->c);
    case STEP: {
        const int status = step(f, w->c, w->time, h, &value, &early);
        w->time = status == 0 ? value : w->time;
        return status;
    }
    case WRONG_STEP: return step(f, w->c, w->time + 1, h, &value, &early);
    case TERMINATE: return call(f, "Terminate", w->c);
    case RESET: return call(f, "Reset", w->c);
    case ENTER_EVENT: return call(f, "EnterEventMode", w->c);
    case ENTER_STEP: return call(f, "EnterStepMode", w->c);
    case UPDATE:
        return CALL(f, "UpdateDiscreteStates",
                    int (*)(void *, bool *, bool *, bool *, bool *, bool *, double *))(
            w->c, &flags[0], &flags[1], &flags[2], &flags[3], &flags[4], &next);
    case GET: return get(f, w->c, OUTPUTS, &value);
    case GET_NOTHING: return get(f, w->c, 4000000, &value);
    case SET_PARAMETER:
        lash_model_parameter(&parameter, w->r->model, 0);
        return set(f, w->c, 1, parameter.value);
    case SET_INPUT: return set(f, w->c, INPUTS, 1.5);
    case KEEP:
        w->kept_mode = w->mode;
        w->kept_time = w->time;
        return CALL(f, state_name(f, "GetFMUstate", "GetFMUState"), int (*)(void *, void **))(w->c,
                                                                                              &w->state);
    case GO_BACK:
        return CALL(f, state_name(f, "SetFMUstate", "SetFMUState"), int (*)(void *, void *))(w->c, w->state);
    case MOVES: break;
    }
    return -1;
}

/* Calls in any order, the same each time: those that the standard allows are answered with OK, the others
 * with an error and a message, and none does harm. */
static void test_orders(const fmu *f, const reference *r, bool events) {
    enum { CALLS = 600 };
    unsigned long long seed = 7;
    lash_parameter parameter;
    walker w = {.f = f, .r = r, .mode = READY, .events = events};
    w.has_parameter = lash_model_parameter(&parameter, r->model, 0) && !parameter.choices;
    w.c = instantiate(f, f->token, f->resources, events);
    int done[MOVES] = {0}, refused[MOVES] = {0};
    for (int k = 0; w.c && k < CALLS; k++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        const move m = (move)((seed >> 33) % MOVES);
        const bool only_two = m == SETUP, only_three = m == ENTER_EVENT || m == ENTER_STEP || m == UPDATE;
        if ((f->fmi == 2 && only_three) || (f->fmi == 3 && only_two))
            continue;
        // A walk that resets at every turn gets nowhere.
        if ((m == RESET || m == TERMINATE) && (seed >> 60) % 4)
            continue;
        int next;
        const bool fine = legal(&w, m, &next);
        const int before = logged, status = make(&w, m);
        if ((status == 0) != fine || (!fine && logged == before)) {
            failures++;
            printf("call %d, of kind %d, in mode %d: status %d, %d messages\n", k, m, w.mode, status,
                   logged - before);
            break;
        }
        done[m] += fine;
        refused[m] += !fine;
        if (!fine)
            continue;
        w.mode = next;
        if (m == SETUP || m == GO_BACK)
            w.set_up = true;
        if (m == RESET)
            w.set_up = false;
        if (m == RESET || m == ENTER_INITIALIZATION)
            w.time = 0;
        if (m == GO_BACK)
            w.time = w.kept_time;
    }
    CHECK(done[STEP] > 3 && refused[STEP] > 3 && done[GO_BACK] > 3 && done[TERMINATE] > 0 &&
          refused[TERMINATE] > 0);
    CALL(f, state_name(f, "FreeFMUstate", "FreeFMUState"), int (*)(void *, void **))(w.c, &w.state);
    CALL(f, "FreeInstance", void (*)(void *))(w.c);
}

int main(int count, char **words) {
    if (count != 5 && count != 6) {
        printf("usage: importer FMI OBJECT RESOURCES TOKEN [refused|ended|rests]\n");
        return 2;
    }
    fmu f = {.fmi = atoi(words[1]), .object = dlopen(words[2], RTLD_NOW | RTLD_LOCAL), words[3], words[4]};
    if (!f.object) {
        printf("%s\n", dlerror());
        return 1;
    }
    CHECK(strncmp(CALL(&f, "GetVersion", const char *(*)(void))(), f.fmi == 2 ? "2.0" : "3.0", 3) == 0);
    if (count == 6 && strcmp(words[5], "ended") == 0) {
        test_ended(&f);
        return failures != 0;
    }
    if (count == 6 && strcmp(words[5], "rests") == 0) {
        test_rest(&f);
        return failures != 0;
    }
    if (count == 6) { // resources that are not whole
        CHECK(instantiate(&f, f.token, f.resources, false) == NULL && logged == 1);
        return failures != 0;
    }
    reference r = compute(f.resources, 0);
    CHECK(r.outputs > 0);
    test_numbers(&f, &r);
    test_states(&f, &r);
    test_illegal(&f, &r);
    test_start(&f, &r);
    test_events(&f, &r);
    test_inputs(&f, &r);
    test_orders(&f, &r, false);
    if (f.fmi == 3)
        test_orders(&f, &r, true);
    clear(&r);
    dlclose(f.object);
    printf("%d failures, %zu outputs\n", failures, r.outputs);
    return failures != 0;
}
