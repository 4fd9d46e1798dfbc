/* SPDX-License-Identifier: MIT
 *
 * The names under which a summary and events are kept in files.
 */
#include "record/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

const char *const lashi_event_number_names[LASHI_EVENT_NUMBERS] = {
    "time",         "angle",     "speed",   "peak_force", "peak_penetration", "duration",  "energy_lost",
    "impact",       "rebound",   "impulse", "crank",      "elevation",        "peak_time", "peak_elastic",
    "peak_damping", "peak_depth"};

const char *lash_event_kind_name(lash_event_kind kind) {
    switch (kind) {
    case LASH_EVENT_ONSET: return "onset";
    case LASH_EVENT_RELEASE: return "release";
    case LASH_EVENT_THROUGH: return "through";
    case LASH_EVENT_FILM: return "film";
    case LASH_EVENT_LOST: return "contact-lost";
    case LASH_EVENT_REGAINED: return "contact-regained";
    case LASH_EVENT_IMPACT: return "impact";
    case LASH_EVENT_STICK: return "stick";
    case LASH_EVENT_SLIP: return "slip";
    case LASH_EVENT_KINDS: break;
    }
    return NULL;
}

typedef struct taker {
    void (*take)(void *user, const lashi_summary_entry *entry);
    void *user;
} taker;

static void text(const taker *to, const char *name, const char *value) {
    to->take(to->user, &(lashi_summary_entry){name, value, 0});
}

/* What is not defined (impacts per turn where nothing turns) is left out. */
static void number(const taker *to, const char *joint, const char *name, double value) {
    if (isnan(value))
        return;
    char full[LASH_ERROR_PLACE];
    snprintf(full, sizeof full, "%s%s%s", joint, joint[0] ? "." : "", name);
    to->take(to->user, &(lashi_summary_entry){full, NULL, value});
}

/* A peak under its own name: peak_force, peak_elastic and so on, with `when` in front. */
static void peak(const taker *to, const char *joint, const char *when, const lash_peak *at) {
    const struct {
        const char *name;
        double value;
    } parts[] = {{"peak_force", at->force},
                 {"peak_time", at->time},
                 {"peak_elastic", at->elastic},
                 {"peak_damping", at->damping},
                 {"peak_depth", at->depth}};
    char full[32];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(full, sizeof full, "%s%s", when, parts[i].name);
        if (!isnan(parts[i].value)) // a contact that is a constraint has no parts
            number(to, joint, full, parts[i].value);
    }
}

/* warning.1, warning.2, … */
static void warnings(const taker *to, const lash_summary *s) {
    char *all = lash_summary_warnings(s), *rest = all, name[32];
    if (!all)
        text(to, "warning.1", "out of memory: warnings are left out");
    int count = 0;
    for (const char *warning; rest && (warning = strsep(&rest, "\n")) != NULL;)
        if (*warning) {
            snprintf(name, sizeof name, "warning.%d", ++count);
            text(to, name, warning);
        }
    free(all);
}

