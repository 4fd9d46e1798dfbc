/* SPDX-License-Identifier: MIT
 *
 * lash bearing: characteristic curves of a journal bearing over its eccentricity; with sizes, oil and speed
 * in newtons and watts, and with a load the eccentricity that carries it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/talk.h"
#include "lash/bearing.h"
#include "lash/quantity.h"

enum { MOST_POINTS = 10000 };
static const double PI = 3.14159265358979323846;
static const char DEFAULT_EPS[] = "0.1:0.9:0.1";
static const double STEP_SLACK = 1e-9; // of a step: 0.1:0.9:0.1 has nine values

typedef struct machine {
    bool given; /* all that a table in SI needs */
    double radius, clearance, length, speed, viscosity;
    double ratio; /* L/D; NaN: neither given nor known from the sizes */
    double load;  /* N; NaN: none */
} machine;

// ---- options

/* A positive quantity, or NaN where the option is not given. */
static lash_status read_positive(double *out, const lashi_arguments *arguments, const char *name,
                                 const char *unit) {
    const char *text = lashi_option_value(arguments, name);
    lash_error error;
    *out = NAN;
    if (!text)
        return LASH_OK;
    if (lash_quantity_read(out, text, unit, &error) != LASH_OK)
        return lashi_talk_usage(arguments->command, "--%s: %s", name, error.message);
    if (!(*out > 0))
        return lashi_talk_usage(arguments->command, "--%s is '%s': it must be positive", name, text);
    return LASH_OK;
}

static lash_status read_viscosity(double *out, const lashi_arguments *arguments) {
    const char *oil = lashi_option_value(arguments, "oil"),
               *temperature = lashi_option_value(arguments, "temperature");
    lash_error error = {.time = NAN};
    if (oil && lashi_option_given(arguments, "viscosity"))
        return lashi_talk_usage(arguments->command, "--viscosity and --oil exclude each other");
    if (!oil && temperature)
        return lashi_talk_usage(arguments->command, "--temperature belongs to --oil");
    if (!oil)
        return read_positive(out, arguments, "viscosity", "Pa s");
    double kelvin;
    if (!temperature)
        return lashi_talk_usage(arguments->command, "--oil needs --temperature, e.g. \"60 degC\"");
    if (read_positive(&kelvin, arguments, "temperature", "K") != LASH_OK)
        return LASH_ERROR_USAGE;
    const char *warning;
    if (lash_oil_viscosity(out, &warning, oil, kelvin, &error) != LASH_OK)
        return lashi_talk_usage(arguments->command, "--oil: %s", error.message);
    if (warning) {
        error.status = LASH_OK;
        snprintf(error.message, sizeof error.message, "%s", warning);
        lashi_talk_error(&error);
    }
    return LASH_OK;
}

/* L/D; of radius, length and L/D the third follows from two. */
static lash_status read_ratio(machine *out, const lashi_arguments *arguments) {
    if (read_positive(&out->ratio, arguments, "ld", ""))
        return LASH_ERROR_USAGE;
    if (!isnan(out->ratio) && !isnan(out->radius) && !isnan(out->length))
        return lashi_talk_usage(arguments->command,
                                "--ld follows from --length and --radius: give two of the three");
    if (isnan(out->ratio))
        out->ratio = out->length / (2 * out->radius);
    else if (isnan(out->length))
        out->length = 2 * out->radius * out->ratio;
    else
        out->radius = out->length / (2 * out->ratio);
    return LASH_OK;
}

static lash_status read_sizes(machine *out, const lashi_arguments *arguments) {
    *out = (machine){0};
    if (read_positive(&out->radius, arguments, "radius", "m") ||
        read_positive(&out->clearance, arguments, "clearance", "m") ||
        read_positive(&out->length, arguments, "length", "m") ||
        read_positive(&out->speed, arguments, "speed", "rad/s") ||
        read_positive(&out->load, arguments, "load", "N") || read_viscosity(&out->viscosity, arguments))
        return LASH_ERROR_USAGE;
    if (read_ratio(out, arguments))
        return LASH_ERROR_USAGE;
    const double values[] = {out->radius, out->clearance, out->length, out->speed, out->viscosity};
    static const char *const names[] = {"--radius (or --length and --ld)", "--clearance",
                                        "--length (or --ld)", "--speed", "--viscosity or --oil"};
    const char *missing = NULL;
    size_t count = 0;
    for (size_t i = 0; i < 5; i++) {
        count += isnan(values[i]) ? 0 : 1;
        if (isnan(values[i]) && !missing)
            missing = names[i];
    }
    out->given = count == 5;
    if (missing && (count > 0 || !isnan(out->load)))
        return lashi_talk_usage(arguments->command, "a table in SI units also needs %s", missing);
    return LASH_OK;
}

