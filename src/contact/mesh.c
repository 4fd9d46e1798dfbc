/* SPDX-License-Identifier: MIT
 *
 * Teeth with backlash: keys, rules, flanks and channels of a mesh (flank.h).
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "contact/flank.h"
#include "contact/rules.h"
#include "math/breaks.h"
#include "model/fields.h"
#include "model/model.h"

/* Law of impact. */
#define DEFAULT_LAW "lankarani-nikravesh"
/* Teeth are inclined by less than this. */
static const double MOST_PRESSURE_ANGLE = 1.2;
/* Half of the widest gap between teeth, of the pitch radius: six teeth or more, half of a pitch. */
static const double THICKEST = 0.25;
/* Share of the pitch radius beyond which teeth are no longer teeth. */
static const double DEEPEST = 0.1;
/* Of the machine's size, or of a radian: the room of teeth with less play, for scales. Such teeth are springs
 * that press, not gaps that are crossed, and error scales must not go to zero with their play. */
static const double LEAST_ROOM = 1e-4;

/* A spline is one piece: its second derivative is continuous. */
static bool has_corners(const lash_table *table) {
    return lashi_table_kind(table) != LASH_SPLINE;
}

/* The angle, and one inside the piece that holds: the wheel of a planet counts its turns against a line of
 * centres that goes round, so that whole turns are left out. */
static double angle_in(double *inside, const lashi_contact *contact, const lashi_frame *frames,
                       double angle) {
    if (!contact->cornered || !frames[0].phases)
        return *inside = angle;
    const lashi_phase *piece = &frames[0].phases[contact->phase];
    *inside = 0.5 * (piece->low + piece->high);
    return *inside + remainder(angle - *inside, LASHI_TWO_PI);
}

void lashi_flank_fill(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames,
                      const lashi_mesh_state *mesh) {
    const lashi_mesh_numbers *m = &contact->p->mesh;
    const double side = contact->p->sign;
    double inside;
    const double angle = angle_in(&inside, contact, frames, mesh->angle);
    memset(out, 0, sizeof *out);
    out->factor = 1;
    out->delta = side * mesh->x - m->half - mesh->opening;
    out->deltadot = side * mesh->xdot - mesh->openingdot;
    for (int link = 0; link < LASHI_LINKS; link++)
        for (int k = 0; k < LASHI_FREEDOMS; k++)
            out->row[link][k] = side * mesh->row[link][k] - mesh->opening_row[link][k];
    if (contact->mesh_error) {
        const lashi_jet error = lashi_expression_jet_in(contact->mesh_error, angle, inside);
        out->delta -= side * error.f;
        out->given = -side * error.df * mesh->rate;
        out->deltadot += out->given;
    }
    if (contact->mesh_stiffness) {
        const double pitch = m->teeth / LASHI_TWO_PI;
        const double at = has_corners(contact->mesh_stiffness) ? inside : angle;
        const lashi_jet k = lashi_table_jet_in(contact->mesh_stiffness, angle * pitch, at * pitch);
        out->factor = k.f;
        out->factor_rate = k.df * pitch * mesh->rate;
    }
    out->ddot.x = out->deltadot;
    out->phase = angle;
    out->phase_rate = mesh->rate;
}

#ifndef LASHI_KERNEL // a compiled model needs no more

/* ---- corners ---- */

/* A piece is searched for from this far beside its end, rad, or as a share of a larger angle. */
static const double BESIDE = 1e-12;
/* Longest piece, rad: whole turns are left out of angles, and half a turn to either side is a piece at most.
 * Backwards the search begins with this share of it. */
static const double LONGEST = 3, FIRST_BACK = 1.0 / 64;

/* The last corner of an expression before `at`, or a place up to which there is none. */
static double corner_before(const lash_expression *e, double at) {
    for (double back = FIRST_BACK * LONGEST;; back = fmin(2 * back, LONGEST)) {
        double last = at - back, next;
        bool found = false;
        while ((next = lashi_expression_next_break(e, last, at)) < at) {
            last = next;
            found = true;
        }
        if (found || back == LONGEST)
            return last;
    }
}

lashi_phase lashi_flank_piece(const lashi_contact *contact, double at, int way) {
    const double pitch = contact->p->mesh.teeth / LASHI_TWO_PI, near = at + way * BESIDE * fmax(1, fabs(at));
    double end = at + way * LONGEST;
    if (contact->mesh_stiffness && has_corners(contact->mesh_stiffness)) {
        double low, high;
        lashi_table_piece(&low, &high, contact->mesh_stiffness, near * pitch);
        end = way > 0 ? fmin(end, high / pitch) : fmax(end, low / pitch);
    }
    if (contact->mesh_error && way > 0)
        end = lashi_expression_next_break(contact->mesh_error, near, end);
    else if (contact->mesh_error)
        end = fmax(end, corner_before(contact->mesh_error, near));
    return way > 0 ? (lashi_phase){at, end} : (lashi_phase){end, at};
}

