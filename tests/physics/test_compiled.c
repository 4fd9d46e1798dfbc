/* SPDX-License-Identifier: MIT
 *
 * Compiled models (src/compile) against the interpreter: accelerations and all other rates at 1,000 random
 * states of every example, and whole runs event by event, to the bit; texts that do not depend on numbers;
 * names that try to break out of the text; compilers that are missing, fail, or make nothing.
 */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compile/compiler.h"
#include "compile/write.h"
#include "integrate/integrator.h"
#include "lash/wear.h"
#include "own_cache.h"
#include "physics/play.h"

#define EXAMPLES LASH_SOURCE_DIR "/examples"

enum { STATES = 1000 };

static unsigned long long seed = 1;
static double random_share(void) { /* from -1 to 1 */
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 4503599627370496.0 - 1;
}

static lash_model *load(const char *path) {
    lash_error error = {0};
    lash_model *model = NULL;
    MUST(lash_model_load(&model, path, NULL, &error));
    return model;
}

/* What an evaluation leaves in the workspace: accelerations, forces, multipliers, constraints and their
 * factor, contacts, the ledger. */
static size_t left_behind(double *out, const lashi_workspace *w) {
    const lash_system *system = w->system;
    const lashi_constraint_set *set = &system->motion;
    size_t n = 0;
    for (int b = 1; b < system->bodies; b++)
        for (int i = 0; i < system->width; i++) {
            out[n++] = w->acceleration[b][i];
            out[n++] = w->force[b][i];
        }
    for (int i = 0; i < set->rows; i++) {
        out[n++] = w->lambda[i];
        out[n++] = w->constraints.Phi[i];
        out[n++] = w->constraints.Phi_dot[i];
        out[n++] = w->constraints.gamma[i];
        out[n++] =
            lashi_ldlt_inverse_pivots(&set->ldlt, w->constraints.factor, w->constraints.int_work, i, 1);
        w->row_scratch[i] = 1; // S⁻¹ of it, through the factor
    }
    lashi_constraints_solve(w->row_scratch, &w->constraints, set);
    for (int i = 0; i < set->rows; i++)
        out[n++] = w->row_scratch[i];
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact_state *s = &w->contact_states[k];
        const double seen[] = {s->normal_force, s->friction_force, s->damping_power, s->friction_power,
                               s->gap.delta,    s->gap.deltadot,   s->gap.sliding,   s->gap.n.x,
                               s->gap.n.y,      s->dry.x,          s->dry.y,         w->least[k],
                               w->most[k]};
        memcpy(out + n, seen, sizeof seen);
        n += sizeof seen / sizeof *seen;
    }
    out[n++] = w->ledger.input;
    out[n++] = w->ledger.elastic;
    out[n++] = w->ledger.dissipation;
    const lashi_energy e = lashi_energy_evaluate(w);
    out[n++] = e.kinetic;
    out[n++] = e.potential;
    out[n++] = e.elastic;
    return n;
}

/* Forgets what evaluations have said of contacts. */
static void begin_watching(lashi_workspace *w) {
    w->mismatch = 0;
    for (int k = 0; k < w->system->contact_count; k++)
        w->least[k] = w->most[k] = 0;
}

/* Within a step less is asked for: the same bits of that, whatever was evaluated before. a: ẏ of
 * lashi_evaluate. */
static void compare_stages(double *b, const double *a, int flag, lashi_workspace *w, double t,
                           const double *y, const char *name) {
    const lash_system *system = w->system;
    const lashi_rhs asked[] = {lashi_evaluate_rates, lashi_evaluate_motion};
    const int counts[] = {system->n_y, system->n_q + system->n_v}, mismatch = w->mismatch;
    double *elsewhere = malloc((size_t)system->n_y * sizeof *elsewhere);
    assert_non_null(elsewhere);
    for (int i = 0; i < system->n_y; i++)
        elsewhere[i] = y[i] + 1e-6 * (1 + fabs(y[i]));
    for (int k = 0; k < 2; k++) {
        lashi_evaluate(b, w, t, elsewhere);
        w->mismatch = 0;
        assert_int_equal(asked[k](b, w, t, y), flag);
        assert_int_equal(w->mismatch, mismatch);
        for (int i = 0; i < counts[k] && !flag; i++)
            if (!(a[i] == b[i] || (isnan(a[i]) && isnan(b[i]))))
                fail_msg("%s: rate %d is %.17g, within a step %.17g", name, i, a[i], b[i]);
    }
    lashi_evaluate(b, w, t, y);
    free(elsewhere);
    w->mismatch = mismatch;
}

/* Gives channels that wear faces which are worn here and there, and blocks whose ends have receded. */
static void wear_channels(lash_system *system) {
    lash_error error = {0};
    for (size_t i = 0; i < lash_system_worn_count(system); i++) {
        const lash_worn_info info = lash_system_worn(system, i);
        double face[LASH_WORN_PARTS][512] = {{0}};
        assert_true(info.shape.count <= 512);
        for (size_t s = 0; !info.shape.closed && s < info.shape.count; s++) {
            face[LASH_UPPER][s] = 1.5e-5 * (1 + sin(0.3 * (double)s + (double)i));
            face[LASH_LOWER][s] = 2e-5 * (1 + cos(0.4 * (double)s - (double)i));
        }
        if (!info.shape.closed)
            MUST(lash_system_set_worn(system, i, face[LASH_UPPER], face[LASH_LOWER], &error));
    }
}

