/* SPDX-License-Identifier: MIT
 *
 * modelDescription.xml as FMI 2.0.4 (section 2.2) and FMI 3.0 (section 2.4) ask for: variables with their
 * units, start values and texts, what the FMU can do, and which variables are outputs.
 */
#include "cli/fmu_description.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BASES = 8, MOST_UNITS = 256, NAME = 64 };
static const char *const bases[BASES] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

/* Units with names of their own, in bases. */
static const struct {
    const char *name;
    signed char exponent[BASES];
} derived[] = {
    {"N", {1, 1, -2}}, {"J", {1, 2, -2}}, {"W", {1, 2, -3}}, {"Pa", {1, -1, -2}}, {"Hz", {0, 0, -1}},
};

static void text(FILE *stream, const char *words) {
    for (const unsigned char *c = (const unsigned char *)words; *c; c++)
        switch (*c) {
        case '&': fputs("&amp;", stream); break;
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '"': fputs("&quot;", stream); break;
        default:
            if (*c < ' ')
                fputc(' ', stream);
            else
                fputc(*c, stream);
        }
}

static void attribute(FILE *stream, const char *name, const char *value) {
    fprintf(stream, " %s=\"", name);
    text(stream, value);
    fputc('"', stream);
}

static void number(FILE *stream, const char *name, double value) {
    fprintf(stream, " %s=\"%.17g\"", name, value);
}

// ---- units

/* "kg m^2/s" → exponents; false: a name that is not known here. */
static bool exponents_of(int out[BASES], const char *unit) {
    int sign = 1;
    memset(out, 0, BASES * sizeof *out);
    for (const char *c = unit; *c;) {
        if (*c == '/')
            sign = -1;
        if (*c == '/' || *c == ' ' || *c == '1') {
            c++;
            continue;
        }
        const size_t length = strcspn(c, " /^");
        const char *name = c;
        c += length;
        int power = 1;
        if (*c == '^') {
            char *end;
            power = (int)strtol(c + 1, &end, 10);
            c = end;
        }
        bool known = false;
        for (int k = 0; k < BASES; k++)
            if (strlen(bases[k]) == length && strncmp(bases[k], name, length) == 0) {
                out[k] += sign * power;
                known = true;
            }
        for (size_t d = 0; !known && d < sizeof derived / sizeof *derived; d++)
            if (strlen(derived[d].name) == length && strncmp(derived[d].name, name, length) == 0) {
                for (int k = 0; k < BASES; k++)
                    out[k] += sign * power * derived[d].exponent[k];
                known = true;
            }
        if (!known)
            return false;
    }
    return true;
}

typedef struct units {
    char names[MOST_UNITS][NAME];
    size_t count;
} units;

static void collect(units *all, const char *unit) {
    if (!unit[0] || strlen(unit) >= NAME || all->count == MOST_UNITS)
        return;
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->names[i], unit) == 0)
            return;
    strcpy(all->names[all->count++], unit);
}

static void write_units(FILE *stream, const lashi_job *job, const size_t *outputs, size_t count) {
    units *all = calloc(1, sizeof *all);
    lash_parameter parameter;
    if (!all)
        return;
    collect(all, "s");
    for (size_t i = 0; lash_model_parameter(&parameter, job->model, i); i++)
        collect(all, parameter.unit);
    for (size_t i = 0; i < lash_sim_input_count(job->sim); i++)
        collect(all, lash_sim_input_unit(job->sim, i));
    for (size_t i = 0; i < count; i++)
        collect(all, lash_sim_channel_unit(job->sim, outputs[i]));
    fprintf(stream, "  <UnitDefinitions>\n");
    for (size_t i = 0; i < all->count; i++) {
        int exponent[BASES];
        fprintf(stream, "    <Unit");
        attribute(stream, "name", all->names[i]);
        if (exponents_of(exponent, all->names[i])) {
            fprintf(stream, "><BaseUnit");
            for (int k = 0; k < BASES; k++)
                if (exponent[k])
                    fprintf(stream, " %s=\"%d\"", bases[k], exponent[k]);
            fprintf(stream, "/></Unit>\n");
        } else {
            fprintf(stream, "/>\n");
        }
    }
    fprintf(stream, "  </UnitDefinitions>\n");
    free(all);
}

// ---- variables

typedef struct variable {
    const char *name, *doc, *causality, *variability, *initial, *unit;
    const char *words; /* a text's value; NULL: a number */
    double start;      /* NaN: none */
    unsigned reference;
} variable;

static void write_head(FILE *stream, const variable *v) {
    attribute(stream, "name", v->name);
    fprintf(stream, " valueReference=\"%u\"", v->reference);
    if (v->doc && v->doc[0])
        attribute(stream, "description", v->doc);
    attribute(stream, "causality", v->causality);
    attribute(stream, "variability", v->variability);
    if (v->initial)
        attribute(stream, "initial", v->initial);
}