/* ---- keys ---- */

CHOICES(approach_name, "first", "energy")

#define DEF lash_backlash_def
static const lashi_key keys[] = {
    NUMBER("circumferential", circumferential, "m", LASHI_NOT_NEGATIVE, "(one of the three)",
           "play along the pitch circle"),
    NUMBER("normal", normal, "m", LASHI_NOT_NEGATIVE, "(one of the three)", "play along the line of action"),
    {FIELD("angle", LASHI_NUMBER, angle, "rad", LASHI_NOT_NEGATIVE, "(one of the three)",
           "play as an angle of the second wheel; stiffness and damping are then those of the angle"),
     .space = LASHI_SPACE_ONLY, .instead = "in the plane give circumferential or normal"},
    {FIELD("radius", LASHI_NUMBER, radius, "m", LASHI_POSITIVE, "(needed unless the play is an angle)",
           "pitch radius of the second wheel"),
     .space = LASHI_SPACE_ONLY, .instead = "in the plane the pitch radii follow from the drawing"},
    NUMBER("pressure_angle", pressure_angle, "rad", LASHI_NOT_NEGATIVE, "(that of the gear)",
           "inclination of the line of action"),
    NUMBER("stiffness", stiffness, "N m/rad|N/m", LASHI_POSITIVE, NULL,
           "of a pair of teeth along the line of action, N/m; where the play is an angle, N m/rad"),
    NUMBER("damping", damping, "N m s/rad|N s/m", LASHI_NOT_NEGATIVE, "(none)",
           "of a pair of teeth in contact, N s/m; where the play is an angle, N m s/rad"),
    NUMBER("restitution", restitution, "", LASHI_FRACTION, "(no contact law)",
           "damping by a contact law in place of `damping`"),
    CHOICE("law", law, lashi_normal_law_name, DEFAULT_LAW, "contact law, used with restitution"),
    NUMBER("speed_floor", speed_floor, "rad/s|m/s", LASHI_POSITIVE, "1e-6",
           "least approach speed that the contact law divides by"),
    CHOICE("approach", approach, approach_name, "first",
           "contact law: speed that scales the damping, at the first touch, or that of the energy in the "
           "contact"),
    NUMBER("teeth", teeth, "", LASHI_WHOLE, "(needed with mesh)", "number of teeth of the first wheel"),
    {FIELD("mesh", LASHI_TABLE, mesh, ",", LASHI_ANY, "(constant)",
           "stiffness over one pitch as a factor of `stiffness`, over 0 to 1; repeats")},
    {FIELD("error", LASHI_ANGLE_EXPRESSION, error, "rad|m", LASHI_ANY, "(none)",
           "transmission error along the line of action, an expression of `angle`, that of the first wheel")},
    NUMBER("tolerance", tolerance, "rad|m", LASHI_POSITIVE, "1e-12",
           "to which the instant of touch is located"),
    {0}};
const lashi_kind lashi_backlash_block = {"backlash", "Play between teeth.", .keys = keys};
#undef DEF

/* ---- rules ---- */

static bool is_given(const lashi_check *check, lashi_subject subject, const char *key, double value) {
    return !isnan(value) || lashi_was_bad(check, subject, key);
}

/* Corners of a transmission error that are looked at, in its first turn. */
enum { MOST_CHECKED = 256 };
/* Of its largest value: rounding. */
static const double NO_JUMP = 1e-9;

/* Teeth cannot jump. */
static void check_error(lashi_check *check, lashi_subject subject, const lash_expression *e) {
    double low = 0, most = 0, before = 0; // before: the error at `low`, in the piece that ends there
    for (int k = 0; k < MOST_CHECKED && low < LASHI_TWO_PI; k++) {
        const double high = lashi_expression_next_break(e, low, LASHI_TWO_PI), inside = 0.5 * (low + high),
                     first = lashi_expression_jet_in(e, low, inside).f,
                     last = lashi_expression_jet_in(e, high, inside).f;
        most = fmax(most, fmax(fmax(fabs(first), fabs(last)), fabs(lashi_expression_jet(e, inside).f)));
        if (k > 0 && !(fabs(first - before) <= NO_JUMP * most)) {
            lashi_complain(
                check, subject, "backlash.error",
                "backlash.error jumps from %g to %g at the angle %.6g rad: teeth cannot move instantly. "
                "Change smoothly from one value to the other, for example with smoothstep",
                before, first, low);
            return;
        }
        before = last;
        low = high;
    }
}

