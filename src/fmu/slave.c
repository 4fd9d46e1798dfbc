/* SPDX-License-Identifier: MIT
 *
 * A model inside an FMU.
 *
 * The model is read when the instance is made, and read again with the parameters that were set, compiled and
 * put together when they are first needed: in initialization mode, or when its outputs are asked for.
 *
 * Communication points. `before` is the state at the beginning of the last step, which may end behind the
 * communication point. The next point inside that step is read from the same step, taken again: with dop853 a
 * restored step repeats bit for bit. Methods that cannot do that end their steps at every point.
 */
#include "fmu/slave.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lash/lash.h"

enum { MOST_OUTPUTS = 100000, LINE = 1024 };
static const char MARK[8] = "lash-fmu";
/* Communication points that differ by less, of the time, are the same. */
static const double SAME_TIME = 1e-12;

struct lashi_slave {
    lashi_slave_log *log;
    void *user;
    lashi_slave_mode mode;
    char *folder;
    lash_model *usual; /* as in the resources */
    char **texts;      /* [parameters] as set; NULL: as in the model */
    size_t parameters;
    char **outputs; /* [output_count] names of channels */
    size_t output_count;
    double *inputs; /* [input_count] */
    size_t input_count;
    double start, stop; /* s, of the importer's time; stop NaN: not given */

    /* what is built of them */
    bool built;
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
    lash_state *before; /* at the beginning of the last step */
    size_t *channels;   /* [output_count] */
    double *values;     /* [output_count] at the communication point */
    double time;        /* s, of the sim: the communication point */
    bool repeats;       /* the method goes on bit for bit from a restored state */
    bool behind;        /* the sim stands behind the communication point */
};

static void say(const lashi_slave *slave, int severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(const lashi_slave *slave, int severity, const char *format, ...) {
    char message[LASH_ERROR_TEXT + 512];
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    if (slave->log)
        slave->log(slave->user, severity, message);
}

static bool told(const lashi_slave *slave, lash_status status, const lash_error *error) {
    if (status >= 0)
        return true;
    say(slave, 2, "%s", error->message[0] ? error->message : lash_status_text(status));
    return false;
}

static bool out_of_memory(const lashi_slave *slave) {
    say(slave, 2, "out of memory");
    return false;
}

/* ---- creation ---- */

static char *path_of(const lashi_slave *slave, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s/%s", slave->folder, name) < 0 ? NULL : path;
}

static bool read_outputs(lashi_slave *slave) {
    char *path = path_of(slave, "outputs"), line[LINE];
    FILE *file = path ? fopen(path, "r") : NULL;
    free(path);
    if (!file) {
        say(slave, 2, "the FMU has lost its resources: '%s/outputs' cannot be read", slave->folder);
        return false;
    }
    bool fine = true;
    slave->outputs = calloc(MOST_OUTPUTS, sizeof *slave->outputs);
    while (fine && slave->outputs && slave->output_count < MOST_OUTPUTS && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0])
            fine = (slave->outputs[slave->output_count++] = strdup(line)) != NULL;
    }
    fclose(file);
    slave->channels = calloc(slave->output_count + 1, sizeof *slave->channels);
    slave->values = calloc(slave->output_count + 1, sizeof *slave->values);
    return fine && slave->outputs && slave->channels && slave->values ? true : out_of_memory(slave);
}

/* Settings that `lash fmu --set` has left: NAME=VALUE lines. */
static char *read_settings(const lashi_slave *slave, lash_setting *settings, size_t *count, size_t most) {
    char *path = path_of(slave, "settings"), *text = NULL;
    size_t capacity = 0;
    FILE *file = path ? fopen(path, "r") : NULL;
    free(path);
    *count = 0;
    if (!file)
        return NULL;
    if (getdelim(&text, &capacity, '\0', file) < 0) {
        fclose(file);
        return text;
    }
    fclose(file);
    char *rest = text, *line;
    while (*count < most && (line = strsep(&rest, "\n")) != NULL) {
        char *equals = strchr(line, '=');
        if (!equals)
            continue;
        *equals = '\0';
        settings[(*count)++] = (lash_setting){line, equals + 1};
    }
    return text;
}

