/* SPDX-License-Identifier: MIT
 *
 * Summaries in words and numbers, one line per fact with a label in front.
 */
#include "cli/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page.h"
#include "cli/talk.h"
#include "lash/scene.h"

static const double PI = 3.14159265358979323846;

enum { LABEL_WIDTH = 22 };
/* Gains of Baumgarte, 1/s, up to which they cost nothing. Gain times mean step: above the first value the
 * gain limits the step; above the second it does not, since the method is stable with it. */
static const double USUAL_GAIN = 25, GAIN_FELT = 0.3, GAIN_PASSED = 8;
/* Share of stiff steps from which another method is advised. */
static const double STIFF_SHARE = 0.1;

static void line(FILE *stream, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void line(FILE *stream, const char *label, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stream, "  %-*s ", LABEL_WIDTH, label);
    vfprintf(stream, format, arguments);
    fputc('\n', stream);
    va_end(arguments);
}

static void heading(FILE *stream, const char *text) {
    fputs(lashi_talk_paint(stream, LASHI_BOLD), stream);
    lashi_talk_foreign(stream, text);
    fprintf(stream, "%s\n", lashi_talk_paint(stream, LASHI_PLAIN));
}

static void warn(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void warn(FILE *stream, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stream, "  %swarning:%s ", lashi_talk_paint(stream, LASHI_YELLOW),
            lashi_talk_paint(stream, LASHI_PLAIN));
    vfprintf(stream, format, arguments);
    fputc('\n', stream);
    va_end(arguments);
}

// ---- the system

void lashi_report_system(FILE *stream, const lash_system *system) {
    const char *title = lash_model_title(lash_system_model(system)), *redundant;
    heading(stream, title[0] ? title : "Model without title");
    line(stream, "bodies", "%zu", lash_system_body_count(system));
    line(stream, "joints", "%zu", lash_system_joint_count(system));
    int freedoms = lash_system_freedoms(system), mobility = lash_system_mobility(system);
    if (freedoms == mobility)
        line(stream, "degrees of freedom", "%d", freedoms);
    else
        line(stream, "degrees of freedom", "%d with the drives, %d without", freedoms, mobility);
    size_t count = 0;
    while (lash_system_redundant(system, count))
        count++;
    if (count == 0)
        return;
    line(stream, "redundant constraints", "%zu", count);
    for (size_t i = 0; (redundant = lash_system_redundant(system, i)) != NULL; i++)
        line(stream, "", "%s", redundant);
    line(stream, "", "the motion is not affected; of all possible reactions those of least norm are given");
}

/* What a wrong unit or a missing minus shows in. */
void lashi_report_scales(FILE *stream, const lash_system *system) {
    char size[LASH_QUANTITY_TEXT], mass[LASH_QUANTITY_TEXT], g[LASH_QUANTITY_TEXT];
    double gravity[3];
    lash_scene_gravity(gravity, lash_system_model(system));
    const double most = sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    line(stream, "size", "%s, %s in all", lash_quantity_write(size, lash_system_size(system), "m"),
         lash_quantity_write(mass, lash_system_mass(system), "kg"));
    if (most > 0)
        line(stream, "gravity", "%s, along [%.3g, %.3g, %.3g]", lash_quantity_write(g, most, "m/s^2"),
             gravity[0] / most, gravity[1] / most, gravity[2] / most);
    else
        line(stream, "gravity", "none");
}

void lashi_report_start(FILE *stream, const lash_system *system) {
    char change[LASH_QUANTITY_TEXT];
    lash_start_value value;
    const char *label = "moved by assembly";
    for (size_t i = 0; lash_system_start_value(&value, system, i); i++)
        if (!value.moves) {
            line(stream, label, "%s: %s by %s", value.body, value.quantity,
                 lash_quantity_write(change, value.change, value.unit));
            label = "";
        }
}

void lashi_report_tolerance(FILE *stream, const lash_system *system) {
    const char *joint;
    const double least = lash_system_least_rtol(system, &joint);
    if (joint)
        line(stream, "least rtol", "%.2g; below it rounding dominates in the play of '%s'", least, joint);
}

void lashi_report_each_warning(char *text, void (*take)(void *user, const char *warning), void *user) {
    char *rest = text;
    if (!text)
        take(user, "out of memory: warnings are left out");
    for (const char *warning; rest && (warning = strsep(&rest, "\n")) != NULL;)
        if (*warning)
            take(user, warning);
    free(text);
}

static void print_warning(void *stream, const char *warning) {
    warn(stream, "%s", warning);
}

