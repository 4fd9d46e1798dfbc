/* SPDX-License-Identifier: MIT
 *
 * What the tests of joints with play share: an example with settings, a ball in a bearing, a run with what
 * was recorded of it.
 */
#ifndef TEST_PLAY_H
#define TEST_PLAY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lash/lash.h"
#include "system/system.h"

#define MUST(call)                                                                                           \
    do {                                                                                                     \
        if ((call) < 0)                                                                                      \
            fail_msg("%s: %s", #call, error.message);                                                        \
    } while (0)

static const double pi = 3.14159265358979323846;

/* A model on its way through a run. */
typedef struct play_run {
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
    lash_record *record;
    lash_status status;
    lash_error error;
    lash_summary summary;
    const double *rows;
    size_t row_count, columns;
    const lash_event *events;
    size_t event_count;
    double velocity[3]; /* a ball's at the start */
} play_run;

static inline void play_example(play_run *r, const char *name, const lash_setting *settings, size_t count) {
    lash_error error = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/examples/%s.yaml", LASH_SOURCE_DIR, name);
    *r = (play_run){0};
    const lash_load_options options = {.settings = settings, .setting_count = count};
    MUST(lash_model_load(&r->model, path, &options, &error));
}

/* The clearance of the balls below: hertz-like contact in a steel bearing, 25 µm radial, frictionless. */
static inline lash_clearance_def play_clearance(const char *law, double restitution) {
    lash_clearance_def c = lash_clearance_default();
    c.bearing_radius = 0.01;
    c.radial = 25e-6;
    c.length = 0.02;
    c.materials[0] = "steel";
    c.contact.law = law;
    c.contact.restitution = restitution;
    return c;
}

/* One body of 0.1 kg, the journal of a bearing in the ground, from the centre with the velocity given. */
static inline void play_ball(play_run *r, const lash_clearance_def *clearance, double vx, double vy,
                             double spin, double gravity) {
    lash_error error = {0};
    *r = (play_run){0};
    MUST(lash_model_create(&r->model, LASH_PLANAR, &error));
    const double g[3] = {0, -gravity, 0};
    MUST(lash_model_set_gravity(r->model, g, &error));
    lash_material_def steel = lash_material_default();
    steel.young = 207e9;
    steel.poisson = 0.3;
    steel.density = 7850;
    MUST(lash_model_add_material(r->model, "steel", &steel, &error));
    lash_body_def ball = lash_body_default();
    ball.mass = 0.1;
    ball.inertia[2] = 5e-6;
    r->velocity[0] = vx;
    r->velocity[1] = vy;
    r->velocity[2] = spin;
    MUST(lash_model_add_body(r->model, "ball", &ball, &error));
    lash_joint_def pin = lash_joint_default("revolute");
    pin.between[0] = "ground";
    pin.between[1] = "ball";
    pin.has_clearance = true;
    pin.clearance = *clearance;
    MUST(lash_model_add_joint(r->model, "pin", &pin, &error));
}

static inline void play_settings(play_run *r, double until, double rtol) {
    lash_error error = {0};
    lash_run_def run = *lash_model_run(r->model);
    run.until = until;
    run.until_turns = LASH_UNSET;
    run.until_drive = NULL;
    run.rtol = rtol;
    MUST(lash_model_set_run(r->model, &run, &error));
}

static inline void play_turns(play_run *r, double turns, double rtol) {
    lash_error error = {0};
    lash_run_def run = *lash_model_run(r->model);
    run.until_turns = turns;
    run.rtol = rtol;
    MUST(lash_model_set_run(r->model, &run, &error));
}

static inline void play_start(play_run *r) {
    lash_error error = {0};
    MUST(lash_system_compile(&r->system, r->model, &error));
    // A start is taken from the ideal mechanism, in which a ball stands still: its motion is set afterwards.
    if (r->velocity[0] != 0 || r->velocity[1] != 0 || r->velocity[2] != 0)
        for (int i = 0; i < r->system->n_q; i++)
            r->system->y0[r->system->v_at + i] = r->velocity[i % 3];
    MUST(lash_sim_create(&r->sim, r->system, &error));
}

/* Runs to the end; a failure of the run is left in status and error. */
static inline void play_go(play_run *r, const char *const *channels, size_t count, size_t samples) {
    lash_error error = {0};
    play_start(r);
    const lash_record_options options = {
        .channels = channels, .channel_count = count, .samples = samples, .every = LASH_UNSET};
    MUST(lash_record_create(&r->record, r->sim, &options, &error));
    MUST(lash_record_to_memory(r->record, &error));
    r->status = lash_sim_run(r->sim, r->record, NULL, &r->error);
    r->summary = lash_sim_summary(r->sim);
    r->rows = lash_record_rows(&r->row_count, r->record, LASH_STREAM_SAMPLES);
    r->columns = lash_record_column_count(r->record);
    r->events = lash_record_events(&r->event_count, r->record);
}

static inline void play_end(play_run *r) {
    lash_record_destroy(r->record);
    lash_sim_destroy(r->sim);
    lash_system_destroy(r->system);
    lash_model_destroy(r->model);
    *r = (play_run){0};
}

/* The nth event of a kind; NULL: there are fewer. */
static inline const lash_event *play_event(const play_run *r, lash_event_kind kind, size_t n) {
    for (size_t k = 0; k < r->event_count; k++)
        if (r->events[k].kind == kind && n-- == 0)
            return &r->events[k];
    return NULL;
}

#endif