/* Compares both at random states near the start; how many numbers were compared. 0: it cannot be compiled. */
static size_t compare(const lash_model *model, const char *name) {
    lash_error error = {0};
    lash_system *system;
    lashi_workspace *w;
    lashi_text text;
    char why[LASHI_COMPILER_SAYS];
    MUST(lash_system_compile(&system, model, &error));
    wear_channels(system);
    MUST(lashi_workspace_create(&w, system, &error));
    MUST(lashi_text_write(&text, w, &error));
    size_t compared = 0;
    if (text.text) {
        lashi_kernel kernel;
        if (!lashi_compiler_run(&kernel, text.text, why))
            fail_msg("%s: %s", name, why);
        const size_t n = (size_t)system->n_y, contacts = (size_t)system->contact_count;
        double *y = calloc(3 * n + 1, sizeof *y), *a = y + n, *b = a + n;
        lashi_memory *memories = calloc(contacts + 1, sizeof *memories);
        assert_true(y && memories);
        memcpy(memories, system->memories0, contacts * sizeof *memories);
        w->memories = memories;
        const size_t rubs = (size_t)system->rub_count;
        lashi_rub_memory *rubbed = calloc(rubs + 1, sizeof *rubbed);
        assert_non_null(rubbed);
        if (rubs)
            memcpy(rubbed, system->rub_memories0, rubs * sizeof *rubbed);
        w->rub_memories = rubbed;
        const size_t most = 16 * (n + contacts + (size_t)(system->bodies + system->motion.rows) + 1);
        double *left = calloc(2 * most, sizeof *left);
        assert_non_null(left);
        size_t failed = 0;
        for (int k = 0; k < STATES; k++) {
            double sum = 0;
            for (size_t i = 0; i < n; i++)
                y[i] = system->y0[i] + random_share() * ((int)i < system->n_q ? 1e-4 * system->length : 1);
            for (size_t c = 0; c < contacts; c++) {
                memories[c].touching = random_share() > 0;
                memories[c].pulling = random_share() > 0;
                memories[c].onset = (lashi_onset){
                    .speed = fabs(random_share()), .inverse_mass = 1, .unloading = random_share() > 0};
            }
            for (size_t r = 0; r < rubs; r++) {
                rubbed[r].mode = random_share() > 0 ? LASHI_RUB_STICKS : LASHI_RUB_SLIDES;
                rubbed[r].way[0] = random_share() > 0 ? 1 : -1;
            }
            const double t = system->start + 0.01 * fabs(random_share());
            begin_watching(w);
            const int flag = lashi_evaluate(a, w, t, y), mismatch = w->mismatch;
            // Where the row of a contact repeats others, the library leaves it out.
            const bool repeats = w->constraints.repeat_count > system->motion.redundant;
            const size_t count = flag ? 0 : left_behind(left, w);
            assert_true(count <= most);
            compare_stages(b, a, flag, w, t, y, name);
            lashi_evaluate(b, w, system->start + 1e-4, system->y0); // other numbers in the workspace
            begin_watching(w);
            const bool refused =
                kernel.evaluate(b, w, t, y, text.numbers, text.objects, &sum) || !isfinite(sum);
            assert_int_equal(flag != 0 || repeats, refused);
            failed += refused;
            if (refused)
                continue;
            lashi_compiled_factor(w);
            assert_int_equal(mismatch, w->mismatch);
            for (size_t i = 0; i < n; i++, compared++)
                if (!(a[i] == b[i] || (isnan(a[i]) && isnan(b[i]))))
                    fail_msg("%s, state %d: rate %zu is %.17g, compiled %.17g", name, k, i, a[i], b[i]);
            left_behind(left + most, w);
            for (size_t i = 0; i < count; i++)
                if (!(left[i] == left[most + i] || (isnan(left[i]) && isnan(left[most + i]))))
                    fail_msg("%s, state %d: number %zu left behind is %.17g, compiled %.17g", name, k, i,
                             left[i], left[most + i]);
        }
        assert_true(failed < STATES / 2);
        free(left);
        free(memories);
        free(rubbed);
        free(y);
    } else {
        assert_non_null(text.why);
    }
    lashi_text_clear(&text);
    lashi_workspace_destroy(w);
    lash_system_destroy(system);
    return compared;
}

