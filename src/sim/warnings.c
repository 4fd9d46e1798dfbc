/* SPDX-License-Identifier: MIT
 *
 * What the reader of a model or of a result should know before trusting it, in words. One list, which the
 * program prints, files keep and pages show.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "lash/quantity.h"
#include "sim/sim.h"

/* A change of a place at the start that is reported, as a share of the mechanism's size or in rad. */
static const double ELSEWHERE = 0.3;
/* Share of the errors that fail a run from which they are reported. */
static const double DOUBTFUL = 0.1;
/* Share of a peak force that is nearly all of it. */
static const double NEARLY_ALL = 0.9;

static void warn(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void warn(FILE *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    fputc('\n', out);
    va_end(arguments);
}

// ---- the system

enum { LIST = 96 };

/* "12", or "[1, 2]"; rounding beside the largest is 0. */
static const char *numbers(char out[LIST], const double *values, int count) {
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(values[i]));
    int used = snprintf(out, LIST, count > 1 ? "[" : "");
    for (int i = 0; i < count; i++)
        used += snprintf(out + used, (size_t)(LIST - used), "%s%.4g", i ? ", " : "",
                         fabs(values[i]) < 1e-9 * largest ? 0 : values[i]);
    snprintf(out + used, (size_t)(LIST - used), count > 1 ? "]" : "");
    return out;
}

/* Places that assembly has changed much, then velocities. */
static void start(FILE *out, const lash_system *system) {
    char a[LIST], b[LIST], change[LASH_QUANTITY_TEXT];
    lash_start_value value;
    for (size_t i = 0; lash_system_start_value(&value, system, i); i++)
        if (!value.moves && value.share > ELSEWHERE)
            warn(out,
                 "body '%s' starts elsewhere: assembly has changed its %s by %s to close the joints; draw it "
                 "nearer, or hold: [%s]",
                 value.body, value.quantity, lash_quantity_write(change, value.change, value.unit),
                 value.hold);
    for (size_t i = 0; lash_system_start_value(&value, system, i); i++)
        if (value.moves)
            warn(out,
                 "body '%s' is given %s: %s %s and starts with %s %s, since what is given does not fit the "
                 "joints, and velocities that are not given count as 0; hold: [%s] keeps it",
                 value.body, value.quantity, numbers(a, value.given, value.size), value.unit,
                 numbers(b, value.start, value.size), value.unit, value.hold);
}

static bool is_loose(const lash_system *system, int b) {
    for (int k = 0; k < system->joint_count; k++)
        for (int slot = 0; slot < LASHI_SLOTS; slot++)
            if (system->joints[k].body[slot] == b)
                return false;
    for (int k = 0; k < system->force_count; k++)
        for (int slot = 0; slot < LASHI_SLOTS; slot++)
            if (system->forces[k].body[slot] == b || system->forces[k].coordinate.body[slot] == b)
                return false;
    return true;
}

/* Bodies that were probably forgotten; without any joint they are meant to be free. */
static void loose(FILE *out, const lash_system *system) {
    for (int b = 1; b < system->bodies && system->joint_count > 0; b++)
        if (is_loose(system, b))
            warn(out,
                 "body '%s' is joined to nothing and no force acts on it%s: it moves by itself and affects "
                 "nothing else; name it in `between` of a joint, or leave it out",
                 system->body_names[b], lashi_length3(system->gravity) > 0 ? " but its weight" : "");
}

/* Ideal teeth roll without play whatever their distance: what pushes their wheels apart then does work that
 * comes from nowhere. */
static void teeth(FILE *out, const lash_system *system) {
    for (int c = 0; c < system->motion.count; c++)
        if (lashi_teeth_part(system, &system->motion.items[c]))
            warn(out,
                 "joint '%s': its pressure angle pushes apart wheels that can give way, and ideal teeth have "
                 "no play that would grow with their distance: this work is missing in the energy balance; "
                 "give the joint a `backlash` (normal: 0 is allowed), or no pressure_angle",
                 system->motion.items[c].name);
}

/* A tolerance that is finer than rounding allows. */
static void tolerance(FILE *out, const lash_system *system) {
    const char *joint;
    const double least = lash_system_least_rtol(system, &joint);
    const lash_run_def *run = &system->model->run;
    const double given = isnan(run->atol) ? run->rtol : run->atol;
    if (joint && given < least)
        warn(out, "%s %.3g is below %.2g, where rounding dominates in the play of '%s'",
             isnan(run->atol) ? "rtol" : "atol", given, least, joint);
}

