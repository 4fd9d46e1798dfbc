/* SPDX-License-Identifier: MIT
 *
 * A model inside an FMU: from its resources to steps.
 *
 * The model is read when the instance is made, and read again with the parameters and the start time that
 * were set, compiled and put together when they are first needed.
 *
 * Communication points. `before` is the state at the beginning of the last step, which may end behind the
 * communication point. The next point inside that step is read from the same step, repeated: with dop853 a
 * restored step repeats bit for bit. Methods that cannot do that end their steps at every point.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/inside.h"

enum { MOST_OUTPUTS = 100000, MOST_SETTINGS = 1000, LINE = 1024 };
/* Communication points that differ by less, of the time, are the same. */
static const double SAME_TIME = 1e-12;

bool lashi_slave_refuse_as(const lashi_slave *slave, const char *format, ...) {
    char message[LASH_ERROR_TEXT + 512];
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    if (slave->log)
        slave->log(slave->user, message);
    return false;
}

bool lashi_slave_refuse(const lashi_slave *slave, const char *message) {
    return lashi_slave_refuse_as(slave, "%s", message);
}

bool lashi_slave_told(const lashi_slave *slave, lash_status status, const lash_error *error) {
    return status >= 0 ||
           lashi_slave_refuse(slave, error->message[0] ? error->message : lash_status_text(status));
}

bool lashi_slave_out_of_memory(const lashi_slave *slave) {
    return lashi_slave_refuse(slave, "out of memory");
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
    if (!file)
        return lashi_slave_refuse_as(slave, "the FMU's resources are missing: '%s/outputs' cannot be read",
                                     slave->folder);
    bool fine = true;
    slave->outputs = calloc(MOST_OUTPUTS, sizeof *slave->outputs);
    while (fine && slave->outputs && slave->output_count < MOST_OUTPUTS && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0])
            fine = (slave->outputs[slave->output_count++] = strdup(line)) != NULL;
    }
    fclose(file);
    slave->values = calloc(slave->output_count + 1, sizeof *slave->values);
    return fine && slave->outputs && slave->values ? true : lashi_slave_out_of_memory(slave);
}

/* Settings that `lash fmu --set` has left: NAME=VALUE lines. NULL: they are lost. */
static char *read_settings(const lashi_slave *slave, lash_setting *settings, size_t *count) {
    char *path = path_of(slave, "settings"), *text = NULL;
    size_t capacity = 0;
    FILE *file = path ? fopen(path, "r") : NULL;
    free(path);
    if (!file)
        return NULL;
    if (getdelim(&text, &capacity, '\0', file) < 0 && text)
        text[0] = '\0';
    fclose(file);
    char *rest = text, *line;
    while (*count < MOST_SETTINGS && (line = strsep(&rest, "\n")) != NULL) {
        char *equals = strchr(line, '=');
        if (!equals)
            continue;
        *equals = '\0';
        settings[(*count)++] = (lash_setting){line, equals + 1};
    }
    return text;
}

static bool read_model(lashi_slave *slave) {
    lash_error error = {.message = ""};
    char *path = path_of(slave, "model.yaml");
    lash_setting *settings = calloc(MOST_SETTINGS, sizeof *settings);
    size_t count = 0;
    char *text = settings ? read_settings(slave, settings, &count) : NULL;
    const lash_load_options options = {.settings = settings, .setting_count = count};
    bool fine = path && settings ? true : lashi_slave_out_of_memory(slave);
    if (fine && !text)
        fine = lashi_slave_refuse_as(slave, "the FMU's resources are missing: '%s/settings' cannot be read",
                                     slave->folder);
    if (fine)
        fine = lashi_slave_told(slave, lash_model_load(&slave->usual, path, &options, &error), &error);
    free(text);
    free(settings);
    free(path);
    lash_parameter unused;
    if (fine)
        slave->start = lash_model_run(slave->usual)->begin;
    while (fine && lash_model_parameter(&unused, slave->usual, slave->parameters))
        slave->parameters++;
    slave->texts = calloc(slave->parameters + 1, sizeof *slave->texts);
    return fine && (slave->texts || lashi_slave_out_of_memory(slave));
}