static bool read_model(lashi_slave *slave) {
    enum { MOST = 1000 };
    lash_error error = {.message = ""};
    char *path = path_of(slave, "model.yaml");
    lash_setting *settings = calloc(MOST, sizeof *settings);
    size_t count = 0;
    char *text = settings ? read_settings(slave, settings, &count, MOST) : NULL;
    const lash_load_options options = {.settings = settings, .setting_count = count};
    const bool fine = path && settings
                          ? told(slave, lash_model_load(&slave->usual, path, &options, &error), &error)
                          : out_of_memory(slave);
    free(text);
    free(settings);
    free(path);
    lash_parameter unused;
    while (fine && lash_model_parameter(&unused, slave->usual, slave->parameters))
        slave->parameters++;
    slave->texts = calloc(slave->parameters + 1, sizeof *slave->texts);
    return fine && (slave->texts || out_of_memory(slave));
}

static bool build(lashi_slave *slave);

lashi_slave *lashi_slave_create(const char *folder, const char *token, lashi_slave_log *log, void *user) {
    lashi_slave *slave = calloc(1, sizeof *slave);
    if (!slave)
        return NULL;
    slave->log = log;
    slave->user = user;
    slave->mode = LASHI_SLAVE_READY;
    slave->stop = (double)NAN;
    slave->folder = strdup(folder ? folder : "");
    size_t length = slave->folder ? strlen(slave->folder) : 0;
    while (length > 1 && slave->folder[length - 1] == '/')
        slave->folder[--length] = '\0';
    bool fine = slave->folder ? read_outputs(slave) : out_of_memory(slave);
    if (fine) {
        char *path = path_of(slave, "token"), line[LINE] = "";
        FILE *file = path ? fopen(path, "r") : NULL;
        if (file && !fgets(line, sizeof line, file))
            line[0] = '\0';
        if (file)
            fclose(file);
        free(path);
        line[strcspn(line, "\r\n")] = '\0';
        fine = token && strcmp(token, line) == 0;
        if (!fine)
            say(slave, 2, "the token of modelDescription.xml is not that of this FMU");
    }
    // A model that cannot be put together is better told of now than later.
    if (!fine || !read_model(slave) || !build(slave)) {
        lashi_slave_destroy(slave);
        return NULL;
    }
    return slave;
}

static void take_down(lashi_slave *slave) {
    lash_state_destroy(slave->before);
    lash_sim_destroy(slave->sim);
    lash_system_destroy(slave->system);
    lash_model_destroy(slave->model);
    slave->before = NULL;
    slave->sim = NULL;
    slave->system = NULL;
    slave->model = NULL;
    slave->built = false;
}

void lashi_slave_destroy(lashi_slave *slave) {
    if (!slave)
        return;
    take_down(slave);
    lash_model_destroy(slave->usual);
    for (size_t i = 0; slave->texts && i < slave->parameters; i++)
        free(slave->texts[i]);
    for (size_t i = 0; slave->outputs && i < slave->output_count; i++)
        free(slave->outputs[i]);
    free(slave->texts);
    free(slave->outputs);
    free(slave->channels);
    free(slave->values);
    free(slave->inputs);
    free(slave->folder);
    free(slave);
}

void *lashi_slave_user(const lashi_slave *slave) {
    return slave->user;
}

lashi_slave_mode lashi_slave_mode_of(const lashi_slave *slave) {
    return slave->mode;
}

/* ---- building the sim ---- */

/* The values of the outputs where the sim stands. */
static void look(lashi_slave *slave) {
    for (size_t k = 0; k < slave->output_count; k++)
        slave->values[k] = lash_sim_value(slave->sim, slave->channels[k]);
}

static bool find_outputs(lashi_slave *slave) {
    for (size_t k = 0; k < slave->output_count; k++) {
        slave->channels[k] = lash_sim_find_channel(slave->sim, slave->outputs[k]);
        if (slave->channels[k] == (size_t)-1) {
            say(slave, 2, "with these parameters the model has no channel '%s'", slave->outputs[k]);
            return false;
        }
    }
    return true;
}

static bool apply_inputs(lashi_slave *slave) {
    lash_error error = {.message = ""};
    const size_t count = lash_sim_input_count(slave->sim);
    if (!slave->inputs) {
        slave->input_count = count;
        slave->inputs = calloc(count + 1, sizeof *slave->inputs);
    }
    if (!slave->inputs)
        return out_of_memory(slave);
    for (size_t k = 0; k < slave->input_count && k < count; k++)
        if (!told(slave, lash_sim_set_input(slave->sim, k, slave->inputs[k], &error), &error))
            return false;
    return true;
}

