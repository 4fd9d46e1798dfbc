/* SPDX-License-Identifier: MIT
 *
 * The keys of `shape:`, how a body is drawn. The motion does not depend on them.
 */
#include "model/schema.h"

// A key of one of the blocks; its offset counts from the block's own struct.
#define PART(key, value_type, part, member, key_unit, key_range, key_fallback, key_doc)                      \
    {                                                                                                        \
        .name = key, .type = value_type,                                                                     \
        .offset = offsetof(lash_shape_def, part.member) - offsetof(lash_shape_def, part), .unit = key_unit,  \
        .range = key_range, .fallback = key_fallback, .doc = key_doc                                         \
    }
#define MIDDLE(part)                                                                                         \
    PART("at", LASHI_VECTOR, part, at, "m", LASHI_ANY, "[0, 0]", "its middle, from the centre of mass")

static const lashi_key cylinder_keys[] = {
    PART("radius", LASHI_NUMBER, cylinder, radius, "m", LASHI_POSITIVE, NULL, "radius"),
    PART("length", LASHI_NUMBER, cylinder, length, "m", LASHI_POSITIVE, "(chosen to suit the drawing)",
         "length"),
    PART("axis", LASHI_VECTOR, cylinder, axis, "", LASHI_NOT_ZERO, "(z)",
         "its direction in the body's axes; any length"),
    MIDDLE(cylinder),
    {0}};
static const lashi_kind cylinder_kind = {"cylinder", "A disc, a shaft, a wheel.", .keys = cylinder_keys};

static const lashi_key box_keys[] = {PART("size", LASHI_VECTOR, box, size, "m", LASHI_NOT_ZERO, NULL,
                                          "its edges along the body's axes; 0: chosen to suit the drawing"),
                                     MIDDLE(box),
                                     {0}};
static const lashi_kind box_kind = {"box", "A block.", .keys = box_keys};

static const lashi_key sphere_keys[] = {
    PART("radius", LASHI_NUMBER, sphere, radius, "m", LASHI_POSITIVE, NULL, "radius"), MIDDLE(sphere), {0}};
static const lashi_kind sphere_kind = {"sphere", "A ball.", .keys = sphere_keys};

static const lashi_key link_keys[] = {
    PART("width", LASHI_NUMBER, link, width, "m", LASHI_POSITIVE, NULL, "width of the bars"), {0}};
static const lashi_kind link_kind = {"link", "Bars between the body's points.", .keys = link_keys};

#define BLOCK(key, part, flag, kind, key_doc)                                                                \
    {                                                                                                        \
        .name = key, .type = LASHI_BLOCK, .offset = offsetof(lash_shape_def, part), .unit = "",              \
        .fallback = "(none)", .doc = key_doc, .block = kind, .present = offsetof(lash_shape_def, flag)       \
    }
static const lashi_key shape_keys[] = {
    BLOCK("cylinder", cylinder, has_cylinder, &cylinder_kind, "a disc, a shaft, a wheel"),
    BLOCK("box", box, has_box, &box_kind, "a block"),
    BLOCK("sphere", sphere, has_sphere, &sphere_kind, "a ball"),
    BLOCK("link", link, has_link, &link_kind, "bars between the body's points"),
    {.name = "layer",
     .type = LASHI_NUMBER,
     .offset = offsetof(lash_shape_def, layer),
     .unit = "",
     .fallback = "0",
     .doc = "depth in the drawing: larger numbers are in front, and what is behind them shows through",
     .space = LASHI_PLANE_ONLY,
     .instead = "in space what is nearer is in front"},
    {0}};
const lashi_kind lashi_shape_kind = {
    "shape", "How a body is drawn; the motion does not depend on it. Any number of its keys may be given.",
    .keys = shape_keys};
