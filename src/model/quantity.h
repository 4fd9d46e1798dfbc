/* SPDX-License-Identifier: MIT
 *
 * Quantities that expressions read, by name: what a name stands for, and its unit. The one place that says
 * which there are.
 *
 * Expressions can read what follows from positions and velocities alone: of bodies, of the coordinates of
 * joints and drives, of the lengths of force elements; signals and inputs. Accelerations, reactions and
 * contact forces are results of the same instant, and would make the equations implicit.
 */
#ifndef LASHI_QUANTITY_H
#define LASHI_QUANTITY_H

#include "math/expression.h"
#include "model/model.h"

typedef enum lashi_quantity_kind {
    LASHI_QUANTITY_BODY,       /* component: 0, 1, 2 place (in the plane 2 is the angle); 3, 4, 5 their rates;
                                * 6, 7, 8 angular velocity */
    LASHI_QUANTITY_COORDINATE, /* of a joint: component 0 value, 1 rate */
    LASHI_QUANTITY_DRIVE,
    LASHI_QUANTITY_FORCE, /* of a force element: its length or angle */
    LASHI_QUANTITY_SIGNAL,
    LASHI_QUANTITY_INPUT
} lashi_quantity_kind;

typedef struct lashi_quantity {
    lashi_quantity_kind kind;
    size_t index; /* in the model */
    int component;
    bool travel;      /* of a coordinate: its travel, not its angle */
    const char *unit; /* SI; NULL: not known */
} lashi_quantity;

/* What a name stands for; else why it cannot be read. */
lashi_naming lashi_model_quantity(lashi_quantity *out, const lash_model *model, const char *name, char *why,
                                  size_t why_size);
/* The same for SUFFIX of a force of that type, whose joint has that coordinate ('r', 't', 0). */
lashi_naming lashi_force_quantity(lashi_quantity *out, const char *type, char coordinate, const char *suffix);

#endif