static void every_example_to_the_bit(void **state) {
    (void)state;
    DIR *folder = opendir(EXAMPLES);
    assert_non_null(folder);
    size_t models = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[1024];
        lash_error error = {0};
        lash_model *model = NULL;
        const size_t length = strlen(entry->d_name);
        snprintf(path, sizeof path, "%s/%s", EXAMPLES, entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".yaml") != 0 ||
            lash_model_load(&model, path, NULL, &error) != LASH_OK)
            continue; // a table, or a part of a model
        models++;
        if (compare(model, entry->d_name) == 0)
            fail_msg("%s is not compiled", entry->d_name);
        lash_model_destroy(model);
    }
    closedir(folder);
    assert_true(models >= 20);
}

/* Joints, forces, laws and drives that no example has. */
static void kinds_without_example(void **state) {
    (void)state;
    static const char *const models[] = {
        "bodies: {a: {mass: 1, inertia: 0.1, position: [0.3, 0.1]}, b: {mass: 2, inertia: 0.2, position: "
        "[0.9, 0]}}\n"
        "joints:\n"
        "  d: {type: distance, between: [ground, a]}\n"
        "  p: {type: point-on-line, between: [ground, b], axis: [1, 0.2]}\n"
        "forces:\n"
        "  s: {type: spring, between: [a, b], stiffness: 50, damping: 2, free_length: 0.5, actuator: "
        "\"3*sin(7*t)\"}\n"
        "  f: {type: force, at: b, force: [\"1 + t^2\", 2], frame: body}\n"
        "  m: {type: torque, body: a, torque: \"cos(t)\"}\n"
        "gravity: [0, -9.81]\nrun: {until: 1}\n",
        "bodies: {a: {mass: 1, inertia: 0.1, points: {e: [0.5, 0]}}, b: {mass: 2, inertia: 0.2, position: "
        "[1, 0],\n"
        "  points: {e: [-0.5, 0]}}}\n"
        "joints:\n"
        "  r: {type: revolute, between: [ground, a]}\n"
        "  q: {type: revolute, between: [a.e, b.e], clearance: {bearing_radius: 10 mm,\n"
        "      radial: 0.3 mm, contact: {law: LAW, stiffness: 1e9, restitution: 0.5},\n"
        "      friction: {law: FRICTION, coefficient: 0.1, coefficient_static: 0.2}}}\n"
        "drives: {m: {joint: r, ramp: {to: 30, over: 0.01}}}\n"
        "run: {until: 1}\n",
        "bodies: {a: {mass: 1, inertia: 0.1, points: {e: [0.5, 0]}}, b: {mass: 2, inertia: 0.2, position: "
        "[1, 0],\n"
        "  points: {e: [-0.5, 0]}}}\n"
        "joints:\n"
        "  r: {type: revolute, between: [ground, a]}\n"
        "  q: {type: revolute, between: [a.e, b.e], clearance: {bearing_radius: 10 mm, length: 10 mm,\n"
        "      radial: 0.3 mm, contact: {stiffness: 1e9, restitution: 0.5},\n"
        "      lubricant: {film: reynolds, viscosity: 100 cP, e0: 20 um, e1: 40 um}}}\n"
        "drives: {m: {joint: r, ramp: {to: 30, over: 0.01}}}\n"
        "run: {until: 1}\n",
        "bodies: {a: {mass: 1, inertia: 0.1, points: {e: [0.5, 0]}}, b: {mass: 2, inertia: 0.2, position: "
        "[1, 0],\n"
        "  points: {e: [-0.5, 0]}}}\n"
        "joints:\n"
        "  r: {type: revolute, between: [ground, a]}\n"
        "  q: {type: revolute, between: [a.e, b.e], clearance: {bearing_radius: 10 mm, length: 10 mm,\n"
        "      radial: 0.3 mm, contact: {stiffness: 1e9, restitution: 0.5},\n"
        "      lubricant: {film: reynolds, viscosity: 100 cP, e0: 20 um, e1: 40 um, inlet: groove at 30 "
        "deg}}}\n"
        "drives: {m: {joint: r, ramp: {to: 30, over: 0.01}}}\n"
        "run: {until: 1}\n",
        // friction from reactions, in ideal joints of several kinds and in a joint with play; teeth that push apart
        "gravity: [0, -9.81]\n"
        "ground: {points: {first: [0, 0], second: [80 mm, 0]}}\n"
        "bodies:\n"
        "  pinion: {mass: 0.2 kg, inertia: 4e-5 kg m^2}\n"
        "  shaft: {mass: 2 kg, inertia: 4e-3 kg m^2, position: [80 mm, 0], points: {p: [30 mm, 0]}}\n"
        "  rod: {mass: 1 kg, inertia: 0.01 kg m^2, position: [0.16, 0], points: {p: [-0.05, 0], q: [0.05, "
        "0]}}\n"
        "  block: {mass: 1 kg, inertia: 0.01 kg m^2, position: [0.21, 0]}\n"
        "joints:\n"
        "  input: {type: revolute, between: [ground.first, pinion], friction: {law: stribeck, coefficient: "
        "0.1, "
        "radius: 5 mm}}\n"
        "  middle: {type: revolute, between: [ground.second, shaft], friction: {law: coulomb, coefficient: "
        "0.1, "
        "coefficient_static: 0.2, radius: 5 mm}}\n"
        "  stage: {type: gear, between: [pinion, shaft], ratio: 20/60, pressure_angle: 20 "
        "deg}\n"
        "  pin: {type: revolute, between: [shaft.p, rod.p], friction: {law: lugre, coefficient: 0.1, radius: "
        "5 mm}}\n"
        "  end: {type: revolute, between: [rod.q, block], clearance: {bearing_radius: 10 mm, radial: 0.1 mm, "
        "contact: "
        "{stiffness: 1e9, restitution: 0.5}, friction: {law: coulomb, coefficient: 0.1, coefficient_static: "
        "0.2}}}\n"
        "  way: {type: translational, between: [ground, block], axis: [1, 0], friction: {law: threlfall, "
        "coefficient: "
        "0.1, length: 0.1 m}}\n"
        "drives: {m: {joint: input, ramp: {to: 30, over: 0.01}}}\n"
        "run: {until: 1}\n",
    };
    static const char *const laws[] = {"lankarani-nikravesh", "flores-2011", "hunt-crossley"},
                             *const frictions[] = {"none", "threlfall", "bengisu-akay", "stribeck", "lugre"};
    size_t compared = 0;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (size_t l = 0; l < (m == 1 ? 3 : 1); l++)
            for (size_t f = 0; f < (m == 1 && l == 0 ? 5 : 1); f++) {
                char text[4096], *law, *friction;
                lash_error error = {0};
                lash_model *model;
                snprintf(text, sizeof text, "%s", models[m]);
                if ((law = strstr(text, "LAW"))) {
                    friction = strstr(text, "FRICTION");
                    char whole[4096];
                    snprintf(whole, sizeof whole, "%.*s%s%.*s%s%s", (int)(law - text), text, laws[l],
                             (int)(friction - law - 3), law + 3, frictions[f], friction + 8);
                    snprintf(text, sizeof text, "%s", whole);
                }
                const lash_status status =
                    lash_model_parse(&model, text, strlen(text), "m.yaml", NULL, &error);
                if (status)
                    fail_msg("%s", error.message);
                compared += compare(model, text);
                lash_model_destroy(model);
            }
    assert_true(compared > 11 * STATES);
}