static bool build(lashi_slave *slave) {
    if (slave->built)
        return true;
    take_down(slave);
    lash_error error = {.message = ""};
    lash_setting *settings =
        calloc(slave->parameters + lash_model_setting_count(slave->usual) + 1, sizeof *settings);
    if (!settings)
        return out_of_memory(slave);
    size_t count = 0;
    for (size_t i = 0; i < lash_model_setting_count(slave->usual); i++) {
        const lash_setting usual = lash_model_setting(slave->usual, i);
        lash_parameter parameter;
        bool replaced = false;
        for (size_t k = 0; k < slave->parameters; k++)
            replaced = replaced || (slave->texts[k] && lash_model_parameter(&parameter, slave->usual, k) &&
                                    strcmp(parameter.name, usual.name) == 0);
        if (!replaced)
            settings[count++] = usual;
    }
    for (size_t i = 0; i < slave->parameters; i++) {
        lash_parameter parameter;
        if (slave->texts[i] && lash_model_parameter(&parameter, slave->usual, i))
            settings[count++] = (lash_setting){parameter.name, slave->texts[i]};
    }
    const lash_load_options options = {.settings = settings, .setting_count = count};
    bool fine = told(slave, lash_model_reload(&slave->model, slave->usual, &options, &error), &error) &&
                told(slave, lash_system_compile(&slave->system, slave->model, &error), &error) &&
                told(slave, lash_sim_create(&slave->sim, slave->system, &error), &error) &&
                told(slave, lash_state_create(&slave->before, slave->sim, &error), &error) &&
                find_outputs(slave) && apply_inputs(slave);
    free(settings);
    if (!fine) {
        take_down(slave);
        return false;
    }
    slave->repeats = lash_sim_repeats(slave->sim);
    slave->time = 0;
    slave->behind = false;
    slave->built = true;
    look(slave);
    return true;
}

/* ---- modes ---- */

static const char *mode_name(lashi_slave_mode mode) {
    switch (mode) {
    case LASHI_SLAVE_READY: return "instantiated";
    case LASHI_SLAVE_INITIALIZING: return "in initialization mode";
    case LASHI_SLAVE_STEPPING: return "ready for steps";
    case LASHI_SLAVE_EVENT: return "in event mode";
    case LASHI_SLAVE_TERMINATED: return "terminated";
    case LASHI_SLAVE_FAILED: return "at an error";
    }
    return "";
}

bool lashi_slave_may(const lashi_slave *slave, int modes, const char *call) {
    if (!slave)
        return false;
    if ((int)slave->mode & modes)
        return true;
    say(slave, 2, "%s cannot be called now: the FMU is %s", call, mode_name(slave->mode));
    return false;
}

bool lashi_slave_refuse(const lashi_slave *slave, const char *message) {
    say(slave, 2, "%s", message);
    return false;
}

bool lashi_slave_setup(lashi_slave *slave, double start, bool stop_given, double stop) {
    if (!isfinite(start) || (stop_given && !(stop > start)))
        return lashi_slave_refuse(slave, "the start time must be a number, and the stop time after it");
    slave->start = start;
    slave->stop = stop_given ? stop : (double)NAN;
    return true;
}

bool lashi_slave_begin(lashi_slave *slave) {
    if (!build(slave))
        return false;
    slave->mode = LASHI_SLAVE_INITIALIZING;
    return true;
}

bool lashi_slave_start(lashi_slave *slave) {
    if (!build(slave))
        return false;
    look(slave);
    slave->mode = LASHI_SLAVE_STEPPING;
    return true;
}

bool lashi_slave_terminate(lashi_slave *slave) {
    slave->mode = LASHI_SLAVE_TERMINATED;
    return true;
}

bool lashi_slave_reset(lashi_slave *slave) {
    for (size_t i = 0; i < slave->parameters; i++) {
        free(slave->texts[i]);
        slave->texts[i] = NULL;
    }
    memset(slave->inputs, 0, slave->input_count * sizeof *slave->inputs);
    take_down(slave);
    slave->mode = LASHI_SLAVE_READY;
    slave->start = 0;
    slave->stop = (double)NAN;
    return build(slave);
}

void lashi_slave_events(lashi_slave *slave, bool on) {
    slave->mode = on ? LASHI_SLAVE_EVENT : LASHI_SLAVE_STEPPING;
}

/* ---- steps ---- */

