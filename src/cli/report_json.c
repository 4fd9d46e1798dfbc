/* SPDX-License-Identifier: MIT
 *
 * What a run and a check tell, as JSON. Numbers are SI.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/report.h"
#include "cli/talk.h"

void lashi_report_json(const lashi_job *job) {
    if (!job->computed || !lashi_option_given(job->arguments, "json"))
        return;
    lashi_json json = {.stream = stdout};
    char *text = lash_summary_json(&job->summary);
    lashi_json_open(&json, NULL, '{');
    lashi_json_say(&json, "version", lash_version());
    lashi_json_say(&json, "model", job->arguments->names[0]);
    lashi_json_say(&json, "title", lash_model_title(job->model));
    lashi_json_say(&json, "result", job->result);
    lashi_json_say(&json, "csv", job->csv);
    lashi_json_raw(&json, "summary", text ? text : "null");
    lashi_talk_tell(&json);
    lashi_json_close(&json, '}');
    printf("\n");
    free(text);
}

static void add_clearance(lashi_json *json, const lash_clearance_info *c) {
    lashi_json_open(json, NULL, '{');
    lashi_json_say(json, "joint", c->joint);
    lashi_json_say(json, "model", c->model);
    lashi_json_say(json, "law", c->law);
    lashi_json_say(json, "friction", c->friction);
    lashi_json_say(json, "film", c->film);
    lashi_json_add(json, "bearing_radius", c->bearing_radius);
    lashi_json_add(json, "journal_radius", c->journal_radius);
    lashi_json_add(json, "radial", c->radial);
    lashi_json_add(json, "stiffness", c->stiffness);
    lashi_json_add(json, "exponent", c->exponent);
    lashi_json_add(json, "restitution_asked", c->restitution_asked);
    lashi_json_add(json, "restitution", c->restitution);
    lashi_json_add(json, "effective_mass", c->effective_mass);
    lashi_json_add(json, "typical_speed", c->typical_speed);
    lashi_json_add(json, "contact_time", c->contact_time);
    lashi_json_add(json, "max_penetration", c->max_penetration);
    lashi_json_add(json, "max_force", c->max_force);
    lashi_json_add(json, "speed_limit", c->speed_limit);
    lashi_json_say(json, "warning", c->warning);
    lashi_json_say(json, "film_warning", c->film_warning);
    lashi_json_close(json, '}');
}

static void add_warning(void *json, const char *warning) {
    lashi_json_say(json, NULL, warning);
}

void lashi_report_system_json(const lash_system *system) {
    lashi_json json = {.stream = stdout};
    const char *redundant, *decides;
    lash_start_value value;
    lashi_json_open(&json, NULL, '{');
    lashi_json_say(&json, "title", lash_model_title(lash_system_model(system)));
    lashi_json_add(&json, "bodies", (double)lash_system_body_count(system));
    lashi_json_add(&json, "joints", (double)lash_system_joint_count(system));
    lashi_json_add(&json, "constraints", (double)lash_system_constraint_count(system));
    lashi_json_add(&json, "mobility", lash_system_mobility(system));
    lashi_json_add(&json, "freedoms", lash_system_freedoms(system));
    lashi_json_add(&json, "size", lash_system_size(system));
    lashi_json_add(&json, "mass", lash_system_mass(system));
    lashi_json_say(&json, "solver", lash_system_solver(system));
    lashi_json_add(&json, "end", lash_system_end(system));
    lashi_json_add(&json, "least_rtol", lash_system_least_rtol(system, &decides));
    lashi_json_open(&json, "redundant", '[');
    for (size_t i = 0; (redundant = lash_system_redundant(system, i)) != NULL; i++)
        lashi_json_say(&json, NULL, redundant);
    lashi_json_close(&json, ']');
    lashi_json_open(&json, "start", '[');
    for (size_t i = 0; lash_system_start_value(&value, system, i); i++) {
        lashi_json_open(&json, NULL, '{');
        lashi_json_say(&json, "body", value.body);
        lashi_json_say(&json, "quantity", value.quantity);
        lashi_json_say(&json, "unit", value.unit);
        lashi_json_add(&json, "change", value.change);
        lashi_json_close(&json, '}');
    }
    lashi_json_close(&json, ']');
    lashi_json_open(&json, "warnings", '[');
    lashi_report_each_warning(lash_system_warnings(system), add_warning, &json);
    lashi_json_close(&json, ']');
    lashi_json_open(&json, "clearances", '[');
    for (size_t k = 0; k < lash_system_clearance_count(system); k++) {
        const lash_clearance_info info = lash_system_clearance(system, k);
        add_clearance(&json, &info);
    }
    lashi_json_close(&json, ']');
    lashi_talk_tell(&json);
    lashi_json_close(&json, '}');
    printf("\n");
}
