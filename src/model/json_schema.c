/* SPDX-License-Identifier: MIT
 *
 * The JSON Schema (draft 07) of model and study files, with which editors complete and check them: written
 * from the one list of keys, as the reference is. What a schema cannot say (references, dimensions,
 * contradictions) is left to the reader. Numbers may be texts with units or expressions, words may be
 * parameters.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/schema.h"

enum { MOST_KINDS = 96 };

typedef struct writer {
    FILE *out;
    lash_space space;
    const lashi_kind *written[MOST_KINDS]; /* definitions of blocks, by name */
    size_t count;
} writer;

static void put_text(FILE *out, const char *text) {
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c >= ' ')
            fputc(*c, out);
    fputc('"', out);
}

static const char *const prefixes[] = {[LASH_PLANAR] = "plane", [LASH_SPATIAL] = "space"};

/* To what does not depend on the space, and to what does. */
static void put_shared(const writer *w, const char *name) {
    fprintf(w->out, "{\"$ref\":\"#/definitions/%s\"}", name);
}

static void put_reference(const writer *w, const char *name) {
    fprintf(w->out, "{\"$ref\":\"#/definitions/%s-%s\"}", prefixes[w->space], name);
}

/* Choices, or the name of a parameter. */
static void put_choices(FILE *out, const char *(*choices)(size_t)) {
    fputs("{\"anyOf\":[{\"enum\":[", out);
    for (size_t i = 0; choices(i); i++) {
        fputs(i ? "," : "", out);
        put_text(out, choices(i));
    }
    fputs("]},{\"$ref\":\"#/definitions/parameter-use\"}]}", out);
}

static void put_hold(const writer *w) {
    FILE *out = w->out;
    fputs("{\"type\":\"array\",\"items\":{\"enum\":[", out);
    const char *separator = "";
    for (size_t i = 0; lashi_hold_at(i).name; i++) {
        if (!lashi_fits(lashi_hold_at(i).space, w->space))
            continue;
        fputs(separator, out);
        put_text(out, lashi_hold_at(i).name);
        separator = ",";
    }
    fputs("]}}", out);
}

/* Objects by name. */
static void put_map(const writer *w, const lashi_key *key) {
    FILE *out = w->out;
    static const struct {
        const char *name, *definition;
    } own[] = {{"joints", "joint"}, {"forces", "force"}, {"components", "model"}};
    const char *definition = key->block ? key->block->name : key->name;
    for (size_t i = 0; !key->block && i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i].name, key->name) == 0)
            definition = own[i].definition;
    fputs("{\"type\":[\"object\",\"null\"],\"additionalProperties\":", out);
    if (key->block && key->block->plain)
        fputs("{\"anyOf\":[{\"$ref\":\"#/definitions/number\"},", out);
    if (strcmp(key->name, "parameters") == 0 || strcmp(key->name, "with") == 0)
        put_shared(w, "parameter");
    else
        put_reference(w, definition);
    if (key->block && key->block->plain)
        fputs("]}", out);
    fputc('}', out);
}

static void put_value(const writer *w, const lashi_key *key) {
    FILE *out = w->out;
    switch (key->type) {
    case LASHI_NUMBER:
    case LASHI_SHARE:
    case LASHI_EXPRESSION:
    case LASHI_TIME_EXPRESSION:
    case LASHI_ANGLE_EXPRESSION:
    case LASHI_UNTIL: put_shared(w, "number"); break;
    case LASHI_PAIR:
        fputs("{\"type\":\"array\",\"minItems\":2,\"maxItems\":2,\"items\":", out);
        put_shared(w, "number");
        fputc('}', out);
        break;
    case LASHI_VECTOR:
    case LASHI_EXPRESSION_VECTOR: put_reference(w, "vector"); break;
    case LASHI_FLAG: put_shared(w, "flag"); break;
    case LASHI_TEXT: fputs("{\"type\":[\"string\",\"number\"]}", out); break;
    case LASHI_CHOICE: put_choices(out, key->choices); break;
    case LASHI_INLET:
    case LASHI_OBJECT:
    case LASHI_POINT: fputs("{\"type\":\"string\"}", out); break;
    case LASHI_OBJECT_PAIR: put_shared(w, key->targets == LASHI_MATERIALS ? "names" : "pair"); break;
    case LASHI_POINT_PAIR: put_shared(w, "pair"); break;
    case LASHI_TABLE: put_shared(w, "table"); break;
    case LASHI_INERTIA: put_shared(w, "inertia"); break;
    case LASHI_ORIENTATION: fputs("{\"type\":[\"array\",\"object\"]}", out); break;
    case LASHI_PLACE: fputs("{\"type\":[\"array\",\"string\"]}", out); break;
    case LASHI_POINTS:
        fputs("{\"type\":\"object\",\"additionalProperties\":", out);
        put_reference(w, "vector");
        fputc('}', out);
        break;
    case LASHI_HOLD: put_hold(w); break;
    case LASHI_BLOCK: put_reference(w, key->block->name); break;
    case LASHI_FILES: put_shared(w, "files"); break;
    case LASHI_MAP: put_map(w, key); break;
    }
}

