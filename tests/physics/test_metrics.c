/* SPDX-License-Identifier: MIT
 *
 * Metrics of studies on motions that are known. A stone that is thrown up: y = v t - g t²/2, whose beginning is
 * discarded in part; least, greatest, mean and square have closed forms. A bob that bounces in its joint beside
 * a wheel that turns evenly: counts and shares follow from the events of a run of the same model.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "physics/rig.h"
#include "study/metric.h"

static char folder[] = "/tmp/lash-metrics-XXXXXX";

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static lash_study_table *compute(const char *model, const char *study) {
    lash_study *read;
    lash_study_table *table;
    lash_study_progress progress;
    lash_error error = {0};
    put("model.yaml", model);
    put("study.yaml", study);
    unlink("study.db");
    const lash_study_options options = {.store = "study.db", .jobs = 1};
    rig_require(lash_study_load(&read, "study.yaml", NULL, &error), &error, "study");
    rig_require(lash_study_run(&progress, read, &options, &error), &error, "study");
    assert_int_equal(progress.failed, 0);
    lash_study_destroy(read);
    rig_require(lash_study_table_open(&table, "study.db", &error), &error, "table");
    return table;
}

static double metric(const lash_study_table *table, size_t row, const char *name) {
    for (size_t c = 0; c < lash_study_table_width(table); c++)
        if (strcmp(lash_study_table_column(table, c).name, name) == 0)
            return lash_study_table_number(table, row, c);
    fail_msg("no column '%s'", name);
    return 0;
}

static void near(const lash_study_table *table, size_t row, const char *name, double wanted) {
    const double found = metric(table, row, name);
    if (!(fabs(found - wanted) <= 1e-9 * fmax(1, fabs(wanted))))
        fail_msg("%s is %.12g, expected %.12g", name, found, wanted);
}

/* ∫ yᵏ over 0 … t, for k = 1 and 2. */
static double integral(double v, double g, double t) {
    return v * t * t / 2 - g * t * t * t / 6;
}

static double square(double v, double g, double t) {
    return v * v * t * t * t / 3 - v * g * t * t * t * t / 4 + g * g * t * t * t * t * t / 20;
}

static void test_channels(void **state) {
    (void)state;
    const double g = 9.81, end = 1, discard = 0.2, speeds[] = {3, 1, -2};
    lash_study_table *table = compute(
        "gravity: [0, -9.81]\nparameters: {up: 1 m/s}\n"
        "bodies: {stone: {mass: 1, inertia: 1, velocity: [0.5, $up]}}\nrun: {until: 1 s, rtol: 1e-12}\n",
        "model: model.yaml\naxes: {up: [3 m/s, 1 m/s, -2 m/s]}\ndiscard: 0.2 s\n"
        "metrics: [max stone.y, min stone.y, max-abs stone.y, peak-to-peak stone.y, mean stone.y, rms "
        "stone.y,"
        " max stone.vx, min stone.vx, balance-error]\n");
    for (size_t i = 0; i < 3; i++) {
        const double v = speeds[i], top = v / g, first = v * discard - g * discard * discard / 2,
                     last = v * end - g * end * end / 2, length = end - discard;
        // The top counts only where it is not discarded.
        const double most = top > discard && top < end ? v * v / (2 * g) : fmax(first, last),
                     least = fmin(first, last);
        near(table, i, "max stone.y", most);
        near(table, i, "min stone.y", least);
        near(table, i, "max-abs stone.y", fmax(fabs(most), fabs(least)));
        near(table, i, "peak-to-peak stone.y", most - least);
        near(table, i, "mean stone.y", (integral(v, g, end) - integral(v, g, discard)) / length);
        near(table, i, "rms stone.y", sqrt((square(v, g, end) - square(v, g, discard)) / length));
        near(table, i, "max stone.vx", 0.5);
        near(table, i, "min stone.vx", 0.5);
    }
    lash_study_table_close(table);
}

