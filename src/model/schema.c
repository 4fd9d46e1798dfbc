/* SPDX-License-Identifier: MIT
 *
 * The kinds that are not joints, forces or play: the file itself, body, material, contact and friction,
 * drive, run, ground; and the defaults made from them.
 *
 * A fallback is what the key would hold if the file had it written: a plain SI number, [a, b], a word. One
 * that begins with a bracket "(" leaves the field unset and says in words what then happens.
 */
#include "model/schema.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/fields.h"
#include "model/model.h"

CHOICES(space_name, "planar", "spatial")
CHOICES(points_name, "common", "own")
CHOICES(approach_name, "first", "energy")
CHOICES(following_name, "resolve", "auto", "reduce")
CHOICES(stabilisation_name, "baumgarte", "projection", "none")
CHOICES(start_name, "assembled", "equilibrium", "settled")
CHOICES(solver_name, "auto", "dense", "sparse")
CHOICES(compiled_name, "auto", "always", "never")
CHOICES(damping_name, "none", "hunt-crossley", "herbert-mcwhannell", "lee-wang", "lankarani-nikravesh",
        "gonthier", "zhiying-qishao", "flores-2011", "hu-guo", "exact")

static const lashi_hold holds[] = {
    {"x", LASH_HOLD_X, LASHI_BOTH_SPACES, NULL},
    {"y", LASH_HOLD_Y, LASHI_BOTH_SPACES, NULL},
    {"z", LASH_HOLD_Z, LASHI_SPACE_ONLY, NULL},
    {"angle", LASH_HOLD_ANGLE, LASHI_PLANE_ONLY, "in space hold orientation"},
    {"orientation", LASH_HOLD_ANGLE, LASHI_SPACE_ONLY, "in the plane hold angle"},
    {"vx", LASH_HOLD_VX, LASHI_BOTH_SPACES, NULL},
    {"vy", LASH_HOLD_VY, LASHI_BOTH_SPACES, NULL},
    {"vz", LASH_HOLD_VZ, LASHI_SPACE_ONLY, NULL},
    {"w", LASH_HOLD_W, LASHI_BOTH_SPACES, NULL},
};

lashi_hold lashi_hold_at(size_t index) {
    return index < sizeof holds / sizeof *holds ? holds[index] : (lashi_hold){0};
}

#define DEF lash_body_def
static const lashi_key body_keys[] = {
    NUMBER("mass", mass, "kg", LASHI_POSITIVE, NULL, "mass"),
    {FIELD("inertia", LASHI_NUMBER, inertia[2], "kg m^2", LASHI_POSITIVE, NULL,
           "moment of inertia about the centre of mass"),
     .space = LASHI_PLANE_ONLY},
    {FIELD("inertia", LASHI_INERTIA, inertia, "kg m^2", LASHI_ANY, NULL,
           "inertia tensor, xy = −∫xy dm; about the centre of mass and in body axes"),
     .space = LASHI_SPACE_ONLY},
    {FIELD("inertia_at", LASHI_PLACE, inertia_at, "m", LASHI_ANY, "(the centre of mass)",
           "point the inertia is given about: its place in body axes, or the name of one of the body's "
           "points; Lash moves it to the centre of mass"),
     .space = LASHI_SPACE_ONLY, .instead = "in the plane give inertia about the centre of mass"},
    {FIELD("inertia_axes", LASHI_ORIENTATION, inertia_axes, "", LASHI_ANY, "(the body's axes)",
           "axes the inertia is given in, as an orientation relative to the body's axes"),
     .space = LASHI_SPACE_ONLY, .instead = "in the plane one number is the whole inertia"},
    VECTOR("position", position, "m", LASHI_ANY, "[0, 0]",
           "centre of mass at the start, ground axes; approximate unless held"),
    {FIELD("angle", LASHI_NUMBER, angle, "rad", LASHI_ANY, "0",
           "body axes relative to ground axes at the start"),
     .space = LASHI_PLANE_ONLY, .instead = "in space give orientation: {axis: [0, 0, 1], angle: 30 deg}"},
    {FIELD("orientation", LASHI_ORIENTATION, orientation, "", LASHI_ANY, "(as the ground's axes)",
           "body axes relative to ground axes at the start; approximate unless held"),
     .space = LASHI_SPACE_ONLY, .instead = "in the plane give angle: 30 deg"},
    VECTOR("velocity", velocity, "m/s", LASHI_ANY, "[0, 0]",
           "of the centre of mass at the start; approximate unless held"),
    {FIELD("angular_velocity", LASHI_NUMBER, angular_velocity[2], "rad/s", LASHI_ANY, "0",
           "at the start; approximate unless held"),
     .space = LASHI_PLANE_ONLY},
    {FIELD("angular_velocity", LASHI_VECTOR, angular_velocity, "rad/s", LASHI_ANY, "[0, 0]",
           "at the start, ground axes; approximate unless held"),
     .space = LASHI_SPACE_ONLY},
    {FIELD(
        "hold", LASHI_HOLD, hold, "", LASHI_ANY, "[]",
        "initial values that the assembly must not change: a list of x, y, angle, vx, vy, w; in space of x, "
        "y, z, orientation, vx, vy, vz, w")},
    {.name = "points",
     .type = LASHI_POINTS,
     .unit = "m",
     .fallback = "(none)",
     .doc = "named points, body axes from the centre of mass"},
    BLOCK("shape", shape, &lashi_shape_kind, "(from its points and joints)", "how it is drawn"),
    {0}};
