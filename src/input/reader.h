/* SPDX-License-Identifier: MIT
 *
 * Shared by the files of the reader: tree → model.
 *
 *   yaml.c        text → tree
 *   parameters.c  parameters, settings, switches, `when`
 *   value.c       one scalar → number, word, expression, with units and dimensions
 *   take_table.c  tables: files, lists of pairs
 *   signals.c     inputs, signals, and what expressions read
 *   spatial.c     orientations, inertia tensors
 *   object.c      a map → a definition struct, by the schema
 *   part.c        components, included files, instances
 *   placing.c     what an instance has read → moved to its place
 *   reader.c      the sections of the file; loading
 */
#ifndef LASHI_READER_H
#define LASHI_READER_H

#include "input/part.h"
#include "input/yaml.h"
#include "math/expression.h"
#include "model/model.h"

typedef enum lashi_parameter_state {
    LASHI_PARAMETER_NEW,
    LASHI_PARAMETER_OPEN, /* being worked out: to meet it again is a cycle */
    LASHI_PARAMETER_DONE,
    LASHI_PARAMETER_BAD /* its mistake was reported; nothing is said where it is used */
} lashi_parameter_state;

typedef struct lashi_parameter {
    const char *name;
    const lashi_yaml *key, *node; /* as written in the file */
    const lash_setting *setting;  /* from the command line, NULL: as in the file */
    bool is_switch;
    bool is_name;              /* of a body, point, joint, … */
    const lashi_yaml *choices; /* a switch: list of scalars */
    const char *word;          /* a switch or name: its value */
    const lashi_yaml *given;   /* an instance's `with` says it: worked out there; NULL: it does not */
    double value;              /* a number: SI */
    const lashi_yaml *range;   /* a number: list of two scalars, NULL: none */
    double low, high;          /* … worked out; NaN: none */
    lashi_dimension dimension;
    lashi_parameter_state state;
    bool used;
} lashi_parameter;

/* A signal of the file before it is read: what others need to know of it. */
typedef struct lashi_signal_reading {
    const char *name; /* with that of its instance */
    const lashi_yaml *node;
    lashi_parameter_state state;
    lashi_dimension dimension;
} lashi_signal_reading;

/* The reader of one part: of the file itself, or of an instance. */
typedef struct lashi_reader {
    lash_model *model;
    lashi_diagnostics *diagnostics;
    lashi_arena *arena;  /* of the tree; lives as long as the reading */
    const char *folder;  /* of the file, with a slash at its end, or "" */
    bool without_tables; /* files of tables are not read */
    lashi_parameter *parameters;
    size_t parameter_count;
    lashi_names names;     /* of the parameters */
    lashi_symbol *symbols; /* the numbers among them that are worked out */
    size_t symbol_count;
    const char *subject;     /* what messages begin with while an object is read: "body 'crank': "; else "" */
    const lashi_yaml *root;  /* the sections */
    const char *prefix;      /* of the names of all objects: "", or "c1." */
    const char *own_name;    /* an instance: c1 … */
    const lashi_yaml *named; /* … and where it is called so */
    struct lashi_reader *outer;   /* an instance: who uses it; NULL: the file itself */
    struct lashi_reader *next;    /* the next part; NULL: the last one */
    const lashi_library *library; /* components that it may use */
    lashi_parts *parts;           /* all of them; NULL: a document that is no model */
    lashi_placing placing;
    lashi_signal_reading *signals;
    size_t signal_count;
    const char *input_unit; /* of the input being read, whose tables are straight lines, held beyond their
                             * ends, if nothing is said; NULL: none is */
    size_t depth;           /* of instances in one another */
    /* The object being read, for units that depend on the joint: 'r' turns, 't' slides, 0: not known. */
    char coordinate;      /* of the joint (or body) that it acts on */
    bool has_over;        /* it has a table that is read with another joint's coordinate … */
    char over_coordinate; /* … and this is that joint's */
} lashi_reader;