/* A run as a series of steps: coordinates, channels (also the sign of zeros) and events. text: the model, instead of an
 * example; before: steps that it takes before it is compiled. */
static void same_run(const char *name, const char *text, double until, size_t before) {
    char path[1024];
    lash_error error = {0};
    lash_sim *sim[2];
    lash_model *model[2];
    lash_system *system[2];
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s", EXAMPLES, name);
        const lash_setting when = {.name = "run.compiled", .value = k ? "always" : "never"};
        const lash_load_options options = {.settings = &when, .setting_count = 1};
        if (text)
            MUST(lash_model_parse(&model[k], text, strlen(text), name, &options, &error));
        else
            MUST(lash_model_load(&model[k], path, &options, &error));
        MUST(lash_system_compile(&system[k], model[k], &error));
        wear_channels(system[k]);
        MUST(lash_sim_create(&sim[k], system[k], &error));
    }
    const size_t n = lash_sim_coordinate_count(sim[0]);
    double *y = calloc(2 * n, sizeof *y);
    assert_non_null(y);
    size_t events = 0, steps = 0;
    for (; lash_sim_time(sim[0]) < until; steps++) {
        size_t count[2];
        for (int k = 0; steps == before && k < 2; k++) {
            const char *why;
            MUST(lash_sim_compile(sim[k], &error));
            assert_int_equal(lash_sim_is_compiled(sim[k], &why), k);
            assert_string_equal(why, "");
        }
        const lash_event *happened[2];
        for (int k = 0; k < 2; k++) {
            MUST(lash_sim_step(sim[k], until, &error));
            happened[k] = lash_sim_events(&count[k], sim[k]);
            lash_sim_coordinates(y + n * (size_t)k, sim[k]);
        }
        assert_memory_equal(y, y + n, n * sizeof *y);
        for (size_t c = 0; c < lash_sim_channel_count(sim[0]); c++) {
            const double value[2] = {lash_sim_value(sim[0], c), lash_sim_value(sim[1], c)};
            assert_memory_equal(&value[0], &value[1], sizeof *value);
        }
        assert_true(lash_sim_time(sim[0]) == lash_sim_time(sim[1]));
        assert_int_equal(count[0], count[1]);
        for (size_t e = 0; e < count[0]; e++, events++)
            assert_true(happened[0][e].time == happened[1][e].time &&
                        happened[0][e].kind == happened[1][e].kind);
    }
    if (!(events > 2 && steps > before))
        fail_msg("%s: %zu events in %zu steps", name, events, steps);
    const lash_summary a = lash_sim_summary(sim[0]), b = lash_sim_summary(sim[1]);
    assert_int_equal(a.evaluations, b.evaluations);
    assert_int_equal(a.looks, b.looks);
    assert_true(a.max_balance_error == b.max_balance_error);
    for (size_t i = 0; i < lash_system_worn_count(system[0]); i++) {
        const double volume = lash_sim_worn(NULL, NULL, sim[0], i);
        assert_true(volume == lash_sim_worn(NULL, NULL, sim[1], i));
        assert_true(volume > 0);
    }
    free(y);
    for (int k = 0; k < 2; k++) {
        lash_sim_destroy(sim[k]);
        lash_system_destroy(system[k]);
        lash_model_destroy(model[k]);
    }
}