const lashi_kind lashi_body_kind = {"body", "A rigid body.", .keys = body_keys};

static const lashi_key ground_keys[] = {{.name = "points",
                                         .type = LASHI_POINTS,
                                         .unit = "m",
                                         .fallback = "(none)",
                                         .doc = "named points of the ground, from its origin"},
                                        {0}};
const lashi_kind lashi_ground_kind = {"ground", "What does not move.", .keys = ground_keys};
#undef DEF

#define DEF lash_material_def
static const lashi_key material_keys[] = {
    NUMBER("young", young, "Pa", LASHI_POSITIVE, NULL, "Young's modulus"),
    NUMBER("poisson", poisson, "", LASHI_POISSON, NULL, "Poisson's ratio"),
    NUMBER("density", density, "kg/m^3", LASHI_POSITIVE, "(no check of the impact speed)",
           "for the check that impacts stay within the contact law's range"),
    {0}};
const lashi_kind lashi_material_kind = {"material", "An elastic material.", .keys = material_keys};
#undef DEF

#define DEF lash_contact_def
static const lashi_key contact_keys[] = {
    CHOICE("law", law, lashi_normal_law_name, "lankarani-nikravesh", "law of the normal force"),
    NUMBER("restitution", restitution, "", LASHI_FRACTION, "(needed by every law with damping)",
           "coefficient of restitution asked for; `lash check` prints what the law really gives"),
    NUMBER("stiffness", stiffness, "N/m^n", LASHI_POSITIVE, "(from the materials)",
           "K of F = K δⁿ, a number without unit: 1e10 for 1e10 N/m^1.5"),
    NUMBER("exponent", exponent, "", LASHI_POSITIVE, "(the law's own)", "n of F = K δⁿ"),
    NUMBER("speed_floor", speed_floor, "m/s", LASHI_POSITIVE, "1e-6",
           "least approach speed that the damping factor divides by"),
    CHOICE("damping", damping, damping_name, "(lankarani-nikravesh where a restitution is given)",
           "cylinder laws: law of the damping factor"),
    CHOICE(
        "points", points, points_name, "common",
        "where the forces on the two bodies act: at one common point, or each on its own surface as in the "
        "papers, a penetration apart, so that friction changes the angular momentum"),
    CHOICE("approach", approach, approach_name, "first",
           "speed that scales the damping: the approach speed at the first touch, or that of the energy in "
           "the contact, which bounds the damping of lasting contacts"),
    CHOICE("following", following, following_name, "resolve",
           "lasting contact whose vibration is over becomes a constraint at the depth that carries its load: "
           "if the error is below the tolerance (auto), or below a thousandth of the depth (reduce); or "
           "never (resolve)"),
    {0}};
const lashi_kind lashi_contact_block = {"contact", "The normal force between journal and bearing.",
                                        .keys = contact_keys};
#undef DEF

CHOICES(extent_name, "half", "full")
CHOICES(shear_name, "yes", "no")
CHOICES(inlet_name, "periodic", "max-film", "groove")

