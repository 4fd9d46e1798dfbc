/* SPDX-License-Identifier: MIT
 *
 * Drives and forces as functions of time: where they break (math/breaks.h), and what happens there.
 *
 * From one break to the next all of them are smooth, and the integrator steps from break to break. A force
 * may jump there, and so may the acceleration of a drive. A drive whose position jumps would move the machine
 * at infinite speed; one whose speed jumps would be an impact. Both are refused, and so are values that are
 * not finite.
 */
#include "system/system.h"

#include <math.h>

#include "base/error.h"
#include "math/breaks.h"

/* Number of breaks that are checked before a run begins. */
enum { MOST_CHECKED = 256 };
/* Jump, as a share of a drive's position or speed or of a force, that is rounding. */
static const double NO_JUMP = 1e-9;
/* The same in angles of 1 rad or sizes of the machine, and in these per second: near zero all is rounding. */
static const double NOTHING = 1e-14;

/* The piece from t to the next break. */
static lashi_piece smooth_from(const lash_system *system, double t) {
    if (!system->breaks)
        return (lashi_piece){INFINITY, (double)NAN, false, false};
    // Up to the end of the run; beyond it a limit that grows with t.
    const double limit = t < system->end ? system->end : 2 * t + 1;
    double T = limit;
    const lashi_machine *machine = &system->machine;
    for (int k = 0; k < machine->time_count; k++)
        if (machine->times[k].expression)
            T = lashi_expression_next_break(machine->times[k].expression, t, T);
    for (int d = 0; d < system->drive_count; d++) {
        const lashi_profile *profile = &lashi_drive_constraint(system, d)->profile;
        if (profile->type == LASHI_PROFILE_EXPRESSION)
            T = lashi_profile_next_break(profile, t, T);
    }
    const double expressions = T;
    for (int d = 0; d < system->drive_count; d++)
        T = lashi_profile_next_break(&lashi_drive_constraint(system, d)->profile, t, T);
    for (int k = 0; k < machine->time_count; k++)
        if (machine->times[k].table)
            T = lashi_table_next_break(machine->times[k].table, t, T);
    T = lashi_next_sample(machine, t, T);
    return (lashi_piece){T, 0.5 * (t + T), T < limit && T == expressions, false};
}

/* Whether a drive or a force changes in the piece that begins at t. */
static bool varies_in(const lash_system *system, double t, lashi_piece piece) {
    for (int d = 0; d < system->drive_count; d++)
        if (lashi_profile_has_breaks(&lashi_drive_constraint(system, d)->profile))
            return true;
    for (int k = 0; k < system->machine.time_count; k++) {
        const lash_expression *e = system->machine.times[k].expression;
        const lashi_bounds rate =
            e ? lashi_expression_bounds(e, t, piece.end, piece.inside).df : (lashi_bounds){-1, 1};
        if (rate.low != 0 || rate.high != 0)
            return true;
    }
    return false;
}

lashi_piece lashi_piece_from(const lash_system *system, double t) {
    const lashi_piece smooth = smooth_from(system, t);
    if (!system->breaks)
        return smooth;
    // A step must not pass over a pulse either: its stages might not see it.
    double T = smooth.end;
    for (int d = 0; d < system->drive_count; d++)
        T = lashi_profile_next_pulse(&lashi_drive_constraint(system, d)->profile, t, T, smooth.inside);
    for (int k = 0; k < system->machine.time_count; k++)
        if (system->machine.times[k].expression)
            T = lashi_expression_next_pulse(system->machine.times[k].expression, t, T, smooth.inside);
    const lashi_piece piece = {T, 0.5 * (t + T), smooth.anew && T == smooth.end, false};
    return (lashi_piece){piece.end, piece.inside, piece.anew, varies_in(system, t, piece)};
}

static bool differ(double a, double b, double scale) {
    return fabs(a - b) > NO_JUMP * scale;
}

/* ---- drives ---- */

static lash_status not_finite(const char *what, const char *name, const char *which, double t,
                              lash_error *error) {
    return lashi_fail_at(error, LASH_ERROR_NOT_FINITE, t, name,
                         "%s '%s': %s no finite value at t = %.9g s: a division by zero, an overflow, or an "
                         "argument outside the range of its function. Keep it away from there, for example "
                         "with if(…), min or max",
                         what, name, which, t);
}

static lash_status table_ends(const char *word, const char *name, const lash_table *table, double t,
                              lash_error *error) {
    return lashi_fail_at(error, LASH_ERROR_LIMIT, t, name,
                         "%s '%s': its table has points from %g s to %g s and is needed at t = %.9g s. Add "
                         "points, shorten the run, or say how it continues: beyond: hold or extrapolate",
                         word, name, lashi_table_first(table), lashi_table_last(table), t);
}

static lash_status jump_of(const char *name, const lashi_constraint *drive, bool speed, double before,
                           double after, double t, lash_error *error) {
    const bool angle = drive->coordinate.type == LASHI_COORDINATE_ANGLE;
    const char *unit = angle ? (speed ? "rad/s" : "rad") : speed ? "m/s" : "m";
    const char *cure =
        drive->profile.type == LASHI_PROFILE_TABLE
            ? "a table has no corners with interpolation: spline or monotone, nor at its ends with "
              "beyond: extrapolate"
            : "smoothstep(x) and ramp(t, t0, t1) lead smoothly from 0 to 1, and so does a table";
    return lashi_fail_at(error, LASH_ERROR_MODEL, t, name,
                         "drive '%s': its %s jumps by %.4g %s at t = %.9g s, from %.9g to %.9g %s. %s; %s",
                         name, speed ? "speed" : "position", after - before, unit, t, before, after, unit,
                         speed ? "That is an impact of unknown force; make the motion smooth"
                               : "Nothing can move instantly; give it some time",
                         cure);
}