/* ---- building the machine ---- */

void lashi_machine_clear(lashi_machine *machine) {
    lash_state_destroy(machine->before);
    lash_sim_destroy(machine->sim);
    lash_system_destroy(machine->system);
    lash_model_destroy(machine->model);
    free(machine->channels);
    *machine = (lashi_machine){0};
}

static bool find_outputs(lashi_machine *machine, lashi_slave *slave) {
    machine->channels = calloc(slave->output_count + 1, sizeof *machine->channels);
    if (!machine->channels)
        return lashi_slave_out_of_memory(slave);
    for (size_t k = 0; k < slave->output_count; k++) {
        machine->channels[k] = lash_sim_find_channel(machine->sim, slave->outputs[k]);
        if (machine->channels[k] == (size_t)-1)
            return lashi_slave_refuse_as(slave, "with these parameters the model has no channel '%s'",
                                         slave->outputs[k]);
    }
    return true;
}

static void forget_inputs(lashi_slave *slave) {
    for (size_t k = 0; slave->inputs && k < slave->input_count; k++)
        slave->inputs[k] = (double)NAN;
}

static bool apply_inputs(lashi_machine *machine, lashi_slave *slave) {
    lash_error error = {.message = ""};
    const size_t count = lash_sim_input_count(machine->sim);
    if (!slave->inputs) {
        slave->input_count = count;
        slave->inputs = calloc(count + 1, sizeof *slave->inputs);
        forget_inputs(slave);
    }
    if (!slave->inputs)
        return lashi_slave_out_of_memory(slave);
    for (size_t k = 0; k < slave->input_count && k < count; k++)
        if (!isnan(slave->inputs[k]) &&
            !lashi_slave_told(slave, lash_sim_set_input(machine->sim, k, slave->inputs[k], &error), &error))
            return false;
    return true;
}

/* A setting in place of one of the same name, or behind the others. */
static void put(lash_setting *settings, size_t *count, const char *name, const char *value) {
    size_t i = 0;
    while (i < *count && strcmp(settings[i].name, name) != 0)
        i++;
    settings[i] = (lash_setting){name, value};
    *count += i == *count;
}

bool lashi_machine_build(lashi_machine *out, lashi_slave *slave, char *const *texts, double start) {
    const lash_run_def *run = lash_model_run(slave->usual);
    const size_t usual = lash_model_setting_count(slave->usual);
    lash_setting *settings = calloc(usual + slave->parameters + 3, sizeof *settings);
    char times[3][40];
    size_t count = 0;
    *out = (lashi_machine){0};
    if (!settings)
        return lashi_slave_out_of_memory(slave);
    for (size_t i = 0; i < usual; i++)
        settings[count++] = lash_model_setting(slave->usual, i);
    lash_parameter parameter;
    for (size_t i = 0; i < slave->parameters; i++)
        if (texts[i] && lash_model_parameter(&parameter, slave->usual, i))
            put(settings, &count, parameter.name, texts[i]);
    if (start != run->begin) { // as long as the model's own run
        snprintf(times[0], sizeof times[0], "%.17g", start);
        snprintf(times[1], sizeof times[1], "%.17g", start + (run->until - run->begin));
        snprintf(times[2], sizeof times[2], "%.17g", start + (run->discard - run->begin));
        put(settings, &count, "run.begin", times[0]);
        if (isfinite(run->until))
            put(settings, &count, "run.until", times[1]);
        if (run->discard > run->begin)
            put(settings, &count, "run.discard", times[2]);
    }
    lash_error error = {.message = ""};
    const lash_load_options options = {.settings = settings, .setting_count = count};
    const bool fine =
        lashi_slave_told(slave, lash_model_reload(&out->model, slave->usual, &options, &error), &error) &&
        lashi_slave_told(slave, lash_system_compile(&out->system, out->model, &error), &error) &&
        lashi_slave_told(slave, lash_sim_create(&out->sim, out->system, &error), &error) &&
        lashi_slave_told(slave, lash_state_create(&out->before, out->sim, &error), &error) &&
        find_outputs(out, slave) && apply_inputs(out, slave);
    free(settings);
    if (!fine)
        lashi_machine_clear(out);
    return fine;
}