#define DEF lash_lubricant_def
static const lashi_key lubricant_keys[] = {
    CHOICE("film", film, lashi_film_name, "squeeze-long",
           "model of the film; squeeze-ball for a ball in space, the others for a pin in the plane"),
    NUMBER("viscosity", viscosity, "Pa s", LASHI_POSITIVE, "(from oil and temperature)", "dynamic viscosity"),
    {FIELD("oil", LASHI_TEXT, oil, "", LASHI_ANY, "(viscosity is given)",
           "grade of the oil, SAE 10 to SAE 60")},
    NUMBER("temperature", temperature, "K", LASHI_POSITIVE, "(viscosity is given)",
           "of the oil, for example 80 degC"),
    CHOICE("extent", extent, extent_name, "(full for squeeze-long and squeeze-ball, half for the others)",
           "half: the oil cavitates where it would have to pull; full: it pulls; a ball's film is full"),
    CHOICE("shear", shear, shear_name, "(no for squeeze-long, yes for the others)",
           "whether the rotation of the walls drags on the oil"),
    {.name = "inlet",
     .type = LASHI_INLET,
     .offset = offsetof(lash_lubricant_def, inlet),
     .unit = "rad",
     .fallback = "periodic",
     .doc = "reynolds: the film forms by itself, is fed where it is thickest, or by a groove along the "
            "bearing, as in `groove at 90 deg`, an angle in the first body's axes",
     .choices = inlet_name},
    {FIELD("dry", LASHI_FLAG, dry, "", LASHI_ANY, "true",
           "dry contact takes over if the film is pressed through; false: the film carries everything")},
    {FIELD(
        "e0", LASHI_SHARE, transition, "m", LASHI_POSITIVE, "0.1",
        "width of the transition from film to dry contact: a length, or a fraction of the radial clearance")},
    {FIELD("e1", LASHI_SHARE, reserve, "m", LASHI_POSITIVE, "0.2",
           "added to the clearance in the film so that it stays finite, larger than e0; a length or a "
           "fraction likewise")},
    {0}};
const lashi_kind lashi_lubricant_kind = {"lubricant", "Oil in the gap.", .keys = lubricant_keys};
#undef DEF

#define DEF lash_wear_def
/* Worn volume per load and sliding distance. */
#define ARCHARD                                                                                              \
    NUMBER("coefficient", coefficient, "", LASHI_NOT_NEGATIVE, "(k is given, or nothing wears)",             \
           "Archard's coefficient of wear, a plain number; with hardness"),                                  \
        NUMBER("hardness", hardness, "Pa", LASHI_POSITIVE, "(k is given, or nothing wears)",                 \
               "hardness of the softer part"),                                                               \
        NUMBER("k", k, "m^2/N", LASHI_NOT_NEGATIVE, "(coefficient over hardness)",                           \
               "worn volume per load and sliding distance")
static const lashi_key wear_keys[] = {
    ARCHARD,
    {FIELD("share", LASHI_PAIR, share, "", LASHI_NOT_NEGATIVE, "[0.5, 0.5]",
           "of the worn volume: bearing, journal; together 1")},
    NUMBER("sectors", sectors, "", LASHI_WHOLE, "180", "of the profiles, 16 to 3600"),
    {FIELD("bearing", LASHI_ANGLE_EXPRESSION, bearing, "m", LASHI_ANY, "(as new)",
           "worn depth of the bearing at the start, an expression of `angle` in its own axes")},
    {FIELD("journal", LASHI_ANGLE_EXPRESSION, journal, "m", LASHI_ANY, "(as new)",
           "the same of the journal")},
    {0}};
const lashi_kind lashi_wear_kind = {"wear", "Wear of a bearing and its journal.", .keys = wear_keys};

static const lashi_key guide_wear_keys[] = {
    ARCHARD,
    {FIELD("span", LASHI_PAIR, span, "m", LASHI_ANY, NULL,
           "from where to where corners touch along the channel, counted from its point")},
    {FIELD("share", LASHI_PAIR, share, "", LASHI_NOT_NEGATIVE, "[0.5, 0.5]",
           "of the worn volume: channel, block; together 1")},
    NUMBER("sectors", sectors, "", LASHI_WHOLE, "180", "of the span, 16 to 3600"),
    {0}};
const lashi_kind lashi_guide_wear_kind = {"guide-wear", "Wear of a channel and its block.",
                                          .keys = guide_wear_keys};
#undef ARCHARD
#undef DEF

const char *lashi_coordinate_name(size_t index) {
    static const char *const names[] = {"angle", "travel"};
    return lashi_pick(names, sizeof names / sizeof *names, index);
}

#define DEF lash_drive_def
static const lashi_key ramp_keys[] = {
    NUMBER("from", ramp_from, "rad/s|m/s", LASHI_ANY, "0", "speed at the start"),
    NUMBER("to", ramp_to, "rad/s|m/s", LASHI_ANY, NULL, "speed at the end of the ramp and after it"),
    NUMBER("over", ramp_over, "s", LASHI_POSITIVE, NULL, "duration of the ramp"),
    {0}};