/* "max-film", "periodic", or "groove at ANGLE". */
static lash_status read_inlet(lash_bearing_def *bearing, const lashi_arguments *arguments) {
    static const char groove[] = "groove at ";
    const char *text = lashi_option_value(arguments, "inlet");
    lash_error error;
    if (!text)
        return LASH_OK;
    if (strncmp(text, groove, sizeof groove - 1) != 0) {
        if (strcmp(text, "groove") == 0)
            return lashi_talk_usage(arguments->command,
                                    "--inlet: where is the groove? \"groove at 180 deg\"");
        bearing->inlet = text;
        return LASH_OK;
    }
    bearing->inlet = "groove";
    if (lash_quantity_read(&bearing->groove, text + sizeof groove - 1, "rad", &error) != LASH_OK)
        return lashi_talk_usage(arguments->command, "--inlet: %s", error.message);
    return LASH_OK;
}

static lash_status read_bearing(lash_bearing_def *bearing, const machine *sizes,
                                const lashi_arguments *arguments) {
    *bearing = lash_bearing_default();
    const char *film = lashi_option_value(arguments, "film");
    if (film)
        bearing->film = film;
    bearing->full = lashi_option_given(arguments, "full");
    if (!isnan(sizes->ratio))
        bearing->length_ratio = sizes->ratio;
    return read_inlet(bearing, arguments);
}

/* "0.2,0.5" or "FROM:TO:STEP" into *out, which the caller frees. */
static lash_status read_eps(double **out, size_t *count, const lashi_arguments *arguments) {
    const char *text = lashi_option_value(arguments, "eps"), *rest;
    char *end;
    text = text ? text : DEFAULT_EPS;
    *count = 0;
    *out = calloc(MOST_POINTS, sizeof **out);
    if (!*out)
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    double range[3];
    size_t parts = 0;
    bool even = strchr(text, ':') != NULL;
    for (rest = text; parts < 3 || !even; rest = end + 1) {
        double value = strtod(rest, &end);
        if (end == rest || (*end && *end != (even ? ':' : ',')))
            return lashi_talk_usage(arguments->command, "--eps is '%s': \"0.2,0.5\" or \"FROM:TO:STEP\"",
                                    text);
        if (even)
            range[parts++] = value;
        else if (*count < MOST_POINTS)
            (*out)[(*count)++] = value;
        if (!*end)
            break;
    }
    if (even && (parts != 3 || *end || !(range[2] > 0) || !(range[1] >= range[0]) ||
                 !((range[1] - range[0]) / range[2] < MOST_POINTS - 1)))
        return lashi_talk_usage(arguments->command, "--eps is '%s': \"FROM:TO:STEP\", at most %d values",
                                text, MOST_POINTS);
    for (size_t i = 0; even && range[0] + (double)i * range[2] <= range[1] + STEP_SLACK * range[2]; i++)
        (*out)[(*count)++] = range[0] + (double)i * range[2];
    for (size_t i = 0; i < *count; i++)
        if (!((*out)[i] > 0 && (*out)[i] < 1))
            return lashi_talk_usage(arguments->command, "--eps: %g does not lie between 0 and 1", (*out)[i]);
    return LASH_OK;
}

// ---- the table

enum { COLUMNS = 10 };
typedef struct column {
    const char *name, *unit;
} column;

static const column plain_columns[COLUMNS] = {
    {"eps", "1"},        {"sommerfeld", "1"}, {"attitude", "deg"}, {"load", "1"},          {"friction", "1"},
    {"inlet_flow", "1"}, {"side_flow", "1"},  {"min_film", "1"},   {"peak_pressure", "1"}, {"torque", "1"}};