/* What the observer of a step looks for. */
typedef struct looker {
    lashi_slave *slave;
    double at; /* s */
} looker;

static lash_status observe(void *user, lash_sim *sim, double t_old, double t_new) {
    const looker *l = user;
    if (l->at >= t_old && l->at <= t_new)
        lash_sim_values_at(l->slave->values, sim, l->slave->channels, l->slave->output_count, l->at);
    return LASH_OK;
}

/* One step of the sim from where it stands, which is kept. */
static lash_status take_step(lashi_slave *slave, double limit, double at, lash_error *error) {
    looker user = {slave, at};
    const lash_run_control control = {.observe = observe, .user = &user};
    const lash_status status = lash_sim_save(slave->before, slave->sim, error);
    return status ? status : lash_sim_step_observed(slave->sim, limit, &control, error);
}

/* Takes the last step back and ends it at the communication point. */
static lash_status go_back(lashi_slave *slave, lash_error *error) {
    if (!slave->behind)
        return LASH_OK;
    lash_status status = lash_sim_restore(slave->sim, slave->before, error);
    while (status == LASH_OK && lash_sim_time(slave->sim) < slave->time)
        status = lash_sim_step(slave->sim, slave->time, error);
    slave->behind = false;
    return status < 0 ? status : LASH_OK;
}

/* How far a step may go: as far as that of `lash run`. */
static double farthest(const lashi_slave *slave, double target) {
    if (!slave->repeats)
        return target;
    const double end = isfinite(slave->stop) ? slave->stop - slave->start : lash_system_end(slave->system);
    return end > target ? end : target;
}

static lash_status advance(bool *early, lashi_slave *slave, double target, bool stop_at_events,
                           lash_error *error) {
    lash_status status = LASH_OK;
    double at = target;
    if (slave->behind) { // the step that was taken holds the next point, too
        status = lash_sim_restore(slave->sim, slave->before, error);
        slave->behind = false;
    }
    while (status == LASH_OK && lash_sim_time(slave->sim) < at) {
        status = take_step(slave, farthest(slave, at), at, error);
        size_t events = 0;
        lash_sim_events(&events, slave->sim);
        const double now = lash_sim_time(slave->sim);
        if (stop_at_events && events > 0 && now < target && now > slave->time) {
            at = now;
            *early = true;
            look(slave);
            break;
        }
    }
    if (status < 0)
        return status;
    slave->time = at;
    slave->behind = lash_sim_time(slave->sim) > at;
    return lash_sim_judge(slave->sim, error);
}

bool lashi_slave_step(double *reached, bool *early, lashi_slave *slave, double time, double step,
                      bool stop_at_events) {
    lash_error error = {.message = ""};
    // The importer's times as they are: what rounding adds up to would be seen in contact forces.
    const double now = lashi_slave_time(slave), target = time + step - slave->start;
    *early = false;
    *reached = now;
    if (!(fabs(time - now) <= SAME_TIME * (1 + fabs(now)))) {
        say(slave, 2, "a step from t = %.17g s was asked for, but the FMU stands at t = %.17g s", time, now);
        return false;
    }
    if (!(step > 0) || !isfinite(step)) {
        say(slave, 2, "a communication step of %g s cannot be made", step);
        return false;
    }
    const lash_status status = advance(early, slave, target, stop_at_events, &error);
    if (status < 0) {
        slave->mode = LASHI_SLAVE_FAILED;
        return told(slave, status, &error);
    }
    *reached = lashi_slave_time(slave);
    return true;
}

double lashi_slave_time(const lashi_slave *slave) {
    return slave->start + slave->time;
}

/* ---- variables ---- */

static bool unknown(const lashi_slave *slave, unsigned reference, const char *what) {
    say(slave, 2, "there is no %s with the reference %u", what, reference);
    return false;
}

static bool parameter_of(lash_parameter *out, const lashi_slave *slave, unsigned reference) {
    return reference >= LASHI_FMU_PARAMETERS &&
           lash_model_parameter(out, slave->built ? slave->model : slave->usual,
                                reference - LASHI_FMU_PARAMETERS);
}

static bool is_input(const lashi_slave *slave, unsigned reference) {
    return reference >= LASHI_FMU_INPUTS && reference - LASHI_FMU_INPUTS < slave->input_count;
}