static const lashi_kind ramp_kind = {"ramp", "A smooth change of speed.", .keys = ramp_keys};

static const lashi_key drive_keys[] = {
    OBJECT("joint", LASHI_OBJECT, joint, LASHI_JOINTS, "(body is given instead)",
           "joint whose coordinate is driven, an angle or a travel"),
    {FIELD("body", LASHI_OBJECT, body, "", LASHI_ANY, "(joint is given instead)",
           "body whose absolute angle is driven"),
     .targets = LASHI_BODIES, .space = LASHI_PLANE_ONLY, .instead = "in space drive a joint"},
    {FIELD("coordinate", LASHI_CHOICE, coordinate, "", LASHI_ANY, "(the joint's first)",
           "of a joint that turns and slides: which of the two is driven"),
     .choices = lashi_coordinate_name, .space = LASHI_SPACE_ONLY},
    NUMBER("speed", speed, "rad/s|m/s", LASHI_ANY, "(another profile)", "constant speed"),
    {FIELD("motion", LASHI_TIME_EXPRESSION, motion, "rad|m", LASHI_ANY, "(another profile)",
           "the coordinate as an expression of t")},
    {.name = "ramp",
     .type = LASHI_BLOCK,
     .unit = "",
     .fallback = "(another profile)",
     .doc = "smooth ramp of the speed",
     .block = &ramp_kind},
    {FIELD("table", LASHI_TABLE, table, "s,rad|m", LASHI_ANY, "(another profile)",
           "the coordinate over time")},
    NUMBER("start", start, "rad|m", LASHI_ANY, "(as assembled)",
           "value at the start of the run, with speed or ramp"),
    {0}};
const lashi_kind lashi_drive_kind = {"drive", "A prescribed motion.", .keys = drive_keys};
#undef DEF

#define DEF lash_signal_def
static const lashi_key signal_keys[] = {
    {FIELD("value", LASHI_EXPRESSION, value, "*", LASHI_ANY, "(one of the others)", "the signal itself")},
    {FIELD("integral", LASHI_EXPRESSION, integral, "*", LASHI_ANY, "(another)",
           "the rate of the signal: it is its integral over time")},
    {FIELD("lag", LASHI_EXPRESSION, lag, "*", LASHI_ANY, "(another)",
           "what the signal follows with the time constant `time`")},
    {FIELD(
        "hold", LASHI_EXPRESSION, hold, "*", LASHI_ANY, "(another)",
        "what the signal is set to at t = 0, `every`, 2 `every`, …; it keeps it in between. All samples of "
        "one instant are taken from the values just before it")},
    NUMBER("time", time, "s", LASHI_POSITIVE, "(needed by lag)", "time constant"),
    NUMBER("every", every, "s", LASHI_POSITIVE, "(needed by hold)", "time from sample to sample"),
    NUMBER("initial", initial, "*", LASHI_ANY, "(0; a lag starts settled)",
           "value at the start, of a hold before its first sample"),
    {FIELD("unit", LASHI_TEXT, unit, "", LASHI_ANY, "(from its expression)",
           "its unit, if a signal uses itself and the unit cannot be derived")},
    {0}};
const lashi_kind lashi_signal_kind = {
    "signal",
    "A number made of others, to be used in expressions. An expression in place of the map is its value.",
    .keys = signal_keys, .plain = "value"};
#undef DEF

#define DEF lash_input_def
static const lashi_key input_keys[] = {
    NUMBER("default", value, "*", LASHI_ANY, "0", "value until it is set, with its unit"),
    {FIELD("unit", LASHI_TEXT, unit, "", LASHI_ANY, "(of the default)", "its unit")},
    {FIELD("table", LASHI_TABLE, table, "s,*", LASHI_ANY, "(none)",
           "its value over time until it is set; by default straight lines between the points, held beyond "
           "them")},
    {0}};
const lashi_kind lashi_input_kind = {"input",
                                     "A number that expressions use and that is set from outside: by a "
                                     "program, an FMU's master, or `--input`. A "
                                     "value in place of the map is its default.",
                                     .keys = input_keys, .plain = "default"};
#undef DEF