static const column si_columns[COLUMNS] = {
    {"eps", "1"},           {"sommerfeld", "1"}, {"attitude", "deg"},
    {"load", "N"},          {"friction", "1"},   {"inlet_flow", "m^3/s"},
    {"side_flow", "m^3/s"}, {"min_film", "m"},   {"peak_pressure", "Pa"},
    {"torque", "N m"}};

static void fill_row(double row[COLUMNS], const lash_bearing_point *p, const machine *s) {
    double load = 1, friction = 1, flow = 1, film = 1, pressure = 1, torque = 1;
    if (s->given) {
        double slender = s->radius / s->clearance;
        pressure = s->viscosity * s->speed * slender * slender;
        load = pressure * s->radius * s->length;
        friction = 1 / slender;
        flow = s->speed * s->radius * s->clearance * s->length;
        film = s->clearance;
        torque = s->viscosity * s->speed * s->radius * s->radius * s->length * slender;
    }
    const double values[COLUMNS] = {p->eccentricity,     p->sommerfeld,          p->attitude * 180 / PI,
                                    load * p->load,      friction * p->friction, flow * p->inlet_flow,
                                    flow * p->side_flow, film * p->min_film,     pressure * p->peak_pressure,
                                    torque * p->torque};
    memcpy(row, values, sizeof values);
}

/* How the table is written: for people, as CSV, or as JSON. */
typedef struct form {
    bool csv, as_json;
    lashi_json json;
} form;

static void print_head(FILE *stream, const column *columns, bool csv) {
    for (size_t k = 0; k < COLUMNS; k++)
        fprintf(stream, csv ? "%s%s [%s]" : "%s%14s", csv && k ? "," : "", columns[k].name, columns[k].unit);
    fputc('\n', stream);
    for (size_t k = 0; k < COLUMNS && !csv; k++)
        fprintf(stream, "%14s", columns[k].unit);
    if (!csv)
        fputc('\n', stream);
}

static void print_row(FILE *stream, const double row[COLUMNS], bool csv) {
    for (size_t k = 0; k < COLUMNS; k++)
        if (csv)
            fprintf(stream, "%s%.17g", k ? "," : "", row[k]);
        else
            fprintf(stream, "%14.5g", row[k]);
    fputc('\n', stream);
}

static void add_row(lashi_json *json, const double row[COLUMNS]) {
    lashi_json_open(json, NULL, '{');
    for (size_t k = 0; k < COLUMNS; k++)
        lashi_json_add(json, plain_columns[k].name, row[k]);
    lashi_json_close(json, '}');
}

static void open_json(lashi_json *json, const column *columns) {
    lashi_json_open(json, NULL, '{');
    lashi_json_open(json, "units", '{');
    for (size_t k = 0; k < COLUMNS; k++)
        lashi_json_say(json, columns[k].name, columns[k].unit);
    lashi_json_close(json, '}');
    lashi_json_open(json, "rows", '[');
}

static lash_status write_table(FILE *stream, const lash_bearing_def *bearing, const machine *s,
                               const double *eps, size_t count, form how) {
    lash_status status = LASH_OK;
    how.json.stream = stream;
    lash_error error;
    double row[COLUMNS];
    for (size_t i = 0; i < count && !ferror(stream); i++) {
        lash_bearing_point point;
        if (isnan(s->load))
            status = lash_bearing_solve(&point, bearing, eps[i], &error);
        else {
            double slender = s->radius / s->clearance, P = s->load / (2 * s->radius * s->length);
            status = lash_bearing_find(&point, bearing,
                                       slender * slender * s->viscosity * s->speed / (2 * PI * P), &error);
        }
        if (status != LASH_OK) {
            lashi_talk_error(&error);
            break;
        }
        const column *columns = s->given ? si_columns : plain_columns;
        fill_row(row, &point, s);
        if (how.as_json) {
            if (i == 0)
                open_json(&how.json, columns);
            add_row(&how.json, row);
            continue;
        }
        if (i == 0)
            print_head(stream, columns, how.csv);
        print_row(stream, row, how.csv);
    }
    if (how.as_json && how.json.more) {
        lashi_json_close(&how.json, ']');
        lashi_talk_tell(&how.json);
        lashi_json_close(&how.json, '}');
        fputc('\n', stream);
    }
    return status;
}

