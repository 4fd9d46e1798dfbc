/* SPDX-License-Identifier: MIT
 *
 * lash linearize: natural frequencies, damping and modes of a model where it starts, or at a time of its run.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/talk.h"

enum { PARTS = 3 }; /* coordinates named per mode */

static const double SLOW = 1e-3;     // of a typical approach: no speed
static const double DOUBTFUL = 1e-6; // of the largest stiffness or damping: rounding that is worth a word
static const double AT_REST = 1e-3;  // m/s² or rad/s²: an acceleration that is none

/* The coordinates that move most in a mode, each in units of the largest. */
static void print_shape(FILE *stream, const lash_linear *linear, size_t mode, double *real, double *imaginary,
                        size_t count) {
    if (lash_linear_shape(real, imaginary, linear, mode, NULL) != LASH_OK)
        return;
    for (int part = 0; part < PARTS; part++) {
        size_t best = 0;
        for (size_t i = 1; i < count; i++)
            if (hypot(real[i], imaginary[i]) > hypot(real[best], imaginary[best]))
                best = i;
        const double size = hypot(real[best], imaginary[best]);
        if (size < 1e-3)
            break;
        const double degrees = atan2(imaginary[best], real[best]) * 57.29577951308232;
        fprintf(stream, "%s%s %.3g", part ? ", " : "", lash_linear_coordinate_name(linear, best), size);
        if (fabs(degrees) > 0.5)
            fprintf(stream, " at %.0f°", degrees);
        real[best] = imaginary[best] = 0;
    }
}

static void print_modes(const lashi_job *job, const lash_linear *linear, double *room, size_t count) {
    lash_mode mode;
    const size_t freedoms = lash_linear_freedoms(linear), inputs = lash_sim_input_count(job->sim);
    printf("%s\n  %zu degree%s of freedom, %zu input%s, at t = %.9g s\n\n", lash_model_title(job->model),
           freedoms, freedoms == 1 ? "" : "s", inputs, inputs == 1 ? "" : "s", lash_sim_time(job->sim));
    printf("  %4s %14s %14s %12s   %s\n", "mode", "frequency/Hz", "natural/Hz", "damping", "moves");
    for (size_t k = 0; lash_linear_mode(&mode, linear, k); k++) {
        printf("  %4zu %14.9g %14.9g ", k + 1, mode.frequency, mode.natural);
        if (mode.natural > 0)
            printf("%12.6g   ", mode.damping);
        else // free to go anywhere
            printf("%12s   ", "-");
        print_shape(stdout, linear, k, room, room + count, count);
        printf("\n");
    }
}

static void print_matrix(lashi_json *json, const lash_linear *linear, char which) {
    size_t rows, columns;
    const double *values = lash_linear_matrix(&rows, &columns, linear, which);
    lashi_json_open(json, (const char[]){which, '\0'}, '[');
    for (size_t r = 0; r < rows; r++) {
        lashi_json_open(json, NULL, '[');
        for (size_t c = 0; c < columns; c++)
            lashi_json_add(json, NULL, values[r * columns + c]);
        lashi_json_close(json, ']');
    }
    lashi_json_close(json, ']');
}

static void print_json(const lashi_job *job, const lash_linear *linear) {
    lashi_json json = {.stream = stdout};
    lash_mode mode;
    lashi_json_open(&json, NULL, '{');
    lashi_json_add(&json, "time", lash_sim_time(job->sim));
    lashi_json_add(&json, "freedoms", (double)lash_linear_freedoms(linear));
    lashi_json_add(&json, "uncertainty", lash_linear_uncertainty(linear));
    lashi_json_open(&json, "modes", '[');
    for (size_t k = 0; lash_linear_mode(&mode, linear, k); k++) {
        lashi_json_open(&json, NULL, '{');
        lashi_json_add(&json, "frequency", mode.frequency);
        lashi_json_add(&json, "natural", mode.natural);
        lashi_json_add(&json, "damping", mode.damping);
        lashi_json_add(&json, "real", mode.real);
        lashi_json_add(&json, "imaginary", mode.imaginary);
        lashi_json_close(&json, '}');
    }
    lashi_json_close(&json, ']');
    lashi_json_open(&json, "inputs", '[');
    for (size_t i = 0; lash_sim_input_name(job->sim, i); i++)
        lashi_json_say(&json, NULL, lash_sim_input_name(job->sim, i));
    lashi_json_close(&json, ']');
    lashi_json_open(&json, "outputs", '[');
    for (size_t i = 0; i < job->channel_count; i++)
        lashi_json_say(&json, NULL, job->channels[i]);
    lashi_json_close(&json, ']');
    for (const char *letter = "ABCD"; *letter; letter++)
        print_matrix(&json, linear, *letter);
    lashi_json_close(&json, '}');
    printf("\n");
}

