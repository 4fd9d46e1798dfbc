/* SPDX-License-Identifier: MIT
 *
 * lash_document: a YAML file as a read-only tree with places, for files that are no models (studies). The
 * parser, the units, the expressions and the messages are those of models.
 *
 * Mistakes are collected; lash_document_report hands them out in the order of their places and says whether
 * there were any. The getters return false after noting what is wrong; `path` names the value in messages.
 */
#ifndef LASH_DOCUMENT_H
#define LASH_DOCUMENT_H

#include "lash/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lash_document lash_document;
typedef struct lash_node lash_node; /* belongs to its document */

typedef enum lash_node_type { LASH_NODE_SCALAR, LASH_NODE_LIST, LASH_NODE_MAP } lash_node_type;

enum { LASH_NODE_UNIT = 64 };

/* Fails when the file cannot be read. What is wrong inside is noted; the root is NULL when it is no YAML. */
lash_status lash_document_load(lash_document **out, const char *path, lash_error *error);
/* The same from text that `name` stands for in messages, and for the folder of files that it names. */
lash_status lash_document_parse(lash_document **out, const char *text, size_t length, const char *name,
                                lash_error *error);
void lash_document_destroy(lash_document *document);
const char *lash_document_text(const lash_document *document);
const lash_node *lash_document_root(const lash_document *document);

lash_node_type lash_node_kind(const lash_node *node);
size_t lash_node_count(const lash_node *node);                        /* items or pairs; 0 of a scalar */
const lash_node *lash_node_item(const lash_node *node, size_t index); /* of a list; a map: the value */
const lash_node *lash_node_key(const lash_node *map, size_t index);
const lash_node *lash_node_find(const lash_node *map, const char *key); /* NULL: not there, or no map */
const char *lash_node_text(const lash_node *node);                      /* of a scalar, "" otherwise */

/* A number of the dimension of `unit` ("m", "" a pure number), in SI. */
bool lash_node_number(double *out, lash_document *document, const lash_node *node, const char *path,
                      const char *unit);
/* A number of any dimension, in SI, and the SI unit in words that a model reads ("" for pure numbers and
 * those without unit). */
bool lash_node_quantity(double *out, char unit[LASH_NODE_UNIT], lash_document *document,
                        const lash_node *node, const char *path);
/* The same without notes: is it a number at all? */
bool lash_node_is_quantity(double *out, char unit[LASH_NODE_UNIT], const lash_document *document,
                           const lash_node *node);
bool lash_node_word(const char **out, lash_document *document, const lash_node *node, const char *path,
                    const char *what);
/* A whole number between two others, both included. */
bool lash_node_whole(size_t *out, lash_document *document, const lash_node *node, const char *path,
                     size_t least, size_t most);
/* Is it a map or a list? Notes what was expected. */
bool lash_node_is(lash_document *document, const lash_node *node, lash_node_type type, const char *path,
                  const char *expected);
/* Notes keys of a map that are not in the list, which NULL ends. */
bool lash_node_known_keys(lash_document *document, const lash_node *map, const char *path,
                          const char *const *allowed);

/* The name of the list that is most like the word; NULL: none is near. NULL ends the list. */
const char *lash_document_nearest(const char *word, const char *const *names);

/* A mistake that the caller has found; node NULL: of the file as a whole. */
void lash_document_mistake(lash_document *document, const lash_node *node, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;
/* One that is complete already (about the model that a study names). */
void lash_document_add(lash_document *document, const lash_error *mistake);
size_t lash_document_mistakes(const lash_document *document);
/* Reports all; LASH_ERROR_MODEL with the first in *error if there is any that is no warning. */
lash_status lash_document_report(lash_document *document, const lash_load_options *options,
                                 lash_error *error);

#ifdef __cplusplus
}
#endif
#endif