static void put_property(const writer *w, const lashi_key *key) {
    FILE *out = w->out;
    put_text(out, key->name);
    fputs(":{\"description\":", out);
    put_text(out, key->doc ? key->doc : "");
    if (key->fallback && key->fallback[0] != '(' && key->type != LASHI_VECTOR && key->type != LASHI_HOLD) {
        fputs(",\"default\":", out);
        put_text(out, key->fallback);
    }
    fputs(",\"allOf\":[", out); // beside a reference other words would not count
    put_value(w, key);
    fputs("]}", out);
}

/* The keys of a kind as properties; `typed`: it has a type as well. */
static void put_object(const writer *w, const lashi_kind *kind, bool typed) {
    FILE *out = w->out;
    fputs("{\"type\":\"object\",\"description\":", out);
    put_text(out, kind->doc);
    fputs(",\"additionalProperties\":", out);
    if (kind == &lashi_top_kind) // other keys are instances
        fprintf(out,
                "{\"anyOf\":[{\"$ref\":\"#/definitions/"
                "%s-instance\"},{\"type\":\"array\",\"items\":{\"$ref\":\"#/"
                "definitions/%s-instance\"}}]}",
                prefixes[w->space], prefixes[w->space]);
    else
        fputs("false", out);
    fputs(",\"properties\":{\"when\":{\"$ref\":\"#/definitions/when\"}", out);
    if (typed) {
        fputs(",\"type\":{\"const\":", out);
        put_text(out, kind->name);
        fputc('}', out);
    }
    const lashi_key *key;
    for (size_t i = 0; (key = lashi_kind_key(kind, i)) != NULL; i++)
        if (lashi_fits(key->space, w->space)) {
            fputc(',', out);
            put_property(w, key);
        }
    fputs("},\"required\":[", out);
    const char *separator = "";
    for (size_t i = 0; (key = lashi_kind_key(kind, i)) != NULL; i++)
        if (!key->fallback && lashi_fits(key->space, w->space)) {
            fputs(separator, out);
            put_text(out, key->name);
            separator = ",";
        }
    fputs("]}", out);
}

static void put_definition(writer *w, const lashi_kind *kind) {
    for (size_t i = 0; i < w->count; i++)
        if (w->written[i] == kind)
            return;
    if (w->count < MOST_KINDS)
        w->written[w->count++] = kind;
    fprintf(w->out, ",\n\"%s-%s\":", prefixes[w->space], kind->name);
    put_object(w, kind, false);
}

static void put_blocks(writer *w, const lashi_kind *kind) {
    const lashi_key *key;
    for (size_t i = 0; (key = lashi_kind_key(kind, i)) != NULL; i++)
        if (key->type == LASHI_BLOCK && lashi_fits(key->space, w->space)) {
            put_definition(w, key->block);
            put_blocks(w, key->block);
        }
}