void lashi_slave_look(lashi_slave *slave) {
    for (size_t k = 0; k < slave->output_count; k++)
        slave->values[k] = lash_sim_value(slave->machine.sim, slave->machine.channels[k]);
}

void lashi_slave_take(lashi_slave *slave, lashi_machine machine) {
    lashi_machine_clear(&slave->machine);
    slave->machine = machine;
    slave->time = lash_sim_time(machine.sim);
    slave->behind = slave->ended = false;
    lashi_slave_look(slave);
}

bool lashi_slave_build(lashi_slave *slave) {
    lashi_machine machine;
    if (slave->machine.sim)
        return true;
    if (!lashi_machine_build(&machine, slave, slave->texts, slave->start))
        return false;
    lashi_slave_take(slave, machine);
    return true;
}

/* ---- an instance ---- */

void lashi_texts_free(char **texts, size_t count) {
    for (size_t i = 0; texts && i < count; i++)
        free(texts[i]);
    free(texts);
}

void lashi_slave_destroy(lashi_slave *slave) {
    if (!slave)
        return;
    lashi_machine_clear(&slave->machine);
    lash_model_destroy(slave->usual);
    lashi_texts_free(slave->texts, slave->parameters);
    lashi_texts_free(slave->outputs, slave->output_count);
    free(slave->values);
    free(slave->inputs);
    free(slave->folder);
    free(slave);
}

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
    bool fine = slave->folder ? read_outputs(slave) : lashi_slave_out_of_memory(slave);
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
            lashi_slave_refuse(slave, "the token of modelDescription.xml is not that of this FMU");
    }
    // A model that cannot be assembled is reported now rather than later.
    if (!fine || !read_model(slave) || !lashi_slave_build(slave)) {
        lashi_slave_destroy(slave);
        return NULL;
    }
    return slave;
}

lashi_slave_mode lashi_slave_mode_of(const lashi_slave *slave) {
    return slave->mode;
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
    case LASHI_SLAVE_ANY: break;
    }
    return "";
}

bool lashi_slave_may(const lashi_slave *slave, int modes, const char *call) {
    if (!slave)
        return false;
    if ((int)slave->mode & modes)
        return true;
    return lashi_slave_refuse_as(slave, "%s cannot be called now: the FMU is %s", call,
                                 mode_name(slave->mode));
}

bool lashi_slave_has(const lashi_slave *slave, const void *references, const void *values, size_t count) {
    return count == 0 || (references && values) || lashi_slave_refuse(slave, "a list of values is NULL");
}

bool lashi_slave_setup(lashi_slave *slave, double start, bool stop_given, double stop) {
    if (!isfinite(start) || (stop_given && !(stop > start)))
        return lashi_slave_refuse(slave, "the start time must be a number, and the stop time after it");
    if (start != slave->start) {
        lashi_machine machine;
        if (!lashi_machine_build(&machine, slave, slave->texts, start))
            return false;
        lashi_slave_take(slave, machine);
    }
    slave->start = start;
    slave->stop = stop_given ? stop : (double)NAN;
    return true;
}

bool lashi_slave_begin(lashi_slave *slave) {
    if (!lashi_slave_build(slave))
        return false;
    slave->mode = LASHI_SLAVE_INITIALIZING;
    return true;
}

bool lashi_slave_start(lashi_slave *slave) {
    lash_error error = {.message = ""};
    if (!lashi_slave_build(slave))
        return false;
    bool any = false;
    for (size_t k = 0; k < slave->input_count; k++)
        any = any || !isnan(slave->inputs[k]);
    if (any && !lashi_slave_told(slave, lash_sim_begin_again(slave->machine.sim, &error), &error))
        return false;
    lashi_slave_look(slave);
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
    forget_inputs(slave);
    lashi_machine_clear(&slave->machine);
    slave->mode = LASHI_SLAVE_READY;
    slave->start = lash_model_run(slave->usual)->begin;
    slave->stop = (double)NAN;
    return lashi_slave_build(slave);
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
        lash_sim_values_at(l->slave->values, sim, l->slave->machine.channels, l->slave->output_count, l->at);
    return LASH_OK;
}