static lash_status perform(const lashi_arguments *arguments) {
    machine sizes;
    lash_bearing_def bearing;
    double *eps = NULL;
    size_t count = 1;
    lash_status status = read_sizes(&sizes, arguments);
    if (status == LASH_OK)
        status = read_bearing(&bearing, &sizes, arguments);
    if (status == LASH_OK && lashi_option_given(arguments, "json") && lashi_option_given(arguments, "csv"))
        status = lashi_talk_usage(arguments->command, "--csv and --json exclude each other");
    if (status == LASH_OK && !isnan(sizes.load) && lashi_option_given(arguments, "eps"))
        status = lashi_talk_usage(arguments->command,
                                  "--load finds the eccentricity, --eps gives it: only one of them");
    if (status == LASH_OK && isnan(sizes.load))
        status = read_eps(&eps, &count, arguments);
    if (status == LASH_OK && lash_bearing_warning(&bearing)) {
        lash_error warning = {.status = LASH_OK, .time = NAN};
        snprintf(warning.message, sizeof warning.message, "%s", lash_bearing_warning(&bearing));
        lashi_talk_error(&warning);
    }
    if (status == LASH_OK) {
        const char *csv = lashi_option_value(arguments, "csv");
        lashi_output output;
        status = lashi_output_open(&output, csv ? csv : "-");
        if (status == LASH_OK) {
            const form how = {.csv = csv != NULL, .as_json = lashi_option_given(arguments, "json")};
            status = write_table(output.stream, &bearing, &sizes, eps, count, how);
            status = lashi_output_close(&output, status);
        }
    }
    free(eps);
    return status;
}

static const lashi_option options[] = {
    {"film", 'f', "NAME", false, "film model: reynolds (the default), short or long"},
    {"ld", 0, "RATIO", false, "length over diameter; by default from --length and --radius, or 1"},
    {"eps", 'e', "LIST", false, "eccentricity ratios: \"0.2,0.5\" or FROM:TO:STEP; by default 0.1:0.9:0.1"},
    {"inlet", 0, "WHERE", false,
     "reynolds: max-film (the default), periodic, or \"groove at ANGLE\" from the load"},
    {"full", 0, NULL, false, "the film pulls as well as it pushes: no cavitation"},
    {"radius", 'r', "R", false, "journal radius; with the next four the table is in SI units"},
    {"clearance", 'c', "C", false, "radial clearance"},
    {"length", 'l', "L", false, "length of the bearing, or --ld"},
    {"speed", 'w', "SPEED", false, "angular speed of the journal, e.g. \"3000 rpm\""},
    {"viscosity", 'm', "MU", false, "dynamic viscosity, e.g. \"40 mPa s\""},
    {"oil", 0, "GRADE", false, "\"SAE 10\" to \"SAE 60\" instead of the viscosity, with --temperature"},
    {"temperature", 't', "T", false, "of the oil, e.g. \"60 degC\""},
    {"load", 'W', "F", false, "finds the eccentricity that carries this load, e.g. \"2 kN\""},
    {"csv", 0, "FILE", false, "writes CSV with all digits; - is standard output"},
    LASHI_OPTION_JSON,
    {0}};

const lashi_command lashi_command_bearing = {
    .name = "bearing",
    .arguments = "",
    .also = "journal film",
    .brief = "Computes characteristic curves of a journal bearing under a steady load",
    .details =
        "Without sizes the numbers are dimensionless: load over mu w R L (R/c)^2, friction as (R/c) f, flows "
        "over w R c L,\n"
        "film over c, pressure over mu w (R/c)^2, torque over mu w R^3 L/c; sommerfeld is (R/c)^2 mu N/P.\n"
        "attitude is the angle from the load to the line of centres, with the rotation.\n",
    .least = 0,
    .most = 0,
    .options = options,
    .perform = perform};