static lash_status pass_drive(bool *jumps, const char *name, const lashi_constraint *drive, double length,
                              double t, const double inside[2], lash_error *error) {
    const lashi_profile *profile = &drive->profile;
    const double near = lashi_time_resolution(t);
    if (!lashi_profile_has_breaks(profile))
        return LASH_OK;
    lashi_jet at[2];
    const double least = NOTHING / NO_JUMP * (drive->coordinate.type == LASHI_COORDINATE_ANGLE ? 1 : length);
    double position = least, speed = least;
    for (int side = 0; side < 2; side++) {
        at[side] = lashi_profile_jet_in(profile, t, inside[side]);
        if (profile->type == LASHI_PROFILE_TABLE && !lashi_table_covers(profile->table, inside[side]))
            return table_ends("drive", name, profile->table, t, error);
        // On the one side up to t, on the other from just after it.
        const double a = side ? t + near : t - 2 * near, b = side ? t + 3 * near : t;
        if (!isfinite(at[side].f) || !isfinite(at[side].df) || !isfinite(at[side].ddf) ||
            !lashi_profile_is_bounded(profile, a, b, inside[side]))
            return not_finite("drive", name, "its motion or one of its first two derivatives has", t, error);
        const lashi_jet between = lashi_profile_jet_in(profile, inside[side], inside[side]);
        position = fmax(position, fmax(fabs(at[side].f), fabs(between.f)));
        speed = fmax(speed, fmax(fabs(at[side].df), fabs(between.df)));
    }
    if (differ(at[0].f, at[1].f, position))
        return jump_of(name, drive, false, at[0].f, at[1].f, t, error);
    if (differ(at[0].df, at[1].df, speed))
        return jump_of(name, drive, true, at[0].df, at[1].df, t, error);
    *jumps = *jumps || differ(at[0].ddf, at[1].ddf, fmax(fabs(at[0].ddf), fabs(at[1].ddf)));
    return LASH_OK;
}

/* ---- forces, signals, inputs ---- */

static lash_status pass_function(bool *jumps, const lashi_time_function *function, double t,
                                 const double inside[2], lash_error *error) {
    const double near = lashi_time_resolution(t);
    const lash_expression *expression = function->expression;
    if (function->table) { // tables are continuous
        if (!lashi_table_covers(function->table, inside[1]))
            return table_ends(function->word, function->name, function->table, t, error);
        return LASH_OK;
    }
    if (!expression->breaks)
        return LASH_OK;
    double at[2];
    for (int side = 0; side < 2; side++) {
        const double a = side ? t + near : t - 2 * near, b = side ? t + 3 * near : t;
        const lashi_bounds bounds = lashi_expression_bounds(expression, a, b, inside[side]).f;
        at[side] = lashi_expression_jet_in(expression, t, inside[side]).f;
        if (!isfinite(at[side]) || !isfinite(bounds.low) || !isfinite(bounds.high))
            return not_finite(function->word, function->name, "its expression has", t, error);
    }
    *jumps = *jumps || differ(at[0], at[1], fmax(fabs(at[0]), fabs(at[1])));
    return LASH_OK;
}

lash_status lashi_piece_pass(bool *jumps, const lash_system *system, double t, lashi_piece before,
                             lashi_piece after, lash_error *error) {
    const double inside[2] = {before.inside, after.inside};
    lash_status status = LASH_OK;
    *jumps = false;
    for (int d = 0; !status && d < system->drive_count; d++)
        status = pass_drive(jumps, system->drives[d].name, lashi_drive_constraint(system, d), system->length,
                            t, inside, error);
    for (int k = 0; !status && k < system->machine.time_count; k++)
        status = pass_function(jumps, &system->machine.times[k], t, inside, error);
    return status;
}

/* ---- before the run ---- */

static bool any_breaks(const lash_system *system) {
    for (int d = 0; d < system->drive_count; d++)
        if (lashi_profile_has_breaks(&lashi_drive_constraint(system, d)->profile))
            return true;
    for (int k = 0; k < system->machine.time_count; k++) {
        const lash_expression *e = system->machine.times[k].expression;
        if (!e || !lashi_expression_is_constant(e))
            return true;
    }
    return lashi_next_sample(&system->machine, 0, INFINITY) < INFINITY;
}

lash_status lashi_find_pieces(lash_system *system, lash_error *error) {
    lash_status status = LASH_OK;
    system->breaks = any_breaks(system);
    for (int d = 0; !status && d < system->drive_count; d++) {
        const lash_table *table = lashi_drive_constraint(system, d)->profile.table;
        const double t = table && !lashi_table_covers(table, system->start) ? system->start : system->end;
        if (table && !lashi_table_covers(table, t))
            status = table_ends("drive", system->drives[d].name, table, t, error);
    }
    for (int k = 0; !status && k < system->machine.time_count; k++) {
        const lashi_time_function *function = &system->machine.times[k];
        const lash_table *table = function->table;
        const double t = table && !lashi_table_covers(table, system->start) ? system->start : system->end;
        if (table && isfinite(t) && !lashi_table_covers(table, t))
            status = table_ends(function->word, function->name, table, t, error);
    }
    lashi_piece piece = smooth_from(system, system->start);
    for (int k = 0; !status && k < MOST_CHECKED && piece.end < system->end; k++) {
        bool jumps;
        const lashi_piece next = smooth_from(system, piece.end);
        status = lashi_piece_pass(&jumps, system, piece.end, piece, next, error);
        piece = next;
    }
    if (status && error)
        error->status = LASH_ERROR_MODEL; // before the run it is the model that is wrong
    return status ? LASH_ERROR_MODEL : LASH_OK;
}
