/* SPDX-License-Identifier: MIT
 *
 * The keys of friction: of joints with play, and of ideal joints by what slides in them.
 */
#include <stddef.h>

#include "model/fields.h"

/* Numbers of friction laws; the friction of ideal joints begins with the same struct. */
#define DEF lash_friction_def
#define FRICTION_NUMBERS                                                                                     \
    NUMBER("v0", v0, "m/s", LASHI_NOT_NEGATIVE, "1e-4", "ambrosio: no friction below this sliding speed"),   \
        NUMBER("v1", v1, "m/s", LASHI_POSITIVE, "1e-3",                                                      \
               "ambrosio: full friction from this sliding speed on"),                                        \
        NUMBER(                                                                                              \
            "vr", vr, "m/s", LASHI_POSITIVE, "1e-3",                                                         \
            "threlfall: speed of nearly full friction; stribeck, bengisu-akay: end of the rise from rest"),  \
        NUMBER("coefficient_static", coefficient_static, "", LASHI_NOT_NEGATIVE, "(= coefficient)",          \
               "coulomb, stribeck, bengisu-akay, lugre: greatest coefficient"),                              \
        NUMBER("stribeck_speed", stribeck_speed, "m/s", LASHI_POSITIVE, "1e-2",                              \
               "stribeck, bengisu-akay, lugre: speed over which the coefficient falls to the kinetic one"),  \
        NUMBER("viscous", viscous, "s/m", LASHI_NOT_NEGATIVE, "0",                                           \
               "stribeck, lugre: growth of the coefficient with sliding speed"),                             \
        NUMBER("bristle_stiffness", bristle_stiffness, "1/m", LASHI_POSITIVE, "1e5",                         \
               "lugre: σ₀ per unit normal force"),                                                           \
        NUMBER("bristle_damping", bristle_damping, "s/m", LASHI_NOT_NEGATIVE, "316.22776601683796",          \
               "lugre: σ₁ per unit normal force; the default is √σ₀ for the default σ₀")
static const lashi_key friction_keys[] = {
    CHOICE("law", law, lashi_friction_law_name, "none", "law of friction"),
    NUMBER("coefficient", coefficient, "", LASHI_NOT_NEGATIVE, "(needed by every law but none)",
           "kinetic coefficient of friction"),
    FRICTION_NUMBERS,
    {0}};
const lashi_kind lashi_friction_kind = {"friction", "The tangential force between journal and bearing.",
                                        .keys = friction_keys};

#define RUBBING_LAW                                                                                          \
    CHOICE("law", law, lashi_friction_law_name, "coulomb", "law of friction"),                               \
        NUMBER("coefficient", coefficient, "", LASHI_NOT_NEGATIVE, "(constant friction alone)",              \
               "kinetic coefficient of friction; the load is the reaction of the same instant")
#define RUBBING(key, member, key_unit, key_range, key_fallback, key_doc)                                     \
    {                                                                                                        \
        .name = key, .type = LASHI_NUMBER, .offset = offsetof(lash_rubbing_def, member), .unit = key_unit,   \
        .range = key_range, .fallback = key_fallback, .doc = key_doc                                         \
    }
#define RUBBING_RADIUS(doc) RUBBING("radius", radius, "m", LASHI_POSITIVE, LASHI_NEEDED_BY_LOAD, doc)
#define RUBBING_LENGTH(doc) RUBBING("length", length, "m", LASHI_POSITIVE, LASHI_NEEDED_BY_LOAD, doc)
#define RUBBING_TORQUE                                                                                       \
    RUBBING("torque", torque, "N m", LASHI_NOT_NEGATIVE, "(none)",                                           \
            "constant friction torque in addition to that of the load: seals, preload")
#define RUBBING_FORCE                                                                                        \
    RUBBING("force", force, "N", LASHI_NOT_NEGATIVE, "(none)",                                               \
            "constant friction force in addition to that of the load: seals, preload")
#define RUBBING_IN_SPACE(key, member, key_fallback, key_doc)                                                 \
    {                                                                                                        \
        .name = key, .type = LASHI_NUMBER, .offset = offsetof(lash_rubbing_def, member), .unit = "m",        \
        .range = LASHI_POSITIVE, .fallback = key_fallback, .space = LASHI_SPACE_ONLY, .doc = key_doc         \
    }
#define RUBBING_KIND(id, name, text, ...)                                                                    \
    static const lashi_key id##_keys[] = {__VA_ARGS__, FRICTION_NUMBERS, {0}};                               \
    const lashi_kind lashi_##id = {name, text, .keys = id##_keys};

RUBBING_KIND(pin_rubbing, "friction-of-a-pin", "Friction of an ideal pin.", RUBBING_LAW,
             RUBBING_RADIUS("of the pin"),
             RUBBING_IN_SPACE("length", length, "(moments across the pin left out)",
                              "of the bearing: its ends carry moments across it"),
             RUBBING_TORQUE)
RUBBING_KIND(ball_rubbing, "friction-of-a-ball", "Friction of an ideal ball joint.", RUBBING_LAW,
             RUBBING_RADIUS("of the ball"), RUBBING_TORQUE)
RUBBING_KIND(
    guide_rubbing, "friction-of-a-guide", "Friction of an ideal guide.", RUBBING_LAW,
    RUBBING_LENGTH("of the block along its guide, the second point in its middle: its ends carry the couple"),
    RUBBING_IN_SPACE("width", width, "(the moment about the guide left out)",
                     "between the sides of the block that keep it from turning about the guide"),
    RUBBING_FORCE)
RUBBING_KIND(sleeve_rubbing, "friction-of-a-sleeve",
             "Friction of an ideal shaft that turns and slides in its sleeve.", RUBBING_LAW,
             RUBBING("radius", radius, "m", LASHI_POSITIVE, NULL, "of the shaft"),
             RUBBING_LENGTH("of the sleeve, the second point in its middle: its ends carry the couple"),
             RUBBING_FORCE)
RUBBING_KIND(cross_rubbing, "friction-of-a-cross", "Friction of both pins of an ideal universal joint.",
             RUBBING_LAW, RUBBING_RADIUS("of the pins of the cross"),
             RUBBING_LENGTH("from one end of a pin of the cross to the other"), RUBBING_TORQUE)
RUBBING_KIND(
    mesh_rubbing, "friction-of-a-mesh", "Loss of an ideal mesh.",
    CHOICE("law", law, lashi_friction_law_name, "coulomb", "law of friction, at the pitch line's speed"),
    RUBBING("loss", loss, "", LASHI_FRACTION, NULL,
            "share of the power into the mesh that is lost there, below 1; what comes out is 1 − loss of it"))
#undef DEF