static void write_variable(FILE *stream, int fmi, const variable *v) {
    if (fmi == 2) {
        fprintf(stream, "    <ScalarVariable");
        write_head(stream, v);
        fprintf(stream, "><%s", v->words ? "String" : "Real");
        if (v->words)
            attribute(stream, "start", v->words);
        if (v->unit && v->unit[0])
            attribute(stream, "unit", v->unit);
        if (isfinite(v->start))
            number(stream, "start", v->start);
        fprintf(stream, "/></ScalarVariable>\n");
        return;
    }
    fprintf(stream, "    <%s", v->words ? "String" : "Float64");
    write_head(stream, v);
    if (v->unit && v->unit[0])
        attribute(stream, "unit", v->unit);
    if (isfinite(v->start))
        number(stream, "start", v->start);
    if (v->words) {
        fprintf(stream, "><Start");
        attribute(stream, "value", v->words);
        fprintf(stream, "/></String>\n");
    } else {
        fprintf(stream, "/>\n");
    }
}

/* Returns how many there are before the outputs. */
static size_t write_variables(FILE *stream, const lashi_job *job, int fmi, const size_t *outputs,
                              size_t count) {
    size_t written = 1;
    lash_parameter parameter;
    const variable time = {.name = "time",
                           .doc = "of the importer and of the model",
                           .causality = "independent",
                           .variability = "continuous",
                           .unit = "s",
                           .start = (double)NAN};
    fprintf(stream, "  <ModelVariables>\n");
    write_variable(stream, fmi, &time);
    for (unsigned i = 0; lash_model_parameter(&parameter, job->model, i); i++, written++) {
        const variable v = {.name = parameter.name,
                            .doc = parameter.doc,
                            .causality = "parameter",
                            .variability = "fixed",
                            .initial = "exact",
                            .unit = parameter.unit,
                            .words = parameter.choices ? parameter.text : NULL,
                            .start = parameter.choices ? (double)NAN : parameter.value,
                            .reference = LASHI_REFERENCE_PARAMETERS + i};
        write_variable(stream, fmi, &v);
    }
    for (unsigned i = 0; i < lash_sim_input_count(job->sim); i++, written++) {
        const variable v = {
            .name = lash_sim_input_name(job->sim, i),
            .doc = strchr(lash_sim_input_name(job->sim, i), '.') ? "added to what the model says" : "",
            .causality = "input",
            .variability = "continuous",
            .unit = lash_sim_input_unit(job->sim, i),
            .start = isfinite(lash_sim_input(job->sim, i)) ? lash_sim_input(job->sim, i) : 0,
            .reference = LASHI_REFERENCE_INPUTS + i};
        write_variable(stream, fmi, &v);
    }
    for (unsigned i = 0; i < count; i++) {
        const variable v = {.name = lash_sim_channel_name(job->sim, outputs[i]),
                            .causality = "output",
                            .variability = "continuous",
                            .initial = "calculated",
                            .unit = lash_sim_channel_unit(job->sim, outputs[i]),
                            .start = (double)NAN,
                            .reference = LASHI_REFERENCE_OUTPUTS + i};
        write_variable(stream, fmi, &v);
    }
    fprintf(stream, "  </ModelVariables>\n");
    return written;
}

static void write_structure(FILE *stream, int fmi, size_t before, size_t count) {
    fprintf(stream, "  <ModelStructure>\n");
    for (int part = 0; part < 2 && fmi == 2 && count > 0; part++) {
        fprintf(stream, "    <%s>\n", part ? "InitialUnknowns" : "Outputs");
        for (size_t i = 0; i < count; i++)
            fprintf(stream, "      <Unknown index=\"%zu\"/>\n", before + i + 1);
        fprintf(stream, "    </%s>\n", part ? "InitialUnknowns" : "Outputs");
    }
    for (int part = 0; part < 2 && fmi == 3; part++)
        for (size_t i = 0; i < count; i++)
            fprintf(stream, "    <%s valueReference=\"%zu\"/>\n", part ? "InitialUnknown" : "Output",
                    LASHI_REFERENCE_OUTPUTS + i);
    fprintf(stream, "  </ModelStructure>\n");
}

void lashi_fmu_describe(FILE *stream, const lashi_job *job, int fmi, const char *name, const char *token,
                        const size_t *outputs, size_t count) {
    const double end = lash_system_end(job->system);
    fprintf(stream, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%d.0\"",
            fmi);
    attribute(stream, "modelName", name);
    attribute(stream, fmi == 2 ? "guid" : "instantiationToken", token);
    attribute(stream, "description", lash_model_title(job->model));
    fprintf(stream, " generationTool=\"Lash %s\" variableNamingConvention=\"flat\">\n", lash_version());
    if (fmi == 2)
        fprintf(stream, "  <CoSimulation modelIdentifier=\"" LASHI_FMU_NAME
                        "\" canHandleVariableCommunicationStepSize=\"true\" "
                        "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\"/>\n");
    else
        fprintf(stream, "  <CoSimulation modelIdentifier=\"" LASHI_FMU_NAME
                        "\" canHandleVariableCommunicationStepSize=\"true\" canGetAndSetFMUState=\"true\" "
                        "canSerializeFMUState=\"true\" hasEventMode=\"true\"/>\n");
    write_units(stream, job, outputs, count);
    fprintf(stream,
            "  <LogCategories>\n    <Category name=\"logStatusError\"/>\n    <Category name=\"logAll\"/>\n"
            "  </LogCategories>\n  <DefaultExperiment");
    number(stream, "startTime", lash_model_run(job->model)->begin);
    if (isfinite(end))
        number(stream, "stopTime", end);
    fprintf(stream, "/>\n");
    write_structure(stream, fmi, write_variables(stream, job, fmi, outputs, count), count);
    fprintf(stream, "</fmiModelDescription>\n");
}