/* x = cos t: the range in [a, t_new] of every step, for many a, so that extrema are everywhere, also at the very end. */
static lash_status check_ranges(void *user, lash_sim *sim, double t_old, double t_new) {
    enum { PARTS = 61 };
    lashi_window *window = user;
    lashi_track *track = &window->tracks[0];
    for (int k = 0; k < PARTS; k++) {
        const double a = t_old + (t_new - t_old) * k / PARTS, ends[] = {cos(a), cos(t_new)};
        const bool top = floor(t_new / (2 * RIG_PI)) > floor(a / (2 * RIG_PI)),
                   bottom = floor(t_new / (2 * RIG_PI) + 0.5) > floor(a / (2 * RIG_PI) + 0.5);
        track->least = INFINITY;
        track->most = -INFINITY;
        if (lashi_window_observe(window, sim, a, t_new))
            return LASH_ERROR_USAGE;
        rig_near(track->most, top ? 1 : fmax(ends[0], ends[1]), 1e-7, "most in [%.17g, %.17g]", a, t_new);
        rig_near(track->least, bottom ? -1 : fmin(ends[0], ends[1]), 1e-7, "least in [%.17g, %.17g]", a,
                 t_new);
    }
    return LASH_OK;
}

static void test_ranges(void **state) {
    (void)state;
    for (int sums = 0; sums < 2; sums++) {
        rig r = rig_open("bodies: {mass: {mass: 1, inertia: 1, position: [1, 0]}}\n"
                         "joints: {guide: {type: translational, between: [ground, mass], axis: [1, 0]}}\n"
                         "forces: {spring: {type: joint-spring, joint: guide, stiffness: 1, free: 0}}\n"
                         "run: {until: 500, rtol: 1e-11}\n");
        lashi_window window;
        lash_error error = {0};
        const size_t channel = lash_sim_find_channel(r.sim, "mass.x");
        rig_require(lashi_window_create(&window, 1, 1e-6, &error), &error, "window");
        assert_int_equal(
            sums ? lashi_window_track(&window, channel) : lashi_window_track_range(&window, channel), 0);
        const lash_run_control control = {.observe = check_ranges, .user = &window};
        rig_require(lash_sim_run(r.sim, NULL, &control, &error), &error, "run");
        lashi_window_clear(&window);
        rig_close(&r);
    }
}

static const char bouncing[] =
    "gravity: [0, -9.81]\nparameters: {pace: 60 rpm}\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
    "ground: {points: {far: [1, 0]}}\n"
    "bodies:\n"
    "  bob: {mass: 1, inertia: 1}\n"
    "  wheel: {mass: 1, inertia: 1, position: [1, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, bob], clearance: {bearing_radius: 2 cm, radial: 5 mm,\n"
    "        materials: steel, contact: {restitution: 0.7}}}\n"
    "  hub: {type: revolute, between: [ground.far, wheel]}\n"
    "drives: {motor: {joint: hub, speed: $pace}}\n"
    "run: {until: 0.253 s, rtol: 1e-9}\n";

static void test_joints_and_turns(void **state) {
    (void)state;
    const double end = 0.253, discard = 0.06, pace = 1; // rev/s
    lash_study_table *table =
        compute(bouncing,
                "model: model.yaml\naxes: {pace: [60 rpm]}\ndiscard: 0.06 s\n"
                "metrics: [impacts pin, impacts-per-turn pin, fraction free pin, fraction impact pin,"
                " fraction following pin, energy-lost-per-turn pin, turns, evaluations, evaluations-per-turn,"
                " steps-per-turn]\n");
    rig r = rig_open("%s", bouncing);
    lash_record *record;
    lash_error error = {0};
    const lash_record_options options = {.steps = true, .every = LASH_UNSET};
    rig_require(lash_record_create(&record, r.sim, &options, &error), &error, "record");
    rig_require(lash_record_to_memory(record, &error), &error, "record");
    rig_require(lash_sim_run(r.sim, record, NULL, &error), &error, "run");
    size_t count, impacts = 0, before = 0;
    double touching = 0, lost = 0;
    const lash_event *events = lash_record_events(&count, record);
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind != LASH_EVENT_RELEASE)
            continue;
        assert_true(events[i].impact);
        // No contact is cut by the discarded part, or by the end.
        assert_true(events[i].time < discard || events[i].time - events[i].duration > discard);
        before += events[i].time < discard;
        if (events[i].time < discard)
            continue;
        impacts++;
        touching += events[i].duration;
        lost += events[i].energy_lost;
    }
    assert_true(before > 0 && impacts > 3 && events[count - 1].kind == LASH_EVENT_RELEASE);
    const double turns = (end - discard) * pace, length = end - discard;
    near(table, 0, "turns", turns);
    near(table, 0, "impacts pin", (double)impacts);
    near(table, 0, "impacts-per-turn pin", (double)impacts / turns);
    near(table, 0, "energy-lost-per-turn pin", lost / turns);
    near(table, 0, "evaluations-per-turn", metric(table, 0, "evaluations") / turns);
    const double steps = metric(table, 0, "steps-per-turn") * turns;
    assert_true(steps > 10 && fabs(steps - round(steps)) < 1e-6);
    const double free_share = metric(table, 0, "fraction free pin"),
                 impact_share = metric(table, 0, "fraction impact pin");
    assert_true(fabs(impact_share - touching / length) < 1e-6);
    assert_true(fabs(free_share - (1 - touching / length)) < 1e-6);
    near(table, 0, "fraction following pin", 0);
    lash_record_destroy(record);
    rig_close(&r);
    lash_study_table_close(table);
}

