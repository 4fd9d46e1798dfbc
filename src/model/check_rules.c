/* SPDX-License-Identifier: MIT
 *
 * What several keys or objects of a model together must fulfil: ends on two bodies, one profile of a drive, a
 * coordinate where one is needed. What play asks for is in src/contact.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "math/expression.h"
#include "math/table.h"
#include "model/check.h"
#include "model/motor.h"

/* Of the range of a table's values: a spline that goes farther beyond neighbouring points is reported. Twelve
 * points of a sine give 1.7 %. */
static const double OVERSHOOT = 0.02;
/* Of tolerances: 45 units of rounding. Below, the error control would follow the rounding of the stages. */
static const double LEAST_TOLERANCE = 1e-14;

/* Rounding allowed between a moment of inertia and the sum of the other two; share of the largest that the
 * least one must have. */
static const double TRIANGLE = 1e-9, LEAST_MOMENT = 1e-12;

// ---- bodies in space

// A tensor that no distribution of mass has.
void lashi_check_body(lashi_check *check, const lashi_named_body *body) {
    static const char *const sources[] = {"mass", "inertia", "inertia_at", "inertia_axes", ""};
    const lashi_subject subject = {"body", body->name};
    const lash_body_def *def = &body->def;
    const bool moved = !isnan(def->inertia_at[0]);
    double J[6], moments[3];
    if (check->model->space != LASH_SPATIAL || (moved && !(def->mass > 0)))
        return;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (lashi_was_bad(check, subject, sources[i]))
            return;
    if (!lashi_body_inertia(J, def))
        return; // what is not finite was complained about by its key
    lashi_principal_moments(moments, J);
    const char *where = moved ? " about the centre of mass (moved there from inertia_at)" : "";
    const char *cure = moved ? "; is inertia_at right, and the inertia about it?" : "";
    if (!(moments[0] > LEAST_MOMENT * moments[2]))
        lashi_complain(check, subject, "inertia",
                       "inertia: the principal moments%s are %g, %g and %g kg m^2; all must be greater than "
                       "zero%s",
                       where, moments[0], moments[1], moments[2], cure);
    else if (moments[2] > (moments[0] + moments[1]) * (1 + TRIANGLE))
        lashi_complain(
            check, subject, "inertia",
            "inertia: of the principal moments%s %g, %g and %g kg m^2 the largest, %g, exceeds the "
            "sum of the other two, %g, which no body's does%s",
            where, moments[0], moments[1], moments[2], moments[2], moments[0] + moments[1], cure);
}

// ---- references

// Both ends of a joint or element on one body have no effect, or worse.
static void check_ends(lashi_check *check, lashi_subject subject, const char *const ends[2]) {
    size_t body[2];
    double at[3];
    if (!ends[0] || !ends[1] || !lashi_model_find_point(&body[0], at, check->model, ends[0]) ||
        !lashi_model_find_point(&body[1], at, check->model, ends[1]))
        return;
    if (body[0] == body[1])
        lashi_complain(check, subject, "between",
                       "both ends are on '%s'; name points of two different bodies",
                       check->model->bodies[body[0]].name);
}

// 'r' turns, 't' slides, 0 has no coordinate or is unknown.
static char coordinate_of(const lash_model *model, const char *joint) {
    size_t index = lashi_model_find_joint(model, joint);
    return index == LASHI_NONE ? 0 : lashi_joint_coordinate(model->joints[index].def.type);
}

static void check_coordinate(lashi_check *check, lashi_subject subject, const char *key, const char *joint,
                             const char *which) {
    size_t index = lashi_model_find_joint(check->model, joint);
    if (index == LASHI_NONE ||
        !lashi_joint_schema_find(check->model->joints[index].def.type, check->model->space))
        return; // said already
    if (!coordinate_of(check->model, joint))
        lashi_complain(check, subject, key,
                       "%s: the joint '%s' is of type %s and has no coordinate; name a revolute or %s joint",
                       key, joint, check->model->joints[index].def.type,
                       check->model->space == LASH_PLANAR ? "translational" : "prismatic");
    else if (which && !lashi_joint_has_both(check->model->joints[index].def.type))
        lashi_complain(check, subject, "coordinate",
                       "coordinate: the joint '%s' is of type %s and has one coordinate only; delete the key",
                       joint, check->model->joints[index].def.type);
}