/* Objects with a type: which keys they may have follows from it. */
static void put_types(writer *w, const char *name, const lashi_kind *(*schema)(size_t)) {
    FILE *out = w->out;
    const lashi_kind *kind;
    const char *separator = "";
    fprintf(out,
            ",\n\"%s-%s\":{\"type\":\"object\",\"required\":[\"type\"],\"properties\":{\"type\":{\"enum\":[",
            prefixes[w->space], name);
    for (size_t i = 0; (kind = schema(i)) != NULL; i++)
        if (lashi_fits(kind->space, w->space)) {
            fputs(separator, out);
            put_text(out, kind->name);
            separator = ",";
        }
    fputs("]}},\"allOf\":[", out);
    separator = "";
    for (size_t i = 0; (kind = schema(i)) != NULL; i++)
        if (lashi_fits(kind->space, w->space)) {
            fprintf(out, "%s\n{\"if\":{\"properties\":{\"type\":{\"const\":", separator);
            separator = ",";
            put_text(out, kind->name);
            fputs("}},\"required\":[\"type\"]},\"then\":", out);
            put_object(w, kind, true);
            fputc('}', out);
        }
    fputs("]}", out);
    for (size_t i = 0; (kind = schema(i)) != NULL; i++)
        if (lashi_fits(kind->space, w->space))
            put_blocks(w, kind);
}

static void put_space(FILE *out, lash_space space) {
    writer w = {.out = out, .space = space};
    const int size = space == LASH_PLANAR ? 2 : 3;
    fprintf(out,
            ",\n\"%s-vector\":{\"type\":\"array\",\"minItems\":%d,\"maxItems\":%d,\"items\":{\"$ref\":\"#/"
            "definitions/number\"}}",
            prefixes[space], size, size);
    put_definition(&w, &lashi_top_kind);
    put_definition(&w, &lashi_instance_kind);
    put_definition(&w, &lashi_ground_kind);
    put_definition(&w, &lashi_material_kind);
    put_definition(&w, &lashi_body_kind);
    put_definition(&w, &lashi_drive_kind);
    put_definition(&w, &lashi_run_kind);
    put_blocks(&w, &lashi_body_kind);
    put_blocks(&w, &lashi_drive_kind);
    put_types(&w, "joint", lashi_joint_schema);
    put_types(&w, "force", lashi_force_schema);
}