static int begin(void **state) {
    (void)state;
    return !mkdtemp(folder) || chdir(folder) != 0;
}

static int end(void **state) {
    (void)state;
    unlink("model.yaml");
    unlink("study.yaml");
    unlink("study.db");
    return chdir("/") != 0 || rmdir(folder) != 0;
}

/* The largest speed at which a stone that is thrown up stays below h, √(2 g h), searched for in eight equal steps or ratios of which the
 * last is halved; with a wide tolerance it is not, and the answer is the last of them that is good. */
static void test_search(void **state) {
    (void)state;
    const double exact = sqrt(2 * 9.81 * 3), steps[] = {1 + 19 * 2 / 8.0, pow(20, 5 / 8.0)};
    for (int k = 0; k < 4; k++) {
        char study[300];
        snprintf(study, sizeof study,
                 "model: model.yaml\nsearch: {parameter: v, from: 1 m/s, to: 20 m/s, scale: %s, metric: max "
                 "stone.y,\n"
                 "  below: 3 m, tolerance: %g}\n",
                 k % 2 ? "log" : "linear", k < 2 ? 1e-6 : 0.9);
        lash_study_table *table =
            compute("parameters: {v: 1 m/s}\ngravity: [0, -9.81]\n"
                    "bodies: {stone: {mass: 1, inertia: 1, velocity: [0, $v]}}\nrun: {until: 3}\n",
                    study);
        const double found = metric(table, 0, "v");
        if (k < 2)
            assert_true(found <= exact && found > exact * (1 - 1e-6));
        else
            near(table, 0, "v", steps[k % 2]);
        near(table, 0, "max stone.y", found * found / (2 * 9.81));
        lash_study_table_close(table);
    }
}

/* Cuts of x = cos t at 0.97, up and down, twice within a step: at 2πk ± acos 0.97, with y = 0.97 and v = −sin t. */
static void test_section(void **state) {
    (void)state;
    enum { TURNS = 40 };
    const double near = acos(0.97);
    for (int direction = -1; direction <= 1; direction++) {
        rig r = rig_open("bodies: {mass: {mass: 1, inertia: 1, position: [1, 0]}}\n"
                         "joints: {guide: {type: translational, between: [ground, mass], axis: [1, 0]}}\n"
                         "forces: {spring: {type: joint-spring, joint: guide, stiffness: 1, free: 0}}\n"
                         "run: {until: %.17g, rtol: 1e-6, max_step: 1.5}\n",
                         2 * RIG_PI * TURNS + 1);
        static const char *const channels[] = {"mass.vx", "mass.x"};
        lashi_section *section = NULL;
        lash_error error = {0};
        const lashi_surface surface = {"mass.x", 0.97, 0, direction};
        rig_require(lashi_section_create(&section, r.sim, &surface, channels, 2, 0, 0, &error), &error,
                    "section");
        const lash_run_control control = {.observe = lashi_section_observe, .user = section};
        rig_require(lash_sim_run(r.sim, NULL, &control, &error), &error, "run");
        // Down at the start and in every turn, up in every turn but the first.
        assert_int_equal(section->count, direction ? TURNS + (direction < 0) : 2 * TURNS + 1);
        print_message("%zu steps\n", lash_sim_summary(r.sim).steps);
        assert_true(lash_sim_summary(r.sim).steps < 10 * TURNS); // some steps have both
        for (size_t k = 0; k < section->count; k++) {
            const bool down = direction < 0 || (direction == 0 && k % 2 == 0);
            const size_t turn = direction == 0 ? (k + 1) / 2 : k + (direction > 0);
            rig_near(section->times[k], 2 * RIG_PI * (double)turn + (down ? near : -near), 1e-3, "cut %zu",
                     k);
            rig_near(section->points[2 * k], (down ? -1 : 1) * sin(near), 1e-3, "speed");
            rig_near(section->points[2 * k + 1], 0.97, 1e-9, "on the surface");
        }
        lashi_section_destroy(section);
        rig_close(&r);
    }
}