void lashi_flank_check(lashi_check *check, lashi_subject subject, const lash_joint_def *def) {
    const lash_backlash_def *b = &def->backlash;
    const bool along = is_given(check, subject, "backlash.circumferential", b->circumferential),
               normal = is_given(check, subject, "backlash.normal", b->normal),
               angle = is_given(check, subject, "backlash.angle", b->angle),
               in_space = check->model->space == LASH_SPATIAL;
    const double alpha = isnan(b->pressure_angle) ? def->pressure_angle : b->pressure_angle;
    if (along + normal + angle != 1)
        lashi_complain(check, subject, "backlash",
                       "backlash: its size is %s; give exactly one of circumferential%s",
                       along || normal || angle ? "given twice" : "missing",
                       in_space ? ", normal and angle" : " and normal");
    if (in_space && !angle && isnan(b->radius) && !lashi_was_bad(check, subject, "backlash.radius"))
        lashi_complain(
            check, subject, "backlash",
            "backlash.radius is missing: in space a gear couples two angles, and a length along the "
            "teeth needs the pitch radius of the second wheel; or give the play as an angle");
    if (angle && !isnan(b->radius))
        lashi_complain(check, subject, "backlash.radius",
                       "backlash.radius is not needed where the play is an angle; delete one of the two");
    if (!isnan(def->pressure_angle) && !isnan(b->pressure_angle))
        lashi_complain(check, subject, "backlash.pressure_angle",
                       "pressure_angle is given twice, for the gear and in its backlash; give one");
    if (alpha >= MOST_PRESSURE_ANGLE)
        lashi_complain(check, subject,
                       isnan(b->pressure_angle) ? "pressure_angle" : "backlash.pressure_angle",
                       "the pressure angle is %g rad: it must be smaller than %g rad; teeth have 20 deg",
                       alpha, MOST_PRESSURE_ANGLE);
    if (!isnan(b->damping) && !isnan(b->restitution))
        lashi_complain(check, subject, "backlash.restitution",
                       "backlash: damping and restitution are both given; give one");
    if (isnan(b->restitution) && strcmp(b->law, DEFAULT_LAW) != 0 &&
        !lashi_was_bad(check, subject, "backlash.restitution"))
        lashi_complain(check, subject, "backlash.law",
                       "backlash.law is a contact law and needs backlash.restitution; without it teeth are "
                       "linear, with `damping` or without");
    if (b->mesh && isnan(b->teeth) && !lashi_was_bad(check, subject, "backlash.teeth"))
        lashi_complain(
            check, subject, "backlash",
            "backlash.teeth is missing: the stiffness over a pitch needs the number of teeth of the "
            "first wheel");
    if (b->mesh && !lashi_is_one_pitch(b->mesh))
        lashi_complain(check, subject, "backlash.mesh",
                       "backlash.mesh goes from %g to %g; it is a table over one pitch, from 0 to 1",
                       lashi_table_first(b->mesh), lashi_table_last(b->mesh));
    if (b->error)
        check_error(check, subject, b->error);
    if (b->mesh)
        for (int k = 0; k <= 100; k++)
            if (!(lashi_table_jet(b->mesh, k / 100.0).f > 0)) {
                lashi_complain(check, subject, "backlash.mesh",
                               "backlash.mesh is not positive at %g of the pitch: teeth do not pull",
                               k / 100.0);
                break;
            }
    if (!isnan(b->restitution)) {
        const lash_contact_def law = {.law = b->law,
                                      .restitution = b->restitution,
                                      .stiffness = b->stiffness,
                                      .exponent = LASH_UNSET,
                                      .speed_floor = b->speed_floor,
                                      .approach = b->approach};
        lashi_force_law_check(check, subject, "backlash", &law);
    }
}

/* ---- compiling ---- */

static double pressure_angle(const lash_joint_def *def) {
    const double gear = isnan(def->pressure_angle) ? 0 : def->pressure_angle;
    return isnan(def->backlash.pressure_angle) ? gear : def->backlash.pressure_angle;
}

/* Along the line of action. */
static double backlash(const lash_joint_def *def) {
    const lash_backlash_def *b = &def->backlash;
    return !isnan(b->angle)    ? b->angle
           : !isnan(b->normal) ? b->normal
                               : b->circumferential * cos(pressure_angle(def));
}

