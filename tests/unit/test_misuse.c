/* SPDX-License-Identifier: MIT
 *
 * Every public call with NULL and with values out of range: a status or an empty answer, never a fault. Each
 * is made in a process of its own, so that one that faults is named and the others are still made.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lash/lash.h"

static char folder[] = "/tmp/lash-misuse-XXXXXX";
static lash_error error;
static char *called; // the call at hand, seen by both processes

enum { LONGEST_CALL = 256 };
enum { HARMLESS_EXIT = 0, NOT_REFUSED_EXIT = 2, NO_MORE_EXIT = 3, TIMEOUT = 60 };

/* What the calls work on. */
static lash_model *model;
static lash_system *rig;
static lash_sim *sim, *other;
static lash_record *record;
static lash_state *state, *foreign;
static lash_document *document;
static const lash_node *node;
static lash_study *study;
static double numbers[256];

static const char rig_text[] =
    "gravity: [0, -9.81]\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
    "bodies: {bob: {mass: 1, inertia: 0.01, points: {a: [0, 0.1]}, position: [0, -0.1]}}\n"
    "joints:\n  pin: {type: revolute, between: [ground, bob.a], clearance: {bearing_radius: 1 cm, radial: "
    "0.5 mm,\n"
    "        materials: steel, contact: {restitution: 0.9}}}\n"
    "forces: {push: {type: force, at: bob, force: [0, 0]}}\n"
    "run: {until: 0.01, samples: 5}\n";
static const char other_text[] =
    "bodies: {bob: {mass: 1, inertia: 1}, rod: {mass: 1, inertia: 1}}\nrun: {until: 1}\n";

static void must(bool fine) {
    if (!fine) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
}