void lashi_summary_each(const lash_summary *summary,
                        void (*take)(void *user, const lashi_summary_entry *entry), void *user) {
    const lash_summary *s = summary;
    const taker to = {take, user};
    text(&to, "status", lash_status_name(s->status));
    text(&to, "message", s->message);
    number(&to, "", "start", s->start);
    number(&to, "", "end", s->end);
    number(&to, "", "steps", (double)s->steps);
    number(&to, "", "rejected", (double)s->rejected);
    number(&to, "", "evaluations", (double)s->evaluations);
    number(&to, "", "looks", (double)s->looks);
    number(&to, "", "max_position_violation", s->max_position_violation);
    number(&to, "", "max_velocity_violation", s->max_velocity_violation);
    number(&to, "", "energy_exchanged", s->energy_exchanged);
    number(&to, "", "max_balance_error", s->max_balance_error);
    number(&to, "", "balance_allowed", s->balance_allowed);
    number(&to, "", "violation_allowed", s->violation_allowed);
    number(&to, "", "least_rtol", s->least_rtol);
    number(&to, "", "events", (double)s->events);
    number(&to, "", "stiff_steps", (double)s->stiff_steps);
    number(&to, "", "first_turn_end", s->first_turn_end);
    number(&to, "", "discard", s->discard);
    if (s->settled_turns) {
        number(&to, "", "settled_turns", (double)s->settled_turns);
        number(&to, "", "settled_to", s->settled_to);
    }
    for (size_t i = 0; i < s->clearance_count; i++) {
        const lash_clearance_summary *c = &s->clearances[i];
        number(&to, c->joint, "impacts", (double)c->impacts);
        number(&to, c->joint, "contacts", (double)c->contacts);
        number(&to, c->joint, "impacts_per_turn", c->impacts_per_turn);
        number(&to, c->joint, "free_fraction", c->free_fraction);
        number(&to, c->joint, "impact_fraction", c->impact_fraction);
        number(&to, c->joint, "following_fraction", c->following_fraction);
        peak(&to, c->joint, "", &c->peak);
        number(&to, c->joint, "peak_penetration", c->peak_penetration);
        number(&to, c->joint, "peak_penetration_time", c->peak_penetration_time);
        if (isfinite(s->first_turn_end)) {
            peak(&to, c->joint, "first_turn_", &c->first_turn);
            peak(&to, c->joint, "later_", &c->later);
        }
        if (isfinite(s->discard)) {
            number(&to, c->joint, "after_impacts", (double)c->after.impacts);
            number(&to, c->joint, "after_contacts", (double)c->after.contacts);
            number(&to, c->joint, "after_free_fraction", c->after.free_fraction);
            number(&to, c->joint, "after_impact_fraction", c->after.impact_fraction);
            number(&to, c->joint, "after_following_fraction", c->after.following_fraction);
            number(&to, c->joint, "after_energy_lost", c->after.energy_lost);
            peak(&to, c->joint, "after_", &c->after.peak);
        }
        number(&to, c->joint, "energy_lost", c->energy_lost);
        number(&to, c->joint, "floor_used", (double)c->floor_used);
        number(&to, c->joint, "above_validity", (double)c->above_validity);
        number(&to, c->joint, "chatter", (double)c->chatter);
        if (c->lubricated) {
            number(&to, c->joint, "film_loss", c->film_loss);
            number(&to, c->joint, "min_film", c->min_film);
            number(&to, c->joint, "film_force", c->film_force);
            number(&to, c->joint, "film_force_time", c->film_force_time);
            number(&to, c->joint, "through", (double)c->through);
            number(&to, c->joint, "dropped", (double)c->dropped);
            number(&to, c->joint, "dropped_from", c->dropped_from);
            number(&to, c->joint, "over_pressure", (double)c->over_pressure);
        }
        if (c->over_pressure) {
            number(&to, c->joint, "film_pressure", c->film_pressure);
            number(&to, c->joint, "film_pressure_time", c->film_pressure_time);
        }
        if (isfinite(c->worn)) {
            number(&to, c->joint, "worn", c->worn);
            number(&to, c->joint, "sliding_work", c->sliding_work);
            number(&to, c->joint, "friction_loss", c->friction_loss);
        }
        number(&to, c->joint, "deep", (double)c->deep);
        number(&to, c->joint, "damped", (double)c->damped);
        if (c->damped)
            peak(&to, c->joint, "damped_", &c->damped_peak);
        if (c->stiff_steps)
            number(&to, c->joint, "stiff_steps", (double)c->stiff_steps);
        if (c->losses) {
            number(&to, c->joint, "losses", (double)c->losses);
            number(&to, c->joint, "first_loss", c->first_loss);
            number(&to, c->joint, "first_loss_crank", c->first_loss_crank);
        }
    }
    warnings(&to, s);
}

const char *lashi_summary_value(char *buffer, size_t size, const lashi_summary_entry *entry) {
    if (!entry->text) {
        char number_text[LASHI_NUMBER_LENGTH];
        lashi_plain_numbers numbers = lashi_plain_numbers_begin();
        lashi_print_number(number_text, entry->number);
        lashi_plain_numbers_end(numbers);
        snprintf(buffer, size, "%s", number_text);
        return buffer;
    }
    snprintf(buffer, size, "%s", entry->text);
    for (char *c = buffer; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    return buffer;
}

typedef struct json_writer {
    FILE *stream;
    bool more;
} json_writer;

static void put_text(FILE *stream, const char *text) {
    fputc('"', stream);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c == '"' || *c == '\\')
            fprintf(stream, "\\%c", *c);
        else if (*c < ' ')
            fprintf(stream, "\\u%04x", *c);
        else
            fputc(*c, stream);
    fputc('"', stream);
}

static void put_entry(void *user, const lashi_summary_entry *entry) {
    json_writer *writer = user;
    char value[LASHI_SUMMARY_VALUE];
    fputs(writer->more ? "," : "", writer->stream);
    writer->more = true;
    put_text(writer->stream, entry->name);
    fputc(':', writer->stream);
    if (entry->text)
        put_text(writer->stream, entry->text);
    else
        fputs(isfinite(entry->number) ? lashi_summary_value(value, sizeof value, entry) : "null",
              writer->stream);
}

char *lash_summary_json(const lash_summary *summary) {
    char *text = NULL;
    size_t length;
    json_writer writer = {summary ? open_memstream(&text, &length) : NULL, false};
    if (!writer.stream)
        return NULL;
    fputc('{', writer.stream);
    lashi_summary_each(summary, put_entry, &writer);
    fputc('}', writer.stream);
    if (fclose(writer.stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static void put_line(void *user, const lashi_summary_entry *entry) {
    char value[LASHI_SUMMARY_VALUE];
    fprintf(user, "%s = %s\n", entry->name, lashi_summary_value(value, sizeof value, entry));
}

char *lashi_summary_text(const lash_summary *summary) {
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    lashi_summary_each(summary, put_line, stream);
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

char *lashi_tables_text(const lash_model *model) {
    char *text = NULL;
    size_t length;
    const char *name;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    for (size_t i = 0; (name = lash_model_table(model, i)) != NULL; i++)
        fprintf(stream, "%s=%016llx\n", name, lash_model_table_sum(model, i));
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

char *lashi_settings_text(const lash_model *model) {
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    for (size_t i = 0; model && i < lash_model_setting_count(model); i++) {
        lash_setting setting = lash_model_setting(model, i);
        fprintf(stream, "%s=%s\n", setting.name, setting.value);
    }
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