static void of_system(FILE *out, const lash_system *system, bool integrates) {
    loose(out, system);
    start(out, system);
    if (integrates) {
        teeth(out, system);
        tolerance(out, system);
    }
}

// ---- the run

/* Whether an error is worth a word. What fails the run is reported by its error. */
static bool doubtful(double error, double allowed) {
    return error > DOUBTFUL * allowed && error <= allowed;
}

/* A motion so small beside the machine that its coordinates have not enough digits. */
static void smallness(FILE *out, const lash_summary *s) {
    const lash_run_def *run = &s->system->model->run;
    const double given = isnan(run->atol) ? run->rtol : run->atol;
    if (s->least_rtol > given && lash_system_least_rtol(s->system, NULL) <= given)
        warn(out,
             "this motion is so small beside the machine, or its distance from the origin, that rounding of "
             "coordinates alone is %.2g of it: %s %.3g is not reached",
             s->least_rtol, isnan(run->atol) ? "rtol" : "atol", given);
}

static void accuracy(FILE *out, const lash_summary *s) {
    smallness(out, s);
    if (doubtful(s->max_position_violation, s->violation_allowed))
        warn(out,
             "joints were apart by up to %.3g m or rad: look for a jump in a drive's motion, lower rtol, or "
             "try run: {stabilisation: projection}",
             s->max_position_violation);
    if (doubtful(s->max_balance_error, s->balance_allowed))
        warn(out,
             "the energy balance is off by %.3g %% of the energy exchanged: further digits mean nothing; "
             "lower rtol",
             100 * s->max_balance_error / s->energy_exchanged);
    const double tolerance = s->system->model->run.settle_tolerance;
    if (s->settled_turns && !(s->settled_to <= tolerance))
        warn(out,
             "the motion has not settled: after %zu turns the last differs from the one before by %.2g, and "
             "settle_tolerance is %.2g. It may have a longer period, or none",
             s->settled_turns, s->settled_to, tolerance);
}

/* What can be doubtful in a contact. */
enum { DAMPED, PEAK, DEEP, FAST, SLOW, CHATTER, DROPPED, PRESSED, DOUBTS };

/* How often it was. */
static size_t count_of(int doubt, const lash_clearance_summary *s, const lashi_contact *contact) {
    switch (doubt) {
    case DAMPED: return s->damped;
    case PEAK:
        return s->peak.damping > NEARLY_ALL * s->peak.force && contact->normal.scale == LASHI_SCALE_FIRST &&
               !(contact->normal.p->viscous > 0);
    case DEEP: return s->deep;
    case FAST: return s->above_validity;
    case SLOW: return s->floor_used;
    case CHATTER: return s->chatter;
    case DROPPED: return s->dropped;
    default: return s->over_pressure;
    }
}