/* The largest change of cos t and −sin t in n seconds, seen once a second from `first` to `last`. */
static double change(int n, int first, int last) {
    double worst = 0;
    for (int i = first; i + n <= last; i++)
        worst = fmax(worst, fmax(fabs(cos(i + n) - cos(i)), fabs(sin(i + n) - sin(i))));
    return worst;
}

/* x = cos t, seen once a second: the residue of the best period is a share of the whole range, 2, which is not seen at the
 * ends of steps as long as these. */
static void test_residue(void **state) {
    (void)state;
    enum { FIRST = 1, LAST = 60 };
    double best = INFINITY;
    for (int n = 1; n <= (LAST - FIRST + 1) / 3; n++)
        best = fmin(best, change(n, FIRST, LAST));
    for (int k = 0; k < 2; k++) { // by itself, and beside a metric that looks at the same channel
        lash_study_table *table =
            compute("bodies: {mass: {mass: 1, inertia: 1, position: [1, 0]}}\n"
                    "joints: {guide: {type: translational, between: [ground, mass], axis: [1, 0]}}\n"
                    "forces: {spring: {type: joint-spring, joint: guide, stiffness: 1, free: 0}}\n"
                    "run: {until: 60.5, rtol: 1e-9, max_step: 1.1}\n",
                    k ? "model: model.yaml\nsection: {of: time, every: 1 s, channels: [mass.x, mass.vx]}\n"
                        "metrics: [period-residue, max mass.vx]\n"
                      : "model: model.yaml\nsection: {of: time, every: 1 s, channels: [mass.x, mass.vx]}\n"
                        "metrics: [period-residue]\n");
        const double found = metric(table, 0, "period-residue");
        if (!(fabs(found - best / 2) <= 1e-6))
            fail_msg("the residue is %.9g, expected %.9g", found, best / 2);
        lash_study_table_close(table);
    }
}

/* A block on a spring with strong damping beside a wheel that turns evenly: x'' + 10 x' + 9 x = 0 has exponents -1 and
 * -9. What is measured is the larger one, from the first kept turn on: differences have turned to it before. */
static void test_exponent(void **state) {
    (void)state;
    lash_study_table *table = compute(
        "parameters: {damping: 10}\ngravity: [0, 0]\nground: {points: {o: [0, 0], p: [1, 0]}}\n"
        "bodies: {rotor: {mass: 1, inertia: 0.01, position: [1, 0]},\n"
        "  block: {mass: 1, inertia: 0.01, position: [0.2, 0], velocity: [1, 0]}}\n"
        "joints: {pin: {type: revolute, between: [ground.p, rotor]},\n"
        "  way: {type: translational, between: [ground.o, block], axis: [1, 0]}}\n"
        "drives: {motor: {joint: pin, speed: 60 rpm}}\n"
        "forces: {spring: {type: joint-spring, joint: way, stiffness: 9, damping: $damping, free: 0}}\n"
        "run: {until: 12 rev of motor, rtol: 1e-9}\n",
        "model: model.yaml\naxes: {damping: [10, 9.1]}\nsection: {channels: [block.x, block.vx]}\n"
        "metrics: [exponent]\n");
    const double damping[2] = {10, 9.1};
    for (size_t row = 0; row < 2; row++) {
        const double c = damping[row], slow = -0.5 * (c - sqrt(c * c - 36));
        const double found = metric(table, row, "exponent");
        if (!(fabs(found - slow) < 1e-5))
            fail_msg("the exponent is %.9g, expected %.9g", found, slow);
    }
    lash_study_table_close(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_channels),
                                       cmocka_unit_test(test_ranges),
                                       cmocka_unit_test(test_residue),
                                       cmocka_unit_test(test_exponent),
                                       cmocka_unit_test(test_joints_and_turns),
                                       cmocka_unit_test(test_section),
                                       cmocka_unit_test(test_search)};
    return cmocka_run_group_tests(tests, begin, end);
}