lash_status lashi_flank_expand(lashi_expansion *out, int kind, lash_error *error) {
    static const char *const parts[2] = {"flank1", "flank2"};
    const lash_backlash_def *b = &out->def->backlash;
    const lashi_constraint *closed = out->closed;
    const bool turning = !isnan(b->angle);
    const double alpha = pressure_angle(out->def);
    lashi_mesh_numbers mesh = {.radius = {closed->radius[0], closed->radius[1]},
                               .zero = closed->length,
                               .angle = closed->angle,
                               .cosine = turning ? 1 : cos(alpha),
                               .sine = turning ? 0 : sin(alpha),
                               .unit = turning ? 1 : b->radius,
                               .half = backlash(out->def) / 2,
                               .teeth = b->teeth};
    const double smaller = turning || !isnan(b->radius) ? mesh.unit
                           : mesh.radius[1] != 0        ? fmin(fabs(mesh.radius[0]), fabs(mesh.radius[1]))
                                                        : fabs(mesh.radius[0]);
    if (mesh.half >= THICKEST * smaller)
        return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, closed->name,
                             "joint '%s': a backlash of %g %s is wider than any gap between teeth on a pitch "
                             "radius of %g %s; is its unit right?",
                             closed->name, 2 * mesh.half, turning ? "rad" : "m", smaller,
                             turning ? "rad" : "m");
    lash_clearance_def def = lash_clearance_default();
    def.contact.law = isnan(b->restitution) ? "hertz" : b->law;
    def.contact.restitution = b->restitution;
    def.contact.stiffness = b->stiffness;
    def.contact.exponent = 1;
    def.contact.speed_floor = b->speed_floor;
    def.contact.approach = b->approach;
    def.tolerance = b->tolerance;
    out->frees = true;
    out->as_drawn = lashi_play_is_thrown(out);
    for (int side = 0; side < 2; side++) {
        lashi_contact *contact;
        const lash_status status = lashi_play_add(&contact, out, kind, parts[side], &def, error);
        if (status)
            return status;
        contact->p->sign = side ? -1 : 1;
        contact->body[2] = closed->body[2];
        contact->coordinate = closed->coordinate;
        contact->second = closed->second;
        contact->p->axis = (lashi_vec3){closed->axis.x, closed->axis.y, 0};
        contact->p->mesh = mesh;
        contact->mesh_stiffness = b->mesh;
        contact->mesh_error = b->error;
        contact->excited = b->mesh || b->error;
        contact->cornered =
            (b->mesh && has_corners(b->mesh)) || (b->error && lashi_expression_has_breaks(b->error));
        contact->unit = turning ? "rad" : "m";
        contact->p->lever = turning ? out->length : 1;
        contact->p->room = fmax(mesh.half, LEAST_ROOM * (turning ? 1 : out->length));
        contact->p->deepest = turning ? DEEPEST : DEEPEST * out->length;
        if (b->damping > 0) {
            contact->normal.scale = LASHI_SCALE_VISCOUS;
            contact->normal.p->viscous = b->damping;
        }
        contact->words =
            lashi_arena_print(out->arena, "flank of teeth with %.6g %s of play along the line of action",
                              2 * mesh.half, contact->unit);
        if (!contact->words)
            return lashi_fail_memory(error);
    }
    return LASH_OK;
}

/* ---- channels ---- */

/* The mesh displacement is that of the flanks' middle: both have the same opening. */
const lashi_play_channel lashi_flank_channels[] = {
    {"deflection", "m", "deflection of the teeth; its sign shows the flank"},
    {"force", "N", "force between the teeth along the line of action"},
    {"flank", "", "1 the first flank touches, -1 the second, 0 none"},
    {"error", "m", "displacement of the mesh from the middle of the backlash"},
    {"excitation", "W", "power brought in by stiffness and error of the mesh"},
    {NULL}};

double lashi_flank_value(const lashi_play_view *view, int channel) {
    const lashi_contact_state *s = view->states;
    const bool touches[2] = {view->memories[0].touching, view->memories[1].touching};
    switch (channel) {
    case 0: return (touches[0] ? s[0].gap.delta : 0) - (touches[1] ? s[1].gap.delta : 0);
    case 1: return s[0].normal_force - s[1].normal_force;
    case 2: return touches[0] - touches[1];
    case 3: return 0.5 * (s[0].gap.delta - s[1].gap.delta);
    default: return s[0].input_power + s[1].input_power;
    }
}

void lashi_flank_draw(lash_scene_play *out, const lash_joint_def *def) {
    static const char *const moves[] = {"flank1.delta", "flank2.delta", "flank1.mode", "flank2.mode", NULL},
                             *const forces[] = {"force", NULL};
    out->drawn = "teeth";
    out->channels = moves;
    out->forces = forces;
    out->turns = !isnan(def->backlash.angle);
    out->backlash = backlash(def);
    out->pressure_angle = pressure_angle(def);
}

#endif