#define DEF lash_run_def
_Static_assert(offsetof(DEF, until_turns) - offsetof(DEF, until) == offsetof(lashi_moment, turns) &&
                   offsetof(DEF, until_drive) - offsetof(DEF, until) == offsetof(lashi_moment, drive) &&
                   offsetof(DEF, discard_turns) - offsetof(DEF, discard) == offsetof(lashi_moment, turns) &&
                   offsetof(DEF, discard_drive) - offsetof(DEF, discard) == offsetof(lashi_moment, drive),
               "moments of a run are read as lashi_moment");
static const lashi_key run_keys[] = {
    {FIELD("until", LASHI_UNTIL, until, "s", LASHI_POSITIVE, "(given when it is run)",
           "end of the run: a time, or turns of a drive as in `20 rev of motor`")},
    NUMBER("begin", begin, "s", LASHI_ANY, "0",
           "when the run begins: the machine is assembled with the values that functions of time have then"),
    {FIELD("discard", LASHI_UNTIL, discard, "s", LASHI_NOT_NEGATIVE, "(none)",
           "the transient: statistics and figures begin after it; a time or turns, as for `until`; 0: none")},
    CHOICE("start", start, start_name, "assembled",
           "where the run begins: as assembled, at rest in static equilibrium, or settled: turns are run "
           "until one repeats the last, and recording begins then"),
    NUMBER("settle_turns", settle_turns, "", LASHI_WHOLE, "100",
           "settled: largest number of turns run for it"),
    NUMBER("settle_tolerance", settle_tolerance, "", LASHI_POSITIVE, "1e-6",
           "settled: how well a turn must repeat the last one, in the scales of the tolerance"),
    NUMBER("settle_period", settle_period, "s", LASHI_POSITIVE, "(a turn of the first drive)",
           "settled: the period, where no drive turns"),
    CHOICE("method", method, lashi_integrator_name, "dop853", "integrator"),
    NUMBER("rtol", rtol, "", LASHI_POSITIVE, "1e-6",
           "relative tolerance, 1e-14 at least: errors are at most about three times this, of the largest "
           "values"),
    NUMBER("atol", atol, "", LASHI_POSITIVE, "(= rtol)",
           "absolute tolerance, as a fraction of the largest motion so far, up to the model's own scales"),
    NUMBER("first_step", first_step, "s", LASHI_POSITIVE, "(automatic)", "first step"),
    NUMBER("max_step", max_step, "s", LASHI_POSITIVE, "(none)", "longest step"),
    NUMBER("max_steps", max_steps, "", LASHI_WHOLE, "(no limit)", "gives up after so many accepted steps"),
    NUMBER("balance", balance, "", LASHI_POSITIVE, "0.01",
           "share of the energy exchanged by which the energy balance may be off; beyond it the run fails"),
    CHOICE("stabilisation", stabilisation, stabilisation_name, "baumgarte",
           "how the constraints are kept: Baumgarte's feedback, or projection after every step"),
    NUMBER("alpha", alpha, "1/s", LASHI_NOT_NEGATIVE, "5", "Baumgarte, velocity gain"),
    NUMBER("beta", beta, "1/s", LASHI_NOT_NEGATIVE, "5", "Baumgarte, position gain"),
    NUMBER("samples", samples, "", LASHI_WHOLE, "(none)",
           "N gives N+1 equally spaced rows, including both ends"),
    NUMBER("every", every, "s", LASHI_POSITIVE, "(none)", "time between equally spaced rows"),
    {FIELD("steps", LASHI_FLAG, steps, "", LASHI_ANY, "(true, unless samples or every is given)",
           "record every accepted step")},
    {FIELD("reduce", LASHI_FLAG, reduce, "", LASHI_ANY, "true",
           "leave out of the integration what ground joints decide of driven cranks, of pistons on guides "
           "and, in space, of bodies on a pin: same motion, less work")},
    CHOICE("solver", solver, solver_name, "auto", "linear algebra; auto chooses by the size of the system"),
    CHOICE(
        "compiled", compiled, compiled_name, "auto",
        "code made for this model by the system's compiler: the same numbers, faster; auto: for long runs"),
    {0}};
const lashi_kind lashi_run_kind = {"run", "How the motion is computed and recorded.", .keys = run_keys};
#undef DEF