// A gear in space couples the angles of two joints.
static void check_gear(lashi_check *check, lashi_subject subject, const char *const joints[2]) {
    for (int k = 0; k < 2; k++) {
        const size_t index = joints[k] ? lashi_model_find_joint(check->model, joints[k]) : LASHI_NONE;
        if (index == LASHI_NONE)
            return; // said already
        const char *type = check->model->joints[index].def.type;
        if (lashi_joint_schema_find(type, check->model->space) && lashi_joint_coordinate(type) != 'r')
            lashi_complain(check, subject, "joints",
                           "joints: the joint '%s' is of type %s and has no angle; a gear couples revolute, "
                           "cylindrical or screw joints",
                           joints[k], type);
    }
    if (strcmp(joints[0], joints[1]) == 0)
        lashi_complain(check, subject, "joints", "joints: both are '%s'; name the joint of each wheel",
                       joints[0]);
}

void lashi_check_joint(lashi_check *check, const lashi_named_joint *joint) {
    const lashi_subject subject = {"joint", joint->name};
    check_ends(check, subject, joint->def.between);
    if (check->model->space == LASH_SPATIAL && strcmp(joint->def.type, "gear") == 0)
        check_gear(check, subject, joint->def.joints);
    lashi_check_play(check, subject, &joint->def);
    if (joint->def.has_friction && !lashi_was_bad(check, subject, "friction"))
        lashi_check_rubbing(check, subject, &joint->def);
}

// ---- tables

// A spline goes where no point is; `other` is what does not, and its price.
static void check_table(lashi_check *check, lashi_subject subject, const lash_table *table,
                        const char *other) {
    double x = 0, y = 0;
    const double share = table ? lashi_table_overshoot(table, &x, &y) : 0;
    if (share > OVERSHOOT)
        lashi_warn(
            check, subject, "table",
            "table: between its points the spline goes beyond them by up to %.2g %% of their range: it "
            "is %.4g at x = %.4g. Give more points there, or %s",
            100 * share, y, x, other);
}

// ---- drives

static void check_ramp(lashi_check *check, lashi_subject subject, const lash_drive_def *def) {
    const struct {
        const char *key;
        double value;
    } parts[] = {{"ramp.from", def->ramp_from}, {"ramp.to", def->ramp_to}, {"ramp.over", def->ramp_over}};
    for (size_t i = 0; i < 3; i++) {
        if (isnan(parts[i].value))
            lashi_complain(check, subject, parts[i].key, "%s is missing; write ramp: {to: 100, over: 0.5 s}",
                           parts[i].key);
        else if (!isfinite(parts[i].value))
            lashi_complain(check, subject, parts[i].key, "%s must be a finite number", parts[i].key);
    }
    if (def->ramp_over <= 0)
        lashi_complain(check, subject, "ramp.over", "ramp.over must be greater than zero, it is %g s",
                       def->ramp_over);
}