/* A film that is a table stays in the library, and the rest is compiled. */
static void films_by_table(void **state) {
    (void)state;
    static const char text[] =
        "gravity: [0, -9.81]\nbodies: {shaft: {mass: 5, inertia: 0.01}}\n"
        "joints: {bush: {type: revolute, between: [ground, shaft], clearance: {bearing_radius: 10 mm, "
        "radial: "
        "0.05 mm, length: 10 mm,\n"
        "  contact: {law: hertz, stiffness: 1e9}, lubricant: {film: reynolds, viscosity: 0.05 Pa s}}}}\n"
        "drives: {motor: {joint: bush, speed: 600 rpm}}\nrun: {until: 0.02 s}\n";
    lash_error error = {0};
    lash_model *model;
    MUST(lash_model_parse(&model, text, strlen(text), "film", NULL, &error));
    assert_true(compare(model, "film by table") > STATES);
    lash_model_destroy(model);
}

static void runs_event_by_event(void **state) {
    (void)state;
    same_run("flores-2010.yaml", NULL, 0.012, 0);
    same_run("flores-2006.yaml", NULL, 0.1, 0);
    same_run("gear-rattle.yaml", NULL, 0.05, 0);
    // friction that depends on reactions, which sticks and slips
    same_run("stick-slip.yaml", NULL, 3, 0);
}

/* Contacts that are constraints, always or at times: pins, guides and stops in the plane, balls, blocks and stops
 * in space, with friction in the plane. */