bool lashi_slave_get(double *out, lashi_slave *slave, unsigned reference) {
    lash_parameter parameter;
    if (reference >= LASHI_FMU_OUTPUTS && reference - LASHI_FMU_OUTPUTS < slave->output_count) {
        if (!build(slave))
            return false;
        *out = slave->values[reference - LASHI_FMU_OUTPUTS];
    } else if (is_input(slave, reference)) {
        *out = slave->inputs[reference - LASHI_FMU_INPUTS];
    } else if (reference == LASHI_FMU_TIME) {
        *out = lashi_slave_time(slave);
    } else if (build(slave) && parameter_of(&parameter, slave, reference) && !parameter.choices) {
        *out = parameter.value;
    } else {
        return unknown(slave, reference, "number");
    }
    return true;
}

static bool replace_text(lashi_slave *slave, size_t index, const char *text) {
    char *copy = strdup(text);
    if (!copy)
        return out_of_memory(slave);
    char *kept = slave->texts[index];
    slave->texts[index] = copy;
    slave->built = false;
    if (build(slave)) {
        free(kept);
        return true;
    }
    // The value is refused, the one before holds.
    free(copy);
    slave->texts[index] = kept;
    return false;
}

bool lashi_slave_set(lashi_slave *slave, unsigned reference, double value) {
    lash_error error = {.message = ""};
    lash_parameter parameter;
    char text[40];
    if (!isfinite(value)) {
        say(slave, 2, "the variable %u cannot be set to what is no finite number", reference);
        return false;
    }
    if (is_input(slave, reference)) {
        const size_t k = reference - LASHI_FMU_INPUTS;
        if (slave->inputs[k] == value)
            return true;
        slave->inputs[k] = value;
        if (!slave->built)
            return build(slave);
        bool fine = told(slave, go_back(slave, &error), &error) &&
                    told(slave, lash_sim_set_input(slave->sim, k, value, &error), &error);
        if (fine)
            look(slave);
        return fine;
    }
    if (reference >= LASHI_FMU_INPUTS || !parameter_of(&parameter, slave, reference) || parameter.choices)
        return unknown(slave, reference, "input or number");
    if (!(slave->mode & (LASHI_SLAVE_READY | LASHI_SLAVE_INITIALIZING)))
        return lashi_slave_refuse(slave, "a parameter is set before the steps begin");
    snprintf(text, sizeof text, "%.17g", value);
    return replace_text(slave, reference - LASHI_FMU_PARAMETERS, text);
}

bool lashi_slave_get_text(const char **out, lashi_slave *slave, unsigned reference) {
    lash_parameter parameter;
    if (!build(slave) || !parameter_of(&parameter, slave, reference) || !parameter.choices)
        return unknown(slave, reference, "text");
    *out = parameter.text;
    return true;
}

bool lashi_slave_set_text(lashi_slave *slave, unsigned reference, const char *value) {
    lash_parameter parameter;
    if (!value || !parameter_of(&parameter, slave, reference) || !parameter.choices)
        return unknown(slave, reference, "text");
    if (!(slave->mode & (LASHI_SLAVE_READY | LASHI_SLAVE_INITIALIZING)))
        return lashi_slave_refuse(slave, "a parameter is set before the steps begin");
    return replace_text(slave, reference - LASHI_FMU_PARAMETERS, value);
}

/* ---- states ---- */

/* Head of the bytes; behind it: inputs, outputs, the sim now, the sim before, texts of the parameters. */
typedef struct kept {
    char mark[8];
    int mode, behind;
    double start, stop, time;
    size_t total, inputs, outputs, now, before, texts; /* bytes of each part */
} kept;

static size_t texts_size(const lashi_slave *slave) {
    size_t size = 0;
    for (size_t i = 0; i < slave->parameters; i++)
        size += 1 + (slave->texts[i] ? strlen(slave->texts[i]) + 1 : 0);
    return size;
}