void lashi_report_warnings(FILE *stream, char *text) {
    lashi_report_each_warning(text, print_warning, stream);
}

static void film(FILE *stream, const lash_clearance_info *info) {
    char a[LASH_QUANTITY_TEXT], b[LASH_QUANTITY_TEXT];
    line(stream, "film", "%s", info->film);
    line(stream, "viscosity", "%s", lash_quantity_write(a, info->viscosity, "Pa s"));
    if (isfinite(info->length_ratio))
        line(stream, "length/diameter", "%.4g", info->length_ratio);
    if (info->inlet && isfinite(info->groove))
        line(stream, "inlet", "groove at %.4g deg, turning with the bearing", info->groove * 180 / PI);
    else if (info->inlet)
        line(stream, "inlet", "%s", info->inlet);
    if (isfinite(info->table_error))
        line(stream, "table of the film", "within %.2g %% of the force; e/c > 0.95: %.2g %% of the largest",
             100 * info->table_error, 100 * info->table_error_thin);
    if (info->transition > 0) {
        line(stream, "film to dry contact", "over e0 = %s; film of clearance + e1, e1 = %s",
             lash_quantity_write(a, info->transition, "m"), lash_quantity_write(b, info->reserve, "m"));
        line(stream, "",
             "at its end the dry contact carries %s; a film that carries more lets the journal drop",
             lash_quantity_write(a, info->transition_force, "N"));
    } else {
        line(stream, "film to dry contact", "none: the film carries everything");
    }
    if (info->film_warning)
        warn(stream, "%s", info->film_warning);
}

/* The unit of forces of a contact, by that of its depth. */
static const char *force_unit(const lash_clearance_info *info) {
    return strcmp(info->unit, "rad") == 0 ? "N m" : "N";
}

static void clearance(FILE *stream, const lash_clearance_info *info) {
    char a[LASH_QUANTITY_TEXT], b[LASH_QUANTITY_TEXT], c[LASH_QUANTITY_TEXT];
    const bool turning = strcmp(info->unit, "rad") == 0;
    line(stream, "kind", "%s", info->kind);
    if (info->shape)
        line(stream, "shape", "%s", info->shape);
    else
        line(stream, "radial clearance", "%s (bearing %s, journal %s)",
             lash_quantity_write(a, info->radial, "m"), lash_quantity_write(b, info->bearing_radius, "m"),
             lash_quantity_write(c, info->journal_radius, "m"));
    if (!info->law) { // contact as a constraint
        line(stream, "contact", "%s", info->model);
        if (isfinite(info->restitution))
            line(stream, "restitution", "%.4g", info->restitution);
        line(stream, "friction", "%s", info->friction);
        if (info->start)
            line(stream, "start", "%s", info->start);
        return;
    }
    line(stream, "contact law", "%s", info->law);
    if (info->stiffness > 0)
        line(stream, "stiffness", turning ? "%.4g N m/rad^%g" : "%.4g N/m^%g", info->stiffness,
             info->exponent);
    else
        line(stream, "stiffness", "implicit in the law");
    if (isfinite(info->restitution_asked))
        line(stream, "restitution asked for", "%.4g", info->restitution_asked);
    line(stream, "restitution given", "%.4g", info->restitution);
    if (info->viscous > 0)
        line(stream, "damping", turning ? "%.4g N m s/rad" : "%.4g N s/m", info->viscous);
    if (info->damping > 0)
        line(stream, "damping factor", "h = %.4g, approach: %s", info->damping, info->approach);
    if (info->remembers)
        line(stream, "", "in lasting contact the damping depends on the speed with which that contact began");
    line(stream, "friction", "%s", info->friction);
    line(stream, turning ? "effective inertia" : "effective mass", turning ? "%.4g kg m^2" : "%.4g kg",
         info->effective_mass);
    line(stream, "typical impact", "at %s: lasts %s, %s deep, %s",
         lash_quantity_write(a, info->typical_speed, turning ? "rad/s" : "m/s"),
         lash_quantity_write(b, info->contact_time, "s"),
         lash_quantity_write(c, info->max_penetration, info->unit),
         lash_quantity_write((char[LASH_QUANTITY_TEXT]){0}, info->max_force, force_unit(info)));
    line(stream, "steps in contact", "of about %s", lash_quantity_write(a, info->step, "s"));
    if (isfinite(info->speed_limit))
        line(stream, "law is valid up to", "%s", lash_quantity_write(a, info->speed_limit, "m/s"));
    else if (!info->shape)
        line(stream, "law is valid up to", "not known; give the materials a density");
    if (info->warning)
        warn(stream, "%s", info->warning);
    if (isfinite(info->speed_limit) && info->typical_speed > info->speed_limit)
        warn(stream, "typical impacts are faster than the contact law is valid for");
    if (info->film)
        film(stream, info);
}