#define DEF lashi_instance_def
static const lashi_key instance_keys[] = {
    {FIELD("use", LASHI_TEXT, use, "", LASHI_ANY, NULL, "the component")},
    {FIELD("as", LASHI_TEXT, as, "", LASHI_ANY, "(the key it stands under)",
           "name of the instance; that of its body rod is then NAME.rod")},
    VECTOR("at", at, "m", LASHI_ANY, "[0, 0]", "place of the component's origin, ground axes"),
    {FIELD("angle", LASHI_NUMBER, angle, "rad", LASHI_ANY, "0", "turn of the component's axes"),
     .space = LASHI_PLANE_ONLY, .instead = "in space give orientation: {axis: [0, 0, 1], angle: 30 deg}"},
    {FIELD("orientation", LASHI_ORIENTATION, orientation, "", LASHI_ANY, "(as the ground's axes)",
           "turn of the component's axes"),
     .space = LASHI_SPACE_ONLY, .instead = "in the plane give angle: 30 deg"},
    MAP("with", NULL, "values of the component's parameters, in place of its own"),
    {0}};
const lashi_kind lashi_instance_kind = {
    "instance", "A component that is used: any key of the file whose value has `use`, or a list of such.",
    .keys = instance_keys};
#undef DEF

#define DEF struct lash_model
static const lashi_key top_keys[] = {
    {FIELD("title", LASHI_TEXT, title, "", LASHI_ANY, "(none)", "one line about the model")},
    {.name = "space",
     .type = LASHI_CHOICE,
     .unit = "",
     .fallback = "planar",
     .doc = "the plane: x to the right, y up, angles counterclockwise; or space, right-handed",
     .choices = space_name},
    VECTOR("gravity", gravity, "m/s^2", LASHI_ANY, "[0, 0]", "acceleration of free fall"),
    MAP("parameters", NULL, "values to be used as `$name` and set from the command line"),
    MAP("components", NULL, "parts that are used several times, each with sections of its own"),
    {.name = "include",
     .type = LASHI_FILES,
     .unit = "",
     .fallback = "(none)",
     .doc = "files that define components, named after the file; paths from the folder of this file"},
    MAP("materials", &lashi_material_kind, "materials by name"),
    {.name = "ground",
     .type = LASHI_BLOCK,
     .unit = "",
     .fallback = "(none)",
     .doc = "points of the ground",
     .block = &lashi_ground_kind},
    MAP("bodies", &lashi_body_kind, "bodies by name"),
    MAP("joints", NULL, "joints by name, each with its `type`"),
    MAP("drives", &lashi_drive_kind, "drives by name"),
    MAP("inputs", &lashi_input_kind, "inputs by name"),
    MAP("signals", &lashi_signal_kind, "signals by name"),
    MAP("forces", NULL, "forces by name, each with its `type`"),
    BLOCK("run", run, &lashi_run_kind, "(defaults)", "how the motion is computed"),
    {0}};
const lashi_kind lashi_top_kind = {"model", "The file itself.", .keys = top_keys};
#undef DEF

static const lashi_kind *find_type(const lashi_kind *(*schema)(size_t), const char *type, lash_space space) {
    const lashi_kind *misfit = NULL, *kind;
    for (size_t i = 0; type && (kind = schema(i)) != NULL; i++)
        if (strcmp(kind->name, type) == 0) {
            if (lashi_fits(kind->space, space))
                return kind;
            misfit = kind;
        }
    return misfit;
}

const lashi_kind *lashi_joint_schema_find(const char *type, lash_space space) {
    return find_type(lashi_joint_schema, type, space);
}

const lashi_kind *lashi_force_schema_find(const char *type, lash_space space) {
    return find_type(lashi_force_schema, type, space);
}

static bool is_joint_type(const lashi_kind *kind) {
    const lashi_kind *type;
    for (size_t i = 0; (type = lashi_joint_schema(i)) != NULL; i++)
        if (type == kind)
            return true;
    return false;
}

const lashi_key *lashi_kind_key(const lashi_kind *kind, size_t index) {
    size_t own = 0;
    while (own < index && kind->keys[own].name)
        own++;
    if (kind->keys[own].name)
        return &kind->keys[own];
    return is_joint_type(kind) ? lashi_play_key(kind->name, index - own) : NULL;
}

const lashi_key *lashi_kind_find(const lashi_kind *kind, const char *name, lash_space space) {
    const lashi_key *misfit = NULL, *key;
    for (size_t i = 0; (key = lashi_kind_key(kind, i)) != NULL; i++)
        if (strcmp(key->name, name) == 0) {
            if (lashi_fits(key->space, space))
                return key;
            misfit = key;
        }
    return misfit;
}