void lashi_check_drive(lashi_check *check, const lashi_named_drive *drive) {
    const lash_drive_def *def = &drive->def;
    lashi_subject subject = {"drive", drive->name};
    if (lashi_was_bad(check, subject, ""))
        return;
    bool joint = def->joint || lashi_was_bad(check, subject, "joint");
    bool body = def->body || lashi_was_bad(check, subject, "body");
    if (!joint && !body)
        lashi_complain(check, subject, "", "what it drives is missing; give joint (its coordinate)%s",
                       check->model->space == LASH_PLANAR ? " or body (its angle)" : "");
    if (joint && body)
        lashi_complain(check, subject, "body", "joint and body are both given; a drive has one of them");
    if (def->joint)
        check_coordinate(check, subject, "joint", def->joint, def->coordinate);

    bool ramp = !isnan(def->ramp_to) || !isnan(def->ramp_over) || lashi_was_bad(check, subject, "ramp.to") ||
                lashi_was_bad(check, subject, "ramp.over");
    const struct {
        const char *key;
        bool given;
    } profiles[] = {{"speed", !isnan(def->speed) || lashi_was_bad(check, subject, "speed")},
                    {"motion", def->motion || lashi_was_bad(check, subject, "motion")},
                    {"ramp", ramp},
                    {"table", def->table || lashi_was_bad(check, subject, "table")}};
    const char *first = NULL;
    for (size_t i = 0; i < 4; i++) {
        if (profiles[i].given && first)
            lashi_complain(check, subject, profiles[i].key,
                           "%s and %s are both given; a drive has one profile: speed, motion, ramp or table",
                           first, profiles[i].key);
        else if (profiles[i].given)
            first = profiles[i].key;
    }
    if (!first)
        lashi_complain(check, subject, "", "its profile is missing; give speed, motion, ramp or table");
    if (ramp)
        check_ramp(check, subject, def);
    if (!isnan(def->start) && first && strcmp(first, "speed") != 0 && strcmp(first, "ramp") != 0)
        lashi_complain(check, subject, "start", "start belongs to speed or ramp; %s has its own start",
                       first);
    check_table(check, subject, def->table,
                "take interpolation: monotone, whose acceleration jumps at the points");
    if (def->motion) {
        lashi_jet jet = lashi_expression_jet(def->motion, 0);
        if (!isfinite(jet.f) || !isfinite(jet.df) || !isfinite(jet.ddf))
            lashi_complain(check, subject, "motion",
                           "motion or one of its first two derivatives is not finite at t = 0");
    }

    // Two drives of one coordinate contradict each other.
    size_t j = lashi_model_find_joint(check->model, def->joint);
    size_t b = lashi_model_find_body(check->model, def->body);
    const size_t travel = def->coordinate && strcmp(def->coordinate, "travel") == 0;
    const char **driver = j != LASHI_NONE   ? &check->joint_drivers[2 * j + travel]
                          : b != LASHI_NONE ? &check->body_drivers[b]
                                            : NULL;
    if (driver && *driver)
        lashi_complain(check, subject, def->joint ? "joint" : "body",
                       "'%s' is driven by '%s' already; leave one of the two out",
                       def->joint ? def->joint : def->body, *driver);
    else if (driver)
        *driver = drive->name;
}

// ---- forces

static void check_finite(lashi_check *check, lashi_subject subject, const char *key,
                         const lash_expression *expression) {
    if (expression && !lashi_expression_reads(expression, 0) &&
        !isfinite(lashi_expression_value(expression, 0)))
        lashi_complain(check, subject, key, "%s is not finite at t = 0", key);
}

void lashi_check_force(lashi_check *check, const lashi_named_force *force) {
    const lash_force_def *def = &force->def;
    lashi_subject subject = {"force", force->name};
    if (lashi_was_bad(check, subject, ""))
        return;
    check_ends(check, subject, def->between);
    if (def->joint)
        check_coordinate(check, subject, "joint", def->joint, def->coordinate);
    if (def->over)
        check_coordinate(check, subject, "over", def->over, NULL);
    size_t body;
    double at[3];
    if (def->at && lashi_model_find_point(&body, at, check->model, def->at) && body == LASHI_GROUND_BODY)
        lashi_complain(check, subject, "at",
                       "at: a force on the ground has no effect; name a point of a body");
    if (def->body && def->reaction && strcmp(def->body, def->reaction) == 0)
        lashi_complain(check, subject, "reaction",
                       "reaction: '%s' would take its own torque back; name another body", def->body);
    for (size_t i = 0; i < 3; i++)
        check_finite(check, subject, "force", def->force[i]);
    for (size_t i = 0; i < 3; i++)
        check_finite(check, subject, "torque", def->torques[i]);
    check_finite(check, subject, "torque", def->torque);
    check_finite(check, subject, "actuator", def->actuator);
    if (def->type && strcmp(def->type, "motor") == 0)
        lashi_check_motor(check, force);
    check_table(check, subject, def->table, "leave interpolation out: the default does not overshoot");
    if (def->table && def->period > 0 && lashi_table_beyond(def->table) != LASH_BEYOND_ERROR)
        lashi_complain(check, subject, "period",
                       "period and beyond are both given; a table that repeats has no end");

    // A load acts at a point, in a direction, or along a joint's coordinate.
    const bool planar = check->model->space == LASH_PLANAR;
    const lashi_kind *kind = lashi_force_schema_find(def->type, check->model->space);
    if (!kind || !lashi_kind_find(kind, "direction", check->model->space))
        return;
    bool point = def->at || lashi_was_bad(check, subject, "at");
    bool joint = def->joint || lashi_was_bad(check, subject, "joint");
    if (point == joint)
        lashi_complain(check, subject, joint ? "joint" : "",
                       "give either at with direction (a force at a point) or joint (along its coordinate)");
    else if (point && isnan(def->direction[0]))
        lashi_complain(check, subject, "direction", "direction is missing; give for example direction: %s",
                       planar ? "[-1, 0]" : "[-1, 0, 0]");
    else if (point && def->direction[0] == 0 && def->direction[1] == 0 && (planar || def->direction[2] == 0))
        lashi_complain(check, subject, "direction",
                       "direction has none: not all of its components may be zero");
}