/* Of a contact whose surfaces wear, or are worn. */
static void wear(FILE *stream, const lash_worn_info *info) {
    const bool closed = info->shape.closed;
    if (info->k > 0)
        line(stream, "wear", "k = %.4g m^2/N: %.4g off the %s, %.4g off the %s", info->k, info->share[0],
             closed ? "bearing" : "channel", info->share[1], closed ? "journal" : "block");
    else
        line(stream, "wear", "none; the surfaces are as they are given");
    line(stream, "", "sectors of %.4g %s, worn by up to %.4g µm and %.4g µm",
         info->shape.pitch * (closed ? 180 / PI : 1e3), closed ? "deg" : "mm",
         1e6 * lash_worn_deepest(&info->shape, info->profile[0]),
         1e6 * lash_worn_deepest(&info->shape, info->profile[1]));
}

/* All about one contact but its name. */
static void contact(FILE *stream, const lash_system *system, size_t index) {
    const lash_clearance_info info = lash_system_clearance(system, index);
    clearance(stream, &info);
    for (size_t j = 0; j < lash_system_worn_count(system); j++) {
        const lash_worn_info worn = lash_system_worn(system, j);
        for (size_t c = 0; c < worn.contacts; c++)
            if (index == worn.contact[c])
                wear(stream, &worn);
    }
}