static void fill_numbers(double *values, size_t count, const char *text) {
    for (size_t i = 0; i < count; i++)
        values[i] = text ? 0.0 : LASH_UNSET;
    while (text && (*text == '[' || *text == ' '))
        text++;
    for (size_t i = 0; text && i < count && *text && *text != ']'; i++) {
        const bool minus = *text == '-';
        const size_t read = lashi_read_number(&values[i], text + minus, strlen(text + minus));
        values[i] = minus ? -values[i] : values[i];
        for (text += minus + read; *text == ',' || *text == ' ';)
            text++;
    }
}

static void set_default(void *definition, const lashi_key *key) {
    void *field = (char *)definition + key->offset;
    const char *text = key->fallback && key->fallback[0] != '(' ? key->fallback : NULL;
    switch (key->type) {
    case LASHI_NUMBER: fill_numbers(field, 1, text); break;
    case LASHI_SHARE: // a default is a share
        fill_numbers(field, 1, NULL);
        fill_numbers((double *)field + 1, 1, text);
        break;
    case LASHI_PAIR: fill_numbers(field, 2, text); break;
    case LASHI_VECTOR:
    case LASHI_PLACE: fill_numbers(field, 3, text); break;
    case LASHI_ORIENTATION: fill_numbers(field, 4, "[1, 0, 0, 0]"); break; // not turned
    case LASHI_INERTIA: fill_numbers(field, 6, NULL); break;
    case LASHI_FLAG: *(bool *)field = !text || strcmp(text, "true") == 0; break;
    case LASHI_TEXT:
    case LASHI_CHOICE:
    case LASHI_OBJECT:
    case LASHI_POINT: *(const char **)field = text; break;
    case LASHI_OBJECT_PAIR:
    case LASHI_POINT_PAIR: ((const char **)field)[0] = ((const char **)field)[1] = NULL; break;
    case LASHI_ANGLE_EXPRESSION:
    case LASHI_TIME_EXPRESSION:
    case LASHI_EXPRESSION: *(lash_expression **)field = NULL; break;
    case LASHI_EXPRESSION_VECTOR: memset(field, 0, 3 * sizeof(lash_expression *)); break;
    case LASHI_TABLE: *(lash_table **)field = NULL; break;
    case LASHI_HOLD: *(unsigned *)field = 0; break;
    case LASHI_INLET: {
        lash_lubricant_def *lubricant = definition;
        lubricant->inlet = text;
        lubricant->groove = LASH_UNSET;
        break;
    }
    case LASHI_UNTIL: *(lashi_moment *)field = (lashi_moment){LASH_UNSET, LASH_UNSET, NULL}; break;
    case LASHI_BLOCK:
        lashi_kind_default(field, key->block);
        if (key->present)
            *(bool *)((char *)definition + key->present) = false;
        break;
    case LASHI_POINTS:
    case LASHI_FILES:
    case LASHI_MAP: break;
    }
}

void lashi_kind_default(void *definition, const lashi_kind *kind) {
    const lashi_key *key;
    for (key = kind->keys; key->name; key++)
        set_default(definition, key);
    for (size_t i = (size_t)(key - kind->keys); (key = lashi_kind_key(kind, i)) != NULL; i++)
        set_default(definition, key);
}

bool lashi_key_is_set(const lashi_key *key, const void *definition) {
    const void *field = (const char *)definition + key->offset;
    switch (key->type) {
    case LASHI_NUMBER:
    case LASHI_PAIR:
    case LASHI_VECTOR:
    case LASHI_PLACE: return !isnan(*(const double *)field);
    case LASHI_SHARE: return !isnan(((const double *)field)[0]) || !isnan(((const double *)field)[1]);
    case LASHI_INERTIA: return !isnan(((const double *)field)[2]);
    case LASHI_TEXT:
    case LASHI_CHOICE:
    case LASHI_INLET:
    case LASHI_OBJECT:
    case LASHI_POINT: return *(const char *const *)field != NULL;
    case LASHI_OBJECT_PAIR: return *(const char *const *)field != NULL;
    case LASHI_POINT_PAIR:
        return ((const char *const *)field)[0] != NULL && ((const char *const *)field)[1] != NULL;
    case LASHI_EXPRESSION:
    case LASHI_TIME_EXPRESSION:
    case LASHI_ANGLE_EXPRESSION:
    case LASHI_EXPRESSION_VECTOR: return *(lash_expression *const *)field != NULL;
    case LASHI_TABLE: return *(lash_table *const *)field != NULL;
    case LASHI_UNTIL:
        return !isnan(((const lashi_moment *)field)->time) || !isnan(((const lashi_moment *)field)->turns);
    case LASHI_BLOCK: return !key->present || *(const bool *)((const char *)definition + key->present);
    case LASHI_FLAG:
    case LASHI_ORIENTATION:
    case LASHI_HOLD:
    case LASHI_POINTS:
    case LASHI_FILES:
    case LASHI_MAP: return true;
    }
    return true;
}