/* q1 …, v1 …, and the states of signals s1 …. */
static const char *component(char name[64], size_t i, size_t f) {
    snprintf(name, 64, "%s%zu", i < f ? "q" : i < 2 * f ? "v" : "s", i < 2 * f ? i % f + 1 : i - 2 * f + 1);
    return name;
}

/* [A B; C D] with the names of rows and columns. */
static lash_status write_csv(const lashi_job *job, const lash_linear *linear, const char *path) {
    FILE *stream = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!stream)
        return lashi_talk_fail(LASH_ERROR_IO, "cannot write '%s'", path);
    const size_t f = lash_linear_freedoms(linear), inputs = lash_sim_input_count(job->sim);
    size_t n;
    char name[64];
    lash_linear_matrix(&n, NULL, linear, 'A');
    for (size_t i = 0; i < n; i++)
        fprintf(stream, ",%s", component(name, i, f));
    for (size_t i = 0; i < inputs; i++)
        fprintf(stream, ",%s", lash_sim_input_name(job->sim, i));
    fprintf(stream, "\n");
    for (size_t r = 0; r < n + job->channel_count; r++) {
        const bool state = r < n;
        const size_t row = state ? r : r - n;
        const double *left = lash_linear_matrix(NULL, NULL, linear, state ? 'A' : 'C') + row * n,
                     *right = lash_linear_matrix(NULL, NULL, linear, state ? 'B' : 'D') + row * inputs;
        if (state)
            fprintf(stream, "d%s/dt", component(name, r, f));
        else
            fprintf(stream, "%s", job->channels[row]);
        for (size_t i = 0; i < n; i++)
            fprintf(stream, ",%.17g", left[i]);
        for (size_t i = 0; i < inputs; i++)
            fprintf(stream, ",%.17g", right[i]);
        fprintf(stream, "\n");
    }
    const bool failed = ferror(stream) != 0;
    if ((stream != stdout && fclose(stream) != 0) || failed)
        return lashi_talk_fail(LASH_ERROR_IO, "writing '%s' failed", path);
    return LASH_OK;
}

/* The time at which the model is linearised: the run is computed up to there. */
static lash_status go_to(lashi_job *job, lash_error *error) {
    const char *text = lashi_option_value(job->arguments, "at");
    const double begin = lash_sim_time(job->sim);
    double time = begin;
    lash_status status = text ? lash_quantity_read(&time, text, "s", error) : LASH_OK;
    if (!status && time > begin)
        status = lash_sim_run_until(job->sim, time, NULL, NULL, error);
    if (status >= 0 && lash_sim_time(job->sim) != time) {
        error->status = status = LASH_ERROR_USAGE;
        snprintf(error->message, sizeof error->message, "the run %s at t = %.9g s, %s --at %.9g s",
                 time < begin ? "begins" : "ends", lash_sim_time(job->sim), time < begin ? "after" : "before",
                 time);
    }
    return status < 0 ? status : LASH_OK;
}

/* Only runs settle. */
static void note_start(const lashi_job *job) {
    if (strcmp(lash_model_run(job->model)->start, "settled") == 0 &&
        !lashi_option_given(job->arguments, "at"))
        fprintf(stderr,
                "note: start: settled belongs to runs; these numbers are of the machine as assembled. Give "
                "--at, a time at which the run has settled\n");
}