/* A setting of the run block ("run.until") gives the key, one of a parameter NULL. */
const char *lashi_run_setting(const lash_setting *setting);

/* ---- parameters.c ---- */
/* Of an instance: `outer` and `with` (may be NULL) give values instead of settings. */
void lashi_take_parameters(lashi_reader *reader, const lashi_yaml *section, const lash_load_options *options,
                           lashi_reader *outer, const lashi_yaml *with);
/* The model's list of them, when all has been read without a mistake. False: out of memory. */
bool lashi_keep_parameters(const lashi_reader *reader);
lashi_parameter *lashi_find_parameter(const lashi_reader *reader, const char *name);
/* Marks every $name in the text as used. False: one of them is bad, and nothing more is to be said. */
bool lashi_use_parameters(const lashi_reader *reader, const char *text);
/* The first switch that the text uses as a number; NULL: none. */
const lashi_parameter *lashi_used_switch(const lashi_reader *reader, const char *text);
/* The first parameter of the text that was set from outside; NULL: none. */
const lashi_parameter *lashi_used_setting(const lashi_reader *reader, const char *text);
/* Whether the `when` of a map keeps it; a map without `when` is kept. *fine: no mistake in it. */
bool lashi_when(bool *fine, lashi_reader *reader, const lashi_yaml *map);
void lashi_warn_unused(lashi_reader *reader);

/* ---- signals.c ---- */
/* Inputs; a setting inputs.NAME gives the file of one. */
void lashi_take_inputs(lashi_reader *first, const lash_load_options *options);
const char *lashi_input_setting(const lash_setting *setting); /* the NAME; NULL: it is another */
void lashi_declare_signals(lashi_reader *reader);
void lashi_take_signals(lashi_reader *first);
/* lashi_scope.quantity; the context is the reader. */
lashi_naming lashi_read_quantity(lashi_dimension *dimension, void *reader, const char *name, char *why,
                                 size_t why_size);

/* ---- reader.c ---- */
typedef void (*lashi_object_reader)(lashi_reader *reader, const lashi_yaml *name, const lashi_yaml *map);
/* Reads every object of a section, of all parts. */
void lashi_read_objects(lashi_reader *first, const char *section, const char *word, lashi_object_reader read);
/* Reads the keys, or marks the whole object as bad. Returns where its places begin. */
size_t lashi_read_definition(void *definition, lashi_reader *reader, const lashi_yaml *name,
                             const lashi_yaml *node, const lashi_kind *kind, const char *extra);
/* After adding: the places belong to the object of that name, or the name is noted as one that failed. */
void lashi_finish_object(lashi_reader *reader, const lashi_yaml *name, size_t first, lash_status status,
                         const char *kept, const lash_error *error);

/* ---- value.c: each returns false after reporting; `path` names the value in messages ---- */
bool lashi_take_number(double *out, lashi_reader *reader, const lashi_yaml *node, const char *path,
                       const char *unit);
// A length -> out[0], a plain number (a share) -> out[1]; the other is unset.
bool lashi_take_number_pair(double out[2], lashi_reader *reader, const lashi_yaml *node, const char *path,
                            const char *unit);
bool lashi_take_share(double out[2], lashi_reader *reader, const lashi_yaml *node, const char *path);
bool lashi_take_expression(lash_expression **out, lashi_reader *reader, const lashi_yaml *node,
                           const char *path, const char *unit);
bool lashi_take_time_expression(lash_expression **out, lashi_reader *reader, const lashi_yaml *node,
                                const char *path, const char *unit);
bool lashi_take_vector(double out[3], lashi_reader *reader, const lashi_yaml *node, const char *path,
                       const char *unit);
bool lashi_take_angle_expression(lash_expression **out, lashi_reader *reader, const lashi_yaml *node,
                                 const char *path, const char *unit);
bool lashi_take_expression_vector(lash_expression *out[3], lashi_reader *reader, const lashi_yaml *node,
                                  const char *path, const char *unit);