static void contacts_that_are_constraints(void **state) {
    (void)state;
#define SLIDER_CRANK(clearance)                                                                              \
    "gravity: [0, -9.81]\nbodies:\n"                                                                         \
    "  crank: {mass: 0.3, inertia: 1e-4, position: [25 mm, 0], points: {main: [-25 mm, 0], pin: [25 mm, "    \
    "0]}}\n"                                                                                                 \
    "  rod: {mass: 0.21, inertia: 2.5e-4, position: [0.11, 0], points: {big: [-60 mm, 0], small: [60 mm, "   \
    "0]}}\n"                                                                                                 \
    "  slider: {mass: 0.14, inertia: 1e-4, position: [0.17, 0]}\n"                                           \
    "joints:\n"                                                                                              \
    "  main: {type: revolute, between: [ground, crank.main]}\n"                                              \
    "  crankpin: {type: revolute, between: [rod.big, crank.pin]}\n"                                          \
    "  gudgeon: {type: revolute, between: [slider, rod.small], clearance: {bearing_radius: 10 mm, radial: "  \
    "0.2 mm, " clearance "}}\n"                                                                              \
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"                              \
    "drives: {motor: {joint: main, speed: 2000 rpm}}\nrun: {until: 0.06 s, rtol: 1e-8}\n"
#define SWING(clearance)                                                                                     \
    "space: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"                                                      \
    "  crank: {mass: 0.3, inertia: [1e-4, 1e-4, 1e-4], points: {pin: [50 mm, 0, 0]}}\n"                      \
    "  rod: {mass: 0.2, inertia: [2e-4, 3e-4, 1e-4], position: [50 mm, 0, -60 mm], points: {top: [0, 0, 60 " \
    "mm]}}\n"                                                                                                \
    "joints:\n"                                                                                              \
    "  main: {type: revolute, between: [ground, crank], axis: [1, 0.5, 3]}\n"                                \
    "  hinge: {type: spherical, between: [crank.pin, rod.top], clearance: {bearing_radius: 10 mm, radial: "  \
    "0.5 mm, " clearance "}}\n"                                                                              \
    "drives: {motor: {joint: main, motion: \"0.6*sin(30*t)\"}}\nrun: {until: 1 s, rtol: 1e-8}\n"
    // bars that are one too many, and two stops; a compliant pin beside them
#define PARALLEL_BAR(name, x)                                                                                \
    "  " name ": {mass: 1, inertia: 1e-3, position: [" x ", 0.0866], angle: 60 deg, angular_velocity: 1, "   \
    "points: {p: [-0.1, 0], q: [0.1, 0]}}\n"
#define PARALLEL(friction)                                                                                   \
    "gravity: [0, -9.81]\nground: {points: {a: [0, 0], b: [0.2, 0], c: [0.4, 0]}}\n"                         \
    "bodies:\n" PARALLEL_BAR("a", "0.05") PARALLEL_BAR("b", "0.25") PARALLEL_BAR(                            \
        "c",                                                                                                 \
        "0.45") "  top: {mass: 1, inertia: 0.01, position: [0.3, 0.1732], points: {a: [-0.2, 0], b: [0, "    \
                "0], c: "                                                                                    \
                "[0.2, 0]}}\n"                                                                               \
                "  bob: {mass: 0.1, inertia: 1e-4, position: [0.3, 0.1232], points: {p: [0, 0.05]}}\n"       \
                "joints:\n"                                                                                  \
                "  a0: {type: revolute, between: [ground.a, a.p], stops: {min: 20 deg, max: 70 deg, model: " \
                "three-mode, restitution: 0.6}}\n"                                                           \
                "  a1: {type: revolute, between: [a.q, top.a]" friction "}\n"                                \
                "  b0: {type: revolute, between: [ground.b, b.p]}\n  b1: {type: revolute, between: [b.q, "   \
                "top.b]}\n"                                                                                  \
                "  c0: {type: revolute, between: [ground.c, c.p]}\n  c1: {type: revolute, between: [c.q, "   \
                "top.c]}\n"                                                                                  \
                "  hang: {type: revolute, between: [top.b, bob.p], clearance: {bearing_radius: 10 mm, "      \
                "radial: 0.3 "                                                                               \
                "mm, contact: {stiffness: 1e9, restitution: 0.5}}}\n"                                        \
                "run: {until: 0.5 s}\n"
    static const struct {
        const char *name, *text;
        double until;
        bool random; /* at random states as well */
    } models[] = {
        {"pin", SLIDER_CRANK("model: permanent-contact, offset: [-0.2 mm, 0]"), 0.06, true},
        {"pin at times", SLIDER_CRANK("model: three-mode, restitution: 0.5"), 0.06, true},
        {"pin with friction",
         SLIDER_CRANK("model: three-mode, restitution: 0.5, friction: {law: threlfall, coefficient: 0.1}"),
         0.06, true},
        {"pin that sticks",
         SLIDER_CRANK("model: three-mode, restitution: 0.5, friction: {law: coulomb, coefficient: 0.1, "
                      "coefficient_static: 0.2}"),
         0.06, true},
        {"ball", SWING("model: permanent-contact, offset: [0, 0, -0.5 mm]"), 1, true},
        {"ball at times", SWING("model: three-mode, restitution: 0.5"), 0.3, true},
        // sixteen corners, of which many repeat others when they touch at random
        {"block",
         "space: spatial\ngravity: [0, -9.81, 0]\nbodies: {b: {mass: 0.5, inertia: [2e-4, 3e-4, 4e-4], "
         "velocity: [1, 0.3, 0.2], angular_velocity: [1, 2, 3]}}\n"
         "joints: {j: {type: prismatic, between: [ground, b], axis: [1, 0, 0], clearance: {length: 0.1, "
         "height: 0.04, width: 0.08, height_axis: [0, 1, 0], play: 4 mm, side_play: 2 mm, model: three-mode, "
         "restitution: 0.5}}}\nrun: {until: 0.5 s}\n",
         0.5, false},
        {"stops of a machine with rows that repeat others", PARALLEL(""), 0.5, true},
        {"the same with friction", PARALLEL(", friction: {law: threlfall, coefficient: 0.1, radius: 5 mm}"),
         0.5, true},
        {"stops in space",
         "space: spatial\ngravity: [0, 0, -9.81]\nbodies: {b: {mass: 0.5, inertia: [2e-4, 3e-4, 4e-4], "
         "angular_velocity: [0, 0, 3]}}\n"
         "joints: {j: {type: cylindrical, between: [ground, b], axis: [0, 0, 1], stops: {coordinate: travel, "
         "min: -0.1 m, max: 0.02 m, model: three-mode, restitution: 0.7}}}\nrun: {until: 1 s}\n",
         1, true},
    };
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        lash_error error = {0};
        lash_model *model;
        MUST(lash_model_parse(&model, models[k].text, strlen(models[k].text), "m.yaml", NULL, &error));
        if (models[k].random)
            assert_true(compare(model, models[k].name) > 0);
        lash_model_destroy(model);
        for (size_t before = 0; before <= 30; before += 30)
            same_run(models[k].name, models[k].text, models[k].until, before);
    }
    same_run("grigore-2011.yaml", NULL, 0.5, 0);
    same_run("flores-2008-guide.yaml", NULL, 0.1, 0);
}