/* The length of the joint's name in that of its contact, JOINT or JOINT.PART. */
static int joint_length(const lashi_job *job, const char *contact) {
    const char *dot = strrchr(contact, '.');
    char name[256];
    if (dot) {
        snprintf(name, sizeof name, "%.*s.fx", (int)(dot - contact), contact);
        if (lash_sim_find_channel(job->sim, name) != SIZE_MAX)
            return (int)(dot - contact);
    }
    return (int)strlen(contact);
}

/* Whether a contact touches; films and those that never part always do. */
static bool touches(const lashi_job *job, const lash_clearance_info *info) {
    char name[256];
    snprintf(name, sizeof name, "%.200s.delta", info->joint);
    const size_t delta = lash_sim_find_channel(job->sim, name);
    return delta == SIZE_MAX || info->film || strcmp(info->model, "permanent-contact") == 0 ||
           lash_sim_value(job->sim, delta) >= 0;
}

/* A joint of which nothing touches has no stiffness: natural frequencies of 0 are not those of the machine at rest
 * in it. Of teeth and stops one side touches at a time. */
static void note_flights(const lashi_job *job) {
    const size_t count = lash_system_clearance_count(job->system);
    size_t open = 0, next;
    for (size_t i = 0; i < count; i = next) {
        const lash_clearance_info first = lash_system_clearance(job->system, i);
        const int length = joint_length(job, first.joint);
        bool touched = touches(job, &first);
        for (next = i + 1; next < count; next++) {
            const lash_clearance_info info = lash_system_clearance(job->system, next);
            if (joint_length(job, info.joint) != length ||
                strncmp(info.joint, first.joint, (size_t)length) != 0)
                break;
            touched = touched || touches(job, &info);
        }
        if (!touched)
            fprintf(stderr, "%s'%.*s'", open++ ? ", " : "note: ", length, first.joint);
    }
    if (open)
        fprintf(
            stderr,
            " %s not touch at t = %.6g s: %s not in these numbers. Linearise where %s, with --at, or from "
            "start: equilibrium\n",
            open == 1 ? "does" : "do", lash_sim_time(job->sim),
            open == 1 ? "its contact is" : "their contacts are", open == 1 ? "it touches" : "they touch");
}

/* A machine without any speed that accelerates is about to fall: its numbers are no frequencies of small motions about
 * rest. */
static void note_falling(const lashi_job *job) {
    static const double NONE = 1e-12; // J, of speeds that are rounding
    const size_t kinetic = lash_sim_find_channel(job->sim, "energy.kinetic");
    const char *name = NULL, *unit = "";
    double largest = AT_REST;
    if (kinetic == SIZE_MAX || lash_sim_value(job->sim, kinetic) > NONE)
        return;
    for (size_t c = 0; c < lash_sim_channel_count(job->sim); c++) {
        const char *here = lash_sim_channel_unit(job->sim, c);
        const bool accelerates = strcmp(here, "m/s^2") == 0 || strcmp(here, "rad/s^2") == 0;
        if (accelerates && fabs(lash_sim_value(job->sim, c)) > largest) {
            largest = fabs(lash_sim_value(job->sim, c));
            name = lash_sim_channel_name(job->sim, c);
            unit = here;
        }
    }
    if (name)
        fprintf(stderr,
                "note: at t = %.6g s the machine stands still, but not in balance: '%s' is %.3g %s. These "
                "numbers are those "
                "of the instant, not of small motions about rest: for these write start: equilibrium\n",
                lash_sim_time(job->sim), name,
                lash_sim_value(job->sim, lash_sim_find_channel(job->sim, name)), unit);
}

/* Where the damping goes with the speed with which a contact began, one that began without speed has the damping of
 * speed_floor, in which nothing oscillates. */
