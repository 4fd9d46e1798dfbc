/* SPDX-License-Identifier: MIT
 *
 * The reference of the file format: one Markdown table per kind, written from the schema that the reader and
 * the check use. docs/model-format.md holds it between two markers; a test compares.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/schema.h"

enum { MOST_KINDS = 96 };

typedef struct printer {
    FILE *out;
    const lashi_kind *printed[MOST_KINDS];
    size_t count;
} printer;

// A table's cells must not contain a bar.
static void put_unit(FILE *out, const char *unit) {
    if (unit && (strcmp(unit, ",") == 0 || strcmp(unit, "*") == 0))
        return; // a table of pure numbers; any unit
    for (; unit && *unit; unit++) {
        if (*unit == '|')
            fputs(" or ", out);
        else if (*unit == ',')
            fputs(" → ", out);
        else
            fputc(*unit, out);
    }
}

static void put_targets(FILE *out, const lashi_key *key) {
    unsigned targets = key->targets;
    fputs(targets & LASHI_BODIES   ? "body"
          : targets & LASHI_JOINTS ? "joint"
          : targets & LASHI_DRIVES ? "drive"
                                   : "material",
          out);
    if (targets & LASHI_GROUND)
        fputs(" or `ground`", out);
}

static void put_range(FILE *out, lashi_range range) {
    switch (range) {
    case LASHI_ANY: break;
    case LASHI_POSITIVE: fputs(" > 0", out); break;
    case LASHI_NOT_NEGATIVE: fputs(" ≥ 0", out); break;
    case LASHI_FRACTION: fputs(" in (0, 1]", out); break;
    case LASHI_NOT_ZERO: fputs(", not 0", out); break;
    case LASHI_POISSON: fputs(" in (-1, 0.5)", out); break;
    case LASHI_WHOLE: fputs(", whole, ≥ 1", out); break;
    }
}

static const char *vector_text(const lashi_key *key) {
    return key->space == LASHI_PLANE_ONLY   ? "[x, y]"
           : key->space == LASHI_SPACE_ONLY ? "[x, y, z]"
                                            : "vector";
}

static void put_value(FILE *out, const lashi_key *key) {
    switch (key->type) {
    case LASHI_SHARE: fputs("length, or share of c", out); break;
    case LASHI_NUMBER: fputs("number", out); break;
    case LASHI_PAIR: fputs("[number, number]", out); break;
    case LASHI_INERTIA: fputs("[xx, yy, zz] or [xx, yy, zz, xy, xz, yz]", out); break;
    case LASHI_ORIENTATION: fputs("[orientation](#orientations-in-space)", out); break;
    case LASHI_PLACE: fputs("[x, y, z] or name of a point", out); break;
    case LASHI_FLAG: fputs("`true`, `false`", out); break;
    case LASHI_VECTOR: fputs(vector_text(key), out); break;
    case LASHI_TEXT: fputs("text", out); break;
    case LASHI_CHOICE:
        for (size_t i = 0; key->choices(i); i++)
            fprintf(out, "%s`%s`", i ? ", " : "", key->choices(i));
        break;
    case LASHI_INLET: fputs("`periodic`, `max-film`, `groove at ANGLE`", out); break;
    case LASHI_OBJECT:
        fputs("name of a ", out);
        put_targets(out, key);
        break;
    case LASHI_OBJECT_PAIR:
        fputs(key->targets == LASHI_MATERIALS ? "one or two names of a " : "two names of a ", out);
        put_targets(out, key);
        break;
    case LASHI_POINT: fputs("point", out); break;
    case LASHI_POINT_PAIR: fputs("[point, point]", out); break;
    case LASHI_EXPRESSION: fputs("[expression](#expressions)", out); break;
    case LASHI_TIME_EXPRESSION: fputs("expression of t", out); break;
    case LASHI_ANGLE_EXPRESSION: fputs("expression of angle", out); break;
    case LASHI_EXPRESSION_VECTOR: fprintf(out, "%s, [expressions](#expressions)", vector_text(key)); break;
    case LASHI_TABLE: fputs("table", out); break;
    case LASHI_POINTS: fputs("map of names and vectors", out); break;
    case LASHI_HOLD: fputs("list of words", out); break;
    case LASHI_UNTIL: fputs("time or turns", out); break;
    case LASHI_BLOCK: fprintf(out, "block [%s](#%s)", key->block->name, key->block->name); break;
    case LASHI_FILES: fputs("file, or a list of them", out); break;
    case LASHI_MAP: fputs("map of names", out); break;
    }
    put_range(out, key->range);
}

static void put_default(FILE *out, const lashi_key *key) {
    if (!key->fallback)
        fputs("**required**", out);
    else if (key->type == LASHI_VECTOR && strcmp(key->fallback, "[0, 0]") == 0)
        fputs("zero", out);
    else if (key->fallback[0] == '(')
        fprintf(out, "%.*s", (int)strlen(key->fallback) - 2, key->fallback + 1);
    else
        fprintf(out, "`%s`", key->fallback);
}

static void put_kind(printer *p, const lashi_kind *kind) {
    for (size_t i = 0; i < p->count; i++)
        if (p->printed[i] == kind)
            return;
    if (p->count < MOST_KINDS)
        p->printed[p->count++] = kind;
    fprintf(p->out, "\n### %s\n\n%s%s\n\n| key | value | unit | default | meaning |\n|---|---|---|---|---|\n",
            kind->name, kind->doc,
            kind->space == LASHI_PLANE_ONLY   ? " Planar models only."
            : kind->space == LASHI_SPACE_ONLY ? " Spatial models only."
                                              : "");
    const lashi_key *key;
    for (size_t i = 0; (key = lashi_kind_key(kind, i)) != NULL; i++) {
        if (key->space == LASHI_NOWHERE)
            continue;
        fprintf(p->out, "| `%s`%s | ", key->name,
                key->space == LASHI_PLANE_ONLY   ? " (plane)"
                : key->space == LASHI_SPACE_ONLY ? " (space)"
                                                 : "");
        put_value(p->out, key);
        fputs(" | ", p->out);
        put_unit(p->out, key->unit);
        fputs(" | ", p->out);
        put_default(p->out, key);
        fprintf(p->out, " | %s |\n", key->doc);
    }
}

// The blocks inside a kind, after the kind itself.
static void put_blocks(printer *p, const lashi_kind *kind) {
    const lashi_key *key;
    for (size_t i = 0; (key = lashi_kind_key(kind, i)) != NULL; i++)
        if (key->type == LASHI_BLOCK) {
            put_kind(p, key->block);
            put_blocks(p, key->block);
        }
}

char *lash_model_format_reference(void) {
    char *text = NULL;
    size_t size;
    printer p = {.out = open_memstream(&text, &size)};
    if (!p.out)
        return NULL;
    fputs("## Keys of the file\n", p.out);
    put_kind(&p, &lashi_top_kind);
    put_kind(&p, &lashi_instance_kind);
    put_kind(&p, &lashi_ground_kind);
    put_kind(&p, &lashi_material_kind);
    put_kind(&p, &lashi_body_kind);
    put_blocks(&p, &lashi_body_kind);
    fputs("\n## Joints\n\nEvery joint has a `type`; the other keys depend on it.\n", p.out);
    for (size_t i = 0; lashi_joint_schema(i); i++)
        put_kind(&p, lashi_joint_schema(i));
    for (size_t i = 0; lashi_joint_schema(i); i++)
        put_blocks(&p, lashi_joint_schema(i));
    fputs("\n## Drives\n", p.out);
    put_kind(&p, &lashi_drive_kind);
    put_blocks(&p, &lashi_drive_kind);
    fputs("\n## Forces\n\nEvery force has a `type`; the other keys depend on it.\n", p.out);
    for (size_t i = 0; lashi_force_schema(i); i++)
        put_kind(&p, lashi_force_schema(i));
    for (size_t i = 0; lashi_force_schema(i); i++)
        put_blocks(&p, lashi_force_schema(i));
    fputs("\n"
          "## Inputs and signals\n"
          "\n"
          "Expressions of forces and signals may use quantities of the machine: `OBJECT.quantity`, or the "
          "name of a signal or\n"
          "input. The object is everything before the last dot, including its instance: `c1.rod.wz`. A dash "
          "in it belongs to the\n"
          "object's name: `a-b.vx` is of the body `a-b`; a minus before such a name needs spaces: `a - "
          "b.vx`. Inside a component a name is\n"
          "searched in the instance first. Names of signals and inputs have no dash, so that `a-b` is a "
          "difference; nor are they\n"
          "units, functions, `t`, `e` or `pi`.\n"
          "\n"
          "| of | quantities |\n"
          "|---|---|\n"
          "| a body | plane: `x`, `y`, `angle`, `vx`, `vy`, `wz`; space: `x`, `y`, `z`, `vx`, `vy`, `vz`, "
          "`wx`, `wy`, `wz` |\n"
          "| a joint | `angle`, `wz` where it turns; `s`, `sdot` where it slides |\n"
          "| a drive | `angle` or `s`, and `rate` |\n"
          "| a spring | `length`, `rate` |\n"
          "| a joint-spring, viscous, motor | `angle` or `length`, and `rate` |\n",
          p.out);
    put_kind(&p, &lashi_input_kind);
    put_kind(&p, &lashi_signal_kind);
    fputs("\n## Run\n", p.out);
    put_kind(&p, &lashi_run_kind);
    bool broken = ferror(p.out) != 0;
    if (fclose(p.out) != 0 || broken) {
        free(text);
        return NULL;
    }
    return text;
}