// ---- run

/* "20 rev of motor" as a key of its own, so that its message is like every other one's. */
static const lashi_key until_keys[] = {{.name = "until",
                                        .type = LASHI_OBJECT,
                                        .fallback = NULL,
                                        .doc = "the drive whose turns are counted",
                                        .targets = LASHI_DRIVES},
                                       {0}};

/* A time, or turns of a drive. */
static void check_moment(lashi_check *check, const char *key, double begin, double time, double turns,
                         const char *drive) {
    const lash_model *model = check->model;
    lashi_subject subject = {"model", NULL};
    if (!isnan(time) && begin == 0 && !(time > 0 && isfinite(time)))
        lashi_complain(check, subject, key, "%s must be greater than zero, it is %g s", key, time);
    else if (!isnan(time) && !(time > begin && isfinite(time)))
        lashi_complain(check, subject, key, "%s, %g s, must come after run.begin, %g s", key, time, begin);
    if (isnan(turns))
        return;
    size_t index = lashi_model_find_drive(model, drive);
    if (!(turns > 0 && isfinite(turns)))
        lashi_complain(check, subject, key, "%s must be greater than zero, it is %g rev", key, turns);
    else if (index == LASHI_NONE) {
        lashi_key keys[] = {until_keys[0], {0}};
        keys[0].name = key + strlen("run.");
        lashi_check_keys(check, subject, &drive, &(lashi_kind){.keys = keys}, "run");
    } else if (model->drives[index].def.joint && coordinate_of(model, model->drives[index].def.joint) == 't')
        lashi_complain(check, subject, key, "%s: the drive '%s' slides and makes no turns; give a time", key,
                       drive);
    if (!isnan(time))
        lashi_complain(check, subject, key, "%s: a time and turns of a drive are both given; give one", key);
}

void lashi_check_run(lashi_check *check) {
    const lash_model *model = check->model;
    const lash_run_def *run = &model->run;
    lashi_subject subject = {"model", NULL};
    lashi_check_keys(check, subject, run, &lashi_run_kind, "run");

    check_moment(check, "run.until", run->begin, run->until, run->until_turns, run->until_drive);
    check_moment(check, "run.discard", run->begin, run->discard, run->discard_turns, run->discard_drive);
    if (run->discard >= run->until)
        lashi_complain(check, subject, "run.discard",
                       "run.discard (%g s) leaves nothing of the run, which ends at %g s; discard less, or 0",
                       run->discard, run->until);
    const bool settles = run->start && strcmp(run->start, "settled") == 0;
    if (settles && (!isnan(run->discard) || !isnan(run->discard_turns)))
        lashi_complain(check, subject, "run.discard",
                       "run.discard and run.start: settled both leave the transient out; give one of them");
    if (settles && isnan(run->settle_period) && model->drive_count == 0)
        lashi_complain(check, subject, "run.start",
                       "run.start: settled counts turns of the first drive, and there is none; give "
                       "settle_period, the period of what excites the machine");
    const struct {
        const char *key;
        double value;
    } tolerances[] = {{"run.rtol", run->rtol}, {"run.atol", run->atol}};
    for (size_t i = 0; i < 2; i++) {
        if (tolerances[i].value >= 1)
            lashi_complain(check, subject, tolerances[i].key,
                           "%s %g is too large; a tolerance must be smaller than 1, for example 1e-8",
                           tolerances[i].key, tolerances[i].value);
        else if (tolerances[i].value > 0 && tolerances[i].value < LEAST_TOLERANCE)
            lashi_complain(check, subject, tolerances[i].key,
                           "%s %g is finer than double precision allows: at least %g, for example 1e-10",
                           tolerances[i].key, tolerances[i].value, LEAST_TOLERANCE);
    }
    if (!isnan(run->samples) && !isnan(run->every))
        lashi_complain(check, subject, "run.every",
                       "run.samples and run.every are both given; give one of them");
    if (run->first_step > run->max_step)
        lashi_complain(check, subject, "run.first_step",
                       "run.first_step (%g s) must not be longer than run.max_step (%g s)", run->first_step,
                       run->max_step);
}