static void note_onsets(const lashi_job *job) {
    size_t slow = 0;
    for (size_t i = 0; i < lash_system_clearance_count(job->system); i++) {
        const lash_clearance_info info = lash_system_clearance(job->system, i);
        if (info.remembers && lash_sim_contact_onset(job->sim, i) <= SLOW * info.typical_speed)
            fprintf(stderr, "%s'%s'", slow++ ? ", " : "note: ", info.joint);
    }
    if (slow)
        fprintf(stderr,
                " began to touch without speed: the law divides %s damping by that speed, so that it is far "
                "too large "
                "here. For small motions about rest write contact: {approach: energy} or {law: hertz}\n",
                slow == 1 ? "its" : "their");
}

/* Rounding of large coordinates leaves less than nine digits; at a border there are two answers. */
static void note_uncertainty(const lash_linear *linear) {
    const double share = lash_linear_uncertainty(linear);
    if (share > DOUBTFUL)
        fprintf(
            stderr,
            "note: rounding leaves errors of about %.1g of the largest stiffness or damping in these "
            "numbers: "
            "coordinates are large beside the deflections of stiff contacts. Linearise at an earlier time\n",
            share);
}

static lash_status perform(const lashi_arguments *arguments) {
    lashi_job job;
    lash_error error = {.time = (double)NAN};
    lash_linear *linear = NULL;
    lash_status status = lashi_job_load(&job, arguments);
    if (status == LASH_OK)
        status = lashi_job_compile(&job);
    if (status == LASH_OK)
        status = lashi_job_channels(&job);
    if (status != LASH_OK) {
        lashi_job_clear(&job);
        return status;
    }
    status = lash_sim_create(&job.sim, job.system, &error);
    if (!status)
        status = go_to(&job, &error);
    if (!status)
        status = lash_linear_create(&linear, job.sim, (const char *const *)job.channels, job.channel_count,
                                    &error);
    if (status) {
        lashi_talk_error(&error);
    } else {
        const char *csv = lashi_option_value(arguments, "csv");
        note_start(&job);
        note_flights(&job);
        note_onsets(&job);
        note_falling(&job);
        note_uncertainty(linear);
        size_t count = 0;
        while (lash_linear_coordinate_name(linear, count))
            count++;
        double *room = calloc(2 * count + 1, sizeof *room);
        if (lashi_option_given(arguments, "json"))
            print_json(&job, linear);
        else if (room && !(csv && strcmp(csv, "-") == 0))
            print_modes(&job, linear, room, count);
        free(room);
        if (csv)
            status = write_csv(&job, linear, csv);
    }
    lash_linear_destroy(linear);
    lashi_job_clear(&job);
    return status;
}

static const lashi_option options[] = {
    LASHI_OPTION_SET,
    {"at", 0, "T", false, "linearises at this time of the run, e.g. \"0.1 s\"; by default at its start"},
    {"channels", 0, "A,B", true, "outputs of the linear system: rows of C and D"},
    {"csv", 'c', "FILE", false, "writes the matrices A, B, C, D as CSV; - is standard output"},
    LASHI_OPTION_JSON,
    {0}};

const lashi_command lashi_command_linearize = {
    .name = "linearize",
    .arguments = "MODEL",
    .also = "linearise modes modal eigen frequencies",
    .brief = "Computes natural frequencies, damping and modes, and writes the linear system",
    .details =
        "States are as many positions and velocities as there are degrees of freedom, in coordinates\n"
        "in which the mass matrix is the identity; inputs are the components of forces and torques.\n"
        "Joints with play keep the contact that they have, switches of expressions and held values\n"
        "stay as they are, and what sticks does not move. A contact whose damping goes with the speed\n"
        "with which it began is damped far too much where it began at rest: approach: energy or law:\n"
        "hertz gives its frequencies.\n"
        "About a motion the numbers are those of small differences to it: what is hinged on a turning\n"
        "part is seen from there, a rotor in space (its turning changes its inertia by less than a\n"
        "hundredth) from axes that stand still, other bodies from their own. Where the motion is not\n"
        "steady the numbers describe that instant.\n",
    .least = 1,
    .most = 1,
    .options = options,
    .perform = perform};