/* Surfaces that are worn: of pins, dry and with a film, of their ends in space, and of guides. */
static void worn_surfaces(void **state) {
    (void)state;
#define PROFILES ", bearing: \"4 um*(1 + cos(angle - 0.4))\", journal: \"3 um*cos(angle)^2\""
#define PIN(more)                                                                                            \
    "clearance: {bearing_radius: 10 mm, radial: 0.05 mm, length: 15 mm, contact: {law: hertz, "              \
    "stiffness: 1e9}, " more                                                                                 \
    "friction: {law: stribeck, coefficient: 0.1}, wear: {k: 1e-13, sectors: 60" PROFILES "}}"
#define SHAFT(more)                                                                                          \
    "gravity: [0, -9.81]\nbodies: {shaft: {mass: 2, inertia: 0.01, velocity: [0.02, 0]}}\n"                  \
    "joints: {bush: {type: revolute, between: [ground, shaft], " PIN(                                        \
        more) "}}\nforces: {f: {type: force, at: shaft, force: [\"300*sin(300*t)\", \"300*cos(230*t)\"]}}\n" \
              "drives: {motor: {joint: bush, speed: 600 rpm}}\nrun: {until: 0.1 s}\n"
#define SHAFT_IN_SPACE(more)                                                                                 \
    "space: spatial\ngravity: [0, -9.81, 0]\nbodies: {shaft: {mass: 2, inertia: [0.03, 0.03, 0.02], "        \
    "velocity: [0.02, 0, 0]}}\n"                                                                             \
    "joints: {bush: {type: revolute, between: [ground, shaft], axis: [0, 0.1, 1], " PIN(                     \
        more) "}}\nforces: {f: {type: force, at: shaft, force: [\"300*sin(300*t)\", \"300*cos(230*t)\", "    \
              "0]}}\n"                                                                                       \
              "drives: {motor: {joint: bush, speed: 600 rpm}}\nrun: {until: 0.05 s}\n"
#define OIL(film) "lubricant: {film: " film ", viscosity: 1 cP, e0: 1 um, e1: 2 um}, "
#define GUIDE                                                                                                \
    "play: 0.2 mm, contact: {stiffness: 1e9, restitution: 0.5}, friction: {law: lugre, coefficient: 0.1}, "
    static const struct {
        const char *name, *text;
        double until;
        size_t before; /* steps, at least, before it is compiled */
    } models[] = {
        {"worn pin", SHAFT(""), 0.05, 0},
        {"worn pin in oil", SHAFT(OIL("short")), 0.05, 0},
        {"worn ends", SHAFT_IN_SPACE(""), 0.05, 0},
        {"worn ends in oil", SHAFT_IN_SPACE(OIL("short")), 0.05,
         30}, // ends in oil count a first evaluation twice
        {"worn guide",
         "gravity: [0, -9.81]\nbodies: {b: {mass: 1, inertia: 1e-3, velocity: [0.8, 0.1], angular_velocity: "
         "1}}\n"
         "joints: {g: {type: translational, between: [ground, b], axis: [1, 0], clearance: {length: 60 mm, "
         "height: 40 mm, width: 30 mm, " GUIDE
         "wear: {k: 1e-13, span: [-200 mm, 200 mm], sectors: 120}}}}\nrun: {until: 0.1 s}\n",
         0.1, 0},
        {"worn guide in space",
         "space: spatial\ngravity: [0, -9.81, 3]\nbodies: {b: {mass: 1, inertia: [1e-3, 1.2e-3, 1.5e-3], "
         "velocity: [0.8, 0.1, 0.1], angular_velocity: [0.3, 0.9, 1]}}\n"
         "joints: {g: {type: prismatic, between: [ground, b], axis: [1, 0, 0], clearance: {length: 60 mm, "
         "height: 40 mm, width: 30 mm, " GUIDE
         "wear: {k: 1e-13, span: [-200 mm, 200 mm], sectors: 120}}}}\nrun: {until: 0.1 s}\n",
         0.05, 0},
    };
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        lash_error error = {0};
        lash_model *model;
        const lash_status status =
            lash_model_parse(&model, models[k].text, strlen(models[k].text), "m.yaml", NULL, &error);
        if (status)
            fail_msg("%s: %s", models[k].name, error.message);
        assert_true(compare(model, models[k].name) > 0);
        lash_model_destroy(model);
        for (size_t before = models[k].before; before <= 30; before += 30)
            same_run(models[k].name, models[k].text, models[k].until, before);
    }
    same_run("bell-mouth.yaml", NULL, 0.02, 0);
}

/* The crank passes 10⁶ rad, beyond which compiled sines are not good enough (math/trig.h). */
static void runs_beyond_the_range_of_sines(void **state) {
    (void)state;
    same_run("m.yaml",
             "gravity: [0, -9.81]\n"
             "bodies:\n"
             "  a: {mass: 1, inertia: 0.1, angle: 999999.5, points: {e: [0.5, 0]}}\n"
             "  b: {mass: 2, inertia: 0.2, position: [1, 0], points: {e: [-0.5, 0]}}\n"
             "joints:\n"
             "  r: {type: revolute, between: [ground, a]}\n"
             "  q: {type: revolute, between: [a.e, b.e], clearance: {bearing_radius: 10 mm, radial: 0.3 mm,\n"
             "      contact: {law: lankarani-nikravesh, stiffness: 1e9, restitution: 0.5}}}\n"
             "drives: {m: {joint: r, speed: 30}}\n"
             "run: {until: 1}\n",
             0.05, 0);
}