/* One step of the sim from where it stands, which is kept. */
static lash_status take_step(lashi_slave *slave, double limit, double at, lash_error *error) {
    looker user = {slave, at};
    const lash_run_control control = {.observe = observe, .user = &user};
    const lash_status status = lash_sim_save(slave->machine.before, slave->machine.sim, error);
    return status ? status : lash_sim_step_observed(slave->machine.sim, limit, &control, error);
}

lash_status lashi_slave_go_back(lashi_slave *slave, lash_error *error) {
    if (!slave->behind)
        return LASH_OK;
    lash_status status = lash_sim_restore(slave->machine.sim, slave->machine.before, error);
    while (status == LASH_OK && lash_sim_time(slave->machine.sim) < slave->time)
        status = lash_sim_step(slave->machine.sim, slave->time, error);
    slave->behind = false;
    return status < 0 ? status : LASH_OK;
}

/* How far a step may go: as far as that of `lash run`. */
static double farthest(const lashi_slave *slave, double target) {
    if (!lash_sim_repeats(slave->machine.sim))
        return target;
    const double end = isfinite(slave->stop) ? slave->stop : lash_system_end(slave->machine.system);
    return end > target ? end : target;
}

static lash_status advance(bool *early, lashi_slave *slave, double target, bool stop_at_events,
                           lash_error *error) {
    lash_status status = LASH_OK;
    double at = target;
    if (slave->behind) { // the step that was taken holds the next point, too
        status = lash_sim_restore(slave->machine.sim, slave->machine.before, error);
        slave->behind = false;
    }
    while (status == LASH_OK && lash_sim_time(slave->machine.sim) < at) {
        status = take_step(slave, farthest(slave, at), at, error);
        size_t events = 0;
        lash_sim_events(&events, slave->machine.sim);
        const double now = lash_sim_time(slave->machine.sim);
        if (status == LASH_OK && stop_at_events && events > 0 && now < target && now > slave->time) {
            at = now;
            *early = true;
            lashi_slave_look(slave);
            break;
        }
    }
    if (status < 0)
        return status;
    const double stands = lash_sim_time(slave->machine.sim);
    slave->ended = stands < at; // an event has asked to stop the run
    if (slave->ended)
        lashi_slave_look(slave);
    slave->time = fmin(at, stands);
    slave->behind = stands > at;
    return lash_sim_judge(slave->machine.sim, error);
}

static const char ENDED[] = "the run has ended here: a contact was lost that has `stop_at_loss`";

bool lashi_slave_step(double *reached, bool *early, lashi_slave *slave, double time, double step,
                      bool stop_at_events) {
    lash_error error = {.message = ""};
    // The importer's times as they are: what rounding adds up to would be seen in contact forces.
    const double now = slave->time, target = time + step;
    *early = false;
    *reached = now;
    if (!(fabs(time - now) <= SAME_TIME * (1 + fabs(now))))
        return lashi_slave_refuse_as(
            slave, "a step from t = %.17g s was asked for, but the FMU is at t = %.17g s", time, now);
    if (!(step > 0) || !isfinite(step) || !(target > now))
        return lashi_slave_refuse_as(slave, "a communication step of %g s cannot be made", step);
    if (slave->ended)
        return lashi_slave_refuse(slave, ENDED);
    const lash_status status = advance(early, slave, target, stop_at_events, &error);
    if (status < 0) {
        slave->mode = LASHI_SLAVE_FAILED;
        return lashi_slave_told(slave, status, &error);
    }
    *reached = slave->time;
    if (slave->ended)
        lashi_slave_refuse(slave, ENDED);
    return true;
}

bool lashi_slave_ended(const lashi_slave *slave) {
    return slave->ended;
}

double lashi_slave_time(const lashi_slave *slave) {
    return slave->time;
}