bool lashi_slave_save(void **bytes, size_t *count, lashi_slave *slave) {
    lash_error error = {.message = ""};
    lash_state *state = NULL;
    void *now = NULL, *before = NULL;
    kept k = {.mode = (int)slave->mode, .behind = slave->behind, .start = slave->start, .stop = slave->stop};
    memcpy(k.mark, MARK, sizeof k.mark);
    *bytes = NULL;
    bool fine = build(slave) && told(slave, lash_state_create(&state, slave->sim, &error), &error) &&
                told(slave, lash_state_write(&now, &k.now, state, slave->sim, &error), &error) &&
                told(slave, lash_state_write(&before, &k.before, slave->before, slave->sim, &error), &error);
    if (fine) {
        k.time = slave->time;
        k.inputs = slave->input_count * sizeof(double);
        k.outputs = slave->output_count * sizeof(double);
        k.texts = texts_size(slave);
        k.total = sizeof k + k.inputs + k.outputs + k.now + k.before + k.texts;
        *bytes = malloc(k.total);
        *count = k.total;
        fine = *bytes || out_of_memory(slave);
    }
    if (fine) {
        char *at = *bytes;
        memcpy(at, &k, sizeof k);
        at += sizeof k;
        memcpy(at, slave->inputs, k.inputs);
        memcpy(at + k.inputs, slave->values, k.outputs);
        memcpy(at + k.inputs + k.outputs, now, k.now);
        memcpy(at + k.inputs + k.outputs + k.now, before, k.before);
        at += k.inputs + k.outputs + k.now + k.before;
        for (size_t i = 0; i < slave->parameters; i++) {
            *at++ = slave->texts[i] ? 1 : 0;
            if (slave->texts[i])
                at = stpcpy(at, slave->texts[i]) + 1;
        }
    }
    free(now);
    free(before);
    lash_state_destroy(state);
    return fine;
}

/* The parameters of the bytes; *another: they are not those that hold. False: broken. */
static bool restore_texts(bool *another, lashi_slave *slave, const char *at, const char *end) {
    *another = false;
    for (size_t i = 0; i < slave->parameters; i++) {
        if (at >= end)
            return false;
        const bool given = *at++ != 0;
        const char *text = given ? at : NULL;
        if (given) {
            const char *stop = memchr(at, '\0', (size_t)(end - at));
            if (!stop)
                return false;
            at = stop + 1;
        }
        if (!given && !slave->texts[i])
            continue;
        if (given && slave->texts[i] && strcmp(text, slave->texts[i]) == 0)
            continue;
        *another = true;
        free(slave->texts[i]);
        slave->texts[i] = given ? strdup(text) : NULL;
        if (given && !slave->texts[i])
            return false;
    }
    return at == end;
}

bool lashi_slave_restore(lashi_slave *slave, const void *bytes, size_t count) {
    kept k;
    lash_error error = {.message = ""};
    static const char broken[] = "these bytes are no state of this FMU";
    if (!bytes || count < sizeof k)
        return lashi_slave_refuse(slave, broken);
    memcpy(&k, bytes, sizeof k);
    if (memcmp(k.mark, MARK, sizeof k.mark) != 0 || k.total != count ||
        k.inputs != slave->input_count * sizeof(double) ||
        k.outputs != slave->output_count * sizeof(double) || k.now > count || k.before > count ||
        k.texts > count || sizeof k + k.inputs + k.outputs + k.now + k.before + k.texts != count ||
        !(k.mode == LASHI_SLAVE_READY || k.mode == LASHI_SLAVE_INITIALIZING ||
          k.mode == LASHI_SLAVE_STEPPING || k.mode == LASHI_SLAVE_EVENT || k.mode == LASHI_SLAVE_TERMINATED ||
          k.mode == LASHI_SLAVE_FAILED))
        return lashi_slave_refuse(slave, broken);
    const char *at = (const char *)bytes + sizeof k, *texts = (const char *)bytes + count - k.texts;
    bool another;
    if (!restore_texts(&another, slave, texts, texts + k.texts))
        return lashi_slave_refuse(slave, broken);
    if (another)
        slave->built = false;
    if (!build(slave))
        return false;
    lash_state *state = NULL;
    bool fine =
        told(slave, lash_state_create(&state, slave->sim, &error), &error) &&
        told(slave,
             lash_state_read(slave->before, slave->sim, at + k.inputs + k.outputs + k.now, k.before, &error),
             &error) &&
        told(slave, lash_state_read(state, slave->sim, at + k.inputs + k.outputs, k.now, &error), &error) &&
        told(slave, lash_sim_restore(slave->sim, state, &error), &error);
    lash_state_destroy(state);
    if (!fine)
        return false;
    memcpy(slave->inputs, at, k.inputs);
    memcpy(slave->values, at + k.inputs, k.outputs);
    slave->mode = (lashi_slave_mode)k.mode;
    slave->behind = k.behind != 0;
    slave->start = k.start;
    slave->stop = k.stop;
    slave->time = k.time;
    return true;
}