/* A word or text, $name replaced; it lives as long as the tree. */
bool lashi_take_word(const char **out, lashi_reader *reader, const lashi_yaml *node, const char *path,
                     const char *what);
/* The name of an object or point, with that of the instance before it. */
bool lashi_take_name(const char **out, lashi_reader *reader, const lashi_yaml *node, const char *path,
                     const char *what, bool point);
/* What a text stands for as the name of an object or a point of this part. */
const char *lashi_full_name(const lashi_reader *reader, const char *name, bool point);
bool lashi_take_pair(const char *out[2], lashi_reader *reader, const lashi_yaml *node, const char *path,
                     const char *what, bool one_is_enough);
bool lashi_take_flag(bool *out, lashi_reader *reader, const lashi_yaml *node, const char *path);
bool lashi_take_hold(unsigned *out, lashi_reader *reader, const lashi_yaml *node, const char *path);
bool lashi_take_inlet(lash_lubricant_def *out, lashi_reader *reader, const lashi_yaml *node,
                      const char *path);
bool lashi_take_until(lashi_moment *out, lashi_reader *reader, const lashi_yaml *node, const char *path);
/* Compiles a text with the parameters in scope; the error's column counts inside the text. */
lash_status lashi_compile_text(lash_expression **out, const lashi_reader *reader, const char *text,
                               lashi_variable of, lash_error *error);
/* A mistake at a node: subject, path, then the message. `column` counts inside its text, 0: the node itself.
 */
void lashi_say(lashi_reader *reader, const lashi_yaml *node, int column, const char *path, const char *format,
               ...) __attribute__((format(printf, 5, 6)));
/* "expects a number, found a list"; always false */
bool lashi_wrong_node(lashi_reader *reader, const lashi_yaml *node, const char *path, const char *expected);
/* "a length [m]", "an angle [rad]"; angles are pure numbers and are named by the unit that the key states
 * (may be NULL). */
const char *lashi_name_dimension(char *buffer, size_t size, lashi_dimension dimension, const char *unit);
/* The dimensions that a unit such as "rad|m" allows for the object being read, how many, and where each unit
 * begins. */
size_t lashi_allowed_dimensions(lashi_dimension out[2], const char *units[2], const lashi_reader *reader,
                                const char *unit);

/* ---- spatial.c ---- */
bool lashi_take_orientation(double out[4], lashi_reader *reader, const lashi_yaml *node, const char *path);
bool lashi_take_inertia(double out[6], lashi_reader *reader, const lashi_yaml *node, const char *path,
                        const char *unit);
/* A vector; the name of a point is left to the other, which is called when the body is in the model. */
bool lashi_take_place(double out[3], lashi_reader *reader, const lashi_yaml *node, const char *path,
                      const char *unit);
bool lashi_take_point_place(double out[3], lashi_reader *reader, const lashi_yaml *node, const char *path,
                            size_t body);

/* ---- take_table.c ---- */
bool lashi_take_table(lash_table **out, lashi_reader *reader, const lashi_yaml *node, const char *path,
                      const char *unit);
/* Whether a table is no longer than its period; false after reporting. */
bool lashi_period_fits(lashi_reader *reader, const lashi_yaml *node, const char *path,
                       const lash_table *table, double period, const char *unit_of_x);

/* ---- object.c ---- */
/* Fills the definition from a map by the keys of a kind; `extra` is a key that the caller deals with (or
 * NULL). Notes places under a NULL name: the caller puts the object's name in. False: something was wrong and
 * reported. */
bool lashi_take_keys(void *definition, lashi_reader *reader, const lashi_yaml *map, const lashi_kind *kind,
                     const char *prefix, const char *extra);
/* The key of a kind that is meant by the word of another program; NULL: none. */
const char *lashi_key_synonym(const char *word, const lashi_kind *kind, lash_space space);
/* Points of body `body` ("ground" among them), which must be in the model. */
bool lashi_take_points(lashi_reader *reader, const lashi_yaml *map, const char *body);

#endif