lash_body_def lash_body_default(void) {
    lash_body_def body = {0};
    lashi_kind_default(&body, &lashi_body_kind);
    return body;
}

lash_material_def lash_material_default(void) {
    lash_material_def material = {0};
    lashi_kind_default(&material, &lashi_material_kind);
    return material;
}

lash_clearance_def lash_clearance_default(void) {
    lash_clearance_def clearance = {0};
    lashi_kind_default(&clearance, &lashi_guide_block);
    lashi_kind_default(&clearance, &lashi_clearance_kind);
    return clearance;
}

// A type lists only its own keys: the other fields are unset first. It may have one list for each space.
static void default_type(void *definition, const lashi_kind *(*schema)(size_t), const char *type) {
    const lashi_kind *kind;
    for (size_t i = 0; type && (kind = schema(i)) != NULL; i++)
        if (strcmp(kind->name, type) == 0)
            lashi_kind_default(definition, kind);
}

static lash_joint_def joint_default(const char *type) {
    lash_joint_def joint = {.type = type,
                            .axis = {LASH_UNSET, LASH_UNSET, LASH_UNSET},
                            .second_axis = {LASH_UNSET, LASH_UNSET, LASH_UNSET},
                            .pitch = LASH_UNSET,
                            .angle = LASH_UNSET,
                            .length = LASH_UNSET,
                            .ratio = LASH_UNSET,
                            .radius = LASH_UNSET,
                            .pressure_angle = LASH_UNSET,
                            .clearance = lash_clearance_default()};
    lashi_kind_default(&joint.stops, &lashi_stops_block);
    lashi_kind_default(&joint.backlash, &lashi_backlash_block);
    lashi_kind_default(&joint.friction, &lashi_mesh_rubbing);
    lashi_kind_default(&joint.friction, &lashi_sleeve_rubbing);
    lashi_kind_default(&joint.friction, &lashi_guide_rubbing);
    lashi_kind_default(&joint.friction, &lashi_pin_rubbing);
    default_type(&joint, lashi_joint_schema, type);
    return joint;
}

lash_joint_def lash_joint_default(const char *type) {
    // They have hundreds of keys, and a study reads them for each of its points.
    enum { KEPT = 8, LONGEST = 31 };
    static _Thread_local struct {
        char type[LONGEST + 1];
        lash_joint_def joint;
    } kept[KEPT];
    static _Thread_local size_t last;
    if (!type || !type[0] || strlen(type) > LONGEST)
        return joint_default(type);
    size_t k = 0;
    while (k < KEPT && strcmp(kept[k].type, type) != 0)
        k++;
    if (k == KEPT) {
        k = last++ % KEPT;
        kept[k].joint = joint_default(type);
        memcpy(kept[k].type, type, strlen(type) + 1);
    }
    lash_joint_def joint = kept[k].joint;
    joint.type = type;
    return joint;
}

lash_drive_def lash_drive_default(void) {
    lash_drive_def drive = {0};
    lashi_kind_default(&drive, &lashi_drive_kind);
    return drive;
}

lash_force_def lash_force_default(const char *type) {
    lash_force_def force = {.type = type,
                            .stiffness = LASH_UNSET,
                            .damping = LASH_UNSET,
                            .free_length = LASH_UNSET,
                            .free_angle = LASH_UNSET,
                            .direction = {LASH_UNSET, LASH_UNSET, LASH_UNSET},
                            .period = LASH_UNSET};
    for (size_t i = 0; i < 3; i++)
        force.along[i] = force.about[i] = force.damping_along[i] = force.damping_about[i] = LASH_UNSET;
    default_type(&force, lashi_force_schema, type);
    return force;
}

lash_signal_def lash_signal_default(void) {
    lash_signal_def signal = {0};
    lashi_kind_default(&signal, &lashi_signal_kind);
    return signal;
}

lash_input_def lash_input_default(void) {
    lash_input_def input = {0};
    lashi_kind_default(&input, &lashi_input_kind);
    return input;
}

lash_run_def lash_run_default(void) {
    lash_run_def run = {0};
    lashi_kind_default(&run, &lashi_run_kind);
    return run;
}