static char *whole_text(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    must(file && getdelim(&text, &size, '\0', file) > 0);
    fclose(file);
    return text;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    must(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void prepare(void) {
    lash_model *second;
    lash_system *two;
    const lash_record_options options = {.samples = 5, .every = (double)NAN};
    must(!lash_model_parse(&model, rig_text, strlen(rig_text), "rig", NULL, &error));
    must(!lash_model_parse(&second, other_text, strlen(other_text), "other", NULL, &error));
    must(!lash_system_compile(&rig, model, &error) && !lash_system_compile(&two, second, &error));
    must(!lash_sim_create(&sim, rig, &error) && !lash_sim_create(&other, two, &error));
    must(!lash_record_create(&record, sim, &options, &error) && !lash_record_to_memory(record, &error));
    must(!lash_state_create(&state, sim, &error) && !lash_state_create(&foreign, other, &error));
    must(!lash_sim_save(state, sim, &error) && !lash_sim_save(foreign, other, &error));
    write_text("rig.yaml", rig_text);
    write_text("study.yaml", "model: rig.yaml\naxes: {run.rtol: [1e-6]}\nmetrics: [max bob.y]\n");
    must(!lash_document_load(&document, "rig.yaml", &error) && (node = lash_document_root(document)));
    must(!lash_study_load(&study, "study.yaml", NULL, &error));
}

static lash_joint_def joint_without_ends(void) {
    return lash_joint_default("revolute");
}

static lash_status add_joint(const char *type, const char *a, const char *b, const char *law) {
    lash_joint_def def = lash_joint_default("revolute");
    def.type = type;
    def.between[0] = a;
    def.between[1] = b;
    if (law) {
        def.has_clearance = true;
        def.clearance = lash_clearance_default();
        def.clearance.contact.law = strcmp(law, "NULL") == 0 ? NULL : law;
        def.clearance.model = NULL;
    }
    const lash_status status = lash_model_add_joint(model, "extra", &def, &error);
    return status ? status : lash_model_validate(model, &error);
}

static lash_status run_of(const char *method) {
    lash_run_def run = lash_run_default();
    run.method = method;
    const lash_status status = lash_model_set_run(model, &run, &error);
    return status ? status : lash_model_validate(model, &error);
}

static lash_status solve_film(const char *film, double eccentricity) {
    lash_bearing_def def = lash_bearing_default();
    lash_bearing_point point;
    def.film = film;
    return lash_bearing_solve(&point, &def, eccentricity, &error);
}

static lash_linear *linear_of(void) {
    lash_linear *out = NULL;
    must(!lash_linear_create(&out, sim, NULL, 0, &error));
    return out;
}

/* Makes the call of that number; returns false when there is none. */
static bool make_call(size_t wanted) {
    size_t at = 0;
    lash_model *m = model;
    lash_system *s;
    lash_sim *sims;
    lash_record *r;
    lash_state *st;
    lash_result *result;
    lash_study *studies;
    lash_study_table *table;
    lash_document *d;
    lash_expression *e;
    lash_table *t;
    lash_file *file;
    lash_bearing_point point;
    lash_bearing_def bearing = lash_bearing_default();
    lash_study_progress progress;
    lash_start_value value;
    lash_film_work work;
    lash_linear *linear;
    lash_mode mode;
    lash_parameter parameter;
    lash_body_def got_body;
    lash_joint_def got_joint;
    lash_material_def material = lash_material_default();
    void *bytes;
    const char *const nowhere = "no.channel";
    const lash_study_metric own_metric = {.unit = "m"};
    const lash_body_def body = lash_body_default();
    const lash_joint_def joint = joint_without_ends();
    const lash_summary summary = {.status = LASH_OK};
    const lash_record_options nothing = {.every = (double)NAN};
    const lash_record_options many = {.samples = SIZE_MAX, .every = (double)NAN};
    const lash_record_options backwards = {.every = -1};
    const char *word, *const no_names[] = {NULL};
    const lash_record_options nameless = {.channels = no_names, .channel_count = 1, .samples = 1};
    const lash_study_options no_store = {.jobs = 1};
    double x = 0, *values;
    size_t *points, count;
    char unit[LASH_NODE_UNIT], *text;
    const double nan_values[256] = {(double)NAN};

#define CALL(expression, verdict)                                                                            \
    if (at++ == wanted) {                                                                                    \
        snprintf(called, LONGEST_CALL, "%s", #expression);                                                   \
        verdict;                                                                                             \
        return true;                                                                                         \
    }
#define REFUSED(expression)  CALL(expression, if ((expression) >= 0) exit(NOT_REFUSED_EXIT))
#define HARMLESS(expression) CALL(expression, (void)(expression))

    REFUSED(lash_bearing_solve(NULL, &bearing, 0.5, &error))
    REFUSED(lash_bearing_solve(&point, NULL, 0.5, &error))
    REFUSED(lash_bearing_solve(&point, &bearing, (double)NAN, &error))
    REFUSED(lash_bearing_solve(&point, &bearing, 2, &error))
    REFUSED(solve_film(NULL, 0.5))
    REFUSED(solve_film("no film", 0.5))
    REFUSED(lash_bearing_find(NULL, &bearing, 1, &error))
    REFUSED(lash_bearing_find(&point, NULL, 1, &error))
    REFUSED(lash_bearing_find(&point, &bearing, -1, &error))
    REFUSED(lash_bearing_find(&point, &bearing, (double)NAN, &error))
    HARMLESS(lash_bearing_warning(NULL))
    HARMLESS(lash_film_name(SIZE_MAX))
    HARMLESS(lash_oil_name(SIZE_MAX))
    REFUSED(lash_oil_viscosity(NULL, NULL, "SAE 30", 300, &error))
    REFUSED(lash_oil_viscosity(&x, NULL, NULL, 300, &error))
    REFUSED(lash_oil_viscosity(&x, NULL, "SAE 30", (double)NAN, &error))

    REFUSED(lash_document_load(NULL, "rig.yaml", &error))
    REFUSED(lash_document_load(&d, NULL, &error))
    REFUSED(lash_document_parse(NULL, "", 0, "x", &error))
    REFUSED(lash_document_parse(&d, NULL, 5, "x", &error))
    HARMLESS(lash_document_parse(&d, NULL, 0, NULL, &error))
    HARMLESS((lash_document_destroy(NULL), 0))
    HARMLESS(lash_document_text(NULL))
    HARMLESS(lash_document_root(NULL))
    HARMLESS(lash_node_kind(NULL))
    HARMLESS(lash_node_count(NULL))
    HARMLESS(lash_node_item(NULL, 0))
    HARMLESS(lash_node_item(node, SIZE_MAX))
    HARMLESS(lash_node_key(NULL, 0))
    HARMLESS(lash_node_key(node, SIZE_MAX))
    HARMLESS(lash_node_find(NULL, "x"))
    HARMLESS(lash_node_find(node, NULL))
    HARMLESS(lash_node_text(NULL))
    HARMLESS(lash_node_number(&x, document, NULL, "x", "m"))
    HARMLESS(lash_node_number(NULL, document, node, "x", "m"))
    HARMLESS(lash_node_number(&x, NULL, node, "x", "m"))
    HARMLESS(lash_node_number(&x, document, node, NULL, NULL))
    HARMLESS(lash_node_quantity(&x, unit, document, NULL, "x"))
    HARMLESS(lash_node_quantity(&x, NULL, document, node, "x"))
    HARMLESS(lash_node_quantity(&x, unit, NULL, node, "x"))
    HARMLESS(lash_node_is_quantity(&x, unit, document, NULL))
    HARMLESS(lash_node_is_quantity(NULL, NULL, NULL, node))
    HARMLESS(lash_node_word(&word, document, NULL, "x", "a word"))
    HARMLESS(lash_node_word(NULL, document, node, "x", "a word"))
    HARMLESS(lash_node_whole(&count, document, NULL, "x", 0, 1))
    HARMLESS(lash_node_whole(&count, NULL, node, "x", 0, 1))
    HARMLESS(lash_node_is(document, NULL, LASH_NODE_MAP, "x", "a map"))
    HARMLESS(lash_node_is(NULL, node, LASH_NODE_LIST, "x", "a map"))
    HARMLESS(lash_node_known_keys(document, NULL, "x", no_names))
    HARMLESS(lash_node_known_keys(document, node, "x", NULL))
    HARMLESS(lash_document_nearest(NULL, no_names))
    HARMLESS(lash_document_nearest("x", NULL))
    HARMLESS((lash_document_mistake(NULL, node, "x"), 0))
    HARMLESS((lash_document_add(document, NULL), 0))
    HARMLESS((lash_document_add(NULL, &error), 0))
    HARMLESS(lash_document_mistakes(NULL))
    REFUSED(lash_document_report(NULL, NULL, &error))

    REFUSED(lash_file_create(NULL, "x", false, &error))
    REFUSED(lash_file_create(&file, NULL, false, &error))
    HARMLESS(lash_file_path(NULL))
    HARMLESS(lash_file_descriptor(NULL))
    REFUSED(lash_file_commit(NULL, &error))
    HARMLESS((lash_file_destroy(NULL), 0))
    REFUSED(lash_file_fail(NULL, 5, NULL))

    HARMLESS(lash_orientation_about(NULL, numbers, 1))
    HARMLESS(lash_orientation_about(numbers, NULL, 1))
    HARMLESS((lash_orientation_angles(NULL, 1, 1, 1), 0))
    HARMLESS(lash_orientation_axes(numbers, NULL, numbers))
    HARMLESS(lash_orientation_axes(NULL, numbers, numbers))
    HARMLESS(lash_joint_default(NULL).type)
    HARMLESS(lash_joint_default("nonsense").type)
    HARMLESS(lash_force_default(NULL).type)
    HARMLESS(lash_signal_default().unit)
    HARMLESS(lash_input_default().unit)
    REFUSED(lash_model_create(NULL, LASH_PLANAR, &error))
    REFUSED(lash_model_create(&m, (lash_space)77, &error))
    REFUSED(lash_model_load(NULL, "rig.yaml", NULL, &error))
    REFUSED(lash_model_load(&m, NULL, NULL, &error))
    REFUSED(lash_model_load(&m, "/", NULL, &error))
    REFUSED(lash_model_load(&m, "rig.yaml", &(lash_load_options){.setting_count = 3}, &error))
    REFUSED(lash_model_load(&m, "rig.yaml",
                            &(lash_load_options){.settings = &(lash_setting){NULL, NULL}, .setting_count = 1},
                            &error))
    REFUSED(lash_model_parse(NULL, "x", 1, "x", NULL, &error))
    REFUSED(lash_model_parse(&m, NULL, 1, "x", NULL, &error))
    REFUSED(lash_model_parse(&m, "x", 1, NULL, NULL, &error))
    HARMLESS((lash_model_destroy(NULL), 0))
    REFUSED(lash_model_set_title(NULL, "x", &error))
    REFUSED(lash_model_set_title(m, NULL, &error))
    REFUSED(lash_model_set_gravity(NULL, numbers, &error))
    REFUSED(lash_model_set_gravity(m, NULL, &error))
    REFUSED(lash_model_set_run(NULL, &(lash_run_def){0}, &error))
    REFUSED(lash_model_set_run(m, NULL, &error))
    REFUSED(run_of(NULL))
    REFUSED(run_of("nonsense"))
    REFUSED(lash_model_add_body(NULL, "x", &body, &error))
    REFUSED(lash_model_add_body(m, NULL, &body, &error))
    REFUSED(lash_model_add_body(m, "x", NULL, &error))
    REFUSED(lash_model_add_body(m, "", &body, &error))
    REFUSED(lash_model_add_point(NULL, "bob", "x", numbers, &error))
    REFUSED(lash_model_add_point(m, NULL, "x", numbers, &error))
    REFUSED(lash_model_add_point(m, "bob", NULL, numbers, &error))
    REFUSED(lash_model_add_point(m, "bob", "x", NULL, &error))
    REFUSED(lash_model_add_material(NULL, "x", &(lash_material_def){0}, &error))
    REFUSED(lash_model_add_material(m, NULL, &(lash_material_def){0}, &error))
    REFUSED(lash_model_add_material(m, "x", NULL, &error))
    REFUSED(lash_model_add_joint(NULL, "x", &joint, &error))
    REFUSED(lash_model_add_joint(m, NULL, &joint, &error))
    REFUSED(lash_model_add_joint(m, "x", NULL, &error))
    REFUSED(add_joint(NULL, "ground", "bob", NULL))
    REFUSED(add_joint("nonsense", "ground", "bob", NULL))
    REFUSED(add_joint("revolute", NULL, "bob", NULL))
    REFUSED(add_joint("revolute", "ground", NULL, NULL))
    REFUSED(add_joint("revolute", "ground", "", NULL))
    REFUSED(add_joint("revolute", "ground", "bob", "NULL"))
    REFUSED(add_joint("revolute", "ground", "bob", "nonsense"))
    REFUSED(lash_model_add_drive(NULL, "x", &(lash_drive_def){0}, &error))
    REFUSED(lash_model_add_drive(m, NULL, &(lash_drive_def){0}, &error))
    REFUSED(lash_model_add_drive(m, "x", NULL, &error))
    REFUSED(lash_model_add_force(NULL, "x", &(lash_force_def){0}, &error))
    REFUSED(lash_model_add_force(m, NULL, &(lash_force_def){0}, &error))
    REFUSED(lash_model_add_force(m, "x", NULL, &error))
    REFUSED(lash_model_add_signal(NULL, "x", &(lash_signal_def){0}, &error))
    REFUSED(lash_model_add_signal(m, NULL, &(lash_signal_def){0}, &error))
    REFUSED(lash_model_add_signal(m, "x", NULL, &error))
    REFUSED(lash_model_add_input(NULL, "x", &(lash_input_def){0}, &error))
    REFUSED(lash_model_add_input(m, NULL, &(lash_input_def){0}, &error))
    REFUSED(lash_model_add_input(m, "x", NULL, &error))
    REFUSED(lash_model_validate(NULL, &error))
    HARMLESS(lash_model_title(NULL))
    HARMLESS(lash_model_table(NULL, 0))
    HARMLESS(lash_model_table_sum(NULL, 0))
    HARMLESS(lash_model_run(NULL))
    HARMLESS(lash_model_text(NULL))
    HARMLESS(lash_model_setting_count(NULL))
    HARMLESS(lash_model_setting(NULL, 0).name)
    HARMLESS(lash_model_setting(m, SIZE_MAX).name)
    REFUSED(lash_expression_create(NULL, "t", &error))
    REFUSED(lash_expression_create(&e, NULL, &error))
    HARMLESS((lash_expression_destroy(NULL), 0))
    REFUSED(lash_table_create(NULL, numbers, numbers, 2, LASH_SPLINE, &error))
    REFUSED(lash_table_create(&t, NULL, numbers, 2, LASH_SPLINE, &error))
    REFUSED(lash_table_create(&t, numbers, NULL, 2, LASH_SPLINE, &error))
    REFUSED(lash_table_create(&t, numbers, numbers, 0, LASH_SPLINE, &error))
    REFUSED(lash_table_create(&t, (double[]){0, 1}, numbers, 2, (lash_interpolation)9, &error))
    REFUSED(lash_table_set_beyond(NULL, LASH_BEYOND_HOLD, &error))
    HARMLESS((lash_table_destroy(NULL), 0))
    REFUSED(lash_quantity_read(NULL, "1 m", "m", &error))
    REFUSED(lash_quantity_read(&x, NULL, "m", &error))
    REFUSED(lash_quantity_read(&x, "1 m", NULL, &error))
    HARMLESS(lash_quantity_write(NULL, 1, "m"))
    HARMLESS(lash_quantity_write((char[LASH_QUANTITY_TEXT]){0}, 1, NULL))

    REFUSED(lash_record_create(NULL, sim, &nothing, &error))
    REFUSED(lash_record_create(&r, NULL, &nothing, &error))
    REFUSED(lash_record_create(&r, sim, NULL, &error))
    HARMLESS(lash_record_create(&r, sim, &many, &error))
    REFUSED(lash_record_create(&r, sim, &backwards, &error))
    REFUSED(lash_record_create(&r, sim, &nameless, &error))
    HARMLESS((lash_record_destroy(NULL), 0))
    REFUSED(lash_record_to_hdf5(NULL, "x", &error))
    REFUSED(lash_record_to_hdf5(record, NULL, &error))
    REFUSED(lash_record_to_csv(NULL, "x", &error))
    REFUSED(lash_record_to_csv(record, NULL, &error))
    REFUSED(lash_record_to_memory(NULL, &error))
    REFUSED(lash_record_keep_state(NULL, sim, &error))
    REFUSED(lash_record_keep_state(record, NULL, &error))
    REFUSED(lash_record_result(NULL, record, &summary, &error))
    REFUSED(lash_record_result(&(lash_result *){NULL}, NULL, &summary, &error))
    REFUSED(lash_result_state(&(void *){NULL}, &(size_t){0}, NULL, "state", &error))
    REFUSED(lash_record_finish(NULL, &summary, &error))
    REFUSED(lash_record_finish(record, NULL, &error))
    HARMLESS((lash_record_finish(record, &summary, NULL), lash_record_finish(record, &summary, NULL)))
    HARMLESS(lash_record_column_count(NULL))
    HARMLESS(lash_record_column_name(NULL, 0))
    HARMLESS(lash_record_column_name(record, SIZE_MAX))
    HARMLESS(lash_record_column_unit(NULL, 0))
    HARMLESS(lash_record_column_unit(record, SIZE_MAX))
    HARMLESS(lash_record_rows(NULL, record, LASH_STREAM_SAMPLES))
    HARMLESS(lash_record_rows(&count, NULL, LASH_STREAM_SAMPLES))
    HARMLESS(lash_record_rows(&count, record, (lash_stream)99))
    HARMLESS(lash_record_events(NULL, record))
    HARMLESS(lash_record_events(&count, NULL))
    REFUSED(lash_result_open(NULL, "x", &error))
    REFUSED(lash_result_open(&result, NULL, &error))
    HARMLESS((lash_result_close(NULL), 0))
    HARMLESS(lash_result_column_count(NULL))
    HARMLESS(lash_result_column_name(NULL, 0))
    HARMLESS(lash_result_column_unit(NULL, 0))
    HARMLESS(lash_result_column_meaning(NULL, 0))
    HARMLESS(lash_result_row_count(NULL, LASH_STREAM_SAMPLES))
    REFUSED(lash_result_read(numbers, NULL, LASH_STREAM_SAMPLES, 0, 1, &error))
    REFUSED(lash_result_read_columns(numbers, NULL, LASH_STREAM_SAMPLES, &(size_t){0}, 1, 0, 1, &error))
    HARMLESS(lash_summary_json(NULL))
    HARMLESS(lash_summary_warnings(NULL))
    HARMLESS(lash_result_event_count(NULL))
    REFUSED(lash_result_read_events(NULL, NULL, &error))
    HARMLESS(lash_result_text(NULL, "model"))

    HARMLESS(lash_scene_space(NULL))
    HARMLESS((lash_scene_gravity(NULL, m), 0))
    HARMLESS((lash_scene_gravity(numbers, NULL), 0))
    HARMLESS(lash_scene_body_count(NULL))
    HARMLESS(lash_scene_body_at(NULL, 0).name)
    HARMLESS(lash_scene_body_at(m, SIZE_MAX).name)
    HARMLESS(lash_scene_point_count(NULL))
    HARMLESS(lash_scene_point_at(NULL, 0).name)
    HARMLESS(lash_scene_point_at(m, SIZE_MAX).name)
    HARMLESS(lash_scene_joint_count(NULL))
    HARMLESS(lash_scene_joint_at(NULL, 0).name)
    HARMLESS(lash_scene_joint_at(m, SIZE_MAX).name)

    HARMLESS(lash_event_kind_name((lash_event_kind)99))
    HARMLESS(lash_system_least_rtol(NULL, NULL))
    HARMLESS(lash_system_least_rtol(rig, NULL))
    HARMLESS(lash_system_noise(NULL, "m", 0))
    HARMLESS(lash_system_noise(rig, NULL, 0))
    HARMLESS(lash_system_noise(rig, "", NAN))
    HARMLESS(lash_system_warnings(NULL))
    REFUSED(lash_sim_create(NULL, rig, &error))
    REFUSED(lash_sim_create(&sims, NULL, &error))
    REFUSED(lash_sim_create_at(NULL, rig, numbers, &error))
    REFUSED(lash_sim_create_at(&sims, NULL, numbers, &error))
    REFUSED(lash_sim_create_at(&sims, rig, nan_values, &error))
    REFUSED(lash_sim_create_tangent(NULL, sim, &error))
    REFUSED(lash_sim_create_tangent(&sims, NULL, &error))
    HARMLESS((lash_sim_destroy(NULL), 0))
    REFUSED(lash_sim_step(NULL, 1, &error))
    REFUSED(lash_sim_step(sim, (double)NAN, &error))
    HARMLESS(lash_sim_step(sim, -1, &error))
    REFUSED(lash_sim_run(NULL, NULL, NULL, &error))
    REFUSED(lash_sim_run(other, record, NULL, &error))
    REFUSED(lash_sim_run_until(NULL, 1, NULL, NULL, &error))
    REFUSED(lash_sim_settle(NULL, NULL, &error))
    REFUSED(lash_sim_begin_again(NULL, &error))
    REFUSED(lash_sim_run_until(sim, (double)NAN, NULL, NULL, &error))
    REFUSED(lash_sim_run_until(sim, -1, NULL, NULL, &error))
    REFUSED(lash_sim_step_observed(NULL, 1, NULL, &error))
    REFUSED(lash_sim_step_observed(sim, (double)NAN, NULL, &error))
    REFUSED(lash_sim_attach(NULL, record, 1, &error))
    REFUSED(lash_sim_attach(sim, record, (double)NAN, &error))
    REFUSED(lash_sim_attach(sim, record, -1, &error))
    REFUSED(lash_sim_attach(other, record, 1, &error))
    HARMLESS(lash_sim_attach(sim, NULL, 1, &error))
    HARMLESS(lash_sim_events(NULL, sim))
    HARMLESS(lash_sim_events(&count, NULL))
    REFUSED(lash_sim_compile(NULL, &error))
    lash_ensemble *ensemble = NULL;
    double growth[LASH_ENSEMBLE_BLOCKS];
    REFUSED(lash_ensemble_create(NULL, NULL, NULL, &error))
    REFUSED(lash_ensemble_create(&ensemble, NULL, NULL, &error))
    REFUSED(lash_ensemble_add(NULL, NULL, NULL, &error))
    REFUSED(lash_ensemble_vary(NULL, NULL, &error))
    REFUSED(lash_ensemble_can((lash_on)7, &error))
    assert_int_equal(lash_ensemble_growth(growth, NULL, 0), LASH_ERROR_USAGE);
    assert_int_equal(lash_ensemble_channel_count(NULL), 0);
    assert_true(lash_core_count() >= 1);
    assert_true(isnan(lash_ensemble_cut(NULL, 0, 0, 0)));
    REFUSED(lash_ensemble_run(NULL, LASH_ON_LANES, NULL, NULL, &error))
    assert_int_equal(lash_ensemble_status(NULL, 0), LASH_ERROR_USAGE);
    assert_int_equal(lash_ensemble_count(NULL), 0);
    assert_true(isnan(lash_ensemble_value(NULL, 0, 0, LASH_ENSEMBLE_MOST)));
    assert_true(isnan(lash_ensemble_contact_of(NULL, 0, 0).begun));
    assert_true(isnan(lash_ensemble_steps(NULL, 0, NULL)));
    assert_true(isnan(lash_ensemble_balance(NULL, 0)));
    assert_string_equal(lash_ensemble_reason(NULL, 0), "");
    HARMLESS((lash_ensemble_destroy(NULL), 0))
    assert_false(lash_sim_is_compiled(NULL, NULL));
    assert_null(lash_system_code(NULL, false, &error));
    REFUSED(lash_sim_judge(NULL, &error))
    REFUSED(lash_sim_kinematics(NULL, record, NULL, &error))
    REFUSED(lash_sim_kinematics(sim, NULL, NULL, &error))
    HARMLESS(lash_sim_system(NULL))
    HARMLESS(lash_sim_time(NULL))
    HARMLESS(lash_sim_summary(NULL).steps)
    HARMLESS(lash_sim_channel_count(NULL))
    HARMLESS(lash_sim_channel_name(NULL, 0))
    HARMLESS(lash_sim_channel_name(sim, SIZE_MAX))
    HARMLESS(lash_sim_channel_unit(NULL, 0))
    HARMLESS(lash_sim_channel_unit(sim, SIZE_MAX))
    HARMLESS(lash_sim_channel_meaning(NULL, 0))
    HARMLESS(lash_sim_channel_meaning(sim, SIZE_MAX))
    HARMLESS(lash_channel_nearest(NULL, NULL, NULL))
    HARMLESS(lash_channel_nearest("x", NULL, NULL))
    HARMLESS(lash_sim_find_channel(NULL, "x"))
    HARMLESS(lash_sim_find_channel(sim, NULL))
    HARMLESS(lash_sim_value(NULL, 0))
    HARMLESS(lash_sim_value(sim, SIZE_MAX))
    HARMLESS(lash_sim_value_at(NULL, 0, 0))
    HARMLESS(lash_sim_value_at(sim, SIZE_MAX, 0))
    HARMLESS(lash_sim_value_at(sim, 0, (double)NAN))
    HARMLESS((lash_sim_values_at(NULL, sim, NULL, 1, 0), 0))
    HARMLESS((lash_sim_values_at(numbers, NULL, &(size_t){0}, 1, 0), 0))
    HARMLESS((lash_sim_values_at(numbers, sim, &(size_t){SIZE_MAX}, 1, 0), 0))
    HARMLESS(lash_sim_input_count(NULL))
    HARMLESS(lash_sim_input_name(NULL, 0))
    HARMLESS(lash_sim_input_name(sim, SIZE_MAX))
    HARMLESS(lash_sim_input_unit(NULL, 0))
    HARMLESS(lash_sim_input_unit(sim, SIZE_MAX))
    HARMLESS(lash_sim_find_input(NULL, "x"))
    HARMLESS(lash_sim_find_input(sim, NULL))
    HARMLESS(lash_sim_input(NULL, 0))
    HARMLESS(lash_sim_input(sim, SIZE_MAX))
    REFUSED(lash_sim_set_input(NULL, 0, 1, &error))
    REFUSED(lash_sim_set_input(sim, SIZE_MAX, 1, &error))
    REFUSED(lash_sim_set_input(sim, 0, (double)NAN, &error))
    REFUSED(lash_sim_set_force(NULL, "push", NULL, NULL, &error))
    REFUSED(lash_sim_set_force(sim, NULL, NULL, NULL, &error))
    REFUSED(lash_sim_set_force(sim, "no force", NULL, NULL, &error))
    REFUSED(lash_sim_rates(NULL, sim, 0, numbers, &error))
    REFUSED(lash_sim_rates(numbers, NULL, 0, numbers, &error))
    REFUSED(lash_sim_rates(numbers, sim, 0, NULL, &error))
    REFUSED(lash_sim_rates(numbers, sim, (double)NAN, numbers, &error))
    REFUSED(lash_sim_rates(numbers, sim, 0, nan_values, &error))
    REFUSED(lash_sim_jacobian(NULL, sim, 0, numbers, &error))
    REFUSED(lash_sim_jacobian(numbers, NULL, 0, numbers, &error))
    REFUSED(lash_sim_jacobian(numbers, sim, 0, NULL, &error))
    REFUSED(lash_sim_jacobian(numbers, sim, (double)NAN, numbers, &error))
    REFUSED(lash_sim_jacobian(numbers, sim, 0, nan_values, &error))
    REFUSED(lash_sim_gaps(NULL, sim, 0, numbers, &error))
    REFUSED(lash_sim_gaps(numbers, NULL, 0, numbers, &error))
    REFUSED(lash_sim_gaps(numbers, sim, 0, NULL, &error))
    REFUSED(lash_sim_gaps(numbers, sim, (double)NAN, numbers, &error))
    REFUSED(lash_sim_gaps(numbers, sim, 0, nan_values, &error))
    REFUSED(lash_linear_create(NULL, sim, NULL, 0, &error))
    REFUSED(lash_linear_create(&linear, NULL, NULL, 0, &error))
    REFUSED(lash_linear_create(&linear, sim, NULL, 1, &error))
    REFUSED(lash_linear_create(&linear, sim, no_names, 1, &error))
    REFUSED(lash_linear_create(&linear, sim, &nowhere, 1, &error))
    HARMLESS((lash_linear_destroy(NULL), 0))
    HARMLESS(lash_linear_uncertainty(NULL))
    HARMLESS(lash_linear_freedoms(NULL))
    HARMLESS(lash_linear_matrix(&count, &count, NULL, 'A'))
    HARMLESS(lash_linear_matrix(NULL, NULL, linear_of(), 'A'))
    HARMLESS(lash_linear_matrix(&count, &count, linear_of(), 'X'))
    HARMLESS(lash_linear_mode(NULL, linear_of(), 0))
    HARMLESS(lash_linear_mode(&mode, NULL, 0))
    HARMLESS(lash_linear_mode(&mode, linear_of(), SIZE_MAX))
    HARMLESS(lash_linear_coordinate_name(NULL, 0))
    HARMLESS(lash_linear_coordinate_name(linear_of(), SIZE_MAX))
    HARMLESS(lash_linear_coordinate_unit(NULL, 0))
    HARMLESS(lash_linear_coordinate_unit(linear_of(), SIZE_MAX))
    REFUSED(lash_linear_shape(NULL, numbers, linear_of(), 0, &error))
    REFUSED(lash_linear_shape(numbers, NULL, linear_of(), 0, &error))
    REFUSED(lash_linear_shape(numbers, numbers, NULL, 0, &error))
    REFUSED(lash_linear_shape(numbers, numbers, linear_of(), SIZE_MAX, &error))
    HARMLESS(lash_sim_coordinate_count(NULL))
    HARMLESS((lash_sim_coordinates(NULL, sim), 0))
    HARMLESS((lash_sim_coordinates(numbers, NULL), 0))
    HARMLESS(lash_sim_coordinate_is_angle(NULL, 0))
    HARMLESS(lash_sim_coordinate_is_angle(sim, SIZE_MAX))
    HARMLESS((lash_sim_coordinate_scales(NULL, sim), 0))
    HARMLESS((lash_sim_coordinate_scales(numbers, NULL), 0))
    REFUSED(lash_sim_set_coordinates(NULL, numbers, &error))
    REFUSED(lash_sim_set_coordinates(sim, NULL, &error))
    REFUSED(lash_sim_set_coordinates(sim, nan_values, &error))
    REFUSED(lash_sim_project_coordinates(NULL, sim, &error))
    REFUSED(lash_sim_project_coordinates(numbers, NULL, &error))
    HARMLESS(lash_sim_memory_count(NULL))
    HARMLESS(isnan(lash_sim_contact_onset(NULL, 0)))
    HARMLESS(isnan(lash_sim_contact_onset(sim, (size_t)-1)))
    HARMLESS((lash_sim_memory(NULL, sim), 0))
    HARMLESS((lash_sim_memory(numbers, NULL), 0))
    HARMLESS(lash_sim_signal_count(NULL))
    HARMLESS((lash_sim_signals(NULL, sim), 0))
    HARMLESS((lash_sim_signals(numbers, NULL), 0))
    REFUSED(lash_sim_set_signals(NULL, numbers, &error))
    REFUSED(lash_sim_set_signals(sim, NULL, &error))
    REFUSED(lash_sim_set_memory(NULL, numbers, &error))
    REFUSED(lash_sim_set_memory(sim, NULL, &error))
    REFUSED(lash_sim_set_memory(sim, nan_values, &error))
    REFUSED(lash_sim_tangent(NULL, sim, &error))
    REFUSED(lash_sim_tangent(numbers, NULL, &error))
    REFUSED(lash_sim_tangent(numbers, sim, &error))
    REFUSED(lash_sim_set_tangent(NULL, numbers, &error))
    REFUSED(lash_sim_set_tangent(sim, NULL, &error))
    REFUSED(lash_sim_set_tangent(sim, numbers, &error))
    HARMLESS(lash_sim_tangent_tolerance(NULL))
    HARMLESS(lash_sim_tangent_tolerance(sim))
    REFUSED(lash_state_create(NULL, sim, &error))
    REFUSED(lash_state_create(&st, NULL, &error))
    HARMLESS((lash_state_destroy(NULL), 0))
    REFUSED(lash_sim_save(NULL, sim, &error))
    REFUSED(lash_sim_save(state, NULL, &error))
    REFUSED(lash_sim_save(state, other, &error))
    REFUSED(lash_sim_restore(NULL, state, &error))
    REFUSED(lash_sim_restore(sim, NULL, &error))
    REFUSED(lash_sim_restore(sim, foreign, &error))
    REFUSED(lash_sim_adopt(NULL, state, &error))
    REFUSED(lash_sim_adopt(sim, NULL, &error))
    REFUSED(lash_sim_adopt(sim, foreign, &error))

    HARMLESS(lash_sim_repeats(NULL))
    REFUSED(lash_state_write(NULL, &count, state, sim, &error))
    REFUSED(lash_state_write(&bytes, NULL, state, sim, &error))
    REFUSED(lash_state_write(&bytes, &count, NULL, sim, &error))
    REFUSED(lash_state_write(&bytes, &count, state, NULL, &error))
    REFUSED(lash_state_write(&bytes, &count, state, other, &error))
    REFUSED(lash_state_read(NULL, sim, numbers, sizeof numbers, &error))
    REFUSED(lash_state_read(state, NULL, numbers, sizeof numbers, &error))
    REFUSED(lash_state_read(state, sim, NULL, 8, &error))
    REFUSED(lash_state_read(state, sim, numbers, sizeof numbers, &error))
    REFUSED(lash_state_read(state, sim, numbers, 0, &error))

    HARMLESS(lash_status_name((lash_status)999))
    HARMLESS(lash_status_text((lash_status)-999))
    HARMLESS(lash_status_exit_code((lash_status)999))

    REFUSED(lash_study_load(NULL, "x", NULL, &error))
    REFUSED(lash_study_load(&studies, NULL, NULL, &error))
    REFUSED(lash_study_parse(NULL, "x", 1, "x", NULL, &error))
    REFUSED(lash_study_parse(&studies, NULL, 1, "x", NULL, &error))
    REFUSED(lash_study_parse(&studies, NULL, 0, NULL, NULL, &error))
    HARMLESS((lash_study_destroy(NULL), 0))
    REFUSED(lash_study_set_metric(NULL, "x", &own_metric, &error))
    REFUSED(lash_study_set_metric(study, NULL, &own_metric, &error))
    REFUSED(lash_study_set_metric(study, "x", NULL, &error))
    REFUSED(lash_study_set_metric(study, "x", &own_metric, &error))
    HARMLESS(lash_study_title(NULL))
    HARMLESS(lash_study_point_count(NULL))
    REFUSED(lash_study_run(NULL, study, &no_store, &error))
    REFUSED(lash_study_run(&progress, NULL, &no_store, &error))
    REFUSED(lash_study_run(&progress, study, NULL, &error))
    REFUSED(lash_study_run(&progress, study, &no_store, &error))
    HARMLESS(
        lash_study_run(&progress, study, &(lash_study_options){.store = "x.db", .jobs = SIZE_MAX}, &error))
    lash_life *life;
    lash_life_limit limit = {.kind = LASH_LIFE_TURNS, .value = 1};
    const lash_life_options lives = {.limits = &limit, .limit_count = 1};
    REFUSED(lash_life_limit_read(NULL, sim, "turns", "1", &error))
    REFUSED(lash_life_limit_read(&limit, NULL, "turns", "1", &error))
    REFUSED(lash_life_limit_read(&limit, sim, NULL, "1", &error))
    REFUSED(lash_life_limit_read(&limit, sim, "turns", NULL, &error))
    REFUSED(lash_life_limit_read(&limit, sim, "max nothing", "1", &error))
    REFUSED(lash_life_run(NULL, rig, &lives, &error))
    REFUSED(lash_life_run(&life, NULL, &lives, &error))
    REFUSED(lash_life_run(&life, rig, NULL, &error))
    REFUSED(lash_life_run(&life, rig, &(lash_life_options){0}, &error))
    REFUSED(lash_life_run(&life, rig, &lives, &error))
    REFUSED(lash_life_open(NULL, "x", &error))
    REFUSED(lash_life_open(&life, NULL, &error))
    REFUSED(lash_life_open(&life, "/nowhere", &error))
    REFUSED(lash_life_profile(NULL, NULL, 0, 0, 0, &error))
    REFUSED(lash_life_profile(numbers, NULL, 0, 0, 0, &error))
    HARMLESS(lash_life_destroy(NULL))
    HARMLESS(lash_life_stage_count(NULL))
    HARMLESS(lash_life_stage_at(NULL, 3))
    HARMLESS(lash_life_turns(NULL))
    HARMLESS(lash_life_hours(NULL))
    HARMLESS(lash_life_end(NULL))
    HARMLESS(lash_life_title(NULL))
    REFUSED(lash_study_table_open(NULL, "x", &error))
    REFUSED(lash_study_table_open(&table, NULL, &error))
    HARMLESS((lash_study_table_close(NULL), 0))
    HARMLESS(lash_study_table_width(NULL))
    HARMLESS(lash_study_table_column(NULL, 0).name)
    HARMLESS(lash_study_table_rows(NULL))
    HARMLESS(lash_study_table_points(NULL))
    HARMLESS(lash_study_table_text(NULL, 0, 0))
    HARMLESS(lash_study_table_number(NULL, 0, 0))
    HARMLESS(lash_study_table_about(NULL, "x"))
    REFUSED(lash_study_cuts_read(NULL, &points, &count, "x", "y", &error))
    REFUSED(lash_study_cuts_read(&values, &points, &count, NULL, "y", &error))
    REFUSED(lash_study_cut_channels(NULL, "x", &error))
    REFUSED(lash_study_cut_channels(&text, NULL, &error))
    HARMLESS(lash_study_table_quantile(NULL, 0, 0, 1, (double)NAN, 2).count)

    REFUSED(lash_system_compile(NULL, m, &error))
    REFUSED(lash_system_compile(&s, NULL, &error))
    HARMLESS((lash_system_destroy(NULL), 0))
    HARMLESS(lash_system_model(NULL))
    HARMLESS(lash_system_body_count(NULL))
    HARMLESS(lash_system_joint_count(NULL))
    HARMLESS(lash_system_constraint_count(NULL))
    HARMLESS(lash_system_size(NULL))
    HARMLESS(lash_system_mass(NULL))
    HARMLESS(lash_system_mobility(NULL))
    HARMLESS(lash_system_freedoms(NULL))
    HARMLESS(lash_system_redundant(NULL, 0))
    HARMLESS(lash_system_redundant(rig, SIZE_MAX))
    HARMLESS(lash_system_start_value(NULL, rig, 0))
    HARMLESS(lash_system_start_value(&value, NULL, 0))
    HARMLESS(lash_system_start_value(&value, rig, SIZE_MAX))
    HARMLESS(lash_system_solver(NULL))
    HARMLESS(lash_system_end(NULL))
    HARMLESS(lash_system_discard(NULL))
    HARMLESS(lash_system_drive_count(NULL))
    HARMLESS((lash_system_drive(NULL, 0), 0))
    HARMLESS((lash_system_drive_value(NULL, 0, 0), 0))
    double time;
    REFUSED(lash_system_turn_end(NULL, rig, 1, &error))
    REFUSED(lash_system_turn_end(&time, NULL, 1, &error))
    REFUSED(lash_system_turn_end(&time, rig, 1, &error))
    HARMLESS(lash_system_worn_count(NULL))
    HARMLESS(lash_system_worn(NULL, 0))
    HARMLESS(lash_system_worn(rig, 7))
    REFUSED(lash_system_set_worn(NULL, 0, numbers, numbers, &error))
    REFUSED(lash_system_set_worn(rig, 0, numbers, numbers, &error))
    REFUSED(lash_system_set_worn(rig, 0, NULL, NULL, &error))
    const lash_worn_shape shapeless = {0};
    HARMLESS(lash_worn_depth(NULL, numbers, 0))
    HARMLESS(lash_worn_depth(&shapeless, numbers, 0))
    HARMLESS(lash_worn_depth(&shapeless, NULL, 0))
    HARMLESS(lash_worn_deepest(NULL, numbers))
    HARMLESS(lash_worn_deepest(&shapeless, numbers))
    lash_worn_shape drawn;
    double mark[3];
    HARMLESS(lash_scene_worn(NULL, NULL, NULL, NULL, 0, 0, 0))
    HARMLESS(lash_scene_worn(numbers, &drawn, mark, m, SIZE_MAX, 0, 0))
    HARMLESS(lash_scene_worn(numbers, &drawn, mark, m, 0, 0, 7))
    HARMLESS(lash_scene_worn(numbers, &drawn, mark, m, 0, 7, 0))
    HARMLESS(lash_worn_part(NULL, 0))
    HARMLESS(lash_worn_part(&shapeless, 7))
    HARMLESS(lash_worn_gain(NULL, NULL, 0, NULL))
    HARMLESS(lash_worn_gain(numbers, NULL, 0, numbers))
    HARMLESS(lash_worn_play(NULL))
    HARMLESS(lash_worn_volume(NULL, 0, numbers))
    HARMLESS(lash_worn_volume(&(lash_worn_info){0}, 0, NULL))
    HARMLESS(lash_worn_volume(&(lash_worn_info){0}, 7, numbers))
    HARMLESS(lash_sim_worn(NULL, NULL, NULL, 0))
    HARMLESS(lash_sim_worn(numbers, numbers, sim, 0))
    HARMLESS(lash_film_work_at(NULL, m, 0))
    HARMLESS(lash_film_work_at(&work, NULL, 0))
    HARMLESS(lash_film_work_at(&work, m, SIZE_MAX))
    HARMLESS(lash_system_clearance_count(NULL))
    HARMLESS(lash_system_clearance(NULL, 0).joint)
    HARMLESS(lash_system_clearance(rig, SIZE_MAX).joint)
    HARMLESS(lash_model_parameter(NULL, m, 0))
    HARMLESS(lash_model_parameter(&parameter, NULL, 0))
    HARMLESS(lash_model_parameter(&parameter, m, SIZE_MAX))
    REFUSED(lash_model_reload(NULL, m, NULL, &error))
    REFUSED(lash_model_reload(&m, NULL, NULL, &error))
    REFUSED(lash_model_get_body(NULL, m, "bob", &error))
    REFUSED(lash_model_get_body(&got_body, NULL, "bob", &error))
    REFUSED(lash_model_get_body(&got_body, m, NULL, &error))
    REFUSED(lash_model_get_body(&got_body, m, "nobody", &error))
    REFUSED(lash_model_get_body(&got_body, m, "ground", &error))
    REFUSED(lash_model_set_body(NULL, "bob", &body, &error))
    REFUSED(lash_model_set_body(m, NULL, &body, &error))
    REFUSED(lash_model_set_body(m, "bob", NULL, &error))
    REFUSED(lash_model_set_body(m, "nobody", &body, &error))
    REFUSED(lash_model_get_joint(NULL, m, "pin", &error))
    REFUSED(lash_model_get_joint(&got_joint, NULL, "pin", &error))
    REFUSED(lash_model_get_joint(&got_joint, m, NULL, &error))
    REFUSED(lash_model_get_joint(&got_joint, m, "no joint", &error))
    REFUSED(lash_model_set_joint(NULL, "pin", &joint, &error))
    REFUSED(lash_model_set_joint(m, NULL, &joint, &error))
    REFUSED(lash_model_set_joint(m, "pin", NULL, &error))
    REFUSED(lash_model_set_joint(m, "no joint", &joint, &error))
    REFUSED(lash_model_get_material(NULL, m, "steel", &error))
    REFUSED(lash_model_get_material(&material, NULL, "steel", &error))
    REFUSED(lash_model_get_material(&material, m, NULL, &error))
    REFUSED(lash_model_get_material(&material, m, "cheese", &error))
    REFUSED(lash_model_set_material(NULL, "steel", &material, &error))
    REFUSED(lash_model_set_material(m, NULL, &material, &error))
    REFUSED(lash_model_set_material(m, "steel", NULL, &error))
    REFUSED(lash_model_set_material(m, "cheese", &material, &error))
    HARMLESS(lash_scene_play_at(NULL, 0, 0).drawn)
    HARMLESS(lash_scene_play_at(m, SIZE_MAX, 0).drawn)
    HARMLESS(lash_scene_play_at(m, 0, SIZE_MAX).drawn)
    HARMLESS(lash_file_open(NULL))
    HARMLESS(lash_file_reason(-1))
    HARMLESS(lash_text_fit(NULL, 1))
    HARMLESS((lash_text_tame(NULL, true), 0))
    return false;
}

static void test_every_call(void **unused) {
    (void)unused;
    size_t wrong = 0, made = 0;
    for (size_t i = 0;; i++, made++) {
        int status;
        const pid_t child = fork();
        if (child == 0) {
            struct sigaction plain = {.sa_handler = SIG_DFL};
            sigaction(SIGSEGV, &plain, NULL);
            sigaction(SIGABRT, &plain, NULL);
            alarm(TIMEOUT);
            prepare();
            if (!make_call(i))
                _exit(NO_MORE_EXIT);
            _exit(HARMLESS_EXIT);
        }
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == NO_MORE_EXIT)
            break;
        if (WIFEXITED(status) && WEXITSTATUS(status) == HARMLESS_EXIT)
            continue;
        wrong++;
        print_error("%s: %s %d\n", called, WIFSIGNALED(status) ? "signal" : "not refused",
                    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
    assert_true(made > 200);
    assert_int_equal(wrong, 0);
}

/* Functions without arguments cannot be misused. */
static void test_none_is_left_out(void **unused) {
    (void)unused;
    static const char *const bare[] = {
        "lash_version",       "lash_schema",           "lash_model_format_reference",
        "lash_body_default",  "lash_material_default", "lash_clearance_default",
        "lash_drive_default", "lash_run_default",      "lash_bearing_default"};
    char *own = whole_text(LASH_SOURCE_DIR "/tests/unit/test_misuse.c");
    glob_t headers;
    size_t seen = 0, missing = 0;
    assert_int_equal(glob(LASH_SOURCE_DIR "/include/lash/*.h", 0, NULL, &headers), 0);
    for (size_t h = 0; h < headers.gl_pathc; h++) {
        char *text = whole_text(headers.gl_pathv[h]), *rest = text;
        for (char *start; (start = strstr(rest, "/*")) != NULL;) { // comments name functions, too
            char *stop = strstr(start, "*/");
            assert_non_null(stop);
            memset(start, ' ', (size_t)(stop + 2 - start));
            rest = stop + 2;
        }
        for (char *name = text; (name = strstr(name, "lash_")) != NULL;) {
            char call[128];
            const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
            snprintf(call, sizeof call, "(%.*s(", (int)length, name);
            const bool whole = name == text || !strchr("abcdefghijklmnopqrstuvwxyz0123456789_", name[-1]);
            bool plain = !whole || name[length] != '(' || strncmp(name, "lash_force_call", length) == 0;
            for (size_t k = 0; !plain && k < sizeof bare / sizeof *bare; k++)
                plain = strlen(bare[k]) == length && strncmp(bare[k], name, length) == 0;
            seen += !plain;
            if (!plain && !strstr(own, call)) {
                print_error("no call of %.*s\n", (int)length, name);
                missing++;
            }
            name += length;
        }
        free(text);
    }
    globfree(&headers);
    free(own);
    assert_true(seen > 200);
    assert_int_equal(missing, 0);
}

static int begin(void **unused) {
    (void)unused;
    called = mmap(NULL, LONGEST_CALL, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return called == MAP_FAILED || !mkdtemp(folder) || chdir(folder) != 0;
}

static int end(void **unused) {
    (void)unused;
    static const char *const files[] = {"rig.yaml", "study.yaml", "x.db", "x.db-wal", "x.db-shm"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    return chdir("/") != 0 || rmdir(folder) != 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_call),
                                       cmocka_unit_test(test_none_is_left_out)};
    return cmocka_run_group_tests(tests, begin, end);
}