static void say(FILE *out, int doubt, size_t count, const lash_clearance_summary *s,
                const lashi_contact *contact) {
    const char *force = contact->unit[0] == 'r' ? "N m" : "N", *more = count == 1 ? "" : "s";
    char a[LASH_QUANTITY_TEXT], b[LASH_QUANTITY_TEXT];
    fprintf(out, "joint %s: ", s->joint);
    switch (doubt) {
    case DAMPED:
        warn(out,
             "in %zu contact%s more than half of the force was damping, at most %s of %s at t = %.9g s; %s",
             count, more, lash_quantity_write(a, s->damped_peak.damping, force),
             lash_quantity_write(b, s->damped_peak.force, force), s->damped_peak.time,
             contact->normal.p->viscous > 0 ? "its damper is linear and acts from the first touch on"
             : contact->normal.scale != LASHI_SCALE_FIRST ? "with so low a restitution contacts mostly damp"
             : count == 1 ? "a contact's damping is scaled by the speed it began with, and this one was "
                            "pressed faster later: compare with approach: energy"
                          : "a contact's damping is scaled by the speed it began with, and these were "
                            "pressed faster later: compare with approach: energy");
        break;
    case PEAK:
        warn(out,
             "%.0f %% of its peak force, %s at t = %.9g s, is damping: it shows how the law scales its "
             "damping, not what the joint carries. Give approach: energy, which bounds it",
             100 * s->peak.damping / s->peak.force, lash_quantity_write(a, s->peak.force, force),
             s->peak.time);
        break;
    case DEEP:
        warn(out,
             "%zu contact%s went deeper than the clearance of %s, at most %s at t = %.9g s: contact laws are "
             "not derived for that; check stiffness, materials and load",
             count, more, lash_quantity_write(a, contact->p->room, contact->unit),
             lash_quantity_write(b, s->peak_penetration, contact->unit), s->peak_penetration_time);
        break;
    case FAST: warn(out, "%zu contact%s began faster than the contact law is valid for", count, more); break;
    case SLOW:
        warn(out, "%zu contact%s began slower than contact.speed_floor, which was used instead", count, more);
        break;
    case CHATTER:
        if (contact->normal.switches_at_turning)
            warn(out,
                 "%zu time%s its law changed between loading and unloading, or bounces were too short to "
                 "follow: with "
                 "%s it rests where both push back, in very short steps; take another law, such as "
                 "lankarani-nikravesh, for contact that lasts",
                 count, more, contact->normal.kind->name);
        else
            warn(out, "%zu time%s bounces too short to follow were taken as lasting contact", count, more);
        break;
    case DROPPED:
        warn(out,
             "%zu time%s its film was pressed through while it carried more, up to %s, than the dry contact "
             "does at that depth: the journal drops there until the contact carries; a larger lubricant.e0 "
             "avoids it",
             count, more, lash_quantity_write(a, s->dropped_from, "N"));
        break;
    default:
        warn(out,
             "%zu time%s the pressure of its film rose above %s, which hardened steel does not withstand, to "
             "%s at t = %.9g s: rigid walls and oil of constant viscosity do not describe it there",
             count, more, lash_quantity_write(a, LASH_STEEL_PRESSURE, "Pa"),
             lash_quantity_write(b, s->film_pressure, "Pa"), s->film_pressure_time);
    }
}

/* Contacts of one joint with the same play, such as the corners of a block. */
static bool are_alike(const lashi_contact *a, const lashi_contact *b) {
    return a->joint == b->joint && a->kind == b->kind && a->p->room == b->p->room;
}

/* Takes over what is larger in another contact. */
static void take_larger(lash_clearance_summary *to, const lash_clearance_summary *s) {
    if (s->peak.force > to->peak.force)
        to->peak = s->peak;
    if (s->damped_peak.force > to->damped_peak.force)
        to->damped_peak = s->damped_peak;
    if (s->peak_penetration > to->peak_penetration) {
        to->peak_penetration = s->peak_penetration;
        to->peak_penetration_time = s->peak_penetration_time;
    }
    to->dropped_from = fmax(to->dropped_from, s->dropped_from);
    if (s->film_pressure > to->film_pressure) {
        to->film_pressure = s->film_pressure;
        to->film_pressure_time = s->film_pressure_time;
    }
}

/* A doubt that alike contacts share is said once, of their joint. */
static void doubt_contact(FILE *out, int doubt, const lash_summary *s, size_t k) {
    const lash_system *system = s->system;
    const lashi_contact *contact = &system->contacts[k];
    lash_clearance_summary all = s->clearances[k];
    size_t count = count_of(doubt, &all, contact);
    if (!count)
        return;
    for (size_t i = 0; i < s->clearance_count; i++) {
        const size_t here = count_of(doubt, &s->clearances[i], &system->contacts[i]);
        if (i == k || !here || !are_alike(&system->contacts[i], contact))
            continue;
        if (i < k) // it was said there
            return;
        count += here;
        take_larger(&all, &s->clearances[i]);
        all.joint = system->joints[contact->joint].name;
    }
    say(out, doubt, count, &all, contact);
}

static void contacts(FILE *out, const lash_summary *s) {
    for (size_t k = 0; k < s->clearance_count; k++)
        for (int doubt = 0; doubt < DOUBTS; doubt++)
            doubt_contact(out, doubt, s, k);
}

// ---- as texts

/* Of a run, or of a system that has not run. */
static char *text_of(const lash_system *system, const lash_summary *summary) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    const lashi_plain_numbers plain = lashi_plain_numbers_begin();
    of_system(out, system, !summary || summary->steps > 0);
    if (summary) {
        if (summary->steps > 0) // not after kinematics, which takes no steps
            accuracy(out, summary);
        contacts(out, summary);
    }
    lashi_plain_numbers_end(plain);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

char *lash_system_warnings(const lash_system *system) {
    return system ? text_of(system, NULL) : NULL;
}

char *lash_summary_warnings(const lash_summary *summary) {
    return summary && summary->system ? text_of(summary->system, summary) : calloc(1, 1);
}