/* What many keys share, and studies, whose keys src/study reads. */
static const char shared[] =
    "\"number\":{\"type\":[\"number\",\"string\"],\"description\":\"a number, with or without unit, or an "
    "expression\"},\n"
    "\"inertia\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/definitions/"
    "number\"},\"oneOf\":[{\"minItems\":3,\"maxItems\":3},{\"minItems\":6,\"maxItems\":6}]},\n"
    "\"pair\":{\"type\":\"array\",\"minItems\":2,\"maxItems\":2,\"items\":{\"type\":\"string\"}},\n"
    "\"table\":{\"anyOf\":[{\"type\":\"string\"},{\"$ref\":\"#/definitions/"
    "points\"},{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"file\":{\"type\":"
    "\"string\"},\"columns\":{},\"units\":{},\"points\":{\"$ref\":\"#/definitions/"
    "points\"},\"interpolation\":{\"enum\":[\"monotone\",\"spline\",\"linear\"]},\"beyond\":{\"enum\":["
    "\"error\",\"hold\",\"extrapolate\",\"zero\"]},\"shift\":{\"$ref\":\"#/definitions/"
    "number\"},\"scale\":{\"$ref\":\"#/definitions/number\"},\"period\":{\"$ref\":\"#/definitions/"
    "number\"}}}]},\n"
    "\"points\":{\"type\":\"array\",\"items\":{\"type\":\"array\",\"minItems\":2,\"maxItems\":2,\"items\":{"
    "\"$ref\":\"#/definitions/number\"}}},\n"
    "\"files\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\",\"items\":{\"type\":\"string\"}}]},\n"
    "\"flag\":{\"anyOf\":[{\"type\":\"boolean\"},{\"$ref\":\"#/definitions/parameter-use\"}]},\n"
    "\"names\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\",\"minItems\":1,\"maxItems\":2,\"items\":"
    "{\"type\":\"string\"}}]},\n"
    "\"parameter-use\":{\"type\":\"string\",\"pattern\":\"\\\\$\"},\n"
    "\"when\":{\"type\":\"object\",\"description\":\"used only if switches have these values\"},\n"
    "\"parameter\":{\"anyOf\":[{\"type\":[\"number\",\"string\"]},{\"type\":\"object\",\"required\":["
    "\"choose\",\"from\"],\"additionalProperties\":false,\"properties\":{\"choose\":{},\"from\":{\"type\":"
    "\"array\",\"minItems\":1}}},{\"type\":\"object\",\"required\":[\"name\"],\"additionalProperties\":false,"
    "\"properties\":{\"name\":{\"type\":\"string\"}}},{\"type\":\"object\",\"required\":[\"value\",\"range\"]"
    ",\"additionalProperties\":false,\"properties\":{\"value\":{\"$ref\":\"#/definitions/"
    "number\"},\"range\":{\"type\":\"array\",\"minItems\":2,\"maxItems\":2,\"items\":{\"$ref\":\"#/"
    "definitions/number\"}}}}]},\n"
    "\"study\":{\"type\":\"object\",\"description\":\"A study: one model at many "
    "points.\",\"required\":[\"model\"],\"additionalProperties\":false,\"properties\":{\n"
    "\"title\":{\"type\":[\"string\",\"number\"],\"description\":\"one line about the study\"},\n"
    "\"model\":{\"type\":\"string\",\"description\":\"path of the model, from the study file\"},\n"
    "\"set\":{\"type\":\"object\",\"description\":\"parameters that are the same at every point\"},\n"
    "\"axes\":{\"type\":\"object\",\"description\":\"parameters that "
    "vary\",\"additionalProperties\":{\"anyOf\":[{\"type\":\"array\"},{\"type\":\"object\","
    "\"additionalProperties\":false,\"properties\":{\"from\":{},\"to\":{},\"steps\":{},\"scale\":{\"enum\":["
    "\"linear\",\"log\"]}}}]}},\n"
    "\"zip\":{\"type\":\"array\",\"description\":\"axes that vary together\"},\n"
    "\"run\":{\"$ref\":\"#/definitions/plane-run\"},\n"
    "\"discard\":{\"type\":[\"number\",\"string\"],\"description\":\"the transient, which metrics leave "
    "out\"},\n"
    "\"metrics\":{\"type\":\"array\",\"description\":\"what is kept for a "
    "point\",\"items\":{\"type\":[\"string\",\"object\"]}},\n"
    "\"sample\":{\"type\":\"object\",\"description\":\"parameters that are drawn\"},\n"
    "\"search\":{\"type\":\"object\",\"description\":\"the largest value of a parameter that keeps a metric "
    "below a "
    "limit\",\"additionalProperties\":false,\"properties\":{\"parameter\":{},\"from\":{},\"to\":{},\"scale\":"
    "{},\"metric\":{},\"below\":{},\"scan\":{},\"tolerance\":{}}},\n"
    "\"section\":{\"type\":\"object\",\"description\":\"where the trajectory is "
    "cut\",\"additionalProperties\":false,\"properties\":{\"of\":{},\"at\":{},\"every\":{},\"channels\":{"
    "\"type\":\"array\"},\"keep\":{\"type\":\"boolean\"}}},\n"
    "\"life\":{\"type\":\"object\",\"description\":\"what ends the life, for the metrics life and "
    "life-hours\",\"additionalProperties\":false,\"properties\":{\"until\":{\"type\":\"object\"},"
    "\"tolerance\":{}}},\n"
    "\"carry\":{\"type\":\"boolean\",\"description\":\"the end of a point's run is the start of the "
    "next\"}}}";

char *lash_schema(void) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fputs("{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\n\"title\":\"Lash: a model, or a "
          "study\",\n"
          "\"if\":{\"required\":[\"model\"]},\"then\":{\"$ref\":\"#/definitions/study\"},\n"
          "\"else\":{\"if\":{\"properties\":{\"space\":{\"const\":\"spatial\"}},\"required\":[\"space\"]},"
          "\"then\":{\"$ref\":\"#/definitions/space-model\"},\"else\":{\"$ref\":\"#/definitions/"
          "plane-model\"}},\n"
          "\"definitions\":{\n",
          out);
    fputs(shared, out);
    put_space(out, LASH_PLANAR);
    put_space(out, LASH_SPATIAL);
    fputs("}}\n", out);
    const bool broken = ferror(out) != 0;
    if (fclose(out) != 0 || broken) {
        free(text);
        return NULL;
    }
    return text;
}