/* The same as a text, to be freed; NULL without memory. */
static char *contact_text(const lash_system *system, size_t index) {
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return NULL;
    contact(memory, system, index);
    if (fclose(memory) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Contacts that differ in name only, such as the corners of a block, stand together. */
void lashi_report_clearances(FILE *stream, const lash_system *system) {
    const size_t count = lash_system_clearance_count(system);
    for (size_t i = 0; i < count;) {
        const size_t first = i;
        char *text = contact_text(system, first), *next;
        bool same;
        fprintf(stream, "\n");
        do {
            heading(stream, lash_system_clearance(system, i++).joint);
            next = i < count ? contact_text(system, i) : NULL;
            same = text && next && strcmp(text, next) == 0;
            free(next);
        } while (same);
        contact(stream, system, first);
        free(text);
    }
}

// ---- the run

static const char *plural(size_t count) {
    return count == 1 ? "" : "s";
}

static void oiled(FILE *stream, const lash_clearance_summary *s) {
    char a[LASH_QUANTITY_TEXT];
    line(stream, "", "the film carried at most %s at t = %.9g s", lash_quantity_write(a, s->film_force, "N"),
         s->film_force_time);
    line(stream, "", "film alone %.3g %%, dry or mixed %.3g %% of the time", 100 * s->free_fraction,
         100 * (s->impact_fraction + s->following_fraction));
    if (s->min_film > 0)
        line(stream, "", "least film %s", lash_quantity_write(a, s->min_film, "m"));
    else
        line(stream, "", "no film left: pressed %s into the wall", lash_quantity_write(a, -s->min_film, "m"));
    line(stream, "", "%s lost in the film; pressed through %zu time%s",
         lash_quantity_write(a, s->film_loss, "J"), s->through, s->through == 1 ? "" : "s");
}

/* The largest force of a stretch of time, what it was made of and when it was. */
static void peak(FILE *stream, const char *what, const lash_peak *at, const lash_clearance_info *info) {
    const char *unit = force_unit(info);
    char a[LASH_QUANTITY_TEXT], b[LASH_QUANTITY_TEXT], c[LASH_QUANTITY_TEXT], d[LASH_QUANTITY_TEXT];
    lash_quantity_write(a, at->force, unit);
    if (!(at->force > 0))
        line(stream, "", "%s no force", what);
    else if (isnan(at->elastic)) // contact is a constraint
        line(stream, "", "%s %s at t = %.9g s", what, a, at->time);
    else
        line(stream, "", "%s %s at t = %.9g s: %s elastic, %s damping, %s deep", what, a, at->time,
             lash_quantity_write(b, at->elastic, unit), lash_quantity_write(c, at->damping, unit),
             lash_quantity_write(d, at->depth, info->unit));
}

/* The peak of the run and, where the drive has turned, that of the start apart from the rest. */
static void peaks(FILE *stream, const char *what, const lash_clearance_summary *s, bool turned,
                  const lash_clearance_info *info) {
    peak(stream, what, &s->peak, info);
    if (!turned || !(s->peak_force > 0))
        return;
    const bool first = s->first_turn.time == s->peak.time;
    peak(stream, first ? "after the first turn" : "in the first turn", first ? &s->later : &s->first_turn,
         info);
}

/* Permanent contact: where it would be lost. */
static void held(FILE *stream, const lash_clearance_summary *s, bool turned,
                 const lash_clearance_info *info) {
    static const double DEGREE = 3.14159265358979323846 / 180;
    if (!s->losses) {
        line(stream, s->joint, "contact is kept throughout");
    } else {
        line(stream, s->joint, "would lose contact %zu time%s, first at t = %.9g s", s->losses,
             s->losses == 1 ? "" : "s", s->first_loss);
        if (isfinite(s->first_loss_crank))
            line(stream, "", "at a crank angle of %.6g deg", s->first_loss_crank / DEGREE);
        line(stream, "", "for %.3g %% of the time the bearing would have to pull", 100 * s->free_fraction);
    }
    peaks(stream, s->losses ? "pressed or pulled by at most" : "pressed by at most", s, turned, info);
}

/* Three modes: impacts take no time and nothing is pressed in. */
static void met(FILE *stream, const lash_clearance_summary *s, bool turned, const lash_clearance_info *info) {
    char a[LASH_QUANTITY_TEXT];
    line(stream, "", "free flight %.3g %%, following %.3g %% of the time", 100 * s->free_fraction,
         100 * s->following_fraction);
    peaks(stream, "following, pressed by at most", s, turned, info);
    line(stream, "", "%s lost", lash_quantity_write(a, s->energy_lost, "J"));
}

static void played(FILE *stream, const lash_clearance_summary *s, const lash_clearance_info *info,
                   bool turned) {
    char a[LASH_QUANTITY_TEXT], b[LASH_QUANTITY_TEXT];
    if (strcmp(s->model, "permanent-contact") == 0) {
        held(stream, s, turned, info);
        return;
    }
    const bool rigid = strcmp(s->model, "three-mode") == 0;
    if (rigid)
        line(stream, s->joint, "%zu impact%s, %zu time%s following", s->impacts, plural(s->impacts),
             s->contacts, plural(s->contacts));
    else
        line(stream, s->joint, "%zu impact%s in %zu contact%s", s->impacts, plural(s->impacts), s->contacts,
             plural(s->contacts));
    if (isfinite(s->impacts_per_turn))
        line(stream, "", "%.3g impact%s per turn", s->impacts_per_turn, s->impacts_per_turn == 1 ? "" : "s");
    if (s->lubricated)
        oiled(stream, s);
    else if (rigid)
        met(stream, s, turned, info);
    else
        line(stream, "", "free flight %.3g %%, impact %.3g %%, following %.3g %% of the time",
             100 * s->free_fraction, 100 * s->impact_fraction, 100 * s->following_fraction);
    if (!rigid && s->contacts) {
        peaks(stream, s->lubricated ? "dry contact: at most" : "at most", s, turned, info);
        line(stream, "", "%s deep at most, at t = %.9g s; %s lost%s",
             lash_quantity_write(a, s->peak_penetration, info->unit), s->peak_penetration_time,
             lash_quantity_write(b, s->energy_lost, "J"), s->lubricated ? " in all" : "");
    }
    if (isfinite(s->worn))
        line(stream, "", "%.4g mm^3 worn off: load times sliding is %s, friction took %s", 1e9 * s->worn,
             lash_quantity_write(a, s->sliding_work, "J"), lash_quantity_write(b, s->friction_loss, "J"));
}

static void where(FILE *stream, const lashi_job *job) {
    if (job->csv && strcmp(job->csv, "-") != 0)
        line(stream, "rows", "%s", job->csv);
    if (!job->result)
        return;
    line(stream, "result", "%s", job->result);
    line(stream, "look at it", "lash %s %s", lashi_page_is_there() ? "report" : "export", job->result);
}

/* start: settled: how long that took, if it was reached. */
static void settled(FILE *stream, const lash_summary *s, const lash_run_def *run) {
    char a[LASH_QUANTITY_TEXT];
    if (s->settled_to <= run->settle_tolerance)
        line(stream, "settled", "after %zu turn%s, at t = %s; the last repeats to %.2g", s->settled_turns,
             plural(s->settled_turns), lash_quantity_write(a, s->discard, "s"), s->settled_to);
}

/* What was after the transient. */
static void after(FILE *stream, const lash_clearance_summary *s, const lash_clearance_info *info) {
    if (s->after.contacts == 0 && s->after.peak.force > 0)
        line(stream, "", "after the transient: no new contact; one that began before it lasts");
    else
        line(stream, "", "after the transient: %zu impact%s in %zu contact%s", s->after.impacts,
             plural(s->after.impacts), s->after.contacts, plural(s->after.contacts));
    peak(stream, "and at most", &s->after.peak, info);
}

/* Many steps were limited by stability: what makes them longer. */
static void limited(FILE *stream, const lash_summary *s, const lash_run_def *run) {
    const lash_clearance_summary *most = NULL;
    size_t of_contacts = 0;
    for (size_t i = 0; i < s->clearance_count; i++) {
        of_contacts += s->clearances[i].stiff_steps;
        if (!most || s->clearances[i].stiff_steps > most->stiff_steps)
            most = &s->clearances[i];
    }
    if (2 * of_contacts > s->stiff_steps)
        line(stream, "hint",
             "stability, not accuracy, limited %zu of %zu steps, %zu of them by the damping of contacts that "
             "began slowly, in "
             "'%s' most often: approach: energy bounds that damping",
             s->stiff_steps, s->steps, of_contacts, most->joint);
    else
        line(stream, "hint",
             "stability, not accuracy, limited %zu of %zu steps: --method gear may be faster than %s",
             s->stiff_steps, s->steps, run->method);
}

void lashi_report_run(const lashi_job *job, const lash_summary *s) {
    FILE *stream = stderr;
    char a[LASH_QUANTITY_TEXT], b[LASH_QUANTITY_TEXT];
    const lash_run_def *run = lash_model_run(job->model);
    lashi_report_system(stream, job->system);
    if (s->steps > 0) { // not after kinematics, which takes no steps
        line(stream, "time", "%s to %s", lash_quantity_write(a, s->start, "s"),
             lash_quantity_write(b, s->end, "s"));
        if (s->settled_turns)
            settled(stream, s, run);
        else if (isfinite(s->discard))
            line(stream, "transient", "until %s", lash_quantity_write(a, s->discard, "s"));
        const char *why;
        const bool compiled = lash_sim_is_compiled(job->sim, &why);
        line(stream, "method", "%s, rtol %.3g, %s equations%s%s%s", run->method, run->rtol,
             lash_system_solver(job->system), compiled ? ", compiled" : "", *why ? ", not compiled: " : "",
             why);
        line(stream, "steps", "%zu, and %zu rejected", s->steps, s->rejected);
        line(stream, "evaluations", "%zu for the steps, %zu for events and rows", s->evaluations, s->looks);
        line(stream, "wall time", "%s", lashi_talk_duration(a, s->wall_time));
        line(stream, "constraints", "violated by at most %.3g m or rad, %.3g m/s or rad/s",
             s->max_position_violation, s->max_velocity_violation);
        lash_quantity_write(a, s->max_balance_error, "J");
        if (s->energy_exchanged > s->balance_allowed)
            line(stream, "energy balance", "within %s, %.2g of the energy exchanged", a,
                 s->max_balance_error / s->energy_exchanged);
        else
            line(stream, "energy balance", "within %s; almost no energy was exchanged", a);
    }
    for (size_t i = 0; i < s->clearance_count; i++) {
        const lash_clearance_info info = lash_system_clearance(job->system, i);
        played(stream, &s->clearances[i], &info, isfinite(s->first_turn_end) && isnan(s->discard));
        if (isfinite(s->discard))
            after(stream, &s->clearances[i], &info);
        if (s->clearances[i].start)
            line(stream, "", "started %s", s->clearances[i].start);
    }
    lashi_report_warnings(stream, lash_summary_warnings(s));
    // A few such steps are the ends of contacts; a tenth of all is a stiff film, spring or contact.
    if (STIFF_SHARE * (double)s->steps < (double)s->stiff_steps)
        limited(stream, s, run);
    const double gain = fmax(run->alpha, run->beta), of_step = gain * (s->end - s->start) / (double)s->steps;
    if (strcmp(run->stabilisation, "baumgarte") == 0 && gain > USUAL_GAIN && of_step > GAIN_FELT &&
        of_step < GAIN_PASSED)
        line(stream, "hint",
             "the gains of Baumgarte's stabilisation, alpha %g and beta %g 1/s, keep the steps as short as "
             "%s: smaller ones (5 1/s) or stabilisation: projection may be faster",
             run->alpha, run->beta, lash_quantity_write((char[LASH_QUANTITY_TEXT]){0}, of_step / gain, "s"));
    where(stream, job);
}