/* One text for all machines of a structure. */
static void numbers_are_not_in_the_text(void **state) {
    (void)state;
    char path[1024], *code[2];
    for (int k = 0; k < 2; k++) {
        lash_error error = {0};
        lash_model *model;
        lash_system *system;
        snprintf(path, sizeof path, "%s/flores-2010.yaml", EXAMPLES);
        const lash_setting play = {.name = "play", .value = k ? "0.2 mm" : "0.05 mm"};
        const lash_load_options options = {.settings = &play, .setting_count = 1};
        MUST(lash_model_load(&model, path, &options, &error));
        MUST(lash_system_compile(&system, model, &error));
        code[k] = lash_system_code(system, false, &error);
        assert_non_null(code[k]);
        lash_system_destroy(system);
        lash_model_destroy(model);
    }
    assert_string_equal(code[0], code[1]);
    free(code[0]);
    free(code[1]);
}

static void hostile_names_stay_in_comments(void **state) {
    (void)state;
    lash_error error = {0};
    lash_model *model;
    static const char text[] =
        "title: \"*/ int main(void) { system(\\\"touch /tmp/broken\\\"); } /* \\\\\\n#error ?\?/\"\n"
        "bodies: {\"a */ #error b\": {mass: 1, inertia: 1}}\nrun: {until: 1}\n";
    const lash_status status = lash_model_parse(&model, text, sizeof text - 1, "m.yaml", NULL, &error);
    if (status) { // names that no file may have are no danger
        assert_true(error.message[0]);
        static const char title[] =
            "title: \"*/ \\n#error ?\?/\"\nbodies: {a: {mass: 1, inertia: 1}}\nrun: {until: 1}\n";
        MUST(lash_model_parse(&model, title, sizeof title - 1, "m.yaml", NULL, &error));
    }
    lash_system *system;
    MUST(lash_system_compile(&system, model, &error));
    char *code = lash_system_code(system, false, &error);
    assert_non_null(code);
    assert_null(strstr(code, "#error"));
    assert_null(strstr(code, "system("));
    assert_null(strstr(code, "?\?"));
    free(code);
    lash_system_destroy(system);
    assert_true(compare(model, "hostile") > 0);
    lash_model_destroy(model);
}

static void without_a_compiler(void **state) {
    (void)state;
    lash_error error = {0};
    char path[2048], why[LASHI_COMPILER_SAYS];
    lashi_kernel kernel;
    static const char *const bad[] = {"/nonexistent/cc", "/bin/false", "/bin/true", "/"};
    static const char *const says[] = {"no program", "failed", "made nothing", "no program"};
    snprintf(path, sizeof path, "%s/four-bar.yaml", EXAMPLES);
    for (size_t k = 0; k < 4; k++) {
        lash_model *model = load(path);
        lash_system *system;
        lash_sim *sim;
        setenv("LASH_CC", bad[k], 1);
        lash_run_def run = *lash_model_run(model);
        run.compiled = "always";
        MUST(lash_model_set_run(model, &run, &error));
        MUST(lash_system_compile(&system, model, &error));
        MUST(lash_sim_create(&sim, system, &error));
        MUST(lash_sim_compile(sim, &error));
        const char *reason;
        assert_false(lash_sim_is_compiled(sim, &reason));
        if (!strstr(reason, says[k]))
            fail_msg("%s: %s", bad[k], reason);
        MUST(lash_sim_step(sim, 0.01, &error)); // it goes on without
        lash_sim_destroy(sim);
        lash_system_destroy(system);
        lash_model_destroy(model);
    }
    unsetenv("LASH_CC");
    // A folder that others may write is not used.
    char *cache = strdup(getenv("XDG_CACHE_HOME")), open_folder[1100], inside[1200];
    snprintf(open_folder, sizeof open_folder, "%s/open", cache);
    snprintf(inside, sizeof inside, "%s/lash/kernels", open_folder);
    mkdir(open_folder, 0700);
    snprintf(path, sizeof path, "%s/lash", open_folder);
    mkdir(path, 0700);
    mkdir(inside, 0700);
    chmod(inside, 0777);
    setenv("XDG_CACHE_HOME", open_folder, 1);
    assert_false(lashi_compiler_run(&kernel, "", why));
    assert_non_null(strstr(why, "only you may write"));
    // A home that is not there is not made.
    unsetenv("XDG_CACHE_HOME");
    snprintf(path, sizeof path, "%s/nobody", cache);
    char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    setenv("HOME", path, 1);
    assert_false(lashi_compiler_run(&kernel, "", why));
    assert_int_not_equal(access(path, F_OK), 0);
    if (home)
        setenv("HOME", home, 1);
    free(home);
    setenv("XDG_CACHE_HOME", cache, 1);
    free(cache);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_to_the_bit),
        cmocka_unit_test(kinds_without_example),
        cmocka_unit_test(runs_event_by_event),
        cmocka_unit_test(runs_beyond_the_range_of_sines),
        cmocka_unit_test(numbers_are_not_in_the_text),
        cmocka_unit_test(hostile_names_stay_in_comments),
        cmocka_unit_test(without_a_compiler),
        cmocka_unit_test(films_by_table),
        cmocka_unit_test(contacts_that_are_constraints),
        cmocka_unit_test(worn_surfaces),
    };
    return cmocka_run_group_tests(tests, own_cache_begin, own_cache_end);
}
